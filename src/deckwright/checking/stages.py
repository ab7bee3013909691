"""The stages of a check: load, validate, read, check, lay out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright import checks
from deckwright.base.files import files_below, path_exists, resolve_path
from deckwright.base.findings import (
    Code,
    Diagnostic,
    Report,
    Severity,
    cap_findings,
    format_names,
    has_errors,
    is_error,
)
from deckwright.base.strings import printable_path
from deckwright.book.shape import load_rulebook
from deckwright.checking.layout_check import Stamp, check_layout
from deckwright.checking.sandbox import Limits
from deckwright.checks.counting import values_of
from deckwright.checks.fielding import D011, faction_format, infeasible_finding
from deckwright.checks.loading import LimitOptions, check_deck_list, is_complete
from deckwright.game import load
from deckwright.game.addresses import check_addresses
from deckwright.game.deck_rules import Formula
from deckwright.game.folder import PACKAGE, GameFolder, find_stray_files, is_table
from deckwright.game.model import Card, CardKey, Game
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

D012 = Code("D012", Severity.WARNING, "a card that no legal deck can have")

_MAX_SECONDS = 10.0
"""The time limit in seconds; for larger games, only findings certain by then are reported."""
_CODE_ROOMS = ("checks", "decks", "game")
"""The packages on whose code the result depends."""

KnownConflicts = list[tuple[str, str | None, str, list[str]]]
"""Each names a faction, one of its cards or None, the conflict, and other formats or hints."""


def check_fielding(game: Game, report: Report) -> None:
    """Report factions without a legal deck, and cards that fit into none.

    Factions that are reported already are skipped.
    """
    if game.omissions.cards or game.omissions.factions or not game.setup.limits:
        return
    if find_spec("highspy") is None:
        return
    places = {finding.location for finding in report if finding.code is D011}
    reported = [faction.id for faction in game.factions.values() if faction.source.at() in places]
    # The stamp of everything but cards that decides which decks are legal.
    sources = [game.setup.source, *(listed.source for listed in game.restrictions)]
    sources += [faction.source for faction in game.factions.values()]
    texts = {source.path: source.document.text for source in sources}
    code = (path for room in _CODE_ROOMS for path in files_below(PACKAGE / room))
    rules = Stamp(["fielded", *texts.values()], [str(p) for p in code if p.suffix == ".py"])
    digests = digest_cards(game)
    stamp = Stamp([rules.key, *reported, *digests.values()], ())
    conflicts: KnownConflicts | None = stamp.read(
        lambda content: [(of, card, why, [*more]) for of, card, why, more in json.loads(content)]
    )
    if conflicts is None:
        from deckwright.decks.solver.unbuildable import KnownDecks, find_unbuildable  # imports much

        # Legal decks of earlier states speed up the search.
        known = rules.read(lambda content: KnownDecks.decode(content, digests))
        known, conflicts = known or KnownDecks(digests), []
        unbuildable = find_unbuildable(game, _MAX_SECONDS, known, reported)
        for faction_id, card_id, conflict, formats in unbuildable:
            if card_id is None:
                conflicts.append((faction_id, None, str(conflict), list(formats)))
                continue
            hint = "change the card or the limits" + (f": {conflict.way}" if conflict.way else "")
            leave = "leaves" if len(conflict.parts) == 1 else "leave"
            room = f"{conflict.names} {leave} no room for it"
            conflicts.append((faction_id, card_id, room, [hint]))
        rules.set(known.encode())
        stamp.set(json.dumps(conflicts))
    findings = []
    for faction_id, card_id, reason, more in conflicts:
        faction = game.factions[faction_id]
        if card_id is None:
            form = faction_format(game.setup, faction)
            findings.append(infeasible_finding(faction, form, reason, more))
        else:
            place = game.cards[faction_id, card_id].source.at()
            message = f"card `{card_id}` can be in no legal deck: {reason}"
            findings.append(D012.at(place, message, *more))
    report.extend(cap_findings(findings))


def digest_cards(game: Game) -> dict[CardKey, str]:
    """Return for each card a digest of all that limits see of it, and of its key."""
    wheres = [zone.where for zone in game.setup.zones]
    names: list[str | None] = []
    for limit in game.setup.limits:
        wheres.append(limit.conditions)
        names += [limit.sum, limit.distinct, limit.per]
        names += [each.same for each in limit.exemptions]
        names += [field for _, field in limit.references()]
    for form in game.setup.formats.values():
        numbers = (number for number in form.changes.values() if isinstance(number, Formula))
        names += [field for number in numbers for _, field in number.references()]
    names += [each.field for where in wheres for group in where for each in group]
    fields = sorted({*filter(None, names)})

    def digest(key: CardKey, card: Card) -> str:
        seen = repr((*key, card.kind.tag, card.name, [values_of(card, field) for field in fields]))
        return blake2b(seen.encode(errors="surrogateescape"), digest_size=12).hexdigest()

    return {key: digest(key, card) for key, card in game.cards.items()}


_MAX_NAMED = 5
"""The maximum number of cards or other items that are named."""
_TEMPLATE_FAILURES = {"T001", "T002", "T003", "T004", "T005", "T011", "T013"} | {
    f"X00{number}" for number in range(1, 8)
}
"""The codes of templates that cannot be used at all."""
_FACE_FAILURES = frozenset({"T007", "G003"})
"""The codes of fonts and symbols that prevent composing any face."""


class UncheckedItem(NamedTuple):
    """Something that was not checked.

    Attributes:
        what: its description.
        path: its file; None if it concerns the whole game.
    """

    what: str
    path: Path | None = None


def find_unread_parts(game: Game, folder: GameFolder) -> Iterator[UncheckedItem]:
    """Yield the parts of a game that could not be read, and their dependents."""
    for tag, name in sorted(game.setup.left_out):
        what = f"{tag} `{name}`" if name else f"`{tag}`"
        yield UncheckedItem(f"{what} of {folder.game_file.name}", folder.game_file)
    gaps = game.omissions
    for gap, one, file, rest in (
        (gaps.factions, "faction", folder.factions_file, ("its cards", "their cards")),
        (gaps.rules, "rule", folder.rules_file, ("its text and tokens", "their texts and tokens")),
    ):
        if gap.ids:
            what = f"{_name_ids(gap.ids, one)} of {file.name}, with {rest[len(gap.ids) > 1]}"
            yield UncheckedItem(what)
        if gap.unknown:
            yield UncheckedItem(
                f"{'some' if gap.ids else 'the'} {one}s of {file.name}, with {rest[1]}"
            )
    for faction_id, cards in gaps.cards.items():
        faction = game.factions.get(faction_id)
        file = folder.cards_source(faction_id)
        if faction is not None and faction.cards_of:
            continue  # reported with those of the other faction
        if cards.ids:
            faces = "face" if len(cards.ids) == 1 else "faces"
            what = f"the references and the {faces} of {_name_ids(cards.ids, 'card')}"
            yield UncheckedItem(what, file)
        if cards.unknown:
            read = any(card.faction_id == faction_id for card in game.cards.values())
            which = "some" if read or cards.ids else "the"
            yield UncheckedItem(f"{which} cards of {file.name}", file)
    lost = {
        card.faction_id: card.source.path
        for card in game.cards.values()
        if not game.may_have_faction(card.faction_id)
    }
    for faction_id, file in lost.items():
        yield UncheckedItem(f"the faces of the cards of faction `{faction_id}`", file)


def find_not_laid_out(
    findings: Report, folder: GameFolder, book: Node | None
) -> Iterator[UncheckedItem]:
    """Yield what could not be laid out, given the findings of the layout."""
    errors = [finding for finding in findings if is_error(finding)]
    if any(finding.code.id in _FACE_FAILURES for finding in errors):
        yield UncheckedItem("faces, which depend on fonts and symbols")
        return
    templates = {
        finding.location.path
        for finding in errors
        if finding.location and finding.code.id in _TEMPLATE_FAILURES
    }
    folders = [resolve_path(place) for place in folder.template_folders]
    for path in sorted(templates):
        if path.suffix == ".xml" and any(
            resolve_path(path).is_relative_to(place) for place in folders
        ):
            yield UncheckedItem(f"what {path.name} draws", path)
    # L005 concerns the layout of the rulebook, not its content.
    places = [each.location for each in errors if each.location and each.code.id != "L005"]
    if book is not None and any(place.path == book.source.path for place in places):
        yield UncheckedItem(f"the pages of {book.source.path.name}", book.source.path)


def _name_ids(ids: Iterable[str], one: str) -> str:
    """Return ids with their noun: "card `a`", "cards `a`, `b` and 3 more"."""
    names = sorted(ids)
    return f"{one if len(names) == 1 else one + 's'} {format_names(names, at_most=_MAX_NAMED)}"


class CheckResult(NamedTuple):
    """The result of a check.

    Attributes:
        number: the number of checked cards and decks.
        unchecked: what could not be checked.
        files: the checked files.
        severities: the severities of codes set by the game; None for disabled ones.
        hindered: whether errors in other files prevented parts of the check.
        margin: the distance of print from the edges of the paper, in words.
        findings: the graded findings; filled in by the caller that grades them.
        everything: whether the whole game was checked.
    """

    number: int
    unchecked: tuple[UncheckedItem, ...]
    files: tuple[Path, ...] = ()
    severities: Mapping[str, Severity | None] = MappingProxyType({})
    hindered: bool = False
    margin: str | None = None
    findings: tuple[Diagnostic, ...] = ()
    everything: bool = True


def check_files(
    folder: GameFolder,
    paths: Sequence[Path] | None,
    rules: LimitOptions,
    report: Report,
    *,
    limits: Limits | None = None,
    most_cards: int | None = None,
) -> CheckResult:
    """Check files of a game, or the whole game.

    Items with errors are left out; everything else passes through all stages.

    Args:
        paths: the files to check; None for all.
        limits: the limits for an untrusted game; None for one's own game.
        most_cards: the largest game to lay out, in cards; None for any.
    """
    everything = paths is None
    files = folder.files() if paths is None else tuple(paths)
    setup = load.load_setup(folder, report)
    if setup is None:
        # That files are well-formed is all that can be checked without the game.
        for path in files:
            if path == folder.rulebook_file:
                load_rulebook(folder, report)
            elif path != folder.game_file and not is_table(path):
                load_document(path, report)
        what = f"cards, rules, decks and faces, which depend on {folder.game_file.name}"
        return CheckResult(0, (UncheckedItem(what),), files, everything=everything)
    wanted = {resolve_path(path) for path in paths or ()}
    findings: Report = []
    game = load.load_game(folder, setup, findings)
    findings += find_stray_files(folder, game.factions)
    findings += check_addresses(folder.tables())
    checks.check_game(game, findings)
    checks.check_design(game, findings)
    book = load_rulebook(folder, findings) if path_exists(folder.rulebook_file) else None
    unchecked = [*find_unread_parts(game, folder)]
    if book is None and path_exists(folder.rulebook_file):
        unchecked.append(
            UncheckedItem(f"the pages of {folder.rulebook_file.name}", folder.rulebook_file)
        )
    count = len(game.cards)
    decks = folder.deck_files()
    if not everything:
        strays = sorted(path for path in wanted if not folder.owns(path))
        for path in strays:
            if path.name.endswith("_cards.xml"):
                cards = load.load_cards(path, setup, findings).cards
                checks.check_cards(game, cards, findings)
                count += len(cards)
        decks = [path for path in strays if not path.name.endswith("_cards.xml")]
        decks += [
            path
            for path in folder.deck_files()
            if not wanted.isdisjoint(map(resolve_path, folder.deck_sources(path)))
        ]
    unchecked += _check_decks(game, decks, folder, rules, findings)
    count += len(decks)
    layout_findings: Report = []
    margin = None
    if most_cards is not None and len(game.cards) > most_cards:
        what = f"the layout, because the game has more than {most_cards} cards"
        unchecked.append(UncheckedItem(what))
    else:
        margin = check_layout(game, folder, book, limits, layout_findings)
        unchecked += find_not_laid_out(layout_findings, folder, book)
    if limits is None:
        # Deck limits can be written that keep the solver busy for a long time. It comes last, so
        # that laying out does without its memory.
        check_fielding(game, findings)
    # Infos can wait until the errors, of which there may be few, are mended.
    errors = has_errors(findings)
    findings += [
        finding for finding in layout_findings if not errors or finding.severity != Severity.INFO
    ]
    unchecked_items = tuple(dict.fromkeys(unchecked))
    if everything:
        report.extend(findings)
        return CheckResult(count, unchecked_items, files, setup.severities, margin=margin)
    hindering: dict[str, None] = {}
    for finding in findings:
        if finding.location is None or resolve_path(finding.location.path) in wanted:
            report.append(finding)
        elif is_error(finding):
            hindering[printable_path(finding.location.path)] = None
    unchecked_items = tuple(
        each for each in unchecked_items if each.path is None or resolve_path(each.path) in wanted
    )
    if hindering:
        why = f"because of errors in {format_names(hindering, at_most=3)}"
        unchecked_items = tuple(
            each._replace(what=f"{each.what}, {why}") for each in unchecked_items
        )
    hindered = bool(hindering and unchecked_items)
    return CheckResult(count, unchecked_items, files, setup.severities, hindered, everything=False)


def _check_decks(
    game: Game, paths: Iterable[Path], folder: GameFolder, rules: LimitOptions, report: Report
) -> Iterator[UncheckedItem]:
    """Check deck lists; yield the parts that cannot be checked."""
    for path in paths:
        deck = load.load_deck(path, folder, game.setup, report)
        if deck is not None:
            check_deck_list(game, deck, rules, report)
        if deck is None or not (rules.ignore or is_complete(game, deck)):
            what = "the cards and limits" if deck is None else "the limits"
            yield UncheckedItem(f"{what} of {folder.deck_label(path)}", path)
