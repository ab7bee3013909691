"""Builds that are killed, starved, shut out or run at once: the old PDF or the new one is there."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from unittest.mock import ANY

import faults
import pytest
from faults import At, Held, Made, build, left, old
from PIL import Image

from conftest import Run


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder that the builds of `whole` have filled."""
    return tmp_path_factory.mktemp("filled")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, filled: Path) -> Made:
    """The PDFs that builds make which nothing disturbs."""
    folder = faults.write_pictures(tmp_path_factory.mktemp("whole") / "game")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(filled))
        patch.delenv("SOURCE_DATE_EPOCH", raising=False)
        assert build(folder, "deck", "plain", "pictures").code == 0
    return left(folder / "out")


@pytest.fixture
def game(tmp_path: Path, whole: Made, filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game, as the working folder, whose decks were printed before, in another state.

    Its templates are known, so that the first file to be written is the PDF.
    """
    assert whole
    programs = Path("deckwright/programs")
    known = Path(os.environ["XDG_CACHE_HOME"]) / programs
    shutil.copytree(filled / programs, known, dirs_exist_ok=True)
    folder = faults.write_pictures(tmp_path / "game")
    (folder / "out").mkdir()
    for name, data in old().items():
        (folder / "out" / name).write_bytes(data)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "moment",
    [
        "COMPOSING SIGINT",
        "COMPOSING SIGTERM",
        "OPENED SIGINT",
        "PAINTING SIGINT",
        "REPLACING SIGTERM",
    ],
)
def test_an_interrupt_leaves_the_old_pdf(game: Path, moment: str) -> None:
    place, number = moment.split()
    ended = Held(game, At[place], "deck", "plain").stop(signal.Signals[number])
    assert ended.code == 130
    assert ended.said.strip() == "interrupted, nothing was changed"
    assert left(game / "out") == old()


@pytest.mark.parametrize("moment", ["REPLACED SIGINT", "LEAVING SIGTERM"])
def test_a_late_interrupt_leaves_the_new_pdf_and_does_not_deny_it(
    game: Path, whole: Made, moment: str
) -> None:
    place, number = moment.split()
    ended = Held(game, At[place], "deck", "plain", "--quiet").stop(signal.Signals[number])
    assert (ended.code, ended.calm) == (130, True)
    assert left(game / "out") == old(whole, "plain")
    assert "interrupted" in ended.said
    assert "nothing was changed" not in ended.said


def test_a_second_interrupt_while_the_first_is_tidied_up_leaves_no_litter(game: Path) -> None:
    held = Held(game, f"{At.REPLACING} {At.REMOVING}", "deck", "plain")
    for _ in range(2):
        held.reach()
        held.send(signal.SIGINT)
    held.go_on()
    ended = held.end()
    assert (ended.code, ended.calm) == (130, True)
    assert left(game / "out") == old()


@pytest.mark.parametrize("place", [At.PAINTING, At.REPLACING, At.REPLACED])
def test_a_build_that_is_killed_is_no_hindrance_to_the_next(
    game: Path, whole: Made, place: str
) -> None:
    assert Held(game, place, "deck", "plain").stop(signal.SIGKILL).code == -signal.SIGKILL
    # What cannot be helped: a hidden file stays if one was open.
    stays = {name: data for name, data in left(game / "out").items() if name.startswith(".")}
    assert len(stays) == (place != At.REPLACED)
    assert all(name.startswith(f".{faults.PLAIN}.") and name.endswith(".tmp") for name in stays)
    expected = old(whole, "plain") if place == At.REPLACED else old()
    assert left(game / "out") == expected | stays
    (game / "out" / faults.PLAIN).write_bytes(b"old")
    assert build(game, "deck", "plain").code == 0
    now = left(game / "out")
    assert {name: now[name] for name in old()} == old(whole, "plain")
    assert now.keys() <= old().keys() | stays.keys()


def test_an_interrupt_while_an_image_is_prepared_leaves_no_litter(
    game: Path, own_cache: Path
) -> None:
    ended = Held(game, At.CACHING, "deck", "pictures").stop(signal.SIGINT)
    assert (ended.code, ended.calm) == (130, True)
    assert left(game / "out") == old()
    assert not list(own_cache.rglob("*.tmp"))


def test_an_interrupt_removes_the_cache_of_one_run_alone(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    monkeypatch.setenv("TMPDIR", str(temporary))
    held = Held(game, At.REPLACING, "deck", "pictures")
    held.reach()
    assert list(temporary.iterdir())
    held.send(signal.SIGTERM)
    assert held.end().code == 130
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("number", [2, 8])
def test_builds_of_one_deck_at_once_leave_one_whole_pdf(
    game: Path, whole: Made, number: int
) -> None:
    builds = [Held(game, At.REPLACING, "deck", "plain") for _ in range(number)]
    for held in builds:
        held.reach()
    assert len(left(game / "out")) == 2 + number
    for held in builds:
        held.go_on()
    assert {held.end().code for held in builds} == {0}
    assert left(game / "out") == old(whole, "plain")


def test_builds_at_once_fill_an_empty_cache(game: Path, whole: Made, own_cache: Path) -> None:
    builds = [Held(game, At.CACHING, "deck", "pictures") for _ in range(2)]
    for held in builds:
        held.reach()
    for held in builds:
        held.go_on()
    assert {held.end().code for held in builds} == {0}
    assert left(game / "out") == old(whole, "pictures")
    entries = [*(own_cache / "images").glob("*g")]
    assert len(entries) == 2
    for path in entries:
        Image.open(path).load()


@pytest.mark.corpus(2)
@pytest.mark.parametrize("mount", ["size=8k", "size=12k", "nr_inodes=3", "ro"])
def test_a_disk_that_takes_no_more_leaves_the_old_pdf(game: Path, mount: str) -> None:
    room = "mount -t tmpfs tmpfs out; printf old | tee out/deck_plain.pdf > out/deck_pictures.pdf"
    ended = faults.mounted(f"{room}; mount -o remount,{mount} out", game, "deck", "pictures")
    reason = "Read-only file system" if mount == "ro" else "No space left on device"
    assert ended.code == 3
    assert f"deck_pictures.pdf: error E002: cannot write the file: {reason}" in ended.said
    assert ("hint: free some disk space" in ended.said) == (mount != "ro")
    assert left(game / "seen") == old()


@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_cannot_be_written_leaves_the_old_pdf(game: Path, *, exists: bool) -> None:
    target = "out/deck_plain.pdf" if exists else "out/new/x.pdf"
    (game / "out").chmod(0o555)
    ended = build(game, "deck", "plain", "--out", target, start=faults.powerless())
    (game / "out").chmod(0o755)
    assert ended.code == 3
    assert " error E002: cannot write the file: Permission denied" in ended.said
    assert left(game / "out") == old()


@pytest.mark.corpus(2)
@pytest.mark.parametrize("command", ["deck pictures", "check"])
@pytest.mark.parametrize("mount", ["size=4k", "nr_inodes=3", "ro"])
def test_a_cache_without_room_is_no_reason_not_to_print(
    game: Path, whole: Made, own_cache: Path, mount: str, command: str
) -> None:
    own_cache.mkdir()
    ended = faults.mounted(f"mount -t tmpfs -o {mount} tmpfs {own_cache}", game, *command.split())
    assert ended.code == 0, ended.said
    assert left(game / "seen") == old(whole, command)


@pytest.mark.corpus(5)
@pytest.mark.parametrize(
    ("command", "folder", "mode"),
    [
        ("deck pictures", "", 0o555), ("deck pictures", "images", 0),
        ("check", "", 0o555), ("check", "", 0), ("check", "checked", 0),
    ],
)  # fmt: skip
def test_a_cache_that_is_closed_is_no_reason_not_to_print(
    game: Path, whole: Made, own_cache: Path, command: str, folder: str, mode: int
) -> None:
    (own_cache / folder).mkdir(parents=True)
    (own_cache / folder).chmod(mode)
    ended = build(game, *command.split(), start=faults.powerless())
    (own_cache / folder).chmod(0o755)
    assert ended.code == 0, ended.said
    assert left(game / "out") == old(whole, command)


@pytest.mark.corpus(2)
@pytest.mark.parametrize("spoil", faults.SPOIL, ids=lambda function: function.__name__)
def test_spoilt_entries_of_the_cache_do_not_change_the_pdf(
    game: Path, whole: Made, filled: Path, own_cache: Path, spoil: Callable[[Path], None]
) -> None:
    shutil.copytree(filled / "deckwright", own_cache)
    programs = [*(own_cache / "programs").iterdir()]
    assert programs
    for entry in (*(own_cache / "images").glob("*g"), *programs):
        spoil(entry)
    assert build(game, "deck", "pictures") == faults.Ended(0, ANY, "")
    assert left(game / "out") == old(whole, "pictures")


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("rubbish", ["checked", "checked/old/x"])
def test_rubbish_in_place_of_stamps_does_not_change_a_check(
    own_cache: Path, run: Run, rubbish: str
) -> None:
    (own_cache / rubbish).parent.mkdir(parents=True)
    (own_cache / rubbish).touch()
    os.utime((own_cache / rubbish).parent, (0, 0))
    assert [run("check").exit_code for _ in range(2)] == [0, 0]


def test_a_cache_that_is_removed_during_a_build_leaves_a_whole_pdf(
    game: Path, whole: Made, own_cache: Path
) -> None:
    held = Held(game, At.READ, "deck", "pictures", "--quiet")
    held.reach()
    shutil.rmtree(own_cache)
    held.go_on()
    ended = held.end()
    assert ended.calm
    assert left(game / "out") == old(whole, "" if ended.code else "pictures")


def test_a_file_that_is_removed_during_a_check_is_no_fault_of_ours(game: Path) -> None:
    (game / "img" / "unused.png").touch()
    held = Held(game, At.STAMPING, "check")
    held.reach()
    (game / "img" / "unused.png").unlink()
    held.go_on()
    assert held.end() == faults.Ended(0, ANY, "")


@pytest.mark.parametrize("command", ["deck pictures", "check"])
def test_a_user_without_a_home_can_print(
    game: Path, whole: Made, run: Run, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    before = sorted(game.iterdir())
    assert run(*command.split()).exit_code == 0
    assert sorted(game.iterdir()) == before
    assert left(game / "out") == old(whole, command)


@pytest.mark.parametrize("variable", ["HOME", "TMPDIR"])
def test_a_home_that_is_no_folder_is_no_reason_not_to_print(
    game: Path, whole: Made, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "" if variable == "HOME" else "/dev/null")
    monkeypatch.setenv(variable, "/dev/null")
    assert build(game, "deck", "pictures") == faults.Ended(0, ANY, "")
    assert left(game / "out") == old(whole, "pictures")


@pytest.mark.parametrize(
    "command", ["check", "deck plain", "check -g GAME", "stats plain -g GAME", "deck plain -g GAME"]
)
def test_a_working_folder_that_is_gone_is_no_fault_of_ours(game: Path, command: str) -> None:
    arguments = command.replace("GAME", str(game)).split()
    ended = faults.shell('mkdir gone; cd gone; rmdir ../gone; exec "$@"', game, *arguments)
    assert ended.calm, ended.said
    assert ended.code in ({0, 2} if "GAME" in command else {2})


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("dangling.pdf", "nowhere/y.pdf"),
        ("a/b/c/x.pdf", "a/b/c/x.pdf"),
        ("nowhere/../x.pdf", "x.pdf"),
        ("x" * 251 + ".pdf", "x" * 251 + ".pdf"),
        ("\udcff.pdf", "\udcff.pdf"),
    ],
    ids=lambda name: ascii(name)[:20],
)
def test_an_odd_target_is_written(
    game: Path, whole: Made, run: Run, target: str, written: str
) -> None:
    (game / "dangling.pdf").symlink_to("nowhere/y.pdf")
    result = run("deck", "plain", "--quiet", "--out", target)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (game / written).read_bytes() == whole[faults.PLAIN]
    assert (game / "dangling.pdf").is_symlink()
    assert not list(game.rglob("*.tmp"))


@pytest.mark.parametrize(("target", "code"), [("fifo", "E001"), ("d/" * 2100 + "x.pdf", "E002")])
def test_a_target_that_is_none_is_reported(game: Path, run: Run, target: str, code: str) -> None:
    os.mkfifo(game / "fifo")
    result = run("deck", "plain", "--out", target)
    assert result.exit_code == 3
    assert f" error {code}: " in result.stderr
    assert (game / "fifo").is_fifo()
    assert not (game / "d").exists()


@pytest.mark.corpus(2)
@pytest.mark.parametrize("output", faults.OUTPUTS)
@pytest.mark.parametrize("command", ["deck plain", "stats pictures"])
def test_a_standard_output_that_takes_nothing_is_no_fault_of_ours(
    game: Path, whole: Made, output: str, command: str
) -> None:
    ended = faults.shell(faults.OUTPUTS[output], game, *command.split())
    assert ended.calm, ended.said
    assert ended.code in {0, 1, 3}
    assert left(game / "out") == old(whole, command.replace("stats pictures", ""))
    if output == "closed":
        assert ended == faults.Ended(0, "", "")


@pytest.mark.parametrize(
    ("command", "code", "closed"),
    [("deck nosuch", 3, "2>&-"), ("deck", 2, ">&- 2>&-"), ("deck plain", 0, "<&- >&- 2>&-")],
)
def test_a_closed_standard_error_does_not_change_the_exit_code(
    game: Path, command: str, code: int, closed: str
) -> None:
    assert faults.shell(f'exec "$@" {closed}', game, *command.split()).code == code
