"""Compare two states of a game, and find the files affected by changes in git."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright import checks
from deckwright.base.files import is_file, stays_inside
from deckwright.base.findings import ChoiceError, Grading, Report, is_error
from deckwright.base.git import changed_files, check_out, find_revision
from deckwright.base.processes import track_progress
from deckwright.base.strings import sanitize_line
from deckwright.diff import things
from deckwright.diff.manifest import (
    CardFacts,
    Digests,
    Manifest,
    ManifestEntry,
    facts_of,
    make_manifest,
)
from deckwright.diff.manifest_changes import BACK_KIND, CardChange, changed_since
from deckwright.diff.things import Thing, ThingChange
from deckwright.faces.copies import back_of, face_name, has_own_back
from deckwright.faces.factory import FaceFactory
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.language import Language, current_language, use_language
from deckwright.game.model import Card, Deck, FaceKey, Game
from deckwright.game.setup import Setup
from deckwright.languages.catalog import Catalog, find_language
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from deckwright.faces.factory import FaceFactory
    from deckwright.ops.model import Face


_NAME_PATTERN = re.compile(r"[^\s,;/|]+")
"""A word that may be an id in a field or list."""


def find_affected_files(folder: GameFolder, revision: str) -> set[Path] | None:
    """Return the files to check because of changes since a revision.

    These are changed files, decks with a changed card, card files with a card that uses a changed
    rule, and their decks. None means all files, since everything depends on the set-up, factions,
    templates and pictures.

    Raises:
        GitError: if the game is not in a git repository, or the revision does not exist.
    """
    state = find_revision(folder.path, revision)
    names = changed_files(state)
    changed = {(folder.path / name).resolve() for name in names}
    definitions = folder.factions_file.with_name("factions_definition.xml")
    common = {folder.game_file, folder.factions_file, definitions, *folder.tables()}
    places = (folder.path / "templates", folder.images, folder.xml / "sheets")
    if changed & {file.resolve() for file in common} or any(
        path.is_relative_to(place.resolve()) for path in changed for place in places
    ):
        return None
    with tempfile.TemporaryDirectory(prefix="deckwright-") as temporary:
        old = Path(temporary)
        check_out(state, old, lambda path: path in names and path.suffix == ".xml")

        def ids(path: Path) -> set[str]:
            """Return the ids of new, changed and removed cards or rules of a file."""
            path = path.resolve()
            if path not in changed or not stays_inside(path, folder.path):
                return set()
            before, now = (
                {child.get("id") or "": _comparable(child) for child in _children(each)}
                for each in (old / path.relative_to(folder.path.resolve()), path)
            )
            return {name for name in before.keys() | now if before.get(name) != now.get(name)}

        rules = ids(folder.rules_file)
        card_files = [path for path in changed if path.parent == folder.cards_folder.resolve()]
        cards: set[str] = set().union(*map(ids, {*folder.card_files(), *card_files}))
    affected = {path for path in changed if is_file(path) and path.suffix == ".xml"}
    affected = {path for path in affected if path.is_relative_to(folder.xml.resolve())}
    for file in folder.card_files() if rules or cards else ():
        users = {
            card.get("id") or ""
            for card in _children(file)
            if any(child.get("id") in rules for child in card.children_named("rule"))
            or any(
                name != "id" and not cards.isdisjoint(_NAME_PATTERN.findall(value))
                for node in card.walk()
                for name, value in node.attributes.items()
            )
        }
        cards |= users
        if users:
            affected.add(file.resolve())
    restricted = any(path.parent == folder.restrictions_folder.resolve() for path in changed)
    for file in folder.deck_lists() if restricted or cards else ():
        if restricted or any(
            entry.tag == "card" and entry.get("id") in cards for entry in _children(file)
        ):
            affected.add(file.resolve())
    return {path for path in affected if "schema" not in path.parts}


def _children(path: Path) -> list[Node]:
    """Return the cards or rules of a file; none if it is not XML."""
    root = load_document(path, [])
    return root.children if root else []


def _comparable(node: Node) -> object:
    return (
        node.tag,
        sorted(node.attributes.items()),
        " ".join(node.text.split()),
        [_comparable(child) for child in node.children],
    )


class GameState(NamedTuple):
    """A state of a game, as far as it can be read.

    Attributes:
        label: its name for people, such as "v1.2" or "working tree", as visible text.
        setup, game: None if they cannot be read at all.
        whole: whether factions and rules could be read completely.
        decks: the deck lists by file stem; None for those with errors.
        factory: its face factory; None if nothing can be composed.
        language: its translations, None for the game's own texts.
    """

    label: str
    folder: GameFolder
    report: Report
    setup: Setup | None
    game: Game | None
    whole: bool
    decks: Mapping[str, Deck | None]
    factory: FaceFactory | None
    language: Language | None


class GameComparison(NamedTuple):
    """The changes between two states of a game.

    Attributes:
        faces: the old and new faces of cards, as far as they can be composed.
        left_out: descriptions of what could not be compared.
    """

    old: GameState
    new: GameState
    cards: tuple[CardChange, ...]
    things: tuple[ThingChange, ...]
    faces: tuple[Mapping[FaceKey, Face], Mapping[FaceKey, Face]]
    left_out: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """The changes in words, one per line."""
        return [*(card.line for card in self.cards), *(thing.line for thing in self.things)]

    @property
    def summary(self) -> str:
        """A summary of the changes in words."""
        if self.left_out and not self.lines:
            return "nothing that can be compared has changed"
        return summarize_changes(self.cards, len(self.things))


def summarize_changes(cards: Iterable[CardChange], other_changes: int = 0) -> str:
    """Summarize changes: "3 cards changed, 1 card new, 2 other changes"."""
    states = Counter(card.state for card in cards)
    new, gone = states.pop("new", 0), states.pop("gone", 0)
    counts = ((sum(states.values()), "changed"), (new, "new"), (gone, "gone"))
    parts = [f"{n} card{'s' if n > 1 else ''} {word}" for n, word in counts if n]
    if other_changes:
        parts.append(f"{other_changes} other change{'s' if other_changes > 1 else ''}")
    return ", ".join(parts) or "nothing has changed"


def load_state(path: Path, label: str, style: str | None) -> GameState:
    """Load a state of a game from its folder, with the translations that it had.

    Raises:
        OutputError: if its catalog cannot be read.
    """
    label, folder, language = sanitize_line(label), GameFolder(path), current_language()
    if language is not None:
        try:
            language = find_language(folder, language.code)
        except ChoiceError:  # before the language was begun
            language = Catalog(language.code, "", {})
    findings: Report = []
    with use_language(language):
        setup = load.load_setup(folder, findings)
        if setup is None:
            return GameState(label, folder, _errors(findings, None), None, None, whole=False,
                             decks={}, factory=None, language=language)  # fmt: skip
        game = load.load_game(folder, setup, findings)
        whole = not game.omissions.factions and not game.omissions.rules
        if whole:
            checks.check_game(game, findings)
        decks: dict[str, Deck | None] = {}
        for file in folder.deck_files():
            deck = load.load_deck(file, folder, setup, findings)
            decks[file.stem] = deck if deck is not None and deck.is_complete else None
        factory = FaceFactory(game, folder, findings, style) if whole else None
    if factory is not None and not factory.usable:
        factory = None
    report = _errors(findings, setup)
    return GameState(label, folder, report, setup, game, whole, decks, factory, language)


def _errors(report: Report, setup: Setup | None) -> Report:
    """Return the errors of a report, and warnings of missing pictures.

    Other warnings of an old state are irrelevant.
    """
    grading = Grading(severities=setup.severities) if setup else Grading()
    return [f for f in grading.apply(report) if is_error(f) or f.code.id == "I009"]


def compare_states(old: GameState, new: GameState) -> GameComparison:
    """Compare two states of a game; errors in faces are added to their reports."""
    cards: tuple[CardChange, ...] = ()
    faces: tuple[Mapping[FaceKey, Face], Mapping[FaceKey, Face]] = ({}, {})
    if old.game is not None and new.game is not None:
        unread = {*old.game.omissions.cards, *new.game.omissions.cards}
        composed = old.factory is not None and new.factory is not None
        tokens = old.whole and new.whole
        with use_language(old.language):
            before, old_faces = _build_manifest(old, unread, composed=composed, tokens=tokens)
        with use_language(new.language):
            after, new_faces = _build_manifest(new, unread, composed=composed, tokens=tokens)
        order = list(dict.fromkeys([*new.game.factions, *old.game.factions, ""]))
        places = {faction_id: place for place, faction_id in enumerate(order)}
        changes = changed_since(before, after).cards
        cards = tuple(sorted(changes, key=lambda c: places.get(c.faction_id, len(places))))
        faces = old_faces, new_faces
    games = [side.game for side in (old, new) if side.game is not None]
    names = {key: f"{card.id} {card.name}" for game in games for key, card in game.cards.items()}
    others = things.compare_things(_list_things(old, new), _list_things(new, old), names)
    return GameComparison(old, new, cards, tuple(others), faces, tuple(_explain_left_out(old, new)))


def _build_manifest(
    side: GameState, unread: Collection[str], *, composed: bool, tokens: bool
) -> tuple[Manifest, dict[FaceKey, Face]]:
    """Return a manifest with one copy of everything printable in a state, and the faces.

    Args:
        unread: the factions to leave out.
        tokens: whether to include tokens, which belong to rules.
    """
    game, factory, findings = side.game, side.factory if composed else None, Report()
    assert game is not None
    digests = Digests(factory.fonts if factory else {})
    entries: list[ManifestEntry] = []
    faces: dict[FaceKey, Face] = {}
    backs: dict[tuple[str, str], ManifestEntry] = {}
    cards = [each for each in game.printable_cards(without=unread) if tokens or not each.rule_id]
    for card, faction_id, rule_id in track_progress(cards, "composing faces"):
        owner = "" if rule_id else faction_id
        # All that its face refers to must exist.
        known = faction_id in game.factions and all(i in game.rules for i in card.rule_ids())
        able = factory if known else None
        for part in range(1, card.parts + 1):
            face = able.card_face(card, faction_id, findings, part) if able else None
            digest = digests.of(face) if face else ""
            facts = facts_of(game, card, faction_id)
            entries.append(ManifestEntry(owner, card.id, part, 1, digest, None, facts))
            if face is not None:
                faces[entries[-1].key] = face
        is_own = able is not None and has_own_back(able, card, faction_id, findings)
        for part in range(1, card.parts + 1 if is_own else 2):
            back = able.card_back(card, faction_id, findings, part) if able else None
            if back is not None and is_own:
                facts = CardFacts(BACK_KIND, f"back of {face_name(card, part)}")
                card_id, digest = f"back of {card.id}", digests.of(back)
                entries.append(ManifestEntry(owner, card_id, part, 1, digest, None, facts))
                faces[entries[-1].key] = back
            elif back is not None:
                entry = _back_entry(game, card, faction_id, digests.of(back))
                if backs.setdefault((faction_id, entry.face), entry) is entry:
                    faces.setdefault(entry.key, back)
    entries += {entry.key: entry for entry in backs.values()}.values()
    side.report.extend(_errors(findings, side.setup))
    return make_manifest(game, "", "", entries, sheet=game.setup.sheet, style=None), faces


def _back_entry(game: Game, card: Card, faction_id: str, digest: str) -> ManifestEntry:
    """Return the entry of a shared back, as if it were a card."""
    kind, back = card.kind, back_of(game, card, faction_id)
    usual = next((other for other in game.setup.kinds.values() if other.back), kind)
    which = "" if kind is usual else f" ({kind.name})"
    if back is not None and back.stack is not None:
        facts = CardFacts(BACK_KIND, f"back of {back.stack.name}{which}")
        return ManifestEntry("", f"back {back.owner} {kind.tag}", 1, 1, digest, None, facts)
    facts = CardFacts(BACK_KIND, f"back of {game.factions[faction_id].name}{which}")
    return ManifestEntry(faction_id, f"back {kind.tag}", 1, 1, digest, None, facts)


def _list_things(side: GameState, other: GameState) -> Iterator[Thing]:
    """Yield everything of a state besides cards that is readable in both states."""
    if side.game is not None and side.whole and other.whole:
        yield from things.game_things(side.game)
    if side.setup is not None and other.setup is not None:
        readable = (
            deck
            for stem, deck in side.decks.items()
            if deck is not None and not (stem in other.decks and other.decks[stem] is None)
        )
        yield from things.deck_things(readable)
        yield from things.setup_things(side.setup)


def _explain_left_out(*sides: GameState) -> Iterator[str]:
    """Yield descriptions of what could not be compared."""
    for side in sides:
        at = f"of {side.label}"
        if side.setup is None:
            yield f"nothing could be compared because the game.xml {at} has errors"
        elif not side.whole:
            yield f"no faces could be compared because of errors in the factions or rules {at}"
        elif side.factory is None:
            yield f"no faces could be compared because of errors in the fonts or symbols {at}"
        for faction_id in sorted(side.game.omissions.cards if side.game else ()):
            yield f"the cards of {faction_id} were left out because of errors in those {at}"
        for stem, deck in side.decks.items():
            if deck is None:
                yield f"the deck {stem} was left out because of errors in that {at}"
