"""A game to edit, and the studio that has it open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from editors import page_of, write_game_to_edit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game_to_edit(tmp_path / "game")


@pytest.fixture
def page(folder: Path) -> Iterator[TestClient]:
    yield from page_of(folder)
