"""The masks of QR codes are those that segno chooses."""

from __future__ import annotations

import random

import pytest
import segno

from deckwright.templates.barcodes import choose_mask, encode

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -./:abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("version", [1, 2, 6, 7, 14])
@pytest.mark.parametrize("level", ["l", "h"])
def test_a_mask_is_that_of_segno(version: int, level: str) -> None:
    chance = random.Random(version)
    seen = set()
    for _ in range(max(6, 24 // version)):
        value = "".join(chance.choices(LETTERS, k=chance.randrange(1, 7 * version)))
        usual = segno.make(value, error=level, version=version)
        assert choose_mask(segno.make(value, error=level, version=version, mask=0)) == usual.mask
        seen.add(usual.mask)
    assert len(seen) > 1


@pytest.mark.parametrize(("kind", "value"), [("qr", "serial 1234567"), ("micro-qr", "12345")])
def test_a_code_is_that_of_segno(kind: str, value: str) -> None:
    usual = segno.make(value, error="m", micro=kind == "micro-qr")
    rows = encode(kind, value, "m", None).rows
    assert [bytes(row) for row in rows] == [bytes(row) for row in usual.matrix]
