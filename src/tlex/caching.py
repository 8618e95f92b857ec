"""Attributes that are computed when they are first used, and then kept.

`functools.cached_property` takes a lock for each of them on Python 3.11, and none from 3.12 on. A
document has two dozen such attributes, and a corpus has very many documents. So Python 3.11 gets a
version without a lock here. Remove this module when Python 3.11 is no longer supported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 -- as it is called everywhere
        """A method that is called once; then its answer is an attribute of the object."""

        def __init__(self, method: Callable[[Any], Any]) -> None:
            self.method = method
            self.name = ""
            self.__doc__ = method.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, holder: object, owner: type | None = None) -> Any:  # noqa: ANN401
            if holder is None:
                return self
            answer = holder.__dict__[self.name] = self.method(holder)
            return answer


__all__ = ["cached_property"]
