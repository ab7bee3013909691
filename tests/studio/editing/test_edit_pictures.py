"""Pictures that are brought into a game."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from PIL import Image
from starlette.testclient import TestClient

from deckwright.studio.editing import pictures as pictures_module
from deckwright.studio.editing.pictures import MAX_UPLOAD_BYTES
from deckwright.studio.guard import MAX_BODY_BYTES
from editors import card, field, page_of, post_edit, save, session_of, write_game_to_edit
from visitors import ORIGIN, authorize, stranger_of

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game_to_edit(tmp_path_factory.mktemp("edit") / "game")


@pytest.fixture(name="page", scope="module")
def _page(folder: Path) -> Iterator[TestClient]:
    yield from page_of(folder)


def drawn(kind: str = "PNG", color: str = "red", mode: str = "RGB", size: int = 40) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, (size, size), color).save(buffer, kind)
    return buffer.getvalue()


def brought(
    page: TestClient, content: bytes, name: str = "Ant.png", status: int = 200
) -> dict[str, Any]:
    said = {"name": name, "content": base64.b64encode(content).decode()}
    return post_edit(page, "picture", said, status)


def pictures(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "img").glob("*")}


def test_a_picture_is_brought_in_and_used(page: TestClient, folder: Path) -> None:
    content = drawn()
    assert brought(page, content, "Die große Ameise (1).PNG")["name"] == "die-grosse-ameise-1.png"
    assert pictures(folder)["die-grosse-ameise-1.png"] == content
    listed = {each["name"]: each for each in page.get("/api/edit/choices").json()["pictures"]}
    picture = listed["die-grosse-ameise-1.png"]
    assert (picture["width"], picture["height"]) == (40, 40)
    assert page.get(f"/faces/picture/{picture['hash']}").status_code == 200
    values = {"image": "die-grosse-ameise-1.png", "image-focus": "0.2 0.3", "image-zoom": "1.5"}
    form = save(page, card("A2"), values=values)["form"]
    assert field(form, "image")["value"] == "die-grosse-ameise-1.png"


def test_the_same_picture_is_put_there_once_and_another_beside_it(
    page: TestClient, folder: Path
) -> None:
    assert brought(page, drawn(color="blue"), "bee.png")["name"] == "bee.png"
    before = pictures(folder)
    assert brought(page, drawn(color="blue"), "other.png")["name"] == "bee.png"
    assert pictures(folder) == before
    assert brought(page, drawn(color="green"), "BEE.png")["name"] == "bee-2.png"
    assert brought(page, drawn("JPEG"), "bee.jpg")["name"] == "bee-3.jpg"


@pytest.mark.parametrize(
    ("content", "ending"),
    [
        (drawn("PNG", size=41), "png"),
        (drawn("JPEG", size=42), "jpg"),
        (drawn("WEBP", size=43), "webp"),
        (drawn("GIF", size=44), "gif"),
        (drawn("TIFF", size=45), "tif"),
        (drawn("BMP", size=46), "bmp"),
        (SVG, "svg"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>" + SVG, "svg"),
    ],
)
def test_a_file_ends_as_what_is_in_it(page: TestClient, content: bytes, ending: str) -> None:
    assert brought(page, content, "moth.exe")["name"].endswith(f".{ending}")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("../../xml/game.png", "game"),
        ("C:\\pictures\\cat.png", "cat"),
        ("/etc/passwd", "passwd"),
        (".hidden", "hidden"),
        ("a\x00b\x1b[2J.png", "a-b-2j"),
        ("nul.png", "nul-2"),
        ("蟻.png", "picture"),
        ("", "picture"),
        ("x" * 300, "x" * 60),
        ("..", "picture"),
    ],
)
def test_a_name_is_a_file_of_img_whatever_it_was(
    page: TestClient, folder: Path, name: str, wanted: str
) -> None:
    before = {
        path for path in folder.parent.rglob("*") if folder / "img" not in (path, path.parent)
    }
    content = drawn("BMP", f"#{crc32(name.encode()) % 0xFFFFFF:06x}")
    kept = brought(page, content, name)["name"]
    assert re.fullmatch(rf"{wanted}(-[0-9]+)?\.bmp", kept)
    assert pictures(folder)[kept] == content
    now = {path for path in folder.parent.rglob("*") if folder / "img" not in (path, path.parent)}
    assert now == before


BOMB = drawn("PNG", mode="1", color="black", size=5000)
"""Many millions of pixels in a few kilobytes."""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an image"),
        (b"GIF89a", "not an image"),
        (b"%PDF-1.4", "not an image"),
        (drawn("PNG")[:-30], "damaged"),
        (drawn("ICO"), "not an image"),
        (BOMB, "5000 × 5000 pixels"),
        (b"<html><script>alert(1)</script></html>", "not an image"),
        (
            SVG.replace(b"<circle", b"<script>alert(1)</script><circle"),
            "line 1 of the drawing Ant.png",
        ),
        (
            SVG.replace(b"<circle", b"<image href='http://x.example/'/><circle"),
            "line 1 of the drawing Ant.png",
        ),
        (b"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + SVG, "line 1"),
        (b"<svg", "line 1"),
    ],
)
def test_what_cannot_be_printed_is_refused(
    page: TestClient, folder: Path, content: bytes, message: str
) -> None:
    before = pictures(folder)
    assert message in brought(page, content, status=400)["message"]
    assert pictures(folder) == before


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"name": "a.png"},
        {"content": ""},
        {"name": 7, "content": ""},
        {"name": "a.png", "content": ["AAAA"]},
        {"name": "a.png", "content": "not base64"},
        {"name": "a.png", "content": "AAA"},
    ],
)
def test_what_brings_no_picture_is_refused(page: TestClient, said: dict[str, object]) -> None:
    assert post_edit(page, "picture", said, 400)["message"]


def test_only_pictures_may_be_large_and_not_too_large(
    page: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = Image.effect_noise((900, 900), 90)
    buffer = io.BytesIO()
    noise.save(buffer, "PNG")
    assert len(buffer.getvalue()) > MAX_BODY_BYTES
    assert brought(page, buffer.getvalue(), "noise.png")["name"] == "noise.png"
    post_edit(page, "preview", {**card(), "values": {"text": "x" * MAX_BODY_BYTES}}, 413)
    message = brought(page, bytes(MAX_UPLOAD_BYTES + 1), status=400)["message"]
    assert f"{MAX_UPLOAD_BYTES:,} are allowed" in message
    post_edit(page, "picture", {"content": "A" * 29_000_000}, 413)
    monkeypatch.setattr(pictures_module, "MAX_PICTURES", 1)
    assert "no more are allowed" in brought(page, drawn("PNG", "pink"), status=400)["message"]


def test_a_warning_of_a_picture_is_told(page: TestClient) -> None:
    (finding,) = brought(page, drawn("JPEG", mode="CMYK", color="cyan"), "sea.jpg")["findings"]
    assert (finding["code"], finding["path"]) == ("I005", "img/sea.jpg")


def test_nothing_is_brought_in_where_it_must_not(tmp_path: Path) -> None:
    folder = write_game_to_edit(tmp_path / "game")
    away = tmp_path / "away"
    away.mkdir()
    (folder / "img").symlink_to(away)
    for read_only, message in ((True, "is read-only"), (False, "not in the game's folder")):
        with stranger_of(session_of(folder, read_only=read_only)) as client:
            page = authorize(client)
            page.headers["origin"] = ORIGIN
            assert message in brought(page, drawn(), status=400)["message"]
    assert not [*away.iterdir()]
