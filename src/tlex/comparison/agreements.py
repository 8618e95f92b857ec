"""How far several annotators of one text agree, none of whom is taken for gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from math import fsum

from msgspec import Struct
from msgspec.json import encode

from tlex.caching import cached_property
from tlex.comparison.coefficients import find_alpha, find_kappa
from tlex.comparison.joint import Joint, JointNodes, join_nodes
from tlex.comparison.measures import PointSide, count_orders
from tlex.comparison.sides import Side
from tlex.comparison.statements import Statement, is_compatible, join_labels, list_statements
from tlex.lookup import express_all
from tlex.quotation import quote
from tlex.records import SCHEMA, Expression
from tlex.wording import represent

__all__ = ["Agreement", "AgreementFigures", "AgreementRecord", "DocumentAgreement", "Place"]

_TWO = 2
Unit = tuple[int, int]
"""Two nodes by their places among the joint nodes, the earlier one in the text first."""


class AgreementFigures(Struct, frozen=True, kw_only=True):
    """How far two annotators agree, or several of them by twos.

    ``expressions`` is F over events and times, ``orders`` F over entailed orders of end points.
    ``equal`` is the share of equal labels of the pairs that both annotate directly, and ``kappa``
    what is left of it if chance is taken off. A figure that does not exist is None.
    """

    annotators: tuple[str, ...]
    nodes: tuple[int, int]
    matched: int
    expressions: float | None
    same_orders: int
    entailed: tuple[int, int]
    opposite_orders: int
    orders: float | None
    pairs: int
    equal_pairs: int
    equal: float | None
    kappa: float | None

    def __repr__(self) -> str:
        return represent(self, f"{' and '.join(self.annotators)}: {list_figures(self)}")


class Place(Struct, frozen=True, kw_only=True):
    """Something that annotators should talk about.

    ``kind`` is *contradiction* (what one says of a pair is impossible for another), *label* (they
    give different labels to a pair that do not exclude each other) or *expression* (not all have
    marked it). ``labels`` has what each annotator says of the pair, read from ``source``; of an
    expression, who has marked it. ``compatible`` tells whether the labels can hold together.
    ``sentences`` have the words in brackets.
    """

    kind: str
    source: Expression
    target: Expression | None = None
    labels: dict[str, str | None]
    compatible: bool | None = None
    sentences: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ends = str(self.source) if self.target is None else f"{self.source} and {self.target}"
        return represent(self, f"{self.kind}: {ends}")


class AgreementRecord(Struct, frozen=True, kw_only=True):
    """The agreement on one document: a line of the JSON."""

    schema: str = SCHEMA
    document: str
    annotators: tuple[str, ...]
    consistent: dict[str, bool]
    pairs: tuple[AgreementFigures, ...]
    together: AgreementFigures
    alpha: float | None
    places: tuple[Place, ...]

    def __repr__(self) -> str:
        return represent(self, f"{self.document}: {list_figures(self.together)}")


class DocumentAgreement:
    """How far annotators agree on one document."""

    def __init__(self, name: str, sides: Mapping[str, Side], *, match: str = "relaxed") -> None:
        self.name = name
        self.annotators = tuple(sides)
        self.sides = tuple(sides.values())
        self.joint = join_nodes([side.document for side in self.sides], match)
        self._said = [
            [
                statement
                for statement in list_statements(side.document, side.kinds)
                if statement.source != statement.target
            ]
            for side in self.sides
        ]
        self._match = match

    def __repr__(self) -> str:
        return represent(self, f"{self.name}: {list_figures(self.together)}")

    @cached_property
    def pairs(self) -> tuple[AgreementFigures, ...]:
        """The figures of each two annotators."""
        return tuple(tally.figure() for tally in self.tallies)

    @cached_property
    def together(self) -> AgreementFigures:
        """The figures of all annotators by twos: counts are added, kappa is their mean."""
        return add_figures(self.tallies, self.annotators)

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha over the pairs that two or more annotate."""
        return find_alpha(self.units)

    @cached_property
    def units(self) -> list[tuple[str, ...]]:
        """The labels of each pair of nodes that somebody annotates directly."""
        return [
            tuple(join_labels(said) for said in each if said)
            for each in self._find_units(self.joint, range(len(self.sides))).values()
        ]

    @cached_property
    def tallies(self) -> list[Tally]:
        """What is counted for each two annotators."""
        return [self._count(one, other) for one, other in combinations(range(len(self.sides)), 2)]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """What to talk about: contradictions, then labels, then expressions; each in text order."""
        found: dict[str, list[Place]] = {"contradiction": [], "label": [], "expression": []}
        excluded = self._find_excluded()
        units = self._find_units(self.joint, range(len(self.sides)))
        for unit in sorted({*units, *excluded}):
            said = units.get(unit, [[] for _ in self.sides])
            labels = [join_labels(own) if own else None for own in said]
            kind = "contradiction" if unit in excluded else "label"
            if unit in excluded or len({label for label in labels if label is not None}) > 1:
                compatible = is_compatible(statement for own in said for statement in own)
                found[kind].append(self._describe(kind, unit, labels, compatible=compatible))
        for place, joint in enumerate(self.joint.nodes):
            if None in joint:
                labels = [None if number is None else "marked" for number in joint]
                found["expression"].append(self._describe("expression", (place,), labels))
        return tuple(place for places in found.values() for place in places)

    def record(self) -> AgreementRecord:
        """Give the agreement as one struct: a line of the JSON.

        Returns
        -------
        AgreementRecord
            Figures and places.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> tlex.agree([document, document]).documents[0].record().together.orders
        1.0

        See Also
        --------
        Agreement.to_json : all documents as JSON.
        """
        return AgreementRecord(
            document=self.name,
            annotators=self.annotators,
            consistent={
                name: side.consistent
                for name, side in zip(self.annotators, self.sides, strict=True)
            },
            pairs=self.pairs,
            together=self.together,
            alpha=self.alpha,
            places=self.places,
        )

    def _count(self, one: int, other: int) -> Tally:
        sides = self.sides[one], self.sides[other]
        joint = self.joint
        if len(self.sides) > _TWO:  # the two alone, so that a third changes nothing
            joint = join_nodes([side.document for side in sides], self._match)
        matched = [ends for ends in joint.nodes if None not in ends]
        points = [
            PointSide(side.mended, [ends[place] or 0 for ends in matched])
            for place, side in enumerate(sides)
        ]
        orders = count_orders(points[0], points[1])
        labels = [
            (join_labels(said[0]), join_labels(said[1]))
            for said in self._find_units(joint, (one, other)).values()
            if all(said)
        ]
        return Tally(
            (self.annotators[one], self.annotators[other]),
            (len(sides[0].document.index), len(sides[1].document.index)),
            len(matched),
            (orders.same, orders.gold, orders.system, orders.opposite),
            labels,
        )

    def _find_units(
        self, joint: JointNodes, sides: Sequence[int]
    ) -> dict[Unit, list[list[Statement]]]:
        """What each of some annotators says of each pair, read from the earlier end."""
        found: dict[Unit, list[list[Statement]]] = {}
        for column, side in enumerate(sides):
            places = joint.places[column]
            for statement in self._said[side]:
                ends = places[statement.source], places[statement.target]
                said = found.setdefault((min(ends), max(ends)), [[] for _ in sides])
                said[column].append(statement if ends[0] < ends[1] else statement.turn())
        return found

    def _find_excluded(self) -> set[Unit]:
        """The pairs of which one annotator claims what another excludes."""
        found = set()
        for one, other in permutations(range(len(self.sides)), _TWO):
            asked = {}
            for number, claim in enumerate(self.sides[one].claims):
                unit = [self.joint.places[one][end] for end in (claim.first, claim.second)]
                ends = [self.joint.nodes[place][other] for place in unit]
                if ends[0] is not None and ends[1] is not None:
                    asked[number] = (min(unit), max(unit)), (ends[0], ends[1], claim.row)
            verdicts = self.sides[other].judge([question for _, question in asked.values()])
            for (unit_asked, _), verdict in zip(asked.values(), verdicts, strict=True):
                if verdict == "contradicted":
                    found.add(unit_asked)
        return found

    @cached_property
    def _expressions(self) -> list[list[Expression]]:
        """The nodes of all annotators as people know them."""
        return [express_all(side.document) for side in self.sides]

    def _describe(
        self,
        kind: str,
        unit: Sequence[int],
        labels: Sequence[str | None],
        *,
        compatible: bool | None = None,
    ) -> Place:
        joints: list[Joint] = [self.joint.nodes[place] for place in unit]
        whole = [s for s in range(len(self.sides)) if all(j[s] is not None for j in joints)]
        ends = []
        for joint in joints:
            side = whole[0] if whole else next(s for s, n in enumerate(joint) if n is not None)
            ends.append(self._expressions[side][joint[side] or 0])
        document = self.sides[whole[0] if whole else 0].document
        return Place(
            kind=kind,
            source=ends[0],
            target=ends[1] if len(ends) > 1 else None,
            labels=dict(zip(self.annotators, labels, strict=True)),
            compatible=compatible,
            sentences=tuple(quote(document, [end.id for end in ends])) if whole else (),
        )


