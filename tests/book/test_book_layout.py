"""How books are laid out: no word is lost where pages end, and no heading is left alone."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

import pypdfium2
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from PIL import ImageChops
from pypdf import PdfReader
from reportlab.platypus import Flowable

from deckwright.base.units import POINTS_PER_MM, resolve_date
from deckwright.book import model
from deckwright.book.model import theme_of
from deckwright.book.text import make_text
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawGlyphs, Face, FillPath
from deckwright.ops.outlines import rectangle
from deckwright.paint.pdf.book import Story, write_book
from deckwright.paint.pdf.metadata import Info
from deckwright.paint.pdf.parts import BoxedFlowable, Columns, IndentedFlowable
from deckwright.paint.pdf.texts import BookResources, BookTypesetter, TextPart
from deckwright.text.break_opportunities import Hyphenator
from support import card, load_all, share_of_examples, write_game

LEADING = theme_of("a5").size * theme_of("a5").leading
COLUMN = 116.0
QUICK = settings(max_examples=40, suppress_health_check=list(HealthCheck))
# Books take too long to look for the smallest that fails.
SLOW = settings(QUICK, max_examples=6, phases=[Phase.explicit, Phase.generate])


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> BookTypesetter:
    folder = write_game(tmp_path_factory.mktemp("game"), [card("A1", "Ant")])
    factory = FaceFactory(load_all(folder), GameFolder(folder), [])
    families = {"text": "text", "title": "text"}
    metrics = factory.drawing_context.metrics
    tools = BookResources(
        metrics, Hyphenator("de"), families, factory.fonts, ImageStore(), {}, {}, scales=[]
    )
    return BookTypesetter(theme_of("a5"), "#27508c", tools, None, dry=True)


def words(number: int, *, long: bool = False) -> str:
    """Return words that differ, some of which can be divided if they are `long`."""
    letters = ["rab", "e", "dachs", "maus", "igel"]
    if long:
        letters += ["verantwortungsbewusstsein", "donaudampfschifffahrt"]
    return " ".join(f"{letters[n % len(letters)]}{n}" for n in range(number))


def text_part(press: BookTypesetter, text: str, anchor: str = "start") -> TextPart:
    style = press.style(press.theme.size)
    return TextPart(press, press.rich(make_text(text)), style, anchor=anchor)


def lines_of(part: Flowable) -> list[str]:
    """Return the lines of a part, those of marks first."""
    if isinstance(part, IndentedFlowable):
        return (lines_of(part.mark) if part.mark else []) + lines_of(part.inner)
    if isinstance(part, BoxedFlowable):
        return lines_of(part.inner)
    assert isinstance(part, TextPart)
    return ["".join(run.piece.text for run in line.runs) for line in part.lines or ()]


def joined(lines: Iterable[str]) -> str:
    """Return the text of lines, with words that were divided made whole."""
    return "".join(re.sub(r"-$", "", text) if text.endswith("-") else f"{text} " for text in lines)


def flow(part: Flowable, rooms: Sequence[float]) -> list[Flowable]:
    """Return the parts of a flowable on pages with these rooms in mm, as platypus divides it.

    Behind them come pages of 100 mm.
    """
    done: list[Flowable] = []
    waiting = [part]
    rooms = list(rooms)
    while waiting:
        room = (rooms.pop(0) if rooms else 100) * POINTS_PER_MM
        _, height = waiting[0].wrap(COLUMN * POINTS_PER_MM, room)
        if height <= room:
            done.append(waiting.pop(0))
            continue
        parts = waiting[0].split(COLUMN * POINTS_PER_MM, room)
        assert parts or room < 100 * POINTS_PER_MM, "it cannot be divided on a whole page"
        if parts:
            _, height = parts[0].wrap(COLUMN * POINTS_PER_MM, room)
            assert height <= room + 1e-6, "the beginning is larger than the room for it"
            done.append(parts[0])
            waiting = [*parts[1:], *waiting[1:]]
    return done


ROOMS = st.lists(st.floats(0, 60), max_size=4)


@QUICK
@given(st.integers(1, 400), ROOMS, st.sampled_from(["start", "justify"]))
def test_all_words_come_once_and_in_order_and_no_line_stands_alone(
    press: BookTypesetter, number: int, rooms: list[float], anchor: str
) -> None:
    text = words(number, long=True)
    parts = flow(text_part(press, text, anchor=anchor), rooms)
    lines = [lines_of(part) for part in parts]
    assert joined(line for part in lines for line in part).split() == text.split()
    assert all(len(part) >= 2 for part in lines) or len(parts) == 1
    for part, on_it in zip(parts, lines, strict=True):
        assert part.height == pytest.approx(len(on_it) * LEADING * POINTS_PER_MM)


@QUICK
@given(st.floats(20, 160))
def test_a_text_is_broken_to_the_width_that_it_gets(press: BookTypesetter, width: float) -> None:
    part = text_part(press, words(100))
    for room in (width, 80, width):
        part.wrap(room * POINTS_PER_MM, 1000)
        assert max(line.width for line in part.lines or ()) * part.style.size <= room + 1e-6
        assert joined(lines_of(part)).split() == words(100).split()


def right_ends(part: TextPart) -> dict[float, float]:
    """Return where the lines of a text end, by their baselines."""
    ends: dict[float, float] = {}
    for op in part.ops():
        assert isinstance(op, DrawGlyphs)
        shaped = part.setter.metrics.shape(op.font, op.text)
        stretched = (sum(op.kerns) - sum(shaped.kerns)) / 1000
        ends[op.y] = max(ends.get(op.y, 0), op.x + (shaped.width + stretched) * op.size)
    return ends


@QUICK
@given(st.integers(100, 200), st.floats(80, 160))
def test_justified_lines_end_at_the_edge(press: BookTypesetter, number: int, width: float) -> None:
    # Words so short that no space need be wider than is good.
    short = " ".join("abcdefgh"[n % 8] * (1 + n % 3) for n in range(number))
    part = text_part(press, short, anchor="justify")
    part.wrap(width * POINTS_PER_MM, 1000)
    assert part.lines is not None
    *ends, last = right_ends(part).values()
    assert len(ends) == len(part.lines) - 1
    assert ends == [pytest.approx(width, abs=0.01)] * len(ends)
    assert last <= width + 0.01
    parts = part.split(width * POINTS_PER_MM, 2.5 * LEADING * POINTS_PER_MM)
    for piece in parts[:1]:
        piece.wrap(width * POINTS_PER_MM, 1000)
        assert list(right_ends(piece).values()) == [pytest.approx(width, abs=0.01)] * 2


@QUICK
@given(st.integers(1, 300), st.integers(1, 20), ROOMS)
@example(number=60, mark=12, rooms=[10.0])
def test_a_marked_text_keeps_its_words_and_its_mark(
    press: BookTypesetter, number: int, mark: int, rooms: list[float]
) -> None:
    name = " ".join(["Name"] * mark)
    marked = IndentedFlowable(text_part(press, name), text_part(press, words(number)), 36)
    nested = IndentedFlowable(None, marked, 6)
    for item in (marked, nested):
        lines = [lines_of(part) for part in flow(item, rooms)]
        text = joined(line for part in lines for line in part)
        assert text.split() == [*name.split(), *words(number).split()]
        assert lines[0][0].startswith("Name")


@QUICK
@given(st.integers(1, 300), ROOMS, st.sampled_from([0.5, 2.0]), st.sampled_from([0.5, 2.2]))
def test_a_boxed_text_keeps_its_words(
    press: BookTypesetter, number: int, rooms: list[float], top: float, bottom: float
) -> None:
    inner = IndentedFlowable(text_part(press, "–"), text_part(press, words(number)), 6)
    boxed = BoxedFlowable(press, inner, "#ffffff", "#000000", top, bottom)
    parts = flow(boxed, rooms)
    text = joined(line for part in parts for line in lines_of(part))
    assert text.split() == ["–", *words(number).split()]
    assert parts[0].top == top
    assert parts[-1].bottom == bottom


def printed(press: BookTypesetter, *blocks: model.Block) -> bytes:
    """Return a book with these blocks."""
    book = model.Book("Edge", press.theme, "#27508c", None, blocks, press.tools.families)
    stream = io.BytesIO()
    write_book(stream, book, Info("Edge", "", "", "de", resolve_date(())), press.tools)
    return stream.getvalue()


def pages_of(press: BookTypesetter, *blocks: model.Block) -> list[str]:
    """Return the texts of the pages of a book, in the order of print, without their edges."""
    pages = []
    with pypdfium2.PdfDocument(printed(press, *blocks)) as document:
        for page in document:
            textpage = page.get_textpage()
            # What stands above and below the text is not of it.
            text = textpage.get_text_bounded(
                0, 16 * POINTS_PER_MM, 148 * POINTS_PER_MM, 193 * POINTS_PER_MM
            )
            pages.append(re.sub(r"[-\ufffe\x02]\r?\n", "", text))
            textpage.close()
    return pages


def numbered(text: str) -> list[int]:
    """Return the numbers of the words in a text."""
    return [int(number) for number in re.findall(r"[a-z](\d+)", text)]


LONG = 1500


@pytest.mark.parametrize(
    "block",
    [
        model.Paragraph(make_text(words(LONG))),
        model.ListItem(make_text("•"), (model.Paragraph(make_text(words(LONG))),)),
        model.ListItem(
            make_text("•"),
            (model.ListItem(make_text("–"), (model.Paragraph(make_text(words(LONG))),)),),
        ),
        model.ListItem(make_text("Name"), (model.Paragraph(make_text(words(LONG))),), "rule"),
        model.Aside("example", "Title", (model.Paragraph(make_text(words(LONG))),)),
        model.Aside("definition", "", (model.Paragraph(make_text(words(LONG))),), "x"),
        model.Aside(
            "note",
            "Title",
            (model.ListItem(make_text("•"), (model.Paragraph(make_text(words(LONG))),)),),
        ),
        model.BookTable(((make_text(words(LONG)),),), 0, ("l",), ()),
        model.BookTable(
            ((make_text("Head"), make_text("Head")), (make_text("x"), make_text(words(LONG)))),
            1,
            ("l", "l"),
            make_text("Title"),
        ),
        model.Aside(
            "example", "Title", (model.BookTable(((make_text(words(LONG)),),), 0, ("l",), ()),)
        ),
    ],
    ids=[
        "paragraph",
        "item",
        "item in item",
        "rule",
        "example",
        "definition",
        "item in note",
        "table",
        "table with head",
        "table in example",
    ],
)
def test_what_is_longer_than_pages_flows_over_them(
    press: BookTypesetter, block: model.Block
) -> None:
    before = [model.Paragraph(make_text("Vor"))] * 7
    pages = pages_of(press, *before, block, model.Paragraph(make_text("Ende")))
    assert len(pages) > 2
    assert [number for page in pages for number in numbered(page)] == list(range(LONG))
    assert "Ende" in pages[-1]


ROWS = st.lists(st.tuples(st.integers(1, 120), st.integers(1, 120)), min_size=10, max_size=40)
SPLIT = [(1, 1), (1, 55), (1, 73), (1, 91), (1, 91), (1, 91), (36, 1)]


@SLOW
@given(ROWS)
@example(SPLIT)
def test_no_row_of_a_table_is_lost_and_its_head_stands_above(
    press: BookTypesetter, rows: list[tuple[int, int]]
) -> None:
    # The words of a row's cells have the row's number.
    cells = [
        (make_text(f"a{row} " * a), make_text(f"b{row} " * b)) for row, (a, b) in enumerate(rows)
    ]
    head = (make_text("Head"), make_text("Head"))
    pages = pages_of(press, model.BookTable((head, *cells), 1, ("l", "l"), make_text("Title"), "t"))
    text = " ".join(pages)
    for row, (first, second) in enumerate(rows):
        assert len(re.findall(rf"\ba{row}\b", text)) == first
        assert len(re.findall(rf"\bb{row}\b", text)) == second
    assert [page.count("Head Head") for page in pages] == [1] * len(pages)


BLOCKS = st.one_of(
    st.builds(lambda count: model.Paragraph(make_text(words(count))), st.integers(1, 130)),
    st.builds(
        lambda count: model.ListItem(make_text("•"), (model.Paragraph(make_text(words(count))),)),
        st.integers(1, 60),
    ),
    st.builds(
        lambda count: model.Aside("note", "Hinweis", (model.Paragraph(make_text(words(count))),)),
        st.integers(1, 60),
    ),
    st.builds(
        lambda count: model.BookTable(
            ((make_text("rab1"), make_text(words(count))),), 0, ("l", "l"), ()
        ),
        st.integers(1, 60),
    ),
)
LABELS = st.sampled_from(["Kurz", "Etwas länger " * 4, "Über mehrere Zeilen " * 6])
SECTIONS = st.lists(
    st.tuples(st.integers(0, 4), LABELS, st.lists(BLOCKS, min_size=1, max_size=2)),
    min_size=10,
    max_size=30,
)


@pytest.mark.corpus(1, grows=True)
@settings(SLOW, max_examples=share_of_examples(15))
@given(SECTIONS)
def test_a_heading_is_never_the_last_thing_on_a_page(
    press: BookTypesetter, sections: list[tuple[int, str, list[model.Block]]]
) -> None:
    blocks: list[model.Block] = []
    deepest = 0
    for number, (wanted, title, inner) in enumerate(sections):
        level = min(wanted, deepest + 1)
        deepest = level or deepest
        blocks += [model.Heading(level, "", f"§{number} {title}", f"{number}"), *inner]
    pages = pages_of(press, *blocks)
    found = [int(number) for page in pages for number in re.findall(r"§(\d+)", page)]
    assert sorted(found) == list(range(len(sections)))
    for number, page in enumerate(pages, 1):
        _, heading, rest = page.rpartition("§")
        assert not heading or numbered(re.sub(r"^\d+", "", rest)), f"page {number} ends in §{rest}"


CHAPTER = model.Heading(1, "", "Kapitel", "k")
LINE = model.ListItem(make_text("•"), (model.Paragraph(make_text("Zeile")),))
SMALL_TABLE = model.BookTable(((make_text(words(8)),),), 0, ("l",), make_text("§Tabelle"), "t")


@pytest.mark.parametrize(
    "blocks",
    [
        (
            model.Heading(2, "", "§Titel", "x"),
            model.Paragraph(make_text(words(28))),
        ),  # of three lines
        (model.Heading(0, "", "§Titel", "x"), model.Paragraph(make_text(words(28)))),
        (model.Heading(2, "", "§Titel " * 12, "x"), model.Paragraph(make_text(words(100)))),
        (model.Heading(2, "", "§Titel", "x"), LINE, model.Paragraph(make_text(words(5)))),
        (SMALL_TABLE,),
        (model.Aside("note", "§Hinweis", (model.Paragraph(make_text(words(30))),)),),
        (
            model.Aside(
                "example", "Beispiel", (model.Paragraph(make_text("Zeile " * 60)), SMALL_TABLE)
            ),
        ),
    ],
    ids=["three", "small", "long", "list", "table", "note", "inside"],
)
def test_no_title_is_left_behind_wherever_the_page_ends(
    press: BookTypesetter, blocks: tuple[model.Block, ...]
) -> None:
    alone = []
    for before in range(20, 32):
        filled = [CHAPTER, *[LINE] * before, *blocks]
        for page in pages_of(press, *filled):
            _, title, rest = page.rpartition("§")
            if title and not (numbered(rest) or "Zeile" in rest):
                alone.append(before)
    assert alone == []


@pytest.mark.parametrize("title", ["Beispiel", ""])
def test_a_box_is_divided_only_if_it_is_long(press: BookTypesetter, title: str) -> None:
    """That is, if it needs more than about a third of a page."""

    def divided(items: int) -> bool:
        box = model.Aside("note", title, tuple([model.Paragraph(make_text("Kasten"))] * items))
        books = (pages_of(press, CHAPTER, *[LINE] * before, box) for before in range(16, 34))
        return any(0 < page.count("Kasten") < items for pages in books for page in pages)

    assert not divided(6)
    assert divided(24)


@pytest.mark.parametrize("mark", ["", "•"])
def test_a_heading_and_its_only_line_do_not_end_a_page_alone(
    press: BookTypesetter, mark: str
) -> None:
    heading, short = model.Heading(2, "1.1", "Kopf", "x"), model.Paragraph(make_text("kurz:"))
    long = model.Paragraph(make_text(words(60)))
    after = [model.ListItem(make_text(mark), (long,))] * 2 if mark else [long]
    for before in range(16, 32):
        (page,) = (
            page for page in pages_of(press, CHAPTER, *[LINE] * before, heading, short, *after)
            if "kurz" in page
        )  # fmt: skip
        assert "Kopf" in page
        assert "rab0" in page


def test_neither_the_first_nor_the_last_of_a_list_of_rules_stands_alone(
    press: BookTypesetter,
) -> None:
    rules = [
        model.ListItem(
            make_text(f"Name §{number}"), (model.Paragraph(make_text("Wirkung")),), "rule"
        )
        for number in range(5)
    ]
    heading = model.Heading(0, "", "Regeln", "x")
    splits = set()
    for before in range(16, 32):
        pages = pages_of(press, CHAPTER, *[LINE] * before, heading, *rules)
        counts = [page.count("§") for page in pages if "§" in page]
        assert "Regeln" in next(page for page in pages if "§" in page)
        splits.add(tuple(counts))
    assert {(2, 3), (3, 2), (5,)} <= splits, "no list was divided"
    assert not {count for counts in splits for count in counts if count == 1}


def test_the_last_of_a_list_does_not_stand_alone(press: BookTypesetter) -> None:
    ends = set()
    for number in range(30, 42):
        pages = pages_of(press, CHAPTER, *[LINE] * number)
        ends.add(pages[-1].count("Zeile"))
    assert 1 not in ends
    assert 2 in ends


FIGURE = model.Figure((Face(60, 90, ()),), make_text("§Bild"))
SENTENCE = model.Paragraph(make_text("§Satz"))


@pytest.mark.parametrize(
    ("following", "first"),
    [
        ((SENTENCE,), "§Satz"),
        ((model.Heading(2, "", "§Titel", "x"), SENTENCE), "§Titel §Satz"),
        ((LINE, LINE), "Zeile • Zeile"),
        ((model.Heading(1, "", "§Titel", "x", new_page=True), SENTENCE), ""),
        ((model.Heading(1, "", "§Titel", "x"), SENTENCE), ""),
        ((LINE,) * 30, ""),
    ],
    ids=["text", "section", "list", "chapter", "chapter below", "long list"],
)
def test_what_follows_a_figure_without_room_precedes_it(
    press: BookTypesetter, following: tuple[model.Block, ...], first: str
) -> None:
    text = model.Paragraph(make_text("Anfang " * 300))
    pages = pages_of(press, CHAPTER, text, FIGURE, *following)
    before, after = (" ".join(page.split()) for page in pages[:2])
    assert "§Bild" in after
    assert before.split("Anfang")[-1].strip(" •").startswith(first)
    assert "§" in before or "Zeile" in before or not first


@pytest.mark.parametrize("lead", [(), (FIGURE._replace(faces=(Face(112, 27, ()),), caption=()),)])
def test_no_heading_ends_a_page_before_its_figure(
    press: BookTypesetter, lead: tuple[model.Block, ...]
) -> None:
    figure = FIGURE._replace(faces=(Face(116, 40, ()),))
    heading = model.Heading(2, "", "§Titel", "x")
    section: list[model.Block] = [heading, figure, SENTENCE, *[LINE] * 12]
    for before in range(15, 32):
        pages = pages_of(press, CHAPTER, *[LINE] * before, *lead, *section)
        (page,) = (page for page in pages if "§Titel" in page)
        assert "§Bild" in page or "§Satz" in page


def test_a_figure_nearly_as_wide_as_the_text_is_as_wide(press: BookTypesetter) -> None:
    faces = [Face(width, 40, ()) for width in (112, 100, 200)]
    scales = [model.figure_scale(face, COLUMN, press.theme) for face in faces]
    assert scales == [COLUMN / 112, 1, COLUMN / 200]


def flowables_of(press: BookTypesetter, *blocks: model.Block) -> list[Flowable]:
    return [*Story(model.Book("B", press.theme, "#27508c", None, blocks, {}), press).flowables()]


def test_a_figure_keeps_its_distance_from_what_is_above(press: BookTypesetter) -> None:
    assert flowables_of(press, FIGURE)[-1].getSpaceBefore() > 3 * POINTS_PER_MM


def end_of_red(press: BookTypesetter, *blocks: model.Block) -> float:
    """Return where the red of the book's last page with red ends, in mm from above."""
    ends = []
    with pypdfium2.PdfDocument(printed(press, *blocks)) as document:
        for page in document:
            red, green, _ = page.render(scale=2).to_pil().convert("RGB").split()
            found = ImageChops.subtract(red, green).point(lambda each: each > 200 and 255).getbbox()
            ends += [found[3] / 2 / POINTS_PER_MM] if found else []
    return float(ends[-1])


