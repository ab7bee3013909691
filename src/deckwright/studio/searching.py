"""What is searched for: conditions as `where` has them, and a shorter form of them."""

from __future__ import annotations

import re

from deckwright.base.choices import ChoiceError
from deckwright.game.asked_where import asked_where
from deckwright.game.conditions import Where, references_in, unread_in
from deckwright.game.setup import Setup

LONGEST = 500
"""The longest text that is read."""
_SHORT = re.compile(
    r"""(?:(and|or)\s+)?([^\s!=<>"':]+)(?:\s*(!=|<=|>=|=|<|>|:)\s*|\s+(in|not\s+in)\s+)"""
    r"""('[^']*'|"[^"]*"|[^\s!=<>"':]+)(?:\s+|$)"""
)


def sought(text: str, setup: Setup) -> Where:
    """Return what a text states: `strength>=3 and rows=CLOSE`, or shorter `strength>=3 row:CLOSE`.

    In the shorter form `:` is the same as `=`, a child may be called by its tag, and what stands
    side by side must hold together.

    Raises:
        ChoiceError: if it states nothing, or names what there is not.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise ChoiceError(f"a search has at most {LONGEST} characters")
    long = _in_full(text, setup) if text else None
    where = asked_where(text if long is None else long, setup)
    if any(references_in(where)):
        raise ChoiceError(f"`{text}` takes something from a deck, and here is none")
    return where


def _in_full(text: str, setup: Setup) -> str | None:
    """Return a text in the long form, None if it cannot be read."""
    known = {field.name for kind in setup.card_kinds for field in kind.fields}
    plurals = {spec.tag: spec.plural for kind in setup.card_kinds for spec in kind.children}
    parts: list[str] = []
    at = 0
    while found := _SHORT.match(text, at):
        link, field, sign, word, value = found.groups()
        if field not in known:
            field = plurals.get(field, field)
        if parts:
            parts.append(link or "and")
        elif link:
            return None
        parts.append(f"{field} {'=' if sign == ':' else sign or word} {value}")
        at = found.end()
    long = " ".join(parts)
    return long if at == len(text) and not unread_in(long) else None
