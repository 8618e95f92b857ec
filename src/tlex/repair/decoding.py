"""`decode`: the labels that are consistent and most probable together (reading R60)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tlex._version import __version__
from tlex.arguments import require_document
from tlex.caching import cached_property
from tlex.conflicts.work import Work
from tlex.document import Document
from tlex.extraction import ORDERING, choose_options
from tlex.graph import build_graph
from tlex.nouns import Code
from tlex.points.union_find import join_pairs
from tlex.records import SCHEMA, DecodeOptions, DecodeRecord, DocumentRecord, LabelChoice
from tlex.repair.candidates import DIGITS, Question, list_questions
from tlex.repair.decode_text import decode_lines
from tlex.repair.fixes import SECONDS
from tlex.repair.label_search import Chosen, choose_labels

__all__ = ["DecodeResult", "decode"]


class DecodeResult(DecodeRecord, frozen=True, kw_only=True, dict=True):
    """The chosen labels: the fields of the JSON, and the document with these labels.

    ``original`` is the document as it was.
    """

    original: Document

    def __str__(self) -> str:
        return "\n".join(decode_lines(self))

    @cached_property
    def document(self) -> Document:
        """The document with the chosen labels; candidates and probabilities are kept.

        The weight of a link is the probability of its label.
        """
        chosen = {choice.link: choice for choice in self.choices}
        links = tuple(
            link
            if link.id not in chosen
            else replace(link, type=chosen[link.id].type, weight=chosen[link.id].probability)
            for link in self.original.links
        )
        told = tuple(one for one in self.original.diagnostics if one.code != Code.CANDIDATES)
        return self.original.replace(links=links, diagnostics=told)

    def record(self) -> DecodeRecord:
        """Give the fields of the JSON alone.

        Returns
        -------
        DecodeRecord
            The result as plain data.

        Examples
        --------
        >>> import tlex
        >>> tlex.decode(tlex.from_links([("a", "BEFORE", "b")])).record().choices
        ()

        See Also
        --------
        to_json : the same as JSON.
        """
        return DecodeRecord(
            **{name: getattr(self, name) for name in DecodeRecord.__struct_fields__}
        )

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end.

        Returns
        -------
        bytes
            What ``tlex decode --json`` prints.

        Examples
        --------
        >>> import tlex
        >>> tlex.decode(tlex.from_links([("a", "BEFORE", "b")])).to_json()[:20]
        b'{"path":"<links>","c'

        See Also
        --------
        record : the same as plain data.
        """
        return msgspec.json.encode(self.record())


