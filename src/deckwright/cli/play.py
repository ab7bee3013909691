"""`deckwright play`: what happened in a game on the studio's table."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.options import INPUT_FILE
from deckwright.decks.play.log import read_log
from deckwright.decks.play.summary import describe_play
from deckwright.game.words import language_of


@common.command("play out/play/army_HK_1-7.jsonl", "play out/play/army_HK_1-7.jsonl --format json")
@click.argument("log", type=INPUT_FILE)
@common.game_option
@common.answer_options
@common.language_option
@common.messages_option
def play(log: Path, game: Path, form: str, out: Path | None) -> None:
    """Show what happened in a game on the studio's table.

    LOG is the file of a game that was played in `deckwright studio`, in out/play. For each player:
    the cards that were drawn, beside what the odds said, played and left in hand, and the turns.
    Lines that are no valid events are reported and skipped.
    """
    report: Report = []
    opened = common.open_game(game)
    setup, found = opened.model.setup, read_log(log, report)
    if found is not None:
        words = common.words_for(language_of(setup), setup.words)
        common.write_answer(describe_play(found.play, opened.model, words), out, report, form)
    common.show(report)
    common.exit_with_findings(report)
