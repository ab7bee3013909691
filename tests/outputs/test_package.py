"""Packages for a printer: what is in the folder, what the job ticket says, how it is replaced."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pypdfium2 as pdfium
import pytest
from pypdf import PdfReader

import deckwright
import tagged
from conftest import Run, edit
from deckwright.base.files import stage_folder
from deckwright.outputs.package import making
from deckwright.outputs.package import ticket as ticket_module
from deckwright.outputs.package.ticket import TICKET_PDF, Ticket, as_json, measure_pdf, parse_ticket
from print_shop import hide_profiles, write_poker_game

NS = "{http://www.CIP4.org/JDFSchema_2_0}"
MM = 72 / 25.4
FACE = """<face>
  <rect x="-3" y="-3" width="69.5" height="94.9" fill="{{ card.faction.color }}"/>
  <text x="6" y="6" width="50" height="20" fill="#181818" ink="foil">{{ card.name }}</text>
</face>
"""
BACK = """<face>
  <rect x="-3" y="-3" width="69.5" height="94.9" fill="#7a1f1f"/>
  <text x="6" y="20" width="50" height="10" fill="#ffffff">REVERSE</text>
</face>
"""
BOOK = """<rulebook title="Rules"><chapter title="Begin"><p>Dig.</p></chapter></rulebook>"""


@pytest.fixture(scope="module", autouse=True)
def _no_profiles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        hide_profiles(tmp_path_factory.mktemp("share"), patch)
        yield


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in German whose names are foiled; only of its cards is the stock known."""
    game = write_poker_game(tmp_path_factory.mktemp("shop") / "game", FACE)
    (game / "templates" / "back.xml").write_text(BACK, encoding="utf-8")
    (game / "xml" / "rulebook.xml").write_text(BOOK, encoding="utf-8")
    setup = game / "xml" / "game.xml"
    inks = '<inks><ink id="foil" name="Hot Foil Gold"/></inks>'
    edit(setup, '<kind tag="card"', f'{inks}<kind tag="card" bleed="3" stock="310 g/m², black"')
    edit(setup, '<kind tag="token"', '<kind tag="token" bleed="3"')
    edit(setup, 'language="en"', 'language="de"')
    return game


class Made(NamedTuple):
    """A package and what the library says of it."""

    path: Path
    ticket: Ticket


@pytest.fixture(scope="module")
def made(shop: Path) -> Made:
    """A package with all that the game has, of which no test changes anything."""
    packaged = deckwright.open_game(shop).package(["hill"], shop / "package", sets=500)
    return Made(packaged.path, packaged.ticket)


@pytest.fixture
def pack(made: Made, tmp_path: Path) -> Path:
    """A copy of that package."""
    return shutil.copytree(made.path, tmp_path / "pack")


def small(game: Path, path: Path, **asked: Any) -> Any:
    """Make a package of cards alone, which takes the least time."""
    nothing = {"boxes": False, "markers": False, "rulebook": False, **asked}
    return deckwright.open_game(game).package(["hill"], path, **nothing)


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names_in(folder)}


def test_each_stock_and_each_other_thing_is_a_pile(made: Made) -> None:
    piles = [
        (pile.id, pile.kind, pile.pieces, pile.sides, pile.stock) for pile in made.ticket.piles
    ]
    assert piles == [
        ("hill_AA_card", "cards", 3, 2, "310 g/m², black"),
        ("hill_AA_token", "cards", 5, 2, ""),
        ("hill_box", "box", 1, 1, ""),
        ("rulebook", "rulebook", 1, 2, ""),
    ]
    cards = made.ticket.piles[0]
    assert (cards.designs, cards.trim, cards.bleed, cards.radius) == (2, (63.5, 88.9), 3, 3)
    assert cards.colors.inks == ("Hot Foil Gold",)
    assert (cards.colors.process, cards.colors.condition) == ("CMYK", "FOGRA39")
    box = made.ticket.piles[2]
    assert (box.colors.inks, box.colors.die) == (("Hot Foil Gold",), ("Crease", "CutContour"))
    assert box.trim < (210, 297)


