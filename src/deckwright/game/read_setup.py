"""Read `game.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.colors import tint
from deckwright.base.findings import Report, Severity
from deckwright.game.deck_rules import (
    Exemption,
    Format,
    FormulaError,
    Limit,
    Measure,
    Measured,
    MeasureError,
    Number,
    Opening,
    Zone,
    read_measure,
    read_number,
    read_where,
)
from deckwright.game.decklist import DEFAULT_SET
from deckwright.game.generator import (
    MILLION,
    Booster,
    BoosterSlot,
    Demand,
    Generator,
    Names,
    Part,
    Pattern,
    Sheet,
    Special,
    WordFile,
)
from deckwright.game.kinds import Audience, Children, Kind, Term, Vocabulary
from deckwright.game.markers import read_markers, read_sheet
from deckwright.game.read import audience, is_true, listed, number, read_field, read_fields, text
from deckwright.game.setup import SPOT_INKS, FontFamily, Group, Setup, SpotInk, Symbol, TokenRule
from deckwright.game.setup_checks import check_setup
from deckwright.game.setup_findings import numeric_fields
from deckwright.game.words import WORDS
from deckwright.xmlio.node import Node

_BOX = 24


def read_generator(root: Node) -> Generator | None:
    """Return how a game makes decks, None if it does not say."""
    node = next(root.named("generator"), None)
    if node is None:
        return None
    pairs = (_demand(child, "where", "with") for child in node.named("pair"))
    musts = (_demand(child, "", "where") for child in node.named("must"))
    return Generator(
        prefix=node.get("prefix") or "D",
        format=node.get("format"),
        copies=number(node, "copies"),
        parts=tuple(map(_part, node.named("part"))),
        rarity=node.get("rarity"),
        weights={text(n, "is"): number(n, "weight", 1) or 0 for n in node.named("rarity")},
        maverick=next(map(_special, node.named("maverick")), None),
        legacy=next(map(_special, node.named("legacy")), None),
        demands=(*pairs, *musts),
        names=next(map(_names, node.named("names")), None),
        boosters={b.id: b for b in map(_booster, node.named("booster"))},
        source=node.source,
    )


def _part(node: Node) -> Part:
    where = read_where(text(node, "where"))
    houses, cards = number(node, "houses", 1) or 1, number(node, "cards", 1) or 1
    return Part(houses, cards, audience(node), where, node.source)


def _special(node: Node) -> Special:
    return Special(int(Decimal(text(node, "chance")) * MILLION), read_where(text(node, "where")))


def _demand(node: Node, when: str, where: str) -> Demand:
    least = number(node, "min", 1) or 1
    wanted = read_where(text(node, when)) if when else ()
    return Demand(wanted, read_where(text(node, where)), least, node.source)


def _names(node: Node) -> Names:
    return Names(
        tuple(map(_file, node.named("list"))),
        tuple(Pattern(text(n, "is"), number(n, "weight", 1) or 1, n.source)
              for n in node.named("pattern")),
        tuple(map(_file, node.named("forbidden"))),
        unique=node.get("unique") != "false",
    )  # fmt: skip


def _file(node: Node) -> WordFile:
    return WordFile(text(node, "id"), text(node, "file"), node.source)


def _booster(node: Node) -> Booster:
    return Booster(
        text(node, "id"),
        text(node, "name"),
        node.get("format"),
        number(node, "box", _BOX) or _BOX,
        tuple(map(_slot, node.named("slot"))),
        node.source,
    )


def _slot(node: Node) -> BoosterSlot:
    sheets = (
        Sheet(read_where(text(child, "where")), number(child, "copies", 1) or 1)
        for child in node.named("sheet")
    )
    cards, balanced = number(node, "cards", 1) or 1, node.get("balanced") == "true"
    return BoosterSlot(cards, tuple(sheets), balanced, node.source)


class DeckRules(NamedTuple):
    """What `deck` says, as in `Setup`."""

    zones: tuple[Zone, ...]
    limits: tuple[Limit, ...] = ()
    formats: Mapping[str, Format] = MappingProxyType({})
    default_format: str | None = None
    worth: Measure | None = None
    cost: Measure | None = None
    opening: Opening | None = None


def read_deck_rules(root: Node, kinds: Mapping[str, Kind]) -> DeckRules:
    """Return how decks are built; a game that does not say it has one zone and no limits."""
    only = (Zone("main", "main deck", Audience(), root.source),)
    deck = next(root.named("deck"), None)
    if deck is None:
        return DeckRules(only)
    limits = tuple(map(_limit, deck.named("limit")))
    default = (text(node, "id") for node in deck.named("format") if is_true(node, "default"))
    return DeckRules(
        tuple(map(_zone, deck.named("zone"))) or only,
        limits,
        {f.id: f for f in map(_format, deck.named("format"))},
        next(default, None),
        _measure(deck, "worth", kinds),
        _measure(deck, "cost", kinds) or _first_sum(limits),
        next(map(_opening, deck.named("opening")), None),
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


def _measure(deck: Node, name: str, kinds: Mapping[str, Kind]) -> Measure | None:
    """Return a measure of cards, None if there is none or it is wrong, as checks tell."""
    written = deck.get(name)
    if written is None:
        return None
    zones = [text(node, "id") for node in deck.named("zone")]
    try:
        return read_measure(written, numeric_fields(kinds.values()), zones)
    except MeasureError:
        return None


def _first_sum(limits: Iterable[Limit]) -> Measure | None:
    """Return what the first limit keeps low that adds up a field of all cards in its zone."""
    for limit in limits:
        part = limit.where or limit.exemptions or limit.decks
        if limit.sum is not None and limit.max is not None and not part:
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
