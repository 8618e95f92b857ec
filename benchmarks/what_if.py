"""How long a what-if takes: from the request of a page to the answer, the timeline included.

Documents of 500 events with ten links too many. *story* and *side by side*: these say the opposite
of others; *long loops*: each closes a loop of thirty events, and the loops cross. Each option of
the first decision is tried, and then links anywhere, removed or with another type. Processor time
of page and server together; the aim is 200 ms. The last column is a plain extraction.

    python benchmarks/what_if.py
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from draw import Triple, tell_aside, tell_story
from starlette.testclient import TestClient

import tlex
from tlex.viewer.library import Library
from tlex.viewer.repair_desk import Desk
from tlex.viewer.server import make_app

EVENTS = 500
CONTRADICTIONS = 10
HOME = "http://127.0.0.1:8000"


def main() -> None:
    """Print one line a shape."""
    print(
        f"{'what if':>14} {'events':>7} {'asked':>6} {'median ms':>10} {'worst':>7} {'extract':>9}"
    )
    shapes = {
        "story": contradict(list(tell_story(EVENTS))),
        "side by side": contradict(list(tell_aside(EVENTS))),
        "long loops": close_loops(),
    }
    for shape, rows in shapes.items():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "large.json"
            tlex.write(tlex.from_links(rows), path)
            report(shape, path)


def contradict(rows: list[Triple]) -> list[Triple]:
    """Say the opposite of some links, beside those that are there."""
    ordered = [row for row in rows if row[1] == "BEFORE"]
    chosen = random.Random(1).sample(ordered, CONTRADICTIONS)  # noqa: S311 -- no secret
    return [*rows, *((target, label, source) for source, label, target in chosen)]


def close_loops() -> list[Triple]:
    """Tell one thing after the other, and say of some that they are before others that are not."""
    rows = [(f"e{number}", "BEFORE", f"e{number + 1}") for number in range(EVENTS - 1)]
    starts = random.Random(3).sample(range(EVENTS - 30), CONTRADICTIONS)  # noqa: S311
    return [*rows, *((f"e{start + 30}", "BEFORE", f"e{start}") for start in starts)]


def report(shape: str, path: Path) -> None:
    """Ask through the application, as a page does."""
    library = Library(str(path), {}, {"calendar": True, "mend": True})
    library.scan()
    document, _ = next(library.read(entry.name) for entry in library.settle())
    app = make_app(library, follow=False, desk=Desk(library, None, "nobody"), token="t")  # noqa: S106
    client = TestClient(app, HOME, headers={"origin": HOME, "x-tlex-token": "t"})
    name = library.list_entries()[0].name
    state = client.get(f"/state/{name}").json()
    moves = [{"option": option["number"]} for option in state["decision"]["options"]]
    links = [link.id for link in document.links if link.type == "BEFORE"]
    for link in random.Random(2).sample(links, 30):  # noqa: S311 -- no secret
        moves += [{"link": link, "type": None}, {"link": link, "type": "INCLUDES"}]
    times = []
    for move in moves:
        start = time.process_time()
        client.post(f"/try/{name}", json=move).raise_for_status()
        times.append(time.process_time() - start)
    times.sort()
    start = time.process_time()
    tlex.extract(document, calendar=True).record()
    plain = time.process_time() - start
    print(
        f"{shape:>14} {len(document.nodes):>7,} {len(moves):>6} "
        f"{times[len(times) // 2] * 1e3:>10.1f} {times[-1] * 1e3:>7.1f} {plain * 1e3:>7.1f}"
    )


if __name__ == "__main__":
    main()