class Tally(Struct, frozen=True, gc=False):
    """What is counted for two annotators, of one document or of many."""

    annotators: tuple[str, str]
    nodes: tuple[int, int]
    matched: int
    orders: tuple[int, int, int, int]
    """Entailed by both, by the first, by the second; opposite ones."""
    labels: list[tuple[str, str]]

    def __repr__(self) -> str:
        return represent(self, " and ".join(self.annotators))

    def __add__(self, other: Tally) -> Tally:
        orders = [ours + theirs for ours, theirs in zip(self.orders, other.orders, strict=True)]
        return Tally(
            self.annotators,
            (self.nodes[0] + other.nodes[0], self.nodes[1] + other.nodes[1]),
            self.matched + other.matched,
            (orders[0], orders[1], orders[2], orders[3]),
            self.labels + other.labels,
        )

    def figure(self) -> AgreementFigures:
        """Give the figures."""
        same, first, second, opposite = self.orders
        equal, _, kappa = find_kappa(
            [one for one, _ in self.labels], [other for _, other in self.labels]
        )
        return AgreementFigures(
            annotators=self.annotators,
            nodes=self.nodes,
            matched=self.matched,
            expressions=_find_f(self.matched, *self.nodes),
            same_orders=same,
            entailed=(first, second),
            opposite_orders=opposite,
            orders=_find_f(same, first, second),
            pairs=len(self.labels),
            equal_pairs=sum(one == other for one, other in self.labels),
            equal=equal,
            kappa=kappa,
        )


