"""A group of commands that imports a command only when it is called."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

_NOT_COMMANDS = {"__init__", "__main__", "group", "common", "sheets", "bar", "services", "terminal"}


class Lazy(click.Group):
    """The commands are the modules and packages of a package: `deck.py` holds `deck`.

    A command that is called as a word of Python's has an underscore behind its name there.
    """

    package = "deckwright.cli"

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        folders = importlib.import_module(self.package).__path__
        paths = [path for folder in folders for path in Path(folder).iterdir()]
        names = {path.stem for path in paths if path.suffix == ".py"}
        names |= {path.name for path in paths if (path / "__init__.py").is_file()}
        return sorted(name.removesuffix("_") for name in names - _NOT_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = f"{cmd_name}_" if cmd_name == "import" else cmd_name
        module = importlib.import_module(f"{self.package}.{name}")
        command: click.Command = getattr(module, name)
        return command
