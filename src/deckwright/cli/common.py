"""What commands share: options, printing findings, exit codes."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar

import click

from deckwright import api
from deckwright.api import Game, GameError, Print
from deckwright.base import units
from deckwright.base.files import forbid_outward_links, is_folder
from deckwright.base.findings import (
    Diagnostic,
    FindingGroup,
    Report,
    Severity,
    group_by_cause,
    group_by_kind,
    has_errors,
    shorten,
    sort_findings,
    translated_labels,
)
from deckwright.base.output import write_data
from deckwright.base.units import format_number
from deckwright.cli.report_text import label, language_option, output_language, words_for
from deckwright.cli.reporters import CheckReport, format_groups
from deckwright.cli.terminal import ExitCode, echo, echo_data, echo_report
from deckwright.game.folder import GameFolder, is_game
from deckwright.game.words import WORDS, describe_bounds

if TYPE_CHECKING:
    from deckwright.decks.stats import DeckStats
    from deckwright.outputs.printed import CutFile


class _HasFindings(Protocol):
    """What was made, with the warnings."""

    @property
    def findings(self) -> tuple[Diagnostic, ...]: ...


F = TypeVar("F", bound=Callable[..., object])
K = TypeVar("K")
M = TypeVar("M", bound=_HasFindings)

counted = units.pluralize

_MAX_LISTED_PAGES = 6
"""More pages are not listed one by one."""
_FILE_ERROR_CODES = {"X006", "E001", "E002", "E061", "E075", "I004"}


def combine_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds several options, in the order in which help lists them."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


game_option = click.option(
    "--game",
    "-g",
    "game",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The game's folder, which holds xml/. The default is the current folder.",
)


quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print no summary.")


def _read_watermark(
    context: click.Context, _: click.Parameter, text: str | None
) -> str | bool | None:
    """Return the text of the option, or else whether `--draft` was given."""
    return context.params.get("watermark") if text is None else text


def _apply_draft(context: click.Context, _: click.Parameter, given: bool) -> None:
    """Take the game's word for a draft for the watermark, unless there is another."""
    if given and context.params.get("watermark") is None:
        context.params["watermark"] = True


watermark_option = click.option(
    "--watermark",
    metavar="TEXT",
    callback=_read_watermark,
    help='Put a text across all faces, such as PLAYTEST; "" leaves out that of game.xml.',
)


def watermark_options(command: F) -> F:
    """Add the options that put a text across all faces."""
    draft = click.option(
        "--draft",
        is_flag=True,
        expose_value=False,
        callback=_apply_draft,
        help="Put the game's word for a draft across all faces.",
    )
    return watermark_option(draft(command))


def out_option(default: str) -> Callable[[F], F]:
    """Return the option that names the PDF to write, in place of `default` in the folder out."""
    return click.option(
        "--out",
        "-o",
        help=f"The PDF to write, or a folder for it. The default is out/{default} in the game.",
    )


def folder_option(default: str) -> Callable[[F], F]:
    """Return the option that names the folder to write to, in place of `default` in the game."""
    return click.option(
        "--out",
        "-o",
        type=click.Path(file_okay=False, path_type=Path),
        help=f"The folder to write to. The default is {default} in the game.",
    )


answer_options = combine_options(
    click.option(
        "--format",
        "form",
        type=click.Choice(("text", "json", "csv")),
        default="text",
        help="Answer as text, JSON or CSV.",
    ),
    click.option(
        "--out",
        "-o",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The file to write the answer to, instead of the terminal.",
    ),
)
"""The options that say in which form to answer, and where to."""


def write_answer(text: str, out: Path | None, report: Report, form: str = "text") -> None:
    """Print an answer that is visible text, or write it to the file that `--out` names.

    Args:
        form: what `--format` says.
    """
    if out is None:
        (echo_report if form == "text" else echo_data)(text)
    else:
        forbid_outward_links(out.parent)
        write_data(out, f"{text}\n".encode(), report)


def dpi_option(default: int, help_: str = "Pixels per inch.") -> Callable[[F], F]:
    """Return the option that says how fine pictures are."""
    type_ = click.FloatRange(20, 1200)
    return click.option("--dpi", type=type_, default=default, show_default=True, help=help_)


