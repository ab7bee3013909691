"""Users of other tools find their words here: each example of that page is tried as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import ROOT
from deckwright.templates.elements import ELEMENTS
from test_docs_commands import run
from test_own_game import NEW, blocks, write

PAGE = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_example_of_a_tool_works_as_written(
    section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed, shown = "", []
    for language, text, before in blocks(SECTIONS[section]):
        if language == "sh":
            for command in text.splitlines():
                done = run(command)
                assert done.exit_code == 0, done.output
                printed += done.output
        elif NEW.search(before) or language == "diff":
            write(tmp_path, language, text, before)
        elif not before:  # what the commands above print
            shown += text.splitlines()
    assert printed
    assert [line for line in shown if line not in printed] == []
    if section == "Cockatrice":
        deck = (tmp_path / "harbor/out/cockatrice/decks/early.cod").read_text(encoding="utf-8")
        theirs = next(text for language, text, _ in blocks(SECTIONS[section]) if language == "xml")
        assert theirs.split() == deck[deck.index("<zone") : deck.index("</cock")].split()


def test_what_is_not_here_is_not_here() -> None:
    missing = re.findall("^Not here: (.+?[.;])", PAGE, re.MULTILINE)
    words = {word for text in missing for word in re.findall("`([a-z]+)`", text)}
    assert "showcase" in words
    assert words & ELEMENTS.keys() == set()
