"""What commands have in common that make something ready for a press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deckwright.cli import common

if TYPE_CHECKING:
    from deckwright.api import ForPress
    from deckwright.outputs.press.icc import Profile
    from deckwright.outputs.printed import Pressed
    from deckwright.outputs.services.profile import Service

_NAMES = ("service", "icc", "pdfx", "state_pdfx", "anyway")
_ANY_INK = 400
"""Four inks in full."""

pdfx_options = common.together(
    click.option(
        "--icc",
        metavar="FILE",
        help="The ICC profile for CMYK; `none` for RGB. The default is the one that suits best.",
    ),
    click.option(
        "--pdfx",
        type=click.Choice(["x-1a", "x-4"]),
        help="The kind of PDF/X to make instead of the one the service asks for.",
    ),
    click.option(
        "--state-pdfx",
        is_flag=True,
        help="Label the PDF as PDF/X. Have it checked first: Deckwright cannot.",
    ),
)
"""Which inks, and which PDF/X."""
press_options = common.together(
    click.option(
        "--service",
        metavar="ID",
        help="Make it ready for this print service, such as `press`: in its inks, with its bleed.",
    ),
    pdfx_options,
    click.option("--anyway", is_flag=True, help="Write a file even if it will not print well."),
)
"""Those of commands that print for people, too."""


def taken(asked: dict[str, Any]) -> ForPress:
    """Take the values of `press_options` out of those of a command."""
    return {name: asked.pop(name) for name in _NAMES}  # type: ignore[return-value]


def named(name: str, press: ForPress) -> str:
    """Return the name of a file, with the service before it as exports have it."""
    service = press.get("service")
    return f"{service}_{name}" if service else name


def press_lines(pressed: Pressed | None) -> list[str]:
    """Return what there is to say of a print that was made ready for a press."""
    if pressed is None:
        return []
    rows = [("inks", inks_row(pressed.inks, [path.name for path in pressed.masks]))]
    rows = rows if pressed.inks else []
    rows += color_rows(pressed.service, pressed.profile, stated=pressed.stated)
    return common.table(f"ready for {pressed.service.name}", rows)


def inks_row(inks: tuple[str, ...], masks: list[str]) -> str:
    """Return how inks beside the print's own are handed over."""
    how = f"as masks in {', '.join(masks)}" if masks else "as separations"
    return f"{', '.join(inks)}, {how}"


def color_rows(service: Service, profile: Profile | None, *, stated: bool) -> list[tuple[str, str]]:
    """Return in which colors something is printed, and whether as PDF/X."""
    if profile is None:
        return [("colors", "RGB")]
    condition = profile.condition or service.condition
    named = f" for {condition}" if condition else ""
    most = f", at most {service.ink}% ink" if service.ink < _ANY_INK else ""
    rows = [("colors", f"CMYK{named} with the profile {profile.name}{most}")]
    if service.pdfx:
        said = "which the file states" if stated else "which the file does not state"
        made = f"made as {service.pdfx}, {said}: have it checked, Deckwright cannot"
        rows.append(("PDF/X", made))
    return rows
