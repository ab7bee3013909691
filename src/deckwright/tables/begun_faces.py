"""The templates of a game that begins with a table: a face that shows all fields, and a back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckwright.base.markup import escaped, quoted
from deckwright.game.ids import slug


class Field(NamedTuple):
    """A field that a column becomes.

    Attributes:
        title: the column's.
        long: whether it holds texts of more than a few words.
        optional: whether some cards have none.
        least: the least number in it.
    """

    name: str
    title: str
    type: str
    long: bool
    optional: bool
    least: int


XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_DARK, _LIGHT = "#2f4858", "#f6f1e7"


class _Area(NamedTuple):
    """Where a text stands, in mm."""

    y: float
    height: float
    x: float = 5
    width: float = 53


def _text(area: _Area, size: int, said: str, **more: str) -> str:
    """Return an element `text`, whose lines are centered if nothing else is said."""
    given = {
        "x": f"{area.x:g}",
        "y": f"{area.y:g}",
        "width": f"{area.width:g}",
        "height": f"{area.height:g}",
        "font-size": f"{size}pt",
        "min-font-size": f"{max(5, size // 2)}pt",
        "text-anchor": "middle",
        "valign": "middle",
        "fill": _DARK,
    }
    given |= {name.replace("_", "-"): value for name, value in more.items()}
    attributes = " ".join(f"{name}={quoted(value)}" for name, value in given.items())
    return f"  <text {attributes}>{said}</text>\n"


def _title(y: float, height: float, size: int, said: str, fill: str) -> str:
    return _text(_Area(y, height), size, said, font_family="title", font_weight="bold", fill=fill)


BACK = f"""{XML}<!-- The back that all cards share. -->
<face>
  <rect x="-3" y="-3" width="69" height="94" fill="{_DARK}"/>
  <rect x="5" y="5" width="53" height="78" rx="3" fill="none" stroke="{_LIGHT}" stroke-width="0.6"/>
{_title(34, 20, 18, "{{ game.name }}", _LIGHT)}</face>
"""
_FACE = f"""{XML}<!-- The face of a card. Anything in double braces is filled in for each card. -->
<face>
  <rect x="-3" y="-3" width="69" height="94" fill="{_LIGHT}"/>
  <rect x="-3" y="-3" width="69" height="20" fill="{_DARK}"/>
{_title(4, 10, 14, "{{ card.name }}", "#ffffff")}"""
_MOST_NUMBERS = 5
_TOP, _BOTTOM = 19.0, 84.0


def face_of(fields: Sequence[Field]) -> str:
    """Return the template of a face that shows all fields: a picture, words, texts, numbers."""
    lines = [_FACE]
    top, bottom = _TOP, _BOTTOM
    numbers = [f for f in fields if f.type in {"integer", "decimal"}]
    for first in range(0, min(len(numbers), 2 * _MOST_NUMBERS), _MOST_NUMBERS):
        bottom -= 12
        lines += _numbers_row(numbers[first : first + _MOST_NUMBERS], bottom)
    for field in (f for f in fields if f.type == "image"):
        lines.append(
            f'  <image when="card.{field.name}" href="{{{{ card.{field.name} }}}}" x="5" '
            f'y="{top:g}" width="53" height="28" fit="cover"/>\n'
        )
        top += 30
        break
    words = [f for f in fields if f.type == "flag" or (f.type == "text" and not f.long)]
    if words:
        lines.append(_text(_Area(top, 6), 9, f"<p><i>{' '.join(map(_word, words))}</i></p>"))
        top += 8
    texts = [f for f in fields if f.long]
    if texts:
        said = "".join(f'<p when="card.{f.name}">{{{{ card.{f.name} }}}}</p>' for f in texts)
        more = {"text_anchor": "start", "valign": "top", "fill": "#2b2320"}
        lines.append(_text(_Area(top, bottom - top - 2), 10, said, **more))
    return "".join([*lines, "</face>\n"])


def _word(field: Field) -> str:
    if field.type == "flag":
        return f"{{{{ '{slug(field.title, ' ')}' if card.{field.name} else '' }}}}"
    return f"{{{{ card.{field.name} or '' }}}}"


def _numbers_row(fields: Sequence[Field], top: float) -> Iterator[str]:
    """Yield the elements of numbers side by side, each above its name."""
    width = 53 / len(fields)
    for index, field in enumerate(fields):
        x, value = 5 + index * width, f"card.{field.name}"
        if field.optional:
            value = f"{value} if {value} is not none else '–'"
        said = escaped(field.title.rpartition(".")[2])
        yield _text(_Area(top, 6, x, width), 14, f"{{{{ {value} }}}}", font_weight="bold")
        yield _text(_Area(top + 6, 4, x, width), 7, said)
