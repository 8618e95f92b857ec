"""``tlex draw`` as a user meets it: a real process, real files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import messages, run

import tlex

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "story.tml"


@pytest.mark.parametrize(
    ("ending", "start"),
    [("svg", b"<svg "), ("png", b"\x89PNG"), ("txt", b"examples/story.tml: consistent\n")],
)
def test_the_ending_says_what_is_drawn(ending, start, tmp_path):
    path = tmp_path / f"out.{ending}"

    done = run("draw", "examples/story.tml", "-o", path)

    assert (done.returncode, done.stdout) == (0, b"")
    assert messages(done) == [f"tlex: examples/story.tml: drawn to {path}"]
    assert path.read_bytes().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_file_is_what_the_library_draws(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    run(
        "draw", "examples/story.tml", "-o", tmp_path / "a.svg", "--links", "tlink", "--main", "ei13"
    )

    asked = {"links": ["TLINK"], "main": ["ei13"]}
    result = tlex.extract(tlex.read("examples/story.tml"), calendar=True, **asked)

    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == tlex.draw.svg(result)


@pytest.mark.parametrize(
    ("options", "mend"), [((), True), (("--mend",), True), (("--no-mend",), False)]
)
@pytest.mark.parametrize("kind", ["txt", "svg", "html"])
def test_a_contradictory_document_is_drawn_mended_unless_not_wanted(
    options, mend, kind, monkeypatch
):
    monkeypatch.chdir(ROOT)
    draw = {"txt": tlex.draw.text, "svg": tlex.draw.svg, "html": tlex.viewer.html}[kind]

    done = run("draw", "examples/contradiction.tml", "--as", kind, *options)

    result = tlex.extract(tlex.read("examples/contradiction.tml"), calendar=True, mend=mend)
    assert done.stdout.decode().rstrip("\n") == draw(result).rstrip("\n")


@pytest.mark.parametrize(
    ("options", "calendar"),
    [((), True), (("--calendar",), True), (("--no-calendar",), False)],
)
@pytest.mark.parametrize("kind", ["txt", "svg", "html"])
def test_the_calendar_is_drawn_unless_not_wanted(options, calendar, kind, monkeypatch):
    monkeypatch.chdir(ROOT)
    draw = {"txt": tlex.draw.text, "svg": tlex.draw.svg, "html": tlex.viewer.html}[kind]

    done = run("draw", "examples/story.tml", "--as", kind, *options)

    result = tlex.extract(tlex.read("examples/story.tml"), calendar=calendar, mend=True)
    assert done.stdout.decode().rstrip("\n") == draw(result).rstrip("\n")


@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_without_a_file_it_is_text_for_the_terminal(output):
    done = run("draw", "examples/story.tml", "--no-calendar", *output)

    shown = run("extract", "examples/story.tml")
    assert (done.returncode, done.stdout, done.stderr) == (0, shown.stdout, b"")


def test_standard_input_is_drawn_as_asked():
    done = run("draw", "-", "--as", "svg", stdin=b"fell BEFORE broke\n")

    assert done.returncode == 0
    assert done.stdout.startswith(b"<svg ")
    assert b">broke</text>" in done.stdout
    assert b"<title>Timeline of standard input</title>" in done.stdout


def test_a_directory_is_drawn_into_a_directory_under_the_same_names(tmp_path):
    source = tmp_path / "in" / "deep"
    source.mkdir(parents=True)
    (source / "a.b.tml").write_bytes(STORY.read_bytes())
    (tmp_path / "in" / "c.tml").write_bytes(STORY.read_bytes())
    (tmp_path / "in" / "bad.tml").write_bytes(b"<TimeML>")

    done = run("draw", "in", "-o", "out", "--as", "txt", cwd=tmp_path)

    drawn = sorted(file.relative_to(tmp_path) for file in (tmp_path / "out").rglob("*.*"))
    assert drawn == [Path("out/c.txt"), Path("out/deep/a.b.txt")]
    assert done.returncode == 2
    assert sum("bad.tml" in line for line in messages(done)) == 1


def test_two_documents_that_would_have_one_name_are_not_mixed_up(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.tml").write_bytes(STORY.read_bytes())

    done = run("draw", "a/x.tml", "b/x.tml", "-o", "out", cwd=tmp_path)

    assert done.returncode == 2
    assert messages(done)[-1] == (
        "tlex: b/x.tml: out/x.svg has been written already, by another document"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("examples/story.tml", "-o", "x.bmp"),
            "-o x.bmp: no picture has this ending; known are .svg, .png, .html, .txt",
        ),
        (
            ("examples/story.tml", "-o", "x"),
            "-o x: no picture has this ending; known are .svg, .png, .html, .txt",
        ),
        (
            ("examples/story.tml", "--as", "gif"),
            "'gif' is not one of 'svg', 'png', 'html', 'txt'",
        ),
        (
            ("examples", "-o", "x.svg"),
            "-o x.svg is one picture; several documents need a directory: -o x/ --as svg",
        ),
        (
            ("examples/story.tml", "-o", ""),
            "-o is empty; name a file, a directory, or - for stdout",
        ),
        *(
            (
                ("examples/story.tml", "examples/contradiction.tml", "--as", kind),
                "several pictures cannot go to one stream; give a directory: "  # noqa: ISC004
                f"-o pictures/ --as {kind}",
            )
            for kind in ("svg", "png", "html")
        ),
        (
            ("examples/story.tml", "-o", "missing/x.svg"),
            "missing/x.svg: cannot be written: No such file or directory",
        ),
        (("examples/story.tml", "--width", "0"), "0 is not in the range"),
        (("examples/story.tml", "--theme", "dark"), "--theme is for pictures; txt has no such"),
        (("examples/story.tml", "--show", "none"), "choose from words, ids, both"),
        (("examples/story.tml", "--as", "html", "--show", "ids"), "--show is for pictures"),
        (
            ("examples/story.tml", "--main", "ei99"),
            "examples/story.tml: main: no event or time has the id or the words 'ei99'; did you "  # noqa: ISC004
            "mean 'ei9'",
        ),
    ],
)
def test_what_cannot_be_done_gets_one_line(arguments, message):
    done = run("draw", *arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    assert len(messages(done)) == 1
    assert message in messages(done)[0]
    assert not (ROOT / "x").exists()


def test_width_theme_and_labels_are_those_of_the_library():
    result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
    looks = ("--width", "700", "--theme", "dark", "--show", "ids")

    drawn = run("draw", "examples/story.tml", "--as", "svg", *looks).stdout.decode()
    written = run("draw", "examples/story.tml", "--width", "60", "--show", "words").stdout.decode()

    assert drawn == tlex.draw.svg(result, width=700, theme="dark", labels="ids")
    assert written == tlex.draw.text(result, width=60, labels="words") + "\n"


@pytest.mark.parametrize("kind", [(), ("--as", "svg")])
def test_a_file_that_holds_several_documents_needs_a_directory(kind, tmp_path):
    (tmp_path / "two.tsv").write_text("x\te1\te2\tb\ny.1\te1\te2\tb\n", encoding="utf-8")

    done = run("draw", "two.tsv", "-o", "one.svg", *kind, cwd=tmp_path)
    shown = run("draw", "two.tsv", "--as", "svg", cwd=tmp_path)
    left = [file.name for file in tmp_path.iterdir()]
    again = [
        run("draw", "two.tsv", "-o", many, *more, cwd=tmp_path)
        for many, more in (("many", ()), ("one/", ("--as", "svg")))
    ]

    assert [done.returncode, shown.returncode, shown.stdout] == [2, 2, b""]
    assert left == ["two.tsv"]
    assert messages(done) == [
        "tlex: -o one.svg is one picture; several documents need a directory: -o one/ --as svg"
    ]
    assert [each.returncode for each in again] == [0, 0]
    for folder in ("many", "one"):
        drawn = sorted(file.name for file in (tmp_path / folder).iterdir())
        assert drawn == ["two.tsv:x.svg", "two.tsv:y.1.svg"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("g.txt", "-o", "g.txt"),
        ("g.txt", "-o", "./sub/../g.txt"),
        ("g.txt", "-o", "way.txt"),
        ("g.txt", "-o", ".", "--as", "txt"),
        ("s.tml", "--as", "svg", "-o", "s.tml"),
        ("s.tml", "s.svg", "-o", "."),
        ("sub", "-o", ".", "--as", "txt"),
    ],
)
def test_a_picture_never_takes_the_place_of_what_is_read(arguments, tmp_path):
    (tmp_path / "sub" / "sub").mkdir(parents=True)
    for name in ("g.txt", "s.svg", "sub/g.txt", "sub/sub/g.txt"):
        (tmp_path / name).write_text("fell BEFORE broke\n", encoding="utf-8")
    (tmp_path / "s.tml").write_bytes(STORY.read_bytes())
    (tmp_path / "way.txt").symlink_to("g.txt")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    read = [name for name in before if "sub" not in arguments or name.parent != tmp_path]

    done = run("draw", *arguments, cwd=tmp_path)

    assert done.returncode == 2
    refused = "is being read and would be replaced; give -o another name"
    assert [line for line in messages(done) if line.endswith(refused)]
    assert [path for path in read if path.read_bytes() != before[path]] == []


def test_extract_loads_nothing_that_draws():
    code = (
        "import sys; from tlex.cli.app import run; run(['extract', sys.argv[1]])\n"
        "print(sorted(name for name in sys.modules if name.startswith('tlex.draw')))"
    )

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, str(STORY)], capture_output=True, check=True
    )

    assert done.stdout.decode().splitlines()[-1] == (
        "['tlex.draw', 'tlex.draw.options', 'tlex.draw.summary', 'tlex.draw.text_painter']"
    )
