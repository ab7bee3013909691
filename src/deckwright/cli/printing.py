"""`deckwright deck`, `build`, `tuckbox`, `package` and others: print a game, or parts of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from deckwright.api import Game, Limits, PressPrint, Print, verify_package
from deckwright.api.options import (
    BoxPrint,
    DeckPrint,
    GamePrint,
    MarkerPrint,
    PackagePrint,
    TokenPrint,
)
from deckwright.base.findings import Report, translated_labels
from deckwright.base.options import option_names
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.options import options_of, prefix_service, take_press_options
from deckwright.cli.terminal import echo
from deckwright.game.words import label

if TYPE_CHECKING:
    from deckwright.outputs.tuckbox import PrintedBox


@common.command("deck army_HK_1", "deck army_HK_1 army_ZK_1 --backs --sheet letter-65x90")
@click.argument("decks", nargs=-1, metavar="DECK…")
@common.game_option
@common.out_option("deck_NAME.pdf")
@common.style_option
@options_of(DeckPrint, without={"style", *option_names(Limits)})
@common.limit_options
@common.quiet_option
def deck(
    decks: tuple[str, ...], game: Path, out: str | None, quiet: bool, **options: Unpack[DeckPrint]
) -> None:
    """Print decks: deck list, cards, tokens and a rule reference.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. A deck with an
    error is not printed, except as a draft; a deck of a table is printed with its faults marked.
    """
    opened = common.open_game(game)
    folder = opened.folder
    common.require_decks(decks, folder)
    since = options["changed_since"]
    part = "_slips" if options["slips"] else ""
    part += "_changed" if since else "_part" if options["only"] or options["copies"] else ""
    part += "_draft" if options["draft"] else ""
    if options["fill"] and len(decks) > 1:  # all in one file
        targets = {decks: common.output_path(f"decks{part}.pdf", folder, out)}
    else:
        files = {name: f"deck_{folder.deck_file(name).stem}{part}.pdf" for name in decks}
        paths = common.output_paths(files, folder, out)
        targets = {(name,): path for name, path in paths.items()}

    def failed(group: tuple[str, ...], report: Report) -> str:
        titles = ", ".join(folder.deck_label(folder.deck_file(name)) for name in group)
        if translated_labels(common.output_language(), report) is not None:
            return titles
        return f"{titles} {'was' if len(group) == 1 else 'were'} not printed"

    common.export_each(
        targets,
        lambda group, target: opened.print_decks(group, target, **options),
        failed,
        lambda _, printed: () if quiet else _summarize_deck(printed, since),
    )


def _summarize_deck(printed: Print, since: Path | str | None) -> list[str]:
    """Summarize a print as a short table for each deck; the last one lists the files."""
    lines = []
    if since:
        changes = [f"  {line}" for line in printed.changes] or ["  nothing that is printed"]
        lines += [f"changed since {since}:", *changes]
    for stats in printed.decks[:-1]:
        lines += common.format_table(stats.deck.name, common.stats_rows(stats))
    if printed.draft:
        lines.append("cards with errors are printed with marks")
    stats = printed.decks[-1]
    words = common.words_for(stats.language, stats.words)
    if words:
        sheets = f"{words['card-sheets']}: {printed.sheets}"
        empty = f", {words['empty-slots']}: {printed.empty}" if printed.empty else ""
    else:
        sheets, empty = common.describe_sheets(printed), ""
    pages = f"{printed.pages} ({sheets}{empty})" if printed.pages else ""
    rows = [*common.stats_rows(stats), (label(words, "pages"), pages)]
    if printed.spare:
        number = sum(printed.spare.values())
        tokens = ", ".join(f"{name} {copies}" for name, copies in printed.spare.items())
        rows.append((label(words, "spare-tokens"), f"{number} ({tokens})"))
    rows += [(label(words, "file"), str(path)) for path in printed.paths]
    return lines + common.format_table(stats.deck.name, rows + common.cut_rows(printed.cuts))


@common.command("build", "build --sheet letter-65x90 --backs")
@common.game_option
@common.folder_option("out/")
@common.style_option
@options_of(GamePrint, without=option_names(Limits))
@common.limit_options
@common.quiet_option
def build(
    game: Path, out: Path | None, style: str | None, quiet: bool, **options: Unpack[GamePrint]
) -> None:
    """Print the whole game, from decks to the rulebook.

    Parts with errors are left out; all others are printed.
    """
    opened = common.open_game(game)
    target = common.output_folder(common.default_output(opened.folder), out)
    all_findings: Report = []
    faulty_deck = False
    for path, make in opened.everything(target, style=style, **options):
        printed, report = common.run_catching(make)
        common.show_kinds(common.new_findings(report, all_findings))
        all_findings += report
        if printed is None:
            echo(f"{path.name} was not printed", err=True)
            faulty_deck = faulty_deck or path.name.startswith("deck_")
        elif not quiet:
            marked = ", cards with errors are marked" if printed.draft else ""
            echo(f"{path}: {pluralize(printed.pages, 'page')}{marked}")
    if faulty_deck:
        echo("`deckwright build --draft` prints decks despite their errors", err=True)
    if all_findings:
        echo(common.describe_totals(all_findings), err=True)
    common.exit_with_findings(all_findings)


@common.command(
    "markers",
    "markers action --count action=60",
    "markers --sheet avery-5293 --scale fit",
    "markers --service press",
)
@click.argument("markers", nargs=-1, metavar="[MARKER]…")
@common.game_option
@common.out_option("markers.pdf")
@common.style_option
@options_of(MarkerPrint, without=["style"])
@options_of(PressPrint)
@common.quiet_option
def markers(
    markers: tuple[str, ...],
    game: Path,
    out: str | None,
    quiet: bool,
    **options: Any,  # those of `Game.print_markers`
) -> None:
    """Print the game's markers on as few sheets as possible.

    Without a MARKER, all markers in game.xml are printed. If any of them has a second side, each
    sheet is followed by its back: print on both sides and flip on the long edge. For a print shop,
    `--service` adds bleed and die lines in their shapes.
    """
    opened, press = common.open_game(game), take_press_options(options)
    target = common.output_path(prefix_service("markers.pdf", press), opened.folder, out)

    def summarize(_: str, printed: Print) -> list[str]:
        rows = [(item.name, f"{item.copies} ({item.id})") for item in printed.items]
        rows += [("pages", str(printed.pages)), ("file", str(printed.paths[0]))]
        return [] if quiet else _format_print(opened.name, rows, printed)

    common.export_each(
        {"markers": target},
        lambda _, path: opened.print_markers(path, only=markers, press=press, **options),
        lambda *_: "no markers were printed",
        summarize,
    )


def _format_print(title: str, rows: list[tuple[str, str]], printed: Print) -> list[str]:
    """Format a short table, with rows for a cutting machine or a press."""
    rows = rows + common.cut_rows(printed.cuts)
    return common.format_table(title, rows) + common.press_lines(printed.press)


@common.command("tokens EW", "tokens army_EW_1 --copies 2", "tokens EW --service press")
@click.argument("names", nargs=-1, metavar="DECK|FACTION…", required=True)
@common.game_option
@common.out_option("tokens_NAME.pdf")
@common.style_option
@options_of(TokenPrint, without=["style", "watermark"])
@options_of(PressPrint)
@common.watermark_options
@common.quiet_option
def tokens(
    names: tuple[str, ...],
    game: Path,
    out: str | None,
    quiet: bool,
    **options: Any,  # those of `PressPrint` and `TokenPrint`
) -> None:
    """Print the tokens of a deck or a faction, without the cards.

    For a deck, each token is printed as often as the deck can need it; for a faction, as often as
    one copy of each card can create it. For a print shop, `--service` makes a page with bleed for
    each token.
    """
    opened, press = common.open_game(game), take_press_options(options)
    stems = {name: Path(name).name.removesuffix(".xml") for name in names}
    files = {name: prefix_service(f"tokens_{stem}.pdf", press) for name, stem in stems.items()}
    targets = common.output_paths(files, opened.folder, out)

    def summary(name: str, printed: Print) -> list[str]:
        if not printed.items:
            return [f"{name} creates no tokens, so there is nothing to print"]
        rows = [(item.name, str(item.copies)) for item in printed.items]
        rows += [("file", str(path)) for path in printed.paths]
        return [] if quiet else _format_print(name, rows, printed)

    common.export_each(
        targets,
        lambda name, target: opened.print_tokens(name, target, press=press, **options),
        lambda name, _: f"the tokens of {name} were not printed",
        summary,
    )


@common.command("overview", "overview HK --out out/")
@click.argument("factions", nargs=-1, metavar="[FACTION]…")
@common.game_option
@common.out_option("overview.pdf")
@common.style_option
@options_of(PressPrint)
@common.quiet_option
def overview(
    factions: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    quiet: bool,
    **options: Any,  # those of `press_options`
) -> None:
    """Print a catalog of factions: cards, rules and indexes.

    FACTION is the id of a faction; its catalog is out/overview_FACTION.pdf. Without one, all are
    printed, with a cover, a table of contents, and indexes of cards and rules.
    """
    opened, press = common.open_game(game), take_press_options(options)
    name = "_".join(["overview", *dict.fromkeys(factions)]) + ".pdf"
    target = common.output_path(prefix_service(name, press), opened.folder, out)
    common.export_each(
        {name: target},
        lambda _, path: opened.print_overview(path, factions=factions, style=style, press=press),
        lambda *_: "the overview was not printed",
        lambda _, printed: () if quiet else [
            common.describe_pages(printed, target), *common.press_lines(printed.press)
        ],
    )  # fmt: skip


@common.command("rulebook", "rulebook --style low-ink --out out/plain.pdf",
                "rulebook --service press")  # fmt: skip
@common.game_option
@common.out_option("rulebook.pdf")
@common.style_option
@options_of(Game.print_rulebook, "booklet")
@options_of(PressPrint)
@common.quiet_option
def rulebook(
    game: Path,
    out: str | None,
    style: str | None,
    booklet: bool,
    quiet: bool,
    **options: Any,  # those of `press_options`
) -> None:
    """Print the rulebook, xml/rulebook.xml.

    `--style` chooses the templates for the cards in its figures. A booklet is named
    rulebook_booklet.pdf; print it on both sides and flip on the short edge. Print shops do the
    binding: for them, `--service` makes single pages with bleed.
    """
    opened, press = common.open_game(game), take_press_options(options)
    name = "rulebook_booklet.pdf" if booklet else "rulebook.pdf"
    target = common.output_path(prefix_service(name, press), opened.folder, out)

    def summarize(_: str, printed: Print) -> list[str]:
        lines, lacking = [common.describe_pages(printed, target)], -printed.pages % 4
        if printed.press is not None and lacking:  # a stapled book has sheets of four pages
            pages = pluralize(lacking, "empty page")
            lines.append(
                f"a stapled book would need {pages} more: ask whether the print shop adds them"
            )
        return [] if quiet else lines + common.press_lines(printed.press)

    common.export_each(
        {"rulebook": target},
        lambda _, path: opened.print_rulebook(path, style=style, booklet=booklet, press=press),
        lambda *_: "the rulebook was not printed",
        summarize,
    )


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
            parts = [pluralize(pile.pieces, "piece"), f"{width:g} × {height:g} mm"]
            parts.append(pluralize(pile.pages, "page") if pile.pages else "pictures")
            parts.append(" + ".join((pile.colors.process, *pile.colors.inks)))
            parts += [pluralize(ticket.sets, "time")] if ticket.sets else []
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
        rows = [("for", pluralize(boxed.copies, "card")), ("inside", f"{inside} mm")]
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
