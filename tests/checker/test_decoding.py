"""The checker of chosen labels rejects every claim that is wrong (R60)."""

from __future__ import annotations

import json

import pytest

import tlex
from tlex.errors import VerificationError

LINKS = [
    {"source": "a", "target": "b", "labels": {"BEFORE": 0.9, "AFTER": 0.1}},
    {"source": "b", "target": "c", "labels": {"BEFORE": 0.8, "AFTER": 0.2}},
    {"source": "c", "target": "a", "labels": {"BEFORE": 0.6, "AFTER": 0.4}},
]


def make(links=LINKS) -> tlex.Document:
    return tlex.parse(json.dumps({"links": links}), name="model.json")


def test_a_choice_is_proved_with_its_bound():
    verdict = tlex.verify(make(), tlex.decode(make()))

    assert (verdict.result, verdict.links, verdict.unchecked) == ("decode", 3, ())


def test_that_no_choice_is_consistent_is_proved():
    hard = make([{**link, "labels": {"BEFORE": 1}} for link in LINKS])

    assert tlex.verify(hard, tlex.decode(hard).to_json()).unchecked == ()


WRONG = [
    (("choices", 0, "type"), "AFTER", "no 'AFTER' so probable"),
    (("choices", 0, "probability"), 0.5, "no 'BEFORE' so probable"),
    (("choices", 0, "labels", "AFTER"), 0.2, "other candidates"),
    (("choices", 2, "most_probable"), "AFTER", "described wrongly"),
    (("choices",), [], "has no label"),
    (("cost",), 0.5, "cost 1.24479, not 0.5"),
    (("gap",), 0.1, "not the difference"),
    (("optimal",), False, "do not agree"),
    (("consistent",), False, "do not agree"),
    (("blocked",), [["l1", "l2"]], "may be consistent"),
    (("proof",), [], "a choice costs 0.839"),
    (("proof", 0), ["a+ < b-"], "can all hold"),
    (("proof", 0), ["a+ ? b-"], "no order of two points"),
    (("proof", 0), ["x+ < b-"], "a point that is not there"),
]


@pytest.mark.parametrize(("path", "value", "about"), WRONG)
def test_a_wrong_claim_is_rejected(path, value, about):
    saved = json.loads(tlex.decode(make()).to_json())
    place = saved
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value

    with pytest.raises(VerificationError, match=about):
        tlex.verify(make(), saved)


def test_labels_that_contradict_each_other_are_rejected():
    saved = json.loads(tlex.decode(make()).to_json())
    saved["choices"][2] |= {"type": "BEFORE", "probability": 0.6}

    with pytest.raises(VerificationError, match="contradict each other"):
        tlex.verify(make(), saved)


def test_a_bound_that_is_too_high_is_rejected():
    other = [*LINKS[:2], {**LINKS[2], "labels": {"BEFORE": 0.6, "AFTER": 0.1, "VAGUE": 0.3}}]
    document = make(other)
    saved = json.loads(tlex.decode(document).to_json())
    saved["choices"][2] |= {"type": "AFTER", "probability": 0.1}
    saved |= {"cost": 2.631089160, "bound": 2.631089160}

    with pytest.raises(VerificationError, match=r"a choice costs 1\.5324"):
        tlex.verify(document, saved)
