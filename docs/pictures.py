"""Make the pictures of the READMEs and docs/ from real output: `make pictures`.

`make pictures ONLY=star` draws only that of the template element `star`.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from importlib.resources import files
from itertools import chain
from pathlib import Path

import pypdfium2
from openpyxl import load_workbook
from PIL import Image, ImageDraw, ImageFont
from resvg_py import svg_to_bytes

from deckwright import booklet, poster
from deckwright.api import Game, open_game
from deckwright.base.findings import Report
from deckwright.cli import deckwright
from deckwright.expressions.expressions import Expressions
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game, load_setup
from deckwright.game.setup import Symbol
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.books import print_overview, print_rulebook
from deckwright.outputs.decks import print_decks
from deckwright.outputs.markers import MarkerOptions, print_markers
from deckwright.outputs.pictures import contact_sheet, icon_sheet
from deckwright.paint.raster import Raster, draw
from deckwright.sheet.flow import lay_out_flow
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS
from deckwright.templates.compiler import TemplateLibrary, compile_template
from deckwright.templates.compose import Composer, Subject
from deckwright.templates.template_set import make_formatter
from deckwright.text.symbols import IconSection, icon_sections, load_symbols
from deckwright.xmlio.load import load_document

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
_DPI = 110
_COLORS, _GRAYS = 128, 8
_GROUND = "#d7d4ce"
_EXAMPLE = (60.0, 24.0)
"""Size of the pictures of elements, in mm."""


_CARDS = (
    ("", "HK3", None),
    ("examples/warlords", "wight-riders", None),
    ("examples/moths", "luna", None),
    ("examples/mosaic", "EM9", None),
    ("examples/starter", "CAT4", None),
    ("examples/festival", "RP4", None),
    ("examples/woodland", "F2", None),
)
"""The cards of the first picture of the README, with the folders of their games."""
_LANGUAGES = (None, "de", "fr", "ja")
"""The languages of examples/moths; it is written in English."""


def pictures() -> None:
    """Draw pages of the printed PDFs as PNG files, on a grey ground."""
    folder = GameFolder(ROOT)
    report: Report = []
    with tempfile.TemporaryDirectory() as temporary:
        named = ("deck", "odds", "markers", "overview", "book")
        deck, odds, markers, overview, book = (Path(temporary) / name for name in named)
        deck_file = folder.deck_file("army_MB_1.xml")
        assert print_decks(folder, [deck_file], deck, report), report
        with_odds = DEFAULT_SHEET_OPTIONS._replace(odds=True)
        assert print_decks(folder, [deck_file], odds, report, with_odds), report
        assert print_markers(folder, markers, MarkerOptions(), report), report
        assert print_overview(folder, [], overview, None, report), report
        assert print_rulebook(folder, book, None, report), report
        _save([(deck, _page(deck, "Hauptdeck"))], "sheet.png", _DPI)
        _save([(deck, 0), (overview, _page(overview, "Geister")), (markers, 0)],
              "box.png", _DPI // 2)  # fmt: skip
        _save([(odds, _page(odds, "Aussichten"))], "odds.png", _DPI * 2 // 3)
        _paper(Path(temporary))
        _cuts(Path(temporary))
        _press(Path(temporary))
        shown = ("Die Karten", "Eine Runde zum Mitlesen")
        pages = [0, *(_page(book, title) for title in shown), -1]
        _save([(book, page) for page in pages], "rulebook.png", _DPI // 2)


def _paper(folder: Path) -> None:
    """Draw slips, and sheets with turned cards, to fold, and of labels."""
    game = open_game(ROOT, keep=False)
    deck = game.deck("army_HK_1")
    deck.print(folder / "slips.pdf", slips=True, footer=False)
    with pypdfium2.PdfDocument(folder / "slips.pdf") as pdf:
        sheet = pdf[0].render(scale=_DPI / 72).to_pil()
    # The first row, and no text of the second one.
    _beside([sheet.crop((0, 0, sheet.width, sheet.height * 71 // 200))], "slips.png")
    duel = open_game(ROOT / "examples" / "duel", keep=False)
    duel.decks[0].print(folder / "turned.pdf", sheet="a4", turn=True, backs=False, copies=1)
    deck.print(folder / "folded.pdf", sheet="a4-gutterfold", copies=1)
    deck.print(folder / "labels.pdf", sheet="avery-l7165", scale="fit", copies=1)
    names = ("turned.pdf", "folded.pdf", "labels.pdf")
    _save([(folder / name, 0) for name in names], "papers.png", _DPI // 2)
    # The last sheet of cards, which tokens share, from both sides.
    game.deck("army_MG_1").print(folder / "tokens.pdf", backs=True)
    sheet = _page(folder / "tokens.pdf", "Tokens")
    _save([(folder / "tokens.pdf", page) for page in (sheet, sheet + 1)], "tokens.png", _DPI // 2)
    game.print_rulebook(folder / "rules.pdf")
    booklet(folder / "rules.pdf", folder / "booklet.pdf")
    poster(folder / "rules.pdf", folder / "poster.pdf", size=(594, 420), folder=ROOT)
    parts = [("booklet.pdf", 0), ("booklet.pdf", 1), ("poster.pdf", 0), ("poster.pdf", 1)]
    _save([(folder / name, page) for name, page in parts], "folded.png", _DPI // 3)


def _cuts(folder: Path) -> None:
    """Draw a sheet of cards and a tuck box for a cutting machine, below the lines of cut files."""
    deck = open_game(ROOT, keep=False).deck("army_HK_1")
    cards = deck.print(folder / "cards.pdf", cut="silhouette").cuts[0]
    box = deck.print_box(folder / "box.pdf", cut="silhouette").cuts[0]
    sheets = []
    for name, cut in (("cards.pdf", cards), ("box.pdf", box)):
        with pypdfium2.PdfDocument(folder / name) as pdf:
            sheet = pdf[cut.pages[0] - 1].render(scale=_DPI * 2 / 3 / 72).to_pil()
        drawn = cut.paths[0].read_text("utf-8").replace('width="0.1"', 'width="0.6"')
        # Perforations would hide the folds that they lie upon.
        drawn = drawn.replace('id="perforation"', 'display="none"')
        png = bytes(svg_to_bytes(svg_string=drawn, dpi=96, width=sheet.width))
        lines = Image.open(io.BytesIO(png))
        sheets.append(Image.alpha_composite(sheet.convert("RGBA"), lines.resize(sheet.size)))
    _beside(sheets, "cutting.png")


def _press(folder: Path) -> None:
    """Draw what a press does: maps of ink, a soft proof, and the masks of foil and varnish."""
    game = open_game(ROOT, keep=False)
    woodland, dark = open_game(ROOT / "examples" / "woodland", keep=False), ("G1", "B1", "F1")
    maps = woodland.export_ink_maps(folder, dark, service="dtc", icc="fogra39", dpi=_DPI).folder
    _beside([Image.open(maps / f"{name}.png") for name in dark], "press-ink.png")
    proofs = game.export_soft_proofs(folder, ["HK3", "MG3"], icc="fogra39", dpi=_DPI).folder
    _beside([Image.open(proofs / f"{name}.png") for name in ("HK3", "MG3")], "press-proof.png")
    box, book = folder / "press-box.pdf", folder / "press-book.pdf"
    game.deck("army_HK_1").print_box(box, press={"service": "press", "icc": "fogra39"})
    game.print_rulebook(book, press={"service": "press", "icc": "fogra39"})
    _save([(box, 0), (book, 3)], "press-pages.png", _DPI * 2 // 3)
    moths = open_game(ROOT / "examples" / "moths", keep=False)
    evening = moths.deck("evening")
    evening.export_service("press", folder, only=["emperor"], inks="pages", icc="fogra39")
    parts = [folder / f"press_evening{ink}.pdf" for ink in ("", "_foil", "_varnish")]
    _save([(part, side) for side in (0, 1) for part in parts[: 3 - side]], "press-inks.png", _DPI)
    package = moths.package(["evening"], folder / "package", sets=500, icc="fogra39").path
    _save([(package / "ticket.pdf", 0)], "press-package.png", _DPI)


def _page(path: Path, title: str) -> int:
    """Return the page of a PDF that a bookmark leads to: the first one that ends so."""
    with pypdfium2.PdfDocument(path) as pdf:
        found = (mark for mark in pdf.get_toc() if mark.get_title().endswith(title))
        place = next(found).get_dest()
        assert place is not None
        return int(place.get_index())


def _save(pages: list[tuple[Path, int]], name: str, dpi: int) -> None:
    """Draw pages of PDFs side by side."""
    sheets = []
    for path, page in pages:
        with pypdfium2.PdfDocument(path) as pdf:
            sheets.append(pdf[page % len(pdf)].render(scale=dpi / 72).to_pil())
    _beside(sheets, name)


def _beside(sheets: list[Image.Image], name: str) -> None:
    """Draw sheets side by side on a grey ground."""
    edge = 16
    width = sum(sheet.width + edge for sheet in sheets) + edge
    height = max(sheet.height for sheet in sheets) + 2 * edge
    ground = Image.new("RGB", (width, height), _GROUND)
    x = edge
    for sheet in sheets:
        ground.paste(sheet, (x, (height - sheet.height) // 2))
        x += sheet.width + edge
    small = ground.quantize(_COLORS, dither=Image.Dither.NONE)
    small.save(PICTURES / name, optimize=True)


def styles(cards: list[str], name: str) -> None:
    """Draw some cards in every style, side by side."""
    folder = GameFolder(ROOT)
    rows = []
    report: Report = []
    setup = load_setup(folder, report)
    game = load_game(folder, setup, report) if setup else None
    assert game is not None, report
    for style in (None, *folder.styles()):
        factory = FaceFactory(game, folder, report, style)
        faces = list(compose_faces(factory, report, cards))
        assert not report, report
        rows.append(list(draw((n.face for n in faces), factory.fonts, ImageStore(), Raster(_DPI))))
    factory = FaceFactory(game, folder, report)
    back = next(compose_faces(factory, report, ["HK"], backs=True))
    rows.append(list(draw([back.face], factory.fonts, ImageStore(), Raster(_DPI))))
    sheet = contact_sheet([image for row in rows for image in row], _DPI)
    small = sheet.quantize(_COLORS, dither=Image.Dither.NONE)
    small.save(PICTURES / name, optimize=True)


def cards(chosen: Iterable[tuple[str, str, str | None]], name: str, height: int = 300) -> None:
    """Draw cards of one or several games in a row.

    Args:
        chosen: the folders of the games, with the ids of the cards and their languages.
        height: that of a card in pixels.
    """
    gap = 14
    row: list[Image.Image] = []
    for place, card, language in chosen:
        face = open_game(ROOT / place, keep=False, language=language).card(card).face()
        image = Image.open(io.BytesIO(face.png(dpi=_DPI * 2))).convert("RGB")
        size = image.width * height // image.height, height
        image = image.resize(size, Image.Resampling.LANCZOS)
        mask = Image.new("L", (image.width * 4, image.height * 4))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *mask.size), height * 52 / 300, fill=255)
        image.putalpha(mask.resize(image.size, Image.Resampling.LANCZOS))
        row.append(image)
    width = sum(image.width + gap for image in row) + gap
    ground = Image.new("RGB", (width, height + 2 * gap), _GROUND)
    x = gap
    for image in row:
        ground.paste(image, (x, gap), image)
        x += image.width + gap
    ground.quantize(_COLORS * 2, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)


def plain(name: str) -> None:
    """Draw cards and a back of a game that has neither game.xml nor templates."""
    examples = ROOT / "examples"
    king = examples / "warlords" / "img" / "barrow" / "orrin.svg"
    larder = examples / "woodland" / "img" / "pictures" / "larder.svg"
    factions = (
        ("R", "Red Guard", "#ff0000", "Skeleton King", king),
        ("G", "Green Glade", "#00ff00", "Keeper of the Larder", larder),
        ("W", "White Watch", "#ffffff", "Old Sentinel", None),
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder, files = Path(temporary), {"factions_definition": "", "rules": _PLAIN_RULE}
        (folder / "img").mkdir()
        (folder / "xml" / "Factions").mkdir(parents=True)
        for level, (key, title, color, card, drawing) in enumerate(factions, 1):
            picture = ""
            if drawing:
                png = svg_to_bytes(svg_path=str(drawing), width=900, background="#ffffff")
                (folder / "img" / f"{key}.png").write_bytes(bytes(png))
                picture = f' image="{key}.png"'
            files["factions_definition"] += (
                f'<faction id="{key}" race_name="{key}" faction_name="{title}" color="{color}"/>'
            )
            files[f"Factions/{key}_cards"] = (
                f'<card id="{key}1" name="{card}" faction_id="{key}" level="{level}"{picture}'
                f' strength="{level * 3}" actions="1" costs="7"><row name="CLOSE"/>'
                '<rule id="guard"/></card>'
            )
        for file, content in files.items():
            path = folder / "xml" / f"{file}.xml"
            path.write_text(f"<data>{content}</data>", encoding="utf-8")
        game = open_game(folder, keep=False)
        cards = [game.card(f"{key}1") for key, *_ in factions]
        sides = [*(card.face() for card in cards), cards[0].back()]
        pngs = [side.png(dpi=_DPI) for side in sides if side]
    _beside([Image.open(io.BytesIO(png)).convert("RGB") for png in pngs], name)


_PLAIN_RULE = """<rule id="guard" type="active" cost="1" effect="Choose a unit beside this one. It
keeps its strength until the end of the round."><label GEN="Guard"/></rule>"""


