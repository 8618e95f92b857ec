"""Write the versions of the development environment to ``constraints.txt``: run by ``make lock``.

pip works out the newest versions that go together, and installs nothing. Only names and versions
are written: no address of an index, no path.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Ask pip, and write the answer."""
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    words += ["--dry-run", "--ignore-installed", "--report", "-", "--group", "dev", "-e", "."]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, check=True)  # noqa: S603
    found = (each["metadata"] for each in json.loads(done.stdout)["install"])
    pins = {each["name"].lower().replace("_", "-"): each["version"] for each in found}
    pins.pop("tlex")
    lines = [f"{name}=={version}\n" for name, version in sorted(pins.items())]
    head = f"# Made by make lock, with Python {sys.version_info.major}.{sys.version_info.minor}.\n"
    (ROOT / "constraints.txt").write_text(head + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
