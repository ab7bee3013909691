"""The table of a game: a pure function of a seed and a list of events. It enforces no rules.

The event `begin` has all that the others need: the seed, each player's cards, and the areas. So a
log needs no game, and a replay gives the same bytes. The other events are methods of `Table`, with
their fields as parameters.
"""

from __future__ import annotations

import inspect
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, get_type_hints

from deckwright.base.findings import ChoiceError, require_known
from deckwright.base.parsing import Bounds, parse
from deckwright.decks.odds import deal_hand, redraw_cards, shuffle
from deckwright.game.deck_rules import Opening

Event = Mapping[str, object]
Json = dict[str, Any]

MARKER = "marker:"
"""The beginning of a marker's key, where cards have the id of their faction."""
MAX_PIECES = 2_000
"""The maximum number of pieces on a table."""
STACKED, OPEN = ("pile", "discard"), ("row", "free")
"""The kinds of areas that are stacks, and those that cards are played to; `hand` is neither."""
_Name = Annotated[str, Bounds(1, 200)]
_Ids = Annotated[list[int], Bounds(1, MAX_PIECES)]
_Count = Annotated[int, Bounds(1, 999)]
_Share = Annotated[float, Bounds(-100, 100)]
_Integer = Annotated[int, Bounds(-(10**6), 10**6)]


@dataclass(slots=True)
class Piece:
    """A card, token or marker on the table.

    Attributes:
        card: "FACTION:ID", or "marker:ID".
        owner: the number of the player who brought it, from 0.
        added: whether it was put on the table in the game, and may be taken from it.
        up: whether its face is shown.
        face: which of its faces, from 1, if it has several.
        turn: its angle in degrees, clockwise.
        x, y: its center as shares of the free area; of a piece on another one, its shift.
        on: the piece that it lies on.
        shown: whether it is shown to the other player.
    """

    id: int
    card: str
    owner: int
    area: str
    added: bool = False
    up: bool = False
    face: int = 1
    turn: int = 0
    x: float = 0.0
    y: float = 0.0
    on: int | None = None
    shown: bool = False


class Player(NamedTuple):
    """A player's deck: its id ("" for a draft), its name, and the cards of each zone."""

    deck: Annotated[str, Bounds(0, 200)]
    name: Annotated[str, Bounds(0, 200)]
    piles: Mapping[str, Annotated[list[_Name], Bounds(0, MAX_PIECES)]]


class Setting(NamedTuple):
    """What a game begins with.

    Attributes:
        opening: its `zone` is the pile that hands are drawn from.
        areas: the kind of each area by id; those of a player are called "0/hand", "1/hand".
        faces: the number of faces of each card that has several.
    """

    seed: Annotated[int, Bounds(0, 2**53)]
    opening: Opening
    players: Annotated[list[Player], Bounds(1, 2)]
    areas: Mapping[str, str]
    faces: Mapping[str, Annotated[int, Bounds(1, 999)]] = MappingProxyType({})


