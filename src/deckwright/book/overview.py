"""The overview of a game as blocks, and the drawings of templates in books."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.locales import sort_key
from deckwright.base.units import Mm
from deckwright.book.covers import (
    Opening,
    color_of,
    draw_key,
    draw_opening,
    draw_plain_cover,
    find_key,
)
from deckwright.book.model import (
    Block,
    Contents,
    Gallery,
    GalleryPicture,
    Heading,
    IndexEntry,
    ListItem,
    PageBackgrounds,
    Paragraph,
    Theme,
    count_columns,
    min_legible_scale,
    page_capacity,
)
from deckwright.book.text import check_text, make_text, parse_markup
from deckwright.faces.factory import FaceFactory
from deckwright.faces.faulty import replace_missing_letters
from deckwright.game.context import Context
from deckwright.game.model import Card, Faction, Game, Rule
from deckwright.game.words import format_cost
from deckwright.ops.model import DrawGlyphs, Face, walk
from deckwright.xmlio.node import Source

_MIN_CATALOG_SCALE = 0.85
"""The smallest scale of cards in an overview."""
_MIN_ART = 7
"""Of how many cards of a faction there are pictures at least, or of half of them."""
_MAX_COUNTED = 2_000
"""How many shapes of a picture count: more make it no richer."""
_CARDS_BELOW = 8
"""The number of cards on the page of an opening."""
_CONTENTS_HEAD, _CONTENTS_LINE, _CONTENTS_MARGIN = 28.0, 7.0, 12.0
"""The heights of the heading and of each line of contents beside cards, and their margins."""


def group_by_race(game: Game, faction_ids: Iterable[str]) -> dict[str, list[Faction]]:
    """Return factions by race, in the order of the game."""
    wanted = set(faction_ids)
    races: dict[str, list[Faction]] = {}
    for faction in game.factions.values():
        if faction.id in wanted:
            races.setdefault(faction.race, []).append(faction)
    return races


def race_anchor(race: str) -> str:
    """Return the anchor of a race's heading."""
    return f"race-{race}"


def faction_anchor(faction_id: str) -> str:
    """Return the anchor of a faction's heading."""
    return f"faction-{faction_id}"


def make_race_blocks(
    factions: Iterable[str],
    factory: FaceFactory,
    report: Report,
    *,
    level: int,
    numbers: Iterator[str],
) -> Iterator[Block]:
    """Yield the blocks of factions, under headings of a level for their races.

    Args:
        numbers: the numbers of all headings, in order.
    """
    for race, members in group_by_race(factory.game, factions).items():
        yield Heading(level, next(numbers), race, race_anchor(race))
        for faction in members:
            heading = Heading(
                level + 1,
                next(numbers),
                faction.name,
                faction_anchor(faction.id),
                color_of(faction, factory),
            )
            yield from _make_faction_blocks(faction, heading, factory, report)


def _make_faction_blocks(
    faction: Faction, heading: Heading, factory: FaceFactory, report: Report
) -> Iterator[Block]:
    """Yield the blocks of a faction: heading, description, cards, tokens and rules."""
    yield heading
    if faction.description:
        text = make_text(faction.description)
        check_text(text, faction.source, factory.text_font, factory, report)
        yield Paragraph(text, faction.source)
    game = factory.game
    cards = _cards_of(game, faction)
    tokens = _collect_tokens(game, cards)
    if cards:
        yield Gallery(_picture_cards(cards, faction, factory, report))
    if tokens:
        word, anchor = game.setup.words["tokens"], f"{heading.anchor} tokens"
        yield Heading(0, "", word, anchor, heading.color)
        yield Gallery(_picture_cards(tokens, faction, factory, report))
    yield from _describe_rules((*cards, *tokens), faction, factory, report)


