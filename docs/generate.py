"""Write the generated pages from ``--help``, the types, the rules, the labels and the tables.

python docs/generate.py [DIRECTORY]
"""

from __future__ import annotations

import csv
import inspect
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import msgspec
from blocks import run_page
from page_types import describe_page_types

import tlex
from tlex.algebra import LABELS, READINGS, SAME_AS, SCHEMES, SPELLINGS, TABLE_1
from tlex.comparison.agreements import AgreementRecord
from tlex.comparison.difference_records import DifferenceRecord
from tlex.comparison.patches import PatchDifference
from tlex.comparison.questions import Reply
from tlex.corpus.reports.figures import Figures
from tlex.corpus.samples.judge_agreement import Agreement
from tlex.corpus.samples.sampler import DrawnSample
from tlex.export.table_schema import TABLES, Column
from tlex.lint import CheckRecord
from tlex.lint.manual import write_manual
from tlex.readers.json import JsonDocument
from tlex.records import Answer, ExtractionRecord, VerificationRecord
from tlex.repair import DecodeRecord, FixRecord, Patch
from tlex.timex import Bounds, Reason, find_bounds, write_instant

COMMANDS = (
    (),
    ("demo",),
    ("extract",),
    ("draw",),
    ("view",),
    ("events",),
    ("relation",),
    ("why",),
    ("ask",),
    ("check",),
    ("rule",),
    ("verify",),
    ("fix",),
    ("decode",),
    ("apply",),
    ("score",),
    ("diff",),
    ("agree",),
    ("convert",),
    ("merge",),
    ("closure",),
    ("reduce",),
    ("corpus", "run"),
    ("corpus", "report"),
    ("corpus", "sample"),
    ("corpus", "agreement"),
)
OBJECTS = (
    ExtractionRecord,
    Answer,
    VerificationRecord,
    Reply,
    DifferenceRecord,
    PatchDifference,
    AgreementRecord,
)
CORPUS = (Figures, DrawnSample, Agreement)
PICTURED = ("concepts.md", "gallery.md")
WHERE = {
    "": "any format",
    "dense": "TimeBank-Dense, TDDiscourse",
    "matres": "MATRES",
    "eventfull": "EventFull",
}


def main() -> None:
    """Write the pages beside this file, or into the directory given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "cli.md").write_text(describe_commands(), encoding="utf-8")
    (folder / "schema.json").write_text(describe_json(OBJECTS), encoding="utf-8")
    (folder / "schema-check.json").write_text(describe_json((CheckRecord,)), encoding="utf-8")
    (folder / "schema-fix.json").write_text(
        describe_json((FixRecord, DecodeRecord, Patch)), encoding="utf-8"
    )
    (folder / "schema-corpus.json").write_text(describe_json(CORPUS), encoding="utf-8")
    document = describe_json((JsonDocument,))
    (folder / "schema-document.json").write_text(document, encoding="utf-8")
    (folder / "rules.md").write_text(write_manual(), encoding="utf-8")
    (folder / "labels.md").write_text(describe_labels(), encoding="utf-8")
    (folder / "calendar.md").write_text(describe_calendar(), encoding="utf-8")
    (folder / "tables.md").write_text(describe_tables(), encoding="utf-8")
    script = folder if len(sys.argv) > 1 else folder.parent / "web" / "src"
    (script / "data.ts").write_text(describe_page_types(), encoding="utf-8")
    (folder / "api.md").write_text(describe_library(), encoding="utf-8")
    (folder / "pictures").mkdir(exist_ok=True)
    for page in PICTURED:
        for name, picture in draw_page(Path(__file__).with_name(page)).items():
            (folder / "pictures" / name).write_text(picture, encoding="utf-8")


COMMANDS_HEAD = """# Command line

Generated from `--help` by `make docs`.

Results go to stdout, messages to stderr. Exit code 0: done; 1: done, and `tlex check` found errors,
`tlex diff` a difference, `tlex verify` a wrong result, or `tlex decode` no consistent choice; 2:
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


def draw_page(page: Path) -> dict[str, str]:
    """Run the commands of a page and give the pictures that they make."""
    with tempfile.TemporaryDirectory() as place:
        run_page(page, Path(place))
        made = sorted(Path(place).glob("*.svg"))
        return {path.name: path.read_text(encoding="utf-8") for path in made}


