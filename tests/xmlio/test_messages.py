"""What messages about XML propose."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit

CARD = 'strength="2" actions="0" costs="2"'


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('strength="2 actions="0" costs="2"', 'write `strength="2"`'),
        ("strength='2 actions='0' costs=\"2\"", "write `strength='2'`"),
        ('strength="2"actions="0" costs="2"', "there is no space before `actions`"),
        ('strength="a "2" b" actions="0" costs="2"', "inside it, write `&quot;`"),
        (f"{CARD}><row/></crad><x", "`card` of line 4 ends as `</crad>`; give both the same name"),
        (f"{CARD}></data><x", "is closed; write `</card>` where it ends"),
        (f"{CARD}/><!-- a -- b --><x", "a comment cannot contain `--`; write `-`"),
    ],
)
def test_a_value_without_its_closing_quote_is_named(
    small: Path, run: Run, broken: str, message: str
) -> None:
    edit(small / "xml" / "Factions" / "RW_cards.xml", CARD, broken)
    assert message in run("check").stderr


def test_text_of_a_chapter_belongs_in_a_paragraph(small: Path, run: Run) -> None:
    book = '<rulebook title="A"><chapter title="A">Draw a <b>card</b>.</chapter></rulebook>'
    (small / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    assert run("check").stderr.count("hint: put it in a paragraph, `<p>…</p>`") == 2


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        ("2.5", 'let `strength` be a decimal: `type="decimal"` in game.xml line 39'),
        ("-1", 'allow it: `min="-1"` in game.xml line 39'),
    ],
)
def test_a_number_may_be_allowed_in_the_game(small: Path, run: Run, number: str, hint: str) -> None:
    wrong = CARD.replace('strength="2"', f'strength="{number}"')
    edit(small / "xml" / "Factions" / "RW_cards.xml", CARD, wrong)
    assert f"hint: correct it, or {hint}" in run("check").stderr


@pytest.mark.usefixtures("small")
def test_a_caption_of_a_template_without_room_is_one_finding(run: Run) -> None:
    caption = '<text width="5" height="3">Strength: {{ fields.strength.name }}</text></face>'
    edit(Path("templates/card.xml"), "</face>", caption)
    result = run("check")
    assert "templates/card.xml:" in result.stderr
    assert "hint: shorten it in the template" in result.stderr
    assert result.stderr.endswith("1 error\n")


@pytest.mark.usefixtures("small")
def test_an_unknown_sheet_format_names_those_for_the_cards(run: Run) -> None:
    assert "use one of `a3-65x90`, " in run("deck", "river", "--sheet", "nothing").stderr


def test_a_game_in_a_folder_with_files_is_refused_with_an_example(tmp_path: Path, run: Run) -> None:
    table = tmp_path / "market.csv"
    table.write_text("Title,Cost\nFoo,2\n", encoding="utf-8")
    result = run("new", str(tmp_path), "--from", str(table))
    assert f"name a new one: `deckwright new market --from {table}`" in result.stderr


def test_tables_are_looked_for_and_their_titles_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "Title,Qty,Cost\nFoo,1,2\nBar,1,3\n"
    Path("market.csv").write_text(rows, encoding="utf-8")
    run("new", "game", "--from", "market.csv")
    monkeypatch.chdir("game")
    table, setup = Path("xml/Factions/market.csv"), Path("xml/game.xml")
    assert "in a table already: change them in " in run("export", "csv").stdout
    assert "there is no deck `markt`\n  hint: did you mean `market`?" in run("deck", "markt").stderr
    table.write_text(f"My game,,\n{rows}", encoding="utf-8")
    found = run("check").stderr
    assert found.count("hint: the titles seem to be in row 2: delete what is above") == 2
    edit(setup, "market.csv", "markets.csv")
    found = run("check").stderr
    assert "xml/game.xml:" in found
    assert "there is no table `markets.csv` in Factions\n" in found
    assert "hint: did you mean `market.csv`?" in found


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("hand river --seed abc", "`abc` is no whole number"),
        ("check xml/Factions/RWW_cards.xml", "did you mean `RW_cards.xml`?"),
        ("import csv xml", "`xml` is a folder; name files, such as `xml/*`"),
        (
            "import csv xml/gmae.xml",
            "there is no file `xml/gmae.xml`\n  hint: did you mean `xml/game.xml`?",
        ),
        ("check --game temp", "there is no folder `temp`\n  hint: did you mean `templates`?"),
        ("new x --like strater", "there is no example `strater`\n  hint: did you mean `starter`?"),
        ("icons swrod", "there is no icon for `swrod`; did you mean `sword`?"),
    ],
)
@pytest.mark.usefixtures("small")
def test_a_mistake_in_a_command_line_is_named_with_what_is_near(
    run: Run, command: str, message: str
) -> None:
    assert message in run(*command.split()).stderr


def test_a_drawing_of_a_card_that_cannot_be_read_is_no_second_error(small: Path, run: Run) -> None:
    face = "<face><text width='9' height='9'>{{ cards['RW1'].name }}</text></face>"
    (small / "templates" / "row.xml").write_text(face, encoding="utf-8")
    book = '<rulebook title="A"><chapter title="A"><figure><drawing template="row.xml" width="9" '
    book += 'height="9"/></figure></chapter></rulebook>'
    (small / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    edit(small / "xml" / "Factions" / "RW_cards.xml", CARD, f'{CARD}"')
    assert run("check").stderr.endswith("1 error\n")
    edit(small / "templates" / "row.xml", "RW1", "RW111")
    edit(small / "xml" / "Factions" / "RW_cards.xml", f'{CARD}"', CARD)
    assert "there is no card `RW111`" in run("check").stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "hint"),
    [
        ("xml/game.xml", 'family="Source Sans Pro"', 'family="Arial"', "copy a font of your own"),
        ("templates/card.xml", "</face>", '<rect color="red"/></face>', "did you mean `fill`?"),
        ("templates/card.xml", "</face>", '<icon name="swan-lak" width="9"/></face>',
         "did you mean the picture `birds/swan-lake.svg`?"),
        ("xml/Factions/RW_cards.xml", 'level="1" strength="2" actions="0" costs="2"',
         'level="Perl" strength="2" actions="0" costs="2"', "write `3`"),
        ("xml/rulebook.xml", "</p>", "<strong>A</strong></p>", "did you mean `b`?"),
        ("xml/game.xml", 'name="Card" width="65" height="90"', 'name="Card" width="63" height="88"',
         "use `a4-tcg`, `a4-tcg-bleed`, "),
    ],
)  # fmt: skip
def test_what_is_called_otherwise_elsewhere_is_known(
    small: Path, run: Run, file: str, old: str, new: str, hint: str
) -> None:
    book = '<rulebook title="A"><chapter title="A"><p>A</p></chapter></rulebook>'
    (small / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    (small / "img" / "birds").mkdir(parents=True)
    (small / "img" / "birds" / "swan-lake.svg").write_text("<svg/>", encoding="utf-8")
    edit(small / file, old, new)
    assert hint in run("check").stderr


def test_a_font_of_a_language_falls_back_on_a_known_font(small: Path, run: Run) -> None:
    font = '<font id="text" family="Source Sans Pro" fallback="titel"/>'
    fonts = f'<language id="de">{font}</language>'
    edit(small / "xml" / "game.xml", '  <group id="neutral"', f'{fonts}<group id="neutral"')
    assert "falls back on `titel`" in (said := run("check").stderr)
    assert "did you mean `title`?" in said


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("xml/Factions/RW_cards.xml", 'cardclass="Scout"', 'cardclass="{icon:swrod} A"'),
        ("xml/rules.xml", 'effect="', 'effect="{icon:swrod} '),
    ],
)
def test_an_unknown_icon_in_a_text_is_named_at_the_text(
    small: Path, run: Run, file: str, old: str, new: str
) -> None:
    path = small / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    first = run("check").stderr.splitlines()
    assert any(line.startswith(f"{file}:") and "no icon `swrod`" in line for line in first)


def test_a_fault_of_the_face_is_not_told_again_for_the_box(small: Path, run: Run) -> None:
    edit(small / "templates" / "card.xml", "</face>", "<text>{{ card.nmae }}</text></face>")
    assert "for the tuck box" not in run("check").stderr
