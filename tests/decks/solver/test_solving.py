"""The best decks: what they aim at, which of equals is taken, and what else is asked of them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import deckwright
from conftest import ROOT, Run, edit
from deckwright.api.solving import SolvedDeck
from deckwright.base.extras import install_command
from deckwright.base.findings import ChoiceError
from deckwright.decks.solver.highs import HighsSolver, SolverOutcome, SolverStatus
from deckwright.decks.solver.program import Linear
from support import card, data, line, write_game

CARDS = [
    card("A1", "Ant", level=1, costs=2, actions=3),
    card("A2", "Bug", level=1, costs=2, actions=3),
    card("A3", "Queen", level=2, costs=5, actions=9),
    card("A4", "Drone", level=1, costs=1, actions=0),
    card("B1", "Bee", "BB", level=1, costs=1, actions=9),
    card("G1", "Guest", "GG", level=1, costs=0, actions=1),
]
LIMITS = """<limit id="size" name="cards" zone="main" min="4" max="6"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="14"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>
    <limit id="own" name="faction" zone="main" faction="own"/>
    <limit id="guests" name="guests" zone="side" max="1"/>
    <format id="usual" name="Usual" default="true"/>
    <format id="rich" name="Rich"><set limit="costs" value="16"/></format>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path)


def write(folder: Path, limits: str = LIMITS, deck: str = "") -> Path:
    write_game(folder, CARDS, decks={"mine": [line("A4", 3), line("A1", 1)]}, limits=limits)
    if deck:
        path = folder / "xml" / "game.xml"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("<deck>", f"<deck {deck}>"), encoding="utf-8")
    return folder


def listed(deck: SolvedDeck) -> str:
    return " ".join(f"{each.copies}{each.card.id}" for each in deck.cards)


def reached(deck: SolvedDeck) -> list[tuple[str, float]]:
    return [(value.aim, value.value) for value in deck.values]


def best(folder: Path, **asked: object) -> SolvedDeck:
    (deck,) = deckwright.open_game(folder).solve("AA", **asked).decks  # type: ignore[arg-type]
    assert deck.proven
    assert deck.settled
    assert deck.findings == ()
    return deck


@pytest.mark.parametrize(
    ("asked", "cards", "values"),
    [
        # Two queens cost 10; of the others at 2 four more fit the size, two of them the costs.
        ({"maximize": ["actions"]}, "2A3 2A1 1G1", [25]),
        ({"minimize": ["costs"]}, "1A1 3A4", [5]),
        ({"maximize": ["cards"], "minimize": ["costs"]}, "3A1 3A4 1G1", [7, 9]),
        ({"maximize": ["actions + 10*cards"]}, "1A3 3A1 1A2 1A4 1G1", [92]),
        ({"maximize": ["actions", "cards"]}, "2A3 2A1 1G1", [25, 5]),
        ({"maximize": ["side.actions"]}, "3A1 1A2 1G1", [1]),
        ({"maximize": ["-costs", "actions"]}, "1A1 3A4 1G1", [-5, 4]),
    ],
)
def test_sums_are_reached_one_after_the_other(
    folder: Path, asked: dict[str, list[str]], cards: str, values: list[int]
) -> None:
    deck = best(folder, **asked)
    assert sorted(listed(deck).split()) == sorted(cards.split())
    assert [value for _, value in reached(deck)] == values


def test_without_anything_asked_for_the_game_says_what_is_best(
    folder: Path, tmp_path: Path
) -> None:
    assert reached(best(folder)) == [("minimize cards", 4), ("minimize costs", 5)]
    assert listed(best(folder)) == "1A1 3A4"
    deck = best(write(tmp_path / "worth", deck='worth="actions" cost="costs"'))
    assert reached(deck) == [("maximize actions", 25), ("minimize costs", 14)]
    assert listed(deck) == "2A1 2A3 1G1"


