"""Check that `game.xml` refers only to what it defines, and does not contradict itself."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, product
from pathlib import PurePath
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.findings import (
    REGISTRY,
    ChoiceError,
    Code,
    Diagnostic,
    Report,
    Severity,
    cap_findings,
    code_sections,
    format_names,
    known_hint,
    register_all_codes,
)
from deckwright.base.units import round_number
from deckwright.game.deck_rules import (
    CARDS,
    DECK,
    RESTRICTION,
    Condition,
    Formula,
    FormulaError,
    MeasureError,
    Reference,
    Where,
    find_unparsed,
    parse_measure,
    parse_number,
    parse_where,
    references_in,
)
from deckwright.game.decklist import SETS
from deckwright.game.folder import AMOUNT, TABLE_SUFFIXES
from deckwright.game.kinds import Kind, list_item_types, shape_of
from deckwright.game.pictures import allowed_names, find_invalid_names
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import S004, describe_element

G001 = Code("G001", Severity.ERROR, "game.xml refers to something that it does not define")
G002 = Code("G002", Severity.ERROR, "game.xml contradicts itself")

EVERY_CARD = ("id", "name", "faction_id", "kind")
"""The attributes of every card, which conditions may use like fields."""


def _check_reference(
    node: Node, attribute: str, what: str, known: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield a finding if the value of an attribute is unknown."""
    value = node.get(attribute)
    if value is not None and value not in known:
        yield G001.at(
            node.source.at(attribute),
            f"{describe_element(node)} names the {what} `{value}`, which game.xml does not define",
            known_hint(value, sorted(known)),
        )


def _check_bounds(node: Node) -> Iterator[Diagnostic]:
    """Report a minimum above the maximum, and fractions as bounds of integers."""
    bounds = {
        name: round_number(float(text))
        for name in ("min", "max")
        if (text := node.get(name)) is not None
    }
    for name, bound in bounds.items():
        if node.get("type") == "integer" and not isinstance(bound, int):
            message = (
                f"{describe_element(node)} is a whole number, but `{name}` is {node.get(name)}"
            )
            yield G002.at(node.source.at(name), message, "write a whole number, or `decimal`")
    low, high = bounds.get("min", 0), bounds.get("max", math.inf)
    if low > high:
        message = f"`min` is {low}, more than `max`, which is {high}"
        yield G002.at(node.source.at("min"), message, "swap the two")


def _check_single(nodes: Iterable[Node], name: str, message: str) -> Iterator[Diagnostic]:
    """Report all but the first element with a flag."""
    for node in [node for node in nodes if node.get(name) == "true"][1:]:
        yield G002.at(node.source.at(name), message)


def _find_nodes(root: Node, *path: str) -> list[Node]:
    """Return the elements at a path of tags."""
    nodes = [root]
    for tag in path:
        nodes = [child for node in nodes for child in node.children_named(tag)]
    return nodes


MAX_CONDITIONS = 20
"""Limits the conditions of a zone or limit, which are all evaluated for each card."""
Problem = tuple[str, str | None]
"""A message, and a hint or None."""


class KnownNames(NamedTuple):
    """The names that zones and limits may use.

    Attributes:
        fields: the attributes with a single value.
        lists: the children, by their plural.
        wholes: the integer fields, which formulas may use.
        numbers: all numeric fields.
    """

    zones: frozenset[str]
    fields: frozenset[str]
    lists: frozenset[str]
    integers: frozenset[str]
    numbers: frozenset[str]


def collect_names(zones: Iterable[str], kinds: Iterable[Kind]) -> KnownNames:
    """Return the names in a game with these zones and kinds."""
    kinds = list(kinds)
    fields = [field for kind in kinds for field in kind.fields]
    return KnownNames(
        frozenset(zones),
        frozenset(field.name for field in fields) | set(EVERY_CARD),
        frozenset(spec.plural for kind in kinds for spec in kind.children),
        frozenset(field.name for field in fields if field.type == "integer"),
        numeric_fields(kinds),
    )


def numeric_fields(kinds: Iterable[Kind]) -> frozenset[str]:
    """Return the names of the numeric fields of cards."""
    return frozenset(field.name for kind in kinds for field in kind.fields if field.numeric)


