"""Repair: the smallest change that makes a document consistent, and how it is written back."""

from __future__ import annotations

from tlex.repair.fixes import FixRecord, FixResult, fix
from tlex.repair.patch import Change, FilePatch, Patch, apply, apply_changes, list_changes
from tlex.repair.relabelling import relabel, suggest_all, suggest_types
from tlex.repair.search import Repair, find_repair
from tlex.repair.weights import Weights

__all__ = [
    "Change",
    "FilePatch",
    "FixRecord",
    "FixResult",
    "Patch",
    "Repair",
    "Weights",
    "apply",
    "apply_changes",
    "find_repair",
    "fix",
    "list_changes",
    "relabel",
    "suggest_all",
    "suggest_types",
]


def __dir__() -> list[str]:
    return sorted(__all__)
