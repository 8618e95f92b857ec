"""Tables as files: pandas and pyarrow read what the result holds."""

from __future__ import annotations

import errno
import gc

import pandas as pd
import pyarrow.parquet as pq
import pytest
import strategies
from hypothesis import given, settings

import tlex
from tlex.errors import OptionError, WriteError
from tlex.export import table_files
from tlex.export.table_files import TableFiles, name_tables
from tlex.export.table_schema import RESULT_TABLES

STORY = "examples/story.tml"
BROKEN = "examples/contradiction.tml"
USUAL = [name for name, table in RESULT_TABLES.items() if not table.on_request]


def read_csv(path) -> pd.DataFrame:
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


@pytest.fixture(scope="module")
def results():
    return [tlex.extract(tlex.read(path)) for path in (STORY, BROKEN)]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_foreign_program_reads_every_table_as_it_is(results, tmp_path, kind):
    with TableFiles(name_tables(tmp_path / "out", kind), kind) as files:
        for result in results:
            files.add(result)

    assert sorted(path.stem for path in (tmp_path / "out").iterdir()) == sorted(USUAL)
    for table in USUAL:
        path = tmp_path / "out" / f"{table}.{kind}"
        read = read_csv(path) if kind == "csv" else pq.read_table(path).to_pandas()
        frames = [result.to_pandas(table) for result in results]
        names = [result.document.name for result in results]
        expected = pd.concat(
            [frame.assign(document=name) for frame, name in zip(frames, names, strict=True)]
        )[["document", *(column.name for column in RESULT_TABLES[table].result_columns)]]
        assert list(read.columns) == list(expected.columns)
        assert rows_of(read) == rows_of(expected), table


def rows_of(frame: pd.DataFrame) -> list[list[object]]:
    """The cells as CSV has them: nothing where there is no word, ids with blanks between them."""
    rows = []
    for row in frame.astype(object).to_numpy().tolist():
        cells = [
            cell if isinstance(cell, str) or not hasattr(cell, "__len__") else " ".join(cell)
            for cell in row
        ]
        rows.append([None if pd.isna(cell) or cell == "" else cell for cell in cells])
    return rows


@settings(max_examples=40)
@given(graph=strategies.tangled_graphs())
def test_every_row_of_any_result_comes_back_from_both(graph, tmp_path_factory):
    result = tlex.extract(strategies.document_of(graph))
    folder = tmp_path_factory.mktemp("tables")

    for kind in ("csv", "parquet"):
        tlex.write(result, folder, format=kind)

    for table in USUAL:
        expected = rows_of(result.to_pandas(table))
        read = read_csv(folder / f"{table}.csv"), pq.read_table(folder / f"{table}.parquet")
        assert [row[1:] for row in rows_of(read[0])] == expected
        assert [row[1:] for row in rows_of(read[1].to_pandas())] == expected


def test_columns_of_parquet_have_types(results, tmp_path):
    tlex.write(results[0], tmp_path, format="parquet")

    types = {field.name: str(field.type) for field in pq.read_schema(tmp_path / "points.parquet")}
    assert types == {
        "document": "string",
        "timeline": "int64",
        "node": "string",
        "side": "string",
        "point": "string",
        "earliest": "int64",
        "latest": "int64",
        "slack": "int64",
        "compound": "int64",
        "section": "int64",
        "date_after": "string",
        "date_before": "string",
    }


def test_hostile_words_stay_in_their_cell(tmp_path):
    words = {"e1": 'a,"b"\n=1+1;c\r', "e2": "\u2028ü\t", "e3": "NA"}
    links = [("e1", "BEFORE", "e2"), ("e2", "BEFORE", "e3")]
    result = tlex.extract(tlex.from_links(links, texts=words))

    tlex.write(result, tmp_path / "nodes.csv")
    tlex.write(result, tmp_path / "nodes.parquet")

    message = ['a,"b" =1+1;c', "ü", "NA"]
    assert list(read_csv(tmp_path / "nodes.csv").text) == message
    assert pq.read_table(tmp_path / "nodes.parquet")["text"].to_pylist() == message


