"""Tokens at a size of their own: in `game.xml`, and with `--token-size`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.stats import deck_stats
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Kind
from deckwright.game.model import Game
from deckwright.ops.model import DrawGlyphs, walk
from deckwright.outputs.deck_pages import CardSheet, impose_cards
from deckwright.outputs.deck_printer import DeckPrinter
from deckwright.outputs.services.profile import load_service
from deckwright.outputs.tuckbox import BoxOptions, print_tuck_box
from deckwright.sheet.layout import SheetOptions, load_layout
from deckwright.sheet.pages import PlacedFace
from support import card, line, token_rule, uses, write_game

SMALL = '<face><rect width="45" height="65" fill="#ffffff"/><text x="4" y="4" width="37" height="9">small {{ card.name }}</text></face>'  # fmt: skip  # noqa: E501
BACK = '<face><rect width="65" height="90" fill="{{ faction.color }}"/></face>'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with a deck of 28 cards and 24 tokens of half size, as working folder."""
    cards = [card("A1", "Ant", "AA", uses("call"), actions=24), card("A2", "Queen")]
    folder = write_game(
        tmp_path / "game",
        cards,
        rules=[token_rule("call", "Wolf")],
        decks={"army": [line("A1"), line("A2", 27)]},
    )
    (folder / "templates/token.xml").write_text(SMALL, encoding="utf-8")
    (folder / "templates/back.xml").write_text(BACK, encoding="utf-8")
    path = folder / "xml/game.xml"
    text = path.read_text(encoding="utf-8").replace('face="card', 'back="back.xml" face="card')
    path.write_text(text, encoding="utf-8")
    declare(folder, 'size="half" face="token.xml"')
    monkeypatch.chdir(folder)
    return folder


def declare(folder: Path, attributes: str) -> None:
    """Give the element `tokens` attributes."""
    path = folder / "xml/game.xml"
    text = path.read_text(encoding="utf-8").partition("<tokens")
    rest = text[2].partition("/>")[2]
    new = f'<tokens minimum="5" budget="actions" {attributes}/>'
    path.write_text(text[0] + new + rest, encoding="utf-8")


def token_kind(folder: Path) -> Kind:
    setup = load.load_setup(GameFolder(folder), report := Report())
    assert setup is not None, report
    assert setup.token_kind is not None
    return setup.token_kind


def load_whole(folder: Path) -> Game:
    setup = load.load_setup(GameFolder(folder), report := Report())
    assert setup is not None
    game = load.load_game(GameFolder(folder), setup, report)
    assert not report
    return game


def lay_out(
    folder: Path, size: str | None = None, sheet: str = "a4-65x90"
) -> list[CardSheet[Copy]]:
    """Return the sheets of the deck, with backs."""
    where, report = GameFolder(folder), Report()
    game, deck, _ = load_deck(where, where.deck_file("army"), LimitOptions(ignore=True), report)
    game = game.with_token_size(size)
    setting = load_layout(game.setup, where.xml, SheetOptions(sheet=sheet, backs=True), report)
    factory = FaceFactory(game, where, report)
    stats = deck_stats(game, deck, DeckRules())
    sheets = impose_cards(make_deck_copies(stats, factory, report, backs=True), setting)
    assert not report
    return sheets


@pytest.mark.parametrize(("size", "expected"), [
    ("half", (45, 65)),
    ("full", (65, 90)),
    ("mini", (44.45, 63.5)),
    ("44x63", (44, 63)),
    ("90x65", (90, 65)),
])  # fmt: skip
def test_a_game_says_how_large_its_tokens_are(
    game: Path, size: str, expected: tuple[float, float]
) -> None:
    declare(game, f'size="{size}"')
    kind = token_kind(game)
    assert (kind.width, kind.height) == expected
    assert (kind.full is None) == (size == "full")


def test_named_sizes_lie_if_the_cards_do(game: Path) -> None:
    edit(game / "xml/game.xml", 'token="true" width="65" height="90"',
         'token="true" width="88" height="63"')  # fmt: skip
    kind = token_kind(game)
    assert (kind.width, kind.height) == (63, 44)
    mini = kind.resize("mini", None, None, None)
    assert (mini.width, mini.height) == (63.5, 44.45)


