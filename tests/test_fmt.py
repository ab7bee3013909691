from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from conftest import ROOT, Run
from deckwright.cli.fmt import Forms, game_files
from deckwright.game.folder import GameFolder
from deckwright.xmlio.canonical import DECLARATION, Form, canonical
from deckwright.xmlio.load import MAX_BYTES, load_document
from deckwright.xmlio.shape import TEXT, Attribute, Occurs, Shape
from support import write_decks

Element = etree._Element  # noqa: SLF001 - lxml's only name for it

P = Shape("p", (Attribute("id"),), (Occurs(Shape("b", text=True)),), text=True)
ROW = Shape("row", (Attribute("head"),), (Occurs(Shape("cell", text=True)),))
BOX = Shape("box", (Attribute("id"), Attribute("name"), Attribute("x")), (Occurs(P), Occurs(ROW)))
ROOT_SHAPE = Shape("data", (Attribute("id"),), (Occurs(BOX), Occurs(P), Occurs(ROW)), free=TEXT)
FORM = Form(ROOT_SHAPE, lines=frozenset({"row"}))
TEMPLATE = Form(texts=frozenset({"text"}))


def formatted(inner: str, form: Form = FORM) -> str:
    text = canonical(f"<data>{inner}</data>", form)
    assert canonical(text, form) == text
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
    assert canonical(text, FORM) == f"{DECLARATION}\n{COMMENTS}"


def test_every_file_begins_with_one_declaration() -> None:
    for head in ("", "\n\n", DECLARATION, '<?xml version="1.0" encoding="cp1252"?>\n'):
        assert canonical(f"{head}<data/>\n\n\n", FORM) == f"{DECLARATION}\n<data/>\n"
    text = canonical("<?xml-model href='x'?><data/>", FORM)
    assert text == f"{DECLARATION}\n<?xml-model href='x'?>\n<data/>\n"


# What is in a file, read without our help: texts count where the shape says so, or there are any.


def said(text: str, form: Form) -> list[object]:
    root = etree.fromstring(text.encode(), etree.XMLParser(encoding="utf-8", no_network=True))
    around = (*root.itersiblings(preceding=True), *root.itersiblings())
    return [*((node.tag, node.text) for node in around), tree(root, form, form.shape)]


def tree(node: Element, form: Form, shape: Shape | None, *, prints: bool = False) -> object:
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
@given(st.integers().map(Random), st.sampled_from([FORM, TEMPLATE, Form()]))
def test_the_form_says_the_same_and_has_itself_as_form(rng: Random, form: Form) -> None:
    head = rng.choice(["", DECLARATION, '<?xml version="1.0"?>\n\n', "\n"])
    notes = [rng.choice([*NOTES, *SPACES]) for _ in range(4)]
    text = head + "".join([*notes[:2], element(rng, "data", 4), *notes[2:]])
    new = canonical(text, form)
    assert canonical(new, form) == new
    assert said(new, form) == said(text, form)
    assert new.endswith(">\n")


# Every file of the repository.

FOLDERS = ("xml", "templates", "examples", "src", "tests")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.xml"))]


def test_the_files_of_the_repository_say_the_same_in_their_form_and_nearly_have_it() -> None:
    """They are written by hand: the form must be how a hand writes them."""
    forms = cache(lambda folder: Forms(GameFolder(folder)))
    number = lines = changed = 0
    for path in FILES:
        loaded = load_document(path, [])
        game = next(folder for folder in path.parents if (folder / "xml" / "game.xml").is_file())
        form = loaded and forms(game).of(path, loaded[0])
        if not loaded or not form:
            continue
        text = loaded[0].source.document.text
        new = canonical(text, form)
        assert canonical(new, form) == new, path
        assert said(new, form) == said(text, form), path
        number += 1
        if "tests" not in path.relative_to(ROOT).parts:
            lines += len(new.splitlines())
            changed += len({*new.splitlines()} - {*text.splitlines()})
    assert number > 150
    assert changed < 0.05 * lines


# The command.

