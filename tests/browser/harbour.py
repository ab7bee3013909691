"""The bundled example in the studio, for what needs decks, pictures and a printer's settings."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Running

_STARTER = Path(__file__).parents[2] / "examples" / "starter"


def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """Yield a studio of a copy of the example; its user has no printers yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    running = Running(shutil.copytree(_STARTER, tmp_path / "harbour"))
    running.start()
    yield running
    running.stop()