def make_catalog(
    factions: Sequence[str],
    factory: FaceFactory,
    report: Report,
    theme: Theme,
    contents: Contents | None = None,
) -> Iterator[Block]:
    """Yield the blocks of factions, each with its rules after its cards.

    Factions with the same cards share a section, in which these take turns. Without a template for
    headings of factions, a section opens with pictures as high as a card and so wide that its rows
    are complete, with the key to symbols unless the contents have it. Sections without rules follow
    each other on a page unless they are larger than one. Races have headings if there are several,
    and one has several factions.

    Args:
        contents: precede the factions, or are as large as a card if they have a color.
    """
    game, sections = factory.game, list[_Section]()
    races = group_by_race(game, factions)
    alone = len(races) == 1 or all(len(members) == 1 for members in races.values())
    twins = find_twins(game, factions)
    if contents is not None and contents.color is None:
        yield contents
    for race, members in races.items():
        headings = [] if alone else [Heading(1, "", race, race_anchor(race))]
        for faction in (each for each in members if each.id not in twins):
            same = [each for each in members if faction.id in {each.id, twins.get(each.id)}]
            cards = _cards_of(game, faction)
            shown = (*cards, *_collect_tokens(game, cards))
            sets = [_picture_cards(shown, faction, factory, report)]
            sets += (_picture_cards(_cards_of(game, t), t, factory, report) for t in same[1:])
            arts = _choose_art(cards, same, factory, report)
            openings = list[Opening]()
            for place, each in enumerate(same):
                anchor, color = faction_anchor(each.id), color_of(each, factory)
                headings.append(Heading(2 - alone, "", each.name, anchor, color))
                before, description = len(report), make_text(each.description)
                check_text(description, each.source, factory.text_font, factory, report)
                if game.setup.banner:
                    yield from headings
                    if each.description:
                        yield Paragraph(description, each.source)
                else:
                    printable = each.description if len(report) == before else ""
                    kind = next(iter((*(c.kind for c in cards), *game.setup.kinds.values())))
                    art = tuple(row[place] for row in (*arts[place:], *arts[:place]))
                    openings.append(Opening(each, tuple(headings), printable, kind, art))
                headings = []
            pictures = (
                picture._replace(min_scale=max(picture.min_scale, _MIN_CATALOG_SCALE))
                for picture in _alternate(sets)
            )
            rules = (*_describe_rules(shown, faction, factory, report),)
            art = tuple(row[place % len(same)] for place, row in enumerate(arts))
            color = color_of(faction, factory)
            gallery = Gallery(tuple(pictures), rules, color=color, art=art)
            sections.append(_Section(tuple(openings), gallery, tuple(cards)))
            if game.setup.banner:
                yield gallery
    if not game.setup.banner:
        yield from _open_sections(sections, factory, theme, contents)


class _Section(NamedTuple):
    """The openings of factions that share cards, these cards, and their pictures and rules."""

    openings: tuple[Opening, ...]
    gallery: Gallery
    cards: tuple[Card, ...]


