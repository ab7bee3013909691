"""Tell what is in PDF files: `pdf_facts.py FILE...` prints a JSON list of `[pages, text]`.

`text` sums up the letters and digits of all pages, whatever their order and line breaks; files
that show the same words have the same. Icons are not counted: some programs print them as
characters, some as drawings. Nor are page numbers, "3 / 5": only Deckwright numbers the sheets and
the texts of a deck through.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import unicodedata

import pypdfium2


def facts(path: str) -> tuple[int, str]:
    """Return the number of pages and the sum of the text of a PDF file."""
    with pypdfium2.PdfDocument(path) as document:
        text = "".join(page.get_textpage().get_text_bounded() for page in document)
        pages = len(document)
    text = re.sub(r"\d+\s*/\s*\d+", "", unicodedata.normalize("NFKC", text))
    letters = sorted(c for c in text if c.isalnum())
    digest = hashlib.sha256("".join(letters).encode()).hexdigest()[:12]
    return pages, f"{len(letters)} letters ({digest})"


if __name__ == "__main__":
    print(json.dumps([facts(path) for path in sys.argv[1:]]))
