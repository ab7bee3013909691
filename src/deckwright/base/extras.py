"""The command that installs an extra, for hints of commands that lack its library."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

_SOURCE = Path(__file__).parents[3]
"""The checkout, if the package runs from one."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra for the interpreter that runs.

    In a checkout this is what make does: `.venv/bin/python -m pip install -e ".[solve]"`. Double
    quotes work in every shell. An environment made by uv has no pip of its own.

    Args:
        extra: the name of the extra in pyproject.toml.
    """
    python = _shorten(Path(sys.executable))
    python = f'"{python}"' if " " in python else python
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    if (_SOURCE / "pyproject.toml").is_file():
        return f'{pip} -e "{_shorten(_SOURCE)}[{extra}]"'
    return f'{pip} "deckwright[{extra}]"'


def _shorten(path: Path) -> str:
    """Return a path relative to the working folder if it lies inside."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
