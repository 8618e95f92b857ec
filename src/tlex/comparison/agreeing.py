"""`agree`: what several annotators made of the same texts, documents of one name together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tlex.arguments import require_document
from tlex.comparison.agreements import Agreement, DocumentAgreement
from tlex.comparison.matching import MATCHES
from tlex.comparison.scoring import choose, name_documents, pair_names
from tlex.comparison.sides import Side
from tlex.document import Document
from tlex.errors import OptionError
from tlex.extraction import choose_options

__all__ = ["Comparer", "agree", "group_names"]

_TWO = 2


def agree(
    annotators: Mapping[str, Document | Iterable[Document]]
    | Sequence[Document | Iterable[Document]],
    *,
    match: str = "relaxed",
    links: Iterable[str] = ("TLINK",),
    calendar: bool = False,
) -> Agreement:
    """Find out how far several annotators of the same texts agree.

    No annotator is taken for gold, and their order does not matter.

    Parameters
    ----------
    annotators : mapping or sequence of Document, or of several
        What each annotator made: a document, or several. Documents of the same name go together,
        whatever the endings of their files; single documents go together whatever their names. A
        mapping gives the annotators names; otherwise they are called by their numbers, from 1.
    match : str
        How events and times find their counterparts: ``"relaxed"`` by place in the text, where an
        overlap is enough, ``"strict"`` by exactly the same place, ``"ids"`` by their ids.
    links : iterable of str
        The kinds of links that are compared: ``"TLINK"``, or ``"ALINK"`` too.
    calendar : bool
        Use the order that the values of times entail, for all annotators.

    Returns
    -------
    Agreement
        F over expressions and over entailed orders, share of equal labels and Cohen's kappa for
        each two annotators and together, Krippendorff's alpha, and the places to talk about.

    Raises
    ------
    ComparisonError
        If two documents have different texts.
    OptionError
        If there are fewer than two annotators, or if an option has a wrong value.

    Examples
    --------
    >>> import tlex
    >>> anna = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c")])
    >>> ben = tlex.from_links([("a", "BEFORE", "b"), ("c", "AFTER", "b"), ("a", "BEFORE", "c")])
    >>> tlex.agree({"Anna": anna, "Ben": ben})
    <Agreement 2 annotators: expressions 100.0, orders 100.0, equal labels 100.0, kappa none>

    See Also
    --------
    tlex.score : one annotation against another that is taken for gold.
    """
    if isinstance(annotators, Mapping):
        given = {str(name): side for name, side in annotators.items()}
    elif isinstance(annotators, Document | str | bytes) or not isinstance(annotators, Iterable):
        raise OptionError(f"annotators cannot be {annotators!r:.80}; give a list with one for each")
    else:
        given = {str(number): side for number, side in enumerate(annotators, 1)}
    comparer = Comparer(match=match, links=links, calendar=calendar)
    if len(given) < _TWO:
        raise OptionError("agreement takes two annotators or more")
    sides = {name: name_documents(side) for name, side in given.items()}
    alone = all(isinstance(side, Document) for side in given.values())
    groups, missing = group_names({name: list(own) for name, own in sides.items()}, alone=alone)
    found = [
        comparer.compare(shown, {name: sides[name][own] for name, own in group.items()})
        for shown, group in groups.items()
    ]
    return Agreement(found, annotators=list(given), missing=missing)


class Comparer:
    """The options of a comparison without gold, checked."""

    def __init__(
        self,
        *,
        match: str = "relaxed",
        links: Iterable[str] = ("TLINK",),
        calendar: bool = False,
    ) -> None:
        self._match = choose("match", match, MATCHES)
        self._links = choose_options(links).links
        self._calendar = calendar

    def compare(self, name: str, documents: Mapping[str, Document]) -> DocumentAgreement:
        """Compare what some annotators made of one text."""
        for document in documents.values():
            require_document(document)
        sides = {
            annotator: Side(document, links=self._links, calendar=self._calendar)
            for annotator, document in documents.items()
        }
        return DocumentAgreement(name, sides, match=self._match)


def group_names(
    sides: Mapping[str, Sequence[str]], *, alone: bool = False
) -> tuple[dict[str, dict[str, str]], dict[str, list[str]]]:
    """Put together the names of documents that several annotators have.

    Names go together if they are the same, or the same but for their endings. Gives for each name
    the annotators that have it, at least two, with the name that it has there; and the documents
    that an annotator lacks. If each annotator has one document ``alone``, these go together.

    >>> group_names({"Anna": ["a.tml", "b.tml"], "Ben": ["a.json"]})
    ({'a.tml': {'Anna': 'a.tml', 'Ben': 'a.json'}}, {'Ben': ['b.tml']})
    """
    if alone:
        group = {annotator: names[0] for annotator, names in sides.items()}
        return {next(iter(group.values())): group}, {}
    groups: dict[str, dict[str, str]] = {}
    for annotator, names in sides.items():
        pairs, new = pair_names(list(groups), names)
        for known, own in pairs:
            if own is not None:
                groups[known][annotator] = own
        for name in new:
            groups[name] = {annotator: name}
    missing: dict[str, list[str]] = {}
    for name, group in groups.items():
        for annotator in sides:
            if annotator not in group:
                missing.setdefault(annotator, []).append(name)
    return {name: group for name, group in groups.items() if len(group) >= _TWO}, missing
