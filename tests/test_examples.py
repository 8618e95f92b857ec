"""The programs and the notebook in ``examples/``: they run, and show what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SHOWN = {
    "unknown_order.py": "built and warmed: 13 possible orders\n",
    "blame.py": (
        "line 22: ate IBEFORE washed\nline 23: washed BEFORE arrived\n"
        "line 24: ate AFTER arrived\n"
        "cannot all hold: ei2+ = ei3- < ei3+ < ei4- < ei4+ < ei2- < ei2+\n"
    ),
    "annotators.py": (
        'ferry.tml:22: TLX203 TLINK l4: "rowed" (ei3) BEFORE "towed" (ei4) contradicts 2 other '
        "links\nmarket.tml:25: TLX101 TLINK l6 points to event instance or time 'ei9', which the "
        "document does not define; the nearest defined instance or time is 'ei7'\n"
        "  option 1: remove l4\n  option 2: remove l5\n  option 3: remove l3\n"
        "  option 4: relabel l4\n  option 5: relabel l5\n  option 6: relabel l3\n"
        "make l5 BEFORE\nconsistent now: True\n"
    ),
    "researchers.py": (
        "concert.tml: 9 steps, 39 pairs in unknown order, 70249 orders\n"
        "ferry.tml: 13 steps, 2 pairs in unknown order, 5 orders\n"
        "market.tml: 12 steps, 10 pairs in unknown order, 85 orders\n"
        "concert.tml: <Score precision 87.5, recall 87.5, F1 87.5>\n"
        "ferry.tml: <Score precision 80.0, recall 77.8, F1 78.9>\n"
        "market.tml: <Score precision 100.0, recall 83.3, F1 90.9>\n"
        "('l3', 'l4', 'l5')\n"
    ),
    "builders.py": (
        "given up: l9 l12 - proven the best: True\n"
        "before it arrived: Lightning [struck] the old mill at nine o'clock.\n"
        "before it arrived: The roof [caught] fire, and neighbours called the fire brigade.\n"
        "before it arrived: The roof caught fire, and neighbours [called] the fire brigade.\n"
        "before it arrived: Before the engines arrived, the miller [carried] out his cat.\n"
        '"carried" (e5) is BEFORE "midnight" (t2)   [Allen: before]\n'
        "  e5+ < t2-   because\n"
        '    l5   "carried" (e5) BEFORE "arrived" (e4), line 24\n'
        '    l7   "arrived" (e4) BEFORE "put out" (e6), line 26\n'
        '    l8   "put out" (e6) BEFORE "midnight" (t2), line 27\n'
        "    that is e5+ < e4- < e4+ < e6- < e6+ < t2-\n"
    ),
}


@pytest.mark.parametrize("example", SHOWN)
def test_an_example_prints_what_it_should(example):
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(EXAMPLES / example)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )

    assert done.stdout == SHOWN[example]


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SHOWN)


@pytest.mark.filterwarnings("ignore")  # of the kernel and its libraries
def test_the_notebook_shows_what_it_keeps():
    nbformat = pytest.importorskip("nbformat")
    from notebook import TOUR, run_notebook  # noqa: PLC0415 -- needs nbclient

    kept = nbformat.read(TOUR, as_version=4)

    fresh = run_notebook(TOUR)

    shown = {cell.id: cell.outputs for cell in fresh.cells if cell.cell_type == "code"}
    assert shown == {cell.id: cell.outputs for cell in kept.cells if cell.cell_type == "code"}, (
        "run: python docs/notebook.py"
    )
    pictures = [name for name, outputs in shown.items() if "<svg" in str(outputs)]
    assert pictures == ["picture", "ring", "fire"]
