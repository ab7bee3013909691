"""Face templates that are meant to harm, by family, and what runs a family. Nothing here is a test.

A family is run in a child with bounded means, which checks a game with each template.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from click.testing import CliRunner
from hostile_expressions import (
    ENDED,
    FILTERS,
    GROWTH,
    INTERNALS,
    LOOPS,
    RANGES,
    RECT,
    STATEMENTS,
    WIDTHS,
    Case,
    bodies,
)

from hostile import write_all
from support import FACE, card, write_game

HUGE = "x" * 1_900_000
"""The longest text that an element may have."""
TEXT = '<text x="9" y="9"'
"""How texts begin, so that they stand where no cut touches them."""


class Ended(NamedTuple):
    """How the check of a case ended.

    Attributes:
        strays: lines of its findings that tell no place.
    """

    exit_code: int
    codes: list[str]
    strays: list[str]
    findings: int


def include(name: str, given: str = "") -> str:
    return f'<include href="{name}.xml" {given}/>'


def doubling(depth: int, leaf: str, given: str = "") -> Mapping[str, str]:
    """Return templates that each include the next one twice."""
    twice = {f"t{n}.xml": include(f"t{n + 1}", given) * 2 for n in range(depth)}
    return {**twice, f"t{depth}.xml": leaf}


def chain(length: int) -> Mapping[str, str]:
    """Return templates that each include the next one."""
    return {**{f"t{n}.xml": include(f"t{n + 1}") for n in range(length)}, f"t{length}.xml": ""}


INCLUDES = {
    "a long chain": Case(include("t0"), "T013", chain(1500)),
    "a chain": Case(include("t0"), "", chain(40)),
    "doubling": Case(include("t0"), "T013", doubling(40, RECT)),
    "doubling of nothing": Case(include("t0"), "T013", doubling(25, "")),
    "doubling names": Case(include("t0", "with=\"x='ab'\""), ENDED,
                           doubling(7, "<text>{{ x }}</text>", 'with="x=x ~ x ~ x ~ x ~ x"')),
    "doubling in loops": Case(include("t0"), "T006", {
        f"t{n}.xml": include(f"t{n + 1}", 'each="i in range(9)"') for n in range(12)
    } | {"t12.xml": RECT}),
    "itself": Case(include("card"), "T011"),
    "in a circle": Case(include("a"), "T011", {"a.xml": include("b"), "b.xml": include("a")}),
    "nothing": Case(include("zz") * 19_000, "S009 T010"),
    "a broken one": Case(include("a") * 5000, "X001", {"a.xml": "<"}),
    "mistakes in each": Case(include("a") * 5000, "T001", {"a.xml": "<rekt/>"}),
    "large markup": Case(include("a") * 300, "T013", {"a.xml": f"<text><b/>{HUGE}</text>"}),
    "large values": Case(include("a") * 900, "T013", {
        "a.xml": "".join(f'<path fill="red" d="M{n} {"0 " * 9000}"/>' for n in range(99))}),
    "a large one": Case(include("a") * 300, "", {"a.xml": f"<!--{HUGE}-->{RECT}"}),
    "a large text": Case(include("a") * 300, "T013", {"a.xml": f"<text>{HUGE}</text>"}),
    "out of the folder": Case('<include href="../xml/game.xml"/>', "T010"),
    "a circle of names": Case(include("a", "with=\"x='{{ x }}'\""), "",
                              {"a.xml": "<text>{{ x }}</text>"}),
}  # fmt: skip

STATEMENT_ENDS = ("%}", "%}{% endfor %}{% for b in [1]", "%}{% else", "}}", "#}", "%}{{ card }}{%",
                  "%}{% endif %}", "-%}", "%}{% macro m() %}{% endmacro %}{% if 1", "recursive",
                  "%}{% include 'x'", "{# ", "\n%}")  # fmt: skip
INJECTION = {
    **{f"each {end}": Case(f'<g each="a in [1] {escape(end)}">{RECT}</g>', "T005")
       for end in STATEMENT_ENDS},
    **{f"when {end}": Case(f'<g when="true {escape(end)}">{RECT}</g>', "T005")
       for end in STATEMENT_ENDS},
    **{f"with {end}": Case(include("a", f'with="a=1 {escape(end)}"'), "T005", {"a.xml": RECT})
       for end in STATEMENT_ENDS},
    **{f"icon {end}": Case(f'<text><icon name="a" when="1 {escape(end)}"/></text>', "T005")
       for end in STATEMENT_ENDS},
    **bodies("T005", *(f'<g each="a in [1]"><text>{text}</text><text>a</text></g>' for text in (
        "{% endfor %}", "{% endfor %}{% for a in [1] %}", "{% if true %}", "{% endif %}",
        "{% else %}", "{# a", "{{ 'a", "{% for b in [1] %}", "{%", "{{", "{{ a }",
        "{% set x %}", "{% endwith %}", "{% with a = 1 %}"))),
    **bodies("T005", '<rect x="{% if true %}1" y="2{% endif %}" width="1" height="1"/>',
             '<text>{% if true %}<b when="true">a</b>{% endif %}</text>', '<g each="a"/>',
             '<g each="1 in [1]"/>', '<g each="a.b in [1]"/>', '<g each="in [1]"/>', '<g each=""/>',
             '<g when=""/>', '<g each="loop in [1]"/>', '<g each="a, _b in [[1, 2]]"/>'),
    **bodies("T006", *(f"<g><text>{{{{ 'a\\x0{n}b' }}}}</text></g>" for n in (1, 2))),
    **bodies("", "<text>{% raw %}</text><text>a</text>",
             "<text>{% raw %}{{ a }}{% endraw %}</text>"),
}  # fmt: skip

NESTING = {
    **{f"{left}{right}": Case(f"<text>{{{{ {left * 3000}1{right * 3000} }}}}</text>", "T005")
       for left, right in (("(", ")"), ("[", "]"), ("-", ""), ("not ", ""), ("+", ""), ("(-", ")"),
                           ("{'a': ", "}"), ("1 if 1 else ", ""), ("", "|abs"), ("", ".a"),
                           ("", "[0]"), ("1 + ", ""), ("1 * ", ""), ("1 and ", ""), ("1 or ", ""),
                           ("", " is odd"), ("(1 ~ ", ")"), ("[0, ", "]"), ("range(", ")"),
                           ("1 - ", ""), ("2 ** ", ""), ("1 // ", ""), ("", ".upper()"))},
    **{f"49 {left}{right}": Case(f"<text>{{{{ {left * 45}1{right * 45} }}}}</text>", "")
       for left, right in (("(", ")"), ("not ", ""), ("1 + ", ""), ("", "|abs"), ("1 and ", ""),
                           ("1 if 1 else ", ""), ("+", ""), ("1 - ", ""))},
    **{f"60 {left}": Case(f"<text>{{{{ {left * 60}1 }}}}</text>", "T005")
       for left in ("1 + ", "not ", "1 and ", "1 if 1 else ")},
    "ifs": Case("<text>" + "{% if 1 %}" * 300 + "{% endif %}" * 300 + "</text>", "T005"),
    "elifs": Case("<text>{% if 1 %}" + "{% elif 1 %}" * 3000 + "{% endif %}</text>", "T005"),
    "long sum": Case("<text>{{ (" + " ~ ".join(["1"] * 5000) + ")|length }}</text>", ""),
    "comparisons": Case("<text>{{ " + " == ".join(["card.name"] * 3000) + " }}</text>", ""),
    **{f"200 {tag}": Case(f"<{tag}>" * 200 + RECT + f"</{tag}>" * 200, "T013")
       for tag in ("g", "first")},
    "200 b": Case("<text>" + "<b>" * 200 + "a" + "</b>" * 200 + "</text>", "T013"),
    "30 loops": Case("".join(f'<g each="a{n} in range(1)">' for n in range(30)) + "</g>" * 30,
                     "T005"),
    "30 conditions": Case('<g when="true">' * 30 + RECT + "</g>" * 30, ""),
}  # fmt: skip


def repeated(unit: str, size: int = 1_200_000) -> str:
    """Return a text of more characters than any template has."""
    return unit * (size // len(unit.replace("<text", TEXT)))


SIZES = {
    "unknown elements": Case(repeated("<rekt/>"), "S009 T001"),
    "elements": Case(repeated('<rect width="1" height="1"/>'), "T013"),
    "unknown attributes": Case(repeated('<g a="" b="" c=""/>'), "S009 T002"),
    "wrong values": Case(repeated('<rect width="a" height="b"/>'), "S009 T004"),
    "wrong styles": Case(repeated('<g class="zz"/>'), "S009 T004"),
    "mistakes in expressions": Case(repeated("<text>{{ 1 + }}</text>"), "S009 T005"),
    "unknown filters": Case(repeated("<text>{{ a|b }}</text>"), "S009 T005"),
    "expressions": Case(repeated("<text>{{ card.name }}</text>"), "T013"),
    "values": Case(repeated('<rect x="{{ 1 }}" y="{{ card.n }}" width="1" height="1"/>'), "T013"),
    "conditions": Case(repeated('<g when="card.name"/>'), "T013"),
    "names": Case("".join(f"<text>{{{{ a{n} }}}}</text>" for n in range(9000)), "T013"),
    "names of loops": Case("".join(f'<g each="a{n} in b{n}"/>' for n in range(9000)), "T013"),
    "a text of expressions": Case(f"<text>{repeated('{{ card.name }}')}</text>", "T005"),
    "a text of openings": Case(f"<text>{repeated('{{')}</text>", "T005"),
    "a text of notes": Case(f"<text>{repeated('{# a')}</text>", "T005"),
    "markup": Case(f"<text>{repeated('<b>a</b>')}</text>", "T013"),
    "a long number": Case(f"<text>{{{{ {'9' * 20_000} }}}}</text>", "T005"),
    "a number of parts": Case(f"<text>{{{{ {'1_' * 20_000}1 }}}}</text>", "T005"),
    "a long fraction": Case(f"<text>{{{{ 1.{'0' * 20_000}1 }}}}</text>", ""),
    "a large number": Case("<text>{{ 1e999 }}</text>", "T005"),
    "a hexadecimal number": Case(f"<text>{{{{ 0x{'f' * 20_000} }}}}</text>", "T005"),
    "a long name": Case(f"<text>{{{{ {'a' * 40_000} }}}}</text>", "T006"),
    "a long key": Case(f"<text>{{{{ card['{'a' * 40_000}'] }}}}</text>", "T006"),
    "a long filter": Case(f"<text>{{{{ 1|{'a' * 40_000} }}}}</text>", "T005"),
    "many signs": Case("<text>{{ '" + "\\\\" * 20_000 + "'|length }}</text>", ""),
    "an open text": Case("<text>{{ '" + "\\'" * 20_000 + " }}</text>", "T005"),
    "a list": Case("<text>{{ [" + "1," * 20_000 + "]|length }}</text>", ""),
    "lists": Case(("<text>{{ [" + "card," * 9000 + "]|length }}</text>") * 20, "T013"),
}  # fmt: skip

_ALL: dict[str, Mapping[str, Case]] = {
    "widths": WIDTHS,
    "growth": GROWTH,
    "loops": LOOPS,
    "ranges": RANGES,
    "filters": FILTERS,
    "statements": STATEMENTS,
    "internals": INTERNALS,
    "includes": INCLUDES,
    "injection": INJECTION,
    "nesting": NESTING,
    "sizes": SIZES,
}
_EVERY, _REST = 9, bool(os.environ.get("REST_OF_CORPUS"))
FAMILIES = {
    family: {
        name: case
        for number, (name, case) in enumerate(cases.items())
        if bool(number % _EVERY) == _REST
    }
    for family, cases in _ALL.items()
}
"""Cases by name: one of nine, or the rest for `make corpus`."""

_FINDING = re.compile(
    r"[^\n:]+\.xml(?::\d+:\d+|(?=: error (?:S009|L007))): (?:error|warning) ([A-Z]\d{3}): "
)
"""A finding at its place; that there are more of them may be said of a file as a whole."""
_AROUND = re.compile(
    r"\s+(?:hint: |\d+ \||\|)|\d+ (?:errors?|warnings?)|not checked: |  \d+ more like this|    |$"
)


_UNSEEN, SEEN = re.compile(r"<rect (?![^>]*(?:fill|stroke)=)"), '<rect fill="red" '
"""Rectangles that print nothing, which is told, and that print something."""


def ended(game: Path, case: Case) -> Ended:
    """Check a game with the templates of a case."""
    from deckwright.cli import deckwright

    faces = {"card.xml": case.body, **case.files}
    paths = [
        (f"templates/{name}", f"<face>\n{_UNSEEN.sub(SEEN, body.replace('<text', TEXT))}\n</face>")
        for name, body in faces.items()
    ]
    write_all(game, paths)
    options = ["--untrusted", "--max-memory", "300"]
    if case.code == ENDED:
        options += ["--max-seconds", "2"]
    result = CliRunner().invoke(deckwright, ["check", "--game", str(game), *options])
    lines = result.stderr.splitlines()
    codes = [match[1] for match in map(_FINDING.match, lines) if match]
    strays = [line for line in lines if not _FINDING.match(line) and not _AROUND.match(line)]
    for name, _ in paths:
        (game / name).unlink()
    return Ended(result.exit_code, sorted(set(codes)), strays[:3], len(codes))


def run_family(family: str, notes: str) -> None:
    """Check the cases of a family, and note how each ended in the file `notes`."""
    results: dict[str, Ended] = {}
    with tempfile.TemporaryDirectory(dir=Path(notes).parent) as scratch:
        game = write_game(Path(scratch) / "game", [card("A1", "Ant")], face=FACE)
        (game / "img").mkdir()
        for name, case in FAMILIES[family].items():
            print(f"{family}: {name}", file=sys.stderr)  # noqa: T201 - what a child was at
            results[name] = ended(game, case)
    Path(notes).write_text(json.dumps(results), encoding="utf-8")
