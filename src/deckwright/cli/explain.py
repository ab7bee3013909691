"""`deckwright explain`: what a code means."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from deckwright.base.findings import known_hint
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.folder import PACKAGE

_SECTION = re.compile(r"^### ([A-Z]\d{3}): (.*?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)

_HEADING = re.compile(r"^(##|###) (.*)$", re.MULTILINE)


@command("explain R003", "explain")
@click.argument("codes", nargs=-1, metavar="[CODE…]")
def explain(codes: tuple[str, ...]) -> None:
    """Explain codes such as R003: what they mean, and what to do.

    Each comes with an example. Without a code, all of them are listed.
    """
    page = _page()
    if not codes:
        echo(*_list(page))
        return
    sections = {found[1]: found for found in _SECTION.finditer(page)}
    for name in codes:
        if name.upper() not in sections:
            message = f"there is no code `{name}`"
            raise click.UsageError(common.with_hint(message, known_hint(name.upper(), sections)))
    for number, name in enumerate(codes):
        _, title, body = sections[name.upper()].groups()
        echo(*[""] * (number > 0), f"{name.upper()}: {title}")
        echo(*_lines(body))


def _page() -> str:
    """Return the page of all codes, which is made from the examples of the tests."""
    packed = PACKAGE / "defaults" / "diagnostics.md"
    page = packed if packed.is_file() else PACKAGE.parent.parent / "docs" / "diagnostics.md"
    return page.read_text(encoding="utf-8")


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
    for line in body.strip().splitlines():
        if line.startswith("```"):
            inside = not inside
        else:
            yield f"    {line}".rstrip() if inside else line
