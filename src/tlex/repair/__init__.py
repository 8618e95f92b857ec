"""Repair: the smallest change that makes a document consistent, and how it is written back."""

from __future__ import annotations

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


def __dir__() -> list[str]:
    return sorted(__all__)
