"""Decimals in texts have the sign of the game's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.expressions.expressions import Expressions
from deckwright.templates.printing import printing


def printed(folder: Path, language: str, source: str, *, markup: bool = True) -> str:
    """Return what a value with expressions prints in a game of a language."""
    expressions = Expressions(folder, printing(language))
    grammar = expressions.grammar()
    grammar.markup = markup
    program = expressions.program(expressions.compile(expressions.value(source, grammar)))
    return expressions.run(program, {"weight": 2.5}, 99)


@pytest.mark.parametrize(
    ("language", "expected"),
    [("de", "2,5 2 -0,3"), ("de-AT", "2,5 2 -0,3"), ("en_GB", "2.5 2 -0.3"), ("fr", "2,5 2 -0,3")],
)
def test_a_text_has_the_sign_of_the_language(tmp_path: Path, language: str, expected: str) -> None:
    source = "{{ weight }} {{ weight - 0.5 }} {{ 0 - 0.1 - 0.2 }}"
    assert printed(tmp_path, language, source) == expected


def test_lengths_have_a_point_in_any_language(tmp_path: Path) -> None:
    assert printed(tmp_path, "de", "{{ weight }}", markup=False) == "2.5"
