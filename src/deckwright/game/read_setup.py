"""Read `game.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from deckwright.colors import NAMED_COLORS
from deckwright.diagnostics import Code, Report, Severity, known_hint
from deckwright.game.setup import (
    Audience,
    Children,
    Condition,
    Field,
    FieldType,
    FontFamily,
    Format,
    Group,
    Kind,
    Limit,
    Setup,
    Term,
    TokenRule,
    Vocabulary,
    Zone,
)
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described

G001 = Code("G001", Severity.ERROR, "game.xml refers to something that it does not define")
G002 = Code("G002", Severity.ERROR, "game.xml contradicts itself")

DEFAULT_SHEET = "a4-65x90"
DEFAULT_SAFE = 2.0
"""The width of the outer zone without text, in mm: a careful hand cuts within 1 mm."""

_CONDITION = re.compile(r"([^\s!=<>]+)\s*(!=|<=|>=|=|<|>)\s*([^\s!=<>]+)")


def read_setup(root: Node, report: Report) -> Setup | None:
    """Return what a valid `game.xml` says, or None after reporting what it gets wrong."""
    before = len(report)
    groups = {node.get("id", ""): _group(node) for node in root.named("group")}
    vocabularies = {str(node.get("id")): _vocabulary(node) for node in root.named("vocabulary")}
    kinds = {str(node.get("tag")): _kind(node) for node in root.named("kind")}
    deck = next(root.named("deck"), None)
    zones = tuple(_zone(node) for node in deck.named("zone")) if deck else ()
    limits = tuple(_limit(node) for node in deck.named("limit")) if deck else ()
    formats = {f.id: f for f in map(_format, deck.named("format"))} if deck else {}
    _check(root, set(map(str, groups)), set(vocabularies), report)
    _check_kinds(root, report)
    if deck is not None:
        _check_deck(deck, kinds, report)
    _check_tokens(root, kinds, report)
    if len(report) > before:
        return None
    tokens = next(root.named("tokens"), None)
    sheet = next(root.named("sheet"), None)
    default = next((n for n in (deck.named("format") if deck else ()) if _is(n, "default")), None)
    return Setup(
        name=_text(root, "name"),
        author=_text(root, "author"),
        language=_text(root, "language"),
        words={_text(n, "id"): _text(n, "text") for n in _inside(root, "words", "word")},
        colors={
            _text(n, "name"): tint(_text(n, "value")) for n in _inside(root, "colors", "color")
        },
        fonts={_text(n, "id"): _font(n) for n in _inside(root, "fonts", "font")},
        groups=tuple(groups.values()),
        vocabularies=vocabularies,
        kinds=kinds,
        tokens=TokenRule(_number(tokens, "minimum", 1) or 0, tokens.get("budget"))
        if tokens
        else TokenRule(1, None),
        zones=zones or (Zone("main", "main deck", Audience()),),
        limits=limits,
        formats=formats,
        default_format=_text(default, "id") if default else None,
        sheet=sheet.get("format", DEFAULT_SHEET) or DEFAULT_SHEET if sheet else DEFAULT_SHEET,
        reference=sheet.get("reference") if sheet else None,
        source=root.source,
        sheet_source=sheet.source if sheet else root.source,
    )


def tint(color: str, palette: Mapping[str, str] | None = None) -> str:
    """Return `color`, a name or `#rrggbb`, as `#rrggbb`; the palette's names come first."""
    if palette and color in palette:
        return palette[color]
    return NAMED_COLORS.get(color, color).lower()


def _inside(root: Node, holder: str, tag: str) -> Iterator[Node]:
    for node in root.named(holder):
        yield from node.named(tag)


def _text(node: Node, name: str) -> str:
    return node.get(name) or ""


def _number(node: Node, name: str, default: int | None = None) -> int | None:
    value = node.get(name)
    return default if value is None else int(value)


def _is(node: Node, name: str) -> bool:
    return node.get(name) == "true"


def _audience(node: Node) -> Audience:
    return Audience(node.get("only"), node.get("except"))


def _group(node: Node) -> Group:
    races = tuple(race.strip() for race in _text(node, "races").split(","))
    return Group(_text(node, "id"), _text(node, "name"), races)


def _vocabulary(node: Node) -> Vocabulary:
    terms = {}
    for child in node.named("term"):
        data: dict[str, str | int] = {
            name: int(value) if re.fullmatch("[0-9]{1,9}", value) else value
            for name, value in child.attributes.items()
            if name not in {"id", "name", "only", "except"}
        }
        term_id = _text(child, "id")
        terms[term_id] = Term(term_id, _text(child, "name"), data, _audience(child))
    return Vocabulary(_text(node, "id"), terms)


