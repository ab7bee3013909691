"""Mistakes are told where they are to be mended, with the name that was meant."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import HERE, Run, edit
from support import card, write_game

ICON = '<icon name="{{ card.sign }}" x="1" y="1" width="9"/>'
IMAGE = '<image href="signs/{{ card.sign }}.svg" x="1" y="1" width="9" height="9"/>'
COLOR = '<rect width="5" height="5" fill="{{ card.sign }}"/>'


Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a game whose face is this, and whose cards have a field `sign`."""

    def make_game(face: str, **fields: str) -> Path:
        game = write_game(
            tmp_path,
            [card("A1", "Ant", sign="sword"), card("A2", "Bee", **fields)],
            face=f"<face>{face}</face>",
        )
        (game / "img/signs").mkdir(parents=True)
        drawing = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
        )
        (game / "img/signs/sword.svg").write_text(drawing)
        field = '<field name="sign" type="text" optional="true"/>'
        edit(game / "xml/game.xml", '<field name="level"', f'{field}<field name="level"')
        return game

    return make_game


@pytest.mark.parametrize(
    ("face", "sign", "code", "said", "hint"),
    [
        (ICON, "swrod", "error T004", "there is no icon `swrod`", "did you mean `sword`?"),
        (IMAGE, "swrod", "warning R005", "there is no picture `img/signs/swrod.svg`",
         "did you mean `signs/sword.svg`?"),
        (COLOR.replace("sign", "sign if card.sign != 'sword' else 'red'"), "rde", "error T004",
         "`fill` of `rect`", None),
    ],
)  # fmt: skip
def test_what_a_cards_field_names_wrongly_is_told_at_the_card(
    make: Make, run: Run, face: str, sign: str, code: str, said: str, hint: str | None
) -> None:
    game = make(face, sign=sign)
    result = run("check", "-g", str(game))
    assert result.exit_code == ("error" in code)
    path = game / "xml/Factions/AA_cards.xml"
    lines = path.read_text(encoding="utf-8").splitlines()
    line, text = next((number, text) for number, text in enumerate(lines, 1) if "A2" in text)
    column = text.index('sign="', text.index("A2")) + 1
    assert f"AA_cards.xml:{line}:{column}: {code}: card `A2`: {said}" in result.stderr
    assert "`A1`" not in result.stderr
    assert hint is None or f"hint: {hint}" in result.stderr


def test_what_the_template_names_wrongly_is_told_there(make: Make, run: Run) -> None:
    game = make('<icon name="swrod" x="1" y="1" width="9"/>', sign="sword")
    assert "card.xml:1:" in run("check", "-g", str(game)).stderr


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        ("card.nmae", "did you mean `name`?"),
        ("crad.name", "did you mean `card`?"),
        ("card.level.nam", "did you mean `name`?"),
        ("card['costz']", "did you mean `costs`?"),
        ("card.zzzzzz", "cards have `id`, `name`, `faction`, "),
        ("game.zzzzzz", None),
    ],
)
def test_an_unknown_name_in_an_expression_names_the_nearest(
    make: Make, run: Run, expression: str, hint: str | None
) -> None:
    text = f'<text x="1" y="1" width="50" height="9">{{{{ {expression} }}}}</text>'
    result = run("check", "-g", str(make(text, sign="sword")))
    assert "error T006" in result.stderr
    assert "\x1f" not in result.stderr
    assert ("hint: " in result.stderr) == (hint is not None)
    assert hint is None or f"hint: {hint}" in result.stderr


