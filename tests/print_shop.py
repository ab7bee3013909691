"""Helpers for tests of print services: a game of poker cards, and a system without ICC profiles."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from icc import press_profile
from support import card, line, token_rule, uses, write_game

FACE = """<face>
  <rect width="100%" height="100%" fill="{{ card.faction.color }}"/>
  <rect x="6" y="40" width="40" height="6" fill="#102040"/>
  <text x="6" y="6" width="50" height="20" fill="#181818">{{ card.name }}</text>
</face>
"""
BACK = """<face>
  <rect width="100%" height="100%" fill="#7a1f1f"/>
  <text x="6" y="20" width="50" height="10" fill="#ffffff">REVERSE</text>
</face>
"""


def write_poker_game(
    folder: Path, face: str = FACE, *, width: float = 63.5, height: float = 88.9
) -> Path:
    """Write a game of poker cards with backs: a deck of two ants and a queen with a wolf token."""
    cards = [card("A1", "Ant"), card("A2", "Queen", "AA", uses("call"), level=2)]
    decks = {"hill": [line("A1", 2), line("A2")]}
    rules = [token_rule("call", "Wolf")]
    sized = face.replace("100%", "{}")
    faces = sized.replace('width="{}"', f'width="{width}"').replace('"{}"', f'"{height}"')
    write_game(folder, cards, rules=rules, decks=decks, face=faces)
    back = BACK.replace('width="100%"', f'width="{width}"').replace('"100%"', f'"{height}"')
    (folder / "templates" / "back.xml").write_text(back, encoding="utf-8")
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8").replace(
        'height="90" face', 'height="90" back="back.xml" face'
    )
    text = text.replace('width="65" height="90"', f'width="{width}" height="{height}"')
    game.write_text(text, encoding="utf-8")
    return folder


def hide_profiles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the system's ICC profiles."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "own"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(folder))


def open_shop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the game of poker cards with a press profile, and change into its folder."""
    write_poker_game(folder)
    (folder / "press.icc").write_bytes(press_profile())
    monkeypatch.chdir(folder)
    return folder


def open_rgb(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("RGB")


def find_transparency(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    """Return the transparency in a PDF: graphics states with opacity, and soft masks."""
    streams = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
    drawn = [*(page.obj for page in pdf.pages), *streams]
    resources = [item.get("/Resources", pikepdf.Dictionary()) for item in drawn]
    states = [
        state
        for each in resources
        for state in each.get("/ExtGState", pikepdf.Dictionary()).values()
    ]
    return [item for item in (*states, *streams) if {"/ca", "/CA", "/SMask"} & set(item.keys())]