def test_of_equal_decks_the_one_with_most_of_the_first_cards_is_taken(folder: Path) -> None:
    assert listed(best(folder, minimize=["cards"])) == "3A1 1A2"
    assert listed(best(folder, minimize=["cards"], exclude=["A1"])) == "3A2 1A3"


@pytest.mark.parametrize(
    ("asked", "cards"),
    [
        ({"include": ["A4"]}, "3A1 1A4"),
        ({"include": ["Drone=2"]}, "2A1 2A4"),
        ({"include": ["A4>=2", "A2 = 1"]}, "1A1 1A2 2A4"),
        ({"include": ["AA:Drone=3", "A3"]}, "1A3 3A4"),
        ({"include": ["A1<=1"]}, "1A1 3A2"),
        ({"exclude": ["Ant", "AA:A3"]}, "3A2 1A4"),
        ({"include": ["G1"]}, "3A1 1A2 1G1"),
        ({"include": ["Bee=2"], "limit": {"own": None}}, "2A1 2B1"),
    ],
)
def test_cards_are_in_the_deck_or_not_as_asked(
    folder: Path, asked: dict[str, list[str]], cards: str
) -> None:
    assert listed(best(folder, minimize=["cards"], **asked)) == cards


def test_what_there_is_not_is_told_with_what_is_near(folder: Path) -> None:
    game = deckwright.open_game(folder)
    unknown = "`action` is not a sum of fields: no kind of card has a field `action` with numbers"
    for asked, message, hint in (
        ({"include": ["A33"]}, "there is no card `A33`", "did you mean `A3`?"),
        ({"exclude": ["Quen"]}, "there is no card `Quen`", "did you mean `Queen`?"),
        (
            {"include": ["B1"]},
            "decks of `AA` cannot have the card `B1`",
            "allow it with `--limit own=off`",
        ),
        (
            {"include": ["A3=two"]},
            "there is no card `A3=two`",
            "write a number of copies as in `HK3=2`",
        ),
        (
            {"exclude": ["A3=2"]},
            "`A3=2` has a number, but no copy of an excluded card is left",
            "limit its copies with `--include 'A3<=2'`",
        ),
        ({"maximize": ["action"]}, unknown, "did you mean `actions`?"),
    ):
        with pytest.raises(ChoiceError) as error:
            game.solve("AA", **asked)  # type: ignore[arg-type]
        assert (error.value.message, error.value.hint) == (message, hint)
    with pytest.raises(ValueError, match="there is no faction `AX`"):
        game.solve("AX")
    (folder / "xml/Decks/mine.xml").write_text(data('<meta main_faction_id="AA" name="Mine"/>'))
    with pytest.raises(ValueError, match=r"`mine` is a deck, .*\n.*`--complete`"):
        game.solve("mine")


def test_cards_of_the_same_id_are_told_apart_by_their_factions(tmp_path: Path) -> None:
    twins = [card("X", name, faction, level=1) for name, faction in (("Bee", "BB"), ("Cow", "GG"))]
    write_game(tmp_path, [*CARDS, *twins], limits=LIMITS)
    game = deckwright.open_game(tmp_path)
    with pytest.raises(ValueError, match=r"several factions .*\n.*`BB:X`, `GG:X`"):
        game.solve("AA", include=["X"], limit={"own": None})
    (deck,) = game.solve(
        "AA", minimize=["cards"], include=["BB:X=3", "A4"], limit={"own": None}
    ).decks
    assert listed(deck) == "1A4 3X"
    assert listed(game.solve("AA", include=["X"], minimize=["cards"]).decks[0]) == "3A1 1A2 1X"


def test_a_deck_can_be_like_another_one(folder: Path) -> None:
    deck = best(folder, like="mine", limit={"size": 5}, include=["A3"])
    assert reached(deck)[0] == ("changes to mine", 1)
    assert listed(deck) == "1A1 1A3 3A4"
    deck = best(folder, like="mine", maximize=["actions"], exclude=["A1"])
    assert reached(deck) == [("maximize actions", 25), ("changes to mine", 9)]


