"""Print decks: load and check, compose, impose, paint.

All findings go into the report; nothing is written if it contains an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from deckwright import checks
from deckwright.base.files import is_file
from deckwright.base.findings import ChoiceError, Report, has_errors, is_error, known_hint
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.checks.loading import LimitOptions, load_deck, load_draft
from deckwright.decks.stats import deck_stats
from deckwright.diff.manifest import (
    Digests,
    Manifest,
    deck_manifest,
    manifest_path,
    read_manifest,
    write_manifest,
)
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import (
    make_deck_copies,
    make_single_copies,
    make_token_copies,
    replace_with_slips,
)
from deckwright.faces.watermark import make_watermark
from deckwright.game import load
from deckwright.game.decklist import ALL_CARDS, TokenCount, count_faction_tokens, count_tokens
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FULL
from deckwright.game.model import Deck, Game
from deckwright.game.setup import Setup
from deckwright.game.words import watermark_text
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.deck_pages import (
    DeckPart,
    choose_copies,
    impose_cards,
    interleave_backs,
    lay_out_decks,
)
from deckwright.outputs.pages import is_capturing_layout, write_pages
from deckwright.outputs.print_cache import CachingFaceFactory, PrintCache
from deckwright.outputs.printed import Item, Print
from deckwright.paint.pdf.document import PieceStore
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS, SheetLayout, SheetOptions, load_layout
from deckwright.templates.compiler import T004
from deckwright.templates.compose import T012
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from deckwright.outputs.services.export import PressSettings


class OpenFaces(Protocol):
    """The faces of an open game in a style, with what is known of them."""

    @property
    def factory(self) -> FaceFactory:
        """Their factory."""

    @property
    def digests(self) -> Digests:
        """Their digests."""

    @property
    def pieces(self) -> PieceStore:
        """The painted faces."""


OpenStyle = Callable[[Game, str | None, Report], OpenFaces]
"""Returns the faces of a game in a style; errors in its fonts are reported."""


def print_decks(
    folder: GameFolder,
    deck_paths: Sequence[Path],
    target: Path,
    report: Report,
    options: SheetOptions = DEFAULT_SHEET_OPTIONS,
    *,
    open_style: OpenStyle | None = None,
) -> Print:
    """Print decks as one PDF to `target`, sharing sheets.

    The manifest of a single deck is written next to the file, under the same name; several decks
    get one each, named as if printed alone.

    A deck of a table is printed even if cards have errors: these are marked, and the other faces
    are as usual.

    Args:
        open_style: returns the faces of the open game; None to open the game for this print.
    """
    findings: Report = []
    try:
        printed = _print_decks(folder, deck_paths, target, findings, options, open_style)
    except OutputError as error:
        findings += error.findings
        if options.draft or not _may_mark(folder, deck_paths, findings):
            raise OutputError(*findings) from error
        # A table that grows has faults for a while, and its sound cards are wanted meanwhile.
        findings.clear()
        marking = options._replace(draft=True)
        printed = _print_decks(folder, deck_paths, target, report, marking, open_style)
    report.extend(findings)
    return printed


def _may_mark(folder: GameFolder, deck_paths: Sequence[Path], report: Report) -> bool:
    """Return whether decks can be printed with their faulty cards marked.

    Those of tables can, if only cards are at fault: not the decks, the game, or whole tables.
    """
    tables = folder.tables()
    # What a template cannot draw of a cell leaves the rest of the face.
    faults = {
        fault.code.id
        for fault in filter(is_error, report)
        if fault.code not in {T004, T012}
        or fault.location is None
        or fault.location.path not in tables
    }
    return (
        {*deck_paths} <= folder.table_decks().keys()
        and not any(fault.startswith(("D", "G", "T", "X")) for fault in faults)
        and not faults & {"S009", "S011", "S012", "E015", "E016", "E076", "E078"}
    )


def _print_decks(
    folder: GameFolder,
    deck_paths: Sequence[Path],
    target: Path,
    report: Report,
    options: SheetOptions,
    open_style: OpenStyle | None,
) -> Print:
    faults: Report = []
    choice, single = options.choice, len(deck_paths) == 1
    try:
        prepared = [
            _prepare_deck(folder, path, report, options, faults, open_style, alone=single)
            for path in deck_paths
        ]
        parts = [one.part if single else _name_deck(one.part) for one in prepared]
        whole = choice == ALL_CARDS and options.slips is None
        laid_out = lay_out_decks(parts, prepared[0].setting, report, whole=whole)
        backs_file = target.with_stem(f"{target.stem}_backs")
        files = {target: laid_out.pages, backs_file: laid_out.backs}
        files = {path: pages for path, pages in files.items() if pages}
        game = parts[0].factory.game
        title, footer = print_titles(game, [part.stats.deck for part in parts])
        if options.draft:
            word = game.setup.words["draft"]
            title, footer = f"{word}: {title}", f"{word} · {footer}"
        cache, before = prepared[0].cache, len(report)
        for path, pages in files.items():
            write_pages(pages, title, footer, parts[0].factory, path, report, prepared[0].store)
        if cache is not None:
            found = {finding.location.path for finding in report[before:] if finding.location}
            cache.save(prepared[0].digests, found)
        # A manifest must describe a whole deck, so that later prints can be compared with it; a
        # selection or a draft does not.
        if files and not choice.is_partial and not options.draft:
            for one, path in zip(prepared, deck_paths, strict=True):
                printed = target if single else target.with_name(f"deck_{path.stem}.pdf")
                write_manifest(one.manifest, manifest_path(printed))
        cuts = write_cuts(laid_out.pages, options.cutter, target)
    finally:
        report.extend(faults)
    return Print(
        tuple(files),
        sum(map(len, files.values())),
        len(laid_out.sheets),
        decks=tuple(part.stats for part in parts),
        empty=sum(sheet.empty for sheet in laid_out.sheets),
        spare=Counter(copy.card.name for sheet in laid_out.sheets for copy in sheet.spare),
        changes=tuple(line for one in prepared for line in one.changes),
        cuts=cuts,
        manifests=tuple(one.manifest for one in prepared),
        draft=has_errors(faults),
    )


def print_titles(game: Game, decks: Sequence[Deck]) -> tuple[str, str]:
    """Return the title of a print of decks, and the beginning of its footers."""
    title, footer = " + ".join(deck.name for deck in decks), game.setup.name
    if len(decks) == 1:
        title += f" – {game.factions[decks[0].faction_id].name}"
        footer += f" · {decks[0].name}"
    return title, footer


def _name_deck(part: DeckPart) -> DeckPart:
    """Return a deck with its name in its copies, for a print of several decks."""
    name = part.stats.deck.name

    def named(copies: Sequence[Copy]) -> list[Copy]:
        return [copy._replace(part=f"{name} – {copy.part}", deck=name) for copy in copies]

    return part._replace(copies=named(part.copies), spare=[named(each) for each in part.spare])


class _PreparedDeck(NamedTuple):
    """A deck with the selected copies.

    Attributes:
        manifest: the manifest of all copies.
        digests: the digests of their faces.
        store: the painted faces; None to paint all.
        cache: the last print of the deck, if it is used.
        changes: the changes since an earlier print.
    """

    part: DeckPart
    setting: SheetLayout
    manifest: Manifest
    digests: Digests
    store: PieceStore | None = None
    cache: PrintCache | None = None
    changes: tuple[str, ...] = ()


def _prepare_deck(
    folder: GameFolder,
    deck_path: Path,
    report: Report,
    options: SheetOptions,
    faults: Report,
    open_style: OpenStyle | None,
    *,
    alone: bool,
) -> _PreparedDeck:
    """Return a deck ready to print.

    Args:
        faults: receives the errors that a draft tolerates.
        alone: whether it is the only deck of the file.
    """
    game, deck, deck_rules = (
        load_draft(folder, deck_path, options.rules, report, faults)
        if options.draft
        else load_deck(folder, deck_path, options.rules, report)
    )

    # Slips go in front of full-size cards.
    size = options.token_size or (None if options.slips is None else FULL)
    game, before = game.with_token_size(size), game
    cache, opened, is_usual = None, None, game is before
    if open_style is not None and not options.draft and is_usual:
        opened = open_style(game, options.style, report)
        factory = opened.factory
    else:
        lenient = faults if options.draft else None
        factory = CachingFaceFactory(game, folder, report, options.style, lenient)
        factory.draft = options.draft
        marked = options.draft or watermark_text(game.setup, options.watermark)
        is_plain = not (marked or options.slips is not None or is_capturing_layout()) and is_usual
        if alone and factory.usable and is_plain:
            cache = factory.cache = PrintCache(game, folder, factory, deck_path.stem)
    setting = load_layout(game.setup, folder.xml, options, report)
    stats, choice, backs = deck_stats(game, deck, deck_rules), options.choice, setting.backs
    copies = make_deck_copies(stats, factory, report, backs=backs)
    tokens = stats.tokens if options.fill else ()
    spare = make_single_copies(tokens, deck.faction_id, factory, report, backs=backs)
    stop_on_errors(report)
    digests = opened.digests if opened else Digests(factory.fonts, factory.pictures.store)
    if cache is not None:
        cache.load_digests(digests)
    manifest = deck_manifest(
        game, deck, copies, digests, sheet=setting.format.name, style=factory.style
    )
    changed, lines = copies, tuple[str, ...]()
    if choice.since is not None:
        old = read_manifest(choice.since, manifest.game)
        if old.language != manifest.language:
            was = f"the language `{old.language}`" if old.language else "the game's own language"
            hint = f"add `--language {old.language}`" if old.language else "leave out `--language`"
            raise ChoiceError(f"`{choice.since.name}` is of a print in {was}", hint)
        # Most prints are compared with no former one.
        from deckwright.diff.manifest_changes import changed_since

        changes = changed_since(old, manifest)
        changed, lines = changes.select(copies, digests), changes.lines
    wanted = choose_copies(changed, choice, report, copies)
    # Manifests describe faces without the watermark.
    if options.slips is not None:
        wanted = replace_with_slips(wanted, factory, options.slips, report)
        spare = [replace_with_slips(each, factory, options.slips, report) for each in spare]
    mark = make_watermark(factory, options.watermark, report)
    stop_on_errors(report)
    spare = [mark.apply_to_copies(each) for each in spare] if wanted else []
    part = DeckPart(stats, factory, mark.apply_to_copies(wanted), spare)
    store = opened.pieces if opened else cache
    return _PreparedDeck(part, setting, manifest, digests, store, cache, lines)


def print_tokens(
    folder: GameFolder,
    name: str,
    target: Path,
    report: Report,
    options: SheetOptions = DEFAULT_SHEET_OPTIONS,
    press: PressSettings | None = None,
) -> Print:
    """Print the tokens of a deck, or all that a faction can create, as a PDF to `target`.

    Args:
        name: the id of a faction, or the name of a deck.
        press: the settings for a press, with each card on pages of its own; None for home printing.

    Returns:
        what was printed, without a file if there are no tokens.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        raise OutputError
    size = options.token_size
    if press is not None:
        size = press.service.choose_token_size(size)
    game, faction_id, counts = _find_tokens(folder, name, setup, size, report)
    checks.check_cards(game, [count.token for count in counts], report)
    if options.choice.copies is not None:
        counts = [count._replace(copies=options.choice.copies) for count in counts]
    counts = [count for count in counts if count.copies]
    title = f"{setup.words['tokens']} – {game.factions[faction_id].name}"
    items = tuple(Item(c.token.id, c.token.name, c.copies) for c in counts)
    stop_on_errors(report)
    if press is not None:
        from deckwright.outputs.services.export import print_cards_for_press

        factory = FaceFactory(game, folder, report, options.style, plates=press.plates)
        faces = make_token_copies(counts, faction_id, factory, report, backs=press.service.backs)
        cards = make_watermark(factory, options.watermark, report).apply_to_copies(faces)
        output = print_cards_for_press(
            cards, title, factory, press, target, report, fit=options.scale
        )
        return output._replace(items=items)

    factory = FaceFactory(game, folder, report, options.style)
    setting = load_layout(game.setup, folder.xml, options, report)
    backs, spared = setting.backs, counts if options.fill else []
    faces = make_token_copies(counts, faction_id, factory, report, backs=backs)
    spare = make_single_copies(spared, faction_id, factory, report, backs=backs)
    mark = make_watermark(factory, options.watermark, report)
    stop_on_errors(report)
    sheets = impose_cards(
        mark.apply_to_copies(faces), setting, [mark.apply_to_copies(each) for each in spare]
    )
    pages, footer = interleave_backs(sheets), f"{setup.name} · {title}"
    if pages:
        write_pages(pages, title, footer, factory, target, report)
    cuts = write_cuts(pages, options.cutter, target)
    return Print((target,) if pages else (), len(pages), len(sheets), items=items, cuts=cuts)


def _find_tokens(
    folder: GameFolder, name: str, setup: Setup, size: str | None, report: Report
) -> tuple[Game, str, list[TokenCount]]:
    """Return the game, the faction and the tokens of a faction or deck, at a token size."""
    factions, _ = load.load_factions(folder, setup, report)
    deck_file = folder.deck_file(name)
    if is_file(deck_file) or deck_file in folder.table_decks():
        game, deck, _ = load_deck(folder, deck_file, LimitOptions(ignore=True), report)
        game = game.with_token_size(size)
        return game, deck.faction_id, count_tokens(game, deck)
    if name in factions:
        whole = load.load_game(folder, setup, report, [name]).with_token_size(size)
        return whole, name, count_faction_tokens(whole, name)
    known = [*factions, *(path.stem for path in folder.deck_files())]
    message = f"there is neither a faction nor a deck `{name}`"
    raise OutputError(X006.at(None, message, known_hint(name, known)))
