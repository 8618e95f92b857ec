"""A record is made from numbers, and says what the live timeline says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from strategies import Forest, document_of, forests, placed_graphs, tangled_graphs

import tlex
from tlex.records import TimelineRecord

FIELDS = [name for name in TimelineRecord.__struct_fields__ if name != "pairs"]

GRAPHS = tangled_graphs() | placed_graphs()


@given(
    forest=forests() | GRAPHS.map(lambda graph: Forest(graph, [])),
    times=st.sampled_from(["interval", "point"]),
    mend=st.booleans(),
    pairs=st.booleans(),
)
def test_a_record_says_what_the_timeline_says(forest, times, mend, pairs):
    result = tlex.extract(document_of(*forest), times=times, mend=mend)

    records = result.record(pairs=pairs).timelines

    assert len(records) == len(result.timelines)
    for record, timeline in zip(records, result.timelines, strict=True):
        assert record == timeline.record(pairs=pairs)
        for field in FIELDS:
            assert getattr(record, field) == getattr(timeline, field)
        known = tuple(timeline.pairs()) if timeline.consistent else ()
        assert record.pairs == (known if pairs else UNSET)


def test_pairs_are_counted_up_to_a_limit_unless_they_are_listed(monkeypatch):
    links = [("a", "INCLUDES", end) for end in ("b", "c")]
    result = tlex.extract(tlex.from_links(links))
    monkeypatch.setattr("tlex.timeline.PAIRS_LIMIT", 5)

    assert result.record().timelines[0].indeterminate_pairs is None
    assert result.record(pairs=True).timelines[0].indeterminate_pairs == 4
