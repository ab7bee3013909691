"""The sums over the rows of a table: what a card counts, with the markers on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from deckwright.game.context import ContextBuilder
from deckwright.game.model import Card, Game
from deckwright.game.tabletop import TableSum

if TYPE_CHECKING:
    from jinja2 import Template as Program

_MAX_LENGTH = 100
"""The longest text of a value."""


class TableSums:
    """Computes what cards count for the sums of a game's table."""

    def __init__(self, game: Game) -> None:
        """Take the game."""
        from deckwright.expressions.expressions import Expressions  # imports Jinja

        self._expressions = Expressions(game.folder / "img", language=game.setup.language)
        self._contexts = ContextBuilder(game)
        self._base = self._contexts.base_context()
        self._markers = game.setup.markers
        self._programs: dict[str, Program] = {}

    def compute(
        self, of: TableSum, card: Card, faction_id: str, markers: Mapping[str, int]
    ) -> float:
        """Return what a card counts.

        Args:
            faction_id: the faction that prints it.
            markers: the numbers of the markers on it, by id.

        Raises:
            ExpressionSyntaxError: if the expression is malformed.
            Exception: whatever else it raises.
        """
        counts: dict[str, int] = {}
        for marker in self._markers:
            number, (kind, _, value) = markers.get(marker.id, 0), marker.id.partition("/")
            counts[marker.id] = number
            if value:
                counts[kind] = counts.get(kind, 0) + number * (marker.value or 0)
        seen = self._contexts.card_context(card, faction_id)
        context = {**self._base, **seen, "card": seen, "markers": counts}
        program = self._programs.get(of.value)
        if program is None:
            tree = self._expressions.parse_value(of.value, self._expressions.new_grammar())
            program = self._expressions.load_program(self._expressions.compile(tree))
            self._programs[of.value] = program
        return float(self._expressions.run(program, context, _MAX_LENGTH).strip() or 0)
