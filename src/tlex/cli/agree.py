"""``tlex agree``: how far several annotators agree."""

from __future__ import annotations

from pathlib import Path

import click

from tlex.cli.annotations import Annotation, show_path
from tlex.cli.command import argument, command, option
from tlex.cli.comparison_options import calendar_option, claims_option, match_option
from tlex.cli.faults import explain_fault, name_document
from tlex.cli.options import PATH, Reading, reading_options
from tlex.cli.terminal import page_width, print_message, write_bytes
from tlex.comparison.agreeing import Comparer, group_names
from tlex.comparison.agreement_text import show_agreement
from tlex.comparison.agreements import Agreement
from tlex.errors import ComparisonError, OptionError
from tlex.files import is_directory

__all__ = ["agree_command"]

_TWO = 2


@command(example="agree anna/ ben/ cora/")
@argument(
    "paths",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="A B [C]...",
    explanation="A file or directory of each annotator; or one directory with one for each.",
)
@match_option
@option(
    "--places",
    type=click.IntRange(0),
    default=5,
    metavar="N",
    help="Largest number of disagreements to show of each document.",
)
@option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write one JSON object per document, one per line, and one with the total.",
)
@claims_option
@calendar_option
@reading_options()
def agree_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    match: str,
    places: int,
    as_json: bool,
    links: tuple[str, ...],
    calendar: bool,
    reading: Reading,
) -> int:
    """Measure how far several annotators agree.

    No annotator is taken for gold. The figures are given for each two annotators and for all
    together: F over the events and times, F over the orders that follow from the links, and, for
    the pairs that both link, the share of equal labels and Cohen's kappa. Three or more annotators
    also have Krippendorff's alpha. Files of directories go together by name.

    Documents are sorted by disagreement, and the disagreements are shown: pairs of which one says
    what another excludes, pairs with different labels, expressions that not all have marked.

    The exit code is 0; it is 2 if something could not be read or compared.
    """
    comparer = Comparer(match=match, links=links, calendar=calendar)
    if paths.count("-") > 1:
        raise OptionError("standard input can be only one annotator")
    annotators = _name_annotators(_list_annotators(paths))
    sides = {name: Annotation(path, reading) for name, path in annotators.items()}
    documents = {name: side.load() for name, side in sides.items()}
    failed = any(side.failed for side in sides.values())
    groups, missing = group_names(
        {name: list(own) for name, own in documents.items()},
        alone=all(side.single for side in sides.values()),
    )
    for name, lost in missing.items():
        for document in lost:
            print_message(f"note: {name}: no document {document}")
    found, errors = [], {}
    for shown, group in groups.items():
        try:
            given = {name: documents[name][own] for name, own in group.items()}
            found.append(comparer.compare(shown, given))
        except ComparisonError as error:
            errors[shown] = str(error)
            print_message(name_document(shown, error))
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others are still compared
            errors[shown] = explain_fault(error)
            print_message(f"{shown}: {errors[shown]}")
    agreement = Agreement(found, annotators=list(annotators), missing=missing, errors=errors)
    if as_json:
        write_bytes(agreement.to_json())
    elif found:
        print("\n".join(show_agreement(agreement, page_width(), places)))
    if not groups and not failed:
        failed = True
        print_message("no two annotators have a document of the same name")
    return 2 if failed or errors else 0


def _list_annotators(paths: tuple[str, ...]) -> list[str]:
    """The annotators: the arguments, or the directories in a single one."""
    found = list(paths)
    if len(paths) == 1 and paths[0] != "-" and is_directory(paths[0]):
        below = sorted(Path(paths[0]).iterdir())
        found = [str(one) for one in below if is_directory(one) and not one.name.startswith(".")]
    if len(found) < _TWO:
        raise OptionError("agreement takes two annotators or more")
    return found


def _name_annotators(paths: list[str]) -> dict[str, str]:
    """Call annotators by that in which their paths differ: ``anna/a.tml`` by ``anna``."""
    shown = [show_path(path) for path in paths]
    parts = [Path(path).parts for path in shown]
    shortest = min(map(len, parts))
    first = next((n for n in range(shortest) if len({own[n] for own in parts}) > 1), shortest)
    last = 0
    while last < shortest - first and len({own[-1 - last] for own in parts}) == 1:
        last += 1
    names = [str(Path(*own[first : len(own) - last])) for own in parts]
    if len({*names, ".", ""}) < len(names) + 2:
        names = [f"{path} ({number})" for number, path in enumerate(shown, 1)]
    return dict(zip(names, paths, strict=True))
