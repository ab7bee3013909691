"""Variables: colors that a drawing names, and whoever shows it can replace.

After CSS Custom Properties (https://www.w3.org/TR/css-variables-1/): `var(--cloth, #7a3b2e)` is the
value of `--cloth`, or else what follows the comma.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from deckwright.base.findings import nearest_hint
from deckwright.images.drawings.model import Palette, RefusedError
from deckwright.images.drawings.values import refusal
from deckwright.xmlio.node import Node

_LONGEST = 1000
"""The longest value, in characters: variables of variables may multiply."""
_DEEPEST = 20
"""The most variables that one is made of, each of the next."""
_USE = re.compile(r"var\(")
_SIMPLE = re.compile(r"var\(\s*--([\w-]{1,100})\s*(?:,([^()]*))?\)")
"""A use whose value, where nothing is given, has no brackets: nearly every one."""
_NAME = re.compile(r"\s*--([\w-]{1,100})\s*(,|$)")
_USED = re.compile(r"var\(\s*--([\w-]{1,100})")
_DECLARED = re.compile(r"(?:^|[;\s])--([\w-]{1,100})\s*:")


def names(root: Node) -> frozenset[str]:
    """Return the variables that a drawing has: uses anywhere, or declares at its root."""
    used = (
        name
        for node in root.walk()
        for text in node.attributes.values()
        if "var(" in text
        for name in _USED.findall(text)
    )
    return frozenset([*used, *_DECLARED.findall(root.get("style") or "")])


def declared(
    own: Mapping[str, str], around: Mapping[str, str], palette: Palette
) -> Mapping[str, str]:
    """Return the variables that an element declares, by their names with dashes.

    Args:
        around: those of the elements around, among other properties.
        palette: what is given from outside, which comes before what the root declares.

    Raises:
        RefusedError: if one is made of itself, or of one without a value.
    """
    raw = {**own, **{f"--{name}": value for name, value in palette}}
    everyone = {**around, **raw}
    made: dict[str, str] = {}
    open_: list[str] = []

    def value(name: str) -> str | None:
        if name in made or name not in raw:
            return made.get(name) or around.get(name)
        if name in open_ or len(open_) > _DEEPEST:
            made_of = "itself" if name in open_ else f"more than {_DEEPEST} others"
            message = f"the variable `{name}` is made of {made_of}"
            raise RefusedError(message, "style")
        open_.append(name)
        made[name] = _resolved(raw[name], name, value, everyone)
        open_.pop()
        return made[name]

    for name in raw:
        value(name)
    return made


def resolved(text: str, name: str, known: Mapping[str, str]) -> str:
    """Return the value of the property `name` with the values of its variables.

    Raises:
        RefusedError: if a variable has none.
    """
    return _resolved(text, name, known.get, known)


def _resolved(
    text: str, name: str, value: Callable[[str], str | None], known: Iterable[str]
) -> str:
    while (use := _USE.search(text)) is not None:
        if len(text) > _LONGEST:
            message = f"`{name}` with its variables is longer than {_LONGEST:,} characters"
            raise RefusedError(message, name)
        simple = _SIMPLE.match(text, use.start())
        if simple is not None:
            variable, otherwise, end = f"--{simple[1]}", simple[2], simple.end()
        else:
            inside, end = _brackets(text, use.end(), name)
            found = _NAME.match(inside)
            if found is None:
                hint = "write `var(--name, #7a3b2e)`"
                raise refusal(name, text, "which cannot be read", hint)
            variable, otherwise = f"--{found[1]}", inside[found.end() :] if found[2] else None
        given = value(variable)
        if given is None and otherwise is None:
            near = nearest_hint(variable, [name for name in known if name.startswith("--")])
            hint = near or f"write what it is where nothing is given: `var({variable}, #7a3b2e)`"
            message = f"`{name}` is `var({variable})`, which has no value"
            raise RefusedError(message, name, hint)
        given = (otherwise or "").strip() if given is None else given
        text = text[: use.start()] + given + text[end:]
    return text


def _brackets(text: str, start: int, name: str) -> tuple[str, int]:
    """Return what stands in brackets from `start` on, and the place after them."""
    depth = 1
    for index in range(start, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if not depth:
            return text[start:index], index + 1
    raise refusal(name, text, "which has a bracket that is not closed")
