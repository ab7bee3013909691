"""What a game has besides cards, to be compared: rules, factions, decks, and what game.xml says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from deckwright.diff.manifests import wording
from deckwright.diff.manifests.model import Facts, faction_facts, rule_facts
from deckwright.diff.manifests.wording import Difference
from deckwright.game.formulas import Formula, Reference
from deckwright.game.kinds import FieldValue, Kind
from deckwright.game.model import CardKey, Deck, Faction, Game, Restrictions, Rule
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Source

_WORDS = {"audience": "", "excluded": "except"}
"""What `game.xml` calls otherwise than the model does."""


class Thing(NamedTuple):
    """A thing of a game.

    Attributes:
        what: what it is, such as "rule" or "limit".
        id: by which it is known among its like.
        copies: of a deck: how many copies of which cards, by the ids of faction and card.
    """

    what: str
    id: str
    name: str
    facts: Facts
    copies: Mapping[CardKey, int] = MappingProxyType({})


class ThingChange(NamedTuple):
    """What has become of a thing."""

    what: str
    id: str
    name: str
    state: Literal["new", "gone", "changed"]
    differences: tuple[Difference, ...]

    @property
    def title(self) -> str:
        """What the thing is called: "rule mp003 Ansturm"."""
        return " ".join(filter(None, (self.what, self.id, self.name)))

    @property
    def words(self) -> tuple[str, ...]:
        """What has become of it, in words."""
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
    """Return what has changed, in the new order; what is gone comes last of its like.

    Args:
        names: what the cards of decks are called, by the ids of faction and card.
    """
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
        differences = [*wording.of_facts(was.facts, now.facts), *_copies(was, now, names)]
        if differences:
            changes.append(ThingChange(*key, shown.name, "changed", tuple(differences)))
    kinds = list(dict.fromkeys([*(what for what, _ in after), *(what for what, _ in before)]))
    return sorted(changes, key=lambda change: kinds.index(change.what))


def _copies(was: Thing, now: Thing, names: Mapping[CardKey, str]) -> Iterator[Difference]:
    """Yield the differences between the lists of two decks."""
    for key in dict.fromkeys([*now.copies, *was.copies]):
        old, new = was.copies.get(key, 0), now.copies.get(key, 0)
        name = names.get(key) or f"{key[1]} of {key[0]}"
        if old and new and old != new:
            words = f"{old} × {name} → {new} × {name}"
        elif old != new:
            words = f"{old or new} × {name} {'removed' if old else 'added'}"
        else:
            continue
        yield Difference("/".join(key), old, new, words)


def rule_things(rules: Iterable[Rule]) -> Iterator[Thing]:
    """Yield the rules."""
    for rule in rules:
        labels = {f"name for {race}": name for race, name in rule.labels.items()}
        facts = {**rule_facts(rule), **labels, "tokens": len(rule.tokens)}
        facts |= {name: n for name, n in (("refills", rule.refills), ("adds", rule.adds)) if n}
        yield Thing("rule", rule.id, next(iter(rule.labels.values()), ""), facts)


def faction_things(factions: Iterable[Faction]) -> Iterator[Thing]:
    """Yield the factions."""
    for faction in factions:
        facts = {**faction_facts(faction), "cards": faction.cards_of, "format": faction.format}
        yield Thing("faction", faction.id, faction.name, facts)


def deck_things(decks: Iterable[Deck]) -> Iterator[Thing]:
    """Yield the decks; a card that stands in several lines counts as if in one."""
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


def restriction_things(lists: Iterable[Restrictions]) -> Iterator[Thing]:
    """Yield the lists of restrictions: by what words they restrict which cards."""
    for listed in lists:
        words: dict[str, str] = {}
        for entry in listed.entries:
            card = f"{entry.card_id} of {entry.faction_id}"
            words[card] = ", ".join(filter(None, (words.get(card), entry.word)))
        facts: Facts = {"from": listed.since, "formats": ", ".join(listed.formats), **words}
        yield Thing("restrictions", listed.source.path.stem, listed.name, facts)


def card_names(games: Sequence[Game | None]) -> dict[CardKey, str]:
    """Return what cards are called by the ids of faction and card; later games count more."""
    return {
        key: f"{card.id} {card.name}" for game in games if game for key, card in game.cards.items()
    }


def setup_things(setup: Setup) -> Iterator[Thing]:
    """Yield what `game.xml` says: the game itself, its limits, its kinds of cards and so on."""
    scalars = {
        name.replace("_", "-"): value
        for name, value in setup._asdict().items()
        if value is None or isinstance(value, (str, int))
    }
    yield Thing("game", "", "", {**scalars, **dict(_flat(setup.tokens, "tokens"))})
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
            yield Thing(what, str(item.id), str(getattr(item, "name", "")), dict(_flat(item)))
    for vocabulary in setup.vocabularies.values():
        for term in vocabulary.terms.values():
            yield Thing("term", f"{vocabulary.id}/{term.id}", term.name, dict(_flat(term)))
    for kind in setup.kinds.values():
        yield from _kind_things(kind)
    for what, table in (("color", setup.colors), ("word", setup.words)):
        for name, value in table.items():
            yield Thing(what, name, "", {"text" if what == "word" else "value": value})


def _kind_things(kind: Kind) -> Iterator[Thing]:
    """Yield a kind of card, its fields and its children."""
    own = {name: value for name, value in kind._asdict().items()
           if name not in {"fields", "children"}}  # fmt: skip
    yield Thing("kind", kind.tag, kind.name, dict(_flat(own)))
    for field in kind.fields:
        yield Thing("field", f"{kind.tag}/{field.name}", "", dict(_flat(field)))
    for children in kind.children:
        name = f"{kind.tag}/{children.tag}"
        own = {key: value for key, value in children._asdict().items() if key != "fields"}
        yield Thing("children", name, "", dict(_flat(own)))
        for field in children.fields:
            yield Thing("field", f"{name}/{field.name}", "", dict(_flat(field)))


def _flat(value: object, name: str = "") -> Iterator[tuple[str, FieldValue]]:
    """Yield the plain values that something consists of, by their names."""
    if isinstance(value, Source):
        return
    if isinstance(value, (Formula, Reference)):
        yield name, str(value)
        return
    table = value._asdict() if hasattr(value, "_asdict") else value
    if isinstance(table, Mapping):
        for key, inner in table.items():
            if key not in {"id", "tag"}:
                word = _WORDS.get(str(key), str(key).replace("_", "-"))
                yield from _flat(inner, f"{name} {word}".strip())
    elif isinstance(table, tuple):
        words = (" ".join(str(v) for _, v in _flat(item)) or str(item) for item in table)
        yield name, ", ".join(words)
    elif table is None or isinstance(table, (str, int)):
        yield name, table
    else:
        yield name, f"{table:g}" if isinstance(table, float) else str(table)
