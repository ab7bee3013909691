"""`deckwright export cockatrice`, `tts`, `tabletopia`, `playground` and `sheet`: virtual tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deckwright.api import Deck, Game, Limits
from deckwright.base.options import option_names
from deckwright.cli import common
from deckwright.cli.common import M
from deckwright.cli.options import combine_options, options_of
from deckwright.cli.terminal import command, echo
from deckwright.game.folder import GameFolder
from deckwright.outputs.tabletop.card_pictures import PictureSheets, SingleCards
from deckwright.outputs.tabletop.playground import PlaygroundPackage
from deckwright.outputs.tabletop.tabletop_simulator import TabletopExport

if TYPE_CHECKING:
    from deckwright.outputs.cockatrice import CockatriceExport

decks_options = combine_options(
    click.argument("decks", nargs=-1, metavar="[DECK…]"), common.game_option
)
_OTHERS = {"style", *option_names(Limits)}
"""The options that all exports share."""


def resolve_decks(folder: GameFolder, decks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the named decks, or all decks of the game.

    Raises:
        click.UsageError: if the game has no decks.
    """
    names = decks or tuple(str(path) for path in folder.deck_files())
    if not names:
        raise click.UsageError(f"there is no deck list in {folder.decks_folder}")
    return names


def _export_folders(
    game: Game,
    decks: tuple[str, ...],
    out: Path | None,
    program: str,
    export: Callable[[Deck, Path], M],
    summarize: Callable[[M], Iterable[str]],
) -> None:
    """Export each deck to a folder of its own, by default in `out/PROGRAM`."""
    folder = game.folder
    target = common.output_folder(folder.path / "out" / program, out)
    names = resolve_decks(folder, decks)
    common.export_each(
        {name: target / folder.deck_file(name).stem for name in names},
        lambda name, path: export(game.deck(name), path),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, result: summarize(result),
    )


@command("export cockatrice", "export cockatrice army_HK_1 --pictures")
@click.argument("decks", nargs=-1, metavar="[DECK…]")
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
    target = common.output_folder(opened.path / "out" / "cockatrice", out)
    exported, report = common.run_catching(
        lambda: opened.export_cockatrice(target, decks, **options)
    )
    common.show_and_count(report)
    if exported is not None and not quiet:
        echo(*_summarize_cockatrice(exported, target))
    common.exit_with_findings(report)


def _summarize_cockatrice(exported: CockatriceExport, target: Path) -> list[str]:
    """Summarize an export as a short table."""
    rows = [
        ("cards", str(exported.cards)),
        ("tokens", str(exported.tokens or "")),
        ("decks", ", ".join(path.stem for path in exported.decks)),
        ("renamed", ", ".join(exported.renamed)),
        ("database", str(exported.database)),
        ("pictures", str(exported.pictures or "")),
    ]
    return common.format_table(str(target), rows)


@command("export tts army_HK_1", "export tts --url https://example.org/cards")
@decks_options
@common.folder_option("out/tts")
@common.style_option
@options_of(Deck.export_tts, without=_OTHERS)
@common.limit_options
@common.quiet_option
def tts(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Any,  # those of `Deck.export_tts`
) -> None:
    """Write decks as saved objects for Tabletop Simulator.

    There is a pile for each zone, and one for the tokens. DECK is the name of a file in xml/Decks,
    or any path; without one, all decks of the game are written. Copy the JSON and PNG files to
    `Saves/Saved Objects` in the program's folder.
    """
    opened = common.open_game(game)
    folder = opened.folder
    names = resolve_decks(folder, decks)
    place = "" if out else "tts/"
    files = {name: f"{place}{folder.deck_file(name).stem}.json" for name in names}
    common.export_each(
        common.output_paths(files, folder, f"{out}/" if out else None),
        lambda name, path: opened.deck(name).export_tts(path, **options),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, tabled: () if quiet else _summarize_tts(tabled),
    )


