"""Print a workload with WeasyPrint: `weasyprint_face.py FOLDER IMAGES FONTS OUT`.

The face, the sheets and the rule reference of the shipped game, as `templates/` has them, in HTML
and CSS. Elements stand in the order and with the numbers of the templates. CSS cannot shrink text
until it fits, so sizes are chosen from the number of characters.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import weasyprint

Data = dict[str, Any]

DARK = "#3a3128"
COLUMNS, ROWS = 3, 3
CARD_WIDTH, CARD_HEIGHT = 65, 90
LEFT, TOP = 7.5, 13.5

_NAME_LINE = 20
"""Characters of a name that fit on a line at 14 pt."""
_RULE_LINES = 4
"""Lines of rules that fit at 10 pt."""

STYLE = """
@font-face { font-family: text; src: url(SourceSansPro-Regular.ttf) }
@font-face { font-family: text; font-weight: bold; src: url(SourceSansPro-Bold.ttf) }
@font-face { font-family: text; font-style: italic; src: url(SourceSansPro-It.ttf) }
@font-face { font-family: title; font-weight: bold; src: url(SourceSerifPro-Bold.ttf) }
@font-face { font-family: icons; src: url(icons.ttf) }
body { margin: 0; font-family: text; color: #1d1a16 }
"""

SHEET_STYLE = """
@page { size: 210mm 297mm; margin: 0; background: url(MARKS) 0 0 / 210mm 297mm no-repeat }
.sheet { position: relative; width: 210mm; height: 297mm; break-after: page; overflow: hidden }
.sheet:last-child { break-after: auto }
.card { position: absolute; width: 65mm; height: 90mm }
.card *, .card { box-sizing: border-box }
.card div, .card img { position: absolute }
.border { width: 65mm; height: 90mm; border-radius: 3.5mm }
.token { left: .95mm; top: .95mm; width: 63.1mm; height: 88.1mm; border: .5mm solid;
  border-radius: 2.85mm }
.ground { left: 2.6mm; top: 2.6mm; width: 59.8mm; height: 84.8mm; border-radius: 1.8mm }
.band { left: 2.6mm; top: 2.6mm; width: 59.8mm; height: 12.65mm; border-bottom: .5mm solid;
  border-radius: 1.8mm 1.8mm 0 0 }
.middle { text-align: center }
.name, .rules { display: flex; align-items: center }
.name { left: 5mm; top: 3.4mm; width: 43.5mm; height: 10.8mm; font: bold 14pt/1.04 title }
.faction { left: 49.65mm; top: 3.45mm; width: 11.5mm; height: 11.5mm; border-radius: 50%;
  border: .7mm solid #fcf8ee; font: bold 13pt/10.1mm text }
.stat { left: 49.65mm; width: 11.5mm; height: 11.5mm; border-radius: 50%; border: .7mm solid;
  background: #fffdf7 }
.icon { font-family: icons; line-height: 1 }
.stat-icon { left: 53.7mm; font-size: 3.4mm }
.value { left: 50.8mm; width: 9.2mm; height: 5.6mm; font: bold 14pt/5.6mm text }
.picture { left: 8mm; top: 20.3mm; width: 37mm; height: 33mm; object-fit: cover }
.sword { left: 13.5mm; top: 23.8mm; font-size: 26mm }
.frame { border: .95mm solid #3a3128; border-radius: .975mm }
.level { border: .65mm solid; border-radius: .825mm }
.row { top: 56.9mm; width: 7.4mm; height: 7.4mm; border-radius: 50%; font: 5mm/7.4mm icons }
.rules { left: 5mm; top: 65.4mm; width: 55mm; height: 15.8mm; justify-content: center;
  font-size: 10pt; line-height: 1.13 }
.star { top: 82mm; font-size: 4.8mm; color: #3a3128 }
.inner { top: 82.7mm; font-size: 3.4mm }
.word { left: 2.6mm; top: 81.8mm; width: 59.8mm; height: 5.6mm; border-radius: 1.8mm;
  font: bold 9pt/5.6mm text }
"""

REFERENCE_STYLE = """
@page {
  size: 210mm 297mm; margin: 34mm 18mm 20mm;
  @top-left { content: element(head); width: 174mm; height: 34mm; vertical-align: top }
  @bottom-left { content: FOOTER; font: 8pt text; color: #595249; vertical-align: top;
    padding-top: 4mm }
  @bottom-right { content: PAGE " " counter(page) " / " counter(pages); font: 8pt text;
    color: #595249; vertical-align: top; padding-top: 4mm }
}
.head { position: running(head); margin-top: 16mm; display: flex; justify-content: space-between;
  align-items: center; height: 10.5mm; border-radius: 1.8mm; padding: 0 4mm;
  box-sizing: border-box; font-size: 10pt }
.head b { font: bold 15pt title }
main { columns: 2; column-gap: 9mm; column-fill: auto }
h2 { font: bold 14pt/1.5 title; margin: 0 0 1.5mm; border-bottom: .5mm solid; break-after: avoid }
section { break-inside: avoid; margin-bottom: 2.4mm }
h3 { font-size: 10.5pt; line-height: 1.25; margin: 0 }
p { font-size: 9.5pt; line-height: 1.28; margin: 0 }
main div { height: 4mm }
"""


def main() -> None:
    """Print the workload that the command line names."""
    folder, images, fonts, out = sys.argv[1:]
    data = json.loads(Path(folder, "cards.json").read_text(encoding="utf-8"))
    home = Path(fonts).resolve()
    pictures = (Path(folder) / images).resolve().as_uri()
    sheets = _document(data, _sheets(data, pictures), SHEET_STYLE, home)
    pages = sheets.pages
    if data["reference"]["sections"]:
        pages += _document(data, _reference(data["reference"]), _reference_style(data), home).pages
    sheets.copy(pages).write_pdf(out)


def _document(data: Data, body: str, style: str, home: Path) -> Any:
    """Return the laid-out pages of an HTML body. Fonts are found in the folder `home`."""
    style = STYLE + style.replace("MARKS", f'"{_marks()}"')
    html = (
        f'<html lang="{data["language"]}"><meta charset="utf-8"><title>{escape(data["title"])}'
        f"</title><style>{style}</style><body>{body}</body></html>"
    )
    return weasyprint.HTML(string=html, base_url=f"{home.as_uri()}/").render()


def _sheets(data: Data, pictures: str) -> str:
    faces = ["".join(_face(data, card, pictures)) for card in data["cards"]]
    sheets = []
    slots = COLUMNS * ROWS
    for start in range(0, len(data["copies"]), slots):
        cards = []
        for slot, copy in enumerate(data["copies"][start : start + slots]):
            row, column = divmod(slot, COLUMNS)
            place = f"left:{LEFT + column * CARD_WIDTH}mm;top:{TOP + row * CARD_HEIGHT}mm"
            cards.append(f'<div class="card" style="{place}">{faces[copy]}</div>')
        sheets.append(f'<div class="sheet">{"".join(cards)}</div>')
    return "".join(sheets)


def _face(data: Data, card: Data, pictures: str) -> Iterator[str]:
    """Yield the elements of a face."""
    colors = data["palettes"][card["faction"]]
    color = colors["color"]
    border = colors["token_border"] if card["token"] else color
    yield f'<div class="border" style="background:{border}"></div>'
    if card["token"]:
        yield f'<div class="token" style="color:{color}"></div>'
    yield f'<div class="ground" style="background:{colors["ground"]}"></div>'
    yield f'<div class="band" style="background:{colors["band"]};border-color:{color}"></div>'
    name = card["name"]
    longest = max(map(len, name.split()))
    size = 14 * min(1, _NAME_LINE / longest, 2 * _NAME_LINE / len(name))
    yield f'<div class="name" style="font-size:{size:.1f}pt">{escape(name)}</div>'
    style = f"background:{color};color:{colors['on']}"
    yield f'<div class="middle faction" style="{style}">{card["faction"]}</div>'

    for index, stat in enumerate(card["stats"]):
        y = 22.6 + index * 13
        yield f'<div class="stat" style="top:{y - 5.75:.2f}mm;border-color:{color}"></div>'
        style = f"top:{y - 4.7:.1f}mm;color:{colors['stat']}"
        yield f'<div class="icon stat-icon" style="{style}">{stat["icon"]}</div>'
        yield f'<div class="middle value" style="top:{y - 1.5:.1f}mm">{stat["value"]}</div>'

    if card["image"] is not None:
        yield f'<img class="picture" src="{pictures}/{card["image"]}">'
    else:
        yield f'<div class="picture" style="background:{colors["picture"]}"></div>'
        sword = data["icons"]["sword"]
        yield f'<div class="icon sword" style="color:{colors["sword"]}">{sword}</div>'
    for number in range(card["frames"]):
        for kind, width in (("frame", 0.95), ("level", 0.65)):
            out = number * 1.2 + width / 2
            yield (
                f'<div class="{kind}" style="left:{7.6 - out:.3f}mm;top:{19.9 - out:.3f}mm;'
                f"width:{37.8 + 2 * out:.3f}mm;height:{33.8 + 2 * out:.3f}mm"
                + ('"></div>' if kind == "frame" else f';color:{card["level_color"]}"></div>')
            )

    for index, row in enumerate(card["rows"]):
        x = 22.8 + (index - (len(card["rows"]) - 1) / 2) * 9
        style = f"left:{x}mm;background:{colors['row']};color:{colors['row_on']}"
        yield f'<div class="middle row" style="{style}">{row}</div>'
    if card["rules"]:
        tags = {True: "b", False: "i"}
        lines = [(tags[rule["active"]], escape(rule["text"])) for rule in card["rules"]]
        size = 10 * min(1, _RULE_LINES / len(lines))
        rules = "<br>".join(f"<{tag}>{text}</{tag}>" for tag, text in lines)
        yield f'<div class="middle rules" style="font-size:{size:.1f}pt">'
        yield f"<span>{rules}</span></div>"
    star = data["icons"]["star"]
    for index in range(card["stars"]):
        x = 32.5 + (index - (card["stars"] - 1) / 2) * 5
        yield f'<div class="icon star" style="left:{x - 2.4:.1f}mm">{star}</div>'
        style = f"left:{x - 1.7:.1f}mm;color:{card['level_color']}"
        yield f'<div class="icon inner" style="{style}">{star}</div>'
    if card["token"]:
        style = f"background:{color};color:{colors['on']}"
        yield f'<div class="middle word" style="{style}">{data["token_word"]}</div>'


def _marks() -> str:
    """Return the crop marks of a sheet as the address of an SVG image."""
    near, far = 1.5, 5.5
    right, bottom = LEFT + COLUMNS * CARD_WIDTH, TOP + ROWS * CARD_HEIGHT
    path = ""
    for column in range(COLUMNS + 1):
        x = LEFT + column * CARD_WIDTH
        path += f"M{x} {TOP - far}V{TOP - near}M{x} {bottom + near}V{bottom + far}"
    for row in range(ROWS + 1):
        y = TOP + row * CARD_HEIGHT
        path += f"M{LEFT - far} {y}H{LEFT - near}M{right + near} {y}H{right + far}"
    return (
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 210 297'>"
        f"<path d='{path}' stroke='black' stroke-width='.1'/></svg>"
    )


def _reference_style(data: Data) -> str:
    reference = data["reference"]
    return REFERENCE_STYLE.replace("FOOTER", _quoted(reference["footer"])).replace(
        "PAGE", _quoted(reference["page"])
    )


def _quoted(text: str) -> str:
    """Return a text as a string in CSS."""
    return json.dumps(text, ensure_ascii=False)


def _reference(reference: Data) -> str:
    """Return the rule reference."""
    style = f"background:{reference['color']};color:{reference['on']}"
    parts = [f'<div class="head" style="{style}"><b>{escape(reference["deck"])}</b>']
    parts.append(f"<span>{escape(reference['faction'])}</span></div><main>")
    for section in reference["sections"]:
        weight = "bold" if section["active"] else "normal;font-style:italic"
        title = escape(section["title"])
        parts.append(f'<h2 style="border-color:{reference["color"]}">{title}</h2>')
        parts += [
            f'<section><h3 style="font-weight:{weight}">{escape(rule["name"])}</h3>'
            f"<p>{escape(rule['effect'])}</p></section>"
            for rule in section["rules"]
        ]
        parts.append("<div></div>")
    return "".join(parts) + "</main>"


if __name__ == "__main__":
    main()
