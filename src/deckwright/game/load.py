"""Load a game from its folder: find, parse, validate, read.

Every function reports errors and goes on with the rest, so that one run finds all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright import __version__
from deckwright.base.files import (
    find_unreadable_folders,
    is_file,
    is_folder,
    is_inside,
    list_folder,
    path_exists,
)
from deckwright.base.findings import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    cap_findings,
    known_hint,
    nearest_hint,
)
from deckwright.base.output import report_failure
from deckwright.base.units import format_plain
from deckwright.expressions import ExpressionSyntaxError
from deckwright.game import read, shapes
from deckwright.game.context import Context, ContextBuilder
from deckwright.game.decklist import iter_references
from deckwright.game.folder import GameFolder, faction_id_of, is_table, xml_files_below
from deckwright.game.kinds import Expression, Field, FieldValue, Kind, parse_value, shape_of
from deckwright.game.language import picture_folders
from deckwright.game.model import (
    Card,
    CardKey,
    Deck,
    Faction,
    Game,
    GameOmissions,
    Omissions,
    RestrictionList,
    Rule,
)
from deckwright.game.pictures import PictureFinder
from deckwright.game.read import CardFile, ParsedFile, ValidatedFile, load_validated, read_cached
from deckwright.game.setup import DEFAULT_SET, VERSION, Setup, game_shape
from deckwright.game.setup_checks import check_setup
from deckwright.game.translation import replace_deck, replace_game, translate, translate_setup
from deckwright.game.words import complete_terms, complete_words
from deckwright.xmlio.binding import read_model
from deckwright.xmlio.load import (
    X006,
    FileError,
    load_document,
    load_text,
    overridden_paths,
    parse_incrementally,
    parse_text,
)
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Value
from deckwright.xmlio.validate import R007, validate_and_prune

if TYPE_CHECKING:
    from deckwright.expressions.expressions import Expressions
    from deckwright.game.tables import TableContents

G008 = Code("G008", Severity.ERROR, "a field that cannot be computed")

X008 = Code("X008", Severity.ERROR, "a game that needs a newer version of Deckwright")

_UPGRADE = (
    "upgrade it with `uv tool upgrade deckwright` or `pip install -U deckwright`, or with "
    "`git pull` in a clone"
)
_MAX_VALUE = 50_000
"""The longest computed value of a field, in characters."""
_MAX_SHOWN = 60


class _ComputedField(NamedTuple):
    """A field to compute, and the program that does so."""

    kind: Kind
    field: Field
    value: Expression
    run: Callable[[Mapping[str, object]], str]
    names: frozenset[str]


def compute_fields(game: Game, report: Report) -> Game:
    """Return the game with the computed fields of its cards."""
    if not any(field.value for kind in game.setup.kinds.values() for field in kind.fields):
        return game
    from deckwright.expressions.expressions import Expressions  # imports Jinja

    expressions = Expressions(picture_folders(game.folder / "img"), language=game.setup.language)
    base = ContextBuilder(game).base_context()
    findings: Report = []
    steps = [
        s for kind in game.setup.kinds.values() for s in _order_fields(kind, expressions, findings)
    ]
    pending = {(step.kind.tag, step.field.name) for step in steps}
    for step in steps:
        game = _compute_field(game, step, ContextBuilder(game, pending), base, findings)
        pending.discard((step.kind.tag, step.field.name))
    report.extend(cap_findings(findings, single_file=True))
    return game


def _order_fields(kind: Kind, expressions: Expressions, report: Report) -> Iterator[_ComputedField]:
    """Yield the computed fields of a kind in order; report invalid ones."""
    later = {field.name for field in kind.fields if field.value}
    for field in kind.fields:
        value = field.value
        if value is None:
            continue
        place, grammar = value.source.at("value"), expressions.new_grammar()
        try:
            code = expressions.compile(expressions.parse_value(value.text, grammar))
        except ExpressionSyntaxError as error:
            message = f"the value of the field `{field.name}` cannot be read: {error.message}"
            hint = error.hint or "write expressions as `{{ strength + costs }}`"
            report.append(G008.at(place, message, hint))
            continue
        finally:
            used = later & grammar.known_names
            later.discard(field.name)
        if used:
            other, name = min(used), field.name
            message, hint = f"the field `{name}` is computed from itself", "use other fields"
            if other != name:
                message = f"the field `{name}` is computed from `{other}`, which comes after it"
                hint = (
                    f"put `{other}` before `{name}`; two fields cannot be computed from each other"
                )
            report.append(G008.at(place, message, hint))
            continue
        run = partial(expressions.run, expressions.load_program(code), max_length=_MAX_VALUE)
        yield _ComputedField(kind, field, value, run, frozenset(grammar.known_names))


def _compute_field(
    game: Game, step: _ComputedField, contexts: ContextBuilder, base: Context, report: Report
) -> Game:
    """Return the game with one more computed field."""
    shape = shape_of(step.field, game.setup.terms_of(step.field))

    def compute(card: Card, faction_id: str) -> Card:
        # A card that was not read again has the kind of a former reading.
        if card.kind.tag != step.kind.tag or not game.can_show(card, faction_id):
            return card
        seen = contexts.card_context(card, faction_id)
        value = _compute_value(step, card, {**base, **seen, "card": seen}, shape, report)
        return card._replace(fields={**card.fields, step.field.name: value})

    if not step.kind.token:
        cards = {key: compute(card, card.faction_id) for key, card in game.cards.items()}
        return game._replace(cards=cards)
    anyone = next(iter(game.factions), "")
    makers = {id(each.card): each.faction_id or anyone for each in game.printable_cards()}
    rules = {
        rule.id: rule._replace(tokens=tuple(compute(t, makers[id(t)]) for t in rule.tokens))
        for rule in game.rules.values()
    }
    return game._replace(rules=rules)


def _compute_value(
    step: _ComputedField, card: Card, context: Mapping[str, object], shape: Value, report: Report
) -> FieldValue:
    """Return the computed value of a field; report a failure and return the default instead."""
    from deckwright.expressions.grammar import explain_error, name_hint

    place, what = step.value.source.at("value"), f"{card.subject}: `{step.field.name}`"
    try:
        text = step.run(context)
    except Exception as error:  # noqa: BLE001 - whatever an expression can raise
        missing = sorted(name for name in step.names if context.get(name, 0) is None)
        hint = name_hint(error, context)
        if missing:
            hint = f"the card has no `{missing[0]}`; write `({missing[0]} or 0)`"
        message = f"{what} cannot be computed: {explain_error(error)}"
        report.append(G008.at(place, message, hint))
        return step.field.default
    text = text.strip().lower() if step.field.type == "flag" else text.strip()
    if step.field.numeric:
        with suppress(ValueError):
            text = format_plain(float(text))
    if not text and step.field.type != "text":
        return step.field.default
    if shape.accepts(text):
        return parse_value(step.field, text)
    excerpt = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    hint = "round it, as in `{{ (costs / 2)|round|int }}`" if shape.kind == "integer" else None
    message = f"{what} must be {shape.description}, but is computed as `{excerpt}`"
    report.append(G008.at(place, message, hint))
    return step.field.default


R008 = Code("R008", Severity.ERROR, "a card in the file of another faction")


def load_cards(file: Path, setup: Setup, report: Report) -> CardFile:
    """Return the cards of a card file, without faulty ones.

    Cards of another faction are reported and then treated as cards of the file's faction.
    """
    return read_cached(file, lambda former: _read_cards(file, setup, former), report).cards


def _read_cards(file: Path, setup: Setup, previous: ParsedFile | None) -> ParsedFile:
    findings: Report = []
    try:
        text = load_text(file)
        known = _reread_cards(previous, text, setup) if previous else None
        if known is None:
            root = parse_text(file, text)
            left_out = validate_and_prune(root, shapes.cards_shape(setup), findings)
            known = read_card_file(ValidatedFile(root, left_out), setup, faction_id_of(file))
    except FileError as error:
        return ParsedFile(None, (*findings, *error.findings))
    if file.name.endswith("_cards.xml"):
        faction_id = faction_id_of(file)
        strays = (
            R008.at(
                card.source.at("faction_id"),
                f"card `{card.id}` of faction `{card.faction_id}` is in the file of `{faction_id}`",
                f'write `faction_id="{faction_id}"`, or move it to `{card.faction_id}_cards.xml`',
            )
            for card in known.cards
            if card.faction_id != faction_id
        )
        findings.extend(cap_findings(strays, single_file=True))
        cards = [
            card if card.faction_id == faction_id else card._replace(faction_id=faction_id)
            for card in known.cards
        ]
        known = known._replace(cards=cards)
    return ParsedFile(None, tuple(findings), known)


def _reread_cards(previous: ParsedFile, text: str, setup: Setup) -> CardFile | None:
    """Read only the changed cards of a file; None if these have errors, or the file had some."""
    before = previous.cards.cards
    if previous.findings or not before:
        return None
    ordinals = [card.source.ordinal for card in before]
    changed = parse_incrementally(before[0].source.document, ordinals, text)
    if changed is None:
        return None
    findings: Report = []
    with suppress(FileError):
        validate_and_prune(changed.root, shapes.cards_shape(setup), findings)
    if findings:
        return None
    document, tail = changed.document, len(before) - changed.tail
    between = read.read_cards(changed.root, setup)
    cards = [card.relocate(document, 0) for card in before[: changed.head]]
    cards += [card.relocate(document, changed.root_shift) for card in between]
    cards += [card.relocate(document, changed.shift) for card in before[tail:]]
    return CardFile(cards, Omissions())


def read_card_file(file: ValidatedFile, setup: Setup, faction_id: str | None = None) -> CardFile:
    """Return the cards of a file; stubs get this faction, or else the one that they name."""
    stubs = [
        read.read_stub(node, setup, faction_id or node.get("faction_id") or "")
        for node in file.pruned
        if node.get("id")
    ]
    return CardFile(read.read_cards(file.root, setup), file.omissions, stubs)


MAX_CARDS = 50_000
"""The largest number of cards in a game, including those shared by factions."""


def check_folders(folder: GameFolder, report: Report) -> None:
    """Report the folders of a game that cannot be read, since they would seem empty."""
    places = (folder.xml, folder.images, folder.path / "templates")
    errors = [
        e for path in places if is_inside(path, folder.path) for e in find_unreadable_folders(path)
    ]
    try:  # these may be links
        folders = (folder.cards_folder, folder.decks_folder, folder.restrictions_folder)
        for path in (*folders, folder.words_folder):
            list_folder(path)
    except OSError as error:
        errors.append(error)
    report += dict.fromkeys(map(_unreadable_folder, errors))


def _unreadable_folder(error: OSError) -> Diagnostic:
    """Return the finding for a folder that cannot be read."""
    message = f"cannot read the folder: {error.strerror}"
    return X006.at(Location(Path(error.filename)), message)


def resolve_files(folder: GameFolder, names: Iterable[Path | str], report: Report) -> list[Path]:
    """Return the files that paths, folders or names of decks stand for; report missing ones."""
    paths: dict[Path, Path] = {}
    for name in names:
        here = Path(name)
        if is_folder(here):
            try:
                files = list(xml_files_below(here))
            except OSError as error:
                report.append(_unreadable_folder(error))
                continue
            problem, hint = "there are no XML files in the folder", None
        else:
            path = here if is_file(here) else folder.deck_file(str(name))
            files = [file for file in folder.deck_sources(path) if is_file(file)]
            problem = "there is no such file"
            hint = nearest_hint(path.name, [file.name for file in folder.files()])
        if not files:
            report.append(X006.at(Location(here), problem, hint))
        for path in files:
            paths.setdefault(path.resolve(), path)
    return list(paths.values())


def _require_version(game: Node) -> None:
    """Check that this version of Deckwright is not too old for a game.

    Raises:
        FileError: if it is, in place of findings about everything that it does not know.
    """
    needs = game.get("needs") or ""
    numbers, installed = (
        [int(number) for number in re.findall("[0-9]+", version)[:3]]
        for version in (needs, __version__)
    )
    if VERSION.accepts(needs) and numbers > installed:
        message = f"the game needs Deckwright {needs}, but {__version__} is installed"
        raise FileError(X008.at(game.source.at("needs"), message, _UPGRADE))


def load_setup(folder: GameFolder, report: Report) -> Setup | None:
    """Return the contents of the game's `game.xml`."""
    file = load_validated(folder.game_file, game_shape(), report, _require_version)
    if file is None:
        return None
    left_out = frozenset((node.tag, node.attributes.get("id", "")) for node in file.pruned)
    setup = read_model(Setup, file.root, left_out=left_out)
    setup = setup._replace(words=complete_words(setup), vocabularies=complete_terms(setup))
    return translate_setup(setup) if check_setup(file.root, setup, report) else None


