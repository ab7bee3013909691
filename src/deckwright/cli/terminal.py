"""The terminal: commands and groups, output, progress bar, exit codes."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import re
import sys
import time
import unicodedata
from collections.abc import Mapping, Sequence
from enum import IntEnum
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from deckwright.base.files import NO_CACHE
from deckwright.base.findings import find_nearest, nearest_hint
from deckwright.base.renames import describe_renaming
from deckwright.base.strings import sanitize_line

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


_LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
    | {"\u2265": ">=", "\u2264": "<=", "\u00d7": "x", "\u2588": "#", "\u2591": "."}
    | {"\u25cf": "o", "\u00b7": "."}
)
"""ASCII replacements for the dashes, quotation marks and signs that Deckwright prints."""


def echo(*lines: object, err: bool = False) -> None:
    """Print lines with control characters escaped, including line feeds within a line."""
    if lines:
        click.echo("\n".join(sanitize_line(str(line)) for line in lines), err=err)


def echo_report(text: str, *, err: bool = False) -> None:
    """Print a report verbatim: reporters escape it and may add colors and workflow commands."""
    click.echo(text, err=err)


def echo_data(text: str) -> None:
    """Print JSON, XML or CSV in UTF-8, whatever the encoding of the terminal is."""
    click.echo(text.encode(errors="backslashreplace"))


def escape_unencodable(stream: object) -> None:
    """Make a stream print characters outside its encoding as lookalikes or escapes.

    Redirected output on Windows uses cp1252, for example, which lacks `≥` and most letters.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=_ENCODING_ERRORS)


def to_encodable(text: str, encoding: str) -> str:
    """Return a text with characters outside an encoding as lookalikes or escapes."""
    return text.encode(encoding, _ENCODING_ERRORS).decode(encoding)


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = ""
    for character in error.object[error.start : error.end]:
        bare = unicodedata.normalize("NFKD", character.translate(_LOOKALIKES))
        closest = bare.encode("ascii", "ignore") or character.encode("ascii", "backslashreplace")
        text += closest.decode()
    return text, error.end


_ENCODING_ERRORS = "deckwright.lookalikes"
codecs.register_error(_ENCODING_ERRORS, _replace_unencodable)


BAR_DELAY = 1.0
"""The bar appears after this many seconds."""
BAR_INTERVAL = 0.1
_BAR_WIDTH = 24
_MIN_TIME_LEFT = 20.0
"""Remaining times below this many seconds are not shown."""


class ProgressBar:
    """A progress bar such as "painting pages ██████░░░░ 40/112"."""

    def __init__(self) -> None:
        self._last_drawn = time.monotonic() + BAR_DELAY - BAR_INTERVAL
        self._visible = False
        self._begun = ("", 0, 0.0)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show the progress, unless it was updated a moment ago."""
        if done == total:
            self.clear()
            return
        now = time.monotonic()
        if self._begun[0] != what or done < self._begun[1]:
            self._begun = what, done, now
        if now - self._last_drawn < BAR_INTERVAL:
            return
        self._last_drawn, self._visible = now, True
        _, first, since = self._begun
        left = (now - since) / (done - first) * (total - done) if done > first else 0
        click.echo(
            f"\r\x1b[K{sanitize_line(format_progress(what, done, total, left))}", nl=False, err=True
        )
        sys.stderr.flush()

    def clear(self) -> None:
        """Clear the line."""
        if self._visible:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._visible = False


def format_progress(what: str, done: int, total: int, left: float = 0) -> str:
    """Format the progress of work, with the remaining time, in seconds, if it is long."""
    if not total:
        return f"{what} {done:,}"
    full = _BAR_WIDTH * done // total
    text = f"{what} {'█' * full}{'░' * (_BAR_WIDTH - full)} {done:,}/{total:,}"
    if left < _MIN_TIME_LEFT:
        return text
    hours, minutes = divmod(round(left / 60), 60)
    time_left = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"{text}, {time_left if hours or minutes else f'{round(left, -1):g} s'} left"


class ExitCode(IntEnum):
    """The exit codes. 70 is EX_SOFTWARE of BSD's sysexits.h, 130 is 128 + SIGINT."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    """The command line is invalid; click exits with the same code."""
    FILES = 3
    """A file cannot be read or written."""
    BUG = 70
    """A bug in Deckwright."""
    INTERRUPTED = 130


