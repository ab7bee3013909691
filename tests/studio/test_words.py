"""The page has words in both languages for all that the server and long work say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import ROOT

SOURCE = ROOT / "src" / "deckwright"
PAGES = SOURCE / "studio" / "pages"


def texts(pattern: str, folder: Path) -> set[str]:
    """Return what a pattern finds in the code of a folder."""
    sources = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    return {found for text in sources for found in re.findall(pattern, text)}


@pytest.fixture(scope="module", name="words")
def _words() -> str:
    tables = sorted(PAGES.rglob("*words.js"))
    return "".join(path.read_text(encoding="utf-8") for path in tables)


def test_mistakes_that_the_server_says(words: str) -> None:
    said = texts(r'LocalizedError\(\s*"([\w-]+)"', SOURCE / "studio")
    assert said >= {"decks-no-name", "print-too-many", "looks-only", "disk-full", "file-changed"}
    assert [one for one in sorted(said) if words.count(f'"{one}":') != 2] == []


NOT_IN_THE_STUDIO = {
    "checking games",
    "making decks",
    "merging decks",
    "printing decks",
    "verifying decks",
}


def test_what_long_work_is_at(words: str) -> None:
    done = texts(r'\btrack_progress\(.*, "([^"]+)"\)', SOURCE) | texts(
        r'\breport_progress\("([^"]+)"', SOURCE
    )
    assert {"painting pages"} | NOT_IN_THE_STUDIO <= done
    done -= NOT_IN_THE_STUDIO
    assert [one for one in sorted(done) if words.count(f'"print-doing-{one}":') != 2] == []


def test_both_languages_have_the_same_words() -> None:
    for path in sorted(PAGES.rglob("*words.js")):
        tables = re.split(r"\nteach\(\{ en: EN|\n\}\);", path.read_text(encoding="utf-8"))[0]
        english, german = (
            re.findall(r'\n {2,4}"?([a-z][\w ,-]*?)"?:\s+["\']', part)
            for part in re.split(r"const DE|\n  de: \{", tables)
        )
        assert english
        assert set(english) ^ set(german) == set(), path.name
