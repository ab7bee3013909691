"""Check decks against the limits of their format, which are data in `game.xml`.

With `per="name"`, two ids with the same name count as one card. Tokens are never counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from deckwright.base.findings import (
    Code,
    Diagnostic,
    Labels,
    Location,
    Report,
    Severity,
    Translation,
    cap_findings,
    format_names,
    known_hint,
)
from deckwright.base.units import format_number, round_number
from deckwright.checks import design_check, game_check
from deckwright.checks.counting import (
    Bounds,
    DeckLine,
    DeckRules,
    LimitCounter,
    count_total,
    value_of,
)
from deckwright.game.deck_rules import CARDS, Bound, Format, Limit, Number, references_in
from deckwright.game.decklist import format_of
from deckwright.game.model import Deck, Game
from deckwright.game.setup import Setup
from deckwright.game.setup_checks import check_terms
from deckwright.game.words import describe_bounds, fill_in, has_own_words, language_of

D001 = Code("D001", Severity.ERROR, "too few cards in a deck")
D002 = Code("D002", Severity.ERROR, "too many copies of a card in a deck")
D003 = Code("D003", Severity.ERROR, "a sum over the cards of a deck is too high")
D004 = Code("D004", Severity.ERROR, "too many cards in a deck")
D005 = Code("D005", Severity.ERROR, "a card of another faction in a deck")
D006 = Code("D006", Severity.ERROR, "the wrong number of cards in a zone of a deck")
D007 = Code("D007", Severity.ERROR, "a sum over the cards of a deck is too low")
D008 = Code("D008", Severity.ERROR, "a card that no zone of a deck takes")
D009 = Code("D009", Severity.WARNING, "a deck limit that is only a warning is broken")


def resolve_deck_rules(
    game: Game,
    deck: Deck,
    format_id: str | None,
    changes: Mapping[str, int | None],
    date: str | None = None,
) -> DeckRules:
    """Return the rules of a deck, with another format, other numbers, and as of a date."""
    chosen = game.setup.formats[format_id] if format_id else format_of(game, deck)
    limits = select_limits(game.setup, deck.faction_id, chosen, changes)
    return DeckRules(limits, game.restrictions_for(chosen.id if chosen else None, date))


def select_limits(
    setup: Setup, faction_id: str, form: Format | None, changes: Mapping[str, Number | None]
) -> tuple[Limit, ...]:
    """Return the limits for the decks of a faction in a format, with further changes."""
    limits = {limit.id: limit for limit in setup.limits}
    for limit_id, value in {**(form.changes if form else {}), **changes}.items():
        if limit_id not in limits and setup.may_lack("limit", limit_id):
            continue
        limit = limits[limit_id]
        if value is None:
            del limits[limit_id]
        else:
            limits[limit_id] = limit.with_value(value)
    return tuple(limit for limit in limits.values() if not limit.decks or faction_id in limit.decks)


def check_limits(game: Game, deck: Deck, deck_rules: DeckRules, report: Report) -> None:
    """Check a deck against its rules."""
    tally = LimitCounter(game, deck, deck_rules)
    report.extend(cap_findings(_check_zones(tally.lines), single_file=True))
    findings = (
        _check_limit(game, deck, limit, tally)
        for limit in deck_rules.limits
        if tally.applies(limit)
    )
    report.extend(cap_findings(chain.from_iterable(findings), single_file=True))


def _check_zones(lines: Iterable[DeckLine]) -> Iterator[Diagnostic]:
    for line in lines:
        if line.zone is None:
            wanted = line.entry.zone
            taker = f"zone `{wanted}` does not take" if wanted else "no part of the deck takes"
            hint = "remove it, or change `only` and `except` of a `zone` in game.xml"
            message = f"{taker} card `{line.card.id}` of faction `{line.card.faction_id}`"
            hint = "name another zone, or none" if wanted else hint
            yield D008.at(line.entry.source.at("zone" if wanted else None), message, hint)


def _check_limit(game: Game, deck: Deck, limit: Limit, tally: LimitCounter) -> Iterator[Diagnostic]:
    setup, zone = game.setup, game.setup.zone_name(limit.zone)
    in_english = language_of(setup) == "en"
    for value, lines in tally.group_lines(limit).items():
        findings = []
        for line in lines if limit.own_faction else ():
            if line.card.faction_id != deck.faction_id:
                finding = D005.at(
                    line.entry.source.at("faction_id"),
                    f"card `{line.card.id}` is of faction `{line.card.faction_id}`, but in "
                    f"`{zone if in_english else limit.zone}` of this deck only "
                    f"`{deck.faction_id}` is allowed",
                    f"remove it, or allow it with `--limit {limit.id}=off`",
                )
                fact = f"{zone}: {line.card.name}, {limit.name} {line.card.faction_id}"
                findings.append(_add_translation(finding, setup, limit, fact, "off"))
        total = count_total(limit, lines)
        fact = f"{zone}: {format_number(total, setup.language)} {limit.name}"
        what = f"{zone}: {total} {limit.name}"
        if not in_english:
            # English messages use ids, not the game's words in another language.
            counted = f"`{limit.sum}`" if limit.sum else "copies"
            counted = f"different `{limit.distinct}`" if limit.distinct else counted
            what = f"`{limit.zone}`: {total} {counted}"
            what += f" that limit `{limit.id}` counts" if limit.where and not limit.per else ""
        if limit.per:
            fact, what = f"{fact} ({value})", f"{what} of `{value}`"
        settled, bounds = tally.resolve_limit(limit), tally.resolve_bounds(limit)
        for bound, finding in _check_numbers(deck, settled, bounds, what, total, lines):
            # The nearest whole number that would allow the total.
            nearest = math.floor(total) if bound == "min" else math.ceil(total)
            allowed = str(nearest) if bound == limit.bound else "off"
            origins = list(_explain_values(limit, tally))
            explained = finding._replace(
                message="; ".join([finding.message, *(english for english, _ in origins)]),
                hint=f"{finding.hint}, or allow it with `--limit {limit.id}={allowed}`",
            )
            shorts = [short for _, short in origins]
            findings.append(_add_translation(explained, setup, settled, fact, allowed, shorts))
        for finding in findings:
            yield finding._replace(code=D009) if limit.warning else finding


def _explain_values(limit: Limit, tally: LimitCounter) -> Iterator[tuple[str, str]]:
    """Yield where the values of a limit come from: in English, and without words."""
    for reference in dict.fromkeys(limit.references()):
        numeric = reference not in references_in(limit.conditions)
        values = (
            (str(tally.resolve_number(reference)),) if numeric else tally.resolve_values(reference)
        )
        value = ", ".join(values)
        cards = {line.card.id for line in tally.lines_of(reference)}
        single = len(cards) == 1 and reference.field != CARDS
        from_card = f", from card `{cards.pop()}`" if single else ""
        yield f"`{reference}` is {value or 'empty'}{from_card}", f"{reference}: {value}"
    in_force = tally.deck_rules.restrictions
    if limit.uses_restrictions and in_force is not None:
        file = in_force.source.path.name
        yield f"by `{file}` of {in_force.since}", f"{in_force.name}, {in_force.since}"


def _check_numbers(
    deck: Deck, limit: Limit, bounds: Bounds, what: str, total: float, lines: list[DeckLine]
) -> Iterator[tuple[Bound, Diagnostic]]:
    """Yield the violated bounds with findings in English."""
    least, most, exactly = bounds
    if exactly is not None and total != exactly:
        needed = f"exactly {_count_with_verb(exactly)} needed" if exactly else "none are allowed"
        place = _locate(deck, lines if total > exactly else [])
        hint = _suggest_change(limit, exactly - total)
        yield "exactly", D006.at(place, f"{what}, {needed}", hint)
    if most is not None and total > most:
        code = D003 if limit.sum else D002 if limit.per else D004
        if most <= 0 and limit.where and not limit.per:
            what += f" ({format_names(dict.fromkeys(line.card.id for line in lines))})"
        allowed = f"at most {_count_with_verb(most)}" if most > 0 else "none are"
        place = _locate(deck, [] if limit.sum else lines)
        hint = _suggest_change(limit, most - total)
        yield "max", code.at(place, f"{what}, {allowed} allowed", hint)
    if least is not None and total < least:
        message = f"{what}, at least {_count_with_verb(least)} needed"
        hint = _suggest_change(limit, least - total)
        yield "min", (D007 if limit.sum else D001).at(_locate(deck, []), message, hint)


def _add_translation(
    finding: Diagnostic,
    setup: Setup,
    limit: Limit,
    fact: str,
    value: str,
    origins: Iterable[str] = (),
) -> Diagnostic:
    """Add a translation of the fact, and of the value that would do, if the game has the words."""
    language = language_of(setup)
    if not has_own_words(language, setup.words):
        return finding
    message = "; ".join([f"{fact}, {describe_bounds(setup.words, limit)}", *origins])
    hint = fill_in(setup.words["allow"], f"`--limit {limit.id}={value}`")
    labels = Labels(*(setup.words[field] for field in Labels._fields))
    translation = Translation(language, message, hint, labels)
    return finding._replace(translation=translation)


def _locate(deck: Deck, lines: list[DeckLine]) -> Location:
    """Return the place of the last counted line, or of the deck's meta element."""
    if not lines:
        return deck.source.at()
    return max((line.entry.source for line in lines), key=lambda source: source.ordinal).at()


