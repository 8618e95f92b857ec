"""``tlex view``: text and timelines in a browser."""

from __future__ import annotations

import getpass
import os
import webbrowser
from functools import partial
from pathlib import Path

import click

from tlex.cli.command import INTERRUPTED, argument, command, option
from tlex.cli.options import PATH, Reading, Reasoning, reading_options, reasoning_options
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message
from tlex.errors import OptionError
from tlex.files import is_directory
from tlex.viewer.library import BROKEN, Library
from tlex.viewer.pages import export_pages
from tlex.wording import count

__all__ = ["view_command"]


@command(example="view corpus/ --repair --open")
@argument("path", type=PATH, metavar="FILE|DIR", explanation="The file or directory to look at.")
@option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port of the server; 0 takes any free one.",
)
@option("--open", "browse", is_flag=True, help="Open the page in a browser.")
@option(
    "--export",
    type=PATH,
    metavar="DIR",
    help="Write the pages and an index to this directory; start no server.",
)
@option("--repair", is_flag=True, help="Decide contradictions on the page, and save that.")
@option("--patch", type=PATH, metavar="FILE", help="Save decisions here, not in the files.")
@option("--who", metavar="NAME", help="Name to put into the patch; the login name if not given.")
@reasoning_options(main=True, subordinating=True, dated=True, mend=True)
@reading_options(strict=False)
def view_command(  # noqa: PLR0913 -- one argument an option
    *,
    path: str,
    port: int,
    browse: bool,
    export: str | None,
    repair: bool,
    patch: str | None,
    who: str | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Show text and timelines side by side in a browser.

    The address is printed; only this machine can open it. The pages change when the files change.
    Ctrl-C stops the server. With --export the same pages are written as files that need no server.
    With --repair each contradiction is a decision between several options: a number and Enter. Each
    is kept as soon as it is taken. Saving changes only the links concerned in the files, or writes
    a patch for tlex apply.
    """
    reasoning.check()
    if path == "-":
        raise OptionError("a file or a directory can be viewed, not standard input")
    try:
        os.stat(path)  # noqa: PTH116 -- quicker than a Path
    except FileNotFoundError:
        raise OptionError(f"{path}: there is no such file or directory") from None
    except (OSError, ValueError) as error:
        raise OptionError(f"{path}: cannot be viewed: {error}") from None
    _check_repair(export, patch, who, repair=repair)
    library = Library(path, reading._asdict(), reasoning._asdict())
    if export is not None:
        return _export(library, export)
    try:
        from tlex.viewer.server import serve  # noqa: PLC0415 -- needs an extra
    except ImportError as error:
        raise OptionError(
            f"viewing needs {error.name}; install it with: pip install 'tlex[view]', "
            "or write the pages with --export DIR"
        ) from None

    desk = None
    if repair:
        from tlex.viewer.repair_desk import Desk  # noqa: PLC0415 -- with the server alone

        desk = Desk(library, patch, who or _find_user())

    def announce(address: str) -> None:
        print(address, flush=True)
        print_message(f"showing {path}; press Ctrl-C to stop")
        if desk is not None:
            print_message(f"decisions are kept in {desk.kept.path} until they are saved")
        if browse:
            webbrowser.open(address)

    try:
        serve(library, port, announce, desk)
    except KeyboardInterrupt:  # the usual end; the message above has announced it
        return INTERRUPTED
    return 0


def _check_repair(export: str | None, patch: str | None, who: str | None, *, repair: bool) -> None:
    if repair and export is not None:
        raise OptionError("exported pages only show; --repair needs the server")
    if not repair and (patch or who) is not None:
        raise OptionError("--patch and --who are for decisions; give --repair too")
    if patch is not None and not is_directory(Path(patch).parent):
        raise OptionError(f"{patch}: cannot be written: there is no directory for it")
    if patch is not None and is_directory(patch):
        raise OptionError(f"{patch}: is a directory; give the patch a file name")


def _find_user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # nobody by this number, as in some containers
        return ""


def _export(library: Library, folder: str) -> int:
    entries = export_pages(library, folder, partial(show_progress, silent=True))
    broken = [entry.message for entry in entries if entry.verdict == BROKEN]
    for message in broken:
        print_message(message)
    print(Path(folder) / "index.html")
    print_message(f"wrote {count(len(entries) - len(broken), 'document')} to {folder}")
    return 2 if broken else 0
