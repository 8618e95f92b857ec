"""``tlex rule``: the rules of ``tlex check``, explained."""

from __future__ import annotations

from tlex.cli.command import argument, command, option
from tlex.cli.terminal import line_width, page_width
from tlex.lint.manual import explain_rule, list_rules
from tlex.lint.rules import RULES, find_rule

__all__ = ["rule_command"]


@command(example="rule TLX203")
@argument(
    "rule",
    required=False,
    metavar="[RULE]",
    explanation="A code or a name; without it all rules are listed.",
)
@option("--json", "as_json", is_flag=True, help="Write one JSON object per rule, one per line.")
def rule_command(*, rule: str | None, as_json: bool) -> int:
    """Explain a rule of tlex check, or list all rules.

    The explanation has an example of a document that breaks the rule.
    """
    chosen = list(RULES.values()) if rule is None else [find_rule(rule)]
    if as_json:
        print("\n".join(one.to_json().decode() for one in chosen))
    elif rule is None:
        print(list_rules(line_width()))
    else:
        print(explain_rule(chosen[0], page_width()))
    return 0
