"""Many decks of one game, printed by a worker that paints each face once."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from conftest import ROOT, SMALL, edit
from deckwright.base.findings import Report
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.outputs.deck_printer import DeckPrinter, PrintedDecks
from deckwright.outputs.decks import print_decks
from deckwright.paint.pdf import document
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS, SheetOptions
from deckwright.sheet.pages import Page
from rasters import different_share
from support import load_all
from tagged import find_faults, read_structure

LOOKS = """  <g opacity="0.6"><rect x="40" y="60" width="20" height="9" fill="linear-gradient(45deg,
    {{ card.faction.color }}, #ffffff)"/></g>
  <text x="24" y="70" width="20" height="5">{{ printed.owner }}</text>
  <image href="veil.png" x="2" y="70" width="20" height="15"/>
</face>"""
"""What the faces of the small game lack: colors that run, and what one can see through."""
ROUND: SheetOptions = DEFAULT_SHEET_OPTIONS._replace(backs=True, fill=True)
"""Everything that a deck can be printed with."""


class Shop:
    """A game, and decks of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = GameFolder(folder)
        self.game: Game = load_all(folder)
        self.decks = [self.read(path) for path in sorted(self.folder.deck_lists())]

    def read(self, path: Path) -> Deck:
        deck = load.load_deck(path, self.folder, self.game.setup, [])
        assert deck is not None
        return deck

    def printer(self, options: SheetOptions = ROUND) -> DeckPrinter:
        report: Report = []
        printer = DeckPrinter(self.game, self.folder, report, options)
        assert printer.usable, report
        return printer


def whole(printer: DeckPrinter, deck: Deck) -> PrintedDecks:
    report: Report = []
    printed = printer.print_many([deck], report)
    assert printed is not None, report
    return printed


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder = Path(shutil.copytree(SMALL, tmp_path_factory.mktemp("shop") / "small"))
    template = folder / "templates" / "card.xml"
    text = template.read_text(encoding="utf-8")
    template.write_text(text.replace("</face>", LOOKS), encoding="utf-8")
    veil = Image.linear_gradient("L").resize((40, 40))
    veiled = Image.merge("RGBA", (veil, veil, veil, veil))
    veiled.save(folder / "img" / "veil.png")
    return Shop(folder)