def _open_sections(
    sections: Sequence[_Section], factory: FaceFactory, theme: Theme, contents: Contents | None
) -> Iterator[Gallery]:
    """Yield galleries with openings, those without rules and of at most a page as one."""
    pictures = [picture for section in sections for picture in section.gallery.pictures]
    columns, most = count_columns(pictures, theme), page_capacity(pictures, theme)
    cards = [card for section in sections for card in section.cards]
    key = find_key(cards, [picture.face for picture in pictures], factory)
    beside = contents if contents and contents.color else None
    if key and beside and beside.color:
        kind = sections[0].openings[0].kind
        lines = sum(len(opening.headings) for each in sections for opening in each.openings)
        drawn = draw_key(key, kind.width - _CONTENTS_MARGIN, beside.color, factory)
        if drawn.height + lines * _CONTENTS_LINE + _CONTENTS_HEAD <= kind.height:
            beside, key = beside._replace(key=drawn), []
    # With pictures, each page of small sections is complete; without, the next one follows anyhow.
    drawn_all = all(opening.art for section in sections for opening in section.openings)
    counts = [len(each.openings) + len(each.gallery.pictures) for each in sections]
    counts[:1] = [count + (beside is not None) for count in counts[:1]]
    heights = [math.ceil(count / columns) for count in counts]
    page, smalls = most // columns, []
    for section, count, height in zip(sections, counts, heights, strict=True):
        small = height <= page if drawn_all else count <= most
        smalls.append(small and not section.gallery.texts)
    waiting, used = None, 0
    for place, (openings, cards_only, _) in enumerate(sections):
        small, count, height = smalls[place], counts[place], heights[place]
        joins = waiting is not None and small and (not drawn_all or used + height <= page)
        used = height + (used if joins else 0)
        alone = not any(smalls[place + 1 : place + 2]) or used + heights[place + 1] > page
        # A row below others has a card, so that no section opens at the end of a page.
        taken = len(openings) - 1 + (beside is not None or joins)
        span, rows = min(1 + -count % columns, max(columns - taken, 1)), 1
        if drawn_all and small and alone and not joins and len(openings) == 1 and used < page:
            large = min((page * columns - count + 1) // 2, columns - 1 - taken)
            if 2 * large + count - 1 > (page - 1) * columns:  # the last row has a card
                span, rows = large, 2
        opened = list[GalleryPicture]()
        shown = 0
        for opening in openings:
            face, number = draw_opening(opening, (span, rows), key, factory)
            shown += number
            anchor = faction_anchor(opening.faction.id)
            opened.append(GalleryPicture(face, "", anchor, 0, opening.headings, span, rows))
            key, span = [] if beside else key, 1
        gallery = cards_only._replace(
            pictures=(*opened, *cards_only.pictures),
            contents=beside,
            art=(*cards_only.art[shown:], *cards_only.art[:shown]),  # openings have the first ones
        )
        beside = None
        if waiting is not None and joins:
            together = (*waiting.pictures, *gallery.pictures)
            waiting = waiting._replace(pictures=together, art=(*waiting.art, *gallery.art))
            continue
        yield from [waiting] if waiting else []
        waiting = gallery if small else None
        yield from [] if small else [gallery]
    yield from [waiting] if waiting else []


def _alternate(sets: Sequence[Sequence[GalleryPicture]]) -> Iterator[GalleryPicture]:
    """Yield the cards of factions that have the same ones, each in the colors of the next one."""
    anchors = [*dict.fromkeys(picture.anchor for picture in sets[0])]
    for place, picture in enumerate(sets[0]):
        turn = anchors.index(picture.anchor) % len(sets)
        yield sets[turn][place]._replace(anchor=picture.anchor)


def _choose_art(
    cards: Sequence[Card], factions: Sequence[Faction], factory: FaceFactory, report: Report
) -> list[tuple[Face, ...]]:
    """Return pictures of cards, or of a back, in the colors of factions.

    The richest one is first, unless it is among the cards that follow on the same page.
    """
    kinds = Counter(card.kind.tag for card in cards)
    usual = [card for card in cards if card.kind.tag == max(kinds, key=kinds.__getitem__)]

    def count_ops(face: Face) -> int:
        return sum(1 for _ in islice(walk(face.ops), _MAX_COUNTED))

    shown = []
    for card in (each for each in usual if each.parts == 1):
        faces = [factory.card_face(card, each.id, report) for each in factions]
        if all(faces):
            shown.append((card, [*filter(None, faces)]))
    shown.sort(key=lambda each: -count_ops(each[1][0]))
    rows = []
    for card, same in shown[: max(len(shown) // 2, _MIN_ART)]:
        pictures = [*map(factory.picture_of, same)]
        if all(pictures):
            rows.append((card in cards[:_CARDS_BELOW], (*filter(None, pictures),)))
    if not rows and cards:
        backs = [factory.card_back(cards[0], each.id, report) for each in factions]
        return [(*filter(None, backs),)] if all(backs) else []
    rows.sort(key=lambda row: (row[0], -count_ops(row[1][0])))
    return [pictures for _, pictures in rows]


def find_twins(game: Game, faction_ids: Collection[str]) -> dict[str, str]:
    """Return the factions that have just the cards of another one, which is shown, by its id."""
    twins = {}
    for faction in map(game.factions.__getitem__, faction_ids):
        owner = game.factions.get(faction.cards_of or "")
        if owner and owner.id in faction_ids and owner.race == faction.race:
            cards, own = ([c.id for c in _cards_of(game, each)] for each in (owner, faction))
            if cards == own and not owner.cards_of:
                twins[faction.id] = owner.id
    return twins


def _cards_of(game: Game, faction: Faction) -> list[Card]:
    every = (*game.cards.values(), *game.stubs.values())
    return [card for card in every if card.faction_id == faction.id]


def _describe_rules(
    cards: Iterable[Card], faction: Faction, factory: FaceFactory, report: Report
) -> Iterator[Heading | ListItem]:
    """Yield the rules of cards, under headings for passive and active ones."""
    words, anchor = factory.game.setup.words, faction_anchor(faction.id)
    color = color_of(faction, factory)
    rules = sorted(
        _collect_rules(factory.game, cards),
        key=lambda rule: sort_key(rule.any_label(faction.race), factory.game.setup.language),
    )
    for active, word in ((False, "passive"), (True, "active")):
        some = [rule for rule in rules if rule.active == active]
        if some:
            yield Heading(0, "", words[word], f"{anchor} {word}", color)
        for rule in some:
            name = rule.any_label(faction.race)
            if rule.active and rule.cost is not None:
                name += format_cost(words, rule.cost)
            (mark,) = make_text(name, bold=rule.active, italic=not rule.active)
            mark = mark._replace(anchors=(_rule_anchor(faction.id, rule.id),))
            effect = tuple(parse_markup(rule.effect))
            for text in ((mark,), effect):
                check_text(text, rule.source, factory.text_font, factory, report)
            yield ListItem((mark,), (Paragraph(effect, rule.source),), "rule")


def _picture_cards(
    cards: Sequence[Card], faction: Faction, factory: FaceFactory, report: Report
) -> tuple[GalleryPicture, ...]:
    """Return the faces of cards; they have captions unless all show the names of their cards."""
    pictures, all_named = [], True
    factory.prefetch([(card, faction.id) for card in cards], report)
    for card in cards:
        faces = factory.card_faces(card, faction.id, report)
        for number, face in enumerate(faces, 1):
            caption = replace_missing_letters(card.name, factory.text_font, factory.metrics)
            caption += f" {number}/{card.parts}" if card.parts > 1 else ""
            anchor = _card_anchor(faction.id, card.id)
            pictures.append(GalleryPicture(face, caption, anchor, min_legible_scale(face)))
            shown = "".join(op.text for op in walk(face.ops) if isinstance(op, DrawGlyphs))
            all_named = all_named and _squeeze(card.name) in _squeeze(shown)
    return tuple(picture._replace(caption="") if all_named else picture for picture in pictures)


def _squeeze(text: str) -> str:
    """Return a text in lower case without spaces and punctuation, to compare it."""
    return re.sub(r"[\W_]", "", text).casefold()


def _collect_rules(game: Game, cards: Iterable[Card]) -> list[Rule]:
    """Return the rules of cards, each once."""
    ids = dict.fromkeys(rule_id for card in cards for rule_id in card.rule_ids())
    return [game.rules[rule_id] for rule_id in ids if rule_id in game.rules]


def _collect_tokens(game: Game, cards: Iterable[Card]) -> list[Card]:
    """Return the tokens that cards create, directly or through other tokens."""
    tokens: dict[str, Card] = {}
    makers = list(cards)
    for maker in makers:  # the list grows by the tokens found
        for token in (token for rule in _collect_rules(game, [maker]) for token in rule.tokens):
            if token.id not in tokens:
                tokens[token.id] = token
                makers.append(token)
    return list(tokens.values())


def _card_anchor(faction_id: str, card_id: str) -> str:
    """Return the anchor of a card or token in the gallery of a faction."""
    return f"card {faction_id} {card_id}"


def _rule_anchor(faction_id: str, rule_id: str) -> str:
    """Return the anchor of a rule in the list of a faction."""
    return f"rule {faction_id} {rule_id}"


def index_cards(game: Game, faction_ids: Iterable[str]) -> tuple[IndexEntry, ...]:
    """Return the index entries of the cards of factions, told apart if they share a name."""
    cards = [
        (card, game.factions[faction_id].name)
        for faction_id in faction_ids
        for card in game.cards.values()
        if card.faction_id == faction_id
    ]
    names = Counter(card.name for card, _ in cards)
    pairs = Counter((card.name, owner) for card, owner in cards)

    def term(card: Card, owner: str) -> str:
        if names[card.name] == 1:
            return card.name
        return f"{card.name} ({owner if pairs[card.name, owner] == 1 else card.id})"

    entries = [
        IndexEntry(term(card, owner), "", (_card_anchor(card.faction_id, card.id),))
        for card, owner in cards
    ]
    return sort_entries(entries, game.setup.language)


def index_rules(game: Game, faction_ids: Iterable[str]) -> tuple[IndexEntry, ...]:
    """Return the index entries of the rules of factions, with the cards that use them."""
    rules: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for faction_id in faction_ids:
        race = game.factions[faction_id].race
        cards = [card for card in game.cards.values() if card.faction_id == faction_id]
        for card in (*cards, *_collect_tokens(game, cards)):
            for rule in _collect_rules(game, [card]):
                key = rule.any_label(race), rule.id
                users, anchors = rules.setdefault(key, ({}, {}))
                users[card.name] = None
                anchors[_rule_anchor(faction_id, rule.id)] = None
    entries = (
        IndexEntry(name, ", ".join(users), tuple(anchors))
        for (name, _), (users, anchors) in rules.items()
    )
    return sort_entries(entries, game.setup.language)


def sort_entries(entries: Iterable[IndexEntry], language: str) -> tuple[IndexEntry, ...]:
    """Return entries in the alphabetical order of a language."""
    return tuple(sorted(entries, key=lambda entry: (sort_key(entry.term, language), entry.note)))


class TemplateRef(NamedTuple):
    """A reference to a template by the name of its file, None for none.

    Attributes:
        source, attribute: the place that names it.
        height: the height of its drawing, if that is not a page.
    """

    template: str | None
    source: Source
    attribute: str
    height: Mm = 0


class BookTemplates:
    """Draws the templates of one book."""

    def __init__(
        self, titles: tuple[str, str, str], theme: Theme, factory: FaceFactory, report: Report
    ) -> None:
        """Draw for a book with `titles`: title, subtitle and color."""
        title, subtitle, color = titles
        self._titles, self._theme, self._factory, self._report = titles, theme, factory, report
        contexts, factions = factory.contexts, factory.game.factions
        self._factions = {faction_anchor(each): contexts.faction_context(each) for each in factions}
        self._page: Context = {
            "width": theme.width,
            "height": theme.height,
            "left": theme.margin_x,
            "top": theme.margin_top,
            "bottom": theme.margin_bottom,
        }
        self._context: Context = {
            "book": {"title": title, "subtitle": subtitle, "color": color},
            "factions": [*self._factions.values()],
            "cards": contexts.card_contexts,
        }

    def draw_page(self, ref: TemplateRef, side: str = "right") -> Face | None:
        """Return a page drawn by a template, None if there is none."""
        size = (self._theme.width, self._theme.height)
        return self._compose(ref, size, {"page": {**self._page, "side": side}})

    def draw_backgrounds(self, ref: TemplateRef) -> PageBackgrounds | None:
        """Return the backgrounds of left and right pages, None if there are none."""
        left, right = self.draw_page(ref, "left"), self.draw_page(ref, "right")
        return None if left is None or right is None else PageBackgrounds(left, right)

    def draw_cover(
        self, ref: TemplateRef, faction_ids: Collection[str] | None = None
    ) -> Face | None:
        """Return the cover drawn by a template, or a plain one; None stands for all factions."""
        if ref.template is None:
            shown = self._factory.game.factions if faction_ids is None else faction_ids
            return draw_plain_cover(self._titles, shown, self._theme, self._factory, self._report)
        return self.draw_page(ref)

    def add_heading(
        self, block: Block, chapters: TemplateRef, sections: TemplateRef, factions: TemplateRef
    ) -> Block:
        """Return a block; the heading of a part or faction gets the drawing of its template."""
        if isinstance(block, Contents):
            plain = Heading(1, "", block.title, "")
            return block._replace(face=self._draw_heading(plain, chapters))
        if not isinstance(block, Heading):
            return block
        if block.anchor in self._factions:
            return block._replace(face=self._draw_heading(block, factions))
        if block.level == 1 and not block.minor:
            return block._replace(face=self._draw_heading(block, chapters))
        if block.level == 2 or block.minor:
            return block._replace(face=self._draw_heading(block, sections))
        return block

    def _draw_heading(self, heading: Heading, ref: TemplateRef) -> Face | None:
        seen = {"id": heading.anchor, "number": heading.number, "title": heading.title}
        context: Context = {"heading": seen}
        if heading.anchor in self._factions:
            context["faction"] = self._factions[heading.anchor]
        return self._compose(ref, (self._theme.column, ref.height), context)

    def _compose(self, ref: TemplateRef, size: tuple[Mm, Mm], more: Context) -> Face | None:
        if ref.template is None:
            return None
        context = {**self._context, "page": self._page, **more}
        return self._factory.compose_drawing(
            ref.template, ref.source, context, size, self._report, ref.attribute
        )