def test_several_decks_differ_from_each_other(folder: Path) -> None:
    solution = deckwright.open_game(folder).solve(
        "AA", maximize=["actions"], different=9, apart=3, exclude=["G1"]
    )
    decks = [{each.card.id: each.copies for each in deck.cards} for deck in solution.decks]
    values = [deck.values[0].value for deck in solution.decks]
    assert values == sorted(values, reverse=True)
    assert [deck.name for deck in solution.decks[:2]] == ["Hill 1", "Hill 2"]
    for number, deck in enumerate(decks):
        for other in decks[:number]:
            assert sum(max(0, deck[i] - other.get(i, 0)) for i in deck) >= 3
    assert 2 <= len(decks) < 9
    assert solution.impossible


def test_a_sum_that_nothing_limits_is_no_deck_of_999_copies(folder: Path, tmp_path: Path) -> None:
    game = deckwright.open_game(folder)
    off = {"size": None, "costs": None, "copies": None}
    with pytest.raises(ValueError, match="no limit restricts the copies of `A1` in `main`"):
        game.solve("AA", maximize=["actions"], limit=off)
    assert len(game.solve("AA", maximize=["actions"], limit={"size": None}).decks) == 1
    write(tmp_path, limits="")
    with pytest.raises(ValueError, match='<limit id="most" name="cards" zone="main" max="40"/>'):
        deckwright.open_game(tmp_path).solve("AA", maximize=["cards"])


def test_the_smallest_deck_has_a_card(tmp_path: Path) -> None:
    deck = best(write(tmp_path, limits=""), minimize=["cards"])
    assert listed(deck) == "1A1"


def test_what_cannot_be_is_told(folder: Path, run: Run) -> None:
    solution = deckwright.open_game(folder).solve("AA", limit={"costs": 4})
    assert solution.decks == ()
    assert solution.impossible
    result = run("solve", "AA", "--limit", "costs=3", "--game", str(folder))
    assert result.exit_code == 1
    assert "no deck of `AA` meets all limits\n" in result.output
    result = run("solve", "AA", "--include", "A1,A3=4", "--game", str(folder))
    assert "no deck of `AA` meets all limits and requests\n" in result.output


def test_limits_that_cannot_be_told_a_solver_are_named(tmp_path: Path, run: Run) -> None:
    odd = '<limit id="odd" name="odd" zone="main" max="{{ main.actions }}"/>'
    write(tmp_path, LIMITS + odd)
    half = '<field name="actions" type="decimal" min="-5"/></kind>'
    half = f'<kind tag="half" name="Half" width="65" height="90" face="card.xml">{half}'
    edit(tmp_path / "xml" / "game.xml", "<tokens", f"{half}<tokens")
    half = '<half id="A9" name="Half" faction_id="AA" actions="-0.5"/></data>'
    edit(tmp_path / "xml" / "Factions" / "AA_cards.xml", "</data>", half)
    result = run("solve", "AA", "--game", str(tmp_path))
    assert result.exit_code == 1, "the deck is checked by it all the same"
    assert "limit `odd` was left out of the search: `main.actions` has decimals below 0" in (
        result.output
    )


def test_mistakes_in_cards_that_decks_may_have_are_told(folder: Path, run: Run) -> None:
    path = folder / "xml" / "Factions" / "BB_cards.xml"
    path.write_text(data('<card id="B1"/>'), encoding="utf-8")
    game = ("--game", str(folder))
    assert run("solve", "AA", *game).exit_code == 0
    assert run("solve", "BB", *game).exit_code == 1
    assert run("solve", "AA", "--limit", "own=off", *game).exit_code == 1


