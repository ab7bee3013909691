"""What is searched for: conditions as `where` has them, and a shorter form of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckwright.base.choices import ChoiceError
from deckwright.game.asked_where import asked_where
from deckwright.game.conditions import Where, references_in, unread_in
from deckwright.game.deck_rules import RESTRICTION
from deckwright.game.kinds import Field, Vocabulary
from deckwright.game.named import names_in
from deckwright.game.setup import Setup
from deckwright.studio.saying import SaidError

LONGEST = 500
"""The longest text that is read."""
_SHORT = re.compile(
    r"""(?:(and|or)\s+)?('[^']*'|"[^"]*"|[^\s!=<>"':]+)"""
    r"""(?:\s*(!=|<=|>=|=|<|>|:)\s*|\s+(in|not\s+in)\s+)"""
    r"""('[^']*'|"[^"]*"|[^\s!=<>"':]+)(?:\s+|$)"""
)


def sought(text: str, setup: Setup) -> Where:
    """Return what a text states: `strength>=3 and rows=CLOSE`, or shorter `strength>=3 row:CLOSE`.

    In the shorter form `:` is the same as `=`, a child may be called by its tag, and what stands
    side by side must hold together. Fields and terms may be called as they are in print; a name of
    several words stands in quotes.

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
    """Return a text in the long form, None if it cannot be read.

    Raises:
        SaidError: if it names a field that there is not.
    """
    called, parts, fields = _names_of_fields(setup), list[str](), list[str]()
    at = 0
    while found := _SHORT.match(text, at):
        link, field, sign, word, value = found.groups()
        field = field.strip("'\"")
        field = called.get(field.casefold(), field)
        if parts:
            parts.append(link or "and")
        elif link:
            return None
        value = _by_id(field, value, setup, several=bool(word))
        parts.append(f"{field} {'=' if sign == ':' else sign or word} {value}")
        fields.append(field)
        at = found.end()
    if at != len(text):
        return None
    names = names_in((), setup.card_kinds)
    known = names.fields | names.lists | {RESTRICTION}
    unknown = next((field for field in fields if field not in known), None)
    if unknown is not None:
        raise _no_field(
            unknown, text, [*dict.fromkeys(_names_in_print(setup).values())] or sorted(known)
        )
    long = " ".join(parts)
    return long if not unread_in(long) else None


def _no_field(field: str, text: str, known: list[str]) -> SaidError:
    listed = ", ".join(known)
    message = f"`{text}` names the field `{field}`, which no kind of card has"
    return SaidError("search-unknown", field, listed, message=message, hint=f"use one of {listed}")


def _names_of_fields(setup: Setup) -> dict[str, str]:
    """Return the names of fields and of lists of children, by all that they are called."""
    names = {name.casefold(): name for name, _ in _fields(setup)}
    tags = {spec.tag.casefold(): spec.plural for kind in setup.card_kinds for spec in kind.children}
    printed = {said.casefold(): name for name, said in _names_in_print(setup).items()}
    return {**printed, **tags, **names}


def _fields(setup: Setup) -> Iterator[tuple[str, Field]]:
    """Yield the fields of cards, and the lists of their children by the first field of each."""
    for kind in setup.card_kinds:
        yield from ((field.name, field) for field in kind.fields)
        yield from ((spec.plural, spec.fields[0]) for spec in kind.children)


def _vocabulary(field: Field, setup: Setup) -> Vocabulary | None:
    return setup.vocabularies.get(field.one.vocabulary or "")


def _names_in_print(setup: Setup) -> dict[str, str]:
    """Return what fields are called in print, by their names; by their terms if not themselves."""
    found: dict[str, str] = {}
    for name, field in _fields(setup):
        vocabulary = _vocabulary(field, setup)
        said = field.text or (vocabulary.name if vocabulary else "")
        if said and not field.picture:
            found.setdefault(name, said)
    return found


def _by_id(name: str, value: str, setup: Setup, *, several: bool) -> str:
    """Return the value of a condition, with terms that it calls as in print by their ids."""
    plain = value.strip("'\"")
    ids = {
        term.name.casefold(): term.id
        for field_name, field in _fields(setup)
        if field_name == name and (vocabulary := _vocabulary(field, setup))
        for term in vocabulary.terms.values()
    }
    parts = [part.strip() for part in plain.split(",")] if several else [plain]
    if not any(part.casefold() in ids for part in parts):
        return value
    return f"'{', '.join(ids.get(part.casefold(), part) for part in parts)}'"
