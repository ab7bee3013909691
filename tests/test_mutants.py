"""What `make mutants` changes in a file, one thing at a time."""

from __future__ import annotations

import ast

from mutants import make_mutants

SOURCE = """
LEAST: int = 3

def few(count: int | None = 1) -> bool:
    '''Return it.'''
    if not count and count is None:
        return True
    return 0 <= count < LEAST + 2.5 or -count in (
        LEAST * 2,
    )
"""
LAST = "0 <= count < LEAST + 2.5 or -count in (LEAST * 2,)"


def test_each_mutant_has_one_change_in_a_statement_whose_lines_it_knows() -> None:
    found = [*make_mutants(SOURCE)]
    assert [(mutant.line, mutant.change, [*mutant.lines]) for mutant in found] == [
        (2, "3  →  4", [2]),
        (4, "1  →  2", [4]),
        (6, "not count and count is None  →  not count or count is None", [6]),
        (6, "not count  →  not not count", [6]),
        (6, "count is None  →  count is not None", [6]),
        (7, "True  →  False", [7]),
        (8, f"{LAST}  →  {LAST.replace('or', 'and')}", [8, 9, 10]),
        (8, "0 <= count < LEAST + 2.5  →  0 < count < LEAST + 2.5", [8, 9, 10]),
        (8, "0 <= count < LEAST + 2.5  →  0 <= count <= LEAST + 2.5", [8, 9, 10]),
        (8, "0  →  1", [8, 9, 10]),
        (8, "LEAST + 2.5  →  LEAST - 2.5", [8, 9, 10]),
        (8, "2.5  →  3.5", [8, 9, 10]),
        (8, "-count in (LEAST * 2,)  →  -count not in (LEAST * 2,)", [8, 9, 10]),
        (8, "-count  →  +count", [8, 9, 10]),
        (9, "LEAST * 2  →  LEAST / 2", [8, 9, 10]),
        (9, "2  →  3", [8, 9, 10]),
    ]
    whole = ast.unparse(ast.parse(SOURCE))
    assert len({mutant.text for mutant in found} | {whole}) == len(found) + 1
