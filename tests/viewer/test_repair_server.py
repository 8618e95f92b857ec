"""A repair session without a browser: who may change what, what is kept, and what is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from contradictory import FINE, LINK, PAIR, contents, document, fill
from msgspec import UNSET
from starlette.testclient import TestClient

import tlex
from tlex.files import FileBeside
from tlex.viewer.kept_decisions import KeptDecisions, find_place
from tlex.viewer.library import Library
from tlex.viewer.repair_desk import Desk
from tlex.viewer.server import make_app

TOKEN = "the token"  # noqa: S105 -- of a test
HOME = "http://127.0.0.1:8000"
GOOD = {"origin": HOME, "x-tlex-token": TOKEN}
TWO = document(
    ("l1", "BEFORE", "b", "a"),
    ("l2", "BEFORE", "a", "b"),
    ("l3", "BEFORE", "d", "c"),
    ("l4", "BEFORE", "c", "d"),
)
KEPT = ".tlex-decisions.jsonl"


class Client:
    """A page of the session, which knows the last version that it saw."""

    def __init__(self, path: Path, patch: Path | None = None) -> None:
        library = Library(str(path), {}, {"calendar": True, "mend": True})
        library.scan()
        list(library.settle())
        self.desk = Desk(library, None if patch is None else str(patch), "Ann")
        for entry in library.list_entries():
            self.desk.look_at(entry)
        self.http = TestClient(make_app(library, follow=False, desk=self.desk, token=TOKEN), HOME)

    def state(self, name: str) -> dict:
        return self.http.get(f"/state/{name}").json()

    def do(self, name: str, action: str, **more: object) -> dict:
        move = {"action": action, "version": self.state(name)["version"], **more}
        answer = self.http.post(f"/decide/{name}", json=move, headers=GOOD)
        return {"status": answer.status_code, **answer.json()}

    def verdicts(self) -> list[tuple[str, str, int]]:
        entries = self.http.get("/repairs").json()["entries"]
        return [(one["name"], one["verdict"], one.get("left", 0)) for one in entries]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path / "home", fine=FINE, pair=PAIR, two=TWO)


# --- who may change something ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-tlex-token": TOKEN},
        {"origin": HOME},
        {"origin": HOME, "x-tlex-token": "another"},
        {"origin": "http://127.0.0.1:8001", "x-tlex-token": TOKEN},
        {"origin": "http://localhost:8000", "x-tlex-token": TOKEN},
        {"origin": "http://example.org", "x-tlex-token": TOKEN},
        {"origin": "null", "x-tlex-token": TOKEN},
        {**GOOD, "sec-fetch-site": "cross-site"},
        {**GOOD, "content-type": "text/plain"},
    ],
)
def test_nobody_else_can_change_or_try_anything(folder, headers):
    client = Client(folder)
    version = client.state("two.tml")["version"]
    before = contents(folder)

    for where in ("decide", "try"):
        for action in ("choose", "save", "undo"):
            answer = client.http.post(
                f"/{where}/two.tml", json={"action": action, "version": version}, headers=headers
            )
            assert answer.status_code == 403
            assert set(answer.json()) == {"error"}

    assert contents(folder) == before
    assert client.state("two.tml")["version"] == version


def test_another_host_name_is_not_answered(folder):
    client = Client(folder)
    headers = {"host": "example.org", "origin": "http://example.org", "x-tlex-token": TOKEN}

    assert client.http.post("/decide/two.tml", json={}, headers=headers).status_code == 421


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"option": "x"}', 400),
        (b'{"path": "/etc/passwd"}', 400),
        (b"[" * 30_000, 400),
        (b'{"note": "' + b"x" * 70_000 + b'"}', 400),
        (b'{"action": "erase"}', 409),
    ],
)
def test_strange_requests_are_refused_in_one_line(folder, content, status):
    client = Client(folder)
    headers = {**GOOD, "content-type": "application/json"}

    answer = client.http.post("/decide/two.tml", content=content, headers=headers)

    assert answer.status_code == status
    assert "\n" not in answer.json()["error"]


def test_a_connection_is_closed_if_the_request_was_not_read_to_its_end(folder):
    client = Client(folder)
    json_type = {"content-type": "application/json"}
    sent = [
        client.http.post("/decide/two.tml", content=b'{"action": "erase"}', headers=headers)
        for headers in ({**json_type, **GOOD}, json_type)
    ]

    assert [answer.status_code for answer in sent] == [409, 403]
    assert [answer.headers.get("connection") for answer in sent] == [None, "close"]


async def send(client: Client, receive: Callable[[], Awaitable[dict]]) -> int:
    """Send a request piece by piece; give the status of the answer."""
    headers = {"host": "127.0.0.1:8000", "content-type": "application/json", **GOOD}
    statuses = []

    async def take(message: dict) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/decide/two.tml",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await client.http.app(scope, receive, take)
    return statuses[0]


def run_apart(coroutine):
    """Run a coroutine in a thread of its own: that of the tests may have Playwright's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_a_body_without_end_is_not_read_to_its_end(folder):
    client = Client(folder)
    pieces = 0

    async def receive() -> dict:
        nonlocal pieces
        pieces += 1
        assert pieces < 1_000
        return {"type": "http.request", "body": b" " * 1024, "more_body": True}

    assert run_apart(send(client, receive)) == 400
    assert pieces == 65