@pytest.fixture(scope="module")
def both(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A deck as it is printed alone, and as one of many."""
    folder = tmp_path_factory.mktemp("both")
    alone, one_of_many = folder / "alone.pdf", folder / "many.pdf"
    path = min(shop.folder.deck_lists())
    assert print_decks(shop.folder, [path], alone, [], ROUND)
    one_of_many.write_bytes(whole(shop.printer(), shop.decks[0]).pdf)
    return alone, one_of_many


def pictures(path: Path) -> list[Image.Image]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=1.5).to_pil() for page in pdf]


def test_a_deck_of_many_looks_like_one_printed_alone(both: tuple[Path, Path]) -> None:
    alone, one_of_many = map(pictures, both)
    assert len(alone) == len(one_of_many) > 2
    for one, other in zip(alone, one_of_many, strict=True):
        # What is painted on a page itself and not as a form has edges that are smoothed otherwise.
        assert different_share(one, other, off_by=3) == 0
        assert different_share(one, other, off_by=0) < 0.002


def test_a_deck_of_many_says_what_one_printed_alone_says(both: tuple[Path, Path]) -> None:
    alone, one_of_many = map(pikepdf.Pdf.open, both)
    first, second = (
        [(part.role, part.said, part.places, str(part.attributes)) for part in tree.within()]
        for tree in map(read_structure, both)
    )
    assert first == second
    assert str(one_of_many.Root.Lang) == str(alone.Root.Lang)
    with alone.open_outline() as one, one_of_many.open_outline() as other:
        assert [each.title for each in other.root] == [each.title for each in one.root]
    told = {name: str(value) for name, value in one_of_many.docinfo.items()}
    same = {name: str(alone.docinfo[name]) for name in told}
    assert told == same
    boxes = [[*map(float, page.mediabox)] for page in one_of_many.pages]
    assert boxes == [pytest.approx([*map(float, page.mediabox)], abs=1e-3) for page in alone.pages]


def test_a_deck_of_many_is_for_archives_and_screen_readers(both: tuple[Path, Path]) -> None:
    assert find_faults(both[1]) == []
    with pikepdf.Pdf.open(both[1]) as pdf:
        assert pdf.check_pdf_syntax() == []


def test_a_face_is_one_form_in_a_file(shop: Shop) -> None:
    printed = whole(shop.printer(), shop.decks[0])
    shown = {(id(p.face), p.reach) for page in printed.decks[0].pages for p in page.faces}
    with pikepdf.Pdf.open(io.BytesIO(printed.pdf)) as pdf:
        forms = [each for each in pdf.objects if _is_form(each)]
    assert len(forms) == len(shown) < len(printed.decks[0].copies)


def _is_form(each: pikepdf.Object) -> bool:
    return isinstance(each, pikepdf.Stream) and each.get("/Subtype") == pikepdf.Name.Form


def test_the_manifest_is_that_of_a_deck_printed_alone(shop: Shop, tmp_path: Path) -> None:
    path = min(shop.folder.deck_lists())
    alone = print_decks(shop.folder, [path], tmp_path / "alone.pdf", [], ROUND)
    assert alone is not None
    assert whole(shop.printer(), shop.decks[0]).decks[0].manifest == alone.manifests[0]


@pytest.fixture(scope="module")
def named(shop: Shop) -> list[Deck]:
    """Decks of all sorts: with rare letters in their names, and with a mistake."""
    one, other = shop.decks[:2]
    return [
        one,
        other,
        one._replace(name="Żółć", stem="b"),
        other._replace(name="Ωμέγα 7"),
        one._replace(name="Дом"),
        one._replace(printed=(("owner", "Ada"),)),
        one._replace(entries=(other.entries[0]._replace(copies=9), *one.entries)),
    ]


Told = tuple[bytes | None, tuple[object, ...]]


@pytest.fixture(scope="module")
def afresh(shop: Shop, named: list[Deck]) -> list[Told]:
    """What workers say of each deck that have printed no other."""
    return [told(shop.printer(), deck) for deck in named]


def told(printer: DeckPrinter, deck: Deck) -> Told:
    report: Report = []
    printed = printer.print_many([deck], report)
    return (printed and printed.pdf), (*report, *(printed.findings if printed else ()))


@settings(max_examples=6, deadline=None)
@example(order=[3, 2, 4, 2], room=1 << 30)
@given(
    order=st.lists(st.integers(0, 6), min_size=2, max_size=6), room=st.sampled_from((0, 1 << 30))
)
def test_what_is_printed_depends_on_no_other_deck(
    shop: Shop, named: list[Deck], afresh: list[Told], order: list[int], room: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "_MAX_CACHE_BYTES", room)
        printer = shop.printer()
        for number in order:
            data, findings = told(printer, named[number])
            same = data == afresh[number][0]  # they are too long to be shown
            assert same
            assert findings == afresh[number][1]


def test_letters_that_are_rarely_printed_can_be_copied(afresh: list[Told]) -> None:
    for number, name in ((2, "Żółć"), (3, "Ωμέγα 7"), (4, "Дом")):
        data, findings = afresh[number]
        assert data is not None, findings
        with pypdfium2.PdfDocument(data) as pdf:
            assert name in "".join(page.get_textpage().get_text_range() for page in pdf)


def test_a_deck_with_a_mistake_is_not_printed(afresh: list[Told]) -> None:
    data, findings = afresh[6]
    assert data is None
    assert findings


def test_every_deck_is_told_of_what_is_doubtful(shop: Shop, tmp_path: Path) -> None:
    printer = shop.printer()
    once, again = (whole(printer, shop.decks[0]).findings for _ in range(2))
    path = min(shop.folder.deck_lists())
    warnings: Report = []
    alone = print_decks(shop.folder, [path], tmp_path / "alone.pdf", warnings, ROUND)
    assert alone is not None
    assert [*once] == warnings
    assert "I007" in [finding.code.id for finding in once]
    assert again == once


def texts(data: bytes) -> list[str]:
    with pypdfium2.PdfDocument(data) as pdf:
        return [page.get_textpage().get_text_range() for page in pdf]


def test_values_are_printed_on_all_cards_or_on_one(shop: Shop) -> None:
    deck = shop.decks[0]
    first, *others = deck.entries
    own = deck._replace(
        printed=(("owner", "Ada"), ("unasked", "-")),
        entries=(first._replace(printed=(("owner", "Bob"),)), *others),
    )
    printer = shop.printer()
    text = "".join(texts(whole(printer, own).pdf))
    assert text.count("Bob") == first.copies
    assert text.count("Ada") == sum(entry.copies for entry in others)


def test_what_was_printed_on_one_deck_is_not_kept(shop: Shop) -> None:
    deck, printer = shop.decks[0], shop.printer()
    own = deck._replace(printed=(("owner", "Ada"),))
    for owner in ("Bob", "Cid"):
        whole(printer, deck._replace(printed=(("owner", owner),)))
    whole(printer, deck)
    kept = printer.cached_faces
    for _ in range(3):
        printed = whole(printer, own)
        # Each face has its digest until another deck is printed.
        entries = {entry.face for entry in printed.decks[0].manifest.entries}
        assert {printer.digests.of(copy.face) for copy in printed.decks[0].copies} == entries
        assert printer.print_boxes([own], "a3", [])
    whole(printer, deck)
    assert printer.cached_faces == kept


@pytest.fixture(scope="module")
def owned(shop: Shop) -> bytes:
    """A deck all of whose cards say whose they are."""
    return whole(shop.printer(), shop.decks[0]._replace(printed=(("owner", "Ada"),))).pdf


def test_what_is_printed_on_one_deck_looks_as_if_its_template_said_so(
    shop: Shop, owned: bytes, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(shop.folder.path, tmp_path / "small"))
    edit(folder / "templates" / "card.xml", "{{ printed.owner }}", "Ada")
    printed, path = tmp_path / "owned.pdf", min(GameFolder(folder).deck_lists())
    printed.write_bytes(owned)
    assert print_decks(GameFolder(folder), [path], tmp_path / "alone.pdf", [], ROUND)
    for one, other in zip(pictures(tmp_path / "alone.pdf"), pictures(printed), strict=True):
        assert different_share(one, other, off_by=3) == 0


def forms_of(data: bytes) -> list[tuple[bytes, list[bytes]]]:
    """Return what forms draw, each with what it has in common with other decks' faces."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [
            (form.read_bytes(), [inner.read_bytes() for _, inner in _inside(form)])
            for form in pdf.objects
            if _is_form(form)
        ]


