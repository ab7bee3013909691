"""`deckwright markers`, also `marker_constructor`: print the markers of a game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from deckwright.base.findings import Report, has_errors, known_hint
from deckwright.base.units import PAPERS
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import footer_option, printer_option, to_printer
from deckwright.cli.terminal import echo
from deckwright.game.counters import Marker
from deckwright.game.load import load_setup
from deckwright.game.markers import with_counts
from deckwright.game.setup import Setup
from deckwright.outputs.markers import print_markers
from deckwright.sheet.setting import SheetOptions


@command("markers", "markers action --count action=60")
@click.argument("markers", nargs=-1, metavar="[MARKER]…")
@common.game_option
@common.out_option("markers.pdf")
@common.style_option
@click.option("--count", "counts", multiple=True, metavar="ID=N",
              help="Print this many copies of a marker: action=60, or damage/10=5 for one value.",
              )  # fmt: skip
@click.option("--paper", type=click.Choice([*PAPERS]), help="The size of the paper.")
@printer_option
@footer_option
@common.quiet_option
def markers(
    markers: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    counts: tuple[str, ...],
    paper: str | None,
    printer: str | None,
    footer: bool,
    quiet: bool,
) -> None:
    """Print the game's markers on as few sheets as possible.

    Without a MARKER, all markers in game.xml are printed. If any of them has another side, each
    sheet is followed by its back: print on both sides and flip on the long edge.
    """
    folder = common.open_folder(game)
    style = common.parse_style(folder, style)
    report: Report = []
    setup = load_setup(folder, report)
    printed = None
    if setup is not None and not has_errors(report):
        chosen = _counts(setup, markers, counts)
        if not any(marker.copies for marker in with_counts(setup.markers, chosen)):
            message = "every marker has the count 0, so there is nothing to print"
            raise click.UsageError(message)
        target = common.target("markers.pdf", folder, out)
        report.clear()
        options = SheetOptions(footer=footer)
        if printer is not None:
            options = options._replace(unreached=to_printer(printer).margins)
        printed = print_markers(folder, chosen, paper, target, style, report, options)
        if printed is not None and not quiet:
            echo(*_summary(setup, *printed, target))
    common.show_kinds(report)
    if printed is None:
        echo(f"no markers were printed: {common.totals(report)}", err=True)
    common.leave(report)


def _summary(setup: Setup, printed: Iterable[Marker], pages: int, target: Path) -> list[str]:
    rows = [(f"{m.face.name} {m.value or ''}".strip(), f"{m.copies} ({m.id})") for m in printed]
    return common.table(setup.name, [*rows, ("pages", str(pages)), ("file", str(target))])


def _counts(setup: Setup, chosen: Iterable[str], changes: Iterable[str]) -> dict[str, int]:
    """Return the counts of markers that differ from those of the game.

    Raises:
        click.UsageError: if there is no such marker, or no number, or nothing to print.
    """
    known = dict.fromkeys(
        name for marker in setup.markers for name in (marker.id.partition("/")[0], marker.id)
    )
    if not known:
        message = "the game has no markers\nList them under `markers` in game.xml."
        raise click.UsageError(message)
    counts: dict[str, int] = {}
    chosen = list(chosen)
    for name in chosen:
        _demand(name, known)
    if chosen:
        parents = {name.partition("/")[0] for name in chosen if "/" in name}
        counts = {
            marker.id: 0
            for marker in setup.markers
            if marker.id not in chosen
            and (marker.id.partition("/")[0] not in chosen or marker.id in parents)
        }
    for change in changes:
        name, found, number = change.partition("=")
        if not found or not (number.isascii() and number.isdecimal() and len(number) < 6):  # noqa: PLR2004
            message = f"`--count {change}` is not of the form ID=NUMBER"
            raise click.UsageError(message)
        _demand(name, known)
        counts[name] = int(number)
    return counts


def _demand(name: str, known: Iterable[str]) -> None:
    if name not in known:
        message = f"there is no marker `{name}` in game.xml"
        raise click.UsageError(common.with_hint(message, known_hint(name, list(known))))
