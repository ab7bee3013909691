"""Print tokens alone: those of a deck, or all that a faction can create."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deckwright import checks
from deckwright.base.files import is_file
from deckwright.base.findings import Report, has_errors, known_hint
from deckwright.checks.loading import Rules, load_deck
from deckwright.faces.deck_copies import each_once, token_copies
from deckwright.faces.factory import FaceFactory
from deckwright.faces.watermark import watermark
from deckwright.game import load
from deckwright.game.decklist import TokenCount, tokens_of, tokens_of_faction
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.outputs.card_sheets import arranged, card_sheets
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Item, Print
from deckwright.sheet.setting import AS_THE_GAME_SAYS, SheetOptions, load_setting
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from deckwright.outputs.services.pages import ForPress


def print_tokens(
    folder: GameFolder,
    name: str,
    target: Path,
    report: Report,
    options: SheetOptions = AS_THE_GAME_SAYS,
    press: ForPress | None = None,
) -> Print | None:
    """Print the tokens of a deck, or those that a faction can create, as a PDF to `target`.

    Args:
        name: the id of a faction, or the name of a deck.
        press: how they are made ready for a press, each on pages of its own; None if they are for
            people.

    Returns:
        what was printed, no file if there are no tokens; None after reporting why it was not.
    """
    setup = load.load_setup(folder, report)
    found = _tokens_of(folder, name, setup, report) if setup else None
    if setup is None or found is None:
        return None
    game, faction_id, counts = found
    checks.check_cards(game, [count.token for count in counts], report)
    if options.choice.copies is not None:
        counts = [count._replace(copies=options.choice.copies) for count in counts]
    counts = [count for count in counts if count.copies]
    title = f"{setup.words['tokens']} – {game.factions[faction_id].name}"
    items = tuple(Item(c.token.id, c.token.name, c.copies) for c in counts)
    if has_errors(report):
        return None
    if press is not None:
        from deckwright.outputs.services.pages import press_cards  # noqa: PLC0415

        factory = FaceFactory(game, folder, report, options.style, plates=press.plates)
        backs = press.service.backs
        faces = token_copies(counts, faction_id, factory, report, backs=backs)
        mark = watermark(factory, options.watermark, report)
        made = press_cards(
            mark.on_all(faces), title, factory, press, target, report, fit=options.scale
        )
        return made and made._replace(items=items)

    factory = FaceFactory(game, folder, report, options.style)
    setting = load_setting(setup, folder.xml, options, report)
    backs = setting is not None and setting.backs
    faces = token_copies(counts, faction_id, factory, report, backs=backs)
    spared = counts if options.fill else []
    spare = each_once(spared, faction_id, factory, report, backs=backs)
    mark = watermark(factory, options.watermark, report)
    if setting is None or has_errors(report):
        return None
    sheets = card_sheets(mark.on_all(faces), setting, [mark.on_all(each) for each in spare])
    pages, footer = arranged(sheets), f"{setup.name} · {title}"
    written = not pages or write_pages(pages, title, footer, factory, target, report)
    cuts = write_cuts(pages, options.cutter, target, report) if written else None
    if cuts is None:
        return None
    return Print((target,) if pages else (), len(pages), len(sheets), items=items, cuts=cuts)


def _tokens_of(
    folder: GameFolder, name: str, setup: Setup, report: Report
) -> tuple[Game, str, list[TokenCount]] | None:
    """Return the tokens of a faction or a deck, with the game and the faction."""
    factions, _ = load.load_factions(folder, setup, report)
    deck_file = folder.deck_file(name)
    if is_file(deck_file):
        loaded = load_deck(folder, deck_file, Rules(ignore=True), report)
        if loaded is None:
            return None
        game, deck, _ = loaded
        return game, deck.faction_id, tokens_of(game, deck)
    if name in factions:
        whole = load.load_game(folder, setup, report, [name])
        return (whole, name, tokens_of_faction(whole, name)) if whole else None
    known = [*factions, *(path.stem for path in folder.deck_files())]
    message = f"there is neither a faction nor a deck `{name}`"
    report.append(X006.at(None, message, known_hint(name, known)))
    return None
