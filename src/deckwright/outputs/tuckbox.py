"""Print tuck boxes: load a deck, compute the size of its box, lay out its net, paint.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Code, Diagnostic, Report, Severity, has_errors
from deckwright.base.numbers import counted
from deckwright.base.units import PAPERS, Mm
from deckwright.checks.counting import Held
from deckwright.checks.loading import Rules, load_deck
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.game.decklist import tokens_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.outputs.printed import CutFile, Pressed
from deckwright.sheet.cutting import Cutter
from deckwright.sheet.net import Net
from deckwright.sheet.pages import Page
from deckwright.sheet.registration import Registration
from deckwright.sheet.tuckbox import (
    Room,
    needed,
    placed_on,
    placed_within,
    room_for,
    tuck_box,
)

if TYPE_CHECKING:
    from deckwright.faces.factory import FaceFactory
    from deckwright.outputs.services.pages import ForPress

E050 = Code("E050", Severity.ERROR, "a tuck box that is too large for its paper")

BOX_PAPERS = ("a4", "a3", "letter", "12x12")
LARGEST = "a3"
MOST_CARDS = 9999


class BoxOptions(NamedTuple):
    """What kind of box a user asks for, as `Deck.print_box` says; `copies` are its `cards`."""

    copies: int | None = None
    thickness: Mm = 0.3
    clearance: Mm = 1
    sleeved: bool = False
    paper: str = "a4"
    style: str | None = None
    cutter: Cutter | None = None
    press: ForPress | None = None


class Boxed(NamedTuple):
    """A box that was printed.

    Attributes:
        path: the file.
        copies: how many cards it is for.
        room: its inside.
        lying: whether the paper lies.
        findings: the warnings.
        cuts: the files for the cutting machine; none without one.
        pressed: what it was made ready for, None if it is for people.
    """

    path: Path
    stats: DeckStats
    copies: int
    room: Room
    lying: bool
    findings: tuple[Diagnostic, ...] = ()
    cuts: tuple[CutFile, ...] = ()
    pressed: Pressed | None = None


def print_tuck_box(
    folder: GameFolder, deck_path: Path, target: Path, options: BoxOptions, report: Report
) -> Boxed | None:
    """Print the box of a deck as a PDF to `target`; None after reporting why it was not.

    Whether the deck keeps its limits does not matter.
    """
    loaded = load_deck(folder, deck_path, Rules(ignore=True), report)
    if loaded is None:
        return None
    game, deck, _ = loaded

    from deckwright.faces.factory import FaceFactory  # noqa: PLC0415 - only for prints

    if options.cutter is not None:
        called = f"the paper `{options.paper}`"
        if options.cutter.marks_on(*PAPERS[options.paper], called, report) is None:
            return None
    press = options.press
    factory = FaceFactory(
        game, folder, report, options.style, plates=press is not None and press.plates
    )
    stats = deck_stats(game, deck, Held())
    made = box_page(stats, factory, options, report)
    if made is None or has_errors(report):
        return None
    page, copies, room = made
    boxed = Boxed(target, stats, copies, room, page.width > page.height)
    return _written(boxed, page, factory, options, report)


def box_page(
    stats: DeckStats, factory: FaceFactory, options: BoxOptions, report: Report
) -> tuple[Page, int, Room] | None:
    """Return the page of a deck's box, for how many cards it is, and its inside.

    None after reporting why it has none.
    """
    from deckwright.outputs.tuckbox_page import Pile, tuck_box_page  # noqa: PLC0415 - as above

    game, deck, press = factory.game, stats.deck, options.press
    held = pile_of(game, deck)
    size = size_of(held)
    copies = options.copies or sum(number for _, number in held)
    room = _room(size, copies, options)
    placed = _placed(tuck_box(room), options, options.paper)
    if placed is None:
        report.append(E050.at(deck.source.at(), *_too_large(deck, size, copies, options)))
        return None
    net, paper, marks = placed
    pile = Pile(copies, room, press.service.bleed if press else None)
    page = tuck_box_page(net, paper, pile, stats, factory, report, marks)
    return page and (page, copies, room)


def box_titles(game: Game, deck: Deck) -> tuple[str, str]:
    """Return what the file of a deck's box is called, and what its footer begins with."""
    setup, faction = game.setup, game.factions[deck.faction_id]
    title = f"{setup.words['tuck-box']} – {deck.name} – {faction.name}"
    return title, f"{setup.name} · {deck.name}"


