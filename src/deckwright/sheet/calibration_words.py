"""What the calibration page says, by language; commands and options are the same in all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckwright.sheet.grid import Flip

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
    sides: tuple[str, str]
    print: str
    edges: Mapping[Flip, str]
    margins: str
    read: str
    after: str


_WORDS = {
    "en": CalibrationWords(
        "Calibration",
        ("Deckwright: calibration, side 1", "Deckwright: calibration, side 2"),
        "Print both pages on one sheet of paper, on both sides, at 100 % (not “fit to page”), "
        "turning it over the {} edge. The ruler below must be 100 mm long. Then turn to the "
        "other side.",
        {Flip.LONG: "long", Flip.SHORT: "short"},
        "At each edge of the paper, the smallest number whose line is printed in full is the "
        "margin in millimeters that your printer needs there: A at the top, B at the right, C at "
        "the bottom, D at the left.",
        "Hold the sheet up to a lamp with this side facing you. On each scale, read where the "
        "thin line from the other side crosses it: horizontal scales give X, vertical ones Y. "
        "Take the average of the five spots. With these numbers, backs are printed exactly behind "
        "their faces.",
        "Numbers to the right and down are positive. If the five spots differ by more than "
        "half a millimeter, the printer rotates or stretches the page, and no offset can correct "
        "that.",
    ),
    "de": CalibrationWords(
        "Kalibrierung",
        ("Deckwright: Kalibrierung, Seite 1", "Deckwright: Kalibrierung, Seite 2"),
        "Beide Seiten auf Vorder- und Rückseite eines Blattes drucken, mit 100 % (nicht „an Seite "
        "anpassen“), über die {} Kante gewendet. Das Lineal unten muss 100 mm lang sein. Dann das "
        "Blatt umdrehen.",
        {Flip.LONG: "lange", Flip.SHORT: "kurze"},
        "An jedem Rand des Papiers gibt die kleinste Zahl, deren Linie vollständig gedruckt ist, "
        "den Rand in Millimetern an, den der Drucker dort braucht: A oben, B rechts, C unten, D "
        "links.",
        "Das Blatt mit dieser Seite nach vorn gegen eine Lampe halten. An jeder Skala ablesen, wo "
        "die dünne Linie der anderen Seite sie kreuzt: Die waagerechten Skalen ergeben X, die "
        "senkrechten Y. Den Mittelwert der fünf Stellen nehmen. Mit diesen Zahlen liegen die "
        "Rückseiten genau hinter den Vorderseiten.",
        "Zahlen nach rechts und nach unten sind positiv. Weichen die fünf Stellen um mehr als "
        "einen halben Millimeter voneinander ab, dreht oder dehnt der Drucker die Seite; das "
        "gleicht kein Versatz aus.",
    ),
}


def calibration_words(language: str) -> CalibrationWords:
    """Return the words in a language such as "de" or "de-AT", in English where there are none."""
    return _WORDS.get(language.partition("-")[0].partition("_")[0].lower(), _WORDS["en"])
