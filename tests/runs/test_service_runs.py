"""Runs for print services: what decks get there is what each gets by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw

from conftest import Run
from deckwright.api import GameError, RunPrint, open_game
from deckwright.base.findings import ChoiceError, Report
from deckwright.base.output import OutputError
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_deck
from deckwright.outputs.press.pdfx import find_broken_rules
from deckwright.outputs.services import order_printer
from deckwright.outputs.services.order_printer import PdfOrderPrinter, open_printer
from deckwright.paint.pdf.metadata import X1A, X4
from deckwright.runs import open_run, plan_run
from deckwright.runs.archive import unpack
from deckwright.runs.manifest import ManifestRecord
from deckwright.runs.options import resolve_run_order
from deckwright.runs.plan import GAME, RunPlan, belongs_to_deck, make_plan, read_plan
from deckwright.runs.scheduler import is_intact
from deckwright.runs.worker import RunPrinter
from deckwright.sheet import printers
from deckwright.sheet.grid import Flip, Margins
from deckwright.sheet.printers import save_printer, settings_file
from icc import press_profile
from print_shop import hide_profiles, open_rgb, write_poker_game
from rasters import different_share
from support import data, line, load_all

FACE = """<face>
  <rect x="-3" y="-3" width="69.5" height="94.9" fill="#408060"/>
  <rect x="8" y="40" width="40" height="8" fill="linear-gradient(0deg, #204060, #a0c0e0)"/>
  <text x="8" y="8" width="48" height="14" fill="#c9a227" ink="foil">{{ card.name }}</text>
  <text x="8" y="26" width="48" height="8" fill="#000000">{{ printed.owner }}</text>
  <g opacity="0.5"><circle cx="12" cy="30" r="9" fill="#ffee88"/></g>
  <image href="seal.png" x="40" y="66" width="14" height="14"/>
</face>
"""
DECKS = {
    "one": [("A1", 2), ("A2", 1)],
    "two": [("A2", 1), ("A1", 1)],
    "own": [("A1", 1), ("A2", 2)],
}
OWNERS = {"own": "Ada"}
"""What is printed on the cards of a deck."""
OPTIONS: dict[str, Mapping[str, Any]] = {
    "x-4": {"service": "press", "state_pdfx": True},
    "x-1a": {"service": "press", "pdfx": "x-1a", "state_pdfx": True},
    "masks": {"service": "press", "inks": "pages", "tokens": False},
    "rgb": {"service": "mbprint", "icc": "none", "anyway": True, "watermark": "Draft"},
    "larger": {"service": "meinspiel", "scale": "fit", "anyway": True},
    "apart": {"service": "longpack", "icc": "press.icc", "tokens": False, "anyway": True},
    "pictures": {"service": "mpc", "inks": "pages", "tokens": False},
    "foil all over": {"service": "mpc", "inks": "none", "stock": "S33", "foil": True},
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with what presses are asked for, and its decks as lists, too."""
    folder = write_poker_game(tmp_path_factory.mktemp("club") / "game")
    (folder / "img").mkdir()
    seal = Image.new("RGBA", (200, 200), (255, 255, 255, 0))
    ImageDraw.Draw(seal).ellipse((20, 20, 180, 180), fill=(200, 60, 40, 160))
    seal.save(folder / "img" / "seal.png")
    (folder / "templates" / "card.xml").write_text(FACE, encoding="utf-8")
    (folder / "press.icc").write_bytes(press_profile())
    lists = [
        {
            "id": name,
            "faction": "AA",
            "cards": [{"id": card, "amount": amount} for card, amount in cards],
            "values": {"owner": OWNERS[name]} if name in OWNERS else {},
        }
        for name, cards in DECKS.items()
    ]
    lines = "".join(f"{json.dumps(each)}\n" for each in lists)
    (folder / "club.jsonl").write_text(lines, encoding="utf-8")
    for name, cards in DECKS.items():
        listed = (line(card, amount) for card, amount in cards)
        deck = data(f'<meta main_faction_id="AA" name="{name}"/>', *listed)
        (folder / "xml" / "Decks" / f"{name}.xml").write_text(deck, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _in(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path, monkeypatch)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")  # as workers have it of their run
    monkeypatch.chdir(game)


def planned(target: Path, **asked: object) -> RunPlan:
    report: Report = []
    how: Any = asked
    return make_plan(GameFolder(Path()), Path("club.jsonl"), target, how, report)


def printed(plan: RunPlan, *names: str) -> list[ManifestRecord]:
    """Print decks in this process, in this order, of the game that the run keeps."""
    home = plan.folder.with_name(f"game of {plan.folder.name}")
    unpack(BytesIO((plan.folder / GAME).read_bytes()), home)
    printer = RunPrinter(home, plan.facts.options, plan.folder)
    assert printer.usable, printer.findings
    lines = {json.loads(text)["id"]: (number, text) for number, text in plan.numbered_lines()}
    records = [printer.print(n, plan.key(text), text) for n, text in map(lines.get, names)]  # type: ignore[misc]
    assert all(record.is_printed for record in records), records
    return records


def pages(path: Path) -> list[Image.Image]:
    if path.suffix == ".png":
        return [open_rgb(path)]
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=1).to_pil() for page in pdf]


