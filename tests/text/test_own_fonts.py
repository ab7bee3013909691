"""Fonts that PDFs cannot have as they are: outlines of OpenType, several weights, collections."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

import made_fonts
from conftest import Run
from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.text.fonts import STYLES, Font, find_fallbacks, load_fonts
from deckwright.text.shaping import HarfBuzzMetrics
from support import card, line, load_all, page_texts, write_game

LETTERS = "".join(map(chr, range(33, 127)))
FACE = '<face><text x="9" y="9">Ant <b>bold</b> <i>italic</i></text></face>'
WEIGHTS = ("wght", 100, 400, 900)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    return write_game(folder, [card("A1", "Ant")], decks={"deck": [line("A1")]}, face=FACE)


def name_fonts(game: Path, fonts: str) -> None:
    path = game / "xml" / "game.xml"
    bundled = '<font id="text" family="Source Sans Pro"/>'
    text = path.read_text(encoding="utf-8")
    assert bundled in text
    path.write_text(text.replace(bundled, fonts), encoding="utf-8")


def fonts_of(game: Path, **files: bytes) -> dict[str, Font]:
    """Return the fonts of a game by id that has these files; `_` in their names means `.`."""
    for name, data in files.items():
        (game / "templates" / name.replace("_", ".")).write_bytes(data)
    report: Report = []
    fonts = load_fonts(load_all(game).setup, GameFolder(game), report)
    assert report == []
    return {font.id: font for font in fonts.values()}


def side(font: Font) -> int:
    """Return how wide the square is that a letter of a made font is."""
    made: Any = TTFont(font.path)
    assert "fvar" not in made
    glyphs, pen = made.getGlyphSet(), BoundsPen(None)
    glyphs[made.getBestCmap()[ord("A")]].draw(pen)
    return int(pen.bounds[2])


def test_outlines_of_opentype_are_printed_and_kept(game: Path, run: Run) -> None:
    name_fonts(game, '<font id="text" regular="own.otf"/>')
    fonts = fonts_of(game, own_otf=made_fonts.opentype("Own", LETTERS + "λ"))
    assert side(fonts["text-regular"]) == 400
    assert HarfBuzzMetrics(fonts).shape("text-regular", "Aλ").width == 1.2
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    assert "Ant bold italic" in "".join(page_texts(game / "out" / "deck_deck.pdf"))
    with pikepdf.open(game / "out" / "deck_deck.pdf") as pdf:
        (font,) = [
            o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and "/FontFile2" in o
        ]
        assert font.FontFile2.read_bytes()[:4] == b"\0\1\0\0"
    kept = fonts["text-regular"].path
    assert kept.parent.name == "fonts"
    assert fonts_of(game)["text-regular"].path == kept


def test_what_is_kept_needs_no_fonttools(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name_fonts(game, '<font id="text" regular="own.otf"/><font id="b" regular="b.ttf" weight="9"/>')
    files = made_fonts.opentype("Own", LETTERS), made_fonts.font("B", "A", [("wght", 1, 400, 900)])
    kept = fonts_of(game, own_otf=files[0], b_ttf=files[1])
    for name in [name for name in sys.modules if name.partition(".")[0] == "fontTools"]:
        monkeypatch.delitem(sys.modules, name)
    from deckwright.text.fonts import make_instance

    make_instance.cache_clear()
    assert fonts_of(game) == kept
    assert not any(name.partition(".")[0] == "fontTools" for name in sys.modules)


@pytest.mark.parametrize("make", [made_fonts.font, made_fonts.opentype])
def test_a_variable_font_has_its_weights(game: Path, make: Callable[..., bytes]) -> None:
    """The usual weight of this one is thin, and bold is three fifths of the way to the greatest."""
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    fonts = fonts_of(game, own_ttf=make("Own", LETTERS, [("wght", 100, 100, 900)]))
    assert side(fonts["text-regular"]) == round(400 + 100 * 300 / 800)
    assert side(fonts["text-bold"]) == round(400 + 100 * 600 / 800)
    assert [style for style, font in fonts.items() if font.stands_for] == [
        "text-italic",
        "text-bold-italic",
    ]
    assert fonts["text-bold-italic"].path == fonts["text-bold"].path


def test_a_slant_is_italic(game: Path) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    data = made_fonts.font("Own", LETTERS, [WEIGHTS, ("ital", 0, 0, 1)])
    fonts = fonts_of(game, own_ttf=data)
    assert not any(font.stands_for for font in fonts.values())
    assert side(fonts["text-italic"]) == 500
    assert side(fonts["text-bold-italic"]) == 560


def test_a_weight_is_chosen_and_bold_is_heavier(game: Path) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf" weight="650"/>')
    fonts = fonts_of(game, own_ttf=made_fonts.font("Own", LETTERS, [WEIGHTS]))
    assert side(fonts["text-regular"]) == 450
    assert side(fonts["text-bold"]) == 500


def test_a_file_that_has_changed_is_read_again(game: Path) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    fonts_of(game, own_ttf=made_fonts.font("Own", LETTERS, [WEIGHTS]))
    fonts = fonts_of(game, own_ttf=made_fonts.font("Own", LETTERS, [("wght", 100, 100, 900)]))
    assert side(fonts["text-regular"]) == 438


def test_an_italic_file_varies_as_well(game: Path) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf" italic="slanted.ttf"/>')
    one = made_fonts.font("Own", LETTERS, [WEIGHTS])
    other = made_fonts.font("Own Italic", LETTERS, [("wght", 100, 100, 900)])
    fonts = fonts_of(game, own_ttf=one, slanted_ttf=other)
    assert side(fonts["text-bold"]) == 460
    assert side(fonts["text-italic"]) == 438
    assert side(fonts["text-bold-italic"]) == 475


@pytest.mark.parametrize("member", ["#2", "#Own Two"])
def test_a_member_of_a_collection(game: Path, member: str) -> None:
    name_fonts(game, f'<font id="text" regular="own.ttc{member}"/>')
    fonts = fonts_of(game, own_ttc=made_fonts.collection(LETTERS, "Own One", "Own Two"))
    assert TTFont(fonts["text-regular"].path)["name"].getDebugName(4) == "Own Two"


@pytest.mark.parametrize(
    ("font", "said"),
    [
        ('regular="own.ttc#Own Tow"', "`own.ttc` has no font `Own Tow`, only `One`, `Own Two`"),
        ('regular="own.ttc#3"', "has no font `3`"),
        ('regular="own.woff2"', "`own.woff2` is a web font"),
        ('regular="own.pfb"', "`own.pfb` is not a TrueType or OpenType font"),
        ('regular="cut.otf"', "the font `cut.otf` is damaged"),
        ('regular="own.otf" weight="600"', "`own.otf` has only one weight"),
        ('regular="own.ttf" weight="50"', "`own.ttf` has weights from 100 to 900, not 50"),
        ('family="Source Sans Pro" weight="600"', "the weights of the bundled family"),
        (
            'family="Futura"',
            'copy a font of your own to `templates` and write `regular="file.ttf"`',
        ),
    ],
)
def test_what_cannot_be_used_is_told(game: Path, run: Run, font: str, said: str) -> None:
    name_fonts(game, f'<font id="text" {font}/>')
    files = {
        "own.ttc": made_fonts.collection(LETTERS, "One", "Own Two"),
        "own.woff2": b"wOF2" + bytes(40),
        "own.pfb": b"%!PS-AdobeFont",
        "cut.otf": made_fonts.opentype("Own", LETTERS)[:-90],
        "own.otf": made_fonts.opentype("Own", LETTERS),
        "own.ttf": made_fonts.font("Own", LETTERS, [WEIGHTS]),
    }
    for name, data in files.items():
        (game / "templates" / name).write_bytes(data)
    for command in (["check"], ["deck", "deck"]):
        result = run(*command, "--game", str(game))
        assert result.exit_code == 1
        assert result.stderr.count(" T007: ") == 1
        assert said in result.stderr


def test_a_style_that_is_lacking_is_told_where_it_is_used(game: Path, run: Run) -> None:
    (game / "templates" / "own.otf").write_bytes(made_fonts.opentype("Own", LETTERS))
    name_fonts(game, '<font id="text" regular="own.otf" bold="own.otf"/>')
    result = run("check", "--game", str(game))
    assert result.exit_code == 0
    assert "T023: the font `text` has no italic style, which `italic` needs" in result.stderr
    assert result.stderr.count("T023") == 1


def test_a_font_falls_back_on_others(game: Path, run: Run) -> None:
    """By the order of the fonts; marks stay with their letter, spaces are of the first font."""
    others = '<font id="b" regular="b.otf"/><font id="c" regular="c.otf" bold="c.otf"/>'
    own = "".join(f'{style}="own.otf" ' for style in STYLES)
    name_fonts(game, f'<font id="text" {own} fallback="b, c"/>{others}')
    face = '<face><text x="9" y="9" font-size="5">Ant λΣ☃ <b>Σ</b></text></face>'
    (game / "templates" / "card.xml").write_text(face, encoding="utf-8")
    for name, letters in {"own": LETTERS, "b": "λ", "c": "λΣ☃"}.items():
        data = made_fonts.opentype(name, letters)
        (game / "templates" / f"{name}.otf").write_bytes(data)
    assert run("check", "--game", str(game)).stderr == ""
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    assert "Ant λΣ☃ Σ" in "".join(page_texts(game / "out" / "deck_deck.pdf"))
    assert run("export", "svg", "--game", str(game)).exit_code == 0
    (game / "templates" / "card.xml").write_text(face.replace("Ant", "✪"), encoding="utf-8")
    found = run("check", "--game", str(game)).stderr
    assert "neither the font `text` nor its fallback `b`, `c` has `✪` (U+272A)" in found


def test_books_fall_back_as_well(game: Path, run: Run) -> None:
    own = "".join(f'{style}="own.otf" ' for style in STYLES)
    name_fonts(game, f'<font id="text" {own} fallback="b"/><font id="b" regular="b.otf"/>')
    (game / "templates" / "own.otf").write_bytes(made_fonts.opentype("Own", LETTERS))
    (game / "templates" / "b.otf").write_bytes(made_fonts.opentype("B", "猫犬"))
    text = '<chapter id="one" title="One"><p>Two 猫犬 pets</p></chapter>'
    book = game / "xml" / "rulebook.xml"
    book.write_text(f'<rulebook title="Rules">{text}</rulebook>', encoding="utf-8")
    assert run("rulebook", "--game", str(game)).exit_code == 0
    assert "Two 猫犬 pets" in " ".join(page_texts(game / "out" / "rulebook.pdf"))
    book.write_text(f'<rulebook title="Rules">{text.replace("猫", "鳥")}</rulebook>', "utf-8")
    assert "nor its fallback `b` has `鳥` (U+9CE5)" in run("check", "--game", str(game)).stderr


def test_characters_of_all_planes_can_be_copied(game: Path, run: Run) -> None:
    name_fonts(game, '<font id="text" regular="own.otf"/>')
    (game / "templates" / "own.otf").write_bytes(made_fonts.opentype("Own", "A𝄞😀"))
    face = '<face><text x="9" y="9">A𝄞 😀\ufe0f</text></face>'
    (game / "templates" / "card.xml").write_text(face, encoding="utf-8")
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    assert "A𝄞 😀" in "".join(page_texts(game / "out" / "deck_deck.pdf"))


def test_a_fallback_is_a_font_of_the_game(game: Path, run: Run) -> None:
    name_fonts(game, '<font id="text" family="Source Sans Pro" fallback="greek"/>')
    assert "G001: font `text` falls back on `greek`" in run("check", "--game", str(game)).stderr


def damaged_loca(letters: str) -> bytes:
    """Return a font in which the second last letter ends before it begins."""
    data = bytearray(made_fonts.font("Loca", letters))
    table = TTFont(io.BytesIO(bytes(data))).reader.tables["loca"]
    data[table.offset + table.length - 4 : table.offset + table.length - 2] = b"\0\0"
    return bytes(data)


@pytest.mark.parametrize(
    "made",
    [
        made_fonts.composite_font(LETTERS, {"n": ""}),
        made_fonts.composite_font(LETTERS, {"n": "n"}),
        made_fonts.composite_font(LETTERS, {"n": "An"}),
        made_fonts.composite_font(LETTERS, {"n": "o", "o": "p", "p": "nA"}),
        made_fonts.color_font("bolditacA tn"[:-1] + "n", blank=True),
        damaged_loca(LETTERS.replace("n", "").replace("o", "") + "no"),
    ],
    ids=["empty", "circular", "partly circular", "in a circle", "colors alone", "damaged loca"],
)
def test_a_letter_without_an_outline_is_missing(game: Path, run: Run, made: bytes) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    (game / "templates" / "own.ttf").write_bytes(made)
    for command in (["check"], ["deck", "deck"]):
        result = run(*command, "--game", str(game))
        assert result.exit_code == 1
        assert "error L002: card `A1`: the font `text` has no `n` (U+006E)" in result.output


@pytest.mark.parametrize("make", [made_fonts.font, made_fonts.opentype])
def test_a_font_can_lack_all_letters(game: Path, run: Run, make: Callable[..., bytes]) -> None:
    own = " ".join(f'{style}="own.otf"' for style in STYLES)
    name_fonts(game, f'<font id="text" {own}/>')
    (game / "templates" / "own.otf").write_bytes(make("Own", "猫犬"))
    result = run("check", "--game", str(game))
    assert result.exit_code == 1
    assert "error L002: card `A1`: the font `text` has no `A`" in result.stderr


def test_a_letter_that_another_font_has_is_printed_in_that(game: Path, run: Run) -> None:
    fonts = '<font id="text" regular="own.ttf" fallback="two"/><font id="two" regular="b.ttf"/>'
    name_fonts(game, fonts)
    made = made_fonts.composite_font(LETTERS, {"n": "n"})
    fonts_of(game, own_ttf=made, b_ttf=made_fonts.font("B", LETTERS))
    assert run("deck", "deck", "--game", str(game)).exit_code == 0


def test_a_part_that_is_used_twice_is_no_circle(game: Path) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    made = made_fonts.composite_font(LETTERS, {"n": "oo", "o": "AA"})
    assert not HarfBuzzMetrics(fonts_of(game, own_ttf=made)).shape("text-regular", "no").missing


def test_letters_in_colors_are_told(game: Path, run: Run) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf" bold="own.ttf" italic="own.ttf"/>')
    (game / "templates" / "own.ttf").write_bytes(made_fonts.color_font("bolditacAtn"))
    result = run("check", "--game", str(game))
    assert (
        "warning L014: the font `text` draws `n` (U+006E) in colors, but only one is printed"
        in result.output
    )
    assert result.output.count("L014") == 1


@pytest.mark.parametrize(
    ("name", "made", "said"),
    [
        ("own.otf", made_fonts.subroutine_bomb(100, 9), "is damaged"),
        ("own.ttf", made_fonts.endless_map(LETTERS), "has more than 1,000,000 characters"),
    ],
)
def test_a_font_without_an_end_has_one(
    game: Path, run: Run, name: str, made: bytes, said: str
) -> None:
    name_fonts(game, f'<font id="text" regular="{name}"/>')
    (game / "templates" / name).write_bytes(made)
    result = run("deck", "deck", "--game", str(game))
    assert result.exit_code == 1
    assert "error T007: " in result.output
    assert said in result.output


def test_a_font_that_print_cannot_open_is_told_by_each_command(game: Path, run: Run) -> None:
    name_fonts(game, '<font id="text" regular="own.ttf"/>')
    made: Any = TTFont(io.BytesIO(made_fonts.font("Own", LETTERS)))
    made["head"].magicNumber = 1
    made.save(game / "templates" / "own.ttf")
    for command in (["check"], ["deck", "deck"], ["build"], ["proof", "A1"], ["overview"]):
        result = run(*command, "--game", str(game))
        assert result.exit_code == 1, result.stderr
        assert "error T007: " in result.stderr


def test_the_script_and_the_style_that_lack_are_named(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    table = tmp_path / "t.csv"
    table.write_text("Name,Text\nA,Plain words only.\nB,Nothing else.\n", encoding="utf-8")
    assert run("new", str(folder), "--from", str(table)).exit_code == 0
    rows = "Name,Text\nA,Да и _Кот_\nB,Ещё _Мышь_\n"
    (folder / "xml/Factions/t.csv").write_text(rows, encoding="utf-8")
    said = run("check", "--game", str(folder)).stderr
    assert "the italic of the font `text` has no Cyrillic letters" in said
    assert "1 more like this" in said
    assert '`<font id="more" family="Noto Sans"/>`' in said
    assert '`fallback="more"` to the font `text`' in said
    game = folder / "xml/game.xml"
    text = game.read_text("utf-8").replace('Source Sans Pro"', 'Source Sans Pro" fallback="more"')
    game.write_text(
        text.replace("</fonts>", '<font id="more" family="Noto Sans"/></fonts>'), "utf-8"
    )
    assert run("check", "--game", str(folder)).exit_code == 0


@pytest.mark.parametrize(
    ("text", "language", "family"),
    [
        ("火焰猎手", "zh", "Noto Sans SC"),
        ("炎の狩人", "ja", "Noto Sans JP"),
        ("炎の狩人", None, "Noto Sans JP"),
        ("불꽃 사냥꾼", "ko", "Noto Sans KR"),
        ("Огонь", "zh", "Noto Sans SC"),
        ("Огонь", "ru", "Noto Sans"),
    ],
)
def test_the_fallback_draws_letters_as_the_language_does(
    text: str, language: str | None, family: str
) -> None:
    assert find_fallbacks(text, ["Source Sans Pro"], language) == ([family], "")
