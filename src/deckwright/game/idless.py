"""Give ids to the cards of a game that have none, in their files as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from deckwright.game.folder import GameFolder, faction_of
from deckwright.game.ids import Named, new_ids
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.xml_text import elements_of


def missing_ids(folder: GameFolder, files: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the ids for cards without one, in the order of each file, by the resolved file.

    They differ from all ids of the game, and from those by which decks and the rulebook name
    cards that do not exist: what they mean is not for us to guess.

    Args:
        files: those whose cards get ids; others than card files are passed over.
    """
    wanted = {path.resolve(): path for path in files if path.name.endswith("_cards.xml")}
    others = [path for path in folder.card_files() if path.resolve() not in wanted]
    factions: dict[str, list[Named]] = {}
    for path in others:
        cards = [card for card in _cards(path) if card.id]
        factions.setdefault(faction_of(path), []).extend(cards)
    idless: dict[Path, int] = {}
    for place, path in wanted.items():
        cards = _cards(path)
        factions.setdefault(faction_of(path), []).extend(cards)
        idless[place] = sum(not card.id for card in cards)
    ids = {name: iter(new) for name, new in new_ids(factions, referred_ids(folder)).items()}
    return {
        place: [next(ids[faction_of(wanted[place])]) for _ in range(number)]
        for place, number in idless.items()
        if number
    }


def with_ids(root: Node, ids: Sequence[str]) -> str:
    """Return the text of a card file in which cards without an id have these, in their order."""
    document = elements_of(root.source.document.text)
    new = iter(ids)
    for node, card in zip(root.children, document.children()[0].children(), strict=True):
        if not _id(node):
            card.set("id", next(new), ("id",))
    return str(document)


def _id(node: Node) -> str:
    return (node.get("id") or "").strip()


def _cards(path: Path) -> list[Named]:
    """Return the cards of a file, none if it cannot be read: that is reported elsewhere."""
    root = _loaded(path)
    nodes = root.children if root else []
    return [Named(_id(node), node.get("name") or "") for node in nodes]


def referred_ids(folder: GameFolder) -> dict[str, set[str]]:
    """Return the ids by which decks and the rulebook name the cards of each faction."""
    referred: dict[str, set[str]] = {}
    roots = map(_loaded, [*folder.deck_lists(), *folder.restriction_files(), folder.rulebook_file])
    for node in (node for root in roots if root for node in root.walk() if node.tag == "card"):
        faction = node.get("faction_id") or node.get("faction") or ""
        referred.setdefault(faction, set()).add(_id(node))
    return referred


def _loaded(path: Path) -> Node | None:
    return load_document(path, [])
