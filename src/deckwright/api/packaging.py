"""Verify packages for a print shop, and read keys that sign decks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.options import GameError
from deckwright.base.files import read_file
from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.decks.signing import read_key
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def verify_package(folder: Path | str) -> tuple[Diagnostic, ...]:
    """Return the findings in a package for a print shop; none if it is intact.

    Every file must exist and match its checksum, there must be no others, and the number and size
    of the PDFs' pages must match the job ticket.

    Args:
        folder: the folder of the package.
    """
    from deckwright.outputs.package.ticket import verify_folder  # only for packages

    return tuple(verify_folder(Path(folder)))


_MAX_KEY_BYTES = 100_000
"""The largest key file that is read, in bytes. Usual ones have a few hundred."""
D013 = Code("D013", Severity.ERROR, "a code that does not match its deck")


def load_key(path: Path) -> Ed25519PrivateKey:
    """Return the publisher's private key.

    Raises:
        ChoiceError: if the file holds no key, the key has a password, or a library is missing.
        GameError: if the file cannot be read.
    """
    try:
        file = read_file(path, _MAX_KEY_BYTES)
    except OSError as error:
        message = f"cannot read the file: {error.strerror or error}"
        raise GameError([X006.at(Location(path), message)]) from None
    return read_key(file, str(path))
