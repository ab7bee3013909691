"""Rules must be sound in themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.base.files import is_there
from deckwright.base.findings import Code, Diagnostic, Severity, nearest_hint
from deckwright.checks import deck_check, design_check, game_check
from deckwright.checks.card_references import unnamed_rules
from deckwright.game.folder import GameFolder
from deckwright.game.model import GENERAL, Deck, Game

R009 = Code("R009", Severity.ERROR, "an active rule without a cost")
R010 = Code("R010", Severity.ERROR, "a passive rule with a cost")
R036 = Code("R036", Severity.WARNING, "a faction without cards")
R037 = Code("R037", Severity.WARNING, "an active rule that costs nothing")
R038 = Code("R038", Severity.WARNING, "a rule without a name")
R015 = Code("R015", Severity.WARNING, "a label for a race that no faction has")


@game_check
def costs(game: Game) -> Iterator[Diagnostic]:
    """Active rules have a cost, passive ones have none."""
    for rule in game.rules.values():
        if rule.active and rule.cost is None:
            yield R009.at(
                rule.source.at(),
                f"the active rule `{rule.id}` has no cost",
                'add `cost="1"` with the number of actions that it costs, or make it passive',
            )
        elif rule.active and rule.cost == 0:
            yield R037.at(
                rule.source.at("cost"),
                f"the active rule `{rule.id}` costs 0 actions",
                "write what it costs, or make it passive",
            )
        elif not rule.active and rule.cost is not None:
            yield R010.at(
                rule.source.at("cost"),
                f"the passive rule `{rule.id}` has a cost of {rule.cost}",
                "remove `cost`, or make the rule active",
            )


@game_check
def labels(game: Game) -> Iterator[Diagnostic]:
    """A label is for a race of the game, or for all."""
    if game.gaps.factions:
        return  # the race may be one of theirs
    races = {faction.race for faction in game.factions.values()}
    for rule in game.rules.values():
        if not rule.labels:
            hint = f'write it, such as `<label {GENERAL}="…"/>` for all races'
            yield R038.at(rule.source.at(), f"rule `{rule.id}` has no name", hint)
        for race in rule.labels:
            if race != GENERAL and race not in races:
                yield R015.at(
                    rule.label_sources[race].at(race),
                    f"rule `{rule.id}` has a label for `{race}`, a race that no faction has",
                    nearest_hint(race, [*races, GENERAL]),
                )


@design_check
def cards_of_factions(game: Game) -> Iterator[Diagnostic]:
    """A faction has a file of cards, or cards in tables."""
    having = {card.faction_id for card in (*game.cards.values(), *game.stubs.values())}
    for faction in game.factions.values():
        name = faction.cards_of or faction.id
        if name not in game.factions:  # which is reported where the name stands
            continue
        if not {faction.id, name} & {*having, *game.gaps.cards} and not is_there(
            GameFolder(game.folder).cards_file(name)
        ):
            message = f"faction `{faction.id}` has no cards"
            hint = f"write them in xml/Factions/{name}_cards.xml, or remove the faction"
            yield R036.at(faction.source.at("id"), message, hint)


@game_check
def token_names(game: Game) -> Iterator[Diagnostic]:
    """The rules of a token have a name for each race whose cards create it."""
    by_race: dict[str, dict[str, None]] = {}
    for card in game.cards.values() if game.tokens() else ():
        if card.faction_id in game.factions:
            rules = by_race.setdefault(game.factions[card.faction_id].race, {})
            rules |= dict.fromkeys(card.rule_ids())
    for race, rules in by_race.items():
        yield from _unnamed_of_tokens(game, rules, race)


@deck_check
def token_names_in_decks(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """They have one for the race of a deck, too, whose guests of other races may create it."""
    if deck.faction_id in game.factions:
        guests = (e for e in deck.entries if e.faction_id != deck.faction_id)
        cards = [card for card in map(game.card_of, guests) if card]
        rules = {rule_id: None for card in cards for rule_id in card.rule_ids()}
        yield from _unnamed_of_tokens(game, rules, game.factions[deck.faction_id].race)


def _unnamed_of_tokens(game: Game, rules: Iterable[str], race: str) -> Iterator[Diagnostic]:
    """Yield findings about rules of tokens that have no name for a race.

    Args:
        rules: those on cards that create tokens, whose own rules may create more.
    """
    reached = dict.fromkeys(rules)
    pending = [*reached]
    while pending:
        rule = game.rules.get(pending.pop())
        for token in rule.tokens if rule else ():
            yield from unnamed_rules(game, token, race)
            new = [rule_id for rule_id in token.rule_ids() if rule_id not in reached]
            reached |= dict.fromkeys(new)
            pending += new
