from __future__ import annotations

import datetime as dt
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, cast
from xml.sax.saxutils import escape

import pikepdf
import pypdfium2
import pytest
from pypdf import PageObject, PdfReader

from conftest import ROOT, Run
from deckwright.base.colors import rgb
from deckwright.base.findings import Report
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import count_tokens
from deckwright.game.folder import GameFolder
from deckwright.paint.pdf.objects import PdfFile
from deckwright.text.fonts import load_fonts
from deckwright.text.shaping import HarfBuzzMetrics
from support import (
    card,
    line,
    load_all,
    load_deck,
    page_texts,
    print_deck,
    run_program,
    texts,
    write_game,
)

pytestmark = pytest.mark.usefixtures("shipped_checked")

MM = 72 / 25.4
SAMPLES = ["army_HK_1", "army_ZK_1"]


def build(target: Path, deck: str, **environment: str) -> bytes:
    """Print a deck of the shipped game in a process of its own, with all pages that it can have."""
    command = [sys.executable, "-m", "deckwright", "deck", deck, "--quiet", "--out", str(target)]
    command.append("--reference")
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True, timeout=300)
    return target.read_bytes()


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pdf")
    for name in SAMPLES:
        build(folder / f"{name}.pdf", name)
    return {name: folder / f"{name}.pdf" for name in SAMPLES}


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest, samples: dict[str, Path]) -> PdfReader:
    return PdfReader(samples[request.param])


