"""`deckwright markers`: counters on sheets that are cut with straight cuts."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PageObject, PdfReader

from conftest import ROOT, Run, edit
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.base.units import PAPER_SIZES
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.game.setup import apply_counts
from deckwright.ops.model import StrokePath
from deckwright.ops.outlines import bounds_of
from deckwright.outputs.markers import lay_out_markers, marker_paper
from deckwright.sheet.impose import Paper, TiledSheet, tile
from deckwright.sheet.pages import Page
from support import card, load_all, write_game

MM = 72 / 25.4
FACE = """<face>
  <rect width="{{ marker.width }}" height="{{ marker.height }}" fill="{{ marker.color }}"/>
  <text width="{{ marker.width }}" height="{{ marker.height }}" font-size="6pt"
        >{{ marker.label }}</text>
</face>
"""
DAMAGE = '<value number="1" count="4"/><value number="10" count="2"/>'
OTHER = '<other name="Back" label="z" color="blue"/>'


def marker(marker_id: str, *inside: str, **attributes: object) -> str:
    """Return a marker of 20 mm, with a label and a count unless there is something inside."""
    fields: dict[str, object] = {"color": "red", "size": 20, "name": marker_id.title()}
    if not any("<value" in text for text in inside):
        fields |= {"label": marker_id[0], "count": 3}
    fields |= attributes
    written = " ".join(f'{key}="{value}"' for key, value in fields.items() if value is not None)
    return f'<marker id="{marker_id}" {written}>{"".join(inside)}</marker>'


def write_markers(folder: Path, *markers: str, head: str = "") -> Path:
    """Write a game with these markers, each on a line of its own; return its folder."""
    write_game(folder, [card("A1", "Ant")])
    (folder / "templates" / "marker.xml").write_text(FACE, encoding="utf-8")
    lines = [f'<markers face="marker.xml" {head}>', *markers, "</markers>"]
    edit(folder / "xml" / "game.xml", "  <sheet", "\n".join([*lines, "  <sheet"]))
    return folder


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with markers as the working folder."""
    folder = tmp_path / "game"
    markers = (marker("damage", DAMAGE), marker("luck"), marker("fog", OTHER, size=15))
    monkeypatch.chdir(write_markers(folder, *markers))
    return folder


def placed(page: PageObject) -> list[tuple[str, float, float]]:
    """Return the forms that a page shows, with their places in mm from the left upper corner."""
    contents = page.get_contents()
    assert contents is not None
    found = re.findall(rb"q 1 0 0 1 (\S+) (\S+) cm\n(?:/(\S+) Do)?", contents.get_data())
    return [(name.decode(), float(x), float(y)) for x, y, name in found]


def size_of(page: PageObject) -> tuple[float, float]:
    return float(page.mediabox.width) / MM, float(page.mediabox.height) / MM


def amounts(text: str) -> dict[str, int]:
    """Return how many of each marker the summary says there are."""
    return {name: int(number) for number, name in re.findall(r"(\d+) \(([\w/-]+)\)", text)}


def test_the_shipped_markers_are_three_times_a_hundred_on_one_page(
    run: Run, tmp_path: Path
) -> None:
    assert run("markers", "--game", str(ROOT), "--out", str(tmp_path)).exit_code == 0
    reader = PdfReader(tmp_path / "markers.pdf")
    (page,) = reader.pages
    assert size_of(page) == pytest.approx((210, 297), abs=0.01)
    places = placed(page)
    assert sorted(Counter(name for name, _, _ in places).values()) == [100, 100, 100]
    assert len({(x, y) for _, x, y in places}) == 300
    assert all(5 <= x <= 205 - 13 and 5 <= y <= 292 - 13 for _, x, y in places)
    assert [mark.title for mark in reader.outline if not isinstance(mark, list)] == [
        "Moralbonus · Moralmalus · Aktionsmarker"
    ]