@pytest.mark.parametrize("sentences", [1, 25], ids=["with room", "without room"])
def test_a_figure_without_a_caption_ends_its_chapter_at_the_foot(
    press: BookTypesetter, sentences: int
) -> None:
    red = FillPath(rectangle(0, 0, 60, 90), "#ff0000")
    picture = model.Figure((Face(60, 90, (red,)),), ())
    before: tuple[model.Block, ...] = (CHAPTER, *(SENTENCE,) * sentences)
    foot = pytest.approx(press.theme.height - press.theme.margin_bottom, abs=0.3)
    assert end_of_red(press, *before, picture) == foot
    assert end_of_red(press, *before, picture, CHAPTER._replace(new_page=True)) == foot
    assert end_of_red(press, *before, picture, SENTENCE) != foot
    assert end_of_red(press, *before, picture._replace(caption=make_text("§Bild"))) != foot


def test_symbols_alone_in_cells_are_larger_than_those_in_texts(press: BookTypesetter) -> None:
    def height(*cell: model.Span) -> float:
        table = model.BookTable(((cell, make_text("Stern")),), 0, ("l", "l"), (), "")
        return float(flowables_of(press, table)[-1].wrap(COLUMN * POINTS_PER_MM, 900)[1])

    sign = model.Span(icon="star")
    assert height(sign) > height(sign, model.Span("Stern")) == height(model.Span("Stern"))