CARDS = "xml/Factions/AA_cards.xml"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, whose files were never formatted; one deck is broken."""
    folder = write_decks(tmp_path / "game")
    monkeypatch.chdir(folder)
    return folder


def state(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.rglob("*.*"))]


def test_fmt_formats_all_files_but_those_that_it_cannot_read(game: Path, run: Run) -> None:
    (game / "xml" / "sheets").mkdir()
    (game / "xml" / "sheets" / "own.xml").write_text("<sheet rows='1' columns='2'/>")
    (game / "templates" / "other.xml").write_text("<face></face>")
    broken = game / "xml" / "Decks" / "broken.xml"
    result = run("fmt")
    assert result.exit_code == 1
    assert "X001" in result.stderr
    assert result.stdout == "13 files changed, 0 of the form already\n"
    assert broken.read_text() == "<data>"
    for path in game_files(GameFolder(game)):
        assert path == broken or path.read_text().startswith(f"{DECLARATION}\n<")
    sheet = (game / "xml" / "sheets" / "own.xml").read_text()
    assert sheet == f'{DECLARATION}\n<sheet columns="2" rows="1"/>\n'
    broken.unlink()
    before = state(game)
    result = run("fmt", "--check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert run("fmt").stdout == "0 files changed, 13 of the form already\n"
    assert state(game) == before


def test_check_lists_and_writes_nothing(game: Path, run: Run) -> None:
    before = state(game)
    result = run("fmt", "--check", "good", "xml/rules.xml", "xml/../xml/rules.xml")
    assert result.exit_code == 1
    assert result.stdout.split() == [str(Path("xml/Decks/good.xml")), str(Path("xml/rules.xml"))]
    assert result.stderr == "2 files would change, 0 of the form already\n"
    assert state(game) == before


def test_diff_prints_and_writes_nothing(game: Path, run: Run) -> None:
    path = game / "xml" / "Decks" / "good.xml"
    path.write_text('<data>\n  <meta name="a\u2028b" main_faction_id="AA"/>\n</data>')
    before = state(game)
    result = run("fmt", "good", "--diff")
    assert result.exit_code == 0
    assert run("fmt", "good", "--diff", "--check").exit_code == 1
    assert state(game) == before
    assert result.stdout == (
        "--- xml/Decks/good.xml\n+++ xml/Decks/good.xml\n@@ -1,3 +1,4 @@\n"
        f"+{DECLARATION}\n <data>\n"
        '-  <meta name="a\u2028b" main_faction_id="AA"/>\n-</data>\n\\ No newline at end of file\n'
        '+  <meta main_faction_id="AA" name="a\u2028b"/>\n+</data>\n'
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding_and_line_end_becomes_one(game: Path, run: Run, encoding: str) -> None:
    path = game / "xml" / "Decks" / "good.xml"
    head = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig").upper()}"?>\r\n'
    path.write_bytes(f"{head}<data>\r\n  <!-- Bär -->\r\n</data>\r\n".encode(encoding))
    shown = run("fmt", "--diff", "good").stdout
    assert "only the encoding or the line ends change" in shown or "+<?xml" in shown
    assert run("fmt", "good").exit_code == 0
    assert path.read_bytes() == f"{DECLARATION}\n<data>\n  <!-- Bär -->\n</data>\n".encode()


BAD = [
    (b"<data", "X001"),
    (b"<data>\xff</data>", "X002"),
    (b"", "X003"),
    (b"<!DOCTYPE data><data></data>", "X004"),
    (b"<data>" + b" " * MAX_BYTES + b"</data>", "X005"),
    (b"<html></html>", "S008"),
    (None, "X006"),
]


@pytest.mark.parametrize(("data", "code"), BAD, ids=[code for _, code in BAD])
def test_a_bad_file_is_reported_and_the_others_are_formatted(
    game: Path, run: Run, data: bytes | None, code: str
) -> None:
    path = game / "xml" / "Decks" / "bad.xml"
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    result = run("fmt", str(path), "good")
    assert result.exit_code == (3 if data is None else 1)
    assert f" {code}: " in result.stderr
    assert result.stdout == "1 file changed, 0 of the form already\n"
    assert data is None or path.read_bytes() == data


def test_a_file_that_is_not_there_is_reported(game: Path, run: Run) -> None:
    result = run("fmt", "godo")
    assert result.exit_code == 3
    assert "did you mean `good.xml`?" in result.stderr
    assert run("fmt", "--game", str(game / "xml")).exit_code == 2
    (game / "xml" / "game.xml").unlink()  # That of the fixed format serves, and is not ours.
    assert "game.xml" not in run("fmt", "--check").stdout


def test_cards_are_ordered_by_game_xml_if_that_can_be_read(game: Path, run: Run) -> None:
    card = '<card costs="1" level="2" name="3" id="4"{}'
    (game / CARDS).write_text(f"<data>{card.format('></card>')}</data>")
    text = (game / "xml" / "game.xml").read_text()
    (game / "xml" / "game.xml").write_text("<game><nothing/></game>")
    result = run("fmt", CARDS)
    assert result.exit_code == 1
    assert "there are errors in game.xml" in result.stderr
    assert f"\n  {card.format('/>')}\n" in (game / CARDS).read_text()
    assert run("fmt", "xml/game.xml", "templates/card.xml").exit_code == 0
    (game / "xml" / "game.xml").write_text(text)
    assert run("fmt", CARDS).exit_code == 0
    assert '\n  <card id="4" name="3" level="2" costs="1"/>\n' in (game / CARDS).read_text()


def test_what_cannot_be_written_is_reported_without_a_useless_hint(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckwright.files.os.open", Mock(side_effect=PermissionError(13, "denied")))
    before = state(game)
    result = run("fmt", "good")
    assert result.exit_code == 3
    assert "E002" in result.stderr
    assert "hint" not in result.stderr
    assert result.stdout == "0 files changed, 0 of the form already\n"
    assert state(game) == before
