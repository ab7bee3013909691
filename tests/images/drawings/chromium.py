"""Have Chromium draw the drawings of this folder, and keep its pictures.

    python tests/images/drawings/chromium.py [NAME …]

Without names all are drawn that have no picture yet. It takes the program `chromium`, as Debian
has it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
SIDE = 96
ACROSS = 10


def main(names: list[str]) -> None:
    """Draw drawings, by their names without the ending."""
    kept = HERE / "chromium"
    kept.mkdir(exist_ok=True)
    drawings = sorted((HERE / "drawn").glob("*.svg"))
    wanted = [
        path
        for path in drawings
        if (path.stem in names if names else not (kept / f"{path.stem}.png").exists())
    ]
    if not wanted:
        return
    rows = -(-len(wanted) // ACROSS)
    images = "".join(f'<img src="{path.as_uri()}">' for path in wanted)
    style = f"img{{width:{SIDE}px;height:{SIDE}px;object-fit:contain;float:left}}body{{margin:0}}"
    with tempfile.TemporaryDirectory() as folder:
        page, picture = Path(folder) / "page.html", Path(folder) / "page.png"
        page.write_text(f"<!doctype html><style>{style}</style>{images}", encoding="utf-8")
        options = [
            "--headless",
            "--no-sandbox",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
            "--allow-file-access-from-files",
            f"--user-data-dir={folder}/profile",
            f"--window-size={ACROSS * SIDE},{(rows + 5) * SIDE}",  # small windows stay blank
            f"--screenshot={picture}",
        ]
        subprocess.run(["chromium", *options, page.as_uri()], check=True, timeout=120)
        sheet = Image.open(picture).convert("RGB")
    for number, path in enumerate(wanted):
        left, top = number % ACROSS * SIDE, number // ACROSS * SIDE
        tile = sheet.crop((left, top, left + SIDE, top + SIDE))
        tile.quantize(64).save(kept / f"{path.stem}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
