"""Print a workload with Typst whenever its files change: `typst_watch.py FOLDER IMAGES FONTS OUT`.

As `typst_face.py`, but it goes on until it is interrupted, as the command `typst watch` does.
"""

from __future__ import annotations

import sys

import typst


def main() -> None:
    """Watch the workload that the command line names."""
    folder, images, fonts, out = sys.argv[1:]
    compiler = typst.Compiler(
        f"{folder}/face.typ",
        root=folder,
        font_paths=[fonts],
        ignore_system_fonts=True,
        sys_inputs={"images": images},
    )
    compiler.watch(output=out)


if __name__ == "__main__":
    main()
