"""`deckwright solve --complete`: the smallest change that makes a deck legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from deckwright.api.errors import GameError
from deckwright.base.findings import Report, listed
from deckwright.base.numbers import exact
from deckwright.cli import common
from deckwright.cli.terminal import echo
from deckwright.cli.unsolved import conflict_lines, unregarded

if TYPE_CHECKING:
    from deckwright.api.asked import Limits
    from deckwright.api.completing import Completion
    from deckwright.decks.solver.completing import Mend
    from deckwright.decks.solver.solving import SolveOptions
    from deckwright.game.folder import GameFolder


def demand_alone(options: Iterable[str]) -> None:
    """Raise a UsageError if there are options that mean nothing with `--complete`."""
    if named := list(options):
        raise click.UsageError(f"--complete takes no {listed(named)}")


def complete(
    folder: GameFolder,
    name: str,
    options: SolveOptions,
    limits: Limits,
    out: Path | None,
    *,
    write: bool,
) -> NoReturn:
    """Say what makes a deck legal, write it if that was asked, and end the program.

    Args:
        out: the file to write to instead of the deck's own.
    """
    from deckwright.api.completing import completed  # noqa: PLC0415 - not to show help
    from deckwright.api.opened import Opened  # noqa: PLC0415 - as above

    opened, path = Opened(folder.path, keep=False), folder.deck_file(name)
    done, report = common.attempt(partial(completed, opened, path, options, limits))
    common.show(report)
    if done is None:
        common.leave(report)
    echo(*map(unregarded, done.left_out), err=True)
    if done.possible:
        echo(*_lines(done, path.stem))
        if done.changes and (write or out):
            report += _write(done, out)
        elif done.changes:
            echo("nothing is written without --write or --out", err=True)
    else:
        none = f"no deck keeps all that `{path.stem}` must"
        late = f"the search has ended after {common.counted(exact(options.seconds), 'second')}"
        echo(late if done.conflict is None else none, *conflict_lines(done.conflict), err=True)
    common.leave(report, failed=not done.possible)


def _lines(done: Completion, name: str) -> Iterator[str]:
    """Yield the changes of a deck, each with why it is needed."""
    if not done.changes:
        yield f"{name} keeps all limits: there is nothing to change"
    out = -sum(mend.change.copies for mend in done.changes if mend.change.copies < 0)
    in_ = sum(mend.change.copies for mend in done.changes if mend.change.copies > 0)
    if done.changes:
        cards = common.counted(out, "copy", "copies")
        yield f"{name}: {cards} to remove, {in_} to add"
    told = [_told(mend) for mend in done.changes]
    width = max(map(len, told), default=0)
    for line, mend in zip(told, done.changes, strict=True):
        why = ", ".join(f"`{each}`" for each in mend.why) or "no part of the deck takes it"
        yield f"  {line:<{width}}  {why}"
    if not done.proven:
        yield "a smaller change may do: more --time would tell"


def _told(mend: Mend) -> str:
    card, copies = mend.change.card, mend.change.copies
    return f"{'remove' if copies < 0 else 'add'} {abs(copies)} {card.name} ({card.id})"


def _write(done: Completion, out: Path | None) -> Report:
    """Write the deck, and say so; return what keeps it from being written."""
    try:
        echo(f"wrote {done.write(out)}")
    except GameError as error:
        common.show([*error.findings])
        return [*error.findings]
    return []
