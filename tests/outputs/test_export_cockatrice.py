"""Cards and decks for Cockatrice: files that the program reads, with names that it can tell apart.

Its card database of version 4 and its deck lists of version 1 are stated here in our own words.
"""

from __future__ import annotations

import re
import shutil
import uuid
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import pytest
from PIL import Image

from conftest import ROOT, SMALL, Run, edit
from deckwright.game.folder import GameFolder
from deckwright.outputs.cockatrice import color_letter, picture_name
from support import card, line, token_rule, uses, write_game

pytestmark = pytest.mark.usefixtures("shipped_checked")

CARD = re.compile(
    r"name (text )?(prop )?(set )+((related|reverse-related) )*(token )?(tablerow )?(cipt )?"
    r"(upsidedown )?"
)
"""The elements of a card, in this order alone."""
PRINTING = {"muid", "uuid", "picurl", "picURL", "num", "rarity", "onlineOnly"}
SET = {"name", "longname", "settype", "releasedate", "priority"}
INFO = {"author", "createdAt", "sourceUrl", "sourceVersion"}


def children(element: Element) -> list[str]:
    return [child.tag for child in element]


def assert_database(root: Element) -> None:
    """Assert what Cockatrice's schema of card databases says."""
    assert (root.tag, dict(root.attrib)) == ("cockatrice_carddatabase", {"version": "4"})
    assert children(root) == ["info", "sets", "cards"]
    info, sets, cards = root
    assert set(children(info)) <= INFO
    assert len(children(info)) == len(set(children(info)))
    for element in sets:
        assert element.tag == "set"
        assert "name" in children(element)
        assert set(children(element)) <= SET
    codes = [element.findtext("name") for element in sets]
    for element in cards:
        assert element.tag == "card"
        assert CARD.fullmatch("".join(f"{tag} " for tag in children(element)))
        for printing in element.findall("set"):
            assert set(printing.attrib) <= PRINTING
            assert printing.text in codes
        assert element.findtext("token", "0") in {"0", "1"}
        assert 0 <= int(element.findtext("tablerow", "0")) <= 3
    names = [element.findtext("name") for element in cards]
    assert all(names)
    pictures = [picture_name(str(name)).casefold() for name in names]
    assert len(set(pictures)) == len(pictures)
    assert {related.text for related in root.iter("related")} <= set(names)
    printings = [printing for element in cards for printing in element.findall("set")]
    assert len({uuid.UUID(printing.attrib["uuid"]) for printing in printings}) == len(names)


def assert_deck(root: Element, names: set[str | None]) -> None:
    """Assert what Cockatrice's schema of deck lists says, and that its cards exist."""
    assert (root.tag, dict(root.attrib)) == ("cockatrice_deck", {"version": "1"})
    assert re.fullmatch("deckname comments( zone)*", " ".join(children(root)))
    for zone in root.findall("zone"):
        assert zone.get("name") in {"main", "side", "tokens"}
        for element in zone:
            assert element.tag == "card"
            assert set(element.attrib) == {"number", "name"}
            assert int(element.attrib["number"]) > 0
            assert element.get("name") in names


def database(game: Path) -> Element:
    (path,) = (game / "out/cockatrice/customsets").iterdir()
    return ET.parse(path).getroot()


def named(game: Path, name: str) -> Element:
    (found,) = (c for c in database(game).iter("card") if c.findtext("name") == name)
    return found


def zones(game: Path, deck: str) -> dict[str, dict[str, int]]:
    root = ET.parse(game / f"out/cockatrice/decks/{deck}.cod").getroot()
    return {
        zone.attrib["name"]: {c.attrib["name"]: int(c.attrib["number"]) for c in zone}
        for zone in root.findall("zone")
    }


@pytest.mark.corpus(3)
@pytest.mark.parametrize(
    "game", [ROOT, SMALL, *sorted((ROOT / "examples").iterdir())], ids=lambda path: path.name
)
def test_every_game_gives_files_that_cockatrice_reads(game: Path, tmp_path: Path, run: Run) -> None:
    for name in ("xml", "img", "templates"):
        if (game / name).is_dir():
            shutil.copytree(game / name, tmp_path / name)
    assert run("export", "cockatrice", "-g", str(tmp_path)).exit_code == 0
    root = database(tmp_path)
    assert_database(root)
    names = {element.findtext("name") for element in root.iter("card")}
    decks = sorted((tmp_path / "out/cockatrice/decks").iterdir())
    assert [path.stem for path in decks] == [
        path.stem for path in sorted(GameFolder(game).deck_files())
    ]
    for path in decks:
        assert_deck(ET.parse(path).getroot(), names)