def _kind(node: Node) -> Kind:
    return Kind(
        tag=_text(node, "tag"),
        name=_text(node, "name"),
        token=_is(node, "token"),
        width=float(_text(node, "width")),
        height=float(_text(node, "height")),
        face=_text(node, "face"),
        back=node.get("back"),
        safe=float(node.get("safe") or DEFAULT_SAFE),
        fields=tuple(_field(child) for child in node.named("field")),
        children=tuple(_children(child) for child in node.named("children")),
        source=node.source,
    )


def _field(node: Node) -> Field:
    optional = node.get("optional") or ""
    text = node.get("default")
    kind = cast("FieldType", _text(node, "type"))
    number = kind == "integer" and text is not None and re.fullmatch("[0-9]{1,9}", text)
    return Field(
        name=_text(node, "name"),
        type=kind,
        vocabulary=node.get("of"),
        minimum=_number(node, "min", 0) or 0,
        maximum=_number(node, "max", 9999) or 0,
        optional={"": False, "false": False, "true": True}.get(optional, optional),
        audience=_audience(node),
        default=int(text) if number and text else text,
        text=_text(node, "text"),
        icon=_text(node, "icon"),
        ignored=_is(node, "ignored"),
        picture=_is(node, "picture") or kind == "image",
    )


def _children(node: Node) -> Children:
    fields = [_field(child) for child in node.named("field")]
    values = [field for field in fields if not field.ignored] or fields
    return Children(
        tag=_text(node, "tag"),
        plural=_text(node, "plural"),
        field=values[0],
        ignored=tuple(field.name for field in fields if field is not values[0]),
        minimum=_number(node, "min", 0) or 0,
        maximum=_number(node, "max"),
    )


def _font(node: Node) -> FontFamily:
    styles = ("regular", "bold", "italic", "bold-italic")
    files = {style: _text(node, style) for style in styles if node.get(style)}
    return FontFamily(_text(node, "id"), node.get("family"), files, node.source)


def _zone(node: Node) -> Zone:
    return Zone(_text(node, "id"), _text(node, "name"), _audience(node))


def _limit(node: Node) -> Limit:
    return Limit(
        id=_text(node, "id"),
        name=_text(node, "name"),
        zone=_text(node, "zone"),
        where=tuple(
            Condition(field, operator, value)
            for field, operator, value in _CONDITION.findall(_text(node, "where"))
        ),
        sum=node.get("sum"),
        per=node.get("per"),
        own_faction=node.get("faction") == "own",
        min=_number(node, "min"),
        max=_number(node, "max"),
        exactly=_number(node, "exactly"),
        warning=node.get("severity") == "warning",
    )


def _format(node: Node) -> Format:
    changes = {
        _text(child, "limit"): None if child.get("value") == "off" else int(_text(child, "value"))
        for child in node.named("set")
    }
    return Format(_text(node, "id"), _text(node, "name"), changes)


def _unknown(report: Report, node: Node, attribute: str, what: str, known: set[str]) -> None:
    value = node.get(attribute)
    if value is not None and value not in known:
        report.append(
            G001.at(
                node.source.at(attribute),
                f"{described(node)} names the {what} `{value}`, which game.xml does not define",
                known_hint(value, sorted(known)),
            )
        )


def _check(root: Node, groups: set[str], vocabularies: set[str], report: Report) -> None:
    """Report references to groups and vocabularies that do not exist."""
    for node in root.walk():
        _unknown(report, node, "only", "group", groups)
        _unknown(report, node, "except", "group", groups)
        if node.tag == "field":
            _unknown(report, node, "of", "vocabulary", vocabularies)
            _unknown(report, node, "optional", "group", groups | {"true", "false"})
            if node.get("type") == "term" and node.get("of") is None:
                report.append(
                    G002.at(
                        node.source.at(),
                        "a field of the type `term` does not say of which vocabulary",
                        'add `of="…"`',
                    )
                )


