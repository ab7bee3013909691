"""What templates see of cards: places in sets, other cards, decimals and lists."""

from __future__ import annotations

from pathlib import Path

from conftest import edit
from deckwright.base.findings import Report
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context, ContextBuilder
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game, load_setup
from deckwright.game.model import Game

LEVEL = '<field name="level"'


def with_fields(small: Path, *fields: str, **values: str) -> Game:
    """Return the game with more fields of cards, and values for some of its cards."""
    folder, report = GameFolder(small), Report()
    edit(folder.game_file, LEVEL, "\n".join((*fields, LEVEL)))
    for card_id, attributes in values.items():
        edit(folder.cards_file(card_id[:2]), f'id="{card_id}"', f'id="{card_id}" {attributes}')
    setup = load_setup(folder, report)
    assert setup is not None, report
    game = load_game(folder, setup, report)
    assert report == []
    return game


def seen(game: Game, card_id: str) -> Context:
    """Return what templates see of a card."""
    return ContextBuilder(game).card_context(game.cards[card_id[:2], card_id], card_id[:2])


def places(small: Path, *card_ids: str) -> list[str]:
    contexts = (seen(with_fields(small), card_id) for card_id in card_ids)
    return [f"{context['set_number']}/{context['set_size']}" for context in contexts]


def test_a_card_knows_its_place_in_its_faction(small: Path) -> None:
    assert places(small, "RW1", "RW3") == ["1/5", "3/5"]


def test_a_game_says_what_its_sets_are(small: Path) -> None:
    edit(small / "xml/game.xml", 'language="en">', 'language="en" set="game">')
    assert places(small, "EC1", "RW3") == ["1/15", "8/15"]


def test_the_values_of_a_field_can_be_sets(small: Path) -> None:
    edit(small / "xml/game.xml", 'language="en">', 'language="en" set="level">')
    assert places(small, "RW1", "RW3", "RW5") == ["3/4", "3/4", "2/2"]


def test_lists_and_decimals_are_lists_and_numbers(small: Path) -> None:
    game = with_fields(
        small,
        '<field name="weight" type="decimal" min="-1.5" unit="kg" default="2.0"/>',
        '<field name="words" type="list" optional="true"/>',
        '<field name="dice" type="list" of="integer" separator="/" max="6" optional="true"/>',
        '<field name="in" type="list" of="rows" default="CLOSE"/>',
        RW1='weight="-0.25" words="Swift,  At home, " dice="1/6/6" in="RANGED, SUPPORT"',
    )
    card, other = seen(game, "RW1"), seen(game, "RW2")
    assert (card["weight"], other["weight"]) == (-0.25, 2)
    assert (card["words"], other["words"]) == (["Swift", "At home"], [])
    assert card["dice"] == [1, 6, 6]
    assert [row["name"] for row in card["in"]] == ["Bridge", "Camp"]
    assert [row["name"] for row in other["in"]] == ["Bank"]
    assert ContextBuilder(game).base_context()["fields"]["weight"]["unit"] == "kg"


def test_cards_see_the_cards_that_they_name_in_circles_too(small: Path) -> None:
    game = with_fields(
        small,
        '<field name="evolves" type="card" optional="true"/>',
        '<field name="friends" type="list" of="card" optional="true"/>',
        RW1='evolves="RW2" friends="RW1, EC1"',
        RW2='evolves="RW1"',
        RW3='evolves="EC/EC2"',
    )
    card = seen(game, "RW1")
    assert card["evolves"]["name"] == "Ferryman"
    assert card["evolves"]["evolves"]["evolves"] is card["evolves"]
    assert [friend["faction"]["id"] for friend in card["friends"]] == ["RW", "EC"]
    assert seen(game, "RW3")["evolves"]["id"] == "EC2"
    assert seen(game, "RW4")["evolves"] is None


def test_a_long_chain_of_cards_is_no_deep_one(small: Path) -> None:
    game = with_fields(small, '<field name="evolves" type="card" optional="true"/>')
    card = game.cards["RW", "RW1"]
    chain = {
        ("RW", f"C{n}"): card._replace(id=f"C{n}", fields={**card.fields, "evolves": f"C{n + 1}"})
        for n in range(5000)
    }
    context = ContextBuilder(game._replace(cards={**game.cards, **chain})).card_context(
        chain["RW", "C0"], "RW"
    )
    assert context["evolves"]["evolves"]["id"] == "C2"


def test_a_deck_reads_other_factions_only_for_what_its_cards_name(small: Path) -> None:
    folder, report = GameFolder(small), Report()
    with_fields(small, '<field name="evolves" type="card" optional="true"/>', RW1='evolves="RW2"')
    setup = load_setup(folder, report)
    assert setup is not None
    (small / "xml/Factions/EC_cards.xml").write_text("<data><card/></data>", encoding="utf-8")
    assert {key[0] for key in load_game(folder, setup, report, ["RW"]).cards} == {"RW"}
    edit(folder.cards_file("RW"), 'evolves="RW2"', 'evolves="WF1"')
    game = load_game(folder, setup, report, ["RW"])
    assert ("WF", "WF1") in game.cards
    assert report == []


def test_faces_of_cards_that_name_each_other_are_composed_again_when_a_game_is_read_again(
    small: Path,
) -> None:
    field = '<field name="other" type="card" optional="true"/>'
    game = with_fields(small, field, RW1='other="RW2"', RW2='other="RW1"')
    folder, report = GameFolder(small), Report()
    factory = FaceFactory(game, folder, report)
    first = factory.card_face(game.cards["RW", "RW1"], "RW", report)
    again = load_game(folder, game.setup, report)
    factory.switch_game(again)
    assert factory.card_face(again.cards["RW", "RW1"], "RW", report) == first
    assert report == []


def test_a_deck_reads_other_factions_for_what_its_tokens_name_as_well(small: Path) -> None:
    folder, report = GameFolder(small), Report()
    field = '<field name="maker" type="card" optional="true"/>'
    token = '<kind tag="token" name="Token" token="true" width="65" height="90" face="card.xml">'
    edit(folder.game_file, token, token + field)
    edit(folder.rules_file, '<token name="Otter"', '<token name="Otter" maker="WF1"')
    setup = load_setup(folder, report)
    assert setup is not None
    game = load_game(folder, setup, report, ["RW"])
    otter = next(token for token in game.tokens() if token.name == "Otter")
    assert ContextBuilder(game).card_context(otter, "RW")["maker"]["id"] == "WF1"
    assert report == []
