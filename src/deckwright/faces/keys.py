"""Digests of what faces depend on, by which faces of earlier runs are recognized."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from deckwright import __version__
from deckwright.base.files import is_inside, read_file
from deckwright.faces.copies import back_of
from deckwright.game.context import Context, ContextBuilder
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.language import find_picture, language_state, picture_folders
from deckwright.game.model import Card, Game
from deckwright.images.drawings import is_rasterizing
from deckwright.text.fonts import load_fonts
from deckwright.xmlio.load import MAX_BYTES

FileState = tuple[int, int] | None
"""The size and the time of a file; None if there is none."""


def digest_texts(*texts: str) -> str:
    """Return a digest of texts."""
    digest = blake2b(digest_size=16)
    for text in texts:
        data = text.encode(errors="surrogateescape")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()


def digest_contexts(*contexts: object) -> str | None:
    """Return a digest of what templates see; None for cards that refer to each other in circles."""
    try:
        return digest_texts(json.dumps(contexts, default=repr))
    except (ValueError, RecursionError):
        return None


def digest_files(texts: Iterable[str], files: Iterable[str]) -> str:
    """Return a digest of our version, of texts, and of the paths, sizes and times of files."""
    digest = blake2b(__version__.encode(), digest_size=20)
    for text in texts:
        digest.update(text.encode(errors="surrogateescape"))
        digest.update(b"\0")
    for path in sorted(files):
        if state := state_of(path):  # else it was removed in the meantime
            digest.update(os.fsencode(path) + b"\0%d\0%d\0" % state)
    return digest.hexdigest()


def state_of(path: str | Path) -> FileState:
    """Return the size and the time of a file."""
    try:
        status = os.stat(path)  # noqa: PTH116 - of hundreds of files
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


class GameFiles:
    """The files that faces depend on, besides those of cards, factions and rules.

    Attributes:
        templates: the templates and sheet formats, with the game's own fonts.
        pictures: the pictures.
        images, fixed: digests of the pictures, and of our own code and the bundled fonts.
    """

    def __init__(self, game: Game, folder: GameFolder) -> None:
        """List the files, but read none."""
        self._game, self._folder = game, folder
        self.templates = _files_below(folder.xml / "sheets", *folder.template_folders)
        # The game's own fonts are among its templates, and only a sandbox may read them.
        bundled = {key: font for key, font in game.setup.fonts.items() if font.family is not None}
        fonts = load_fonts(game.setup._replace(fonts=bundled), folder, [])
        paths = {str(font.path) for font in fonts.values()}
        self.fixed = digest_files([], _files_below(PACKAGE) | paths)

    @cached_property
    def pictures(self) -> Collection[str]:
        """The pictures."""
        return _files_below(self._folder.images)

    @cached_property
    def images(self) -> str:
        """A digest of the pictures."""
        return digest_files([], self.pictures)

    @cached_property
    def _template_texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for path in sorted(self.templates):
            if path.endswith(".xml"):
                with suppress(OSError):
                    texts[path] = read_file(Path(path), MAX_BYTES).decode(errors="replace")
        return texts

    @property
    def unused_names(self) -> set[str]:
        """The values of cards that change often, and that no template uses."""
        texts = self._template_texts.values()
        names = ("set_number", "set_size")
        return {name for name in names if not any(name in text for text in texts)}

    def digest_setup(self) -> str:
        """Return a digest of everything that all faces depend on: all but cards and pictures."""
        setup, texts = self._game.setup, self._template_texts
        images = self._folder.images
        symbols = {str(find_picture(images, s.image)) for s in setup.symbols.values() if s.image}
        state = [str(self._folder.path), self.fixed, *texts, *texts.values()]
        state += [setup.source.document.text, *["rasterized"] * is_rasterizing(), language_state()]
        if any("is_image" in text for text in texts.values()):
            state += sorted(self.pictures)
        if len(homes := picture_folders(images)) > 1:  # a new one may take another's place
            state += sorted(_files_below(homes[0]))
        return digest_files(state, symbols | (self.templates - texts.keys()))


def _files_below(*places: Path) -> set[str]:
    """Return the files in folders, without those of links that lead out of them."""
    files = set[str]()
    for place in places:
        if is_inside(place, place.parent):
            for parent, folders, names in os.walk(place):
                folders[:] = [name for name in folders if name != "__pycache__"]
                files.update(os.path.join(parent, name) for name in names)  # noqa: PTH118 - faster
    return files


class CardKeys:
    """Digests of what the templates of cards see."""

    def __init__(self, game: Game, contexts: ContextBuilder, ignored: Iterable[str]) -> None:
        """Digest the contexts of a game.

        Args:
            ignored: the values of cards that no template uses.
        """
        self._game, self._contexts, self._ignored = game, contexts, (*ignored,)
        self._factions = {
            faction_id: digest_contexts(contexts.faction_context(faction_id))
            for faction_id in game.factions
        }

    def digest_side(self, card: Card, faction_id: str, part: int = 1) -> str | None:
        """Return the digest of a side of a card as a faction prints it.

        It is None for cards that refer to each other in circles.

        Args:
            part: the number of the face, from 1.
        """
        side: Context = {**self._contexts.card_context(card, faction_id, part)}
        side["faction"] = self._factions[faction_id]
        for name in self._ignored:
            side.pop(name, None)
        return digest_contexts(side)

    def digest_card(self, card: Card, faction_id: str) -> str | None:
        """Return the digest of a card with all its sides, None if one of them has none."""
        if not self._game.can_show(card, faction_id):
            return None
        sides = [self.digest_side(card, faction_id, part) for part in range(1, card.parts + 1)]
        back = back_of(self._game, card, faction_id)
        named = back and (back.template, back.owner, back.stack and back.stack.id)
        return None if None in sides else digest_contexts(sides, named)
