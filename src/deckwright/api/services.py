"""The print services that a game can be ordered from."""

from __future__ import annotations

from pathlib import Path

from deckwright.api.errors import GameError
from deckwright.base.choices import ChoiceError, demand
from deckwright.base.findings import Report, known_hint
from deckwright.game.folder import GameFolder
from deckwright.outputs.services.profile import Service, load_service, service_names


def service_of(
    folder: GameFolder, name: str, *, size: str | None, icc: Path | None, stated: bool
) -> Service:
    """Return a print service.

    Args:
        size, icc, stated: what is asked of it, as in `Deck.export_service`.

    Raises:
        ChoiceError: if there is no such service, or it does not know what is asked for.
        GameError: if its profile has mistakes.
    """
    demand(name, service_names(folder.xml), "print service")
    report: Report = []
    service = load_service(name, folder.xml, report)
    if service is None:
        raise GameError(report)
    ids = [one.id for one in service.sizes]
    if size is not None and size not in ids:
        message = f"{service.name} makes no cards of size `{size}`"
        if not ids:
            message = f"{service.name} makes cards of any size, so it takes no `--size`"
        raise ChoiceError(message, known_hint(size, ids))
    if icc is not None and service.color.value == "rgb":
        raise ChoiceError(f"{service.name} takes RGB, so it has no use for `--icc`")
    if stated and service.pdfx is None:
        raise ChoiceError(f"{service.name} does not ask for PDF/X")
    return service
