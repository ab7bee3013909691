"""The shipped faces take whatever a folder in the fixed format puts on a card."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from conftest import ROOT
from deckwright import open_game
from deckwright.base.findings import Diagnostic
from deckwright.cli import deckwright
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.game.model import Child
from deckwright.ops.model import DrawGlyphs, walk
from foreign_folder import write_foreign_folder
from support import load_all

STYLES = ("", "low-ink", "classic")


@pytest.fixture(scope="module", params=[(1, 300, "AA"), (2, 90, "HK"), (3, 1200, "ZZ")], ids=str)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    seed, effect, faction_id = request.param
    path = tmp_path_factory.mktemp("foreign")
    write_foreign_folder(path, seed, effect=effect, faction_id=faction_id)
    return path


def letters(text: str) -> str:
    """Return the letters of a text; words may be divided, and lines end anywhere."""
    return re.sub(r"\W", "", text)


@pytest.mark.corpus(5)
@pytest.mark.parametrize("style", STYLES)
def test_no_text_is_refused_and_each_is_printed(folder: Path, tmp_path: Path, style: str) -> None:
    target = tmp_path / "deck.pdf"
    words = ["deck", "army", "--game", str(folder), "--ignore-limits", "--out", str(target)]
    done = CliRunner().invoke(deckwright, [*words, *(("--style", style) if style else ())])
    assert done.exit_code == 0, done.output
    assert "L001" not in done.output
    printed = letters("".join(page.extract_text() for page in PdfReader(target).pages))
    model = open_game(folder).model
    used = {rule_id for card in model.cards.values() for rule_id in card.rule_ids()}
    assert used
    for rule_id in used:
        assert letters(model.rules[rule_id].effect) in printed


@pytest.mark.corpus(5)
def test_everything_else_of_a_foreign_folder_prints_as_well(folder: Path, tmp_path: Path) -> None:
    faction_id = open_game(folder).cards[0].faction
    for command in (["overview"], ["tuckbox", "army"], ["tokens", faction_id]):
        target = str(tmp_path / f"{command[0]}.pdf")
        done = CliRunner().invoke(deckwright, [*command, "--game", str(folder), "--out", target])
        assert done.exit_code == 0, done.output
    checked = CliRunner().invoke(deckwright, ["check", "--ignore-limits", "--game", str(folder)])
    assert "L001" not in checked.output


@pytest.mark.corpus(3)
@pytest.mark.parametrize(
    ("effect", "options", "where"),
    [
        (40, "", None),
        (1200, "", "the texts are in the rule reference"),
        (1200, "--no-reference", "no page has the texts"),
    ],
)
def test_one_warning_says_that_cards_print_names_alone(
    tmp_path: Path, effect: int, options: str, where: str | None
) -> None:
    write_foreign_folder(tmp_path, 3, effect=effect)
    words = ["deck", "army", "--game", str(tmp_path), "--ignore-limits", *options.split()]
    done = CliRunner().invoke(deckwright, words)
    assert done.output.count("warning L016") == (where is not None)
    assert where is None or where in done.output


@pytest.mark.parametrize("style", [None, "low-ink"])
def test_the_pennant_hides_no_text(tmp_path: Path, style: str | None) -> None:
    write_foreign_folder(tmp_path, 1)
    folder, report = GameFolder(tmp_path), list[Diagnostic]()
    factory = FaceFactory(load_all(tmp_path), folder, report, style)
    tried = 0
    for card, face in ((named.card, named.face) for named in compose_faces(factory, report)):
        if "WEATHER" in str(card.children["row"]):
            continue
        tip = 31 + 5 * bool(card.fields["actions"]) + 7.2 * (len(card.children["row"]) - 1)
        for op in walk(face.ops):
            if isinstance(op, DrawGlyphs) and re.search("[a-z]", op.text):
                tried += 1
                assert op.x >= 15.4 or op.y - op.size * 0.7 >= tip - 2.6, (card.id, op.text)
    assert report == []
    assert tried


@pytest.mark.parametrize("style", [None, "low-ink", "classic"])
def test_any_five_shipped_rules_fit_on_a_card(style: str | None) -> None:
    drawn, report = random.Random(5), list[Diagnostic]()
    game = load_all(ROOT)
    factory = FaceFactory(game, GameFolder(ROOT), report, style)
    for card, owner, _ in drawn.sample(
        [each for each in game.printable_cards() if each.faction_id], 6
    ):
        race = game.factions[owner].race
        legal = [rule.id for rule in game.rules.values() if rule.label(race)]
        five = tuple(Child({"id": each}, card.source) for each in drawn.sample(legal, 5))
        crowded = card._replace(children={**card.children, "rule": five})
        assert factory.card_face(crowded, owner, report) is not None
    assert report == []


@pytest.mark.parametrize("style", [None, "low-ink", "classic"])
def test_no_word_is_too_long_and_no_cost_too_high(tmp_path: Path, style: str | None) -> None:
    write_foreign_folder(tmp_path, 4, name=0)
    cards = next((tmp_path / "xml/Factions").glob("AA*"))
    cards.write_text(re.sub('name="(Ork|)"', f'name="{"W" * 57}"', cards.read_text("utf-8")))
    rules = tmp_path / "xml/rules.xml"
    text = re.sub('GEN="[^"]*', f'GEN="{"W" * 57}', rules.read_text("utf-8"))
    rules.write_text(re.sub('cost="."', 'cost="60"', text), "utf-8")
    factions = tmp_path / "xml/factions_definition.xml"
    text = factions.read_text("utf-8").replace('faction_name=""', f'faction_name="{"W" * 57}"')
    factions.write_text(text, "utf-8")
    report = list[Diagnostic]()
    factory = FaceFactory(load_all(tmp_path), GameFolder(tmp_path), report, style)
    faces = [*compose_faces(factory, report)]
    assert report == []
    assert len(faces) == 13
    written = [
        "".join(op.text for op in walk(f.face.ops) if isinstance(op, DrawGlyphs)) for f in faces
    ]
    assert sum("W" * 57 in text for text in written) == 13
    assert sum("60" in text for text in written) > 5
