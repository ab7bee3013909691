"""What cards and tokens refer to must exist, and they must be allowed to use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from deckwright.base.files import belongs, files_below, inside, is_file
from deckwright.base.findings import Code, Diagnostic, Severity, known_hint, listed
from deckwright.base.names import found
from deckwright.checks import card_check
from deckwright.game.kinds import Audience, Field, FieldValue
from deckwright.game.model import Card, Game
from deckwright.xmlio.node import Source

R001 = Code("R001", Severity.ERROR, "an unknown faction")
R003 = Code("R003", Severity.ERROR, "an unknown rule")
R005 = Code("R005", Severity.WARNING, "an image that does not exist")
R006 = Code("R006", Severity.ERROR, "a rule without a name for the card's race")
R011 = Code("R011", Severity.ERROR, "a term that the card's faction may not use")
R012 = Code("R012", Severity.ERROR, "a token with an unknown rule")
R013 = Code("R013", Severity.ERROR, "a field that the card's faction may not have")
R017 = Code("R017", Severity.ERROR, "a path that leads out of the game's folder")
R018 = Code("R018", Severity.ERROR, "a value, such as a rule, that a card has twice")

_EITHER = {True, False}
_ANYBODY = Audience()
_MOST_FILES = 10_000
"""How many files of the folder of images are looked at for a name like one that is not there."""


@card_check
def faction(game: Game, card: Card) -> Iterator[Diagnostic]:
    """A card's faction must be defined."""
    if not card.kind.token and not game.may_have_faction(card.faction_id):
        yield R001.at(
            card.source.at("faction_id"),
            f"card `{card.id}` is of faction `{card.faction_id}`, "
            "which the factions file does not define",
            faction_hint(game, card.faction_id),
        )


def faction_hint(game: Game, faction_id: str) -> str | None:
    """Return what may be meant by a faction that is not there, or how a game gets any."""
    if all(each.source == game.setup.source for each in game.factions.values()):
        # There is no file of them, and tables have named these.
        line = f'<faction id="{faction_id}" race_name="…" faction_name="…" color="#335577"/>'
        return f"list them in xml/factions_definition.xml, between <data> and </data>: {line}"
    return known_hint(faction_id, game.factions)


@card_check
def rules(game: Game, card: Card) -> Iterator[Diagnostic]:
    """A card's rules must be defined, each once, and have a name for its race."""
    race = game.factions[card.faction_id].race if card.faction_id in game.factions else None
    for spec in card.kind.children:
        if not spec.holds_rules:
            continue
        for child in card.children[spec.tag]:
            rule_id = str(child.value)
            rule = game.rules.get(rule_id)
            if rule is None and game.gaps.rules.may_hold(rule_id):
                continue
            if rule is None:
                yield (R012 if card.kind.token else R003).at(
                    child.source.at(spec.fields[0].name),
                    f"{card.subject} uses rule `{rule_id}`, which rules.xml does not define",
                    known_hint(rule_id, game.rules, at_most=0),
                )
    if race is not None:
        yield from unnamed_rules(game, card, race)


def unnamed_rules(game: Game, card: Card, race: str) -> Iterator[Diagnostic]:
    """Yield findings about rules of a card or token that have no name for a race."""
    for spec in card.kind.children:
        for child in card.children[spec.tag] if spec.holds_rules else ():
            rule = game.rules.get(str(child.value))
            if rule is not None and rule.label(race) is None:
                others = listed(rule.labels) or "nobody"
                yield R006.at(
                    child.source.at(spec.fields[0].name),
                    f"{card.subject} of the race `{race}` uses rule `{rule.id}`, which has names "
                    f"only for {others}",
                    f'add `{race if race.isidentifier() else "GEN"}="…"` to the rule\'s label in '
                    "rules.xml, or use another rule",
                )


@card_check
def repetitions(_: Game, card: Card) -> Iterator[Diagnostic]:
    """A card has each of its rows and rules once. Children of several fields may be alike.

    So may numbers of a list be, and texts.
    """
    for field in card.kind.fields:
        value = card.fields.get(field.name)
        if field.one.type in {"term", "card"} and isinstance(value, tuple):
            for part in sorted({str(part) for part in value if value.count(part) > 1}):
                message = f"{card.subject} has `{part}` twice in `{field.name}`"
                yield R018.at(card.source.at(field.name), message, "remove one")
    for spec in card.kind.children:
        children = card.children[spec.tag]
        if not spec.single or len(children) < 2:  # noqa: PLR2004 - one is never there twice
            continue
        seen = set()
        for child in children:
            if child.value in seen:
                yield R018.at(
                    child.source.at(spec.fields[0].name),
                    f"{card.subject} has {spec.tag} `{child.value}` twice",
                    "remove one",
                )
            seen.add(child.value)


