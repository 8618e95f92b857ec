"""Which layers of an annotation are events, times and links: settings for tools that leave it open.

UIMA (WebAnno, INCEpTION), brat and MAE let every project name its own layers, features and
directions. A TOML file says what they are::

    events = ["EVENT", "Span"]  # layers, types or elements that are events
    times = ["TIMEX3"]
    document_time = "METADATA.docTime"  # the feature with the time of the document
    time_relation = "docTimeRel"  # the feature of an event that relates it to that time
    turned = []  # kinds of links whose arrow runs from target to source

    [links.Relation]  # a layer of relations, or a slot: LAYER.FEATURE
    kind = "TLINK"
    label = "label"  # the feature with the label
    turned = false

All layers that the file does not name stay as they are in `DEFAULT_LAYERS`.
"""

from __future__ import annotations

import os
import re

import msgspec
from msgspec import Struct

from tlex.arguments import require_kind
from tlex.errors import OptionError
from tlex.wording import count, represent

__all__ = [
    "DEFAULT_LAYERS",
    "Layers",
    "LinkLayer",
    "find_layer_kind",
    "parse_layers",
    "take_layers",
]

MAX_BYTES = 1 << 20
_KINDS = ("TLINK", "ALINK", "SLINK", "GLINK", "CLINK")
_TIME = re.compile(r"(?:timex3?|date|time|duration|set|sectime|doctime)", re.IGNORECASE)
_EVENT = re.compile(r"event(?:_mention)?", re.IGNORECASE)


class LinkLayer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A layer of relations, or a slot of a span layer.

    ``label`` is the feature with the label; without it the usual ones are tried. With ``turned``
    the arrow runs from target to source. A ``kind`` of "" says that the layer has no links.
    """

    kind: str = "TLINK"
    label: str = ""
    source: str = ""
    target: str = ""
    turned: bool = False


class Layers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The layers of a project."""

    events: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    links: dict[str, LinkLayer] = {}
    document_time: str = "METADATA.docTime"
    time_relation: str = "docTimeRel"
    turned: tuple[str, ...] = ()

    def __repr__(self) -> str:
        events, times = count(len(self.events), "layer"), count(len(self.times), "layer")
        return represent(self, f"events in {events}, times in {times}, {len(self.links)} of links")


DEFAULT_LAYERS = Layers()


def find_layer_kind(layers: Layers, name: str) -> str | None:
    """Say whether a layer has events or times; None if it has neither.

    If the settings name no layers of events, those called event are; likewise for times.
    """
    if name in layers.events:
        return "event"
    if name in layers.times:
        return "time"
    if not layers.times and _TIME.fullmatch(name):
        return "time"
    return "event" if not layers.events and _EVENT.fullmatch(name) else None


def take_layers(layers: Layers | str | os.PathLike[str] | None) -> Layers:
    """Give settings, and read them first if they are in a file."""
    if layers is None:
        return DEFAULT_LAYERS
    if not isinstance(layers, str | os.PathLike):
        require_kind("layers", layers, Layers, "a path, or what tlex.readers.parse_layers gave")
        return layers
    try:
        with open(layers, "rb") as file:  # noqa: PTH123 -- quicker to load than a Path
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise OptionError(f"{layers}: cannot be read: {reason or error}") from None
    if len(data) > MAX_BYTES:
        raise OptionError(f"{layers}: the settings are larger than {MAX_BYTES:,} bytes")
    return parse_layers(data, str(layers))


def parse_layers(data: bytes, name: str) -> Layers:
    r"""Parse settings of layers; ``name`` is that of the file, for the error.

    >>> find_layer_kind(parse_layers(b'events = ["Span"]', "layers.toml"), "Span")
    'event'
    """
    import tomllib  # noqa: PLC0415 -- most documents need no such file

    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise OptionError(f"{name}: not settings of layers in TOML: {error}") from None
    try:
        layers = msgspec.convert(content, Layers)
    except msgspec.ValidationError as error:
        raise OptionError(f"{name}: {str(error)[:1].lower()}{str(error)[1:]}") from None
    for layer, link in layers.links.items():
        if link.kind and link.kind not in _KINDS:
            known = ", ".join(_KINDS)
            raise OptionError(f"{name}: links.{layer}: the kind {link.kind!r} is none of {known}")
    for kind in layers.turned:
        if kind not in _KINDS:
            raise OptionError(f"{name}: turned: {kind!r} is none of {', '.join(_KINDS)}")
    return layers