def fonts_of(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """Return all fonts of a PDF by name, those that only a form uses too."""
    return {
        str(item.BaseFont): item
        for item in pdf.objects
        if isinstance(item, pikepdf.Dictionary) and item.get("/Subtype") == "/Type0"
    }


def test_every_page_is_a4(sample: PdfReader) -> None:
    for page in sample.pages:
        assert float(page.mediabox.width) == pytest.approx(210 * MM, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(297 * MM, abs=0.01)
        assert page.rotation == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_nine_cards_stand_on_a_sheet_and_the_rules_follow(
    samples: dict[str, Path], name: str
) -> None:
    first, *sheets, last = PdfReader(samples[name]).pages
    game = load_all(ROOT)
    deck = load_deck(ROOT, game, name)
    counts = [entry.copies for entry in deck.entries]
    counts += [count.copies for count in count_tokens(game, deck)]
    assert len(sheets) == math.ceil(sum(counts) / 9)
    placed = [len(forms_used(page)) for page in sheets]
    assert all(number <= 9 for number in placed)
    assert sum(placed) == sum(counts)
    assert (len(forms_used(first)), len(forms_used(last))) == (0, 0)
    assert "Deckliste" in first.extract_text()
    assert "Sonderregeln" in last.extract_text()


def forms_used(page: PageObject) -> list[str]:
    """Return the names of the forms that a page shows, as often as it does."""
    forms = cast("dict[str, Any]", page["/Resources"]).get("/XObject", {})
    contents = page.get_contents()
    assert contents is not None
    names = [str(operands[0]) for operands, operator in contents.operations if operator == b"Do"]
    return [name for name in names if forms[name].get_object()["/Subtype"] == "/Form"]


@pytest.mark.parametrize(
    ("name", "repeated"),
    [
        ("army_HK_1", [1] * 5 + [2, 2, 4, 2, 3, 2, 3, 3, 2]),
        ("army_ZK_1", [1] * 4 + [3, 4, 4, 2, 2, 4, 2, 3]),
    ],
)
def test_a_repeated_face_is_one_form_for_all_its_copies(
    samples: dict[str, Path], name: str, repeated: list[int]
) -> None:
    reader = PdfReader(samples[name])
    shown = Counter(form for page in reader.pages for form in forms_used(page))
    assert sorted(shown.values()) == sorted(repeated)


def test_a_short_face_that_is_printed_once_goes_into_its_page(tmp_path: Path) -> None:
    cards = [card("A1", "Ant"), card("A2", "Bee"), card("A3", "Fly")]
    write_game(tmp_path, cards, decks={"deck": [line("A1"), line("A2", 2), line("A3")]})
    print_deck(tmp_path, "deck", tmp_path / "deck.pdf")
    (page,) = PdfReader(tmp_path / "deck.pdf").pages
    assert len(forms_used(page)) == 2
    words = page.extract_text().split()
    assert [words.count(name) for name in ("Ant", "Bee", "Fly")] == [1, 2, 1]


def test_every_copy_of_every_card_can_be_found(samples: dict[str, Path]) -> None:
    text = " ".join(page_texts(samples["army_HK_1"])[1:5])
    copies = {"Elitesoldat": 0, "Held": 1, "Wehrpflichtiger": 1, "Soldat": 4}
    # A name and the motto just below it are read without a space.
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("-", " ")).split()
    assert {name: words.count(name) for name in copies} == copies
    # Each copy has the name of its faction.
    assert words.count("Kaiserreich") == 25


def test_all_fonts_are_embedded_and_subset(samples: dict[str, Path]) -> None:
    for path in samples.values():
        with pikepdf.open(path) as pdf:
            fonts = fonts_of(pdf)
            assert fonts
            for name, font in fonts.items():
                assert name[1:7].isupper(), name
                assert name[7] == "+", name
                assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor, name
                assert "/ToUnicode" in font, name
                assert "Helvetica" not in name


def test_text_can_be_searched_and_copied(run: Run, tmp_path: Path) -> None:
    names = [
        "Ärger mit Öl",
        "Übergrößenstraße",
        "GROẞE „Quatsche“ – −5",
        "Flink & fix <3>",
        "AVATAR",
    ]
    cards = [card(f"A{number}", escape(name)) for number, name in enumerate(names)]
    lines = [line(f"A{number}") for number in range(len(names))]
    game = write_game(tmp_path, cards, decks={"deck": lines})
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    text = " ".join(page_texts(game / "out" / "deck_deck.pdf"))
    assert [name for name in names if name not in text] == []


def test_kerned_text_is_as_wide_as_it_was_measured(tmp_path: Path) -> None:
    name = "AVATAVAWAYTYPE"
    write_game(tmp_path, [card("A1", name)], decks={"deck": [line("A1")]})
    printed, _ = print_deck(tmp_path, "deck", tmp_path / "x.pdf")
    assert printed is not None
    fonts = load_fonts(load_all(tmp_path).setup, GameFolder(tmp_path), [])
    shaped = HarfBuzzMetrics({font.id: font for font in fonts.values()}).shape("text-regular", name)
    assert sum(shaped.kerns) < -150
    with pypdfium2.PdfDocument(tmp_path / "x.pdf") as document:
        page = document[0].get_textpage()
        place = page.get_text_range().index(name)
        left, *_ = page.get_charbox(place, loose=True)
        _, _, right, _ = page.get_charbox(place + len(name) - 1, loose=True)
        page.close()
    assert right - left == pytest.approx(shaped.width * 9, abs=0.3)  # it is set in 9 points


@pytest.mark.parametrize(
    "character", ["\N{SOFT HYPHEN}", "\N{ZERO WIDTH SPACE}", "\ufeff", "\u200d"]
)
def test_a_character_without_a_shape_is_not_printed(tmp_path: Path, character: str) -> None:
    game = load_all(write_game(tmp_path, [card("A1", f"Zei{character}tung")]))
    report: Report = []
    factory = FaceFactory(game, GameFolder(tmp_path), report)
    face = factory.card_face(game.cards["AA", "A1"], "AA", report)
    assert face is None or texts(face.ops) == ["Zeitung"]
    assert (face is None) == bool(report)


def test_the_metadata_say_what_it_is(samples: dict[str, Path]) -> None:
    reader = PdfReader(samples["army_HK_1"])
    info = reader.metadata
    assert info is not None
    assert info.title == "Eiserne Disziplin – Kaiserreich"
    assert info.subject == "Drei Reihen"
    assert str(info.creator).startswith("Deckwright ")
    assert str(reader.root_object["/Lang"]) == "de"
    assert "/PageLabels" in reader.root_object
    assert reader.page_labels == [str(number) for number in range(1, len(reader.pages) + 1)]


def test_the_author_is_the_games(run: Run, tmp_path: Path) -> None:
    game = write_game(tmp_path, [card("A1", "Ant")], decks={"deck": [line("A1")]})
    path = game / "xml" / "game.xml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('language="en"', 'language="en" author="Zoë"'), encoding="utf-8")
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    info = PdfReader(game / "out" / "deck_deck.pdf").metadata
    assert info is not None
    assert info.author == "Zoë"


def test_bookmarks_lead_to_the_parts_of_the_deck(samples: dict[str, Path]) -> None:
    reader = PdfReader(samples["army_HK_1"])
    marks = [
        (item.title, reader.get_destination_page_number(item))
        for item in reader.outline
        if not isinstance(item, list)
    ]
    assert marks == [
        ("Deckliste", 0),
        ("Hauptdeck", 1),
        ("Nebendeck", 3),
        ("Sonderregeln", 5),
    ]


def test_the_file_is_without_fault(samples: dict[str, Path]) -> None:
    for path in samples.values():
        with pikepdf.open(path) as pdf:
            assert pdf.check_pdf_syntax() == []
            assert not pdf.is_encrypted


def test_two_builds_are_equal_in_every_byte(tmp_path: Path, samples: dict[str, Path]) -> None:
    again = build(tmp_path / "again.pdf", "army_HK_1", PYTHONHASHSEED="12345")
    assert again == samples["army_HK_1"].read_bytes()


def test_builds_of_one_process_are_equal_in_every_byte(
    run: Run, tmp_path: Path, samples: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert run("deck", *SAMPLES, "--reference", "--out", str(folder)).exit_code == 0
        for name in SAMPLES:
            assert (folder / f"deck_{name}.pdf").read_bytes() == samples[name].read_bytes()


def test_the_date_is_that_of_source_date_epoch(tmp_path: Path, samples: dict[str, Path]) -> None:
    stamp = dt.datetime(2021, 3, 4, 5, 6, 7, tzinfo=dt.UTC)
    data = build(tmp_path / "x.pdf", "army_HK_1", SOURCE_DATE_EPOCH=str(int(stamp.timestamp())))
    info = PdfReader(tmp_path / "x.pdf").metadata
    assert info is not None
    assert info.creation_date == stamp
    assert info.modification_date == stamp
    assert data != samples["army_HK_1"].read_bytes()


@pytest.mark.corpus(5)
@pytest.mark.parametrize("epoch", ["", "soon", "-1", "1.5", "99999999999999"])
def test_a_source_date_epoch_that_is_none_is_no_fault_of_ours(tmp_path: Path, epoch: str) -> None:
    target = tmp_path / "x.pdf"
    result = run_program("deck", "army_HK_1", "--out", target, cwd=ROOT, SOURCE_DATE_EPOCH=epoch)
    assert result.returncode in {0, 1, 2}, result.stderr
    assert (result.returncode == 0) == target.exists()


def test_cards_are_seen_in_their_slots(samples: dict[str, Path]) -> None:
    pixels_to_mm = 4
    document = pypdfium2.PdfDocument(samples["army_HK_1"])
    image = document[1].render(scale=pixels_to_mm / MM).to_pil().convert("RGB")
    document.close()

    def color(x: float, y: float) -> str:
        pixel = image.getpixel((round(x * pixels_to_mm), round(y * pixels_to_mm)))
        assert isinstance(pixel, tuple)
        return "#" + "".join(f"{channel:02x}" for channel in pixel)

    def is_foot(x: float, y: float) -> bool:
        """Return whether there is the band of a foot, which gets darker downwards."""
        return max(abs(a - b) for a, b in zip(rgb(color(x, y)), foot, strict=True)) <= 20

    foot = rgb(load_all(ROOT).factions["HK"].color)
    assert image.size == (pytest.approx(840, abs=1), pytest.approx(1188, abs=1))
    for row in range(3):
        for column in range(3):
            left, top = 7.5 + 65 * column, 13.5 + 90 * row
            assert is_foot(left + 3.2, top + 81.6)
            assert is_foot(left + 61.8, top + 81.6)
            assert is_foot(left + 32, top + 82)
    for x, y in ((3, 50), (207, 50), (100, 5), (100, 292)):
        assert color(x, y) == "#ffffff"


@pytest.mark.parametrize(
    ("columns", "gutter", "paper"), [(2, 2.25, 210), (3, 0.05, 195.1), (4, 7.125, 420.5)]
)
def test_cards_are_placed_to_a_hundredth_of_a_millimetre(
    run: Run, tmp_path: Path, columns: int, gutter: float, paper: float
) -> None:
    cards = [card(f"A{number}", f"Ant {number}") for number in range(1, 9)]
    lines = [line(f"A{number}") for number in range(1, 9)]
    game = write_game(tmp_path, cards, decks={"deck": lines})
    (game / "xml" / "sheets").mkdir()
    (game / "xml" / "sheets" / "own.xml").write_text(
        f'<sheet page-width="{paper}" page-height="297" columns="{columns}" rows="2" '
        f'slot-width="65" slot-height="90" gutter="{gutter}"/>',
        encoding="utf-8",
    )
    setup = game / "xml" / "game.xml"
    text = setup.read_text(encoding="utf-8")
    setup.write_text(text.replace('format="a4-65x90"', 'format="own"'), encoding="utf-8")
    result = run("deck", "deck", "--game", str(game))
    assert result.exit_code == 0, result.stderr
    left = (paper - columns * 65 - (columns - 1) * gutter) / 2
    top = (297 - 180 - gutter) / 2
    expected = [
        (left + column * (65 + gutter), top + row * (90 + gutter))
        for row in range(2)
        for column in range(columns)
    ]
    with pikepdf.open(game / "out" / "deck_deck.pdf") as pdf:
        content = pikepdf.parse_content_stream(pdf.pages[0])
        moves = [
            [float(str(number)) for number in operands]
            for operands, operator in content
            if str(operator) == "cm"
        ]
        data = pdf.pages[0].Contents.read_bytes()
    # Numbers such as 1e-14 are not PDF.
    assert re.search(rb"[0-9]e[-+]?[0-9]", data) is None
    # Cards that are printed once are moved to their slots.
    places = [tuple(move[4:]) for move in moves if move[:4] == [1, 0, 0, 1] and any(move[4:])]
    assert places == [pytest.approx(place, abs=0.005) for place in expected[:8]]


def test_an_empty_deck_is_a_pdf_or_is_reported(run: Run, tmp_path: Path) -> None:
    game = write_game(tmp_path, [card("A1", "Ant")], decks={"deck": []})
    result = run("deck", "deck", "--game", str(game), "--ignore-limits")
    path = game / "out" / "deck_deck.pdf"
    assert (result.exit_code == 0) == path.exists()
    if path.exists():
        assert len(PdfReader(path).pages) >= 1


def test_gradients_and_translucency_of_repeated_faces_are_not_lost(tmp_path: Path) -> None:
    face = """<face>
      <rect width="65" height="45" fill="linear-gradient(90deg, red, red)"/>
      <g opacity="0.5"><rect y="45" width="65" height="45" fill="black"/></g></face>"""
    write_game(tmp_path, [card("A1", "Ant")], decks={"deck": [line("A1", 3)]}, face=face)
    target = tmp_path / "deck.pdf"
    printed, report = print_deck(tmp_path, "deck", target)
    assert (printed is not None, report) == (True, [])
    assert len(forms_used(PdfReader(target).pages[0])) == 3
    document = pypdfium2.PdfDocument(target)
    image = document[0].render(scale=1).to_pil().convert("RGB")
    document.close()
    for column in range(3):
        x = (7.5 + 65 * column + 32) * MM
        assert image.getpixel((round(x), round((13.5 + 20) * MM))) == (255, 0, 0)
        grey = image.getpixel((round(x), round((13.5 + 70) * MM)))
        assert isinstance(grey, tuple)
        assert 120 <= grey[0] <= 136


def test_a_file_is_not_gathered_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    folder = write_game(
        tmp_path,
        [card(f"A{number}", f"Ant {number}") for number in range(30)],
        decks={"deck": [line(f"A{number}") for number in range(30)]},
    )
    target = tmp_path / "deck.pdf"
    add = PdfFile.add

    def note(file: PdfFile, body: bytes, number: int | None = None) -> int:
        sizes.extend(path.stat().st_size for path in tmp_path.glob(".deck.pdf*"))
        return add(file, body, number)

    monkeypatch.setattr(PdfFile, "add", note)
    print_deck(folder, "deck", target)
    assert len(set(sizes)) > 2
