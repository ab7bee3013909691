"""What a job ticket says in the words of the game: the rows of its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from deckwright.base.units import Mm
from deckwright.game.words import filled
from deckwright.outputs.package.model import Packed, Pile, Ticket

Words = Mapping[str, str]

_COMMA = frozenset(("de", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "nb", "fi", "cs"))
"""Languages that write a comma in decimal numbers, as https://cldr.unicode.org has it."""
_MOST_FILES = 3
"""How many files of a pile are named; of more, as of pictures, the folder is."""


class Wording:
    """Puts a ticket into the words and numbers of its game's language."""

    def __init__(self, ticket: Ticket, words: Words) -> None:
        """Take the words that the game prints."""
        self._ticket, self._words = ticket, words

    def mm(self, *lengths: Mm) -> str:
        """Return a length, or the sides of something, as people write them."""
        text = " × ".join(f"{length:.2f}".rstrip("0").rstrip(".") for length in lengths)
        comma = self._ticket.language.replace("_", "-").partition("-")[0] in _COMMA
        return f"{text.replace('.', ',') if comma else text} mm"

    def size(self, pile: Pile) -> tuple[str, str]:
        """Return what a pile's size is called, and the size."""
        cut_out = pile.kind in {"box", "markers"}
        return self._words["page-size" if cut_out else "trim-size"], self.mm(*pile.trim)

    def colors(self, pile: Pile) -> str:
        """Return the inks of a pile in short."""
        return " + ".join((pile.colors.process, *pile.colors.inks))

    def pages(self, pile: Pile) -> str:
        """Return how many pages a pile's PDF has; pictures have none."""
        return str(pile.pages or "–")

    def rows(self, pile: Pile) -> Iterator[tuple[str, str]]:
        """Yield what is said of a pile: what a row is called, and "" for what is to be written."""
        words, colors = self._words, pile.colors
        number, sets = str(pile.pieces), self._ticket.sets
        yield words["pieces"], f"{number} × {sets} = {pile.pieces * sets}" if sets else number
        if pile.designs > 1:
            yield words["designs"], str(pile.designs)
        yield self.size(pile)
        if pile.bleed:
            yield words["bleed"], self.mm(pile.bleed)
        if pile.safe:
            yield words["safe-zone"], self.mm(pile.safe)
        sides = words["two-sided" if pile.sides > 1 else "one-sided"]
        if pile.sides > 1 and pile.kind == "cards" and pile.pages == 2 * pile.pieces:
            turn = words["backs-first" if self._ticket.back_first else "faces-first"]
            sides = f"{sides}, {turn}"
        yield words["printed"], sides
        parts = [self.colors(pile), colors.profile, colors.pdfx or ""]
        if colors.limit:
            parts.append(filled(words["ink-limit"], colors.limit))
        yield words["colors"], " · ".join(filter(None, parts))
        if colors.die:
            yield words["die-lines"], f"{', '.join(colors.die)} ({words['not-printed']})"
        if pile.radius:
            yield words["corners"], filled(words["corner-radius"], self.mm(pile.radius))
        yield words["paper"], pile.stock
        if pile.pages:
            yield words["pages"], self.pages(pile)
        yield words["files"], self._files(pile)

    def _files(self, pile: Pile) -> str:
        if len(pile.files) > _MOST_FILES:
            return f"{PurePosixPath(pile.files[0]).parts[0]}/"
        return ", ".join(pile.files)


def grouped(file: Packed) -> str:
    """Return a checksum in groups that eyes can follow."""
    return " ".join(file.sha256[start : start + 16] for start in range(0, 64, 16))
