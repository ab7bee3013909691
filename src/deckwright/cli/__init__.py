"""The command line: `deckwright COMMAND`, and separate programs such as `deck_constructor`.

`_Commands` maps each command to its module; `terminal.py` defines the exit codes.
"""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import sys
import traceback
import warnings
from functools import partial
from pathlib import Path
from typing import ClassVar, NoReturn, TextIO

import click

from deckwright import __version__
from deckwright.base.files import cache_folder, resolve_path, written_files
from deckwright.base.interrupts import ignore_interrupts, raise_if_interrupted, record_interrupts
from deckwright.base.processes import set_listener
from deckwright.cli.terminal import (
    HELP_OPTIONS,
    NO_CACHE_OPTION,
    ExitCode,
    LazyGroup,
    ProgressBar,
    echo,
    escape_unencodable,
)

_OUTPUT_FUNCTIONS = {"echo", "_run"}
"""The functions, click's and the one below, in which writing to a closed output fails."""
_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
"""The errors of a full or read-only disk."""
_MAX_NAMED_FILES = 5
"""At most this many written files are named."""
GC_THRESHOLD = 100_000
"""The threshold of the garbage collector: Python's default, 700, costs time."""


class _Commands(LazyGroup):
    sections: ClassVar = {
        "Start": {"new": "new", "studio": "studio", "icons": "reference"},
        "Check": {
            "check": "check",
            "proof": "pictures",
            "explain": "reference",
            "fmt": "fmt",
            "schema": "reference",
            "diff": "diff",
        },
        "Print": {
            "build": "printing",
            "deck": "printing",
            "tokens": "printing",
            "markers": "printing",
            "rulebook": "printing",
            "overview": "printing",
            "tuckbox": "printing",
            "calibrate": "paper",
            "impose": "paper",
            "booklet": "paper",
            "poster": "paper",
        },
        "Build and play decks": {
            "solve": "solve",
            "stats": "stats",
            "compare": "stats",
            "hand": "odds",
            "odds": "odds",
            "play": "studio",
            "balance": "stats",
        },
        "Export and import": {
            "export": "export",
            "import": "export",
            "pull": "pull",
            "package": "printing",
            "language": "language",
        },
        "Print runs": {"generate": "generate", "run": "run", "codes": "codes"},
    }
    synonyms: ClassVar = {
        **dict.fromkeys(("print", "pdf", "make", "compile"), "build deck"),
        **dict.fromkeys(("validate", "verify", "lint", "test"), "check"),
        **dict.fromkeys(("init", "create", "start"), "new"),
        **dict.fromkeys(("serve", "server", "edit", "open", "watch"), "studio"),
        **dict.fromkeys(("preview", "show", "view"), "studio proof"),
        **dict.fromkeys(("render", "draw", "png", "images"), "proof export"),
        **dict.fromkeys(("format", "tidy"), "fmt"),
        **dict.fromkeys(("csv", "xlsx", "json"), "export import"),
        **dict.fromkeys(("fetch", "download", "sync", "update"), "pull"),
        "box": "tuckbox",
        **dict.fromkeys(("translate", "translation", "languages", "lang", "po"), "language"),
    }


@click.command(cls=_Commands)
@click.version_option(__version__, prog_name="deckwright")
@click.option(
    "--no-cache", help="Use no results of earlier runs, and keep none.", **NO_CACHE_OPTION
)
def deckwright() -> None:
    """Turn a folder of XML into checked, printable card games."""


def run_program(command: click.Command) -> NoReturn:
    """Run a command as a program, and exit with its code."""
    bar = ProgressBar()
    try:
        record_interrupts()
        _prepare_process()
        gc.set_threshold(GC_THRESHOLD)
        atexit.register(gc.freeze)  # a collection at exit would be wasted
        if not sys.warnoptions:  # designers need no warnings of libraries about their files
            warnings.simplefilter("ignore")
        if sys.stderr.isatty():
            set_listener(bar)
        code = _run(command)
    except (click.Abort, KeyboardInterrupt):
        ignore_interrupts()
        echo(f"interrupted, {_describe_written_files()}", err=True)
        sys.exit(ExitCode.INTERRUPTED)
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        echo(*message.getvalue().removesuffix("\n").split("\n"), err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        if traceback.extract_tb(error.__traceback__)[-1].name not in _OUTPUT_FUNCTIONS:
            if error.errno not in _DISK_ERRORS:
                _report_bug(error)
            place = f"{error.filename}: " if error.filename else ""
            echo(f"cannot write a file: {place}{error.strerror}", err=True)
        # Flushing the rest of the buffer at exit would fail again.
        sys.stdout = _open_null_device()
        sys.exit(ExitCode.FILES)
    except Exception as error:  # noqa: BLE001 - any other error is a bug
        _report_bug(error)
    finally:
        ignore_interrupts()
        bar.clear()
    sys.exit(code if isinstance(code, int) else ExitCode.CLEAN)


def _run(command: click.Command) -> object:
    """Run a command and return its exit code. After an interrupt, errors count as such."""
    try:
        code: object = command.main(standalone_mode=False, help_option_names=HELP_OPTIONS)
        sys.stdout.flush()
    except Exception:
        raise_if_interrupted()
        raise
    raise_if_interrupted()
    return code


def _open_null_device() -> TextIO:
    """Open the null device for writing; it stays open until the process ends."""
    return Path(os.devnull).open("w", encoding="utf-8")


def _prepare_process() -> None:
    """Prepare what every command needs: standard outputs, a working folder, a home folder."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, _open_null_device())
        escape_unencodable(getattr(sys, name))
    try:
        Path.cwd()
    except OSError:
        echo("the current folder no longer exists; change to another one", err=True)
        sys.exit(ExitCode.USAGE)
    if not os.path.isdir(os.path.expanduser("~")):  # noqa: PTH111, PTH112 - raises nothing
        # ReportLab reads its settings from there, and fails if the home is not a folder.
        os.environ["HOME"] = os.sep


def _describe_written_files() -> str:
    """Describe what an interrupted command has written, except in the cache."""
    cache = resolve_path(cache_folder())
    paths = dict.fromkeys(path for path in written_files if not path.is_relative_to(cache))
    names = [path.name for path in paths]
    if len(names) > _MAX_NAMED_FILES:
        names[_MAX_NAMED_FILES - 1 :] = [f"{len(names) - _MAX_NAMED_FILES + 1:,} other files"]
    return f"after writing {', '.join(names)}" if names else "nothing was changed"


def _report_bug(error: Exception) -> NoReturn:
    """Report a bug of Deckwright and exit; with DECKWRIGHT_DEBUG raise it."""
    if os.environ.get("DECKWRIGHT_DEBUG"):
        raise error
    echo(
        f"this is a bug in Deckwright: {type(error).__name__}: {error}",
        "  hint: please report it, with what DECKWRIGHT_DEBUG=1 prints",
        err=True,
    )
    sys.exit(ExitCode.BUG)


def main() -> NoReturn:
    """Run `deckwright`."""
    run_program(deckwright)


def _run_alone(name: str, program: str) -> NoReturn:
    """Run a command that prints as a program of its own."""
    from deckwright.cli import printing  # only this command's imports

    command: click.Command = getattr(printing, name)
    command.name = program
    run_program(command)


deck_constructor = partial(_run_alone, "deck", "deck_constructor")
marker_constructor = partial(_run_alone, "markers", "marker_constructor")
overview_constructor = partial(_run_alone, "overview", "overview_constructor")
