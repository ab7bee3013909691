"""Code shared by commands: options, output paths, findings, exit codes.

What is wrong with a command line is a UsageError.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import click

from deckwright import api
from deckwright.api import DeckPrint, Game, GameError, Limits, Print
from deckwright.base.extras import install_command
from deckwright.base.files import forbid_outward_links, is_file, is_folder
from deckwright.base.findings import (
    ChoiceError,
    Diagnostic,
    FindingGroup,
    Report,
    Severity,
    group_findings,
    is_error,
    sort_findings,
    translated_labels,
)
from deckwright.base.output import OutputError, report_failure, write_data
from deckwright.base.units import format_number, pluralize
from deckwright.cli.options import OUTPUT_FILE, OUTPUT_FOLDER, F, combine_options, options_of
from deckwright.cli.reporters import CheckReport, format_groups
from deckwright.cli.terminal import Command, ExitCode, echo, echo_data, echo_report, with_hint
from deckwright.game.folder import GameFolder, find_game_folder, is_game
from deckwright.game.language import current_language, use_language
from deckwright.game.words import WORDS, describe_bounds, has_own_words, label
from deckwright.images.drawings import rasterizing

if TYPE_CHECKING:
    from deckwright.decks.answers import Answer
    from deckwright.decks.stats import DeckStats
    from deckwright.outputs.press.icc import IccProfile
    from deckwright.outputs.printed import CutFile, PressOutput
    from deckwright.outputs.services.profile import Service


class HasFindings(Protocol):
    """A result that carries its warnings."""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The warnings."""


K = TypeVar("K")
M = TypeVar("M", bound=HasFindings)

_FULL_INK = 400
"""Four inks at 100 %."""
_MAX_LISTED_PAGES = 6
"""Longer lists of pages are abbreviated."""
_FILE_ERROR_CODES = {"X006", "E001", "E002", "E061", "E075", "I004"}


def command(
    *examples: str, cls: type[click.Command] = Command
) -> Callable[[Callable[..., object]], click.Command]:
    """Return a decorator that makes a command with examples at the end of its help.

    ChoiceErrors become usage errors; the findings of a GameError or OutputError are shown.

    Args:
        examples: command lines without `deckwright` before them.
    """
    lines = "\n".join(f"  deckwright {example}" for example in examples)

    def decorator(function: Callable[..., object]) -> click.Command:
        @wraps(function)
        def run(*args: object, **values: object) -> object:
            try:
                return run_in_languages(partial(function, *args), values)
            except ChoiceError as error:
                raise click.UsageError(with_hint(error.message, error.hint)) from None
            except (GameError, OutputError) as error:
                show([*error.findings])
                exit_with_findings(error.findings)

        return click.command(cls=cls, epilog=f"\b\nExamples:\n{lines}")(run)

    return decorator


class _GamePath(click.Path):
    """The folder of a game."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the folder; for a file in a game, fail with the game's folder."""
        home = find_game_folder(Path(value).parent) if is_file(Path(value)) else None
        if home is not None:
            folder = os.path.relpath(home)
            self.fail(f"`{value}` is a file; name the game's folder, `{folder}`", param, ctx)
        return super().convert(value, param, ctx)


game_option = click.option(
    "--game", "-g", "game", type=_GamePath(exists=True, file_okay=False, path_type=Path),
    default=Path(), help="The game folder, which holds xml/. The default is the current folder.",
)  # fmt: skip
decks_argument = click.argument("decks", nargs=-1, metavar="[DECK…]")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print no summary.")


def _apply_draft(context: click.Context, _: click.Parameter, value: bool) -> None:
    """Use the game's word for a draft as the watermark, unless `--watermark` is given."""
    if value and context.params.get("watermark") is None:
        context.params["watermark"] = True


watermark_options = combine_options(
    options_of(DeckPrint, "watermark"),
    click.option("--draft", is_flag=True, expose_value=False, callback=_apply_draft,
                 help="Print the game's word for a draft across all faces."),
)  # fmt: skip
"""The options for a text across all faces."""


