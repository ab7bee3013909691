"""Make a deck ready for a print service: load and check, compose, fit, look it over, write.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.output import unwritable, write_data
from deckwright.checks.loading import load_deck
from deckwright.decks.stats import deck_stats
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.faces.watermark import watermark
from deckwright.game.folder import GameFolder
from deckwright.images.store import I007
from deckwright.outputs.press.spots import in_own_colors
from deckwright.outputs.services.cards import fitted_cards, looked_over
from deckwright.outputs.services.job import Job, Made, Ordered, OrderOptions
from deckwright.outputs.services.orders import OrderItem, distinct, order_items
from deckwright.outputs.services.pdf_file import make_pdf
from deckwright.outputs.services.picture_files import make_pictures
from deckwright.outputs.services.preflight import check_backs, check_count
from deckwright.outputs.services.press import choose_profile
from deckwright.outputs.services.profile import Files, Service, Size, Spots

Cards = Mapping[Size, list[OrderItem]]
"""Cards by the size that they are printed in."""
Plan = Mapping[Path, tuple[Size, list[OrderItem]]]
"""Which cards, of one size, go into which file or folder."""


class Prepared(NamedTuple):
    """Cards made ready, of which nothing is written yet.

    Attributes:
        parts: what was made, with the cards in it.
    """

    job: Job
    parts: tuple[tuple[Made, list[OrderItem]], ...]


def export_order(
    folder: GameFolder,
    deck_path: Path,
    service: Service,
    target: Path,
    options: OrderOptions,
    report: Report,
) -> Ordered | None:
    """Make a deck ready in the folder `target`; None after reporting why it cannot be."""
    order = order_of(folder, deck_path, service, options, report)
    return order and ordered(*order, target / f"{service.id}_{deck_path.stem}", report)


def order_of(
    folder: GameFolder,
    deck_path: Path,
    service: Service,
    options: OrderOptions,
    report: Report,
) -> tuple[list[OrderItem], Job] | None:
    """Return the cards of a deck and what they are made ready for; None after reporting why not."""
    loaded = load_deck(folder, deck_path, options.rules, report)
    if loaded is None:
        return None
    game, deck, held = loaded
    plates = service.spots is not Spots.NONE
    factory = FaceFactory(game, folder, report, options.style, plates=plates)
    items = order_items(
        deck_stats(game, deck, held),
        options.choice,
        factory,
        report,
        tokens=options.tokens,
        backs=service.backs,
    )
    mark = watermark(factory, options.watermark, report)
    items = [item.drawn(mark.on) for item in items]
    if has_errors(report):
        return None
    return items, Job(service, options, deck.name, factory)


def ordered(items: list[OrderItem], job: Job, stem: Path, report: Report) -> Ordered | None:
    """Make cards ready as a job says; None after reporting why they cannot be.

    Args:
        stem: the file, without its ending, or the folder; sizes are added to it if there are
            several.
    """

    def plan(cards: Cards) -> Plan:
        return {
            path: (size, cards[size]) for size, path in _paths(job.service, stem, cards).items()
        }

    prepared = prepared_order(items, job, plan, report)
    if prepared is None:
        return None
    made = [each for each, _ in prepared.parts]
    if not (job.options.check or _written(made, report)):
        return None
    parts = tuple(one.part for one in made)
    return Ordered(job.service, job.title, parts, prepared.job.profile)


def prepared_order(
    items: list[OrderItem], job: Job, plan: Callable[[Cards], Plan], report: Report
) -> Prepared | None:
    """Make cards ready as `ordered` does, but write nothing.

    Args:
        plan: says which cards go where.
    """
    service, options = job.service, job.options
    findings: Report = []
    cards = _fitted(items, job, findings, report)
    if service.files is Files.PDF:
        profile = choose_profile(service, options.icc, findings, none=options.rgb)
        job = job._replace(profile=profile)
    job.keep(findings, report)
    if has_errors(report):
        return None
    make = make_pictures if service.files is Files.PICTURES else make_pdf
    findings, parts = [], []
    try:
        for path, (size, chosen) in plan(cards).items():
            parts.append((make(chosen, size, path, job, findings), chosen))
    except OSError as error:
        # Images in inks and parts of faces are kept in files on the way.
        report.append(unwritable(Path(tempfile.gettempdir()), error))
        return None
    job.keep(findings, report)
    return None if has_errors(report) else Prepared(job, tuple(parts))


def _fitted(
    items: list[OrderItem], job: Job, findings: Report, report: Report
) -> dict[Size, list[OrderItem]]:
    """Return cards by the sizes that they are printed in, looked over.

    Args:
        findings: what keeps them from printing well.
        report: what is wrong with their images.
    """
    service = job.service
    cards = fitted_cards(items, service, job.options, findings)
    if service.backs:
        findings += check_backs(items, service)
    findings += check_count(items, service)
    sides = distinct(card for of_size in cards.values() for card in of_size)
    noted: Report = []
    if prepare_images((side.face for side in sides), job.factory.pictures.store, noted):
        inks = job.factory.game.setup.inks
        for size, of_size in cards.items():
            seen = [
                side._replace(face=in_own_colors(side.face, inks)) for side in distinct(of_size)
            ]
            findings += looked_over(seen, service, job.factory, size.shape)
    # What is too coarse is told by what the service wants.
    report.extend(finding for finding in noted if finding.code is not I007)
    return cards


def _written(made: Iterable[Made], report: Report) -> bool:
    """Write files; return whether that went well."""
    for path, data in ((path, data) for one in made for path, data in one.files.items()):
        if not write_data(path, data, report):
            return False
    return True


def _paths(service: Service, stem: Path, sizes: Iterable[Size]) -> dict[Size, Path]:
    """Return the folder or file of each size of cards."""
    sizes = list(sizes)
    ending = ".pdf" if service.files is Files.PDF else ""
    return {
        size: stem.with_name(f"{stem.name}{f'_{size.id}' if len(sizes) > 1 else ''}{ending}")
        for size in sizes
    }
