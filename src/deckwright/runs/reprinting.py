"""A deck of a run again, or one of its cards, because paper was damaged."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deckwright.base.choices import ChoiceError, demand
from deckwright.base.dates import dated
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import write_data
from deckwright.runs.lines import DeckLine, parsed
from deckwright.runs.plan import Plan, demand_whole
from deckwright.runs.unpacked import unpacked

_KNOWN = 1000
"""Among so many ids one is looked for that was meant."""


class Reprinted(NamedTuple):
    """What was printed again: the files, or the folder of pictures, their pages, and the copies."""

    files: tuple[Path, ...]
    pages: int
    copies: int
    findings: tuple[Diagnostic, ...] = ()


def reprint(
    plan: Plan, deck_id: str, card: str | None, target: Path, report: Report
) -> Reprinted | None:
    """Print a deck of a run again, or all copies of one of its cards; None after reporting why not.

    Args:
        card: the id of the card, None for the whole deck, whose bytes are then those of the run.

    Raises:
        ChoiceError: if the run has no such deck, or the deck no such card.
    """
    if not demand_whole(plan, report):
        return None
    number, line = line_of(plan, deck_id)
    if card is not None:
        demand(card, dict.fromkeys(each.id for each in line.cards), "card", f" in deck `{line.id}`")
    from deckwright.runs.printing import Printer  # noqa: PLC0415 - heavy

    with dated(plan.facts.date), unpacked(plan.game) as game:
        printer = Printer(game, plan.facts.options, plan.folder)
        printed, findings = printer.printed(line, number, only=card)
    report.extend(findings)
    if printed is None:
        return None
    if all(not name or name.endswith(".pdf") for name in printed.files):
        parts = {
            target.with_name(f"{target.stem}_{name}") if name else target: data
            for name, data in printed.files.items()
        }
        made = tuple(parts)
    else:
        folder = target.with_suffix("")
        parts = {folder / name: data for name, data in printed.files.items()}
        made = (folder,)
    if not all(write_data(path, data, report) for path, data in parts.items()):
        return None
    chosen = [each for each in printed.cards if card in {None, each}]
    return Reprinted(made, len(printed.pages), len(chosen))


def line_of(plan: Plan, deck_id: str) -> tuple[int, DeckLine]:
    """Return the number of a deck's line, and the deck.

    Raises:
        ChoiceError: if the run has no such deck.
    """
    ids: list[str] = []
    for number, text in plan.texts():
        if deck_id not in text and len(ids) == _KNOWN:
            continue
        with suppress(ValueError):
            line = parsed(text)
            if line.id == deck_id:
                return number, line
            ids = [*ids, line.id][:_KNOWN]
    demand(deck_id, ids, "deck", " in the run")
    raise ChoiceError(deck_id)