def boxes(path: Path) -> list[list[float]]:
    if path.suffix == ".png":
        return []
    with pikepdf.open(path) as pdf:
        keys = ("/TrimBox", "/BleedBox", "/MediaBox")
        return [[float(n) for key in keys if key in p for n in p[key]] for p in pdf.pages]


@pytest.mark.corpus(4)
@pytest.mark.parametrize("asked", OPTIONS.values(), ids=OPTIONS.keys())
def test_a_deck_of_a_run_is_what_the_service_gets_of_it_alone(
    asked: Mapping[str, Any], tmp_path: Path
) -> None:
    plan = planned(tmp_path / "run", **asked)
    _, record = printed(plan, "one", "two")
    assert is_intact(plan.folder, record)
    how = dict(asked)
    stem = f"{how.pop('service')}_two"
    open_game(Path()).deck("two").export_service(asked["service"], tmp_path / "alone", **how)
    alone = {}
    for path in (tmp_path / "alone").rglob("*.*"):
        name = path.relative_to(tmp_path / "alone").as_posix().removeprefix(stem)
        alone[name.lstrip("/_").replace(".pdf", "", name == ".pdf")] = path
    ours = {}
    for name, _, _ in record.files:
        called = name.removeprefix("decks/two").removeprefix("/").removeprefix(".pdf")
        ours["backs.pdf" if name == "backs/two.pdf" else called] = name
    assert ours.keys() == alone.keys()
    seen = 0
    for name, path in alone.items():
        mine = plan.folder / ours[name]
        if path.suffix in {".xml", ".csv"}:
            assert mine.read_bytes() == path.read_bytes()
            continue
        assert boxes(mine) == boxes(path)
        for one, other in zip(pages(mine), pages(path), strict=True):
            # What is painted on a page itself and not as a form has edges smoothed otherwise.
            assert different_share(one, other, off_by=8) < 0.001
            seen += not name.startswith(("foil", "varnish"))
    assert len(record.pages) == seen > 0


@pytest.mark.corpus(4)
@pytest.mark.parametrize("asked", OPTIONS.values(), ids=OPTIONS.keys())
def test_the_bytes_of_a_deck_do_not_depend_on_those_before(
    asked: Mapping[str, Any], tmp_path: Path
) -> None:
    first, second = (planned(tmp_path / name, **asked) for name in ("first", "second"))
    one, own, two, again = printed(first, "one", "own", "two", "own")
    assert again == own
    assert printed(second, "own", "two", "one") == [own, two, one]


