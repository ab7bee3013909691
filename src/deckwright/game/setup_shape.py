"""The shape of `game.xml`."""

from __future__ import annotations

from deckwright.game.deck_rules import WHERE_PATTERN
from deckwright.game.markers import markers_shape
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    INTEGER,
    LENGTH,
    MAX_NUMBER,
    NAME,
    TEXT,
    YES_NO,
    Occurs,
    Shape,
    Value,
    element,
    key,
    one_of,
    optional,
    required,
)

MAX_FEW, MAX_MANY = 50, 200
"""The largest numbers of elements of a kind: several times what any game needs.

They bound the time of loops over these elements for each card or style.
"""
_MAX_EXEMPTIONS, _MAX_FORMATS = 5, 15

OWN_ID = key("id", ID, "its id")
AUDIENCE = (
    optional("only", ID, "the only group of factions that may use it, by id"),
    optional("except", ID, "the group of factions that may not use it, by id"),
)
CONDITION = Value(
    pattern=WHERE_PATTERN,
    words="conditions such as `level>1 and costs<5` or `level=3 or class='Old Guard'`",
)
_NUMBER_PATTERN = r"\s*(?:0*[0-9]{1,4}|\{\{[^{}]*\}\})\s*"
_NUMBER = Value(
    pattern=_NUMBER_PATTERN,
    words="a whole number from 0 to 9999, or a formula such as `{{ identity.influence + 2 }}`",
)
_MEASURE = Value(
    pattern=r"[\w\s.*+-]+", words="a sum of fields with numbers, such as `strength + 2*actions`"
)


def deck_rules_shape() -> Shape:
    """Return the shape of `deck` in `game.xml`."""
    zone = element(
        "zone",
        "a part of a deck; a card goes to the first zone that admits it",
        OWN_ID,
        required("name", NAME, "its name in print"),
        optional("where", CONDITION, "admits only cards for which this holds"),
        optional("back", NAME, "the template of the back that all its cards share"),
        optional(
            "main",
            YES_NO,
            "`true` for the main deck in programs with a sideboard (default: the first "
            "zone without a condition)",
        ),
        *AUDIENCE,
    )
    free = element(
        "free",
        "cards that the limit does not count while the deck has enough others",
        required("where", CONDITION, "the cards that it applies to"),
        required("min", INTEGER, "how many copies of cards with other names it needs"),
        optional("others", CONDITION, "which other cards count (default: all)"),
        optional("same", ID, "the field in which they must match the card"),
    )
    limit = element(
        "limit",
        "a limit that decks must keep to",
        OWN_ID,
        required("name", NAME, "its name in messages and print"),
        required("zone", ID, "the zone whose cards it counts"),
        optional("where", CONDITION, "counts only cards for which this holds"),
        optional("sum", ID, "adds up this field instead of counting copies"),
        optional("distinct", ID, "counts the different values of this field instead of copies"),
        optional("per", ID, "applies to each value of this field separately"),
        optional(
            "faction",
            one_of(("own", "of the deck's main faction only")),
            "`own`: cards must be of the deck's main faction",
        ),
        optional(
            "decks", NAME, "applies only to decks of these factions: ids, separated by commas"
        ),
        optional("min", _NUMBER, "the least allowed"),
        optional("max", _NUMBER, "the most allowed"),
        optional("exactly", _NUMBER, "the only number allowed"),
        optional(
            "severity",
            one_of("error", "warning"),
            "whether breaking it stops the deck from printing",
        ),
        Occurs(free, 0, _MAX_EXEMPTIONS),
    )
    change = Shape(
        "set",
        (
            required("limit", ID, "the id of a limit"),
            required(
                "value",
                Value(pattern=f"off|{_NUMBER_PATTERN}", words="a number as in limits, or `off`"),
                "its number in this format, or `off`",
            ),
        ),
    )
    deck_format = element(
        "format",
        "a named set of changes to the limits",
        OWN_ID,
        required("name", NAME, "its name in print"),
        optional("default", YES_NO, "`true` for the format of decks that name none"),
        Occurs(change, 0, MAX_MANY),
    )
    opening = element(
        "opening",
        "the hand that players begin with, for odds and sample hands",
        required("hand", Value(kind="integer", minimum=1), "how many cards are drawn"),
        optional("zone", ID, "the zone that they are drawn from (default: the main deck)"),
        optional(
            "redraws",
            INTEGER,
            "how many of them may be replaced once, and are then shuffled back (default: none)",
        ),
        optional(
            "mulligans",
            INTEGER,
            "how often the whole hand may be shuffled back and drawn again (default: never)",
        ),
        optional("draws", INTEGER, "how many cards are drawn in each turn (default: none)"),
    )
    return element(
        "deck",
        "how decks are built",
        optional("worth", _MEASURE, "how strong a card is; the best decks have the highest total"),
        optional(
            "cost",
            _MEASURE,
            "what a card costs (default: the field that the first limit on a sum over all cards of "
            "its zone keeps low)",
        ),
        Occurs(opening, 0, 1),
        Occurs(zone, 1, MAX_FEW),
        Occurs(limit, 0, MAX_MANY),
        Occurs(deck_format, 0, _MAX_FORMATS),
        prunable=("limit", "opening"),
    )


