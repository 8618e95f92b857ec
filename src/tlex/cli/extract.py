"""``tlex extract``: timelines for people, or JSON for programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tlex.cli.files import Documents, tell, watch
from tlex.cli.options import (
    AsJson,
    Format,
    LabelFile,
    Links,
    Main,
    MaxBytes,
    Paths,
    Strict,
    Subordinating,
    TextFolder,
    Times,
    split_words,
)
from tlex.cli.terminal import describe_screen
from tlex.document import Document
from tlex.draw import text
from tlex.errors import OptionError, VerificationError
from tlex.extraction import choose_options, extract
from tlex.readers import MAX_BYTES
from tlex.timeline import Extraction

__all__ = ["extract_command"]


def extract_command(  # noqa: PLR0913 -- one argument an option
    paths: Paths,
    *,
    as_json: AsJson = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Add the table of undetermined pairs (needs --json).")
    ] = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    main: Main = None,
    subordinating: Subordinating = None,
    check: Annotated[
        bool, typer.Option("--verify", help="Have every answer proven by the checker.")
    ] = False,
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Extract the trunk-and-branch timeline of each document.

    A document that contradicts itself is an answer: it is shown with the links to blame, and the
    exit code is 0. It is 2 if something could not be read or done; everything else is still done.
    """
    if pairs and not as_json:
        raise OptionError("--pairs adds to the JSON; give --json as well")
    choose_options(split_words(links) or [], times, split_words(subordinating))
    documents = Documents(
        paths, strict=strict, max_bytes=max_bytes, reading=(form, text_folder, label_file)
    )
    verified = 0
    unchecked: list[str] = []
    for number, document in enumerate(watch(documents)):
        try:
            result = extract(
                document,
                links=split_words(links) or [],
                times=times,
                main=split_words(main),
                subordinating=split_words(subordinating),
            )
            if check:
                unchecked += _verify(document, result)
                verified += 1
        except (OptionError, VerificationError) as error:
            documents.fail(f"{document.name}: {error}")
            continue
        if as_json:
            sys.stdout.flush()
            sys.stdout.buffer.write(result.to_json(pairs=pairs) + b"\n")
        else:
            print(("\n" if number else "") + text(result, **describe_screen()))
    if check:
        _tell_verified(verified, unchecked)
    return 2 if documents.failed else 0


def _verify(document: Document, result: Extraction) -> list[str]:
    """Prove an answer; give what was too large to be recounted."""
    from tlex.checker import verify  # noqa: PLC0415 -- not light, and seldom asked for

    return [f"{document.name}: {claim}" for claim in verify(document, result).unchecked]


def _tell_verified(verified: int, unchecked: list[str]) -> None:
    tell(f"verified {verified} {'document' if verified == 1 else 'documents'}")
    if unchecked:
        claims = "1 claim is" if len(unchecked) == 1 else f"{len(unchecked)} claims are"
        tell(f"note: {claims} too large to be recounted, such as {unchecked[0]}")