def load_deck(path: Path, folder: GameFolder, setup: Setup, report: Report) -> Deck | None:
    """Return the deck at `path`, from a deck list or from tables."""
    if is_file(path):
        file = load_validated(path, shapes.deck_shape(setup), report)
        if file is None:
            return None
        return translate(read.read_deck(file.root, is_complete=not file.pruned), replace_deck)
    if name := folder.table_decks().get(path):
        readings = [load_tables(home, folder, setup, report) for home in folder.deck_sources(path)]
        parts = [reading.decks[name] for reading in readings if name in reading.decks]
        if not parts:
            return None
        root = parts[0].root
        lines = [line for part in parts for line in part.root.children_named("card")]
        meta = next(root.children_named("meta"))
        both = Node(root.tag, {}, root.source, children=[meta, *lines])
        complete = all(not part.pruned for part in parts) and len(parts) == len(readings)
        deck = read.read_deck(both, is_complete=complete)
        return translate(deck._replace(stem=path.stem), replace_deck)
    hint = known_hint(path.stem, sorted(file.stem for file in folder.deck_files()))
    for other in folder.deck_lists():
        list_root = load_document(other, [])
        metas = list_root.children_named("meta") if list_root else ()
        if any((meta.get("name") or "").casefold() == path.stem.casefold() for meta in metas):
            stem = other.stem
            hint = f"`{path.stem}` is the title of `{stem}`: name the deck list, `{stem}`"
            break
    if folder.table_decks():
        report.append(X006.at(None, f"there is no deck `{path.stem}`", hint))
    else:
        report.append(X006.at(Location(path), "there is no such deck list", hint))
    return None


