"""The version, by itself so that ``tlex --version`` imports nothing else."""

__version__ = "0.1.0"
