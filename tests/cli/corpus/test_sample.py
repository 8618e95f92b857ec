"""``tlex corpus sample``: a random sample of a run, for human judges."""

from __future__ import annotations

STORY = "examples/story.tml"


def test_a_run_with_labels_of_its_own_wants_them_again(tlex, tmp_path):
    (tmp_path / "own.toml").write_text('[TLINK]\nFOLLOWS = "AFTER"\n')
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text("# plain\ne1 FOLLOWS e2\ne2 BEFORE e3\n")
    labels = ("--labels", tmp_path / "own.toml")
    tlex("run", tmp_path / "news", "-o", tmp_path / "out", "-j", "1", *labels)

    code, page, _ = tlex("sample", tmp_path / "out", "--what", "order", *labels)
    without = tlex("sample", tmp_path / "out", "--what", "order")

    assert code == 0
    assert "Is it right that the end of e2 comes before the beginning of e1?" in page
    assert without[0] == 2
    assert "the run had other --labels; give the same file" in without[2]
