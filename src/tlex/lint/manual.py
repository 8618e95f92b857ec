"""The manual of the rules: one rule for a terminal, all rules as the page docs/rules.md."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from textwrap import fill, indent, shorten

from tlex.lint.rules import ADVICE, ERROR, FRAME, GROUPS, RULES, WARNING, Rule
from tlex.wording import list_lines

__all__ = ["explain_rule", "list_rules", "write_manual"]

_LONGEST = 400
_WIDEST = 80
_MEANING = {
    ERROR: "shown, and makes the exit code 1",
    WARNING: "shown, does not change the exit code",
    ADVICE: "shown with --all or --select, never changes the exit code",
}
_INTRODUCTION = f"""\
# Rules

What `tlex check` looks for. Generated from the table in `src/tlex/lint/rules.py` by `make docs`;
`tlex rule CODE` shows one of them.

An *error* is shown and makes the exit code 1; a *warning* is shown and does not change the exit
code; *advice* is shown with `--all` or `--select` and never changes the exit code. `severity` in
the configuration moves a rule from one to another.

An example is a whole document, or it stands at the dots of this one:

```xml
{FRAME}```
"""


def explain_rule(rule: Rule, width: int = _WIDEST) -> str:
    """Explain a rule in plain text, within ``width`` and 80 columns except for the example."""
    return "\n".join(_explain(rule, min(width, _WIDEST)))


def list_rules(width: float = inf) -> str:
    """List all rules in plain text, one on each line, or on several where it is too wide."""
    return "\n".join(line for rule in RULES.values() for line in _list_rule(rule, width))


def write_manual() -> str:
    """Give the text of ``docs/rules.md``."""
    lines = [_INTRODUCTION, "| code | name | severity | |", "| --- | --- | --- | --- |"]
    lines += [
        f"| [{rule.code}](#{rule.code.lower()}-{rule.name}) | {rule.name} | {rule.severity} "
        f"| {rule.summary} |"
        for rule in RULES.values()
    ]
    for group in GROUPS.values():
        lines += ["", f"## {group.capitalize()}"]
        for rule in RULES.values():
            if rule.group == group:
                lines += ["", f"### {rule.code} {rule.name}", ""]
                lines += [f"*{rule.severity.capitalize()}*: {rule.summary}.", ""]
                lines.append(fill(rule.explanation, 100, break_on_hyphens=False))
                lines += _show_example(rule)
    return "\n".join(lines) + "\n"


def _list_rule(rule: Rule, width: float) -> Iterator[str]:
    words = [f"{rule.severity:<7}", f"{rule.name}:", *rule.summary.split()]
    return map(str.rstrip, list_lines(f"{rule.code} ", words, " ", width))


def _explain(rule: Rule, width: int) -> Iterator[str]:
    yield f"{rule.code} {rule.name}"
    yield fill(f"{rule.severity}: {_MEANING[rule.severity]}", width, break_on_hyphens=False)
    yield ""
    yield fill(f"{rule.summary[:1].upper()}{rule.summary[1:]}.", width)
    yield ""
    yield fill(rule.explanation, width, break_on_hyphens=False)
    if rule.example:
        yield ""
        yield "Example:"
        yield indent(_cut(rule.example), "  ").rstrip()
    if rule.fixed and rule.example and not _is_whole(rule.fixed):
        yield ""
        yield "Better:"
        yield indent(_cut(rule.fixed), "  ").rstrip()


def _show_example(rule: Rule) -> Iterator[str]:
    if not rule.example:
        return
    yield from ("", *_fence(rule.example))
    if rule.also:
        yield from ("", f"(This sets off {', '.join(rule.also)} as well.)")
    if rule.fixed and not _is_whole(rule.fixed):
        yield from ("", "Better:", "", *_fence(rule.fixed))
    elif not rule.fixed:
        yield from ("", "Better: without it.")


def _fence(example: str) -> tuple[str, str, str]:
    """Give an example as a code block of Markdown, in the language that it begins like."""
    language = {"<": "xml", "{": "json"}.get(example.lstrip()[:1], "text")
    return f"```{language}", _cut(example).rstrip(), "```"


def _is_whole(example: str) -> bool:
    """Whether an example is a document by itself."""
    return "<TimeML" in example


def _cut(example: str) -> str:
    """Give an example, with the middle of very long lines left out."""
    return "\n".join(
        line if len(line) <= _LONGEST else shorten(line[:60], 60) + " ... " + line[-40:]
        for line in example.splitlines()
    )
