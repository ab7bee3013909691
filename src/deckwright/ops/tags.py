"""What parts of a page are to those who do not see it: headings, tables, figures."""

from __future__ import annotations

from typing import NamedTuple


class Tag(NamedTuple):
    """An element of the structure of a document.

    Attributes:
        role: its type, such as "P" or "TD": one of the standard ones of ISO 32000-1, 14.8.4.
        alt: what is said in its place; "" if its content speaks for itself.
        number: what tells it from others; all content with the same tag is in one element. What has
            the number 0 is an element by itself.
        parent: what it is in; None for what is around it.
        numbering: of a list, how its marks count: a value of `ListNumbering`.
    """

    role: str
    alt: str = ""
    number: int = 0
    parent: Tag | None = None
    numbering: str = ""