def test_the_command_shows_the_deck_and_writes_it(folder: Path, run: Run) -> None:
    out = folder / "xml" / "Decks" / "best.xml"
    asked = ("--minimize", "cards", "--maximize", "actions", "--minimize", "costs")
    game = ("--game", str(folder))
    result = run("solve", "AA", *asked, "--out", str(out), "--name", "Best", *game)
    assert result.exit_code == 0
    assert "  2x  Queen (A3)" in result.stdout
    tail = "  minimize cards: 4, the best possible\n"
    tail += "  maximize actions: 24, the best possible\n"
    tail += f"  minimize costs: 14, the best possible\nwrote {out}\n"
    assert result.stdout.endswith(tail)
    assert '<meta main_faction_id="AA" name="Best"/>' in out.read_text(encoding="utf-8")
    assert run("fmt", "--check", str(out), *game).exit_code == 0
    assert run("check", *game).exit_code == 0


def test_a_deck_of_another_format_names_it(folder: Path, run: Run) -> None:
    game = ("--game", str(folder))
    out = folder / "xml" / "Decks" / "best.xml"
    asked = ("--maximize", "costs", "--format", "rich", "--out", str(out))
    assert "maximize costs: 16, the best possible" in run("solve", "AA", *asked, *game).stdout
    assert ' format="rich"/>' in out.read_text(encoding="utf-8")
    assert run("check", str(out), *game).exit_code == 0


def test_several_decks_are_a_table_and_several_files(folder: Path, run: Run) -> None:
    out = folder / "found"
    result = run(
        "solve", "AA", "--different", "3", "--maximize", "actions", "--game", str(folder),
        "--out", f"{out}/",
    )  # fmt: skip
    assert [line.split() for line in result.stdout.splitlines()[:2]] == [
        ["cards", "maximize", "actions"],
        ["1.", "5", "25"],
    ]
    assert sorted(path.name for path in out.iterdir()) == ["AA-1.xml", "AA-2.xml", "AA-3.xml"]


def test_with_too_little_time_it_is_said_what_is_known(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    maximize, game = HighsSolver.maximize, ("--game", str(folder))

    def stopped(self: HighsSolver, aim: Linear) -> SolverOutcome:
        return maximize(self, aim)._replace(status=SolverStatus.STOPPED, bound=30)

    monkeypatch.setattr(HighsSolver, "maximize", stopped)
    result = run("solve", "AA", "--maximize", "actions", *game)
    assert result.exit_code == 0
    told = "maximize actions: 25, not proven to be the best: no deck can be better than 30\n"
    assert told in result.stdout
    assert "the search stopped after 10 seconds; `--time 60` gives it more" in result.stderr
    monkeypatch.setattr(
        HighsSolver, "maximize", lambda _self, _aim: SolverOutcome(SolverStatus.STOPPED)
    )
    result = run("solve", "AA", "--time", "2", *game)
    assert result.exit_code == 1
    assert result.output == "the search stopped after 2 seconds; `--time 12` gives it more\n"


def test_a_search_ends_when_its_time_is_over(folder: Path) -> None:
    solution = deckwright.open_game(folder).solve("AA", time=0)
    assert solution.decks == ()
    assert not solution.impossible


def test_commands_that_do_not_solve_do_not_import_the_solver(folder: Path) -> None:
    code = """
import sys
from click.testing import CliRunner
from deckwright.cli import deckwright
for command in (["--help"], ["stats", "mine"], ["deck", "mine"]):
    extra = ["--game", sys.argv[1]] if len(command) > 1 else []
    CliRunner().invoke(deckwright, command + extra)
print([name for name in sys.modules if "solver" in name or name == "highspy"])
"""
    told = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"


def test_without_the_solver_it_is_said_what_to_install(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "deckwright.decks.solver.highs.find_spec",
        lambda name: None if name == "highspy" else found(name),
    )
    result = run("solve", "AA", "--game", str(folder))
    assert result.exit_code == 2
    assert install_command("solve") in result.output


def test_the_shipped_game_has_a_best_deck(run: Run) -> None:
    result = run("solve", "HK", "--game", str(ROOT), "--limit", "size=26", "--exclude", "NR4")
    assert result.exit_code == 0
    assert "minimize costs: 200, the best possible" in result.stdout
