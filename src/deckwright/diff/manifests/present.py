"""What the manifest of a deck would be if it were printed now."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.checks.counting import Held
from deckwright.checks.loading import Rules, load_deck
from deckwright.decks.stats import deck_stats
from deckwright.diff.manifests.build import manifest_of
from deckwright.diff.manifests.digest import Digests
from deckwright.diff.manifests.model import Manifest
from deckwright.faces.deck_copies import deck_copies
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder


def present(
    folder: GameFolder, printed: Manifest, style: str | None, report: Report
) -> Manifest | None:
    """Return the manifest of the deck that was printed as it is now; None after reporting why not.

    Args:
        printed: its manifest as it was, which also says whether backs are printed.
        style: another style than it was printed in.
    """
    path = folder.deck_file(f"{Path(printed.deck).name}.xml")
    loaded = load_deck(folder, path, Rules(ignore=True), report)
    if loaded is None:
        return None
    game, deck, _ = loaded
    style = style or printed.style
    factory, before = FaceFactory(game, folder, report, style), len(report)
    backs = any(entry.back is not None for entry in printed.entries)
    copies = deck_copies(deck_stats(game, deck, Held()), factory, report, backs=backs)
    if not factory.usable or len(report) > before:
        return None
    digests = Digests(factory.fonts)
    return manifest_of(game, deck, copies, digests, sheet=game.setup.sheet, style=style)
