"""Findings as plain data for the page, and the cards that they stand at."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Severity
from deckwright.game.model import CardKey
from deckwright.xmlio.node import Source

RANKS = [severity.value for severity in Severity]
"""The severities, the worst first."""


class Notice(NamedTuple):
    """A finding.

    Attributes:
        path: relative to the game's folder where it is inside, None if it is of no one file.
        line, column: from 1; 0 for the file as a whole.
        sheet: the title of a tab of a workbook, else "".
    """

    code: str
    severity: str
    message: str
    hint: str | None
    path: str | None
    line: int = 0
    column: int = 0
    sheet: str = ""

    @property
    def rank(self) -> int:
        """Its place in a list that has the worst first."""
        return RANKS.index(self.severity)

    @property
    def is_error(self) -> bool:
        """Whether it is an error."""
        return self.severity == "error"


@lru_cache(1024)
def near(path: Path, folder: Path) -> str:
    """Return a path as the page shows it, relative to the game's folder where it is inside."""
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


def notice(finding: Diagnostic, folder: Path) -> Notice:
    """Return a finding as plain data."""
    place = finding.location
    return Notice(
        finding.code.id,
        finding.severity.value,
        finding.message,
        finding.hint,
        near(place.path, folder) if place else None,
        place.line if place else 0,
        place.column if place else 0,
        place.sheet if place else "",
    )


def notices_in(report: bytes) -> tuple[Notice, ...]:
    """Return the findings of a report that `deckwright check --format json` has written.

    Raises:
        ValueError: if it is none.
    """
    try:
        listed = json.loads(report)["findings"]
        return tuple(
            Notice(
                each["code"],
                each["severity"],
                each["message"],
                each["hint"],
                Path(each["file"]).as_posix() if each["file"] else None,
                each["line"],
                each["column"],
                each["sheet"],
            )
            for each in listed
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError("this is no report of a check") from error


def by_card(
    found: Iterable[Notice], sources: Mapping[CardKey, Source], folder: Path
) -> dict[CardKey, list[Notice]]:
    """Return the findings that stand at cards: from where one begins to where the next does."""
    wanted = [each for each in found if each.path and each.line]
    if not wanted:
        return {}
    paths = {each.path for each in wanted}
    starts: dict[tuple[str, str], list[tuple[int, int, CardKey]]] = {}
    for key, source in sources.items():
        path = near(source.path, folder)
        if path in paths:
            place = source.at()
            starts.setdefault((path, place.sheet), []).append((place.line, place.column, key))
    for listed in starts.values():
        listed.sort()
    result: dict[CardKey, list[Notice]] = {}
    for each in wanted:
        listed = starts.get((each.path or "", each.sheet), [])
        number = bisect_right(listed, (each.line, max(each.column, 1)), key=_start)
        if number:
            # A token is printed by several factions.
            first = bisect_left(listed, _start(listed[number - 1]), key=_start)
            for _, _, key in listed[first:number]:
                result.setdefault(key, []).append(each)
    return result


def _start(entry: tuple[int, int, CardKey]) -> tuple[int, int]:
    return entry[:2]
