"""Weights of variable fonts as fonts of their own, made once and kept in the user's cache.

PDFs embed fonts that have one weight: a variable font would be printed in its usual one.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from deckwright.base.files import cache_folder, write_bytes

_VERSION = 1
"""Changes with how instances are made, so that old ones are not used."""
_FULL_NAMES = (4, 6)
"""The numbers of the names by which programs tell fonts apart (OpenType, `name`)."""


@lru_cache(maxsize=32)
def instance(path: Path, weight: int) -> Path:
    """Return the file of the font at `path` that has this weight."""
    import hashlib  # noqa: PLC0415 - only for variable fonts

    def digest(data: bytes) -> str:
        return hashlib.blake2b(data, digest_size=8).hexdigest()

    family = path.stem.partition("[")[0]
    start = f"{family}-{weight}-{digest(path.read_bytes())}-{_VERSION}-"
    folder = cache_folder() / "fonts"
    for known in folder.glob(f"{start}*.ttf"):
        if known.stem.rpartition("-")[2] == digest(known.read_bytes()):
            return known
    data = _made(path, family, weight)
    name = f"{start}{digest(data)}.ttf"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_bytes(folder / name, data)
    except OSError:
        return write_bytes(_own_folder() / name, data)


def _made(path: Path, family: str, weight: int) -> bytes:
    import io  # noqa: PLC0415 - rarely needed
    import logging  # noqa: PLC0415

    from fontTools.ttLib import TTFont  # noqa: PLC0415 - heavy
    from fontTools.varLib.instancer import instantiateVariableFont  # noqa: PLC0415

    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    stream = io.BytesIO()
    with TTFont(path, recalcTimestamp=False) as font:
        instantiateVariableFont(font, {"wght": weight}, inplace=True)
        for record in font["name"].names:
            if record.nameID in _FULL_NAMES:
                record.string = f"{family}-{weight}"
        font.save(stream)
    return stream.getvalue()


@lru_cache(maxsize=1)
def _own_folder() -> Path:
    """Return a folder for this run alone."""
    import atexit  # noqa: PLC0415 - only where the usual place is not to be had
    import shutil  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    folder = Path(tempfile.mkdtemp(prefix="deckwright-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
