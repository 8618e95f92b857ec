"""The census counts documents, contradictions and repairs of any directory."""

from __future__ import annotations

from census import count, write


def test_a_directory_is_counted_and_written_as_a_row(tmp_path):
    (tmp_path / "good.txt").write_text("A BEFORE B\n")
    (tmp_path / "bad.txt").write_text("A BEFORE B\nB BEFORE A\nB SOON C\n")
    (tmp_path / "aspect.txt").write_text("A BEFORE B\nB INITIATES A\n")
    (tmp_path / "README.md").write_text("Some words.\n")

    row = count(tmp_path)

    assert (row.documents, row.tlinks, row.both, row.repair, row.least) == (3, 1, 2, 2, 2)
    assert row.formats == "plain"
    assert next(iter(row.unknown)).startswith("unknown label 'SOON' on 1 TLINK")
    assert write(row).startswith(f"| {tmp_path.name} |  |  | plain | 3 | 1 | 2 | 2 | ")
