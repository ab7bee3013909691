"""What differs between two states of a thing, in words: "costs 17 → 16", "row CLOSE removed"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.diff.manifests.model import CardFacts, Facts
from deckwright.game.kinds import FieldValue

_SHORT = 40
"""The longest value that is shown whole, in characters."""
_WORDS = 3
"""How many words are shown before and after what has changed in a longer text."""
_LONGEST = 90
"""How much is shown of such a text, in characters."""


class Difference(NamedTuple):
    """One difference.

    Attributes:
        name: what differs, such as the name of a field.
        old, new: its values; None where there is none, or none that can be told.
        words: the difference in words.
    """

    name: str
    old: FieldValue
    new: FieldValue
    words: str


def of_value(name: str, old: FieldValue, new: FieldValue) -> Difference:
    """Return the difference between two values that are not the same."""
    if max(len(_shown(old)), len(_shown(new))) <= _SHORT:
        return Difference(name, old, new, f"{name} {_shown(old)} → {_shown(new)}")
    return Difference(name, old, new, f"{name} changed: {_excerpts(_text(old), _text(new))}")


def of_facts(old: Facts, new: Facts) -> Iterator[Difference]:
    """Yield the differences between two states of a thing, in the order of its facts."""
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield of_value(name, before, after)


def of_card(old: CardFacts, new: CardFacts) -> Iterator[Difference]:
    """Yield the differences between two states of a card; those of its rules' texts are not its."""
    if old.kind != new.kind:
        yield of_value("kind", old.kind, new.kind)
    if old.name != new.name:
        yield of_value("name", old.name, new.name)
    yield from of_facts(old.fields, new.fields)
    for tag in dict.fromkeys([*new.children, *old.children]):
        before, after = old.children.get(tag, ()), new.children.get(tag, ())
        if all(len(child) == 1 for child in (*before, *after)):
            yield from _of_values(tag, before, after, {**old.rules, **new.rules})
        else:
            yield from _of_children(tag, before, after)
    for rule_id, name in new.rules.items():
        if old.rules.get(rule_id, name) != name:
            yield of_value(f"rule {rule_id}: name", old.rules[rule_id], name)


def _of_values(
    tag: str, old: Sequence[Facts], new: Sequence[Facts], names: Mapping[str, str]
) -> Iterator[Difference]:
    """Yield the differences between lists of single values, such as rows.

    Args:
        names: the names of rules, which people know better than their ids.
    """
    before = [value for child in old for value in child.values()]
    after = [value for child in new for value in child.values()]
    removed = list((Counter(before) - Counter(after)).elements())
    added = list((Counter(after) - Counter(before)).elements())

    def called(value: FieldValue) -> str:
        name = names.get(str(value))
        return f"{_shown(value)} {name}" if name else _shown(value)

    if len(removed) == len(added) == 1:
        words = f"{tag} {called(removed[0])} → {called(added[0])}"
        yield Difference(tag, removed[0], added[0], words)
        return
    for value in removed:
        yield Difference(tag, value, None, f"{tag} {called(value)} removed")
    for value in added:
        yield Difference(tag, None, value, f"{tag} {called(value)} added")
    if not removed and not added and before != after:
        yield Difference(tag, None, None, f"order of {tag} changed")


def _of_children(tag: str, old: Sequence[Facts], new: Sequence[Facts]) -> Iterator[Difference]:
    """Yield the differences between children of several fields.

    They are known by their first values where these are all different, else by their numbers.
    """
    firsts = [[_shown(next(iter(child.values()))) for child in side] for side in (old, new)]
    if any(len(set(names)) < len(names) for names in firsts):
        firsts = [[str(number) for number, _ in enumerate(side, 1)] for side in (old, new)]
    before = dict(zip(firsts[0], old, strict=True))
    after = dict(zip(firsts[1], new, strict=True))
    for name in dict.fromkeys([*after, *before]):
        called = f"{tag} {_cut(name)}"
        if name not in after:
            yield Difference(called, None, None, f"{called} removed")
        elif name not in before:
            yield Difference(called, None, None, f"{called} added")
        else:
            for difference in of_facts(before[name], after[name]):
                words = f"{called}: {difference.words}"
                yield difference._replace(name=f"{called} {difference.name}", words=words)
    common = [name for name in firsts[0] if name in after]
    if common != [name for name in firsts[1] if name in before]:
        yield Difference(tag, None, None, f"order of {tag} changed")


def _shown(value: FieldValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == "" else str(value)


def _text(value: FieldValue) -> str:
    return "" if value is None else str(value)


def _excerpts(old: str, new: str) -> str:
    """Return the part of two texts that differs, with some words around it."""
    before, after = old.split(), new.split()
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    return f"{_excerpt(before, start, end)} → {_excerpt(after, start, end)}"


def _excerpt(words: Sequence[str], start: int, end: int) -> str:
    """Return words but for the first `start` and the last `end`, and a few of those."""
    if not words:
        return "none"
    first = max(0, start - _WORDS)
    last = min(len(words), len(words) - end + _WORDS)
    text = _cut(" ".join(words[first:last]), _LONGEST)
    return f"“{'… ' if first else ''}{text}{' …' if last < len(words) else ''}”"


def _cut(text: str, longest: int = _SHORT) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
