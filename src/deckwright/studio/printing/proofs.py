"""Pages as they will come out: laid out by what prints them, and drawn when they are asked for.

This is for a process of its own, which keeps the game open: a second look takes a moment only.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from deckwright.api import Game, GameError, Print
from deckwright.api.asked import Sheets, sheets_of
from deckwright.base.findings import Diagnostic, Report
from deckwright.diff.manifests.compare import changed_since
from deckwright.game.model import CardKey
from deckwright.outputs.pages import Document, only_laid_out
from deckwright.sheet.grid import Flip
from deckwright.sheet.setting import load_setting
from deckwright.studio.notices import notice
from deckwright.studio.printing.last import last_print, since, states
from deckwright.studio.printing.making import Asked, works_of
from deckwright.studio.printing.sheets import Binder, Picture, Told, Tools, pair, tools_of
from deckwright.studio.saying import SaidError

Json = dict[str, object]

MOST_PAGES = 2000
_LOOKS_KEPT = 6
"""Of how many looks the pages can be drawn."""


class _Laid(NamedTuple):
    """What was laid out.

    Attributes:
        vectors: documents of pages.
        books: the PDF files of those that are set page by page.
    """

    vectors: list[Document]
    books: list[Path]
    prints: list[Print]
    findings: list[Diagnostic]


class Proofs:
    """Lays out pages of a game, and draws them."""

    def __init__(self, game: Game) -> None:
        """Take an open game that keeps what it reads."""
        self._game = game
        self._tools: dict[int, Tools] = {}
        self._kept: deque[Mapping[str, Picture]] = deque(maxlen=_LOOKS_KEPT)

    def preview(self, choice: Asked) -> Json:
        """Return the pages of what is asked for, wherever it is to be written.

        Raises:
            ChoiceError: if it cannot be had, or has too many pages.
            GameError: if nothing of it can be printed.
        """
        self._look()
        with TemporaryDirectory() as folder:
            choice = choice._replace(where=Path(folder))
            laid = self._lay_out(choice)
            looks, changed = self._compared(choice, laid.prints)
            binder = Binder(self._names(), looks)
            told = [binder.vectors(each, self._drawn_by(each)) for each in laid.vectors]
            pair(told, laid.vectors)
            told += [binder.pixels(path) for path in laid.books]
        self._kept.appendleft(binder.pictures)
        return {
            "documents": told,
            "sheets": sum(each.sheets for each in laid.prints),
            "cards": _cards(told),
            "empty": sum(each.empty for each in laid.prints),
            "spare": dict(sum((Counter(each.spare) for each in laid.prints), Counter[str]())),
            "changes": [line for each in laid.prints for line in each.changes],
            "findings": [notice(each, self._game.path)._asdict() for each in laid.findings],
            "changed": changed,
            **self._turned(choice),
        }

    def changes(self, deck: str, prints: tuple[Path, ...]) -> Json:
        """Return what has changed in a deck since its last print.

        Raises:
            GameError: if the deck or its manifest has a mistake.
        """
        self._look()
        report: Report = []
        last = last_print(deck, prints, self._game.name, report)
        if report:
            raise GameError(report)
        if last is None:
            return {"last": None, "to_print": 0, "cards": []}
        before = last.manifest
        backs = any(entry.back is not None for entry in before.entries)
        style = before.style if before.style in self._game.styles else None
        with TemporaryDirectory() as folder, only_laid_out():
            target = Path(folder) / f"deck_{deck}.pdf"
            paths = [str(path) for path in self._game.folder.deck_files() if path.stem == deck]
            printed = self._game.print_decks(
                paths, target, backs=backs, style=style, ignore_limits=True
            )
        return since(last, printed.manifests[0])

    def picture(self, name: str) -> str | bytes | None:
        """Return the picture of a page by its name, None if it is not known any more."""
        found = next((known[name] for known in self._kept if name in known), None)
        return None if found is None else found.draw()

    def _look(self) -> None:
        """Read what has changed."""
        if self._game.reload().files:
            self._tools.clear()

    def _lay_out(self, choice: Asked) -> _Laid:
        laid = _Laid([], [], [], [])
        pages = 0
        for work in works_of(self._game, choice):
            with only_laid_out() as found:
                try:
                    made = work.make()
                except GameError as error:
                    laid.findings.extend(f for f in error.findings if f not in laid.findings)
                    continue
            laid.findings.extend(f for f in made.findings if f not in laid.findings)
            laid.vectors.extend(found)
            pages += sum(len(document.pages) for document in found)
            if pages > MOST_PAGES:
                message = f"these are more than {MOST_PAGES:,} pages"
                hint = "look at less at a time; printing has no such limit"
                raise SaidError("print-too-large", str(MOST_PAGES), message=message, hint=hint)
            if isinstance(made, Print):
                laid.prints.append(made)
            path = choice.where / work.called
            if not found and path.suffix == ".pdf" and path.is_file():
                laid.books.append(path)
        if laid.findings and not laid.vectors and not laid.books:
            raise GameError(laid.findings)
        return laid

    def _compared(self, choice: Asked, prints: Iterable[Print]) -> tuple[dict[CardKey, str], Json]:
        """Return what looks different than in the last print of each deck, and how much that is."""
        looks: dict[CardKey, str] = {}
        found: Json = {}
        for now in (manifest for each in prints for manifest in each.manifests):
            last = last_print(now.deck, choice.prints, self._game.name, [])
            if last is not None:
                changes = changed_since(last.manifest, now)
                looks |= states(changes)
                cards, copies = len(changes.cards), sum(changes.to_print.values())
                found[now.deck] = {"when": last.when, "cards": cards, "to_print": copies}
        return looks, found

    def _names(self) -> dict[CardKey, str]:
        """Return what cards are called; tokens by each faction that may print them."""
        game = self._game.model
        tokens = [(card.id, card.name) for card in game.tokens()]
        names = {(faction, token): name for faction in game.factions for token, name in tokens}
        return {**names, **{key: card.name for key, card in game.cards.items()}}

    def _drawn_by(self, document: Document) -> Tools:
        factory = document.factory
        tools = self._tools.get(id(factory))
        if tools is None or tools.factory is not factory:
            tools = self._tools[id(factory)] = tools_of(factory)
        return tools

    def _turned(self, choice: Asked) -> Json:
        """Return over which edge sheets are turned, or that they are folded instead."""
        if choice.thing == "markers":
            return {"flip": Flip.LONG.value, "folded": False}
        if choice.thing == "calibration":
            return {"flip": choice.options["flip"], "folded": False}
        if "sheet" not in choice.options:
            return {"flip": None, "folded": False}
        folder, options = self._game.folder, choice.options
        said: Sheets = {
            "sheet": options["sheet"],
            "scale": options["scale"],
            "backs": options["backs"],
            "backs_apart": options["backs_apart"],
            "flip": options["flip"],
            "printer": options["printer"],
        }
        setting = load_setting(self._game.model.setup, folder.xml, sheets_of(folder, said), [])
        if setting is None or not setting.backs:
            return {"flip": None, "folded": False}
        folded = setting.format.folded
        return {"flip": None if folded else setting.format.flip.value, "folded": folded}


def _cards(told: list[Told]) -> int:
    """Return how many faces of cards are on pages."""
    slots = (slot for each in told for page in each["pages"] for slot in page["slots"])
    return sum((slot["key"] or "").endswith(":face") for slot in slots)
