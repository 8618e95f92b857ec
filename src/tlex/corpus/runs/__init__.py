"""Running over a corpus: from files to tables on disk, whatever happens on the way.

In the order of the work: `sources` finds the documents, `planning` divides them into shards,
`driver` hands the shards out, `engines` are the processes (or the Dask cluster) that take them,
`supervisor` replaces a worker that crashed, `worker` is such a process, `shard_work` does one
shard, `document_tables` makes the values of one document, `shard_tables` encodes the tables of a
shard as Parquet, `manifest` puts them into place and remembers what is done. `result` opens what a
run has written.
"""
