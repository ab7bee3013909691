"""What happened in a game: the cards that were drawn, played and left, beside their odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial

from deckwright.base.findings import ChoiceError
from deckwright.decks.answers import (
    Answer,
    CardCell,
    Column,
    Note,
    Plot,
    Point,
    Row,
    Section,
    Table,
    Value,
    make_record,
)
from deckwright.decks.odds_tables import compute_chances
from deckwright.decks.play.table import OPEN, Play
from deckwright.game.model import Game
from deckwright.game.words import label, language_of

_FAR = 1
"""Points of the plot are named where so many more or fewer copies were drawn than expected."""


def describe_play(play: Play, game: Game, words: Mapping[str, str] | None = None) -> Answer:
    """Return what happened in a game: for each player a section, and the notes.

    Args:
        words: the game's words, None for English.
    """
    word = partial(label, words)
    cards = {f"{owner}:{card.id}": card for card, owner, _ in game.printable_cards()}

    def cell(key: str) -> CardCell:
        faction, _, card = key.partition(":")
        return CardCell(faction, card, cards[key].name if key in cards else card)

    state = play.table
    facts = {"seed": state.setting.seed, "turns": state.turn, "events": state.number}
    sections = [Section("", [make_record("play", **facts)])]
    for number in range(len(state.setting.players)):
        sections += _describe_player(play, number, cell, word)
    notes: list[Row] = []
    for each in state.notes:
        key = each["card"] or ":"
        place = cards[key].source.at() if key in cards else None
        where = f"{place.path.name}:{place.spot}" if place else ""
        notes.append((each["turn"], each["n"], cell(key), where, each["text"]))
    columns = [Column("turn", word("turn"), "number"), Column("event"), Column("", ""),
               Column("place", word("file")), Column("text", word("note"), "note")]  # fmt: skip
    sections += [Section("", [Table("notes", columns, notes)])] if notes else []
    return Answer("play", sections, language_of(game.setup))


def _describe_player(
    play: Play, number: int, cell: Callable[[str], CardCell], word: Callable[[str], str]
) -> Iterator[Section]:
    state, begun = play.table, play.at(0)
    opening, player = state.setting.opening, state.setting.players[number]
    hand = f"{number}/hand"
    piles = (*begun.areas[hand], *begun.areas[f"{number}/{opening.zone}"])
    own = {piece: begun.pieces[piece].card for piece in piles}
    first, drawn, played, held = set[int](), dict[int, int](), dict[int, int](), set[int]()
    for entry in state.entries:
        turn: int = entry["turn"]
        for piece, before, to, _ in entry["moved"]:
            if piece not in own:
                continue
            if before == hand:
                held.discard(piece)
            if to == hand:
                held.add(piece)
                drawn.setdefault(piece, turn)
            if state.setting.areas.get(to) in OPEN:
                played.setdefault(piece, turn)
        if entry["do"] in {"begin", "mulligan", "redraw"} and not (turn or played):
            first, drawn = {*held}, dict.fromkeys(held, 0)  # what went back was not drawn

    @cache
    def chance(copies: int) -> Fraction | None:
        with suppress(ChoiceError):  # there are too many possible hands to count
            return compute_chances(copies, len(own) - copies, opening).some
        return None

    def count(pieces: Iterable[int]) -> Counter[str]:
        return Counter(own[piece] for piece in pieces)

    copies, counts = count(own), [*map(count, (first, drawn, played, held))]
    heads = ("hand", "drawn", "played", "in-hand")
    ids = ("opening", "drawn", "played", "left")
    columns = [Column("", word("cards")), Column("copies", word("amount"), "number")]
    columns += [Column(i, word(h), "number") for i, h in zip(ids, heads, strict=True)]
    columns[3:3] = [Column("chance", word("chance"), "percent")]
    columns[5:5] = [Column("expected", word("expected"), "average")]
    rows: list[Row] = []
    points: list[Point] = []
    for key, amount in copies.items():
        in_hand, got, out, left = (each[key] for each in counts)
        expected = Fraction(amount * len(drawn), len(own))
        rows.append((cell(key), amount, in_hand, chance(amount), got, expected, out, left))
        far = abs(got - expected) >= _FAR
        points.append(Point(float(expected), got, cell(key).name, far))
    common: dict[str, Value] = {"player": number, "deck": player.deck, "name": player.name}
    numbers = (len(own), len(first), len(drawn), len(played), len(held))
    names = ("cards", *ids)
    left = len(state.areas[f"{number}/{opening.zone}"])
    totals: dict[str, Value] = {**dict(zip(names, numbers, strict=True)), "pile": left}
    head = f"{player.name}, {word('seed')} {state.setting.seed}, {word('turn')} {state.turn}"
    parts = (("drawn", len(drawn)), ("played", len(played)), ("in-hand", len(held)),
             ("left-in-pile", totals["pile"]))  # fmt: skip
    note = Note(", ".join(f"{word(name)}: {value}" for name, value in parts))
    yield Section(head, [make_record("players", **common, **totals), note,
                         Table("cards", columns, rows, common={"player": number})])  # fmt: skip
    by_turn = [Counter(each.values()) for each in (drawn, played)]
    turns: list[Row] = [(turn, *(each[turn] for each in by_turn)) for turn in range(state.turn + 1)]
    titles = {"turn": word("turn"), "drawn": word("drawn"), "played": word("played")}
    columns = [Column(name, title, "number") for name, title in titles.items()]
    yield Section("", [Table("turns", columns, turns, common={"player": number})])
    if points:
        xs, ys = [point.x for point in points], [point.y for point in points]
        yield Section("", [Plot(points, 0, 1, xs, ys, word("drawn"), word("expected"))])
