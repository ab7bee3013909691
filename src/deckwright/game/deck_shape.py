"""The shape of `deck` in `game.xml`: zones, limits, formats, and the hand to begin with."""

from __future__ import annotations

from deckwright.game.conditions import PATTERN
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
    one_of,
    optional,
    required,
)

SOME, MANY = 50, 200
"""How many elements of a kind there may be: several times what any game needs.

Most of them are sought through for each card, or drawn for each style.
"""
_FREE, _FORMATS = 5, 15

OWN_ID = key("id", ID, "its id")
AUDIENCE = (
    optional("only", ID, "the only group of factions that may use it, by id"),
    optional("except", ID, "the group of factions that may not use it, by id"),
)
CONDITION = Value(
    pattern=PATTERN,
    words="conditions such as `level>1 and costs<5` or `level=3 or class='Old Guard'`",
)
_WRITTEN = r"\s*(?:0*[0-9]{1,4}|\{\{[^{}]*\}\})\s*"
_NUMBER = Value(
    pattern=_WRITTEN,
    words="a whole number from 0 to 9999, or one that comes from the deck, such as "
    "`{{ identity.influence + 2 }}`",
)
_MEASURE = Value(
    pattern=r"[\w\s.*+-]+", words="a sum of fields with numbers, such as `strength + 2*actions`"
)


def deck_shape() -> Shape:
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
        required("where", CONDITION, "for which cards it is"),
        required("min", WHOLE, "how many copies of other cards it takes, with other names"),
        optional("others", CONDITION, "which others (default: any)"),
        optional("same", ID, "the field in which the others must be like the card"),
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
        Occurs(free, 0, _FREE),
    )
    change = Shape(
        "set",
        (
            required("limit", ID, "the id of a limit"),
            required(
                "value",
                Value(pattern=f"off|{_WRITTEN}", words="a number as in limits, or `off`"),
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
        Occurs(change, 0, MANY),
    )
    opening = element(
        "opening",
        "the hand that players begin with, for odds and sample hands",
        required("hand", Value(kind="integer", minimum=1), "how many cards are drawn"),
        optional("zone", ID, "the zone that they are drawn from (default: the main deck)"),
        optional(
            "redraws",
            WHOLE,
            "how many of them may be laid aside once for others, and then shuffled back (default: "
            "none)",
        ),
        optional(
            "mulligans",
            WHOLE,
            "how often the whole hand may be shuffled back and drawn again (default: never)",
        ),
        optional("draws", WHOLE, "how many cards are drawn in each turn (default: none)"),
    )
    return element(
        "deck",
        "how decks are built",
        optional("worth", _MEASURE, "what makes a card strong, which the best decks have most of"),
        optional(
            "cost",
            _MEASURE,
            "what a card costs (default: what the first limit keeps low that adds up a field of "
            "all cards of its zone)",
        ),
        Occurs(opening, 0, 1),
        Occurs(zone, 1, SOME),
        Occurs(limit, 0, MANY),
        Occurs(deck_format, 0, _FORMATS),
        parts=("limit", "opening"),
    )
