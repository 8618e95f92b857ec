"""``tlex score`` as a user meets it."""

from __future__ import annotations

import json

import pytest
from commands import CONTRADICTION, STORY, messages, run, run_on_terminal


@pytest.fixture
def folders(tmp_path):
    """A gold directory, and a system that says the story in fewer links."""
    for name in ("gold", "system"):
        (tmp_path / name).mkdir()
    story = STORY.read_text()
    (tmp_path / "gold" / "story.tml").write_text(story)
    (tmp_path / "gold" / "other.tml").write_text(CONTRADICTION.read_text())
    lines = [line for line in story.splitlines() if 'lid="l3"' not in line]
    (tmp_path / "system" / "story.tml").write_text("\r\n".join(lines))
    (tmp_path / "system" / "other.tml").write_text(CONTRADICTION.read_text())
    return tmp_path


def read(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_document_against_itself_is_all_right():
    done = run("score", STORY, STORY)
    assert done.returncode == 0
    (line,) = [line for line in done.stdout.decode().splitlines() if "awareness" in line]
    assert line.split() == ["temporal", "awareness", "100.0", "100.0", "100.0"]


def test_directories_are_scored_document_by_document(folders):
    done = run("score", folders / "gold", folders / "system", "--json", "--bootstrap", "20")
    *documents, last = read(done)
    assert done.returncode == 0
    assert [one["document"] for one in documents] == ["other.tml", "story.tml"]
    total = last["total"]
    for figure in ("precision", "recall"):
        for part in ("correct", "total"):
            assert total[figure][part] == sum(one[figure][part] for one in documents)
    assert total["interval"]["f1"][0] <= total["f1"] <= total["interval"]["f1"][1]
    assert {"same", "system", "gold", "opposite"} == documents[0]["orders"].keys()
    assert {"side", "links", "source", "type", "target", "verdict", "proof"} <= documents[0][
        "verdicts"
    ][0].keys()


def test_line_ends_do_not_matter(folders):
    assert b"\r\n" in (folders / "system" / "story.tml").read_bytes()
    done = run("score", folders / "gold" / "story.tml", folders / "system" / "story.tml", "--json")
    first, _ = read(done)
    assert first["nodes"]["matched"] == first["nodes"]["gold"]


def test_a_missing_document_is_scored_against_nothing_and_told(folders):
    (folders / "system" / "story.tml").unlink()
    (folders / "system" / "alone.tml").write_text(STORY.read_text())
    done = run("score", folders / "gold", folders / "system", "--json")
    total = read(done)[-1]["total"]
    assert done.returncode == 0
    assert (total["without_system"], total["without_gold"]) == (["story.tml"], ["alone.tml"])
    assert any("story.tml has no system document" in line for line in messages(done))
    assert any("alone.tml has no gold document" in line for line in messages(done))


@pytest.mark.parametrize("content", [b"junk", b"<TimeML><EVENT", b""])
def test_a_system_file_that_cannot_be_read_is_an_error_unless_asked(folders, content):
    (folders / "system" / "story.tml").write_bytes(content)
    done = run("score", folders / "gold", folders / "system", "--json")
    assert done.returncode == 2
    assert "story.tml" in read(done)[-1]["total"]["errors"]
    assert any("system/story.tml" in line for line in messages(done))
    assert [one["document"] for one in read(done)[:-1]] == ["other.tml"]

    done = run("score", folders / "gold", folders / "system", "--json", "--unreadable", "empty")
    assert done.returncode == 0
    (story,) = [one for one in read(done)[:-1] if one["document"] == "story.tml"]
    assert (story["precision"]["total"], story["recall"]["correct"]) == (0, 0)
    assert {verdict["verdict"] for verdict in story["verdicts"]} == {"unmatched"}


def test_a_system_file_that_counts_as_empty_is_no_error_and_a_missing_one_is(folders):
    gold, system = folders / "gold" / "story.tml", folders / "system" / "story.tml"
    system.write_bytes(b"<TimeML><EVENT")
    (folders / "system" / "other.tml").unlink()
    for sides in ((gold, system), (folders / "gold", folders / "system")):
        done = run("score", *sides, "--unreadable", "empty")
        assert done.returncode == 0
        assert any("it counts as empty" in line for line in messages(done))
    system.write_bytes(b"junk")
    sides = folders / "gold", folders / "system"
    assert run("score", *sides, "--unreadable", "empty").returncode == 0
    assert run("score", *sides).returncode == 2
    assert run("score", gold, folders / "none.tml", "--unreadable", "empty").returncode == 2
    gold.write_bytes(b"<TimeML><EVENT")
    assert run("score", *sides, "--unreadable", "empty").returncode == 2


def test_other_texts_are_refused_with_the_place(folders):
    text = STORY.read_text().replace("snowed", "rained", 1)
    (folders / "system" / "story.tml").write_text(text)
    done = run("score", folders / "gold", folders / "system", "--json")
    assert done.returncode == 2
    (line,) = [line for line in messages(done) if "differ" in line]
    assert "story.tml: the texts of the two sides differ" in line
    assert "'rained" in line
    assert "in line" in line


def test_two_systems_are_compared(folders):
    done = run("score", folders / "gold", folders / "gold", folders / "system", "--json")
    test = read(done)[-1]["test"]
    assert test["documents"] == 2
    assert test["difference"] > 0
    assert 0 < test["p_value"] <= 1
    assert run(
        "score", folders / "gold", folders / "gold", folders / "system", "--json"
    ).stdout == (done.stdout)


def test_why_names_the_links_that_exclude_a_link(tmp_path):
    gold, system = tmp_path / "a.txt", tmp_path / "b.txt"
    gold.write_text("a BEFORE b\nb BEFORE c\n")
    system.write_text("c BEFORE a\n")
    done = run("score", gold, system, "--match", "ids", "--why", "l1")
    assert done.returncode == 0
    words = " ".join(done.stdout.decode().split())
    assert "Wrong: the gold excludes it, by its l1, l2." in words
    done = run("score", gold, system, "--match", "ids", "--why", "l9")
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_report_is_one_page_that_loads_nothing(folders):
    page = folders / "report.html"
    done = run("score", folders / "gold", folders / "system", "--html", page)
    assert done.returncode == 0
    html = page.read_text()
    assert "story.tml" in html
    assert "http" not in html.replace("http-equiv", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((STORY,), "score takes a gold annotation and one or two systems"),
        (("-", "-"), "standard input can be only one side"),
        ((STORY, STORY, "--links", "slink"), "links cannot be 'SLINK'"),
        ((STORY, STORY, "--mode", "tempeval3", "--calendar"), "mode 'tempeval3'"),
        ((STORY, "nowhere.tml"), "nowhere.tml"),
    ],
)
def test_wrong_arguments_are_one_line(arguments, message):
    done = run("score", *arguments)
    assert done.returncode == 2
    assert message in messages(done)[0]


