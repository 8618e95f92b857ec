"""The reading view: events from top to bottom in the order in which they began, in words."""

from __future__ import annotations
