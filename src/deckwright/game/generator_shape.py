"""The shape of `generator` in `game.xml`: how decks that are all different are made."""

from __future__ import annotations

from deckwright.game.deck_shape import AUDIENCE, CONDITION, MANY, OWN_ID, SOME
from deckwright.xmlio.shape import (
    ID,
    NAME,
    WHOLE,
    YES_NO,
    Occurs,
    Shape,
    Value,
    element,
    key,
    optional,
    required,
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
        optional("houses", _COUNT, "how many factions it mixes (default: 1)"),
        where,
        *AUDIENCE,
    )
    rarity = element(
        "rarity",
        "how often cards of a rarity are drawn; those of others never are",
        key("is", NAME, "the value of the field"),
        optional("weight", WHOLE, "how often, compared with the others (default: 1)"),
    )
    chance = required("chance", _CHANCE, "how likely that is for each card, from 0 to 1")
    maverick = element(
        "maverick", "cards of another faction in the place of a deck's own", chance, where
    )
    legacy = element(
        "legacy",
        "cards that only chance brings into a deck",
        chance,
        required("where", CONDITION, "which cards"),
    )
    least = optional("min", _COUNT, "at least so many copies of these in all (default: 1)")
    pair = element(
        "pair",
        "cards that do not come alone",
        required("where", CONDITION, "if the deck has such a card"),
        required("with", CONDITION, "it has such cards, too"),
        least,
    )
    must = element(
        "must",
        "what every deck has",
        required("where", CONDITION, "such cards"),
        least,
    )
    return element(
        "generator",
        "how `deckwright generate` makes decks that are all different",
        optional("prefix", ID, "how the ids of decks begin (default: `D`)"),
        optional("format", ID, "the format of these decks, by id"),
        optional("copies", _COUNT, "the most copies of a card (default: what limits allow)"),
        optional("rarity", ID, "the field that says how rare a card is"),
        Occurs(part, 0, SOME),
        Occurs(rarity, 0, SOME),
        Occurs(maverick, 0, 1),
        Occurs(legacy, 0, 1),
        Occurs(pair, 0, MANY),
        Occurs(must, 0, MANY),
        Occurs(_names(), 0, 1),
        Occurs(_booster(), 0, SOME),
    )


def _names() -> Shape:
    file = required("file", _FILE, "a text file in xml/Words with a word in each line")
    listed = element("list", "words for names", OWN_ID, file)
    pattern = element(
        "pattern",
        "what names are like",
        required(
            "is",
            NAME,
            "a text with ids of lists, such as `{{ adjective }} {{ noun }}`; `{{ faction }}` is "
            "the name of the deck's faction",
        ),
        optional("weight", _COUNT, "how often, compared with other patterns (default: 1)"),
    )
    forbidden = element("forbidden", "what no name may hold", file)
    return element(
        "names",
        "what decks are called",
        optional("unique", YES_NO, "`false`: decks may have the same name"),
        Occurs(listed, 0, SOME),
        Occurs(pattern, 1, SOME),
        Occurs(forbidden, 0, SOME),
    )


def _booster() -> Shape:
    sheet = element(
        "sheet",
        "cards that are printed together",
        required("where", CONDITION, "which cards"),
        optional("copies", _COUNT, "how often each is on the printed sheet (default: 1)"),
    )
    slot = element(
        "slot",
        "cards of a booster that are cut from the same printed sheet",
        optional("cards", _COUNT, "how many (default: 1)"),
        optional("balanced", YES_NO, "`true`: each booster has about as many of each faction"),
        Occurs(sheet, 1, SOME),
    )
    return element(
        "booster",
        "a pack of cards, none of them twice",
        OWN_ID,
        required("name", NAME, "its name in print"),
        optional("format", ID, "the format by whose limits it is checked, by id"),
        optional("box", _COUNT, "how many boosters share their sheets (default: 24)"),
        Occurs(slot, 1, SOME),
    )
