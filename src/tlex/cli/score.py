"""``tlex score``: an annotation against another that is taken for gold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict

import click
import msgspec

from tlex.cli.annotations import Annotation
from tlex.cli.command import argument, command, option
from tlex.cli.comparison_options import (
    calendar_option,
    claims_option,
    match_option,
    policy_option,
)
from tlex.cli.faults import explain_fault, name_document
from tlex.cli.options import PATH, REASONING, Reading, reading_options
from tlex.cli.terminal import page_width, print_message, write_bytes
from tlex.comparison.score_page import write_score_page
from tlex.comparison.score_text import show_score, show_test, show_verdict
from tlex.comparison.scores import DocumentScore, Score
from tlex.comparison.scoring import MODES, Scorer, pair_names
from tlex.comparison.significance import compare_systems
from tlex.document import Document
from tlex.errors import ComparisonError, OptionError, UnknownNameError
from tlex.files import write_atomically
from tlex.wording import clean

__all__ = ["score_command"]

_MOST = 3
_ROUNDS = 1000


@command(example="score gold/ system/ --html report.html")
@argument(
    "paths",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="GOLD SYSTEM [SYSTEM]",
    explanation="Files or directories: the gold, a system, and perhaps another system.",
)
@match_option
@claims_option
@policy_option
@calendar_option
@option("--mend", is_flag=True, section=REASONING, help="Find trunk and parts after a repair.")
@option(
    "--mode",
    type=click.Choice(MODES),
    default="tlex",
    metavar="|".join(MODES),
    help="Exact figures, or those of TempEval-3's toolkit.",
)
@option(
    "--bootstrap",
    type=click.IntRange(0, 1_000_000),
    default=0,
    metavar="N",
    help="Give confidence intervals, from N random draws of documents.",
)
@option("--seed", type=int, default=0, metavar="N", help="Seed of the random numbers.")
@option(
    "--unreadable",
    type=click.Choice(["error", "empty"]),
    default="error",
    metavar="error|empty",
    help="Take a system's file that cannot be read as an error, or as empty.",
)
@option("--why", metavar="LINK", help="Say what the other side makes of this link, and why.")
@option("--html", type=PATH, metavar="FILE", help="Write a report as one HTML page.")
@option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write one JSON object per document, one per line, and one with the total.",
)
@reading_options()
def score_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    unreadable: str,
    why: str | None,
    html: str | None,
    as_json: bool,
    bootstrap: int,
    seed: int,
    reading: Reading,
    **options: Any,  # noqa: ANN401 -- those of `Scorer`
) -> int:
    """Score an annotation against a gold one.

    Precision is the share of the system's links that the gold entails; recall is the share of the
    gold's links that the system entails (temporal awareness). Links that say the same count once,
    and what follows from others of the same side is not counted. The order of links never matters.
    Files of two directories go together by name, whatever their formats. With two systems, both
    are scored, and a paired test says whether they differ by more than luck.

    The exit code is 0; it is 2 if something could not be read or compared.
    """
    if not 2 <= len(paths) <= _MOST:  # noqa: PLR2004
        raise OptionError("score takes a gold annotation and one or two systems")
    if paths.count("-") > 1:
        raise OptionError("standard input can be only one side")
    if html is not None and len(paths) == _MOST:
        raise OptionError("--html takes one system")
    scorer = Scorer(**options)
    gold = Annotation(paths[0], reading)
    documents = gold.load()
    failed = gold.failed
    scores = []
    for path in paths[1:]:
        system = Annotation(path, reading, lenient=unreadable == "empty")
        done, facts = _compare(scorer, gold, documents, system)
        failed = failed or system.failed or bool(facts["errors"])
        scores.append(Score(done, bootstrap=bootstrap, seed=seed, **facts))
    if why is not None:
        failed = not _explain(scores, paths[1:], why, as_json=as_json) or failed
    elif as_json:
        _write_json(scores, paths[1:], seed, bootstrap or _ROUNDS)
    else:
        _show(scores, paths[1:], seed, bootstrap or _ROUNDS)
    if html is not None:
        write_atomically(html, write_score_page(scores[0], paths[0], paths[1]).encode())
        print_message(f"wrote {html}")
    return 2 if failed else 0


class _Facts(TypedDict):
    """What a score has to say besides its figures."""

    without_gold: list[str]
    without_system: list[str]
    errors: dict[str, str]


def _compare(
    scorer: Scorer,
    side: Annotation,
    gold: Mapping[str, Document],
    system: Annotation,
) -> tuple[list[DocumentScore], _Facts]:
    """Score all documents of a system; tell what has no partner or cannot be compared."""
    documents = system.load()
    pairs, alone = _pair(gold, documents, system, files=side.is_file and system.is_file)
    done = []
    facts = _Facts(without_gold=alone, without_system=[], errors={})
    for name in alone:
        print_message(f"note: {name} has no gold document and is not scored")
    for name, other in pairs:
        if other is None:
            facts["without_system"].append(name)
            print_message(f"note: {name} has no system document; it is scored against nothing")
        elif other not in documents:
            if other in system.skipped:
                about = f"{system.show(other)}: no reader recognises this file"
                print_message(f"note: {about}; it counts as empty" if system.lenient else about)
            if not system.lenient:
                facts["errors"][name] = f"{other} cannot be read"
                continue
        try:
            done.append(scorer.compare(name, gold[name], documents.get(other or "")))
        except ComparisonError as error:
            facts["errors"][name] = str(error)
            print_message(name_document(name, error))
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others are still scored
            facts["errors"][name] = explain_fault(error)
            print_message(f"{name}: {facts['errors'][name]}")
    return done, facts


def _pair(
    gold: Collection[str], documents: Collection[str], system: Annotation, *, files: bool
) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Find the partner of each document of the gold, and the system's that have none.

    Two files go together whatever their names. A file of the system that cannot be read, or that no
    reader recognises, is a partner if no document is: a name of the gold's makes it one.
    """
    unreadable = [*system.unreadable, *system.skipped]
    found = [*documents, *unreadable]
    if files and len(gold) == len(found) == 1:
        return [(next(iter(gold)), found[0])], []
    pairs, alone = pair_names(list(gold), list(documents))
    others, _ = pair_names([name for name, other in pairs if other is None], unreadable)
    return [*dict([*pairs, *others]).items()], alone


