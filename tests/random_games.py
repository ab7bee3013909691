"""Small random games with limits of all kinds, and all of their possible decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from string import ascii_letters
from xml.sax.saxutils import quoteattr

from deckwright.base.findings import Report, has_errors
from deckwright.checks.counting import DeckRules, zones_of
from deckwright.checks.limits import check_limits, select_limits
from deckwright.decks.solver.building import CardSlot
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, DeckEntry, Game

GAME = """<game name="Chance" language="en">
  <group id="guests" name="guests" races="Guest"/>
  <vocabulary id="levels"><term id="1" name="Low"/><term id="2" name="High"/></vocabulary>
  <kind tag="card" name="Card" width="65" height="90" face="card.xml">
    <field name="level" type="term" of="levels"/>
    <field name="n" type="integer" optional="true"/>
    <field name="m" type="integer" min="-2"/>
    <field name="w" type="decimal" min="-2" optional="true"/>
    <field name="tags" type="list" optional="true"/>
    <field name="sizes" type="list" of="integer" optional="true"/>
    <field name="tame" type="flag"/>
    <children tag="mark" plural="marks"><field name="of" type="text"/></children>
  </kind>
  <kind tag="chief" name="Chief" width="65" height="90" face="card.xml">
    <field name="n" type="integer"/>
    <field name="tags" type="list" optional="true"/>
    <field name="level" type="term" of="levels" optional="true"/>
  </kind>
  <deck>{}</deck>
  <sheet format="a4-65x90" deck="no"/>
</game>
"""
FACTIONS = """<data>
  <faction id="AA" race_name="Ants" faction_name="Hill" color="teal"/>
  <faction id="BB" race_name="Bees" faction_name="Hive" color="orange"/>
  <faction id="GG" race_name="Guest" faction_name="Road" color="gray"/>
