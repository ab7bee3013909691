"""`deckwright fmt`: write the XML files of a game in one canonical form."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import click

from deckwright.base.files import forbid_outward_links
from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.terminal import command, echo
from deckwright.game.folder import GameFolder, find_game_folder, is_table
from deckwright.game.load import load_setup, resolve_files
from deckwright.xmlio.canonical import CanonicalForm, canonicalize
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Shape
from deckwright.xmlio.validate import S008

_TEMPLATE_ROOTS = ("face", "pages", "styles")
"""The root elements of what stands in templates/."""
_INLINE_ELEMENTS = {"rulebook": frozenset({"row"})}
"""The elements that stand on one line with what is in them, by the root elements of files."""


@command("fmt", "fmt --check --diff", "fmt --ids xml/Factions")
@click.argument("files", nargs=-1)
@common.game_option
@click.option("--ids", "naming", is_flag=True, help="Give ids to cards that have none.")
@click.option(
    "--check", "checking", is_flag=True, help="Change nothing; list the files that would change."
)
@click.option("--diff", "showing", is_flag=True, help="Change nothing; show what would change.")
def fmt(files: tuple[str, ...], game: Path, naming: bool, checking: bool, showing: bool) -> None:
    """Format the game's XML files, so that diffs stay small.

    FILES are files of the game, folders of such files, or names of deck lists in xml/Decks.
    Without any, all files are formatted: UTF-8, one element per line, two spaces of indentation,
    attributes in the order of the schemas. Comments, blank lines, line endings and everything that
    prints stay as they are.
    """
    folder = common.open_folder(game)
    report: Report = []
    games = FormsByGame(folder)
    paths = resolve_files(folder, files, report) if files else folder.own_files()
    paths = [path for path in paths if not is_table(path)]
    for path in paths:
        forbid_outward_links(find_game_folder(path) or path)
    ids = games.missing_ids(paths) if naming else {}
    changed = same = 0
    for path in paths:
        text = _format_file(path, games, ids.get(path.resolve(), ()), report)
        if text is None:
            continue
        if text.old == text.new and not text.recoded:
            same += 1
            continue
        if showing:
            echo(*_diff(path, text))
        elif checking:
            echo(path)
        elif not _write(path, text, report):
            ids.pop(path.resolve(), None)
            continue
        changed += 1
    common.show(report)
    if games.unordered:
        echo("attributes keep their order because game.xml has errors", err=True)
    would = checking or showing
    counted = common.counted(changed, "file")
    verb = "would change" if would else "changed"
    echo(f"{counted} {verb}, {same} already formatted", err=would)
    if naming:
        echo(_describe_ids(ids, would=would), err=would)
    common.exit_with_findings(report, failed=games.unordered or (checking and changed > 0))


def _describe_ids(ids: Mapping[Path, list[str]], *, would: bool) -> str:
    """Return in words which ids cards have got, by file from the first to the last."""
    if not ids:
        return "every card has an id"
    number = sum(map(len, ids.values()))
    counted, what = common.counted(number, "card"), "an id" if number == 1 else "ids"
    runs = (new[0] if len(new) == 1 else f"{new[0]} … {new[-1]}" for new in ids.values())
    return f"{counted} {'would get' if would else 'got'} {what}: {', '.join(runs)}"


class FormattedFile(NamedTuple):
    """A file before and after.

    Attributes:
        old: what it holds, decoded, with LF as line ends.
        new: the same in its canonical form.
        end: how its lines end: CRLF, CR or LF.
        recoded: whether its bytes differ from `old` in UTF-8 with these line ends.
    """

    old: str
    new: str
    end: str
    recoded: bool


class FormsByGame:
    """The games that files belong to."""

    def __init__(self, folder: GameFolder) -> None:
        """Take the folder of the game for files that are in none."""
        self._folder = folder
        self._forms: dict[GameFolder, FileForms] = {}

    def forms(self, path: Path) -> FileForms:
        """Return the forms of the game that a file belongs to."""
        home = self._of(path)
        if home not in self._forms:
            self._forms[home] = FileForms(home)
        return self._forms[home]

    @property
    def unordered(self) -> bool:
        """Whether any game's faulty game.xml left attributes without an order."""
        return any(forms.unordered for forms in self._forms.values())

    def missing_ids(self, paths: Iterable[Path]) -> dict[Path, list[str]]:
        """Return the ids for cards that have none, by the resolved file."""
        from deckwright.game.ids import assign_missing_ids  # noqa: PLC0415 - only with the option

        by_game: dict[GameFolder, list[Path]] = {}
        for path in paths:
            by_game.setdefault(self._of(path), []).append(path)
        found = [assign_missing_ids(game, files) for game, files in by_game.items()]
        return {path: ids for files in found for path, ids in files.items()}

    def _of(self, path: Path) -> GameFolder:
        home = find_game_folder(path)
        return self._folder if home is None else GameFolder(home)