def cards_option(name: str, help_: str) -> Callable[[F], F]:
    """Return an option that names cards, with commas or one by one."""

    def names(_context: click.Context, _option: click.Parameter, given: Iterable[str]) -> list[str]:
        return [name for text in given for name in text.split(",")]

    return click.option(name, multiple=True, metavar="CARDS", callback=names, help=help_)


def time_option(help_: str) -> Callable[[F], F]:
    """Return the option that says for how many seconds decks are looked for."""
    return click.option(
        "--time",
        type=click.FloatRange(0.1, 3600),
        default=10,
        show_default=True,
        metavar="SECONDS",
        help=help_,
    )


def only_option(help_: str) -> Callable[[F], F]:
    """Return the option that names the cards that alone count, with commas or one by one."""
    return cards_option("--only", help_)


def require_decks(decks: Iterable[str], folder: GameFolder) -> None:
    """Raise a UsageError that says which deck lists there are if none is named."""
    if not decks:
        names = ", ".join(path.name for path in folder.deck_files()) or "none yet"
        raise click.UsageError(f"name a deck list.\nIn {folder.decks_folder} there are: {names}")


def _is_folder_target(out: str) -> bool:
    """Return whether `--out` names a folder: one that exists, or one with a slash at its end."""
    return out.endswith(("/", os.sep)) or is_folder(Path(out))


def output_path(name: str, folder: GameFolder, out: str | None) -> Path:
    """Return where to write a file that is called `name` where `--out` does not name it."""
    if out is None:
        forbid_outward_links(folder.path)
        return folder.path / "out" / name
    forbid_outward_links(Path(out))
    if _is_folder_target(out):
        return Path(out) / name
    # Beside it there may be a manifest, and a file of backs.
    forbid_outward_links(Path(out).parent)
    return Path(out)


def output_path_here(name: str, out: str | None) -> Path:
    """Return where to write a file that is called `name` in the current folder, unless `out` says.

    For what is made of a file that belongs to no game.
    """
    if out is None:
        forbid_outward_links(Path())
        return Path(name)
    forbid_outward_links(Path(out) if _is_folder_target(out) else Path(out).parent)
    return Path(out) / name if _is_folder_target(out) else Path(out)


def output_folder(default: Path, out: Path | None) -> Path:
    """Return the folder to write to: the default one, or what `--out` names."""
    if out is None:
        return default
    forbid_outward_links(out)
    return out


def output_paths(names: Mapping[str, str], folder: GameFolder, out: str | None) -> dict[str, Path]:
    """Return where to write several files, by what they are made of.

    Args:
        names: what a file is made of -> what it is called.

    Raises:
        click.UsageError: if two would be written to one place.
    """
    if out is not None and len(names) > 1 and not _is_folder_target(out):
        message = (
            "to print several, --out must be a folder; end it with a slash if it does not exist"
        )
        raise click.UsageError(message)
    makers: dict[Path, str] = {}
    for made_of, name in names.items():
        path = output_path(name, folder, out)
        other = makers.setdefault(path.absolute(), made_of)
        if other != made_of:
            message = f"`{other}` and `{made_of}` would both be printed to {path}"
            raise click.UsageError(message + "\nPrint one of them with --out.")
    return {made_of: output_path(name, folder, out) for made_of, name in names.items()}


def _apply_rasterize(context: click.Context, _: click.Parameter, given: bool) -> None:
    """Turn drawings that cannot be drawn into pixels as long as the command runs."""
    if given:
        from deckwright.images.drawings.rasterize import rasterizing  # noqa: PLC0415

        context.with_resource(rasterizing())


rasterize_option = click.option(
    "--rasterize",
    is_flag=True,
    expose_value=False,
    callback=_apply_rasterize,
    help="Turn drawings that Deckwright cannot draw into pixels.",
)

style_option = combine_options(
    click.option(
        "--style",
        "-s",
        metavar="NAME",
        help="Use the templates in templates/NAME.",
    ),
    rasterize_option,
)
"""The options that say how faces are drawn."""