</data>
"""
ZONES = (
    '<zone id="main" name="Main"/>',
    '<zone id="main" name="Main" except="guests"/><zone id="side" name="Side"/>',
    """<zone id="main" name="Main" where="kind=card"/><zone id="side" name="Side" only="guests"/>
    <zone id="top" name="Top" where="kind=chief"/>""",
    '<zone id="top" name="Top" where="kind=chief"/><zone id="main" name="Main"/>',
    '<zone id="side" name="Side" where="level=2"/><zone id="main" name="Main"/>',
)
BOUND = '<limit id="{0}" name="copies" zone="{0}" per="id" max="3"/>'
"""A bound that ensures a best deck in games with too many cards to try all decks."""
MAX_DECKS = 260
"""Games with more decks than this have fewer copies of each card."""
FIELDS = "level n m w tags sizes tame marks name id faction_id kind restriction".split()  # noqa: SIM905
SIGNS = ("<", "<=", ">", ">=")
VALUES = {
    "level": ("1", "2", "1,2"),
    "n": ("0", "1", "2", "", "1,3"),
    "m": ("-1", "0", "1", "0,2"),
    "w": ("0.5", "1", "1.25", ""),
    "tags": ("red", "red, blue", "", "blue, gold"),
    "sizes": ("1", "1, 2", "3", ""),
    "tame": ("true", "false", ""),
    "marks": ("x", "x, y", "y", ""),
    "name": ("Ann", "Ann, Bob", "Cid"),
    "id": ("a", "a, b", "c"),
    "faction_id": ("AA", "BB", "AA, GG"),
    "kind": ("card", "chief"),
    "restriction": ("banned", "", "banned, rare"),
}


class RandomGame:
    """A generator of random games."""

    def __init__(self, seed: int, cards: int | None = None) -> None:
        self._random = Random(seed)
        self._cards = cards
        self._zones = self.one(ZONES)
        self._zone_ids = [part.split('"')[1] for part in self._zones.split("<zone ")[1:]]

    def one(self, values: Sequence[str]) -> str:
        return self._random.choice(values)

    def one_in(self, number: int) -> bool:
        return self._random.randrange(number) == 0

    def write(self, folder: Path) -> Path:
        """Write a game; return the folder."""
        limits = "".join(self._limit(number) for number in range(self._random.randint(1, 5)))
        if self._cards:
            limits += "".join(BOUND.format(zone) for zone in self._zone_ids)
        files = {
            "xml/game.xml": GAME.format(self._zones + limits),
            "xml/factions_definition.xml": FACTIONS,
            "xml/rules.xml": "<data/>",
        }
        number = self._cards or self._random.randint(2, 5)
        cards: dict[str, list[str]] = {"AA": [], "BB": [], "GG": []}
        for card_id in ascii_letters[:number]:
            faction = self.one(["AA", "AA", "AA", "BB", "GG"])
            cards[faction].append(self._card(card_id, faction))
        for faction, texts in cards.items():
            files[f"xml/Factions/{faction}_cards.xml"] = f"<data>{''.join(texts)}</data>"
        if self.one_in(3):
            lines = "".join(
                f'<card faction_id="{faction}" id={text.split("id=")[1].split()[0]} '
                f'is="{self.one(["banned", "rare"])}"/>'
                for faction, texts in cards.items() for text in texts if self.one_in(2)
            )  # fmt: skip
            restrictions = f'<data><meta name="List" from="2026-03-01"/>{lines}</data>'
            files["xml/Restrictions/list.xml"] = restrictions
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder

    def _card(self, card_id: str, faction: str) -> str:
        fields = {
            "id": card_id,
            "name": self.one(["Ann", "Bob", "Cid", "Dot"]),
            "faction_id": faction,
            "level": self.one("12"),
            "n": self.one("0123"),
            "tags": self.one(["", "red", "red, blue", "gold"]),
        }
        chief = self.one_in(4)
        if not chief:
            fields |= {
                "m": self.one(["-2", "-1", "0", "1", "2"]),
                "w": self.one(["0", "0.5", "0.1", "1.25", "-0.5", "2"]),
                "tame": self.one(["true", "false"]),
                "sizes": self.one(["", "1", "1, 2", "3, 3"]),
            }
        for name in ("n", "w", "level", "tags", "sizes"):
            optional = name == "level" if chief else name != "level"
            if name in fields and optional and (not fields[name] or self.one_in(5)):
                del fields[name]
        if chief:
            fields |= {"n": self.one("0123"), "tags": self.one(["red", "blue", "red, gold"])}
        written = " ".join(f"{name}={quoteattr(value)}" for name, value in fields.items())
        marks = "".join(f'<mark of="{mark}"/>' for mark in "xy" if not chief and self.one_in(2))
        return f"<{'chief' if chief else 'card'} {written}>{marks}</{'chief' if chief else 'card'}>"

    def _limit(self, number: int) -> str:
        values = {"id": f"l{number}", "name": "things", "zone": self.one(self._zone_ids)}
        if self.one_in(2):
            values["where"] = self._where()
        counted = self._random.randrange(6)
        if counted < 2:
            values["sum"] = self.one(["n", "m", "w"])
        elif counted == 2:
            values["distinct"] = self.one(["name", "level", "tags", "n", "w", "faction_id"])
        if self.one_in(3):
            values["per"] = self.one(["name", "level", "tags", "sizes", "id", "tame", "w"])
        if self.one_in(6):
            values["faction"] = "own"
        if self.one_in(8):
            values["decks"] = self.one(["AA", "BB, GG", "AA, BB"])
        if self.one_in(12):
            values["severity"] = "warning"
        for bound in self.one(["min", "max", "max", "exactly", "min max"]).split():
            values[bound] = self._number(5 if bound == "max" and "min" in values else 0)
        written = " ".join(f"{name}={quoteattr(value)}" for name, value in values.items())
        free = self._free() if self.one_in(4) else ""
        return f"<limit {written}>{free}</limit>"

    def _free(self) -> str:
        others = f" others={quoteattr(self._where())}" if self.one_in(2) else ""
        field = self.one(["level", "faction_id", "tame", "tags", "name"])
        same = f' same="{field}"' if self.one_in(2) else ""
        where = quoteattr(self._where())
        return f'<free where={where} min="{self._random.randint(0, 3)}"{others}{same}/>'

    def _where(self) -> str:
        parts = [self._condition() for _ in range(self._random.choice([1, 1, 1, 2, 3]))]
        return parts[0] + "".join(f" {self.one(['and', 'or'])} {part}" for part in parts[1:])

    def _condition(self) -> str:
        field = self.one(FIELDS)
        sign = self.one(["=", "=", "!=", "in", "not in"])
        if self.one_in(3):
            field, sign = (
                self.one(["n", "m", "w", "sizes", "level"]),
                self.one(SIGNS),
            )
        value = f"'{self.one(VALUES[field])}'"
        if self.one_in(3) and field != "restriction":
            zone = self.one(self._zone_ids)
            other = field if self.one_in(2) else self.one(["n", "level", "tags", "marks", "sizes"])
            value = f"{{{{ {zone}.{other} }}}}"
            if self.one_in(6):
                value = "{{ deck.faction_id }}"
        return f"{field} {sign} {value}"

    def _number(self, least: int) -> str:
        if self.one_in(3):
            return f"{{{{ {self._formula(2)} }}}}"
        return str(self._random.choice([0, 1, 2, 2, 3, 3, 4, 5]) + least)

    def _formula(self, depth: int) -> str:
        zone = self.one([*self._zone_ids, "deck"])
        name = "cards" if zone == "deck" or self.one_in(2) else self.one(["n", "m"])
        atom = f"{zone}.{name}" if self.one_in(3) or depth == 2 else str(self._random.randrange(5))
        if depth == 0:
            return atom
        inner = self._formula(depth - 1)
        return self.one(
            [
                f"{atom} + {inner}",
                f"{atom} - ({inner})",
                f"({inner}) // {self._random.randint(1, 3)}",
                f"2 * ({inner})",
                f"{self._random.randrange(4)} * ({atom} {self.one(SIGNS)} {inner})",
                inner,
            ]
        )


def random_game(folder: Path, seed: int, cards: int | None = None) -> Game | None:
    """Return the game of a seed; None if it is invalid.

    Args:
        cards: the number of cards; a few if None.
    """
    report: Report = []
    written = GameFolder(RandomGame(seed, cards).write(folder))
    setup = load.load_setup(written, report)
    game = load.load_game(written, setup, report) if setup else None
    return None if has_errors(report) else game


def rules_of(game: Game, faction_id: str) -> DeckRules:
    """Return the rules for a faction's decks."""
    limits = select_limits(game.setup, faction_id, None, {})
    return DeckRules(limits, game.restrictions_for(None, None))


