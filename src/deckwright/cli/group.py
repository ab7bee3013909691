"""Commands with examples in their help, and groups that import a command only when called."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.base.choices import ChoiceError
from deckwright.base.visible import visible
from deckwright.cli.terminal import echo_report

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMAND_IN_SOURCE = re.compile(r"^@(?:click\.|picture_)?command\(", re.MULTILINE)
"""What tells a command from the other modules beside it, where it is not imported."""

_HELP_IN_SOURCE = re.compile(
    r'^@(?:click\.|picture_)?command\(.*?^def \w+\(.*?^    """(.*?)(?:\n\n|""")',
    re.MULTILINE | re.DOTALL,
)
"""The first paragraph of a command's help, where its module is not imported."""

HELP = ("-h", "--help")
"""The options that show a command's help."""


def command(
    *examples: str, cls: type[click.Command] = click.Command
) -> Callable[[Callable[..., object]], click.Command]:
    """Return a decorator that makes a command whose help ends with examples.

    Args:
        examples: command lines without `deckwright` before them.
    """
    lines = "\n".join(f"  deckwright {example}" for example in examples)

    def decorator(function: Callable[..., object]) -> click.Command:
        return click.command(cls=cls, epilog=f"\b\nExamples:\n{lines}")(_as_usage(function))

    return decorator


def _as_usage(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function whose ChoiceErrors are mistakes in usage."""

    @wraps(function)
    def run(*args: object, **values: object) -> object:
        try:
            return function(*args, **values)
        except ChoiceError as error:
            raise click.UsageError(with_hint(error.message, error.hint)) from None

    return run


def with_hint(message: str, hint: str | None) -> str:
    """Return a message with a hint below it, if there is one."""
    return f"{visible(message)}\n  hint: {visible(hint)}" if hint else message


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
        return sorted(self._sources())

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Return a command, None if there is none of that name."""
        path = self._modules().get(cmd_name)
        if path is None or not _is_command(path):
            return None
        name = f"{cmd_name}_" if cmd_name == "import" else cmd_name
        command: click.Command = getattr(importlib.import_module(f"{self.package}.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        click.Group(commands=self._unopened(ctx)).format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands without importing them, and options."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only to complete

        return [
            CompletionItem(command.name, help=command.get_short_help_str())
            for command in self._unopened(ctx)
            if str(command.name).startswith(incomplete)
        ] + click.Command.shell_complete(self, ctx, incomplete)

    def _sources(self) -> dict[str, Path]:
        """Return the file of each command, by the command's name."""
        return {name: path for name, path in self._modules().items() if _is_command(path)}

    def _modules(self) -> dict[str, Path]:
        """Return the file of each module of the package, as commands are called."""
        folders = importlib.import_module(self.package).__path__
        everything = (path for folder in folders for path in Path(folder).iterdir())
        paths = [path for path in everything if not path.name.startswith("_")]
        found = {path.stem: path for path in paths if path.suffix == ".py"}
        found |= {path.name: path / "__init__.py" for path in paths if "." not in path.name}
        return {name.removesuffix("_"): path for name, path in found.items() if path.is_file()}

    def _unopened(self, ctx: click.Context) -> list[click.Command]:
        """Return stand-ins for the commands, which have names and short helps alone."""
        sources = sorted(self._sources().items())
        return [click.Command(name, help=self._help(ctx, name, path)) for name, path in sources]

    def _help(self, ctx: click.Context, name: str, path: Path) -> str | None:
        """Return the first paragraph of a command's help, read from its source if it can be."""
        if found := _HELP_IN_SOURCE.search(path.read_text(encoding="utf-8")):
            return found[1]
        command = self.get_command(ctx, name)
        return None if command is None else command.help


def _is_command(path: Path) -> bool:
    """Return whether a module holds a command; packages hold those that stand in them."""
    return _COMMAND_IN_SOURCE.search(path.read_text(encoding="utf-8")) is not None
