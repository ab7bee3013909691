"""`deckwright export`: decks for virtual tables and print services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from deckwright.api import Deck, Game, Limits
from deckwright.api.options import ServicePrint, resolve_order
from deckwright.base.files import is_file
from deckwright.base.options import option_names
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.common import M
from deckwright.cli.options import combine_options, options_of
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.outputs.services.press import ServiceExport
    from deckwright.outputs.tabletop.card_pictures import PictureSheets, SingleCards
    from deckwright.outputs.tabletop.playground import PlaygroundPackage
    from deckwright.outputs.tabletop.tabletop_simulator import TabletopExport

_OTHERS = {"style", *option_names(Limits)}
"""The options that all exports share."""


def deck_command(
    export: Callable[..., M], *examples: str, ending: str | None
) -> Callable[[Callable[[M], list[str]]], click.Command]:
    """Return a decorator that turns the function that summarizes an export into its command.

    The name of the function is that of the command, its docstring the help.

    Args:
        export: the method of `Deck` to call for each deck.
        examples: command lines without `deckwright` before them.
        ending: that of the file of each deck, "" for a folder each, None for the folder of all.
    """

    def decorator(summarize: Callable[[M], list[str]]) -> click.Command:
        program = summarize.__name__

        @wraps(summarize)
        def run(
            decks: tuple[str, ...],
            game: Path,
            out: Path | None,
            quiet: bool,
            **options: Any,  # those of `export`
        ) -> None:
            opened = common.open_game(game)
            folder = opened.folder
            lists = folder.deck_files()  # decks of tables are no files, and go by their names
            names = decks or tuple(str(path) if is_file(path) else path.name for path in lists)
            if not names:
                raise click.UsageError(f"there is no deck list in {folder.decks_folder}")
            target = common.output_folder(common.default_output(folder) / program, out)
            targets = dict.fromkeys(names, target)
            if ending:
                place = "" if out else f"{program}/"
                files = {name: f"{place}{folder.deck_file(name).stem}{ending}" for name in names}
                targets = common.output_paths(files, folder, f"{out}/" if out else None)
            elif ending is not None:
                targets = {name: target / folder.deck_file(name).stem for name in names}
            common.export_each(
                targets,
                lambda name, path: export(opened.deck(name), path, **options),
                lambda name, _: f"{folder.deck_file(name).name} was not exported",
                lambda _, result: () if quiet else summarize(result),
            )

        options = combine_options(
            common.decks_argument,
            common.game_option,
            common.folder_option(f"out/{program}"),
            common.style_option,
            options_of(export, without=_OTHERS),
            common.limit_options,
            common.quiet_option,
        )
        return common.command(*examples)(options(run))

    return decorator


@common.command("export cockatrice", "export cockatrice army_HK_1 --pictures")
@common.decks_argument
@common.game_option
@common.style_option
@options_of(Game.export_cockatrice, without=_OTHERS)
@common.folder_option("out/cockatrice")
@common.limit_options
@common.quiet_option
def cockatrice(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Any,  # those of `Game.export_cockatrice`
) -> None:
    """Write cards and decks for Cockatrice, to play online.

    DECK is the name of a file in xml/Decks, or any path; without one, all decks of the game are
    written. Copy the contents of the output folder into Cockatrice's own folder, which is laid out
    the same way, and enable the new sets in the program.
    """
    opened = common.open_game(game)
    target = common.output_folder(common.default_output(opened.folder) / "cockatrice", out)
    exported, report = common.run_catching(
        lambda: opened.export_cockatrice(target, decks, **options)
    )
    common.show_and_count(report)
    if exported is not None and not quiet:
        rows = [
            ("cards", str(exported.cards)),
            ("tokens", str(exported.tokens or "")),
            ("decks", ", ".join(path.stem for path in exported.decks)),
            ("renamed", ", ".join(exported.renamed)),
            ("database", str(exported.database)),
            ("pictures", str(exported.pictures or "")),
        ]
        echo(*common.format_table(str(target), rows))
    common.exit_with_findings(report)


@deck_command(
    Deck.export_tts, "export tts army_HK_1", "export tts --url https://example.org/cards",
    ending=".json",
)  # fmt: skip
def tts(tabled: TabletopExport) -> list[str]:
    """Write decks as saved objects for Tabletop Simulator.

    There is a pile for each zone, and one for the tokens. DECK is the name of a file in xml/Decks,
    or any path; without one, all decks of the game are written. Copy the JSON and PNG files to
    `Saves/Saved Objects` in the program's folder.
    """
    rows = [(pile.name, pluralize(len(pile.cards), "card")) for pile in tabled.piles]
    sheets = ", ".join(
        f"{len(sheet.cards)} in {sheet.grid.columns} × {sheet.grid.rows}" for sheet in tabled.sheets
    )
    rows += [("sheets", f"{len(tabled.sheets)} ({sheets})"), ("file", str(tabled.path))]
    return common.format_table(tabled.name, rows)


@deck_command(
    Deck.export_tabletopia,
    "export tabletopia army_HK_1", "export tabletopia --dpi 300 --format png", ending="",
)  # fmt: skip
def tabletopia(cards: SingleCards) -> list[str]:
    """Write decks as single pictures for Tabletopia.

    Each pile is a folder, with a picture for each card and each back; `cards.csv` says how often
    the deck has each. DECK is the name of a file in xml/Decks, or any path; without one, all decks
    of the game are written.
    """
    rows = [
        (pile.name, f"{pluralize(pile.cards, 'card')}, {pluralize(pile.backs, 'back')}")
        for pile in cards.piles
    ]
    return common.format_table(cards.name, [*rows, ("folder", str(cards.path))])


@deck_command(
    Deck.export_playground,
    "export playground army_HK_1", "export playground --format jpg", ending="",
)  # fmt: skip
def playground(package: PlaygroundPackage) -> list[str]:
    """Write decks as packages for Tabletop Playground.

    A package is a folder with a stack of cards for each zone, and one for the tokens. DECK is the
    name of a file in xml/Decks, or any path; without one, all decks of the game are written. Copy
    the folders into `PersistentDownloadDir` or `Packages` of the program.
    """
    rows = [(stack.name, pluralize(len(stack.cells), "card")) for stack in package.stacks]
    return common.format_table(package.name, [*rows, ("package", str(package.path))])


@deck_command(
    Deck.export_sheets,
    "export sheet army_HK_1",
    "export sheet army_HK_1 --grid 10x7 --backs last --size 408x585 --format jpg",
    ending=None,
)
def sheet(sheets: PictureSheets) -> list[str]:
    """Write decks as card sheets: pictures with a grid of cards.

    They are for any virtual table that takes card sheets. A CSV file beside them says which card is
    in which cell. Without DECK, all decks of the game are written.
    """
    rows = []
    for sheet in sheets.sheets:
        grid, cards = sheet.grid, pluralize(len(sheet.cards), "card")
        cells = f"{grid.columns} × {grid.rows} of {grid.cell[0]} × {grid.cell[1]} pixels"
        rows.append((f"sheet {sheet.number}", f"{cards}, {cells}: {sheet.fronts.name}"))
    return common.format_table(sheets.name, [*rows, ("list", str(sheets.list_file))])


_order_options = combine_options(
    click.argument("decks", nargs=-1, required=True, metavar="DECK…"),
    common.game_option,
    common.folder_option("out/"),
    common.style_option,
    options_of(ServicePrint, without={"style", "watermark", *option_names(Limits)}),
    common.watermark_options,
    common.limit_options,
    common.quiet_option,
)
"""The options of commands that prepare decks for a print service."""


@common.command("export service local army_HK_1", "export service local army_HK_1 --check")
@click.argument("service_id", metavar="SERVICE")
@_order_options
def service(service_id: str, **options: Any) -> None:  # as _order_options says
    """Prepare decks for a print service of your own.

    SERVICE is the name of a profile in xml/services, without .xml. DECK is the name of a file in
    xml/Decks, or any path.
    """
    _export_order(service_id, **options)


def service_command(name: str, summary: str | None, profile: Mapping[str, str]) -> click.Command:
    """Return the command of a print service from the attributes of its bundled profile."""

    @_order_options
    def run(**options: Any) -> None:  # as _order_options says
        _export_order(name, **options)

    run.__name__ = name
    deck = "DECK is the name of a file in xml/Decks, or any path."
    run.__doc__ = f"{summary}\n\n{profile['about']} {deck}"
    options = (f"{name} army_HK_1 {option}" for option in profile["examples"].split("|"))
    return common.command(*(f"export {option}".rstrip() for option in options))(run)


def _export_order(
    service_id: str,
    *,
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Unpack[ServicePrint],
) -> None:
    opened = common.open_game(game)
    target = common.output_folder(common.default_output(opened.folder), out)
    service, order = resolve_order(opened.folder, service_id, options)

    def summarize(_: str, ordered: ServiceExport) -> list[str]:
        rows = []
        for part in ordered.parts:
            size = part.size
            of_size = f"{size.name} {size.width:g} × {size.height:g} mm"
            rows.append(("cards", f"{part.cards} ({part.different} different), {of_size}"))
            if not order.check:
                rows.append(("written to", str(part.path)))
                rows += [("backs", str(path)) for path in part.backs]
            if part.further and not order.check:
                pictures = pluralize(part.further, "picture")
                rows.append(("note", f"the folder also has {pictures} from another order"))
        rows += [
            ("inks", common.inks_row(part.inks, [path.name for path in part.masks]))
            for part in ordered.parts
            if part.inks
        ]
        rows += common.color_rows(service, ordered.profile, stated=order.stated)
        if order.check:
            rows.append(("written", "nothing, because of `--check`"))
        return [] if quiet else common.format_table(f"{ordered.title} for {service.name}", rows)

    common.export_each(
        dict.fromkeys(decks, target),
        lambda name, _: opened.deck(name).export_service(service.id, target, **options),
        lambda name, _: f"{opened.folder.deck_file(name).name} was not prepared",
        summarize,
        common.show,
    )