def test_a_card_says_what_it_says_in_print(small: Path, run: Run) -> None:
    result = run("export", "cockatrice", "river")
    assert result.exit_code == 0
    element = named(small, "Otter Caller")
    assert element.findtext("text") == (
        "Strength 2 · Actions 2 · Supplies 6\nLevel: Brass\nrows: Camp\n"
        "Whistle (1): Put an Otter on the bank."
    )
    properties = {prop.tag: prop.text for prop in element.find("prop") or ()}
    assert properties == {
        "layout": "normal",
        "side": "front",
        "type": "Card — Brass, Camp",
        "maintype": "Camp",
        "manacost": "6",
        "cmc": "6",
        "colors": "U",
        "coloridentity": "U",
        "pt": "2/2",
    }
    assert element.findtext("set") == "LTRW"
    assert [related.text for related in element.findall("related")] == ["Otter"]
    assert element.findtext("tablerow") == "0"
    otter = named(small, "Otter")
    assert (otter.findtext("token"), otter.findtext("set")) == ("1", "LTTK")
    assert otter.findtext("prop/maintype") == "Token"


ZONES = [
    '<zone id="side" name="Side" only="guests"/><zone id="main" name="Main"/>',
    '<zone id="side" name="Side" only="guests"/><zone id="main" name="Main" except="guests"/>',
    '<zone id="side" name="Side" where="kind=card and costs=9"/><zone id="main" name="Main"/>',
    (
        '<zone id="side" name="Side" where="costs=9"/>'
        '<zone id="main" name="Main" where="costs&lt;9" main="true"/>'
    ),
    (
        '<zone id="side" name="Side" only="guests"/>'
        '<zone id="main" name="Main" where="costs=1" main="true"/>'
    ),
    '<zone id="main" name="Main" where="costs=1"/><zone id="side" name="Side" where="costs=9"/>',
]


@pytest.mark.parametrize("declared", ZONES)
def test_the_main_deck_is_the_zone_that_says_so_or_that_has_no_condition(
    tmp_path: Path, run: Run, declared: str
) -> None:
    cards = [card("A1", "Wolf", costs=1), card("G1", "Guest", "GG", costs=9)]
    game = write_game(tmp_path, cards, decks={"d": [line("A1", 3), line("G1", 1)]})
    setup = game / "xml/game.xml"
    head, _, rest = setup.read_text(encoding="utf-8").partition("<zone ")
    setup.write_text(f"{head}{declared}{rest[rest.index('</deck>') :]}", encoding="utf-8")
    assert run("export", "cockatrice", "-g", str(game)).exit_code == 0
    assert zones(game, "d") == {"main": {"Wolf": 3}, "side": {"Guest": 1}}


def test_heroes_are_the_main_deck_of_the_duel(tmp_path: Path, run: Run) -> None:
    shutil.copytree(ROOT / "examples/duel", tmp_path / "game")
    assert run("export", "cockatrice", "-g", str(tmp_path / "game")).exit_code == 0
    for deck in (tmp_path / "game/xml/Decks").glob("*.xml"):
        found = zones(tmp_path / "game", deck.stem)
        assert any(name.startswith("Toll Warden") for name in found["main"])
        assert any(name.startswith(("The First Word", "The Last Word")) for name in found["side"])


def test_one_zone_is_the_main_deck_and_others_are_beside(small: Path, run: Run) -> None:
    assert run("export", "cockatrice", "river").exit_code == 0
    found = zones(small, "river")
    assert found["main"] == {
        "Mother Flood": 1, "Otter Caller": 1, "Lock Keeper": 1, "Ferryman": 1, "Reed Scout": 2,
    }  # fmt: skip
    assert found["side"] == {"Morning Fog": 1}
    assert found["tokens"] == {"Otter": 2}
    assert not (small / "out/cockatrice/decks/ember.cod").exists()


def test_cards_of_one_name_get_names_of_their_own(tmp_path: Path, run: Run) -> None:
    cards = [
        card("A1", "Wolf", "AA", uses("call")),
        card("B1", "Wolf", "BB"),
        card("A2", "Twin"),
        card("A3", "twin"),
        card("A4", "Who?"),
        card("A5", "Who"),
        card("A6", "***"),
    ]
    deck = [line("A1", 2), line("B1", 1), line("A4", 1), line("A5", 3)]
    game = write_game(tmp_path, cards, rules=[token_rule("call", "Wolf")], decks={"d": deck})
    result = run("export", "cockatrice", "-g", str(game))
    assert result.exit_code == 0
    names = [element.findtext("name") for element in database(game).iter("card")]
    assert names == ["Wolf (AA)", "Twin (A2)", "twin (A3)", "Who? (A4)", "Who (A5)", "*** (AA)",
                     "Wolf (BB)", "Wolf (Token)"]  # fmt: skip
    assert_database(database(game))
    assert named(game, "Wolf (AA)").findtext("related") == "Wolf (Token)"
    assert zones(game, "d") == {
        "main": {"Wolf (AA)": 2, "Wolf (BB)": 1, "Who? (A4)": 1, "Who (A5)": 3},
        "tokens": {"Wolf (Token)": 5},
    }
    assert "renamed   Wolf (AA), Twin (A2)" in result.stdout


