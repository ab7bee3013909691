"""The first page of a deck, in games that have no template for it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from conftest import ROOT, Run, edit
from deckwright.base.findings import Report
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.faces import factory
from deckwright.game.folder import GameFolder
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, Op, walk
from deckwright.ops.pictures import crop_to_picture
from deckwright.ops.readable import alt_text, extract_text
from deckwright.outputs.decks import print_decks
from deckwright.outputs.pages import capture_layout
from deckwright.sheet.pages import Page

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = ("Creature", "Spell", "Land", "Relic")


@pytest.fixture
def starter(tmp_path: Path, run: Run) -> Path:
    """A copy of the starter, a game without `deck.xml`."""
    run("new", str(tmp_path / "starter"))
    return tmp_path / "starter"


def make_table(folder: Path, run: Run, *rows: str) -> Path:
    """Make a game from a table."""
    (folder / "cards.csv").write_text("\n".join(rows), encoding="utf-8")
    result = run("new", str(folder / "game"), "--from", str(folder / "cards.csv"))
    assert result.exit_code == 0, result.output
    return folder / "game"


def pages_of(game: Path, deck: str) -> list[Page]:
    """Return the pages of a deck."""
    folder, report = GameFolder(game), Report()
    with capture_layout() as documents, TemporaryDirectory() as temporary:
        print_decks(folder, [folder.deck_file(deck)], Path(temporary) / "out.pdf", report)
    return [*documents[0].pages]


def places_of(ops: Iterable[Op], matrix: Matrix = IDENTITY) -> Iterator[tuple[str, Box]]:
    """Yield the words of texts with the left ends of their lines."""
    for op in ops:
        if isinstance(op, Group):
            yield from places_of(op.ops, op.inner_matrix(matrix))
        elif isinstance(op, DrawGlyphs):
            place = Box(op.x, op.y, 0, 0).transform(matrix)
            yield from ((word, place) for word in op.text.split())


def sheet_of(game: Path, deck: str) -> str:
    """Return the text of the pages of a deck before its cards."""
    texts = (extract_text(page.ops) for page in pages_of(game, deck) if page.tag)
    return " ".join(" ".join(texts).split())


def test_a_deck_begins_with_its_list_limits_and_curves(starter: Path) -> None:
    text = sheet_of(starter, "cats")
    assert "The Cats Nine Lives 12 Cards They sleep on the nets" in text
    assert "Deck · 12" in text
    litter = "Costs 1 fish less if you have a card of this name on the pier."
    purr = "On your turn: put a star on another of your cards."
    lines = f"3× Kitten · Litter {litter} 2 2", f"3× Purrmaster · Purr {purr} 3 3"
    quips = "One eye is always on the bucket.", "He has sailed. Once. By mistake."
    for line in (*lines, f"4× Net Sleeper {quips[0]} 2 3", f"2× Captain Tom {quips[1]} 5 7"):
        assert line in text
    assert "Limits Cards 12 exactly 12" in text
    assert "Cost Total 33" in text
    assert "Power Total 41" in text


def test_the_most_valuable_cards_are_in_its_head_beside_its_texts(starter: Path) -> None:
    page, *others = pages_of(starter, "cats")
    shown = page.faces
    names = [placed.face.subject for placed in shown]
    assert [name.split("`")[1] for name in names] == ["CAT4", "CAT4", "CAT3", "CAT2", "CAT1"]
    head, *shelf = boxes = [placed.box for placed in shown]
    assert head.x > page.width * 0.45
    assert head.right == pytest.approx(page.width - 18)  # the picture reaches the edges of its band
    assert (head.y, head.height) == (12, 46)
    assert all(box.x > 18 and box.right < page.width - 18 for box in shelf)
    assert not any(one.touches(other) for one in boxes for other in boxes if one is not other)
    # All of so few are in a row that ends the page, below its texts.
    assert len({box.y for box in shelf}) == 1
    lines = {place.y for _, place in places_of(page.ops)}
    assert max(y for y in lines if y < page.height - 20) < shelf[0].y - 4
    # They are the faces of the sheets, so that a file has them once.
    printed = {id(placed.face) for other in others for placed in other.faces}
    assert {id(placed.face) for placed in shown[1:]} <= printed


def test_decks_of_the_same_cards_show_what_they_have_most_of() -> None:
    shown = {}
    for deck in ("evening", "long-night"):
        page = pages_of(EXAMPLES / "moths", deck)[0]
        shown[deck] = [alt_text(placed.face).split("\n")[0] for placed in page.faces]
        shelf = [placed.box for placed in page.faces[2:]]
        # Their pictures touch each other and both margins.
        assert shelf[0].x == pytest.approx(18)
        assert shelf[-1].right == pytest.approx(page.width - 18)
        assert [one.right for one in shelf[:-1]] == pytest.approx([one.x for one in shelf[1:]])
    # The head has the best card of each of two zones, where two copies count for more than one.
    assert shown["evening"][:2] == ["Emperor (Guest)", "Clear (Night)"]
    assert shown["long-night"][:2] == ["Luna (Guest)", "Festival of lanterns (Night)"]
    assert "Clothes Moth (Guest)" in shown["evening"]


def test_cards_of_its_own_faction_are_shown_before_guests() -> None:
    faces = [placed.face for placed in pages_of(EXAMPLES / "mosaic", "first-light")[0].faces]
    assert len(faces) == 7
    assert all("SU" in face.subject for face in faces)


def test_lines_and_bars_have_the_icons_of_terms(tmp_path: Path) -> None:
    game = shutil.copytree(EXAMPLES / "mosaic", tmp_path / "mosaic")
    ops = pages_of(game, "low-water")[0].ops
    edit(game / "xml/game.xml", 'stars="2" icon="star"', 'stars="2"')
    without = pages_of(game, "low-water")[0].ops
    words, others = (extract_text(of).split("\n") for of in (ops, without))
    assert words.count("Rare") - others.count("Rare") == 2, words
    paths, fewer = (sum(isinstance(op, FillPath) for op in walk(of)) for of in (ops, without))
    assert paths - fewer == 3


def test_a_limit_or_two_are_below_the_curves(starter: Path) -> None:
    text = sheet_of(starter, "cats")
    assert text.index("Power Total") < text.index("Limits")
    text = sheet_of(EXAMPLES / "mosaic", "first-light")
    assert text.index("Limits") < text.index("Points Total")


def test_long_limits_are_as_large_as_short_ones() -> None:
    page = pages_of(EXAMPLES / "mosaic", "first-light")[0]
    sizes = {
        glyphs.size
        for glyphs in walk(page.ops)
        if isinstance(glyphs, DrawGlyphs) and re.match("exactly|at most", glyphs.text)
    }
    assert len(sizes) == 1


@pytest.mark.parametrize(
    ("game", "deck"),
    [
        (EXAMPLES / "moths", "evening"),
        (EXAMPLES / "mosaic", "low-water"),
        (EXAMPLES / "festival", "velvet"),
        (EXAMPLES / "orbit", "belt"),
        (ROOT, "army_HK_1"),
        (ROOT, "army_MG_1"),
    ],
)
def test_columns_end_at_the_same_height(game: Path, deck: str) -> None:
    """Below them are cards, or a picture with names."""
    page = pages_of(game, deck)[0]
    texts = [place for _, place in places_of(page.ops) if place.y < page.height - 32]
    left = max(place.y for place in texts if place.x < page.width / 2)
    right = max(place.y for place in texts if place.x > page.width / 2)
    assert left == pytest.approx(right, abs=2)


def test_its_head_shows_a_picture_without_letters(starter: Path) -> None:
    first, *_, last = pages_of(starter, "cats")[0].faces
    picture, card = first.face, last.face
    assert card.height * 0.4 < picture.height < card.height * 0.7
    assert not any(isinstance(op, DrawGlyphs) for op in walk(picture.ops))
    assert "Captain Tom" in alt_text(picture)


def test_pictures_on_the_shelf_have_one_shape() -> None:
    _, _, *shelf = pages_of(EXAMPLES / "moths", "evening")[0].faces
    assert len({round(placed.box.width, 3) for placed in shelf}) == 1
    assert len({round(placed.box.height, 3) for placed in shelf}) == 1


def test_cards_without_pictures_are_in_its_head_as_they_are(tmp_path: Path, run: Run) -> None:
    game = make_table(tmp_path, run, "Name,Cost", *(f"Thing {at},{at}" for at in range(9)))
    page, *others = pages_of(game, "cards")
    printed = {id(placed.face) for other in others for placed in other.faces}
    assert page.faces
    assert {id(placed.face) for placed in page.faces} <= printed


def test_a_card_is_beside_a_list_without_limits_and_curves(tmp_path: Path, run: Run) -> None:
    game = make_table(tmp_path, run, "Arcana,Numeral", *(f"The Fox {n},{n}" for n in "IVX"))
    (beside,) = (each for each in pages_of(game, "cards")[0].faces if each.y == 68)
    assert beside.x > 107
    assert beside.scale > 0.9
    first, again = pages_of(game, "cards"), pages_of(game, "cards")
    assert [page.faces for page in first] == [page.faces for page in again]


def test_ranks_have_their_suits_and_those_beside_each_other_differ(
    tmp_path: Path, run: Run
) -> None:
    suits = ("Spades", "Hearts", "Diamonds", "Clubs")
    rows = [f"{rank},{suit}" for suit in suits for rank in ("Ace", *range(2, 11), "Jack", "King")]
    game = make_table(tmp_path, run, "Rank,Suit", *rows)
    page = pages_of(game, "cards")[0]
    text = extract_text(page.ops)
    assert all(f"Ace · {suit}" in text for suit in suits)
    assert len({alt_text(placed.face) for placed in page.faces}) > 4  # not seven of a suit
    colors = re.findall('color="([^"]*)', (game / "xml/factions_definition.xml").read_text("utf-8"))
    assert colors == ["#2b2b2b", "#9b2f2a", "#9b2f2a", "#2b2b2b"]


def test_cards_with_a_picture_are_shown_first(tmp_path: Path, run: Run) -> None:
    rows = ["King,9,", "Queen,8,", "Fox,1,fox.svg", "Bee,1,"]
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
    )
    game = make_table(tmp_path, run, "Name,Cost,Picture", *rows)
    (game / "img").mkdir(exist_ok=True)
    (game / "img/fox.svg").write_text(drawing, encoding="utf-8")
    last = pages_of(game, "cards")[0].faces[0]
    assert "Fox" in alt_text(last.face)


def test_the_deck_of_a_table_has_its_id_as_a_title_in_words(tmp_path: Path, run: Run) -> None:
    game = make_table(tmp_path, run, "Name,Cost", "Moth,1", "Lamp,2")
    edit(game / "xml/game.xml", 'deck="cards"', 'deck="long-night"')
    assert "Long Night 2 Cards" in sheet_of(game, "long-night")


def test_limits_of_a_zone_are_below_its_name() -> None:
    text = sheet_of(EXAMPLES / "mosaic", "first-light")
    assert "Limits Deck Cards 24 exactly 24 Copies of a card 2 at most 3 of each card" in text
    assert "Title cards 1 exactly 1" in text


@pytest.mark.parametrize(
    ("attributes", "pages"),
    [('format="a4-65x90" deck="no"', 2), ('format="card"', 12), ('format="small"', 12)],
    ids=["no", "a card a page", "small paper"],
)
def test_decks_have_none_if_the_game_says_so_or_the_paper_has_no_room(
    starter: Path, attributes: str, pages: int
) -> None:
    edit(starter / "xml/game.xml", 'format="a4-65x90"', attributes)
    (starter / "xml/sheets").mkdir()
    paper = '<sheet page-width="90" page-height="130" margin="5" marks="none"/>'
    (starter / "xml/sheets/small.xml").write_text(paper, encoding="utf-8")
    assert len(pages_of(starter, "cats")) == pages


def test_a_template_of_the_game_takes_its_place(starter: Path) -> None:
    own = '<pages><text font-family="{{ fonts.title }}">Nine of {{ deck.name }}</text></pages>'
    (starter / "templates/deck.xml").write_text(own, encoding="utf-8")
    assert sheet_of(starter, "cats") == "Nine of Nine Lives"
    assert not pages_of(starter, "cats")[0].faces


def test_templates_see_the_cards_of_each_bar(starter: Path) -> None:
    own = (
        '<pages><text font-family="{{ fonts.text }}">{% for chart in zones[0].charts %}'
        "{% for bar in chart.bars %}{{ bar.name }}={{ bar.copies }}"
        "{% for line in bar.lines %}+{{ line.copies }}{{ line.card.id }}{% endfor %} {% endfor %}"
        "{% endfor %}</text></pages>"
    )
    (starter / "templates/deck.xml").write_text(own, encoding="utf-8")
    cost, power = "2=7+3CAT1+4CAT2 3=3+3CAT3 4=0 5=2+2CAT4", "2=3+3CAT1 3=7+4CAT2+3CAT3 4=0 5=0"
    assert sheet_of(starter, "cats") == f"{cost} {power} 6=0 7=2+2CAT4"


def test_a_table_is_divided_by_the_column_that_has_few_classes(tmp_path: Path, run: Run) -> None:
    rows = [
        f"{KINDS[at % 4]} {at},{KINDS[at % 4]},{'' if at % 4 == 2 else at % 7},{at % 3 + 1}"
        for at in range(60)
    ]
    game = make_table(tmp_path, run, "Name,Kind,Cost,Copies", *rows)
    text = sheet_of(game, "cards")
    for at, kind in enumerate(KINDS):
        copies = sum(number % 3 + 1 for number in range(at, 60, 4))
        assert f"{kind} · {copies} " in text
    # Land costs nothing.
    assert "Land · 30 3× Land 2 1× Land 6 " in text
    assert "Spell · 30 Cost 2× Spell 1 1 3× Spell 5 5 " in text


def test_a_game_without_numbers_has_a_list(tmp_path: Path, run: Run) -> None:
    questions = [f"Who was number {at}?" for at in range(1, 30)]
    game = make_table(tmp_path, run, "Question,Answer", *(f"{each},Nobody" for each in questions))
    text = sheet_of(game, "cards")
    for question in questions:
        assert f"1× {question}" in text


def test_long_lists_continue_on_further_pages(tmp_path: Path, run: Run) -> None:
    rows = [f"Thing {at},{1200 + at * 4}" for at in range(200)]
    game = make_table(tmp_path, run, "Name,Year", *rows)
    pages = pages_of(game, "cards")
    assert [bool(page.tag) for page in pages].count(True) == 3
    assert [len(page.faces) for page in pages if page.tag] == [3, 3, 7]  # the last one has room
    text = sheet_of(game, "cards")
    for at in range(200):
        assert f"1× Thing {at} {1200 + at * 4}" in text
    # Two hundred years are no curve.
    assert "Total" not in text


def test_long_names_are_printed_whole(tmp_path: Path, run: Run) -> None:
    name = "Rinderkennzeichnungsfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
    game = make_table(tmp_path, run, "Name,Cost,Power,Speed", f"{name},1,2,3", "Fox,1,2,4")
    assert name in re.sub(r"[\s-]", "", sheet_of(game, "cards"))


def test_letters_that_a_font_lacks_are_of_another_font_of_the_game(starter: Path) -> None:
    edit(
        starter / "xml/game.xml", 'id="text" family="Source Sans Pro"', 'id="text" family="Cinzel"'
    )
    edit(starter / "xml/Factions/CAT_cards.xml", 'name="Kitten"', 'name="Котёнок"')
    glyphs = (op for op in walk(pages_of(starter, "cats")[0].ops) if isinstance(op, DrawGlyphs))
    fonts = {op.text.split()[0]: op.font for op in glyphs if op.text.strip()}
    assert fonts["Котёнок"] == "title-regular"
    assert fonts["Purrmaster"] == "text-regular"


def test_in_a_language_from_right_to_left_the_cards_are_at_the_left(starter: Path) -> None:
    """So are the columns of numbers, in the order in which they are read."""
    edit(starter / "xml/game.xml", 'language="en"', 'language="he"')
    page, *_ = pages_of(starter, "cats")
    head, *others = [placed.box for placed in page.faces]
    assert head.x == 18
    assert head.right < page.width * 0.55
    assert [box.x for box in others] == sorted((box.x for box in others), reverse=True)
    lefts = {word: place.x for word, place in places_of(page.ops)}
    middle = page.width / 2
    assert lefts["Power"] < middle < lefts["Sleeper"] < lefts["Deck"]
    assert lefts["33"] < lefts["Cost"]
    assert lefts["Page"] < middle / 2 < middle < lefts["list"]


def test_a_second_print_is_the_same(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_table(tmp_path, run, "Name,Cost", *(f"Thing {at},{at % 5}" for at in range(46)))
    shelf = [placed.box.height for placed in pages_of(game, "cards")[0].faces[3:]]
    assert 24 < shelf[0] < 40  # its height depends on the list
    out, prints = tmp_path / "out.pdf", set[bytes]()
    for cache in ("cold", "warm", "warm"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / cache))
        run("deck", "cards", "--game", str(game), "--out", str(out), "-q")
        prints.add(out.read_bytes())
    assert len(prints) == 1


def test_pictures_are_found_once_and_kept_for_later_prints(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = list[Face]()

    def crop(face: Face) -> Face | None:
        found.append(face)
        return crop_to_picture(face)

    monkeypatch.setattr(factory, "crop_to_picture", crop)
    prints = list[bytes]()
    for expected in (8, 8):
        command = ("deck", "first-light", "--game", str(EXAMPLES / "mosaic"), "-q")
        assert run(*command, "--out", str(tmp_path / "out.pdf")).exit_code == 0
        assert len(found) == expected
        prints.append((tmp_path / "out.pdf").read_bytes())
    assert prints[0] == prints[1]
