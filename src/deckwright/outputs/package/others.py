"""Piles of what a game has besides cards, as it is printed at home: boxes, markers, rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.files import is_there
from deckwright.base.findings import Report
from deckwright.outputs.package.measuring import measured
from deckwright.outputs.package.model import Pile, PileKind
from deckwright.outputs.package.packer import Packer, Stacked

_BOX_PAPERS = ("a4", "a3")


def other_piles(packer: Packer) -> Iterator[Stacked]:
    """Yield piles that are not cards, and write their files; what is wrong is reported."""
    options, setup, folder = packer.options, packer.setup, packer.folder
    style, words, report = options.order.style, setup.words, packer.report
    if options.boxes:
        for deck in packer.decks:
            path = packer.place / f"{packer.named(f'{deck.stem}_box')}.pdf"
            name = _print_box(packer, deck, path)
            if name is not None:
                yield _stacked(path, "box", words["tuck-box"], deck=name)
    if options.markers and setup.markers and setup.marker_sheet is not None:
        from deckwright.outputs.markers import MarkerOptions, print_markers  # noqa: PLC0415

        path = packer.place / f"{packer.named('markers')}.pdf"
        printed = print_markers(folder, path, MarkerOptions(style=style), report)
        if printed is not None and printed.pages:
            number = sum(item.copies for item in printed.items), len(printed.items)
            yield _stacked(path, "markers", words["markers"], number)
    if options.rulebook and is_there(folder.rulebook_file):
        from deckwright.outputs.print_books import print_rulebook  # noqa: PLC0415

        path = packer.place / f"{packer.named('rulebook')}.pdf"
        if print_rulebook(folder, path, style, report) is not None:
            yield _stacked(path, "rulebook", words["rulebook"], sides=2)


def _print_box(packer: Packer, deck: Path, path: Path) -> str | None:
    """Print the box of a deck on the smallest paper that it fits on; return the deck's name."""
    from deckwright.outputs.tuckbox import E050, BoxOptions, print_tuck_box  # noqa: PLC0415

    for paper in _BOX_PAPERS:
        found: Report = []
        options = BoxOptions(paper=paper, style=packer.options.order.style)
        boxed = print_tuck_box(packer.folder, deck, path, options, found)
        if not any(finding.code is E050 for finding in found):
            break
    hint = "leave boxes out with `--no-boxes`, and print them with `deckwright tuckbox`"
    packer.report_all([f._replace(hint=hint) if f.code is E050 else f for f in found])
    return boxed.stats.deck.name if boxed else None


def _stacked(
    path: Path,
    kind: PileKind,
    title: str,
    number: tuple[int, int] = (1, 1),
    deck: str = "",
    *,
    sides: int = 1,
) -> Stacked:
    """Return a pile of so many pieces and designs whose file is written."""
    pages = measured(path.read_bytes()).trims
    return Stacked(
        Pile(path.stem, kind, title, deck, *number, sides, pages[0], (path.name,), len(pages))
    )