def out_option(default: str) -> Callable[[F], F]:
    """Return the option for the PDF to write; `default` is its name in the folder out."""
    text = f"The PDF to write, or a folder for it. The default is out/{default} in the game."
    return click.option("--out", "-o", help=text)


def folder_option(default: str) -> Callable[[F], F]:
    """Return the option for the folder to write to; `default` is relative to the game."""
    text = f"The folder to write to. The default is {default} in the game."
    return click.option("--out", "-o", type=OUTPUT_FOLDER, help=text)


FORMATS = ("text", "json", "csv")
"""The formats of answers."""
FORMAT_HELP = "Answer as text, JSON or CSV."
format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help=FORMAT_HELP
)
answer_options = combine_options(
    format_option,
    click.option("--out", "-o", type=OUTPUT_FILE,
                 help="Write the answer to this file instead of the terminal."),
)  # fmt: skip
"""The options for the format and the file of an answer."""


def write_answer(answer: Answer, out: Path | None, report: Report, form: str = "text") -> None:
    """Print an answer, or write it to the file of `--out`, in the form of `--format`."""
    if form == "text":
        from deckwright.cli.answer_text import format_text  # few commands answer

        text = format_text(answer, sys.stdout.encoding or "ascii" if out is None else "utf-8")
    else:
        text = answer.as_json() if form == "json" else answer.as_csv()
    if out is None and text:
        (echo_report if form == "text" else echo_data)(text)
    elif out is not None:
        forbid_outward_links(out.parent)
        with report_failure(report):
            write_data(out, f"{text}\n".encode())


def require_decks(decks: Iterable[str], folder: GameFolder) -> None:
    """Raise a UsageError that lists the game's decks if none is named."""
    if not decks:
        names = ", ".join(path.name for path in folder.deck_files()) or "none yet"
        raise click.UsageError(f"name a deck list.\nIn {folder.decks_folder} there are: {names}")


def _is_folder_target(out: str) -> bool:
    """Return whether `--out` names a folder: an existing one, or one with a trailing slash."""
    return out.endswith(("/", os.sep)) or is_folder(Path(out))


def output_path(name: str, folder: GameFolder, out: str | None) -> Path:
    """Return the path to write to; without `--out`, the file `name` in the game's folder out."""
    if out is None:
        forbid_outward_links(folder.path)
        return default_output(folder) / name
    forbid_outward_links(Path(out))
    if _is_folder_target(out):
        return Path(out) / name
    # A manifest and a file of backs may be written beside it.
    forbid_outward_links(Path(out).parent)
    return Path(out)


def default_output(folder: GameFolder) -> Path:
    """Return the folder for what is printed; each language has one of its own within it."""
    language = current_language()
    home = folder.path / "out"
    return home if language is None else home / language.code


def output_path_here(name: str, out: str | None, source: Path | None = None) -> Path:
    """Return the path to write to; without `out`, the file `name` in the current folder.

    For the output of commands on files that belong to no game. What is made of a `source` in a
    game's folder out is written there as well.
    """
    if out is None:
        folder = Path() if source is None else source.parent
        if folder.name != "out" or not is_game(folder.parent):
            folder = Path()
        forbid_outward_links(folder)
        return folder / name
    forbid_outward_links(Path(out) if _is_folder_target(out) else Path(out).parent)
    return Path(out) / name if _is_folder_target(out) else Path(out)


def output_folder(default: Path, out: Path | None) -> Path:
    """Return the folder to write to: that of `--out`, or else the default one."""
    if out is None:
        return default
    forbid_outward_links(out)
    return out


def output_paths(names: Mapping[str, str], folder: GameFolder, out: str | None) -> dict[str, Path]:
    """Return the paths to write several files to, by their sources, as `names` has them."""
    if out is not None and len(names) > 1 and not _is_folder_target(out):
        message = "--out must be a folder if you print several; end a new one with a slash"
        raise click.UsageError(message)
    makers: dict[Path, str] = {}
    paths = {source: output_path(name, folder, out) for source, name in names.items()}
    for source, path in paths.items():
        other = makers.setdefault(path.absolute(), source)
        if other != source:
            message = f"`{other}` and `{source}` would both be printed to {path}"
            raise click.UsageError(message + "\nPrint one of them with --out.")
    return paths


