"""Fields that `game.xml` works out."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import edit
from deckwright.base.findings import Report
from deckwright.checks.counting import assign_zones, card_matches, sum_field
from deckwright.game.deck_rules import parse_where
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_deck, load_game, load_setup
from deckwright.game.model import Game

CARD = '<kind tag="card" name="Card" width="65" height="90" face="card.xml">'
TOKEN = '<kind tag="token" name="Token" token="true" width="65" height="90" face="card.xml">'


def game_with(small: Path, *fields: str, kind: str = CARD) -> tuple[Game, Report]:
    """Return the game with more fields of a kind, and what is found."""
    folder, report = GameFolder(small), Report()
    edit(folder.game_file, kind, kind + "".join(fields))
    setup = load_setup(folder, report)
    assert setup is not None, report
    return load_game(folder, setup, report), report


def field(name: str, value: str, kind: str = "integer") -> str:
    return f'<field name="{name}" type="{kind}" value="{value}"/>'


def test_a_field_is_worked_out_of_others_and_of_those_before_it(small: Path) -> None:
    rows = field("in", "{{ rows|map(attribute='id')|join(',') }}", 'list" of="rows')
    game, report = game_with(
        small,
        field("worth", "{{ strength + 2 * (costs or 0) }}"),
        field("each", "{{ worth / 3 }}", "decimal"),
        field("strong", "{{ card.worth &gt; 9 }}", "flag"),
        rows,
        field("full", "{{ name }} of {{ faction.name }}, {{ level.name }}", "text"),
    )
    assert report == []
    scout, flood = game.cards["RW", "RW1"].fields, game.cards["RW", "RW5"].fields
    assert [scout[name] for name in ("worth", "each", "strong")] == [6, 2, False]
    assert [flood[name] for name in ("worth", "each", "strong")] == [23, 7.666667, True]
    assert scout["in"] == ("RANGED",)
    assert scout["full"] == "Reed Scout of River Wardens, Tin"


def test_limits_and_conditions_know_it(small: Path) -> None:
    game, report = game_with(small, field("worth", "{{ strength * 2 }}"))
    deck = load_deck(small / "xml/Decks/river.xml", GameFolder(small), game.setup, report)
    assert deck is not None
    lines = [line for line in assign_zones(game, deck) if line.card.faction_id == "RW"]
    assert sum_field("worth", lines) == 2 * sum_field("strength", lines)
    where = parse_where("worth>13 and faction_id=RW")
    assert [card.id for card in game.cards.values() if card_matches(where, card)] == ["RW5"]


def test_tokens_have_such_fields_too(small: Path) -> None:
    game, report = game_with(small, field("worth", "{{ strength + actions }}"), kind=TOKEN)
    assert report == []
    assert game.tokens()
    assert all(token.fields["worth"] is not None for token in game.tokens())


def test_it_may_use_fields_before_it_of_cards_that_a_card_names(small: Path) -> None:
    edit(small / "xml/Factions/RW_cards.xml", 'id="RW2"', 'id="RW2" evolves="RW1"')
    game, report = game_with(
        small,
        '<field name="evolves" type="card" optional="true"/>',
        field("worth", "{{ strength * 10 }}"),
        field("gain", "{{ worth - evolves.worth if evolves else 0 }}"),
    )
    assert report == []
    assert [game.cards["RW", card_id].fields["gain"] for card_id in ("RW1", "RW2")] == [0, 10]


@pytest.mark.parametrize(
    ("values", "said", "hint"),
    [
        (["{{ strength + }}"], "cannot be read", ""),
        (["{{ strenght * 2 }}"], "`strenght` is undefined", "`strength`"),
        (["{{ strength + costs }}"], "cannot add a number and nothing", "write `(costs or 0)`"),
        (["{{ strength / 3 }}"], "must be a whole number", "round it"),
        (["{{ name }}"], "a whole number, at least 0, but is computed as `Reed", "round it"),
        (["{{ x0 }}"], "`x0` is computed from itself", "use other fields"),
        (["{{ x1 }}", "{{ x0 }}"], "`x0` is computed from `x1`, which comes after", "put `x1`"),
        (["{{ 10 ** 16 ** 16 }}"], "cannot be computed", ""),
    ],
)
def test_what_cannot_be_worked_out_is_told_in_game_xml(
    small: Path, values: list[str], said: str, hint: str
) -> None:
    report = game_with(small, *(field(f"x{i}", value) for i, value in enumerate(values)))[1]
    told = [finding for finding in report if said in finding.message and finding.code.id == "G008"]
    assert told, report
    assert hint in (told[0].hint or "")
    assert told[0].location is not None
    assert told[0].location.path.name == "game.xml"


def test_a_card_does_not_say_what_is_worked_out(small: Path) -> None:
    edit(small / "xml/Factions/RW_cards.xml", 'id="RW2"', 'id="RW2" worth="3"')
    _, report = game_with(small, field("worth", "{{ strength }}"))
    assert [finding.code.id for finding in report] == ["S002"]


def test_what_is_worked_out_has_no_default(small: Path) -> None:
    folder, report = GameFolder(small), Report()
    both = field("worth", "{{ strength }}").replace(" value=", ' default="3" value=')
    edit(folder.game_file, CARD, CARD + both)
    assert load_setup(folder, report) is None
    assert report[0].message == "field `worth` is computed, so `default` has no effect"
