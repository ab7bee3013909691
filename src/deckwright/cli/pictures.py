"""`deckwright proof` and `export png`, `svg`, `webp` and `html`: pictures and pages of faces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from deckwright.api import Game
from deckwright.api.options import PicturePrint, PressProofOptions
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.options import combine_options, options_of
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.outputs.pictures import PictureExport
    from deckwright.outputs.press.proofs import PressProof

_CARDS_HELP = """CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens
they create. Without any, all cards and tokens are drawn."""


face_options = combine_options(
    click.argument("cards", nargs=-1),
    common.game_option,
    common.style_option,
    click.option("--backs", is_flag=True, help="Draw the backs instead of the faces."),
    click.option("--both", is_flag=True, help="Draw both faces and backs."),
    options_of(PicturePrint, "bleed"),
    common.watermark_options,
    common.folder_option("out/FORMAT"),
    common.quiet_option,
)
"""The argument and options for the faces to draw and the folder to write to."""

pixel_options = options_of(PicturePrint, "dpi", "size")
"""The options for the size of pictures in pixels."""


def picture_command(*examples: str) -> Callable[[Callable[..., PictureExport]], click.Command]:
    """Return a decorator that turns the function that draws the files of a format into a command.

    The function takes the game, the folder to write to, and the options of `Game.export_pictures`.
    Its docstring is the first paragraph of the help.

    Args:
        examples: command lines without `deckwright` before them.
    """

    def decorator(export: Callable[..., PictureExport]) -> click.Command:
        @wraps(export)
        def run(
            cards: tuple[str, ...],
            game: Path,
            backs: bool,
            both: bool,
            out: Path | None,
            quiet: bool,
            **values: object,
        ) -> None:
            opened = common.open_game(game)
            if backs and both:
                raise click.UsageError("--backs and --both cannot be used together")
            sides = "both" if both else "backs" if backs else "faces"
            target = common.output_folder(
                common.default_output(opened.folder) / export.__name__, out
            )
            drawn, report = common.run_catching(
                lambda: export(opened, target, cards, sides=sides, **values)
            )
            common.show_and_count(report)
            if drawn is not None and not quiet:
                echo(f"{pluralize(drawn.number, 'picture')} in {target}")
            common.exit_with_findings(report)

        run.__doc__ = f"{export.__doc__}\n\n{_CARDS_HELP}"
        return common.command(*examples)(face_options(run))

    return decorator


@picture_command("export png HK3", "export png HK --both --bleed 3mm --dpi 600")
@pixel_options
def png(game: Game, folder: Path, cards: tuple[str, ...], **options: Any) -> PictureExport:
    """Draw faces as PNG files."""
    return game.export_pictures(folder, cards, form="png", **options)


@picture_command("export svg HK3", "export svg HK --backs")
def svg(game: Game, folder: Path, cards: tuple[str, ...], **options: Any) -> PictureExport:
    """Draw faces as self-contained SVG files."""
    return game.export_pictures(folder, cards, form="svg", **options)


@picture_command("export webp", "export webp HK --size 750x1050 --quality 70")
@pixel_options
@options_of(PicturePrint, "quality", "lossless")
def webp(game: Game, folder: Path, cards: tuple[str, ...], **options: Any) -> PictureExport:
    """Draw faces as WebP files, much smaller than PNG files."""
    return game.export_pictures(folder, cards, form="webp", **options)


@common.command("export html", "export html army_HK_1", "export html --languages all --out site/")
@common.decks_argument
@common.game_option
@common.style_option
@common.watermark_options
@common.folder_option("out/html, or out/html_DECK")
@common.limit_options
@common.quiet_option
def html(decks: tuple[str, ...], game: Path, out: Path | None, quiet: bool, **options: Any) -> None:
    """Write a page for browsers: all faces, decks and rules.

    The cards can be searched and filtered. Open `index.html` from the folder, or put the folder on
    any web space: the page needs no server. With DECK, the name of a file in xml/Decks or any path,
    the page shows the cards of this deck.
    """
    opened = common.open_game(game)
    name = "_".join(("html", *(opened.folder.deck_file(deck).stem for deck in decks)))
    target = common.output_folder(common.default_output(opened.folder) / name, out)
    exported, report = common.run_catching(lambda: opened.export_html(target, decks, **options))
    common.show_and_count(report)
    if exported is not None and not quiet:
        echo(f"{pluralize(exported.number, 'face')} in {target / 'index.html'}")
    common.exit_with_findings(report)


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
        echo(f"{pluralize(drawn.number, 'face')} in {target}, {options['dpi']:g} dpi; look at")
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
    count = pluralize(len(above), "face")
    lines = [f"{count} with more than {limit} % of ink with {profile}:"]
    lines += [
        f"  {name}: {most:.0f} %, {share:.1%} of it above"
        for name, most, share in above[:_MAX_NAMED_FACES]
    ]
    if len(above) > _MAX_NAMED_FACES:
        lines.append(f"  and {len(above) - _MAX_NAMED_FACES} more")
    return [*lines, "Deckwright reduces the ink there for print services"]
