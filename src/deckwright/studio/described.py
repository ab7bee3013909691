"""Findings as plain data for the page, and whether a game is still blank."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import path_exists
from deckwright.base.findings import Diagnostic, Severity
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.model import CardKey
from deckwright.xmlio.node import Source

SEVERITY_ORDER = [severity.value for severity in Severity]
"""The severities, worst first."""


class FindingData(NamedTuple):
    """A finding as plain data.

    Attributes:
        path: relative to the game's folder if it is inside, None if the finding has no file.
        line, column: counted from 1; 0 for the whole file.
        sheet: the title of a workbook's sheet, "" for other files.
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
        """The sort key of its severity, 0 for the worst."""
        return SEVERITY_ORDER.index(self.severity)

    @property
    def is_error(self) -> bool:
        """True for errors, False for warnings."""
        return self.severity == "error"


@lru_cache(1024)
def display_path(path: Path, folder: Path) -> str:
    """Return a path as the page shows it: relative to the game's folder if it is inside."""
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


_PART_WITH_OPTION = re.compile(
    r"(^|[,;] (or )?)((?![,;] ).)*(?<![\w(])--[a-z]((?![,;] ).)*", re.DOTALL
)


def hint_for_page(hint: str | None) -> str | None:
    """Return a hint without its parts about options of the command line, which the page lacks."""
    left = re.sub(r"^[,;] (or )?", "", _PART_WITH_OPTION.sub("", hint or ""))
    return left or None


def serialize_finding(finding: Diagnostic, folder: Path) -> FindingData:
    """Return a finding as plain data."""
    place = finding.location
    return FindingData(
        finding.code.id,
        finding.severity.value,
        finding.message,
        hint_for_page(finding.hint),
        display_path(place.path, folder) if place else None,
        *(place[1:] if place else ()),
    )


def parse_check_report(report: bytes) -> tuple[FindingData, ...]:
    """Return the findings in a report by `deckwright check --format json`.

    Raises:
        ValueError: if it is not such a report.
    """
    try:
        findings = json.loads(report)["findings"]
        return tuple(
            FindingData(
                each["code"],
                each["severity"],
                each["message"],
                hint_for_page(each["hint"]),
                Path(each["file"]).as_posix() if each["file"] else None,
                *(each[name] for name in ("line", "column", "sheet")),
            )
            for each in findings
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError("this is not the report of a check") from error


def group_by_card(
    findings: Iterable[FindingData], sources: Mapping[CardKey, Source], folder: Path
) -> dict[CardKey, list[FindingData]]:
    """Group findings by the card whose lines they are in, up to the start of the next card."""
    located = [each for each in findings if each.path and each.line]
    if not located:
        return {}
    paths = {each.path for each in located}
    starts: dict[tuple[str, str], list[tuple[int, int, CardKey]]] = {}
    for key, source in sources.items():
        path = display_path(source.path, folder)
        if path in paths:
            place = source.at()
            starts.setdefault((path, place.sheet), []).append((place.line, place.column, key))
    for entries in starts.values():
        entries.sort()
    result: dict[CardKey, list[FindingData]] = {}
    for each in located:
        entries = starts.get((each.path or "", each.sheet), [])
        number = bisect_right(entries, (each.line, max(each.column, 1)), key=_start)
        if number:
            # Several factions may print the same token.
            first = bisect_left(entries, _start(entries[number - 1]), key=_start)
            for _, _, key in entries[first:number]:
                result.setdefault(key, []).append(each)
    return result


def _start(entry: tuple[int, int, CardKey]) -> tuple[int, int]:
    return entry[:2]


_BLANK = PACKAGE / "blank"
_NAME = re.compile(r"""<game name=("[^"]*"|'[^']*')""")


def is_blank(folder: GameFolder) -> bool:
    """Return whether all files of a game are those of the blank game, except for its name."""
    if not folder.has_own_setup:
        return False
    for path in [*folder.own_files(), *folder.tables()]:
        former = _BLANK / path.relative_to(folder.path)
        if not path_exists(former) or _without_name(path) != _without_name(former):
            return False
    return True


def _without_name(path: Path) -> str:
    return _NAME.sub("<game", path.read_text(encoding="utf-8", errors="replace"))
