"""The bundled example, which has decks and pictures, and a page with the sheets of one deck."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from homes import Home

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Opens, Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_STARTER = Path(__file__).parents[3] / "examples" / "starter"


def harbour(folder: Path) -> Path:
    """Copy the example, without deck sheets: all pages are of cards."""
    shutil.copytree(_STARTER, folder, ignore=shutil.ignore_patterns("out"))
    setup = folder / "xml" / "game.xml"
    text = setup.read_text("utf-8")
    setup.write_text(text.replace("<sheet ", '<sheet deck="no" '), "utf-8")
    return folder


@pytest.fixture
def game(user_home: Home) -> Writes:
    user_home.know(_STARTER)
    return harbour


@pytest.fixture
def page(opens: Opens) -> Page:
    page = opens()
    page.get_by_role("link", name="Print").click()
    expect(page.locator(".print-sum")).to_contain_text("2 pages")
    return page
