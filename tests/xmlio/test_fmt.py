from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from conftest import ROOT
from deckwright.cli.fmt import FileForms
from deckwright.game.folder import GameFolder
from deckwright.xmlio.canonical import DECLARATION, CanonicalForm, canonicalize
from deckwright.xmlio.load import load_document
from deckwright.xmlio.shape import TEXT, Attribute, Occurs, Shape

Element = etree._Element  # noqa: SLF001 - lxml's only name for it

P = Shape("p", (Attribute("id"),), (Occurs(Shape("b", text=True)),), text=True)
ROW = Shape("row", (Attribute("head"),), (Occurs(Shape("cell", text=True)),))
BOX = Shape("box", (Attribute("id"), Attribute("name"), Attribute("x")), (Occurs(P), Occurs(ROW)))
ROOT_SHAPE = Shape("data", (Attribute("id"),), (Occurs(BOX), Occurs(P), Occurs(ROW)), free=TEXT)
FORM = CanonicalForm(ROOT_SHAPE, lines=frozenset({"row"}))
TEMPLATE = CanonicalForm(texts=frozenset({"text"}))


def formatted(inner: str, form: CanonicalForm = FORM) -> str:
    text = canonicalize(f"<data>{inner}</data>", form)
    assert canonicalize(text, form) == text
    assert text.startswith(f"{DECLARATION}\n<data>")
    return text.removeprefix(f"{DECLARATION}\n<data>").removesuffix("</data>\n")


LINES = [
    ("<box/><box></box>", "  <box/>\n  <box/>\n"),
    ("<box>\n \t </box>", "  <box/>\n"),
    ("<p> </p>", "  <p/>\n"),
    ("<box><p/><p/></box>", "  <box>\n    <p/>\n    <p/>\n  </box>\n"),
    ("<box>\n<p/></box>", "  <box>\n    <p/>\n  </box>\n"),
    ("<box> <p/> </box>", "  <box><p/></box>\n"),
    ("\n\n\n\n<box/>\n \n\t\n<box/>\n\n", "\n  <box/>\n\n  <box/>\n\n"),
    ("<row>\n<cell>a</cell>\n<cell></cell></row>", "  <row><cell>a</cell><cell/></row>\n"),
    ("<row><!--c--><cell/></row>", "  <row> <!--c-->\n    <cell/>\n  </row>\n"),
]


@pytest.mark.parametrize(("written", "expected"), LINES)
def test_an_element_stands_on_a_line(written: str, expected: str) -> None:
    assert formatted(written) == f"\n{expected}"


ATTRIBUTES = """<box x="1" id="2" name="3"/>  →  <box id="2" name="3" x="1"/>
<box b="1" x="2" a="3" id="4"/>  →  <box id="4" x="2" b="1" a="3"/>
<box\tid = "1"  x\t=\t"2" />  →  <box id="1" x="2"/>
<box id='a"b' x='it'/>  →  <box id="a&quot;b" x="it"/>
<box id="&apos;&gt;&#65;&#x42;&lt;&amp;"/>  →  <box id="'>AB&lt;&amp;"/>
<box id="a\tb"/>  →  <box id="a b"/>
<box id="a&#10;b&#9;c&#13;d"/>  →  <box id="a&#10;b&#9;c&#13;d"/>
<box id="&amp;lt;"/>  →  <box id="&amp;lt;"/>
<box id="" x=" x=&apos;1&apos; y=2"/>  →  <box id="" x=" x='1' y=2"/>
<box x="1" xmlns:q="q" q:id="3"/>  →  <box x="1" xmlns:q="q" q:id="3"/>
<stranger x="1" id="2"/>  →  <stranger x="1" id="2"/>
"""


@pytest.mark.parametrize("line", ATTRIBUTES.strip().split("\n"))
def test_attributes_are_in_the_order_of_the_shape(line: str) -> None:
    written, _, expected = line.partition("  →  ")
    for space in "\t\n":
        assert formatted(written.replace("\t", space)) == f"\n  {expected}\n"


INSIDES = """<p><b>a</b> <b>b</b></p>
<p>\t  a  <b>b</b>\t   c\t</p>
<p><b x='1'   y="2"></b></p>
<p><![CDATA[<x>]]>&#65;&gt;</p>
<p> <!-- c --> </p>
<p>\N{NO-BREAK SPACE}</p>
<p>a <box>  <p/></box></p>
<box>stray  <p/>\t</box>
<box> &#32; </box>
"""


@pytest.mark.parametrize("inner", INSIDES.strip().split("\n"))
def test_what_holds_text_stays_as_it_is_written(inner: str) -> None:
    inner = inner.replace("\t", " \n   ")
    assert formatted(inner) == f"\n  {inner}\n"


def test_templates_keep_the_order_of_attributes_and_the_inside_of_texts() -> None:
    text = '<text y="1" id="2"><p each="a in b">x</p> <b>y</b></text>'
    assert formatted(f"<g>{text}<g/></g>", TEMPLATE) == f"\n  <g>\n    {text}\n    <g/>\n  </g>\n"


COMMENTS = """<!-- head --> <?note a?>

<data> <!-- of the root -->
  <box/> <!-- of the box --> <!-- too -->
  <!-- of
  what follows -->
  <p>a</p>
  <!-- last -->
</data> <!-- end -->

<?after?>
"""


