"""Print a workload with Typst: `typst_face.py FOLDER IMAGES FONTS OUT`.

`FOLDER` holds `face.typ` and `cards.json`; `IMAGES` is the folder of the pictures in it.
"""

from __future__ import annotations

import sys

import typst


def main() -> None:
    """Compile the workload that the command line names."""
    folder, images, fonts, out = sys.argv[1:]
    typst.compile(
        f"{folder}/face.typ",
        output=out,
        root=folder,
        font_paths=[fonts],
        ignore_system_fonts=True,
        sys_inputs={"images": images},
    )


if __name__ == "__main__":
    main()
