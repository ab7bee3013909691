"""The pseudo-locale: no word of a game is anywhere but in its catalogs."""

from __future__ import annotations

import re

import pytest

from conftest import ROOT
from deckwright.base.findings import Report
from deckwright.checks.loading import load_partial_game
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.game.language import use_language
from deckwright.languages.catalog import PseudoLanguage
from deckwright.ops.readable import extract_text

GAMES = [".", *sorted(f"examples/{path.name}" for path in (ROOT / "examples").iterdir())]
_IN_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_WORD = re.compile(r"[^\W\d_]{2,}")


def words_outside_brackets(text: str) -> list[str]:
    before = ""
    while before != text:
        before, text = text, _IN_BRACKETS.sub(" ", text)
    return _WORD.findall(text)


@pytest.mark.corpus(3)
@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_face_is_in_brackets(game: str) -> None:
    report: Report = []
    with use_language(PseudoLanguage()):
        folder = GameFolder(ROOT / game)
        loaded = load_partial_game(folder, report, [])
        assert loaded is not None
        faces = [*compose_faces(FaceFactory(loaded, folder, report), report)]
    for face in faces:
        text = extract_text(face.face.ops)
        assert words_outside_brackets(text) == [], face.name
    assert any("[" in extract_text(face.face.ops) for face in faces)
    # What is too long is found, and nothing else goes wrong.
    assert {finding.code.id for finding in report} <= {"L001"}


def test_a_word_outside_of_brackets_is_seen() -> None:
    assert words_outside_brackets("[à [b] c] 12 word [d]") == ["word"]
