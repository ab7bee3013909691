"""Read `game.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from deckwright.base.colors import tint
from deckwright.base.findings import Report, Severity
from deckwright.game.kinds import Children, Kind, Term, Vocabulary
from deckwright.game.markers import read_markers, read_sheet
from deckwright.game.read_deck_rules import read_deck_rules
from deckwright.game.read_field import (
    audience,
    is_true,
    listed,
    number,
    read_field,
    read_fields,
    text,
)
from deckwright.game.read_generator import read_generator
from deckwright.game.sets import DEFAULT_SET
from deckwright.game.setup import FontFamily, Group, Setup, Symbol, TokenRule
from deckwright.game.setup_checks import check_setup
from deckwright.game.spot_inks import SPOT_INKS, SpotInk
from deckwright.game.words import WORDS
from deckwright.xmlio.node import Node

_SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "info": Severity.INFO,
    "off": None,
}
DEFAULT_SHEET = "a4-65x90"
_BANNER = 30.0
"""The height of the headings of factions that a template draws, if the game does not say."""
DEFAULT_SAFE = 2.0
DEFAULT_RADIUS = 3.0
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
    rules = read_deck_rules(root, kinds)
    lost = {name for tag, name in missing if tag == "limit"}
    if not check_setup(root, kinds, rules.limits, lost, report):
        return None
    tokens = next(root.named("tokens"), None)
    sheet = next(root.named("sheet"), None)
    markers = list(root.named("markers"))
    colors = {text(n, "name"): tint(text(n, "value")) for n in _inside(root, "colors", "color")}
    return Setup(
        name=text(root, "name"),
        author=text(root, "author"),
        version=text(root, "version"),
        date=text(root, "date"),
        watermark=text(root, "watermark").strip(),
        public_key=text(root, "public_key"),
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
        zones=rules.zones,
        limits=rules.limits,
        formats=rules.formats,
        default_format=rules.default_format,
        worth=rules.worth,
        cost=rules.cost,
        opening=rules.opening,
        generator=read_generator(root),
        symbols={text(n, "id"): _symbol(n, colors) for n in _inside(root, "symbols", "symbol")},
        inks=SPOT_INKS | {text(n, "id"): _ink(n, colors) for n in _inside(root, "inks", "ink")},
        markers=tuple(marker for node in markers for marker in read_markers(node, colors)),
        marker_sheet=next(map(read_sheet, markers), None),
        set=root.get("set") or DEFAULT_SET,
        sheet=sheet.get("format", DEFAULT_SHEET) or DEFAULT_SHEET if sheet else DEFAULT_SHEET,
        backs=is_true(sheet, "backs") if sheet else False,
        reference=_reference(sheet),
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


def _reference(sheet: Node | None) -> str | None:
    named = sheet.get("reference") if sheet else None
    return None if named == "no" else named


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
        unique=tuple((node.get("unique") or "").split()),
        bleed=float(node.get("bleed") or 0),
        radius=float(node.get("radius") or DEFAULT_RADIUS),
        stock=(node.get("stock") or "").strip(),
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


def _ink(node: Node, colors: Mapping[str, str]) -> SpotInk:
    """Return an ink; what it does not say is as with that of every game, or as with any color."""
    ink_id, color = text(node, "id"), node.get("color")
    usual = SPOT_INKS.get(ink_id) or SpotInk(ink_id, ink_id, _INK, seen=True, over=False)
    return SpotInk(
        ink_id,
        node.get("name") or usual.name,
        usual.color if color is None else tint(color, colors),
        seen=is_true(node, "seen") if node.get("seen") else usual.seen,
        over=is_true(node, "overprint") if node.get("overprint") else usual.over,
    )


_INK = "#808080"
"""How an ink is shown of which nobody says how."""