def test_what_is_printed_on_a_deck_is_on_its_pages_alone(tmp_path: Path) -> None:
    plan = planned(tmp_path / "run", **OPTIONS["x-4"])
    own, two = printed(plan, "own", "two")

    def said(record: ManifestRecord) -> set[str]:
        with pypdfium2.PdfDocument(plan.folder / record.files[0][0]) as pdf:
            return {page.get_textpage().get_text_range().replace("\r\n", " ") for page in pdf}

    assert said(own) == {"Ada Ant", "Ada Queen", "Wolf", "REVERSE"}
    assert said(two) == {"Ant", "Queen", "Wolf", "REVERSE"}
    assert own.pages[:2] == (("AA:A1",), ("AA:A1 back",))
    assert own.faces["AA:A1"] != two.faces["AA:A1"]
    assert own.faces["AA:A1 back"] == two.faces["AA:A1 back"]


@pytest.mark.parametrize("name", ["masks", "x-1a"])
def test_what_one_deck_alone_has_is_not_kept(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    report: Report = []
    folder = GameFolder(game)
    monkeypatch.setattr(order_printer, "_MAX_IMAGES", 3)
    service, options = resolve_run_order(cast("RunPrint", OPTIONS[name]), folder)
    printer = open_printer(load_all(game), folder, report, service, options, tmp_path / "work")
    assert isinstance(printer, PdfOrderPrinter)
    deck = load_deck(folder.deck_file("own"), folder, printer.composer.game.setup, report)
    assert deck is not None
    kept: list[int] = []
    made: dict[int, Mapping[str, bytes]] = {}
    for number in (0, 1, 2, 3, 1):
        own = deck._replace(printed=(("owner", f"No. {number}"),))
        ready = printer.print_many([own])
        kept.append(printer.cached_faces)
        assert len([*(tmp_path / "work").iterdir()]) <= 8
        assert made.setdefault(number, ready.files) == ready.files
    assert kept[0] > 0
    assert kept == kept[:1] * 5


@pytest.mark.parametrize("name", ["x-4", "x-1a"])
def test_files_keep_the_rules_of_pdf_x(name: str, tmp_path: Path) -> None:
    plan = planned(tmp_path / "run", **OPTIONS[name])
    part = {"x-4": X4, "x-1a": X1A}[name]
    for record in printed(plan, "one", "own"):
        with pikepdf.open(plan.folder / record.files[0][0]) as pdf:
            groups = {str(page.Group.CS) for page in pdf.pages if "/Group" in page}
            assert groups == ({"/DeviceCMYK"} if part == X4 else set())
        data = (plan.folder / record.files[0][0]).read_bytes()
        assert [*find_broken_rules(data, part)] == []
        version = {X4: b"%PDF-1.6", X1A: b"%PDF-1.4"}[part]
        assert data.startswith(version)
        assert part.encode() in data


def parts(pdf: pikepdf.Pdf) -> list[tuple[dict[str, str], list[int]]]:
    """Return the document parts of a file: what is said of each, and its pages; all is checked."""
    root = pdf.Root.DPartRoot
    top = root.DPartRootNode
    assert (root.RecordLevel, [*map(str, root.NodeNameList)]) == (1, ["/Run", "/Deck"])
    assert top.Parent.objgen == root.objgen
    numbers = {page.objgen: number for number, page in enumerate(pdf.pages)}
    found = []
    for leaf in top.DParts[0]:
        assert leaf.Parent.objgen == top.objgen
        own = [*range(numbers[leaf.Start.objgen], numbers[leaf.End.objgen] + 1)]
        assert {pdf.pages[number].DPart.objgen for number in own} == {leaf.objgen}
        found.append(({str(k): str(v) for k, v in leaf.DPM.items()}, own))
    return found


def test_document_parts_tell_decks_apart(tmp_path: Path, run: Run) -> None:
    plan = planned(tmp_path / "run", **OPTIONS["x-4"])
    assert run("run", "start", str(plan.folder), "--workers", "1").exit_code == 0
    with pikepdf.open(plan.folder / "decks/own.pdf") as pdf:
        said = {"/Deck": "own", "/Name": "own", "/id": "own", "/owner": "Ada"}
        assert parts(pdf) == [(said, [*range(16)])]
        assert "PDF/VT-1" in str(pdf.Root.Metadata.read_bytes())
        alone = len(pdf.pages)
    merged = run("run", "merge", str(plan.folder), "--by", "2")
    assert (merged.exit_code, merged.stderr) == (0, "")
    files = [plan.folder / "merged" / f"000{number}.pdf" for number in (1, 2)]
    with pikepdf.open(files[0]) as pdf:
        found = parts(pdf)
        assert [said["/Deck"] for said, _ in found] == ["one", "two"]
        assert [number for _, pages in found for number in pages] == [*range(len(pdf.pages))]
        faces = [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/BBox")]
        # Each face once: of two cards with one back and a token, with those of its own.
        assert len(faces) <= 2 * len(pages(plan.folder / "decks/two.pdf"))
    assert len(pages(files[1])) == alone
    own = pages(plan.folder / "decks/own.pdf")
    assert [*map(different_by, own, pages(files[1]))] == [0] * alone
    assert [*find_broken_rules(files[0].read_bytes(), X4)] == []


def different_by(one: Image.Image, other: Image.Image) -> float:
    return different_share(one, other, off_by=0)


def test_a_program_prints_merges_and_reprints_and_nothing_of_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    before = dict(os.environ)
    planned = plan_run(".", "club.jsonl", tmp_path / "run", service="press")
    ran = planned.start(workers=1)
    assert (ran.decks, ran.printed, ran.aside, ran.findings) == (3, 3, (), ())
    again = open_run(tmp_path / "run")
    assert again.verify() == ()
    merged = [again.merge(by=9, folder=tmp_path / name).files for name in "ab"]
    assert [[path.name for path in files] for files in merged] == [["0001.pdf"]] * 2
    assert merged[0][0].read_bytes() == merged[1][0].read_bytes()
    (reprinted,) = again.reprint("own").files
    assert reprinted.read_bytes() == (again.folder / "decks/own.pdf").read_bytes()
    assert dict(os.environ) == before
    assert sorted(path.name for path in again.folder.iterdir() if path.is_dir()) == [
        "decks",
        "reprints",
    ]
    with pytest.raises(ValueError, match="--separators"):
        again.merge(separators=True)
    with pytest.raises(GameError, match="E121"):
        open_run(tmp_path)


def test_only_pdf_x_4_has_document_parts(tmp_path: Path) -> None:
    for name in ("x-1a", "rgb"):
        plan = planned(tmp_path / name, **OPTIONS[name])
        (record,) = printed(plan, "own")
        with pikepdf.open(plan.folder / record.files[0][0]) as pdf:
            assert "/DPartRoot" not in pdf.Root


def test_a_run_keeps_the_profile_that_it_was_planned_with(game: Path, tmp_path: Path) -> None:
    own = game / "other.icc"
    own.write_bytes(press_profile())
    plan = planned(tmp_path / "run", service="press", icc=str(own))
    own.unlink()
    (record,) = printed(plan, "one")
    with pikepdf.open(plan.folder / record.files[0][0]) as pdf:
        profile = pdf.Root.OutputIntents[0].DestOutputProfile.read_bytes()
    assert profile == press_profile()


def test_pictures_are_not_merged_and_lie_in_a_folder_when_printed_again(
    tmp_path: Path, run: Run
) -> None:
    plan = planned(tmp_path / "run", **OPTIONS["pictures"])
    assert run("run", "start", str(plan.folder), "--workers", "1").exit_code == 0
    refused = run("run", "merge", str(plan.folder))
    assert refused.exit_code == 2
    assert "only PDFs can be merged" in refused.stderr
    assert run("run", "reprint", str(plan.folder), "own:A2").exit_code == 0
    again = plan.folder / "reprints" / "own_A2"
    whole = plan.folder / "decks" / "own"
    front = Path("fronts", "A2.png")
    assert (again / front).read_bytes() == (whole / front).read_bytes()
    assert sorted(path.name for path in (again / "fronts").iterdir()) == ["A2.png"]
    stranger = whole / "fronts" / "stranger.png"
    stranger.write_bytes(b"")
    verified = run("run", "verify", str(plan.folder))
    assert verified.exit_code == 1
    assert "stranger.png" in verified.stderr
    stranger.unlink()
    (whole / front).unlink()
    assert run("run", "start", str(plan.folder), "--workers", "1").exit_code == 0
    assert run("run", "verify", str(plan.folder)).exit_code == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"service": "press", "sheet": "a4"}, "--sheet is for sheets"),
        ({"service": "press", "footer": False}, "--no-footer is for sheets"),
        ({"service": "press", "backs": True}, "--backs is for sheets"),
        ({"icc": "none"}, "--icc needs a print service"),
        ({"tokens": False}, "--no-tokens needs a print service"),
        ({"service": "pres"}, "pres"),
        ({"service": "mpc", "icc": "press.icc"}, "--icc"),
        ({"slips": True}, "--slips"),
        ({"stock": "S33"}, "--stock needs a print service"),
        ({"foil": True}, "--foil needs a print service"),
        ({"service": "mpc", "stock": "S31"}, "MakePlayingCards has no stock `S31`"),
        ({"service": "mpc", "stock": "P10", "foil": True}, "makes no foil on"),
        ({"service": "press", "stock": "S33"}, "name no stock, so it takes no `--stock`"),
    ],
)
def test_what_contradicts_is_told(asked: Mapping[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ChoiceError, match=message):
        planned(tmp_path / "run", **asked)
    assert not (tmp_path / "run").exists()


def test_a_profile_that_is_none_is_told_before_the_run_is_planned(tmp_path: Path) -> None:
    report: Report = []
    how: Any = {"service": "press", "icc": "nowhere.icc"}
    with pytest.raises(OutputError):
        make_plan(GameFolder(Path()), Path("club.jsonl"), tmp_path / "run", how, report)
    assert [each.code.id for each in report] == ["E040"]
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("decks/D1.pdf", True),
        ("backs/D1.pdf", True),
        ("decks/D1/fronts/HK1.png", True),
        ("decks/D2.pdf", False),
        ("decks/D2/fronts/HK1.png", False),
        ("decks/D1/../D2.pdf", False),
        ("decks/D1", False),
        ("decks/D1/.hidden", False),
        ("/decks/D1/x", False),
        ("run.json", False),
    ],
)
def test_what_comes_back_from_afar_goes_where_its_deck_is(name: str, *, own: bool) -> None:
    assert belongs_to_deck("D1", name) == own


