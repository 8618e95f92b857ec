"""Change saved results, one thing at a time, and see that the checker rejects them.

::

    python tests/mutations.py [--cases 10000] [--seed 1] [FILE|DIRECTORY]...

Results of all kinds are made from each document. Then one thing is changed: a number by one, a
string into another one of the same result, a boolean; an element is dropped, doubled or swapped
with its neighbour; something becomes null. The checker must reject the result, refuse to read it,
or name what is missing as unchecked. What it accepts is printed, with the reason why that is right
(`MEANINGLESS`); anything without a reason is a hole, and the exit code is 1.
"""
# ruff: noqa: S311, T201 -- random on purpose; prints

from __future__ import annotations

import argparse
import copy
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import tlex

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ("examples/story.tml", "examples/contradiction.tml")
GRAPHS = (
    "a BEFORE b; a BEFORE c; b BEFORE d; c BEFORE d; d BEFORE e",
    "a BEFORE b; b BEFORE a; b BEFORE c; c BEFORE a; d INCLUDES e",
    "a BEFORE b; b BEFORE a; c BEFORE d; d BEFORE c; b BEFORE c; d BEFORE a; x BEFORE x",
    "x IS_INCLUDED e; e AFTER y; e BEFORE y; e BEFORE z; z BEFORE e",
    "a SIMULTANEOUS b; b IBEFORE c; c BEGINS d; a BEFORE d; e ENDS f; f AFTER e; a DURING b",
    "a BEFORE a; a INCLUDES b; b INCLUDES c; a INCLUDES c; c OVERLAPS d; d BEFORE b",
    "a BEFORE b; c BEFORE d; a MODAL c; c FACTIVE a; e BEFORE f; d EVIDENTIAL e; e CONDITIONAL g",
)
"""Small graphs that show what the examples do not."""
VALUES = (
    ("1998-03-12", "1998-03-11", "1998-W11", "1998-03", "1998-Q1", "1998-03-11TMO"),
    ("1998-03-12T09:30Z", "1998-03-12T10:30Z", "1998-03-13", "1998", "1999-SU", "PAST_REF"),
    ("1998", "1998", "1999", "1998-12-31", "1999-01-01", "FY1999"),
)
"""The values of the times t0 to t5; t0 is the creation time."""
DATED = (
    "ei1 IS_INCLUDED t1; ei2 IS_INCLUDED t2; ei2 BEFORE ei3; ei1 MODAL ei4; ei4 BEFORE t3",
    "t1 IBEFORE t0; ei1 AFTER t2; ei1 BEFORE t1; ei2 FACTIVE ei3; ei3 IS_INCLUDED t5",
    "t2 BEFORE t1; ei1 IS_INCLUDED t1; ei1 IS_INCLUDED t2; ei2 AFTER t4; t1 BEFORE t2",
)
"""Links between times t0 to t5 with each of these values and events."""

# Which changes are accepted, and why. The path has no numbers: lists are ``[]``.
MEANINGLESS: list[tuple[str, str]] = [
    (r"\w+ tlex: ", "which version wrote a result is no claim about the document"),
    (r"\w+ document.text: ", "where the texts were is no claim; the words are compared"),
    (
        r"\w+ options.(links|times|main|subordinating|calendar|mend|weights)",
        "right under these options, too",
    ),
    (
        r"fix options.(confidence|limit|choose|keep|relabel|only|work)",
        "right under these options, too",
    ),
    (r"extract timelines\[\].scenarios.exact: flip", "an exact count is a lower bound, too"),
    (r"extract timelines\[\].scenarios.count: -1", "a lower bound less one is one, too"),
    (r"extract timelines\[\].pairs: (swap|drop)", "the pairs are optional, in any order"),
    (r"\w+ conflicts\[\].walk: swap", "a closed walk of two steps can begin with either"),
    (r"(relation|why) .*\.(source|target)\.id: string", "right about this pair, too"),
    (
        r"(relation|why) .*witnesses\[\].points",
        "another placement on which all links hold is a witness, too",
    ),
    (r"fix exact: flip", "an exact count is a lower bound, too"),
    (r"fix alternatives: swap", "alternatives come in any order"),
    (r"fix options.work", "how long a search may take is no claim about its result"),
    (r"fix decisions\[\].says: string", "named as unchecked where values have a part"),
    (r"fix decisions\[\].options\[\](.cost)?: (drop|null)", "without a cost nothing is claimed"),
    (
        r"fix decisions\[\].options\[\].settles: [+-]1",
        "right for another length of the list",
    ),
    (r"fix decisions\[\].options: drop", "which options are offered is a choice"),
    (r"fix decisions\[\].conflict: null", "where a link has a new type, it may be another one"),
    (
        r"fix decisions\[\].calendar",
        "what a decision says in words is no claim that can be checked",
    ),
    (
        r"fix decisions\[\].proposals(: |\[\]: drop|\[\].(support|says|source))",
        "which values are proposed, and why, is advice; that they mend is checked",
    ),
    (r"events events.(conditions|contradictions)", "right under these conditions, too"),
    (r"events events.\w+: swap", "events whose order is unknown come in any order"),
    (r"events events.\w+\[\].order: null", "the order of two neighbours may be left out"),
    (r"\w+ calendar\[\]: drop", "which links state what the values entail is a choice"),
]

