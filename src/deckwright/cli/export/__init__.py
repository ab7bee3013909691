"""`deckwright export`: a game's cards for print services, virtual tables, screens and sheets.

Each format is a file of this package. Each print service with a bundled profile has a command, too,
which follows from the profile.
"""

from __future__ import annotations

from pathlib import Path
from xml.parsers.expat import ParserCreate

import click

from deckwright.cli.group import Lazy

_PROFILES = Path(__file__).parents[2] / "outputs" / "services" / "profiles"


class _Formats(Lazy):
    package = __name__

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none of that name."""
        path = self._sources().get(cmd_name)
        if path is None or path.suffix == ".py":
            return super().get_command(ctx, cmd_name)

        from deckwright.cli.export.service import service_command  # noqa: PLC0415 - only to export

        return service_command(cmd_name, self._help(ctx, cmd_name, path), _profile(path))

    def _sources(self) -> dict[str, Path]:
        return {**super()._sources(), **{path.stem: path for path in _PROFILES.glob("*.xml")}}

    def _help(self, ctx: click.Context, name: str, path: Path) -> str | None:
        if path.suffix == ".py":
            return super()._help(ctx, name, path)
        profile = _profile(path)
        return f"Prepare decks for {profile['name']}: {profile['makes']}."


def _profile(path: Path) -> dict[str, str]:
    """Return the attributes of a bundled profile; lists of commands load no XML library."""
    found: dict[str, str] = {}
    parser = ParserCreate()
    parser.StartElementHandler = lambda _, attributes: found or found.update(attributes)
    parser.Parse(path.read_bytes(), True)  # noqa: FBT003 - positional alone
    return found


@click.command(cls=_Formats)
def export() -> None:
    """Write cards and decks for other programs and print services."""
