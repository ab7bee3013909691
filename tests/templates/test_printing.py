"""Decimals in texts have the sign of the game's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.expressions.expressions import Expressions
from deckwright.templates.template_set import make_formatter

DATA = {
    "weight": 2.5,
    "words": ["Swift", "At home"],
    "numbers": [1, 2.5],
    "rows": [{"id": "CLOSE", "name": "Bank"}, {"id": "SUPPORT", "name": "Camp"}],
}


def printed(folder: Path, language: str, source: str, *, markup: bool = True) -> str:
    """Return what a value with expressions prints in a game of a language."""
    expressions = Expressions([folder], make_formatter(language))
    grammar = expressions.new_grammar()
    grammar.markup = markup
    program = expressions.load_program(
        expressions.compile(expressions.parse_value(source, grammar))
    )
    return expressions.run(program, DATA, 99)


@pytest.mark.parametrize(
    ("language", "expected"),
    [("de", "2,5 2 -0,3"), ("de-AT", "2,5 2 -0,3"), ("en_GB", "2.5 2 -0.3"), ("fr", "2,5 2 -0,3")],
)
def test_a_text_has_the_sign_of_the_language(tmp_path: Path, language: str, expected: str) -> None:
    source = "{{ weight }} {{ weight - 0.5 }} {{ 0 - 0.1 - 0.2 }}"
    assert printed(tmp_path, language, source) == expected


def test_lengths_have_a_point_in_any_language(tmp_path: Path) -> None:
    assert printed(tmp_path, "de", "{{ weight }}", markup=False) == "2.5"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ words }}", "Swift, At home"),
        ("{{ numbers }}", "1, 2,5"),
        ("{{ rows }}", "Bank, Camp"),
        ("{{ rows[0] }}", "Bank"),
        ("{{ [] }}", ""),
    ],
)
def test_lists_and_what_has_a_name_are_printed_as_readers_want_them(
    tmp_path: Path, source: str, expected: str
) -> None:
    assert printed(tmp_path, "de", source) == expected
