"""ICC profiles of printing conditions, as the registry of the ICC names them."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file
from deckwright.base.findings import Code, Location, Report, Severity

REGISTERED_CONDITIONS = frozenset(
    (
        *(f"FOGRA{number}" for number in range(27, 55)),
        *(f"CGATS21-2-CRPC{number}" for number in range(1, 8)),
        *(f"CGATS TR 00{number}" for number in (1, 2, 3, 5, 6)),
        *(f"APTEC_CTV_{number}" for number in range(3, 9)),
        *("APTEC Coated CardBoard", "APTEC CCNB"),
        *("JC200103", "JC200104", "JCN2002", "JCW2003", "JCS2011"),
        *("EUROSB104", "EUROSB204", "IFRA26"),
    )
)
"""All names that the registry has."""

_NAME_PATTERNS = (
    (re.compile(r"fogra ?(\d\d)(?!\d)"), "FOGRA{}"),
    (re.compile(r"crpc[-_ ]?([1-7])(?!\d)"), "CGATS21-2-CRPC{}"),
    (re.compile(r"cgats[-_ ]?tr[-_ ]?00([1-9])(?!\d)"), "CGATS TR 00{}"),
)
"""How profiles say in their names what they are made from."""
_KNOWN_PROFILES = {
    "iso coated v2": "FOGRA39",
    "pso coated v3": "FOGRA51",
    "pso uncoated v3": "FOGRA52",
    "pso uncoated iso12647": "FOGRA47",
    "pso lwc improved": "FOGRA45",
    "pso lwc standard": "FOGRA46",
    "pso mfc paper": "FOGRA41",
    "gracol2006 coated1": "CGATS TR 006",
    "swop2006 coated3": "CGATS TR 003",
    "swop2006 coated5": "CGATS TR 005",
    "u.s. web coated (swop) v2": "CGATS TR 001",
    "japan color 2001 coated": "JC200103",
    "japan color 2001 uncoated": "JC200104",
    "japan color 2002 newspaper": "JCN2002",
    "japan color 2003 web coated": "JCW2003",
    "japan color 2011 coated": "JCS2011",
}
"""How the names of those begin that do not say it, in small letters, with spaces for `_`."""
_TARGET_TAG = re.compile(r"\s*ICCHDAT\s+(.+?)\s*\0*")


def find_condition(name: str, target: str = "") -> str | None:
    """Return the registered printing condition that an ICC profile is for, None if it is not known.

    Args:
        name: what it says it is.
        target: its tag `targ`, in which the registry asks for `ICCHDAT` and the condition's name.
    """
    told = _TARGET_TAG.fullmatch(target)
    if told is not None and told[1] in REGISTERED_CONDITIONS:
        return told[1]
    small = name.casefold()
    for pattern, form in _NAME_PATTERNS:
        found = pattern.search(small)
        if found is not None:
            condition = form.format(found[1])
            return condition if condition in REGISTERED_CONDITIONS else None
    plain = small.replace("_", " ")
    return next(
        (known for start, known in _KNOWN_PROFILES.items() if plain.startswith(start)), None
    )


E043 = Code("E043", Severity.WARNING, "colors by an ICC profile that was found on this computer")
E040 = Code("E040", Severity.ERROR, "a file that is not an ICC profile for CMYK print")

BUNDLED = Path(__file__).with_name("fogra39.icc")
"""Offset print on coated paper."""
_MAX_BYTES = 20_000_000
"""Profiles of printing conditions have half a megabyte to three."""
_HEADER_BYTES = 128
_MAX_FILES = 2_000
"""How many files of the system's folders are looked at."""


class IccProfile(NamedTuple):
    """An ICC profile of a printing condition.

    Attributes:
        name: what it says it is.
        data: the whole file.
        condition: the name of the printing condition, if it is known.
    """

    name: str
    data: bytes
    path: Path
    condition: str | None = None


def read_profile(path: Path, report: Report) -> IccProfile | None:
    """Return the ICC profile in a file, None after reporting why it cannot be used."""
    place, hint = Location(path), "name a CMYK output profile, such as the printer's own"
    try:
        if not is_file(path):
            report.append(E040.at(place, "there is no such ICC profile", hint))
            return None
        if path.stat().st_size > _MAX_BYTES:
            message = f"the ICC profile has more than {_MAX_BYTES // 1_000_000} MB"
            report.append(E040.at(place, message, hint))
            return None
        data = path.read_bytes()
    except OSError as error:
        report.append(E040.at(place, f"cannot read the ICC profile: {error.strerror}", hint))
        return None
    problem = _find_problem(data)
    if problem is not None:
        report.append(E040.at(place, problem, hint))
        return None
    name, target = _read_description(data)
    return IccProfile(name or path.stem, data, path, find_condition(name or path.stem, target))