class FileForms:
    """Knows what the files of a game are, and what their elements look like."""

    def __init__(self, folder: GameFolder) -> None:
        """Take a game's folder.

        Attributes:
            unordered: whether a file was asked for whose shape follows from a faulty game.xml.
        """
        self._folder = folder
        self.unordered = False

    def of(self, path: Path, root: Node) -> CanonicalForm | None:
        """Return the form of a file, None if no file of a game is like it."""
        templates = self._folder.path / "templates"
        if root.tag in _TEMPLATE_ROOTS or path.resolve().is_relative_to(templates.resolve()):
            return self._template
        from deckwright.api.checking import fixed_shapes  # noqa: PLC0415 - keeps --help quick

        shape = fixed_shapes().get(root.tag)
        if shape is not None:
            return CanonicalForm(shape, lines=_INLINE_ELEMENTS.get(root.tag, frozenset()))
        return CanonicalForm(self._shape(self._kind(path))) if root.tag == "data" else None

    @cached_property
    def _template(self) -> CanonicalForm:
        from deckwright.base.findings import import_all  # noqa: PLC0415 - only for templates
        from deckwright.templates import elements  # noqa: PLC0415

        import_all(elements)
        kinds = elements.ELEMENTS.values()
        return CanonicalForm(texts=frozenset(kind.tag for kind in kinds if kind.holds_text))

    def _kind(self, path: Path) -> str:
        """Return the schema's name for a file whose root is `data`; most stray ones are decks."""
        folder, place = self._folder, path.resolve()
        if place.parent == folder.cards_folder.resolve() or path.name.endswith("_cards.xml"):
            return "cards"
        if place in {folder.factions_file.resolve(), folder.rules_file.resolve()}:
            return "rules" if path.name == folder.rules_file.name else "factions"
        if place.parent == folder.restrictions_folder.resolve():
            return "restrictions"
        return "deck"

    def _shape(self, kind: str) -> Shape | None:
        if self._shapes is None:
            self.unordered = True
            return None
        return self._shapes[kind]

    @cached_property
    def _shapes(self) -> dict[str, Shape] | None:
        from deckwright.api.checking import build_shapes  # noqa: PLC0415 - only for data

        setup = load_setup(self._folder, [])
        return None if setup is None else build_shapes(setup)


def _format_file(
    path: Path, games: FormsByGame, ids: Sequence[str], report: Report
) -> FormattedFile | None:
    """Return a file's text and its form, None after reporting why it has none.

    Args:
        ids: those that cards without one are to have.
    """
    root = load_document(path, report)
    if root is None:
        return None
    form = games.forms(path).of(path, root)
    if form is None:
        message = f"the root element is `{root.tag}`, which no file of a game has"
        report.append(S008.at(root.source.at(), message, "is this the right file?"))
        return None
    old = new = root.source.document.text
    if ids:
        from deckwright.game.ids import insert_ids  # noqa: PLC0415 - only with the option

        new = insert_ids(root, ids)
    data = path.read_bytes()
    end = _line_end(data)
    recoded = data != old.replace("\n", end).encode()
    return FormattedFile(old, canonicalize(new, form), end, recoded)


def _line_end(data: bytes) -> str:
    """Return what most lines of a file end with, LF if it has one line."""
    ends = Counter(re.findall(rb"\r\n|\r|\n", data.replace(b"\0", b"")))  # as in UTF-16
    return ends.most_common(1)[0][0].decode() if ends else "\n"


def _write(path: Path, text: FormattedFile, report: Report) -> bool:
    """Write a file; return whether it could be written."""
    mine: Report = []
    data = text.new.replace("\n", text.end).encode()
    written = write_data(path, data, mine)
    # The hint is to name another place, which this command does not know.
    report.extend(finding._replace(hint=None) for finding in mine)
    return written


def _diff(path: Path, text: FormattedFile) -> list[str]:
    """Return what changes in a file, as a unified diff, or as a word if no line does."""
    name = path.as_posix()
    if text.old == text.new:
        return [f"--- {name}", f"+++ {name}", "only the encoding or the line endings change"]
    diff = difflib.unified_diff(_split_lines(text.old), _split_lines(text.new), name, name)
    return "".join(_terminate_lines(diff)).removesuffix("\n").split("\n")


def _terminate_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a diff, with what `diff` says of a last line that does not end."""
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _split_lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; only LF ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
