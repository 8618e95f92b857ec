"""Sentences of a text: those that the file marks, and a small rule for the rest.

The rule is for showing people the sentence of an event, and for nothing else: no timeline depends
on it. It looks at two kinds of places only, so that its time is linear.

* **Behind a full stop, question or exclamation mark** (and closing quotes or brackets) with white
  space behind it. The next word must not begin with a small letter. A full stop ends no sentence
  behind a title (*Mr.*), behind *No.* and the like if a number follows, or behind a number that
  begins the sentence (*1. The*). Other abbreviations (*U.S.*, *Inc.*, *p.m.*, *Nov.*) and initials
  may end one: they do if the next word is one that often begins a sentence, such as *The*.
* **At a line break.** An empty line ends a sentence, unless the next word begins with a small
  letter. So does the end of a line that begins a sentence and is all in capitals, as headlines
  are, or that is followed by an indented line, as paragraphs are.

East Asian, Indic and Arabic full stops end a sentence wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["divide"]

Pair = tuple[int, int]

_CLOSING = r"""(?:''|["'\u2019\u201d\u00bb)\]}])*+(?:[ ]?(?:''|[\u201d\u00bb)\]]))*+"""
_MARKS = r".!?\u2026"
_FULL_STOPS = r"\u3002\uff01\uff1f\uff61\u0964\u0965\u06d4\u061f"
_CANDIDATE = re.compile(
    rf"[{_MARKS}{_FULL_STOPS}\n]"  # a pattern that begins with one set is found quicker
    rf"(?:(?<=[{_MARKS}])([{_MARKS}]*+){_CLOSING}(\s*+)"
    r"|(?<=\n)\s*+"
    rf"|[{_FULL_STOPS}]*+{_CLOSING}\s*+)"
)
_NEXT = re.compile(
    r"""[\s"'`\u2018\u201c\u00ab(\[{\u00bf\u00a1\u2013\u2014*-]{0,8}(\w{0,16})(\.?)"""
)
_NUMBER = re.compile(r"[(\[]?\d{1,3}")
_FAR = 16
"""In how many characters an abbreviation is looked for."""

_SHORT = 0.8
"""How long a headline is at most, with the next word, as a share of the next line."""

_LITTLE = 3
"""How long the words are that a title writes small."""

_INDENT = 2
"""By how many columns the first line of a paragraph is indented."""


def _fold(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TITLES = _fold(
    "Mr Mrs Ms Dr Prof Rev Gen Sen Sens Rep Reps Gov Govs Col Capt Lt Sgt Maj Cmdr Adm Hon Pres "
    "Messrs Mme Mlle St Ste Mt Ft Supt Insp Det Cpl Pvt Brig vs e.g i.e cf viz ca"
)
_BEFORE_NUMBERS = _fold("No Nos no nos Fig Figs Vol Sec Art Ch Eq p pp fig vol sec art ch eq")
_ABBREVIATIONS = _fold(
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun "
    "Inc Corp Co Cos Ltd Bros Jr Sr Esq Assn Dept Univ Intl Ave Blvd Rd Ala Ariz Ark Calif Colo "
    "Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa Tenn Tex "
    "Va Vt Wash Wis Wyo al approx est"
)
_STARTERS = _fold(
    "The A An This That These Those There Here He She It We You They I His Her Its Our My Their "
    "In On At By For From With Without To Of As If When While Where After Before Since Until "
    "During Under Over Among Between Despite Although Though Because But And Or So Yet However "
    "Meanwhile Moreover Still Then Also Now Today Yesterday Tomorrow Last Earlier Later What "
    "Who Why How Which Some Many Most Several Both Each All Another Other Others One Two Not No "
    "Nor Once Such According"
)


def divide(text: str, given: Iterable[Pair] = ()) -> Iterator[Pair]:
    """Give the start and end of each sentence of a text, in order.

    Sentences do not overlap, have no white space around them, and hold every other character.
    ``given`` are those that the file marks: of overlapping ones the union counts, and the rule
    divides what none of them holds. Linear in the text (and n log n in those that are given).

    >>> text = "Mr. Ray left. He is in the U.S. now."
    >>> [text[start:end] for start, end in divide(text)]
    ['Mr. Ray left.', 'He is in the U.S. now.']
    """
    rule = _Rule(text)
    at = 0
    for start, end in _merge(text, given):
        yield from rule.divide(at, start)
        yield start, end
        at = end
    yield from rule.divide(at, len(text))


def _merge(text: str, given: Iterable[Pair]) -> Iterator[Pair]:
    """Trim spans, and put those together that overlap."""
    spans = (_trim(text, max(start, 0), min(end, len(text))) for start, end in given)
    last: Pair | None = None
    for start, end in sorted(span for span in spans if span is not None):
        if last is not None and start < last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last


class _Rule:
    """The rule at work on a text; ``small`` if the text has no capitals."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.small = text.islower()
        self.begins = 0  # the sentence
        self.line = 0  # the line, behind its indent
        self.indent = 0

    def divide(self, first: int, last: int) -> Iterator[Pair]:
        """Divide a stretch of the text."""
        text = self.text
        whole = _trim(text, first, last)
        if whole is None:
            return
        self.begins, last = whole
        self.line, self.indent = self.begins, self.begins - 1 - text.rfind("\n", 0, self.begins)
        for found in _CANDIDATE.finditer(text, self.begins, last):
            marks, blanks = found.groups()
            if blanks == "":
                continue
            start, end = found.span()
            breaks = text.count("\n", start, end)
            indent = end - 1 - text.rfind("\n", start, end) if breaks else 0
            if marks is not None:
                ends = breaks > 1 or self._ends_at_marks(text[start] + marks, start, end, indent)
            else:
                ends = not breaks or self._ends_at_break(start, end, breaks, indent)
            if ends:
                yield self.begins, self.begins + len(text[self.begins : end].rstrip())
                self.begins = end
            if breaks:
                self.line, self.indent = end, indent
        if self.begins < last:
            yield self.begins, last

    def _ends_at_marks(self, marks: str, start: int, end: int, indent: int) -> bool:
        """Whether the sentence ends at a full stop or the like, up to one line break before it."""
        word, dotted = self._look_ahead(end)
        if not self.small and not _can_begin(word, self.text[end]):
            return False
        if marks != "." or indent >= self.indent + _INDENT:
            return True
        return not _abbreviates(self.text, self.begins, start, word, dotted=dotted)

    def _ends_at_break(self, start: int, end: int, breaks: int, indent: int) -> bool:
        """Whether the sentence ends at line breaks without a full stop."""
        word, _ = self._look_ahead(end)
        if not _can_begin(word, self.text[end]):
            return self.small and breaks > 1
        if breaks > 1 or indent >= self.indent + _INDENT:
            return True
        if self.begins != self.line:
            return False
        head = self.text[self.begins : start].rstrip()
        return _is_loud(head) or (
            (self.begins == self.indent or _is_title(head))
            and self._had_room(len(head) + 1 + len(word), end)
        )

    def _look_ahead(self, end: int) -> tuple[str, bool]:
        """Give the next word, and whether it has a full stop."""
        coming = _NEXT.match(self.text, end)
        return (coming[1], coming[2] == ".") if coming else ("", False)

    def _had_room(self, needed: int, end: int) -> bool:
        """Whether the next line is so long that its first word had room in the line before it."""
        rest = self.text.find("\n", end)
        return needed < _SHORT * ((rest if rest >= 0 else len(self.text)) - end)


def _is_loud(head: str) -> bool:
    """Whether a line has capitals only, or no letters at all, as a date has."""
    return head.isupper() or not any(map(str.isalpha, head))


def _is_title(head: str) -> bool:
    """Whether all words of a line but short ones begin with capitals."""
    if head[-1] in ",;-(":
        return False
    return not any(len(word) > _LITTLE and word[0].islower() for word in head.split())


def _can_begin(word: str, character: str) -> bool:
    """Whether a sentence may begin with a word, or with a character where there is no word."""
    if not word:
        return character not in ".!?,;:)]}%"
    return not word[0].islower() or word[1:2].isupper()  # such as eBay


def _abbreviates(text: str, begins: int, stop: int, word: str, *, dotted: bool) -> bool:
    """Whether a full stop belongs to an abbreviation and ends no sentence.

    ``word`` is the next word, and ``dotted`` says that it has a full stop too.
    """
    before = text[max(begins, stop - _FAR) : stop]
    own = before.rsplit(None, 1)[-1] if before and not before[-1].isspace() else ""
    own = own.lstrip("\"'`([{\u201c\u2018\u2014-").rpartition("-")[2]
    if own in _TITLES:
        return True
    if word[:1].isdigit() and (own in _BEFORE_NUMBERS or own in _ABBREVIATIONS):
        return True
    if stop - begins < _FAR and _NUMBER.fullmatch(text, begins, stop):
        return True
    if own in _ABBREVIATIONS or "." in own or (len(own) == 1 and own.isupper()):
        return word not in _STARTERS or dotted
    return False


def _trim(text: str, start: int, end: int) -> Pair | None:
    """Take white space off both ends of a span; None if nothing is left."""
    piece = text[start:end]
    rest = piece.lstrip()
    start += len(piece) - len(rest)
    return (start, start + len(rest.rstrip())) if rest else None
