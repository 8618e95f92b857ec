"""The code blocks of the pages: find them, run them, and write their output anew.

The tests run every block of every page; ``docs/generate.py`` makes the pictures of a page by
running its commands. How a block is run:

* ``console``: lines with ``$`` are commands. What follows is their output, as a terminal of 80
  columns shows it; ``...`` stands for anything. Without such lines the output does not matter.
* ``sh``: every line is a command.
* ``python``, ``pycon``: an interactive session (``>>>``) or a program.
* any other language with a ``title="FILE"``: the content of that file.

Installations and servers are not run. All blocks of a page run one after the other, in a directory
that has the examples.

python docs/blocks.py PAGE...    # write the output of all commands of these pages anew
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from tlex.cli.app import run as run_tlex

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```([a-z]*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]+)"')
SESSIONS = ("python", "pycon")
INSTALLS = ("pip", "make", "duckdb")  # the tests of tables run the queries for duckdb
SHELL = re.compile(r"[|<>;&$`]")
_PATCH = "tlex fix examples/anna/ferry.tml --choose 1={} --patch {}"
NEEDED = {
    "comparing.md": ("git init --quiet",),
    "viewer.md": (_PATCH.format(5, "ann.json"), _PATCH.format(2, "ben.json")),
    "layers.md": (f"cp {shlex.quote(str(ROOT / 'tests/data/e3c.xmi'))} export.xmi",),
}
"""Commands that make what a page takes for granted."""


class Block(NamedTuple):
    """A fenced block of a page, and where it stands."""

    language: str
    title: str
    text: str
    line: int


class Command(NamedTuple):
    """A command line, and the output that the page shows for it."""

    line: str
    shown: str


class WrongBlockError(Exception):
    """A block that does not do what its page says."""


class Terminal(io.TextIOWrapper):
    """A terminal of 80 columns without colours; what is printed goes to a buffer."""

    def isatty(self) -> bool:
        """Say that this is a terminal."""
        return True


def find_blocks(page: str) -> Iterator[Block]:
    """Find the fenced blocks of a page."""
    for found in BLOCK.finditer(page):
        title = TITLE.search(found[2])
        line = page.count("\n", 0, found.start()) + 1
        yield Block(found[1], title[1] if title else "", found[3], line)


def find_commands(block: Block) -> Iterator[Command]:
    """Find the commands of a block; a backslash joins two lines."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                yield Command(line, "")
        return
    for piece in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, _, shown = piece.partition("\n")
        yield Command(line, shown)


class Stage:
    """A directory with the examples, in which the blocks of one page run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "page"}
        shutil.copytree(
            ROOT / "examples",
            folder / "examples",
            ignore=shutil.ignore_patterns("__pycache__", "*.html"),
        )

    def run(self, block: Block) -> None:
        """Run a block. Raises `WrongBlockError`."""
        with contextlib.chdir(self.folder):
            if block.language in {"console", "sh"}:
                for command in find_commands(block):
                    self._check(command, block)
            elif block.title:
                Path(block.title).parent.mkdir(parents=True, exist_ok=True)
                Path(block.title).write_text(block.text, encoding="utf-8")
            elif block.language in SESSIONS:
                self._run_python(block)

    def _check(self, command: Command, block: Block) -> None:
        code, output = self.try_command(command.line)
        if code not in {0, 1}:
            raise WrongBlockError(f"{block.line}: {command.line}: exit code {code}\n{output}")
        checker = doctest.OutputChecker()
        shown = command.shown.strip("\n")
        if shown and not checker.check_output(shown, output.strip("\n"), doctest.ELLIPSIS):
            raise WrongBlockError(f"{block.line}: {command.line}: the output is\n{output}")

    def try_command(self, line: str) -> tuple[int, str]:
        """Run a command and give its exit code and all that a terminal would show."""
        words = shlex.split(line, comments=True)
        if words[0] in INSTALLS or words[1:3] == ["-m", "venv"]:
            return 0, ""
        serves = words[:2] == ["tlex", "view"] and "--export" not in words
        if serves or "--interactive" in words or "--open" in words:
            return 0, ""
        if words[0] != "tlex" or SHELL.search(shlex.join(words).replace("'", "")):
            return _run_shell(line)
        buffer = io.BytesIO()
        terminal = Terminal(buffer, encoding="utf-8", write_through=True)
        messages = io.TextIOWrapper(buffer, encoding="utf-8", write_through=True)
        screen = mock.patch.dict(os.environ, {"NO_COLOR": "1", "COLUMNS": "80"})
        with screen, contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(messages):
            code = run_tlex(words[1:])
        text = buffer.getvalue().decode("utf-8")
        terminal.detach()
        messages.detach()
        return code, text

    def _run_python(self, block: Block) -> None:
        if ">>> " not in block.text:
            exec(block.text, self.names)  # noqa: S102 -- our own page
            return
        parsed = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, 0)
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        failed, _ = runner.run(parsed, out=report.write, clear_globs=False)
        self.names = parsed.globs
        if failed:
            raise WrongBlockError(f"{block.line}: {report.getvalue()}")


def _run_shell(line: str) -> tuple[int, str]:
    start = f'tlex() {{ {shlex.quote(sys.executable)} -m tlex "$@"; }}; '
    start += f'python() {{ {shlex.quote(sys.executable)} "$@"; }}; '
    done = subprocess.run(  # noqa: S603 -- our own page
        ["/bin/bash", "-c", start + line],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout.decode("utf-8")


def run_page(path: Path, folder: Path) -> Stage:
    """Run all blocks of a page in a new directory."""
    stage = _set_up(path, folder)
    for block in find_blocks(path.read_text(encoding="utf-8")):
        stage.run(block)
    return stage


def _set_up(path: Path, folder: Path) -> Stage:
    stage = Stage(folder)
    with contextlib.chdir(folder):
        for line in NEEDED.get(path.name, ()):
            stage.try_command(line)
    return stage


def write_outputs(path: Path, folder: Path) -> None:
    """Replace the output of every command that has one without ``...``."""
    stage = _set_up(path, folder)
    page = path.read_text(encoding="utf-8")
    for block in find_blocks(page):
        if block.language != "console":
            try:
                stage.run(block)
            except WrongBlockError as error:
                sys.stderr.write(f"{path.name}:{error}\n")
            continue
        text = ""
        for command in find_commands(block):
            with contextlib.chdir(folder):
                _, output = stage.try_command(command.line)
            kept = command.shown if "..." in command.shown or not command.shown.strip() else output
            text += f"$ {command.line}\n{kept}"
        page = page.replace(block.text, text.rstrip("\n") + "\n")
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as place:
            write_outputs(Path(name), Path(place))
