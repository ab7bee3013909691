"""Conditions on cards as callers ask for them, with what is wrong said at once."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.choices import ChoiceError
from deckwright.base.findings import known_hint
from deckwright.game.conditions import Condition, Where, read_where, unread_in
from deckwright.game.kinds import Field
from deckwright.game.named import MOST_CONDITIONS, Mistake, names_in, unknown_in
from deckwright.game.setup import Setup

_EXACT = frozenset(("=", "!=", "in", "not in"))
"""The operators whose values must be a term where the field is one."""


def asked_where(text: str, setup: Setup) -> Where:
    """Return what a condition states, written as `where` of a limit.

    Raises:
        ChoiceError: if it is none, or names what there is not.
    """
    rest = unread_in(text)
    if rest or not text.strip():
        on = f" from `{rest}` on" if rest != text.strip() else ""
        raise ChoiceError(
            f"`{text}` cannot be read as a condition{on}",
            "write it as `where` of a limit, such as `level=2 and costs<5 or name='Old Guard'`",
        )
    where = read_where(text)
    if sum(map(len, where)) > MOST_CONDITIONS:
        raise ChoiceError(f"`{text}` has more than {MOST_CONDITIONS} conditions")
    names = names_in((zone.id for zone in setup.zones), setup.card_kinds)
    mistakes = [*unknown_in(where, names, f"`{text}`", restricts=True), *_no_terms(where, setup)]
    for message, hint in mistakes:
        raise ChoiceError(message, hint)
    return where


def _no_terms(where: Where, setup: Setup) -> Iterator[Mistake]:
    """Yield where a field is compared with what cannot be its value."""
    for condition in (each for group in where for each in group):
        if isinstance(condition.value, str) and condition.operator in _EXACT:
            known = _terms(condition, setup)
            for value in condition.values:
                if known and value and value not in known:
                    message = f"`{condition.field}` is never `{value}`"
                    yield message, known_hint(value, known)


def _terms(condition: Condition, setup: Setup) -> list[str]:
    """Return what the field of a condition may be, nothing where that is not known."""
    terms: list[str] = []
    for kind in setup.card_kinds:
        children = (spec.fields[0] for spec in kind.children if spec.plural == condition.field)
        for field in (*(f for f in kind.fields if f.name == condition.field), *children):
            if not _is_term(field):
                return []
            terms += setup.vocabularies[field.one.vocabulary or ""].terms
    return terms


def _is_term(field: Field) -> bool:
    return field.one.type == "term"
