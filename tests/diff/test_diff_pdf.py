"""The pages of `deckwright diff`: old and new faces side by side."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image
from pypdf import PageObject, PdfReader
from pypdf.generic import Destination

import support
from conftest import ROOT, Run, edit
from deckwright.base.geometry import Box
from deckwright.diff.manifest import Digests
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, StrokePath, walk
from deckwright.ops.outlines import rectangle
from deckwright.outputs.comparison import find_differences, merge_fonts
from deckwright.sheet.flow import TextRun as Stretch
from deckwright.sheet.flow import TextSetter
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.fonts import Font, icon_font
from repositories import CARDS, DECK, SETUP, TEMPLATE, diff_lines, texts, track

pytestmark = pytest.mark.usefixtures("shipped_checked")


def bundled(family: str) -> Path:
    """Return the regular font of a bundled family."""
    package = importlib.util.find_spec(f"font_source_{family.lower()}_pro")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "files" / f"Source{family}Pro-Regular.ttf"


SANS, SERIF = bundled("Sans"), bundled("Serif")


@pytest.fixture
def tracked(small: Path) -> Path:
    """The small game in a repository."""
    return track(small)


def printed(run: Run, *arguments: str) -> Path:
    """Return the PDF of a comparison, which must find no errors."""
    result = run("diff", *(arguments or ("v1",)))
    assert result.stderr == ""
    pdf = Path("out") / "diff.pdf"
    assert result.stdout.endswith(f"{pdf}\n")
    return pdf


def places(pdf: Path, page: int, text: str) -> list[tuple[float, float]]:
    """Return where a text stands on a page, in mm from the left and from the top."""
    found: list[tuple[float, float]] = []

    def visit(
        part: str, outer: list[float], inner: list[float], _font: object, _size: float
    ) -> None:
        if part.strip() == text:
            x, y = inner[4], inner[5]
            a, b, c, d, e, f = outer
            point = (a * x + c * y + e, b * x + d * y + f)
            found.append((point[0] / 72 * 25.4, 297 - point[1] / 72 * 25.4))

    PdfReader(pdf).pages[page].extract_text(visitor_text=visit)
    return found


def fonts_of(page: PageObject) -> list[Any]:
    """Return the fonts of a page."""
    resources: Any = page["/Resources"]
    return [*resources["/Font"].values()]


def pixel(pdf: Path, page: int, x: float, y: float) -> tuple[int, int, int]:
    """Return the color at a place of a page, in mm from the top left."""
    with pypdfium2.PdfDocument(pdf) as document:
        picture = document[page].render(scale=4).to_pil().convert("RGB")
    color = picture.getpixel((int(x / 25.4 * 288), int(y / 25.4 * 288)))
    assert isinstance(color, tuple)
    return color[:3]


def test_old_faces_stand_at_the_left_and_new_ones_at_the_right(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="77"')
    pdf = printed(run)
    first, second = texts(pdf)
    assert "Changes in Lantern Tide" in first
    assert "RW5 Mother Flood: costs 8 → 77" in first
    assert "Lock Keeper" not in second
    assert "River Wardens · changed" in second
    assert second.count("costs 8 → 77") == 1
    ((old, height),) = places(pdf, 1, "8")
    ((new, other),) = places(pdf, 1, "77")
    assert old < 105 < new
    assert height == pytest.approx(other)
    ((_, words),) = places(pdf, 1, "costs 8 → 77")
    assert words > height
    assert len(places(pdf, 1, "Mother Flood")) == 2


def test_in_a_language_from_right_to_left_old_faces_stand_at_the_right(
    small: Path, run: Run
) -> None:
    edit(small / "xml" / "game.xml", 'language="en"', 'language="he"')
    edit(track(small) / CARDS, 'costs="8"', 'costs="77"')
    pdf = printed(run)
    ((old, _),) = places(pdf, 1, "8")
    ((new, _),) = places(pdf, 1, "77")
    ((title, _),) = places(pdf, 1, "RW5 Mother Flood")
    assert new < 105 < min(old, title)


def test_the_pdf_has_bookmarks_and_metadata_and_its_fonts(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    edit(tracked / CARDS, 'costs="6"', 'costs="5"')
    reader = PdfReader(printed(run))
    titles = [mark.title for mark in reader.outline if isinstance(mark, Destination)]
    assert titles == ["Changes", "RW4 Otter Caller · RW5 Mother Flood"]
    assert reader.metadata is not None
    title = reader.metadata.title or ""
    assert re.fullmatch(r"Lantern Tide: v1 \([0-9a-f]{8}\) → working tree", title)
    assert reader.metadata.author == "The Deckwright developers"
    root: Any = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert reader.page_labels == ["1", "2"]
    for page in reader.pages:
        assert all(
            "/FontFile2" in font["/DescendantFonts"][0]["/FontDescriptor"]
            for font in fonts_of(page)
        )


def test_the_same_comparison_has_the_same_bytes(
    tracked: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    Image.new("RGB", (600, 600), "red").save(tracked / "img" / "lantern.png")
    first = printed(run).read_bytes()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert printed(run).read_bytes() == first


def test_what_is_new_or_gone_has_one_face(tracked: Path, run: Run) -> None:
    text = (tracked / CARDS).read_text("utf-8")
    card = re.search(r'  <card id="RW3".*?</card>\n', text, re.DOTALL)
    assert card is not None
    new = card[0].replace("RW3", "RW8").replace("Lock", "Gate")
    (tracked / CARDS).write_text(text.replace(card[0], new), encoding="utf-8")
    edit(tracked / DECK, 'id="RW3"', 'id="RW8"')
    pdf = printed(run)
    assert texts(pdf)[1].count("Gate Keeper") == 2
    ((nothing, _),) = places(pdf, 1, "not there")
    ((gone, y),) = places(pdf, 1, "gone")
    assert nothing < 105 < gone
    # The face that is gone is paler, and a red line crosses its middle.
    faded, full = pixel(pdf, 1, 16.5, y), pixel(pdf, 1, 110.5, y - 110)
    assert full == (0x1F, 0x6F, 0x78)
    assert all(pale > color + 50 for pale, color in zip(faded, full, strict=True))


def test_pictures_of_both_states_are_shown(small: Path, run: Run) -> None:
    Image.new("RGB", (600, 600), "red").save(small / "img" / "lantern.png")
    track(small)
    Image.new("RGB", (600, 600), "blue").save(small / "img" / "lantern.png")
    pdf = printed(run)
    ((_, y),) = places(pdf, 1, "picture or layout changed")
    assert pixel(pdf, 1, 15 + 27, y - 60) == (255, 0, 0)
    assert pixel(pdf, 1, 109 + 27, y - 60) == (0, 0, 255)


def test_fonts_of_both_states_are_embedded(small: Path, run: Run) -> None:
    (small / "templates" / "own.ttf").write_bytes(SANS.read_bytes())
    family = '<font id="text" family="Source Sans Pro"/>'
    edit(small / SETUP, family, '<font id="text" regular="own.ttf"/>')
    edit(small / SETUP, '<font id="title" family="Source Serif Pro"/>', "")
    edit(small / TEMPLATE, 'font-family="title" ', "")
    track(small)
    (small / "templates" / "own.ttf").write_bytes(SERIF.read_bytes())
    page = PdfReader(printed(run)).pages[1]
    names = {str(font["/BaseFont"]) for font in fonts_of(page)}
    assert len([name for name in names if "SourceSerifPro" in name]) == 1
    assert any("SourceSansPro-Regular" in name for name in names)


def test_fonts_that_are_the_same_are_taken_once(tmp_path: Path) -> None:
    for name, data in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        (tmp_path / name).write_bytes(data)

    def fonts_at(**files: str) -> dict[str, Font]:
        return {name: Font(name, tmp_path / file) for name, file in files.items()}

    old, new = fonts_at(t="a", u="a", v="c"), fonts_at(t="b", u="c", **{"old-u": "c"})
    fonts, renamed = merge_fonts(old, new)
    assert renamed == {"u": "old-old-u"}
    assert all(name == font.id for name, font in fonts.items())
    assert {name: font.path.name for name, font in fonts.items()} == {
        "t": "b", "u": "c", "old-u": "c", "v": "c", "old-old-u": "a",
    }  # fmt: skip


def test_the_list_tells_the_pages_of_many_cards(small: Path, run: Run) -> None:
    text = (small / CARDS).read_text("utf-8")
    card = re.search(r'  <card id="RW3".*?</card>\n', text, re.DOTALL)
    assert card is not None
    many = "".join(
        card[0].replace("RW3", f"RW{n}").replace("Lock Keeper", f"Keeper {n}x")
        for n in range(10, 90)
    )
    (small / CARDS).write_text(text.replace("</data>", many + "</data>"), encoding="utf-8")
    track(small)
    edit(small / TEMPLATE, 'y="81"', 'y="80"')
    pages = texts(printed(run))
    listed = [m for page in pages for m in re.findall(r"Keeper (\d+)x: .*changed (\d+)\n", page)]
    assert [number for number, _ in listed] == [str(n) for n in range(10, 90)]
    assert [n for n, page in listed if f"Keeper {n}x " not in pages[int(page) - 1]] == []
    assert all(page.count("River Wardens · changed") == 2 for page in pages[4:40])


def test_each_face_of_a_card_is_shown_that_has_changed(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = "{{ card.name }} {{ card.part * card.costs if card.part > 1 else 0 }}"
    face = support.FACE.replace("{{ card.name }}", shown)
    support.write_game(tmp_path, [support.card("A1", "Ant", costs=3, actions=3)], face=face)
    edit(tmp_path / SETUP, 'tag="card" name="Card"', 'tag="card" parts="actions" name="Card"')
    track(tmp_path)
    monkeypatch.chdir(tmp_path)
    edit(tmp_path / "xml" / "Factions" / "AA_cards.xml", 'costs="3"', 'costs="4"')
    pdf = printed(run)
    assert "A1 Ant, part 2 " in texts(pdf)[1]
    assert "A1 Ant, part 3 " in texts(pdf)[1]
    assert "part 1" not in "".join(texts(pdf))
    assert len(places(pdf, 1, "Ant 12")) == len(places(pdf, 1, "Ant 9")) == 1


def test_a_folder_of_any_name_can_be_compared(small: Path, run: Run, tmp_path: Path) -> None:
    other = tmp_path / os.fsdecode(b"n\xffw\x1b[31m")
    shutil.copytree(small, other)
    edit(small / CARDS, 'costs="8"', 'costs="77"')
    pdf = printed(run, str(other))
    reader = PdfReader(pdf)
    assert reader.metadata is not None
    name = r"n\udcffw\x1b[31m → working tree"
    title = str(reader.metadata.title)
    assert title.endswith(name)
    assert reader.xmp_metadata is not None
    assert reader.xmp_metadata.dc_title == {"x-default": title}
    shown = "".join(texts(pdf)[0].split())  # a long path has line breaks in it
    assert name.replace(" ", "") in shown


def test_large_faces_are_made_smaller(small: Path, run: Run) -> None:
    text = (small / SETUP).read_text("utf-8")
    large = text.replace('width="65" height="90"', 'width="200" height="280"')
    (small / SETUP).write_text(large, encoding="utf-8")
    edit(small / TEMPLATE, '<rect width="65" height="90"', '<rect width="200" height="280"')
    track(small)
    edit(small / CARDS, 'costs="8"', 'costs="7"')
    edit(small / CARDS, 'costs="6"', 'costs="5"')
    pages = texts(printed(run))
    assert len(pages) == 2
    assert "costs 8 → 7" in pages[1]


# ---- frames


def box(x: float, y: float, width: float, height: float, color: str = "#ff0000") -> FillPath:
    return FillPath(rectangle(x, y, width, height), color)


def frames(old: tuple[Op, ...], new: tuple[Op, ...]) -> tuple[list[Box], list[Box]]:
    looker = Digests({"text-regular": icon_font()}), support.HalfEm()
    return find_differences(Face(65, 90, old), Face(65, 90, new), (looker, looker))


def near(boxes: list[Box], *expected: tuple[float, float, float, float]) -> bool:
    """Return whether boxes stand closely around x, y, right and bottom of others."""
    corners = [(box.x, box.y, box.right, box.bottom) for box in boxes]
    return len(corners) == len(expected) and all(
        found == pytest.approx(other, abs=0.8)
        for found, other in zip(corners, expected, strict=True)
    )


def test_frames_stand_around_what_differs() -> None:
    same, old, new = box(1, 1, 3, 3), box(30, 30, 5, 6), box(40, 60, 5, 6)
    left, right = frames((same, old), (new, same))
    assert near(left, (30, 30, 35, 36))
    assert near(right, (40, 60, 45, 66))
    assert frames((same, old), (same, old)) == ([], [])
    assert frames((same,), (same, same))[0] == []


def test_frames_that_touch_are_one_and_do_not_leave_the_face() -> None:
    _, right = frames((), (box(10, 10, 5, 5), box(15.5, 10, 5, 5), box(60, 80, 20, 20)))
    assert near(right, (10, 10, 20.5, 15), (60, 80, 65, 90))


def test_frames_follow_groups_and_their_clips() -> None:
    group = Group((box(0, 0, 50, 50),), (0.5, 0, 0, 0.5, 20, 30), rectangle(0, 0, 10, 20))
    other = group._replace(matrix=(0.5, 0, 0, 0.5, 20, 31))
    left, right = frames((group,), (other,))
    assert near(left, (20, 30, 25, 40))
    assert near(right, (20, 31, 25, 41))
    hidden = Group((box(0, 0, 5, 5),), clip=rectangle(30, 30, 5, 5))
    assert frames((), (hidden,)) == ([], [])


def test_lines_and_texts_have_frames() -> None:
    line = StrokePath((("M", 10.0, 10.0), ("L", 10.0, 30.0)), "#000000", 1)
    text = DrawGlyphs("text-regular", 4, 30, 50, "Held", (), "#000000")
    _, right = frames((), (line, text))
    assert near(right, (9.5, 9.5, 10.5, 30.5), (30, 47.2, 38, 51))


def test_where_most_differs_there_are_no_frames() -> None:
    assert frames((), (box(0, 0, 65, 60),)) == ([], [])


# ---- setting


def setter(family: str | None = None, language: str = "en") -> TextSetter:
    own = {f"own-{style}": Font(f"own-{style}", icon_font().path) for style in ("regular", "bold")}
    return TextSetter(own, family, Hyphenator(language))


def runs(ops: tuple[Op, ...]) -> list[tuple[str, str]]:
    return [(op.font, op.text) for op in walk(ops) if isinstance(op, DrawGlyphs)]


def test_texts_wrap_and_long_words_are_broken() -> None:
    strip = setter().set_text([Stretch("one", bold=True), Stretch("two " * 10 + "x" * 100)], 90, 10)
    fonts = [font for font, _ in runs(strip.ops)]
    assert (fonts[0], fonts[1]) == ("words-bold", "words-regular")
    lines = {round(op.y, 2) for op in strip.ops if isinstance(op, DrawGlyphs)}
    assert strip.height == pytest.approx(len(lines) * 10 * 1.3 * 25.4 / 72)
    assert "".join(text for _, text in runs(strip.ops)).count("x") == 100


def test_lines_start_at_the_right_in_a_language_from_right_to_left() -> None:
    ((left,), (right,)) = (
        [op.x for op in walk(setter(language=code).set_text("one", 90, 10).ops)
         if isinstance(op, DrawGlyphs)] for code in ("en", "he")
    )  # fmt: skip
    assert left == 0
    assert 80 < right < 90
    assert setter(language="he").left_of(10, 20, 90) == 60
    assert setter().left_of(10, 20, 90) == 10


def test_what_the_bundled_font_lacks_is_set_in_the_games_own() -> None:
    sword = "\U000f18be"
    assert runs(setter("own").set_text(sword, 50, 10).ops) == [("own-regular", sword)]
    assert runs(setter().set_text(f"a{sword}b", 50, 10).ops) == [("words-regular", "a?b")]
    assert runs(setter("own").set_text("plain", 50, 10).ops) == [("words-regular", "plain")]


# ---- whole games


GAMES = [*sorted(f"examples/{path.parent.name}" for path in ROOT.glob("examples/*/xml")), "."]


@pytest.mark.corpus(9)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_compared_with_itself_has_not_changed(name: str, run: Run, tmp_path: Path) -> None:
    for folder in ("xml", "img", "templates"):
        if (ROOT / name / folder).is_dir():
            shutil.copytree(ROOT / name / folder, tmp_path / folder)
    assert diff_lines(run, str(ROOT / name), str(tmp_path)) == []
