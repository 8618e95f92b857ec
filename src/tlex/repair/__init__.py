"""Repair: the smallest change that makes a document consistent, and how it is written back."""

from __future__ import annotations

from tlex.records import FixRecord
from tlex.repair.fixes import FixResult, fix
from tlex.repair.patch import FilePatch, Patch, apply
from tlex.repair.writing import Change

__all__ = ["Change", "FilePatch", "FixRecord", "FixResult", "Patch", "apply", "fix"]


def __dir__() -> list[str]:
    return sorted(__all__)
