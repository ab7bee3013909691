"""Check that the references of cards, tokens and deck lists exist and are allowed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from deckwright.base.files import files_below, is_file, is_inside, stays_inside
from deckwright.base.findings import Code, Diagnostic, Report, Severity, format_names, known_hint
from deckwright.checks import card_check, deck_check, design_check, game_check
from deckwright.game.deck_rules import RESTRICTION
from deckwright.game.decklist import find_candidates, iter_references
from deckwright.game.folder import AMOUNT, GameFolder, faction_id_of
from deckwright.game.kinds import Audience, Field, FieldValue, parts_of
from deckwright.game.language import find_picture
from deckwright.game.load import MAX_CARDS
from deckwright.game.model import Card, Deck, DeckEntry, Game, RestrictionList, suggest_card
from deckwright.game.setup_checks import G005
from deckwright.game.shapes import R016
from deckwright.game.table_sums import TableSums
from deckwright.game.words import load_words
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

_EVERYONE = Audience()
_MAX_FILES = 10_000
"""The largest number of image files considered for suggestions."""


@card_check
def check_faction(game: Game, card: Card) -> Iterator[Diagnostic]:
    """The faction of a card exists."""
    if not card.kind.token and card.faction_id not in game.factions:
        yield from _check_faction(game, card.faction_id, card.source, f"card `{card.id}` is")


def _check_faction(
    game: Game, faction_id: str, source: Source, what: str, attribute: str = "faction_id"
) -> Iterator[Diagnostic]:
    """Yield the finding that a faction is unknown."""
    if not game.may_have_faction(faction_id):
        hint = known_hint(faction_id, game.factions)
        if all(each.source == game.setup.source for each in game.factions.values()):
            # There is no factions file: these come from tables.
            line = f'<faction id="{faction_id}" race_name="…" faction_name="…" color="#335577"/>'
            hint = f"list them in xml/factions_definition.xml, between <data> and </data>: {line}"
        message = f"{what} of faction `{faction_id}`, which the factions file does not define"
        yield R001.at(source.at(attribute), message, hint)


@card_check
def check_card_rules(game: Game, card: Card) -> Iterator[Diagnostic]:
    """The rules of a card exist and have names for its race."""
    code = R012 if card.kind.token else R003
    for rule_id, source, attribute in card.iter_rules():
        if rule_id not in game.rules and not game.omissions.rules.may_contain(rule_id):
            message = f"{card.subject} uses rule `{rule_id}`, which rules.xml does not define"
            hint = known_hint(rule_id, game.rules, at_most=0)
            yield code.at(source.at(attribute), message, hint)
    if card.faction_id in game.factions:
        yield from check_rule_names(game, card, game.factions[card.faction_id].race)


def check_rule_names(game: Game, card: Card, race: str) -> Iterator[Diagnostic]:
    """Yield findings about rules of a card or token without a name for a race."""
    for rule_id, source, attribute in card.iter_rules():
        rule = game.rules.get(rule_id)
        if rule is not None and rule.label(race) is None:
            others = format_names(rule.labels) or "nobody"
            label = race if race.isidentifier() else "GEN"
            yield R006.at(
                source.at(attribute),
                f"{card.subject} of the race `{race}` uses rule `{rule.id}`, which has names "
                f"only for {others}",
                f'add `{label}="…"` to the rule\'s label in rules.xml, or use another rule',
            )


@card_check
def check_repetitions(_: Game, card: Card) -> Iterator[Diagnostic]:
    """Terms, rows and rules of a card are not repeated; children with several fields may be.

    Numbers and texts in lists may be repeated as well.
    """
    for field in card.kind.fields:
        value = card.fields.get(field.name)
        if field.item_field.type in {"term", "card"} and isinstance(value, tuple):
            for part in sorted({str(part) for part in value if value.count(part) > 1}):
                message = f"{card.subject} has `{part}` twice in `{field.name}`"
                yield R018.at(card.source.at(field.name), message, "remove one")
    for spec in card.kind.children:
        children = card.children[spec.tag]
        if not spec.single or len(children) < 2:  # one is never there twice
            continue
        seen = set()
        for child in children:
            if child.value in seen:
                message = f"{card.subject} has {spec.tag} `{child.value}` twice"
                yield R018.at(child.source.at(spec.fields[0].name), message, "remove one")
            seen.add(child.value)


@card_check
def check_audiences(game: Game, card: Card) -> Iterator[Diagnostic]:
    """Fields and terms are used only by the factions that may."""
    faction = game.factions.get(card.faction_id)
    if faction is None and not card.kind.token:
        return
    groups = faction.groups if faction else frozenset[str]()
    for field in card.kind.fields:
        if field.ignored:
            continue
        value, group = card.fields[field.name], field.optional
        if field.value is None and (isinstance(group, str) or field.audience != _EVERYONE):
            if isinstance(group, str) and group not in groups and value in {None, ()}:
                message = f"{card.subject} has no {field.name}, which only cards of "
                message += f"{game.setup.group_name(group)} may leave out"
                yield R013.at(card.source.at(), message, f'add `{field.name}="…"`')
            unusual = value not in {field.default, None, 0, "", ()}
            if unusual and not field.audience.admits(groups):
                who = _describe_audience(game, field.audience)
                message = f"{card.subject} has {field.name} `{value}`, but {who} may have that"
                yield R013.at(card.source.at(field.name), message, f"remove `{field.name}`")
        if field.item_field.type == "term":
            yield from _check_term(game, card, field, value, groups, card.source)
    for spec in card.kind.children:
        for field in spec.fields:
            if field.item_field.type == "term":
                for child in card.children[spec.tag]:
                    value = child.values[field.name]
                    yield from _check_term(game, card, field, value, groups, child.source)


def _check_term(
    game: Game, card: Card, field: Field, value: FieldValue, groups: frozenset[str], source: Source
) -> Iterator[Diagnostic]:
    terms = game.setup.vocabularies[field.vocabulary or ""].terms
    for part in parts_of(value):
        term = terms.get(str(part))
        if part is None or term is None or term.audience.admits(groups):
            continue
        allowed = [other.id for other in terms.values() if other.audience.admits(groups)]
        what = field.name
        if source is not card.source:
            item = field.item_field
            what = next((c.tag for c in card.kind.children if item in c.fields), what)
        who = _describe_audience(game, term.audience)
        message = f"{card.subject} has {what} `{part}`, but {who} may have that"
        yield R011.at(source.at(field.name), message, f"use one of {format_names(allowed)}")


def _describe_audience(game: Game, audience: Audience) -> str:
    if audience.only is not None:
        return f"only cards of {game.setup.group_name(audience.only)}"
    return f"no card of {game.setup.group_name(audience.excluded or '')}"


@card_check
def check_images(game: Game, card: Card) -> Iterator[Diagnostic]:
    """The images of a card are files in the folder `img`."""
    for field in card.kind.fields:
        value = card.fields.get(field.name)
        if field.type != "image" or not value:
            continue
        folder = game.folder / "img"
        path = find_picture(folder, str(value))
        if not stays_inside(path, folder):
            message = f"{card.subject} has the image `{value}`, which is not in the folder `img`"
            hint = "copy the image into `img` and give its name there"
            yield R017.at(card.source.at(field.name), message, hint)
        elif not is_file(path):
            message = f"{card.subject} has the image `{value}`, which does not exist in `img`"
            yield R005.at(card.source.at(field.name), message, picture_hint(str(value), folder))


def picture_hint(name: str, folder: Path) -> str:
    """Return the hint about a picture that does not exist in a folder."""
    near = known_hint(name, list_pictures(folder), at_most=5)
    return near or f"copy it to the folder `{folder.name}`"


def list_pictures(folder: Path) -> list[str]:
    """Return the names of the files in a folder of pictures, which need not exist."""
    try:
        changed_ns = folder.stat().st_mtime_ns
    except OSError:
        changed_ns = 0
    return _list_files(folder, changed_ns)


@lru_cache(maxsize=1)
def _list_files(folder: Path, _changed_ns: int) -> list[str]:
    """Return the names of the files in a folder, cached until the folder changes."""
    if not is_inside(folder, folder.parent):
        return []
    files = islice(files_below(folder), _MAX_FILES)
    return sorted(str(file.relative_to(folder)) for file in files if not file.name.startswith("."))


@design_check
def check_tabletop(game: Game) -> Iterator[Diagnostic]:
    """The picture of the table exists, and its sums can be computed, at least for some cards."""
    top, images = game.setup.tabletop, game.folder / "img"
    if top.mat and top.source and not is_file(find_picture(images, top.mat)):
        message = f"`tabletop` has the image `{top.mat}`, which does not exist in `img`"
        yield R005.at(top.source.at("mat"), message, picture_hint(top.mat, images))
    if not top.sums:
        return
    sums = TableSums(game)
    cards = [each for each in game.printable_cards() if game.can_show(each.card, each.faction_id)]
    for each in top.sums:
        found: Exception | None = None
        for card, faction_id, _ in cards:
            try:
                sums.evaluate(each, card, faction_id, {})
            except Exception as error:  # noqa: BLE001 - whatever an expression can raise
                found = error
            else:
                break
        else:
            if found is not None:
                from deckwright.expressions.grammar import explain_error, name_hint

                message = f"the sum `{each.name}` cannot be computed: {explain_error(found)}"
                hint = getattr(found, "hint", None) or name_hint(found, ())
                usual = "write what a card counts as an expression, such as `{{ strength }}`"
                yield G005.at(each.source.at("value"), message, hint or usual)


R002 = Code("R002", Severity.ERROR, "an unknown card in a deck list")

D010 = Code("D010", Severity.ERROR, "a deck without cards")
R014 = Code("R014", Severity.ERROR, "a card that belongs to another faction than its line says")


@deck_check
def check_main_faction(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """The main faction of a deck exists."""
    yield from _check_faction(game, deck.faction_id, deck.source, "the deck is", "main_faction_id")


@deck_check
def check_not_empty(_: Game, deck: Deck) -> Iterator[Diagnostic]:
    """A deck has cards."""
    if not deck.entries and deck.is_complete:
        example = 'lines such as `<card faction_id="…" id="…" amount="2"/>`'
        hint = deck.source.document.addition_hint(AMOUNT, example)
        yield D010.at(deck.source.at(), "the deck has no cards", hint)


D014 = Code("D014", Severity.WARNING, "a card that a deck list has twice")


@deck_check
def check_repeated_lines(_: Game, deck: Deck) -> Iterator[Diagnostic]:
    """No two lines of a deck list are about the same card and zone."""
    lines: dict[tuple[object, ...], list[DeckEntry]] = {}
    for entry in deck.entries:
        lines.setdefault((entry.faction_id, entry.card_id, entry.zone), []).append(entry)
    for first, *others in lines.values():
        if others:
            entries = (first, *others)
            numbers = " and ".join(str(entry.source.at().line) for entry in entries)
            times = "twice" if len(entries) == 2 else f"{len(entries)} times"
            copies = sum(entry.copies for entry in entries)
            message = f"card `{first.card_id}` is listed {times} (lines {numbers}): {copies} copies"
            hint = "keep one of the lines, or name another card"
            yield D014.at(others[0].source.at("id"), message, hint)


@deck_check
def check_deck_cards(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """The factions and cards of a deck list exist."""
    with_cards = {faction for faction, _ in game.cards} | {*game.omissions.cards}
    without_cards = set()
    for entry in deck.entries:
        faction_id, card_id = entry.faction_id, entry.card_id
        if faction_id not in game.factions:
            yield from _check_faction(game, faction_id, entry.source, "the deck has a card")
        elif faction_id not in with_cards:
            if faction_id not in without_cards:
                without_cards.add(faction_id)
                message = f"there are no cards of faction `{faction_id}`"
                hint = f"is the file `{faction_id}_cards.xml` missing?"
                yield R002.at(entry.source.at("faction_id"), message, hint)
        elif game.card_of(entry) is None and not game.may_have(faction_id, card_id):
            owner = next((faction for faction, name in game.cards if name == card_id), None)
            if owner is not None:
                message = f"card `{card_id}` is of faction `{owner}`, not of `{faction_id}`"
                hint = f'write `faction_id="{owner}"`'
                yield R014.at(entry.source.at("faction_id"), message, hint)
                continue
            own = [card for card in game.cards.values() if card.faction_id == faction_id]
            message = f"there is no card `{card_id}` in faction `{faction_id}`"
            yield R002.at(entry.source.at("id"), message, suggest_card(card_id, own))


R032 = Code("R032", Severity.ERROR, "a card that names another one, which cannot be found")


@card_check
def check_named_cards(game: Game, card: Card) -> Iterator[Diagnostic]:
    """A reference to a card is unambiguous: in the card's own faction, or else in all others."""
    for source, field, name in iter_references(card):
        matches = find_candidates(game, card, name)
        if len(matches) == 1:
            continue
        place = source.at(field.name)
        if matches:
            others = [f"{other.faction_id}/{other.id}" for other in matches]
            message = f"{card.subject} names `{name}`, which several factions have"
            yield R032.at(place, message, f"write {format_names(others)}")
            continue
        faction_id, slash, card_id = name.partition("/")
        factions = {card.faction_id, *game.factions}
        if slash and game.may_have(faction_id, card_id):
            continue
        if any(game.may_have(faction, name) for faction in factions):
            continue  # it may have been omitted because of errors
        near = [key[1] for key in game.cards if key[0] == card.faction_id]
        if faction_id in game.factions and slash:
            near = [f"{faction_id}/{key[1]}" for key in game.cards if key[0] == faction_id]
        message = f"{card.subject} has {field.name} `{name}`, which is not the id of a card"
        yield R032.at(place, message, known_hint(name, near, at_most=0))


