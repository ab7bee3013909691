"""Write a game, or some of its decks, as a page for browsers: one file, and the faces beside it.

The page needs no server and no network. Without JavaScript it lists all cards, decks and rules; its
script adds what the studio's wall can do without a server: search, filters and opened cards.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from deckwright.base.files import files_below, make_unique, replace_folder, stage_folder
from deckwright.base.findings import Report
from deckwright.base.output import OutputError, report_failure, stop_on_errors, write_failure
from deckwright.base.processes import track_progress
from deckwright.base.units import format_measure
from deckwright.checks.loading import LimitOptions, load_checked_game, load_deck
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.faces.card_text import plain_text
from deckwright.faces.copies import NamedFace, face_name
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_backs, compose_fronts, prepare_images
from deckwright.faces.watermark import make_watermark
from deckwright.game.card_data import (
    CardData,
    collect_aliases,
    collect_filters,
    collect_printed_names,
    serialize_card,
)
from deckwright.game.decklist import format_of, name_rules
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.words import language_of
from deckwright.outputs.package.ticket import SUMS, format_sums, require_replaceable
from deckwright.outputs.pictures import PictureExport, PictureOptions, draw_svg
from deckwright.text.bidi import language_direction

_INDEX = "index.html"
_HERE, _STUDIO = Path(__file__).parent, PACKAGE / "studio" / "pages"
_SHEETS = (_STUDIO / "studio.css", _STUDIO / "cards" / "cards.css", _HERE / "page.css")
_SCRIPTS = (_STUDIO / "shared" / "filters.js", _HERE / "page.js")
"""Modules in order; they are joined, since a page that is opened from a folder imports none."""
_MODULE_SYNTAX = re.compile(r"^import [^;]*;\n|^export (?=const|function)", re.MULTILINE)


def _key(card: Card, faction_id: str) -> CardKey:
    """Return the key of a card; factions print the same tokens."""
    return "" if card.kind.token else faction_id, card.id


class _Tile(NamedTuple):
    """A face on the wall: its id on the page, the key and the data of its card, and its sides."""

    anchor: str
    key: CardKey
    data: CardData
    front: NamedFace
    back: NamedFace | None


class _ShownDeck:
    """A deck with its id on the page, and the copies of its cards and tokens."""

    def __init__(self, id_: str, game: Game, stats: DeckStats) -> None:
        self.id, self.stats, deck = id_, stats, stats.deck
        self.about = game.factions.get(deck.faction_id), format_of(game, deck)
        self.copies = Counter({_key(each.token, ""): each.copies for each in stats.tokens})
        for line in chain.from_iterable(zone.lines for zone in stats.zones):
            self.copies[_key(line.card, line.card.faction_id)] += line.entry.copies


def export_html(
    folder: GameFolder,
    named: Sequence[Path],
    target: Path,
    options: PictureOptions,
    rules: LimitOptions,
    report: Report,
) -> PictureExport:
    """Write a page that replaces the folder `target`.

    Args:
        named: the decks whose cards it shows; if empty, it shows the whole game, without decks that
            have errors.
    """
    kept = require_replaceable(target, _INDEX, "page")
    game, decks = _load(folder, named, rules, report)
    before = len(report)
    factory = FaceFactory(game, folder, report, options.style)
    wanted = {*chain.from_iterable(deck.copies for deck in decks)} if named else None
    tiles = [*_make_tiles(factory, wanted, report)]
    mark = make_watermark(factory, options.watermark, report)
    sides = {id(side.face): side for tile in tiles for side in (tile.front, tile.back) if side}
    faces = [side._replace(face=mark.apply(side.face)) for side in sides.values()]
    prepare_images((named.face for named in faces), factory.pictures.store, report)
    stop_on_errors(report, before)
    files: dict[int, str] = {}
    try:
        with stage_folder(target) as place:
            (place / "faces").mkdir()
            drawn = track_progress(draw_svg(faces, factory), "drawing")
            for face, (name, data) in zip(sides, drawn, strict=True):
                files[face] = f"faces/{quote(name)}"
                (place / "faces" / name).write_bytes(data)
            alone = decks[0] if len(named) == 1 else None
            page = _render_page(game, tiles, decks, alone, lambda side: files[id(side.face)])
            (place / _INDEX).write_bytes(page.encode())
            written = {path.relative_to(place).as_posix(): path for path in files_below(place)}
            (place / SUMS).write_bytes(format_sums(dict(sorted(written.items()))))
            replace_folder(place, target, kept)
    except OSError as error:
        raise OutputError(write_failure(target, error)) from error
    return PictureExport(len(tiles), target)


def _load(
    folder: GameFolder, named: Sequence[Path], rules: LimitOptions, report: Report
) -> tuple[Game, list[_ShownDeck]]:
    """Return the game, or for a single deck the part of it that the deck needs, and the decks."""
    decks, ids = list[_ShownDeck](), set[str]()
    game = None if len(named) == 1 else load_checked_game(folder, report)
    for path in named or folder.deck_files():
        findings: Report = []
        with report_failure(findings):
            own, deck, deck_rules = load_deck(folder, path, rules, findings)
            stats, game = deck_stats(own, deck, deck_rules), game or own
            decks.append(_ShownDeck(make_unique(path.stem, ids), own, stats))
        report += [finding for finding in findings if finding not in report]
    if named:
        stop_on_errors(report)
    assert game is not None
    return game, decks


def _make_tiles(
    factory: FaceFactory, wanted: Collection[CardKey] | None, report: Report
) -> Iterator[_Tile]:
    """Yield the faces of all or the wanted cards and tokens; report those with errors."""
    printed = [each for each in factory.game.printable_cards() if each[1]]
    if wanted is not None:
        printed = [each for each in printed if _key(each.card, each.faction_id) in wanted]
    factory.prefetch([(each.card, each.faction_id) for each in printed], report)
    ids, shared, backs = set[str](), set[int](), dict[int, NamedFace]()
    for each in track_progress(printed, "composing faces"):
        card, faction_id, _ = each
        backs |= {id(back.face): back for back in compose_backs(factory, each, shared, report)}
        key, data = _key(card, faction_id), serialize_card(card, faction_id, factory.game)
        anchor = make_unique("-".join(("card", *key)), ids)
        for part, front in enumerate(compose_fronts(factory, each, report), 1):
            back = factory.card_back(card, faction_id, report, part)
            named: CardData = {**data, "name": face_name(card, part)}
            own = f"{anchor}.{part}" if part > 1 else anchor
            yield _Tile(own, key, named, front, backs.get(id(back)))


def _render_page(
    game: Game,
    tiles: Sequence[_Tile],
    decks: Sequence[_ShownDeck],
    alone: _ShownDeck | None,
    file_of: Callable[[NamedFace], str],
) -> str:
    """Return the page.

    Args:
        alone: the deck that it is about, None for a game.
        file_of: returns the address of a face.
    """
    setup, language = game.setup, language_of(game.setup)
    spoken = language if language == "de" else "en"
    words = json.loads((_STUDIO / "words" / f"{spoken}.json").read_bytes())["words"]
    sizes = [*dict.fromkeys((tile.front.face.width, tile.front.face.height) for tile in tiles)]
    shown = {tile.data["faction"] for tile in tiles}
    factions = [faction for faction in game.factions.values() if faction.id in shown]
    places = {faction.id: place for place, faction in enumerate(factions)}
    tiles = sorted(tiles, key=lambda tile: places[tile.data["faction"]])
    sheets = [path.read_text(encoding="utf-8") for path in _SHEETS]
    sheets += (f".size{n} {{ --w: {w}; --h: {h}; }}" for n, (w, h) in enumerate(sizes))
    sheets += (f".faction{n} {{ --faction: {each.color}; }}" for n, each in enumerate(factions))
    modules = (_MODULE_SYNTAX.sub("", path.read_text(encoding="utf-8")) for path in _SCRIPTS)
    script = "\n".join(['"use strict";', "{", *modules, "}"])
    data = {
        "game": {
            "language": language,
            "filters": collect_filters(game),
            "kinds": {kind.tag: kind.name for kind in setup.kinds.values()},
            "labels": collect_printed_names(setup),
        },
        "factions": [{"id": f.id, "name": f.name, "color": f.color} for f in factions],
        "decks": [{"value": deck.id, "name": deck.stats.deck.name} for deck in decks],
        "aliases": collect_aliases(setup),
        "words": {id_: words[id_] for id_ in re.findall(r'"([a-z-]+)"', script) if id_ in words},
        "faces": [
            {
                **tile.data,
                "back": file_of(tile.back) if tile.back else None,
                "copies": {deck.id: n for deck in decks if (n := deck.copies[tile.key])},
            }
            for tile in tiles
        ],
    }
    context = {"game": setup, "decks": decks, "alone": alone, "tiles": tiles, "sizes": sizes,
               "factions": factions, "words": words, "data": data, "script": script}  # fmt: skip
    loader = FileSystemLoader(_HERE)
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    pages.trim_blocks = True
    return pages.get_template("page.html").render(
        context,
        style="\n".join(sheets),
        language=setup.language.replace("_", "-"),
        direction=language_direction(language),
        foreign="" if spoken == language else spoken,
        anchors={tile.key: tile.anchor for tile in reversed(tiles)},
        rules=name_rules(game, ((tile.front.card, tile.data["faction"]) for tile in tiles)),
        file_of=file_of,
        hash=_hash,
        measure=partial(format_measure, language=language),
        plain=partial(plain_text, symbols=setup.symbols),
    )


def _hash(text: str) -> str:
    """Return what the policy of a page says to allow an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
