"""The figures that the paper prints: its Tables 2, 3 and 4 and the totals of its prose.

Ocal, Xie and Finlayson, *TLEX: An Efficient Method for Extracting Exact Timelines from TimeML
Temporal Graphs*. They are here and nowhere else; ``make paper`` puts ours beside them.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "FOUR",
    "PROSE",
    "TABLE_2",
    "TABLE_3",
    "TABLE_4",
    "InconsistentTexts",
    "Summary",
    "Timelines",
]


class Summary(NamedTuple):
    """A row of Table 2."""

    texts: int
    words: int
    events: int
    times: int
    links: int


class InconsistentTexts(NamedTuple):
    """A row of Table 3."""

    texts: int
    tlinks: int
    alinks: int


class Timelines(NamedTuple):
    """A row of Table 4: minimum, average and maximum of each."""

    length: tuple[float, float, float]
    branches: tuple[float, float, float]
    sections: tuple[float, float, float]


FOUR = ("TimeBank", "N2 Corpus", "ProppLearner", "MEANTIME")

# Table 2, "Summary of the corpora used in the experiments" (§2.2.3).
TABLE_2 = {
    "ProppLearner": Summary(15, 18_862, 3_438, 142, 2_778),
    "N2 Corpus": Summary(67, 28_462, 2_345, 349, 4_854),
    "MEANTIME": Summary(120, 13_981, 2_096, 525, 1_717),
    "TimeBank": Summary(183, 68_555, 7_935, 1_414, 9_615),
    "total": Summary(385, 129_860, 15_814, 2_430, 18_964),
}

# Table 3, "Details of the inconsistencies of the four corpora" (§4).
TABLE_3 = {
    "TimeBank": InconsistentTexts(183, 30, 65),
    "N2 Corpus": InconsistentTexts(67, 10, 11),
    "ProppLearner": InconsistentTexts(15, 9, 11),
    "MEANTIME": InconsistentTexts(120, 36, 36),
    "total": InconsistentTexts(385, 85, 123),
}

# Table 4, "Details of the timelines extracted from the four corpora" (§4).
TABLE_4 = {
    "TimeBank": Timelines((4, 8.1, 18), (1, 16.0, 142), (0, 5.3, 11)),
    "N2 Corpus": Timelines((6, 24.7, 72), (1, 19.3, 106), (0, 10.2, 21)),
    "ProppLearner": Timelines((128, 180.5, 290), (33, 82.7, 134), (0, 28.8, 63)),
    "MEANTIME": Timelines((4, 7.3, 13), (0, 2.0, 7), (0, 3.8, 7)),
    "total": Timelines((4, 17.5, 290), (0, 14.8, 142), (0, 6.6, 63)),
}

# The totals of the prose, over all four corpora, with the section that gives them.
PROSE = {
    "neighbours": (39_534, "§4.2"),
    "breaks": (1_241, "§4.3"),
    "several": (181, "§4.3"),
    "branch_points": (11_474, "§4.4"),
    "branches": (5_701, "§4.5"),
    "sections": (2_541, "§4.6"),
    "pairs": (11_688, "§4.6"),
}
