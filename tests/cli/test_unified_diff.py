"""The diff that ``tlex fix`` shows: ``patch`` can apply it."""

from __future__ import annotations

import shutil
import subprocess
from difflib import diff_bytes, unified_diff

import pytest
from commands import run
from contradictory import LINK, PAIR, document
from hypothesis import given
from hypothesis import strategies as st

from tlex.cli.unified_diff import compare
from tlex.markup import apply_edits


def headers(diff: bytes) -> list[bytes]:
    return [line for line in diff.splitlines() if line.startswith(b"@@")]


class TestTheDiff:
    TEXTS = {  # noqa: RUF012
        "as usual": PAIR.encode(),
        "CRLF": PAIR.replace("\n", "\r\n").encode(),
        "CR": PAIR.replace("\n", "\r").encode(),
        "no end of line at the end": PAIR.rstrip().encode(),
        "on the last line": PAIR.replace("/>\n", "/>").rstrip().encode(),
        "latin-1": b'<?xml version="1.0" encoding="iso-8859-1"?>\n'
        + PAIR.replace(">a<", ">\xe4<").encode("iso-8859-1"),
        "long lines": PAIR.replace("\n", " " * 9_000).encode(),
        "far apart": document(
            ("l1", "BEFORE", "a", "b"), ("l2", "BEFORE", "b", "a"),
            *((f"m{k}", "BEFORE", f"c{k}", f"d{k}") for k in range(20)),
            ("l3", "BEFORE", "e", "f"), ("l4", "BEFORE", "f", "e"), ("l5", "AFTER", "x", "x"),
        ).encode(),
        "over several lines": PAIR.replace(' relType="BEFORE"', '\n\n relType="BEFORE"\n').encode(),
        "far apart and over several lines": document(
            ("l1", 'BEFORE"\n\n', "a", "b"), ("l2", "BEFORE", "b", "a"),
            *((f"m{k}", "BEFORE", f"c{k}", f"d{k}") for k in range(20)),
            ("l3", "BEFORE", "e", "f"), ("l4", "BEFORE", "f", "e"),
        ).replace('\n" event', "\n event").encode(),
    }  # fmt: skip

    @pytest.mark.skipif(shutil.which("patch") is None, reason="no patch on this machine")
    @pytest.mark.parametrize("case", TEXTS)
    @pytest.mark.parametrize("more", [(), ("--relabel",)])
    def test_patch_applies_it_and_the_bytes_are_those_of_write(self, tmp_path, case, more):
        for folder in ("shown", "written"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "x y.tml").write_bytes(self.TEXTS[case])

        done = run("fix", "x y.tml", *more, cwd=tmp_path / "shown")
        run("fix", "x y.tml", "--write", *more, cwd=tmp_path / "written")
        patched = subprocess.run(
            ["patch", "-p1", "--binary", "--fuzz=0"],  # noqa: S607
            input=done.stdout, capture_output=True, cwd=tmp_path / "shown", check=False,
        )  # fmt: skip

        assert patched.returncode == 0, patched.stdout + patched.stderr
        assert b"offset" not in patched.stdout
        written = (tmp_path / "written" / "x y.tml").read_bytes()
        assert (tmp_path / "shown" / "x y.tml").read_bytes() == written != self.TEXTS[case]

    def test_a_file_in_utf_16_is_shown_as_utf_8(self, tmp_path):
        (tmp_path / "x.tml").write_bytes(PAIR.replace(">a<", ">ä<").encode("utf-16"))

        lines = run("fix", "x.tml", cwd=tmp_path).stdout.decode().splitlines()

        assert ' \ufeff<TimeML><EVENT eid="a">ä</EVENT>' in "".join(lines)
        assert "-" + LINK.format("l1", "BEFORE", "b", "a").rstrip() in lines

    @pytest.mark.parametrize("distance", [1, 2, 6, 7, 8])
    def test_changes_share_their_context_as_soon_as_it_meets(self, distance):
        data = b"".join(b"%d\n" % k for k in range(30))
        places = [data.index(b"\n%d\n" % k) + 1 for k in (10, 10 + distance)]

        lines = list(compare(data, [(at, at + 2, b"x") for at in places], "x"))

        assert sum(line.startswith(b"@@") for line in lines) == (1 if distance <= 7 else 2)
        assert apply_edits(data, [(at, at + 2, b"x") for at in places]).count(b"x") == 2

    @given(
        changes=st.dictionaries(
            st.integers(0, 39), st.sampled_from([b"x", b"x\ny", b"x\n\nz"]), min_size=1, max_size=5
        ),
        end=st.sampled_from([b"", b"\n"]),
    )
    def test_it_is_what_a_search_for_differences_finds(self, changes, end):
        lines = [b"%d" % k for k in range(40)]
        old = b"\n".join(lines) + end
        starts = {k: len(b"".join(line + b"\n" for line in lines[:k])) for k in range(40)}
        edits = [(starts[k], starts[k] + len(lines[k]), new) for k, new in changes.items()]
        new = b"\n".join(changes.get(k, line) for k, line in enumerate(lines)) + end

        found = b"".join(compare(old, edits, "x")).replace(b"\\ No newline at end of file\n", b"")

        pieces = (text.splitlines(keepends=True) for text in (old, new))
        wanted = diff_bytes(unified_diff, *pieces, b"a/x", b"b/x")
        ended = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in wanted)
        assert apply_edits(old, edits) == new
        assert headers(found) == headers(ended)
        assert sorted(found.splitlines()) == sorted(ended.splitlines())