def test_there_is_no_table_of_nothing(tmp_path):
    (tmp_path / "broken.tml").write_text("<TimeML><EVENT")
    done = run("score", STORY, tmp_path / "broken.tml")
    assert (done.returncode, done.stdout) == (2, b"")
    assert messages(done)[-1].endswith("broken.tml: nothing could be scored")


def test_a_brat_file_beside_its_text_is_the_partner_of_a_timeml_file(folders):
    (folders / "brat").mkdir()
    run("convert", STORY, "--to", "brat", "-o", folders / "brat" / "story.ann")
    (folders / "gold" / "other.tml").unlink()
    (folders / "gold" / "also.tml").write_text(STORY.read_text())
    done = run("score", folders / "gold", folders / "brat", "--json")
    also, story, last = read(done)
    assert last["total"]["without_system"] == ["also.tml"]
    assert (also["f1"], story["f1"]) == (0, 1)


def test_two_directories_go_by_name_even_with_one_document_each(folders):
    (folders / "gold" / "other.tml").unlink()
    (folders / "system" / "story.tml").unlink()
    done = run("score", folders / "gold", folders / "system", "--json")
    total = read(done)[-1]["total"]
    assert (total["without_system"], total["without_gold"]) == (["story.tml"], ["other.tml"])
    assert total["precision"]["total"] == 0


def test_on_a_narrow_terminal_the_table_keeps_its_words():
    _, shown = run_on_terminal("score", STORY, STORY, COLUMNS="50")
    assert "in sections of unknown order\n" in shown.replace("\r", "")
    assert max(map(len, shown.splitlines())) <= 50


def test_figures_that_depend_on_the_order_of_links_are_labelled_so(folders):
    page = folders / "report.html"
    done = run("score", STORY, STORY, "--mode", "tempeval3", "--html", page)
    for words in (done.stdout.decode(), page.read_text()):
        assert "in the order of links" in " ".join(words.split())
