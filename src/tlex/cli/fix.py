"""``tlex fix``: the smallest change that makes a document consistent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile

import click
from msgspec import Struct
from msgspec.structs import asdict, replace

from tlex.arguments import require_number
from tlex.cli.command import command, option
from tlex.cli.corrected_files import CorrectedFiles
from tlex.cli.documents import Documents
from tlex.cli.options import (
    PATH,
    Reading,
    Reasoning,
    json_option,
    output_option,
    paths_argument,
    reading_options,
    reasoning_options,
    split_words,
)
from tlex.cli.progress import show_progress, show_search
from tlex.cli.search_limits import limit_options
from tlex.cli.terminal import StoppedError, page_width, print_message, write_bytes
from tlex.cli.unified_diff import show_diff
from tlex.conflicts.weights import ORDERING, is_general, read_weight
from tlex.document import Document
from tlex.errors import OptionError, WriteError
from tlex.files import is_directory, write_atomically
from tlex.repair import FixResult, Patch
from tlex.repair.fix_text import fix_lines
from tlex.repair.fixes import FixTask
from tlex.repair.search import LIMIT, SELF_LOOPS
from tlex.wording import count

__all__ = ["fix_command"]

_NUMBER = re.compile(r"[0-9]{1,9}")


@command(example="fix corpus/ --weight alink=0.5 --patch corrections.json")
@paths_argument
@option("-w", "--write", is_flag=True, help="Change the files.")
@output_option("FILE|DIR|-", "Write the changed documents to this file or directory.")
@option("--patch", type=PATH, metavar="FILE", help="Write only the corrections, for tlex apply.")
@option(
    "--weight",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Cost of removing a link: of this id, this type, or of all tlink or alink.",
)
@option("--keep", type=split_words, default="", metavar="ID,...", help="Links that must stay.")
@option("--confidence", is_flag=True, help="Use the weights in the file as probabilities.")
@option(
    "--only",
    type=click.Choice([SELF_LOOPS]),
    metavar=SELF_LOOPS,
    help="Remove only links from an event or time to itself.",
)
@option("--relabel", is_flag=True, help="Change the type of a link where that is enough.")
@option(
    "--choose",
    multiple=True,
    metavar="DECISION=OPTION",
    help="Take another option of a decision, such as 3=2; 0 leaves it as it is.",
)
@option("-i", "--interactive", is_flag=True, help="Ask about each decision in the terminal.")
@option(
    "--limit",
    type=click.IntRange(1),
    default=LIMIT,
    metavar="N",
    help="Largest number of repairs to list.",
)
@limit_options
@json_option
@reasoning_options(calendar=True)
@reading_options(strict=False)
def fix_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    write: bool,
    output: str | None,
    patch: str | None,
    weight: tuple[str, ...],
    keep: tuple[str, ...],
    confidence: bool,
    only: str | None,
    relabel: bool,
    choose: tuple[str, ...],
    interactive: bool,
    limit: int,
    seconds: float,
    work: int | None,
    as_json: bool,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Make documents consistent with the smallest change.

    The fewest TLINKs and ALINKs are removed, or those with the smallest weights. It is proven that
    no smaller change is enough. Each contradiction is a decision between several options. The first
    option is taken, unless --choose or --interactive says otherwise. The change is shown as a diff;
    files change only with --write, and -o writes changed copies. Only the links concerned and their
    lines change. TimeML, CAT and JSON can be written back; documents of other formats are written
    as JSON with -o. The exit code is 0 unless something could not be done.
    """
    reasoning.check()
    require_number("seconds", seconds, 0)  # not once for each document
    _check_output(paths, output, patch, write=write, as_json=as_json)
    choices = _Choices(
        weights=_read_weights(weight),
        keep=keep,
        confidence=confidence,
        only=only,
        limit=limit,
        seconds=seconds,
        work=work,
        relabel=relabel,
    )
    chosen = _read_choices(choose)
    _check_asking(paths, only, asked=bool(chosen), interactive=interactive)
    documents = Documents(paths, reading)
    unseen = as_json and not write and output is None and patch is None
    files = CorrectedFiles(
        documents, output, write=write, patched=patch is not None, shown=not unseen
    )
    named = _NamedLinks(choices, paths, Documents(paths, reading, quiet=True))
    shown: list[bytes | str] = []  # of the documents of one file
    changed = new = 0
    stopped: StoppedError | None = None
    for document in _list_documents(documents, alone=bool(chosen), quiet=interactive):
        with documents.guard(document.name):
            try:
                task = named.start(document, reasoning, brief=not as_json)
                require = files.require_writable if patch is None else None
                fixed = _fix(task, chosen, require, interactive=interactive)
                described = _describe(fixed, as_json=as_json, short=interactive)
                files.add(
                    document,
                    find_changes=partial(getattr, fixed, "changes"),
                    make=partial(getattr, fixed, "document"),
                    changed=bool(fixed.links),
                )
                new += bool(fixed.links)
                shown += described if as_json or output != "-" else ()
            except StoppedError as stop:
                stopped = stop
        if documents.left and not stopped:
            continue
        with documents.guard(documents.shown):
            edits = files.finish()
            changed += new
            _show(shown)
            if edits and document.source is not None and not (as_json or write or output):
                show_diff(document.source, edits, documents.shown)
        shown, new = [], 0
        if stopped:
            break
    if patch is not None:
        write_atomically(patch, Patch.of(files.patches).to_json())
    _sum_up(changed, files, patch, written=write or output is not None)
    return stopped.exit_code if stopped else documents.exit_code


