"""``tlex reduce``: a minimal set of links that implies the rest."""

from __future__ import annotations

from commands import run


def test_the_reduction_lists_what_is_kept_and_what_follows():
    done = run("reduce", "examples/story.tml")

    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0] == "examples/story.tml: 26 of 27 links entail the rest"
    assert lines[-2:] == [
        "  these follow:",
        '  l20  "eleven o\'clock" (t2) BEFORE "midnight" (t4), line 74',
    ]
    assert len(lines) == 1 + 26 + 2