class Table:
    """The state of a game.

    Attributes:
        setting: what it began with.
        number: the number of events since.
        turn: the number of turns begun.
        pieces: the pieces by id.
        areas: the ids of the pieces in each area: from the top of a stack, from left to right, or
            from the bottom of the free area.
        counters: the counters of each player.
        rolled: the last dice.
        notes: the notes, each with its moment.
        entries: what each event did, beginning with the deal.
    """

    def __init__(self, begin: Event) -> None:
        """Deal the opening hands.

        Raises:
            ChoiceError: if this event is not a valid beginning.
        """
        if begin.get("do") != "begin":
            raise ChoiceError("a game begins with the event `begin`")
        self.setting: Setting = parse("begin", Setting, begin)
        for kind in self.setting.areas.values():
            require_known(kind, (*STACKED, *OPEN, "hand"), "kind of area")
        self.number = self.turn = 0
        self.pieces: dict[int, Piece] = {}
        self.areas: dict[str, list[int]] = {area: [] for area in self.setting.areas}
        players = [*range(len(self.setting.players))]
        self.counters: list[dict[str, int]] = [{} for _ in players]
        self.rolled: list[int] = []
        self.notes: list[Json] = []
        self._mulligans = [0 for _ in players]
        self._dealt: list[list[int]] = [[] for _ in players]
        self._entry: Json = {"do": "begin", "n": 0, "turn": 0, "moved": []}
        self.entries = [self._entry]
        for number, player in enumerate(self.setting.players):
            for zone, cards in player.piles.items():
                area = self._require_area(f"{number}/{zone}")
                self.areas[area] += [self._make(card, area, number).id for card in cards]
                if zone != self.setting.opening.zone:
                    self.areas[area] = shuffle(self.areas[area], self._chance(area))
            self._deal(number)

    def apply(self, event: Event) -> None:
        """Change the table as an event says.

        Raises:
            ChoiceError: if that is impossible; the table may have changed partly.
        """
        name = str(event.get("do"))
        require_known(name, EVENTS, "event")
        act = EVENTS[name]
        given = _parse_fields(act, event)
        self.number += 1
        self._entry = {**event, "n": self.number, "turn": self.turn, "moved": []}
        act(self, **given)
        self.entries.append(self._entry)

    def as_data(self) -> Json:
        """Return the state as plain data."""
        return {
            "number": self.number,
            "turn": self.turn,
            "areas": self.areas,
            "pieces": [
                {name: getattr(piece, name) for name in Piece.__slots__}
                for piece in self.pieces.values()
            ],
            "counters": self.counters,
            "rolled": self.rolled,
            "fresh": [*map(self._is_fresh, range(len(self.counters)))],
            "mulligans": self._mulligans,
            "notes": self.notes,
        }

    def markers_on(self, piece: int) -> Counter[str]:
        """Return the ids of the markers on a piece, with their numbers."""
        cards = (other.card for other in self.pieces.values() if other.on == piece)
        return Counter(c.removeprefix(MARKER) for c in cards if c.startswith(MARKER))

    # What events need.

    def _chance(self, *seeds: object) -> random.Random:
        """Return the generator of an event: always the same for its number in a game."""
        return random.Random(f"{self.setting.seed} {self.number} {seeds}")  # noqa: S311 - no secret

    def _require_area(self, area: str, kinds: Sequence[str] = ()) -> str:
        require_known(area, self.areas, "area", " on this table")
        if kinds and self.setting.areas[area] not in kinds:
            raise ChoiceError(f"nothing lies open in the area `{area}`")
        return area

    def _require_pieces(self, ids: Sequence[int]) -> list[Piece]:
        for each in ids:
            if each not in self.pieces or ids.count(each) > 1:
                raise ChoiceError(f"there is no piece {each} on the table, or it is named twice")
        return [self.pieces[each] for each in ids]

    def _make(self, card: str, area: str, owner: int, *, added: bool = False) -> Piece:
        if len(self.pieces) >= MAX_PIECES:
            raise ChoiceError(f"there are no more than {MAX_PIECES} pieces on a table")
        number = max(self.pieces, default=0) + 1
        self.pieces[number] = Piece(number, card, owner, area, added)
        return self.pieces[number]

    def _remove(self, piece: Piece) -> None:
        for other in self.pieces.values():
            if other.on == piece.id:
                other.on = piece.on
        self.areas[piece.area].remove(piece.id)
        del self.pieces[piece.id]
        self._entry["moved"].append([piece.id, piece.area, "", piece.card])

    def pile_on(self, *numbers: int) -> list[list[int]]:
        """Return pieces, each with all that lies on it, from the bottom."""
        above: dict[int, list[int]] = {}
        for piece in self.pieces.values():
            if piece.on is not None:
                above.setdefault(piece.on, []).append(piece.id)
        piles = [[number] for number in numbers]
        for pile in piles:
            for each in pile:
                pile.extend(above.get(each, ()))
        return piles

    def _place(
        self, ids: Sequence[int], to: str, at: int | None = None, *, up: bool | None = None
    ) -> None:
        """Move pieces to an area, with what lies on them; markers only lie open.

        Args:
            at: the place of the first; by default the top of a stack, and else the last, as -1.
            up: whether their faces are shown; by default as usual there.
        """
        kind, group = self.setting.areas[to], dict[int, None]()
        for pile in self.pile_on(*ids):
            group |= dict.fromkeys(pile if kind in OPEN else reversed(pile))
        for each in [*group]:
            piece = self.pieces[each]
            before, was = piece.area, self.setting.areas[piece.area]
            if kind not in OPEN and piece.card.startswith(MARKER):
                self._remove(piece)
                del group[each]
                continue
            self.areas[before].remove(each)
            if kind not in OPEN or piece.on not in group:
                piece.on = None
            if up is not None:
                piece.up = up if each in ids else piece.up
            elif before != to and not (was in OPEN and kind in OPEN):
                piece.up = kind != "pile"
            piece.face = piece.face if piece.up else 1
            if before != to:
                piece.shown, piece.turn = False, piece.turn if kind in OPEN else 0
            piece.area = to
            self._entry["moved"].append([each, before, to, piece.card])
        there = self.areas[to]
        first = (0 if kind in STACKED else -1) if at is None else at
        first = len(there) if first < 0 else first
        there[first:first] = group

    # The opening.

    def _opening_areas(self, player: int) -> tuple[str, str]:
        """Return the hand of a player, and the pile that it is drawn from."""
        pile = f"{player}/{self.setting.opening.zone}"
        return self._require_area(f"{player}/hand"), self._require_area(pile)

    def _is_fresh(self, player: int) -> bool:
        """Return whether a player's cards are as they were dealt."""
        hand, pile = self._opening_areas(player)
        return self._dealt[player] == [*self.areas[hand], *self.areas[pile]]

    def _lay_out(self, player: int, hand: Sequence[int], pile: Sequence[int]) -> None:
        laid = dict(zip(self._opening_areas(player), ([*hand], [*pile]), strict=True))
        for area, ids in laid.items():
            self._place([each for each in ids if self.pieces[each].area != area], area)
        self.areas |= laid

    def _deal(self, player: int) -> random.Random:
        """Deal an opening hand as `deckwright hand` does; return the generator."""
        begun = sorted(each for area in self._opening_areas(player) for each in self.areas[area])
        size, mulligans = self.setting.opening.hand, self._mulligans[player]
        hand, pile, chance = deal_hand(begun, size, self.setting.seed, mulligans)
        self._lay_out(player, hand, pile)
        self._dealt[player] = [*hand, *pile]
        return chance

    def mulligan(self, player: int) -> None:
        """Shuffle a player's hand back and draw another one."""
        hand, pile = self._opening_areas(player)
        if self._is_fresh(player):
            self._mulligans[player] += 1
            self._deal(player)
        else:
            cards = shuffle([*self.areas[pile], *self.areas[hand]], self._chance())
            size = len(self.areas[hand])
            self._lay_out(player, cards[:size], cards[size:])

    def redraw(self, player: int, cards: _Ids) -> None:
        """Replace cards of a player's hand, and shuffle them back."""
        hand, pile = self._opening_areas(player)
        if any(piece.area != hand for piece in self._require_pieces(cards)):
            raise ChoiceError("only cards of the hand can be replaced")
        chance = self._deal(player) if self._is_fresh(player) else self._chance()
        held = [*self.areas[hand]]
        _, rest = redraw_cards(held, self.areas[pile], [*map(held.index, cards)], chance)
        self._lay_out(player, held, rest)

    # The game.

    def move(
        self,
        cards: _Ids,
        to: str,
        at: _Integer | None = None,
        on: int | None = None,
        x: _Share | None = None,
        y: _Share | None = None,
        *,
        up: bool | None = None,
    ) -> None:
        """Move pieces to an area in this order, to a point of the free area, or onto a piece."""
        pieces, kind = self._require_pieces(cards), self.setting.areas[self._require_area(to)]
        if on is not None:
            self._require_area(to, OPEN)
            if any(on in pile for pile in self.pile_on(*cards)):
                raise ChoiceError("a piece cannot lie on itself, or on what lies on it")
            if self._require_pieces([on])[0].area != to:
                raise ChoiceError(f"the piece {on} is not in the area `{to}`")
        together = on is None and all(piece.area == to and piece.on is None for piece in pieces)
        start = pieces[0].x, pieces[0].y
        self._place(cards, to, at, up=up)
        for number, piece in enumerate(pieces):
            if piece.id not in self.pieces or piece.on is not None:
                continue  # a marker that went back, or what moved with another piece
            piece.on = on
            if x is not None and y is not None and (kind == "free" or on is not None):
                step = 0.012 * number
                dx, dy = (piece.x - start[0], piece.y - start[1]) if together else (step, step)
                piece.x, piece.y = round(x + dx, 4), round(y + dy, 4)

    def draw(self, area: str, to: list[str], count: _Count = 1, *, up: bool | None = None) -> None:
        """Move cards from the top of a stack, one by one to each of several areas in turn."""
        source, targets = self._require_area(area), [*map(self._require_area, to)]
        for target in targets * count:
            self._place(self.areas[source][:1], target, up=up)

    def shuffle(self, area: str) -> None:
        """Shuffle an area."""
        self.areas[area] = shuffle(self.areas[self._require_area(area)], self._chance())

    def shuffle_cards(self, cards: _Ids) -> None:
        """Shuffle cards of an area, such as those of a stack: they exchange their places."""
        pieces = self._require_pieces(cards)
        area = pieces[0].area
        if any(piece.area != area for piece in pieces):
            raise ChoiceError("only cards of one area can be shuffled")
        becomes = dict(zip(cards, shuffle(cards, self._chance()), strict=True))
        places = [(piece.on, piece.x, piece.y) for piece in pieces]
        for each, place in zip(becomes.values(), places, strict=True):
            self.pieces[each].on, self.pieces[each].x, self.pieces[each].y = place
        for other in self.pieces.values():
            if other.on is not None:
                other.on = becomes.get(other.on, other.on)
        self.areas[area] = [becomes.get(each, each) for each in self.areas[area]]

    def flip(self, cards: _Ids) -> None:
        """Turn pieces over; of several faces, the next one follows."""
        for piece in self._require_pieces(cards):
            more = piece.up and piece.face < self.setting.faces.get(piece.card, 1)
            piece.up, piece.face = more or not piece.up, piece.face + 1 if more else 1

    def rotate(self, cards: _Ids, by: _Integer) -> None:
        """Turn pieces clockwise by an angle in degrees."""
        for piece in self._require_pieces(cards):
            piece.turn = (piece.turn + by) % 360

    def reveal(self, cards: _Ids) -> None:
        """Show cards to the other player, or hide them again."""
        for piece in self._require_pieces(cards):
            piece.shown = not piece.shown

    def look(self, area: str, count: _Count | None = None) -> None:
        """Look at the first cards of an area, or search all of it."""
        self._entry["cards"] = self.areas[self._require_area(area)][:count]

    def peek(self, cards: _Ids) -> None:
        """Look at pieces that lie face down."""
        self._require_pieces(cards)

    def create(
        self,
        card: _Name,
        to: str,
        owner: int = 0,
        count: _Count = 1,
        on: int | None = None,
        x: _Share | None = None,
        y: _Share | None = None,
    ) -> None:
        """Put tokens, markers or copies of cards on the table."""
        self._require_area(to, OPEN if card.startswith(MARKER) else ())
        ids = [self._make(card, to, owner, added=True).id for _ in range(count)]
        self.areas[to] += ids
        self.move(ids, to, on=on, x=x, y=y, up=True)
        self._entry |= {"cards": ids, "moved": [[each, "", to, card] for each in ids]}

    def take_away(self, cards: _Ids) -> None:
        """Take tokens, markers and copies from the table."""
        pieces = self._require_pieces(cards)
        if not all(piece.added for piece in pieces):
            raise ChoiceError("cards of the decks stay on the table", "discard them")
        for piece in pieces:
            self._remove(piece)

    def count(self, player: int, name: _Name, by: _Integer = 0, to: _Integer | None = None) -> None:
        """Change a counter of a player by a number, or set it."""
        if not 0 <= player < len(self.counters):
            raise ChoiceError(f"there is no player {player}")
        counters = self.counters[player]
        self._entry["value"] = counters[name] = (counters.get(name, 0) if to is None else to) + by

    def next_turn(self) -> None:
        """Begin the next turn: all players draw as the opening says."""
        self.turn += 1
        self._entry["turn"] = self.turn
        for player in range(len(self.counters)):
            hand, pile = self._opening_areas(player)
            self._place(self.areas[pile][: self.setting.opening.draws], hand)

    def roll(self, sides: Annotated[int, Bounds(2, 1000)], count: _Count = 1) -> None:
        """Roll dice; a coin has two sides."""
        chance = self._chance()
        self.rolled = [1 + int(chance.random() * sides) for _ in range(count)]
        self._entry["rolled"] = self.rolled

    def note(self, text: Annotated[str, Bounds(1, 2_000)], card: int | None = None) -> None:
        """Write a note, perhaps on a piece."""
        about = None if card is None else self._require_pieces([card])[0].card
        moment: Json = {"n": self.number, "turn": self.turn, "card": about, "text": text.strip()}
        self.notes.append(moment)
        self._entry["about"] = about


