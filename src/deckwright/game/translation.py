"""The printed texts of a game in another language.

Each text has a context, a path of ids such as `card/HK:HK3/name`, under which a catalog translates
it. A function of this module goes through all texts of a part of the game: it lists them for
catalogs, and replaces them for print.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Protocol, Self, TypeVar

from deckwright.base.locales import find_locale
from deckwright.base.strings import Translated, escape_text, quote_attribute
from deckwright.game.kinds import Field, FieldValue, Kind
from deckwright.game.language import Language, current_language
from deckwright.game.model import Card, Deck, Faction, Game, Rule
from deckwright.game.setup import Marker, MarkerSide, Setup
from deckwright.xmlio.load import FileError, parse_text
from deckwright.xmlio.node import Node, Source

Replace = Callable[[str, str, Source, str], str]
"""Returns what to print in place of a text, given its context, the text, and its element and
attribute."""


class _Named(Protocol):
    """An element of `game.xml` with a name."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def source(self) -> Source:
        """Its element."""

    def _replace(self, *, name: str = ...) -> Self: ...


N = TypeVar("N", bound=_Named)
T = TypeVar("T")

_WORD = re.compile(r"[^\W\d_]")
_BRACED = re.compile(r"\{[^{}]*\}")


def has_words(text: str) -> bool:
    """Return whether a text has letters besides the names of symbols and icons."""
    return _WORD.search(_BRACED.sub("", text)) is not None


def is_translatable(context: str, text: str) -> bool:
    """Return whether a text is in catalogs: it has words, or is a mark among the printed words."""
    return has_words(text) or (context.startswith("word/") and bool(text))


def _translate(language: Language, context: str, text: str, _: Source, __: str) -> str:
    if not is_translatable(context, text):
        return text
    if isinstance(text, Translated) and text.forms:  # a word for numbers
        forms = language.translate_forms(context, text.forms)
        return Translated(forms[-1], text, forms, language.plurals) if forms else text
    found = language.translate(context, text)
    return text if found is None else Translated(found, text)


def translate_setup(setup: Setup) -> Setup:
    """Return a setup with its texts in the current language."""
    language = current_language()
    if language is None:
        return setup
    translated = replace_setup(setup, partial(_translate, language))
    own = setup.languages.get(language.code)
    return translated._replace(
        language=language.code,
        words={**translated.words, "date": find_locale(language.code).date},
        fonts={**setup.fonts, **own.fonts} if own else setup.fonts,
        hyphenation=own.hyphenation if own else (),
    )


def translate(part: T, replace_texts: Callable[[T, Replace], T]) -> T:
    """Return a part of a game in the current language; `replace_texts` is a function below."""
    language = current_language()
    return part if language is None else replace_texts(part, partial(_translate, language))


def replace_setup(setup: Setup, replace: Replace) -> Setup:
    """Return a setup with its texts replaced."""
    place = setup.source

    def rename(found: N, context: str) -> N:
        return found._replace(name=replace(context, found.name, found.source, "name"))

    def side(found: MarkerSide, context: str, source: Source) -> MarkerSide:
        return found._replace(
            name=replace(f"{context}/name", found.name, source, "name"),
            label=replace(f"{context}/label", found.label, source, "label"),
        )

    def marker(found: Marker) -> Marker:
        context = f"marker/{found.id}"
        other = found.other and side(found.other, f"{context}/other", found.source)
        return found._replace(face=side(found.face, context, found.source), other=other)

    def kind(found: Kind) -> Kind:
        fields = []
        for field in found.fields:
            context, source = f"kind/{found.tag}/{field.name}", field.source or place
            text = replace(context, field.text, source, "text")
            unit = replace(f"{context}/unit", field.unit, source, "unit")
            fields.append(field._replace(text=text, unit=unit))
        return rename(found, f"kind/{found.tag}")._replace(fields=tuple(fields))

    vocabularies = {}
    for vocabulary in setup.vocabularies.values():
        terms = {}
        for term in vocabulary.terms.values():
            context = f"term/{vocabulary.id}/{term.id}"
            texts = {
                key: replace(f"{context}/{key}", text, place, key)
                for key, text in term.data.items()
                if key in vocabulary.texts and isinstance(text, str)
            }
            name = replace(context, term.name, place, "name")
            for key in vocabulary.forms:  # a language without this form needs no translation of it
                if texts.get(key) is term.data[key] and texts.get(key) == str(term.name):
                    texts[key] = name
            terms[term.id] = term._replace(name=name, data={**term.data, **texts})
        name = replace(f"vocabulary/{vocabulary.id}", vocabulary.name, place, "name")
        vocabularies[vocabulary.id] = vocabulary._replace(name=name, terms=terms)
    sheet, top = setup.marker_sheet, setup.tabletop
    return setup._replace(
        name=replace("game/name", setup.name, place, "name"),
        words={
            key: text if key == "date" else replace(f"word/{key}", text, place, "text")
            for key, text in setup.words.items()
        },
        vocabularies=vocabularies,
        kinds={tag: kind(found) for tag, found in setup.kinds.items()},
        symbols={key: rename(found, f"symbol/{key}") for key, found in setup.symbols.items()},
        groups=tuple(rename(found, f"group/{found.id}") for found in setup.groups),
        zones=tuple(rename(found, f"zone/{found.id}") for found in setup.zones),
        limits=tuple(rename(found, f"limit/{found.id}") for found in setup.limits),
        formats={
            key: found._replace(name=replace(f"format/{key}", found.name, place, "name"))
            for key, found in setup.formats.items()
        },
        marker_sheet=sheet and sheet._replace(markers=tuple(map(marker, sheet.markers))),
        tabletop=top._replace(
            areas=tuple(rename(found, f"area/{found.id}") for found in top.areas),
            sums=tuple(rename(found, f"sum/{found.name}") for found in top.sums),
        ),
    )


