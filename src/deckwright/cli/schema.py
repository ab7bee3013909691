"""`deckwright schema`: write the schemas of a game's files, for editors."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.load import load_setup


@command("schema", "schema --game my-game")
@common.game_option
@common.folder_option("xml/schema")
def schema(game: Path, out: Path | None) -> None:
    """Write XML schemas for editors to complete and check against.

    The schemas of cards, rules and deck lists follow from game.xml and name the game's factions
    and rules; run this again when those change.
    """
    from deckwright.api.schemas import schemas  # noqa: PLC0415 - keeps --help quick

    folder = common.open_folder(game)
    report: Report = []
    setup = load_setup(folder, report)
    if setup is not None:
        target = common.target_folder(folder.xml / "schema", out)
        written = schemas(folder, setup)
        for name, data in written.items():
            write_data(target / name, data, report)
        if not report:
            echo(f"{len(written)} schemas are in {target}")
    common.show(report)
    common.leave(report)
