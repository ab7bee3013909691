"""A spreadsheet that somebody has becomes a game that prints."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import openpyxl
import pytest

from conftest import Run
from deckwright import open_game
from deckwright.tables.guessing import guess_table
from support import page_texts

ROWS: list[list[object]] = [
    ["Title", "Qty", "Cost", "Type", "Weight", "2nd name", "Rare?", "Art", "Rules text", "Notes"],
    ["Baker", 3, 1, "Guest", 0.5, "x", "yes", "a.png", "When you play the *Baker*, draw.", "hm"],
    ["Old Oven", 2, -3, "", 2, "y", "no", "b.png", "The oven & the <fire> never move.", ""],
]


def test_a_workbook_becomes_a_game_without_mistakes(run: Run, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("Cards")
    for row in ROWS:
        book["Cards"].append(row)
    book.save(tmp_path / "my cards.xlsx")
    folder = tmp_path / "bakery"
    result = run("new", str(folder), "--from", str(tmp_path / "my cards.xlsx"), "--name", "B & C")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Title: name\nQty: amount\nCost: cost, an integer\n" in result.stdout
    opened = open_game(folder)
    assert [f.code.id for f in opened.check()] == ["R005", "R005"]
    assert opened.name == "B & C"
    card = opened.card("old-oven")
    assert card.fields == {
        "cost": -3,
        "type": None,
        "weight": 2,
        "f_2nd_name": "y",
        "rare": False,
        "art": "b.png",
        "art-focus": None,
        "art-zoom": None,
        "rules_text": "The oven & the <fire> never move.",
    }
    assert [deck.name for deck in opened.decks] == ["my cards"]
    assert run("fmt", "--check", "--game", str(folder)).exit_code == 0
    assert "started with the cards in my cards.xlsx" in (folder / "README.md").read_text("utf-8")


def test_an_export_in_json_becomes_a_game(run: Run, tmp_path: Path) -> None:
    cards = [
        {"uuid": f"u{n}", "stats": {"attack": n, "half": n / 2}, "name": name, "tags": ["a", "b"],
         "gone": None, "skills": [{"text": "Bite."}]}
        for n, name in enumerate(("Ape", "Bee"))
    ]  # fmt: skip
    path = tmp_path / "db.json"
    path.write_text(json.dumps({"data": {"cards": cards}, "sets": [{"a": 1}]}), encoding="utf-8")
    folder = tmp_path / "db"
    result = run("new", str(folder), "--from", str(path), "--tab", "data.cards")
    assert (result.exit_code, result.stderr) == (0, "")
    opened = open_game(folder)
    assert opened.check() == ()
    bee = opened.card("u1")
    assert bee.name == "Bee"
    assert bee.fields["attack"] == 1
    assert "gone" not in bee.fields


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "", "there is no table with a row of titles and rows of cards"),
        ("a.csv", "name,cost\n", "there is no table with a row of titles and rows of cards"),
        ("a.csv", "x,y\n1,2\n", "no column has the names of cards"),
        ("a.json", "{}", "no list of objects"),
        ("a.xlsx", "x", "not a workbook"),
        ("a.doc", "x", "is no table"),
    ],
)
def test_what_is_no_table_of_cards_makes_no_game(
    run: Run, tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = run("new", str(tmp_path / "game"), "--from", str(tmp_path / name))
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert not (tmp_path / "game").exists()


TEXT = "Elusive.\vReap: gain 1."
"""As word processors and exports of databases break lines."""
KEEPER = {"card_title": "Keeper", "card_number": 201, "card_text": TEXT, "amber": 0}


@pytest.mark.parametrize("kind", ["json", "csv", "xlsx"])
def test_columns_of_cards_are_known_and_breaks_are_lines(
    run: Run, tmp_path: Path, kind: str
) -> None:
    cards = [KEEPER, {**KEEPER, "card_title": "Faerie", "card_number": 350, "amber": 1}]
    path = tmp_path / f"cards.{kind}"
    if kind == "json":
        path.write_text(json.dumps(cards), encoding="utf-8")
    elif kind == "csv":
        rows = [KEEPER, *(each.values() for each in cards)]
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
    else:
        book = openpyxl.Workbook()
        sheet = book.create_sheet("Cards", 0)
        sheet.append([*KEEPER])
        for each in cards:
            # openpyxl takes no such characters: it is written as OOXML has it.
            sheet.append([str(v).replace("\v", "_x000B_") for v in each.values()])
        book.save(path)
    result = run("new", str(tmp_path / "game"), "--from", str(path))
    assert result.exit_code == 0, result.stderr
    assert "card_title: name\n" in result.output
    assert "card_number: id\n" in result.output
    game = open_game(tmp_path / "game")
    assert game.check() == ()
    first = next(iter(game.model.cards.values()))
    assert (first.name, first.id, first.fields["amber"]) == ("Keeper", "201", 0)
    assert first.fields["card_text"] == "Elusive.\nReap: gain 1."


def test_numbers_are_no_names(run: Run, tmp_path: Path) -> None:
    cards = [{"amber": n, "called": f"Card {n}", "power": n} for n in (1, 2)]
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(cards), encoding="utf-8")
    assert "called: name\n" in run("new", str(tmp_path / "game"), "--from", str(path)).output


def test_a_game_without_a_file_of_factions_is_told_how_to_have_them(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps([{**KEEPER, "house": h} for h in ("Dis", "Logos")]), "utf-8")
    game = tmp_path / "game"
    assert run("new", str(game), "--from", str(path)).exit_code == 0
    definition = game / "xml" / "factions_definition.xml"
    written = definition.read_text("utf-8")
    definition.unlink()
    told = run("check", "-g", str(game)).stderr
    assert "list them in xml/factions_definition.xml" in told
    assert '<faction id="Dis" race_name="…" faction_name="…" color="#335577"/>' in told
    definition.write_text(written, encoding="utf-8")


def begin(run: Run, folder: Path, text: str | bytes, *more: str, name: str = "t.csv") -> str:
    """Start a game from a table; return what was said. It has no errors."""
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run("new", str(folder / "game"), "--from", str(folder / name), *more)
    assert (result.exit_code, result.stderr) == (0, "")
    found = open_game(folder / "game").check()
    assert [str(f) for f in found if f.severity.value == "error"] == []
    return result.stdout


def test_a_column_of_factions_makes_them(run: Run, tmp_path: Path) -> None:
    rows = "Title,Qty,Faction\nFoo,1,Red\nBar,2,Blue Sea\nBaz,1,red\nQux,1,\n"
    said = begin(run, tmp_path, rows)
    assert "Faction: faction_id, Red, Blue Sea, Game\n" in said
    model = open_game(tmp_path / "game").model
    assert [(f.id, f.name) for f in model.factions.values()] == [
        ("red", "Red"), ("blue-sea", "Blue Sea"), ("NONE", "Game"),
    ]  # fmt: skip
    assert [card.faction_id for card in model.cards.values()] == ["red", "blue-sea", "red", "NONE"]
    assert model.factions["red"].color == "#9b2f2a"


@pytest.mark.parametrize(
    ("text", "name", "amount", "language"),
    [
        ("Nom;Coût;Quantité;Texte\nChat;2;3;Piochez une carte.\nOr;1,5;1;Rien dans la main.\n",
         "Nom", "Quantité", "fr"),
        ("Nr.,Nazwa,Ilość w talii,Koszt\n1,Lis,2,3\n2,Żubr,1,12\n3,Ryś,4,100\n",
         "Nazwa", "Ilość w talii", "pl"),
        ("Название,Количество,Стоимость\nКот,2,3\nПёс,1,4\n", "Название", "Количество", "ru"),  # noqa: RUF001
        ("名前,枚数,コスト\nねこ,2,3\nいぬ,1,4\n", "名前", "枚数", "ja"),
        ("Nombre,Cantidad,Coste\nGato,2,3\nPerro,1,4\n", "Nombre", "Cantidad", "es"),
        ("Název,Počet,Cena\nKočka,2,3\nPes,1,4\n", "Název", "Počet", "cs"),
    ],
)  # fmt: skip
def test_titles_are_known_in_many_languages(
    tmp_path: Path, text: str, name: str, amount: str, language: str
) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    guess = guess_table(tmp_path / "t.csv", None, None, None)
    called = {column.role: column.title for column in guess.columns}
    assert (called["name"], called["amount"], guess.language) == (name, amount, language)


def test_numbers_of_cards_in_their_suits_are_no_copies(tmp_path: Path) -> None:
    rows = [f"C{n},{n % 14},{n // 14}x" for n in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["Name,Number,Suit", *rows]), encoding="utf-8")
    guess = guess_table(tmp_path / "t.csv", None, None, None)
    assert guess.column_of("amount") is None


def test_a_cost_is_no_count_and_a_suit_is_no_name(run: Run, tmp_path: Path) -> None:
    rows = "Carte,Valeur,Cout\nCoeur,Roi,40\nCoeur,Dame,35\nPique,Roi bis,40\nPique,As,50\n"
    said = begin(run, tmp_path, rows)
    assert "Cout: cout, an integer\n" in said
    assert "each card is printed once" in said


def test_rows_above_the_titles_are_found(run: Run, tmp_path: Path) -> None:
    rows = "Gra: Leśne Stwory,,\n,,\nNr,Nazwa,Opis\n1,Lis,Skacze po lesie.\n2,Żubr,Stoi i je.\n"
    said = begin(run, tmp_path, rows)
    assert "The titles are in row 3" in said
    assert {card.name for card in open_game(tmp_path / "game").cards} == {"Lis", "Żubr"}
    assert 'titles="3"' in (tmp_path / "game/xml/game.xml").read_text("utf-8")


def test_a_table_without_titles_loses_no_card(run: Run, tmp_path: Path) -> None:
    said = begin(run, tmp_path, "1;Volcanic;Weapon;2\n2;Bang;Effect;25\n3;Mustang;Weapon;1\n"
                                "4;Beer;Effect;6\n")  # fmt: skip
    assert "B: name\n" in said
    assert "D: amount\n" in said
    assert "4 cards, 34 copies" in said
    assert len(open_game(tmp_path / "game").cards) == 4


def test_the_row_of_the_titles_can_be_said(run: Run, tmp_path: Path) -> None:
    said = begin(run, tmp_path, "Name,Qty\nx,y\nCalled,Cost\nApe,3\nBee,4\n", "--titles", "3")
    assert "Called: name\n" in said
    assert "2 cards" in said


def test_headings_with_points_and_signs_are_whole(run: Run, tmp_path: Path) -> None:
    said = begin(run, tmp_path, "Name,Min. Players,Siła / Wytrz.,💰\nApe,3,1/2,4\nBee,2,2/2,5\n")
    assert "Min. Players: min_players, an integer\n" in said
    setup = open_game(tmp_path / "game").model.setup
    assert [field.text for field in setup.kinds["card"].fields] == [
        "Min. Players", "Siła / Wytrz.", "💰",
    ]  # fmt: skip


def test_what_nobody_reads_is_left_out_and_said(run: Run, tmp_path: Path) -> None:
    uuid = "123e4567-e89b-12d3-a456-4266141740{:02}"
    lines = [
        f"C{n},{uuid.format(n)},https://x.org/{n},2024-01-0{n},Ann,1,#a{n}857{n}"
        for n in range(1, 6)
    ]
    titles = "Name,octgn,web,when,Illustrator,Series,Wings"
    said = begin(run, tmp_path, "\n".join([titles, *lines]))
    for line in ("octgn: left out, each is a code", "web: left out, each is an address",
                 "when: left out, each is a date", "Wings: left out, each is a color",
                 "Illustrator: left out, nobody needs it",
                 "Series: series, an integer, not on the card"):  # fmt: skip
        assert line in said


def texts_of(folder: Path) -> str:
    """Return the text on the pages of a game's first deck."""
    open_game(folder).decks[0].print(folder / "deck.pdf")
    return " ".join(page_texts(folder / "deck.pdf"))


