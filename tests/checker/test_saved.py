"""Saved results become the same records in whatever way they were written."""

from __future__ import annotations

import json
from functools import cache

import msgspec
import pytest
from commands import CONTRADICTION, STORY

import tlex
from tlex.checker.saved import decode
from tlex.errors import OptionError


@cache
def list_saved() -> dict[str, bytes]:
    """A saved result of each kind."""
    document = tlex.read(STORY)
    result = tlex.extract(document, calendar=True)
    pair = ("ei1", "ei2")
    return {
        "extract": result.to_json(),
        "relation": result.answer(relation=result.relation(*pair)).to_json(),
        "why": result.answer(why=result.why(*pair)).to_json(),
        "closure": result.answer(closure=result.closure()).to_json(),
        "reduce": result.answer(reduction=result.reduction()).to_json(),
        "events": result.answer(events=result.events(after="ei1")).to_json(),
        "fix": tlex.fix(tlex.read(CONTRADICTION)).to_json(),
        "decode": tlex.decode(tlex.read(CONTRADICTION)).to_json(),
    }


KINDS = pytest.mark.parametrize("kind", list(list_saved()))


def list_forms(plain: dict) -> list[bytes | str | dict]:
    """The same JSON object as bytes, as text, with white space, and as plain data."""
    short = msgspec.json.encode(plain)
    return [short, short + b"\r\n", short.decode(), json.dumps(plain, indent=1), plain]


@KINDS
def test_every_form_gives_the_record_that_was_written(kind):
    plain = msgspec.json.decode(list_saved()[kind])

    for form in (list_saved()[kind], *list_forms(plain)):
        record, unchecked = decode(form)
        assert msgspec.json.decode(msgspec.json.encode(record)) == plain
        assert unchecked == []


@KINDS
def test_in_every_form_an_unknown_field_is_found(kind):
    plain = msgspec.json.decode(list_saved()[kind]) | {"mood": "good"}

    for form in list_forms(plain):
        assert decode(form)[1] == ["the field 'mood', which this version does not know"]


@pytest.mark.parametrize("kind", ["relation", "why", "closure", "reduce", "events"])
def test_in_every_form_a_missing_field_is_found(kind):
    plain = msgspec.json.decode(list_saved()[kind])
    del plain["mended"]

    for form in list_forms(plain):
        assert decode(form)[1] == ["the field 'mended', which is missing"]


@KINDS
def test_in_every_form_an_unknown_option_is_refused(kind):
    plain = msgspec.json.decode(list_saved()[kind])
    plain["options"]["fast"] = 1

    for form in list_forms(plain):
        with pytest.raises(OptionError, match=r"'options\.fast' is not known to this version"):
            decode(form)


def test_a_member_that_comes_twice_counts_once_the_last_time():
    saved = list_saved()["closure"]
    twice = saved[:-1] + b',"tlex":"9.9.9"}'

    record, unchecked = decode(twice)

    assert (record.tlex, unchecked) == ("9.9.9", [])


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        (b"", "not a JSON object: "),
        (b"[1]", "^not a JSON object$"),
        (b'"schema"', "^not a JSON object$"),
        (b'{"schema": "tlex/1"} {}', "not a JSON object: "),
        (b'{"schema": "tlex/1", "removed": [}', "not a JSON object: "),
        (b'{"schema": "tlex/1", "removed": [\xff]}', "not a JSON object: "),
        (b'{"schema": "\xff"}', "not a JSON object: "),
        (b'{"schema": ' + b"[" * 100_000, "not a JSON object: "),
        (b'{"removed": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not a JSON object: "),
        (b'{"schema": "tlex/1"}', "this kind of result cannot be verified"),
        (b'{"schema": "tlex/1", "removed": 1}', "not a result of schema tlex/1: "),
        ('{"schema": ["tlex/1"]}', "of schema "),
        ({"schema": "tlex/1", "removed": {1: 2}}, "not a result of schema tlex/1: "),
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused_with_the_reason(saved, message):
    with pytest.raises(OptionError, match=message):
        decode(saved)