@pytest.mark.parametrize(
    ("folder", "marker_id"),
    [
        *((".", name) for name in ("moral-plus", "moral-minus", "action")),
        *(("examples/orbit", name) for name in ("nerve-plus", "nerve-minus", "order")),
    ],
)
def test_the_ground_of_shipped_squares_is_even_along_the_cut(
    run: Run, tmp_path: Path, folder: str, marker_id: str
) -> None:
    """Otherwise a cut that is slightly off leaves a strip of another color."""
    target, only = tmp_path / "one.pdf", ("--count", f"{marker_id}=1", "--no-footer")
    result = run("markers", marker_id, *only, "--game", str(ROOT / folder), "--out", str(target))
    assert result.exit_code == 0
    with pypdfium2.PdfDocument(target) as pdf:
        page = pdf[0].render(scale=10 / MM).to_pil().convert("RGB")  # ten pixels to the millimetre
    reach = round(10 * (13 if folder == "." else 15) / 2)
    x, y = page.width // 2, page.height // 2
    for inset in range(3, 14):
        ring = reach - inset
        side = (
            page.crop((x - ring, y - ring, x + ring, y - ring + 1)),
            page.crop((x - ring, y - ring, x - ring + 1, y + ring)),
        )
        assert {color for part in side for _, color in part.getcolors()} == {
            page.getpixel((x - reach + 3, y - reach + 3))
        }, inset


def test_all_markers_are_printed_with_the_counts_of_the_game(game: Path, run: Run) -> None:
    result = run("markers")
    assert (result.exit_code, result.stderr) == (0, "")
    assert amounts(result.stdout) == {"damage/1": 4, "damage/10": 2, "luck": 3, "fog": 3}
    assert (game / "out" / "markers.pdf").is_file()
    assert run("markers", "--quiet").output == ""


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(("arguments", "expected"), [
    (["luck"], {"luck": 3}),
    (["fog", "luck"], {"luck": 3, "fog": 3}),
    (["damage"], {"damage/1": 4, "damage/10": 2}),
    (["damage/10"], {"damage/10": 2}),
    (["luck", "--count", "luck=7"], {"luck": 7}),
    (["luck", "--count", "fog=1"], {"luck": 3, "fog": 1}),
    (["--count", "damage=0"], {"luck": 3, "fog": 3}),
    (["damage", "--count", "damage=5"], {"damage/1": 5, "damage/10": 5}),
    (["damage", "--count", "damage/10=0"], {"damage/1": 4}),
    (["damage", "--count", "damage=0", "--count", "damage/10=9"], {"damage/10": 9}),
])  # fmt: skip
def test_markers_and_their_counts_can_be_chosen(
    run: Run, arguments: list[str], expected: dict[str, int]
) -> None:
    result = run("markers", *arguments)
    assert result.exit_code == 0, result.stderr
    assert amounts(result.stdout) == expected
    (page, *_) = PdfReader("out/markers.pdf").pages
    assert len(placed(page)) == sum(expected.values())


@pytest.mark.parametrize("count", ["luck", "luck=", "luck=x", "luck=-1", "luck=1.5", "luck=1000000",
                                   "luck=²", "=3", ""])  # fmt: skip
def test_a_count_that_is_none_is_refused(game: Path, run: Run, count: str) -> None:
    assert run("markers", "--count", count).exit_code == 2
    assert not (game / "out").exists()


@pytest.mark.parametrize(("arguments", "near"), [
    (["lukc"], "did you mean `luck`?"),
    (["--count", "damage/11=2"], "did you mean `damage/1"),
    (["--count", "xyz=2"], "use one of `damage`, `damage/1`, `damage/10`, `luck`, `fog`"),
    (["luck", "--count", "luck=0"], ""),
])  # fmt: skip
def test_markers_that_are_none_are_refused(
    game: Path, run: Run, arguments: list[str], near: str
) -> None:
    result = run("markers", *arguments)
    assert (result.exit_code, (game / "out").exists()) == (2, False)
    assert near in result.stderr


def test_a_game_without_markers_is_told_how_to_have_some(run: Run, tmp_path: Path) -> None:
    result = run("markers", "--game", str(write_game(tmp_path, [card("A1", "Ant")])))
    assert result.exit_code == 2
    assert "the game has no markers\n  hint: list them under `markers` in game.xml" in result.stderr


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("paper", list(PAPER_SIZES))
def test_the_paper_can_be_chosen(run: Run, paper: str) -> None:
    assert run("markers", "--paper", paper).exit_code == 0
    for page in PdfReader("out/markers.pdf").pages:
        assert size_of(page) == pytest.approx(PAPER_SIZES[paper], abs=0.01)


