"""`deckwright proof`: pictures of faces for review."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.options import PressProofOptions, ProofPrint
from deckwright.cli import common
from deckwright.cli.options import options_of
from deckwright.cli.terminal import command, echo

if TYPE_CHECKING:
    from deckwright.api import Game
    from deckwright.outputs.press.proofs import PressProof

_MAX_NAMED_FACES, _MIN_SHARE = 5, 0.001
"""The most faces with too much ink that are named, and the smallest share of a face to report."""


@command("proof HK3", "proof HK --style low-ink --dpi 300", "proof HK --ink --service dtc",
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
    target = common.output_folder(opened.path / "out" / "proof", out)
    options["sides"] = "backs" if backs else "faces"
    if ink or options["icc"] or options["service"]:
        _press_proofs(opened, target, cards, ink=ink, quiet=quiet, options=options)
        return
    del options["icc"], options["service"]
    plain: ProofPrint = options
    drawn, report = common.run_catching(lambda: opened.export_proofs(target, cards, **plain))
    common.show_and_count(report)
    if drawn is not None and not quiet:
        echo(f"{common.counted(drawn.number, 'face')} in {target}, {options['dpi']:g} dpi; look at")
        echo(*(f"  {path}" for path in drawn.sheets))
    elif drawn is None and not report:
        echo("there is nothing to draw")
    common.exit_with_findings(report)


def _press_proofs(
    opened: Game,
    target: Path,
    cards: tuple[str, ...],
    *,
    ink: bool,
    quiet: bool,
    options: PressProofOptions,
) -> None:
    """Draw ink maps or soft proofs of faces."""
    make = opened.export_ink_maps if ink else opened.export_soft_proofs
    folder = target / ("ink" if ink else "press")
    drawn, report = common.run_catching(lambda: make(folder, cards, **options))
    common.show_and_count(report)
    if drawn is not None and not quiet:
        echo(f"{common.counted(drawn.number, 'face')} in {folder}, {options['dpi']:g} dpi; look at")
        echo(*(f"  {path}" for path in drawn.sheets))
        echo(
            *_ink_lines(drawn)
            if ink
            else [f"left: on the screen, right: with {_describe_profile(drawn)}"]
        )
    elif drawn is None and not report:
        echo("there is nothing to draw")
    common.exit_with_findings(report)


def _describe_profile(proof: PressProof) -> str:
    return f"the profile {proof.condition.profile.name}"


def _ink_lines(proof: PressProof) -> list[str]:
    """Report the maximum ink coverage, and the faces that exceed the limit."""
    limit = proof.condition.limit
    ranked = sorted(proof.ink_usage.items(), key=lambda item: -item[1][0])
    above = [(name, most, share) for name, (most, share) in ranked if share >= _MIN_SHARE]
    if not above:
        name, (most, _) = ranked[0]
        profile = _describe_profile(proof)
        return [f"at most {most:.0f} % of ink with {profile} ({name}); {limit} % is allowed"]
    count = common.counted(len(above), "face")
    lines = [f"{count} with more than {limit} % of ink with {_describe_profile(proof)}:"]
    lines += [
        f"  {name}: {most:.0f} %, {share:.1%} of it above"
        for name, most, share in above[:_MAX_NAMED_FACES]
    ]
    if len(above) > _MAX_NAMED_FACES:
        lines.append(f"  and {len(above) - _MAX_NAMED_FACES} more")
    return [*lines, "Deckwright reduces the ink there for print services"]
