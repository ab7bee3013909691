"""Ids for cards that have none."""

from __future__ import annotations

import re
import shutil
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT, Run
from deckwright.game.folder import GameFolder
from deckwright.game.ids import CardIdentity, assign_ids, assign_missing_ids
from deckwright.xmlio.shape import ID


def ids(faction: str, *cards: str, others: str = "", referred: str = "") -> list[str]:
    """Return the new ids; cards are written "id/name", and others of faction XX as a list."""
    named = [CardIdentity(*card.split("/")) for card in cards]
    factions = {"XX": [CardIdentity(i, "Other") for i in others.split()], faction: named}
    return assign_ids(factions, {faction: referred.split()})[faction]


PATTERNS = [
    (["HK1/a", "HK2/b", "/c", "/d"], ["HK3", "HK4"]),
    (["/c", "HK1/a", "/d", "HK7/b"], ["HK8", "HK9"]),
    (["HK_1/a", "HK_2/b", "/c"], ["HK_3"]),
    (["HK009/a", "HK010/b", "/c"], ["HK011"]),
    (["HK099/a", "/c", "/d"], ["HK100", "HK101"]),
    (["HK98/a", "/c", "/d"], ["HK99", "HK100"]),
    (["1/a", "2/b", "/c"], ["3"]),
    (["toll-warden/Toll Warden", "reed/Reed Archer", "/Rain Speaker"], ["rain-speaker"]),
    (["a_b/A B", "/Ärger im Süden", "/Ärger im Süden"], ["aerger_im_sueden", "aerger_im_sueden-2"]),
    (["tollwarden/Toll Warden", "/Rain Speaker"], ["rainspeaker"]),
    (["lamp/Lamp", "/Lamp"], ["lamp-2"]),
    (["lamp/Lamp", "/火"], ["HK1"]),
    (["HK3/a", "guest/Guest", "/c"], ["HK4"]),
    (["/a", "/b"], ["HK1", "HK2"]),
]


@pytest.mark.parametrize(("cards", "expected"), PATTERNS)
def test_new_ids_follow_the_pattern_of_the_faction(cards: list[str], expected: list[str]) -> None:
    assert ids("HK", *cards) == expected


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ("XX1 XX2", "HK1"),
        ("XX_1 XX_2", "HK_1"),
        ("XX-01", "HK-01"),
        ("oak elm", "card"),
        ("7", "HK1"),
    ],
)
def test_a_faction_without_ids_does_as_the_others_do(others: str, expected: str) -> None:
    assert ids("HK", "/Card", others=others) == [expected]


def test_ids_that_something_refers_to_are_never_given() -> None:
    assert ids("HK", "HK1/a", "/b", referred="HK2 HK5 NW9") == ["HK6"]
    assert ids("HK", "lamp/Lamp", "/Oak", referred="OAK") == ["oak-2"]


def test_cards_of_one_name_are_numbered_however_many_there_are() -> None:
    given_ids = ids("HK", "lamp/Lamp", *["/New card"] * 20_000)
    assert given_ids == ["new-card", *(f"new-card-{number}" for number in range(2, 20_001))]


texts = st.text(alphabet="abÄßé火-_ 019", max_size=6)


@given(
    st.lists(
        st.builds(CardIdentity, st.from_regex(r"|[A-Ca-c_-]{0,3}[0-9]{0,3}", fullmatch=True), texts)
    ),
    st.lists(st.from_regex(r"[A-Ca-c]{1,3}[0-9]{0,2}", fullmatch=True)),
)
def test_new_ids_are_ids_and_never_clash(cards: list[CardIdentity], referred: list[str]) -> None:
    given_ids = assign_ids({"AB": cards}, {"AB": referred})["AB"]
    assert len(given_ids) == sum(not card.id for card in cards)
    assert all(ID.accepts(new) for new in given_ids)
    folded = [new.casefold() for new in given_ids]
    assert len({*folded}) == len(folded)
    assert not {*folded} & {name.casefold() for name in (*(c.id for c in cards), *referred)}
    named = [*cards]
    for new in given_ids:
        place = next(i for i, card in enumerate(named) if not card.id)
        named[place] = named[place]._replace(id=new)
    assert assign_ids({"AB": named}, {"AB": referred})["AB"] == []


# The command.


LOOKS = (
    "division", "charge2?", "number", "figure", "pose", "hair", "cloth", "skin", "hour", "view",
    "flavor",
)  # fmt: skip
"""Fields that the shipped game has beyond the fixed format."""


