"""Small documents to repair, and what they are after it."""

from __future__ import annotations

import os
from pathlib import Path

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
