"""Read `game.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.colors import resolve_color
from deckwright.base.findings import Report, Severity
from deckwright.game.deck_rules import (
    Exemption,
    Format,
    FormulaError,
    Limit,
    Measure,
    MeasureError,
    MeasureTerm,
    Number,
    Opening,
    Zone,
    parse_measure,
    parse_number,
    parse_where,
)
from deckwright.game.decklist import DEFAULT_SET
from deckwright.game.generator import (
    MILLION,
    Booster,
    BoosterSheet,
    BoosterSlot,
    ChanceDraw,
    DeckNames,
    DeckPart,
    Generator,
    NamePattern,
    Requirement,
    WordFile,
)
from deckwright.game.kinds import Audience, ChildSpec, Kind, Term, Vocabulary
from deckwright.game.markers import read_marker_sheet, read_markers
from deckwright.game.read import (
    read_audience,
    read_field,
    read_fields,
    read_flag,
    read_integer,
    read_list,
    read_text,
)
from deckwright.game.setup import (
    BUILTIN_INKS,
    FontFamily,
    Group,
    Setup,
    SpotInk,
    Symbol,
    TokenPolicy,
)
from deckwright.game.setup_checks import check_setup, numeric_fields
from deckwright.game.words import WORDS
from deckwright.xmlio.node import Node

_DEFAULT_BOX = 24


def read_generator(root: Node) -> Generator | None:
    """Return the rules for generated decks, None if the game has none."""
    node = next(root.children_named("generator"), None)
    if node is None:
        return None
    pairs = (_read_requirement(child, "where", "with") for child in node.children_named("pair"))
    musts = (_read_requirement(child, "", "where") for child in node.children_named("must"))
    return Generator(
        prefix=node.get("prefix") or "D",
        format=node.get("format"),
        copies=read_integer(node, "copies"),
        parts=tuple(map(_read_part, node.children_named("part"))),
        rarity=node.get("rarity"),
        weights={
            read_text(n, "is"): read_integer(n, "weight", 1) or 0
            for n in node.children_named("rarity")
        },
        maverick=next(map(_read_chance_draw, node.children_named("maverick")), None),
        legacy=next(map(_read_chance_draw, node.children_named("legacy")), None),
        demands=(*pairs, *musts),
        names=next(map(_read_names, node.children_named("names")), None),
        boosters={b.id: b for b in map(_read_booster, node.children_named("booster"))},
        source=node.source,
    )


def _read_part(node: Node) -> DeckPart:
    where = parse_where(read_text(node, "where"))
    houses, cards = read_integer(node, "houses", 1) or 1, read_integer(node, "cards", 1) or 1
    return DeckPart(houses, cards, read_audience(node), where, node.source)


def _read_chance_draw(node: Node) -> ChanceDraw:
    return ChanceDraw(
        int(Decimal(read_text(node, "chance")) * MILLION), parse_where(read_text(node, "where"))
    )


def _read_requirement(node: Node, when: str, where: str) -> Requirement:
    least = read_integer(node, "min", 1) or 1
    wanted = parse_where(read_text(node, when)) if when else ()
    return Requirement(wanted, parse_where(read_text(node, where)), least, node.source)


def _read_names(node: Node) -> DeckNames:
    return DeckNames(
        tuple(map(_read_word_file, node.children_named("list"))),
        tuple(NamePattern(read_text(n, "is"), read_integer(n, "weight", 1) or 1, n.source)
              for n in node.children_named("pattern")),
        tuple(map(_read_word_file, node.children_named("forbidden"))),
        unique=node.get("unique") != "false",
    )  # fmt: skip


def _read_word_file(node: Node) -> WordFile:
    return WordFile(read_text(node, "id"), read_text(node, "file"), node.source)


def _read_booster(node: Node) -> Booster:
    return Booster(
        read_text(node, "id"),
        read_text(node, "name"),
        node.get("format"),
        read_integer(node, "box", _DEFAULT_BOX) or _DEFAULT_BOX,
        tuple(map(_read_slot, node.children_named("slot"))),
        node.source,
    )


def _read_slot(node: Node) -> BoosterSlot:
    sheets = (
        BoosterSheet(parse_where(read_text(child, "where")), read_integer(child, "copies", 1) or 1)
        for child in node.children_named("sheet")
    )
    cards, balanced = read_integer(node, "cards", 1) or 1, node.get("balanced") == "true"
    return BoosterSlot(cards, tuple(sheets), balanced, node.source)


class DeckSetup(NamedTuple):
    """The contents of the element `deck`, as in `Setup`."""

    zones: tuple[Zone, ...]
    limits: tuple[Limit, ...] = ()
    formats: Mapping[str, Format] = MappingProxyType({})
    default_format: str | None = None
    worth: Measure | None = None
    cost: Measure | None = None
    opening: Opening | None = None


def read_deck_setup(root: Node, kinds: Mapping[str, Kind]) -> DeckSetup:
    """Return the rules for decks; without an element `deck`, one zone and no limits."""
    only = (Zone("main", "main deck", Audience(), root.source),)
    deck = next(root.children_named("deck"), None)
    if deck is None:
        return DeckSetup(only)
    limits = tuple(map(_read_limit, deck.children_named("limit")))
    default = (
        read_text(node, "id")
        for node in deck.children_named("format")
        if read_flag(node, "default")
    )
    return DeckSetup(
        tuple(map(_read_zone, deck.children_named("zone"))) or only,
        limits,
        {f.id: f for f in map(_read_format, deck.children_named("format"))},
        next(default, None),
        _read_measure(deck, "worth", kinds),
        _read_measure(deck, "cost", kinds) or _default_cost(limits),
        next(map(_read_opening, deck.children_named("opening")), None),
    )


def _read_zone(node: Node) -> Zone:
    return Zone(
        read_text(node, "id"),
        read_text(node, "name"),
        read_audience(node),
        node.source,
        parse_where(read_text(node, "where")),
        node.get("back"),
        read_flag(node, "main"),
    )


def _read_limit(node: Node) -> Limit:
    return Limit(
        id=read_text(node, "id"),
        name=read_text(node, "name"),
        zone=read_text(node, "zone"),
        where=parse_where(read_text(node, "where")),
        sum=node.get("sum"),
        distinct=node.get("distinct"),
        per=node.get("per"),
        own_faction=node.get("faction") == "own",
        decks=read_list(node, "decks"),
        source=node.source,
        min=_read_number(node, "min"),
        max=_read_number(node, "max"),
        exactly=_read_number(node, "exactly"),
        warning=node.get("severity") == "warning",
        exemptions=tuple(
            Exemption(
                parse_where(read_text(child, "where")),
                parse_where(read_text(child, "others")),
                child.get("same"),
                read_integer(child, "min", 0) or 0,
            )
            for child in node.children_named("free")
        ),
    )


def _read_measure(deck: Node, name: str, kinds: Mapping[str, Kind]) -> Measure | None:
    """Return a measure, None if it is missing or invalid; a check reports the latter."""
    written = deck.get(name)
    if written is None:
        return None
    zones = [read_text(node, "id") for node in deck.children_named("zone")]
    try:
        return parse_measure(written, numeric_fields(kinds.values()), zones)
    except MeasureError:
        return None


def _default_cost(limits: Iterable[Limit]) -> Measure | None:
    """Return the sum that the first suitable limit bounds: a field over all cards of its zone."""
    for limit in limits:
        part = limit.where or limit.exemptions or limit.decks
        if limit.sum is not None and limit.max is not None and not part:
            return Measure(limit.sum, (MeasureTerm(Decimal(1), limit.sum, limit.zone),))
    return None


def _read_opening(node: Node) -> Opening:
    redraws, mulligans, draws = (
        read_integer(node, name, 0) or 0 for name in ("redraws", "mulligans", "draws")
    )
    return Opening(node.get("zone"), read_integer(node, "hand", 0) or 0, redraws, mulligans, draws)


def _read_number(node: Node, name: str) -> Number | None:
    """Return a number of a limit, None if it is missing or invalid; a check reports the latter."""
    value = node.get(name)
    try:
        return None if value is None else parse_number(value)
    except FormulaError:
        return None


def _read_format(node: Node) -> Format:
    changes = {
        read_text(child, "limit"): None
        if child.get("value") == "off"
        else _read_number(child, "value")
        for child in node.children_named("set")
    }
    return Format(read_text(node, "id"), read_text(node, "name"), changes)


_SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "info": Severity.INFO,
    "off": None,
}
DEFAULT_SHEET = "a4-65x90"
_DEFAULT_BANNER_HEIGHT = 30.0
"""The default height in mm of faction headings drawn by a template."""
DEFAULT_SAFE = 2.0
"""The default width of the outer zone without text, in mm; careful hands cut within 1 mm."""
DEFAULT_RADIUS = 3.0
"""The default radius of corners, in mm."""


def read_setup(root: Node, report: Report, left_out: Iterable[Node] = ()) -> Setup | None:
    """Return the contents of a valid `game.xml`, None after reporting inconsistencies.

    Args:
        left_out: the faulty elements removed from it.
    """
    missing = frozenset((node.tag, read_text(node, "id")) for node in left_out)
    groups = {node.get("id", ""): _read_group(node) for node in root.children_named("group")}
    vocabularies = {
        str(node.get("id")): _read_vocabulary(node) for node in root.children_named("vocabulary")
    }
    kinds = {str(node.get("tag")): _read_kind(node) for node in root.children_named("kind")}
    rules = read_deck_setup(root, kinds)
    lost = {name for tag, name in missing if tag == "limit"}
    if not check_setup(root, kinds, rules.limits, lost, report):
        return None
    tokens = next(root.children_named("tokens"), None)
    sheet = next(root.children_named("sheet"), None)
    markers = list(root.children_named("markers"))
    colors = {
        read_text(n, "name"): resolve_color(read_text(n, "value"))
        for n in _nested_nodes(root, "colors", "color")
    }
    return Setup(
        name=read_text(root, "name"),
        author=read_text(root, "author"),
        version=read_text(root, "version"),
        date=read_text(root, "date"),
        watermark=read_text(root, "watermark").strip(),
        public_key=read_text(root, "public_key"),
        language=read_text(root, "language"),
        words={
            **WORDS,
            **{
                read_text(n, "id"): read_text(n, "text")
                for n in _nested_nodes(root, "words", "word")
            },
        },
        colors=colors,
        fonts={read_text(n, "id"): _read_font(n) for n in _nested_nodes(root, "fonts", "font")},
        hyphenation=tuple(
            read_text(n, "word") for n in _nested_nodes(root, "hyphenation", "exception")
        ),
        groups=tuple(groups.values()),
        vocabularies=vocabularies,
        kinds=kinds,
        tokens=TokenPolicy(
            read_integer(tokens, "minimum", 1) or 0,
            tokens.get("budget"),
            read_integer(tokens, "turns"),
        )
        if tokens
        else TokenPolicy(1, None),
        zones=rules.zones,
        limits=rules.limits,
        formats=rules.formats,
        default_format=rules.default_format,
        worth=rules.worth,
        cost=rules.cost,
        opening=rules.opening,
        generator=read_generator(root),
        symbols={
            read_text(n, "id"): _read_symbol(n, colors)
            for n in _nested_nodes(root, "symbols", "symbol")
        },
        inks=BUILTIN_INKS
        | {read_text(n, "id"): _read_ink(n, colors) for n in _nested_nodes(root, "inks", "ink")},
        markers=tuple(marker for node in markers for marker in read_markers(node, colors)),
        marker_sheet=next(map(read_marker_sheet, markers), None),
        set=root.get("set") or DEFAULT_SET,
        sheet=sheet.get("format", DEFAULT_SHEET) or DEFAULT_SHEET if sheet else DEFAULT_SHEET,
        backs=read_flag(sheet, "backs") if sheet else False,
        reference=_read_reference(sheet),
        reference_styles=_read_reference_styles(sheet),
        deck_sheet=sheet.get("deck") if sheet else None,
        overview_cover=sheet.get("overview-cover") if sheet else None,
        overview_page=sheet.get("overview-page") if sheet else None,
        banner=sheet.get("banner") if sheet else None,
        banner_height=float(
            (sheet.get("banner-height") if sheet else None) or _DEFAULT_BANNER_HEIGHT
        ),
        severities={
            read_text(n, "code"): _SEVERITIES[read_text(n, "is")]
            for n in _nested_nodes(root, "severities", "severity")
        },
        source=root.source,
        sheet_source=sheet.source if sheet else root.source,
        left_out=missing,
    )


def _nested_nodes(root: Node, holder: str, tag: str) -> Iterator[Node]:
    for node in root.children_named(holder):
        yield from node.children_named(tag)


def _read_reference(sheet: Node | None) -> str | None:
    named = sheet.get("reference") if sheet else None
    return None if named == "no" else named


def _read_reference_styles(sheet: Node | None) -> tuple[str, ...] | None:
    named = sheet is not None and "reference-styles" in sheet.attributes
    return read_list(sheet, "reference-styles") if sheet and named else None


def _read_group(node: Node) -> Group:
    races = read_list(node, "races")
    return Group(
        read_text(node, "id"), read_text(node, "name"), races, node.source, node.get("back")
    )


def _read_vocabulary(node: Node) -> Vocabulary:
    terms = {}
    for child in node.children_named("term"):
        data: dict[str, str | int] = {
            name: int(value) if re.fullmatch("[0-9]{1,9}", value) else value
            for name, value in child.attributes.items()
            if name not in {"id", "name", "only", "except"}
        }
        term_id = read_text(child, "id")
        terms[term_id] = Term(term_id, read_text(child, "name"), data, read_audience(child))
    return Vocabulary(read_text(node, "id"), node.get("name") or read_text(node, "id"), terms)


def _read_kind(node: Node) -> Kind:
    return Kind(
        tag=read_text(node, "tag"),
        name=read_text(node, "name"),
        token=read_flag(node, "token"),
        width=float(read_text(node, "width")),
        height=float(read_text(node, "height")),
        face=read_text(node, "face"),
        back=node.get("back"),
        safe=float(node.get("safe") or DEFAULT_SAFE),
        fields=read_fields(node),
        children=tuple(_read_children(child) for child in node.children_named("children")),
        source=node.source,
        parts=node.get("parts"),
        unique=tuple((node.get("unique") or "").split()),
        bleed=float(node.get("bleed") or 0),
        radius=float(node.get("radius") or DEFAULT_RADIUS),
        stock=(node.get("stock") or "").strip(),
    )


def _read_children(node: Node) -> ChildSpec:
    fields = [read_field(child) for child in node.children_named("field")]
    values = tuple(field for field in fields if not field.ignored)
    return ChildSpec(
        tag=read_text(node, "tag"),
        plural=read_text(node, "plural"),
        fields=values,
        ignored=tuple(field.name for field in fields if field.ignored),
        minimum=read_integer(node, "min", 0) or 0,
        maximum=read_integer(node, "max"),
    )


def _read_font(node: Node) -> FontFamily:
    styles = ("regular", "bold", "italic", "bold-italic")
    files = {style: read_text(node, style) for style in styles if node.get(style)}
    return FontFamily(
        read_text(node, "id"),
        node.get("family"),
        files,
        node.source,
        read_integer(node, "weight"),
        read_list(node, "fallback"),
    )


def _read_symbol(node: Node, colors: Mapping[str, str]) -> Symbol:
    color = node.get("color")
    return Symbol(
        read_text(node, "id"),
        read_text(node, "name"),
        read_text(node, "icon"),
        read_text(node, "image"),
        None if color is None else resolve_color(color, colors),
        node.source,
        node.get("text") or "",
    )


def _read_ink(node: Node, colors: Mapping[str, str]) -> SpotInk:
    """Return an ink; missing attributes are those of the built-in ink of that id, or defaults."""
    ink_id, color = read_text(node, "id"), node.get("color")
    usual = BUILTIN_INKS.get(ink_id) or SpotInk(
        ink_id, ink_id, _DEFAULT_INK_COLOR, is_visible=True, overprints=False
    )
    return SpotInk(
        ink_id,
        node.get("name") or usual.name,
        usual.color if color is None else resolve_color(color, colors),
        is_visible=read_flag(node, "seen") if node.get("seen") else usual.is_visible,
        overprints=read_flag(node, "overprint") if node.get("overprint") else usual.overprints,
    )


_DEFAULT_INK_COLOR = "#808080"
"""The color that viewers show for an ink without one."""
