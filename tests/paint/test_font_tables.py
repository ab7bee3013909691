"""What is known of fonts is kept, and nothing but what was kept is taken for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase.ttfonts import TTFontFile

from deckwright.paint.pdf.fonts import TTFont
from deckwright.text.fonts import icon_font


@pytest.fixture
def entries(own_cache: Path) -> Path:
    return own_cache / "fonts"


@pytest.fixture
def parsed(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The fonts that ReportLab takes apart."""
    assert not own_cache.exists()
    names: list[str] = []
    parse = TTFontFile.extractInfo

    def note(font: TTFontFile, chars: int = 1) -> None:
        names.append(Path(font.filename).name)
        parse(font, chars)

    monkeypatch.setattr(TTFontFile, "extractInfo", note)
    return names


def known(path: Path) -> tuple[object, ...]:
    """Return what a PDF takes of a font."""
    face = TTFont("icons", str(path)).face
    codes = sorted(face.charToGlyph)[:5]
    widths = [face.getCharWidth(code) for code in codes]
    return face.makeSubset(codes), widths, face.name, face.bbox, face.ascent


def test_a_font_is_taken_apart_once_wherever_it_lies(tmp_path: Path, parsed: list[str]) -> None:
    first, second = tmp_path / "a.ttf", tmp_path / "b.ttf"
    for path in (first, second):
        path.write_bytes(icon_font().path.read_bytes())
    before = known(first)
    assert known(first) == before
    face = TTFont("icons", str(second)).face
    assert parsed == ["a.ttf"]
    assert face.filename == str(second)


def test_a_damaged_entry_and_another_font_are_taken_apart(
    tmp_path: Path, parsed: list[str], entries: Path
) -> None:
    path = tmp_path / "a.ttf"
    path.write_bytes(icon_font().path.read_bytes())
    before = known(path)
    [entry] = entries.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert known(path) == before
    assert parsed == ["a.ttf"] * 2
    path.write_bytes(path.read_bytes() + b"\0")
    known(path)
    assert parsed == ["a.ttf"] * 3
