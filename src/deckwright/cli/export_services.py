"""`deckwright export service`, and a command for each print service with a bundled profile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from deckwright.api.options import Limits, ServicePrint, resolve_order
from deckwright.base.options import option_names
from deckwright.cli import common
from deckwright.cli.options import combine_options, options_of

if TYPE_CHECKING:
    from deckwright.outputs.services.press import ServiceExport

_order_options = combine_options(
    click.argument("decks", nargs=-1, required=True, metavar="DECK…"),
    common.game_option,
    common.folder_option("out/"),
    common.style_option,
    options_of(ServicePrint, without={"style", "watermark", *option_names(Limits)}),
    common.watermark_options,
    common.limit_options,
    common.quiet_option,
)
"""The options of commands that prepare decks for a print service."""


@common.command("export service local army_HK_1", "export service local army_HK_1 --check")
@click.argument("service_id", metavar="SERVICE")
@_order_options
def service(service_id: str, **options: Any) -> None:  # as _order_options says
    """Prepare decks for a print service of your own.

    SERVICE is the name of a profile in xml/services, without .xml. DECK is the name of a file in
    xml/Decks, or any path.
    """
    _export_order(service_id, **options)


def service_command(name: str, summary: str | None, profile: Mapping[str, str]) -> click.Command:
    """Return the command of a print service with a bundled profile.

    Args:
        profile: the attributes of the profile; `about` and `examples` are used for the help.
    """

    @_order_options
    def run(**options: Any) -> None:  # as _order_options says
        _export_order(name, **options)

    run.__name__ = name
    deck = "DECK is the name of a file in xml/Decks, or any path."
    run.__doc__ = f"{summary}\n\n{profile['about']} {deck}"
    options = (f"{name} army_HK_1 {option}" for option in profile["examples"].split("|"))
    return common.command(*(f"export {option}".rstrip() for option in options))(run)


def _export_order(
    service_id: str,
    *,
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **options: Unpack[ServicePrint],
) -> None:
    """Prepare decks for a print service."""
    opened = common.open_game(game)
    target = common.output_folder(common.default_output(opened.folder), out)
    service, order = resolve_order(opened.folder, service_id, options)

    def summarize(_: str, ordered: ServiceExport) -> list[str]:
        rows = []
        for part in ordered.parts:
            size = part.size
            of_size = f"{size.name} {size.width:g} × {size.height:g} mm"
            rows.append(("cards", f"{part.cards} ({part.different} different), {of_size}"))
            if not order.check:
                rows.append(("written to", str(part.path)))
                rows += [("backs", str(path)) for path in part.backs]
            if part.further and not order.check:
                pictures = common.counted(part.further, "picture")
                rows.append(("note", f"the folder also has {pictures} from another order"))
        rows += [
            ("inks", common.inks_row(part.inks, [path.name for path in part.masks]))
            for part in ordered.parts
            if part.inks
        ]
        rows += common.color_rows(service, ordered.profile, stated=order.stated)
        if order.check:
            rows.append(("written", "nothing, because of `--check`"))
        return [] if quiet else common.format_table(f"{ordered.title} for {service.name}", rows)

    common.export_each(
        dict.fromkeys(decks, target),
        lambda name, _: opened.deck(name).export_service(service.id, target, **options),
        lambda name, _: f"{opened.folder.deck_file(name).name} was not prepared",
        summarize,
        common.show,
    )
