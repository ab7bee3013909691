"""The library: a game is opened, asked, changed and asked again."""

from __future__ import annotations

import doctest
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

import deckwright
from conftest import ROOT, Run, edit
from deckwright import Game, GameError, api, open_game, runs
from deckwright.ops.model import DrawGlyphs, DrawImage
from deckwright.ops.model import Face as DrawnFace
from support import card, line, texts, token_rule, uses, write_game

FACE = """<face>
  <rect y="80" width="65" height="10" fill="{{ card.faction.color }}"/>
  <text x="5" y="5" width="55" height="20">{{ card.name }}</text>
  <text x="5" y="30" width="55" height="20"
    each="rule in card.rules">{{ rule.name }}: {{ rule.effect }}</text>
  <image when="card.image" x="5" y="60" width="10" height="10" href="{{ card.image }}"/>
</face>
"""
RULE = '<rule id="dig" type="passive" effect="Dig deep."><label GEN="Dig"/></rule>'


def picture(path: Path, color: str) -> None:
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", (120, 120), color).save(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of two factions; all its files are a day old."""
    cards = [
        card("A1", "Ant", "AA", uses("dig"), image="ant.png"),
        card("A2", "Queen"),
        card("B1", "Bee", "BB", uses("call"), level=2, actions=1),
    ]
    write_game(
        tmp_path,
        cards,
        rules=[RULE, token_rule("call", "Wolf")],
        decks={"army": [line("A1", 2), line("A2")], "swarm": [line("B1")]},
        limits='<limit id="size" name="cards" zone="main" min="2"/>',
        face=FACE,
    )
    picture(tmp_path / "img" / "ant.png", "red")
    settle(tmp_path)
    return tmp_path


