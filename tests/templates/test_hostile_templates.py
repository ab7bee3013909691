"""Templates of strangers: they end with findings that tell a place, soon, and need little."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hostile_expressions import ENDED, RECT, chained, looped
from hostile_templates import FAMILIES, Ended, run_family

from conftest import Run
from deckwright.expressions import expressions
from deckwright.templates import template
from deckwright.templates.template import Template
from hostile import find_foreign_paths, run_bounded
from support import FACE, card, composer, write_game

pytestmark = pytest.mark.child

TEMPORARY = tempfile.gettempdir()
"""Where a child notes what it needed."""
NOTHING = "{% for a in range(20000) %}" * 2 + "{% endfor %}" * 2
"""Takes long, and writes nothing."""
AT_LIMITS = {"T006", "L001", "L004", "L007"}
"""The codes of what is ended at a limit, or comes to its end in good time and prints too much."""


@pytest.mark.corpus(3, grows=True)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_refused_or_does_no_harm(tmp_path: Path, family: str) -> None:
    """It needs little, and reads nothing else."""
    notes = tmp_path / "notes.json"
    outcome = run_bounded(family, notes, cwd=tmp_path, program=run_family)
    assert outcome.bounded, (outcome.megabytes, outcome.said[-500:])
    strange = find_foreign_paths(outcome, tmp_path)
    assert [path for path in strange if not path.startswith(("/proc/", TEMPORARY))] == []
    results = {n: Ended(*e) for n, e in json.loads(notes.read_text(encoding="utf-8")).items()}
    assert set(results) == set(FAMILIES[family])
    assert [name for name, ended in results.items() if ended.findings > 105] == []
    cases = FAMILIES[family]
    run_away = {name: results.pop(name) for name in cases if cases[name].code == ENDED}
    assert {name: ended[:3] for name, ended in results.items()} == {
        name: (1 if cases[name].code else 0, cases[name].code.split(), []) for name in results
    }
    assert {n: e for n, e in run_away.items() if e.strays or not set(e.codes) <= AT_LIMITS} == {}
    assert {ended.exit_code for ended in run_away.values()} <= {0, 1}


@pytest.mark.parametrize(
    "body",
    [
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
    assert maker.compose({}, 65, 90) is None
    (first,) = maker.report
    monkeypatch.setattr(Template, "_records", None)
    maker.compose({"card": 2}, 65, 90)
    assert maker.report == [first]


def test_what_counts_no_steps_is_ended_by_the_sandbox(tmp_path: Path, run: Run) -> None:
    face = FACE.replace("</face>", f"<text>{NOTHING}</text></face>")
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], face=face)
    result = run("check", "--game", str(folder), "--untrusted", "--max-seconds", "1")
    assert result.exit_code == 1
    assert "L007: laying out card `A1` takes more than 1 second of CPU time" in result.stderr


def test_an_expression_that_fails_for_one_card_is_run_for_the_next(tmp_path: Path) -> None:
    maker = composer(tmp_path, "<face><text>{{ 1 // n }}</text></face>", [])
    assert maker is not None
    assert maker.compose({"n": 0}, 65, 90) is None
    maker.report.clear()
    assert maker.compose({"n": 1}, 65, 90) is not None


def test_the_values_of_an_element_are_bounded(tmp_path: Path) -> None:
    much = template.MAX_RECORD_LENGTH // 10
    text = f"{{% for i in range({much}) %}}ten chars {{% endfor %}}"
    maker = composer(tmp_path, f"<face>\n<text>{text}</text></face>", [])
    assert maker is not None
    assert maker.compose({}, 65, 90) is None
    (finding,) = maker.report
    assert finding.location is not None
    assert (finding.code.id, finding.location.line) == ("T006", 2)
    assert "more than 50,000 characters" in finding.message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (chained("3", "x * x", 60), "a number with more than 18 digits"),
        (chained("3", "x ** 9", 60), "a number with more than 18 digits"),
        (chained("3", "2 ** 17", 1), "powers of at most 16"),
        (looped(RECT, 20_001), "at most 20,000 numbers"),
        (looped("<g/><g/>", 15_000), "more than 60,000 elements"),
        ("<text>{% for i in range(19999) %}" + "word " * 99 + "{% endfor %}</text>", "400,000"),
        ("<text>{{ '%s' * 9 }}</text>", "for numbers, not for a text and a number"),
        ("<text>{{ '%999d' % 9 }}</text>", "unknown placeholder"),
        ("<text>{{ '" + "%s" * 51 + "' % 9 }}</text>", "more than 50 placeholders"),
    ],
    ids=range(9),
)
def test_what_is_too_much_is_told(tmp_path: Path, body: str, words: str) -> None:
    maker = composer(tmp_path, f"<face>{body}</face>", [])
    assert maker is not None
    assert maker.compose({}, 65, 90) is None
    (finding,) = maker.report
    assert finding.code.id == "T006"
    assert words in finding.message


def test_nothing_is_worked_out_before_a_program_runs(tmp_path: Path) -> None:
    (tmp_path / "sun.svg").touch()
    made = expressions.Expressions([tmp_path])
    code = made.compile(made.parse_value("{{ 'sun.svg'|is_image }}", made.new_grammar()))
    (tmp_path / "sun.svg").unlink()
    assert made.run(made.load_program(code), {}, 9) == "False"
