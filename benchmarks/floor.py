"""How far from the floor: reading and extracting TimeBank against merely parsing it.

The floor is what any program in Python has to pay before it can begin: the files parsed by
``xml.etree.ElementTree``, and the attributes copied out. They are copied in two ways: by name into
a row for each element, as a program would that uses them, and wholesale as dictionaries, which is
the quickest way there is and the stricter measure. Nothing is remembered from round to round, but
for the shapes of tags and the beginnings of files, which a corpus has in common. All tasks take
turns in one process and are compared by the medians of their processor times, so that a noisy
machine disturbs all alike.

    python benchmarks/floor.py [ROUNDS]
"""

from __future__ import annotations

import os
import statistics
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from limits import show_limit

import tlex
from tlex.reason.scenarios import forget_shapes

CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
PATHS = [str(path) for path in sorted((CORPORA / "timebank-1.2").glob("*.tml"))]
LINK = ("lid", "relType", "eventInstanceID", "signalID")
ATTRIBUTES = {
    "EVENT": ("eid", "class", "stem"),
    "TIMEX3": ("tid", "type", "value", "temporalFunction", "functionInDocument", "anchorTimeID"),
    "SIGNAL": ("sid",),
    "MAKEINSTANCE": ("eventID", "eiid", "tense", "aspect", "polarity", "pos", "modality"),
    "TLINK": (*LINK, "timeID", "relatedToEventInstance", "relatedToTime"),
    "SLINK": (*LINK, "subordinatedEventInstance"),
    "ALINK": (*LINK, "relatedToEventInstance"),
}


def copy_by_name() -> None:
    """Parse, and copy each attribute out by its name."""
    for path in PATHS:
        for element in ET.parse(path).iter():  # noqa: S314 -- our own files
            [element.get(name) for name in ATTRIBUTES.get(element.tag, ())]


def copy_wholesale() -> None:
    """Parse, and copy the attributes of each element as a dictionary."""
    for path in PATHS:
        [(element.tag, dict(element.attrib)) for element in ET.parse(path).iter()]  # noqa: S314


def read() -> None:
    """Read the documents."""
    for path in PATHS:
        tlex.read(path)


def read_and_extract() -> None:
    """Read and run the five steps."""
    for path in PATHS:
        tlex.extract(tlex.read(path))


def write_everything() -> None:
    """The same, and write all answers as JSON."""
    forget_shapes()
    for path in PATHS:
        tlex.extract(tlex.read(path)).to_json()


TASKS: dict[str, Callable[[], None]] = {
    "floor: attributes copied by name": copy_by_name,
    "floor: attributes copied wholesale": copy_wholesale,
    "read": read,
    "read and extract": read_and_extract,
    "read, extract, all answers as JSON": write_everything,
}
LIMITS = {"read and extract": 1.3, "read, extract, all answers as JSON": 5}


def main() -> None:
    """Print the times, and their ratios to both floors."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    if not PATHS:
        print(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")
        return
    times: dict[str, list[float]] = {name: [] for name in TASKS}
    for _ in range(rounds):
        for name, task in TASKS.items():
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    by_name, wholesale, *_ = medians.values()
    print(f"{len(PATHS)} documents, median of {rounds} rounds{'by name':>25} {'wholesale':>10}")
    for name, middle in medians.items():
        ratios = f"{middle / by_name:8.2f} x {middle / wholesale:8.2f} x"
        print(f"{name:36} {middle * 1e3:8.1f} ms {ratios}")
    for name, limit in LIMITS.items():
        show_limit(f"TimeBank: {name}, to the floor", medians[name] / wholesale, limit)


if __name__ == "__main__":
    main()
