"""Files that are no documents, or that tlex knows and does not read: what they are.

A file is told by its first characters. The reasons stand in the error about a file, and say what
can be read in its place.
"""

from __future__ import annotations

import codecs
import re

from tlex.readers.xml import find_root

__all__ = ["explain_other", "is_binary"]

_LOOK_AT = 8 << 10
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF_16 = tuple(pair for c in b"<{[ \t\r\n" for pair in (bytes((c, 0)), bytes((0, c))))
"""How XML and JSON begin in UTF-16 without a byte-order mark."""

_ROOTS = {
    "schema": "it is an XML Schema or one of Anafora's, not an annotated text",
    "setting": "it has settings of Anafora, not an annotated text",
    "typeSystemDescription": "it is a type system of UIMA, without an annotated text",
    "data": "it has the root of Anafora's format, and no annotation of it",
    "Document": "it has the root of CAT's format, and no annotation of it",
    "story": "it has the root of Story Workbench's format, and no annotation of it",
    "html": "it is a web page",
    "svg": "it is a picture",
}
_SHELL = re.compile(r"<TEXT\s*(?:/>|>\s*</TEXT>)\s*<TAGS\s*(?:/>|>)")
_EMPTY_TASK = "it has the form of MAE's format, and no text"
_CONVERT = "convert its links to tlex's JSON first"
_BEGINNINGS = {
    r"%PDF-": "it is a PDF file",
    r"\{\\rtf": "it is an RTF file",
    r"# ?fileName\b": (
        "it is a table of EstTimeML, whose documents are spread over several tables; "
        + _CONVERT.replace("its", "their")
    ),
    r"filename:[^\n]*:SNT_LIST": f"it is a temporal dependency graph (TDG); {_CONVERT}",
    r"filename:[^\n:]+\n": "it is a text of temporal dependency trees (TDT), without annotation",
    r"#(?s:.{0,8000}?)^[ \t]*# ?(?:sentence level graph|document level annotation):": (
        "it is a Uniform Meaning Representation (UMR); few of them have temporal relations; "
        + _CONVERT.replace("its", "these")
    ),
    r"[^\t\n]++\t(?:-?\d+\t){3}[\w-]+\t(?:-?\d+\t){3}[\w-]+\s*$": (
        f"it is a temporal dependency tree (TDT); {_CONVERT}"
    ),
    r"_unit_id,": "it has votes of MATRES on verbs, and no relations; its tables can be read",
    r"[et]\d+\t[et]\d+\t[a-z]{0,2}\s*$": (
        "it is a table of one document without the document's name; the table of all documents, "
        "with the name in the first column, can be read"
    ),
    r"[^\t\n]++\te\d+\te\d+\t\w{1,2}\t[^\t\n]+\s*$": (
        "it repeats rows of another table, with a column more; read that table, "
        "or this one with --format dense"
    ),
    r"[^\t\n]*+\n\d+\t[\dX-]+\t[\w-]+-\d+-[\w-]+": (
        "it is a gold time line of SemEval-2015 Task 4, which crosses documents"
    ),
    r"\d+\|[^|\n]+\|IS [^|\n]+\|": "it is a set of questions of QA-TempEval",
    r'\{\s*"main_doc"': "it is input of the annotation tool EventFull; its exports can be read",
    (
        r"(?:#[^\n]*\n\s*)*+\[(?:entities|relations|events|attributes|spans|labels|drawing|options|"
        r"search|annotators|normalization|disambiguation|aliases)\]"
    ): "it is a configuration of brat",
}
_BEGINNING = re.compile(
    "|".join(f"(?P<r{number}>{pattern})" for number, pattern in enumerate(_BEGINNINGS)),
    re.MULTILINE,
)
_REASONS = tuple(_BEGINNINGS.values())
_BRACED = 100
_PLACEMENTS = '"event_order"'
_NARRATIVETIME = (
    "it is NarrativeTime's JSON, which places events and has no links; its TimeML files can be read"
)


def is_binary(data: bytes) -> bool:
    """Whether a file is no text: it has a NUL near its beginning and is not in UTF-16 or 32.

    XML with a NUL is broken XML, and its reader names the place.
    """
    if data.find(b"\0", 0, _LOOK_AT) < 0 or data.startswith((*_MARKS, *_UTF_16)):
        return False
    return not data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")


def explain_other(head: str) -> str | None:
    """Say what a file is that no reader recognises, if it is known; None if it is not."""
    head = head.lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        root = find_root(head)
        known = _ROOTS.get((root or "").rpartition(":")[2])
        return known or (_EMPTY_TASK if _SHELL.search(head) else None)
    if head.startswith("{") and _PLACEMENTS in head:
        return _NARRATIVETIME
    end = _BRACED if head.startswith("{") else len(head)  # JSON may be one very long line
    found = _BEGINNING.match(head, 0, end)
    return _REASONS[int((found.lastgroup or "r0")[1:])] if found else None
