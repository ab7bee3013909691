"""Shared helpers of the tests: tiny games, templates from text, and a font with simple metrics."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import polib
import pypdfium2

from deckwright.base.findings import Report
from deckwright.base.output import report_failure
from deckwright.checks.loading import LimitOptions
from deckwright.expressions.expressions import Expressions
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Op, Outline, Segment, StrokePath, walk
from deckwright.ops.outlines import rectangle
from deckwright.outputs.decks import print_decks
from deckwright.outputs.printed import Print
from deckwright.sheet.layout import SheetOptions
from deckwright.templates.compiler import IncludeContext, TemplateLibrary, compile_template
from deckwright.templates.compose import Composer, Subject
from deckwright.templates.elements import DrawingContext
from deckwright.templates.template import Template
from deckwright.templates.template_set import make_formatter
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.shaping import ShapedText, VerticalMetrics
from deckwright.text.symbols import TEXT_COLOR, SymbolArt
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

GAME = """<?xml version="1.0" encoding="UTF-8"?>
<game name="Test" language="en">
  <fonts><font id="text" family="Source Sans Pro"/></fonts>
  <group id="guests" name="guests" races="Guest"/>
  <vocabulary id="levels">
    <term id="1" name="Low"/>
    <term id="2" name="High"/>
  </vocabulary>
  <kind tag="card" name="Card" width="65" height="90" face="card.xml">
    <field name="level" type="term" of="levels"/>
    <field name="actions" type="integer"/>
    <field name="costs" type="integer"/>
    <field name="image" type="image" optional="true"/>
    <children tag="rule" plural="rules"><field name="id" type="rule"/></children>
  </kind>
  <kind tag="token" name="Token" token="true" width="65" height="90" face="card.xml">
    <field name="actions" type="integer"/>
    <field name="image" type="image" optional="true"/>
    <children tag="rule" plural="rules"><field name="id" type="rule"/></children>
  </kind>
  <tokens minimum="5" budget="actions"/>
  <deck>
    <zone id="main" name="Main" except="guests"/>
    <zone id="side" name="Side" only="guests"/>
    LIMITS
  </deck>
  <sheet format="a4-65x90" deck="no"REFERENCE/>
</game>
"""
"""A minimal game with the fields that limits, tokens, images and rules need."""

FACTIONS = """<data>
  <faction id="AA" race_name="Ants" faction_name="Hill" color="teal"/>
  <faction id="BB" race_name="Bees" faction_name="Hive" color="orange"/>
  <faction id="GG" race_name="Guest" faction_name="Road" color="gray"/>
</data>
"""

FACE = """<face>
  <rect y="60" width="65" height="30" fill="{{ card.faction.color }}"/>
  <text x="5" y="5" width="55" height="20">{{ card.name }}</text>
</face>
"""


def share_of_examples(examples: int) -> int:
    """Return the number of examples for a property test: a third, or all with `make corpus`.

    The test has the mark `corpus(1, grows=True)`.
    """
    return examples if os.environ.get("REST_OF_CORPUS") else examples // 3


def data(*lines: str) -> str:
    """Return a file of the fixed format."""
    return "\n".join(["<data>", *lines, "</data>", ""])


def card(card_id: str, name: str, faction: str = "AA", *inside: str, **fields: object) -> str:
    """Return a card of the test game; `fields` replaces its level 1, its 0 actions and costs."""
    all_fields = {"level": 1, "actions": 0, "costs": 0, **fields}
    written = " ".join(f'{key}="{value}"' for key, value in all_fields.items())
    head = f'<card id="{card_id}" name="{name}" faction_id="{faction}" {written}>'
    return head + "".join(inside) + "</card>"


def uses(*rule_ids: str) -> str:
    """Return the children of a card or token that carries rules."""
    return "".join(f'<rule id="{rule_id}"/>' for rule_id in rule_ids)


def token_rule(rule_id: str, token: str, cost: int = 1) -> str:
    """Return an active rule that creates a token."""
    head = f'<rule id="{rule_id}" type="active" cost="{cost}" effect="Create a {token}.">'
    return f'{head}<label GEN="Call"/><token name="{token}" actions="0"/></rule>'


def line(card_id: str, amount: int = 1, faction: str | None = None) -> str:
    """Return a line of a deck list; the faction is the id's first letter, twice."""
    return f'<card faction_id="{faction or card_id[0] * 2}" id="{card_id}" amount="{amount}"/>'