def check_where(
    where: Where, names: KnownNames, what: str, *, restricts: bool
) -> Iterator[Problem]:
    """Yield problems for unknown names in conditions.

    Args:
        what: the owner of the conditions, for the start of messages.
        restricts: whether they may use the restrictions of cards.
    """
    fields = names.fields | names.lists
    for condition in chain.from_iterable(where):
        field = condition.field
        if field not in fields and (field != RESTRICTION or not restricts):
            message = f"{what} names the field `{field}`, which no kind of card has"
            yield message, known_hint(field, sorted(fields))
        if isinstance(condition.value, Reference):
            yield from check_deck_reference(condition.value, names, numeric=False)


def check_deck_reference(
    reference: Reference, names: KnownNames, *, numeric: bool
) -> Iterator[Problem]:
    """Yield problems for a reference to an unknown zone or field."""
    zone, field = reference
    if zone not in names.zones and zone != DECK:
        message = f"`{reference}` refers to the zone `{zone}`, which game.xml does not define"
        yield message, known_hint(zone, sorted({*names.zones, DECK}))
    known = names.integers | {CARDS} if numeric else names.fields | names.lists
    whose = f"no kind of card has as a {'whole number' if numeric else 'field'}"
    if zone == DECK and zone not in names.zones:
        known = frozenset({CARDS if numeric else "faction_id"})
        whose = "a whole deck does not have"
    if field not in known:
        message = f"`{reference}` refers to `{field}`, which {whose}"
        yield message, known_hint(field, sorted(known))


_TERM_OPERATORS = frozenset(("=", "!=", "in", "not in"))
"""The operators whose values must be terms if the field holds terms."""


def parse_user_where(text: str, setup: Setup) -> Where:
    """Return the conditions of a text like `where` of a limit; raise a ChoiceError if invalid."""
    unparsed = find_unparsed(text)
    if unparsed or not text.strip():
        on = f" from `{unparsed}` on" if unparsed != text.strip() else ""
        raise ChoiceError(
            f"`{text}` cannot be read as a condition{on}",
            "write it as `where` of a limit, such as `level=2 and costs<5 or name='Old Guard'`",
        )
    where = parse_where(text)
    if sum(map(len, where)) > MAX_CONDITIONS:
        raise ChoiceError(f"`{text}` has more than {MAX_CONDITIONS} conditions")
    names = collect_names((zone.id for zone in setup.zones), setup.card_kinds)
    mistakes = [*check_where(where, names, f"`{text}`", restricts=True), *check_terms(where, setup)]
    for message, hint in mistakes:
        raise ChoiceError(message, hint)
    return where


def check_terms(
    where: Where, setup: Setup, others: Mapping[str, Collection[str]] = MappingProxyType({})
) -> Iterator[Problem]:
    """Yield problems for values that fields cannot have; `others` are of fields without terms."""
    for condition in chain.from_iterable(where):
        if isinstance(condition.value, str) and condition.operator in _TERM_OPERATORS:
            known = others.get(condition.field) or _allowed_terms(condition, setup)
            for value in condition.values:
                if known and value and value not in known:
                    message = f"`{condition.field}` is never `{value}`"
                    yield message, known_hint(value, known)


def _allowed_terms(condition: Condition, setup: Setup) -> list[str]:
    """Return the possible terms of the field of a condition, nothing if unknown."""
    terms: list[str] = []
    for kind in setup.card_kinds:
        children = (spec.fields[0] for spec in kind.children if spec.plural == condition.field)
        for field in (*(f for f in kind.fields if f.name == condition.field), *children):
            if field.item_field.type != "term":
                return []
            terms += setup.vocabularies[field.item_field.vocabulary or ""].terms
    return terms


G005 = Code("G005", Severity.ERROR, "a formula that cannot be computed")

_MEASURE_HINT = "write a sum of fields with numbers, such as `strength + 2*actions`"
_BOUNDS = ("min", "max", "exactly")