def test_a_marker_larger_than_the_paper_is_reported_at_its_size(run: Run, tmp_path: Path) -> None:
    folder = write_markers(tmp_path, marker("big", size=140, count=1), marker("small"))
    target = folder / "out" / "markers.pdf"
    assert run("markers", "--game", str(folder)).exit_code == 0
    before = target.read_bytes()
    result = run("markers", "--game", str(folder), "--paper", "a5")
    lines = (folder / "xml" / "game.xml").read_text(encoding="utf-8").splitlines()
    line = lines.index(marker("big", size=140, count=1)) + 1
    assert re.search(rf"game\.xml:{line}:\d+: error E003: marker `big` is 140 × 140", result.stderr)
    assert (result.exit_code, "no markers were printed: 1 error" in result.stderr) == (1, True)
    assert target.read_bytes() == before
    assert run("markers", "small", "--game", str(folder), "--paper", "a5").exit_code == 0


@pytest.mark.parametrize("wrong", [
    marker("x", label=None),
    marker("x", count=None),
    marker("x", DAMAGE, count=3),
    marker("x", '<other name="Back" color="blue"/>'),
])  # fmt: skip
def test_a_marker_that_contradicts_itself_is_reported(run: Run, tmp_path: Path, wrong: str) -> None:
    folder = write_markers(tmp_path, marker("good"), wrong)
    for command in ("markers", "check"):
        result = run(command, "--game", str(folder))
        assert (result.exit_code, " error G002: " in result.stderr) == (1, True)
    assert not (folder / "out").exists()


def test_a_size_of_nothing_is_reported(run: Run, tmp_path: Path) -> None:
    folder = write_markers(tmp_path, marker("x", size=0))
    (folder / "templates" / "marker.xml").write_text("<face/>", encoding="utf-8")
    result = run("markers", "--game", str(folder))
    assert (result.exit_code, " error " in result.stderr) == (1, True)


def test_what_is_doubtful_about_rules_is_no_matter_of_markers(run: Run, tmp_path: Path) -> None:
    rule = '<rule id="r" type="passive" effect="Digs."><label GEN="Dig" Nobody="No"/></rule>'
    folder = write_markers(tmp_path, marker("x"))
    rules = folder / "xml" / "rules.xml"
    rules.write_text(f"<data>{rule}</data>", encoding="utf-8")
    result = run("markers", "--game", str(folder))
    assert result.stderr == ""
    assert ("no markers were printed" in result.stderr) == (result.exit_code != 0)


def pages_of(folder: Path, **counts: int) -> list[Page]:
    game = load_all(folder)
    report: Report = []
    factory = FaceFactory(game, GameFolder(folder), report)
    assert game.setup.marker_sheet is not None
    paper = marker_paper(game.setup.marker_sheet, None)
    pages = lay_out_markers(apply_counts(game.setup.markers, counts), paper, factory, report)
    assert report == []
    return pages


def test_every_back_lies_behind_its_front_when_the_sheet_is_turned_on_its_long_edge(
    tmp_path: Path, run: Run
) -> None:
    folder = write_markers(
        tmp_path,
        marker("fog", OTHER, count=100, size=17),
        marker("luck", count=50, size=23.5),
        marker("hex", OTHER, count=31, size=19, shape="hexagon"),
    )
    pages = pages_of(folder)
    assert len(pages) % 2 == 0
    assert len(pages) > 2
    assert run("markers", "--game", str(folder)).exit_code == 0
    printed = [placed(page) for page in PdfReader(folder / "out" / "markers.pdf").pages]
    for front, back, print_front, print_back in zip(
        pages[::2], pages[1::2], printed[::2], printed[1::2], strict=True
    ):
        # What is behind, seen through the paper from its front.
        behind = {(round(210 - i.x - i.face.width, 4), round(i.y, 4)): i.face.height
                  for i in back.faces}  # fmt: skip
        two_sided = (item for item in front.faces if item.face.width != 23.5)
        assert behind == {(round(i.x, 4), round(i.y, 4)): i.face.height for i in two_sided}
        assert (back.ops, back.bookmark) == ((), None)
        for page, places in ((front, print_front), (back, print_back)):
            assert [(x, y) for _, x, y in places] == [
                pytest.approx((item.x, item.y), abs=0.001) for item in page.faces
            ]


def test_without_other_sides_there_are_no_backs(tmp_path: Path) -> None:
    folder = write_markers(tmp_path, marker("luck", count=300), marker("fog", OTHER, count=3))
    assert [bool(page.ops) for page in pages_of(folder, fog=0)] == [True] * 3
    assert [bool(page.ops) for page in pages_of(folder)] == [True, False] * 3


