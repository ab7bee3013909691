"""Tables become cards of their genre, whatever gaps they have."""

from __future__ import annotations

import csv
import subprocess
import tomllib
from ast import literal_eval
from io import BytesIO
from pathlib import Path

import click
import pytest
from PIL import Image, ImageChops, ImageStat

from conftest import ROOT, Run
from deckwright import open_game
from deckwright.api.starting import start_from_table
from deckwright.cli.new import new
from deckwright.tables.choosing import FACES, SIGNS, bind_theme, choose_face, find_slots
from deckwright.tables.guessing import Guess, guess_table
from support import page_texts, texts

TEXT = "Draw a card for each ally that you have. Discard one. "
FOLDER = ROOT / "src" / "deckwright" / "tables" / "faces"
GENRES = [name for name in FACES if name != "plain"]


def write(folder: Path, *rows: str) -> Path:
    path = folder / "cards.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "face", "columns"),
    [
        (["Name,Attack,Health", "Ape,1,2", "Bee,2,3"], "hero", "Attack Health"),
        (["Name;Angriff;Text", f"Affe;1;{TEXT}", f"Biene;2;{TEXT}"], "hero", "Angriff"),
        (["Name,HP,Text", f"Ape,1,{TEXT}", f"Bee,2,{TEXT}"], "hero", "HP"),
        (["Name,Cost,Rules", f"Ape,1,{TEXT}", f"Bee,2,{TEXT}"], "spell", "Cost Rules"),
        (["Name;Kosten;Effekt", f"Affe;1;{TEXT}", f"Biene;2;{TEXT}"], "spell", "Kosten Effekt"),
        # One of three can fight, so the others would have no badges.
        (["Name,Cost,Attack,Rules", f"Ape,1,,{TEXT}", f"Bee,2,,{TEXT}", f"Cat,3,1,{TEXT}"],
         "spell", "Cost Rules"),
        (["Name;Typ;Text", f"Affe;Gast;{TEXT}", f"Biene;Ort;{TEXT}"], "spell", "Typ Text"),
        (["Name,Numeral", "Ape,I", "Bee,IV", "Cat,XII"], "tarot", "Numeral"),
        (["Name;Arkana;Nr", "Affe;Große;1", "Biene;Große;2"], "tarot", "Arkana"),
        (["Name,Picture", "Ape,a.png", "Bee,b.png"], "tarot", "Picture"),
        (["Resource,Price", "Ape,1", "Bee,2"], "euro", "Resource"),
        (["Name;Preis", "Holz;1", "Salz;2", "Käse;4"], "euro", "Name"),
        (["Name,Price,Stock", "Ape,1,2", "Bee,2,2"], "euro", "Price Stock"),
        (["Suit,Rank", "Hearts,K", "Spades,7", "Clubs,K"], "playing", "Suit Rank"),
        (["Farbe;Wert", "Herz;Ass", "Pik;7", "Karo;Dame"], "playing", "Farbe Wert"),
        (["a;b", "♥;K", "♠;7", "♦;Q"], "playing", "a b"),
        (["Color,Value", "red,1", "blue,12", "green,3"], "playing", "Color Value"),
        (["Card", "Ace of Spades", "7 of Hearts", "queen of clubs"], "playing", "Card"),
        (["Karte", "Herz König", "Pik 7", "Karo Bube"], "playing", "Karte"),
        (["Question,Answer", "Why?,So.", "Who?,She."], "quiz", "Question Answer"),
        (["Frage;A;B;Lösung", "Warum?;So;Nein;A", "Wer?;Sie;Er;B"], "quiz", "Frage Lösung A B"),
        (["Prompt,option1,option2,answer", "Go on,x,y,x", "Stop,y,z,z"], "quiz",
         "Prompt answer option1 option2"),
        (["Text,Antwort", "Wie alt?,Drei", "Wie viele?,Zwei"], "quiz", "Text Antwort"),
        (["Name,Text", f"Ape,{TEXT}", f"Bee,{TEXT}"], "plain", ""),
        (["Name,Price", "Ape,1", "Bee,2"], "plain", ""),
        (["Name,Color,Value", "Ape,red,1", "Bee,red,2"], "plain", ""),
        (["Name,Age", "Ape,I", "Bee,II", "Cat,III", "Dog,III"], "plain", ""),
        (["Name,Weight", "Ape,Major", "Bee,Minor"], "plain", ""),
        (["Name,Food,Mood", "Ape,corn,glad", "Bee,,sad"], "plain", ""),
        (["Name,Suit,Rank,Text", f"Ape,Hearts,1,{TEXT}", f"Bee,Spades,2,{TEXT}"], "plain", ""),
    ],
)  # fmt: skip
def test_the_columns_choose_the_face(
    tmp_path: Path, rows: list[str], face: str, columns: str
) -> None:
    found, told = choose_face(find_slots(guess_table(write(tmp_path, *rows), None, None, None)))
    assert (found.name, " ".join(column.title for column in told)) == (face, columns)


