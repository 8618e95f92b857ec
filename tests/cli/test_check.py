"""``tlex check`` as a user meets it: a real process, real files, real pipes."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import commands
import pytest
from commands import CONTRADICTION, ROOT, messages
from linted import whole

from tlex.cli import app
from tlex.readers.diagnostics import MOST

CYCLE = '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1" weight="0"/>\n'
WARNING = '<TIMEX3 tid="t1" type="DATE" value="soon">soon</TIMEX3>\n'


def run(*arguments: str | Path, **options):
    return commands.run("check", *arguments, **options)


def lines(done) -> list[str]:
    return done.stdout.decode().splitlines()


def reports(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def codes(done) -> list[list[str]]:
    return [[finding["code"] for finding in report["findings"]] for report in reports(done)]


@pytest.fixture
def folder(tmp_path) -> Path:
    """Make a folder with a document in order, one with a warning and one with an error."""
    (tmp_path / "a.tml").write_text(whole(""))
    (tmp_path / "b.tml").write_text(whole(WARNING))
    (tmp_path / "c.tml").write_text(whole(CYCLE))
    return tmp_path


def test_findings_and_the_summary_go_to_stdout(folder):
    done = run("a.tml", "b.tml", "c.tml", cwd=folder)

    assert done.returncode == 1
    assert not done.stderr
    text = lines(done)
    assert text[0].startswith("b.tml:8:1: TLX114 [timex-value] ")
    assert text[2] == f"8 | {WARNING.strip()}"
    assert next(line for line in text if line.startswith("c.tml")).startswith("c.tml:8:1: TLX203 ")
    assert text[-3:] == [
        "1 of 3 documents inconsistent",
        "1 TLX114 timex-value: the value, or freq, of a TIMEX3 is not in the grammar for its type",
        "1 TLX203 contradictory-cycle: three or more links contradict each other",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["a.tml"], 0),
        (["b.tml"], 0),  # a warning does not count
        (["c.tml"], 1),
        (["c.tml", "--ignore", "TLX2"], 0),
        (["c.tml", "--select", "TLX1"], 0),
        (["b.tml", "--select", "TLX3"], 0),  # nor does advice
        (["b.tml", "--all"], 0),
        (["nowhere.tml"], 2),
        (["c.tml", "nowhere.tml"], 2),
    ],
)
def test_the_exit_code_is_decided_by_errors(folder, arguments, code):
    assert run(*arguments, cwd=folder).returncode == code


@pytest.mark.parametrize("form", ["--json", "--sarif", "--github"])
def test_the_exit_code_is_the_same_in_every_form(folder, form):
    codes_ = [run(name, form, cwd=folder).returncode for name in ("b.tml", "c.tml", "no.tml")]

    assert codes_ == [0, 1, 2]


def test_a_document_without_findings_is_only_counted(folder):
    assert lines(run("a.tml", cwd=folder)) == ["0 of 1 documents inconsistent"]


def test_advice_is_shown_on_request(folder):
    assert codes(run("b.tml", "--json", cwd=folder)) == [["TLX114"]]
    assert codes(run("b.tml", "--json", "--all", cwd=folder)) == [["TLX114", "TLX305", "TLX401"]]
    assert codes(run("b.tml", "--json", "--select", "TLX4,unlinked", cwd=folder)) == [
        ["TLX305", "TLX401"]
    ]


def test_json_has_one_object_for_each_document(folder):
    done = run(folder, "--json")

    assert [(r["path"], r["consistent"], len(r["findings"])) for r in reports(done)] == [
        ("a.tml", True, 0),
        ("b.tml", True, 1),
        ("c.tml", False, 1),
    ]
    assert not done.stderr


def test_links_and_times_reach_the_extraction(folder):
    alink = (
        '<ALINK lid="l3" relType="INITIATES" eventInstanceID="ei2" relatedToEventInstance="ei1"/>'
    )
    time_ = (
        '<TIMEX3 tid="t1" type="TIME" value="T12:00">noon</TIMEX3>\n'
        '<TLINK lid="l3" relType="BEGINS" eventInstanceID="ei2" relatedToTime="t1"/>\n'
    )
    (folder / "d.tml").write_text(whole(alink))
    (folder / "e.tml").write_text(whole(time_))

    def inconsistent(*options: str) -> str:
        return lines(run("d.tml", "e.tml", *options, cwd=folder))[-2:]

    assert "1 of 2 documents inconsistent" in inconsistent()
    assert "0 of 2 documents inconsistent" in inconsistent("--links", "tlink")
    assert "2 of 2 documents inconsistent" in lines(
        run("d.tml", "e.tml", "--times", "point", cwd=folder)
    )


def test_what_cannot_be_read_is_a_finding_with_a_code_on_stderr(folder):
    (folder / "bad.tml").write_bytes(b"<TimeML><EVENT></TimeML>")
    (folder / "entity.tml").write_bytes(b'<!DOCTYPE a [<!ENTITY b "c">]><TimeML/>')
    arguments = ["bad.tml", "entity.tml", "nowhere.tml", "a.tml", "--max-bytes", "300"]

    done = run(*arguments, cwd=folder)

    assert done.returncode == 2
    assert messages(done) == [
        "tlex: bad.tml:1:18: TLX001 not well-formed XML: mismatched tag",
        (
            "tlex: entity.tml:1:25: TLX002 entity 'b' is declared, and entity declarations are not "
            "accepted"
        ),
        "tlex: nowhere.tml: TLX004 cannot be read: No such file or directory",
        (
            "tlex: a.tml: TLX003 the file is larger than 300 bytes, the limit set for one file; "
            "--max-bytes (max_bytes=) allows more"
        ),
    ]
    assert lines(done)[0] == "no document was checked"
    assert len(lines(done)) == 5


def test_there_is_no_object_for_what_cannot_be_read(folder):
    (folder / "bad.tml").write_bytes(b"<TimeML><EVENT></TimeML>")

    done = run("bad.tml", "a.tml", "--json", cwd=folder)

    assert [r["path"] for r in reports(done)] == ["a.tml"]
    assert len(messages(done)) == 1


def test_sarif_and_github_name_files_by_their_whole_path(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "bad.tml").write_bytes(b"<TimeML><EVENT></TimeML>")
    (folder / "sub" / "c.tml").write_text(whole(CYCLE))

    sarif = json.loads(run("sub", "--sarif", cwd=folder).stdout)
    github = lines(run("sub", "--github", cwd=folder))

    (only,) = sarif["runs"]
    places = [r["locations"][0]["physicalLocation"] for r in only["results"]]
    assert [p["artifactLocation"]["uri"] for p in places] == ["sub/c.tml", "sub/bad.tml"]
    assert not only["invocations"][0]["executionSuccessful"]
    assert github[0].startswith("::error file=sub/c.tml,line=8,col=1,")
    assert github[1].startswith("::error file=sub/bad.tml,line=1,col=18,title=TLX001 ")
    assert github[2] == "1 of 1 documents inconsistent"


def test_standard_input_is_read_for_a_dash():
    done = run("-", stdin=whole(CYCLE).encode())

    assert done.returncode == 1
    assert lines(done)[0].startswith("-:8:1: TLX203")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "missing argument"),
        (["x", "--select", "TLX9"], "select names 'TLX9', which is no rule"),
        (["x", "--ignore", "unlinkd"], "did you mean 'unlinked'"),
        (["x", "--all", "--select", "TLX1"], "choose one of --all and --select"),
        (["x", "--json", "--sarif"], "choose one of --json, --sarif and --github"),
        (["x", "--baseline", "a", "--write-baseline", "b"], "choose one of --baseline and"),
        (["x", "--baseline", "no.json"], "no.json: there is no such baseline; --write-baseline"),
        (["x", "--baseline", "."], "cannot be read: Is a directory"),
        (["x", "--links", "slink"], "links cannot be 'SLINK'"),
        (["x", "--times", "day"], "'day' is not one of 'interval', 'point'"),
        (["x", "--config", "no.toml"], "no.toml: cannot be read: No such file"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments, message):
    done = run(*arguments)

    assert done.returncode == 2
    assert not done.stdout
    assert len(messages(done)) == 1
    assert message in messages(done)[0]


def test_an_old_corpus_can_adopt_the_linter_today(folder):
    wrote = run(".", "--write-baseline", "known.json", cwd=folder)
    clean = run(".", "--baseline", "known.json", cwd=folder)
    (folder / "a.tml").write_text(whole(CYCLE))
    dirty = run(".", "--baseline", "known.json", cwd=folder)

    assert (wrote.returncode, clean.returncode, dirty.returncode) == (0, 0, 1)
    assert messages(wrote) == ["tlex: wrote 2 findings to known.json"]
    assert not wrote.stdout
    assert lines(clean) == [
        "1 of 3 documents inconsistent",
        "2 findings are in the baseline and not shown",
    ]
    assert lines(dirty)[0].startswith("a.tml:8:1: TLX203")


def test_a_baseline_knows_files_however_they_are_named(folder):
    (folder / "known").mkdir()
    run(folder, "--write-baseline", folder / "known" / "b.json")

    for arguments, cwd in (
        (["c.tml"], folder),
        ([folder / "c.tml"], ROOT),
        (["."], folder),
        (["../c.tml"], folder / "known"),
    ):
        baseline = os.path.relpath(folder / "known" / "b.json", cwd)
        done = run(*arguments, "--baseline", baseline, "--json", cwd=cwd)
        assert done.returncode == 0, arguments
        assert reports(done)[-1]["hidden"] == 1


def test_a_baseline_is_replaced_in_one_piece_and_keeps_its_mode(folder):
    known = folder / "known.json"
    known.write_text("{}")
    known.chmod(0o640)

    run("c.tml", "--write-baseline", "known.json", cwd=folder)
    first = known.read_bytes()
    run("c.tml", "--write-baseline", "known.json", cwd=folder)

    assert known.read_bytes() == first
    assert stat.S_IMODE(known.stat().st_mode) == 0o640
    assert not list(folder.glob(".known*"))


def test_a_baseline_that_cannot_be_written_is_one_line(folder):
    done = run("c.tml", "--write-baseline", "no/where.json", cwd=folder)

    assert done.returncode == 2
    assert messages(done) == ["tlex: no/where.json: cannot be written: No such file or directory"]


def test_the_nearest_configuration_counts_and_the_command_line_wins(folder):
    below = folder / "x" / "y"
    below.mkdir(parents=True)
    (folder / "tlex.toml").write_text('select = ["TLX4"]\nseverity = {TLX401 = "error"}\n')
    (folder / "x" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    file = folder / "b.tml"

    assert codes(run(file, "--json", cwd=below)) == [["TLX401"]]
    assert run(file, cwd=below).returncode == 1
    assert codes(run(file, "--json", "--select", "TLX114", cwd=below)) == [["TLX114"]]
    assert codes(run(file, "--json", "--all", cwd=below)) == [["TLX114", "TLX305", "TLX401"]]
    (folder / "x" / "pyproject.toml").write_text('[tool.tlex]\nignore = ["TLX114"]\n')
    assert codes(run(file, "--json", cwd=below)) == [[]]
    (folder / "x" / "tlex.toml").write_text('select = ["TLX305"]\n')
    assert codes(run(file, "--json", cwd=below)) == [["TLX305"]]
    (folder / "other.toml").write_text('select = ["TLX114"]\n')
    assert codes(run(file, "--json", "--config", "../../other.toml", cwd=below)) == [["TLX114"]]


def test_links_times_and_baseline_may_be_configured(folder):
    (folder / "sub").mkdir()
    run("c.tml", "--write-baseline", "known.json", cwd=folder)
    (folder / "tlex.toml").write_text(
        'baseline = "known.json"\ntimes = "point"\nlinks = ["alink"]\n'
    )

    done = run(folder / "c.tml", "--json", cwd=folder / "sub")

    assert (reports(done)[0]["consistent"], done.returncode) == (True, 0)
    (folder / "tlex.toml").write_text('baseline = "known.json"\n')
    done = run(folder / "c.tml", "--json", cwd=folder / "sub")
    assert (reports(done)[0]["hidden"], done.returncode) == (1, 0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("selct = []", "tlex: tlex.toml: unknown key 'selct'; did you mean 'select'"),
        ("select = 3", "tlex: tlex.toml: select is 3, not a list of words"),
        ("x = \n", "tlex: tlex.toml:1:5: not TOML: "),
        ('times = "day"', "tlex: times cannot be 'day'"),
    ],
)
def test_a_broken_configuration_is_one_line(folder, content, message):
    (folder / "tlex.toml").write_text(content)

    done = run("a.tml", cwd=folder)

    assert done.returncode == 2
    assert len(messages(done)) == 1
    assert messages(done)[0].startswith(message)


def test_colours_are_for_terminals_and_no_color_is_obeyed():
    assert "\x1b[31;1mTLX203" in commands.run_on_terminal("check", CONTRADICTION)[1]
    assert "\x1b[" not in commands.run_on_terminal("check", CONTRADICTION, NO_COLOR="1")[1]
    assert b"\x1b[" not in run(CONTRADICTION).stdout


def test_on_a_narrow_terminal_lines_are_broken_and_in_a_pipe_a_finding_has_one():
    _, narrow = commands.run_on_terminal("check", CONTRADICTION, NO_COLOR="1", COLUMNS="40")
    wide = run(CONTRADICTION, COLUMNS="40").stdout.decode()

    [head] = [line for line in wide.splitlines() if "TLX203 [" in line]
    assert len(head) > 80
    words = [line for line in narrow.splitlines() if str(CONTRADICTION) not in line]
    assert max(map(len, words)) <= 40
    assert head.split()[-1] in narrow.split()


def test_a_terminal_without_unicode_gets_ascii(folder):
    (folder / "long.tml").write_text(whole("é" * 200 + CYCLE), encoding="utf-8")

    done = run("long.tml", cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert b"8 | ...???" in done.stdout
    assert done.stdout.isascii()


def test_names_that_are_no_text_do_no_harm(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9\x1b[31m\n.tml")  # noqa: PTH118 -- bytes
    Path(os.fsdecode(path)).write_text(whole(CYCLE))
    Path(os.fsdecode(path + b"2")).write_bytes(b"<TimeML>")

    for form in ([], ["--json"], ["--sarif"], ["--github"], ["--write-baseline", tmp_path / "b"]):
        done = run(tmp_path, *form)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr
        assert b"\x1b" not in done.stdout + done.stderr
    assert run(tmp_path, "--baseline", tmp_path / "b", "--json").stdout.count(b'"hidden":1') == 1


def test_a_large_document_with_long_lines_and_many_findings_is_checked(tmp_path):
    count = 20_000
    events = " ".join(f'<EVENT eid="e{n}" class="STATE">w{n}</EVENT>' for n in range(count))
    instances = "".join(f'<MAKEINSTANCE eiid="ei{n}" eventID="e{n}"/>' for n in range(count))
    links = "".join(
        f'<TLINK lid="l{n}" relType="BEFORE" eventInstanceID="ei{n}" '
        f'relatedToEventInstance="ei{n + 1 if n % 100 else n}"/>'
        for n in range(count - 1)
    )
    path = tmp_path / "large.tml"
    path.write_text(f"<TimeML>{events}{instances}{links}</TimeML>")

    done = run(path, "--all")

    assert path.stat().st_size > 3_000_000
    assert done.returncode == 1
    assert b"200 TLX201 contradictory-link" in done.stdout
    assert max(map(len, lines(done))) < 250


def test_very_many_entity_references_do_not_fill_the_output(tmp_path, capfd):
    path = tmp_path / "many.tml"
    head = '<!DOCTYPE TimeML SYSTEM "x.dtd"><TimeML>'
    sizes = []
    for many in (MOST + 100, 3 * MOST):
        path.write_text(f"{head}{'&x;' * many}</TimeML>")
        app.run(["check", str(path), "--json"])
        sizes.append(len(capfd.readouterr().out))

    assert abs(sizes[1] - sizes[0]) < 10  # the count has more digits
