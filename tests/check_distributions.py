"""Check what is in the wheel and in the source distribution: run by ``make wheel``.

python tests/check_distributions.py DIRECTORY
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("benchmarks", "docs", "examples", "src", "tests", "web/src")
GENERATED = {"__pycache__", ".mypy_cache", ".ruff_cache", "node_modules"}
LIMIT = 4 * 2**20


def list_files(folder: str) -> set[str]:
    """List the files below a directory of the clone, without those that a run leaves behind."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and GENERATED.isdisjoint(path.parts)
        and not (path.suffix == ".html" and path.parent.name == "examples")
    }


def main() -> None:
    """Stop with a message if a distribution lacks something, or has what it should not."""
    folder = Path(sys.argv[1])
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        described = archive.namelist()
    package = {name.removeprefix("src/") for name in list_files("src")}
    package |= {f"tlex/{name}" for name in list_files("examples")}
    compare("wheel", names, package)
    if not any(name.endswith("licenses/LICENSE") for name in described):
        sys.exit("the wheel lacks the licence")
    with tarfile.open(source) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    folders = {name for name in files if name.startswith(tuple(f"{each}/" for each in SOURCES))}
    compare("source distribution", folders, set().union(*map(list_files, SOURCES)))
    for name in ("Makefile", "mkdocs.yml", "README.md", "LICENSE", "web/package-lock.json"):
        if name not in files:
            sys.exit(f"the source distribution lacks {name}")
    for path in (wheel, source):
        if path.stat().st_size > LIMIT:
            sys.exit(f"{path.name} has {path.stat().st_size:,} bytes; the limit is {LIMIT:,}")
    print(
        f"wheel and source distribution have what they should: {len(names)} and {len(files)} files"
    )


def compare(what: str, found: set[str], expected: set[str]) -> None:
    """Stop if two sets of files differ."""
    if missing := sorted(expected - found):
        sys.exit(f"the {what} lacks {', '.join(missing[:5])}")
    if more := sorted(found - expected):
        sys.exit(f"the {what} should not have {', '.join(more[:5])}")


if __name__ == "__main__":
    main()
