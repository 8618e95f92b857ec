"""The calendar: what the values of a document's times say about their order."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import pytest
from calendar_documents import MOMENT, TIMES, judge, lists_of_times, write
from calendar_judge import span_of
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.algebra import CALENDAR, compile_row
from tlex.calendar import KIND, add_calendar, find_values
from tlex.timex import Bounds, find_bounds, find_moment, loosen

ROOT = Path(__file__).parents[1]
ALLEN = {
    "<<<<": "before", "<<=<": "meets", "<<><": "overlaps", "=<><": "starts", "><><": "during",
    "><>=": "finishes", "=<>=": "equal", "<<>=": "finished-by", "<<>>": "includes",
    "=<>>": "started-by", "><>>": "overlapped-by", ">=>>": "met-by", ">>>>": "after",
}  # fmt: skip


def order(one: str, other: str, *, links=(), **options) -> str:
    """The relation of two values that follows, or the orders of ends that are certain."""
    pair = [value if isinstance(value, tuple) else (value, {}) for value in (one, other)]
    result = tlex.extract(write(pair, links), calendar=True, **options)
    relation = result.relation("t1", "t2")
    if relation.entailed:
        return relation.entailed.name
    return " ".join(
        f"{o.left[2]}{o.orders[0]}{o.right[2]}" for o in relation.orders if len(o.orders) == 1
    )


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("2009", "2013-03-22", "before"),
        ("2013-03-22", "2009", "after"),
        ("1998-03-12", "1998-03-13", "before"),
        ("1998-03-12", "1998-W12", "before"),
        ("1998-03-12", "1998-03-12", "equal"),
        ("1998-03-16", "1998-W12", "starts"),
        ("1998-03-17", "1998-W12", "during"),
        ("1998-W12-7", "1998-W12", "finishes"),
        ("199", "1998", "includes"),
        ("1998-W14", "1998-03", "overlapped-by"),
        ("1998-03-12T24:00", "1998-03-13T00:00", "equal"),
        ("1998-03-12T09:30", "1998-03-12", "during"),
        ("1998-03-12T09:30Z", "1998-03-12T10:30+01:00", "equal"),
        ("1998-03-12T09:30Z", "1998-03-12T10:30Z", "before"),
        ("1998-03-12T09:30Z", "1998-03-12", "-<+ +<+"),
        ("1998-03-12T09:30Z", "1998-03-12T10:30", ""),
        ("1998-03-12T09:30Z", "1998-03-13T10:30", "before"),
        ("1998-Q1", "1998-Q2", ""),
        ("1998-Q1", "2000-03", "before"),
        ("1998-SU", "1998-01", ""),
        ("1998-SU", "1999-04", "before"),
        ("1998-03-12TMO", "1998-03-12TNI", "-<- -<+"),
        ("1998-03-12TMO", "1998-03-13TNI", ""),
        ("1998-03-12TNI", "1998-03-13", "-<+ +<+"),
        ("1998-03-12TNI", "1998-03-14TMO", "before"),
        ("XXXX-03-12", "1998", "none"),
        (("1998", {"mod": "BEFORE"}), "1999", "before"),
        (("1998", {"mod": "AFTER"}), "1997", "after"),
        (("1998", {"mod": "END"}), "1998", "-<+ +>-"),
        (("1998", {"mod": "APPROX"}), "2005", "none"),
        (("1998", {"type": "SET"}), "2005", "none"),
    ],
)
def test_the_order_of_two_values(one, other, relation):
    if relation == "none":
        pair = [value if isinstance(value, tuple) else (value, {}) for value in (one, other)]
        assert tlex.extract(write(pair), calendar=True).relation("t1", "t2").verdict == "unrelated"
    elif relation or find_pairs(write([(one, {}), (other, {})])):
        assert order(one, other) == relation


def find_pairs(document):
    return [link for link in add_calendar(document)[0].links if link.kind == KIND]


@pytest.mark.parametrize(
    ("value", "relation"),
    [
        ("1998-03-11", "after"),
        ("1998-03-12", "-<+ +>-"),
        ("1998-03-13", "before"),
        ("1998-03", "during"),
        ("1998", "during"),
        ("1998-03-12T09:30", ""),
    ],
)
def test_the_creation_time_is_a_moment_in_its_value(value, relation):
    pair = [("1998-03-12", MOMENT), (value, {})]

    if relation:
        assert order(*pair) == relation
    else:
        assert not find_pairs(write(pair))


def test_a_time_is_a_moment_if_times_are_points():
    time = ("1998-03-12T09:30", {"type": "TIME"})

    assert order(time, time) == "equal"
    assert (
        tlex.extract(write([time, time]), calendar=True, times="point").relation("t1", "t2").verdict
        == "unrelated"
    )
    assert order(time, "1998-03-12", times="point") == "during"
    assert order(time, ("1998-03-12T09:31", {"type": "TIME"}), times="point") == "before"


def test_ends_and_starts_are_equal_only_where_the_document_says_so():
    days = [(f"1998-03-{day}", {}) for day in (11, 12, 13, 14)]
    document = write(days, [("t2", "IBEFORE", "t3")])

    result = tlex.extract(document, calendar=True)

    assert result.consistent
    assert result.relation("t2", "t3").entailed.name == "meets"
    assert result.relation("t1", "t2").entailed.name == "before"
    assert result.relation("t3", "t4").entailed.name == "before"
    assert order("1998-03-12", "1998-03-11", links=[("t1", "IAFTER", "t2")]) == "met-by"
    assert not tlex.extract(write(days, [("t3", "IBEFORE", "t2")]), calendar=True).consistent


def test_values_that_touch_in_a_zone_do_not_touch_without_one():
    hours = [(f"1998-03-12T{hour}{zone}", {}) for zone in ("Z", "") for hour in ("09", "10")]

    result = tlex.extract(write(hours, [("t1", "IBEFORE", "t2")]), calendar=True)

    assert result.relation("t1", "t2").entailed.name == "meets"
    assert result.relation("t3", "t4").entailed.name == "before"


def test_yesterday_may_touch_the_creation_time():
    document = write([("1998-03-12", MOMENT), ("1998-03-11", {})], [("t2", "IBEFORE", "t1")])

    assert tlex.extract(document, calendar=True).consistent


def test_a_duration_lies_between_its_two_times():
    about = {"type": "DURATION", "beginPoint": "t1", "endPoint": "t2"}
    document = write([("1998", {}), ("2000", {}), ("P2Y", about), ("1999", {})])

    result = tlex.extract(document, calendar=True)

    assert result.relation("t3", "t4").entailed is None
    assert "t3- < t4+" in {
        f"{o.left} {''.join(o.orders)} {o.right}" for o in result.relation("t3", "t4").orders
    }
    assert result.relation("t3", "t2").orders[0].orders == ("<",)


@given(lists_of_times())
def test_the_links_entail_what_is_certain_and_no_more(times):
    result = tlex.extract(write(times), calendar=True)
    certain = judge(times)

    assert result.consistent
    assert not any((right, left, "<") in certain for left, right, sign in certain if sign == "<")
    for one, other in combinations(range(len(times)), 2):
        relation = result.relation(f"t{one + 1}", f"t{other + 1}")
        found = {(o.left[-1], o.right[-1]): o.orders for o in relation.orders}
        for side, end in product("-+", repeat=2):
            left, right = 2 * one + (side == "+"), 2 * other + (end == "+")
            claims = {"<": (left, right, "<"), ">": (right, left, "<"), "=": (left, right, "=")}
            expected = tuple(sign for sign, claim in claims.items() if claim in certain)
            assert found.get((side, end), "<=>") == (expected or found.get((side, end), "<=>"))
            assert len(expected) == 1 or len(found.get((side, end), "<=>")) == 3


def test_exact_times_of_the_corpora_stand_as_the_standard_library_says(timebank, meantime):
    compared = 0
    for document in (*timebank.values(), *meantime.values()):
        spans = {
            timex.id: span_of((timex.value or "").strip())
            for timex in document.timexes
            if timex.attributes.get("functionInDocument", "NONE").strip().upper() in {"NONE", ""}
            and not timex.attributes.get("mod", "").strip()
            and (timex.type or "").strip().upper() not in {"SET", "DURATION"}
        }
        dated = [name for name in document.index if spans.get(name)]
        bare = tlex.extract(document.replace(links=()), calendar=True)
        closure = bare.closure()
        found = {(own.source, own.target): own.name for own in (*closure.links, *closure.untyped)}
        for one, other in combinations(dated, 2):
            expected = judge_spans(spans[one], spans[other])
            turned = judge_spans(spans[other], spans[one])
            assert found.get((one, other), expected) == expected, (document.name, one, other)
            assert found.get((other, one), turned) == turned
            assert ((one, other) in found) + ((other, one) in found) == 1
            compared += 1
    assert compared > 2_000


def judge_spans(one, other) -> str:
    """Allen's relation of two spans, with every end at an instant before every start there."""
    left = ((one[0], 1), (one[1], 0))
    right = ((other[0], 1), (other[1], 0))
    signs = "".join("=<>"[(p < q) - (p > q)] for p in left for q in right)
    return ALLEN[signs]


