"""Make the folders that the programs work on. Run by `run.py` as a process of its own.

    python benchmarks/workloads.py FOLDER NAME...

A workload's folder holds the game for Deckwright (`game/`), the same cards as data for Typst and
WeasyPrint (`cards.json`), the shrunk pictures (`shrunk/`) and the Typst program. Everything random
comes from fixed seeds. It is a process of its own because a program's peak memory, as the system
counts it, is never less than that of the process which started it.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fontTools.ttLib import TTFont
from lxml import etree

import photos
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game, load_setup
from deckwright.text.fonts import icon_font, load_fonts
from face_data import face_data, load

HERE = Path(__file__).parent
REPOSITORY = HERE.parent

FACTION = "HK"
RACE = "Menschen"
PHOTOS = 75

_LEVELS = {"1": 60, "2": 30, "3": 10}
_ROWS = ("CLOSE", "RANGED", "SUPPORT")
_FIRST = (
    "Adler Asche Berg Bernstein Blut Brand Dorn Donner Dunkel Eisen Erz Falken Feuer Frost Gold "
    "Grab Hammer Herbst Hügel Klingen Knochen Kupfer Löwen Mond Moor Nacht Nebel Raben Rosen Runen "
    "Salz Schatten Schild Silber Stahl Stern Sturm Süd Wald Winter Wolfs Wüsten"
)
_SECOND = (
    "bogner brecher bote drescher fechter fürst gardist geher greif hauptmann heiler hexe hüter "
    "jäger kapitän knappe krieger läufer lanze meister priester reiter ritter rufer sänger schmied "
    "schütze söldner späher spielmann träger wache wächter weber wirker zähmer"
)
_BYNAMES = (
    "der Alte", "der Große", "die Graue", "aus Grünau", "vom Rabenstein", "am Überfluss",
    "ohne Namen", "im Exil", "zu Fuß", "von Hohenweiß",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Workload:
    """A deck to print: the shipped game's `deck`, or a generated one with so many cards.

    Attributes:
        cards: how many distinct cards to make; 0 takes the shipped game as it is.
        copies: of each.
    """

    deck: str
    cards: int = 0
    copies: int = 1


WORKLOADS = {
    "deck": Workload("army_HK_1"),
    "cards": Workload("thousand", cards=1000),
    "copies": Workload("hundred", cards=100, copies=10),
}


def make(name: str, folder: Path) -> None:
    """Make the workload `name` in `folder`/`name`, with fonts and photos beside it."""
    workload, home = WORKLOADS[name], folder / name
    game = home / "game"
    # The face of the benchmark does not change with that of the shipped game.
    shutil.copytree(HERE / "templates", game / "templates")
    if workload.cards:
        _make_game(workload, game)
        pictures = photos.make_photos(folder / "photos", PHOTOS)
        photos.shrink(pictures, home / "shrunk")
        (game / "img").mkdir()
        for path in pictures:
            (game / "img" / path.name).hardlink_to(path)
    else:
        shutil.copytree(REPOSITORY / "xml", game / "xml")
        shutil.copytree(REPOSITORY / "img", game / "img")
    _print_cards_alone(game / "xml" / "game.xml")
    data = face_data(GameFolder(game), workload.deck)
    (home / "cards.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    shutil.copy(HERE / "typst_face.typ", home / "face.typ")
    _copy_fonts(GameFolder(game), folder / "fonts")


def _print_cards_alone(game_file: Path) -> None:
    """Have a game print what the other programs print: no deck sheet, no cover, the rules."""
    text = game_file.read_text(encoding="utf-8")
    for attribute, instead in (
        (' deck="deck.xml"', ' deck="no"'),
        (' overview-cover="cover.xml"', ""),
    ):
        if text.count(attribute) != 1:
            message = f"{game_file} has no{attribute}"
            raise ValueError(message)
        text = text.replace(attribute, instead)
    game_file.write_text(text, encoding="utf-8")


def _copy_fonts(game: GameFolder, folder: Path) -> None:
    """Copy the fonts that faces use, so that no program must look through whole families."""
    if folder.exists():
        return
    folder.mkdir()
    for font in load(load_fonts, load(load_setup, game), game).values():
        shutil.copy(font.path, folder)
    # The icon font says that all its outlines begin at 0, which they do not. WeasyPrint's subset
    # corrects that in one table and not in the other, and then the icons print shifted.
    icons = TTFont(icon_font().path)
    for name in icons.getGlyphOrder():
        glyph = icons["glyf"][name]
        glyph.recalcBounds(icons["glyf"])
        icons["hmtx"][name] = icons["hmtx"][name][0], getattr(glyph, "xMin", 0)
    icons.save(folder / "icons.ttf")


def _make_game(workload: Workload, game: Path) -> None:
    """Write a game of one faction's random cards, and a deck list of all of them."""
    xml = game / "xml"
    (xml / "Factions").mkdir(parents=True)
    (xml / "Decks").mkdir()
    for name in ("game.xml", "rules.xml", "factions_definition.xml"):
        shutil.copy(REPOSITORY / "xml" / name, xml / name)
    chance = random.Random(workload.cards)
    cards = etree.Element("data")
    deck = etree.Element("data")
    etree.SubElement(deck, "meta", main_faction_id=FACTION, name=workload.deck)
    rules = _usable_rules(GameFolder(game))
    for number, name in enumerate(_names(workload.cards, chance), 1):
        identity = f"{FACTION}{number}"
        cards.append(_card(identity, name, number, rules, chance))
        etree.SubElement(deck, "card", faction_id=FACTION, id=identity, amount=str(workload.copies))
    for root, path in (
        (cards, xml / "Factions" / f"{FACTION}_cards.xml"),
        (deck, xml / "Decks" / f"{workload.deck}.xml"),
    ):
        etree.indent(root)
        path.write_bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _card(
    identity: str, name: str, number: int, rules: Sequence[str], chance: random.Random
) -> etree._Element:
    level = chance.choices(list(_LEVELS), list(_LEVELS.values()))[0]
    card = etree.Element(
        "card",
        id=identity,
        name=name,
        faction_id=FACTION,
        level=level,
        strength=str(chance.randint(0, 12)),
        actions=str(chance.randint(0, 4)),
        costs=str(chance.randint(1, 20)),
        cardclass="Soldat",
        image=f"photo{number % PHOTOS:03d}.jpg",
    )
    for row in sorted(chance.sample(_ROWS, chance.choice((1, 1, 1, 2, 2, 3)))):
        etree.SubElement(card, "row", name=row)
    for rule in chance.sample(rules, chance.randint(0, 5)):
        etree.SubElement(card, "rule", id=rule)
    return card


def _names(number: int, chance: random.Random) -> Iterator[str]:
    """Yield distinct names such as "Nebelwächter am Überfluss"; every third has a byname."""
    compounds = [first + second for first in _FIRST.split() for second in _SECOND.split()]
    for index, name in enumerate(chance.sample(compounds, number)):
        yield name if index % 3 else f"{name} {chance.choice(_BYNAMES)}"


def _usable_rules(game: GameFolder) -> list[str]:
    """Return the rules that the race may use and that create no tokens."""
    known = load(load_game, game, load(load_setup, game))
    return [rule.id for rule in known.rules.values() if rule.label(RACE) and not rule.tokens]


def main() -> None:
    """Make the workloads that the command line names."""
    folder = Path(sys.argv[1])
    for name in sys.argv[2:]:
        make(name, folder)


if __name__ == "__main__":
    main()
