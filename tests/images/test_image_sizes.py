"""How images fill their boxes, how large they are in the PDF, and how they are cached."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from one_image import BLUE, GREEN, RED, Bench, codes, face, halves, near
from PIL import Image

from conftest import Run
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage


@pytest.fixture
def bench(tmp_path: Path, run: Run) -> Bench:
    return Bench(tmp_path / "game", run)


def stripes(width: int, height: int) -> Image.Image:
    """Return an image that is blue in the middle third of its longer side, else red."""
    image = Image.new("RGB", (width, height), RED)
    middle = (width // 3, 0, width - width // 3, height)
    if height > width:
        middle = (0, height // 3, width, height - height // 3)
    image.paste(BLUE, middle)
    return image


def test_an_image_that_covers_its_box_is_cut_at_both_ends(bench: Bench) -> None:
    bench.save(stripes(1500, 500))
    at = bench.look(face("cover"))
    for x, y in ((10.5, 10.5), (49.5, 10.5), (30, 30), (10.5, 49.5), (49.5, 49.5)):
        assert near(at(x, y), BLUE), (x, y)
    assert near(at(9, 30), GREEN)
    assert near(at(51, 30), GREEN)


def test_an_image_that_is_higher_than_its_box_is_cut_above_and_below(bench: Bench) -> None:
    bench.save(stripes(500, 1500))
    at = bench.look(face("cover"))
    for x, y in ((10.5, 10.5), (49.5, 10.5), (30, 30), (10.5, 49.5), (49.5, 49.5)):
        assert near(at(x, y), BLUE), (x, y)


def test_an_image_that_is_contained_is_whole_and_in_the_middle(bench: Bench) -> None:
    bench.save(stripes(1500, 500))
    at = bench.look(face("contain"))
    # It is 40 mm wide and 13.3 mm high, from 23.3 mm to 36.7 mm.
    assert near(at(11, 30), RED)
    assert near(at(30, 30), BLUE)
    assert near(at(49, 30), RED)
    assert near(at(30, 24), BLUE)
    assert near(at(30, 36), BLUE)
    assert near(at(30, 22.5), GREEN)
    assert near(at(30, 37.5), GREEN)


def test_a_high_image_that_is_contained_is_in_the_middle(bench: Bench) -> None:
    bench.save(stripes(500, 1500))
    at = bench.look(face("contain"))
    assert near(at(30, 11), RED)
    assert near(at(30, 30), BLUE)
    assert near(at(22.5, 30), GREEN)
    assert near(at(37.5, 30), GREEN)


@pytest.mark.parametrize("kind", ["png", "jpg"])
@pytest.mark.parametrize(("fit", "expected"), [("cover", (472, 472)), ("contain", (472, 236))])
def test_no_more_pixels_are_printed_than_300_dpi_need(
    bench: Bench, kind: str, fit: str, expected: tuple[int, int]
) -> None:
    bench.save(stripes(3000, 1500), f"a.{kind}")
    bench.print(face(fit))
    (embedded,) = bench.embedded()
    assert embedded.size == expected


def test_an_image_is_never_enlarged_but_its_coarseness_is_reported(bench: Bench) -> None:
    bench.save(halves(RED, BLUE, 50))
    code, said = bench.print()
    assert (code, codes(said)) == (0, ["I007"])
    assert "32 dpi" in said
    (embedded,) = bench.embedded()
    assert embedded.size == (50, 50)


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1)])
@pytest.mark.parametrize("fit", ["cover", "contain"])
def test_an_image_of_any_shape_is_printed(bench: Bench, size: tuple[int, int], fit: str) -> None:
    bench.save(Image.new("RGB", size, RED))
    assert near(bench.look(face(fit))(30, 30), RED)


def test_one_image_in_boxes_of_two_sizes_is_prepared_for_both(bench: Bench) -> None:
    bench.save(halves(RED, BLUE, 1000))
    small = '<image href="{{ card.image }}" width="10" height="10"/></face>'
    bench.print(face().replace("</face>", small))
    assert sorted(image.width for image in bench.embedded()) == [118, 472]


def test_one_image_on_many_cards_is_embedded_once(bench: Bench) -> None:
    bench.save(halves(RED, BLUE, 1000))
    again = '<image href="{{ card.image }}" x="20" y="45" width="40" height="40"/></face>'
    bench.print(face().replace("</face>", again))
    assert len(bench.embedded()) == 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the names of the images that Pillow opens."""
    names: list[str] = []
    original = Image.open

    def watched(path: Any, *arguments: Any, **options: Any) -> Image.Image:
        names.append(Path(str(getattr(path, "name", path))).name)
        return original(path, *arguments, **options)

    monkeypatch.setattr(Image, "open", watched)
    return names


