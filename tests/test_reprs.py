"""What a notebook shows: every object that the library gives has a short line of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

import tlex
from tlex.repair.search import find_repair

ROOT = Path(__file__).parents[1]
LONGEST = 160


def list_answers(folder: Path) -> Iterator[object]:
    """Everything that the functions and methods of the front door give."""
    for name in ("story.tml", "contradiction.tml"):
        document = tlex.read(ROOT / "examples" / name)
        result = tlex.extract(document)
        ends = document.nodes[0].id, document.nodes[1].id
        yield from (document, result, result.record(pairs=True), tlex.verify(document, result))
        yield from (result.why(*ends), result.relation(*ends), result.closure())
        yield from (result.components, result.reduction(), result.answer())
        yield result.answer(closure=result.closure(), reduction=result.reduction())
        found, fixed = tlex.check(result, all=True), tlex.fix(result)
        yield from (found, found.record(), fixed, fixed.record(), fixed.changes, fixed.patch)
        yield find_repair(result)
        yield tlex.extract(document, calendar=True, mend=True).events(before=ends[1], after="1066")
        yield from tlex.ask(
            document, [f"IS {ends[0]} {word} {ends[1]}" for word in ("BEFORE", "equal")]
        )
        yield tlex.lint.make_baseline([(name, found)])
        yield tlex.write(document, folder / "story.tml")
    story = tlex.read(ROOT / "examples" / "story.tml")
    for other in (story.replace(links=story.links[5:]), document):
        found = tlex.diff(story, other, match="ids")
        yield from (found, found.documents[0], found.documents[0].record(follows=True))
        score = tlex.score(story, other, match="ids")
        yield from (score.documents[0].verdicts, repr(score), repr(score.documents[0]))
        agreed = tlex.agree([story, other], match="ids")
        yield from (agreed, agreed.documents[0], agreed.documents[0].record())
    yield tlex.diff(fixed.patch, fixed.patch)
    labels = '{"links": [{"source": "a", "target": "b", "labels": {"BEFORE": 0.9, "AFTER": 0.1}}]}'
    decoded = tlex.decode(tlex.parse(labels))
    yield from (decoded, decoded.record())
    document = tlex.from_links([("a", "BEFORE", "b"), ("c", "AFTER", "d"), ("e", "NOPE", "f")])
    yield from (tlex.extract(document).record(), tlex.extract(document).why("a", "a"))
    yield tlex.write(document, folder / "links.tml")
    yield tlex.lint.RULES
    yield tlex.lint.choose_rules()
    pytest.importorskip("pyarrow")
    run = folder / "run"
    yield tlex.corpus.run([ROOT / "examples"], run, jobs=1)
    yield tlex.corpus.open_run(run)
    yield tlex.corpus.report(run)
    drawn = tlex.corpus.sample(run, "connections")
    yield drawn
    yield drawn.record()
    sheet = folder / "sheet.csv"
    sheet.write_text(drawn.write_sheet().replace(",,", ",yes,"), encoding="utf-8")
    yield tlex.corpus.agreement(sheet, sheet)
    yield tlex.Layers()


def list_parts(thing: object) -> Iterator[object]:
    """An object of the library, and whatever its fields hold."""
    if isinstance(thing, Mapping):
        thing = tuple(thing.values())
    if isinstance(thing, (list, tuple)):
        for each in thing[:50]:
            yield from list_parts(each)
    elif type(thing).__module__.startswith("tlex"):
        yield thing
        for name in getattr(thing, "__struct_fields__", None) or getattr(thing, "__dict__", ()):
            if not name.startswith("_"):
                yield from list_parts(getattr(thing, name))


def test_everything_shows_itself_in_one_short_line(tmp_path):
    seen = {}
    for answer in list_answers(tmp_path):
        for part in list_parts(answer):
            shown = repr(part)
            seen.setdefault(type(part).__name__, shown)
            assert " at 0x" not in shown
            assert "\n" not in shown
            assert len(shown) <= LONGEST, shown
    kinds = {name for name in tlex.__all__ if isinstance(getattr(tlex, name), msgspec.StructMeta)}
    assert kinds - set(seen) <= {"Connection", "Witness"}
    assert seen["Answer"] == f"<Answer {str(ROOT / 'examples' / 'story.tml')!r}>"


def test_an_answer_gives_its_sentences():
    document = tlex.read(ROOT / "examples" / "contradiction.tml")
    result = tlex.extract(document)
    relation, why = result.relation("ei2", "ei3"), result.why("ei2", "ei3")
    found, fixed = tlex.check(result), tlex.fix(result)

    assert len(str(relation).splitlines()) == 5
    assert str(why) == str(relation)
    assert msgspec.structs.replace(relation) == relation
    assert str(fixed).splitlines()[2] == "  decision 1: contradiction 1"
    assert str(tlex.fix(fixed.document)).endswith(": nothing to change")
    assert str(found).startswith(f"{found.path}:{found.findings[0]}".splitlines()[0])
    assert str(tlex.check(fixed.document, select=["TLX2"])).endswith(": nothing found")
    assert str(tlex.verify(document, result)).startswith("proved: ")
