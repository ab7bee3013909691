"""Random games on the table: a beginning, and events that a table may get."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from deckwright.decks.play.table import EVENTS, MARKER, OPEN, Event, Table

AREAS = {"main": "pile", "side": "pile", "hand": "hand", "discard": "discard", "front": "row"}


def beginning(players: int = 2, seed: int = 7, **opening: int) -> dict[str, Any]:
    """Return the beginning of a game of ten cards and two others for each player."""
    areas = {f"{player}/{area}": kind for player in range(players) for area, kind in AREAS.items()}
    return {
        "do": "begin",
        "seed": seed,
        "opening": {"hand": 4, "zone": "main", "redraws": 2, "mulligans": 1, **opening},
        "players": [
            {
                "deck": f"deck{player}",
                "name": f"Deck {player}",
                "piles": {
                    "main": [f"AA:A{number % 5}" for number in range(10)],
                    "side": ["GG:G1", "GG:G2"],
                },
            }
            for player in range(players)
        ],
        "areas": {**areas, "sky": "row", "table": "free"},
    }


def draw_event(data: st.DataObject, table: Table) -> Event:
    """Return an event that is possible on a table."""
    pick = data.draw
    area = st.sampled_from([*table.areas])
    some = st.lists(st.sampled_from([*table.pieces]), min_size=1, max_size=4, unique=True)
    share = st.floats(0, 1).map(lambda value: round(value, 3))
    player = pick(st.sampled_from(range(len(table.counters))))
    made = [piece.id for piece in table.pieces.values() if piece.added]
    hand = table.areas[f"{player}/hand"]
    name = pick(st.sampled_from([*EVENTS, "on", "marker", "move", "move", "draw"]))
    if name == "on":
        lying = [p.id for p in table.pieces.values() if table.setting.areas[p.area] in OPEN]
        if len(lying) > 1:
            below = pick(st.sampled_from(lying))
            above = pick(st.sampled_from(lying))
            if below not in table.pile_on(above)[0]:
                to = table.pieces[below].area
                return {"do": "move", "cards": [above], "to": to, "on": below, "x": 0.1, "y": 0.1}
        name = "flip"
    if name == "marker":
        to = pick(st.sampled_from([a for a, kind in table.setting.areas.items() if kind in OPEN]))
        return {"do": "create", "card": f"{MARKER}wound", "to": to, "count": 2}
    if name == "take_away" and made:
        return {"do": name, "cards": [pick(st.sampled_from(made))]}
    if name == "redraw" and hand:
        return {"do": name, "player": player, "cards": hand[: pick(st.integers(1, 2))]}
    if name == "shuffle_cards":
        lying = table.areas[table.pieces[pick(some)[0]].area]
        together = st.lists(st.sampled_from(lying), min_size=1, unique=True)
        return {"do": name, "cards": pick(together)}
    fields: dict[str, dict[str, Any]] = {
        "mulligan": {"player": player},
        "move": {"cards": pick(some), "to": pick(area), "at": pick(st.none() | st.integers(-1, 5)),
                 "x": pick(share), "y": pick(share), "up": pick(st.none() | st.booleans())},
        "draw": {"area": pick(area), "to": [pick(area)], "count": pick(st.integers(1, 4))},
        "shuffle": {"area": pick(area)},
        "rotate": {"cards": pick(some), "by": pick(st.sampled_from([90, -90, 180]))},
        "look": {"area": pick(area), "count": pick(st.none() | st.integers(1, 3))},
        "create": {"card": "AA:T1", "to": pick(area), "owner": player},
        "count": {"player": player, "name": "life", "by": pick(st.integers(-3, 3))},
        "next_turn": {},
        "roll": {"sides": pick(st.integers(2, 20)), "count": pick(st.integers(1, 3))},
        "note": {"text": "why?", "card": pick(st.none() | st.sampled_from([*table.pieces]))},
        **{act: {"cards": pick(some)} for act in ("flip", "reveal", "peek")},
    }  # fmt: skip
    if name not in fields:
        name = "next_turn"
    return {"do": name, **{key: value for key, value in fields[name].items() if value is not None}}
