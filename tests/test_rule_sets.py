"""Whole rule sets of decks: a living card game of two sides, and a format of single cards."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from lxml import etree

from conftest import HERE, ROOT, Run, edit
from deckwright.base.findings import Report
from deckwright.checks.limits import check_limits, resolve_deck_rules
from support import load_all, load_deck

GAMES = HERE / "games"


def lines(*cards: str) -> str:
    """Return lines of a deck list: "RATS gnaw 3", "ZOO ida 1 keeper"."""
    written = ""
    for text in cards:
        faction, card_id, amount, *zone = text.split()
        named = f' zone="{zone[0]}"' if zone else ""
        written += f'<card faction_id="{faction}" id="{card_id}" amount="{amount}"{named}/>\n'
    return written


def broken(
    folder: Path, game: str, deck: str, old: str, new: str, date: str | None = None
) -> list[str]:
    """Return the codes and messages about a deck of a game in which a line is another."""
    shutil.copytree(GAMES / game, folder / game)
    source = folder / game / "xml" / "Decks" / f"{deck}.xml"
    if old:
        edit(source, lines(old), lines(*filter(None, new.split("; "))))
    whole = load_all(folder / game)
    found: Report = []
    listed = load_deck(folder / game, whole, deck)
    check_limits(whole, listed, resolve_deck_rules(whole, listed, None, {}, date), found)
    return [f"{finding.code.id} {finding.message}" for finding in found]


@pytest.mark.parametrize("game", ["undercity", "menagerie"])
def test_the_games_and_their_decks_are_as_they_should_be(run: Run, game: str) -> None:
    result = run("check", "-g", str(GAMES / game))
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("game", ["undercity", "menagerie"])
def test_editors_accept_their_files(tmp_path: Path, run: Run, game: str) -> None:
    folder = shutil.copytree(GAMES / game, tmp_path / game) / "xml"
    assert run("schema", "-g", str(folder.parent)).exit_code == 0
    for name, pattern in (
        ("game", "game.xml"),
        ("deck", "Decks/*.xml"),
        ("restrictions", "Restrictions/*.xml"),
    ):
        schema = etree.XMLSchema(etree.parse(folder / "schema" / f"{name}.xsd"))
        files = list(folder.glob(pattern))
        assert files
        for file in files:
            assert schema.validate(etree.parse(file)), schema.error_log


@pytest.mark.parametrize(
    ("deck", "old", "new", "expected"),
    [
        ("whisker", "MOTHS wing 3", "MOTHS wing 2; MOTHS lamp 1",
         ["D002 Deck: 2 copies of a unique card of `Stolen Lamp`, at most 1 is allowed"]),
        ("whisker", "MOTHS wing 3", "MOTHS wing 2; FREE rope 1", []),
        ("whisker", "RATS gnaw 3", "RATS gnaw 4",
         ["D002 Deck: 4 copies of a card of `Gnaw`, at most 3 are allowed"]),
        ("whisker", "FREE rope 2", "FREE rope 1",
         [("D001 Deck: 14 cards, at least 15 are needed; "
          "`identity.minimum` is 15, from card `whisker`")]),
        ("whisker", "FREE rope 2", "FREE fog 2",
         [("D004 Deck: 2 cards of the other side (`fog`), none are allowed; "
          "`identity.side` is thieves, from card `whisker`")]),
        ("whisker", "FREE rope 2", "FREE cat 2",
         [("D004 Deck: 2 banned cards (`cat`), none are allowed; "
          "by `2026-spring.xml` of 2026-03-01")]),
        ("whisker", "RATS whisker 1", "MOTHS dusk 1",
         [("D005 card `dusk` is of faction `MOTHS`, but in `Identity` of this deck only `RATS` is "
          "allowed"),
          ("D003 Deck: 5 influence, at most 4 are allowed; `deck.faction_id` is RATS; "
          "`identity.influence` is 4, from card `dusk`")]),
        # Without an identity there is nothing to measure by.
        ("whisker", "RATS whisker 1", "",
         ["D006 Identity: 0 identities, exactly 1 is needed"]),
        ("vault", "BANK audit 2", "BANK audit 1; TOWER watch 1",
         []),
        ("vault", "TOWER chime 3", "TOWER chime 2; BANK wax 1",
         [("D003 Deck: 8 influence, at most 6 are allowed; `deck.faction_id` is BANK; "
          "`identity.influence` is 6, from card `vault`"),
          ("D004 Deck: 2 different restricted cards, at most 1 is allowed; "
          "by `2026-spring.xml` of 2026-03-01")]),
        ("vault", "BANK ledger 2", "BANK ledger 1; FREE fog 1",
         ["D007 Deck: 8 points, at least 10 are needed; `main.cards` is 20"]),
        ("vault", "BANK crown 2", "BANK crown 3",
         ["D003 Deck: 13 points, at most 11 are allowed; `main.cards` is 21"]),
        ("vault", "BANK ledger 2", "BANK ledger 2; FREE fog 3; BANK wax 2",
         ["D007 Deck: 10 points, at least 12 are needed; `main.cards` is 25",
          ("D004 Deck: 2 different restricted cards, at most 1 is allowed; "
          "by `2026-spring.xml` of 2026-03-01")]),
        ("vault", "BANK ledger 2", "BANK ledger 1; TOWER hour 1",
         [("D004 Deck: 1 treasures of other factions (`hour`), none are allowed; "
          "`deck.faction_id` is BANK")]),
    ],
)  # fmt: skip
def test_a_living_card_game_keeps_its_rules(
    tmp_path: Path, deck: str, old: str, new: str, expected: list[str]
) -> None:
    found = broken(tmp_path, "undercity", deck, old, new)
    assert found == expected


def test_the_list_of_restrictions_goes_by_the_date_and_the_format(tmp_path: Path) -> None:
    found = broken(tmp_path, "undercity", "vault", "", "", date="2026-02-28")
    assert found == [("D004 Deck: 3 banned cards (`bolt`), none are allowed; "
                     "by `2025-autumn.xml` of 2025-09-01")]  # fmt: skip
    game = load_all(tmp_path / "undercity")
    for form, date, name in (
        ("standard", None, "Spring list"),
        ("standard", "2026-03-01", "Spring list"),
        ("standard", "2026-02-28", "Autumn list"),
        ("standard", "2025-08-31", None),
        ("open", None, None),
        (None, None, None),
    ):
        in_force = game.restrictions_for(form, date)
        assert (in_force.name if in_force else None) == name


def test_a_format_may_change_a_number_that_the_deck_gives(tmp_path: Path) -> None:
    shutil.copytree(GAMES / "undercity", tmp_path / "game")
    game = load_all(tmp_path / "game")
    edit(tmp_path / "game/xml/Decks/whisker.xml", lines("MOTHS wing 3"), lines("MOTHS lamp 5"))
    deck = load_deck(tmp_path / "game", game, "whisker")
    found: Report = []
    check_limits(game, deck, resolve_deck_rules(game, deck, "open", {"unique": None}), found)
    (finding,) = found
    assert finding.message.startswith("Deck: 12 influence, at most 11 are allowed")
    assert finding.hint == "lower the sum by 1, or allow it with `--limit influence=12`"
    found.clear()
    check_limits(
        game, deck, resolve_deck_rules(game, deck, "open", {"unique": None, "influence": 12}), found
    )
    assert found == []


@pytest.mark.parametrize(
    ("deck", "old", "new", "expected"),
    [
        ("ponds", "ZOO hare 1", "ZOO fox 1",
         [("D004 Menagerie: 1 cards of colors that the keeper lacks (`fox`), none are allowed; "
          "`keeper.colors` is moss, tide, from card `ida`")]),
        ("ponds", "ZOO hare 1", "ZOO lynx 1",
         [("D004 Menagerie: 1 cards of colors that the keeper lacks (`lynx`), none are allowed; "
          "`keeper.colors` is moss, tide, from card `ida`")]),
        ("ponds", "ZOO hare 1", "ZOO otto 1", []),
        ("ponds", "ZOO hare 1", "ZOO toad 1",
         ["D002 Menagerie: 2 copies of `Toad`, at most 1 is allowed"]),
        ("ponds", "ZOO wet 4", "ZOO wet 3; ZOO ida 1",
         [("D004 Menagerie: 1 copies of a keeper (`ida`), none are allowed; "
          "`keeper.name` is Ida of Two Ponds, from card `ida`")]),
        ("ponds", "ZOO wet 4", "ZOO wet 5",
         ["D006 Menagerie: 12 cards, exactly 11 are needed; `keeper.cards` is 1"]),
        ("ponds", "ZOO ida 1 keeper", "ZOO newt 1 keeper",
         ["D008 zone `keeper` does not take card `newt` of faction `ZOO`",
          "D001 Keeper: 0 keepers, at least 1 is needed",
          "D006 Menagerie: 11 cards, exactly 12 are needed; `keeper.cards` is 0"]),
        ("ponds", "ZOO ida 1 keeper", "ZOO otto 1 keeper",
         [("D004 Menagerie: 6 cards of colors that the keeper lacks (`newt`, `toad`, `heron`, "
          "`carp`, `hare`, `nim`), none are allowed; `keeper.colors` is empty, from card `otto`")]),
        ("partners", "ZOO nim 1 keeper", "ZOO otto 1 keeper",
         [("D004 Keeper: 1 keepers without a partner (`otto`), none are allowed; "
          "`keeper.cards` is 2"),
          ("D004 Menagerie: 3 cards of colors that the keeper lacks (`toad`, `hare`, `lynx`), none "
          "are allowed; `keeper.colors` is rust")]),
    ],
)  # fmt: skip
def test_a_format_of_single_cards_keeps_its_rules(
    tmp_path: Path, deck: str, old: str, new: str, expected: list[str]
) -> None:
    assert broken(tmp_path, "menagerie", deck, old, new) == expected


def test_a_word_of_restriction_may_hold_for_one_zone_alone(tmp_path: Path) -> None:
    path = "menagerie/xml/Restrictions/first.xml"
    assert broken(tmp_path, "menagerie", "partners", "", "") == []
    edit(tmp_path / path, 'id="crow"', 'id="nim"')
    game = load_all(tmp_path / "menagerie")
    for name, expected in (("ponds", 0), ("partners", 1)):
        found: Report = []
        deck = load_deck(tmp_path / "menagerie", game, name)
        check_limits(game, deck, resolve_deck_rules(game, deck, None, {}), found)
        assert len(found) == expected


def test_the_page_about_decks_shows_rules_of_these_games() -> None:
    page = (ROOT / "docs" / "decks.md").read_text(encoding="utf-8")
    files = [*GAMES.glob("*/xml/game.xml"), *GAMES.glob("*/xml/Restrictions/*.xml")]
    written = {row.strip() for path in files for row in path.read_text("utf-8").splitlines()}
    shown = page.partition("**Numbers from the deck.**")[2].partition("**Forbidden cards.**")[0]
    blocks = re.findall("```xml\n(.*?)```", shown, re.DOTALL)
    rows = [row.strip() for block in blocks for row in block.splitlines()]
    assert len(rows) > 20
    assert [row for row in rows if row not in written] == []
