"""The one way in which commands say anything."""

from __future__ import annotations

import sys

import click

from deckwright.base.visible import visible


def echo(*lines: object, err: bool = False) -> None:
    """Print lines, each made visible; what is meant to be several lines is given as several.

    Args:
        err: whether to print to standard error.
    """
    if lines:
        click.echo("\n".join(visible(str(line)) for line in lines), err=err)


def echo_report(text: str, *, err: bool = False) -> None:
    """Print what a reporter has made, which is visible and may have commands and colors of ours."""
    click.echo(text, err=err)


def can_show(text: str) -> bool:
    """Return whether standard output takes these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
