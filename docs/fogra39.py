"""Make the default ICC profile for CMYK, `src/deckwright/outputs/press/fogra39.icc`.

Run on Debian, as `python docs/fogra39.py`, after `apt-get install argyll icc-profiles-free`. It
takes half a minute and gives the same bytes every time. The measurements are FOGRA39L, offset print
on coated paper, from icc-profiles-free (zlib licence); `colprof` of Argyll makes a profile of them.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

DATA = Path("/usr/share/color/icc/FOGRA39L.ti3")
TARGET = Path(__file__).parent.parent / "src" / "deckwright" / "outputs" / "press" / "fogra39.icc"
NAME = "FOGRA39 coated (Deckwright)"
SOURCE = "Made of the FOGRA39L data of icc-profiles-free, copyright Kai-Uwe Behrmann, zlib licence"
DATE = struct.pack(">6H", 2006, 12, 1, 0, 0, 0)
"""When the measurements were published. `colprof` would write when it ran."""

RECIPE = [
    "-qm",  # tables of medium size: half a megabyte more moves colors by less than is seen
    "-bm",
    "-cmt",  # seen on a monitor, printed for a desk
    "-dpp",
    "-kr",  # black comes in by and by
    "-l300",  # ink in percent: what most printers of cards name
    "-L95",
    "-nc",  # without the measurements, which are the larger half and no program reads
]


def main() -> None:
    """Make the profile."""
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder) / "fogra39"
        shutil.copy(DATA, stem.with_suffix(".ti3"))
        command = ["colprof", *RECIPE, "-D", NAME, "-C", SOURCE, "-O", f"{stem}.icc", str(stem)]
        subprocess.run(command, check=True)  # noqa: S603 - the words above
        made = stem.with_suffix(".icc").read_bytes()
    TARGET.write_bytes(made[:24] + DATE + made[36:])


if __name__ == "__main__":
    main()