def _check_deck_rules(deck: Node, setup: Setup) -> Iterator[Diagnostic]:
    """Report unknown names in zones, limits and formats."""
    zones, limits = [*deck.children_named("zone")], {limit.id: limit for limit in setup.limits}
    names = collect_names((zone.attributes["id"] for zone in zones), setup.kinds.values())
    for node in zones:
        yield from _check_conditions(node, "where", names)
        for reference in references_in(parse_where(node.attributes.get("where", ""))):
            message = (
                f"{describe_element(node)} uses `{reference}`, but zones are filled before that"
            )
            hint = "use a limit instead: its `where` may refer to the deck"
            yield G002.at(node.source.at("where"), message, hint)
    for node in deck.children_named("limit"):
        yield from _check_limit(node, names)
    for node in deck.children_named("opening"):
        yield from _check_reference(node, "zone", "zone", names.zones)
    if setup.opening and setup.opening.redraws > setup.opening.hand:
        (node,), (hand, _, redraws, *_) = deck.children_named("opening"), setup.opening
        message = f"`redraws` is {redraws}, more than `hand`, which is {hand}"
        yield G002.at(node.source.at("redraws"), message, f"write at most {hand}")
    for name in ("worth", "cost"):
        written = deck.attributes.get(name, CARDS)
        try:
            parse_measure(written, names.numbers, names.zones)
        except MeasureError as error:
            message = f"{describe_element(deck)}: `{name}` cannot be computed: {error}"
            hint = known_hint(written, sorted(names.numbers)) or _MEASURE_HINT
            yield G005.at(deck.source.at(name), message, hint)
    for change in _find_nodes(deck, "format", "set"):
        lost = {name for tag, name in setup.left_out if tag == "limit"}
        if "" not in lost:
            yield from _check_reference(change, "limit", "limit", {*limits, *lost})
        yield from _check_number(change, "value", names)
        limit = limits.get(change.attributes["limit"])
        if limit is not None and limit.bound is None and change.get("value") != "off":
            message = f"the limit `{limit.id}` has no number"
            hint = 'switch it off with `value="off"`'
            yield G002.at(change.source.at("value"), message, hint)
    formats = deck.children_named("format")
    yield from _check_single(formats, "default", "only one format can be the default")
    yield from _check_single(zones, "main", "only one zone can be the main deck")


def _check_limit(node: Node, names: KnownNames) -> Iterator[Diagnostic]:
    yield from _check_conditions(node, "where", names)
    yield from _check_reference(node, "zone", "zone", names.zones)
    yield from _check_reference(node, "sum", "field with a number", names.numbers)
    yield from _check_reference(node, "per", "field", names.fields)
    yield from _check_reference(node, "distinct", "field", names.fields)
    for name in _BOUNDS:
        yield from _check_number(node, name, names)
    if not any("{" in (node.get(name) or "") for name in _BOUNDS):
        yield from _check_bounds(node)
    if node.get("sum") is not None and node.get("distinct") is not None:
        message = f"{describe_element(node)} has both `sum` and `distinct`"
        yield G002.at(node.source.at("distinct"), message, "split it into two limits")
    if node.get("faction") is None and not any(node.get(name) is not None for name in _BOUNDS):
        message = f"the limit `{node.get('id')}` limits nothing"
        yield G002.at(node.source.at(), message, "add `min`, `max`, `exactly` or `faction`")
    for free in node.children_named("free"):
        yield from _check_reference(free, "same", "field", names.fields)
        for name in ("where", "others"):
            yield from _check_conditions(free, name, names)


def _check_conditions(node: Node, name: str, names: KnownNames) -> Iterator[Diagnostic]:
    """Report too many conditions in a zone or limit, and unknown fields."""
    where, place = parse_where(node.attributes.get(name, "")), node.source.at(name)
    number = sum(map(len, where))
    if number > MAX_CONDITIONS:
        message = f"{describe_element(node)} has {number} conditions"
        yield G002.at(place, message, f"use at most {MAX_CONDITIONS}")
    restricts = node.tag != "zone"
    problems = check_where(where, names, describe_element(node), restricts=restricts)
    yield from (G001.at(place, *problem) for problem in problems)


def _check_number(node: Node, name: str, names: KnownNames) -> Iterator[Diagnostic]:
    """Report formulas that cannot be parsed or that use unknown names."""
    written = node.get(name)
    if written is None or "{" not in written:
        return
    try:
        number = parse_number(written)
    except FormulaError as error:
        message = f"{describe_element(node)}: `{name}` cannot be computed: {error}"
        hint = "write a sum such as `{{ main.cards // 5 * 2 + 2 }}`, of zones and their fields"
        yield G005.at(node.source.at(name), message, hint)
        return
    if isinstance(number, Formula):
        for reference in dict.fromkeys(number.references()):
            for message, known in check_deck_reference(reference, names, numeric=True):
                yield G001.at(node.source.at(name), message, known)


PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
"""A placeholder in a pattern of names: the id of a word list."""
FACTION_PLACEHOLDER = "faction"
"""The placeholder for the deck's faction."""


def _check_generator(node: Node, setup: Setup) -> Iterator[Diagnostic]:
    """Report unknown names in the element `generator`."""
    names = collect_names((), setup.card_kinds)
    for each in (node, *node.children_named("booster")):
        yield from _check_reference(each, "format", "format", setup.formats)
    yield from _check_reference(node, "rarity", "field", names.fields)
    weights = list(node.children_named("rarity"))
    if node.get("rarity") is None:
        for child in weights[:1]:
            message = (
                f"{describe_element(child)} has no effect, because `generator` names no `rarity`"
            )
            yield G002.at(child.source.at(), message, 'add `rarity="…"` to `generator`')
    elif not any(int(child.attributes.get("weight", "")) for child in weights):
        message = "`generator` names a `rarity`, but no card has a weight, so none is ever drawn"
        hint = 'add `<rarity is="…" weight="…"/>` for each value of that field'
        yield G002.at(node.source.at("rarity"), message, hint)
    for child, name in product(node.walk(), ("where", "with")):
        where, place = parse_where(child.attributes.get(name, "")), child.source.at(name)
        references = [*references_in(where)]
        for reference in references:
            message = f"{describe_element(child)} uses `{reference}`, but there is no deck yet"
            yield G002.at(place, message, "use a limit instead: limits may refer to the deck")
        if not references:
            problems = check_where(where, names, describe_element(child), restricts=False)
            yield from (G001.at(place, *problem) for problem in problems)
    # Placeholders are word lists.
    for holder in node.children_named("names"):
        lists = (each.attributes.get("id", "") for each in holder.children_named("list"))
        known = sorted({FACTION_PLACEHOLDER, *lists})
        for pattern in holder.children_named("pattern"):
            for name in PLACEHOLDER.findall(pattern.attributes.get("is", "")):
                if name not in known:
                    message = (
                        f"`is` of `pattern` names the list `{name}`, which `names` does not have"
                    )
                    yield G001.at(pattern.source.at("is"), message, known_hint(name, known))


def _check_tables(root: Node, kinds: Mapping[str, Kind]) -> Iterator[Diagnostic]:
    """Report tables with unknown kinds, unusable files or unknown columns."""
    cards = {tag: kind for tag, kind in kinds.items() if not kind.token}
    first: dict[tuple[str | None, ...], Node] = {}
    for table in root.children_named("table"):
        use = tuple(table.get(name) for name in ("file", "tab", "kind", "faction", "deck"))
        if (before := first.setdefault(use, table)) is not table:
            message = f"the table `{use[0]}` is read in line {before.source.at().line} already, "
            message += "so each card would count twice"
            yield G002.at(table.source.at("file"), message, "remove one `<table>`")
        yield from _check_reference(table, "kind", "kind", cards)
        file, place = table.attributes.get("file", ""), table.source.at("file")
        if not file.casefold().endswith(TABLE_SUFFIXES):
            message = f"the table `{file}` is of an unknown type"
            hint = f"use a file that ends in {format_names(TABLE_SUFFIXES)}"
            if file.casefold().endswith(".xls"):
                hint = f"save it as `{PurePath(file).stem}.xlsx`"
            yield G002.at(place, message, hint)
        elif ".." in PurePath(file).parts or PurePath(file).is_absolute():
            message = f"the table `{file}` is not in xml/Factions"
            yield G002.at(place, message, "move it there")
        kind = table.get("kind") or ""
        of = [cards[kind]] if kind in cards else [*cards.values()]
        fields = (f.name for kind in of for f in kind.fields if not f.ignored)
        tags = (tag for kind in of for c in kind.children for tag in (c.tag, c.plural))
        known = {*EVERY_CARD, AMOUNT, *fields, *tags}
        for column in table.children_named("column"):
            yield from _check_reference(column, "to", "field", known)
            if column.get("name") is None and column.get("value") is None:
                hint = 'add `name="…"`, its title in the table'
                yield G002.at(column.source.at(), "a column has neither a name nor a value", hint)


