"""Slips that designers make: each gives the finding that says how to mend it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import Run, edit

GAME, CARDS, DECK = "xml/game.xml", "xml/Factions/RW_cards.xml", "xml/Decks/river.xml"
FACE = "templates/card.xml"
SIZE = 'tag="card" name="Card" width="65" height="90"'
LIMIT = '<limit id="size"'
NAME = "{{ card.name }}</text>"
STRENGTH = 'strength="2" actions="0"'
RULE = '<rule id="rp002"/>'
SECOND = '<limit id="x" name="x" zone="main" max="9" where="{}"/><limit id="size"'
CENTIMETRES = "the card is 6.5 x 9 mm, too small to be meant; sizes are in mm\n"
CHAPTER = '<rulebook title="A"><chapter title="A">{}</chapter></rulebook>'

SLIPS = [
    (GAME, SIZE, SIZE.replace('"65"', '"65mm"'), "hint: write `65`\n"),
    (GAME, SIZE, SIZE.replace('"90"', '"9cm"'), "hint: write `90`\n"),
    (GAME, SIZE, SIZE.replace("65", "6.5").replace("90", "9"), CENTIMETRES),
    (GAME, SIZE, SIZE.replace("65", "6.5").replace("90", "9"), "hint: did you mean 65 x 90?\n"),
    (GAME, "</deck>", '</deck><limit id="x"/>', "hint: `limit` belongs in `deck`: move it there\n"),
    (GAME, LIMIT, SECOND.format("faction_id=rw"), "limit `x`: `faction_id` is never `rw`\n"),
    (GAME, LIMIT, SECOND.format("faction_id=rw"), "hint: did you mean `RW`?\n"),
    (GAME, LIMIT, SECOND.format("name='ferryman'"), "hint: did you mean `Ferryman`?\n"),
    (GAME, LIMIT, SECOND.format("cardclass=crew"), "hint: did you mean `Crew`?\n"),
    (GAME, LIMIT, SECOND.format("rows=CLOSED"), "hint: did you mean `CLOSE`?\n"),
    (GAME, 'family="Source Serif Pro"', 'regular="Mine.ttf"', "hint: did you mean `Mina.ttf`?\n"),
    (GAME, '"#1f6f78"', '"1f6f78"', "hint: write `#1f6f78`\n"),
    (GAME, "<deck>", '<table file="a.xls"/><deck>', "hint: save it as `a.xlsx`\n"),
    (
        GAME,
        "<deck>",
        '<table file="a.csv" kind="card"/><table file="a.csv" kind="card"/><deck>',
        "the table `a.csv` is read in line 67 already, so each card would count twice\n",
    ),
    (CARDS, RULE, "<rule>rp002</rule>", 'hint: write `<rule id="rp002"/>`\n'),
    (CARDS, STRENGTH, 'strength="-" actions="0"', "hint: remove `strength`, and make `strength`"),
    (CARDS, STRENGTH, 'strength="2,5" actions="0"', 'be a decimal: `type="decimal"`'),
    (CARDS, STRENGTH, "strength=“2” actions=“0”", 'X001: `“` is a typographic quote; write `"`\n'),
    (DECK, 'amount="2"', 'amount="3x"', "hint: write `3`\n"),
    (DECK, 'amount="2"', 'amount="x 3"', "hint: write `3`\n"),
    (DECK, 'id="RW2"', 'id="ferryman"', 'hint: `Ferryman` is the name of `RW2`: write `id="RW2"`'),
    (DECK, 'id="RW1"', 'id="Reed Scout"', "hint: write an id such as `Reed-Scout`, not the name\n"),
    (FACE, NAME, f"<b when=\"card.faction == 'RW'\">a</b>\n{NAME}", "never equal to `RW` (for"),
    (
        FACE,
        NAME,
        f"<b when=\"'1' != card.level\">a</b>{NAME}",
        "did you mean `card.level.id`",
    ),
    (FACE, NAME, "a **b** c</text>", "the text of `text` has `**b**`, whose stars are printed"),
    (FACE, NAME, "*{{ card.name }}*</text>", "T021: the text of `text` has `*…*`, whose stars"),
    (FACE, NAME, f"\n\n  {{{{ card.flavor }}}}{NAME}", "card.xml:10:11: error T006: there is no"),
    (FACE, NAME, f"{{{{ card.flavor }}}}{NAME}", 'add `<field name="flavor" type="text"/>` to the'),
    (FACE, NAME, "{{ name }}</text>", "hint: write `card.name`\n"),
    (FACE, NAME, "{icon: fish}</text>", "hint: write `{icon:fish}`\n"),
    (FACE, NAME, f'<b when="card.costs = 2">a</b>{NAME}', "hint: compare with `==`\n"),
    (FACE, NAME, f'<b when="1 &amp;&amp; 2">a</b>{NAME}', "hint: write `and` for `&&`\n"),
    (FACE, NAME, f'<b when="1 || 2">a</b>{NAME}', "hint: write `or` for `||`\n"),
    (FACE, NAME, f'<b when="!card.costs">a</b>{NAME}', "hint: write `not` for `!`\n"),
    (FACE, NAME, f'<if test="card.costs">a</if>{NAME}', 'hint: write `when="…"` on the element\n'),
    (FACE, NAME, f'<b if="card.costs">a</b>{NAME}', 'hint: write `when="…"` on the element\n'),
    (FACE, "</face>", "<for/></face>", 'hint: write `each="… in …"` on the element\n'),
    (FACE, "<circle", '<circle class="title"', "hint: write templates/styles.xml with `<styles>"),
    (FACE, 'name="candle"', 'name="sketch"', "hint: did you mean the picture `sketch.svg`?\n"),
]


@pytest.mark.corpus(4)
@pytest.mark.parametrize(("file", "right", "wrong", "message"), SLIPS)
def test_a_slip_is_explained(
    small: Path, run: Run, file: str, right: str, wrong: str, message: str
) -> None:
    (small / "templates" / "Mina.ttf").write_bytes(b"a")
    (small / "img" / "sketch.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', encoding="utf-8"
    )
    edit(small / file, right, wrong)
    assert message in run("check").stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<p>Draw **two** cards.</p>", "hint: write `<b>two</b>`\n"),
        ("<list><item>a</item><list><item>b</item></list></list>", "the `item` it belongs to\n"),
        (
            '<figure id="f" title="F"><card id="Ferryman"/></figure>',
            'hint: `Ferryman` is the name of `RW2`: write `id="RW2"`\n',
        ),
    ],
)
def test_a_slip_in_the_rulebook_is_explained(
    small: Path, run: Run, text: str, message: str
) -> None:
    (small / "xml" / "rulebook.xml").write_text(CHAPTER.format(text), encoding="utf-8")
    assert message in run("check").stderr


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "text", ["2 * 3 * 4", r"\*b\*", "a*b*c", "* a *", "{{ 2 * card.strength * 3 }}"]
)
def test_stars_that_are_no_markup_are_no_finding(run: Run, text: str) -> None:
    edit(Path(FACE), NAME, f"{NAME}<text width='60' y='60' height='5'>{text}</text>")
    assert "T021" not in run("check").stderr


def test_a_star_behind_a_vowel_sign_ends_a_word(small: Path, run: Run) -> None:
    edit(small / "xml/Factions/RW_cards.xml", 'name="Ferryman"', 'name="အခြား *ကတ်*ပေါ်"')
    assert "T021" not in run("check").stderr
    edit(small / "xml/Factions/RW_cards.xml", "*ကတ်*ပေါ်", "*ကတ်")
    assert "T021" in run("check").stderr


def test_files_in_the_wrong_folder_are_named(small: Path, run: Run) -> None:
    shutil.copy(small / DECK, small / "xml" / "gull.xml")
    shutil.move(small / CARDS, small / "xml" / "mice.xml")
    found = run("check").stderr
    assert "xml/gull.xml: warning S011: the file is not used\n" in found
    assert "hint: move it to `xml/Decks/gull.xml`\n" in found
    assert "hint: move it to `xml/Factions/RW_cards.xml`\n" in found
    shutil.copy(small / "xml" / "mice.xml", small / CARDS)
    assert "hint: move its contents to `xml/Factions/RW_cards.xml`\n" in run("check").stderr


@pytest.mark.usefixtures("small")
def test_a_finding_never_points_at_bundled_templates(run: Run) -> None:
    edit(Path(GAME), SIZE, SIZE.replace("65", "11").replace("90", "19"))
    found = run("check").stderr
    assert "xml/game.xml:" in found
    assert "the bundled tuck box does not fit cards of 11 x 19 mm\n" in found
    assert "tuckbox.xml:" not in found


@pytest.mark.usefixtures("small")
def test_a_character_that_the_tuck_box_lacks_is_no_matter_of_size(run: Run) -> None:
    edit(Path(GAME), "</fonts>", '<font id="display" family="Cinzel"/></fonts>')
    edit(Path(GAME), '<game name="', '<game name="Кот ')
    found = run("check").stderr
    assert "L002: the font `display` has no Cyrillic letters (for the tuck box)\n" in found
    assert "does not fit" not in found
    assert "tuckbox.xml:" not in found


@pytest.mark.usefixtures("small")
def test_a_deck_can_be_meant_by_its_title(run: Run) -> None:
    assert "is the title of `river`: name the deck list" in run("deck", "high water").stderr


@pytest.mark.usefixtures("small")
def test_the_game_is_a_folder_not_its_file(run: Run) -> None:
    message = "`xml/game.xml` is a file; name the game's folder, `.`"
    assert message in run("check", "--game", "xml/game.xml").stderr


def test_the_last_row_of_a_table_may_be_a_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "Name,Qty,Cost\nFoo,1,2\nBar,1,3\n"
    Path("market.csv").write_text(rows, encoding="utf-8")
    run("new", "game", "--from", "market.csv")
    monkeypatch.chdir("game")
    table = Path("xml/Factions/market.csv")
    table.write_text(f"{rows}Total,2,5\n", encoding="utf-8")
    found = run("check").stderr
    assert "market.csv:4:1: warning E018: the last row looks like a sum" in found
    table.write_text(f"{rows}Total Recall,2,5\n", encoding="utf-8")
    assert "E018" not in run("check").stderr
    table.rename("xml/Factions/~$market.csv")
    assert "~$" not in run("check").stderr
