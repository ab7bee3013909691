"""The routes for printing: products, previews, jobs and their files, printers."""

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
from deckwright.sheet.grid import Flip, parse_margins
from deckwright.sheet.layout import check_fit, list_formats, load_format
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
    """A deck; only the id is set if it cannot be read."""

    id: str
    name: str
    faction: str | None
    cards: int


class SheetFormatData(TypedDict):
    """A sheet format.

    Attributes:
        paper: the paper's name, such as "a4", if it has one.
        width, height: of the paper; 0 for one card a page.
        usual: whether it is the game's default.
        flip, marks: by default.
        fits: whether all kinds of cards fit unscaled; otherwise `why` gives the reason.
    """

    id: str
    paper: str | None
    width: Mm
    height: Mm
    bleed: Mm
    fold: str
    flip: str
    marks: str
    usual: bool
    fits: bool
    why: str | None


def describe_printing(game: GameSource) -> dict[str, object]:
    """Return the game's products, decks, factions, markers and sheet formats as plain data."""
    setup = game.model.setup
    return {
        "language": setup.language,
        "backs": setup.backs,
        "decks": _serialize_decks(game),
        "factions": [{"id": f.id, "name": f.name} for f in game.model.factions.values()],
        "markers": [{"id": m.id, "name": m.face.name, "copies": m.copies} for m in setup.markers],
        "sheets": [*_serialize_sheets(game)],
        "things": [_serialize_product(product) for product in list_products(game).values()],
    }


def _serialize_decks(game: GameSource) -> list[DeckData]:
    result: list[DeckData] = []
    for path in game.folder.deck_files():
        deck = load.load_deck(path, game.folder, game.model.setup, [])
        if deck is None:
            result.append({"id": path.stem, "name": path.stem, "faction": None, "cards": 0})
            continue
        cards = sum(entry.copies for entry in deck.entries)
        of = deck.faction_id
        result.append({"id": path.stem, "name": deck.name, "faction": of, "cards": cards})
    return result


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
            "flip": sheet.flip.value,
            "marks": sheet.marks.value,
            "usual": name == setup.sheet,
            "fits": not misfits,
            "why": misfits[0].message if misfits else None,
        }


def _serialize_product(product: Product) -> dict[str, object]:
    options = [option._asdict() for option in product.options]
    return {**product._asdict(), "changes": product.supports_changes, "options": options}


def require_ids(product: Product, ids: Collection[str], game: GameSource) -> None:
    """Raise a ChoiceError if a product cannot be made from these ids.

    The library validates the names of cards.
    """
    if product.of is None and ids:
        raise ChoiceError(f"{product.name} is made of the whole game")
    if product.needs and not ids:
        raise ChoiceError(f"{product.name} need something that they are made of", "choose one")
    if product.of in {None, "cards"}:
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
        require_known(
            name, known[str(product.of)], str(product.of).replace("-", " ").removesuffix("s")
        )


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


def remember_printer(body: dict[str, object]) -> None:
    """Save the measured values of a printer; values not given stay unchanged.

    Args:
        body: its `name`, and any of `offset`, `margins` and `flip`.

    Raises:
        ChoiceError: if a value is invalid.
        GameError: if the file of printers cannot be read or written.
    """
    name = _read_printer_name(body)
    before = _load_known_printers().get(name, Printer())
    offset, margins, flip = body.get("offset"), body.get("margins"), body.get("flip")
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


def remove_printer(body: dict[str, object]) -> None:
    """Remove the printer with a `name`.

    Raises:
        ChoiceError: if there is none.
        GameError: if the file of printers cannot be read or written.
    """
    name, report = _read_printer_name(body), Report()
    require_known(name, _load_known_printers(), "printer")
    if forget_printer(name, report) is None:
        raise GameError(report)


def _load_known_printers() -> dict[str, Printer]:
    report: Report = []
    printers_data = load_printers(report)
    if printers_data is None:
        raise GameError(report)
    return printers_data


def _read_printer_name(body: dict[str, object]) -> str:
    name = body.get("name")
    if not isinstance(name, str) or not is_printer_name(name):
        raise ChoiceError("the name of a printer has at most 40 letters, digits, `-` and `_`")
    return name


def _format_lengths(lengths: object) -> str:
    """Format lengths in mm as the command line takes them."""
    if not isinstance(lengths, list) or not all(isinstance(each, (int, float)) for each in lengths):
        raise ChoiceError(f"`{str(lengths)[:50]}` is no list of lengths in mm")
    return ",".join(f"{each:.4f}mm" for each in lengths)


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
"""The headers of a picture: its name is a hash of its content, and its scripts are disabled."""
_FILE_HEADERS = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'"}
_INLINE_TYPES = {"application/pdf", "image/png", "image/webp"}
"""The types that a browser may open in a tab, as they cannot run scripts."""