def test_every_label_is_its_row():
    for label, (orders, row, words) in CALENDAR.items():
        known = {(0, 1), (2, 3)}
        equal = set()
        for left, strict, right in compile_row(row):
            (known if strict else equal).add((left, right))
        alike = {frozenset(pair) for pair in equal}
        for middle, left, right in product(range(4), repeat=3):
            steps = [
                (left, middle) in known or frozenset((left, middle)) in alike,
                (middle, right) in known or frozenset((middle, right)) in alike,
            ]
            strict = (left, middle) in known or (middle, right) in known
            if all(steps) and strict and left != right:
                known.add((left, right))
        for middle, left, right in product(range(4), repeat=3):
            steps = [
                (left, middle) in known or frozenset((left, middle)) in alike,
                (middle, right) in known or frozenset((middle, right)) in alike,
            ]
            if all(steps) and ((left, middle) in known or (middle, right) in known):
                known.add((left, right))
        found = "".join(
            "<" if (p, q) in known else ">" if (q, p) in known
            else "=" if frozenset((p, q)) in alike else "?"
            for p in (0, 1) for q in (2, 3)
        )  # fmt: skip
        assert found == orders, label
        assert words


@given(st.lists(TIMES, min_size=2, max_size=8), st.randoms())
def test_shuffled_input_has_the_same_order(times, chance):
    numbers = list(range(len(times)))
    chance.shuffle(numbers)
    one = tlex.extract(write(times), calendar=True).closure()
    other = tlex.extract(write([times[number] for number in numbers]), calendar=True).closure()
    back = {f"t{place + 1}": f"t{number + 1}" for place, number in enumerate(numbers)}

    plain = {(own.source, own.target, own.name) for own in (*one.links, *one.untyped)}
    shuffled = set()
    for own in (*other.links, *other.untyped):
        source, target = back[own.source], back[own.target]
        shuffled |= {(source, target, own.name), (target, source, TURNED.get(own.name, own.name))}

    assert plain <= shuffled
    assert 2 * len(plain) == len(shuffled)


