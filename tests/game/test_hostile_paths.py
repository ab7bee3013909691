"""What a game names lies in its folder: no path, link or device leads out of it.

Decided so: a link that stays inside of the game is followed; one that leads out of it is refused,
whether it is a file of `xml`, a template, a drawing, or a folder. A stranger's link may name
anything of the machine that checks it, and a finding shows the line that it is about.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from PIL import Image

from conftest import Run, edit
from hostile import Outcome, check_untrusted, find_foreign_paths, run_bounded, write_all
from support import card, line, write_game

SECRET = "TOPSECRET"
FILES = (
    "xml/game.xml",
    "xml/rules.xml",
    "xml/factions_definition.xml",
    "xml/Factions/AA_cards.xml",
    "xml/Decks/d.xml",
    "xml/rulebook.xml",
    "templates/card.xml",
    "templates/styles.xml",
)
FORMAT = 'format="a4-65x90"'
SYMBOL = '<symbols><symbol id="s" name="s" image="#"/></symbols>'
DRAWING = '<drawing template="#" width="9" height="9"/>'
NAMED = {
    "face": ("xml/game.xml", 'name="Card" width="65" height="90" face="card.xml"',
             'name="Card" width="65" height="90" face="#"'),
    "back": ("xml/game.xml", 'name="Card" width', 'name="Card" back="#" width'),
    "deck": ("xml/game.xml", FORMAT, f'{FORMAT} deck="#"'),
    "overview-cover": ("xml/game.xml", FORMAT, f'{FORMAT} overview-cover="#"'),
    "format": ("xml/game.xml", FORMAT, 'format="#"'),
    "font": ("xml/game.xml", 'family="Source Sans Pro"', 'regular="#"'),
    "symbol": ("xml/game.xml", "<group", f"{SYMBOL}<group"),
    "include": ("templates/card.xml", "<face>", '<face><include href="#"/>'),
    "picture": ("templates/card.xml", "<face>", '<face><image href="#" width="9" height="9"/>'),
    "card's picture": ("xml/Factions/AA_cards.xml", 'name="Ant"', 'name="Ant" image="#"'),
    "cover": ("xml/rulebook.xml", 'title="B"', 'title="B" cover="#"'),
    "drawing": ("xml/rulebook.xml", "<figure/>", f"<figure>{DRAWING}</figure>"),
}  # fmt: skip
"""Where a game can name files: the file, what stands there, and what with a path at `#`."""

BOOK = '<rulebook title="B"><chapter title="C"><p>text</p></chapter></rulebook>'
FIGURE = '<rulebook title="B"><chapter title="C"><figure/></chapter></rulebook>'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], decks={"d": [line("A1", 3)]})
    (folder / "img").mkdir()
    outside = write_all(
        tmp_path / "outside",
        [
            ("secret.xml", f"<data><x>{SECRET}</x></data>"),
            ("face.xml", f'<face><text width="50" height="9">{SECRET}</text></face>'),
            ("secret", f"root:{SECRET}\0"),
            ("d.svg", '<svg viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'),
        ],
    )
    Image.new("RGB", (900, 900)).save(outside / "a.png")
    return folder


def link(path: Path, target: str | Path) -> None:
    """Put a link to `target` in the place of a file or folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def kept(outcome: Outcome, game: Path) -> bool:
    """Return whether a check ended well and read nothing outside of the game."""
    assert outcome.is_friendly, outcome.said
    assert SECRET not in outcome.said
    assert find_foreign_paths(outcome, game) == []
    return True


@pytest.mark.corpus(4)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("target", ["secret.xml", "secret", "face.xml"])
def test_a_file_that_is_a_link_out_of_the_game_is_not_shown(
    game: Path, name: str, target: str
) -> None:
    link(game / name, game.parent / "outside" / target)
    assert kept(check_untrusted(game), game)


