"""The date that prints bear: that of what they are made of, so that it is the same every time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

_LONGEST_EPOCH = 11
"""The digits of the seconds until the year 5138; datetime ends in 9999."""


def date_of(inputs: Iterable[Path]) -> datetime:
    """Return SOURCE_DATE_EPOCH, or when the newest of some files was changed, in UTC.

    A SOURCE_DATE_EPOCH that is no date counts as none: https://reproducible-builds.org/specs/
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if given.isascii() and given.isdecimal() and len(given) <= _LONGEST_EPOCH:
        return datetime.fromtimestamp(int(given), UTC)
    return datetime.fromtimestamp(int(max(_changed(inputs), default=0)), UTC)


def _changed(paths: Iterable[Path]) -> Iterator[float]:
    """Yield when files were changed, in seconds since 1970."""
    for path in paths:
        try:
            yield path.stat().st_mtime
        except OSError:
            continue  # it has just gone
