"""What is wrong with a document that can still be read: readers note it here and read on."""

from __future__ import annotations

from tlex.document import Code, Diagnostic, Document, Source
from tlex.errors import StrictError

__all__ = ["Diagnostics", "raise_first_error", "show"]


class Diagnostics:
    """Collects what is wrong with a document."""

    def __init__(self, name: str, source: Source | None) -> None:
        self.name = name
        self.source = source
        self.has_external_dtd = False  # one that could define entities
        self.found: list[Diagnostic] = []

    def add(self, code: Code, start: int, message: str, hint: str | None = None) -> None:
        """Note a problem at a byte offset."""
        line, column = self.position(start)
        offset = None if line is None else start
        self.found.append(Diagnostic(code, code.severity, line, column, message, hint, offset))

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a byte offset; two Nones where there is no file."""
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """Give what was found, by place in the file."""
        return tuple(sorted(self.found, key=lambda problem: problem.offset or 0))


def show(name: str) -> str:
    """An id as it may stand in a message: bare if it is an ordinary word, else quoted."""
    return name if name.isprintable() and " " not in name and name else repr(name)


def raise_first_error(document: Document) -> None:
    """Raise the first diagnostic of severity error, if there is one: what ``strict`` asks for."""
    for problem in document.diagnostics:
        if problem.severity == "error":
            text = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
            raise StrictError(text, name=document.name, line=problem.line, column=problem.column)
