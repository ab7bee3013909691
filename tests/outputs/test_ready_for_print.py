"""What we ship passes the preflight of every print service, so that users need not know why."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageMath

from conftest import ROOT, Run
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces, prepare_images
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.images.store import ImageStore
from deckwright.outputs.services.job import OrderOptions
from deckwright.outputs.services.preflight import OrderItem, distinct_sides
from deckwright.outputs.services.press import fit_cards, preflight_faces
from deckwright.outputs.services.profile import load_service
from print_shop import find_transparency, hide_profiles

pytestmark = pytest.mark.usefixtures("shipped_checked")

SERVICES = ("mpc", "tgc", "dtc", "mbprint")
STARTER = ROOT / "examples" / "starter"
STYLED = [
    (folder, style) for folder in (ROOT, STARTER) for style in (None, *GameFolder(folder).styles())
]


@pytest.fixture(autouse=True)
def _no_profiles(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path_factory.mktemp("share"), monkeypatch)


@pytest.mark.corpus(4)
@pytest.mark.parametrize(("path", "style"), STYLED)
def test_all_that_matters_on_any_card_is_inside_of_every_safe_zone(
    path: Path, style: str | None
) -> None:
    folder = GameFolder(path)
    setup = load.load_setup(folder, [])
    assert setup is not None
    game = load.load_game(folder, setup, [])
    assert game is not None
    factory, images = FaceFactory(game, folder, [], style), ImageStore()
    sides = [named for backs in (False, True) for named in compose_faces(factory, [], backs=backs)]
    assert len(sides) >= 10
    assert prepare_images((side.face for side in sides), images, [])
    for name in SERVICES:
        service = load_service(name, folder.xml, [])
        assert service is not None
        cards = fit_cards(
            [OrderItem(side, None, 1) for side in sides], service, OrderOptions(fit=True), []
        )
        faces = distinct_sides(card for some in cards.values() for card in some)
        assert len(faces) >= len(sides)
        assert [f.message for f in preflight_faces(faces, service, factory)] == []


@pytest.mark.corpus(3)
@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize(
    ("path", "deck", "cards"), [(ROOT, "army_MB_1", "MB2,NW_4,Wolf"), (STARTER, "gulls", "GULL1")]
)
def test_an_order_is_made_ready_without_a_warning(
    service: str, path: Path, deck: str, cards: str, run: Run, tmp_path: Path
) -> None:
    scale = [] if service == "mbprint" else ["--scale", "fit"]
    styles = [["--style", style] for style in GameFolder(path).styles()]
    for style in ([], *styles):
        options = ["--only", cards, "--copies", "1", "-o", str(tmp_path), *scale, *style]
        result = run("export", service, deck, "-g", str(path), *options)
        assert result.exit_code == 0, result.output
        assert result.stderr == ""


@pytest.mark.corpus(2)
def test_a_deck_of_ghosts_is_opaque_and_stays_within_inks_and_budget(
    run: Run, tmp_path: Path
) -> None:
    """What is translucent becomes pictures at 300 dpi, where it is and no farther."""
    options = ["--scale", "fit", "--copies", "1", "-o", str(tmp_path)]
    result = run("export", "dtc", "army_MG_1", "-g", str(ROOT), *options)
    assert result.exit_code == 0
    # No ink is as bright as the eyes of a ghost.
    assert [line.split(": ")[1] for line in result.stderr.splitlines() if line[:4] == "xml/"] == [
        "warning E081"
    ]
    (path,) = tmp_path.glob("*.pdf")
    assert path.stat().st_size < 2_000_000
    with pikepdf.open(path) as pdf:
        assert find_transparency(pdf) == []
        streams = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
        images = [item for item in streams if item.get("/Subtype") == "/Image"]
        assert len(images) > 5
        assert sum(len(image.read_raw_bytes()) for image in images) < 1_000_000
        for image in images:
            assert image.ColorSpace == "/DeviceCMYK"
            assert int(image.Width) <= (63.5 + 2 * 3.175) / 25.4 * 300 + 1
            inks = Image.frombytes(
                "CMYK", (int(image.Width), int(image.Height)), image.read_bytes()
            )
            assert most_ink(inks) <= 2.4 * 255


def most_ink(image: Image.Image) -> int:
    """Return the most ink in one place, 255 for one ink in full."""
    cyan, magenta, yellow, black = (channel.convert("I") for channel in image.split())
    _, most = ImageMath.lambda_eval(
        lambda a: a["c"] + a["m"] + a["y"] + a["k"], c=cyan, m=magenta, y=yellow, k=black
    ).getextrema()
    return int(most)
