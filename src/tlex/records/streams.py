"""JSON written part by part, for answers that are larger than the memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

__all__ = ["stream_json"]

_AT_ONCE = 1_000
"""How many items of an iterator are encoded together: one by one takes longer."""


def stream_json(value: object) -> Iterator[bytes]:
    """Encode as msgspec does, but part by part: a dict and an iterator are never whole in memory.

    A member that is unset is left out.

    >>> b"".join(stream_json({"a": iter([1, 2]), "b": {}, "c": msgspec.UNSET}))
    b'{"a":[1,2],"b":{}}'
    """
    if isinstance(value, dict):
        members = ((name, one) for name, one in value.items() if one is not msgspec.UNSET)
        yield b"{"
        for number, (name, one) in enumerate(members):
            yield b"," * bool(number) + msgspec.json.encode(name) + b":"
            yield from stream_json(one)
        yield b"}"
    elif isinstance(value, Iterator):
        yield b"["
        for number, items in enumerate(iter(lambda: list(islice(value, _AT_ONCE)), [])):
            yield b"," * bool(number) + msgspec.json.encode(items)[1:-1]
        yield b"]"
    else:
        yield msgspec.json.encode(value)
