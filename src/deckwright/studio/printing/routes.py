"""The routes for printing: products, previews, jobs and their files, and printers."""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
import tempfile
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from deckwright.api import GameError
from deckwright.base.findings import ChoiceError, Report, require_known
from deckwright.base.units import PAPER_SIZES
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
from deckwright.studio.answers import Json, RefusedError, pick, to_plain
from deckwright.studio.printing.jobs import JobQueue, PreviewWorker
from deckwright.studio.printing.options import (
    GameSource,
    Product,
    list_products,
    read_names,
    read_values,
)
from deckwright.studio.routing import get, image_response, post, run_while_connected
from deckwright.studio.session import StudioSession


def describe_printing(game: GameSource) -> Json:
    """Return the game's products, decks, factions, markers and sheet formats as plain data."""
    setup, xml = game.model.setup, game.folder.xml
    decks: list[Json] = []
    for path in game.folder.deck_files():
        deck = load.load_deck(path, game.folder, setup, [])
        decks.append(
            {
                "id": path.stem,  # of decks that cannot be read, nothing else is known
                "name": deck.name if deck else path.stem,
                "faction": deck.faction_id if deck else None,
                "cards": sum(entry.copies for entry in deck.entries) if deck else 0,
            }
        )
    sheets: list[Json] = []
    papers = {frozenset(size): name for name, size in PAPER_SIZES.items()}
    for name in list_formats(xml):
        sheet = load_format(name, xml, None, [])
        if sheet is None:
            continue
        misfits: Report = []
        check_fit(sheet, setup.kinds.values(), misfits)
        width, height = sheet.page_width, sheet.page_height  # 0 for one card a page
        sheets.append(
            {
                "id": name,
                "paper": papers.get(frozenset((width, height))),
                "width": width,
                "height": height,
                **pick(sheet, "bleed", "fold", "flip", "marks"),
                "usual": name == setup.sheet,
                "fits": not misfits,  # whether all kinds of cards fit unscaled
                "why": misfits[0].message if misfits else None,
            }
        )
    return {
        "language": setup.language,
        "backs": setup.backs,
        "decks": decks,
        "factions": [pick(faction, "id", "name") for faction in game.model.factions.values()],
        "markers": [{**pick(m, "id", "copies"), "name": m.face.name} for m in setup.markers],
        "sheets": sheets,
        "things": [
            {**to_plain(product), "changes": product.supports_changes}
            for product in list_products(game).values()
        ],
    }


def require_ids(product: Product, ids: Collection[str], game: GameSource) -> None:
    """Raise a ChoiceError if a product cannot be made from these ids.

    The library checks the names of cards.
    """
    if product.of is None and ids:
        raise ChoiceError(f"`{product.id}` is always made from the whole game")
    if product.needs and not ids:
        raise ChoiceError(f"nothing is chosen to make `{product.id}` from", "choose something")
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
    what = product.of.replace("-", " ").removesuffix("s")
    for name in ids:
        require_known(name, known[product.of], what)


def list_printers() -> list[Json]:
    """Return all printers by name, with lengths in mm, and margins clockwise from the top.

    Raises:
        GameError: if their file cannot be read.
    """
    return [
        {"name": name, **pick(printer, "offset", "flip"), "margins": [*printer.margins]}
        for name, printer in sorted(_load_known_printers().items())
    ]


def remember_printer(body: Json) -> None:
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


def remove_printer(body: Json) -> None:
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
    printers = load_printers(report)
    if printers is None:
        raise GameError(report)
    return printers


def _read_printer_name(body: Json) -> str:
    name = body.get("name")
    if not isinstance(name, str) or not is_printer_name(name):
        raise ChoiceError("the name of a printer has at most 40 letters, digits, `-` and `_`")
    return name


def _format_lengths(lengths: object) -> str:
    """Format lengths in mm as the command line takes them."""
    if not isinstance(lengths, list) or not all(isinstance(each, (int, float)) for each in lengths):
        raise ChoiceError(f"`{str(lengths)[:50]}` is not a list of lengths in mm")
    return ",".join(f"{each:.4f}mm" for each in lengths)


_PICTURE_NAME = re.compile(r"[0-9a-f]{32}\.(svg|png)")
_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
_FILE_HEADERS = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'"}
_INLINE_TYPES = {"application/pdf", "image/png", "image/webp"}
"""The types that a browser may open in a tab, as they cannot run scripts."""


