"""The shape of `rulebook.xml`, and reading what has it."""

from __future__ import annotations

from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_valid
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    NAME,
    YES_NO,
    Attribute,
    Occurs,
    Shape,
    Value,
)

LEVELS = 4
"""How deep sections may be nested: 1, 1.1, 1.1.1, and roman numerals below."""

_CHAPTERS = 200
"""The most chapters: each begins a page, or could."""
_LIMITS = 10
"""The most tables of all deck limits in one place."""
_INLINES = 2000
"""The most elements of a kind within one paragraph, such as cross references."""
_PARTS = 50
"""The most cards of a figure, or markers, or drawings."""
_CALLOUTS = 100
"""The most places of a card that letters point at."""
_COLUMNS = 20
"""The most cells of a row: narrower ones have no room for a letter."""

_MM = Value(pattern=r"[0-9]+(?:\.[0-9]+)?", words="a length in mm, such as 65 or 63.5")
_PLACE = Value(pattern=r"-?[0-9]+(?:\.[0-9]+)?", words="a number of mm, such as 12.5")
_SCALE = Value(
    pattern=r"0?\.[0-9]{0,3}[1-9][0-9]{0,3}|[1-9](?:\.[0-9]{1,4})?", words="a factor such as 0.8"
)
_PART = Value(kind="integer", minimum=1, maximum=99)
_ID = Attribute("id", ID, meaning="its name in cross references")
_TITLE = Attribute("title", NAME, required=True, meaning="its title")


def _term(*terms: tuple[str, str]) -> Value:
    return Value(kind="term", terms=terms)


def rulebook_shape() -> Shape:
    """Return the shape of `rulebook.xml`."""
    blocks = _blocks()
    section: tuple[Occurs, ...] = ()
    meanings = ("a section of the fourth level", "a section of the third level", "a section")
    for meaning in meanings[: LEVELS - 1]:
        section = (Occurs(Shape("section", (_ID, _TITLE), (*blocks, *section), meaning=meaning)),)
    chapter = Shape("chapter", (_ID, _TITLE), (*blocks, *section), meaning="a chapter")
    overview = Shape(
        "overview",
        (_ID, _TITLE),
        blocks,
        meaning="a chapter with its own text, then all factions, their cards and rules",
    )
    index = Shape("index", (_ID, _TITLE), meaning="an index of all terms")
    return Shape(
        "rulebook",
        (
            _TITLE,
            Attribute("subtitle", NAME, meaning="the line below the title"),
            Attribute(
                "paper",
                _term(*((name, "") for name in ("a5", "a4", "letter"))),
                meaning="the size of its pages (default: a5)",
            ),
            Attribute("color", COLOR, meaning="the color of headings and lines"),
            Attribute("cover", NAME, meaning="the template of its cover, a file in templates/"),
            Attribute(
                "chapters",
                _term(("page", "each on a new page"), ("continuous", "one below the other")),
                meaning="where chapters begin (default: `page`)",
            ),
        ),
        (Occurs(chapter, 0, _CHAPTERS), Occurs(overview, 0, 1), Occurs(index, 0, 1)),
        meaning="a game's rulebook",
    )


def _inlines() -> tuple[Occurs, ...]:
    """Return what may stand within text: two levels of it, which is as much as print needs."""
    icon = Shape(
        "icon", (Attribute("name", ID, required=True, meaning="its name"),), meaning="an icon"
    )
    line_break = Shape("br", meaning="a line break")
    ref = Shape(
        "ref",
        (
            Attribute("to", ID, required=True, meaning="the id of what it refers to"),
            Attribute(
                "form",
                _term(
                    ("full", "number and title"),
                    ("number", "only the number"),
                    ("title", "only the title"),
                    ("page", "the page number"),
                ),
                meaning="what it prints (default: `full`)",
            ),
        ),
        meaning="a cross reference",
    )
    leaves = tuple(Occurs(leaf, 0, _INLINES) for leaf in (icon, line_break, ref))
    kinds = (
        ("b", "bold text", ()),
        ("i", "italic text", ()),
        ("sc", "small capitals", ()),
        ("code", "program text, in a monospaced font", ()),
        (
            "term",
            "a term of the game, in small capitals and listed in the index",
            (Attribute("of", NAME, meaning="what the index lists, if it is not this word"),),
        ),
    )
    level: tuple[Occurs, ...] = leaves
    for _ in range(2):
        level = (
            *(Occurs(Shape(tag, attrs, level, text=True, meaning=meaning), 0, _INLINES)
              for tag, meaning, attrs in kinds),
            *leaves,
        )  # fmt: skip
    return level


