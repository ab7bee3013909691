"""What no legal deck is built of: factions and cards, found by a solver where it is installed.

What was found is remembered by what it depends on, as that is found again only by much work.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from deckwright.base.files import files_below
from deckwright.base.findings import Code, Diagnostic, Report, Severity, capped
from deckwright.checking.stamps import Stamp
from deckwright.checks.fielding import D011, no_deck, usual_format
from deckwright.checks.matching import values_of
from deckwright.game.folder import PACKAGE
from deckwright.game.formulas import Formula
from deckwright.game.model import Game
from deckwright.game.setup import Setup

D012 = Code("D012", Severity.WARNING, "a card that no legal deck can have")

_SECONDS = 10.0
"""How long it may take; of games that need longer, only what is sure by then is told."""
_CODE = ("checks", "decks", "game")
"""The rooms whose code it depends on."""

Known = list[tuple[str, str | None, str, list[str]]]
"""What was found: a faction, or one of its cards, what keeps it out, and other formats or hints."""


def check_fielding(game: Game, report: Report) -> None:
    """Report factions that can build no legal deck, and cards that are in none.

    Factions that have been reported are left out.
    """
    if game.gaps.cards or game.gaps.factions or not game.setup.limits:
        return
    if find_spec("highspy") is None:
        return
    told = {finding.location for finding in report if finding.code is D011}
    found = [each for each in _findings(game, _known(game)) if each.location not in told]
    report.extend(capped(found))


def _findings(game: Game, known: Known) -> Iterator[Diagnostic]:
    for faction_id, card_id, conflict, more in known:
        faction = game.factions[faction_id]
        form = usual_format(game.setup, faction)
        if card_id is None:
            yield no_deck(faction, form, conflict, more)
            continue
        card = game.cards[faction_id, card_id]
        message = f"card `{card_id}` can be in no legal deck: {conflict}"
        yield D012.at(card.source.at(), message, *more)


def _known(game: Game) -> Known:
    """Return what was found before of the same game, or else look for it."""
    import json  # noqa: PLC0415 - only to check

    def decode(content: bytes) -> Known:
        return [(faction, card, said, [*more]) for faction, card, said, more in json.loads(content)]

    stamp = _stamp(game)
    known = stamp.read(decode)
    if known is None:
        known = [*_found(game)]
        stamp.set(json.dumps(known))
    return known


def _found(game: Game) -> Iterator[tuple[str, str | None, str, list[str]]]:
    from deckwright.decks.solver.unfit import unfit  # noqa: PLC0415 - imports much

    for faction_id, card_id, conflict, formats in unfit(game, _SECONDS):
        if card_id is None:
            yield faction_id, None, str(conflict), list(formats)
            continue
        hint = "change it, or the limits" + (f": {conflict.way}" if conflict.way else "")
        leave = "leaves" if len(conflict.parts) == 1 else "leave"
        yield faction_id, card_id, f"{conflict.names} {leave} no room for it", [hint]


def _stamp(game: Game) -> Stamp:
    """Return the stamp of all that this depends on; of cards that is what limits ask for."""
    sources = [game.setup.source, *(listed.source for listed in game.restrictions)]
    sources += [faction.source for faction in game.factions.values()]
    texts = {source.path: source.document.text for source in sources}
    fields = sorted(_asked_for(game.setup))
    cards = (
        repr((*key, card.kind.tag, card.name, [values_of(card, field) for field in fields]))
        for key, card in game.cards.items()
    )
    code = (path for room in _CODE for path in files_below(PACKAGE / room))
    files = [str(path) for path in code if path.suffix == ".py"]
    return Stamp(["fielded", *texts.values(), *cards], files)


def _asked_for(setup: Setup) -> set[str]:
    """Return the names of the fields of cards that zones and limits ask for."""
    wheres = [zone.where for zone in setup.zones]
    names: list[str | None] = []
    for limit in setup.limits:
        wheres.append(limit.conditions)
        names += [limit.sum, limit.distinct, limit.per]
        names += [each.same for each in limit.exemptions]
        names += [field for _, field in limit.references()]
    for form in setup.formats.values():
        numbers = (number for number in form.changes.values() if isinstance(number, Formula))
        names += [field for number in numbers for _, field in number.references()]
    names += [each.field for where in wheres for group in where for each in group]
    return set(filter(None, names))