def test_one_table_is_named_by_its_file(results, tmp_path):
    tlex.write(results[0], tmp_path / "sections.csv")

    assert [path.name for path in tmp_path.iterdir()] == ["sections.csv"]
    with pytest.raises(OptionError, match=r"'mine.csv' does not name a table; choose from nodes"):
        tlex.write(results[0], tmp_path / "mine.csv")


@pytest.mark.parametrize("table", ["pairs", "closure"])
def test_a_long_table_is_written_if_it_is_asked_for(results, tmp_path, table):
    tlex.write(results[0], tmp_path / f"{table}.parquet")

    read = pq.read_table(tmp_path / f"{table}.parquet").to_pandas()
    assert [row[1:] for row in rows_of(read)] == rows_of(results[0].to_pandas(table))


def test_no_spreadsheet_takes_a_cell_for_a_formula(tmp_path):
    words = {"e1": "=HYPERLINK(1)", "e2": "-2", "e3": "@x", "e4": "a=1", "e5": "\uff1d1"}
    links = [(f"e{number}", "BEFORE", f"e{number + 1}") for number in range(1, 5)]
    result = tlex.extract(tlex.from_links(links, texts=words, name="+name"))

    tlex.write(result, tmp_path / "nodes.csv")
    tlex.write(result, tmp_path / "nodes.parquet")

    table = read_csv(tmp_path / "nodes.csv")
    assert list(table.text) == ["'=HYPERLINK(1)", "'-2", "'@x", "a=1", "'\uff1d1"]
    assert set(table.document) == {"'+name"}
    assert pq.read_table(tmp_path / "nodes.parquet")["text"].to_pylist() == list(words.values())


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, GeneratorExit])
def test_parquet_that_was_begun_in_vain_leaves_neither_file_nor_noise(
    results, tmp_path, capfd, error
):
    def fail() -> None:
        with TableFiles(name_tables(tmp_path, "parquet"), "parquet") as files:
            files.add(results[0])
            raise error

    with pytest.raises(error):
        fail()
    gc.collect()

    assert not list(tmp_path.iterdir())
    assert capfd.readouterr().err == ""


def test_nothing_is_touched_when_something_goes_wrong(results, tmp_path):
    old = tmp_path / "nodes.csv"
    old.write_text("old", encoding="utf-8")

    def fail() -> None:
        with TableFiles(name_tables(tmp_path, "csv"), "csv") as files:
            files.add(results[0])
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        fail()

    assert [path.name for path in tmp_path.iterdir()] == ["nodes.csv"]
    assert old.read_text(encoding="utf-8") == "old"


def test_a_place_that_cannot_be_written_is_reported(results, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(WriteError, match="cannot be written"):
        tlex.write(results[0], tmp_path / "file" / "below", format="csv")


def test_a_disk_that_is_full_is_reported_and_leaves_nothing(results, tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(table_files._Csv, "add", fail)  # noqa: SLF001 -- in the middle of a table

    with pytest.raises(WriteError, match="the tables cannot be written: No space left on device"):
        tlex.write(results[0], tmp_path, format="csv")

    assert not [*tmp_path.iterdir()]


def test_a_carriage_return_does_not_end_a_row(tmp_path):
    document = tlex.parse(
        '<TimeML><TIMEX3 tid="t1" type="DATE" value="1"/><TLINK lid="l&#13;1" relType="BEFORE" '
        'timeID="t1" relatedToTime="t1"/></TimeML>'
    )

    tlex.write(document, tmp_path / "links.csv")

    assert list(pd.read_csv(tmp_path / "links.csv").id) == ["l\r1"]


def test_what_one_table_leaves_out_is_counted(results, tmp_path):
    one = tlex.write(results[0], tmp_path / "points.csv")
    every = tlex.write(results[0], tmp_path, format="csv")

    message = {loss.what: loss.count for loss in one}
    rows = sum(len(results[0].to_pandas(table)) for table in USUAL if table != "points")
    assert message.pop("rows of other tables") == rows
    assert message == {loss.what: loss.count for loss in every}
