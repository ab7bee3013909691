"""Say in plain words why an expression has failed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deckwright.base.findings import nearest_hint

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
_OPERANDS = re.compile(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'")
_OPERAND = re.compile(r"bad operand type for unary (\S+): '(\w+)'")
_COMPARED = re.compile(r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'")
_LACKING = re.compile(r"'(\w+) object' has no (?:attribute|element) '?(.*?)'?")
_ADDED = re.compile(r'can only concatenate (\w+) \(not "(\w+)"\) to (\w+)')


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
    if match := _LACKING.fullmatch(reason):
        whose = "there is" if match[1] == "dict" else f"{described(match[1])} has"
        return f"{whose} no `{match[2]}`"
    return reason.replace("'", "`").rstrip(".")


def nearest_name(error: Exception, names: Iterable[str]) -> str | None:
    """Return a hint with the name that was meant where an expression asks for one that is not.

    Args:
        names: those that the template sees.
    """
    message, _, near = str(error).partition(NEAREST)
    if near:
        return f"did you mean `{near}`?"
    unknown = _UNKNOWN.fullmatch(message)
    return nearest_hint(unknown[1], names) if unknown else None


def _of_types(reason: str) -> str:
    """Return what a TypeError says."""
    if match := _ADDED.fullmatch(reason):
        left, right = described(match[3]), described(match[2])
        return f"`+` cannot add {left} and {right}; `~` joins texts"
    if match := _OPERANDS.match(reason):
        left, right = described(match[2]), described(match[3])
        return f"`{match[1]}` is for numbers, not for {left} and {right}"
    if match := _OPERAND.match(reason):
        return f"`{match[1]}` is for numbers, not for {described(match[2])}"
    if match := _COMPARED.match(reason):
        left, right = described(match[2]), described(match[3])
        return f"`{match[1]}` cannot compare {left} and {right}"
    if "argument" in reason:
        return "a filter or method has arguments that it does not take, or lacks one"
    return reason.replace("'", "`").rstrip(".")


class SyntaxMistakeError(Exception):
    """An expression cannot be read."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep why, and what to do."""
        super().__init__(message)
        self.message = message
        self.hint = hint
