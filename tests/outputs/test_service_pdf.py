"""PDFs for print services: their pages, inks and letters, and what is transparent."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageCms
from pypdf import PdfReader

from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, Gradient, Group, Op
from deckwright.ops.outlines import rectangle
from deckwright.outputs.press.icc import BUNDLED, find_profile, read_profile
from deckwright.outputs.press.inks import FULL_INK, InkConverter
from deckwright.outputs.press.plates import find_black
from icc import press_profile
from print_shop import find_transparency, hide_profiles, open_rgb, open_shop, write_poker_game
from support import HalfEm

MM = 72 / 25.4


@pytest.fixture(autouse=True)
def _no_profiles(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path_factory.mktemp("share"), monkeypatch)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return open_shop(tmp_path / "game", monkeypatch)


def operations(pdf: pikepdf.Pdf) -> Iterator[tuple[str, list[float]]]:
    """Yield all operators of a PDF, those in forms too, with the numbers before them."""
    forms = [
        item
        for item in pdf.objects
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
    ]
    for content in (*pdf.pages, *forms):
        for operands, operator in pikepdf.parse_content_stream(content):
            numbers = [float(o) for o in operands if isinstance(o, (int, float)) or _is_number(o)]
            yield str(operator), numbers


def _is_number(operand: object) -> bool:
    return type(operand).__name__ == "Decimal"


def streams(pdf: pikepdf.Pdf, subtype: str) -> list[Any]:
    return [
        item
        for item in pdf.objects
        if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == subtype
    ]


@pytest.fixture
def dtc(game: Path, run: Run) -> Path:
    """The PDF of the deck for DriveThruCards."""
    result = run("export", "dtc", "hill", "--no-tokens", "--icc", "press.icc")
    assert result.exit_code == 0, result.stderr
    return game / "out" / "dtc_hill.pdf"


def test_pages_of_dtc_are_back_and_face_of_each_copy_by_turns(dtc: Path) -> None:
    pages = [page.extract_text() for page in PdfReader(dtc).pages]
    assert pages == ["REVERSE", "Ant", "REVERSE", "Ant", "REVERSE", "Queen"]


def test_a_page_of_dtc_is_a_poker_card_with_an_eighth_of_an_inch(dtc: Path) -> None:
    for page in PdfReader(dtc).pages:
        assert [float(n) for n in page.mediabox] == pytest.approx([0, 0, 2.75 * 72, 3.75 * 72])
        assert [float(n) for n in page.bleedbox] == pytest.approx([0, 0, 2.75 * 72, 3.75 * 72])
        assert [float(n) for n in page.trimbox] == pytest.approx([9, 9, 189, 261])


def test_colors_of_dtc_are_inks_within_the_limit(dtc: Path) -> None:
    with pikepdf.open(dtc) as pdf:
        found = list(operations(pdf))
    names = {name for name, _ in found}
    assert names.isdisjoint(
        {"rg", "RG", "g", "G", "cs", "CS", "sc", "scn", "SC", "SCN", "gs", "ri"}
    )
    inks = [sum(numbers) for name, numbers in found if name in {"k", "K"}]
    assert max(inks) <= 2.4
    # The dark bar would have taken far more.
    assert max(inks) > 2.3


def test_dark_letters_are_black_alone(dtc: Path) -> None:
    with pikepdf.open(dtc) as pdf:
        found = list(operations(pdf))
    inside, inks = False, set()
    for name, numbers in found:
        inside = name == "BT" or (inside and name != "ET")
        if inside and name == "k":
            inks.add(tuple(numbers))
    assert {ink[:3] for ink in inks} == {(0, 0, 0)}
    assert max(ink[3] for ink in inks) > 0.85


def test_a_pdf_for_the_press_has_what_pdfx_1a_asks_for(dtc: Path) -> None:
    """No checker of PDF/X is free software; these are the demands of ISO 15930-4 that we know."""
    with pikepdf.open(dtc) as pdf:
        assert pdf.pdf_version == "1.4"
        assert not pdf.is_encrypted
        assert len(pdf.trailer.ID) == 2
        for key in ("/Title", "/CreationDate", "/ModDate", "/Trapped"):
            assert key in pdf.docinfo
        assert pdf.docinfo["/Trapped"] == "/False"
        (intent,) = pdf.Root.OutputIntents
        assert intent.S == "/GTS_PDFX"
        assert str(intent.OutputConditionIdentifier)
        assert str(intent.Info) == "Press for tests"
        assert intent.DestOutputProfile.N == 4
        assert intent.DestOutputProfile.read_bytes() == press_profile()
        for key in ("/AA", "/OpenAction", "/Names", "/AcroForm", "/OCProperties"):
            assert key not in pdf.Root
        for page in pdf.pages:
            assert "/Annots" not in page
            assert "/Group" not in page
        for states in states_of(pdf):
            assert {key for state in states.values() for key in state} <= {"/OP", "/op", "/OPM"}
        for image in streams(pdf, "/Image"):
            assert "/SMask" not in image
        fonts = [
            o
            for o in pdf.objects
            if isinstance(o, pikepdf.Dictionary) and o.get("/Subtype") == "/Type0"
        ]
        assert fonts
        assert all("/FontFile2" in font.DescendantFonts[0].FontDescriptor for font in fonts)


def states_of(pdf: pikepdf.Pdf) -> list[Any]:
    """Return the graphics states that pages and forms may set."""
    holders = [*pdf.pages, *streams(pdf, "/Form")]
    found = [holder.Resources.get("/ExtGState") for holder in holders if "/Resources" in holder]
    return [states for states in found if states is not None]


@pytest.mark.parametrize("service", ["dtc", "mbprint"])
def test_black_letters_and_lines_are_printed_over_the_ground(
    service: str, game: Path, run: Run
) -> None:
    face = game / "templates" / "card.xml"
    edit(
        face,
        "</face>",
        """<line x1="6" y1="60" x2="40" y2="60" stroke="#000000" stroke-width="0.3"/>
        <rect x="6" y="70" width="9" height="9" fill="#000000"/>
        <text x="6" y="50" width="50" height="9" fill="#ffffff">light</text></face>""",
    )
    edit(face, "#181818", "#000000")
    assert run("export", service, "hill", "--only", "A1,A2").exit_code == 0
    over = {True: set[str](), False: set[str]()}
    with pikepdf.open(game / "out" / f"{service}_hill.pdf") as pdf:
        for holder in (*pdf.pages, *streams(pdf, "/Form")):
            states = holder.Resources.get("/ExtGState") or {}
            stack, now, inks = list[dict[str, object]](), dict[str, object](), ""
            for operands, operator in pikepdf.parse_content_stream(holder):
                name = str(operator)
                if name == "q":
                    stack.append(dict(now))
                elif name == "Q":
                    now = stack.pop()
                elif name == "gs":
                    now.update(dict(states[str(operands[0])].items()))
                elif name in {"k", "K"}:
                    inks = " ".join(f"{float(ink):g}" for ink in operands)
                elif name in {"f", "f*", "S", "Tj", "TJ"}:
                    keys = ("/op", "/OP", "/OPM") if now else ()
                    over[bool(keys) and all(now.get(key) for key in keys)].add(f"{name} {inks}")
    letters = "Tj 0 0 0 1" if service == "dtc" else "f 0 0 0 1"
    assert {letters, "S 0 0 0 1"} <= over[True]
    assert {each.split(" ", 1)[1] for each in over[True]} == {"0 0 0 1"}
    assert any(each.endswith(" 0 0 0 0") for each in over[False]), "white is left out of the ground"
    assert any(each.startswith("f ") and not each.startswith("f 0 0 0 ") for each in over[False])


def test_black_is_printed_over_as_much_ink_as_leaves_room_for_it() -> None:
    def over(*ground: Op, text: float = 10) -> bool:
        letters = DrawGlyphs("text-regular", 3, text, 20, "abc", (), "#000000")
        face = Face(60, 80, (*ground, letters))
        return id(letters) in find_black(face, inks, HalfEm()).over

    inks = InkConverter(BUNDLED.read_bytes(), 240)
    heavy, light, panel = rectangle(0, 0, 60, 80), rectangle(0, 0, 60, 80), rectangle(5, 5, 50, 70)
    assert sum(inks.convert_color("#1f2a6b").cmyk[:3]) > 1.4 * 255
    assert over()
    assert over(FillPath(light, "#f0e0c0"))
    assert not over(FillPath(heavy, "#1f2a6b"))
    assert over(FillPath(heavy, "#1f2a6b"), FillPath(panel, "#f0e0c0"))
    assert not over(FillPath(heavy, "#1f2a6b"), FillPath(panel, "#f0e0c0"), text=3)
    colors = Gradient((0, 0), (60, 0), ((0, "#ffffff"), (1, "#1f2a6b")))
    assert not over(FillPath(light, colors))
    pale = Gradient((0, 0), (60, 0), ((0, "#ffffff"), (1, "#f0e0c0")))
    assert over(FillPath(heavy, "#1f2a6b"), FillPath(panel, pale)), "a gradient hides its ground"
    assert not over(FillPath(heavy, "#1f2a6b"), FillPath(panel, colors))
    veil = Group((FillPath(panel, "#f0e0c0"),), opacity=0.3)
    assert not over(FillPath(heavy, "#1f2a6b"), veil), "what is seen through hides nothing"
    # Between two colors that both leave room lies one that does not.
    ends = ("#404040", "#00ff80")
    assert all(over(FillPath(light, color)) for color in ends)
    crossed = Gradient((0, 0), (60, 0), ((0, ends[0]), (1, ends[1])))
    assert not over(FillPath(light, crossed))
    assert not over(DrawImage(Path("photo.jpg"), Box(0, 0, 60, 80), cover=True))


def test_black_fills_the_limit_of_ink_to_the_last_drop() -> None:
    inks = InkConverter(BUNDLED.read_bytes(), 240)
    letters = DrawGlyphs("text-regular", 3, 10, 20, "abc", (), "#000000")
    room = 140 * FULL_INK // 100
    colors = (f"#{red:02x}40{blue:02x}" for red in range(32) for blue in range(0x60, 0x80))
    grounds = {sum(inks.convert_color(color).cmyk[:3]): color for color in colors}
    for colored, fits in ((room, True), (room + 1, False)):
        ground = FillPath(rectangle(0, 0, 60, 80), grounds[colored])
        over = find_black(Face(60, 80, (ground, letters)), inks, HalfEm()).over
        assert (id(letters) in over) is fits


def test_black_is_not_compared_with_the_black_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[Box] = []
    touches = Box.touches

    def counted(box: Box, other: Box) -> bool:
        compared.append(box)
        return touches(box, other)

    monkeypatch.setattr(Box, "touches", counted)
    ground = FillPath(rectangle(0, 0, 60, 80), "#f0e0c0")
    letters = [DrawGlyphs("text-regular", 3, 9, row, "abc", (), "#000000") for row in range(50)]
    inks = InkConverter(BUNDLED.read_bytes(), 240)
    assert len(find_black(Face(60, 80, (ground, *letters)), inks, HalfEm()).over) == 50
    assert len(compared) == 50


def test_a_pdf_says_that_it_is_pdfx_only_if_it_is_told_to(game: Path, run: Run, dtc: Path) -> None:
    with pikepdf.open(dtc) as pdf:
        assert "/GTS_PDFXVersion" not in pdf.docinfo
    told = run("export", "dtc", "hill", "--icc", "press.icc", "--state-pdfx", "-o", "told")
    assert told.exit_code == 0
    with pikepdf.open(game / "told" / "dtc_hill.pdf") as pdf:
        assert pdf.docinfo["/GTS_PDFXVersion"] == "PDF/X-1a:2003"
        assert pdf.docinfo["/Trapped"] == "/False"


def test_without_a_profile_of_the_users_the_bundled_one_is_taken(game: Path, run: Run) -> None:
    for service in ("dtc", "mbprint"):
        made = run("export", service, "hill")
        assert made.exit_code == 0, made.stderr
        assert made.stderr == ""
        assert "FOGRA39 coated (Deckwright)" in made.stdout
        with pikepdf.open(game / "out" / f"{service}_hill.pdf") as pdf:
            (intent,) = pdf.Root.OutputIntents
            assert intent.DestOutputProfile.read_bytes() == BUNDLED.read_bytes()


def test_the_bundled_profile_prints_as_its_measurements_say() -> None:
    profile = find_profile((), [])
    assert profile.path == BUNDLED
    assert len(profile.data) < 250_000
    assert b"zlib licence" in profile.data
    opened, lab = ImageCms.ImageCmsProfile(io.BytesIO(profile.data)), ImageCms.createProfile("LAB")
    absolute = ImageCms.Intent.ABSOLUTE_COLORIMETRIC
    to_lab = ImageCms.buildTransform(opened, lab, "CMYK", "LAB", absolute)
    # Paper, the four inks in full, and red, of the measurements: L*, a*, b*.
    for inks, measured in (
        ((0, 0, 0, 0), (95, 0, -2)),
        ((255, 0, 0, 0), (55, -37, -50)),
        ((0, 255, 0, 0), (48, 74, -3)),
        ((0, 0, 255, 0), (89, -5, 93)),
        ((0, 0, 0, 255), (16, 0, 0)),
        ((0, 255, 255, 0), (47, 68, 48)),
    ):
        dot = ImageCms.applyTransform(Image.new("CMYK", (1, 1), inks), to_lab)
        assert dot is not None
        light, *colors = dot.tobytes()
        found = (light * 100 / 255, *(c - 256 if c > 127 else c for c in colors))
        assert found == pytest.approx(measured, abs=2.5), inks


def test_no_profile_is_an_error_where_cmyk_is_wanted_and_rgb_elsewhere(
    game: Path, run: Run
) -> None:
    refused = run("export", "dtc", "hill", "--icc", "none")
    assert "error E037" in refused.stderr
    assert refused.exit_code == 1
    taken = run("export", "mbprint", "hill", "--icc", "none")
    assert taken.stderr == ""
    assert taken.exit_code == 0
    assert [path.name for path in (game / "out").iterdir()] == ["mbprint_hill.pdf"]
    with pikepdf.open(game / "out" / "mbprint_hill.pdf") as pdf:
        assert "rg" in {name for name, _ in operations(pdf)}
        assert "/OutputIntents" not in pdf.Root


def test_pages_of_mbprint_are_face_and_back_with_3_mm_and_no_fonts(game: Path, run: Run) -> None:
    assert run("export", "mbprint", "hill", "--icc", "none").exit_code == 0
    reader = PdfReader(game / "out" / "mbprint_hill.pdf")
    assert len(reader.pages) == 2 * (3 + 5)
    for page in reader.pages:
        assert float(page.mediabox.width) == pytest.approx((63.5 + 6) * MM, abs=0.01)
        assert float(page.trimbox.left) == pytest.approx(3 * MM, abs=0.01)
        assert float(page.trimbox.height) == pytest.approx(88.9 * MM, abs=0.01)
        assert page.extract_text() == ""
    with pikepdf.open(game / "out" / "mbprint_hill.pdf") as pdf:
        types = [item.get("/Type") for item in pdf.objects if isinstance(item, pikepdf.Dictionary)]
    assert "/Page" in types
    assert "/Font" not in types
    with pypdfium2.PdfDocument(game / "out" / "mbprint_hill.pdf") as drawn:
        grounds = [drawn[n].render().to_pil().convert("RGB").getpixel((5, 5)) for n in range(4)]
    assert grounds == [(0, 128, 128), (122, 31, 31)] * 2


def test_pages_of_meinspiel_are_inks_without_fonts_as_pdfx_4(run: Run, tmp_path: Path) -> None:
    folder = write_poker_game(tmp_path / "small", width=59, height=91)
    result = run("export", "meinspiel", "hill", "--only", "A1", "-g", str(folder))
    assert result.exit_code == 0, result.stderr
    reader = PdfReader(folder / "out" / "meinspiel_hill.pdf")
    assert reader.pdf_header == "%PDF-1.6"
    for page in reader.pages:
        assert float(page.mediabox.width) == pytest.approx(65 * MM, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(97 * MM, abs=0.01)
        assert page.extract_text() == ""
        assert not re.search(rb"\s(rg|RG|g|G)\s", page.get_contents().get_data())  # type: ignore[union-attr]


def test_letters_as_outlines_look_like_letters(game: Path, run: Run) -> None:
    assert run("export", "mbprint", "hill", "--icc", "none", "--only", "A2").exit_code == 0
    assert run("export", "png", "A2", "--bleed", "3mm", "-o", "png").exit_code == 0
    expected = open_rgb(game / "png" / "A2.png")
    with pypdfium2.PdfDocument(game / "out" / "mbprint_hill.pdf") as pdf:
        page = pdf[0].render(scale=300 / 72).to_pil().convert("RGB").resize(expected.size)
    letters = (70, 70, 680, 300)

    def inked(picture: Image.Image) -> Image.Image:
        return picture.crop(letters).convert("L").point(lambda light: 255 * (light < 60))

    there = inked(expected).histogram()[255]
    off = ImageChops.difference(inked(page), inked(expected)).histogram()[255]
    assert there > 500
    assert off < 0.4 * there


def test_the_same_deck_gives_the_same_bytes(game: Path, run: Run) -> None:
    for out in ("one", "two"):
        assert run("export", "dtc", "hill", "--icc", "press.icc", "-o", out).exit_code == 0
        assert run("export", "mpc", "hill", "-o", out).exit_code == 0
    files = [path.relative_to(game / "one") for path in (game / "one").rglob("*.*")]
    assert len(files) > 5
    for path in files:
        assert (game / "one" / path).read_bytes() == (game / "two" / path).read_bytes(), path


def test_a_veil_over_one_color_becomes_that_mix(game: Path, run: Run) -> None:
    veil = '<rect width="70" height="90" fill="#204060"/>'
    veil += '<g opacity="0.25"><circle cx="30" cy="40" r="12" fill="#ffffff"/></g>'
    (game / "templates" / "card.xml").write_text(f"<face>{veil}</face>", encoding="utf-8")
    result = run("export", "mbprint", "hill", "--icc", "none")
    assert (result.exit_code, "E039" in result.stderr) == (0, False)
    with pikepdf.open(game / "out" / "mbprint_hill.pdf") as pdf:
        colors = {tuple(numbers) for name, numbers in operations(pdf) if name == "rg"}
        assert streams(pdf, "/Image") == []
        assert all("/ExtGState" not in page.Resources for page in pdf.pages)
    mixed = tuple(round((c + (255 - c) / 4) / 255, 3) for c in (0x20, 0x40, 0x60))
    assert any(color == pytest.approx(mixed, abs=0.005) for color in colors)


GRADED = """<face>
  <rect width="63.5" height="88.9" fill="#203040"/>
  <rect y="30" width="63.5" height="30" fill="#802020"/>
  <text x="8" y="8" width="40" height="12" fill="#ffffff">{{ card.name }}</text>
  <g opacity="0.6"><circle cx="32" cy="45" r="20" fill="#f0f0a0"/></g>
  <text x="20" y="42" width="24" height="8" fill="#000000">above</text>
