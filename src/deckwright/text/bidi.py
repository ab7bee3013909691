"""The Unicode Bidirectional Algorithm: embedding levels of text, and the visual order of runs.

Unicode Standard Annex 9, revision 46; names of rules (P2, X1, W1 …) are those of the annex.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, TypeVar

from deckwright.base.strings import base_language

T = TypeVar("T")

Direction = Literal["auto", "ltr", "rtl"]
"""The base direction of a paragraph; "auto" takes that of its first letter."""

_RTL_LANGUAGES = ("ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi")
_MAX_DEPTH = 125
_MAX_BRACKETS = 63
_RTL = ("R", "AL")
_STRONG = ("L", *_RTL)
_ISOLATES = {"LRI": 0, "RLI": 1, "FSI": 0}
_EMBEDDINGS = {"LRE": (0, ""), "RLE": (1, ""), "LRO": (0, "L"), "RLO": (1, "R")}
_REMOVED = frozenset((*_EMBEDDINGS, "PDF", "BN"))
"""The classes that rule X9 removes."""
_NEUTRAL = frozenset(("B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"))
_NUMBERS = ("EN", "AN")


def language_direction(language: str) -> Direction:
    """Return the direction of paragraphs in a language: that of their letters, unless it is RTL."""
    return "rtl" if base_language(language).lower() in _RTL_LANGUAGES else "auto"


def base_level(text: str, direction: Direction) -> int:
    """Return the level of a paragraph: 0 from left to right, 1 from right to left (P2, P3)."""
    if direction != "auto":
        return int(direction == "rtl")
    return int(_find_strong(_classes(text), 0) in _RTL)


def isolate_facts(text: str) -> str:
    """Return facts separated by ` · `; where one is right-to-left, each has an order of its own."""
    if {*_RTL}.isdisjoint(_classes(text)):
        return text
    return " · ".join(f"\u2068{fact}\u2069" for fact in text.split(" · "))


@lru_cache(maxsize=4096)
def resolve_levels(text: str, base: int) -> tuple[int, ...]:
    """Return the embedding level of each character of a paragraph that is set as one line.

    Characters that rule X9 removes have the level of the character before them.
    """
    return _resolve(_classes(text), text, base)


def reorder(items: Sequence[tuple[int, T]]) -> list[T]:
    """Return items in visual order from left to right (L2).

    Args:
        items: each with its level, in logical order.
    """
    order = list(items)
    for lowest in range(max((level for level, _ in items), default=0), 0, -1):
        parts = groupby(order, lambda item, lowest=lowest: item[0] >= lowest)  # type: ignore[misc]
        order = [item for turned, some in parts for item in (reversed([*some]) if turned else some)]
    return [item for _, item in order]


def _classes(text: str) -> list[str]:
    """Return the bidirectional class of each character; unassigned ones count as letters."""
    return [unicodedata.bidirectional(one) or "L" for one in text]


def _find_strong(classes: Sequence[str], start: int) -> str | None:
    """Return the first strong class outside of isolates, up to the end of the isolate (P2)."""
    depth = 0
    for name in classes[start:]:
        if name in _ISOLATES:
            depth += 1
        elif name == "PDI":
            if not depth and start:
                return None
            depth = max(0, depth - 1)
        elif not depth and name in _STRONG:
            return name
    return None


class _Status(NamedTuple):
    """An entry of the directional status stack (X1)."""

    level: int
    override: str
    is_isolate: bool


def _resolve(original: Sequence[str], text: str, base: int) -> tuple[int, ...]:
    """Return the levels of characters of these classes."""
    classes = list(original)
    levels, matches = _embed(classes, base)
    for sequence in _isolating_sequences(original, levels, matches):
        _resolve_sequence(sequence, classes, original, text, levels, base)
    for index, name in enumerate(classes):  # I1, I2
        if original[index] not in _REMOVED:
            odd = levels[index] % 2
            levels[index] += (name != "R") if odd else {"R": 1, "L": 0}.get(name, 2)
    trailing = True  # L1
    for index in reversed(range(len(levels))):
        name = original[index]
        if name in ("B", "S") or (
            trailing and (name == "WS" or name in _ISOLATES or name == "PDI")
        ):
            levels[index], trailing = base, True
        elif name not in _REMOVED:
            trailing = False
        elif trailing:
            levels[index] = base
    last = base
    for index, name in enumerate(original):
        if name in _REMOVED and levels[index] != base:
            levels[index] = last
        last = levels[index]
    return tuple(levels)


def _embed(classes: list[str], base: int) -> tuple[list[int], dict[int, int]]:
    """Return explicit levels, and the end of each valid isolate by its start (X1 to X8, BD9).

    Classes are overridden in place.
    """
    stack = [_Status(base, "", is_isolate=False)]
    overflow_isolates = overflow_embeddings = 0
    open_isolates: list[int] = []
    matches: dict[int, int] = {}
    levels: list[int] = []
    for index, name in enumerate(classes):
        top = stack[-1]
        levels.append(top.level)
        if name in _EMBEDDINGS:
            odd, override = _EMBEDDINGS[name]
            level = _next_level(top.level, odd)
            if level <= _MAX_DEPTH and not overflow_isolates and not overflow_embeddings:
                stack.append(_Status(level, override, is_isolate=False))
            elif not overflow_isolates:
                overflow_embeddings += 1
        elif name in _ISOLATES:
            odd = _ISOLATES[name]
            if name == "FSI":
                odd = int(_find_strong(classes, index + 1) in _RTL)
            level = _next_level(top.level, odd)
            classes[index] = top.override or name
            if level <= _MAX_DEPTH and not overflow_isolates and not overflow_embeddings:
                open_isolates.append(index)
                stack.append(_Status(level, "", is_isolate=True))
            else:
                overflow_isolates += 1
        elif name == "PDI":
            if overflow_isolates:
                overflow_isolates -= 1
            elif open_isolates:
                overflow_embeddings = 0
                while not stack[-1].is_isolate:
                    stack.pop()
                stack.pop()
                matches[open_isolates.pop()] = index
            levels[index] = stack[-1].level
            classes[index] = stack[-1].override or name
        elif name == "PDF":
            if not overflow_isolates:
                if overflow_embeddings:
                    overflow_embeddings -= 1
                elif not top.is_isolate and len(stack) > 1:
                    stack.pop()
        elif name == "B":
            levels[index] = base
        elif name != "BN":
            classes[index] = top.override or name
    return levels, matches


def _next_level(level: int, odd: int) -> int:
    """Return the least level above one that is odd or even."""
    return level + 1 + ((level + 1 + odd) % 2)


def _isolating_sequences(
    original: Sequence[str], levels: Sequence[int], matches: Mapping[int, int]
) -> Iterator[list[int]]:
    """Yield the indexes of characters that belong together, isolates left out (BD13, X10)."""
    kept = (index for index, name in enumerate(original) if name not in _REMOVED)
    runs = [[*some] for _, some in groupby(kept, levels.__getitem__)]
    starts = {run[0]: run for run in runs}
    followers = {matches[run[-1]] for run in runs if run[-1] in matches}
    for run in runs:
        if run[0] in followers:
            continue
        sequence = [*run]
        while sequence[-1] in matches:
            sequence += starts[matches[sequence[-1]]]
        yield sequence


def _resolve_sequence(
    sequence: Sequence[int],
    classes: list[str],
    original: Sequence[str],
    text: str,
    levels: Sequence[int],
    base: int,
) -> None:
    """Resolve the classes of a sequence of characters in place (W1 to N2)."""
    level = levels[sequence[0]]
    before = next((i for i in range(sequence[0] - 1, -1, -1) if original[i] not in _REMOVED), None)
    after = None
    if original[sequence[-1]] not in _ISOLATES:
        rest = range(sequence[-1] + 1, len(levels))
        after = next((i for i in rest if original[i] not in _REMOVED), None)
    start = _direction(max(level, base if before is None else levels[before]))
    end = _direction(max(level, base if after is None else levels[after]))
    found = [classes[index] for index in sequence]
    _resolve_weak(found, start)
    letters = [text[index] if original[index] == "ON" else "" for index in sequence]
    marks = [original[index] == "NSM" for index in sequence]
    _resolve_brackets(found, letters, marks, _direction(level), start)
    for at, stop in _stretches(found, _NEUTRAL):  # N1, N2
        left = _side(found[at - 1]) if at else start
        right = _side(found[stop]) if stop < len(found) else end
        found[at:stop] = [left if left == right else _direction(level)] * (stop - at)
    for index, name in zip(sequence, found, strict=True):
        classes[index] = name


def _stretches(found: Sequence[str], names: Collection[str]) -> list[tuple[int, int]]:
    """Return the start and the end of each stretch of characters of these classes."""
    stretches, at = [], 0
    for is_wanted, some in groupby(found, names.__contains__):
        stop = at + sum(1 for _ in some)
        if is_wanted:
            stretches.append((at, stop))
        at = stop
    return stretches


def _direction(level: int) -> str:
    return "R" if level % 2 else "L"


def _side(name: str) -> str:
    """Return the direction of a letter or number; numbers count as right to left (N0, N1)."""
    return "R" if name in _NUMBERS else name


def _resolve_weak(found: list[str], start: str) -> None:
    """Resolve marks, numbers and what belongs to numbers in place (W1 to W7)."""
    previous = start
    for at, name in enumerate(found):  # W1
        if name == "NSM":
            found[at] = "ON" if previous in _ISOLATES or previous == "PDI" else previous
        previous = found[at]
    strong = start
    for at, name in enumerate(found):  # W2, W3
        if name in _STRONG:
            strong = name
        elif name == "EN" and strong == "AL":
            found[at] = "AN"
    found[:] = ["R" if name == "AL" else name for name in found]
    for at in range(1, len(found) - 1):  # W4
        left, right = found[at - 1], found[at + 1]
        if left == right and (
            (found[at] == "ES" and left == "EN") or (found[at] == "CS" and left in _NUMBERS)
        ):
            found[at] = left
    for at, stop in _stretches(found, {"ET"}):  # W5, W6
        beside = (found[at - 1] if at else "", found[stop] if stop < len(found) else "")
        found[at:stop] = ["EN" if "EN" in beside else "ON"] * (stop - at)
    strong = start
    for at, name in enumerate(found):  # W6, W7
        if name in _STRONG:
            strong = name
        elif name == "EN" and strong == "L":
            found[at] = "L"
        elif name in ("ES", "CS"):
            found[at] = "ON"


def _resolve_brackets(
    found: list[str], letters: Sequence[str], marks: Sequence[bool], direction: str, start: str
) -> None:
    """Resolve paired brackets in place (N0).

    Args:
        letters: the neutral characters, "" for others.
        marks: which characters are non-spacing marks.
        direction: that of the sequence.
        start: the direction before the sequence.
    """
    for opening, closing in sorted(_bracket_pairs(found, letters)):
        inside = {_side(name) for name in found[opening + 1 : closing]} & {"L", "R"}
        if direction in inside:
            resolved = direction
        elif inside:
            before = (_side(name) for name in reversed(found[:opening]))
            context = next((name for name in before if name in ("L", "R")), start)
            resolved = context if context in inside else direction
        else:
            continue
        for place in (opening, closing):
            found[place] = resolved
            for at in range(place + 1, len(found)):
                if not marks[at]:
                    break
                found[at] = resolved


def _bracket_pairs(found: Sequence[str], letters: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of paired brackets (BD16)."""
    stack: list[tuple[str, int]] = []
    for at, letter in enumerate(letters):
        if not letter or found[at] != "ON":
            continue
        normal = unicodedata.normalize("NFC", letter)
        closing = _closing_brackets().get(normal)
        if closing:
            if len(stack) == _MAX_BRACKETS:
                return
            stack.append((closing, at))
        elif unicodedata.category(letter) == "Pe":
            for depth in range(len(stack) - 1, -1, -1):
                if stack[depth][0] == normal:
                    yield stack[depth][1], at
                    del stack[depth:]
                    break


_CROSSED = {"\u298d": "\u2990", "\u298f": "\u298e"}
"""Brackets whose partner is not the next closing one."""


@cache
def _closing_brackets() -> dict[str, str]:
    """Return the closing bracket of each opening one (BidiBrackets.txt): mirrored punctuation."""
    pairs: dict[str, str] = {}
    for code in range(0x10000):
        one = chr(code)
        if unicodedata.category(one) == "Ps" and unicodedata.mirrored(one):
            following = (chr(code + step) for step in (1, 2))
            closing = next((c for c in following if unicodedata.category(c) == "Pe"), "")
            pairs[unicodedata.normalize("NFC", one)] = unicodedata.normalize(
                "NFC", _CROSSED.get(one, closing)
            )
    return pairs
