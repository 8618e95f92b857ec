"""What is wrong with a document that can still be read: readers note it here and read on."""

from __future__ import annotations

from tlex.document import Code, Diagnostic, Document, Source
from tlex.errors import StrictError

__all__ = ["Diagnostics", "raise_first_error", "show"]


class Diagnostics:
    """Collects what is wrong with a document: the name and the file are the document's."""

    def __init__(self, name: str, source: Source | None) -> None:
        self.name = name
        self.source = source
        self.has_external_dtd = False  # one that could define entities
        self.found: list[Diagnostic] = []

    def add(self, code: Code, start: int, message: str, hint: str | None = None) -> None:
        """Note what is wrong with the element at a byte offset, and perhaps what would help."""
        line, column = self.position(start)
        diagnostic = Diagnostic(
            code=code,
            severity=code.severity,
            line=line,
            column=column,
            message=message,
            hint=hint,
            offset=None if line is None else start,
        )
        self.found.append(diagnostic)

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a byte offset; two Nones where there is no file."""
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """Give all diagnostics, by place in the file."""
        return tuple(sorted(self.found, key=lambda problem: problem.offset or 0))


def show(name: str) -> str:
    """Write an id as it stands in a message: bare if it is an ordinary word, else quoted."""
    return name if name.isprintable() and " " not in name and name else repr(name)


def raise_first_error(document: Document) -> None:
    """Raise the first diagnostic of severity ``error``, if there is one: reading was strict."""
    for problem in document.diagnostics:
        if problem.severity == "error":
            text = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
            name = f"{document.name}: {problem.source}" if problem.source else document.name
            raise StrictError(text, name=name, line=problem.line, column=problem.column)
