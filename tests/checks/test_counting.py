from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.checks.limits import check_limits, resolve_deck_rules
from support import card, line, load_all, load_deck, uses, write_game

CARDS = [
    card("A1", "Scout", "AA", uses("call", "run"), level=1, costs=2),
    card("A2", "Scout", level=1, costs=3),
    card("A3", "Queen", "AA", uses("run"), level=2, costs=9),
    card("A4", "Drone", level=2, costs=4),
    card("B1", "Stinger", "BB", level=1, costs=5),
    card("G1", "Pilgrim", "GG", uses("call"), level=1, costs=7),
]
RULES = [
    f'<rule id="{name}" type="passive" effect="It does."><label GEN="{name}"/></rule>'
    for name in ("call", "run")
]


def findings(folder: Path, limit: str, *lines: str) -> list[str]:
    """Return the messages about a deck of these lines."""
    write_game(folder, CARDS, rules=RULES, decks={"deck": list(lines)}, limits=limit)
    game = load_all(folder)
    deck = load_deck(folder, game, "deck")
    report: Report = []
    check_limits(game, deck, resolve_deck_rules(game, deck, None, {}), report)
    return [finding.message for finding in report]


def limit(inside: str = "", **attributes: object) -> str:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<limit id="x" name="things" zone="main" {written}>{inside}</limit>'


LINES = [line("A1", 4), line("A3", 1), line("A4", 2), line("B1", 1), line("G1", 3)]
"""Of the main deck: eight cards, those of the level 2 three, of the hill seven."""


@pytest.mark.parametrize(
    ("where", "counted"),
    [
        ("level in 2", 3),
        ("level in 1,2", 8),
        ("level not in 1,3", 3),
        ("name in 'Queen, Drone'", 3),
        ("name not in 'Queen, Drone'", 5),
        ("image in 'a.png'", 0),
        ("image not in 'a.png'", 8),
        ("rules=run", 5),
        ("rules=call", 4),
        ("rules!=call", 4),
        ("rules in call", 3),
        ("rules in 'call, run'", 8),
        ("rules not in call", 5),
        ("faction_id={{ deck.faction_id }}", 7),
        ("faction_id!={{ deck.faction_id }}", 1),
        ("faction_id in {{ side.faction_id }}", 0),
        ("rules in {{ side.rules }}", 3),
        ("rules={{ side.rules }}", 4),
        ("rules not in {{ side.rules }}", 5),
        ("costs&lt;{{ side.costs }}", 7),
        ("costs&gt;{{side.costs}} or name=Drone", 3),
    ],
)
def test_conditions_compare_lists_and_what_the_deck_has(
    tmp_path: Path, where: str, counted: int
) -> None:
    (message,) = findings(tmp_path, limit(where=where, exactly=99), *LINES)
    assert message.startswith(f"Main: {counted} things, exactly 99 are needed")


def test_values_may_be_counted_instead_of_copies(tmp_path: Path) -> None:
    (message,) = findings(tmp_path, limit(distinct="name", max=2), *LINES, line("A2"))
    assert message == "Main: 4 things, at most 2 are allowed"
    assert findings(tmp_path, limit(distinct="name", max=4), *LINES, line("A2")) == []
    assert findings(tmp_path, limit(distinct="name", per="level", max=2), *LINES) == []


@pytest.mark.parametrize(
    ("free", "total"),
    [
        # Cards of the level 2 are free if there are other cards of their faction.
        ('where="level=2" same="faction_id" min="5"', 1 * 5 + 4 * 2),
        ('where="level=2" same="faction_id" min="6"', 1 * 5 + 4 * 2 + 2 * 4),
        ('where="level=2" same="faction_id" min="7"', 1 * 5 + 4 * 2 + 2 * 4 + 9),
        ('where="level=2" others="level=1" same="faction_id" min="4"', 1 * 5 + 4 * 2),
        ('where="level=2" others="level=1" same="faction_id" min="5"', 1 * 5 + 4 * 2 + 2 * 4 + 9),
        ('where="level=2" others="level=1" min="5"', 1 * 5 + 4 * 2),
        ('where="level=1" same="faction_id" min="1"', 1 * 5 + 2 * 4 + 9),
        ('where="name=Scout" min="4"', 1 * 5 + 2 * 4 + 9),
        ('where="name=Scout" min="5"', 1 * 5 + 4 * 2 + 2 * 4 + 9),
    ],
)
def test_cards_are_free_while_there_are_enough_others(
    tmp_path: Path, free: str, total: int
) -> None:
    (message,) = findings(tmp_path, limit(f"<free {free}/>", sum="costs", max=0), *LINES)
    assert message.startswith(f"Main: {total} things")


def test_a_number_may_come_from_the_deck(tmp_path: Path) -> None:
    for number, expected in (
        ("{{ main.cards }}", "at most 8 are allowed; `main.cards` is 8"),
        ("{{ deck.cards - 1 }}", "at most 10 are allowed; `deck.cards` is 11"),
        ("{{ side.cards }}", "at most 3 are allowed; `side.cards` is 3"),
        ("{{ side.costs // 2 }}", "at most 10 are allowed; `side.costs` is 21, from card `G1`"),
        ("{{ side.cards - 5 }}", "none are allowed; `side.cards` is 3"),
    ):
        (message,) = findings(tmp_path, limit(sum="costs", max=number), *LINES)
        assert message == f"Main: 30 things, {expected}"


