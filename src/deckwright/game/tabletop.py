"""The table of a game in the studio, as `game.xml` describes it."""

from typing import Literal, NamedTuple

from deckwright.game.kinds import MAX_FEW
from deckwright.xmlio.binding import SOURCE, attr, bound, elements
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import NAME, Value, one_of

_ID = Value(pattern=r"[^\s/]+", words="an id without spaces and slashes")


@bound
class TableArea(NamedTuple):
    """An area of the table, from the middle outwards."""

    id: str = attr(
        "its id; `hand`, `discard`, `table` and the zones of decks only get a name",
        _ID,
        unique=True,
    )
    name: str = attr("its name on the table", NAME)
    kind: Literal["row", "discard", "pile"] = attr(
        "what lies there (default: row)",
        one_of(("row", "cards side by side"), ("discard", "a stack, face up"),
               ("pile", "a stack, face down")),
        default="row",
    )  # fmt: skip
    shared: bool = attr(
        "`true`: one for all players; otherwise each has one of them", default=False
    )
    source: Source = SOURCE


@bound
class TableSum(NamedTuple):
    """A number that is added up over the cards of each row."""

    name: str = attr("its name on the table", NAME, unique=True)
    value: str = attr(
        "what a card counts, as an expression of its fields such as `{{ strength }}`; "
        "`markers['ID']` is the number of such markers on it, or the sum of their values",
        NAME,
    )
    source: Source = SOURCE


@bound
class Tabletop(NamedTuple):
    """The table on which the studio plays the game.

    Attributes:
        mat: a picture in img/, "" for none.
    """

    mat: str = attr("a picture in img/ that lies below the cards", NAME, default="")
    areas: tuple[TableArea, ...] = elements("area", 0, MAX_FEW, default=())
    sums: tuple[TableSum, ...] = elements("sum", 0, MAX_FEW, default=())
    source: Source | None = SOURCE
