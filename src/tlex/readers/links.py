"""Building a document from links alone, without a file: `from_links`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, isfinite
from numbers import Integral
from typing import Any

from tlex.document import Document
from tlex.errors import OptionError
from tlex.nouns import Code, Instance, Link, Node, Timex
from tlex.readers.assembly import Nouns, assemble, find_kind, is_time
from tlex.readers.diagnostics import Diagnostics, raise_first_error, show
from tlex.source import NOWHERE

__all__ = ["from_links"]

_COLUMNS = ("source", "type", "target")


def from_links(
    links: Iterable[Any],
    *,
    texts: Mapping[str, str] | None = None,
    times: Mapping[str, str] | None = None,
    name: str = "<links>",
    strict: bool = False,
) -> Document:
    """Make a document from links ``(source, type, target)``.

    Nodes are numbered in the order of their first use. A node whose id is ``t`` and a number is a
    time, every other node an event. The kind of link follows from its type.

    Parameters
    ----------
    links : iterable
        The links. Each is a sequence of source, type and target, or a mapping with these keys and,
        optionally, an ``id`` and a ``weight``. A pandas data frame with such columns works too.
    texts : mapping of str to str, optional
        The words of nodes, by id.
    times : mapping of str to str, optional
        Further nodes that are times, with their TIMEX3 types, such as ``{"now": "DATE"}``.
    name : str
        The document's name.
    strict : bool
        Raise the first error. Without it, what is wrong is in ``diagnostics``.

    Returns
    -------
    Document
        A document whose text is the words of its nodes.

    Raises
    ------
    OptionError
        If something is not a link, or ``texts`` or ``times`` is not a mapping to words.
    StrictError
        With ``strict``, if a link is wrong.

    Examples
    --------
    >>> document = from_links([("e1", "BEFORE", "e2"), ("e2", "IS_INCLUDED", "t1")])
    >>> [node.id for node in document.nodes]
    ['e1', 'e2', 't1']

    See Also
    --------
    tlex.read : read a document from a file.
    tlex.extract : extract the timelines of a document.
    """
    diagnostics = Diagnostics(name, None)
    words, given = _check_names(texts, "texts"), _check_names(times, "times")
    rows = [_read_row(row, number) for number, row in enumerate(_rows(links), 1)]
    taken = {row["id"] for row in rows}
    names: dict[str, None] = {}
    made = []
    for number, row in enumerate(rows, 1):
        own, source, target = row["id"], row["source"], row["target"]
        while not own or (own in taken and not row["id"]):
            own = f"{own}'" if own else f"l{number}"
        weight = _read_weight(own, row["weight"], diagnostics)
        label, kind = find_kind(row["type"])
        names.update({source: None, target: None})
        link = Link(
            id=own,
            attributes={},
            byte_start=NOWHERE,
            file=None,
            kind=kind,
            type=label,
            source=source,
            target=target,
            weight=weight,
        )
        made.append(link)
    names.update(dict.fromkeys((*words, *given)))
    text, ends = _write_text(names, words, given)
    document = assemble(Nouns(ends=ends), made, diagnostics, format="links", text=text)
    if strict:
        raise_first_error(document)
    return document


def _rows(links: Any) -> Iterable[Any]:  # noqa: ANN401 -- whatever the caller has
    if hasattr(links, "to_dict") and hasattr(links, "columns"):
        rows: Iterable[Any] = links.to_dict("records")
        return rows if set(_COLUMNS) <= set(links.columns) else [tuple(r.values()) for r in rows]
    if isinstance(links, str | bytes) or not isinstance(links, Iterable):
        raise OptionError(f"links must be rows of source, type and target, not {links!r:.80}")
    return links


def _read_row(row: Any, number: int) -> dict[str, Any]:  # noqa: ANN401
    """Find source, type and target of a row, and id and weight if it has them."""
    fields = row
    if type(row) is tuple and len(row) == len(("index", "row")):  # from iterrows()
        fields = row[1]
    if hasattr(fields, "_asdict"):  # from itertuples()
        fields = fields._asdict()
    if hasattr(fields, "to_dict"):
        fields = fields.to_dict()
    elif getattr(getattr(fields, "dtype", None), "names", None):  # from to_records()
        fields = dict(zip(fields.dtype.names, fields.tolist(), strict=True))
    if not isinstance(fields, Mapping):
        plain = isinstance(fields, str | bytes) or not isinstance(fields, Iterable)
        values = [] if plain else list(fields)
        fields = dict(zip(_COLUMNS, values, strict=True)) if len(values) == len(_COLUMNS) else {}
    found = {column: fields.get(column) for column in _COLUMNS}
    for column in ("source", "target"):
        if isinstance(found[column], Integral) and not isinstance(found[column], bool):
            found[column] = str(found[column])
    if not all(isinstance(value, str) and value.strip() for value in found.values()):
        raise OptionError(f"link {number} is {row!r:.200}, not a source, a type and a target")
    own = fields.get("id")
    own = "" if own is None or own != own else str(own)  # noqa: PLR0124 -- a data frame's gap is NaN
    found = {column: _check_text(value, f"link {number}") for column, value in found.items()}
    return {**found, "id": _check_text(own, f"link {number}"), "weight": fields.get("weight")}


def _read_weight(link: str, weight: Any, diagnostics: Diagnostics) -> float | None:  # noqa: ANN401
    if weight is None or weight != weight:  # noqa: PLR0124 -- a data frame's gap is NaN
        return None
    try:
        number = float(weight)
    except (TypeError, ValueError, OverflowError):
        number = inf
    if isfinite(number):
        return number
    message = f"link {show(link)} has weight {weight!r:.80}, which is not a number; it is left out"
    diagnostics.add(Code.BAD_WEIGHT, NOWHERE, message)
    return None


def _check_names(names: Any, option: str) -> dict[str, str]:  # noqa: ANN401
    """Check that an option is a mapping from ids to words."""
    if names is None:
        return {}
    if not isinstance(names, Mapping):
        raise OptionError(f"{option} takes a mapping from ids to words, not {names!r:.80}")
    for key, value in names.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise OptionError(f"{option} takes words, not {key!r:.80}: {value!r:.80}")
    return {_check_text(k, option): _check_text(v, option, strip=False) for k, v in names.items()}


def _check_text(words: str, where: str, *, strip: bool = True) -> str:
    try:
        words.encode("utf-8")
    except UnicodeEncodeError:
        raise OptionError(f"{where} has {words!r:.80}, which cannot stand in a text") from None
    return words.strip() if strip else words


def _write_text(
    names: Iterable[str], words: Mapping[str, str], times: Mapping[str, str]
) -> tuple[str, list[Node]]:
    """Make the nodes, and a text of their words in the same order if there are any."""
    nodes: list[Node] = []
    pieces: list[str] = []
    at = 0
    for name in names:
        first = last = NOWHERE
        if words:
            piece = words.get(name, "")
            first, last = at, at + len(piece)
            pieces.append(piece + " ")
            at = last + 1
        if name in times or is_time(name):
            attributes = {"type": times[name]} if name in times else {}
            nodes.append(
                Timex(
                    id=name,
                    attributes=attributes,
                    byte_start=NOWHERE,
                    file=None,
                    text_start=first,
                    text_end=last,
                )
            )
        else:
            nodes.append(
                Instance(
                    id=name,
                    attributes={},
                    byte_start=NOWHERE,
                    file=None,
                    text_start=first,
                    text_end=last,
                )
            )
    return "".join(pieces), nodes
