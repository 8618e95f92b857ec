"""`tlex.fix`: what the command says and writes, for programs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from commands import TLEX

import tlex
from tlex.errors import OptionError, PatchError, WriteError
from tlex.repair import FixRecord, Patch, apply

ROOT = Path(__file__).parents[2]
CONTRADICTION = ROOT / "examples" / "contradiction.tml"
STORY = ROOT / "examples" / "story.tml"
PAIR = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c")]


@pytest.fixture
def document() -> tlex.Document:
    return tlex.read(CONTRADICTION)


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"relabel": True}, ["--relabel"]),
        ({"choose": {1: 2}, "limit": 1}, ["--choose=1=2", "--limit=1"]),
        ({"weights": {"l2": 0.5}, "keep": ["l3"]}, ["--weight=l2=0.5", "--keep=l3"]),
        ({"only": "self-loops"}, ["--only=self-loops"]),
        ({"links": ["tlink"], "times": "point"}, ["--links=tlink", "--times=point"]),
        ({"seconds": 0}, ["--seconds=0"]),
    ],
)
def test_the_json_is_what_the_command_prints(options, flags):
    document = tlex.read(CONTRADICTION, name=str(CONTRADICTION))
    command = [*TLEX, "fix", str(CONTRADICTION), "--json", *flags]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603

    line = tlex.fix(document, **options).to_json()

    assert line + b"\n" == done.stdout


def test_the_record_has_the_fields_of_the_json_and_survives_it(document):
    fixed = tlex.fix(document)

    assert msgspec.json.decode(fixed.to_json(), type=FixRecord) == fixed.record()
    needed = [field.encode_name for field in msgspec.structs.fields(FixRecord) if field.required]
    assert list(json.loads(fixed.to_json())) == needed


def test_a_result_and_its_document_are_fixed_alike(document):
    result = tlex.extract(document, links=["TLINK"])

    assert tlex.fix(result).to_json() == tlex.fix(document, links=["TLINK"]).to_json()


def test_links_and_times_are_not_for_a_result(document):
    with pytest.raises(OptionError, match="a result has its own"):
        tlex.fix(tlex.extract(document), links=["TLINK"])


@pytest.mark.parametrize(
    "options",
    [{"choose": {0: 1}}, {"limit": 0}, {"choose": {1: 99}}, {"choose": {9: 1}}, {"choose": 2}],
)
def test_a_number_that_is_out_of_range_is_an_error(document, options):
    with pytest.raises(OptionError):
        tlex.fix(document, **options)


def test_the_repaired_document_is_consistent_and_read_from_its_bytes(document):
    fixed = tlex.fix(document)

    assert tlex.extract(fixed.document).consistent
    assert fixed.data == fixed.document.source.data
    assert [link.id for link in fixed.document.links] == [
        link.id for link in document.links if link.id not in fixed.removed
    ]


def test_a_consistent_document_stays_what_it_is():
    document = tlex.read(STORY)

    fixed = tlex.fix(document)

    assert fixed.document is document
    assert fixed.data == document.source.data
    assert fixed.patch.files == ()
    assert repr(fixed).endswith("nothing to change>")


@pytest.mark.parametrize("relabel", [False, True])
def test_a_document_from_no_file_is_repaired_without_bytes(relabel):
    fixed = tlex.fix(tlex.from_links(PAIR), relabel=relabel)

    assert tlex.extract(fixed.document).consistent
    assert len(fixed.document.links) == 2 + relabel
    for name in ("data", "patch"):
        with pytest.raises(WriteError, match="cannot be written back"):
            getattr(fixed, name)


def test_labels_of_ones_own_count_when_the_file_is_read_again():
    labels = {"TLINK": {"BEFORE": ("A+ < B-",), "SOON": ("A+ < B-",)}}
    text = CONTRADICTION.read_text("utf-8").replace('relType="BEFORE"', 'relType="soon"')
    document = tlex.parse(text, labels=labels)

    fixed = tlex.fix(document)

    assert fixed.changes
    assert tlex.extract(fixed.document).consistent
    assert "SOON" in {link.type for link in fixed.document.links}


def test_the_reason_names_links_that_stay(document):
    fixed = tlex.fix(document)

    (link,) = fixed.links
    assert set(fixed.find_reason(link)) | {link} == {"l2", "l3", "l4"}


def test_a_patch_makes_the_repaired_file_from_the_original(document):
    fixed = tlex.fix(document)
    patch = Patch.from_json(fixed.patch.to_json(), "patch")

    moved = tlex.read(CONTRADICTION, name="elsewhere.tml")

    assert apply(moved, patch).source.data == fixed.data
    assert apply(moved, patch.files[0]).source.data == fixed.data


def test_a_patch_of_other_files_is_refused(document):
    patch = tlex.fix(document).patch

    with pytest.raises(PatchError, match="no changes for this file"):
        apply(tlex.read(STORY), patch)


def test_a_result_is_shown_by_what_it_changes():
    assert repr(tlex.fix(tlex.from_links(PAIR, name="x"))) == "<FixResult 'x': remove l2>"
    assert "make l2 AFTER" in repr(tlex.fix(tlex.from_links(PAIR), relabel=True))
