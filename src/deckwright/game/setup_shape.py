"""The shape of `game.xml`."""

from __future__ import annotations

from deckwright.game.conditions import PATTERN
from deckwright.game.markers import markers_shape
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    NAME,
    TEXT,
    YES_NO,
    Attribute,
    Occurs,
    Shape,
    Value,
)

_FORMATS, _SOME, _FIELDS, _MANY, _VERY_MANY = 15, 50, 100, 200, 1000
"""How many elements of a kind there may be: several times what any game needs.

Most of them are sought through for each card, or drawn for each style.
"""

_ID = Attribute("id", ID, required=True, meaning="its id")
_TURNS = 20
"""The most turns for which tokens are counted; a game has no deck that needs more of them."""
SIZE = Value(pattern=r"[0-9]+(?:\.[0-9]+)?", words="a length in mm, such as 65 or 63.5")
COUNT = Value(kind="integer", minimum=0, maximum=9999)
CONDITION = Value(
    pattern=PATTERN,
    words="conditions such as `level>1 and costs<5` or `level=3 or class='Old Guard'`",
)
XML_NAME = Value(
    pattern="[A-Za-z_][A-Za-z0-9_.-]*",
    words="a name of letters, digits, `_`, `-` and `.`, beginning with a letter",
)

SYMBOL = Value(
    pattern="[A-Za-z][A-Za-z0-9_-]*",
    words="an id of letters, digits, `_` and `-`, beginning with a letter",
)

_AUDIENCE = (
    Attribute("only", ID, meaning="the only group of factions that may use it, by id"),
    Attribute("except", ID, meaning="the group of factions that may not use it, by id"),
)
_FIELD = (
    Attribute("name", XML_NAME, required=True, meaning="the attribute's name in the card files"),
    Attribute(
        "type",
        Value(
            kind="term",
            terms=(
                ("integer", "a whole number"),
                ("text", "any text"),
                ("term", "a term of the vocabulary that `of` names"),
                ("flag", "`true` or `false`; false if left out"),
                ("rule", "the id of a special rule"),
                ("image", "the name of a file in img/"),
                ("color", "a color"),
            ),
        ),
        required=True,
        meaning="what it holds",
    ),
    Attribute("of", ID, meaning="for the type `term`, the id of the vocabulary"),
    Attribute("min", COUNT, meaning="the smallest number allowed"),
    Attribute("max", COUNT, meaning="the largest number allowed"),
    Attribute("optional", ID, meaning="`true`, or the id of the group that may leave it out"),
    Attribute("default", TEXT, meaning="the value if it is left out"),
    Attribute("text", TEXT, meaning="its name in print"),
    Attribute("icon", ID, meaning="its icon"),
    Attribute("ignored", YES_NO, meaning="`true`: it is allowed, but ignored"),
    Attribute("picture", YES_NO, meaning="`true`: the picture depends on it"),
    *_AUDIENCE,
)


