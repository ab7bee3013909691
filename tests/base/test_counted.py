"""Numbers in words."""

from __future__ import annotations

import pytest

from deckwright.base.units import pluralize


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 copies"), (1, "1 copy"), (1.5, "1.5 copies"), (2000, "2,000 copies")],
)
def test_a_number_has_its_noun(number: float, said: str) -> None:
    assert pluralize(number, "copy", "copies") == said
