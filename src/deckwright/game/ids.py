"""Assign ids to cards without one, following the pattern of existing ids."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from deckwright.game.folder import GameFolder, faction_id_of
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.xml_text import parse_elements

_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})")
_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "ł": "l"}
    | dict.fromkeys("'\N{RIGHT SINGLE QUOTATION MARK}", "")
)


class CardIdentity(NamedTuple):
    """The id and name of a card; the id is "" if it has none."""

    id: str
    name: str


class _Pattern(NamedTuple):
    """A pattern of ids: a number of at least `width` digits after a start, or words of the name.

    Attributes:
        start: what precedes the number; None for words.
        joint: what joins the words.
    """

    start: str | None
    width: int = 1
    joint: str = "-"


def assign_ids(
    factions: Mapping[str, Sequence[CardIdentity]], referenced: Mapping[str, Collection[str]]
) -> dict[str, list[str]]:
    """Return the ids for cards without one, by faction; those `referenced` elsewhere are taken."""
    patterns = {faction: _detect_pattern(faction, cards) for faction, cards in factions.items()}
    given = {}
    for faction, cards in factions.items():
        taken = {*(card.id for card in cards if card.id), *referenced.get(faction, ())}
        pattern = patterns[faction] or _default_pattern(faction, patterns)
        nameless = [card.name for card in cards if not card.id]
        given[faction] = list(_generate_ids(pattern, nameless, faction, taken))
    return given


def make_ids(names: Iterable[str]) -> Iterator[str]:
    """Yield a unique id made from each name."""
    return _generate_ids(_Pattern(None), names, "card", ())


def _detect_pattern(faction: str, cards: Iterable[CardIdentity]) -> _Pattern | None:
    """Return the most common pattern of a faction's ids, None if it has no ids."""
    counts: Counter[_Pattern] = Counter()
    widths: dict[str | None, int] = {}
    for card in (card for card in cards if card.id):
        number = _NUMBERED.fullmatch(card.id)
        if number is None:
            joint = "_" if "_" in card.id and "-" not in card.id else "-"
            if " " in card.name and card.id.casefold() == slugify(card.name, ""):
                joint = ""
            counts[_Pattern(None, joint=joint)] += 1
            continue
        start, digits = number.groups()
        counts[_Pattern(start)] += 1
        if digits.startswith("0"):
            widths[start] = max(widths.get(start, 1), len(digits))
    if not counts:
        return None
    best = max(counts, key=lambda each: (counts[each], (each.start or "").startswith(faction)))
    return best._replace(width=widths.get(best.start, 1))


def _default_pattern(faction: str, patterns: Mapping[str, _Pattern | None]) -> _Pattern:
    """Return the pattern for a faction without ids: the most common one, or its numbered id."""
    counts: Counter[_Pattern] = Counter()
    for name, pattern in patterns.items():
        if pattern is not None and pattern.start is None:
            counts[pattern] += 1
        elif pattern is not None and pattern.start is not None and pattern.start.startswith(name):
            counts[pattern._replace(start=faction + pattern.start.removeprefix(name))] += 1
    return counts.most_common(1)[0][0] if counts else _Pattern(faction)


def _generate_ids(
    pattern: _Pattern, names: Iterable[str], faction: str, used: Iterable[str]
) -> Iterator[str]:
    """Yield an id for each name, unique even if case is ignored."""
    folded = {name.casefold() for name in used}
    start = faction if pattern.start is None else pattern.start
    numbers = [_NUMBERED.fullmatch(name) for name in used]
    last = max((int(number[2]) for number in numbers if number and number[1] == start), default=0)
    numbered = (f"{start}{number:0{pattern.width}}" for number in count(last + 1))
    candidates: dict[str, Iterator[str]] = {"": numbered}
    for name in names:
        word = slugify(name, pattern.joint) if pattern.start is None else ""
        # The word itself, then with a number.
        variants = chain((word,), map(f"{word}-{{}}".format, count(2)))
        of_name = candidates.setdefault(word, variants)
        new_id = next(new for new in of_name if new.casefold() not in folded)
        folded.add(new_id.casefold())
        yield new_id


def slugify(name: str, joint: str) -> str:
    """Return a name as an id: letters without accents, words joined."""
    text = unicodedata.normalize("NFC", name).lower().translate(_LETTERS)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return joint.join(re.findall(r"[a-z0-9]+", plain))


def assign_missing_ids(folder: GameFolder, files: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the ids for cards without one, in file order, by resolved path.

    They differ from all ids of the game, and also from unknown ids in decks and the rulebook: the
    cards meant there must not be guessed.

    Args:
        files: the files whose cards get ids; only card files are used.
    """
    wanted = {path.resolve(): path for path in files if path.name.endswith("_cards.xml")}
    factions: dict[str, list[CardIdentity]] = {}
    for path in folder.card_files():
        if path.resolve() not in wanted:
            cards = [card for card in _load_cards(path) if card.id]
            factions.setdefault(faction_id_of(path), []).extend(cards)
    idless: dict[Path, int] = {}
    for place, path in wanted.items():
        cards = _load_cards(path)
        factions.setdefault(faction_id_of(path), []).extend(cards)
        idless[place] = sum(not card.id for card in cards)
    new_ids = assign_ids(factions, find_referenced_ids(folder))
    ids = {name: iter(new) for name, new in new_ids.items()}
    return {
        place: [next(ids[faction_id_of(wanted[place])]) for _ in range(number)]
        for place, number in idless.items()
        if number
    }


def insert_ids(root: Node, ids: Sequence[str]) -> str:
    """Return the text of a card file with these ids given to the cards without one."""
    document = parse_elements(root.source.document.text)
    new = iter(ids)
    for node, card in zip(root.children, document.children()[0].children(), strict=True):
        if not _read_id(node):
            card.set("id", next(new), ("id",))
    return str(document)


def _read_id(node: Node) -> str:
    return (node.get("id") or "").strip()


def _load_cards(path: Path) -> list[CardIdentity]:
    """Return the cards of a file; none if it cannot be read, which is reported elsewhere."""
    root = load_document(path, [])
    nodes = root.children if root else []
    return [CardIdentity(_read_id(node), node.get("name") or "") for node in nodes]


def find_referenced_ids(folder: GameFolder) -> dict[str, set[str]]:
    """Return the card ids that decks and the rulebook use, by faction."""
    referred: dict[str, set[str]] = {}
    files = (*folder.deck_lists(), *folder.restriction_files(), folder.rulebook_file)
    roots = [load_document(path, []) for path in files]
    for node in (node for root in roots if root for node in root.walk() if node.tag == "card"):
        faction = node.get("faction_id") or node.get("faction") or ""
        referred.setdefault(faction, set()).add(_read_id(node))
    return referred
