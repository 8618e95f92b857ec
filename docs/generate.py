"""Write the generated pages: from ``--help``, from the types and from the table of rules.

python docs/generate.py [DIRECTORY]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from tlex.cli.fix import Fix
from tlex.lint.manual import write_manual
from tlex.lint.report_json import CheckReport
from tlex.repair.patch import Patch
from tlex.report import Answer, Report

COMMANDS = (
    (),
    ("extract",),
    ("relation",),
    ("why",),
    ("closure",),
    ("reduce",),
    ("check",),
    ("rule",),
    ("fix",),
    ("apply",),
)
OBJECTS = (Report, Answer)


def main() -> None:
    """Write the pages beside this file, or into the directory given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "cli.md").write_text(describe_commands(), encoding="utf-8")
    (folder / "schema.json").write_text(describe_json(OBJECTS), encoding="utf-8")
    (folder / "schema-check.json").write_text(describe_json((CheckReport,)), encoding="utf-8")
    (folder / "schema-fix.json").write_text(describe_json((Fix, Patch)), encoding="utf-8")
    (folder / "rules.md").write_text(write_manual(), encoding="utf-8")


def describe_commands() -> str:
    """Give the help of every command as one page."""
    pages = ["# Command line\n\nGenerated from `--help` by `make docs`.\n"]
    environment = {**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}
    environment |= {"PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    for command in COMMANDS:
        words = [sys.executable, "-m", "tlex", *command, "--help"]
        done = subprocess.run(words, capture_output=True, check=True, env=environment)  # noqa: S603
        lines = [line.rstrip() for line in done.stdout.decode("utf-8").strip().splitlines()]
        text = "\n".join(lines).replace("python -m tlex", "tlex")
        pages.append(f"## {' '.join(('tlex', *command))}\n\n```text\n{text}\n```\n")
    return "\n".join(pages)


def describe_json(objects: tuple[type, ...]) -> str:
    """Give the JSON Schema of what commands write: a report, the answer to a question, findings."""
    references, definitions = msgspec.json.schema_components(objects, ref_template="#/$defs/{name}")
    schema = {"anyOf": list(references), "$defs": definitions}
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    main()