_EXAMPLES = """
duel/cards: 5 1716
    lampwright red_lampwright ford-wyrm red-vixen first-wave
duel/deck: 3 1300
    blue#0 blue#1 blue#2
duel/rulebook: 4 1500
    rulebook#0 rulebook#3 rulebook#5 rulebook#8
festival/cards: 4 1000
    RP1 RP4 RP8 VM4 VM10 SK2 c01_1 back_VM_card
festival/deck: 3 1100
    rustpit#0 rustpit#2 rustpit#4
festival/rulebook: 4 1260
    rulebook#0 rulebook#2 rulebook#3 rulebook#5
mosaic/cards: 6 1100
    DU9 EM3 GR7 TI4 SU5 ST1 TI9 EM8 GR2 DU4 SU9 back_EM_card
moths/cards: 6 1100
    emperor oak-eggar luna privet-hawk hummingbird-hawk deaths-head garden-tiger scarlet-tiger
    jersey-tiger clothes-moth night-porter old-lady clear fog full-moon power-cut
    festival-of-lanterns back_ALL_guest
orbit/cards: 5 1200
    CR1 CR3 CR10 CR12 BL1 BL5 BL9 DR2 DR6 DR11 LA3 LA9 FH2 SW_2 ca001_1
orbit/deck: 4 1600
    crown#0 crown#2 box:crown#0 back_CR_card
orbit/rulebook: 4 1600
    rulebook#0 rulebook#2 rulebook#4 rulebook#7
starter/cards: 5 1240
    CAT1 CAT2 CAT3 CAT4 back_CAT_card GULL1 GULL2 GULL3 GULL4 back_GULL_card
starter/rulebook: 4 1260
    rulebook#0 rulebook#2 rulebook#3 rulebook#4
warlords/big-units: 5 1110
    whatever_part1 whatever_part2 whatever_part3 slow-siege_part1 slow-siege_part2
    long-appetite_part1 long-appetite_part2 long-appetite_part3 late-coach_part1
    late-coach_part2
warlords/cards: 5 1110
    goatfoot heron-pikes bone-hounds beetle-lancers handgunners corpse-candles acorn-slings
    crag-eagle low-350 brannoch
warlords/rulebook: 4 1500
    rulebook#0 rulebook#4 rulebook#8 rulebook#11
woodland/board: 2 1000
    full_moot#1 markers#0
woodland/cards: 4 1000
    B1 B5 H4 H6 G2 G5 F2 F5
woodland/law: 4 1500
    rulebook#0 rulebook#4 rulebook#9 rulebook#14
"""
"""The pictures of the examples' READMEs: columns, width in pixels; faces, and pages of files."""


