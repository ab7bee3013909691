"""What has a mistake is left out of the check, and the rest goes through all stages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from conftest import Run, edit

CARDS = Path("xml/Factions/RW_cards.xml")
DECK = Path("xml/Decks/river.xml")
RULES = Path("xml/rules.xml")
FACTIONS = Path("xml/factions_definition.xml")
TEMPLATE = Path("templates/card.xml")

pytestmark = pytest.mark.usefixtures("small")


def codes(said: str) -> list[str]:
    return re.findall(r": (?:error|warning) ([A-Z]\d{3}): ", said)


def unchecked(said: str) -> list[str]:
    return re.findall(r"^not checked: (.*)$", said, re.MULTILINE)


def check(run: Run, *arguments: str) -> tuple[int, list[str], list[str]]:
    result = run("check", *arguments)
    return result.exit_code, codes(result.stderr), unchecked(result.stderr)


def test_mistakes_of_all_stages_are_found_at_once(run: Run) -> None:
    edit(CARDS, 'strength="7"', 'strength="many"')
    edit(CARDS, '<rule id="ra002"/>', '<rule id="ra0002"/>')
    edit(TEMPLATE, "<circle", "<cirle")
    edit(DECK, 'id="RW1"', 'id="RW99"')
    edit(Path("xml/Factions/EC_cards.xml"), '"EC1" name="Torchbearer" faction_id="EC"',
         '"EC1" name="Torchbearer" faction_id="XX"')  # fmt: skip
    Path("img/lantern.png").unlink()
    exit_code, found, _ = check(run)
    assert exit_code == 1
    assert {"S004", "R003", "T001", "R002", "R008"} <= set(found)


def test_a_card_that_is_left_out_is_missed_by_nobody(run: Run) -> None:
    edit(CARDS, 'id="RW2" ', 'id="RW2" colour="red" ')
    assert check(run) == (
        1,
        ["S002"],
        ["the references and the face of card `RW2`", "the limits of river.xml"],
    )


def test_a_card_without_an_id_may_be_any_that_a_deck_names(run: Run) -> None:
    edit(CARDS, 'id="RW2" ', 'di="RW2" ')
    exit_code, found, names = check(run)
    assert (exit_code, sorted(found)) == (1, ["S002", "S003"])
    assert names == ["some cards of RW_cards.xml", "the limits of river.xml"]


def test_a_rule_that_is_left_out_is_missed_by_no_card(run: Run) -> None:
    edit(RULES, '<rule id="ra002" type="active"', '<rule id="ra002" type="activ"')
    exit_code, found, names = check(run)
    assert (exit_code, found) == (1, ["S004"])
    assert names == ["rule `ra002` of rules.xml, with its text and tokens"]


def test_a_faction_that_is_left_out_is_missed_by_nobody(run: Run) -> None:
    edit(FACTIONS, 'id="RW" ', 'id="RW" motto="Row" ')
    exit_code, found, names = check(run)
    assert (exit_code, found) == (1, ["S002"])
    assert names[0] == "faction `RW` of factions_definition.xml, with its cards"
    assert "the limits of river.xml" in names


def test_a_line_of_a_deck_that_is_left_out_stops_no_other_deck(run: Run) -> None:
    edit(DECK, 'amount="2"', 'amount="two"')
    other = DECK.with_name("other.xml")
    other.write_text(DECK.read_text("utf-8").replace('id="RW2"', 'id="RW22"'), "utf-8")
    edit(other, 'amount="two"', 'amount="2"')
    exit_code, found, names = check(run)
    assert (exit_code, found) == (1, ["R002", "S004"])
    assert names == ["the limits of other.xml", "the limits of river.xml"]


def test_a_marker_that_is_left_out_is_named(run: Run) -> None:
    edit(
        Path("xml/game.xml"),
        "</game>",
        '<markers face="card.xml"><marker id="gold" name="Gold" label="1" color="yelow" size="20" '
        'count="3"/></markers></game>',
    )
    edit(CARDS, '<rule id="ra002"/>', '<rule id="ra0002"/>')
    exit_code, found, names = check(run)
    assert (exit_code, found) == (1, ["R003", "S004"])
    assert names == ["marker `gold` of game.xml"]


def test_without_game_xml_the_other_files_are_still_read(run: Run) -> None:
    edit(Path("xml/game.xml"), "<game ", '<game color="red" ')
    edit(CARDS, "</data>", "</dat>")
    exit_code, found, names = check(run)
    assert (exit_code, found) == (1, ["X001", "S002"])
    assert names == ["cards, rules, decks and faces, which depend on game.xml"]


def test_a_mistake_in_a_card_file_that_nobody_asked_for_keeps_a_deck_from_being_checked(
    run: Run,
) -> None:
    edit(CARDS, 'id="RW2" ', 'id="RW2" colour="red" ')
    why = "because of errors in `xml/Factions/RW_cards.xml`"
    assert check(run, "river") == (1, [], [f"the limits of river.xml, {why}"])


def test_a_mistake_elsewhere_that_hinders_nothing_is_no_reason_to_fail(run: Run) -> None:
    edit(CARDS, '<rule id="ra002"/>', '<rule id="ra0002"/>')
    assert check(run, "river") == (0, [], [])
    assert check(run, CARDS.as_posix())[:2] == (1, ["R003"])


def test_json_says_what_was_not_checked(run: Run) -> None:
    edit(CARDS, 'id="RW2" ', 'id="RW2" colour="red" ')
    found = json.loads(run("check", "--format", "json").stdout)
    assert found["not_checked"] == [
        "the references and the face of card `RW2`",
        "the limits of river.xml",
    ]


def test_a_limit_for_the_decks_of_a_faction_that_is_left_out_is_no_mistake(run: Run) -> None:
    edit(Path("xml/game.xml"), 'id="size" ', 'id="size" decks="RW" ')
    edit(FACTIONS, 'id="RW" ', 'id="RW" motto="Row" ')
    assert check(run)[1] == ["S002"]


def test_a_faction_without_an_id_hides_no_mistake_in_decks_of_others(run: Run) -> None:
    edit(FACTIONS, 'id="EC" ', "")
    edit(DECK, 'id="RW1"', 'id="RW99"')
    assert "R002" in check(run)[1]


def test_a_limit_without_an_id_may_be_any_that_a_format_changes(run: Run) -> None:
    edit(Path("xml/game.xml"), '<limit id="supplies" ', "<limit ")
    exit_code, found, names = check(run)
    assert (exit_code, found, names) == (1, ["S003"], ["`limit` of game.xml"])


def test_a_format_changes_the_first_of_two_limits_with_the_same_id(run: Run) -> None:
    game = Path("xml/game.xml")
    edit(game, '<set limit="supplies"', '<set limit="size" value="99"/><set limit="supplies"')
    edit(
        game,
        '<limit id="supplies" ',
        '<limit id="size" name="more" zone="main" max="99"/><limit id="supplies" ',
    )
    assert check(run, "--limits", "casual")[1] == ["D001", "R007"]


def test_an_opening_that_is_left_out_hides_nothing_else(run: Run) -> None:
    edit(Path("xml/game.xml"), "<deck>", '<deck><opening hand="none"/>')
    edit(CARDS, 'strength="7"', 'strength="many"')
    exit_code, found, names = check(run)
    assert (exit_code, found[:2]) == (1, ["S004", "S004"])
    assert "`opening` of game.xml" in names
    assert not any("depend on game.xml" in name for name in names)
