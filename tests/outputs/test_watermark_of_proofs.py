"""A text that is asked for is on every proof, whatever that shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run
from support import card, write_game


@pytest.mark.parametrize("how", ["--ink", "--icc fogra39", "--service press"])
def test_a_watermark_is_on_proofs_of_a_press(tmp_path: Path, run: Run, how: str) -> None:
    write_game(tmp_path, [card("A1", "Ant")])
    made: list[dict[str, bytes]] = []
    for text in ("PLAYTEST", ""):
        out = tmp_path / f"out{len(made)}"
        result = run("proof", "A1", *how.split(), "--dpi", "40", "--watermark", text,
                     "--game", str(tmp_path), "--out", str(out))  # fmt: skip
        assert result.exit_code == 0, result.stderr
        made.append({path.name: path.read_bytes() for path in out.rglob("A1*.png")})
    assert made[0].keys() == made[1].keys() != set()
    assert made[0] != made[1]
