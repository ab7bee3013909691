"""Orders for print services: profiles, pictures, lists, and what the command says."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.base.units import to_pixels
from deckwright.outputs.services.files import OrderLine, format_autofill
from deckwright.outputs.services.profile import load_service, service_names
from print_shop import hide_profiles, open_rgb, open_shop, write_poker_game


@pytest.fixture(autouse=True)
def _no_profiles(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path_factory.mktemp("share"), monkeypatch)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return open_shop(tmp_path / "game", monkeypatch)


# Cards with bleed, in pixels at 300 dpi, as the comments of the profiles have them.
PIXELS = {
    "tgc": {
        "poker": (825, 1125), "bridge": (750, 1125), "tarot": (900, 1500), "jumbo": (1125, 1725),
        "mini": (600, 825), "micro": (450, 600), "business": (675, 1125), "domino": (600, 1125),
        "small-square": (825, 825), "square": (1125, 1125),
        "hex": (1200, 1050), "small-hex": (675, 600), "circle-shard": (300, 300),
    },
    "mpc": {
        "63x88": (816, 1111), "poker": (822, 1122), "bridge": (747, 1122), "tarot": (897, 1497),
        "jumbo": (1122, 1572), "large": (1122, 1797), "medium": (807, 1257), "mini": (597, 822),
        "micro": (447, 597), "business": (672, 1122), "small-square": (672, 672),
        "square": (822, 822), "large-square": (1122, 1122), "domino": (597, 1122),
    },
}  # fmt: skip
PIXELS["printerstudio"] = PIXELS["mpc"]


def slots_of(order: ET.Element, side: str) -> list[int]:
    """Return all slots of the cards of one side of an order of MPC."""
    texts = (found.text or "" for found in order.findall(f"{side}/card/slots"))
    return [int(number) for text in texts for number in text.split(",")]


@pytest.mark.parametrize("name", service_names(Path("nowhere")))
def test_a_bundled_profile_is_valid(name: str, tmp_path: Path) -> None:
    report: Report = []
    service = load_service(name, tmp_path, report)
    assert report == []
    assert service is not None
    assert service.id == name
    assert service.bleed >= 3
    assert name in service_names(tmp_path)


@pytest.mark.parametrize("name", PIXELS)
def test_every_size_has_the_pixels_that_the_service_publishes(name: str, tmp_path: Path) -> None:
    service = load_service(name, tmp_path, [])
    assert service is not None
    sides = {
        size.id: tuple(
            round(to_pixels(side + 2 * service.bleed, service.dpi))
            for side in (size.width, size.height)
        )
        for size in service.sizes
    }
    assert sides == PIXELS[name]


@pytest.mark.parametrize(
    ("service", "size"),
    [("tgc", "poker"), ("tgc", "jumbo"), ("mpc", "63x88"), ("mpc", "tarot"), ("mpc", "micro")],
)
def test_pictures_have_the_pixels_of_the_service(
    service: str, size: str, tmp_path: Path, run: Run
) -> None:
    profile = load_service(service, tmp_path, [])
    assert profile is not None
    made = next(one for one in profile.sizes if one.id == size)
    folder = write_poker_game(tmp_path / "game", width=made.width, height=made.height)
    result = run("export", service, "hill", "-g", str(folder), "--only", "A1")
    assert result.exit_code == 0, result.stderr
    order = folder / "out" / f"{service}_hill"
    for path in (order / "fronts" / "A1.png", order / "backs" / "AA_card.png"):
        with Image.open(path) as picture:
            assert picture.size == PIXELS[service][size]
            assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_the_ground_reaches_all_corners_of_a_picture(game: Path, run: Run) -> None:
    assert run("export", "tgc", "hill").exit_code == 0
    front = open_rgb(game / "out" / "tgc_hill" / "fronts" / "A1.png")
    right, bottom = front.width - 1, front.height - 1
    corners = [(0, 0), (right, 0), (0, bottom), (right, bottom), (20, 20), (right - 20, 20)]
    assert {front.getpixel(corner) for corner in corners} == {(0, 128, 128)}


def test_an_order_of_mpc_has_a_slot_for_every_copy(game: Path, run: Run) -> None:
    result = run("export", "mpc", "hill")
    assert result.exit_code == 0, result.stderr
    folder = game / "out" / "mpc_hill"
    order = ET.parse(folder / "cards.xml").getroot()
    wolves = 5  # the least that the game says
    assert order.findtext("details/quantity") == str(3 + wolves)
    assert order.findtext("details/bracket") == "18"
    assert order.findtext("details/stock") == "(S30) Standard Smooth"
    assert order.findtext("details/foil") == "false"
    for side in ("fronts", "backs"):
        slots = slots_of(order, side)
        assert sorted(slots) == list(range(3 + wolves))
        for card_of in order.findall(f"{side}/card"):
            assert (folder / str(card_of.findtext("id"))).is_file()
    fronts = {c.findtext("query"): c.findtext("slots") for c in order.findall("fronts/card")}
    assert fronts == {"Ant": "0,1", "Queen": "2", "Wolf": "3,4,5,6,7"}
    assert order.findtext("cardback") == "backs/AA_token.png"


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=20))
def test_slots_of_an_order_are_filled_once_each(copies: list[tuple[int, int]]) -> None:
    service = load_service("mpc", Path(), [])
    assert service is not None
    lines = [OrderLine(f"C & {n}", f"fronts/{n}.png", f"backs/{b}.png", c)
             for n, (c, b) in enumerate(copies)]  # fmt: skip
    order = ET.fromstring(format_autofill(lines, service).encode())
    total = sum(count for count, _ in copies)
    for side in ("fronts", "backs"):
        slots = slots_of(order, side)
        assert sorted(slots) == list(range(total))
    assert int(order.findtext("details/bracket") or 0) >= total


@pytest.mark.parametrize(("copies", "bracket"), [(1, 18), (18, 18), (19, 36), (36, 36)])
def test_an_order_is_in_the_first_bracket_that_it_fits_into(copies: int, bracket: int) -> None:
    service = load_service("mpc", Path(), [])
    assert service is not None
    assert service.steps[:2] == (18, 36)
    order = ET.fromstring(
        format_autofill([OrderLine("Ant", "a.png", None, copies)], service).encode()
    )
    assert order.findtext("details/bracket") == str(bracket)


def test_the_table_of_an_order_says_how_many_of_each(game: Path, run: Run) -> None:
    assert run("export", "tgc", "hill", "--no-tokens").exit_code == 0
    text = (game / "out" / "tgc_hill" / "cards.csv").read_text(encoding="utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [
        ["name", "front", "back", "quantity"],
        ["Ant", "fronts/A1.png", "backs/AA_card.png", "2"],
        ["Queen", "fronts/A2.png", "backs/AA_card.png", "1"],
    ]


@pytest.mark.usefixtures("game")
def test_pictures_that_are_left_of_another_order_are_told(run: Run) -> None:
    assert run("export", "tgc", "hill").exit_code == 0
    result = run("export", "tgc", "hill", "--only", "A1")
    assert "3 pictures from another order" in result.stdout


def test_a_check_writes_nothing(game: Path, run: Run) -> None:
    result = run("export", "dtc", "hill", "--icc", "press.icc", "--check")
    assert result.exit_code == 0
    assert "nothing, because of `--check`" in result.stdout
    assert not (game / "out").exists()


def test_a_card_without_a_back_is_refused_or_gets_a_white_one(game: Path, run: Run) -> None:
    sized = 'name="Card" width="63.5" height="88.9"'
    edit(game / "xml" / "game.xml", f'{sized} back="back.xml"', sized)
    refused = run("export", "tgc", "hill")
    assert "error E031: card `A1` has no back" in refused.stderr
    assert refused.exit_code == 1
    allowed = run("export", "tgc", "hill", "--anyway", "--no-tokens")
    assert "warning E031" in allowed.stderr
    assert allowed.exit_code == 0
    white = open_rgb(game / "out" / "tgc_hill" / "backs" / "white.png")
    assert (white.size, white.getextrema()) == ((825, 1125), ((255, 255),) * 3)


def test_the_game_may_say_how_much_a_finding_counts(game: Path, run: Run) -> None:
    ends = '<rect width="63.5" height="88.9" fill="#204060"/>'
    ends += '<rect width="10" height="60" fill="#f0e0a0"/>'
    (game / "templates" / "card.xml").write_text(f"<face>{ends}</face>", encoding="utf-8")
    assert "warning E041" in run("export", "tgc", "hill").stderr
    own = '<severities><severity code="E041" is="off"/></severities>\n  <deck>'
    edit(game / "xml" / "game.xml", "<deck>", own)
    result = run("export", "tgc", "hill")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_white_bleed_is_written_only_if_it_is_asked_for(game: Path, run: Run) -> None:
    band = '<face><rect y="20" width="63.5" height="40" fill="#802020"/></face>'
    (game / "templates" / "card.xml").write_text(band, encoding="utf-8")
    for arguments in (["tgc"], ["mbprint", "--icc", "none"]):
        refused = run("export", *arguments, "hill")
        assert "error E033: card `A1`: the bleed of 3" in refused.stderr
        assert "40 mm of the left edge, 40 mm of the right edge" in refused.stderr
        assert (refused.exit_code, (game / "out").exists()) == (1, False)
    allowed = run("export", "tgc", "hill", "--anyway")
    assert "warning E033" in allowed.stderr
    assert allowed.exit_code == 0
    assert (game / "out" / "tgc_hill" / "fronts" / "A1.png").is_file()


def test_a_service_of_the_game_needs_no_code(game: Path, run: Run) -> None:
    folder = game / "xml" / "services"
    folder.mkdir()
    (folder / "corner.xml").write_text(
        '<service name="Corner Shop" files="pictures" bleed="2" dpi="200" pages="front">'
        '<size id="own" name="card" width="63.5" height="88.9"/></service>',
        encoding="utf-8",
    )
    result = run("export", "service", "corner", "hill")
    assert result.exit_code == 0, result.stderr
    assert "The Game" not in result.stdout
    order = game / "out" / "corner_hill"
    assert open_rgb(order / "fronts" / "A1.png").size == (531, 731)
    assert not (order / "backs").exists()
    assert [path.name for path in order.iterdir()] == ["fronts"]


def test_a_service_with_mistakes_is_told_where_they_are(game: Path, run: Run) -> None:
    folder = game / "xml" / "services"
    folder.mkdir()
    (folder / "dtc.xml").write_text('<service name="X" files="sheets" ink="90"/>', encoding="utf-8")
    result = run("export", "dtc", "hill")
    assert result.exit_code == 1
    assert result.stderr.count("dtc.xml:1:") == 2
    assert "`pictures`, `pdf`" in result.stderr


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["service", "dcc"], "did you mean `dtc`?"),
        (["tgc", "--size", "pocker"], "did you mean `poker`?"),
        (["mbprint", "--size", "poker"], "makes cards of any size"),
        (["mpc", "--icc", "press.icc"], "takes RGB"),
        (["tgc", "--state-pdfx"], "does not ask for PDF/X"),
        (["tgc", "--style", "none"], "no style `none`"),
    ],
)
def test_what_a_service_does_not_know_is_a_fault_of_use(
    arguments: list[str], message: str, run: Run
) -> None:
    result = run("export", *arguments, "hill")
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_deck_with_a_fault_is_not_made_ready(game: Path, run: Run) -> None:
    edit(game / "xml" / "Decks" / "hill.xml", 'id="A2"', 'id="A9"')
    result = run("export", "tgc", "hill")
    assert result.exit_code == 1
    assert "hill.xml was not prepared: 1 error" in result.stderr
    assert not (game / "out").exists()
