"""A game that begins with a table: what is shown of it, and the files that it writes."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import ROOT, edit
from deckwright import open_game
from deckwright.base.findings import has_errors
from deckwright.game.folder import PACKAGE
from deckwright.studio.session import StudioSession
from deckwright.tables import guessing
from visitors import page_of

CARDS = """Name,Faction,Power,Text,Count,Notes
Wolf,Fire,3,Draw a card.,2,ask
Raven,Fire,1,Look at the top card of your deck.,3,
Bear,Water,5,Cannot be blocked.,1,
Otter,Water,2,Swim away.,2,
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    shutil.copytree(PACKAGE / "blank", folder)
    edit(folder / "xml" / "game.xml", 'name="My Game"', "name='Beasts'")
    return folder


@pytest.fixture(name="page")
def _page(folder: Path) -> Iterator[TestClient]:
    with page_of(StudioSession(open_game(folder), check=False)) as page:
        yield page


def begin(
    page: TestClient,
    text: str = CARDS,
    name: str = "My cards.csv",
    status: int = 200,
    **more: object,
) -> dict[str, Any]:
    content = base64.b64encode(text.encode()).decode()
    answer = page.post("/api/begin", json={"name": name, "content": content, **more})
    assert answer.status_code == status
    said: dict[str, Any] = answer.json()
    return said


def files_of(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_a_table_is_shown_before_anything_is_written(page: TestClient, folder: Path) -> None:
    before = files_of(folder)
    said = begin(page)
    roles = {column["title"]: column["role"] for column in said["columns"]}
    assert roles == {
        "Name": "name",
        "Faction": "faction_id",
        "Power": "field",
        "Text": "field",
        "Count": "amount",
        "Notes": "note",
    }
    assert (said["cards"], said["copies"], said["factions"]) == (4, 8, ["Fire", "Water"])
    assert files_of(folder) == before


def test_its_cards_take_the_place_of_the_blank_game(page: TestClient, folder: Path) -> None:
    assert page.get("/api/wall").json()["game"]["blank"]
    begin(page, write=True)
    wall = page.get("/api/wall").json()
    assert {face["name"] for face in wall["faces"]} == {"Wolf", "Raven", "Bear", "Otter"}
    assert (wall["game"]["name"], wall["game"]["blank"]) == ("Beasts", False)
    assert sorted(files_of(folder)) == [
        "templates/back.xml",
        "templates/card.xml",
        "templates/hero-back.xml",
        "templates/hero-sign.xml",
        "templates/hero.xml",
        "xml/Factions/My cards.csv",
        "xml/factions_definition.xml",
        "xml/game.xml",
    ]
    assert not has_errors(open_game(folder).check())


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "xml/Factions/A_cards.xml",
            "<!-- <card",
            '<card id="A0" name="Hare"/><!--',
        ),
        ("xml/factions_definition.xml", "First Side", "Hares"),
        ("templates/card.xml", "<face", "<!-- mine --><face"),
        ("xml/game.xml", "zone id", "zone  id"),
    ],
)
def test_nothing_that_somebody_has_written_is_replaced(
    page: TestClient, folder: Path, path: str, old: str, new: str
) -> None:
    edit(folder / path, old, new)
    before = files_of(folder)
    assert begin(page, status=400, write=True)["word"] == "begin-not-blank"
    assert files_of(folder) == before


def test_a_deck_or_table_that_is_there_stays(page: TestClient, folder: Path) -> None:
    (folder / "xml" / "Factions" / "A_cards.csv").write_text("name\n", encoding="utf-8")
    assert begin(page, status=400)["word"] == "begin-not-blank"
    assert begin(page, status=400, name="A_cards.csv", write=True)["word"] == "begin-not-blank"


def test_what_is_unclear_is_asked(page: TestClient) -> None:
    text = "a,b\nWolf,x y\nRaven,y z\nBear,z x\n"
    said = begin(page, text)
    [question] = said["questions"]
    assert question == {
        "question": "Which column has the names of the cards?",
        "answers": ["a", "b"],
        "chosen": "a",
    }
    other = begin(page, text, answers={question["question"]: "b"})
    assert [c["title"] for c in other["columns"] if c["role"] == "name"] == ["b"]
    assert other["questions"][0]["chosen"] == "b"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cards.pdf", CARDS, "a table is a file with .csv"),
        ("", CARDS, "a table is a file with .csv"),
        ("cards.csv", "", "there is no table with a row of titles"),
        ("cards.xlsx", CARDS, ""),
        ("cards.json", "[", ""),
    ],
)
def test_what_has_no_cards_is_refused(
    page: TestClient, folder: Path, name: str, text: str, message: str
) -> None:
    before = files_of(folder)
    said = begin(page, text, name, status=400, write=True)
    assert message in said["message"]
    assert said["message"]
    assert files_of(folder) == before


def test_names_of_files_stay_in_their_folder(page: TestClient, folder: Path) -> None:
    begin(page, name="../../.ssh/<a>&\u202eb.CSV", write=True)
    assert (folder / "xml" / "Factions" / "sshab.csv").exists()


def test_a_studio_that_only_reads_begins_nothing(folder: Path) -> None:
    before = files_of(folder)
    with page_of(StudioSession(open_game(folder), check=False, read_only=True)) as page:
        assert begin(page, status=400)["word"] == "looks-only"
    assert files_of(folder) == before


def test_the_page_knows_what_the_server_says() -> None:
    pages = ROOT / "src" / "deckwright" / "studio" / "pages"
    words = json.loads((pages / "words" / "en.json").read_text(encoding="utf-8"))["words"]
    asked = (pages / "cards" / "begin.js").read_text(encoding="utf-8")
    source = Path(guessing.__file__).read_text(encoding="utf-8")
    for question in ("Which tab has", "Which column has the names", "Which column has the numbers"):
        assert question in asked
        assert f'ask("{question}' in source
    patterns = re.findall(r'^    "(.+)": re\.compile', source, re.MULTILINE)
    reasons = [f"each is {what}" for what in patterns]
    assert "each is a date" in reasons
    reasons += ["it is for the designer", "nobody needs it", "it numbers the cards"]
    reasons += ["it has no title", "it is empty", "its cells have errors or dates"]
    assert {f"begin-{one}" for one in reasons} - words.keys() == set()