@pytest.mark.parametrize("size", ["quarter", "0x5", "44", "44x63mm"])
def test_a_size_that_is_none_is_a_finding(game: Path, run: Run, size: str) -> None:
    declare(game, f'size="{size}"')
    result = run("check")
    assert result.exit_code == 1
    assert "S004" in result.stderr
    assert "half" in result.stderr
    assert run("deck", "army", "--token-size", "quarter").exit_code == 2


def test_a_template_of_their_own_draws_the_small_face_and_the_others_are_scaled(game: Path) -> None:
    sheets = lay_out(game)
    small = [face.face for sheet in sheets for face in sheet.front.faces if face.face.width == 45]
    assert len(small) == 24
    words = [op.text for op in walk(small[0].ops) if isinstance(op, DrawGlyphs)]
    assert " ".join(words).split() == ["small", "Wolf"]
    backs = [b.face for s in sheets if s.back for b in s.back.faces if b.face.width == 45]
    assert len(backs) == 24
    declare(game, 'size="half"')
    (scaled,) = {
        id(face.face): face.face
        for sheet in lay_out(game)
        for face in sheet.front.faces
        if face.face.width == 45
    }.values()
    assert (scaled.width, scaled.height) == (45, 65)
    assert "small" not in " ".join(o.text for o in walk(scaled.ops) if isinstance(o, DrawGlyphs))


def boxes(faces: tuple[PlacedFace, ...]) -> list[tuple[float, ...]]:
    return sorted(tuple(round(side, 3) for side in face.box) for face in faces)


def test_tokens_fill_the_empty_rows_of_the_last_sheet_if_that_saves_one(game: Path) -> None:
    full, half = lay_out(game, "full"), lay_out(game)
    assert (len(full), len(half)) == (6, 5)
    shared, own = half[3].front, half[4].front
    assert [face.face.width for face in shared.faces] == [65] + 12 * [45]
    assert half[3].empty == 2  # beside the card
    # Two to a slot, turned, with no gap between them.
    assert boxes(shared.faces[1:])[:2] == [(7.5, 103.5, 65, 45), (7.5, 148.5, 65, 45)]
    assert len({face.face.width for face in own.faces}) == 1
    assert half[4].empty == 18 - 12
    edit(game / "xml/Factions/AA_cards.xml", 'actions="24"', 'actions="17"')
    assert [{face.face.width for face in sheet.front.faces} for sheet in lay_out(game)] == [
        *4 * [{65}],
        {45},
    ]


@pytest.mark.parametrize("sheet", ["a4-65x90", "a4-gutterfold", "a4", "letter-65x90", "a3-bleed"])
def test_backs_lie_behind_their_tokens(game: Path, sheet: str) -> None:
    pages = lay_out(game, sheet=sheet)
    assert sum(face.face.width == 45 for s in pages for face in s.front.faces) in {24, 48}
    for page in pages:
        if page.back is None:  # both sides are on the page, to fold it
            continue
        front = page.front
        upright = front.height >= front.width
        mirrored = sorted(
            (round(front.width - x - w, 3) if upright else x,
             y if upright else round(front.height - y - h, 3), w, h)
            for x, y, w, h in boxes(front.faces)
        )  # fmt: skip
        assert boxes(page.back.faces) == mirrored
        room = (0, 0, front.width, front.height)
        assert all(
            x >= room[0] + 3 and y >= 3 and x + w <= room[2] - 3 and y + h <= room[3] - 3
            for x, y, w, h in boxes(front.faces)
        )


def test_gutters_leave_no_room_in_slots_of_cards(game: Path) -> None:
    sheets = lay_out(game, sheet="a4-65x90-bleed")
    assert all(len({face.face.width for face in sheet.front.faces}) == 1 for sheet in sheets)


