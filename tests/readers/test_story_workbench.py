"""Story Workbench: layers of descriptions, words by tokens, and blanks that the file has lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotWellFormedError, RefusedError, TooLargeError
from tlex.export import convert
from tlex.nouns import Code

FILE = Path(__file__).parents[1] / "data" / "tale.sty"
TALE = FILE.read_text(encoding="utf-8")
WHOLE = '/* a tale */\nAnn said "Tom \ncould not sleep". \nShe went out at noon and \nwoke him up.'


@pytest.fixture(scope="module")
def document() -> tlex.Document:
    return tlex.read(FILE)


def test_the_blanks_at_the_ends_of_lines_are_put_back(document):
    assert document.format == "sty"
    assert document.text == WHOLE
    assert document.diagnostics == ()


def test_nodes_have_the_words_of_their_tokens(document):
    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("30", "said"),
        ("31", "sleep"),
        ("32", "went out"),
        ("40", "noon"),
        ("33", "woke up"),
    ]
    assert document.events[1].attributes == {
        "class": "OCCURRENCE", "pos": "VERB", "tense": "NONE", "aspect": "NONE",
        "polarity": "NEG", "cardinality": "1", "modality": "could",
    }  # fmt: skip
    assert document.timexes[0].attributes == {"type": "TIME"}


def test_links_of_three_kinds_are_read_as_source_type_target(document):
    found = [(x.id, x.kind, x.source, x.type, x.target) for x in document.links]

    assert found == [
        ("50", "TLINK", "30", "BEFORE", "32"),
        ("51", "TLINK", "32", "IS_INCLUDED", "40"),
        ("52", "TLINK", "32", "BEFORE", "33"),
        ("53", "SLINK", "30", "NEGATIVE_EVIDENTIAL", "31"),
        ("54", "ALINK", "33", "INITIATES", "31"),
    ]  # fmt: skip
    assert [(signal.id, signal.text_start, signal.text_end) for signal in document.signals] == [
        ("14", 60, 62)
    ]
    assert document.links[1].signal == "14"


def test_the_sentences_of_the_file_are_those_of_the_document(document):
    found = [document.text[span.start : span.end] for span in document.sentences]

    assert found == ["/* a tale */", 'Ann said "Tom \ncould not sleep".', WHOLE[47:]]


def test_layers_without_temporal_annotation_are_counted(document):
    assert document.skipped == {"edu.mit.parsing.pos": 1}


def test_every_noun_has_its_place_in_the_file(document):
    for noun in (*document.nodes, *document.links):
        element = document.source.data[noun.byte_start : noun.byte_end]
        assert element.startswith(f'<desc id="{noun.id}"'.encode())
        assert element.endswith(b"</desc>")


def test_answers_can_be_proven_and_the_document_written(document):
    assert tlex.verify(document, tlex.extract(document))
    again = tlex.parse(convert(document, "timeml")[0])

    assert again.text == document.text
    assert len(again.links) == len(document.links)


def test_the_example_of_the_format_is_read():
    example = """<story><rep id="edu.mit.story.char"><desc id="0" len="27" off="0">
