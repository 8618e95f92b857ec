"""A reader of documents that harm whoever reads them: ``TRAP``, a word, and what it needs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from tlex.corpus.runs.shard_tables import ShardTables
from tlex.document import Document
from tlex.readers import Format, from_links


def recognise_trap(head: str) -> bool:
    """Whether the beginning of a file is a trap's."""
    return head.startswith("TRAP ")


def read_trap(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> Sequence[Document]:
    """Do what the document says, and read it if that is still possible."""
    _, word, *rest = data.decode(encoding or "utf-8").split()
    names = [name]
    if word == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "kill-once" and not Path(rest[0]).exists():
        Path(rest[0]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "exit":
        os._exit(3)
    elif word == "endless":
        while True:
            pass
    elif word == "mark":
        Path(rest[0]).touch()
        time.sleep(600)
    elif word == "hold":  # lets no other thread of the process run
        Path(rest[0]).touch()
        sum(range(10**12))
    elif word == "sleep":
        time.sleep(float(rest[0]))
    elif word == "memory":
        hoard = [bytearray(1 << 20) for _ in range(int(rest[0]))]
        del hoard
    elif word == "raise":
        raise RuntimeError(" ".join(rest))
    elif word == "kill-later":
        ShardTables.encode = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
    elif word == "many":
        names = [f"{name}:{own}" for own in rest]
    return [from_links([("a", "BEFORE", "b")], name=own, strict=strict) for own in names]


TRAP = Format(recognise_trap, read_trap)
