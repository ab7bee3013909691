"""What the rows allow is what the check allows: for limits made at random, deck by deck."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from deckwright.base.findings import Report, has_errors
from deckwright.checks.counting import Held
from deckwright.checks.limits import check_limits, limits_in
from deckwright.decks.solver.building import Built, build
from deckwright.decks.solver.highs import Highs, Status
from deckwright.decks.solver.program import Linear
from deckwright.game.model import Deck, DeckEntry, Game
from support import card, load_all, uses, write_game

_NAMES = ("Scout", "Queen", "Drone", "Bee")
_RULES = ("call", "run")
_VALUES = {
    "level": ("1", "'1, 2'"),
    "costs": ("0", "2", "3", "'1, 2'"),
    "name": ("Scout", "Queen", "'Scout, Bee'"),
    "rules": ("call", "run", "'call, run'"),
    "faction_id": ("AA", "BB", "'AA, GG'"),
}
_PLACES = ("main", "side", "deck")
_NUMBERS = ("main.cards", "side.cards", "deck.cards", "main.costs", "side.actions")
_FORMULAS = (
    "{0} - 2", "7 - {0}", "{0} // 3", "1 + 2 * ({0} &gt;= 3)", "{0} + {1}", "({0} - 5) // 2 + 3"
)  # fmt: skip


class Maker(random.Random):
    """Makes cards and limits."""

    def one(self, card_id: str) -> str:
        rules = self.sample(_RULES, self.randint(0, 2))
        fields = {"level": self.choice((1, 2)), "costs": self.randint(0, 4)}
        fields["actions"] = self.randint(0, 3)
        return card(card_id, self.choice(_NAMES), card_id[0] * 2, uses(*rules), **fields)

    def condition(self) -> str:
        field = self.choice([*_VALUES])
        signs = ["=", "!=", " in ", " not in "]
        signs += ["&lt;", "&gt;="] if field in {"level", "costs"} else []
        value = self.choice(_VALUES[field])
        if self.random() < 0.4:
            place = self.choice(("main", "side") if field != "faction_id" else _PLACES)
            value = f"{{{{ {place}.{field} }}}}"
        return f"{field}{self.choice(signs)}{value}"

    def where(self) -> str:
        conditions = [self.condition() for _ in range(self.choice((1, 1, 2)))]
        return self.choice((" and ", " or ")).join(conditions)

    def number(self) -> str:
        if self.random() < 0.5:
            return str(self.randint(0, 8))
        formula = self.choice(_FORMULAS)
        return f"{{{{ {formula.format(self.choice(_NUMBERS), self.choice(_NUMBERS))} }}}}"

    def some(self, **choices: float) -> set[str]:
        return {name for name, chance in choices.items() if self.random() < chance}

    def limit(self, number: int) -> str:
        has = self.some(where=0.6, sum=0.3, distinct=0.2, per=0.35, faction=0.15, severity=0.2)
        values = {
            "where": self.where(),
            "sum": self.choice(("costs", "actions")),
            "distinct": self.choice(("name", "level")),
            "per": self.choice(("name", "level", "faction_id")),
            "faction": "own",
            "severity": "warning",
        }
        if "sum" in has:
            has.discard("distinct")
        values = {name: value for name, value in values.items() if name in has}
        values[self.choice(("min", "max", "exactly"))] = self.number()
        inside = ""
        if self.random() < 0.3:
            asked = {"others": self.where(), "same": self.choice(("faction_id", "level"))}
            asked = {name: asked[name] for name in self.some(others=0.5, same=0.5)}
            asked |= {"where": self.where(), "min": str(self.randint(1, 4))}
            inside = f"<free {_attributes(asked)}/>"
        zone = self.choice(("main", "main", "side"))
        named = f'id="l{number}" name="things" zone="{zone}"'
        return f"<limit {named} {_attributes(values)}>{inside}</limit>"


def _attributes(values: dict[str, str]) -> str:
    return " ".join(f'{name}="{value}"' for name, value in values.items())


def made_game(folder: Path, make: Maker) -> Game:
    cards = [make.one(i) for i in ("A0", "A1", "A2", "A3", "B0", "B1", "G0", "G1")]
    limits = [make.limit(number) for number in range(make.randint(1, 3))]
    if make.random() < 0.5:
        severity = make.choice(("", ' severity="warning"'))
        limits.append(f'<limit id="one" name="guests" zone="side" exactly="1"{severity}/>')
    rules = [
        f'<rule id="{name}" type="passive" effect="It does."><label GEN="{name}"/></rule>'
        for name in _RULES
    ]
    write_game(folder, cards, rules=rules, limits="".join(limits))
    path = folder / "xml" / "game.xml"
    if make.random() < 0.5:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(' only="guests"/>', ' where="level=1"/>'), encoding="utf-8")
    return load_all(folder)


def allows(built: Built, copies: dict[str, int]) -> bool:
    """Return whether a program has an answer with these copies, by the names of variables."""
    named = {built.program.variables[slot.number].name: slot.number for slot in built.slots}
    if any(number and name not in named for name, number in copies.items()):
        return False
    highs = Highs(built.program)
    for name, at in named.items():
        low, high = highs.bounds(at)
        if not low <= copies[name] <= high:
            return False
        highs.confine(at, copies[name], copies[name])
    return highs.most(Linear()).status is Status.OPTIMAL


@pytest.mark.corpus(4)
@pytest.mark.parametrize("seed", range(24))
def test_the_program_and_the_check_agree_on_every_deck(tmp_path: Path, seed: int) -> None:
    make = Maker(seed)
    game = made_game(tmp_path, make)
    held = Held(limits_in(game.setup, "AA", None, {}), None)
    tight = build(game, "AA", held)
    loose = build(game, "AA", held, relaxable=True)
    assert tight.left_out == loose.left_out == ()
    source = game.setup.source
    for _ in range(12):
        copies = [make.choice((0, 0, 0, 0, 1, 1, 2, 3)) for _ in loose.slots]
        entries = tuple(
            DeckEntry(slot.card.faction_id, slot.card.id, number, source, slot.zone.id)
            for slot, number in zip(loose.slots, copies, strict=True)
            if number
        )
        report: Report = []
        check_limits(game, Deck("deck", "Deck", "AA", None, entries, source), held, report)
        named = {
            loose.program.variables[slot.number].name: number
            for slot, number in zip(loose.slots, copies, strict=True)
        }
        legal = not has_errors(report)
        assert (allows(tight, named), allows(loose, named)) == (legal, legal), (entries, report)
