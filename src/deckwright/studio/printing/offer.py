"""What the page is told of printing: what can be made, of what, and on which sheets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypedDict

from deckwright.base.choices import ChoiceError, demand
from deckwright.base.findings import Report
from deckwright.base.units import PAPERS, Mm
from deckwright.game import load
from deckwright.sheet.format import check_fit, format_names, load_format
from deckwright.studio.printing.things import Source, Thing, things_of


class DeckTold(TypedDict):
    """A deck; of one that cannot be read no more than its id."""

    id: str
    name: str
    faction: str | None
    cards: int


class SheetTold(TypedDict):
    """A sheet format.

    Attributes:
        paper: its name, such as "a4", if it has one.
        width, height: of the paper; 0 for one card a page.
        usual: whether the game names it.
        fits: whether all kinds of cards fit it without being scaled; `why` says why not.
    """

    id: str
    paper: str | None
    width: Mm
    height: Mm
    bleed: Mm
    fold: str
    usual: bool
    fits: bool
    why: str | None


def offer(game: Source) -> dict[str, object]:
    """Return what can be made of a game, as plain data."""
    setup = game.model.setup
    return {
        "language": setup.language,
        "decks": _decks(game),
        "factions": [{"id": f.id, "name": f.name} for f in game.model.factions.values()],
        "markers": [{"id": m.id, "name": m.face.name, "copies": m.copies} for m in setup.markers],
        "sheets": [*_sheets(game)],
        "things": [_thing(thing) for thing in things_of(game).values()],
    }


def _decks(game: Source) -> list[DeckTold]:
    told: list[DeckTold] = []
    for path in game.folder.deck_files():
        deck = load.load_deck(path, game.folder, game.model.setup, [])
        if deck is None:
            told.append({"id": path.stem, "name": path.stem, "faction": None, "cards": 0})
            continue
        cards = sum(entry.copies for entry in deck.entries)
        of = deck.faction_id
        told.append({"id": path.stem, "name": deck.name, "faction": of, "cards": cards})
    return told


def _sheets(game: Source) -> Iterable[SheetTold]:
    setup = game.model.setup
    papers = {frozenset(size): name for name, size in PAPERS.items()}
    for name in format_names(game.folder.xml):
        sheet = load_format(name, game.folder.xml, None, [])
        if sheet is None:
            continue
        misfits: Report = []
        check_fit(sheet, setup.kinds.values(), misfits)
        yield {
            "id": name,
            "paper": papers.get(frozenset((sheet.page_width, sheet.page_height))),
            "width": sheet.page_width,
            "height": sheet.page_height,
            "bleed": sheet.bleed,
            "fold": sheet.fold.value,
            "usual": name == setup.sheet,
            "fits": not misfits,
            "why": misfits[0].message if misfits else None,
        }


def _thing(thing: Thing) -> dict[str, object]:
    options = [option._asdict() for option in thing.options]
    return {**thing._asdict(), "changes": thing.changes, "options": options}


def demand_ids(thing: Thing, ids: Collection[str], game: Source) -> None:
    """Raise a ChoiceError if a thing cannot be made of these ids.

    Names of cards are the library's to judge.
    """
    if thing.of is None and ids:
        raise ChoiceError(f"{thing.name} is made of the whole game")
    if thing.needs and not ids:
        raise ChoiceError(f"{thing.name} need something that they are made of", "choose one")
    if thing.of in {None, "cards"}:
        return
    decks = {path.stem: None for path in game.folder.deck_files()}
    factions = dict.fromkeys(game.model.factions)
    markers = dict.fromkeys(
        name for m in game.model.setup.markers for name in (m.id, m.id.partition("/")[0])
    )
    known = {
        "decks": decks,
        "decks-or-factions": {**decks, **factions},
        "factions": factions,
        "markers": markers,
    }
    for name in ids:
        demand(name, known[str(thing.of)], str(thing.of).replace("-", " ").removesuffix("s"))
