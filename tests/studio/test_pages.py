"""The page's own files: what is written in one and used in no other is left over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest

from conftest import ROOT

_FOLDER = ROOT / "src" / "deckwright" / "studio" / "pages"
PAGES = {
    path.relative_to(_FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(_FOLDER.rglob("*"))
    if path.suffix in {".js", ".css", ".html"} and path.parent.name != "vendor"
}
SHEETS = sorted(name for name in PAGES if name.endswith(".css"))
SERVER = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "src" / "deckwright" / "studio").rglob("*.py"))
)
WORDS = json.loads((_FOLDER / "words" / "en.json").read_text("utf-8"))["words"]
_NAME = r"[A-Za-z][\w-]*"


def others(*but: str) -> str:
    """Return what all but these files say."""
    return "\n".join(text for name, text in PAGES.items() if name not in but)


def unnamed(names: Iterable[str], text: str) -> list[str]:
    """Return those that a text has neither whole nor made of their beginning and something else."""
    whole = set(re.findall(r"[\w-]+", text))
    beginnings = tuple(set(re.findall(rf"[`\"'](?:[^`\"'$]* )?({_NAME}-)\$\{{", text)))
    return sorted(name for name in names if name not in whole and not name.startswith(beginnings))


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_class_and_id_of_a_sheet_is_used(sheet: str) -> None:
    rules = re.sub(r"/\*.*?\*/|\"[^\"]*\"|\{[^{}]*\}", "{", PAGES[sheet], flags=re.DOTALL)
    selected = set(re.findall(rf"[.#]({_NAME})", rules))
    scripts = others(*SHEETS)
    assert selected
    assert unnamed(selected, scripts) == []


def test_every_word_is_said() -> None:
    assert unnamed(WORDS, SERVER + others(*SHEETS)) == []
