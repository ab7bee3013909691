"""`deckwright proof`: pictures of faces for review."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from deckwright.api.options import PressProofOptions
from deckwright.cli import common
from deckwright.cli.options import options_of
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.outputs.press.proofs import PressProof

_MAX_NAMED_FACES, _MIN_SHARE = 5, 0.001
"""The most faces with too much ink that are named, and the smallest share of a face to report."""


@common.command("proof HK3", "proof HK --style low-ink --dpi 300", "proof HK --ink --service dtc",
         "proof HK3 --icc fogra39")  # fmt: skip
@click.argument("cards", nargs=-1)
@common.game_option
@common.style_option
@options_of(PressProofOptions, "dpi")
@click.option("--backs", is_flag=True, help="Draw the backs instead of the faces.")
@click.option("--ink", is_flag=True, help="Draw the ink coverage, and where it exceeds the limit.")
@options_of(PressProofOptions, "icc", "service")
@common.watermark_options
@common.folder_option("out/proof")
@common.quiet_option
def proof(
    cards: tuple[str, ...],
    game: Path,
    backs: bool,
    ink: bool,
    out: Path | None,
    quiet: bool,
    **options: Unpack[PressProofOptions],
) -> None:
    """Draw faces as PNG files, with contact sheets.

    CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens they create.
    Without any, all cards and tokens are drawn.
    """
    opened = common.open_game(game)
    target = common.output_folder(common.default_output(opened.folder) / "proof", out)
    options["sides"] = "backs" if backs else "faces"
    press = ink or options["icc"] or options["service"]
    make: Callable[..., Any] = opened.export_proofs
    if press:
        make = opened.export_ink_maps if ink else opened.export_soft_proofs
        target /= "ink" if ink else "press"
    else:
        del options["icc"], options["service"]
    drawn, report = common.run_catching(partial(make, target, cards, **options))
    common.show_and_count(report)
    if drawn is not None and not quiet:
        echo(f"{common.counted(drawn.number, 'face')} in {target}, {options['dpi']:g} dpi; look at")
        echo(*(f"  {path}" for path in drawn.sheets))
        if press:
            profile = f"the profile {drawn.condition.profile.name}"
            soft = f"left: on the screen, right: with {profile}"
            echo(*_ink_lines(drawn, profile) if ink else [soft])
    elif drawn is None and not report:
        echo("there is nothing to draw")
    common.exit_with_findings(report)


def _ink_lines(proof: PressProof, profile: str) -> list[str]:
    """Report the maximum ink coverage, and the faces that exceed the limit."""
    limit = proof.condition.limit
    ranked = sorted(proof.ink_usage.items(), key=lambda item: -item[1][0])
    above = [(name, most, share) for name, (most, share) in ranked if share >= _MIN_SHARE]
    if not above:
        name, (most, _) = ranked[0]
        return [f"at most {most:.0f} % of ink with {profile} ({name}); {limit} % is allowed"]
    count = common.counted(len(above), "face")
    lines = [f"{count} with more than {limit} % of ink with {profile}:"]
    lines += [
        f"  {name}: {most:.0f} %, {share:.1%} of it above"
        for name, most, share in above[:_MAX_NAMED_FACES]
    ]
    if len(above) > _MAX_NAMED_FACES:
        lines.append(f"  and {len(above) - _MAX_NAMED_FACES} more")
    return [*lines, "Deckwright reduces the ink there for print services"]
