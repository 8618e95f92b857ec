"""The options and the output of ``tlex check``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tlex.cli.files import Documents, tell, watch
from tlex.cli.settings import find_configuration, name_below, read_baseline
from tlex.cli.terminal import describe_screen
from tlex.errors import ReadError
from tlex.extraction import choose_options
from tlex.files import write_atomically
from tlex.lint import CheckResult, Finding, check, choose_rules, find_unread
from tlex.lint.baseline import make_baseline
from tlex.lint.configuration import Configuration
from tlex.lint.reports.github import write_command
from tlex.lint.reports.sarif import encode_log
from tlex.lint.reports.text import show_findings, show_summary
from tlex.lint.rules import ERROR

__all__ = ["CheckRun", "Readable", "choose_settings"]


def choose_settings(config: str | None, **given: Any) -> Configuration:  # noqa: ANN401
    """Take what was given on the command line, and the rest from the configuration file."""
    found = find_configuration(config)
    return replace(found, **{key: value for key, value in given.items() if value is not None})


class Readable(Documents):
    """Documents, with a finding for each file that could not be read."""

    def __init__(
        self,
        arguments: list[str],
        *,
        max_bytes: int,
        reading: tuple[str | None, str | None, str | None],
    ) -> None:
        super().__init__(arguments, max_bytes=max_bytes, reading=reading)
        self.unread: list[tuple[str, Finding]] = []

    def refuse(self, error: ReadError) -> None:
        """Tell it, with the code of its rule."""
        finding = find_unread(error)
        self.unread.append((self.path, finding))
        place = str(error).removesuffix(error.message)
        self.fail(f"{place}{finding.code} {error.message}")


class CheckRun:
    """One run of the linter; what was found is counted as it is written."""

    def __init__(
        self,
        documents: Readable,
        settings: Configuration,
        *,
        remembering: bool = False,
    ) -> None:
        self.selection = choose_rules(settings.select, settings.ignore or (), settings.severity)
        links = ("TLINK", "ALINK") if settings.links is None else settings.links
        self.options = choose_options(links, settings.times or "interval")
        self.documents = documents
        self.remembering = remembering
        self.baseline = "" if remembering else settings.baseline or ""
        self.known = read_baseline(self.baseline) if self.baseline else None
        self.total = self.inconsistent = self.hidden = self.errors = 0
        self.counts: Counter[str] = Counter()

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        if self.documents.failed:
            return 2
        return 1 if self.errors and not self.remembering else 0

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
        for result in self:
            for line in show_findings(result, **screen):
                print(line)
        self._sum_up()

    def write_json(self) -> None:
        """One line of JSON for each document."""
        for result in self:
            sys.stdout.flush()
            sys.stdout.buffer.write(result.to_json() + b"\n")

    def write_sarif(self) -> None:
        """One log."""
        found = [(self.documents.path, finding) for result in self for finding in result]
        sys.stdout.flush()
        sys.stdout.buffer.write(encode_log(found, self.unread) + b"\n")

    def write_commands(self) -> None:
        """Workflow commands, and a summary for the log."""
        for result in self:
            for finding in result:
                print(write_command(finding, self.documents.path))
        for path, finding in self.unread:
            print(write_command(finding, path))
        self._sum_up()

    def remember(self, path: str) -> None:
        """Write a baseline."""
        new = make_baseline((name_below(self.documents.path, path), result) for result in self)
        write_atomically(path, new.to_json())
        count = sum(self.counts.values())
        tell(f"wrote {count} {'finding' if count == 1 else 'findings'} to {path}")

    def __iter__(self) -> Iterator[CheckResult]:
        for document in watch(self.documents):
            result = check(
                document,
                select=self.selection,
                links=self.options.links,
                times=self.options.times,
            )
            if self.known is not None:
                result = result.hide(self.known, name_below(self.documents.path, self.baseline))
            for remark in result.remarks:
                tell(f"note: {document.name}: {remark}")
            self.total += 1
            self.inconsistent += not result.consistent
            self.hidden += result.hidden
            for finding in result:
                self.counts[finding.code] += 1
                self.errors += finding.severity == ERROR
            yield result

    def _sum_up(self) -> None:
        counts = self.counts + Counter(finding.code for _, finding in self.unread)
        for line in show_summary(self.total, self.inconsistent, counts, self.hidden):
            print(line)