def routes(session: StudioSession) -> list[Route]:
    """Return the routes for printing."""
    answers = _PrintHandlers(session)
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
    """Wrap a handler to turn refusals by a worker process into responses."""

    async def handle(request: Request) -> Response:
        try:
            return await answer(request)
        except RefusedError as error:
            return JSONResponse(error.answer, error.status)

    return handle


class _PrintHandlers:
    """Handles the requests for printing."""

    def __init__(self, session: StudioSession) -> None:
        self._session = session
        self._previews = PreviewWorker()
        self._jobs = JobQueue(self._send_job_event)
        self._temporary: Path | None = None
        session.on_end.append(self._end)
        session.on_closing.append(self._previews.close)

    async def offer(self, _: Request) -> Response:
        game = await self._game()
        data = await asyncio.to_thread(describe_printing, game)
        data["printers"] = await asyncio.to_thread(list_printers)
        read_only = self._session.writer.read_only
        data |= {"readOnly": read_only, "goes": "temporary" if read_only else "out"}
        return JSONResponse(data)

    async def preview(self, request: Request) -> Response:
        question = await self._question(request)
        return await self._ask_while_connected(request, {**question, "call": "preview"})

    async def changes(self, request: Request) -> Response:
        game = await self._game()
        deck = request.query_params.get("deck", "")
        require_known(deck, {path.stem: None for path in game.folder.deck_files()}, "deck")
        return await self._ask_while_connected(
            request, {**self._locations(), "call": "changes", "deck": deck}
        )

    async def sheet(self, request: Request) -> Response:
        name = request.path_params["name"]
        matched = _PICTURE_NAME.fullmatch(name)
        if matched is None:
            return not_found()
        picture = await self._previews.ask({**self._locations(), "call": "picture", "name": name})
        if picture is None:
            return not_found()
        ending = matched[1]
        content = base64.b64decode(picture) if ending == "png" else picture
        return Response(content, media_type=_TYPES[ending], headers=_IMMUTABLE_HEADERS)

    async def jobs(self, _: Request) -> Response:
        return JSONResponse({"jobs": self._jobs.serialize_all()})

    async def begin(self, request: Request) -> Response:
        return JSONResponse(self._jobs.begin(await self._question(request)).serialize())

    async def cancel(self, request: Request) -> Response:
        job = self._jobs.job(request.path_params["job"])
        if job is None:
            return not_found()
        await self._jobs.cancel(job)
        return JSONResponse(job.serialize())

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
        if not file.is_unchanged:
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

    async def _with_printers(self, change: Callable[[Json], None], body: Json) -> Response:
        self._session.writer.require_writable()
        await asyncio.to_thread(change, body)
        self._session.streams.send({"kind": "print"})
        return JSONResponse({"printers": await asyncio.to_thread(list_printers)})

    async def _game(self) -> GameSource:
        live_game = self._session.live_game
        return GameSource(
            await self._session.call(lambda: live_game.game.model), self._session.folder
        )

    async def _question(self, request: Request) -> Json:
        """Validate the page's choices and return the question for a worker process."""
        body, game = await read_json(request), await self._game()
        products = await asyncio.to_thread(list_products, game)
        name = body.get("thing")
        require_known(str(name), products, "thing to print")
        product = products[str(name)]
        of = read_names(body.get("of", []), "of")
        require_ids(product, of, game)
        options = read_values(product.options, body.get("options", {}))
        return {**self._locations(), "thing": product.id, "of": of, "options": options}

    def _locations(self) -> Json:
        """Return the folders of the game, of output, and of earlier prints."""
        folder = self._session.folder.path.absolute()
        out = where = folder / "out"
        if self._session.writer.read_only:
            if self._temporary is None:
                self._temporary = Path(tempfile.mkdtemp(prefix="deckwright-"))
            where = self._temporary
        prints = [str(each) for each in dict.fromkeys((where, out))]
        return {"folder": str(folder), "where": str(where), "prints": prints}

    async def _ask_while_connected(self, request: Request, question: Json) -> Response:
        """Ask the preview worker, unless the client disconnects."""
        answer = await run_while_connected(request, self._previews.ask(question))
        return not_found() if answer is None else JSONResponse(answer)

    def _send_job_event(self, event: Json) -> None:
        streams = self._session.streams
        streams.send(event)
        if event.get("job", {}).get("state") == "done":  # it is the previous print from now on
            streams.send({"kind": "print"})

    async def _end(self) -> None:
        await asyncio.gather(self._jobs.end(), self._previews.end())
        if self._temporary is not None:
            with suppress(OSError):
                shutil.rmtree(self._temporary)
