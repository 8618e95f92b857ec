"""``tlex why``: the proof of how two events or times are related."""

from __future__ import annotations

from pathlib import Path

from commands import STORY, run


def shown(*arguments: str | Path, **options: object) -> str:
    done = run(*arguments, **options)

    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    return text


def test_the_proof_names_each_link_with_its_words_and_line():
    text = shown("why", "examples/story.tml", "ei2", "t4")

    assert text == (
        '"built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]\n'
        "  ei2+ < t4-   because\n"
        '    l4   "built" (ei2) BEFORE "coughed" (ei4), line 58\n'
        '    l6   "coughed" (ei4) SIMULTANEOUS "eleven o\'clock" (t2), line 60\n'
        '    l20  "eleven o\'clock" (t2) BEFORE "midnight" (t4), line 74\n'
        "    that is ei2+ < ei4- < ei4+ = t2+ < t4-\n"
    )


def test_an_open_pair_comes_with_two_complete_timelines():
    text = shown("why", STORY, "built", "warmed")

    one, other = text.split("one timeline on which ")[1].split("another on which ")
    assert one.startswith('"built" (ei2) is BEFORE "warmed" (ei3):\n')
    assert other.startswith('"built" (ei2) is AFTER "warmed" (ei3):\n')
    assert "< ei2- < ei2+ < ei3- < ei3+" in " ".join(one.split())
    assert "< ei3- < ei3+ < ei2- < ei2+" in " ".join(other.split())
    for timeline in (one, other):
        assert timeline.count("ei21+") == timeline.count("t3-") == 1


def test_what_is_settled_in_part_is_reported_and_proven(tmp_path):
    path = tmp_path / "part.tml"
    path.write_text(
        '<TimeML><EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT>'
        '<TLINK lid="l1" relType="OVERLAP" eventInstanceID="e1" relatedToEventInstance="e2"/>'
        "</TimeML>"
    )

    text = shown("why", path, "a", "b")

    assert "9 relations are possible" in text
    assert "  in any case e1- < e2+, e1+ > e2-\n" in text
    assert "  e1- < e2+   because\n    l1   " in text
    assert "one timeline on which" in text


def test_across_timelines_without_a_way_it_says_so(tmp_path):
    path = tmp_path / "two.tml"
    path.write_text('<TimeML><EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT></TimeML>')

    assert "no chain of subordinating links" in shown("why", path, "a", "b")


def test_an_event_is_itself():
    assert shown("why", STORY, "ei2", "built") == (
        '"built" (ei2) is "built" (ei2): one and the same\n'
    )


def test_words_from_a_file_cannot_steer_the_terminal(tmp_path):
    path = tmp_path / "evil.tml"
    path.write_text(
        '<TimeML><EVENT eid="e&#x202e;1">a&#x9b;31m</EVENT><EVENT eid="e2">b</EVENT>'
        '<TLINK lid="l&#x202e;" relType="BEFORE" eventInstanceID="e&#x202e;1" '
        'relatedToEventInstance="e2"/></TimeML>'
    )

    text = shown("why", path, "b", "e\u202e1")

    assert "\u202e" not in text
    assert "\x9b" not in text