LIBRARY_HEAD = """# Python

Generated from `tlex.__all__` and the docstrings by `make docs`.

`import tlex` is all you need. The functions come first, then those of its modules, then what they
give and take, and the errors. The examples run in the tests, in a directory that has `examples/`
(`tlex demo -o examples`).
"""


def describe_library() -> str:
    """Give the page on all public names; mkdocstrings adds signatures and docstrings."""
    values = {name: getattr(tlex, name) for name in tlex.__all__ if name != "__version__"}
    modules = {name: value for name, value in values.items() if inspect.ismodule(value)}
    functions = [name for name, value in values.items() if inspect.isfunction(value)]
    classes = [name for name, value in values.items() if inspect.isclass(value)]
    errors = [name for name in classes if issubclass(values[name], Exception)]
    pages = [LIBRARY_HEAD, "## Functions\n", *map(name_entry, functions)]
    for name, module in modules.items():
        known = {values[each] for each in functions}  # verify is in tlex and in tlex.checker
        found = {each: getattr(module, each) for each in module.__all__}
        own = [e for e, value in found.items() if inspect.isfunction(value) and value not in known]
        if own:
            pages.append(f"## tlex.{name}\n\n{(module.__doc__ or '').strip().splitlines()[0]}\n")
        pages += [name_entry(f"{name}.{each}") for each in own]
    pages += ["## What they give and take\n"]
    pages += [name_entry(name) for name in classes if name not in errors]
    pages += ["## Errors\n", *map(name_entry, errors)]
    return "\n".join(pages)


def name_entry(name: str) -> str:
    """Give the line that mkdocstrings replaces: where a public name is defined."""
    value: object = tlex
    for part in name.split("."):
        value = getattr(value, part)
    return f"::: {getattr(value, '__module__', 'tlex')}.{getattr(value, '__qualname__', name)}\n"


LABELS_HEAD = """# Labels

Generated from the tables in `algebra.py` by `make docs`.

A link `A LABEL B` puts constraints on the end points of A and B. `A-` is the start of A, and `A+`
its end. `A- < A+` holds for every interval and is not listed. A link with a label without
constraints is kept and shown, but it orders nothing and connects nothing. Case and white space
around a label do not matter. A label that is in no table is reported (TLX103), and its link is not
used.
"""


READINGS_HEAD = """## Labels that mean something else in a corpus

`--labels NAME` selects the meaning that labels have in a corpus; all other labels stay as they are.
`frtimebank` is selected by itself for TimeML whose EVENTs have their own `eiid`; `--labels timeml`
overrules it. Files of brat do not say which corpus they are from: where a label means something
else in CaTeRS or TimeSET, a warning (TLX122) names the reading to choose. The result records the
name as `document.reading`, and the rows that were used as `document.labels`.

| name | kind | label | constraints |
| --- | --- | --- | --- |"""


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
    pages.append(READINGS_HEAD)
    for name, kinds in READINGS.items():
        pages[-1] += "".join(
            f"\n| `{name}` | {kind} | `{label}` | "
            f"{', '.join(f'`{constraint}`' for constraint in row) or 'none'} |"
            for kind, table in kinds.items()
            for label, row in table.items()
        )
    pages[-1] += "\n"
    pages.append(
        "## Other spellings\n\n| format | in the file | label |\n| --- | --- | --- |\n"
        + "".join(
            f"| {WHERE[scheme]} | `{written}` | `{label}` |\n"
            for scheme, words in SPELLINGS.items()
            for written, label in words.items()
        )
    )
    return "\n".join(pages)


