"""Sums of fields that somebody asks for, such as `strength + 2*actions`."""

from __future__ import annotations

from deckwright.base.choices import ChoiceError
from deckwright.base.findings import known_hint
from deckwright.game.measures import Measure, MeasureError, read_measure
from deckwright.game.named import numeric_fields
from deckwright.game.setup import Setup


def measure_of(text: str, setup: Setup) -> Measure:
    """Return the measure that a text states.

    Raises:
        ChoiceError: if it states none, or names what there is not.
    """
    fields = sorted(numeric_fields(setup.card_kinds))
    try:
        return read_measure(text, fields, [zone.id for zone in setup.zones])
    except MeasureError as error:
        message = f"`{text}` is no sum of fields: {error}"
        raise ChoiceError(message, known_hint(text, [*fields, "cards"])) from None
