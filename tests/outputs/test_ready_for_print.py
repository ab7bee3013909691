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
from deckwright.ops.model import Face
from deckwright.outputs.services.preflight import OrderItem, distinct_sides
from deckwright.outputs.services.press import Job, OrderOptions, fit_cards, preflight_faces
from deckwright.outputs.services.profile import CardSize, load_service, service_names
from print_shop import find_transparency, hide_profiles

pytestmark = pytest.mark.usefixtures("shipped_checked")

SERVICES = service_names(ROOT / "xml")
ANY_SIZE = {"mbprint", "longpack", "press"}
STARTER = ROOT / "examples" / "starter"
GAMES = [ROOT, *sorted(path.parent.parent for path in ROOT.glob("examples/*/xml/game.xml"))]
STYLED = [(folder, style) for folder in GAMES for style in (None, *GameFolder(folder).styles())]
_MOST_SCALED = 0.1
"""By how much a card may differ from the size of a service whose requirements it has to meet."""


@pytest.fixture(autouse=True)
def _no_profiles(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path_factory.mktemp("share"), monkeypatch)


@pytest.mark.corpus(8)
@pytest.mark.parametrize(("path", "style"), STYLED)
def test_any_card_in_any_style_passes_the_preflight_of_every_service(
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
        job = Job(service, OrderOptions(fit=True), "", factory)
        cards = fit_cards([OrderItem(side, None, 1) for side in sides], job, [])
        for size, some in cards.items():
            faces = [side for side in distinct_sides(some) if is_near(size, side.drawn)]
            found = [*preflight_faces(faces, service, factory, size.shape)]
            assert [finding.message for finding in found] == []


def is_near(size: CardSize, face: Face | None) -> bool:
    """Return whether a card is about as large as a size of a service."""
    assert face is not None
    sides = zip(sorted((size.width, size.height)), sorted((face.width, face.height)), strict=True)
    return all(abs(one / other - 1) <= _MOST_SCALED for one, other in sides)


@pytest.mark.corpus(4)
@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize(
    ("path", "deck", "cards"), [(ROOT, "army_MB_1", "MB2,NW_4,Wolf"), (STARTER, "gulls", "GULL1")]
)
def test_an_order_is_made_ready_without_a_warning(
    service: str, path: Path, deck: str, cards: str, run: Run, tmp_path: Path
) -> None:
    scale = [] if service in ANY_SIZE else ["--scale", "fit"]
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
    assert result.stderr == ""
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
