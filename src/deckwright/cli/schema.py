"""`deckwright schema`: write the schemas of a game's files, for editors."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.game.setup import Setup
from deckwright.game.shapes import Known, known_of
from deckwright.xmlio.shape import Shape


@command("schema", "schema --game my-game")
@common.game_option
@common.folder_option("xml/schema")
def schema(game: Path, out: Path | None) -> None:
    """Write XML schemas for editors to complete and check against.

    The schemas of cards, rules and deck lists follow from game.xml and name the game's factions
    and rules; run this again when those change.
    """
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


def schemas(folder: GameFolder, setup: Setup) -> dict[str, bytes]:
    """Return the schema files of a game by name.

    They name no factions and rules if the files of these have mistakes.
    """
    from deckwright.game.load import load_game  # noqa: PLC0415 - keeps --help quick
    from deckwright.xmlio.schema import schema_bytes  # noqa: PLC0415 - keeps --help quick

    game = load_game(folder, setup, [], ())
    known = Known() if game.gaps.factions or game.gaps.rules else known_of(game)
    return {f"{name}.xsd": schema_bytes(shape) for name, shape in shapes_of(setup, known).items()}


def shapes_of(setup: Setup, known: Known = Known()) -> dict[str, Shape]:  # noqa: B008
    """Return the shapes of all files of a game by the name of their schema.

    Args:
        known: the ids that editors complete.
    """
    from deckwright.book.shape import rulebook_shape  # noqa: PLC0415
    from deckwright.game import shapes  # noqa: PLC0415 - keeps --help quick
    from deckwright.game.setup_shape import game_shape  # noqa: PLC0415
    from deckwright.outputs.services.profile import SHAPE as SERVICE  # noqa: PLC0415
    from deckwright.sheet.format import SHAPE  # noqa: PLC0415

    return {
        "game": game_shape(),
        "factions": shapes.factions_shape(setup),
        "rules": shapes.rules_shape(setup, known),
        "cards": shapes.cards_shape(setup, known),
        "deck": shapes.deck_shape(setup, known),
        "rulebook": rulebook_shape(),
        "sheet": SHAPE,
        "service": SERVICE,
    }