ODD = {
    "gaps": [
        ["Name", "Kind", "Cost", "Attack", "Picture", "Text", "Flag"],
        ["Ape", "", "", "", "", "", ""],
        ["Bee", "Insect", "1", "2/2", "nowhere.png", TEXT, "yes"],
    ],
    "signs": [
        ["Name", "Co'st & \"<x>\" {y}", "Суть", "Text"],
        ["'A' & <b> \"c\"", "-3", "Кот", "Пёс и кот."],
        ["Ω", "1000000", "", "Γάτα"],
    ],
    "many": [["Name", *(f"Column {n}" for n in range(45))], ["A", *map(str, range(45))],
             ["B", *["word"] * 45]],
    "long": [["Name", "Cost", "Attack", "Text"], ["Endless" * 9, "9" * 12, "1", TEXT * 40],
             ["B", "1", "2", TEXT]],
    "suits": [["Suit", "Rank", "Points"], ["gelb's", "Joker", "1"], ["blau", "Unter", "2"],
              ["gelb's", "13", ""], ["rot", "0", "3"]],
    "questions": [["Question", "Correct", "Incorrect"], ["Why " * 30 + "?", "x", "y, z"],
                  ["Who?", "", ""]],
}  # fmt: skip


@pytest.mark.corpus(4)
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("face", FACES)
def test_every_face_prints_odd_tables(tmp_path: Path, face: str, odd: str) -> None:
    path = tmp_path / "odd.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(ODD[odd])
    started = start_from_table(tmp_path / "game", path, 'A "&" {b}', face=face)
    assert started.findings == []
    found = {finding.code.id for finding in open_game(tmp_path / "game").check()}
    assert found <= {"R005", "T016", "T021"}  # a missing picture, braces and tags that are not ours


@pytest.mark.parametrize("face", GENRES)
def test_a_face_as_it_is_meant_has_no_finding_and_a_back_that_can_be_turned(
    run: Run, tmp_path: Path, face: str
) -> None:
    folder = tmp_path / "game"
    table = str(ROOT / "docs" / "faces" / f"{face}.csv")
    said = run("new", str(folder), "--from", table).stdout
    assert f"face: {face}, for `" in said
    game = open_game(folder)
    assert {finding.code.id for finding in game.check()} <= {"R005"}
    assert run("fmt", "--check", "--game", str(folder)).exit_code == 0
    back = next(iter(game.cards)).back()
    assert back is not None
    pixels = Image.open(BytesIO(back.png(dpi=60))).convert("L")
    difference = ImageChops.difference(pixels, pixels.rotate(180)).point(lambda n: n > 60 and 255)
    assert ImageStat.Stat(difference).mean[0] < 2


def test_templates_are_short_and_known_to_the_command(run: Run) -> None:
    lengths = {path.name: path.read_text("utf-8").count("\n") for path in FOLDER.glob("*.xml")}
    assert max(lengths.values()) <= 60
    assert {*lengths} > {f"{face}{end}.xml" for face in FACES for end in ("", "-back")}
    option = next(option for option in new.params if option.name == "face")
    assert isinstance(option.type, click.Choice)
    assert [*option.type.choices] == [*FACES]
    wrong = run(
        "new", "game", "--from", str(ROOT / "docs" / "faces" / "euro.csv"), "--face", "spel"
    )
    assert wrong.exit_code == 2
    assert "spell" in wrong.stderr


