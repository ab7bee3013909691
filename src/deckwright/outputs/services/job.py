"""What an order for a print service consists of, on its way from a deck to files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Grading, Report, Severity
from deckwright.base.units import Mm
from deckwright.checks.loading import LimitOptions
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import ALL_CARDS, CardSelection
from deckwright.game.words import WatermarkText
from deckwright.outputs.press.icc import REGISTERED_CONDITIONS, IccProfile
from deckwright.outputs.services.orders import OrderItem
from deckwright.outputs.services.preflight import E031, E033, E035, E036
from deckwright.outputs.services.profile import CardSize, Service, SpotHandling
from deckwright.paint.pdf.metadata import OutputIntent

_TOLERABLE = {code.id for code in (E031, E033, E035, E036)}
"""What may be printed all the same if the user wants it."""


class OrderOptions(NamedTuple):
    """What a user asks for, as `Deck.export_service` says.

    Attributes:
        fit: whether faces are scaled to the size.
        icc, rgb: an ICC profile of the user's, or whether none is used.
        stated: whether a PDF says which part of PDF/X it is.
        watermark: the text across all faces.
    """

    size: str | None = None
    fit: bool = False
    choice: CardSelection = ALL_CARDS
    tokens: bool = True
    icc: Path | None = None
    rgb: bool = False
    anyway: bool = False
    check: bool = False
    stated: bool = False
    style: str | None = None
    rules: LimitOptions = LimitOptions()
    watermark: WatermarkText = None


class Job(NamedTuple):
    """What all parts of an order have in common.

    Attributes:
        title: what is ordered, such as the name of a deck.
        profile: the ICC profile of the printing condition; None for RGB.
    """

    service: Service
    options: OrderOptions
    title: str
    factory: FaceFactory
    profile: IccProfile | None = None

    @property
    def intent(self) -> OutputIntent | None:
        """What its PDFs say that they are printed for, without separations; None for RGB."""
        profile, service = self.profile, self.service
        if profile is None:
            return None
        condition = profile.condition or service.condition
        return OutputIntent(
            profile.name,
            profile.data,
            service.pdfx,
            self.options.stated,
            condition=condition,
            registered=condition in REGISTERED_CONDITIONS,
        )

    def outer(self, size: CardSize) -> tuple[Mm, Mm]:
        """Return the width and height of a card with its bleed."""
        bleed = self.service.bleed
        return size.width + 2 * bleed, size.height + 2 * bleed

    @property
    def spots(self) -> SpotHandling:
        """How inks such as foil are handed over; separations are for files in inks."""
        wanted = self.service.spots
        apart = wanted is SpotHandling.SEPARATIONS and self.profile is None
        return SpotHandling.PAGES if apart else wanted

    def keep(self, findings: Report, report: Report) -> None:
        """Report findings that count, as much as the game and the user say."""
        tolerated: set[str] = set()
        if self.options.anyway:
            # A file that says that it is PDF/X is PDF/X.
            tolerated = _TOLERABLE if self.options.stated else {*_TOLERABLE, "E080"}
        findings = [
            each._replace(given_severity=Severity.WARNING) if each.code.id in tolerated else each
            for each in findings
        ]
        report += Grading(severities=self.factory.game.setup.severities).graded(findings)


class OrderPart(NamedTuple):
    """What was made of the cards of one size.

    Attributes:
        cards, different: how many are printed, and how many designs these are.
        path: the folder or the file.
        others: how many pictures lie there that are not of this order.
        inks: the names of those beside the print's own.
        masks: where these lie, if they lie apart.
        backs: the file of the backs, if they are in one of their own.
    """

    size: CardSize
    cards: int
    different: int
    path: Path
    others: int = 0
    inks: tuple[str, ...] = ()
    masks: tuple[Path, ...] = ()
    backs: tuple[Path, ...] = ()


def make_part(cards: list[OrderItem], size: CardSize, path: Path, others: int = 0) -> OrderPart:
    """Return what is to be said of the cards of one size."""
    return OrderPart(size, sum(card.copies for card in cards), len(cards), path, others)


class OrderFiles(NamedTuple):
    """What was made of the cards of one size, not yet written: the files with what is in them."""

    part: OrderPart
    files: Mapping[Path, bytes]


class ServiceExport(NamedTuple):
    """Cards that were made ready, in RGB if there is no profile.

    Attributes:
        title: what was ordered: the name of the deck.
        findings: the warnings.
    """

    service: Service
    title: str
    parts: tuple[OrderPart, ...]
    profile: IccProfile | None
    findings: tuple[Diagnostic, ...] = ()
