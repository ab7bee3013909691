"""How images fill their boxes, how large they are in the PDF, and how they are cached."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from conftest import Run
from deckwright.diagnostics import Report
from deckwright.face.ops import DrawImage
from deckwright.geometry import Box
from deckwright.images import ImageStore
from picture_bench import BLUE, GREEN, RED, Bench, codes, face, halves, near


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
@pytest.mark.parametrize(
    ("fit", "expected"), [("cover", (472, 472)), ("contain", (472, 236))]
)
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
    body = face().replace("</face>", "") + face("contain", 10, 10).partition("<image")[2]
    bench.print(body.replace('width="10" height="10"', 'width="10" height="10"').replace(
        "lime", "lime", 1).replace("\n             width=\"10\"", " width=\"10\""))
    assert sorted(image.width for image in bench.embedded()) == [118, 472]
