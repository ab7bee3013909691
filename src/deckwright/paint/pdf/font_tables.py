"""Fonts for ReportLab that are taken apart only once: what is known of them is kept on disk."""

from __future__ import annotations

import pickle
from functools import partial
from hashlib import blake2b
from operator import mul

import reportlab
from reportlab.pdfbase import ttfonts
from reportlab.pdfbase.ttfonts import TTFont

from deckwright.base.cache import Cache

__all__ = ["KnownFace", "TTFont"]

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
        kept = cache.read(key)
        if kept is not None:
            self.__dict__.update(pickle.loads(kept))  # noqa: S301 - ours, and whole
            self._pdfScale = partial(mul, 1000 / self.unitsPerEm)
            return
        super().extractInfo(charInfo)
        known = {name: value for name, value in vars(self).items() if name not in _NOT_KEPT}
        cache.write(key, pickle.dumps(known))


ttfonts.TTFontFace = KnownFace  # a TTFont makes its face of it
