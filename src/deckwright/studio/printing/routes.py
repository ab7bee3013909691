"""What the studio answers of printing: what can be made, pages, jobs and their files, printers."""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from deckwright.api import GameError
from deckwright.base.findings import ChoiceError, Report, require_known
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.game import load
from deckwright.sheet.format import check_fit, list_formats, load_format
from deckwright.sheet.grid import Flip, parse_margins
from deckwright.sheet.printers import (
    Printer,
    forget_printer,
    is_printer_name,
    load_printers,
    parse_offset,
    save_printer,
)
from deckwright.studio.answers import not_found, read_json, run_while_connected
from deckwright.studio.printing.jobs import JobQueue, PreviewWorker, RefusedError
from deckwright.studio.printing.options import (
    GameSource,
    Product,
    list_products,
    read_names,
    read_values,
)
from deckwright.studio.session import StudioSession


class DeckData(TypedDict):
    """A deck; of one that cannot be read no more than its id."""

    id: str
    name: str
    faction: str | None
    cards: int


class SheetFormatData(TypedDict):
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


def describe_printing(game: GameSource) -> dict[str, object]:
    """Return what can be made of a game, as plain data."""
    setup = game.model.setup
    return {
        "language": setup.language,
        "decks": _serialize_decks(game),
        "factions": [{"id": f.id, "name": f.name} for f in game.model.factions.values()],
        "markers": [{"id": m.id, "name": m.face.name, "copies": m.copies} for m in setup.markers],
        "sheets": [*_serialize_sheets(game)],
        "things": [_serialize_product(thing) for thing in list_products(game).values()],
    }


def _serialize_decks(game: GameSource) -> list[DeckData]:
    told: list[DeckData] = []
    for path in game.folder.deck_files():
        deck = load.load_deck(path, game.folder, game.model.setup, [])
        if deck is None:
            told.append({"id": path.stem, "name": path.stem, "faction": None, "cards": 0})
            continue
        cards = sum(entry.copies for entry in deck.entries)
        of = deck.faction_id
        told.append({"id": path.stem, "name": deck.name, "faction": of, "cards": cards})
    return told


def _serialize_sheets(game: GameSource) -> Iterable[SheetFormatData]:
    setup = game.model.setup
    papers = {frozenset(size): name for name, size in PAPER_SIZES.items()}
    for name in list_formats(game.folder.xml):
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


def _serialize_product(thing: Product) -> dict[str, object]:
    options = [option._asdict() for option in thing.options]
    return {**thing._asdict(), "changes": thing.changes, "options": options}


def require_ids(thing: Product, ids: Collection[str], game: GameSource) -> None:
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
        require_known(name, known[str(thing.of)], str(thing.of).replace("-", " ").removesuffix("s"))


class PrinterData(TypedDict):
    """A printer as plain data: lengths in mm, margins clockwise from the top."""

    name: str
    offset: list[Mm]
    flip: str | None
    margins: list[Mm]


def list_printers() -> list[PrinterData]:
    """Return all printers by name.

    Raises:
        GameError: if their file cannot be read.
    """
    return [
        {
            "name": name,
            "offset": [*printer.offset],
            "flip": printer.flip.value if printer.flip else None,
            "margins": [*printer.margins],
        }
        for name, printer in sorted(_load_known_printers().items())
    ]


def remember_printer(said: dict[str, object]) -> None:
    """Remember what was read for a printer; what is not said stays as it was.

    Args:
        said: its `name`, and of `offset`, `margins` and `flip` what was read.

    Raises:
        ChoiceError: if it cannot be so.
        GameError: if the file of printers cannot be read or written.
    """
    name = _read_printer_name(said)
    before = _load_known_printers().get(name, Printer())
    offset, margins, flip = said.get("offset"), said.get("margins"), said.get("flip")
    if flip is not None:
        require_known(str(flip), [each.value for each in Flip], "edge")
    try:
        printer = Printer(
            before.offset if offset is None else parse_offset(_format_lengths(offset)),
            before.flip if flip is None else Flip(flip),
            before.margins if margins is None else parse_margins(_format_lengths(margins)),
        )
    except ValueError as error:
        raise ChoiceError(str(error)) from None
    report: Report = []
    if save_printer(name, printer, report) is None:
        raise GameError(report)


