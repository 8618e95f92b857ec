"""``tlex fix --interactive`` on a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import termios
from pathlib import Path

from commands import ROOT, TLEX, run, run_shell
from contradictory import FIXED, LINK, PAIR, contents, document, fill

TWO = document(
    ("l1", "BEFORE", "b", "a"),
    ("l2", "BEFORE", "a", "b"),
    ("l3", "BEFORE", "d", "c"),
    ("l4", "BEFORE", "c", "d"),
)


def talk(
    *arguments: str | Path, answers: list[bytes], hang_up: bool = False, cwd: Path | None = None
) -> tuple[int, str]:
    """Run ``tlex`` on a terminal of its own, and type the next answer at each prompt.

    With ``hang_up`` the terminal is closed when it asks and there is no answer left.
    """
    main, side = pty.openpty()

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(  # noqa: S603 -- our own command
        [*TLEX, "fix", "--interactive", *map(str, arguments)],
        stdin=side,
        stdout=side,
        stderr=side,
        preexec_fn=take_terminal,  # noqa: PLW1509 -- there are no threads
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    os.close(side)
    shown, left = b"", list(answers)
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
        if shown.endswith(b"): ") and left:
            os.write(main, left.pop(0))
        elif shown.endswith(b"): ") and hang_up:
            break
    if hang_up:
        os.close(main)
    code = process.wait(timeout=60)
    if not hang_up:
        os.close(main)
    return code, shown.decode().replace("\r", "")


def test_answers_are_taken_one_after_the_other(tmp_path):
    fill(tmp_path, two=TWO)

    code, shown = talk(tmp_path / "two.tml", "--write", answers=[b"2\n", b"\n", b"\n"])

    assert code == 0
    assert "two.tml: decided --choose 1=2,2=1" in shown
    written = TWO.replace(LINK.format("l2", "BEFORE", "a", "b"), "")
    written = written.replace(LINK.format("l3", "BEFORE", "d", "c"), "")
    assert contents(tmp_path) == {"two.tml": written}


def test_a_decision_can_be_undone(tmp_path):
    fill(tmp_path, pair=PAIR)

    typed = [b"u\n", b"2\n", b"u\n", b"9\n", b"x\n", b"?\n", b"1\n", b"\n"]
    code, shown = talk(tmp_path / "pair.tml", "--write", answers=typed)

    assert (code, contents(tmp_path)) == (0, {"pair.tml": FIXED})
    assert "there is nothing to undo" in shown
    assert shown.count("give a number from 1 to 4, or u, s, q or ?") == 2
    assert "quit: save what is decided" in shown


def test_quitting_saves_what_is_decided(tmp_path):
    fill(tmp_path, two=TWO)

    code, shown = talk(tmp_path / "two.tml", "--write", answers=[b"1\n", b"q\n"])

    assert code == 0
    assert "decided --choose 1=1,2=0" in shown
    assert contents(tmp_path) == {"two.tml": TWO.replace(LINK.format("l1", "BEFORE", "b", "a"), "")}


def test_a_skipped_contradiction_stays(tmp_path):
    fill(tmp_path, two=TWO)

    code, _ = talk(tmp_path / "two.tml", "--write", answers=[b"s\n", b"2\n", b"\n"])

    assert code == 0
    assert contents(tmp_path) == {"two.tml": TWO.replace(LINK.format("l4", "BEFORE", "c", "d"), "")}


def test_an_interrupted_run_can_be_continued(tmp_path):
    fill(tmp_path, two=TWO)
    path = tmp_path / "two.tml"

    code, shown = talk(path, "--write", answers=[b"2\n", b"\x03"])

    assert (code, contents(tmp_path)) == (130, {"two.tml": TWO})
    assert "interrupted, not written; go on with --interactive --choose 1=2" in shown
    code, shown = talk(path, "--write", "--choose", "1=2", answers=[b"1\n", b"\n"])
    assert code == 0
    assert "decided --choose 1=2,2=1" in shown


def test_the_end_of_input_is_one_clear_line(tmp_path):
    fill(tmp_path, two=TWO)

    code, shown = talk(tmp_path / "two.tml", "--write", answers=[b"2\n", b"\x04"])

    assert (code, contents(tmp_path)) == (2, {"two.tml": TWO})
    assert "the terminal was closed, not written; go on with" in shown


def test_a_hang_up_keeps_what_was_decided(tmp_path):
    fill(tmp_path, two=TWO)

    code, _ = talk("two.tml", "--write", answers=[b"2\n"], hang_up=True, cwd=tmp_path)

    kept = "tlex fix two.tml --interactive --choose 1=2\n"
    assert code == 129
    assert contents(tmp_path) == {"two.tml": TWO, "tlex-decisions.txt": kept}


def test_a_hang_up_before_the_first_decision_leaves_nothing(tmp_path):
    fill(tmp_path, two=TWO)

    code, _ = talk("two.tml", "--write", answers=[], hang_up=True, cwd=tmp_path)

    assert (code, contents(tmp_path)) == (129, {"two.tml": TWO})


def test_nobody_is_asked_about_what_cannot_be_written(tmp_path):
    (tmp_path / "pair.txt").write_text("a BEFORE b\nb BEFORE a\n", encoding="utf-8")

    for where in (["--write"], ["-o", "new.txt"]):
        code, shown = talk("pair.txt", *where, answers=[b"1\n", b"\n"], cwd=tmp_path)
        assert code == 2
        assert "a file of format 'plain' cannot be written back" in shown
        assert "option [1]" not in shown
    code, shown = talk("pair.txt", "-o", "new.json", answers=[b"1\n", b"\n"], cwd=tmp_path)
    assert code == 0
    assert "decided --choose 1=1" in shown
    typed = [b"1\n", b"\n"]
    code, shown = talk("pair.txt", "--write", "--patch", "p.json", answers=typed, cwd=tmp_path)
    assert "decided --choose 1=1" in shown
    assert (tmp_path / "p.json").is_file()


def test_without_a_terminal_nobody_is_asked():
    for line in ("fix {contradiction} -i", "fix {contradiction} -i <&-"):
        done = run_shell(f"tlex {line}")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "--interactive needs a terminal" in done.stderr
    assert run("fix", "-", "-i", stdin=PAIR.encode()).returncode == 2
