"""What the codes of findings mean, from the page of all codes.

The page is made of `tests/diagnostics/`, where each code has its prose beside its examples.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PACKAGE = Path(__file__).parent.parent
_SECTION = re.compile(r"^### ([A-Z]\d{3}): (.*?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)


class Section(NamedTuple):
    """What the page says of a code: its title with its severity, then prose and an example."""

    title: str
    body: str


def page() -> str:
    """Return the page of all codes, in Markdown."""
    packed = _PACKAGE / "defaults" / "diagnostics.md"
    path = packed if packed.is_file() else _PACKAGE.parent.parent / "docs" / "diagnostics.md"
    return path.read_text(encoding="utf-8")


@cache
def sections() -> dict[str, Section]:
    """Return the sections of the page by code."""
    return {code: Section(title, body.strip()) for code, title, body in _SECTION.findall(page())}
