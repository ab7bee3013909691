"""`deckwright export html`: a page for browsers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckwright.cli import common
from deckwright.cli.export_virtual_tables import decks_argument
from deckwright.cli.terminal import echo


@common.command("export html", "export html army_HK_1", "export html --languages all --out site/")
@decks_argument
@common.game_option
@common.style_option
@common.watermark_options
@common.folder_option("out/html, or out/html_DECK")
@common.limit_options
@common.quiet_option
def html(decks: tuple[str, ...], game: Path, out: Path | None, quiet: bool, **options: Any) -> None:
    """Write a page for browsers: all faces, decks and rules.

    The cards can be searched and filtered. Open `index.html` from the folder, or put the folder on
    any web space: the page needs no server. With DECK, the name of a file in xml/Decks or any path,
    the page shows the cards of this deck.
    """
    opened = common.open_game(game)
    name = "_".join(("html", *(opened.folder.deck_file(deck).stem for deck in decks)))
    target = common.output_folder(common.default_output(opened.folder) / name, out)
    exported, report = common.run_catching(lambda: opened.export_html(target, decks, **options))
    common.show_and_count(report)
    if exported is not None and not quiet:
        echo(f"{common.counted(exported.number, 'face')} in {target / 'index.html'}")
    common.exit_with_findings(report)
