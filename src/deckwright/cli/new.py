"""`deckwright new`: start a game from an example, a spreadsheet, or nothing."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from deckwright.base.files import path_exists
from deckwright.base.findings import known_hint
from deckwright.base.output import OutputError
from deckwright.base.strings import escape_text, quote_attribute
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.options import INPUT_FILE
from deckwright.cli.terminal import ExitCode, echo, with_hint
from deckwright.game.folder import PACKAGE, TABLE_SUFFIXES, GameFolder, is_game, is_table
from deckwright.game.load import load_setup

_COPIED_FOLDERS = ("xml", "img", "templates")
_REQUIRED_FOLDERS = ("img", "xml/Decks")
"""Folders that every new game has, even if they are empty."""
_DEFAULT = "starter"
_FACES = ("hero", "spell", "tarot", "euro", "playing", "quiz", "plain")
_REPOSITORY = f"{__name__}.repository"
"""The key in click's context for whether the game gets the files of a repository."""


def find_examples() -> dict[str, Path]:
    """Return the folders of the example games and the blank game by name."""
    packed = PACKAGE / "examples"
    folder = packed if packed.is_dir() else PACKAGE.parent.parent / "examples"
    folders = {path.name: path for path in sorted(folder.iterdir()) if is_game(path)}
    return {**folders, "blank": PACKAGE / "blank"}


@common.command(
    "new my-game", "new my-game --from cards.xlsx", 'new my-game --like blank --name "My Game"'
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--like", default=_DEFAULT, show_default=True, metavar="NAME", help="Copy "
              "duel, festival, mosaic, moths, orbit, starter, warlords or woodland; or blank.",
              )  # fmt: skip
@click.option("--repository", is_flag=True, expose_value=False,
              callback=lambda context, _, value: context.meta.update({_REPOSITORY: value}),
              help="Add the files of a repository: checks in CI and before commits, editors, dev "
              "container.")  # fmt: skip
@click.option("--from", "table", metavar="FILE", type=INPUT_FILE,
              help="Start from the cards in a spreadsheet (XLSX, ODS, CSV) or in JSON instead.",
              )  # fmt: skip
@click.option("--tab", metavar="NAME", help="With --from, the tab, or where the list is in JSON.")
@click.option("--titles", type=click.IntRange(0, 1000), metavar="ROW",
              help="With --from, the row of the column titles; 0 if there are none.")  # fmt: skip
@click.option("--face", type=click.Choice(_FACES), metavar="NAME",
              help=f"With --from, how cards look: {', '.join(_FACES)}.  [default: as suits the "
              "columns]")  # fmt: skip
@click.option("--name", help="The name of the game. The default is that of the folder.")
def new(
    folder: Path,
    like: str,
    table: Path | None,
    tab: str | None,
    titles: int | None,
    face: str | None,
    name: str | None,
) -> None:
    """Start a game of your own, from an example or from a spreadsheet.

    FOLDER must be new or empty.
    """
    known = find_examples()
    if like not in known:
        message = f"there is no example `{like}`"
        raise click.UsageError(with_hint(message, known_hint(like, known)))
    if name is not None and not (name.strip() and name.isprintable()):
        raise click.UsageError("the name of a game is one line of text, and not empty")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        example = f"{table.stem} --from {table}" if table else "my-game"
        raise click.UsageError(
            f"`{folder}` exists and is not an empty folder\n"
            f"  hint: name a new one: `deckwright new {example}`"
        )
    name = name or name_after(folder)
    with exit_unless_writable(folder):
        if table is not None:
            _create_from_table(folder, table, tab, titles, name, face)
            return
        copy_example(folder, like, name)
    what = "a blank game" if like == "blank" else f"a game like {like}"
    _print_next_steps(what, folder)


def name_after(folder: Path) -> str:
    """Return the name of a game in a folder: the folder's as a title, if it can be printed."""
    name = re.sub("[-_ ]+", " ", folder.resolve().name).strip()
    return name[:1].upper() + name[1:] if name and name.isprintable() else "My Game"


def is_interactive() -> bool:
    """Return whether somebody can answer questions at a terminal."""
    return sys.stdin.isatty()


@contextmanager
def exit_unless_writable(folder: Path) -> Iterator[None]:
    """Exit with a message if the block cannot read or write a file."""
    try:
        yield
    except OSError as error:
        echo(f"cannot write to `{folder}`: {error.strerror or error}", err=True)
        raise click.exceptions.Exit(ExitCode.FILES) from None


def copy_example(folder: Path, like: str, name: str) -> None:
    """Start a game as a copy of an example, or of the blank game."""
    source = find_examples()[like]
    for part in _COPIED_FOLDERS:
        if (source / part).is_dir():
            # Whoever begins is not told of translations of what is about to change.
            ignored = shutil.ignore_patterns("lang") if like == _DEFAULT else None
            shutil.copytree(source / part, folder / part, ignore=ignored)
    game = GameFolder(folder)
    old = _replace_attribute(game.game_file, r"<game\b[^>]*?\sname=", name)
    if path_exists(game.rulebook_file):
        _replace_attribute(game.rulebook_file, r"<rulebook\b[^>]*?\stitle=", name)
        text = game.rulebook_file.read_text(encoding="utf-8")
        parts = re.split(r"(<!--.*?-->|<[^>]*>)", text, flags=re.DOTALL)  # text and tags alternate
        old_name = re.compile(rf"\b{re.escape(old)}\b")
        parts[::2] = [old_name.sub(lambda _: escape_text(name), part) for part in parts[::2]]
        game.rulebook_file.write_text("".join(parts), encoding="utf-8")
    for path in game.catalogs().values():
        _rename_in_catalog(path, old, name)
    begun = "from nothing" if like == "blank" else f"as a copy of the example `{like}`"
    _complete(game, like, begun)


