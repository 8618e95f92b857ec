"""``tlex check``, a linter for temporal annotation, and ``tlex rule``, which explains its rules.

Here are the commands' options only; the linter itself is loaded when it is needed.
"""

from __future__ import annotations

from typing import Annotated

import typer

from tlex.cli.options import AsJson, Format, LabelFile, MaxBytes, TextFolder, split_words
from tlex.errors import OptionError
from tlex.readers import MAX_BYTES

__all__ = ["check_command", "rule_command"]


def check_command(  # noqa: PLR0913 -- one argument an option
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE|DIR|- ...", help="What to read; - is stdin.")
    ],
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Advice as well: guidelines and connectivity.")
    ] = False,
    select: Annotated[
        str | None,
        typer.Option(metavar="RULE,...", help="Only these: codes, their beginnings, names."),
    ] = None,
    ignore: Annotated[str | None, typer.Option(metavar="RULE,...", help="All but these.")] = None,
    as_json: AsJson = False,
    as_sarif: Annotated[bool, typer.Option("--sarif", help="One SARIF 2.1.0 log.")] = False,
    as_github: Annotated[
        bool, typer.Option("--github", help="Workflow commands of GitHub Actions.")
    ] = False,
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="Hide the findings that this file knows.")
    ] = None,
    new_baseline: Annotated[
        str | None,
        typer.Option("--write-baseline", metavar="FILE", help="Write what is found to this file."),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(
            metavar="KINDS", help="Which links order time: tlink,alink (both by default)."
        ),
    ] = None,
    times: Annotated[
        str | None,
        typer.Option(
            metavar="interval|point", help="What a TIMEX3 of type TIME is (interval by default)."
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Use this tlex.toml or pyproject.toml, not the nearest."),
    ] = None,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Check each document: reading, references, contradictions; with --all also guidelines.

    Exit code 0: no error found; 1: an error, which a contradiction is; 2: something could not be
    read or done. Warnings are shown and do not count, advice is shown on request. Options may
    stand in tlex.toml, or in pyproject.toml under [tool.tlex].
    """
    if as_json + as_sarif + as_github > 1:
        raise OptionError("choose one of --json, --sarif and --github")
    if everything and select is not None:
        raise OptionError("choose one of --all and --select")
    if baseline is not None and new_baseline is not None:
        raise OptionError("choose one of --baseline and --write-baseline")
    from tlex.cli.linting import CheckRun, Readable, choose_settings  # noqa: PLC0415 -- not light

    settings = choose_settings(
        config,
        select=["ALL"] if everything else split_words(select),
        ignore=split_words(ignore),
        links=split_words(links),
        times=times,
        baseline=baseline,
    )
    run = CheckRun(
        Readable(paths, max_bytes=max_bytes, reading=(form, text_folder, label_file)),
        settings,
        remembering=new_baseline is not None,
    )
    if new_baseline is not None:
        run.remember(new_baseline)
    elif as_json:
        run.write_json()
    elif as_sarif:
        run.write_sarif()
    elif as_github:
        run.write_commands()
    else:
        run.write_text()
    return run.exit_code


def rule_command(
    rule: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A code or a name; without, all rules.")
    ] = None,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object per rule, one per line.")
    ] = False,
) -> int:
    """Explain a rule of tlex check, with an example; or list them all."""
    from tlex.lint.manual import explain_rule, list_rules  # noqa: PLC0415
    from tlex.lint.rules import RULES, find_rule  # noqa: PLC0415

    chosen = list(RULES.values()) if rule is None else [find_rule(rule)]
    if as_json:
        print("\n".join(one.to_json().decode() for one in chosen))
    else:
        print(list_rules() if rule is None else explain_rule(chosen[0]))
    return 0