def test_a_client_that_sends_nothing_more_stops_nobody_else(folder):
    client = Client(folder)
    before = client.state("two.tml")["version"]
    move = json.dumps({"action": "choose", "option": 1, "version": before}).encode()

    async def meet() -> tuple[int, int]:
        begun, gone = asyncio.Event(), asyncio.Event()

        async def receive_slowly() -> dict:
            if not begun.is_set():
                begun.set()
                return {"type": "http.request", "body": move[:5], "more_body": True}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def receive() -> dict:
            return {"type": "http.request", "body": move, "more_body": False}

        slow = asyncio.create_task(send(client, receive_slowly))
        await begun.wait()
        quick = await asyncio.wait_for(send(client, receive), 10)
        gone.set()
        return quick, await slow

    assert run_apart(meet()) == (200, 400)
    assert client.state("two.tml")["version"] == before + 1


@pytest.mark.parametrize("name", ["../secret.tml", "%2e%2e/secret.tml", "none.tml", "/etc/passwd"])
def test_no_other_file_can_be_reached(folder, name):
    (folder.parent / "secret.tml").write_text(PAIR)
    client = Client(folder)

    assert client.http.get(f"/repair/{name}").status_code == 404
    assert client.http.post(f"/decide/{name}", json={}, headers=GOOD).status_code == 404


def test_what_does_not_exist_cannot_be_chosen(folder):
    client = Client(folder)

    assert client.do("two.tml", "choose", option=9)["status"] == 422
    assert client.do("two.tml", "erase")["error"] == "there is no action 'erase'"
    assert client.do("two.tml", "change", link="l9", type="AFTER")["status"] == 422
    assert client.do("two.tml", "undo")["error"] == "there is nothing to undo"
    assert client.do("two.tml", "save")["status"] == 422
    assert contents(folder).keys() == {"fine.tml", "pair.tml", "two.tml"}


# --- deciding and saving --------------------------------------------------------------------------


def test_the_worst_document_comes_first_and_is_settled(folder):
    client = Client(folder)
    assert client.verdicts() == [
        ("two.tml", "unsettled", 2),
        ("pair.tml", "unsettled", 1),
        ("fine.tml", "consistent", 0),
    ]

    client.do("two.tml", "choose", option=1)
    assert client.verdicts()[0] == ("two.tml", "unsettled", 1)
    client.do("two.tml", "choose", option=2)
    assert client.verdicts()[1] == ("two.tml", "decided", 0)
    saved = client.do("two.tml", "save")

    assert saved["news"] == "saved: 2 links changed; the document is consistent"
    written = TWO.replace(LINK.format("l1", "BEFORE", "b", "a"), "")
    written = written.replace(LINK.format("l4", "BEFORE", "c", "d"), "")
    assert contents(folder) == {"fine.tml": FINE, "pair.tml": PAIR, "two.tml": written}
    assert client.verdicts()[-1][1] == "consistent"


def test_what_was_decided_is_kept_before_it_is_answered(folder):
    client = Client(folder)
    client.do("two.tml", "choose", option=2, note="seen \u2713")

    again = Client(folder)

    state = again.state("two.tml")
    assert (state["number"], state["total"]) == (2, 2)
    assert state["answers"] == [{"says": "remove l2", "note": "seen \u2713"}]
    assert state["news"] == "1 earlier decision taken up again"
    again.do("two.tml", "undo")
    assert Client(folder).state("two.tml")["number"] == 1


