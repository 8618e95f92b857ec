"""``tlex fix`` and ``tlex apply``: the smallest change that makes a document consistent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import UNSET, Struct, UnsetType

from tlex.cli.diff import show_diff
from tlex.cli.files import Documents, tell, watch
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
from tlex.cli.words import link_lines, list_lines
from tlex.document import Document, Link
from tlex.edits import write_atomically
from tlex.errors import OptionError, PatchError, TlexError, WriteError
from tlex.extraction import choose_options, extract
from tlex.readers import MAX_BYTES, load, parse
from tlex.reason.lookup import describe_link
from tlex.repair import find_repair, relabel, suggest_all
from tlex.repair.patch import (
    Change,
    FilePatch,
    Patch,
    apply_changes,
    apply_patch,
    describe_file,
    list_changes,
    list_edits,
)
from tlex.repair.search import LIMIT, SELF_LOOPS, find_reason
from tlex.repair.weights import ORDERING, is_general, read_weight
from tlex.screen import clean, count
from tlex.timeline import Extraction

__all__ = ["Fix", "apply_command", "fix_command"]

_SECONDS = 60.0
_WORK = 1_000_000
"""How many links may be looked at to give reasons."""


class Fix(Struct, frozen=True):
    """What ``tlex fix --json`` says of a document.

    ``alternatives`` are other repairs of the same ``cost``, and ``count`` is how many there are,
    this one too; at least that many where it is not ``exact``. ``suggestions`` are the types that
    each link of the repair could have instead, nearest first.
    """

    path: str
    removed: tuple[str, ...]
    relabelled: dict[str, str]
    cost: float
    optimal: bool
    alternatives: tuple[tuple[str, ...], ...]
    count: int
    exact: bool
    consistent: bool
    suggestions: dict[str, tuple[str, ...]]
    bound: float | UnsetType = UNSET


class _Choices(Struct, frozen=True):
    """What a user asks of a repair."""

    weights: dict[str, str]
    keep: tuple[str, ...]
    confidence: bool
    only: str | None
    choose: int
    limit: int
    seconds: float
    relabel: bool


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
    ] = _SECONDS,
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
    choices = _Choices(
        _read_weights(weight or []),
        tuple(split_list(keep)),
        confidence,
        only,
        choose,
        limit,
        seconds,
        use_types,
    )
    target = None if output is None else Target(output, paths, rewrites=True)
    reading = (form, text_folder, label_file)
    documents = Documents(paths, max_bytes=max_bytes, reading=reading)
    named = _Named(
        choices, paths, Documents(paths, max_bytes=max_bytes, quiet=True, reading=reading)
    )
    patches: list[FilePatch] = []
    fixed = 0
    for document in watch(documents):
        try:
            result = extract(document, links=kinds, times=times)
            fix = _fix(result, named.fitting(document))
            changes = list_changes(document, fix.removed, fix.relabelled)
            # Other formats than TimeML cannot be written, but their repairs can be told.
            writing = write or target is not None or patch is not None
            writable = writing or document.format == "timeml"
            data = _make_bytes(result, fix, changes) if changes and writable else None
            if target is not None:
                target.write(document.name, _bytes_of(document) if data is None else data)
            elif write and data is not None:
                write_atomically(documents.path, data)
            if data is not None:
                patches.append(describe_file(document, changes))
        except TlexError as error:
            about = str(error)
            documents.fail(about if document.name in about else f"{document.name}: {about}")
            continue
        fixed += bool(changes)
        if as_json:
            sys.stdout.flush()
            sys.stdout.buffer.write(msgspec.json.encode(fix) + b"\n")
        elif changes and output != "-":
            print("\n".join(_tell(result, fix, choose)))
            if document.source is not None and data is not None and not write and output is None:
                show_diff(document.source, list_edits(document, changes), document.name)
    if patch is not None:
        write_atomically(patch, Patch.of(patches).to_json())
    _sum_up(fixed, written=write or output is not None)
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
    by_hash = {file.sha256: file for file in corrections.files}
    by_path = {file.path: file for file in corrections.files}
    target = None if output is None else Target(output, paths, rewrites=True)
    documents = Documents(paths, max_bytes=max_bytes)
    met: set[str] = set()
    changed = 0
    for document in watch(documents):
        try:
            data = _bytes_of(document)
            own = by_hash.get(sha256(data).hexdigest()) or by_path.get(document.name)
            if own is not None:
                data = apply_patch(document, own)
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


def _fix(result: Extraction, choices: _Choices) -> Fix:
    """Find the repair that the user asks for."""
    repair = find_repair(
        result,
        weights=choices.weights,
        keep=choices.keep,
        confidence=choices.confidence,
        only=choices.only,
        limit=max(choices.limit, choices.choose),
        seconds=choices.seconds,
    )
    listed = (repair.removed, *repair.alternatives) if repair.removed else ()
    number = choices.choose - 1
    if listed and number >= len(listed):
        least = "" if repair.exact else "at least "
        raise OptionError(
            f"there is no repair number {choices.choose}; there are {least}{repair.count}"
        )
    removed = listed[number] if listed else ()
    new_types = relabel(result, removed) if choices.relabel else {}
    return Fix(
        path=result.document.name,
        removed=tuple(link for link in removed if link not in new_types),
        relabelled=new_types,
        cost=repair.cost,
        optimal=repair.optimal,
        alternatives=tuple(other for k, other in enumerate(listed) if k != number),
        count=repair.count,
        exact=repair.exact,
        consistent=repair.consistent,
        suggestions=suggest_all(result, removed),
        bound=UNSET if repair.optimal else repair.bound,
    )


class _Named:
    """The link ids that the user names: a document need not have all, but each must be in one."""

    def __init__(self, choices: _Choices, paths: list[str], documents: Documents) -> None:
        self.choices = choices
        self.labels = documents.options["labels"]
        ids = {name for name in choices.weights if not is_general(name, self.labels)}
        ids |= set(choices.keep)
        if not ids or (len(paths) == 1 and not Path(paths[0]).is_dir()):
            self.many = False
            return
        self.many = True
        if "-" in paths:
            raise OptionError("standard input is read once; link ids can be named for it alone")
        # Before anything is changed: a name that no document has is a slip of the pen.
        for document in documents:
            ids -= self._names_of(document)
        for name in sorted(ids):
            raise OptionError(f"no document has a TLINK or ALINK {name!r}")

    def fitting(self, document: Document) -> _Choices:
        """The choices without the ids that a document does not have, if there are several."""
        if not self.many:
            return self.choices
        known = self._names_of(document)
        weights = {
            name: weight
            for name, weight in self.choices.weights.items()
            if is_general(name, self.labels) or name in known
        }
        keep = tuple(name for name in self.choices.keep if name in known)
        return msgspec.structs.replace(self.choices, weights=weights, keep=keep)

    @staticmethod
    def _names_of(document: Document) -> set[str]:
        return {link.id for link in document.links if link.kind in ORDERING}


def _read_weights(written: list[str]) -> dict[str, str]:
    """Take apart what is written as ``alink=0.5``; several may stand together with commas.

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
    for word in split_list(words):
        begun += word
        if "=" in word:
            yield begun
            begun = ""
        else:
            begun += ","
    if begun:
        yield begun.rstrip(",")


