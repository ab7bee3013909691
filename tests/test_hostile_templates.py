"""Templates of strangers: they end with findings that tell a place, soon, and need little."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from conftest import Run
from deckwright.templates import budget, expressions, template
from deckwright.templates.template import Template
from hostile import foreign, hostile, write_all
from hostile_expressions import RECT, chained, looped
from hostile_templates import FAMILIES, Ended, run_family
from support import FACE, card, composer, write_game

TEMPORARY = tempfile.gettempdir()
"""Where a child notes what it needed."""
IFS = "{% if 1 %}{% endif %}" * 900


@pytest.mark.corpus(1)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_refused_or_does_no_harm(tmp_path: Path, family: str) -> None:
    """It needs little, and reads nothing else."""
    notes = tmp_path / "notes.json"
    outcome = hostile(family, notes, cwd=tmp_path, program=run_family)
    assert outcome.bounded, (outcome.megabytes, outcome.said[-500:])
    strange = foreign(outcome, tmp_path)
    assert [path for path in strange if not path.startswith(("/proc/", TEMPORARY))] == []
    results = {n: Ended(*e) for n, e in json.loads(notes.read_text(encoding="utf-8")).items()}
    assert set(results) == set(FAMILIES[family])
    assert [name for name, ended in results.items() if ended.findings > 105] == []
    assert {name: ended[:3] for name, ended in results.items()} == {
        name: (1 if case.code else 0, case.code.split(), [])
        for name, case in FAMILIES[family].items()
    }


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    """A game of thirty cards whose faces do some work."""
    cards = [card(f"A{n}", f"Ant {n}") for n in range(30)]
    body = looped("<text>{{ card.name ~ i0 }}</text>", 20)
    face = FACE.replace("</face>", f'<g x="9" y="9">{body}</g></face>')
    folder = write_game(tmp_path / "game", cards, face=face)
    (folder / "img").mkdir()
    return folder


@pytest.mark.parametrize(
    ("limit", "most", "words"),
    [
        ("MAX_ALL_WORK", 10_000, "too much work for all faces together"),
        ("MAX_DRAWN", 10_000, "draw too much for all faces together"),
        ("MAX_ALL_WORK", 50_000, None),
        ("MAX_DRAWN", 50_000, None),
    ],
)
def test_what_all_faces_do_together_is_bounded(
    crowd: Path, run: Run, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, words: str | None
) -> None:
    monkeypatch.setattr(budget, limit, most)
    result = run("check", "--game", str(crowd))
    assert result.exit_code == (1 if words else 0), result.stderr
    assert ("error T006" in result.stderr) == bool(words)
    assert words is None or words in result.stderr


def test_what_all_templates_say_together_is_bounded(
    crowd: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = "".join(f"<text>{{{{ card.name }}}}{n}</text>" for n in range(30))
    write_all(crowd, [("templates/card.xml", f'<face><g x="9" y="9">{again}</g></face>')])
    monkeypatch.setattr(expressions, "MAX_ALL_SIZE", 50)
    result = run("check", "--game", str(crowd))
    assert result.exit_code == 1
    assert "error T013" in result.stderr
    assert "more than 50 names, numbers and signs, as many as are left" in result.stderr


@pytest.mark.parametrize(
    "body",
    [
        '<rect each="i in range(30000)" width="1" height="1"/>',
        "<text>{% for a in range(999) %}{% for b in range(999) %}a{% endfor %}{% endfor %}</text>",
        "<text>{% for i in range(19999) %}" + "word " * 99 + "{% endfor %}</text>",
        looped("<g/><g/>", 15_000),
    ],
)
def test_a_template_that_did_too_much_is_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    maker = composer(tmp_path, f"<face>{body}</face>", [])
    assert maker is not None
    assert maker.face({}, 65, 90) is None
    (first,) = maker.report
    monkeypatch.setattr(Template, "_records", None)
    maker.face({"card": 2}, 65, 90)
    assert maker.report == [first]


def test_an_expression_that_fails_for_one_card_is_run_for_the_next(tmp_path: Path) -> None:
    maker = composer(tmp_path, "<face><text>{{ 1 // n }}</text></face>", [])
    assert maker is not None
    assert maker.face({"n": 0}, 65, 90) is None
    maker.report.clear()
    assert maker.face({"n": 1}, 65, 90) is not None


def test_the_values_of_an_element_are_bounded(tmp_path: Path) -> None:
    much = template.MAX_RECORD // 10
    text = f"{{% for i in range({much}) %}}ten chars {{% endfor %}}"
    maker = composer(tmp_path, f"<face>\n<text>{text}</text></face>", [])
    assert maker is not None
    assert maker.face({}, 65, 90) is None
    (finding,) = maker.report
    assert finding.location is not None
    assert (finding.code.id, finding.location.line) == ("T006", 2)
    assert "more than 50,000 characters" in finding.message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (chained("'ab'", "x ~ x", 60), "a text of more than 20,000 characters"),
        (chained("'ab'", "x + x", 60), "a text of more than 20,000 characters"),
        (chained("'ab'", "x|replace('a', 'aaaa')", 60), "a text of more than 20,000 characters"),
        (chained("'ab'", "[x, x]|join(x)", 60), "a text of more than 20,000 characters"),
        (chained("'ab'", "'%s%s' % (x, x)", 60), "a text of more than 20,000 characters"),
        (chained("[1]", "x + x", 60), "a list of more than 20,000 items"),
        (chained("'ab'", "(x ~ x)|list|join", 60), "a text of more than 20,000 characters"),
        (chained("[1]", "[x, x]", 30), "a list or dictionary that is too large"),
        (chained("[1]", "[x]", 60), "nests lists too deeply"),
        (chained("3", "x * x", 60), "a number of more than 18 digits"),
        (chained("3", "x ** 9", 60), "a number of more than 18 digits"),
        (chained("3", "2 ** 17", 1), "powers of at most 16"),
        (looped(RECT, 20_001), "a list of more than 20,000 items"),
        (looped(looped("<g/>", 200), 200), "more than 20,000 elements"),
        (looped("<text>{{ range(999)|sort }}</text>", 999), "more than 2,000,000 steps"),
        (looped("<g/>" * 6000 + "<text>{{ 1 }}</text>" * 900, 9000), "more than 2,000,000 steps"),
        (looped("<text>{{ 1 }}</text>" * 900 + looped("", 1), 9000), "more than 2,000,000 steps"),
        (
            f"<text>{{% for i in range(9999) %}}{IFS}{{% endfor %}}</text>",
            "more than 2,000,000 steps",
        ),
        (looped("<g/><g/>", 15_000), "more than 60,000 elements"),
        ("<text>{% for i in range(19999) %}" + "word " * 99 + "{% endfor %}</text>", "400,000"),
    ],
    ids=range(20),
)
def test_what_is_too_much_is_told(tmp_path: Path, body: str, words: str) -> None:
    maker = composer(tmp_path, f"<face>{body}</face>", [])
    assert maker is not None
    assert maker.face({}, 65, 90) is None
    (finding,) = maker.report
    assert finding.code.id == "T006"
    assert words in finding.message


def test_nothing_is_worked_out_before_a_program_runs(tmp_path: Path) -> None:
    language = expressions.Expressions(tmp_path)
    language.compile(
        language.value("{{ 'a'|upper }}{{ 2 ** 9 }}{{ 'a' ~ 'b' }}", language.grammar())
    )
    assert language._budget.work == 0  # noqa: SLF001 - nothing else tells what was done