def _describe(fixed: FixResult, *, as_json: bool, short: bool) -> list[bytes | str]:
    """Say what is changed, if anything; ``short``: the decisions were shown already."""
    if as_json:
        return [fixed.to_json() + b"\n"]
    if not fixed.links and not fixed.decisions:
        return []
    lines = fix_lines(fixed, page_width(), option="--choose")
    return ["\n".join(takewhile(bool, lines) if short else lines)]


def _list_documents(documents: Documents, *, alone: bool, quiet: bool) -> Iterator[Document]:
    """List the documents; ``alone``: there may be only one. If not ``quiet``, show the progress."""
    if not alone:
        yield from documents if quiet else show_progress(documents)
        return
    many, every = documents.look_ahead()
    if many:
        raise OptionError("--choose is for one document, and there are several")
    yield from (document for document, _ in every)


def _fix(
    task: FixTask,
    chosen: dict[int, int],
    require: Callable[[Document], None] | None,
    *,
    interactive: bool,
) -> FixResult:
    """Take the decisions that are given; of the others, ask or take the first option.

    Before anybody is asked, ``require`` raises an error if the answers could not be written.
    """
    if interactive and task.course is not None:
        if require is not None:
            require(task.result.document)
        from tlex.cli.interactive import ask  # noqa: PLC0415 -- seldom asked for
        from tlex.repair.session import Session  # noqa: PLC0415

        session = Session(task)
        while session.current is not None and session.current.number in chosen:
            session.choose(chosen[session.current.number])
        task.check_numbers(chosen)
        ask(session)
    else:
        task.follow(chosen)
    return task.finish()


def _show(answers: list[bytes | str]) -> None:
    for answer in answers:
        if isinstance(answer, bytes):
            write_bytes(answer)
        else:
            print(answer)


def _check_asking(
    paths: tuple[str, ...], only: str | None, *, asked: bool, interactive: bool
) -> None:
    if only is not None and (asked or interactive):
        raise OptionError("with --only there is nothing to choose")
    if interactive:
        from tlex.cli.interactive import require_terminal  # noqa: PLC0415 -- seldom asked for

        require_terminal(paths)


def _check_output(
    paths: tuple[str, ...], output: str | None, patch: str | None, *, write: bool, as_json: bool
) -> None:
    if patch is not None:
        from pathlib import Path  # noqa: PLC0415 -- not light, and seldom needed

        folder = Path(patch).parent
        if not is_directory(folder):
            raise WriteError(f"{patch}: cannot be written: there is no directory {folder}")
    if write and output is not None:
        raise OptionError("--write changes the files and -o writes others; choose one")
    if write and "-" in paths:
        raise OptionError("standard input cannot be changed; give -o a file, or - for stdout")
    if output == "-" and as_json:
        raise OptionError("-o - writes the document to stdout, where --json writes too; choose one")


