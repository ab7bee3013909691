"""The shape of `rulebook.xml`, and its loader."""

from __future__ import annotations

from deckwright.base.files import path_exists
from deckwright.base.findings import Location, Report
from deckwright.game.folder import GameFolder
from deckwright.game.read import load_valid
from deckwright.game.translation import replace_book, translate
from deckwright.xmlio.load import X006
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    LENGTH,
    NAME,
    YES_NO,
    Occurs,
    Shape,
    Value,
    element,
    one_of,
    optional,
    required,
)

_MAX_CHAPTERS = 200
"""The largest number of chapters; each may begin a page."""
_MAX_LIMITS = 10
"""The largest number of limit tables in one place."""
_MAX_INLINES = 2000
"""The largest number of inline elements of a kind in a paragraph."""
_MAX_PARTS = 50
"""The largest number of cards, markers or drawings in a figure."""
_MAX_CALLOUTS = 100
"""The largest number of callouts of a card."""
_MAX_COLUMNS = 20
"""The largest number of cells in a row: narrower ones have no room for a letter."""

_PLACE = Value(pattern=r"-?[0-9]+(?:\.[0-9]+)?", words="a number of mm, such as 12.5")
_SCALE = Value(
    pattern=r"0?\.[0-9]{0,3}[1-9][0-9]{0,3}|[1-9](?:\.[0-9]{1,4})?", words="a factor such as 0.8"
)
_PART = Value(kind="integer", minimum=1, maximum=99)
_ID = optional("id", ID, "its name in cross references")
_TITLE = required("title", NAME, "its title")
_STYLE_ATTRIBUTES = (
    optional("only", ID, "the only style in which it is printed"),
    optional("except", ID, "a style in which it is left out"),
)


def rulebook_shape() -> Shape:
    """Return the shape of `rulebook.xml`."""
    blocks = _block_shapes()
    section: tuple[Occurs, ...] = ()
    # Chapters and three levels of sections: 1, 1.1, 1.1.1, and one with roman numerals.
    for meaning in ("a section of the fourth level", "a section of the third level", "a section"):
        section = (Occurs(element("section", meaning, _ID, _TITLE, *blocks, *section)),)
    chapter = element("chapter", "a chapter", _ID, _TITLE, *blocks, *section)
    overview = element(
        "overview",
        "a chapter with its own text, then all factions, their cards and rules",
        _ID,
        _TITLE,
        *blocks,
    )
    index = element("index", "an index of all terms", _ID, _TITLE)
    return element(
        "rulebook",
        "a game's rulebook",
        _TITLE,
        optional("subtitle", NAME, "the line below the title"),
        optional("paper", one_of("a5", "a4", "letter"), "the size of its pages (default: a5)"),
        optional("color", COLOR, "the color of headings and lines"),
        optional("cover", NAME, "the template of its cover, a file in templates/"),
        optional("back", NAME, "the template of its last page"),
        optional("page", NAME, "the template drawn beneath the text of its pages"),
        optional("heading", NAME, "the template of the headings of chapters"),
        optional("heading-height", LENGTH, "the height of these headings in mm"),
        optional("section-heading", NAME, "the template of the headings of sections in chapters"),
        optional("section-heading-height", LENGTH, "the height of these headings in mm"),
        optional(
            "chapters",
            one_of(("page", "each on a new page"), ("continuous", "one below the other")),
            "where chapters begin (default: `page`)",
        ),
        optional("contents", YES_NO, "whether it has a table of contents (default: `true`)"),
        Occurs(chapter, 0, _MAX_CHAPTERS),
        Occurs(overview, 0, 1),
        Occurs(index, 0, 1),
    )


def _inline_shapes() -> tuple[Occurs, ...]:
    """Return the inline elements, nested up to two levels, as deep as print needs."""
    icon = element("icon", "an icon", required("name", ID, "its name"))
    line_break = element("br", "a line break")
    ref = element(
        "ref",
        "a cross reference",
        required("to", ID, "the id of what it refers to"),
        optional(
            "form",
            one_of(
                ("full", "number and title"),
                ("number", "only the number"),
                ("title", "only the title"),
                ("page", "the page number"),
            ),
            "what it prints (default: `full`)",
        ),
    )
    leaves = tuple(Occurs(leaf, 0, _MAX_INLINES) for leaf in (icon, line_break, ref))
    kinds = (
        ("b", "bold text", ()),
        ("i", "italic text", ()),
        ("sc", "small capitals", ()),
        ("code", "program text, in a monospaced font", ()),
        (
            "term",
            "a term of the game, in small capitals and listed in the index",
            (optional("of", NAME, "its entry in the index, if not the printed word"),),
        ),
    )
    level: tuple[Occurs, ...] = leaves
    for _ in range(2):
        level = (
            *(Occurs(element(tag, meaning, *attrs, *level, text=True), 0, _MAX_INLINES)
              for tag, meaning, attrs in kinds),
            *leaves,
        )  # fmt: skip
    return level


