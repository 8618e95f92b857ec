"""The figures of a run, for each corpus and for all together, as plain data.

They are those of the paper's Tables 2 to 4, and more. All formats of the report are made from
them, and ``--json`` prints them as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from tlex.wording import count, represent

__all__ = ["BASES", "CorpusFigures", "Extent", "Figures", "Pattern", "Repairs", "Spread", "Torn"]

SCHEMA = "tlex-report/1"

BASES = {
    "consistent": "consistent only",
    "annotated": "as annotated",
    "repaired": "repaired",
}
"""Which timelines are counted: of consistent texts, of all as annotated, of all after repair."""


class Spread(Struct):
    """Minimum, average and maximum of some numbers, and how many there are.

    ``counts`` says how often each occurs, rounded down to a whole number.
    """

    count: int = 0
    least: float | None = None
    mean: float | None = None
    most: float | None = None
    total: float = 0
    counts: dict[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return represent(self, f"of {self.count:,}: {self.least} to {self.most}, mean {self.mean}")

    def add(self, number: float | None) -> None:
        """Add a number; None is not counted."""
        if number is None:
            return
        self.count += 1
        self.total += number
        self.mean = self.total / self.count
        self.least = number if self.least is None else min(self.least, number)
        self.most = number if self.most is None else max(self.most, number)
        self.counts[int(number)] = self.counts.get(int(number), 0) + 1


def _spread() -> Spread:
    return Spread()


class Extent(Struct):
    """The timelines of some texts; each spread is taken over the texts.

    ``longest_main`` and ``longest`` leave out texts whose timelines of that kind are all
    inconsistent. ``several`` counts the texts with several main timelines.
    """

    texts: int = 0
    timelines: int = 0
    inconsistent_timelines: int = 0
    main_timelines: int = 0
    several: int = 0
    breaks: int = 0
    placed_points: int = 0
    section_points: int = 0
    slack: int = 0
    branch_points: int = 0
    neighbours: int = 0
    indeterminate_pairs: int = 0
    longest_main: Spread = field(default_factory=_spread)
    longest: Spread = field(default_factory=_spread)
    main_length: Spread = field(default_factory=_spread)
    slinks: Spread = field(default_factory=_spread)
    connections: Spread = field(default_factory=_spread)
    branches: Spread = field(default_factory=_spread)
    sections: Spread = field(default_factory=_spread)
    tied_steps: Spread = field(default_factory=_spread)

    def __repr__(self) -> str:
        return represent(self, f"of {count(self.texts, 'text')}")


class Repairs(Struct):
    """Minimum repairs of the inconsistent texts; ``removed`` is taken over the repaired texts."""

    texts: int = 0
    proven: int = 0
    unrepaired: int = 0
    removed: Spread = field(default_factory=_spread)

    def __repr__(self) -> str:
        return represent(self, f"of {count(self.texts, 'text')}")


class ScenarioFigures(Struct):
    """How many orderings texts admit, as powers of ten; ``bounds`` of them are lower bounds."""

    texts: int = 0
    settled: int = 0
    bounds: int = 0
    uncounted: int = 0
    powers: Spread = field(default_factory=_spread)
    greatest_is_bound: bool = False

    def __repr__(self) -> str:
        return represent(self, f"of {count(self.texts, 'text')}")


class Pattern(Struct, frozen=True):
    """Relation types that contradict each other, and how often."""

    pattern: str
    conflicts: int
    texts: int


class Torn(Struct, frozen=True):
    """A text with several main timelines."""

    document: str
    main_timelines: int
    breaks: int


class CorpusFigures(Struct):
    """The figures of one corpus, or of all; ``torn`` are the texts with the most breaks."""

    name: str
    documents: int = 0
    texts: int = 0
    failed: int = 0
    causes: dict[str, int] = field(default_factory=dict)
    words: int = 0
    tokens: int = 0
    events: int = 0
    instances: int = 0
    times: int = 0
    links: int = 0
    tlinks: int = 0
    alinks: int = 0
    slinks: int = 0
    inconsistent_tlinks: int = 0
    inconsistent: int = 0
    extents: dict[str, Extent] = field(default_factory=lambda: {name: Extent() for name in BASES})
    main_each: Spread = field(default_factory=_spread)
    repairs: Repairs = field(default_factory=Repairs)
    scenarios: ScenarioFigures = field(default_factory=ScenarioFigures)
    factuality: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    patterns: list[Pattern] = field(default_factory=list)
    break_words: Spread = field(default_factory=_spread)
    torn: list[Torn] = field(default_factory=list)

    def __repr__(self) -> str:
        return represent(self, f"{self.name!r}, {count(self.documents, 'document')}")


class Figures(Struct, kw_only=True):
    """The figures of a run: its options, each corpus, and the total of several."""

    schema: str
    tlex: str
    links: tuple[str, ...]
    times: str
    calendar: bool = False
    mend: bool = False
    corpora: list[CorpusFigures]
    total: CorpusFigures

    def __repr__(self) -> str:
        corpora = count(len(self.corpora), "corpus", "corpora")
        return represent(self, f"{corpora}, {count(self.total.documents, 'document')}")

    @property
    def ordering(self) -> str:
        """What orders events and times, in words: ``TLINKs and ALINKs``."""
        kinds = [f"{kind}s" for kind in self.links]
        if self.calendar:
            kinds.append("the calendar")
        *others, last = kinds
        return f"{', '.join(others)} and {last}" if others else last

    def rows(self) -> Iterator[CorpusFigures]:
        """Each corpus, and the total where there are several."""
        yield from self.corpora
        if len(self.corpora) != 1:
            yield self.total