rasterize_option = click.option(
    "--rasterize", is_flag=True, expose_value=False,
    callback=lambda context, _, value: value and context.with_resource(rasterizing()),
    help="Rasterize drawings that Deckwright cannot draw.",
)  # fmt: skip
ALL_LANGUAGES = "all"
language_option = click.option(
    "--language", "--languages", "language", metavar="CODE",
    shell_complete=lambda context, _, start: [
        code
        for code in (*GameFolder(context.params.get("game") or Path()).catalogs(), ALL_LANGUAGES)
        if code.startswith(start)
    ],
    help=f"Use a translation of the game, such as fr, or `{ALL_LANGUAGES}` in turn; `en-XA` "
    "shows where longer words do not fit.",
)  # fmt: skip
complete_option = click.option(
    "--complete", is_flag=True, help="Stop if a text is not translated, instead of a warning."
)
style_option = combine_options(
    options_of(DeckPrint, "style"), rasterize_option, language_option, complete_option
)
"""The options for the style and the language of faces."""


def run_in_languages(function: Callable[..., object], values: dict[str, Any]) -> object:
    """Call a command's function in the languages of `--language`."""
    if "language" not in values:
        return function(**values)
    chosen, complete = values.pop("language"), values.pop("complete", False)
    if chosen is None:
        if complete:
            raise click.UsageError("--complete needs --language")
        return function(**values)
    folder = open_folder(values.get("game") or Path())
    if chosen != ALL_LANGUAGES:
        return _run_in_language(function, values, folder, chosen, complete=complete)
    out, command = values.get("out"), click.get_current_context().command
    takes_folder = any(each.name == "out" and each.type is OUTPUT_FOLDER for each in command.params)
    if out is not None and not takes_folder and not _is_folder_target(str(out)):
        message = "--out must be a folder for several languages; end a new one with a slash"
        raise click.UsageError(message)
    codes: list[object] = []
    for code in (None, *folder.catalogs()):
        own = dict(values)
        if out is not None and code is not None:
            own["out"] = type(out)(Path(out) / code) if isinstance(out, Path) else f"{out}/{code}/"
        try:
            _run_in_language(function, own, folder, code, complete=complete)
        except click.exceptions.Exit as ended:
            codes.append(ended.exit_code)
    raise click.exceptions.Exit(max((c for c in codes if isinstance(c, int)), default=0))


def _run_in_language(
    function: Callable[..., object],
    values: dict[str, Any],
    folder: GameFolder,
    code: str | None,
    *,
    complete: bool,
) -> object:
    if code is None:
        return function(**values)
    from deckwright.languages.catalog import find_language, find_untranslated

    report = find_untranslated(language := find_language(folder, code), folder)
    if complete and report:
        raise OutputError(*(found._replace(given_severity=Severity.ERROR) for found in report))
    show(report)
    with use_language(language):
        return function(**values)


_MESSAGES_KEY = "deckwright.messages"
ENGLISH = "en"

messages_option = click.option(
    "--messages", metavar="LANG", expose_value=False,
    callback=lambda context, _, value: context.meta.update({_MESSAGES_KEY: value}),
    help="Report on decks and limits in the game's language, such as de.",
)  # fmt: skip


