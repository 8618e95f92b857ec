"""TimeBank 1.2: the figures that must come out, and totals that a change must explain."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import brute
import pytest

import tlex
from tlex.nouns import Code

pytestmark = pytest.mark.corpus

# What extraction gives over all 183 documents. No figure of the paper, but a change to any of
# them is a change to somebody's timelines: say in the changelog which documents moved, and why.
TOTALS = {
    ("TLINK", "interval"): {
        "inconsistent documents": 30,
        "timelines": 3_186,
        "inconsistent timelines": 35,
        "steps": 10_512,
        "longest": 18,
        "compounds": 2_397,
        "tied steps": 1_613,
        "sections": 619,
        "indeterminate pairs": 85_618,
        "settled timelines": 2_600,
        "conflicts": {"i": 11, "ii": 11, "iii": 22},
        "connections": 2_414,
        "main timelines": 1_016,
        "breaks": 833,
    },
    ("TLINK ALINK", "interval"): {
        "inconsistent documents": 65,
        "timelines": 3_059,
        "inconsistent timelines": 92,
        "steps": 9_886,
        "longest": 18,
        "compounds": 2_126,
        "tied steps": 1_447,
        "sections": 574,
        "indeterminate pairs": 59_648,
        "settled timelines": 2_454,
        "conflicts": {"i": 45, "ii": 33, "iii": 32},
        "connections": 2_371,
        "main timelines": 952,
        "breaks": 769,
    },
    ("TLINK", "point"): {
        "inconsistent documents": 54,
        "timelines": 3_186,
        "inconsistent timelines": 74,
        "steps": 10_208,
        "longest": 16,
        "compounds": 2_253,
        "tied steps": 1_460,
        "sections": 578,
        "indeterminate pairs": 70_036,
        "settled timelines": 2_595,
        "conflicts": {"i": 38, "ii": 16, "iii": 72},
        "connections": 2_414,
        "main timelines": 1_016,
        "breaks": 833,
    },
    ("TLINK ALINK", "point"): {
        "inconsistent documents": 84,
        "timelines": 3_059,
        "inconsistent timelines": 126,
        "steps": 9_620,
        "longest": 16,
        "compounds": 2_023,
        "tied steps": 1_318,
        "sections": 540,
        "indeterminate pairs": 53_688,
        "settled timelines": 2_450,
        "conflicts": {"i": 72, "ii": 38, "iii": 82},
        "connections": 2_371,
        "main timelines": 952,
        "breaks": 769,
    },
}
FACTUALITY = {
    "factual": 5_006,
    "possible": 1_830,
    "reported": 1_703,
    "unasserted": 450,
    "negated": 213,
    "conditional": 89,
    "counterfactual": 63,
}


def read_list(corpora: Path, name: str) -> list[str]:
    return (corpora / name).read_text().split()


def find_inconsistent(timebank: dict[str, tlex.Document], **options: object) -> list[str]:
    return [
        name
        for name, document in timebank.items()
        if not tlex.extract(document, **options).consistent
    ]


def count(results: list[tlex.Extraction]) -> dict[str, object]:
    timelines = [timeline for result in results for timeline in result.timelines]
    consistent = [timeline for timeline in timelines if timeline.consistent]
    return {
        "inconsistent documents": sum(not result.consistent for result in results),
        "timelines": len(timelines),
        "inconsistent timelines": len(timelines) - len(consistent),
        "steps": sum(timeline.length for timeline in consistent),
        "longest": max(timeline.length for timeline in consistent),
        "compounds": sum(len(timeline.compounds) for timeline in consistent),
        "tied steps": sum(len(timeline.tied_steps) for timeline in consistent),
        "sections": sum(len(timeline.sections) for timeline in consistent),
        "indeterminate pairs": sum(timeline.indeterminate_pairs for timeline in consistent),
        "settled timelines": sum(timeline.scenarios.count == 1 for timeline in consistent),
        "conflicts": dict(
            sorted(Counter(c.kind for result in results for c in result.conflicts).items())
        ),
        "connections": sum(len(result.connections) for result in results),
        "main timelines": sum(len(result.trunk) for result in results),
        "breaks": sum(len(result.breaks) for result in results),
    }


def test_timebank_has_as_many_of_everything_as_the_paper_counts(timebank):
    kinds = Counter(link.kind for document in timebank.values() for link in document.links)

    assert len(timebank) == 183
    assert sum(len(document.instances) for document in timebank.values()) == 7_940
    assert sum(len(document.timexes) for document in timebank.values()) == 1_414
    assert kinds == {"TLINK": 6_418, "SLINK": 2_932, "ALINK": 265}
    assert kinds.total() == 9_615


def test_there_are_1_to_142_subordinating_links_in_a_text_and_16_on_average(timebank):
    counts = [
        sum(link.kind == "SLINK" for link in document.links) for document in timebank.values()
    ]

    assert (min(counts), round(sum(counts) / len(counts), 1), max(counts)) == (1, 16.0, 142)


def test_30_texts_are_inconsistent_with_tlinks_only_and_they_are_those_of_the_list(
    timebank, corpora
):
    found = find_inconsistent(timebank, links=["TLINK"])

    assert len(found) == 30
    assert found == sorted(read_list(corpora, "timebank-1.2.inconsistent-tlink.txt"))


def test_65_texts_are_inconsistent_with_alinks_too_and_they_are_those_of_the_list(
    timebank, corpora
):
    found = find_inconsistent(timebank)

    assert len(found) == 65
    assert found == sorted(read_list(corpora, "timebank-1.2.inconsistent-tlink-alink.txt"))


@pytest.mark.parametrize(("links", "expected"), [(["TLINK"], 54), (["TLINK", "ALINK"], 84)])
def test_with_times_as_points_54_and_84_texts_are_inconsistent(timebank, links, expected):
    assert len(find_inconsistent(timebank, links=links, times="point")) == expected


def test_25_tlinks_are_self_loops_and_15_of_them_contradict_themselves(timebank):
    loops = [
        link.type
        for document in timebank.values()
        for link in document.links
        if link.kind == "TLINK" and link.source == link.target
    ]
    contradictory = [
        label
        for label in loops
        if not tlex.extract(tlex.from_links([("e1", label, "e1")])).consistent
    ]

    assert len(loops) == 25
    assert len(contradictory) == 15


def test_three_instances_are_of_a_missing_event_and_nothing_else_is_wrong(timebank):
    found = [
        (name, diagnostic.code)
        for name, document in timebank.items()
        for diagnostic in document.diagnostics
    ]

    assert found == [("APW19980213.1380.tml", Code.INSTANCE_WITHOUT_EVENT)] * 3


def test_a_type_belongs_to_its_kind_in_every_link(timebank):
    known = {"TLINK": brute.TLINKS, "ALINK": brute.ALINKS, "SLINK": brute.SLINKS}

    for document in timebank.values():
        assert all(link.type in known[link.kind] for link in document.links)


@pytest.mark.parametrize(("links", "times"), TOTALS)
def test_the_totals_are_what_they_were(timebank, links, times):
    results = [
        tlex.extract(document, links=links.split(), times=times) for document in timebank.values()
    ]

    assert count(results) == TOTALS[links, times]


def test_factuality_is_what_it_was(timebank):
    judged = Counter(node.factuality for d in timebank.values() for node in tlex.extract(d).nodes)

    assert judged == FACTUALITY


def test_every_text_has_a_main_timeline_and_every_branch_hangs_on_one(timebank):
    for document in timebank.values():
        result = tlex.extract(document)

        reached = {timeline.id for timeline in result.trunk}
        for _ in result.timelines:
            reached |= {
                c.target_timeline for c in result.connections if c.source_timeline in reached
            }
        assert reached == {timeline.id for timeline in result.timelines}
        assert not any(timeline.detached for timeline in result.timelines)


def test_some_texts_would_have_no_main_timeline_by_the_papers_rule_alone(timebank):
    without = []
    for name, document in timebank.items():
        result = tlex.extract(document)
        entered = {connection.target_timeline for connection in result.connections}
        if len(entered) == len(result.timelines):
            without.append(name)

    assert without
    assert all(tlex.extract(timebank[name]).trunk for name in without)


@pytest.mark.parametrize("times", ["interval", "point"])
def test_every_timeline_follows_from_the_closure_of_its_constraints(timebank, times):
    for name, document in timebank.items():
        result = tlex.extract(document, times=times)
        links = [
            (document.index[link.source], link.type, document.index[link.target])
            for link in document.links
            if link.kind != "SLINK"
        ]
        instants = {
            document.index[timex.id]
            for timex in document.timexes
            if times == "point" and timex.type == "TIME"
        }
        by_part: dict[int, list[brute.Link]] = {}
        for link in links:
            part = result.timeline_of(document.nodes[link[0]].id).id
            by_part.setdefault(part, []).append(link)
        for timeline in result.timelines:
            members = [document.index[name] for name in timeline.intervals]
            own = brute.restrict(by_part.get(timeline.id, []), members)
            points = [place for place, member in enumerate(members) if member in instants]

            judged = brute.close(len(members), own, points)

            assert timeline.consistent == (judged is not None), name
            if judged is not None:
                assert brute.claims_of(timeline) == judged, name