def test_what_asks_for_a_zone_waits_until_that_has_its_cards(tmp_path: Path) -> None:
    one = '<limit id="one" name="guests" zone="side" exactly="1"/>'
    asks = limit(sum="costs", max="{{ side.costs }}")
    assert findings(tmp_path, one + asks, *LINES) == ["Side: 3 guests, exactly 1 is needed"]
    (message,) = findings(tmp_path, one + asks, *LINES[:-1], line("G1", 1))
    assert message.startswith("Main: 30 things, at most 7 are allowed")
    # Where a zone may be empty, it counts as nothing.
    (message,) = findings(tmp_path, asks, *LINES[:-1])
    assert message == "Main: 30 things, none are allowed; `side.costs` is 0"


def test_a_line_of_a_deck_may_name_its_zone(tmp_path: Path) -> None:
    zone = '<zone id="camp" name="Camp" where="level=1"/>'
    camp = '<limit id="camp" name="cards" zone="camp" exactly="2"/>'
    named = line("A1", 2).replace("/>", ' zone="camp"/>')
    assert findings(tmp_path, zone + camp + limit(exactly=3), named, line("A1", 3)) == []
    wrong = line("A3").replace("/>", ' zone="camp"/>')
    messages = findings(tmp_path, zone + camp, named, wrong)
    assert messages == ["zone `camp` does not take card `A3` of faction `AA`"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('max="5"', 'max="{{ mian.cards }}"', "`mian.cards` refers to the zone `mian`"),
        ('max="5"', 'max="{{ main.cots }}"', "`cots`, which no kind of card has"),
        ('max="5"', 'max="{{ main.level }}"', "`level`, which no kind of card has"),
        ('max="5"', 'max="{{ deck.costs }}"', "`deck.costs` refers to `costs`"),
        ('max="5"', 'max="{{ main.cards"', "or a formula such as"),
        ('max="5"', 'max="{{ main }}"', "cannot be computed"),
        ('max="5"', 'max="5" where="level={{ mian.level }}"', "refers to the zone `mian`"),
        ('max="5"', 'max="5" where="level={{ main.levle }}"', "`levle`, which no kind"),
        ('max="5"', 'max="5" where="level={{ deck.level }}"', "`deck.level` refers to `level`"),
        ('max="5"', 'max="5" where="level={{ main }}"', "conditions such as"),
        ('max="5"', 'max="5" distinct="nam"', "the field `nam`"),
        ('max="5"', 'max="5" distinct="name" sum="costs"', "both `sum` and `distinct`"),
        ("<free ", '<free same="lvel" ', "the field `lvel`"),
        ('where="level=1"', 'where="lvel=1"', "the field `lvel`"),
        (
            'only="guests"',
            'only="guests" where="level={{ main.level }}"',
            "zones are filled before that",
        ),
        ('only="guests"', 'only="guests" where="restriction=x"', "the field `restriction`"),
        ('value="4"', 'value="{{ main.crads }}"', "`crads`"),
    ],
)
def test_what_limits_refer_to_must_be_there(
    tmp_path: Path, run: Run, old: str, new: str, message: str
) -> None:
    free = '<free where="level=1" min="1"/>'
    form = '<format id="f" name="F"><set limit="x" value="4"/></format>'
    write_game(tmp_path, CARDS, rules=RULES, limits=limit(free, max=5) + form)
    assert run("check", "-g", str(tmp_path)).exit_code == 0
    edit(tmp_path / "xml" / "game.xml", old, new)
    result = run("check", "-g", str(tmp_path))
    assert result.exit_code == 1
    assert message in result.stderr


def test_the_game_says_in_its_own_words_where_a_number_comes_from(tmp_path: Path) -> None:
    asks = limit(sum="costs", max="{{ side.costs }}", where="level!={{ side.level }} or costs&lt;6")
    deck = [line("A1", 4), line("G1", 1)]
    write_game(tmp_path, CARDS, rules=RULES, decks={"deck": deck}, limits=asks)
    words = {"at-least": "ab {}", "at-most": "bis {}", "hint": "Rat", "allow": "{}", "pages": "S."}
    written = "".join(f'<word id="{name}" text="{text}"/>' for name, text in words.items())
    setup = tmp_path / "xml" / "game.xml"
    edit(setup, 'language="en">', f'language="de"><words>{written}</words>')
    game = load_all(tmp_path)
    found: Report = []
    listed = load_deck(tmp_path, game, "deck")
    check_limits(game, listed, resolve_deck_rules(game, listed, None, {}), found)
    (finding,) = found
    assert finding.message == (
        "`main`: 8 `costs` that limit `x` counts, at most 7 are allowed; "
        "`side.level` is 1, from card `G1`; `side.costs` is 7, from card `G1`"
    )
    assert finding.translation is not None
    assert finding.translation.message == "Main: 8 things, bis 7; side.level: 1; side.costs: 7"
