"""``tlex check``: a linter for temporal annotation."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tlex.cli.command import command, option
from tlex.cli.documents import Documents
from tlex.cli.options import (
    PATH,
    Reading,
    Reasoning,
    json_option,
    paths_argument,
    reading_options,
    reasoning_options,
    split_words,
)
from tlex.cli.progress import show_progress
from tlex.cli.terminal import describe_screen, line_width, print_message, write_bytes
from tlex.errors import OptionError, ReadError
from tlex.extraction import choose_options
from tlex.files import write_atomically
from tlex.lint import CheckResult, Finding, check, choose_rules
from tlex.lint.baseline import make_baseline
from tlex.lint.configuration import Configuration
from tlex.lint.files import name_below, read_baseline, read_configuration
from tlex.lint.reading import find_unread
from tlex.lint.reports.github import write_command
from tlex.lint.reports.text import show_findings, show_summary
from tlex.lint.rules import ERROR
from tlex.wording import count

__all__ = ["check_command"]


@command(example="check corpus/ --all --ignore TLX305")
@paths_argument
@option("--all", "everything", is_flag=True, help="Add advice: guidelines and connectivity.")
@option(
    "--select",
    type=split_words,
    metavar="RULE,...",
    help="Use only these rules: codes, beginnings of codes, or names.",
)
@option("--ignore", type=split_words, metavar="RULE,...", help="Leave out these rules.")
@json_option
@option("--sarif", "as_sarif", is_flag=True, help="Write one SARIF 2.1.0 log.")
@option("--github", "as_github", is_flag=True, help="Write workflow commands of GitHub Actions.")
@option("--baseline", type=PATH, metavar="FILE", help="Hide the findings listed in this file.")
@option(
    "--write-baseline",
    "new_baseline",
    type=PATH,
    metavar="FILE",
    help="Write the findings to this file, to hide them later.",
)
@option(
    "--config",
    type=PATH,
    metavar="FILE",
    help="Use this tlex.toml or pyproject.toml, not the nearest one.",
)
@reasoning_options(calendar=True, defaults=False)
@reading_options(strict=False)
def check_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    everything: bool,
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...] | None,
    as_json: bool,
    as_sarif: bool,
    as_github: bool,
    baseline: str | None,
    new_baseline: str | None,
    config: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Check documents for errors and contradictions.

    Warnings are shown too; advice is shown with --all. Options may stand in tlex.toml, or in
    pyproject.toml under [tool.tlex].

    Exit code 0: no errors; 1: errors found, including contradictions; 2: something could not be
    read or done.
    """
    if as_json + as_sarif + as_github > 1:
        raise OptionError("choose one of --json, --sarif and --github")
    if everything and select is not None:
        raise OptionError("choose one of --all and --select")
    if baseline is not None and new_baseline is not None:
        raise OptionError("choose one of --baseline and --write-baseline")
    settings = _choose_settings(
        config,
        select=("ALL",) if everything else select,
        ignore=ignore,
        links=reasoning.links,
        times=reasoning.times,
        calendar=reasoning.calendar,
        baseline=baseline,
    )
    run = _CheckRun(
        _Readable(paths, reading),
        settings,
        writing_baseline=new_baseline is not None,
    )
    if new_baseline is not None:
        run.write_baseline(new_baseline)
    elif as_json:
        run.write_json()
    elif as_sarif:
        run.write_sarif()
    elif as_github:
        run.write_commands()
    else:
        run.write_text()
    return run.exit_code


def _choose_settings(config: str | None, **given: Any) -> Configuration:  # noqa: ANN401
    """Take what was given on the command line, and the rest from the configuration file."""
    found = read_configuration(config)
    return replace(found, **{key: value for key, value in given.items() if value is not None})


class _Readable(Documents):
    """Documents, with a finding for each file that could not be read."""

    def __init__(self, arguments: Sequence[str], reading: Reading) -> None:
        super().__init__(arguments, reading)
        self.unread: list[tuple[str, Finding]] = []

    def refuse(self, error: ReadError) -> None:
        """Print that a file could not be read, with the code of its rule."""
        finding = find_unread(error)
        self.unread.append((self.path, finding))
        place = str(error).removesuffix(error.message)
        self.fail(f"{place}{finding.code} {error.message}")


class _CheckRun:
    """One run of the linter; what was found is counted as it is written."""

    def __init__(
        self,
        documents: _Readable,
        settings: Configuration,
        *,
        writing_baseline: bool = False,
    ) -> None:
        self.selection = choose_rules(settings.select, settings.ignore or (), settings.severity)
        links = ("TLINK", "ALINK") if settings.links is None else settings.links
        self.options = choose_options(links, settings.times or "interval")
        self.calendar = bool(settings.calendar)
        self.documents = documents
        self.writing_baseline = writing_baseline
        self.baseline = "" if writing_baseline else settings.baseline or ""
        self.known = read_baseline(self.baseline) if self.baseline else None
        self.total = self.inconsistent = self.hidden = self.errors = 0
        self.counts: Counter[str] = Counter()

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        if self.documents.failed:
            return 2
        return 1 if self.errors and not self.writing_baseline else 0

    @property
    def unread(self) -> list[tuple[str, Finding]]:
        """The findings about files that could not be read, as far as these rules are selected."""
        wanted = self.selection.wanted
        return [
            (path, finding) for path, finding in self.documents.unread if finding.code in wanted
        ]

    def write_text(self) -> None:
        """Print the findings for people, and a summary."""
        screen = describe_screen()
        for result in self:
            with self.documents.guard(result.path):
                lines = show_findings(result, **screen, head_width=line_width())
                sys.stdout.writelines(f"{line}\n" for line in lines)
        self._sum_up()

    def write_json(self) -> None:
        """Write one line of JSON for each document."""
        for result in self:
            write_bytes(result.to_json() + b"\n")

    def write_sarif(self) -> None:
        """Write one SARIF log."""
        from tlex.lint.reports.sarif import encode_log  # noqa: PLC0415 -- not light

        found = [(self.documents.path, finding) for result in self for finding in result]
        write_bytes(encode_log(found, self.unread) + b"\n")

    def write_commands(self) -> None:
        """Print workflow commands, and a summary for the log."""
        for result in self:
            for finding in result:
                print(write_command(finding, self.documents.path))
        for path, finding in self.unread:
            print(write_command(finding, path))
        self._sum_up()

    def write_baseline(self, path: str) -> None:
        """Write the findings to a file, to hide them later."""
        new = make_baseline((name_below(self.documents.path, path), result) for result in self)
        write_atomically(path, new.to_json())
        print_message(f"wrote {count(sum(self.counts.values()), 'finding')} to {path}")

    def __iter__(self) -> Iterator[CheckResult]:
        for document in show_progress(self.documents):
            result = None
            with self.documents.guard(document.name):
                result = check(
                    document,
                    select=self.selection,
                    links=self.options.links,
                    times=self.options.times,
                    calendar=self.calendar,
                )
                if self.known is not None:
                    result = result.hide(self.known, name_below(self.documents.path, self.baseline))
            if result is None:
                continue
            for remark in result.remarks:
                print_message(f"note: {document.name}: {remark}")
            self.total += 1
            self.inconsistent += not result.consistent
            self.hidden += result.hidden
            for finding in result:
                self.counts[finding.code] += 1
                self.errors += finding.severity == ERROR
            yield result

    def _sum_up(self) -> None:
        counts = self.counts + Counter(finding.code for _, finding in self.unread)
        width = line_width()
        for line in show_summary(self.total, self.inconsistent, counts, self.hidden, width):
            print(line)
