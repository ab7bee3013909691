"""Sheet formats: the bundled ones, a game's own, and those that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_impose import A4, apart

from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.base.units import CARD_SIZES
from deckwright.sheet.layout import list_formats, load_format
from deckwright.xmlio.node import Source
from support import load_all, write_game


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return load_all(write_game(tmp_path_factory.mktemp("game"), [])).setup.sheet_source


def test_the_bundled_format_is_nine_cards_on_a4(tmp_path: Path, source: Source) -> None:
    report: Report = []
    sheet = load_format("a4-65x90", tmp_path / "xml", source, report)
    assert report == []
    assert sheet == A4


def own_format(folder: Path, **changes: str) -> None:
    values = {
        "page-width": "210",
        "page-height": "297",
        "columns": "2",
        "rows": "1",
        "slot-width": "65",
        "slot-height": "90",
        **{name.replace("_", "-"): value for name, value in changes.items()},
    }
    path = folder / "xml" / "sheets" / "own.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    attributes = " ".join(f'{name}="{value}"' for name, value in values.items())
    path.write_text(f"<sheet {attributes}/>", encoding="utf-8")


def test_a_game_may_bring_its_own_format(tmp_path: Path, source: Source) -> None:
    own_format(tmp_path, gutter="2.5", mark_length="0")
    report: Report = []
    sheet = load_format("own", tmp_path / "xml", source, report)
    assert report == []
    assert sheet is not None
    assert sheet.gutter == 2.5
    assert sheet.mark_length == 0
    assert [slot.x for slot in sheet.slots()] == [38.75, 106.25]


@pytest.mark.parametrize(
    ("columns", "width", "gutter", "paper"),
    [(2, "50", "0.1", "100.1"), (3, "63.4", "0.1", "190.4"), (3, "63.3", "0", "189.9")],
)
def test_a_grid_exactly_as_large_as_the_paper_fits(
    tmp_path: Path, source: Source, columns: int, width: str, gutter: str, paper: str
) -> None:
    own_format(tmp_path, columns=str(columns), slot_width=width, gutter=gutter, page_width=paper)
    report: Report = []
    assert load_format("own", tmp_path / "xml", source, report) is not None
    assert report == []


@pytest.mark.parametrize("changes", [{"columns": "4"}, {"gutter": "100"}, {"rows": "4"}])
def test_a_grid_larger_than_the_paper_is_reported(
    tmp_path: Path, source: Source, changes: dict[str, str]
) -> None:
    own_format(tmp_path, **changes)
    report: Report = []
    assert load_format("own", tmp_path / "xml", source, report) is None
    assert [finding.code.id for finding in report] == ["E003"]


def test_a_format_that_turns_cards_has_no_columns(tmp_path: Path, source: Source) -> None:
    own_format(tmp_path, turn="true")
    report: Report = []
    assert load_format("own", tmp_path / "xml", source, report) is None
    assert ["calculates its own columns" in finding.message for finding in report] == [True]


@pytest.mark.parametrize("name", ["nosuch", "../sheets/own", "own.xml", ""])
def test_a_format_that_is_not_there_is_reported(tmp_path: Path, source: Source, name: str) -> None:
    own_format(tmp_path)
    report: Report = []
    assert load_format(name, tmp_path / "xml", source, report) is None
    assert [finding.code.id for finding in report] == ["E003"]


PAPERS = {"a4": {210, 297}, "letter": {215.9, 279.4}, "a3": {297, 420}}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", CARD_SIZES)
def test_bundled_formats_for_sizes_of_cards(
    tmp_path: Path, source: Source, paper: str, card: str
) -> None:
    report: Report = []
    sheet = load_format(f"{paper}-{card}", tmp_path / "xml", source, report)
    assert sheet is not None, report
    assert {sheet.page_width, sheet.page_height} == PAPERS[paper]
    assert (sheet.slot_width, sheet.slot_height) == CARD_SIZES[card]
    assert sheet.margin >= 4


@pytest.mark.corpus(16)
@pytest.mark.parametrize("name", list_formats(Path("nowhere")))
@pytest.mark.parametrize("size", CARD_SIZES.values())
def test_bundled_formats_keep_cards_and_bleed_inside_of_the_margins(
    tmp_path: Path, source: Source, name: str, size: tuple[float, float]
) -> None:
    sheet = load_format(name, tmp_path / "xml", source, [])
    assert sheet is not None
    sheet = sheet.fit_to(*size)
    slots = sheet.slots()
    assert slots
    both = [*slots, *map(sheet.mirrored, slots)] if sheet.is_folded else slots
    edge = sheet.margin + sheet.bleed - 1e-6
    for number, slot in enumerate(both):
        assert min(slot.x, slot.y) >= edge
        assert slot.right <= sheet.page_width - edge
        assert slot.bottom <= sheet.page_height - edge
        grown = Box(slot.x - sheet.bleed, slot.y - sheet.bleed,
                    slot.width + 2 * sheet.bleed, slot.height + 2 * sheet.bleed)  # fmt: skip
        assert all(apart(grown, other) for other in both[number + 1 :])


@pytest.mark.parametrize(
    ("name", "count"), [("a4", 9), ("letter", 9), ("a3", 18), ("a4-gutterfold", 4), ("card", 1)]
)
def test_formats_without_a_grid_take_as_many_cards_as_fit(
    tmp_path: Path, source: Source, name: str, count: int
) -> None:
    sheet = load_format(name, tmp_path / "xml", source, [])
    assert sheet is not None
    assert len(sheet.fit_to(63, 88).slots()) == count


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bleed": "3"}, "overlaps in a gutter of 0 mm"),
        ({"bleed": "3", "gutter": "5"}, "overlaps"),
        ({"margin": "50"}, "less its margin of 50 mm"),
        ({"page_width": "0"}, "only one side of the paper"),
        ({"slot_height": "0"}, "only one side of the slots"),
    ],
)
def test_formats_that_cannot_be_are_reported(
    tmp_path: Path, source: Source, changes: dict[str, str], words: str
) -> None:
    own_format(tmp_path, **changes)
    report: Report = []
    assert load_format("own", tmp_path / "xml", source, report) is None
    assert words in report[0].message