@card_check
def audiences(game: Game, card: Card) -> Iterator[Diagnostic]:
    """Some fields and terms are for some factions only."""
    faction = game.factions.get(card.faction_id)
    if faction is None and not card.kind.token:
        return
    groups = faction.groups if faction else frozenset[str]()
    for field in card.kind.fields:
        if field.ignored:
            continue
        value = card.fields[field.name]
        if field.optional not in _EITHER or field.audience != _ANYBODY:
            yield from _field(game, card, field, value, groups)
        if field.one.type == "term":
            yield from _term(game, card, field, value, groups, card.source)
    for spec in card.kind.children:
        for field in spec.fields:
            if field.one.type == "term":
                for child in card.children[spec.tag]:
                    value = child.values[field.name]
                    yield from _term(game, card, field, value, groups, child.source)


def _field(
    game: Game, card: Card, field: Field, value: FieldValue, groups: frozenset[str]
) -> Iterator[Diagnostic]:
    if field.value is not None:
        return
    if isinstance(field.optional, str) and field.optional not in groups and value in {None, ()}:
        yield R013.at(
            card.source.at(),
            f"{card.subject} has no {field.name}, which only cards of "
            f"{game.setup.group_name(field.optional)} may leave out",
            f'add `{field.name}="…"`',
        )
    if not field.audience.admits(groups) and value not in {field.default, None, 0, "", ()}:
        yield R013.at(
            card.source.at(field.name),
            f"{card.subject} has {field.name} `{value}`, "
            f"but {_audience(game, field.audience)} may have that",
            f"remove `{field.name}`",
        )


def _term(
    game: Game,
    card: Card,
    field: Field,
    value: FieldValue,
    groups: frozenset[str],
    source: Source,
) -> Iterator[Diagnostic]:
    if isinstance(value, tuple):
        for part in value:
            yield from _term(game, card, field.one, part, groups, source)
        return
    if field.type != "term" or value is None:
        return
    term = game.setup.vocabularies[field.vocabulary or ""].terms.get(str(value))
    if term is None or term.audience.admits(groups):
        return
    allowed = [
        other.id
        for other in game.setup.vocabularies[field.vocabulary or ""].terms.values()
        if other.audience.admits(groups)
    ]
    what = field.name if source is card.source else _child_name(card, field)
    yield R011.at(
        source.at(field.name),
        f"{card.subject} has {what} `{value}`, but {_audience(game, term.audience)} may have that",
        f"use one of {listed(allowed)}",
    )


def _child_name(card: Card, field: Field) -> str:
    """Return the tag of the children whose value is `field`."""
    return next((c.tag for c in card.kind.children if field in c.fields), field.name)


def _audience(game: Game, audience: Audience) -> str:
    if audience.only is not None:
        return f"only cards of {game.setup.group_name(audience.only)}"
    return f"no card of {game.setup.group_name(audience.excluded or '')}"


@card_check
def images(game: Game, card: Card) -> Iterator[Diagnostic]:
    """A card's image must be a file in the game's `img` folder."""
    for field in card.kind.fields:
        value = card.fields.get(field.name)
        if field.type != "image" or not value:
            continue
        folder = game.folder / "img"
        path = found(folder / str(value))
        if not belongs(path, folder):
            yield R017.at(
                card.source.at(field.name),
                f"{card.subject} has the image `{value}`, which is not in the folder `img`",
                "copy the image into `img` and give its name there",
            )
        elif not is_file(path):
            yield R005.at(
                card.source.at(field.name),
                f"{card.subject} has the image `{value}`, which does not exist in `img`",
                known_hint(str(value), _names_in(folder, _changed(folder)), at_most=5),
            )


def _changed(folder: Path) -> int:
    """Return when a file of a folder was last added or removed, 0 if there is no folder."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=1)
def _names_in(folder: Path, _changed_ns: int) -> list[str]:
    """Return the names of the files in a folder; they are read once for all that is missing."""
    if not inside(folder, folder.parent):
        return []
    files = islice(files_below(folder), _MOST_FILES)
    return sorted(str(file.relative_to(folder)) for file in files if not file.name.startswith("."))
