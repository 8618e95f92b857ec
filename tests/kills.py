"""Kill runs, repairs and sessions at random moments, and see that nothing is lost or doubled.

::

    python tests/kills.py [KILLS] [SEED]       50 kills each, by default
    python tests/kills.py 10 7 --only fix      of ``run``, ``fix`` and ``session`` only one

It is run by hand: it takes minutes. ``run`` kills ``corpus run`` and starts it again, until a last
one ends. Its tables must be those of an undisturbed run, to the byte. ``fix`` kills ``fix --write``
over a directory: each file is the old or the new one, and the last run makes all of them new.
``session`` kills ``view --repair`` while decisions are posted. Those that were answered must be
there after a new start, in their order, and the one on its way once or not at all; what is saved at
the end is what was decided. Every second kill of ``fix`` is a SIGTERM, after which no file that was
begun may be left behind.
"""
# ruff: noqa: S311 -- random on purpose

from __future__ import annotations

import argparse
import http.client
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from contradictory import FIXED, LINK, PAIR, contents, document, fill
from runs import fingerprint, finish, make_corpus, read_states, run_json, start

from tlex.corpus import open_run
from tlex.errors import OptionError

TLEX = [sys.executable, "-m", "tlex"]
DOCUMENTS, FILES, DECISIONS = 200, 40, 40


def kill_runs(folder: Path, kills: int, random: Random) -> Counter[str]:
    """Kill a corpus run so many times, and compare what becomes of it."""
    corpus, out = make_corpus(folder / "corpus", DOCUMENTS), folder / "killed"
    options = ("--jobs", 2, "--shard-size", 4)
    began = time.monotonic()
    run_json(corpus, "-o", folder / "undisturbed", *options)
    whole = time.monotonic() - began
    seen: Counter[str] = Counter()
    for _ in range(kills):
        process = start(corpus, "-o", out, *options)
        time.sleep(random.uniform(0, whole))
        process.kill()
        finish(process)
        try:
            left = open_run(out).pending()
        except OptionError:
            seen["before it had begun"] += 1
        else:
            seen["with documents left" if left else "with nothing left"] += 1
            read_states(out)  # no document is there twice
            if not left:  # begin again
                out = folder / f"killed{seen.total()}"
    summary = run_json(corpus, "-o", out, *options)
    assert (summary["documents"], summary["failed"], summary["pending"]) == (DOCUMENTS, 0, 0)
    assert len(read_states(out)) == DOCUMENTS
    assert fingerprint(out) == fingerprint(folder / "undisturbed")
    return seen


