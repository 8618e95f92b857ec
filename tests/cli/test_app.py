"""What all commands share: help, usage errors, streams, Ctrl-C, completion."""

from __future__ import annotations

import inspect
import os
import re
import signal
import subprocess
import sys
from importlib import import_module

import pytest
from commands import BROKEN_STREAMS, CONTRADICTION, STORY, TLEX, messages, run, run_shell

from tlex.cli.app import COMMANDS
from tlex.readers import MAX_BYTES

EVERY = [words for commands in COMMANDS.values() for words in commands]
SUMMARIES = {words: text for commands in COMMANDS.values() for words, text in commands.items()}


def help_of(*arguments: str) -> str:
    done = run(*arguments, "--help", COLUMNS="80")

    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_help_lists_every_command_in_its_group_with_its_whole_summary():
    text = help_of()

    for title, commands in COMMANDS.items():
        assert f"\n{title}:\n" in text
        for words, summary in commands.items():
            assert re.search(rf"^  {words} +{re.escape(summary)}$", text, re.MULTILINE)
    assert "..." not in text.partition("Options:")[2]


@pytest.mark.parametrize("words", EVERY)
def test_a_command_s_help_starts_with_its_summary_and_ends_with_an_example(words):
    text = help_of(*words.split())

    usage, summary = text.split("\n\n")[:2]
    assert usage.startswith(f"Usage: tlex {words} ")
    assert summary.strip() == SUMMARIES[words]
    assert text.splitlines()[-1].startswith(f"  Example:  tlex {words} ")
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", EVERY)
def test_help_shows_no_types_limits_or_raw_numbers(words):
    text = help_of(*words.split())

    for raw in ("<", "TEXT", "INTEGER", "FLOAT", "67108864", "x>=", "list["):
        assert raw not in text


def test_the_largest_file_is_the_one_that_help_names():
    assert "[default: 64 MB]" in " ".join(help_of("extract").split())
    assert MAX_BYTES == 64 << 20


@pytest.mark.parametrize("words", EVERY)
def test_a_command_stands_in_the_module_of_its_name(words):
    module = import_module(f"tlex.cli.{words.replace(' ', '.')}")
    name = f"{words.split()[-1]}_command"

    assert module.__all__.count(name) == 1
    assert inspect.cleandoc(getattr(module, name).help).startswith(SUMMARIES[words])


def test_without_a_command_the_help_is_shown():
    assert run().stdout.decode() == help_of()
    assert run("corpus").stdout.decode() == help_of("corpus")


def test_the_version_is_shown():
    assert run("--version").stdout.decode().startswith("tlex 0.")
    assert run("-V").stdout == run("--version").stdout


LOADING = """
import sys
{beside}
before = set(sys.modules)
from tlex.cli import main
sys.argv = ["tlex", *{arguments}]
try: main()
except SystemExit: pass
print(*set(sys.modules) - before, file=sys.stderr)
"""
"""What Python has loaded before does not count: it depends on the environment. Packages that are
installed may load modules at every start, by ``.pth`` files or as ``sitecustomize``."""


def loaded_by(*arguments: str, beside: str = "") -> set[str]:
    """The modules that a command loads; without those that ``beside`` loads, if it is given."""
    code = LOADING.format(arguments=arguments, beside=beside)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def test_version_loads_nothing_heavy():
    heavy = loaded_by("--version") & {"rich", "msgspec", "xml", "click"}

    assert not heavy


def test_help_loads_no_command():
    modules = loaded_by("--help")
    commands = modules & {f"tlex.cli.{name}" for name in EVERY}
    heavy = modules & {"rich", "msgspec", "xml", "tlex.readers"}

    assert not commands
    assert not heavy


def test_before_ctrl_c_is_dealt_with_nothing_is_loaded_that_takes_a_while():
    code = "import sys; old = {*sys.modules}; import tlex.cli; print(*{*sys.modules} - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)  # noqa: S603

    own = {"tlex", "tlex._version", "tlex.cli"}
    assert {*done.stdout.decode().split()} <= own | {"__future__", "atexit", "gc"}


def test_only_the_command_that_is_asked_for_is_loaded():
    # What other versions of click and msgspec load for themselves is their own affair.
    modules = loaded_by("extract", str(STORY), beside="import click, msgspec, xml.parsers.expat")
    heavy = modules & {"tlex.corpus", "tlex.viewer", "tlex.lint", "pyarrow", "rich", "pydantic"}
    slow = modules & {"hashlib", "tomllib", "zipfile", "difflib", "shutil", "pathlib"}

    assert modules & {f"tlex.cli.{name}" for name in EVERY} == {"tlex.cli.extract"}
    assert not heavy
    assert not slow


@pytest.mark.parametrize(
    ("command", "slow"),
    [
        ("fix", {"hashlib", "pathlib", "pysat", "tlex.calendar", "tlex.export", "tlex.lint"}),
        ("check", {"pathlib", "pysat", "urllib.parse", "tlex.draw", "tlex.export"}),
    ],
)
def test_what_is_shown_of_a_contradiction_needs_little(tmp_path, command, slow):
    (tmp_path / "a.tml").write_bytes(CONTRADICTION.read_bytes())

    modules = loaded_by(command, str(tmp_path), beside="import click, msgspec, xml.parsers.expat")

    assert "tlex.quotation" in modules
    assert not modules & slow


