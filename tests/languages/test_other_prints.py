"""Runs, manifests, comparisons and packages in a language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.findings import ChoiceError
from deckwright.runs import open_run, plan_run
from repositories import track
from support import page_texts, translate

CARDS = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(1, 6)]
DECK = {"id": "D-1", "faction": "RW", "cards": [*CARDS, {"id": "WF1", "faction": "WF"}]}
PRINTED = Path("out/fr/deck_river.pdf")


def text_of(pdf: Path) -> str:
    return " ".join(page_texts(pdf))


@pytest.fixture(autouse=True)
def _translated(french: Path) -> None:
    translate({"Ferryman": "Passeur", "Page": "Feuille", "Lantern Tide": "La marée"})
    (french / "run.jsonl").write_text(json.dumps(DECK), "utf-8")


def test_runs_of_two_languages_are_apart(run: Run) -> None:
    assert run("run", "plan", "run.jsonl", "--languages", "all").exit_code == 0
    for folder, name in ((Path("out/run"), "Ferryman"), (Path("out/fr/run"), "Passeur")):
        assert run("run", "start", str(folder), "--workers", "1").exit_code == 0
        text = text_of(folder / "decks/D-1.pdf")
        assert {"Ferryman", "Passeur"} & {*text.split()} == {name}
        assert ("Feuille" in text) == (name == "Passeur")
        assert run("run", "merge", str(folder)).exit_code == 0
        assert name in text_of(folder / "merged/0001.pdf")
        assert run("run", "reprint", str(folder), "D-1:RW2").exit_code == 0
        assert name in text_of(folder / "reprints/D-1_RW2.pdf")
    facts = json.loads(Path("out/fr/run/run.json").read_text("utf-8"))
    assert facts["options"]["language"] == "fr"


def test_a_run_is_not_resumed_in_another_language(run: Run) -> None:
    arguments = "run", "plan", "run.jsonl", "-o", "here"
    assert run(*arguments, "--language", "fr").exit_code == 0
    assert run(*arguments, "--language", "fr").exit_code == 0
    result = run(*arguments)
    assert result.exit_code == 2
    assert "the run in `here` is in another language" in result.stderr


def test_the_library_plans_a_run_in_a_language() -> None:
    plan_run(".", "run.jsonl", "here", language="fr")
    assert open_run("here").plan.facts.language == "fr"
    with pytest.raises(ChoiceError, match="no language `xx`"):
        plan_run(".", "run.jsonl", "there", language="xx")


def test_a_run_whose_language_is_gone_is_told(run: Run) -> None:
    run("run", "plan", "run.jsonl", "-o", "here", "--language", "fr")
    facts = Path("here/run.json")
    edit(facts, '"language": "fr"', '"language": "xx"')
    result = run("run", "start", "here", "--workers", "1")
    assert result.exit_code == 1
    assert "the game has no language `xx`" in result.stderr


def test_a_card_is_reprinted_whose_translation_alone_has_changed(run: Run) -> None:
    assert run("deck", "river", "-q", "--language", "fr").exit_code == 0
    manifest = json.loads(PRINTED.with_name("deck_river.manifest.json").read_text("utf-8"))
    assert (manifest["language"], manifest["game"]) == ("fr", "Lantern Tide")
    since = "deck", "river", "--language", "fr", "--changed-since", str(PRINTED), "-o", "new.pdf"
    result = run(*since)
    assert result.exit_code == 0
    assert "nothing that is printed" in result.stdout
    translate({"Ferryman": "Batelier"})
    result = run(*since)
    assert "RW2 Batelier: name Passeur → Batelier" in result.stdout
    assert "Batelier" in text_of(Path("new.pdf"))
    assert "Reed Scout" not in text_of(Path("new.pdf"))


def test_a_print_is_not_continued_in_another_language(run: Run) -> None:
    run("deck", "river", "-q", "--language", "fr")
    result = run("deck", "river", "--changed-since", str(PRINTED))
    assert result.exit_code == 2
    assert "is of a print in the language `fr`" in result.stderr
    assert "--language fr" in result.stderr
    run("deck", "river", "-q")
    result = run("deck", "river", "--language", "fr", "--changed-since", "out/deck_river.pdf")
    assert result.exit_code == 2
    assert "is of a print in the game's own language" in result.stderr


def test_a_print_is_compared_in_its_language(run: Run) -> None:
    run("deck", "river", "-q", "--language", "fr")
    assert "nothing has changed" in run("diff", str(PRINTED)).stdout
    translate({"Ferryman": "Batelier"})
    assert "name Passeur → Batelier" in run("diff", str(PRINTED)).stdout


def test_two_states_are_compared_with_the_translations_of_each(french: Path, run: Run) -> None:
    edit(Path("templates/card.xml"), "</face>", '<text x="5" y="86">Greetings</text></face>')
    run("language", "update")
    translate({"Greetings": "Bonjour"})
    track(french)
    translate({"Ferryman": "Batelier", "Page": "Page.", "Greetings": "Salut"})
    result = run("diff", "v1", "--language", "fr")
    assert "RW1 Reed Scout: picture or layout changed" in result.stdout
    assert "RW2 Batelier: name Passeur → Batelier" in result.stdout
    assert "word page: text Feuille → Page." in result.stdout
    assert text_of(Path("out/fr/diff.pdf")).count("Passeur") >= 1
    assert "nothing has changed" in run("diff", "v1", "--no-pdf").stdout


def test_a_state_before_the_language_has_the_games_own_texts(french: Path, run: Run) -> None:
    catalog = Path("xml/lang/fr.po")
    data = catalog.read_bytes()
    catalog.unlink()
    track(french)
    catalog.write_bytes(data)
    result = run("diff", "v1", "--language", "fr", "--no-pdf")
    assert "RW2 Passeur: name Ferryman → Passeur" in result.stdout
    assert "language" not in result.stdout


def test_a_package_is_in_a_language(run: Run) -> None:
    result = run("package", "river", "--anyway", "--language", "fr", "-o", "package")
    assert result.exit_code == 0, result.output
    texts = " ".join(text_of(path) for path in Path("package").rglob("*.pdf"))
    assert "Passeur" in texts
    assert "Ferryman" not in texts


def test_tables_are_in_a_language_and_not_imported_as_the_games_texts(run: Run) -> None:
    translate({"Crew": "Équipage"})
    cards = Path("xml/Factions/RW_cards.xml")
    assert run("export", "csv", "--language", "fr").exit_code == 0
    table = Path("out/fr/csv/card.csv")
    head, *rows = table.read_text("utf-8").splitlines()
    assert head.startswith("id,faction_id,name (fr),level,")
    assert "cardclass (fr)" in head
    assert any({"Passeur", "Équipage", "CLOSE"} <= {*row.split(",")} for row in rows)
    before = cards.read_bytes()
    result = run("import", "csv", str(table))
    assert "the column `name (fr)` is not read" in result.stderr
    assert cards.read_bytes() == before
    assert run("export", "xlsx", "--language", "fr", "--complete").exit_code == 1


def test_the_best_deck_is_named_in_a_language(run: Run) -> None:
    translate({"River Wardens": "Gardiens"})
    result = run("solve", "RW", "--language", "fr", "--out", "best.xml")
    assert "Passeur" in result.stdout
    assert 'name="River Wardens"' in Path("best.xml").read_text("utf-8")
    completed = run("solve", "river", "--complete", "--language", "fr")
    assert completed.exit_code == 0
