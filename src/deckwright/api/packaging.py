"""Packages for a printer, made of an open game, and looked over again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.asked import Packing, rules_of, service_of
from deckwright.api.opened import Opened
from deckwright.base.choices import ChoiceError, demand
from deckwright.base.findings import Diagnostic

if TYPE_CHECKING:
    from deckwright.outputs.package.making import Packaged

TICKET_PAPERS = ("a4", "letter")


def packaged(game: Opened, decks: Iterable[str], folder: Path, how: Packing) -> Packaged:
    """Make a package, as `Game.package` says."""
    from deckwright.outputs.package.making import make_package  # noqa: PLC0415 - only for packages
    from deckwright.outputs.package.packer import PackageOptions  # noqa: PLC0415
    from deckwright.outputs.services.job import OrderOptions  # noqa: PLC0415

    paths = [game.folder.deck_file(name) for name in decks] or game.folder.deck_files()
    if not paths:
        raise ChoiceError("the game has no deck list, so there is nothing to print")
    paper, sets, icc = how.get("paper", "a4"), how.get("sets"), how.get("icc")
    demand(paper, TICKET_PAPERS, "paper")
    if sets is not None and sets < 1:
        raise ChoiceError(f"sets is {sets}, but must be at least 1")
    given = None if icc is None or icc == "none" else Path(icc)
    service = service_of(
        game.folder,
        how.get("service", "press"),
        size=None,
        icc=given,
        stated=how.get("state_pdfx", False),
        pdfx=how.get("pdfx"),
        inks=how.get("inks"),
    )
    order = OrderOptions(
        fit=how.get("scale", "none") == "fit",
        tokens=how.get("tokens", True),
        icc=given,
        rgb=icc == "none",
        anyway=how.get("anyway", False),
        stated=how.get("state_pdfx", False),
        style=game.style(how.get("style")),
        rules=rules_of(game.folder, how),
    )
    options = PackageOptions(
        order,
        sets,
        paper,
        how.get("boxes", True),
        how.get("markers", True),
        how.get("rulebook", True),
    )
    return game.made(
        lambda report: make_package(game.folder, paths, service, folder, options, report)
    )


def verify_package(folder: Path | str) -> tuple[Diagnostic, ...]:
    """Return all that is wrong with a package for a printer: nothing if it is as it was made.

    Every file must be there and have its checksum, none may have come in, and the pages of the PDFs
    must be as many and as large as the job ticket says.

    Args:
        folder: the package's.
    """
    from deckwright.outputs.package.verify import verify_folder  # noqa: PLC0415 - only for packages

    return tuple(verify_folder(Path(folder)))
