"""Icons are found by what they mean, in two languages, however a word is written."""

from __future__ import annotations

import io
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from conftest import Run
from deckwright.outputs.pictures import icon_sheet
from deckwright.text.shaping import icon_names
from deckwright.text.symbols import find_icons, icon_hint, icon_meanings, icon_sections
from support import card, write_game


def test_the_list_names_icons_that_there_are_and_each_line_once() -> None:
    meanings = [*chain.from_iterable(section.meanings for section in icon_sections())]
    assert len(meanings) > 200
    assert {icon for meaning in meanings for icon in meaning.icons} <= {*icon_names()}
    for meaning in meanings:
        words = (*meaning.english, *meaning.german)
        assert all(word == word.strip() != "" for word in words), words
        assert meaning.icons
        assert len({*meaning.icons}) == len(meaning.icons), words
    assert len({section.title for section in icon_sections()}) == len(icon_sections())


def test_what_is_only_related_to_a_word_does_not_count_as_fitting_it() -> None:
    names = find_icons("lightning damage")
    assert names.index("lightning-bolt") < names.index("water")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("sword", "sword"),
        ("Schwert", "sword"),
        ("SCHWERTER", "sword"),
        ("Langschwert", "sword"),
        ("Shwert", "sword"),
        ("Burg", "castle"),
        ("König", "crown"),
        ("Koenig", "crown"),
        ("Konig", "crown"),
        ("Wölfe", "dog-side"),
        ("hit points", "heart"),
        ("Karte ziehen", "cards"),
        ("axe battle", "axe-battle"),
        ("axe-battle", "axe-battle"),
    ],
)
def test_the_best_icon_comes_first(words: str, first: str) -> None:
    assert find_icons(words)[0] == first


def test_what_is_related_comes_last_and_what_fits_all_words_first() -> None:
    found = find_icons("sword")
    assert found.index("sword-cross") < found.index("fencing") < found.index("spear")
    # Both words are of the names of these, and one is of the others.
    both = find_icons("snowy heavy")
    assert both[0] == "weather-snowy-heavy"
    assert "weather-snowy" in both[1:]
    assert find_icons("xyzzy") == ()
    assert icon_meanings("castle")[0] == "castle/Burg"
    assert icon_meanings("access-point") == []


@settings(max_examples=25)
@given(st.text(max_size=60))
def test_whatever_is_asked_there_is_an_answer(words: str) -> None:
    found = find_icons(words)
    assert len({*found}) == len(found)
    assert {*found} <= {*icon_names()}
    assert icon_hint(words)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("swrod", "did you mean `sword`?"),
        ("wolf", "did you mean `dog-side`, `paw` or `dog`?"),
        ("schwert", "did you mean `sword`, `sword-cross` or `shield-sword`?"),
        ("magic-sword", "did you mean `sword`, `auto-fix` or `sword-cross`?"),
        ("lightning-bold", "did you mean `lightning-bolt`?"),
        ("xyzzy", "`deckwright icons WORD` finds icons by what they mean"),
    ],
)
def test_a_name_that_there_is_not_is_taken_for_a_slip_or_for_a_word(name: str, hint: str) -> None:
    assert icon_hint(name) == hint


def test_a_template_says_what_may_have_been_meant(tmp_path: Path, run: Run) -> None:
    folder = write_game(
        tmp_path, [card("A1", "Ant")], face='<face><icon name="burg" width="9"/></face>'
    )
    result = run("check", "-g", str(folder))
    assert "hint: did you mean `castle`, `chess-rook` or `tower-fire`?" in result.stderr


def test_a_sheet_has_each_icon_in_its_cell() -> None:
    names = [*find_icons("sword")[:10]]
    with Image.open(io.BytesIO(icon_sheet(names, 50))) as file:
        picture = file.convert("L")
    inked = picture.point(lambda v: 0 if v > 200 else 255)
    width, height = (picture.width - 8) / 8, (picture.height - 8) / 2
    for index in range(16):
        row, column = divmod(index, 8)
        corner = 4 + column * width, 4 + row * height
        cell = inked.crop(tuple(map(int, (*corner, corner[0] + width, corner[1] + height))))  # type: ignore[arg-type]
        assert (cell.getbbox() is not None) == (index < len(names))
    single = icon_sheet(["sword"], 50)
    with Image.open(io.BytesIO(single)) as alone:
        assert alone.width < picture.width
        assert ImageChops.invert(alone.convert("L")).getbbox()


def test_the_command_lists_and_draws(run: Run, tmp_path: Path) -> None:
    target = str(tmp_path / "icons.png")
    result = run("icons", "Burg", "--most", "3", "--out", target)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split()[:2] == ["castle", "castle/Burg,"]
    assert lines[1].startswith("chess-rook")
    assert "more, with `--most" in lines[3]
    with Image.open(target) as picture:
        assert picture.format == "PNG"
    nothing = run("icons", "xyzzy")
    assert nothing.exit_code == 1
    assert nothing.stderr == "there is no icon for `xyzzy`; try another word\n"


def test_an_icon_in_a_text_may_be_asked_for_by_a_word(tmp_path: Path, run: Run) -> None:
    text = '<face><text y="9">{icon:Schwert} {icon:König}</text></face>'
    write_game(tmp_path, [card("A1", "Ant")], face=text)
    result = run("check", "-g", str(tmp_path))
    assert "there is no icon `Schwert`" in result.stderr
    assert "hint: did you mean `sword`, `sword-cross` or `shield-sword`?" in result.stderr
