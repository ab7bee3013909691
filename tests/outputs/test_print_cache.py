"""A deck that is printed again has the same bytes, and only what has changed is composed."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from PIL import Image

from conftest import ROOT, Run
from deckwright.sheet import flow
from deckwright.templates.compose import Composer
from edited_games import edit_at_random, write_edited_game
from support import run_program

OPTIONS = [(), ("--backs",), ("--reference",), ("--sheet", "letter-65x90", "--backs")]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    write_edited_game(folder)
    return folder


class Hill:
    """Prints the deck of a game; `said` is what the last command said."""

    def __init__(self, run: Run, game: Path, folder: Path) -> None:
        self._run, self._game, self._folder = run, game, folder
        self.said = ""

    def print(self, *options: str) -> list[bytes]:
        """Return the files that were written."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        out = ("--out", str(self._folder / "hill.pdf"))
        self.said = self._run("deck", "hill", "--game", str(self._game), *out, *options).stderr
        return [path.read_bytes() for path in sorted(self._folder.iterdir())]


@pytest.fixture
def hill(run: Run, game: Path, tmp_path: Path) -> Hill:
    return Hill(run, game, tmp_path / "out")


@pytest.mark.parametrize("seed", range(4))
def test_files_do_not_depend_on_earlier_prints(
    hill: Hill, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    any_of, different = random.Random(seed), set[bytes]()
    for number in range(15):
        options = any_of.choice(OPTIONS)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "warm"))
        warm, said = hill.print(*options), hill.said
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cold{number}"))
        same = warm == hill.print(*options)
        assert same, number
        assert said == hill.said, number
        different.update(warm)
        edit_at_random(game, any_of)
    assert len(different) > 5


@pytest.fixture
def composed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subjects of what is composed."""
    subjects: list[str] = []
    compose, lay_out = Composer.compose, flow.lay_out_flow

    def note_face(composer: Composer, *others: object) -> object:
        subjects.append(composer.subject.name)
        return compose(composer, *others)  # type: ignore[arg-type]

    def note_flow(composer: Composer, *others: object) -> object:
        subjects.append(composer.subject.name)
        return lay_out(composer, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Composer, "compose", note_face)
    monkeypatch.setattr("deckwright.faces.factory.lay_out_flow", note_flow)
    return subjects


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.usefixtures("own_cache")
def test_only_what_has_changed_is_composed(hill: Hill, game: Path, composed: list[str]) -> None:
    def print_again(*options: str) -> list[str]:
        composed.clear()
        hill.print(*options)
        assert hill.said == ""
        return [*composed]

    everything = print_again("--reference")
    assert {"card `A1`", "the rule reference", "token `Worker`"} <= {*everything}
    assert print_again("--reference") == []
    edit(game / "xml/Factions/AA_cards.xml", 'name="Ant 3"', 'name="Ant Three"')
    assert print_again("--reference") == ["card `A3`"]
    assert print_again() == []
    backs = print_again("--backs")
    assert {*backs} == {"the back of `AA`", "the rule reference"}  # which has another number
    assert print_again("--reference") == print_again("--backs") == []
    edit(game / "xml/rules.xml", "Create a Worker.", "Create a worker.")
    assert "the rule reference" in print_again("--reference")
    edit(game / "templates/card.xml", 'x="5" y="5"', 'x="6" y="5"')
    assert {"card `A1`", "card `A4`"} <= {*print_again()}


def test_a_damaged_entry_is_not_used(hill: Hill, composed: list[str], own_cache: Path) -> None:
    before = hill.print()
    (entry,) = (own_cache / "prints").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    composed.clear()
    assert hill.print() == before
    assert "card `A1`" in composed


def test_marked_faces_are_not_kept(hill: Hill, own_cache: Path) -> None:
    """A watermark, a slip or a draft is no face of its template."""
    marks = ["--watermark", "PLAYTEST"]
    for options in (marks, ["--slips"], ["--draft"]):
        assert hill.print(*options)
    assert not (own_cache / "prints").exists()
    plain, marked = hill.print(), hill.print(*marks)
    assert hill.print() == plain != marked


@pytest.mark.usefixtures("own_cache")
def test_the_shipped_deck_is_printed_again_without_composing(
    run: Run, tmp_path: Path, composed: list[str]
) -> None:
    files = []
    for name in ("first", "second"):
        composed.clear()
        target = tmp_path / f"{name}.pdf"
        run("deck", "army_HK_1", "--game", str(ROOT), "--out", str(target), "--reference")
        files.append(target.read_bytes())
    assert composed == []
    assert files[0] == files[1]


def draw_all(run: Run, game: Path, target: Path) -> tuple[dict[str, bytes], str]:
    """Draw a proof of all cards; return its files and what was said."""
    said = run("proof", "--game", str(game), "--out", str(target), "--dpi", "40").stderr
    return {path.name: path.read_bytes() for path in sorted(target.glob("*"))}, said


@pytest.mark.parametrize("seed", range(2))
def test_proofs_do_not_depend_on_earlier_ones(
    run: Run, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    any_of, different = random.Random(seed), set[bytes]()
    for number in range(10):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "warm"))
        warm, said = draw_all(run, game, tmp_path / f"warm{number}")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cold{number}"))
        cold, said_cold = draw_all(run, game, tmp_path / f"other{number}")
        assert warm.keys() == cold.keys()
        assert [name for name in warm if warm[name] != cold[name]] == []
        assert said.replace("warm", "other") == said_cold
        different.update(warm.values())
        edit_at_random(game, any_of)
    assert len(different) > 10


@pytest.mark.usefixtures("own_cache")
def test_a_proof_composes_only_what_has_changed(
    run: Run, game: Path, tmp_path: Path, composed: list[str]
) -> None:
    first, _ = draw_all(run, game, tmp_path / "proof")
    composed.clear()
    assert draw_all(run, game, tmp_path / "proof")[0] == first
    assert composed == []
    edit(game / "xml/Factions/BB_cards.xml", 'name="Bee 2"', 'name="Bee Two"')
    again, _ = draw_all(run, game, tmp_path / "proof")
    assert composed == ["card `B2`"]
    assert [name for name in first if again[name] != first[name]] == ["B2.png", "contact_BB.png"]


@pytest.mark.usefixtures("own_cache")
def test_findings_and_marks_are_the_same_each_time(run: Run, game: Path, tmp_path: Path) -> None:
    sound, _ = draw_all(run, game, tmp_path / "proof")
    Image.new("RGB", (9, 9), "red").save(game / "img/a.png")
    cards = game / "xml/Factions/AA_cards.xml"
    edit(cards, 'name="Ant 3"', 'name="Ant 3" colour="red"')  # templates do not see it
    first, said = draw_all(run, game, tmp_path / "proof")
    assert " warning I007: " in said
    assert first["A3.png"] != sound["A3.png"]
    assert draw_all(run, game, tmp_path / "proof") == (first, said)
    edit(cards, ' colour="red"', "")
    assert draw_all(run, game, tmp_path / "proof")[0]["A3.png"] == sound["A3.png"]


@pytest.mark.parametrize("words", [("--no-cache", "deck", "hill"), ("deck", "hill", "--no-cache")])
def test_nothing_is_kept_without_a_cache(
    game: Path, tmp_path: Path, own_cache: Path, words: tuple[str, ...]
) -> None:
    result = run_program(*words, "--game", game, "--out", tmp_path / "hill.pdf", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert not own_cache.exists()
