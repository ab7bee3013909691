"""Print decks: load and check, compose, impose, paint.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.checks.loading import load_deck, load_draft
from deckwright.decks.stats import deck_stats
from deckwright.diff.manifests.build import manifest_of
from deckwright.diff.manifests.compare import changed_since
from deckwright.diff.manifests.digest import Digests
from deckwright.diff.manifests.file import manifest_path, read_manifest, write_manifest
from deckwright.diff.manifests.model import Manifest
from deckwright.faces.copies import Copy
from deckwright.faces.deck_copies import deck_copies, each_once, on_slips
from deckwright.faces.factory import FaceFactory
from deckwright.faces.watermark import watermark
from deckwright.game.decklist import EVERYTHING
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.deck_pages import DeckPart, chosen, deck_pages
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Print
from deckwright.sheet.setting import AS_THE_GAME_SAYS, Setting, SheetOptions, load_setting

Factories = Callable[[Game, str | None, Report], FaceFactory]
"""Gives a factory for a game and a style; what is wrong with its fonts is reported."""


def print_decks(
    folder: GameFolder,
    deck_paths: Sequence[Path],
    target: Path,
    report: Report,
    options: SheetOptions = AS_THE_GAME_SAYS,
    *,
    factories: Factories | None = None,
) -> Print | None:
    """Print decks as one PDF to `target`, so that they share sheets.

    The manifest of a deck that is printed alone stands beside the file, under its name; of several
    each has its own, called as if it had been printed alone.

    Args:
        factories: gives a factory for what was read of the game; a new one if it is None.

    Returns:
        None after reporting what keeps them from being printed.
    """
    faults: Report = []
    picked = []
    for path in deck_paths:
        one = _picked(folder, path, report, options, faults, factories=factories)
        if one is None:
            report.extend(faults)
            return None
        picked.append(one)
    printed = _printed(deck_paths, target, picked, options, report)
    report.extend(faults)
    return printed


def _printed(
    deck_paths: Sequence[Path],
    target: Path,
    picked: Sequence[_Picked],
    options: SheetOptions,
    report: Report,
) -> Print | None:
    """Print what was picked of decks as one PDF; None after reporting why that cannot be."""
    choice, single = options.choice, len(picked) == 1
    parts = [one.part if single else _named(one.part) for one in picked]
    whole = choice == EVERYTHING and options.slips is None
    laid_out = deck_pages(parts, picked[0].setting, report, whole=whole)
    if laid_out is None:
        return None
    files = {target: laid_out.pages, _backs_file(target): laid_out.backs}
    files = {path: pages for path, pages in files.items() if pages}
    factory, stats = parts[0].factory, tuple(part.stats for part in parts)
    game, decks = factory.game, [part.stats.deck for part in parts]
    title, footer = headings(game, decks)
    if options.draft:
        word = game.setup.words["draft"]
        title, footer = f"{word}: {title}", f"{word} · {footer}"
    written = all(
        write_pages(pages, title, footer, factory, path, report) for path, pages in files.items()
    )
    # The cards of a choice are not all that there is, so later prints cannot be told from them.
    # Nor can they be told from a draft.
    if written and files and not choice.partial and not options.draft:
        written = all(
            write_manifest(
                one.manifest,
                manifest_path(target if single else target.with_name(f"deck_{path.stem}.pdf")),
                report,
            )
            for one, path in zip(picked, deck_paths, strict=True)
        )
    cuts = write_cuts(laid_out.pages, options.cutter, target, report) if written else None
    if cuts is None:
        return None
    return Print(
        tuple(files),
        sum(map(len, files.values())),
        len(laid_out.sheets),
        decks=stats,
        empty=sum(sheet.empty for sheet in laid_out.sheets),
        spare=Counter(copy.card.name for sheet in laid_out.sheets for copy in sheet.spare),
        changes=tuple(line for one in picked for line in one.lines),
        cuts=cuts,
        manifests=tuple(one.manifest for one in picked),
    )


def headings(game: Game, decks: Sequence[Deck]) -> tuple[str, str]:
    """Return the title of a print of decks, and what its footers begin with."""
    title, footer = " + ".join(deck.name for deck in decks), game.setup.name
    if len(decks) == 1:
        title += f" – {game.factions[decks[0].faction_id].name}"
        footer += f" · {decks[0].name}"
    return title, footer


def _named(part: DeckPart) -> DeckPart:
    """Return a deck whose copies name it, for a print of several."""
    name = part.stats.deck.name

    def named(copies: Sequence[Copy]) -> list[Copy]:
        return [copy._replace(part=f"{name} – {copy.part}", deck=name) for copy in copies]

    return part._replace(copies=named(part.copies), spare=[named(each) for each in part.spare])


def _backs_file(target: Path) -> Path:
    """Return where backs are printed that are apart from the faces in `target`."""
    return target.with_stem(f"{target.stem}_backs")


class _Picked(NamedTuple):
    """A deck, with the copies to print of all those that it has.

    Attributes:
        manifest: of all copies.
        lines: what has changed since an earlier print.
    """

    part: DeckPart
    setting: Setting
    manifest: Manifest
    lines: tuple[str, ...] = ()


def _picked(
    folder: GameFolder,
    deck_path: Path,
    report: Report,
    options: SheetOptions,
    faults: Report,
    *,
    factories: Factories | None,
) -> _Picked | None:
    """Return what is to be printed of a deck; None after reporting why that cannot be told.

    Args:
        faults: where it is reported what a draft is printed in spite of.
    """
    if options.draft:
        loaded = load_draft(folder, deck_path, options.rules, report, faults)
    else:
        loaded = load_deck(folder, deck_path, options.rules, report)
    if loaded is None:
        return None
    game, deck, held = loaded

    if factories is None or options.draft:
        lenient = faults if options.draft else None
        factory = FaceFactory(game, folder, report, options.style, lenient)
    else:
        factory = factories(game, options.style, report)
    factory.draft = options.draft
    setting = load_setting(game.setup, folder.xml, options, report)
    if setting is None:
        return None
    stats, choice, backs = deck_stats(game, deck, held), options.choice, setting.backs
    copies = deck_copies(stats, factory, report, backs=backs)
    tokens = stats.tokens if options.fill else ()
    spare = each_once(tokens, deck.faction_id, factory, report, backs=backs)
    if has_errors(report):
        return None
    digests = Digests(factory.fonts, factory.pictures.store)
    manifest = manifest_of(
        game, deck, copies, digests, sheet=setting.format.name, style=factory.style
    )
    changed, lines = copies, tuple[str, ...]()
    if choice.since is not None:
        path = manifest_path(choice.since) if choice.since.suffix == ".pdf" else choice.since
        old = read_manifest(path, report, manifest.game)
        if old is None:
            return None
        changes = changed_since(old, manifest)
        changed, lines = changes.select(copies, digests), changes.lines
    wanted = chosen(changed, choice, report, copies)
    # What was printed is told by the faces below the mark.
    if options.slips is not None:
        wanted = on_slips(wanted, factory, options.slips, report)
        spare = [on_slips(each, factory, options.slips, report) for each in spare]
    mark = watermark(factory, options.watermark, report)
    if has_errors(report):
        return None
    spare = [mark.on_all(each) for each in spare] if wanted else []
    part = DeckPart(stats, factory, mark.on_all(wanted), spare)
    return _Picked(part, setting, manifest, lines)
