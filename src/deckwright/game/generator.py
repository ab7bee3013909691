"""The rules for generated decks and boosters, as given by `generator` in `game.xml`."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from deckwright.game.deck_rules import CONDITION, Where, parse_where
from deckwright.game.kinds import (
    MAX_FEW,
    MAX_MANY,
    OwnAudience,
    OwnId,
    PrintedName,
)
from deckwright.xmlio.binding import Annotated, Attr, Elements, omit
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import ID, NAME, YES_NO, Shape, Value

MILLION = 1_000_000
"""Chances are integers, in millionths, so that results are the same on every machine."""
_COUNT = Value(kind="integer", minimum=1, maximum=999)
WORDS_FOLDER = "Words"
_FILE = Value(
    pattern=r"[^/\\.][^/\\]*", words=f"the name of a file in xml/{WORDS_FOLDER}, such as nouns.txt"
)
_Cards = Annotated[Where, Attr("which cards", CONDITION, convert=parse_where)]
_OnlyCards = Annotated[
    Where, Attr("only cards for which this holds", CONDITION, default=(), convert=parse_where)
]


class DeckPart(NamedTuple):
    """A part of a deck; the first faction of the first part is that of the deck."""

    cards: Annotated[int, Attr("how many cards of each faction", _COUNT)]
    houses: Annotated[int, Attr("how many factions it combines (default: 1)", _COUNT, default=1)]
    where: _OnlyCards
    audience: OwnAudience
    source: Source


class ChanceDraw(NamedTuple):
    """Cards that appear in a deck by chance; `chance` is in millionths for each card drawn."""

    chance: Annotated[
        int,
        Attr(
            "the probability for each card, from 0 to 1",
            Value(kind="decimal", minimum=0, maximum=1),
            convert=lambda text: int(Decimal(text) * MILLION),
        ),
    ]
    where: _OnlyCards


def _require_where(shape: Shape) -> Shape:
    chance, where = shape.attributes
    return shape._replace(attributes=(chance, where._replace(required=True, meaning="which cards")))


class Requirement(NamedTuple):
    """Cards that need others.

    Attributes:
        when: applies only to decks with a card that matches this; to all if empty.
        min: the least number of copies of cards that match `where`.
    """

    when: Annotated[
        Where, Attr("if the deck has such a card", CONDITION, "where", convert=parse_where)
    ]
    where: Annotated[
        Where, Attr("it must also have such cards", CONDITION, "with", convert=parse_where)
    ]
    min: Annotated[
        int, Attr("the least number of their copies in total (default: 1)", _COUNT, default=1)
    ]
    source: Source


class _Must(NamedTuple):
    """Cards that every deck has."""

    where: _Cards
    min: Annotated[
        int, Attr("the least number of their copies in total (default: 1)", _COUNT, default=1)
    ]
    source: Source


class WordFile(NamedTuple):
    """A word list for names; `id` is "" for one without a name in patterns."""

    id: Annotated[str, Attr("its id", ID, default="", required=True, unique=True)]
    file: Annotated[str, Attr("a text file in xml/Words with one word a line", _FILE)]
    source: Source


class NamePattern(NamedTuple):
    """A pattern for names."""

    text: Annotated[
        str,
        Attr(
            "a text with ids of lists, such as `{{ adjective }} {{ noun }}`; `{{ faction }}` is "
            "the name of the deck's faction",
            NAME,
            "is",
        ),
    ]
    weight: Annotated[
        int, Attr("how often, relative to other patterns (default: 1)", _COUNT, default=1)
    ]
    source: Source


class DeckNames(NamedTuple):
    """The names of decks."""

    unique: Annotated[bool, Attr("`false`: decks may have the same name", YES_NO, default=True)]
    lists: Annotated[tuple[WordFile, ...], Elements("list", 0, MAX_FEW, "a word list for names")]
    patterns: Annotated[tuple[NamePattern, ...], Elements("pattern", 1, MAX_FEW)]
    forbidden: Annotated[
        tuple[WordFile, ...],
        Elements("forbidden", 0, MAX_FEW, "words that no name may contain", adapt=omit("id")),
    ]


class BoosterSheet(NamedTuple):
    """Cards that are printed together."""

    where: _Cards
    copies: Annotated[
        int, Attr("how often each card is on the printed sheet (default: 1)", _COUNT, default=1)
    ]


class BoosterSlot(NamedTuple):
    """Cards of a booster that are cut from the same printed sheet."""

    cards: Annotated[int, Attr("how many (default: 1)", _COUNT, default=1)]
    balanced: Annotated[
        bool,
        Attr(
            "`true`: each booster has about the same number of cards of each faction",
            default=False,
        ),
    ]
    sheets: Annotated[tuple[BoosterSheet, ...], Elements("sheet", 1, MAX_FEW)]
    source: Source


class Booster(NamedTuple):
    """A pack of cards without duplicates."""

    id: OwnId
    name: PrintedName
    format: Annotated[str | None, Attr("the format by whose limits it is checked, by id", ID)]
    box: Annotated[
        int, Attr("how many boosters share their sheets (default: 24)", _COUNT, default=24)
    ]
    slots: Annotated[tuple[BoosterSlot, ...], Elements("slot", 1, MAX_FEW)]
    source: Source


class _Rarity(NamedTuple):
    """How often cards of a rarity are drawn; rarities that are not listed never are."""

    value: Annotated[str, Attr("the value of the field", NAME, "is", unique=True)]
    weight: Annotated[int, Attr("how often, relative to the others (default: 1)", default=1)]


class Generator(NamedTuple):
    """How `deckwright generate` makes decks that are all different.

    Attributes:
        format: None for the default.
        rarity: None if all cards are equally rare.
        maverick: cards of another faction that replace one of the deck's own.
        legacy: cards that only appear by chance.
    """

    prefix: Annotated[str, Attr("what the ids of decks begin with (default: `D`)", ID, default="D")]
    format: Annotated[str | None, Attr("the format of these decks, by id", ID)]
    copies: Annotated[
        int | None, Attr("the most copies of a card (default: as many as limits allow)", _COUNT)
    ]
    rarity: Annotated[str | None, Attr("the field that says how rare a card is", ID)]
    parts: Annotated[tuple[DeckPart, ...], Elements("part", 0, MAX_FEW)]
    weights: Annotated[Mapping[str, int], Elements("rarity", 0, MAX_FEW, of=_Rarity, convert=dict)]
    maverick: Annotated[
        ChanceDraw | None,
        Elements("maverick", 0, 1, "cards of another faction that replace a deck's own"),
    ]
    legacy: Annotated[
        ChanceDraw | None,
        Elements(
            "legacy", 0, 1, "cards that enter a deck only by this chance", adapt=_require_where
        ),
    ]
    pairs: Annotated[tuple[Requirement, ...], Elements("pair", 0, MAX_MANY)]
    musts: Annotated[tuple[_Must, ...], Elements("must", 0, MAX_MANY)]
    names: Annotated[DeckNames | None, Elements("names", 0, 1)]
    boosters: Annotated[Mapping[str, Booster], Elements("booster", 0, MAX_FEW)]
    source: Source

    @property
    def demands(self) -> tuple[Requirement, ...]:
        """What decks must have: always, or if they have certain cards."""
        return (*self.pairs, *(Requirement((), *must) for must in self.musts))