DATED_SHARE = 0.8
"""How many of the results of documents with times use the calendar."""

Change = tuple[str, str, Any]
"""The path of what is changed, how, and the changed result."""


def make_graphs() -> list[tlex.Document]:
    """Make documents of the small graphs."""
    graphs = [[link.split() for link in graph.split("; ")] for graph in GRAPHS]
    return [tlex.from_links(links) for links in graphs]


def make_dated() -> list[tlex.Document]:
    """Make documents with dated times."""
    documents = []
    for number, (values, graph) in enumerate((one, other) for one in VALUES for other in DATED):
        marks = [
            f'<TIMEX3 tid="t{place}" type="DATE" value="{value}" functionInDocument="'
            f'{"NONE" if place else "CREATION_TIME"}">time{place}</TIMEX3>'
            for place, value in enumerate(values)
        ]
        for place in range(1, 5):
            marks.append(f'<EVENT eid="e{place}" class="OCCURRENCE">event{place}</EVENT>')
            marks.append(f'<MAKEINSTANCE eiid="ei{place}" eventID="e{place}"/>')
        for place, (source, label, target) in enumerate(map(str.split, graph.split("; ")), 1):
            kind = "SLINK" if label in {"MODAL", "FACTIVE"} else "TLINK"
            own = "timeID" if source[0] == "t" else "eventInstanceID"
            other = "relatedToTime" if target[0] == "t" else "relatedToEventInstance"
            other = "subordinatedEventInstance" if kind == "SLINK" else other
            marks.append(f'<{kind} lid="l{place}" {own}="{source}" {other}="{target}" ')
            marks[-1] += f'relType="{label}"/>'
        text = f"<TimeML>{' '.join(marks)}</TimeML>"
        documents.append(tlex.parse(text, name=f"dated{number}.tml"))
    return documents


def make_results(document: tlex.Document, random: Random) -> Iterator[tuple[str, dict]]:
    """Make results of all kinds, with various options."""
    options: list[dict[str, Any]] = [{}, {"times": "point"}, {"links": ["TLINK"]}]
    if document.nodes:
        options += [{"main": [random.choice(document.nodes).id]}, {"mend": True}, {"mend": True}]
    dated = bool(document.times) and random.random() < DATED_SHARE
    result = tlex.extract(document, calendar=dated, **random.choice(options))
    yield "extract", json.loads(result.to_json(pairs=len(document.nodes) <= 30))
    names = [node.id for node in document.nodes]
    for _ in range(3 if names else 0):
        pair = random.choice(names), random.choice(names)
        policy = random.choice((None, "part", "repair", "every"))
        relation = result.relation(*pair, contradictions=policy)
        why = result.why(*pair, contradictions=policy)
        yield "relation", json.loads(result.answer(relation=relation).to_json())
        yield "why", json.loads(result.answer(why=why).to_json())
    for _ in range(2 if names else 0):
        conditions = random.sample(
            ("before", "after", "during", "unordered"), random.choice((0, 1, 2))
        )
        values = [*names, "1998", "1998-03", "1998-Q1"] if dated else names
        asked = {condition: random.choice(values) for condition in conditions}
        events = result.events(**asked, contradictions=random.choice((None, "part", "repair")))
        yield "events", json.loads(result.answer(events=events).to_json())
    yield "closure", json.loads(result.answer(closure=result.closure()).to_json())
    yield "reduce", json.loads(result.answer(reduction=result.reduction()).to_json())
    yield "fix", json.loads(tlex.fix(document, calendar=dated).to_json())
    if not result.consistent:
        weights = {"tlink": "0.5", "BEFORE": 3}
        weighted = tlex.fix(document, relabel=True, weights=weights, calendar=dated)
        yield "fix", json.loads(weighted.to_json())
        loops = tlex.fix(document, only="self-loops", calendar=dated)
        yield "fix", json.loads(loops.to_json())


