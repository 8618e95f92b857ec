"""The rules of the linter: one table.

The first digit of a code is the group: reading, references, contradictions, guidelines,
connectivity. An error makes the exit code of ``tlex check`` 1, a warning is only shown, advice is
shown on request. An example is put at the dots of `FRAME`, unless it is a whole document; ``fixed``
is the same without the mistake. The tests check both.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from tlex.errors import UnknownNameError
from tlex.wording import represent

__all__ = ["ADVICE", "ERROR", "FRAME", "RULES", "SEVERITIES", "WARNING", "Rule", "find_rule"]

ERROR, WARNING, ADVICE = SEVERITIES = ("error", "warning", "advice")

GROUPS: Final = {
    "0": "reading",
    "1": "references",
    "2": "contradictions",
    "3": "guidelines",
    "4": "connectivity",
}

FRAME: Final = """\
<TimeML>
<TIMEX3 tid="t0" type="DATE" value="2019-12-31" functionInDocument="CREATION_TIME">New Year's Eve</TIMEX3>:
Ann <EVENT eid="e1" class="OCCURRENCE">left</EVENT> before Bob <EVENT eid="e2" class="OCCURRENCE">came</EVENT>.
<MAKEINSTANCE eiid="ei1" eventID="e1"/>
<MAKEINSTANCE eiid="ei2" eventID="e2"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstance="ei2"/>
<TLINK lid="l2" relType="BEFORE" eventInstanceID="ei2" relatedToTime="t0"/>
...
</TimeML>
"""


class Rule(Struct, frozen=True, kw_only=True):
    """A row of the table.

    ``also`` are the rules that the example cannot help breaking too. ``calendar`` says that the
    rule is looked at only if the calendar is used.
    """

    code: str
    name: str
    severity: str
    summary: str
    explanation: str
    example: str
    fixed: str
    also: tuple[str, ...] = ()
    calendar: bool = False

    def __repr__(self) -> str:
        return represent(self, f"{self.code} {self.name}, {self.severity}")

    @property
    def group(self) -> str:
        """The group of the rule, by the first digit of its code."""
        return GROUPS[self.code[3]]

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end: what ``tlex rule --json`` prints."""
        return msgspec.json.encode({**msgspec.to_builtins(self), "group": self.group})


def find_rule(word: str) -> Rule:
    """Find a rule by its code or name.

    Parameters
    ----------
    word : str
        A code such as ``TLX202``, or a name such as ``contradictory-pair``.

    Returns
    -------
    Rule
        Its ``summary``, ``explanation``, ``example`` and more.

    Raises
    ------
    UnknownNameError
        If there is no such rule; the message names the nearest one.

    Examples
    --------
    >>> import tlex
    >>> tlex.lint.find_rule("TLX202")
    <Rule TLX202 contradictory-pair, error>

    See Also
    --------
    tlex.lint.RULES : all rules, by their codes.
    """
    asked = word.strip()
    for rule in RULES.values():
        if asked.upper() == rule.code or asked.lower() == rule.name:
            return rule
    raise UnknownNameError(f"there is no rule {word!r}{suggest(asked)}")