HELP_OPTIONS = ("-h", "--help")
"""The options that show a command's help."""


_MAX_UNGROUPED_OPTIONS = 12
"""Help pages with more options group them under the headings of `_OPTION_HEADINGS`."""
_OPTION_HEADINGS = {
    "Content": "only changed_since copies counts odds reference fill slips slip_trim tokens "
    "token_size boxes "
    "markers rulebook sets",
    "Faces": "style rasterize watermark draft",
    "Paper": "sheet paper scale turn printer marks footer cut kiss_cut",
    "Backs": "backs backs_apart flip back_offset",
    "Deck limits": "ignore_limits limits limit date",
    "Print shop": "service size icc pdfx state_pdfx inks stock foil anyway",
}
"""The parameters under each heading; all others, and a heading's only one, are "Options"."""


_OPTION_SYNONYMS = {
    "--blank": "--like blank",
    "--bleed": "--sheet a4-bleed",
    "--format": "--sheet",
    "--output": "--out",
    "--paper": "--sheet",
}
"""What to suggest for options that people may type instead, where these exist."""
FORMER_OPTIONS = {"--language": "--messages"}
"""Present names of options by former ones, which work where no option has them now."""


NO_CACHE_OPTION: Mapping[str, Any] = {
    "is_flag": True,
    "is_eager": True,
    "expose_value": False,
    # The environment reaches child processes, too.
    "callback": lambda *given: given[-1] and os.environ.update({NO_CACHE: "1"}),
}
_NO_CACHE_OPTION = click.Option(("--no-cache",), hidden=True, **NO_CACHE_OPTION)


class Command(click.Command):
    """A command that groups its options under headings if they are many."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with the option that all commands have."""
        return [*super().get_params(ctx), _NO_CACHE_OPTION]

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # click's signature
    ) -> click.Context:
        """Parse the arguments; a usage error suggests an option for an unknown one."""
        try:
            return super().make_context(info_name, [*args], parent, **extra)
        except click.NoSuchOption as error:
            names = [name for each in self.params for name in (*each.opts, *each.secondary_opts)]
            former = error.option_name
            if (name := FORMER_OPTIONS.get(former, "")) in names:
                echo(describe_renaming(f"`{former}`", name), err=True)
                is_former = [arg.partition("=")[0] == former for arg in args]
                args = [
                    arg.replace(former, name, 1) if old else arg
                    for arg, old in zip(args, is_former, strict=True)
                ]
                return self.make_context(info_name, args, parent, **extra)
            meant = {word: to for word, to in _OPTION_SYNONYMS.items() if to.split()[0] in names}
            meant |= {name: name for name in names if name.startswith("--")}
            near = find_nearest(error.option_name, meant)
            hint = f"did you mean `{meant[near[0]]}`?" if near else None
            message = f"there is no option `{error.option_name}`"
            raise click.UsageError(with_hint(message, hint), error.ctx) from None
        except click.MissingParameter:
            raise
        except click.BadParameter as error:
            raise _in_plain_words(error) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options."""
        records = {
            str(param.name): record
            for param in self.get_params(ctx)
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx))
        }
        sections = {}
        if len(records) > _MAX_UNGROUPED_OPTIONS:
            for title, names in _OPTION_HEADINGS.items():
                present = [name for name in names.split() if name in records]
                if len(present) > 1:
                    sections[title] = [records.pop(name) for name in present]
        _write_sections(formatter, {"Options": [*records.values()], **sections})


_NO_PATH = re.compile(r"(File|Directory|Path) '(.*)' does not exist\.", re.DOTALL)
_NO_FILE = re.compile(r"File '(.*)' is a directory\.", re.DOTALL)
_NO_NUMBER = re.compile(r"'(.*)' is not a valid (integer|float)(?: range)?\.", re.DOTALL)


def _in_plain_words(error: click.BadParameter) -> click.BadParameter:
    """Return click's error about a file or a number in our words, with the file that is near."""
    message = error.message
    if match := _NO_PATH.fullmatch(message):
        path, kind = Path(match[2]), {"Directory": "folder"}.get(match[1], "file")
        others = path.parent.iterdir() if path.parent.is_dir() else ()
        message = with_hint(
            f"there is no {kind} `{path}`", nearest_hint(str(path), map(str, others))
        )
    elif match := _NO_FILE.fullmatch(message):
        message = f"`{match[1]}` is a folder; name files, such as `{match[1]}/*`"
    elif match := _NO_NUMBER.fullmatch(message):
        kind = "whole number" if match[2] == "integer" else "number"
        message = f"`{match[1]}` is no {kind}"
    return click.BadParameter(message, error.ctx, error.param, error.param_hint)


