"""Codes that prove what a deck consists of: signatures with the publisher's key.

A code is the deck's id, a full stop and an Ed25519 signature (RFC 8032) in base32 (RFC 4648)
without padding, all in characters that QR codes pack closely. `make_message` tells what is signed,
so that any program can prove a code. Keys are files in PEM (PKCS #8), as OpenSSL writes them; the
public key stands in `game.xml`, its 32 bytes in base32.
"""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import ChoiceError
from deckwright.game.model import CardKey, Deck

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

INSTALL_COMMAND = "python -m pip install 'deckwright[sign]'"
KEY_BYTES = 32
_MESSAGE_HEADER = "deckwright deck 1"
"""What a message begins with, so that nothing else that is signed with the key can pass for one."""


class SignedContent(NamedTuple):
    """What is signed of a deck: its id, its faction, and how many copies of which cards."""

    id: str
    faction_id: str
    cards: Mapping[CardKey, int]

    @classmethod
    def of(cls, deck_id: str, deck: Deck) -> SignedContent:
        """Return what is signed of a deck list."""
        cards: Counter[CardKey] = Counter()
        for entry in deck.entries:
            cards[entry.faction_id, entry.card_id] += entry.copies
        return cls(deck_id, deck.faction_id, cards)


def make_message(signed: SignedContent) -> bytes:
    """Return what is signed, in UTF-8.

    Lines that end with a line feed: `deckwright deck 1`, the id, the faction's id, and one for each
    card in the order of its characters: copies, faction and id with spaces between them.
    """
    cards = sorted(f"{number} {faction} {card}" for (faction, card), number in signed.cards.items())
    return "".join(
        f"{line}\n" for line in (_MESSAGE_HEADER, signed.id, signed.faction_id, *cards)
    ).encode()


def new_key() -> tuple[bytes, str]:
    """Return a new private key as a file, and its public key as `game.xml` has it.

    Raises:
        ChoiceError: if the library is missing.
    """
    _require_installed()
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    private = ed25519.Ed25519PrivateKey.generate()
    file = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return file, format_public_key(private)


def read_key(file: bytes, name: str) -> Ed25519PrivateKey:
    """Return the private key in a file.

    Args:
        name: how the file is called, for messages.

    Raises:
        ChoiceError: if it is none, it is locked with a password, or the library is missing.
    """
    _require_installed()
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    try:
        private = serialization.load_pem_private_key(file, password=None)
    except TypeError:
        raise ChoiceError(f"the key in `{name}` is locked with a password") from None
    except ValueError:
        message = f"`{name}` is no file of a private key"
        raise ChoiceError(message, "make one with `deckwright codes key`") from None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise ChoiceError(f"the key in `{name}` is not for Ed25519")
    return private


def format_public_key(private: Ed25519PrivateKey) -> str:
    """Return the public key that belongs to a private one, as `game.xml` has it."""
    return _encode(private.public_key().public_bytes_raw())


def parse_public_key(written: str) -> Ed25519PublicKey:
    """Return a public key as `game.xml` has it.

    Raises:
        ChoiceError: if it is none, or the library is missing.
    """
    _require_installed()
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra

    decoded = _decode(written)
    if decoded is None or len(decoded) != KEY_BYTES:
        raise ChoiceError(f"`{written}` is no public key: these are 52 letters and digits")
    return ed25519.Ed25519PublicKey.from_public_bytes(decoded)


def make_code(signed: SignedContent, private: Ed25519PrivateKey) -> str:
    """Return the code of a deck."""
    return f"{signed.id}.{_encode(private.sign(make_message(signed)))}"


def code_deck_id(code: str) -> str:
    """Return the id of the deck that a code is of, "" if it is no code."""
    return code.rpartition(".")[0]


def is_valid_code(code: str, signed: SignedContent, public: Ed25519PublicKey) -> bool:
    """Return whether a code is that of a deck and was made with the key of a public one."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra

    deck_id, _, written = code.rpartition(".")
    signature = _decode(written)
    if deck_id != signed.id or signature is None:
        return False
    try:
        public.verify(signature, make_message(signed))
    except InvalidSignature:
        return False
    return True


def _encode(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=")


def _decode(written: str) -> bytes | None:
    """Return what is written in base32; None if it is not written as `_encode` writes it.

    The last character has bits that mean nothing: with others one code would be several.
    """
    try:
        data = base64.b32decode(written + "=" * (-len(written) % 8))
    except (binascii.Error, ValueError):
        return None
    return data if _encode(data) == written else None


def _require_installed() -> None:
    from importlib.util import find_spec  # noqa: PLC0415

    if find_spec("cryptography") is None:
        message = "decks are signed with the library cryptography, which is not installed"
        raise ChoiceError(message, INSTALL_COMMAND)