R024 = Code("R024", Severity.ERROR, "a faction that cannot use the cards of another")


@game_check
def check_shared_cards(game: Game) -> Iterator[Diagnostic]:
    """A faction that uses another's cards has none of its own, and the other one does."""
    with_cards = {faction_id for faction_id, _ in game.cards}
    own = {
        card.faction_id
        for card in game.cards.values()
        if faction_id_of(card.source.path) == card.faction_id
    }
    for faction in game.factions.values():
        owner = faction.cards_of
        if owner is None or game.omissions.factions.may_contain(owner):
            continue
        what = f"faction `{faction.id}` uses the cards of `{owner}`"
        place = faction.source.at("cards")
        if owner not in game.factions:
            hint = known_hint(owner, game.factions)
            yield R024.at(place, f"{what}, which the factions file does not define", hint)
        elif (other := game.factions[owner].cards_of) is not None:
            yield R024.at(
                place, f"{what}, which uses those of `{other}`", "use the cards of that one"
            )
        elif faction.id in own:
            hint = "move them to the other file, or remove the attribute `cards`"
            yield R024.at(place, f"{what}, but also has cards of its own", hint)
        elif owner in with_cards and faction.id not in with_cards:
            message = f"{what}, which would give the game more than {MAX_CARDS:,}"
            yield R024.at(place, message, "split a game this large into parts")