def kill_fixes(folder: Path, kills: int, random: Random) -> Counter[str]:
    """Kill the repair of a directory so many times, each time of a new one."""
    names = [f"f{number:04}" for number in range(FILES)]
    seen: Counter[str] = Counter()
    whole = 0.0
    for number in range(kills + 1):
        home = fill(folder / str(number), **dict.fromkeys(names, PAIR))
        with subprocess.Popen(  # noqa: S603
            [*TLEX, "fix", home, "--write"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout
            if number % 5 != 1:  # else at any moment of loading
                process.stdout.readline()
            began = time.monotonic()
            if number:  # the first one shows how long it takes
                time.sleep(random.uniform(0, whole))
                process.send_signal(signal.SIGTERM if number % 2 else signal.SIGKILL)
            _, said = process.communicate()
        whole = whole or time.monotonic() - began
        assert b"Traceback" not in said, said
        after = contents(home)
        begun = [name for name in after if name.startswith(".")]
        assert not begun or number % 2 == 0, begun
        files = [after[f"{name}.tml"] for name in names]
        assert set(files) <= {PAIR, FIXED}
        assert number or set(files) == {FIXED}
        done = files.count(FIXED)
        where = "at the end" if done == FILES else "in the middle" if done else "at the beginning"
        seen[where] += bool(number)
        seen["files begun and left by SIGKILL"] += len(begun)
        subprocess.run([*TLEX, "fix", home, "--write"], capture_output=True, check=False)  # noqa: S603
        assert {contents(home)[f"{name}.tml"] for name in names} == {FIXED}
    return seen


class Session:
    """A server of one document, and the page that decides."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [*TLEX, "view", home, "--repair"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        self.home, self.token = self.process.stdout.readline().strip().split("#token=")

    def ask(self, path: str, move: dict[str, object] | None = None) -> dict:
        """Ask for a page; with a move, make it."""
        host = self.home.removeprefix("http://").strip("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        headers = {
            "origin": f"http://{host}",
            "x-tlex-token": self.token,
            "content-type": "application/json",
        }
        try:
            if move is None:
                connection.request("GET", path)
            else:
                connection.request("POST", path, json.dumps(move), headers)
            answer = connection.getresponse()
            return {"status": answer.status, **json.loads(answer.read())}
        finally:
            connection.close()

    def end(self) -> None:
        """Kill the server."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


def kill_sessions(folder: Path, kills: int, random: Random) -> Counter[str]:
    """Kill the server of a session so many times; it goes on after each."""
    links = []
    for number in range(DECISIONS):
        links.append((f"l{2 * number}", "BEFORE", f"a{number:03}", f"b{number:03}"))
        links.append((f"l{2 * number + 1}", "BEFORE", f"b{number:03}", f"a{number:03}"))
    text = document(*links)
    seen: Counter[str] = Counter()
    home = fill(folder / "0", x=text)
    answered: list[str] = []
    for _ in range(kills):
        session = Session(home)
        if random.random() < 0.8:  # else it may be killed before it has answered anything
            session.ask("/state/x.tml")
        moment = threading.Timer(random.uniform(0, 2), session.process.kill)
        moment.start()
        try:
            _decide(session, answered, seen)
            saved = session.ask("/decide/x.tml", {"action": "save", **_version(session)})
            seen["sessions saved"] += saved["status"] == 200
        except (OSError, http.client.HTTPException, ValueError):
            seen["kills"] += 1
        moment.join()
        session.end()
        written = contents(home)["x.tml"]
        if written != text:  # saved, whether or not it was answered
            lines = [LINK.format(*link) for link in links if link[0] not in answered]
            body = "".join(LINK.format(*link) for link in links)
            assert written == text.replace(body, "".join(lines)), "something else was saved"
            assert len(answered) == DECISIONS
            seen["files written"] += 1
            home = fill(folder / str(seen.total()), x=text)
            answered = []
    return seen


def _version(session: Session) -> dict[str, object]:
    return {"version": session.ask("/state/x.tml")["version"]}


def _decide(session: Session, answered: list[str], seen: Counter[str]) -> None:
    """Make decisions to the end; ``answered`` has the links whose removal was answered."""
    state = session.ask("/state/x.tml")
    kept = [answer["says"].removeprefix("remove ") for answer in state["answers"]]
    assert kept[: len(answered)] == answered, "a decision was lost"
    assert len(kept) <= len(answered) + 1, "more was kept than decided"
    seen["taken up, not answered"] += len(kept) - len(answered)
    answered[:] = kept
    while state["decision"] is not None:
        option = 1 + len(answered) % 2
        move = {"action": "choose", "option": option, "version": state["version"]}
        state = session.ask("/decide/x.tml", move)
        assert state["status"] == 200, state
        seen["decisions answered"] += 1
        answered[:] = [answer["says"].removeprefix("remove ") for answer in state["answers"]]
        assert len(set(answered)) == len(answered), "a decision is there twice"


TASKS: dict[str, Callable[[Path, int, Random], Counter[str]]] = {
    "run": kill_runs,
    "fix": kill_fixes,
    "session": kill_sessions,
}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kills", nargs="?", type=int, default=50)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--only", choices=TASKS)
    asked = parser.parse_args()
    for name in [asked.only] if asked.only else TASKS:
        with tempfile.TemporaryDirectory() as folder:
            seen = TASKS[name](Path(folder), asked.kills, Random(f"{asked.seed}/{name}"))
        words = ", ".join(f"{number} {what}" for what, number in seen.items() if number)
        print(f"{name}: {asked.kills} kills, nothing lost or doubled: {words}", flush=True)


if __name__ == "__main__":
    main()