def test_the_faces_are_in_the_wheel() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert settings["targets"]["wheel"]["packages"] == ["src/deckwright"]
    assert not {"exclude", "only-include"} & {*settings, *settings["targets"]["wheel"]}
    ignored = ["git", "check-ignore", *map(str, FOLDER.iterdir())]  # such files are not packed
    assert subprocess.run(ignored, cwd=ROOT, check=False).returncode != 0


def test_the_option_takes_another_face(run: Run, tmp_path: Path) -> None:
    table = write(tmp_path, "Name,Attack,Health", "Ape,1,2", "Bee,2,3")
    said = run("new", str(tmp_path / "game"), "--from", str(table), "--face", "euro").stdout
    assert "face: euro, as you say\n" in said
    assert {path.name for path in (tmp_path / "game/templates").iterdir()} == {
        "card.xml", "back.xml", "euro.xml", "euro-back.xml", "euro-good.xml",
        "euro-stall.xml",
    }  # fmt: skip


def test_texts_that_do_not_fit_are_on_the_plain_face(run: Run, tmp_path: Path) -> None:
    table = write(tmp_path, "Name,Cost,Rules", f"Ape,1,{TEXT * 40}", f"Bee,2,{TEXT}")
    said = run("new", str(tmp_path / "game"), "--from", str(table)).stdout
    assert "face: plain, since the texts do not fit the face spell\n" in said
    assert {path.name for path in (tmp_path / "game/templates").iterdir()} == {
        "card.xml", "back.xml", "plain.xml", "plain-back.xml",
    }  # fmt: skip
    assert open_game(tmp_path / "game").check() == ()


def printed(folder: Path, *rows: str, face: str | None = None) -> str:
    """Return the text on the pages of a game that begins with a table."""
    start_from_table(folder / "game", write(folder, *rows), "Game", face=face)
    open_game(folder / "game").decks[0].print(folder / "deck.pdf", footer=False)
    return " ".join(page_texts(folder / "deck.pdf"))


@pytest.mark.parametrize(
    ("rank", "corner"),
    [("Ass", "A"), ("Dame", "D"), ("10", "10"), ("zehn", "10"), ("Joker", "J"), ("14", "14")],
)
def test_a_rank_is_short_in_the_corners(tmp_path: Path, rank: str, corner: str) -> None:
    rows = ["Farbe;Wert", f"Herz;{rank}", "Pik;König"]
    assert printed(tmp_path, *rows).split().count(corner) >= 2


@pytest.mark.parametrize(
    ("rows", "answers"),
    [
        (["Question,A,B,Answer", "Why?,ox,elk,ox", "Who?,I,you,you"], "A ox B elk"),
        (["Question,Correct,Wrong 1,Wrong 2", "Why?,ox,elk,bee"], "A bee B elk C ox"),
        (["Question,Correct,Incorrect", 'Why?,ox,"elk, bee"'], "A bee B elk C ox"),
        (["Question,Correct,Incorrect", 'Why?,7,"8, 4"', 'Who?,6,"2, 1"'], "A 4 B 7 C 8"),
        (["Question,Options,Answer", 'Why?,"ox, elk",ox'], "A ox B elk"),
    ],
)
def test_answers_have_letters_in_an_order_that_does_not_tell(
    tmp_path: Path, rows: list[str], answers: str
) -> None:
    assert answers in printed(tmp_path, *rows)


def test_behind_the_letter_of_the_answer_is_what_it_says(tmp_path: Path) -> None:
    text = printed(tmp_path, "Question,A,B,Answer", "Why?,ox,elk,B", "Who?,I,you,A")
    assert "B · elk" in text


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["Name,Suit,Rank", "Old Duke,Hearts,King", "New Duke,Spades,Jack"], ["Old Duke", "K"]),
        (["Name", "Ace of Spades", "7 of Hearts"], ["A"]),
    ],
)
def test_names_are_printed_unless_they_are_suit_and_rank(
    tmp_path: Path, rows: list[str], words: list[str]
) -> None:
    start_from_table(tmp_path / "game", write(tmp_path, *rows), "Game")
    face = next(iter(open_game(tmp_path / "game").cards)).face()
    assert face is not None
    assert {*texts(face.ops)} == {*words}


