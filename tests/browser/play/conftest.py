"""A game with a table, and a page on which one of its decks was dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.play.steps import deal
from table_game import write_table_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Writes


@pytest.fixture
def game() -> Writes:
    return write_table_game


@pytest.fixture
def table(page: Page) -> Page:
    deal(page)
    return page
