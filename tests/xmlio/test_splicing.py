"""What is parsed again of a changed file is the same as if all of it were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deckwright.xmlio import load
from deckwright.xmlio.load import parse_incrementally, parse_text
from deckwright.xmlio.node import Node

PATH = Path("cards.xml")
PARTS = [
    '<card id="1"/>',
    '\n  <card id="2"><row name="x"/>\n</card>',
    "<!-- <card/> -->",
    '<card\nid="3" name="Königin 🂡"><row/><row><a/></row></card>\n\n',
    "<![CDATA[<card>]]>",
    '<card id="4">text</card><?pi <card>?>',
    "\t",
]
SNIPPETS = [
    "x",
    "\n",
    '<card id="5"/>',
    "<card>",
    "</card>",
    "<!--",
    "-->",
    "]]>",
    '"',
    "ü",
    "&lt;",
]
HEADS = ["<data>", '<?xml version="1.0" encoding="ascii"?>\n<!-- <c> -->\n<data\n a=">">']
ENDS = ["</data>", "</data >\n<!-- </data> -->\n"]
PLACES = st.floats(0, 1)


def plain(node: Node) -> list[object]:
    """Return all that a node says."""
    inner = [plain(child) for child in node.children]
    return [node.tag, node.attributes, node.text, node.tail.strip(), inner]


@given(
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=6),
    st.sampled_from(ENDS),
    st.lists(
        st.tuples(PLACES, PLACES, st.lists(st.sampled_from(SNIPPETS), max_size=2)), max_size=2
    ),
)
@example(HEADS[0], PARTS, ENDS[0], [(0.5, 0.5, ["\n"])])
@example(HEADS[1], PARTS, ENDS[1], [(1, 1, ["<!-- </data> -->"])])
def test_a_spliced_file_is_as_if_it_were_parsed_whole(
    head: str, parts: list[str], end: str, edits: list[tuple[float, float, list[str]]]
) -> None:
    old = f"{head}{''.join(parts)}{end}"
    before = parse_text(PATH, old)
    new = old
    for place, length, snippets in edits:
        begin = round(place * len(new))
        until = begin + round(length * 0.2 * (len(new) - begin))
        new = new[:begin] + "".join(snippets) + new[until:]
    found = parse_incrementally(
        before.source.document, [c.source.ordinal for c in before.children], new
    )
    if found is None:
        return
    now = parse_text(PATH, new)
    assert found.document.text == new
    assert found.document.starts() == now.source.document.starts()
    tail = len(before.children) - found.tail
    kept = [(c, 0) for c in before.children[: found.head]]
    kept += [(c, found.root_shift) for c in found.root.children]
    kept += [(c, found.shift) for c in before.children[tail:]]
    assert [plain(c) for c, _ in kept] == [plain(c) for c in now.children]
    for (node, further), same in zip(kept, now.children, strict=True):
        assert [n.source.ordinal + further for n in node.walk()] == [
            n.source.ordinal for n in same.walk()
        ]


@pytest.mark.parametrize(
    ("old", "new", "head", "tail", "read"),
    [
        ("<a/><b/><c/>", "<a/><b x=''/><c/>", 1, 1, 1),
        ("<a/><b/><c/>", "<a/><c/>", 1, 1, 0),
        ("<a/><b/><c/>", "<a/><b/><new/><c/>", 2, 1, 1),
        ("<a/><b/><c/>", "<a/><b/><c/><new/>", 2, 0, 2),
        ("<a/><b/><c/>", "\n<a/><b/><c/>", 0, 3, 0),
        ("<a/><b/><c/>", "<x/>", 0, 0, 1),
    ],
)
def test_only_parts_that_have_changed_are_parsed(
    old: str, new: str, head: int, tail: int, read: int
) -> None:
    before = parse_text(PATH, f"<data>{old}</data>")
    ordinals = [child.source.ordinal for child in before.children]
    found = parse_incrementally(before.source.document, ordinals, f"<data>{new}</data>")
    assert found is not None
    assert (found.head, found.tail, len(found.root.children)) == (head, tail, read)
    now = parse_text(PATH, f"<data>{new}</data>")
    starts = now.source.document.starts()
    assert found.document.starts() == starts
    assert found.shift == len(starts) - len(before.source.document.starts())


def test_what_is_spliced_has_no_more_elements_than_a_file_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(load, "UNTRUSTED_FILES", load.UNTRUSTED_FILES._replace(elements=5))
    before = parse_text(PATH, "<data><a/><b/><c/></data>")
    for new, fits in (("<a/><b/><n/><c/>", True), ("<a/><b/><n/><n/><c/>", False)):
        text = f"<data>{new}</data>"
        with load.limit_files():
            found = load.parse_incrementally(before.source.document, [1, 2, 3], text)
        assert (found is not None) is fits
