"""`deckwright deck`, also `deck_constructor`: print decks."""

from __future__ import annotations

import os
from pathlib import Path

import click

from deckwright import pipeline
from deckwright.cli import common
from deckwright.diagnostics import Report
from deckwright.files import is_folder


@click.command()
@click.argument("decks", nargs=-1, metavar="DECK…")
@common.game_option
@click.option(
    "--out",
    "-o",
    help="The PDF to write, or a folder for it. The default is out/deck_NAME.pdf in the game.",
)
@common.style_option
@common.limit_options
@click.option("--quiet", "-q", is_flag=True, help="Print no summary.")
def deck(
    decks: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
    quiet: bool,
) -> None:
    """Print decks as PDF files: cards, tokens and a reference of their rules.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. A deck with an
    error is not printed.
    """
    folder = common.open_folder(game)
    if not decks:
        names = ", ".join(path.name for path in folder.deck_files()) or "none yet"
        message = f"name a deck list.\nIn {folder.decks_folder} there are: {names}"
        raise click.UsageError(message)
    if out is not None and len(decks) > 1 and not _means_folder(out):
        message = "with several decks, --out must be a folder; end it with a slash if it is new"
        raise click.UsageError(message)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    style = common.parse_style(folder, style)
    targets: dict[Path, str] = {}
    for name in decks:
        target = _target(folder.path, folder.deck_file(name), out)
        other = targets.setdefault(target.absolute(), name)
        if folder.deck_file(other).resolve() != folder.deck_file(name).resolve():
            message = f"`{other}` and `{name}` would both be printed to {target}"
            raise click.UsageError(message + "\nPrint one of them with --out.")
    all_findings: Report = []
    for name in decks:
        report: Report = []
        path = folder.deck_file(name)
        printed = pipeline.print_deck(
            folder, path, _target(folder.path, path, out), rules, style, report
        )
        common.show(report)
        if printed is None:
            click.echo(f"{path.name} was not printed: {common.totals(report)}", err=True)
        elif not quiet:
            click.echo(_summary(printed))
        all_findings += report
    common.leave(all_findings)


def _means_folder(out: str) -> bool:
    """Return whether `--out` names a folder: one that exists, or one with a slash at its end."""
    return out.endswith(("/", os.sep)) or is_folder(Path(out))


def _target(game: Path, deck_path: Path, out: str | None) -> Path:
    name = f"deck_{deck_path.stem}.pdf"
    if out is None:
        return game / "out" / name
    return Path(out) / name if _means_folder(out) else Path(out)


def _summary(printed: pipeline.Printed) -> str:
    """Return what was printed as a short table."""
    summary = printed.summary
    zones = ", ".join(f"{name} {number}" for name, number in summary.zones.items() if number)
    rows = [("cards", f"{summary.cards} ({zones})" if zones else str(summary.cards))]
    for field, terms in summary.terms.items():
        rows.append((field, ", ".join(f"{name} {number}" for name, number in terms.items())))
    rows += [(name, f"{total} ({bound})") for name, total, bound in summary.limits]
    tokens = ", ".join(f"{count.token.name} {count.copies}" for count in summary.tokens)
    total = sum(count.copies for count in summary.tokens)
    rows.append(("tokens", f"{total} ({tokens})" if tokens else "none"))
    rules = printed.pages - printed.sheets
    sheets = common.counted(printed.sheets, "sheet") + " of cards"
    rows.append(("pages", f"{printed.pages} ({sheets}, {rules} of rules)"))
    rows.append(("file", str(printed.path)))
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{width}}  {value}" for name, value in rows if value]
    return "\n".join([printed.deck.name, *lines])
