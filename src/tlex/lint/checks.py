"""`check`: all rules that are selected, applied to one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from tlex.arguments import require_kind
from tlex.calendar import drop_calendar
from tlex.document import Document
from tlex.errors import OptionError
from tlex.lint.baseline import Baseline
from tlex.lint.connectivity import find_gaps
from tlex.lint.contradictions import find_contradictions
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding
from tlex.lint.guidelines import find_oversights
from tlex.lint.redundancy import find_redundant
from tlex.lint.references import find_misreferences
from tlex.lint.reports.json import CheckRecord
from tlex.lint.reports.text import show_findings
from tlex.lint.selection import Selection, choose_rules
from tlex.repair.fixes import extract_once
from tlex.repair.search import WORK, find_repair
from tlex.result import CUT_CALENDAR, Extraction
from tlex.wording import clean

__all__ = ["CheckResult", "check"]


class CheckResult(CheckRecord, frozen=True, kw_only=True):
    """What was found in a document, in order of place: the fields of the JSON, and more.

    ``remarks`` say what could not be looked at. Iterating gives the findings.
    """

    document: Document
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.findings:
            return f"{clean(self.path)}: nothing found"
        return "\n".join(show_findings(self)).rstrip()

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def record(self) -> CheckRecord:
        """Give the fields of the JSON alone.

        Returns
        -------
        CheckRecord
            The result as plain data.

        Examples
        --------
        >>> import tlex
        >>> found = tlex.check(tlex.read("examples/contradiction.tml"))
        >>> found.record().consistent
        False

        See Also
        --------
        to_json : the same as JSON.
        """
        return CheckRecord(**{name: getattr(self, name) for name in CheckRecord.__struct_fields__})

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end.

        Returns
        -------
        bytes
            What ``tlex check --json`` prints.

        Examples
        --------
        >>> import tlex
        >>> found = tlex.check(tlex.read("examples/contradiction.tml"))
        >>> found.to_json()[:37]
        b'{"path":"examples/contradiction.tml",'

        See Also
        --------
        record : the same as plain data.
        """
        return msgspec.json.encode(self.record())

    def hide(self, baseline: Baseline, name: str) -> CheckResult:
        """Leave out the findings that a baseline has for a document.

        Parameters
        ----------
        baseline : Baseline
            Findings that are known.
        name : str
            The name of the document in the baseline.

        Returns
        -------
        CheckResult
            The other findings; ``hidden`` counts those that were left out.

        Examples
        --------
        >>> import tlex
        >>> found = tlex.check(tlex.read("examples/contradiction.tml"))
        >>> from tlex.lint.baseline import make_baseline
        >>> len(found.hide(make_baseline([("a.tml", found)]), "a.tml"))
        0

        See Also
        --------
        tlex.check : takes a baseline, too.
        """
        shown = baseline.leave_out(self.findings, name)
        hidden = len(self.findings) - len(shown)
        return replace(self, findings=shown, hidden=self.hidden + hidden) if hidden else self


def check(  # noqa: PLR0913 -- one argument an option
    document: Document | Extraction,
    *,
    all: bool = False,  # noqa: A002 -- as the command line has it
    select: Iterable[str] | Selection | None = None,
    ignore: Iterable[str] = (),
    severity: Mapping[str, str] | None = None,
    baseline: Baseline | None = None,
    links: Iterable[str] | None = None,
    times: str | None = None,
    calendar: bool | None = None,
) -> CheckResult:
    """Find mistakes in an annotation: wrong references, contradictions, breaches of guidelines.

    Parameters
    ----------
    document : Document or Extraction
        A document, or what `extract` made of it.
    all : bool
        Use all rules. Without it and ``select``, those that are errors or warnings are used.
    select : iterable of str, optional
        Use only these rules: codes (``TLX202``), their beginnings (``TLX2``), or names.
    ignore : iterable of str
        Do not use these rules.
    severity : mapping of str to str, optional
        Rules and their severity: ``"error"``, ``"warning"`` or ``"advice"``.
    baseline : Baseline, optional
        Leave out the findings that are known under the document's name; they are counted as
        ``hidden``.
    links, times, calendar : optional
        As for `extract`. For an `Extraction` they are those that it was made with.

    Returns
    -------
    CheckResult
        The ``findings`` in order of place, each with its ``code``, ``message``, ``line``,
        ``column`` and ``notes``; whether the document is ``consistent``; and ``to_json()``.

    Raises
    ------
    OptionError
        For an unknown rule, severity or option, or if this is no document.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.from_links([("e1", "BEFORE", "e2"), ("e2", "BEFORE", "e1")])
    >>> [(finding.code, finding.message) for finding in tlex.check(document)]
    [('TLX202', 'TLINK l2: e2 BEFORE e1 contradicts e1 BEFORE e2')]

    See Also
    --------
    tlex.fix : find the smallest change that makes a document consistent.
    tlex.lint.find_rule : what a rule is about, with an example.
    """
    if baseline is not None:
        require_kind("baseline", baseline, Baseline, "a tlex.lint.Baseline")
    selection = _choose(select, ignore, severity, everything=all)
    found = _check(extract_once(document, links, times, calendar), selection)
    return found if baseline is None else found.hide(baseline, found.path)


def _choose(
    select: Iterable[str] | Selection | None,
    ignore: Iterable[str],
    severity: Mapping[str, str] | None,
    *,
    everything: bool,
) -> Selection:
    if everything and select is not None:
        raise OptionError("choose one of all and select")
    if isinstance(select, Selection):
        if ignore or severity:
            raise OptionError("a selection has its own ignore and severity")
        return select
    return choose_rules(["ALL"] if everything else select, ignore, severity)


def _check(result: Extraction, selection: Selection) -> CheckResult:
    findings: list[Finding] = []
    remarks: list[str] = []
    document = drop_calendar(result.document)
    for found in _find(result, Describer(document), selection.wanted):
        if isinstance(found, str):
            remarks.append(found)
        elif found.code in selection.wanted:
            severity = selection.severities[found.code]
            findings.append(
                found if found.severity == severity else replace(found, severity=severity)
            )
    findings.sort(key=lambda finding: (finding.offset or 0, finding.code))
    return CheckResult(
        path=result.document.name,
        consistent=result.consistent,
        findings=tuple(findings),
        document=document,
        remarks=tuple(remarks),
    )


def _find(
    result: Extraction, describer: Describer, wanted: frozenset[str]
) -> Iterator[Finding | str]:
    """Look for what is wanted only: contradictions cost nothing where there are none.

    The ``describer`` does not know the calendar's links, about which nobody can do anything.
    """
    groups = {code[3] for code in wanted}
    if not result.calendar_complete:
        yield CUT_CALENDAR
    if "1" in groups:
        yield from find_misreferences(describer, wanted)
    if "2" in groups and not result.consistent:
        yield from find_contradictions(result, describer, _choose_blame(result))
    if "3" in groups:
        yield from find_oversights(describer, wanted)
    if "TLX304" in wanted:
        yield from find_redundant(result, describer)
    if "4" in groups:
        yield from find_gaps(result, describer)


def _choose_blame(result: Extraction) -> tuple[str, ...]:
    """The links that a minimum repair removes, or the best repair found within the usual limit."""
    return find_repair(result, limit=1, work=WORK).removed