def _count_with_verb(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"


def _suggest_change(limit: Limit, difference: float) -> str:
    """Return the hint to change a total by a difference."""
    if limit.sum:
        return (
            f"{'raise' if difference > 0 else 'lower'} the sum by {round_number(abs(difference))}"
        )
    return f"{'add' if difference > 0 else 'remove'} {round_number(abs(difference))}"


G004 = Code("G004", Severity.ERROR, "a limit for the decks of a faction that does not exist")


@game_check
def check_limit_factions(game: Game) -> Iterator[Diagnostic]:
    """The factions in `decks` of a limit exist."""
    for limit in game.setup.limits:
        for faction_id in limit.decks:
            if not game.may_have_faction(faction_id):
                yield G004.at(
                    limit.source.at("decks"),
                    f"the limit `{limit.id}` applies to decks of the faction `{faction_id}`, "
                    "which the factions file does not define",
                    known_hint(faction_id, game.factions),
                )


G010 = Code("G010", Severity.WARNING, "a condition with a value that no card has")
_MAX_WORDS = 30
"""The longest text that names something, in characters."""


@design_check
def check_condition_values(game: Game) -> Iterator[Diagnostic]:
    """The conditions of zones and limits name values that cards can have."""
    known: dict[str, dict[str, None]] = {"faction_id": dict.fromkeys(game.factions)}
    texts = {f.name for kind in game.setup.card_kinds for f in kind.fields if f.type == "text"}
    for field in ("id", "name", "kind", *texts):
        values = (value_of(card, field) for card in game.cards.values())
        known[field] = {value: None for value in values if isinstance(value, str)}
        if field in texts and any(len(value) > _MAX_WORDS for value in known[field]):
            del known[field]  # prose, not classes of cards
    parts = [(f"zone `{zone.id}`", zone.where, zone.source) for zone in game.setup.zones]
    parts += [(f"limit `{one.id}`", one.conditions, one.source) for one in game.setup.limits]
    for name, where, source in parts:
        for problem, hint in check_terms(where, game.setup, known):
            yield G010.at(source.at("where"), f"{name}: {problem}", hint)
