"""What a game may say of how findings count."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import Code, Grading, Location, Severity
from deckwright.checking.layout_check import L007
from deckwright.game.setup_checks import G002


def test_no_game_turns_off_what_is_an_error_in_any_game() -> None:
    """Or a stranger's would pass whatever its layout takes, without a word of it."""
    found = [code.at(Location(Path("game.xml")), "wrong") for code in (L007, G002)]
    grading = Grading(severities={"L007": None, "G002": Severity.WARNING})
    assert [each.severity for each in grading.apply(found)] == [Severity.ERROR] * 2


def test_a_code_has_one_meaning() -> None:
    assert Code("L007", L007.severity, L007.title) is L007
    with pytest.raises(ValueError, match="twice"):
        Code("L007", Severity.WARNING, L007.title)
