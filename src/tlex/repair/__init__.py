"""Repair: the smallest change that makes a document consistent, and how to write it back."""

from __future__ import annotations

from tlex.repair.patch import Change, apply_changes, list_changes
from tlex.repair.relabelling import relabel, suggest_all, suggest_types
from tlex.repair.search import Repair, find_repair
from tlex.repair.weights import Weights

__all__ = [
    "Change",
    "Repair",
    "Weights",
    "apply_changes",
    "find_repair",
    "list_changes",
    "relabel",
    "suggest_all",
    "suggest_types",
]
