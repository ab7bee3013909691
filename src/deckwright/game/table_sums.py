"""The sums over the rows of a table: what a card counts, with the markers on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

from deckwright.game.context import Context, ContextBuilder
from deckwright.game.language import picture_folders
from deckwright.game.model import Card, Game
from deckwright.game.tabletop import TableSum

if TYPE_CHECKING:
    from deckwright.expressions.expressions import Expressions

_MAX_LENGTH = 100
"""The longest text of a value."""


class TableSums:
    """Computes what cards count for the sums of a game's table."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._programs: dict[str, Callable[[Context], str]] = {}
        self._values: dict[Hashable, float] = {}

    @cached_property
    def _contexts(self) -> ContextBuilder:
        return ContextBuilder(self._game)

    @cached_property
    def _expressions(self) -> Expressions:
        from deckwright.expressions.expressions import Expressions  # imports Jinja

        images = picture_folders(self._game.folder / "img")
        return Expressions(images, language=self._game.setup.language)

    def compute(
        self, of: TableSum, card: Card, faction_id: str, markers: Mapping[str, int]
    ) -> float:
        """Return what a card with these markers counts, 0 if it cannot be computed; cached."""
        key = (of, faction_id, card.id, *sorted(markers.items()))
        if key not in self._values:
            self._values[key] = 0
            with suppress(Exception):  # `deckwright check` says why
                self._values[key] = self.evaluate(of, card, faction_id, markers)
        return self._values[key]

    def evaluate(
        self, of: TableSum, card: Card, faction_id: str, markers: Mapping[str, int]
    ) -> float:
        """Return what a card counts, as `compute` does; raises whatever the expression raises."""
        counts: Counter[str] = Counter()
        for marker in self._game.setup.markers:
            counts[marker.id] += markers.get(marker.id, 0)
            if marker.value is not None:
                kind = marker.id.rpartition("/")[0]
                counts[kind] += marker.value * markers.get(marker.id, 0)
        seen = self._contexts.card_context(card, faction_id)
        context = {**self._contexts.base_context(), **seen, "card": seen, "markers": {**counts}}
        if of.value not in self._programs:
            tree = self._expressions.parse_value(of.value, self._expressions.new_grammar())
            program = self._expressions.load_program(self._expressions.compile(tree))
            run = partial(self._expressions.run, program, max_length=_MAX_LENGTH)
            self._programs[of.value] = run
        return float(self._programs[of.value](context).strip() or 0)