_COUNT = Value(kind="integer", minimum=1, maximum=999)
_CHANCE = Value(kind="decimal", minimum=0, maximum=1)
WORDS_FOLDER = "Words"
_FILE = Value(
    pattern=r"[^/\\.][^/\\]*", words=f"the name of a file in xml/{WORDS_FOLDER}, such as nouns.txt"
)


def generator_shape() -> Shape:
    """Return the shape of `generator` in `game.xml`."""
    where = optional("where", CONDITION, "only cards for which this holds")
    part = element(
        "part",
        "a part of a deck; the first faction of the first part is that of the deck",
        required("cards", _COUNT, "how many cards of each faction"),
        optional("houses", _COUNT, "how many factions it combines (default: 1)"),
        where,
        *AUDIENCE,
    )
    rarity = element(
        "rarity",
        "how often cards of a rarity are drawn; rarities that are not listed never are",
        key("is", NAME, "the value of the field"),
        optional("weight", INTEGER, "how often, relative to the others (default: 1)"),
    )
    chance = required("chance", _CHANCE, "the probability for each card, from 0 to 1")
    maverick = element(
        "maverick", "cards of another faction that replace a deck's own", chance, where
    )
    legacy = element(
        "legacy",
        "cards that enter a deck only by this chance",
        chance,
        required("where", CONDITION, "which cards"),
    )
    least = optional("min", _COUNT, "the least number of their copies in total (default: 1)")
    pair = element(
        "pair",
        "cards that need others",
        required("where", CONDITION, "if the deck has such a card"),
        required("with", CONDITION, "it must also have such cards"),
        least,
    )
    must = element(
        "must",
        "cards that every deck has",
        required("where", CONDITION, "which cards"),
        least,
    )
    return element(
        "generator",
        "how `deckwright generate` makes decks that are all different",
        optional("prefix", ID, "what the ids of decks begin with (default: `D`)"),
        optional("format", ID, "the format of these decks, by id"),
        optional("copies", _COUNT, "the most copies of a card (default: as many as limits allow)"),
        optional("rarity", ID, "the field that says how rare a card is"),
        Occurs(part, 0, MAX_FEW),
        Occurs(rarity, 0, MAX_FEW),
        Occurs(maverick, 0, 1),
        Occurs(legacy, 0, 1),
        Occurs(pair, 0, MAX_MANY),
        Occurs(must, 0, MAX_MANY),
        Occurs(_names_shape(), 0, 1),
        Occurs(_booster_shape(), 0, MAX_FEW),
    )