def suggest(word: str) -> str:
    """Give the nearest rule, as the end of a message about an unknown one."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

    names = [rule.name for rule in RULES.values()]
    asked = word.upper()[:80]
    codes = RULES
    if asked[:3] == "TLX" and asked[3:4].isdigit():  # a code of another group is not near
        codes = {code: rule for code, rule in RULES.items() if code[3] == asked[3]}
    near = get_close_matches(asked, codes, 1) or get_close_matches(asked.lower(), names, 1, 0.5)
    return f"; did you mean {near[0]!r}" if near else "; tlex rule lists them all"


_THIRD = (
    'Somebody <EVENT eid="e3" class="{}">{}</EVENT>.\n<MAKEINSTANCE eiid="ei3" eventID="e3"/>\n'
)
_SLINK = (
    '<SLINK lid="l3" relType="MODAL" eventInstanceID="ei1" subordinatedEventInstance="ei2"{}/>\n'
)
_TIMEX = (
    '<TIMEX3 tid="t1" type="DATE" value="2020-01-01"{}>the next day</TIMEX3>\n'
    '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToTime="t1"/>\n'
)
_LASTING = _TIMEX.format("") + (
    '<TIMEX3 tid="t2" type="DURATION" value="P2D" beginPoint="{}" endPoint="{}">two days</TIMEX3>\n'
    '<TLINK lid="l4" relType="INCLUDES" timeID="t2" relatedToTime="t1"/>\n'
)
_KNOCKS = (
    FRAME[: FRAME.index("Ann")]
    + 'Ten times a guest <EVENT eid="e1" class="OCCURRENCE">knocked</EVENT>.\n'
    + "".join(
        f'<MAKEINSTANCE eiid="ei{n}" eventID="e1" polarity="NEG"/>\n'
        f'<TLINK lid="l{n}" relType="IS_INCLUDED" eventInstanceID="ei{n}" relatedToTime="t0"/>\n'
        for n in range(1, 11)
    )
    + "</TimeML>\n"
)
_BEHIND = '<TLINK lid="l3" relType="AFTER" eventInstanceID="ei3" relatedToTime="t0"/>\n'

_JSON = """\
{"text": "Ann left before Bob came.",
 "events": [{"id": "e1", "text": "left", "start": 4, "end": 8, "class": "OCCURRENCE"},
            {"id": "e2", "text": "came", "start": 20, "end": 24, "class": "OCCURRENCE"}],
 "times": [{"id": "t0", "type": "DATE", "value": "2019-12-31", "attributes": {"functionInDocument": "CREATION_TIME"}}],
 "links": [{"source": "e1", "type": "BEFORE", "target": "e2"},
           {"source": "e2", "type": "BEFORE", "target": "t0"}]}
