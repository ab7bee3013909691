"""The library makes what the commands make."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from conftest import ROOT, Run, edit
from deckwright import Game, GameError, open_game
from support import card, line, token_rule, uses, write_game

MARKERS = """<markers face="marker.xml" paper="a4">
  <marker id="wound" name="Wound" shape="circle" size="13" color="red" label="W" count="3"/>
  <marker id="gold" name="Gold" shape="square" size="13" color="gold" label="G" count="2"/>
</markers>"""
RULEBOOK = '<rulebook title="Rules"><chapter title="Turns"><p>Take one.</p></chapter></rulebook>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with decks, tokens, markers and a rulebook."""
    cards = [card("A1", "Ant", "AA", uses("call")), card("A2", "Queen"), card("B1", "Bee", "BB")]
    write_game(
        tmp_path,
        cards,
        rules=[token_rule("call", "Wolf")],
        decks={"army": [line("A1", 2), line("A2")], "swarm": [line("B1")]},
        limits='<limit id="size" name="cards" zone="main" min="2"/>',
    )
    (tmp_path / "templates" / "marker.xml").write_text(
        '<face><text width="13" height="9">{{ marker.name }}</text></face>', encoding="utf-8"
    )
    edit(tmp_path / "xml" / "game.xml", "</game>", f"{MARKERS}</game>")
    (tmp_path / "xml" / "rulebook.xml").write_text(RULEBOOK, encoding="utf-8")
    return tmp_path


MADE: dict[str, tuple[tuple[str, ...], Callable[[Game, Path], object]]] = {
    "deck": (
        ("deck", "army", "--sheet", "letter-65x90", "--no-footer", "--only", "A1", "--copies", "3"),
        lambda game, out: game.deck("army").print(
            out, sheet="letter-65x90", footer=False, only=["A1"], copies=3
        ),
    ),
    "marks": (
        ("deck", "army", "--marks", "corners", "--flip", "short", "--back-offset", "1,2"),
        lambda game, out: game.deck("army").print(
            out, marks="corners", flip="short", back_offset=(1, 2)
        ),
    ),
    "draft": (
        ("deck", "swarm", "--draft"),
        lambda game, out: game.deck("swarm").print(out, draft=True),
    ),
    "limits": (
        ("deck", "swarm", "--limit", "size=1"),
        lambda game, out: game.deck("swarm").print(out, limit={"size": 1}),
    ),
    "decks": (
        ("deck", "army", "swarm", "--fill", "--ignore-limits"),
        lambda game, out: game.print_decks(["army", "swarm"], out, fill=True, ignore_limits=True),
    ),
    "tokens": (
        ("tokens", "AA", "--copies", "2"),
        lambda game, out: game.print_tokens("AA", out, copies=2),
    ),
    "tokens of a deck": (
        ("tokens", "army"),
        lambda game, out: game.deck("army").print_tokens(out),
    ),
    "markers": (
        ("markers", "wound", "--count", "wound=5", "--paper", "letter"),
        lambda game, out: game.print_markers(
            out, only=["wound"], counts={"wound": 5}, paper="letter"
        ),
    ),
    "overview": (
        ("overview", "AA"),
        lambda game, out: game.print_overview(out, factions=["AA"]),
    ),
    "rulebook": (("rulebook",), lambda game, out: game.print_rulebook(out)),
    "box": (
        ("tuckbox", "army", "--cards", "30", "--sleeved"),
        lambda game, out: game.deck("army").print_box(out, cards=30, sleeved=True),
    ),
}
"""The words of a command, and what makes the same file with the library."""


@pytest.mark.parametrize("keep", [True, False], ids=["kept", "read each time"])
@pytest.mark.parametrize("name", MADE)
def test_a_file_is_the_one_that_the_command_writes(
    folder: Path,
    run: Run,
    name: str,
    keep: bool,  # noqa: FBT001
) -> None:
    words, make = MADE[name]
    here, there = folder / "out" / "library.pdf", folder / "out" / "command.pdf"
    made = make(open_game(folder, keep=keep), here)
    assert getattr(made, "findings", None) is not None
    done = run(*words, "--game", str(folder), "--out", str(there))
    assert done.exit_code == 0 or name == "draft"
    assert here.read_bytes() == there.read_bytes()