def _inside(form: pikepdf.Object) -> list[tuple[str, pikepdf.Object]]:
    within = form.Resources.get("/XObject", pikepdf.Dictionary()).items()
    return [(name, inner) for name, inner in within if name.startswith("/Run")]


def test_what_cards_have_in_common_with_other_decks_is_painted_once(
    shop: Shop, owned: bytes
) -> None:
    printer = shop.printer()
    other = whole(printer, shop.decks[0]._replace(printed=(("owner", "Bob"),))).pdf
    kept = printer.cached_faces
    again = whole(printer, shop.decks[0]._replace(printed=(("owner", "Ada"),)))
    assert (again.pdf == owned, printer.cached_faces) == (True, kept)
    elsewhere = {drawn for drawn, _ in forms_of(other)}
    faces = [(own, shared) for own, shared in forms_of(owned) if shared]
    assert len(faces) > 2
    for own, shared in faces:
        assert own not in elsewhere
        assert elsewhere.issuperset(shared)
        assert len(own) < sum(map(len, shared))


def test_cards_of_one_deck_alone_are_for_screen_readers(owned: bytes, tmp_path: Path) -> None:
    path = tmp_path / "owned.pdf"
    path.write_bytes(owned)
    assert find_faults(path) == []
    assert "".join(texts(owned)).count("Ada") > 2