def load_tables(path: Path, folder: GameFolder, setup: Setup, report: Report) -> ParsedFile:
    """Return the contents of the tables in a file."""
    return read_cached(path, lambda _: _read_tables(path, folder, setup), report)


def read_table_file(
    path: Path, folder: GameFolder, setup: Setup, report: Report
) -> TableContents | None:
    """Return the contents of the tables in a file as they are, None after reporting why not."""
    from deckwright.game.tables import read_tables  # most games have none

    tables = folder.tables()[path]
    if not path_exists(path) and (source := tables[0].source) is not None:
        others = [file.name for file in list_folder(path.parent) if is_table(file)]
        message = f"there is no table `{path.name}` in {path.parent.name}"
        hint = known_hint(path.name, (name for name in others if not name.startswith("~$")))
        if any(table.url for table in tables):
            hint = "`deckwright pull` fetches it"
        report.append(X006.at(source.at("file"), message, hint))
        return None
    factions, _ = load_factions(folder, setup, [])
    return read_tables(tables, setup, folder.path, factions, report)


def _read_tables(path: Path, folder: GameFolder, setup: Setup) -> ParsedFile:
    report: Report = []
    rows = read_table_file(path, folder, setup, report)
    if rows is None:
        return ParsedFile(None, tuple(report))
    # The columns that a table lacks are reported already.
    shape = shapes.cards_shape(setup)
    kinds = []
    for occurs in shape.children:
        names = rows.missing.get(occurs.shape.tag, ())
        attributes = tuple(
            a._replace(required=a.required and a.name not in names) for a in occurs.shape.attributes
        )
        inner = tuple(c._replace(minimum=0) if names else c for c in occurs.shape.children)
        kind = occurs.shape._replace(attributes=attributes, children=inner)
        kinds.append(occurs._replace(shape=kind))
    cards = CardFile((), Omissions(unknown=True))
    with report_failure(report):
        left_out = validate_and_prune(rows.cards, shape._replace(children=tuple(kinds)), report)
        if not rows.missing:
            broken = [n for n in rows.cards.children if n.source.ordinal in rows.unusable]
            rows.cards.children = [n for n in rows.cards.children if n not in broken]
            cards = read_card_file(ValidatedFile(rows.cards, [*left_out, *broken]), setup)
    decks, lists = {}, shapes.deck_shape(setup)
    for name, root in rows.decks.items():
        with report_failure(report):
            decks[name] = ValidatedFile(root, validate_and_prune(root, lists, report))
    return ParsedFile(None, tuple(dict.fromkeys(report)), cards, decks)