</face>
"""


def test_a_veil_over_several_colors_becomes_pixels_there_alone(game: Path, run: Run) -> None:
    (game / "templates" / "card.xml").write_text(GRADED, encoding="utf-8")
    result = run("export", "dtc", "hill", "--icc", "press.icc", "--only", "A1")
    assert result.exit_code == 0, result.stderr
    assert "E039" not in result.stderr
    pdf_path = game / "out" / "dtc_hill.pdf"
    assert PdfReader(pdf_path).pages[1].extract_text().split() == ["Ant", "above"]
    with pikepdf.open(pdf_path) as pdf:
        (image,) = streams(pdf, "/Image")
        assert image.ColorSpace == "/DeviceCMYK"
        # A circle of 40 mm at 300 dpi, and not the whole card.
        assert int(image.Width) == pytest.approx(40 / 25.4 * 300, abs=3)
        data = image.read_bytes()
        assert max(sum(data[n : n + 4]) for n in range(0, len(data), 4)) <= 2.4 * 255
    assert run("export", "mbprint", "hill", "--icc", "none", "--only", "A1").exit_code == 0
    assert run("export", "png", "A1", "--bleed", "3mm", "-o", "png").exit_code == 0
    expected = open_rgb(game / "png" / "A1.png")
    with pypdfium2.PdfDocument(game / "out" / "mbprint_hill.pdf") as flat:
        page = flat[0].render(scale=300 / 72).to_pil().convert("RGB").resize(expected.size)
    off = ImageChops.difference(page, expected).convert("L").point(lambda v: 255 * (v > 40))
    assert off.histogram()[255] < 0.004 * expected.width * expected.height


def test_a_photo_becomes_a_jpeg_in_inks_within_the_limit(game: Path, run: Run) -> None:
    (game / "img").mkdir()
    noise = Image.frombytes("RGB", (300, 300), random.Random(7).randbytes(270_000))
    noise = noise.resize((900, 900))
    noise.point(lambda channel: channel // 3).save(game / "img" / "dark.jpg", quality=95)
    face = '<rect width="63.5" height="88.9" fill="#203040"/>'
    face += '<image href="dark.jpg" x="10" y="20" width="40" height="40" fit="cover"/>'
    (game / "templates" / "card.xml").write_text(f"<face>{face}</face>", encoding="utf-8")
    result = run("export", "dtc", "hill", "--icc", "press.icc", "--only", "A1")
    assert result.exit_code == 0, result.stderr
    assert (
        "warning E038: card `A1`: the image `dark.jpg` needs more than 240 % of ink"
        in result.stderr
    )
    with pikepdf.open(game / "out" / "dtc_hill.pdf") as pdf:
        (image,) = streams(pdf, "/Image")
        assert (image.ColorSpace, int(image.Width)) == ("/DeviceCMYK", 472)
        assert "/DCTDecode" in str(image.Filter)
        with Image.open(io.BytesIO(image.read_raw_bytes())) as photo:
            data = photo.tobytes()
    assert max(sum(data[n : n + 4]) for n in range(0, len(data), 4)) <= 2.4 * 255


def test_of_the_system_only_profiles_with_a_registered_condition_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    assert find_profile(("SWOP",), []).path == BUNDLED
    folder = tmp_path / "share" / "color" / "icc" / "deep"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "share"))
    swop, gracol = "U.S. Web Coated (SWOP) v2", "GRACoL2006_Coated1"
    for name in ("Aaa", "Other SWOP", gracol, "Coated FOGRA39", swop):
        (folder / f"{name}.icc").write_bytes(press_profile(name))
    (folder / "broken.icc").write_bytes(press_profile()[:400])
    (folder / "empty.icm").write_bytes(b"")
    for words, name in (
        (("SWOP",), swop),
        (("gracol", "fogra39"), gracol),
        (("fogra39", "swop"), "FOGRA39 coated (Deckwright)"),
        (("other",), "FOGRA39 coated (Deckwright)"),
        (("fogra39",), "FOGRA39 coated (Deckwright)"),
        (("newsprint",), "FOGRA39 coated (Deckwright)"),
        ((), "FOGRA39 coated (Deckwright)"),
    ):
        report: Report = []
        profile = find_profile(words, report)
        assert profile.name == name
        assert [found.code.id for found in report] == ["E043"] * (profile.path != BUNDLED)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "there is no such ICC profile"),
        (b"", "not an ICC profile"),
        (b"x" * 200, "not an ICC profile"),
        (press_profile().replace(b"CMYK", b"RGB ", 1), "for RGB colors, not for CMYK"),
        (press_profile().replace(b"prtr", b"mntr", 1), "not for a printing condition"),
        (press_profile()[:300], "damaged"),
        (press_profile().replace(b"mft2", b"mftX"), "damaged"),
    ],
)
def test_a_file_that_is_no_profile_is_told(
    data: bytes | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "press.icc"
    if data is not None:
        path.write_bytes(data)
    report: Report = []
    assert read_profile(path, report) is None
    assert [finding.code.id for finding in report] == ["E040"]
    assert message in report[0].message


SHADED = """<face>
  <rect width="63.5" height="88.9" fill="linear-gradient(#a0c0e0, #f0e0c0)"/>
  <shadow dx="1" dy="1" blur="2">
    <rect x="8" y="10" width="40" height="14" rx="2" fill="#ffffff"/>
  </shadow>
  <text x="10" y="12" width="36" height="10" fill="#000000">{{ card.name }}</text>
  <image href="hill.svg" x="8" y="40" width="48" height="40" palette="grass: #2a7a3a"/>
