"""What is never done, whoever asks: entities, files from outside, great depth, vast attributes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tlex
from tlex.errors import NotWellFormedError, RefusedError
from tlex.readers.xml import MAX_ATTRIBUTE, MAX_DEPTH

DATA = Path(__file__).resolve().parents[1] / "data"

# --- document types -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE TimeML>",
        '<!DOCTYPE TimeML SYSTEM "TimeML.dtd">',
        '<!DOCTYPE TimeML PUBLIC "-//TimeML//EN" "http://timeml.invalid/TimeML.dtd">',
        "<!DOCTYPE TimeML []>",
        '<!DOCTYPE TimeML SYSTEM "TimeML.dtd" [<!ELEMENT TimeML ANY>]>',
        "<!DOCTYPE TimeML [<!ELEMENT EVENT (#PCDATA)><!ATTLIST EVENT eid ID #REQUIRED>]>",
        '<!DOCTYPE TimeML [<!NOTATION gif SYSTEM "gif"><!-- a --><?b?>]>',
        '<?xml version="1.0" standalone="yes"?><!DOCTYPE TimeML SYSTEM "TimeML.dtd">',
    ],
)
def test_a_document_type_is_accepted(doctype):
    document = tlex.parse(f'{doctype}<TimeML><EVENT eid="e1">ran</EVENT></TimeML>')

    assert document.events[0].attributes == {"eid": "e1"}
    assert document.text == "ran"


def test_a_dtd_beside_the_file_is_not_loaded():
    assert (DATA / "outside" / "story.dtd").is_file()

    document = tlex.read(DATA / "outside" / "story.tml")

    assert document.text == "\nThen &who; rang.\n\n"
    assert document.events[0].attributes == {"eid": "e1"}
    (diagnostic,) = document.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("TLX108", "warning")
    assert (diagnostic.line, diagnostic.column) == (4, 6)
    assert "'who'" in diagnostic.message


WATCHER = """
import json, pathlib, sys
import tlex

content = pathlib.Path(sys.argv[1]).read_bytes()
try:  # so that every module is there before the watch begins
    tlex.extract(tlex.read(sys.argv[2])).to_json()
except tlex.TlexError:
    pass
seen = []

def watch(event, arguments):
    if event.split(".")[0] in {"open", "socket", "urllib", "http", "ftplib", "subprocess", "os"}:
        seen.append([event, repr(arguments)])

sys.addaudithook(watch)
try:
    answer = tlex.parse(content).text
except tlex.TlexError as error:
    answer = str(error)
