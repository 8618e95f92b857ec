"""tlex: exact, proven timelines from texts annotated with TimeML.

>>> import tlex
>>> document = tlex.from_links([("e1", "BEFORE", "e2"), ("e2", "BEFORE", "e3")])
>>> result = tlex.extract(document)
>>> result.timelines[0].points["e3-"]
(5, 5)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tlex._version import __version__

if TYPE_CHECKING:
    from tlex import corpus, draw
    from tlex.checker import verify
    from tlex.document import Document
    from tlex.errors import ReadError, TlexError, VerificationError
    from tlex.export import write
    from tlex.extraction import extract
    from tlex.lint import check
    from tlex.readers import from_links, parse, read, read_all
    from tlex.records import ExtractionRecord
    from tlex.repair import fix
    from tlex.timeline import Extraction, Timeline

__all__ = [
    "Document",
    "Extraction",
    "ExtractionRecord",
    "ReadError",
    "Timeline",
    "TlexError",
    "VerificationError",
    "__version__",
    "check",
    "corpus",
    "draw",
    "extract",
    "fix",
    "from_links",
    "parse",
    "read",
    "read_all",
    "verify",
    "write",
]

# Names are looked up when they are used, so that ``tlex --version`` need not load the library.
_HOMES = {
    "Document": "tlex.document",
    "Extraction": "tlex.timeline",
    "ReadError": "tlex.errors",
    "ExtractionRecord": "tlex.records",
    "Timeline": "tlex.timeline",
    "TlexError": "tlex.errors",
    "VerificationError": "tlex.errors",
    "check": "tlex.lint",
    "extract": "tlex.extraction",
    "fix": "tlex.repair",
    "from_links": "tlex.readers",
    "parse": "tlex.readers",
    "read": "tlex.readers",
    "read_all": "tlex.readers",
    "verify": "tlex.checker",
    "write": "tlex.export",
}


def __getattr__(name: str) -> object:
    if name in {"corpus", "draw"}:
        return import_module(f"tlex.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
