"""What a search has found, as decks."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.numbers import exact
from deckwright.checks.counting import Held
from deckwright.checks.limits import check_limits
from deckwright.decks.solver.building import Built
from deckwright.decks.solver.contents import Slot
from deckwright.decks.solver.search import Found
from deckwright.game.deck_rules import Limit
from deckwright.game.model import Deck, DeckEntry, Game


class Value(NamedTuple):
    """What a deck has of something that was asked for.

    Attributes:
        aim: for example "maximize strength".
        bound: the value that no deck can pass, None if that is not known.
    """

    aim: str
    value: float
    bound: float | None

    @property
    def proven(self) -> bool:
        """Whether it is the best that can be."""
        return self.value == self.bound


class Answer(NamedTuple):
    """A deck that was found.

    Attributes:
        values: what it has of what was asked for, in that order.
        proven: whether there is no better one.
        settled: whether of all that are as good it is the first by the order of the card files;
            with less time, another one may have been found.
        findings: warnings of limits, and errors of those that were left out.
    """

    deck: Deck
    values: tuple[Value, ...]
    proven: bool
    settled: bool
    findings: tuple[Diagnostic, ...] = ()


def answer_of(game: Game, held: Held, built: Built, found: Found, empty: Deck) -> Answer:
    """Return an answer as a deck, once the check has nothing against it.

    Args:
        empty: the deck without its cards.

    Raises:
        AssertionError: if it breaks a limit that was not left out: a fault of ours.
    """
    zones = [zone.id for zone in game.setup.zones]
    entries = tuple(
        DeckEntry(
            slot.card.faction_id, slot.card.id, found.values[slot.number], empty.source,
            None if slot.usual else slot.zone.id,
        )
        for slot in sorted(built.slots, key=lambda slot: zones.index(slot.zone.id))
        if found.values[slot.number]
    )  # fmt: skip
    deck = empty._replace(entries=entries)
    report: Report = []
    check_limits(game, deck, held, report)
    if has_errors(report) and not built.left_out:
        raise AssertionError(f"the deck that was found breaks limits: {report[0].message}")
    values = tuple(
        Value(
            each.aim.text,
            exact(float(each.value)),
            None if each.bound is None else exact(float(each.bound)),
        )
        for each in found.reached
    )
    return Answer(deck, values, found.proven, found.settled, tuple(report))


class UnlimitedError(ChoiceError):
    """A deck could have any number of copies of the card in this slot."""

    def __init__(self, slot: Slot, message: str, hint: str) -> None:
        """Take the slot, and what is said of it."""
        super().__init__(message, hint)
        self.slot = slot


def unlimited_error(slot: Slot, game: Game, held: Held) -> UnlimitedError:
    """Return what to say where a deck could have any number of copies of a card."""
    zone = slot.zone.id
    message = f"nothing limits how many copies of `{slot.card.id}` are in `{zone}`"
    now = {limit.id for limit in held.limits}
    for limit in game.setup.limits:
        if limit.zone == zone and limit.id not in now and limit.bound in {"max", "exactly"}:
            return UnlimitedError(slot, message, f"add one: `--limit {limit.id}={_number(limit)}`")
    hint = f'add a limit to game.xml: `<limit id="most" name="cards" zone="{zone}" max="40"/>`'
    return UnlimitedError(slot, message, hint)


def _number(limit: Limit) -> int:
    number = limit.exactly if limit.exactly is not None else limit.max
    return number if isinstance(number, int) else 40
