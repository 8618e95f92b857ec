"""Pictures of a result; so far the one made of text."""

from tlex.draw.terminal import text

__all__ = ["text"]
