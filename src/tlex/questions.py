"""The questions that one can ask a result: how things are related, and what happened when.

Each answer comes from a module of `tlex.reason`, which is imported when somebody asks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tlex.document import Document
from tlex.lookup import find_node, say_relation
from tlex.records import Closure, Events, NodeRecord, PairRelation, Reduction, Why

if TYPE_CHECKING:
    from tlex.components import Components
    from tlex.reason.every_repair import EveryRepair
    from tlex.result import Extraction

__all__ = ["Questions"]


class Questions(ABC):
    """What an `Extraction` answers about its events and times."""

    document: Document
    components: Components

    @property
    @abstractmethod
    def nodes(self) -> tuple[NodeRecord, ...]:
        """The events and times, in text order."""

    @abstractmethod
    def _under(self, contradictions: str | None) -> tuple[str, Extraction, EveryRepair | None]:
        """How a question deals with contradictions, and the result that answers it.

        The last is what every minimum repair agrees on, if that is asked for.
        """

    def relation(
        self, source: str, target: str, *, contradictions: str | None = None
    ) -> PairRelation:
        """Say how two events or times are related.

        Parameters
        ----------
        source, target : str
            Two events or times, by id or by words from the text.
        contradictions : str, optional
            ``"part"``: nothing is entailed on a contradictory timeline. ``"repair"``: what holds
            under the chosen minimum repair; the default with ``mend=True``. ``"every"``: what holds
            after every minimum repair.

        Returns
        -------
        PairRelation
            One relation is entailed, or several are possible. Across timelines there is none.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> print(result.relation("built", "midnight"))
        "built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]

        See Also
        --------
        why : the same with a proof.
        closure : all entailed relations.
        """
        from tlex.reason.pair_answers import relate  # noqa: PLC0415

        policy, view, every = self._under(contradictions)
        pair = find_node(self.document, source), find_node(self.document, target)
        found = relate(self.nodes, view.components, view.connections, pair, every)
        relation = _add_repair(view, found, policy)
        relation.say_with(partial(say_relation, view))
        return relation

    def why(self, source: str, target: str, *, contradictions: str | None = None) -> Why:
        """Prove how two events or times are related.

        Parameters
        ----------
        source, target : str
            Two events or times, by id or by words from the text.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Why
            The relation. What is entailed comes with a chain of the fewest links for each order of
            end points; what is unknown with two timelines that order it differently.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.why("built", "midnight").proofs
        (<Proof ei2+ < t4-, by l4, l6, l20>,)

        See Also
        --------
        relation : the relation alone.
        tlex.verify : check the proof, of ``result.answer(why=...)``.
        """
        from tlex.reason.pair_answers import explain  # noqa: PLC0415

        policy, view, every = self._under(contradictions)
        pair = find_node(self.document, source), find_node(self.document, target)
        why = explain(self.document, self.nodes, view.components, view.connections, pair, every)
        why = replace(why, relation=_add_repair(view, why.relation, policy))
        why.relation.say_with(partial(say_relation, view))
        return why

    def events(  # noqa: PLR0913 -- one argument a condition
        self,
        *,
        before: str | None = None,
        after: str | None = None,
        during: str | None = None,
        on: str | None = None,
        unordered: str | None = None,
        contradictions: str | None = None,
    ) -> Events:
        """List the events, in order: all of them, or those that meet some conditions.

        Several conditions have to hold together.

        Parameters
        ----------
        before, after, during, unordered : str, optional
            As for the methods of these names: an event or time, by id or by words from the text,
            or a date such as ``"2013-03-20"``, ``"2013-03"`` or ``"2009"``.
        on : str, optional
            The same as ``during``, but for dates only.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            The events that meet the conditions for ``certain``, and those that are ``possible``.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.
        OptionError
            If a date is given that cannot be used, or without ``calendar=True``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> result.events(after="coughed", before="2020")
        <Events 7 certain, 0 possible, 5 on other timelines>

        See Also
        --------
        before, after, during, unordered : one condition.
        relation : how two events or times are related.
        """
        from tlex.reason.event_answers import list_events  # noqa: PLC0415

        given = {
            "before": before,
            "after": after,
            "during": during,
            "on": on,
            "unordered": unordered,
        }
        asked = {name: value for name, value in given.items() if value is not None}
        policy, view, every = self._under(contradictions)
        return list_events(view, asked, policy, every)

    def before(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events that end before something starts, or just when it starts.

        Parameters
        ----------
        name : str
            An event or time, by id or by words from the text, or a date such as ``"2013-03-20"``,
            ``"2013-03"`` or ``"2009"``. A date needs ``calendar=True``.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Those that are ``certain``, and those that are ``possible``: not excluded.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> [event.text for event in result.before("coughed").certain]
        ['snowed', 'built', 'warmed']

        See Also
        --------
        events : several conditions at once.
        after, during, unordered : other conditions.
        """
        return self.events(before=name, contradictions=contradictions)

    def after(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events that start after something ends, or just when it ends.

        Parameters
        ----------
        name : str
            As for `before`.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Those that are ``certain``, and those that are ``possible``: not excluded.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> [event.text for event in result.after("midnight").certain]
        ['cheered', 'asked']

        See Also
        --------
        events : several conditions at once.
        before, during, unordered : other conditions.
        """
        return self.events(after=name, contradictions=contradictions)

    def during(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events that start and end within something; they may fill all of it.

        Parameters
        ----------
        name : str
            As for `before`.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Those that are ``certain``, and those that are ``possible``: not excluded.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> [event.text for event in result.during("2020").certain]
        ['began', 'hoot', 'cheered', 'asked']

        See Also
        --------
        events : several conditions at once.
        before, after, unordered : other conditions.
        """
        return self.events(during=name, contradictions=contradictions)

    def unordered(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events of which it is unknown if they are before, after or at some time.

        Parameters
        ----------
        name : str
            As for `before`.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Of ``certain`` ones no order of end points is known. Of ``possible`` ones some order
            is, but it does not tell whether they are before, after or at the same time.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> [event.text for event in result.unordered("built").certain]
        ['warmed', 'brought', 'hoot', 'deny', 'attended', 'learned']

        See Also
        --------
        events : several conditions at once.
        before, after, during : other conditions.
        """
        return self.events(unordered=name, contradictions=contradictions)

    def closure(self, limit: int | None = None) -> Closure:
        """Find every entailed relation between two events or times of one timeline.

        Parameters
        ----------
        limit : int, optional
            The largest number of pairs to look at; without it a million.

        Returns
        -------
        Closure
            The relations, as links; which of them are new.

        Raises
        ------
        OptionError
            If there are more pairs than ``limit``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> print(result.closure())
        213 entailed relations, 186 of them new

        See Also
        --------
        reduction : the links from which all others follow.
        """
        from tlex.reason.closure import LIMIT, close_timelines  # noqa: PLC0415

        most = LIMIT if limit is None else limit
        return close_timelines(self.document, self.components, most)

    def reduction(self) -> Reduction:
        """Find a minimal set of links that implies the rest.

        Returns
        -------
        Reduction
            The links that are ``kept``, and those that are ``dropped``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.reduction().dropped
        ('l20',)

        See Also
        --------
        closure : all that follows.
        """
        from tlex.reason.reduction import reduce_timelines  # noqa: PLC0415

        return reduce_timelines(self.document, self.components)


def _add_repair(result: Extraction, relation: PairRelation, policy: str) -> PairRelation:
    """Add to an answer how it deals with contradictions, and the links that are left out."""
    touching = {
        link for number in set(relation.timelines) for link in result.timelines[number].mended
    }
    mended = tuple(link for link in result.mended if link in touching)
    return replace(relation, contradictions=policy, mended=mended)
