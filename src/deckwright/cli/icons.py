"""`deckwright icons`: find icons by what they mean."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report, has_errors
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


@command("icons Schwert", "icons fire sword --out icons.png")
@click.argument("words", nargs=-1, required=True, metavar="WORD…")
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the icons to this PNG file as well.",
)
@click.option(
    "--most", type=click.IntRange(1, 400), default=24, help="Show so many at most (default: 24)."
)
def icons(words: tuple[str, ...], out: Path | None, most: int) -> None:
    """Find icons by what they mean.

    WORD is English or German, or a part of a name. Icons that fit best come first, those for
    related things last. Their names are for templates, texts and game.xml.
    """
    from deckwright.text.icon_search import find_icons, icon_meanings  # noqa: PLC0415 - opens fonts

    found = find_icons(" ".join(words))
    if not found:
        echo(f"there is no icon for `{' '.join(words)}`; try another word for it", err=True)
        raise SystemExit(1)
    shown = found[:most]
    width = max(map(len, shown))
    for name in shown:
        echo(f"{name:<{width}}  {', '.join(icon_meanings(name))}".rstrip())
    if len(found) > len(shown):
        echo(f"and {len(found) - len(shown):,} more, with `--most {min(len(found), 400)}`")
    if out is not None:
        from deckwright.outputs.icon_sheet import icon_sheet  # noqa: PLC0415 - only to draw

        report: Report = []
        write_data(out, icon_sheet(shown), report)
        common.show(report)
        if not has_errors(report):
            echo(f"drawn in {out}")
        common.leave(report)
