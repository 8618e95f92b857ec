"""The page reasons by itself; what it says is what the library says, pair by pair."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from browsing import Opener
from playwright.sync_api import Page

import tlex
from tlex.extraction import run_steps
from tlex.graph import build_graph
from tlex.result import Extraction

EXAMPLES = Path(__file__).parents[2] / "examples"

# For each pair: put it into the address, and read what the page says.
ASK = """async (pairs) => {
  const answers = [];
  for (const [one, other] of pairs) {
    const fragment = new URLSearchParams([["s", one], ["s", other]]).toString();
    const done = new Promise((go) => addEventListener("hashchange", go, { once: true }));
    location.hash = fragment;
    await done;
    answers.push({
      head: document.querySelector(".details h2").textContent,
      facts: document.querySelector(".details .facts").textContent,
      path: [...document.querySelectorAll(".details .links button")].map((e) => e.dataset.link),
      proofs: [...document.querySelectorAll(".details .proof")].map((e) =>
        [...e.querySelectorAll("li[data-link]")].map((step) => step.dataset.link)),
      orders: [...document.querySelectorAll(".details h3")].map((e) => e.textContent),
    });
  }
  return answers;
}"""
GROUPS = """async (ids) => {
  const nodes = JSON.parse(document.getElementById("data").textContent).nodes;
  const found = {};
  for (const id of ids) {
    const done = new Promise((go) => addEventListener("hashchange", go, { once: true }));
    location.hash = new URLSearchParams([["s", id]]).toString();
    await done;
    found[id] = [...document.querySelectorAll(".mark")].map((e) => [
      nodes[e.dataset.node].id,
      ["before", "after", "overlapping", "unknown", "unrelated", "chosen"]
        .filter((name) => e.classList.contains(name)),
    ]);
  }
  return found;
}"""


def scatter(size: int, seed: int, instants: int = 0) -> tlex.Extraction:
    """Place events on a line and say some of what holds there; some parts do not hang together."""
    dice = random.Random(seed)  # noqa: S311
    ends = []
    for number in range(size):
        start = dice.randrange(3 * size)
        ends.append((start, start if number < instants else start + dice.randrange(1, size)))
    links = []
    for _ in range(int(1.1 * size)):
        one, other = dice.sample(range(size), 2)
        (a, b), (c, d) = ends[one], ends[other]
        if b < c:
            label = "BEFORE"
        elif b == c and min(one, other) >= instants:
            label = "IBEFORE"
        elif a < c and d < b:
            label = "INCLUDES"
        elif (a, b) == (c, d):
            label = "SIMULTANEOUS"
        elif a < c < b < d:
            label = "OVERLAPS"
        else:
            continue
        links.append((f"e{one}", label, f"e{other}"))
    for _ in range(size // 4):
        one, other = dice.sample(range(size), 2)
        links.append((f"e{one}", "MODAL", f"e{other}"))
    document = tlex.from_links(links, times={f"e{number}": "TIME" for number in range(instants)})
    return tlex.extract(document, times="point" if instants else "interval")


def check_pairs(page: Page, result: tlex.Extraction, pairs: list[tuple[str, str]]) -> set[str]:
    """Compare all answers; give the verdicts that occurred."""
    verdicts = set()
    for (one, other), said in zip(pairs, page.evaluate(ASK, pairs), strict=True):
        why = result.why(one, other)
        relation = why.relation
        verdicts.add(relation.verdict)
        if relation.verdict == "entailed":
            kind = relation.relations[0]
            named = f"{kind.name} ({kind.type})" if kind.type else kind.name
            assert said["facts"] == f"entailed: {named}", (one, other)
        elif relation.verdict == "possible":
            assert said["facts"] == f"possible: {', '.join(relation.names)}", (one, other)
        elif relation.verdict == "unrelated":
            assert "not related in time" in said["head"], (one, other)
            assert said["path"] == [step.link for step in relation.path], (one, other)
        else:
            assert "on a contradictory timeline" in said["head"], (one, other)
        if relation.verdict in {"entailed", "possible"}:
            lengths = [len(proof.links) for proof in why.proofs]
            assert [len(links) for links in said["proofs"]] == lengths, (one, other)
            assert len(said["orders"]) == len(why.proofs)
            for links, proof in zip(said["proofs"], why.proofs, strict=True):
                assert proves(result, links, str(proof)), (one, other, links)
    return verdicts


def proves(result: tlex.Extraction, links: list[str], order: str) -> bool:
    """Whether these links by themselves entail the order, by the library's own reckoning."""
    known = {link.id: link for link in result.document.links}
    left, sign, right = order.split()
    if not links:
        return left[:-1] == right[:-1]
    if any(known[id_].kind == "CALENDAR" for id_ in links):
        document = result.document.replace(links=tuple(known[id_] for id_ in links))
        graph = build_graph(document, ("TLINK", "ALINK", "CALENDAR"), result.options.times)
        alone = Extraction(document, tlex.extract(document).options, run_steps(graph))
        return says(alone, left, sign, right)
    triples = [(known[id_].source, known[id_].type, known[id_].target) for id_ in links]
    times = {
        node.id: "TIME"
        for node in result.document.nodes
        if result.options.times == "point" and type(node).__name__ == "Timex"
    }
    ends = {end for one, _, other in triples for end in (one, other)}
    document = tlex.from_links(triples, times={k: v for k, v in times.items() if k in ends})
    alone = tlex.extract(document, times=result.options.times)
    return says(alone, left, sign, right)


