"""Differences of two annotations, judged by every scenario of four intervals."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_judge import MEANING, NAMES, Judge, holds, scenarios

import tlex
from tlex.comparison import differences
from tlex.repair import Change, FilePatch

LINKS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from([*MEANING]), st.sampled_from(NAMES)).filter(
        lambda link: link[0] != link[2]
    ),
    max_size=6,
)
SWAPPED = {"only first": "only second", "only second": "only first"}
WORSE = ["contradicted", "open", "entailed"]


def make(links):
    """A document in which every interval occurs."""
    document = tlex.from_links([*links, *(("a", "BEFORE", name) for name in NAMES[1:])])
    return document.replace(links=document.links[: len(links)])


def compare(one, other, **options):
    (found,) = tlex.diff(make(one), make(other), match="ids", **options).documents
    return found


def group(links):
    """The sets of scenarios that are said of each pair."""
    found = {}
    for one, label, other in links:
        pair = tuple(sorted((one, other)))
        found.setdefault(pair, set()).add(holds(one, label, other))
    return found


@settings(max_examples=80)
@given(one=LINKS, other=LINKS, policy=st.sampled_from(["every", "repair"]))
def test_pairs_differ_as_brute_force_says(one, other, policy):
    found = compare(one, other, contradictions=policy)

    ours, theirs = group(one), group(other)
    judges = Judge(one, policy), Judge(other, policy)
    expected = {}
    for pair in ours.keys() | theirs.keys():
        left, right = ours.get(pair), theirs.get(pair)
        if left == right:
            expected[pair] = "same", None
        elif left and right:
            world = (1 << len(scenarios())) - 1
            for mask in left | right:
                world &= mask
            expected[pair] = "other label", bool(world)
        else:
            expected[pair] = ("only first" if left else "only second"), None
    shown = {(p.source.id, p.target.id): p for p in found.pairs}
    for pair, (status, compatible) in expected.items():
        if pair in shown:
            assert (shown[pair].status, shown[pair].compatible) == (status, compatible)
            sides = (shown[pair].first, ours, judges[1]), (shown[pair].second, theirs, judges[0])
            for said, own, judge in sides:
                if said is not None:
                    verdicts = {judge.judge(mask) for mask in own[pair]}
                    assert said.verdict == next(name for name in WORSE if name in verdicts)
        else:
            assert status == "same"
    assert shown.keys() <= expected.keys()
    counts = dict.fromkeys(("same", "other label", "only first", "only second"), 0)
    for status, _ in expected.values():
        counts[status] += 1
    assert found.counts == counts
    assert found.same == (counts["same"] == len(expected))
    assert found.equivalent == all(
        judge.judge(mask) == "entailed"
        for own, judge in ((judges[0], judges[1]), (judges[1], judges[0]))
        for mask in own.masks
    )


@given(one=LINKS, other=LINKS)
def test_swapped_sides_give_the_same_differences_swapped(one, other):
    there, back = compare(one, other), compare(other, one)

    def turn(pair):
        status = SWAPPED.get(pair.status, pair.status)
        return msgspec.structs.replace(pair, status=status, first=pair.second, second=pair.first)

    assert [turn(pair) for pair in back.pairs] == list(there.pairs)
    assert (back.same, back.equivalent) == (there.same, there.equivalent)
    same, first, second, opposite = there.orders
    assert back.orders == (same, second, first, opposite)
    assert [(c.source, c.target, c.second, c.first) for c in back.list_consequences()] == [
        (c.source, c.target, c.first, c.second) for c in there.list_consequences()
    ]


@given(links=LINKS, data=st.data())
def test_neither_order_nor_repetition_of_links_is_a_difference(links, data):
    again = data.draw(st.permutations([*links, *links[:2]]))

    found = compare(links, again)

    assert found.same
    assert found.entities == ()
    assert list(found.list_consequences()) == []


@settings(max_examples=40)
@given(one=LINKS, other=LINKS)
def test_what_follows_is_what_brute_force_says(one, other):
    found = compare(one, other, contradictions="repair")

    worlds = []
    for links in (one, other):
        judge = Judge(links, "repair")
        world = judge._meet(judge.believed, judge.everyone)  # noqa: SLF001
        worlds.append([p for number, p in enumerate(scenarios()) if world >> number & 1])
    expected = set()
    for a in range(4):
        for b in range(a + 1, 4):
            known = [
                [
                    {(p[x] > p[y]) - (p[x] < p[y]) for p in left}
                    for x in (2 * a, 2 * a + 1)
                    for y in (2 * b, 2 * b + 1)
                ]
                for left in worlds
            ]
            certain = [[s if len(s) == 1 else None for s in own] for own in known]
            if certain[0] != certain[1]:
                expected.add((NAMES[a], NAMES[b]))
    consequences = list(found.list_consequences())
    assert {(c.source.id, c.target.id) for c in consequences} == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences, "_BATCH", 2)
        assert list(found.list_consequences()) == consequences


def test_what_is_the_same_in_other_words_is_shown_and_is_no_difference():
    found = compare(
        [("a", "BEFORE", "b"), ("c", "IDENTITY", "d")], [("b", "AFTER", "a"), ("c", "DURING", "d")]
    )

    assert [pair.status for pair in found.pairs] == ["same", "same"]
    assert found.same


def test_labels_that_claim_nothing_are_compared_too():
    found = compare([("a", "VAGUE", "b"), ("c", "VAGUE", "d")], [("a", "BEFORE", "b")])

    assert [(p.status, p.compatible) for p in found.pairs] == [
        ("other label", True),
        ("only first", None),
    ]
    assert [p.first.verdict for p in found.pairs] == [None, None]
    assert not found.same


TEXT = """<TimeML><TEXT>He <EVENT eid="e1" class="{kind}">left</EVENT> on
<TIMEX3 tid="t1" type="DATE" value="{value}">Monday</TIMEX3>.</TEXT>
<MAKEINSTANCE eiid="ei1" eventID="e1" tense="PAST"/>{links}</TimeML>"""
SLINK = '<SLINK lid="s1" eventInstanceID="ei1" subordinatedEventInstance="ei1" relType="{}"/>'


def write(kind="OCCURRENCE", value="2001-01-01", links=""):
    return tlex.parse(TEXT.format(kind=kind, value=value, links=links))


def test_attributes_of_events_and_times_are_compared():
    (found,) = tlex.diff(write(), write("STATE", "2001-01-08")).documents

    assert [(e.kind, e.status, e.changes) for e in found.entities] == [
        ("event", "other", {"class": ("OCCURRENCE", "STATE")}),
        ("time", "other", {"value": ("2001-01-01", "2001-01-08")}),
    ]
    assert not found.same


def test_other_links_are_compared_by_their_types():
    (found,) = tlex.diff(
        write(links=SLINK.format("MODAL")), write(links=SLINK.format("FACTIVE"))
    ).documents

    (pair,) = found.pairs
    assert (pair.kind, pair.status) == ("SLINK", "other label")
    assert (pair.first.labels, pair.second.labels) == (("MODAL",), ("FACTIVE",))


def test_other_line_ends_and_encodings_are_no_difference():
    text = TEXT.format(kind="OCCURRENCE", value="2001", links="").replace("He", "H\u00e9")
    other = '<?xml version="1.0" encoding="utf-16"?>' + text.replace("\n", "\r\n    ")

    assert tlex.diff(tlex.parse(text), tlex.parse(other.encode("utf-16"))).same


def test_other_ids_are_no_difference():
    text = TEXT.format(
        kind="OCCURRENCE",
        value="2001",
        links='<TLINK lid="l1" eventInstanceID="ei1" relatedToTime="t1" relType="DURING"/>',
    )
    renamed = text.replace("ei1", "ei77").replace('"t1"', '"t9"').replace('"e1"', '"e5"')

    assert tlex.diff(tlex.parse(text), tlex.parse(renamed)).same
    assert not tlex.diff(tlex.parse(text), tlex.parse(renamed), match="ids").same


def test_other_texts_are_refused_with_the_place():
    other = tlex.parse("<TimeML><TEXT>He stayed.</TEXT></TimeML>")

    with pytest.raises(tlex.ComparisonError, match=r"differ in line 1"):
        tlex.diff(write(), other)


def test_documents_of_one_side_only_are_a_difference():
    one = tlex.from_links([("a", "BEFORE", "b")]).replace(name="x.tml")

    found = tlex.diff([one], [one, one.replace(name="y.tml")])

    assert (found.only_first, found.only_second, found.same) == ((), ("y.tml",), False)


def test_too_many_pairs_are_refused_only_if_they_are_listed():
    many = tlex.from_links([(f"a{n}", "BEFORE", f"a{n + 1}") for n in range(1500)])

    (found,) = tlex.diff(many, many).documents

    assert found.same
    assert found.orders[0] == found.orders[1]
    with pytest.raises(tlex.OptionError, match="more than 1,000,000 pairs"):
        list(found.list_consequences())


def test_patches_are_compared_change_by_change():
    document = tlex.read("examples/contradiction.tml")
    one, two = (tlex.fix(document, choose={1: option}).patch for option in (1, 2))

    found = tlex.diff(one, two)

    assert tlex.diff(one, one).same
    assert tlex.diff(one, one).counts["agreed"] == 1
    assert [(c.link, c.status) for c in found.changes] == [
        ("l3", "only first"),
        ("l4", "only second"),
    ]
    assert not found.same


def test_patches_that_give_a_link_other_types_are_different():
    document = tlex.read("examples/contradiction.tml")
    file = tlex.fix(document).patch.files[0]
    change = file.changes[0]
    sides = [
        tlex.Patch.of(
            [
                msgspec.structs.replace(
                    file, sha256=hash_, changes=(msgspec.structs.replace(change, new=new),)
                )
            ]
        )
        for new, hash_ in (("AFTER", file.sha256), ("INCLUDES", file.sha256), (None, "0"))
    ]

    assert [c.status for c in tlex.diff(sides[0], sides[1]).changes] == ["different"]
    (found,) = tlex.diff(sides[0], sides[2]).changes
    assert (found.status, found.same_file) == ("different", False)


class Signed(FilePatch, frozen=True):
    who: str = ""
    when: str = ""


class Reasoned(Change, frozen=True):
    why: str = ""


def test_who_decided_when_and_why_is_shown_and_makes_no_difference():
    file = tlex.fix(tlex.read("examples/contradiction.tml")).patch.files[0]
    known = msgspec.structs.asdict(file.changes[0])
    anna, ben = (
        Signed(
            path=file.path,
            sha256=file.sha256,
            changes=(Reasoned(**{**known, "why": why}),),
            who=who,
            when=when,
        )
        for who, when, why in (("Anna", "2026-11-18", "line 9"), ("Ben", "", ""))
    )

    (agreed,) = tlex.diff(tlex.Patch.of([anna]), tlex.Patch.of([ben])).changes
    (alone,) = tlex.diff(tlex.Patch.of([]), tlex.Patch.of([ben])).changes

    assert (agreed.status, agreed.decided) == ("agreed", ("Anna, 2026-11-18", "Ben"))
    assert str(agreed).endswith(": agreed: remove l3 (Anna, 2026-11-18; line 9; Ben)")
    assert str(alone).endswith(": only second: remove l3 (Ben)")


def test_a_patch_is_not_compared_with_a_document():
    document = tlex.read("examples/contradiction.tml")

    with pytest.raises(tlex.OptionError, match="a patch is compared with a patch"):
        tlex.diff(document, tlex.fix(document).patch)
