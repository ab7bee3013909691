"""A folder that cannot be read is never taken for an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import faults
import pytest

from deckwright import api

COMMANDS = (
    "check",
    "build",
    "deck plain",
    "stats plain",
    "run plan xml/game.xml --out run",
    "fmt --check",
    "schema --out new",
    "export csv",
    "check xml",
    "impose xml/game.xml --sheet none",
)


@contextmanager
def closed(folder: Path, mode: int = 0) -> Iterator[None]:
    folder.chmod(mode)
    try:
        yield
    finally:
        folder.chmod(0o755)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game with folders that the shipped one has."""
    folder = faults.write_pictures(tmp_path / "game")
    for name in ("xml/Decks", "xml/sheets", "img/beasts/old", "templates/plain"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


def cannot_read(place: str) -> str:
    return f"{place}: error X006: cannot read the folder: Permission denied"


@pytest.mark.corpus(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_takes_decks_that_it_cannot_read_for_none(game: Path, command: str) -> None:
    with closed(game / "xml/Decks"):
        ended = faults.build(game, *command.split(), start=faults.powerless())
    assert ended.code == 3, ended
    assert cannot_read("xml/Decks") in ended.said
    assert ended.calm


@pytest.mark.corpus(4)
@pytest.mark.parametrize(
    "place",
    ["xml", "xml/Factions", "xml/sheets", "img", "img/beasts/old", "templates", "templates/plain"],
)
@pytest.mark.parametrize("mode", [0, 0o444])
def test_every_folder_of_a_game_is_missed(game: Path, place: str, mode: int) -> None:
    with closed(game / place, mode):
        ended = faults.build(game, "check", start=faults.powerless())
    assert ended.code == 3, ended
    assert cannot_read(place) in ended.said
    assert ended.calm


def test_all_folders_are_told_at_once(game: Path) -> None:
    with closed(game / "xml/Decks"), closed(game / "img/beasts"):
        ended = faults.build(game, "check", start=faults.powerless())
    assert ended.said.splitlines()[0] == cannot_read("img/beasts")
    assert ended.said.splitlines()[1] == "  1 more like this: xml/Decks"


def test_a_folder_that_is_named_is_missed(game: Path) -> None:
    (game / "mine/inner").mkdir(parents=True)
    with closed(game / "mine/inner"):
        ended = faults.build(game, "check", "mine", start=faults.powerless())
    assert ended.code == 3
    assert cannot_read("mine/inner") in ended.said


def test_links_in_a_circle_are_no_empty_folder(game: Path) -> None:
    (game / "xml/Words").symlink_to("Words")
    ended = faults.build(game, "check")
    assert ended.code == 3
    assert "xml/Words: error X006: cannot read the folder: " in ended.said


def test_an_open_game_misses_a_folder_that_is_closed_later(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = api.open_game(game)
    assert opened.cards

    def refuse(folder: Path) -> Iterator[OSError]:
        yield PermissionError(13, "Permission denied", str(folder / "Decks"))

    monkeypatch.setattr("deckwright.game.load.find_unreadable_folders", refuse)
    with pytest.raises(api.GameError, match="cannot read the folder"):
        opened.reload()
    with pytest.raises(api.GameError, match="cannot read the folder"):
        api.open_game(game)
