"""Write cut files beside a print: one for all of its sheets that are cut alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.outputs.cutters.dxf import cut_dxf, installed
from deckwright.outputs.cutters.svg import cut_svg
from deckwright.outputs.pages import lays_out_only
from deckwright.outputs.printed import CutFile
from deckwright.sheet.cutting import Cut
from deckwright.sheet.pages import Page


def write_cuts(pages: Sequence[Page], target: Path, report: Report) -> tuple[CutFile, ...] | None:
    """Write what a machine cuts of the pages in the PDF `target`, beside it.

    With DXF if that can be written: it needs an extra. Nothing is written where no machine cuts, or
    pages are only laid out.

    Returns:
        the files, with the pages that each is for; None after reporting why they were not written.
    """
    found: dict[Cut, list[int]] = {}
    for number, page in enumerate(pages, 1):
        if page.cut is not None:
            found.setdefault(page.cut, []).append(number)
    if lays_out_only():
        return ()
    made = []
    for index, (cut, numbers) in enumerate(found.items(), 1):
        stem = f"{target.stem}_cut{index if len(found) > 1 else ''}"
        title = f"{target.name}: {', '.join(map(str, numbers))}"
        files = {target.with_name(f"{stem}.svg"): cut_svg(cut, title)}
        if installed():
            files[target.with_name(f"{stem}.dxf")] = cut_dxf(cut)
        if not all(write_data(path, data, report) for path, data in files.items()):
            return None
        made.append(CutFile(tuple(files), tuple(numbers), cut.arm))
    return tuple(made)
