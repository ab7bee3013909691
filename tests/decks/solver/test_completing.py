"""Broken decks become legal by the smallest change, and their files keep their form."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import deckwright
from conftest import HERE, Run, edit
from deckwright.base.extras import install_command
from deckwright.base.findings import ChoiceError, Report
from deckwright.checks.counting import DeckRules, LimitCounter, count_total, zones_of
from deckwright.checks.limits import check_limits, resolve_deck_rules
from deckwright.decks.solver.solving import DeckProblem, Repair, SolveOptions, find_repairs, solve
from deckwright.game.decklist import empty_deck
from deckwright.game.model import Deck, DeckEntry, Game
from support import card, line, load_all, write_game

Copies = dict[tuple[str, str, str | None], int]


def deck_of(game: Game, faction_id: str, copies: Copies) -> Deck:
    source = game.setup.source
    entries = tuple(
        DeckEntry(owner, card_id, number, source, zone)
        for (owner, card_id, zone), number in copies.items()
        if number > 0
    )
    return Deck("broken", "Broken", faction_id, None, entries, source)


def legal(game: Game, deck: Deck, held: DeckRules) -> bool:
    report: Report = []
    check_limits(game, deck, held, report)
    return not any(finding.severity.value == "error" for finding in report)


def broken_by(game: Game, deck: Deck, held: DeckRules) -> float:
    """Return how far a deck is from what its limits allow, in all."""
    tally = LimitCounter(game, deck, held)
    far = float(sum(found.entry.copies for found in tally.lines if found.zone is None))
    for limit in held.limits:
        for group in tally.group_lines(limit).values():
            if limit.warning or not tally.applies(limit):
                continue
            least, most, exactly = tally.resolve_bounds(limit)
            total = count_total(limit, group)
            if limit.own_faction:
                foreign = (each for each in group if each.card.faction_id != deck.faction_id)
                far += sum(each.entry.copies for each in foreign)
            far += max(0, (least or 0) - total) + max(0, total - (total if most is None else most))
            far += 0 if exactly is None else abs(total - exactly)
    return far


def greedy(game: Game, faction_id: str, copies: Copies, held: DeckRules) -> int | None:
    """Return in how many moves of one copy a deck becomes legal if each mends most; None if not."""
    copies = dict(copies)
    places: list[tuple[str, str, str | None]] = [
        (each.faction_id, each.id, zone.id)
        for each in game.cards.values()
        for zone in zones_of(game, each)
    ]
    moves = 0
    now = broken_by(game, deck_of(game, faction_id, copies), held)
    while now > 0 and moves < 60:
        tried: list[tuple[float, int, Copies]] = []
        for place in dict.fromkeys([*copies, *places]):
            for step in (1, -1):
                changed = {**copies, place: copies.get(place, 0) + step}
                if changed[place] >= 0:
                    far = broken_by(game, deck_of(game, faction_id, changed), held)
                    tried.append((far, len(tried), changed))
        best, _, copies = min(tried, key=lambda each: each[:2])
        moves += 1
        if best >= now:
            return None
        now = best
    return moves if legal(game, deck_of(game, faction_id, copies), held) else None


def random_decks(game: Game, seed: int, number: int) -> Iterator[tuple[str, Copies]]:
    """Yield factions that have decks, each with some cards, of which some cannot be together."""
    chance = random.Random(seed)
    cards = list(game.cards.values())
    with_decks = []
    for faction_id in game.factions:
        held = resolve_deck_rules(game, empty_deck(game, faction_id), None, {})
        if not DeckProblem(game, faction_id, held).impossible:
            with_decks.append(faction_id)
    for _ in range(number):
        faction_id = chance.choice(with_decks)
        own = [each for each in cards if each.faction_id == faction_id or chance.random() < 0.3]
        chosen = chance.sample(own, chance.randint(0, min(8, len(own))))
        copies: Copies = {}
        for each in chosen:
            zones = [None, *(zone.id for zone in zones_of(game, each))]
            copies[each.faction_id, each.id, chance.choice(zones)] = chance.randint(1, 4)
        yield faction_id, copies


@pytest.mark.parametrize(("name", "number"), [("small", 12), ("undercity", 8), ("menagerie", 8)])
def test_a_random_deck_becomes_legal_by_no_more_moves_than_one_by_one(
    name: str, number: int
) -> None:
    game = load_all(HERE / "games" / name)
    compared = 0
    for faction_id, copies in random_decks(game, 7, number):
        deck = deck_of(game, faction_id, copies)
        held = resolve_deck_rules(game, deck, None, {})
        found = solve(game, faction_id, held, SolveOptions(nearest=deck))
        assert found.answers, faction_id
        (answer,) = found.answers
        assert legal(game, answer.deck, held)
        changes = list(find_repairs(game, deck, answer.deck, held))
        moved = sum(abs(mend.change.copies) for mend in changes)
        assert moved == answer.values[0].value == answer.values[0].bound
        assert (moved == 0) == legal(game, deck, held)
        assert all(mend.why or not mend.change.zone for mend in changes)
        one_by_one = greedy(game, faction_id, copies, held) if name == "small" else None
        if one_by_one is not None:
            compared += 1
            assert moved <= one_by_one
    assert compared >= number // 4 or name != "small"


CARDS = [
    card("A1", "Ant", costs=2, actions=1),
    card("A2", "Bug", costs=3, actions=3),
    card("A3", "Queen", level=2, costs=6, actions=9),
    card("A4", "Drone", costs=2, actions=2),
    card("B1", "Bee", "BB", costs=1),
    card("G1", "Guest", "GG"),
]
LIMITS = """<limit id="size" name="cards" zone="main" min="4"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="14"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>
    <limit id="own" name="faction" zone="main" faction="own"/>
    <limit id="guests" name="guests" zone="side" exactly="1"/>"""
MINE = """<?xml version='1.0' encoding='UTF-8'?>
<data>
\t<meta main_faction_id='AA' name='Mine'/>
\t<!-- the heart -->
\t<card faction_id='AA' id='A3' amount='2'/>   <!-- two! -->
\t<card faction_id='BB' id='B1' amount='1'/>