def decode(  # noqa: PLR0913 -- one argument an option
    document: Document,
    *,
    seconds: float | None = SECONDS,
    work: int | None = None,
    progress: Callable[[float, float], None] | None = None,
    links: Iterable[str] = ORDERING,
    times: str = "interval",
) -> DecodeResult:
    """Choose one label for each link with candidates, consistent and most probable together.

    In JSON a link may have several labels with probabilities. The product of the probabilities of
    the chosen labels is the largest that a consistent choice can have, and that is proven. Links
    without candidates stay as they are.

    Parameters
    ----------
    document : Document
        A document whose links have ``labels``.
    seconds : float, optional
        How long to look for a proof, counted in work as for `tlex.fix`. After that the best choice
        so far is given, with the bound that is proven. None: as long as it takes.
    work : int, optional
        The same limit in units of work; no clock ends the search.
    progress : callable, optional
        Called with the cost of the best choice so far and the proven lower bound.
    links, times : optional
        As for `tlex.extract`.

    Returns
    -------
    DecodeResult
        The ``choices``, their ``cost`` and its ``bound``; the ``document`` with the chosen labels;
        and ``to_json()``.

    Raises
    ------
    OptionError
        If something that is no document, or a wrong option, is given.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.parse(
    ...     '''{"links": [
    ...  {"source": "a", "target": "b", "labels": {"BEFORE": 0.9, "AFTER": 0.1}},
    ...  {"source": "b", "target": "c", "labels": {"BEFORE": 0.8, "AFTER": 0.2}},
    ...  {"source": "c", "target": "a", "labels": {"BEFORE": 0.6, "AFTER": 0.4}}]}'''
    ... )
    >>> decoded = tlex.decode(document)
    >>> [choice.type for choice in decoded.choices], decoded.optimal
    (['BEFORE', 'BEFORE', 'AFTER'], True)

    See Also
    --------
    tlex.fix : remove links instead, where each has one label.
    """
    require_document(document)
    options = choose_options(links, times)
    questions, notes = list_questions(document, options.links)
    limit = Work(work, None if work is not None else seconds)
    instants = [2 * each for each in build_graph(document, options.links, options.times).instants]
    found: list[tuple[list[Question], Chosen]] = []
    for part in _separate(questions, len(document.nodes)):
        tell = _Progress(found, part, progress) if progress is not None else None
        found.append((part, choose_labels(part, instants, limit, tell)))
    cost, bound = _add_up(found)
    blocked = tuple(
        tuple(
            document.links[number].id
            for number in sorted(part[place].number for place in chosen.blocked)
        )
        for part, chosen in found
        if chosen.blocked
    )
    consistent = None if any(chosen.labels is None for _, chosen in found) else True
    names = [f"{node.id}{side}" for node in document.nodes for side in "-+"]
    return DecodeResult(
        path=document.name,
        consistent=False if blocked else consistent,
        optimal=consistent is True and bound >= cost,
        cost=cost / DIGITS if consistent and not blocked else None,
        bound=bound / DIGITS,
        gap=max(cost - bound, 0) / DIGITS if consistent and not blocked else None,
        choices=tuple(_list_choices(document, found)),
        blocked=blocked,
        notes=tuple(notes),
        schema=SCHEMA,
        tlex=__version__,
        about=DocumentRecord.of(document),
        options=DecodeOptions(links=options.links, times=options.times, work=limit.limit),
        proof=tuple(
            tuple(
                f"{names[left]} {'<' if strict else '<='} {names[right]}"
                for left, strict, right in conflict
            )
            for _, chosen in found
            for conflict in chosen.conflicts
        ),
        ended_by=None if not limit.is_over() else "clock" if limit.late else "work",
        original=document,
    )


class _Progress(Struct, gc=False):
    """Tells the cost and the bound of the whole document while one part is searched."""

    before: list[tuple[list[Question], Chosen]]
    part: list[Question]
    tell: Callable[[float, float], None]

    def __call__(self, cost: int, bound: int) -> None:
        known = _add_up(self.before)
        least = sum(question.least for question in self.part)
        self.tell((known[0] + least + cost) / DIGITS, (known[1] + least + bound) / DIGITS)


def _separate(questions: list[Question], size: int) -> Iterator[list[Question]]:
    """Give the questions of each connected part; parts have nothing to do with each other."""
    root = join_pairs(size, *([question.ends[side] for question in questions] for side in (0, 1)))
    parts: dict[int, list[Question]] = {}
    for question in questions:
        first = question.ends[0]
        while root[first] != first:
            first = root[first]
        parts.setdefault(first, []).append(question)
    yield from parts.values()


def _add_up(found: Iterable[tuple[list[Question], Chosen]]) -> tuple[int, int]:
    cost = bound = 0
    for part, chosen in found:
        least = sum(question.least for question in part)
        cost += least + chosen.cost
        bound += least + (chosen.bound if chosen.labels is None else min(chosen.bound, chosen.cost))
    return cost, bound


def _list_choices(
    document: Document, found: Iterable[tuple[list[Question], Chosen]]
) -> Iterator[LabelChoice]:
    """List the labels of the links that have candidates, in document order."""
    choices = {
        question.number: (question, label)
        for part, chosen in found
        for question, label in zip(part, chosen.labels or (), strict=False)
    }
    for number in sorted(choices):
        link, (question, label) = document.links[number], choices[number]
        if link.labels:
            yield LabelChoice(
                link=link.id,
                source=link.source or "",
                target=link.target or "",
                type=question.labels[label],
                probability=question.shares[label],
                labels=link.labels,
                most_probable=question.labels[0],
            )
