"""Files of the shipped game, damaged in every way: there are findings or success, nothing else."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from damage import FILES, MUTATIONS, TEMPLATES, check_damaged, copy_part
from deckwright.api.schemas import build_shapes
from deckwright.base.findings import Report, has_errors
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.read import load_valid
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import schema_bytes
from support import share_of_examples

pytestmark = pytest.mark.usefixtures("shipped_checked")

EXAMPLES = 25 if os.environ.get("REST_OF_CORPUS") else 5

EDITORS_SEE = {"S001", "S008"}
"""What a schema is sure to find: an element that is unknown, or a wrong root."""


def tree_of(node: Node) -> etree._Element:
    """Return what was read of a file as an XML tree again."""
    element = etree.Element(node.tag)
    for name, value in node.attributes.items():
        element.set(name.replace("xsi:", "{http://www.w3.org/2001/XMLSchema-instance}"), value)
    element.text, element.tail = node.text or None, node.tail
    element.extend(map(tree_of, node.children))
    return element


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_part(tmp_path_factory.mktemp("part"))


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(st.sampled_from([*FILES, *TEMPLATES]), st.integers(0, 2**32), st.integers(1, 4))
def test_damaged_elements_give_findings_or_success(
    original: Path, name: str, seed: int, count: int
) -> None:
    rng = random.Random(seed)
    source = original / name
    before = source.read_bytes()
    root = etree.fromstring(before)
    for _ in range(count):
        rng.choice(MUTATIONS)(root, rng)
    try:
        source.write_bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True))
        check_damaged(original)
    finally:
        source.write_bytes(before)


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([*FILES, *TEMPLATES]),
    st.lists(st.tuples(st.integers(0, 2**20), st.binary(max_size=3)), min_size=1, max_size=3),
    st.sampled_from([None, 0, 10, 300, 1500]),
)
def test_damaged_bytes_give_findings_or_success(
    original: Path, name: str, flips: list[tuple[int, bytes]], cut: int | None
) -> None:
    source = original / name
    before = source.read_bytes()
    data = bytearray(before[:cut])
    for position, new in flips:
        place = position % (len(data) + 1)
        data[place : place + len(new)] = new
    try:
        source.write_bytes(bytes(data))
        check_damaged(original)
    finally:
        source.write_bytes(before)


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(60), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(list(FILES)), st.integers(0, 2**32), st.integers(1, 4))
def test_schema_and_explanations_agree(original: Path, name: str, seed: int, count: int) -> None:
    setup = load.load_setup(GameFolder(original), [])
    assert setup is not None
    shape = build_shapes(setup)[FILES[name]]
    rng = random.Random(seed)
    root = etree.fromstring((original / name).read_bytes())
    for _ in range(count):
        rng.choice(MUTATIONS)(root, rng)
    path = original / "damaged.xml"
    path.write_bytes(etree.tostring(root))
    report: Report = []
    node = load_valid(path, shape, report)
    assert (node is None) == has_errors(report)
    schema = etree.XMLSchema(etree.fromstring(schema_bytes(shape)))
    if not report:
        assert node is not None
        assert schema.validate(tree_of(node)), schema.error_log
    elif {finding.code.id for finding in report} & EDITORS_SEE:
        read = load_document(path, [])
        assert read is not None
        assert not schema.validate(tree_of(read))
