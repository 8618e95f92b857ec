"""``tlex decode``: the labels that are consistent and most probable together."""

from __future__ import annotations

from tlex.arguments import require_number
from tlex.cli.command import command
from tlex.cli.destination import Destination, name_file
from tlex.cli.documents import Documents
from tlex.cli.options import (
    Reading,
    Reasoning,
    json_option,
    output_option,
    paths_argument,
    reading_options,
    reasoning_options,
)
from tlex.cli.progress import show_progress, show_search
from tlex.cli.search_limits import limit_options
from tlex.cli.terminal import page_width, print_message, write_bytes
from tlex.errors import OptionError
from tlex.export import convert
from tlex.repair import DecodeResult, decode
from tlex.repair.decode_text import decode_lines

__all__ = ["decode_command"]


@command(example="decode model.json -o timeline.json")
@paths_argument
@output_option("FILE|DIR|-", "Write the documents with the chosen labels, as JSON.")
@limit_options
@json_option
@reasoning_options()
@reading_options()
def decode_command(  # noqa: PLR0913 -- one argument an option
    *,
    paths: tuple[str, ...],
    output: str | None,
    seconds: float,
    work: int | None,
    as_json: bool,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Choose labels that are consistent and most probable.

    In JSON a link may have candidates: "labels": {"BEFORE": 0.6, "AFTER": 0.3, "VAGUE": 0.1}. One
    label is chosen for each such link, so that all links are consistent and the product of the
    probabilities is as large as possible. That is proven, or a bound is given. Links without
    candidates stay as they are. The exit code is 1 if no choice is consistent; the links are named.
    """
    reasoning.check()
    require_number("seconds", seconds, 0)
    if output == "-" and as_json:
        raise OptionError("-o - writes the document to stdout, where --json writes too; choose one")
    target = None if output is None else Destination(output, paths)
    documents = Documents(paths, reading, decodes=True)
    blocked = False
    for document in show_progress(documents):
        with documents.guard(document.name):
            with show_search(document.name) as progress:
                decoded = decode(
                    document,
                    seconds=seconds,
                    work=work,
                    progress=progress,
                    links=reasoning.links,
                    times=reasoning.times,
                )
            if decoded.consistent and target is not None:
                data, _ = convert(decoded.document, "json")
                name = name_file(document, documents.shown, "json")
                target.write(documents.shown, data, name)
            blocked = blocked or not decoded.consistent
            _show(decoded, as_json=as_json, quiet=target is not None)
    return documents.exit_code or int(blocked)


def _show(decoded: DecodeResult, *, as_json: bool, quiet: bool) -> None:
    """Print the result; ``quiet``: the document is written, and a message is enough."""
    if as_json:
        write_bytes(decoded.to_json() + b"\n")
    elif not quiet:
        print("\n".join(decode_lines(decoded, page_width())))
    if quiet or not decoded.consistent:
        said = next(decode_lines(decoded))
        names = "; ".join(", ".join(links) for links in decoded.blocked)
        print_message(f"{said}{': ' if names else ''}{names}")