def check_setup(root: Node, setup: Setup, report: Report) -> bool:
    """Report inconsistencies in a valid `game.xml`; return whether it can still be used."""
    before = len(report)
    fields = [field for kind in setup.kinds.values() for field in kind.fields]
    numbers = {field.name for field in fields if field.type == "integer"}
    for findings in (
        _check_references(root, setup),
        _check_kinds(root, setup),
        *(
            _check_reference(node, "budget", "field with a whole number", numbers)
            for node in root.children_named("tokens")
        ),
        _check_reference(root, "set", "field", [*SETS, *(field.name for field in fields)]),
        _check_symbols(root),
        _check_fallbacks(root, setup),
        _check_tables(root, setup.kinds),
        *(_check_generator(node, setup) for node in root.children_named("generator")),
        *(_check_deck_rules(node, setup) for node in root.children_named("deck")),
    ):
        report.extend(cap_findings(findings, single_file=True))
    usable = len(report) == before
    for findings in (
        _check_severities(_find_nodes(root, "severities", "severity")),
        _check_markers(_find_nodes(root, "markers", "marker")),
    ):
        report.extend(cap_findings(findings, single_file=True))
    return usable


def _check_symbols(root: Node) -> Iterator[Diagnostic]:
    """Report symbols that are not either an icon or a drawing."""
    for symbol in _find_nodes(root, "symbols", "symbol"):
        if (symbol.get("icon") is None) == (symbol.get("image") is None):
            message = f"{describe_element(symbol)} needs either an icon or an image"
            hint = 'write `icon="…"` or `image="…"`'
            yield G002.at(symbol.source.at(), message, hint)


def _check_fallbacks(root: Node, setup: Setup) -> Iterator[Diagnostic]:
    """Report fallbacks that are not other fonts."""
    places = [(setup.fonts, [*_find_nodes(root, "fonts", "font")])]
    for node in root.children_named("language"):
        fonts = setup.languages[node.attributes["id"]].fonts
        places.append((fonts, [*node.children_named("font")]))
    for fonts, nodes in places:
        known = sorted({**setup.fonts, **fonts})
        for node in nodes:
            font = fonts[node.attributes["id"]]
            for name in font.fallback:
                if name not in known or name == font.id:
                    yield G001.at(
                        node.source.at("fallback"),
                        f"{describe_element(node)} falls back on `{name}`, which is not another "
                        "font in game.xml",
                        known_hint(name, known),
                    )


def _check_references(root: Node, setup: Setup) -> Iterator[Diagnostic]:
    """Report references to unknown groups and vocabularies."""
    groups, vocabularies = {group.id for group in setup.groups}, setup.vocabularies
    for node in root.walk():
        yield from _check_reference(node, "only", "group", groups)
        yield from _check_reference(node, "except", "group", groups)
        if node.tag == "field":
            known = list_item_types(vocabularies) if node.get("type") == "list" else vocabularies
            yield from _check_reference(node, "of", "vocabulary", known)
            yield from _check_reference(node, "optional", "group", groups | {"true", "false"})
            if node.get("type") == "term" and node.get("of") is None:
                message = "a field of type `term` does not say which vocabulary it uses"
                yield G002.at(node.source.at(), message, 'add `of="…"`')


def _check_kinds(root: Node, setup: Setup) -> Iterator[Diagnostic]:
    """Report contradictions in kinds."""
    for node in (node for node in root.walk() if node.tag in {"field", "children"}):
        yield from _check_bounds(node)
    yield from _check_single(root.children_named("kind"), "token", "only one kind can be the token")
    if not setup.card_kinds:
        yield G002.at(root.source.at(), "there is no kind of card besides the token")
    for node, kind in zip(root.children_named("kind"), setup.kinds.values(), strict=True):
        yield from _check_kind(node, kind, setup)