def all_slots(game: Game) -> list[CardSlot]:
    """Return all cards of a game in all zones that admit them."""
    places = (
        (card, *each) for card in game.cards.values() for each in enumerate(zones_of(game, card))
    )
    return [
        CardSlot(card, zone, place == 0, number)
        for number, (card, place, zone) in enumerate(places)
    ]


def deck_of(game: Game, faction_id: str, slots: Sequence[CardSlot], copies: Sequence[int]) -> Deck:
    """Return the deck with these numbers of copies."""
    source = game.setup.source
    entries = tuple(
        DeckEntry(slot.card.faction_id, slot.card.id, number, source, slot.zone.id)
        for slot, number in zip(slots, copies, strict=True)
        if number
    )
    return Deck("deck", "Deck", faction_id, None, entries, source)


def is_legal(game: Game, deck: Deck, rules: DeckRules) -> bool:
    """Return whether the check finds no error in a deck."""
    report: Report = []
    check_limits(game, deck, rules, report)
    return not has_errors(report)


def max_copies(slots: Sequence[CardSlot]) -> int:
    """Return the maximum number of copies of a card at which all decks can be tried."""
    return next(most for most in (4, 3, 2, 1) if (most + 1) ** len(slots) <= MAX_DECKS or most == 1)


def all_decks(slots: Sequence[CardSlot], most: int) -> Iterator[tuple[int, ...]]:
    """Yield all decks in the order of tie-breaking: most copies of the first card first."""
    return product(range(most, -1, -1), repeat=len(slots))
