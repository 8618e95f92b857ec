"""UIMA CAS: what dkpro-cassis writes is read as it was meant, and what it loads is read the same.

dkpro-cassis shares no code with the reader. It needs the type system, which is made here.
"""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

from cassis import Cas, TypeSystem, load_cas_from_json, load_cas_from_xmi
from hypothesis import given, settings
from hypothesis import strategies as st

import tlex
from tlex.algebra import find_label
from tlex.readers import parse_all

DATA = Path(__file__).parents[1] / "data"
ANNOTATION = "uima.tcas.Annotation"
LAYERS = {
    "webanno.custom.EVENT": ("docTimeRel", "polarity"),
    "webanno.custom.TIMEX3": ("timex3Class", "value", "functionInDocument"),
    "webanno.custom.METADATA": ("docTime",),
    "webanno.custom.BODYPART": ("eventiveValue",),
    "webanno.custom.CLINENTITY": (),
    "webanno.custom.Act": (),
    "custom.Span": ("label",),
    "custom.Relation": ("label",),
    "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency": ("DependencyType",),
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Sentence": (),
}
SLOTS = {
    "webanno.custom.EVENT": ("TLINK", "ALINK"),
    "webanno.custom.TIMEX3": ("timexLink",),
    "webanno.custom.Act": ("order",),  # a project's own
}
ROLES = ("BEFORE", "CONTAINS", "OVERLAP", "BEGINS-ON", "SIMULTANEOUS")


@cache
def make_types() -> TypeSystem:
    """The layers of E3C and INCEpTION, and one of a project."""
    types = TypeSystem()
    for name, features in LAYERS.items():
        made = types.create_type(name, ANNOTATION)
        for feature in features:
            types.create_feature(made, feature, "uima.cas.String")
        if name.endswith(("Relation", "Dependency")):
            types.create_feature(made, "Governor", ANNOTATION)
            types.create_feature(made, "Dependent", ANNOTATION)
    for name, slots in SLOTS.items():
        for slot in slots:
            link = types.create_type(f"{name}{slot}Link", "uima.cas.TOP")
            types.create_feature(link, "role", "uima.cas.String")
            types.create_feature(link, "target", ANNOTATION)
            array = types.create_feature
            array(types.get_type(name), slot, "uima.cas.FSArray", elementType=link)
    return types


NODES = ("webanno.custom.EVENT", "webanno.custom.TIMEX3", "webanno.custom.Act")


@st.composite
def cases(draw) -> tuple[str, list, list, list]:
    """A text, layers with spans, and links in slots and in relations: source, label, target."""
    text = draw(st.text(st.sampled_from("ab \r\n😀𝄞é"), min_size=4, max_size=30))
    spans = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    nodes = draw(st.lists(st.tuples(st.sampled_from(NODES), spans), min_size=2, max_size=5))
    ends = st.integers(0, len(nodes) - 1)
    links = st.lists(st.tuples(ends, st.sampled_from(ROLES), ends), max_size=4)
    return text, nodes, draw(links), draw(links)


def build(case: tuple[str, list, list, list]) -> Cas:
    text, nodes, slots, relations = case
    types = make_types()
    cas = Cas(types)
    cas.sofa_string, cas.sofa_mime = text, "text/plain"
    made = [types.get_type(name)(begin=begin, end=end) for name, (begin, end) in nodes]
    for number, node in enumerate(made):
        slot = SLOTS[node.type.name][0]
        link = types.get_type(f"{node.type.name}{slot}Link")
        listed = [link(role=role, target=made[to]) for own, role, to in slots if own == number]
        node[slot] = types.get_type("uima.cas.FSArray")(elements=listed)
        cas.add(node)
    for source, label, target in relations:
        place = {"begin": made[target].begin, "end": made[target].end}
        ends = {"Governor": made[source], "Dependent": made[target]}
        cas.add(types.get_type("custom.Relation")(label=label, **ends, **place))
    return cas


