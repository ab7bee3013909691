"""The one way in which commands say anything."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

import click

from deckwright.base.visible import visible

_LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
    | {"\u2265": ">=", "\u2264": "<=", "\u00d7": "x", "\u2588": "#", "\u2591": "."}
)
"""What stands for dashes, quotation marks and signs of ours, in any encoding."""


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


def echo_data(text: str) -> None:
    """Print JSON, XML or CSV: in UTF-8, as a file of it would be, whatever a terminal takes."""
    click.echo(text.encode(errors="backslashreplace"))


def show_all(stream: object) -> None:
    """Have a stream show what its encoding lacks by a lookalike or, where there is none, as code.

    What is redirected on Windows is in cp1252, say, and knows neither `≥` nor most letters.
    """
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error("deckwright.lookalikes", _lookalikes)
        stream.reconfigure(errors="deckwright.lookalikes")


def _lookalikes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_lookalike, error.object[error.start : error.end])), error.end


def _lookalike(character: str) -> str:
    bare = unicodedata.normalize("NFKD", character.translate(_LOOKALIKES))
    return bare.encode("ascii", "ignore").decode() or (
        character.encode("ascii", "backslashreplace").decode()
    )


def can_show(text: str) -> bool:
    """Return whether standard output takes these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