def _blocks() -> tuple[Occurs, ...]:
    inlines = _inlines()
    p = Shape("p", (), inlines, text=True, meaning="a paragraph")
    style = Attribute(
        "style",
        _term(("bullet", ""), ("number", "1. 2. 3."), ("letter", "a) b) c)")),
        meaning="how items are marked (default: `bullet`)",
    )
    inner = Shape("item", (), inlines, text=True, meaning="an item")
    inner_list = Shape("list", (style,), (Occurs(inner, 1),), meaning="a list within an item")
    item = Shape("item", (), (*inlines, Occurs(inner_list)), text=True, meaning="an item")
    items = Shape("list", (style,), (Occurs(item, 1),), meaning="a list")
    definition = Shape(
        "definition",
        (_ID, Attribute("term", NAME, required=True, meaning="the term, as in the index")),
        inlines,
        text=True,
        meaning="what a term means; the index lists it",
    )
    table = _table(inlines)
    simple = (Occurs(p), Occurs(items), Occurs(table), Occurs(_limits(), 0, _LIMITS))
    title = Attribute("title", NAME, meaning="its title, which follows the word Example or Note")
    example = Shape("example", (title,), simple, meaning="an example, set apart")
    note = Shape("note", (title,), simple, meaning="a note, set apart")
    return (
        *simple,
        *map(Occurs, (definition, example, note, _figure(inlines))),
    )


def _table(inlines: tuple[Occurs, ...]) -> Shape:
    cell = Shape("cell", (), inlines, text=True, meaning="a cell")
    row = Shape(
        "row",
        (Attribute("head", YES_NO, meaning="`true` for a row of headings"),),
        (Occurs(cell, 1, _COLUMNS),),
        meaning="a row",
    )
    columns = Value(
        pattern=r"[lcr](?:\s+[lcr])*", words="a letter for each column: `l`, `c` or `r`"
    )
    return Shape(
        "table",
        (
            _ID,
            Attribute("title", NAME, meaning="its title"),
            Attribute(
                "columns", columns, meaning="how columns are aligned: left, centered or right"
            ),
        ),
        (Occurs(row, 1),),
        meaning="a table",
    )


def _limits() -> Shape:
    return Shape(
        "limits",
        (_ID, Attribute("title", NAME, meaning="its title")),
        meaning="a table of the deck limits in game.xml, for all formats",
    )


def _figure(inlines: tuple[Occurs, ...]) -> Shape:
    callout = Shape(
        "callout",
        (
            _ID,
            Attribute("x", _PLACE, required=True, meaning="where it points, from the left"),
            Attribute("y", _PLACE, required=True, meaning="where it points, from the top"),
        ),
        inlines,
        text=True,
        meaning="a letter that points at a spot on the card, with a text below",
    )
    card = Shape(
        "card",
        (
            Attribute("faction", ID, meaning="its faction; needed for cards, not for tokens"),
            Attribute("id", ID, required=True, meaning="its id; a token's is its rule's id"),
            Attribute("side", _term(("face", ""), ("back", "")), meaning="which side"),
            Attribute(
                "part", _PART, meaning="which of its faces, counted from 1, if it has several"
            ),
            Attribute("scale", _SCALE, meaning="its scale; 1 is the size of the card"),
        ),
        (Occurs(callout, 0, _CALLOUTS),),
        meaning="a card of the game",
    )
    marker = Shape(
        "marker",
        (
            Attribute("id", ID, required=True, meaning="its id in game.xml, or `damage/10`"),
            Attribute("scale", _SCALE, meaning="its scale; 1 is the size of the marker"),
        ),
        meaning="a marker of the game",
    )
    drawing = Shape(
        "drawing",
        (
            Attribute("template", NAME, required=True, meaning="a file in templates/"),
            Attribute("width", _MM, required=True, meaning="its width in mm"),
            Attribute("height", _MM, required=True, meaning="its height in mm"),
        ),
        meaning="a drawing in the template language",
    )
    return Shape(
        "figure",
        (_ID, Attribute("title", NAME, meaning="its caption")),
        (Occurs(card, 0, _PARTS), Occurs(marker, 0, _PARTS), Occurs(drawing, 0, _PARTS)),
        meaning="a figure: cards, markers and drawings side by side",
    )


def load_rulebook(folder: GameFolder, report: Report) -> Node | None:
    """Return the root element of the rulebook."""
    return load_valid(folder.rulebook_file, rulebook_shape(), report)
