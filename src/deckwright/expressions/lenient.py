"""Data for templates of which anything may be asked."""

from __future__ import annotations


class Lenient(dict[str, object]):
    """Data of which anything may be asked: what it has not is empty."""

    __slots__ = ()