def _sum_up(fixed: int, files: CorrectedFiles, patch: str | None, *, written: bool) -> None:
    documents = count(fixed, "document")
    if written:
        print_message(f"{documents} changed")
        return
    if patch is not None:
        kept = f"the corrections are in {patch}" if fixed else f"no corrections in {patch}"
        print_message(f"{documents} to change; {kept}")
        return
    advice = "; see --write" if files.writable else ""
    note = f" (nothing is written{advice})" if fixed else ""
    print_message(f"{documents} to change{note}")
    if files.unwritable:
        formats = f"files of format {', '.join(sorted(files.unwritable))}"
        if files.unwritable == {"json"}:
            formats = "files that are not in tlex's JSON to the letter"
        print_message(
            f"note: {formats} cannot be changed; "
            "--patch FILE keeps the corrections, -o NAME.json writes the corrected document"
        )


class _Choices(Struct, frozen=True, kw_only=True):
    """The options that `tlex.fix` takes as well."""

    weights: dict[str, str]
    keep: tuple[str, ...]
    confidence: bool
    only: str | None
    limit: int
    seconds: float
    work: int | None
    relabel: bool


class _NamedLinks:
    """The link ids that the user names. Each must be in one document; no document needs all."""

    def __init__(self, choices: _Choices, paths: Sequence[str], documents: Documents) -> None:
        self.choices = choices
        self.labels = documents.reading.labels
        ids = {name for name in choices.weights if not is_general(name, self.labels)}
        ids |= set(choices.keep)
        if not ids or (len(paths) == 1 and not is_directory(paths[0])):
            self.many = False
            return
        self.many = True
        if "-" in paths:
            raise OptionError("standard input is read once; link ids can be named for it alone")
        # Before anything is changed: a name that no document has is a typing error.
        for document in documents:
            ids -= self._names_of(document)
        for name in sorted(ids):
            raise OptionError(f"no document has a TLINK or ALINK {name!r}")

    def start(self, document: Document, reasoning: Reasoning, *, brief: bool) -> FixTask:
        """Look for the repair of a document, and show how far the search is."""
        with show_search(document.name) as progress:
            return FixTask(
                document,
                links=reasoning.links,
                times=reasoning.times,
                calendar=reasoning.calendar,
                progress=progress,
                brief=brief,
                **asdict(self._fitting(document)),
            )

    def _fitting(self, document: Document) -> _Choices:
        """Give the choices without the ids that a document does not have, if there are several."""
        if not self.many:
            return self.choices
        known = self._names_of(document)
        weights = {
            name: weight
            for name, weight in self.choices.weights.items()
            if is_general(name, self.labels) or name in known
        }
        keep = tuple(name for name in self.choices.keep if name in known)
        return replace(self.choices, weights=weights, keep=keep)

    @staticmethod
    def _names_of(document: Document) -> set[str]:
        return {link.id for link in document.links if link.kind in ORDERING}


def _read_choices(written: Sequence[str]) -> dict[int, int]:
    """Read options by decision, such as ``3=2,4=1``."""
    chosen: dict[int, int] = {}
    for item in (item for words in written for item in split_words(words)):
        number, equals, option = (part.strip() for part in item.partition("="))
        if not equals or not all(_NUMBER.fullmatch(part) for part in (number, option)):
            raise OptionError(
                f"--choose takes a decision and an option, such as 3=2, not {item!r:.80}"
            )
        if chosen.setdefault(int(number), int(option)) != int(option):
            raise OptionError(f"--choose names two options of decision {int(number)}")
    return chosen


def _read_weights(written: Sequence[str]) -> dict[str, str]:
    """Read weights such as ``alink=0.5``; several may be joined by commas.

    The name ends at the last equals sign; an id may have one too, or a comma.
    """
    weights = {}
    for item in (item for words in written for item in _split_weights(words)):
        name, equals, number = item.rpartition("=")
        if not equals or not name.strip():
            raise OptionError(
                f"--weight takes a name and a number, such as alink=0.5, not {item!r}"
            )
        read_weight(name.strip(), number)
        weights[name.strip()] = number.strip()
    return weights


def _split_weights(words: str) -> Iterator[str]:
    begun = ""
    for word in split_words(words):
        begun += word
        if "=" in word:
            yield begun
            begun = ""
        else:
            begun += ","
    if begun:
        yield begun.rstrip(",")
