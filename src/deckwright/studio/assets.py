"""What the page is made of: read once, so that no path of a request ever meets a folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_PAGES = Path(__file__).parent / "pages"
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_FIRST = "studio.css"
VIEWS = ("cards", "decks", "edit", "print")
"""What the page can show, in the order of its bar: a module of this name each."""


class Asset(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


@cache
def assets() -> dict[str, Asset]:
    """Return all files of the page by their names."""
    paths = [path for folder in (_PAGES, _PAGES / "vendor") for path in sorted(folder.glob("*"))]
    return {
        path.relative_to(_PAGES).as_posix(): Asset(path.read_bytes(), _TYPES[path.suffix])
        for path in paths
        if path.suffix in _TYPES
    }


@cache
def page() -> str:
    """Return the page. It is the same for every game: what is shown, it asks for with its key."""
    names = assets()
    sheets = [name for name in names if name.endswith(".css") and name != _FIRST]
    views = [view for view in VIEWS if f"{view}.js" in names]
    environment = Environment(
        loader=FileSystemLoader(_PAGES), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("studio.html").render(views=views, sheets=[_FIRST, *sheets])
