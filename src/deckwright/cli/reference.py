"""`deckwright explain`, `icons` and `schema`: reference material for designers."""

from __future__ import annotations

import re
from pathlib import Path

import click

from deckwright.base.findings import (
    ChoiceError,
    code_sections,
    known_hint,
    nearest_hint,
    read_codes_page,
)
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.options import OUTPUT_FILE
from deckwright.cli.terminal import echo
from deckwright.game.load import load_setup

_HEADING = re.compile(r"^(##|###) (.*)$", re.MULTILINE)


@common.command("explain R003", "explain")
@click.argument("codes", nargs=-1, metavar="[CODE…]")
def explain(codes: tuple[str, ...]) -> None:
    """Explain codes of findings such as R003, and how to fix them.

    Each explanation has an example. Without a code, all codes are listed.
    """
    if not codes:  # list the families, and their codes with titles
        for number, (marks, title) in enumerate(_HEADING.findall(read_codes_page())):
            if marks == "##":
                echo(*[""] * (number > 0), title)
            else:
                echo("  " + title.replace(":", "", 1))
        return
    known = code_sections()
    for name in codes:
        if name.upper() not in known:
            code = name.upper()
            # Of a family of codes, only these can be meant.
            family = [each for each in known if each[0] == code[:1]] or known
            raise ChoiceError(f"there is no code `{name}`", known_hint(code, family, at_most=20))
    for number, name in enumerate(codes):
        section, inside = known[name.upper()], False
        echo(*[""] * (number > 0), f"{name.upper()}: {section.title}")
        for line in section.body.splitlines():
            if line.startswith("```"):
                inside = not inside
            else:
                echo(f"    {line}".rstrip() if inside else line)


@common.command("icons Schwert", "icons fire sword --out icons.png")
@click.argument("words", nargs=-1, required=True, metavar="WORD…")
@click.option("--out", "-o", type=OUTPUT_FILE,
              help="Also draw the icons to this PNG file.")  # fmt: skip
@click.option("--most", type=click.IntRange(1, 400), default=24,
              help="Show at most this many (default: 24).")  # fmt: skip
def icons(words: tuple[str, ...], out: Path | None, most: int) -> None:
    """Find icons by their meaning.

    WORD is English or German, or a part of a name. The best matches come first, icons for related
    things last. Use their names in templates, texts and game.xml.
    """
    from deckwright.text.shaping import icon_names  # opens fonts
    from deckwright.text.symbols import find_icons, icon_meanings

    matches = find_icons(" ".join(words))
    if not matches:
        wanted = " ".join(words)
        near = nearest_hint(wanted, icon_names()) or "try another word"
        echo(f"there is no icon for `{wanted}`; {near}", err=True)
        raise SystemExit(1)
    shown = matches[:most]
    width = max(map(len, shown))
    for name in shown:
        echo(f"{name:<{width}}  {', '.join(icon_meanings(name))}".rstrip())
    if len(matches) > len(shown):
        echo(f"and {len(matches) - len(shown):,} more, with `--most {min(len(matches), 400)}`")
    if out is not None:
        from deckwright.outputs.pictures import icon_sheet  # only to draw

        write_data(out, icon_sheet(shown))
        echo(f"drawn in {out}")


@common.command("schema", "schema --game my-game")
@common.game_option
@common.folder_option("xml/schema")
def schema(game: Path, out: Path | None) -> None:
    """Write XML schemas, for completion and checks in editors.

    The schemas of cards, rules and deck lists follow game.xml and list the game's factions and
    rules; run this again when those change.
    """
    from deckwright.api.schemas import build_schemas  # keeps --help quick

    folder = common.open_folder(game)
    with common.report_findings() as report:
        setup = load_setup(folder, report)
        if setup is not None:
            target = common.output_folder(folder.xml / "schema", out)
            written = build_schemas(folder, setup)
            for name, data in written.items():
                write_data(target / name, data)
            if not report:
                echo(f"{len(written)} schemas are in {target}")
