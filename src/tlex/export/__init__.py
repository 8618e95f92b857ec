"""A result in the shapes that other tools take."""