def load_game(
    folder: GameFolder, setup: Setup, report: Report, faction_ids: Iterable[str] | None = None
) -> Game:
    """Return the game, as far as it can be read, with the cards of these factions; None for all."""
    factions, no_factions = load_factions(folder, setup, report)
    tabled = folder.tables()
    if faction_ids is None:
        # Overridden files need not exist on disk.
        new = {
            path for path in overridden_paths() if path == folder.cards_file(faction_id_of(path))
        }
        files, tables = sorted({*folder.card_files(), *new}), [*tabled]
    else:
        owners = dict.fromkeys(factions[i].cards_of or i for i in faction_ids if i in factions)
        own = map(folder.cards_file, owners)
        files = [file for file in own if not tabled or path_exists(file)]
        tables = [
            path
            for path, those in tabled.items()
            if any(table.faction in {None, *owners} for table in those)
        ]
    cards: dict[CardKey, Card] = {}
    stubs: dict[CardKey, Card] = {}
    no_cards: dict[str, Omissions] = {}

    def add_cards(files: Iterable[Path], tables: Iterable[Path], report: Report) -> None:
        """Add the cards of files, each with the factions that they may belong to."""
        loaded = [({faction_id_of(file)}, load_cards(file, setup, report)) for file in files]
        for path in tables:
            named = {table.faction for table in tabled[path]}
            ids = {*factions} if None in named else {*filter(None, named)}
            loaded.append((ids, load_tables(path, folder, setup, report).cards))
        for ids, of_file in loaded:
            if of_file.omissions:
                no_cards.update(dict.fromkeys(ids, of_file.omissions))
            both = [
                (card, cards.setdefault((card.faction_id, card.id), card)) for card in of_file.cards
            ]
            repeated = (
                R007.at(
                    card.source.at("id"),
                    f"{card.kind.tag} `{card.id}` has the same id as line {first.source.at().line}",
                    "give one of them another id",
                )
                for card, first in both
                if first is not card
            )
            report.extend(cap_findings(repeated, single_file=True))
            stubs.update({(stub.faction_id, stub.id): stub for stub in of_file.stubs})

    add_cards(files, tables, report)
    # The file of the rules may be missing if no card has rules.
    rules, no_rules = dict[str, Rule](), Omissions()
    there = path_exists(folder.rules_file) or folder.rules_file in overridden_paths()
    if there or any(card.rule_ids() for card in cards.values()):
        valid = load_validated(folder.rules_file, shapes.rules_shape(setup), report)
        rules = read.read_rules(valid.root, setup) if valid else {}
        no_rules = valid.omissions if valid else Omissions(unknown=True)
    if faction_ids is not None and _needs_all(setup, cards, rules.values()):
        # Errors in the cards of other factions do not concern the caller.
        others = [file for file in folder.card_files() if file not in files]
        add_cards(others, [path for path in tabled if path not in tables], [])
    stubs = {key: stub for key, stub in stubs.items() if key not in cards}
    no_cards |= {f.id: no_cards[f.cards_of] for f in factions.values() if f.cards_of in no_cards}
    _share_cards(factions.values(), cards)
    _share_cards(factions.values(), stubs)
    if any(field.searched for kind in setup.kinds.values() for field in kind.fields):
        pictures = PictureFinder(folder.images, factions)
        cards = {key: pictures.add_pictures(card) for key, card in cards.items()}
        stubs = {key: pictures.add_pictures(card) for key, card in stubs.items()}
        rules = {
            rule.id: rule._replace(tokens=tuple(map(pictures.add_pictures, rule.tokens)))
            for rule in rules.values()
        }
    gaps, shape = GameOmissions(no_factions, no_rules, no_cards), shapes.restrictions_shape()
    lists = (load_validated(path, shape, report) for path in folder.restriction_files())
    restrictions = [read_model(RestrictionList, each.root) for each in lists if each]
    oldest_first = tuple(sorted(restrictions, key=lambda listed: listed.since))
    game = Game(folder.path, setup, factions, rules, cards, gaps, stubs, oldest_first)
    return compute_fields(translate(game, replace_game), report)


