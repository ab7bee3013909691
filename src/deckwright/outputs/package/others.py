"""Piles of what a game has besides cards: tuck boxes, markers, the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.files import is_there
from deckwright.outputs.markers import MarkerOptions, print_markers
from deckwright.outputs.package.measuring import measured
from deckwright.outputs.package.model import Pile
from deckwright.outputs.package.packer import Packer, Stacked
from deckwright.outputs.package.piles import colors_of
from deckwright.outputs.print_books import print_rulebook
from deckwright.outputs.printed import Pressed
from deckwright.outputs.services.pages import ForPress
from deckwright.outputs.services.profile import Files
from deckwright.outputs.tuckbox import BoxOptions, print_tuck_box


def other_piles(packer: Packer) -> Iterator[Stacked]:
    """Yield piles that are not cards, and write their files; what is wrong is reported.

    A service that takes pictures takes nothing but cards.
    """
    if packer.service.files is not Files.PDF:
        return
    order, words = packer.options.order, packer.setup.words
    press = ForPress(packer.service, order.icc, order.rgb, order.anyway, order.stated)
    if packer.options.boxes:
        for deck in packer.decks:
            path = _path(packer, f"{deck.stem}_box")
            boxed = print_tuck_box(
                packer.folder, deck, path, BoxOptions(style=order.style, press=press), packer.report
            )
            if boxed is not None and boxed.pressed is not None:
                pile = Pile("", "box", words["tuck-box"], boxed.stats.deck.name, 1, 1, 1)
                yield _stacked(packer, pile, path, boxed.pressed)
    if packer.options.markers and packer.setup.markers:
        path = _path(packer, "markers")
        options = MarkerOptions(style=order.style, press=press)
        printed = print_markers(packer.folder, path, options, packer.report)
        if printed is not None and printed.pressed is not None and printed.pages:
            number = sum(item.copies for item in printed.items), len(printed.items)
            pile = Pile("", "markers", words["markers"], "", *number, 1)
            yield _stacked(packer, pile, path, printed.pressed)
    if packer.options.rulebook and is_there(packer.folder.rulebook_file):
        path = _path(packer, "rulebook")
        printed = print_rulebook(packer.folder, path, order.style, packer.report, press)
        if printed is not None and printed.pressed is not None:
            pile = Pile("", "rulebook", words["rulebook"], "", 1, 1, 2, safe=packer.service.safe)
            yield _stacked(packer, pile, path, printed.pressed)


def _path(packer: Packer, stem: str) -> Path:
    return packer.place / f"{packer.named(stem)}.pdf"


def _stacked(packer: Packer, pile: Pile, path: Path, pressed: Pressed) -> Stacked:
    """Return a pile with what is known of its files once they are written."""
    pages = measured(path.read_bytes()).trims
    return Stacked(
        pile._replace(
            id=path.stem,
            trim=pages[0],
            files=tuple(each.name for each in (path, *pressed.masks)),
            pages=len(pages),
            colors=colors_of(pressed.service, pressed.profile, pressed.inks, packer.setup),
            bleed=pressed.service.bleed,
        )
    )
