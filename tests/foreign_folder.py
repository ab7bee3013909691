"""Game folders in the fixed format as third parties write them, with texts of any length."""

from __future__ import annotations

import io
import random
from pathlib import Path
from xml.sax.saxutils import quoteattr

from PIL import Image, ImageDraw

WORDS = ("Einheit", "Moralmalus", "am", "Ende", "der", "Runde", "erhält", "gegnerische", "Karten")
RULES = 12


def sentence(letters: random.Random, length: int) -> str:
    """Return a sentence of about this length."""
    words = ["Wähle"]
    while len(" ".join(words)) < length - 8:
        words.append(letters.choice(WORDS))
    return " ".join(words) + "."


def write_foreign_folder(
    folder: Path, seed: int, *, effect: int = 300, faction_id: str = "AA", name: int = 40
) -> None:
    """Write a game of one faction in `#ff0000`, its neutrals and one deck, without a game.xml.

    Args:
        effect: the length of rule texts, in characters.
        name: the length of the longest names, in characters.
    """
    letters = random.Random(seed)
    for each in ("xml/Factions", "xml/Decks", "img"):
        (folder / each).mkdir(parents=True)
    long = "Eiserner Großmeister der Belagerungskunst und der Mauern"[:name].strip()
    (folder / "xml/factions_definition.xml").write_text(
        f'<data><faction id="{faction_id}" race_name="Völker jenseits der Sümpfe" '
        f"faction_name={quoteattr(long)} "
        'color="#ff0000"/><faction id="NN" race_name="Neutral" faction_name="Neutral" '
        'color="gray"/></data>',
        encoding="utf-8",
    )
    ids = [f"r{number:03}" for number in range(RULES)]
    rules = []
    for number, rule_id in enumerate(ids):
        cost = f' cost="{number % 3 + 1}"' if number % 2 else ""
        kind = "active" if cost else "passive"
        text = quoteattr(sentence(letters, effect))
        label = quoteattr(f"{letters.choice(['Sturmangriff der Eisenfaust', 'Zäh'])} {number}")
        token = '<token name="Rudel" strength="2" actions="0"><row name="CLOSE"/>' + "".join(
            f'<rule id="{other}"/>' for other in ids[1:3]
        )
        rules.append(
            f'<rule id="{rule_id}" type="{kind}"{cost} effect={text}><label GEN={label}/>'
            + (f"{token}</token>" if number == 0 else "")
            + "</rule>"
        )
    (folder / "xml/rules.xml").write_text(f"<data>{''.join(rules)}</data>", encoding="utf-8")
    cards, names = [], (long, "Ork", "Schamanin")
    for number in range(10):
        carried = "".join(f'<rule id="{each}"/>' for each in letters.sample(ids, number % 6))
        rows = letters.sample(["CLOSE", "RANGED", "SUPPORT"], number % 3 + 1)
        image = ' image="picture.jpg"' if number % 4 == 0 else ""
        cards.append(
            f'<card id="{faction_id}{number}" name={quoteattr(names[number % 3])}'
            f' faction_id="{faction_id}" level="{number % 3 + 1}" strength="{number * 11}"'
            f' actions="{number % 4}" costs="{number * 13}"{image}>'
            + "".join(f'<row name="{row}"/>' for row in rows)
            + f"{carried}</card>"
        )
    neutrals = "".join(
        f'<card id="NN{number}" name="Söldner {number}" faction_id="NN" level="0" strength="3" '
        f'actions="1"><row name="{row}"/><rule id="{ids[number]}"/></card>'
        for number, row in enumerate(("CLOSE", "WEATHER", "RANGED"), 1)
    )
    for name_of, content in ((faction_id, "".join(cards)), ("NN", neutrals)):
        path = folder / "xml/Factions" / f"{name_of}_cards.xml"
        path.write_text(f"<data>{content}</data>", encoding="utf-8")
    entries = "".join(
        f'<card faction_id="{faction_id}" id="{faction_id}{number}" amount="1"/>'
        for number in range(10)
    ) + "".join(f'<card faction_id="NN" id="NN{number}" amount="1"/>' for number in (1, 2, 3))
    (folder / "xml/Decks/army.xml").write_text(
        f'<data><meta main_faction_id="{faction_id}" '
        f'name="Das Aufgebot der sieben Sümpfe im Regen"/>{entries}</data>',
        encoding="utf-8",
    )
    picture, data = Image.new("RGB", (800, 700), "white"), io.BytesIO()
    ImageDraw.Draw(picture).ellipse((200, 150, 600, 550), fill="teal")
    picture.save(data, "PNG")
    (folder / "img/picture.jpg").write_bytes(data.getvalue())