def test_a_run_keeps_what_it_knows_of_the_printer(tmp_path: Path, run: Run) -> None:
    save_printer("laser", printers.Printer((1.0, -0.5), Flip.SHORT), [])
    save_printer("wide", printers.Printer(margins=Margins(4, 4, 12, 4)), [])
    asked: dict[str, tuple[str, ...]] = {
        "named": ("--printer", "laser"),
        "told": ("--flip", "short", "--back-offset", "1mm,-0.5mm"),
        "none": (),
        "wide": ("--printer", "wide"),
    }
    for name, how in asked.items():
        options = ("--out", str(tmp_path / name), "--sheet", "a4-poker", "--backs", *how)
        assert run("run", "plan", "club.jsonl", *options).exit_code == 0
    settings_file().unlink()  # other machines have none of it
    found = {}
    for name in asked:
        folder = tmp_path / name
        (record,) = printed(read_plan(folder), "one")
        found[name] = (folder / record.files[0][0]).read_bytes()
    assert found["named"] == found["told"]
    assert len(set(found.values())) == 3
    refused = run("run", "plan", "club.jsonl", "--out", str(tmp_path / "x"), "--printer", "laser")
    assert refused.exit_code == 1
    assert "laser" in refused.stderr


def test_a_sheet_that_cards_do_not_fit_is_told_before_the_run_is_planned(
    tmp_path: Path, run: Run
) -> None:
    result = run("run", "plan", "club.jsonl", "--out", str(tmp_path / "run"))
    assert result.exit_code == 1
    assert "E003" in result.stderr
    assert "no run was planned" in result.stderr
    assert not (tmp_path / "run").exists()
