"""Codes: what was printed is read again; what a camera may not read is told."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from conftest import Run
from deckwright.ops.model import FillPath, Group
from support import card, compose, line, ops_of, write_game

MANY = "https://example.org/" + "x" * 3000
DARK = '<rect width="65" height="90" fill="#222222"/>'
BARE = '<code value="a" x="9" y="9" width="20" background="none"/>'
QR = '<code value="{}" x="10" y="10" width="20"/>'


def printed(folder: Path, run: Run, face: str) -> Image.Image:
    """Return the first page of a deck with one card, at 300 dpi."""
    game = write_game(
        folder / "game",
        [card("A1", "Ant")],
        decks={"deck": [line("A1")]},
        face=f"<face>{face}</face>",
    )
    result = run("deck", "deck", "--game", str(game))
    assert result.exit_code == 0, result.stderr
    page = pypdfium2.PdfDocument(game / "out" / "deck_deck.pdf")[0]
    picture: Image.Image = page.render(scale=300 / 72).to_pil()
    return picture


def warnings(folder: Path, run: Run, face: str) -> str:
    game = write_game(folder / "game", [card("A1", "Ant")], face=f"<face>{face}</face>")
    return run("check", "--game", str(game)).stderr


@pytest.mark.parametrize(
    ("value", "attributes", "kind"),
    [
        ("https://example.org/a?b=1", "", "QRCode"),
        ("Größe ☃", 'level="H"', "QRCode"),
        ("Lantern", 'version="9" width="40"', "QRCode"),
        ("LW-12", 'kind="micro-qr" fill="#1d3a63" background="#eeeeee"', "MicroQRCode"),
        ("LW-12 a", 'kind="code128" width="50" height="12"', "Code128"),
        ("590123412345", 'kind="ean13" width="40" height="12"', "EAN13"),
        ("1234567", 'kind="ean8" width="40" height="12"', "EAN8"),
    ],
)
def test_what_is_printed_can_be_read(
    tmp_path: Path, run: Run, value: str, attributes: str, kind: str
) -> None:
    if "width" not in attributes:
        attributes += ' width="20"'
    face = f'{DARK}<code value="{value}" x="5" y="9" {attributes}/>'
    (found,) = zxingcpp.read_barcodes(printed(tmp_path, run, face))
    assert found.text.startswith(value)
    assert found.format.name == kind


def test_a_code_is_one_path_and_says_its_value(tmp_path: Path) -> None:
    (op,) = ops_of(tmp_path, QR.format("Lantern"))
    assert isinstance(op, Group)
    assert op.alt == "Lantern"
    assert op.module == 20 / (21 + 8)
    assert [type(part) for part in op.ops] == [FillPath, FillPath]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (QR.format(""), "a code needs a value"),
        (QR.format(MANY), "cannot hold `https://"),
        ('<code value="Lantern" kind="micro-qr" version="1" width="9"/>', "version 1"),
        ('<code value="5901234123456" kind="ean13" width="9"/>', "is wrong: it must be 7"),
        ('<code value="12a" kind="ean8" width="9"/>', "`ean8` cannot hold `12a`"),
        ('<code value="ß" kind="code128" width="9"/>', "`code128` cannot hold `ß`"),
        ('<code value="a" version="0" width="9"/>', "is not a whole number from 1 to 40"),
    ],
)
def test_what_no_code_can_hold_is_told(tmp_path: Path, code: str, said: str) -> None:
    _, (finding,) = compose(tmp_path, code)
    assert finding.code.id == "T004"
    assert said in finding.message
    assert len(finding.message) < 300


@pytest.mark.parametrize(
    ("face", "said"),
    [
        ('<code value="a" x="9" y="9" width="8"/>', "has modules of 0.28 mm"),
        ('<g scale="0.3"><code value="a" x="90" y="90" width="20"/></g>', "modules of 0.21 mm"),
        ('<code value="a" x="9" y="9" width="20" fill="#bbbbbb"/>', "(#bbbbbb on #ffffff)"),
        (
            DARK + BARE.replace("/>", ' fill="white"/>'),
            "is light on dark",
        ),
        (
            DARK.replace("65", "20") + BARE,
            "has a background of several colors",
        ),
        (QR.format("a") + '<rect x="28" y="28" width="9" height="9" fill="red"/>', "drawn over it"),
        (QR.format("a") + '<text x="11" y="13" font-size="5">Ant</text>', "drawn over it"),
        ('<code value="a" x="50" y="9" width="20"/>', "reaches beyond the edge"),
    ],
)
def test_what_a_camera_may_not_read_is_told(tmp_path: Path, run: Run, face: str, said: str) -> None:
    found = warnings(tmp_path, run, face)
    assert found.count("L011") == 1
    assert said in found


@pytest.mark.parametrize(
    "face",
    [
        QR.format("a"),
        QR.format("a") + '<rect x="30" y="10" width="9" height="9" fill="red"/>',
        QR.format("a") + '<g clip="M0 0 H9 V9 H0 Z"><rect width="65" height="90" fill="red"/></g>',
        DARK.replace("#222222", "#eeeeee") + BARE,
    ],
)
def test_a_good_code_is_not_doubted(tmp_path: Path, run: Run, face: str) -> None:
    assert "L011" not in warnings(tmp_path, run, face)
