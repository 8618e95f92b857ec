"""The SVG is sound, inert whatever a document holds, and says in words what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import hidden
from lxml import etree

import tlex
from tlex.draw.layout import lay_out
from tlex.draw.style import COLOURS
from tlex.draw.svg_painter import paint

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "story.tml"
CONTRADICTION = ROOT / "examples" / "contradiction.tml"
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {
    "svg",
    "title",
    "desc",
    "style",
    "defs",
    "pattern",
    "g",
    "rect",
    "path",
    "text",
    "tspan",
}
ATTRIBUTES = {
    *("class", "id", "role", "aria-roledescription", "viewBox", "transform", "stroke-width"),
    *("x", "y", "dx", "rx", "d", "width", "height", "patternTransform", "patternUnits"),
}
NASTY = (
    "<script>alert(1)</script>",
    '" onload="alert(1)',
    "' onclick='alert(1)",
    "]]><script/>",
    "--><svg onload=alert(1)>",
    "&lt;b&gt; &#0; &amp;",
    "javascript:alert(1)",
    "url(http://example.org/x)",
    "</style><style>*{fill:red}</style>",
    "</title></text></svg>",
    "\x00\x07\x1b[31m\x7f\x9f",
    "\u202egnirts\u202c \u2066x",
    "שלום " * 20,
    "long" * 2_000,
    "\ufffe\uffff",
)
WORDS = st.sampled_from(NASTY) | st.text(max_size=12)
NAMES = WORDS | st.just("\ud800.tml")  # a path need not be text


def draw(path):
    return tlex.draw.svg(tlex.extract(tlex.read(path)))


def parse(drawn: str):
    return etree.fromstring(drawn.encode(), etree.XMLParser(resolve_entities=False, huge_tree=True))


def name_in(title):
    """The words, or else the id, at the beginning of a title: of ``"fell" (e1), event``."""
    return re.match(r'"?([^",]*)', title)[1]


def titles(tree):
    return [title.text for title in tree.iter(f"{SVG}title")]


def letters(tree):
    return ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]


def assert_inert(drawn: str):
    """No element and no attribute but those that are needed; nothing outside is named."""
    tree = parse(drawn)
    for element in tree.iter():
        assert isinstance(element.tag, str)  # no comment, no instruction
        assert element.tag.removeprefix(SVG) in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
        if element.tag == f"{SVG}style":
            assert set(re.findall(r"url\(([^)]*)\)", element.text)) == {
                "#tlex-hatch",
                "#tlex-open",
            }
            assert "@import" not in element.text
            assert not len(element)
        for value in element.attrib.values():
            assert not re.search(r"url|:", value)
    assert len(list(tree.iter(f"{SVG}style"))) == 1
    return tree


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=3, max_size=3), NAMES)
def test_markup_in_words_ids_and_names_stays_what_it_is(nodes, name):
    ids = [f"{given}{k}" for k, (given, _) in enumerate(nodes)]
    rows = [
        {"id": f"{ids[0]}l", "source": ids[0], "type": "BEFORE", "target": ids[1]},
        {"id": "l'\"<", "source": ids[1], "type": "MODAL", "target": ids[2]},
        {"id": "<l>", "source": ids[2], "type": "BEFORE", "target": ids[2]},
    ]
    texts = {ids[k]: words for k, (_, words) in enumerate(nodes)}
    document = tlex.from_links(rows, texts=texts, name=name or "x")

    drawn = tlex.draw.svg(tlex.extract(document))

    assert_inert(drawn)


@pytest.mark.parametrize("nasty", [words for words in NASTY if words.isprintable()])
def test_markup_in_the_attributes_of_a_file_stays_what_it_is(nasty):
    value = quoteattr(nasty)
    data = (
        f"<TimeML><TIMEX3 tid='t1' type='DATE' value={value}>then</TIMEX3> "
        f"<TIMEX3 tid='t2' type='DATE' value={value}>and once more after that</TIMEX3> "
        f"<EVENT eid={value} class='OCCURRENCE'>fell</EVENT>"
        f"<TLINK lid={value} relType='INCLUDES' timeID='t1' relatedToEventInstance={value}/>"
        f"<SLINK lid='s1' relType={value} eventInstanceID='t1' subordinatedEventInstance='t1'/>"
        "</TimeML>"
    )

    drawn = tlex.draw.svg(tlex.extract(tlex.parse(data.encode("utf-8", "replace"))))

    tree = assert_inert(drawn)
    assert any("fell" in title for title in titles(tree))


@pytest.mark.corpus
def test_every_picture_of_timebank_is_sound(timebank):
    for document in timebank.values():
        result = tlex.extract(document)

        tree = assert_inert(tlex.draw.svg(result))

        assert len(tree.xpath("//*[starts-with(@class, 'bar ')][*[local-name()='title']]")) == sum(
            len(timeline.intervals) for timeline in result.timelines if timeline.consistent
        )
        assert hidden(tree) == [], document.name


def test_every_thing_has_a_title_in_words():
    found = titles(parse(draw(STORY)))

    assert found[0] == f"Timeline of {STORY.name}"
    assert '"snowed" (ei1), event, factual: steps 2 to 3' in found
    assert '"midnight" (t4), 2020-01-01T00:00, time, factual: steps 17 to 18' in found
    assert "order unknown, steps 4 to 5: 4 points, 13 orders" in found
    assert 'MODAL l28: "promised" (ei11) to "hoot" (ei12)' in found


def test_times_have_square_corners_and_events_round_ones():
    tree = parse(draw(STORY))

    corners = {
        kind: {
            rect.get("rx") for rect in tree.xpath(f"//*[starts-with(@class, 'bar {kind}')]/*[@rx]")
        }
        for kind in ("time", "event")
    }

    assert corners == {"time": {"0"}, "event": {"4"}}


def test_a_title_says_how_far_an_end_can_move():
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("x", "BEFORE", "c")]

    found = titles(parse(tlex.draw.svg(tlex.extract(tlex.from_links(links)))))

    assert (
        "x, event, factual: steps 1 to 2; its start can move to step 3; its end can move to step 4"
    ) in found


def test_whiskers_reach_from_the_ends_of_a_bar_to_their_latest_steps():
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("x", "BEFORE", "c")]
    picture = lay_out(tlex.extract(tlex.from_links(links)))
    bar = next(bar for bar in picture.bars if bar.interval == "x")

    tree = parse(paint(picture))

    (path,) = tree.xpath("//*[@class='whisker'][ancestor::*[@class='bars']]/@d")
    runs = [tuple(map(float, found)) for found in re.findall(r"M([\d.]+) [\d.]+H([\d.]+)m0", path)]
    left = 28 + bar.left * 48
    assert runs == [
        (pytest.approx(left, abs=0.1), pytest.approx(left + 2 * 48, abs=0.1)),
        (pytest.approx(left + 48, abs=0.1), pytest.approx(left + 3 * 48, abs=0.1)),
    ]


def test_words_values_and_links_can_be_read():
    story, contradiction = (letters(parse(draw(path))) for path in (STORY, CONTRADICTION))

    for words in ("ticking", "yesterday afternoon2019-12-31TAF", "modal", "4 points, 13 orders"):
        assert words in story
    assert any(words.endswith("· 1 contradiction") for words in contradiction)
    for words in ("l2 IBEFORE", "l3 BEFORE", "l4 AFTER", "1: these 3 links cannot all hold"):
        assert words in contradiction


@pytest.mark.parametrize(
    ("links", "look"),
    [
        ([("a", "BEFORE", "b")], "solid"),
        ([("a", "EVIDENTIAL", "b")], "pale"),
        ([("a", "MODAL", "b")], "outlined"),
        ([("a", "CONDITIONAL", "b")], "outlined"),
        ([("a", "COUNTER_FACTIVE", "b")], "hatched"),
        ([("a", "NEG_EVIDENTIAL", "b")], "hatched"),
    ],
)
def test_how_far_an_event_is_a_fact_can_be_seen(links, look):
    tree = parse(tlex.draw.svg(tlex.extract(tlex.from_links(links))))

    bars = {name_in(bar[0].text): bar for bar in tree.xpath("//*[@class='bars']/*")}
    assert look in bars["b"].get("class").split()
    assert tree.xpath(f"//*[@class='legend']//*[contains(@class, ' {look}')]")


def test_a_negated_event_is_hatched_and_a_factual_one_is_not():
    tree = parse(draw(STORY))

    looks = {
        name_in(bar[0].text): bar.get("class").split()[2]
        for bar in tree.xpath("//*[@class='bars']/*")
    }
    assert (looks["asked"], looks["attended"], looks["brought"]) == (
        "hatched",
        "hatched",
        "outlined",
    )
    assert (looks["cheered"], looks["stop"]) == ("solid", "pale")


def test_an_interval_without_length_is_a_diamond():
    document = tlex.from_links([("e1", "BEFORE", "t1")], times={"t1": "TIME"})

    tree = parse(tlex.draw.svg(tlex.extract(document, times="point")))

    assert len(tree.xpath("//*[@class='bars']//*[@class='point']")) == 1


def test_the_legend_explains_what_occurs_and_nothing_else():
    plain = letters(parse(tlex.draw.svg(tlex.extract(tlex.from_links([("a", "BEFORE", "b")])))))
    broken = letters(parse(draw(CONTRADICTION)))

    assert plain[-1] == "factual"
    assert not any("order unknown" in words for words in plain)
    assert "links that cannot all hold, read along the arrows" in broken


def test_an_empty_document_has_a_picture():
    tree = parse(tlex.draw.svg(tlex.extract(tlex.from_links([]))))

    assert "0 events and times" in tree.find(f"{SVG}desc").text


def test_a_notebook_shows_the_picture():
    result = tlex.extract(tlex.read(STORY))

    assert result._repr_svg_() == tlex.draw.svg(result)


NEAR = "x IBEFORE a, x IBEFORE b, a BEFORE c, b BEFORE c, a BEFORE d, b BEFORE d"


def picture_of(links: str, **more):
    triples = [tuple(link.split()) for link in links.split(", ")]
    return lay_out(tlex.extract(tlex.from_links(triples, **more)))


def loose_bands(number):
    """Narrow sections of unknown order, one close behind the other."""
    for k in range(number):
        yield f"x{k} IBEFORE a{k}, x{k} IBEFORE b{k}, a{k} BEFORE x{k + 1}, b{k} BEFORE x{k + 1}"


@pytest.mark.parametrize("links", [NEAR, ", ".join(loose_bands(6))], ids=["two", "six"])
def test_no_band_is_painted_over_the_label_of_another(links):
    picture = picture_of(links)

    tree = parse(paint(picture))

    assert len(picture.bands) > 1
    assert {band.label for band in picture.bands} <= set(letters(tree))
    assert hidden(tree) == []


def test_nothing_is_painted_over_the_words_of_the_examples():
    assert [hidden(parse(draw(path))) for path in (STORY, CONTRADICTION)] == [[], []]


WIDE = "a BEFORE b, b BEFORE c, c BEFORE d, a BEFORE x, x BEFORE d"


@pytest.mark.parametrize("links", [NEAR, ", ".join(loose_bands(3)), WIDE])
def test_a_band_has_a_head_of_its_width_and_its_label_on_it_or_beside_it(links):
    picture = picture_of(links)

    tree = parse(paint(picture))

    poles = tree.xpath("//*[@class='bands']//*[local-name()='rect']")
    flags = tree.xpath("//*[@class='flags']//*[local-name()='rect']")
    texts = tree.xpath("//*[@class='open']//*[local-name()='text']")
    for band, pole, flag, text in zip(picture.bands, poles, flags, texts, strict=True):
        assert (pole.get("x"), pole.get("y")) == (flag.get("x"), flag.get("y"))
        left, wide, top = (float(flag.get(name)) for name in ("x", "width", "y"))
        assert text.text == band.label
        assert wide == float(pole.get("width"))
        start = float(text.get("x"))
        end = start + band.label_width * 48
        fits = band.label_width * 48 + 14 < wide
        assert left < start < end < left + wide if fits else left + wide < start
        assert top < float(text.get("y")) < top + float(flag.get("height"))
        assert end <= 28 + picture.width * 48 + 0.2


def test_the_label_of_a_connector_stands_in_the_middle_of_its_gap():
    tree = parse(draw(STORY))

    found = tree.xpath("//*[@class='connectors']//*[local-name()='text']")
    assert len(found) > 3
    for text in found:
        gap = text.getprevious()
        middle = float(gap.get("x")) + float(gap.get("width")) / 2
        assert float(text.get("x")) == pytest.approx(middle, abs=0.1)
    (anchored,) = re.findall(r"\n([^\n]*) { text-anchor: middle }", tree.findtext(f"{SVG}style"))
    assert ".tlex .connector text" in anchored.split(", ")


def test_kind_and_factuality_show_without_steps_as_well():
    links = (
        "a BEFORE b, b BEFORE t, t BEFORE n, n BEFORE a, b BEFORE m, a MODAL m, a NEG_EVIDENTIAL n"
    )
    picture = picture_of(links, times={"t": "DATE"})

    tree = parse(paint(picture))

    looks = {
        name_in(chip[0].text): chip.get("class").split()[1:3]
        for chip in tree.xpath("//*[@class='chips']/*")
    }
    factual = {chip.interval: chip.factuality for chip in picture.chips}
    assert looks["a"] == ["event", "solid"]
    assert looks["t"] == ["time", "solid"]
    assert (factual["m"], looks["m"]) == ("possible", ["event", "outlined"])
    assert (factual["n"], looks["n"]) == ("counterfactual", ["event", "hatched"])
    written = letters(tree)
    assert {"factual", "possible", "counterfactual", "time"} <= set(written)


def test_a_contradictory_part_says_how_many_stand_outside_its_panel():
    picture = lay_out(tlex.extract(tlex.read(CONTRADICTION)))

    (lane,) = (lane for lane in picture.lanes if not lane.consistent)
    end = lane.y + lane.height
    inside = [chip.label for chip in picture.chips if chip.row < end]
    below = [chip.label for chip in picture.chips if chip.row >= end]
    assert (len(inside), below) == (4, ["told"])
    assert lane.title.endswith(": 5 events and times without an order, 1 of them below")


def test_lines_run_under_titles_and_words_which_keep_clear_of_them():
    links = ", ".join(f"a BEFORE e{n}, e{n} MODAL f{n}, f{n} BEFORE g{n}" for n in range(8))

    drawn = paint(picture_of(f"{links}, a MODAL g0, e7 MODAL g0"))

    tree = parse(drawn)
    layers = [each.get("class") for each in tree.iter(f"{SVG}g")]
    assert layers.index("far") < layers.index("crossed") < layers.index("connectors")
    assert layers.index("connectors") < layers.index("titles") < layers.index("open")
    for words in tree.xpath("//*[@class='titles']/* | //*[contains(@class, ' beside')]"):
        assert "crossed" in [above.get("class") for above in words.iterancestors()]
    (clear,) = re.findall(r"\n([^\n]*) {[^}]*paint-order: stroke }", drawn)
    assert {".tlex .title", ".tlex .band text", ".tlex .crossed .beside text"} <= set(
        clear.split(", ")
    )


def test_everything_lies_inside_the_view():
    tree = parse(draw(STORY))

    _, _, width, height = map(float, tree.get("viewBox").split())
    for rect in tree.xpath("//*[@class='bars']//*[local-name()='rect']"):
        assert 0 < float(rect.get("x")) < float(rect.get("x")) + float(rect.get("width")) < width
        assert 0 < float(rect.get("y")) < height


# What is read on what: colours of letters, and of what lies under them.
READ = (
    ("ink", "paper"),
    ("ink", "open"),
    ("ink", "event-pale"),
    ("soft", "paper"),
    ("on", "event"),
    ("on", "time"),
    ("on", "good"),
    ("on", "bad"),
    ("open-ink", "open"),
    ("open-ink", "paper"),
    ("time", "paper"),
    ("time", "open"),
    ("branch", "paper"),
    ("bad", "bad-pale"),
)


@pytest.mark.parametrize("mode", [0, 1], ids=["paper", "dark"])
@pytest.mark.parametrize(("letter", "ground"), READ)
def test_letters_stand_out_from_their_ground(letter, ground, mode):
    light, dark = sorted(
        (brightness(COLOURS[letter][mode]), brightness(COLOURS[ground][mode])), reverse=True
    )

    assert (light + 0.05) / (dark + 0.05) >= 4.5  # WCAG 2, level AA


@pytest.mark.parametrize("mode", [0, 1], ids=["paper", "dark"])
@pytest.mark.parametrize("sight", ["protan", "deutan", "tritan"])
def test_events_times_branches_and_contradictions_differ_for_every_kind_of_sight(sight, mode):
    seen = [see(COLOURS[name][mode], sight) for name in ("event", "time", "branch", "bad")]

    for k, one in enumerate(seen):
        for other in seen[k + 1 :]:
            assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > 0.1


def channels(colour: str) -> list[float]:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def brightness(colour: str) -> float:
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), channels(colour), strict=True))


# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
SIGHTS = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def see(colour: str, sight: str) -> list[float]:
    """How it looks to eyes that lack one kind of cone, with brightness as eyes feel it."""
    linear = channels(colour)
    rows = [sum(w * c for w, c in zip(row, linear, strict=True)) for row in SIGHTS[sight]]
    return [max(value, 0.0) ** (1 / 2.2) for value in rows]


def size_of(drawn):
    root = parse(drawn)
    return float(root.get("width")), float(root.get("height"))


@pytest.mark.parametrize("width", [300, 700, 1000, 2500])
def test_a_picture_is_as_wide_as_it_is_asked_to_be(width):
    result = tlex.extract(tlex.read(STORY))
    drawn = tlex.draw.svg(result, width=width)

    _, _, wide, high = map(float, parse(drawn).get("viewBox").split())
    assert size_of(drawn)[0] == width
    assert wide >= width
    assert size_of(drawn)[1] == pytest.approx(high * width / wide, abs=0.2)


def test_a_narrow_page_is_a_long_one():
    links = [(f"a{number}", "BEFORE", f"b{number}") for number in range(30)]
    result = tlex.extract(tlex.from_links(links))

    narrow, wide = (size_of(tlex.draw.svg(result, width=width)) for width in (700, 1400))

    assert narrow[1] > 1.5 * wide[1]


def test_a_theme_has_the_colours_of_paper_of_a_dark_screen_or_of_both():
    result = tlex.extract(tlex.read(STORY))
    light, dark, auto = (tlex.draw.svg(result, theme=theme) for theme in ("light", "dark", "auto"))

    on_paper, on_screen = COLOURS["paper"]
    assert (on_paper in light, on_screen in light) == (True, False)
    assert (on_paper in dark, on_screen in dark) == (False, True)
    assert (on_paper in auto, on_screen in auto) == (True, True)
    assert "prefers-color-scheme" not in light + dark
    assert auto == tlex.draw.svg(result)


def test_labels_are_words_phrases_ids_both_or_none_and_titles_have_both():
    result = tlex.extract(tlex.read(STORY))
    seen = {
        labels: parse(tlex.draw.svg(result, labels=labels))
        for labels in ("words", "phrases", "ids", "both", "none")
    }

    shown = {labels: set(letters(tree)) for labels, tree in seen.items()}
    assert "snowed" in shown["words"]
    assert "Later nobody \u2039asked\u203a about the feathers in the cider." in shown["phrases"]
    assert "ei1" in shown["ids"]
    assert "snowed (ei1)" in shown["both"]
    assert not {"snowed", "ei1", "snowed (ei1)", "2020-01-01"} & shown["none"]
    for tree in seen.values():
        assert '"snowed" (ei1), event, factual: steps 2 to 3' in titles(tree)


@pytest.mark.parametrize("labels", ["words", "phrases", "ids", "both", "none"])
def test_a_contradiction_always_has_names(labels):
    result = tlex.extract(tlex.read(ROOT / "examples" / "contradiction.tml"))

    shown = letters(parse(tlex.draw.svg(result, labels=labels)))

    name = {"words": "ate", "phrases": "ate", "both": "ate (ei2)"}.get(labels, "ei2")
    assert name in shown


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 0}, "width cannot be 0"),
        ({"width": "wide"}, "width cannot be 'wide'"),
        ({"width": float("inf")}, "width cannot be inf"),
        ({"theme": "blue"}, "choose from auto, light, dark"),
        ({"labels": "names"}, "choose from words, phrases, ids, both, none"),
    ],
)
def test_what_cannot_be_drawn_is_an_error(options, words):
    with pytest.raises(tlex.OptionError, match=words):
        tlex.draw.svg(tlex.extract(tlex.read(STORY)), **options)


@pytest.mark.parametrize("draw", [tlex.draw.svg, tlex.draw.png, tlex.draw.text])
def test_what_is_neither_a_document_nor_a_result_is_refused(draw):
    with pytest.raises(tlex.OptionError, match="only a document or a result"):
        draw(STORY)
