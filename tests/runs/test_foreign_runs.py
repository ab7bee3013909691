"""A run from somebody else: whatever is in its folder, nothing outside is touched, and all ends."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import SMALL, Run
from deckwright.game.folder import GameFolder
from deckwright.runs.archive import pack_game, read_entries, unpack
from deckwright.runs.manifest import parse_record
from deckwright.runs.run import plan_run
from hostile import run_all_of_runs, run_bounded


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three printed decks of the small game."""
    folder = tmp_path_factory.mktemp("printed")
    cards = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(1, 6)]
    cards.append({"id": "WF1", "faction": "WF"})
    lines = [{"id": f"A-{number}", "faction": "RW", "cards": cards} for number in range(1, 4)]
    (folder / "run.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    plan_run(SMALL, folder / "run.jsonl", folder / "run").start(workers=1)
    return folder / "run"


@pytest.fixture
def foreign(small: Path, printed: Path) -> Path:
    """A copy of that run."""
    return Path(shutil.copytree(printed, small / "run"))


def facts(folder: Path, **changed: object) -> None:
    """Change what `run.json` says; the options by `options`."""
    path = folder / "run.json"
    said = json.loads(path.read_bytes())
    said["options"].update(changed.pop("options", {}))
    path.write_text(json.dumps({**said, **changed}))


def lines(folder: Path, data: bytes) -> None:
    (folder / "lines.jsonl").write_bytes(data)
    decks = max(data.count(b"\n"), 1)
    facts(folder, lines=sha256(data).hexdigest(), decks=decks)


def game(folder: Path, data: bytes) -> None:
    (folder / "game.tar").write_bytes(data)
    facts(folder, game=sha256(data).hexdigest())


def entry(name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"", **more: object) -> bytes:
    """Return an archive with one entry."""
    written = BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo(name)
        info.type, info.size = kind, len(content)
        for key, value in more.items():
            setattr(info, key, value)
        archive.addfile(info, BytesIO(content))
    return written.getvalue()


def sparse(name: str, size: int) -> bytes:
    """Return an archive with an entry of GNU's that is a hole."""
    info = tarfile.TarInfo(name)
    info.type, info.size = tarfile.GNUTYPE_SPARSE, 0
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[386:410] = b"00000000000\0" * 2
    block[483:495] = f"{size:011o}\0".encode()
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    return bytes(block) + bytes(1024)


def record(folder: Path, **changed: object) -> None:
    """Change the first line of the manifest."""
    path = folder / "manifest.jsonl"
    first, *others = path.read_text().splitlines()
    path.write_text(
        "".join(f"{x}\n" for x in (json.dumps({**json.loads(first), **changed}), *others))
    )


def hole(path: Path, size: int) -> None:
    with path.open("ab") as stream:
        stream.truncate(size)


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def file_named(name: str) -> Callable[[Path], None]:
    return lambda run: record(run, files=[[name, 1, "0" * 64]])


DECK = b'{"id":"A-1","name":"A","faction":"RW","cards":[{"id":"RW1","amount":1}]}\n'
SPARSE_PAX = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "6000000000"}
VARIANTS: dict[str, Callable[[Path], Any]] = {
    "facts empty": lambda run: (run / "run.json").write_bytes(b""),
    "facts nested": lambda run: (run / "run.json").write_text("[" * 100_000),
    "facts a list": lambda run: (run / "run.json").write_text("[]"),
    "facts no text": lambda run: (run / "run.json").write_bytes(b"\xff\xfe\xfa"),
    "facts huge": lambda run: hole(run / "run.json", 10**10),
    "facts a folder": lambda run: replace_by_folder(run / "run.json"),
    "decks a text": lambda run: facts(run, decks="3"),
    "decks many": lambda run: facts(run, decks=10**15),
    "date huge": lambda run: facts(run, date=10**30),
    "date a list": lambda run: facts(run, date=[]),
    "options a list": lambda run: facts(run, options={"limit": []}),
    "watermark long": lambda run: facts(run, options={"watermark": "W" * 1_000_000}),
    "style none": lambda run: facts(run, options={"style": "../../x"}),
    "sheet none": lambda run: facts(run, options={"sheet": "/etc/passwd"}),
    "sheet a number": lambda run: facts(run, options={"sheet": 5}),
    "service none": lambda run: facts(run, options={"service": "x"}),
    "icc outside": lambda run: facts(run, options={"service": "press", "icc": "/dev/zero"}),
    "flip none": lambda run: facts(run, options={"flip": "x"}),
    "printer none": lambda run: facts(run, options={"printer": {"offset": 1}}),
    "offset far": lambda run: facts(run, options={"back_offset": [1e300, 0]}),
    "limit a text": lambda run: facts(run, options={"limit": {"size": "x"}}),
    "date no day": lambda run: facts(run, options={"date": "x"}),
    "option unknown": lambda run: facts(run, options={"only": ["x"]}),
    "lines no JSON": lambda run: lines(run, b"{\n"),
    "lines a list": lambda run: lines(run, b"[1]\n"),
    "lines nested": lambda run: lines(run, b"[" * 100_000 + b"\n"),
    "lines no text": lambda run: lines(run, b'{"id": "\xff"}\n'),
    "lines outside": lambda run: lines(run, DECK.replace(b"A-1", b"../../x")),
    "lines twice": lambda run: lines(run, DECK + DECK),
    "lines empty": lambda run: lines(run, DECK + b"\n"),
    "lines a hole": lambda run: hole(run / "lines.jsonl", 10**12),
    "game empty": lambda run: game(run, b""),
    "game no archive": lambda run: game(run, b"x" * 5000),
    "game torn": lambda run: game(run, (run / "game.tar").read_bytes()[:3000]),
    "game outside": lambda run: game(run, entry("xml/../../../x.xml", content=b"x")),
    "game absolute": lambda run: game(run, entry("/tmp/x", content=b"x")),
    "game a link": lambda run: game(run, entry("xml/game.xml", tarfile.SYMTYPE, linkname="/etc")),
    "game a pipe": lambda run: game(run, entry("xml/game.xml", tarfile.FIFOTYPE)),
    "game sparse": lambda run: game(run, sparse("img/a.png", 6_000_000_000)),
    "game sparse pax": lambda run: game(
        run, entry("img/a.png", content=b"1\n0\n512\n", pax_headers=SPARSE_PAX)
    ),
    "game long header": lambda run: game(run, entry("img/a", pax_headers={"x": "y" * 10**6})),
    "game folder a file": lambda run: game(run, entry("xml", content=b"x")),
    "game other": lambda run: game(run, entry("xml/game.xml", content=b"<game/>")),
    "game a hole": lambda run: hole(run / "game.tar", 10**12),
    "manifest no text": lambda run: (run / "manifest.jsonl").write_bytes(b"\xff\0\n" * 9),
    "manifest nested": lambda run: (run / "manifest.jsonl").write_text("[" * 100_000 + "\n"),
    "manifest a hole": lambda run: hole(run / "manifest.jsonl", 10**12),
    "manifest a long line": lambda run: (run / "manifest.jsonl").write_text(
        "[],\n" * 3 + "x" * 10**7
    ),
    "file endless": file_named("/dev/zero"),
    "file outside": file_named("../outside.pdf"),
    "file inside, outside": file_named("decks/A-1/../../../outside.pdf"),
    "file with zero": file_named("decks/A-1/\0"),
    "file no name": lambda run: record(run, files=[[5, 1, "0"]]),
    "file infinite": lambda run: record(run, files=[["decks/A-1.pdf", float("inf"), "0"]]),
    "deck a list": lambda run: record(run, deck=[]),
    "number huge": lambda run: record(run, number=10**30),
    "pages a number": lambda run: record(run, pages=5),
    "values a list": lambda run: record(run, values=[1]),
    "values nothing": lambda run: record(run, values=None),
    "aside half": lambda run: record(run, files=[], aside=[{"message": "m", "file": "f"}]),
    "deck a folder": lambda run: replace_by_folder(run / "decks/A-1.pdf"),
    "folders deep": lambda run: (run / "decks" / "/".join("d" * 900)).mkdir(parents=True),
}