def test_pdfs_have_the_pages_and_boxes_that_the_ticket_says(made: Made) -> None:
    for pile in made.ticket.piles:
        pages = PdfReader(made.path / pile.files[0]).pages
        assert len(pages) == pile.pages
        if pile.kind == "cards":
            assert pile.pages == 2 * pile.pieces
            for page in pages:
                assert float(page.trimbox.width) == pytest.approx(63.5 * MM, abs=0.01)
                assert float(page.mediabox.height) == pytest.approx(94.9 * MM, abs=0.01)


def test_the_checksums_are_those_of_all_files(made: Made) -> None:
    lines = (made.path / "SHA256SUMS").read_text("utf-8").splitlines()
    listed = {line[66:]: line[:64] for line in lines}
    assert set(listed) == names_in(made.path) - {"SHA256SUMS"}
    for name, digest in listed.items():
        assert hashlib.sha256((made.path / name).read_bytes()).hexdigest() == digest
    for file in made.ticket.files:
        assert (file.sha256, file.bytes) == (
            listed[file.name],
            (made.path / file.name).stat().st_size,
        )


def test_json_says_all_that_the_ticket_says(made: Made) -> None:
    text = (made.path / "ticket.json").read_text("utf-8")
    assert parse_ticket(text) == made.ticket
    data = json.loads(text)
    assert (data["format"], data["version"], data["sets"]) == ("deckwright-ticket", 1, 500)
    assert data["piles"][0]["trim"] == {"width": 63.5, "height": 88.9}


def test_xjdf_has_products_in_points_and_their_files(made: Made) -> None:
    root = ET.parse(made.path / "ticket.xjdf").getroot()
    assert (root.tag, root.get("Version"), root.get("Types")) == (f"{NS}XJDF", "2.1", "Product")
    assert [child.tag.removeprefix(NS) for child in root] == [
        "AuditPool", "ProductList", "ResourceSet", "ResourceSet",
    ]  # fmt: skip
    products = root.findall(f"{NS}ProductList/{NS}Product")
    assert {product.get("Amount") for product in products} == {"500"}
    pages = 0
    for product, pile in zip(products, made.ticket.piles, strict=True):
        layout = product.find(f".//{NS}LayoutIntent")
        assert layout is not None
        finished, flat = layout.get("FinishedDimensions"), layout.get("Dimensions")
        width, height = map(float, (finished or flat or "").split()[:2])
        assert (width / MM, height / MM) == pytest.approx(pile.trim, abs=0.001)
        assert (finished is None) == (pile.kind == "box")
        assert float(layout.get("Bleed", "")) / MM == pytest.approx(pile.bleed, abs=0.001)
        assert layout.get("Sides") == ("TwoSidedHeadToHead" if pile.sides == 2 else "OneSided")
        pages += int(layout.get("Pages", "0")) if pile.kind == "cards" else 0
    assert pages == 2 * (3 + 5)
    assert [len([*product.iter(f"{NS}ShapeCut")]) for product in products] == [0, 0, 1, 0]
    media = [intent.get("MediaQuality") for intent in root.iter(f"{NS}MediaIntent")]
    assert media == ["310 g/m², black"]
    runs = root.findall(f"{NS}ResourceSet[@Name='RunList']/{NS}Resource")
    assert [run.find(f"{NS}Part").get("Run") for run in runs] == [  # type: ignore[union-attr]
        product.get("ExternalID") for product in products
    ]
    for run in runs:
        file, pages_of = run.find(f".//{NS}FileSpec"), run.find(f"{NS}RunList")
        assert file is not None
        assert pages_of is not None
        path = made.path / file.get("URL", "")
        assert path.stat().st_size == int(file.get("FileSize", ""))
        assert len(PdfReader(path).pages) == int(pages_of.get("NPage", ""))


