"""Files that are no documents are refused by name in one line, and skipped in a directory."""

from __future__ import annotations

import pytest

import tlex
from tlex.cli.app import run
from tlex.errors import NotRecognisedError
from tlex.readers import recognise
from tlex.readers.others import explain_other, is_binary

UMR = """# :: snt1\tAnn fell .
Index: 1 2 3

# sentence level graph:
(s1f / fall-01)

# document level annotation:
(s1 / sentence :temporal ((document-creation-time :before s1f)))
"""
OTHERS = {
    "schema": ('<xs:schema xmlns:xs="x"><xs:element name="EVENT"/></xs:schema>', "XML Schema"),
    "setting": ("<?xml version='1.0'?><setting></setting>", "settings of Anafora"),
    "types": ("<typeSystemDescription/>", "type system of UIMA"),
    "estonian": ('# fileName\tsentence\nd1\t1\t2\t"langes"\tEVENT\te1\n', "EstTimeML"),
    "estonian links": ("# fileName\tA\tlabel\tB\nd1\te1\tBEFORE\te2\tka VAGUE\n", "EstTimeML"),
    "graph": ("filename:x:SNT_LIST\nAnn fell .\nEDGE_LIST\n", "TDG"),
    "tree": ("d1\t0\t1\t1\tEvent\t-1\t-1\t-1\tDepend-on\n", "TDT"),
    "umr": (UMR, "UMR"),
    "umr 2": (f"{'#' * 80}\n# meta-info :: sent_id = 1\n{UMR}", "UMR"),
    "tree's text": ("filename:VOA_0001\nAnn fell .\n\n", "TDT"),
    "estonian words": ("# fileName\tsentenceID\twordID\ttoken\nd1\t0\t0\tAnn\n", "EstTimeML"),
    "perl": ("\n$x = '<EVENT eid=\"e1\">';\n", None),
    "readme": ("1) <token>: token of the document\n<TLINK lid='l1'>\n", None),
    "votes": ("_unit_id,_golden,verb1\n1,false,said\n", "votes of MATRES"),
    "caevo": ("e1\tt0\tv\ne1\te2\tb\n", "without the document's name"),
    "caevo pairs": ("e1\te2\t\ne1\te3\t\n", "without the document's name"),
    "tddiscourse": ("d1\te1\te2\tb\tcausal\nd1\te1\te3\ta\tother\n", "repeats rows"),
    "semeval": ("airbus\n1\t2005-01-XX\t16844-2-4-flight\t1-2-3-x\n", "SemEval-2015 Task 4"),
    "questions": ("1|x.tml|IS ei1 BEFORE ei2|Did it?|yes\n", "QA-TempEval"),
    "narrativetime": (
        '{"text": "a b", "events": [], "timex": [], "event_order": []}\n',
        "its TimeML files can be read",
    ),
    "eventfull input": ('{"main_doc": {"tokens": []}}', "input of the annotation tool EventFull"),
    "brat": ("[entities]\nEvent\n[relations]\n", "configuration of brat"),
    "brat tools": ("# of this project\n\n[options]\nTokens tokenizer:whitespace\n", "brat"),
    "rtf": (r"{\rtf1\ansi <EVENT eid='e1'>}", "RTF"),
    "pdf": ("%PDF-1.4 <TIMEX3 tid='t1'>", "PDF"),
}


@pytest.mark.parametrize(("text", "words"), OTHERS.values(), ids=OTHERS)
def test_a_file_that_is_known_and_not_read_is_refused_by_name(text, words):
    with pytest.raises(NotRecognisedError) as caught:
        tlex.parse(text, name="x")

    assert str(caught.value).startswith(
        f"x:1:1: no reader recognises this file{': it ' * bool(words)}"
    )
    assert (words or "; formats known here: timeml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_is_said_of_an_unknown_file():
    assert explain_other("Dear Ann,\n") is None
    assert explain_other("") is None


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"PK\x03\x04\x14\0 <TLINK", True),
        (b"ab\0", True),
        (b" " * 9000 + b"\0", False),
        ("<TimeML/>".encode("utf-16"), False),
        ("<TimeML/>".encode("utf-16-le"), False),
        ("\n<TimeML/>".encode("utf-16-be"), False),
        (b"<TimeML>\0", False),
        (b"", False),
    ],
)
def test_a_nul_makes_a_file_binary_unless_it_is_utf_16(data, binary):
    assert is_binary(data) == binary


def test_mae_s_events_are_not_timeml_s():
    text = "<Task><TEXT>x</TEXT><TAGS><EVENT id='E0' start='0' end='1' text='x'/></TAGS></Task>"

    try:
        form = recognise(text.encode(), "x")
    except NotRecognisedError:
        form = ""

    assert form != "timeml"


def test_in_a_directory_they_are_skipped(tmp_path, capfd):
    for number, (text, _) in enumerate(OTHERS.values()):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "note.tml").write_text("<TimeML/>")

    assert run(["extract", str(tmp_path)]) == 0

    assert f"skipped {len(OTHERS)} files" in capfd.readouterr().err


@pytest.mark.parametrize(
    "content",
    [
        '{"rows": [{"n": 1, "links": []}]}',
        '{"a": {"result": {"links": [{"from": "a", "to": "b"}]}}}',
        '{"n": 1}\n{"n": 2}\n',
        '[{"n": 1}, {"n": 2}]',
    ],
)
def test_json_without_a_known_key_on_the_outside_is_not_recognised(content):
    with pytest.raises(tlex.NotRecognisedError):
        tlex.parse(content)


@pytest.mark.parametrize(
    ("shell", "name"),
    [
        ("<data/>", "Anafora"),
        ("<data><a/></data>", "Anafora"),
        ('<Document doc_id="1"><EVENT m_id="1">a</EVENT></Document>', "CAT"),
        ("<Document></Document>", "CAT"),
        ("<story/>", "Story Workbench"),
        ("<Task><TEXT/><TAGS/></Task>", "MAE"),
    ],
)
def test_an_empty_shell_is_refused_by_name(shell: str, name: str):
    with pytest.raises(tlex.TlexError, match=name):
        tlex.parse(shell)