def test_what_there_is_not_without_a_value_is_shared_with_nobody(
    shop: Shop, tmp_path: Path
) -> None:
    """What fails for others is no fault of a deck that has the value."""
    folder = Path(shutil.copytree(shop.folder.path, tmp_path / "small"))
    edit(
        folder / "templates" / "card.xml", "{{ printed.owner }}", "{{ 'xyz'[:6 // printed.n|int] }}"
    )
    other = Shop(folder)
    printed = whole(other.printer(), other.decks[0]._replace(printed=(("n", "3"),)))
    assert "xy" in "".join(texts(printed.pdf))
    assert not any(shared for _, shared in forms_of(printed.pdf))


def test_what_was_drawn_for_one_deck_alone_is_forgotten(shop: Shop) -> None:
    printer = shop.printer()
    drawn = []
    for number in range(6):
        whole(printer, shop.decks[0]._replace(printed=(("owner", f"Owner {number}"),)))
        drawn.append(printer._factory.count_drawn())  # noqa: SLF001 - nobody else asks
    assert len({*drawn[2:]}) == 1


def test_one_card_is_printed_again(shop: Shop) -> None:
    deck = shop.decks[0]
    entry = deck.entries[-1]
    report: Report = []
    printed = shop.printer().print_many([deck], report, only=entry.card_id)
    assert printed is not None, report
    assert [copy.card.id for copy in printed.decks[0].copies] == [entry.card_id] * entry.copies
    assert len(printed.decks[0].pages) == 2
    assert printed.decks[0].manifest == whole(shop.printer(), deck).decks[0].manifest
    assert shop.printer().print_many([deck], report, only="nobody") is None
    assert "there is no card `nobody`" in report[-1].message


def test_decks_in_one_file_have_their_own_pages(shop: Shop) -> None:
    def sheet(number: int) -> list[Page]:
        return [Page(210, 297, bookmark=f"Deck {number}")]

    printer, decks = shop.printer(), shop.decks[:2]
    alone = [texts(whole(printer, deck).pdf) for deck in decks]
    together = printer.print_many(decks, [], pages_before=sheet)
    assert together is not None
    assert texts(together.pdf) == ["", *alone[0], "", *alone[1]]
    assert [len(deck.pages) for deck in together.decks] == [len(pages) for pages in alone]


def test_a_stock_keeps_no_more_than_it_has_room_for(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    printer = shop.printer()
    whole(printer, shop.decks[0])
    before = printer.cached_faces
    monkeypatch.setattr(document, "_MAX_CACHE_BYTES", 1)
    printer = shop.printer()
    whole(printer, shop.decks[0])
    whole(printer, shop.decks[1])
    assert before > printer.cached_faces == 1


@pytest.mark.parametrize("back", [True, False])
def test_backs_apart_are_a_file_of_their_own(shop: Shop, *, back: bool) -> None:
    printed = whole(shop.printer(ROUND._replace(backs=back, separate_backs=True)), shop.decks[0])
    assert (printed.backs is not None) == back
    assert len(printed.decks[0].back_pages) == (back and 1)


def test_faces_are_marked_in_each_deck(shop: Shop) -> None:
    printer = shop.printer(ROUND._replace(watermark="TEST"))
    first = whole(printer, shop.decks[0]).pdf
    whole(printer, shop.decks[1])
    assert whole(printer, shop.decks[0]).pdf == first != whole(shop.printer(), shop.decks[0]).pdf


def test_pictures_of_cards_on_deck_sheets_are_painted_once() -> None:
    shop = Shop(ROOT / "examples" / "mosaic")
    printer = shop.printer(DEFAULT_SHEET_OPTIONS)
    first = [whole(printer, deck).pdf for deck in shop.decks]
    painted = printer.cached_faces
    assert [whole(printer, deck).pdf for deck in shop.decks] == first
    assert printer.cached_faces == painted
