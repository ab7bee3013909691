"""The results of printing."""

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
        name: its printed name; that of a marker ends with its value.
        copies: the number of printed copies.
    """

    id: str
    name: str
    copies: int


class CutFile(NamedTuple):
    """The cut files for sheets of a print.

    Attributes:
        paths: the SVG file and, if the extra `cut` is installed, the DXF file.
        pages: the numbers of its pages.
        arm: the length of its mark lines in mm, if it varies between sheets; else 0.
        pictures: for machines whose software prints by itself, a PNG of each page with only the
            cut-out parts, on a transparent ground.
        size: the width and height of the pictures, in mm.
    """

    paths: tuple[Path, ...]
    pages: tuple[int, ...]
    arm: Mm = 0
    pictures: tuple[Path, ...] = ()
    size: tuple[Mm, Mm] = (0, 0)


class PressOutput(NamedTuple):
    """The press data of a print.

    Attributes:
        profile: the ICC profile; None for RGB.
        inks: the names of the spot inks.
        masks: the files of their masks, if they are separate.
        stated: whether the file claims conformance to PDF/X.
    """

    service: Service
    profile: IccProfile | None
    inks: tuple[str, ...] = ()
    masks: tuple[Path, ...] = ()
    stated: bool = False


class Print(NamedTuple):
    """The result of printing.

    Attributes:
        paths: the written files, with backs possibly in a second one; empty if there was nothing to
            print.
        pages: the number of their pages.
        sheets: the number of card sheets.
        findings: the warnings.
        decks: the statistics of printed decks.
        empty: the number of empty slots.
        spare: the numbers of tokens that fill the last sheet, by name.
        changes: the changes since the earlier print, one card per line.
        items: the printed tokens or markers.
        cuts: the files for the cutting machine, if there is one.
        manifests: the manifests of the whole decks.
        press: the press data; None for home printing.
        draft: whether faulty faces were printed, with marks.
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
    press: PressOutput | None = None
    draft: bool = False
