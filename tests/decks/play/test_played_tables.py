"""The table: no card is lost or doubled, every step can be undone, and a replay is the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from deckwright import open_game
from deckwright.base.findings import ChoiceError
from deckwright.decks.odds import draw_hand, find_pile
from deckwright.decks.play.table import EVENTS, Event, Play, Table
from deckwright.decks.stats import DeckStats
from deckwright.game.deck_rules import Opening
from play_logs import beginning, draw_event


def bytes_of(table: Table) -> str:
    return json.dumps([table.as_data(), table.entries])


def cards_of(table: Table) -> Counter[str]:
    """Return the cards of the decks; what was put on the table in the game is not of them."""
    return Counter(piece.card for piece in table.pieces.values() if not piece.added)


def check_table(table: Table, cards: Counter[str]) -> None:
    lying = [piece for ids in table.areas.values() for piece in ids]
    assert len(lying) == len({*lying})
    assert {*lying} == table.pieces.keys()
    assert cards_of(table) == cards
    for area, ids in table.areas.items():
        assert all(table.pieces[each].area == area for each in ids)
    for piece in table.pieces.values():
        if piece.on is not None:
            assert table.pieces[piece.on].area == piece.area
            assert piece.id not in {piece.on, table.pieces[piece.on].on}


@given(st.data(), st.integers(1, 2))
def test_no_card_is_lost_or_doubled_and_each_step_can_be_undone(
    data: st.DataObject, players: int
) -> None:
    play = Play(beginning(players, data.draw(st.integers(0, 99)), draws=1))
    cards, states = cards_of(play.table), [bytes_of(play.table)]
    for _ in range(data.draw(st.integers(1, 12))):
        play.apply(draw_event(data, play.table))
        check_table(play.table, cards)
        states.append(bytes_of(play.table))
    log = [json.loads(json.dumps(event)) for event in play.done]
    for number in reversed(range(len(states) - 1)):
        play.apply({"do": "undo"})
        assert bytes_of(play.table) == states[number]
    play.apply({"do": "redo", "count": len(states) - 1})
    assert bytes_of(play.table) == states[-1]
    again = Play(beginning(players, play.table.setting.seed, draws=1))
    for event in log:
        again.apply(event)
    assert bytes_of(again.table) == states[-1]
    middle = len(log) // 2
    assert bytes_of(again.at(middle)) == states[middle]


@given(st.data())
def test_what_is_no_event_changes_nothing(data: st.DataObject) -> None:
    play = Play(beginning())
    before = bytes_of(play.table)
    values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    event = {
        "do": data.draw(st.sampled_from([*EVENTS, "undo", "redo", "jump"]) | values),
        **data.draw(st.dictionaries(st.sampled_from(["cards", "to", "area", "count", "x"]),
                                    values | st.lists(values, max_size=2), max_size=3)),
    }  # fmt: skip
    with suppress(ChoiceError):
        play.apply(event)
        return
    assert bytes_of(play.table) == before


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"do": "mvoe"}, "there is no event `mvoe`"),
        ({"do": "flip"}, "`cards` is not a list"),
        ({"do": "flip", "cards": [99]}, "there is no piece 99 on the table"),
        ({"do": "flip", "cards": [1, 1]}, "or it is named twice"),
        ({"do": "flip", "cards": [1], "by": 2}, "there is no field `by` in the event `flip`"),
        ({"do": "move", "cards": [1], "to": "0/frnt"}, "there is no area `0/frnt`"),
        ({"do": "move", "cards": [1], "to": "table", "on": 1}, "cannot lie on itself"),
        ({"do": "move", "cards": [1], "to": "0/hand", "on": 2}, "nothing lies open"),
        ({"do": "create", "card": "marker:wound", "to": "0/hand"}, "nothing lies open"),
        ({"do": "take_away", "cards": [1]}, "cards of the decks stay"),
        ({"do": "redraw", "player": 0, "cards": [1, 2, 3, 4, 5]}, "only cards of the hand"),
        ({"do": "count", "player": 2, "name": "life"}, "there is no player 2"),
        ({"do": "roll", "sides": 1}, "`sides` is not a number from 2"),
        ({"do": "shuffle_cards", "cards": [1, 11]}, "only cards of one area"),
        ({"do": "undo"}, "there is nothing to undo"),
        ({"do": "create", "card": "A:A", "to": "table", "count": 999}, ""),
    ],
)
def test_why_an_event_is_refused(event: Event, message: str) -> None:
    play = Play(beginning())
    if not message:
        play.apply(event)
        play.apply({**event, "count": 900})
        message = "no more than 2000 pieces"
    before = bytes_of(play.table)
    with pytest.raises(ChoiceError, match=message):
        play.apply(event)
    assert bytes_of(play.table) == before


@pytest.mark.parametrize(
    "changes",
    [
        {"do": "start"},
        {"seed": -1},
        {"players": []},
        {"areas": {"0/main": "pile"}},
        {"areas": {**beginning()["areas"], "0/front": "shelf"}},
        {"opening": {"hand": 4, "zone": "none"}},
    ],
)
def test_a_beginning_is_checked(changes: dict[str, Any]) -> None:
    with pytest.raises(ChoiceError):
        Play({**beginning(), **changes})


def stats_of(deck: str) -> DeckStats:
    return open_game(ROOT).deck(deck).stats()


@pytest.mark.parametrize("seed", [7, 8])
def test_hands_are_dealt_as_the_command_deals_them(seed: int) -> None:
    opening = Opening(hand=10, zone="main", redraws=2, mulligans=3, draws=2)
    lines = find_pile(stats_of("army_HK_1"), opening)
    cards = [f"HK:{line.card.id}" for line in lines for _ in range(line.entry.copies)]
    begin = beginning(1, seed)
    begin["players"][0]["piles"]["main"] = cards
    begin["opening"] = opening._asdict()
    play = Play(begin)

    def hand() -> list[str]:
        return [play.table.pieces[each].card for each in play.table.areas["0/hand"]]

    drawn = draw_hand(lines, opening, seed)
    assert hand() == [f"HK:{card.id}" for card in drawn.cards]
    play.apply({"do": "mulligan", "player": 0})
    play.apply({"do": "mulligan", "player": 0})
    held = play.table.areas["0/hand"]
    redrawn = [held[3], held[1]]
    names = [play.table.pieces[each].card for each in redrawn]
    play.apply({"do": "redraw", "player": 0, "cards": redrawn})
    drawn = draw_hand(lines, opening, seed, mulligans=2, redraw=names, turns=2)
    assert Counter(hand()) == Counter(f"HK:{card.id}" for card in drawn.cards)
    play.apply({"do": "next_turn"})
    play.apply({"do": "next_turn"})
    turns = [f"HK:{card.id}" for turn in drawn.turns for card in turn]
    assert hand()[10:] == turns


def apply(*events: dict[str, Any], players: int = 1) -> Table:
    play = Play(beginning(players))
    for event in events:
        play.apply({key: value(play.table) if callable(value) else value
                    for key, value in event.items()})  # fmt: skip
    return play.table


def ids(area: str, start: int = 0, stop: int | None = None) -> Callable[[Table], list[int]]:
    return lambda table: table.areas[area][start:stop]


def test_what_lies_on_a_card_moves_with_it_but_markers_stay_behind() -> None:
    table = apply(
        {"do": "move", "cards": ids("0/hand", 0, 2), "to": "0/front"},
        {"do": "create", "card": "marker:wound", "to": "0/front", "count": 2,
         "on": lambda table: table.areas["0/front"][0]},
        {"do": "move", "cards": ids("0/front", 0, 1), "to": "table", "x": 0.5, "y": 0.5},
    )  # fmt: skip
    card, *markers = table.areas["table"]
    assert table.markers_on(card) == {"wound": 2}
    assert [table.pieces[each].on for each in markers] == [card, card]
    table = apply(
        {"do": "move", "cards": ids("0/hand", 0, 2), "to": "0/front"},
        {"do": "create", "card": "marker:wound", "to": "0/front",
         "on": lambda table: table.areas["0/front"][0]},
        {"do": "move", "cards": ids("0/front", 0, 1), "to": "0/main"},
    )  # fmt: skip
    assert not any(piece.card.startswith("marker:") for piece in table.pieces.values())
    assert len(table.areas["0/main"]) == 7


def test_cards_show_the_face_that_is_usual_where_they_lie() -> None:
    table = apply({"do": "draw", "area": "0/main", "to": ["0/discard"]},
                  {"do": "draw", "area": "0/main", "to": ["table"], "up": False},
                  {"do": "move", "cards": ids("0/hand", 0, 1), "to": "0/front"},
                  {"do": "flip", "cards": ids("0/front")},
                  {"do": "move", "cards": ids("0/front"), "to": "sky"})  # fmt: skip
    up = {area: [table.pieces[each].up for each in listed] for area, listed in table.areas.items()}
    assert up["0/discard"] == [True]
    assert up["table"] == up["sky"] == [False]  # it was turned over
    assert not any(up["0/main"])
    assert all(up["0/hand"])


def test_cards_go_on_top_of_a_pile_or_below_it_in_their_order() -> None:
    table = apply({"do": "move", "cards": ids("0/hand", 0, 2), "to": "0/main"})
    begun = apply()
    assert table.areas["0/main"] == [*begun.areas["0/hand"][:2], *begun.areas["0/main"]]
    table = apply({"do": "move", "cards": ids("0/hand", 0, 2), "to": "0/main", "at": -1})
    assert table.areas["0/main"] == [*begun.areas["0/main"], *begun.areas["0/hand"][:2]]


def test_cards_that_lie_apart_stay_so_when_they_move_together() -> None:
    table = apply(
        {"do": "move", "cards": ids("0/hand", 0, 1), "to": "table", "x": 0.2, "y": 0.2},
        {"do": "move", "cards": ids("0/hand", 0, 1), "to": "table", "x": 0.5, "y": 0.3},
        {"do": "move", "cards": ids("table"), "to": "table", "x": 0.4, "y": 0.4},
    )
    places = [(table.pieces[each].x, table.pieces[each].y) for each in table.areas["table"]]
    assert places == [(0.4, 0.4), (0.7, 0.5)]


def test_a_card_with_several_faces_is_turned_through_them() -> None:
    play = Play({**beginning(1), "faces": {"AA:A0": 2}})
    number = next(piece.id for piece in play.table.pieces.values() if piece.card == "AA:A0")
    other = next(piece.id for piece in play.table.pieces.values() if piece.card == "AA:A1")
    play.apply({"do": "move", "cards": [number, other], "to": "table"})
    seen = []
    for _ in range(4):
        both = (play.table.pieces[each] for each in (number, other))
        seen.append([(piece.up, piece.face) for piece in both])
        play.apply({"do": "flip", "cards": [number, other]})
    assert [first for first, _ in seen] == [(True, 1), (True, 2), (False, 1), (True, 1)]
    assert [second for _, second in seen] == [(True, 1), (False, 1), (True, 1), (False, 1)]


def test_a_stack_is_shuffled_where_it_lies() -> None:
    hand = apply().areas["0/hand"]
    laid = [{"do": "move", "cards": hand[:1], "to": "table", "x": 0.2, "y": 0.3}]
    laid += [
        {"do": "move", "cards": [card], "to": "table", "on": below, "x": 0.1, "y": 0}
        for below, card in pairwise(hand)
    ]
    wound = {"do": "create", "card": "marker:wound", "to": "table", "on": hand[-1]}
    table = apply(*laid, wound, {"do": "shuffle_cards", "cards": hand})
    *cards, marker = table.areas["table"]
    assert cards != hand
    assert sorted(cards) == sorted(hand)
    assert [table.pieces[each].on for each in cards] == [None, *cards[:-1]]
    assert [table.pieces[each].x for each in cards] == [0.2, 0.1, 0.1, 0.1]
    assert table.pieces[marker].on == cards[-1]


def test_cards_are_dealt_to_both_players_in_turn() -> None:
    table = apply(
        {"do": "draw", "area": "0/main", "to": ["0/hand", "1/hand"], "count": 2}, players=2
    )
    begun = apply(players=2)
    top = begun.areas["0/main"]
    assert table.areas["0/hand"][4:] == [top[0], top[2]]
    assert table.areas["1/hand"][4:] == [top[1], top[3]]


def test_dice_fall_anew_each_time_and_the_same_again_after_an_undo() -> None:
    play = Play(beginning())
    rolled = []
    for _ in range(20):
        play.apply({"do": "roll", "sides": 6})
        rolled += play.table.rolled
    assert {*rolled} == {1, 2, 3, 4, 5, 6}
    play.apply({"do": "undo"})
    play.apply({"do": "roll", "sides": 6})
    assert play.table.rolled == rolled[-1:]


def test_an_event_after_an_undo_takes_the_place_of_what_was_undone() -> None:
    play = Play(beginning())
    play.apply({"do": "next_turn"})
    play.apply({"do": "undo"})
    play.apply({"do": "roll", "sides": 2})
    assert [event["do"] for event in play.done] == ["roll"]
    with pytest.raises(ChoiceError, match="nothing to redo"):
        play.apply({"do": "redo"})