def settle(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            day_before = path.stat().st_mtime_ns - 86_400_000_000_000
            os.utime(path, ns=(day_before, day_before))


def cards_of(folder: Path, faction: str = "AA") -> Path:
    return folder / "xml" / "Factions" / f"{faction}_cards.xml"


def ask(game: Game) -> None:
    for each in game.cards:
        each.face()


opened: list[str] | None = None


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and opened is not None:
        opened.append(str(arguments[0]))


sys.addaudithook(_note)


@contextmanager
def reading(folder: Path) -> Iterator[set[str]]:
    """Give the names of the files in a folder that are opened within the block, when it ends."""
    global opened  # noqa: PLW0603 - an audit hook is for good
    names: set[str] = set()
    opened = []
    try:
        yield names
    finally:
        names |= {Path(path).name for path in opened if path.startswith(str(folder))}
        opened = None


def test_a_style_that_is_gone_takes_its_faces_along(folder: Path) -> None:
    style = folder / "templates" / "plain"
    style.mkdir()
    (style / "card.xml").write_text('<face><rect width="9" height="9" fill="red"/></face>')
    game = open_game(folder)
    game.card("A2").face(style="plain")
    shutil.rmtree(style)
    changes = game.reload()
    assert [(name.card, name.style) for name in changes.lost] == [("A2", "plain")]
    assert game.reload() == ((), (), ())


def test_a_change_can_be_read_without_composing_anything(folder: Path) -> None:
    game = open_game(folder)
    before = [game.card(name).face().digest for name in ("A1", "A2")]
    edit(cards_of(folder), 'name="Ant"', 'name="Anteater"')
    (file,) = game.reload(compare=False).files
    assert (file.name, game.reload(compare=False)) == ("AA_cards.xml", ((), (), ()))
    after = [game.card(name).face().digest for name in ("A1", "A2")]
    assert [old != new for old, new in zip(before, after, strict=True)] == [True, False]


def test_a_drawing_that_changes_leaves_the_letters(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deckwright.paint import svg

    opened: list[object] = []
    file = svg.OutlineFont
    read = file.__init__

    def noted(self: svg.OutlineFont, path: Path) -> None:
        opened.append(path)
        read(self, path)

    monkeypatch.setattr(file, "__init__", noted)
    (folder / "img").mkdir(exist_ok=True)
    drawing = folder / "img" / "new.svg"
    game = open_game(folder)
    before = game.card("A1").face().svg()
    assert len(opened) == 1
    drawing.write_text("<svg/>", encoding="utf-8")
    assert drawing in game.reload().files
    assert game.card("A1").face().svg() == before
    assert len(opened) == 1


def test_what_a_game_says_and_what_is_wrong_with_it(folder: Path) -> None:
    game = open_game(folder)
    assert game.model.cards["AA", "A1"].name == "Ant"
    assert not game.faults
    edit(cards_of(folder), 'id="dig"', 'id="dug"')
    game.reload()
    (fault,) = game.faults
    assert fault.code.id == "R003"


def test_importing_the_package_imports_none_of_what_it_uses() -> None:
    code = (
        "import sys, deckwright; before = set(sys.modules); deckwright.open_game;"
        "print(*sorted({'lxml', 'jinja2', 'reportlab', 'PIL', 'click'} & before));"
        "print(*sorted({'lxml', 'click'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "lxml"]


def test_the_package_has_what_it_says_and_nothing_else() -> None:
    assert all(hasattr(deckwright, name) for name in api.__all__)
    assert not hasattr(deckwright, "open_games")


def test_what_is_no_game_is_refused_with_a_finding(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no game in this folder") as error:
        open_game(tmp_path)
    assert [finding.code.id for finding in error.value.findings] == ["X006"]


def test_a_game_whose_setup_is_broken_is_refused_with_its_findings(folder: Path) -> None:
    edit(folder / "xml" / "game.xml", "</game>", "</gam>")
    with pytest.raises(GameError) as error:
        open_game(folder)
    assert [finding.code.id for finding in error.value.findings] == ["X001"]
    assert f"{folder / 'xml' / 'game.xml'}:" in str(error.value)


def test_cards_and_tokens_are_found_by_their_ids(folder: Path) -> None:
    game = open_game(str(folder))
    assert [each.id for each in game.cards] == ["A1", "A2", "B1", "call/1"]
    queen, wolf = game.card("A2"), game.card("call/1")
    assert (queen.name, queen.faction, queen.kind, queen.is_token) == ("Queen", "AA", "card", False)
    assert (queen.fields["level"], queen.parts) == ("1", 1)
    assert (wolf.name, wolf.faction, wolf.is_token) == ("Wolf", "BB", True)
    assert game.card("B1", faction="BB").name == "Bee"


@pytest.mark.parametrize(("card_id", "faction"), [("A3", None), ("A1", "BB")])
def test_a_card_that_is_not_there_is_a_finding(
    folder: Path, card_id: str, faction: str | None
) -> None:
    with pytest.raises(GameError) as error:
        open_game(folder).card(card_id, faction=faction)
    (finding,) = error.value.findings
    assert finding.code.id == "R019"
    assert "`A1`" in (finding.hint or "")


def test_a_face_is_ops_a_drawing_and_a_picture(folder: Path) -> None:
    face = open_game(folder).card("A1").face()
    assert texts(face.ops) == ["Ant", "Dig: Dig deep."]
    assert (face.width, face.height) == (65, 90)
    assert '<title id="title">Ant</title>' in face.svg()
    assert 'width="71mm"' in face.svg(bleed=3)
    with Image.open(BytesIO(face.png(dpi=50.8))) as drawn:
        assert drawn.size == (130, 180)
        # In the middle of the picture that the card has.
        assert drawn.getpixel((20, 130)) in {(254, 0, 0), (255, 0, 0)}


def test_a_picture_without_pixels_or_with_too_many_is_refused(folder: Path) -> None:
    face = open_game(folder).card("A1").face()
    with pytest.raises(ValueError, match="dpi is 0"):
        face.png(dpi=0)
    with pytest.raises(GameError, match="E030"):
        face.png(dpi=100_000)


def test_faces_have_styles_and_parts_that_are_there(folder: Path) -> None:
    style = folder / "templates" / "plain" / "card.xml"
    style.parent.mkdir()
    style.write_text('<face><text width="60" height="9">plain</text></face>', encoding="utf-8")
    game = open_game(folder)
    assert game.styles == ("plain",)
    assert texts(game.card("A1").face(style="plain").ops) == ["plain"]
    assert texts(game.card("A1").face().ops)[0] == "Ant"
    with pytest.raises(ValueError, match="there is no style `loud`"):
        game.card("A1").face(style="loud")
    with pytest.raises(ValueError, match="no part 2"):
        game.card("A1").face(part=2)


def test_a_card_has_a_back_if_its_kind_has_one(folder: Path) -> None:
    assert open_game(folder).card("A1").back() is None
    edit(
        folder / "xml" / "game.xml", 'name="Card" width="65"', 'name="Card" back="b.xml" width="65"'
    )
    (folder / "templates" / "b.xml").write_text(
        '<face><text width="60" height="9">{{ faction.name }}</text></face>', encoding="utf-8"
    )
    back = open_game(folder).card("A1").back()
    assert back is not None
    assert texts(back.ops) == ["Hill"]
    assert back.name.back


def test_a_mistake_in_a_card_concerns_that_card_alone(folder: Path) -> None:
    edit(cards_of(folder), 'name="Queen"', 'name="Queen" strenght="3"')
    game = open_game(folder)
    with pytest.raises(GameError) as error:
        game.card("A2").face()
    (finding,) = error.value.findings
    assert finding in game.check()
    assert str(finding).startswith(f"{cards_of(folder)}:3:")
    assert "error S002: card `A2` has an unknown attribute `strenght`\n  hint: remove it" in str(
        finding
    )
    assert texts(game.card("A1").face().ops)[0] == "Ant"


def test_a_card_with_a_rule_that_is_not_there_has_no_face(folder: Path) -> None:
    edit(cards_of(folder), uses("dig"), uses("dog"))
    with pytest.raises(GameError, match="R003"):
        open_game(folder).card("A1").face()


def test_a_broken_template_is_told_of_each_time(folder: Path) -> None:
    edit(folder / "templates" / "card.xml", "{{ card.name }}", "{{ card.nam }}")
    game = open_game(folder)
    for _ in range(2):
        with pytest.raises(GameError, match="T006"):
            game.card("A2").face()


def test_a_check_finds_what_the_command_finds(folder: Path, run: Run) -> None:
    edit(cards_of(folder), 'name="Queen"', f'name="{"Queen " * 60}"')
    game = open_game(folder)
    found = [(finding.code.id, finding.message) for finding in game.check()]
    told = json.loads(run("check", "--game", str(folder), "--format", "json").stdout)
    assert found == [(each["code"], each["message"]) for each in told["findings"]]
    assert {code for code, _ in found} == {"L001", "D001"}


def test_a_check_gives_codes_the_severity_that_the_game_gives_them(folder: Path) -> None:
    edit(folder / "templates" / "card.xml", '<text x="5" y="5"', '<text fill="#eee" x="5" y="5"')
    assert {finding.code.id for finding in open_game(folder).check()} == {"D001", "L003"}
    off = '<severities><severity code="L003" is="off"/></severities></game>'
    edit(folder / "xml" / "game.xml", "</game>", off)
    assert {finding.code.id for finding in open_game(folder).check()} == {"D001"}


def test_a_deck_is_checked_by_itself(folder: Path) -> None:
    game = open_game(folder)
    assert [deck.name for deck in game.decks] == ["army", "swarm"]
    assert game.deck("army.xml").check() == ()
    assert [finding.code.id for finding in game.deck("swarm").check()] == ["D001"]
    assert game.deck("swarm").check(ignore_limits=True) == ()
    with pytest.raises(GameError, match="X006"):
        game.deck("arm")


def test_a_deck_is_printed_as_the_command_prints_it(folder: Path, run: Run) -> None:
    game = open_game(folder)
    game.card("A2").face()
    target = folder / "out" / "library.pdf"
    printed = [game.deck("army").print(target) for _ in range(2)][1]
    assert run("deck", "army", "--game", str(folder)).exit_code == 0
    assert target.read_bytes() == (folder / "out" / "deck_army.pdf").read_bytes()
    assert (printed.paths, printed.pages, printed.sheets) == ((target,), 1, 1)
    assert (folder / "out" / "library.manifest.json").is_file()


def test_a_deck_is_printed_as_asked(folder: Path) -> None:
    deck = open_game(folder).deck("swarm")
    target = folder / "swarm.pdf"
    with pytest.raises(GameError, match="D001"):
        deck.print(target)
    with pytest.raises(ValueError, match="poster"):
        deck.print(target, sheet="poster", ignore_limits=True)
    assert not target.exists()
    deck.print(str(target), sheet="letter-65x90", ignore_limits=True)
    assert PdfReader(target).pages[0].mediabox[2:] == [612, 792]


def test_nothing_is_read_if_nothing_has_changed(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    with reading(folder) as names:
        assert game.reload() == ((), (), ())
        ask(game)
        game.deck("army").check()
    # The deck, which was not read so far.
    assert names == {"army.xml"}
    with reading(folder) as names:
        assert game.reload() == ((), (), ())
        game.deck("army").check()
    assert names == set()


def test_of_a_changed_card_its_file_is_read_and_its_face_differs(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    other = game.card("A1").face().ops
    edit(cards_of(folder), "Queen", "Empress")
    with reading(folder) as names:
        changes = game.reload()
    assert names == {"AA_cards.xml"}
    assert changes.files == (cards_of(folder),)
    assert [face.name.card for face in changes.faces] == ["A2"]
    assert texts(changes.faces[0].ops) == ["Empress"]
    assert game.card("A2").name == "Empress"
    assert game.card("A1").face().ops is other


def test_of_a_changed_rule_its_cards_differ(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    edit(folder / "xml" / "rules.xml", "Dig deep.", "Dig deeper.")
    with reading(folder) as names:
        changes = game.reload()
    assert names == {"rules.xml"}
    assert [face.name.card for face in changes.faces] == ["A1"]


def test_of_a_changed_faction_its_cards_and_backs_differ(folder: Path) -> None:
    edit(
        folder / "xml" / "game.xml", 'name="Card" width="65"', 'name="Card" back="b.xml" width="65"'
    )
    back = '<face><rect width="65" height="90" fill="{{ faction.color }}"/></face>'
    (folder / "templates" / "b.xml").write_text(back, encoding="utf-8")
    game = open_game(folder)
    ask(game)
    game.card("A1").back()
    game.card("B1").back()
    edit(folder / "xml" / "factions_definition.xml", "teal", "navy")
    faces = game.reload().faces
    assert [(face.name.card, face.name.back) for face in faces] == [
        ("A1", False),
        ("A2", False),
        ("A1", True),
    ]


def test_of_a_changed_template_its_faces_alone_are_composed_again(folder: Path) -> None:
    edit(folder / "xml" / "game.xml", 'name="Token" token="true" width="65" height="90" face="card',
         'name="Token" token="true" width="65" height="90" face="token')  # fmt: skip
    token = folder / "templates" / "token.xml"
    token.write_text('<face><include href="name.xml"/></face>', encoding="utf-8")
    part = folder / "templates" / "name.xml"
    part.write_text(
        '<face><text width="60" height="9">{{ card.name }}</text></face>', encoding="utf-8"
    )
    settle(folder)
    game = open_game(folder)
    ask(game)
    other = game.card("A1").face().ops
    edit(part, "{{ card.name }}", "{{ card.name }}!")
    with reading(folder) as names:
        changes = game.reload()
    assert names == {"token.xml", "name.xml"}
    assert [texts(face.ops) for face in changes.faces] == [["Wolf!"]]
    assert game.card("A1").face().ops is other


def test_of_changed_styles_all_faces_are_composed_again(folder: Path) -> None:
    edit(folder / "templates" / "card.xml", '<text x="5" y="5"', '<text class="t" x="5" y="5"')
    styles = folder / "templates" / "styles.xml"
    styles.write_text('<styles><style name="t" font-size="9pt"/></styles>', encoding="utf-8")
    game = open_game(folder)
    ask(game)
    edit(styles, "9pt", "8pt")
    assert len(game.reload().faces) == 4


def test_of_a_changed_picture_the_cards_that_show_it_differ(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    before = game.card("A1").face().png(dpi=50)
    picture(folder / "img" / "ant.png", "blue")
    old, other = game.card("A1").face(), game.card("A2").face().ops
    with reading(folder) as names:
        changes = game.reload()
    assert names == {"ant.png"}
    assert [face.name.card for face in changes.faces] == ["A1"]
    assert changes.faces[0].png(dpi=50) != before
    assert old.png(dpi=50) == before
    assert game.card("A2").face().ops is other
    assert open_game(folder).card("A1").face().digest == changes.faces[0].digest


def test_a_picture_is_damaged_and_mended_again(folder: Path) -> None:
    edit(folder / "templates/card.xml", "</face>", '<rect when="not card.image" width="9" '
         'height="9" fill="red"/></face>')  # fmt: skip
    game = open_game(folder)
    ask(game)
    image = folder / "img" / "ant.png"
    whole, good = image.read_bytes(), game.card("A1").face().digest
    image.write_bytes(b"no picture")
    (bare,) = game.reload().faces
    assert bare.name.card == "A1"
    assert not any(isinstance(op, DrawImage) for op in bare.ops)
    assert {finding.code.id for finding in game.check()} == {"I009", "D001"}
    image.write_bytes(whole)
    (mended,) = game.reload().faces
    assert mended.digest == good
    image.unlink()
    assert [face.name.card for face in game.reload().faces] == ["A1"]


def test_a_mistake_of_one_face_leaves_the_others_composed(folder: Path) -> None:
    edit(cards_of(folder), 'name="Queen"', f'name="{"Queen " * 60}"')
    game = open_game(folder)
    ops = game.card("A1").face().ops
    for _ in range(2):
        with pytest.raises(GameError, match="L001"):
            game.card("A2").face()
    assert game.card("A1").face().ops is ops
    for _ in range(2):
        with pytest.raises(GameError, match="L001"):
            game.deck("army").print(folder / "army.pdf")


def test_mistakes_in_styles_are_told_of_each_time(folder: Path) -> None:
    styles = folder / "templates" / "styles.xml"
    styles.write_text('<styles><stile name="t" font-size="9pt"/></styles>', encoding="utf-8")
    game = open_game(folder)
    for card_id in ("A1", "A2", "A1"):
        with pytest.raises(GameError, match="S001"):
            game.card(card_id).face()
    styles.write_text('<styles><style name="t" font-size="9pt"/></styles>', encoding="utf-8")
    game.reload()
    assert texts(game.card("A2").face().ops) == ["Queen"]


def test_what_prints_the_same_is_no_change(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    edit(cards_of(folder), "<data>", "<data>\n  <!-- of the hill -->\n")
    edit(folder / "templates" / "card.xml", "<face>", "<face><!-- all cards -->")
    changes = game.reload()
    assert len(changes.files) == 2
    assert (changes.faces, changes.lost) == ((), ())
    (folder / "xml" / "rules.xml").touch()
    assert game.reload().files == ()


def test_a_change_of_the_same_size_in_the_same_moment_is_seen(folder: Path) -> None:
    game = open_game(folder)
    path, moment = cards_of(folder), time.time_ns()
    for name in ("Quean", "Quoin", "Queen"):
        path.write_text(
            path.read_text(encoding="utf-8").replace(game.card("A2").name, name), "utf-8"
        )
        os.utime(path, ns=(moment, moment))
        game.reload()
        assert game.card("A2").name == name


def test_a_face_is_lost_while_its_card_has_a_mistake(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    handle = game.card("A2")
    edit(cards_of(folder), 'name="Queen" faction_id="AA" level="1"', 'name="Queen" faction_id="AA"')
    changes = game.reload()
    assert [name.card for name in changes.lost] == ["A2"]
    assert changes.faces == ()
    with pytest.raises(GameError):
        handle.face()
    edit(cards_of(folder), 'name="Queen" faction_id="AA"', 'name="Queen" faction_id="AA" level="1"')
    changes = game.reload()
    assert [face.name.card for face in changes.faces] == ["A2"]
    assert changes.lost == ()


def test_cards_and_decks_come_and_go(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    gone = game.card("B1")
    cards_of(folder, "BB").unlink()
    new = card("A3", "Grub")
    edit(cards_of(folder), "</data>", f"{new}</data>")
    (folder / "xml" / "Decks" / "swarm.xml").unlink()
    changes = game.reload()
    assert [name.card for name in changes.lost] == ["B1", "call/1"]
    assert [each.id for each in game.cards] == ["A1", "A2", "A3"]
    assert [deck.name for deck in game.decks] == ["army"]
    with pytest.raises(GameError, match="R019"):
        assert gone.name
    assert game.reload() == ((), (), ())


def test_a_game_stays_as_it_was_while_its_setup_is_broken(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    setup = folder / "xml" / "game.xml"
    edit(setup, "</game>", "</gam>")
    for _ in range(2):
        with pytest.raises(GameError, match="X001"):
            game.reload()
        assert texts(game.card("A2").face().ops) == ["Queen"]
    edit(setup, "</gam>", "</game>")
    edit(setup, 'name="Card" width="65"', 'name="Card" width="63"')
    edit(setup, 'name="Test"', 'name="Hills"')
    assert [face.width for face in game.reload().faces] == [63, 63, 63]
    assert game.name == "Hills"


def test_a_deck_prints_after_changes_as_a_fresh_game_prints_it(folder: Path) -> None:
    game = open_game(folder)
    target = folder / "out" / "army.pdf"
    game.deck("army").print(target)
    edit(cards_of(folder), "Queen", "Empress")
    edit(folder / "templates" / "card.xml", 'x="5" y="5"', 'x="6" y="5"')
    edit(folder / "xml" / "Decks" / "army.xml", line("A2"), line("A2", 3))
    picture(folder / "img" / "ant.png", "blue")
    game.reload()
    game.deck("army").print(target)
    kept = target.read_bytes()
    open_game(folder).deck("army").print(target)
    assert target.read_bytes() == kept
    assert "Empress" in PdfReader(target).pages[0].extract_text()


def test_faces_that_were_only_printed_follow_their_templates_too(folder: Path) -> None:
    game = open_game(folder)
    target = folder / "out" / "army.pdf"
    game.deck("army").print(target)
    game.card("B1").face()
    edit(folder / "templates" / "card.xml", "{{ card.name }}", "{{ card.name }}!")
    game.reload()
    game.deck("army").print(target)
    assert "Queen!" in PdfReader(target).pages[0].extract_text()


def test_after_a_change_of_the_setup_cards_are_read_by_it(folder: Path) -> None:
    game = open_game(folder)
    edit(folder / "xml" / "game.xml", '<term id="2" name="High"/>', "")
    game.reload()
    with pytest.raises(GameError, match="R004"):
        game.card("B1").face()


def test_findings_are_kept_until_something_changes(folder: Path) -> None:
    game = open_game(folder)
    found = game.check()
    game.reload()
    assert game.check() is found
    edit(folder / "xml" / "Decks" / "swarm.xml", 'amount="1"', 'amount="2"')
    game.reload()
    assert game.check() == ()


def test_the_examples_of_the_documentation_run_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) > 5
    shutil.copytree(ROOT / "examples" / "starter", tmp_path / "my-game")
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "library.md", None, 0)
    told: list[str] = []
    done = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert done.failed == 0, "".join(told)
    assert done.attempted > 20


def test_the_reference_tells_of_all_that_the_library_has() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    reference = page.partition("## Reference")[2]
    told = sorted(re.findall(r"^### `(\w+)", reference, re.MULTILINE))
    assert told == sorted([*api.__all__, *runs.__all__])
    assert "#### `Game.reload(*, compare: bool = True) -> Changes`" in reference
    assert "#### `Card.face(*, style: str | None = None, part: int = 1) -> Face`" in reference


def alive(kind: type) -> int:
    gc.collect()
    return sum(isinstance(each, kind) for each in gc.get_objects())


def test_an_open_game_does_not_grow(folder: Path) -> None:
    game = open_game(folder)
    ask(game)
    faces, counts = alive(DrawnFace), []
    path = cards_of(folder)
    start = path.read_text(encoding="utf-8")
    for number in range(240):
        path.write_text(start.replace("Queen", f"Queen {number}"), encoding="utf-8")
        assert len(game.reload().faces) == 1
        if number % 80 == 79:
            counts.append(alive(DrawGlyphs))
    assert alive(DrawnFace) <= faces + 1
    assert counts[2] <= counts[0]


def test_a_game_can_be_looked_at_as_if_a_file_were_another(small: Path) -> None:
    game = open_game(small)
    card = game.cards[0]
    before = card.face().digest
    path = game.model.cards[card.faction, card.id].source.path
    data = path.read_bytes()
    other = game.with_files({path: data.replace(card.name.encode(), b"Nobody", 1)})
    assert other.card(card.id).name == "Nobody"
    assert other.card(card.id).face().digest != before
    assert (card.name, card.face().digest) == (game.card(card.id).name, before)
    assert game.card(card.id).name != "Nobody"
    assert path.read_bytes() == data
    assert game.with_files({}).card(card.id).face().digest == before
    with pytest.raises(GameError):
        game.with_files({game.folder.game_file: b"<game>"})
    assert game.with_files({path: b"<data>"}).faults
    new = data.replace(card.name.encode(), b"Nobody", 1)
    game.with_files({path: new}).card(card.id).face()
    path.write_bytes(new)
    assert [face.name.card for face in game.reload().faces] == [card.id]


def test_a_game_can_be_looked_at_as_if_a_template_were_another(small: Path) -> None:
    game = open_game(small)
    path = game.folder.template(game.model.cards[game.cards[0].faction, game.cards[0].id].kind.face)
    before, data = game.cards[0].face(), path.read_bytes()
    more = data.replace(b"</face>", b'<rect width="9" height="9" fill="teal"/></face>')
    other = game.with_files({path: more})
    drawn = other.card(before.name.card).face()
    assert (len(drawn.ops), drawn.elements()[-1].values["width"]) == (len(before.ops) + 1, 9)
    assert other.model is game.model  # nothing else is read again
    with pytest.raises(GameError):
        game.with_files({path: b"<face>"}).card(before.name.card).face()
    assert game.card(before.name.card).face().digest == before.digest
    assert path.read_bytes() == data
