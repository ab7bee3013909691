"""What is not saved is known to the server, in words that are fit for a terminal."""

from __future__ import annotations

import pytest

from deckwright.base.findings import ChoiceError
from deckwright.studio.session import UnsavedChanges


def test_works_come_and_go() -> None:
    unsaved = UnsavedChanges()
    unsaved.note("deck:1", "the deck Ants")
    unsaved.note("edit:AA:A1", "the card Ant")
    unsaved.note("deck:1", "the deck Ants, 3 changes")
    assert [*unsaved.items] == ["the card Ant", "the deck Ants, 3 changes"]
    unsaved.note("deck:1", None)
    unsaved.note("deck:2", None)
    assert [*unsaved.items] == ["the card Ant"]


def test_words_are_one_line_of_a_length_that_can_be_read() -> None:
    unsaved = UnsavedChanges()
    unsaved.note("deck:1", "the\n\x1b[31mdeck" + "x" * 1000)
    (told,) = unsaved.items
    assert told.startswith("the[31mdeck")
    assert len(told) == 200


@pytest.mark.parametrize("work", ["deck:" + "Ä" * 250, "edit:" + "x" * 5000, "deck:\ud800"])
def test_a_work_with_a_long_name_is_taken_back(work: str) -> None:
    unsaved = UnsavedChanges()
    unsaved.note(work, "a deck")
    unsaved.note(work + "!", "another deck")
    unsaved.note(work, None)
    assert [*unsaved.items] == ["another deck"]
    unsaved.note(work + "!", None)
    assert not unsaved.items


def test_there_is_an_end_of_works() -> None:
    unsaved = UnsavedChanges()
    for number in range(10_000):
        unsaved.note(f"deck:{number}", "a deck")
    with pytest.raises(ChoiceError, match="more than 10,000"):
        unsaved.note("deck:10000", "a deck")
