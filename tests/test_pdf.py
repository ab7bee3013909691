from __future__ import annotations

import datetime
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pypdf import PdfReader

from conftest import ROOT, Run
from support import card, line, write_game

MM = 72 / 25.4
SAMPLES = ["army_HK_1", "army_ZK_1"]


def build(target: Path, deck: str, **environment: str) -> bytes:
    """Print a deck of the shipped game in a process of its own."""
    command = [sys.executable, "-m", "deckwright", "deck", deck, "--quiet", "--out", str(target)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True, timeout=60)
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


def text_of(reader: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in reader.pages)


def fonts_of(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """Return all fonts of a PDF by name, those that only a form uses too."""
    return {
        str(item.BaseFont): item
        for item in pdf.objects
        if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font"
    }


def test_every_page_is_a4(sample: PdfReader) -> None:
    for page in sample.pages:
        assert float(page.mediabox.width) == pytest.approx(210 * MM, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(297 * MM, abs=0.01)
        assert page.rotation == 0


def test_nine_cards_stand_on_a_sheet_and_the_rules_follow(sample: PdfReader) -> None:
    placed = [len(forms_used(page)) for page in sample.pages]
    # 28 cards are four sheets; a face that is printed once is no form.
    assert len(sample.pages) == 5
    assert all(number <= 9 for number in placed[:4])
    assert placed[4] == 0
    assert "Sonderregeln" in sample.pages[4].extract_text()


def forms_used(page: Any) -> list[str]:
    """Return the names of the forms that a page shows, as often as it does."""
    forms = page["/Resources"].get("/XObject", {})
    operands = [
        str(operands[0])
        for operands, operator in page.get_contents().operations
        if operator == b"Do"
    ]
    return [name for name in operands if forms[name].get_object()["/Subtype"] == "/Form"]


@pytest.mark.parametrize(
    ("name", "repeated"),
    [
        ("army_HK_1", [2, 2, 4, 2, 3, 2, 3, 3, 2]),
        ("army_ZK_1", [3, 4, 4, 2, 2, 4, 2, 3]),
    ],
)
def test_a_repeated_face_is_one_form_for_all_its_copies(
    samples: dict[str, Path], name: str, repeated: list[int]
) -> None:
    reader = PdfReader(samples[name])
    shown = Counter(form for page in reader.pages for form in forms_used(page))
    assert sorted(shown.values()) == sorted(repeated)


def test_every_copy_of_every_card_can_be_found(samples: dict[str, Path]) -> None:
    document = pypdfium2.PdfDocument(samples["army_HK_1"])
    pages = [page.get_textpage().get_text_range() for page in document]
    text = " ".join(" ".join(pages[:4]).split())
    document.close()
    copies = {"Elitesoldat": 0, "Held": 1, "Wehrpflichtiger": 1, "Soldat": 4}
    words = text.replace("-", " ").split()
    assert {name: words.count(name) for name in copies} == copies
    # Each copy has the id of its faction.
    assert words.count("HK") == 25
    assert words.count("NW") == 3


def test_all_fonts_are_embedded_and_subset(samples: dict[str, Path]) -> None:
    for path in samples.values():
        with pikepdf.open(path) as pdf:
            fonts = fonts_of(pdf)
            assert fonts
            for name, font in fonts.items():
                assert name[1:7].isupper(), name
                assert name[7] == "+", name
                assert "/FontFile2" in font.FontDescriptor, name
                assert "/ToUnicode" in font, name
                assert "Helvetica" not in name


def test_text_can_be_searched_and_copied(samples: dict[str, Path]) -> None:
    text = " ".join(text_of(PdfReader(path)) for path in samples.values())
    for part in ("Schütze", "Plänkler", "Fernkampf" if "Fernkampf" in text else "Soldat"):
        assert part in text
    for letter in "äöüÄÜß„“−":
        assert letter in text, letter


def test_the_metadata_say_what_it_is(samples: dict[str, Path]) -> None:
    reader = PdfReader(samples["army_HK_1"])
    info = reader.metadata
    assert info is not None
    assert info.title == "deck1 – Kaiserreich"
    assert info.subject == "Drei Reihen"
    assert str(info.creator).startswith("Deckwright ")
    assert reader.trailer["/Root"]["/Lang"] == "de"
    labels = reader.page_labels
    assert labels == [str(number) for number in range(1, len(reader.pages) + 1)]


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
    assert marks == [("Hauptdeck", 0), ("Nebendeck", 2), ("Sonderregeln", 4)]


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
        assert run("deck", *SAMPLES, "--out", str(folder)).exit_code == 0
        for name in SAMPLES:
            assert (folder / f"deck_{name}.pdf").read_bytes() == samples[name].read_bytes()


def test_the_date_is_that_of_source_date_epoch(tmp_path: Path, samples: dict[str, Path]) -> None:
    stamp = datetime.datetime(2021, 3, 4, 5, 6, 7, tzinfo=datetime.timezone.utc)
    data = build(tmp_path / "x.pdf", "army_HK_1", SOURCE_DATE_EPOCH=str(int(stamp.timestamp())))
    info = PdfReader(tmp_path / "x.pdf").metadata
    assert info is not None
    assert info.creation_date == stamp
    assert info.modification_date == stamp
    assert data != samples["army_HK_1"].read_bytes()


@pytest.mark.parametrize("epoch", ["", "soon", "-1", "1.5", "99999999999999"])
def test_a_source_date_epoch_that_is_none_is_no_fault_of_ours(tmp_path: Path, epoch: str) -> None:
    command = [sys.executable, "-m", "deckwright", "deck", "army_HK_1", "--out", tmp_path / "x.pdf"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert result.returncode in {0, 2}
    assert (result.returncode == 0) == (tmp_path / "x.pdf").exists()


def test_a_card_stands_where_its_slot_is(samples: dict[str, Path]) -> None:
    document = pypdfium2.PdfDocument(samples["army_HK_1"])
    image = document[0].render(scale=100 / 25.4).to_pil().convert("RGB")
    document.close()

    def at(x: float, y: float) -> tuple[int, ...]:
        pixel = image.getpixel((round(x * 100 / 25.4 * 25.4 / 25.4 * 1), 0))
        assert isinstance(pixel, tuple)
        return pixel

    assert image.size == (round(210 * MM * 100 / 25.4), round(297 * MM * 100 / 25.4))
    assert at(0, 0) == (255, 255, 255)