def list_places(found: Any) -> list[tuple[tuple[Any, ...], str]]:
    """List all places in a result: the way to each, and its path without numbers."""
    places: list[tuple[tuple[Any, ...], str]] = []
    stack: list[tuple[tuple[Any, ...], str, Any]] = [((), "", found)]
    while stack:
        way, path, value = stack.pop()
        if way:
            places.append((way, path))
        if isinstance(value, dict):
            named = not path.endswith((".points", ".relabelled", ".suggestions", ".weights"))
            for key, below in value.items():
                stack.append(((*way, key), f"{path}.{key if named else '*'}".strip("."), below))
        elif isinstance(value, list):
            for number, below in enumerate(value):
                stack.append(((*way, number), f"{path}[]", below))
    return places


def change(found: dict, random: Random, places: list, strings: list[str]) -> Change:
    """Change one thing in a copy of a result."""
    # Places are chosen by their paths, so that a long list of points does not take all changes.
    path = random.choice(sorted({path for _, path in places}))
    way = random.choice([way for way, own in places if own == path])
    changed = copy.deepcopy(found)
    holder: Any = changed
    for step in way[:-1]:
        holder = holder[step]
    key, value = way[-1], holder[way[-1]]
    ways: dict[str, Any] = {"null": None}
    if isinstance(value, bool):
        ways["flip"] = not value
    elif isinstance(value, int | float):
        ways |= {"+1": value + 1, "-1": value - 1}
    elif isinstance(value, str):
        ways["string"] = random.choice(strings)
    elif isinstance(value, list) and value:
        place = random.randrange(len(value))
        doubled, swapped = [*value[:place], *value[place:][:1], *value[place:]], [*value]
        swapped[place - 1], swapped[place] = swapped[place], swapped[place - 1]
        ways |= {"double": doubled, "swap": swapped, "empty": []}
    how = random.choice([*ways, *list(ways)[1:], *list(ways)[1:], "drop"])
    if how == "drop":
        del holder[key]
    else:
        holder[key] = ways[how]
    return path, how, changed


def judge(document: tlex.Document, changed: dict) -> str:
    """Say what the checker makes of a result."""
    try:
        verdict = tlex.verify(document, json.dumps(changed))
    except tlex.VerificationError:
        return "rejected"
    except tlex.OptionError:
        return "refused"
    named = any(
        re.search("missing|too long|no sha256|not complete", claim) for claim in verdict.unchecked
    )
    return "unchecked" if named else "accepted"


def find_reason(kind: str, path: str, how: str) -> str | None:
    """Say why a change may be accepted; None if it may not."""
    words = f"{kind} {path}: {how}"
    return next((why for pattern, why in MEANINGLESS if re.match(pattern, words)), None)


def run(
    documents: list[tlex.Document], cases: int, seed: int
) -> Counter[tuple[str, str, str, str]]:
    """Make so many changes; count them by kind, path, change and what became of them."""
    random = Random(seed)
    seen: Counter[tuple[str, str, str, str]] = Counter()
    done = 0
    while done < cases:
        for document in documents:
            for kind, found in make_results(document, random):
                assert judge(document, found) == "accepted", (kind, document.name)
                places = list_places(found)
                strings = sorted(set(_list_strings(found)))
                for _ in range(30):
                    path, how, changed = change(found, random, places, strings)
                    if changed == found and repr(changed) == repr(found):
                        continue
                    fate = judge(document, changed)
                    seen[kind, path, how, fate] += 1
                    done += 1
                    if fate == "accepted" and find_reason(kind, path, how) is None:
                        seen[kind, path, how, "hole"] += 1
            if done >= cases:
                break
    return seen


def _list_strings(found: Any) -> Iterator[str]:
    stack = [found]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack += [*value, *value.values()]
        elif isinstance(value, list):
            stack += value


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    paths = given.paths or [ROOT / name for name in EXAMPLES]
    files = [f for p in paths for f in (sorted(p.rglob("*.tml")) if p.is_dir() else [p])]
    documents = [tlex.read(path) for path in files]
    if not given.paths:
        documents += make_graphs() + make_dated()
    seen = run(documents, given.cases, given.seed)
    fates: Counter[tuple[str, str]] = Counter()
    for (kind, _, _, fate), number in seen.items():
        fates[kind, fate] += number
    for (kind, fate), number in sorted(fates.items()):
        print(f"{kind:10} {fate:10} {number:6,}")
    reasons: Counter[str] = Counter()
    for (kind, path, how, fate), number in sorted(seen.items()):
        if fate == "accepted" and (reason := find_reason(kind, path, how)):
            reasons[reason] += number
        if fate == "hole":
            print(f"HOLE: {kind} {path}: {how}  ({number})")
    for reason, number in reasons.most_common():
        print(f"accepted {number:6,}  {reason}")
    return int(any(fate == "hole" for *_, fate in seen))


if __name__ == "__main__":
    sys.exit(main())
