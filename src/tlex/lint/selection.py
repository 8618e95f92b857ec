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
    """Choose rules by their codes, beginnings of codes, or names.

    Parameters
    ----------
    select : iterable of str, optional
        Codes (``TLX202``), their beginnings (``TLX2``), names, or ``ALL``. Without it, the rules
        whose severity is error or warning are used, not those that are advice.
    ignore : iterable of str
        Rules that are not used.
    severity : mapping of str to str, optional
        Rules and their severity: ``"error"``, ``"warning"`` or ``"advice"``.

    Returns
    -------
    Selection
        The rules, for ``select`` of `tlex.check`.

    Raises
    ------
    UnknownNameError
        For an unknown rule.
    OptionError
        For an unknown severity, or if no rule is named.

    Examples
    --------
    >>> import tlex
    >>> sorted(tlex.lint.choose_rules(["TLX2"], ["contradictory-pair"]).wanted)
    ['TLX201', 'TLX203', 'TLX204']

    See Also
    --------
    tlex.check : takes the same arguments.
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
