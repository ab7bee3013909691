"""`deckwright run`: print thousands of different decks."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.options import GameError, Limits, RunPrint
from deckwright.base.files import forbid_outward_links
from deckwright.base.findings import ChoiceError
from deckwright.base.options import option_names
from deckwright.base.strings import dump_safe_json
from deckwright.base.units import format_bytes, pluralize
from deckwright.base.workers import count_cores
from deckwright.cli import common
from deckwright.cli.options import INPUT_FILE, OUTPUT_FILE, OUTPUT_FOLDER, options_of
from deckwright.cli.terminal import CommandGroup, ExitCode, echo, echo_data
from deckwright.runs.manifest import ManifestRecord
from deckwright.runs.options import UNSUPPORTED
from deckwright.runs.plan import MERGED
from deckwright.runs.run import TIMEOUT, Run, plan_run, sign_run
from deckwright.runs.run import open_run as opened

if TYPE_CHECKING:
    from deckwright.runs.scheduler import EngineFactory


@click.group(cls=CommandGroup)
def run() -> None:
    """Print thousands of different decks, with resumable runs."""


_MAX_REASONS = 10
"""At most this many reasons are listed."""
_MAX_NAMED_DECKS = 3
"""At most this many decks with the same error are named."""
folder_argument = click.argument("folder", metavar="DIR", type=OUTPUT_FOLDER)


def open_run(folder: Path) -> Run:
    """Open the run in a folder; raise a GameError if there is none."""
    run = opened(folder)
    forbid_outward_links(folder)
    return run


def set_aside_lines(records: Iterable[ManifestRecord]) -> list[str]:
    """Return lines with the reasons why decks were set aside; shared reasons appear once."""
    decks: dict[str, list[str]] = {}
    for record in records:
        for one in record.aside:
            code = f"{one['code']}: " if "code" in one else ""
            place = f"{one['file']}:{one['line']}: " if {"file", "line"} <= one.keys() else ""
            hint = f"\n  hint: {one['hint']}" if "hint" in one else ""
            reason = f"{place}{code}{one['message']}{hint}"
            decks.setdefault(reason, []).append(f"{record.deck} (line {record.number})")
    lines = []
    for reason, names in islice(decks.items(), _MAX_REASONS):
        listed, more = ", ".join(names[:_MAX_NAMED_DECKS]), len(names) - _MAX_NAMED_DECKS
        others = f" and {pluralize(more, 'other')}" if more > 0 else ""
        lines += f"deck {listed}{others}: {reason}".splitlines()
    if (more := len(decks) - _MAX_REASONS) > 0:
        lines.append(f"and {more:,} other reasons: `run status --format json` lists them all")
    return lines


@common.command("run merge out/run --by 50", "run merge out/run --by 200 --no-separators --out big")
@folder_argument
@click.option("--by", type=click.IntRange(1, 10_000), default=50, show_default=True, metavar="N",
              help="How many decks to put into a file.")  # fmt: skip
@click.option("--separators/--no-separators", default=None,
              help="Print a separator page before each deck.")  # fmt: skip
@click.option("--out", "-o", metavar="DIR", type=OUTPUT_FOLDER,
              help="The folder of the files; by default merged/ in the run.")  # fmt: skip
def merge(folder: Path, by: int, separators: bool | None, out: Path | None) -> None:
    """Print the decks of a run into larger files.

    A page before each deck shows its name, its number, a checksum and a QR code of its id; PDF/X-4
    for a print service marks the pages of each deck as document parts. Pages are copied from the
    files of the decks; decks that are not yet printed are left out.
    """
    run = open_run(folder)
    target = out or folder / MERGED
    forbid_outward_links(target)
    merged = run.merge(by, target, separators=separators)
    common.show([*merged.findings])
    files = pluralize(len(merged.files), "file")
    decks = pluralize(merged.decks, "deck")
    echo(f"{decks} with {pluralize(merged.pages, 'page')} in {files} in {target}")
    if merged.decks < run.decks:
        echo(f"{run.decks - merged.decks} of the run are not printed yet", err=True)
    common.exit_with_findings(merged.findings)


@common.command(
    "run plan out/run.jsonl",
    "run plan club.csv --out club --sheet a4-poker --backs",
    "run plan out/run.jsonl --service press",
    "run plan out/run.jsonl --service mpc --stock S33 --foil",
)
@click.argument("file", type=INPUT_FILE)
@common.game_option
@click.option("--out", "-o", metavar="DIR", type=OUTPUT_FOLDER,
              help="The folder of the run; by default out/ with the name of FILE.")  # fmt: skip
@common.style_option
@options_of(RunPrint, without={"style", *UNSUPPORTED, *option_names(Limits)})
@common.limit_options
def plan(file: Path, game: Path, out: Path | None, **options: Unpack[RunPrint]) -> None:
    """Plan a run of the decks in a file, one per line.

    FILE has a JSON object per line, or is CSV or Parquet. The folder of the run keeps its decks,
    the options and the current state of the game. `run start` prints it.
    """
    folder = common.open_folder(game)
    target = out or common.default_output(folder) / file.stem
    forbid_outward_links(target)
    try:
        run = plan_run(folder.path, file, target, **options)
    except GameError as error:
        report = [*error.findings]
        common.show(report)
        echo(f"{common.describe_totals(report)}; no run was planned", err=True)
        common.exit_with_findings(report)
    echo(f"{pluralize(run.decks, 'deck')} planned in {target}")
    echo(f"print it with: deckwright run start {target}")


@common.command("run prove out/run D-000017.K4FJIT…", "run prove club A-17.K4FJIT…")
@folder_argument
@click.argument("code")
def prove(folder: Path, code: str) -> None:
    """Show which deck of a run a code proves.

    The code must be made for the deck with the publisher's key. CODE is the text of the QR code.
    """
    line = open_run(folder).prove(code)
    echo(f"proven: deck {line.id}, {line.name}")
    for card in line.cards:
        echo(f"  {card.amount} {card.faction or line.faction}:{card.id}")


@common.command("run reprint out/run A-000001", "run reprint out/run A-000001:HK4 --out card.pdf")
@folder_argument
@click.argument("what", metavar="DECK[:CARD]")
@click.option("--out", "-o", metavar="FILE", type=OUTPUT_FILE,
              help="The file to write; by default in reprints/ in the run.")  # fmt: skip
def reprint(folder: Path, what: str, out: Path | None) -> None:
    """Print a deck of a run again, or the copies of one of its cards.

    The print is the same as before, with the same values, even if the game has changed since.
    """
    run = open_run(folder)
    deck, _, card = what.partition(":")
    if out is not None:
        forbid_outward_links(out)
    result = run.reprint(deck, card or None, out)
    common.show([*result.findings])
    for path in result.files:
        pages = pluralize(result.pages, "page")
        echo(f"{pluralize(result.copies, 'card')} on {pages} in {path}")
    common.exit_with_findings(result.findings)


@common.command(
    "run sign out/run.jsonl --key publisher.pem --out out/signed.jsonl",
    "run sign club.csv --key k.pem --out club.jsonl",
)
@click.argument("file", type=INPUT_FILE)
@common.game_option
@click.option("--key", required=True, type=INPUT_FILE,
              help="The private key, made by `codes key`.")  # fmt: skip
@click.option("--out", "-o", required=True, metavar="FILE", help="The file to write.",
              type=OUTPUT_FILE)  # fmt: skip
def sign(file: Path, game: Path, key: Path, out: Path) -> None:
    """Give each deck in FILE a code that proves which cards it has.

    Templates print it as `{{ printed.proof }}`, best in a QR code; `run prove` checks it.
    """
    folder = common.open_folder(game)
    forbid_outward_links(out)
    signed = sign_run(folder.path, file, out, key)
    common.show([*signed.findings])
    echo(f"{pluralize(signed.decks, 'deck')} signed in {out}")
    common.exit_with_findings(signed.findings)


@common.command(
    "run start out/run",
    "run start out/run --workers 8",
    "run start out/run --engine dask --scheduler tcp://127.0.0.1:8786",
)
@folder_argument
@click.option("--workers", type=click.IntRange(1, 256), metavar="N",
              help="How many decks to print at a time; by default one per core.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(1), default=TIMEOUT, show_default=True,
              metavar="SECONDS", help="Set a deck aside if it takes longer than this.",
              )  # fmt: skip
@click.option("--retry", is_flag=True, help="Retry the decks that were set aside.")
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True,
              help="Where to print: on this machine, or on workers of Dask.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="The address of the scheduler, such as tls://print.example:8786.")  # fmt: skip
@click.option("--tls-ca", "ca", metavar="FILE", type=INPUT_FILE,
              help="The CA of the scheduler's and workers' certificates, as PEM.")  # fmt: skip
@click.option("--tls-cert", "certificate", metavar="FILE", type=INPUT_FILE,
              help="Your certificate, as PEM.")  # fmt: skip
@click.option("--tls-key", "key", metavar="FILE", type=INPUT_FILE,
              help="The key of your certificate, as PEM.")  # fmt: skip
@common.quiet_option
def start(
    folder: Path,
    workers: int | None,
    timeout: float,
    retry: bool,
    quiet: bool,
    engine: str,
    scheduler: str | None,
    **pems: Path | None,  # those of `Cluster`
) -> None:
    """Start or resume a run: print the decks that are not yet printed.

    After any interruption, `run start` resumes: each deck is printed once. Decks that cannot be
    printed are set aside, and all others are printed.
    """
    run = open_run(folder)
    begun = time.monotonic()
    if engine == "local":
        from deckwright.runs.engine import LocalEngine  # only runs need it

        if scheduler or any(pems.values()):
            raise ChoiceError("--scheduler and certificates need --engine dask")
        engines: EngineFactory = partial(LocalEngine, workers or count_cores(), seconds=timeout)
    else:
        from deckwright.runs.dask import Cluster, DaskEngine, require_safe

        if scheduler is None:
            hint = "such as --scheduler tcp://127.0.0.1:8786"
            raise ChoiceError("--engine dask needs --scheduler", hint)
        if workers:
            raise ChoiceError("--workers is for this machine; with Dask, all workers print")
        cluster = Cluster(scheduler, **pems)
        require_safe(cluster)
        engines = partial(DaskEngine, cluster, seconds=timeout)
    ran = run.start(engines=engines, retry=retry, warn=lambda text: echo(f"note: {text}", err=True))
    common.show([*ran.findings])
    echo(*set_aside_lines(ran.aside), err=True)
    if not quiet:
        seconds = max(time.monotonic() - begun, 0.001)
        rate = f", {ran.pages / seconds * 60:,.0f} pages a minute" if ran.printed else ""
        pages = pluralize(ran.pages, "page")
        echo(f"{pluralize(ran.printed, 'deck')} with {pages} printed{rate}")
        if ran.before:
            echo(f"{pluralize(ran.before, 'deck')} printed before")
    if ran.aside:
        echo(f"{pluralize(len(ran.aside), 'deck')} set aside", err=True)
        raise click.exceptions.Exit(ExitCode.FINDINGS)


@common.command("run status out/run", "run status out/run --format json")
@folder_argument
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text",
              help="Show the status as text or JSON.")  # fmt: skip
def status(folder: Path, output: str) -> None:
    """Show the progress of a run, and the decks that were set aside."""
    progress = open_run(folder).status()
    if output == "json":
        aside = [
            {"deck": one.deck, "line": one.number, "reasons": list(one.aside)}
            for one in progress.aside
        ]
        counts = {"missing": progress.missing, "copies": dict(sorted(progress.copies.items()))}
        echo_data(dump_safe_json({"version": 1, **progress._asdict(), **counts, "aside": aside}))
        return
    more = ""
    if progress.missing and progress.printed:  # as large as the others
        size = progress.size / progress.printed * progress.missing
        more = f", about {format_bytes(size)}"
    rows = [
        ("decks", f"{progress.decks:,}"),
        ("printed", (f"{progress.printed:,}, {pluralize(progress.pages, 'page')}, "
                    f"{format_bytes(progress.size)}")),
        ("set aside", f"{len(progress.aside):,}" if progress.aside else ""),
        ("missing", f"{progress.missing:,}{more}"),
    ]  # fmt: skip
    echo(*common.format_table(str(folder), rows))
    echo("being printed" if progress.at_work else "not running")
    echo(*set_aside_lines(progress.aside))


@common.command("run verify out/run", "run verify /media/print/club")
@folder_argument
def verify(folder: Path) -> None:
    """Verify each file of a run against the manifest.

    Files that are missing or different, decks that are not printed, and foreign files are findings.
    `run start` prints missing decks again.
    """
    run = open_run(folder)
    report = [*run.verify()]
    common.show(report)
    if report:
        echo(common.describe_totals(report), err=True)
    else:
        progress = run.status()
        aside = f", {len(progress.aside)} set aside" if progress.aside else ""
        echo(f"{pluralize(progress.printed, 'deck')} verified{aside}")
    common.exit_with_findings(report)


for _command in (merge, plan, prove, reprint, sign, start, status, verify):
    run.add_command(_command)
