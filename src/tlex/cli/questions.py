"""``tlex relation`` and ``tlex why``: how two events or times are related, and the proof."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from tlex.cli.files import Documents, tell
from tlex.cli.options import (
    Format,
    LabelFile,
    Links,
    MaxBytes,
    Strict,
    TextFolder,
    Times,
    split_list,
)
from tlex.cli.words import link_lines, list_lines, name, tell_links
from tlex.errors import AmbiguousError, OptionError
from tlex.extraction import choose_options, extract
from tlex.readers import MAX_BYTES
from tlex.records import (
    Answer,
    LinkInWords,
    PairRelation,
    PossibleRelation,
    Proof,
    Why,
    Witness,
)
from tlex.timeline import Extraction
from tlex.wording import clean

__all__ = ["relation_command", "why_command"]

File = Annotated[str, typer.Argument(metavar="FILE|-", help="The document; - is stdin.")]
First = Annotated[str, typer.Argument(metavar="A", help="An id, or words from the text.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another one.")]
_STATES = ("BEFORE", "AFTER", "IBEFORE", "IAFTER", "BEGUN_BY", "ENDED_BY", "SIMULTANEOUS")
"""Types that are no verb."""

AsJson = Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")]


def relation_command(  # noqa: PLR0913 -- one argument an option
    path: File,
    first: First,
    second: Second,
    *,
    as_json: AsJson = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Say how two events or times are related: what is entailed, or what is possible.

    A and B are ids, or words from the text; words that several have are answered with a list of
    these. The exit code is 0 for every answer, also that a timeline contradicts itself; it is 2
    if something could not be read or found.
    """

    def ask(result: Extraction) -> tuple[Answer, Iterator[str]]:
        relation = result.relation(first, second)
        return result.answer(relation=relation), _tell_relation(result, relation)

    reading = (form, text_folder, label_file)
    documents = Documents([path], strict=strict, max_bytes=max_bytes, reading=reading)
    return _answer(ask, documents, (links, times), as_json=as_json)


