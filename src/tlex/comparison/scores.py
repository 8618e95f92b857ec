"""How well one annotation agrees with another that is taken for gold: temporal awareness.

Precision is the share of the system's counted claims that the gold entails, recall the share of
the gold's counted claims that the system entails. `docs/comparing.md` has the definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from msgspec import json

from tlex.caching import cached_property
from tlex.comparison.labels import Literal, compare_labels
from tlex.comparison.matching import Matching, match_nodes
from tlex.comparison.measures import (
    PointSide,
    count_orders,
    count_pairs,
    list_in_sections,
    share_reduced,
)
from tlex.comparison.records import (
    ClaimVerdict,
    DocumentScoreRecord,
    Measures,
    Orders,
    Share,
    TotalRecord,
    average,
    harmonise,
)
from tlex.comparison.sides import Side
from tlex.document import Document
from tlex.errors import UnknownNameError
from tlex.points.walks import WalkStep
from tlex.wording import represent

__all__ = ["DocumentScore", "Score", "empty", "find_interval"]

_SIDES = ("gold", "system")


class DocumentScore:
    """The score of one system document against its gold document.

    ``system`` is None if there is no such document: it is scored against nothing then.
    """

    def __init__(  # noqa: PLR0913 -- one argument an option
        self,
        name: str,
        gold: Side,
        system: Side | None,
        *,
        match: str = "relaxed",
        mode: str = "tlex",
        mend: bool = False,
    ) -> None:
        self.name = name
        self.mode = mode
        self.mend = mend
        self.gold = gold
        self.system = system or Side(empty(gold.document), contradictions=gold.policy)
        self.matching = (
            Matching({}, {})
            if system is None
            else match_nodes(gold.expressions, system.expressions, match)
        )

    def __repr__(self) -> str:
        return represent(self, f"{self.name}: {_list_figures(self)}")

    @cached_property
    def precision(self) -> Share:
        """The share of the system's counted claims that the gold entails."""
        return _count(self._verdicts[1])

    @cached_property
    def recall(self) -> Share:
        """The share of the gold's counted claims that the system entails."""
        return _count(self._verdicts[0])

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return harmonise(self.precision, self.recall)

    @property
    def sides(self) -> tuple[Side, Side]:
        """Gold and system."""
        return self.gold, self.system

    @property
    def consistent(self) -> tuple[bool, bool]:
        """Whether the gold, and whether the system, does not contradict itself."""
        return self.gold.consistent, self.system.consistent

    @cached_property
    def orders(self) -> Orders:
        """The orders of matched end points that both sides entail, each entails, and opposite."""
        return count_orders(*self._points)

    @cached_property
    def literal(self) -> Literal:
        """How many claims both sides make literally, and which labels stand against each other."""
        return compare_labels(self.gold, self.system, self.matching)

    @cached_property
    def measures(self) -> dict[str, Measures]:
        """The measures over points and parts, by name."""
        orders = self.orders
        numbers = list(self.matching.gold.items())
        parts = [
            [worlds[pair[side]] for pair in numbers]
            for side, worlds in enumerate(side.find_worlds(mend=self.mend) for side in self.sides)
        ]
        both, gold, system = count_pairs(parts)
        places = [
            {place for place, pair in enumerate(numbers) if pair[number] in trunk}
            for number, trunk in enumerate(side.list_trunk(mend=self.mend) for side in self.sides)
        ]
        open_points = [list_in_sections(side.mended) for side in self.sides]
        sections = [
            {
                2 * place + end
                for place, pair in enumerate(numbers)
                for end in (0, 1)
                if 2 * pair[number] + end in points
            }
            for number, points in enumerate(open_points)
        ]
        return {
            "orders": _measure(orders.same, orders.system, orders.gold),
            "reduced_points": _combine(
                share_reduced(*self._points[::-1]), share_reduced(*self._points)
            ),
            "one_timeline": _measure(both, system, gold),
            "trunk": _measure(len(places[0] & places[1]), len(places[1]), len(places[0])),
            "sections": _measure(
                len(sections[0] & sections[1]), len(sections[1]), len(sections[0])
            ),
        }

    def count_verdicts(self) -> tuple[dict[str, int], dict[str, int]]:
        """Count the verdicts on the gold's claims, and on the system's.

        Returns
        -------
        tuple of two dicts
            How many claims are entailed, contradicted, open, unmatched.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.from_links([("a", "BEFORE", "b")])
        >>> tlex.score(document, document).documents[0].count_verdicts()
        ({'entailed': 1}, {'entailed': 1})

        See Also
        --------
        why : the verdict on one link.
        """
        gold, system = (dict(Counter(found.values())) for found in self._verdicts)
        return gold, system

    @cached_property
    def verdicts(self) -> tuple[ClaimVerdict, ...]:
        """The verdict on each counted claim, with its proof: the gold's first, in text order."""
        return tuple(
            self._explain(number, claim, verdict)
            for number, found in enumerate(self._verdicts)
            for claim, verdict in found.items()
        )

    def why(self, link: str) -> tuple[ClaimVerdict, ...]:
        """Say what the other side makes of a link, counted or not.

        Parameters
        ----------
        link : str
            The id of a link of the gold or of the system.

        Returns
        -------
        tuple of ClaimVerdict
            The verdict on the gold's link of this id, and on the system's, as far as there are
            such links.

        Raises
        ------
        UnknownNameError
            If neither side has a link of this id that claims something.

        Examples
        --------
        >>> import tlex
        >>> gold = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c")])
        >>> system = tlex.from_links([("c", "BEFORE", "a")])
        >>> verdict = tlex.score(gold, system).documents[0].why("l1")[1]
        >>> verdict.verdict, verdict.proof[0].links
        ('contradicted', ('l1', 'l2'))

        See Also
        --------
        tlex.Extraction.why : prove how two events or times are related.
        """
        found = []
        for number, side in enumerate(self.sides):
            for claim in range(len(side.claims)):
                if link in side.list_ids(claim):
                    verdict = self._verdicts[number].get(claim) or self._judge(number, [claim])[0]
                    found.append(self._explain(number, claim, verdict))
        if not found:
            raise UnknownNameError(f"no link {link!r} that claims something, on either side")
        return tuple(found)

    def record(self) -> DocumentScoreRecord:
        """Give the score as one struct: what the JSON has.

        Returns
        -------
        DocumentScoreRecord
            Figures, measures and verdicts.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> tlex.score(document, document).documents[0].record().f1
        1.0

        See Also
        --------
        Score.to_json : all documents as JSON.
        """
        return DocumentScoreRecord(
            document=self.name,
            mode=self.mode,
            precision=self.precision,
            recall=self.recall,
            f1=self.f1,
            consistent=dict(zip(_SIDES, self.consistent, strict=True)),
            well_defined=self.mode != "tempeval3" or all(self.consistent),
            nodes={
                "gold": len(self.gold.document.index),
                "system": len(self.system.document.index),
                "matched": len(self.matching.gold),
            },
            muted={
                name: tuple(link for claim in sorted(side.muted) for link in side.list_ids(claim))
                for name, side in zip(_SIDES, self.sides, strict=True)
            },
            silent={name: side.silent for name, side in zip(_SIDES, self.sides, strict=True)},
            orders=self.orders,
            measures=self.measures,
            verdicts=self.verdicts,
        )

    @cached_property
    def _points(self) -> tuple[PointSide, PointSide]:
        return (
            PointSide(self.gold.mended, list(self.matching.gold)),
            PointSide(self.system.mended, list(self.matching.gold.values())),
        )

    @cached_property
    def _verdicts(self) -> tuple[dict[int, str], dict[int, str]]:
        """The verdict on each counted claim of the gold, and of the system."""
        found = [
            dict(zip(side.counted, self._judge(number, side.counted), strict=True))
            for number, side in enumerate(self.sides)
        ]
        return found[0], found[1]

    def _judge(self, number: int, claims: Sequence[int]) -> list[str]:
        """What the other side says of some claims of a side."""
        side, other = self.sides[number], self.sides[1 - number]
        there = (self.matching.gold, self.matching.system)[number]
        said = [side.said[claim] for claim in claims]
        if self.matching.same:
            return other.judge(said)
        found = ["unmatched"] * len(claims)
        places, asked = [], []
        for place, (one, another, row) in enumerate(said):
            first, second = there.get(one), there.get(another)
            if first is not None and second is not None:
                places.append(place)
                asked.append((first, second, row))
        for place, verdict in zip(places, other.judge(asked), strict=True):
            found[place] = verdict
        return found

    def _explain(self, number: int, claim: int, verdict: str) -> ClaimVerdict:
        side, other = self.sides[number], self.sides[1 - number]
        said = side.claims[claim]
        first = side.document.links[said.links[0]]
        there = (self.matching.gold, self.matching.system)[number]
        walks: list[list[WalkStep]] = []
        if verdict == "entailed":
            walks = other.prove(there[said.first], there[said.second], said.row)
        elif verdict == "contradicted":
            walks = [other.refute(there[said.first], there[said.second], said.row)]
        return ClaimVerdict(
            side=_SIDES[number],
            links=side.list_ids(claim),
            source=first.source or "",
            type=first.type or "",
            target=first.target or "",
            verdict=verdict,
            muted=claim in side.muted,
            counted=claim in self._verdicts[number],
            proof=tuple(other.name_walk(walk, first.id) for walk in walks if walk),
        )


