"""Two patches of corrections: which changes both make, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.json import encode

from tlex.records import SCHEMA
from tlex.repair import Change, FilePatch, Patch
from tlex.wording import clean, count, represent

__all__ = ["ChangeDifference", "PatchDifference", "compare_patches"]


class ChangeDifference(Struct, frozen=True, kw_only=True):
    """What two patches make of one link.

    ``status`` is *agreed*, *different*, *only first* or *only second*. ``first`` and ``second`` are
    the changes. ``same_file`` is false if the patches were made for different versions of the file.
    ``decided`` has who decided on each side, and when, as far as the patches tell.
    """

    path: str
    part: str | None = None
    link: str
    status: str
    first: Change | None = None
    second: Change | None = None
    same_file: bool = True
    decided: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        shown: dict[str, list[str]] = {}
        for change, decided in zip((self.first, self.second), self.decided, strict=True):
            if change is not None:
                remarks = [remark for remark in (decided, _tell(change, "why")) if remark]
                shown.setdefault(clean(str(change)), []).extend(remarks)
        words = [
            f"{change} ({'; '.join(map(clean, remarks))})" if remarks else change
            for change, remarks in shown.items()
        ]
        return f"{clean(self.path)}: {self.status}: {' / '.join(words)}"

    def __repr__(self) -> str:
        return represent(self, str(self))


class PatchDifference(Struct, frozen=True, kw_only=True):
    """How two patches of corrections differ."""

    schema: str = SCHEMA
    changes: tuple[ChangeDifference, ...]

    @property
    def same(self) -> bool:
        """Whether both patches make the same changes."""
        return all(change.status == "agreed" for change in self.changes)

    @property
    def counts(self) -> dict[str, int]:
        """How many changes there are of each status."""
        found = dict.fromkeys(("agreed", "different", "only first", "only second"), 0)
        for change in self.changes:
            found[change.status] += 1
        return found

    def __repr__(self) -> str:
        counts = self.counts
        words = ", ".join(f"{number:,} {status}" for status, number in counts.items() if number)
        return represent(self, words or count(0, "change"))

    def to_json(self) -> bytes:
        """Encode as one line of JSON.

        Returns
        -------
        bytes
            What ``tlex diff --json`` prints for two patches.

        Examples
        --------
        >>> import tlex
        >>> patch = tlex.fix(tlex.read("examples/contradiction.tml")).patch
        >>> tlex.diff(patch, patch).to_json()[:18]
        b'{"schema":"tlex/1"'

        See Also
        --------
        tlex.diff : compare annotations, or patches.
        """
        return encode(self) + b"\n"


def compare_patches(first: Patch, second: Patch) -> PatchDifference:
    """Compare the changes of two patches, file by file.

    Files go together by the hash of their bytes, else by their paths.

    >>> import tlex
    >>> document = tlex.read("examples/contradiction.tml")
    >>> one, two = (tlex.fix(document, choose={1: option}).patch for option in (1, 2))
    >>> compare_patches(one, two)
    <PatchDifference 1 only first, 1 only second>
    """
    left = list(second.files)
    pairs: list[tuple[FilePatch | None, FilePatch | None]] = []
    alone = []
    for file in first.files:
        partner = _take(left, file, "sha256")
        if partner is None:
            alone.append(file)
        else:
            pairs.append((file, partner))
    pairs.extend((file, _take(left, file, "path")) for file in alone)
    pairs += [(None, file) for file in left]
    found = [change for one, other in pairs for change in _compare(one, other)]
    return PatchDifference(changes=tuple(sorted(found, key=lambda one: (one.path, one.part or ""))))


def _take(files: list[FilePatch], like: FilePatch, by: str) -> FilePatch | None:
    """Take the corrections of the same document out of a list, if they are there."""
    for place, file in enumerate(files):
        if (getattr(file, by), file.part) == (getattr(like, by), like.part):
            return files.pop(place)
    return None


def _compare(first: FilePatch | None, second: FilePatch | None) -> Iterator[ChangeDifference]:
    sides = [
        {} if file is None else {(one.link, one.source, one.target): one for one in file.changes}
        for file in (first, second)
    ]
    known = first or second
    if known is None:
        return
    same_file = first is None or second is None or first.sha256 == second.sha256
    for key in {**sides[0], **sides[1]}:
        one, other = (side.get(key) for side in sides)
        if one is None or other is None:
            status = "only second" if one is None else "only first"
        else:
            status = "agreed" if (one.old, one.new) == (other.old, other.new) else "different"
        yield ChangeDifference(
            path=known.path,
            part=known.part,
            link=key[0],
            status=status,
            first=one,
            second=other,
            same_file=same_file,
            decided=(_sign(first, one), _sign(second, other)),
        )


def _sign(file: FilePatch | None, change: Change | None) -> str:
    """Say who decided on a change, and when, as far as the patch tells."""
    if file is None or change is None:
        return ""
    return ", ".join(filter(None, (_tell(file, "who"), _tell(file, "when"))))


def _tell(noun: Change | FilePatch, field: str) -> str:
    """Give a remark of a patch; a patch need not have it."""
    value = getattr(noun, field, "")
    return value if isinstance(value, str) else ""