def _summarize_tts(tabled: TabletopExport) -> list[str]:
    """Summarize an export as a short table."""
    rows = [(pile.name, common.counted(len(pile.cards), "card")) for pile in tabled.piles]
    sheets = ", ".join(
        f"{len(sheet.cards)} in {sheet.grid.columns} × {sheet.grid.rows}" for sheet in tabled.sheets
    )
    rows += [("sheets", f"{len(tabled.sheets)} ({sheets})"), ("file", str(tabled.path))]
    return common.format_table(tabled.name, rows)


@command("export tabletopia army_HK_1", "export tabletopia --dpi 300 --format png")
@decks_options
@common.folder_option("out/tabletopia")
@common.style_option
@options_of(Deck.export_tabletopia, without=_OTHERS)
@common.limit_options
@common.quiet_option
def tabletopia(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Any,  # those of `Deck.export_tabletopia`
) -> None:
    """Write decks as single pictures for Tabletopia.

    Each pile is a folder, with a picture for each card and each back; `cards.csv` says how often
    the deck has each. DECK is the name of a file in xml/Decks, or any path; without one, all decks
    of the game are written.
    """
    _export_folders(
        common.open_game(game),
        decks,
        out,
        "tabletopia",
        lambda deck, path: deck.export_tabletopia(path, **options),
        lambda result: () if quiet else _summarize_tabletopia(result),
    )


def _summarize_tabletopia(cards: SingleCards) -> list[str]:
    """Summarize an export as a short table."""
    rows = [
        (pile.name, f"{common.counted(pile.cards, 'card')}, {common.counted(pile.backs, 'back')}")
        for pile in cards.piles
    ]
    return common.format_table(cards.name, [*rows, ("folder", str(cards.path))])


@command("export playground army_HK_1", "export playground --format jpg")
@decks_options
@common.folder_option("out/playground")
@common.style_option
@options_of(Deck.export_playground, without=_OTHERS)
@common.limit_options
@common.quiet_option
def playground(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Any,  # those of `Deck.export_playground`
) -> None:
    """Write decks as packages for Tabletop Playground.

    A package is a folder with a stack of cards for each zone, and one for the tokens. DECK is the
    name of a file in xml/Decks, or any path; without one, all decks of the game are written. Copy
    the folders into `PersistentDownloadDir` or `Packages` of the program.
    """
    _export_folders(
        common.open_game(game),
        decks,
        out,
        "playground",
        lambda deck, path: deck.export_playground(path, **options),
        lambda result: () if quiet else _summarize_playground(result),
    )


def _summarize_playground(package: PlaygroundPackage) -> list[str]:
    """Summarize an export as a short table."""
    rows = [(stack.name, common.counted(len(stack.cells), "card")) for stack in package.stacks]
    return common.format_table(package.name, [*rows, ("package", str(package.path))])


@command(
    "export sheet army_HK_1",
    "export sheet army_HK_1 --grid 10x7 --backs last --size 408x585 --format jpg",
)
@decks_options
@common.folder_option("out/sheet")
@common.style_option
@options_of(Deck.export_sheets, without=_OTHERS)
@common.limit_options
@common.quiet_option
def sheet(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Any,  # those of `Deck.export_sheets`
) -> None:
    """Write decks as card sheets: pictures with a grid of cards.

    They are for any virtual table that takes card sheets. A CSV file beside them says which card is
    in which cell. Without DECK, all decks of the game are written.
    """
    opened = common.open_game(game)
    folder = opened.folder
    names = resolve_decks(folder, decks)
    target = common.output_folder(folder.path / "out" / "sheet", out)
    common.export_each(
        dict.fromkeys(names, target),
        lambda name, path: opened.deck(name).export_sheets(path, **options),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, made: () if quiet else _summarize_grids(made),
    )


def _summarize_grids(sheets: PictureSheets) -> list[str]:
    """Summarize an export as a short table."""
    rows = []
    for sheet in sheets.sheets:
        grid, cards = sheet.grid, common.counted(len(sheet.cards), "card")
        cells = f"{grid.columns} × {grid.rows} of {grid.cell[0]} × {grid.cell[1]} pixels"
        rows.append((f"sheet {sheet.number}", f"{cards}, {cells}: {sheet.fronts.name}"))
    return common.format_table(sheets.name, [*rows, ("list", str(sheets.list_file))])
