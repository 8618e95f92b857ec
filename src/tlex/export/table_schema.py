"""All tables, as data: columns, types, meaning, and an example query for each.

There is one vocabulary. CSV, Parquet, pandas and the tables of a corpus run have the same tables
and columns, with the names of the JSON (``nodes``, ``id``, ``points``, ``earliest``, ...).
`RESULT_TABLES` can be made of one result, `RUN_TABLES` are written by ``tlex corpus run``.
A column that counts what the JSON lists under a name is called ``..._count`` (``interval_count``).
In ``documents``, which only counts, the names are plain (``timelines``).

In files every row begins with ``document``, the name of its document; in a corpus run that is the
corpus, ``/`` and the name there. Rows stand in the order of the documents, and inside a document in
the order that the table names. Columns are added, never renamed or removed, within `VERSION`.
"""

from __future__ import annotations

from typing import NamedTuple

from tlex.errors import UnknownNameError

__all__ = ["RESULT_TABLES", "RUN_TABLES", "TABLES", "VERSION", "Column", "Table", "find_table"]

VERSION = "tlex-corpus/1"

TEXT, WHOLE, REAL, TRUTH, TEXTS = "string", "int64", "double", "bool", "list<string>"


class Column(NamedTuple):
    """A column: its name, its type in Parquet, its meaning, and whether it can be null.

    A column that is ``run_only`` is written by corpus runs and is not made of a single result; one
    that is ``result_only`` is too slow for corpus runs.
    """

    name: str
    type: str
    meaning: str
    nullable: bool = False
    run_only: bool = False
    result_only: bool = False


