"""Decks for Tabletop Simulator: every copy on the table, with the picture of its own card."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from PIL import Image
from saved_objects import Object, cards_of, cell_of, export, off, opened

from conftest import ROOT, Run, edit
from deckwright.faces.card_text import card_text
from deckwright.faces.copies import CopyKey
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.tabletop.sheets import TableOptions
from deckwright.outputs.tabletop.tabletop_simulator import url_of
from deckwright.paint.raster import Raster, draw
from support import card, line, load_all, token_rule, uses, write_decks, write_game

pytestmark = pytest.mark.usefixtures("shipped_checked")

SHIPPED = sorted(path.stem for path in (ROOT / "xml" / "Decks").glob("*.xml"))
DECKS = [(".", SHIPPED[0])] + [
    (f"examples/{game}", deck)
    for game, deck in [("duel", "blue"), ("festival", "velvet"),
                       ("starter", "cats"), ("warlords", "horn"), ("woodland", "full_moot")]
]  # fmt: skip


# --- every copy on the table shows its own card


@pytest.mark.corpus(5)
@pytest.mark.parametrize(("game", "deck"), DECKS)
def test_every_copy_is_in_its_pile_and_shows_its_face_and_back(
    game: str, deck: str, tmp_path: Path
) -> None:
    folder = ROOT / game
    whole = load_all(folder)
    tabled, state = export(folder, deck, tmp_path)
    assert state["SaveName"] == tabled.name
    shown: dict[tuple[CopyKey, str], Image.Image] = {}
    faces: dict[tuple[CopyKey, str], Face] = {}
    for pile, plan in zip(state["ObjectStates"], tabled.piles, strict=True):
        for copy, planned in zip(cards_of(pile), plan.cards, strict=True):
            assert copy["Nickname"] == planned.name
            assert copy["Description"] == card_text(whole, planned.card, planned.faction_id)
            assert planned.back is not None
            for side, face in (("Face", planned.face), ("Back", planned.back)):
                picture = cell_of(copy, side)
                before = shown.setdefault((planned.key, side), picture)
                assert before.tobytes() == picture.tobytes()
                faces[planned.key, side] = face
    fonts = FaceFactory(whole, GameFolder(folder), []).fonts
    for key, alone in zip(
        faces, draw(faces.values(), fonts, ImageStore(), Raster(300)), strict=True
    ):
        assert off(shown[key], alone) < 3, key
    for size in {picture.size for picture in shown.values()}:
        keys = [key for key, picture in shown.items() if picture.size == size]
        of_size = [faces[key] for key in keys]
        exact = draw(of_size, fonts, ImageStore(), Raster(size=size))
        for key, alone in zip(keys, exact, strict=True):
            assert off(shown[key], alone) < 0.01, key
    assert_order(whole, folder, deck, state)


def assert_order(whole: Game, folder: Path, deck: str, state: Object) -> None:
    """Each zone has the copies of its cards in the order of the deck list, and none is missing."""
    names: list[str] = []
    for key in expected_copies(folder, deck):
        card_, parts = whole.cards[key], whole.cards[key].parts
        names += [card_.name if parts == 1 else f"{card_.name} ({part}/{parts})"
                  for part in range(1, parts + 1)]  # fmt: skip
    tokens = whole.setup.words["tokens"]
    piles = [cards_of(pile) for pile in state["ObjectStates"]
             if not pile["Nickname"].endswith(f"– {tokens}")]  # fmt: skip
    if len(piles) < len(state["ObjectStates"]):
        known = {token.name for token in whole.tokens()}
        assert {one["Nickname"] for one in cards_of(state["ObjectStates"][-1])} <= known
    assert sorted(one["Nickname"] for pile in piles for one in pile) == sorted(names)
    for pile in piles:
        rest = iter(names)
        assert all(one["Nickname"] in rest for one in pile)


def expected_copies(folder: Path, deck: str) -> Iterator[tuple[str, str]]:
    """Yield faction and id of every copy of a deck list, by regular expressions alone."""
    text = (folder / "xml" / "Decks" / f"{deck}.xml").read_text("utf-8")
    for entry in re.findall(r"<card\b[^>]*>", text):
        values = dict(re.findall(r'(\w+)="([^"]*)"', entry))
        yield from [(values["faction_id"], values["id"])] * int(values["amount"])


# --- games of a few lines


def small_game(folder: Path) -> Path:
    cards = [card("A1", "Ant", "AA", uses("call"), actions=2), card("A2", "Queen"),
             card("G1", "Guest", "GG")]  # fmt: skip
    decks = {"swarm": [line("A2"), line("A1", 3), line("A2", 2), line("G1")]}
    return write_game(folder / "game", cards, rules=[token_rule("call", "Wolf")], decks=decks)


def test_a_pile_for_each_zone_and_one_for_tokens_side_by_side(tmp_path: Path) -> None:
    _, state = export(small_game(tmp_path), "swarm", tmp_path / "out")
    main, side, tokens = state["ObjectStates"]
    assert [main["Nickname"], tokens["Nickname"]] == ["Deck – Main", "Deck – Tokens"]
    assert [one["Nickname"] for one in cards_of(main)] == [
        "Queen", "Ant", "Ant", "Ant", "Queen", "Queen",
    ]  # fmt: skip
    assert (side["Name"], side["Nickname"]) == ("Card", "Guest")
    assert [one["Nickname"] for one in cards_of(tokens)] == ["Wolf"] * 6
    places = [pile["Transform"]["posX"] for pile in state["ObjectStates"]]
    width = 65 / 25.4
    assert all(b - a > width for a, b in pairwise(places))
    for thing in (main, *cards_of(main), side):
        assert thing["Transform"]["scaleX"] == thing["Transform"]["scaleZ"] == 90 / 80
        assert thing["Transform"]["rotZ"] == 180


def test_cards_without_a_back_get_one_in_their_faction_s_color(tmp_path: Path) -> None:
    tabled, state = export(small_game(tmp_path), "swarm", tmp_path / "out")
    main, side, _ = state["ObjectStates"]
    teal, gray = cell_of(cards_of(main)[0], "Back"), cell_of(side, "Back")
    assert teal.getcolors() == [(teal.width * teal.height, (0x00, 0x80, 0x80))]
    assert gray.getpixel((5, 5)) != teal.getpixel((5, 5))
    assert [sheet.mixed for sheet in tabled.sheets] == [True]


def test_cards_and_tokens_whose_backs_look_the_same_share_a_sheet(tmp_path: Path) -> None:
    tabled, state = export(ROOT / "examples" / "festival", "velvet", tmp_path)
    own, *_, tokens = state["ObjectStates"]
    assert own["CustomDeck"].keys() == tokens["CustomDeck"].keys()
    assert [sheet.mixed for sheet in tabled.sheets] == [False, False]


def test_what_others_see_of_a_card_in_a_hand_is_a_back(tmp_path: Path) -> None:
    _, state = export(ROOT / "examples" / "starter", "cats", tmp_path)
    (deck,) = state["ObjectStates"][0]["CustomDeck"].values()
    assert deck["BackIsHidden"] is True
    faces, back = opened(deck["FaceURL"]), opened(deck["BackURL"])
    width, height = faces.width // deck["NumWidth"], faces.height // deck["NumHeight"]
    last = faces.crop((faces.width - width, faces.height - height, faces.width, faces.height))
    assert last.tobytes() == back.tobytes()


def test_cards_of_several_sizes_are_piles_of_their_own(tmp_path: Path) -> None:
    folder = small_game(tmp_path)
    kind = '<kind tag="token" name="Token" token="true" width="65" height="90"'
    edit(folder / "xml" / "game.xml", kind, kind.replace("65", "40").replace('"90"', '"60"'))
    wide = (folder / "xml" / "game.xml").read_text("utf-8")
    start = wide.index('  <kind tag="card"')
    end = wide.index("</kind>", start) + len("</kind>\n")
    second = wide[start:end].replace('tag="card" name="Card"', 'tag="big" name="Giant"')
    second = second.replace('width="65"', 'width="130"')
    (folder / "xml" / "game.xml").write_text(wide[:end] + second + wide[end:], encoding="utf-8")
    file = folder / "xml" / "Factions" / "AA_cards.xml"
    big = card("A9", "Anteater").replace("<card", "<big").replace("</card", "</big")
    edit(file, "</data>", f"{big}</data>")
    edit(folder / "xml" / "Decks" / "swarm.xml", "</data>", f"{line('A9', 2)}</data>")
    tabled, state = export(folder, "swarm", tmp_path / "out")
    names = [pile["Nickname"] for pile in state["ObjectStates"]]
    assert names == ["Deck – Main (Card)", "Deck – Main (Giant)", "Guest", "Deck – Tokens"]
    scales = [pile["Transform"]["scaleZ"] for pile in state["ObjectStates"]]
    assert scales == [1.125, 1.125, 1.125, 0.75]
    shapes = [cell_of(cards_of(pile)[0], "Face").size for pile in state["ObjectStates"]]
    assert [round(width / height, 2) for width, height in shapes] == [0.72, 1.44, 0.72, 0.67]
    assert len(tabled.sheets) == 3


def test_a_card_of_several_parts_is_several_cards(tmp_path: Path) -> None:
    _, state = export(ROOT / "examples" / "warlords", "low", tmp_path)
    names = [one["Nickname"] for one in cards_of(state["ObjectStates"][0])]
    (first,) = (number for number, name in enumerate(names) if name.endswith("(1/3)"))
    name = names[first].removesuffix("(1/3)")
    assert names[first : first + 3] == [f"{name}({part}/3)" for part in (1, 2, 3)]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = small_game(tmp_path)
    contents = []
    for _ in range(2):
        tabled, _ = export(folder, "swarm", tmp_path / "out")
        files = [tabled.path, tabled.path.with_suffix(".png"), *tabled.pictures]
        contents.append([path.read_bytes() for path in files])
    assert contents[0] == contents[1]


def test_two_decks_have_ids_of_their_own(tmp_path: Path) -> None:
    folder = small_game(tmp_path)
    deck = (folder / "xml" / "Decks" / "swarm.xml").read_text("utf-8")
    (folder / "xml" / "Decks" / "other.xml").write_text(deck, encoding="utf-8")
    used: list[set[str]] = []
    for name in ("swarm", "other"):
        _, state = export(folder, name, tmp_path / "out")
        things = [t for pile in state["ObjectStates"] for t in (pile, *cards_of(pile))]
        used.append({key for thing in things for key in thing["CustomDeck"]})
        used[-1] |= {thing["GUID"] for thing in things}
    assert not used[0] & used[1]


def test_a_thumbnail_lies_beside_the_object(tmp_path: Path) -> None:
    export(small_game(tmp_path), "swarm", tmp_path / "out")
    with Image.open(tmp_path / "out" / "swarm.png") as picture:
        assert (picture.format, picture.size, picture.mode) == ("PNG", (256, 256), "RGBA")
        assert picture.getpixel((2, 2)) == (0, 0, 0, 0)
        assert picture.getpixel((128, 250))[3] == 255  # type: ignore[index]


# --- where pictures are


def test_local_pictures_have_absolute_paths(tmp_path: Path) -> None:
    tabled, state = export(small_game(tmp_path), "swarm", tmp_path / "an “out”")
    urls = set(re.findall(r'"(file:[^"]*)"', json.dumps(state, ensure_ascii=False)))
    assert {Path("/" + url.removeprefix("file:///")) for url in urls} == set(tabled.pictures)
    assert all(path.is_file() for path in tabled.pictures)


def test_hosted_pictures_have_addresses_that_change_with_them(tmp_path: Path) -> None:
    folder = small_game(tmp_path)
    deck = folder / "xml" / "Decks" / "swarm.xml"
    deck.rename(deck.with_name("my swärm.xml"))

    def urls() -> dict[str, str]:
        options = TableOptions(url="https://example.org/my/cards/")
        tabled, state = export(folder, "my swärm", tmp_path / "out", options)
        found = set(re.findall(r'"(https:[^"]*)"', json.dumps(state)))
        parts = [re.fullmatch(r"https://example\.org/my/cards/([!-~]+)\?v=([0-9a-f]{8})", url)
                 for url in found]  # fmt: skip
        named = {unquote(part[1]): part[2] for part in parts if part}
        assert set(named) == {path.name for path in tabled.pictures}
        return named

    before = urls()
    assert urls() == before
    edit(folder / "templates" / "card.xml", 'y="60"', 'y="50"')
    after = urls()
    assert after.keys() == before.keys()
    assert [name for name in after if after[name] != before[name]] == ["my swärm_1.png"]


@pytest.mark.parametrize("base", ["https://a.org", "https://a.org/"])
def test_the_slash_after_the_base_may_be_left_out(base: str) -> None:
    assert url_of(Path("x/a b.png"), b"", base).startswith("https://a.org/a%20b.png?v=")


@pytest.mark.parametrize(("form", "ending"), [("jpg", "jpg"), ("png", "png"), ("auto", "png")])
def test_the_format_of_pictures(form: Any, ending: str, tmp_path: Path) -> None:
    tabled, _ = export(small_game(tmp_path), "swarm", tmp_path / "out", TableOptions(form=form))
    for path in tabled.pictures:
        assert path.suffix == f".{ending}"
        with Image.open(path) as picture:
            assert picture.format == {"jpg": "JPEG", "png": "PNG"}[ending]
            assert picture.mode == "RGB"


def test_pictures_that_are_large_as_png_become_jpeg(tmp_path: Path) -> None:
    ids = [f"A{number}" for number in range(3)]
    cards = [card(name, name, image=f"{name}.bmp") for name in ids]
    face = '<face><image href="{{ card.image }}" width="65" height="90"/></face>'
    folder = write_game(tmp_path / "game", cards, face=face,
                        decks={"paper": [line(name) for name in ids]})  # fmt: skip
    (folder / "img").mkdir()
    chance = random.Random(1)
    for name in ids:
        grain = chance.randbytes(768 * 1063 * 3)
        Image.frombytes("RGB", (768, 1063), grain).save(folder / "img" / f"{name}.bmp")
    tabled, _ = export(folder, "paper", tmp_path / "out")
    assert [path.name for path in tabled.pictures] == ["paper_1.jpg", "paper_1_back.png"]
    tabled, _ = export(folder, "paper", tmp_path / "out", TableOptions(form="png"))
    assert [path.name for path in tabled.pictures] == ["paper_1.png", "paper_1_back.png"]


# --- the command


def test_all_decks_are_exported_but_those_with_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(write_decks(tmp_path))
    result = run("export", "tts")
    assert result.exit_code == 1
    assert "broken.xml was not exported: 1 error" in result.stderr
    assert sorted(path.name for path in Path("out/tts").iterdir()) == [
        "good.json", "good.png", "other.json", "other.png", "pictures",
    ]  # fmt: skip
    assert "Deck – Main" in result.stdout


def test_limits_can_be_ignored_and_the_summary_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(write_decks(tmp_path))
    assert run("export", "tts", "short").exit_code == 1
    result = run("export", "tts", "short", "--ignore-limits", "-q", "-o", "new/folder")
    assert (result.exit_code, result.stdout) == (0, "")
    assert Path("new/folder/short.json").is_file()


def test_an_address_that_is_none(small: Path, run: Run) -> None:
    result = run("export", "tts", "--url", "cards")
    assert result.exit_code == 2
    assert "is not an address" in result.stderr
    assert not (small / "out" / "tts").exists()


def test_a_game_without_decks(tmp_path: Path, run: Run) -> None:
    game = write_game(tmp_path, [card("A1", "Ant")])
    result = run("export", "tts", "-g", str(game))
    assert result.exit_code == 2
    assert "there is no deck list" in result.stderr


def test_an_object_never_shows_pictures_that_could_not_be_written(small: Path, run: Run) -> None:
    out = small / "out" / "tts"
    out.mkdir(parents=True)
    (out / "pictures").write_text("in the way")
    result = run("export", "tts", "river")
    assert result.exit_code == 3
    assert "E002" in result.stderr
    assert sorted(path.name for path in out.iterdir()) == ["pictures"]
