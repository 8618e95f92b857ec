"""Check that all files name the same version: run by ``make release``.

With a tag, as in ``make release TAG=v0.1.0``, also that the tag is this version and that the
changes and the citation have a date.

python tests/check_release.py [TAG]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def find(pattern: str, name: str) -> str:
    """Give what a pattern finds in a file of the clone."""
    found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def list_problems(tag: str) -> tuple[list[str], list[str]]:
    """List what is wrong, and what has to be done before a release."""
    version = find(r'^__version__ = "(.+)"$', "src/tlex/_version.py")
    cited = find(r"^version: (\S+)$", "CITATION.cff")
    newest = find(r"^## (\S+)", "CHANGELOG.md")
    wrong = [
        f"{name} is about {other or 'no version'}, the package is {version}"
        for name, other in (("CITATION.cff", cited), ("CHANGELOG.md", newest))
        if other != version
    ]
    if tag and tag != f"v{version}":
        wrong.append(f"the tag is {tag}, the package is {version}")
    undone = []
    if not find(r"^## \S+ \((\d{4}-\d\d-\d\d)\)", "CHANGELOG.md"):
        undone.append("CHANGELOG.md: the newest version has no date")
    if not find(r"^date-released: (\S+)", "CITATION.cff"):
        undone.append("CITATION.cff: date-released is missing")
    return wrong, undone


def main() -> None:
    """Stop with all problems, or say that there is none."""
    tag = sys.argv[1] if len(sys.argv) > 1 else ""
    wrong, undone = list_problems(tag)
    if tag or wrong:
        wrong += undone
    if wrong:
        sys.exit("\n".join(wrong))
    for line in undone:
        print(f"before the release: {line}")
    print("all files name the same version")


if __name__ == "__main__":
    main()
