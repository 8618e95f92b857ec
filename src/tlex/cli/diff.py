"""``tlex diff``: what one annotation has and the other has not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tlex.cli.annotations import Annotation
from tlex.cli.command import argument, command, option
from tlex.cli.comparison_options import (
    calendar_option,
    claims_option,
    match_option,
    policy_option,
)
from tlex.cli.options import PATH, Reading, reading_options
from tlex.cli.terminal import line_width, write_bytes
from tlex.comparison.difference_text import show_difference, show_patches
from tlex.comparison.differences import Difference
from tlex.comparison.diffing import Differ
from tlex.comparison.patches import compare_patches
from tlex.comparison.scoring import pair_names
from tlex.document import Document
from tlex.errors import OptionError, PatchError, TlexError
from tlex.files import is_plain_file
from tlex.readers import load, read
from tlex.repair import Patch
from tlex.repair.patch import PATCH
from tlex.wording import clean, list_lines

__all__ = ["diff_command"]

_TWO = 2
_GIT = (1, 7, 9)
"""How many arguments git gives: of an unmerged file, of a changed one, of a renamed one."""
_HEAD = 256


@command(example="diff anna/story.tml ben/story.tml")
@argument(
    "paths",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="A B",
    explanation="Two files or directories with annotation, or two patches of corrections.",
)
@match_option
@option("--follows", is_flag=True, help="List what follows in one and not in the other.")
@option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write one JSON object per document, one per line, and one with the total.",
)
@option("--git", is_flag=True, help="Take the arguments that git gives to a diff command.")
@claims_option
@policy_option
@calendar_option
@reading_options()
def diff_command(
    *,
    paths: tuple[str, ...],
    follows: bool,
    as_json: bool,
    git: bool,
    reading: Reading,
    **options: Any,  # noqa: ANN401 -- those of `Differ`
) -> int:
    """Say what one annotation has and the other has not.

    Annotations are compared by meaning: direction, name and order of links do not matter. A line
    begins with - for what only the first has, + for what only the second has, ! for another label
    or another attribute, = for what is the same in other words, and > for what follows in one and
    not in the other (--follows). What only one side says may still follow from the links of the
    other. Files of two directories go together by name. Two files that tlex fix --patch wrote are
    compared change by change.

    The exit code is 0 if there is no difference, 1 if there is one, and 2 if something could not be
    read or compared. With these two lines git diff shows .tml files in this way:

    \b
      echo '*.tml diff=tlex' >> .gitattributes
      git config diff.tlex.command 'tlex diff --git'
    """  # noqa: D301 -- click wants the character
    differ = Differ(**options)
    if git:
        return _answer_git(paths, differ, reading, follows=follows)
    if len(paths) != _TWO:
        raise OptionError("diff takes two files or directories")
    if paths.count("-") > 1:
        raise OptionError("standard input can be only one side")
    patches = [path for path in paths if _is_patch(path)]
    if len(patches) == _TWO:
        found = compare_patches(*(_read_patch(path) for path in paths))
        if as_json:
            write_bytes(found.to_json())
        else:
            _print(show_patches(found))
        return 0 if found.same else 1
    if patches:
        raise OptionError(f"{patches[0]}: a patch is compared with a patch, not with documents")
    return _compare(paths, differ, reading, follows=follows, as_json=as_json)


def _compare(
    paths: tuple[str, ...], differ: Differ, reading: Reading, *, follows: bool, as_json: bool
) -> int:
    sides = [Annotation(path, reading) for path in paths]
    documents = [side.load() for side in sides]
    failed = any(side.failed for side in sides)
    if failed and not all(documents):
        return 2  # a side of which nothing could be read differs in nothing
    if all(side.single for side in sides):
        names = [next(iter(own)) for own in documents]
        pairs: list[tuple[str, str | None]] = [(names[0], names[1])]
        alone: list[str] = []
    else:
        pairs, alone = pair_names(list(documents[0]), list(documents[1]))
    found = []
    for name, other in pairs:
        if other is None:
            continue
        shown = sides[0].show(name), sides[1].show(other)
        with sides[0].guard(name):
            given = documents[0][name], documents[1][other]
            one = differ.compare(name, *given, names=shown)
            if not as_json:
                _print(show_difference(one, follows=follows))
            found.append(one)
    failed = failed or sides[0].failed
    lost = [name for name, other in pairs if other is None and name not in sides[1].unreadable]
    alone = [name for name in alone if name not in sides[0].unreadable]
    whole = Difference(found, only_first=lost, only_second=alone)
    if as_json:
        write_bytes(whole.to_json(follows=follows))
    else:
        _print(clean(f"only in {paths[0]}: {name}") for name in lost)
        _print(clean(f"only in {paths[1]}: {name}") for name in alone)
    if failed:
        return 2
    return 0 if whole.same else 1


def _answer_git(paths: tuple[str, ...], differ: Differ, reading: Reading, *, follows: bool) -> int:
    """Compare two versions of a file for git, which takes any exit code but 0 for a crash."""
    if len(paths) not in _GIT:
        raise OptionError("with --git, the arguments are those that git gives to a diff command")
    path, *rest = paths
    if not rest:
        print(f"{clean(path)}: unmerged")
        return 0
    new = rest[6] if len(rest) > 6 else path  # noqa: PLR2004 -- of a file that is renamed
    print(f"diff --tlex {clean(path)} {clean(new)}")
    try:
        first, second = (
            None if file == "/dev/null" else _read_version(file, name, reading)
            for file, name in ((rest[0], f"a/{path}"), (rest[3], f"b/{new}"))
        )
        if first is not None or second is not None:
            _print(show_difference(differ.compare(path, first, second), follows=follows))
    except TlexError as error:
        print(clean(f"cannot be compared: {error}"))
    return 0


def _read_version(file: str, name: str, reading: Reading) -> Document:
    return read(file, name=name, **reading._asdict())


def _is_patch(path: str) -> bool:
    if path == "-" or not is_plain_file(path):
        return False
    try:
        with Path(path).open("rb") as file:
            return f'"{PATCH}"'.encode() in file.read(_HEAD)
    except OSError:
        return False


def _read_patch(path: str) -> Patch:
    try:
        with Path(path).open("rb") as file:
            return Patch.from_json(load(file.read, path), path)
    except OSError as error:
        raise PatchError(f"{path}: cannot be read: {error.strerror or error}") from None


def _print(lines: Iterable[str]) -> None:
    """Print lines; in a terminal, what is too long goes on in the next line behind its sign."""
    for line in lines:
        head, _, words = line.partition(" ")
        shown = list_lines(f"{head} ", words.split(), " ", line_width()) if words else [head]
        print("\n".join(shown))
