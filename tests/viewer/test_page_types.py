"""The types of the script are those of the data: real pages are read by the TypeScript file."""

import json
import re
from pathlib import Path

import msgspec
import pytest

import tlex
from tlex.repair.what_if import NewLink
from tlex.viewer.data import Changes, Entry, Place, describe_document
from tlex.viewer.library import Library
from tlex.viewer.repair_data import describe_repair
from tlex.viewer.repair_desk import Desk, Move

ROOT = Path(__file__).parents[2]
PLAIN = {"string": str, "number": int | float, "boolean": bool, "null": type(None)}


def read_interfaces():
    """Read the interfaces of the file, each as its fields with their types."""
    text = (ROOT / "web" / "src" / "data.ts").read_text(encoding="utf-8")
    found = re.findall(r"^export interface (\w+) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    field = re.compile(r"^  (\w+)(\??): (.+);$", re.MULTILINE)
    return {
        name: {key: (bool(mark), kind) for key, mark, kind in field.findall(body)}
        for name, body in found
    }


def split(kind, mark):
    """Split a type at a mark that is outside brackets."""
    parts, depth = [""], 0
    for letter in kind:
        depth += (letter in "[<({") - (letter in "]>)}")
        if letter == mark and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def fits(value, kind, interfaces):  # noqa: PLR0911 -- one for each kind of type
    """Say whether a value of the page has a type of the script."""
    options = split(kind, "|")
    if len(options) > 1:
        return any(fits(value, option, interfaces) for option in options)
    if kind.endswith("[]"):
        inner = kind[:-2].removeprefix("(").removesuffix(")")
        return isinstance(value, list) and all(fits(one, inner, interfaces) for one in value)
    if kind.startswith("["):
        kinds = split(kind[1:-1], ",")
        return (
            isinstance(value, list)
            and len(value) == len(kinds)
            and all(fits(one, each, interfaces) for one, each in zip(value, kinds, strict=True))
        )
    if kind.startswith("Record<string, "):
        return all(fits(one, kind[15:-1], interfaces) for one in value.values())
    if kind.startswith('"'):
        return value == kind.strip('"')
    if kind in PLAIN:
        return isinstance(value, PLAIN[kind]) and isinstance(value, bool) == (kind == "boolean")
    fields = interfaces[kind]
    return (
        isinstance(value, dict)
        and value.keys() <= fields.keys()
        and {key for key, (optional, _) in fields.items() if not optional} <= value.keys()
        and all(fits(one, fields[key][1], interfaces) for key, one in value.items())
    )


@pytest.mark.parametrize("name", ["story.tml", "contradiction.tml"])
@pytest.mark.parametrize("calendar", [False, True])
def test_a_real_page_has_the_types_of_the_script(name, calendar):
    interfaces = read_interfaces()
    result = tlex.extract(tlex.read(ROOT / "examples" / name), calendar=calendar)
    page = json.loads(msgspec.json.encode(describe_document(result, Place(number=1, total=2))))

    assert fits(page, "DocumentData", interfaces)
    assert not fits({**page, "more": 1}, "DocumentData", interfaces)
    assert not fits({**page, "links": [{"id": 1}]}, "DocumentData", interfaces)


def test_what_the_server_says_of_changes_has_the_types_of_the_script():
    entry = Entry(name="a.tml", href="/a", verdict="waiting")
    said = msgspec.json.encode(Changes(version=3, whole=False, entries=(entry,)))

    assert fits(json.loads(said), "Changes", read_interfaces())


def test_a_repair_session_has_the_types_of_the_script(tmp_path):
    library = Library(str(ROOT / "examples" / "contradiction.tml"))
    library.scan()
    desk = Desk(library, str(tmp_path / "fixes.json"), "Ann")
    (entry,) = library.settle()
    desk.look_at(entry)
    session, state = desk.open(entry.name)
    page = describe_repair(session, state, Place(), name="a", headline="b", where="/c")
    trial = desk.try_out(entry.name, Move(option=1))
    interfaces = read_interfaces()

    for value, kind in [
        (page, "RepairData"),
        (desk.list_entries()[0], "RepairEntry"),
        (trial, "Trial"),
        (Move(add=NewLink("a", "BEFORE", "b")), "Move"),
    ]:
        assert fits(json.loads(msgspec.json.encode(value)), kind, interfaces), kind
