"""Build the manifest of a print and compare it with what would be printed now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.output import OutputError
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
from deckwright.game.language import current_language, use_language
from deckwright.game.model import CardKey, FaceKey
from deckwright.languages.catalog import find_language


def current_manifest(
    folder: GameFolder, printed: Manifest, style: str | None, report: Report
) -> Manifest:
    """Return the current manifest of a printed deck.

    Args:
        printed: its former manifest, which also determines whether backs are printed, and the
            language unless there is a current one.
        style: a style to use instead of the printed one.

    Raises:
        ChoiceError: if the game has no longer this language.
        OutputError: after reporting errors.
    """
    if printed.language and current_language() is None:
        with use_language(find_language(folder, printed.language)):
            return current_manifest(folder, printed, style, report)
    path = folder.deck_file(f"{Path(printed.deck).name}.xml")
    game, deck, _ = load_deck(folder, path, LimitOptions(ignore=True), report)
    style = style or printed.style
    factory, before = FaceFactory(game, folder, report, style), len(report)
    backs = any(entry.back is not None for entry in printed.entries)
    copies = make_deck_copies(deck_stats(game, deck, DeckRules()), factory, report, backs=backs)
    if not factory.usable or has_errors(report[before:]):
        raise OutputError
    digests = Digests(factory.fonts)
    return deck_manifest(game, deck, copies, digests, sheet=game.setup.sheet, style=style)


State = Literal["new", "gone", "changed", "copies", "renamed", "unseen"]
"""The state of a card: `copies` has another number of copies, `renamed` another id, and `unseen`
other values that its faces do not show."""

BACK_KIND = "/back"
"""The kind of entries for backs; no kind of a game has this name."""


EntryPair = tuple[ManifestEntry | None, ManifestEntry | None]
"""The old and the new entry of a card's part."""


class CardChange(NamedTuple):
    """The change of a card.

    Attributes:
        differences: the differences of a card that exists in both states.
        old_copies, new_copies: the former and current numbers of copies.
        to_print: the number of copies to print, beyond those that can be reused.
        parts: the numbers of its changed, new or removed faces.
        shared: whether other factions have a card with the same id.
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
        """The id and name of the card: "HK3 Held"."""
        if self.kind == BACK_KIND:
            return self.name
        return f"{f'{self.faction_id}/' if self.shared else ''}{self.card_id} {self.name}"

    @property
    def words(self) -> tuple[str, ...]:
        """The change in words: one text per difference, or "new"."""
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
    """The changes since an earlier print, in print order, with removed cards last.

    Attributes:
        to_print: the numbers of copies to print, by face.
    """

    to_print: Mapping[FaceKey, int]
    cards: tuple[CardChange, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The changes in words, one card per line."""
        return tuple(change.line for change in self.cards)

    def select(self, copies: Iterable[Copy], digests: Digests) -> list[Copy]:
        """Return the copies to print, in order, of all copies as passed to `deck_manifest`."""
        left = dict(self.to_print)
        copies, chosen = list(copies), []
        for copy, key in zip(copies, copy_keys(copies, digests), strict=True):
            if left.get(key, 0):
                left[key] -= 1
                chosen.append(copy)
        return chosen


def changed_since(old: Manifest, new: Manifest) -> Changes:
    """Return what must be printed to turn the cards of `old` into those of `new`.

    A copy can be reused if its face is unchanged, and its back if backs are printed, even under
    another id.
    """
    stock = {entry.key: entry.copies for entry in old.entries}
    """The leftover copies by old face."""
    served = {entry.key: 0 for entry in new.entries}
    """The reused copies by new face."""
    old_entries = {entry.key: entry for entry in old.entries}
    by_face: dict[str, list[ManifestEntry]] = {}
    for entry in old.entries:
        by_face.setdefault(entry.face, []).append(entry)
    # Each card reuses its own copies before those of other cards with the same face.
    for others in (False, True):
        for entry in new.entries:
            own = old_entries.get(entry.key)
            candidates = by_face.get(entry.face, []) if others else [own] if own else []
            for candidate in candidates:
                if _serves(candidate, entry):
                    taken = min(stock[candidate.key], entry.copies - served[entry.key])
                    stock[candidate.key] -= taken
                    served[entry.key] += taken
    to_print = {e.key: e.copies - served[e.key] for e in new.entries if e.copies > served[e.key]}
    before, after = _by_card(old.entries), _by_card(new.entries)
    owners = Counter(card_id for _, card_id in {**before, **after})
    cards = []
    for key in dict.fromkeys([*after, *before]):
        change: CardChange | None
        if key not in before:
            change = _new_card(key, after[key], to_print, old, stock)
        elif key not in after:
            parts = [entry.part for entry in before[key]]
            change = _make_change(key, before[key], (), "gone", (), {}, parts)
            if not any(stock[entry.key] for entry in before[key]):
                change = None
        else:
            change = _changed_card(key, before[key], after[key], to_print, (old, new))
        if change is not None:
            cards.append(change._replace(shared=owners[key[1]] > 1))
    return Changes(to_print, tuple(cards))