def remove_printer(said: dict[str, object]) -> None:
    """Forget the printer of a `name`.

    Raises:
        ChoiceError: if there is none.
        GameError: if the file of printers cannot be read or written.
    """
    name, report = _read_printer_name(said), Report()
    require_known(name, _load_known_printers(), "printer")
    if forget_printer(name, report) is None:
        raise GameError(report)


def _load_known_printers() -> dict[str, Printer]:
    report: Report = []
    found = load_printers(report)
    if found is None:
        raise GameError(report)
    return found


def _read_printer_name(said: dict[str, object]) -> str:
    name = said.get("name")
    if not isinstance(name, str) or not is_printer_name(name):
        raise ChoiceError("the name of a printer has at most 40 letters, digits, `-` and `_`")
    return name


def _format_lengths(given: object) -> str:
    """Return lengths in mm as the command takes them."""
    if not isinstance(given, list) or not all(isinstance(each, (int, float)) for each in given):
        raise ChoiceError(f"`{str(given)[:50]}` is no list of lengths in mm")
    return ",".join(f"{each:.4f}mm" for each in given)


Json = dict[str, Any]
Handler = Callable[[Request], Awaitable[Response]]

_PICTURE_NAME = re.compile(r"[0-9a-f]{32}\.(svg|png)")
_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
_IMMUTABLE_HEADERS = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": (
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        "frame-ancestors 'none'"
    ),
}
"""How the picture of a page is sent: its name is a hash of what it shows, and it runs nothing."""
_FILE_HEADERS = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'"}
_INLINE_TYPES = {"application/pdf", "image/png", "image/webp"}
"""What a browser may show in a tab of its own: nothing that could run."""


def routes(desk: StudioSession) -> list[Route]:
    """Return what is answered of printing."""
    answers = _PrintHandlers(desk)
    table: tuple[tuple[str, str, Handler], ...] = (
        ("GET", "/api/print", answers.offer),
        ("POST", "/api/print/preview", answers.preview),
        ("GET", "/api/print/changes", answers.changes),
        ("GET", "/api/print/jobs", answers.jobs),
        ("POST", "/api/print/jobs", answers.begin),
        ("POST", "/api/print/jobs/{job}/cancel", answers.cancel),
        ("POST", "/api/print/jobs/{job}/forget", answers.forget),
        ("POST", "/api/print/printers", answers.remember),
        ("POST", "/api/print/printers/forget", answers.forget_printer),
        ("GET", "/sheets/{name}", answers.sheet),
        ("GET", "/files/{file}", answers.file),
    )
    return [Route(path, _catch_refusal(answer), methods=[method]) for method, path, answer in table]


def _catch_refusal(answer: Handler) -> Handler:
    """Return a handler that answers what a process refused."""

    async def handle(request: Request) -> Response:
        try:
            return await answer(request)
        except RefusedError as error:
            return JSONResponse(error.answer, error.status)

    return handle