@lru_cache(maxsize=4)  # an order asks for the same one each time
def _find_problem(data: bytes) -> str | None:
    """Return what keeps data from being such a profile; None if nothing does."""
    from PIL import Image, ImageCms  # noqa: PLC0415 - only for prints in CMYK

    if len(data) < _HEADER_BYTES or data[36:40] != b"acsp":
        return "the file is not an ICC profile"
    space = data[16:20].decode("ascii", "replace").strip()
    if space != "CMYK":
        return f"the ICC profile is for {space} colors, not for CMYK"
    if data[12:16] != b"prtr":
        return "the ICC profile is not for a printing condition"
    try:
        opened = ImageCms.ImageCmsProfile(io.BytesIO(data))
        screen, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
        there = ImageCms.buildTransform(screen, opened, "RGB", "CMYK")
        back = ImageCms.buildTransform(opened, lab, "CMYK", "LAB")
        inks = ImageCms.applyTransform(Image.new("RGB", (1, 1)), there)
        ImageCms.applyTransform(inks or Image.new("CMYK", (1, 1)), back)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return "the ICC profile is damaged"
    return None


def _read_description(data: bytes) -> tuple[str, str]:
    """Return what a profile says it is, and what it says that it is made from."""
    from PIL import ImageCms  # noqa: PLC0415 - only for prints in CMYK

    try:
        opened = ImageCms.ImageCmsProfile(io.BytesIO(data))
        name = ImageCms.getProfileDescription(opened)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return "", ""
    plain = "".join(char for char in name.strip() if char.isprintable())
    return plain, opened.profile.target or ""


def load_named_profile(given: Path, report: Report) -> IccProfile | None:
    """Return the ICC profile that a user names, None after reporting why it cannot be used.

    One that is found by a part of its name, and is not the bundled one, is reported too.

    Args:
        given: a file; or what is in the name of the bundled profile or of one of the system.
    """
    word = str(given).casefold()
    if not is_file(given) and not given.suffix:
        for path in (BUNDLED, *_find_candidates()):
            profile = read_profile(path, [])
            if profile is not None and word in f"{profile.name} {path.stem}".casefold():
                return _report_foreign(profile, report)
    return read_profile(given, report)


def find_profile(words: Sequence[str], report: Report) -> IccProfile:
    """Return the profile that suits best: the bundled one, or one of the system, which is reported.

    One of the system is taken if it is for a registered condition, and one of the words that suits
    better than the bundled one is in its name. Others come with programs, such as Ghostscript's
    for a SWOP that it does not name: prints must not change when one of these is installed.

    Args:
        words: in the names of profiles that suit, the best first.
    """
    found: list[tuple[int, bool, bool, str, IccProfile]] = []
    for path in (BUNDLED, *_find_candidates()):
        profile = read_profile(path, [])
        if profile is not None and profile.condition in REGISTERED_CONDITIONS:
            name = f"{profile.name} {path.stem} {profile.condition}".casefold()
            rank = next((n for n, word in enumerate(words) if word.casefold() in name), len(words))
            # Profiles of ICC version 2 are those that PDF 1.4 knows.
            version = profile.data[8] > 2  # noqa: PLR2004
            found.append((rank, path != BUNDLED, version, str(path), profile))
    return _report_foreign(min(found)[-1], report)


def _report_foreign(profile: IccProfile, report: Report) -> IccProfile:
    """Return a profile, after reporting it if other computers do not have it."""
    if profile.path != BUNDLED:
        message = f"colors are made by `{profile.name}`, which is not the profile of Deckwright"
        hint = "name its file with `--icc` to keep it, or take the other with `--icc fogra39`"
        report.append(E043.at(Location(profile.path), message, hint))
    return profile


def _find_candidates() -> Iterator[Path]:
    """Yield files of the system that have the header of such a profile."""
    seen = 0
    for folder in _folders():
        for path in sorted(folder.rglob("*")):
            seen += 1
            if seen > _MAX_FILES:
                return
            if path.suffix.lower() not in {".icc", ".icm"} or not is_file(path):
                continue
            try:
                with path.open("rb") as stream:
                    header = stream.read(_HEADER_BYTES)
            except OSError:
                continue
            if header[16:20] == b"CMYK" and header[12:16] == b"prtr":
                yield path


def _folders() -> Iterator[Path]:
    """Yield where systems keep ICC profiles: as freedesktop.org, Apple and Microsoft have it."""
    home = os.environ.get("XDG_DATA_HOME")
    if home:
        yield Path(home) / "color" / "icc"
    elif os.environ.get("HOME"):
        yield Path(os.environ["HOME"]) / ".local" / "share" / "color" / "icc"
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for folder in shared.split(os.pathsep):
        if folder:
            yield Path(folder) / "color" / "icc"
    if sys.platform == "darwin":
        yield Path("/Library/ColorSync/Profiles")
        yield Path("/System/Library/ColorSync/Profiles")
    elif sys.platform == "win32":
        root = os.environ.get("SYSTEMROOT", "C:\\Windows")
        yield Path(root) / "System32" / "spool" / "drivers" / "color"
