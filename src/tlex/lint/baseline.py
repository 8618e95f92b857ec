"""Baselines: files of known findings, which are then not reported again.

A baseline is JSON: for each document, how often each fingerprint occurs. Fingerprints do not
change when lines move, so that only new findings of an old corpus are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from tlex.errors import OptionError
from tlex.lint.findings import Finding
from tlex.wording import count, represent

__all__ = ["Baseline", "make_baseline", "parse_baseline"]

VERSION = "tlex-baseline/1"


class Baseline(Struct, frozen=True):
    """Known findings: by document, then by fingerprint, how many."""

    schema: str
    documents: dict[str, dict[str, int]]

    def __repr__(self) -> str:
        known = sum(number for counts in self.documents.values() for number in counts.values())
        documents = count(len(self.documents), "document")
        return represent(self, f"{count(known, 'finding')} in {documents}")

    def leave_out(self, findings: Iterable[Finding], name: str) -> tuple[Finding, ...]:
        """Give the findings of the document of that name that are not known.

        A fingerprint that is known twice is left out twice at most.

        Parameters
        ----------
        findings : iterable of Finding
            What was found in the document.
        name : str
            The name of the document in the baseline.

        Returns
        -------
        tuple of Finding
            The findings that are not in the baseline.

        Examples
        --------
        >>> import tlex
        >>> found = tlex.check(tlex.read("examples/contradiction.tml"))
        >>> tlex.lint.make_baseline([("a.tml", found)]).leave_out(found, "a.tml")
        ()

        See Also
        --------
        CheckResult.hide : the same for a result.
        """
        left = Counter(self.documents.get(name, {}))
        new = []
        for finding in findings:
            if left[finding.fingerprint] > 0:
                left[finding.fingerprint] -= 1
            else:
                new.append(finding)
        return tuple(new)

    def to_json(self) -> bytes:
        r"""Encode so that a change of one finding is a change of one line.

        Returns
        -------
        bytes
            What ``tlex check --write-baseline`` writes.

        Examples
        --------
        >>> import tlex
        >>> tlex.lint.make_baseline([]).to_json()[:30]
        b'{\n "schema": "tlex-baseline/1"'

        See Also
        --------
        tlex.lint.read_baseline : read it back.
        """
        return (
            msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=1) + b"\n"
        )


def make_baseline(found: Iterable[tuple[str, Iterable[Finding]]]) -> Baseline:
    """Make a baseline of all findings.

    Parameters
    ----------
    found : iterable of (str, iterable of Finding)
        The name of each document, and its findings: such as what `tlex.check` gave.

    Returns
    -------
    Baseline
        The known findings; ``to_json()`` gives the content of the file.

    Raises
    ------
    TypeError
        If it is not given pairs.

    Examples
    --------
    >>> import tlex
    >>> found = tlex.check(tlex.read("examples/contradiction.tml"))
    >>> tlex.lint.make_baseline([(found.path, found)])
    <Baseline 2 findings in 1 document>

    See Also
    --------
    tlex.lint.read_baseline : read it from a file.
    """
    documents: dict[str, Counter[str]] = {}
    for name, findings in found:
        counts = Counter(finding.fingerprint for finding in findings)
        if counts:
            documents.setdefault(name, Counter()).update(counts)
    return Baseline(
        schema=VERSION, documents={name: dict(counts) for name, counts in documents.items()}
    )


def parse_baseline(content: bytes, name: str) -> Baseline:
    """Read a baseline back; raises `OptionError` for anything else."""
    try:
        baseline = msgspec.json.decode(content, type=Baseline)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise OptionError(f"{name}: not a baseline: {error}") from None
    if baseline.schema != VERSION:
        raise OptionError(
            f"{name}: a baseline of schema {baseline.schema!r:.40}; known here: {VERSION}"
        )
    return baseline