def _check_kind(node: Node, kind: Kind, setup: Setup) -> Iterator[Diagnostic]:
    if kind.tag == "label":
        message = "`label` is the name of a rule's labels, so it cannot also be a kind"
        yield G002.at(node.source.at("tag"), message, "choose another tag")
    width, height = kind.width, kind.height
    if width != height and max(width, height) < _MAX_CENTIMETRES:
        message = f"the card is {width:g} x {height:g} mm, too small to be meant; sizes are in mm"
        hint = f"did you mean {10 * width:g} x {10 * height:g}?"
        yield S004.at(kind.source.at("width"), message, hint)
    nodes, fields = [*node.children_named("field")], {field.name: field for field in kind.fields}
    for child in nodes:
        field, default = fields[child.attributes["name"]], child.get("default")
        terms = setup.terms_of(field)
        if default is not None and not shape_of(field, terms).accepts(default):
            message = f"the default `{default}` is not a value of the field `{field.name}`"
            near = known_hint(default, [term for term, _ in terms])
            yield G002.at(child.source.at("default"), message, near)
    for child in nodes:
        if child.get("type") != "image":
            if child.get("find"):
                message = f"`find` is for images, but the field `{child.get('name')}` is not one"
                yield G002.at(
                    child.source.at("find"), message, 'remove it, or write `type="image"`'
                )
            continue
        for name in ("find", "default"):
            for used in find_invalid_names(child.attributes.get(name, ""), kind.fields):
                known = [f"card.{known}" for known in sorted(allowed_names(kind.fields))]
                hint = known_hint(used, known) or "write just a name, such as `{{ card.id }}`"
                message = f"`{name}` of `{child.get('name')}` uses `{used}`"
                yield G001.at(child.source.at(name), f"{message}, which no `{kind.tag}` has", hint)
    numbers = {field.name for field in kind.fields if field.type == "integer"}
    yield from _check_reference(node, "parts", "field with a whole number", numbers)
    for child in node.children_named("children"):
        types = [f.get("type") for f in child.children_named("field") if f.get("ignored") != "true"]
        if not types:
            message = f"the children `{child.get('tag')}` have only ignored fields"
            yield G002.at(child.source.at(), message, 'remove `ignored="true"` from one')
        if len(types) > 1 and any(f.get("type") == "rule" for f in child.children_named("field")):
            message = f"the children `{child.get('tag')}` are rules, which have only the rule's id"
            yield G002.at(child.source.at(), message, 'mark all other fields as `ignored="true"`')
    for child in nodes:
        given = next((n for n in ("default", "optional", "ignored") if child.get(n)), None)
        if child.get("value") is not None and given:
            message = f"{describe_element(child)} is computed, so `{given}` has no effect"
            yield G002.at(child.source.at(given), message, f"remove `{given}` or `value`")
        if child.get("name") in EVERY_CARD:
            message = f"every card has `{child.get('name')}`, so it cannot also be a field"
            yield G002.at(child.source.at("name"), message)
        if child.get("type") == "rule":
            message = "a card's rules are children, not an attribute"
            hint = 'write `<children tag="rule" …><field name="id" type="rule"/></children>`'
            yield G002.at(child.source.at("type"), message, hint)


_MAX_CENTIMETRES = 15
"""Cards smaller than this number of mm, and not square, were measured in cm."""


def _check_severities(nodes: list[Node]) -> Iterator[Diagnostic]:
    """Report severities of unknown codes, and of codes that are always errors."""
    titles = code_sections() if nodes else {}
    if all(
        code in titles and not titles[code].title.endswith("(error)")
        for code in (node.attributes.get("code", "") for node in nodes)
    ):
        return
    register_all_codes()  # imports everything
    for node in nodes:
        code = REGISTRY.get(node.attributes.get("code", ""))
        free = [name for name, known in REGISTRY.items() if known.severity is not Severity.ERROR]
        if code is None:
            yield from _check_reference(node, "code", "code", set(free))
        elif code.severity is Severity.ERROR:
            message = f"`{code.id}`, {code.title}, is always an error"
            hint = known_hint("", sorted(free))
            yield G002.at(node.source.at("code"), message, hint)


def _check_markers(nodes: list[Node]) -> Iterator[Diagnostic]:
    """Report markers that show nothing, and markers with no count or two."""
    for node in nodes:
        values = list(node.children_named("value"))
        if values and node.get("count") is not None:
            message = f"{describe_element(node)} has a count, but so do its values"
            yield G002.at(node.source.at("count"), message, "remove the `count`")
        elif not values and node.get("count") is None:
            message = f"{describe_element(node)} does not say how many there are"
            yield G002.at(node.source.at(), message, 'add `count="…"`, or values')
        for side in (node, *node.children_named("other")):
            if not values and side.get("label") is None and side.get("icon") is None:
                message = f"{describe_element(side)} shows nothing"
                hint = 'add `label="…"` or `icon="…"`'
                yield G002.at(side.source.at(), message, hint)