class Agreement:
    """How far several annotators agree, over all documents.

    ``documents`` are sorted by disagreement: the smallest F over entailed orders first.
    """

    def __init__(
        self,
        documents: Iterable[DocumentAgreement],
        *,
        annotators: Sequence[str],
        missing: Mapping[str, Sequence[str]] | None = None,
        errors: Mapping[str, str] | None = None,
    ) -> None:
        self.documents = tuple(sorted(documents, key=_find_urgency))
        self.annotators = tuple(annotators)
        self.missing = {name: tuple(lost) for name, lost in (missing or {}).items()}
        self.errors = dict(errors or {})

    def __repr__(self) -> str:
        return represent(self, f"{len(self.annotators)} annotators: {list_figures(self.together)}")

    @cached_property
    def pairs(self) -> tuple[AgreementFigures, ...]:
        """The figures of each two annotators, over all documents."""
        return tuple(tally.figure() for tally in self._tallies)

    @cached_property
    def together(self) -> AgreementFigures:
        """The figures of all annotators by twos: counts are added, kappa is their mean."""
        return add_figures(self._tallies, self.annotators)

    @cached_property
    def alpha(self) -> float | None:
        """Krippendorff's alpha over the pairs that two or more annotate, over all documents."""
        return find_alpha(unit for one in self.documents for unit in one.units)

    @cached_property
    def _tallies(self) -> list[Tally]:
        found: dict[tuple[str, str], Tally] = {
            pair: Tally(pair, (0, 0), 0, (0, 0, 0, 0), [])
            for pair in combinations(self.annotators, 2)
        }
        for one in self.documents:
            for tally in one.tallies:
                found[tally.annotators] += tally
        return list(found.values())

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
        >>> len(tlex.agree([document, document]).to_json().splitlines())
        2

        See Also
        --------
        tlex.agree : compare annotators.
        """
        total = {
            "annotators": self.annotators,
            "documents": len(self.documents),
            "pairs": self.pairs,
            "together": self.together,
            "alpha": self.alpha,
            "missing": self.missing,
            "errors": self.errors,
        }
        lines = [encode(one.record()) for one in self.documents]
        return b"\n".join((*lines, encode({"total": total}), b""))


def add_figures(tallies: Sequence[Tally], annotators: tuple[str, ...]) -> AgreementFigures:
    """Give the figures of several pairs of annotators: counts are added, kappa is the mean."""
    kappas = [kappa for tally in tallies if (kappa := tally.figure().kappa) is not None]
    whole = Tally(("", ""), (0, 0), 0, (0, 0, 0, 0), [])
    for tally in tallies:
        whole += tally
    found = whole.figure()
    return AgreementFigures(
        annotators=annotators,
        nodes=found.nodes,
        matched=found.matched,
        expressions=found.expressions,
        same_orders=found.same_orders,
        entailed=found.entailed,
        opposite_orders=found.opposite_orders,
        orders=found.orders,
        pairs=found.pairs,
        equal_pairs=found.equal_pairs,
        equal=found.equal,
        kappa=fsum(kappas) / len(kappas) if kappas else None,
    )


def list_figures(figures: AgreementFigures) -> str:
    """Give the figures in a few words."""
    shares = {
        "expressions": figures.expressions,
        "orders": figures.orders,
        "equal labels": figures.equal,
    }
    words = [f"{name} {_show(share)}" for name, share in shares.items()]
    kappa = "none" if figures.kappa is None else f"{figures.kappa:.3f}"
    return ", ".join((*words, f"kappa {kappa}"))


def _find_f(same: int, first: int, second: int) -> float | None:
    """Give F, the harmonic mean of two shares; None if both are shares of nothing."""
    return 2 * same / (first + second) if first + second else None


def _show(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f}"


def _find_urgency(one: DocumentAgreement) -> tuple[float, float, int, str]:
    orders, equal = one.together.orders, one.together.equal
    return (
        _LAST if orders is None else orders,
        _LAST if equal is None else equal,
        -len(one.places),
        one.name,
    )


_LAST = 2.0