def prepare(path: Path, side: float = 20) -> tuple[ImageStore, DrawImage, Report]:
    """Prepare an image as a new run does."""
    store, drawing = ImageStore(), DrawImage(path, Box(0, 0, side, side), cover=True)
    report: Report = []
    store.prepare([drawing], report)
    return store, drawing, report


@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_the_next_run_takes_an_image_from_the_cache(
    tmp_path: Path, opened: list[str], kind: str
) -> None:
    path = tmp_path / f"a.{kind}"
    halves(RED, BLUE, 600).save(path)
    first, drawing, _ = prepare(path)
    assert opened == [path.name]
    second, drawing, _ = prepare(path)
    assert opened == [path.name]
    assert second.get(drawing) == first.get(drawing)
    assert (second.get(drawing).width_px, second.get(drawing).height_px) == (236, 236)


def test_the_cache_knows_an_image_by_its_content(tmp_path: Path, opened: list[str]) -> None:
    path, copy = tmp_path / "a.png", tmp_path / "b.png"
    halves(RED, BLUE, 600).save(path)
    copy.write_bytes(path.read_bytes())
    prepare(path)
    prepare(copy)
    assert opened == ["a.png"]
    times = path.stat()
    halves(GREEN, BLUE, 600).save(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    store, drawing, _ = prepare(path)
    assert opened == ["a.png", "a.png"]
    with Image.open(store.get(drawing).path) as image:
        assert image.convert("RGB").getpixel((10, 10)) == GREEN


def test_another_size_or_fit_is_another_entry(tmp_path: Path, opened: list[str]) -> None:
    path = tmp_path / "a.png"
    halves(RED, BLUE, 600).save(path)
    prepare(path, 20)
    prepare(path, 10)
    contained = DrawImage(path, Box(0, 0, 20, 20), cover=False)
    ImageStore().prepare([contained], [])
    assert len(opened) == 3


def test_a_damaged_entry_of_the_cache_is_made_again(tmp_path: Path, opened: list[str]) -> None:
    path = tmp_path / "a.jpg"
    halves(RED, BLUE, 600).save(path)
    for number, rubbish in enumerate((b"", b"rubbish", b"\xff\xd8\xff"), 2):
        store, drawing, _ = prepare(path)
        store.get(drawing).path.write_bytes(rubbish)
        store, drawing, _ = prepare(path)
        assert len(opened) == number
        assert store.get(drawing).path.stat().st_size > 100


def test_findings_of_an_image_are_found_again_by_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    Image.new("CMYK", (50, 50)).save(path)
    reports = [sorted(finding.code.id for finding in prepare(path)[2]) for _ in range(2)]
    assert reports == [["I005", "I007"]] * 2


@pytest.mark.parametrize("place", ["a file", "read-only"])
def test_a_cache_that_cannot_be_written_is_no_reason_not_to_print(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = {"a file": str(tmp_path / "file"), "read-only": "/proc/nowhere"}[place]
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    bench.save(halves(RED, BLUE, 600))
    assert near(bench.look()(15, 30), RED)
