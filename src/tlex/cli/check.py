"""``tlex check``: a linter for temporal annotation. ``tlex rule``: what its rules are."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace

from tlex.cli.files import Documents, tell, watch
from tlex.cli.settings import find_configuration, name_below, read_baseline, write_baseline
from tlex.cli.terminal import describe_screen, split_words
from tlex.errors import OptionError, ReadError
from tlex.extraction import choose_options, extract
from tlex.lint import (
    RULES,
    Checked,
    Finding,
    Selection,
    check_document,
    choose_rules,
    find_rule,
    find_unread,
)
from tlex.lint.baseline import make_baseline
from tlex.lint.configuration import Configuration
from tlex.lint.manual import explain_rule
from tlex.lint.report_github import write_command
from tlex.lint.report_json import encode_checked
from tlex.lint.report_sarif import encode_log
from tlex.lint.report_text import show_findings, show_summary
from tlex.lint.rules import ERROR
from tlex.readers import MAX_BYTES
from tlex.report import Options

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
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object per document, one per line.")
    ] = False,
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
        typer.Option(metavar="KINDS", help="Which links order time: tlink,alink or one."),
    ] = None,
    times: Annotated[
        str | None, typer.Option(metavar="interval|point", help="What a TIMEX3 of type TIME is.")
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Use this tlex.toml or pyproject.toml, not the nearest."),
    ] = None,
    max_bytes: Annotated[
        int, typer.Option(metavar="N", min=1, help="The largest file that is read.")
    ] = MAX_BYTES,
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
    found = find_configuration(config)
    given = Configuration(
        select=["ALL"] if everything else split_words(select),
        ignore=split_words(ignore),
        links=split_words(links),
        times=times,
        baseline=baseline,
    )
    fields = {field: getattr(given, field) for field in given.__struct_fields__}
    settings = replace(found, **{key: value for key, value in fields.items() if value is not None})
    known = settings.baseline if new_baseline is None else None
    run = _Run(
        _Readable(paths, max_bytes=max_bytes),
        choose_rules(settings.select, settings.ignore or (), settings.severity),
        choose_options(
            ("TLINK", "ALINK") if settings.links is None else settings.links,
            settings.times or "interval",
        ),
        known,
    )
    if new_baseline is not None:
        return run.remember(new_baseline)
    if as_json:
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
    rules = list(RULES.values()) if rule is None else [find_rule(rule)]
    if as_json:
        for row in rules:
            fields = {**msgspec.to_builtins(row), "group": row.group}
            print(msgspec.json.encode(fields).decode())
    elif rule is None:
        for row in rules:
            print(f"{row.code} {row.severity:<7} {row.name}: {row.summary}")
    else:
        print(explain_rule(rules[0]))
    return 0


class _Readable(Documents):
    """Documents, with a finding for each file that could not be read."""

    def __init__(self, arguments: list[str], *, max_bytes: int) -> None:
        super().__init__(arguments, max_bytes=max_bytes)
        self.unread: list[tuple[str, Finding]] = []

    def refuse(self, error: ReadError) -> None:
        """Tell it, with the code of its rule."""
        finding = find_unread(error)
        self.unread.append((self.path, finding))
        place = str(error).removesuffix(error.message)
        self.fail(f"{place}{finding.code} {error.message}")


class _Run:
    """One run of the linter; what was found is counted as it is written."""

    def __init__(
        self, documents: _Readable, selection: Selection, options: Options, baseline: str | None
    ) -> None:
        self.documents = documents
        self.selection = selection
        self.options = options
        self.known = None if baseline is None else read_baseline(baseline)
        self.baseline = baseline or ""
        self.total = self.inconsistent = self.hidden = self.errors = 0
        self.counts: Counter[str] = Counter()

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return 2 if self.documents.failed else 1 if self.errors else 0

    @property
    def unread(self) -> list[tuple[str, Finding]]:
        """The findings about files that could not be read, as far as these rules are selected."""
        wanted = self.selection.wanted
        return [
            (path, finding) for path, finding in self.documents.unread if finding.code in wanted
        ]

    def write_text(self) -> None:
        """Findings as people read them, and a summary."""
        screen = describe_screen()
        for checked in self:
            for line in show_findings(checked, **screen):
                print(line)
        self._sum_up()

    def write_json(self) -> None:
        """One line of JSON for each document."""
        for checked in self:
            sys.stdout.flush()
            sys.stdout.buffer.write(encode_checked(checked) + b"\n")

    def write_sarif(self) -> None:
        """One log."""
        found = [(checked.path, finding) for checked in self for finding in checked.findings]
        sys.stdout.flush()
        sys.stdout.buffer.write(encode_log(found, self.unread) + b"\n")

    def write_commands(self) -> None:
        """Workflow commands, and a summary for the log."""
        for checked in self:
            for finding in checked.findings:
                print(write_command(finding, checked.path))
        for path, finding in self.unread:
            print(write_command(finding, path))
        self._sum_up()

    def remember(self, path: str) -> int:
        """Write a baseline."""
        new = make_baseline((name_below(checked.path, path), checked) for checked in self)
        write_baseline(new, path)
        count = sum(self.counts.values())
        tell(f"wrote {count} {'finding' if count == 1 else 'findings'} to {path}")
        return 2 if self.documents.failed else 0

    def __iter__(self) -> Iterator[Checked]:
        for document in watch(self.documents):
            result = extract(document, links=self.options.links, times=self.options.times)
            checked = replace(check_document(result, self.selection), path=self.documents.path)
            if self.known is not None:
                checked = self.known.hide(checked, name_below(checked.path, self.baseline))
            for remark in checked.remarks:
                tell(f"note: {document.name}: {remark}")
            self.total += 1
            self.inconsistent += not checked.consistent
            self.hidden += checked.hidden
            for finding in checked.findings:
                self.counts[finding.code] += 1
                self.errors += finding.severity == ERROR
            yield checked

    def _sum_up(self) -> None:
        counts = self.counts + Counter(finding.code for _, finding in self.unread)
        for line in show_summary(self.total, self.inconsistent, counts, self.hidden):
            print(line)
