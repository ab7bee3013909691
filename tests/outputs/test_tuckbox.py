"""Tuck boxes: what is printed, and what is said."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader

from conftest import ROOT, Run, edit
from deckwright.base.units import PAPER_SIZES
from deckwright.checks.counting import DeckRules
from deckwright.decks.stats import deck_stats, most_precious
from deckwright.ops.model import Segment, StrokePath
from deckwright.outputs.tuckbox import fold_ticks
from deckwright.sheet.tuckbox import (
    BOARD_THICKNESS,
    GLUED_PIECES,
    PAPER_MARGIN,
    WALLS,
    interior_for,
    make_tuck_box,
    place_on_paper,
)
from support import card, line, load_all, load_deck, token_rule, uses, write_game

MM = 72 / 25.4


def end_of(segment: Segment) -> tuple[float, float]:
    *_, x, y = (float(number) for number in segment[1:])
    return x, y


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, with a deck of five cards and tokens, and its fonts' worth."""
    cards = [
        card("A1", "Ant", "AA", uses("call"), level=2, costs=3, actions=2),
        card("A2", "Queen", level=1, costs=9),
        card("A3", "Drone", level=1, costs=1),
        card("G1", "Guest", "GG", costs=50),
    ]
    decks = {
        "good": [line("A1", 1), line("A2", 2), line("A3"), line("G1", 1)],
        "other": [line("A2", 2)],
    }
    folder = tmp_path / "game"
    monkeypatch.chdir(write_game(folder, cards, rules=[token_rule("call", "Wolf")], decks=decks))
    return folder


def text_of(path: Path) -> str:
    return str(PdfReader(path).pages[0].extract_text())


def test_the_summary_says_what_was_printed(game: Path, run: Run) -> None:
    result = run("tuckbox", "good")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "Deck",
        "  for     10 cards",
        "  inside  66 × 91 × 4 mm",
        "  paper   a4, upright",
        f"  file    {Path('out/box_good.pdf')}",
    ]
    reader = PdfReader(game / "out" / "box_good.pdf")
    assert len(reader.pages) == 1
    assert reader.metadata is not None
    assert reader.metadata.title == "Tuck box – Deck – Hill"
    assert reader.outline[0].title == "Deck"  # type: ignore[union-attr]
    assert [float(side) for side in reader.pages[0].mediabox[2:]] == pytest.approx(
        [210 * MM, 297 * MM], abs=0.01
    )


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("arguments", "inside"),
    [
        (["--cards", "30"], "66 × 91 × 10 mm"),
        (["--thickness", "0.5"], "66 × 91 × 6 mm"),
        (["--thickness", "0.05cm", "--clearance", "2mm"], "67 × 92 × 7 mm"),
        (["--clearance", "0"], "65 × 90 × 3 mm"),
        (["--sleeved"], "69 × 95 × 6 mm"),
    ],
)
def test_the_size_is_what_is_asked_for(run: Run, arguments: list[str], inside: str) -> None:
    assert f"  inside  {inside}\n" in run("tuckbox", "good", *arguments).stdout


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["good", "--thickness", "nan"],
        ["good", "--thickness", "0"],
        ["good", "--thickness", "thick"],
        ["good", "--clearance", "-1"],
        ["good", "--cards", "0"],
        ["good", "--paper", "a5"],
        ["good", "--style", "none"],
        ["good", "other", "--out", "one.pdf"],
    ],
)
def test_wrong_usage_is_refused(game: Path, run: Run, arguments: list[str]) -> None:
    result = run("tuckbox", *arguments)
    assert result.exit_code == 2
    assert not (game / "out").exists()


def test_several_decks_have_a_box_each(game: Path, run: Run) -> None:
    assert run("tuckbox", "good", "other", "--out", "new/", "--quiet").output == ""
    assert {path.name for path in (game / "new").iterdir()} == {"box_good.pdf", "box_other.pdf"}


