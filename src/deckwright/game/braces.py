"""Find braces in texts that mean nothing and are printed as they are.

In a text, `{fire}` is a symbol of the game and `{icon:sword}` an icon; in a template, `{{ … }}` is
an expression. All else in braces is a slip.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from deckwright.base.findings import Code, Diagnostic, Location, Severity, nearest_hint

T016 = Code("T016", Severity.WARNING, "braces that are printed as they are")

_LONGEST = 20_000
"""The longest text that is looked at; openings without an end take time by their square."""
_BRACES = re.compile(r"(?<!\\)\{([^{}\n]{1,80})\}")
_SINGLE = re.compile(rf"(?<!\{{){_BRACES.pattern}(?!\}})")
"""The same, but for what is a mistake in an expression."""
_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_MEANING = re.compile(r"icon:[\w-]+|fill:.+|/fill")
"""What has a meaning in braces, besides symbols."""
_UNKNOWN = "\x01"
"""Stands for what an expression prints; no file can contain it."""
_VALUE = re.compile(r"\w+(?:\.\w+)+")
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def lone_braces(
    text: str,
    symbols: Collection[str],
    place: Location,
    subject: str,
    *,
    template: bool = False,
) -> Diagnostic | None:
    """Return the finding that a text has braces which are printed as they are, None if it has none.

    A name in braces that is none of the game's symbols is another finding, where it has any.

    Args:
        symbols: the ids of the game's symbols.
        subject: how to speak of the text, as in "card `HK3`: `name`".
        template: whether expressions may stand in the text.
    """
    if len(text) > _LONGEST:
        return None
    pattern = _SINGLE if template else _BRACES
    for brace in pattern.finditer(_EXPRESSION.sub(_UNKNOWN, text) if template else text):
        inside = brace[1].strip()
        if (
            _UNKNOWN in inside
            or _MEANING.fullmatch(brace[1])
            or (symbols and _SYMBOL.fullmatch(brace[1]))
        ):
            continue
        hint: str | None = "declare a symbol of this name in game.xml, or use other brackets"
        if inside in symbols:
            hint = f"write `{{{inside}}}`"
        elif template:
            hint = f"write expressions as `{{{{ {inside} }}}}`"
        elif _VALUE.fullmatch(inside):
            hint = f"only templates have expressions, written as `{{{{ {inside} }}}}`"
        elif near := nearest_hint(inside, symbols):
            hint = near
        return T016.at(place, f"{subject} has `{brace[0]}`, which is printed as it is", hint)
    return None
