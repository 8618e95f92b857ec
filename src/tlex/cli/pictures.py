"""What ``tlex draw`` does: which kind of picture is meant, and where each one goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tlex.cli.files import Documents, look_ahead, tell, watch
from tlex.cli.target import Target
from tlex.cli.terminal import describe_screen
from tlex.draw import text
from tlex.errors import OptionError, WriteError
from tlex.extraction import choose_options, extract
from tlex.timeline import Extraction

__all__ = ["draw_documents"]

_KINDS = ("svg", "png", "html", "txt")


def draw_documents(
    documents: Documents, options: dict[str, Any], output: str, kind: str | None
) -> int:
    """Draw every document; the exit code comes back."""
    choose_options(options["links"], options["times"])
    if kind is not None and kind not in _KINDS:
        raise OptionError(f"--as cannot be {kind!r}; choose from {', '.join(_KINDS)}")
    several, every = look_ahead(watch(documents), documents)
    several = several or len(documents.arguments) > 1
    target = None
    if output != "-":
        target = Target(output, documents.arguments, several=several)
    kind = _choose_kind(output, target, kind)
    if target is None and kind != "txt" and several:
        raise OptionError(
            f"several pictures cannot follow each other; give a directory: -o pictures/ --as {kind}"
        )
    if target is None and kind == "png" and sys.stdout.isatty():
        raise OptionError("a PNG is nothing for a terminal; name a file with -o")
    for number, (document, shown) in enumerate(every):
        try:
            result = extract(document, **options)
            if target is None:
                _show(result, kind, first=not number)
                continue
            name = document.name.removesuffix(Path(shown).suffix)
            path = target.write(document.name, _draw(result, kind), f"{name}.{kind}")
        except OptionError as error:
            documents.fail(f"{document.name}: {error}")
        except WriteError as error:
            documents.fail(str(error))
        else:
            tell(f"{document.name}: drawn to {path}")
    return 2 if documents.failed else 0


def _choose_kind(output: str, target: Target | None, asked: str | None) -> str:
    """Tell the kind from where the picture goes, unless it is asked for."""
    if target is None:
        return asked or "txt"
    ending = Path(output).suffix.lower().removeprefix(".")
    if target.folder:
        if ending in _KINDS and not output.endswith("/") and not target.path.is_dir():
            raise OptionError(
                f"-o {output} is one picture; several documents need a directory: "
                f"-o {Path(output).with_suffix('')}/ --as {asked or ending}"
            )
        return asked or "svg"
    if asked is None and ending not in _KINDS:
        known = ", ".join(f".{kind}" for kind in _KINDS)
        raise OptionError(f"-o {output}: no picture has this ending; known are {known}")
    return asked or ending


def _show(result: Extraction, kind: str, *, first: bool) -> None:
    if kind == "txt":
        print(("" if first else "\n") + text(result, **describe_screen()))
        return
    drawn = _draw(result, kind)
    sys.stdout.flush()
    sys.stdout.buffer.write(drawn)


def _draw(result: Extraction, kind: str) -> bytes:
    if kind == "txt":
        return f"{text(result)}\n".encode()
    if kind == "png":
        from tlex.draw.pixels import png  # noqa: PLC0415 -- only what is asked for

        return png(result)
    if kind == "svg":
        from tlex.draw.vector import svg  # noqa: PLC0415

        return svg(result).encode()
    from tlex.viewer.page import html  # noqa: PLC0415

    return html(result).encode()