def replace_game(game: Game, replace: Replace) -> Game:
    """Return a game with the texts of its factions, rules and cards replaced."""

    def faction(found: Faction) -> Faction:
        context, source = f"faction/{found.id}", found.source
        return found._replace(
            name=replace(f"{context}/name", found.name, source, "faction_name"),
            race=replace(f"race/{found.race}", found.race, source, "race_name"),
            description=replace(f"{context}/description", found.description, source, ""),
        )

    def card(found: Card) -> Card:
        # Copies of a card that factions share have the texts of the first.
        context = f"card/{found.faction_id}:{found.id}"
        return _replace_card(found, game.setup, context, replace)

    def rule(found: Rule) -> Rule:
        context, source = f"rule/{found.id}", found.source
        labels = {
            race: replace(f"{context}/label/{race}", text, found.label_sources[race], race)
            for race, text in found.labels.items()
        }
        tokens = (
            _replace_card(token, game.setup, f"token/{token.id}", replace) for token in found.tokens
        )
        return found._replace(
            effect=replace(f"{context}/effect", found.effect, source, "effect"),
            brief=found.brief and replace(f"{context}/brief", found.brief, source, "brief"),
            labels=labels,
            tokens=tuple(tokens),
        )

    return game._replace(
        factions={id_: faction(found) for id_, found in game.factions.items()},
        rules={id_: rule(found) for id_, found in game.rules.items()},
        cards={key: card(found) for key, found in game.cards.items()},
        restrictions=tuple(
            found._replace(
                name=replace(f"restrictions/{found.since}", found.name, found.source, "name")
            )
            for found in game.restrictions
        ),
    )


def replace_deck(deck: Deck, replace: Replace) -> Deck:
    """Return a deck with its name replaced."""
    name = replace(f"deck/{deck.stem}/name", deck.name, deck.source, "name")
    return deck._replace(name=name)


def _replace_card(card: Card, setup: Setup, context: str, replace: Replace) -> Card:
    def value(field: Field, found: FieldValue, path: str, source: Source) -> FieldValue:
        if not field.is_printed_text:
            return found
        if isinstance(found, str):
            return replace(f"{path}/{field.name}", found, source, field.name)
        if isinstance(found, tuple):
            return tuple(
                replace(f"{path}/{field.name}/{number}", str(part), source, field.name)
                for number, part in enumerate(found, 1)
            )
        return found

    fields: Mapping[str, FieldValue] = {
        field.name: value(field, card.fields[field.name], context, card.source)
        for field in card.kind.fields
        if field.name in card.fields
    }
    children = {
        spec.tag: tuple(
            child._replace(
                values={
                    field.name: value(
                        field, child.values[field.name], f"{context}/{spec.tag}/{n}", child.source
                    )
                    for field in spec.fields
                }
            )
            for n, child in enumerate(card.children.get(spec.tag, ()), 1)
        )
        for spec in card.kind.children
    }
    return card._replace(
        kind=setup.kinds[card.kind.tag],  # its texts are those of the setup's language
        name=replace(f"{context}/name", card.name, card.source, "name"),
        fields={**card.fields, **fields},
        children=children,
    )