def _written(
    boxed: Boxed, page: Page, factory: FaceFactory, options: BoxOptions, report: Report
) -> Boxed | None:
    """Write a box to its file; return it with what else there is to say of it."""
    deck = boxed.stats.deck
    title, footer = box_titles(factory.game, deck)
    if options.press is not None:
        from deckwright.outputs.services.pages import die_page, print_for_press  # noqa: PLC0415

        die = [die_page(page, f"the tuck box of `{deck.name}`", deck.source.at())]
        press = options.press
        if press.service.plain_boxes:
            press = press._replace(service=press.service._replace(bleed=0))
        made = print_for_press(die, title, factory, press, boxed.path, report, die=True)
        return made and boxed._replace(lying=False, pressed=made)

    from deckwright.outputs.cutters.files import write_cuts  # noqa: PLC0415 - only for prints
    from deckwright.outputs.pages import write_pages  # noqa: PLC0415

    written = write_pages([page], title, footer, factory, boxed.path, report)
    cuts = write_cuts([page], options.cutter, boxed.path, report) if written else None
    return None if cuts is None else boxed._replace(cuts=cuts)


def _placed(
    net: Net, options: BoxOptions, paper: str
) -> tuple[Net, tuple[Mm, Mm], Registration | None] | None:
    """Return a net on paper with the paper as it lies and a machine's marks; None if too large.

    For a press, the paper is as large as the net.
    """
    if options.press is not None:
        from deckwright.outputs.services.pages import no_marks  # noqa: PLC0415 - only for a press

        box, service = net.box, options.press.service
        # Where the page has no bleed, what is printed beyond the cuts is on the page itself.
        edge = service.bleed if service.plain_boxes else 0
        size = box.width + 2 * edge, box.height + 2 * edge
        return net.moved(edge - box.x, edge - box.y), size, no_marks(*size, edge, service.bleed)
    if options.cutter is None:
        alone = placed_on(net, PAPERS[paper])
        return alone and (*alone, None)
    marks = options.cutter.marks_on(*PAPERS[paper], paper, [])
    within = placed_within(net, marks) if marks else None
    if within is None:
        return None
    medium = within[1].medium
    return within[0], (medium.width, medium.height), within[1]


def pile_of(game: Game, deck: Deck) -> list[tuple[Card, int]]:
    """Return the cards and tokens that are printed for a deck, with the number of their faces."""
    cards = [(game.card_of(entry), entry.copies) for entry in deck.entries]
    tokens = [(count.token, count.copies) for count in tokens_of(game, deck)]
    return [(card, copies * card.parts) for card, copies in [*cards, *tokens] if card and copies]


def size_of(pile: list[tuple[Card, int]]) -> tuple[Mm, Mm]:
    """Return the width and the height that hold all cards of a pile."""
    kinds = [card.kind for card, _ in pile]
    return max(kind.width for kind in kinds), max(kind.height for kind in kinds)


def _room(size: tuple[Mm, Mm], copies: int, options: BoxOptions) -> Room:
    return room_for(size, copies, options.thickness, options.clearance, sleeved=options.sleeved)


def _too_large(
    deck: Deck, size: tuple[Mm, Mm], copies: int, options: BoxOptions
) -> tuple[str, str | None]:
    """Return that a box has no room on its paper, and what to do about it."""

    def fits(number: int, paper: str) -> bool:
        return _placed(tuck_box(_room(size, number, options)), options, paper) is not None

    short, long = sorted(needed(tuck_box(_room(size, copies, options))))
    width, height = PAPERS[options.paper]
    cards = counted(copies, "card")
    message = (
        f"the tuck box of `{deck.name}` for {cards} needs paper of {math.ceil(short)} × "
        f"{math.ceil(long)} mm, and {options.paper} has {width:g} × {height:g} mm"
    )
    if options.cutter is not None:
        message = (
            f"the tuck box of `{deck.name}` for {cards} does not fit between the marks of "
            f"`{options.cutter.id}` on {options.paper}"
        )
    larger = next((name for name in BOX_PAPERS if fits(copies, name)), None)
    if larger is not None:
        return message, f"use larger paper: `--paper {larger}`"
    if not fits(1, LARGEST):
        return message, None
    low, high = 1, copies
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle, LARGEST) else (low, middle)
    return message, f"split the cards among boxes of at most {low}: `--cards {low} --paper a3`"