"""

_TABLE = (
    # --- reading ---------------------------------------------------------------------------------
    Rule(
        code="TLX001",
        name="not-well-formed",
        severity=ERROR,
        summary="the file is not well-formed: broken XML or broken JSON",
        explanation=(
            "A parser cannot read the file: in XML a tag is not closed or a & or < is not escaped, "
            "in JSON a bracket or a quote is missing, or bytes are not in the declared encoding. "
            "The place is where the parser stopped, which may be some lines after the mistake. "
            "The exit code of tlex check is 2."
        ),
        example='<TimeML>Ann <EVENT eid="e1" class="OCCURRENCE">left.</TimeML>\n',
        fixed=FRAME.replace("...\n", ""),
    ),
    Rule(
        code="TLX002",
        name="unsupported",
        severity=ERROR,
        summary="no reader recognises the file, or it needs something that is refused",
        explanation=(
            "The file is in no format that tlex knows, it is empty, or it declares entities, "
            "which are refused because they can make a small file grow without limit. Inside a "
            "directory, files of other formats are skipped. The exit code of tlex check is 2."
        ),
        example='<!DOCTYPE TimeML [<!ENTITY who "Ann">]>\n<TimeML>&who; left.</TimeML>\n',
        fixed=FRAME.replace("...\n", ""),
    ),
    Rule(
        code="TLX003",
        name="too-large",
        severity=ERROR,
        summary="the file, or something in it, is over a limit",
        explanation=(
            "A document may have 64 MiB (--max-bytes allows more), elements may be nested 256 "
            "deep, and an attribute may have a million characters. The exit code of tlex check "
            "is 2."
        ),
        example="<TimeML>" + "<s>" * 256 + "left" + "</s>" * 256 + "</TimeML>\n",
        fixed=FRAME.replace("...\n", ""),
    ),
    Rule(
        code="TLX004",
        name="unreadable",
        severity=ERROR,
        summary="the file cannot be opened or read",
        explanation=(
            "The file does not exist, there is no permission to read it, or the disk failed. The "
            "exit code of tlex check is 2."
        ),
        example="",
        fixed=FRAME.replace("...\n", ""),
    ),
    # --- references ------------------------------------------------------------------------------
    Rule(
        code="TLX101",
        name="dangling-reference",
        severity=ERROR,
        summary="a link points to something that the document does not define",
        explanation=(
            "An end of the link is no event instance and no time of this document, so the link "
            "takes no part in reasoning. Often the id is mistyped, the MAKEINSTANCE is missing, "
            "or the link names an event (e3) in place of its instance (ei3)."
        ),
        example=_SLINK.format("").replace("ei2", "ei3"),
        fixed=_SLINK.format(""),
    ),
    Rule(
        code="TLX102",
        name="missing-attribute",
        severity=ERROR,
        summary="an element lacks an id, a relation type or an end",
        explanation=(
            "A link without type or without one of its ends orders nothing; an event, time or "
            "instance without id cannot be linked at all. A link without id is known by its line "
            "and column."
        ),
        example=_SLINK.format("").replace(' relType="MODAL"', ""),
        fixed=_SLINK.format(""),
    ),
    Rule(
        code="TLX103",
        name="unknown-type",
        severity=ERROR,
        summary="a link has a relation type that its kind of link does not have",
        explanation=(
            "TLINKs, ALINKs and SLINKs have types of their own: INITIATES on a TLINK is as "
            "unknown as a misspelt word. A TLINK or ALINK of unknown type takes no part in "
            "reasoning; an SLINK still subordinates."
        ),
        example=_SLINK.format("").replace("MODAL", "MODALITY"),
        fixed=_SLINK.format(""),
    ),
    Rule(
        code="TLX104",
        name="repeated-id",
        severity=ERROR,
        summary="two elements have the same id",
        explanation=(
            "Of two events, instances, times or signals with one id the first counts; an element "
            "that refers to the id may have meant the other. Two links with one id are both kept, "
            "the second under a new id."
        ),
        example=_SLINK.format("").replace("l3", "l1"),
        fixed=_SLINK.format(""),
    ),
    Rule(
        code="TLX105",
        name="instance-without-event",
        severity=ERROR,
        summary="a MAKEINSTANCE is of an event that the document does not define",
        explanation=(
            "The instance takes part in reasoning, but it has no words and no place in the text. "
            "The eventID is mistyped, or the EVENT was deleted and its instance forgotten."
        ),
        example='<MAKEINSTANCE eiid="ei3" eventID="e3"/>\n' + _BEHIND,
        fixed=_THIRD.format("OCCURRENCE", "sang") + _BEHIND,
    ),
    Rule(
        code="TLX106",
        name="event-without-instance",
        severity=WARNING,
        summary="an EVENT has no MAKEINSTANCE",
        explanation=(
            "Links point to instances, so every event needs one. An event without an instance "
            "takes part under its own id, as if it were the instance."
        ),
        example=_THIRD.format("OCCURRENCE", "sang").splitlines(keepends=True)[0]
        + _BEHIND.replace("ei3", "e3"),
        fixed=_THIRD.format("OCCURRENCE", "sang") + _BEHIND,
    ),
    Rule(
        code="TLX107",
        name="two-ends",
        severity=WARNING,
        summary="a link names both an event and a time for one of its ends",
        explanation=(
            "A TLINK starts at an event or at a time and leads to an event or to a time. Where "
            "both attributes are given for one end, the event is used; delete the other."
        ),
        example=_TIMEX.format("").replace("timeID", 'eventInstanceID="ei2" timeID'),
        fixed=_TIMEX.format(""),
    ),
    Rule(
        code="TLX108",
        name="unexpanded-entity",
        severity=WARNING,
        summary="the text uses an entity that is defined outside the file, or a bare &",
        explanation=(
            "tlex loads nothing from outside the file, so the reference stays in the text as it "
            "is written. Put the character itself in its place. In MAE's files a bare & stays too; "
            "other programs need &amp; there."
        ),
        example='<!DOCTYPE TimeML SYSTEM "TimeML.dtd">\n' + FRAME.replace("...", "Caf&eacute;"),
        fixed='<!DOCTYPE TimeML SYSTEM "TimeML.dtd">\n' + FRAME.replace("...", "Café"),
    ),
    Rule(
        code="TLX109",
        name="bad-weight",
        severity=WARNING,
        summary="a link's weight is not a number",
        explanation=(
            "The weight of a link is what it costs to remove the link when a contradiction is "
            "repaired. It must be a finite number; anything else is ignored."
        ),
        example=_SLINK.format(' weight="heavy"'),
        fixed=_SLINK.format(' weight="2.5"'),
    ),
    Rule(
        code="TLX110",
        name="unresolved-signal",
        severity=WARNING,
        summary="a signalID names a SIGNAL that the document does not define",
        explanation=(
            "The signal is the word, such as before or if, that makes a relation explicit. The "
            "reference orders nothing, so reasoning is not affected, but whoever looks for the "
            "word will not find it."
        ),
        example=_SLINK.format(' signalID="s1"'),
        fixed='Ann would <SIGNAL sid="s1">if</SIGNAL> she could.\n'
        + _SLINK.format(' signalID="s1"'),
    ),
    Rule(
        code="TLX111",
        name="unresolved-time",
        severity=WARNING,
        summary="an anchorTimeID, beginPoint or endPoint names no TIMEX3 of the document",
        explanation=(
            "The value of a time such as the next day depends on the time it is anchored to, and "
            "a duration on the times where it begins and ends. The reference orders nothing, so "
            "reasoning is not affected."
        ),
        example=_TIMEX.format(' anchorTimeID="t9"'),
        fixed=_TIMEX.format(' anchorTimeID="t0"'),
    ),
    Rule(
        code="TLX112",
        name="no-creation-time",
        severity=WARNING,
        summary="the document has no creation time",
        explanation=(
            "Tenses and words such as today are read from the time at which the text was written. "
            'It is the TIMEX3 with functionInDocument="CREATION_TIME"; PUBLICATION_TIME or '
            "RELEASE_TIME will do in its place. A tale may well have none: then ignore this rule."
        ),
        example=FRAME.replace(' functionInDocument="CREATION_TIME"', "").replace("...\n", ""),
        fixed=FRAME.replace("CREATION_TIME", "PUBLICATION_TIME").replace("...\n", ""),
    ),
    Rule(
        code="TLX113",
        name="several-creation-times",
        severity=WARNING,
        summary="the document has more than one creation time",
        explanation=(
            "A text is written once. Two TIMEX3s with functionInDocument CREATION_TIME (or, where "
            "there is none, two with PUBLICATION_TIME or two with RELEASE_TIME) leave open which "
            "of them tenses are read from."
        ),
        example=_TIMEX.format(' functionInDocument="CREATION_TIME"'),
        fixed=_TIMEX.format(' functionInDocument="EXPIRATION_TIME"'),
    ),
    Rule(
        code="TLX114",
        name="timex-value",
        severity=WARNING,
        summary="the value, or freq, of a TIMEX3 is not in the grammar for its type",
        explanation=(
            "A DATE has a calendar value (2019-12-31, 2019-W52, 2019-Q4, 2019-WI, 201, FY2019, "
            "PAST_REF), a TIME a time of day (2019-12-31T23:00, T09:30, 2019-12-31TNI), a DURATION "
            "a period (P3D, PT5H, P1Y2M, PXM), a SET any of these; X stands for an unknown digit. "
            "The freq of a SET is a number and a unit (2X, 1W). Often the value is right and the "
            "type is not: 2019-Q4 is a DATE, not a DURATION."
        ),
        example=_TIMEX.format("").replace("2020-01-01", "01/01/2020"),
        fixed=_TIMEX.format(""),
    ),
    Rule(
        code="TLX115",
        name="timex-type",
        severity=WARNING,
        summary="a TIMEX3 has no type, or one that TimeML does not have",
        explanation="The types are DATE, TIME, DURATION and SET.",
        example=_TIMEX.format("").replace("DATE", "DAY"),
        fixed=_TIMEX.format(""),
    ),
    Rule(
        code="TLX116",
        name="implausible-polarity",
        severity=WARNING,
        summary="nearly all events of the document are negated",
        explanation=(
            'More than 90 % of at least 10 event instances have polarity="NEG". Few texts tell '
            "only what did not happen. Usually a program or a default value wrote NEG where POS "
            "was meant, and the factuality of these events is then wrong. It is reported once."
        ),
        example=_KNOCKS,
        fixed=_KNOCKS.replace("NEG", "POS"),
    ),
    Rule(
        code="TLX117",
        name="backwards-duration",
        severity=WARNING,
        summary="a DURATION ends before it starts",
        explanation=(
            "Its beginPoint and endPoint name two times, and by their values the second is over "
            "when the first begins. Usually the two are exchanged, or one of the values is wrong. "
            "With --calendar such a DURATION orders nothing."
        ),
        example=_LASTING.format("t1", "t0"),
        fixed=_LASTING.format("t0", "t1"),
    ),
    Rule(
        code="TLX118",
        name="forgiven-json",
        severity=WARNING,
        summary="JSON is not as the schema has it, but its meaning is clear",
        explanation=(
            "Models and scripts write 'relType' or 'confidence', numbers as ids, comments, or "
            "Markdown around the JSON. What has one meaning is read. Each deviation is "
            "reported with its path in the JSON; those of one sort together. docs/json.md lists them. "
            "tlex convert -o NAME.json writes the document as the schema has it."
        ),
        example=_JSON.replace('"source": "e1"', '"from": "e1"'),
        fixed=_JSON,
    ),
    Rule(
        code="TLX119",
        name="unclear-json",
        severity=ERROR,
        summary="something in JSON has no clear meaning, and is left out",
        explanation=(
            "A value is not what its key is for: a link without ends, a list where an id should "
            "be, a span outside the text. The message has its path in the JSON. All else in the "
            "file is read."
        ),
        example=_JSON.replace("]}\n", ", 7]}\n"),
        fixed=_JSON,
    ),
    Rule(
        code="TLX120",
        name="text-and-span",
        severity=WARNING,
        summary="the words of an event or time in JSON are not where its span says",
        explanation=(
            "An event or time has 'text' and perhaps 'start' and 'end', and the document has a "
            "text. If the words stand elsewhere in the text, their only or their nearest place "
            "counts. If they stand nowhere, the span stays as it is."
        ),
        example=_JSON.replace('"start": 4, "end": 8', '"start": 5, "end": 9'),
        fixed=_JSON,
    ),
    Rule(
        code="TLX121",
        name="candidate-labels",
        severity=WARNING,
        summary="links have candidates for their type, and none is chosen",
        explanation=(
            "A link has 'labels' with probabilities and no 'type'. Each such link is taken by its "
            "most probable label, so they may contradict each other. tlex decode chooses the "
            "labels that are consistent and most probable together."
        ),
        example=_JSON.replace(
            '"type": "BEFORE", "target": "e2"', '"labels": {"BEFORE": 0.9}, "target": "e2"'
        ),
        fixed=_JSON,
    ),
    Rule(
        code="TLX122",
        name="other-reading",
        severity=WARNING,
        summary="a label means something else in a corpus that uses this format",
        explanation=(
            "OVERLAPS and DURING mean something else in CaTeRS, and AFTER in TimeSET, and a file of "
            "brat does not say which corpus it is from. The labels have their usual meaning. "
            "--labels caters and --labels timeset read them as in these corpora; --labels timeml "
            "says that the usual meaning is right."
        ),
        example="T1\tEvent 0 4\tslept\nT2\tEvent 9 15\tdreamt\nR1\tOVERLAPS Arg1:T1 Arg2:T2\n",
        fixed=FRAME.replace("...\n", ""),
        also=("TLX101", "TLX112"),
    ),
    # --- contradictions --------------------------------------------------------------------------
    Rule(
        code="TLX201",
        name="contradictory-link",
        severity=ERROR,
        summary="a link contradicts itself",
        explanation=(
            "Nothing is before itself, or part of itself: a link of such a type from an event or "
            "time to itself cannot hold. Usually one of the two ids is wrong."
        ),
        example='<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstance="ei1"/>\n',
        fixed="",
    ),
    Rule(
        code="TLX202",
        name="contradictory-pair",
        severity=ERROR,
        summary="two links contradict each other",
        explanation=(
            "The two links cannot both hold. The finding is on the link that a minimum repair of "
            "the whole document removes. That is only a proposal: the other link, which the note "
            "names, may be the wrong one."
        ),
        example='<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei2" relatedToEventInstance="ei1"/>\n',
        fixed="",
        also=("TLX302",),
    ),
    Rule(
        code="TLX203",
        name="contradictory-cycle",
        severity=ERROR,
        summary="three or more links contradict each other",
        explanation=(
            "These links cannot all hold; if any one of them is removed, the others can. The "
            "finding is on the link that a minimum repair of the whole document removes. The "
            "notes name the other links and explain the contradiction."
        ),
        example='<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1"/>\n',
        fixed="",
    ),
    Rule(
        code="TLX204",
        name="contradicts-calendar",
        severity=ERROR,
        summary="links contradict the values of times",
        explanation=(
            "With --calendar, times are ordered by their values too: 2019-12-31 is before "
            "2020-01-01. These links and values cannot all be right. The finding is on the link "
            "that a minimum repair removes, and the notes name the other links and the values: a "
            "link or a value is wrong. A value is proposed only if copying one field (year, "
            "month, week or day) from another time of the document ends the contradiction and "
            "makes no other one."
        ),
        example=_TIMEX.format("").replace("2020-01-01", "2018-01-01"),
        fixed=_TIMEX.format(""),
        calendar=True,
    ),
    # --- guidelines ------------------------------------------------------------------------------
    Rule(
        code="TLX301",
        name="duplicate-link",
        severity=ADVICE,
        summary="a link repeats an earlier link",
        explanation=(
            "Same kind, same type, same ends; or the same read backwards, such as A BEFORE B and "
            "B AFTER A. Delete one."
        ),
        example='<TLINK lid="l3" relType="AFTER" eventInstanceID="ei2" relatedToEventInstance="ei1"/>\n',
        fixed="",
    ),
    Rule(
        code="TLX302",
        name="several-links-on-pair",
        severity=ADVICE,
        summary="two TLINKs, or two ALINKs, on one pair",
        explanation=(
            "One TLINK is enough to relate two events or times; a second one adds nothing, or "
            "contradicts the first. The same holds for ALINKs."
        ),
        example=_THIRD.format("OCCURRENCE", "arrived")
        + '<TLINK lid="l3" relType="IDENTITY" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n'
        '<TLINK lid="l4" relType="SIMULTANEOUS" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n',
        fixed=_THIRD.format("OCCURRENCE", "arrived")
        + '<TLINK lid="l3" relType="IDENTITY" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n',
        also=("TLX304",),
    ),
    Rule(
        code="TLX303",
        name="tlink-and-alink-disagree",
        severity=ADVICE,
        summary="a TLINK and an ALINK on one pair cannot both hold",
        explanation=(
            "An ALINK orders its events as well: what initiates an event begins with it, what "
            "terminates it ends with it. A TLINK on the same pair must agree with that, and is "
            "better left out. This rule uses both kinds of links, whatever --links is."
        ),
        example=_THIRD.format("ASPECTUAL", "began")
        + '<ALINK lid="l3" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n'
        '<TLINK lid="l4" relType="BEFORE" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n',
        fixed=_THIRD.format("ASPECTUAL", "began")
        + '<ALINK lid="l3" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n',
        also=("TLX202",),
    ),
    Rule(
        code="TLX304",
        name="redundant-link",
        severity=ADVICE,
        summary="a TLINK already follows from other links",
        explanation=(
            "Other links entail everything that this link says about time, so it adds nothing to "
            "the timeline. The notes name the links it follows from. It does no harm, and it can "
            "confirm the others, but every such link can also be wrong. Delete one at a time: "
            "where links follow from each other, not all of them can be deleted. Only consistent "
            "timelines are checked; an exact copy of a link is a duplicate-link instead."
        ),
        example='<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t0"/>\n',
        fixed="",
    ),
    Rule(
        code="TLX305",
        name="unlinked",
        severity=ADVICE,
        summary="an event or time is in no link",
        explanation=(
            "Nothing says when it happened or how it is related to the rest, so it is a timeline "
            "of its own."
        ),
        example=_THIRD.format("OCCURRENCE", "sang"),
        fixed=_THIRD.format("OCCURRENCE", "sang") + _BEHIND,
        also=("TLX401",),
    ),
    Rule(
        code="TLX306",
        name="alink-source-not-aspectual",
        severity=ADVICE,
        summary="the source of an ALINK is not an aspectual event",
        explanation=(
            "An ALINK leads from an aspectual event, such as began, stopped or went on, to the "
            "event whose beginning, end or course it is about. If the source is of another class, "
            "either the class is wrong, or the two ends are swapped, or a TLINK was meant."
        ),
        example=_THIRD.format("OCCURRENCE", "began")
        + '<ALINK lid="l3" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n',
        fixed=_THIRD.format("ASPECTUAL", "began")
        + '<ALINK lid="l3" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei2"/>\n',
    ),
    Rule(
        code="TLX307",
        name="perception-not-evidential",
        severity=ADVICE,
        summary="the SLINK of a perception event is not evidential",
        explanation=(
            "That somebody saw or heard something is evidence for it: an SLINK from an event of "
            "class PERCEPTION is EVIDENTIAL, or NEG_EVIDENTIAL if it was not perceived."
        ),
        example=_THIRD.format("PERCEPTION", "saw")
        + _BEHIND
        + '<SLINK lid="l4" relType="FACTIVE" eventInstanceID="ei3" subordinatedEventInstance="ei1"/>\n',
        fixed=_THIRD.format("PERCEPTION", "saw")
        + _BEHIND
        + '<SLINK lid="l4" relType="EVIDENTIAL" eventInstanceID="ei3" subordinatedEventInstance="ei1"/>\n',
    ),
    Rule(
        code="TLX308",
        name="time-in-slink-or-alink",
        severity=ADVICE,
        summary="an SLINK or ALINK touches a time",
        explanation=(
            "Both kinds relate events to events. The relation of an event to a time is annotated "
            "by a TLINK."
        ),
        example=_SLINK.format("").replace("ei2", "t0"),
        fixed=_SLINK.format(""),
    ),
    Rule(
        code="TLX309",
        name="empty-self-loop",
        severity=ADVICE,
        summary="a link from an event or time to itself says nothing",
        explanation=(
            "Everything is simultaneous with itself. Usually one of the two ids is wrong, and a "
            "link to something else is missing."
        ),
        example='<TLINK lid="l3" relType="SIMULTANEOUS" timeID="t0" relatedToTime="t0"/>\n',
        fixed="",
    ),
    Rule(
        code="TLX310",
        name="event-identical-to-time",
        severity=ADVICE,
        summary="a TLINK of type IDENTITY between an event and a time",
        explanation=(
            "IDENTITY says that two expressions name one and the same event. An event and a time "
            "can coincide, which is SIMULTANEOUS, but they are not the same thing."
        ),
        example=_THIRD.format("OCCURRENCE", "danced") + _BEHIND.replace("AFTER", "IDENTITY"),
        fixed=_THIRD.format("OCCURRENCE", "danced") + _BEHIND.replace("AFTER", "SIMULTANEOUS"),
    ),
    # --- connectivity ----------------------------------------------------------------------------
    Rule(
        code="TLX401",
        name="broken-trunk",
        severity=ADVICE,
        summary="two main timelines are not linked; here they come closest in the text",
        explanation=(
            "What really happened should lie on one timeline. If there are several main "
            "timelines, the order between them is unknown. The two expressions named have the "
            "fewest words between them, so that it is easiest to add a link there."
        ),
        example=_THIRD.format("OCCURRENCE", "sang")
        + _THIRD.format("OCCURRENCE", "danced").replace("3", "4")
        + '<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei3" relatedToEventInstance="ei4"/>\n',
        fixed=_THIRD.format("OCCURRENCE", "sang")
        + _THIRD.format("OCCURRENCE", "danced").replace("3", "4")
        + '<TLINK lid="l3" relType="BEFORE" eventInstanceID="ei3" relatedToEventInstance="ei4"/>\n'
        '<TLINK lid="l4" relType="BEFORE" eventInstanceID="ei2" relatedToEventInstance="ei3"/>\n',
    ),
)

RULES: Final[dict[str, Rule]] = {rule.code: rule for rule in _TABLE}
"""Every rule by its code."""