TURNED = {
    "before": "after", "meets": "met-by", "overlaps": "overlapped-by", "starts": "started-by",
    "during": "includes", "finishes": "finished-by",
}  # fmt: skip
TURNED |= {turned: name for name, turned in TURNED.items()}


def test_the_links_have_ids_and_words_of_their_own():
    document, complete = add_calendar(write([("1998-03-12", {}), ("1998-W12", {})]))
    (link,) = document.links

    assert complete
    assert (link.id, link.kind, link.type) == ("calendar:t1:t2", "CALENDAR", "BEFORE")
    assert link.attributes["words"] == "1998-03-12 is before 1998-W12, by their values"
    assert add_calendar(document)[0] == document


def test_few_links_are_enough_for_many_exact_values():
    days = [
        (f"{year}-{month:02}-{day:02}", {})
        for year in range(1990, 2000)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    random.Random(1).shuffle(days)  # noqa: S311 -- an order, no secret

    assert len(find_pairs(write(days))) == len(days) - 1


def test_many_loose_values_are_cut_at_a_limit():
    times = [("1990-Q1", {})] * 400 + [("1998-Q1", {})] * 400 + [("2009", {}), ("2013-03-22", {})]

    result = tlex.extract(write(times), calendar=True)

    assert result.relation("t801", "t802").entailed.name == "before"

    assert not result.calendar_complete
    assert result.record().calendar_complete is False
    assert result.consistent
    assert tlex.extract(write(times[:10]), calendar=True).calendar_complete


def test_why_shows_the_values():
    document = write(
        [("1998-03-12", {}), ("1998-W12", {})],
        [("ei1", "IS_INCLUDED", "t1"), ("ei2", "IS_INCLUDED", "t2")],
        events=2,
    )
    result = tlex.extract(document, calendar=True)

    why = result.why("ei1", "ei2")

    assert why.relation.entailed.name == "before"
    assert why.proofs[0].links == ("l1", "calendar:t1:t2", "l2")
    assert "1998-03-12 is before 1998-W12, by their values" in str(why.links[-1])
    assert tlex.extract(document).relation("ei1", "ei2").verdict == "unrelated"


PROMISE = write(
    [("1998-03-12", MOMENT), ("1999", {})],
    [("ei1", "BEFORE", "t1"), ("ei2", "IS_INCLUDED", "t2"), ("ei1", "MODAL", "ei2", "SLINK")],
    events=3,
)


def test_worlds_stay_as_the_links_make_them():
    plain, dated = tlex.extract(PROMISE), tlex.extract(PROMISE, calendar=True)

    assert [len(result.timelines) for result in (plain, dated)] == [3, 2]
    assert [node.world for node in dated.nodes] == [node.world for node in plain.nodes]
    assert [node.factuality for node in dated.nodes] == [node.factuality for node in plain.nodes]
    assert dated.relation("ei1", "ei2").entailed.name == "before"
    assert dated.timeline_of("ei2").main
    assert [(own.link, own.source_timeline, own.target_timeline) for own in dated.connections] == [
        ("l3", 0, 0)
    ]
    assert next(node for node in dated.nodes if node.id == "ei2").factuality == "possible"
    assert all(
        node.world == timeline.id
        for timeline in plain.timelines
        for node in plain.nodes
        if node.id in timeline.intervals
    )


def test_a_repair_never_removes_the_calendar():
    document = write(
        [("1998-03-12", {}), ("1999", {})],
        [("t2", "BEFORE", "t1"), ("ei1", "IS_INCLUDED", "t1"), ("ei1", "IS_INCLUDED", "t2")],
        events=1,
    )
    result = tlex.extract(document, calendar=True, mend=True)

    assert not result.consistent
    assert set(result.mended) == {"l1", "l2"} or set(result.mended) == {"l1", "l3"}
    assert result.relation("t1", "t2").entailed.name == "before"
    assert result.relation("t1", "t2", contradictions="every").entailed.name == "before"
    assert result.relation("t1", "t2", contradictions="part").verdict == "inconsistent"
    assert any("calendar:t1:t2" in conflict.minimal for conflict in result.conflicts)
    worlds = {node.id: node.world for node in result.nodes}
    assert worlds["t1"] != worlds["t2"]
    assert result.timeline_of("t1").id == result.timeline_of("t2").id


def test_closure_and_reduction_know_the_calendar():
    document = write(
        [("1998-03-12", {}), ("1999", {})],
        [("t1", "BEFORE", "t2"), ("ei1", "IS_INCLUDED", "t1"), ("ei1", "BEFORE", "t2")],
        events=1,
    )
    result = tlex.extract(document, calendar=True)

    assert result.reduction().dropped == ("l1", "l3")
    assert result.reduction().kept == ("l2",)
    assert all("calendar" not in link for own in result.closure().links for link in own.links)
    assert tlex.extract(write([("1998", {}), ("1999", {})]), calendar=True).closure().new == 1


def test_events_have_dates():
    document = write(
        [("2013-03-20", {}), ("2013-03-22", {}), ("2013", MOMENT)],
        [
            ("ei1", "AFTER", "t1"),
            ("ei1", "BEFORE", "t2"),
            ("ei2", "IS_INCLUDED", "t2"),
            ("ei3", "AFTER", "ei2"),
        ],
        events=4,
    )
    nodes = {node.id: node.date for node in tlex.extract(document, calendar=True).nodes}

    assert (nodes["ei1"].after, nodes["ei1"].before) == ("2013-03-21", "2013-03-22")
    assert (nodes["ei2"].after, nodes["ei2"].before) == ("2013-03-22", "2013-03-23")
    assert (nodes["ei3"].after, nodes["ei3"].before) == ("2013-03-22", None)
    assert (nodes["t3"].after, nodes["t3"].before) == ("2013-01-01", "2014-01-01")
    assert nodes["ei4"] is None
    assert all(node.date is None for node in tlex.extract(document).nodes)


@given(
    st.lists(TIMES, min_size=1, max_size=5),
    st.lists(
        st.tuples(
            st.integers(0, 7),
            st.sampled_from(("BEFORE", "IS_INCLUDED", "OVERLAP")),
            st.integers(0, 7),
        ),
        max_size=6,
    ),
)
def test_a_date_is_the_nearest_known_instant_on_either_side(times, links):
    names = [f"t{number + 1}" for number in range(len(times))] + ["ei1", "ei2", "ei3"]
    ends = [
        (names[one % len(names)], label, names[other % len(names)]) for one, label, other in links
    ]
    document = write(times, [own for own in ends if own[0] != own[2]], events=3)
    result = tlex.extract(document, calendar=True)
    values = dict(zip(names, find_values(document), strict=False))
    if not result.consistent:
        return
    for node in result.nodes:
        for side, end in ((0, "-"), (2, "+")):
            after, before = [], []
            for name, bounds in values.items():
                relation = result.relation(node.id, name)
                if isinstance(bounds, Bounds) and relation.orders:
                    wide = loosen(bounds) if bounds.zoned else bounds
                    moment = "functionInDocument" in times[int(name[1:]) - 1][1]
                    wide = find_moment(wide) if moment else wide
                    starts, ends_ = (one.orders for one in relation.orders[side : side + 2])
                    after += [wide.earliest_start] * (starts in {(">",), ("=",)})
                    after += [wide.earliest_end] * (ends_ in {(">",), ("=",)})
                    before += [wide.latest_start] * (starts in {("<",), ("=",)})
                    before += [wide.latest_end] * (ends_ in {("<",), ("=",)})
            known = [place // 4 for place in after if place > 0]
            last = [place // 4 + (place % 4 == 3) for place in before if place < find_open()]
            said = result.timeline_of(node.id).dates.get(node.id + end)
            assert_instant(said and said.after, max(known, default=None))
            assert_instant(said and said.before, min(last, default=None))
            if end == "-":
                assert (node.date and node.date.after) == (said and said.after)
            else:
                assert (node.date and node.date.before) == (said and said.before)


def find_open() -> int:
    return find_bounds("9999").latest_end + 1


def assert_instant(said, expected):
    if expected is None:
        assert said is None
    else:
        assert said is not None
        assert find_bounds(said).earliest_start // 4 == expected


def test_a_timeline_dates_its_points():
    result = tlex.extract(PROMISE, calendar=True)

    dates = result.timelines[0].dates

    assert {point: str(date) for point, date in dates.items()} == {
        "t1-": "on 12 March 1998",
        "t1+": "on 12 March 1998",
        "t2-": "at the start of 1999",
        "t2+": "at the start of 2000",
        "ei1-": "before 13 March 1998",
        "ei1+": "before 13 March 1998",
        "ei2-": "in 1999",
        "ei2+": "in 1999",
    }
    assert not tlex.extract(PROMISE).timelines[0].dates
    assert not result.timelines[1].dates


def test_the_result_says_that_the_calendar_was_used():
    record = json.loads(tlex.extract(PROMISE, calendar=True).to_json())

    assert record["options"]["calendar"] is True
    assert record["calendar_complete"] is True
    assert record["calendar"] == [
        {
            "id": "calendar:t1:t2",
            "type": "BEFORE",
            "source": "t1",
            "target": "t2",
            "words": "1998-03-12 is before 1999, by their values",
        }
    ]
    plain = json.loads(tlex.extract(PROMISE).to_json())
    assert plain["options"]["calendar"] is False
    assert "calendar" not in plain


def test_results_with_the_calendar_can_be_written_and_drawn(tmp_path):
    result = tlex.extract(PROMISE, calendar=True)

    assert "<svg" in tlex.draw.svg(result)
    assert tlex.draw.text(result)
    assert len(result.to_pandas("links")) == len(result.document.links)
    for name in ("nodes.csv", "dated.dot"):
        tlex.write(result, tmp_path / name)


def test_what_the_page_says_of_the_corpora_is_so(timebank, meantime):
    page = (ROOT / "docs" / "calendar.md").read_text(encoding="utf-8")
    judged = set(re.findall(r"^\| (\S+) \| l\d.*\|$", page, re.MULTILINE))
    found, parts, contradictory = [], [], []
    for documents in (timebank, meantime):
        both = [
            [tlex.extract(document, calendar=calendar) for document in documents.values()]
            for calendar in (False, True)
        ]
        parts += [sum(len(result.components) for result in results) for results in both]
        contradictory += [sum(not result.consistent for result in results) for results in both]
        found.append(
            {
                Path(plain.document.name).stem
                for plain, dated in zip(*both, strict=True)
                if plain.consistent and not dated.consistent
            }
        )

    assert found[0] == judged
    for name, numbers in (("parts", parts), ("contradictory documents", contradictory)):
        assert f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |" in page


def test_the_calendar_of_a_corpus_never_contradicts_itself(timebank, meantime):
    for documents in (timebank, meantime):
        for document in documents.values():
            bare = tlex.extract(document.replace(links=()), calendar=True)
            assert bare.consistent
            assert bare.calendar_complete


def test_the_counts_of_the_page_are_those_of_the_corpora(corpora, timebank, meantime):
    counts = Counter()
    tales = [tlex.read(path) for path in sorted((corpora / "propplearner").glob("*.sty"))]
    every = {
        "timebank-1.2": timebank.values(),
        "meantime-en": meantime.values(),
        "propplearner": tales,
    }
    for corpus, documents in every.items():
        for document in documents:
            for timex, bounds in zip(document.timexes, find_values(document), strict=True):
                kind = bounds.kind if isinstance(bounds, Bounds) else str(bounds)
                shape = re.sub("[0-9]", "9", (timex.value or "").strip())
                counts[corpus, kind, shape] += 1

    with (ROOT / "docs" / "calendar_counts.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row) for row in csv.reader(file)][1:]

    assert {row[:3]: int(row[3]) for row in rows} == counts


@pytest.mark.parametrize(("value", "names"), [("1999", ["calendar:t1:t2'"]), ("XX", [])])
def test_the_links_of_the_calendar_are_listed_without_the_other_nouns(value, names):
    text = (
        '<TimeML><TIMEX3 tid="t1" value="1998">1</TIMEX3> '
        f'<TIMEX3 tid="t2" value="{value}">2</TIMEX3>'
        '<TLINK lid="calendar:t1:t2" timeID="t1" relType="BEFORE" relatedToTime="t2"/></TimeML>'
    )

    found = tlex.extract(tlex.parse(text), calendar=True)

    document = found.document
    assert [link.id for link in found.calendar] == names
    assert document.link_ids == ["calendar:t1:t2", *names]
    assert "links" not in vars(document)
    assert document.link_ids == [link.id for link in document.links]
    assert document.calendar == [link for link in document.links if link.kind == KIND]
