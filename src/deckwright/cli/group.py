"""A group of commands that imports a command only when it is called."""

from __future__ import annotations

import importlib

import click

from deckwright.discovery import module_names

_NOT_COMMANDS = {"group", "common"}


class Lazy(click.Group):
    """The commands are the modules of this package: `deck.py` holds `deck`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        modules = module_names(importlib.import_module("deckwright.cli"))
        return [name for name in modules if name not in _NOT_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"deckwright.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command