def test_the_numbers_that_matter_come_first_and_the_others_are_listed(
    run: Run, tmp_path: Path
) -> None:
    titles = ["Name", *(f"speed_n{n}" for n in range(6)), "P/T", "Cost", "Mood", "Tail", "Home"]
    titles += ["Food", "Eye's"]
    rows = [[f"Card {n}", *(str(n + m) for m in range(6)), f"{n}/4", "9", "glad", "long", "a hut",
             "corn", "blue"] for n in range(2)]  # fmt: skip
    said = begin(run, tmp_path, "\n".join(map(",".join, [titles, *rows])))
    assert "not on the card" not in said
    assert "speed n4 4 · speed n5 5 · P/T 0/4 · Eye s: blue" in texts_of(tmp_path / "game")


def test_what_repeats_another_column_is_left_out(run: Run, tmp_path: Path) -> None:
    titles = ["Name", "Type", "Called", "Type", "artAsset", "Info", "Type"]
    rows = [["Ape", "Mammal", "ape", "mammal", "card_ape", '{"id": 1, "n": []}', "Big"],
            ["Bee", "Insect", "BEE", "insect", "card_bee", "", "Small"]]  # fmt: skip
    with (tmp_path / "rows.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([titles, *rows])
    said = begin(run, tmp_path, (tmp_path / "rows.csv").read_text("utf-8"))
    for line in ("Called: left out, it repeats `Name`", "D: left out, it repeats `Type`",
                 "artAsset: left out, it names pictures", "Info: left out, each is JSON",
                 "G: g, a text"):  # fmt: skip
        assert f"{line}\n" in said


def test_drawings_that_are_not_there_yet_are_warnings(run: Run, tmp_path: Path) -> None:
    begin(run, tmp_path, "Name,Side,Picture\nApe,Red,ape.svg\nBee,Red,bee.svg\nCow,Blue,cow.svg\n")
    assert {f.code.id for f in open_game(tmp_path / "game").check()} == {"R005"}


def test_the_amount_of_a_cost_is_no_amount(run: Run, tmp_path: Path) -> None:
    said = begin(run, tmp_path, "Nome,Quantità costo,ID Carta\nGatto,2,a\nCane,3,b\n")
    assert "Quantità costo: quantita_costo, an integer\n" in said
    assert "ID Carta: id\n" in said
    assert "2 cards, 2 copies" in said


def test_texts_of_the_same_kind_have_captions(run: Run, tmp_path: Path) -> None:
    begin(run, tmp_path, "Name,Good effect,Bad effect\nApe,+1 nut,-1 nap\nBee,+1 bud,\n")
    assert "Good effect: +1 nut Bad effect: -1 nap" in texts_of(tmp_path / "game")


def test_without_titles_all_texts_stay_and_chapters_are_no_amounts(
    run: Run, tmp_path: Path
) -> None:
    rows = [(name, age, f"Draw {age} cards, then put one aside.") for age in range(1, 6) for name in
            (f"Ox {age}", f"Elk {age}")]  # fmt: skip
    more = ["You may sleep until the next round." if n == 0 else "" for n in range(len(rows))]
    lines = [
        f'{name};{age};"{text}";"{last}"'
        for (name, age, text), last in zip(rows, more, strict=True)
    ]
    said = begin(run, tmp_path, "\n".join(lines))
    assert "10 cards, 10 copies" in said
    assert "D: d, a text\n" in said
    assert "aside. You may sleep" in texts_of(tmp_path / "game")


def test_texts_without_names_are_cards_and_numbers_are_not(run: Run, tmp_path: Path) -> None:
    texts = ("All pay two coins to the bank, and then they laugh.",
             "Whoever has a stall takes three coins from the bank.",
             "Nothing happens, but the dog barks all night long.",
             "Somebody finds a purse in the snow and keeps it.")  # fmt: skip
    said = begin(run, tmp_path, "Kind,Text\n#EASY,\n" + "".join(f'{n},"{text}"\n' for n, text in
                 enumerate(texts)))  # fmt: skip
    assert "Text: name\n" in said
    assert "1 row has no name" in said
    assert "4 cards" in said


def test_long_texts_and_captions_fit(run: Run, tmp_path: Path) -> None:
    text = "Draw a card and discard another one from your hand. " * 120
    titles = "Name,minimum_deck_size,influence_limit_of_all,base_link_of_the_rig,text,more"
    said = begin(run, tmp_path, f"{titles}\nApe,1,2,3,{text},{text}\nBee,2,3,4,No.,Yes or not.\n")
    assert "The cards are 70 x 120 mm, so that the texts fit." in said
    assert "Texts are cut after 700 characters" in said


def test_rows_without_a_name_and_bad_cells_are_said(run: Run, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["B1"], sheet["C1"], sheet["D1"] = "Name", "Cost", "Check", "Text"
    for row in range(2, 8):
        sheet[f"A{row}"], sheet[f"B{row}"] = f"Card {row}", row
        sheet[f"C{row}"], sheet[f"D{row}"] = "#REF!", f"Text {row}"
        sheet[f"C{row}"].data_type = "e"
    sheet["D5"], sheet["D5"].data_type = "#REF!", "e"
    for row in range(8, 90):
        sheet[f"B{row}"] = 0
    book.save(tmp_path / "t.xlsx")
    said = begin(run, tmp_path, (tmp_path / "t.xlsx").read_bytes(), name="t.xlsx")
    assert "82 rows have no name, so no card is made of them." in said
    assert "Check: left out, its cells have errors or dates" in said
    findings = [f.message for f in open_game(tmp_path / "game").check()]
    assert "its formula gave `#REF!`, so it counts as empty" in findings
    assert any("82 rows have no name" in message for message in findings)


def test_tabs_of_the_same_kind_are_read_together_and_others_named(run: Run, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for tab, names in (("Fire", "AB"), ("Water", "CD")):
        sheet = book.create_sheet(tab)
        for row in (["Name", "Cost"], *([n, 1] for n in names), ["Name", "Cost"]):
            sheet.append(row)
    book.create_sheet("To do").append(["buy", "paper"])
    book.save(tmp_path / "t.xlsx")
    said = begin(run, tmp_path, (tmp_path / "t.xlsx").read_bytes(), name="t.xlsx")
    assert "The tabs `Fire`, `Water` have the same titles and are all read." in said
    assert "Not read: the tabs `To do`" in said
    assert len(open_game(tmp_path / "game").cards) == 4
    assert open_game(tmp_path / "game").decks[0].stats().cards == 4


def test_objects_by_their_keys_are_a_list(run: Run, tmp_path: Path) -> None:
    cards = {f"c{n}": {"name": f"Card {n}", "cost": n} for n in range(4)}
    begin(run, tmp_path, json.dumps({"version": "1", "cards": cards}), name="t.json")
    card = open_game(tmp_path / "game").card("c3")
    assert (card.name, card.fields["cost"]) == ("Card 3", 3)


def test_a_semicolon_file_in_windows_1252_is_read_and_said(run: Run, tmp_path: Path) -> None:
    text = "Titel;Gewicht;Text\nBär;2,75;Der Bär, der ist groß.\nReh;1,5;Ein Reh und kein Bär.\n"
    said = begin(run, tmp_path, text.encode("cp1252"))
    assert "t.csv is in Windows-1252, not in UTF-8." in said
    assert "language: de" in said
    assert open_game(tmp_path / "game").card("baer").fields["gewicht"] == 2.75


def test_other_scripts_and_emoji_find_a_font(run: Run, tmp_path: Path) -> None:
    begin(run, tmp_path, "Имя,Ω,💰\nКот,1,2\nΓάτα,2,3\n")  # noqa: RUF001
    setup = open_game(tmp_path / "game").model.setup
    assert setup.fonts["text"].fallback == ("noto-sans", "noto-emoji")


def test_texts_in_html_are_known(run: Run, tmp_path: Path) -> None:
    text = "<b>Revelation:</b> Take 1 damage, and a card.<br>Then go."
    begin(run, tmp_path, json.dumps([{"name": n, "text": text} for n in "AB"]), name="t.json")
    opened = open_game(tmp_path / "game")
    assert opened.card("a").fields["text"] == (
        "**Revelation:** Take 1 damage, and a card.\nThen go."
    )
    assert opened.check() == ()


def test_a_word_among_numbers_of_copies_is_an_error_in_its_cell(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"Card {n},{n}\n" for n in range(1, 8))
    path = tmp_path / "game.csv"
    path.write_text(f"Name,How many\n{rows}Hook,one\n", encoding="utf-8")
    result = run("new", str(tmp_path / "game"), "--from", str(path))
    assert "How many: amount\n" in result.output
    assert "8 cards, 28 copies" in result.output
    assert "game.csv:9:6: error S004" in result.stderr
    path.write_text(f"Name,How many\n{rows}" + "Hook,one\n" * 3, encoding="utf-8")
    assert "How many: how_many, a text\n" in run(
        "new", str(tmp_path / "many"), "--from", str(path)).output  # fmt: skip


def test_short_flavor_is_in_italics_after_the_rules(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.csv"
    path.write_text("Name,Flavour,Rules\nA,Sad.,Go.\nB,Glad.,Stay.\n", encoding="utf-8")
    assert run("new", str(tmp_path / "game"), "--from", str(path)).exit_code == 0
    face = (tmp_path / "game/templates/card.xml").read_text(encoding="utf-8")
    assert face.index("card.rules, 'flavor': false") < face.index("card.flavour, 'flavor': true")
