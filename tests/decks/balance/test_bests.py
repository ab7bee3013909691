"""The best decks of a faction, against decks found by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import deckwright
from conftest import Run, edit
from deckwright.base.extras import install_command
from deckwright.cli.answer_text import format_text
from deckwright.decks.balance.model import Balance, BestDeck, FactionBalance
from deckwright.decks.balance.report import describe_balance
from deckwright.decks.solver import highs
from support import card, uses, write_game

RULE = '<rule id="fly" type="passive" effect="Flies."><label GEN="Flight"/></rule>'
LIMITS = """<limit id="size" name="cards" zone="main" min="4"/>
    <limit id="own" name="own" zone="main" faction="own"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="20"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>
    <limit id="guests" name="guests" zone="side" max="0"/>"""
CARDS = [
    card("A1", "Ant", "AA", actions=1, costs=2),
    card("A2", "Queen", "AA", actions=2, costs=4),
    card("A3", "Wasp", "AA", uses("fly"), actions=2, costs=2),
    card("A4", "Giant", "AA", actions=12, costs=6),
    card("A5", "Mite", "AA", actions=1, costs=4),
    card("A6", "Mountain", "AA", actions=99, costs=21),
    card("B1", "Bee", "BB", actions=1, costs=9),
    card("G1", "Guest", "GG", actions=1, costs=1),
]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_game(tmp_path, CARDS, rules=[RULE], limits=LIMITS)
    edit(tmp_path / "xml" / "game.xml", "<deck>", '<deck worth="actions">')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ants(balance: Balance) -> FactionBalance:
    return next(look for look in balance.factions if look.faction.id == "AA")


def copies(deck: BestDeck | None) -> dict[str, int]:
    assert deck is not None
    return {card.id: number for card, number in deck.copies}


def test_the_best_decks_are_those_found_by_hand(game: Path) -> None:
    """Three giants leave two costs for one wasp or ant; two leave eight for four small ones."""
    look = ants(deckwright.open_game(game).balance(best=3, apart=1))
    assert [[deck.worth, deck.cost, deck.cards] for deck in look.best] == [
        [38, 20, 4], [37, 20, 4], [31, 20, 6],
    ]  # fmt: skip
    assert copies(look.strongest) == {"A3": 1, "A4": 3}
    assert copies(look.best[1]) == {"A1": 1, "A4": 3}
    assert copies(look.best[2]) == {"A1": 1, "A3": 3, "A4": 2}
    assert all(deck.proven for deck in look.best)
    assert copies(look.cheapest) == {"A1": 1, "A3": 3}
    assert look.cheapest is not None
    assert [look.cheapest.cost, look.cheapest.worth] == [8, 7]
    assert [look.decks_with(card) for card in look.cards] == [2, 0, 2, 3, 0, 0]


def test_what_a_card_takes_from_the_strongest_deck_is_known(game: Path) -> None:
    """With a queen or a mite two giants and two wasps remain; a mountain is too dear for any."""
    look = ants(deckwright.open_game(game).balance(best=3, apart=1))
    assert [(each.card.id, each.loss) for each in look.forced] == [
        ("A2", 8), ("A5", 9), ("A6", None),
    ]  # fmt: skip
    assert [card.id for card in look.never_taken] == ["A5"]


def test_a_faction_without_a_legal_deck_says_so(game: Path, run: Run) -> None:
    found = deckwright.open_game(game).balance()
    bees = next(look for look in found.factions if look.faction.id == "BB")
    assert (bees.best, bees.cheapest, bees.failure) == ((), None, "no deck meets all limits")
    assert "  no deck meets all limits" in run("balance", "--faction", "BB").stdout


def test_what_nothing_limits_is_told_and_the_rest_is_there(game: Path, run: Run) -> None:
    said = run("balance", "--faction", "AA", "--limit", "copies=off", "--limit", "costs=off").stdout
    assert "no limit restricts the copies of `A" in said
    assert "Ant (A1) beaten by Wasp" in said
    assert game.is_dir()


def test_the_command_shows_the_decks(game: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    said = run("balance", "--faction", "AA", "--best", "3", "--apart", "1").stdout
    assert "  strongest deck: actions 38, costs 20, 4 cards" in said
    assert "  cheapest deck: costs 8, actions 7, 4 cards" in said
    assert "never worth taking: Mite" in said
    rows = {line.split()[0]: line.split()[-3:] for line in said.splitlines()[:12] if "(A" in line}
    assert rows["Giant"][1:] == ["3", "3x"]
    assert rows["Mite"][-1] == "(−9)"
    assert "in the best 3" in said
    assert game.is_dir()


def test_what_is_not_proven_is_told(game: Path) -> None:
    found = deckwright.open_game(game).balance(factions=["AA"], best=1)
    (look,) = found.factions
    unsure = look._replace(best=(look.best[0]._replace(proven=False),))
    answer = describe_balance(found._replace(factions=(unsure,)))
    told = [
        line
        for line in format_text(answer).splitlines()
        if "time ran out before it was proven the best" in line
    ]
    assert [line.split(":")[0] for line in told] == ["  strongest deck"]


def test_without_the_solver_the_rest_is_there(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highs, "find_spec", lambda _: None)
    result = run("balance")
    assert result.exit_code == 0
    assert install_command("solve") in result.stderr
    assert "Ant (A1) beaten by Wasp" in result.stdout
    assert "strongest deck:" not in result.stdout
    printed = run("balance", "--out", str(game / "balance.pdf"))
    assert (printed.exit_code, install_command("solve") in printed.stderr) == (0, True)


def test_the_report_shows_the_decks(game: Path) -> None:
    from pypdf import PdfReader

    deckwright.open_game(game).print_balance(game / "balance.pdf", best=3, apart=1)
    everything, look, *_ = (page.extract_text() for page in PdfReader("balance.pdf").pages)
    assert "Strongest deck" in everything
    assert "costs 20" in look
    assert "In the best 3" in look
    assert "(−9)" in look
    assert "Never worth taking" in look
