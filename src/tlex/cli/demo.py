"""``tlex demo``: what tlex does, shown on documents that come with it."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from tempfile import mkdtemp

from tlex.cli.command import command, option
from tlex.cli.options import PATH
from tlex.cli.terminal import describe_screen, print_message
from tlex.draw import text
from tlex.errors import OptionError
from tlex.extraction import extract
from tlex.files import make_directory, walk, write_atomically
from tlex.readers import parse
from tlex.viewer.page import html
from tlex.wording import count

__all__ = ["demo_command", "find_examples"]

_SHOWN = ("story.tml", "contradiction.tml")


@command(example="demo --open")
@option("--open", "browse", is_flag=True, help="Open the page of the story in a browser.")
@option(
    "-o",
    "--output",
    type=PATH,
    metavar="DIR",
    help="Write all example documents and the pages to this directory.",
)
def demo_command(*, browse: bool, output: str | None) -> int:
    """Show what tlex does with two example documents.

    It prints the timelines of a short story and the contradiction in another one, and writes a page
    with text and timeline of each. The pages go to a temporary directory. With -o the pages and all
    example documents are written to DIR; the tutorials start so: tlex demo -o examples.
    """
    examples = find_examples()
    if output is None:
        folder = Path(mkdtemp(prefix="tlex-demo-"))
    else:
        folder = Path(output)
        _copy(examples, folder)
    for number, name in enumerate(_SHOWN):
        document = parse((examples / name).read_bytes(), name=name)
        print(("\n" if number else "") + text(extract(document), **describe_screen()))
        page = folder / Path(name).with_suffix(".html")
        write_atomically(page, html(document).encode())
        print_message(f"{name}: the page is {page}")
    if browse:
        webbrowser.open((folder / "story.html").resolve().as_uri())
    return 0


def find_examples() -> Path:
    """Find the examples: in the installed package, or beside the sources in a clone."""
    package = Path(__file__).parents[1]
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"


def _copy(examples: Path, folder: Path) -> None:
    """Copy all examples, but no file over one that is different."""
    files = [found for found in walk(str(examples)) if "__pycache__" not in found.name]
    for found in files:
        target = folder / found.name
        if target.exists() and target.read_bytes() != Path(found.path).read_bytes():
            raise OptionError(
                f"{target} exists and is not the example; give another directory, or remove it"
            )
    for found in files:
        target = folder / found.name
        make_directory(target.parent)
        write_atomically(target, Path(found.path).read_bytes())
    print_message(f"wrote {count(len(files), 'example')} to {folder}")
