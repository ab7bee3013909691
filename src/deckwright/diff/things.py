"""Compare everything in a game besides cards: rules, factions, decks and game.xml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from deckwright.base.findings import shorten
from deckwright.diff.manifest import CardFacts, Facts, faction_facts, plain_value, rule_facts
from deckwright.game.deck_rules import Formula, Reference
from deckwright.game.kinds import FieldValue
from deckwright.game.model import CardKey, Deck, Game
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Source

_MAX_WHOLE_VALUE = 40
"""The maximum length of a value shown in full."""
_CONTEXT_WORDS = 3
"""The number of words shown before and after a change in a longer text."""
_MAX_EXCERPT = 90
"""The maximum length of an excerpt from such a text."""


class Difference(NamedTuple):
    """One difference, and its words.

    Attributes:
        name: what differs, such as the name of a field.
        old, new: its values; None if there is none, or none that can be shown.
    """

    name: str
    old: FieldValue
    new: FieldValue
    words: str


def compare_values(name: str, old: FieldValue, new: FieldValue) -> Difference:
    """Return the difference between two unequal values."""
    if max(len(_show_value(old)), len(_show_value(new))) <= _MAX_WHOLE_VALUE:
        return Difference(name, old, new, f"{name} {_show_value(old)} → {_show_value(new)}")
    before, after = ("" if value is None else str(value) for value in (old, new))
    was, now = before.split(), after.split()
    shorter = min(len(was), len(now))
    start = next((n for n in range(shorter) if was[n] != now[n]), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if was[-1 - n] != now[-1 - n]), rest)
    words = f"{_excerpt(was, start, end)} → {_excerpt(now, start, end)}"
    return Difference(name, old, new, f"{name} changed: {words}")


def compare_facts(old: Facts, new: Facts) -> Iterator[Difference]:
    """Yield the differences between two states of a thing, in the order of its facts."""
    for name in dict.fromkeys([*new, *old]):
        before, after = plain_value(old.get(name)), plain_value(new.get(name))
        if before != after:
            yield compare_values(name, before, after)


def compare_cards(old: CardFacts, new: CardFacts) -> Iterator[Difference]:
    """Yield the differences between two states of a card, without those of rule texts."""
    if old.kind != new.kind:
        yield compare_values("kind", old.kind, new.kind)
    if old.name != new.name:
        yield compare_values("name", old.name, new.name)
    yield from compare_facts(old.fields, new.fields)
    for tag in dict.fromkeys([*new.children, *old.children]):
        before, after = old.children.get(tag, ()), new.children.get(tag, ())
        if all(len(child) == 1 for child in (*before, *after)):
            yield from _compare_single_values(tag, before, after, {**old.rules, **new.rules})
        else:
            yield from _compare_children(tag, before, after)
    for rule_id, name in new.rules.items():
        if old.rules.get(rule_id, name) != name:
            yield compare_values(f"rule {rule_id}: name", old.rules[rule_id], name)


def _compare_single_values(
    tag: str, old: Sequence[Facts], new: Sequence[Facts], names: Mapping[str, str]
) -> Iterator[Difference]:
    """Yield the differences between lists of single values; `names` are those of rules by id."""
    before = [value for child in old for value in child.values()]
    after = [value for child in new for value in child.values()]
    removed = list((Counter(before) - Counter(after)).elements())
    added = list((Counter(after) - Counter(before)).elements())

    def describe(value: FieldValue) -> str:
        name = names.get(str(value))
        return f"{_show_value(value)} {name}" if name else _show_value(value)

    if len(removed) == len(added) == 1:
        words = f"{tag} {describe(removed[0])} → {describe(added[0])}"
        yield Difference(tag, removed[0], added[0], words)
        return
    for value in removed:
        yield Difference(tag, value, None, f"{tag} {describe(value)} removed")
    for value in added:
        yield Difference(tag, None, value, f"{tag} {describe(value)} added")
    if not removed and not added and before != after:
        yield Difference(tag, None, None, f"order of {tag} changed")


def _compare_children(tag: str, old: Sequence[Facts], new: Sequence[Facts]) -> Iterator[Difference]:
    """Yield the differences between children of several fields.

    They are identified by their first values if these are unique, else by their numbers.
    """
    firsts = [[_show_value(next(iter(child.values()))) for child in side] for side in (old, new)]
    if any(len(set(names)) < len(names) for names in firsts):
        firsts = [[str(number) for number, _ in enumerate(side, 1)] for side in (old, new)]
    before = dict(zip(firsts[0], old, strict=True))
    after = dict(zip(firsts[1], new, strict=True))
    for name in dict.fromkeys([*after, *before]):
        called = f"{tag} {shorten(name)}"
        if name not in after:
            yield Difference(called, None, None, f"{called} removed")
        elif name not in before:
            yield Difference(called, None, None, f"{called} added")
        else:
            for difference in compare_facts(before[name], after[name]):
                words = f"{called}: {difference.words}"
                yield difference._replace(name=f"{called} {difference.name}", words=words)
    common = [name for name in firsts[0] if name in after]
    if common != [name for name in firsts[1] if name in before]:
        yield Difference(tag, None, None, f"order of {tag} changed")


def _show_value(value: FieldValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == "" else str(value)


def _excerpt(words: Sequence[str], start: int, end: int) -> str:
    """Return words without the first `start` and the last `end`, except a few of those."""
    if not words:
        return "none"
    first = max(0, start - _CONTEXT_WORDS)
    last = min(len(words), len(words) - end + _CONTEXT_WORDS)
    text = shorten(" ".join(words[first:last]), _MAX_EXCERPT)
    return f"“{'… ' if first else ''}{text}{' …' if last < len(words) else ''}”"


_RENAMED_FIELDS = {"audience": "", "excluded": "except"}
"""Attributes that `game.xml` names differently from the model."""


class Thing(NamedTuple):
    """A part of a game other than a card, such as a rule; its id is unique within its kind.

    Attributes:
        copies: the copies of a deck's cards, by the ids of faction and card.
    """

    what: str
    id: str
    name: str
    facts: Facts
    copies: Mapping[CardKey, int] = MappingProxyType({})


class ThingChange(NamedTuple):
    """The change of a thing."""

    what: str
    id: str
    name: str
    state: Literal["new", "gone", "changed"]
    differences: tuple[Difference, ...]

    @property
    def title(self) -> str:
        """The kind, id and name of the thing: "rule mp003 Ansturm"."""
        return " ".join(filter(None, (self.what, self.id, self.name)))

    @property
    def words(self) -> tuple[str, ...]:
        """The change in words."""
        if self.state != "changed":
            return (self.state,)
        return tuple(difference.words for difference in self.differences)

    @property
    def line(self) -> str:
        """The change on one line."""
        return f"{self.title}: {'; '.join(self.words)}"


def compare_things(
    old: Iterable[Thing], new: Iterable[Thing], names: Mapping[CardKey, str]
) -> list[ThingChange]:
    """Return the changes in the new order, with removed things last within their kind."""
    before = {(thing.what, thing.id): thing for thing in old}
    after = {(thing.what, thing.id): thing for thing in new}
    changes = []
    for key in [*after, *(key for key in before if key not in after)]:
        was, now = before.get(key), after.get(key)
        shown = now or was
        assert shown is not None
        if was is None or now is None:
            state: Literal["new", "gone"] = "new" if now else "gone"
            changes.append(ThingChange(*key, shown.name, state, ()))
            continue
        differences = [*compare_facts(was.facts, now.facts)]
        for card in dict.fromkeys([*now.copies, *was.copies]):
            old_copies, new_copies = was.copies.get(card, 0), now.copies.get(card, 0)
            name = names.get(card) or f"{card[1]} of {card[0]}"
            words = f"{old_copies} × {name} → {new_copies} × {name}"
            if not old_copies or not new_copies:
                verb = "removed" if old_copies else "added"
                words = f"{old_copies or new_copies} × {name} {verb}"
            if old_copies != new_copies:
                differences.append(Difference("/".join(card), old_copies, new_copies, words))
        if differences:
            changes.append(ThingChange(*key, shown.name, "changed", tuple(differences)))
    kinds = list(dict.fromkeys([*(what for what, _ in after), *(what for what, _ in before)]))
    return sorted(changes, key=lambda change: kinds.index(change.what))


def game_things(game: Game) -> Iterator[Thing]:
    """Yield the rules, the factions and the lists of restrictions."""
    for rule in game.rules.values():
        labels = {f"name for {race}": name for race, name in rule.labels.items()}
        facts: Facts = {**rule_facts(rule), **labels, "tokens": len(rule.tokens)}
        more = {name: n for name, n in (("refills", rule.refills), ("adds", rule.adds)) if n}
        yield Thing("rule", rule.id, next(iter(rule.labels.values()), ""), {**facts, **more})
    for faction in game.factions.values():
        facts = {**faction_facts(faction), "cards": faction.cards_of, "format": faction.format}
        yield Thing("faction", faction.id, faction.name, facts)
    for listed in game.restrictions:
        words: dict[str, str] = {}  # that restrict each card
        for entry in listed.entries:
            card = f"{entry.card_id} of {entry.faction_id}"
            words[card] = ", ".join(filter(None, (words.get(card), entry.word)))
        facts = {"from": listed.since, "formats": ", ".join(listed.formats), **words}
        yield Thing("restrictions", listed.source.path.stem, listed.name, facts)


def deck_things(decks: Iterable[Deck]) -> Iterator[Thing]:
    """Yield the decks, with the lines of a card added up."""
    for deck in decks:
        copies: Counter[CardKey] = Counter()
        zones: dict[str, FieldValue] = {}
        for entry in deck.entries:
            copies[entry.faction_id, entry.card_id] += entry.copies
            if entry.zone is not None:
                zones[f"zone of {entry.card_id}"] = entry.zone
        own = {"name": deck.name, "faction": deck.faction_id, "format": deck.format}
        facts: Facts = {**own, **zones}
        yield Thing("deck", deck.stem, "", facts, copies)


def setup_things(setup: Setup) -> Iterator[Thing]:
    """Yield the content of `game.xml`: the game itself, its limits, kinds of cards and so on."""
    scalars = {
        name.replace("_", "-"): value
        for name, value in setup._asdict().items()
        if value is None or isinstance(value, (str, int))
    }
    yield Thing("game", "", "", {**scalars, **dict(_flatten(setup.tokens, "tokens"))})
    for what, listed in (
        ("zone", setup.zones),
        ("limit", setup.limits),
        ("format", setup.formats.values()),
        ("group", setup.groups),
        ("font", setup.fonts.values()),
        ("symbol", setup.symbols.values()),
        ("marker", setup.markers),
    ):
        for item in listed:
            yield Thing(what, str(item.id), str(getattr(item, "name", "")), dict(_flatten(item)))
    for vocabulary in setup.vocabularies.values():
        for term in vocabulary.terms.values():
            yield Thing("term", f"{vocabulary.id}/{term.id}", term.name, dict(_flatten(term)))
    for kind in setup.kinds.values():
        own = {name: value for name, value in kind._asdict().items()
               if name not in {"fields", "children"}}  # fmt: skip
        yield Thing("kind", kind.tag, kind.name, dict(_flatten(own)))
        for field in kind.fields:
            yield Thing("field", f"{kind.tag}/{field.name}", "", dict(_flatten(field)))
        for children in kind.children:
            name = f"{kind.tag}/{children.tag}"
            own = {key: value for key, value in children._asdict().items() if key != "fields"}
            yield Thing("children", name, "", dict(_flatten(own)))
            for field in children.fields:
                yield Thing("field", f"{name}/{field.name}", "", dict(_flatten(field)))
    for what, table in (("color", setup.colors), ("word", setup.words)):
        for name, value in table.items():
            yield Thing(what, name, "", {"text" if what == "word" else "value": value})


def _flatten(value: object, name: str = "") -> Iterator[tuple[str, FieldValue]]:
    """Yield the plain values of a nested object, by name."""
    if isinstance(value, Source):
        return
    if isinstance(value, (Formula, Reference)):
        yield name, str(value)
        return
    table = value._asdict() if hasattr(value, "_asdict") else value
    if isinstance(table, Mapping):
        for key, inner in table.items():
            if key not in {"id", "tag"}:
                word = _RENAMED_FIELDS.get(str(key), str(key).replace("_", "-"))
                yield from _flatten(inner, f"{name} {word}".strip())
    elif isinstance(table, tuple):
        words = (" ".join(str(v) for _, v in _flatten(item)) or str(item) for item in table)
        yield name, ", ".join(words)
    elif table is None or isinstance(table, (str, int)):
        yield name, table
    else:
        yield name, f"{table:g}" if isinstance(table, float) else str(table)
