"""Texts as elements say what texts in attributes do."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from lxml import etree

from deckwright.base.findings import Report
from deckwright.xmlio.load import FileError, load_document
from deckwright.xmlio.shape import TEXT, Attribute, Shape, get_text, schema_bytes, text_shape
from deckwright.xmlio.validate import validate_and_prune

SHAPE = Shape("card", (Attribute("t", TEXT, required=True, element=True),), (text_shape("t", ""),))


def read(folder: Path, content: str) -> tuple[str | None, list[str]]:
    path, report = folder / "a.xml", Report()
    path.write_text(content, encoding="utf-8")
    root = load_document(path, report)
    assert root is not None
    with suppress(FileError):
        validate_and_prune(root, SHAPE, report)
    return get_text(root, "t"), [str(finding.code.id) for finding in report]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('<card t="Draw *two*."/>', "Draw *two*."),
        ("<card><t>Draw <b>two</b>.</t></card>", "Draw **two**."),
        ("<card><t>\n  Draw\n  <i>two </i>cards.\n</t></card>", "Draw __two__ cards."),
        ("<card><t>a<br/>b <b>c<br/>d</b></t></card>", "a\nb **c**\n**d**"),
        ("<card><t><p>a</p>\n<p><b>b <i>c</i></b></p></t></card>", "a\n**b __c__**"),
        ('<card><t>Pay <icon name="sword"/>.</t></card>', "Pay {icon:sword}."),
        ("<card><t>*a* &lt; <b> </b></t></card>", "*a* <"),
        ("<card><t><u>a <s>b</s></u> c</t></card>", "++a ~~b~~++ c"),
        ('<card><t><tspan fill="#a33">a <b>b</b></tspan></t></card>', "{fill:#a33}a **b**{/fill}"),
        (
            "<card><t>One of:<list><item>a</item><item><i>b</i> c</item></list></t></card>",
            "One of:\n• a\n• __b__ c",
        ),
        (
            '<card><t><list style="number"><item>a</item><item>b</item></list>!</t></card>',
            "1. a\n2. b\n!",
        ),
    ],
)
def test_a_text_is_an_attribute_or_an_element(tmp_path: Path, content: str, text: str) -> None:
    assert read(tmp_path, content) == (text, [])


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        ("<card/>", ["S003"]),
        ('<card t="a"><t>b</t></card>', ["S006"]),
        ("<card><t>a</t><t>b</t></card>", ["S006"]),
        ("<card><t><em>a</em></t></card>", ["S001"]),
        ("<card><t><tspan>a</tspan></t></card>", ["S003"]),
        ("<card><t><list/></t></card>", ["S005"]),
        ("<card><t><icon/></t></card>", ["S003"]),
    ],
)
def test_what_a_text_cannot_be(tmp_path: Path, content: str, codes: list[str]) -> None:
    assert read(tmp_path, content)[1] == codes


def test_editors_know_the_element() -> None:
    schema = etree.fromstring(schema_bytes(SHAPE))
    names = {element.get("name") for element in schema.iter("{*}element")}
    assert {"t", "b", "i", "u", "s", "tspan", "br", "p", "icon", "list", "item"} <= names
    (attribute,) = schema.iterfind(".//{*}attribute[@name='t']")
    assert attribute.get("use") is None
