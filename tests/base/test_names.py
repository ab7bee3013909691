"""A name is one name, however its accents are stored: composed (ü) or apart (u and ¨)."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from PIL import Image

from conftest import Run, edit
from deckwright.base.files import find_existing, to_nfc
from deckwright.base.findings import Report
from deckwright.checks.limits import check_limits, resolve_deck_rules
from support import card, line, load_all, load_deck, uses, write_game

WHOLE = "Schütze"
APART = unicodedata.normalize("NFD", WHOLE)
LIMIT = '<limit id="copies" name="copies" zone="main" {} max="4"/>'


def check(folder: Path) -> Report:
    game = load_all(folder)
    deck = load_deck(folder, game, "deck")
    report: Report = []
    check_limits(game, deck, resolve_deck_rules(game, deck, None, {}), report)
    return report


def test_the_two_forms_differ() -> None:
    assert WHOLE != APART
    assert to_nfc(APART) == to_nfc(WHOLE) == WHOLE


@pytest.mark.parametrize(
    "attributes", ['per="name"', f'where="name={WHOLE}"', f'where="name={APART}"']
)
def test_limits_count_both_forms_as_one_name(tmp_path: Path, attributes: str) -> None:
    cards = [card("A1", WHOLE), card("A2", APART)]
    lines = [line("A1", 3), line("A2", 2)]
    write_game(tmp_path, cards, decks={"deck": lines}, limits=LIMIT.format(attributes))
    assert len(check(tmp_path)) == 1


def test_references_find_both_forms(tmp_path: Path) -> None:
    cards = [card(f"A{WHOLE}", "Archer", "AA", uses(f"r{APART}"))]
    rule = f'<rule id="r{WHOLE}" type="passive" effect="Shoots."><label GEN="Aim"/></rule>'
    write_game(tmp_path, cards, rules=[rule], decks={"deck": [line(f"A{APART}")]})
    game = load_all(tmp_path)
    deck = load_deck(tmp_path, game, "deck")
    (used,) = [game.card_of(entry) for entry in deck.entries]
    assert used is not None
    assert used.rule_ids() == tuple(game.rules)


def test_duplicates_are_found_in_both_forms(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card(WHOLE, "Archer"), card(APART, "Archeress")])
    result = run("check", "-g", str(tmp_path))
    assert " R007: " in result.stderr
    write_game(tmp_path, [card("A1", WHOLE), card("A2", APART)])
    result = run("check", "-g", str(tmp_path))
    assert f"warning R029: card `A2` has the same name as card `A1`, `{WHOLE}`" in result.stderr


def test_labels_are_for_races_in_both_forms(tmp_path: Path, run: Run) -> None:
    rule = f'<rule id="r" type="passive" effect="Shoots."><label {APART}="Aim"/></rule>'
    write_game(tmp_path, [card("A1", "Archer", "AA", uses("r"))], rules=[rule])
    edit(tmp_path / "xml" / "factions_definition.xml", "Ants", WHOLE)
    result = run("check", "-g", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(("named", "stored"), [(WHOLE, APART), (APART, WHOLE)])
def test_files_are_found_in_both_forms(tmp_path: Path, run: Run, named: str, stored: str) -> None:
    cards = [card("A1", "Archer", image=f"{named}.png")]
    face = '<face><image href="{{ card.image }}" width="65" height="90"/></face>'
    write_game(tmp_path, cards, decks={stored: [line("A1")]}, face=face)
    (tmp_path / "img").mkdir()
    Image.new("RGB", (780, 1080), "teal").save(tmp_path / "img" / f"{stored}.png")
    result = run("check", "-g", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")
    assert run("deck", named, "-g", str(tmp_path), "--only", "Archer").exit_code == 0


def test_faction_files_are_found_in_both_forms(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card("A1", "Archer")], decks={"deck": [line("A1", faction=WHOLE)]})
    edit(tmp_path / "xml" / "factions_definition.xml", 'id="AA"', f'id="{APART}"')
    file = tmp_path / "xml" / "Factions" / "AA_cards.xml"
    edit(file, 'faction_id="AA"', f'faction_id="{WHOLE}"')
    file.rename(file.with_name(f"{APART}_cards.xml"))
    edit(tmp_path / "xml" / "Decks" / "deck.xml", '"AA"', f'"{WHOLE}"')
    result = run("deck", "deck", "-g", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("typed", [WHOLE, APART])
def test_cards_are_named_on_the_command_line_in_both_forms(
    tmp_path: Path, run: Run, typed: str
) -> None:
    write_game(tmp_path, [card("A1", WHOLE)], decks={"deck": [line("A1")]})
    assert run("deck", "deck", "-g", str(tmp_path), "--only", typed).exit_code == 0
    assert run("proof", typed, "-g", str(tmp_path)).exit_code == 0


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    for path in (tmp_path / f"{WHOLE}.png", tmp_path / WHOLE / f"{APART}.png"):
        assert find_existing(path) == path


def test_one_name_in_two_factions_is_usual(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card("A1", "Scout"), card("B1", "Scout", "BB")])
    assert run("check", "-g", str(tmp_path)).stderr == ""


def test_shared_cards_have_their_names_once(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card("A1", "Scout"), card("A2", "Scout")])
    (tmp_path / "xml" / "Factions" / "BB_cards.xml").unlink()
    factions = tmp_path / "xml" / "factions_definition.xml"
    edit(factions, 'id="BB"', 'id="BB" cards="AA"')
    assert run("check", "-g", str(tmp_path)).stderr.count(" R029: ") == 1


def test_names_may_be_shared_on_purpose(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, [card("A1", "Scout"), card("A2", "Scout")])
    off = '<severities><severity code="R029" is="off"/></severities></game>'
    edit(tmp_path / "xml" / "game.xml", "</game>", off)
    assert run("check", "-g", str(tmp_path)).stderr == ""


@pytest.mark.parametrize("stored", [WHOLE, APART])
def test_a_table_in_the_other_form_changes_nothing(tmp_path: Path, run: Run, stored: str) -> None:
    write_game(tmp_path, [card(f"A{stored}", stored)])
    at = ("-g", str(tmp_path))
    assert run("export", "csv", *at).exit_code == 0
    (table,) = (tmp_path / "out").rglob("card*.csv")
    text = table.read_text(encoding="utf-8")
    assert unicodedata.normalize("NFC", text).count(WHOLE) == 2
    for form in ("NFC", "NFD"):
        table.write_text(unicodedata.normalize(form, text), encoding="utf-8")
        result = run("import", "csv", *at, str(table))
        assert result.stdout == "the tables contain no changes\n"