@pytest.mark.parametrize("name", FILES)
def test_the_environment_is_not_shown(
    game: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for number in range(99):
        monkeypatch.setenv(f"A{number}", SECRET)
    link(game / name, "/proc/self/environ")
    outcome = check_untrusted(game)
    assert outcome.is_friendly
    assert SECRET not in outcome.said, "a link to /proc/self/environ shows the environment"


@pytest.mark.corpus(5)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/stdin", "/dev/full", "/proc/self/mem"])
def test_a_file_that_is_a_link_to_a_device_is_refused(game: Path, name: str, target: str) -> None:
    link(game / name, target)
    outcome = check_untrusted(game)
    assert outcome.bounded, outcome.said
    assert outcome.code != 0 or name == "templates/styles.xml"


@pytest.mark.corpus(5)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("target", ["itself", "nowhere"])
def test_a_link_that_leads_nowhere_is_reported(game: Path, name: str, target: str) -> None:
    link(game / name, Path(name).name if target == "itself" else target)
    outcome = check_untrusted(game)
    assert outcome.is_friendly
    assert outcome.code in {1, 3}


@pytest.mark.corpus(5)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_is_reported(game: Path, name: str, kind: str) -> None:
    (game / name).unlink(missing_ok=True)
    (os.mkfifo if kind == "pipe" else os.mkdir)(game / name)
    outcome = check_untrusted(game)
    assert outcome.is_friendly
    assert outcome.code in {1, 3}


def test_a_link_inside_of_the_game_is_followed(game: Path, run: Run) -> None:
    (game / "templates" / "card.xml").rename(game / "templates" / "other.xml")
    link(game / "templates" / "card.xml", "other.xml")
    assert run("check", "--game", str(game)).exit_code == 0


def test_a_game_may_itself_be_a_link(game: Path, run: Run) -> None:
    link(game.parent / "linked", game)
    assert run("check", "--game", str(game.parent / "linked")).exit_code == 0


def place(game: Path, what: str, path: str) -> None:
    """Have a game name `path` for a thing."""
    write_all(game, [("xml/rulebook.xml", FIGURE if what == "drawing" else BOOK)])
    name, old, new = NAMED[what]
    edit(game / name, old, new.replace("#", path))


def reported(outcome: Outcome) -> bool:
    """Return whether it is an error; a picture that is missing has the default in its place."""
    return outcome.code in {1, 3} or "warning R005" in outcome.said


@pytest.mark.corpus(10)
@pytest.mark.parametrize("what", NAMED)
@pytest.mark.parametrize(
    "path",
    ["../../outside/face.xml", "{outside}/face.xml", "{outside}/d.svg", "../../outside/a.png",
     "..", ".", "/", "x/../../y", "/dev/zero", "/dev/stdin", "~/x", "%2e%2e/x", "..\\x",
     "file:///etc/passwd", "http://127.0.0.1:9/x.png", "pipe", "folder", "folder/", "a" * 300],
)  # fmt: skip
def test_a_path_out_of_the_game_is_reported_where_it_stands(
    game: Path, what: str, path: str
) -> None:
    for folder in ("templates", "img", "xml/sheets"):
        (game / folder / "folder").mkdir(parents=True)
        os.mkfifo(game / folder / "pipe")
    (game / "xml/sheets/folder.xml").mkdir()
    os.mkfifo(game / "xml/sheets/pipe.xml")
    place(game, what, path.replace("{outside}", str(game.parent / "outside")))
    outcome = check_untrusted(game)
    assert kept(outcome, game)
    assert reported(outcome)
    assert NAMED[what][0] in outcome.said or "/img" in outcome.said


LINKED = {
    "font": ("templates", "font.ttf"),
    "symbol": ("img", "d.svg"),
    "picture": ("img", "d.svg"),
    "card's picture": ("img", "a.png"),
    "format": ("xml/sheets", "secret"),
}


@pytest.mark.corpus(5)
@pytest.mark.parametrize("what", NAMED)
@pytest.mark.parametrize("way", ["file", "folder"])
def test_a_link_out_of_the_game_is_not_followed(game: Path, what: str, way: str) -> None:
    folder, name = LINKED.get(what, ("templates", "face.xml"))
    outside = game.parent / "outside"
    if what == "font":
        from deckwright.text.fonts import icon_font

        shutil.copyfile(icon_font().path, outside / name)
    own = {path.name: path.read_bytes() for path in (game / folder).glob("*.xml")}
    if way == "file":
        ending = ".xml" if what == "format" else ""
        link(game / folder / (name + ending), outside / (name + ending))
    else:
        write_all(outside, own.items())
        link(game / folder, outside)
    place(game, what, name)
    outcome = check_untrusted(game)
    assert kept(outcome, game)
    assert reported(outcome)


@pytest.mark.corpus(5)
@pytest.mark.parametrize("folder", ["xml", "xml/Decks", "xml/Factions", "xml/sheets", "templates",
                                    "templates/style", "img"])  # fmt: skip
@pytest.mark.parametrize("target", [".", "/proc/self", "/etc/passwd", "/root"])
def test_a_folder_that_is_a_link_is_no_fault(game: Path, folder: str, target: str) -> None:
    link(game / folder, target)
    assert check_untrusted(game).is_friendly


@pytest.mark.parametrize("folder", ["img", "templates", "xml/sheets"])
def test_a_link_to_everything_is_not_gone_through(game: Path, folder: str) -> None:
    for inner in ("", "all"):
        link(game / folder / inner, "/")
        outcome = check_untrusted(game)
        assert outcome.is_friendly, outcome.said
        link(game / folder, game / "nowhere")
        (game / folder).unlink()
        write_all(game, [(f"{folder}/x", "")])
        if folder == "templates":
            write_all(game, [("templates/card.xml", "<face/>")])


@pytest.mark.parametrize("folder", ["img", "templates", "xml/sheets"])
def test_a_pipe_that_nothing_names_is_not_opened(game: Path, folder: str) -> None:
    (game / folder).mkdir(exist_ok=True)
    os.mkfifo(game / folder / "pipe.png")
    assert check_untrusted(game).code == 0


@pytest.mark.parametrize("used", [True, False])
def test_a_picture_that_is_far_too_large_is_not_read_whole(game: Path, *, used: bool) -> None:
    with (game / "img" / "huge.png").open("wb") as stream:
        stream.truncate(40 << 30)
    if used:
        place(game, "card's picture", "huge.png")
        edit(game / "templates/card.xml", "<face>",
             '<face><image href="{{ card.image }}" width="9" height="9"/>')  # fmt: skip
    outcome = check_untrusted(game)
    assert outcome.bounded, outcome.said
    assert outcome.code == used
    assert (": error I010: " in outcome.said) == used


@pytest.mark.parametrize("name", ["/etc/passwd", "../../outside/secret", "{outside}/secret"])
def test_a_template_cannot_ask_what_lies_outside_of_the_game(game: Path, name: str) -> None:
    name = name.replace("{outside}", str(game.parent / "outside"))
    box = 'x="5" y="5" width="50" height="9"'
    face = f"""<face><text {box} when="'{name}'|is_image">{{{{ nothing }}}}</text></face>"""
    write_all(game, [("templates/card.xml", face)])
    assert check_untrusted(game).code == 0


@pytest.mark.parametrize("name", ["a" * 5000, "a/" * 3000, "\\0"])
def test_a_name_that_no_file_can_have_is_no_image(game: Path, run: Run, name: str) -> None:
    face = f"""<face><g when="'{name}'|is_image"><text>x</text></g></face>"""
    write_all(game, [("templates/card.xml", face)])
    assert run("check", "--game", str(game)).exit_code == 0


@pytest.mark.parametrize("style", ["../../outside", "/etc", "..", ".", ""])
def test_a_style_is_a_folder_of_the_templates(game: Path, style: str) -> None:
    outcome = run_bounded("deck", "d", "--game", game, "--style", style, cwd=game)
    assert outcome.code == 2
    assert "there is no style" in outcome.said