class PrintHandlers:
    """Handles the requests for printing."""

    def __init__(self, session: StudioSession) -> None:
        self._session = session
        self._previews = PreviewWorker()
        self._jobs = JobQueue(self._send_job_event)
        self._temporary: Path | None = None
        session.on_end.append(self._end)
        session.on_closing.append(self._previews.close)

    @get("/api/print")
    async def offer(self) -> Json:
        """Return what can be printed, and the known printers."""
        data = await asyncio.to_thread(describe_printing, await self._game())
        data["printers"] = await asyncio.to_thread(list_printers)
        read_only = self._session.writer.read_only
        return {**data, "readOnly": read_only, "goes": "temporary" if read_only else "out"}

    @post("/api/print/preview")
    async def preview(self, request: Request, body: Json) -> Response | None:
        """Return the pages of a print request."""
        return await self._ask(request, {**await self._question(body), "call": "preview"})

    @get("/api/print/changes")
    async def changes(self, request: Request, deck: str = "") -> Response | None:
        """Return the changes in a deck since its previous print."""
        game = await self._game()
        require_known(deck, {path.stem: None for path in game.folder.deck_files()}, "deck")
        return await self._ask(request, {**self._locations(), "call": "changes", "deck": deck})

    async def _ask(self, request: Request, question: Json) -> Response | None:
        """Ask the preview worker, unless the client disconnects; its answer is plain already."""
        answer = await run_while_connected(request, self._previews.ask(question))
        return None if answer is None else JSONResponse(answer)

    @get("/sheets/{name}")
    async def sheet(self, name: str) -> Response | None:
        """Return the picture of a page."""
        match = _PICTURE_NAME.fullmatch(name)
        if match is None:
            return None
        picture = await self._previews.ask({**self._locations(), "call": "picture", "name": name})
        if picture is not None and match[1] == "png":
            picture = base64.b64decode(picture)
        return image_response(picture, _TYPES[match[1]])

    @get("/api/print/jobs")
    async def jobs(self) -> Json:
        """Return all jobs."""
        return {"jobs": self._jobs.serialize_all()}

    @post("/api/print/jobs")
    async def begin(self, body: Json) -> Json:
        """Queue a job."""
        return self._jobs.begin(await self._question(body)).serialize()

    @post("/api/print/jobs/{job}/cancel")
    async def cancel(self, job: str) -> Json | None:
        """Cancel a job."""
        known = self._jobs.job(job)
        if known is None:
            return None
        await self._jobs.cancel(known)
        return known.serialize()

    @post("/api/print/jobs/{job}/forget")
    async def forget(self, job: str) -> Json | None:
        """Remove a finished job from the list."""
        known = self._jobs.job(job)
        if known is None:
            return None
        if not known.is_finished:
            raise ChoiceError("this job has not ended", "cancel it first")
        self._jobs.forget(job)
        return {}

    @get("/files/{file}")
    async def file(self, request: Request, file: str) -> Response | None:
        """Return a file that a job has written."""
        known = self._jobs.file(file)
        if known is None:
            return None
        if not known.is_unchanged:
            raise RefusedError(410, {"message": "the file has changed since it was made"})
        inline = "open" in request.query_params and known.type in _INLINE_TYPES
        return FileResponse(
            known.path,
            headers=_FILE_HEADERS,
            media_type=known.type,
            filename=known.path.name,
            content_disposition_type="inline" if inline else "attachment",
        )

    @post("/api/print/printers")
    async def remember(self, body: Json) -> Json:
        """Save the measured values of a printer."""
        return await self._change_printers(remember_printer, body)

    @post("/api/print/printers/forget")
    async def forget_printer(self, body: Json) -> Json:
        """Remove a printer."""
        return await self._change_printers(remove_printer, body)

    async def _change_printers(self, change: Callable[[Json], None], body: Json) -> Json:
        self._session.writer.require_writable()
        await asyncio.to_thread(change, body)
        self._session.streams.send({"kind": "print"})
        return {"printers": await asyncio.to_thread(list_printers)}

    async def _game(self) -> GameSource:
        model = await self._session.call(lambda: self._session.live_game.own.model)
        return GameSource(model, self._session.folder)

    async def _question(self, body: Json) -> Json:
        """Validate the page's choices and return the question for a worker process."""
        game = await self._game()
        products = await asyncio.to_thread(list_products, game)
        name = body.get("thing")
        require_known(str(name), products, "thing to print")
        product = products[str(name)]
        of = read_names(body.get("of", []), "of")
        require_ids(product, of, game)
        options = read_values(product.options, body.get("options", {}))
        return {**self._locations(), "thing": product.id, "of": of, "options": options}

    def _locations(self) -> Json:
        """Return the folders of the game, of output and of earlier prints, and the language."""
        folder = self._session.folder.path.absolute()
        language = self._session.live_game.language
        out = where = folder / "out" / language
        if self._session.writer.read_only:
            if self._temporary is None:
                self._temporary = Path(tempfile.mkdtemp(prefix="deckwright-"))
            where = self._temporary / language
        prints = [str(each) for each in dict.fromkeys((where, out))]
        places = {"folder": str(folder), "where": str(where), "prints": prints}
        return {**places, "language": language}

    def _send_job_event(self, event: dict[str, Any]) -> None:
        streams = self._session.streams
        streams.send(event)
        if event.get("job", {}).get("state") == "done":  # it is now the previous print
            streams.send({"kind": "print"})

    async def _end(self) -> None:
        await asyncio.gather(self._jobs.end(), self._previews.end())
        if self._temporary is not None:
            with suppress(OSError):
                shutil.rmtree(self._temporary)