def test_contents_get_smaller_before_they_get_one_more_column(press: BookTypesetter) -> None:
    def laid_out(chapters: int) -> tuple[int, float]:
        heads = [CHAPTER._replace(anchor=f"k{n}") for n in range(chapters)]
        parts = flowables_of(press, model.Contents("Inhalt", 2), *heads)
        columns = next((part for part in parts if isinstance(part, Columns)), None)
        lines = columns.stacks[0].parts if columns else parts
        line = next(part for part in lines if isinstance(part, IndentedFlowable))
        return columns.number if columns else 1, line.inner.text.style.size

    found = [laid_out(number) for number in range(20, 80, 2)]
    assert found == sorted(found, key=lambda each: (each[0], -each[1]))
    assert len({size for number, size in found if number == 2}) == 2


def test_no_page_ends_within_a_word(press: BookTypesetter) -> None:
    text = words(90, long=True)
    for room in range(10, 60):
        first, *_ = flow(text_part(press, text), [room])
        lines = lines_of(first)
        assert not lines[-1].endswith("-") or len(lines) == 2


def test_a_figure_with_room_stays_where_it_is(press: BookTypesetter) -> None:
    (page,) = pages_of(press, CHAPTER, FIGURE, SENTENCE)
    assert page.index("§Bild") < page.index("§Satz")