def test_xjdf_names_inks_by_tokens_and_says_what_these_are_called(made: Made) -> None:
    root = ET.parse(made.path / "ticket.xjdf").getroot()
    used = [surface.get("ColorsUsed") for surface in root.iter(f"{NS}SurfaceColor")]
    four = "Cyan Magenta Yellow Black"
    assert used == [
        *[f"{four} Hot_Foil_Gold"] * 4, f"{four} Hot_Foil_Gold", four, four,
    ]  # fmt: skip
    assert {s.get("PrintStandard") for s in root.iter(f"{NS}SurfaceColor")} == {"FOGRA39"}
    colors = root.findall(f"{NS}ResourceSet[@Name='Color']/{NS}Resource/*")
    assert [color.get("Separation") or color.get("ActualColorName") for color in colors] == [
        "Hot_Foil_Gold", "Hot Foil Gold",
    ]  # fmt: skip


def test_the_page_says_what_a_printer_asks(made: Made) -> None:
    text = "\n".join(page.extract_text() for page in PdfReader(made.path / "ticket.pdf").pages)
    flat = " ".join(text.split())
    wanted = ("Job ticket", "Deck: Card – Hill", "3 × 500 = 1500", "63,5 × 88,9 mm", "300 %",
              "CMYK + Hot Foil Gold", "PDF/X-4", "310 g/m², black", "hill_AA_card.pdf",
              "Crease, CutContour (not printed)")  # fmt: skip
    assert [said for said in wanted if said not in flat] == []
    for file in made.ticket.files:
        assert file.sha256 in flat.replace(" ", "")


def test_the_page_is_tagged_and_shows_the_first_card_and_its_back(made: Made) -> None:
    path = made.path / "ticket.pdf"
    assert tagged.find_faults(path) == []
    shown = [figure.said for figure in tagged.read_structure(path).all("Figure")]
    assert len(shown) == 2 + 2 + 1 + 1
    assert "Ant" in shown[0]
    assert "REVERSE" in shown[1]


def test_the_page_begins_at_the_right_in_a_language_from_right_to_left(
    shop: Path, made: Made, tmp_path: Path
) -> None:
    game = shutil.copytree(shop, tmp_path / "game")
    edit(game / "xml" / "game.xml", 'language="de"', 'language="he"')
    hebrew = deckwright.open_game(game).package(["hill"], tmp_path / "made").path

    def lefts(folder: Path, *texts: str) -> list[float]:
        with pdfium.PdfDocument(folder / "ticket.pdf") as document:
            page = document[0].get_textpage()
            found = (page.search(text).get_next() for text in texts)
            return [page.get_charbox(start)[0] / 72 * 25.4 for start, _ in filter(None, found)]

    texts = "Contact", "Pages", "CMYK"
    label, column, last = lefts(made.path, *texts)
    assert label < column < last
    assert label == pytest.approx(18, abs=1)
    label, column, last = lefts(hebrew, *texts)
    assert label > column > last
    assert label > 170


def test_what_nobody_has_said_is_a_line_to_write_on(made: Made) -> None:
    rows = tagged.read_structure(made.path / "ticket.pdf").all("TR")
    said = [[cell.text.strip() for cell in row.parts] for row in rows]
    empty = [cells[0] for cells in said if cells[1:] == [""]]
    assert empty == ["Made for", "Delivery date", "Contact", "Paper", "Paper", "Paper"]
    assert ["Paper", "310 g/m², black"] in said