\t<card faction_id='AA' id='A1' amount='1'/>
</data>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_game(tmp_path, CARDS, decks={"fine": [line("A1", 3), line("A2"), line("G1")]},
               limits=LIMITS)  # fmt: skip
    path = tmp_path / "xml" / "game.xml"
    edit(path, "<deck>", '<deck worth="actions" cost="costs">')
    mine(tmp_path).write_text(MINE, encoding="utf-8")
    return tmp_path


def mine(folder: Path) -> Path:
    return folder / "xml" / "Decks" / "mine.xml"


def told(changes: tuple[Repair, ...]) -> list[tuple[int, str, str]]:
    return [(each.change.copies, each.change.card.id, " ".join(each.why)) for each in changes]


def test_each_change_has_the_limits_that_need_it(folder: Path) -> None:
    deck = deckwright.open_game(folder).deck("mine")
    done = deck.complete()
    assert told(done.changes) == [
        (-1, "A3", "costs"),
        (-1, "B1", "own"),
        (2, "A1", "size"),
        (1, "G1", "guests"),
    ]
    assert (done.possible, done.proven, done.conflict) == (True, True, None)
    # Of changes that are as small, the best or the cheapest.
    strong = told(deck.complete(maximize=["actions"]).changes)
    assert strong[2:] == [(2, "A2", "size"), (1, "G1", "guests")]
    wished = deck.complete(include=["A4=2"], exclude=["A1"])
    assert told(wished.changes)[2:5] == [
        (-1, "A1", "costs exclude A1"),
        (1, "A2", "size"),
        (2, "A4", "size include A4=2"),
    ]


def test_the_file_keeps_its_comments_its_order_and_its_form(folder: Path, run: Run) -> None:
    result = run("solve", "mine", "--complete", "--write", "--game", str(folder))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[:5] == [
        "mine: 2 copies to remove, 3 to add",
        "  remove 1 Queen (A3)  `costs`",
        "  remove 1 Bee (B1)    `own`",
        "  add 2 Ant (A1)       `size`",
        "  add 1 Guest (G1)     `guests`",
    ]
    text = MINE.replace("id='A3' amount='2'", "id='A3' amount='1'")
    text = text.replace("\t<card faction_id='BB' id='B1' amount='1'/>\n", "")
    text = text.replace("id='A1' amount='1'/>", "id='A1' amount='3'/>\n"
                        '\t<card faction_id="GG" id="G1" amount="1"/>')  # fmt: skip
    assert mine(folder).read_text(encoding="utf-8") == text
    assert run("check", "mine", "--game", str(folder)).exit_code == 0
    again = run("solve", "mine", "--complete", "--write", "--game", str(folder))
    assert again.stdout == "mine is within all limits: there is nothing to change\n"
    assert mine(folder).read_text(encoding="utf-8") == text


def test_new_lines_stand_with_those_of_their_zone(folder: Path) -> None:
    lines = [line("A3"), line("G1"), line("A1")]
    text = "\n".join(["<data>", "<meta main_faction_id='AA' name='Mine'/>", *lines, "</data>"])
    mine(folder).write_text(text, encoding="utf-8")
    deckwright.open_game(folder).deck("mine").complete(include=["A2", "A4"]).write()
    ids = [part.split("'")[0] for part in mine(folder).read_text("utf-8").split('id="')[1:]]
    written = [part.partition('"')[0] for part in ids]
    assert [name for name in written if len(name) == 2 and name[1].isdigit()] == [
        "A3", "G1", "A1", "A2", "A4",
    ]  # fmt: skip


