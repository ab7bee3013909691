"""Folders written for the fixed format load unchanged.

`games/foreign` is such a folder, as another person might write it: no game.xml, no templates, the
factions file under its other name, attributes and children in any order, comments, tabs, CRLF, a
byte order mark, files without declaration, one in Latin-1, and `effekt`.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from pypdf import PdfReader

from conftest import HERE, ROOT, Run
from deckwright.base.findings import Report
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from support import load_all, share_of_examples

FOREIGN = HERE / "games" / "foreign"
DECK = "Mein erstes Deck"


@pytest.fixture(scope="module")
def foreign() -> Game:
    return load_all(FOREIGN)


def test_the_foreign_folder_brings_nothing_of_deckwright() -> None:
    folders = {path.name for path in FOREIGN.rglob("*") if path.is_dir()}
    assert folders == {"xml", "Factions", "Decks"}
    assert not (FOREIGN / "xml" / "game.xml").exists()


def test_the_foreign_files_are_as_odd_as_they_should_be() -> None:
    files = {path.name: path.read_bytes() for path in FOREIGN.rglob("*.xml")}
    assert b"\r\n" in files["rules.xml"]
    assert files["sumpf_cards.xml"].startswith(b"\xef\xbb\xbf")
    assert not files["rules.xml"].startswith(b"<?xml")
    assert "ä".encode("latin-1") in files["F-1_cards.xml"]
    assert b"effekt=" in files["rules.xml"]
    assert all(b"\t" in files[name] for name in ("rules.xml", "factions_definitions.xml"))
    assert sum(b"<!--" in data for data in files.values()) >= 5


def test_factions_are_read(foreign: Game) -> None:
    assert {f.id: (f.race, f.name) for f in foreign.factions.values()} == {
        "sumpf": ("Echsen", "Sumpfkönigtum"),
        "GROTTE": ("Echsen", "Grottenvolk"),
        "F-1": ("Füchse", "Bund der Füchse & Dachse"),
        "himmel": ("Neutral", "Himmel"),
    }
    assert foreign.factions["F-1"].description == "Listig, leise und allein."
    assert foreign.factions["GROTTE"].description == ""
    assert foreign.factions["himmel"].color == "#abcdef"
    assert foreign.factions["sumpf"].color == "#808000"


def test_rules_are_read(foreign: Game) -> None:
    call, nothing = foreign.rules["r.ruf"], foreign.rules["r.null"]
    assert call.effect == "Erschaffe einen „Molch“ oder eine „Kröte“ in einer Reihe deiner Wahl."
    assert (call.active, call.cost) == (True, 2)
    assert (nothing.active, nothing.cost) == (True, 0)
    assert foreign.rules["r.liegen"].cost is None
    assert foreign.rules["r.liegen"].effect.startswith("Diese Einheit bleibt liegen <bis")
    labels = {race: call.label(race) for race in ("Echsen", "Füchse", "Neutral")}
    assert labels == {"Echsen": "Teichruf", "Füchse": "Lockruf", "Neutral": None}
    assert nothing.label("Neutral") == "Flaute"
    assert nothing.label("Zwerge") == "Nichtstun"
    newt, toad = call.tokens
    assert (newt.name, newt.fields["actions"], newt.rule_ids()) == ("Molch", 3, ("r.brut",))
    assert [row.value for row in newt.children["row"]] == ["CLOSE", "SUPPORT"]
    assert (toad.name, toad.fields["strength"], toad.rule_ids()) == ("Kröte", 0, ())


def test_cards_are_read(foreign: Game) -> None:
    assert list(foreign.cards) == [
        ("F-1", "1"),
        ("himmel", "h1"),
        ("sumpf", "s1"),
        ("sumpf", "s2"),
        ("sumpf", "s3"),
    ]
    card = foreign.cards["sumpf", "s2"]
    assert card.name == "Groß-Ährenträger"
    known = ("level", "strength", "actions", "costs", "cardclass", "image")
    assert [card.fields[name] for name in known] == ["2", 6, 0, 12, "Träger", None]
    assert card.rule_ids() == ("r.liegen", "r.null")
    assert foreign.cards["F-1", "1"].name == "Späher & Söhne"
    weather = foreign.cards["himmel", "h1"]
    assert (weather.fields["level"], weather.fields["costs"]) == ("0", None)
    assert [row.value for row in weather.children["row"]] == ["WEATHER"]


def test_the_whole_folder_is_without_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    result = run("check", "--game", str(FOREIGN), "--ignore-limits")
    assert result.exit_code == 0
    assert " error " not in result.stderr


def test_its_deck_breaks_the_limits_of_the_shipped_game(run: Run, tmp_path: Path) -> None:
    result = run("deck", DECK, "--game", str(FOREIGN), "--out", str(tmp_path / "x.pdf"))
    assert result.exit_code == 1
    assert {"D001", "D002", "D005"} <= set(result.stderr.replace(":", " ").split())
    assert not (tmp_path / "x.pdf").exists()


def test_its_deck_prints_all_cards_tokens_and_rules(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shutil.copytree(FOREIGN, tmp_path / "fremd")
    monkeypatch.chdir(tmp_path)
    result = run("deck", DECK, "--game", "fremd", "--ignore-limits")
    assert result.exit_code == 0, result.stderr
    reader = PdfReader(game / "out" / f"deck_{DECK}.pdf")
    pages = [" ".join(page.extract_text().split()) for page in reader.pages]
    text = " ".join(pages)
    for name in (
        "Schlammläufer",
        "Groß-Ährenträger",
        "König „Quak“ der Dritte",
        "Hagel",
        "Späher & Söhne",
        "Molch",
        "Kröte",
        "Laich",
        "Träge",
        "Teichruf",
        "Lockruf",
        "Brut",
        "Flaute",
        "Nichtstun",
        "bleibt liegen <bis zum Ende> der Runde",
        "Kostet nichts – und bringt nichts.",
        "Sumpfkönigtum",
        "Mein erstes Deck & mehr",
    ):
        assert name in text, name
    # The first page is the deck sheet, which has its name once more; the rules have one card of it.
    assert " ".join(pages[1:]).count("Schlammläufer") == 4
    assert " ".join(pages[1:]).count("Hagel") == 3


class Plain(NamedTuple):
    """A game without the places that it was read from."""

    factions: dict[str, object]
    rules: dict[str, object]
    cards: dict[tuple[str, str], object]
    deck: object


def plain_card(card: Card) -> object:
    children = {tag: [child.value for child in inner] for tag, inner in card.children.items()}
    return (card.kind.tag, card.id, card.name, card.faction_id, card.fields, children)


def plain(game: Game, deck: Deck) -> Plain:
    return Plain(
        {key: faction._asdict() | {"source": None} for key, faction in game.factions.items()},
        {
            key: (rule[:5], sorted(map(str, map(plain_card, rule.tokens))))
            for key, rule in game.rules.items()
        },
        {key: plain_card(card) for key, card in game.cards.items()},
        (deck[:4], sorted(entry[:3] for entry in deck.entries)),
    )


FILES = {
    "factions_definition.xml": "faction",
    "rules.xml": "rule",
    "Factions/EW_cards.xml": "card",
    "Factions/NW_cards.xml": "card",
    "Decks/army_EW_1.xml": "card",
}
ORDERED = {"row", "rule", "token"}
"""Children whose order is printed: rows, rules and tokens stay in order among themselves."""


def scattered(root: etree._Element, rng: random.Random) -> bytes:
    """Return `root` as a file with its attributes and children in another order and layout."""

    def space() -> str:
        inner = rng.choice(
            ["", "\n", "\t", " \n\n  ", "<!-- a > b & <c/> -->", "<?note x?>", "\r\n"]
        )
        return inner + rng.choice(["", " ", "\n"])

    def write(element: etree._Element) -> str:
        attributes = list(element.attrib.items())
        rng.shuffle(attributes)
        gap = rng.choice([" ", "\n  ", "\t", "  "])
        quoted = "".join(
            gap + str(key) + rng.choice(["=", " = "]) + _quoted(str(value), rng)
            for key, value in attributes
        )
        children = list(element)
        if element.tag == "data":
            rng.shuffle(children)
        else:
            places = sorted(children, key=lambda _: rng.random())
            kept = {tag: iter([c for c in children if c.tag == tag]) for tag in ORDERED}
            children = [next(kept[str(c.tag)]) if c.tag in ORDERED else c for c in places]
        text = element.text or ""
        if not children and not text.strip():
            end = f"</{element.tag}>"
            return f"<{element.tag}{quoted}{gap}" + rng.choice(["/>", ">" + end, ">\n  " + end])
        inner = text.replace("&", "&amp;") if text.strip() else space()
        inner += "".join(write(child) + space() for child in children)
        return f"<{element.tag}{quoted}>{inner}</{element.tag}>"

    declared = rng.choice(["", '<?xml version="1.0"?>', "<?xml version='1.0' encoding='utf-8'?>\n"])
    body = declared + rng.choice(["", "\n<!-- x -->"]) + write(root) + rng.choice(["", "\n\n"])
    return rng.choice([b"", b"\xef\xbb\xbf"]) + body.encode()


def _quoted(value: str, rng: random.Random) -> str:
    value = value.replace("&", "&amp;").replace("<", "&lt;")
    if rng.random() < 0.5 and '"' not in value:
        return f'"{value}"'
    return "'" + value.replace("'", "&apos;") + "'"


def load_part(folder: Path) -> Plain:
    report: Report = []
    place = GameFolder(folder)
    setup = load.load_setup(place, report)
    assert setup is not None
    game = load.load_game(place, setup, report)
    deck = load.load_deck(place.deck_file("army_EW_1"), place, setup, report)
    assert report == []
    assert game is not None
    assert deck is not None
    return plain(game, deck)


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("part")
    for name in FILES:
        (folder / "xml" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "xml" / name, folder / "xml" / name)
    return folder


@pytest.mark.corpus(1, grows=True)
@settings(max_examples=share_of_examples(40), suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_order_comments_and_white_space_mean_nothing(part: Path, seed: int) -> None:
    rng = random.Random(seed)
    originals = {name: (part / "xml" / name).read_bytes() for name in FILES}
    before = load_part(part)
    parser = etree.XMLParser(remove_comments=True)
    try:
        for name, data in originals.items():
            (part / "xml" / name).write_bytes(scattered(etree.fromstring(data, parser), rng))
        assert load_part(part) == before
    finally:
        for name, data in originals.items():
            (part / "xml" / name).write_bytes(data)
