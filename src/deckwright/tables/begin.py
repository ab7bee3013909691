"""Start a game from a table: its vocabulary, its factions, and a face that holds its texts.

The game has one kind of card with a field for each column worth one; the table itself is unchanged
and read each time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import make_unique
from deckwright.base.strings import quote_attribute
from deckwright.game.folder import AMOUNT
from deckwright.game.ids import slugify
from deckwright.game.kinds import MAX_MANY
from deckwright.game.title_words import WORD_BREAK
from deckwright.grids.html import HTML
from deckwright.grids.reading import JSON_SUFFIX
from deckwright.grids.table import CellGrid, normalize_text
from deckwright.grids.workbooks import WORKBOOK_SUFFIXES
from deckwright.tables.choosing import (
    FACES,
    PALETTE,
    Face,
    bind_slots,
    bind_theme,
    find_slots,
    quote,
    suit_of,
)
from deckwright.tables.guessing import NUMBERS, Guess, TableGuess, color_word


class Layout(NamedTuple):
    """A face, and how much it shows.

    Attributes:
        width, height: the size of the cards, in mm.
        texts: the most long texts.
        smallest: the smallest type size of texts, in pt.
        characters: the length at which a text is cut, None to leave it whole.
    """

    face: Face = FACES["plain"]
    width: int = 63
    height: int = 88
    texts: int = 6
    smallest: float = 6
    characters: int | None = None


_PLAIN_LAYOUTS = (
    Layout(),
    Layout(smallest=4.5),
    Layout(width=70, height=120, smallest=4.5),
    Layout(width=70, height=120, texts=3, smallest=4.5),
    Layout(width=70, height=120, texts=1, smallest=4.5),
    Layout(width=70, height=120, texts=1, smallest=4.5, characters=700),
    Layout(width=70, height=120, texts=1, smallest=4, characters=250),
)


def layouts_of(face: Face) -> Iterator[Layout]:
    """Yield the layouts to try until everything fits: the face's, then those of the plain one."""
    if face.name != "plain":
        for texts, least in product(face.texts, (6.5, 5)):
            yield Layout(face, face.width, face.height, texts, least)
    yield from _PLAIN_LAYOUTS


FAMILIES = ("Source Sans Pro", "Source Serif Pro")
"""The font families of texts and of titles."""
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MAX_FIELDS = 40
"""The maximum number of fields; database exports have more columns than a card can show."""
_RESERVED_NAMES = ("id", "name", "faction_id", "kind", AMOUNT, "rule", "label")
"""Reserved field names."""
_SPARE_COLORS = ("#2f4858", "#7a3b69", "#1f6f6b", "#5a5a7a", "#4f6228")
_WORD_ORDER = ("kind", "subtype", "rarity", "class", "faction_id", "suit", "color")
"""The concepts of short texts, the most important first."""


_INKS = {"diamonds": "red", "clubs": "black"}
"""The colors of suits that the face of playing cards prints in those of others."""


class NewFaction(NamedTuple):
    """A faction made from a value of a column."""

    id: str
    name: str
    color: str