def describe(document: tlex.Document) -> tuple[list, list, str]:
    spans = {node.id: (node.text_start, node.text_end) for node in document.nodes}
    links = [(spans[x.source], x.type, spans[x.target]) for x in document.links]
    return sorted(spans.values()), sorted(links), document.text


@settings(max_examples=40)
@given(case=cases())
def test_what_cassis_writes_is_read_with_its_spans_and_links(case):
    text, nodes, slots, relations = case
    cas = build(case)

    json = cas.to_json()
    named = json.replace('"uima.cas.FSArray"', '"webanno.custom.Link[]"')  # as UIMA for Java does
    read = [tlex.parse(written) for written in (cas.to_xmi(), json, named)]

    # A layer of a project's own is known by the links only.
    links = slots + relations
    linked = {end for source, _, target in links for end in (source, target)}
    spans = [tuple(span) for _, span in nodes]
    meant = (
        sorted(
            span
            for number, span in enumerate(spans)
            if nodes[number][0] != "webanno.custom.Act" or number in linked
        ),
        sorted(
            (spans[one], find_label("TLINK", label), spans[other]) for one, label, other in links
        ),
        text,
    )
    assert [describe(document) for document in read] == [meant] * 3
    assert [document.format for document in read] == ["xmi", "casjson", "casjson"]
    assert not [problem for document in read for problem in document.diagnostics]


def flatten(listed: list) -> list:
    """Links, which may stand in an array of their own."""
    return [one for each in listed for one in (getattr(each, "elements", None) or [each])]


def load(text: str) -> tuple[set[str], set[tuple[str, str, str]]]:
    """Words, and the links that stand in slots and relations, by cassis alone."""
    cas = load_cas_from_xmi(text, typesystem=make_types())
    words, links = set(), set()
    for name, slots in SLOTS.items():
        for node in cas.select(name):
            words.add(node.get_covered_text())
            listed = [each for slot in slots if node[slot] for each in node[slot].elements]
            for link in flatten(listed):
                words.add(link.target.get_covered_text())
                links.add((node.get_covered_text(), link.role, link.target.get_covered_text()))
    for each in cas.select("custom.Relation"):
        ends = each.Governor.get_covered_text(), each.Dependent.get_covered_text()
        links.add((ends[0], each.label, ends[1]))
    return words, links


def test_the_test_data_says_the_same_to_cassis_once_ids_and_view_are_sound():
    text = (DATA / "e3c.xmi").read_text(encoding="utf-8")
    sound = text.replace('CLINENTITY xmi:id="1"', 'CLINENTITY xmi:id="98"').replace(
        " 99", " 8 10 11"
    )

    words, links = load(sound)

    for document in (tlex.parse(sound), tlex.parse(text)):  # an id that occurs twice costs nothing
        said = {node.id: document.words(node) for node in document.nodes}
        assert words == {said[node] for node in said} - {""}
        assert {(one, find_label("TLINK", role), other) for one, role, other in links} == {
            (said[x.source], x.type, said[x.target])
            for x in document.links
            if not x.id.startswith("docTimeRel@")
        }


def test_cassis_loads_the_test_data_in_json_with_the_same_words():
    text = (DATA / "cas.json").read_text(encoding="utf-8")
    cas = load_cas_from_json(text, typesystem=make_types())

    document = tlex.parse(text)

    assert document.text == cas.sofa_string
    meant = {str(each.xmiID): each.get_covered_text() for each in cas.select("custom.Span")}
    assert meant.items() <= {node.id: document.words(node) for node in document.nodes}.items()


def test_the_zip_of_an_export_with_its_type_system_is_read():
    cas = load_cas_from_json((DATA / "cas.json").read_text(encoding="utf-8"), make_types())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("TypeSystem.xml", make_types().to_xml())
        archive.writestr("story.xmi", cas.to_xmi())

    (document,) = parse_all(out.getvalue(), name="story.zip")

    assert (document.format, document.text) == ("xmi", cas.sofa_string)
    assert [link.type for link in document.links] == ["BEFORE", "AFTER"]