def test_modules_that_are_loaded_at_every_start_do_not_count(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import pathlib, shutil, zipfile")
    found = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", found)

    test_only_the_command_that_is_asked_for_is_loaded()


ENDING = """
import atexit, sys, threading, time
from tlex.cli import start

def wait():
    time.sleep(0.05)
    print("thread ends")

atexit.register(print, "at exit")
threading.Thread(target=wait).start()
sys.stdout.reconfigure(line_buffering=False)
start()
"""


@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 0), (["xyzzy"], 2)])
def test_a_process_ends_as_any_process_of_python(arguments, code):
    words = [sys.executable, "-c", ENDING, *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(  # noqa: S603
        words, capture_output=True, text=True, check=False, env=environment
    )

    assert done.returncode == code
    assert done.stdout.endswith("thread ends\nat exit\n")
    assert bool(done.stderr) == bool(code)


IGNORING = """
import atexit, os, signal, sys, weakref
import tlex.cli.app

class Thing:
    pass

def interrupt(_):  # as in a callback of the module that loads modules
    os.kill(os.getpid(), int(sys.argv[1]))
    for _ in range(1000):
        pass

def run(_):
    thing = Thing()
    reference = weakref.ref(thing, interrupt)
    del thing
    print("goes on")

tlex.cli.app.run = run
atexit.register(print, "at exit")
tlex.cli.start()
"""


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "tlex: interrupted\n"), (signal.SIGTERM, 143, "")],
)
def test_a_signal_that_comes_where_exceptions_are_ignored_ends_the_process(number, code, said):
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", IGNORING, str(int(number))],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )

    assert (done.returncode, done.stdout, done.stderr) == (code, "at exit\n", said)


def test_other_exceptions_that_are_ignored_are_told_and_the_work_goes_on():
    broken = IGNORING.replace("os.kill(os.getpid(), int(sys.argv[1]))", "len(5)")
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", broken], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "goes on\nat exit\n")
    assert "TypeError" in done.stderr


def test_a_stream_that_cannot_be_flushed_at_the_end_is_told():
    full = "import os, sys; from tlex.cli import start; print('x'); start()"
    with open("/dev/full", "w") as sink:  # noqa: PTH123
        words = [sys.executable, "-c", full, "nonsense"]
        environment = {**os.environ, "PYTHONUNBUFFERED": ""}
        done = subprocess.run(words, stdout=sink, check=False, stderr=-1, env=environment)  # noqa: S603

    assert done.returncode == 120  # what Python says
    assert b"No space left" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extarct"], "no such command 'extarct'; did you mean 'extract'; see tlex --help"),
        (["xyzzy"], "no such command 'xyzzy'; see tlex --help"),
        (
            ["corpus", "repotr"],
            "no such command 'repotr'; did you mean 'report'; see tlex corpus --help",
        ),
        (
            ["extract", "x.tml", "--jsn"],
            "no such option '--jsn'; did you mean '--json'; see tlex extract --help",
        ),
        (["extract"], "missing argument 'FILE|DIR|-...'; see tlex extract --help"),
        (["extract", "x.tml", "--max-bytes", "0"], "'0' is no size"),
        (["extract", "x.tml", "--max-bytes", "much"], "'much' is no size"),
        (["extract", "x.tml", "--times", "day"], "'day' is not one of 'interval', 'point'"),
        (["extract", "x.tml", "--links", "slink"], "links cannot be 'SLINK'"),
        (["extract", "x.tml", "--links", ","], "links is empty"),
        (["extract", "x.tml", "--labels", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["extract", "x.tml", "--json=1"], "'--json' does not take a value"),
        (["view"], "missing argument 'FILE|DIR'; see tlex view --help"),
        (["corpus", "run", "x"], "missing option '-o'"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments, message):
    done = run(*arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = messages(done)
    assert line.startswith("tlex: ")
    assert message in line


@pytest.mark.parametrize(("line", "code"), BROKEN_STREAMS)
def test_closed_and_full_streams_make_no_traceback(line, code):
    done = run_shell(f"tlex {line}")

    assert "Traceback" not in done.stderr
    assert done.returncode == code


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Make a directory that takes long enough to be interrupted."""
    folder = tmp_path_factory.mktemp("many")
    for number in range(3000):
        (folder / f"{number:04}.tml").write_bytes(STORY.read_bytes())
    return folder


@pytest.mark.parametrize("command", ["extract", "check --all", "closure"])
def test_a_reader_that_leaves_early_ends_the_command_without_a_word(command, many):
    done = run_shell(f"tlex {command} {many} | head -1; exit ${{{{PIPESTATUS[0]}}}}")

    assert (done.returncode, done.stderr) == (141, "")
    assert done.stdout.startswith("0000.tml")


@pytest.mark.parametrize("command", [["extract"], ["check", "--all"], ["fix", "--json"]])
def test_ctrl_c_is_one_line_and_exit_code_130(command, many):
    with subprocess.Popen(  # noqa: S603
        [*TLEX, *command, str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert errors.decode() == "tlex: interrupted\n"
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("tlex cl", ["plain,closure"]),
        ("tlex corpus s", ["plain,sample"]),
        ("tlex extract --ver", ["plain,--verify"]),
        ("tlex extract --times p", ["plain,point"]),
        ("tlex draw story.tml --as s", ["plain,svg"]),
    ],
)
def test_a_shell_can_complete_commands_options_and_choices(words, wanted):
    done = run(
        COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1), _TLEX_COMPLETE="bash_complete"
    )

    assert done.stdout.decode().splitlines() == wanted


def test_the_script_for_a_shell_is_printed():
    done = run(_TLEX_COMPLETE="bash_source", PATH=os.environ["PATH"])

    assert "complete -o nosort -F _tlex_completion tlex" in done.stdout.decode()
