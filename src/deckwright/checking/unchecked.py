"""What a check could not look at because of mistakes, so that nobody takes it to be sound."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import resolved
from deckwright.base.findings import Diagnostic, Report, is_error, listed
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.xmlio.node import Node

_TOLD = 5
"""How many cards, or the like, are named one by one."""
_NO_TEMPLATE = frozenset(
    {
        "T001",
        "T002",
        "T003",
        "T004",
        "T005",
        "T011",
        "T013",
        *(f"X00{number}" for number in range(1, 8)),
    }
)
"""What is wrong with templates that cannot be used at all."""
_NO_FACES = frozenset({"T007", "G003"})
"""What is wrong with fonts and symbols, without which no face is composed."""


class Unchecked(NamedTuple):
    """Something that was not checked.

    Attributes:
        what: in words.
        path: the file that it stands in; None if it concerns the whole game.
    """

    what: str
    path: Path | None = None


def without_setup(folder: GameFolder) -> Unchecked:
    """Return that hardly anything can be checked without `game.xml`."""
    name = folder.game_file.name
    return Unchecked(f"cards, rules, decks and faces, which depend on {name}")


def unread_parts(game: Game, folder: GameFolder) -> Iterator[Unchecked]:
    """Yield what was left out of a game while it was read, and what depends on it."""
    for tag, name in sorted(game.setup.left_out):
        what = f"{tag} `{name}`" if name else f"`{tag}`"
        yield Unchecked(f"{what} of {folder.game_file.name}", folder.game_file)
    gaps = game.gaps
    for gap, one, file, rest in (
        (gaps.factions, "faction", folder.factions_file, ("its cards", "their cards")),
        (gaps.rules, "rule", folder.rules_file, ("its text and tokens", "their texts and tokens")),
    ):
        if gap.ids:
            what = f"{_counted(gap.ids, one)} of {file.name}, with {rest[len(gap.ids) > 1]}"
            yield Unchecked(what)
        if gap.unknown:
            yield Unchecked(f"{'some' if gap.ids else 'the'} {one}s of {file.name}, with {rest[1]}")
    for faction_id, cards in gaps.cards.items():
        faction = game.factions.get(faction_id)
        file = folder.cards_home(faction_id)
        if faction is not None and faction.cards_of:
            continue  # they are named with those of the other faction
        if cards.ids:
            faces = "face" if len(cards.ids) == 1 else "faces"
            what = f"the references and the {faces} of {_counted(cards.ids, 'card')}"
            yield Unchecked(what, file)
        if cards.unknown:
            yield Unchecked(f"{_some(cards.ids, game, faction_id)} cards of {file.name}", file)
    lost = {
        card.faction_id: card.source.path
        for card in game.cards.values()
        if not game.may_have_faction(card.faction_id)
    }
    for faction_id, file in lost.items():
        yield Unchecked(f"the faces of the cards of faction `{faction_id}`", file)


def not_laid_out(found: Report, folder: GameFolder, book: Node | None) -> Iterator[Unchecked]:
    """Yield what could not be laid out, given what was found while the rest was."""
    errors = [finding for finding in found if is_error(finding)]
    if any(finding.code.id in _NO_FACES for finding in errors):
        yield Unchecked("faces, which depend on fonts and symbols")
        return
    templates = {
        finding.location.path
        for finding in errors
        if finding.location and finding.code.id in _NO_TEMPLATE
    }
    folders = [resolved(place) for place in folder.template_folders]
    for path in sorted(templates):
        if path.suffix == ".xml" and any(resolved(path).is_relative_to(place) for place in folders):
            yield Unchecked(f"what {path.name} draws", path)
    if book is not None and any(_is_in(finding, book) for finding in errors):
        yield Unchecked(f"the pages of {book.source.path.name}", book.source.path)


def _is_in(finding: Diagnostic, book: Node) -> bool:
    """Return whether a finding is about what the rulebook says, not about how it is set."""
    place = finding.location
    return place is not None and place.path == book.source.path and finding.code.id != "L005"


def _some(ids: Iterable[str], game: Game, faction_id: str) -> str:
    """Return "the" where no card of a faction was read, else "some"."""
    read = any(card.faction_id == faction_id for card in game.cards.values())
    return "some" if read or ids else "the"


def concerning(unchecked: Iterable[Unchecked], files: Collection[Path]) -> tuple[Unchecked, ...]:
    """Return what concerns some files, given by their resolved paths, or the whole game."""
    return tuple(u for u in unchecked if u.path is None or resolved(u.path) in files)


def _counted(ids: Iterable[str], one: str) -> str:
    """Return ids with what they are: "card `a`", "cards `a`, `b` and 3 more"."""
    names = sorted(ids)
    return f"{one if len(names) == 1 else one + 's'} {listed(names, at_most=_TOLD)}"
