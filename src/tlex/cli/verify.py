"""``tlex verify``: saved results, proved by the independent checker."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from tlex._version import __version__
from tlex.checker import verify
from tlex.checker.saved import decode
from tlex.cli.command import argument, command, option
from tlex.cli.faults import explain_fault
from tlex.cli.options import PATH, Reading, json_option, reading_options
from tlex.cli.originals import Originals
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message, write_bytes
from tlex.errors import NotRecognisedError, OptionError, ReadError, TlexError, VerificationError
from tlex.files import is_directory
from tlex.readers import recognise
from tlex.records import SCHEMA, DecodeRecord, FixRecord, VerificationRecord
from tlex.wording import clean, count

__all__ = ["verify_command"]

_HEAD = 1 << 16

_paths_argument = argument(
    "paths",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="RESULTS|-... [DOCS]...",
    explanation="Files with results as JSON, and documents or directories with them.",
)


@command(example="verify results.jsonl corpus/")
@_paths_argument
@option("--strict", "whole", is_flag=True, help="Count claims that could not be checked as errors.")
@json_option
@reading_options(strict=False)
def verify_command(*, paths: tuple[str, ...], whole: bool, as_json: bool, reading: Reading) -> int:
    """Verify saved results with the independent checker.

    RESULTS is what extract, relation, why, closure, reduce, events, fix or decode wrote with
    --json. Results of score, diff, agree and ask cannot be verified. Each result is proven again
    from its document, by code that shares nothing with the code that computed it. DOCS are
    the documents, or the directories that hold them; without DOCS they are looked for in the
    current directory. Documents are read as they were read then (format, labels, texts), unless
    options say otherwise.

    Each rejected result is reported with the reason, and each claim that is too large to be
    checked. The exit code is 0 if all results are proven; 1 if one is rejected or, with --strict,
    not wholly checked; 2 if something could not be done, because a document is missing, a line is
    no result, or its schema or options are not known to this version.
    """
    results = [path for path in paths if path == "-" or not _is_document(path)]
    if not results:
        raise OptionError("no file with results is given; tlex extract --json writes one")
    originals = Originals([path for path in paths if path not in results], reading)
    seen = []
    for line in show_progress(_read_lines(results)):
        found = _check(line, originals)
        seen.append((found.verdict, len(found.unchecked)))
        if as_json:
            write_bytes(msgspec.json.encode(found) + b"\n")
        else:
            _show(found)
    unchecked = sum(number for _, number in seen)
    proven, rejected, failed = (
        sum(verdict == name for verdict, _ in seen) for name in ("proven", "rejected", "failed")
    )
    facts = [f"{proven:,} of {count(len(seen), 'result')} proven", f"{rejected:,} rejected"]
    facts += [f"{failed:,} could not be verified"] if failed else []
    facts += [f"{count(unchecked, 'claim')} not checked"] if unchecked else []
    print_message(", ".join(facts))
    if failed:
        return 2
    return 1 if rejected or (whole and unchecked) else 0


class _Line(NamedTuple):
    """A line of a file with results; ``problem`` says why there is none."""

    path: str
    number: int
    data: bytes
    problem: str | None = None

    @property
    def name(self) -> str:
        return f"{self.path}:{self.number}"


def _is_document(path: str) -> bool:
    """Whether a path is a directory, or a file that a reader recognises."""
    try:
        if is_directory(path):
            return True
        with Path(path).open("rb") as file:
            recognise(file.read(_HEAD), path)
    except (OSError, ValueError, NotRecognisedError):
        return False
    except ReadError:
        return True  # recognised, but broken
    return True


def _read_lines(paths: list[str]) -> Iterator[_Line]:
    for path in paths:
        number = 0
        try:
            with sys.stdin.buffer if path == "-" else Path(path).open("rb") as file:
                for number, data in enumerate(file, 1):
                    if data.strip():
                        yield _Line(path, number, data)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            yield _Line(path, number, b"", f"cannot be read: {reason or error}")
            continue
        if not number:
            yield _Line(path, 0, b"", "there is no result in this file")


def _check(line: _Line, originals: Originals) -> VerificationRecord:
    """Verify one result."""
    name = kind = reason = None
    unchecked: tuple[str, ...] = ()
    verdict = "proven"
    try:
        if line.problem is not None:
            raise OptionError(line.problem)  # noqa: TRY301 -- caught just below
        record, missing = decode(line.data)
        about = record.about if isinstance(record, FixRecord | DecodeRecord) else record.document
        name = about.name
        found = verify(originals.find(about), record)
        kind, unchecked = found.result, (*missing, *found.unchecked)
    except VerificationError as error:
        verdict, reason = "rejected", str(error)
    except TlexError as error:
        verdict, reason = "failed", str(error)
    except Exception as error:  # noqa: BLE001 -- whatever it is, the other results are verified
        verdict, reason = "failed", explain_fault(error)
    return VerificationRecord(
        schema=SCHEMA,
        tlex=__version__,
        path=line.path,
        line=line.number,
        document=name,
        result=kind,
        verdict=verdict,
        reason=reason,
        unchecked=unchecked,
    )


def _show(found: VerificationRecord) -> None:
    """Print a line for a rejected result and for each claim that was not checked."""
    place = f"{found.path}:{found.line}" if found.line else found.path
    about = "" if found.document is None else f"{found.document}: "
    if found.verdict == "rejected":
        print(clean(f"{place}: {about}{found.reason}"))
    elif found.verdict == "failed":
        reason = found.reason or ""
        print_message(f"{place}: {'' if reason.startswith(about) else about}{reason}")
    for claim in found.unchecked:
        print(clean(f"{place}: {about}not checked: {claim}"))
