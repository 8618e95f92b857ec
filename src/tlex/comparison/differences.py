"""What one annotation has and the other has not, by meaning.

Pairs of nodes have the same claim on both sides, another label, or a label on one side only. Of
what only one side says, the other may still say it by other links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice

from msgspec.json import encode

from tlex.caching import cached_property
from tlex.comparison.claims import Claim
from tlex.comparison.difference_records import (
    Consequence,
    DifferenceRecord,
    EntityDifference,
    PairDifference,
    Said,
)
from tlex.comparison.joint import join_nodes
from tlex.comparison.measures import PointSide, count_orders
from tlex.comparison.sides import Side
from tlex.comparison.statements import Statement, is_compatible, list_statements
from tlex.errors import OptionError
from tlex.lookup import express_all
from tlex.nouns import Instance, Node, Timex
from tlex.reason.relations import list_possible
from tlex.records import Expression
from tlex.wording import count, represent

__all__ = ["Difference", "DocumentDifference"]

_PAIRS = 1_000_000
"""How many pairs are looked at for what follows."""

_BATCH = 50_000
"""How many of them at once."""

_REFERENCES = frozenset(
    {
        "id",
        "comment",
        "eid",
        "eiid",
        "tid",
        "eventID",
        "signalID",
        "anchorTimeID",
        "beginPoint",
        "endPoint",
    }
)
"""Attributes that are not compared: ids differ from annotation to annotation."""

_GRAVE_FIRST = ("contradicted", "unmatched", "undecided", "open", "entailed")
_ALL = 13


class DocumentDifference:
    """How two annotations of one text differ.

    A side that is None has no such document: everything is only on the other.
    """

    def __init__(
        self,
        name: str,
        first: Side,
        second: Side,
        *,
        match: str = "relaxed",
        names: tuple[str | None, str | None] | None = None,
    ) -> None:
        self.name = name
        self.sides = first, second
        self.names = names or (first.document.name, second.document.name)
        self._joint = join_nodes([first.document, second.document], match)

    def __repr__(self) -> str:
        pairs = sum(one.status != "same" for one in self.pairs)
        entities = len(self.entities)
        words = f"{count(pairs, 'pair')} and {count(entities, 'expression')} different"
        return represent(self, f"{self.name}: {words}")

    @property
    def same(self) -> bool:
        """Whether there is no difference."""
        return not self.entities and all(pair.status == "same" for pair in self.pairs)

    @cached_property
    def equivalent(self) -> bool:
        """Whether all that each side claims follows on the other."""
        return all(verdict == "entailed" for own in self._verdicts for verdict in own.values())

    @cached_property
    def pairs(self) -> tuple[PairDifference, ...]:
        """The pairs that differ, and those that say the same in other words, in text order."""
        return tuple(pair for pair in self._pairs if pair is not None)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many pairs there are of each status."""
        found = dict.fromkeys(("same", "other label", "only first", "only second"), 0)
        for pair in self._pairs:
            found["same" if pair is None else pair.status] += 1
        return found

    @cached_property
    def entities(self) -> tuple[EntityDifference, ...]:
        """The events and times that differ, in text order."""
        return tuple(self._compare_entities())

    @cached_property
    def orders(self) -> tuple[int, int, int, int]:
        """Orders of end points that follow on both sides, on the first, on the second; opposite."""
        matched = [joint for joint in self._joint.nodes if None not in joint]
        points = [
            PointSide(side.mended, [joint[place] or 0 for joint in matched])
            for place, side in enumerate(self.sides)
        ]
        found = count_orders(points[0], points[1])
        return found.same, found.gold, found.system, found.opposite

    def list_consequences(self) -> Iterator[Consequence]:
        """List the pairs of matched nodes of which the sides entail different things.

        Yields
        ------
        Consequence
            What is possible on each side. As everywhere, a side entails what it believes.

        Raises
        ------
        OptionError
            If there are more than a million pairs to look at.

        Examples
        --------
        >>> import tlex
        >>> one = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c")])
        >>> two = tlex.from_links([("a", "BEFORE", "c"), ("b", "BEFORE", "c")])
        >>> found = tlex.diff(one, two).documents[0].list_consequences()
        >>> [(pair.source.id, pair.target.id, pair.first, pair.second) for pair in found]
        [('a', 'b', ('BEFORE',), ())]

        See Also
        --------
        orders : how many orders there are.
        """
        matched = [joint for joint in self._joint.nodes if None not in joint]
        if len(matched) * (len(matched) - 1) // 2 > _PAIRS:
            raise OptionError(f"{self.name}: there are more than {_PAIRS:,} pairs to look at")
        places = combinations(range(len(matched)), 2)
        while some := list(islice(places, _BATCH)):
            orders = [
                side.find_orders([(matched[i][n] or 0, matched[j][n] or 0) for i, j in some])
                for n, side in enumerate(self.sides)
            ]
            for (i, j), first, second in zip(some, *orders, strict=True):
                if first != second:
                    yield Consequence(
                        source=self._express(matched[i]),
                        target=self._express(matched[j]),
                        first=_list_names(first),
                        second=_list_names(second),
                    )

    def record(self, *, follows: bool = False) -> DifferenceRecord:
        """Give the differences as one struct: a line of the JSON.

        Parameters
        ----------
        follows : bool
            List what follows on one side and not on the other.

        Returns
        -------
        DifferenceRecord
            What differs.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> tlex.diff(document, document).documents[0].record().counts["same"]
        34

        See Also
        --------
        Difference.to_json : all documents as JSON.
        """
        return DifferenceRecord(
            document=self.name,
            first=self.names[0],
            second=self.names[1],
            same=self.same,
            equivalent=self.equivalent,
            consistent=(self.sides[0].consistent, self.sides[1].consistent),
            counts=self.counts,
            entities=self.entities,
            pairs=self.pairs,
            orders=self.orders,
            follows=tuple(self.list_consequences()) if follows else None,
        )

    @cached_property
    def _verdicts(self) -> tuple[dict[int, str], dict[int, str]]:
        """What the other side makes of each link that claims something, by the link's number."""
        found: list[dict[int, str]] = []
        for number, side in enumerate(self.sides):
            asked, verdicts = [], {}
            for claim in side.claims:
                joints = [
                    self._joint.nodes[self._joint.places[number][end]] for end in _ends(claim)
                ]
                one, other = (joint[1 - number] for joint in joints)
                if one is None or other is None:
                    verdicts.update(dict.fromkeys(claim.links, "unmatched"))
                else:
                    asked.append((claim.links, (one, other, claim.row)))
            answers = self.sides[1 - number].judge([question for _, question in asked])
            for (links, _), answer in zip(asked, answers, strict=True):
                verdicts.update(dict.fromkeys(links, answer))
            found.append(verdicts)
        return found[0], found[1]

    @cached_property
    def _pairs(self) -> list[PairDifference | None]:
        """How the sides differ on each pair; None if they say the same in the same words."""
        kinds = dict.fromkeys(link.kind for side in self.sides for link in side.document.links)
        kinds.pop("CALENDAR", None)
        ordering = [kind for kind in kinds if kind in self.sides[0].kinds]
        groups = [("order", ordering)] if ordering else []
        groups += [(kind, [kind]) for kind in sorted(kinds) if kind not in ordering]
        found = []
        for name, own in groups:
            said = self._group(own, turn=name == "order")
            found += [self._compare(name, pair, said[pair]) for pair in sorted(said)]
        return found

    def _group(
        self, kinds: Sequence[str], *, turn: bool
    ) -> dict[tuple[int, int], tuple[list[Statement], list[Statement]]]:
        """What both sides say of each pair of joint nodes; with ``turn``, from the earlier end."""
        found: dict[tuple[int, int], tuple[list[Statement], list[Statement]]] = {}
        for number, side in enumerate(self.sides):
            places = self._joint.places[number]
            for statement in list_statements(side.document, kinds):
                pair = places[statement.source], places[statement.target]
                said = statement
                if turn and pair[1] < pair[0]:
                    pair, said = pair[::-1], statement.turn()
                found.setdefault(pair, ([], []))[number].append(said)
        return found

    def _compare(
        self, kind: str, pair: tuple[int, int], said: tuple[list[Statement], list[Statement]]
    ) -> PairDifference | None:
        meanings = [{(one.row, "" if one.row else one.label) for one in own} for own in said]
        if meanings[0] == meanings[1]:
            if self._list_literally(said[0], 0, pair) == self._list_literally(said[1], 1, pair):
                return None
            status = "same"
        elif all(meanings):
            status = "other label"
        else:
            status = "only first" if said[0] else "only second"
        joints = [self._joint.nodes[place] for place in pair]
        return PairDifference(
            kind=kind,
            source=self._express(joints[0]),
            target=self._express(joints[1]),
            status=status,
            compatible=is_compatible([*said[0], *said[1]]) if status == "other label" else None,
            first=self._describe(0, said[0]),
            second=self._describe(1, said[1]),
        )

    def _list_literally(
        self, said: Sequence[Statement], number: int, pair: tuple[int, int]
    ) -> list[tuple[str, bool]]:
        """What links say in their own words: type and direction."""
        document = self.sides[number].document
        first = self._joint.nodes[pair[0]][number]
        found = set()
        for one in said:
            link = document.links[one.link]
            found.add((link.type or "", document.index.get(link.source or "") == first))
        return sorted(found)

    def _describe(self, number: int, said: Sequence[Statement]) -> Said | None:
        if not said:
            return None
        document = self.sides[number].document
        links = [document.links[one.link] for one in said]
        lines = (document.position(link.byte_start)[0] for link in links)
        verdicts = {
            self._verdicts[number][one.link] for one in said if one.link in self._verdicts[number]
        }
        return Said(
            source=document.nodes[said[0].source].id,
            target=document.nodes[said[0].target].id,
            labels=tuple(dict.fromkeys(one.label for one in said)),
            links=tuple(link.id for link in links),
            lines=tuple(line for line in lines if line is not None),
            verdict=next((name for name in _GRAVE_FIRST if name in verdicts), None),
        )

    def _express(self, joint: Sequence[int | None]) -> Expression:
        """A node as people know it, from the first side that has it."""
        number, place = next((n, p) for n, p in enumerate(joint) if p is not None)
        return self._expressions[number][place]

    @cached_property
    def _expressions(self) -> tuple[list[Expression], list[Expression]]:
        """The nodes of both sides as people know them."""
        return express_all(self.sides[0].document), express_all(self.sides[1].document)

    def _compare_entities(self) -> Iterator[EntityDifference]:
        events = [{event.id: event for event in side.document.events} for side in self.sides]
        for joint in self._joint.nodes:
            shown: list[Expression | None] = []
            nodes: list[Node] = []
            about: list[dict[str, str]] = []
            for side, number, own, expressions in zip(
                self.sides, joint, events, self._expressions, strict=True
            ):
                shown.append(None if number is None else expressions[number])
                if number is not None:
                    node = side.document.nodes[number]
                    nodes.append(node)
                    event = own.get(node.event or "") if isinstance(node, Instance) else None
                    about.append({**(event.attributes if event else {}), **node.attributes})
            kind = "time" if isinstance(nodes[0], Timex) else "event"
            first, second = shown
            if first is None or second is None:
                status = "only second" if first is None else "only first"
                yield EntityDifference(kind=kind, status=status, first=first, second=second)
                continue
            changes: dict[str, tuple[str | None, str | None]] = {}
            if first.text != second.text:
                changes["words"] = (first.text, second.text)
            for name in sorted({*about[0], *about[1]} - _REFERENCES):
                values = about[0].get(name), about[1].get(name)
                whole = self._is_one_format or None not in values
                if whole and values[0] != values[1]:
                    changes[name] = values
            if changes:
                yield EntityDifference(
                    kind=kind, status="other", first=first, second=second, changes=changes
                )

    @cached_property
    def _is_one_format(self) -> bool:
        """Whether both files have one format; else an attribute that only one has says nothing."""
        return self.sides[0].document.format == self.sides[1].document.format


