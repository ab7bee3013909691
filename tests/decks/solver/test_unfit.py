"""Factions that can build no legal deck are found exactly, and cards that none can have."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import check_limits, select_limits
from deckwright.decks.solver.unbuildable import Unbuildable, find_unbuildable
from deckwright.game.model import Deck, DeckEntry, Game
from support import card, load_all, write_game

CARDS = [
    card("A1", "Worker", costs=2),
    card("A2", "Soldier", costs=5),
    card("A3", "Queen", level=2, costs=9),
    card("B1", "Drone", "BB", costs=3),
    card("B2", "Sting", "BB", costs=4),
    card("G1", "Pilgrim", "GG"),
    card("G2", "Tinker", "GG", level=2),
]
SIZE = '<limit id="size" name="cards" zone="main" min="4"/>'
COSTS = '<limit id="costs" name="costs" zone="main" sum="costs" max="14"/>'
COPIES = '<limit id="copies" name="copies" zone="main" per="name" max="2"/>'
OWN = '<limit id="own" name="faction" zone="main" faction="own"/>'
GUESTS = '<limit id="guests" name="cards" zone="side" exactly="1"/>'


def found(folder: Path, *limits: str, cards: list[str] = CARDS) -> list[Unbuildable]:
    write_game(folder, cards, limits="".join(limits))
    return list(find_unbuildable(load_all(folder), 60))


def told(unfits: list[Unbuildable]) -> list[tuple[str, str | None]]:
    return [(each.faction_id, each.card_id) for each in unfits]


def test_a_card_that_leaves_no_room_is_in_no_deck(tmp_path: Path) -> None:
    all_limits = (SIZE, COSTS, COPIES, OWN, GUESTS)
    (queen,) = found(tmp_path, *all_limits)  # 9 + 2 × 2 + 5 = 18
    assert told([queen]) == [("AA", "A3")]
    assert queen.conflict.names == "`size` (at least 4) and `costs` (at most 14)"
    assert [each.change for each in queen.conflict.parts] == ["size=3", "costs=18"]
    assert found(tmp_path, *all_limits[2:]) == []


def test_both_a_faction_and_cards_of_another_are_told_of(tmp_path: Path) -> None:
    cheap = COSTS.replace("14", "13")  # 2 × 2 + 2 × 5 = 14, and 2 × 3 + 2 × 4 = 14
    assert told(found(tmp_path, SIZE, COSTS, COPIES, OWN)) == [("AA", "A3")]
    assert told(found(tmp_path, SIZE, cheap, COPIES, OWN)) == [("AA", None), ("BB", None)]
    cards = [*CARDS, card("B3", "Wax", "BB", costs=1)]
    assert told(found(tmp_path, SIZE, cheap, COPIES, OWN, cards=cards)) == [("AA", None)]


def test_a_card_that_is_lent_counts_as_used_if_any_faction_uses_it(tmp_path: Path) -> None:
    high = '<limit id="high" name="cards" zone="side" where="level=2" max="0" decks="AA"/>'
    assert found(tmp_path, COPIES, OWN, GUESTS, high) == []
    (tinker,) = found(tmp_path, COPIES, OWN, GUESTS, high.replace(' decks="AA"', ""))
    assert told([tinker]) == [("GG", "G2")]
    assert tinker.conflict.names == "`high` (none)"


def test_what_another_format_admits_has_its_place_there(tmp_path: Path) -> None:
    standard = '<format id="standard" name="Standard" default="true"/>'
    wide = '<format id="wide" name="Wide"><set limit="costs" value="18"/></format>'
    all_limits = (SIZE, COSTS, COPIES, OWN)
    assert told(found(tmp_path, *all_limits, standard)) == [("AA", "A3")]
    assert found(tmp_path, *all_limits, standard, wide) == []
    tight = (SIZE, COSTS.replace("14", "13"), COPIES, OWN)
    both = found(tmp_path, *tight, standard, wide)
    assert [(*told([each])[0], each.formats) for each in both] == [
        ("AA", None, ("wide",)),
        ("BB", None, ("wide",)),
    ]


def test_cards_that_no_zone_takes_are_none_for_decks(tmp_path: Path) -> None:
    write_game(tmp_path, CARDS, limits=OWN + COPIES)
    setup = tmp_path / "xml" / "game.xml"
    text = setup.read_text(encoding="utf-8")
    zone = '<zone id="side" name="Side" only="guests"/>'
    setup.write_text(text.replace(zone, zone.replace("/>", ' where="level=1"/>')), "utf-8")
    assert list(find_unbuildable(load_all(tmp_path), 60)) == []


def test_restricted_cards_are_known_to_who_restricts_them(tmp_path: Path) -> None:
    banned = '<limit id="banned" name="banned" zone="main" where="restriction=banned" max="0"/>'
    write_game(tmp_path, CARDS, limits=OWN + COPIES + banned)
    folder = tmp_path / "xml" / "Restrictions"
    folder.mkdir()
    (folder / "first.xml").write_text(
        '<data><meta name="First" from="2026-01-01"/>'
        '<card faction_id="AA" id="A2" is="banned"/></data>',
        encoding="utf-8",
    )
    assert list(find_unbuildable(load_all(tmp_path), 60)) == []
    (folder / "first.xml").unlink()
    (tmp_path / "xml" / "game.xml").write_text(
        (tmp_path / "xml" / "game.xml")
        .read_text(encoding="utf-8")
        .replace("restriction=banned", "name=Soldier"),
        encoding="utf-8",
    )
    assert told(list(find_unbuildable(load_all(tmp_path), 60))) == [("AA", "A2")]


def test_without_time_nothing_is_told(tmp_path: Path) -> None:
    write_game(tmp_path, CARDS, limits=SIZE + COSTS + COPIES + OWN)
    assert list(find_unbuildable(load_all(tmp_path), 0)) == []


def test_it_is_as_if_all_decks_had_been_tried(tmp_path: Path) -> None:
    crossed = '<limit id="x" name="x" zone="main" where="costs&gt;4" max="1"/>'
    most = '<limit id="most" name="cards" zone="main" max="5"/>'
    for costs in range(8, 20, 2):
        limits = (SIZE, most, COSTS.replace("14", str(costs)), COPIES, OWN, crossed)
        told_of = told(found(tmp_path, *limits))
        assert told_of == tried(load_all(tmp_path))


def tried(game: Game) -> list[tuple[str, str | None]]:
    """Return what is told if every deck of at most two copies of each own card is checked."""
    whole: list[tuple[str, str | None]] = []
    single: list[tuple[str, str | None]] = []
    for faction_id in ("AA", "BB"):
        own = [each for each in game.cards.values() if each.faction_id == faction_id]
        held = DeckRules(select_limits(game.setup, faction_id, None, {}))
        used: set[str] | None = None
        for numbers in product(range(3), repeat=len(own)):
            entries = tuple(
                DeckEntry(faction_id, each.id, number, each.source)
                for each, number in zip(own, numbers, strict=True)
                if number
            )
            report: Report = []
            deck = Deck("deck", "Deck", faction_id, None, entries, game.setup.source)
            check_limits(game, deck, held, report)
            if not report:
                used = (used or set()) | {entry.card_id for entry in entries}
        if used is None:
            whole.append((faction_id, None))
        else:
            single += [(faction_id, each.id) for each in own if each.id not in used]
    return whole + single
