"""What all parts of a package have in common while it is made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Report
from deckwright.base.names import unused
from deckwright.game.folder import GameFolder
from deckwright.ops.model import Face
from deckwright.outputs.package.model import SUMS, TICKET_PDF, Pile
from deckwright.outputs.services.job import OrderOptions
from deckwright.outputs.services.profile import Service

if TYPE_CHECKING:
    from deckwright.game.setup import Setup


ANY_SHOP = "press"
"""The id of the print service that stands for all shops that have no profile of their own."""


class PackageOptions(NamedTuple):
    """What a user asks for, as `Game.package` says.

    Attributes:
        order: how cards are made ready.
        sets: how many of all are ordered, None if that is not known yet.
        paper: that of the ticket.
    """

    order: OrderOptions = OrderOptions()
    sets: int | None = None
    paper: str = "a4"
    boxes: bool = True
    markers: bool = True
    rulebook: bool = True


class Stacked(NamedTuple):
    """A pile whose files are in the package, and the faces that show it; none for its PDF's."""

    pile: Pile
    faces: tuple[Face, ...] = ()


class Packer:
    """A package that is being made.

    Attributes:
        decks: their files, each once.
        place: the folder that it is made in.
        report: gets each finding once, though several decks have it.
    """

    def __init__(
        self,
        folder: GameFolder,
        setup: Setup,
        decks: tuple[Path, ...],
        service: Service,
        options: PackageOptions,
        place: Path,
    ) -> None:
        """Begin with an empty folder."""
        self.folder, self.setup, self.decks = folder, setup, decks
        self.service, self.options, self.place = service, options, place
        self.report: Report = []
        self._taken = {name.partition(".")[0].casefold() for name in (SUMS, TICKET_PDF)}

    def named(self, stem: str) -> str:
        """Return a name for a pile that no other has."""
        return unused(stem, self._taken)

    def report_all(self, found: Report) -> None:
        """Report what was found and is not reported yet."""
        self.report.extend(finding for finding in found if finding not in self.report)
