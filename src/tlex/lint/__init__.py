"""The linter: what is wrong with an annotation, where, and why.

>>> import tlex
>>> from tlex.lint import check_document
>>> document = tlex.from_links([("e1", "BEFORE", "e2"), ("e2", "BEFORE", "e1")])
>>> [finding.code for finding in check_document(tlex.extract(document)).findings]
['TLX202']
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from tlex.document import Document
from tlex.lint.connectivity import find_breaks
from tlex.lint.contradictions import find_contradictions
from tlex.lint.findings import Finding, Note
from tlex.lint.guidelines import find_oversights
from tlex.lint.reading import find_unread
from tlex.lint.redundancy import find_redundant
from tlex.lint.references import find_misreferences
from tlex.lint.rules import RULES, Rule, find_rule
from tlex.lint.selection import Selection, choose_rules
from tlex.lint.wording import Wording
from tlex.repair import find_repair
from tlex.timeline import Extraction

__all__ = [
    "RULES",
    "Checked",
    "Finding",
    "Note",
    "Rule",
    "Selection",
    "check_document",
    "choose_rules",
    "find_rule",
    "find_unread",
]

_MOST, _PATIENCE = 1000, 10.0
"""Up to how many conflicts a repair is looked for, and for how many seconds. Real documents have a
dozen and need hundredths; beyond, only the link to blame is chosen less well."""


class Checked(Struct, frozen=True):
    """What was found in a document, by place.

    ``path`` is where the file lies, as far as it is known. ``hidden`` findings were there before,
    says the baseline. ``remarks`` say what could not be looked at.
    """

    document: Document
    consistent: bool
    findings: tuple[Finding, ...]
    path: str = ""
    hidden: int = 0
    remarks: tuple[str, ...] = ()


def check_document(result: Extraction, selection: Selection | None = None) -> Checked:
    """Look at an extracted document with all rules that are selected.

    Only what is asked for is looked for: contradictions cost nothing where there are none.
    """
    chosen = choose_rules() if selection is None else selection
    findings = []
    remarks = []
    for found in _look(result, Wording(result.document), chosen.wanted):
        if isinstance(found, str):
            remarks.append(found)
        elif found.code in chosen.wanted:
            severity = chosen.severities[found.code]
            findings.append(
                found if found.severity == severity else replace(found, severity=severity)
            )
    findings.sort(key=lambda finding: (finding.offset or 0, finding.code))
    return Checked(result.document, result.consistent, tuple(findings), remarks=tuple(remarks))


def _look(result: Extraction, wording: Wording, wanted: frozenset[str]) -> Iterator[Finding | str]:
    groups = {code[3] for code in wanted}
    if "1" in groups:
        yield from find_misreferences(wording, wanted)
    if "2" in groups and not result.consistent:
        yield from find_contradictions(result, wording, _choose_blame(result))
    if "3" in groups:
        yield from find_oversights(wording, wanted)
    if "TLX304" in wanted:
        yield from find_redundant(result, wording)
    if "4" in groups:
        yield from find_breaks(result, wording)


def _choose_blame(result: Extraction) -> tuple[str, ...]:
    """The links that a minimum repair takes away, unless it would take too long to find one."""
    if len(result.conflicts) > _MOST:
        return ()
    return find_repair(result, limit=1, seconds=_PATIENCE).removed