@pytest.fixture
def idless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped game in the fixed format alone; cards that no deck uses have lost their ids."""
    folder = tmp_path / "game"
    for name in ("factions_definition.xml", "rules.xml", "Factions", "Decks"):
        source, target = ROOT / "xml" / name, folder / "xml" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
    used = set()
    for deck in (folder / "xml" / "Decks").glob("*.xml"):
        if deck.name not in {"army_HK_1.xml", "army_ZK_1.xml"}:
            deck.unlink()
            continue
        used |= set(re.findall(r' id="([^"]+)"', deck.read_text(encoding="utf-8")))
    for path in (folder / "xml" / "Factions").glob("*.xml"):
        text = re.sub(
            r'<card id="([^"]+)"',
            lambda match: match[0] if match[1] in used else "<card",
            path.read_text(encoding="utf-8"),
        )
        text = re.sub(rf' ({"|".join(LOOKS)})="[^"]*"', "", text)
        path.write_bytes(text.replace("\n", "\r\n").encode())
    monkeypatch.chdir(folder)
    return folder


def cards_of(folder: Path) -> str:
    files = sorted((folder / "xml" / "Factions").glob("*.xml"))
    return "".join(path.read_bytes().decode() for path in files)


def test_a_folder_without_ids_becomes_usable_in_one_command(idless: Path, run: Run) -> None:
    without = cards_of(idless).count("<card name")
    assert without > 70
    refused = run("check")
    assert refused.exit_code == 1
    assert "`deckwright fmt --ids` gives an id to every card without one" in refused.stderr
    before = dict(re.findall(r'<card id="([^"]+)" name="([^"]+)"', cards_of(idless)))
    dry = run("fmt", "--ids", "--check")
    assert f"{without} cards would get ids: " in dry.stderr
    assert cards_of(idless).count("<card name") == without
    result = run("fmt", "--ids")
    assert result.exit_code == 0
    assert f"{without} cards got ids: " in result.stdout
    after = dict(re.findall(r'<card id="([^"]+)" name="([^"]+)"', cards_of(idless)))
    assert before.items() <= after.items()
    assert len(after) == len(before) + without
    assert "\r\n" in cards_of(idless)
    assert re.search(r"[^\r]\n", cards_of(idless)) is None
    assert run("check", "--ignore", "R,L", "--select", "S,R,D").exit_code == 0
    assert run("deck", "army_HK_1").exit_code == 0
    again = run("fmt", "--ids")
    assert again.stdout.endswith("every card has an id\n")
    assert again.stdout.startswith("0 files changed")


@pytest.mark.usefixtures("idless")
def test_ids_go_to_the_files_that_are_named_alone(run: Run) -> None:
    folder = Path()
    before = (folder / "xml/Factions/EW_cards.xml").read_bytes()
    result = run("fmt", "--ids", "xml/Factions/HK_cards.xml", "xml/Decks")
    assert "cards got ids: HK" in result.stdout
    assert "<card name" not in (folder / "xml/Factions/HK_cards.xml").read_text(encoding="utf-8")
    assert (folder / "xml/Factions/EW_cards.xml").read_bytes() == before


def test_an_empty_id_is_none_and_a_dangling_one_stays_free(small: Path, run: Run) -> None:
    cards, deck = small / "xml/Factions/RW_cards.xml", small / "xml/Decks/river.xml"
    cards.write_text(cards.read_text().replace('id="RW5"', 'id=" "'), encoding="utf-8")
    deck.write_text(deck.read_text().replace('id="RW3"', 'id="RW9"'), encoding="utf-8")
    result = run("fmt", "--ids")
    assert "1 card got an id: RW10\n" in result.stdout
    assert '<card id="RW10" name="Mother Flood"' in cards.read_text(encoding="utf-8")
    said = run("check").stderr
    assert "there is no card" in said
    assert "`RW9`" in said


def test_a_faction_is_known_however_the_name_of_its_file_is_composed(tmp_path: Path) -> None:
    cards = tmp_path / "xml" / "Factions" / f"{unicodedata.normalize('NFD', 'GÜ')}_cards.xml"
    deck = tmp_path / "xml" / "Decks" / "deck.xml"
    for path, text in (
        (cards, '<card id="GÜ1" name="Goose"/><card name="Gander"/>'),
        (deck, '<card faction_id="GÜ" id="GÜ2" amount="1"/>'),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(f"<data>{text}</data>", encoding="utf-8")
    assert assign_missing_ids(GameFolder(tmp_path), [cards]) == {cards.resolve(): ["GÜ3"]}
