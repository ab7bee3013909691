"""Drawings are kept by what their files hold, and nothing but what was kept is taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import Report
from deckwright.images.drawings import model
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import Drawing, DrawingError
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

SQUARE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">
  <path d="M1 1 L9 1 A4 4 0 0 1 5 9 Z" fill="red"/>
  <rect x="5" y="5" width="9" height="3" stroke="blue" stroke-width="0.3"/></svg>"""


@pytest.fixture
def entries(own_cache: Path) -> Path:
    return own_cache / "drawings"


@pytest.fixture
def drawn(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[Node]:
    """The roots of drawings that are read."""
    assert not own_cache.exists()
    roots: list[Node] = []

    def note(path: Path, report: Report, *, drawing: bool) -> Node | None:
        root = load_document(path, report, drawing=drawing)
        assert root is not None
        roots.append(root)
        return root

    monkeypatch.setattr(model, "load_document", note)
    return roots


def written(path: Path, text: str = SQUARE) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_drawing_is_read_once_wherever_it_lies(tmp_path: Path, drawn: list[Node]) -> None:
    first = load_drawing(written(tmp_path / "a.svg"), 0)
    again = load_drawing(written(tmp_path / "b.svg"), 0)
    assert len(drawn) == 1
    assert isinstance(again, Drawing)
    assert again.overflows
    assert again == first
    assert list(map(type, again.ops)) == list(map(type, first.ops))


def test_a_damaged_entry_and_another_drawing_are_read(
    tmp_path: Path, drawn: list[Node], entries: Path
) -> None:
    before = load_drawing(written(tmp_path / "a.svg"), 0)
    [entry] = entries.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert load_drawing(written(tmp_path / "b.svg"), 0) == before
    assert load_drawing(written(tmp_path / "c.svg"), 0) == before
    other = load_drawing(written(tmp_path / "d.svg", SQUARE.replace("red", "lime")), 0)
    assert other != before
    assert [root.source.document.path.stem for root in drawn] == ["a", "b", "d"]


def test_what_cannot_be_drawn_is_not_kept(tmp_path: Path, entries: Path) -> None:
    for name in ("a.svg", "b.svg"):
        path = written(tmp_path / name, SQUARE.replace("rect", "image"))
        with pytest.raises(DrawingError) as caught:
            load_drawing(path, 0)
        assert caught.value.place.path == path
    assert not entries.exists()
