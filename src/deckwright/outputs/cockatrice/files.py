"""Cards and decks as files of Cockatrice, a program for playing card games over the network.

The card database is of version 4, deck lists of version 1; both are described in
https://github.com/Cockatrice/Cockatrice/tree/master/doc. The files stand in folders as they do in
the program's own folder, so that they can be copied there as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.names import unused
from deckwright.base.output import write_data
from deckwright.checks.loading import Rules, load_deck, load_whole
from deckwright.checks.zoning import zoned
from deckwright.faces.backs import has_own_back
from deckwright.faces.images import prepare_images
from deckwright.game.decklist import format_of, tokens_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, FaceKey, Game
from deckwright.outputs.cockatrice.cards import Cards, Mapped, mapped, put
from deckwright.outputs.cockatrice.names import Entry, entries_of, picture_name, with_backs
from deckwright.templates.template_set import Templates


class CockatriceOptions(NamedTuple):
    """How to export, as `Game.export_cockatrice` says; `address` is its `picture_url`."""

    cost: str | None = None
    power: tuple[str, ...] = ()
    pictures: bool = False
    dpi: float = 300
    address: str | None = None
    style: str | None = None
    rules: Rules = Rules()


class Exported(NamedTuple):
    """What was written.

    Attributes:
        renamed: the names that cards have in Cockatrice, where they differ from their own.
        findings: the warnings, and what is wrong with decks that were left out.
    """

    cards: int
    tokens: int
    decks: tuple[Path, ...]
    database: Path
    pictures: Path | None
    renamed: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_game(
    folder: GameFolder,
    decks: Sequence[Path],
    target: Path,
    options: CockatriceOptions,
    report: Report,
) -> Exported | None:
    """Write a game and deck lists of it to the folder `target`.

    A deck with errors is not written, the others are.

    Returns:
        what was written; None after reporting why nothing was, or not all.
    """
    game = load_whole(folder, report)
    if game is None:
        return None
    templates = Templates(game, folder, options.style)
    entries = with_backs(
        entries_of(game),
        game.setup.words["back"],
        lambda entry: has_own_back(templates, entry.card, entry.faction_id, report),
    )
    name = _file_name(game.setup.name)
    fields = mapped(game.setup, options.cost, options.power)
    database = target / "customsets" / f"{name}.xml"
    files = {database: card_database(game, entries, fields, options.address)}
    for path in decks:
        findings: Report = []
        loaded = load_deck(folder, path, options.rules, findings)
        report.extend(findings)
        if loaded is not None:
            files[target / "decks" / f"{path.stem}.cod"] = deck_file(game, loaded[1], entries)
    for path, data in files.items():
        if not write_data(path, data, report):
            return None
    pictures = target / "pics" / "CUSTOM" / name if options.pictures else None
    if pictures is not None and not _draw(game, folder, entries, pictures, options, report):
        return None
    tokens = sum(entry.card.kind.token for entry in entries)
    renamed = tuple(entry.name for entry in entries if entry.name != entry.card.name)
    written = tuple(path for path in files if path != database)
    return Exported(len(entries) - tokens, tokens, written, database, pictures, renamed)


def _file_name(name: str) -> str:
    """Return the name of a game as that of a file."""
    return re.sub(r"[^\w-]+", "-", name).strip("-") or "game"


def _draw(
    game: Game,
    folder: GameFolder,
    entries: Iterable[Entry],
    target: Path,
    options: CockatriceOptions,
    report: Report,
) -> bool:
    """Draw the pictures of cards in the folder `target`; return whether that went well."""
    from deckwright.faces.factory import FaceFactory  # noqa: PLC0415 - only to draw
    from deckwright.faces.watermark import watermark  # noqa: PLC0415
    from deckwright.outputs.kept_pictures import Pictures  # noqa: PLC0415
    from deckwright.paint.raster import Encoding, Raster  # noqa: PLC0415

    factory = FaceFactory(game, folder, report, options.style)
    images = factory.pictures.store
    faces = {}
    for entry in entries:
        face = factory.card_face(entry.card, entry.faction_id, report, entry.part)
        if face is not None:
            faces[picture_name(entry.name)] = face
        if entry.back is not None:
            back = factory.card_back(entry.card, entry.faction_id, report, entry.part)
            if back is not None:
                faces[picture_name(entry.back)] = back
    mark = watermark(factory, None, report)
    faces = {name: mark.on(face) for name, face in faces.items()}
    if not prepare_images(faces.values(), images, report):
        return False
    pictures = Pictures(factory.fonts, images, Raster(options.dpi), Encoding("png"))
    files = zip(faces, pictures.files([*faces.values()]), strict=True)
    return all(write_data(target / f"{name}.png", data, report) for name, data in files)


def card_database(
    game: Game, entries: Sequence[Entry], fields: Mapped, pictures: str | None
) -> bytes:
    """Return the card database of a game.

    Args:
        pictures: the address below which the pictures can be found, None for the user's own.
    """
    sets = _sets(game)
    root = ET.Element("cockatrice_carddatabase", version="4")
    info = ET.SubElement(root, "info")
    put(info, author=game.setup.author or None, sourceVersion="Deckwright")
    holder = ET.SubElement(root, "sets")
    used = {_set_of(entry) for entry in entries}
    for faction_id, code in sets.items():
        if faction_id in used:
            name = game.factions[faction_id].name if faction_id else game.setup.words["tokens"]
            element = ET.SubElement(holder, "set")
            put(element, name=code, longname=f"{game.setup.name}: {name}", settype="Custom")
    cards = ET.SubElement(root, "cards")
    numbers: Counter[str] = Counter()
    writer = Cards(game, _by_key(entries), fields, pictures)
    for entry in entries:
        code = sets[_set_of(entry)]
        numbers[code] += 1
        cards.append(writer.card(entry, code, numbers[code]))
        if entry.back is not None:
            numbers[code] += 1
            cards.append(writer.back(entry, code, numbers[code]))
    return _written(root)


def _by_key(entries: Iterable[Entry]) -> dict[FaceKey, Entry]:
    return {entry.key: entry for entry in entries}


def _set_of(entry: Entry) -> str:
    """Return the faction whose set a card is in, "" for that of the tokens."""
    return "" if entry.card.kind.token else entry.faction_id


def _sets(game: Game) -> dict[str, str]:
    """Return the short names of sets by faction; that of the tokens under ""."""
    initials = "".join(word[0] for word in re.findall(r"\w+", game.setup.name)).upper()[:3]
    letters = {i: re.sub(r"[^0-9A-Za-z]", "", i or "TK").upper() for i in (*game.factions, "")}
    taken = set[str]()
    return {i: unused(f"{initials}{own}", taken, "") for i, own in letters.items()}


def deck_file(game: Game, deck: Deck, entries: Iterable[Entry]) -> bytes:
    """Return a deck list: one zone is the main deck, all others are the sideboard."""
    names = _by_key(entries)
    main = game.setup.main_zone
    zones: dict[str, Counter[str]] = {"main": Counter(), "side": Counter(), "tokens": Counter()}
    for line in zoned(game, deck):
        zone = zones["main" if line.zone is None or line.zone.id == main.id else "side"]
        for part in range(1, line.card.parts + 1):
            zone[names[line.card.faction_id, line.card.id, part].name] += line.entry.copies
    for count in tokens_of(game, deck):
        for part in range(1, count.token.parts + 1):
            zones["tokens"][names["", count.token.id, part].name] += count.copies
    root = ET.Element("cockatrice_deck", version="1")
    form = format_of(game, deck)
    parts = [game.setup.name, game.factions[deck.faction_id].name]
    parts += [form.name] if form else []
    put(root, deckname=deck.name, comments=" – ".join(parts))
    for zone_id, counts in zones.items():
        if counts or zone_id == "main":
            element = ET.SubElement(root, "zone", name=zone_id)
            for name, copies in counts.items():
                ET.SubElement(element, "card", number=str(copies), name=name)
    return _written(root)


def _written(root: ET.Element) -> bytes:
    ET.indent(root)
    text: str = ET.tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
