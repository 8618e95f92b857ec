"""The desk of a repair session: a session for each document that is open, kept and saved.

A desk can write the files that it was given, or the patch, and the file beside them in which
decisions are kept; nothing else. Several windows may look at one document: each change names the
version that it was made for, and a window that is behind is told so.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice, takewhile
from pathlib import Path
from threading import Event, Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tlex.document import Document
from tlex.errors import OptionError, ReadError, TlexError, WriteError
from tlex.extraction import extract
from tlex.files import write_atomically
from tlex.repair.fixes import FixTask
from tlex.repair.patch import FilePatch, Patch, describe_file, hash_bytes
from tlex.repair.session import Session
from tlex.repair.what_if import NewLink
from tlex.repair.writing import change_document, explain_unwritable, is_writable, take_bytes
from tlex.viewer.data import Entry
from tlex.viewer.headline import find_date, find_headline
from tlex.viewer.kept_decisions import KeptDecisions, find_place
from tlex.viewer.library import BROKEN, WAITING, Library, UnknownDocumentError
from tlex.viewer.repair_data import (
    RepairEntry,
    RepairState,
    RepairVerdict,
    Trial,
    describe_state,
    describe_trial,
)
from tlex.wording import count

__all__ = ["ChangedFileError", "Desk", "Move", "OldVersionError"]

_SECONDS = 10.0
"""How long the smallest repair of a document is looked for."""

_COMPARED = 5_000
"""In how many lines differences are looked for."""

_SHOWN = 400
"""How many lines of a difference are shown."""


class OldVersionError(TlexError):
    """Another window has decided something meanwhile."""


class ChangedFileError(TlexError):
    """The file has changed on the disk; ``difference`` says how."""

    def __init__(self, message: str, difference: tuple[str, ...]) -> None:
        super().__init__(message)
        self.difference = difference


class Move(Struct, frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True):
    """What a page asks for: to try something, or to do it at a version of the session.

    ``action`` is *choose* (an option; 0 leaves it as it is), *alike* (the option for all of one
    pattern), *change* (a link gets a type, or None removes it), *later* (go to another
    contradiction), *undo*, *save* or *reload*. A try needs none: it has an ``option``, a ``link``,
    or a link to ``add``.
    """

    action: str = ""
    version: int = 0
    option: int | None = None
    link: str | None = None
    type: str | None = None
    add: NewLink | None = None
    note: str = ""


class _Facts(Struct, frozen=True, kw_only=True):
    """What the list says of a document, and the state of the file that it is about."""

    stamp: str
    message: str = ""
    headline: str = ""
    date: str = ""
    events: int = 0
    conflicts: int = 0
    complete: bool = True
    left: int = 0
    decided: int = 0
    skipped: int = 0
    saved: bool = False


class _Table:
    """The open session of one document."""

    def __init__(self, session: Session, path: str, version: int) -> None:
        self.session = session
        self.path = path
        self.version = version
        self.lock = Lock()
        self.saved = False
        self.news = ""


class Desk:
    """Sessions for the documents of a library.

    They are saved in the files themselves, or in ``patch``; ``who`` is the name in the patch.
    """

    def __init__(self, library: Library, patch: str | None, who: str) -> None:
        self.library = library
        self.patch = None if patch is None else Path(patch)
        self.who = who
        self.kept = KeptDecisions(find_place(self.patch or library.root))
        self.version = 1
        self._lock = Lock()
        self._tables: dict[str, _Table] = {}
        self._facts: dict[str, _Facts] = {}
        self._answers = self.kept.read()

    # --- the list ---------------------------------------------------------------------------------

    def list_entries(self) -> tuple[RepairEntry, ...]:
        """List the documents, those with most decisions left first."""
        entries = [self._describe(entry) for entry in self.library.list_entries()]
        order = {"unsettled": 0, "decided": 1, WAITING: 2, BROKEN: 3, "saved": 4, "consistent": 5}
        entries.sort(key=lambda one: (order[one.verdict], -one.left, -one.conflicts))
        return tuple(entries)

    def find_unsettled(self, name: str) -> tuple[str | None, str | None]:
        """Give the addresses of the unsettled documents before and after one in the list."""
        entries = self.list_entries()
        at = next((at for at, one in enumerate(entries) if one.name == name), 0)
        unsettled = [(n, one.href) for n, one in enumerate(entries) if one.verdict == "unsettled"]
        before = [href for n, href in unsettled if n < at]
        after = [href for n, href in unsettled if n > at]
        # Behind the last one comes the first, until all are settled.
        first = before[:1] if not after else after[:1]
        return (before[-1] if before else None), (first[0] if first else None)

    def follow(self, stop: Event, every: float = 0.5) -> None:
        """Look at each document that is new or has changed, until ``stop`` is set."""
        while True:
            for entry in self.library.list_entries():
                if stop.is_set():
                    return
                self.look_at(entry)
            if stop.wait(every):
                return

    def look_at(self, entry: Entry) -> None:
        """Find out what the list says of a document, unless that is known."""
        known = self._facts.get(entry.name)
        if entry.verdict in {WAITING, BROKEN} or (known and known.stamp == entry.stamp):
            return
        try:
            document, _ = self.library.read(entry.name)
            session = self._begin(entry.name, document)
        except UnknownDocumentError:
            return
        except (TlexError, MemoryError, RecursionError) as error:
            message = str(error) or "there is not enough memory for this"
            self._set(entry.name, _Facts(stamp=entry.stamp, message=message))
            return
        self._note(entry.name, entry.stamp, session)

    def _note(self, name: str, stamp: str, session: Session) -> None:
        document = session.document
        facts = _Facts(
            stamp=stamp,
            headline=find_headline(document),
            date=find_date(document),
            events=sum(node.kind == "event" for node in session.result.nodes),
            conflicts=len(session.result.conflicts),
            complete=session.result.conflicts_complete,
            left=session.left,
            decided=len(session.answers),
            skipped=sum(not answer.removed and not answer.types for answer in session.answers),
            saved=self._is_saved(session),
        )
        self._set(name, facts)

    def _set(self, name: str, facts: _Facts) -> None:
        with self._lock:
            if self._facts.get(name) != facts:
                self._facts[name] = facts
                self.version += 1

    def _describe(self, entry: Entry) -> RepairEntry:
        facts = self._facts.get(entry.name)
        href = entry.href.replace("/document/", "/repair/", 1)
        message = entry.message if entry.verdict == BROKEN or facts is None else facts.message
        if message or facts is None:
            verdict: RepairVerdict = "broken" if message else "waiting"
            return RepairEntry(name=entry.name, href=href, verdict=verdict, message=message)
        verdict = "consistent"
        if facts.conflicts:
            verdict = "saved" if facts.saved else "decided"
            verdict = "unsettled" if facts.left or facts.skipped else verdict
        return RepairEntry(
            name=entry.name,
            href=href,
            verdict=verdict,
            headline=facts.headline,
            date=facts.date,
            events=facts.events,
            conflicts=facts.conflicts,
            conflicts_complete=facts.complete,
            left=facts.left + facts.skipped,
            decided=facts.decided - facts.skipped,
        )

    # --- one document -----------------------------------------------------------------------------

    def open(self, name: str) -> tuple[Session, RepairState]:
        """Open a document, or go on with it. Raises errors as `Library.open` does."""
        table = self._find(name)
        with table.lock:
            return table.session, self._say(table)

    def try_out(self, name: str, move: Move) -> Trial:
        """Say what an option or any change would do; nothing is decided.

        Raises `OptionError` if there is no such option, link, type, event or time.
        """
        table = self._find(name)
        with table.lock:
            session = table.session
            if move.add is not None:
                return describe_trial(*session.try_changes({}, [move.add]))
            if move.link is not None:
                return describe_trial(*session.try_changes({move.link: move.type}))
            return describe_trial(*session.try_option(1 if move.option is None else move.option))

    def do(self, name: str, move: Move) -> RepairState:
        """Decide, undo, save: change the session of a document, and give its new state.

        Raises `OldVersionError` if the page has not seen the last change, `ChangedFileError` if
        the file has changed on the disk, and other errors of the library.
        """
        table = self._find(name)
        with table.lock:
            if move.version != table.version:
                raise OldVersionError("another window has decided something; this is how it is now")
            table.news = ""
            if move.action == "save":
                table = self._save(name, table)
            elif move.action == "reload":
                table = self._reload(name)
            else:
                self._decide(name, table, move)
            return self._say(table)

    def _decide(self, name: str, table: _Table, move: Move) -> None:
        session = table.session
        before = list(session.answers)
        note, when = move.note.strip()[:1000], _now()
        if move.action == "choose":
            session.choose(1 if move.option is None else move.option, note, when)
        elif move.action == "alike":
            many = session.choose_alike(move.option or 1, note, when)
            table.news = f"{count(many, 'decision')} taken together; u undoes them together"
        elif move.action == "change" and move.link is not None:
            session.change(move.link, move.type, note, when)
        elif move.action == "undo":
            if not session.undo():
                raise OptionError("there is nothing to undo")
        elif move.action == "later":
            session.turn_on()
        else:
            raise OptionError(f"there is no action {move.action!r:.40}")
        try:
            self._keep(name, session)
        except WriteError:
            table.session = Session(FixTask(session.result, seconds=_SECONDS))
            table.session.repeat(before)
            raise
        table.version = self._count_up()
        table.saved = False
        self._refresh(name, session)

    def _keep(self, name: str, session: Session) -> None:
        digest = hash_bytes(take_bytes(session.document))
        answers = tuple(session.answers)
        self.kept.add(name, digest, self.who, answers)
        self._answers[name] = answers

    def _refresh(self, name: str, session: Session) -> None:
        facts = self._facts.get(name)
        if facts is not None:
            self._note(name, facts.stamp, session)

    def _find(self, name: str) -> _Table:
        with self._lock:
            table = self._tables.get(name)
        if table is not None:
            return table
        document, path = self.library.read(name)
        session = self._begin(name, document)
        with self._lock:
            table = self._tables.get(name)
            if table is None:
                table = self._tables[name] = _Table(session, path, 0)
                table.saved = self._is_saved(session)
                asked, fit = len(self._answers.get(name, ())), len(session.answers)
                if asked > fit:
                    table.news = f"{fit} of {count(asked, 'earlier decision')} still fit this file"
                elif asked:
                    table.news = f"{count(asked, 'earlier decision')} taken up again"
            if not table.version:
                self.version += 1
                table.version = self.version
        return table

    def _begin(self, name: str, document: Document) -> Session:
        """Begin the session of a document with the answers that are kept."""
        result = extract(document, **self._reasoning)
        session = Session(FixTask(result, seconds=_SECONDS))
        session.repeat(self._answers.get(name, ()))
        return session

    def _say(self, table: _Table) -> RepairState:
        session = table.session
        return describe_state(
            session,
            version=table.version,
            unsaved=bool(session.changes) and not table.saved,
            saved=table.saved,
            output=self.say_output(session.document),
            kept=str(self.kept.path),
            news=table.news,
        )

    def say_output(self, document: Document | None = None) -> str:
        """Say where decisions are saved."""
        if self.patch is not None:
            return f"the patch {self.patch.name}"
        if document is not None and not is_writable(document):
            return ""
        return "the file" if document is not None or self.library.single else "the files"

    def _count_up(self) -> int:
        with self._lock:
            self.version += 1
            return self.version

    # --- saving -----------------------------------------------------------------------------------

    def _save(self, name: str, table: _Table) -> _Table:
        session = table.session
        if not session.changes:
            raise OptionError("nothing is decided that changes a link, so there is nothing to save")
        document = session.document
        if self.patch is None and not is_writable(document):
            raise WriteError(f"{explain_unwritable(document)}; --patch FILE keeps the decisions")
        self._require_unchanged(name, table)
        after = change_document(document, session.changes)
        if session.standing.result.consistent != extract(after, **self._reasoning).consistent:
            raise WriteError(
                f"{name}: the changed file is not what was decided; nothing is written"
            )
        if self.patch is not None:
            self._save_patch(session)
            table.saved = True
            table.version = self._count_up()
            table.news = f"saved to {self.patch.name}: {count(len(session.changes), 'change')}"
            self._refresh(name, session)
            return table
        changes = count(len(session.changes), "link")
        data = take_bytes(after)
        self._require_unchanged(name, table)  # it may have taken a moment
        before, within = take_bytes(document), self.library.within
        write_atomically(table.path, data, before=before, within=within)
        self.kept.add(name, hash_bytes(data), self.who, ())
        self._answers.pop(name, None)
        self.kept.tidy()
        table = self._reload(name)
        state = "consistent" if table.session.result.consistent else "still contradictory"
        table.news = f"saved: {changes} changed; the document is {state}"
        table.saved = True
        return table

    def _save_patch(self, session: Session) -> None:
        """Put the changes of a document into the patch, in place of those it had there."""
        assert self.patch is not None  # noqa: S101 -- for the type checker
        new = replace(describe_file(session.document, session.changes), who=self.who, when=_now())
        others = [file for file in self._read_patch() if _key(file) != _key(new)]
        write_atomically(self.patch, Patch.of([*others, new]).to_json())

    def _read_patch(self) -> tuple[FilePatch, ...]:
        if self.patch is None or not self.patch.exists():
            return ()
        try:
            data = self.patch.read_bytes()
        except OSError as error:
            raise WriteError(f"{self.patch}: cannot be read: {error.strerror}") from error
        return Patch.from_json(data, str(self.patch)).files

    def _is_saved(self, session: Session) -> bool:
        """Whether the patch has exactly what is decided."""
        if self.patch is None or not session.changes:
            return False
        try:
            files = self._read_patch()
        except TlexError:
            return False
        new = describe_file(session.document, session.changes)
        return any(
            _key(file) == _key(new) and (file.sha256, file.changes) == (new.sha256, new.changes)
            for file in files
        )

    def _require_unchanged(self, name: str, table: _Table) -> None:
        """Raise `ChangedFileError` if the file is not the one that the session began with."""
        before = take_bytes(table.session.document)
        try:
            now = self.library.load(name, table.path)
        except ReadError as error:
            raise WriteError(f"{error}; nothing is written") from None
        if now == before:
            return
        difference = tuple(islice(_compare(before, now, name), _SHOWN))
        raise ChangedFileError(
            f"{name} has changed on the disk since it was read, so nothing is written", difference
        )

    def _reload(self, name: str) -> _Table:
        """Read the file again, and take the decisions that still fit."""
        with self._lock:
            path = self._tables[name].path
            for other in [other for other, one in self._tables.items() if one.path == path]:
                del self._tables[other]
        table = self._find(name)
        self._refresh(name, table.session)
        return table

    @property
    def _reasoning(self) -> dict[str, Any]:
        """The options of `extract` that matter here."""
        options = self.library.options
        return {key: options[key] for key in ("links", "times", "calendar") if key in options}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _key(file: FilePatch) -> tuple[str, str | None]:
    return file.path, file.part


def _compare(before: bytes, now: bytes, name: str) -> Iterator[str]:
    """Give the lines of a unified diff."""
    old, new = (data.decode("utf-8", "replace").splitlines() for data in (before, now))
    if old == new:
        return iter(["only line ends or bytes that are no text are different"])
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    if max(len(old), len(new)) - same > _COMPARED:
        return iter([f"from line {same + 1} on, too much is different to be shown"])
    names = f"{name}, as it was read", f"{name}, on the disk"
    return difflib.unified_diff(old, new, *names, n=2, lineterm="")
