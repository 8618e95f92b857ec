"""Answer sheets for judges: a sample as CSV with a column for answers, and reading them back.

Other programs may have changed a sheet before it comes back. So commas, semicolons and tabs are
accepted between cells, capitals in answers, and columns in any order; the rest is checked.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

from msgspec import Struct

from tlex.corpus.samples.populations import Question
from tlex.errors import OptionError
from tlex.export.spreadsheets import disarm
from tlex.wording import represent

__all__ = [
    "ANSWERS",
    "COLUMNS",
    "Sample",
    "SampledQuestion",
    "check_same",
    "clean_cell",
    "read_sheet",
    "write_sheet",
]

COLUMNS = (
    "sample",
    "item",
    "corpus",
    "document",
    "first",
    "second",
    "question",
    "text",
    "answer",
    "comment",
)
ANSWERS = {"yes": True, "y": True, "no": False, "n": False}
_NEEDED = ("sample", "item", "answer")
_NAME = re.compile(r"[a-z]+/([1-9][0-9]{0,8})/[0-9a-f]{12}")
_LISTED = 5
_LONGEST_CELL = 1 << 20


class SampledQuestion(Struct, frozen=True):
    """A question and the document that it is about."""

    corpus: str
    document: str
    item: Question

    def __repr__(self) -> str:
        return represent(self, f"{self.document!r}: {self.item.question}")


class Sample(Struct, frozen=True):
    """The questions of a sample, in the order of the sheet."""

    what: str
    population: int
    rows: tuple[SampledQuestion, ...]

    def __repr__(self) -> str:
        return represent(self, f"{self.what}: {len(self.rows):,} of {self.population:,}")

    @property
    def name(self) -> str:
        """Kind, size and a hash of the items: only the same items have the same name."""
        known = sha256()
        for row in self.rows:
            for part in (row.corpus, row.document, row.item.first, row.item.second):
                words = part.encode("utf-8", "surrogatepass")
                known.update(b"%d:%b" % (len(words), words))
        return f"{self.what}/{len(self.rows)}/{known.hexdigest()[:12]}"

    def list_cells(self) -> list[tuple[str, ...]]:
        """The cells of each row, all columns but answer and comment; safe for a spreadsheet."""
        name = self.name
        return [
            tuple(
                clean_cell(cell)
                for cell in (
                    name,
                    str(number),
                    row.corpus,
                    row.document,
                    row.item.first,
                    row.item.second,
                    row.item.question,
                    _mark(row.item.pieces),
                )
            )
            for number, row in enumerate(self.rows, 1)
        ]


def write_sheet(sample: Sample) -> str:
    """Give a sample as CSV, to be answered with yes or no in the column for it.

    It begins with a byte-order mark: without it spreadsheets do not take it for UTF-8.
    """
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows((*cells, "", "") for cells in sample.list_cells())
    return "\ufeff" + page.getvalue()


def read_sheet(data: bytes, name: str) -> tuple[str, list[bool]]:
    """Give the name of a sheet's sample and its answers, item by item.

    Raises an `OptionError` that says what is wrong if it is not a whole, answered sheet.
    """
    sample, answers = _collect(_read_rows(data, name), name)
    known = _NAME.fullmatch(sample)
    if known is None:
        raise OptionError(f"{name}: {sample!r:.60} is not the name of a sample; leave that column")
    size = int(known[1])
    missing = [item for item in range(1, size + 1) if item not in answers]
    if missing:
        raise OptionError(f"{name}: {_count(missing)} missing: {_list(missing)}")
    strange = [item for item in answers if item > size]
    if strange:
        raise OptionError(f"{name}: the sample has {size} items, so none is number {strange[0]}")
    empty = [item for item, answer in sorted(answers.items()) if not answer]
    if empty:
        raise OptionError(f"{name}: {_count(empty)} not answered: {_list(empty)}")
    for item, answer in sorted(answers.items()):
        if answer not in ANSWERS:
            raise OptionError(f"{name}: item {item} is answered {answer!r:.40}; yes or no")
    return sample, [ANSWERS[answers[item]] for item in range(1, size + 1)]


def check_same(sheets: Sequence[tuple[str, str]]) -> None:
    """Check that sheets, given by file and sample, are of one sample."""
    (file, sample), *others = sheets
    for other, own in others:
        if own != sample:
            raise OptionError(f"{file} and {other} are of different samples: {sample} and {own}")


def clean_cell(cell: str) -> str:
    """Change a cell so that no spreadsheet takes it for a formula, and it can be encoded."""
    clean = cell.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
    return disarm("".join(c if c.isprintable() else " " for c in clean))


def _read_rows(data: bytes, name: str) -> list[dict[str, str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OptionError(f"{name}: not UTF-8; save the sheet as CSV UTF-8") from None
    head = text.split("\n", 1)[0]
    cut = max(",;\t", key=head.count)
    csv.field_size_limit(_LONGEST_CELL)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=cut) if any(row)]
    except csv.Error as error:
        raise OptionError(f"{name}: not a sheet of tlex corpus sample: {error}") from None
    columns = [column.strip().lower() for column in rows[0]] if rows else []
    lacking = [column for column in _NEEDED if columns.count(column) != 1]
    if lacking:
        raise OptionError(
            f"{name}: not a sheet of tlex corpus sample: it has no column {lacking[0]!r}"
            if lacking[0] not in columns
            else f"{name}: the column {lacking[0]!r} is there twice"
        )
    return [dict(zip(columns, row, strict=False)) for row in rows[1:]]


def _collect(rows: Iterable[dict[str, str]], name: str) -> tuple[str, dict[int, str]]:
    """The sample that all rows name, and the answer to each item."""
    samples: dict[str, None] = {}
    answers: dict[int, str] = {}
    for row in rows:
        samples[row.get("sample", "").strip()] = None
        written = row.get("item", "").strip()
        if not (written.isascii() and written.isdigit() and len(written) < len("1000000000")):
            raise OptionError(f"{name}: {written!r:.40} is not the number of an item")
        item = int(written)
        if item in answers:
            raise OptionError(f"{name}: item {item} is there twice")
        answers[item] = row.get("answer", "").strip().lower()
    if not answers:
        raise OptionError(f"{name}: there is no item in it")
    if len(samples) > 1:
        raise OptionError(
            f"{name}: rows of different samples: {', '.join(list(samples)[:2])!s:.80}"
        )
    return next(iter(samples)), answers


def _count(items: Sequence[int]) -> str:
    return "1 item is" if len(items) == 1 else f"{len(items):,} items are"


def _list(items: Sequence[int]) -> str:
    more = len(items) - _LISTED
    rest = f" and {more:,} more" if more > 0 else ""
    return ", ".join(map(str, items[:_LISTED])) + rest


def _mark(pieces: Iterable[tuple[int, str]]) -> str:
    """The text in one line, with the words asked about in brackets."""
    words = "".join(f"[[{piece}]]" if number else piece for number, piece in pieces)
    return " ".join(words.split())
