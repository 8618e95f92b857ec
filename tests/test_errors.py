"""What tlex raises on purpose: one tree, with places, across process boundaries."""

from __future__ import annotations

import inspect
import pickle

import pytest

import tlex
from tlex import errors
from tlex.errors import (
    AmbiguousError,
    NotRecognisedError,
    NotWellFormedError,
    OptionError,
    ReadError,
    RefusedError,
    StrictError,
    TlexError,
    VerificationError,
    WriteError,
)

READING = [ReadError, NotRecognisedError, NotWellFormedError, RefusedError, StrictError]


def test_everything_derives_from_one_root():
    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]

    assert {kind.__name__ for kind in classes} == set(errors.__all__)
    assert all(issubclass(kind, TlexError) for kind in classes)
    assert all(issubclass(kind, ReadError) for kind in READING)
    assert not issubclass(OptionError, ReadError)
    assert not issubclass(VerificationError, ReadError)


def test_the_docstring_draws_the_tree():
    drawn = [line.split() for line in (errors.__doc__ or "").splitlines()]

    for name in errors.__all__:
        assert any(name in words for words in drawn)


def test_the_front_door_has_the_errors_that_callers_catch():
    assert tlex.TlexError is TlexError
    assert tlex.ReadError is ReadError
    assert tlex.VerificationError is VerificationError


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "<document>: it broke"),
        ({"name": "a.tml"}, "a.tml: it broke"),
        ({"name": "a.tml", "line": 3}, "a.tml:3: it broke"),
        ({"name": "a.tml", "line": 3, "column": 7}, "a.tml:3:7: it broke"),
        ({"line": 3, "column": 7}, "<document>:3:7: it broke"),
    ],
)
def test_a_read_error_says_where(place, text):
    error = ReadError("it broke", **place)

    assert str(error) == text
    assert error.message == "it broke"
    assert (error.name, error.line, error.column) == (
        place.get("name", ""),
        place.get("line"),
        place.get("column"),
    )


@pytest.mark.parametrize("kind", READING)
def test_a_read_error_survives_a_process_boundary(kind):
    error = kind("it broke", name="a.tml", line=3, column=7)

    again = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes

    assert type(again) is kind
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize(
    "kind", [TlexError, OptionError, AmbiguousError, WriteError, VerificationError]
)
def test_the_other_errors_survive_too(kind):
    again = pickle.loads(pickle.dumps(kind("no")))  # noqa: S301 -- our own bytes

    assert (type(again), str(again)) == (kind, "no")


def test_an_ambiguous_name_keeps_its_candidates():
    error = AmbiguousError("which one", ('ei1 "said" line 2', 'ei2 "said" line 3'))

    again = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes

    assert again.candidates == error.candidates


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", NotRecognisedError),
        (b"\x89PNG", NotRecognisedError),
        (b"<TimeML>", NotWellFormedError),
        (b'<!DOCTYPE TimeML [<!ENTITY a "b">]><TimeML/>', RefusedError),
    ],
)
def test_each_reason_has_its_own_class(content, kind):
    with pytest.raises(ReadError) as caught:
        tlex.parse(content)

    assert type(caught.value) is kind


@pytest.mark.parametrize("letter", ["&#10;", "&#x9b;31m", "&#x202e;"])
def test_a_message_is_one_harmless_line_whatever_an_id_holds(letter):
    document = tlex.parse(
        f'<TimeML><EVENT eid="e{letter}1">a</EVENT><TLINK lid="l{letter}1"/></TimeML>'
    )

    assert all(d.message.isprintable() for d in document.diagnostics)