class Table(NamedTuple):
    """A table: what a row is, its columns, and a query that DuckDB answers in one line.

    In the query ``{table}`` stands for the files of the table. ``in_run`` and ``in_result`` say
    whether corpus runs write it and whether it can be made of a single result. A table that is
    ``on_request`` can have a row for each pair, so it is made only if it is asked for by name.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    query: str
    in_run: bool = True
    in_result: bool = True
    on_request: bool = False

    @property
    def run_columns(self) -> tuple[Column, ...]:
        """The columns that a corpus run writes, ``document`` first."""
        return tuple(column for column in self.columns if not column.result_only)

    @property
    def result_columns(self) -> tuple[Column, ...]:
        """The columns of a single result, without ``document``."""
        return tuple(column for column in self.columns[1:] if not column.run_only)


def find_table(name: str) -> Table:
    """Give a table of results by its name; an `UnknownNameError` lists the names."""
    if name not in RESULT_TABLES:
        raise UnknownNameError(
            f"there is no table {name!r}; choose from {', '.join(RESULT_TABLES)}"
        )
    return RESULT_TABLES[name]


def _given(name: str, kind: str, meaning: str) -> Column:
    return Column(name, kind, meaning)


def _maybe(name: str, kind: str, meaning: str) -> Column:
    return Column(name, kind, meaning, nullable=True)


_DOCUMENT = _given("document", TEXT, "its document: corpus, `/`, name")

_EXTENT = (
    ("timelines", "timelines: temporally connected parts"),
    ("inconsistent_timelines", "timelines that contradict themselves"),
    ("main_timelines", "main timelines: the trunk"),
    ("branches", "timelines that are not main"),
    ("breaks", "breaks: one less than the main timelines"),
    ("connections", "SLINKs that cross from one timeline to another"),
    ("steps", "steps of all consistent timelines together"),
    ("main_length", "steps of the main timelines together, inconsistent ones left out"),
    ("longest", "steps of the longest timeline, main or not"),
    ("longest_main", "steps of the longest main timeline"),
    ("tied_steps", "steps that hold two or more points that are not equal"),
    ("sections", "indeterminate sections"),
    ("section_points", "time-points that stand in a section"),
    ("main_sections", "indeterminate sections of main timelines"),
    ("indeterminate_pairs", "pairs of time-points whose order is unknown"),
    ("slack", "steps by which time-points can stand later, added up"),
    ("placed_points", "time-points of consistent timelines"),
    ("branch_points", "time-points of branches"),
    ("neighbours", "pairs of time-points on neighbouring steps, with an order that is entailed"),
)
"""What is counted of a document as annotated, and again after its minimum repair."""

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "documents",
            "a document, done or failed",
            (
                _DOCUMENT,
                _given("corpus", TEXT, "the directory, archive or file of documents it is from"),
                _given("name", TEXT, "its name there"),
                _given("path", TEXT, "the file it was read from"),
                _maybe("member", TEXT, "its name in that archive, or its line in that file"),
                _maybe(
                    "content", TEXT, "SHA-256 of the bytes it was read from; null if unreadable"
                ),
                _given("status", TEXT, "`done` or `failed`"),
                _maybe("cause", TEXT, "why failed: `read`, `timeout`, `memory`, `killed`, `error`"),
                _maybe("reason", TEXT, "the same in words"),
                _maybe("format", TEXT, "the format; this and all that follows: null if failed"),
                _maybe("characters", WHOLE, "characters of the text"),
                _maybe("words", WHOLE, "words of the text"),
                _maybe("tokens", WHOLE, "words and punctuation marks of the text"),
                _maybe("events", WHOLE, "EVENT elements (CAT: EVENT_MENTION)"),
                _maybe("instances", WHOLE, "events: instances, or events without one"),
                _maybe("times", WHOLE, "times: TIMEX3"),
                _maybe("signals", WHOLE, "SIGNAL elements"),
                _maybe("links", WHOLE, "links of any kind, without those of the calendar"),
                _maybe("tlinks", WHOLE, "TLINKs"),
                _maybe("alinks", WHOLE, "ALINKs"),
                _maybe("slinks", WHOLE, "SLINKs"),
                _maybe("diagnostics", WHOLE, "things wrong with the document"),
                _maybe("consistent", TRUTH, "whether it is consistent, with the links asked for"),
                _maybe("consistent_tlinks", TRUTH, "whether it is consistent with TLINKs only"),
                _maybe("conflicts", WHOLE, "contradictions"),
                _maybe(
                    "conflicts_complete", TRUTH, "whether all are listed; a tangle has too many"
                ),
                _maybe("mended", WHOLE, "links left out to mend these; 0 without `--mend`"),
                _maybe(
                    "calendar_complete", TRUTH, "whether all that follows from values was looked at"
                ),
                *(_maybe(name, WHOLE, meaning) for name, meaning in _EXTENT),
                _maybe(
                    "score", REAL, "share of placed points that stand in a section; null if none"
                ),
                _maybe(
                    "scenarios_log10", REAL, "log10 of the number of orderings; null: not counted"
                ),
                _maybe("scenarios_exact", TRUTH, "whether that is exact, else a lower bound"),
                _maybe(
                    "repair_cost",
                    REAL,
                    "cost of the minimum repair, 0 if consistent; null: no repair",
                ),
                _maybe("repair_bound", REAL, "what every repair costs at least"),
                _maybe("repair_optimal", TRUTH, "whether the repair is proven to be minimum"),
                _maybe("repair_links", TEXTS, "ids of the links that it removes"),
                *(
                    _maybe(f"repaired_{name}", WHOLE, f"after minimum repair: {meaning}")
                    for name, meaning in _EXTENT
                ),
            ),
            "SELECT corpus, count(*) AS texts, sum(words) AS words, "
            "count(*) FILTER (NOT consistent) AS inconsistent FROM {table} "
            "GROUP BY ALL ORDER BY ALL",
            in_result=False,
        ),
        Table(
            "nodes",
            "an event or time, in text order",
            (
                _DOCUMENT,
                _given("number", WHOLE, "place in text order, from 0"),
                _given("id", TEXT, "its id"),
                _given("kind", TEXT, "`event` or `time`"),
                _maybe("type", TEXT, "an event's class, a time's type"),
                _maybe("event", TEXT, "id of an instance's EVENT"),
                _given("text", TEXT, "its words"),
                _maybe("line", WHOLE, "line of the file, from 1; null: not in the file")._replace(
                    result_only=True
                ),
                _maybe("column", WHOLE, "column of the file, from 1")._replace(result_only=True),
                _maybe("span_start", WHOLE, "first character in the text, from 0; null: nowhere"),
                _maybe("span_end", WHOLE, "the character behind the last one"),
                _maybe("value", TEXT, "a time's value"),
                _given("factuality", TEXT, "`factual`, `reported`, `possible`, ... (reading R9)"),
                _given("timeline", WHOLE, "id of its timeline in the document"),
                _maybe("start", WHOLE, "earliest step of its start; null: inconsistent"),
                _maybe("end", WHOLE, "earliest step of its end"),
                _maybe("start_slack", WHOLE, "steps by which its start can stand later"),
                _maybe("end_slack", WHOLE, "steps by which its end can stand later"),
                _given("world", WHOLE, "the part that links alone put it into; see `timeline`"),
                _maybe(
                    "date_after",
                    TEXT,
                    "latest instant that its start is known to follow; null: unknown, no calendar",
                ),
                _maybe("date_before", TEXT, "earliest instant that its end is known to precede"),
                _maybe("source", TEXT, "its own document, of several as one; null: a single one"),
            ),
            "SELECT factuality, count(*) AS events FROM {table} WHERE kind = 'event' "
            "GROUP BY ALL ORDER BY events DESC",
        ),
        Table(
            "points",
            "a time-point: the start and the end of each event or time, in text order",
            (
                _DOCUMENT,
                _given("timeline", WHOLE, "id of its timeline"),
                _given("node", TEXT, "id of its event or time"),
                _given("side", TEXT, "`start` or `end`"),
                _given("point", TEXT, "its name: the id with `-` for the start, `+` for the end"),
                _maybe("earliest", WHOLE, "its step on the minimum timeline; null: inconsistent"),
                _maybe("latest", WHOLE, "the latest step it can have"),
                _maybe("slack", WHOLE, "`latest` less `earliest`"),
                _maybe(
                    "compound",
                    WHOLE,
                    "number of its group of equal points in the timeline, from 0; null: alone",
                ),
                _maybe("section", WHOLE, "number of its section in the timeline; null: in none"),
                _maybe(
                    "date_after",
                    TEXT,
                    "latest instant that it is known to follow; null: unknown, or no calendar",
                ),
                _maybe("date_before", TEXT, "earliest instant that it is known to precede"),
            ),
            "SELECT slack, count(*) AS points FROM {table} "
            "WHERE slack IS NOT NULL GROUP BY ALL ORDER BY ALL",
        ),
        Table(
            "links",
            "a link, in document order",
            (
                _DOCUMENT,
                _given("number", WHOLE, "place in document order, from 0"),
                _given("id", TEXT, "its id"),
                _given(
                    "kind",
                    TEXT,
                    "`TLINK`, `ALINK`, `SLINK`; in some formats `GLINK`, `CLINK`; `CALENDAR` for "
                    "what follows from values, with the calendar",
                ),
                _maybe("type", TEXT, "its relation type"),
                _maybe("source", TEXT, "id of its source"),
                _maybe("target", TEXT, "id of its target"),
                _maybe("signal", TEXT, "id of its signal"),
                _maybe("weight", REAL, "its weight"),
                _maybe("source_timeline", WHOLE, "timeline of its source; null: not defined"),
                _maybe("target_timeline", WHOLE, "timeline of its target; null: not defined"),
                _given("left_out", TRUTH, "whether it is left out to mend contradictions"),
                Column("removed", TRUTH, "whether the minimum repair removes it", run_only=True),
            ),
            "SELECT kind, type, count(*) AS links FROM {table} GROUP BY ALL ORDER BY links DESC",
        ),
        Table(
            "timelines",
            "a timeline, in text order of its first event or time",
            (
                _DOCUMENT,
                _given("id", WHOLE, "its id: its number in the document, from 0"),
                _given("main", TRUTH, "whether it is a main timeline"),
                _given("detached", TRUTH, "whether no chain of connections reaches it"),
                _given("consistent", TRUTH, "whether it is consistent"),
                _given("interval_count", WHOLE, "number of its events and times"),
                _given("first", TEXT, "id of the first of them in the text"),
                _maybe("length", WHOLE, "its steps; null: inconsistent, here and below"),
                _given("offset", WHOLE, "steps of the main timelines that stand before it"),
                _maybe(
                    "tied_step_count",
                    WHOLE,
                    "number of steps that hold two or more points that are not equal",
                ),
                _maybe("section_count", WHOLE, "number of its indeterminate sections"),
                _maybe("section_points", WHOLE, "its time-points that stand in a section"),
                _maybe(
                    "indeterminate_pairs",
                    WHOLE,
                    "pairs of its points whose order is unknown; null also above 20,000 points",
                ),
                _maybe("score", REAL, "share of its points that stand in a section"),
                _maybe("slack", WHOLE, "slack of its points, added up"),
                _maybe("scenarios_log10", REAL, "log10 of its orderings; null also: not counted"),
                _maybe("scenarios_exact", TRUTH, "whether that is exact, else a lower bound"),
                _given("mended_count", WHOLE, "number of links left out that touch it"),
                _maybe(
                    "date_after",
                    TEXT,
                    "latest instant that all of it is known to follow; null: unknown, no calendar",
                ),
                _maybe("date_before", TEXT, "earliest instant that all of it precedes"),
            ),
            "SELECT main, count(*) AS timelines, avg(length) AS steps FROM {table} "
            "GROUP BY ALL ORDER BY ALL",
        ),
        Table(
            "branches",
            "a timeline that is not main, with how it is connected",
            (
                _DOCUMENT,
                _given("timeline", WHOLE, "its id"),
                _given("detached", TRUTH, "whether no chain of connections reaches it"),
                _given("consistent", TRUTH, "whether it is consistent"),
                _given("interval_count", WHOLE, "number of its events and times"),
                _maybe("length", WHOLE, "its steps; null: inconsistent"),
                _given("connection_count", WHOLE, "number of connections that lead into it"),
                _maybe("link", TEXT, "the first of these, in document order: its id; null: none"),
                _maybe("type", TEXT, "its type"),
                _maybe("source", TEXT, "the event or time from which it leads"),
                _maybe("source_timeline", WHOLE, "the timeline of that event or time"),
                _maybe("target", TEXT, "the event or time to which it leads"),
            ),
            "SELECT type, count(*) AS branches, avg(length) AS steps FROM {table} "
            "GROUP BY ALL ORDER BY branches DESC",
        ),
        Table(
            "sections",
            "an indeterminate section, by timeline, first to last",
            (
                _DOCUMENT,
                _given("timeline", WHOLE, "id of its timeline"),
                _given("section", WHOLE, "its number in the timeline, from 0"),
                _given("first", WHOLE, "its first step"),
                _given("last", WHOLE, "its last step"),
                _given("point_count", WHOLE, "number of its time-points"),
                _given("distinct_point_count", WHOLE, "the same, with equal ones counted once"),
                _given("main", TRUTH, "whether its timeline is main"),
            ),
            "SELECT point_count, count(*) AS sections FROM {table} GROUP BY ALL ORDER BY ALL",
        ),
        Table(
            "conflicts",
            "a contradiction, by the place of its first link",
            (
                _DOCUMENT,
                _given("conflict", WHOLE, "its number in the document, from 1"),
                _given("timeline", WHOLE, "id of its timeline"),
                _given("kind", TEXT, "`i`, `ii` or `iii`"),
                _given("walk", TEXT, "the closed walk that proves it"),
                _given("links", TEXTS, "ids of the links on it, in document order"),
                _given(
                    "minimal",
                    TEXTS,
                    "ids of an irreducible set of them: without any one, the rest is consistent",
                ),
                _given(
                    "pattern", TEXT, "relation types of these, in alphabetical order, with ` + `"
                ),
                _given("same", TEXTS, "ids of other links that say the same as one of these"),
            ),
            "SELECT pattern, count(*) AS conflicts FROM {table} "
            "GROUP BY ALL ORDER BY conflicts DESC, pattern LIMIT 10",
        ),
        Table(
            "diagnostics",
            "something wrong with a document, in its order",
            (
                _DOCUMENT,
                _given("code", TEXT, "code of the rule"),
                _given("severity", TEXT, "`error` or `warning`"),
                _maybe("line", WHOLE, "line of the file, from 1"),
                _maybe("column", WHOLE, "column, from 1"),
                _given("message", TEXT, "what is wrong"),
                _maybe("hint", TEXT, "what would help"),
            ),
            "SELECT code, count(*) AS found FROM {table} GROUP BY ALL ORDER BY found DESC",
        ),
        Table(
            "connections",
            "an SLINK that crosses between timelines, in document order",
            (
                _DOCUMENT,
                _given("link", TEXT, "its id"),
                _maybe("type", TEXT, "its type"),
                _given("source", TEXT, "the event or time from which it leads"),
                _given("target", TEXT, "the event or time to which it leads"),
                _given("source_timeline", WHOLE, "the timeline of the one"),
                _given("target_timeline", WHOLE, "the timeline of the other"),
            ),
            "SELECT type, count(*) AS crossing FROM {table} GROUP BY ALL ORDER BY crossing DESC",
        ),
        Table(
            "breaks",
            "a break between two neighbouring main timelines, in text order",
            (
                _DOCUMENT,
                _given("first_timeline", WHOLE, "the one timeline"),
                _given("second_timeline", WHOLE, "the next one"),
                _given("first", TEXT, "the event or time of the one that is nearest to the next"),
                _given("second", TEXT, "the event or time of the next that is nearest"),
                _maybe("words", WHOLE, "words between the two in the text; null: not in the text"),
            ),
            "SELECT document, count(*) AS breaks FROM {table} "
            "GROUP BY ALL ORDER BY breaks DESC, document LIMIT 10",
        ),
        Table(
            "pairs",
            "two time-points of a section whose order is unknown, by timeline and section",
            (
                _DOCUMENT,
                _given("timeline", WHOLE, "id of their timeline"),
                _given("first", TEXT, "the one time-point"),
                _given("second", TEXT, "the other"),
            ),
            "SELECT timeline, count(*) AS pairs FROM {table} GROUP BY ALL ORDER BY ALL",
            in_run=False,
            on_request=True,
        ),
        Table(
            "closure",
            "two events or times whose relation follows from the links, in text order",
            (
                _DOCUMENT,
                _given("source", TEXT, "id of the one"),
                _maybe("type", TEXT, "the relation type; null: TimeML has none for it"),
                _given("target", TEXT, "id of the other"),
                _given("name", TEXT, "the relation in words"),
                _given("links", TEXTS, "ids of the links that say just this; empty: it is new"),
            ),
            "SELECT type, count(*) AS relations FROM {table} GROUP BY ALL ORDER BY relations DESC",
            in_run=False,
            on_request=True,
        ),
    )
}
"""All tables, by name."""

RUN_TABLES = {name: table for name, table in TABLES.items() if table.in_run}
"""The tables that a corpus run writes."""

RESULT_TABLES = {name: table for name, table in TABLES.items() if table.in_result}
"""The tables that can be made of a single result."""