def _rename_in_catalog(path: Path, old: str, name: str) -> None:
    """Give a game its new name, which no translation has, in a catalog."""
    from deckwright.languages.catalog import format_catalog, parse_for_writing

    catalog = parse_for_writing(path, path.read_bytes())
    for entry in catalog:
        if entry.msgid == old:
            entry.msgid = entry.msgstr = name
            entry.flags.append("identical")
    path.write_bytes(format_catalog(catalog))


def _create_from_table(
    folder: Path, table: Path, tab: str | None, titles: int | None, name: str, face: str | None
) -> None:
    """Start a game from a table, and print how its columns are interpreted."""
    from deckwright.api.starting import start_from_table  # imports much

    if not is_table(table):
        raise click.UsageError(f"`{table.name}` is no table: name a file that ends in "
                               f"{', '.join(TABLE_SUFFIXES)}")  # fmt: skip
    ask = _ask if is_interactive() else None
    try:
        game = start_from_table(folder, table, name, tab=tab, titles=titles, ask=ask, face=face)
    except OutputError as error:
        common.show([*error.findings])
        echo(f"{common.describe_totals([*error.findings])}, no game was made", err=True)
        common.exit_with_findings(error.findings, failed=True)
    _complete(GameFolder(folder), table.name, f"with the cards in {table.name}")
    for column in game.columns:
        if column.role == "note":
            echo(f"{column.title}: left out, {column.reason}")
        elif column.role != "field":
            more = f", {', '.join(game.factions)}" if column.role == "faction_id" else ""
            echo(f"{column.title}: {column.role}{more}")
        else:
            article = "an" if column.type[0] in "aei" else "a"
            more = "" if column.name in game.printed_fields else ", not on the card"
            echo(f"{column.title}: {column.name}, {article} {column.type}{more}")
    echo(f"face: {game.face}")
    echo(*game.remarks)
    cards, copies = pluralize(game.cards, "card"), pluralize(game.copies, "copy", "copies")
    echo(f"{cards}, {copies}, language: {game.language} (change it in xml/game.xml)")
    common.show(game.findings)
    _print_next_steps(f"a game with the cards in {table.name}", folder)


def _ask(question: str, answers: Sequence[str]) -> str | None:
    """Ask for one of several answers; the first is the default."""
    for number, answer in enumerate(answers, 1):
        echo(f"  {number}  {answer}")
    numbers = click.IntRange(0, len(answers))
    chosen = click.prompt(f"{question} (0: none of them)", type=numbers, default=1)
    return answers[chosen - 1] if chosen else None


def _print_next_steps(what: str, folder: Path) -> None:
    if click.get_current_context().meta[_REPOSITORY]:
        shutil.copytree(PACKAGE / "repository", folder, dirs_exist_ok=True)
    echo(f"{what} is in {folder}; next, try")
    for line in (f"cd {folder}", "deckwright check", "deckwright proof", "deckwright build"):
        echo(f"  {line}")


def _replace_attribute(file: Path, before: str, value: str) -> str:
    """Replace the attribute value after a pattern; return the old value as written."""
    text = file.read_text(encoding="utf-8")
    match = re.search(rf"({before})(\"[^\"]*\"|'[^']*')", text)
    assert match is not None
    changed = text[: match.end(1)] + quote_attribute(value) + text[match.end() :]
    file.write_text(changed, encoding="utf-8")
    return match[2][1:-1]


_FILE_DESCRIPTIONS = {
    "xml/game.xml": "what the game is made of: kinds of cards, their fields, deck limits, fonts",
    "xml/factions_definition.xml": "the sides: names, races and colors",
    "xml/Factions": "the cards of each side, in a file named after its id",
    "xml/rules.xml": "the special rules of the cards, and the tokens that rules create",
    "xml/Decks": "the deck lists, one file for each deck",
    "xml/rulebook.xml": "the rulebook",
    "xml/lang": "the translations, one file for each language",
    "xml/sheets": "the game's own sheet formats",
    "templates": "what cards, backs and pages look like",
    "img": "pictures: PNG, JPEG or SVG",
}
"""The contents of a game's files and folders."""


def _complete(folder: GameFolder, like: str, begun: str) -> None:
    """Add the folders that every game has, and a README that says how the game was begun."""
    for part in _REQUIRED_FOLDERS:
        (folder.path / part).mkdir(parents=True, exist_ok=True)
    setup = load_setup(folder, [])
    there = (file for file in _FILE_DESCRIPTIONS if path_exists(folder.path / file))
    readme = Path(__file__).with_name("new_readme.md").read_text(encoding="utf-8")
    text = readme.format(
        name=setup.name if setup else folder.path.name,
        begun=begun,
        deck=next((path.stem for path in folder.deck_files()), "my-deck"),
        rows="\n".join(f"| `{file}` | {_FILE_DESCRIPTIONS[file]} |" for file in there),
        first="Add" if like == "blank" else "Change",
    )
    (folder.path / "README.md").write_text(text, encoding="utf-8")
