"""Zip archives with documents of UIMA: what INCEpTION exports."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO

from tlex.errors import NotRecognisedError, TooLargeError

__all__ = ["list_members"]

_ENDINGS = (".xmi", ".json")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def list_members(data: bytes, name: str, max_bytes: int) -> list[tuple[str, bytes]]:
    """List the documents of an archive: their names, such as ``x.zip:doc.xmi``, and contents.

    All of them together may have ``max_bytes``. An archive without any is not recognised.
    """
    found = []
    left = max_bytes
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for member in archive.infolist():
                if not member.filename.lower().endswith(_ENDINGS):
                    continue
                with archive.open(member) as file:
                    content = file.read(left + 1)
                left -= len(content)
                if left < 0:
                    message = f"the archive holds more than {max_bytes:,} bytes, the limit set"
                    raise TooLargeError(message, name=name, line=1, column=1)
                found.append((f"{name}:{member.filename}", content))
    except _BROKEN as error:
        message = f"no reader recognises this file: it is binary, a broken zip archive ({error})"
        raise NotRecognisedError(message, name=name, line=1, column=1) from None
    if not found:
        message = "no reader recognises this file: it is a zip archive without .xmi or .json"
        raise NotRecognisedError(message, name=name, line=1, column=1)
    return found
