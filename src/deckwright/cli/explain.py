"""`deckwright explain`: what a code means."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from deckwright.base.choices import ChoiceError
from deckwright.base.explanations import page, sections
from deckwright.base.findings import known_hint
from deckwright.cli.group import command
from deckwright.cli.terminal import echo

_HEADING = re.compile(r"^(##|###) (.*)$", re.MULTILINE)


@command("explain R003", "explain")
@click.argument("codes", nargs=-1, metavar="[CODE…]")
def explain(codes: tuple[str, ...]) -> None:
    """Explain codes such as R003: what they mean, and what to do.

    Each comes with an example. Without a code, all of them are listed.
    """
    if not codes:
        echo(*_list(page()))
        return
    known = sections()
    for name in codes:
        if name.upper() not in known:
            raise ChoiceError(f"there is no code `{name}`", known_hint(name.upper(), known))
    for number, name in enumerate(codes):
        section = known[name.upper()]
        echo(*[""] * (number > 0), f"{name.upper()}: {section.title}")
        echo(*_lines(section.body))


def _list(page: str) -> Iterator[str]:
    """Yield the headings of the page: families, and the codes of each with its title."""
    for number, (marks, title) in enumerate(_HEADING.findall(page)):
        if marks == "##":
            yield from ("", title) if number else (title,)
        else:
            yield "  " + title.replace(":", "", 1)


def _lines(body: str) -> Iterator[str]:
    """Yield a section, what stands in blocks indented."""
    inside = False
    for line in body.splitlines():
        if line.startswith("```"):
            inside = not inside
        else:
            yield f"    {line}".rstrip() if inside else line
