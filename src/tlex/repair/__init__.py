"""Repair: the smallest change that makes a document consistent, and how it is written back."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tlex.records import DecodeRecord, FixRecord
    from tlex.repair.decoding import DecodeResult, decode
    from tlex.repair.fixes import FixResult, fix
    from tlex.repair.patch import FilePatch, Patch, apply
    from tlex.repair.writing import Change

__all__ = [
    "Change",
    "DecodeRecord",
    "DecodeResult",
    "FilePatch",
    "FixRecord",
    "FixResult",
    "Patch",
    "apply",
    "decode",
    "fix",
]

# Names are looked up when they are used: a command needs few of them.
_HOMES = {
    "Change": "tlex.repair.writing",
    "DecodeRecord": "tlex.records",
    "DecodeResult": "tlex.repair.decoding",
    "FilePatch": "tlex.repair.patch",
    "FixRecord": "tlex.records",
    "FixResult": "tlex.repair.fixes",
    "Patch": "tlex.repair.patch",
    "apply": "tlex.repair.patch",
    "decode": "tlex.repair.decoding",
    "fix": "tlex.repair.fixes",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex.repair' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
