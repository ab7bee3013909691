"""`deckwright fmt`: write the XML files of a game in one canonical form."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import click

from deckwright.base.files import forbid_outward_links
from deckwright.base.findings import Report, import_all
from deckwright.base.output import OutputError, write_data
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder, find_game_folder, is_table
from deckwright.game.load import load_setup, resolve_files
from deckwright.xmlio.canonical import CanonicalForm, canonicalize
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Shape
from deckwright.xmlio.validate import S008

_TEMPLATE_ROOTS = ("face", "pages", "styles")
"""The root elements of files in templates/."""
_INLINE_ELEMENTS = {"rulebook": frozenset({"row"})}
"""The elements that are kept on one line with their contents, by the root elements of files."""


@common.command("fmt", "fmt --check --diff", "fmt --ids xml/Factions")
@click.argument("files", nargs=-1)
@common.game_option
@click.option("--ids", "naming", is_flag=True, help="Give ids to cards that have none.")
@click.option(
    "--check", "checking", is_flag=True, help="Change nothing; list the files that would change."
)
@click.option("--diff", "showing", is_flag=True, help="Change nothing; show what would change.")
def fmt(files: tuple[str, ...], game: Path, naming: bool, checking: bool, showing: bool) -> None:
    """Format the game's XML files, to keep diffs small.

    FILES are files of the game, folders of such files, or names of deck lists in xml/Decks. Without
    any, all files are formatted: UTF-8, one element per line, two spaces of indentation, attributes
    in the order of the schemas. Comments, blank lines, line endings and everything that prints stay
    as they are.
    """
    folder = common.open_folder(game)
    report: Report = []
    paths = resolve_files(folder, files, report) if files else folder.own_files()
    paths = [path for path in paths if not is_table(path)]
    homes = {path: find_game_folder(path) for path in paths}
    for path, home in homes.items():
        forbid_outward_links(home or path)
    games = {path: folder if home is None else GameFolder(home) for path, home in homes.items()}
    forms = {game: FileForms(game) for game in games.values()}
    ids = _assign_ids(games) if naming else {}
    changed = same = 0
    for path in paths:
        text = _format_file(path, forms[games[path]], ids.get(path.resolve(), ()), report)
        if text is None:
            continue
        if text.old == text.new and not text.recoded:
            same += 1
            continue
        if showing:
            echo(*_diff(path, text))
        elif checking:
            echo(path)
        else:
            try:
                write_data(path, text.new.replace("\n", text.end).encode())
            except OutputError as error:
                # The hint suggests another path, but this command writes files in place.
                report += [finding._replace(hint=None) for finding in error.findings]
                ids.pop(path.resolve(), None)
                continue
        changed += 1
    common.show(report)
    unordered = any(each.unordered for each in forms.values())
    if unordered:
        echo("attributes keep their order because game.xml has errors", err=True)
    would = checking or showing
    counted = pluralize(changed, "file")
    verb = "would change" if would else "changed"
    echo(f"{counted} {verb}, {same} already formatted", err=would)
    if naming and not ids:
        echo("every card has an id", err=would)
    elif naming:
        number = sum(map(len, ids.values()))
        counted, what = pluralize(number, "card"), "an id" if number == 1 else "ids"
        runs = (new[0] if len(new) == 1 else f"{new[0]} … {new[-1]}" for new in ids.values())
        echo(f"{counted} {'would get' if would else 'got'} {what}: {', '.join(runs)}", err=would)
    common.exit_with_findings(report, failed=unordered or (checking and changed > 0))


class FormattedFile(NamedTuple):
    """A file before and after formatting.

    Attributes:
        old: the decoded text with LF as line endings.
        new: the formatted text.
        end: its line ending: CRLF, CR or LF.
        recoded: whether its bytes differ from `old` in UTF-8 with this line ending.
    """

    old: str
    new: str
    end: str
    recoded: bool


def _assign_ids(games: Mapping[Path, GameFolder]) -> dict[Path, list[str]]:
    """Return ids for cards without one, by the resolved path of their file."""
    from deckwright.game.ids import assign_missing_ids  # only with the option

    by_game: dict[GameFolder, list[Path]] = {}
    for path, game in games.items():
        by_game.setdefault(game, []).append(path)
    ids_by_game = [assign_missing_ids(game, files) for game, files in by_game.items()]
    return {path: ids for files in ids_by_game for path, ids in files.items()}


class FileForms:
    """The canonical forms of a game's files.

    Attributes:
        unordered: whether a file was formatted whose shape depends on a game.xml with errors.
    """

    def __init__(self, folder: GameFolder) -> None:
        self._folder = folder
        self.unordered = False

    def form_of(self, path: Path, root: Node) -> CanonicalForm | None:
        """Return the form of a file, None if it is not a file of a game."""
        templates = self._folder.path / "templates"
        if root.tag in _TEMPLATE_ROOTS or path.resolve().is_relative_to(templates.resolve()):
            return self._template
        from deckwright.api.schemas import fixed_shapes  # keeps --help quick

        shape = fixed_shapes().get(root.tag)
        if shape is not None:
            return CanonicalForm(shape, lines=_INLINE_ELEMENTS.get(root.tag, frozenset()))
        if root.tag != "data":
            return None
        if self._shapes is None:
            self.unordered = True
            return CanonicalForm(None)
        folder, place = self._folder, path.resolve()
        kind = "deck"  # unknown files are mostly decks
        if place.parent == folder.cards_folder.resolve() or path.name.endswith("_cards.xml"):
            kind = "cards"
        elif place in {folder.factions_file.resolve(), folder.rules_file.resolve()}:
            kind = "rules" if path.name == folder.rules_file.name else "factions"
        elif place.parent == folder.restrictions_folder.resolve():
            kind = "restrictions"
        return CanonicalForm(self._shapes[kind])

    @cached_property
    def _template(self) -> CanonicalForm:
        from deckwright.templates import elements

        import_all(elements)
        kinds = elements.ELEMENTS.values()
        return CanonicalForm(texts=frozenset(kind.tag for kind in kinds if kind.holds_text))

    @cached_property
    def _shapes(self) -> dict[str, Shape] | None:
        from deckwright.api.schemas import build_shapes  # only for data

        setup = load_setup(self._folder, [])
        return None if setup is None else build_shapes(setup)


def _format_file(
    path: Path, forms: FileForms, ids: Sequence[str], report: Report
) -> FormattedFile | None:
    """Format a file, with new ids for cards without one; None after reporting errors."""
    root = load_document(path, report)
    if root is None:
        return None
    form = forms.form_of(path, root)
    if form is None:
        message = f"the root element is `{root.tag}`, which no file of a game can have"
        report.append(S008.at(root.source.at(), message, "is this the right file?"))
        return None
    old = new = root.source.document.text
    if ids:
        from deckwright.game.ids import insert_ids  # only with the option

        new = insert_ids(root, ids)
    data = path.read_bytes()
    ends = Counter(re.findall(rb"\r\n|\r|\n", data.replace(b"\0", b"")))  # as in UTF-16
    end = ends.most_common(1)[0][0].decode() if ends else "\n"
    recoded = data != old.replace("\n", end).encode()
    return FormattedFile(old, canonicalize(new, form), end, recoded)


def _diff(path: Path, text: FormattedFile) -> list[str]:
    """Return a unified diff, or a note if only the encoding or line endings change."""
    name = path.as_posix()
    if text.old == text.new:
        return [f"--- {name}", f"+++ {name}", "only the encoding or the line endings change"]
    # Lines end at LF alone.
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", each) for each in (text.old, text.new))
    diff = [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(before, after, name, name)
    ]
    return "".join(diff).removesuffix("\n").split("\n")