def _needs_all(setup: Setup, cards: Mapping[CardKey, Card], rules: Iterable[Rule]) -> bool:
    """Return whether the cards can only be resolved with those of all other factions."""
    if setup.set != DEFAULT_SET:
        return True
    tokens = (token for rule in rules for token in rule.tokens)
    return any(
        (card.faction_id, name) not in cards
        for card in (*cards.values(), *tokens)
        if card.kind.can_name_cards
        for _, _, name in iter_references(card)
    )


def _share_cards(factions: Iterable[Faction], cards: dict[CardKey, Card]) -> None:
    """Add the cards that factions share, up to `MAX_CARDS` in all."""
    by_faction: dict[str, list[Card]] = {}
    for card in cards.values():
        by_faction.setdefault(card.faction_id, []).append(card)
    for faction in factions:
        shared = by_faction.get(faction.cards_of or "", [])
        if shared and len(cards) + len(shared) <= MAX_CARDS:
            own = [card._replace(faction_id=faction.id) for card in shared]
            cards.update({(faction.id, card.id): card for card in own})
            by_faction.setdefault(faction.id, []).extend(own)


def load_factions(
    folder: GameFolder, setup: Setup, report: Report
) -> tuple[dict[str, Faction], Omissions]:
    """Return the factions by id, and those omitted because of errors.

    A game with tables needs no factions file: `game.xml` names the factions of its tables.
    """
    if not path_exists(folder.factions_file) and (tabled := folder.tables()):
        names = (table.faction for tables in tabled.values() for table in tables)
        return read.make_table_factions(setup, names), Omissions()
    file = load_validated(folder.factions_file, shapes.factions_shape(setup), report)
    if file is None:
        return {}, Omissions(unknown=True)
    return read.read_factions(file.root, setup), file.omissions
