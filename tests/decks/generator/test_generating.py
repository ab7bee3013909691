"""Decks from a seed: always the same, all different, and such as the game asks for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Unpack

import pytest

import deckwright
from conftest import Run, edit
from deckwright.api.reports import BoosterOptions
from deckwright.base.extras import install_command
from deckwright.base.findings import Report
from deckwright.checks.loading import LimitOptions, check_deck_list
from deckwright.decks.generator.card_pools import SeededRandom, weigh_items
from deckwright.decks.generator.deck_generator import LimitTracker
from deckwright.decks.solver import highs
from deckwright.game.decklist import empty_deck
from deckwright.game.model import DeckEntry, Game
from support import card, load_all, page_texts, write_game

CARDS = [
    card(f"{faction[0]}{n}", f"{faction} {n}", faction, level=1 + (n > 6), actions=n, costs=n)
    for faction in ("AA", "BB", "GG")
    for n in range(1, 9)
]
LIMITS = """<limit id="size" name="cards" zone="main" min="10"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="44"/>
    <limit id="copies" name="copies" zone="main" per="name" max="2"/>"""
GENERATOR = '<generator><part cards="6" houses="2" except="guests"/></generator>'
RARE = '<rarity is="1" weight="3"/><rarity is="2" weight="1"/>'


def with_generator(folder: Path, generator: str, limits: str = LIMITS) -> Path:
    """Write the game of ants and bees with a generator; `{}` in it stands for parts."""
    write_game(folder, CARDS, limits=limits)
    edit(folder / "xml" / "game.xml", "</deck>", "</deck>" + generator)
    edit(folder / "xml" / "game.xml", "<deck>", '<deck worth="actions">')
    return folder


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return with_generator(tmp_path, GENERATOR)


def decks_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def made(
    folder: Path, count: int, seed: str = "winter", **packs: Unpack[BoosterOptions]
) -> list[dict[str, Any]]:
    """Return the decks of a run."""
    target = folder / "run.jsonl"
    written = deckwright.open_game(folder).generate(target, seed, count, **packs)
    decks = decks_in(target)
    assert len(decks) == written.decks
    return decks


def copies(deck: dict[str, Any]) -> Counter[str]:
    """Return how many copies a deck has of each card."""
    found = Counter[str]()
    for each in deck["cards"]:
        found[each["id"]] += each["amount"]
    return found


def test_numbers_are_those_that_the_page_tells_everybody_to_make() -> None:
    text = "deckwright 1|6:winter|4:4711|1:1|5:cards"
    digest = blake2b(f"{text}|0".encode()).digest() + blake2b(f"{text}|1".encode()).digest()
    wanted = [int.from_bytes(digest[at : at + 8]) * 1000 >> 64 for at in range(0, 128, 8)]
    draws = SeededRandom("winter", 4711, 1, "cards")
    assert [draws.below(1000) for _ in range(16)] == wanted
    assert wanted[:4] == [307, 226, 366, 956]


def test_no_two_purposes_share_their_numbers() -> None:
    assert SeededRandom("a|1", 1).below(1 << 24) != SeededRandom("a", "1|1").below(1 << 24)


def test_things_are_drawn_by_their_weights() -> None:
    draws = SeededRandom("weights")
    drawn = Counter(weigh_items([(1, 1), (2, 0), (3, 9)]).draw(draws) for _ in range(2000))
    assert set(drawn) == {1, 3}
    assert 130 < drawn[1] < 270


def test_a_seed_gives_the_same_bytes_whatever_their_number(game: Path) -> None:
    first = made(game, 30)
    data = (game / "run.jsonl").read_bytes()
    assert made(game, 50)[:30] == first
    made(game, 30)
    assert (game / "run.jsonl").read_bytes() == data
    assert [deck["cards"] for deck in made(game, 30, "summer")] != [d["cards"] for d in first]


def test_each_deck_is_made_again_by_its_id(run: Run, game: Path) -> None:
    edit(game / "xml" / "game.xml", 'cards="6" houses="2"', 'cards="2" where="level=2"')
    edit(game / "xml" / "game.xml", 'min="10"', 'min="2"')
    decks = made(game, 6)
    assert len({tuple(sorted(copies(deck).items())) for deck in decks}) == 6
    again = [deck["id"] for deck in decks if "." in deck["id"]]
    assert again, "of so few decks, some were there already"
    for deck in decks:
        result = run("generate", "--seed", "winter", "--only", deck["id"])
        assert json.loads(result.stdout) == deck


def test_a_run_ends_where_there_are_no_more_decks(run: Run, game: Path) -> None:
    edit(game / "xml" / "game.xml", 'cards="6" houses="2"', 'cards="2" where="level=2"')
    edit(game / "xml" / "game.xml", 'min="10"', 'min="2"')
    result = run("generate", "--seed", "winter", "--count", "7")
    assert result.exit_code == 1
    assert (
        "E110: after 6 decks, none of 100 attempts has other cards than all of them"
        in result.stderr
    )
    assert not (game / "out" / "run.jsonl").exists()


def wrong(game: Game, deck: dict[str, Any]) -> Report:
    """Return what the check says of a line."""
    faction = deck["faction"]
    entries = [(each.get("faction", faction), each["id"], each["amount"]) for each in deck["cards"]]
    empty = empty_deck(game, faction)
    lines = tuple(DeckEntry(*entry, empty.source) for entry in entries)
    report: Report = []
    check_deck_list(game, empty._replace(entries=lines), LimitOptions(), report)
    return report


def test_all_decks_keep_the_limits_and_are_of_two_houses(game: Path) -> None:
    loaded = load_all(game)
    for deck in made(game, 100):
        assert wrong(loaded, deck) == []
        assert sum(copies(deck).values()) == 12
        assert Counter(each[0] for each in copies(deck).elements()) == {"A": 6, "B": 6}


@pytest.mark.parametrize(
    "limit",
    [
        '<limit id="own" name="own" zone="main" faction="own"/>',
        '<limit id="high" name="high" zone="main" where="level=2" max="1"/>',
        '<limit id="kinds" name="kinds" zone="main" distinct="name" min="5"/>',
        '<limit id="most" name="most" zone="main" sum="actions" min="{{ main.costs }}"/>',
    ],
)
def test_what_is_counted_while_drawing_is_what_the_check_counts(tmp_path: Path, limit: str) -> None:
    wide = LIMITS.replace('"10"', '"4"').replace('"44"', '"45"').replace('max="2"', 'max="3"')
    loaded = load_all(with_generator(tmp_path, GENERATOR, wide + limit))
    cards = [c for c in loaded.cards.values() if c.faction_id != "GG"]
    assert loaded.setup.generator is not None
    keeper = LimitTracker(loaded, loaded.setup.generator, "AA", cards)
    draws = SeededRandom("any decks")
    agreed = Counter[bool]()
    for _ in range(150):
        chosen = sorted(Counter(draws.below(16) for _ in range(10)).items())
        if draws.below(2):
            chosen = [(at, n) for at, n in chosen if at < 8] or [(0, 1)]
        keeper.clear()
        kept = True
        for at in Counter(dict(chosen)).elements():
            kept = kept and keeper.allows(at)
            keeper.add(at)
        kept = kept and not keeper.has_shortage()
        right = not keeper.findings(keeper.deck(chosen))
        assert kept == right if keeper.is_complete else kept or not right
        agreed[right] += 1
    assert set(agreed) == {True, False}


NARROW = '<limit id="sum" name="actions" zone="main" sum="actions" exactly="65"/>'
"""Chance does not come by this many."""


def narrow(folder: Path) -> Path:
    limits = LIMITS.replace('max="44"', 'max="70"').replace('max="2"', 'max="3"') + NARROW
    return with_generator(
        folder, '<generator><part cards="10" except="guests"/></generator>', limits
    )


def test_the_solver_makes_legal_what_chance_does_not(tmp_path: Path) -> None:
    loaded = load_all(narrow(tmp_path))
    target = tmp_path / "run.jsonl"
    run = deckwright.open_game(tmp_path).generate(target, "winter", 3, statistics=True)
    assert run.statistics is not None
    assert run.statistics.repaired == 3
    assert [wrong(loaded, deck) for deck in decks_in(target)] == [[], [], []]


TWO_PARTS = """<generator><part cards="10" except="guests"/>
    <part cards="3" only="guests" where="level=2"/></generator>"""


def test_the_solver_takes_only_cards_that_are_drawn_for_such_decks(tmp_path: Path) -> None:
    low = '<limit id="low" name="low" zone="side" sum="actions" max="9"/>'
    with_generator(tmp_path, TWO_PARTS, f'{low}<limit id="n" name="n" zone="side" exactly="3"/>')
    with pytest.raises(deckwright.GameError, match="no other card of `GG` fits its limits"):
        made(tmp_path, 1)


def test_no_deck_has_less_cards_than_its_parts(tmp_path: Path) -> None:
    low = '<limit id="low" name="low" zone="side" sum="actions" max="9"/>'
    with_generator(tmp_path, TWO_PARTS, low)
    with pytest.raises(deckwright.GameError, match="no other card of `GG` fits its limits"):
        made(tmp_path, 1)


def test_parts_are_drawn_though_the_solver_must_mend_another(tmp_path: Path) -> None:
    limits = LIMITS.replace('max="44"', 'max="24"').replace('max="2"', 'max="3"')
    guests = '<limit id="guests" name="guests" zone="side" exactly="3"/>'
    loaded = load_all(with_generator(tmp_path, TWO_PARTS, limits + guests))
    chosen = Counter[tuple[str, ...]]()
    for deck in made(tmp_path, 8):
        assert wrong(loaded, deck) == []
        chosen[tuple(name for name in sorted(copies(deck).elements()) if name[0] == "G")] += 1
    assert all(set(each) <= {"G7", "G8"} for each in chosen)
    assert max(chosen.values()) < 6, "the cheapest guests come with most decks"


def test_without_the_solver_it_is_said_how_to_get_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow(tmp_path)
    monkeypatch.setattr(highs, "is_installed", lambda: False)
    result = run("generate", "--seed", "winter", "-g", str(tmp_path))
    assert result.exit_code == 2
    assert install_command("solve") in result.stderr
    assert not list(tmp_path.glob("out/*"))


def test_mavericks_come_from_other_factions_and_name_their_house(tmp_path: Path) -> None:
    with_generator(
        tmp_path,
        '<generator><part cards="10" except="guests"/><maverick chance="0.5" where="level=2"/>'
        '</generator>',
    )  # fmt: skip
    strangers = 0
    for deck in made(tmp_path, 40):
        for each in deck["cards"]:
            own = each["id"][0] * 2 == deck["faction"]
            assert ("values" in each) != own
            if not own:
                strangers += each["amount"]
                assert each["faction"] != deck["faction"]
                assert each["id"][1] in "78"
                assert each["values"] == {"maverick": {"AA": "Hill", "BB": "Hive"}[deck["faction"]]}
    assert strangers > 40


def test_without_a_foreign_faction_there_are_no_mavericks(tmp_path: Path) -> None:
    with_generator(
        tmp_path,
        '<generator><part houses="2" cards="5" except="guests"/><maverick chance="1"/>'
        '<legacy chance="0.2" where="level=2"/></generator>',
    )
    special = [
        each["values"] for deck in made(tmp_path, 20) for each in deck["cards"] if "values" in each
    ]
    assert special
    assert all(values == {"legacy": 1} for values in special)


def test_mavericks_keep_the_limits_as_well(tmp_path: Path) -> None:
    own = '<limit id="own" name="own" zone="main" faction="own"/>'
    part = '<part cards="10" except="guests"/><maverick chance="0.9"/>'
    loaded = load_all(with_generator(tmp_path, f"<generator>{part}</generator>", LIMITS + own))
    assert [wrong(loaded, deck) for deck in made(tmp_path, 10)] == [[]] * 10


def test_legacies_come_by_chance_alone(tmp_path: Path) -> None:
    generator = (
        '<generator><part cards="10" except="guests"/><legacy chance="{}" where="level=2"/>'
        "</generator>"
    )
    with_generator(tmp_path, generator.format(0))
    assert all(each["id"][1] in "123456" for d in made(tmp_path, 30) for each in d["cards"])
    with_generator(tmp_path, generator.format(0.2))
    legacies = [each for deck in made(tmp_path, 30) for each in deck["cards"] if "values" in each]
    assert legacies
    assert all(each["values"] == {"legacy": 1} and each["id"][1] in "78" for each in legacies)


def test_rarities_come_by_their_weights(tmp_path: Path) -> None:
    limits = LIMITS.replace('max="44"', 'max="99"').replace('max="2"', 'max="9"')
    generator = f'<generator rarity="level"><part cards="10" except="guests"/>{RARE}</generator>'
    with_generator(tmp_path, generator, limits)
    found = Counter(
        each[1] in "78" for deck in made(tmp_path, 100) for each in copies(deck).elements()
    )
    assert 180 < found[True] < 320


def test_cards_of_a_pair_come_together_and_musts_always(tmp_path: Path) -> None:
    with_generator(
        tmp_path,
        '<generator copies="2"><part cards="10" except="guests"/>'
        '<pair where="actions=1" with="actions=8"/><must where="actions in \'2,3\'" min="3"/>'
        "</generator>",
    )
    had = Counter[bool]()
    for deck in made(tmp_path, 80):
        held = Counter(name[1] for name in copies(deck).elements())
        assert held["2"] + held["3"] >= 3
        had[held["1"] > 0] += 1
        assert not held["1"] or held["8"]
    assert min(had[True], had[False]) > 5


def test_the_most_copies_are_kept(tmp_path: Path) -> None:
    generator = GENERATOR.replace("<generator>", '<generator copies="1">')
    with_generator(tmp_path, generator, LIMITS.replace('"44"', '"60"'))
    assert max(n for deck in made(tmp_path, 20) for n in copies(deck).values()) == 1


def test_what_no_deck_can_have_is_told_at_its_place(run: Run, tmp_path: Path) -> None:
    must = '<must where="level=1" min="2"/>\n<must where="faction_id=GG"/>'
    part = '<part cards="10" except="guests"/>'
    with_generator(tmp_path, f"<generator>{part}{must}</generator>", "")
    result = run("generate", "--seed", "winter", "-g", str(tmp_path))
    assert result.exit_code == 1
    assert "could be made with `generator`; the last one lacks this" in result.stderr
    assert '<must where="faction_id=GG"/>' in result.stderr.splitlines()[1]


def test_cards_that_cannot_be_had_together_are_told_of(run: Run, tmp_path: Path) -> None:
    with_generator(
        tmp_path,
        '<generator copies="1"><part cards="10" except="guests"/></generator>',
    )
    result = run("generate", "--seed", "winter", "-g", str(tmp_path))
    assert result.exit_code == 1
    assert "the last one had 8 cards, and no other card of `" in result.stderr


BOOSTER = """<generator>
  <booster id="pack" name="Pack" format="packs" box="8">
    <slot cards="4"><sheet where="level=1"/></slot>
    <slot><sheet where="level=2 and actions=7" copies="3"/><sheet where="actions=8"/></slot>
  </booster></generator>"""


@pytest.fixture
def boosters(tmp_path: Path) -> Path:
    limits = f'{LIMITS}<format id="packs" name="Packs"><set limit="size" value="off"/></format>'
    return with_generator(tmp_path, BOOSTER, limits)


def test_a_box_has_all_cards_of_a_sheet_equally_often(boosters: Path) -> None:
    packs = made(boosters, 36, booster="pack")
    assert [pack["name"] for pack in packs][::35] == ["Pack 1", "Pack 36"]
    for pack in packs:
        assert set(copies(pack).values()) == {1}
        assert len(pack["cards"]) == 5
        assert pack["format"] == "packs"
    for box in (packs[:8], packs[8:16]):
        commons = Counter(name for pack in box for name in copies(pack) if name[1] in "123456")
        assert set(commons.values()) == {1, 2}
        assert len(commons) == 18
    # Twelve cards on the sheet of rares: three times each of three, once each of three others.
    rares = Counter(name for pack in packs for name in copies(pack) if name[1] in "78")
    assert rares.total() == 36
    assert 1.8 < sum(rares[f"{f}7"] for f in "ABG") / sum(rares[f"{f}8"] for f in "ABG") < 5


def test_balanced_slots_have_cards_of_all_factions(boosters: Path) -> None:
    def factions(pack: dict[str, Any]) -> int:
        return len({name[0] for name in copies(pack) if name[1] in "123456"})

    game = boosters / "xml" / "game.xml"
    usual = [factions(pack) for pack in made(boosters, 36, booster="pack")]
    edit(game, '<slot cards="4">', '<slot cards="4" balanced="true">')
    packs = made(boosters, 36, booster="pack")
    balanced = [factions(pack) for pack in packs]
    assert usual.count(3) < 30
    assert balanced.count(3) >= 34
    for box in (packs[:8], packs[8:16]):
        commons = Counter(name for pack in box for name in copies(pack) if name[1] in "123456")
        assert set(commons.values()) == {1, 2}
    # In which order they come is drawn.
    firsts = {tuple(sorted(copies(pack))) for pack in packs}
    assert len(firsts) > 30


def test_all_cards_of_a_sheet_are_used_before_the_next_is_cut(tmp_path: Path) -> None:
    booster = """<generator><booster id="pack" name="Pack" box="10">
      <slot cards="3"><sheet where="faction_id=AA and actions&lt;6"/></slot>
      <slot cards="2"><sheet where="faction_id=AA"/></slot></booster></generator>"""
    with_generator(tmp_path, booster, "")
    packs = [copies(pack) for pack in made(tmp_path, 10, booster="pack")]
    assert all(set(pack.values()) == {1} for pack in packs)
    assert {pack.total() for pack in packs} == {5}
    # The first slot took 30 cards, six of each; the second one 20 of sheets with eight.
    total = sum(packs, Counter[str]())
    seconds = {name: total[name] - 6 * (name[1] in "12345") for name in total}
    assert set(seconds.values()) <= {1, 2, 3, 4}
    assert sum(seconds.values()) == 20


def test_a_draft_has_boosters_for_all_its_players(run: Run, boosters: Path) -> None:
    packs = made(boosters, 2, booster="pack", players=3, rounds=2)
    assert len(packs) == 12
    assert [pack["name"] for pack in packs[4:8]] == [
        "Pack 1-3-1",
        "Pack 1-3-2",
        "Pack 2-1-1",
        "Pack 2-1-2",
    ]
    assert made(boosters, 12, booster="pack")[7]["cards"] == packs[7]["cards"]
    result = run("generate", "-g", str(boosters), "--seed", "winter", "--booster", "pakc")
    assert result.exit_code == 2
    assert "there is no booster `pakc` in game.xml" in result.stderr


def test_a_booster_that_would_have_a_card_twice_is_told_of(run: Run, boosters: Path) -> None:
    edit(boosters / "xml" / "game.xml", '<slot cards="4"><sheet where="level=1"/>',
         '<slot cards="4"><sheet where="level=2"/>')  # fmt: skip
    result = run("generate", "-g", str(boosters), "--seed", "w", "--booster", "pack")
    assert result.exit_code == 0
    edit(boosters / "xml" / "game.xml", "<slot><sheet", '<slot cards="3"><sheet')
    result = run("generate", "-g", str(boosters), "--seed", "w", "--booster", "pack")
    assert "`slot` takes 3 of 6 cards, but earlier slots may have taken 4" in result.stderr


def test_statistics_count_what_is_in_the_file(run: Run, game: Path) -> None:
    result = run("generate", "--seed", "w", "--count", "60", "--report", "said.json")
    assert result.exit_code == 0, result.stderr
    said = json.loads((game / "said.json").read_text(encoding="utf-8"))
    decks = decks_in(game / "out" / "run.jsonl")
    held = [copies(deck) for deck in decks]
    total = sum(held, Counter[str]())
    assert {each["id"]: each["copies"] for each in said["cards"] if each["copies"]} == total
    assert {each["id"]: each["decks"] for each in said["cards"] if each["decks"]} == Counter(
        name for each in held for name in each
    )
    worth = sorted(sum(int(name[1]) * n for name, n in each.items()) for each in held)
    marks = ["least", "quarter", "median", "three quarters", "most"]
    assert [said["worth"][0][mark] for mark in marks] == [worth[n] for n in (0, 15, 30, 45, 59)]
    assert said["worth"][0]["mean"] == round(sum(worth) / 60, 2)
    assert sum(step["decks"] for step in said["histogram"]) == 60
    for pair in said["pairs"]:
        one, other = pair["id"], pair["other_id"]
        both = sum(each[one] > 0 < each[other] for each in held)
        alone = [sum(each[name] > 0 for each in held) for name in (one, other)]
        assert (pair["decks"], pair["lift"]) == (both, round(both * 60 / alone[0] / alone[1], 2))


@pytest.mark.parametrize("ending", ["txt", "csv"])
def test_a_report_tells_of_every_card(run: Run, game: Path, ending: str) -> None:
    run("generate", "--seed", "w", "--count", "20", "--report", f"said.{ending}")
    said = (game / f"said.{ending}").read_text(encoding="utf-8")
    assert all(f"{name[0] * 2} {name[1]}" in said for deck in decks_in(game / "out" / "run.jsonl")
               for name in copies(deck))  # fmt: skip


def test_the_printed_report_has_the_same_numbers(run: Run, game: Path) -> None:
    result = run("generate", "--seed", "w", "--count", "40", "--report", "said.pdf")
    assert (result.exit_code, result.stderr) == (0, "")
    text = " ".join("\n".join(page_texts(game / "said.pdf")).split())
    decks = [copies(deck) for deck in decks_in(game / "out" / "run.jsonl")]
    had = Counter(name for each in decks for name in each)
    assert "Decks of the seed w" in text
    for name, number in had.items():
        share = f"{round(2.5 * number, 1):g} %"
        assert f"{name[0] * 2} {name[1]} {share} {number}" in text
    worth = sorted(sum(int(name[1]) * n for name, n in each.items()) for each in decks)
    assert f"actions {worth[20]} Half of them above, half below; {worth[0]} – {worth[-1]}" in text
    (game / "templates" / "generated.xml").write_text("<face/>", encoding="utf-8")
    result = run("generate", "--seed", "w", "--report", "other.pdf")
    assert result.exit_code == 1
    assert "generated.xml" in result.stderr
    assert not (game / "other.pdf").exists()


def _mistakes() -> Iterator[tuple[str, str]]:
    part = '<part cards="5"/>'
    yield f'<generator rarity="level">{part}</generator>', "no card has a weight"
    yield f'<generator rarity="rare">{part}{RARE}</generator>', "the field `rare`"
    yield f"<generator>{part}{RARE}</generator>", "`generator` names no `rarity`"
    yield '<generator><part cards="5" only="gests"/></generator>', "the group `gests`"
    yield '<generator><part cards="5" where="lvl=1"/></generator>', "the field `lvl`"
    yield f'<generator format="f">{part}</generator>', "the format `f`"
    yield f'<generator>{part}<pair where="level=1" with="x=1"/></generator>', "the field `x`"
    yield (
        f'<generator>{part}<must where="level={{{{ main.cards }}}}"/></generator>',
        "there is no deck yet",
    )
    yield (
        f'<generator>{part}<names><pattern is="The {{{{ nuon }}}}"/></names></generator>',
        "names the list `nuon`",
    )
    yield f'<generator>{part}<maverick chance="2"/></generator>', "a number from 0 to 1"
    yield '<generator><part cards="0"/></generator>', "from 1 to 999"


@pytest.mark.parametrize(("generator", "said"), [*_mistakes()])
def test_mistakes_are_told_with_their_places(
    run: Run, tmp_path: Path, generator: str, said: str
) -> None:
    with_generator(tmp_path, generator)
    result = run("generate", "-g", str(tmp_path), "--seed", "w")
    assert result.exit_code == 1
    assert said in result.stderr
    assert "game.xml:" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--draft", "4"], "--draft needs --booster"),
        (["--only", "x"], "not of the form 4711"),
        (["--only", "0"], "not of the form 4711"),
        (["--only", "3", "--out", "a.jsonl"], "--only shows one deck"),
        (["--report", "a.html"], "names that end in .txt, .json, .csv, .pdf"),
        (["--report", "a.json", "--out", "./a.json"], "--report and --out name the same file"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    run: Run, game: Path, arguments: list[str], said: str
) -> None:
    result = run("generate", "--seed", "w", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (game / "out").exists()


def test_a_game_that_does_not_say_how_is_told(run: Run, small: Path) -> None:
    result = run("generate", "--seed", "w", "-g", str(small))
    assert result.exit_code == 2
    assert "game.xml does not say how decks are generated" in result.stderr
