"""Check the names, pictures and texts of cards, and the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deckwright.base.files import path_exists
from deckwright.base.findings import Code, Diagnostic, Severity, format_names, nearest_hint
from deckwright.base.strings import ends_in_mark
from deckwright.checks import card_check, deck_check, design_check, game_check
from deckwright.checks.references import check_rule_names
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FieldValue, parts_of
from deckwright.game.model import GENERAL_LABEL, Card, Deck, Game
from deckwright.game.pictures import find_missing_pictures
from deckwright.game.words import T021, find_stray_braces
from deckwright.xmlio.node import Source

R029 = Code("R029", Severity.WARNING, "two cards with the same name in a faction")
R035 = Code("R035", Severity.ERROR, "two cards that the game wants to differ")


@design_check
def check_names(game: Game) -> Iterator[Diagnostic]:
    """Names are unique within a faction; reprints are reported together."""
    pairs = [*_find_duplicates(game)]
    if pairs:
        card, first = pairs[0]
        message = f"card `{card.id}` has the same name as card `{first.id}`, `{card.name}`"
        if more := [other.id for other, _ in pairs[1:]]:
            message += f"; the same applies to {format_names(more)}"
        yield R029.at(
            card.source.at("name"),
            message,
            "rename one of them; if they are reprints, put "
            '`<severity code="R029" is="off"/>` in `severities` of game.xml',
        )


@design_check
def check_unique(game: Game) -> Iterator[Diagnostic]:
    """Cards of a kind differ in the attributes of `unique`."""
    for card, first in _find_duplicates(game, unique=True):
        what = " and ".join(card.kind.unique)
        message = f"card `{card.id}`, `{card.name}`, is like card `{first.id}` in {what}"
        yield R035.at(card.source.at("name"), message, "rename one of them")


def _find_duplicates(game: Game, *, unique: bool = False) -> Iterator[tuple[Card, Card]]:
    """Yield cards that duplicate others, each with the first of them.

    Cards shared with another faction are only compared there.

    Args:
        unique: whether to compare the kinds with an attribute `unique`, or all others.
    """
    first: dict[tuple[str, ...], Card] = {}
    for card in game.cards.values():
        faction = game.factions.get(card.faction_id)
        if (faction and faction.cards_of) or bool(card.kind.unique) != unique:
            continue
        values = {
            "name": card.name,
            "faction": card.faction_id,
            "race": faction.race if faction else "",
        }
        key = tuple(values[name] for name in card.kind.unique or ("name", "faction"))
        other = first.setdefault((card.kind.tag if unique else "", *key), card)
        if other is not card:
            yield card, other


R033 = Code("R033", Severity.WARNING, "cards that have no picture yet")
R020 = Code("R020", Severity.WARNING, "two cards of a faction with the same picture")


@game_check
def check_pictures(game: Game) -> Iterator[Diagnostic]:
    """Cards of a faction have different pictures."""
    first: dict[tuple[str, str, tuple[FieldValue, ...]], Card] = {}
    shown = {kind.tag: [f for f in kind.fields if f.picture] for kind in game.setup.kinds.values()}
    for card in game.cards.values():
        fields = shown[card.kind.tag]
        picture = tuple(card.fields[field.name] for field in fields)
        if all(value == card.fallback(field) for field, value in zip(fields, picture, strict=True)):
            continue
        known = first.setdefault((card.kind.tag, card.faction_id, picture), card)
        if known is not card:
            alike = ", ".join(
                f"{field.name} `{value}`"
                for field, value in zip(fields, picture, strict=True)
                if value is not None
            )
            message = f"card `{card.id}` has the same picture as card `{known.id}`: {alike}"
            yield R020.at(card.source.at(), message, "give one of them another picture")


@design_check
def check_missing_art(game: Game) -> Iterator[Diagnostic]:
    """All pictures that are searched for exist; one finding a field lists the cards without."""
    cards = [*game.cards.values(), *game.tokens()]
    lacking = [(card, field) for card in cards for field in find_missing_pictures(card)]
    for kind in game.setup.kinds.values():
        for field in kind.fields:
            names = [c.id for c, lacks in lacking if c.kind is kind and lacks is field]
            if names and field.source is not None:
                everyone = sum(card.kind is kind for card in cards)
                have = "has" if len(names) == 1 else "have"
                yield R033.at(
                    field.source.at("find"),
                    f"{len(names)} of {everyone} `{kind.tag}` {have} no {field.name} yet: "
                    f"{format_names(names, at_most=_MAX_LISTED)}",
                    f"put it into `img`, as `{field.find}` says",
                )


_MAX_LISTED = 60


_BOLD, _ITALIC = "write `*bold*`", "write `_italic_`"
_STRUCK, _LIST = "write `~~struck through~~`", "begin the lines with `- `"
_MARKUP_HINTS = {
    "b": _BOLD,
    "strong": _BOLD,
    "i": _ITALIC,
    "em": _ITALIC,
    "br": "write `&#10;` for a new line",
    "p": "write `&#10;` for a new paragraph",
    "u": "write `++underlined++`",
    "s": _STRUCK,
    "del": _STRUCK,
    "strike": _STRUCK,
    "ul": _LIST,
    "li": _LIST,
    "list": _LIST,
    "item": _LIST,
    "tspan": "write `{fill:red}…{/fill}`",
    "icon": "write `{icon:sword}`",
}
_LONE_STAR = re.compile(r"(?<![\w*\\])\*(?=[^\W_])(?![^*\n]*\*)\w+")
"""A star that begins a word, as bold text does, without another one after it."""
_TAG = re.compile(rf"</?({'|'.join(_MARKUP_HINTS)})(?:\s[^<>]*)?/?>", re.IGNORECASE)


@card_check
def check_card_texts(game: Game, card: Card) -> Iterator[Diagnostic]:
    """The name and texts of a card have no stray braces or tags."""
    texts = [("name", card.name, card.source)]
    for field, value, source in card.iter_values("text"):
        texts += [(field.name, p, source) for p in parts_of(value) if isinstance(p, str)]
    yield from _check_texts(game, f"{card.kind.tag} `{card.id}`", texts)


@game_check
def check_rule_texts(game: Game) -> Iterator[Diagnostic]:
    """The texts and names of a rule have no stray braces or tags."""
    for rule in game.rules.values():
        texts = [("effect", rule.effect, rule.source)]
        if rule.brief is not None:
            texts.append(("brief", rule.brief, rule.source))
        texts += [(race, label, rule.label_sources[race]) for race, label in rule.labels.items()]
        yield from _check_texts(game, f"rule `{rule.id}`", texts)


def _check_texts(
    game: Game, called: str, texts: Iterable[tuple[str, str, Source]]
) -> Iterator[Diagnostic]:
    for name, value, source in texts:
        if "{" not in value and "<" not in value and "*" not in value:
            continue
        place = source.at(name)
        # To Python, vowel signs and the like are no part of words.
        stars = _LONE_STAR.finditer(value)
        if star := next((s for s in stars if not ends_in_mark(value[: s.start()])), None):
            message = f"{called}: `{name}` has `{star[0]}`, whose star is printed as it is"
            yield T021.at(place, message, r"close the bold text with another `*`, or write `\*`")
        if "{" in value:
            finding = find_stray_braces(value, game.setup.symbols, place, f"{called}: `{name}`")
            if finding is not None:
                yield finding
        if "<" in value and (tag := _TAG.search(value)):
            message = f"{called}: `{name}` has `{tag[0]}`, which is printed as it is"
            yield T021.at(place, message, _MARKUP_HINTS[tag[1].lower()])


R009 = Code("R009", Severity.ERROR, "an active rule without a cost")
R010 = Code("R010", Severity.ERROR, "a passive rule with a cost")
R036 = Code("R036", Severity.WARNING, "a faction without cards")
R037 = Code("R037", Severity.WARNING, "an active rule that costs nothing")
R038 = Code("R038", Severity.WARNING, "a rule without a name")
R015 = Code("R015", Severity.WARNING, "a label for a race that no faction has")


@game_check
def check_costs(game: Game) -> Iterator[Diagnostic]:
    """Active rules have a cost, passive rules have none."""
    for rule in game.rules.values():
        if rule.active and rule.cost is None:
            message = f"the active rule `{rule.id}` has no cost"
            hint = 'add `cost="1"` with what it costs, or make it passive'
            yield R009.at(rule.source.at(), message, hint)
        elif rule.active and rule.cost == 0:
            message = f"the active rule `{rule.id}` costs 0 actions"
            hint = "write what it costs, or make it passive"
            yield R037.at(rule.source.at("cost"), message, hint)
        elif not rule.active and rule.cost is not None:
            message = f"the passive rule `{rule.id}` has a cost of {rule.cost}"
            yield R010.at(rule.source.at("cost"), message, "remove `cost`, or make the rule active")


@game_check
def check_labels(game: Game) -> Iterator[Diagnostic]:
    """Rules have labels, and these are for races of the game or for all."""
    if game.omissions.factions:
        return  # the race may be that of an omitted faction
    races = {faction.race for faction in game.factions.values()}
    for rule in game.rules.values():
        if not rule.labels:
            hint = f'write it, such as `<label {GENERAL_LABEL}="…"/>` for all races'
            yield R038.at(rule.source.at(), f"rule `{rule.id}` has no name", hint)
        for race in rule.labels:
            if race != GENERAL_LABEL and race not in races:
                message = f"rule `{rule.id}` has a label for `{race}`, a race that no faction has"
                near = nearest_hint(race, [*races, GENERAL_LABEL])
                yield R015.at(rule.label_sources[race].at(race), message, near)


@design_check
def check_faction_cards(game: Game) -> Iterator[Diagnostic]:
    """Each faction has a card file, or cards in tables."""
    having = {card.faction_id for card in (*game.cards.values(), *game.stubs.values())}
    for faction in game.factions.values():
        name = faction.cards_of or faction.id
        if name not in game.factions:  # reported by another check
            continue
        if not {faction.id, name} & {*having, *game.omissions.cards} and not path_exists(
            GameFolder(game.folder).cards_file(name)
        ):
            message = f"faction `{faction.id}` has no cards"
            hint = f"write them in xml/Factions/{name}_cards.xml, or remove the faction"
            yield R036.at(faction.source.at("id"), message, hint)


@game_check
def check_token_names(game: Game) -> Iterator[Diagnostic]:
    """The rules of a token have names for all races whose cards create it."""
    by_race: dict[str, dict[str, None]] = {}
    for card in game.cards.values() if game.tokens() else ():
        if card.faction_id in game.factions:
            rules = by_race.setdefault(game.factions[card.faction_id].race, {})
            rules |= dict.fromkeys(card.rule_ids())
    for race, rules in by_race.items():
        yield from _check_created_tokens(game, rules, race)


@deck_check
def check_deck_token_names(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """The rules of tokens created by cards of other factions have names for the deck's race."""
    if deck.faction_id in game.factions:
        guests = (e for e in deck.entries if e.faction_id != deck.faction_id)
        cards = [card for card in map(game.card_of, guests) if card]
        rules = {rule_id: None for card in cards for rule_id in card.rule_ids()}
        yield from _check_created_tokens(game, rules, game.factions[deck.faction_id].race)


def _check_created_tokens(game: Game, rules: Iterable[str], race: str) -> Iterator[Diagnostic]:
    """Check that rules of tokens have names for a race, also of tokens that these rules create."""
    reached = dict.fromkeys(rules)
    pending = [*reached]
    while pending:
        rule = game.rules.get(pending.pop())
        for token in rule.tokens if rule else ():
            yield from check_rule_names(game, token, race)
            new = [rule_id for rule_id in token.rule_ids() if rule_id not in reached]
            reached |= dict.fromkeys(new)
            pending += new
