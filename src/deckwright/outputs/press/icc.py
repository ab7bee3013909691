"""ICC profiles and their printing conditions, as registered by the ICC."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
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
"""All names in the registry."""

_NAME_PATTERNS = (
    (re.compile(r"fogra ?(\d\d)(?!\d)"), "FOGRA{}"),
    (re.compile(r"crpc[-_ ]?([1-7])(?!\d)"), "CGATS21-2-CRPC{}"),
    (re.compile(r"cgats[-_ ]?tr[-_ ]?00([1-9])(?!\d)"), "CGATS TR 00{}"),
)
"""Patterns of condition names in profile names."""
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
"""Conditions of other profiles by the beginning of their names, in lower case with spaces for
`_`."""
_TARGET_TAG = re.compile(r"\s*ICCHDAT\s+(.+?)\s*\0*")


def find_condition(name: str, target: str = "") -> str | None:
    """Return the registered printing condition of an ICC profile, None if it is unknown.

    Args:
        name: its description.
        target: its tag `targ`, where the registry requires `ICCHDAT` and the name of the condition.
    """
    tag = _TARGET_TAG.fullmatch(target)
    if tag is not None and tag[1] in REGISTERED_CONDITIONS:
        return tag[1]
    small = name.casefold()
    for pattern, form in _NAME_PATTERNS:
        match = pattern.search(small)
        if match is not None:
            condition = form.format(match[1])
            return condition if condition in REGISTERED_CONDITIONS else None
    plain = small.replace("_", " ")
    return next(
        (known for start, known in _KNOWN_PROFILES.items() if plain.startswith(start)), None
    )


E043 = Code("E043", Severity.WARNING, "colors converted with an ICC profile found on this computer")
E040 = Code("E040", Severity.ERROR, "a file that is not an ICC profile for CMYK print")

BUNDLED = Path(__file__).with_name("fogra39.icc")
"""Offset print on coated paper."""
_MAX_BYTES = 20_000_000
"""Real profiles have half a megabyte to three."""
_HEADER_BYTES = 128
_MAX_FILES = 2_000
"""The maximum number of system files to inspect."""


class IccProfile(NamedTuple):
    """An ICC profile, with its description and the name of its printing condition, if known."""

    name: str
    data: bytes
    path: Path
    condition: str | None = None


def read_profile(path: Path, report: Report) -> IccProfile | None:
    """Return the ICC profile in a file, None after reporting errors."""
    data, problem = b"", None
    try:
        if not is_file(path):
            problem = "there is no such ICC profile"
        elif path.stat().st_size > _MAX_BYTES:
            problem = f"the ICC profile has more than {_MAX_BYTES // 1_000_000} MB"
        else:
            data = path.read_bytes()
            problem = _find_problem(data)
    except OSError as error:
        problem = f"cannot read the ICC profile: {error.strerror}"
    if problem is not None:
        hint = "give a CMYK output profile, such as the printer's own"
        report.append(E040.at(Location(path), problem, hint))
        return None
    name, target = _read_description(data)
    return IccProfile(name or path.stem, data, path, find_condition(name or path.stem, target))


@lru_cache(maxsize=4)  # orders use the same profile again and again
def _find_problem(data: bytes) -> str | None:
    """Return why data is not a usable CMYK profile, None if it is."""
    from PIL import Image, ImageCms  # only for prints in CMYK

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
    """Return the description and the target of a profile."""
    from PIL import ImageCms  # only for prints in CMYK

    try:
        opened = ImageCms.ImageCmsProfile(io.BytesIO(data))
        name = ImageCms.getProfileDescription(opened)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return "", ""
    plain = "".join(char for char in name.strip() if char.isprintable())
    return plain, opened.profile.target or ""


def load_named_profile(given: Path, report: Report) -> IccProfile | None:
    """Return the ICC profile named by the user, None after reporting errors.

    A system profile that is found by part of its name is reported.

    Args:
        given: a file, or part of the name of the bundled profile or of a system profile.
    """
    word = str(given).casefold()
    if not is_file(given) and not given.suffix:
        for path in (BUNDLED, *_find_candidates()):
            profile = read_profile(path, [])
            if profile is not None and word in f"{profile.name} {path.stem}".casefold():
                return _report_foreign(profile, report)
    return read_profile(given, report)


def find_profile(words: Sequence[str], report: Report) -> IccProfile:
    """Return the best profile: the bundled one, or a system profile, which is reported.

    A system profile is used if it has a registered condition and its name contains one of the words
    that rank above the bundled profile. Other profiles come with programs, such as Ghostscript's
    generic SWOP: installing one of these must not change prints.
    """
    ranked: list[tuple[int, bool, bool, str, IccProfile]] = []
    for path in (BUNDLED, *_find_candidates()):
        profile = read_profile(path, [])
        if profile is not None and profile.condition in REGISTERED_CONDITIONS:
            name = f"{profile.name} {path.stem} {profile.condition}".casefold()
            rank = next((n for n, word in enumerate(words) if word.casefold() in name), len(words))
            # PDF 1.4 supports ICC version 2 only.
            version = profile.data[8] > 2
            ranked.append((rank, path != BUNDLED, version, str(path), profile))
    return _report_foreign(min(ranked)[-1], report)


def _report_foreign(profile: IccProfile, report: Report) -> IccProfile:
    """Return a profile, after reporting it if it is not the bundled one."""
    if profile.path != BUNDLED:
        message = f"colors are converted with `{profile.name}`, not with the profile of Deckwright"
        hint = "keep it by passing its file to `--icc`, or use Deckwright's with `--icc fogra39`"
        report.append(E043.at(Location(profile.path), message, hint))
    return profile


def _find_candidates() -> Iterator[Path]:
    """Yield system files with the header of a CMYK output profile."""
    files = chain.from_iterable(sorted(folder.rglob("*")) for folder in _folders())
    for path in islice(files, _MAX_FILES):
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
    """Yield the ICC profile folders of freedesktop.org, Apple and Microsoft systems."""
    home = os.environ.get("HOME")
    own = os.environ.get("XDG_DATA_HOME") or (f"{home}/.local/share" if home else "")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for folder in (own, *shared.split(os.pathsep)):
        if folder:
            yield Path(folder) / "color" / "icc"
    if sys.platform == "darwin":
        yield Path("/Library/ColorSync/Profiles")
        yield Path("/System/Library/ColorSync/Profiles")
    elif sys.platform == "win32":
        root = os.environ.get("SYSTEMROOT", "C:\\Windows")
        yield Path(root) / "System32" / "spool" / "drivers" / "color"
