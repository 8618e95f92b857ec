"""Options that several commands have, each written once; bundles of them arrive as one object."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tlex.cli.command import argument, option

if TYPE_CHECKING:
    from tlex.readers.labels import Labels
    from tlex.readers.layers import Layers

__all__ = [
    "PATH",
    "Reading",
    "Reasoning",
    "confidence_option",
    "contradictions_option",
    "json_option",
    "labels_option",
    "output_option",
    "paths_argument",
    "read_size",
    "reading_options",
    "reasoning_options",
    "split_words",
]

Function = Callable[..., int]
Decorator = Callable[[Function], Function]

READING = "Reading"
REASONING = "Reasoning"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class Reading(NamedTuple):
    """How documents are read: the options of `tlex.read_all`, by their names there."""

    max_bytes: int
    strict: bool = False
    format: str | None = None
    text: str | None = None
    labels: Labels | None = None
    strict_labels: bool = False
    layers: Layers | None = None


class Reasoning(NamedTuple):
    """How timelines are extracted: the options of `tlex.extract`, by their names there."""

    links: tuple[str, ...] = ("TLINK", "ALINK")
    times: str = "interval"
    main: tuple[str, ...] | None = None
    subordinating: tuple[str, ...] | None = None
    calendar: bool = False
    mend: bool = False
    confidence: bool = False

    def check(self) -> Reasoning:
        """Refuse wrong values before any document is read."""
        from tlex.extraction import choose_options  # noqa: PLC0415 -- options are loaded first

        choose_options(self.links, self.times, self.subordinating)
        if self.confidence and not self.mend:
            raise click.UsageError("--confidence says what --mend leaves out; give --mend as well")
        return self


PATH = click.Path(readable=False)
"""The name of a file or directory; shells complete it. Whether it exists is checked later."""


def split_words(words: str | tuple[str, ...]) -> tuple[str, ...]:
    """Split what is written with commas.

    >>> split_words("ei1, ei2,")
    ('ei1', 'ei2')
    """
    if isinstance(words, tuple):
        return words
    return tuple(word.strip() for word in words.split(",") if word.strip())


def read_size(words: str | int) -> int:
    """Read a number of bytes.

    >>> read_size("500M"), read_size("1.5 GB")
    (524288000, 1610612736)
    """
    match = _SIZE.fullmatch(str(words).strip())
    size = int(float(match[1]) * _UNITS[match[2].upper()]) if match else 0
    if not size:
        raise click.BadParameter(f"{words!r} is no size; write it like 500M or 2G")
    return size


def _read_label_file(
    context: click.Context, parameter: click.Parameter, path: str | None
) -> Labels | None:
    del context, parameter
    if path is None:
        return None
    from tlex.readers.labels import take_labels  # noqa: PLC0415 -- seldom given

    return take_labels(path)


def _read_layers_file(
    context: click.Context, parameter: click.Parameter, path: str | None
) -> Layers | None:
    del context, parameter
    if path is None:
        return None
    from tlex.readers.layers import take_layers  # noqa: PLC0415 -- seldom given

    return take_layers(path)


paths_argument = argument(
    "paths",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="FILE|DIR|-...",
    explanation="Files, directories, or - for standard input.",
)

json_option = option(
    "--json", "as_json", is_flag=True, help="Write one JSON object per document, one per line."
)


def output_option(metavar: str, text: str, **settings: Any) -> Decorator:  # noqa: ANN401
    """``-o``: what may be written differs from command to command."""
    return option("-o", "--output", type=PATH, metavar=metavar, help=text, **settings)


confidence_option = option(
    "--confidence",
    type=float,
    default=0.95,
    metavar="SHARE",
    help="Confidence level of the interval.",
)

_strict_option = option(
    "--strict", is_flag=True, section=READING, help="Refuse documents that have an error."
)
_strict_labels_option = option(
    "--strict-labels",
    is_flag=True,
    section=READING,
    help="Refuse documents that have an unknown label.",
)
_format_option = option(
    "--format", metavar="NAME", section=READING, help="Format of the files, instead of detection."
)
_text_option = option(
    "--text",
    type=PATH,
    metavar="DIR",
    section=READING,
    help="Directory with the texts of stand-off annotation.",
)
labels_option = option(
    "--labels",
    type=PATH,
    callback=_read_label_file,
    metavar="FILE|NAME",
    section=READING,
    help="Own labels in TOML, or one of caters, frtimebank, intervals, timeml, timeset.",
)
_layers_option = option(
    "--layers",
    type=PATH,
    callback=_read_layers_file,
    metavar="FILE",
    section=READING,
    help="TOML file with the layers that are events, times and links.",
)
_max_bytes_option = option(
    "--max-bytes",
    type=read_size,
    default="64 MB",
    metavar="SIZE",
    section=READING,
    help="Size of the largest file that is read.",
)


def _links_option(default: str | None) -> Decorator:
    return option(
        "--links",
        type=split_words,
        default=default,
        metavar="KINDS",
        section=REASONING,
        help="Links that order time: tlink, alink or both.",
    )


def _times_option(default: str | None) -> Decorator:
    return option(
        "--times",
        default=default,
        type=click.Choice(["interval", "point"]),
        metavar="interval|point",
        section=REASONING,
        help="Treat TIMEs as intervals or as points.",
    )


_main_option = option(
    "--main",
    type=split_words,
    metavar="ID,...",
    section=REASONING,
    help="Events or times that are known to be on the trunk.",
)
_subordinating_option = option(
    "--subordinating",
    type=split_words,
    metavar="TYPE,...",
    section=REASONING,
    help="SLINK types that count when the trunk is found; all by default.",
)


def reading_options(*, strict: bool = True) -> Decorator:
    """``--format``, ``--text``, ``--labels``, ``--layers``, ``--max-bytes`` as one `Reading`.

    ``--strict-labels`` is one of them, and with ``strict`` also ``--strict``.
    """
    options = [_format_option, _text_option, labels_option, _layers_option, _max_bytes_option]
    first = [_strict_option] if strict else []
    return _bundle("reading", Reading, [*first, _strict_labels_option, *options])


_mend_option = option(
    "--mend",
    is_flag=True,
    section=REASONING,
    help="Leave out the links of a smallest repair.",
)
_mended_option = option(
    "--mend/--no-mend",
    "mend",
    default=True,
    section=REASONING,
    help="Leave out the links of a smallest repair; the default.",
)
_weights_option = option(
    "--confidence",
    is_flag=True,
    section=REASONING,
    help="For --mend: use the weights in the file as probabilities.",
)
_calendar_option = option(
    "--calendar",
    is_flag=True,
    section=REASONING,
    help="Order times by their values too.",
)
_calendar_switch = option(
    "--calendar/--no-calendar",
    "calendar",
    default=None,
    section=REASONING,
    help="Order times by their values too.",
)
_dated_option = option(
    "--calendar/--no-calendar",
    "calendar",
    default=True,
    section=REASONING,
    help="Order times by their values too; the default.",
)
contradictions_option = option(
    "--contradictions",
    type=click.Choice(["part", "repair", "every"]),
    metavar="part|repair|every",
    section=REASONING,
    help="Where links contradict each other: no order, or what holds after the chosen or every "
    "smallest repair.",
)


def reasoning_options(  # noqa: PLR0913 -- one argument an option
    *,
    main: bool = False,
    subordinating: bool = False,
    calendar: bool = False,
    dated: bool = False,
    mend: bool | None = None,
    confidence: bool = True,
    defaults: bool = True,
) -> Decorator:
    """``--links``, ``--times`` and whatever else is wanted as one `Reasoning`.

    ``dated`` asks for a ``--calendar`` that is on by default, ``calendar`` for one that is not.
    ``mend`` is the default of ``--mend``; without it there is no such option. With ``confidence``
    ``--confidence`` comes with it. Without ``defaults``
    an option that is not given is None.
    """
    options = [
        _links_option("tlink,alink" if defaults else None),
        _times_option("interval" if defaults else None),
        *([_main_option] if main else []),
        *([_subordinating_option] if subordinating else []),
        *([_calendar_option if defaults else _calendar_switch] if calendar else []),
        *([_dated_option] if dated else []),
        *([] if mend is None else [_mended_option if mend else _mend_option]),
        *([_weights_option] if mend is not None and confidence else []),
    ]
    return _bundle("reasoning", Reasoning, options)


def _bundle(name: str, kind: type[Reading | Reasoning], options: list[Decorator]) -> Decorator:
    """Give a function all options; their values come in one object, as one argument."""
    fields = list(kind._fields)
    if kind is Reasoning and _weights_option not in options:
        fields.remove("confidence")  # other commands have another option of this name

    def decorate(function: Function) -> Function:
        @wraps(function)
        def gather(**values: Any) -> int:  # noqa: ANN401
            own = {field: values.pop(field) for field in fields if field in values}
            return function(**values, **{name: kind(**own)})

        for each in reversed(options):
            each(gather)
        return gather

    return decorate
