"""`deckwright solve`: find the best legal decks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Unpack

import click

from deckwright.api.options import GameError, Limits
from deckwright.base.findings import Report, format_names
from deckwright.base.units import format_plain, round_number
from deckwright.cli import common
from deckwright.cli.stats import stats_lines
from deckwright.cli.terminal import Command, command, echo

if TYPE_CHECKING:
    from deckwright.api.completing import Completion
    from deckwright.api.options import Limits
    from deckwright.api.solving import Solution, SolvedDeck
    from deckwright.base.findings import Diagnostic
    from deckwright.decks.solver.building import OmittedLimit
    from deckwright.decks.solver.solving import AimValue, Conflict, Gain, Repair, SolveOptions
    from deckwright.game.folder import GameFolder


def describe_omitted(left: OmittedLimit) -> str:
    """Return a message that a limit was left out, with the reason."""
    return f"limit `{left.limit}` was left out of the search: {left.reason}"


def conflict_lines(conflict: Conflict | None) -> Iterator[str]:
    """Yield the conflict that rules out any deck, and the changes that resolve it."""
    if conflict is None:
        return
    yield f"  {conflict.clash}"
    changes = [f"`--limit {part.change}`" for part in conflict.parts if part.change]
    if not conflict.only:
        yield f"  {conflict.way or 'there are other conflicts'}"
    elif changes:
        yield f"  possible with {' or '.join(changes)}"


def reject_options(options: Iterable[str]) -> None:
    """Raise a UsageError for options that do not go with `--complete`."""
    if named := list(options):
        raise click.UsageError(f"--complete cannot be used with {format_names(named)}")


def complete_and_exit(
    folder: GameFolder,
    name: str,
    options: SolveOptions,
    limits: Limits,
    out: Path | None,
    *,
    write: bool,
) -> NoReturn:
    """Print the changes that make a deck legal, write it if requested, and exit.

    Args:
        out: the file to write to instead of the deck's own.
    """
    from deckwright.api.completing import find_completion  # noqa: PLC0415 - not to show help
    from deckwright.api.session import GameSession  # noqa: PLC0415 - as above

    opened, path = GameSession(folder.path, keep=False), folder.deck_file(name)
    completion, report = common.run_catching(
        partial(find_completion, opened, path, options, limits)
    )
    common.show(report)
    if completion is None:
        common.exit_with_findings(report)
    echo(*map(describe_omitted, completion.left_out), err=True)
    if completion.possible:
        echo(*_change_lines(completion, path.stem))
        if completion.changes and (write or out):
            report += _write(completion, out)
        elif completion.changes:
            echo("nothing is written without --write or --out", err=True)
    else:
        none = f"no deck can meet all limits of `{path.stem}`"
        late = f"the search stopped after {common.counted(round_number(options.seconds), 'second')}"
        echo(
            late if completion.conflict is None else none,
            *conflict_lines(completion.conflict),
            err=True,
        )
    common.exit_with_findings(report, failed=not completion.possible)


def _change_lines(completion: Completion, name: str) -> Iterator[str]:
    """Yield the changes of a deck, each with its reasons."""
    if not completion.changes:
        yield f"{name} is within all limits: there is nothing to change"
    out = -sum(mend.change.copies for mend in completion.changes if mend.change.copies < 0)
    in_ = sum(mend.change.copies for mend in completion.changes if mend.change.copies > 0)
    if completion.changes:
        cards = common.counted(out, "copy", "copies")
        yield f"{name}: {cards} to remove, {in_} to add"
    changes = [_describe_repair(mend) for mend in completion.changes]
    width = max(map(len, changes), default=0)
    for line, mend in zip(changes, completion.changes, strict=True):
        why = ", ".join(f"`{each}`" for each in mend.why) or "no zone of the deck takes it"
        yield f"  {line:<{width}}  {why}"
    if not completion.proven:
        yield "a smaller change may be possible: try more --time"


def _describe_repair(mend: Repair) -> str:
    card, copies = mend.change.card, mend.change.copies
    return f"{'remove' if copies < 0 else 'add'} {abs(copies)} {card.name} ({card.id})"


def _write(completion: Completion, out: Path | None) -> Report:
    """Write the deck and print its path; return the errors."""
    try:
        echo(f"wrote {completion.write(out)}")
    except GameError as error:
        common.show([*error.findings])
        return [*error.findings]
    return []


_AIMS_KEY = "deckwright.aims"


class _SolveCommand(Command):
    """Records the common order of `--maximize` and `--minimize`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments and record the order of the sums."""
        given, _, order = self.make_parser(ctx).parse_args(args=[*args])
        values = {name: iter(given.get(name) or ()) for name in ("maximize", "minimize")}
        names = [str(option.name) for option in order]
        ctx.meta[_AIMS_KEY] = [(next(values[n]), n == "minimize") for n in names if n in values]
        return super().parse_args(ctx, args)


@command(
    "solve HK",
    'solve HK --maximize "strength + 2*actions" --include HK3=2 --exclude HK7',
    "solve HK --different 3 --out xml/Decks/",
    "solve army_HK_1 --complete --write",
    cls=_SolveCommand,
)
@click.argument("faction", metavar="FACTION")
@common.game_option
@click.option(
    "--maximize",
    multiple=True,
    metavar="SUM",
    expose_value=False,
    help="Maximize this sum of fields. Several count in their order.",
)
@click.option(
    "--minimize",
    multiple=True,
    metavar="SUM",
    expose_value=False,
    help="Minimize this sum of fields.",
)
@common.cards_option("--include", "Include these cards: HK3, or a number of copies: HK3=2,HK4>=2.")
@common.cards_option("--exclude", "Exclude these cards: HK7,HK8.")
@click.option("--like", metavar="DECK", help="Stay as close to this deck as the sums allow.")
@click.option(
    "--different",
    type=click.IntRange(1, 100),
    default=1,
    metavar="N",
    help="Find N decks, the best one first.",
)
@click.option(
    "--apart",
    type=click.IntRange(1, 999),
    default=3,
    show_default=True,
    metavar="K",
    help="With --different: decks differ by at least this many copies.",
)
@common.time_option("The time limit of the search.")
@click.option(
    "--complete",
    is_flag=True,
    help="Find the smallest change that makes a deck legal; name the deck instead of a faction.",
)
@click.option("--write", is_flag=True, help="With --complete: change the file of the deck.")
@click.option("--explain", is_flag=True, help="Show how good the deck could be without each limit.")
@click.option("--name", help="The name of the deck.")
@click.option(
    "--out", "-o", metavar="FILE", help="Write the deck to this file, or to a file in this folder."
)
@common.make_limit_options("--format")
def solve(
    faction: str,
    game: Path,
    include: list[str],
    exclude: list[str],
    like: str | None,
    different: int,
    apart: int,
    time: float,
    complete: bool,
    write: bool,
    explain: bool,
    name: str | None,
    out: str | None,
    **limits: Unpack[Limits],
) -> None:
    """Find the best legal deck of a faction.

    Without --maximize, --minimize and --like, it has the highest worth and, of such decks, the
    lowest cost, as game.xml defines them. Sums add fields with factors, such as "strength +
    2*actions"; each sum chooses among the best decks by the sums before it. Name cards by id or
    name, with the faction and a colon before it where that is needed.
    """
    from deckwright.api.session import GameSession  # noqa: PLC0415 - not to show help
    from deckwright.api.solving import find_decks  # noqa: PLC0415
    from deckwright.decks.solver.solving import Objective, SolveOptions  # noqa: PLC0415

    folder = common.open_folder(game)
    aims = click.get_current_context().meta[_AIMS_KEY]
    options = SolveOptions(
        [Objective(*each) for each in aims], include, exclude, None, different, apart, time, name
    )
    if write and (out is not None or not complete):
        raise click.UsageError("--write is for --complete, without --out")
    if complete:
        given = {"--like": like, "--name": name, "--explain": explain, "--different": different > 1}
        reject_options(option for option, aims in given.items() if aims)
        target = common.output_path(f"{Path(faction).stem}.xml", folder, out) if out else None
        complete_and_exit(folder, faction, options, limits, target, write=write)
    opened = GameSession(folder.path, keep=False)
    solution, report = common.run_catching(
        partial(find_decks, opened, faction, options, limits, like, explain=explain)
    )
    common.show(report)
    if solution is None:
        common.exit_with_findings(report)
    echo(*(describe_omitted(each) for each in solution.left_out), err=True)
    if len(solution.decks) == 1:
        echo(*_deck_lines(solution.decks[0]))
    else:
        echo(*_table_lines(solution.decks))
    echo(*_gain_lines(solution.gains, requested=explain and bool(solution.decks)))
    kept = "meets all limits and requests" if include or exclude else "meets all limits"
    echo(*_shortfall_lines(solution, f"deck of `{faction}` {kept}", different, time), err=True)
    echo(*conflict_lines(solution.conflict), err=True)
    if out is not None:
        report += _write_decks(solution.decks, faction, folder, out)
    common.exit_with_findings(report, failed=not solution.decks)


def _deck_lines(deck: SolvedDeck) -> Iterator[str]:
    yield from stats_lines(deck.stats())
    if deck.values:
        yield ""
    for value in deck.values:
        yield f"{value.aim}: {format_plain(value.value)}, {_describe_quality(value)}"


def _describe_quality(value: AimValue) -> str:
    """Describe how good a value is."""
    if value.proven:
        return "the best possible"
    limit = (
        "" if value.bound is None else f": no deck can be better than {format_plain(value.bound)}"
    )
    return f"not proven to be the best{limit}"


def _table_lines(decks: Sequence[SolvedDeck]) -> Iterator[str]:
    """Yield a line for each deck with its number of cards and its values."""
    for number, deck in enumerate(decks, 1):
        cards = common.counted(sum(line.copies for line in deck.cards), "card")
        values = (f"{value.aim} {format_plain(value.value)}" for value in deck.values)
        proven = "" if deck.proven else " (not proven to be the best)"
        yield f"{number}. {', '.join([cards, *values])}{proven}"


def _gain_lines(gains: Sequence[Gain], *, requested: bool) -> Iterator[str]:
    """Yield the values that a deck could reach without single limits."""
    if requested:
        yield ""
        yield f"{gains[0].aim}:" if gains else "no single limit prevents a better deck"
    for gain in gains:
        value = "any number" if gain.value is None else format_plain(float(gain.value))
        yield f"  {gain}: {value}"


def _shortfall_lines(solution: Solution, what: str, size: int, time: float) -> Iterator[str]:
    """Yield why there are fewer decks than wanted, or why better ones may exist."""
    count = len(solution.decks)
    if count < size and solution.impossible:
        yield f"{'no other' if count else 'no'} {what}"
    elif count < size or not all(deck.proven for deck in solution.decks):
        late = f"the search stopped after {common.counted(round_number(time), 'second')}"
        yield f"{late}; `--time {6 * time:g}` gives it more"
    elif not all(deck.settled for deck in solution.decks):
        yield "other decks are as good: with more `--time`, another one may be chosen"


def _write_decks(
    decks: Sequence[SolvedDeck], faction: str, folder: GameFolder, out: str
) -> Iterator[Diagnostic]:
    """Write each deck to a file and print its path; yield the errors."""
    first = common.output_path(f"{faction}.xml", folder, out)
    ending = first.suffix or ".xml"
    for number, deck in enumerate(decks, 1):
        name = f"{first.stem}-{number}" if len(decks) > 1 else first.stem
        try:
            echo(f"wrote {deck.write(first.with_name(name + ending)).path}")
        except GameError as error:
            common.show([*error.findings])
            yield from error.findings