def _block_shapes() -> tuple[Occurs, ...]:
    inlines = _inline_shapes()
    p = element("p", "a paragraph", *_STYLE_ATTRIBUTES, *inlines, text=True)
    style = optional(
        "style",
        one_of("bullet", ("number", "1. 2. 3."), ("letter", "a) b) c)")),
        "how items are marked (default: `bullet`)",
    )
    inner = element("item", "an item", *inlines, text=True)
    inner_list = element("list", "a list within an item", style, Occurs(inner, 1))
    item = element("item", "an item", *inlines, Occurs(inner_list), text=True)
    items = element("list", "a list", style, Occurs(item, 1))
    definition = element(
        "definition",
        "an explanation of a term, which the index lists",
        _ID,
        required("term", NAME, "the term, as in the index"),
        *inlines,
        text=True,
    )
    cell = element("cell", "a cell", *inlines, text=True)
    row = element(
        "row",
        "a row",
        optional("head", YES_NO, "`true` for a row of headings"),
        Occurs(cell, 1, _MAX_COLUMNS),
    )
    columns = Value(
        pattern=r"[lcr](?:\s+[lcr])*", words="a letter for each column: `l`, `c` or `r`"
    )
    table = element(
        "table",
        "a table",
        _ID,
        optional("title", NAME, "its title"),
        optional("columns", columns, "how columns are aligned: left, centered or right"),
        *_STYLE_ATTRIBUTES,
        Occurs(row, 1),
    )
    limits = element(
        "limits",
        "a table of the deck limits in game.xml, for all formats",
        _ID,
        optional("title", NAME, "its title"),
    )
    simple = (Occurs(p), Occurs(items), Occurs(table), Occurs(limits, 0, _MAX_LIMITS))
    title = optional("title", NAME, "its title, which follows the word Example or Note")
    example = element("example", "an example, set apart", title, *simple)
    note = element("note", "a note, set apart", title, *simple)
    return (*simple, *map(Occurs, (definition, example, note, _figure_shape(inlines))))


def _figure_shape(inlines: tuple[Occurs, ...]) -> Shape:
    callout = element(
        "callout",
        "a letter that points at a spot on the card, explained below the figure or beside it",
        _ID,
        required("x", _PLACE, "its distance from the left edge of the card"),
        required("y", _PLACE, "its distance from the upper edge of the card"),
        *inlines,
        text=True,
    )
    card = element(
        "card",
        "a card of the game",
        optional("faction", ID, "its faction; needed for cards, not for tokens"),
        required("id", ID, "its id; a token's is its rule's id"),
        optional("side", one_of("face", "back"), "the side to show (default: `face`)"),
        optional("part", _PART, "which of its faces, counted from 1, if it has several"),
        optional("scale", _SCALE, "its scale; 1 is the size of the card"),
        Occurs(callout, 0, _MAX_CALLOUTS),
    )
    marker = element(
        "marker",
        "a marker of the game",
        required("id", ID, "its id in game.xml, or its id and value, such as `damage/10`"),
        optional("scale", _SCALE, "its scale; 1 is the size of the marker"),
    )
    drawing = element(
        "drawing",
        "a drawing in the template language",
        required("template", NAME, "a file in templates/"),
        required("width", LENGTH, "its width in mm"),
        required("height", LENGTH, "its height in mm"),
    )
    return element(
        "figure",
        "a figure: cards, markers and drawings side by side; numbered if it has an id or a title, "
        "else at the foot of the page if it ends a chapter",
        _ID,
        optional("title", NAME, "its caption"),
        optional(
            "legend",
            one_of("below", "beside"),
            "where the texts of callouts stand (default: `below`)",
        ),
        *_STYLE_ATTRIBUTES,
        Occurs(card, 0, _MAX_PARTS),
        Occurs(marker, 0, _MAX_PARTS),
        Occurs(drawing, 0, _MAX_PARTS),
    )


def load_rulebook(folder: GameFolder, report: Report) -> Node | None:
    """Return the root element of the rulebook."""
    if not path_exists(folder.rulebook_file):
        hint = (
            'begin it with `<rulebook title="…"><chapter title="…"><p>…</p></chapter></rulebook>`; '
            "a game of `deckwright new` has an example"
        )
        report.append(X006.at(Location(folder.rulebook_file), "there is no such file", hint))
        return None
    root = load_valid(folder.rulebook_file, rulebook_shape(), report)
    return root and translate(root, replace_book)