def test_a_box_that_is_too_large_says_what_would_do(game: Path, run: Run) -> None:
    result = run("tuckbox", "good", "--cards", "130")
    assert result.exit_code == 1
    assert "and a4 has 210 × 297 mm" in result.stderr
    assert "hint: use larger paper: `--paper a3`" in result.stderr
    assert not (game / "out").exists()
    assert run("tuckbox", "good", "--cards", "130", "--paper", "a3").exit_code == 0


@pytest.mark.usefixtures("game")
def test_cards_for_several_boxes_are_counted_so_that_each_box_fits(run: Run) -> None:
    result = run("tuckbox", "good", "--cards", "900")
    match = re.search(r"boxes of at most (\d+)", result.stderr)
    assert match is not None
    most = int(match[1])
    assert run("tuckbox", "good", "--cards", str(most), "--paper", "a3").exit_code == 0
    assert run("tuckbox", "good", "--cards", str(most + 1), "--paper", "a3").exit_code == 1


def test_a_game_of_huge_cards_gets_no_hint(game: Path, run: Run) -> None:
    path = game / "xml" / "game.xml"
    text = path.read_text(encoding="utf-8").replace('width="65"', 'width="300"')
    path.write_text(text, encoding="utf-8")
    result = run("tuckbox", "good")
    assert result.exit_code == 1
    assert " E050: " in result.stderr
    assert "hint" not in result.stderr


def test_the_same_deck_gives_the_same_bytes(game: Path, run: Run) -> None:
    for name in ("one.pdf", "other.pdf"):
        assert run("tuckbox", "good", "--out", name).exit_code == 0
    assert (game / "one.pdf").read_bytes() == (game / "other.pdf").read_bytes()


def test_a_box_shows_cards_of_its_own_faction_and_its_names(game: Path, run: Run) -> None:
    assert run("tuckbox", "good").exit_code == 0
    text = text_of(game / "out" / "box_good.pdf")
    assert set(re.findall("Queen|Ant|Drone|Guest", text)) == {"Queen", "Ant", "Drone"}
    assert text.count("Hill") == 5
    assert {"cut", "fold", "glue"} <= set(text.split())
    assert "10 Cards · 66 × 91 × 4 mm" in text
    assert run("tuckbox", "good", "--cards", "40").exit_code == 0
    assert "5 Cards · 5 Tokens" in text_of(game / "out" / "box_good.pdf")


def test_the_best_cards_are_those_with_the_highest_numbers(game: Path) -> None:
    whole = load_all(game)
    stats = deck_stats(whole, load_deck(game, whole, "good"), DeckRules())
    assert [card.name for card in most_precious(whole, stats)] == ["Queen", "Ant", "Drone"]


def test_words_of_the_game_name_the_lines(game: Path, run: Run) -> None:
    edit(
        game / "xml" / "game.xml",
        "  <fonts>",
        '  <words><word id="cut" text="schneiden"/><word id="glue" text="{icon:none}"/></words>\n'
        "  <fonts>",
    )
    assert run("tuckbox", "good").exit_code == 0
    text = text_of(game / "out" / "box_good.pdf")
    assert "schneiden" in text
    assert "{icon:none}" in text


OWN = """<face>
  <rect width="{{ panel.width }}" height="{{ panel.height }}" fill="#ffff80"/>
  <text when="panel.width > 9 and panel.height > 9">{{ panel.name }}</text>
</face>
"""


def test_a_games_own_template_draws_every_panel(game: Path, run: Run) -> None:
    (game / "templates" / "tuckbox.xml").write_text(OWN, encoding="utf-8")
    assert run("tuckbox", "good", "--cards", "40").exit_code == 0
    text = text_of(game / "out" / "box_good.pdf")
    found = re.findall("front|back|left|right|top|bottom|flap", text)
    assert sorted(set(found)) == sorted([*WALLS, "flap"])
    assert found.count("flap") == 7
    assert "Queen" not in text


def test_a_wrong_template_is_told_of_and_nothing_is_printed(game: Path, run: Run) -> None:
    (game / "templates" / "tuckbox.xml").write_text("<face><cirle/></face>", encoding="utf-8")
    result = run("tuckbox", "good")
    assert result.exit_code == 1
    assert "templates/tuckbox.xml:1:7: error T001: " in result.stderr.replace("\\", "/")
    assert not (game / "out").exists()


