"""Start a game from a table: its vocabulary, its factions, and a face that holds its texts.

The game has one kind of card with a field for each column worth one; the table itself is unchanged
and read each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import make_unique
from deckwright.base.strings import escape_text, quote_attribute
from deckwright.game.folder import AMOUNT
from deckwright.game.ids import slugify
from deckwright.game.kinds import MAX_MANY
from deckwright.game.title_words import WORD_BREAK
from deckwright.grids.html import HTML
from deckwright.grids.reading import JSON_SUFFIX
from deckwright.grids.table import CellGrid, normalize_text
from deckwright.grids.workbooks import WORKBOOK_SUFFIXES
from deckwright.tables.guessing import NUMBERS, Guess, TableGuess, color_word


class Layout(NamedTuple):
    """How much a face shows, and how large it is.

    Attributes:
        width, height: the size of the cards, in mm.
        texts: the most long texts.
        smallest: the smallest type size of texts, in pt.
        characters: the length at which a text is cut, None to leave it whole.
    """

    width: int = 63
    height: int = 88
    texts: int = 6
    smallest: float = 6
    characters: int | None = None


LAYOUTS = (
    Layout(),
    Layout(smallest=4.5),
    Layout(70, 120, smallest=4.5),
    Layout(70, 120, texts=3, smallest=4.5),
    Layout(70, 120, texts=1, smallest=4.5),
    Layout(70, 120, texts=1, smallest=4.5, characters=700),
    Layout(70, 120, texts=1, smallest=4, characters=250),
)
"""The layouts to try until everything fits."""

FAMILIES = ("Source Sans Pro", "Source Serif Pro")
"""The font families of texts and of titles."""
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FACE = f"{XML}<!-- The face of a card. What is in double braces is filled in. -->\n<face>\n"
_DARK, _LIGHT = "#2f4858", "#f6f1e7"
_MARGIN = 5
_TOP = 20.0
_MAX_FIELDS = 40
"""The maximum number of fields; database exports have more columns than a card can show."""
_MAX_NUMBERS, _MAX_WORDS = 5, 4
"""The most numbers and words that a face shows."""
_RESERVED_NAMES = ("id", "name", "faction_id", "kind", AMOUNT, "rule", "label")
"""Reserved field names."""
_PALETTE = {
    "red": "#9b2f2a",
    "blue": "#2b5c8a",
    "green": "#3c6e3f",
    "yellow": "#94690c",
    "purple": "#6a3d7c",
    "brown": "#6e4b2f",
    "orange": "#b5591e",
    "black": "#2b2b2b",
    "white": "#7d7768",
}
"""Colors of factions; white letters can be read on each."""
_SPARE_COLORS = ("#2f4858", "#7a3b69", "#1f6f6b", "#5a5a7a", "#4f6228")
_WORD_ORDER = ("kind", "subtype", "rarity", "class", "faction_id", "suit", "color")
"""The concepts of short texts, the most important first."""


class NewFaction(NamedTuple):
    """A faction made from a value of a column."""

    id: str
    name: str
    color: str


class NewGame:
    """A new game made from a table.

    Attributes:
        fields: the fields of its cards.
        factions: its factions, none if no column names them.
    """

    def __init__(self, path: Path, guess: TableGuess, name: str) -> None:
        """Plan the game.

        Args:
            name: its name.
        """
        self._path = path
        self._guess = guess
        self._name = name
        self.fields = tuple(_name_fields(guess.columns, json=path.suffix.casefold() == JSON_SUFFIX))
        self.factions = tuple(_make_factions(guess, name))
        self.fallback: tuple[str, ...] = ()
        """The bundled fonts for the characters that the usual ones lack."""

    def files(self, layout: Layout) -> dict[str, str]:
        """Return the contents of its files by relative path."""
        width, height = layout.width - 10, layout.height - 10
        area = _Area(layout.height / 4 - 10, 20, _MARGIN + 2, width - 4)
        more = {"font_family": "title", "font_weight": "bold", "fill": _LIGHT}
        back = (
            f"{XML}<!-- The back that all cards share, the same from either end. -->\n<face>\n"
            f"{_rectangle(layout, layout.height + 6, _DARK)}"
            f'  <rect x="5" y="5" width="{width}" height="{height}" rx="3" fill="none" '
            f'stroke="{_LIGHT}" stroke-width="0.6"/>\n'
            '  <g each="turn in [0, 180]" rotate="{{ turn }}" '
            f'cx="{layout.width / 2:g}" cy="{layout.height / 2:g}">\n'
            f"  {_text(area, 18, '{{ game.name }}', **more)}  </g>\n</face>\n"
        )
        files = {
            "xml/game.xml": self._game(layout),
            "templates/card.xml": self._face(layout),
            "templates/back.xml": back,
        }
        if self.factions:
            lines = "".join(
                f"  <faction id={quote_attribute(f.id)} race_name={quote_attribute(f.name)} "
                f'faction_name={quote_attribute(f.name)} color="{f.color}"/>\n'
                for f in self.factions
            )
            start = f"{XML}<!-- The factions that the table names. -->\n"
            files["xml/factions_definition.xml"] = f"{start}<data>\n{lines}</data>\n"
        return files

    @property
    def _has_neutral(self) -> bool:
        """True if some of its cards are of no faction."""
        return bool(self.factions) and self.factions[-1].id == _NO_FACTION

    def printed_fields(self, layout: Layout) -> set[str]:
        """Return the names of the fields that a face shows."""
        fields = _FaceContent(self.fields, layout)
        groups = (fields.numbers, fields.pictures, fields.words, fields.texts, fields.rest)
        return {field.name for group in groups for field in group}

    def _face(self, layout: Layout) -> str:
        """Return the face template: a picture, words, texts and numbers."""
        content = _FaceContent(self.fields, layout)
        width = layout.width - 2 * _MARGIN
        fill = "{{ card.faction.color }}" if self.factions else _DARK
        lines = [_FACE, _rectangle(layout, layout.height + 6, _LIGHT), _rectangle(layout, 20, fill)]
        title = {
            "font_family": "title",
            "font_weight": "bold",
            "fill": "#ffffff",
            "min_size": "6pt",
        }
        lines.append(_text(_Area(3, 12, _MARGIN, width), 14, "{{ card.name }}", **title))
        top, bottom = _TOP, float(layout.height - 4)
        if content.numbers:
            bottom -= 12
        part = width / max(1, len(content.numbers))
        for index, field in enumerate(content.numbers):  # side by side, each above its name
            x, value = _MARGIN + index * part, f"card.{field.name}"
            # A number that many cards lack is shown where it is.
            more = {"when": f"{value} is not none"} if field.optional else {}
            box, number = (x, part - 0.6), f"{{{{ {value} }}}}"
            lines.append(_text(_Area(bottom, 6, *box), 14, number, font_weight="bold", **more))
            caption, area = escape_text(field.caption), _Area(bottom + 6, 5, *box)
            lines.append(_text(area, 7, caption, min_size="3.5pt", **more))
        for field in content.pictures:
            value = f"card.{field.name}"
            lines.append(
                f'  <image when="{value}" href="{{{{ {value} }}}}" x="{_MARGIN}" y="{top:g}" '
                f'width="{width}" height="{layout.height // 3}" fit="cover"/>\n'
            )
            top += layout.height // 3 + 2
        words = [*map(_word, content.words)]
        if self.factions:
            nobody = f" if card.faction.id != '{_NO_FACTION}' else ''"
            words.insert(0, f"card.faction.name{nobody if self._has_neutral else ''}")
        if words:
            text = "{{ [" + ", ".join(words) + "]|select|join(' · ') }}"
            lines.append(_text(_Area(top, 6, _MARGIN, width), 9, text, font_style="italic"))
            top += 8
        if content.texts or content.rest:
            several = sum(field.concept not in {"text", "flavor"} for field in content.texts) > 1
            cut = f"|truncate({layout.characters})" if layout.characters else ""
            paragraphs = []
            for field in content.texts:
                text = f"{{{{ card.{field.name}{cut} }}}}"
                if field.concept == "flavor":
                    text = f"<i>{text}</i>"
                elif several and field.concept != "text":
                    text = f"<b>{escape_text(field.caption)}:</b> {text}"
                paragraphs.append(f'<p when="card.{field.name}">{text}</p>')
            if content.rest:
                values = ", ".join(_word(field, caption=True) for field in content.rest)
                paragraphs.append(f"<p>{{{{ [{values}]|select|join(' · ') }}}}</p>")
            more = {"text_anchor": "start", "valign": "top", "fill": "#2b2320"}
            more |= {"paragraph_gap": "1.2", "min_size": f"{layout.smallest:g}pt"}
            area = _Area(top, bottom - top - 2, _MARGIN, width)
            lines.append(_text(area, 10, "".join(paragraphs), **more))
        return "".join([*lines, "</face>\n"])

    def _game(self, layout: Layout) -> str:
        """Return the text of `game.xml`."""
        guess = self._guess
        ids = ",".join(slugify(family, "-") for family in self.fallback)
        fallback = f' fallback="{ids}"' if ids else ""
        fonts = [
            f'    <font id="text" family="{FAMILIES[0]}"{fallback}/>\n',
            f'    <font id="title" family="{FAMILIES[1]}"{fallback}/>\n',
            *(f'    <font id="{slugify(f, "-")}" family="{f}"/>\n' for f in self.fallback),
        ]
        fields = []
        for field in self.fields:
            more = f' min="{field.minimum}"' if field.minimum else ""
            more += ' optional="true"' if field.optional and field.type != "flag" else ""
            more += f" text={quote_attribute(field.caption)}"
            fields.append(f'    <field name="{field.name}" type="{field.type}"{more}/>\n')
        names = guess.column_of("name")
        return _GAME_TEMPLATE.format(
            name=quote_attribute(self._name),
            language=guess.language or "en",
            fonts="".join(fonts),
            width=layout.width,
            height=layout.height,
            fields="".join(fields),
            tables="".join(map(self._table, guess.grids)),
            severities=_SAME_NAMES if names and names.unique < 1 else "",
        )

    def _table(self, grid: CellGrid) -> str:
        """Return the element of one table."""
        guess, path = self._guess, self._path
        where = {"file": path.name}
        tab = grid.title if path.suffix.casefold() in WORKBOOK_SUFFIXES else guess.tab
        if tab:
            where["tab"] = tab
        if guess.titles is not None:
            where["titles"] = str(guess.titles)
        if self._has_neutral:
            where["faction"] = _NO_FACTION
        texts = (text for column in guess.columns if column.long for text in column.values)
        if any(map(HTML.search, texts)):
            where["markup"] = "html"
        where["deck"] = normalize_text(path.stem)
        json = path.suffix.casefold() == JSON_SUFFIX
        lines: list[str] = []
        for column in sorted(guess.columns, key=lambda column: column.role == "note"):
            what = column.name or column.role
            title = quote_attribute(column.title)
            if column.role == "note" or what == "field":
                lines += [] if json else [f"    <column name={title}/>\n"]
            elif column.title.casefold() != what or not column.has_title:
                lines.append(f"    <column name={title} to={quote_attribute(what)}/>\n")
        attributes = " ".join(f"{key}={quote_attribute(value)}" for key, value in where.items())
        return f"  <table {attributes}>\n{''.join(lines[:MAX_MANY])}  </table>\n"


class _FaceContent:
    """The fields that a face shows, the most important first."""

    def __init__(self, fields: Sequence[Guess], layout: Layout) -> None:
        usable = [field for field in fields if not field.is_constant]
        numbers = [field for field in usable if field.numeric]
        rest = [field for field in usable if not field.numeric]
        numbers.sort(key=lambda f: ((*NUMBERS, f.concept).index(f.concept), f.optional))
        self.numbers = sorted(numbers[:_MAX_NUMBERS], key=fields.index)
        self.pictures = [field for field in rest if field.type == "image"][:1]
        words = [f for f in rest if f.type == "flag" or (f.type == "text" and not f.long)]
        words.sort(key=lambda f: (*_WORD_ORDER, f.concept).index(f.concept))
        self.words = words[:_MAX_WORDS]
        self.rest = sorted([*numbers[_MAX_NUMBERS:], *words[_MAX_WORDS:]], key=fields.index)
        texts = [field for field in rest if field.long]
        texts.sort(key=lambda f: 0 if f.concept == "text" else 2 if f.concept == "flavor" else 1)
        self.texts = texts[: layout.texts]


class _Area(NamedTuple):
    """The box of a text, in mm."""

    y: float
    height: float
    x: float
    width: float


def _text(area: _Area, size: int, text: str, *, min_size: str = "", **more: str) -> str:
    """Return an element `text`, centered by default."""
    attributes = {
        "x": f"{area.x:g}",
        "y": f"{area.y:g}",
        "width": f"{area.width:g}",
        "height": f"{area.height:g}",
        "font-size": f"{size}pt",
        "min-font-size": min_size or f"{max(4, size // 2)}pt",
        "text-anchor": "middle",
        "valign": "middle",
        "overflow-wrap": "anywhere",
        "fill": _DARK,
    }
    attributes |= {name.replace("_", "-"): value for name, value in more.items()}
    pairs = " ".join(f"{name}={quote_attribute(value)}" for name, value in attributes.items())
    return f"  <text {pairs}>{text}</text>\n"


def _rectangle(layout: Layout, height: float, fill: str) -> str:
    width = layout.width + 6
    return f'  <rect x="-3" y="-3" width="{width}" height="{height:g}" fill="{fill}"/>\n'


def _word(field: Guess, *, caption: bool = False) -> str:
    value = f"card.{field.name}"
    if field.type != "flag" and not caption:
        return value
    text = field.caption.replace("\\", "").replace("'", " ")
    if field.type == "flag":
        return f"{escape_text(repr(text))} if {value} else ''"
    text += " " if field.numeric else ": "
    return f"{escape_text(repr(text))} ~ {value} if {value} is not none else ''"


def _name_fields(columns: Sequence[Guess], *, json: bool) -> Iterator[Guess]:
    """Yield the columns that become fields, with their names; those beyond the most are notes."""
    taken = {*_RESERVED_NAMES}
    for number, column in enumerate((c for c in columns if c.role == "field"), 1):
        if number > _MAX_FIELDS:
            column.role, column.reason = "note", f"a game has at most {_MAX_FIELDS} fields here"
            continue
        end = column.title.rpartition(".")[2] if json else column.title
        plain = slugify(end, "_") if end.isascii() or slugify(end, "") else ""
        word = plain or column.concept or f"field_{number}"
        word = word if word[0].isalpha() else f"f_{word}"
        column.name = make_unique(f"card_{word}" if word in _RESERVED_NAMES else word, taken)
        # `minimum_deck_size` and `minimumDeckSize` are words.
        column.caption = " ".join(WORD_BREAK.sub(" ", end).split())
        yield column


_NO_FACTION = "NONE"
"""The id of the faction of cards that name none."""


def _make_factions(guess: TableGuess, game: str) -> Iterator[NewFaction]:
    """Yield the factions that the table names, and one for the cards that name none."""
    column = guess.column_of("faction_id")
    if column is None:
        return
    named = Counter[str]()
    names: dict[str, str] = {}
    for text in map(normalize_text, column.values):
        named[text.casefold()] += 1
        names.setdefault(text.casefold(), text)
    colors = {word: _PALETTE.get(color_word(name), "") for word, name in names.items()}
    every = (*_PALETTE.values(), *_SPARE_COLORS)
    free = [color for color in every if color not in colors.values()]
    taken = {_NO_FACTION}
    for number, (word, name) in enumerate(names.items()):
        plain = slugify(name, "-") if len(slugify(name, "")) * 2 > len(name) else ""
        faction_id = make_unique(plain or f"F{number + 1}", taken)
        yield NewFaction(faction_id, name, colors[word] or free[number % len(free)])
    if len(column.values) < len(column.cells):
        yield NewFaction(_NO_FACTION, game, "#5b6770")


_GAME_TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- What the game is made of. Change a line, run `deckwright check`, and see what it says. -->
<game name={name} language="{language}">

  <fonts>
{fonts}  </fonts>

  <!-- A kind of card: its size in mm, its templates, and the fields that each card has. -->
  <kind tag="card" name="Card" width="{width}" height="{height}" face="card.xml" back="back.xml" bleed="3">
{fields}  </kind>

  <!-- The cards: a table in xml/Factions, which is read each time. -->
{tables}
{severities}  <!-- As many cards as fit on A4; `letter` is the other paper. -->
  <sheet format="a4"/>
</game>
"""  # noqa: E501


_SAME_NAMES = """
  <!-- Several cards have the same name, and are meant to. -->
  <severities>
    <severity code="R029" is="off"/>
  </severities>

"""
