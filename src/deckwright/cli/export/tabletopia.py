"""`deckwright export tabletopia`: decks for Tabletopia."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckwright.cli import common
from deckwright.cli.export import tables
from deckwright.cli.group import command
from deckwright.outputs.tabletop.single_cards import SingleCards


@command("export tabletopia army_HK_1", "export tabletopia --dpi 300 --format png")
@tables.decks_options
@common.folder_option("out/tabletopia")
@common.style_option
@common.dpi_option(200, "Pixels per inch of the cards.")
@tables.format_option
@common.limit_options
@common.quiet_option
def tabletopia(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Deck.export_tabletopia`
) -> None:
    """Write decks as single pictures, as Tabletopia takes them.

    Each pile is a folder, with a picture for each card and each back; `cards.csv` says how often
    the deck has each. DECK is the name of a file in xml/Decks, or any path; without one, all decks
    of the game are written.
    """
    opened = common.open_game(game)
    folder = opened.folder
    names = tables.decks_of(folder, decks)
    target = common.target_folder(folder.path / "out" / "tabletopia", out)
    common.make_each(
        {name: target / folder.deck_file(name).stem for name in names},
        lambda name, path: opened.deck(name).export_tabletopia(path, **asked),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, made: () if quiet else _summary(made),
    )


def _summary(made: SingleCards) -> list[str]:
    """Return what was exported as a short table."""
    rows = [
        (pile.name, f"{common.counted(pile.cards, 'card')}, {common.counted(pile.backs, 'back')}")
        for pile in made.piles
    ]
    return common.table(made.name, [*rows, ("folder", str(made.path))])
