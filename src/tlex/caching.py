"""An attribute that is worked out when somebody first looks at it.

Before Python 3.12, that of the standard library takes a lock each time, for all objects of a class.
A document has two dozen of these attributes, and a corpus very many documents. So there is one
without a lock here, as later versions have it. This module can go with Python 3.11.
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