_MAX_TERM_WIDTH = 30
"""The first column of a list is at most this wide, as in click."""


def _write_sections(
    formatter: click.HelpFormatter, sections: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    """Write lists of terms and descriptions under headings, all with the same columns."""
    width = max(len(term) for rows in sections.values() for term, _ in rows)
    width = min(width, _MAX_TERM_WIDTH)
    for title, rows in sections.items():
        with formatter.section(title):
            formatter.write_dl([(f"{term:<{width}}", text) for term, text in rows])


def with_hint(message: str, hint: str | None) -> str:
    """Return a message with its hint, if any, on the next line."""
    return f"{sanitize_line(message)}\n  hint: {sanitize_line(hint)}" if hint else message


class CommandGroup(click.Group):
    """A group that shows its help, without an error, if it is called without arguments.

    Attributes:
        synonyms: words that people may type instead, and the commands to suggest for each.
    """

    synonyms: ClassVar[Mapping[str, str]] = {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named; a usage error suggests one for an unknown name."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand:
            name = args[0]
            hint = nearest_hint(name, self.list_commands(ctx))
            if meant := self.synonyms.get(name.lower()):
                hint = f"did you mean {' or '.join(f'`{word}`' for word in meant.split())}?"
            raise click.UsageError(with_hint(f"there is no command `{name}`", hint), ctx) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without any, show the help."""
        if not args and not ctx.resilient_parsing:
            echo_report(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)


class LazyGroup(CommandGroup):
    """A group that imports a command's module only when the command runs.

    Attributes:
        sections: the commands under each heading of the help, and the module of `deckwright.cli`
            that defines each. There a command named after a Python keyword has a trailing
            underscore.
    """

    sections: ClassVar[Mapping[str, Mapping[str, str]]]

    @property
    def modules(self) -> dict[str, str]:
        """The modules of all commands."""
        return {name: module for part in self.sections.values() for name, module in part.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands."""
        return sorted(self.modules)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Return the command of a name, None if there is none."""
        if cmd_name not in self.modules:
            return None
        module = importlib.import_module(f"deckwright.cli.{self.modules[cmd_name]}")
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = getattr(module, name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without importing them."""
        limit = formatter.width - 6 - max(map(len, self.modules))
        rows = {
            title: [(name, self._stub(name).get_short_help_str(limit)) for name in part]
            for title, part in self.sections.items()
        }
        _write_sections(formatter, rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete options, and names of commands without importing these."""
        from click.shell_completion import CompletionItem  # only to complete

        return [
            CompletionItem(name, help=self._stub(name).get_short_help_str())
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ] + click.Command.shell_complete(self, ctx, incomplete)

    def _stub(self, name: str) -> click.Command:
        """Return a command with the help of the one of that name."""
        return click.Command(name, help=self.read_help(name))

    def read_help(self, name: str) -> str | None:
        """Return the first paragraph of a command's help, read from its source file."""
        path = Path(__file__).with_name(f"{self.modules[name]}.py")
        pattern = rf'^def {name}_?\(.*?^    """(.*?)(?:\n\n|""")'
        match = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        return match and match[1]
