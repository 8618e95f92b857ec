"""Everything that tlex raises on purpose.

::

    TlexError
    ├── ReadError               a document that cannot be read; knows its place
    │   ├── NotRecognisedError  no reader knows the format
    │   ├── NotWellFormedError  XML that is broken, or bytes that are not the declared encoding
    │   ├── RefusedError        not safe or not supported: entities
    │   │   └── TooLargeError   over a limit: size, depth, length of an attribute
    │   └── StrictError         an error diagnostic under ``strict=True``
    ├── OptionError             a wrong argument or option; also a ValueError
    │   ├── UnknownNameError    a name that is not there; also a KeyError
    │   └── AmbiguousError      words that several events or times have
    ├── WriteError              a file that cannot be written
    ├── PatchError              a patch that does not fit its file
    ├── ComparisonError         two documents that cannot be compared: their texts differ
    └── VerificationError       the independent checker rejects an answer

A contradictory document is none of these: it is an answer.
"""

from __future__ import annotations

__all__ = [
    "AmbiguousError",
    "ComparisonError",
    "NotRecognisedError",
    "NotWellFormedError",
    "OptionError",
    "PatchError",
    "ReadError",
    "RefusedError",
    "StrictError",
    "TlexError",
    "TooLargeError",
    "UnknownNameError",
    "VerificationError",
    "WriteError",
]


_LISTED = 10


class TlexError(Exception):
    """The root of all errors that tlex raises on purpose."""


class ReadError(TlexError):
    """A document that cannot be read, with the place where reading stopped.

    ``str(error)`` is the whole message, ``name:line:column: message``; the parts are attributes.
    """

    def __init__(
        self,
        message: str,
        *,
        name: str = "",
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.message = message
        self.name = name
        self.line = line
        self.column = column
        places = [name or "<document>", *(str(n) for n in (line, column) if n is not None)]
        super().__init__(f"{':'.join(places)}: {message}")

    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the parts, so that the error survives a process boundary."""
        return _rebuild, (type(self), self.message, self.name, self.line, self.column)


class NotRecognisedError(ReadError):
    """No reader recognises the format."""


class NotWellFormedError(ReadError):
    """The XML is broken, or the bytes are not in the encoding they claim."""


class RefusedError(ReadError):
    """The document is too large or too deep, or declares entities."""


class TooLargeError(RefusedError):
    """The document, or something in it, is over a limit."""


class StrictError(ReadError):
    """A diagnostic of severity error, raised because the caller asked for ``strict=True``."""


class OptionError(TlexError, ValueError):
    """A wrong argument or option: a request that cannot be met."""


class UnknownNameError(OptionError, KeyError):
    """A name that is not there: of an event, a time, a link, a table, a rule."""

    def __str__(self) -> str:  # a KeyError would show the repr of its message
        return Exception.__str__(self)


class AmbiguousError(OptionError):
    """Words that several events or times have; ``candidates`` describes each of them.

    ``str(error)`` lists the first few; ``message`` is without the list.
    """

    def __init__(self, message: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.candidates = candidates

    def __str__(self) -> str:
        listed = "; ".join(self.candidates[:_LISTED])
        more = len(self.candidates) - _LISTED
        rest = f" and {more} more" if more > 0 else ""
        return f"{self.message}: {listed}{rest}" if listed else self.message


class WriteError(TlexError):
    """A file that cannot be written, or a document that cannot be written as TimeML."""


class PatchError(TlexError):
    """A patch that is broken, or that does not fit the file it is applied to."""


class ComparisonError(TlexError):
    """Two documents that cannot be compared, such as annotations of different texts."""


class VerificationError(TlexError):
    """The independent checker rejects an answer; the message names the first wrong thing."""


def _rebuild(
    kind: type[ReadError], message: str, name: str, line: int | None, column: int | None
) -> ReadError:
    return kind(message, name=name, line=line, column=column)
