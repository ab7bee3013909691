"""Write cut files beside a print: one for all of its sheets that are cut alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.base.units import Mm
from deckwright.outputs.cutters.dxf import cut_dxf, installed
from deckwright.outputs.cutters.svg import cut_svg
from deckwright.outputs.pages import lays_out_only
from deckwright.outputs.printed import CutFile
from deckwright.sheet.cutting import Cut, Cutter, Layer
from deckwright.sheet.pages import Page

_DPI = 300
"""How fine pictures are."""


def write_cuts(
    pages: Sequence[Page], cutter: Cutter | None, target: Path, report: Report
) -> tuple[CutFile, ...] | None:
    """Write what a machine cuts of the pages in the PDF `target`, beside it.

    With DXF if that can be written: it needs an extra. Nothing is written without a machine, or
    where pages are only laid out. Those that an earlier print of this name had in their place, and
    that this one has not, are removed.

    Returns:
        the files, with the pages that each is for; None after reporting why they were not written.
    """
    if cutter is None or lays_out_only():
        return ()
    found: dict[Cut, list[int]] = {}
    for number, page in enumerate(pages, 1):
        if page.cut is not None:
            found.setdefault(page.cut, []).append(number)
    made = []
    for index, (cut, numbers) in enumerate(found.items(), 1):
        stem = f"{target.stem}_cut{index if len(found) > 1 else ''}"
        title = f"{target.name}: {', '.join(map(str, numbers))}"
        files = {target.with_name(f"{stem}.svg"): cut_svg(cut, title)}
        if installed():
            files[target.with_name(f"{stem}.dxf")] = cut_dxf(cut)
        if not all(write_data(path, data, report) for path, data in files.items()):
            return None
        arm = cut.arm if cutter.longest > cutter.shortest else 0
        file = CutFile(tuple(files), tuple(numbers), arm)
        if cutter.pictured:
            pictures = _write_pictures(cut, numbers, target, report)
            if pictures is None:
                return None
            file = file._replace(pictures=pictures[0], size=pictures[1])
        made.append(file)
    written = {path for file in made for path in (*file.paths, *file.pictures)}
    _remove_former(target, written, pictured=cutter.pictured)
    return tuple(made)


def _remove_former(target: Path, written: Collection[Path], *, pictured: bool) -> None:
    """Remove the files of an earlier print to `target`, which would cut the new one wrongly.

    Args:
        pictured: whether there may be pictures of pages among them.
    """
    ends = r"_cut\d*\.(svg|dxf)" + (r"|_page\d+\.png" if pictured else "")
    name = re.compile(re.escape(target.stem) + f"({ends})")
    for path in target.parent.iterdir():
        if name.fullmatch(path.name) and path not in written and path.is_file():
            with suppress(OSError):  # what cannot be removed stays
                path.unlink()


def _write_pictures(
    cut: Cut, numbers: Sequence[int], target: Path, report: Report
) -> tuple[tuple[Path, ...], tuple[Mm, Mm]] | None:
    """Write pages of a PDF as pictures of what is cut out of them, and return how large they are.

    None after reporting why they were not written.
    """
    from deckwright.paint.raster import cut_out  # noqa: PLC0415 - only for pictures

    lines = dict(cut.layers)
    shapes = lines.get(Layer.CUT) or lines.get(Layer.KISS_CUT) or ()
    data, paths, size = target.read_bytes(), [], (0.0, 0.0)
    for number in numbers:
        path = target.with_name(f"{target.stem}_page{number}.png")
        picture, size = cut_out(data, number - 1, shapes, _DPI)
        if not write_data(path, picture, report):
            return None
        paths.append(path)
    return tuple(paths), size
