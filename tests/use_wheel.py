"""Use the installed wheel as a stranger would: run by ``make wheel`` in a clean environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def run(*arguments: str) -> str:
    """Run the installed command far away from the sources."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(  # noqa: S603 -- our own command
            [str(BIN / "tlex"), *arguments],
            capture_output=True,
            text=True,
            cwd=elsewhere,
            env=environment,
            check=True,
        )
    return done.stdout


def main() -> None:
    """Fail loudly if anything is missing from the wheel."""
    import tlex  # noqa: PLC0415 -- the installed one

    installed = Path(tlex.__file__).parent
    if ROOT in installed.parents and ".wheel-venv" not in installed.parts:
        sys.exit(f"tlex was imported from the sources: {installed}")
    if not (installed / "py.typed").exists():
        sys.exit("the wheel has no py.typed")
    for asset in ("colours.css", "form.css", "form.js", "report.css"):
        if not (installed / "pages" / "assets" / asset).exists():
            sys.exit(f"the wheel has no {asset}")
    if run("--version").split() != ["tlex", tlex.__version__]:
        sys.exit("tlex --version does not tell the version")
    story = str(ROOT / "examples" / "story.tml")
    report = json.loads(run("extract", story, "--json", "--pairs", "--verify"))
    if not report["consistent"] or report["schema"] != "tlex/1":
        sys.exit("the example story does not come out")
    if "order unknown: 4 points, 13 orders" not in run("extract", story):
        sys.exit("the drawing lacks the section of unknown order")
    if "13 orders</text>" not in run("draw", story, "--as", "svg"):
        sys.exit("the picture lacks the section of unknown order")
    if '"page":"document"' not in run("draw", story, "--as", "html"):
        sys.exit("the page of the story does not come out")
    with tempfile.TemporaryDirectory() as folder:
        run("view", story, "--export", folder)
        if not (Path(folder) / "story.tml.html").exists():
            sys.exit("the pages cannot be written")
        run("demo", "-o", folder)
        if not (Path(folder) / "anna" / "ferry.tml").exists():
            sys.exit("the wheel lacks examples")
    if "0 of 1 documents contradictory" not in run("check", story, "--ignore", "TLX112"):
        sys.exit("the linter does not like the example story")
    print(f"the wheel of tlex {tlex.__version__} works")


if __name__ == "__main__":
    main()
