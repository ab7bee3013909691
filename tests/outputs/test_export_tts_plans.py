"""Piles of cards on sheets of pictures, and as saved objects, without drawing any."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saved_objects import cards_of

from conftest import ROOT
from deckwright.faces.card_text import card_text
from deckwright.faces.copies import Copy
from deckwright.game.model import Deck
from deckwright.ops.model import Face
from deckwright.outputs.tabletop.sheets import MAX_CARDS, MAX_SIDE, CardPile, grid_for, make_sheets
from deckwright.outputs.tabletop.tabletop_simulator import saved_object
from support import card, load_all, share_of_examples, token_rule, uses, write_game

GAME = load_all(ROOT)
DECK = Deck("a", "A", "HK", None, (), GAME.setup.source)


@cache
def back_of(size: tuple[float, float], name: str) -> Face:
    return Face(*size, (), subject=name)


def table_card(key: str, size: tuple[float, float], back: str) -> Copy:
    shown = GAME.cards["HK", "HK1"]._replace(id=key, name=f"Card {key}")
    return Copy(shown, "HK", Face(*size, ()), back_of(size, back))


SIZES = [(65.0, 90.0), (88.9, 63.5), (20.0, 20.0), (10.0, 300.0)]


@st.composite
def some_piles(draw_: st.DrawFn) -> list[CardPile]:
    """Piles with copies of up to some hundred cards of some sizes and backs."""
    number = draw_(st.integers(1, 300))
    chance = random.Random(draw_(st.integers(0, 1000)))
    sizes = SIZES[: draw_(st.integers(1, len(SIZES)))]
    backs = [f"back {n}" for n in range(draw_(st.integers(1, 40)))]
    cards = [table_card(str(n), chance.choice(sizes), chance.choice(backs)) for n in range(number)]
    piles = []
    for size in sizes:
        of_size = [card for card in cards if card.size == size]
        copies = chance.choices(of_size, k=chance.randint(1, 2 * len(of_size))) if of_size else []
        half = chance.randint(0, len(copies))
        piles += [CardPile(f"{size} {n}", tuple(some)) for n, some in
                  enumerate((copies[:half], copies[half:])) if some]  # fmt: skip
    return piles


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(100))
@given(some_piles())
def test_every_copy_is_in_one_place_whatever_the_piles(piles: list[CardPile]) -> None:
    sheets = make_sheets(piles)
    urls = {sheet.number: (f"f{sheet.number}", f"b{sheet.number}") for sheet in sheets}
    state = json.loads(saved_object(GAME, DECK, piles, sheets, urls))
    by_url = {urls[sheet.number][0]: sheet for sheet in sheets}
    for sheet in sheets:
        columns, rows = sheet.grid.columns, sheet.grid.rows
        assert len(sheet.cards) <= min(MAX_CARDS, columns * rows - 1)
        assert columns * sheet.grid.cell[0] <= MAX_SIDE
        assert rows * sheet.grid.cell[1] <= MAX_SIDE
        assert len({card.size for card in sheet.cards}) == 1
        assert sheet.mixed == (len({id(card.back) for card in sheet.cards}) > 1)
    placed = [card.key for sheet in sheets for card in sheet.cards]
    assert len(placed) == len(set(placed))
    assert set(placed) == {card.key for pile in piles for card in pile.cards}
    guids: list[str] = []
    for pile, thing in zip(piles, state["ObjectStates"], strict=True):
        shown = cards_of(thing)
        guids += [one["GUID"] for one in ([] if shown == [thing] else [thing]) + shown]
        for copy, one in zip(pile.cards, shown, strict=True):
            ((key, deck),) = one["CustomDeck"].items()
            sheet, index = by_url[deck["FaceURL"]], one["CardID"] - 100 * int(key)
            assert sheet.cards[index].key == copy.key
            assert (deck["NumWidth"], deck["NumHeight"]) == sheet.grid[:2]
            assert deck["UniqueBack"] == sheet.mixed
            assert one["CardID"] < 2**31
    assert len(set(guids)) == len(guids)
    assert all(re.fullmatch("[0-9a-f]{6}", guid) for guid in guids)
    keys: Mapping[str, set[str]] = {}
    for thing in state["ObjectStates"]:
        for key, deck in thing["CustomDeck"].items():
            keys.setdefault(key, set()).add(deck["FaceURL"])  # type: ignore[attr-defined]
    assert all(len(urls_of) == 1 for urls_of in keys.values())


@given(st.integers(1, MAX_CARDS), st.floats(10, 300), st.floats(10, 300))
def test_cells_are_as_large_as_can_be(cards: int, width: float, height: float) -> None:
    grid = grid_for(cards, width, height)
    assert grid.columns * grid.rows > cards
    finest = 300 / 25.4

    def scale(columns: int, rows: int) -> float:
        return min(MAX_SIDE // columns / width, MAX_SIDE // rows / height, finest)

    best = max(
        scale(columns, rows)
        for columns in range(2, 11)
        for rows in range(2, 8)
        if columns * rows > cards
    )
    across, down = grid.cell
    assert across <= width * best + 1
    assert down <= height * best + 1
    assert min(across / (width * best), down / (height * best)) > 1 - 2 / min(across, down)
    assert abs(across * height / width - down) <= max(1, height / width) + 1e-6


def test_ids_are_different_in_piles_so_large_that_two_are_drawn_alike() -> None:
    only = table_card("1", SIZES[0], "a")
    pile = CardPile("A", (only,) * 15_000)
    sheets = make_sheets([pile])
    state = json.loads(saved_object(GAME, DECK, [pile], sheets, {1: ("f", "b")}))
    guids = [one["GUID"] for one in cards_of(state["ObjectStates"][0])]
    assert len(set(guids)) == len(guids) == 15_000


def test_a_full_sheet_of_euro_cards() -> None:
    assert grid_for(69, 65, 90) == (10, 7, (409, 566))
    assert grid_for(1, 65, 90) == (2, 2, (767, 1062))


def test_many_cards_are_spread_evenly() -> None:
    cards = tuple(table_card(str(n), SIZES[0], "a") for n in range(140))
    assert [len(sheet.cards) for sheet in make_sheets([CardPile("A", cards)])] == [46, 47, 47]


def test_few_cards_of_several_backs_share_a_sheet_and_many_have_their_own() -> None:
    counts = {"a": 12, "b": 9, "c": 3, "d": 10}
    cards = [
        table_card(f"{back}{n}", SIZES[0], back) for back, k in counts.items() for n in range(k)
    ]
    sheets = make_sheets([CardPile("A", tuple(cards))])
    assert [(len(sheet.cards), sheet.mixed) for sheet in sheets] == [
        (12, False), (10, False), (12, True),
    ]  # fmt: skip
    few = make_sheets(
        [CardPile("A", tuple(card for card in cards if card.back == back_of(SIZES[0], "c")))]
    )
    assert [(len(sheet.cards), sheet.mixed) for sheet in few] == [(3, False)]


def test_the_text_of_a_card_has_its_rules_as_its_faction_calls_them() -> None:
    game = load_all(ROOT)
    falcon = next(c for c in game.cards.values() if "ca001" in c.rule_ids())
    text = card_text(game, falcon, falcon.faction_id)
    rule = game.rules["ca001"]
    name = rule.any_label(game.factions[falcon.faction_id].race)
    assert f"{name} ({rule.cost}): {rule.effect}" in text.splitlines()


def test_symbols_are_named_and_icons_left_out(tmp_path: Path) -> None:
    game = load_all(ROOT / "examples" / "duel")
    warden = game.cards["blue", "toll-warden"]
    text = card_text(game, warden, "blue")
    assert "Front Each attack on this hero does 2 damage less." in text
    assert "Flank intercept Intercepts ranged attacks in its column." in text
    rule = token_rule("call", "Wolf").replace("Create a", "{icon:paw} Howl: {unknown} create a")
    folder = write_game(tmp_path, [card("A1", "Ant", "AA", uses("call"))], rules=[rule])
    small_game_text = card_text(load_all(folder), load_all(folder).cards["AA", "A1"], "AA")
    assert small_game_text.endswith("Call (1): Howl: {unknown} create a Wolf.")