def example(game: Game, name: str, columns: int, width: int, cells: Iterable[str]) -> None:
    """Draw faces, and pages of what a game prints, in rows."""
    report: Report = []
    factory = FaceFactory(game.model, game.folder, report)
    sides = (compose_faces(factory, report, backs=backs) for backs in (False, True))
    composed = {named.name: named.face for named in chain.from_iterable(sides)}
    gap = 12
    wide = (width - gap) // columns - gap
    images = []
    with tempfile.TemporaryDirectory() as temporary:
        for cell in cells:
            file, _, page = cell.partition("#")
            path = Path(temporary, f"{file}.pdf")
            if not page:
                face = composed[cell]
                raster = Raster(_DPI * 2)
                image = next(draw([face], factory.fonts, ImageStore(), raster)).convert("RGB")
            else:
                if file == "rulebook":
                    game.print_rulebook(path)
                elif file == "markers":
                    game.print_markers(path)
                elif file.startswith("box:"):
                    game.deck(file[4:]).print_box(path)
                else:
                    game.deck(file).print(path)
                with pypdfium2.PdfDocument(path) as pdf:
                    image = pdf[int(page)].render(scale=2).to_pil()
            images.append(image.resize((wide, image.height * wide // image.width)))
    rows = [images[at : at + columns] for at in range(0, len(images), columns)]
    heights = [max(image.height for image in row) for row in rows]
    ground = Image.new("RGB", (width, sum(heights) + gap * (len(rows) + 1)), _GROUND)
    y = gap
    for row, height in zip(rows, heights, strict=True):
        for column, image in enumerate(row):
            ground.paste(image, (gap + column * (wide + gap), y + (height - image.height) // 2))
        y += height + gap
    assert not report, report
    small = ground.quantize(_COLORS * 2, dither=Image.Dither.NONE)
    small.save(game.path / "pictures" / f"{name}.png", optimize=True)


def deck_sheets(decks: dict[str, str], name: str) -> None:
    """Draw the first pages of decks, given by the folders of their games, side by side."""
    with tempfile.TemporaryDirectory() as temporary:
        pages = []
        for game, deck in decks.items():
            path = Path(temporary) / f"{game}.pdf"
            open_game(ROOT / "examples" / game, keep=False).deck(deck).print(path)
            pages.append((path, 0))
        _save(pages, name, _DPI * 2 // 3)


def faces(name: str) -> None:
    """Draw the first card of each table in docs/faces/, as `new --from` starts with it."""
    with tempfile.TemporaryDirectory() as temporary:
        chosen = []
        for face in _FACES:
            folder = Path(temporary, face)
            table = ROOT / "docs" / "faces" / f"{face}.csv"
            new = ["new", str(folder), "--from", str(table), "--name", "Six Lanterns"]
            deckwright.main(new, standalone_mode=False)
            shutil.copytree(ROOT / "img" / "places", folder / "img" / "places")
            card = next(iter(open_game(folder, keep=False).model.cards.values())).id
            chosen.append((str(folder), card, None))
        cards(chosen, name)


_FACES = ("hero", "spell", "tarot", "euro", "playing", "quiz")


def spreadsheet(name: str) -> None:
    """Draw a workbook, the sheet that `new --from` prints of it, and the sheet with a template."""
    moths = ROOT / "examples" / "moths"
    table = moths / "xml" / "Factions" / "moths.xlsx"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        new = ["new", str(folder / "game"), "--from", str(table)]
        deckwright.main(new, standalone_mode=False)
        decks = open_game(folder / "game", keep=False).decks[0], open_game(moths).deck("evening")
        pages = []
        for number, deck in enumerate(decks):
            pdf = folder / f"{number}.pdf"
            deck.print(pdf, sheet="a4-tcg", footer=False, only=_GUESTS, copies=1)
            with pypdfium2.PdfDocument(pdf) as document:
                pages.append(document[0].render(scale=_DPI / 2 / 72).to_pil())
    _beside([draw_table(table, pages[0].height), *pages], name)


_GUESTS = """emperor oak-eggar luna privet-hawk hummingbird-hawk deaths-head garden-tiger
clothes-moth old-lady""".split()  # noqa: SIM905 - a line for each would be long


def load_font(package: str, name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font of a package of fonts, at a size in pixels."""
    return ImageFont.truetype(str(files(package) / "files" / name), size)


def draw_table(path: Path, height: int, marked: str = "") -> Image.Image:
    """Draw the first tab of a workbook as a spreadsheet program shows it, with a marked cell."""
    font = load_font("font_source_sans_pro", "SourceSansPro-Regular.ttf", 14)
    bold = load_font("font_source_sans_pro", "SourceSansPro-Semibold.ttf", 14)
    widths, row, margin = (26, 132, 62, 86, 46, 38, 60, 70, 70, 120), 25, 7
    image = Image.new("RGB", (sum(widths), height), "#ffffff")
    draw = ImageDraw.Draw(image)
    tab = load_workbook(path, read_only=True).worksheets[0]
    letters = ("", *"ABCDEFGHI")
    rows = [letters, *((number, *row) for number, row in enumerate(tab.values, 1))]
    rows += [(number,) for number in range(len(rows), height // row + 1)]
    for number, cells in enumerate(rows):
        x, y = 0, number * row
        for column, width in enumerate(widths):
            text = "" if column >= len(cells) or cells[column] is None else str(cells[column])
            head = not number or not column
            draw.rectangle((x, y, x + width, y + row), "#eceae5" if head else "#ffffff", "#cfccc5")
            cell = Image.new("RGB", (width - 8, row - 2), "#eceae5" if head else "#ffffff")
            style = bold if number == 1 and column else font
            ink = "#77736b" if head else "#22201c"
            ImageDraw.Draw(cell).text((0, row / 2 - 1), text.split("\n")[0], ink, style, "lm")
            image.paste(cell, (x + margin, y + 1))
            if f"{letters[column]}{number}" == marked:
                draw.rectangle((x, y, x + width, y + row), outline="#0b7a5f", width=3)
            x += width
    return image


def grid(name: str) -> None:
    """Draw the place of docs/own-game.md on a grid of millimeters, beside its template."""
    guide = (ROOT / "docs" / "own-game.md").read_text(encoding="utf-8").partition("\n## 5.")[0]
    steps = r"(New file|Add to) `([^`]+)`(?:, above\s+`([^`]+)`)?:\n\n```xml\n(.*?)```"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "game")
        shutil.copytree(ROOT / "examples" / "starter", folder)
        for step in re.finditer(steps, guide, re.DOTALL):
            path, place, text = folder / step[2], step[3], step[4]
            old = path.read_text("utf-8") if place else ""
            at = old.rindex("\n", 0, old.index(place)) + 1 if place else 0
            path.write_text(old[:at] + text + old[at:], "utf-8")
        template = (folder / "templates" / "place.xml").read_text("utf-8")
        face = open_game(folder, keep=False).card("CAT5").face()
        card = Image.open(io.BytesIO(face.png(dpi=25.4 * _ZOOM))).convert("RGB")
    _beside([_draw_grid(card), _draw_template(template, card.height + _RULER + 9)], name)


_ZOOM, _RULER = 6, 26
"""Pixels of a millimeter, and of the rulers."""


def _draw_grid(card: Image.Image) -> Image.Image:
    """Draw lines over a face, for each millimeter and, darker, for each ten, with rulers."""
    image = Image.new("RGB", (card.width + _RULER + 9, card.height + _RULER + 9), "#ffffff")
    image.paste(card, (_RULER, _RULER))
    draw = ImageDraw.Draw(image, "RGBA")
    font = load_font("font_source_sans_pro", "SourceSansPro-Regular.ttf", 15)
    for across in (True, False):
        length = (card.width if across else card.height) // _ZOOM
        for mm in range(length + 1):
            at = _RULER + mm * _ZOOM
            ink = (0, 0, 0, 110 if mm % 10 == 0 else 55 if mm % 5 == 0 else 22)
            right, bottom = _RULER + card.width, _RULER + card.height
            ends = (at, _RULER, at, bottom) if across else (_RULER, at, right, at)
            draw.line(ends, ink)
            if mm % 10 == 0:
                place = (at, _RULER / 2) if across else (_RULER / 2, at)
                draw.text(place, str(mm), "#22201c", font, "mm")
    return image


def _draw_template(template: str, height: int) -> Image.Image:
    """Draw a template as an editor shows it, with its tags and values in color."""
    font = load_font("fontpkg_ibm_plex_mono", "IBMPlexMono-Regular.ttf", 13)
    columns, line = 96, 17.5
    advance = font.getlength("0")
    image = Image.new("RGB", (int(columns * advance) + 24, height), "#fbfaf7")
    draw = ImageDraw.Draw(image)
    y = 10.0
    for text in template.splitlines():
        indent = " " * (len(text) - len(text.lstrip()) + 4)
        parts = [""]
        for piece in re.findall(r'\s*[\w-]+="[^"]*"|\s*\S+', text):
            if len(parts[-1] + piece) > columns:
                parts.append(indent + piece.lstrip())
            else:
                parts[-1] += piece
        for part in parts:
            for piece in re.finditer(r'<!--.*|<[/?]?[\w-]+|"[^"]*"|[^\s"<]+|\s+', part):
                ink = {"<": "#8a2f1f", '"': "#2c6e8f"}.get(piece[0][0], "#22201c")
                ink = "#77736b" if piece[0].startswith("<!--") else ink
                draw.text((12 + piece.start() * advance, y), piece[0], ink, font)
            y += line
    return image


def hand(deck: str, seed: int, name: str) -> None:
    """Draw a sample hand of a deck."""
    drawn = open_game(ROOT, keep=False).deck(deck)
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / name
        drawn.export_hands(path, [drawn.hand(seed=seed)], dpi=_DPI * 3 // 4)
        Image.open(path).quantize(256, kmeans=8).save(PICTURES / name, optimize=True)


def element(path: Path) -> None:
    """Draw the example of a template element."""
    folder = GameFolder(ROOT)
    report: Report = []
    setup = load_setup(folder, report)
    game = load_game(folder, setup, report, []) if setup else None
    root = load_document(path, report)
    assert game is not None, report
    assert root is not None, report
    factory = FaceFactory(game, folder, report)
    library = TemplateLibrary(game.setup.colors, {}, lambda _name, _node, _within: None)
    template = compile_template(
        root, library, Expressions([folder.images], make_formatter("en")), report
    )
    assert template is not None, report
    source = game.setup.source
    signs = {
        "flame": Symbol("flame", "Flame", "fire", "", "#b3262b", source),
        "leaf": Symbol("leaf", "Leaf", "leaf", "", None, source),
    }
    studio = factory.drawing_context._replace(symbols=load_symbols(signs, folder.images, report))
    composer = Composer(template, studio, Subject(path.stem), report)
    if root.tag == "pages":
        text = lay_out_flow(composer, {})
        assert text is not None, report
        page = text.pages()[0]
        face: Face | None = Face(page.width, page.height, page.ops)
    else:
        face = composer.compose({}, *_EXAMPLE)
    assert face is not None, report
    named = NamedFace(path.stem, "", next(iter(game.tokens())), face)
    image = next(draw([named.face], factory.fonts, ImageStore(), Raster(_DPI)))
    (PICTURES / "elements").mkdir(exist_ok=True)
    image.quantize(_COLORS).save(PICTURES / "elements" / f"{path.stem}.png", optimize=True)


def icons(section: IconSection) -> None:
    """Draw the icons of a section, each once."""
    names = dict.fromkeys(name for meaning in section.meanings for name in meaning.icons)
    sheet = Image.open(io.BytesIO(icon_sheet([*names], _DPI)))
    (PICTURES / "icons").mkdir(exist_ok=True)
    name = section.title.lower().replace(" ", "-")
    sheet.convert("L").quantize(_GRAYS).save(PICTURES / "icons" / f"{name}.png", optimize=True)


def main(elements: list[str]) -> None:
    """Make all pictures, or only those of some elements."""
    PICTURES.mkdir(exist_ok=True)
    for tag in elements:
        element(ROOT / "docs" / "elements" / f"{tag}.xml")
    if elements:
        return
    pictures()
    styles(["HK3", "MB12"], "styles.png")
    cards(_CARDS, "cards.png")
    cards((("examples/moths", "emperor", code) for code in _LANGUAGES), "languages.png", 440)
    plain("plain.png")

    deck_sheets({"starter": "cats", "moths": "evening", "mosaic": "first-light"}, "deck-list.png")

    faces("faces.png")
    spreadsheet("spreadsheet.png")
    grid("grid.png")
    hand("army_HK_1", 7, "hand.png")
    for place, name, columns, width, cells in re.findall(
        r"^(\w+)/(\S+): (\d+) (\d+)\n((?:    .*\n)+)", _EXAMPLES, re.MULTILINE
    ):
        game = open_game(ROOT / "examples" / place, keep=False)
        example(game, name, int(columns), int(width), cells.split())
    for path in sorted((ROOT / "docs" / "elements").glob("*.xml")):
        element(path)
    for section in icon_sections():
        icons(section)


if __name__ == "__main__":
    main(sys.argv[1:])
