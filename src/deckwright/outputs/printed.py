"""What was printed, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deckwright.base.findings import Diagnostic
    from deckwright.base.units import Mm
    from deckwright.decks.stats import DeckStats
    from deckwright.diff.manifest import Manifest
    from deckwright.outputs.press.icc import IccProfile
    from deckwright.outputs.services.profile import Service


class Item(NamedTuple):
    """A token or a marker that was printed.

    Attributes:
        id: its id, such as "ca001/1" or "damage/10".
        name: its name in print; that of a marker ends in its value.
        copies: how many were printed.
    """

    id: str
    name: str
    copies: int


class CutFile(NamedTuple):
    """What a cutting machine does on sheets of a print.

    Attributes:
        paths: the same as SVG and, where the extra `cut` is installed, as DXF.
        pages: the numbers of the pages that it is for.
        arm: how long the lines of its marks are, in mm, where sheets differ in that; else 0.
        pictures: for machines whose program prints by itself, each page as a PNG of what is cut
            out, on a transparent ground.
        size: how wide and high the pictures are, in mm.
    """

    paths: tuple[Path, ...]
    pages: tuple[int, ...]
    arm: Mm = 0
    pictures: tuple[Path, ...] = ()
    size: tuple[Mm, Mm] = (0, 0)


class PressOutput(NamedTuple):
    """What a print was made ready for, if that is a press.

    Attributes:
        profile: that of its colors; None for RGB.
        inks: the names of those beside the print's own.
        masks: the files of these, if they lie apart.
        stated: whether the file says which part of PDF/X it is.
    """

    service: Service
    profile: IccProfile | None
    inks: tuple[str, ...] = ()
    masks: tuple[Path, ...] = ()
    stated: bool = False


class Print(NamedTuple):
    """What was printed.

    Attributes:
        paths: the files that were written; backs may be in a second one. None if there was nothing
            to print.
        pages: how many pages they have.
        sheets: how many of these are the fronts of sheets of cards.
        findings: the warnings.
        decks: of decks, what they consist of, in numbers.
        empty: how many slots of the sheets have no card.
        spare: the tokens that fill the last sheet, by name, with their numbers.
        changes: what has changed since the print that it was compared with, a card a line.
        items: of tokens and markers, which ones.
        cuts: the files for the cutting machine; none without one.
        manifests: of decks, what each would be if all of it were printed.
        pressed: what it was made ready for, None if it is for people.
    """

    paths: tuple[Path, ...]
    pages: int
    sheets: int = 0
    findings: tuple[Diagnostic, ...] = ()
    decks: tuple[DeckStats, ...] = ()
    empty: int = 0
    spare: Mapping[str, int] = MappingProxyType({})
    changes: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    cuts: tuple[CutFile, ...] = ()
    manifests: tuple[Manifest, ...] = ()
    pressed: PressOutput | None = None