CALENDAR_HEAD = """# The calendar

Generated from `timex.py` and from the counts in `calendar_counts.csv` by `make docs`.

The value of a TIMEX3 says between which instants the time starts and ends. An exact value has one
start and one end. A loose value has an earliest and a latest start, and an earliest and a latest
end. Reading R40 in [readings.md](readings.md) says why the bounds are as they are. Days and years
end where the next ones start; at one instant every end precedes every start, so 12 March is BEFORE
13 March. Where a bound is excluded, the table still shows its instant.

The counts are those of TimeBank 1.2, of the English part of MEANTIME and of ProppLearner, whose
times have no values. `python docs/count_values.py CORPORA` counts them again.
"""
EXAMPLES = (
    ("1998", {}),
    ("199", {}),
    ("19", {}),
    ("1998-03", {}),
    ("1998-W12", {}),
    ("1998-03-12", {}),
    ("1998-03-12T09:30", {}),
    ("1998-03-12T09:30+02:00", {}),
    ("FY1998", {}),
    ("1998-Q3", {}),
    ("1998-SU", {}),
    ("1998-W12-WE", {}),
    ("1998-03-12TNI", {}),
    ("1998", {"mod": "START"}),
    ("1998", {"mod": "BEFORE"}),
    ("1998", {"mod": "AFTER"}),
    ("P2Y", {"kind": "DURATION", "beginPoint": "1998-03-12", "endPoint": "2000"}),
)
CORPORA = {
    "timebank-1.2": "TimeBank",
    "meantime-en": "MEANTIME",
    "propplearner": "ProppLearner",
}


FOUND = """## What it finds

Without and with the calendar, TLINKs and ALINKs (`python benchmarks/dating.py` counts again):

| | TimeBank | | MEANTIME | |
| --- | ---: | ---: | ---: | ---: |
| pairs of points of known order, if consistent both ways | 36,166 | 60,005 | 11,164 | 15,212 |
| parts | 3,059 | 2,500 | 1,257 | 1,115 |
| contradictory documents | 65 | 80 | 36 | 47 |

These 15 documents of TimeBank contradict only the calendar. They are judged by their links and
values. In nine of them a link is wrong and in three a value. In the other three, annotators say
`DURING` where an event does not fill the whole year or day; Table 1 of the paper reads it as "at
exactly the same time".

`tlex check --calendar` reports each of them (TLX204), with the links and the values. The last
column is what it proposes: a value with one field of another time, which ends the contradiction
(reading R44). Of the three wrong values it finds the right year for two. Where a link is wrong, a
proposal shows only that the links would agree with that value.

| document | links | judgement | proposed |
| --- | --- | --- | --- |
"""
JUDGED = {
    "APW19980322.0749": ("l14, l15", "wrong link: one event both on 12 March and in week 12"),
    "wsj_0135": ("l9", "wrong value: of two fiscal years, one after the other, both are 1989"),
    "wsj_0136": ("l10", "wrong value: 1998-Q4, ended by 1989-09, must be 1989-Q4"),
    "wsj_0520": ("l14, l17", "DURING a year and a day, and before that day"),
    "wsj_0533": ("l9, l11; l15, l16", "wrong link: events both before and after 30 October"),
    "wsj_0558": ("l9", "DURING a year, and before something in that year"),
    "wsj_0568": ("l57", "wrong link: DURING 1990, as a part of something on 30 October 1989"),
    "wsj_0612": (
        "l6, l13, l22",
        "wrong link: events of 27 October 1989 are ended by 1992 and 1999",
    ),
    "wsj_0667": ("l12", "DURING 1989, and before something in October"),
    "wsj_0751": ("l10", "wrong link: what is in 1988-08 includes something in 1989-04"),
    "wsj_0752": ("l8", "wrong link: ended by 22 November, after what is ended by 7 December"),
    "wsj_0805": ("l6", "wrong link: 27 October AFTER 1 November"),
    "wsj_0810": ("l14, l15", "wrong value: before 27 October, on a day with the value 31 October"),
    "wsj_0928": ("l19", "wrong link: IDENTITY of events in 1988-04 and in 1989-04"),
    "wsj_0950": ("l23", "wrong link: begun by 1988-10, and within 25 October 1989"),
}


PROPOSED = {
    "APW19980322.0749": "t132 1998-03-22",
    "wsj_0135": "t30 1990",
    "wsj_0136": "t2027 1989-Q4",
    "wsj_0520": "t88 1987",
    "wsj_0533": "t102 1989-10-06, t102 1989-10-16, t103 1989-10-30, t101 1989-11-30",
    "wsj_0558": "t49 1989",
    "wsj_0667": "t49 1988",
    "wsj_0752": "t18 1989-10-07",
    "wsj_0805": "t77 1989-10-01",
    "wsj_0810": "t153 1988-10-31",
    "wsj_0928": "t83 1989-04",
}
"""What ``tlex check --calendar`` proposes for the values of these documents."""


