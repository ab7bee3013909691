"""The data of an order for a print service."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Grading, Report, Severity
from deckwright.base.units import Mm
from deckwright.checks.loading import LimitOptions
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import ALL_CARDS, CardSelection
from deckwright.game.words import WatermarkText
from deckwright.outputs.press.icc import REGISTERED_CONDITIONS, IccProfile
from deckwright.outputs.services.preflight import E031, E033, E035, E036
from deckwright.outputs.services.profile import CardSize, Service, SpotHandling
from deckwright.paint.pdf.metadata import OutputIntent

_TOLERABLE = {code.id for code in (E031, E033, E035, E036)}
"""Findings that `anyway` downgrades to warnings."""


class OrderOptions(NamedTuple):
    """The options of `Deck.export_service`.

    Attributes:
        fit: whether faces are scaled to the size.
        icc, rgb: the user's ICC profile, or whether to use none.
        stated: whether a PDF claims conformance to PDF/X.
        watermark: the text across all faces.
        token_size: the size of tokens, as in `Kind.resize`; None for what suits the service.
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
    token_size: str | None = None


class Job(NamedTuple):
    """What all parts of an order have in common; its profile is None for RGB."""

    service: Service
    options: OrderOptions
    title: str
    factory: FaceFactory
    profile: IccProfile | None = None

    @property
    def intent(self) -> OutputIntent | None:
        """The output intent of its PDFs, without spot inks; None for RGB."""
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

    def bleed_size(self, size: CardSize) -> tuple[Mm, Mm]:
        """Return the width and height of a card with its bleed."""
        bleed = self.service.bleed
        return size.width + 2 * bleed, size.height + 2 * bleed

    @property
    def spots(self) -> SpotHandling:
        """How spot inks are handed over; separations require files in inks."""
        wanted = self.service.spots
        apart = wanted is SpotHandling.SEPARATIONS and self.profile is None
        return SpotHandling.PAGES if apart else wanted

    def report_findings(self, findings: Report, report: Report) -> None:
        """Report findings, graded by the game and the options."""
        tolerated: set[str] = set()
        if self.options.anyway:
            # A file that claims PDF/X must conform to it.
            tolerated = _TOLERABLE if self.options.stated else {*_TOLERABLE, "E080"}
        findings = [
            each._replace(given_severity=Severity.WARNING) if each.code.id in tolerated else each
            for each in findings
        ]
        report += Grading(severities=self.factory.game.setup.severities).apply(findings)


class OrderPart(NamedTuple):
    """The output for the cards of one size.

    Attributes:
        cards, different: the numbers of cards and of designs.
        path: the folder or the file.
        further: the number of pictures there that do not belong to this order.
        inks: the names of the spot inks.
        masks: the paths of their masks, if they are separate.
        backs: the file of the backs, if it is separate.
    """

    size: CardSize
    cards: int
    different: int
    path: Path
    further: int = 0
    inks: tuple[str, ...] = ()
    masks: tuple[Path, ...] = ()
    backs: tuple[Path, ...] = ()


class ServiceExport(NamedTuple):
    """The result of an order; in RGB if there is no profile."""

    service: Service
    title: str
    parts: tuple[OrderPart, ...]
    profile: IccProfile | None
    findings: tuple[Diagnostic, ...] = ()
