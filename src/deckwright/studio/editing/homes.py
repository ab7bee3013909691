"""The files that things stand in, and those that new ones belong in."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.files import is_there
from deckwright.base.names import is_file_name
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.sources import CARDS
from deckwright.studio.editing.things import Thing, missing, printed
from deckwright.studio.editing.words import sections


class Home(NamedTuple):
    """The file that a thing stands in.

    Attributes:
        why: why it cannot be changed there, "" if it can.
        hint: what to do then.
    """

    path: Path
    why: str = ""
    hint: str | None = None

    def demand(self) -> Path:
        """Return the path.

        Raises:
            ChoiceError: if things cannot be changed there.
        """
        if self.why:
            raise ChoiceError(self.why, self.hint)
        return self.path


def home_of(thing: Thing, game: Game, folder: GameFolder) -> Home:
    """Return the file that a thing stands in, or belongs in.

    Raises:
        ChoiceError: if there is no such thing.
    """
    if thing.new:
        return _home_of_new(thing, game, folder)
    if thing.of == "card":
        return _editable(printed(game, thing.faction, thing.id).card.source.path)
    if thing.of == "rule":
        return Home(folder.rules_file)
    if thing.of == "faction":
        return _editable(folder.factions_file)
    if thing.id not in dict(sections(game)):
        raise missing(f"part `{thing.id}` of game.xml")
    return Home(folder.game_file, "" if folder.has_own_setup else "the game has no game.xml")


def former_home_of(thing: Thing, game: Game, folder: GameFolder) -> Path:
    """Return the file that a thing stood in which was taken out of it."""
    if thing.of == "faction":
        return folder.factions_file
    if thing.of == "rule" or _is_token(thing, game):
        return folder.rules_file
    faction = game.factions.get(thing.faction)
    if thing.of != "card" or faction is None:
        raise missing(f"{thing.of} `{thing.id}`")
    return home_of_cards(faction.cards_of or faction.id, folder).demand()


def home_of_cards(faction: str, folder: GameFolder) -> Home:
    """Return the file that new cards of a faction belong in; it may not be there yet."""
    path, name = folder.cards_file(faction), f"{faction}{CARDS}.xml"
    if not is_file_name(name):
        why = f"no file can be called `{name}` on every system"
        return Home(path, why, "give the faction an id without such characters")
    if is_there(path):
        return Home(path)
    for table, those in folder.tables().items():
        if any(each.faction in {None, faction} for each in those):
            why = f"the cards of `{faction}` stand in the table {table.name}"
            return Home(path, why, "add new ones there")
    return Home(path)


def _is_token(thing: Thing, game: Game) -> bool:
    rule, slash, _ = thing.id.rpartition("/")
    return bool(slash) and thing.of == "card" and rule in game.rules


def _editable(path: Path) -> Home:
    table = path.suffix.lower() != ".xml"
    return Home(path, f"it stands in the table {path.name}: edit it there" if table else "")


def _home_of_new(thing: Thing, game: Game, folder: GameFolder) -> Home:
    if thing.of == "texts":
        raise ChoiceError("names and words are not begun here", "begin them in an editor")
    if thing.of == "rule":
        return Home(folder.rules_file)
    if thing.of == "faction":
        there = is_there(folder.factions_file)
        why = "" if there else "the factions of this game are named in its tables"
        return Home(folder.factions_file, why)
    token = game.setup.token_kind
    if thing.rule and token is not None and thing.kind == token.tag:
        if thing.rule not in game.rules:
            raise missing(f"rule `{thing.rule}`")
        return Home(folder.rules_file)
    if thing.kind not in {kind.tag for kind in game.setup.card_kinds}:
        raise missing(f"kind `{thing.kind}`")
    faction = game.factions.get(thing.faction)
    if faction is None:
        raise missing(f"faction `{thing.faction}`")
    if faction.cards_of:
        why = f"`{faction.id}` has the cards of `{faction.cards_of}`"
        return Home(folder.cards_file(faction.id), why, f"begin them for `{faction.cards_of}`")
    return home_of_cards(faction.id, folder)