def tree(folder: Path) -> dict[str, bytes]:
    """Return what is in the files below a folder, by their paths."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


EXPORTED: dict[str, tuple[tuple[str, ...], Callable[[Game, Path], object]]] = {
    "png": (
        ("export", "png", "A1", "--dpi", "30", "--bleed", "3mm"),
        lambda game, out: game.export_pictures(out, ["A1"], dpi=30, bleed=3),
    ),
    "svg": (
        ("export", "svg", "--both"),
        lambda game, out: game.export_pictures(out, form="svg", sides="both"),
    ),
    "webp": (
        ("export", "webp", "A2", "--size", "65x90", "--quality", "20"),
        lambda game, out: game.export_pictures(out, ["A2"], form="webp", size=(65, 90), quality=20),
    ),
    "proofs": (
        ("proof", "BB", "--dpi", "30"),
        lambda game, out: game.export_proofs(out, ["BB"], dpi=30),
    ),
    "cockatrice": (
        ("export", "cockatrice", "army", "--power", "actions", "--ignore-limits"),
        lambda game, out: game.export_cockatrice(
            out, ["army"], power=["actions"], ignore_limits=True
        ),
    ),
    "tts": (
        ("export", "tts", "army", "--url", "https://example.org/a", "--format", "png"),
        lambda game, out: game.deck("army").export_tts(
            out / "army.json", url="https://example.org/a", form="png"
        ),
    ),
    "service": (
        ("export", "mpc", "army", "--scale", "fit", "--anyway", "--no-tokens"),
        lambda game, out: game.deck("army").export_service(
            "mpc", out, scale="fit", anyway=True, tokens=False
        ),
    ),
}


@pytest.mark.parametrize("name", EXPORTED)
def test_an_export_is_what_the_command_exports(folder: Path, run: Run, name: str) -> None:
    words, export = EXPORTED[name]
    here, there = folder / "out" / "library", folder / "out" / "command"
    export(open_game(folder), here)
    done = run(*words, "--game", str(folder), "--out", str(there))
    assert done.exit_code == 0, done.stderr
    assert tree(there)
    assert tree(here) == tree(there)


def test_a_print_tells_what_it_consists_of(folder: Path) -> None:
    game = open_game(folder)
    tokens = game.print_tokens("AA", folder / "tokens.pdf", copies=2)
    assert [tuple(item) for item in tokens.items] == [("call/1", "Wolf", 2)]
    assert (tokens.pages, tokens.sheets) == (1, 1)
    nothing = game.print_tokens("BB", folder / "none.pdf")
    assert (nothing.paths, nothing.pages, nothing.items) == ((), 0, ())
    markers = game.print_markers(folder / "markers.pdf", counts={"gold": 0})
    assert [tuple(item) for item in markers.items] == [("wound", "Wound", 3)]
    deck = game.deck("army").print(folder / "army.pdf", fill=True)
    assert [stats.cards for stats in deck.decks] == [3]
    assert deck.spare["Wolf"] > 0
    changed = game.deck("army").print(folder / "same.pdf", changed_since=folder / "army.pdf")
    assert changed.paths == ()
    assert game.deck("army").stats().cards == 3


def test_everything_is_what_the_command_builds(folder: Path, run: Run) -> None:
    here, there = folder / "out" / "library", folder / "out" / "command"
    game = open_game(folder)
    for path, make in game.everything(here, ignore_limits=True):
        assert not path.exists()
        assert make().paths == (path,)
    run("build", "--game", str(folder), "--out", str(there), "--ignore-limits")
    names = ["army", "swarm"]
    assert {path.name for path in here.glob("*.pdf")} == {
        *(f"deck_{name}.pdf" for name in names), "markers.pdf", "overview.pdf", "rulebook.pdf",
    }  # fmt: skip
    assert tree(here) == tree(there)


ASKED: dict[str, Callable[[Game, Path], object]] = {
    "there is no style `loud`": lambda game, out: game.print_rulebook(out, style="loud"),
    "there is no sheet format `poster`": lambda game, out: game.deck("army").print(
        out, sheet="poster"
    ),
    "there is no edge `left`": lambda game, out: game.deck("army").print(
        out,
        flip="left",  # type: ignore[arg-type]
    ),
    "there is no format `casual` in game.xml": lambda game, _: game.deck("army").check(
        limits="casual"
    ),
    "there is no limit `sise` in game.xml\n  hint: did you mean `size`": lambda game, _: game.check(
        limit={"sise": 2}
    ),
    "there is no faction `CC`": lambda game, out: game.print_overview(out, factions=["CC"]),
    "there is no marker `silver` in game.xml": lambda game, out: game.print_markers(
        out, only=["silver"]
    ),
    "every marker has the count 0": lambda game, out: game.print_markers(
        out, only=["gold"], counts={"gold": 0}
    ),
    "there is no paper `a9`": lambda game, out: game.deck("army").print_box(
        out,
        paper="a9",  # type: ignore[arg-type]
    ),
    "there is no print service `mpx`": lambda game, out: game.deck("army").export_service(
        "mpx", out
    ),
    "makes no cards of size `huge`": lambda game, out: game.deck("army").export_service(
        "mpc", out, size="huge"
    ),
    "`--url here` is not an address": lambda game, out: game.deck("army").export_tts(
        out, url="here"
    ),
    "no card has a field `taste`": lambda game, out: game.export_cockatrice(out, cost="taste"),
    "`Q12` is neither a code nor a family": lambda game, _: game.inspect(select=["Q12"]),
    "cannot be used together": lambda game, out: game.deck("army").print(
        out, backs=False, backs_apart=True
    ),
}


@pytest.mark.parametrize("message", ASKED)
def test_what_is_not_there_is_a_value_error_and_nothing_is_written(
    folder: Path, message: str
) -> None:
    target = folder / "out" / "target.pdf"
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        ASKED[message](open_game(folder), target)
    assert not target.exists()


def test_a_printer_that_was_not_calibrated_is_a_finding(folder: Path) -> None:
    with pytest.raises(GameError, match="E004"):
        open_game(folder).deck("army").print(folder / "army.pdf", printer="old inkjet")


def test_a_stranger_gets_no_more_than_is_allowed(folder: Path) -> None:
    numbers = "{{ range(9999)|sum }}{{ range(9999)|sum }}" * 60
    edit(folder / "templates" / "card.xml", "</face>",
         f'<text each="i in range(9999)" width="9" height="9">{numbers}</text></face>')  # fmt: skip
    check = "deckwright.open_game('.').check(untrusted=True, max_seconds=1)"
    # In a process of its own, whose limits and signals no other test has touched.
    code = f"import deckwright; print({check})"
    assert "L007" in subprocess.check_output([sys.executable, "-c", code], cwd=folder, text=True)


def test_some_files_are_checked_and_codes_chosen(folder: Path) -> None:
    game = open_game(folder)
    checked = game.inspect(["swarm"])
    assert [finding.code.id for finding in checked.findings] == ["D001"]
    assert [path.name for path in checked.files] == ["swarm.xml"]
    assert not checked.everything
    assert game.inspect(["army"]).findings == ()
    assert game.inspect(ignore=["D"]).findings == ()
    assert game.check(limit={"size": None}) == ()
    assert [finding.code.id for finding in game.check()] == ["D001"]


def test_a_game_that_is_not_kept_reads_what_a_call_needs(folder: Path) -> None:
    edit(folder / "xml" / "Factions" / "BB_cards.xml", "</data>", "</dat>")
    game = open_game(folder, keep=False)
    game.deck("army").print(folder / "army.pdf")
    with pytest.raises(GameError, match="X001"):
        game.deck("swarm").print(folder / "swarm.pdf", ignore_limits=True)
    edit(folder / "xml" / "Factions" / "BB_cards.xml", "</dat>", "</data>")
    game.deck("swarm").print(folder / "swarm.pdf", ignore_limits=True)
    assert game.reload() == ((), (), ())


def test_a_broken_setup_is_told_by_each_call_of_a_game_that_is_not_kept(folder: Path) -> None:
    edit(folder / "xml" / "game.xml", "</game>", "</gam>")
    game = open_game(folder, keep=False)
    for _ in range(2):
        with pytest.raises(GameError, match="X001"):
            assert game.name
        with pytest.raises(GameError, match="X001"):
            game.print_markers(folder / "markers.pdf")


def test_no_command_makes_things_without_the_library() -> None:
    """What is made comes from `outputs`, and commands have it from the library.

    But for what is not of one open game: test sheets for printers, and two states of a game.
    """
    makers = ("print_", "export_")
    called = [
        path.name
        for path in (ROOT / "src" / "deckwright" / "cli").rglob("*.py")
        for text in path.read_text(encoding="utf-8").splitlines()
        if "from deckwright.outputs" in text and any(f" {word}" in text for word in makers)
    ]
    assert sorted(called) == ["diff.py", "paper.py"]


def test_pictures_are_counted(folder: Path) -> None:
    drawn = open_game(folder).export_proofs(folder / "proof", dpi=30)
    assert (drawn.number, len(drawn.sheets)) == (4, 3)
    with Image.open(drawn.sheets[0]) as sheet:
        assert sheet.width > 60
