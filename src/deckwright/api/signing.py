"""Codes of decks: made with the publisher's key, and proven with the game's public one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.errors import GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.files import read_file
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.checks.loading import Rules, load_deck
from deckwright.decks.signing import (
    Signed,
    code_of,
    id_in,
    proves,
    public_key,
    read_key,
    read_public_key,
)
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MAX_KEY = 100_000
"""How many bytes the file of a key may have; they have some hundred."""
D013 = Code("D013", Severity.ERROR, "a code that does not prove its deck")


def load_key(path: Path) -> Ed25519PrivateKey:
    """Return the publisher's private key.

    Raises:
        ChoiceError: if the file holds none, it is locked with a password, or a library is missing.
        GameError: if the file cannot be read.
    """
    try:
        file = read_file(path, _MAX_KEY)
    except OSError as error:
        message = f"cannot read the file: {error.strerror or error}"
        raise GameError([X006.at(Location(path), message)]) from None
    return read_key(file, str(path))


def signed_deck(
    folder: GameFolder,
    path: Path,
    rules: Rules,
    key: Ed25519PrivateKey,
    deck_id: str,
    report: Report,
) -> str | None:
    """Return the code of a deck; None after reporting why it has none.

    Raises:
        ChoiceError: if the key is not that of the game's public one.
    """
    loaded = load_deck(folder, path, rules, report)
    if loaded is None:
        return None
    game, deck, _ = loaded
    public = game.setup.public_key
    if public and public != public_key(key):
        message = "the key is not the one that belongs to `public_key` in game.xml"
        raise ChoiceError(message, f"its own would be `{public_key(key)}`")
    return code_of(Signed.of(deck_id, deck), key)


def find_unproven(folder: GameFolder, path: Path, code: str, report: Report) -> None:
    """Report if a code does not prove a deck list, which need not keep its limits.

    Raises:
        ChoiceError: if the game has no public key, or a library is missing.
    """
    setup = load.load_setup(folder, report)
    deck = load.load_deck(path, folder, setup, report) if setup else None
    if setup is None or deck is None:
        return
    if not setup.public_key:
        hint = "give `<game>` the attribute `public_key`, which `deckwright codes key` prints"
        raise ChoiceError("game.xml has no public key with which codes are proven", hint)
    if not proves(code, Signed.of(id_in(code), deck), read_public_key(setup.public_key)):
        message = f"the code of `{id_in(code) or code}` was not made for this list with this key"
        hint = "compare ids and copies of all cards with the printed ones"
        report.append(D013.at(Location(path), message, hint))
