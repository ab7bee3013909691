"""Codes that prove the contents of a deck: signatures with the publisher's key.

A code is the deck's id, a full stop and an Ed25519 signature (RFC 8032) in base32 (RFC 4648)
without padding, in characters that QR codes encode compactly. `make_message` defines what is
signed, so that any program can verify a code. Keys are files in PEM (PKCS #8), as by OpenSSL; the
public key is in `game.xml`, its 32 bytes in base32.
"""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.extras import install_command
from deckwright.base.findings import ChoiceError
from deckwright.game.model import CardKey, Deck

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

KEY_BYTES = 32
_MESSAGE_HEADER = "deckwright deck 1"
"""The header of a message, so that nothing else signed with the key can pass for a deck."""


class SignedContent(NamedTuple):
    """The signed content of a deck: its id, its faction, and the copies of each card."""

    id: str
    faction_id: str
    cards: Mapping[CardKey, int]

    @classmethod
    def of(cls, deck_id: str, deck: Deck) -> SignedContent:
        """Return the signed content of a deck list."""
        cards: Counter[CardKey] = Counter()
        for entry in deck.entries:
            cards[entry.faction_id, entry.card_id] += entry.copies
        return cls(deck_id, deck.faction_id, cards)


def make_message(signed: SignedContent) -> bytes:
    """Return the message to sign, in UTF-8.

    Its lines end with a line feed: `deckwright deck 1`, the id, the faction's id, and for each card
    the copies, faction and id separated by spaces. The lines of cards are sorted as text.
    """
    cards = sorted(f"{number} {faction} {card}" for (faction, card), number in signed.cards.items())
    return "".join(
        f"{line}\n" for line in (_MESSAGE_HEADER, signed.id, signed.faction_id, *cards)
    ).encode()


def new_key() -> tuple[bytes, str]:
    """Return a new private key as a PEM file, and its public key in the form of `game.xml`.

    Raises:
        ChoiceError: if `cryptography` is not installed.
    """
    _require_installed()
    from cryptography.hazmat.primitives import serialization  # an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519

    private = ed25519.Ed25519PrivateKey.generate()
    file = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return file, format_public_key(private)


def read_key(file: bytes, name: str) -> Ed25519PrivateKey:
    """Return the private key in a file of this name.

    Raises:
        ChoiceError: if it is no key, has a password, or `cryptography` is not installed.
    """
    _require_installed()
    from cryptography.hazmat.primitives import serialization  # an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519

    try:
        private = serialization.load_pem_private_key(file, password=None)
    except TypeError:
        raise ChoiceError(f"the key in `{name}` is locked with a password") from None
    except ValueError:
        message = f"`{name}` is not a private key file"
        raise ChoiceError(message, "make one with `deckwright codes key`") from None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise ChoiceError(f"the key in `{name}` is not for Ed25519")
    return private


def format_public_key(private: Ed25519PrivateKey) -> str:
    """Return the public key of a private key in the form of `game.xml`."""
    return _encode(private.public_key().public_bytes_raw())


def parse_public_key(text: str) -> Ed25519PublicKey:
    """Parse a public key in the form of `game.xml`.

    Raises:
        ChoiceError: if it is invalid, or `cryptography` is not installed.
    """
    _require_installed()
    from cryptography.hazmat.primitives.asymmetric import ed25519  # an extra

    decoded = _decode(text)
    if decoded is None or len(decoded) != KEY_BYTES:
        raise ChoiceError(f"`{text}` is not a public key, which has 52 letters and digits")
    return ed25519.Ed25519PublicKey.from_public_bytes(decoded)


def make_code(signed: SignedContent, private: Ed25519PrivateKey) -> str:
    """Sign a deck and return its code."""
    return f"{signed.id}.{_encode(private.sign(make_message(signed)))}"


def code_deck_id(code: str) -> str:
    """Return the id of a code's deck, "" if it is no code."""
    return code.rpartition(".")[0]


def is_valid_code(code: str, signed: SignedContent, public: Ed25519PublicKey) -> bool:
    """Return whether a code is valid for a deck and a public key."""
    from cryptography.exceptions import InvalidSignature  # an extra

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
    """Decode base32; None unless the text is canonical, as from `_encode`.

    The last character has unused bits. Ignoring them would give a deck several valid codes.
    """
    try:
        data = base64.b32decode(written + "=" * (-len(written) % 8))
    except (binascii.Error, ValueError):
        return None
    return data if _encode(data) == written else None


def _require_installed() -> None:
    if find_spec("cryptography") is None:
        message = "decks are signed with the library cryptography, which is not installed"
        raise ChoiceError(message, install_command("sign"))
