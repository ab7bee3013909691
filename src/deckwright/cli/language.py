"""`deckwright language`: translate a game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import click

from deckwright.base.findings import ChoiceError, Severity, known_hint
from deckwright.base.output import write_data
from deckwright.base.strings import printable_path
from deckwright.cli import common
from deckwright.cli.options import INPUT_FILE
from deckwright.cli.terminal import CommandGroup, echo
from deckwright.game.folder import GameFolder

_CODE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")


@click.group(cls=CommandGroup)
def language() -> None:
    """Translate a game: a file a language, for Poedit and Weblate."""


def _find_catalogs(folder: GameFolder, codes: Iterable[str]) -> dict[str, Path]:
    """Return the catalogs of languages, all of them if none is named."""
    catalogs = folder.catalogs()
    for code in codes:
        if code not in catalogs:
            hint = known_hint(code, catalogs) or f"`deckwright language add {code}` begins it"
            raise ChoiceError(f"the game has no language `{code}`", hint)
    if not catalogs:
        raise ChoiceError(
            "the game has no languages yet", "`deckwright language add fr` begins one"
        )
    return {code: catalogs[code] for code in (*codes,) or catalogs}


@common.command("language add fr", "language add pt-BR ja")
@click.argument("codes", nargs=-1, metavar="CODE…", required=True)
@common.game_option
def add(codes: tuple[str, ...], game: Path) -> None:
    """Begin the catalog of a language, such as fr or pt-BR, with all texts of the game.

    Translate xml/lang/CODE.po with any editor for PO files, and print with `--language CODE`.
    """
    folder = common.open_folder(game)
    for code in codes:
        path = folder.languages_folder / f"{code}.po"
        if not _CODE.fullmatch(code):
            raise ChoiceError(f"`{code}` is no code of a language", "write it as fr, ja or pt-BR")
        if path.exists():
            hint = f"`deckwright language update {code}` brings it up to date"
            raise ChoiceError(f"the game has the language `{code}` already", hint)
    _update({code: folder.languages_folder / f"{code}.po" for code in codes}, folder)


@common.command("language update", "language update fr --lengths")
@click.argument("codes", nargs=-1, metavar="[CODE…]")
@common.game_option
@click.option("--lengths", is_flag=True, help="Also tell how long texts can be (max-length), by "
              "laying out all faces.")  # fmt: skip
def update(codes: tuple[str, ...], game: Path, *, lengths: bool) -> None:
    """Bring catalogs up to date with the texts of the game.

    Where a text has changed, its translation is kept as fuzzy, with the former text. Nothing is
    lost: the translations of texts that are gone remain as comments.
    """
    folder = common.open_folder(game)
    _update(_find_catalogs(folder, codes), folder, lengths=lengths)


def _update(paths: dict[str, Path], folder: GameFolder, *, lengths: bool = False) -> None:
    from deckwright.languages.updating import measure_lengths, update_catalog  # only here

    known = measure_lengths(folder) if lengths else None
    for code, path in paths.items():
        counts = update_catalog(folder, path, known)
        numbers = {
            "texts": str(counts.texts),
            "translated": str(counts.texts - counts.fuzzy - counts.missing),
            "fuzzy": str(counts.fuzzy or ""),
            "new": str(counts.added or ""),
            "changed": str(counts.changed or ""),
            "gone": str(counts.removed or ""),
            "file": printable_path(path),
        }
        echo(*common.format_table(f"language {code}", numbers.items()))


@common.command("language check", "language check fr --complete")
@click.argument("codes", nargs=-1, metavar="[CODE…]")
@common.game_option
@click.option("--complete", is_flag=True, help="A text without a translation is an error.")
def check(codes: tuple[str, ...], game: Path, *, complete: bool) -> None:
    """Check catalogs: numbers, symbols and markup, and whether translations fit where they stand.

    Findings are at the lines of the catalogs.
    """
    folder = common.open_folder(game)
    chosen = _find_catalogs(folder, codes)
    checked = common.open_game(game).inspect(languages=[*chosen])
    report = [
        each._replace(given_severity=Severity.ERROR)
        if complete and each.code.id == "P003"
        else each
        for each in checked.findings
        if each.location and each.location.path in chosen.values()
    ]
    common.show_and_count(report)
    if not report:
        echo("no problems found")
    common.exit_with_findings(report)


@common.command("language export fr", "language export fr --out fr.csv")
@click.argument("code")
@common.game_option
@click.option("--out", "-o", help="The .xlsx or .csv file to write, or a folder for it. The "
              "default is out/CODE.xlsx in the game.")  # fmt: skip
def export(code: str, game: Path, out: str | None) -> None:
    """Write a catalog as a spreadsheet, for translators who prefer one."""
    from deckwright.languages.sheets import make_table

    folder = common.open_folder(game)
    table = make_table(_find_catalogs(folder, [code])[code])
    target = common.output_path(f"{code}.xlsx", folder, out)
    if target.suffix == ".csv":
        from deckwright.grids.csv import write_csv

        data = write_csv(table, ",", bom=True)
    else:
        from deckwright.grids.xlsx import write_xlsx  # only for workbooks

        data = write_xlsx([table], "", code, "")
    write_data(target, data)
    echo(f"{len(table.rows)} texts in {printable_path(target)}")


@common.command("language import fr cards.xlsx", "language import fr club.csv")
@click.argument("code")
@click.argument("sheet", type=INPUT_FILE)
@common.game_option
def import_(code: str, sheet: Path, game: Path) -> None:
    """Bring the translations of a spreadsheet back into a catalog.

    Rows are found by context and source; their order does not matter.
    """
    from deckwright.languages.sheets import import_sheet

    counts = import_sheet(sheet, _find_catalogs(common.open_folder(game), [code])[code])
    echo(f"{counts.changed} translations changed, {counts.same} the same")


import_.name = "import"
for _command in (add, update, check, export, import_):
    language.add_command(_command)
