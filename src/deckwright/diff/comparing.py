"""Compare two states of a game: its cards with their faces, and everything else it has.

A state may have errors, for what was right once need not be so today. What can be read is compared
all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright import checks
from deckwright.base.findings import Report, is_error
from deckwright.base.progress import steps
from deckwright.base.severity import Grading
from deckwright.base.visible import visible
from deckwright.diff.manifests import things
from deckwright.diff.manifests.compare import BACK, CardChange, changed_since
from deckwright.diff.manifests.model import CardFacts, Entry, Manifest
from deckwright.diff.manifests.things import Thing, ThingChange
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, FaceKey, Game
from deckwright.game.setup import Setup

if TYPE_CHECKING:
    from deckwright.faces.factory import FaceFactory
    from deckwright.ops.model import Face


class Side(NamedTuple):
    """A state of a game, as much of it as can be read.

    Attributes:
        label: what people call it, such as "v1.2" or "working tree", as visible text.
        report: what is wrong with it.
        setup, game: None where they cannot be read at all.
        whole: whether the factions and rules could be read.
        decks: the deck lists by the names of their files; None for those with errors.
        factory: composes its faces; None if nothing can be composed.
    """

    label: str
    folder: GameFolder
    report: Report
    setup: Setup | None
    game: Game | None
    whole: bool
    decks: Mapping[str, Deck | None]
    factory: FaceFactory | None


class Comparison(NamedTuple):
    """What has changed from one state of a game to the other.

    Attributes:
        faces: the old and the new faces of cards, as far as they can be composed.
        left_out: what could not be compared, in words.
    """

    old: Side
    new: Side
    cards: tuple[CardChange, ...]
    things: tuple[ThingChange, ...]
    faces: tuple[Mapping[FaceKey, Face], Mapping[FaceKey, Face]]
    left_out: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """What has changed in words, a thing a line."""
        return [*(card.line for card in self.cards), *(thing.line for thing in self.things)]

    @property
    def summary(self) -> str:
        """How much has changed, in words."""
        if self.left_out and not self.lines:
            return "nothing that could be compared has changed"
        return in_numbers(self.cards, len(self.things))


def in_numbers(cards: Iterable[CardChange], others: int = 0) -> str:
    """Return how much has changed: "3 cards changed, 1 card new, 2 other changes"."""
    states = Counter(card.state for card in cards)
    new, gone = states.pop("new", 0), states.pop("gone", 0)
    counts = ((sum(states.values()), "changed"), (new, "new"), (gone, "gone"))
    parts = [f"{n} card{'s' if n > 1 else ''} {word}" for n, word in counts if n]
    if others:
        parts.append(f"{others} other change{'s' if others > 1 else ''}")
    return ", ".join(parts) or "nothing has changed"


def load_side(path: Path, label: str, style: str | None) -> Side:
    """Load a state of a game from its folder."""
    from deckwright.faces.factory import FaceFactory  # noqa: PLC0415

    label, folder, found = visible(label), GameFolder(path), Report()
    setup = load.load_setup(folder, found)
    if setup is None:
        return Side(label, folder, _errors(found, None), None, None, whole=False, decks={},
                    factory=None)  # fmt: skip
    game = load.load_game(folder, setup, found)
    whole = not game.gaps.factions and not game.gaps.rules
    if whole:
        checks.check_game(game, found)
    decks = {file.stem: _whole_deck(file, folder, setup, found) for file in folder.deck_files()}
    factory = FaceFactory(game, folder, found, style) if whole else None
    if factory is not None and not factory.usable:
        factory = None
    return Side(label, folder, _errors(found, setup), setup, game, whole, decks, factory)


def _whole_deck(file: Path, folder: GameFolder, setup: Setup, found: Report) -> Deck | None:
    """Return a deck, None if it has lines with mistakes."""
    deck = load.load_deck(file, folder, setup, found)
    return deck if deck is not None and deck.whole else None


def _errors(report: Report, setup: Setup | None) -> Report:
    """Return the errors of a report, and the pictures that could not be shown.

    An old state's other warnings help nobody any more.
    """
    grading = Grading(severities=setup.severities) if setup else Grading()
    return [f for f in grading.graded(report) if is_error(f) or f.code.id == "I009"]


def compare(old: Side, new: Side) -> Comparison:
    """Compare two states of a game; what is wrong with their faces goes into their reports."""
    cards: tuple[CardChange, ...] = ()
    faces: tuple[Mapping[FaceKey, Face], Mapping[FaceKey, Face]] = ({}, {})
    if old.game is not None and new.game is not None:
        unread = {*old.game.gaps.cards, *new.game.gaps.cards}
        composed = old.factory is not None and new.factory is not None
        tokens = old.whole and new.whole
        before, old_faces = _manifest(old, unread, composed=composed, tokens=tokens)
        after, new_faces = _manifest(new, unread, composed=composed, tokens=tokens)
        order = list(dict.fromkeys([*new.game.factions, *old.game.factions, ""]))
        places = {faction_id: place for place, faction_id in enumerate(order)}
        changes = changed_since(before, after).cards
        cards = tuple(sorted(changes, key=lambda c: places.get(c.faction_id, len(places))))
        faces = old_faces, new_faces
    names = things.card_names([old.game, new.game])
    others = things.compare_things(_things(old, new), _things(new, old), names)
    return Comparison(old, new, cards, tuple(others), faces, tuple(_left_out(old, new)))


def _manifest(
    side: Side, unread: Collection[str], *, composed: bool, tokens: bool
) -> tuple[Manifest, dict[FaceKey, Face]]:
    """Return what could be printed of a state of a game, a copy each, with the faces.

    Args:
        unread: the factions whose cards are left out.
        composed: whether to compose faces.
        tokens: whether tokens count, which stand with the rules.
    """
    from deckwright.diff.manifests.build import facts_of, manifest  # noqa: PLC0415
    from deckwright.diff.manifests.digest import Digests  # noqa: PLC0415
    from deckwright.faces.backs import has_own_back  # noqa: PLC0415
    from deckwright.faces.copies import called  # noqa: PLC0415

    game, factory, found = side.game, side.factory if composed else None, Report()
    assert game is not None
    digests = Digests(factory.fonts if factory else {})
    entries: list[Entry] = []
    faces: dict[FaceKey, Face] = {}
    backs: dict[tuple[str, str], Entry] = {}
    cards = [each for each in game.printed(without=unread) if tokens or not each.rule_id]
    for card, faction_id, rule_id in steps(cards, "composing faces"):
        owner = "" if rule_id else faction_id
        able = factory if _can_be_composed(game, card, faction_id) else None
        for part in range(1, card.parts + 1):
            face = able.card_face(card, faction_id, found, part) if able else None
            digest = digests.of(face) if face else ""
            facts = facts_of(game, card, faction_id)
            entries.append(Entry(owner, card.id, part, 1, digest, None, facts))
            if face is not None:
                faces[entries[-1].key] = face
        is_own = able is not None and has_own_back(able, card, faction_id, found)
        for part in range(1, card.parts + 1 if is_own else 2):
            back = able.card_back(card, faction_id, found, part) if able else None
            if back is not None and is_own:
                facts = CardFacts(BACK, f"back of {called(card, part)}")
                digest = digests.of(back)
                entries.append(Entry(owner, f"back of {card.id}", part, 1, digest, None, facts))
                faces[entries[-1].key] = back
            elif back is not None:
                entry = _back(game, card, faction_id, digests.of(back))
                if backs.setdefault((faction_id, entry.face), entry) is entry:
                    faces.setdefault(entry.key, back)
    entries += {entry.key: entry for entry in backs.values()}.values()
    side.report.extend(_errors(found, side.setup))
    return manifest(game, "", "", entries, sheet=game.setup.sheet, style=None), faces


def _can_be_composed(game: Game, card: Card, faction_id: str) -> bool:
    """Return whether all that a face refers to is there."""
    return faction_id in game.factions and all(i in game.rules for i in card.rule_ids())


def _back(game: Game, card: Card, faction_id: str, digest: str) -> Entry:
    """Return the back of a stack, or of a kind of card, as if it were a card."""
    from deckwright.faces.backs import back_of  # noqa: PLC0415

    kind, back = card.kind, back_of(game, card, faction_id)
    usual = next((other for other in game.setup.kinds.values() if other.back), kind)
    which = "" if kind is usual else f" ({kind.name})"
    if back is not None and back.stack is not None:
        facts = CardFacts(BACK, f"back of {back.stack.name}{which}")
        return Entry("", f"back {back.owner} {kind.tag}", 1, 1, digest, None, facts)
    facts = CardFacts(BACK, f"back of {game.factions[faction_id].name}{which}")
    return Entry(faction_id, f"back {kind.tag}", 1, 1, digest, None, facts)


def _things(side: Side, other: Side) -> Iterator[Thing]:
    """Yield what a state has besides cards, as far as it can be read in both."""
    if side.game is not None and side.whole and other.whole:
        yield from things.rule_things(side.game.rules.values())
        yield from things.faction_things(side.game.factions.values())
        yield from things.restriction_things(side.game.restrictions)
    if side.setup is not None and other.setup is not None:
        readable = (
            deck
            for stem, deck in side.decks.items()
            if deck is not None and not (stem in other.decks and other.decks[stem] is None)
        )
        yield from things.deck_things(readable)
        yield from things.setup_things(side.setup)


def _left_out(*sides: Side) -> Iterator[str]:
    """Yield what could not be compared, in words."""
    for side in sides:
        at = f"of {side.label}"
        if side.setup is None:
            yield f"nothing could be compared because the game.xml {at} has errors"
        elif not side.whole:
            yield f"no faces could be compared because of errors in the factions or rules {at}"
        elif side.factory is None:
            yield f"no faces could be compared because of errors in the fonts or symbols {at}"
        for faction_id in sorted(side.game.gaps.cards if side.game else ()):
            yield f"the cards of {faction_id} were left out because of errors in those {at}"
        for stem, deck in side.decks.items():
            if deck is None:
                yield f"the deck {stem} was left out because of errors in that {at}"
