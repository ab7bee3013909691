"""Fonts for ReportLab that are taken apart only once: what is known of them is kept on disk."""

from __future__ import annotations

import pickle
from functools import partial
from hashlib import blake2b
from operator import mul
from typing import Any

import reportlab
from reportlab.pdfbase import ttfonts

from deckwright.base.cache import Cache

_OF_THE_FILE = {"_ttf_data", "filename"}
_NOT_KEPT = _OF_THE_FILE | {"_pdfScale", "glyphToChar"}
"""Besides, what only texts need that ReportLab shapes; one of these cannot be kept at all."""


class KnownFace(ttfonts.TTFontFace):  # type: ignore[misc]
    """A font's file taken apart by ReportLab, or as it was when it had the same bytes before."""

    def extractInfo(self, charInfo: int = 1) -> None:  # noqa: N802, N803 - ReportLab's names
        """Set the attributes that tell of the font.

        Raises:
            TTFError: if the font cannot be read.
        """
        cache = Cache("fonts")
        digest = blake2b(f"{reportlab.__version__} {charInfo} ".encode(), digest_size=20)
        digest.update(self._ttf_data)
        key = digest.hexdigest()
        kept = cache.read_decoded(key, _unpickle)
        if kept is not None:
            self.__dict__.update(kept)
            self._pdfScale = partial(mul, 1000 / self.unitsPerEm)
            return
        super().extractInfo(charInfo)
        known = {name: value for name, value in vars(self).items() if name not in _NOT_KEPT}
        cache.write(key, pickle.dumps(known))


def _unpickle(content: bytes) -> dict[str, Any] | None:
    known = pickle.loads(content)  # noqa: S301 - ours, and whole
    return known if known["unitsPerEm"] > 0 else None


_to_unicode = ttfonts.makeToUnicodeCMap
_MOST = 100
"""How many codes a block of a CMap has at most."""


def _in_utf_16(name: str, subset: list[int]) -> str:
    """Return which characters the codes of a subset are, for copying: as PDF has it, in UTF-16.

    ReportLab writes the numbers of characters, which is the same only up to U+FFFF, and those of
    codes that are not used. The form is that of Adobe's Technical Note 5411.
    """
    lines = [
        f"<{code:02X}> <{chr(character).encode('utf-16-be').hex().upper()}>"
        for code, character in enumerate(subset)
        if character
    ]
    blocks = [lines[start : start + _MOST] for start in range(0, len(lines), _MOST)]
    written = "\n".join(
        "\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks
    )
    whole: str = _to_unicode(name, subset)
    before, _, rest = whole.partition(f"{len(subset)} beginbfchar")
    return before + written + rest.partition("endbfchar")[2]


ttfonts.makeToUnicodeCMap = _in_utf_16
ttfonts.TTFontFace = KnownFace  # a TTFont makes its face of it


class TTFont(ttfonts.TTFont):  # type: ignore[misc]
    """A font that ReportLab knows by a name of ours, since it takes fonts of one name for one."""

    def __init__(self, name: str, filename: str) -> None:
        """Read a font's file.

        Raises:
            TTFError: if it cannot be read.
        """
        super().__init__(name, filename)
        self._inside: bytes = self.face.name
        """What the font is called in its file."""
        self.face.name = name.encode()

    def addObjects(self, doc: Any) -> None:  # noqa: ANN401, N802 - ReportLab's
        """Add the font to a PDF by the name in its file, numbered if others there have it, too."""
        alike = [font for font in doc.delayedFonts if font._inside == self._inside]  # noqa: SLF001
        number, known = alike.index(self), self.face.name
        self.face.name = self._inside + (f"-{number + 1}".encode() if number else b"")
        try:
            super().addObjects(doc)
        finally:
            self.face.name = known
