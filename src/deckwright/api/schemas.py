"""The shapes of all files of a game, and the XML schemas that editors use."""

from __future__ import annotations

from deckwright.book.shape import rulebook_shape
from deckwright.game import shapes
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_game
from deckwright.game.setup import Setup, game_shape
from deckwright.game.shapes import KnownIds, collect_known_ids
from deckwright.outputs.cutters.profile import SHAPE as CUTTER
from deckwright.outputs.services.profile import SHAPE as SERVICE
from deckwright.sheet.layout import SHEET_SHAPE as SHEET
from deckwright.xmlio.shape import Shape, schema_bytes


def build_schemas(folder: GameFolder, setup: Setup) -> dict[str, bytes]:
    """Return the schema files of a game by name.

    They list no factions and rules if the files that define these have errors.
    """
    game = load_game(folder, setup, [], ())
    known = (
        KnownIds() if game.omissions.factions or game.omissions.rules else collect_known_ids(game)
    )
    return {
        f"{name}.xsd": schema_bytes(shape) for name, shape in build_shapes(setup, known).items()
    }


def build_shapes(setup: Setup, known: KnownIds = KnownIds()) -> dict[str, Shape]:  # noqa: B008 - it does not change
    """Return the shapes of a game's files by the name of their schema, which offers known ids."""
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