def test_a_package_is_the_same_every_time(shop: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        small(shop, tmp_path / name, boxes=True, tokens=False, paper="letter")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_package_takes_the_place_of_an_older_one_as_a_whole(shop: Path, pack: Path) -> None:
    small(shop, pack, tokens=False)
    assert names_in(pack) == {"SHA256SUMS", "hill.pdf", "ticket.json", "ticket.pdf", "ticket.xjdf"}
    assert deckwright.verify_package(pack) == ()
    assert [path.name for path in pack.parent.iterdir()] == ["pack"]


@pytest.mark.parametrize("which", ["notes", "own", "sums", "file"])
def test_what_is_no_package_is_not_replaced(
    which: str, shop: Path, pack: Path, tmp_path: Path
) -> None:
    target = pack if which == "notes" else tmp_path / which
    if which == "file":
        target.write_text("mine", encoding="utf-8")
    else:
        target.mkdir(exist_ok=True)
        (target / "notes.txt").write_text("Ask about foil.", encoding="utf-8")
    if which == "sums":
        (target / "SHA256SUMS").write_text(f"{'0' * 64}  notes.txt\n", encoding="utf-8")
    before = contents(tmp_path)
    with pytest.raises(deckwright.GameError, match="E100"):
        small(shop, target)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_run_that_ends_half_way_leaves_the_old_package(
    error: Any,
    shop: Path,
    pack: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: object) -> bytes:
        raise error

    before = contents(pack)
    monkeypatch.setattr(making, "as_xjdf", fail)
    with pytest.raises((KeyboardInterrupt, deckwright.GameError)):
        small(shop, pack)
    assert contents(pack) == before
    assert [path.name for path in pack.parent.iterdir()] == ["pack"]


def test_what_was_killed_while_it_replaced_a_folder_is_put_back(tmp_path: Path) -> None:
    old = tmp_path / ".pack.123456.old"
    old.mkdir()
    (old / "ticket.json").write_text("{}", encoding="utf-8")
    with stage_folder(tmp_path / "pack"):
        assert names_in(tmp_path / "pack") == {"ticket.json"}
    assert [path.name for path in tmp_path.iterdir()] == ["pack"]


def test_a_mistake_in_a_deck_keeps_the_package_from_being_made(shop: Path, tmp_path: Path) -> None:
    game = shutil.copytree(shop, tmp_path / "game", ignore=shutil.ignore_patterns("package"))
    edit(game / "xml" / "Decks" / "hill.xml", 'id="A2"', 'id="A9"')
    with pytest.raises(deckwright.GameError, match="R0"):
        small(game, tmp_path / "pack")
    assert not (tmp_path / "pack").exists()


def test_cards_on_different_stocks_are_different_piles(shop: Path, tmp_path: Path) -> None:
    game = shutil.copytree(shop, tmp_path / "game", ignore=shutil.ignore_patterns("package"))
    setup = game / "xml" / "game.xml"
    text = setup.read_text(encoding="utf-8").replace(' back="back.xml"', "")
    setup.write_text(text, encoding="utf-8")
    apart = small(game, tmp_path / "pack", anyway=True).ticket.piles
    assert [(pile.pieces, pile.stock) for pile in apart] == [(3, "310 g/m², black"), (5, "")]
    setup.write_text(text.replace(' stock="310 g/m², black"', ""), encoding="utf-8")
    (together,) = small(game, tmp_path / "pack", anyway=True).ticket.piles
    assert (together.id, together.pieces, together.title) == ("hill", 8, "Card, Token – Hill")


def test_masks_of_inks_go_with_their_pile(shop: Path, tmp_path: Path) -> None:
    packaged = small(shop, tmp_path / "pack", inks="pages", tokens=False)
    (pile,) = packaged.ticket.piles
    assert pile.files == ("hill.pdf", "hill_foil.pdf")
    assert deckwright.verify_package(tmp_path / "pack") == ()


def test_a_service_that_takes_pictures_gets_pictures(shop: Path, tmp_path: Path) -> None:
    packaged = small(shop, tmp_path / "pack", service="mpc", tokens=False)
    (pile,) = packaged.ticket.piles
    assert (pile.pages, pile.stock) == (0, "310 g/m², black")
    assert {"hill/fronts/A1.png", "hill/cards.xml"} < set(pile.files)
    assert "hill/" in " ".join(
        PdfReader(tmp_path / "pack" / "ticket.pdf").pages[0].extract_text().split()
    )
    assert deckwright.verify_package(tmp_path / "pack") == ()


def test_the_command_makes_a_package_and_verifies_it(shop: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "pack"
    few = ("--no-boxes", "--no-rulebook", "--no-tokens")
    result = run("package", "hill", "--game", str(shop), "--out", str(out), "--sets", "20", *few)
    assert result.exit_code == 0, result.stderr
    assert "3 pieces, 63.5 × 88.9 mm, 6 pages, CMYK + Hot Foil Gold, 20 times" in result.stdout
    verified = run("package", "--verify", str(out))
    assert (verified.exit_code, verified.stdout) == (0, f"{out} is complete and unchanged\n")
    with (out / "hill.pdf").open("ab") as stream:
        stream.write(b"%")
    (out / "extra.pdf").write_bytes(b"")
    (out / "ticket.pdf").unlink()
    verified = run("package", "--verify", str(out))
    assert verified.exit_code == 1
    assert [code for code in ("E101", "E102", "E103") if code in verified.stderr] == [
        "E101", "E102", "E103",
    ]  # fmt: skip
    assert run("package", "hill", "--verify", str(out)).exit_code == 2


def _of(pack: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """Return the codes of what is found in a package with a ticket that says something else."""
    path = pack / "ticket.json"
    data = json.loads(path.read_text("utf-8"))
    old = hashlib.sha256(path.read_bytes()).hexdigest()
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    edit(pack / "SHA256SUMS", old, hashlib.sha256(path.read_bytes()).hexdigest())
    return [finding.code.id for finding in deckwright.verify_package(pack)]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda ticket: ticket["piles"][0].update(pages=8), ["E104"]),
        (lambda ticket: ticket["piles"][0]["trim"].update(width=63), ["E104"]),
        (lambda ticket: ticket["piles"][0].update(bleed=2), ["E104"]),
        (lambda ticket: ticket["piles"][3].update(pages=1), ["E104"]),
        (lambda ticket: ticket["piles"][0].update(files=["other.pdf"]), ["E104"]),
        (lambda ticket: ticket.update(version=2), ["E100"]),
        (lambda ticket: ticket.update(piles=[{}]), ["E100"]),
        (lambda ticket: ticket["piles"][0].update(bleed="wide"), ["E100"]),
        (lambda ticket: ticket["piles"][0].update(files=["a\0b"]), ["E100"]),
        (lambda ticket: ticket["piles"][0].update(files=["\ud800"]), ["E100"]),
        (lambda ticket: ticket.update(date="soon"), ["E100"]),
        (lambda ticket: ticket["files"][0].update(pages=10**400), ["E104"]),
        (lambda ticket: ticket.update(unknown=1), []),
    ],
)
def test_a_ticket_that_says_something_else_is_told_of(
    change: Callable[[dict[str, Any]], object], found: list[str], pack: Path
) -> None:
    assert _of(pack, change) == found


