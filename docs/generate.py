"""Write the generated pages from ``--help``, the types, the rules, the labels and the tables.

python docs/generate.py [DIRECTORY]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

import tlex
from tlex.algebra import LABELS, SAME_AS, SCHEMES, SPELLINGS, TABLE_1
from tlex.corpus.reports.figures import Figures
from tlex.corpus.samples.judge_agreement import Agreement
from tlex.corpus.samples.sampler import DrawnSample
from tlex.export.table_schema import TABLES, Column
from tlex.lint import CheckRecord
from tlex.lint.manual import write_manual
from tlex.readers.json import JsonDocument
from tlex.records import Answer, ExtractionRecord, VerificationRecord
from tlex.repair import FixRecord, Patch

COMMANDS = (
    (),
    ("extract",),
    ("draw",),
    ("view",),
    ("relation",),
    ("why",),
    ("check",),
    ("rule",),
    ("verify",),
    ("fix",),
    ("apply",),
    ("convert",),
    ("closure",),
    ("reduce",),
    ("corpus", "run"),
    ("corpus", "report"),
    ("corpus", "sample"),
    ("corpus", "agreement"),
)
OBJECTS = (ExtractionRecord, Answer, VerificationRecord)
CORPUS = (Figures, DrawnSample, Agreement)
WHERE = {"": "any format", "dense": "TimeBank-Dense, TDDiscourse", "matres": "MATRES"}


def main() -> None:
    """Write the pages beside this file, or into the directory given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "cli.md").write_text(describe_commands(), encoding="utf-8")
    (folder / "schema.json").write_text(describe_json(OBJECTS), encoding="utf-8")
    (folder / "schema-check.json").write_text(describe_json((CheckRecord,)), encoding="utf-8")
    (folder / "schema-fix.json").write_text(describe_json((FixRecord, Patch)), encoding="utf-8")
    (folder / "schema-corpus.json").write_text(describe_json(CORPUS), encoding="utf-8")
    document = describe_json((JsonDocument,))
    (folder / "schema-document.json").write_text(document, encoding="utf-8")
    (folder / "rules.md").write_text(write_manual(), encoding="utf-8")
    (folder / "labels.md").write_text(describe_labels(), encoding="utf-8")
    (folder / "tables.md").write_text(describe_tables(), encoding="utf-8")
    (folder / "story.svg").write_text(draw_story(), encoding="utf-8")


COMMANDS_HEAD = """# Command line

Generated from `--help` by `make docs`.

Results go to stdout, messages to stderr. Exit code 0: done; 1: `tlex check` found errors; 2:
something could not be done, or the command line is wrong; 130: interrupted by Ctrl-C; 141: the
reader of a pipe left early.

Shells complete commands, options and file names. For bash, put this line into `~/.bashrc`; for zsh
and fish, write `zsh_source` or `fish_source`:

```sh
eval "$(_TLEX_COMPLETE=bash_source tlex)"
```
"""


