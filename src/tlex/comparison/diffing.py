"""`diff`: two annotations, whole corpora of them, or two patches of corrections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from tlex.arguments import require_document
from tlex.comparison.differences import Difference, DocumentDifference
from tlex.comparison.matching import MATCHES
from tlex.comparison.patches import PatchDifference, compare_patches
from tlex.comparison.scores import empty
from tlex.comparison.scoring import choose, name_documents, pair_names
from tlex.comparison.sides import POLICIES, Side
from tlex.document import Document
from tlex.errors import OptionError
from tlex.extraction import choose_options
from tlex.repair import Patch

__all__ = ["Differ", "diff"]


@overload
def diff(first: Patch, second: Patch) -> PatchDifference: ...


@overload
def diff(
    first: Document | Iterable[Document],
    second: Document | Iterable[Document],
    *,
    match: str = ...,
    links: Iterable[str] = ...,
    contradictions: str = ...,
    calendar: bool = ...,
) -> Difference: ...


def diff(  # noqa: PLR0913 -- one argument an option
    first: Document | Iterable[Document] | Patch,
    second: Document | Iterable[Document] | Patch,
    *,
    match: str = "relaxed",
    links: Iterable[str] = ("TLINK",),
    contradictions: str = "every",
    calendar: bool = False,
) -> Difference | PatchDifference:
    """Find what one annotation has and the other has not, by meaning.

    Links that say the same of the same pair are no difference, whatever their direction, name and
    order in the file. What only one side says may still follow on the other: each such link has
    a verdict.

    Parameters
    ----------
    first, second : Document, or several; or Patch
        Two annotations of one text, or two collections of them: documents of the same name go
        together, whatever the endings of their files. Or two patches of corrections, whose changes
        are compared.
    match : str
        How events and times find their counterparts: ``"relaxed"`` by place in the text, where an
        overlap is enough, ``"strict"`` by exactly the same place, ``"ids"`` by their ids.
    links : iterable of str
        The kinds of links that are compared by meaning: ``"TLINK"``, or ``"ALINK"`` too. All others
        are compared by their types.
    contradictions : str
        What a contradictory side believes: ``"every"``, ``"repair"``, ``"knot"`` or ``"part"``.
    calendar : bool
        Use the order that the values of times entail, on both sides.

    Returns
    -------
    Difference, or PatchDifference
        Pairs and expressions that differ, by document; or changes that differ, by file.

    Raises
    ------
    ComparisonError
        If two documents have different texts.
    OptionError
        If an option has a wrong value, or two documents of one side have one name.

    Examples
    --------
    >>> import tlex
    >>> one = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c")])
    >>> two = tlex.from_links([("b", "AFTER", "a"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c")])
    >>> for pair in tlex.diff(one, two).documents[0].pairs:
    ...     print(pair.status, pair.source, pair.target, pair.second.verdict)
    same a b entailed
    only second a c entailed

    See Also
    --------
    tlex.score : one annotation against another that is taken for gold.
    tlex.agree : how far several annotators agree.
    """
    differ = Differ(match=match, links=links, contradictions=contradictions, calendar=calendar)
    if isinstance(first, Patch) and isinstance(second, Patch):
        return compare_patches(first, second)
    if isinstance(first, Patch) or isinstance(second, Patch):
        raise OptionError("a patch is compared with a patch, not with documents")
    if isinstance(first, Document) and isinstance(second, Document):
        return Difference([differ.compare(second.name, first, second)])
    sides = [name_documents(side) for side in (first, second)]
    pairs, alone = pair_names(list(sides[0]), list(sides[1]))
    return Difference(
        [
            differ.compare(name, sides[0][name], sides[1][other])
            for name, other in pairs
            if other is not None
        ],
        only_first=[name for name, other in pairs if other is None],
        only_second=alone,
    )


class Differ:
    """The options of a comparison of two annotations, checked."""

    def __init__(
        self,
        *,
        match: str = "relaxed",
        links: Iterable[str] = ("TLINK",),
        contradictions: str = "every",
        calendar: bool = False,
    ) -> None:
        self._match = choose("match", match, MATCHES)
        self._links = choose_options(links).links
        self._policy = choose("contradictions", contradictions, POLICIES)
        self._calendar = calendar

    def compare(
        self,
        name: str,
        first: Document | None,
        second: Document | None,
        names: tuple[str | None, str | None] | None = None,
    ) -> DocumentDifference:
        """Compare two annotations of one text; None stands for an annotation that is not there.

        ``names`` are what the two are called, if not by the names of the documents.
        """
        sides = []
        for own, other in ((first, second), (second, first)):
            if own is None and other is not None:
                require_document(other)
                sides.append(self._open(empty(other)))
            else:
                require_document(own)
                sides.append(self._open(own))  # type: ignore[arg-type]
        called = None if first is None else first.name, None if second is None else second.name
        return DocumentDifference(name, *sides, match=self._match, names=names or called)

    def _open(self, document: Document) -> Side:
        return Side(
            document, links=self._links, contradictions=self._policy, calendar=self._calendar
        )
