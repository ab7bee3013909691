"""`deckwright package` and `tuckbox`: folders for print shops, and boxes for decks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deckwright.api import PressPrint, verify_package
from deckwright.api.options import BoxPrint, Limits, PackagePrint
from deckwright.base.options import option_names
from deckwright.cli import common
from deckwright.cli.options import options_of, prefix_service, take_press_options
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.outputs.tuckbox import PrintedBox


@common.command(
    "package army_HK_1 army_ZK_1 --sets 500",
    "package army_HK_1 --service press --out out/printer --no-boxes",
    "package --verify out/package",
)
@click.argument("decks", nargs=-1, metavar="[DECK…]")
@click.option("--verify", "verified", type=click.Path(path_type=Path), metavar="DIR",
              help="Make nothing; verify that the package in this folder is complete and "
              "unchanged.")  # fmt: skip
@common.game_option
@common.folder_option("out/package")
@common.style_option
@options_of(PackagePrint, without={"style", *option_names(Limits)})
@common.limit_options
@common.quiet_option
def package(
    decks: tuple[str, ...],
    verified: Path | None,
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Any,  # those of `Game.package`
) -> None:
    """Make a complete folder for a print shop.

    It holds a PDF for each pile of cards of the same size and back, tuck boxes, markers, the
    rulebook, a job ticket as PDF, XJDF and JSON, and checksums. DECK is the name of a file in
    xml/Decks, or any path; without any, all decks are included. For services that take pictures, it
    holds only the pictures of cards.
    """
    if verified is not None:
        if decks or out is not None:
            raise click.UsageError("--verify takes neither decks nor --out")
        report = [*verify_package(verified)]
        common.show(report)
        if report:
            totals = common.describe_totals(report)
            echo(f"{verified} has changed since it was made: {totals}", err=True)
        elif not quiet:
            echo(f"{verified} is complete and unchanged")
        common.exit_with_findings(report)
    opened = common.open_game(game)
    target = common.output_folder(common.default_output(opened.folder) / "package", out)
    packaged, report = common.run_catching(partial(opened.package, decks, target, **options))
    common.show(report)
    if packaged is None:
        echo(f"no package was written: {common.describe_totals(report)}", err=True)
    elif not quiet:
        ticket, rows = packaged.ticket, []
        for pile in ticket.piles:
            width, height = pile.trim
            parts = [common.counted(pile.pieces, "piece"), f"{width:g} × {height:g} mm"]
            parts.append(common.counted(pile.pages, "page") if pile.pages else "pictures")
            parts.append(" + ".join((pile.colors.process, *pile.colors.inks)))
            parts += [common.counted(ticket.sets, "time")] if ticket.sets else []
            rows.append((pile.id, ", ".join(parts)))
        rows.append(("job ticket", "ticket.pdf, ticket.xjdf, ticket.json"))
        rows.append(("written to", str(packaged.path)))
        title = f"{ticket.game} for {ticket.printer or 'a print shop'}"
        echo(*common.format_table(title, rows))
    common.exit_with_findings(report)


@common.command("tuckbox army_HK_1", "tuckbox army_HK_1 --sleeved --paper a3",
         "tuckbox army_HK_1 --service press")  # fmt: skip
@click.argument("decks", nargs=-1, metavar="DECK…")
@common.game_option
@common.out_option("box_NAME.pdf")
@common.style_option
@options_of(BoxPrint, without=["style"])
@options_of(PressPrint)
@common.quiet_option
def tuckbox(
    decks: tuple[str, ...],
    game: Path,
    out: str | None,
    quiet: bool,
    **options: Any,  # those of `Deck.print_box`
) -> None:
    """Print a tuck box for a deck: cut it out, fold it, glue it.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. The box holds all
    cards and tokens of the deck. Print it at 100 % on card stock of about 300 g/m². For a print
    shop, `--service` makes a page as large as the net, with the die lines as separations.
    """
    opened, press = common.open_game(game), take_press_options(options)
    folder = opened.folder
    common.require_decks(decks, folder)
    names = {
        name: prefix_service(f"box_{folder.deck_file(name).stem}.pdf", press) for name in decks
    }

    def summarize(_: str, boxed: PrintedBox) -> list[str]:
        inside = " × ".join(f"{side:.1f}".removesuffix(".0") for side in boxed.room)
        rows = [("for", common.counted(boxed.copies, "card")), ("inside", f"{inside} mm")]
        if boxed.press is None:
            side = "landscape" if boxed.landscape else "upright"
            rows.append(("paper", f"{options['paper']}, {side}"))
        rows += [("file", str(boxed.path)), *common.cut_rows(boxed.cuts)]
        table = common.format_table(boxed.stats.deck.name, rows)
        return [] if quiet else table + common.press_lines(boxed.press)

    common.export_each(
        common.output_paths(names, folder, out),
        lambda name, target: opened.deck(name).print_box(target, press=press, **options),
        lambda name, _: f"the box of {folder.deck_label(folder.deck_file(name))} was not printed",
        summarize,
    )
