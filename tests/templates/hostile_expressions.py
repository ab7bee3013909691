"""Expressions that are meant to harm, by family, in templates. Nothing here is a test.

With each stands the code that it is to end with, or none if it does no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape

ENDED = "*"
"""The code of what either does no harm or is ended at a limit, as the machine has it."""
LONG = "word " * 3900
"""The longest text that an attribute may have."""
RECT = '<rect width="1" height="1" fill="red"/>'


class Case(NamedTuple):
    """A face template.

    Attributes:
        body: what the face holds.
        code: of its findings, or codes with spaces; "" if it is to be clean; `ENDED`.
        files: other templates, by name, and what they hold.
    """

    body: str
    code: str
    files: Mapping[str, str] = {}


def values(code: str, *expressions: str) -> dict[str, Case]:
    """Return cases that print an expression each."""
    bodies = (f"<text>{{{{ {escape(text)} }}}}</text>" for text in expressions)
    return {text[:60]: Case(body, code) for text, body in zip(expressions, bodies, strict=True)}


def bodies(code: str, *found: str) -> dict[str, Case]:
    """Return cases of these bodies."""
    return {text[:60]: Case(text, code) for text in found}


def chained(start: str, step: str, times: int, end: str = "x") -> str:
    """Return a text that gives x a value, and again and again what `step` makes of it."""
    names = "".join(f"{{% set x = {escape(step)} %}}" for _ in range(times))
    return f"<text>{{% set x = {escape(start)} %}}{names}{{{{ {escape(end)} }}}}</text>"


def looped(body: str, *times: int) -> str:
    """Return groups that repeat a body, one within the other."""
    opened = "".join(f'<g each="i{n} in range({count})">' for n, count in enumerate(times))
    return opened + body + "</g>" * len(times)


def held(expression: str, *times: int) -> str:
    """Return a rectangle that is asked an expression again and again."""
    asked = escape(expression, {'"': "&quot;"})
    return looped(f'<rect when="({asked}) == 0" width="1" height="1"/>', *times)


WIDTHS = {
    **values("T005", *(f"'a'|{name}(10 ** 9)" for name in ("center", "indent", "wordwrap"))),
    **values("T005", *(f"'a'.{name}(999999999)" for name in (
        "center", "ljust", "rjust", "zfill", "expandtabs", "__mul__", "encode", "format"))),
    **values("T005", "(1).to_bytes(999999999, 'big')", "'{:>999999999}'.format(1)",
             "'{0:{1}}'.format(1, 10 ** 9)", "'{:>999999999}'.format_map(card)", "'a'|urlize",
             "1|filesizeformat", "'a'|pprint", "'a'|tojson(indent=10 ** 9)", "lipsum(10 ** 9)"),
    **values("T006", "'%999999999d' % 1", "'%.999999999f' % 1.5", "'%*d' % (999999999, 1)",
             "'%999999999s'|format('a')", "'%0999999999d'|format(1)", "'%(a)999999999s' % card",
             "'%s' * 999999999", "'a' * 999999999", "999999999 * 'a'", "[1] * 999999999",
             "'abc'|truncate(0 - 5)", "10 ** 17 ** 16", "2 ** 1000000",
             "(10 ** 16) ** 16", "99999999999999999 ** 99999999999999999", "1.5e300 ** 9",
             "(0 - 2) ** 0.5", "7 % '%99999999d'"),
    **values(ENDED, "1|round(10 ** 9, 'ceil')", "1|round(0 - 10 ** 9)",
             "'a'|batch(10 ** 9, 'x')|list", "'a'|slice(10 ** 9)|list"),
    **values("", "1|round(999999999)", "1.5|round(-999999999)", "'a'|batch(0)|list",
             "'a'|slice(0 - 1)|list", "'a'|truncate(999999999)", "'ab'|int(0)", "'%5.1f' % 2.5",
             "'a'|replace('b', 'c')"),
}  # fmt: skip

GROWTH = {
    **{f"twice {step}": Case(chained(start, step, 60), ENDED) for start, step in (
        ("'ab'", "x ~ x"), ("'ab'", "x + x"), ("[1]", "x + x"), ("'ab'", "x|replace('a', 'aa')"),
        ("'ab'", "x.join([x, x, x])"), ("'ab'", "'%s%s' % (x, x)"), ("[1, 2]", "(x + x)|sort"),
        ("'ab'", "(x ~ x) if x else 1"))},
    **{f"twice {step}": Case(chained(start, step, 60), "T006") for start, step in (
        ("3", "x * x"), ("9", "x ** 9"))},
    **{f"nested {end}": Case(chained("[1]", "[x, x]", 40, end), ENDED) for end in (
        "x", "x ~ ''", "x == [x, x]", "x in [x, [x]]", "[x]|sort", "x < [[x]]", "'%s' % [x]",
        "[[x, 1], [x, 2]]|min", "x|groupby(0)")},
    **{f"nested {end}": Case(chained("[1]", "[x, x]", 40, end), "T006") for end in (
        "[x, x]|unique", "{x: 1}")},
    **{f"deep {end}": Case(chained("[1]", "[x]", 2000, end), ENDED) for end in ("x", "x == [x]")},
    "pairs": Case(chained("{'a': 1}", "{'a': x, 'b': x}", 40), ENDED),
    "counts": Case(chained("1", "x + x", 30), ""),
    "written": Case(looped(f"<text>{LONG}</text>", 10_000), "T006"),
    "one text": Case(f"<text>{{% for i in range(19000) %}}{LONG}{{% endfor %}}</text>", "T006"),
    "one value": Case(
        f'<path fill="red" d="{{% for i in range(9999) %}}{LONG}{{% endfor %}}"/>', "T006"
    ),
    "texts in a list": Case(held(f"[{', '.join(['card.name ~ i0'] * 900)}]|length", 9999), ENDED),
}  # fmt: skip

MADE = {
    f"made {expression}": Case(
        "<text>{% set x = range(19999)|list %}{% set t = x[:3000]|join %}{% set d = {'a': x} %}"
        f"{{% for i in range(9999) %}}{{% if ({escape(expression)}) == i %}}a{{% endif %}}"
        "{% endfor %}</text>", ENDED)
    for expression in (
        "'a' in x", "x[::-1]", "x|sum", "x|sort", "x|unique", "x|map('string')", "d ~ i",
        "t|replace('1', '')", "t|title", "t.split('1')", "t.strip('0123456789')", "t in [t ~ i]")
}  # fmt: skip

LOOPS = {
    **MADE,
    **bodies(
        "T006",
        looped('<rect width="1" height="1"/>', 999, 999),
        looped('<rect width="1" height="1"/>', 19_999, 2),
        looped('<rect width="1" height="1"/>' * 200, 19_999),
        looped("<text>{{ card.name }}</text>" * 300, 19_000),
        "<text>{% for a in range(999) %}{% for b in range(999) %}x{% endfor %}{% endfor %}</text>",
        '<text><b each="a in range(9999)"><i each="b in range(9999)">x</i></b></text>',
    ),
    "nothing": Case(f"<text>{'{% for a in range(9999) %}' * 2}{'{% endfor %}' * 2}</text>", ENDED),
    **{expression[:60]: Case(held(expression, 140, 140), ENDED) for expression in (
        "range(9999)|sort|length", "range(9999)|map('string')|join|length",
        "range(999)|groupby('a')|length", f"'{LONG}'.count('d word word w')",
        f"('{LONG}' ~ i0)|length")},
    "loops of lists": Case('<g each="a in range(9999)|list"><g each="b in [a] * 9"/></g>', "T006"),
    "letters": Case(f'<text each="a in \'{LONG}\'"><b each="b in \'{LONG}\'">a</b></text>', "T006"),
    "deep loops": Case("<text>" + "".join(f"{{% for a{n} in [1] %}}" for n in range(25)) + "x"
                       + "{% endfor %}" * 25 + "</text>", "T005"),
    "images": Case(held("(card.name ~ i0 ~ '/' ~ i1)|is_image", 140, 140), ""),
    "long, but no harm": Case(looped('<rect width="1" height="1" fill="red"/>', 15_000), ""),
}  # fmt: skip

RANGES = {
    **values("T006", *(f"range({text})|list" for text in (
        "10 ** 12", "99999999", "0 - 10 ** 12, 0", "0, 10 ** 17, 1", "1, 2, 0", "'a'", "1e300",
        "10 ** 15 * 999", "1, 2, 3, 4", "card", "none", "20001", "nothing", "1, none"))),
    **values("T005", "range()|list", "range(stop=3)", "range(10 ** 9)()", "range(*[1])",
             "range(**card)", "range(99999999999999999999)|list"),
    **values("T005", "sin()", "cos(degrees=1)", "random()", "tan(1)", "random(*[1])", "sin(1)(2)"),
    **values("T006", "sin('a')", "cos(none)", "sin(1, 2)", "random(range(9), loop)", "random(x)"),
    **values("", "pi|round", "random(none, [1], {'a': 2})", "sin(true)"),
    **values("", "range(20000)|length", "range(true)|list", "range(5, 1)|list", "range(3.7)|sum"),
    **bodies("T006", '<rect each="i in range(10 ** 9)" width="1" height="1"/>',
             '<rect each="i in range(20001)" width="1" height="1"/>'),
}  # fmt: skip

FILTERS = {
    **values("T005", "card|xmlattr", "card.name|nothing", "card|tojson", "card.name|forceescape",
             "card.name|random", "'a'|wordcount", "'a' is nothing", "'a' is callable",
             "'a' is filter('x')", "[1]|sort(*[1])", "[1]|sort(**card)", "'a'|a.b.c",
             "[1]|sort(reverse=1, reverse=2)", "''.maketrans('a', 'b')", "'a'.translate({97: 'b'})",
             "''|attr('a')('b')"),
    **values("T006", "1 in 2 in 3", "['a']|sum(start='')", "[1, 'a']|sort",
             "[1]|map|list", "[1]|map(card)|list", "['a']|map('center', 9)|list", "[1]|select('x')",
             "[1]|map('map', 'map', 'map', 'upper')|list",
             "[1]|selectattr|list", "none|list", "1|first",
             "''|first", "card|groupby('a')", "[card]|unique|list",
             "'a'|replace", "'a'|replace('a', 'b', 'c')", "1|round(method='x')",
             "1|round(method=[])",
             "card|items(3)", "[1]|dictsort", "card|dictsort(by='x')", "'a'|mix('b', 'c')",
             "'#000000'|mix('#ffffff', 'abc')", "'#000000'|mix('#ffffff', 1e300 * 1e300)",
             "'#000000'|lighten(none)", "1|on", "'a'|format(1)", "'%d'|format('a')", "'%c' % 99",
             "'a' is divisibleby(0)", "'%9999d' is odd", "'%d' is even", "'a' is in(1)", "1 is eq",
             "'a'|trim(3)", "'a'.split('')", "'a'.split(3)", "'a'.join(1)", "(1).upper()",
             "['a']|map('attr', '__class__')|list",
             "card.name.upper(1)", "card|length|upper|sum", "[1][card]", "card[[1]]", "{[1]: 1}"),
    **values("", "[[1], [2]]|sum(start=[])",
             f"'a'|trim('{LONG}')", "'a'.startswith(('a', 'b'))", "'a'|is_image",
             f"'{LONG}'|is_image", "'../../etc/passwd'|is_image", "1|is_image",
             r"'a\x00b'|is_image", "'/etc/passwd'|is_image", f"'{'9' * 5000}'|int", "'1e999'|float",
             "card.name|default('a')", "'inf'|int", "'nan'|float", "[]|sum",
             "card|list|length", "card|sort|length", "card|join|length", "nothing|default",
             "[[1]]|groupby(0, default=[1])|length", "'a'|map('map', 'map', 'upper')|length"),
}  # fmt: skip

STATEMENTS = {
    **bodies("T005", *(f"<text>{text}</text>" for text in (
        "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{{ m(m(m(m('a')))) }}",
        "{% macro m(n) %}{{ m(n) }}{% endmacro %}{{ m(1) }}", "{% call x() %}a{% endcall %}",
        "{% filter upper %}a{% endfilter %}", "{% block b %}a{% endblock %}{{ self.b() }}",
        "{% include 'card.xml' %}", "{% import 'card.xml' as x %}",
        "{% from 'card.xml' import x %}", "{% extends 'card.xml' %}",
        "{% autoescape true %}a{% endautoescape %}",
        "{% set x %}a{% endset %}", "{% set x | upper %}a{% endset %}", "{% do card.clear() %}",
        "{% set ns = namespace(a='b') %}", "{% set ns.a = 'b' %}", "{% trans %}a{% endtrans %}",
        "{% for a in [1] %}{% break %}{% endfor %}", "{% debug %}", "{% print 1 + %}", "{% if %}",
        "{% for a in [[1]] recursive %}{{ loop(a) }}{% endfor %}", "{% set loop = 1 %}",
        "{% set self = 1 %}", "{% set _a = 1 %}", "{% for loop in [1] %}{% endfor %}",
        "{% for _a in [1] %}{% endfor %}", "{% for card.name in [1] %}{% endfor %}",
        "{% with %}{% set (a, b.c) = 1 %}{% endwith %}", "{% set a = 1 if %}", "{% unknown %}",
        "{{ caller() }}", "{{ super() }}", "{{ cycler('a') }}", "{{ joiner() }}", "{{ dict(a=1) }}",
        "{% for a in [1] %}{{ loop('x') }}{% endfor %}", "{{ loop.changed(1) }}"))),
    **bodies("", "<text>{% set a = 1 %}{% if a %}{% with b = a %}b{% endwith %}{% endif %}"
                 "</text>"),
}  # fmt: skip

INTERNALS = {
    **values("T006", *(
        "''.__class__", "''.__class__.__mro__", "''['__class__']", "''|attr('__class__')",
        "card.__class__", "card['__class__']", "card|attr('__class__')", "card['clear']",
        "card['update']", "card['items']", "card.keys", "card.rules.append", "card.rules['append']",
        "().__class__.__bases__", "[].__class__", "{}.__init__", "(1).real", "1.5.hex", "true.real",
        "none.__class__", "range.__self__", "range", "namespace", "lipsum.__globals__", "cycler",
        "joiner.__init__.__globals__", "self", "self.__init__", "self._TemplateReference__context",
        "context", "environment", "template", "caller", "missing", "undefined", "resolve",
        "nothing.__class__", "nothing['__class__']", "nothing|attr('__class__')", "''.mro",
        "'a'.upper", "'a'.format", "card.name.format", "card.name.__len__", "loop", "l_0_card",
        "(1, 2).count", "{}|attr('keys')", "range(3).start", "range(3)|attr('index')")),
    **values("T005", *(
        "__builtins__", "_", "__import__('os')", "''.__class__()", "card.clear()", "card.items()",
        "card.rules.append(1)", "[].sort()", "''.__class__.__subclasses__()", "open('/etc/passwd')",
        "card.__init__.__globals__['x']()", "'{0.__class__}'.format(card)", "eval('1')", "''.mro()",
        "self.__init__()", "(card.name)('x')", "card['get']('x')", "[1].pop(0)", "{}.popitem()",
        "''.__format__('99999d')", "''.__mul__(9)", "range(3).index(1)", "loop.__init__()")),
    **{text: Case(f"<text>{{% for a in [1] %}}{{{{ {text} }}}}{{% endfor %}}</text>", "T006")
       for text in ("loop", "loop ~ ''", "loop._iterator", "loop.__call__", "[loop]|join", "[loop]",
                    "loop['_iterator']", "loop.depth", "loop|attr('_recurse')",
                    "loop._undefined")},
    **{text: Case(f"<text>{{% for a in [1] %}}{{{{ {text} }}}}{{% endfor %}}</text>", "")
       for text in ("loop|list", "loop|length", "loop == loop", "loop in [loop, card]")},
}  # fmt: skip