def _check_kinds(root: Node, report: Report) -> None:
    """Report kinds that cannot be."""
    for node in root.walk():
        least, most = _number(node, "min", 0) or 0, _number(node, "max")
        if node.tag in {"field", "children"} and most is not None and least > most:
            message = f"`min` is {least}, more than `max`, which is {most}"
            report.append(G002.at(node.source.at("min"), message, "exchange the two"))
    kinds = list(root.named("kind"))
    tokens = [node for node in kinds if _is(node, "token")]
    report.extend(
        G002.at(node.source.at("token"), "only one kind can be the token") for node in tokens[1:]
    )
    if len(tokens) == len(kinds):
        report.append(G002.at(root.source.at(), "there is no kind of card that is not a token"))
    for node in kinds:
        if node.get("tag") == "label":
            message = "`label` is the name of a rule's labels, it cannot be a kind as well"
            report.append(G002.at(node.source.at("tag"), message, "choose another tag"))
        _check_defaults(root, node, report)
        report.extend(
            G002.at(
                child.source.at(),
                f"the children `{child.get('tag')}` have no single field that is their value",
                'mark all fields but one as `ignored="true"`',
            )
            for child in node.named("children")
            if sum(not _is(field, "ignored") for field in child.named("field")) != 1
        )
        report.extend(
            G002.at(
                field.source.at("name"),
                f"every card has `{field.get('name')}`, it cannot be a field as well",
            )
            for field in node.named("field")
            if field.get("name") in {"id", "name", "faction_id"}
        )
        report.extend(
            G002.at(
                field.source.at("type"),
                "a card's rules are children, not an attribute",
                'write `<children tag="rule" …><field name="id" type="rule"/></children>`',
            )
            for field in node.named("field")
            if field.get("type") == "rule"
        )


def _check_defaults(root: Node, kind: Node, report: Report) -> None:
    """Report default values that the field itself would refuse."""
    for node in kind.named("field"):
        default = node.get("default")
        if default is None:
            continue
        field = _field(node)
        terms = [
            _text(term, "id")
            for vocabulary in root.named("vocabulary")
            if vocabulary.get("id") == field.vocabulary
            for term in vocabulary.named("term")
        ]
        number = isinstance(field.default, int) and field.minimum <= field.default <= field.maximum
        if (field.type == "integer" and not number) or (
            field.type == "term" and default not in terms
        ):
            message = f"the default `{default}` is not a value of the field `{field.name}`"
            hint = (
                known_hint(default, terms) if field.type == "term" else "write a number in bounds"
            )
            report.append(G002.at(node.source.at("default"), message, hint))


def _check_tokens(root: Node, kinds: Mapping[str, Kind], report: Report) -> None:
    """Report a budget that is no field with a whole number."""
    numbers = {f.name for kind in kinds.values() for f in kind.fields if f.type == "integer"}
    for node in root.named("tokens"):
        _unknown(report, node, "budget", "field with a whole number", numbers)


def _check_deck(deck: Node, kinds: Mapping[str, Kind], report: Report) -> None:
    """Report limits of zones and fields that do not exist, and formats of limits likewise."""
    zones = {_text(node, "id") for node in deck.named("zone")}
    fields = {field.name for kind in kinds.values() for field in kind.fields}
    sums = {f.name for kind in kinds.values() for f in kind.fields if f.type == "integer"}
    for node in deck.named("limit"):
        _unknown(report, node, "zone", "zone", zones)
        _unknown(report, node, "sum", "field with a whole number", sums)
        _unknown(report, node, "per", "field", fields | {"name", "id", "faction_id"})
        for field, _, _ in _CONDITION.findall(_text(node, "where")):
            if field not in fields | {"name", "id", "faction_id"}:
                report.append(
                    G001.at(
                        node.source.at("where"),
                        f"{described(node)} names the field `{field}`, which no kind of card has",
                        known_hint(field, sorted(fields)),
                    )
                )
        bounds = [name for name in ("min", "max", "exactly") if node.get(name) is not None]
        least, most = _number(node, "min"), _number(node, "max")
        if least is not None and most is not None and least > most:
            message = f"`min` is {least}, more than `max`, which is {most}"
            report.append(G002.at(node.source.at("min"), message, "exchange the two"))
        if node.get("faction") is None and not bounds:
            report.append(
                G002.at(
                    node.source.at(),
                    f"the limit `{node.get('id')}` limits nothing",
                    "add `min`, `max`, `exactly` or `faction`",
                )
            )
    limits = {limit.id: limit for limit in map(_limit, deck.named("limit"))}
    for node in deck.named("format"):
        for change in node.named("set"):
            _unknown(report, change, "limit", "limit", set(limits))
            limit = limits.get(_text(change, "limit"))
            if limit is not None and limit.bound is None and change.get("value") != "off":
                message = f"the limit `{limit.id}` has no number"
                hint = 'switch it off with `value="off"`'
                report.append(G002.at(change.source.at("value"), message, hint))
    defaults = [node for node in deck.named("format") if _is(node, "default")]
    report.extend(
        G002.at(node.source.at("default"), "only one format can be the default")
        for node in defaults[1:]
    )