_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_SPACES = re.compile(r"\s+")
_TAG = re.compile(r"<[^<>]*>")
_STRUCTURE = ("p", "list", "item")
"""Elements within a text of a template that are texts of their own."""
_CONTROLS = frozenset(("each", "when"))
_BOOK_TITLES = ("title", "subtitle", "term")
"""The attributes of a rulebook's elements that are printed."""
_BOOK_TEXTS = ("p", "item", "cell", "definition", "callout")
"""The elements of a rulebook that hold text."""
_BLOCKS = ("list",)
"""Elements within these that are no part of their text."""


def replace_template(root: Node, name: str, replace: Replace) -> Node:
    """Return a template with its texts replaced, without those in expressions."""
    context = f"template/{name}"

    def has_text(text: str) -> bool:
        return has_words(_EXPRESSION.sub("", text))

    def replace_run(node: Node, text: str) -> str:
        if not has_text(text):
            return text
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        inner = _SPACES.sub(" ", text[start:end])
        return text[:start] + replace(context, inner, node.source, "") + text[end:]

    def visit(node: Node, *, is_text: bool) -> Node:
        inside = is_text or node.tag == "text"
        attributes = dict(node.attributes)
        if has_text(attributes.get("alt", "")):
            attributes["alt"] = replace(context, attributes["alt"], node.source, "alt")
        text, children = node.text, node.children
        if inside and children and not any(map(_has_structure, children)):
            text, children = _replace_inner(node, context, replace, has_text)
        else:
            text = replace_run(node, text) if inside else text
            children = [visit(child, is_text=inside) for child in children]
        tail = replace_run(node, node.tail) if is_text else node.tail
        return Node(node.tag, attributes, node.source, text, tail, children)

    return visit(root, is_text=False)


def _has_structure(node: Node) -> bool:
    """Return whether an element within a text is more than a part of a sentence."""
    return (
        node.tag in _STRUCTURE
        or not _CONTROLS.isdisjoint(node.attributes)
        or any(map(_has_structure, node.children))
    )


def _replace_inner(
    node: Node, context: str, replace: Replace, has_text: Callable[[str], bool]
) -> tuple[str, list[Node]]:
    """Return the contents of an element, replaced together with their markup."""
    inner = _SPACES.sub(" ", format_inner(node.text, node.children)).strip()
    if has_text(_TAG.sub("", inner)):
        replaced = replace(context, inner, node.source, "")
        if replaced is not inner and (root := parse_inner(replaced, node.source)):
            return root.text, root.children
    return node.text, node.children


def replace_book(root: Node, replace: Replace, context: str = "book") -> Node:
    """Return a section of a rulebook with its texts replaced; each has the markup within it."""
    if root.get("id"):
        context = f"book/{root.get('id')}"
    attributes = {
        name: replace(context, text, root.source, name) if name in _BOOK_TITLES else text
        for name, text in root.attributes.items()
    }
    text, inline, blocks = root.text, list[Node](), root.children
    if root.tag in _BOOK_TEXTS:
        blocks = [child for child in root.children if child.tag in _BLOCKS]
        inline = [child for child in root.children if child.tag not in _BLOCKS]
        sentence = Node(root.tag, {}, root.source, text, children=inline)
        text, inline = _replace_inner(sentence, context, replace, has_words)
    children = [*inline, *(replace_book(child, replace, context) for child in blocks)]
    return Node(root.tag, attributes, root.source, text, root.tail, children)


def format_inner(text: str, children: Iterable[Node]) -> str:
    """Return the XML of an element's contents."""
    parts = [escape_text(text)]
    for child in children:
        attributes = "".join(
            f" {name}={quote_attribute(value)}" for name, value in child.attributes.items()
        )
        inner = format_inner(child.text, child.children)
        parts.append(f"<{child.tag}{attributes}" + (f">{inner}</{child.tag}>" if inner else "/>"))
        parts.append(escape_text(child.tail))
    return "".join(parts)


def parse_inner(xml: str, source: Source) -> Node | None:
    """Return an element with these contents, whose place is `source`; None if it is malformed."""
    try:
        root = parse_text(source.path, f"<p>{xml}</p>")
    except FileError:
        return None
    for node in root.walk():
        node.source = source
    return root
