"""Print decks and tokens: load and check, compose, impose, paint.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright import checks
from deckwright.diagnostics import Report, has_errors, known_hint
from deckwright.files import is_file
from deckwright.game import load
from deckwright.game.decklist import (
    EVERYTHING,
    Choice,
    TokenCount,
    tokens_of,
    tokens_of_faction,
)
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.pipeline import Rules, load_deck
from deckwright.printing.pages import write_pages
from deckwright.sheet.setting import AS_THE_GAME_SAYS, Setting, Wishes, load_setting
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from deckwright.exporters.card_sheets import Copy
    from deckwright.exporters.deck_stats import DeckStats
    from deckwright.exporters.workshop import Workshop
    from deckwright.manifests.model import Manifest
    from deckwright.sheet.pages import Page


class Printed(NamedTuple):
    """A deck that was printed.

    Attributes:
        paths: the files; the second one holds backs.
        pages, sheets: how many pages there are, and how many sheets of cards.
        changes: what has changed since the print that it was compared with, a card a line.
    """

    stats: DeckStats
    paths: tuple[Path, ...]
    pages: int
    sheets: int
    changes: tuple[str, ...] = ()


def print_deck(
    folder: GameFolder,
    deck_path: Path,
    target: Path,
    rules: Rules,
    style: str | None,
    report: Report,
    wishes: Wishes = AS_THE_GAME_SAYS,
) -> Printed | None:
    """Print a deck as a PDF to `target`; None after reporting what keeps it from being printed.

    Args:
        wishes: which cards, on which sheets, and whether with backs.
    """
    loaded = load_deck(folder, deck_path, rules, report)
    if loaded is None:
        return None
    game, deck, limits = loaded

    from deckwright.exporters.deck_pdf import deck_copies, deck_pages  # noqa: PLC0415
    from deckwright.exporters.deck_stats import deck_stats  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415
    from deckwright.manifests.file import manifest_path, write_manifest  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    setting = load_setting(game.setup, folder.xml, wishes, report)
    if setting is None:
        return None
    stats, choice = deck_stats(game, deck, limits), wishes.choice
    copies = deck_copies(game, stats, workshop, report, backs=setting.backs)
    picked = _pick(copies, stats, setting, workshop, choice, report)
    if picked is None:
        return None
    whole = choice == EVERYTHING
    laid_out = deck_pages(game, stats, picked.copies, setting, workshop, report, whole=whole)
    title = f"{deck.name} – {game.factions[deck.faction_id].name}"
    if laid_out is None:
        return None
    files = {target: laid_out.pages, _backs_file(target): laid_out.backs}
    files = {path: pages for path, pages in files.items() if pages}
    footer = f"{game.setup.name} · {deck.name}"
    written = all(
        write_pages(footed(pages, footer, folder, workshop), title, workshop, path, report)
        for path, pages in files.items()
    )
    # The cards of a choice are not all that there is, so later prints cannot be told from them.
    if written and files and not choice.partial:
        written = write_manifest(picked.manifest, manifest_path(target), report)
    if not written:
        return None
    number = sum(map(len, files.values()))
    return Printed(stats, tuple(files), number, laid_out.sheets, picked.lines)


def _backs_file(target: Path) -> Path:
    """Return where backs are printed that are apart from the faces in `target`."""
    return target.with_stem(f"{target.stem}_backs")


class _Picked(NamedTuple):
    """The copies to print of all those of a deck.

    Attributes:
        manifest: of all copies.
        lines: what has changed since an earlier print.
    """

    copies: list[Copy]
    manifest: Manifest
    lines: tuple[str, ...] = ()


def _pick(
    copies: list[Copy],
    stats: DeckStats,
    setting: Setting,
    workshop: Workshop,
    choice: Choice,
    report: Report,
) -> _Picked | None:
    """Return the copies that are asked for; None after reporting why that cannot be told."""
    from deckwright.exporters.deck_pdf import chosen  # noqa: PLC0415
    from deckwright.manifests.build import manifest_of  # noqa: PLC0415
    from deckwright.manifests.compare import changed_since  # noqa: PLC0415
    from deckwright.manifests.digest import Digests  # noqa: PLC0415
    from deckwright.manifests.file import manifest_path, read_manifest  # noqa: PLC0415

    if has_errors(report):
        return None
    digests, sheet = Digests(workshop.fonts), setting.format.name
    game = workshop.game
    manifest = manifest_of(game, stats.deck, copies, digests, sheet=sheet, style=workshop.style)
    changed, lines = copies, tuple[str, ...]()
    if choice.since is not None:
        path = manifest_path(choice.since) if choice.since.suffix == ".pdf" else choice.since
        old = read_manifest(path, report, manifest.game)
        if old is None:
            return None
        changes = changed_since(old, manifest)
        changed, lines = changes.select(copies, digests), changes.lines
    wanted = chosen(changed, choice, report, copies)
    return None if has_errors(report) else _Picked(wanted, manifest, lines)


def print_tokens(
    folder: GameFolder,
    name: str,
    copies: int | None,
    target: Path,
    style: str | None,
    report: Report,
    wishes: Wishes = AS_THE_GAME_SAYS,
) -> list[TokenCount] | None:
    """Print the tokens of a deck, or those that a faction can create, as a PDF to `target`.

    Args:
        name: the id of a faction, or the name of a deck.
        copies: how many of each; None for as many as the deck may need.

    Returns:
        what was printed, nothing if there are no tokens; None after reporting why it was not.
    """
    setup = load.load_setup(folder, report)
    found = _tokens_of(folder, name, setup, report) if setup else None
    if setup is None or found is None:
        return None
    game, faction_id, counts = found
    checks.check_cards(game, [count.token for count in counts], report)
    if has_errors(report):
        return None
    if copies is not None:
        counts = [count._replace(copies=copies) for count in counts]
    counts = [count for count in counts if count.copies]

    from deckwright.exporters.card_sheets import arranged, card_sheets  # noqa: PLC0415
    from deckwright.exporters.deck_pdf import token_copies, with_backs  # noqa: PLC0415
    from deckwright.exporters.workshop import Workshop  # noqa: PLC0415

    workshop = Workshop(game, folder, report, style)
    setting = load_setting(setup, folder.xml, wishes, report)
    faces = token_copies(game, counts, faction_id, workshop, report)
    if setting is not None and setting.backs:
        faces = with_backs(faces, workshop, report)
    if setting is None or has_errors(report):
        return None
    title = f"{setup.words['tokens']} – {game.factions[faction_id].name}"
    pages = arranged(card_sheets(faces, setting, workshop.subjects))
    finished = footed(pages, f"{setup.name} · {title}", folder, workshop)
    if pages and not write_pages(finished, title, workshop, target, report):
        return None
    return counts


def _tokens_of(
    folder: GameFolder, name: str, setup: Setup, report: Report
) -> tuple[Game, str, list[TokenCount]] | None:
    """Return the tokens of a faction or a deck, with the game and the faction."""
    factions = load.load_factions(folder, setup, report) or {}
    deck_file = folder.deck_file(name)
    if is_file(deck_file):
        loaded = load_deck(folder, deck_file, Rules(ignore=True), report)
        if loaded is None:
            return None
        game, deck, _ = loaded
        return game, deck.faction_id, tokens_of(game, deck)
    if name in factions:
        whole = load.load_game(folder, setup, report, [name])
        return (whole, name, tokens_of_faction(whole, name)) if whole else None
    known = [*factions, *(path.stem for path in folder.deck_files())]
    message = f"there is neither a faction nor a deck `{name}`"
    report.append(X006.at(None, message, known_hint(name, known)))
    return None


def footed(pages: Sequence[Page], title: str, folder: GameFolder, workshop: Workshop) -> list[Page]:
    """Return pages with rulers and footers: what they belong to, their number, and the date.

    The date is SOURCE_DATE_EPOCH, or that of the newest file of the game (both in UTC), so that
    the same input gives the same bytes.
    """
    from deckwright.exporters.card_sheets import with_slugs  # noqa: PLC0415

    words = workshop.game.setup.words
    after = f"{_date(folder)} · {words['full-size']}"
    return list(with_slugs(pages, (title, after), words["page"], workshop))


def _date(folder: GameFolder) -> str:
    """Return the day of a print, as 2026-11-21."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if given.isascii() and given.isdecimal() and len(given) <= _LONGEST_EPOCH:
        seconds = float(given)
    else:
        files = [*folder.files(), *(p for f in folder.template_folders for p in f.glob("*.xml"))]
        seconds = max(_changed(files), default=0)
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _changed(paths: Iterable[Path]) -> Iterable[float]:
    """Yield when files were changed, in seconds since 1970."""
    for path in paths:
        try:
            yield path.stat().st_mtime
        except OSError:
            continue  # it has just gone


_LONGEST_EPOCH = 11
"""The digits of the seconds until the year 5138; datetime ends in 9999."""
