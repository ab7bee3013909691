"""What the calibration page says, by language; commands and options are the same in all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_WORDS = Path(__file__).with_suffix(".json")
OFFSET_COMMAND = "deckwright calibrate --printer NAME --back-offset Xmm,Ymm"
MARGINS_COMMAND = "deckwright calibrate --printer NAME --margins Amm,Bmm,Cmm,Dmm"


class CalibrationWords(NamedTuple):
    """The texts of the page.

    Attributes:
        title: of the file.
        sides: what the two sides are called.
        print: how to print it; braces stand for the edge to turn it over.
        edges: what those are called.
        margins: how to read the scales at the edges of the paper.
        read: how to read the second side.
        after: what the numbers mean.
    """

    title: str
    sides: Sequence[str]
    print: str
    edges: Mapping[str, str]
    margins: str
    read: str
    after: str


def calibration_words(language: str) -> CalibrationWords:
    """Return the words in a language such as "de" or "de-AT", in English where there are none."""
    known = json.loads(_WORDS.read_text(encoding="utf-8"))
    words = known.get(language.partition("-")[0].partition("_")[0].lower(), known["en"])
    return CalibrationWords(**words)
