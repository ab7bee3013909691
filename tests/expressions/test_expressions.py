"""The language of templates is a part of Jinja's, and says the same."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from deckwright.expressions.filters import seeded_random
from support import compose, ops_of, texts

DATA: dict[str, Any] = {
    "name": "Queen of Ants",
    "level": 3,
    "share": 0.25,
    "image": None,
    "words": ["pear", "Apple", "fig", "apple"],
    "numbers": [3, 1, 2, 3],
    "rows": [
        {"id": "b", "n": 2, "of": {"name": "x"}},
        {"id": "a", "n": 1, "of": {"name": "y"}},
        {"id": "c", "n": 2, "of": {"name": "x"}},
    ],
    "icons": {"sun": 3, "moon": 1, "Air": 2},
    "shown": True,
}

EXPRESSIONS = """
name, level, share, image, shown, numbers, icons.sun, icons['sun'], rows[0].of.name, words[-1]
1 + 2 * 3 - 4, 7 // 2, 7 % 4, -7 % 4, 2 ** 10, 1 / 4, -level, +level, 10 ** 4, 0.5 * level
2 ** 16, level ** 16, level ** -16
level * 2, 2 * level, level * level, level + level, 'a' + 'b', [1] + [2], level - 1, 1.5 + level
'a' ~ 1 ~ true, name ~ level, 'a' ~ 0.5, numbers ~ '', level == 3, level != 3
level > 2 and level <= 3, 1 < level < 9, not level, level or 1, image or 'n', name == 'x'
name == name, numbers == [3, 1, 2, 3], rows == rows, words < numbers|map('string')|list
'Ant' in name, 'fig' in words, 3 in numbers, 9 not in numbers, 'sun' in icons, level in [1, 2, 3]
rows[0] in rows, level in numbers, 'x' in ['x', name], 2 in range(3), '' in name, words[1:]
words[:2], words[::2], name[2:5], name[::-1], words[-2:], range(5)[1:3]|list
'yes' if level > 2 else 'no', (1, 2), {'a': 1}, {'a': level}['a'], {name: 1}|length, range(3)|list
range(2, 8, 3)|list, range(3, 0, -1)|list, range(0)|list, name|upper, name|lower, 'aNT'|capitalize
"the ant-hill's end"|title, '  a '|trim, 'xax'|trim('x'), level|upper, 0.5|string ~ ''
name|replace('n', 'N'), name|replace('n', 'NN', 1), 'aa'|replace('', '-')
'one two three four'|truncate(9), 'one two three four'|truncate(9, true)
'one two'|truncate(3, end='', leeway=0), '%s is %d'|format(name, level), '%05.1f'|format(share)
'%s' % name, '%d/%d' % (1, 2), '%+d%%' % level, '42'|int, '4.7'|int, 'x'|int, 'x'|int(7), 4.9|int
'1.5'|float, 'x'|float(2.5), level|float, 2.456|round(2), 2.5|round, 2.1|round(method='ceil')
2.19|round(1, 'floor'), 1234|round(-2), -3|abs, words|length, name|count, words|first, words|last
name|first, 'abc'|list, icons|list, words|reverse|list, 'abc'|reverse, words|join
words|join(', '), rows|join('-', attribute='id'), rows|join(attribute='of.name'), numbers|sum
rows|sum(attribute='n'), numbers|sum(start=10), numbers|min, numbers|max, words|min, words|max
words|min(case_sensitive=true), rows|max(attribute='n'), words|sort, words|sort(true)
words|sort(case_sensitive=true), numbers|sort(reverse=true)
rows|sort(attribute='id')|map(attribute='id')|join
rows|sort(attribute='n,id')|map(attribute='id')|join, words|unique|list, words|unique(true)|list
rows|unique(attribute='n')|list|length, numbers|unique|join, rows|map(attribute='of.name')|join
words|map('upper')|join(' '), rows|map(attribute='zz', default='-')|join
words|map('replace', 'p', 'b')|join, numbers|map('string')|map('length')|sum
numbers|select('odd')|list, numbers|reject('odd')|list, numbers|select('gt', 1)|list
[0, 1, '']|select|list, rows|selectattr('n', 'eq', 2)|map(attribute='id')|join
rows|rejectattr('n', 'equalto', 2)|list|length
rows|selectattr('of.name', 'in', ['x'])|list|length, rows|selectattr('n')|list|length
rows|selectattr('zz', 'undefined')|list|length, rows|selectattr('id', 'string')|list|length
numbers|batch(3)|list, numbers|batch(3, '-')|list, numbers|slice(3)|list
numbers|slice(3, '-')|list, icons|items|list, icons|dictsort, icons|dictsort(true)
icons|dictsort(by='value'), icons|dictsort(reverse=true), rows|attr('zz') is defined
zz is defined, name is undefined, zz|default('d'), zz|d('e'), image|default('x', true)
level is odd, level is even, level is divisibleby 3, level is divisibleby(2), image is none
image is not none, level is integer, share is float, level is number, name is string
icons is mapping, words is sequence, words is iterable, level is iterable, shown is true
shown is false, shown is boolean, 'a' is lower, 'A' is upper, level is eq 3, level is ne(3)
level is gt 2, level is ge 3, level is lt 3, level is le 3, 'a' is in 'abc', level is in([3])
name.upper(), name.lower(), name.title(), name.capitalize(), name.swapcase(), ' a '.strip()
'xa'.lstrip('x'), 'ax'.rstrip('x'), name.split(), name.split(' ', 1), 'a,b'.split(',')
', '.join(words), name.startswith('Q'), name.endswith('x'), name.replace('n', 'm')
name.count('n'), name.find('of'), 'ab'.removeprefix('a'), 'ab'.removesuffix('b'), '12'.isdigit()
'ab'.isalpha(), 'a1'.isalnum(), 'AB'.isupper(), 'ab'.islower()
"""


def cases() -> list[str]:
    """Return the expressions: lines are divided at those commas that are in no brackets."""
    found = []
    for line in EXPRESSIONS.strip().splitlines():
        depth, quote, start = 0, "", 0
        for index, char in enumerate(line):
            if quote:
                quote = "" if char == quote else quote
            elif char in "'\"":
                quote = char
            elif char in "([{":
                depth += 1
            elif char in ")]}":
                depth -= 1
            elif char == "," and depth == 0:
                found.append(line[start:index].strip())
                start = index + 1
        found.append(line[start:].strip())
    return found


def in_jinja(program: str, data: dict[str, Any]) -> str:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, finalize=lambda value: "" if value is None else value
    )
    return environment.from_string(program).render(data)


@pytest.mark.parametrize("expression", cases())
def test_an_expression_means_what_it_means_in_jinja(tmp_path: Path, expression: str) -> None:
    escaped = expression.replace("&", "&amp;").replace("<", "&lt;")
    body = f"<text>[{{{{ ({escaped}) ~ '' }}}}]</text>"
    expected = " ".join(in_jinja(f"[{{{{ {expression} }}}}]", DATA).split())
    assert "".join(texts(ops_of(tmp_path, body, **DATA))) == expected


STATEMENTS = [
    "{% if level > 2 %}a{% elif level > 1 %}b{% else %}c{% endif %}",
    "{% if image %}a{% elif shown %}b{% endif %}",
    "{% for w in words %}{{ loop.index }}{{ w }}{{ '' if loop.last else ',' }}{% endfor %}",
    "{% for w in words if 'p' in w %}{{ loop.length }}{{ loop.revindex0 }}{{ w }}{% endfor %}",
    "{% for w in [] %}a{% else %}none{% endfor %}",
    "{% for a, b in [(1, 2), (3, 4)] %}{{ b }}{{ a }}{% endfor %}",
    "{% for key in icons %}{{ key }}{% endfor %}{% for c in 'abc' %}{{ c }}.{% endfor %}",
    "{% for n in numbers %}{{ loop.cycle('x', 'y') }}{{ loop.first }}{% endfor %}",
    "{% for n in numbers %}{{ loop.previtem|default('-') }}{{ loop.nextitem|d('-') }}{% endfor %}",
    "{% for a in [1, 2] %}{% for b in range(a) %}{{ a }}{{ b }} {% endfor %}{% endfor %}",
    "{% for n, of in rows|groupby('n') %}{{ n }}:{{ of|map(attribute='id')|join }};{% endfor %}",
    "{% set x = level + 1 %}{{ x * 2 }}{% set a, b = 1, 2 %}{{ b }}",
    "{% with x = 1, y = 2 %}{{ x + y }}{% endwith %}",
    "{% raw %}{{ x }}{% endraw %}{# a note #}b",
    "a  {{- level -}}  b",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_means_what_it_means_in_jinja(tmp_path: Path, statement: str) -> None:
    body = f"<text>[{statement.replace('&', '&amp;').replace('<', '&lt;')}]</text>"
    expected = " ".join(in_jinja(f"[{statement}]", DATA).split())
    assert "".join(texts(ops_of(tmp_path, body, **DATA))) == expected


def test_a_statement_may_go_around_markup(tmp_path: Path) -> None:
    body = "<text>{% if shown %}a<b>b</b>{% endif %}{% if image %}<i>c</i>{% endif %}</text>"
    assert texts(ops_of(tmp_path, body, **DATA)) == ["a", "b"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("name ~ image ~ '.'", "Queen of Ants."),
        ("['a', image, 'b']|join('-')", "a--b"),
        ("image|upper ~ '.'", "."),
        ("name.replace('Q', level)", "3ueen of Ants"),
        ("name[:5 / 2]", "Qu"),
        ("words[4 / 2:]|join(' ')", "fig apple"),
        ("range(7 / 2)|join", "012"),
        ("numbers|batch(4 / 2)|length", "2"),
        ("numbers|slice(4 / 2)|first|join", "31"),
        ("rows|selectattr('n', 'eq', 2)|length", "2"),
        ("words|map('upper')|first", "PEAR"),
        ("icons|items|length", "3"),
        ("' xa '|trim(chars=' x')", "a"),
        ("sin(30) ~ sin(-90.0) ~ cos(90) ~ cos(180) ~ sin(360 * 7)", "0.5-1.00.0-1.00.0"),
        ("(2 * pi)|round(4)", "6.2832"),
        ("random(name, 1)", "0.740491"),
        ("random('a') == random('a') and random(1) == random(1.0)", "True"),
        ("random('a', 'b') == random('ab') or random('1') == random(1)", "False"),
    ],
)
def test_where_a_designer_expects_it_more_is_said_than_in_jinja(
    tmp_path: Path, expression: str, expected: str
) -> None:
    """Nothing is printed as nothing, places and counts are rounded down, and lists have lengths."""
    ops = ops_of(tmp_path, f"<text>{{{{ {expression} }}}}</text>", **DATA)
    assert "".join(texts(ops)) == expected


def test_what_one_value_sets_the_next_ones_see(tmp_path: Path) -> None:
    body = "<text>{% set x = 7 %}a</text><g><text>{{ x }}</text></g>"
    assert texts(ops_of(tmp_path, body)) == ["a", "7"]


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        ("name|uper", "`upper`"),
        ("name|lenght", "`length`"),
        ("name is defind", "`defined`"),
        ("name.uper()", "`upper`"),
        ("rang(3)", "`range`"),
        ("name|tojson", "`join`"),
    ],
)
def test_what_is_misspelled_is_told_with_the_known_name(
    tmp_path: Path, expression: str, known: str
) -> None:
    _, report = compose(tmp_path, f"<text>{{{{ {expression} }}}}</text>", **DATA)
    (finding,) = report
    assert finding.code.id == "T005"
    assert finding.hint is not None
    assert known in finding.hint


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("name + 1", "`+` cannot add a text and a number"),
        ("name * 3", "`*` is for numbers"),
        ("[1] * 3", "`*` is for numbers"),
        ("level.upper()", "`upper` is for texts, not for a number"),
        ("words|sum", "cannot add a number and a text"),
        ("level|join", "a list is needed, not a number"),
        ("level|length", "a number has no length"),
        ("'#000'|mix('#ffffff', name)", "a number is needed"),
        ("level|on", "a color is needed, not a number"),
        ("'%q' % 1", "an unknown placeholder"),
        ("name|replace('a')", "arguments"),
        ("{words: 1}", "not a list"),
        ("3 in 4", "a number cannot contain anything"),
        ("3 in name", "a text holds texts only"),
        ("(0 - 8) ** 0.5", "no such power"),
        ("zz.y", "`zz` is undefined"),
        ("name|map('upper', zz)|list", "arguments"),
        ("rows|map('uper')|list", "there is no filter `uper`"),
        ("icons.moo", "there is no"),
    ],
)
def test_what_cannot_be_reckoned_is_told_in_plain_words(
    tmp_path: Path, expression: str, words: str
) -> None:
    _, report = compose(tmp_path, f"<text>{{{{ {expression} }}}}</text>", **DATA)
    (finding,) = report
    assert finding.code.id == "T006"
    assert words in finding.message


@pytest.mark.parametrize("attribute", ["x", "width", "fill", "each", "when"])
def test_what_cannot_be_read_is_located_at_its_attribute(tmp_path: Path, attribute: str) -> None:
    value = "{{ 1 + }}" if attribute not in {"each", "when"} else "a in 1 +"
    values = {"x": "1", "width": "1", "height": "1", "fill": "red", attribute: value}
    written = "\n".join(f'{name}="{text}"' for name, text in values.items())
    _, report = compose(tmp_path, f"<rect\n{written}/>")
    (finding,) = report
    assert finding.location is not None
    assert finding.location.line == 2 + list(values).index(attribute)
    assert f"`{attribute}` of `rect`" in finding.message


def test_numbers_that_look_random_are_spread_evenly() -> None:
    found = [seeded_random("card", index) for index in range(1000)]
    assert all(0 <= number < 1 for number in found)
    counts = Counter(int(number * 10) for number in found)
    assert all(70 < counts[tenth] < 130 for tenth in range(10))
    steps = Counter(one < other for one, other in pairwise(found))
    assert 450 < steps[True] < 550


def test_what_is_asked_of_nothing_says_how_to_leave_it_out(tmp_path: Path) -> None:
    _, report = compose(tmp_path, "<text>{{ image.name }}</text>", **DATA)
    assert "there is nothing that could have `name`" in report[0].message
    assert 'when="card.image"' in (report[0].hint or "")
