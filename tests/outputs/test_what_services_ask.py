"""What each print service asks for besides sizes: files of their own for backs, blacks, stocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pikepdf
import pytest
from click.testing import Result
from pypdf import PdfReader

from conftest import edit
from deckwright.outputs.press.icc import BUNDLED
from deckwright.outputs.press.inks import InkConverter
from deckwright.outputs.services.profile import PageOrder, load_service
from deckwright.outputs.services.profile import Service as Profile
from print_shop import hide_profiles, open_shop

Run = Callable[..., Result]
MM = 72 / 25.4


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    hide_profiles(tmp_path, monkeypatch)
    return open_shop(tmp_path / "game", monkeypatch)


def profile(name: str) -> Profile:
    service = load_service(name, Path("nowhere"), [])
    assert service is not None
    return service


def texts(path: Path) -> list[str]:
    return [page.extract_text() for page in PdfReader(path).pages]


def fills(path: Path) -> set[str]:
    """Return the inks that a PDF fills shapes with."""
    with pikepdf.open(path) as pdf:
        forms = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
        drawn = [item for item in forms if item.get("/Subtype") == "/Form"]
        return {
            " ".join(f"{float(ink):.2f}" for ink in operands)
            for holder in (*(page.obj for page in pdf.pages), *drawn)
            for operands, operator in pikepdf.parse_content_stream(holder)
            if str(operator) == "k"
        }


def own(game: Path, **attributes: str) -> None:
    said = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    folder = game / "xml" / "services"
    folder.mkdir(exist_ok=True)
    text = f'<service name="Own" files="pdf" bleed="3" color="cmyk" {said}/>'
    (folder / "own.xml").write_text(text, encoding="utf-8")


def test_meinspiel_gets_as_many_backs_in_a_file_of_their_own(game: Path, run: Run) -> None:
    assert profile("meinspiel").pages is PageOrder.SEPARATE
    own(game, pages="separate")
    result = run("export", "service", "own", "hill", "--no-tokens")
    assert result.exit_code == 0, result.stderr
    assert "backs       out/own_hill_backs.pdf\n" in result.stdout
    assert texts(game / "out" / "own_hill.pdf") == ["Ant", "Ant", "Queen"]
    assert texts(game / "out" / "own_hill_backs.pdf") == ["REVERSE"] * 3


def test_longpack_gets_one_back_last_or_all_of_them_apart(game: Path, run: Run) -> None:
    assert profile("longpack").pages is PageOrder.BACK_LAST
    own(game, pages="back-last")
    assert run("export", "service", "own", "hill", "--no-tokens").exit_code == 0
    assert texts(game / "out" / "own_hill.pdf") == ["Ant", "Ant", "Queen", "REVERSE"]
    assert not (game / "out" / "own_hill_backs.pdf").exists()
    edit(game / "templates" / "back.xml", "REVERSE", "{{ card.name }} back")
    assert run("export", "service", "own", "hill", "--no-tokens").exit_code == 0
    assert texts(game / "out" / "own_hill.pdf") == ["Ant", "Ant", "Queen"]
    assert texts(game / "out" / "own_hill_backs.pdf") == ["Ant back", "Ant back", "Queen back"]


@pytest.mark.parametrize(
    ("name", "black"),
    [
        ("mbprint", (30, 30, 0, 100)),
        ("dtc", (60, 40, 40, 100)),
        ("longpack", (40, 0, 0, 100)),
        ("meinspiel", (0, 0, 0, 100)),
    ],
)
def test_black_areas_have_the_inks_that_the_service_names(
    name: str, black: tuple[int, ...], game: Path, run: Run
) -> None:
    service = profile(name)
    assert service.black == black
    assert sum(black) <= service.max_ink
    edit(
        game / "templates" / "card.xml",
        "</face>",
        '<rect x="9" y="70" width="40" height="9" fill="#000000"/></face>',
    )
    edit(game / "templates" / "card.xml", "#181818", "#000000")
    own(game, black=" ".join(map(str, black)), ink=str(service.max_ink))
    assert run("export", "service", "own", "hill").exit_code == 0
    found = fills(game / "out" / "own_hill.pdf")
    assert " ".join(f"{share / 100:.2f}" for share in black) in found
    assert "0.00 0.00 0.00 1.00" in found, "letters are black alone"


def test_a_deep_black_keeps_the_limit() -> None:
    inks = InkConverter(BUNDLED.read_bytes(), 200, (60, 40, 40, 100))
    assert sum(inks.convert_color("#000000").cmyk) <= 200 * 255 / 100
    assert inks.convert_color("#000000").cmyk[3] == 255
    assert inks.convert_text("#000000") == (0, 0, 0, 255)


def test_figures_of_meinspiel() -> None:
    service = profile("meinspiel")
    assert (service.min_text, service.min_light_text, service.min_line) == (6, 7, 0.5)
    assert (service.bleed, service.safe, service.radius) == (3, 4, 5)


@pytest.mark.parametrize("boxes", ["bleed", "plain"])
def test_the_page_of_a_tuck_box_has_bleed_or_holds_it(boxes: str, game: Path, run: Run) -> None:
    assert profile("dtc").plain_boxes
    assert not profile("press").plain_boxes
    own(game, boxes=boxes)
    assert run("tuckbox", "hill", "--service", "own").exit_code == 0
    (page,) = PdfReader(next((game / "out").glob("own_box*.pdf"))).pages
    edge = 3 * MM if boxes == "bleed" else 0
    assert float(page.trimbox.left) == pytest.approx(edge, abs=0.01)
    assert float(page.mediabox.width - page.trimbox.width) == pytest.approx(2 * edge, abs=0.01)


def test_a_box_is_as_large_on_paper_with_bleed_as_without(game: Path, run: Run) -> None:
    sizes = []
    for boxes in ("bleed", "plain"):
        own(game, boxes=boxes)
        assert run("tuckbox", "hill", "--service", "own", "-o", f"{boxes}.pdf").exit_code == 0
        (page,) = PdfReader(game / f"{boxes}.pdf").pages
        sizes.append((float(page.mediabox.width), float(page.mediabox.height)))
    assert sizes[0] == pytest.approx(sizes[1], abs=0.01)


def details(game: Path, service: str) -> dict[str, str | None]:
    order = ET.parse(game / "out" / f"{service}_hill" / "cards.xml")
    return {item.tag: item.text for item in order.find("details") or ()}


def test_an_order_of_mpc_names_stock_and_foil(game: Path, run: Run) -> None:
    assert run("export", "mpc", "hill").exit_code == 0
    assert details(game, "mpc")["stock"] == "(S30) Standard Smooth"
    assert details(game, "mpc")["foil"] == "false"
    assert run("export", "mpc", "hill", "--stock", "S33", "--foil").exit_code == 0
    assert details(game, "mpc")["stock"] == "(S33) Superior Smooth"
    assert details(game, "mpc")["foil"] == "true"
    assert run("export", "printerstudio", "hill", "--stock", "(M31) Linen").exit_code == 0
    assert details(game, "printerstudio")["stock"] == "(M31) Linen"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("mpc", "--stock", "S31"), "MakePlayingCards has no stock `S31`"),
        (("mpc", "--stock", "P10", "--foil"), "MakePlayingCards makes no foil on (P10) Plastic"),
        (("printerstudio", "--stock", "S27"), "PrinterStudio has no stock `S27`"),
        (("printerstudio", "--foil"), "PrinterStudio makes no foil on (S30) Standard Smooth"),
        (("dtc", "--stock", "S33"), "orders for DriveThruCards name no stock"),
        (("tgc", "--foil"), "The Game Crafter makes no foil on its cards"),
    ],
)
def test_a_stock_that_a_service_has_not_is_a_fault_of_use(
    arguments: tuple[str, ...], told: str, game: Path, run: Run
) -> None:
    service, *options = arguments
    result = run("export", service, "hill", *options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not (game / "out").exists()