def _names_shape() -> Shape:
    file = required("file", _FILE, "a text file in xml/Words with one word a line")
    listed = element("list", "a word list for names", OWN_ID, file)
    pattern = element(
        "pattern",
        "a pattern for names",
        required(
            "is",
            NAME,
            "a text with ids of lists, such as `{{ adjective }} {{ noun }}`; `{{ faction }}` is "
            "the name of the deck's faction",
        ),
        optional("weight", _COUNT, "how often, relative to other patterns (default: 1)"),
    )
    forbidden = element("forbidden", "words that no name may contain", file)
    return element(
        "names",
        "the names of decks",
        optional("unique", YES_NO, "`false`: decks may have the same name"),
        Occurs(listed, 0, MAX_FEW),
        Occurs(pattern, 1, MAX_FEW),
        Occurs(forbidden, 0, MAX_FEW),
    )


def _booster_shape() -> Shape:
    sheet = element(
        "sheet",
        "cards that are printed together",
        required("where", CONDITION, "which cards"),
        optional("copies", _COUNT, "how often each card is on the printed sheet (default: 1)"),
    )
    slot = element(
        "slot",
        "cards of a booster that are cut from the same printed sheet",
        optional("cards", _COUNT, "how many (default: 1)"),
        optional(
            "balanced",
            YES_NO,
            "`true`: each booster has about the same number of cards of each faction",
        ),
        Occurs(sheet, 1, MAX_FEW),
    )
    return element(
        "booster",
        "a pack of cards without duplicates",
        OWN_ID,
        required("name", NAME, "its name in print"),
        optional("format", ID, "the format by whose limits it is checked, by id"),
        optional("box", _COUNT, "how many boosters share their sheets (default: 24)"),
        Occurs(slot, 1, MAX_FEW),
    )


_MAX_FIELDS, _MAX_VERY_MANY = 100, 1000
"""The largest numbers of elements of a kind, as above."""

_MAX_TURNS = 20
"""The largest number of turns over which tokens are counted."""
XML_NAME = Value(
    pattern="[A-Za-z_][A-Za-z0-9_.-]*",
    words="a name of letters, digits, `_`, `-` and `.`, beginning with a letter",
)

SYMBOL = Value(
    pattern="[A-Za-z][A-Za-z0-9_-]*",
    words="an id of letters, digits, `_` and `-`, beginning with a letter",
)

_BOUND = Value(kind="decimal", minimum=-MAX_NUMBER, maximum=MAX_NUMBER, words="a number")

_UNIQUE = Value(
    pattern=r"\s*(?:name|faction|race)(?:\s+(?:name|faction|race))*\s*",
    words="some of `name`, `faction` and `race`, such as `name faction`",
)

_TYPE_ALIASES = tuple(
    (word, name)
    for name, words in (
        ("flag", "boolean bool yesno checkbox"),
        ("integer", "int number whole"),
        ("decimal", "float double real"),
        ("text", "string str markup richtext"),
        ("term", "enum choice select option"),
        ("image", "picture img art file"),
        ("color", "colour"),
        ("card", "reference ref link"),
        ("list", "array tags"),
    )
    for word in words.split()
)
"""Words that users try for the types of fields."""
_FIELD_NAME = required("name", XML_NAME, "the attribute's name in the card files")
_FIELD = (
    required(
        "type",
        one_of(
            ("integer", "a whole number"),
            ("decimal", "a number such as 2.5"),
            ("text", "any text"),
            ("term", "a term of the vocabulary that `of` names"),
            ("flag", "`true` or `false`; false if left out"),
            ("rule", "the id of a special rule"),
            ("image", "the name of a file in img/"),
            ("color", "a color"),
            ("card", "the id of another card"),
            ("list", "several values, of the type or vocabulary that `of` names"),
        )._replace(aliases=_TYPE_ALIASES),
        "what it holds",
    ),
    optional(
        "of",
        ID,
        "for the type `term`, the id of the vocabulary; for `list`, the id of a vocabulary, or "
        "`text` (the default), `integer`, `decimal`, `card` or `color`",
    ),
    optional(
        "separator",
        Value(pattern=r"[\s\S]+", words="a separator such as `,`"),
        "for the type `list`, the separator of its values (default: `,`)",
    ),
    optional("min", _BOUND, "the smallest number allowed (default: 0)"),
    optional("max", _BOUND, "the largest number allowed"),
    optional("optional", ID, "`true`, or the id of the group that may leave it out"),
    optional("default", TEXT, "its value if it is left out; makes it optional"),
    optional(
        "find",
        NAME,
        "for the type `image`, where to find the picture of a card that names none, for "
        "example `{{ card.id }}.*`",
    ),
    optional("text", TEXT, "its name in print"),
    optional("icon", ID, "its icon"),
    optional("unit", NAME, "its unit, such as `mm`, printed after the number"),
    optional("ignored", YES_NO, "`true`: it is allowed, but ignored"),
    optional("picture", YES_NO, "`true`: the picture depends on it"),
    *AUDIENCE,
)


