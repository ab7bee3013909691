"""Cutting machines: what is printed for them, and the files that tell them where to cut."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import ezdxf
import ezdxf.path
import pypdfium2
import pytest
from lxml import etree
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from conftest import Run, edit
from deckwright.api import open_game
from deckwright.base.extras import install_command
from deckwright.base.geometry import Box
from deckwright.ops.model import Outline
from deckwright.ops.outlines import bounds_of, flatten, parse_svg_path, tight_bounds
from deckwright.outputs.cutters import files
from deckwright.outputs.cutters.files import cut_dxf, polylines
from deckwright.sheet.cutters import (
    CutPlan,
    Cutter,
    FrameCorner,
    Layer,
    Mark,
    MarkShape,
    Medium,
    Registration,
)
from support import card, line, token_rule, uses, write_game

SVG = "{http://www.w3.org/2000/svg}"
DOTS = 40
"""To the millimetre."""
OFF = 0.05
"""How far print and cut files may be apart, in mm."""
FACE = """<face>
  <rect width="65" height="90" fill="#ffe0e0"/>
  <rect x="10" y="20" width="45" height="50" fill="#000000"/>
</face>
"""
GROUND = (255, 224, 224)
Point = tuple[float, float]


class CutRead(NamedTuple):
    """What was read of a cut file: points of lines by layer, and the layers that are not shown."""

    size: tuple[float, float]
    layers: dict[str, list[list[Point]]]
    hidden: set[str]


class Job(NamedTuple):
    """A print for a machine: its PDF and the cut files of its first sheet."""

    pdf: Path
    svg: CutRead
    dxf: CutRead


def points_of(outline: Outline) -> list[Point]:
    """Return an outline as points, dense enough for what is measured here."""
    return [(x, y) for x, y, _ in flatten(outline, 24)]


def read_svg(path: Path) -> CutRead:
    root = etree.parse(str(path)).getroot()
    size = tuple(float(root.get(side, "").removesuffix("mm")) for side in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {size[0]:g} {size[1]:g}"
    groups = root.findall(f"{SVG}g")
    layers = {
        g.get("id", ""): [points_of(parse_svg_path(p.get("d", ""))) for p in g.iter(f"{SVG}path")]
        for g in groups
    }
    hidden = {g.get("id", "") for g in groups if g.get("display") == "none"}
    return CutRead((size[0], size[1]), layers, hidden)


def read_dxf(path: Path) -> CutRead:
    """Read a DXF file, its y axis turned downwards again."""
    document = ezdxf.readfile(path)
    assert document.header["$INSUNITS"] == 4, "millimetres"
    width, height = document.header["$LIMMAX"]
    layers: dict[str, list[list[Point]]] = {}
    for entity in document.modelspace():
        points = [(p.x, height - p.y) for p in ezdxf.path.make_path(entity).flattening(0.002)]
        layers.setdefault(entity.dxf.layer, []).append(points)
    hidden = {layer.dxf.name for layer in document.layers if layer.is_off() and not layer.dxf.plot}
    return CutRead((width, height), layers, hidden)


def job_of(pdf: Path, svg: Path) -> Job:
    return Job(pdf, read_svg(svg), read_dxf(svg.with_suffix(".dxf")))


def write_small(folder: Path) -> Path:
    """Write a game with a deck of eleven cards with backs, a token and markers of all shapes."""
    cards = [card("A1", "Ant", "AA", uses("call"), actions=1), card("A2", "Queen")]
    decks = {"hill": [line("A1", 1), line("A2", 9)]}
    write_game(folder, cards, rules=[token_rule("call", "Wolf")], decks=decks, face=FACE)
    game = folder / "xml" / "game.xml"
    text = game.read_text("utf-8").replace('face="card.xml">', 'face="card.xml" back="back.xml">')
    markers = (
        '<markers face="marker.xml">'
        '<marker id="luck" name="Luck" label="L" color="blue" size="24" count="3">'
        '<other name="Luck" label="l" color="red"/></marker>'
        '<marker id="coin" name="C" label="C" color="olive" shape="circle" size="20" count="5"/>'
        '<marker id="hex" name="H" label="H" color="teal" shape="hexagon" size="24" count="2"/>'
        "</markers>\n  <sheet"
    )
    game.write_text(text.replace("  <sheet", f"  {markers}", 1), "utf-8")
    ground = '<face><rect width="{}" height="{}" fill="{}"/></face>'
    back = ground.format(65, 90, "#103050")
    marker = ground.format("{{ marker.width }}", "{{ marker.height }}", "{{ marker.color }}")
    (folder / "templates" / "back.xml").write_text(back, "utf-8")
    (folder / "templates" / "marker.xml").write_text(marker, "utf-8")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("game"))


@pytest.fixture(scope="module", params=["silhouette", "silhouette-4", "cricut", "four-point"])
def printed(request: pytest.FixtureRequest, small: Path) -> Job:
    """A deck with backs for a machine."""
    pdf = small / "out" / f"{request.param}.pdf"
    made = open_game(small).deck("hill").print(pdf, cut=request.param, backs=True)
    assert [cut.pages for cut in made.cuts] == [(1,), (3,)]
    assert made.cuts[0].paths[0].name == f"{request.param}_cut1.svg"
    return job_of(pdf, made.cuts[0].paths[0])


@pytest.fixture(scope="module")
def boxed(small: Path) -> Job:
    """A tuck box for a machine."""
    pdf = small / "out" / "box.pdf"
    made = open_game(small).deck("hill").print_box(pdf, cut="silhouette")
    return job_of(pdf, made.cuts[0].paths[0])


@pytest.fixture(scope="module")
def marked(small: Path) -> Job:
    """Markers as stickers for a machine."""
    pdf = small / "out" / "markers.pdf"
    made = open_game(small).print_markers(pdf, cut="silhouette", kiss_cut=True)
    return job_of(pdf, made.cuts[0].paths[0])


def around(points: list[Point]) -> Box:
    return Box.of(points)


def dotted(box: Box) -> Box:
    """Return a box whose edges are edges of dots, not smaller."""
    x, y = math.floor(box.x * DOTS) / DOTS, math.floor(box.y * DOTS) / DOTS
    right, bottom = math.ceil(box.right * DOTS) / DOTS, math.ceil(box.bottom * DOTS) / DOTS
    return Box(x, y, right - x, bottom - y)


def raster(pdf: Path, page: int, box: Box) -> Image.Image:
    """Return a part of a page, given in mm, in grey; its edges are edges of dots."""
    with pypdfium2.PdfDocument(pdf) as document:
        shown = document[page]
        width, height = (side / 72 * 25.4 for side in shown.get_size())
        crop = (box.x, height - box.bottom, width - box.right, box.y)
        points = tuple(side / 25.4 * 72 for side in crop)
        picture: Image.Image = shown.render(scale=DOTS * 25.4 / 72, crop=points).to_pil()
        return picture.convert("L")


def filled(points: list[Point], box: Box, size: tuple[int, int]) -> Image.Image:
    """Return an outline filled with black, as `raster` shows it."""
    image = Image.new("L", size, 255)
    moved = [((x - box.x) * DOTS - 0.5, (y - box.y) * DOTS - 0.5) for x, y in points]
    ImageDraw.Draw(image).polygon(moved, fill=0)
    return image


def lightest(image: Image.Image) -> float:
    """Return the lightest grey in a picture, 255 for white."""
    return max(value for value, count in enumerate(image.histogram()) if count)


def misfit(one: Image.Image, other: Image.Image) -> bool:
    """Return whether black is somewhere else than in another picture, by more than `OFF`."""
    reach = ImageFilter.MinFilter(2 * math.floor(OFF * DOTS) + 1)
    pictures = [image.point(lambda value: 0 if value < 128 else 255) for image in (one, other)]
    for black, around_it in (pictures, pictures[::-1]):
        outside = ImageChops.subtract(around_it.filter(reach), black)
        if outside.getbbox() is not None:
            return True
    return False


def test_the_comparison_sees_a_shift_of_more_than_it_allows() -> None:
    box = Box(0, 0, 8, 8)
    square = [(2.0, 2.0), (6.0, 2.0), (6.0, 6.0), (2.0, 6.0)]
    size = (320, 320)
    for shift, differs in ((0.0, False), (0.02, False), (0.1, True), (-0.1, True)):
        moved = [(x + shift, y) for x, y in square]
        assert misfit(filled(square, box, size), filled(moved, box, size)) is differs


def test_marks_are_printed_where_the_cut_files_have_them(printed: Job) -> None:
    assert printed.svg.hidden == printed.dxf.hidden == {"regmarks"}
    for points in printed.svg.layers["regmarks"]:
        box = dotted(around(points).expand(1))
        picture = raster(printed.pdf, 0, box)
        assert not misfit(picture, filled(points, box, picture.size))


def test_marks_are_on_the_front_alone(printed: Job) -> None:
    width = printed.svg.size[0]
    for points in printed.svg.layers["regmarks"]:
        mirrored = [(width - x, y) for x, y in points]
        for mark in (points, mirrored):
            box = dotted(around(mark))
            picture = raster(printed.pdf, 1, box)
            shown = ImageChops.lighter(picture, filled(mark, box, picture.size))
            assert shown.getextrema() == (255, 255)


def test_cards_are_cut_where_they_are_printed(printed: Job) -> None:
    for points in printed.svg.layers["cut"]:
        cut = around(points)
        dark = Box(cut.x + 10, cut.y + 20, 45, 50)
        corners = [(dark.x, dark.y), (dark.right, dark.y)]
        corners += [(dark.right, dark.bottom), (dark.x, dark.bottom)]
        part = dotted(Box(dark.x - 2, dark.y - 2, 4, 4))
        picture = raster(printed.pdf, 0, part)
        assert not misfit(picture, filled(corners, part, picture.size))


def test_cards_are_printed_beyond_their_cut(printed: Job) -> None:
    for points in printed.svg.layers["cut"]:
        box = around(points).expand(0.4)
        for corner in ((box.x, box.y), (box.right - 1, box.bottom - 1)):
            assert lightest(raster(printed.pdf, 0, Box(*corner, 1, 1))) < 250


def test_svg_and_dxf_say_the_same(printed: Job, boxed: Job, marked: Job) -> None:
    for made in (printed, boxed, marked):
        demand_the_same(made)


def demand_the_same(made: Job) -> None:
    assert made.svg.size == made.dxf.size
    assert made.svg.layers.keys() == made.dxf.layers.keys()
    for layer, lines in made.svg.layers.items():
        assert len(lines) == len(made.dxf.layers[layer])
        for one, other in zip(lines, made.dxf.layers[layer], strict=True):
            assert are_on(one, other, 0.02)
            assert are_on(other, one, 0.02)


def are_on(points: list[Point], line_: list[Point], off_by: float) -> bool:
    """Return whether no point is `off_by` or more from a line through others.

    Points mostly come in the order of the line: the search begins where the last one was found.
    """
    parts = deque(pairwise(line_))

    def is_on(point: Point) -> bool:
        for _ in range(len(parts)):
            if distance(point, *parts[0]) < off_by:
                return True
            parts.rotate(-1)
        return False

    return all(map(is_on, points))


def distance(point: Point, start: Point, end: Point) -> float:
    (x, y), (x1, y1), (x2, y2) = point, start, end
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    t = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length if length else 0
    t = max(0, min(1, t))
    return math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1))


def test_corners_are_as_round_as_the_kind_says(tmp_path: Path) -> None:
    game = tmp_path / "round"
    write_small(game)
    edit(game / "xml" / "game.xml", 'tag="card" name="Card"', 'radius="5" tag="card" name="Card"')
    edit(game / "xml" / "game.xml", 'token="true"', 'token="true" radius="0"')
    deck = open_game(game).deck("hill")
    svg = read_svg(deck.print(tmp_path / "a.pdf", cut="none", sheet="a3").cuts[0].paths[0])
    cards, token = svg.layers["cut"][:10], svg.layers["cut"][10]
    assert len(set(token)) == 4
    for points in cards:
        box = around(points)
        # The middle of a quarter circle of radius 5 is 5·(1 − 1/√2) away from both edges.
        corner = 5 * (1 - math.sqrt(0.5))
        assert min(math.dist(p, (box.x + corner, box.y + corner)) for p in points) < 0.01


def test_markers_are_cut_in_their_shapes(marked: Job) -> None:
    assert set(marked.svg.layers) == {"kiss-cut", "regmarks"}
    boxes = [around(points) for points in marked.svg.layers["kiss-cut"]]
    sizes = sorted((round(box.width, 2), round(box.height, 2)) for box in boxes)
    assert sizes == [(20, 20)] * 5 + [(24, round(12 * math.sqrt(3), 2))] * 2 + [(24, 24)] * 3
    for points, box in zip(marked.svg.layers["kiss-cut"], boxes, strict=True):
        middle = (box.x + box.width / 2, box.y + box.height / 2)
        reach = [math.dist(point, middle) for point in points]
        if box.width == pytest.approx(20):
            assert max(reach) - min(reach) < 0.01
        elif box.height < 24 - 0.1:
            assert min(reach) == pytest.approx(12, abs=0.001)
            assert max(reach) == pytest.approx(12, abs=0.001)
        assert lightest(raster(marked.pdf, 0, Box(*middle, 1, 1))) < 250
    for number, box in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert not box.expand(0.6).touches(other.expand(0.6))


def test_backs_of_markers_lie_behind_them(marked: Job) -> None:
    """Those of the markers without another side are blank."""
    width = marked.svg.size[0]
    for points in marked.svg.layers["kiss-cut"]:
        box = around(points)
        behind = Box(width - box.x - box.width / 2, box.y + box.height / 2, 1, 1)
        two_sided = box.width == pytest.approx(24) and box.height == pytest.approx(24)
        assert (lightest(raster(marked.pdf, 1, behind)) < 250) is two_sided


def test_a_tuck_box_has_its_cuts_and_folds_on_layers_of_their_own(boxed: Job) -> None:
    layers = boxed.svg.layers
    assert list(layers) == ["cut", "crease", "perforation", "regmarks"]
    (outline,) = layers["cut"]
    assert outline[0] == pytest.approx(outline[-1])
    assert len(layers["crease"]) == 12
    # Perforations lie upon the folds, and leave about half of them whole.
    for start, end in layers["perforation"]:
        assert any(are_on([start, end], fold, 0.001) for fold in layers["crease"])
    length = {
        layer: sum(math.dist(*ends) for ends in layers[layer])
        for layer in ("crease", "perforation")
    }
    assert 0.45 < length["perforation"] / length["crease"] < 0.7
    # No lines are printed where a machine sees to them: the flap to glue is white at its cut.
    assert around(outline).x > 10


def test_nothing_is_printed_near_marks(printed: Job, marked: Job, boxed: Job) -> None:
    """Within 0.4 mm of them, seen at a quarter of the size."""
    for job in (printed, marked, boxed):
        for points in job.svg.layers["regmarks"]:
            box = dotted(around(points).expand(1))
            picture = raster(job.pdf, 0, box)
            mark = filled(points, box, picture.size).reduce(4)
            mark = mark.point(lambda value: 0 if value < 255 else 255)
            near = mark.filter(ImageFilter.MinFilter(5))
            inner = mark.filter(ImageFilter.MinFilter(3))
            ring = ImageChops.lighter(near, ImageChops.invert(inner))
            assert ring.getextrema()[0] == 0
            assert ImageChops.lighter(picture.reduce(4), ring).getextrema() == (255, 255)


def test_the_summary_names_cut_files_their_pages_and_the_marks(small: Path, run: Run) -> None:
    result = run("deck", "hill", "-g", str(small), "--cut", "silhouette", "-o", f"{small}/s.pdf")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-2:] == [
        f"  cut     {small}/s_cut1.svg, {small}/s_cut1.dxf (page 1; length of the marks: 5 mm)",
        f"  cut     {small}/s_cut2.svg, {small}/s_cut2.dxf (page 2; length of the marks: 5 mm)",
    ]


def test_without_ezdxf_there_is_no_dxf_and_the_summary_says_so(
    small: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "is_dxf_available", lambda: False)
    result = run("tokens", "hill", "-g", str(small), "--cut", "cricut", "-o", f"{small}/t.pdf")
    assert result.exit_code == 0
    assert not (small / "t_cut.dxf").exists()
    assert (small / "t_cut.svg").is_file()
    assert install_command("cut") in result.stdout


def test_pictures_show_what_is_cut_out_and_nothing_else(small: Path) -> None:
    made = open_game(small).deck("hill").print(small / "c.pdf", cut="cricut")
    first, last = made.cuts
    assert [path.name for path in first.pictures] == ["c_page1.png"]
    assert [path.name for path in last.pictures] == ["c_page2.png"]
    assert last.arm == 0
    with Image.open(first.pictures[0]) as picture:
        assert picture.mode == "RGBA"
        mm = picture.width / first.size[0]
        cut = Box.around(map(around, read_svg(first.paths[0]).layers["cut"]))
        assert first.size == pytest.approx((cut.width, cut.height), abs=2 / mm)
        assert picture.info["dpi"][0] == pytest.approx(300, abs=0.01)

        def seen(x: float, y: float) -> tuple[int, ...]:
            return picture.getpixel((round(x * mm), round(y * mm)))  # type: ignore[return-value]

        assert seen(0.3, 0.3)[3] == 0, "the round corner"
        assert seen(66, 45)[3] == 0, "between cards"
        assert seen(0.3, 45) == (255, 224, 224, 255), "the ground of a card"
        assert seen(30, 45) == (0, 0, 0, 255), "what is on it"


def test_only_programs_that_want_them_get_pictures(small: Path) -> None:
    made = open_game(small).deck("hill").print(small / "n.pdf", cut="silhouette")
    assert [cut.pictures for cut in made.cuts] == [(), ()]
    assert not list(small.glob("n_page*.png"))


def test_turned_cards_are_cut_where_they_are_printed(tmp_path: Path) -> None:
    face = '<face><rect width="44" height="68" fill="#ffe0e0"/></face>'
    game = write_game(tmp_path / "g", [card("A1", "Ant")], decks={"d": [line("A1", 14)]}, face=face)
    setup = game / "xml" / "game.xml"
    text = setup.read_text(encoding="utf-8").replace('width="65"', 'width="44"')
    setup.write_text(text.replace('height="90"', 'height="68"'), encoding="utf-8")
    deck = open_game(game).deck("d")
    made = deck.print(game / "c.pdf", sheet="a4", turn=True, cut="silhouette", footer=False)
    assert (made.sheets, made.empty) == (1, 0), "12 without turning"
    cuts = [around(points) for points in read_svg(made.cuts[0].paths[0]).layers["cut"]]
    sizes = {(round(box.width, 3), round(box.height, 3)) for box in cuts}
    assert sizes == {(44, 68), (68, 44)}
    with pypdfium2.PdfDocument(game / "c.pdf") as pdf:
        page = pdf[0].render(scale=4 * 25.4 / 72).to_pil().convert("RGB")
    for box in cuts:
        for x in (box.x - 0.3, box.right + 0.3):
            assert page.getpixel((round(x * 4), round((box.y + box.height / 2) * 4))) == GROUND
        assert page.getpixel((round((box.x + 1) * 4), round((box.y + 1) * 4))) == GROUND


def test_cut_files_of_a_former_print_of_the_same_name_are_removed(small: Path) -> None:
    deck = open_game(small).deck("hill")
    deck.print(small / "c.pdf", cut="cricut")
    others = {small / name for name in ("cc_cut2.svg", "c_cut2.svgz", "c_cuts.dxf", "c_page.png")}
    for path in others:
        path.touch()
    (small / "c_cut9.svg").mkdir()
    made = deck.print(small / "c.pdf", cut="cricut", only=["A1"]).cuts
    assert len(made) == 1
    own = {path for cut in made for path in (*cut.paths, *cut.pictures)}
    assert {path.name for path in own} == {"c_cut.svg", "c_cut.dxf", "c_page1.png"}
    found = {path for path in small.glob("c*") if path.suffix not in {".pdf", ".json"}}
    assert found == own | others | {small / "c_cut9.svg"}


def test_cut_files_are_the_same_each_time(small: Path, tmp_path: Path) -> None:
    data = []
    for _ in range(2):
        made = open_game(small).print_markers(tmp_path / "m.pdf", cut="silhouette-4")
        data.append([path.read_bytes() for cut in made.cuts for path in cut.paths])
    assert data[0] == data[1]
    assert len(data[0]) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["deck", "hill", "--cut", "silouette"], 2, "did you mean `silhouette`?"),
        (["deck", "hill", "--kiss-cut"], 2, "--kiss-cut is for machines"),
        (["markers", "--kiss-cut"], 2, "--kiss-cut is for machines"),
        (["deck", "hill", "--cut", "none", "--marks", "crop"], 2, "cannot be used together"),
        (["deck", "hill", "--cut", "none", "--sheet", "a4-gutterfold"], 1, "E090: the sheet"),
        (
            ["deck", "hill", "--cut", "none", "--sheet", "card"],
            1,
            "which has no paper size of its own",
        ),
        (["markers", "--cut", "cricut", "--paper", "a5"], 1, "E090: `cricut` cannot cut"),
        (["tuckbox", "hill", "--cut", "cricut", "--paper", "12x12"], 1, "E090: `cricut` cannot"),
        (["tuckbox", "hill", "--cut", "silhouette", "--cards", "200"], 1, "does not fit between"),
    ],
)
def test_what_cannot_be_cut_is_said(
    small: Path, run: Run, arguments: list[str], code: int, message: str
) -> None:
    result = run(*arguments, "-g", str(small))
    assert result.exit_code == code
    assert message in result.output


def test_a_game_can_have_machines_of_its_own(tmp_path: Path) -> None:
    game = write_small(tmp_path / "game")
    (game / "xml" / "cutters").mkdir()
    profile = (
        '<cutter name="Mine" inset="12" thickness="1" clear="2"><mark shape="frame"/>'
        '<mark shape="disc" at="bottom-right" size="6"/>'
        '<medium paper="a4" width="210" height="297" area-width="170" area-height="250"/></cutter>'
    )
    (game / "xml" / "cutters" / "mine.xml").write_text(profile, "utf-8")
    made = open_game(game).deck("hill").print(tmp_path / "m.pdf", cut="mine")
    job = job_of(made.paths[0], made.cuts[0].paths[0])
    frame, disc = job.svg.layers["regmarks"]
    width, height = job.svg.size
    assert tuple(around(frame)) == pytest.approx((11.5, 11.5, width - 23, height - 23), abs=0.001)
    assert around(disc).right == pytest.approx(width - 11.5)
    box = around(disc).expand(0.3)
    picture = raster(job.pdf, 0, box)
    assert picture.getpixel((picture.width // 2, picture.height // 2)) == 0
    assert raster(job.pdf, 0, Box(11.4, 100, 1.2, 1)).getextrema()[0] == 0
    assert raster(job.pdf, 0, Box(12.6, 100, 0.5, 1)).getextrema() == (255, 255)


def bulged(vertices: list[tuple[float, float, float]], *, closed: bool) -> Iterator[Point]:
    """Yield points on lines and arcs, by the definition of a bulge."""
    ends = [*vertices[1:], vertices[0]] if closed else vertices[1:]
    for (x1, y1, bulge), (x2, y2, _) in zip(vertices, ends, strict=False):
        for step in range(16):
            t = step / 16
            if not bulge:
                yield x1 + t * (x2 - x1), y1 + t * (y2 - y1)
                continue
            angle, chord = 4 * math.atan(bulge), complex(x2 - x1, y2 - y1)
            # About the centre, an arc turns by its angle from start to end.
            centre = complex(x1, y1) + chord / 2 + 1j * chord / 2 / math.tan(angle / 2)
            turned = centre + (complex(x1, y1) - centre) * complex(
                math.cos(t * angle), math.sin(t * angle)
            )
            yield turned.real, turned.imag


CURVES: dict[str, Callable[[], Outline]] = {
    "an S": lambda: (("M", 0, 0), ("C", 10, 0, 0, 10, 10, 10)),
    "a loop": lambda: (("M", 0, 0), ("C", 30, 20, -20, 20, 10, 0), ("Z",)),
    "a line that is written as a curve": lambda: (("M", 0, 0), ("C", 1, 1, 2, 2, 3, 3)),
    "a point": lambda: (("M", 1, 1), ("C", 1, 1, 1, 1, 1, 1), ("L", 4, 1)),
    "an ellipse's quarter": lambda: (
        ("M", 0, 10),
        ("C", 0, 4.5, 9, 0, 20, 0),
        ("L", 20, 10),
        ("Z",),
    ),
}


@pytest.mark.parametrize("name", CURVES)
def test_arcs_follow_any_curve(name: str) -> None:
    outline = CURVES[name]()
    for vertices, closed in polylines(outline):
        on_arcs = [*bulged(vertices, closed=closed), *([] if closed else [vertices[-1][:2]])]
        exact = [(x, y) for x, y, _ in flatten(outline, 200)]
        ring = [*exact, exact[0]] if closed else exact
        assert are_on(on_arcs, ring, 0.01)


def test_a_quarter_circle_is_one_arc() -> None:
    k = 0.5522847498307936
    quarter: Outline = (("M", 0, 3), ("C", 0, 3 - 3 * k, 3 - 3 * k, 0, 3, 0))
    ((vertices, closed),) = polylines(quarter)
    assert not closed
    assert [vertex[:2] for vertex in vertices] == [(0, 3), (3, 0)]
    assert abs(vertices[0][2]) == pytest.approx(math.tan(math.pi / 8), abs=1e-3)


def test_an_open_line_and_several_parts_of_one_outline_stay_so() -> None:
    lines: Outline = (("M", 0, 0), ("L", 5, 0), ("M", 0, 2), ("L", 5, 2), ("L", 5, 4), ("Z",))
    cut = CutPlan(20, 10, ((Layer.CREASE, (lines,)),))
    path = [(len(vertices), closed) for vertices, closed in polylines(lines)]
    assert path == [(2, False), (3, True)]
    assert b"crease" in cut_dxf(cut)


def test_marks_keep_their_corners_on_lying_paper() -> None:
    square = Mark(MarkShape.SQUARE, FrameCorner.TOP_LEFT, 5)
    corner = Mark(MarkShape.CORNER, FrameCorner.BOTTOM_LEFT)
    medium = Medium("a4", 210, 297, 10, 20)
    cutter = Cutter("a", "A", thickness=0.5, min_arm=6, max_arm=6, clearance=1, bleed=1,
                    marks=(square, corner))  # fmt: skip
    marks = Registration(cutter, medium, 6)
    for each, height, inset in ((marks, 297, (10, 20)), (marks.rotate(), 210, (20, 10))):
        first, second = (bounds_of(outline) for outline in each.outlines())
        assert (first.x, first.y) == (inset[0] - 0.25, inset[1] - 0.25)
        assert first.width == 5.5
        assert tight_bounds(tuple(each.outlines())[1]) == second
        assert (second.x, second.bottom) == (inset[0] - 0.25, height - inset[1] + 0.25)
        assert second.width == second.height == 6.25
