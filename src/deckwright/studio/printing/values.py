"""Values that the page sends for options: taken as they are, or refused with words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from deckwright.base.choices import ChoiceError, demand
from deckwright.studio.printing.options import Option, OptionType

_LONGEST_TEXT = 200
_MOST_NAMES = 1000
_PAIR = 2


def values_of(options: Iterable[Option], given: object) -> dict[str, object]:
    """Return the value of each option, its default where none is given.

    Raises:
        ChoiceError: if there is no such option, or it cannot have this value.
    """
    if not isinstance(given, dict):
        raise ChoiceError("options are a JSON object")
    known = {option.name: option for option in options}
    for name in given:
        demand(str(name), known, "option")
    return {
        name: _value(option, given[name]) if name in given else option.default
        for name, option in known.items()
    }


def names_in(given: object, called: str) -> list[str]:
    """Return a list of names, each once.

    Raises:
        ChoiceError: if it is none.
    """
    listed = given if isinstance(given, list) else [None]
    names = [name for name in listed if isinstance(name, str) and len(name) <= _LONGEST_TEXT]
    if len(listed) > _MOST_NAMES or len(names) < len(listed):
        raise ChoiceError(f"`{called}` is a list of at most {_MOST_NAMES} names")
    return [*dict.fromkeys(names)]


def _value(option: Option, given: object) -> object:
    if given is None and option.optional:
        return None
    value = _READERS[option.type](option, given)
    if value is None:
        raise ChoiceError(f"the option `{option.name}` cannot be `{_short(given)}`", _hint(option))
    return value


def _hint(option: Option) -> str | None:
    if option.least is None or option.most is None:
        return option.help or None
    return f"it is from {option.least:g} to {option.most:g}"


def _short(given: object) -> str:
    text = str(given)
    return text if len(text) <= _LONGEST_TEXT // 4 else f"{text[: _LONGEST_TEXT // 4]}…"


def _flag(_: Option, given: object) -> object:
    return given if isinstance(given, bool) else None


def _choice(option: Option, given: object) -> object:
    return given if any(given == choice["value"] for choice in option.choices) else None


def _text(option: Option, given: object) -> object:
    if isinstance(given, bool):  # the game's own word for a draft, or none
        return given if option.name == "watermark" else None
    return given if isinstance(given, str) and len(given) <= _LONGEST_TEXT else None


def _integer(option: Option, given: object) -> object:
    return given if isinstance(given, int) and _within(option, given) else None


def _number(option: Option, given: object) -> object:
    return given if isinstance(given, (int, float)) and _within(option, given) else None


def _within(option: Option, given: float) -> bool:
    if isinstance(given, bool) or not math.isfinite(given):
        return False
    return (option.least is None or given >= option.least) and (
        option.most is None or given <= option.most
    )


def _names(option: Option, given: object) -> object:
    names = names_in(given, option.name)
    known = [choice["value"] for choice in option.choices]
    return names if not known or all(name in known for name in names) else None


def _pair(read: Callable[[Option, object], object]) -> Callable[[Option, object], object]:
    def both(option: Option, given: object) -> object:
        if not isinstance(given, list) or len(given) != _PAIR:
            return None
        return given if all(read(option, each) is not None for each in given) else None

    return both


def _numbers(option: Option, given: object) -> object:
    if not isinstance(given, dict) or len(given) > _MOST_NAMES:
        return None
    off = option.name == "limit"  # a limit can be switched off
    fits = ((off and each is None) or _integer(option, each) is not None for each in given.values())
    return given if all(fits) else None


_READERS: Mapping[OptionType, Callable[[Option, object], object]] = {
    "flag": _flag,
    "choice": _choice,
    "text": _text,
    "integer": _integer,
    "number": _number,
    "names": _names,
    "offset": _pair(_number),
    "size": _pair(_integer),
    "numbers": _numbers,
}