def _check_output(paths: list[str], output: str | None, *, write: bool, as_json: bool) -> None:
    if write and output is not None:
        raise OptionError("--write changes the files and -o writes others; choose one")
    if write and "-" in paths:
        raise OptionError("standard input cannot be changed; give -o a file, or - for stdout")
    if output == "-" and as_json:
        raise OptionError("-o - writes TimeML to stdout, where --json writes too; choose one")


def _bytes_of(document: Document) -> bytes:
    if document.source is None:
        raise WriteError(f"{document.name}: comes from no file")
    return document.source.data


def _make_bytes(before: Extraction, fix: Fix, changes: list[Change]) -> bytes:
    """What the file is to be.

    It is read again before anybody sees it: the links concerned have changed and nothing else.
    """
    document = before.document
    data = apply_changes(document, changes)
    gone = set(fix.removed)
    expected = [
        (link.kind, fix.relabelled.get(link.id, link.type), link.source, link.target)
        for link in document.links
        if link.id not in gone
    ]
    after = parse(data, name=document.name, max_bytes=max(len(data), 1))
    found = [(link.kind, link.type, link.source, link.target) for link in after.links]
    options = before.options
    consistent = extract(after, links=options.links, times=options.times).consistent
    same = (after.text, [node.id for node in after.nodes]) == (
        document.text,
        [node.id for node in document.nodes],
    )
    if found != expected or not same or consistent != fix.consistent:
        raise WriteError(
            f"{document.name}: the links cannot be changed without changing something else; "
            "nothing is written"
        )
    return data


def _tell(result: Extraction, fix: Fix, choose: int) -> Iterator[str]:
    """The change and its reason, for people."""
    chosen = (*fix.removed, *fix.relabelled)
    proof = "proven: nothing smaller will do"
    if not fix.consistent:
        proof = "other contradictions are left"
    elif not fix.optimal:
        proof = f"not proven to be the smallest; at least {fix.bound:g}"
    facts = [f"{count(len(chosen), 'link')} to change", f"cost {fix.cost:g}", proof]
    yield from list_lines(f"{clean(result.document.name)}: ", facts)
    links = {link.id: link for link in result.document.links}
    reasons = 1 + _WORK // len(links)
    for link in (name for name in links if name in fix.suggestions):
        reason = find_reason(result, link, chosen) if reasons > 0 else None
        reasons -= 1
        yield from _tell_link(result, fix, links, link, reason)
    if fix.alternatives:
        least = "" if fix.exact else "at least "
        others = fix.count - 1
        yield from list_lines(
            "  ", [f"{least}{count(others, 'other repair')} of the same cost", "see --choose"]
        )
        numbers = (number for number in range(1, len(fix.alternatives) + 2) if number != choose)
        for number, repair in zip(numbers, fix.alternatives, strict=True):
            yield f"  {number}. {clean(', '.join(repair))}"


def _tell_link(
    result: Extraction,
    fix: Fix,
    links: dict[str, Link],
    name: str,
    others: tuple[str, ...] | None,
) -> Iterator[str]:
    """A link of the repair, the others that it contradicts if they are known, and its types."""

    def tell_one(one: str, indent: str) -> Iterator[str]:
        return link_lines(describe_link(result.document, result.nodes, links[one]), indent)

    new = fix.relabelled.get(name)
    yield f"  {'remove' if new is None else 'make ' + new}"
    yield from tell_one(name, "    ")
    if others is not None:
        yield "    because it contradicts" + ("" if others else " itself")
        for other in others:
            yield from tell_one(other, "      ")
    if new is None and fix.suggestions[name]:
        yield from list_lines("    could be instead: ", list(fix.suggestions[name]))


def _sum_up(fixed: int, *, written: bool) -> None:
    done = "changed" if written else "to change (nothing is written; see --write)"
    tell(f"{count(fixed, 'document')} {done}")