def write_game(
    folder: Path,
    cards: list[str],
    *,
    rules: list[str] | None = None,
    decks: Mapping[str, list[str]] | None = None,
    limits: str = "",
    face: str = FACE,
    reference: str | None = None,
) -> Path:
    """Write the test game with these cards, rules, decks, limits and templates; return `folder`."""
    attribute = ' reference="reference.xml"' if reference else ""
    files = {
        "xml/game.xml": GAME.replace("LIMITS", limits).replace("REFERENCE", attribute),
        "xml/factions_definition.xml": FACTIONS,
        "xml/rules.xml": data(*(rules or [])),
        "templates/card.xml": face,
        **{
            f"xml/Factions/{faction}_cards.xml": data(
                *(text for text in cards if f'faction_id="{faction}"' in text)
            )
            for faction in ("AA", "BB", "GG")
        },
        **{
            f"xml/Decks/{name}.xml": data('<meta main_faction_id="AA" name="Deck"/>', *lines)
            for name, lines in (decks or {}).items()
        },
    }
    if reference is not None:
        files["templates/reference.xml"] = reference
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def write_decks(folder: Path) -> Path:
    """Write a game with decks good, short, wrong (unknown card) and broken; return `folder`."""
    cards = [
        card("A1", "Ant", "AA", uses("call"), level=2, costs=3, actions=2),
        card("A2", "Queen", level=1),
        card("G1", "Guest", "GG"),
    ]
    decks = {
        "good": [line("A1", 3), line("A2", 8), line("G1", 2)],
        "other": [line("A2", 2)],
        "short": [line("A2")],
        "wrong": [line("A2", 2), line("A3")],
    }
    limits = """<limit id="size" name="cards" zone="main" min="2"/>
      <limit id="costs" name="costs" zone="main" sum="costs" max="10"/>"""
    write_game(folder, cards, rules=[token_rule("call", "Wolf")], decks=decks, limits=limits)
    (folder / "xml" / "Decks" / "broken.xml").write_text("<data>", encoding="utf-8")
    return folder


def list_pdfs(folder: Path) -> list[str]:
    """Return the PDF files below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.pdf"))


def load_all(folder: Path) -> Game:
    """Load the game in a folder and assert that it has no findings."""
    report: Report = []
    setup = load.load_setup(GameFolder(folder), report)
    assert setup is not None, report
    game = load.load_game(GameFolder(folder), setup, report)
    assert game is not None
    assert report == []
    return game


FRENCH = Path("xml/lang/fr.po")


def translate(texts: dict[str, str], path: Path = FRENCH) -> None:
    """Fill in translations by source."""
    catalog = polib.pofile(path)
    for entry in catalog:
        entry.msgstr = texts.get(entry.msgid, entry.msgstr)
    catalog.save()


def load_deck(folder: Path, game: Game, name: str) -> Deck:
    """Load a deck and assert that it has no findings."""
    report: Report = []
    path = folder / "xml" / "Decks" / f"{name}.xml"
    deck = load.load_deck(path, GameFolder(folder), game.setup, report)
    assert deck is not None, report
    return deck


CORNER = (("M", 0.0, 0.0), ("L", 2.0, 0.0), ("L", 2.0, 1.0), ("Z",))
DOT = FillPath(CORNER, TEXT_COLOR), StrokePath(CORNER, "#00aa00", 0.1)
SYMBOLS = {
    "bar": SymbolArt("bar", 2, (FillPath(CORNER, "#aa0000"),)),
    "dot": SymbolArt("dot", 1, DOT),
}
"""A symbol in its own color, two wide and one high, and one in the text's color."""