class NewGame:
    """A new game made from a table. It has no factions if no column names them."""

    def __init__(self, path: Path, guess: TableGuess, name: str) -> None:
        self._path = path
        self._guess = guess
        self._name = name
        self.fields = tuple(_name_fields(guess.columns, json=path.suffix.casefold() == JSON_SUFFIX))
        self.factions = tuple(_make_factions(guess, name))
        self.fallback: tuple[str, ...] = ()
        """The bundled fonts for the characters that the usual ones lack."""

    def files(self, layout: Layout) -> dict[str, str]:
        """Return the contents of its files by relative path."""
        face = layout.face
        files = {
            "xml/game.xml": self._game(layout),
            **{f"templates/{name}": text for name, text in face.templates().items()},
            "templates/card.xml": self._card(layout),
            "templates/back.xml": _write_include(f"{face.name}-back.xml", face, {
                "hue": quote(face.hue), "width": f"{layout.width}", "height": f"{layout.height}",
            }),
        }  # fmt: skip
        lines = "".join(
            f"  <faction id={quote_attribute(f.id)} race_name={quote_attribute(f.name)} "
            f'faction_name={quote_attribute(f.name)} color="{f.color}"/>\n'
            for f in self.factions or (NewFaction(_ONLY_FACTION, self._name, face.hue),)
        )
        what = "The factions that the table names." if self.factions else "The color of lists."
        files["xml/factions_definition.xml"] = f"{XML}<!-- {what} -->\n<data>\n{lines}</data>\n"
        return files

    @property
    def _has_neutral(self) -> bool:
        """True if some of its cards are of no faction."""
        return bool(self.factions) and self.factions[-1].id == _NO_FACTION

    def printed_fields(self, layout: Layout) -> set[str]:
        """Return the names of the fields that a face shows."""
        return {*re.findall(r"card\.(\w+)", self._card(layout))}

    def _card(self, layout: Layout) -> str:
        """Return the template of cards, which says what the columns are on the face."""
        face = layout.face
        slots = find_slots(self._guess)
        bound, used = bind_slots(face, slots)
        fields = [f for f in self.fields if f not in used and not f.is_constant]
        numbers = [field for field in fields if field.numeric]
        others = [field for field in fields if not field.numeric]
        numbers.sort(key=lambda f: ((*NUMBERS, f.concept).index(f.concept), f.optional))
        words = [f for f in others if f.type == "flag" or (f.type == "text" and not f.long)]
        words.sort(key=lambda f: (*_WORD_ORDER, f.concept).index(f.concept))
        texts = [field for field in others if field.long]
        texts.sort(key=lambda f: 0 if f.concept == "text" else 2 if f.concept == "flavor" else 1)
        rest = sorted([*numbers[face.numbers :], *words[face.words :]], key=self.fields.index)
        named = [_word(field) for field in words[: face.words]]
        if self.factions and not any(column.role == "faction_id" for column in used):
            nobody = f" if card.faction.id != '{_NO_FACTION}' else ''"
            named.insert(0, f"card.faction.name{nobody if self._has_neutral else ''}")
        picture = next((f"card.{field.name}" for field in others if field.type == "image"), "")
        asked = slots["question"] if face.name == "quiz" else [*texts[: layout.texts], *rest]
        long = [column.cells for column in asked]
        own = "card.faction.color"
        theme = bind_theme(face, self._sorts(face, words), own)
        bound = theme | ({"hue": own} if self.factions or not theme else {}) | bound
        bound |= {
            "width": f"{layout.width}",
            "height": f"{layout.height}",
            "longest": f"{max(map(len, map(''.join, zip(*long, strict=True))), default=0)}",
            "picture": f"{picture} if {picture}|is_image else ''" if picture else "''",
            "words": _write_list(named),
            "numbers": _write_list(
                map(_number, sorted(numbers[: face.numbers], key=self.fields.index))
            ),
            "texts": _write_list(_paragraphs(texts[: layout.texts], layout.characters)),
            "rest": _write_list(_word(field, caption=True) for field in rest),
            "least": f"'{layout.smallest:g}pt'",
        }
        return _write_include(f"{face.name}.xml", face, bound)

    def _sorts(self, face: Face, words: Sequence[Guess]) -> list[Guess]:
        """Return the columns that tell what is drawn: the names of goods, or kinds and the like."""
        if face.name == "euro":
            return [*filter(None, [self._guess.column_of("name")])]
        faction = filter(None, [self._guess.column_of("faction_id")])
        return [*faction, *(field for field in words if field.type == "text")]

    def _game(self, layout: Layout) -> str:
        """Return the text of `game.xml`."""
        guess = self._guess
        display = layout.face.display
        ids = ",".join(slugify(family, "-") for family in self.fallback)
        fallback = f' fallback="{ids}"' if ids else ""
        fonts = [
            f'    <font id="text" family="{FAMILIES[0]}"{fallback}/>\n',
            f'    <font id="title" family="{FAMILIES[1]}"{fallback}/>\n',
            *[f'    <font id="display" family="{display}"{fallback}/>\n'] * bool(display),
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
        inside = f">\n{''.join(lines[:MAX_MANY])}  </table>" if lines else "/>"
        return f"  <table {attributes}{inside}\n"


def _write_include(name: str, face: Face, values: Mapping[str, str]) -> str:
    """Return a template that only includes another one, with the values that it needs."""
    text = face.templates()[name]
    needed = ", ".join(f"{n}={v}" for n, v in values.items() if re.search(rf"\b{n}\b", text))
    return (
        f"{XML}<!-- Which column is what on the card; {name} is how that looks. -->\n"
        f'<face>\n  <include href="{name}" with={quote_attribute(needed)}/>\n</face>\n'
    )


def _write_list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _number(field: Guess) -> str:
    color = PALETTE.get(color_word(field.title))
    more = f", 'color': '{color}'" if color else ""
    return f"{{'name': {quote(field.caption)}, 'value': card.{field.name}{more}}}"


def _paragraphs(fields: Sequence[Guess], characters: int | None) -> Iterator[str]:
    """Yield the long texts; with a name if there are several of the same kind."""
    several = sum(field.concept not in {"text", "flavor"} for field in fields) > 1
    for field in fields:
        name = field.caption if several and field.concept not in {"text", "flavor"} else ""
        cut = f"|truncate({characters})" if characters else ""
        flavor = "true" if field.concept == "flavor" else "false"
        yield f"{{'name': {quote(name)}, 'text': card.{field.name}{cut}, 'flavor': {flavor}}}"


def _word(field: Guess, *, caption: bool = False) -> str:
    """Return an expression for a word, "" if a card lacks it."""
    value = f"card.{field.name}"
    if field.type == "flag":
        return f"{quote(field.caption)} if {value} else ''"
    if not caption:
        return value
    name = quote(field.caption + (" " if field.numeric else ": "))
    return f"{name} ~ {value} if {value} is not none else ''"


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


_ONLY_FACTION = "ALL"
"""The id of the only faction of a game whose table names none."""
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
    colors = {
        word: PALETTE.get(_INKS.get(suit_of(name), color_word(name)), "")
        for word, name in names.items()
    }
    every = (*PALETTE.values(), *_SPARE_COLORS)
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
