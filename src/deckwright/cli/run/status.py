"""`deckwright run status`: how far a run has come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.base.units import size_told
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.run.opened import demand, folder_argument, open_run, told_aside
from deckwright.cli.terminal import echo, echo_data

if TYPE_CHECKING:
    from deckwright.runs.looking import Status


@command("run status out/run", "run status out/run --format json")
@folder_argument
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text",
              help="How to tell it.")  # fmt: skip
def status(folder: Path, output: str) -> None:
    """Tell how far a run has come, and which decks were set aside."""
    from deckwright.base.visible import visible_json  # noqa: PLC0415

    found = demand(open_run(folder).status)
    if output == "json":
        aside = [
            {"deck": one.deck, "line": one.number, "reasons": list(one.aside)}
            for one in found.aside
        ]
        said = {"missing": found.missing, "copies": dict(sorted(found.copies.items()))}
        echo_data(visible_json({"version": 1, **found._asdict(), **said, "aside": aside}))
        return
    rows = [
        ("decks", f"{found.decks:,}"),
        ("printed", (f"{found.printed:,}, {common.counted(found.pages, 'page')}, "
                    f"{size_told(found.size)}")),
        ("set aside", f"{len(found.aside):,}" if found.aside else ""),
        ("missing", f"{found.missing:,}{_expected(found)}"),
    ]  # fmt: skip
    echo(*common.table(str(folder), rows))
    echo("being printed" if found.at_work else "nobody is printing it")
    echo(*told_aside(found.aside))


def _expected(found: Status) -> str:
    """Return how large the decks are that are missing, if others are printed."""
    if not (found.missing and found.printed):
        return ""
    return f", about {size_told(found.size / found.printed * found.missing)}"