</face>
"""
HILL = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 40" style="--grass: #888888">
  <linearGradient id="a" x2="0" y2="1"><stop stop-color="#f0f0a0"/><stop offset="1"
    stop-color="var(--grass)"/></linearGradient>
  <radialGradient id="sun"><stop stop-color="#ffffff"/><stop offset="1" stop-color="#f0a020"/>
  </radialGradient>
  <clipPath id="c"><path d="M0 0H48V30H0Z"/></clipPath>
  <ellipse cx="30" cy="10" rx="9" ry="6" fill="url(#sun)"/>
  <g clip-path="url(#c)"><circle cx="20" cy="44" r="34" fill="url(#a)"/></g>
  <path d="M0 26H48V34H0Z" fill="#ffffff" opacity="0.4"/>
</svg>
"""


def test_a_soft_shadow_becomes_pixels_around_it_within_the_inks(game: Path, run: Run) -> None:
    """The outermost step of the shadow is 1.5 mm larger than the panel, on all sides."""
    face = SHADED.replace("#a0c0e0, #f0e0c0", "#101830, #301010")
    face = "".join(line for line in face.splitlines(keepends=True) if "<image" not in line)
    (game / "templates" / "card.xml").write_text(face, encoding="utf-8")
    result = run("export", "dtc", "hill", "--icc", "press.icc", "--only", "A1")
    assert (result.exit_code, "E039" in result.stderr) == (0, False)
    path = game / "out" / "dtc_hill.pdf"
    with pikepdf.open(path) as pdf:
        (image,) = streams(pdf, "/Image")
        assert image.ColorSpace == "/DeviceCMYK"
        assert int(image.Width) == pytest.approx(43 / 25.4 * 300, abs=2)
        assert int(image.Height) == pytest.approx(17 / 25.4 * 300, abs=2)
        data = image.read_bytes()
        assert 2 * 255 < max(sum(data[n : n + 4]) for n in range(0, len(data), 4)) <= 2.4 * 255
        assert find_transparency(pdf) == []
    assert PdfReader(path).pages[1].extract_text().split() == ["Ant"]
    assert path.stat().st_size < 60_000


