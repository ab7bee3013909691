"""A game's own fonts: those that can be used are embedded, all others are reported."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pikepdf
import pytest

from conftest import Run
from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.text import fonts as fonts_module
from deckwright.text.fonts import load_fonts
from support import card, line, load_all, run_program, write_game

BUNDLED = '<font id="text" family="Source Sans Pro"/>'
FACE = '<face><text x="9" y="9">Ant <b>bold</b> <i>italic</i></text></face>'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    return write_game(folder, [card("A1", "Ant")], decks={"deck": [line("A1")]}, face=FACE)


@pytest.fixture
def sans(game: Path) -> bytes:
    """The bytes of a font that works."""
    fonts = load_fonts(load_all(game).setup, GameFolder(game), [])
    return fonts["text", "regular"].path.read_bytes()


def name_fonts(game: Path, *fonts: str) -> None:
    path = game / "xml" / "game.xml"
    text = path.read_text(encoding="utf-8")
    assert BUNDLED in text
    path.write_text(text.replace(BUNDLED, "".join(fonts)), encoding="utf-8")


def embedded(pdf_path: Path) -> list[str]:
    """Return the names of the fonts in a PDF, without the marks of their subsets."""
    with pikepdf.open(pdf_path) as pdf:
        return sorted(
            str(item.FontName)[8:]
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor"
        )


def test_a_bundled_family_has_four_styles(game: Path, run: Run) -> None:
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    assert embedded(game / "out" / "deck_deck.pdf") == [
        "SourceSansPro-Bold",
        "SourceSansPro-It",
        "SourceSansPro-Regular",
    ]


def test_a_family_without_a_style_uses_its_regular_file_once(game: Path, sans: bytes) -> None:
    (game / "templates" / "own.ttf").write_bytes(sans)
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    report: Report = []
    fonts = load_fonts(load_all(game).setup, GameFolder(game), report)
    assert report == []
    assert {font.path for font in fonts.values()} == {game / "templates" / "own.ttf"}
    assert run_program("deck", "deck", cwd=game).returncode == 0
    assert embedded(game / "out" / "deck_deck.pdf") == ["SourceSansPro-Regular"]


def test_a_game_without_fonts_has_a_text_font(game: Path, run: Run) -> None:
    name_fonts(game)
    assert run("deck", "deck", "--game", str(game)).exit_code == 0


def test_two_files_may_hold_fonts_of_one_name(game: Path, sans: bytes) -> None:
    """ReportLab knows fonts by the name inside of their files."""
    for name in ("one.ttf", "two.ttf"):
        (game / "templates" / name).write_bytes(sans)
    name_fonts(game, '<font id="text" regular="one.ttf" bold="two.ttf"/>')
    result = run_program("deck", "deck", cwd=game)
    assert result.returncode == 0, result.stderr
    names = embedded(game / "out" / "deck_deck.pdf")
    assert len(names) == 2
    assert all(name.startswith("SourceSansPro-Regular") for name in names)


def test_the_fonts_of_another_game_change_nothing(
    game: Path, run: Run, sans: bytes, tmp_path: Path
) -> None:
    (game / "templates" / "own.ttf").write_bytes(sans)
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    other = shutil.copytree(game, tmp_path / "other")
    printed = []
    for folder in (game, other, game):
        assert run("deck", "deck", "--game", str(folder)).exit_code == 0
        printed.append((folder / "out" / "deck_deck.pdf").read_bytes())
    assert printed[1:] == printed[:1] * 2


@pytest.mark.parametrize("keep", [0, 3, 4, 12, 1000, 60_000, 200_000])
def test_a_font_file_that_is_cut_off_is_reported(
    game: Path, run: Run, sans: bytes, keep: int
) -> None:
    (game / "templates" / "own.ttf").write_bytes(sans[:keep])
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    for command in (["check"], ["deck", "deck"]):
        result = run(*command, "--game", str(game))
        assert result.exit_code == 1
        assert result.stderr.count(" T007: ") == 1
    assert not (game / "out").exists()


@pytest.mark.parametrize(
    "font",
    [
        '<font id="text" family="Sauce Sans Pro"/>',
        '<font id="text"/>',
        '<font id="text" bold="own.ttf"/>',
        '<font id="text" regular="nothing.ttf"/>',
        '<font id="text" regular="own.txt"/>',
        '<font id="text" regular="own.otf"/>',
        '<font id="text" regular="../own.ttf"/>',
        '<font id="text" regular="own.ttf" italic="nothing.ttf"/>',
        f'<font id="text" regular="{"x" * 300}.ttf"/>',
        '<font id="text" regular="folder"/>',
    ],
)
def test_a_font_that_cannot_be_used_is_reported(
    game: Path, run: Run, sans: bytes, font: str
) -> None:
    templates = game / "templates"
    (templates / "own.ttf").write_bytes(sans)
    (game / "own.ttf").write_bytes(sans)
    (templates / "own.txt").write_text("this is no font", encoding="utf-8")
    (templates / "own.otf").write_bytes(b"OTTO" + sans[4:])
    (templates / "folder").mkdir()
    name_fonts(game, font)
    result = run("check", "--game", str(game))
    assert result.exit_code == 1
    assert result.stderr.count(" T007: ") == 1
    assert "game.xml" in result.stderr


def test_a_bold_that_is_a_family_of_its_own_is_proposed_and_taken(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = dict(vars(fonts_module)["_VARIABLE"])
    for name, weight in (("Noto Sans JP", 400), ("Noto Sans JP Bold", 700)):
        # That of another font: to prepare the real one takes seconds.
        known[name] = ("fontpkg_cinzel", ("files/Cinzel[wght].ttf",), (weight,))
    monkeypatch.setattr(fonts_module, "_VARIABLE", known)
    name_fonts(game, '<font id="text" family="Noto Sans JP"/>')
    told = run("check", "--game", str(game)).stderr
    assert "T023: the font `text` has no bold style" in told
    assert 'hint: add `bold="Noto Sans JP Bold"`' in told
    text = (game / "xml/game.xml").read_text("utf-8")
    for bold, code in (("Noto Sans JP Bold", None), ("Noto Sans JP Bld", "T007"), ("Cinzel", None)):
        named = text.replace('family="Noto Sans JP"', f'family="Noto Sans JP" bold="{bold}"')
        (game / "xml/game.xml").write_text(named, "utf-8")
        result = run("check", "--game", str(game))
        assert "no bold style" not in result.stderr
        assert (result.exit_code, "did you mean" in result.stderr) == (code is not None,) * 2
        assert code is None or f"error {code}: there is no bundled font family" in result.stderr


def test_letters_without_italics_stand_upright(game: Path, run: Run) -> None:
    name_fonts(game, '<font id="text" family="IBM Plex Sans Arabic"/>')
    face = "<face><text x='9' y='9'>قطة <i>قطة كبيرة 12</i> <b><i>قطة</i></b></text></face>"
    (game / "templates/card.xml").write_text(face, encoding="utf-8")
    told = run("check", "--game", str(game)).stderr
    # The English description of the faction is in italics.
    assert "T023: the font `text` has no italic style, which `" in told
    assert "قط" not in told
    assert told.count("T023") == 1


DISPLAY = '<font id="text" family="Cinzel"/><font id="title" family="Cinzel Black"/>'


def test_a_display_family_has_weights_of_a_variable_font(
    game: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts_module, "cache_folder", lambda: tmp_path / "cache")
    fonts_module.make_instance.cache_clear()
    name_fonts(game, DISPLAY)
    (game / "templates" / "card.xml").write_text(
        FACE.replace("</face>", '<text font-family="title">Größe</text></face>'), encoding="utf-8"
    )
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    printed = (game / "out" / "deck_deck.pdf").read_bytes()
    assert embedded(game / "out" / "deck_deck.pdf") == ["Cinzel-400", "Cinzel-700", "Cinzel-900"]
    kept = sorted((tmp_path / "cache" / "fonts").glob("*.otf"))
    assert len(kept) == 3
    # What the cache holds is made again where it is damaged, and comes out the same.
    kept[0].write_bytes(kept[1].read_bytes())
    fonts_module.make_instance.cache_clear()
    again = game / "again.pdf"
    assert run("deck", "deck", "--game", str(game), "--out", str(again)).exit_code == 0
    assert again.read_bytes() == printed


def test_weights_are_made_where_no_cache_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(fonts_module, "cache_folder", lambda: tmp_path / "file")
    fonts_module.make_instance.cache_clear()
    path = Path(importlib.util.find_spec("fontpkg_cinzel").origin).parent  # type: ignore[union-attr, arg-type]
    try:
        found = fonts_module.make_instance(
            path / "files" / "Cinzel[wght].ttf", 0, (("wght", 700.0),)
        )
        assert found.stat().st_size > 10_000
    finally:
        fonts_module.make_instance.cache_clear()
