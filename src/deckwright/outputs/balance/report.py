"""Print a look at a whole game as a PDF with charts."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.units import PAPERS
from deckwright.decks.balance.model import Balance
from deckwright.decks.balance.wording import Wording
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.outputs.balance.context import Chapters
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Print
from deckwright.sheet.flow import Flow
from deckwright.sheet.pages import Page

BALANCE_PAPERS = ("a4", "letter")
_TEMPLATE = Path(__file__).with_name("balance.xml")


def print_balance(
    balance: Balance, folder: GameFolder, target: Path, paper: str, report: Report
) -> Print | None:
    """Print a look at a game as a PDF to `target`; None after reporting why it was not."""
    game = balance.game
    factory = FaceFactory(game, folder, report)
    wording = Wording(game, game.setup.words, game.setup.language)
    texts: list[tuple[str, Flow]] = []
    for chapter in Chapters(balance, wording, factory).all():
        flow = factory.bundled(_TEMPLATE, chapter, PAPERS[paper], report)
        if flow is None:
            return None
        if len(flow):
            texts.append((chapter["chapter"]["title"], flow))
    pages: list[Page] = []
    count = sum(len(flow) for _, flow in texts)
    for title, flow in texts:
        first, *rest = flow.pages(len(pages) + 1, count)
        pages += [first._replace(bookmark=title), *rest]
    title = f"{game.setup.name}: {game.setup.words['balance']}"
    if not write_pages(pages, title, game.setup.name, factory, target, report):
        return None
    return Print((target,), count)
