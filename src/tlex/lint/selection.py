"""Which rules are used, and their severities: ``select``, ``ignore``, ``severity``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from tlex.arguments import require_kind, take_words
from tlex.errors import OptionError, UnknownNameError
from tlex.lint.rules import ADVICE, RULES, SEVERITIES, find_rule, suggest
from tlex.wording import represent

__all__ = ["Selection", "choose_rules"]


class Selection(Struct, frozen=True, kw_only=True):
    """The codes of the rules that are used, and the severity of every rule."""

    wanted: frozenset[str]
    severities: dict[str, str]

    def __repr__(self) -> str:
        return represent(self, f"{len(self.wanted)} of {len(self.severities)} rules")


def choose_rules(
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    severity: Mapping[str, str] | None = None,
) -> Selection:
    """Choose rules by prefixes of codes (``TLX3``), by names, or ``ALL``.

    Without ``select`` these are the rules whose severity is error or warning, not advice. A single
    string is one prefix or name.

    >>> sorted(choose_rules(["TLX2"], ["contradictory-pair"]).wanted)
    ['TLX201', 'TLX203']
    """
    severities = {code: rule.severity for code, rule in RULES.items()}
    if severity is not None:
        require_kind("severity", severity, Mapping, "a mapping of rules to severities")
    for word, level in (severity or {}).items():
        if level not in SEVERITIES:
            choices = ", ".join(SEVERITIES)
            raise OptionError(f"severity of {word} cannot be {level!r}; choose from {choices}")
        severities[find_rule(word).code] = level
    if select is None:
        wanted = {code for code, level in severities.items() if level != ADVICE}
    else:
        select = take_words("select", select)
        if not select:
            raise OptionError("select is empty; name rules, such as TLX2, or ALL")
        wanted = set().union(*(_match(word, "select") for word in select))
    dropped: set[str] = set().union(
        *(_match(word, "ignore") for word in take_words("ignore", ignore))
    )
    return Selection(wanted=frozenset(wanted - dropped), severities=severities)


def _match(word: str, option: str) -> set[str]:
    asked = word.strip()
    if asked.upper() == "ALL":
        return set(RULES)
    found = {
        code
        for code, rule in RULES.items()
        if asked and (code.startswith(asked.upper()) or rule.name == asked.lower())
    }
    if not found:
        raise UnknownNameError(f"{option} names {word!r}, which is no rule{suggest(asked)}")
    return found
