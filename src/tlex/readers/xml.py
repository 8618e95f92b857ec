"""XML for all formats that use it: expat, with protection against hostile files.

Entity declarations are refused, nothing outside the file is ever loaded, and depth, attributes
and declarations have limits. Expat gives the byte offset of everything.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import lru_cache
from xml.parsers import expat

from tlex.errors import NotWellFormedError, ReadError, RefusedError, TooLargeError
from tlex.markup import DOCTYPE, Markup, scan
from tlex.nouns import Code
from tlex.readers.diagnostics import Diagnostics
from tlex.source import Source

__all__ = [
    "MAX_ATTRIBUTE",
    "MAX_DEPTH",
    "XmlElement",
    "check_element",
    "check_utf_16",
    "detect_encoding",
    "find_root",
    "list_elements",
    "make_doctype_handler",
    "name_encoding",
    "open_source",
    "refuse",
    "run_parser",
]

_WIDE = frozenset(("utf-16-le", "utf-16-be"))
MAX_DEPTH = 256
MAX_ATTRIBUTE = 1 << 20
MAX_DECLARATIONS = 128
"""How many attributes an internal DTD may declare. Each costs time at every element."""

_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
_PROLOG = re.compile(rf"(?:[\s\ufeff]|<\?.*?\?>|<!--.*?-->|{DOCTYPE})*+", re.DOTALL)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][\w.:-]*)["']""")
_ENTITY = re.compile(r"&([^\s;#&<>]+);")
_PREDEFINED = frozenset(("amp", "lt", "gt", "quot", "apos"))
_ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "ascii": "US-ASCII",
    **{f"iso8859-{number}": f"ISO-8859-{number}" for number in (*range(1, 12), *range(13, 17))},
    **{f"cp{number}": f"windows-{number}" for number in range(1250, 1259)},
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "kz1048": "KZ-1048",
    "ptcp154": "PTCP154",
    "mac-roman": "macintosh",
    "hp-roman8": "hp-roman8",
    "tis-620": "TIS-620",
    **{
        f"cp{number}": f"IBM{number}"
        for number in (437, 775, 850, 852, 855, 857, 860, 861, 862, 863, 865, 866, 869)
    },
}
"""The encodings that XML, expat and Python share, and what XML calls them.

Python has others that are no encodings of characters (``unicode_escape``), that write what they do
not read (``utf-8-sig``), or in which a byte is no character by itself (``hz``). In those below,
except in UTF-8 and UTF-16, each byte is one character, and the first 128 are ASCII.
"""
_AT_THE_END = frozenset(
    (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
)
"""What expat says only at the end of a file."""


class XmlElement:
    """An element: its name, attributes, byte offset, parent, and the words right inside it."""

    __slots__ = ("attributes", "name", "parent", "parts", "start")

    def __init__(
        self, name: str, attributes: dict[str, str], start: int, parent: XmlElement | None
    ) -> None:
        self.name = name
        self.attributes = attributes
        self.start = start
        self.parent = parent
        self.parts: list[str] = []

    @property
    def text(self) -> str:
        """The character data right inside the element, without that of other elements in it."""
        return "".join(self.parts)


@lru_cache(maxsize=2)  # several readers ask for it one after another
def find_root(head: str) -> str | None:
    """Find the name of the root element at the beginning of an XML file; None if there is none.

    A file is XML only if its first character is ``<``, after a byte-order mark and blanks. Stray
    words between the declaration and the root make it broken XML.
    """
    if not head.lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    root = _ROOT.search(head, _skip_prolog(head))
    return None if root is None else root[1]


def open_source(data: bytes, name: str, encoding: str | None) -> tuple[Markup, str | None]:
    """Give the bytes as a source, and the encoding to give to expat.

    ``encoding`` overrules what the file declares; a byte-order mark overrules both.
    """
    if data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8"
    found = encoding or detect_encoding(data)
    if encoding is None and found not in _WIDE:
        declared = _find_declared(data)
        if declared is not None and _find_codec(declared) is None:
            message = (
                f"the declared encoding {declared!r:.80} is none that XML and tlex share; "
                "write the file in UTF-8"
            )
            raise NotWellFormedError(message, name=name, line=1, column=1)
        if declared is not None and found == "utf-8" and declared.lower() != "utf-8":
            encoding = "utf-8"  # as "utf8", which expat does not know
    source = Markup(data, found)
    if source.encoding.startswith("utf-16"):
        check_utf_16(source, name)
    return source, encoding


def detect_encoding(data: bytes) -> str:
    """Find the encoding of an XML file: by its first bytes, by its declaration, or UTF-8."""
    if data.startswith(codecs.BOM_UTF16_LE) or data[1:2] == b"\0":
        return "utf-16-le"
    if data.startswith((codecs.BOM_UTF16_BE, b"\0")):
        return "utf-16-be"
    declared = None if data.startswith(codecs.BOM_UTF8) else _find_declared(data)
    codec = None if declared is None else _find_codec(declared)
    return "utf-8" if codec in {None, "utf-16"} else codec  # expat reports a wrong UTF-16


def name_encoding(codec: str) -> str:
    """What XML calls an encoding that `detect_encoding` has found."""
    return _ENCODINGS["utf-16" if codec in _WIDE else codec]


def _find_declared(data: bytes) -> str | None:
    """Find the encoding that an XML declaration names."""
    declared = _DECLARED.match(data, 0, 1024) if data.find(b"encoding", 0, 1024) >= 0 else None
    return None if declared is None else declared[1].decode("ascii")


def _find_codec(declared: str) -> str | None:
    """Find Python's codec for an encoding that XML may have; None if there is none."""
    try:
        codec = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return None
    return codec if codec in _ENCODINGS else None


def check_utf_16(source: Source, name: str) -> None:
    """Refuse half a surrogate pair, which expat lets pass."""
    try:
        source.data.decode(source.encoding)
    except UnicodeDecodeError as error:
        before = Source(source.data[: error.start], source.encoding)  # what follows may be as bad
        line, column = before.position(error.start)
        message = f"not well-formed XML: {error.reason} in UTF-16"
        raise NotWellFormedError(message, name=name, line=line, column=column) from None


def list_elements(
    source: Source, diagnostics: Diagnostics, encoding: str | None, *, separator: str | None = None
) -> list[XmlElement]:
    """Parse a file, and list its elements in the order of the file.

    With a ``separator``, names are those of namespaces: the URI, the separator, the local name.
    """
    parser = expat.ParserCreate(encoding, separator)
    parser.buffer_text = True
    parser.specified_attributes = True
    found: list[XmlElement] = []
    stack: list[XmlElement] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        parent = stack[-1] if stack else None
        element = XmlElement(name, attributes, parser.CurrentByteIndex, parent)
        stack.append(element)
        too_large = check_element(name, attributes, len(stack))
        if too_large:
            refuse(too_large, parser, source, diagnostics, TooLargeError)
        found.append(element)

    def end(_name: str) -> None:
        stack.pop()

    def add(text: str) -> None:
        if stack:
            stack[-1].parts.append(text)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = add
    parser.StartDoctypeDeclHandler = make_doctype_handler(parser, source, add, diagnostics)
    run_parser(parser, source, diagnostics)
    return found


def run_parser(parser: expat.XMLParserType, source: Source, diagnostics: Diagnostics) -> None:
    """Parse the file, and turn expat's errors into our own."""
    try:
        parser.Parse(source.data, True)  # noqa: FBT003 -- expat's own signature
    except expat.ExpatError as error:
        raise _explain(error, parser.ErrorByteIndex, source, diagnostics.name) from None
    except (LookupError, ValueError) as error:
        message = f"the declared encoding cannot be read ({error}); UTF-8 can"
        raise NotWellFormedError(message, name=diagnostics.name, line=1, column=1) from None
    finally:  # the handlers refer to the parser and it to them
        parser.StartElementHandler = parser.EndElementHandler = None
        parser.CharacterDataHandler = parser.EntityDeclHandler = None
        parser.AttlistDeclHandler = parser.SkippedEntityHandler = None
        parser.StartDoctypeDeclHandler = None
    if diagnostics.has_external_dtd:
        _report_entities_in_tags(source, diagnostics)


def refuse(
    message: str,
    parser: expat.XMLParserType,
    source: Source,
    diagnostics: Diagnostics,
    error: type[RefusedError] = RefusedError,
) -> None:
    """Raise an error that names the place where the parser is."""
    line, column = source.position(parser.CurrentByteIndex)
    raise error(message, name=diagnostics.name, line=line, column=column)


def check_element(element: str, attributes: dict[str, str], depth: int) -> str | None:
    """Say what is too large about an element: its depth, or an attribute; None if nothing is."""
    if depth > MAX_DEPTH:
        return f"elements are nested more than {MAX_DEPTH} deep"
    if any(len(value) > MAX_ATTRIBUTE for value in attributes.values()):
        return f"an attribute of {element[:80]!r} is longer than {MAX_ATTRIBUTE:,} characters"
    return None


def make_doctype_handler(
    parser: expat.XMLParserType,
    source: Source,
    add: Callable[[str], object],
    diagnostics: Diagnostics,
) -> Callable[[str, str | None, str | None, bool], None]:
    """Make the handler that expat calls when a DOCTYPE begins, which may declare anything.

    Only a file with a DOCTYPE can have entities; expat refuses all others by itself. ``add`` adds a
    reference to an undefined entity to the text.
    """

    def begin_doctype(_name: str, system: str | None, public: str | None, _internal: bool) -> None:  # noqa: FBT001
        parser.EntityDeclHandler = declare_entity
        parser.AttlistDeclHandler = declare_attribute
        parser.SkippedEntityHandler = skip_entity
        diagnostics.has_external_dtd = bool(system or public)

    def declare_entity(entity: str, *_: object) -> None:
        message = f"entity {entity[:80]!r} is declared, and entity declarations are not accepted"
        refuse(message, parser, source, diagnostics)

    declared = 0

    def declare_attribute(*_: object) -> None:
        nonlocal declared
        declared += 1
        if declared > MAX_DECLARATIONS:
            message = f"more than {MAX_DECLARATIONS} attributes are declared"
            refuse(message, parser, source, diagnostics, TooLargeError)

    def skip_entity(entity: str, _is_parameter: bool) -> None:  # noqa: FBT001 -- expat calls it
        add(f"&{entity};")
        message = f"entity {entity!r} is defined outside the file and stays as it is written"
        diagnostics.add(Code.UNEXPANDED_ENTITY, parser.CurrentByteIndex, message)

    return begin_doctype


def _skip_prolog(head: str) -> int:
    """Find where the root begins: behind declaration, comments, instructions and DOCTYPE."""
    prolog = _PROLOG.match(head)
    return prolog.end() if prolog else 0


def _report_entities_in_tags(source: Source, diagnostics: Diagnostics) -> None:
    """Report entities inside tags that only an external DTD could define: expat drops them.

    The file is well-formed: what begins in it ends.
    """
    if b"&" not in source.data:
        return
    for token in scan(source):
        for entity in _ENTITY.finditer(token.text if token.kind == "open" else ""):
            if entity[1] not in _PREDEFINED:
                before = token.text[: entity.start()].encode(source.encoding)
                message = (
                    f"entity {entity[1]!r} is defined outside the file and is missing from an "
                    "attribute"
                )
                diagnostics.add(Code.UNEXPANDED_ENTITY, token.start + len(before), message)


def _explain(error: expat.ExpatError, offset: int, source: Source, name: str) -> ReadError:
    line, column = source.position(max(0, min(offset, len(source.data))))
    what = expat.ErrorString(error.code) or "unknown error"
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
        message = "the file uses an entity that XML does not define by itself"
        return RefusedError(message, name=name, line=line, column=column)
    if what in _AT_THE_END:
        what += "; the file seems to be cut off"
    return NotWellFormedError(f"not well-formed XML: {what}", name=name, line=line, column=column)
