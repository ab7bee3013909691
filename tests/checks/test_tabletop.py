"""The table of a game: its mat exists, and its sums can be computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit
from table_game import write_table_game


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("<tabletop>", '<tabletop mat="felt.png">', "R005", "has the image `felt.png`"),
        ("{{ costs -", "{{ cost -", "G005", "`cost` is undefined"),
        ("{{ costs -", "{{ costs - -", "G005", ""),
        (
            "{{ costs - markers['wound']",
            "{{ costs ) ",
            "G005",
            "the sum `Costs` cannot be computed",
        ),
        ('id="front"', 'id="fr/ont"', "S004", "an id without spaces and slashes"),
        ('id="back" name="Back"', 'id="front" name="Back"', "", "not checked: `tabletop`"),
    ],
)
def test_what_is_wrong_with_a_table(
    tmp_path: Path, run: Run, old: str, new: str, code: str, message: str
) -> None:
    folder = write_table_game(tmp_path / "game")
    edit(folder / "xml" / "game.xml", old, new)
    result = run("check", "--game", str(folder))
    if not message:
        assert code not in result.stderr  # two signs are a number below 0
        return
    assert not code or f" {code}: " in result.stderr
    assert message in result.stderr


def test_a_field_that_some_cards_lack_counts_for_the_others(tmp_path: Path, run: Run) -> None:
    folder = write_table_game(tmp_path / "game")
    edit(folder / "xml" / "game.xml", "{{ costs -", "{{ level.id|int + costs -")
    assert "G005" not in run("check", "--game", str(folder)).stderr