def _parse_limits(
    _context: click.Context, _option: click.Parameter, changes: Iterable[str]
) -> dict[str, int | None]:
    """Return the numbers that limits are changed to, by their ids; None for off.

    Raises:
        click.UsageError: if a change is not written so.
    """
    values: dict[str, int | None] = {}
    for change in changes:
        name, found, value = change.partition("=")
        if not found or not re.fullmatch("off|[0-9]{1,9}", value):
            what = f"`--limit {shorten(change)}`"
            raise click.UsageError(f"{what} is not of the form ID=NUMBER or ID=off")
        values[name] = None if value == "off" else int(value)
    return values


def make_limit_options(*others: str) -> Callable[[F], F]:
    """Return the options that say by which limits decks are checked.

    Args:
        others: what `--limits` is called, too.
    """
    return combine_options(
        language_option,
        click.option("--ignore-limits", is_flag=True, help="Do not check deck limits."),
        click.option(
            "--limits", *others, metavar="FORMAT", help="Use the deck limits of this format."
        ),
        click.option(
            "--limit",
            "limit",
            multiple=True,
            callback=_parse_limits,
            metavar="ID=VALUE",
            help="Change one limit, or switch it off: provisions=210, size=off.",
        ),
        click.option(
            "--date",
            metavar="DAY",
            help="Use the list of banned and restricted cards of this day, such as 2026-03-01.",
        ),
    )


limit_options = make_limit_options()
"""The options that say by which limits decks are checked."""


def open_game(path: Path) -> Game:
    """Return the game at `path`, of which each call reads what it needs.

    Raises:
        click.UsageError: if there is none.
    """
    if not is_game(path):
        message = f"there is no game in `{path.absolute()}`: it has no folder `xml`"
        raise click.UsageError(message + "\nGo to the game's folder, or name it with --game.")
    try:
        game = api.open_game(path, keep=False)
    except GameError as error:  # it cannot be read
        show([*error.findings])
        exit_with_findings([*error.findings])
    if not game.folder.has_own_setup:
        echo("there is no xml/game.xml, so the shipped game's is used", err=True)
    return game


def run_catching(make: Callable[[], M]) -> tuple[M | None, Report]:
    """Return what a call of the library makes, None if it cannot, and what was found."""
    try:
        made = make()
    except GameError as error:
        return None, [*error.findings]
    return made, [*made.findings]


def open_folder(path: Path) -> GameFolder:
    """Return the game folder at `path`.

    Raises:
        click.UsageError: if there is no game in it.
    """
    return open_game(path).folder


def new_findings(report: Report, before: Report) -> Report:
    """Return the findings that were not shown before, with another deck."""
    known = set(before)
    return [finding for finding in report if finding not in known]


def show(report: Report, base: Path | None = None) -> None:
    """Print the findings to standard error, those that are alike as one with all places.

    Args:
        base: what paths are told relative to, usually the working folder.
    """
    _print_groups(group_by_cause(report), base, places=True)


def show_kinds(report: Report) -> None:
    """Print one finding of each kind to standard error, and how many others there are."""
    groups = group_by_kind(report)
    _print_groups(groups, None, places=False)
    # Of family E is what only printing finds.
    more = any(group.others and not group.first.code.id.startswith("E") for group in groups)
    if more and translated_labels(output_language(), report) is None:
        echo("`deckwright check` shows where the others are", err=True)


def show_and_count(report: Report) -> None:
    """Print one finding of each kind, and how many findings there are."""
    show_kinds(report)
    if report:
        echo(describe_totals(report), err=True)


def export_each(
    targets: Mapping[K, Path],
    make: Callable[[K, Path], M],
    failed: Callable[[K, Report], str],
    summary: Callable[[K, M], Iterable[str]],
    tell: Callable[[Report], None] = show_kinds,
) -> NoReturn:
    """Make one thing after another, show what was found and made, and end the program.

    Args:
        targets: what things are made of -> where to.
        failed: what is said of one that was not made, before how many findings there are.
        tell: shows findings.
    """
    all_findings: Report = []
    for name, target in targets.items():
        made, report = run_catching(partial(make, name, target))
        tell(new_findings(report, all_findings))
        all_findings += report
        if made is None:
            echo(f"{failed(name, report)}: {describe_totals(report)}", err=True)
        else:
            echo(*summary(name, made))
    exit_with_findings(all_findings)


