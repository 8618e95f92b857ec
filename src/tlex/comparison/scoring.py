"""`score`: one annotation, or a whole corpus of them, against another that is taken for gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tlex.arguments import require_document
from tlex.comparison.file_order import FileOrderSide
from tlex.comparison.matching import MATCHES
from tlex.comparison.scores import DocumentScore, Score
from tlex.comparison.sides import POLICIES, Side
from tlex.document import Document
from tlex.errors import OptionError
from tlex.extraction import choose_options

__all__ = ["MODES", "Scorer", "choose", "name_documents", "pair_names", "score"]

MODES = ("tlex", "tempeval3")
"""Exact and independent of the order of links, or as the toolkit of TempEval-3 does it."""


def score(  # noqa: PLR0913 -- one argument an option
    gold: Document | Iterable[Document],
    system: Document | Iterable[Document],
    *,
    match: str = "relaxed",
    links: Iterable[str] = ("TLINK",),
    contradictions: str = "every",
    calendar: bool = False,
    mend: bool = False,
    mode: str = "tlex",
    bootstrap: int = 0,
    seed: int = 0,
) -> Score:
    """Score an annotation against another that is taken for gold: temporal awareness.

    Precision is the share of the system's claims that the gold entails, recall the share of the
    gold's claims that the system entails. Claims that follow from the others of their side are not
    counted. The figures do not depend on the order of links, nor on which of several links that say
    the same is there.

    Parameters
    ----------
    gold, system : Document, or several
        Two annotations of one text, or two collections of them. In collections documents of the
        same name go together, whatever the endings of their files.
    match : str
        How events and times find their counterparts: ``"relaxed"`` by place in the text, where an
        overlap is enough, ``"strict"`` by exactly the same place, ``"ids"`` by their ids.
    links : iterable of str
        The kinds of links that are scored: ``"TLINK"``, or ``"ALINK"`` too.
    contradictions : str
        What a contradictory side believes: ``"every"`` (only what holds after every smallest repair
        is entailed), ``"repair"``, ``"knot"`` or ``"part"``.
    calendar : bool
        Use the order that the values of times entail, on both sides.
    mend : bool
        Look for trunk and parts after the smallest repair.
    mode : str
        ``"tlex"``, or ``"tempeval3"`` for the figures of that task's toolkit, which depend on the
        order of links.
    bootstrap, seed : int
        How often documents are drawn for intervals of the figures, and the seed.

    Returns
    -------
    Score
        Precision, recall and F1, overall and by document, with a verdict on every counted claim.

    Raises
    ------
    ComparisonError
        If two documents have different texts.
    OptionError
        If an option has a wrong value, or two documents of one side have one name.

    Examples
    --------
    >>> import tlex
    >>> gold = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c")])
    >>> system = tlex.from_links([("a", "BEFORE", "c"), ("b", "AFTER", "a")])
    >>> tlex.score(gold, system)
    <Score precision 100.0, recall 50.0, F1 66.7>

    See Also
    --------
    tlex.extract : the timelines of one annotation.
    """
    scorer = Scorer(
        match=match,
        links=links,
        contradictions=contradictions,
        calendar=calendar,
        mend=mend,
        mode=mode,
    )
    return scorer.score(gold, system, bootstrap=bootstrap, seed=seed)


class Scorer:
    """Scores several systems against one gold; what is known of the gold is kept.

    The options are those of `score`.
    """

    def __init__(  # noqa: PLR0913 -- one argument an option
        self,
        *,
        match: str = "relaxed",
        links: Iterable[str] = ("TLINK",),
        contradictions: str = "every",
        calendar: bool = False,
        mend: bool = False,
        mode: str = "tlex",
    ) -> None:
        self._match = choose("match", match, MATCHES)
        self._mend = mend
        self._mode = choose("mode", mode, MODES)
        self._links = choose_options(links).links
        self._policy = choose("contradictions", contradictions, POLICIES)
        self._calendar = calendar
        if mode == "tempeval3" and (calendar or contradictions != "every"):
            raise OptionError("mode 'tempeval3' goes neither with calendar nor with contradictions")
        self._gold: dict[int, tuple[Document, Side]] = {}

    def score(
        self,
        gold: Document | Iterable[Document],
        system: Document | Iterable[Document],
        *,
        bootstrap: int = 0,
        seed: int = 0,
    ) -> Score:
        """Score a system; see `tlex.score`.

        Parameters
        ----------
        gold, system : Document, or several
            Two annotations of one text, or two collections of them.
        bootstrap, seed : int
            How often documents are drawn for intervals of the figures, and the seed.

        Returns
        -------
        Score
            Precision, recall and F1.

        Raises
        ------
        ComparisonError
            If two documents have different texts.
        OptionError
            If two documents of one side have one name.

        Examples
        --------
        >>> import tlex
        >>> gold = tlex.from_links([("a", "BEFORE", "b")])
        >>> scorer = tlex.Scorer()
        >>> [scorer.score(gold, system).f1 for system in (gold, gold)]
        [1.0, 1.0]

        See Also
        --------
        tlex.score : score one system.
        """
        if isinstance(gold, Document) and isinstance(system, Document):
            return Score([self.compare(gold.name, gold, system)], bootstrap=bootstrap, seed=seed)
        sides = [name_documents(side) for side in (gold, system)]
        pairs, alone = pair_names(list(sides[0]), list(sides[1]))
        found = [
            self.compare(name, sides[0][name], None if other is None else sides[1][other])
            for name, other in pairs
        ]
        return Score(
            found,
            without_gold=alone,
            without_system=[name for name, other in pairs if other is None],
            bootstrap=bootstrap,
            seed=seed,
        )

    def compare(self, name: str, gold: Document, system: Document | None) -> DocumentScore:
        """Score one document.

        Parameters
        ----------
        name : str
            What the document is called in the result.
        gold : Document
            The gold annotation.
        system : Document or None
            The system's; None if it has no such document.

        Returns
        -------
        DocumentScore
            Figures and verdicts.

        Raises
        ------
        ComparisonError
            If the documents have different texts.

        Examples
        --------
        >>> import tlex
        >>> gold = tlex.from_links([("a", "BEFORE", "b")])
        >>> tlex.Scorer().compare("empty", gold, None).recall
        Share(correct=0, total=1)

        See Also
        --------
        score : several documents.
        """
        require_document(gold)
        if id(gold) not in self._gold:
            self._gold[id(gold)] = gold, self.open(gold)
        known = self._gold[id(gold)][1]
        side = None if system is None else self.open(system, like=known)
        return DocumentScore(name, known, side, match=self._match, mode=self._mode, mend=self._mend)

    def open(self, document: Document, *, like: Side | None = None) -> Side:
        """Give what a document claims and believes.

        Parameters
        ----------
        document : Document
            An annotation.
        like : Side, optional
            A side whose document may have the same nodes: what is known of these is used again.

        Returns
        -------
        Side
            Its claims, and which of them are believed and counted.

        Examples
        --------
        >>> import tlex
        >>> tlex.Scorer().open(tlex.from_links([("a", "BEFORE", "b")])).counted
        [0]

        See Also
        --------
        compare : score one document.
        """
        require_document(document)
        expressions = None
        if like is not None and document.has_nodes_of(like.expressions.document):
            expressions = like.expressions
        if self._mode == "tempeval3":
            return FileOrderSide(
                document, links=self._links, contradictions="repair", expressions=expressions
            )
        return Side(
            document,
            links=self._links,
            contradictions=self._policy,
            calendar=self._calendar,
            expressions=expressions,
        )


def pair_names(
    gold: Sequence[str], system: Sequence[str]
) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Pair names: the same name, else the same name but for its ending.

    Gives each name of the gold side with its partner, or None, and the names of the system side
    that have no partner. Names that become one without their endings go together with none.

    >>> pair_names(["a.tml", "b.tml", "c.tml"], ["b.json", "a.tml", "d.tml"])
    ([('a.tml', 'a.tml'), ('b.tml', 'b.json'), ('c.tml', None)], ['d.tml'])
    """
    left = set(system)
    found: dict[str, str | None] = {name: name if name in left else None for name in gold}
    left.difference_update(found)
    shorter = [_shorten(names) for names in ((name for name in gold if found[name] is None), left)]
    for short, name in shorter[0].items():
        other = shorter[1].get(short)
        if name is not None and other is not None:
            found[name] = other
            left.discard(other)
    return list(found.items()), [name for name in system if name in left]


def _shorten(names: Iterable[str]) -> Mapping[str, str | None]:
    """Names by their names without endings; None where several become one."""
    found: dict[str, str | None] = {}
    for name in names:
        folder, slash, file = name.rpartition("/")
        short = folder + slash + (file.rpartition(".")[0] or file)
        found[short] = None if short in found else name
    return found


def name_documents(side: Document | Iterable[Document]) -> dict[str, Document]:
    """Give the documents of a side by their names."""
    documents = [side] if isinstance(side, Document) else list(side)
    found: dict[str, Document] = {}
    for document in documents:
        require_document(document)
        if document.name in found:
            raise OptionError(f"two documents of one side have the name {document.name!r}")
        found[document.name] = document
    return found


def choose(option: str, value: str, known: Sequence[str]) -> str:
    """Give the value of an option back; raise an `OptionError` if it is none of those known."""
    if value not in known:
        raise OptionError(f"{option} cannot be {value!r}; choose from {', '.join(known)}")
    return value
