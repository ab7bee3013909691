"""How decks are built: zones, limits, formats, with their conditions and formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple, cast

from deckwright.game.kinds import Audience
from deckwright.xmlio.node import Source

_MAX_FORMULA = 200
"""The longest formula, in characters; parentheses in it cannot lie too deep then."""
_NAME = r"[^\s+*/()<>.=-][^\s+*/()<>.=]*"
REFERENCE_PATTERN = rf"{_NAME}\.{_NAME}"
"""Something of the deck, as a regular expression of XSD and Python alike."""
_TOKEN = re.compile(rf"\s*(?:({REFERENCE_PATTERN})|([0-9]{{1,9}})(?![\w.])|(//|<=|>=|[-+*()<>]))")

DECK = "deck"
"""Stands for the whole deck, where no zone is called so."""
CARDS = "cards"
"""Stands for the number of copies, of a zone or of the whole deck."""


class FormulaError(ValueError):
    """A formula cannot be read; the message says why."""


class Reference(NamedTuple):
    """Something that a deck has: the values of a field of the cards in one of its zones.

    As a number it is the sum over all copies in the zone, and so linear in their numbers; where the
    zone has a single card, it is what the card says.
    """

    zone: str
    field: str

    def __str__(self) -> str:
        """Return it as `game.xml` writes it."""
        return f"{self.zone}.{self.field}"


class Quotient(NamedTuple):
    """A formula divided by a whole number, rounded down. A whole variable for solvers."""

    formula: Formula
    divisor: int


class Step(NamedTuple):
    """1 where a formula is not below 0, else 0. A binary variable for solvers."""

    formula: Formula


FormulaPart = Reference | Quotient | Step


class Formula(NamedTuple):
    """A sum of parts of a deck.

    Attributes:
        constant: what is added to the parts.
        parts: each with its factor.
        text: the formula as `game.xml` writes it, without its braces.
    """

    constant: int
    parts: tuple[tuple[int, FormulaPart], ...] = ()
    text: str = ""

    def __str__(self) -> str:
        """Return it as `game.xml` writes it."""
        return self.text

    def said(self, name: Callable[[Reference], str]) -> str:
        """Return it in words, given the name of each reference."""
        return re.sub(REFERENCE_PATTERN, lambda found: name(parse_reference(found[0])), self.text)

    def value(self, number: Callable[[Reference], int]) -> int:
        """Return its value, given that of each reference."""
        total = self.constant
        for factor, part in self.parts:
            if isinstance(part, Reference):
                value = number(part)
            elif isinstance(part, Quotient):
                value = part.formula.value(number) // part.divisor
            else:
                value = int(part.formula.value(number) >= 0)
            total += factor * value
        return total

    def references(self) -> Iterator[Reference]:
        """Yield what it depends on, in order."""
        for _, part in self.parts:
            yield from [part] if isinstance(part, Reference) else part.formula.references()

    def plus(self, other: Formula, factor: int = 1) -> Formula:
        """Return the sum of this and of another formula with a factor."""
        parts = ((factor * own, part) for own, part in other.parts)
        return Formula(self.constant + factor * other.constant, (*self.parts, *parts))


Number = int | Formula
"""A number of a limit: fixed, or worked out from the deck."""


def parse_reference(text: str) -> Reference:
    """Return what a text that matches `REFERENCE_PATTERN` refers to."""
    return Reference(*text.strip().split("."))


def parse_number(text: str) -> Number:
    """Return a whole number, or what double braces enclose.

    Raises:
        FormulaError: if what they enclose is not a formula.
    """
    text = text.strip()
    if not text.startswith("{{"):
        return int(text)
    return _FormulaParser(text[2:-2].strip()).read()


class _FormulaParser:
    """Reads one formula."""

    def __init__(self, text: str) -> None:
        if len(text) > _MAX_FORMULA:
            raise FormulaError(f"it has more than {_MAX_FORMULA} characters")
        self._text = text
        self._at = 0

    def read(self) -> Formula:
        formula = self._comparison()
        if self._text[self._at :].strip():
            raise self._syntax_error()
        return formula._replace(text=self._text)

    def _syntax_error(self) -> FormulaError:
        rest = self._text[self._at :].strip()
        return FormulaError(f"`{rest}` cannot stand there" if rest else "it ends too early")

    def _take(self, *signs: str) -> str | None:
        """Return the sign that comes next, and pass it, if it is one of these."""
        found = _TOKEN.match(self._text, self._at)
        if found is None or found[3] not in signs:
            return None
        self._at = found.end()
        return found[3]

    def _comparison(self) -> Formula:
        left = self._sum()
        sign = self._take("<", "<=", ">", ">=")
        if sign is None:
            return left
        right = self._sum()
        high, low = (left, right) if sign[0] == ">" else (right, left)
        difference = high.plus(low, -1)
        if len(sign) == 1:
            difference = difference.plus(Formula(-1))
        return Formula(0, ((1, Step(difference)),))

    def _sum(self) -> Formula:
        total = self._product()
        while sign := self._take("+", "-"):
            total = total.plus(self._product(), 1 if sign == "+" else -1)
        return total

    def _product(self) -> Formula:
        left = self._atom()
        while sign := self._take("*", "//"):
            right = self._atom()
            if sign == "//":
                left = _divide(left, right)
            elif left.parts and right.parts:
                raise FormulaError("one side of `*` must be a number")
            else:
                left, right = (left, right) if left.parts else (right, left)
                left = Formula(0).plus(left, right.constant)
        return left

    def _atom(self) -> Formula:
        if self._take("-"):
            return Formula(0).plus(self._atom(), -1)
        if self._take("("):
            inner = self._comparison()
            if not self._take(")"):
                raise self._syntax_error()
            return inner
        found = _TOKEN.match(self._text, self._at)
        if found is None or found[3]:
            raise self._syntax_error()
        self._at = found.end()
        if found[1]:
            return Formula(0, ((1, parse_reference(found[1])),))
        return Formula(int(found[2]))


def _divide(formula: Formula, by: Formula) -> Formula:
    if by.parts or by.constant < 1:
        raise FormulaError("what stands behind `//` must be a number, at least 1")
    if not formula.parts:
        return Formula(formula.constant // by.constant)
    return Formula(0, ((1, Quotient(formula, by.constant)),))


_FIELD = r"""[^\s!=<>"']+"""
_SIGN = r"!=|<=|>=|=|<|>"
_WORD = r"not\s+in|in"
_VALUE = rf"""\{{\{{\s*{REFERENCE_PATTERN}\s*\}}\}}|'[^']*'|"[^"]*"|[^\s!=<>"'\{{][^\s!=<>]*"""
_SINGLE = rf"{_FIELD}(?:\s*(?:{_SIGN})\s*|\s+(?:{_WORD})\s+)(?:{_VALUE})"
WHERE_PATTERN = rf"\s*{_SINGLE}(?:\s+(?:and|or)\s+{_SINGLE})*\s*"
"""What `where` may hold, as a regular expression of XSD and Python alike."""

_CONDITION = re.compile(
    rf"(?:\s+(and|or)\s+)?({_FIELD})(?:\s*({_SIGN})\s*|\s+({_WORD})\s+)({_VALUE})"
)

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in"]


class Condition(NamedTuple):
    """A condition on one field of a card, for example `level=3`.

    A card may have several values in a list, and so may the other side: with `in`, values with
    commas between them. `=` holds if any two are equal, and `!=` if none are; `in` holds if each of
    the card's values is on the other side, and `not in` if one is not. A field that is left out has
    an empty value, an empty list has none.
    """

    field: str
    operator: Operator
    value: str | Reference

    @property
    def values(self) -> tuple[str, ...]:
        """What a fixed value means: with `in`, a list."""
        text = str(self.value)
        if self.operator not in {"in", "not in"}:
            return (text,)
        return tuple(part.strip() for part in text.split(",") if part.strip())


Where = tuple[tuple[Condition, ...], ...]
"""Holds for cards that meet all conditions of any of these groups; for every card if empty."""


def parse_where(text: str) -> Where:
    """Return what a text that matches `WHERE_PATTERN` states; nothing for an empty one."""
    groups: list[tuple[Condition, ...]] = []
    for link, field, sign, word, value in _CONDITION.findall(text.strip()):
        operator = cast("Operator", sign or " ".join(word.split()))
        condition = Condition(field, operator, _parse_value(value))
        if link == "and":
            groups[-1] = (*groups[-1], condition)
        else:
            groups.append((condition,))
    return tuple(groups)


def find_unparsed(text: str) -> str:
    """Return the rest of a text from where it is no condition; "" if `WHERE_PATTERN` matches."""
    text = text.strip()
    found = _CONDITION.match(text)
    at = found.end() if found and not found[1] else 0
    while at and (found := _CONDITION.match(text, at)) and found[1]:
        at = found.end()
    return text[at:].strip()


def _parse_value(text: str) -> str | Reference:
    if text.startswith("{{"):
        return parse_reference(text[2:-2])
    return text[1:-1] if text[0] in "'\"" else text


def references_in(where: Where) -> Iterator[Reference]:
    """Yield what a condition takes from the deck."""
    for group in where:
        for condition in group:
            if isinstance(condition.value, Reference):
                yield condition.value


_MEASURE_NAME = r"[^\W\d][\w.]*"
_FACTOR = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_TERM = re.compile(
    rf"\s*(?P<sign>[-+])?\s*(?:(?:(?P<before>{_FACTOR})\s*\*\s*)?(?P<name>{_MEASURE_NAME})"
    rf"(?:\s*\*\s*(?P<behind>{_FACTOR}))?)\s*"
)
_MAX_MEASURE = 200


class MeasureError(ValueError):
    """A measure cannot be read; the message says why."""


class MeasureTerm(NamedTuple):
    """One part of a measure.

    Attributes:
        field: a field with numbers, or `cards`, which is 1 for each copy.
        zone: the id of the only zone whose cards count, None for the whole deck.
    """

    factor: Decimal
    field: str
    zone: str | None = None


class Measure(NamedTuple):
    """A sum of fields with factors.

    Attributes:
        text: as it was written.
    """

    text: str
    parts: tuple[MeasureTerm, ...]

    def __str__(self) -> str:
        """Return it as it was written."""
        return self.text

    def of(self, fields: Mapping[str, object], zone: str | None = None) -> Decimal:
        """Return what a copy of a card adds to it.

        Args:
            fields: those of the card.
            zone: the id of the zone that the copy is in; None for parts of every zone.
        """
        total = Decimal(0)
        for part in self.parts:
            if part.zone is None or zone is None or part.zone == zone:
                value = 1 if part.field == CARDS else fields.get(part.field)
                if isinstance(value, (int, float)):
                    total += part.factor * Decimal(str(value))
        return total


def parse_measure(text: str, fields: Collection[str], zones: Collection[str] = ()) -> Measure:
    """Return the measure that a text states.

    Args:
        text: fields with signs between them, each with a factor if it is not 1; `zone.field` for
            the cards of one zone.
        fields: those that there are, with numbers.
        zones: the ids of the zones that there are.

    Raises:
        MeasureError: if it cannot be read, or names what there is not.
    """
    if len(text) > _MAX_MEASURE:
        raise MeasureError(f"it has more than {_MAX_MEASURE} characters")
    parts: list[MeasureTerm] = []
    at = 0
    while at < len(text.rstrip()):
        found = _TERM.match(text, at)
        if found is None or (parts and found["sign"] is None):
            raise MeasureError(f"`{text[at:].strip()}` cannot stand there")
        if found["before"] and found["behind"]:
            raise MeasureError(f"`{found[0].strip()}` has two factors")
        factor = Decimal(found["before"] or found["behind"] or 1)
        zone, dot, field = found["name"].rpartition(".")
        if dot and zone not in zones:
            raise MeasureError(f"there is no zone `{zone}`")
        if field not in fields and field != CARDS:
            raise MeasureError(f"no kind of card has a field `{field}` with numbers")
        sign = -1 if found["sign"] == "-" else 1
        parts.append(MeasureTerm(sign * factor, field, zone or None))
        at = found.end()
    if not parts:
        raise MeasureError("it is empty")
    return Measure(" ".join(text.split()), tuple(parts))


class Zone(NamedTuple):
    """A part of a deck, for example the main deck. A card goes to the first zone that admits it.

    Attributes:
        where: admits only cards for which this holds.
        back: the template of the one back of all its cards, None for those of groups and kinds.
        main: whether it is the main deck, for programs that have one and a sideboard.
    """

    id: str
    name: str
    audience: Audience
    source: Source
    where: Where = ()
    back: str | None = None
    main: bool = False


Bound = Literal["min", "max", "exactly"]


RESTRICTION = "restriction"
"""What conditions of limits call the words by which the list in force restricts a card."""


class Exemption(NamedTuple):
    """Cards that a limit does not count while a deck has enough other cards.

    For solvers it is a binary variable for each value of `same`.

    Attributes:
        where: for which cards it is.
        others: which other cards it takes; others have another name.
        same: a field in which they must be like the card, None if they need not.
        min: how many copies of them it takes.
    """

    where: Where
    others: Where
    same: str | None
    min: int


class Limit(NamedTuple):
    """A limit that a deck must keep.

    What it counts is linear in the copies of each card, and so are its numbers where they are fixed
    or refer to the deck without `//` and comparisons (see `formulas`). Conditions that refer to the
    cards of a zone are settled once these are chosen. `distinct` takes a binary variable for each
    of the values, and each exemption one as well.

    Attributes:
        zone: the id of the zone that it counts in.
        where: counts only copies of cards for which this holds.
        sum: adds up this field instead of counting copies.
        distinct: counts the different values of this field instead of copies.
        exemptions: cards that it does not count while there are enough others.
        per: holds for each group of cards with the same value of this field on its own.
        own_faction: cards must be of the deck's main faction.
        decks: holds only for decks of the factions with these ids; for all if empty.
        min, max, exactly: the bounds, None where there is none.
        warning: whether breaking it is a warning only.
        source: where game.xml says so.
    """

    id: str
    name: str
    zone: str
    source: Source
    where: Where = ()
    sum: str | None = None
    distinct: str | None = None
    per: str | None = None
    own_faction: bool = False
    decks: tuple[str, ...] = ()
    min: Number | None = None
    max: Number | None = None
    exactly: Number | None = None
    warning: bool = False
    exemptions: tuple[Exemption, ...] = ()

    @property
    def counts_copies(self) -> bool:
        """Whether it counts all copies of its zone, and nothing else."""
        return not (self.where or self.sum or self.distinct or self.per or self.exemptions)

    @property
    def conditions(self) -> Where:
        """All conditions that it has, those of its exemptions too."""
        inner = (group for each in self.exemptions for group in (*each.where, *each.others))
        return (*self.where, *inner)

    def references(self) -> Iterator[Reference]:
        """Yield what it takes from the deck, in its conditions and in its numbers."""
        yield from references_in(self.conditions)
        for number in (self.min, self.max, self.exactly):
            if isinstance(number, Formula):
                yield from number.references()

    @property
    def required_zones(self) -> frozenset[str]:
        """The zones whose cards must be known before it means anything."""
        return frozenset(zone for zone, field in self.references() if field != CARDS)

    @property
    def fixed(self) -> bool:
        """Whether it means the same for every deck and at every date."""
        return not self.uses_restrictions and next(self.references(), None) is None

    @property
    def uses_restrictions(self) -> bool:
        """Whether it asks by what words the list in force restricts cards."""
        return any(each.field == RESTRICTION for group in self.conditions for each in group)

    @property
    def bound(self) -> Bound | None:
        """The bound that a single new value goes to; None if the limit has no number."""
        bounds: tuple[Bound, ...] = ("exactly", "max", "min")
        for name in bounds:
            if getattr(self, name) is not None:
                return name
        return None

    def with_value(self, value: Number) -> Limit:
        """Return the limit with `value` for its number.

        Raises:
            ValueError: if it has no number.
        """
        if self.bound is None:
            raise ValueError(f"the limit `{self.id}` has no number, so it can only be switched off")
        changes: dict[str, Any] = {self.bound: value}
        return self._replace(**changes)


class Format(NamedTuple):
    """A named way to build decks: changes to the limits. None switches a limit off."""

    id: str
    name: str
    changes: Mapping[str, Number | None]


class Opening(NamedTuple):
    """With how many cards a player begins, and how they are drawn.

    Attributes:
        zone: the id of the zone that they are drawn from, None for the main deck.
        hand: how many are drawn.
        redraws: how many of these a player may lay aside, once, for as many others; these are then
            shuffled back.
        mulligans: how often a player may instead shuffle all of them back and draw as many again.
        draws: how many more are drawn each turn.
    """

    zone: str | None
    hand: int
    redraws: int = 0
    mulligans: int = 0
    draws: int = 0