def game_shape() -> Shape:
    """Return the shape of `game.xml`."""
    word = Shape("word", (_ID, Attribute("text", NAME, required=True)), meaning="a printed word")
    color = Shape(
        "color",
        (
            Attribute("name", ID, required=True, meaning="a color name in the factions file"),
            Attribute("value", COLOR, required=True, meaning="the color that is printed"),
        ),
        meaning="how a color name is printed",
    )
    style = "a TrueType file in templates/"
    font = Shape(
        "font",
        (
            _ID,
            Attribute(
                "family",
                NAME,
                meaning="a bundled family: Source Sans Pro, Source Serif Pro, IBM Plex Mono, or "
                "for names and covers Cinzel and Cinzel Black, whose small letters are small "
                "capitals",
            ),
            Attribute("regular", NAME, meaning=style),
            Attribute("bold", NAME, meaning=style),
            Attribute("italic", NAME, meaning=style),
            Attribute("bold-italic", NAME, meaning=style),
        ),
        meaning="a font for the templates",
    )
    exception = Shape(
        "exception",
        (
            Attribute(
                "word",
                Value(
                    pattern="[^\\s0-9-]+(-[^\\s0-9-]+)*",
                    words="a word with hyphens where it may be divided, such as Provi-ant",
                ),
                required=True,
                meaning="the word, with hyphens where it may be divided; without any, it never is",
            ),
        ),
        meaning="a word that the usual patterns of the language divide wrongly; also applies "
        "to longer words that begin or end with it",
    )
    group = Shape(
        "group",
        (
            _ID,
            Attribute("name", NAME, required=True, meaning="its name in messages"),
            Attribute("races", NAME, required=True, meaning="race names, separated by commas"),
            Attribute("back", NAME, meaning="the template of the back that all their cards share"),
        ),
        meaning="a group of factions, defined by their races",
    )
    term = Shape(
        "term",
        (_ID, Attribute("name", NAME, required=True, meaning="its name in print"), *_AUDIENCE),
        free=TEXT,
        meaning="a term; any other attributes are for the templates",
    )
    vocabulary = Shape(
        "vocabulary",
        (_ID, Attribute("name", NAME, meaning="its name in print, such as Rows")),
        (Occurs(term, 1, _VERY_MANY),),
        unique=(("term", "id"),),
        meaning="a list of terms, such as the rows of the battlefield",
    )
    children = Shape(
        "children",
        (
            Attribute("tag", XML_NAME, required=True, meaning="the child element's name"),
            Attribute("plural", ID, required=True, meaning="the list's name in templates"),
            Attribute("min", COUNT, meaning="the fewest allowed"),
            Attribute("max", COUNT, meaning="the most allowed"),
        ),
        (Occurs(Shape("field", _FIELD), 1, _FIELDS),),
        meaning="child elements that repeat, such as a card's rows",
    )
    kind = Shape(
        "kind",
        (
            Attribute(
                "tag", XML_NAME, required=True, meaning="the element's name in the card files"
            ),
            Attribute("name", NAME, required=True, meaning="its name in print"),
            Attribute("token", YES_NO, meaning="`true` for the kind that rules create"),
            Attribute("width", SIZE, required=True, meaning="width of the trim box in mm"),
            Attribute("height", SIZE, required=True, meaning="height of the trim box in mm"),
            Attribute("face", NAME, required=True, meaning="its template, a file in templates/"),
            Attribute("back", NAME, meaning="the template of its back"),
            Attribute("safe", SIZE, meaning="how far texts stay from the edge (default: 2 mm)"),
            Attribute("bleed", SIZE, meaning="how far faces go beyond the trim box (default: 0)"),
            Attribute("parts", ID, meaning="the field that says how many faces a copy has"),
        ),
        (
            Occurs(Shape("field", _FIELD, meaning="an attribute of the card"), 0, _FIELDS),
            Occurs(children, 0, _SOME),
        ),
        unique=(("field", "name"), ("children", "tag")),
        meaning="a kind of card",
    )
    symbol = Shape(
        "symbol",
        (
            Attribute("id", SYMBOL, required=True, meaning="what texts have in braces for it"),
            Attribute("name", NAME, required=True, meaning="its name"),
            Attribute("icon", ID, meaning="an icon of the icon font"),
            Attribute("image", NAME, meaning="an SVG drawing in img/, in its own colors"),
            Attribute("color", COLOR, meaning="the icon's color (default: that of the text)"),
        ),
        meaning="a symbol of the game; texts print it with its id in braces",
    )
    tokens = Shape(
        "tokens",
        (
            Attribute("minimum", COUNT, required=True, meaning="the fewest printed for a rule"),
            Attribute("budget", ID, meaning="the field that pays the rule's cost"),
            Attribute(
                "turns",
                Value(kind="integer", minimum=1, maximum=_TURNS),
                meaning="how many turns are counted, with one card played in each; if left out, "
                "each copy spends its budget once",
            ),
        ),
        meaning="how many tokens are printed for a rule that creates them",
    )
    game = (
        Attribute("name", NAME, required=True, meaning="the game's name"),
        Attribute("author", TEXT, meaning="the author that PDFs name"),
        Attribute(
            "language",
            Value(pattern=r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?", words="a language code such as de"),
            required=True,
            meaning="the language of its texts, for hyphenation",
        ),
    )
    sheet = Shape(
        "sheet",
        (
            Attribute("format", ID, required=True, meaning="the sheet format for cards"),
            Attribute("backs", YES_NO, meaning="`true`: decks are printed with their backs"),
            Attribute("reference", NAME, meaning="the template of the rule reference"),
            Attribute("deck", NAME, meaning="the template of a deck's first page"),
            Attribute("overview-cover", NAME, meaning="the template of the overview's cover"),
        ),
        meaning="how cards are laid out on paper",
    )
    return Shape(
        "game",
        game,
        (
            _holder("words", word, "id", _VERY_MANY, parts=("word",)),
            _holder("colors", color, "name", _VERY_MANY),
            _holder("fonts", font, "id", _SOME),
            _holder("hyphenation", exception, "word", _VERY_MANY),
            _holder("symbols", symbol, "id", _VERY_MANY),
            Occurs(group, 0, _MANY),
            Occurs(vocabulary, 0, _MANY),
            Occurs(kind, 1, _SOME),
            Occurs(tokens, 0, 1),
            Occurs(_deck_rules(), 0, 1),
            Occurs(markers_shape(), 0, 1),
            Occurs(sheet, 0, 1),
            Occurs(_severities(), 0, 1),
        ),
        unique=(("group", "id"), ("vocabulary", "id"), ("kind", "tag")),
        parts=("words", "markers", "severities"),
        meaning="everything that Deckwright needs to know about the game",
    )


def _holder(tag: str, shape: Shape, name: str, most: int, parts: tuple[str, ...] = ()) -> Occurs:
    """Return an element that holds others, which differ in the attribute `name`."""
    unique = ((shape.tag, name),)
    return Occurs(Shape(tag, (), (Occurs(shape, 0, most),), unique=unique, parts=parts), 0, 1)


def _severities() -> Shape:
    severity = Shape(
        "severity",
        (
            Attribute("code", ID, required=True, meaning="the code of a warning, such as R020"),
            Attribute(
                "is",
                Value(kind="term", terms=(("error", ""), ("warning", ""), ("off", ""))),
                required=True,
                meaning="how it is reported",
            ),
        ),
        meaning="the severity of a code in this game",
    )
    return Shape(
        "severities",
        (),
        (Occurs(severity, 0, _VERY_MANY),),
        unique=(("severity", "code"),),
        parts=("severity",),
        meaning="changes to the usual severities of `deckwright check`",
    )


def _deck_rules() -> Shape:
    zone = Shape(
        "zone",
        (
            _ID,
            Attribute("name", NAME, required=True, meaning="its name in print"),
            Attribute("where", CONDITION, meaning="admits only cards for which this holds"),
            Attribute("back", NAME, meaning="the template of the back that all its cards share"),
            Attribute(
                "main",
                YES_NO,
                meaning="`true` for the main deck in programs with a sideboard (default: the first "
                "zone without a condition)",
            ),
            *_AUDIENCE,
        ),
        meaning="a part of a deck; a card goes to the first zone that admits it",
    )
    limit = Shape(
        "limit",
        (
            _ID,
            Attribute("name", NAME, required=True, meaning="its name in messages and print"),
            Attribute("zone", ID, required=True, meaning="the zone whose cards it counts"),
            Attribute("where", CONDITION, meaning="counts only cards for which this holds"),
            Attribute("sum", ID, meaning="adds up this field instead of counting copies"),
            Attribute("per", ID, meaning="applies to each value of this field separately"),
            Attribute(
                "faction",
                Value(kind="term", terms=(("own", "of the deck's main faction only"),)),
                meaning="`own`: cards must be of the deck's main faction",
            ),
            Attribute(
                "decks",
                NAME,
                meaning="applies only to decks of these factions: ids, separated by commas",
            ),
            Attribute("min", COUNT, meaning="the least allowed"),
            Attribute("max", COUNT, meaning="the most allowed"),
            Attribute("exactly", COUNT, meaning="the only number allowed"),
            Attribute(
                "severity",
                Value(kind="term", terms=(("error", ""), ("warning", ""))),
                meaning="whether breaking it stops the deck from printing",
            ),
        ),
        meaning="a limit that decks must keep to",
    )
    change = Shape(
        "set",
        (
            Attribute("limit", ID, required=True, meaning="the id of a limit"),
            Attribute(
                "value",
                Value(pattern="off|[0-9]{1,4}", words="a whole number or `off`"),
                required=True,
                meaning="its number in this format, or `off`",
            ),
        ),
    )
    deck_format = Shape(
        "format",
        (
            _ID,
            Attribute("name", NAME, required=True, meaning="its name in print"),
            Attribute("default", YES_NO, meaning="`true` for the format of decks that name none"),
        ),
        (Occurs(change, 0, _MANY),),
        meaning="a named set of changes to the limits",
    )
    return Shape(
        "deck",
        (),
        (Occurs(zone, 1, _SOME), Occurs(limit, 0, _MANY), Occurs(deck_format, 0, _FORMATS)),
        unique=(("zone", "id"), ("limit", "id"), ("format", "id")),
        parts=("limit",),
        meaning="how decks are built",
    )