def test_each_part_of_a_card_is_a_card(tmp_path: Path, run: Run) -> None:
    shutil.copytree(ROOT / "examples/warlords", tmp_path / "game")
    assert run("export", "cockatrice", "-g", str(tmp_path / "game")).exit_code == 0
    main = zones(tmp_path / "game", "low")["main"]
    assert main["Serpent of the Weir (1/2)"] == main["Serpent of the Weir (2/2)"] == 1


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Fire // Ice", "FireIce"),
        ('Question: "Elemental?"', "Question Elemental"),
        ("Who/What", "Who What"),
        ("Größe", "Größe"),
    ],
)
def test_pictures_are_called_as_cockatrice_looks_for_them(name: str, file: str) -> None:
    assert picture_name(name) == file


def test_pictures_have_the_names_of_their_cards(small: Path, run: Run) -> None:
    rivers = small / "xml/Factions/RW_cards.xml"
    edit(rivers, 'name="Reed Scout"', 'name="Reed/Scout: &quot;R&quot;"')
    result = run("export", "cockatrice", "--pictures", "--dpi", "40",
                 "--picture-url", "https://example.org/cards/")  # fmt: skip
    assert result.exit_code == 0
    pictures = small / "out/cockatrice/pics/CUSTOM/Lantern-Tide"
    names = [str(element.findtext("name")) for element in database(small).iter("card")]
    assert {path.name for path in pictures.iterdir()} == {f"{picture_name(n)}.png" for n in names}
    with Image.open(pictures / "Reed Scout R.png") as picture:
        assert picture.size == pytest.approx((65 / 25.4 * 40, 90 / 25.4 * 40), abs=1)
    (printing,) = named(small, 'Reed/Scout: "R"').findall("set")
    assert printing.get("picurl") == "https://example.org/cards/Reed%20Scout%20R.png"


def test_fields_are_shown_as_what_the_user_says(small: Path, run: Run) -> None:
    assert run("export", "cockatrice", "--cost", "actions", "--power", "strength").exit_code == 0
    prop = named(small, "Otter Caller").find("prop")
    assert prop is not None
    assert (prop.findtext("manacost"), prop.findtext("pt")) == ("2", "2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--cost", "cost"), "did you mean `costs`?"),
        (("--picture-url", "pictures"), "is not an address such as"),
        (("--power", "strength") * 3, "--power can be given at most 2 times"),
    ],
)
def test_wrong_options_are_told(
    arguments: tuple[str, ...], message: str, small: Path, run: Run
) -> None:
    result = run("export", "cockatrice", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (small / "out").exists()


def test_a_deck_that_breaks_its_limits_is_left_out(small: Path, run: Run) -> None:
    edit(small / "xml/Decks/river.xml", 'id="RW5" amount="1"', 'id="RW5" amount="2"')
    result = run("export", "cockatrice")
    assert result.exit_code == 1
    assert "error D002" in result.stderr
    assert [path.name for path in (small / "out/cockatrice/decks").iterdir()] == ["ember.cod"]
    assert run("export", "cockatrice", "--ignore-limits").exit_code == 0
    assert zones(small, "river")["main"]["Mother Flood"] == 2


def test_the_same_game_gives_the_same_files(small: Path, run: Run) -> None:
    made = []
    for name in ("one", "two"):
        assert run("export", "cockatrice", "--out", name).exit_code == 0
        files = sorted(path for path in (small / name).rglob("*") if path.is_file())
        made.append([(path.relative_to(small / name), path.read_bytes()) for path in files])
    assert made[0] == made[1]
    assert len(made[0]) == 3


@pytest.mark.parametrize(
    ("color", "letter"),
    [("#ff0000", "R"), ("#27508c", "U"), ("#3c7440", "G"), ("#d09a1c", "W"), ("#101010", "B"),
     ("#f4f0f2", "W"), ("#808080", ""), ("#57334a", "B")],
)  # fmt: skip
def test_colors_are_the_nearest_of_those_that_cockatrice_has(color: str, letter: str) -> None:
    assert color_letter(color) == letter