def describe_calendar() -> str:
    """Give the page on what values mean on the calendar, and on how many have which meaning."""
    path = Path(__file__).parent / "calendar_counts.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts: Counter[tuple[str, str]] = Counter()
    shapes: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        counts[row["kind"], row["corpus"]] += int(row["count"])
        shape = shapes.setdefault((row["kind"], row["shape"]), Counter())
        shape[row["corpus"]] += int(row["count"])
    heads = " | ".join(CORPORA.values())
    pages = [CALENDAR_HEAD, "## Values with bounds\n"]
    pages.append(
        f"| value | kind | earliest start | latest start | earliest end | latest end | {heads} |\n"
        "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: |"
    )
    for value, about in EXAMPLES:
        pages[-1] += describe_value(value, about, counts)
    pages[-1] += "\n"
    pages.append("## Values without bounds\n")
    pages.append(f"| why | {heads} |\n| --- | ---: | ---: | ---: |")
    for reason in Reason:
        pages[-1] += f"\n| {reason} | {list_counts(counts, reason)} |"
    pages[-1] += "\n"
    judged = (
        f"| {name} | {links} | {why} | {PROPOSED.get(name, '')} |\n"
        for name, (links, why) in JUDGED.items()
    )
    pages.append(FOUND + "".join(judged))
    pages.append("## Every value of the corpora\n\nA 9 stands for any digit.\n")
    pages.append(f"| value | kind | {heads} |\n| --- | --- | ---: | ---: | ---: |")
    for (kind, shape), found in shapes.items():
        numbers = " | ".join(str(found[corpus]) for corpus in CORPORA)
        pages[-1] += f"\n| `{shape}` | {kind} | {numbers} |"
    return "\n".join(pages) + "\n"


def describe_value(value: str, about: dict[str, str], counts: Counter[tuple[str, str]]) -> str:
    """Give the row of an example: its bounds, and how many values of the corpora are like it."""
    begin, end = (find_bounds(about.get(name, "")) for name in ("beginPoint", "endPoint"))
    bounds = find_bounds(
        value,
        kind=about.get("kind", "DATE"),
        mod=about.get("mod", ""),
        begin=begin if isinstance(begin, Bounds) else None,
        end=end if isinstance(end, Bounds) else None,
    )
    if isinstance(bounds, Reason):
        raise TypeError(value)
    edges = bounds.earliest_start, bounds.latest_start, bounds.earliest_end, bounds.latest_end
    before_end = bounds.latest_start % 2  # then the start is anywhere before the latest end
    edges = edges[0], edges[1] + before_end, *edges[2:]
    instants = (write_instant(place) or "open" for place in edges)
    shown = ", ".join((f"`{value}`", *(f"{name} {word}" for name, word in about.items())))
    cells = " | ".join(instants)
    return f"\n| {shown} | {bounds.kind} | {cells} | {list_counts(counts, bounds.kind)} |"


def list_counts(counts: Counter[tuple[str, str]], kind: str) -> str:
    """Give the cells with the counts of a kind of value."""
    return " | ".join(str(counts[kind, corpus]) for corpus in CORPORA)


TABLES_HEAD = """# Tables

Generated from `export/table_schema.py` by `make docs`.

CSV, Parquet, pandas and the tables of a corpus run have the same tables and columns.

```sh
tlex convert examples/story.tml -o nodes.csv         # one table
tlex convert examples/ben --to parquet -o tables/    # all tables but pairs and closure
tlex corpus run examples/ben -o OUT --jobs 1         # those of a run, in OUT/nodes/*.parquet, ...
```

```python
import tlex

result = tlex.extract(tlex.read("examples/story.tml"))
result.to_pandas()  # nodes: each event and time with its words, timeline, steps and slack
result.to_pandas("points")
tlex.corpus.open_run("OUT").table("nodes")  # of a whole run, as a pyarrow table
```

In files every row begins with `document`; `to_pandas` leaves it out. A column with `?` can be null.
Only `tlex corpus run` writes columns marked *run*, and it does not write those marked *not run*.
In CSV blanks separate the ids of a list, and text that a spreadsheet would take for a formula
(`=`, `+`, `-`, `@`, also in full width) begins with an apostrophe. A count of what the JSON lists
is named `..._count`; in `documents`, which only counts, the names are plain. Columns are added,
never renamed or removed.
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
