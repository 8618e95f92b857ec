"""What can be passed on of a corpus: timelines, corrections and certificates, without its texts.

A release holds, for each corpus::

    timelines/NAME.jsonl     what ``tlex extract --json`` prints, but for the words
    corrections/NAME.json    the minimum repairs, as a patch for ``tlex apply``
    certificates/NAME.jsonl  what the independent checker proved, and each file's SHA-256
    SHA256SUMS               for ``sha256sum -c``

Whoever has the corpus can put the words back (`restore_words`) and have everything proven again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tlex._version import __version__
from tlex.checker import Verdict, verify
from tlex.document import Document
from tlex.errors import VerificationError, WriteError
from tlex.extraction import extract
from tlex.records import ExtractionRecord
from tlex.repair.patch import FilePatch, Patch, describe_file
from tlex.repair.search import find_repair
from tlex.repair.writing import list_changes
from tlex.result import Extraction

__all__ = ["Certificate", "make_release", "restore_words", "strip_words", "write_release"]

SCHEMA = "tlex-certificate/1"
SUMS = "SHA256SUMS"
_BEGIN = "# Timelines of "
_README = """# Timelines of {names}

Made by tlex {version}. There is no text of the corpora in here, neither sentences nor the words of
events and times; ids, lines and offsets refer to the corpora's own files, which are known by their
SHA-256.

* `timelines/`: one JSON object a document, as `tlex extract --json` prints it, without the words.
* `corrections/`: which links to remove to make each document consistent, the fewest there are.
  `tlex apply corrections/NAME.json CORPUS -o CORRECTED` applies those of TimeML files.
* `certificates/`: what the independent checker has proven of each document, as annotated and after
  its correction, and whether the correction is proven to be the smallest.
* `{sums}`: `sha256sum -c {sums}` checks that all is as it was written.
"""


class Certificate(Struct, frozen=True, kw_only=True):
    """What is proven of one document.

    ``proven`` is how much the independent checker proved of the timelines as annotated and
    ``corrected`` the same after removing the links of the correction, which must leave the
    document consistent. A correction is ``minimum`` if it is proven that none is smaller.
    """

    schema: str
    tlex: str
    document: str
    sha256: str
    consistent: bool
    proven: Verdict
    removed: tuple[str, ...]
    minimum: bool
    corrected: Verdict | None


def strip_words(record: ExtractionRecord) -> ExtractionRecord:
    """A record without any words of the text; the messages of diagnostics go too."""
    return replace(
        record,
        nodes=tuple(replace(node, text="") for node in record.nodes),
        diagnostics=tuple(replace(d, message="", hint=None) for d in record.diagnostics),
    )


def restore_words(record: ExtractionRecord, document: Document) -> ExtractionRecord:
    """Put the words of the document back into its record."""
    nodes = []
    for node in record.nodes:
        own = document.get(node.id)
        nodes.append(node if own is None else replace(node, text=document.words(own)))
    return replace(record, nodes=tuple(nodes), diagnostics=document.diagnostics)


def make_release(corpora: Mapping[str, Iterable[Extraction]]) -> dict[str, bytes]:
    """Give the files of a release, by their paths; every answer is proven on the way."""
    files = {}
    for name, results in corpora.items():
        timelines, certificates, patches = [], [], []
        for result in results:
            certificate, patch = _certify(result)
            timelines.append(strip_words(result.record()).to_json())
            certificates.append(msgspec.json.encode(certificate))
            if patch.changes:
                patches.append(patch)
        files[f"timelines/{name}.jsonl"] = b"".join(line + b"\n" for line in timelines)
        files[f"certificates/{name}.jsonl"] = b"".join(line + b"\n" for line in certificates)
        files[f"corrections/{name}.json"] = Patch.of(patches).to_json()
    names = ", ".join(corpora)
    readme = _README.format(names=names, version=__version__, sums=SUMS)
    return {"README.md": readme.encode(), **files}


def write_release(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a release with its checksums; one that is there is replaced as a whole."""
    if folder.exists() and not _is_release(folder):
        raise WriteError(f"{folder}: is there already and is no release, so it is left alone")
    sums = "".join(f"{sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()))
    try:
        new = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for path, data in {**files, SUMS: sums.encode()}.items():
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                (new / path).write_bytes(data)
            new.chmod(0o755)
            old = new.with_name(f"{new.name}-old")
            if folder.exists():
                folder.rename(old)
            new.rename(folder)
            shutil.rmtree(old, ignore_errors=True)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be written: {error.strerror or error}") from error


def _is_release(folder: Path) -> bool:
    """Whether there is nothing in a directory but what a release lists."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
        begins = (folder / "README.md").read_text(encoding="utf-8").startswith(_BEGIN)
        found = {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        }
    except (OSError, UnicodeError):
        return False
    return begins and found == {SUMS, *(line.partition("  ")[2] for line in lines)}


def _certify(result: Extraction) -> tuple[Certificate, FilePatch]:
    document, options = result.document, result.options
    repair = find_repair(result, limit=1)
    changes = list_changes(document, repair.removed, {})
    data = document.source.data if document.source else document.text.encode()
    known = sha256(data).hexdigest()
    corrected = None
    if changes:
        gone = frozenset(repair.removed)
        links = tuple(link for link in document.links if link.id not in gone)
        mended = document.replace(links=links)
        after = extract(mended, links=options.links, times=options.times)
        corrected = verify(mended, after)
        if not after.consistent:
            raise VerificationError(f"{document.name}: the correction leaves a contradiction")
    certificate = Certificate(
        schema=SCHEMA,
        tlex=__version__,
        document=document.name,
        sha256=known,
        consistent=result.consistent,
        proven=verify(document, result),
        removed=tuple(repair.removed),
        minimum=repair.optimal,
        corrected=corrected,
    )
    if document.source is None or not changes:
        return certificate, FilePatch(document.name, known, changes)
    return certificate, describe_file(document, changes)
