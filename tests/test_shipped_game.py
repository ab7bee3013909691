from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from conftest import ROOT, Run
from deckwright.api.schemas import build_schemas
from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules
from deckwright.decks.stats import deck_stats
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies
from deckwright.game.decklist import count_tokens
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.outputs.deck_pages import DeckPart, lay_out_decks
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS, load_layout
from homes import CheckResult
from support import load_all, load_deck

pytestmark = pytest.mark.usefixtures("shipped_checked")

FOLDER = GameFolder(ROOT)
DECKS = [path.stem for path in FOLDER.deck_files()]
CARDS = {
    "HK": 16,
    "HH": 14,
    "ZK": 18,
    "ZW": 13,
    "EH": 9,
    "EW": 13,
    "MB": 18,
    "MG": 12,
    "NW": 4,
    "NR": 4,
}
HK_1 = {
    "HK3": 1,
    "HK6": 2,
    "HK7": 2,
    "HK1": 4,
    "HK9": 2,
    "HK13": 3,
    "HK11": 2,
    "HK8": 3,
    "HK5": 3,
    "HK10": 1,
    "HK15": 1,
    "HK4": 1,
    "NW_1": 2,
    "NW_3": 1,
}
ZK_1 = {
    "ZK1": 3,
    "ZK2": 1,
    "ZK14": 4,
    "ZK15": 4,
    "ZK9": 2,
    "ZK6": 2,
    "ZK5": 1,
    "ZK4": 1,
    "ZK18": 4,
    "ZK13": 1,
    "ZK16": 2,
    "NW_3": 3,
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load_all(ROOT)


def test_nothing_is_to_complain_of(shipped_checked: CheckResult) -> None:
    assert shipped_checked.code == 0
    assert shipped_checked.stderr == ""
    assert shipped_checked.stdout.splitlines() == [
        "129 cards and decks checked, no problems found",
        "the sheet `a4-65x90` prints up to 5 mm from the edges of the paper",
    ]


def test_the_factions_are_ten_of_five_races(game: Game) -> None:
    assert {f.id: f.race for f in game.factions.values()} == {
        "HK": "Menschen",
        "HH": "Menschen",
        "ZK": "Zwerge",
        "ZW": "Zwerge",
        "EH": "Elfen",
        "EW": "Elfen",
        "MB": "Monster",
        "MG": "Monster",
        "NW": "Neutral",
        "NR": "Neutral",
    }
    assert all(faction.description for faction in game.factions.values())


def test_there_are_121_cards(game: Game) -> None:
    assert Counter(faction for faction, _ in game.cards) == CARDS
    assert sum(CARDS.values()) == 121
    assert all(card.id.startswith(card.faction_id) for card in game.cards.values())


def test_neutral_cards_alone_have_level_0_and_no_costs(game: Game) -> None:
    for card in game.cards.values():
        neutral = card.faction_id in {"NW", "NR"}
        assert (card.fields["level"] == "0") == neutral, card.id
        assert (card.fields["costs"] is None) == neutral, card.id
        rows = [row.value for row in card.children["row"]]
        assert ("WEATHER" in rows) == (card.faction_id == "NW"), card.id


def test_there_are_60_rules_and_7_tokens(game: Game) -> None:
    assert len(game.rules) == 60
    assert all((rule.cost is not None) == rule.active for rule in game.rules.values())
    assert sorted(token.name for token in game.tokens()) == [
        "Bär",
        "Falke",
        "Geist",
        "Hexenjäger",
        "Keiler",
        "Wolf",
        "Zombie",
    ]


@pytest.mark.parametrize(("name", "title", "faction", "expected"), [
    ("army_HK_1", "Eiserne Disziplin", "HK", HK_1),
    ("army_ZK_1", "Hammer und Braukessel", "ZK", ZK_1),
])  # fmt: skip
def test_a_sample_deck_is_as_it_was_given(
    game: Game, name: str, title: str, faction: str, expected: dict[str, int]
) -> None:
    deck = load_deck(ROOT, game, name)
    assert (deck.name, deck.faction_id, deck.format) == (title, faction, None)
    assert [(entry.card_id, entry.copies) for entry in deck.entries] == list(expected.items())


def test_there_is_a_deck_for_each_faction_that_is_not_neutral(game: Game) -> None:
    decks = [load_deck(ROOT, game, name) for name in DECKS]
    assert sorted(deck.faction_id for deck in decks) == sorted(set(CARDS) - {"NW", "NR"})
    assert all(deck.stem == f"army_{deck.faction_id}_1" for deck in decks)


@pytest.mark.parametrize("name", DECKS)
def test_every_deck_can_be_laid_out(game: Game, name: str) -> None:
    report: Report = []
    deck = load_deck(ROOT, game, name)
    setting = load_layout(game.setup, FOLDER.xml, DEFAULT_SHEET_OPTIONS, report)
    assert setting is not None
    stats = deck_stats(game, deck, DeckRules())
    factory = FaceFactory(game, FOLDER, report)
    made = make_deck_copies(stats, factory, report, backs=False)
    laid_out = lay_out_decks([DeckPart(stats, factory, made)], setting, report)
    assert report == []
    assert laid_out is not None
    cards = sum(entry.copies for entry in deck.entries)
    tokens = sum(count.copies for count in count_tokens(game, deck))
    assert sum(len(page.faces) for page in laid_out.pages) == cards + tokens
    # Twelve tokens have room below the last card.
    assert cards == 28
    assert len(laid_out.sheets) == 4 + -(-max(tokens - 12, 0) // 18)
    # The deck sheet before, and the rule sheet behind.
    assert len(laid_out.pages) == len(laid_out.sheets) + 2


@pytest.mark.parametrize("name", ["army_HK_1", "army_ZK_1"])
def test_a_sample_deck_is_printed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(ROOT)
    result = run("deck", f"{name}.xml", "--out", str(tmp_path))
    assert (result.exit_code, result.stderr) == (0, "")
    assert (tmp_path / f"deck_{name}.pdf").read_bytes().startswith(b"%PDF-")


def texts_of(game: Game) -> list[str]:
    texts = [rule.effect for rule in game.rules.values()]
    texts += [name for rule in game.rules.values() for name in rule.labels.values()]
    texts += [faction.description for faction in game.factions.values()]
    texts += [card.name for card in game.cards.values()]
    return texts + [token.name for token in game.tokens()]


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a straight quote", r"[\"']"),
        ("an English or French quote", "[”«»]"),
        ("a hyphen for a minus", r"(?<!\w)-\d"),
        ("a hyphen for a dash", r"\s-\s|\w--|--\w"),
        ("three dots for an ellipsis", r"\.\.\."),
        ("an English dash", "—"),
        ("a space before a sign", r"\s[.,;:!?]"),
        ("two spaces", r"\s\s|^\s|\s$"),
        ("a sign without a space after it", r"[,;:!?][^\W\d_]"),
    ],
)
def test_the_typography_is_german(game: Game, what: str, pattern: str) -> None:
    found = [text for text in texts_of(game) if re.search(pattern, text)]
    assert found == [], what


def test_quotes_come_in_pairs(game: Game) -> None:
    for text in texts_of(game):
        quotes = re.findall("[„“]", text)
        assert quotes == ["„", "“"] * (len(quotes) // 2), text


def test_effects_and_descriptions_are_whole_sentences(game: Game) -> None:
    sentences = [rule.effect for rule in game.rules.values()]
    sentences += [faction.description for faction in game.factions.values()]
    for text in sentences:
        assert re.fullmatch(r"[A-ZÄÖÜ„].*\.", text), text


def test_the_schemas_for_editors_are_true(game: Game) -> None:
    folder = ROOT / "xml" / "schema"
    expected = build_schemas(FOLDER, game.setup)
    assert {path.name for path in folder.iterdir()} == set(expected)
    for name, data in expected.items():
        assert (folder / name).read_bytes() == data, f"write {name} with `deckwright schema`"
