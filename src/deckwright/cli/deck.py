"""`deckwright deck`, also `deck_constructor`: print decks."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from deckwright.api import Print
from deckwright.api.asked import DeckPrint
from deckwright.base.findings import Report, told_in
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import reference_option, sheet_options
from deckwright.cli.speech import label, wanted_language, words_in
from deckwright.cli.values import length_within
from deckwright.game.folder import GameFolder


@command("deck army_HK_1", "deck army_HK_1 army_ZK_1 --backs --sheet letter-65x90")
@click.argument("decks", nargs=-1, metavar="DECK…")
@common.game_option
@common.out_option("deck_NAME.pdf")
@common.style_option
@sheet_options
@reference_option
@click.option("--odds", is_flag=True, help="Print the odds of opening hands, too.")
@common.only_option(
    "Print only the card sheets of these cards, given by id or name, separated by commas."
)
@click.option(
    "--changed-since",
    metavar="MANIFEST",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Print only cards that have changed since an earlier print: its manifest, or its PDF.",
)
@click.option("--copies", type=click.IntRange(1, 999), help="Print this many copies of each card.")
@click.option(
    "--draft",
    is_flag=True,
    help="Print despite errors, with a bar across each faulty face and the word for it on all.",
)
@click.option(
    "--slips", is_flag=True, help="Print slips of paper to put in front of old cards in sleeves."
)
@click.option("--slip-trim", type=length_within(0, 10), metavar="LENGTH",
              help="How much smaller slips are than cards; 1mm by default.")  # fmt: skip
@common.watermark_option
@common.limit_options
@common.quiet_option
def deck(
    decks: tuple[str, ...],
    game: Path,
    out: str | None,
    quiet: bool,
    **asked: Unpack[DeckPrint],
) -> None:
    """Print decks: deck list, cards, tokens and a rule reference.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. A deck with an
    error is not printed, except as a draft.
    """
    opened = common.open_game(game)
    folder = opened.folder
    common.demand_decks(decks, folder)
    since = asked["changed_since"]
    part = "_slips" if asked["slips"] else ""
    part += "_changed" if since else "_part" if asked["only"] or asked["copies"] else ""
    part += "_draft" if asked["draft"] else ""

    def failed(group: tuple[str, ...], report: Report) -> str:
        called = ", ".join(folder.called(folder.deck_file(name)) for name in group)
        if told_in(wanted_language(), report) is not None:
            return called
        return f"{called} {'was' if len(group) == 1 else 'were'} not printed"

    common.make_each(
        _files(decks, folder, out, part, together=asked["fill"]),
        lambda group, target: opened.print_decks(group, target, **asked),
        failed,
        lambda _, printed: () if quiet else _summary(printed, since),
    )


def _files(
    decks: tuple[str, ...], folder: GameFolder, out: str | None, part: str, *, together: bool
) -> dict[tuple[str, ...], Path]:
    """Return which decks are printed to which files: each to its own, or all `together` to one."""
    if together and len(decks) > 1:
        return {decks: common.target(f"decks{part}.pdf", folder, out)}
    named = {name: f"deck_{folder.deck_file(name).stem}{part}.pdf" for name in decks}
    return {(name,): target for name, target in common.targets(named, folder, out).items()}


def _summary(printed: Print, since: Path | str | None) -> list[str]:
    """Return what was printed as a short table for each deck; the last one has the files."""
    lines = []
    for stats in printed.decks[:-1]:
        lines += common.table(stats.deck.name, common.deck_rows(stats))
    last = printed.decks[-1]
    lines += common.table(last.deck.name, [*common.deck_rows(last), *_print_rows(printed)])
    if since:
        changes = [f"  {line}" for line in printed.changes] or ["  nothing that gets printed"]
        lines = [f"changed since {since}:", *changes, *lines]
    return lines


def _print_rows(printed: Print) -> list[tuple[str, str]]:
    """Return how a deck was printed, for a table: the pages, and what fills the last sheet."""
    stats = printed.decks[-1]
    words = words_in(stats.language, stats.words)
    if words:
        sheets = f"{words['card-sheets']}: {printed.sheets}"
        empty = f", {words['empty-slots']}: {printed.empty}" if printed.empty else ""
    else:
        sheets = common.counted(printed.sheets, "sheet") + " of cards"
        empty = f", {common.counted(printed.empty, 'slot')} empty" if printed.empty else ""
    pages = f"{printed.pages} ({sheets}{empty})" if printed.pages else ""
    rows = [(label(words, "pages"), pages)]
    if printed.spare:
        number = sum(printed.spare.values())
        tokens = ", ".join(f"{name} {copies}" for name, copies in printed.spare.items())
        rows.append((label(words, "spare-tokens"), f"{number} ({tokens})"))
    rows += [(label(words, "file"), str(path)) for path in printed.paths]
    return [*rows, *common.cut_rows(printed.cuts)]
