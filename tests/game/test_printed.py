"""Who prints which card and token, and that all rooms say the same of it."""

from __future__ import annotations

from pathlib import Path

from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.outputs.cockatrice import list_entries
from support import card, load_all, token_rule, uses, write_game


def a_game(folder: Path) -> Path:
    cards = [card("A1", "Ant"), card("B1", "Bee", "BB", uses("call")), card("B2", "Bug", "BB"),
             card("G1", "Guest", "GG", uses("call"))]  # fmt: skip
    return write_game(folder, cards, rules=[token_rule("call", "Wolf"), token_rule("cry", "Fox")])


def test_a_token_is_printed_by_the_first_faction_that_has_a_card_with_its_rule(
    tmp_path: Path,
) -> None:
    game = load_all(a_game(tmp_path))
    assert [(each.card.name, each.faction_id, each.rule_id) for each in game.printable_cards()] == [
        ("Ant", "AA", ""), ("Bee", "BB", ""), ("Bug", "BB", ""), ("Guest", "GG", ""),
        ("Wolf", "BB", "call"), ("Fox", "", "cry"),
    ]  # fmt: skip
    assert [(each.card.name, each.faction_id) for each in game.printable_cards(without={"BB"})] == [
        ("Ant", "AA"), ("Guest", "GG"), ("Wolf", "GG"), ("Fox", ""),
    ]  # fmt: skip


def test_what_is_drawn_and_exported_follows_from_it(tmp_path: Path) -> None:
    folder = GameFolder(a_game(tmp_path))
    game = load_all(folder.path)
    factory = FaceFactory(game, folder, [])
    assert [(n.card.name, n.group) for n in compose_faces(factory, [])] == [
        ("Ant", "AA"), ("Bee", "BB"), ("Bug", "BB"), ("Guest", "GG"), ("Wolf", "tokens"),
    ]  # fmt: skip
    assert [n.card.name for n in compose_faces(factory, [], ["call", "A1"])] == ["Ant", "Wolf"]
    entries = {entry.name: entry.faction_id for entry in list_entries(game)}
    assert entries == {"Ant": "AA", "Bee": "BB", "Bug": "BB", "Guest": "GG", "Wolf": "BB",
                       "Fox": "AA"}  # fmt: skip
