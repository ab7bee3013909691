"""Compiled templates are kept, and nothing but what was kept is taken for one."""

from __future__ import annotations

import marshal
import os
from pathlib import Path
from typing import NoReturn

import pytest

from deckwright.base.findings import Report
from deckwright.expressions.expressions import Expressions
from support import composer, texts

FACE = '<face><text each="n in [1, 2]">{{ card }}{{ n }}</text></face>'


def written(folder: Path, face: str = FACE) -> list[str]:
    """Return the texts of a face."""
    report: Report = []
    maker = composer(folder, face, report)
    assert maker is not None
    made = maker.compose({"card": "a"}, 65, 90)
    assert made is not None
    assert report == []
    return texts(made.ops)


@pytest.fixture
def entries(own_cache: Path) -> Path:
    return own_cache / "programs"


@pytest.fixture
def once(tmp_path: Path, entries: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose template was compiled once, and no other can be."""
    assert not entries.exists()
    written(tmp_path)

    def compile_again(*_: object) -> NoReturn:
        message = "compiled again"
        raise AssertionError(message)

    monkeypatch.setattr(Expressions, "compile", compile_again)
    return tmp_path


def test_a_template_is_compiled_once(once: Path) -> None:
    assert written(once) == ["a1", "a2"]
    # What is the same for all cards is not part of its program.
    assert written(once, FACE.replace("<text ", '<text fill="red" ')) == ["a1", "a2"]


@pytest.mark.parametrize(
    ("old", "new"), [("card", "1"), ("[1, 2]", "[1]"), ("each=", "x='{{1}}' each=")]
)
def test_another_program_is_compiled_anew(once: Path, old: str, new: str) -> None:
    with pytest.raises(AssertionError, match="again"):
        written(once, FACE.replace(old, new))


def test_a_folder_that_others_can_write_to_is_not_read(once: Path, entries: Path) -> None:
    entries.chmod(0o777)
    with pytest.raises(AssertionError, match="again"):
        written(once)


def test_a_link_to_a_folder_is_not_read(once: Path, entries: Path) -> None:
    entries.rename(entries.with_name("others"))
    entries.symlink_to("others")
    with pytest.raises(AssertionError, match="again"):
        written(once)


def test_a_folder_of_somebody_else_is_not_read(once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(AssertionError, match="again"):
        written(once)


def test_a_program_without_its_sum_is_not_run(tmp_path: Path, entries: Path) -> None:
    assert written(tmp_path) == ["a1", "a2"]
    (entry,) = entries.iterdir()
    harm = compile("raise SystemExit('harm')", "<template>", "exec")
    entry.write_bytes(entry.read_bytes()[:16] + marshal.dumps(harm))
    assert written(tmp_path) == ["a1", "a2"]
