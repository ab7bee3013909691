"""Deck construction: zones, limits and formats, with their conditions and formulas."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple, Self, cast

from deckwright.game.kinds import MAX_MANY, OWN_ID, PRINTED_NAME, Audience
from deckwright.xmlio.binding import SOURCE, attr, bound, elements, same_element
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import ID, NAME, Value, one_of

_MAX_EXEMPTIONS = 5
_MAX_FORMULA = 200
"""The longest formula, in characters; this bounds the depth of its parentheses as well."""
_NAME = r"[^\s+*/()<>.=-][^\s+*/()<>.=]*"
REFERENCE_PATTERN = rf"{_NAME}\.{_NAME}"
"""A reference to the deck, as a regular expression for both XSD and Python."""
_TOKEN = re.compile(rf"\s*(?:({REFERENCE_PATTERN})|([0-9]{{1,9}})(?![\w.])|(//|<=|>=|[-+*()<>]))")

DECK = "deck"
"""The name of the whole deck in references, unless a zone has that name."""
CARDS = "cards"
"""The name of the number of copies, in a zone or in the whole deck."""


class FormulaError(ValueError):
    """A formula cannot be read; the message says why."""


class Reference(NamedTuple):
    """A reference to a field of the cards in one zone of the deck.

    As a number it is the sum over all copies in the zone, which is linear in their numbers; for a
    zone with a single card, the value of that card.
    """

    zone: str
    field: str

    def __str__(self) -> str:
        """Return the form that `game.xml` uses."""
        return f"{self.zone}.{self.field}"


class Quotient(NamedTuple):
    """A formula divided by a whole number, rounded down: an integer variable for solvers."""

    formula: "Formula"
    divisor: int


class Step(NamedTuple):
    """1 if a formula is at least 0, else 0: a binary variable for solvers."""

    formula: "Formula"


FormulaPart = Reference | Quotient | Step


class Formula(NamedTuple):
    """A sum of values of a deck.

    Attributes:
        constant: the constant term.
        parts: the other terms, each with its factor.
        text: the formula as `game.xml` writes it, without its braces.
    """

    constant: int
    parts: tuple[tuple[int, FormulaPart], ...] = ()
    text: str = ""

    def __str__(self) -> str:
        """Return the form that `game.xml` uses."""
        return self.text

    def describe(self, name: Callable[[Reference], str]) -> str:
        """Return the formula with names in place of references."""
        return re.sub(REFERENCE_PATTERN, lambda found: name(parse_reference(found[0])), self.text)

    def evaluate(self, number: Callable[[Reference], int]) -> int:
        """Return the value of the formula.

        Args:
            number: returns the value of a reference.
        """
        total = self.constant
        for factor, part in self.parts:
            if isinstance(part, Reference):
                value = number(part)
            elif isinstance(part, Quotient):
                value = part.formula.evaluate(number) // part.divisor
            else:
                value = int(part.formula.evaluate(number) >= 0)
            total += factor * value
        return total

    def references(self) -> Iterator[Reference]:
        """Yield its references in order."""
        for _, part in self.parts:
            yield from [part] if isinstance(part, Reference) else part.formula.references()

    def add(self, other: "Formula", factor: int = 1) -> "Formula":
        """Return the sum of this formula and `factor` times another."""
        parts = ((factor * own, part) for own, part in other.parts)
        return Formula(self.constant + factor * other.constant, (*self.parts, *parts))


Number = int | Formula
"""A number of a limit: fixed, or computed from the deck."""


def parse_reference(text: str) -> Reference:
    """Return the reference in a text that matches `REFERENCE_PATTERN`."""
    return Reference(*text.strip().split("."))


def parse_number(text: str) -> Number:
    """Return a whole number, or the formula in double braces; raise a FormulaError otherwise."""
    text = text.strip()
    if not text.startswith("{{"):
        return int(text)
    return _FormulaParser(text[2:-2].strip()).parse()


class _FormulaParser:
    """A recursive-descent parser for one formula."""

    def __init__(self, text: str) -> None:
        if len(text) > _MAX_FORMULA:
            raise FormulaError(f"it has more than {_MAX_FORMULA} characters")
        self._text = text
        self._at = 0

    def parse(self) -> Formula:
        formula = self._comparison()
        if self._text[self._at :].strip():
            raise self._syntax_error()
        return formula._replace(text=self._text)

    def _syntax_error(self) -> FormulaError:
        rest = self._text[self._at :].strip()
        return FormulaError(f"`{rest}` is not allowed there" if rest else "it ends too early")

    def _take(self, *signs: str) -> str | None:
        """Consume and return the next sign if it is one of these."""
        match = _TOKEN.match(self._text, self._at)
        if match is None or match[3] not in signs:
            return None
        self._at = match.end()
        return match[3]

    def _comparison(self) -> Formula:
        left = self._sum()
        sign = self._take("<", "<=", ">", ">=")
        if sign is None:
            return left
        right = self._sum()
        high, low = (left, right) if sign[0] == ">" else (right, left)
        difference = high.add(low, -1)
        if len(sign) == 1:
            difference = difference.add(Formula(-1))
        return Formula(0, ((1, Step(difference)),))

    def _sum(self) -> Formula:
        total = self._product()
        while sign := self._take("+", "-"):
            total = total.add(self._product(), 1 if sign == "+" else -1)
        return total

    def _product(self) -> Formula:
        left = self._atom()
        while sign := self._take("*", "//"):
            right = self._atom()
            if sign == "//":
                if right.parts or right.constant < 1:
                    raise FormulaError("only a whole number, at least 1, can follow `//`")
                quotient = Formula(0, ((1, Quotient(left, right.constant)),))
                left = quotient if left.parts else Formula(left.constant // right.constant)
            elif left.parts and right.parts:
                raise FormulaError("one side of `*` must be a number")
            else:
                left, right = (left, right) if left.parts else (right, left)
                left = Formula(0).add(left, right.constant)
        return left

    def _atom(self) -> Formula:
        if self._take("-"):
            return Formula(0).add(self._atom(), -1)
        if self._take("("):
            inner = self._comparison()
            if not self._take(")"):
                raise self._syntax_error()
            return inner
        match = _TOKEN.match(self._text, self._at)
        if match is None or match[3]:
            raise self._syntax_error()
        self._at = match.end()
        if match[1]:
            return Formula(0, ((1, parse_reference(match[1])),))
        return Formula(int(match[2]))


_FIELD = r"""[^\s!=<>"']+"""
_SIGN = r"!=|<=|>=|=|<|>"
_WORD = r"not\s+in|in"
_VALUE = rf"""\{{\{{\s*{REFERENCE_PATTERN}\s*\}}\}}|'[^']*'|"[^"]*"|[^\s!=<>"'\{{][^\s!=<>]*"""
_SINGLE = rf"{_FIELD}(?:\s*(?:{_SIGN})\s*|\s+(?:{_WORD})\s+)(?:{_VALUE})"
WHERE_PATTERN = rf"\s*{_SINGLE}(?:\s+(?:and|or)\s+{_SINGLE})*\s*"
"""The syntax of `where`, as a regular expression for both XSD and Python."""

_CONDITION = re.compile(
    rf"(?:\s+(and|or)\s+)?({_FIELD})(?:\s*({_SIGN})\s*|\s+({_WORD})\s+)({_VALUE})"
)

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in"]


class Condition(NamedTuple):
    """A condition on one field of a card, for example `level=3`.

    Both sides may have several values: the card in a list, the condition separated by commas with
    `in`. `=` holds if any two are equal, `!=` if none are; `in` holds if each of the card's values
    is on the other side, `not in` if one is not. A missing field has an empty value, an empty list
    has none.
    """

    field: str
    operator: Operator
    value: str | Reference

    @property
    def values(self) -> tuple[str, ...]:
        """The fixed values to compare with; with `in`, several."""
        text = str(self.value)
        if self.operator not in {"in", "not in"}:
            return (text,)
        return tuple(part.strip() for part in text.split(",") if part.strip())


Where = tuple[tuple[Condition, ...], ...]
"""Alternatives of conditions: a card matches if all conditions of one group hold, or if empty."""


def parse_where(text: str) -> Where:
    """Return the conditions in a text that matches `WHERE_PATTERN`; none for an empty text."""
    groups: list[tuple[Condition, ...]] = []
    for link, field, sign, word, value in _CONDITION.findall(text.strip()):
        operator = cast("Operator", sign or " ".join(word.split()))
        fixed = value[1:-1] if value[0] in "'\"" else value
        operand = parse_reference(value[2:-2]) if value.startswith("{{") else fixed
        condition = Condition(field, operator, operand)
        if link == "and":
            groups[-1] = (*groups[-1], condition)
        else:
            groups.append((condition,))
    return tuple(groups)


def find_unparsed(text: str) -> str:
    """Return the rest of a text from where it is no condition; "" if `WHERE_PATTERN` matches."""
    text = text.strip()
    match = _CONDITION.match(text)
    at = match.end() if match and not match[1] else 0
    while at and (match := _CONDITION.match(text, at)) and match[1]:
        at = match.end()
    return text[at:].strip()


def references_in(where: Where) -> Iterator[Reference]:
    """Yield the references to the deck in conditions."""
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
    """One term of a measure.

    Attributes:
        field: a field with numbers, or `cards`, which is 1 for each copy.
        zone: the id of the only zone whose cards count, None for the whole deck.
    """

    factor: Decimal
    field: str
    zone: str | None = None


class Measure(NamedTuple):
    """A weighted sum of fields, with the text that it was parsed from."""

    text: str
    parts: tuple[MeasureTerm, ...]

    def __str__(self) -> str:
        """Return the text it was parsed from."""
        return self.text

    def evaluate(self, fields: Mapping[str, object], zone: str | None = None) -> Decimal:
        """Return the contribution of one copy of a card.

        Args:
            fields: the fields of the card.
            zone: the id of the zone that the copy is in; None for parts of every zone.
        """
        total = Decimal(0)
        for part in self.parts:
            if part.zone is None or zone is None or part.zone == zone:
                value = 1 if part.field == CARDS else fields.get(part.field)
                if isinstance(value, (int, float)):
                    total += part.factor * Decimal(str(value))
        return total


def parse_measure(
    text: str, fields: Collection[str] | None = None, zones: Collection[str] = ()
) -> Measure:
    """Return the measure in a text.

    Args:
        text: fields joined by `+` and `-`, each with an optional factor; `zone.field` counts
            only the cards of one zone.
        fields: the numeric fields of the game; None to accept all names.
        zones: the ids of the game's zones.

    Raises:
        MeasureError: if the text cannot be parsed or uses unknown names.
    """
    if len(text) > _MAX_MEASURE:
        raise MeasureError(f"it has more than {_MAX_MEASURE} characters")
    parts: list[MeasureTerm] = []
    at = 0
    while at < len(text.rstrip()):
        match = _TERM.match(text, at)
        if match is None or (parts and match["sign"] is None):
            raise MeasureError(f"`{text[at:].strip()}` is not allowed there")
        if match["before"] and match["behind"]:
            raise MeasureError(f"`{match[0].strip()}` has two factors")
        factor = Decimal(match["before"] or match["behind"] or 1)
        zone, dot, field = match["name"].rpartition(".")
        if dot and fields is not None and zone not in zones:
            raise MeasureError(f"there is no zone `{zone}`")
        if fields is not None and field not in {*fields, CARDS}:
            raise MeasureError(f"no kind of card has a field `{field}` with numbers")
        sign = -1 if match["sign"] == "-" else 1
        parts.append(MeasureTerm(sign * factor, field, zone or None))
        at = match.end()
    if not parts:
        raise MeasureError("it is empty")
    return Measure(" ".join(text.split()), tuple(parts))


CONDITION = Value(
    pattern=WHERE_PATTERN,
    words="conditions such as `level>1 and costs<5` or `level=3 or class='Old Guard'`",
)


@bound
class Zone(NamedTuple):
    """A part of a deck; a card goes to the first zone that admits it.

    Attributes:
        back: None for that of group or kind.
        main: whether it is the main deck, for programs that have one and a sideboard.
    """

    id: str = OWN_ID
    name: str = PRINTED_NAME
    source: Source = SOURCE
    where: Where = attr(
        "admits only cards for which this holds", CONDITION, convert=parse_where, default=()
    )
    back: str | None = attr("the template of the back that all its cards share", NAME)
    main: bool = attr(
        "`true` for the main deck in programs with a sideboard (default: the first zone "
        "without a condition)",
        default=False,
    )
    audience: Audience = same_element(Audience())


Bound = Literal["min", "max", "exactly"]


RESTRICTION = "restriction"
"""The field name that conditions use for a card's restriction, such as "banned"."""
_NUMBER_PATTERN = r"\s*(?:0*[0-9]{1,4}|\{\{[^{}]*\}\})\s*"
_NUMBER = Value(
    pattern=_NUMBER_PATTERN,
    words="a whole number from 0 to 9999, or a formula such as `{{ identity.influence + 2 }}`",
)


def _parse_bound(text: str) -> Number | None:
    """Return a number, None if it is switched off or invalid; a check reports the latter."""
    try:
        return None if text == "off" else parse_number(text)
    except FormulaError:
        return None


@bound
class Exemption(NamedTuple):
    """Cards that the limit does not count while the deck has enough others.

    A solver needs a binary variable for each value of `same`. Other cards have another name.
    """

    where: Where = attr("the cards that it applies to", CONDITION, convert=parse_where)
    min: int = attr("how many copies of cards with other names it needs")
    other_cards: Where = attr(
        "which other cards count (default: all)", CONDITION, "others", (), convert=parse_where
    )
    same: str | None = attr("the field in which they must match the card", ID)


@bound
class Limit(NamedTuple):
    """A limit that decks must keep to.

    Its count is linear in the copies of each card, and so are its bounds if they are fixed or refer
    to the deck without `//` and comparisons. Conditions that refer to the cards of a zone can be
    evaluated once these are chosen. For a solver, `distinct` needs a binary variable for each
    value, and so does each exemption.

    Attributes:
        decks: the ids of the factions whose decks it applies to; all if empty.
        warning: whether a violation is only a warning.
        exemptions: cards not counted while the deck has enough others.
    """

    id: str = OWN_ID
    name: str = attr("its name in messages and print", NAME)
    zone: str = attr("the zone whose cards it counts", ID)
    source: Source = SOURCE
    where: Where = attr(
        "counts only cards for which this holds", CONDITION, convert=parse_where, default=()
    )
    sum: str | None = attr("adds up this field instead of counting copies", ID)
    distinct: str | None = attr("counts the different values of this field instead of copies", ID)
    per: str | None = attr("applies to each value of this field separately", ID)
    own_faction: bool = attr(
        "`own`: cards must be of the deck's main faction",
        one_of(("own", "of the deck's main faction only")),
        "faction",
        convert="own".__eq__,
        default=False,
    )
    decks: tuple[str, ...] = attr(
        "applies only to decks of these factions: ids, separated by commas", NAME, default=()
    )
    min: Number | None = attr("the least allowed", _NUMBER, convert=_parse_bound)
    max: Number | None = attr("the most allowed", _NUMBER, convert=_parse_bound)
    exactly: Number | None = attr("the only number allowed", _NUMBER, convert=_parse_bound)
    warning: bool = attr(
        "whether breaking it stops the deck from printing",
        one_of("error", "warning"),
        "severity",
        convert="warning".__eq__,
        default=False,
    )
    exemptions: tuple[Exemption, ...] = elements("free", 0, _MAX_EXEMPTIONS, default=())

    @property
    def counts_copies(self) -> bool:
        """True if the limit counts all copies of its zone and nothing else."""
        return not (self.where or self.sum or self.distinct or self.per or self.exemptions)

    @property
    def conditions(self) -> Where:
        """All its conditions, including those of its exemptions."""
        inner = (group for each in self.exemptions for group in (*each.where, *each.other_cards))
        return (*self.where, *inner)

    def references(self) -> Iterator[Reference]:
        """Yield the references to the deck in its conditions and bounds."""
        yield from references_in(self.conditions)
        for number in (self.min, self.max, self.exactly):
            if isinstance(number, Formula):
                yield from number.references()

    @property
    def required_zones(self) -> frozenset[str]:
        """The zones whose cards must be known before the limit can be evaluated."""
        return frozenset(zone for zone, field in self.references() if field != CARDS)

    @property
    def is_fixed(self) -> bool:
        """True if the limit is the same for every deck and date."""
        return not self.uses_restrictions and next(self.references(), None) is None

    @property
    def uses_restrictions(self) -> bool:
        """True if its conditions depend on the list of restrictions in force."""
        return any(each.field == RESTRICTION for group in self.conditions for each in group)

    @property
    def bound(self) -> Bound | None:
        """The bound that a single new value replaces; None if the limit has no number."""
        bounds: tuple[Bound, ...] = ("exactly", "max", "min")
        for name in bounds:
            if getattr(self, name) is not None:
                return name
        return None

    def with_value(self, value: Number) -> Self:
        """Return the limit with `value` as its number; raise a ValueError if it has none."""
        if self.bound is None:
            raise ValueError(f"the limit `{self.id}` has no number, so it can only be switched off")
        changes: dict[str, Any] = {self.bound: value}
        return self._replace(**changes)


@bound
class _Change(NamedTuple):
    """A change to a limit; None switches it off."""

    limit: str = attr("the id of a limit", ID)
    value: Number | None = attr(
        "its number in this format, or `off`",
        Value(pattern=f"off|{_NUMBER_PATTERN}", words="a number as in limits, or `off`"),
        required=True,
        convert=_parse_bound,
    )


@bound
class Format(NamedTuple):
    """A named set of changes to the limits."""

    id: str = OWN_ID
    name: str = PRINTED_NAME
    is_default: bool = attr(
        "`true` for the format of decks that name none", name="default", default=False
    )
    changes: Mapping[str, Number | None] = elements(
        "set", 0, MAX_MANY, "", of=_Change, convert=dict
    )


@bound
class Opening(NamedTuple):
    """The hand that players begin with, for odds and sample hands.

    Attributes:
        zone: None for the main deck.
        redraws, mulligans: cards that are replaced are shuffled back once the new ones are drawn.
    """

    hand: int = attr("how many cards are drawn", Value(kind="integer", minimum=1))
    zone: str | None = attr("the zone that they are drawn from (default: the main deck)", ID)
    redraws: int = attr(
        "how many of them may be replaced once, and are then shuffled back (default: none)",
        default=0,
    )
    mulligans: int = attr(
        "how often the whole hand may be shuffled back and drawn again (default: never)", default=0
    )
    draws: int = attr("how many cards are drawn in each turn (default: none)", default=0)
