"""``tlex corpus``: one module per command, as in `tlex.cli`."""