def test_a_number_that_a_card_lacks_has_no_badge(tmp_path: Path) -> None:
    text = printed(tmp_path, "Name,Attack,Health", "Ape,1,2", "Bee,3,")
    assert text.count("Attack") > text.count("Health") == 2  # one is in the list
    text = printed(tmp_path, "Name,Attack,Health", "Ape,1,2", "Flood,0,0", face="hero")
    assert text.endswith("Flood")  # an event


def theme(face: str, *kinds: str) -> list[list[str]]:
    """Return the signs and the colors of cards of some kinds."""
    column = Guess("Type", [*kinds], 0, has_title=True)
    column.name = "type"
    bound = bind_theme(FACES[face], [column], "''")
    maps = (literal_eval(bound[name].partition("[")[0]) for name in ("sign", "hue"))
    return [[each[kind.casefold()] for kind in kinds] for each in maps]


@pytest.mark.parametrize(
    ("face", "kinds", "signs"),
    [
        ("hero", ["River folk", "Town folk", "Building"], ["water", "person", "house"]),
        ("hero", ["Krieger", "Untote", "Gebäude"], ["fighter", "dead", "house"]),
        ("spell", ["Fire", "Fire · Storm", "Feuerzauber"], ["fire", "storm", "fire"]),
        ("spell", ["火", "水"], ["fire", "water"]),
        ("euro", ["Smoked Herring in Barrels", "Schießpulverfässer"], ["fish", "barrel"]),
    ],
)
def test_words_choose_what_is_drawn(face: str, kinds: list[str], signs: list[str]) -> None:
    assert theme(face, *kinds)[0] == signs


@pytest.mark.parametrize("face", ["hero", "spell", "euro"])
def test_unknown_kinds_differ_in_sign_and_color(face: str) -> None:
    signs, hues = theme(face, "Blip", "Blop", "Blup")
    assert {*signs} < {*SIGNS[face]}
    assert len({*signs}) == len({*hues}) == 3


@pytest.mark.parametrize("face", SIGNS)
def test_every_sign_is_drawn(face: str) -> None:
    drawn = "".join(FACES[face].templates().values())
    assert [sign for sign in SIGNS[face] if f"mark == '{sign}'" not in drawn] == []


def test_questions_have_the_color_of_their_category_and_answers_their_places(
    tmp_path: Path,
) -> None:
    rows = ["Question,Topic,A,B,C", "Why?,Art,ox,elk,bee", "Who?,War,I,you,"]
    start_from_table(tmp_path / "game", write(tmp_path, *rows), "Game")
    faces = [card.face() for card in open_game(tmp_path / "game").cards]
    first, second = (Image.open(BytesIO(face.png(dpi=60))).convert("L") for face in faces if face)
    assert first.getpixel((2, 2)) != second.getpixel((2, 2))
    marks = (
        side.crop((12, 80, 29, 150)).point(lambda n: n < 200 and 255) for side in (first, second)
    )
    tops = [box and box[1] for box in (mark.getbbox() for mark in marks)]  # of the letter A
    assert tops[0] is not None
    assert tops[0] == tops[1]


def test_the_colors_of_factions_come_before_those_of_kinds(tmp_path: Path) -> None:
    rows = ["Name,Element,Type,Cost,Text", f"A,Water,Ice,1,{TEXT}", f"B,Fire,Storm,2,{TEXT}"]
    start_from_table(tmp_path / "game", write(tmp_path, *rows), "Game")
    card = (tmp_path / "game/templates/card.xml").read_text(encoding="utf-8")
    assert "hue=card.faction.color" in card
    assert "'water': 'water'" in card


def test_lists_have_the_color_of_the_face(tmp_path: Path) -> None:
    start_from_table(tmp_path / "game", write(tmp_path, "Question,Answer", "Why?,So."), "Game")
    factions = open_game(tmp_path / "game").model.factions.values()
    assert [faction.color for faction in factions] == [FACES["quiz"].hue]
