"""Packages for a print shop, and signed codes of decks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.options import GameError, PackagePrint, resolve_limits, resolve_service
from deckwright.api.session import GameSession
from deckwright.base.files import read_file
from deckwright.base.findings import (
    ChoiceError,
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    require_known,
)
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.signing import (
    SignedContent,
    code_deck_id,
    format_public_key,
    is_valid_code,
    make_code,
    parse_public_key,
    read_key,
)
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from deckwright.outputs.package.making import Package

TICKET_PAPERS = ("a4", "letter")


def build_package(
    game: GameSession, decks: Iterable[str], folder: Path, how: PackagePrint
) -> Package:
    """Implement `Game.package`."""
    from deckwright.outputs.package.making import (  # only where it is needed
        PackageOptions,
        make_package,
    )
    from deckwright.outputs.services.job import OrderOptions

    paths = [game.folder.deck_file(name) for name in decks] or game.folder.deck_files()
    if not paths:
        raise ChoiceError("the game has no deck list, so there is nothing to print")
    paper, sets, icc = how.get("paper", "a4"), how.get("sets"), how.get("icc")
    require_known(paper, TICKET_PAPERS, "paper")
    if sets is not None and sets < 1:
        raise ChoiceError(f"sets is {sets}, but must be at least 1")
    icc_path = None if icc is None or icc == "none" else Path(icc)
    service = resolve_service(
        game.folder,
        how.get("service", "press"),
        size=None,
        icc=icc_path,
        state_pdfx=how.get("state_pdfx", False),
        pdfx=how.get("pdfx"),
        inks=how.get("inks"),
    )
    order = OrderOptions(
        fit=how.get("scale", "none") == "fit",
        tokens=how.get("tokens", True),
        icc=icc_path,
        rgb=icc == "none",
        anyway=how.get("anyway", False),
        stated=how.get("state_pdfx", False),
        style=game.style(how.get("style")),
        rules=resolve_limits(game.folder, how),
    )
    options = PackageOptions(
        order,
        sets,
        paper,
        how.get("boxes", True),
        how.get("markers", True),
        how.get("rulebook", True),
    )
    return game.produce(
        lambda report: make_package(game.folder, paths, service, folder, options, report)
    )


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


def sign_deck(
    folder: GameFolder,
    path: Path,
    rules: LimitOptions,
    key: Ed25519PrivateKey,
    deck_id: str,
    report: Report,
) -> str:
    """Return the signed code of a deck.

    Raises:
        ChoiceError: if the key does not match the game's public key.
        OutputError: after reporting errors.
    """
    game, deck, _ = load_deck(folder, path, rules, report)
    public = game.setup.public_key
    if public and public != format_public_key(key):
        message = "the key does not match `public_key` in game.xml"
        raise ChoiceError(message, f"its public key is `{format_public_key(key)}`")
    return make_code(SignedContent.of(deck_id, deck), key)


def check_code(folder: GameFolder, path: Path, code: str, report: Report) -> None:
    """Report a code that does not match a deck list. The deck may break its limits.

    Raises:
        ChoiceError: if the game has no public key, or a library is missing.
    """
    setup = load.load_setup(folder, report)
    deck = load.load_deck(path, folder, setup, report) if setup else None
    if setup is None or deck is None:
        return
    if not setup.public_key:
        hint = "give `<game>` the attribute `public_key`, which `deckwright codes key` prints"
        raise ChoiceError("game.xml has no public key to verify codes with", hint)
    if not is_valid_code(
        code, SignedContent.of(code_deck_id(code), deck), parse_public_key(setup.public_key)
    ):
        message = (
            f"the code of `{code_deck_id(code) or code}` was not made for this list with this key"
        )
        hint = "compare ids and copies of all cards with the printed ones"
        report.append(D013.at(Location(path), message, hint))
