"""What the fields of kinds may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FieldValue
from deckwright.game.load import load_cards, load_setup
from support import card, write_game

STRENGTH = 'text="Level"/>\n    <field name="strength" type="integer"'


def strength(small: Path, field: str, value: str) -> tuple[list[FieldValue], list[str]]:
    """Return the strength of the first card, where the field and the card say so; and findings."""
    folder, report = GameFolder(small), Report()
    edit(folder.game_file, STRENGTH, f"{STRENGTH} {field}")
    cards = folder.cards_file("RW")
    edit(
        cards,
        'name="Reed Scout" faction_id="RW" level="1" strength="2"',
        f'name="Reed Scout" faction_id="RW" level="1" {value}',
    )
    setup = load_setup(folder, report)
    found = load_cards(cards, setup, report).cards if setup else []
    return [card.fields["strength"] for card in found[:1]], [finding.message for finding in report]


@pytest.mark.parametrize(
    ("value", "number"), [('strength="-5"', -5), ('strength="+3"', 3), ("", -1)]
)
def test_whole_numbers_can_be_below_zero(small: Path, value: str, number: int) -> None:
    bounds = 'min="-5" max="9" default="-1" optional="true"'
    assert strength(small, bounds, value) == ([number], [])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ('min="-5"', 'strength="-6"', "must be a whole number, at least -5, but is `-6`"),
        ('min="-5" max="-1"', 'strength="0"', "must be a whole number from -5 to -1, but is `0`"),
        ("", 'strength="-1"', "must be a whole number, at least 0, but is `-1`"),
        ('min="3" max="-3"', 'strength="0"', "`min` is 3, more than `max`, which is -3"),
        ('default="-1"', 'strength="0"', "the default `-1` is not a value of the field"),
    ],
)
def test_numbers_keep_to_their_bounds(small: Path, field: str, value: str, said: str) -> None:
    message, *_ = strength(small, field, value)[1]
    assert said in message


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ('type="decimal" max="9.5"', "9.6", "must be a number from 0 to 9.5, but is `9.6`"),
        ('type="decimal"', "2,5", "must be a number, at least 0, but is `2,5`"),
        ('type="integer" max="9.5"', "1", "is a whole number, but `max` is 9.5"),
        (
            'type="list" of="integer"',
            "1, x, 2, y",
            "must be a whole number, at least 0, but is `x`",
        ),
        ('type="list" of="rows"', "CLOSE, NEAR", "has extra `NEAR`, which the game does not have"),
        ('type="list" of="row"', "CLOSE", "names the vocabulary `row`"),
        ('type="list" of="rows" default="NEAR"', "CLOSE", "the default `NEAR` is not a value"),
        ('type="boolean"', "true", "has type `boolean`, which the game does not have"),
    ],
)
def test_what_a_field_cannot_hold_is_told(small: Path, field: str, value: str, said: str) -> None:
    assert said in extra(small, field, value)[0].message


def extra(small: Path, field: str, value: str) -> Report:
    """Return what is found where the first card has one more field."""
    folder, report = GameFolder(small), Report()
    new = f'<field name="extra" {field} optional="true"/>'
    edit(folder.game_file, '<field name="level"', f'{new}<field name="level"')
    edit(folder.cards_file("RW"), 'id="RW1"', f'id="RW1" extra="{value}"')
    setup = load_setup(folder, report)
    if setup:
        load_cards(folder.cards_file("RW"), setup, report)
    return report


def test_all_wrong_parts_of_a_list_are_told(small: Path) -> None:
    assert len(extra(small, 'type="list" of="integer"', "1, x, 2, y")) == 2


@pytest.mark.parametrize(
    ("field", "value", "hint"),
    [
        ('type="decimal"', "2,5", "write `2.5`"),
        ('type="boolean"', "true", "write `flag`"),
        ('type="list" of="rows"', "CLOSE, RANGD", "did you mean `RANGED`?"),
    ],
)
def test_hints_say_what_is_meant(small: Path, field: str, value: str, hint: str) -> None:
    assert extra(small, field, value)[0].hint == hint


def test_a_field_with_a_default_may_be_left_out(small: Path) -> None:
    assert strength(small, 'default="4"', "") == ([4], [])


def test_a_list_with_other_separators_is_told_of_its_own(small: Path) -> None:
    found = extra(small, 'type="list" of="rows"', "CLOSE; RANGED")
    assert found[0].hint == "separate several with `,`"


@pytest.mark.parametrize(("value", "hint"), [("yes", "write `true`"), ("0", "write `false`")])
def test_a_flag_is_true_or_false(small: Path, value: str, hint: str) -> None:
    (finding,) = extra(small, 'type="flag"', value)
    assert finding.message.endswith(f"must be `true` or `false`, but is `{value}`")
    assert finding.hint == hint


def test_numbers_have_no_bound_but_the_one_that_is_written(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card("A1", "Ant", level=1, costs=1_000_000)])
    setup = tmp_path / "xml" / "game.xml"
    said = setup.read_text()
    assert run("check", "--game", str(tmp_path)).stderr == ""
    for bounds, most in (('max="10"', "10"), ('max="20000"', "20000"), ('min="1"', "999999999")):
        setup.write_text(said.replace('name="costs"', f'name="costs" {bounds}'))
        write_game(tmp_path / "other", [card("A1", "Ant", level=1, costs=10**9)])
        (tmp_path / "other" / "xml" / "game.xml").write_text(setup.read_text())
        result = run("check", "--game", str(tmp_path / "other"))
        least = bounds[5] if bounds.startswith("min") else "0"
        words = f"`costs` must be a whole number from {least} to {most}, but is `1000000000`"
        assert words in result.stderr


def test_what_is_printed_so_often_keeps_its_bound(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card("A1", "Ant", actions=10_000)])
    result = run("check", "--game", str(tmp_path))
    assert "`actions` must be a whole number from 0 to 9999, but is `10000`" in result.stderr