class _PrintHandlers:
    """Answers requests that were let in."""

    def __init__(self, desk: StudioSession) -> None:
        self._desk = desk
        self._press = PreviewWorker()
        self._jobs = JobQueue(self._job_told)
        self._temporary: Path | None = None
        desk.on_end.append(self._end)
        desk.on_closing.append(self._press.close)

    async def offer(self, _: Request) -> Response:
        game = await self._game()
        told = await asyncio.to_thread(describe_printing, game)
        told["printers"] = await asyncio.to_thread(list_printers)
        read_only = self._desk.writer.read_only
        told |= {"readOnly": read_only, "goes": "temporary" if read_only else "out"}
        return JSONResponse(told)

    async def preview(self, request: Request) -> Response:
        question = await self._question(request)
        return await self._while_wanted(request, {**question, "call": "preview"})

    async def changes(self, request: Request) -> Response:
        game = await self._game()
        deck = request.query_params.get("deck", "")
        require_known(deck, {path.stem: None for path in game.folder.deck_files()}, "deck")
        return await self._while_wanted(request, {**self._at(), "call": "changes", "deck": deck})

    async def sheet(self, request: Request) -> Response:
        name = request.path_params["name"]
        matched = _PICTURE_NAME.fullmatch(name)
        if matched is None:
            return not_found()
        picture = await self._press.ask({**self._at(), "call": "picture", "name": name})
        if picture is None:
            return not_found()
        ending = matched[1]
        content = base64.b64decode(picture) if ending == "png" else picture
        return Response(content, media_type=_TYPES[ending], headers=_IMMUTABLE_HEADERS)

    async def jobs(self, _: Request) -> Response:
        return JSONResponse({"jobs": self._jobs.all()})

    async def begin(self, request: Request) -> Response:
        return JSONResponse(self._jobs.begin(await self._question(request)).plain())

    async def cancel(self, request: Request) -> Response:
        job = self._jobs.job(request.path_params["job"])
        if job is None:
            return not_found()
        await self._jobs.cancel(job)
        return JSONResponse(job.plain())

    async def forget(self, request: Request) -> Response:
        job = self._jobs.job(request.path_params["job"])
        if job is None:
            return not_found()
        if not job.is_finished:
            raise ChoiceError("this job has not ended", "cancel it first")
        self._jobs.forget(job.id)
        return JSONResponse({})

    async def file(self, request: Request) -> Response:
        file = self._jobs.file(request.path_params["file"])
        if file is None:
            return not_found()
        if not file.is_there:
            return JSONResponse({"message": "the file is not as it was made any more"}, 410)
        inline = "open" in request.query_params and file.type in _INLINE_TYPES
        return FileResponse(
            file.path,
            headers=_FILE_HEADERS,
            media_type=file.type,
            filename=file.path.name,
            content_disposition_type="inline" if inline else "attachment",
        )

    async def remember(self, request: Request) -> Response:
        return await self._with_printers(remember_printer, await read_json(request))

    async def forget_printer(self, request: Request) -> Response:
        return await self._with_printers(remove_printer, await read_json(request))

    async def _with_printers(self, change: Callable[[Json], None], said: Json) -> Response:
        self._desk.writer.demand_writing()
        await asyncio.to_thread(change, said)
        self._desk.streams.send({"kind": "print"})
        return JSONResponse({"printers": await asyncio.to_thread(list_printers)})

    async def _game(self) -> GameSource:
        gallery = self._desk.gallery
        return GameSource(await self._desk.ask(lambda: gallery.game.model), self._desk.folder)

    async def _question(self, request: Request) -> Json:
        """Return what a process is asked: what the page has chosen, as far as it can be had."""
        said, game = await read_json(request), await self._game()
        things = await asyncio.to_thread(list_products, game)
        name = said.get("thing")
        require_known(str(name), things, "thing to print")
        thing = things[str(name)]
        of = read_names(said.get("of", []), "of")
        require_ids(thing, of, game)
        options = read_values(thing.options, said.get("options", {}))
        return {**self._at(), "thing": thing.id, "of": of, "options": options}

    def _at(self) -> Json:
        """Return where the game is, where files go, and where earlier prints may be."""
        folder = self._desk.folder.path.absolute()
        out = where = folder / "out"
        if self._desk.writer.read_only:
            if self._temporary is None:
                self._temporary = Path(tempfile.mkdtemp(prefix="deckwright-"))
            where = self._temporary
        prints = [str(each) for each in dict.fromkeys((where, out))]
        return {"folder": str(folder), "where": str(where), "prints": prints}

    async def _while_wanted(self, request: Request, question: Json) -> Response:
        """Ask the press, as long as the page has not gone away."""
        answer = await run_while_connected(request, self._press.ask(question))
        return not_found() if answer is None else JSONResponse(answer)

    def _job_told(self, event: Json) -> None:
        streams = self._desk.streams
        streams.send(event)
        if event.get("job", {}).get("state") == "done":  # what is printed is the last print now
            streams.send({"kind": "print"})

    async def _end(self) -> None:
        await asyncio.gather(self._jobs.end(), self._press.end())
        if self._temporary is not None:
            with suppress(OSError):
                shutil.rmtree(self._temporary)
