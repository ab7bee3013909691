"""Texts written as XML say the same when they are read, and writing them loads next to nothing."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from deckwright.base.strings import escape_text, quote_attribute

# What XML can hold: no control characters but spaces, no surrogates, no U+FFFE and U+FFFF.
SAID = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn"))
    | st.sampled_from("\t\n\r<>&\"'")
)


@given(SAID, st.sampled_from(["", '"', "'"]))
def test_what_is_written_is_read_again(text: str, quote: str) -> None:
    read = etree.fromstring(f"<a b={quote_attribute(text, quote)}>{escape_text(text)}</a>".encode())
    assert read.get("b") == text
    assert (read.text or "") == text.replace("\r\n", "\n").replace("\r", "\n")


def test_what_draws_and_reports_loads_nothing_that_opens_urls() -> None:
    code = (
        "import sys, deckwright.paint.svg, deckwright.cli.reporters; "
        "print([name for name in ('urllib.request', 'http.client') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
