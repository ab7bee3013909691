"""The shapes of all files of a game, and the schemas that editors have of them."""

from __future__ import annotations

from deckwright.book.shape import rulebook_shape
from deckwright.game import shapes
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game
from deckwright.game.setup import Setup
from deckwright.game.setup_shape import game_shape
from deckwright.game.shapes import Known, known_of
from deckwright.outputs.cutters.profile import SHAPE as CUTTER
from deckwright.outputs.services.profile import SHAPE as SERVICE
from deckwright.sheet.format import SHAPE as SHEET
from deckwright.xmlio.schema import schema_bytes
from deckwright.xmlio.shape import Shape


def schemas(folder: GameFolder, setup: Setup) -> dict[str, bytes]:
    """Return the schema files of a game by name.

    They name no factions and rules if the files of these have mistakes.
    """
    game = load_game(folder, setup, [], ())
    known = Known() if game.gaps.factions or game.gaps.rules else known_of(game)
    return {f"{name}.xsd": schema_bytes(shape) for name, shape in shapes_of(setup, known).items()}


def shapes_of(setup: Setup, known: Known = Known()) -> dict[str, Shape]:  # noqa: B008 - it does not change
    """Return the shapes of all files of a game by the name of their schema.

    Args:
        known: the ids that editors complete.
    """
    return {
        **fixed_shapes(),
        "factions": shapes.factions_shape(setup),
        "rules": shapes.rules_shape(setup, known),
        "cards": shapes.cards_shape(setup, known),
        "deck": shapes.deck_shape(setup, known),
        "restrictions": shapes.restrictions_shape(known),
    }


def fixed_shapes() -> dict[str, Shape]:
    """Return the shapes of files that are the same in all games, by their root elements."""
    return {
        "game": game_shape(),
        "rulebook": rulebook_shape(),
        "sheet": SHEET,
        "service": SERVICE,
        "cutter": CUTTER,
    }
