"""The log of a game on the table: a file with an event on each line, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import ChoiceError, Code, Location, Report, Severity
from deckwright.decks.play.table import Event, Play

E124 = Code("E124", Severity.ERROR, "a line of a game's log that is not a valid event")
_MAX_FINDINGS, _MAX_BYTES = 20, 5_000_000


class PlayLog(NamedTuple):
    """A game as read from its log; `size` is the number of bytes up to the last whole line."""

    play: Play
    size: int


def read_log(path: Path, report: Report) -> PlayLog | None:
    """Read the log of a game, and skip its invalid lines, which are reported.

    A last line that was not written to its end counts as not written.

    Returns:
        None if the first line does not begin a game.

    Raises:
        OSError: if the file cannot be read.
    """
    if path.stat().st_size > _MAX_BYTES:
        report.append(E124.at(Location(path), f"the file has more than {_MAX_BYTES:,} bytes"))
        return None
    play, data = None, path.read_bytes()
    *lines, torn = data.split(b"\n")
    size = len(data) - len(torn)
    for number, line in enumerate([*lines, torn], 1):
        if number > len(lines):
            if _parse(line) is None:
                break
            size = len(data)
        try:
            event = _parse(line)
            if play is None:
                play = Play(_require_object(event))
            elif line.strip():
                play.apply(_require_object(event))
        except ChoiceError as error:
            report.append(E124.at(Location(path, number, 1), error.message, error.hint))
        if play is None or len(report) == _MAX_FINDINGS:
            break
    if not data.strip() and not report:
        report.append(E124.at(Location(path), "the file has no events"))
    return None if play is None else PlayLog(play, size)


def _parse(line: bytes) -> Event | None:
    """Return the JSON object in a line, None if there is none."""
    try:
        event = json.loads(line, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def _require_object(event: Event | None) -> Event:
    if event is None:
        raise ChoiceError("this is not a JSON object")
    return event


def _reject_constant(word: str) -> None:
    """Refuse NaN and infinities, which are not JSON."""
    raise ValueError(word)


def format_event(event: object) -> str:
    """Return an event as a line of a log."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))