def test_the_size_on_the_command_line_comes_first(game: Path, run: Run) -> None:
    assert "5 sheets" in run("deck", "army").stdout
    first = json.loads((game / "out/deck_army.manifest.json").read_text(encoding="utf-8"))
    assert "6 sheets" in run("deck", "army", "--token-size", "full").stdout
    second = json.loads((game / "out/deck_army.manifest.json").read_text(encoding="utf-8"))
    changed = [
        a["card"] for a, b in zip(first["entries"], second["entries"], strict=True) if a != b
    ]
    assert changed == ["call/1"]
    # The faces of the last print are not taken for those of another size.
    assert "5 sheets" in run("deck", "army").stdout
    again = json.loads((game / "out/deck_army.manifest.json").read_text(encoding="utf-8"))
    assert again == first
    shutil.copyfile(game / "out/deck_army.manifest.json", game / "before.json")
    done = run("deck", "army", "--changed-since", "before.json", "--token-size", "mini")
    assert "Wolf: picture or layout changed" in done.stdout
    assert "(2 sheets of cards, 12 slots empty)" in done.stdout


def test_tokens_alone_and_slips(game: Path, run: Run) -> None:
    target = game / "out/tokens_army.pdf"
    assert run("tokens", "army", "--backs").exit_code == 0
    assert len(PdfReader(target).pages) == 2 * 2  # 18 of 24 on the first sheet
    assert run("tokens", "army", "--backs", "--token-size", "full").exit_code == 0
    assert len(PdfReader(target).pages) == 2 * 3
    # Slips are put in sleeves in front of other cards, which are of full size.
    half = run("deck", "army", "--slips").stdout
    assert half == run("deck", "army", "--slips", "--token-size", "full").stdout


def test_small_tokens_lie_side_by_side_in_a_box(game: Path) -> None:
    folder = GameFolder(game)
    depths = [
        print_tuck_box(
            folder, folder.deck_file("army"), game / "box.pdf", BoxOptions(token_size=size), []
        ).room.depth
        for size in ("full", "half", "60x80")
    ]
    assert depths == pytest.approx([(28 + 24) * 0.3 + 1, (28 + 12) * 0.3 + 1, 52 * 0.3 + 1])


def test_services_of_fixed_sizes_get_full_size(game: Path, run: Run) -> None:
    done = run("export", "mpc", "army", "--scale", "fit", "--check", "--anyway")
    assert done.exit_code == 0, done.stderr
    assert "52 (3 different)" in done.stdout
    done = run(
        "export", "mpc", "army", "--scale", "fit", "--check", "--anyway", "--token-size", "mini"
    )
    assert "24 (1 different), mini card" in done.stdout
    done = run("export", "mpc", "army", "--check", "--token-size", "half")
    assert "token `Wolf` is 45 × 65 mm" in done.stderr
    assert "--token-size full" in done.stderr
    service = load_service("press", game / "xml", [])
    assert service is not None
    assert service.choose_token_size(None) is None


def test_a_check_looks_at_both_sizes(game: Path, run: Run) -> None:
    assert run("check", "--strict", "--ignore-limits").exit_code == 0
    small = SMALL.replace('width="37"', 'width="3"')
    (game / "templates/token.xml").write_text(small, encoding="utf-8")
    assert "token.xml" in run("check", "--ignore-limits").stderr
    (game / "templates/token.xml").write_text(SMALL, encoding="utf-8")
    face = '<face><rect width="65" height="90" fill="#ffffff"/><text when="card.kind == \'token\'" x="5" y="5" width="3" height="3">{{ card.name }}</text></face>'  # fmt: skip  # noqa: E501
    (game / "templates/card.xml").write_text(face, encoding="utf-8")
    assert "card.xml" in run("check", "--ignore-limits").stderr


def test_virtual_tables_of_one_size_have_full_size(game: Path, run: Run) -> None:
    assert run("export", "cockatrice", "--pictures", "--dpi", "72").exit_code == 0
    sizes = set[tuple[int, int]]()
    for path in (game / "out/cockatrice/pics").rglob("*.png"):
        with Image.open(path) as picture:
            sizes.add(picture.size)
    assert len(sizes) == 1


@pytest.mark.parametrize(("size", "sheets"), [(None, 5), ("full", 6)])
def test_a_run_prints_them_as_decks_do(game: Path, size: str | None, sheets: int) -> None:
    folder, report = GameFolder(game), Report()
    whole = load_whole(game)
    deck = load.load_deck(folder.deck_file("army"), folder, whole.setup, report)
    assert deck is not None
    printer = DeckPrinter(whole, folder, report, SheetOptions(token_size=size))
    printed = printer.print_many([deck], report)
    assert not report
    assert printed is not None
    assert len(printed.decks[0].pages) == sheets