def test_a_style_may_have_a_template_of_its_own(game: Path, run: Run) -> None:
    (game / "templates" / "plain").mkdir()
    (game / "templates" / "plain" / "tuckbox.xml").write_text(OWN, encoding="utf-8")
    assert run("tuckbox", "good", "--style", "plain", "--cards", "40").exit_code == 0
    assert "front" in text_of(game / "out" / "box_good.pdf")
    assert run("tuckbox", "good", "--cards", "40").exit_code == 0
    assert "front" not in text_of(game / "out" / "box_good.pdf")


def numbers_of(path: Path) -> Iterator[tuple[float, float]]:
    """Yield the points of the lines of a page, in mm."""
    content = PdfReader(path).pages[0].get_contents()
    assert content is not None
    text = content.get_data().decode("latin-1")
    assert re.search(r"q 2\.834646 0 0 -2\.834646 0 841\.8898 cm", text)
    for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+) [ml](?= )", text):
        yield float(x), float(y)


def test_lines_in_the_pdf_are_where_the_net_has_them(game: Path, run: Run) -> None:
    assert run("tuckbox", "good", "--cards", "40").exit_code == 0
    points = list(numbers_of(game / "out" / "box_good.pdf"))
    placed = place_on_paper(make_tuck_box(interior_for((65, 90), 40, 0.3, 1)), PAPER_SIZES["a4"])
    assert placed is not None
    net = placed[0]
    wanted = [end_of(segment) for segment in net.outline() if segment[0] in {"M", "L"}]
    assert len(wanted) > 40
    for x, y in wanted:
        nearest = min(points, key=lambda point: math.dist(point, (x, y)))
        assert math.dist(nearest, (x, y)) < 0.01
    front = net.piece("front").box
    assert front.width == pytest.approx(65 + 1 + BOARD_THICKNESS)
    ruler = [x for x, y in points if y == pytest.approx(297 - PAPER_MARGIN - 2.6, abs=0.01)]
    assert max(ruler) - min(ruler) == pytest.approx(100, abs=0.01)


@pytest.mark.parametrize(("ground", "line_color"), [("#ffff80", "0 0 0"), ("#203040", "1 1 1")])
def test_cuts_are_seen_on_light_and_on_dark_grounds(
    game: Path, run: Run, ground: str, line_color: str
) -> None:
    own = OWN.replace("#ffff80", ground)
    (game / "templates" / "tuckbox.xml").write_text(own, encoding="utf-8")
    assert run("tuckbox", "good").exit_code == 0
    content = PdfReader(game / "out" / "box_good.pdf").pages[0].get_contents()
    assert content is not None
    cuts = re.findall(r"1 j ([01] [01] [01]) RG 0\.2 w", content.get_data().decode("latin-1"))
    assert set(cuts) == {line_color, "0 0 0"}, "what is glued is white, with black lines"
    assert line_color in cuts


def test_ticks_show_all_folds_outside_the_box() -> None:
    net = make_tuck_box(interior_for((65, 90), 40, 0.3, 1))
    ticks = [op.outline for op in fold_ticks(net) if isinstance(op, StrokePath)]
    ends = [end_of(segment) for outline in ticks for segment in outline]
    for piece in net.pieces:
        left, top, right, bottom = piece.box.x, piece.box.y, piece.box.right, piece.box.bottom
        assert not any(left <= x <= right and top <= y <= bottom for x, y in ends)
        if piece.fold:
            (x1, y1), (x2, y2) = piece.fold
            across = [abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) for x, y in ends]
            assert sum(distance < 1e-6 for distance in across) >= 2, "in line with the fold"


def test_a_box_shows_the_picture_with_the_most_shapes(run: Run, tmp_path: Path) -> None:
    game, target = ROOT / "examples" / "starter", tmp_path / "box.pdf"
    assert run("tuckbox", "--game", str(game), "cats", "--out", str(target)).exit_code == 0
    text = text_of(target)
    assert "Captain Tom" not in text, "pictures have no letters"
    assert re.search(r"Harbour\s+Breakfast\s+The Cats\s+Nine Lives", text)


