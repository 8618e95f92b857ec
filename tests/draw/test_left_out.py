"""Links that a mended timeline leaves out: each is drawn dashed and listed, and hides nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import NOISE, Box, boxes_of, meetings
from strategies import ORDERING, Graph, document_of, links_among

import tlex
from tlex.draw.layout import lay_out
from tlex.draw.picture import Picture

CONTRADICTION = "examples/contradiction.tml"
STORY = "examples/story.tml"


@st.composite
def mended_results(draw: st.DrawFn) -> tlex.Extraction:
    size = draw(st.integers(1, 8))
    graph = Graph(size, draw(links_among(size, ORDERING, 16, least=2)))
    return tlex.extract(document_of(graph), mend=True)


def tags_of(picture: Picture) -> Iterator[Box]:
    """The boxes of the ids that stand on curves."""
    for left_out in picture.left_out:
        if left_out.tag:
            half = left_out.tag_width / 2
            x, y = left_out.tag_x, left_out.tag_y
            yield Box(x - half, x + half, y - 0.19, y + 0.19, f"tag {left_out.link}")


def contradict(many: int) -> tlex.Document:
    """Many pairs of events, each with two links that contradict each other."""
    pairs = [(f"a{number}", f"b{number}") for number in range(many)]
    return tlex.from_links(
        [link for one, other in pairs for link in ((one, "BEFORE", other), (other, "BEFORE", one))]
    )


@settings(max_examples=80, deadline=None)
@given(result=mended_results())
def test_every_link_that_is_left_out_leads_from_its_source_to_its_target(result):
    picture = lay_out(result)
    bars = {bar.interval: bar for bar in picture.bars}
    links = {link.id: link for link in result.document.links}

    assert [left_out.link for left_out in picture.left_out] == list(result.mended)
    for left_out in picture.left_out:
        link = links[left_out.link]
        assert (left_out.source, left_out.target) == (link.source, link.target)
        for end, (x, y) in (
            (link.source, left_out.path[0]),
            (link.target, left_out.path[-1]),
        ):
            bar = bars[end]
            assert bar.left - NOISE <= x <= bar.left + bar.width + NOISE
            assert min(abs(y - bar.row - 0.2), abs(y - bar.row - 0.8)) < NOISE


@settings(max_examples=80, deadline=None)
@given(result=mended_results())
def test_the_ids_on_the_curves_stand_on_no_bar_and_no_word(result):
    picture = lay_out(result)
    things = [box for box in boxes_of(picture) if not box.what.startswith("whisker")]

    assert not meetings([*things, *tags_of(picture)])


def test_a_picture_draws_them_dashed_and_lists_them():
    drawn = tlex.draw.svg(tlex.read(CONTRADICTION))

    assert (
        "<title>left out: l3, &quot;washed&quot; (ei3) BEFORE &quot;arrived&quot; (ei4)</title>"
        in drawn
    )
    assert ">l3 washed BEFORE arrived</text>" in drawn
    assert ">l3</text>" in drawn
    assert "1 contradiction · 1 link left out" in drawn
    assert "stroke-dasharray: 6 4" in drawn
    assert 'class="ring"' not in drawn


def test_a_long_list_is_cut():
    drawn = tlex.draw.svg(contradict(60))

    assert drawn.count("BEFORE a") + drawn.count("BEFORE b") >= 60
    assert ">and 20 more links</text>" in drawn


def test_only_some_curves_of_very_many_are_drawn():
    picture = lay_out(tlex.extract(contradict(230), mend=True))

    assert [bool(left_out.path) for left_out in picture.left_out] == [True] * 200 + [False] * 30


@pytest.mark.parametrize("draw", [tlex.draw.svg, tlex.draw.png, tlex.draw.text])
@pytest.mark.parametrize("path", [CONTRADICTION, STORY])
def test_a_document_is_drawn_mended_with_its_calendar_and_a_result_as_it_is(draw, path):
    document = tlex.read(path)

    assert draw(document) == draw(tlex.extract(document, calendar=True, mend=True))
    assert draw(document) != draw(tlex.extract(document, mend=path == STORY))


def test_a_picture_that_is_not_mended_has_no_such_curves():
    drawn = tlex.draw.svg(tlex.extract(tlex.read(CONTRADICTION)))

    assert 'class="left-out"' not in drawn
    assert ">1: these 3 links cannot all hold</text>" in drawn


def test_a_notebook_shows_a_document_mended():
    document = tlex.read(CONTRADICTION)

    assert document._repr_svg_() == tlex.draw.svg(tlex.extract(document, mend=True))
    assert "left out" in document._repr_html_()


def test_hostile_ids_and_words_stay_words():
    document = tlex.from_links([("<b>&", "BEFORE", "c"), ("c", "BEFORE", "<b>&")])

    drawn = tlex.draw.svg(document)

    assert "<b>" not in drawn
    assert "&lt;b&gt;&amp;" in drawn


def test_a_list_that_was_cut_is_a_lower_bound():
    dice = random.Random(1)  # noqa: S311
    names = [f"e{number}" for number in range(40)]
    links = [
        (dice.choice(names), dice.choice(["BEFORE", "INCLUDES", "ENDS"]), dice.choice(names))
        for _ in range(150)
    ]
    result = tlex.extract(tlex.from_links(links), mend=True)

    assert not result.conflicts_complete
    assert f" · at least {len(result.conflicts):,} contradictions" in tlex.draw.svg(result)


@pytest.mark.corpus
def test_in_no_mended_picture_of_timebank_an_id_stands_on_something(timebank):
    drawn = 0
    for name, document in timebank.items():
        result = tlex.extract(document, mend=True)
        if result.consistent:
            continue
        picture = lay_out(result)
        things = [box for box in boxes_of(picture) if not box.what.startswith("whisker")]
        tags = list(tags_of(picture))
        assert not [pair for pair in meetings([*things, *tags]) if "tag" in "".join(pair)], name
        drawn += len(tags)
    assert drawn > 90
