"""The rules for generated decks and boosters, as given by `generator` in `game.xml`."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from deckwright.game.deck_rules import CONDITION, Where, parse_where
from deckwright.game.kinds import MAX_FEW, MAX_MANY, OWN_ID, PRINTED_NAME, Audience
from deckwright.xmlio.binding import SOURCE, attr, bound, elements, omit, same_element
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import ID, NAME, YES_NO, Shape, Value

MILLION = 1_000_000
"""Chances are integers, in millionths, so that results are the same on every machine."""
_COUNT = Value(kind="integer", minimum=1, maximum=999)
WORDS_FOLDER = "Words"
_FILE = Value(
    pattern=r"[^/\\.][^/\\]*", words=f"the name of a file in xml/{WORDS_FOLDER}, such as nouns.txt"
)
_CARDS: Any = attr("which cards", CONDITION, convert=parse_where)
_ONLY_CARDS: Any = attr(
    "only cards for which this holds", CONDITION, default=(), convert=parse_where
)


@bound
class DeckPart(NamedTuple):
    """A part of a deck; the first faction of the first part is that of the deck."""

    cards: int = attr("how many cards of each faction", _COUNT)
    houses: int = attr("how many factions it combines (default: 1)", _COUNT, default=1)
    where: Where = _ONLY_CARDS
    audience: Audience = same_element()
    source: Source = SOURCE


@bound
class ChanceDraw(NamedTuple):
    """Cards that appear in a deck by chance; `chance` is in millionths for each card drawn."""

    chance: int = attr(
        "the probability for each card, from 0 to 1",
        Value(kind="decimal", minimum=0, maximum=1),
        convert=lambda text: int(Decimal(text) * MILLION),
    )
    where: Where = _ONLY_CARDS


def _require_where(shape: Shape) -> Shape:
    chance, where = shape.attributes
    return shape._replace(attributes=(chance, where._replace(required=True, meaning="which cards")))


@bound
class Requirement(NamedTuple):
    """Cards that need others.

    Attributes:
        when: applies only to decks with a card that matches this; to all if empty.
        min: the least number of copies of cards that match `where`.
    """

    when: Where = attr("if the deck has such a card", CONDITION, "where", convert=parse_where)
    where: Where = attr("it must also have such cards", CONDITION, "with", convert=parse_where)
    min: int = attr("the least number of their copies in total (default: 1)", _COUNT, default=1)
    source: Source = SOURCE


@bound
class _RequiredCards(NamedTuple):
    """Cards that every deck has."""

    where: Where = _CARDS
    min: int = attr("the least number of their copies in total (default: 1)", _COUNT, default=1)
    source: Source = SOURCE


@bound
class WordFile(NamedTuple):
    """A word list for names; `id` is "" for one without a name in patterns."""

    id: str = attr("its id", ID, default="", required=True, unique=True)
    file: str = attr("a text file in xml/Words with one word a line", _FILE)
    source: Source = SOURCE


@bound
class NamePattern(NamedTuple):
    """A pattern for names."""

    text: str = attr(
        "a text with ids of lists, such as `{{ adjective }} {{ noun }}`; `{{ faction }}` is "
        "the name of the deck's faction",
        NAME,
        "is",
    )
    weight: int = attr("how often, relative to other patterns (default: 1)", _COUNT, default=1)
    source: Source = SOURCE


@bound
class DeckNames(NamedTuple):
    """The names of decks."""

    unique: bool = attr("`false`: decks may have the same name", YES_NO, default=True)
    lists: tuple[WordFile, ...] = elements("list", 0, MAX_FEW, "a word list for names")
    patterns: tuple[NamePattern, ...] = elements("pattern", 1, MAX_FEW)
    forbidden: tuple[WordFile, ...] = elements(
        "forbidden", 0, MAX_FEW, "words that no name may contain", adapt=omit("id")
    )


@bound
class BoosterSheet(NamedTuple):
    """Cards that are printed together."""

    where: Where = _CARDS
    copies: int = attr(
        "how often each card is on the printed sheet (default: 1)", _COUNT, default=1
    )


@bound
class BoosterSlot(NamedTuple):
    """Cards of a booster that are cut from the same printed sheet."""

    cards: int = attr("how many (default: 1)", _COUNT, default=1)
    balanced: bool = attr(
        "`true`: each booster has about the same number of cards of each faction", default=False
    )
    sheets: tuple[BoosterSheet, ...] = elements("sheet", 1, MAX_FEW)
    source: Source = SOURCE


@bound
class Booster(NamedTuple):
    """A pack of cards without duplicates."""

    id: str = OWN_ID
    name: str = PRINTED_NAME
    format: str | None = attr("the format by whose limits it is checked, by id", ID)
    box: int = attr("how many boosters share their sheets (default: 24)", _COUNT, default=24)
    slots: tuple[BoosterSlot, ...] = elements("slot", 1, MAX_FEW)
    source: Source = SOURCE


@bound
class _Rarity(NamedTuple):
    """How often cards of a rarity are drawn; rarities that are not listed never are."""

    value: str = attr("the value of the field", NAME, "is", unique=True)
    weight: int = attr("how often, relative to the others (default: 1)", default=1)


@bound
class Generator(NamedTuple):
    """How `deckwright generate` makes decks that are all different.

    Attributes:
        format: None for the default.
        rarity: None if all cards are equally rare.
        maverick: cards of another faction that replace one of the deck's own.
        legacy: cards that only appear by chance.
    """

    prefix: str = attr("what the ids of decks begin with (default: `D`)", ID, default="D")
    format: str | None = attr("the format of these decks, by id", ID)
    copies: int | None = attr(
        "the most copies of a card (default: as many as limits allow)", _COUNT
    )
    rarity: str | None = attr("the field that says how rare a card is", ID)
    parts: tuple[DeckPart, ...] = elements("part", 0, MAX_FEW)
    weights: Mapping[str, int] = elements("rarity", 0, MAX_FEW, of=_Rarity, convert=dict)
    maverick: ChanceDraw | None = elements(
        "maverick", 0, 1, "cards of another faction that replace a deck's own"
    )
    legacy: ChanceDraw | None = elements(
        "legacy", 0, 1, "cards that enter a deck only by this chance", adapt=_require_where
    )
    pairs: tuple[Requirement, ...] = elements("pair", 0, MAX_MANY)
    musts: tuple[_RequiredCards, ...] = elements("must", 0, MAX_MANY)
    names: DeckNames | None = elements("names", 0, 1)
    boosters: Mapping[str, Booster] = elements("booster", 0, MAX_FEW)
    source: Source = SOURCE

    @property
    def demands(self) -> tuple[Requirement, ...]:
        """What decks must have: always, or if they have certain cards."""
        return (*self.pairs, *(Requirement((), *must) for must in self.musts))