def test_an_unknown_class_or_style_names_the_nearest(small: Path, run: Run) -> None:
    sheet = '<styles><style name="title" fill="black"/></styles>'
    (small / "templates/styles.xml").write_text(sheet)
    (small / "templates/night").mkdir()
    face = small / "templates/card.xml"
    text = face.read_text(encoding="utf-8")
    face.write_text(text.replace("<text x=", '<text class="tilte" x=', 1), encoding="utf-8")
    assert "did you mean `title`?" in run("check").stderr
    assert "did you mean `night`?" in run("deck", "river", "--style", "nigth").stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "said", "hint"),
    [
        ("Factions/RW_cards.xml", '"Reed Scout"', '"Reed {fisch!}"', "`name` has `{fisch!}`",
         "declare"),
        ("Factions/RW_cards.xml", '"Reed Scout"', '"Reed { fire }"', "`name` has `{ fire }`",
         "write `{fire}`"),
        ("Factions/RW_cards.xml", '"Reed Scout"', '"R {{ card.id }}"', "`{ card.id }`",
         "only templates have expressions, written as `{{ card.id }}`"),
        ("rules.xml", 'River="Whistle"', 'River="{2} up"', "rule `ra002`: `River` has `{2}`",
         "declare"),
        ("Factions/RW_cards.xml", '"Reed Scout"', '"Reed {icon:sword} {fire}"', None, None),
        ("Factions/RW_cards.xml", '"Reed Scout"', '"{fill:red}Reed{/fill} Scout"', None, None),
        ("../templates/card.xml", "{{ card.name }}", "{ card.name }", "text of `text`",
         "write expressions as `{{ card.name }}`"),
        ("../templates/card.xml", "{{ card.name }}",
         "{% set a = {'b': {1: 2}} %}{{ {1: card.name}[1] }} {fire}", None, None),
        ("../templates/card.xml", "{{ card.name }}", "{icon:{{ 'candle' }}} {{ card.name }}",
         None, None),
    ],
)  # fmt: skip
def test_braces_that_mean_nothing_are_a_warning(
    small: Path, run: Run, file: str, old: str, new: str, said: str | None, hint: str | None
) -> None:
    shutil.copyfile(HERE / "diagnostics/T012/good/xml/game.xml", small / "xml/game.xml")
    edit(small / "xml" / file, old, new)
    result = run("check")
    assert result.exit_code == 0, result.stderr
    assert ("T016" in result.stderr) == (said is not None)
    assert said is None or said in result.stderr
    assert hint is None or f"hint: {hint}" in result.stderr


def test_a_name_in_braces_is_a_slip_where_the_game_has_no_symbols(make: Make, run: Run) -> None:
    game = make('<circle cx="9" cy="9" r="5"/>', sign="sword")
    edit(game / "xml/Factions/AA_cards.xml", '"Bee"', '"Der {fisch}"')
    result = run("check", "-g", str(game))
    assert result.exit_code == 0
    assert "card `A2`: `name` has `{fisch}`, which is printed as it is" in result.stderr


def test_braces_in_the_rulebook_are_a_warning(small: Path, run: Run) -> None:
    book = "<rulebook title='T'><chapter title='C'><p>Play {fisch 1} now.</p></chapter></rulebook>"
    (small / "xml/rulebook.xml").write_text(book, encoding="utf-8")
    result = run("check")
    assert result.exit_code == 0
    assert "rulebook.xml:1:" in result.stderr
    assert "warning T016: the text has `{fisch 1}`" in result.stderr
    assert run("rulebook").exit_code == 0


def test_what_a_card_names_wrongly_is_not_told_again_where_the_deck_sheet_shows_it(
    make: Make, run: Run
) -> None:
    game = make(ICON, sign="swrod")
    lines = ICON.replace("<icon", '<icon each="line in zones[0].lines"')
    lists = lines.replace("card.sign", "line.card.sign")
    (game / "templates/deck.xml").write_text(f'<pages width="210" height="297">{lists}</pages>')
    edit(game / "xml/game.xml", 'deck="no"', 'deck="deck.xml"')
    result = run("check", "-g", str(game))
    assert result.stderr.count("T004") == 1
    assert "(for " not in result.stderr
    # What is wrong with the deck sheet itself is found all the same.
    text = lists.replace("line.card.sign", "line.card.sing")
    (game / "templates/deck.xml").write_text(f'<pages width="210" height="297">{text}</pages>')
    assert "T006" in run("check", "-g", str(game)).stderr
