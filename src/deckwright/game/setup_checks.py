"""Check that `game.xml` refers only to what it defines, and does not contradict itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from deckwright.base.findings import (
    REGISTRY,
    Diagnostic,
    Report,
    Severity,
    capped,
    known_hint,
)
from deckwright.game.deck_rules import Limit
from deckwright.game.generator_checks import check_generator
from deckwright.game.kinds import Kind
from deckwright.game.limit_checks import check_deck_rules
from deckwright.game.pictures import sayable, unsayable
from deckwright.game.read_field import (
    is_true,
    list_items,
    listed,
    read_field,
    read_fields,
    text,
)
from deckwright.game.sets import SETS
from deckwright.game.setup_findings import EVERY_CARD, G001, G002, mixed_bounds, several, unknown
from deckwright.game.table_checks import check_tables
from deckwright.game.values import shape_of
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described


def check_setup(
    root: Node,
    kinds: Mapping[str, Kind],
    limits: Iterable[Limit],
    lost_limits: Collection[str],
    report: Report,
) -> bool:
    """Report what is wrong with a valid `game.xml`; return whether it can be used all the same.

    Args:
        kinds, limits: what was read of it so far.
        lost_limits: the ids of limits that were left out; "" of one without an id.
    """
    before = len(report)
    groups = {text(node, "id") for node in root.named("group")}
    vocabularies = {text(node, "id") for node in root.named("vocabulary")}
    by_id = {limit.id: limit for limit in limits}
    for findings in (
        _check(root, groups, vocabularies),
        _check_kinds(root),
        _check_tokens(root, kinds),
        unknown(root, "set", "field", [*SETS, *chain.from_iterable(map(_names, kinds.values()))]),
        _check_symbols(root),
        _check_fallbacks(root),
        check_tables(root, kinds),
        check_generator(root, kinds, groups),
        chain.from_iterable(
            check_deck_rules(deck, kinds, by_id, lost_limits) for deck in root.named("deck")
        ),
    ):
        report.extend(capped(findings, of_one_file=True))
    usable = len(report) == before
    for findings in (
        _check_severities(root),
        chain.from_iterable(map(_check_markers, root.named("markers"))),
    ):
        report.extend(capped(findings, of_one_file=True))
    return usable


def _check_symbols(root: Node) -> Iterator[Diagnostic]:
    """Symbols are either icons or drawings."""
    for symbol in (symbol for symbols in root.named("symbols") for symbol in symbols.children):
        if (symbol.get("icon") is None) == (symbol.get("image") is None):
            message = f"{described(symbol)} needs either an icon or an image"
            hint = 'write `icon="…"` or `image="…"`'
            yield G002.at(symbol.source.at(), message, hint)


def _check_fallbacks(root: Node) -> Iterator[Diagnostic]:
    """A font falls back on other fonts."""
    fonts = [font for fonts in root.named("fonts") for font in fonts.named("font")]
    ids = {text(font, "id") for font in fonts}
    for font in fonts:
        for name in listed(font, "fallback"):
            if name not in ids - {text(font, "id")}:
                yield G001.at(
                    font.source.at("fallback"),
                    f"{described(font)} falls back on `{name}`, which is no other font of game.xml",
                    known_hint(name, sorted(ids)),
                )


def _names(kind: Kind) -> list[str]:
    """Return the names of the fields of a kind."""
    return [field.name for field in kind.fields]


def _check(root: Node, groups: set[str], vocabularies: set[str]) -> Iterator[Diagnostic]:
    """References are to groups and vocabularies that exist."""
    for node in root.walk():
        yield from unknown(node, "only", "group", groups)
        yield from unknown(node, "except", "group", groups)
        if node.tag == "field":
            known = list_items(vocabularies) if node.get("type") == "list" else vocabularies
            yield from unknown(node, "of", "vocabulary", known)
            yield from unknown(node, "optional", "group", groups | {"true", "false"})
            if node.get("type") == "term" and node.get("of") is None:
                yield G002.at(
                    node.source.at(),
                    "a field of type `term` does not say which vocabulary it uses",
                    'add `of="…"`',
                )


def _check_kinds(root: Node) -> Iterator[Diagnostic]:
    """Report kinds that cannot be."""
    for node in (node for node in root.walk() if node.tag in {"field", "children"}):
        yield from mixed_bounds(node)
    kinds = list(root.named("kind"))
    yield from several(kinds, "token", "only one kind can be the token")
    if all(is_true(node, "token") for node in kinds):
        yield G002.at(root.source.at(), "there is no kind of card that is not a token")
    for node in kinds:
        if node.get("tag") == "label":
            message = "`label` is the name of a rule's labels, so it cannot also be a kind"
            yield G002.at(node.source.at("tag"), message, "choose another tag")
        yield from _check_defaults(root, node)
        yield from _check_places(node)
        numbers = {text(f, "name") for f in node.named("field") if f.get("type") == "integer"}
        yield from unknown(node, "parts", "field with a whole number", numbers)
        for child in node.named("children"):
            yield from _check_children(child)
        for field in node.named("field"):
            given = next((n for n in ("default", "optional", "ignored") if field.get(n)), None)
            if field.get("value") is not None and given:
                message = f"{described(field)} is worked out, so `{given}` means nothing"
                yield G002.at(field.source.at(given), message, f"remove `{given}` or `value`")
            if field.get("name") in EVERY_CARD:
                message = f"every card has `{field.get('name')}`, so it cannot also be a field"
                yield G002.at(field.source.at("name"), message)
            if field.get("type") == "rule":
                message = "a card's rules are children, not an attribute"
                hint = 'write `<children tag="rule" …><field name="id" type="rule"/></children>`'
                yield G002.at(field.source.at("type"), message, hint)


def _check_children(node: Node) -> Iterator[Diagnostic]:
    """Some field of children counts; of rules it is one, their id."""
    fields = list(node.named("field"))
    counting = sum(not is_true(field, "ignored") for field in fields)
    if not counting:
        message = f"the children `{node.get('tag')}` have no field that counts"
        yield G002.at(node.source.at(), message, 'take `ignored="true"` away from one')
    if counting > 1 and any(field.get("type") == "rule" for field in fields):
        message = f"the children `{node.get('tag')}` are rules, which have only the rule's id"
        yield G002.at(node.source.at(), message, 'mark all other fields as `ignored="true"`')


def _check_defaults(root: Node, kind: Node) -> Iterator[Diagnostic]:
    """Report default values that the field itself would refuse."""
    for node in kind.named("field"):
        default = node.get("default")
        if default is None:
            continue
        field = read_field(node)
        terms = [
            text(term, "id")
            for vocabulary in root.named("vocabulary")
            if vocabulary.get("id") == field.vocabulary
            for term in vocabulary.named("term")
        ]
        if not shape_of(field, tuple((term, "") for term in terms)).accepts(default):
            message = f"the default `{default}` is not a value of the field `{field.name}`"
            hint = known_hint(default, terms)
            yield G002.at(node.source.at("default"), message, hint)


def _check_places(kind: Node) -> Iterator[Diagnostic]:
    """Pictures are looked for by what cards have."""
    fields = read_fields(kind)
    for node in kind.named("field"):
        if node.get("find") and node.get("type") != "image":
            message = f"`find` is for images, and the field `{node.get('name')}` is none"
            yield G002.at(node.source.at("find"), message, 'remove it, or write `type="image"`')
            continue
        for name in ("find", "default") if node.get("type") == "image" else ():
            for strange in unsayable(text(node, name), fields):
                known = [f"card.{known}" for known in sorted(sayable(fields))]
                hint = known_hint(strange, known) or "write a name alone, `{{ card.id }}`"
                message = f"`{name}` of `{node.get('name')}` asks for `{strange}`"
                message += f", which no `{kind.get('tag')}` has"
                yield G001.at(node.source.at(name), message, hint)


def _check_tokens(root: Node, kinds: Mapping[str, Kind]) -> Iterator[Diagnostic]:
    """Report a budget that is no field with a whole number."""
    numbers = {f.name for kind in kinds.values() for f in kind.fields if f.type == "integer"}
    for node in root.named("tokens"):
        yield from unknown(node, "budget", "field with a whole number", numbers)


def _check_severities(root: Node) -> Iterator[Diagnostic]:
    """Report severities of codes that do not exist, or that are errors in any game."""
    nodes = [node for holder in root.named("severities") for node in holder.children]
    if not nodes:
        return
    from deckwright.base.discovery import load_all  # noqa: PLC0415 - imports everything

    load_all()
    for node in nodes:
        code = REGISTRY.get(text(node, "code"))
        free = [name for name, known in REGISTRY.items() if known.severity is not Severity.ERROR]
        if code is None:
            yield from unknown(node, "code", "code", set(free))
        elif code.severity is Severity.ERROR:
            message = f"`{code.id}`, {code.title}, is an error in any game"
            hint = known_hint("", sorted(free))
            yield G002.at(node.source.at("code"), message, hint)


def _check_markers(markers: Node) -> Iterator[Diagnostic]:
    """Report markers that show nothing, or do not say how many there are, or both say it twice."""
    for node in markers.named("marker"):
        values = list(node.named("value"))
        if values and node.get("count") is not None:
            message = f"{described(node)} has a count, and its values have counts, too"
            yield G002.at(node.source.at("count"), message, "remove the `count`")
        elif not values and node.get("count") is None:
            message = f"{described(node)} does not say how many there are"
            yield G002.at(node.source.at(), message, 'add `count="…"`, or values')
        for side in (node, *node.named("other")):
            if not values and side.get("label") is None and side.get("icon") is None:
                message = f"{described(side)} shows nothing"
                hint = 'add `label="…"` or `icon="…"`'
                yield G002.at(side.source.at(), message, hint)
