"""`deckwright solve`: find the best legal decks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Unpack

import click

from deckwright.api.options import GameError, Limits
from deckwright.base.findings import format_names
from deckwright.base.units import format_plain, pluralize, round_number
from deckwright.cli import common
from deckwright.cli.options import split_names
from deckwright.cli.stats import describe_stats
from deckwright.cli.terminal import Command, echo
from deckwright.decks.answers import (
    LABEL,
    NOTE,
    Answer,
    CardCell,
    Column,
    Note,
    Row,
    Section,
    Table,
    TextCell,
    hide,
    make_data_table,
    make_record,
)
from deckwright.game.words import WORDS, describe_bounds

if TYPE_CHECKING:
    from deckwright.api.completing import Completion
    from deckwright.api.session import GameSession
    from deckwright.api.solving import Solution
    from deckwright.base.findings import Report
    from deckwright.decks.solver.solving import Conflict, SolveOptions


def show_and_answer(result: Completion | Solution, answer: Answer, form: str) -> Report:
    """Show the findings of a search, the limits that it left out, and its answer."""
    report = [*result.findings]
    common.show(report)
    left_out = (f"limit `{o.limit}` was left out of the search: {o.reason}"
                for o in result.left_out)  # fmt: skip
    echo(*left_out, err=True)
    common.write_answer(answer, None, report, form)
    return report


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


def describe_stop(seconds: float) -> str:
    """Return a message that the search took all the time that it had."""
    return f"the search stopped after {pluralize(round_number(seconds), 'second')}"


def complete_and_exit(
    opened: GameSession,
    path: Path,
    options: SolveOptions,
    limits: Limits,
    out: Path | None,
    form: str,
    *,
    write: bool,
) -> NoReturn:
    """Print the changes that make a deck legal, write it if asked, and exit."""
    from deckwright.api.completing import find_completion  # not to show help

    completion = find_completion(opened, path, options, limits)
    report = show_and_answer(completion, _describe_completion(completion, path.stem), form)
    if not completion.possible:
        none = f"no deck can meet all limits of `{path.stem}`"
        reason = describe_stop(options.seconds) if completion.conflict is None else none
        echo(reason, *conflict_lines(completion.conflict), err=True)
    elif completion.changes and (write or out):
        echo(f"wrote {completion.write(out)}", err=form != "text")
    elif completion.changes:
        echo("nothing is written without --write or --out", err=True)
    common.exit_with_findings(report, failed=not completion.possible)


def _describe_completion(completion: Completion, name: str) -> Answer:
    """Return the changes of a deck, each with its reasons, as an answer."""
    copies = [repair.change.copies for repair in completion.changes]
    out, in_ = (sum(max(0, sign * number) for number in copies) for sign in (-1, 1))
    title = f"{name}: {pluralize(out, 'copy', 'copies')} to remove, {in_} to add"
    if not copies:
        title = f"{name} is within all limits: there is nothing to change"
    rows: list[Row] = []
    for repair in completion.changes:
        card, number = repair.change.card, repair.change.copies
        action = f"{'remove' if number < 0 else 'add'} {abs(number)} {card.name} ({card.id})"
        why = ", ".join(f"`{each}`" for each in repair.why) or "no zone of the deck takes it"
        rows.append([repair.change.zone, CardCell.of(card), TextCell(number, action), why])
    columns = [Column("zone"), Column("card"), Column("copies", ""), Column("why", "", "note")]
    about = make_record(
        "completion", deck=name, possible=completion.possible, proven=completion.proven
    )
    blocks = [about, Table("changes", columns, rows), *_failure(completion)]
    doubt = "a smaller change may be possible: try more --time" * (not completion.proven)
    if not completion.possible:
        title = doubt = ""
    return Answer("solve", [Section(title, blocks), Section(doubt, ())])


def _failure(result: Completion | Solution) -> Iterator[Table]:
    """Yield what rules decks out, and the limits that the search left out, as data."""
    rows = [
        [part.name, describe_bounds(WORDS, part.limit) if part.limit else None, part.change]
        for part in (result.conflict.parts if result.conflict else ())
    ]
    yield make_data_table("conflict", "name bound change", rows)
    yield make_data_table(
        "left_out", "limit reason", [(o.limit, o.reason) for o in result.left_out]
    )


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


@common.command(
    "solve HK",
    'solve HK --maximize "strength + 2*actions" --include HK3=2 --exclude HK7',
    "solve HK --different 3 --out xml/Decks/",
    "solve army_HK_1 --complete --write",
    cls=_SolveCommand,
)
@click.argument("faction", metavar="FACTION")
@common.game_option
@common.language_option
@click.option("--maximize", multiple=True, metavar="SUM", expose_value=False,
              help="Maximize this sum of fields. Several count in their order.")  # fmt: skip
@click.option("--minimize", multiple=True, metavar="SUM", expose_value=False,
              help="Minimize this sum of fields.")  # fmt: skip
@click.option("--include", multiple=True, metavar="CARDS", callback=split_names,
              help="Include these cards: HK3, or a number of copies: HK3=2,HK4>=2.")  # fmt: skip
@click.option("--exclude", multiple=True, metavar="CARDS", callback=split_names,
              help="Exclude these cards: HK7,HK8.")  # fmt: skip
@click.option("--like", metavar="DECK", help="Stay as close to this deck as the sums allow.")
@click.option("--different", type=click.IntRange(1, 100), default=1, metavar="N",
              help="Find N decks, the best one first.")  # fmt: skip
@click.option("--apart", type=click.IntRange(1, 999), default=3, show_default=True, metavar="K",
              help="With --different: decks differ by at least this many copies.")  # fmt: skip
@click.option("--time", type=click.FloatRange(0.1, 3600), default=10, show_default=True,
              metavar="SECONDS", help="The time limit of the search.")  # fmt: skip
@click.option("--complete", "legalize", is_flag=True, help="Find the smallest change that makes a "
              "deck legal; name the deck instead of a faction.")  # fmt: skip
@click.option("--write", is_flag=True, help="With --complete: change the file of the deck.")
@click.option("--explain", is_flag=True, help="Show how good the deck could be without each limit.")
@click.option("--name", help="The name of the deck.")
@click.option(
    "--out", "-o", metavar="FILE", help="Write the deck to this file, or to a file in this folder."
)
@click.option(
    "--format", "form", metavar="[text|json|csv]", default="text", help=common.FORMAT_HELP
)
@common.limit_options
def solve(
    faction: str,
    game: Path,
    include: list[str],
    exclude: list[str],
    like: str | None,
    different: int,
    apart: int,
    time: float,
    legalize: bool,
    write: bool,
    explain: bool,
    name: str | None,
    out: str | None,
    form: str,
    **limits: Unpack[Limits],
) -> None:
    """Find the best legal deck of a faction.

    Without --maximize, --minimize and --like, it has the highest worth and, of such decks, the
    lowest cost, as game.xml defines them. Sums add fields with factors, such as "strength +
    2*actions"; each sum chooses among the best decks by the sums before it. Name cards by id or
    name, with the faction and a colon before it where that is needed.
    """
    from deckwright.api.session import GameSession  # not to show help
    from deckwright.api.solving import find_decks
    from deckwright.decks.solver.solving import Objective, SolveOptions

    folder = common.open_folder(game)
    if form not in common.FORMATS:  # `--format` was once another name of `--limits`
        limits["limits"], form = limits.get("limits") or form, "text"
    aims = click.get_current_context().meta[_AIMS_KEY]
    options = SolveOptions(
        [Objective(*each) for each in aims], include, exclude, None, different, apart, time, name
    )
    if write and (out is not None or not legalize):
        raise click.UsageError("--write is for --complete, without --out")
    opened = GameSession(folder.path, keep=False)
    if legalize:
        given = {"--like": like, "--name": name, "--explain": explain, "--different": different > 1}
        if named := [option for option, value in given.items() if value]:
            raise click.UsageError(f"--complete cannot be used with {format_names(named)}")
        target = common.output_path(f"{Path(faction).stem}.xml", folder, out) if out else None
        path = folder.deck_file(faction)
        complete_and_exit(opened, path, options, limits, target, form, write=write)
    solution = find_decks(opened, faction, options, limits, like, explain=explain)
    decks = solution.decks
    report = show_and_answer(solution, _describe_solution(solution, explain=explain), form)
    if len(decks) < different and solution.impossible:
        kept = "meets all limits and requests" if include or exclude else "meets all limits"
        echo(f"{'no other' if decks else 'no'} deck of `{faction}` {kept}", err=True)
    elif len(decks) < different or not all(deck.proven for deck in decks):
        echo(f"{describe_stop(time)}; `--time {6 * time:g}` gives it more", err=True)
    elif not all(deck.settled for deck in decks):
        echo("other decks are as good: with more `--time`, another one may be chosen", err=True)
    echo(*conflict_lines(solution.conflict), err=True)
    if out is not None:
        first = common.output_path(f"{faction}.xml", folder, out)
        for number, deck in enumerate(decks, 1):
            name = f"{first.stem}-{number}" if len(decks) > 1 else first.stem
            try:
                file = deck.write(first.with_name(name + (first.suffix or ".xml"))).path
                echo(f"wrote {file}", err=form != "text")
            except GameError as error:
                common.show([*error.findings])
                report += error.findings
    common.exit_with_findings(report, failed=not decks)


def _describe_solution(solution: Solution, *, explain: bool) -> Answer:
    """Return decks as an answer: a single one in full, several in a table with their values."""
    decks = {str(number): deck.stats() for number, deck in enumerate(solution.decks, 1)}
    answer, values, overview = describe_stats(decks), list[Table](), list[Row]()
    for (number, stats), deck in zip(decks.items(), solution.decks, strict=True):
        rows: list[Row] = []
        for each in deck.values:
            proof = "the best possible" if each.proven else "not proven to be the best"
            if not each.proven and each.bound is not None:
                proof += f": no deck can be better than {format_plain(each.bound)}"
            text = TextCell(each.aim, f"{each.aim}: {format_plain(each.value)}, {proof}")
            rows.append((text, each.value, each.bound, each.proven))
        columns = [Column("aim", "", "note"), *map(Column, ("value", "bound", "proven"))]
        values.append(Table("values", columns, rows, common={"deck": number}))
        doubt = "" if deck.proven else "not proven to be the best"
        overview.append((f"{number}.", stats.cards, *(each.value for each in deck.values), doubt))
    sections = [*answer.sections, Section("", values)]
    if len(decks) > 1:
        tables = [block for each in sections for block in each.blocks if isinstance(block, Table)]
        aims = (Column("", each.aim, "number") for each in solution.decks[0].values)
        columns = [LABEL, Column("", "cards", "number"), *aims, NOTE]
        sections = [Section("", [*map(hide, tables), Table("", columns, overview)])]
    title = "no single limit prevents a better deck" if explain and decks else ""
    notes = list[Note]()
    for gain in solution.gains:
        value = "any number" if gain.value is None else format_plain(float(gain.value))
        title, notes = f"{gain.aim}:", [*notes, Note(f"{gain}: {value}")]
    rows = [(gain.limit.id, gain.aim, gain.value) for gain in solution.gains]
    gains = make_data_table("gains", "limit aim value", rows)
    sections.append(Section(title, [gains, *_failure(solution), *notes]))
    return Answer("solve", sections, answer.language)
