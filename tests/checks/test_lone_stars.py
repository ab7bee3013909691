"""A star that begins bold text and is never closed is printed, which nobody means."""

from __future__ import annotations

import pytest

from deckwright.checks.cards import _LONE_STAR


@pytest.mark.parametrize("text", ["Draw a *Guest", "*Guest, and more", "(*x)", "*a*\n*b"])
def test_an_open_star_is_found(text: str) -> None:
    assert _LONE_STAR.search(text)


@pytest.mark.parametrize(
    "text", ["*Guest*", "**Guest**", "2*3", "* item", "cost*", r"\*x", "a *b c* d", "*Hi!* you"]
)
def test_other_stars_are_fine(text: str) -> None:
    assert not _LONE_STAR.search(text)
