"""Commands with examples in their help, and groups that import a command only when called."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import click

from deckwright.cli.terminal import echo_report

_NOT_COMMANDS = {
    "__init__",
    "__main__",
    "group",
    "common",
    "exits",
    "sheets",
    "bar",
    "services",
    "terminal",
    "reporters",
    "speech",
    "values",
}


HELP = ("-h", "--help")
"""The options that show a command's help."""


def command(*examples: str) -> Callable[[Callable[..., object]], click.Command]:
    """Return a decorator that makes a command whose help ends with examples.

    Args:
        examples: command lines without `deckwright` before them.
    """
    lines = "\n".join(f"  deckwright {example}" for example in examples)
    return click.command(epilog=f"\b\nExamples:\n{lines}")


class Lazy(click.Group):
    """The commands are the modules and packages of a package: `deck.py` holds `deck`.

    A command named like a Python keyword has an underscore after its name there.
    """

    package = "deckwright.cli"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the arguments; without any, show the help, which is no mistake."""
        if not args and not ctx.resilient_parsing:
            echo_report(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

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