Tom ran after Ann had left.
</desc></rep><rep id="edu.mit.parsing.token"><desc id="1" len="3" off="0">Tom</desc>
<desc id="2" len="3" off="4">ran</desc><desc id="3" len="5" off="8">after</desc>
<desc id="4" len="3" off="14">Ann</desc><desc id="5" len="3" off="18">had</desc>
<desc id="6" len="4" off="22">left</desc><desc id="7" len="1" off="26">.</desc></rep>
<rep id="edu.mit.semantics.rep.event">
<desc id="8" len="3" off="4">OCCURRENCE|2|2|VERB|PAST|NONE|true||1||</desc>
<desc id="9" len="8" off="18">OCCURRENCE|6|5~6|VERB|PAST|PERFECT|true||1||</desc></rep>
<rep id="edu.mit.semantics.rep.timelink"><desc id="10" len="22" off="4">TEMPORAL|AFTER|8|9|3</desc>
</rep></story>"""

    document = tlex.parse(example, strict=True)

    (link,) = document.links
    assert (link.source, link.type, link.target) == ("8", "AFTER", "9")
    assert [document.words(node) for node in document.nodes] == ["ran", "had left"]


def test_windows_line_ends_count_once():
    document = tlex.parse(TALE.replace("\n", "\r\n").encode())

    assert document.text == WHOLE


def test_where_the_text_does_not_fit_the_words_of_the_tokens_are_used():
    document = tlex.parse(TALE.replace("She went out", "Off she had gone"))

    assert [problem.code for problem in document.diagnostics] == [Code.DANGLING]
    assert "has 86 characters where the file says '85'" in document.diagnostics[0].message
    assert document.words(document.nodes[document.index["32"]]) == "went out"


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("TEMPORAL|BEFORE|30|32|", "TEMPORAL|BEFORE|30|99|", Code.DANGLING, "'99', which the doc"),
        ("TEMPORAL|BEFORE|30|32|", "TEMPORAL|SOON|30|32|", Code.UNKNOWN_TYPE, "relation 'SOON'"),
        ("TEMPORAL|BEFORE|30|32|", "CAUSAL|BEFORE|30|32|", Code.UNKNOWN_TYPE, "kind 'CAUSAL'"),
        ("TEMPORAL|BEFORE|30|32|", "TEMPORAL|BEFORE", Code.MISSING_ATTRIBUTE, "2 fields in place"),
        ("|12~13|", "|12~99|", Code.DANGLING, "32 names token '99'"),
        ('id="32"', 'id=""', Code.MISSING_ATTRIBUTE, "has no id; it is left out"),
        ('id="3" len="4"', 'id="2" len="4"', Code.REPEATED_ID, "token repeats the id '2'"),
        ('id="3" len="4"', 'id="3" len="x"', Code.MISSING_ATTRIBUTE, "token has no id, off or"),
        ('len="38" off="47"', 'len="380" off="47"', Code.DANGLING, "a sentence is not inside"),
        ('id="31" len', 'id="30" len', Code.REPEATED_ID, "repeats the id '30'"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(old, new, code, message):
    document = tlex.parse(TALE.replace(old, new))

    found = [p for p in document.diagnostics if p.code == code and message in p.message]
    assert len(found) == 1
    assert found[0].line == TALE[: TALE.index(old)].count("\n") + 1
    assert tlex.verify(document, tlex.extract(document))


def test_a_layer_may_occur_twice_or_be_missing():
    links = TALE[TALE.index('<rep id="edu.mit.semantics.rep.timelink">') :]
    without = TALE.replace(links, "</story>")

    assert tlex.parse(without, strict=True).links == ()
    one, rest = links.split("</desc>", 1)
    twice = f"{one}</desc></rep>{one.partition('<desc')[0]}{rest}"
    assert len(tlex.parse(TALE.replace(links, twice), strict=True).links) == 5


def test_a_file_without_text_is_read_with_the_words_of_its_tokens():
    document = tlex.parse(TALE.replace('"edu.mit.story.char"', '"edu.mit.story.other"'))

    assert document.text == ""
    assert {document.words(node) for node in document.nodes} >= {"said", "went out", "noon"}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('<story><rep id="x"><desc>', NotWellFormedError),
        ("<!DOCTYPE d [<!ENTITY x 'y'>]><story><rep id='x'/></story>", RefusedError),
        ("<story><rep id='x'>" + "<a>" * 300 + "</a>" * 300 + "</rep></story>", TooLargeError),
    ],
)
def test_the_guards_are_those_of_timeml(content, error):
    with pytest.raises(error):
        tlex.parse(content)


def test_a_story_that_is_none_is_refused():
    with pytest.raises(tlex.ReadError, match="no reader recognises"):
        tlex.parse("<story><title>x</title></story>")


@given(st.integers(0, len(TALE)), st.integers(0, 60), st.text(max_size=8))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(start, length, new):
    try:
        document = tlex.parse(TALE[:start] + new + TALE[start + length :])
    except (tlex.ReadError, tlex.OptionError):
        return
    assert tlex.verify(document, tlex.extract(document))


@given(st.lists(st.sampled_from(["a", "bc", "d.", "e f", "\n", "\n\n"]), max_size=30))
def test_any_text_comes_back_if_only_blanks_before_newlines_are_lost(parts):
    """The text is made here, and a token for each word, so that the rule is not its own judge."""
    whole = " ".join(["start", *parts, "end"])
    lost = whole.replace(" \n", "\n")
    words, at = [], 0
    for word in whole.split():
        at = whole.index(word, at)
        words.append((at, word))
        at += len(word)
    tokens = "".join(
        f'<desc id="{n}" off="{at}" len="{len(word)}">{word}</desc>'
        for n, (at, word) in enumerate(words, 1)
    )
    file = (
        f'<story><rep id="edu.mit.story.char"><desc id="0" off="0" len="{len(whole)}">\n{lost}\n'
        f'</desc></rep><rep id="edu.mit.parsing.token">{tokens}</rep></story>'
    )

    document = tlex.parse(file)

    if len(document.text) == len(whole):  # a line of blanks alone has no token that shows it
        assert [document.text[at : at + len(word)] for at, word in words] == [w for _, w in words]


@pytest.mark.corpus
def test_propplearner_has_the_figures_of_the_paper(corpora):
    files = sorted((corpora / "propplearner").glob("*.sty"))
    if not files:
        pytest.skip("no propplearner among the corpora")
    documents = {file.name: tlex.read(file, strict=True) for file in files}

    kinds = Counter(link.kind for document in documents.values() for link in document.links)
    slinks = [
        sum(link.kind == "SLINK" for link in document.links) for document in documents.values()
    ]
    assert len(documents) == 15
    assert sum(len(document.events) for document in documents.values()) == 3_438
    assert sum(len(document.timexes) for document in documents.values()) == 142
    assert kinds == {"TLINK": 2_725, "ALINK": 98, "SLINK": 1_241}
    assert (min(slinks), round(sum(slinks) / 15, 1), max(slinks)) == (33, 82.7, 134)
    for links, listed, number in (
        (["TLINK"], "tlink", 9),
        (["TLINK", "ALINK"], "tlink-alink", 11),
    ):
        found = [
            name
            for name, document in documents.items()
            if not tlex.extract(document, links=links).consistent
        ]
        names = (corpora / f"propplearner.inconsistent-{listed}.txt").read_text(encoding="utf-8")
        assert len(found) == number
        assert found == sorted(names.split())


@pytest.mark.corpus
def test_the_lengths_of_the_paper_are_those_of_the_four_consistent_texts(corpora):
    results = [tlex.extract(tlex.read(f)) for f in sorted((corpora / "propplearner").glob("*.sty"))]
    if not results:
        pytest.skip("no propplearner among the corpora")

    lengths = [
        max(timeline.length for timeline in result.timelines if timeline.main)
        for result in results
        if result.consistent
    ]

    assert (min(lengths), sum(lengths) / 4, max(lengths)) == (128, 180.5, 290)
