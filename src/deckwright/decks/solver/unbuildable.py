"""Factions without a legal deck, and cards that no legal deck can contain.

Legal decks are remembered, so that the solver is asked only about cards that none of them proves.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from deckwright.checks.counting import DeckRules
from deckwright.checks.fielding import DeckFeasibility, faction_format
from deckwright.checks.limits import select_limits
from deckwright.decks.solver.building import (
    CardSlot,
    DeckProgram,
    card_zones,
    find_slots,
    total_copies,
)
from deckwright.decks.solver.highs import HighsSolver, SolverStatus
from deckwright.decks.solver.program import Program, sum_of_products
from deckwright.decks.solver.search import CardConstraint
from deckwright.decks.solver.solving import Conflict, DeckProblem, find_conflict
from deckwright.game.deck_rules import Format
from deckwright.game.model import CardKey, Game


class Exchanges:
    """Finds neighbors of a known answer, in which one or two variables differ by one.

    This takes no solver. Auxiliary variables keep their values, so some neighbors are missed, but
    those found are feasible.
    """

    def __init__(self, program: Program, values: Sequence[int]) -> None:
        self._program, self._values = program, values
        self._rows: dict[int, list[int]] = {}
        for number, row in enumerate(program.rows):
            for at in row.terms:
                self._rows.setdefault(at, []).append(number)
        self._totals = [
            sum(factor * values[at] for at, factor in row.terms.items()) for row in program.rows
        ]

    def allow(self, number: int, other_cards: Iterable[int]) -> bool:
        """Return whether a variable can rise by one, alone or with one of `other_cards` falling."""
        if self._values[number] >= self._program.variables[number].upper:
            return False
        moves = [{number: 1}, *({number: 1, other: -1} for other in other_cards if other != number)]
        return any(map(self._holds, moves))

    def _holds(self, steps: dict[int, int]) -> bool:
        rows = self._program.rows
        for at, step in steps.items():
            if self._values[at] + step < self._program.variables[at].lower:
                return False
        for row_number in {row for at in steps for row in self._rows.get(at, ())}:
            terms, least, most, _ = rows[row_number]
            total = self._totals[row_number]
            total += sum(terms.get(at, 0) * step for at, step in steps.items())
            if (least is not None and total < least) or (most is not None and total > most):
                return False
        return True


K = TypeVar("K")


class OutOfTimeError(Exception):
    """Raised when time runs out."""


def find_addable_cards(
    built: DeckProgram,
    slots: Mapping[K, Sequence[CardSlot]],
    present: Mapping[K, int],
    end: float,
    used: set[K],
    on_deck: Callable[[Sequence[int], Collection[CardSlot]], object] = lambda *_: None,
) -> bool:
    """Add to `used` the cards of which legal decks can have more copies than now.

    Exchanges of single cards in a found deck are tried first, which saves searches.

    Args:
        slots: the slots of the cards, by any keys.
        present: the present copies, 0 by default.
        on_deck: receives the values of each deck with further cards, and slots whose cards
            exchanges add to it.

    Returns:
        whether there is any legal deck.

    Raises:
        OutOfTimeError: if time runs out before all cards are known.
    """
    there = {key: built.program.variable("there") for key in slots}
    for key, one in there.items():
        built.program.add_row(total_copies(slots[key]).add(one, -1), least=present.get(key, 0))
    solver = HighsSolver(built.program, end - time.monotonic())
    alone = {at for one in there.values() for at in one.terms}
    while True:
        left = [key for key in slots if key not in used]
        outcome = solver.maximize(sum_of_products((1, there[key]) for key in left))
        if outcome.status is SolverStatus.STOPPED:
            raise OutOfTimeError
        if outcome.values is None:
            return False
        values = [0 if at in alone else value for at, value in enumerate(outcome.values)]
        more = {key for key in left if total_copies(slots[key]).value(values) > present.get(key, 0)}
        if not more:
            on_deck(values, ())
            return True
        used |= more
        near = _find_near(built, values, {key: slots[key] for key in left if key not in more})
        used.update(near)
        on_deck(values, near.values())


def _find_near(
    built: DeckProgram, values: Sequence[int], slots: Mapping[K, Sequence[CardSlot]]
) -> dict[K, CardSlot]:
    """Return the cards that exchanges add to a deck, with their slots."""
    exchanges = Exchanges(built.program, values)
    others = [slot.number for slot in built.slots if values[slot.number]]
    near = {}
    for key, places in slots.items():
        fits = next((slot for slot in places if exchanges.allow(slot.number, others)), None)
        if fits is not None:
            near[key] = fits
    return near


class KnownDeck(NamedTuple):
    """A deck of a faction and format that was legal when it was found.

    Attributes:
        copies: the copies by faction, id and zone of the card.
        digests: the digests of its cards.
        near: the digests of further cards: one copy, alone or in place of a copy of another card,
            leaves the deck legal.
    """

    faction_id: str
    format_id: str | None
    copies: Mapping[tuple[str, str, str], int]
    digests: Mapping[CardKey, str]
    near: frozenset[str]


class KnownDecks:
    """The legal decks found in earlier states of a game with the same rules.

    Only the cards of a deck decide whether it is legal, so it stays legal until they change.
    """

    def __init__(self, digests: Mapping[CardKey, str], decks: Iterable[KnownDeck] = ()) -> None:
        """Set the decks, and for each card the digest of all that limits see of it."""
        self._digests = digests
        self._keys = {digest: key for key, digest in digests.items()}
        self._decks: dict[tuple[str, str | None], list[KnownDeck]] = {}
        for deck in decks:
            self._decks.setdefault(deck[:2], []).append(deck)
        self._current: dict[tuple[str, str | None], list[KnownDeck]] = {}
        self._proven: dict[tuple[str, str | None], set[CardKey]] = {}

    @classmethod
    def decode(cls, content: bytes, digests: Mapping[CardKey, str]) -> KnownDecks:
        """Return the decks that `encode` serialized; raise anything if the content is invalid."""
        decks = [
            KnownDeck(
                faction_id,
                form,
                {(faction, card, zone): number for faction, card, zone, number in copies},
                {(faction, card): digest for faction, card, digest in cards},
                frozenset(near),
            )
            for faction_id, form, copies, cards, near in json.loads(content)
        ]
        return cls(digests, decks)

    def encode(self) -> str:
        """Return the decks to remember, serialized."""
        decks = [
            (
                *deck[:2],
                [(*place, number) for place, number in deck.copies.items()],
                [(*key, digest) for key, digest in deck.digests.items()],
                sorted(deck.near),
            )
            for decks in self._current.values()
            for deck in decks
        ]
        return json.dumps(decks)

    def of(self, faction_id: str, format_id: str | None) -> Sequence[KnownDeck]:
        """Return the decks of a faction in a format, legal or not."""
        current = self._current.get((faction_id, format_id))
        return self._decks.get((faction_id, format_id), ()) if current is None else [*current]

    def is_unchanged(self, deck: KnownDeck) -> bool:
        """Return whether the cards of a deck are as they were."""
        return all(self._digests.get(key) == digest for key, digest in deck.digests.items())

    def find_proven(self, deck: KnownDeck) -> set[CardKey]:
        """Return the cards that an unchanged deck proves to be in a legal one."""
        return {*deck.digests, *(self._keys[digest] for digest in deck.near & self._keys.keys())}

    def renew(
        self, deck: KnownDeck, copies: Iterable[tuple[CardSlot, int]], near: Iterable[CardSlot]
    ) -> KnownDeck:
        """Return a legal deck as it is now, and with further cards near it."""
        new = self.make_deck(deck[:2], copies, near)
        same = new.copies == deck.copies and new.digests == deck.digests
        return new._replace(near=new.near | deck.near) if same else new

    def make_deck(
        self,
        decks: tuple[str, str | None],
        copies: Iterable[tuple[CardSlot, int]],
        near: Iterable[CardSlot],
    ) -> KnownDeck:
        """Return a deck of a faction and format to keep."""
        content = {(*slot.key, slot.zone.id): number for slot, number in copies if number}
        digests = {(faction, card): self._digests[faction, card] for faction, card, _ in content}
        further = frozenset(self._digests[slot.key] for slot in near)
        return KnownDeck(*decks, content, digests, further)

    def keep(self, deck: KnownDeck) -> None:
        """Keep a legal deck, unless others prove all of its cards."""
        current = self._current.setdefault(deck[:2], [])
        proven = self._proven.setdefault(deck[:2], set())
        new = self.find_proven(deck)
        if not current or not new <= proven:
            current.append(deck)
            proven |= new


class Unbuildable(NamedTuple):
    """A faction without a legal deck, or a card that no legal deck can contain.

    Attributes:
        faction_id: the faction without a deck, or that of the card.
        card_id: the card, None for the whole faction.
        conflict: the limits that rule it out.
        formats: the ids of other formats in which the faction has a legal deck.
    """

    faction_id: str
    card_id: str | None
    conflict: Conflict
    formats: tuple[str, ...] = ()


def find_unbuildable(
    game: Game, seconds: float, known: KnownDecks | None = None, reported: Collection[str] = ()
) -> Iterator[Unbuildable]:
    """Yield the factions without a legal deck, then the cards that no legal deck can contain.

    Factions are tested in their default format, cards in any format. Cards that no zone admits,
    cards of factions without a legal deck, and restricted cards are not reported.

    Args:
        seconds: the time limit; unproven cases are not reported.
        known: the decks known from earlier searches; those found are added.
        reported: factions that are known to have no legal deck, which are not yielded.
    """
    fielding = _PoolSearch(game, time.monotonic() + seconds, known, reported)
    try:
        yield from fielding.factions()
        yield from fielding.cards()
    except OutOfTimeError:
        return


class _PoolSearch:
    """Searches the cards that the decks of a game's factions can contain."""

    def __init__(
        self, game: Game, end: float, known: KnownDecks | None, reported: Collection[str]
    ) -> None:
        self._game, self._end = game, end
        self._known, self._reported = known, reported
        self._usable: set[CardKey] = set()
        self._possible_users: dict[CardKey, str] = {}
        """The cards that factions with legal decks might use, each with the first such faction."""
        fields, setup = DeckFeasibility(game), game.setup
        usual = {faction.id: faction_format(setup, faction) for faction in game.factions.values()}
        self._forms = {
            faction_id: form
            for faction_id, form in usual.items()
            if fields.has_decks(game.factions[faction_id], form)
        }
        self._places = [*card_zones(game)]

    def factions(self) -> Iterator[Unbuildable]:
        """Yield the factions without a legal deck, and record the cards that others can use."""
        for faction_id, usual in self._forms.items():
            if faction_id in self._reported:
                continue
            for key in (used := self._use(faction_id, usual)) or ():
                if key[0] == faction_id or key[0] not in self._forms:
                    self._possible_users.setdefault(key, faction_id)
            if used is None:
                rules = self._in_format(faction_id, usual)
                conflict = find_conflict(DeckProblem(self._game, faction_id, rules, end=self._end))
                formats = self._game.setup.formats.values()
                others = [f.id for f in formats if self._use(faction_id, f) is not None]
                yield Unbuildable(faction_id, None, conflict, tuple(others))

    def cards(self) -> Iterator[Unbuildable]:
        """Yield the cards that no deck can contain."""
        listed = {
            (entry.faction_id, entry.card_id)
            for faction_id, form in self._forms.items()
            if (restrictions := self._in_format(faction_id, form).restrictions)
            for entry in restrictions.entries
        }
        left = [key for key in self._possible_users if key not in self._usable | listed]
        for form in self._game.setup.formats.values():
            for faction_id in self._forms if left else ():
                self._use(faction_id, form)
        for key in left:
            if key not in self._usable:
                faction_id = self._possible_users[key]
                # A faction that shares the cards of another one has them under its own id.
                cards = frozenset({key, (faction_id, key[1])})
                required = CardConstraint("include the card", cards, lower=1)
                deck_rules = self._in_format(faction_id, self._forms[faction_id])
                problem = DeckProblem(self._game, faction_id, deck_rules, (required,), self._end)
                yield Unbuildable(*key, find_conflict(problem).limits)

    def _in_format(self, faction_id: str, form: Format | None) -> DeckRules:
        limits = select_limits(self._game.setup, faction_id, form, {})
        return DeckRules(limits, self._game.restrictions_for(form.id if form else None, None))

    def _use(self, faction_id: str, form: Format | None) -> Collection[CardKey] | None:
        """Record the cards that a faction's decks can contain.

        Returns:
            The cards that limits might admit; None if there is no legal deck.
        """
        if time.monotonic() > self._end:
            raise OutOfTimeError
        deck_rules = self._in_format(faction_id, form)
        slots = self._by_owner(find_slots(self._places, faction_id, deck_rules))
        known, decks = self._known, (faction_id, form and form.id)
        legal: list[KnownDeck] = []
        if known is not None:
            # Known decks tell of cards without the solver. If some have changed, all are examined
            # in a program of their cards and of those that no other deck proves.
            former = known.of(*decks)
            legal = [deck for deck in former if known.is_unchanged(deck)]
            for deck in legal:
                self._usable.update(map(self._owner, known.find_proven(deck)))
            unproven = [slot for key in slots if key not in self._usable for slot in slots[key]]
            if former and (unproven or not legal):
                pool = {slot.key for slot in unproven}.union(*(deck.digests for deck in former))
                cards = {key: card for key, card in self._game.cards.items() if key in pool}
                small = self._game._replace(cards=cards)
                small_program = DeckProblem(small, faction_id, deck_rules).build()
                if not small_program.left_out:
                    legal = [*self._examine(known, former, small_program)]
            for deck in legal:
                known.keep(deck)
        unknown = {key: places for key, places in slots.items() if key not in self._usable}
        if legal and not unknown:
            return slots
        built = DeckProblem(self._game, faction_id, deck_rules).build()

        def keep(values: Sequence[int], near: Iterable[CardSlot]) -> None:
            if known is not None:
                copies = ((slot, values[slot.number]) for slot in built.slots)
                known.keep(known.make_deck(decks, copies, near))

        has_deck = find_addable_cards(built, unknown, {}, self._end, self._usable, keep)
        return slots if has_deck else None

    def _examine(
        self, known: KnownDecks, decks: Iterable[KnownDeck], built: DeckProgram
    ) -> Iterator[KnownDeck]:
        """Yield the decks that are legal in a program; record the cards that they prove."""
        for deck in decks:
            copies = [deck.copies.get((*slot.key, slot.zone.id), 0) for slot in built.slots]
            # The deck as it was, then without one copy of each card.
            fewer = ([*copies[:at], n - 1, *copies[at + 1 :]] for at, n in enumerate(copies) if n)
            completed = map(built.program.complete, chain([copies], fewer))
            values = next(filter(None, completed), None)
            if values is None:
                continue
            slots = self._by_owner(built.slots)
            own = [slot for slot in built.slots if values[slot.number]]
            self._usable.update(self._owner(slot.key) for slot in own)
            unknown = {key: places for key, places in slots.items() if key not in self._usable}
            near = _find_near(built, values, unknown)
            self._usable.update(near)
            yield known.renew(deck, ((slot, values[slot.number]) for slot in own), near.values())

    def _by_owner(self, slots: Iterable[CardSlot]) -> dict[CardKey, list[CardSlot]]:
        """Return slots by the keys of their cards in their files."""
        owned: dict[CardKey, list[CardSlot]] = {}
        for slot in slots:
            owned.setdefault(self._owner(slot.key), []).append(slot)
        return owned

    def _owner(self, key: CardKey) -> CardKey:
        """Return the key of a card in its file, which several factions may share."""
        return self._game.factions[key[0]].cards_of or key[0], key[1]