def why_command(  # noqa: PLR0913 -- one argument an option
    path: File,
    first: First,
    second: Second,
    *,
    as_json: AsJson = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Prove how two events or times are related.

    What is entailed is proven by chains of constraints with the fewest links; what is open by two
    complete timelines that order it both ways. A and B are ids, or words from the text.
    """

    def ask(result: Extraction) -> tuple[Answer, Iterator[str]]:
        why = result.why(first, second)
        return result.answer(why=why), _tell_why(result, why)

    reading = (form, text_folder, label_file)
    documents = Documents([path], strict=strict, max_bytes=max_bytes, reading=reading)
    return _answer(ask, documents, (links, times), as_json=as_json)


def _answer(
    ask: Callable[[Extraction], tuple[Answer, Iterator[str]]],
    documents: Documents,
    options: tuple[str, str],
    *,
    as_json: bool,
) -> int:
    """Ask one document, and print the answer."""
    kinds, times = split_list(options[0]), options[1]
    choose_options(kinds, times)
    for path in documents.arguments:
        if path != "-" and Path(path).is_dir():
            raise OptionError(f"{path}: is a directory; ask about one document")
    for document in documents:
        try:
            answer, lines = ask(extract(document, links=kinds, times=times))
        except AmbiguousError as error:
            documents.fail(f"{document.name}: {error.message}:")
            for candidate in error.candidates:
                tell(f"  {candidate}")
        except OptionError as error:
            documents.fail(f"{document.name}: {error}")
        else:
            if as_json:
                sys.stdout.buffer.write(answer.to_json() + b"\n")
            else:
                print("\n".join(lines))
    return 2 if documents.failed else 0


def _tell_relation(result: Extraction, relation: PairRelation) -> Iterator[str]:
    yield from _headline(relation)
    if relation.verdict == "possible":
        yield from list_lines("  ", [_label(each) for each in relation.relations])
        settled = [o for o in relation.orders if len(o.orders) == 1]
        if settled:
            known = [clean(f"{o.left} {o.orders[0]} {o.right}") for o in settled]
            yield from list_lines("  in any case ", known)
    elif relation.verdict == "unrelated" and relation.path:
        yield "  these subordinating links lead from one to the other:"
        yield from tell_links(result, tuple(c.link for c in relation.path), "    ")
    elif relation.verdict == "unrelated":
        yield "  no chain of subordinating links leads from one to the other"
    elif relation.verdict == "inconsistent":
        yield from _tell_conflict(result, relation.timelines[0])


def _tell_why(result: Extraction, why: Why) -> Iterator[str]:
    relation = why.relation
    yield from _tell_relation(result, relation)
    told = {link.id: link for link in why.links}
    for proof in why.proofs:
        yield from _tell_proof(told, proof)
    for place, witness in enumerate(why.witnesses):
        yield from _tell_witness(relation, place, witness)


def _headline(relation: PairRelation) -> Iterator[str]:
    source, target = name(relation.source), name(relation.target)
    entailed = relation.entailed
    if relation.source.id == relation.target.id and entailed:
        yield f"{source} is {target}: one and the same"
    elif entailed:
        whose = "of a point" if relation.instants else "Allen"
        words = _verb(entailed)
        note = f"[{whose}: {entailed.name}]"
        if entailed.type is None:
            note = f"[{whose}: {entailed.name}; TimeML has no such type]"
        yield from list_lines(f"{source} ", [words, target, f"  {note}"], " ")
    elif relation.verdict == "possible":
        many = len(relation.relations)
        yield from list_lines(
            "", [source, "and", f"{target}:", f"{many} relations are possible"], " "
        )
    elif relation.verdict == "unrelated":
        one, other = relation.timelines
        where = f"they stand on timelines {one} and {other}"
        yield from list_lines("", [source, "and", target, "are unrelated:", where], " ")
    else:
        where = f"stand on timeline {relation.timelines[0]}, which contradicts itself"
        yield from list_lines("", [source, "and", target, where], " ")


def _verb(relation: PossibleRelation) -> str:
    label = relation.type or relation.name
    return f"is {label}" if label in _STATES else label


def _label(relation: PossibleRelation) -> str:
    return f"{relation.type} [{relation.name}]" if relation.type else f"[{relation.name}]"


def _tell_conflict(result: Extraction, timeline: int) -> Iterator[str]:
    conflict = next(c for c in result.conflicts if c.timeline == timeline)
    many = len(conflict.minimal)
    says = "this link contradicts itself" if many == 1 else f"these {many} links cannot all hold"
    if any(step.link is None and step.order == "=" for step in conflict.walk):
        says += " while a TIME is a single point"
    yield from list_lines("  ", f"nothing is entailed where {says}:".split(), " ")
    yield from tell_links(result, conflict.minimal, "    ")


def _tell_proof(told: Mapping[str, LinkInWords], proof: Proof) -> Iterator[str]:
    if not proof.walk:
        return
    yield f"  {clean(str(proof))}   because"
    for link in proof.links:
        yield from link_lines(told[link], "    ")
    walk = [clean(proof.left)]
    walk += [clean(f"{step.order} {step.right}") for step in proof.walk]
    yield from list_lines("    that is ", walk, " ")


def _tell_witness(relation: PairRelation, place: int, witness: Witness) -> Iterator[str]:
    which = "another" if place else "one timeline"
    verb, target = _verb(witness.relation), f"{name(relation.target)}:"
    words = [f"{which} on which", name(relation.source), verb, target]
    yield from list_lines("  ", words, " ")
    steps: dict[int, list[str]] = {}
    for point, step in witness.points.items():
        steps.setdefault(step, []).append(clean(point))
    chain = [" = ".join(steps[step]) for step in sorted(steps)]
    yield from list_lines("    ", [chain[0], *(f"< {each}" for each in chain[1:])], " ")
