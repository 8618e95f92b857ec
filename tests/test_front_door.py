"""What the package promises at its door: names, README, generated pages, examples."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import tlex
from tlex import errors
from tlex.lint import choose_rules
from tlex.lint.configuration import parse_configuration

ROOT = Path(__file__).parents[1]
STORY = ROOT / "examples" / "story.tml"
PAIR = tlex.from_links([("a", "BEFORE", "b")])
RESULT = tlex.extract(PAIR)


GENERAL = {
    "Callable",
    "None",
    "Iterator",
    "Iterable",
    "Mapping",
    "Sequence",
    "Any",
    "Fraction",
    "PathLike",
}
MODULES = {"checker", "corpus", "draw", "export", "lint", "readers", "repair", "viewer"}


def test_all_lists_exactly_what_the_package_exposes():
    assert dir(tlex) == sorted(tlex.__all__)
    assert len(set(tlex.__all__)) == len(tlex.__all__)
    for name in tlex.__all__:
        assert inspect.ismodule(getattr(tlex, name)) == (name in MODULES)
    assert {name for names in tlex._NAMES.values() for name in names} == (  # noqa: SLF001
        set(tlex.__all__) - MODULES - {"__version__"}
    )


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_shows_what_it_exposes(name):
    module = getattr(tlex, name)

    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, each) for each in module.__all__)


def test_the_page_of_a_result_is_at_the_door():
    assert tlex.viewer.html(RESULT) == tlex.viewer.page.html(RESULT)
    assert tlex.viewer.html(RESULT).startswith("<!doctype html>")
    assert tlex.viewer.html(PAIR) == tlex.viewer.html(tlex.extract(PAIR, calendar=True, mend=True))
    with pytest.raises(tlex.OptionError, match="result cannot be 'story'"):
        tlex.viewer.html("story")


def test_a_repair_has_plain_values():
    fixed = tlex.fix(tlex.read(ROOT / "examples" / "contradiction.tml"))

    assert fixed.bound is None
    assert isinstance(fixed.changes, tuple)
    assert b"bound" not in fixed.to_json()


def test_what_public_functions_give_and_take_is_at_the_door():
    door = [getattr(tlex, name) for name in tlex.__all__]
    functions = [function for function in door if inspect.isfunction(function)]
    for kind in (tlex.Document, tlex.Extraction, tlex.Timeline, tlex.CheckResult, tlex.FixResult):
        functions += [f for n, f in inspect.getmembers(kind, inspect.isfunction) if n[0] != "_"]
    for function in functions:
        signature = inspect.signature(function)
        named = [signature.return_annotation]
        named += [taken.annotation for taken in signature.parameters.values()]
        for kind in set(re.findall(r"(?<![.\w])[A-Z]\w+", " ".join(map(str, named)))) - GENERAL:
            assert kind in tlex.__all__, f"{function.__qualname__} gives or takes {kind}"


def test_all_errors_are_at_the_door():
    assert set(errors.__all__) <= set(tlex.__all__)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: tlex.extract("story.tml"), "this is a path, .* use tlex.read first"),
        (lambda: tlex.extract(Path("story.tml")), "this is a path, .* use tlex.read first"),
        (lambda: tlex.extract("<TimeML/>"), "a document's content, .* use tlex.parse first"),
        (lambda: tlex.extract(3), "expected a document, not 3"),
        (lambda: tlex.read(b"<TimeML/>"), "a document's content, not a path: use tlex.parse"),
        (lambda: tlex.read("<TimeML>\n" * 999), "a document's content, not a path: use tlex.parse"),
        (lambda: tlex.read("e1 BEFORE e2\n"), "a document's content, not a path: use tlex.parse"),
        (lambda: tlex.read(tlex.from_links([])), "a document already: use tlex.extract"),
        (lambda: tlex.read(None), "from a path, not from None"),
        (lambda: tlex.parse(Path("story.tml")), "this is a path: use tlex.read"),
        (lambda: tlex.parse(3), "expected a str or bytes, not 3"),
        (lambda: tlex.parse("examples/story.tml"), "this is a path: use tlex.read"),
        (lambda: tlex.parse("story.tml", format="timeml"), "this is a path: use tlex.read"),
        (lambda: tlex.parse(r"C:\notes\a", format="json"), "this is a path: use tlex.read"),
        (lambda: tlex.verify("story.tml", RESULT), "this is a path, .* use tlex.read first"),
        (lambda: tlex.verify(RESULT, PAIR), "expected a document, not <Extraction"),
        (lambda: tlex.verify(PAIR, PAIR), "result cannot be <Document .* what tlex gave"),
        (lambda: tlex.write("story.tml", "a.tml"), "this is a path, .* use tlex.read first"),
        (lambda: tlex.write(3, "a.tml"), "expected a document, not 3"),
        (lambda: tlex.write(PAIR, 3), "path cannot be 3; give the path of a file"),
        (lambda: tlex.write(PAIR, "a.csv", format="zz"), "format cannot be 'zz'; choose from time"),
        (lambda: tlex.export.convert("a.tml", "json"), "this is a path, .* use tlex.read first"),
        (lambda: tlex.read(STORY, labels="nowhere.toml"), "nowhere.toml: cannot be read"),
        (
            lambda: tlex.read(STORY, labels=3),
            "labels cannot be 3; give a path, the name of a corpus, or what tlex.read",
        ),
        (lambda: tlex.read(STORY, max_bytes="3M"), "max_bytes cannot be '3M'; .* whole number"),
        (lambda: tlex.parse("a BEFORE b", max_bytes=None), "max_bytes cannot be None"),
        (lambda: tlex.check("story.tml"), "this is a path, .* use tlex.read first"),
        (lambda: tlex.check(PAIR, baseline="x.json"), "baseline cannot be 'x.json'; give a tlex"),
        (lambda: tlex.check(PAIR, select=3), "select takes a list of words, not 3"),
        (lambda: tlex.check(PAIR, severity="error"), "severity cannot be 'error'; give a mapping"),
        (lambda: tlex.repair.apply("x", "y"), "this is a path, .* use tlex.read first"),
        (lambda: tlex.repair.apply(PAIR, "y"), "patch cannot be 'y'; give the patch of a repair"),
        (lambda: tlex.fix(PAIR, weights="l1"), "weights cannot be 'l1'; give a mapping"),
        (lambda: tlex.fix(PAIR, keep=[3]), "keep takes words, not 3"),
        (lambda: tlex.fix(PAIR, choose="x"), "choose cannot be 'x'; give options by decision"),
        (lambda: tlex.fix(PAIR, limit=0), "limit cannot be 0; .* a whole number from 1 on"),
        (lambda: tlex.fix(PAIR, seconds="x"), "seconds cannot be 'x'; .* a number from 0 on"),
        (lambda: tlex.draw.text(RESULT, width="x"), "width cannot be 'x'; .* a number from 0 on"),
        (lambda: RESULT.closure(limit="x"), "limit cannot be 'x'; .* a whole number from 0 on"),
        (lambda: RESULT.trunk[0].count_scenarios("x"), "limit cannot be 'x'; .* a whole number"),
    ],
)
def test_a_mistaken_argument_is_answered_with_what_was_meant(ask, words):
    with pytest.raises(tlex.OptionError, match=words) as caught:
        ask()

    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    "ask",
    [
        lambda: tlex.fix(PAIR, keep=["zzz"]),
        lambda: tlex.fix(PAIR, weights={"zzz": 2}),
        lambda: tlex.check(PAIR, select="TLX9"),
    ],
)
def test_a_name_that_is_not_there_is_a_key_error(ask):
    with pytest.raises(tlex.UnknownNameError, match=r"names '(zzz|TLX9)'") as caught:
        ask()

    assert isinstance(caught.value, KeyError)


def test_one_rule_is_named_by_a_string():
    document = tlex.read(ROOT / "examples" / "contradiction.tml")

    assert {finding.code for finding in tlex.check(document, select="TLX2")} == {"TLX203"}
    assert tlex.check(document, select="TLX2", ignore="TLX203").findings == ()


def test_own_labels_are_named_by_their_file(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[TLINK]\nFOLLOWS = "AFTER"\n')

    for labels in (own, str(own), tlex.readers.read_labels(own)):
        document = tlex.parse("a FOLLOWS b", format="plain", labels=labels)
        assert tlex.extract(document).trunk[0].step("b-") == 1


def public_callables():
    """Whatever a user of the library calls: functions, and methods of what they give."""
    parts = (tlex.checker, tlex.corpus, tlex.draw, tlex.export, tlex.lint, tlex.readers)
    for module in (tlex, *parts, tlex.repair, tlex.viewer):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                yield f"{module.__name__}.{name}", value
    for name in tlex.__all__:
        kind = getattr(tlex, name)
        if inspect.isclass(kind) and kind.__module__.startswith("tlex"):
            for own, value in vars(kind).items():
                method = getattr(value, "__func__", value)
                if inspect.isfunction(method) and not own.startswith("_"):
                    yield f"{name}.{own}", method


@pytest.mark.parametrize(("name", "function"), list(public_callables()))
def test_every_public_callable_says_what_it_takes_gives_and_raises(name, function):
    words = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    taken = [each for each in signature.parameters if each not in {"self", "cls"}]

    sections = re.findall(r"^(\w[\w ]*)\n-+$", words, re.MULTILINE)
    order = ["Parameters", "Returns", "Yields", "Raises", "Examples", "See Also"]
    assert sections == sorted(sections, key=order.index)
    assert ("Parameters" in sections) == bool(taken)
    described = re.findall(r"^\*{0,2}(\w[\w, ]*)(?: : .*)?$", words, re.MULTILINE)
    assert set(taken) <= {each.strip() for names in described for each in names.split(",")}
    assert ("Returns" in sections or "Yields" in sections) == (
        signature.return_annotation != "None"
    )
    assert "Examples" in sections
    assert words.count(">>>") >= 2
    assert "See Also" in sections
    if name.startswith("tlex.") and taken:
        assert "Raises" in sections


def test_words_are_taken_wherever_an_id_is():
    document = tlex.read(ROOT / "examples" / "story.tml")
    result = tlex.extract(document)
    trunk = result.trunk[0]

    assert trunk.step("snowed-") == trunk.step("ei1-")
    assert trunk.slack("Built+") == trunk.slack("ei2+")
    assert trunk.indeterminate("built-", "warmed-")
    assert result.timeline_of("midnight") is trunk
    assert tlex.extract(document, main=["midnight"]).options.main == ("t4",)
    assert tlex.extract(document, main="e5").options.main == ("e5",)
    with pytest.raises(KeyError) as caught:
        trunk.step("snwed-")
    assert str(caught.value).endswith('did you mean "snowed" (ei1), line 10')
    with pytest.raises(tlex.AmbiguousError, match="may be any of 2"):
        result.timeline_of("hoot")
    assert trunk.step("hoot-") == trunk.step("ei19-")  # the other one is on another timeline


def test_an_answer_is_a_sentence_and_shows_itself_in_one_line():
    result = tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))
    relation, why = result.relation("built", "midnight"), result.why("built", "midnight")

    assert str(relation) == '"built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]'
    assert str(why).startswith(f"{relation}\n  ei2+ < t4-   because\n")
    assert str(result.closure()) == "213 entailed relations, 186 of them new"
    assert str(result.reduction()) == "26 of 27 links entail the rest"
    for shown in (relation, why, result.closure(), result.reduction(), result.record(), result):
        assert "\n" not in repr(shown)
        assert " at 0x" not in repr(shown)
        assert len(repr(shown)) < 120


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tlex.nothing


def test_the_documented_configuration_is_understood():
    page = (ROOT / "docs" / "checking.md").read_text(encoding="utf-8")
    shown = re.search(r"```toml[^\n]*\n(\[tool\.tlex\].*?)```", page, re.DOTALL)[1]

    found = parse_configuration(shown.encode(), "pyproject.toml", inside=("tool", "tlex"))

    assert found is not None
    assert None not in msgspec.structs.astuple(msgspec.structs.replace(found, select=[]))
    choose_rules(None, found.ignore, found.severity)


def test_the_hook_for_pre_commit_runs_a_command_that_there_is(tmp_path):
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    fields = dict(line.strip(" -").split(": ", 1) for line in hook.splitlines())

    command, *arguments = fields["entry"].split()
    story = ROOT / "examples" / "story.tml"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", command, *arguments, str(story)], check=False, cwd=tmp_path
    )

    assert fields["id"] == "tlex-check"
    assert fields["language"] == "python"
    assert re.search(fields["files"], "corpus/story.tml")
    assert not re.search(fields["files"], "story.tml.txt")
    assert done.returncode == 0


def test_the_readme_shows_the_first_commands_in_their_order():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    places = [readme.index(each) for each in ("pip install .", "tlex demo", "make demo")]
    assert places == sorted(places)
    assert "make test" in readme
    assert len(readme.splitlines()) < 100


def test_the_generated_pages_are_current(tmp_path):
    subprocess.run(  # noqa: S603
        [sys.executable, str(ROOT / "docs" / "generate.py"), str(tmp_path)], check=True
    )

    pages = sorted(page.relative_to(tmp_path) for page in tmp_path.rglob("*.*"))
    assert {page.name for page in pages} > {"cli.md", "labels.md", "api.md", "story.svg"}
    for page in pages:
        fresh = (tmp_path / page).read_text(encoding="utf-8")
        folder = ROOT / ("web/src" if page.name == "data.ts" else "docs")
        assert fresh == (folder / page).read_text(encoding="utf-8"), "run: make docs"


def test_a_record_survives_json_and_so_does_its_verdict():
    document = tlex.read(ROOT / "examples" / "story.tml")
    result = tlex.extract(document)

    report = tlex.ExtractionRecord.from_json(result.to_json(pairs=True))

    assert report == result.record(pairs=True)
    assert tlex.verify(document, report)
    with pytest.raises(tlex.TlexError, match="not a record"):
        tlex.ExtractionRecord.from_json(b'{"schema": 1}')


def test_the_fields_of_the_contract_come_in_its_order():
    result = tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))

    report = msgspec.json.decode(result.to_json())

    assert list(report) == [
        *("schema", "tlex", "document", "options", "consistent", "nodes", "timelines"),
        *("connections", "breaks", "conflicts", "conflicts_complete", "calendar_complete"),
        *("mended", "diagnostics"),
    ]
    assert list(report["timelines"][0]) == [
        *("id", "main", "detached", "consistent", "intervals", "length", "offset", "points"),
        *("compounds", "tied_steps", "sections", "indeterminate_pairs", "score", "scenarios"),
        "mended",
    ]
    assert list(report["nodes"][0])[:8] == [
        *("id", "kind", "text", "line", "column", "span", "value", "factuality")
    ]
    assert list(report["nodes"][0])[8:] == ["type", "event", "world", "date"]


def test_every_reading_named_in_the_code_is_in_the_docs():
    readings = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")
    named = {
        number
        for path in (ROOT / "src").rglob("*.py")
        for number in re.findall(r"\bR(\d+)\b", path.read_text(encoding="utf-8"))
    }

    assert named
    for number in named:
        assert f"**R{number}. " in readings


class TestTheExampleStory:
    """It shows everything: that is what it is for."""

    @pytest.fixture
    def result(self):
        return tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))

    def test_it_has_all_kinds_of_links_and_times(self, result):
        links = result.document.links

        assert len(result.nodes) >= 18
        assert {link.kind for link in links} == {"TLINK", "ALINK", "SLINK"}
        assert len({link.type for link in links if link.kind == "SLINK"}) >= 4
        assert {"DATE", "TIME"} <= {timex.type for timex in result.document.timexes}
        assert not result.diagnostics

    def test_it_has_a_branch_that_grows_from_a_branch(self, result):
        timelines = {(c.source_timeline, c.target_timeline) for c in result.connections}

        assert [t.id for t in result.trunk] == [0]
        assert timelines == {(0, 1), (1, 2)}

    def test_it_has_a_section_of_unknown_order(self, result):
        assert [len(t.sections) for t in result.timelines] == [1, 0, 0]
        assert result.trunk[0].sections[0].points == ("ei2-", "ei2+", "ei3-", "ei3+")


def test_the_second_example_has_one_contradiction_of_three_links():
    result = tlex.extract(tlex.read(ROOT / "examples" / "contradiction.tml"))

    assert [conflict.minimal for conflict in result.conflicts] == [("l2", "l3", "l4")]
    assert [t.consistent for t in result.timelines] == [False, True]