@pytest.mark.parametrize("text", ["no list", f"{'0' * 64}  /etc/passwd", "\ufffd"])
def test_a_list_of_checksums_is_not_believed(text: str, pack: Path) -> None:
    (pack / "SHA256SUMS").write_text(text + "\n", encoding="utf-8")
    found = deckwright.verify_package(pack)
    assert {finding.code.id for finding in found} & {"E101", "E102"}
    assert [f.code.id for f in found if "passwd" in f.message] == ["E101"] * text.count("passwd")


def test_a_pdf_that_is_too_large_is_told_of_and_not_read(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticket_module, "MAX_PDF_BYTES", 1_000)
    pdfs = sorted(path for path in pack.rglob("*.pdf") if path.name != TICKET_PDF)
    found = list(ticket_module.verify_folder(pack))
    assert sorted(each.location.path for each in found if each.location) == pdfs
    assert {each.code.id for each in found} == {"E104"}
    assert all("is too large to check: it has more than 1,000 bytes" in e.message for e in found)


def test_a_file_that_is_no_pdf_is_no_accident() -> None:
    with pytest.raises(ValueError, match="cannot be read as a PDF"):
        measure_pdf(b"%PDF-1.7\nbroken")
    assert measure_pdf(
        (Path(__file__).parents[1] / "diagnostics/E101/good/pack/ember.pdf").read_bytes()
    ).trim


def test_a_ticket_without_sets_and_with_all_it_can_say_is_read_back(made: Made) -> None:
    ticket = made.ticket._replace(sets=None, printer="Corner Press", back_first=True)
    assert parse_ticket(as_json(ticket)) == ticket
