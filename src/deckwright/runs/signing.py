"""Decks of a run signed with the publisher's key, so that what is printed on them proves them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.signing import D013
from deckwright.base.choices import ChoiceError
from deckwright.base.files import write_atomically
from deckwright.base.findings import Location, Report, has_errors
from deckwright.base.output import unwritable
from deckwright.decks.signing import Signed, code_of, id_in, proves, public_key, read_public_key
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import CardKey
from deckwright.runs.lines import DeckLine, read_lines
from deckwright.runs.plan import Plan, demand_sound
from deckwright.runs.reprinting import line_of
from deckwright.runs.unpacked import unpacked

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PROOF = "proof"
"""The value that has the code of a deck."""


def signed_of(line: DeckLine) -> Signed:
    """Return what is signed of a deck."""
    cards: Counter[CardKey] = Counter()
    for card in line.cards:
        cards[card.faction or line.faction, card.id] += card.amount
    return Signed(line.id, line.faction, cards)


def sign_lines(
    folder: GameFolder, source: Path, target: Path, key: Ed25519PrivateKey, report: Report
) -> int | None:
    """Write the decks of a run's file with their codes as the value `proof`.

    Returns:
        how many; None after reporting what keeps them from being written.

    Raises:
        ChoiceError: if the key is not that of the game's public one.
        OSError: if `source` cannot be read.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        return None
    if setup.public_key != public_key(key):
        own = f"`{setup.public_key}`" if setup.public_key else "nothing"
        hint = f'the key belongs to public_key="{public_key(key)}"'
        raise ChoiceError(f"game.xml has {own} as its `public_key`", hint)
    try:
        with write_atomically(target) as stream:
            number = 0
            for line in read_lines(source, report):
                code = code_of(signed_of(line), key)
                signed = line._replace(values={**line.values, PROOF: code})
                stream.write(f"{signed.written()}\n".encode())
                number += 1
            _demand_clean(report)
    except _WrongError:
        return None
    except OSError as error:
        report.append(unwritable(target, error))
        return None
    return number


class _WrongError(Exception):
    """Nothing is written because of what was reported."""


def _demand_clean(report: Report) -> None:
    if has_errors(report):
        raise _WrongError


def find_unproven(plan: Plan, code: str, report: Report) -> DeckLine | None:
    """Return the deck of a run that a code is of; None after reporting why it proves none.

    Raises:
        ChoiceError: if the run has no such deck, or its game no public key.
    """
    if not demand_sound(plan, report):
        return None
    number, line = line_of(plan, id_in(code))
    with unpacked(plan.game) as game:
        setup = load.load_setup(GameFolder(game), report)
    if setup is None:
        return None
    if not setup.public_key:
        raise ChoiceError("the game of the run has no `public_key` in game.xml")
    if proves(code, signed_of(line), read_public_key(setup.public_key)):
        return line
    message = f"the code of `{line.id}` was not made for this deck with this key"
    report.append(D013.at(Location(plan.lines, number, 1), message, "compare the printed code"))
    return None