def test_a_heading_and_a_sentence_go_to_their_cards_unless_that_leaves_half_a_page(
    press: BookTypesetter,
) -> None:
    face = Face(65, 140, ())
    gallery = model.Gallery((model.GalleryPicture(face, "§Karte", "karte", 0),))
    blocks = (model.Heading(2, "", "§Titel", "x"), model.Paragraph(make_text("§Satz")), gallery)
    parted = {}
    for before in range(1, 32):
        pages = pages_of(press, CHAPTER, *[LINE] * before, *blocks)
        cards = next(page for page in pages if "§Karte" in page)
        assert any("§Titel" in page and "§Satz" in page for page in pages)
        parted[before] = "§Satz" not in cards
    assert not parted[1], "all fits on the page"
    assert any(parted.values()), "the page would be less than half full"
    assert not any(parted[before] for before in range(18, 32))


def test_a_word_wider_than_the_column_is_no_endless_loop(press: BookTypesetter) -> None:
    pages = pages_of(press, model.Paragraph(make_text("x" * 300 + " rab1")))
    assert numbered(pages[0]) == [1]


def test_an_icon_in_a_title_is_printed_nowhere_as_it_is_written(press: BookTypesetter) -> None:
    heading = model.Heading(1, "", "Mit {icon:sword} Schwert", "x")
    reader = PdfReader(io.BytesIO(printed(press, heading, model.Paragraph(make_text(words(LONG))))))
    assert len(reader.pages) > 1
    titles = [str(mark.title) for mark in reader.outline if not isinstance(mark, list)]
    for text in (*titles, *(page.extract_text() for page in reader.pages)):
        assert "icon" not in text