def says(alone: tlex.Extraction, left: str, sign: str, right: str) -> bool:
    answer = alone.relation(left[:-1], right[:-1])
    wanted = {"<": ("<",), "=": ("=",)}[sign]
    for found in answer.orders:
        if (found.left, found.right) == (left, right):
            return found.orders == wanted
        if (found.left, found.right) == (right, left):
            return found.orders == tuple(">" if one == "<" else one for one in wanted)
    return False


@pytest.mark.parametrize(("size", "seed", "instants"), [(30, 1, 0), (24, 2, 6), (60, 3, 0)])
def test_relations_and_proofs_are_the_library_s(size: int, seed: int, instants: int, show: Opener):
    result = scatter(size, seed, instants)
    names = [node.id for node in result.nodes]
    dice = random.Random(seed)  # noqa: S311
    pairs = list(dict.fromkeys(tuple(dice.sample(names, 2)) for _ in range(80)))

    verdicts = check_pairs(show(result), result, pairs)

    assert verdicts >= {"entailed", "possible"}


def test_a_mended_page_reasons_without_the_links_left_out(show: Opener):
    links = [(link.source, link.type, link.target) for link in scatter(20, 4).document.links]
    wrong = [(other, label, one) for one, label, other in links[::4] if label == "BEFORE"]
    result = tlex.extract(tlex.from_links([*links, *wrong]), mend=True)
    names = [node.id for node in result.nodes]
    pairs = [(one, other) for one in names for other in names if one < other][::2]

    verdicts = check_pairs(show(result), result, pairs)

    assert result.mended
    assert verdicts >= {"entailed", "possible"}
    assert "inconsistent" not in verdicts


def test_all_pairs_of_the_story_are_the_library_s(show: Opener):
    result = tlex.extract(tlex.read(EXAMPLES / "story.tml"), calendar=True)
    names = [node.id for node in result.nodes]
    pairs = [(one, other) for one in names for other in names if one < other]

    verdicts = check_pairs(show(result), result, pairs)

    assert verdicts == {"entailed", "possible", "unrelated"}


def test_the_fewest_links_count_and_not_the_fewest_steps(show: Opener):
    three = [("a", "BEFORE", "c"), ("c", "BEFORE", "d"), ("d", "BEFORE", "b")]
    four = [("a", "ENDED_ON", "x"), ("x", "BEFORE", "y"), ("y", "BEGUN_ON", "z"),
            ("z", "BEGUN_ON", "b")]  # fmt: skip
    result = tlex.extract(tlex.from_links([*four, *three]))
    assert result.why("a", "b").proofs[0].links == ("l5", "l6", "l7")

    assert check_pairs(show(result), result, [("a", "b")]) == {"entailed"}


def test_a_contradiction_settles_nothing(show: Opener):
    result = tlex.extract(tlex.read(EXAMPLES / "contradiction.tml"))

    verdicts = check_pairs(show(result), result, [("ei1", "ei5"), ("ei1", "ei6")])

    assert verdicts == {"inconsistent", "unrelated"}


@pytest.mark.parametrize(("seed", "instants"), [(4, 0), (5, 8)])
def test_colours_say_how_all_others_stand_to_one(seed: int, instants: int, show: Opener):
    result = scatter(26, seed, instants)
    names = [node.id for node in result.nodes]

    shown = show(result).evaluate(GROUPS, names)

    seen = set()
    for name, others in shown.items():
        assert len(others) == len(names)
        for other, classes in others:
            expected = "chosen" if other == name else group_of(result, other, name)
            assert classes == [expected], (name, other)
            seen.add(expected)
    assert seen == {"chosen", "before", "after", "overlapping", "unknown", "unrelated"}


def group_of(result: tlex.Extraction, one: str, other: str) -> str:
    relation = result.relation(one, other)
    if relation.verdict not in {"entailed", "possible"}:
        return "unrelated"
    groups = {
        "before"
        if name in {"before", "meets"}
        else "after"
        if name in {"after", "met-by"}
        else "overlapping"
        for name in relation.names
    }
    return groups.pop() if len(groups) == 1 else "unknown"


def test_relations_in_timebank_are_the_library_s(show: Opener, corpora: Path):
    """The same on a document of TimeBank, with its diagnostics and odd links."""
    document = tlex.read(corpora / "timebank-1.2" / "VOA19980305.1800.2603.tml")
    result = tlex.extract(document)
    names = [node.id for node in result.nodes]
    dice = random.Random(6)  # noqa: S311
    pairs = list(dict.fromkeys(tuple(dice.sample(names, 2)) for _ in range(80)))

    assert check_pairs(show(result), result, pairs)