class Difference:
    """How two annotations differ, over all documents."""

    def __init__(
        self,
        documents: Iterable[DocumentDifference],
        *,
        only_first: Sequence[str] = (),
        only_second: Sequence[str] = (),
    ) -> None:
        self.documents = tuple(documents)
        self.only_first = tuple(only_first)
        self.only_second = tuple(only_second)

    def __repr__(self) -> str:
        many = sum(not one.same for one in self.documents)
        return represent(self, f"{many:,} of {count(len(self.documents), 'document')} different")

    @property
    def same(self) -> bool:
        """Whether there is no difference, and no document that only one side has."""
        alone = self.only_first or self.only_second
        return not alone and all(one.same for one in self.documents)

    def to_json(self, *, follows: bool = False) -> bytes:
        """Give JSON: a line per document, and one with the total.

        Parameters
        ----------
        follows : bool
            List what follows on one side and not on the other.

        Returns
        -------
        bytes
            The lines.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> len(tlex.diff(document, document).to_json().splitlines())
        2

        See Also
        --------
        DocumentDifference.record : one document.
        """
        counts = dict.fromkeys(("same", "other label", "only first", "only second"), 0)
        for one in self.documents:
            for status, number in one.counts.items():
                counts[status] += number
        total = {
            "documents": len(self.documents),
            "different": sum(not one.same for one in self.documents),
            "counts": counts,
            "only_first": self.only_first,
            "only_second": self.only_second,
        }
        lines = [encode(one.record(follows=follows)) for one in self.documents]
        return b"\n".join((*lines, encode({"total": total}), b""))


def _ends(claim: Claim) -> tuple[int, int]:
    return claim.first, claim.second


@cache
def _list_names(orders: str) -> tuple[str, ...]:
    """Name the relations that known orders of end points leave; nothing if they leave all."""
    possible = list_possible(orders, (False, False))
    if len(possible) == _ALL:
        return ()
    return tuple(basic.type or basic.name for basic in possible)
