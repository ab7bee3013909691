"""Read the cards of a file: all of them, or those that have changed since it was read before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from deckwright.base.findings import Code, Diagnostic, Report, Severity, capped
from deckwright.game import read, shapes
from deckwright.game.folder import faction_of
from deckwright.game.model import Card, Gap
from deckwright.game.reading import CardFile, Reading, Sifted, reading_of
from deckwright.game.setup import Setup
from deckwright.xmlio.load import load_text, parsed
from deckwright.xmlio.splicing import spliced
from deckwright.xmlio.validate import sift_document

R008 = Code("R008", Severity.ERROR, "a card in the file of another faction")


def load_cards(file: Path, setup: Setup, report: Report) -> CardFile:
    """Return the cards of a card file, without those that have mistakes.

    Cards of another faction are reported, and taken for ones of the file's faction.
    """
    return reading_of(file, lambda former: _read_cards(file, setup, former), report).cards


def _read_cards(file: Path, setup: Setup, former: Reading | None) -> Reading:
    found: Report = []
    text = load_text(file, found)
    if text is None:
        return Reading(None, tuple(found))
    known = _changed_cards(former, text, setup) if former else None
    if known is None:
        root = parsed(file, text, found)
        left_out = None if root is None else sift_document(root, shapes.cards_shape(setup), found)
        if root is None or left_out is None:
            return Reading(None, tuple(found))
        known = cards_of(Sifted(root, left_out), setup, faction_of(file))
    if file.name.endswith("_cards.xml"):
        faction_id = faction_of(file)
        found.extend(capped(_strangers(known.cards, faction_id), of_one_file=True))
        cards = [
            card if card.faction_id == faction_id else card._replace(faction_id=faction_id)
            for card in known.cards
        ]
        known = known._replace(cards=cards)
    return Reading(None, tuple(found), known)


def _changed_cards(former: Reading, text: str, setup: Setup) -> CardFile | None:
    """Return the cards of a changed file, only those that have changed read again.

    Returns:
        None if there is a mistake in these, or was one in the file.
    """
    before = former.cards.cards
    if former.findings or not before:
        return None
    ordinals = [card.source.ordinal for card in before]
    changed = spliced(before[0].source.document, ordinals, text)
    if changed is None:
        return None
    found: Report = []
    sift_document(changed.root, shapes.cards_shape(setup), found)
    if found:
        return None
    document, tail = changed.document, len(before) - changed.tail
    between = read.read_cards(changed.root, setup)
    cards = [card.moved(document, 0) for card in before[: changed.head]]
    cards += [card.moved(document, changed.root_shift) for card in between]
    cards += [card.moved(document, changed.shift) for card in before[tail:]]
    return CardFile(cards, Gap())


def cards_of(sifted: Sifted, setup: Setup, faction_id: str | None = None) -> CardFile:
    """Return the cards of a file; stubs are of this faction, or else of the one that they name."""
    stubs = [
        stub
        for node in sifted.left_out
        for stub in read.read_stubs([node], setup, faction_id or node.get("faction_id") or "")
    ]
    return CardFile(read.read_cards(sifted.root, setup), sifted.gap, stubs)


def _strangers(cards: Iterable[Card], faction_id: str) -> Iterator[Diagnostic]:
    for card in cards:
        if card.faction_id != faction_id:
            yield R008.at(
                card.source.at("faction_id"),
                f"card `{card.id}` of faction `{card.faction_id}` is in the file of `{faction_id}`",
                f'move it to `{card.faction_id}_cards.xml`, or write `faction_id="{faction_id}"`',
            )
