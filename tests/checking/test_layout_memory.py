"""A check after a change finds what a check from scratch finds, and lays out little."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import deckwright
from deckwright.checking import stages, whole_layout
from deckwright.checking.layout_memory import CardContexts
from edited_games import NAMES, edit_at_random, write_edited_game

pytestmark = pytest.mark.child


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    write_edited_game(folder)
    return folder


def find_all(game: Path) -> list[str]:
    return sorted(map(repr, deckwright.open_game(game).check()))


@pytest.mark.corpus(3)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_does_not_depend_on_earlier_checks(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    any_of, different = random.Random(seed), set[str]()
    for number in range(12):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "warm"))
        warm = find_all(game)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cold{number}"))
        assert warm == find_all(game), number
        different.add("\n".join(warm))
        edit_at_random(game, any_of)
    assert len(different) > 2


def lay_out(game: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check a game; return the ids of the cards that are laid out, and the other parts."""
    done: list[str] = []

    def count(name: str, describe: Callable[..., list[str]]) -> None:
        real = getattr(whole_layout, name)

        def counted(*args: object) -> object:
            done.extend(describe(*args))
            return real(*args)

        patch.setattr(whole_layout, name, counted)

    def run_here(work: Callable[[object], None], findings: object, _limits: object) -> None:
        work(findings)

    with monkeypatch.context() as patch:
        patch.setattr("deckwright.checking.layout_check.run_sandboxed", run_here)
        count("_lay_out_batch", lambda _, checks, __: [check.card.id for check in checks])
        count("_lay_out_sheets", lambda *_: ["sheets"])
        count("_lay_out_book", lambda *_: ["book"])
        deckwright.open_game(game).check()
    return [name for name in dict.fromkeys(done) if not name.startswith("Call")]


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_only_what_has_changed_is_laid_out(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ants, bees = (game / f"xml/Factions/{faction}_cards.xml" for faction in ("AA", "BB"))
    monkeypatch.setattr(whole_layout, "_SAMPLE_CARDS", 1)
    assert {"A1", "A2", "A3", "A4", "B1", "B2", "B3", "sheets", "book"} <= {
        *lay_out(game, monkeypatch)
    }
    assert lay_out(game, monkeypatch) == []
    old = 'name="Ant 3" faction_id="AA" level="1" actions="0" costs="0"'
    replace(ants, old, old.replace('costs="0"', 'costs="2"'))
    assert lay_out(game, monkeypatch) == ["A3"]
    replace(ants, 'name="Ant 3"', 'name="Ant Three"')
    assert lay_out(game, monkeypatch) == ["A3", "book"]
    replace(bees, 'costs="0"', 'costs="3"')  # the drawing in the book shows it
    assert lay_out(game, monkeypatch) == ["B1", "book"]
    Image.new("RGB", (200, 200), "red").save(game / "img/a.png")
    assert lay_out(game, monkeypatch) == ["B1", "B2", "B3", "sheets", "book"]
    replace(ants, 'name="Ant Three"', f'name="{NAMES[3]}"')
    lay_out(game, monkeypatch)
    replace(bees, "Bee 2", "Bee Two")
    assert lay_out(game, monkeypatch) == ["A3", "B2", "book"]
    replace(game / "templates/card.xml", 'x="5" y="5"', 'x="6" y="5"')
    assert len(lay_out(game, monkeypatch)) >= 8


def test_an_unchanged_game_is_not_even_read(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[object] = []
    real = stages.check_files

    def check_files(*args: Any, **options: Any) -> stages.CheckResult:
        reads.append(args)
        return real(*args, **options)

    def inspect() -> stages.CheckResult:
        return deckwright.open_game(game).inspect()

    monkeypatch.setattr(stages, "check_files", check_files)
    packages = game.parent / "site-packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(packages)
    first = inspect()
    assert first.number
    assert (inspect(), len(reads)) == (first, 1)
    changes: list[Callable[[], object]] = [
        lambda: replace(game / "xml/rules.xml", "effect=", "effect= "),
        lambda: replace(game / "templates/card.xml", 'x="5" y="5"', 'x="6" y="5"'),
        lambda: (game / "xml/Factions/DD_cards.xml").write_text("<data/>", "utf-8"),
        lambda: Image.new("RGB", (9, 9)).save(game / "img/unused.png"),
        (packages / "solver.py").touch,
    ]
    for number, change in enumerate(changes, start=2):
        change()
        again = inspect()
        assert (inspect(), len(reads)) == (again, number)
    replace(game / "xml/Factions/AA_cards.xml", "actions=", "acts=")
    for count in (number + 1, number + 2):  # errors may depend on permissions
        inspect()
        assert len(reads) == count


def test_untrusted_games_are_laid_out_from_scratch(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "deckwright" / "layouts"
    deckwright.open_game(game).check(untrusted=True)
    assert not folder.exists()
    replace(game / "xml/Factions/AA_cards.xml", "Ant 3", "Ant Three")
    deckwright.open_game(game).check()
    assert len([*folder.iterdir()]) == 1
    replace(game / "xml/Factions/AA_cards.xml", "Ant Three", "Ant Four")
    monkeypatch.setattr(whole_layout, "MAX_FACES", 3)
    assert "L006" in {each.code.id for each in deckwright.open_game(game).check(untrusted=True)}
    assert "L006" not in {each.code.id for each in deckwright.open_game(game).check()}


def test_contexts_note_the_cards_that_are_used() -> None:
    contexts = CardContexts({"A1": {"name": "Ant"}, "B1": {"name": "Bee"}})
    assert contexts["A1"]["name"] == "Ant"
    assert "C1" not in contexts
    assert contexts.shown == {"A1", "C1"}
    assert len(list(contexts.values())) == 2
    assert contexts.shown == {"A1", "B1", "C1"}