def test_shadows_and_gradients_of_drawings_look_as_they_do_elsewhere(game: Path, run: Run) -> None:
    (game / "img").mkdir()
    (game / "img" / "hill.svg").write_text(HILL, encoding="utf-8")
    (game / "templates" / "card.xml").write_text(SHADED, encoding="utf-8")
    assert run("export", "dtc", "hill", "--icc", "press.icc", "--only", "A1").exit_code == 0
    with pikepdf.open(game / "out" / "dtc_hill.pdf") as pdf:
        names = {name for name, _ in operations(pdf)}
        assert "gs" not in names
        assert {"rg", "RG"}.isdisjoint(names)
    assert run("export", "mbprint", "hill", "--icc", "none", "--only", "A1").exit_code == 0
    assert run("export", "png", "A1", "--bleed", "3mm", "-o", "png").exit_code == 0
    expected = open_rgb(game / "png" / "A1.png")
    with pypdfium2.PdfDocument(game / "out" / "mbprint_hill.pdf") as flat:
        page = flat[0].render(scale=300 / 72).to_pil().convert("RGB").resize(expected.size)
    off = ImageChops.difference(page, expected).convert("L").point(lambda v: 255 * (v > 40))
    assert off.histogram()[255] < 0.004 * expected.width * expected.height
