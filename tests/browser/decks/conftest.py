"""A game whose decks are built, and a page with one of them open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.decks.steps import open_deck
from deck_game import write_deck_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Writes


@pytest.fixture
def game() -> Writes:
    return write_deck_game


@pytest.fixture
def deck(page: Page) -> Page:
    open_deck(page)
    return page
