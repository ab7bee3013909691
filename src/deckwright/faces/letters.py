"""The letters that a game is likely to print: those of its files, and those that names have."""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape

from deckwright.base.files import files_below, read_file
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.grids.csv import MAX_BYTES
from deckwright.text.fonts import CODE

_LATIN = "".join(c for c in map(chr, range(0x20, 0x100)) if c.isprintable())
_EUROPEAN = "".join(map(chr, range(0x100, 0x180)))
_MARKS = "\xa0–—‐‑‘’‚“”„‹›…•·×−≤≥≠±½¼¾†‡€™\u2009\u202f"  # noqa: RUF001 - dashes and thin spaces
_TEXTS = {".xml", ".csv", ".json", ".txt"}


def letters_by_font(fonts: Iterable[str], game: Game, folder: GameFolder) -> dict[str, str]:
    """Return the letters of a game by the ids of fonts, but for that of codes."""
    own = (name for name in fonts if name.rpartition("-")[0] != CODE)
    return dict.fromkeys(own, letters_of(game, folder))


def letters_of(game: Game, folder: GameFolder) -> str:
    """Return the letters of a game, those that it needs most often first, each once.

    Of what its files write, capitals and small letters are both likely.
    """
    written = set("".join(map(str, game.setup.words.values())))
    paths = [*folder.files(), *(p for each in folder.template_folders for p in files_below(each))]
    for path in dict.fromkeys(paths):
        if path.suffix.lower() in _TEXTS:
            try:
                text = unescape(read_file(path, MAX_BYTES).decode(errors="ignore"))
            except OSError:
                continue  # what cannot be read is reported where it is needed
            written.update(text)
    written.update([part for letter in written for part in (*letter.upper(), *letter.lower())])
    known = sorted(letter for letter in written if letter.isprintable())
    return "".join(dict.fromkeys([*_LATIN, *_MARKS, *known, *_EUROPEAN]))
