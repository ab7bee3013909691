"""Findings are few and short enough to be read, whatever the input is."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from deckwright.base.findings import (
    MAX_FINDINGS,
    Code,
    Diagnostic,
    Location,
    Severity,
    cap_findings,
    find_nearest,
)
from deckwright.checking.whole_layout import L006
from deckwright.xmlio.validate import S001

ONE, OTHER = Path("one.xml"), Path("other.xml")


def test_of_very_many_findings_the_first_are_shown_and_that_there_are_more() -> None:
    found = list(cap_findings(S001.at(Location(ONE, n), f"{n}") for n in range(1, 900)))
    assert [finding.message for finding in found[:MAX_FINDINGS]] == [
        str(n) for n in range(1, MAX_FINDINGS + 1)
    ]
    (more,) = found[MAX_FINDINGS:]
    assert (more.code.id, more.severity) == ("S009", Severity.ERROR)
    assert more.location == Location(ONE, MAX_FINDINGS + 1)


def test_as_many_findings_as_are_shown_are_not_more() -> None:
    found = [S001.at(Location(ONE), str(n)) for n in range(MAX_FINDINGS)]
    assert list(cap_findings(found)) == found


def test_more_warnings_are_a_warning() -> None:
    found = list(cap_findings(L006.at(Location(ONE), str(n)) for n in range(900)))
    assert {finding.severity for finding in found} == {Severity.WARNING}


def test_each_file_has_its_own_findings() -> None:
    found = [S001.at(Location(path), str(n)) for n in range(150) for path in (ONE, OTHER)]
    assert len(list(cap_findings(found))) == 2 * (MAX_FINDINGS + 1)


@pytest.mark.parametrize(("of_one_file", "most"), [(True, 101), (False, 1001)])
def test_what_is_not_shown_is_not_looked_for(*, of_one_file: bool, most: int) -> None:
    made = []

    def findings() -> Iterator[Diagnostic]:
        for number in range(10_000):
            made.append(number)
            yield S001.at(Location(ONE), str(number))

    assert len(list(cap_findings(findings(), single_file=of_one_file))) == MAX_FINDINGS + 1
    assert len(made) == most


def test_long_values_are_shortened_in_messages_and_hints() -> None:
    finding = S001.at(None, f"a `{'x' * 900_000}` and `y`", f"use `{'z' * 900}`")
    assert len(finding.message) < 700
    assert finding.hint == f"use `{'z' * 119}…`"
    finding = S001.at(None, f"a `{'x' * 200}` and `y`")
    assert finding.message == f"a `{'x' * 119}…` and `y`"


def test_values_that_are_not_very_long_are_told_whole() -> None:
    message = f"card `{'x' * 100}` and `{'y' * 100}`"
    assert S001.at(None, message).message == message


def test_a_code_is_not_copied() -> None:
    assert pickle.loads(pickle.dumps(S001)) is S001
    with pytest.raises(ValueError, match="twice"):
        Code("S001", Severity.ERROR, "again")


MANY = [f"card-{n}" for n in range(20_000)]


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("mp0001", ["mp001", "ap001"], "mp001"),
        ("STRASSE", ["Straße", "Stein"], "Straße"),
        ("card-x77", MANY, "card-77"),
        ("crad-19999", MANY[-50:], "card-19999"),
        ("kard-1234", MANY, "card-1234"),
        ("nothing like it", MANY, None),
        ("", MANY, None),
        ("card-" + "1" * 900, MANY, None),
    ],
)
def test_the_nearest_name_is_found(word: str, known: list[str], expected: str | None) -> None:
    assert find_nearest(word, known) == ([expected] if expected else [])
