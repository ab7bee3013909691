"""`deckwright export` and `import`: groups of commands, each with its formats."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar
from xml.parsers.expat import ParserCreate

import click

from deckwright.cli.terminal import LazyGroup

_PROFILES = Path(__file__).parents[1] / "outputs" / "services" / "profiles"


class _ExportFormats(LazyGroup):
    """The export formats, and a command for each print service with a bundled profile."""

    sections: ClassVar = {
        "Pictures": dict.fromkeys(("png", "webp", "svg"), "pictures"),
        "Web pages": {"html": "pictures"},
        "Spreadsheets": dict.fromkeys(("xlsx", "csv"), "export_spreadsheets"),
        "Virtual tables": dict.fromkeys(
            ("tts", "tabletopia", "playground", "cockatrice", "sheet"), "export_decks"
        ),
        "Print services": dict.fromkeys(
            (*sorted(path.stem for path in _PROFILES.glob("*.xml")), "service"), "export_decks"
        ),
    }

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none of that name."""
        path = _PROFILES / f"{cmd_name}.xml"
        if cmd_name not in self.modules or not path.is_file():
            return super().get_command(ctx, cmd_name)

        from deckwright.cli.export_decks import service_command  # only to export

        return service_command(cmd_name, self.read_help(cmd_name), _profile(path))

    def read_help(self, name: str) -> str | None:
        """Return the first paragraph of a command's help, that of a service from its profile."""
        path = _PROFILES / f"{name}.xml"
        if not path.is_file():
            return super().read_help(name)
        profile = _profile(path)
        return f"Prepare decks for {profile['name']}: {profile['makes']}."


def _profile(path: Path) -> dict[str, str]:
    """Return the attributes of a bundled profile, without lxml: help pages must start fast."""
    root: dict[str, str] = {}
    parser = ParserCreate()
    parser.StartElementHandler = lambda _, attributes: root or root.update(attributes)
    parser.Parse(path.read_bytes(), True)  # noqa: FBT003 - positional alone
    return root


@click.command(cls=_ExportFormats)
def export() -> None:
    """Write cards and decks for other programs and print services."""


class _ImportFormats(LazyGroup):
    sections: ClassVar = {"Commands": dict.fromkeys(("csv", "json", "xlsx"), "import_")}


@click.command(cls=_ImportFormats, name="import")
def import_() -> None:
    """Bring changes made in spreadsheets back into the XML files."""