def _print_groups(groups: list[FindingGroup], base: Path | None, *, places: bool) -> None:
    """Print groups of findings, in color if standard error is a terminal."""
    if groups:
        findings = CheckReport((), (), base or Path.cwd())
        language = output_language()
        text = format_groups(findings, groups, color=_use_color(), places=places, language=language)
        echo_report(text, err=True)


def _use_color() -> bool:
    """Return whether standard error takes colors, as https://no-color.org asks for."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


def describe_pages(printed: Print, path: Path) -> str:
    """Return how many pages were printed to a file."""
    return f"{counted(printed.pages, 'page')} in {path}"


def cut_rows(cuts: Iterable[CutFile]) -> list[tuple[str, str]]:
    """Return for a table the files for a cutting machine, and what to set it up with."""
    rows = []
    for cut in cuts:
        names = ", ".join(str(path) for path in cut.paths)
        units = [str(number) for number in cut.pages]
        if len(units) > _MAX_LISTED_PAGES:
            units = [*units[:2], "…", units[-1]]
        pages = f"page{'' if len(cut.pages) == 1 else 's'} {', '.join(units)}"
        marks = f"; lines of the marks: {cut.arm:g} mm" if cut.arm else ""
        rows.append(("cut", f"{names} ({pages}{marks})"))
        if cut.pictures:
            width, height = (f"{side:.1f}" for side in cut.size)
            listed = str(cut.pictures[0]) + (", …" if len(cut.pictures) > 1 else "")
            rows.append(("pictures", f"{listed} ({width} × {height} mm)"))
    if rows and not any(path.suffix == ".dxf" for cut in cuts for path in cut.paths):
        rows.append(("DXF", "not written: it needs `pip install 'deckwright[cut]'`"))
    return rows


def format_table(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return rows of a name and a value as lines, empty ones left out."""
    filled = [(name, value) for name, value in rows if value]
    width = max((len(name) for name, _ in filled), default=0)
    return [title, *(f"  {name:<{width}}  {value}" for name, value in filled)]


def stats_rows(stats: DeckStats) -> list[tuple[str, str]]:
    """Return what a deck consists of, for `format_table`."""
    zones = ", ".join(f"{zone.name} {zone.cards}" for zone in stats.zones)
    words = words_for(stats.language, stats.words)
    cards = f"{stats.cards} ({zones})" if zones else str(stats.cards)
    rows = [(label(words, "cards"), cards)]
    terms: dict[str, Counter[str]] = {}
    for chart in (chart for zone in stats.zones for chart in zone.charts if not chart.numeric):
        counts = terms.setdefault(chart.name, Counter())
        for bar in chart.bars:
            counts[bar.name] += bar.copies
    for name, counts in terms.items():
        rows.append((name, ", ".join(f"{term} {number}" for term, number in counts.items())))
    rows += [
        (
            state.name,
            format_number(state.number, stats.language)
            + f" ({describe_bounds(words or WORDS, state.limit)})",
        )
        for state in stats.limits
        if state.sums
    ]
    tokens = ", ".join(f"{count.token.name} {count.copies}" for count in stats.tokens)
    number = sum(count.copies for count in stats.tokens)
    all_tokens = f"{number} ({tokens})" if tokens else label(words, "none")
    return [*rows, (label(words, "tokens"), all_tokens)]


def describe_totals(report: Report) -> str:
    """Return how many errors, warnings and infos there are, in words."""
    counts = Counter(finding.severity.value for finding in sort_findings(report))
    labels = translated_labels(output_language(), report)
    parts = [
        counted(counts[name], getattr(labels, name, name), getattr(labels, f"{name}s", ""))
        for name in (severity.value for severity in Severity)
        if counts[name]
    ]
    if labels is not None or not parts:
        return ", ".join(parts)
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def exit_with_findings(report: Report, *, failed: bool = False) -> NoReturn:
    """End the program with the exit code that the findings mean; `failed` is a finding, too."""
    code = ExitCode.FINDINGS if failed else ExitCode.CLEAN
    if has_errors(report):
        code = (
            ExitCode.FILES
            if any(f.code.id in _FILE_ERROR_CODES for f in report)
            else ExitCode.FINDINGS
        )
    raise click.exceptions.Exit(code)
