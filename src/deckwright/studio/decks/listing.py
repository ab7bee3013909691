"""The decks that there are, and what a new one may be. For the game's thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from deckwright.api import Game
from deckwright.base.files import is_file
from deckwright.base.findings import Diagnostic, Report, is_error
from deckwright.checks.fielding import Fields, usual_format
from deckwright.checks.loading import Rules, check_deck_with
from deckwright.checks.zoning import Line, zoned
from deckwright.decks.openings import opening_of
from deckwright.decks.solver.highs import HOW_TO_GET, installed
from deckwright.decks.stats import charts_of
from deckwright.game import load
from deckwright.game.deck_rules import Opening
from deckwright.game.decklist import format_of
from deckwright.game.model import DeckEntry
from deckwright.game.model import Game as Model
from deckwright.game.reading import keeping
from deckwright.studio.decks.drafts import key_of
from deckwright.studio.decks.shelf import Shelf
from deckwright.studio.notices import near

Json = dict[str, object]
_SHOWN = 4
"""So many cards stand for a deck in a list."""


class Told(TypedDict):
    """What is said of a mistake, and in which language."""

    text: str
    language: str


class Listed(TypedDict):
    """A deck in a list.

    Attributes:
        ok: whether nothing is wrong with it; None if it cannot be read.
        table: whether it stands in a table.
        first: its first cards.
    """

    id: str
    name: str
    faction: str | None
    format: str | None
    cards: int
    ok: bool | None
    problems: list[Told]
    table: bool
    file: str
    first: list[str]


def listing(game: Game, shelf: Shelf, *, read_only: bool) -> Json:
    """Return all decks, and what there is to build new ones of."""
    model = game.model
    setup, fields = model.setup, Fields(model)
    with keeping({}):
        decks = [_listed(game, deck_id, path) for deck_id, path in shelf.paths().items()]
    return {
        "decks": decks,
        "factions": [
            {
                "id": each.id,
                "name": each.name,
                "color": each.color,
                "own": fields.has_decks(each, usual_format(setup, each)),
            }
            for each in model.factions.values()
        ],
        "formats": [
            {"id": each.id, "name": each.name, "default": each.id == setup.default_format}
            for each in setup.formats.values()
        ],
        "zones": [
            {"id": zone.id, "name": zone.name, "main": zone.id == setup.main_zone.id}
            for zone in setup.zones
        ],
        "fields": [*_fields(model)],
        "opening": opening_told(opening_of(setup)) if setup.opening else None,
        "solver": installed(),
        "howto": HOW_TO_GET,
        "readOnly": read_only,
    }


def opening_told(opening: Opening) -> Json:
    """Return how a game is opened, for the page."""
    return {**opening._asdict()}


def _listed(game: Game, deck_id: str, path: Path) -> Listed:
    model, report = game.model, Report()
    deck = load.load_deck(path, game.folder, model.setup, report)
    entry: Listed = {
        "id": deck_id,
        "name": deck.name if deck else deck_id,
        "faction": deck.faction_id if deck else None,
        "format": None,
        "cards": sum(each.copies for each in deck.entries) if deck else 0,
        "ok": None,
        "problems": [],
        "table": not is_file(path),
        "file": near(path, game.path),
        "first": [],
    }
    if deck is not None:
        form = format_of(model, deck)
        check_deck_with(model, deck, Rules(), report)
        entry["format"] = form.id if form else None
        entry["ok"] = not any(map(is_error, report))
        lines = zoned(model, deck)[:_SHOWN]
        entry["first"] = [key_of((line.card.faction_id, line.card.id)) for line in lines]
    entry["problems"] = [said(each) for each in report if is_error(each)]
    return entry


def said(finding: Diagnostic) -> Told:
    """Return what a finding says, in the game's language if it can."""
    if finding.told is None:
        return {"text": finding.message, "language": "en"}
    return {"text": finding.told.message, "language": finding.told.language}


def _fields(model: Model) -> Iterator[Json]:
    """Yield what the cards of a game can be piled and counted by."""
    source = model.setup.source
    lines = [
        Line(DeckEntry(*key, 1, source), card, None)
        for key, card in model.cards.items()
        if card.faction_id in model.factions
    ]
    for chart in charts_of(model.setup, lines):
        yield {"id": chart.id, "name": chart.name, "numeric": chart.numeric, "unit": chart.unit}
