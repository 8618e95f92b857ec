"""A text with its annotation, as it was read: its nouns, and what can be known without them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tlex.columns import (
    CheckColumns,
    LinkColumns,
    Marks,
    NodeColumns,
    NounOverview,
    Overview,
    Places,
    Relations,
    SubordinatingLink,
)
from tlex.nouns import Diagnostic, Event, Instance, Link, Node, Signal, Span, Timex
from tlex.source import Source

__all__ = ["BETWEEN", "JOINT", "Document"]

JOINT = "#"
"""What stands between the name of a document and an id of it, in several documents as one."""
BETWEEN = "\n\n"
"""What stands between the texts of several documents as one."""


class Document:
    """A text with its annotation, as it was read, and what is wrong with it.

    ``nodes`` are the ends that links may have, in text order: by start of the span in the text,
    then document order; those without a span last. ``index`` finds a node's number by its id,
    and has the ids in the same order.
    ``links`` are all links of the file, in document order. ``phrases`` has the words of nodes, by
    id, that no single stretch of the text holds: those with a gap, and those outside the text.
    ``labels`` are rows, by kind of link and label, that go before those of the library's tables;
    ``reading`` is the name of the corpus whose labels they are, if it has one.
    ``skipped`` counts the elements of the file that are no part of it, by name. ``text_directory``
    is the directory that the caller named for the texts of stand-off annotation. ``relations`` are
    the links that order nodes, where the reader has them at hand. ``times`` has the attributes of
    all nodes that are times, by id, ``places`` where the nodes stand in the text, ``node_columns``
    what else it says of them, ``slinks`` what the SLINKs say, ``link_ids`` has the ids of all
    links, ``calendar`` the links that follow from values, ``link_columns`` what all links say,
    ``check_columns`` what else checks look at, ``marks`` how many events and signals there are, and
    ``marked_end`` where in the file the last element ends that has a place in the text (0 if there
    is none): these can be had without nouns, and so can the text and single links (`link`).
    ``sentences`` are spans of the text, in order, that hold all of it but white space: as far as
    the file marks sentences these, and for the rest those that a small rule finds. They are found
    when somebody first looks at them.

    Several documents as one (`tlex.merge`) have ``documents``: the single ones, by the name that
    the ids of their nouns begin with (``story#ei4``). The text is then that of all of them, one
    after the other, and `home` leads back to the single one. A single document has none.

    A document is not changed; `replace` gives another one. Its nouns may be made when somebody
    first looks at them (`postpone`): the five steps need none.
    """

    name: str
    format: str
    text: str
    events: tuple[Event, ...]
    instances: tuple[Instance, ...]
    timexes: tuple[Timex, ...]
    signals: tuple[Signal, ...]
    nodes: tuple[Node, ...]
    index: dict[str, int]
    links: tuple[Link, ...]
    diagnostics: tuple[Diagnostic, ...]
    source: Source | None
    phrases: dict[str, str]
    labels: dict[str, dict[str, tuple[str, ...]]]
    reading: str
    skipped: dict[str, int]
    text_directory: str | None
    relations: Relations | None
    times: dict[str, dict[str, str]]
    places: Places
    node_columns: NodeColumns
    slinks: list[SubordinatingLink]
    link_ids: list[str]
    calendar: list[Link]
    link_columns: LinkColumns
    check_columns: CheckColumns
    marks: Marks
    marked_end: int
    sentences: tuple[Span, ...]
    documents: dict[str, Document]
    _marked: tuple[Span, ...]

    def __init__(  # noqa: PLR0913 -- one argument a field
        self,
        *,
        name: str,
        format: str,  # noqa: A002 -- what the command line calls it
        text: str,
        events: tuple[Event, ...],
        instances: tuple[Instance, ...],
        timexes: tuple[Timex, ...],
        signals: tuple[Signal, ...],
        nodes: tuple[Node, ...],
        index: dict[str, int],
        links: tuple[Link, ...],
        diagnostics: tuple[Diagnostic, ...] = (),
        source: Source | None = None,
        phrases: dict[str, str] | None = None,
        labels: dict[str, dict[str, tuple[str, ...]]] | None = None,
        reading: str = "",
        skipped: dict[str, int] | None = None,
        text_directory: str | None = None,
        sentences: tuple[Span, ...] = (),
        documents: dict[str, Document] | None = None,
    ) -> None:
        self.__dict__.update(
            name=name,
            format=format,
            text=text,
            events=events,
            instances=instances,
            timexes=timexes,
            signals=signals,
            nodes=nodes,
            index=index,
            links=links,
            diagnostics=diagnostics,
            source=source,
            phrases=phrases or {},
            labels=labels or {},
            reading=reading,
            skipped=skipped or {},
            text_directory=text_directory,
            relations=None,
            documents=documents or {},
            _marked=sentences,  # those that the file marks
        )

    @classmethod
    def postpone(  # noqa: PLR0913
        cls,
        make: Callable[[], Document],
        *,
        name: str,
        format: str,  # noqa: A002
        index: dict[str, int],
        relations: Relations,
        source: Source | None,
        overview: Overview,
    ) -> Document:
        """Give a document whose nouns are made when somebody first looks at them.

        It is for readers. Nothing may be wrong with the file: there are no diagnostics.

        Parameters
        ----------
        make : callable
            Gives the whole document. Its text, events, instances, times, signals, nodes and links
            become those of this one.
        name, format, source
            As in the constructor.
        index : dict of str to int
            The number of each node by its id, as ``make`` will give them.
        relations : Relations
            The links that order nodes. No link may have a weight.
        overview : Overview
            What is known of the document before the nouns are made. Whatever it does not tell is
            found from the nouns.

        Returns
        -------
        Document
            A document that is equal to the one that ``make`` gives.

        Examples
        --------
        >>> import tlex
        >>> from tlex.columns import Overview
        >>> whole = tlex.read("examples/story.tml")
        >>> again = tlex.Document.postpone(
        ...     lambda: whole,
        ...     name=whole.name,
        ...     format=whole.format,
        ...     index=whole.index,
        ...     relations=whole.relations,
        ...     source=whole.source,
        ...     overview=Overview(),
        ... )
        >>> again == whole
        True

        See Also
        --------
        replace : give a document with other fields.
        """
        document = cls.__new__(cls)
        document.__dict__.update(
            name=name,
            format=format,
            index=index,
            diagnostics=(),
            source=source,
            phrases={},
            labels={},
            reading="",
            skipped={},
            text_directory=None,
            relations=relations,
            documents={},
            _make=make,
            _overview=overview,
        )
        return document

    if not TYPE_CHECKING:  # or else a type checker would believe in any attribute

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- reached for what is not there yet
            own = self.__dict__
            if name == "places" and "node_columns" in own:
                return own.setdefault(name, own["node_columns"])
            overview = own.get("_overview")
            found = None
            if name in _COLUMNS:
                found = None if overview is None else getattr(overview, name)()
                if found is None:
                    found = getattr(NounOverview(self), name)()
            elif name == "sentences":
                found = self._divide()
            elif name == "text" and overview is not None:
                found = self.places.text
            elif name == "_marked" and overview is not None:
                found = overview.sentences()
            if found is not None:
                return own.setdefault(name, found)
            if name in _POSTPONED and "_make" in own:
                self._make_nouns()
            if name in own:
                return own[name]
            raise AttributeError(f"a document has no {name!r}", name=name, obj=self)

        def __setattr__(self, name: str, value: object) -> None:
            message = f"a document is not changed: use replace({name}=...), which gives another one"
            raise AttributeError(message, name=name, obj=self)

        def __delattr__(self, name: str) -> None:
            raise AttributeError("a document is not changed", name=name, obj=self)

    def _make_nouns(self) -> None:
        """Make the nouns. Of several threads that do, the first makes what all will see."""
        make = self.__dict__.get("_make")
        if make is not None:
            made = make()
            nouns = {noun: getattr(made, noun) for noun in _POSTPONED}
            self.__dict__.update(self.__dict__.setdefault("_made", nouns))
            self.__dict__.pop("_make", None)
            self.__dict__.pop("_overview", None)

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *_NOUNS, *_COLUMNS, "sentences"}

    def _repr_svg_(self) -> str:
        """Draw the picture that a notebook shows: the timelines, mended where need be."""
        from tlex.draw.svg_painter import svg  # noqa: PLC0415

        return svg(self)

    def _repr_html_(self) -> str:
        """Give the reading view, for a notebook that shows HTML."""
        from tlex.draw.reading.html_painter import html  # noqa: PLC0415

        return html(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Document):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in _COMPARED)

    def __hash__(self) -> int:
        return hash((self.name, self.format, self.text))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()  # others may look while it is sent

    def __repr__(self) -> str:
        parts = f"{len(self.documents)} documents, " if self.documents else ""
        return f"<Document {self.name!r}: {parts}{len(self.index)} nodes, format {self.format}>"

    def replace(self, **changes: Any) -> Document:  # noqa: ANN401 -- any field
        """Give a document like this one but for some fields.

        What ``relations`` say is found out again. Another text has sentences of its own, unless
        these are given too.

        Parameters
        ----------
        **changes : Any
            Fields and their new values, named as in the constructor. ``nodes`` and ``index`` go
            together.

        Returns
        -------
        Document
            Another document; this one stays as it is.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.replace(links=document.links[:1]).links
        (<Link l1: TLINK ei1 DURING t1>,)

        See Also
        --------
        tlex.write : write a document.
        """
        kept = {field: getattr(self, field) for field in _FIELDS if field not in changes}
        kept["sentences"] = () if changes.get("text", self.text) != self.text else self._marked
        return Document(**kept | changes)

    def sentence(self, node: Node | str | Span) -> Span | None:
        """Give the sentence in which a node stands.

        Parameters
        ----------
        node : Node, str or Span
            An event, instance or time of the document, its id or words, or a place in the text.

        Returns
        -------
        Span or None
            One of ``sentences``, the one in which the words begin; None if the node has no place
            in the text.

        Raises
        ------
        UnknownNameError
            If no node has this id or these words.
        AmbiguousError
            If several nodes have these words.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> span = document.sentence("midnight")
        >>> " ".join(document.text[span.start : span.end].split())
        'On the stroke of midnight the owl began to hoot.'

        See Also
        --------
        words : the words of a node.
        """
        if isinstance(node, str):
            node = self.node(node)
        place = node if isinstance(node, Span) else node.span
        if place is None:
            return None
        number = bisect_right(self.sentences, place.start, key=attrgetter("start"))
        for span in self.sentences[max(number - 1, 0) : number + 1]:
            if span.start < place.end and place.start < span.end:
                return span
            if place.start == place.end and span.start <= place.start <= span.end:
                return span
        return None

    def _divide(self) -> tuple[Span, ...]:
        from tlex.sentences import divide  # noqa: PLC0415 -- few ask for them

        if self.documents:
            return tuple(
                Span(start + span.start, start + span.end)
                for start, document in zip(self.text_starts, self.documents.values(), strict=True)
                for span in document.sentences
            )
        marked = ((span.start, span.end) for span in self._marked)
        return tuple(Span(start, end) for start, end in divide(self.text, marked))

    @property
    def text_starts(self) -> tuple[int, ...]:
        """Where the text of each of the ``documents`` begins; 0 alone for a single document.

        Examples
        --------
        >>> import tlex
        >>> tlex.read("examples/story.tml").text_starts
        (0,)
        """
        lengths = (len(document.text) + len(BETWEEN) for document in self.documents.values())
        return tuple(accumulate(lengths, initial=0))[: len(self.documents) or 1]

    def home(self, noun: Node | Signal | Link | str) -> tuple[Document, str]:
        """Give the document that a noun comes from, and its id there.

        Parameters
        ----------
        noun : Node, Signal, Link or str
            A noun of this document, or its id.

        Returns
        -------
        tuple of Document and str
            One of ``documents``, and the id without its name. A single document is its own home;
            so are several documents as one for a link that joins two of them.

        Examples
        --------
        >>> import tlex
        >>> merged = tlex.merge([tlex.read("examples/story.tml")])
        >>> merged.home("story#t4")
        (<Document 'examples/story.tml': 26 nodes, format timeml>, 't4')

        See Also
        --------
        tlex.merge : several documents as one.
        """
        own = noun if isinstance(noun, str) else noun.id
        if self.documents:
            name, _, rest = own.partition(JOINT)
            if name in self.documents:
                return self.documents[name], rest
        return self, own

    def words(self, node: Node | str) -> str:
        """Give the words of a node, with white space folded; empty where it has none.

        Parameters
        ----------
        node : Node or str
            An event, instance or time of the document, or its id or words.

        Returns
        -------
        str
            Its words in the text.

        Raises
        ------
        UnknownNameError
            If no node has this id or these words.
        AmbiguousError
            If several nodes have these words.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.words(document.nodes[1]), document.words("ei2")
        ('snowed', 'built')

        See Also
        --------
        node : find a node by its id or words.
        """
        if isinstance(node, str):
            node = self.node(node)
        return self._fold(node.id, self.text, node.text_start, node.text_end)

    def words_of(self, name: str) -> str:
        """Give the words of a node that is named by its id; no noun is made for that.

        Parameters
        ----------
        name : str
            The id of an instance, a time, or an event without instances.

        Returns
        -------
        str
            Its words in the text; empty where it has none, or where there is no such node.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.words_of("ei2"), document.words_of("built")
        ('built', '')

        See Also
        --------
        words : the words of a node.
        """
        number = self.index.get(name)
        if number is None:
            return ""
        nodes = self.places
        return self._fold(name, nodes.text, nodes.starts[number], nodes.ends[number])

    def _fold(self, name: str, text: str, start: int, end: int) -> str:
        """Give the words of a node that stands in the text, or has a phrase, on one line."""
        if name in self.phrases:
            return " ".join(self.phrases[name].split())
        return "" if start < 0 else " ".join(text[start:end].split())

    def node(self, name: str) -> Node:
        """Find a node by its id, by the id of its event, or by its words.

        Parameters
        ----------
        name : str
            An id or words. Case and white space do not count in words.

        Returns
        -------
        Node
            The instance, the time, or the event without instances.

        Raises
        ------
        UnknownNameError
            If no node has this id or these words.
        AmbiguousError
            If several nodes have these words.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.node("midnight")
        <Timex t4 TIME 2020-01-01T00:00 [871:879]>

        See Also
        --------
        get : find a node by its id only.
        words : the words of a node.
        """
        from tlex.lookup import find_node  # noqa: PLC0415 -- a layer above

        return self.nodes[find_node(self, name)]

    def get(self, name: str) -> Node | None:
        """Find a node by its id only; None if there is none.

        Parameters
        ----------
        name : str
            The id of an instance, a time, or an event without instances.

        Returns
        -------
        Node or None
            The node; None if there is none of this id.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.get("t4"), document.get("midnight")
        (<Timex t4 TIME 2020-01-01T00:00 [871:879]>, None)

        See Also
        --------
        node : find a node by its id or words.
        """
        number = self.index.get(name)
        return None if number is None else self.nodes[number]

    def has_nodes_of(self, other: Document) -> bool:
        """Say whether another document surely has the same nodes in the same places.

        That is so where two files differ in nothing but links. No noun is made to find it out, so
        the answer may be no where a closer look would say yes.

        Parameters
        ----------
        other : Document
            Another document.

        Returns
        -------
        bool
            Whether ids, places and text are the same. Then ``places`` of both are equal.

        Examples
        --------
        >>> import tlex
        >>> text = 'He <EVENT eid="e1">slept</EVENT>.<MAKEINSTANCE eiid="ei1" eventID="e1"/>'
        >>> file = f"<TimeML>{text}</TimeML>"
        >>> [
        ...     tlex.parse(file).has_nodes_of(tlex.parse(other))
        ...     for other in (file, file.replace("ei1", "ei2"))
        ... ]
        [True, False]

        See Also
        --------
        tlex.score : score annotations of one text.
        """
        one, another = self.__dict__.get("_overview"), other.__dict__.get("_overview")
        return one is not None and another is not None and one.has_nodes_of(another)

    def link(self, number: int) -> Link:
        """Give the link of a number, as it stands in ``links``.

        If the nouns are not made yet, and the reader knows how, only this one is made.

        Parameters
        ----------
        number : int
            The number of a link, from 0.

        Returns
        -------
        Link
            The same as ``links[number]``.

        Examples
        --------
        >>> import tlex
        >>> tlex.read("examples/story.tml").link(0)
        <Link l1: TLINK ei1 DURING t1>

        See Also
        --------
        link_ids : the ids of all links.
        """
        overview = self.__dict__.get("_overview")
        found = None if overview is None else overview.link(number)
        return self.links[number] if found is None else found

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Give the line and column of a byte offset of the file, both from 1.

        Parameters
        ----------
        offset : int
            A byte offset, such as the ``byte_start`` of a noun.

        Returns
        -------
        tuple of int and int
            Line, and column in characters; two Nones if the document comes from no file.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.position(document.links[0].byte_start)
        (55, 1)

        See Also
        --------
        Source.positions : many offsets at once.
        """
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)


_NOUNS = ("events", "instances", "timexes", "signals", "nodes", "links")
_POSTPONED = (*_NOUNS, "text", "_marked")
_COLUMNS = (
    *("times", "places", "node_columns", "slinks", "link_ids", "calendar"),
    *("link_columns", "check_columns", "marks", "marked_end"),
)
"""What an `Overview` tells, or the nouns."""
_FIELDS = tuple(
    field
    for field in Document.__annotations__
    if field not in {"relations", *_COLUMNS, "sentences", "_marked"}
)
_COMPARED = (
    "source",  # the bytes come first, and last what may have to be found
    *(field for field in _FIELDS if field not in {"source", "text_directory"}),
    "sentences",
)
