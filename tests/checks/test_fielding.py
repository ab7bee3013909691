"""A faction that can build no legal deck is told of, and no other."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import ROOT, Run, edit
from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules
from deckwright.checks.fielding import check_factions
from deckwright.checks.limits import check_limits, select_limits
from deckwright.game.model import Deck, DeckEntry, Game
from support import card, load_all, share_of_examples, write_game

CARDS = [
    card("A1", "Worker", costs=2),
    card("A2", "Soldier", costs=5),
    card("A3", "Queen", level=2, costs=9),
    card("G1", "Pilgrim", "GG"),
]
OWN = '<limit id="own" name="faction" zone="main" faction="own"/>'


def limit(limit_id: str, **attributes: object) -> str:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    zone = "" if "zone" in attributes else 'zone="main" '
    return f'<limit id="{limit_id}" name="things" {zone}{written}/>'


def reasons(folder: Path, *limits: str, cards: list[str] = CARDS) -> list[str]:
    """Return what is said of the factions."""
    write_game(folder, cards, limits="".join(limits))
    return [finding.message for finding in check_factions(load_all(folder))]


SIZE = limit("size", min=8)
COPIES = limit("copies", per="name", max=3)


@pytest.mark.parametrize("most", [34, 33])
def test_the_cheapest_copies_are_added_up(tmp_path: Path, most: int) -> None:
    low = limit("low", where="level=1", per="name", max=4)
    high = limit("high", where="level=2", max=1)
    size, cost = limit("size", exactly=9), limit("cost", sum="costs", max=most)
    found = reasons(tmp_path, OWN, size, low, high, cost)  # 4 × 2 + 4 × 5 + 1 × 9 = 37
    assert [message.rpartition(": ")[2] for message in found] == [
        f"the 9 cheapest copies for `main` have 37 `costs`, at most {most} are allowed"
    ]
    assert reasons(tmp_path, OWN, size, low, high, cost.replace(f'"{most}"', '"37"')) == []


def test_too_few_copies_are_told_of(tmp_path: Path) -> None:
    found = reasons(tmp_path, OWN, limit("size", min=10), COPIES)
    assert [message.rpartition(": ")[2] for message in found] == [
        "limit `size` needs 10 copies in `main`, but at most 9 are possible"
    ]
    assert reasons(tmp_path, OWN, limit("size", min=9), COPIES) == []


def test_a_part_of_the_deck_must_be_filled_too(tmp_path: Path) -> None:
    high = limit("high", where="level=2", min=4)
    assert len(reasons(tmp_path, OWN, COPIES, high)) == 1
    assert reasons(tmp_path, OWN, high) == []
    assert len(reasons(tmp_path, OWN, SIZE, limit("side", zone="side", exactly=2), COPIES)) == 0
    once = limit("once", zone="side", per="name", max=1)
    assert len(reasons(tmp_path, OWN, SIZE, limit("s", zone="side", exactly=2), once)) == 1


def test_factions_that_only_lend_cards_are_not_told_of(tmp_path: Path) -> None:
    # The guests have no cards for the main deck, the bees none at all.
    assert reasons(tmp_path, OWN, SIZE) == []
    (message,) = reasons(tmp_path, OWN, SIZE, limit("none", where="level&lt;=2", max=0))
    assert "`AA`" in message


def test_warnings_do_not_forbid(tmp_path: Path) -> None:
    assert reasons(tmp_path, OWN, COPIES, limit("size", min=10, severity="warning")) == []


def test_caps_that_cross_are_not_both_used(tmp_path: Path) -> None:
    # Workers cost 2 and are low, soldiers cost 5 and are low, too.
    cheap = limit("cheap", where="costs&lt;6", max=3)
    named = limit("named", where="name!=Worker", max=3)
    assert reasons(tmp_path, OWN, limit("size", min=6), cheap, named) == []


def test_limits_for_the_decks_of_others_do_not_count(tmp_path: Path) -> None:
    ban = limit("ban", where="level>=1", max=0)
    assert len(reasons(tmp_path, OWN, SIZE, ban.replace("max=", 'decks="AA" max='))) == 1
    assert reasons(tmp_path, OWN, SIZE, ban.replace("max=", 'decks="BB" max=')) == []


def test_another_format_is_named(tmp_path: Path, run: Run) -> None:
    cost = limit("cost", sum="costs", max=10)
    formats = """<format id="usual" name="Usual" default="true"/>
      <format id="rich" name="Rich"><set limit="cost" value="99"/></format>
      <format id="poor" name="Poor"><set limit="cost" value="9"/></format>"""
    write_game(tmp_path, CARDS, limits=OWN + SIZE + COPIES + cost + formats)
    result = run("check", "-g", str(tmp_path))
    assert "no legal deck in the format `usual`" in result.stderr
    assert 'another format with `format="…"`: `rich`\n' in result.stderr
    file = tmp_path / "xml" / "factions_definition.xml"
    edit(file, 'id="AA"', 'id="AA" format="rich"')
    assert run("check", "-g", str(tmp_path)).stderr == ""
    edit(file, '"rich"', '"ritch"')
    assert " R016: " in run("check", "-g", str(tmp_path)).stderr


def test_cards_that_could_not_be_read_are_not_missing(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, CARDS, limits=OWN + SIZE + COPIES)
    edit(tmp_path / "xml" / "Factions" / "GG_cards.xml", 'level="1"', 'level="9"')
    result = run("check", "-g", str(tmp_path))
    assert " D011: " not in result.stderr


def test_the_high_elves_need_202_provisions() -> None:
    game = load_all(ROOT)
    assert list(check_factions(game)) == []
    elves = game.factions["EH"]._replace(format=None)
    (finding,) = check_factions(game._replace(factions={**game.factions, "EH": elves}))
    assert "`EH`" in finding.message
    assert finding.message.endswith("have 202 `costs`, at most 200 are allowed")
    assert finding.hint is not None
    assert finding.hint.endswith(": `casual`")


def decks(game: Game, copies: int) -> list[Deck]:
    """Return all decks with so many copies of each card or fewer."""
    source = next(iter(game.cards.values())).source
    keys = list(game.cards)
    return [
        Deck("x", "X", "AA", None, tuple(
            DeckEntry(*key, number, source) for key, number in zip(keys, numbers, strict=True)
            if number
        ), source)
        for numbers in product(range(copies + 1), repeat=len(keys))
    ]  # fmt: skip


BOUND = st.integers(0, 6)
CONDITION = st.sampled_from(["", "level=1", "level=2", "costs&lt;2", "name=Ant"])


@st.composite
def limit_lists(draw: st.DrawFn) -> str:
    """Return limits of any kind."""
    written = []
    for number in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["min", "max", "exactly"]))
        attributes: dict[str, object] = {kind: draw(BOUND)}
        if where := draw(CONDITION):
            attributes["where"] = where
        if draw(st.booleans()):
            attributes["sum"] = "costs"
        elif draw(st.booleans()) and kind == "max":
            attributes["per"] = draw(st.sampled_from(["name", "level", "costs"]))
        written.append(limit(f"l{number}", **attributes))
    return "".join(written)


@pytest.mark.corpus(1, grows=True)
@settings(
    max_examples=share_of_examples(120), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    limit_lists(),
    st.lists(
        st.tuples(st.sampled_from(["Ant", "Bee"]), st.integers(1, 2), st.integers(0, 3)),
        min_size=1, max_size=3,
    ),
)  # fmt: skip
def test_a_faction_with_a_legal_deck_is_never_told_of(
    tmp_path: Path, limits: str, designs: list[tuple[str, int, int]]
) -> None:
    cards = [
        card(f"A{number}", name, level=level, costs=costs)
        for number, (name, level, costs) in enumerate(designs)
    ]
    write_game(tmp_path, cards, limits=OWN + limits)
    game = load_all(tmp_path)
    told = list(check_factions(game))
    held = select_limits(game.setup, "AA", None, {})
    for deck in decks(game, 4):
        report: Report = []
        check_limits(game, deck, DeckRules(held), report)
        if not report:
            assert told == []
            break