R031 = Code("R031", Severity.ERROR, "a list of restrictions names a card that does not exist")
G006 = Code("G006", Severity.WARNING, "a word in a list of restrictions that no limit uses")
G007 = Code("G007", Severity.ERROR, "two lists of restrictions from the same day")


@design_check
def check_restricted_cards(game: Game) -> Iterator[Diagnostic]:
    """The cards in restriction lists exist."""
    for entry in (entry for restriction in game.restrictions for entry in restriction.entries):
        faction_id, card_id = entry.faction_id, entry.card_id
        if faction_id not in game.factions:
            if not game.may_have_faction(faction_id):
                message = f"there is no faction `{faction_id}`"
                hint = known_hint(faction_id, game.factions)
                yield R031.at(entry.source.at("faction_id"), message, hint)
        elif (faction_id, card_id) not in game.cards and not game.may_have(faction_id, card_id):
            message = f"there is no card `{card_id}` in faction `{faction_id}`"
            own = [card for card in game.cards.values() if card.faction_id == faction_id]
            yield R031.at(entry.source.at("id"), message, suggest_card(card_id, own))


@game_check
def check_restriction_words(game: Game) -> Iterator[Diagnostic]:
    """Each word in restriction lists is used by a limit."""
    used = {
        word
        for limit in game.setup.limits
        for group in limit.conditions
        for condition in group
        if condition.field == RESTRICTION
        for word in condition.values
    }
    for entry in (entry for restriction in game.restrictions for entry in restriction.entries):
        if entry.word not in used and not game.setup.may_lack("limit", ""):
            message = f"no limit in game.xml applies to cards that are `{entry.word}`"
            hint = f'add a limit with `where="restriction={entry.word}"`'
            if near := known_hint(entry.word, sorted(used)) if used else None:
                hint = near
            yield G006.at(entry.source.at("is"), message, hint)


