"""The date on prints: that of their sources, so that it is the same every time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

_LONGEST_EPOCH = 11
"""The digits of the seconds until the year 5138; datetime ends in 9999."""

_MONTHS = (
    "", "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def date_of(inputs: Iterable[Path]) -> datetime:
    """Return SOURCE_DATE_EPOCH, or when the newest of some files was changed, in UTC.

    A SOURCE_DATE_EPOCH that is no date counts as none: https://reproducible-builds.org/specs/.
    Some file systems have times before 1970 and after any date.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if given.isascii() and given.isdecimal() and len(given) <= _LONGEST_EPOCH:
        return datetime.fromtimestamp(int(given), UTC)
    newest = max([0, *_changed(inputs)])
    return datetime.fromtimestamp(int(min(newest, 10**_LONGEST_EPOCH - 1)), UTC)


@contextmanager
def dated(seconds: int) -> Iterator[None]:
    """Let all that is printed within the block have a date, in seconds since 1970."""
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("SOURCE_DATE_EPOCH", None)
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


def written(date: datetime, pattern: str) -> str:
    """Return a day as a language writes it.

    Args:
        pattern: of `{day}`, `{month}` and `{year}` in digits, and `{name}`, the month in English.
    """
    parts = {"day": date.day, "month": date.month, "year": date.year, "name": _MONTHS[date.month]}
    for name, value in parts.items():
        pattern = pattern.replace(f"{{{name}}}", str(value))
    return pattern


def _changed(paths: Iterable[Path]) -> Iterator[float]:
    """Yield when files were changed, in seconds since 1970."""
    for path in paths:
        try:
            yield path.stat().st_mtime
        except OSError:
            continue  # it has just gone