class HalfEm:
    """Fake metrics: every character is half an em wide; some may be missing."""

    def __init__(self, missing: str = "") -> None:
        self._missing = missing

    def shape(self, font: str, text: str, script: str = "", *, rtl: bool = False) -> ShapedText:
        assert font.startswith(("text-", "code-"))
        glyphs = [(ord(one), 500, 0, 0, one) for one in text] if script else []
        missing = "".join(c for c in text if c in self._missing)
        return ShapedText(text, len(text) / 2, (), missing, tuple(glyphs[:: -1 if rtl else 1]))

    def chain(self, font: str) -> tuple[str, ...]:
        assert font.startswith("text-")
        return ()

    def vertical(self, font: str) -> VerticalMetrics:
        assert font.startswith("text-")
        return VerticalMetrics(ascent=0.75, descent=0.25, cap_height=0.7)

    def outline(self, run: DrawGlyphs) -> Outline:
        assert run.font.startswith("text-")
        x, letters = 0.0, list[Segment]()
        for _, kern in zip_longest(run.text, run.kerns, fillvalue=0):
            letters += rectangle(x, -0.7, 0.5, 0.7)
            x += 0.5 + int(kern) / 1000
        return tuple(letters)


def compile_xml(folder: Path, xml: str, report: Report) -> Template | None:
    """Compile the template in the text `xml`."""
    path = folder / "template.xml"
    path.write_text(xml, encoding="utf-8")
    root = read_xml(path, report)
    if root is None:
        return None

    def included(name: str, _: Node, within: IncludeContext) -> Template | None:
        other = read_xml(folder / name, report)
        if other is None:
            return None
        return compile_template(other, library, expressions, report, within)

    styles = {"loud": {"font-weight": "bold", "fill": "red"}}
    library = TemplateLibrary({"ink": "#123456"}, styles, included)
    expressions = Expressions([folder / "img"], make_formatter("en"))
    return compile_template(root, library, expressions, report)


def read_xml(path: Path, report: Report) -> Node | None:
    """Return the root element of a file."""
    return load_document(path, report)


def composer(folder: Path, xml: str, report: Report) -> Composer | None:
    """Return a composer for the template in the text `xml`, with the fake font."""
    template = compile_xml(folder, xml, report)
    if template is None:
        return None
    studio = DrawingContext(
        HalfEm(missing="\N{SNOWMAN}"),
        frozenset({"text"}),
        folder / "img",
        Hyphenator("de"),
        SYMBOLS,
    )
    return Composer(template, studio, Subject("card `X1`"), report)


def compose(folder: Path, body: str, **context: object) -> tuple[Face | None, Report]:
    """Compose a template with this body for a context; return the face and the findings."""
    report: Report = []
    maker = composer(folder, f"<face>{body}</face>", report)
    return (None if maker is None else maker.compose(context, 65, 90)), report


def ops_of(folder: Path, body: str, **context: object) -> tuple[Op, ...]:
    """Return the ops of a template; assert that it has no findings."""
    face, report = compose(folder, body, **context)
    assert report == []
    assert face is not None
    return face.ops


def texts(ops: tuple[Op, ...]) -> list[str]:
    """Return the texts that ops draw."""
    return [op.text for op in walk(ops) if isinstance(op, DrawGlyphs)]


def page_texts(pdf: Path) -> list[str]:
    """Return the texts of a PDF's pages with single spaces (pdfium, much faster than pypdf)."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def print_deck(folder: Path, name: str, target: Path) -> tuple[Print | None, Report]:
    """Print a deck, ignoring deck limits."""
    report: Report = []
    deck = folder / "xml" / "Decks" / f"{name}.xml"
    options = SheetOptions(rules=LimitOptions(ignore=True))
    printed = None
    with report_failure(report):
        printed = print_decks(GameFolder(folder), [deck], target, report, options)
    return printed, report


def run_program(
    *arguments: str | Path, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `deckwright` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "deckwright", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