def test_a_line_that_was_cut_costs_nothing_but_itself(folder):
    Client(folder).do("two.tml", "choose", option=2)
    with (folder / KEPT).open("ab") as file:
        file.write(b'{"document":"two.tml","sha256":"')

    client = Client(folder)
    assert client.state("two.tml")["number"] == 2
    client.do("two.tml", "choose", option=1)

    assert Client(folder).state("two.tml")["decision"] is None
    assert json.loads((folder / KEPT).read_text().splitlines()[-1])["who"] == "Ann"


def test_decisions_that_cannot_be_kept_are_not_taken(folder, monkeypatch):
    client = Client(folder)
    client.do("two.tml", "choose", option=1)
    monkeypatch.setattr(client.desk, "kept", KeptDecisions(folder / "nowhere" / KEPT))

    answer = client.do("two.tml", "choose", option=1)

    assert answer["status"] == 422
    assert "decisions cannot be kept" in answer["error"]
    assert client.state("two.tml")["number"] == 2


def test_a_link_in_the_place_of_kept_decisions_leads_nowhere(folder, tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (folder / KEPT).symlink_to(mine)

    answer = Client(folder).do("two.tml", "choose", option=1)

    assert answer["status"] == 422
    assert mine.read_text() == "mine"


def test_a_window_that_is_behind_is_told_how_it_is(folder):
    client = Client(folder)
    seen = client.state("two.tml")["version"]
    client.do("two.tml", "choose", option=1)

    late = client.http.post(
        "/decide/two.tml", json={"action": "choose", "version": seen}, headers=GOOD
    )

    assert late.status_code == 409
    assert late.json()["state"] == client.state("two.tml")
    assert client.state("two.tml")["number"] == 2


def test_a_changed_file_is_not_overwritten(folder):
    client = Client(folder)
    client.do("two.tml", "choose", option=1)
    client.do("two.tml", "choose", option=1)
    changed = TWO.replace("</TimeML>", "<!-- mine --></TimeML>")
    (folder / "two.tml").write_text(changed)

    refused = client.do("two.tml", "save")

    assert refused["status"] == 409
    assert "+<!-- mine --></TimeML>" in refused["difference"]
    assert (folder / "two.tml").read_text() == changed

    again = client.do("two.tml", "reload")
    assert (again["decision"], again["changes"]) == (None, 2)
    assert client.do("two.tml", "save")["consistent"]
    assert "<!-- mine -->" in (folder / "two.tml").read_text()


@pytest.mark.parametrize("content", [TWO, "secret"])
def test_a_link_in_the_place_of_the_file_is_neither_shown_nor_followed(folder, tmp_path, content):
    client = Client(folder)
    client.do("two.tml", "choose", option=1)
    client.do("two.tml", "choose", option=1)
    mine = tmp_path / "mine.tml"
    mine.write_text(content)
    (folder / "two.tml").unlink()
    (folder / "two.tml").symlink_to(mine)

    refused = client.do("two.tml", "save")

    assert refused["status"] == 422
    assert "two.tml: cannot be read: leads out of the directory" in refused["error"]
    assert "secret" not in str(refused)
    assert mine.read_text() == content


def test_what_is_saved_while_the_session_writes_is_not_overwritten(folder, monkeypatch):
    client = Client(folder)
    client.do("two.tml", "choose", option=1)
    client.do("two.tml", "choose", option=1)
    changed = TWO.replace("</TimeML>", "<!-- mine --></TimeML>")
    finish = FileBeside.finish

    def save_meanwhile(new: FileBeside) -> None:
        finish(new)
        (folder / "two.tml").write_text(changed)

    monkeypatch.setattr(FileBeside, "finish", save_meanwhile)

    refused = client.do("two.tml", "save")

    assert refused["status"] == 422
    assert "has changed since it was read" in refused["error"]
    assert (folder / "two.tml").read_text() == changed


def test_decisions_that_no_longer_fit_are_said_to_be_so(folder):
    client = Client(folder)
    client.do("two.tml", "choose", option=1)
    client.do("two.tml", "choose", option=1)
    (folder / "two.tml").write_text(TWO.replace(LINK.format("l3", "BEFORE", "d", "c"), ""))

    state = client.do("two.tml", "reload")

    assert state["news"] == "1 of 2 earlier decisions still fit this file"
    assert (state["decision"], state["changes"], state["consistent"]) == (None, 1, True)


def test_only_what_is_decided_is_saved_and_the_rest_is_still_asked(folder):
    client = Client(folder)
    client.do("two.tml", "choose", option=1)

    state = client.do("two.tml", "save")

    assert (folder / "two.tml").read_text() == TWO.replace(
        LINK.format("l1", "BEFORE", "b", "a"), ""
    )
    assert (state["number"], state["total"]) == (1, 1)
    assert state["news"].endswith("the document is still contradictory")


def test_a_patch_says_who_when_and_why_and_files_stay(folder, tmp_path):
    patch = tmp_path / "fixes.json"
    client = Client(folder, patch)
    client.do("two.tml", "choose", option=2, note="the report says so")
    client.do("two.tml", "choose", option=1)
    client.do("pair.tml", "choose", option=1)
    for name in ("two.tml", "pair.tml"):
        assert client.do(name, "save")["saved"]

    assert contents(folder) == {"fine.tml": FINE, "pair.tml": PAIR, "two.tml": TWO}
    assert [verdict for _, verdict, _ in client.verdicts()] == ["saved", "saved", "consistent"]
    read = tlex.Patch.from_json(patch.read_bytes())
    assert [(file.path, file.who) for file in read.files] == [
        ("two.tml", "Ann"),
        ("pair.tml", "Ann"),
    ]
    assert read.files[0].when.endswith("Z")
    reasons = [change.why for change in read.files[0].changes]
    assert reasons == ["the report says so", UNSET]  # text order is no reason that others need
    mended = tlex.repair.apply(tlex.read(folder / "two.tml"), read)
    assert tlex.extract(mended).consistent

    again = Client(folder, patch)
    assert [verdict for _, verdict, _ in again.verdicts()] == ["saved", "saved", "consistent"]
    again.do("two.tml", "undo")
    assert not again.state("two.tml")["saved"]


def test_a_file_that_is_no_patch_is_not_replaced(folder, tmp_path):
    patch = tmp_path / "notes.txt"
    patch.write_text("my notes")
    client = Client(folder, patch)
    client.do("pair.tml", "choose", option=1)

    assert client.do("pair.tml", "save")["status"] == 422
    assert patch.read_text() == "my notes"


def test_decisions_are_kept_beside_the_output(tmp_path):
    assert find_place(tmp_path) == tmp_path / KEPT
    assert find_place(tmp_path / "a.tml") == tmp_path / ".a.tml.tlex-decisions.jsonl"


def test_documents_of_one_file_are_saved_one_after_the_other(tmp_path):
    row = (
        '{{"schema": "tlex-document/1", "links": [{{"source": "{0}", "type": "BEFORE", '
        '"target": "{1}"}}, {{"source": "{1}", "type": "BEFORE", "target": "{0}"}}]}}\n'
    )
    file = tmp_path / "some.jsonl"
    file.write_text(row.format("a", "b") + row.format("c", "d"))
    client = Client(file)
    names = [name for name, *_ in client.verdicts()]
    assert len(names) == 2
    for name in names:
        client.do(name, "choose", option=1)

    for name in names:
        assert client.do(name, "save").get("consistent"), name

    assert [tlex.extract(one).consistent for one in tlex.read_all(file)] == [True, True]


def test_a_very_long_contradiction_is_shown_in_part(tmp_path):
    names = [f"x{number:03}" for number in range(60)]
    loop = [(f"l{at}", "BEFORE", name, names[(at + 1) % 60]) for at, name in enumerate(names)]
    folder = fill(tmp_path / "home", loop=document(*loop))

    decision = Client(folder).state("loop.tml")["decision"]

    assert (len(decision["links"]), decision["more"], len(decision["nodes"])) == (20, 40, 60)
    assert len(decision["says"]) < 4000


def test_headlines_and_dates_are_in_the_list(tmp_path):
    text = (
        "<TimeML><DOCID>x1</DOCID><TITLE>Owl <EVENT eid='e1'>wakes</EVENT> &amp; coughs</TITLE>"
        "<DCT><TIMEX3 tid='t0' type='TIME' value='2020-01-01T08:17' "
        "functionInDocument='CREATION_TIME'>January 1</TIMEX3></DCT>"
        "<TEXT>It <EVENT eid='e2'>coughed</EVENT> twice.</TEXT></TimeML>"
    )
    plain = PAIR.replace("<TimeML>", "<TimeML>12-03-99 0815. An owl was awake. The ")
    folder = fill(tmp_path / "home", titled=text, plain=plain)
    entries = {one["name"]: one for one in Client(folder).http.get("/repairs").json()["entries"]}

    assert entries["titled.tml"]["headline"] == "Owl wakes & coughs"
    assert entries["titled.tml"]["date"] == "2020-01-01"
    assert entries["plain.tml"]["headline"] == "An owl was awake."
