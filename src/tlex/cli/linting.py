"""The work behind ``tlex check`` and ``tlex rule``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from tlex.cli.files import Documents, tell, watch
from tlex.cli.settings import find_configuration, name_below, read_baseline
from tlex.cli.terminal import describe_screen
from tlex.errors import ReadError
from tlex.extraction import choose_options, extract
from tlex.files import write_atomically
from tlex.lint import RULES, Checked, Finding, check_document, choose_rules, find_rule, find_unread
from tlex.lint.baseline import make_baseline
from tlex.lint.configuration import Configuration
from tlex.lint.manual import explain_rule
from tlex.lint.report_github import write_command
from tlex.lint.report_json import encode_checked
from tlex.lint.report_sarif import encode_log
from tlex.lint.report_text import show_findings, show_summary
from tlex.lint.rules import ERROR

__all__ = ["Readable", "Run", "choose_settings", "show_rules"]


def choose_settings(config: str | None, **given: Any) -> Configuration:  # noqa: ANN401
    """Take what was given on the command line, and the rest from the configuration file."""
    found = find_configuration(config)
    return replace(found, **{key: value for key, value in given.items() if value is not None})


def show_rules(asked: str | None, *, as_json: bool) -> str:
    """Explain a rule, or list them all."""
    rules = list(RULES.values()) if asked is None else [find_rule(asked)]
    if as_json:
        return "\n".join(
            msgspec.json.encode({**msgspec.to_builtins(rule), "group": rule.group}).decode()
            for rule in rules
        )
    if asked is None:
        return "\n".join(
            f"{rule.code} {rule.severity:<7} {rule.name}: {rule.summary}" for rule in rules
        )
    return explain_rule(rules[0])


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


class Run:
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

    def remember(self, path: str) -> None:
        """Write a baseline."""
        new = make_baseline((name_below(checked.path, path), checked) for checked in self)
        write_atomically(path, new.to_json())
        count = sum(self.counts.values())
        tell(f"wrote {count} {'finding' if count == 1 else 'findings'} to {path}")

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
