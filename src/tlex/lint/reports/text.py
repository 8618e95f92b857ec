"""Findings as text: ``path:line:column: CODE [name] message``, the source line, a caret, notes.

A finding about links also shows the sentences of their ends, with the words in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING

from tlex.lint.findings import Finding
from tlex.lint.rules import ADVICE, ERROR, RULES, WARNING
from tlex.quotation import quote
from tlex.source import Source
from tlex.wording import clean, count, fit, flow, list_lines, measure, plain

if TYPE_CHECKING:
    from tlex.lint.checks import CheckResult

__all__ = ["show_findings", "show_summary"]

_STYLES = {"title": "1", "bar": "34", ERROR: "31;1", WARNING: "33;1", ADVICE: "36;1"}
_NARROWEST = 40
_SENTENCES = 6
"""How many sentences of a finding are shown."""
_WIDEST = 8
"""How many bytes a column can take: a character of four bytes, with a combining mark."""


def show_findings(
    result: CheckResult,
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    head_width: float = inf,
) -> Iterator[str]:
    """Give the lines that show the findings; lines of the source are cut to ``width`` columns.

    The first line of a finding, which editors read, is broken only if ``head_width`` is given.
    """
    page = _Page(result, max(width, _NARROWEST), colour=colour, ascii_only=ascii_only)
    for finding in result.findings:
        yield from page.show(finding, head_width)


def show_summary(
    documents: int,
    inconsistent: int,
    counts: Mapping[str, int],
    hidden: int = 0,
    width: float = inf,
) -> Iterator[str]:
    """Give the lines of a summary: how many documents are contradictory, findings of each rule."""
    if documents:
        yield f"{inconsistent} of {documents} documents inconsistent"
    else:
        yield "no document was checked"
    digits = max((len(f"{count:,}") for count in counts.values()), default=0)
    for code in sorted(counts):
        words = [f"{RULES[code].name}:", *RULES[code].summary.split()]
        yield from list_lines(f"{counts[code]:>{digits},} {code} ", words, " ", width)
    if hidden:
        findings = "1 finding is" if hidden == 1 else f"{hidden:,} findings are"
        words = f"{findings} in the baseline and not shown".split()
        yield from list_lines("", words, " ", width)


class _Page:
    def __init__(self, result: CheckResult, width: int, *, colour: bool, ascii_only: bool) -> None:
        self.name = result.path
        self.document = result.document
        self.source = result.document.source
        self.width = width
        self.colour = colour
        self.ascii_only = ascii_only

    def show(self, finding: Finding, head_width: float) -> Iterator[str]:
        """Show a finding, and an empty line after it."""
        place = "" if finding.line is None else f":{finding.line}:{finding.column}"
        place = f": {self._clean(finding.source)}{place}" if finding.source else place
        head = self._paint("title", f"{self._clean(self.name)}{place}")
        code = self._paint(finding.severity, finding.code)
        message = f"{code} [{finding.name}] {self._clean(finding.message)}"
        yield from _wrap(f"{head}: ", message, " " * 4, head_width)
        if (
            self.source is not None
            and finding.line is not None
            and finding.offset is not None
            and not finding.source
        ):
            margin = len(str(finding.line))
            line, carets = self._excerpt(self.source, finding, self.width - margin - 3)
            bar = self._paint("bar", "|")
            yield f"{'':{margin}} {bar}"
            yield f"{finding.line} {bar} {line}".rstrip()
            yield f"{'':{margin}} {bar} {carets}"
        for sentence in self._quote(finding):
            yield from _wrap("  text: ", sentence, " " * 8, self.width)
        for note in finding.notes:
            yield from _wrap("  note: ", self._clean(note.message), " " * 8, self.width)
        yield ""

    def _quote(self, finding: Finding) -> Iterator[str]:
        """Give the sentences of the ends of the links that a finding is about."""
        if not finding.links:
            return
        sentences = quote(self.document, finding.nodes)
        for sentence in sentences[:_SENTENCES]:
            yield self._clean(sentence.replace("\u2026", "...") if self.ascii_only else sentence)
        if len(sentences) > _SENTENCES:
            yield f"and {count(len(sentences) - _SENTENCES, 'more sentence')}"

    def _excerpt(self, source: Source, finding: Finding, room: int) -> tuple[str, str]:
        """Give the line of the file at a finding, and the carets below it."""
        offset = finding.offset or 0
        around = _WIDEST * room
        first = max(offset - around, 0)
        before = _decode(source, first, offset)
        after = _decode(source, offset, offset + around)
        cut_left = first > 0 and not before.rpartition("\n")[1]
        before = before.rpartition("\n")[2]
        rest, ends, _ = after.partition("\n")
        cut_right = not ends and offset + around < len(source.data)
        size = 1
        if finding.end_offset is not None:
            marked = _decode(source, offset, min(finding.end_offset, offset + around))
            size = max(len(marked.partition("\n")[0].rstrip()), 1)
        # At most a third of the columns is for what stands before the finding.
        dots = "..." if self.ascii_only else "\u2026"
        lead, body = self._clean(before), self._clean(rest)
        if cut_left or (measure(lead) > room // 3 and measure(lead) + measure(body) > room):
            lead = dots + fit(lead[::-1], room // 3 - len(dots))[::-1]
        kept = body
        if cut_right or measure(lead) + measure(body) > room:
            kept = fit(body, room - measure(lead) - len(dots))
            body = kept + dots
        carets = "^" * max(measure(kept[:size]), 1)
        return lead + body, " " * measure(lead) + self._paint(finding.severity, carets)

    def _clean(self, words: str) -> str:
        words = clean(words.replace("\t", " "))
        if self.ascii_only and not words.isascii():
            words = "".join(c if c.isascii() else "?" for c in words)
        return words

    def _paint(self, style: str, words: str) -> str:
        return f"\x1b[{_STYLES[style]}m{words}\x1b[0m" if self.colour and words else words


def _decode(source: Source, first: int, last: int) -> str:
    """Decode the bytes between two offsets, with LF for every line end."""
    text = source.data[first:last].decode(source.encoding, "ignore")
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _wrap(head: str, words: str, indent: str, width: float) -> Iterator[str]:
    """Break words into lines; colours take no columns."""
    size = _measure_plain if "\x1b" in head + words else measure
    return flow(head, words.split(" "), indent, " ", width, size=size)


def _measure_plain(words: str) -> int:
    return measure(plain(words))