print(json.dumps({"answer": answer, "seen": list(seen)}))
"""


def watch_parsing(content: str, tmp_path: Path) -> dict[str, object]:
    """Parse in a process of its own, and give the answer and each file or socket it opened."""
    path = tmp_path / "watched.tml"
    path.write_text(content, "utf-8")
    command = [sys.executable, "-c", WATCHER, str(path), str(DATA / "outside" / "story.tml")]
    done = subprocess.run(  # noqa: S603 -- our own interpreter
        command, capture_output=True, text=True, timeout=60, cwd=DATA / "outside", check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "doctype",
    [
        'SYSTEM "story.dtd"',
        'SYSTEM "file://{folder}/story.dtd"',
        'SYSTEM "file:///etc/hostname"',
        'SYSTEM "http://127.0.0.1:9/story.dtd"',
        'PUBLIC "-//x//y" "https://timeml.invalid/story.dtd"',
        'SYSTEM "story.dtd" [%more;]',
    ],
)
def test_nothing_outside_the_file_is_opened(doctype, tmp_path):
    folder = (DATA / "outside").as_posix()
    doctype = f"<!DOCTYPE TimeML {doctype.format(folder=folder)}>"

    watched = watch_parsing(
        f'{doctype}<TimeML>&who; <EVENT eid="e1">ran</EVENT></TimeML>', tmp_path
    )

    assert watched == {"answer": "&who; ran", "seen": []}


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY who SYSTEM "story.dtd">',
        '<!ENTITY who SYSTEM "file:///etc/hostname">',
        '<!ENTITY % who SYSTEM "story.dtd"> %who;',
        '<!ENTITY % who SYSTEM "http://127.0.0.1:9/"> %who;',
    ],
)
def test_an_external_entity_is_refused_unopened(declaration, tmp_path):
    watched = watch_parsing(f"<!DOCTYPE TimeML [{declaration}]>\n<TimeML>&who;</TimeML>", tmp_path)

    assert watched["seen"] == []
    assert "'who'" in watched["answer"]
    assert "entity" in watched["answer"]


# --- entities -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY who "the postman">',
        "<!ENTITY who ''>",
        '<!ENTITY who SYSTEM "postman.txt">',
        '<!ENTITY who PUBLIC "-//x//y" "postman.txt">',
        '<!ENTITY % who "the postman">',
        '<!ENTITY % who SYSTEM "postman.dtd">',
        '<!NOTATION gif SYSTEM "gif"><!ENTITY who SYSTEM "postman.gif" NDATA gif>',
        '<!ENTITY lt "&#38;#60;"><!ENTITY who "x">',
    ],
)
@pytest.mark.parametrize("used", ["&who;", "&#38;who;", ""])
def test_entity_declarations_are_refused_used_or_not(declaration, used):
    text = f"<!DOCTYPE TimeML [\n  {declaration}]>\n<TimeML>{used}</TimeML>"

    with pytest.raises(RefusedError, match="entity") as caught:
        tlex.parse(text, name="x.tml")

    assert caught.value.line == 2
    assert str(caught.value).startswith(f"x.tml:2:{caught.value.column}: ")


def test_a_long_entity_name_does_not_make_a_long_message():
    text = f'<!DOCTYPE TimeML [<!ENTITY {"a" * 50_000} "b">]><TimeML/>'

    with pytest.raises(RefusedError) as caught:
        tlex.parse(text)

    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "<TimeML>\n &eacute;</TimeML>",
        "<!DOCTYPE TimeML><TimeML>\n &eacute;</TimeML>",
        (
            '<?xml version="1.0" standalone="yes"?><!DOCTYPE TimeML SYSTEM "x.dtd">'
            "<TimeML>\n &eacute;</TimeML>"
        ),
    ],
)
def test_an_undefined_entity_is_refused_where_it_stands(text):
    with pytest.raises((RefusedError, NotWellFormedError), match="entity") as caught:
        tlex.parse(text)

    assert (caught.value.line, caught.value.column) == (2, 2)


def test_an_undefined_entity_in_an_attribute_is_refused():
    with pytest.raises((RefusedError, NotWellFormedError), match="entity") as caught:
        tlex.parse('<TimeML>\n<EVENT eid="&eacute;"/></TimeML>')

    assert caught.value.line == 2


def test_after_a_parameter_entity_from_outside_nothing_is_expanded():
    document = tlex.parse(
        '<!DOCTYPE TimeML SYSTEM "x.dtd" [%more; <!ENTITY who "x">]><TimeML>&who;</TimeML>'
    )

    assert document.text == "&who;"
    assert [d.code for d in document.diagnostics] == ["TLX108"]


# --- depth and attributes -----------------------------------------------------------------------


def nest(depth: int, element: str = "s") -> str:
    """Write elements ``depth`` deep, the root counted, with an event in the innermost."""
    before, after = f"<{element}>" * (depth - 2), f"</{element}>" * (depth - 2)
    return f'<TimeML>{before}<EVENT eid="e1">ran</EVENT>{after}</TimeML>'


def test_nesting_up_to_the_limit_is_read():
    assert MAX_DEPTH == 256

    document = tlex.parse(nest(256))

    assert document.words(document.events[0]) == "ran"


@pytest.mark.parametrize("depth", [257, 300, 5000])
def test_deeper_nesting_is_refused_where_it_begins(depth):
    with pytest.raises(RefusedError, match="256 deep") as caught:
        tlex.parse(nest(depth))

    place = len("<TimeML>") + 255 * len("<s>") + 1
    assert (caught.value.line, caught.value.column) == (1, place)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
@pytest.mark.parametrize("letter", ["x", "é"])
def test_an_attribute_up_to_the_limit_is_read(codec, letter):
    assert MAX_ATTRIBUTE == 2**20
    value = letter * 2**20

    document = tlex.parse(f'<TimeML><EVENT eid="e1" note="{value}"/></TimeML>'.encode(codec))

    assert document.events[0].attributes["note"] == value


@pytest.mark.parametrize("element", ["EVENT", "TLINK", "TimeML", "unknown"])
def test_a_longer_attribute_is_refused_where_its_element_stands(element):
    text = f'<a>\n <{element} eid="e1" note="{"x" * (2**20 + 1)}"/><EVENT/></a>'

    with pytest.raises(RefusedError, match="longer than 1,048,576") as caught:
        tlex.parse(f"<TimeML>{text}</TimeML>", name="x.tml")

    assert repr(element) in str(caught.value)
    assert (caught.value.line, caught.value.column) == (2, 2)
    assert len(str(caught.value)) < 300
