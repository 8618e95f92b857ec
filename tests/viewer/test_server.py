"""The server, without a port: who is answered, with what, and under which policy."""

from __future__ import annotations

import shutil
from pathlib import Path
from time import sleep

import pytest
from starlette.testclient import TestClient

from tlex.viewer.library import Library
from tlex.viewer.server import make_app

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(EXAMPLES / "story.tml", home / "story.tml")
    shutil.copy(EXAMPLES / "contradiction.tml", home / "a b&c.tml")
    (home / "broken.tml").write_text("<TimeML>")
    (tmp_path / "secret.tml").write_text("<TimeML>secret</TimeML>")
    return home


def serve(path: Path, *, follow: bool = False) -> TestClient:
    library = Library(str(path))
    library.scan()
    for _ in library.settle():
        pass
    return TestClient(make_app(library, follow=follow), base_url="http://127.0.0.1:8000")


def test_the_first_page_is_the_list_and_each_document_has_its_own(folder):
    client = serve(folder)

    listed = client.get("/")
    entries = client.get("/changes?since=0").json()["entries"]

    assert listed.status_code == 200
    assert {entry["verdict"] for entry in entries} == {"consistent", "inconsistent", "broken"}
    for entry in entries:
        page = client.get(entry["href"])
        assert page.status_code == 200
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert entry["name"].replace("&", "\\u0026") in page.text


def test_a_broken_document_is_reported_in_one_line(folder):
    page = serve(folder).get("/document/broken.tml").text

    assert "broken.tml:1:9: " in page
    assert "Traceback" not in page


def test_of_one_file_the_first_page_is_its_own(folder):
    page = serve(folder / "story.tml").get("/").text

    assert '"page":"document"' in page


@pytest.mark.parametrize(
    ("asked", "calendar"),
    [("", "false"), ("?calendar=on", "true"), ("?calendar=off", "false"), ("?calendar=x", "false")],
)
def test_the_calendar_can_be_asked_for(folder, asked, calendar):
    page = serve(folder).get(f"/document/story.tml{asked}").text

    assert f'"calendar":{calendar}' in page
    assert ('"date":"31 Dec 2019"' in page) == (calendar == "true")


@pytest.mark.parametrize(
    "path",
    [
        "/document/../secret.tml",
        "/document/%2e%2e/secret.tml",
        "/document/..%2fsecret.tml",
        "/document//etc/passwd",
        "/document/%00",
        "/secret.tml",
        "/static/viewer.js",
        "/document/",
        "/..%2f..%2fetc/passwd",
    ],
)
def test_nothing_else_can_be_reached(folder, path):
    answer = serve(folder).get(path)

    assert answer.status_code == 404
    assert "secret</" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:1234", "LOCALHOST", "127.0.0.1"])
def test_who_asks_for_this_machine_is_answered(folder, host):
    assert serve(folder).get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["example.org", "127.0.0.1.example.org", "localhost.example.org:8000", "", "[::1]:80",
     "localhost@example.org", "example.org:127.0.0.1", "127.0.0.1:80.example.org", "localhost:"],
)  # fmt: skip
def test_a_name_that_was_led_here_is_not(folder, host):
    client = serve(folder)

    for path in ("/", "/document/story.tml", "/changes?since=0", "/nothing"):
        answer = client.get(path, headers={"host": host})
        assert answer.status_code == 421
        assert "owl" not in answer.text


def test_every_answer_carries_a_strict_policy(folder):
    client = serve(folder)

    for path in ("/", "/document/story.tml", "/changes?since=0", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(folder, method):
    assert serve(folder).request(method, "/document/story.tml").status_code == 405


def test_only_changes_are_reported(folder):
    client = serve(folder)
    version = client.get("/changes?since=0").json()["version"]

    news = client.get(f"/changes?since={version}").json()

    assert news == {"version": version, "whole": False, "entries": []}
    assert client.get("/changes?since=x").status_code == 400


def test_while_it_runs_it_follows_the_disk(folder):
    with serve(folder, follow=True) as client:
        version = client.get("/changes?since=0").json()["version"]
        (folder / "broken.tml").write_text("<TimeML>Mended.</TimeML>")

        for _ in range(200):
            news = client.get(f"/changes?since={version}").json()
            verdicts = {entry["name"]: entry["verdict"] for entry in news["entries"]}
            if verdicts.get("broken.tml") == "consistent":
                break
            sleep(0.05)

    assert verdicts == {"broken.tml": "consistent"}