def _explain(scores: Sequence[Score], names: Sequence[str], link: str, *, as_json: bool) -> bool:
    """Print what the other side makes of a link; whether there is such a link."""
    found = False
    for name, score in zip(names, scores, strict=True):
        for one in score.documents:
            try:
                verdicts = one.why(link)
            except UnknownNameError:
                continue
            found = True
            if as_json:
                lines = ({"document": one.name, **msgspec.to_builtins(each)} for each in verdicts)
                write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
                continue
            if len(score.documents) > 1 or len(scores) > 1:
                print(f"{clean(one.name)}, {clean(name)}")
            for each in verdicts:
                print("\n".join(show_verdict(one, each, page_width())))
    if not found:
        print_message(f"no link {link!r:.80} that claims something, on either side")
    return found


def _show(scores: Sequence[Score], names: Sequence[str], seed: int, rounds: int) -> None:
    """Print the figures of each system, and the test of two systems."""
    for number, (name, score) in enumerate(zip(names, scores, strict=True)):
        if not score.documents:
            print_message(f"{name}: nothing could be scored")
            continue
        if len(scores) > 1:
            print(f"{chr(10) if number else ''}{clean(name)}")
        print("\n".join(show_score(score, page_width())))
    if len(scores) > 1:
        test = compare_systems(*scores, rounds=rounds, seed=seed)
        print("\n" + "\n".join(show_test(test, names, page_width())))


def _write_json(scores: Sequence[Score], names: Sequence[str], seed: int, rounds: int) -> None:
    """Write the lines of each system, and the test of two systems."""
    if len(scores) == 1:
        write_bytes(scores[0].to_json())
        return
    for name, score in zip(names, scores, strict=True):
        for one in score.documents:
            line = {"system": name, **msgspec.to_builtins(one.record())}
            write_bytes(msgspec.json.encode(line) + b"\n")
        total = {"system": name, "total": score.record()}
        write_bytes(msgspec.json.encode(total) + b"\n")
    test = compare_systems(*scores, rounds=rounds, seed=seed)
    write_bytes(msgspec.json.encode({"systems": names, "test": test}) + b"\n")
