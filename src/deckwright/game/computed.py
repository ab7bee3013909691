"""Fields that `game.xml` works out: `value="{{ strength + costs }}"`.

An expression sees all that templates see of its card, by their names: fields, `faction`, `rules`.
Fields are worked out one after the other, each for all cards before the next, so that an expression
may use those before it, of other cards too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Code, Report, Severity, capped
from deckwright.base.numbers import plain
from deckwright.game.context import Context, Contexts
from deckwright.game.kinds import Expression, Field, FieldValue, Kind
from deckwright.game.model import Card, Game, Rule
from deckwright.game.setup import Setup
from deckwright.game.values import shape_of, typed
from deckwright.xmlio.shape import Value

if TYPE_CHECKING:
    from jinja2 import Template as Program

    from deckwright.expressions.expressions import Expressions

G008 = Code("G008", Severity.ERROR, "a field that cannot be worked out")

_LONGEST = 50_000
"""The most characters that the value of a field may have."""
_SHOWN = 60


class _Todo(NamedTuple):
    """A field to work out, and how."""

    kind: Kind
    field: Field
    value: Expression
    run: Callable[[Mapping[str, object]], str]
    names: frozenset[str]


def with_computed(game: Game, report: Report) -> Game:
    """Return a game whose cards have the fields that `game.xml` works out."""
    if not any(field.value for kind in game.setup.kinds.values() for field in kind.fields):
        return game
    from deckwright.expressions.expressions import Expressions  # noqa: PLC0415 - imports Jinja

    expressions = Expressions(game.folder / "img", language=game.setup.language)
    base = Contexts(game).base()
    findings: Report = []
    steps = [s for kind in game.setup.kinds.values() for s in _steps(kind, expressions, findings)]
    left = {(step.kind.tag, step.field.name) for step in steps}
    for step in steps:
        game = _worked_out(game, step, Contexts(game, left), base, findings)
        left.discard((step.kind.tag, step.field.name))
    report.extend(capped(findings, of_one_file=True))
    return game


def _steps(kind: Kind, expressions: Expressions, report: Report) -> Iterator[_Todo]:
    """Yield the fields of a kind to work out, in order; report those that cannot be."""
    from deckwright.expressions.reasons import SyntaxMistakeError  # noqa: PLC0415 - as above

    later = {field.name for field in kind.fields if field.value}
    for field in kind.fields:
        value = field.value
        if value is None:
            continue
        place, grammar = value.source.at("value"), expressions.grammar()
        try:
            code = expressions.compile(expressions.value(value.text, grammar))
        except SyntaxMistakeError as error:
            message = f"the value of the field `{field.name}` cannot be read: {error.message}"
            hint = error.hint or "write expressions as `{{ strength + costs }}`"
            report.append(G008.at(place, message, hint))
            continue
        finally:
            used = later & grammar.known
            later.discard(field.name)
        if used:
            report.append(G008.at(place, *_too_early(field.name, min(used))))
            continue
        run = partial(_run, expressions, expressions.program(code))
        yield _Todo(kind, field, value, run, frozenset(grammar.known))


def _run(expressions: Expressions, program: Program, context: Mapping[str, object]) -> str:
    return expressions.run(program, context, _LONGEST)


def _too_early(name: str, used: str) -> tuple[str, str]:
    """Return that a field uses one that is not worked out before it, and what to do."""
    if name == used:
        return f"the field `{name}` is worked out of itself", "name other fields"
    message = f"the field `{name}` is worked out of `{used}`, which stands behind it"
    return message, f"put `{used}` before `{name}`; two fields cannot be worked out of each other"


def _worked_out(game: Game, step: _Todo, contexts: Contexts, base: Context, report: Report) -> Game:
    """Return a game whose cards have one more of their fields."""
    shape = _shape(game.setup, step.field)

    def done(card: Card, faction_id: str) -> Card:
        if card.kind is not step.kind or not game.can_show(card, faction_id):
            return card
        seen = contexts.card(card, faction_id)
        value = _value(step, card, {**base, **seen, "card": seen}, shape, report)
        return card._replace(fields={**card.fields, step.field.name: value})

    if not step.kind.token:
        cards = {key: done(card, card.faction_id) for key, card in game.cards.items()}
        return game._replace(cards=cards)
    anyone = next(iter(game.factions), "")
    makers = {id(made.card): made.faction_id or anyone for made in game.printed()}

    def with_tokens(rule: Rule) -> Rule:
        tokens = tuple(done(token, makers[id(token)]) for token in rule.tokens)
        return rule._replace(tokens=tokens)

    rules = {rule_id: with_tokens(rule) for rule_id, rule in game.rules.items()}
    return game._replace(rules=rules)


def _shape(setup: Setup, field: Field) -> Value:
    named = setup.vocabularies.get(field.one.vocabulary or "")
    return shape_of(field, tuple((i, "") for i in named.terms) if named else ())


def _value(
    step: _Todo, card: Card, context: Mapping[str, object], shape: Value, report: Report
) -> FieldValue:
    """Return what a card has in a field, its default after reporting why it has nothing."""
    from deckwright.expressions.reasons import nearest_name, plain_reason  # noqa: PLC0415 - as above

    place, what = step.value.source.at("value"), f"{card.subject}: `{step.field.name}`"
    try:
        text = step.run(context)
    except Exception as error:  # noqa: BLE001 - whatever an expression can raise
        missing = sorted(name for name in step.names if context.get(name, 0) is None)
        hint = nearest_name(error, context)
        if missing:
            hint = f"`{missing[0]}` is not given; write `({missing[0]} or 0)`"
        message = f"{what} cannot be worked out: {plain_reason(error)}"
        report.append(G008.at(place, message, hint))
        return step.field.default
    text = _as_written(step.field, text)
    if not text and step.field.type != "text":
        return step.field.default
    if shape.accepts(text):
        return typed(step.field, text)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    hint = "round it, as in `{{ (costs / 2)|round|int }}`" if shape.kind == "integer" else None
    message = f"{what} must be {shape.says}, it is worked out as `{shown}`"
    report.append(G008.at(place, message, hint))
    return step.field.default


def _as_written(field: Field, text: str) -> str:
    """Return what an expression has printed as files write it."""
    text = text.strip()
    if field.type == "flag":
        return text.lower()
    if field.numeric:
        try:
            return plain(float(text))
        except ValueError:
            return text
    return text