def test_a_hexagon_is_lower_than_wide(tmp_path: Path) -> None:
    (page,) = pages_of(write_markers(tmp_path, marker("hex", shape="hexagon", size=30)))
    assert all(item.face.width == 30 for item in page.faces)
    assert all(item.face.height == pytest.approx(15 * math.sqrt(3)) for item in page.faces)


class Job(NamedTuple):
    sizes: list[tuple[float, float, int]]  # width, height and number
    paper: Paper


def jobs(most: int) -> st.SearchStrategy[Job]:
    """Return up to `most` sizes of things, some as wide as others, that fit their paper."""
    sides = st.sampled_from([5, 12.5, 13, 13.1, 19.9, 26, 33.3, 40, 60])
    sizes = st.tuples(sides, sides, st.integers(1, 60))
    papers = st.tuples(st.sampled_from([*PAPER_SIZES.values(), (70.0, 70.0)]), st.integers(0, 5))
    unique = st.lists(sizes, min_size=1, max_size=most, unique_by=lambda size: size[:2])
    return st.builds(Job, unique, papers.map(lambda paper: Paper(*paper[0], paper[1])))


def kinds_of(job: Job) -> list[tuple[tuple[float, float, int], float, float, int]]:
    """Return up to three kinds of each size."""
    return [
        ((w, h, kind), w, h, (count + kind) // 3)
        for w, h, count in job.sizes
        for kind in range(3)
        if count + kind > 2
    ]


def tiled(job: Job) -> list[TiledSheet[tuple[float, float, int]]]:
    return tile(kinds_of(job), job.paper)


@settings(max_examples=100)
@given(jobs(4))
def test_every_copy_is_tiled_once_and_apart_from_others(job: Job) -> None:
    items: Counter[tuple[float, float, int]] = Counter()
    for sheet in tiled(job):
        places = list(sheet.placements())
        items.update(place.item for place in places)
        low = job.paper.margin - 1e-5
        for item, box in places:
            assert (box.width, box.height) == item[:2]
            assert min(box.x, box.y) >= low
            assert box.right <= job.paper.width - low
            assert box.bottom <= job.paper.height - low
        for one, two in combinations([place.slot for place in places], 2):
            assert (one.right <= two.x + 1e-6 or two.right <= one.x + 1e-6
                    or one.bottom <= two.y + 1e-6 or two.bottom <= one.y + 1e-6)  # fmt: skip
    assert items == {kind: copies for kind, *_, copies in kinds_of(job)}


@settings(max_examples=100)
@given(jobs(1))
def test_one_size_needs_no_more_sheets_than_can_be(job: Job) -> None:
    ((width, height, count),) = job.sizes
    columns = (job.paper.width - 2 * job.paper.margin + 1e-6) // width
    rows = (job.paper.height - 2 * job.paper.margin + 1e-6) // height
    assert len(tiled(job)) == math.ceil(count / (columns * rows))
    for sheet in tiled(job):
        boxes = [place.slot for place in sheet.placements()]
        for one, two in pairwise(boxes):
            beside = one.right == pytest.approx(two.x) and one.y == two.y
            below = one.bottom == pytest.approx(two.y) and two.x == boxes[0].x
            assert beside != below


def rows_of(sheet: TiledSheet[str]) -> list[str]:
    return ["".join(row.items) for row in sheet.rows]


@pytest.mark.parametrize(("counts", "rows"), [
    ("aaaa bbbb", ["aaaa", "bbbb"]),
    ("aaaaaa bbbbbb", ["aaa", "aaa", "bbb", "bbb"]),
    ("aa bb cc dd", ["aabb", "ccdd"]),
    ("aaaaaaaaaa", ["aaaaa", "aaaaa"]),
    ("aaaaaaaaaa bbbbb", ["aaaaa", "aaaaa", "bbbbb"]),
    ("aaaaaaaaa bbbbbb", ["aaabb"] * 3),
])  # fmt: skip
def test_kinds_have_rows_or_columns_of_their_own(counts: str, rows: list[str]) -> None:
    kinds = [(kind[0], 10.0, 10.0, len(kind)) for kind in counts.split()]
    (sheet,) = tile(kinds, Paper(60, 60, 5))
    assert rows_of(sheet) == rows


def test_kinds_share_rows_if_they_would_take_another_sheet_otherwise() -> None:
    paper = Paper(60, 60, 5)
    kinds = [(kind, 10.0, 10.0, count) for kind, count in zip("abc", (8, 8, 8), strict=True)]
    (sheet,) = tile(kinds, paper._replace(height=60))
    assert rows_of(sheet) == ["aaaaa", "aaabb", "bbbbb", "bcccc", "cccc"]


def test_a_block_is_no_wider_than_its_rows_need_and_in_the_middle() -> None:
    (sheet,) = tile([("a", 30.0, 30.0, 4), ("b", 10.0, 10.0, 10)], Paper(100, 100, 5))
    assert rows_of(sheet) == ["aa", "aa", "bbbbb", "bbbbb"]
    boxes = [place.slot for place in sheet.placements()]
    assert [box.x for box in boxes] == [20, 50] * 2 + [25, 35, 45, 55, 65] * 2
    # There is a gap between the blocks, for the ends of their cut lines.
    assert [box.y for box in boxes] == [7] * 2 + [37] * 2 + [73] * 5 + [83] * 5
    assert cuts(sheet, ticks=True) == []


def test_there_is_no_gap_that_takes_another_sheet() -> None:
    kinds = [("a", 20.0, 20.0, 4), ("b", 10.0, 10.0, 4)]
    (sheet,) = tile(kinds, Paper(60, 60, 5))
    assert [place.slot.y for place in sheet.placements()] == [5] * 2 + [25] * 2 + [45] * 4


def test_markers_that_are_not_square_have_a_fine_light_line_around_them(tmp_path: Path) -> None:
    shapes = ("square", "circle", "hexagon")
    folder = write_markers(tmp_path, *(marker(s, OTHER, shape=s, color="#800000") for s in shapes))
    front, back = pages_of(folder)
    lines = [op for op in front.ops if isinstance(op, StrokePath) and op.color != "#000000"]
    assert {(line.color, line.width) for line in lines} == {("#d9b2b2", 0.12)}
    around = [n for line in lines for n in bounds_of(line.outline)]
    assert around == pytest.approx([n for item in front.faces[3:] for n in item.box])
    assert back.ops == ()


def cuts(sheet: TiledSheet[Any], *, ticks: bool = False) -> list[Box]:
    """Return the cut lines or ticks of a sheet as boxes without width or without height."""
    lines = []
    for line in sheet.cut_ticks() if ticks else sheet.cut_lines():
        assert isinstance(line, StrokePath)
        x1, y1, x2, y2 = (float(value) for _, *point in line.outline for value in point)
        assert x1 == x2 or y1 == y2
        lines.append(Box(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)))
    return lines


