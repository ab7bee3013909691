"""Build the manifest of a print and compare it with what would be printed now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.findings import Report
from deckwright.base.strings import dump_safe_json, printable_path
from deckwright.base.units import pluralize
from deckwright.checks.counting import DeckRules
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.stats import deck_stats
from deckwright.diff import things
from deckwright.diff.manifest import (
    Digests,
    Facts,
    Manifest,
    ManifestEntry,
    copy_keys,
    deck_manifest,
)
from deckwright.diff.things import Difference, ThingChange
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies
from deckwright.game.folder import GameFolder
from deckwright.game.model import CardKey, FaceKey


def current_manifest(
    folder: GameFolder, printed: Manifest, style: str | None, report: Report
) -> Manifest | None:
    """Return the manifest of the deck that was printed as it is now; None after reporting why not.

    Args:
        printed: its manifest as it was, which also says whether backs are printed.
        style: another style than it was printed in.
    """
    path = folder.deck_file(f"{Path(printed.deck).name}.xml")
    loaded = load_deck(folder, path, LimitOptions(ignore=True), report)
    if loaded is None:
        return None
    game, deck, _ = loaded
    style = style or printed.style
    factory, before = FaceFactory(game, folder, report, style), len(report)
    backs = any(entry.back is not None for entry in printed.entries)
    copies = make_deck_copies(deck_stats(game, deck, DeckRules()), factory, report, backs=backs)
    if not factory.usable or len(report) > before:
        return None
    digests = Digests(factory.fonts)
    return deck_manifest(game, deck, copies, digests, sheet=game.setup.sheet, style=style)


State = Literal["new", "gone", "changed", "copies", "renamed", "unseen"]
"""What has become of a card: `copies` has other numbers of them, `renamed` has another id, and
`unseen` has other values, none of which its faces show."""

BACK_KIND = "/back"
"""The kind of what is the back of cards; no kind of a game is called so."""


EntryPair = tuple[ManifestEntry | None, ManifestEntry | None]
"""What a part of a card was and is."""


class CardChange(NamedTuple):
    """What has become of a card.

    Attributes:
        name: the card's, as it is now.
        differences: what differs, if it was there before and still is.
        old_copies, new_copies: how many there were, and how many there are.
        to_print: how many must be printed: those that the old ones do not serve for.
        parts: those of its faces that look different, are new or are gone.
        shared: whether other factions have a card of the same id.
    """

    faction_id: str
    card_id: str
    kind: str
    name: str
    state: State
    differences: tuple[Difference, ...]
    old_copies: int
    new_copies: int
    to_print: int
    parts: tuple[int, ...]
    shared: bool = False

    @property
    def title(self) -> str:
        """What the card is called: "HK3 Held"."""
        if self.kind == BACK_KIND:
            return self.name
        return f"{f'{self.faction_id}/' if self.shared else ''}{self.card_id} {self.name}"

    @property
    def words(self) -> tuple[str, ...]:
        """What has become of it, in words: one a difference, or "new"."""
        words = [difference.words for difference in self.differences]
        if self.state in {"new", "gone"}:
            words.insert(0, self.state)
        if self.state == "unseen":
            words.append("its face is the same")
        return tuple(words)

    @property
    def line(self) -> str:
        """The change on one line."""
        return f"{self.title}: {'; '.join(self.words)}"


class Changes(NamedTuple):
    """What has changed since something was printed.

    Attributes:
        to_print: how many copies of which faces must be printed; others are as they were.
        cards: the cards that have changed, in the order of print; those that are gone come last.
    """

    to_print: Mapping[FaceKey, int]
    cards: tuple[CardChange, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """What has changed in words, a card a line."""
        return tuple(change.line for change in self.cards)

    def select(self, copies: Iterable[Copy], digests: Digests) -> list[Copy]:
        """Return the copies to print, in their order.

        Args:
            copies: all copies, as `deck_manifest` was given them.
        """
        left = dict(self.to_print)
        copies, chosen = list(copies), []
        for copy, key in zip(copies, copy_keys(copies, digests), strict=True):
            if left.get(key, 0):
                left[key] -= 1
                chosen.append(copy)
        return chosen


def changed_since(old: Manifest, new: Manifest) -> Changes:
    """Return what must be printed to make of the cards in `old` those in `new`.

    A copy serves on while its face is the same, and its back, where backs are printed; be it under
    another id.
    """
    served, stock = _match_copies(old, new)
    to_print = {e.key: e.copies - served[e.key] for e in new.entries if e.copies > served[e.key]}
    before, after = _by_card(old.entries), _by_card(new.entries)
    owners = Counter(card_id for _, card_id in {**before, **after})
    cards = []
    for key in dict.fromkeys([*after, *before]):
        change: CardChange | None
        if key not in before:
            change = _new_card(key, after[key], to_print, old, stock)
        elif key not in after:
            left = sum(stock[entry.key] for entry in before[key])
            change = _gone_card(key, before[key]) if left else None
        else:
            change = _changed_card(key, before[key], after[key], to_print, (old, new))
        if change is not None:
            cards.append(change._replace(shared=owners[key[1]] > 1))
    return Changes(to_print, tuple(cards))


def _match_copies(old: Manifest, new: Manifest) -> tuple[dict[FaceKey, int], dict[FaceKey, int]]:
    """Return how many copies old ones serve for, and how many old ones are left over."""
    stock = {entry.key: entry.copies for entry in old.entries}
    served = {entry.key: 0 for entry in new.entries}
    before = {entry.key: entry for entry in old.entries}
    by_face: dict[str, list[ManifestEntry]] = {}
    for entry in old.entries:
        by_face.setdefault(entry.face, []).append(entry)
    # Each card keeps its own copies before others are looked through for faces that are the same.
    for others in (False, True):
        for entry in new.entries:
            own = before.get(entry.key)
            candidates = by_face.get(entry.face, []) if others else [own] if own else []
            for candidate in candidates:
                if _serves(candidate, entry):
                    taken = min(stock[candidate.key], entry.copies - served[entry.key])
                    stock[candidate.key] -= taken
                    served[entry.key] += taken
    return served, stock


def _serves(old: ManifestEntry | None, new: ManifestEntry | None) -> bool:
    """Return whether copies of an old face serve for a new one.

    Of a face that cannot be composed, nothing is known but what is on it.
    """
    if old is None or new is None:
        return False
    if not (old.face and new.face):
        return old.key == new.key and not any(things.compare_cards(old.card, new.card))
    return old.face == new.face and new.back in {None, old.back}


def _by_card(entries: Iterable[ManifestEntry]) -> dict[CardKey, list[ManifestEntry]]:
    cards: dict[CardKey, list[ManifestEntry]] = {}
    for entry in entries:
        cards.setdefault((entry.faction_id, entry.card_id), []).append(entry)
    return cards


def _new_card(
    key: CardKey,
    entries: Sequence[ManifestEntry],
    to_print: Mapping[FaceKey, int],
    old: Manifest,
    stock: Mapping[FaceKey, int],
) -> CardChange:
    """Return the change of a card that was not there; maybe it was under another id."""
    if all(to_print.get(entry.key) == entry.copies for entry in entries):
        return _make_change(key, (), entries, "new", (), to_print, [e.part for e in entries])
    faces = {entry.face for entry in entries}
    used = [e for e in old.entries if e.face in faces and stock[e.key] < e.copies]
    ids = ", ".join(dict.fromkeys(entry.card_id for entry in used))
    differences = [Difference("id", ids, key[1], f"was {ids}"), *_copies_difference(used, entries)]
    return _make_change(key, used, entries, "renamed", differences, to_print, ())


def _gone_card(key: CardKey, entries: Sequence[ManifestEntry]) -> CardChange:
    """Return the change of a card that is no longer there."""
    return _make_change(key, entries, (), "gone", (), {}, [entry.part for entry in entries])


def _changed_card(
    key: CardKey,
    before: Sequence[ManifestEntry],
    after: Sequence[ManifestEntry],
    to_print: Mapping[FaceKey, int],
    manifests: tuple[Manifest, Manifest],
) -> CardChange | None:
    """Return the change of a card that was there and is; None if there is none."""
    old, new = manifests
    pairs: dict[int, EntryPair] = {entry.part: (entry, None) for entry in before}
    for entry in after:
        pairs[entry.part] = pairs.get(entry.part, (None, None))[0], entry
    unlike = {part: pair for part, pair in pairs.items() if not _serves(*pair)}
    differences = list(things.compare_cards(before[0].card, after[0].card))
    if unlike:
        differences += _shared_differences(before[0], after[0], old, new)
        if not differences:
            differences += _look_differences(unlike, several=len(pairs) > 1)
    state: State = "changed" if unlike else "unseen"
    copies = list(_copies_difference(before, after))
    if copies and not differences:
        state = "copies"
    differences += copies
    if not differences:
        return None
    return _make_change(key, before, after, state, differences, to_print, unlike)


def _copies_difference(
    before: Sequence[ManifestEntry], after: Sequence[ManifestEntry]
) -> Iterator[Difference]:
    """Yield the difference in the number of copies, if there is one."""
    old, new = before[0].copies, after[0].copies
    if old != new:
        yield Difference("copies", old, new, f"{old} → {pluralize(new, 'copy', 'copies')}")


def _shared_differences(
    before: ManifestEntry, after: ManifestEntry, old: Manifest, new: Manifest
) -> Iterator[Difference]:
    """Yield the differences in what a card shares with others: the texts of rules, its faction."""
    shared: list[tuple[str, Facts, Facts]] = [
        (f"rule {i}", old.rules[i], new.rules[i])
        for i in after.card.rules
        if i in before.card.rules and i in old.rules and i in new.rules
    ]
    was_of, is_of = old.factions.get(before.faction_id), new.factions.get(after.faction_id)
    if was_of is not None and is_of is not None:
        shared.append((f"faction {after.faction_id}", was_of, is_of))
    for what, was, is_now in shared:
        for difference in things.compare_facts(was, is_now):
            words = difference.words
            if "changed: " in words:  # the long text is told where the rule is
                words = f"{difference.name} changed"
            yield difference._replace(name=f"{what} {difference.name}", words=f"{what}: {words}")


def _look_differences(unlike: Mapping[int, EntryPair], *, several: bool) -> Iterator[Difference]:
    """Yield that faces look different, where no value does.

    Args:
        unlike: the faces that differ, by their parts.
        several: whether the card has other faces besides.
    """
    for part, (old, new) in sorted(unlike.items()):
        which = f"part {part}: " if several else ""
        if old is None or new is None:
            words = f"part {part} {'removed' if old else 'added'}"
        elif old.face != new.face:
            words = f"{which}picture or layout changed"
        else:
            words = f"{which}back {'was not printed' if old.back is None else 'changed'}"
        yield Difference("face", None, None, words)


def _make_change(
    key: CardKey,
    before: Sequence[ManifestEntry],
    after: Sequence[ManifestEntry],
    state: State,
    differences: Sequence[Difference],
    to_print: Mapping[FaceKey, int],
    unlike: Iterable[int],
) -> CardChange:
    """Return a change. A card with several faces has as many copies as its first face."""
    shown = (after or before)[0].card
    return CardChange(
        *key,
        shown.kind,
        shown.name,
        state,
        tuple(differences),
        before[0].copies if before else 0,
        after[0].copies if after else 0,
        max((to_print.get(entry.key, 0) for entry in after), default=0),
        tuple(sorted(unlike)),
    )


VERSION = 1
"""Of this format; it grows when a name changes its meaning."""


def changes_as_json(
    labels: tuple[str, str],
    cards: Iterable[CardChange],
    things: Iterable[ThingChange] = (),
    left_out: Sequence[str] = (),
    pdf: Path | None = None,
) -> str:
    """Return changes as a JSON object.

    Args:
        labels: what was compared with what.
        left_out: what could not be compared.
        pdf: where the faces are shown.
    """
    whole = {
        "version": VERSION,
        "old": labels[0],
        "new": labels[1],
        "changes": [*map(_card, cards), *map(_thing, things)],
        "left_out": list(left_out),
        "pdf": None if pdf is None else printable_path(pdf),
    }
    return dump_safe_json(whole)


def _card(change: CardChange) -> dict[str, object]:
    return {
        "what": "back" if change.kind == BACK_KIND else "card",
        "faction": change.faction_id,
        "id": change.card_id,
        "name": change.name,
        "change": change.state,
        "old_copies": change.old_copies,
        "new_copies": change.new_copies,
        "to_print": change.to_print,
        "differences": _differences(change.differences),
    }


def _thing(change: ThingChange) -> dict[str, object]:
    return {
        "what": change.what,
        "id": change.id,
        "name": change.name,
        "change": change.state,
        "differences": _differences(change.differences),
    }


def _differences(differences: Iterable[Difference]) -> list[dict[str, object]]:
    return [difference._asdict() for difference in differences]
