"""Start a game from a table: guess, write, draw each card once, adapt the face until all fit."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckwright.api.game import open_game
from deckwright.base.extras import install_command
from deckwright.base.files import write_bytes
from deckwright.base.findings import Diagnostic, format_names, is_error
from deckwright.game.folder import AMOUNT
from deckwright.tables.begin import FAMILIES, NewGame, layouts_of
from deckwright.tables.choosing import FACES, choose_face, find_slots
from deckwright.tables.guessing import Ask, Guess, guess_table
from deckwright.text.fonts import find_fallbacks

_LAYOUT_CODES = frozenset({"L001"})
"""The codes of texts that do not fit; another layout may help."""

_MAX_LETTERS = 12
"""The most characters without a font that are listed."""


class StartedGame(NamedTuple):
    """A game that was started from a table.

    Attributes:
        columns: the table's columns and what they hold.
        printed_fields: the names of the fields that faces show.
        face: the name of the face, and why it is that one.
        remarks: what else there is to know, in sentences.
        language: the language of its texts.
        findings: the errors that a check still finds.
    """

    columns: list[Guess]
    printed_fields: set[str]
    face: str
    factions: list[str]
    remarks: list[str]
    language: str
    cards: int
    copies: int
    findings: list[Diagnostic]


def start_from_table(
    folder: Path,
    table: Path,
    name: str,
    *,
    tab: str | None = None,
    titles: int | None = None,
    ask: Ask | None = None,
    face: str | None = None,
) -> StartedGame:
    """Write a game with the cards in a table.

    Args:
        name: the name of the game.
        tab: the tab of a workbook, or the path of the list in JSON; None for the likeliest.
        titles: the number of the row with the titles, 0 for none; None to find it.
        ask: asks what is unclear; None to take the likeliest.
        face: the name of the face; None for the one that suits the columns.

    Raises:
        OutputError: if the table cannot be read, or holds no cards.
        OSError: if a file cannot be written.
    """
    guess = guess_table(table, tab, titles, ask)
    game = NewGame(table, guess, name)
    write_bytes(folder / "xml" / "Factions" / table.name, table.read_bytes())
    texts = (text for column in guess.columns for text in (column.title, *column.values))
    suited, columns = choose_face(find_slots(guess))
    wanted = FACES[face] if face else suited
    families = filter(None, (*FAMILIES, wanted.display))
    fallback, lacking = find_fallbacks("".join(texts) + name, families, guess.language)
    game.fallback = tuple(fallback)
    for layout in layouts_of(wanted):  # the first one that all cards fit, else the last
        for path in (folder / "templates").glob("*.xml"):
            path.unlink()
        for place, text in game.files(layout).items():
            write_bytes(folder / place, text.encode())
        errors = [finding for finding in open_game(folder).check() if is_error(finding)]
        if not any(finding.code.id in _LAYOUT_CODES for finding in errors):
            break
    why = f"for {format_names([column.title for column in columns])}; `--face` chooses another one"
    if face or not columns:
        why = "as you say" if face else "since no other one suits the columns"
    if layout.face is not wanted:
        why = f"since the texts do not fit the face {wanted.name}"
    remarks = [*guess.remarks]
    if layout.width != layout.face.width:
        remarks.append(f"The cards are {layout.width} x {layout.height} mm, so that the texts fit.")
    if layout.characters:
        remarks.append(
            f"Texts are cut after {layout.characters} characters; see templates/card.xml."
        )
    if lacking:
        listed = f"{lacking[:_MAX_LETTERS]}{'…' if len(lacking) > _MAX_LETTERS else ''}"
        remarks.append(
            f"No font here has {listed}: install more with `{install_command('fonts')}`, or "
            'copy one into templates/ and add it to game.xml as `<font id="more" regular="…"/>`.'
        )
    names, amounts = guess.column_of("name"), guess.column_of(AMOUNT)
    cards = len(names.cells) if names else 0
    numbered = 0 if amounts is None else len(amounts.values)
    return StartedGame(
        columns=guess.columns,
        printed_fields=game.printed_fields(layout),
        face=f"{layout.face.name}, {why}",
        factions=[faction.name for faction in game.factions],
        remarks=remarks,
        language=guess.language or "en",
        cards=cards,
        copies=cards - numbered + int(sum(amounts.numbers if amounts else ())),
        findings=errors,
    )
