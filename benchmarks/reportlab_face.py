"""Print decks with ReportLab by hand: `reportlab_face.py FONTS FOLDER...`.

The face, the sheets and the rule reference of the benchmarks, as `weasyprint_face.py` has them.
Each face is painted once a file, as a form; text is as small as it must be to fit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Frame, Paragraph, Spacer

Data = dict[str, Any]

PAGE = 210, 297
COLUMNS, ROWS, CARD_WIDTH, CARD_HEIGHT = 3, 3, 65, 90
LEFT, TOP = 7.5, 13.5
DARK, INK, GREY, WHITE = "#3a3128", "#1d1a16", "#595249", "#fffdf7"
_CAP = 0.66
_FILES = {
    "text": "SourceSansPro-Regular",
    "bold": "SourceSansPro-Bold",
    "italic": "SourceSansPro-It",
    "title": "SourceSerifPro-Bold",
    "icons": "icons",
}


def load_fonts(folder: Path) -> None:
    """Open the fonts, which all files share."""
    rl_config.useA85 = 0
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, folder / f"{file}.ttf"))
    pdfmetrics.registerFontFamily("text", normal="text", bold="bold", italic="italic")


def print_deck(folder: Path, out: Path) -> int:
    """Print the deck whose data is in `folder`; return the number of pages."""
    data = json.loads((folder / "cards.json").read_text(encoding="utf-8"))
    canvas = Canvas(str(out), pageCompression=1, initialFontName="text", lang=data["language"])
    canvas.setTitle(data["title"])
    for number, card in enumerate(data["cards"]):
        canvas.beginForm(f"face{number}", 0, 0, CARD_WIDTH * mm, CARD_HEIGHT * mm)
        _Face(canvas, data).draw(card)
        canvas.endForm()
    slots = COLUMNS * ROWS
    for start in range(0, len(data["copies"]), slots):
        for slot, copy in enumerate(data["copies"][start : start + slots]):
            row, column = divmod(slot, COLUMNS)
            canvas.saveState()
            x, y = LEFT + column * CARD_WIDTH, PAGE[1] - TOP - (row + 1) * CARD_HEIGHT
            canvas.translate(x * mm, y * mm)
            canvas.doForm(f"face{copy}")
            canvas.restoreState()
        _marks(canvas)
        canvas.showPage()
    if data["reference"]["sections"]:
        _reference(canvas, data["reference"])
    pages: int = canvas.getPageNumber() - 1
    canvas.save()
    return pages


class _Face:
    """Draws a face, in mm from its top left."""

    def __init__(self, canvas: Canvas, data: Data) -> None:
        self._canvas, self._data = canvas, data

    def draw(self, card: Data) -> None:
        colors = self._data["palettes"][card["faction"]]
        color = colors["color"]
        self.box(0, 0, 65, 90, 3.5, colors["token_border"] if card["token"] else color)
        if card["token"]:
            self.box(1.2, 1.2, 62.6, 87.6, 2.6, None, color, 0.5)
        self.box(2.6, 2.6, 59.8, 84.8, 1.8, colors["ground"])
        self.box(2.6, 2.6, 59.8, 12.65, 1.8, colors["band"])
        self.box(2.6, 14.75, 59.8, 0.5, 0, color)
        self.lines(5, 3.4, 43.5, 10.8, _wrapped(card["name"], 43.5), 14, "title", INK, left=True)
        self.disc(55.4, 9.2, 5.4, color, "#fcf8ee")
        self.lines(49.65, 3.45, 11.5, 11.5, [card["faction"]], 13, "bold", colors["on"])
        for index, stat in enumerate(card["stats"]):
            y = 22.6 + index * 13
            self.disc(55.4, y, 5.4, WHITE, color)
            self.icon(stat["icon"], 53.7, y - 4.7, 3.4, colors["stat"])
            self.lines(50.8, y - 1.5, 9.2, 5.6, [stat["value"]], 14, "bold", INK)
        self.box(8, 20.3, 37, 33, 0, colors["picture"])
        if card["image"] is None:
            self.icon(self._data["icons"]["sword"], 13.5, 23.8, 26, colors["sword"])
        for number in range(card["frames"]):
            for stroke, width in ((DARK, 0.95), (card["level_color"], 0.65)):
                out = number * 1.2
                frame = 37.8 + 2 * out, 33.8 + 2 * out
                self.box(7.6 - out, 19.9 - out, *frame, 0.5, None, stroke, width)
        for index, row in enumerate(card["rows"]):
            x = 22.8 + (index - (len(card["rows"]) - 1) / 2) * 9 + 3.7
            self.disc(x, 60.6, 3.7, colors["row"])
            self.icon(row, x - 2.5, 58.1, 5, colors["row_on"])
        rules = card["rules"]
        size = 10 * min(1, 4 / max(1, len(rules)))
        for index, rule in enumerate(rules):
            y = 73.3 + (index - len(rules) / 2) * size * 0.4
            font = "bold" if rule["active"] else "italic"
            self.lines(5, y, 55, size * 0.4, [rule["text"]], size, font, INK)
        star = self._data["icons"]["star"]
        for index in range(card["stars"]):
            x = 32.5 + (index - (card["stars"] - 1) / 2) * 5
            self.icon(star, x - 2.4, 82, 4.8, DARK)
            self.icon(star, x - 1.7, 82.7, 3.4, card["level_color"])
        if card["token"]:
            self.box(2.6, 81.8, 59.8, 5.6, 1.8, color)
            word = [self._data["token_word"]]
            self.lines(2.6, 81.8, 59.8, 5.6, word, 9, "bold", colors["on"])

    def box(  # noqa: PLR0913, PLR0917 - as many as a rectangle has
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        radius: float,
        fill: str | None,
        stroke: str | None = None,
        line: float = 0,
    ) -> None:
        canvas, below = self._canvas, CARD_HEIGHT - y - height
        if fill:
            canvas.setFillColor(HexColor(fill))
        if stroke:
            canvas.setStrokeColor(HexColor(stroke))
            canvas.setLineWidth(line * mm)
        canvas.roundRect(
            *(x * mm, below * mm, width * mm, height * mm, radius * mm),
            stroke=bool(stroke),
            fill=bool(fill),
        )

    def disc(self, x: float, y: float, r: float, fill: str, stroke: str | None = None) -> None:
        canvas = self._canvas
        canvas.setFillColor(HexColor(fill))
        if stroke:
            canvas.setStrokeColor(HexColor(stroke))
            canvas.setLineWidth(0.7 * mm)
        canvas.circle(x * mm, (CARD_HEIGHT - y) * mm, r * mm, stroke=bool(stroke), fill=1)

    def icon(self, character: str, x: float, y: float, size: float, fill: str) -> None:
        canvas = self._canvas
        canvas.setFillColor(HexColor(fill))
        canvas.setFont("icons", size * mm)
        canvas.drawString(x * mm, (CARD_HEIGHT - y - size * 0.875) * mm, character)

    def lines(  # noqa: PLR0913, PLR0917 - a box and a text
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        lines: list[str],
        size: float,
        font: str,
        fill: str,
        *,
        left: bool = False,
    ) -> None:
        canvas = self._canvas
        widest = max(pdfmetrics.stringWidth(line, font, size) for line in lines)
        size *= min(1, width * mm / widest)
        canvas.setFillColor(HexColor(fill))
        canvas.setFont(font, size)
        whole = size * (1.04 * (len(lines) - 1) + _CAP)
        at = (CARD_HEIGHT - y - height / 2) * mm + whole / 2 - size * _CAP
        for line in lines:
            if left:
                canvas.drawString(x * mm, at, line)
            else:
                canvas.drawCentredString((x + width / 2) * mm, at, line)
            at -= size * 1.04


def _wrapped(text: str, width: float) -> list[str]:
    """Return a name on one line, or on two."""
    words = text.split()
    if pdfmetrics.stringWidth(text, "title", 14) <= width * mm or len(words) == 1:
        return [text]
    half = (len(words) + 1) // 2
    return [" ".join(words[:half]), " ".join(words[half:])]


def _marks(canvas: Canvas) -> None:
    near, far = 1.5, 5.5
    right, bottom = LEFT + COLUMNS * CARD_WIDTH, TOP + ROWS * CARD_HEIGHT
    canvas.setLineWidth(0.1 * mm)
    canvas.setStrokeColor(HexColor("#000000"))
    for column in range(COLUMNS + 1):
        x = LEFT + column * CARD_WIDTH
        _lines(canvas, [(x, TOP - far, x, TOP - near), (x, bottom + near, x, bottom + far)])
    for row in range(ROWS + 1):
        y = TOP + row * CARD_HEIGHT
        _lines(canvas, [(LEFT - far, y, LEFT - near, y), (right + near, y, right + far, y)])


def _lines(canvas: Canvas, lines: Iterable[tuple[float, float, float, float]]) -> None:
    for x, y, to_x, to_y in lines:
        canvas.line(x * mm, (PAGE[1] - y) * mm, to_x * mm, (PAGE[1] - to_y) * mm)


def _reference(canvas: Canvas, reference: Data) -> None:
    """Draw the rule reference in two columns."""
    head = ParagraphStyle("h2", fontName="title", fontSize=14, leading=21, spaceAfter=1.5 * mm)
    name = ParagraphStyle("h3", fontName="text", fontSize=10.5, leading=13.1)
    text = ParagraphStyle("p", fontName="text", fontSize=9.5, leading=12.2, spaceAfter=2.4 * mm)
    parts = []
    for section in reference["sections"]:
        tag = "b" if section["active"] else "i"
        parts.append(Paragraph(escape(section["title"]), head))
        for rule in section["rules"]:
            called = f"<{tag}>{escape(rule['name'])}</{tag}>"
            parts += [Paragraph(called, name), Paragraph(escape(rule["effect"]), text)]
        parts.append(Spacer(1, 4 * mm))
    number = 1
    while parts:
        canvas.setFillColor(HexColor(reference["color"]))
        canvas.roundRect(18 * mm, 270.5 * mm, 174 * mm, 10.5 * mm, 1.8 * mm, stroke=0, fill=1)
        canvas.setFillColor(HexColor(reference["on"]))
        canvas.setFont("title", 15)
        canvas.drawString(22 * mm, 273.8 * mm, reference["deck"])
        canvas.setFont("text", 10)
        canvas.drawRightString(188 * mm, 274.3 * mm, reference["faction"])
        canvas.setFillColor(HexColor(GREY))
        canvas.setFont("text", 8)
        canvas.drawString(18 * mm, 13 * mm, reference["footer"])
        canvas.drawRightString(192 * mm, 13 * mm, f"{reference['page']} {number}")
        for x in (18, 109.5):
            size = (82.5 * mm, 243 * mm)
            Frame(x * mm, 20 * mm, *size, 0, 0, 0, 0).addFromList(parts, canvas)
        canvas.showPage()
        number += 1
