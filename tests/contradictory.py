"""Small documents to repair, and what they are after it."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import brute

import tlex

LINK = '<TLINK lid="{}" relType="{}" eventInstanceID="{}" relatedToEventInstance="{}"/>\n'


def document(*links: tuple[str, str, str, str], more: str = "") -> str:
    """Make a document of links: id, type, source, target."""
    ends = sorted({end for _, _, source, target in links for end in (source, target)})
    events = " ".join(f'<EVENT eid="{end}">{end}</EVENT>' for end in ends)
    return f"<TimeML>{events}\n{''.join(LINK.format(*link) for link in links)}{more}</TimeML>\n"


PAIR = document(("l1", "BEFORE", "b", "a"), ("l2", "BEFORE", "a", "b"), ("l3", "AFTER", "a", "c"))
LOOP = document(("l1", "BEFORE", "a", "a"), ("l2", "BEFORE", "a", "b"), ("l3", "AFTER", "a", "b"))
FINE = document(("l1", "BEFORE", "a", "b"))
FIXED = PAIR.replace(LINK.format("l1", "BEFORE", "b", "a"), "")
RETYPED = PAIR.replace('l1" relType="BEFORE', 'l1" relType="AFTER')


def fill(folder: Path, **files: str) -> Path:
    """Write documents into a folder: ``pair=PAIR`` becomes pair.tml."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.tml").write_text(text)
    return folder


def contents(folder: Path) -> dict[str, str]:
    """All files below a folder, hidden ones too."""
    paths = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(paths)}


TYPES = sorted(set(brute.DEFINITIONS) - set(brute.WITHOUT_ORDER))


def make_document(seed: int) -> tlex.Document:
    """A small random graph; its nodes are in text order by their ids, and so are its links."""
    random = Random(seed)  # noqa: S311 -- a test
    size = random.randint(2, 4)
    rows = []
    for _ in range(random.randint(3, 9)):
        source, target = random.randrange(size), random.randrange(size)
        labels = [label for label in TYPES if label in tlex.repair.relabelling.TYPES["TLINK"]]
        rows.append((f"e{source}", random.choice(labels), f"e{target}"))
    return tlex.from_links(rows)


def is_consistent(document: tlex.Document, removed: tuple[str, ...] = ()) -> bool:
    links = [
        (int((link.source or "")[1:]), link.type or "", int((link.target or "")[1:]))
        for link in document.links
        if link.id not in removed
    ]
    return brute.close(1 + max((max(a, b) for a, _, b in links), default=0), links) is not None
