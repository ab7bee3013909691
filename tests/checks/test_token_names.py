"""No rule is printed by the name that another race has for it, on tokens neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run
from support import card, line, uses, write_game

CALL = (
    '<rule id="call" type="active" cost="1" effect="Create a Wolf."><label {}/>'
    '<token name="Wolf" actions="0"><rule id="{}"/></token></rule>'
)
BITE = '<rule id="bite" type="passive" effect="Bite."><label Bees="Sting"/></rule>'
SAYS = "token `Wolf` of the race `Ants` uses rule `bite`, which has names only for `Bees`"


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ([CALL.format('GEN="Call"', "bite"), BITE], "xml/rules.xml:2:120"),
        ([CALL.format('GEN="Call"', "again"), BITE,
          CALL.format('GEN="Again"', "call").replace('"call"', '"again"', 1)
          .replace('<rule id="call"/>', '<rule id="call"/><rule id="bite"/>')], "xml/rules.xml:4:"),
    ],
    ids=["its own", "of a token of a token"],
)  # fmt: skip
def test_a_rule_of_a_token_needs_a_name_for_the_races_that_create_it(
    tmp_path: Path, run: Run, rules: list[str], place: str
) -> None:
    write_game(tmp_path, [card("A1", "Ant", "AA", uses("call")), card("B1", "Bee", "BB")],
               rules=rules, decks={"one": [line("A1")]})  # fmt: skip
    for command in ("check", "deck one"):
        result = run(*command.split(), "--game", str(tmp_path))
        assert result.exit_code == 1
        assert result.stderr.count(f"error R006: {SAYS}") == 1, result.stderr
        assert place in result.stderr


def test_one_that_only_others_create_does_not(tmp_path: Path, run: Run) -> None:
    cards = [card("A1", "Ant"), card("B1", "Bee", "BB", uses("call"))]
    write_game(tmp_path, cards, rules=[CALL.format('GEN="Call"', "bite"), BITE])
    assert run("check", "--game", str(tmp_path)).stderr == ""


def test_what_a_guest_creates_is_named_by_the_race_of_the_deck(tmp_path: Path, run: Run) -> None:
    cards = [card("A1", "Ant"), card("G1", "Fox", "GG", uses("call"))]
    rules = [CALL.format('GEN="Call"', "bite"), BITE.replace("Bees", "Guest")]
    write_game(tmp_path, cards, rules=rules, decks={"one": [line("A1"), line("G1")]})
    result = run("check", "--game", str(tmp_path))
    assert f"error R006: {SAYS.replace('Bees', 'Guest')}" in result.stderr
