"""Pictures are made once, and made anew where they would be others."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from conftest import Run
from deckwright.base.cache import Cache
from deckwright.ops.model import Face
from deckwright.outputs.pictures import PictureMaker
from deckwright.paint.raster import Encoding
from support import card, write_game

FACE = (
    '<face><rect width="9" height="9" fill="red"/><text x="9" y="9">{{ card.name }}</text></face>'
)
CARDS = [card("A1", "Ant"), card("A2", "Bee"), card("A3", "Cat")]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game", CARDS, face=FACE)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subjects of the faces that pictures are made of."""
    subjects: list[str] = []
    make = PictureMaker.files

    def note(maker: PictureMaker, faces: Sequence[Face]) -> list[bytes]:
        subjects.extend(face.subject for face in faces)
        return make(maker, faces)

    monkeypatch.setattr(PictureMaker, "files", note)
    return subjects


def pictures(game: Path, run: Run, *options: str) -> dict[str, bytes]:
    assert run("proof", "--game", str(game), *options).exit_code == 0
    return {path.name: path.read_bytes() for path in (game / "out" / "proof").iterdir()}


def test_a_picture_is_made_once(game: Path, run: Run, made: list[str]) -> None:
    first = pictures(game, run)
    assert {"A1.png", "A2.png", "A3.png"} < first.keys()
    assert len(made) == len(CARDS)
    assert pictures(game, run) == first
    assert len(made) == len(CARDS)


def test_a_contact_sheet_is_made_once_for_the_same_pictures(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pictures(game, run)
    sizes: list[tuple[int, int]] = []
    file = Encoding.encode

    def note(encoding: Encoding, picture: Image.Image, dpi: float) -> bytes:
        sizes.append(picture.size)
        return file(encoding, picture, dpi)

    monkeypatch.setattr(Encoding, "encode", note)
    assert pictures(game, run) == first
    assert not sizes
    write_game(game, [card("A1", "Ant"), card("A2", "Bug"), card("A3", "Cat")], face=FACE)
    second = pictures(game, run)
    [sheet] = [name for name in first if name.startswith("contact_")]
    assert second[sheet] != first[sheet]
    assert len(sizes) == len(["A2.png", sheet])


def test_only_what_looks_different_is_made_anew(game: Path, run: Run, made: list[str]) -> None:
    first = pictures(game, run)
    made.clear()
    write_game(game, [card("A1", "Ant"), card("A2", "Bug"), card("A3", "Cat")], face=FACE)
    second = pictures(game, run)
    assert made == ["card `A2`"]
    assert [name for name in ("A1.png", "A2.png", "A3.png") if first[name] != second[name]] == [
        "A2.png"
    ]
    made.clear()
    pictures(game, run, "--dpi", "75")
    assert len(made) == len(CARDS)


def test_damaged_pictures_are_made_anew(game: Path, run: Run, made: list[str]) -> None:
    first = pictures(game, run)
    made.clear()
    entries = Path(os.environ["XDG_CACHE_HOME"]) / "deckwright" / "pictures"
    for entry in entries.iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    assert pictures(game, run) == first
    assert len(made) == len(CARDS)


def test_a_full_cache_forgets_the_oldest() -> None:
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "deckwright" / "small"
    for number in range(9):
        Cache("small").write(f"old{number}", bytes(100))
        os.utime(folder / f"old{number}", (0, time.time() - 99 + number))
    Cache("small", max_bytes=500).write("new", bytes(100))
    assert sorted(path.name for path in folder.iterdir()) == ["new", "old6", "old7", "old8"]
    assert Cache("small").has("new")
    assert not Cache("small").has("old0")
