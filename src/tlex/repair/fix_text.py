"""A repair in sentences: what ``str()`` of it gives and what the command line prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from tlex.answer_text import link_lines
from tlex.lookup import describe_link
from tlex.quotation import quote
from tlex.wording import clean, count, list_lines, shorten_id

if TYPE_CHECKING:
    from tlex.document import Document
    from tlex.nouns import Link
    from tlex.records import Decision, DecisionOption
    from tlex.repair.fixes import FixResult

__all__ = ["decision_lines", "fix_lines", "say_changes", "say_option"]

_SHOWN = 12
"""How many links of a contradiction are shown."""

_NAMED = 4
"""How many links that say the same are named."""

_QUOTED = 3
"""How many sentences are shown."""

_MORE = {
    "choose": "for another option: choose={decision: option}",
    "--choose": "for another option: --choose DECISION=OPTION, or --interactive",
}


def fix_lines(fixed: FixResult, room: float = inf, *, option: str = "choose") -> Iterator[str]:
    """Say what a repair changes, decision by decision.

    ``room`` is the number of columns; without it no line is broken. ``option`` is the name under
    which another option can be chosen.
    """
    if not fixed.links and not fixed.decisions:
        yield f"{clean(fixed.path)}: nothing to change"
        return
    proof = "proven: no smaller repair exists"
    if not fixed.consistent:
        proof = "other contradictions are left"
    elif not fixed.optimal and fixed.bound is not None:
        proof = f"not proven to be the smallest; at least {fixed.bound:g}"
        if fixed.options.choose:
            proof = f"as chosen; the smallest repair costs at least {fixed.bound:g}"
    if fixed.ended_by == "clock":
        proof += "; the clock ended the search, so another run may give another result"
    facts = [f"{count(len(fixed.links), 'link')} to change", f"cost {fixed.cost:g}", proof]
    yield from list_lines(f"{clean(fixed.path)}: ", facts, room=room)
    decided = {
        link
        for decision in fixed.decisions
        if decision.chosen
        for link in decision.options[decision.chosen - 1].links
    }
    document = fixed.extraction.document
    numbers = {name: number for number, name in enumerate(document.link_ids)}
    for decision in fixed.decisions:
        yield ""
        yield from decision_lines(document, numbers, decision, room)
    if any(len(decision.options) > 1 for decision in fixed.decisions):
        yield ""
        yield from list_lines("  ", _MORE[option].split(), " ", room)
    changed = frozenset(fixed.links)
    for name, number in numbers.items():
        if name in changed and name not in decided:
            new = fixed.relabelled.get(name)
            yield f"  {'remove' if new is None else 'make ' + new}"
            yield from _say_link(document, document.link(number), "    ", room)
    if not fixed.decisions_complete:
        said = "the last links have no decisions: there are too many contradictions to list"
        yield from list_lines("  ", said.split(), " ", room)


def decision_lines(
    document: Document,
    numbers: Mapping[str, int],
    decision: Decision,
    room: float = inf,
    *,
    marked: bool = True,
) -> Iterator[str]:
    """Show a decision: the sentences, the links, what they disagree about, and the options.

    ``numbers`` are those of the document's links, by id. If ``marked``, a star stands before what
    was chosen.
    """
    which = "" if decision.conflict is None else f": contradiction {decision.conflict}"
    yield f"  decision {decision.number}{which}"
    links = [document.link(numbers[name]) for name in decision.links]
    own = [link for link in links if link.kind != "CALENDAR"]
    shown = own[:_SHOWN]
    ends = (end for link in shown for end in (link.source, link.target) if end)
    nodes = dict.fromkeys((*ends, *(value.id for value in decision.values)))
    wide = 240 if room == inf else max(int(room), 20) * 3
    for sentence in quote(document, nodes, wide)[:_QUOTED]:
        yield from list_lines("    ", sentence.split(), " ", room)
    same = {option.links[0]: option.links[1:] for option in decision.options}
    for link in shown:
        yield from _say_link(document, link, "      ", room)
        others = same.get(link.id, ())
        if others:
            verb = "says" if len(others) == 1 else "say"
            said = f"{_name_some(others)} {verb} the same"
            yield from list_lines("        ", said.split(), " ", room)
    if len(own) > _SHOWN:
        yield f"      and {count(len(own) - _SHOWN, 'more link')}"
    for said in decision.calendar:
        yield from list_lines("      calendar  ", clean(said).split(), " ", room)
    yield from list_lines("    ", clean(decision.says).split(), " ", room)
    for option in decision.options:
        star = "*" if marked and option.number == decision.chosen else " "
        head = f"    {star} {option.number}. "
        words = f"{say_option(option)} ({option.reason})".split()
        first, *more = list_lines(head, words, " ", room - len(head) + 4)
        yield first
        yield from (f"{' ' * (len(head) - 4)}{line}" for line in more)
    for proposal in decision.proposals:
        yield from list_lines("    or a value: ", clean(proposal.says).split(), " ", room)
    if marked and not decision.chosen:
        yield "    * left as it is"


def say_option(option: DecisionOption) -> str:
    """Say what an option does: ``remove l1, l7`` or ``make l4 BEFORE``."""
    said = say_changes(option.links, option.types)
    if option.settles > 1:
        said += f", settles {option.settles} contradictions"
    return said


def say_changes(links: Sequence[str], types: Mapping[str, str]) -> str:
    """Say what becomes of links: those without a new type are removed."""
    removed = [link for link in links if link not in types]
    changes = [
        f"make {clean(shorten_id(link))} {label}" for link, label in list(types.items())[:_NAMED]
    ]
    if len(types) > _NAMED:
        changes.append(f"and so {count(len(types) - _NAMED, 'link')} more")
    if removed:
        changes.append(f"remove {_name_some(removed)}")
    return ", ".join(changes)


def _name_some(links: Sequence[str]) -> str:
    named = ", ".join(clean(shorten_id(link)) for link in links[:_NAMED])
    more = len(links) - _NAMED
    return f"{named} and {count(more, 'more link')}" if more > 0 else named


def _say_link(document: Document, link: Link, indent: str, room: float) -> Iterator[str]:
    return link_lines(describe_link(document, None, link, placed=False), indent, room)
