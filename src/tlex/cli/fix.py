"""``tlex fix`` and ``tlex apply``: the smallest change that makes a document consistent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from tlex.cli.diff import show_diff
from tlex.cli.files import Documents, tell, watch
from tlex.cli.fixing import Choices, Named, read_weights, show_fix
from tlex.cli.options import (
    AsJson,
    Format,
    LabelFile,
    Links,
    MaxBytes,
    Paths,
    TextFolder,
    Times,
    split_list,
)
from tlex.cli.target import Target
from tlex.errors import OptionError, PatchError, TlexError, WriteError
from tlex.extraction import choose_options
from tlex.files import write_atomically
from tlex.readers import MAX_BYTES, load
from tlex.repair import FilePatch, Patch, apply, fix
from tlex.repair.fixes import SECONDS
from tlex.repair.patch import list_edits, take_bytes
from tlex.repair.search import LIMIT, SELF_LOOPS
from tlex.wording import count

__all__ = ["apply_command", "fix_command"]


def fix_command(  # noqa: PLR0913 -- one argument an option
    paths: Paths,
    *,
    write: Annotated[bool, typer.Option("--write", "-w", help="Change the files.")] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="DIR|FILE", help="Write the documents there."),
    ] = None,
    patch: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the corrections alone, for tlex apply."),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER", help="What removal costs: of a link id, a type, tlink or alink."
        ),
    ] = None,
    keep: Annotated[
        str, typer.Option(metavar="ID,...", help="Links that must not be removed.")
    ] = "",
    confidence: Annotated[
        bool,
        typer.Option("--confidence", help="Take the links' own weights for probabilities."),
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(metavar=SELF_LOOPS, help="Remove only links of an interval to itself."),
    ] = None,
    use_types: Annotated[
        bool, typer.Option("--relabel", help="Give a link a new type where it can have one.")
    ] = False,
    choose: Annotated[
        int, typer.Option(metavar="N", min=1, help="Which of several equally small repairs.")
    ] = 1,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many of these are listed.")
    ] = LIMIT,
    seconds: Annotated[
        float,
        typer.Option(metavar="S", min=0, help="How long to look for a proof, per document."),
    ] = SECONDS,
    as_json: AsJson = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Make documents consistent by the smallest change there is.

    The fewest (or least weighty) TLINKs and ALINKs are removed, and that no smaller change will do
    is proven. Shows the change as a diff, with the reason, and changes nothing; --write changes the
    files, -o writes changed copies. Only the bytes of the links concerned change. The exit code is
    0 unless something could not be done.
    """
    kinds = split_list(links)
    choose_options(kinds, times)
    _check_output(paths, output, write=write, as_json=as_json)
    if patch is not None and not Path(patch).parent.is_dir():
        raise WriteError(f"{patch}: cannot be written: there is no directory {Path(patch).parent}")
    choices = Choices(
        weights=read_weights(weight or []),
        keep=tuple(split_list(keep)),
        confidence=confidence,
        only=only,
        choose=choose,
        limit=limit,
        seconds=seconds,
        relabel=use_types,
    )
    target = None if output is None else Target(output, paths, rewrites=True)
    reading = (form, text_folder, label_file)
    documents = Documents(paths, max_bytes=max_bytes, reading=reading)
    named = Named(
        choices, paths, Documents(paths, max_bytes=max_bytes, quiet=True, reading=reading)
    )
    patches: list[FilePatch] = []
    changed = 0
    for document in watch(documents):
        try:
            fixed = fix(document, links=kinds, times=times, **asdict(named.fitting(document)))
            # Other formats than TimeML cannot be written, but their repairs can be shown.
            writing = write or target is not None or patch is not None
            writable = writing or document.format == "timeml"
            data = fixed.data if fixed.changes and writable else None
            if target is not None:
                target.write(document.name, fixed.data)
            elif write and data is not None:
                write_atomically(documents.path, data)
            if data is not None:
                patches += fixed.patch.files
        except TlexError as error:
            about = str(error)
            documents.fail(about if document.name in about else f"{document.name}: {about}")
            continue
        changed += bool(fixed.changes)
        if as_json:
            sys.stdout.flush()
            sys.stdout.buffer.write(fixed.to_json() + b"\n")
        elif fixed.changes and output != "-":
            print("\n".join(show_fix(fixed, choose)))
            if document.source is not None and data is not None and not write and output is None:
                show_diff(document.source, list_edits(document, fixed.changes), document.name)
    if patch is not None:
        write_atomically(patch, Patch.of(patches).to_json())
    _sum_up(changed, written=write or output is not None)
    return 2 if documents.failed else 0


def apply_command(
    patch: Annotated[str, typer.Argument(metavar="PATCH", help="From tlex fix --patch.")],
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE|DIR ...", help="The files it was made for.")
    ],
    *,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="DIR|FILE", help="Write the documents there."),
    ] = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Apply corrections that ``tlex fix --patch`` wrote to the unchanged originals.

    A file is known by its content, so it may have another name or place. The files are changed
    where they are, or with -o written elsewhere.
    """
    try:
        with open(patch, "rb") as file:  # noqa: PTH123 -- a pipe will do
            corrections = Patch.from_json(load(file.read, patch), patch)
    except OSError as error:
        raise PatchError(f"{patch}: cannot be read: {error.strerror or error}") from None
    if "-" in paths:
        raise OptionError("a patch is applied to files, not to standard input")
    target = None if output is None else Target(output, paths, rewrites=True)
    documents = Documents(paths, max_bytes=max_bytes)
    met: set[str] = set()
    changed = 0
    for document in watch(documents):
        try:
            own = corrections.find(document)
            data = take_bytes(document if own is None else apply(document, own))
            if own is not None:
                met.add(own.sha256)
            if target is not None:
                target.write(document.name, data)
            elif own is not None:
                write_atomically(documents.path, data)
            changed += own is not None
        except TlexError as error:
            documents.fail(str(error))
    for missing in corrections.files:
        if missing.sha256 not in met:
            documents.fail(f"{patch}: no file given is the original of {missing.path}")
    tell(f"changed {count(changed, 'document')}")
    return 2 if documents.failed else 0


def _check_output(paths: list[str], output: str | None, *, write: bool, as_json: bool) -> None:
    if write and output is not None:
        raise OptionError("--write changes the files and -o writes others; choose one")
    if write and "-" in paths:
        raise OptionError("standard input cannot be changed; give -o a file, or - for stdout")
    if output == "-" and as_json:
        raise OptionError("-o - writes TimeML to stdout, where --json writes too; choose one")


def _sum_up(fixed: int, *, written: bool) -> None:
    done = "changed" if written else "to change (nothing is written; see --write)"
    tell(f"{count(fixed, 'document')} {done}")
