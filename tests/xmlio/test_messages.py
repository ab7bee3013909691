"""What messages about XML propose."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit

CARD = 'strength="2" actions="0" costs="2"'


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('strength="2 actions="0" costs="2"', 'write `strength="2"`'),
        ("strength='2 actions='0' costs=\"2\"", "write `strength='2'`"),
        ('strength="2"actions="0" costs="2"', "there is no space before an attribute"),
    ],
)
def test_a_value_without_its_closing_quote_is_named(
    small: Path, run: Run, broken: str, message: str
) -> None:
    edit(small / "xml" / "Factions" / "RW_cards.xml", CARD, broken)
    assert message in run("check").stderr


def test_text_of_a_chapter_belongs_in_a_paragraph(small: Path, run: Run) -> None:
    book = '<rulebook title="Rules"><chapter id="a" title="A">Draw a card.</chapter></rulebook>'
    (small / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    assert "hint: put it in a paragraph, `<p>…</p>`" in run("check").stderr
