"""``tlex closure``: every relation that follows from the links."""

from __future__ import annotations

from commands import messages, run

OVERLAPS = (
    '<TimeML>\n<EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT><EVENT eid="e3">c</EVENT>\n'
    '<TLINK lid="l1" relType="OVERLAPS" eventInstanceID="e1" relatedToEventInstance="e2"/>\n'
    '<TLINK lid="l2" relType="OVERLAP" eventInstanceID="e2" relatedToEventInstance="e3"/>\n'
    "</TimeML>\n"
)


def test_the_closure_is_listed_one_line_a_pair_within_80_columns():
    done = run("closure", "examples/story.tml")

    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0] == "examples/story.tml: 213 entailed relations, 186 of them new"
    assert len(lines) == 214
    assert '  l2   "snowed" (ei1) BEFORE "built" (ei2)' in lines
    assert '  +    "snowed" (ei1) BEFORE "midnight" (t4)' in lines
    assert max(map(len, lines)) <= 80


def test_what_timeml_has_no_type_for_is_listed_and_counted(tmp_path):
    path, out = tmp_path / "a.tml", tmp_path / "out.tml"
    path.write_text(OVERLAPS)

    done, written = run("closure", path), run("closure", path, "-o", out)

    text = done.stdout.decode()
    assert "0 entailed relations" in text
    assert "1 more that TimeML has no type for" in text
    assert "2 pairs of partly known order" in " ".join(text.split())
    assert '  entailed, but TimeML has no type for it:\n  l1   "a" (e1) [overlaps] "b" (e2)' in text
    assert messages(written)[1:] == ["tlex:   not written: e1 overlaps e2"]
    assert out.read_text() == OVERLAPS
