"""The reading view as HTML: everything is in it, once, as text, and nothing is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from lxml import html
from strategies import document_of, forests

import tlex
from tlex.draw.reading.kinds import KINDS

EXAMPLES = Path(__file__).parents[3] / "examples"
NASTY = "</b><script>alert(1)</script><img src=x onerror=alert(2)>"


def test_a_notebook_shows_the_reading_view_of_documents_and_results():
    document = tlex.read(EXAMPLES / "story.tml")
    result = tlex.extract(document, calendar=True, mend=True)

    assert document._repr_html_() == result._repr_html_() == tlex.draw.html(result)


def test_all_rules_of_the_style_are_for_the_view_alone():
    view = html.fragment_fromstring(tlex.draw.html(tlex.read(EXAMPLES / "story.tml")))

    style = view.findtext("style")

    rules = [line.strip() for line in style.splitlines() if "{" in line]
    assert all(line.startswith((".tlex-reading", "@")) for line in rules)
    assert "url(" not in style
    assert "@import" not in style


def test_every_event_has_its_phrase_once_and_is_bold_in_it():
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True)

    view = html.fragment_fromstring(tlex.draw.html(result))

    phrases = {int(one.get("data-node")): one for one in view.find_class("phrase")}
    events = {n: node.text for n, node in enumerate(result.nodes) if node.kind == "event"}
    assert {n: phrases[n].findtext("b") for n in events} == events
    assert len(view.find_class("phrase")) == len(phrases)
    assert all(len(one.text_content()) <= 64 for one in phrases.values())


def test_a_known_order_is_an_ordered_list_and_an_unknown_one_is_not():
    view = html.fragment_fromstring(tlex.draw.html(tlex.read(EXAMPLES / "story.tml")))

    built = next(one for one in view.find_class("phrase") if one.findtext("b") == "built")
    lists = [one.tag for one in built.iterancestors("ol", "ul")]
    assert lists == ["ul", "ol", "ol"]


@settings(max_examples=25)
@given(forests())
def test_rows_and_marks_have_the_same_words_and_numbers(forest):
    result = tlex.extract(document_of(*forest), mend=True)

    view = html.fragment_fromstring(tlex.draw.html(result))

    marks = [
        one.text.partition(":")[0] for one in view.xpath("//article/section//*[@class='mark-word']")
    ]
    rows = {
        one.findtext("dt").lower(): one.find("dd").text_content().split()[0]
        for one in view.find_class("glance")[0]
    }
    words = {title.lower() for title in KINDS.values()}
    for title in words - {"order not known"}:
        assert int(rows.get(title, "no").replace("no", "0")) == marks.count(title)
    assert {*marks} <= words


def test_the_first_event_has_its_mark_and_its_doubt():
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c")]
    document = tlex.from_links([*links, ("c", "EVIDENTIAL", "a"), ("x", "VAGUE", "y")])

    view = html.fragment_fromstring(tlex.draw.html(document))

    first = view.find_class("glance")[0][0]
    assert (first.get("class"), first.findtext("dt")) == ("told", "First")
    assert first.find("dd").text_content() == (
        "not known, as 2 others have no known order to the earliest known: in doubt, as a"
        " link of it contradicts others and was left out \u00b7 began: \u201ca\u201d only claimed"
    )


def test_links_left_out_are_shown_with_their_reasons_and_the_rest_is_folded():
    links = [
        (f"{one}{number}", "BEFORE", f"{other}{number}")
        for number in range(5)
        for one, other in ("ab", "ba")
    ]
    document = tlex.from_links([*links, ("x", "AFTER", "x")])

    view = html.fragment_fromstring(tlex.draw.html(document))

    (box,) = view.find_class("left-out")
    assert (
        box.findtext("p")
        == "6 contradictions; 6 links left out here, though the other side may be wrong"
    )
    assert [len(one.findall("li")) for one in box.iter("ul")] == [3, 3]
    assert box.findtext("details/summary") == "3 more"
    reasons = [one.text_content() for one in box.find_class("why")]
    assert reasons[-1] == "because it contradicts itself"
    assert all("BEFORE" in one for one in reasons[:-1])


def test_whatever_a_document_holds_is_text():
    words = NASTY.replace("<", "&lt;")
    attribute = words.replace('"', "&quot;")
    document = tlex.parse(
        f'<TimeML>x <EVENT eid="{attribute}" class="{attribute}">{words}</EVENT> {words}'
        f'<TIMEX3 tid="t1" type="DATE" value="{attribute}">{words}</TIMEX3>'
        f'<MAKEINSTANCE eiid="i{attribute}" eventID="{attribute}"/>'
        f'<MAKEINSTANCE eiid="j{attribute}" eventID="{attribute}"/>'
        f'<SLINK lid="{attribute}" relType="{attribute}" eventInstanceID="i{attribute}" '
        f'subordinatedEventInstance="j{attribute}"/></TimeML>',
        name=NASTY,
    )

    view = html.fragment_fromstring(tlex.draw.html(document))

    assert {one.tag for one in view.iter()} <= {
        *("div", "style", "article", "p", "label", "input", "section", "ol", "ul", "li", "span"),
        *("b", "details", "summary", "h2", "h3", "dl", "dt", "dd"),
    }
    assert not [name for one in view.iter() for name in one.keys() if name.startswith("on")]  # noqa: SIM118
    assert NASTY[:10] in view.text_content()


def test_what_is_no_result_is_refused():
    with pytest.raises(tlex.OptionError, match="only a document or a result"):
        tlex.draw.html("story.tml")
