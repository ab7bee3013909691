"""Elements of files as they are written, changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.game.kinds import normalize_paragraphs
from deckwright.xmlio.load import load_document, override_files
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Attribute, get_text, to_inline_xml
from deckwright.xmlio.xml_text import (
    RawElement,
    XmlFile,
    add_copy,
    add_element,
    new_element,
    parse_xml_file,
    replace_content,
    replace_text,
    set_children,
    set_value,
)

TEXT = Attribute("text", element=True)
HERE = Path("cards.xml")


def read(text: str) -> Node:
    with override_files({HERE: text.encode()}):
        root = load_document(HERE, [])
    assert root is not None
    return root


def opened(text: str) -> tuple[XmlFile, RawElement]:
    """Return a file, and the first element in its root element."""
    file = parse_xml_file(HERE, text.encode())
    return file, file.elements[1]


@given(
    st.lists(st.sampled_from([*"ab *_+~<&>{}\n•1.", "**", "__", "{icon:x}", "<b>"]), max_size=12)
)
def test_a_text_says_the_same_in_an_element(parts: list[str]) -> None:
    text = "".join(parts)
    node = read(f"<data><card><text>{to_inline_xml(text)}</text></card></data>").children[0]
    assert normalize_paragraphs(get_text(node, "text") or "") == normalize_paragraphs(text)


def test_what_is_plain_becomes_elements() -> None:
    assert (
        to_inline_xml("**a** & __b__\n{icon:sword}")
        == '<b>a</b> &amp; <i>b</i><br/><icon name="sword"/>'
    )
    assert to_inline_xml("** a** {icon:a b}") == "** a** {icon:a b}"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("<a><c><text>x</text></c></a>", "y < z", "<a><c><text>y &lt; z</text></c></a>"),
        ("<a><c><text/></c></a>", "y", "<a><c><text>y</text></c></a>"),
        ("<a><c><text>x</text></c></a>", None, "<a><c/></a>"),
        ("<a><c text='x'/></a>", "y's", "<a><c text='y&apos;s'/></a>"),
        ("<a><c/></a>", "y", '<a><c text="y"/></a>'),
    ],
)
def test_a_value_stays_where_it_is_said(before: str, value: str | None, after: str) -> None:
    file, element = opened(before)
    set_value(element, TEXT, value, ("text",))
    assert file.to_bytes().decode() == after


def test_an_empty_element_can_be_filled() -> None:
    file, element = opened("<a><c x='1' /></a>")
    replace_content(element, "y")
    assert file.to_bytes().decode() == "<a><c x='1'>y</c></a>"


LIST = """<a>
  <c>
    <b n="1"/> <!-- one -->
    <b n="2"/>
    <r/>
  </c>
</a>
"""


@pytest.mark.parametrize(
    ("order", "lines"),
    [
        ([0, 1], ['<b n="1"/> <!-- one -->', '<b n="2"/>', "<r/>"]),
        ([1, 0], ['<b n="2"/> <!-- one -->', '<b n="1"/>', "<r/>"]),
        ([1], ['<b n="2"/>', "<r/>"]),
        ([None, 0, 1], ['<b n="9"/>', '<b n="1"/> <!-- one -->', '<b n="2"/>', "<r/>"]),
        ([1, None, 0], ['<b n="2"/> <!-- one -->', '<b n="9"/>', '<b n="1"/>', "<r/>"]),
        ([], ["<r/>"]),
    ],
)
def test_children_keep_what_they_have(order: list[int | None], lines: list[str]) -> None:
    file, element = opened(LIST)
    old = element.children("b")
    wanted = [new_element("b", {"n": "9"}) if n is None else old[n] for n in order]
    set_children(file, element, "b", wanted, ())
    found = file.to_bytes().decode()
    assert [
        line.strip() for line in found.splitlines()[2:-2] if "<!-- one" not in line.strip()[:8]
    ] == (lines)
    assert [n.get("n") for n in read(found).children[0].children_named("b")] == [
        "9" if n is None else str(n + 1) for n in order
    ]


def test_the_first_child_stands_behind_those_of_earlier_tags() -> None:
    file, element = opened("<a>\n  <c>\n    <b/>\n  </c>\n</a>")
    set_children(file, element, "r", [new_element("r", {})], ("b",))
    assert file.to_bytes().decode() == "<a>\n  <c>\n    <b/>\n    <r/>\n  </c>\n</a>"


def test_new_elements_and_copies_stand_behind_others() -> None:
    file, element = opened("<a>\n\t<c n='1'/>\n\t<d/>\n</a>")
    add_element(file, file.root, "c", {"n": "2"})
    add_copy(file, file.root, element).set("n", "3", ())
    written = "<a>\n\t<c n='1'/>\n\t<c n='3'/>\n\t<c n=\"2\"/>\n\t<d/>\n</a>"
    assert file.to_bytes().decode() == written


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_new_text_keeps_the_ends_of_lines(end: str) -> None:
    def content(*lines: str) -> bytes:
        return end.join(lines).encode()

    before = content("<a>", " <b/>", "</a>", "")
    assert replace_text(before, "<a>\n <b/>\n</a>\n") == before
    assert replace_text(before, "<a>\n <b/>\n <c/>\n</a>\n") == content(
        "<a>", " <b/>", " <c/>", "</a>", ""
    )
    assert replace_text(before, "<a>\n</a>") == content("<a>", "</a>")
    assert replace_text(before, "") == b""


def test_lines_that_stay_keep_ends_of_their_own() -> None:
    before = b"\xef\xbb\xbf<a>\r\n <b/>\n <c/>\r\n</a>\n"
    after = replace_text(before, "<a>\n <b/>\n <d/>\n</a>\n")
    assert after == before.replace(b"<c/>", b"<d/>")


def test_a_new_text_is_written_in_the_encoding_that_it_declares() -> None:
    declared = '<?xml version="1.0" encoding="{}"?><a>ü</a>'
    before = declared.format("ISO-8859-1").encode("latin-1")
    assert replace_text(before, declared.format("UTF-8")) == declared.format("UTF-8").encode()
    odd = declared.format("utf-7000")
    assert replace_text(before, odd) == odd.encode("latin-1")
