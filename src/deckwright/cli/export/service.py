"""`deckwright export service`, and the command of each print service with a bundled profile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deckwright.base.findings import Report, known_hint
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.decklist import Choice
from deckwright.game.folder import GameFolder

if TYPE_CHECKING:
    from deckwright.outputs.services.job import Ordered, OrderOptions
    from deckwright.outputs.services.profile import Service

_OPTIONS = (
    click.argument("decks", nargs=-1, required=True, metavar="DECK…"),
    common.game_option,
    common.folder_option("out/"),
    common.style_option,
    click.option("--size", metavar="ID", help="Which of the service's cards to print on."),
    click.option(
        "--scale",
        type=click.Choice(["none", "fit"]),
        default="none",
        help="`fit` scales faces to the nearest size the service offers.",
    ),
    click.option(
        "--only",
        multiple=True,
        metavar="CARDS",
        help="Order only these cards, by id or name, separated by commas.",
    ),
    click.option(
        "--copies", type=click.IntRange(1, 999), help="Order this many copies of each card."
    ),
    click.option(
        "--tokens/--no-tokens",
        default=True,
        help="Whether to include the deck's tokens in the order.",
    ),
    click.option(
        "--icc",
        metavar="FILE",
        help="The ICC profile for CMYK; `none` for RGB. The default is the one that suits best.",
    ),
    click.option(
        "--state-pdfx",
        "stated",
        is_flag=True,
        help="Label the PDF as PDF/X. Have it checked first: Deckwright cannot.",
    ),
    click.option("--anyway", is_flag=True, help="Write files even if they will not print well."),
    click.option("--check", is_flag=True, help="Only run the preflight; write nothing."),
    common.limit_options,
    common.quiet_option,
)


def _order_options(function: common.F) -> common.F:
    """Add the options of commands that make a deck ready for a print service."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@command("export service local army_HK_1", "export service local army_HK_1 --check")
@click.argument("service_id", metavar="SERVICE")
@_order_options
def service(service_id: str, **options: Any) -> None:  # noqa: ANN401 - as _order_options says
    """Prepare decks for a print service of your own.

    SERVICE is the name of a profile in xml/services, without .xml. DECK is the name of a file in
    xml/Decks, or any path.
    """
    _run(service_id, **options)


def service_command(name: str, summary: str | None, profile: Mapping[str, str]) -> click.Command:
    """Return the command of a print service with a bundled profile.

    Args:
        profile: the attributes of the profile, of which `about` and `examples` are the help's.
    """

    @_order_options
    def run(**options: Any) -> None:  # noqa: ANN401 - as _order_options says
        _run(name, **options)

    run.__name__ = name
    deck = "DECK is the name of a file in xml/Decks, or any path."
    run.__doc__ = f"{summary}\n\n{profile['about']} {deck}"
    options = profile["examples"].split("|")
    return command(*(f"export {name} army_HK_1 {option}".rstrip() for option in options))(run)


def _run(
    service_id: str,
    *,
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    style: str | None,
    size: str | None,
    scale: str,
    only: tuple[str, ...],
    copies: int | None,
    tokens: bool,
    icc: str | None,
    stated: bool,
    anyway: bool,
    check: bool,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
    quiet: bool,
) -> None:
    """Make decks ready for a print service.

    Raises:
        click.UsageError: if there is no such service, or it does not know what is asked for.
    """
    from deckwright.outputs.services.export import export_order  # noqa: PLC0415 - imports what draws
    from deckwright.outputs.services.job import OrderOptions  # noqa: PLC0415
    from deckwright.outputs.services.profile import load_service  # noqa: PLC0415

    folder = common.open_folder(game)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    _know(service_id, folder)
    report: Report = []
    service = load_service(service_id, folder.xml, report)
    if service is None:
        common.show(report)
        common.leave(report)
    _fits(service, size=size, icc=icc, stated=stated)
    options = OrderOptions(
        size,
        scale == "fit",
        Choice(tuple(name.strip() for names in only for name in names.split(",")), copies),
        tokens,
        None if icc is None or icc == "none" else Path(icc),
        icc == "none",
        anyway,
        check,
        stated,
        common.parse_style(folder, style),
    )
    target = common.target_folder(folder.path / "out", out)
    all_findings: Report = []
    for name in decks:
        report = []
        path = folder.deck_file(name)
        ordered = export_order(folder, path, service, target, options, rules, report)
        common.show(common.new_in(report, all_findings))
        if ordered is None:
            echo(f"{path.name} was not made ready: {common.totals(report)}", err=True)
        elif not quiet:
            echo(*_summary(service, ordered, options))
        all_findings += report
    common.leave(all_findings)


def _know(service_id: str, folder: GameFolder) -> None:
    """Raise a usage error if there is no such service."""
    from deckwright.outputs.services.profile import service_names  # noqa: PLC0415

    names = service_names(folder.xml)
    if service_id not in names:
        message = f"there is no print service `{service_id}`"
        raise click.UsageError(common.with_hint(message, known_hint(service_id, names)))


def _fits(service: Service, *, size: str | None, icc: str | None, stated: bool) -> None:
    """Raise a usage error if a service does not know what is asked for."""
    ids = [one.id for one in service.sizes]
    if size is not None and size not in ids:
        message = f"{service.name} makes no cards of size `{size}`"
        if not ids:
            message = f"{service.name} makes cards of any size, so it takes no `--size`"
        raise click.UsageError(common.with_hint(message, known_hint(size, ids)))
    if icc not in {None, "none"} and service.color.value == "rgb":
        message = f"{service.name} takes RGB, so it has no use for `--icc`"
        raise click.UsageError(message)
    if stated and service.pdfx is None:
        message = f"{service.name} does not ask for PDF/X"
        raise click.UsageError(message)


def _summary(service: Service, ordered: Ordered, options: OrderOptions) -> list[str]:
    """Return what was made ready as a short table."""
    rows = []
    for part in ordered.parts:
        size = part.size
        of_size = f"{size.name} {size.width:g} × {size.height:g} mm"
        rows.append(("cards", f"{part.cards} ({part.different} different), {of_size}"))
        rows.append(("", "") if options.check else ("written to", str(part.path)))
        if part.others and not options.check:
            pictures = common.counted(part.others, "picture")
            rows.append(("take care", f"{pictures} from another order in that folder"))
    inks = f"CMYK with the profile {ordered.profile.name}" if ordered.profile else "RGB"
    if ordered.profile and service.ink < _ANY_INK:
        inks += f", at most {service.ink}% ink"
    rows.append(("colors", inks))
    if service.pdfx and ordered.profile:
        said = "which the file states" if options.stated else "which the file does not state"
        rows.append(
            ("PDF/X", f"made as {service.pdfx}, {said}: have it checked, Deckwright cannot")
        )
    if options.check:
        rows.append(("written", "nothing, because of `--check`"))
    return common.table(f"{ordered.deck.name} for {service.name}", rows)


_ANY_INK = 400
"""Four inks in full."""
