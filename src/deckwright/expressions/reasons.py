"""Say in plain words why an expression has failed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deckwright.base.findings import known_hint

NEAREST = "\x1f"
"""Stands in a reason before the known name that is nearest to one that does not exist."""
_LONGEST = 300

_KINDS = {
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "NoneType": "nothing",
    "list": "a list",
    "tuple": "a list",
    "range": "a list",
    "dict": "a dictionary",
    "LoopContext": "`loop`",
}
_UNKNOWN = re.compile(r"'(\S+)' is undefined")
_LACKING = re.compile(r"'(\w+)(?: object)?' has no (?:attribute|element) '?(.*?)'?")
_LACKS = {"dict": "there is no", "None": "there is nothing that could have"}
_NAMED = re.compile(r"No (filter|test) named '(.*)'\.?")
_ADDED = "`+` cannot add {a} and {b}; `~` joins texts"
_SAID = [
    (re.compile(pattern), said)
    for pattern, said in (
        (r'can only concatenate \w+ \(not "(?P<b>\w+)"\) to (?P<a>\w+)', _ADDED),
        (r"unsupported operand type\(s\) for \+: '(?P<a>\w+)' and '(?P<b>\w+)'", _ADDED),
        (
            r"unsupported operand type\(s\) for (?P<sign>\S+): '(?P<a>\w+)' and '(?P<b>\w+)'.*",
            "`{sign}` is for numbers, not for {a} and {b}",
        ),
        (
            r"bad operand type for (?:unary )?(?P<sign>[^\s(]+)(?:\(\))?: '(?P<a>\w+)'",
            "`{sign}` is for numbers, not for {a}",
        ),
        (
            r"'(?P<sign>\S+)' not supported between instances of '(?P<a>\w+)' and '(?P<b>\w+)'",
            "`{sign}` cannot compare {a} and {b}",
        ),
        (r"'(?P<a>\w+)' object is not (?:iterable|reversible)", "a list is needed, not {a}"),
        (r"object of type '(?P<a>\w+)' has no len\(\)", "{a} has no length"),
        (r"argument of type '(?P<a>\w+)' is not .*", "{a} cannot contain anything"),
        (r"'in <string>' requires string .* not (?P<a>\w+)", "a text holds texts only, not {a}"),
        (
            r".*unhashable type: '(?P<a>\w+)'.*",
            "things are distinguished by a text or number, not by {a}",
        ),
        (
            r".*\bargument.*",
            "a filter or method has arguments that it does not take, or lacks one",
        ),
    )
]
"""What Python says of types, and how it is said here."""


def described(kind: str) -> str:
    """Return what values of a type of Python's are, in a designer's words."""
    return _KINDS.get(kind, f"`{kind}`")


def plain_reason(error: Exception) -> str:
    """Return why an expression has failed, without a full stop and Python's own words."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it takes too much memory"
    reason = str(error).partition(NEAREST)[0]
    reason = " ".join(reason[:_LONGEST].split()) or type(error).__name__
    if isinstance(error, TypeError):
        return _of_types(reason)
    if match := _NAMED.fullmatch(reason):
        return f"there is no {match[1]} `{match[2]}`"
    if match := _LACKING.fullmatch(reason):
        lacks = _LACKS.get(match[1], f"{described(match[1])} has no")
        return f"{lacks} `{match[2]}`"
    return reason.replace("'", "`").rstrip(".")


def nearest_name(error: Exception, names: Iterable[str]) -> str | None:
    """Return a hint with the name that was meant, or all, where an expression asks for no such one.

    Args:
        names: those that the template sees.
    """
    message, _, near = str(error).partition(NEAREST)
    if near:
        return f"did you mean `{near}`?"
    lacking = _LACKING.fullmatch(message)
    if lacking and lacking[1] == "None":
        return 'leave out what cards may lack, as in `when="card.image"`'
    unknown = _UNKNOWN.fullmatch(message)
    return known_hint(unknown[1], sorted(names)) if unknown else None


def _of_types(reason: str) -> str:
    """Return what a TypeError says."""
    for pattern, said in _SAID:
        if match := pattern.fullmatch(reason):
            found = match.groupdict()
            return said.format(
                sign=found.pop("sign", ""), **{k: described(found[k]) for k in found}
            )
    return reason.replace("'", "`").rstrip(".")


class SyntaxMistakeError(Exception):
    """An expression cannot be read."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep why, and what to do."""
        super().__init__(message)
        self.message = message
        self.hint = hint