def test_a_card_of_several_parts_takes_as_much_room(run: Run, tmp_path: Path) -> None:
    """Of the 25 cards of the army, one has two parts, and one has three."""
    game = str(ROOT / "examples" / "warlords")
    result = run("tuckbox", "--game", game, "horn", "--out", str(tmp_path / "box.pdf"))
    assert "  for     27 cards" in result.stdout


def test_art_goes_on_beyond_the_cut_and_no_farther(game: Path, run: Run) -> None:
    (game / "templates" / "tuckbox.xml").write_text(OWN, encoding="utf-8")
    assert run("tuckbox", "good", "--cards", "40").exit_code == 0
    page = pypdfium2.PdfDocument(game / "out" / "box_good.pdf")[0]
    picture = page.render(scale=254 / 72).to_pil().convert("RGB")
    placed = place_on_paper(make_tuck_box(interior_for((65, 90), 40, 0.3, 1)), PAPER_SIZES["a4"])
    assert placed is not None
    net = placed[0]

    def color(x: float, y: float) -> tuple[int, ...]:
        return tuple(picture.getpixel((round(x * 10), round(y * 10))))

    yellow, white = (255, 255, 128), (255, 255, 255)
    back, tuck = net.piece("back").box, net.piece("tuck").box
    assert color(back.right - 5, back.bottom - 5) == yellow
    assert color(back.right + 2, back.bottom - 9) == yellow
    assert color(back.right + 3.5, back.bottom - 9) == white
    assert color(tuck.x + 30, tuck.y - 2) == yellow
    assert color(tuck.x + 30, tuck.y - 3.5) == white
    for name in GLUED_PIECES:
        fold = net.piece(name).fold
        assert fold is not None
        (x1, y1), (x2, y2) = fold
        step = (-1, 0) if name == "seam" else (0, 1)
        middle = (x1 + x2) / 2 + 9 * (step[0] == 0), (y1 + y2) / 2 + 9 * (step[1] == 0)
        assert color(middle[0] + step[0], middle[1] + step[1]) == yellow
        beyond = [color(middle[0] + step[0] * far / 4, middle[1] + step[1] * far / 4)
                  for far in range(10, 40)]  # fmt: skip
        assert yellow not in beyond
        assert white in beyond


EXAMPLES = sorted(path.parent.parent.parent for path in ROOT.glob("examples/*/xml/Decks/"))


@pytest.mark.parametrize("example", [ROOT, *EXAMPLES], ids=lambda path: path.name)
@pytest.mark.usefixtures("shipped_checked")
def test_the_boxes_of_all_games_can_be_printed(example: Path, run: Run, tmp_path: Path) -> None:
    decks = sorted((example / "xml" / "Decks").glob("*.xml"))
    for deck in decks[:: max(1, len(decks) - 1)]:
        target = tmp_path / f"{deck.stem}.pdf"
        result = run("tuckbox", "--game", str(example), deck.stem, "--out", str(target))
        assert (result.exit_code, result.stderr) == (0, "")
        assert "paper   a4, upright" in result.stdout
        name = re.search(r'<meta[^>]* name="([^"]*)"', deck.read_text(encoding="utf-8"))
        assert name is not None
        spaced = re.sub(r"\s+", " ", text_of(target))
        assert spaced.count(name[1]) >= 3


def test_a_folder_in_the_fixed_format_gets_the_shipped_look(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("xml", "img"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "xml" / "game.xml").unlink()
    monkeypatch.chdir(tmp_path)
    for arguments in ([], ["--style", "low-ink"]):
        result = run("tuckbox", "army_MG_1", *arguments)
        assert result.exit_code == 0
        assert result.stderr.startswith("there is no xml/game.xml")
        assert result.stderr.count("\n") == 1
        text = text_of(tmp_path / "out" / "box_army_MG_1.pdf")
        assert "28 Karten · 24 Tokens" in text
        assert "Reigen der Toten" in text
