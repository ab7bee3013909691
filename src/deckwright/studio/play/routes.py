"""The routes of the table, on which games are begun, played, replayed and summarized."""

from __future__ import annotations

import re
import secrets
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from deckwright.api import Game, GameError
from deckwright.api.hands import MAX_RANDOM_SEED
from deckwright.base.files import is_file, list_folder, make_unique, resolve_target
from deckwright.base.findings import ChoiceError, Report
from deckwright.base.parsing import Bounds, Text
from deckwright.base.units import round_number
from deckwright.decks.odds import resolve_opening
from deckwright.decks.play.log import format_event, read_log
from deckwright.decks.play.summary import describe_play
from deckwright.decks.play.table import MARKER, Event, Play, Table
from deckwright.game.model import Deck
from deckwright.game.table_sums import TableSums
from deckwright.studio.answers import Json, LocalizedError, pick
from deckwright.studio.decks.hands import USUAL_HAND, require_drawable
from deckwright.studio.decks.repository import DeckRepository
from deckwright.studio.described import serialize_finding
from deckwright.studio.drafts import format_card_key, key_of
from deckwright.studio.editing.pictures import list_pictures
from deckwright.studio.routing import get, post
from deckwright.studio.session import StudioSession

_MAX_LISTED = 50
"""The number of games in the list."""
_Name = Annotated[str, Bounds(1, 200)]


class _OpenLog:
    """A played game and its log file."""

    def __init__(self, path: Path, play: Play, size: int, findings: Report) -> None:
        """Take a game as read from its file, whose first `size` bytes are whole lines."""
        self.path, self.play, self._size, self.findings = path, play, size, findings

    @property
    def is_current(self) -> bool:
        """True if the file still has at least the lines that were read."""
        return is_file(self.path) and self.path.stat().st_size >= self._size

    def append(self, event: Event) -> None:
        """Write an event to the file, over a last line that is incomplete."""
        with resolve_target(self.path).open("r+b") as stream:
            stream.seek(max(0, self._size - 1))
            line = b"" if stream.read(1) in {b"\n", b""} else b"\n"
            line += format_event(event).encode() + b"\n"
            stream.seek(self._size)
            stream.write(line)
            stream.truncate()
        self._size += len(line)


