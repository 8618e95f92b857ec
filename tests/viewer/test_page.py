"""The page as bytes: whole in itself, the same every time, and true to its sources."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from html import unescape
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import EVERY, document_of, tangled_graphs

import tlex
from tlex.draw.style import COLOURS
from tlex.viewer.data import Place, describe_document
from tlex.viewer.page import PagesToCome, html

EXAMPLES = Path(__file__).parents[2] / "examples"
STATIC = files("tlex.viewer") / "static"


@pytest.fixture
def story() -> tlex.Extraction:
    return tlex.extract(tlex.read(EXAMPLES / "story.tml", name="story.tml"))


def policy_of(page: str) -> dict[str, str]:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    parts = (part.strip().partition(" ") for part in unescape(found[1]).split(";"))
    return {name: value for name, _, value in parts}


def test_the_policy_names_the_script_and_the_styles_of_the_page_and_nothing_else(story):
    page = html(story)

    policy = policy_of(page)

    def hashes(tag: str) -> str:
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digests = (hashlib.sha256(one.encode()).digest() for one in found)
        return " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)

    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == hashes("script")
    assert sorted(policy["style-src"].split()) == sorted(hashes("style").split())
    assert policy["connect-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["trusted-types"] == "'none'"


def test_a_page_from_a_server_may_ask_it_and_no_other(story):
    assert policy_of(html(story, Place(live=1)))["connect-src"] == "'self'"


def test_nothing_is_loaded_from_elsewhere(story):
    page = html(story)

    outside = page.replace(STATIC.joinpath("viewer.js").read_text("utf-8"), "")
    names = set(re.findall(r"https?://[^\s\"'`<]*", page)) - {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/XML/1998/namespace",
        "http://www.w3.org/2000/xmlns/",
        "http://www.w3.org/1998/Math/MathML",
    }
    assert not names
    assert not re.search(r"\s(src|href)=(?!\"data:,\")", outside)


@pytest.mark.parametrize("name", ["viewer.js", "viewer.css"])
def test_script_and_style_can_stand_inside_a_page(name):
    content = STATIC.joinpath(name).read_text("utf-8")

    assert "</script" not in content.lower()
    assert "</style" not in content.lower()
    assert "<!--" not in content
    assert "sourceMappingURL" not in content


def test_static_and_interactive_pictures_share_their_colours(story):
    page = html(story)

    for name, (light, dark) in COLOURS.items():
        assert f"--{name}:{light};" in page
        assert f"--{name}:{dark};" in page
    used = set(re.findall(r"var\(--([a-z-]+)", STATIC.joinpath("viewer.css").read_text("utf-8")))
    own = set(re.findall(r"--([a-z-]+):", STATIC.joinpath("viewer.css").read_text("utf-8")))
    assert used <= own | COLOURS.keys()


def test_the_same_document_gives_the_same_page(story):
    again = tlex.extract(tlex.read(EXAMPLES / "story.tml", name="story.tml"))

    assert html(story) == html(again)


def test_the_text_is_given_in_segments_that_make_it_up():
    document = tlex.parse(
        '<TimeML>One\ntwo <EVENT eid="e1" class="X">three <TIMEX3 tid="t1" type="DATE" '
        'value="2020">four</TIMEX3></EVENT>.\n\n\n  End'
        '<MAKEINSTANCE eventID="e1" eiid="ei1"/></TimeML>'
    )

    data = describe_document(tlex.extract(document), Place())

    ids = [node.id for node in data.nodes]
    assert [(piece, [ids[n] for n in nodes]) for piece, nodes in data.text] == [
        ("One two ", []),
        ("three ", ["ei1"]),
        ("four", ["t1", "ei1"]),
        (".\n\nEnd", []),
    ]


def test_very_many_nodes_on_one_stretch_stay_cheap():
    events = "".join(f'<EVENT eid="e{n}" class="X">' for n in range(150))
    text = f"<TimeML>{events}deep{'</EVENT>' * 150}</TimeML>"

    data = describe_document(tlex.extract(tlex.parse(text)), Place())

    assert len(data.nodes) == 150
    assert max(len(nodes) for _, nodes in data.text) <= 12


@given(tangled_graphs(labels=EVERY))
@settings(max_examples=40)
def test_every_result_has_a_page_that_tells_all_of_it(graph):
    result = tlex.extract(document_of(graph))

    page = html(result)

    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert [node["id"] for node in data["nodes"]] == [node.id for node in result.nodes]
    assert [link["id"] for link in data["links"]] == [link.id for link in result.document.links]
    for node in data["nodes"]:
        points = result.timelines[node["timeline"]].points
        assert node.get("start") == (list(points[node["id"] + "-"]) if points else None)
        assert node.get("end") == (list(points[node["id"] + "+"]) if points else None)
    drawn = {thing["interval"] for kind in ("bars", "chips") for thing in data["picture"][kind]}
    assert drawn == {node.id for node in result.nodes}


def test_the_lock_file_holds_no_addresses_of_registries():
    lock = Path(__file__).parents[2] / "web" / "package-lock.json"
    if not lock.exists():
        pytest.skip("the sources of the page are not here")
    packages = json.loads(lock.read_text("utf-8"))["packages"]

    assert packages
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all("integrity" in package for name, package in packages.items() if name)


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_npm_the_bundle_goes_unchecked_but_not_in_ci(tmp_path: Path, ci: str, code: int):
    (tmp_path / "dirname").symlink_to(shutil.which("dirname"))
    script = Path(__file__).parents[2] / "web" / "check.sh"

    done = subprocess.run(  # noqa: S603
        ["/bin/sh", str(script)], env={"PATH": str(tmp_path), "CI": ci},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == code
    assert (done.stdout + done.stderr).count("\n") == 1


def test_a_page_whose_place_is_known_later_is_the_same():
    results = [tlex.extract(tlex.read(path)) for path in sorted(EXAMPLES.glob("*.tml"))]
    places = [Place(index="index.html", number=n, total=len(results)) for n in range(len(results))]

    with PagesToCome() as pages:
        for result in results:
            pages.add(result)
        found = [pages.take(place) for place in places]

    assert found == [html(one, place) for one, place in zip(results, places, strict=True)]


def test_the_texts_of_several_documents_stand_one_after_the_other():
    blank = tlex.from_links([("a", "BEFORE", "b")])
    story = tlex.read(EXAMPLES / "story.tml", name="story.tml")
    parts = [blank.replace(name="x"), story, blank.replace(name="y"), story.replace(name="z.tml")]

    data = describe_document(tlex.extract(tlex.merge(parts)), Place())

    assert [name for name, _ in data.texts] == [own.name for own in parts]
    first = [number for _, number in data.texts]
    pieces = [
        "".join(words for words, _ in data.text[one:other])
        for one, other in zip(first, [*first[1:], None], strict=True)
    ]
    alone = "".join(words for words, _ in describe_document(tlex.extract(story), Place()).text)
    assert [words.strip() for words in pieces] == ["", alone.strip(), "", alone.strip()]
    assert describe_document(tlex.extract(story), Place()).texts == ()