@game_check
def check_restriction_dates(game: Game) -> Iterator[Diagnostic]:
    """The formats of restriction lists exist, and each has at most one list a date."""
    formats = game.setup.formats
    before: dict[tuple[str, str], RestrictionList] = {}
    for restriction in game.restrictions:
        for format_id in restriction.formats:
            if format_id not in formats and not game.setup.may_lack("format", format_id):
                message = f"`{format_id}` is not a format of decks in game.xml"
                hint = known_hint(format_id, formats)
                yield R016.at(restriction.source.at("formats"), message, hint)
        for format_id in restriction.formats or formats or ("",):
            other = before.setdefault((restriction.since, format_id), restriction)
            if other is not restriction:
                place = f" in the format `{format_id}`" if format_id else ""
                name = other.source.path.name
                message = f"`{name}` also comes into force on {restriction.since}{place}"
                hint = "change the date or the formats of one of them"
                yield G007.at(restriction.source.at("from"), message, hint)
                break


@design_check
def check_word_lists(game: Game) -> Iterator[Diagnostic]:
    """The word lists can be read."""
    generator = game.setup.generator
    names = generator.names if generator else None
    report: Report = []
    for word_list in (*names.lists, *names.forbidden) if names else ():
        load_words(GameFolder(game.folder), word_list, report)
    yield from report
