"""The shipped game's rules, rulebook and decks say one thing, and say it in good German."""

from __future__ import annotations

import re
from functools import cache
from xml.etree.ElementTree import Element, parse

import pytest

from conftest import ROOT
from deckwright.game.decklist import format_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.words import WORDS
from support import load_all, load_deck

FOLDER = GameFolder(ROOT)


@cache
def book() -> Element:
    return parse(FOLDER.rulebook_file).getroot()


def section(section_id: str) -> Element:
    return next(e for e in book().iter() if e.get("id") == section_id and e.tag != "ref")


def words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


@pytest.fixture(scope="module")
def game() -> Game:
    return load_all(ROOT)


def test_halves_are_always_rounded_down(game: Game) -> None:
    halving = [rule for rule in game.rules.values() if "Hälfte" in rule.effect]
    assert [rule.id for rule in halving] == ["ma014"]
    assert all("abgerundet" in rule.effect for rule in halving)
    assert "immer abgerundet" in words(section("verdoppeln"))
    assert "aufgerundet" not in words(book())


def test_no_more_maluses_than_strength(game: Game) -> None:
    assert "0 oder weniger" not in game.rules["gp001"].effect
    text = words(section("effektiv"))
    assert "nie kleiner als 0" in text
    assert "kann sie keine weiteren erhalten" in text


def test_units_without_strength_do_nothing(game: Game) -> None:
    text = words(section("gebrochen"))
    assert "eine Einheit, deren effektive Stärke 0 ist" in text
    weak = [
        found.name
        for found in game.cards.values()
        if found.fields["strength"] == 0 and found.faction_id != "NW"
    ]
    assert weak
    assert all(name in text for name in weak)


def test_neutral_units_have_no_level() -> None:
    assert "Neutrale Einheiten haben keine Stufe" in words(section("stufenregel"))
    rows = [[words(cell) for cell in row] for row in section("stufentabelle")]
    assert [row[0] for row in rows if row[1] == "Neutral"] == ["–"]


def test_a_token_is_neuter(game: Game) -> None:
    texts = [words(book()), *(rule.effect for rule in game.rules.values())]
    masculine = re.compile(r"\b(?:[Dd]er|[Ee]inen|[Ee]iner|[Jj]eder|[Ee]r|[Dd]en) Token\b(?! „)")
    assert [found for text in texts for found in masculine.findall(text)] == []
    creating = [rule for rule in game.rules.values() if rule.tokens]
    assert len(creating) == 7
    for rule in creating:
        assert rule.effect.startswith("Erschaffe ein Token „")
        assert not re.search(r"\b(?:[Ee]r|ihn)\b", rule.effect)


def test_a_rule_that_creates_a_token_says_what_it_is(game: Game) -> None:
    rows = game.setup.vocabularies["rows"].terms
    for rule in game.rules.values():
        for token in rule.tokens:
            assert f"„{token.name}“" in rule.effect
            strength, actions = token.fields["strength"], token.fields["actions"]
            assert f"(Stärke {strength}, {actions} Aktionsmarker)" in rule.effect
            for row in token.children["row"]:
                assert f"{rows[str(row.value)].name}reihe" in rule.effect


def test_the_field_shows_the_rows_as_the_cards_do(game: Game) -> None:
    rows = game.setup.vocabularies["rows"].terms
    assert rows["SUPPORT"].data["icon"] == "script-text"
    icons = [icon.get("name") for icon in section("bereiche").iter("icon")]
    assert icons == [term.data["icon"] for term in rows.values()]


def test_the_example_of_army_strength_adds_up(game: Game) -> None:
    cards = {card.name: card for card in game.cards.values() if card.faction_id in {"HK", "EH"}}
    cards["General"] = game.cards["HK", "HK6"]
    example = next(section("armeestaerke").iter("example"))
    table = [[words(cell) for cell in row] for row in example.iter("row")][1:]
    total = 0
    for name, strength, morale, counts, _ in table:
        card = cards[name]
        assert int(strength) == card.fields["strength"]
        effective = max(0, int(strength) + int(morale.replace("−", "-")))
        expected = 0 if "gp005" in card.rule_ids() else effective
        assert (name, int(counts)) == (name, expected)
        total += expected
    assert f"= {total}." in words(example)
    # Nobody is named who does not stand there to be counted.
    reasons = " ".join(row[4] for row in table)
    assert "General" in reasons
    assert "General" in [row[0] for row in table]


def test_the_rulebook_speaks_of_cards_that_there_are(game: Game) -> None:
    names = {card.name for card in game.cards.values()}
    for row in list(section("rollen"))[1:]:
        assert set(words(row[1]).split(", ")) <= names


def test_the_high_elves_play_as_the_rulebook_says(game: Game) -> None:
    text = words(section("grenzen"))
    assert "202 Proviant" in text
    form = game.setup.formats["casual"]
    assert form.name == "Freundschaftsspiel"
    assert f"Grenzen des {form.name}s" in text
    decks = [load_deck(ROOT, game, path.stem) for path in FOLDER.deck_files()]
    unusual = [
        deck for deck in decks if format_of(game, deck) is not game.setup.formats["standard"]
    ]
    assert [(deck.faction_id, format_of(game, deck)) for deck in unusual] == [("EH", form)]
    assert f"„{unusual[0].name}“" in text


def test_decks_have_names_that_players_give(game: Game) -> None:
    decks = [load_deck(ROOT, game, path.stem).name for path in FOLDER.deck_files()]
    plain = {name for f in game.factions.values() for name in (f.name, f.race)}
    assert len(set(decks)) == len(decks)
    assert plain.isdisjoint(decks)
    assert not [name for name in decks if re.search(r"[0-9_]|[Dd]eck", name)]


@pytest.mark.parametrize(
    "phrase",
    [
        "Mehr Platz, als ein gewöhnlicher Küchentisch bietet, braucht ihr nicht.",
        "Eigentümer einer Karte ist, wer",
        "erhält diese ebenso wenig",
    ],
)
def test_it_is_well_put(phrase: str) -> None:
    assert phrase in words(book())


def test_all_words_in_print_are_german() -> None:
    words = parse(FOLDER.game_file).getroot().iter("word")
    assert {word.get("id") for word in words} >= WORDS.keys()
