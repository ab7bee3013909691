"""Begin a game with a table: show what its columns mean, then replace the files of a blank game.

This is only allowed while the game is as `deckwright new --like blank` made it, so nothing that a
person has written is lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from deckwright.api import Game
from deckwright.api.starting import start_from_table
from deckwright.base.files import files_below
from deckwright.base.findings import ChoiceError
from deckwright.base.output import OutputError
from deckwright.game.folder import TABLE_SUFFIXES, is_table
from deckwright.studio.answers import (
    FileWrite,
    FolderWriter,
    Json,
    LocalizedError,
    fingerprint_of,
    pick,
)
from deckwright.studio.described import is_blank, serialize_finding
from deckwright.studio.editing.pictures import decode_upload

_UNSAFE = re.compile(r"[^\w .()-]")
"""Characters that some file systems or XML files do not allow in names."""


def begin_with_table(game: Game, body: Json, writer: FolderWriter) -> Json:
    """Return the meaning of a table's columns; write the game if `body` has `write`.

    Args:
        body: the table's `name`, its `content` in base64, and `answers` to questions.

    Raises:
        ChoiceError: if the table has no cards, or the game is no longer blank.
        ConflictError: if a file of the game has just changed.
        OSError: if a file cannot be written.
    """
    writer.require_writable()
    if not is_blank(game.folder):
        message = "the game is no longer blank, so a table cannot replace it"
        raise LocalizedError("begin-not-blank", message=message, hint="use deckwright new --from")
    name, content = decode_upload(body)
    file = Path(_UNSAFE.sub("", name))
    if not is_table(file):
        known = ", ".join(TABLE_SUFFIXES)
        raise LocalizedError("begin-no-table", known, message=f"a table is a file with {known}")
    given = body.get("answers")
    answers = given if isinstance(given, dict) else {}
    questions: list[Json] = []

    def ask(question: str, choices: Sequence[str]) -> str | None:
        answer = answers.get(question, choices[0])
        chosen = answer if answer in choices else None
        questions.append({"question": question, "answers": [*choices], "chosen": chosen})
        return chosen

    with TemporaryDirectory() as temporary:
        made = Path(temporary) / "game"
        table = Path(temporary) / f"{file.stem.strip(' .') or 'cards'}{file.suffix.lower()}"
        table.write_bytes(content)
        try:
            started = start_from_table(made, table, game.model.setup.name, ask=ask)
        except OutputError as error:
            raise ChoiceError(error.findings[0].message, error.findings[0].hint) from error
        if body.get("write") is True:
            before = {path: writer.file_fingerprint(path) for path in game.folder.own_files()}
            files = {game.path / path.relative_to(made): path for path in files_below(made)}
            writer.write(
                {to: FileWrite(path.read_bytes(), before.get(to)) for to, path in files.items()}
            )
            for path in before.keys() - files.keys():
                writer.remove(path, fingerprint_of(path.read_bytes()))
        findings = [serialize_finding(each, made) for each in started.findings]
    columns = [
        {
            **pick(column, "title", "role", "reason", "type"),
            "field": column.name or None,
            "printed": column.name in started.printed_fields,
        }
        for column in started.columns
    ]
    about = pick(started, "factions", "remarks", "cards", "copies")
    return {"columns": columns, **about, "questions": questions, "findings": findings}
