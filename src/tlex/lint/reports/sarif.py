"""Findings as a SARIF 2.1.0 log, the format that code scanners and editors read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import msgspec

from tlex._version import __version__
from tlex.lint.findings import Finding, Note
from tlex.lint.rules import ADVICE, ERROR, RULES, WARNING, Rule

__all__ = ["encode_log"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {ERROR: "error", WARNING: "warning", ADVICE: "note"}
_NUMBERS = {code: number for number, code in enumerate(RULES)}


def encode_log(
    found: Iterable[tuple[str, Finding]], unread: Iterable[tuple[str, Finding]]
) -> bytes:
    """Encode findings, each with the path of its file, as one SARIF log.

    ``unread`` are findings on files that could not be read. They are results too, and also
    notifications of the run, which then counts as not successful.
    """
    failed = list(unread)
    invocation: dict[str, Any] = {"executionSuccessful": not failed}
    if failed:
        invocation["toolExecutionNotifications"] = [_notify(*pair) for pair in failed]
    run = {
        "tool": {
            "driver": {
                "name": "tlex",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_describe(rule) for rule in RULES.values()],
            }
        },
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [_make_result(*pair) for pair in (*found, *failed)],
    }
    return msgspec.json.encode({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _describe(rule: Rule) -> dict[str, Any]:
    example = f"\n\n```xml\n{rule.example}```" if rule.example else ""
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": rule.explanation, "markdown": f"{rule.explanation}{example}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }


def _make_result(path: str, finding: Finding) -> dict[str, Any]:
    reasons = [note.message for note in finding.notes if note.line is None]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _NUMBERS[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": "\n".join((finding.message, *reasons))},
        "locations": [_locate(path, finding)],
        "partialFingerprints": {"tlex/v1": finding.fingerprint},
    }
    related = [note for note in finding.notes if note.line is not None]
    if related:
        result["relatedLocations"] = [
            {"id": number, **_locate(path, note), "message": {"text": note.message}}
            for number, note in enumerate(related, 1)
        ]
    return result


def _notify(path: str, finding: Finding) -> dict[str, Any]:
    return {
        "descriptor": {"id": finding.code},
        "level": "error",
        "message": {"text": finding.message},
        "locations": [_locate(path, finding)],
    }


def _locate(path: str, place: Finding | Note) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _write_uri(place.source or path)}}
    if place.line is not None:
        region = {"startLine": place.line, "startColumn": place.column}
        if isinstance(place, Finding) and place.end_line is not None:
            region |= {"endLine": place.end_line, "endColumn": place.end_column}
        physical["region"] = region
    return {"physicalLocation": physical}


def _write_uri(path: str) -> str:
    """Give a relative path as a relative reference, and an absolute one as a file URI."""
    if path == "-":
        return "stdin"
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    return quote(
        pure.as_posix(), errors="surrogateescape"
    )  # also a colon, which would end a scheme
