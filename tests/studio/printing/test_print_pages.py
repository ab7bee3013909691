"""The pages of a preview are those that are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pypdfium2 import raw
from starlette.testclient import TestClient

from conftest import edit
from deckwright import open_game
from deckwright.base.units import POINTS_PER_MM
from deckwright.studio.session import StudioSession
from support import write_decks
from visitors import page_of

Json = dict[str, Any]


@pytest.fixture(name="page")
def _page(tmp_path: Path) -> Iterator[TestClient]:
    desk = StudioSession(open_game(write_decks(tmp_path)), check=False)
    with page_of(desk) as page:
        yield page


def preview(page: TestClient, thing: str, *of: str, **options: object) -> Json:
    said = {"thing": thing, "of": of, "options": options}
    answer = page.post("/api/print/preview", json=said)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def pdf_pages(path: Path) -> list[tuple[Any, list[Any]]]:
    """Return the sizes of pages and, on each, the places of what is printed several times.

    All in mm from the top left; a place is that of the corner that faces begin at.
    """
    pages: list[tuple[Any, list[Any]]] = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            width, height = page.get_size()
            forms = page.get_objects(filter=(raw.FPDF_PAGEOBJ_FORM,), max_depth=1)
            places = [
                (
                    round(matrix.e / POINTS_PER_MM, 2),
                    round((height - matrix.f) / POINTS_PER_MM, 2),
                    round(matrix.a / POINTS_PER_MM, 3),
                )
                for matrix in (form.get_matrix() for form in forms)
            ]
            pages.append(
                ((round(width / POINTS_PER_MM, 1), round(height / POINTS_PER_MM, 1)), places)
            )
    return pages


def corner(slot: Json) -> tuple[float, ...]:
    """Return the corner of a slot that its face begins at, and how it is turned."""
    x, y = slot["x"], slot["y"]
    if slot["turn"]:
        x, y = x + slot["width"], y + slot["height"]
    return round(x, 2), round(y, 2), -1.0 if slot["turn"] else 1.0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"backs": True},
        {"backs": True, "flip": "short"},
        {"backs": True, "backs_apart": True, "back_offset": [1.5, -0.5]},
        {"sheet": "a3-65x90-bleed", "marks": "corners", "footer": False},
        {"sheet": "card", "backs": True},
        {"sheet": "a4-gutterfold"},
        {"sheet": "letter-poker", "scale": "fit"},
    ],
)
def test_they_are_those_of_the_pdf(
    page: TestClient, tmp_path: Path, options: dict[str, Any]
) -> None:
    edit(
        tmp_path / "xml" / "game.xml",
        'tag="card" name="Card" width="65" height="90" face="card.xml">',
        'tag="card" name="Card" width="65" height="90" face="card.xml" back="card.xml">',
    )
    told = preview(page, "decks", "good", **options)
    named: Any = {n: tuple(v) if isinstance(v, list) else v for n, v in options.items()}
    printed = open_game(tmp_path).deck("good").print(tmp_path / "out.pdf", **named)
    assert len(told["documents"]) == len(printed.paths)
    for document, path in zip(told["documents"], printed.paths, strict=True):
        pages = pdf_pages(path)
        shown = [(round(p["width"], 1), round(p["height"], 1)) for p in document["pages"]]
        assert shown == [size for size, _ in pages]
        for sheet, (_, places) in zip(document["pages"], pages, strict=True):
            corners = [corner(slot) for slot in sheet["slots"]]
            # What is printed once is no form.
            if options.get("scale") is None:
                assert set(places) <= set(corners)
            assert len(places) <= len(corners)
    assert told["sheets"] == printed.sheets
    assert told["empty"] == printed.empty


def test_what_has_changed_is_marked_also_in_a_part_and_in_a_draft(
    page: TestClient, tmp_path: Path
) -> None:
    open_game(tmp_path).deck("good").print(tmp_path / "out" / "deck_good.pdf")
    cards = tmp_path / "xml" / "Factions" / "AA_cards.xml"
    (name,) = re.findall(r'id="A1"[^>]* name="(\w+)"', cards.read_text(encoding="utf-8"))
    edit(cards, f'name="{name}"', 'name="Other"')

    def marks(**options: object) -> set[tuple[str, str | None]]:
        told = preview(page, "decks", "good", **options)
        (changed,) = told["changed"].values()
        assert changed["cards"] == 1
        slots = (slot for d in told["documents"] for p in d["pages"] for slot in p["slots"])
        return {(slot["name"], slot["state"]) for slot in slots}

    whole = marks()
    assert ("Other", "changed") in whole
    assert marks(only=["A1"]) == {("Other", "changed")}
    assert marks(copies=1) == whole
    assert marks(draft=True) == whole


def test_cards_in_the_head_of_a_deck_sheet_are_no_slots(page: TestClient, tmp_path: Path) -> None:
    game = tmp_path / "xml" / "game.xml"
    edit(game, ' deck="no"', "")
    edit(
        game,
        'face="card.xml">\n    <field name="level"',
        'face="card.xml" back="card.xml">\n    <field name="level"',
    )
    told = preview(page, "decks", "good", backs=True, backs_apart=True)
    fronts, backs = (document["pages"] for document in told["documents"])
    assert fronts[0]["slots"] == []
    assert fronts[1]["slots"][0]["copy"] == 1
    assert [side["behind"] for side in backs] == [[0, at] for at in range(1, len(fronts))]