class Score:
    """The score of a system over all documents."""

    def __init__(  # noqa: PLR0913 -- one argument an option
        self,
        documents: Sequence[DocumentScore],
        *,
        without_gold: Sequence[str] = (),
        without_system: Sequence[str] = (),
        errors: Mapping[str, str] | None = None,
        bootstrap: int = 0,
        seed: int = 0,
    ) -> None:
        self.documents = tuple(documents)
        self.without_gold = tuple(without_gold)
        self.without_system = tuple(without_system)
        self.errors = dict(errors or {})
        self.bootstrap = bootstrap
        self.seed = seed

    def __repr__(self) -> str:
        return represent(self, _list_figures(self))

    @cached_property
    def precision(self) -> Share:
        """The share of the system's counted claims that the gold entails, over all documents."""
        return sum((one.precision for one in self.documents), Share(0, 0))

    @cached_property
    def recall(self) -> Share:
        """The share of the gold's counted claims that the system entails, over all documents."""
        return sum((one.recall for one in self.documents), Share(0, 0))

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return harmonise(self.precision, self.recall)

    @cached_property
    def macro(self) -> dict[str, float | None]:
        """The means over the documents that have the figure."""
        return {
            "precision": average([one.precision.value for one in self.documents]),
            "recall": average([one.recall.value for one in self.documents]),
            "f1": average([one.f1 for one in self.documents]),
        }

    def to_tieval(self) -> dict[str, dict[str, float | None]]:
        """Give the figures under the keys of tieval's evaluation of links.

        There, recall, precision and F1 are of links that are said literally, accuracy is that of
        pairs that both sides speak of, and the temporal figures are of what follows too. All are
        those of this score, not those of tieval's formulas.

        Returns
        -------
        dict
            ``micro`` and ``macro``, each with seven figures.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> tlex.score(document, document).to_tieval()["micro"]["temporal_awareness"]
        1.0

        See Also
        --------
        record : all figures.
        """
        literal = [one.literal for one in self.documents]
        shares = {
            "accuracy": [Share(one.same, one.shared_pairs) for one in literal],
            "recall": [Share(one.same, one.gold) for one in literal],
            "precision": [Share(one.same, one.system) for one in literal],
            "temporal_recall": [one.recall for one in self.documents],
            "temporal_precision": [one.precision for one in self.documents],
        }
        found = {
            "micro": {name: sum(own, Share(0, 0)).value for name, own in shares.items()},
            "macro": {name: average([one.value for one in own]) for name, own in shares.items()},
        }
        for figures in found.values():
            for name, start in (("f1", ""), ("temporal_awareness", "temporal_")):
                recall, precision = figures[f"{start}recall"], figures[f"{start}precision"]
                both = (recall or 0) + (precision or 0)
                known = recall is not None or precision is not None
                mean = 2 * (recall or 0) * (precision or 0) / both if both else 0.0
                figures[name] = mean if known else None
        return found

    @cached_property
    def interval(self) -> dict[str, tuple[float, float] | None] | None:
        """Bootstrap intervals over documents, from the 2.5th to the 97.5th percentile."""
        if not self.bootstrap:
            return None
        draw = Random(self.seed)  # noqa: S311 -- a sample, no secret
        figures: dict[str, list[float]] = {"precision": [], "recall": [], "f1": []}
        shares = [(one.precision, one.recall) for one in self.documents]
        for _ in range(self.bootstrap if shares else 0):
            drawn = draw.choices(shares, k=len(shares))
            precision = sum((one for one, _ in drawn), Share(0, 0))
            recall = sum((other for _, other in drawn), Share(0, 0))
            values = precision.value, recall.value, harmonise(precision, recall)
            for name, value in zip(figures, values, strict=True):
                if value is not None:
                    figures[name].append(value)
        return {name: find_interval(values) for name, values in figures.items()}

    def record(self) -> TotalRecord:
        """Give the totals as one struct: what the last line of the JSON has.

        Returns
        -------
        TotalRecord
            Figures over all documents, and what could not be scored.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> tlex.score(document, document).record().macro
        {'precision': 1.0, 'recall': 1.0, 'f1': 1.0}

        See Also
        --------
        DocumentScore.record : one document.
        """
        return TotalRecord(
            precision=self.precision,
            recall=self.recall,
            f1=self.f1,
            macro=self.macro,
            interval=self.interval,
            documents=len(self.documents),
            without_system=self.without_system,
            without_gold=self.without_gold,
            errors=self.errors,
        )

    def to_json(self) -> bytes:
        """Give JSON: a line per document, and one with the total.

        Returns
        -------
        bytes
            The lines.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> len(tlex.score(document, document).to_json().splitlines())
        2

        See Also
        --------
        record : the totals as one struct.
        """
        lines = [json.encode(one.record()) for one in self.documents]
        return b"\n".join((*lines, json.encode({"total": self.record()}), b""))


def empty(document: Document) -> Document:
    """A document of the same text that says nothing."""
    return document.replace(
        events=(), instances=(), timexes=(), signals=(), nodes=(), index={}, links=()
    )


def _count(verdicts: Mapping[int, str]) -> Share:
    return Share(sum(verdict == "entailed" for verdict in verdicts.values()), len(verdicts))


def _measure(both: int, system: int, gold: int) -> Measures:
    return _combine(Share(both, system), Share(both, gold))


def _combine(precision: Share, recall: Share) -> Measures:
    return Measures(precision=precision, recall=recall, f1=harmonise(precision, recall))


def _list_figures(score: DocumentScore | Score) -> str:
    f1 = "none" if score.f1 is None else f"{100 * score.f1:.1f}"
    return f"precision {score.precision}, recall {score.recall}, F1 {f1}"


def find_interval(values: list[float]) -> tuple[float, float] | None:
    """Give the 2.5th and the 97.5th percentile of drawn figures; None if there are none."""
    if not values:
        return None
    values.sort()
    last = len(values) - 1
    return values[round(0.025 * last)], values[round(0.975 * last)]