def test_comments_stay_at_their_places() -> None:
    text = COMMENTS.replace(" <!-- too", "<!-- too").replace("  <!-- last", "\t<!-- last")
    text = text.replace("<data> ", "<data>  ").replace("\n  <p>", "<p>").replace("\n\n", "\n \n\n")
    assert canonicalize(text, FORM) == f"{DECLARATION}\n{COMMENTS}"


def test_every_file_begins_with_one_declaration() -> None:
    for head in ("", "\n\n", DECLARATION, '<?xml version="1.0" encoding="cp1252"?>\n'):
        assert canonicalize(f"{head}<data/>\n\n\n", FORM) == f"{DECLARATION}\n<data/>\n"
    text = canonicalize("<?xml-model href='x'?><data/>", FORM)
    assert text == f"{DECLARATION}\n<?xml-model href='x'?>\n<data/>\n"


# What is in a file, read without our help: texts count where the shape says so, or there are any.


def said(text: str, form: CanonicalForm) -> list[object]:
    root = etree.fromstring(text.encode(), etree.XMLParser(encoding="utf-8", no_network=True))
    around = (*root.itersiblings(preceding=True), *root.itersiblings())
    return [*((node.tag, node.text) for node in around), tree(root, form, form.shape)]


def tree(
    node: Element, form: CanonicalForm, shape: Shape | None, *, prints: bool = False
) -> object:
    tag: object = node.tag
    if not isinstance(tag, str):
        return tag, node.text
    if shape is not None and shape.tag != tag:
        shape = None
    texts = [node.text or "", *(child.tail or "" for child in node)]
    prints = prints or (shape.text if shape else tag in form.texts)
    prints = prints or any(text.strip(" \t\n") for text in texts)
    if not prints or (len(node) == 0 and not texts[0].strip(" \t\n")):
        texts = []
    inside = []
    for child in node:
        occurs = shape.child(child.tag) if shape and isinstance(child.tag, str) else None
        inside.append(tree(child, form, occurs.shape if occurs else None, prints=prints))
    return tag, sorted(node.attrib.items()), texts, inside


SPACES = ("", "", "", " ", "\n", "\n  ", "\n\n", "\n \n\t\n")
VALUES = (*"a \n\t>'ß", "&quot;", "&lt;", "&amp;", "&#10;", "&#13;", "&#x20;")
NOTES = ("<!---->", "<!-- c -->", "<!-- a\n  <b>' -->", "<?pi?>", '<?pi "?>')
WORDS = ("x", " y ", "\n", "&gt;", "&#32;", "\N{NO-BREAK SPACE}", "<![CDATA[ < ]]>")
TAGS = ("box", "box", "p", "b", "row", "cell", "text", "g", "ö")


def element(rng: Random, tag: str, depth: int) -> str:
    start = tag
    for name in rng.sample(["x", "id", "name", "z"], rng.randint(0, 3)):
        value = "".join(rng.choices(VALUES, k=rng.randint(0, 3)))
        quote = '"' if "'" in value else "'"
        start += rng.choice(" \n") + name + rng.choice(["=", " = "]) + quote + value + quote
    inner = rng.choice(SPACES)
    for _ in range(rng.randint(0, 4) if depth else 0):
        parts = element(rng, rng.choice(TAGS), depth - 1), rng.choice(NOTES), rng.choice(WORDS)
        inner += rng.choices(parts, (6, 2, 1))[0] + rng.choice(SPACES)
    return f"<{start}>{inner}</{tag}>" if inner or rng.random() < 0.5 else f"<{start}/>"


@settings(max_examples=150)
@given(st.integers().map(Random), st.sampled_from([FORM, TEMPLATE, CanonicalForm()]))
def test_the_form_says_the_same_and_has_itself_as_form(rng: Random, form: CanonicalForm) -> None:
    head = rng.choice(["", DECLARATION, '<?xml version="1.0"?>\n\n', "\n"])
    notes = [rng.choice([*NOTES, *SPACES]) for _ in range(4)]
    text = head + "".join([*notes[:2], element(rng, "data", 4), *notes[2:]])
    new = canonicalize(text, form)
    assert canonicalize(new, form) == new
    assert said(new, form) == said(text, form)
    assert new.endswith(">\n")


# Every file of the repository.

FOLDERS = ("xml", "templates", "examples", "src", "tests")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.xml"))]


def test_the_files_of_the_repository_say_the_same_in_their_form_and_nearly_have_it() -> None:
    """They are written by hand: the form must be how a hand writes them."""
    forms = cache(lambda folder: FileForms(GameFolder(folder)))
    number = lines = changed = 0
    for path in FILES:
        root = load_document(path, [])
        game = next(folder for folder in path.parents if (folder / "xml" / "game.xml").is_file())
        form = root and forms(game).form_of(path, root)
        if not root or not form:
            continue
        text = root.source.document.text
        new = canonicalize(text, form)
        assert canonicalize(new, form) == new, path
        assert said(new, form) == said(text, form), path
        number += 1
        if "tests" not in path.relative_to(ROOT).parts:
            lines += len(new.splitlines())
            changed += len({*new.splitlines()} - {*text.splitlines()})
    assert number > 150
    assert changed < 0.05 * lines
