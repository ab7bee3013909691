"""What is in a cell, as the value of an attribute.

Spreadsheet programs write whole numbers as 3.0, and `true` in the user's language; that is
understood. Anything else that does not fit is refused, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckwright.base.findings import nearest, nearest_hint
from deckwright.tables.table import normal
from deckwright.xmlio.shape import Attribute

_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0{1,2})?")
_YES = {"true", "wahr", "vrai", "verdadero", "vero", "waar", "yes", "ja", "1", "x"}
_NO = {"false", "falsch", "faux", "falso", "onwaar", "no", "nein", "0"}
_LISTED = 12
"""How many values a message lists."""


class NoValueError(Exception):
    """A text is not a value of an attribute. The message says what it must be."""

    def __init__(self, message: str, hint: str | None) -> None:
        """Keep message and hint."""
        super().__init__(message)
        self.hint = hint


def read_value(attribute: Attribute, text: str) -> str:
    """Return the value of an attribute that a text stands for.

    Raises:
        NoValueError: if it stands for none.
    """
    value, text = attribute.value, normal(text)
    whole = _WHOLE.fullmatch(text)
    if value.kind == "integer" and whole:
        text = str(int(whole[1]))
    elif value.kind == "term":
        text = _term(text, tuple(term for term, _ in value.terms))
    if value.accepts(text):
        return text
    if value.kind == "term" and len(value.terms) > _LISTED:
        says = f"one of the {len(value.terms)} known ones"
    else:
        says = value.says
    message = f"`{attribute.name}` must be {says}, it is `{_short(text)}`"
    raise NoValueError(message, _hint(attribute, text))


def _term(text: str, terms: tuple[str, ...]) -> str:
    """Return the term that a text means, or the text."""
    if text in terms:
        return text
    if set(terms) == {"true", "false"}:
        word = text.casefold()
        return "true" if word in _YES else "false" if word in _NO else text
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole and whole[1] in terms else text


def _hint(attribute: Attribute, text: str) -> str | None:
    """Return what would fix a text that is not a value."""
    value = attribute.value
    if value.kind == "term":
        return _term_hint(value.terms, text)
    if value.kind == "color":
        from deckwright.base.colors import NAMED_COLORS  # noqa: PLC0415 - only for this message

        return nearest_hint(text, [*NAMED_COLORS, *(term for term, _ in value.terms)])
    if value.kind == "integer" and re.fullmatch("[0-9]+[.,][0-9]+", text):
        return "round it"
    return None


def _term_hint(terms: Sequence[tuple[str, str]], text: str) -> str | None:
    """Return which term a text may mean, by its id or its name."""
    names = {name: term for term, name in terms if name}
    folded = {name.casefold(): term for name, term in names.items()}
    if text.casefold() in folded:
        return f"write `{folded[text.casefold()]}`, which has that name"
    if hint := nearest_hint(text, [term for term, _ in terms]):
        return hint
    close = nearest(text, names)
    if close:
        return f"did you mean `{names[close[0]]}`, {close[0]}?"
    return "separate several with `; `" if re.search("[,|/]", text) else None


def _short(text: str) -> str:
    limit = 40
    return text if len(text) <= limit else text[: limit - 1] + "…"
