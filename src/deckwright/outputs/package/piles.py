"""Piles of cards: what a print service wants of a deck, apart by sizes, stocks and backs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.names import unused
from deckwright.base.output import write_data
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.outputs.package.model import Colors, Pile
from deckwright.outputs.package.packer import Packer, Stacked
from deckwright.outputs.press.icc import Profile
from deckwright.outputs.press.spots import in_own_colors
from deckwright.outputs.services.export import Cards, Plan, order_of, prepared_order
from deckwright.outputs.services.job import Job, Made
from deckwright.outputs.services.orders import OrderItem
from deckwright.outputs.services.pdf_file import files_of
from deckwright.outputs.services.profile import Files, Service

_FULL = 400
"""Four inks in full, in percent: no limit."""
_DIES = ("cut", "crease")
"""The inks that are lines of a die."""


def card_piles(packer: Packer, deck_path: Path) -> Iterator[Stacked]:
    """Yield the piles of a deck, and write their files; what is wrong is reported."""
    service, place, report = packer.service, packer.place, Report()

    def plan(cards: Cards) -> Plan:
        pdf, piles = service.files is Files.PDF, {}
        for size, items in cards.items():
            apart = _apart(items) if pdf else {size.id: items}
            for called, of_one in apart.items():
                alone = len(apart) == len(cards) == 1
                name = packer.named(deck_path.stem if alone else f"{deck_path.stem}_{called}")
                piles[place / (f"{name}.pdf" if pdf else name)] = size, of_one
        return piles

    order = order_of(packer.folder, deck_path, service, packer.options.order, report)
    prepared = order and prepared_order(*order, plan, report)
    packer.report_all(report)
    if prepared is None:
        return
    for made, items in prepared.parts:
        for path, data in made.files.items():
            write_data(path, data, packer.report)
        yield _stacked(made, items, prepared.job, place)


def _apart(items: Iterable[OrderItem]) -> dict[str, list[OrderItem]]:
    """Return cards apart by stock, corners and the backs that they share, called by these.

    Cards that each have a back of their own are one pile: they lie on one another all the same.
    """
    piles: dict[tuple[object, ...], list[OrderItem]] = {}
    for item in items:
        kind, back = item.front.card.kind, item.back
        shared = back is not None and back.back is not None
        which = id(back.face) if back and shared else back is not None
        piles.setdefault((kind.stock, kind.radius, which), []).append(item)
    taken = set[str]()
    return {unused(_called(pile[0]), taken): pile for pile in piles.values()}


def _called(item: OrderItem) -> str:
    """Return what the pile of a card is called: as its back, if others have that too."""
    back = item.back
    return back.name if back and back.back else item.front.card.kind.tag


def _stacked(made: Made, items: list[OrderItem], job: Job, place: Path) -> Stacked:
    """Return what was made of cards as a pile."""
    part, service, game = made.part, job.service, job.factory.game
    names = tuple(path.relative_to(place).as_posix() for path in made.files)
    pieces = sum(item.copies for item in items)
    sides = 1 + any(item.back is not None for item in items)
    kind = items[0].front.card.kind
    pile = Pile(
        id=part.path.stem,
        kind="cards",
        title=_title(items, game),
        deck=job.title,
        pieces=pieces,
        designs=len(items),
        sides=sides,
        trim=(part.size.width, part.size.height),
        files=names,
        pages=len(files_of(items, service)[""]) if service.files is Files.PDF else 0,
        colors=colors_of(service, job.profile, part.inks, game.setup),
        bleed=service.bleed,
        safe=service.safe,
        stock=kind.stock or service.stock,
        radius=kind.radius or service.radius or None,
    )
    inks = game.setup.inks
    shown = tuple(in_own_colors(side.face, inks) for side in items[0].sides())
    return Stacked(pile, shown)


def colors_of(
    service: Service, profile: Profile | None, inks: Sequence[str], setup: Setup
) -> Colors:
    """Return what something is printed with that was made ready for a service.

    Args:
        inks: the names of those beside the print's own.
    """
    dies = {setup.inks[ink].name for ink in _DIES if ink in setup.inks}
    printed = tuple(ink for ink in inks if ink not in dies)
    die = tuple(ink for ink in inks if ink in dies)
    if profile is None:
        return Colors("RGB", printed, die)
    condition = profile.condition or service.condition or ""
    limit = service.ink if service.ink < _FULL else None
    return Colors("CMYK", printed, die, profile.name, condition, limit, service.pdfx)


def _title(items: Sequence[OrderItem], game: Game) -> str:
    """Return what cards are called together: their kinds, and their faction if they have one."""
    kinds = ", ".join(dict.fromkeys(item.front.card.kind.name for item in items))
    factions = {item.front.group for item in items}
    faction = game.factions.get(factions.pop()) if len(factions) == 1 else None
    return f"{kinds} – {faction.name}" if faction else kinds
