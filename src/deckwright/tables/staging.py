"""Check the game that changed files would make, before any file is written."""

from __future__ import annotations

import shutil
import tempfile
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from deckwright.base.files import files_below, is_file
from deckwright.base.findings import Diagnostic, Location, Report, Severity
from deckwright.base.severity import Grading
from deckwright.checking.stages import check
from deckwright.checks.loading import Rules
from deckwright.game.folder import GameFolder
from deckwright.game.sources import is_table
from deckwright.grids.table import Cell
from deckwright.tables.apply import Applied, Blame
from deckwright.xmlio.node import Document
from deckwright.xmlio.xml_text import XmlFile


def check_staged(folder: GameFolder, applied: Sequence[Applied], rules: Rules) -> Report:
    """Return what is wrong with the game that changed files make, at the cells that are to blame.

    Warnings are left out where no cell is: they are those of `deckwright check`.
    """
    found: Report = []
    with tempfile.TemporaryDirectory(prefix="deckwright-") as name:
        staged = _Staged(folder.path)
        staged.place = Path(name).resolve() / "xml"
        for path in files_below(folder.xml):
            if is_file(path) and (path.suffix == ".xml" or is_table(path)):
                copy = staged.place / path.relative_to(folder.xml)
                copy.parent.mkdir(parents=True, exist_ok=True)
                # A link stays one, so that it is no way out of the game's folder.
                shutil.copyfile(path, copy, follow_symlinks=False)
        places: dict[Location, Cell] = {}
        for file, _ in applied:
            path = staged.place / file.path.relative_to(folder.xml)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.write_bytes(file.bytes())
        checked = check(staged, None, rules, found)
        wanted = {finding.location for finding in found if finding.location is not None}
        for file, blames in applied:
            path = staged.place / file.path.relative_to(folder.xml)
            places |= _places(file, path, blames, wanted)
        graded = Grading(severities=checked.severities).graded(found)
        return [
            at_home
            for finding in graded
            if (at_home := _at_home(finding, places, staged.place, folder.xml)) is not None
        ]


def _at_home(
    finding: Diagnostic, places: Mapping[Location, Cell], staged: Path, xml: Path
) -> Diagnostic | None:
    """Return a finding about a copy at the cell that is to blame, or at the copied file."""
    place = finding.location
    if place is None:
        return finding
    if cell := places.get(place):
        message = f"{cell.said}{finding.message}"
        return finding._replace(location=cell.place, message=message)
    if finding.severity is not Severity.ERROR:
        return None
    if place.path.is_relative_to(staged):
        place = place._replace(path=xml / place.path.relative_to(staged))
    return finding._replace(location=place)


def _places(
    file: XmlFile, path: Path, blames: Iterable[Blame], wanted: Iterable[Location]
) -> dict[Location, Cell]:
    """Return the cells that are to blame for what stands at some places in a changed file.

    Args:
        file: the changed file.
        path: where a copy of it stands.
        blames: the first of several for one element counts.
        wanted: the places; those in other files are passed over.
    """
    spots = {(at.line, at.column) for at in wanted if at.path == path and at.line}
    if not spots:
        return {}
    text = str(file.document).replace("\r\n", "\n").replace("\r", "\n")
    document = Document(path, text)
    starts = [(line, column) for line, column, _ in document.starts()]
    # Only the elements that the places stand in are looked at: a file may have 20,000 others.
    inside = {bisect_right(starts, (line or 0, column or 0)) - 1 for line, column in spots}
    elements = list(file.document.walk())[1:]
    ordinals = {id(elements[ordinal]): ordinal for ordinal in inside if ordinal >= 0}
    known = [blame for blame in blames if id(blame.element) in ordinals]
    places: dict[Location, Cell] = {}
    for blame in known:
        places.setdefault(document.locate(ordinals[id(blame.element)]), blame.cell)
    for blame in known:
        for name in blame.attributes:
            place = document.locate(ordinals[id(blame.element)], name)
            # The place of an attribute that is not there is its element's.
            if place != document.locate(ordinals[id(blame.element)]):
                places[place] = blame.cell
    return places


class _Staged(GameFolder):
    """A game folder whose XML files are copies in another place."""

    place: Path

    @property
    def xml(self) -> Path:
        """The folder of the copies."""
        return self.place