def game_shape() -> Shape:
    """Return the shape of `game.xml`."""
    word = element("word", "a printed word", OWN_ID, required("text", NAME))
    color = element(
        "color",
        "how a color name is printed",
        key("name", ID, "a color name in the factions file"),
        required("value", COLOR, "the color that is printed"),
    )
    style = "a TrueType or OpenType file in templates/"
    many = "; for a font in a collection, add `#` and its name or number"
    font = element(
        "font",
        "a font for the templates",
        OWN_ID,
        optional(
            "family",
            NAME,
            "a bundled family: Source Sans Pro, Source Serif Pro, IBM Plex Mono, or for names and "
            "covers Cinzel and Cinzel Black, whose small letters are small capitals",
        ),
        optional("regular", NAME, style + many),
        optional("bold", NAME, style),
        optional("italic", NAME, style),
        optional("bold-italic", NAME, style),
        optional(
            "weight",
            Value(kind="integer", minimum=1, maximum=1000),
            "for a variable font, the weight of the regular style (default: 400); bold is 700, or "
            "900 if this is 600 or more",
        ),
        optional(
            "fallback",
            NAME,
            "the ids of fonts for the characters that this one lacks, in order of preference, "
            "separated by commas",
        ),
    )
    exception = element(
        "exception",
        "a word that the hyphenation patterns of the language divide wrongly; also applies "
        "to longer words that begin or end with it",
        key(
            "word",
            Value(
                pattern="[^\\s0-9-]+(-[^\\s0-9-]+)*",
                words="a word with hyphens where it may be divided, such as Provi-ant",
            ),
            "the word, with hyphens where it may be divided; without hyphens, it is never divided",
        ),
    )
    group = element(
        "group",
        "a group of factions, defined by their races",
        OWN_ID,
        required("name", NAME, "its name in messages"),
        required("races", NAME, "race names, separated by commas"),
        optional("back", NAME, "the template of the back that all their cards share"),
    )
    symbol = element(
        "symbol",
        "a symbol of the game; texts print it where they have its id in braces",
        key("id", SYMBOL, "its id, which texts have in braces"),
        required("name", NAME, "its name"),
        optional("icon", ID, "an icon of the icon font"),
        optional("image", NAME, "an SVG drawing in img/, in its own colors"),
        optional("color", COLOR, "the icon's color (default: that of the text)"),
        optional("text", NAME, "what tables have in place of it, such as `[credit]`"),
    )
    ink = element(
        "ink",
        "an ink besides the process colors, or a tool such as a die, for print services; "
        "`foil`, `white`, `varnish` and `cut` are predefined",
        key("id", SYMBOL, "its id in the attribute `ink` of template elements"),
        optional("name", NAME, "the print shop's name for it, such as `PANTONE 871 C`"),
        optional("color", COLOR, "its color in PDF viewers"),
        optional(
            "seen",
            YES_NO,
            "whether elements printed with it show their own colors wherever the ink is not "
            "available (default: `true`; not for `white`, `varnish`, `cut`)",
        ),
        optional(
            "overprint",
            YES_NO,
            "`true`: it overprints other inks (default: only predefined inks do); otherwise "
            "nothing else is printed below it",
        ),
    )
    tokens = element(
        "tokens",
        "how many tokens are printed for a rule that creates them",
        required("minimum", INTEGER, "the fewest that are printed for a rule"),
        optional("budget", ID, "the field that pays the rule's cost"),
        optional(
            "turns",
            Value(kind="integer", minimum=1, maximum=_MAX_TURNS),
            "how many turns are counted, with one card played in each; if left out, "
            "each copy spends its budget once",
        ),
    )
    game = (
        required("name", NAME, "the game's name"),
        optional("author", TEXT, "the author, for the metadata of PDFs"),
        optional("version", TEXT, "the version of the game, for templates"),
        optional("date", TEXT, "the date of this version, for templates"),
        optional("watermark", TEXT, "a text across all printed faces, such as PLAYTEST"),
        optional(
            "public_key",
            Value(pattern="[A-Z2-7]{52}", words="52 capital letters and digits"),
            "the key that verifies the codes of decks, from `deckwright codes key`",
        ),
        optional(
            "set",
            ID,
            "the sets in which cards are numbered: `faction` (the default), `kind`, `game`, or a "
            "field whose values form the sets",
        ),
        required(
            "language",
            Value(pattern=r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?", words="a language code such as de"),
            "the language of its texts, for hyphenation",
        ),
    )
    sheet = element(
        "sheet",
        "how cards are laid out on paper",
        required("format", ID, "the sheet format for cards"),
        optional("backs", YES_NO, "`true`: decks are printed with their backs"),
        optional("reference", NAME, "the template of the rule reference; `no`: decks have none"),
        optional(
            "reference-styles",
            TEXT,
            "the styles in which decks are printed with the rule reference, separated by commas; "
            "empty for none (default: all styles)",
        ),
        optional("deck", NAME, "the template of a deck's first page"),
        optional("overview-cover", NAME, "the template of the overview's cover"),
        optional("overview-page", NAME, "the template of the background of its pages"),
        optional(
            "banner",
            NAME,
            "the template of the headings of factions, in the overview and in the rulebook",
        ),
        optional("banner-height", LENGTH, "the height of these headings in mm"),
    )
    return element(
        "game",
        "everything that Deckwright needs to know about the game",
        *game,
        _container("words", word, _MAX_VERY_MANY, parts=("word",)),
        _container("colors", color, _MAX_VERY_MANY),
        _container("fonts", font, MAX_FEW),
        _container("hyphenation", exception, _MAX_VERY_MANY),
        _container("symbols", symbol, _MAX_VERY_MANY),
        _container("inks", ink, MAX_FEW),
        Occurs(group, 0, MAX_MANY),
        Occurs(_vocabulary_shape(), 0, MAX_MANY),
        Occurs(_kind_shape(), 1, MAX_FEW),
        Occurs(_table_shape(), 0, MAX_MANY),
        Occurs(tokens, 0, 1),
        Occurs(deck_rules_shape(), 0, 1),
        Occurs(generator_shape(), 0, 1),
        Occurs(markers_shape(), 0, 1),
        Occurs(sheet, 0, 1),
        Occurs(_severities_shape(), 0, 1),
        prunable=("words", "markers", "severities"),
    )


def _vocabulary_shape() -> Shape:
    term = element(
        "term",
        "a term; any other attributes are for the templates",
        OWN_ID,
        required("name", NAME, "its name in print"),
        *AUDIENCE,
        free=TEXT,
    )
    return element(
        "vocabulary",
        "a list of terms, such as the rows of the battlefield",
        OWN_ID,
        optional("name", NAME, "its name in print, such as Rows"),
        Occurs(term, 1, _MAX_VERY_MANY),
    )


def _kind_shape() -> Shape:
    children = element(
        "children",
        "child elements that repeat, such as a card's rows",
        key("tag", XML_NAME, "the child element's name"),
        required("plural", ID, "the list's name in templates"),
        optional("min", INTEGER, "the fewest allowed"),
        optional("max", INTEGER, "the most allowed"),
        Occurs(Shape("field", (_FIELD_NAME, *_FIELD)), 1, _MAX_FIELDS),
    )
    return element(
        "kind",
        "a kind of card",
        key("tag", XML_NAME, "the element's name in the card files"),
        required("name", NAME, "its name in print"),
        optional("token", YES_NO, "`true` for the kind that rules create"),
        required("width", LENGTH, "width of the trim box in mm"),
        required("height", LENGTH, "height of the trim box in mm"),
        required("face", NAME, "its template, a file in templates/"),
        optional("back", NAME, "the template of its back"),
        optional("safe", LENGTH, "the distance of texts from the edge (default: 2 mm)"),
        optional("bleed", LENGTH, "how far faces extend beyond the trim box (default: 0)"),
        optional(
            "radius", LENGTH, "the radius of its corners, if a machine cuts it out (default: 3 mm)"
        ),
        optional("stock", TEXT, "the stock that it is printed on, such as `310 g/m², black core`"),
        optional("parts", ID, "the field with the number of faces of a copy"),
        optional(
            "unique",
            _UNIQUE,
            "the attributes in which, taken together, no two of its cards may be alike",
        ),
        Occurs(
            element(
                "field",
                "an attribute of the card",
                _FIELD_NAME._replace(unique=True),
                *_FIELD,
                optional(
                    "value",
                    NAME,
                    "computes it, so that cards leave it out: `{{ strength + costs }}`",
                ),
            ),
            0,
            _MAX_FIELDS,
        ),
        Occurs(children, 0, MAX_FEW),
    )


_MAX_TITLES = 1000
"""The lowest row in which titles are expected."""


def _table_shape() -> Shape:
    column = element(
        "column",
        "a column whose title is not the name of what it contains",
        optional(
            "name",
            NAME,
            "its title, or its letter if it has none or repeats another; left out for a value that "
            "all cards have",
        ),
        optional(
            "to",
            ID,
            "what it contains: a field, `id`, `name`, `faction_id`, `kind`, the tag of children, "
            "or `amount`, how many copies of each card a deck has; left out for notes, which are "
            "ignored",
        ),
        optional("value", TEXT, "a value for all cards, instead of a title"),
        optional("deck", NAME, "for amounts, the name of their deck (default: that of the table)"),
        optional("separator", TEXT, "the separator of several values in a cell (default: `;`)"),
        optional("markup", one_of("html", "own"), "the markup of its texts (default: the table's)"),
    )
    return element(
        "table",
        "cards in a spreadsheet, one row a card; it is read each time",
        required(
            "file", NAME, "a file in xml/Factions: CSV, XLSX, ODS, or JSON with a list of objects"
        ),
        optional(
            "url",
            NAME,
            "where the table is published, an address with `https://`; `deckwright pull` fetches "
            "the file from there",
        ),
        optional("tab", NAME, "the tab of the workbook, or where the list is in JSON"),
        optional(
            "titles",
            Value(kind="integer", maximum=_MAX_TITLES),
            "the number of the row with the titles; `0`: there is none, and columns are named by "
            "their letters (default: the first row that is not empty)",
        ),
        optional("kind", ID, "the kind of its cards (default: the only one)"),
        optional(
            "markup",
            one_of("html", "own"),
            "`html`: its texts have tags such as `<b>` (default: `own`, such as `*bold*`)",
        ),
        optional("faction", ID, "the faction of cards that name none (default: the only one)"),
        optional(
            "deck", NAME, "the name of the deck that the amounts form (default: the file's name)"
        ),
        Occurs(column, 0, MAX_MANY),
    )


def _container(tag: str, shape: Shape, maximum: int, parts: tuple[str, ...] = ()) -> Occurs:
    """Return an optional element that only contains others."""
    return Occurs(element(tag, "", Occurs(shape, 0, maximum), prunable=parts), 0, 1)


def _severities_shape() -> Shape:
    severity = element(
        "severity",
        "the severity of a code in this game",
        key("code", ID, "the code of a warning or info, such as R020"),
        required("is", one_of("error", "warning", "info", "off"), "how it is reported"),
    )
    return element(
        "severities",
        "changes to the usual severities of `deckwright check`",
        Occurs(severity, 0, _MAX_VERY_MANY),
        prunable=("severity",),
    )