@pytest.mark.corpus(6)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_damaged_run_ends_well(foreign: Path, name: str) -> None:
    outside = foreign.parent / "outside.pdf"
    outside.write_text("mine")
    VARIANTS[name](foreign)
    outcome = run_bounded(foreign, cwd=foreign.parent, program=run_all_of_runs)
    assert outcome.bounded, f"{outcome.code} {outcome.megabytes} {outcome.said[-2000:]}"
    assert outcome.megabytes < 512
    assert outside.read_text() == "mine"
    assert str(outside) not in outcome.touched
    assert "/dev/zero" not in outcome.touched


PLACES = ("decks/A-1.pdf", "decks", "manifest.jsonl", ".lock", "work", "lines.jsonl", "run.json",
          "game.tar", "reprints", "merged", "backs", "boxes")  # fmt: skip


@pytest.mark.parametrize("command", ["start", "verify", "reprint", "merge", "prove", "status"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
@pytest.mark.parametrize("place", PLACES)
def test_links_and_pipes_in_a_run_are_refused(
    foreign: Path, run: Run, place: str, kind: str, command: str
) -> None:
    """Nothing is read or written through them."""
    own = foreign / place
    outside = foreign.parent / "outside"
    if own.exists():
        own.rename(outside)
    else:
        outside.mkdir()
        (outside / ".mine.tmp").write_text("mine")
    before = content(outside)
    own.symlink_to(outside) if kind == "link" else os.mkfifo(own)
    more = {"reprint": ["A-1"], "prove": ["A-1.AAAA"]}.get(command, [])
    result = run("run", command, "run", *more)
    if command == "status" and place == "decks/A-1.pdf":
        assert result.exit_code == 0
        return
    assert result.exit_code == 1, result.output
    what = "a link" if kind == "link" else "not a regular file"
    assert f"run/{place}: error E123: `{own.name}` is {what}" in result.stderr
    assert content(outside) == before


def content(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return {file.name: file.read_bytes() for file in files if file.is_file()}


ARCHIVE = pack_game(GameFolder(SMALL), {"a profile.icc": b"p", "ä" * 90: b"long"})


def test_an_archive_is_unpacked_as_it_was(tmp_path: Path) -> None:
    unpack(BytesIO(ARCHIVE), tmp_path)
    with tarfile.open(fileobj=BytesIO(ARCHIVE)) as archive:
        for each in archive:
            file = archive.extractfile(each)
            assert file is not None
            assert (tmp_path / each.name).read_bytes() == file.read()
    assert (tmp_path / "icc" / ("ä" * 90)).read_bytes() == b"long"


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_archives_are_read_or_refused(data: st.DataObject) -> None:
    damaged = bytearray(ARCHIVE)
    heads = [at for at in range(0, len(ARCHIVE), 512) if ARCHIVE[at + 257 : at + 262] == b"ustar"]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(heads))
        field = data.draw(st.sampled_from([(0, 100), (124, 136), (156, 157), (345, 500)]))
        junk = data.draw(st.binary(min_size=1, max_size=field[1] - field[0]))
        damaged[at + field[0] : at + field[0] + len(junk)] = junk
        damaged[at + 148 : at + 156] = b" " * 8
        damaged[at + 148 : at + 156] = f"{sum(damaged[at : at + 512]):06o}\0 ".encode()
    cut = data.draw(st.integers(0, len(damaged)))
    with suppress(ValueError):
        for name, size in read_entries(BytesIO(bytes(damaged[:cut]))):
            assert not name.is_absolute()
            assert ".." not in name.parts
            assert 0 <= size <= len(damaged)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each, max_size=3)
    ),
    max_leaves=5,
)


@given(
    st.sampled_from(["deck", "number", "key", "files", "pages", "faces", "values", "aside"]), JSON
)
def test_what_a_record_says_is_taken_or_refused(name: str, value: object) -> None:
    whole = {"deck": "A-1", "number": 1, "key": "k", "files": [["decks/A-1.pdf", 1, "0"]]}
    with suppress(ValueError):
        found = parse_record(json.dumps({**whole, name: value}))
        assert all(file == "decks/A-1.pdf" or "/A-1/" in file for file, _, _ in found.files)
        found.to_json()
