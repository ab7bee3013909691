"""Lists of restrictions name cards, formats and words that there are."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.checks import design_check, game_check
from deckwright.game.deck_rules import RESTRICTION
from deckwright.game.model import Game, Restrictions
from deckwright.game.shapes import R016

R031 = Code("R031", Severity.ERROR, "a list of restrictions names a card that does not exist")
G006 = Code("G006", Severity.WARNING, "a word of a list of restrictions that no limit knows")
G007 = Code("G007", Severity.ERROR, "two lists of restrictions from the same day")


@design_check
def restricted_cards(game: Game) -> Iterator[Diagnostic]:
    """All cards that are restricted are defined."""
    for entry in (entry for restriction in game.restrictions for entry in restriction.entries):
        faction_id, card_id = entry.faction_id, entry.card_id
        if faction_id not in game.factions:
            if not game.may_have_faction(faction_id):
                message = f"there is no faction `{faction_id}`"
                hint = known_hint(faction_id, game.factions)
                yield R031.at(entry.source.at("faction_id"), message, hint)
        elif (faction_id, card_id) not in game.cards and not game.may_have(faction_id, card_id):
            message = f"there is no card `{card_id}` in faction `{faction_id}`"
            own = [name for faction, name in game.cards if faction == faction_id]
            yield R031.at(entry.source.at("id"), message, known_hint(card_id, own))


@game_check
def words(game: Game) -> Iterator[Diagnostic]:
    """Some limit asks for each word by which cards are restricted."""
    asked = {
        word
        for limit in game.setup.limits
        for group in limit.conditions
        for condition in group
        if condition.field == RESTRICTION
        for word in condition.values
    }
    for entry in (entry for restriction in game.restrictions for entry in restriction.entries):
        if entry.word not in asked and not game.setup.lacks("limit", ""):
            message = f"no limit in game.xml asks for cards that are `{entry.word}`"
            hint = f'add a limit with `where="restriction={entry.word}"`'
            if near := known_hint(entry.word, sorted(asked)) if asked else None:
                hint = near
            yield G006.at(entry.source.at("is"), message, hint)


@game_check
def days(game: Game) -> Iterator[Diagnostic]:
    """The formats of lists exist, and on one day a single list comes into force in a format."""
    formats = game.setup.formats
    before: dict[tuple[str, str], Restrictions] = {}
    for restriction in game.restrictions:
        for format_id in restriction.formats:
            if format_id not in formats and not game.setup.lacks("format", format_id):
                message = f"`{format_id}` is not a format of decks in game.xml"
                hint = known_hint(format_id, formats)
                yield R016.at(restriction.source.at("formats"), message, hint)
        for format_id in restriction.formats or formats or ("",):
            other = before.setdefault((restriction.since, format_id), restriction)
            if other is not restriction:
                place = f" in the format `{format_id}`" if format_id else ""
                name = other.source.path.name
                message = f"`{name}` also comes into force on {restriction.since}{place}"
                hint = "give one of them another day, or other formats"
                yield G007.at(restriction.source.at("from"), message, hint)
                break