def test_cuts_that_end_at_a_margin_or_at_pieces_of_another_size_have_ticks() -> None:
    kinds = [((size, size, 0), size, size, 2) for size in (20.0, 10.0)]
    (sheet,) = tile(kinds, Paper(60, 40, 5))
    assert cuts(sheet, ticks=True) == [
        # At the upper margin, and above the smaller ones.
        *(Box(x, y, 0, 2) for x in (10, 30, 50) for y in (5, 23)),
        # Below the larger ones, and at the lower margin.
        *(Box(x, y, 0, 2) for x in (20, 30, 40) for y in (25, 33)),
    ]
    (sheet,) = tile([((40.0, 40.0, 0), 40.0, 40.0, 2)], Paper(100, 100, 5))
    assert cuts(sheet, ticks=True) == []


@settings(max_examples=120)
@given(jobs(4))
def test_cut_lines_pass_along_every_edge_and_through_nothing(job: Job) -> None:
    for sheet in tiled(job):
        lines = cuts(sheet)
        for place in sheet.placements():
            box = place.slot
            for cut in lines:
                inside = (cut.x < box.right - 1e-6 and cut.right > box.x + 1e-6
                          and cut.y < box.bottom - 1e-6 and cut.bottom > box.y + 1e-6)  # fmt: skip
                assert not inside, f"{cut} cuts {box}"
            left, right, top, low = box.x + 1e-6, box.right - 1e-6, box.y + 1e-6, box.bottom - 1e-6
            for x in (box.x, box.right):
                assert any(abs(cut.x - x) < 1e-6 and cut.width == 0 and cut.y <= top
                           and cut.bottom >= low for cut in lines)  # fmt: skip
            for y in (box.y, box.bottom):
                assert any(abs(cut.y - y) < 1e-6 and cut.height == 0 and cut.x <= left
                           and cut.right >= right for cut in lines)  # fmt: skip