_ACTS: Sequence[Callable[..., None]] = (
    Table.mulligan, Table.redraw, Table.move, Table.draw, Table.shuffle, Table.shuffle_cards,
    Table.flip, Table.rotate, Table.reveal, Table.look, Table.peek, Table.create, Table.take_away,
    Table.count, Table.next_turn, Table.roll, Table.note,
)  # fmt: skip
EVENTS = {act.__name__: act for act in _ACTS}
"""The events that change a table, by name; `undo` and `redo` are those of its history."""


class Play:
    """A game with its history.

    Attributes:
        begin: its first event.
        table: its state.
        done: its events since, without those that were undone.
        undone: the events that can be done again, the next one last.
    """

    def __init__(self, begin: Event) -> None:
        """Begin a game.

        Raises:
            ChoiceError: if this event is not a valid beginning.
        """
        self.begin, self.table = begin, Table(begin)
        self.done: list[Event] = []
        self.undone: list[Event] = []

    def apply(self, event: Event) -> None:
        """Do what an event says: change the table, or travel through the history.

        Raises:
            ChoiceError: if that is impossible; then nothing has changed.
        """
        if event.get("do") in TRAVELS:
            count: int = _parse_fields(_travel, event).get("count", 1)
            back = event["do"] == "undo"
            source, target = (self.done, self.undone) if back else (self.undone, self.done)
            if count > len(source):
                raise ChoiceError(f"there is nothing to {event['do']}")
            target += reversed(source[-count:])
            del source[-count:]
            self.table = self.at(len(self.done))
            return
        try:
            self.table.apply(event)
        except ChoiceError:
            self.table = self.at(len(self.done))
            raise
        self.done.append(event)
        self.undone = []

    def at(self, number: int) -> Table:
        """Return the table after so many events."""
        table = Table(self.begin)
        for event in self.done[:number]:
            table.apply(event)
        return table


TRAVELS = ("undo", "redo")
"""The events that travel through the history of a game."""


def _travel(count: Annotated[int, Bounds(1, 10**6)] = 1) -> None:
    """Undo or redo so many events."""


@cache
def _fields_of(act: Callable[..., None]) -> dict[str, tuple[Any, bool]]:
    """Return the types of an event's fields, and whether they are required."""
    hints = get_type_hints(act, include_extras=True)
    found = inspect.signature(act).parameters
    return {name: (hints[name], p.default is p.empty) for name, p in found.items()
            if name != "self"}  # fmt: skip


def _parse_fields(act: Callable[..., None], event: Event) -> dict[str, Any]:
    """Return the fields of an event as the arguments of what it does.

    Raises:
        ChoiceError: if one is missing, unknown or wrong.
    """
    fields = _fields_of(act)
    for name in event:
        require_known(name, {"do", *fields}, "field", f" in the event `{event['do']}`")
    return {
        name: parse(name, hint, event.get(name))
        for name, (hint, required) in fields.items()
        if required or event.get(name) is not None
    }