def output_language() -> str:
    """Return the language of `--messages`, or else of the terminal: "de", "en"."""
    context = click.get_current_context(silent=True)
    # The first one that is set takes precedence: https://pubs.opengroup.org/onlinepubs/9799919799/.
    settings = [os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    if context is not None and context.meta.get(_MESSAGES_KEY) is not None:
        settings.insert(0, context.meta[_MESSAGES_KEY] or ENGLISH)
    locale = next(filter(None, settings), ENGLISH).casefold()  # such as "de_DE.UTF-8"
    match = re.match(r"([a-z]{2,3})(?![a-z])", locale)
    return match[1] if match else ENGLISH


def words_for(language: str, words: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return the game's words if they are in the output language, None for English."""
    return words if language == output_language() and has_own_words(language, words) else None


limit_options = combine_options(messages_option, options_of(Limits))
"""The options for the limits that decks are checked against."""


def open_game(path: Path) -> Game:
    """Open the game at `path` without a cache: each call reads the files that it needs."""
    if not is_game(path):
        message = f"there is no game in `{path.absolute()}`: it has no folder `xml`"
        message += "\nGo to the game's folder, or name it with --game."
        raise click.UsageError(f"{message} `deckwright new` starts a game.")
    game = api.open_game(path, keep=False)
    if not game.folder.has_own_setup:
        echo("there is no xml/game.xml, so the shipped game's is used", err=True)
    return game


def run_catching(make: Callable[[], M]) -> tuple[M | None, Report]:
    """Call the library; return its result, None if it raises a GameError, and the findings."""
    try:
        result = make()
    except GameError as error:
        return None, [*error.findings]
    return result, [*result.findings]


def open_folder(path: Path) -> GameFolder:
    """Return the game folder at `path`."""
    return open_game(path).folder


def new_findings(report: Report, before: Report) -> Report:
    """Return the findings that were not shown before, for another deck."""
    known = set(before)
    return [finding for finding in report if finding not in known]


def show(report: Report, base: Path | None = None) -> None:
    """Print findings, similar ones once with all their places, relative to `base`."""
    _print_groups(group_findings(report, hints=True), base, places=True)


def show_kinds(report: Report) -> None:
    """Print one finding of each kind to standard error, with the number of others."""
    groups = group_findings(report, hints=False)
    _print_groups(groups, None, places=False)
    # The check does not report findings of family E: only printing finds them.
    more = any(group.further and not group.first.code.id.startswith("E") for group in groups)
    if more and translated_labels(output_language(), report) is None:
        echo("`deckwright check` lists the others", err=True)


def show_and_count(report: Report) -> None:
    """Print one finding of each kind, and the number of findings."""
    show_kinds(report)
    if report:
        echo(describe_totals(report), err=True)


@contextmanager
def report_findings(show_findings: Callable[[Report], None] = show) -> Iterator[Report]:
    """Show what the context reports, or raises as an OutputError, and exit."""
    report: Report = []
    with report_failure(report):
        yield report
    show_findings(report)
    exit_with_findings(report)


def export_each(
    targets: Mapping[K, Path],
    make: Callable[[K, Path], M],
    describe_failure: Callable[[K, Report], str],
    summarize: Callable[[K, M], Iterable[str]],
    show_findings: Callable[[Report], None] = show_kinds,
) -> NoReturn:
    """Export several things to their targets, print findings and summaries, and exit."""
    all_findings: Report = []
    for name, target in targets.items():
        result, report = run_catching(partial(make, name, target))
        show_findings(new_findings(report, all_findings))
        all_findings += report
        if result is None:
            echo(f"{describe_failure(name, report)}: {describe_totals(report)}", err=True)
        else:
            echo(*summarize(name, result))
    exit_with_findings(all_findings)


def _print_groups(groups: list[FindingGroup], base: Path | None, *, places: bool) -> None:
    """Print groups of findings, in color on a terminal; see https://no-color.org."""
    if groups:
        findings, language = CheckReport((), (), base or Path.cwd()), output_language()
        color = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        text = format_groups(findings, groups, color=color, places=places, language=language)
        echo_report(text, err=True)


def describe_pages(printed: Print, path: Path) -> str:
    """Return a summary such as "9 pages in out/deck.pdf"."""
    return f"{pluralize(printed.pages, 'page')} in {path}"


def describe_sheets(printed: Print) -> str:
    """Return a summary such as "2 sheets of cards, 1 slot empty"."""
    empty = f", {pluralize(printed.empty, 'slot')} empty" if printed.empty else ""
    return f"{pluralize(printed.sheets, 'sheet')} of cards{empty}"


def press_lines(pressed: PressOutput | None) -> list[str]:
    """Summarize a print for a press as a short table."""
    if pressed is None:
        return []
    rows = [("inks", inks_row(pressed.inks, [path.name for path in pressed.masks]))]
    rows = rows if pressed.inks else []
    rows += color_rows(pressed.service, pressed.profile, stated=pressed.stated)
    return format_table(f"ready for {pressed.service.name}", rows)


def inks_row(inks: tuple[str, ...], masks: list[str]) -> str:
    """Describe how extra inks are delivered."""
    how = f"as masks in {', '.join(masks)}" if masks else "as separations"
    return f"{', '.join(inks)}, {how}"


def color_rows(
    service: Service, profile: IccProfile | None, *, stated: bool
) -> list[tuple[str, str]]:
    """Return table rows with the color space and PDF/X version of a print."""
    if profile is None:
        return [("colors", "RGB")]
    condition = profile.condition or service.condition
    suffix = f" for {condition}" if condition else ""
    most = f", at most {service.max_ink}% ink" if service.max_ink < _FULL_INK else ""
    rows = [("colors", f"CMYK{suffix} with the profile {profile.name}{most}")]
    if service.pdfx:
        statement = "as the file states" if stated else "though the file does not state it"
        description = f"made as {service.pdfx}, {statement}; have it checked, Deckwright cannot"
        rows.append(("PDF/X", description))
    return rows


def cut_rows(cuts: Iterable[CutFile]) -> list[tuple[str, str]]:
    """Return table rows with the files for a cutting machine and its settings."""
    rows = []
    for cut in cuts:
        names = ", ".join(str(path) for path in cut.paths)
        units = [str(number) for number in cut.pages]
        if len(units) > _MAX_LISTED_PAGES:
            units = [*units[:2], "…", units[-1]]
        pages = f"page{'' if len(cut.pages) == 1 else 's'} {', '.join(units)}"
        marks = f"; length of the marks: {cut.arm:g} mm" if cut.arm else ""
        rows.append(("cut", f"{names} ({pages}{marks})"))
        if cut.pictures:
            width, height = (f"{side:.1f}" for side in cut.size)
            listed = str(cut.pictures[0]) + (", …" if len(cut.pictures) > 1 else "")
            rows.append(("pictures", f"{listed} ({width} × {height} mm)"))
    if rows and not any(path.suffix == ".dxf" for cut in cuts for path in cut.paths):
        rows.append(("DXF", f"not written: it needs `{install_command('cut')}`"))
    return rows


def format_table(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Format rows of names and values as lines, without those that have no value."""
    filled = [(name, value) for name, value in rows if value]
    width = max((len(name) for name, _ in filled), default=0)
    return [title, *(f"  {name:<{width}}  {value}" for name, value in filled)]


def stats_rows(stats: DeckStats) -> list[tuple[str, str]]:
    """Return table rows with the statistics of a deck."""
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
    """Return the numbers of errors, warnings and infos in words."""
    counts = Counter(finding.severity.value for finding in sort_findings(report))
    labels = translated_labels(output_language(), report)
    parts = [
        pluralize(counts[name], getattr(labels, name, name), getattr(labels, f"{name}s", ""))
        for name in (severity.value for severity in Severity)
        if counts[name]
    ]
    if labels is not None or not parts:
        return ", ".join(parts)
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def exit_with_findings(report: Iterable[Diagnostic], *, failed: bool = False) -> NoReturn:
    """Exit with the code for these findings; `failed` counts as a finding."""
    errors = {finding.code.id for finding in report if is_error(finding)}
    code = ExitCode.FILES if errors & _FILE_ERROR_CODES else ExitCode.FINDINGS
    raise click.exceptions.Exit(code if errors or failed else ExitCode.CLEAN)