def test_without_being_asked_nothing_is_written(folder: Path, run: Run) -> None:
    game = ("--game", str(folder))
    result = run("solve", "mine", "--complete", *game)
    assert result.stderr == "nothing is written without --write or --out\n"
    assert mine(folder).read_text(encoding="utf-8") == MINE
    elsewhere = folder / "new.xml"
    assert run("solve", "mine", "--complete", "--out", str(elsewhere), *game).exit_code == 0
    assert mine(folder).read_text(encoding="utf-8") == MINE
    assert "<!-- two! -->" in elsewhere.read_text(encoding="utf-8")
    fine = run("solve", "fine", "--complete", "--write", *game)
    assert (fine.exit_code, fine.stderr) == (0, "")
    assert fine.stdout == "fine is within all limits: there is nothing to change\n"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--write"], "--write is for --complete, without --out"),
        (["--complete", "--write", "--out", "x"], "--write is for --complete, without --out"),
        (["--complete", "--like", "fine"], "--complete cannot be used with `--like`"),
        (["--complete", "--different", "2", "--explain"],
         "--complete cannot be used with `--explain`, `--different`"),
    ],
)  # fmt: skip
def test_options_that_mean_nothing_are_told(
    folder: Path, run: Run, asked: list[str], said: str
) -> None:
    result = run("solve", "mine", *asked, "--game", str(folder))
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_card_that_does_not_exist_is_told_and_nothing_guessed(folder: Path, run: Run) -> None:
    edit(mine(folder), "id='A1'", "id='A11'")
    before = mine(folder).read_bytes()
    result = run("solve", "mine", "--complete", "--write", "--game", str(folder))
    assert result.exit_code == 1
    assert "D0" not in result.stderr
    assert "`A11`" in result.stderr
    assert "`A1`" in result.stderr
    assert mine(folder).read_bytes() == before


def test_what_cannot_become_legal_has_its_conflict(folder: Path, run: Run) -> None:
    asked = ("--complete", "--limit", "costs=7", "--write", "--game", str(folder))
    result = run("solve", "mine", *asked)
    assert result.exit_code == 1
    assert result.stderr == (
        "no deck can meet all limits of `mine`\n"
        "  `size` (at least 4), `costs` (at most 7) and `own` (only the deck's own) cannot all "
        "be met\n  possible with `--limit size=3` or `--limit costs=8`\n"
    )
    done = deckwright.open_game(folder).deck("mine").complete(limit={"costs": 7})
    assert done.conflict is not None
    with pytest.raises(ChoiceError):
        done.write()
    assert mine(folder).read_text(encoding="utf-8") == MINE


def test_without_the_solver_it_is_said_what_to_install(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckwright.decks.solver.highs.find_spec", lambda _: None)
    result = run("solve", "mine", "--complete", "--write", "--game", str(folder))
    assert result.exit_code == 2
    assert install_command("solve") in result.stderr
    assert mine(folder).read_text(encoding="utf-8") == MINE


def test_cards_that_no_zone_takes_go(folder: Path) -> None:
    edit(folder / "xml" / "game.xml", '<zone id="side" name="Side" only="guests"/>',
         '<zone id="side" name="Side" only="guests" where="level=1"/>')  # fmt: skip
    guests = folder / "xml" / "Factions" / "GG_cards.xml"
    edit(guests, "</data>", card("G2", "Giant", "GG", level=2) + "</data>")
    edit(mine(folder), "</data>", line("G2") + "</data>")
    changes = deckwright.open_game(folder).deck("mine").complete().changes
    assert (-1, "G2", "") in told(changes)


def test_decks_of_tables_are_written_elsewhere(tmp_path: Path) -> None:
    write_game(tmp_path, [], limits=LIMITS)
    path = tmp_path / "xml" / "game.xml"
    path.write_text(
        """<game name="Orchard" language="en">
        <kind tag="card" name="Card" width="65" height="90" face="card.xml">
        <field name="cost" type="integer"/></kind>
        <deck><zone id="main" name="Main"/>
        <limit id="size" name="cards" zone="main" min="4"/></deck>
        <table file="a.csv" deck="All"/></game>""",
        encoding="utf-8",
    )
    (tmp_path / "xml" / "Factions" / "a.csv").write_text("name,cost\nFig,2\nPear,1\n", "utf-8")
    for name in ("factions_definition.xml", "rules.xml"):
        (tmp_path / "xml" / name).unlink()
    done = deckwright.open_game(tmp_path).deck("All").complete(minimize=["cost"])
    assert [(each.change.copies, each.change.card.name) for each in done.changes] == [(2, "Pear")]
    with pytest.raises(ChoiceError, match=r"`All` comes from `a\.csv`, which is a table"):
        done.write()
    new = done.write(tmp_path / "xml" / "Decks" / "new.xml")
    assert deckwright.open_game(tmp_path).deck(new.name).check() == ()
