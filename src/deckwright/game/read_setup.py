"""Read `game.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from deckwright.base.colors import tint
from deckwright.base.findings import Report, Severity
from deckwright.game.conditions import read_where
from deckwright.game.formulas import FormulaError, Number, read_number
from deckwright.game.limit_checks import numeric_fields
from deckwright.game.markers import read_markers, read_sheet
from deckwright.game.measures import Measure, Measured, MeasureError, read_measure
from deckwright.game.read_field import (
    audience,
    is_true,
    listed,
    number,
    read_field,
    read_fields,
    text,
)
from deckwright.game.sets import DEFAULT_SET
from deckwright.game.setup import (
    Audience,
    Children,
    Exemption,
    FontFamily,
    Format,
    Group,
    Kind,
    Limit,
    Opening,
    Setup,
    Symbol,
    Term,
    TokenRule,
    Vocabulary,
    Zone,
)
from deckwright.game.setup_checks import check_setup
from deckwright.game.words import WORDS
from deckwright.xmlio.node import Node

_SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "off": None}
DEFAULT_SHEET = "a4-65x90"
_BANNER = 30.0
"""The height of the headings of factions that a template draws, if the game does not say."""
DEFAULT_SAFE = 2.0
"""The width of the outer zone without text, in mm: a careful hand cuts within 1 mm."""


def read_setup(root: Node, report: Report, left_out: Iterable[Node] = ()) -> Setup | None:
    """Return what a valid `game.xml` says, or None after reporting what it gets wrong.

    Args:
        left_out: the elements that were taken out of it for their mistakes.
    """
    missing = frozenset((node.tag, text(node, "id")) for node in left_out)
    groups = {node.get("id", ""): _group(node) for node in root.named("group")}
    vocabularies = {str(node.get("id")): _vocabulary(node) for node in root.named("vocabulary")}
    kinds = {str(node.get("tag")): _kind(node) for node in root.named("kind")}
    deck = next(root.named("deck"), None)
    zones = tuple(_zone(node) for node in deck.named("zone")) if deck else ()
    limits = tuple(_limit(node) for node in deck.named("limit")) if deck else ()
    formats = {f.id: f for f in map(_format, deck.named("format"))} if deck else {}
    lost = {name for tag, name in missing if tag == "limit"}
    if not check_setup(root, kinds, limits, lost, report):
        return None
    tokens = next(root.named("tokens"), None)
    sheet = next(root.named("sheet"), None)
    default = next(
        (n for n in (deck.named("format") if deck else ()) if is_true(n, "default")), None
    )
    markers = list(root.named("markers"))
    colors = {text(n, "name"): tint(text(n, "value")) for n in _inside(root, "colors", "color")}
    return Setup(
        name=text(root, "name"),
        author=text(root, "author"),
        version=text(root, "version"),
        date=text(root, "date"),
        watermark=text(root, "watermark").strip(),
        language=text(root, "language"),
        words={**WORDS, **{text(n, "id"): text(n, "text") for n in _inside(root, "words", "word")}},
        colors=colors,
        fonts={text(n, "id"): _font(n) for n in _inside(root, "fonts", "font")},
        hyphenation=tuple(text(n, "word") for n in _inside(root, "hyphenation", "exception")),
        groups=tuple(groups.values()),
        vocabularies=vocabularies,
        kinds=kinds,
        tokens=TokenRule(
            number(tokens, "minimum", 1) or 0, tokens.get("budget"), number(tokens, "turns")
        )
        if tokens
        else TokenRule(1, None),
        zones=zones or (Zone("main", "main deck", Audience(), root.source),),
        limits=limits,
        formats=formats,
        default_format=text(default, "id") if default else None,
        worth=_measure(deck, "worth", kinds),
        cost=_measure(deck, "cost", kinds) or _first_sum(limits),
        opening=next((_opening(node) for node in deck.named("opening")), None) if deck else None,
        symbols={text(n, "id"): _symbol(n, colors) for n in _inside(root, "symbols", "symbol")},
        markers=tuple(marker for node in markers for marker in read_markers(node, colors)),
        marker_sheet=next(map(read_sheet, markers), None),
        set=root.get("set") or DEFAULT_SET,
        sheet=sheet.get("format", DEFAULT_SHEET) or DEFAULT_SHEET if sheet else DEFAULT_SHEET,
        backs=is_true(sheet, "backs") if sheet else False,
        reference=sheet.get("reference") if sheet else None,
        reference_styles=_reference_styles(sheet),
        deck_sheet=sheet.get("deck") if sheet else None,
        overview_cover=sheet.get("overview-cover") if sheet else None,
        overview_page=sheet.get("overview-page") if sheet else None,
        banner=sheet.get("banner") if sheet else None,
        banner_height=float((sheet.get("banner-height") if sheet else None) or _BANNER),
        severities={
            text(n, "code"): _SEVERITIES[text(n, "is")]
            for n in _inside(root, "severities", "severity")
        },
        source=root.source,
        sheet_source=sheet.source if sheet else root.source,
        left_out=missing,
    )


def _inside(root: Node, holder: str, tag: str) -> Iterator[Node]:
    for node in root.named(holder):
        yield from node.named(tag)


def _reference_styles(sheet: Node | None) -> tuple[str, ...] | None:
    named = sheet is not None and "reference-styles" in sheet.attributes
    return listed(sheet, "reference-styles") if sheet and named else None


def _group(node: Node) -> Group:
    races = listed(node, "races")
    return Group(text(node, "id"), text(node, "name"), races, node.source, node.get("back"))


def _vocabulary(node: Node) -> Vocabulary:
    terms = {}
    for child in node.named("term"):
        data: dict[str, str | int] = {
            name: int(value) if re.fullmatch("[0-9]{1,9}", value) else value
            for name, value in child.attributes.items()
            if name not in {"id", "name", "only", "except"}
        }
        term_id = text(child, "id")
        terms[term_id] = Term(term_id, text(child, "name"), data, audience(child))
    return Vocabulary(text(node, "id"), node.get("name") or text(node, "id"), terms)


def _kind(node: Node) -> Kind:
    return Kind(
        tag=text(node, "tag"),
        name=text(node, "name"),
        token=is_true(node, "token"),
        width=float(text(node, "width")),
        height=float(text(node, "height")),
        face=text(node, "face"),
        back=node.get("back"),
        safe=float(node.get("safe") or DEFAULT_SAFE),
        fields=read_fields(node),
        children=tuple(_children(child) for child in node.named("children")),
        source=node.source,
        parts=node.get("parts"),
        bleed=float(node.get("bleed") or 0),
    )


def _children(node: Node) -> Children:
    fields = [read_field(child) for child in node.named("field")]
    values = tuple(field for field in fields if not field.ignored)
    return Children(
        tag=text(node, "tag"),
        plural=text(node, "plural"),
        fields=values,
        ignored=tuple(field.name for field in fields if field.ignored),
        minimum=number(node, "min", 0) or 0,
        maximum=number(node, "max"),
    )


def _font(node: Node) -> FontFamily:
    styles = ("regular", "bold", "italic", "bold-italic")
    files = {style: text(node, style) for style in styles if node.get(style)}
    return FontFamily(
        text(node, "id"),
        node.get("family"),
        files,
        node.source,
        number(node, "weight"),
        listed(node, "fallback"),
    )


def _symbol(node: Node, colors: Mapping[str, str]) -> Symbol:
    color = node.get("color")
    return Symbol(
        text(node, "id"),
        text(node, "name"),
        text(node, "icon"),
        text(node, "image"),
        None if color is None else tint(color, colors),
        node.source,
    )


def _zone(node: Node) -> Zone:
    return Zone(
        text(node, "id"),
        text(node, "name"),
        audience(node),
        node.source,
        read_where(text(node, "where")),
        node.get("back"),
        is_true(node, "main"),
    )


def _limit(node: Node) -> Limit:
    return Limit(
        id=text(node, "id"),
        name=text(node, "name"),
        zone=text(node, "zone"),
        where=read_where(text(node, "where")),
        sum=node.get("sum"),
        distinct=node.get("distinct"),
        per=node.get("per"),
        own_faction=node.get("faction") == "own",
        decks=listed(node, "decks"),
        source=node.source,
        min=_number(node, "min"),
        max=_number(node, "max"),
        exactly=_number(node, "exactly"),
        warning=node.get("severity") == "warning",
        exemptions=tuple(
            Exemption(
                read_where(text(child, "where")),
                read_where(text(child, "others")),
                child.get("same"),
                number(child, "min", 0) or 0,
            )
            for child in node.named("free")
        ),
    )


def _measure(deck: Node | None, name: str, kinds: Mapping[str, Kind]) -> Measure | None:
    """Return a measure of cards, None if there is none or it is wrong, as checks tell."""
    written = deck.get(name) if deck else None
    if deck is None or written is None:
        return None
    try:
        zones = [text(node, "id") for node in deck.named("zone")]
        return read_measure(written, numeric_fields(kinds.values()), zones)
    except MeasureError:
        return None


def _first_sum(limits: Iterable[Limit]) -> Measure | None:
    """Return what the first limit adds up that allows so much and no more."""
    for limit in limits:
        if limit.sum is not None and limit.max is not None:
            return Measure(limit.sum, (Measured(Decimal(1), limit.sum, limit.zone),))
    return None


def _opening(node: Node) -> Opening:
    redraws, mulligans, draws = (
        number(node, name, 0) or 0 for name in ("redraws", "mulligans", "draws")
    )
    return Opening(node.get("zone"), number(node, "hand", 0) or 0, redraws, mulligans, draws)


def _number(node: Node, name: str) -> Number | None:
    """Return a number of a limit; None if it is not given, or cannot be read, as checks tell."""
    value = node.get(name)
    try:
        return None if value is None else read_number(value)
    except FormulaError:
        return None


def _format(node: Node) -> Format:
    changes = {
        text(child, "limit"): None if child.get("value") == "off" else _number(child, "value")
        for child in node.named("set")
    }
    return Format(text(node, "id"), text(node, "name"), changes)