class PlayHandlers:
    """Handles the requests of the table."""

    def __init__(self, session: StudioSession) -> None:
        """Take the running studio. Without write access, games last until it ends."""
        self._session = session
        self._folder = session.folder.path / "out" / "play"
        if session.writer.read_only:
            self._folder = Path(tempfile.mkdtemp())
            session.on_closing.append(lambda: shutil.rmtree(self._folder, ignore_errors=True))
        self._logs: dict[str, _OpenLog] = {}
        model = self._game.model
        self._sums = model, TableSums(model)

    @property
    def _game(self) -> Game:
        return self._session.live_game.game

    @get("/api/play")
    def listing(self) -> Json:
        """Return the recorded games, and what tables need: markers, tokens and names."""
        model, pictures = self._game.model, self._session.live_game.pictures
        setup, top = model.setup, model.setup.tabletop
        markers, creates = list[Json](), dict[str, list[str]]()
        for marker in setup.markers:
            sides: Json = {}
            for side in ("face", "back"):
                with suppress(GameError):
                    face = self._game.marker_face(marker.id, other=side == "back")
                    sides[side] = face and pictures.add(face)
            facts = {"card": f"{MARKER}{marker.id}", "name": marker.face.name, **sides}
            markers.append(
                {**facts, "shape": marker.shape, "width": marker.size, "height": marker.height}
            )
        printed = [each for each in model.printable_cards() if each.faction_id]
        made: dict[str, list[str]] = {}
        for token, owner, rule_id in printed:
            if rule_id:
                made.setdefault(rule_id, []).append(format_card_key((owner, token.id)))
        for card, owner, _ in printed:
            found = [key for rule_id in card.rule_ids() for key in made.get(rule_id, ())]
            if found:
                creates[format_card_key((owner, card.id))] = found
        mats = (sum_ for name, sum_, _ in list_pictures(self._session.folder.images)
                if name == top.mat)  # fmt: skip
        return {
            "games": self._list_games(),
            "names": {
                **{zone.id: zone.name for zone in setup.zones},
                **{area.id: area.name for area in top.areas},
            },
            "mat": next(mats, None),
            "markers": markers,
            "tokens": [key for keys in made.values() for key in keys],
            "creates": creates,
        }

    def _list_games(self) -> list[Json]:
        """Return the latest games, newest first."""
        found = [path for path in list_folder(self._folder) if path.suffix == ".jsonl"]
        games: list[Json] = []
        for path in sorted(found, key=lambda path: -path.stat().st_mtime)[:_MAX_LISTED]:
            with suppress(LocalizedError):
                table = self._open(path.stem).play.table
                decks = [player.name for player in table.setting.players]
                seed, changed = table.setting.seed, path.stat().st_mtime
                games.append({"name": path.stem, "decks": decks, "seed": seed, "turn": table.turn,
                              "events": table.number, "changed": changed})  # fmt: skip
        return games

    @post("/api/play/begin")
    def begin(
        self,
        decks: Annotated[list[object], Bounds(1, 2)],
        seed: Annotated[int, Bounds(0, 2**53)] | None = None,
    ) -> Json:
        """Begin a game with one deck or two, each given by its id or as a draft."""
        repository = DeckRepository(self._game, self._session.writer)
        given = [repository.resolve(each) for each in decks]
        seed = secrets.randbelow(MAX_RANDOM_SEED) if seed is None else seed
        event = self._make_beginning(given, seed)
        slug = re.sub(r"[^\w-]+", "_", "-".join(filter(None, (deck.stem for deck in given))))
        taken = {path.stem.casefold() for path in list_folder(self._folder)}
        name = make_unique(f"{slug[:80] or 'game'}-{seed}", taken, "_", 120)
        path = resolve_target(self._folder / f"{name}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{format_event(event)}\n", encoding="utf-8")
        return self._describe(self._open(name))

    def _make_beginning(self, decks: list[Deck], seed: int) -> Event:
        """Return the first event of a game, from which all shuffling follows."""
        model = self._game.model
        opening = resolve_opening(model.setup, hand=None if model.setup.opening else USUAL_HAND)
        players, areas = list[Json](), dict[str, str]()
        named = {zone.id for zone in model.setup.zones}  # these areas only get a name
        more = [each for each in model.setup.tabletop.areas if each.id not in named]
        own = {each.id: each.kind for each in more if not each.shared}
        for number, deck in enumerate(decks):
            piles = {
                zone.id: [
                    key_of(line.card) for line in zone.lines for _ in range(line.entry.copies)
                ]
                for zone in require_drawable(model, deck).zones
            }
            kinds = {**dict.fromkeys(piles, "pile"), **own, "hand": "hand", "discard": "discard"}
            areas |= {f"{number}/{area}": kind for area, kind in kinds.items() if area != "table"}
            players.append({"deck": deck.stem, "name": deck.name, "piles": piles})
        shared = {each.id: each.kind for each in more if each.shared}
        faces = {
            format_card_key((owner, card.id)): card.parts
            for card, owner, _ in model.printable_cards()
            if card.parts > 1
        }
        return {"do": "begin", "seed": seed, "opening": opening._asdict(), "players": players,
                "areas": {**areas, **shared, "table": "free"}, "faces": faces}  # fmt: skip

    def _open(self, name: str) -> _OpenLog:
        """Return a game by the name of its log.

        Raises:
            LocalizedError: if there is none, or it cannot be read.
        """
        known = self._logs.get(name)
        if known is not None and known.is_current:
            return known
        path = next((p for p in list_folder(self._folder) if p.name == f"{name}.jsonl"), None)
        report: Report = []
        found = None if path is None or not is_file(path) else read_log(path, report)
        if path is None or found is None:
            message = f"there is no game `{name}` in out/play, or its log has no beginning"
            raise LocalizedError("play-gone", name, message=message)
        self._logs[name] = _OpenLog(path, *found, report)
        return self._logs[name]

    def _describe(self, log: _OpenLog, since: int = 0, at: int | None = None) -> Json:
        """Return the state of a game.

        Args:
            since: the number of the first entry to return.
            at: the moment, as a number of events; None for the present.
        """
        play, folder = log.play, self._session.folder.path
        table = play.table if at is None else play.at(at)
        return {
            "name": log.path.stem,
            "setting": pick(table.setting, "seed", "opening", "players", "areas", "faces"),
            "count": len(play.done),
            "undone": len(play.undone),
            "since": since,
            "entries": play.table.entries[since:],
            "table": table.as_data(),
            "sums": self._add_up(table),
            "findings": [serialize_finding(each, folder) for each in log.findings],
        }

    def _add_up(self, table: Table) -> dict[str, list[Json]]:
        """Return the sums of each player's rows, and of all of these together."""
        model = self._game.model
        if self._sums[0] is not model:
            self._sums = model, TableSums(model)
        printed = {
            format_card_key((owner, card.id)): (card, owner)
            for card, owner, _ in model.printable_cards()
        }
        totals: dict[str, dict[str, float]] = {}
        for area, kind in table.setting.areas.items():
            player, slash, _ = area.partition("/")
            for each in model.setup.tabletop.sums if kind == "row" and slash else ():
                pieces = map(table.pieces.__getitem__, table.areas[area])
                value = sum(
                    self._sums[1].compute(each, *printed[piece.card], table.markers_on(piece.id))
                    for piece in pieces
                    if piece.up and piece.card in printed
                )
                for name in (area, player):
                    sums = totals.setdefault(name, {})
                    sums[each.name] = round_number(sums.get(each.name, 0) + value)
        return {
            area: [{"name": name, "value": value} for name, value in sums.items()]
            for area, sums in totals.items()
        }

    @get("/api/play/game")
    def game(self, name: str = "", at: str = "") -> Json:
        """Return a game as it is, or as it was after the first `at` events."""
        log = self._open(name)
        count = len(log.play.done)
        moment = min(int(at), count) if re.fullmatch(r"\d{1,6}", at) else None
        return self._describe(log, at=moment)

    @post("/api/play/do")
    async def do(self, name: _Name, event: object) -> Json:
        """Apply an event to a game."""
        answer = await self._session.call(self._apply, name, event)
        self._session.streams.send({"kind": "play", "name": name, "count": answer["count"]})
        return answer

    def _apply(self, name: str, event: object) -> Json:
        if not isinstance(event, dict):
            raise ChoiceError("an event is a JSON object")
        log = self._open(name)
        before = len(log.play.table.entries)
        log.play.apply(event)
        try:
            log.append(event)
        except OSError:
            del self._logs[name]  # it is read again from the file, which lacks the event
            raise
        return self._describe(log, since=min(before, len(log.play.table.entries)))

    @get("/api/play/summary")
    def summary(self, name: str = "") -> Json:
        """Return the summary of a game."""
        return describe_play(self._open(name).play, self._game.model).as_data()

    @post("/api/play/delete")
    def delete(self, name: Text) -> Json:
        """Remove the log of a game."""
        log = self._open(name)
        resolve_target(log.path).unlink()
        del self._logs[name]
        return {"ok": True}
