"""Decks in numbers: in the terminal, and on the first page of their PDF."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from conftest import ROOT, SMALL, Run, edit
from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import check_limits, resolve_deck_rules
from deckwright.decks.stats import Chart, DeckStats, deck_stats
from support import card, line, load_all, load_deck, run_program, token_rule, uses, write_game

LIMITS = """<limit id="size" name="cards" zone="main" min="5" max="9"/>
    <limit id="low" name="low cards" zone="main" where="level=1" exactly="4"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="20"/>
    <limit id="most" name="copies" zone="main" per="name" max="3"/>
    <limit id="own" name="faction" zone="main" faction="own"/>
    <limit id="guests" name="guests" zone="side" max="1" severity="warning"/>
    <format id="free" name="Free"><set limit="costs" value="99"/></format>"""
CARDS = [
    card("A1", "Ant", "AA", uses("call"), level=1, costs=3, actions=2),
    card("A2", "Queen", level=2, costs=9, actions=1),
    card("B1", "Bee", "BB", level=1, costs=2),
    card("G1", "Guest", "GG", level=1, costs=50),
]


def write_deck(folder: Path, *lines: str, limits: str = LIMITS) -> Path:
    rules = [token_rule("call", "Wolf")]
    return write_game(folder, CARDS, rules=rules, decks={"deck": list(lines)}, limits=limits)


def stats_of(folder: Path, name: str = "deck") -> DeckStats:
    game = load_all(folder)
    deck = load_deck(folder, game, name)
    return deck_stats(game, deck, resolve_deck_rules(game, deck, None, {}))


def bars(chart: Chart) -> dict[str, int]:
    return {bar.name: bar.copies for bar in chart.bars}


@pytest.fixture
def stats(tmp_path: Path) -> DeckStats:
    """A deck of four ants, a queen, a bee and two guests, in numbers."""
    lines = [line("A1", 4), line("A2", 1), line("B1", 1), line("G1", 2)]
    return stats_of(write_deck(tmp_path, *lines))


def test_a_deck_is_reckoned_as_by_hand(stats: DeckStats) -> None:
    assert stats.cards == 8
    assert [(zone.name, zone.cards) for zone in stats.zones] == [("Main", 6), ("Side", 2)]
    main, side = stats.zones
    assert [(entry.card.id, entry.entry.copies) for entry in main.lines] == [
        ("A1", 4), ("A2", 1), ("B1", 1),
    ]  # fmt: skip
    assert [(chart.id, chart.numeric, chart.total, chart.max_copies) for chart in main.charts] == [
        ("actions", True, 9, 4), ("costs", True, 23, 4), ("level", False, 0, 5),
    ]  # fmt: skip
    actions, costs, level = main.charts
    assert bars(actions) == {"0": 1, "1": 1, "2": 4}
    assert bars(costs) == {"2": 1, "3": 4, "4": 0, "5": 0, "6": 0, "7": 0, "8": 0, "9": 1}
    assert bars(level) == {"Low": 5, "High": 1}
    assert [chart.id for chart in side.charts] == ["costs", "level"]
    assert [(count.token.name, count.copies) for count in stats.tokens] == [("Wolf", 8)]


def test_limits_are_reckoned_as_by_hand(stats: DeckStats) -> None:
    assert [state[:6] for state in stats.limits] == [
        ("size", "Main", "cards", 6, "at least 5, at most 9", True),
        ("low", "Main", "low cards", 5, "exactly 4", False),
        ("costs", "Main", "costs", 23, "at most 20", False),
        ("most", "Main", "copies", 4, "at most 3 of each card", False),
        ("own", "Main", "faction", 1, "only the deck's own", False),
        ("guests", "Side", "guests", 2, "at most 1", False),
    ]
    assert [state.id for state in stats.limits if state.sums] == ["costs"]


def test_a_wide_curve_leaves_out_values_that_no_card_has(tmp_path: Path) -> None:
    stats = stats_of(write_deck(tmp_path, line("G1", 1), limits=""))
    assert [bars(c) for zone in stats.zones for c in zone.charts if c.id == "costs"] == [{"50": 1}]
    cards = [card("A1", "Ant", costs=0), card("A2", "Queen", costs=41)]
    decks = {"deck": [line("A1", 2), line("A2")]}
    stats = stats_of(write_game(tmp_path, cards, decks=decks))
    assert [bars(chart) for chart in stats.zones[0].charts if chart.numeric] == [{"0": 2, "41": 1}]


class Random(NamedTuple):
    """A deck by chance, and the limits that it may break."""

    copies: dict[str, int]
    limits: list[str]


def limit_texts() -> st.SearchStrategy[str]:
    numbers = st.integers(0, 12)
    bounds = st.one_of(
        st.builds("min={}".format, numbers),
        st.builds("max={}".format, numbers),
        st.builds("exactly={}".format, numbers),
        st.builds(lambda low, more: f"min={low} max={low + more}", numbers, numbers),
        st.just("faction=own"),
        st.builds("faction=own min={}".format, numbers),
    )
    what = ["", "per=name", "per=level", "sum=costs", "sum=costs per=id", "where=level=1",
            "where=costs>2", "per=id where=level!=2", "severity=warning"]  # fmt: skip
    zones = st.sampled_from(["zone=main", "zone=side"])
    return st.builds("{} {} {}".format, zones, bounds, st.sampled_from(what))


def randoms() -> st.SearchStrategy[Random]:
    copies = st.dictionaries(
        st.sampled_from(["A1", "A2", "B1", "G1"]), st.integers(1, 9), min_size=1
    )
    return st.builds(Random, copies, st.lists(limit_texts(), max_size=4))


@settings(max_examples=50)
@given(randoms())
@example(Random({"A1": 1}, ["zone=main faction=own min=2"]))
def test_bars_and_limits_agree_with_the_deck_and_with_check(random: Random) -> None:
    limits = "".join(
        f'<limit id="l{number}" name="limit {number}" '
        + " ".join('{}="{}"'.format(*part.split("=", 1)) for part in text.split())
        + "/>"
        for number, text in enumerate(random.limits)
    ).replace(">2", "&gt;2")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_deck(folder, *(line(i, n) for i, n in random.copies.items()), limits=limits)
        game = load_all(folder)
        deck = load_deck(folder, game, "deck")
    stats = deck_stats(game, deck, DeckRules(game.setup.limits))
    assert stats.cards == sum(random.copies.values()) == sum(zone.cards for zone in stats.zones)
    for zone in stats.zones:
        for chart in zone.charts:
            assert sum(bar.copies for bar in chart.bars) == zone.cards
            if chart.numeric:
                assert sum(int(bar.name) * bar.copies for bar in chart.bars) == chart.total
                assert list(bars(chart)) == sorted(bars(chart), key=int)
    for limit, state in zip(game.setup.limits, stats.limits, strict=True):
        report: Report = []
        check_limits(game, deck, DeckRules((limit,)), report)
        assert state.id == limit.id
        assert state.keeps == (report == []), f"{limit}: {[f.message for f in report]}"


def test_the_terminal_shows_every_card_and_limit(run: Run, tmp_path: Path) -> None:
    lines = [line("A1", 4), line("A2", 1), line("B1", 1), line("G1", 2)]
    folder = write_deck(tmp_path, *lines)
    result = run("stats", "deck", "--game", str(folder))
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        "\nMain: 6 cards\n"
        "                  actions  costs\n"
        "  4x  Ant (A1)          2      3\n"
        "  1x  Queen (A2)        1      9\n"
        "  1x  Bee (B1)          0      2\n"
        "\n  actions, 9 in total\n"
        "  0  █ 1\n"
        "  1  █ 1\n"
        "  2  ████ 4\n"
        "\n  costs, 23 in total\n"
        "  2  █ 1\n"
        "  3  ████ 4\n"
        "  4\n"
    ) in result.stdout
    assert "Side: 2 cards\n                  costs\n  2x  Guest (G1)     50\n" in result.stdout
    assert result.stdout.splitlines()[-7:] == [
        "limits",
        "  Main: cards       6  at least 5, at most 9",
        "! Main: low cards   5  exactly 4",
        "! Main: costs      23  at most 20",
        "! Main: copies      4  at most 3 of each card",
        "! Main: faction     1  only the deck's own",
        "! Side: guests      2  at most 1",
    ]


def test_limits_can_be_changed_or_left_out(run: Run, tmp_path: Path) -> None:
    game = ("--game", str(write_deck(tmp_path, line("A2", 3))))
    assert "\n! Main: costs      27  at most 20\n" in run("stats", "deck", *game).stdout
    for option, shown in (
        (("--limit", "costs=27"), "\n  Main: costs      27  at most 27\n"),
        (("--limits", "free"), "\n  Main: costs      27  at most 99\n"),
    ):
        assert shown in run("stats", "deck", *game, *option).stdout
    assert "Main: costs" not in run("stats", "deck", *game, "--limit", "costs=off").stdout
    assert "limits" not in run("stats", "deck", *game, "--ignore-limits").stdout


def test_the_longest_bar_is_forty_wide(run: Run, tmp_path: Path) -> None:
    folder = write_deck(tmp_path, line("A1", 99), line("A2", 1))
    found = re.findall(
        r"^ +(\d)  (█+) (\d+)$", run("stats", "deck", "-g", str(folder)).stdout, re.MULTILINE
    )
    assert {(value, len(bar), copies) for value, bar, copies in found} == {
        ("1", 1, "1"), ("2", 40, "99"), ("3", 40, "99"), ("9", 1, "1"),
    }  # fmt: skip


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_the_terminal_need_not_know_blocks(tmp_path: Path, encoding: str) -> None:
    folder = write_deck(tmp_path, line("A1", 4), line("A2", 1))
    result = run_program("stats", "deck", "-g", folder, cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert (result.returncode, result.stderr) == (0, "")
    assert ("  2  #### 4\n" in result.stdout) == (encoding != "utf-8")


def test_every_deck_that_can_be_read_is_shown(run: Run, tmp_path: Path) -> None:
    folder = write_deck(tmp_path, line("A1", 4))
    result = run("stats", "nosuch", "deck", "deck", "--game", str(folder))
    assert result.exit_code == 3
    assert " error X006: " in result.stderr
    assert result.stdout.count("Main: 4 cards") == 2


def test_terms_of_one_name_are_counted_together(run: Run, tmp_path: Path) -> None:
    folder = write_deck(tmp_path, line("A1", 4), line("A2", 1))
    edit(folder / "xml" / "game.xml", 'name="High"', 'name="Low"')
    result = run("stats", "deck", "--game", str(folder))
    assert re.search(r"  level +Low 5\n", result.stdout)


def test_the_small_games_decks_are_shown_whole(run: Run) -> None:
    game = load_all(SMALL)
    for name in ("ember", "river"):
        deck = load_deck(SMALL, game, name)
        shown = run("stats", name, "--game", str(SMALL)).stdout
        found = Counter(dict.fromkeys(re.findall(r"\((\w+)\)  ", shown), 0))
        for entry in deck.entries:
            assert f"  {entry.copies}x " in shown
            found[entry.card_id] += entry.copies
        assert set(found) == {entry.card_id for entry in deck.entries}
        assert "!" not in shown


@pytest.mark.usefixtures("shipped_checked")
def test_the_deck_sheet_is_the_first_page_of_a_deck(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "deck.pdf"
    assert run("deck", "army_MB_1", "--game", str(ROOT), "--out", str(target)).exit_code == 0
    game = load_all(ROOT)
    deck = load_deck(ROOT, game, "army_MB_1")
    stats = stats_of(ROOT, "army_MB_1")
    text = " ".join(PdfReader(target).pages[0].extract_text().split())
    assert f"{stats.cards} Karten" in text
    for entry in deck.entries:
        found = game.card_of(entry)
        assert found is not None
        assert re.search(rf"{entry.copies}× {re.escape(found.name)}\b", text), found.name
    assert stats.tokens
    for count in stats.tokens:
        assert f"{count.copies}× {count.token.name}" in text
    for chart in stats.zones[0].charts:
        assert chart.name in text
        if chart.numeric:
            assert f"zusammen {chart.total}" in text
    for state in stats.limits:
        # The number of foreign cards would say nothing.
        number = "" if state.bound == "nur die eigene" else f"{state.number} "
        assert f"{state.name[:1].upper()}{state.name[1:]} {number}{state.bound}" in text