def _serves(old: ManifestEntry | None, new: ManifestEntry | None) -> bool:
    """Return whether copies of an old face can be reused for a new one.

    Faces that cannot be composed are compared by their values.
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
    """Return the change of a new card, which may have had another id before."""
    if all(to_print.get(entry.key) == entry.copies for entry in entries):
        return _make_change(key, (), entries, "new", (), to_print, [e.part for e in entries])
    faces = {entry.face for entry in entries}
    used = [e for e in old.entries if e.face in faces and stock[e.key] < e.copies]
    ids = ", ".join(dict.fromkeys(entry.card_id for entry in used))
    differences = [Difference("id", ids, key[1], f"was {ids}"), *_copies_difference(used, entries)]
    return _make_change(key, used, entries, "renamed", differences, to_print, ())


def _changed_card(
    key: CardKey,
    before: Sequence[ManifestEntry],
    after: Sequence[ManifestEntry],
    to_print: Mapping[FaceKey, int],
    manifests: tuple[Manifest, Manifest],
) -> CardChange | None:
    """Return the change of a card that exists in both states, None if it is unchanged."""
    old, new = manifests
    pairs: dict[int, EntryPair] = {entry.part: (entry, None) for entry in before}
    for entry in after:
        pairs[entry.part] = pairs.get(entry.part, (None, None))[0], entry
    unlike = {part: pair for part, pair in pairs.items() if not _serves(*pair)}
    differences = list(things.compare_cards(before[0].card, after[0].card))
    if unlike:
        differences += _shared_differences(before[0], after[0], old, new)
    if not differences:
        for part, (was, now) in sorted(unlike.items()):  # only their looks differ
            which = f"part {part}: " if len(pairs) > 1 else ""
            if was is None or now is None:
                words = f"part {part} {'removed' if was else 'added'}"
            elif was.face != now.face:
                words = f"{which}picture or layout changed"
            else:
                words = f"{which}back {'was not printed' if was.back is None else 'changed'}"
            differences.append(Difference("face", None, None, words))
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
    """Yield the difference in the number of copies, if any."""
    old, new = before[0].copies, after[0].copies
    if old != new:
        yield Difference("copies", old, new, f"{old} → {pluralize(new, 'copy', 'copies')}")


def _shared_differences(
    before: ManifestEntry, after: ManifestEntry, old: Manifest, new: Manifest
) -> Iterator[Difference]:
    """Yield the differences in the rules and the faction of a card."""
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
            if "changed: " in words:  # the long text is shown with the rule itself
                words = f"{difference.name} changed"
            yield difference._replace(name=f"{what} {difference.name}", words=f"{what}: {words}")


def _make_change(
    key: CardKey,
    before: Sequence[ManifestEntry],
    after: Sequence[ManifestEntry],
    state: State,
    differences: Sequence[Difference],
    to_print: Mapping[FaceKey, int],
    unlike: Iterable[int],
) -> CardChange:
    """Return a change; the copies of a card are those of its first face."""
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
"""The version of this format, increased when a name changes its meaning."""


def changes_as_json(
    labels: tuple[str, str],
    cards: Iterable[CardChange],
    things: Iterable[ThingChange] = (),
    left_out: Sequence[str] = (),
    pdf: Path | None = None,
) -> str:
    """Return changes as a JSON object.

    Args:
        labels: the labels of the compared states.
        left_out: descriptions of what could not be compared.
    """
    whole = {
        "version": VERSION,
        "old": labels[0],
        "new": labels[1],
        "changes": [
            *(
                {
                    "what": "back" if card.kind == BACK_KIND else "card",
                    "faction": card.faction_id,
                    "id": card.card_id,
                    "name": card.name,
                    "change": card.state,
                    "old_copies": card.old_copies,
                    "new_copies": card.new_copies,
                    "to_print": card.to_print,
                    "differences": [each._asdict() for each in card.differences],
                }
                for card in cards
            ),
            *(
                {
                    "what": thing.what,
                    "id": thing.id,
                    "name": thing.name,
                    "change": thing.state,
                    "differences": [each._asdict() for each in thing.differences],
                }
                for thing in things
            ),
        ],
        "left_out": list(left_out),
        "pdf": None if pdf is None else printable_path(pdf),
    }
    return dump_safe_json(whole)
