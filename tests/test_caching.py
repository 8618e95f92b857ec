"""An attribute is worked out once, for each object."""

from __future__ import annotations

from tlex.caching import cached_property


class Thing:
    def __init__(self, size: int) -> None:
        self.size = size
        self.asked = 0

    @cached_property
    def double(self) -> int:
        """Twice the size."""
        self.asked += 1
        return 2 * self.size


def test_an_attribute_is_worked_out_once_for_each_object():
    one, other = Thing(1), Thing(2)

    assert (one.double, other.double, one.double) == (2, 4, 2)
    assert (one.asked, other.asked) == (1, 1)
    assert vars(one)["double"] == 2


def test_an_attribute_that_was_removed_is_worked_out_again():
    one = Thing(1)
    assert one.double == 2

    del one.double
    one.size = 5

    assert one.double == 10


def test_the_class_shows_what_the_attribute_is():
    assert Thing.double.__doc__ == "Twice the size."
