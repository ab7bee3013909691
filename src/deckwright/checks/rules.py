"""Rules must be sound in themselves."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, nearest_hint
from deckwright.checks import game_check
from deckwright.game.model import GENERAL, Game

R009 = Code("R009", Severity.ERROR, "an active rule without a cost")
R010 = Code("R010", Severity.ERROR, "a passive rule with a cost")
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
        for race in rule.labels:
            if race != GENERAL and race not in races:
                yield R015.at(
                    rule.label_sources[race].at(race),
                    f"rule `{rule.id}` has a label for `{race}`, a race that no faction has",
                    nearest_hint(race, [*races, GENERAL]),
                )