def describe_commands() -> str:
    """Give the help of every command as one page."""
    pages = [COMMANDS_HEAD]
    environment = {**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}
    environment |= {"PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    for command in COMMANDS:
        words = [sys.executable, "-m", "tlex", *command, "--help"]
        done = subprocess.run(words, capture_output=True, check=True, env=environment)  # noqa: S603
        lines = [line.rstrip() for line in done.stdout.decode("utf-8").strip().splitlines()]
        text = "\n".join(lines)
        pages.append(f"## {' '.join(('tlex', *command))}\n\n```text\n{text}\n```\n")
    return "\n".join(pages)


def draw_story() -> str:
    """Draw the example story under the name that it has in this repository."""
    path = Path(__file__).parents[1] / "examples" / "story.tml"
    document = tlex.parse(path.read_bytes(), name="examples/story.tml")
    return tlex.draw.svg(tlex.extract(document))


LABELS_HEAD = """# Labels

Generated from the tables in `algebra.py` by `make docs`.

A link `A LABEL B` puts constraints on the end points of A and B. `A-` is the start of A, and `A+`
its end. `A- < A+` holds for every interval and is not listed. A link with a label without
constraints is kept and shown, but it orders nothing and connects nothing. Case and white space
around a label do not matter. A label that is in no table is reported (TLX103), and its link is not
used.
"""


def describe_labels() -> str:
    """Give the page on the constraints of every label."""
    aspectual = {str(label): TABLE_1[same] for label, same in SAME_AS.items()}
    tables = {
        "TLINK: TimeML (Table 1 of the paper)": {str(k): row for k, row in TABLE_1.items()},
        **{f"TLINK: {name}": table for name, table in SCHEMES.items()},
        "ALINK: TimeML": aspectual,
        "SLINK: TimeML": LABELS["SLINK"],
    }
    pages = [LABELS_HEAD]
    for title, table in tables.items():
        pages.append(f"## {title}\n\n| label | constraints |\n| --- | --- |")
        for label, row in table.items():
            says = ", ".join(f"`{constraint}`" for constraint in row) or "none"
            pages[-1] += f"\n| `{label}` | {says} |"
        pages[-1] += "\n"
    pages.append("`GLINK` and `CLINK` need no type and may have any.\n")
    pages.append(
        "## Other spellings\n\n| format | in the file | label |\n| --- | --- | --- |\n"
        + "".join(
            f"| {WHERE[scheme]} | `{written}` | `{label}` |\n"
            for scheme, words in SPELLINGS.items()
            for written, label in words.items()
        )
    )
    return "\n".join(pages)


TABLES_HEAD = """# Tables

Generated from `export/table_schema.py` by `make docs`.

CSV, Parquet, pandas and the tables of a corpus run have the same tables and columns.

```sh
tlex convert story.tml -o nodes.csv          # one table
tlex convert corpus/ --to parquet -o tables/ # all tables but pairs and closure
tlex corpus run corpus/ -o OUT               # the tables of a run, in OUT/nodes/*.parquet, ...
```

```python
result.to_pandas()  # nodes: each event and time with its words, timeline, steps and slack
result.to_pandas("points")
tlex.corpus.open_run("OUT").table("nodes")  # of a whole run, as a pyarrow table
```

In files every row begins with `document`; `to_pandas` leaves it out. A column with `?` can be null.
Only `tlex corpus run` writes columns marked *run*, and it does not write those marked *not run*.
In CSV blanks separate the ids of a list. A count of what the JSON lists is named `..._count`;
in `documents`, which only counts, the names are plain. Columns are added, never renamed or removed.
The queries are for [DuckDB](https://duckdb.org).
"""


def mark_column(column: Column) -> str:
    """Say of a column that not all tables have it."""
    return "*run*: " * column.run_only + "*not run*: " * column.result_only


def describe_tables() -> str:
    """Give the page on all tables."""
    pages = [TABLES_HEAD]
    for table in TABLES.values():
        files = f"OUT/{table.name}/*.parquet" if table.in_run else f"{table.name}.parquet"
        where = "" if table.in_result else " Only `tlex corpus run` writes it."
        where += " It is written only if you ask for it by its name." * table.on_request
        pages.append(f"## {table.name}\n\nA row is {table.row}.{where}\n")
        pages.append(f'```sh\nduckdb -c "{table.query.format(table=repr(files))}"\n```\n')
        rows = [
            f"| `{c.name}` | {c.type}{'?' * c.nullable} | {mark_column(c)}{c.meaning} |\n"
            for c in table.columns
        ]
        pages.append("| column | type | |\n| --- | --- | --- |\n" + "".join(rows))
    return "\n".join(pages)


def describe_json(objects: tuple[type, ...]) -> str:
    """Give the JSON Schema of what commands write: a record, the answer to a question, findings."""
    references, definitions = msgspec.json.schema_components(objects, ref_template="#/$defs/{name}")
    schema = {"anyOf": list(references), "$defs": definitions}
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    main()
