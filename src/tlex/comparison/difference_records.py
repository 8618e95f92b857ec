"""What a comparison of two annotations hands out: frozen structs that become JSON as they are."""

from __future__ import annotations

from msgspec import Struct

from tlex.records import SCHEMA, Expression
from tlex.wording import represent

__all__ = ["Consequence", "DifferenceRecord", "EntityDifference", "PairDifference", "Said"]


class Said(Struct, frozen=True, kw_only=True):
    """What a side says of a pair: its own ids, labels and links.

    ``labels`` are read from ``source``. ``verdict`` is what the other side makes of it: *entailed*,
    *contradicted*, *open*, *unmatched*, or *undecided*; None of what claims nothing.
    """

    source: str
    target: str
    labels: tuple[str, ...]
    links: tuple[str, ...]
    lines: tuple[int, ...] = ()
    verdict: str | None = None

    def __repr__(self) -> str:
        return represent(self, f"{self.source} {' + '.join(self.labels)} {self.target}")


class PairDifference(Struct, frozen=True, kw_only=True):
    """How two sides differ on a pair of nodes.

    ``status`` is *same* (in other words: another direction, or another name of the label), *other
    label*, *only first* or *only second*. ``compatible`` tells whether two labels can hold
    together. ``kind`` is ``order`` for links that order time, else the kind of the links.
    """

    kind: str
    source: Expression
    target: Expression
    status: str
    compatible: bool | None = None
    first: Said | None = None
    second: Said | None = None

    def __repr__(self) -> str:
        return represent(self, f"{self.status}: {self.source} and {self.target}")


class EntityDifference(Struct, frozen=True, kw_only=True):
    """How two sides differ on an event or time.

    ``status`` is *other* (``changes`` has what is different: the words, or attributes, with both
    values), *only first* or *only second*.
    """

    kind: str
    status: str
    first: Expression | None = None
    second: Expression | None = None
    changes: dict[str, tuple[str | None, str | None]] = {}

    def __repr__(self) -> str:
        return represent(self, f"{self.status}: {self.kind} {self.first or self.second}")


class Consequence(Struct, frozen=True, kw_only=True):
    """A pair of which the two sides entail different things.

    ``first`` and ``second`` are the relations that are possible, by TimeML's type or Allen's name;
    all thirteen of them are given as an empty list: nothing is known.
    """

    source: Expression
    target: Expression
    first: tuple[str, ...]
    second: tuple[str, ...]

    def __repr__(self) -> str:
        known = [" or ".join(own) or "unknown" for own in (self.first, self.second)]
        return represent(self, f"{self.source} and {self.target}: {known[0]} -> {known[1]}")


class DifferenceRecord(Struct, frozen=True, kw_only=True):
    """How two annotations of one document differ: a line of the JSON.

    ``same`` if there is no difference. ``equivalent`` if all that each side claims follows on the
    other. ``counts`` has the number of pairs by status. ``orders`` are those of end points that
    follow on both sides, on the first, on the second, and opposite ones. ``follows`` lists the
    pairs of which different things follow, if asked for.
    """

    schema: str = SCHEMA
    document: str
    first: str | None
    second: str | None
    same: bool
    equivalent: bool
    consistent: tuple[bool, bool]
    counts: dict[str, int]
    entities: tuple[EntityDifference, ...]
    pairs: tuple[PairDifference, ...]
    orders: tuple[int, int, int, int]
    follows: tuple[Consequence, ...] | None = None

    def __repr__(self) -> str:
        return represent(self, f"{self.document}: {'same' if self.same else 'different'}")
