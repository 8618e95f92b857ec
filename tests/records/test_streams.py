"""JSON part by part is the same as JSON at once."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

import tlex
from tlex.records.streams import stream_json

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


def make_lazy(value: object) -> object:
    """Make an iterator of each list."""
    if isinstance(value, dict):
        return {name: make_lazy(one) for name, one in value.items()}
    return iter(value) if isinstance(value, list) else value


@given(value=PLAIN)
def test_it_gives_the_bytes_of_msgspec(value):
    assert b"".join(stream_json(make_lazy(value))) == msgspec.json.encode(value)


@pytest.mark.parametrize("size", [0, 1, 999, 1_000, 1_001, 2_000, 2_001])
def test_an_iterator_of_any_length_is_an_array(size):
    assert b"".join(stream_json(iter(range(size)))) == msgspec.json.encode(list(range(size)))


def test_no_more_of_an_iterator_is_taken_than_is_needed():
    taken = []
    numbers = (taken.append(n) or n for n in range(10_000))

    parts = stream_json({"numbers": numbers})

    assert b"".join(next(parts) for _ in range(4)).startswith(b'{"numbers":[0,1,2,')
    assert len(taken) <= 1_000


def test_a_record_keeps_the_order_of_its_fields_and_leaves_out_what_is_unset():
    result = tlex.extract(tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c")]))
    closure = result.closure()
    fields = asdict(closure) | {"links": iter(closure.links), "untyped": iter(())}

    streamed = stream_json(asdict(result.answer()) | {"closure": fields})

    assert b"".join(streamed) == result.answer(closure=closure).to_json()
