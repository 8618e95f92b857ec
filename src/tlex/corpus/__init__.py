"""Whole corpora: a run that survives accidents, and its results as tables.

A run writes into one directory::

    OUT/manifest.sqlite                       what is done, with which options
    OUT/points/part-00000-4f1c2a90d3b7.parquet   the tables, a directory each, in shards

The tables are described in `schemas`. Which files belong to a run is what its manifest says:
`opening.open_run` gives them, and reads a document again from where it came from.
"""
