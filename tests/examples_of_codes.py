"""The examples of all diagnostic codes, which overlay the small game."""

from __future__ import annotations

import shutil
from pathlib import Path

from conftest import HERE

EXAMPLES = HERE / "diagnostics"


def lay_over(game: Path, example: Path) -> None:
    for source in sorted(example.rglob("*")):
        target = game / source.relative_to(example)
        if source.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        elif source.suffix == ".delete":
            target.with_suffix("").unlink()
        elif source.suffix == ".link":
            target.with_suffix("").unlink(missing_ok=True)
            target.with_suffix("").symlink_to(source.read_text("utf-8"))
        elif source.suffix == ".pad":
            padded = target.with_suffix("")
            padded.write_bytes(padded.read_bytes().ljust(int(source.read_text("utf-8"))))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
