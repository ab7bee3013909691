"""The plan of a run: its decks, game and options, stored in a folder.

The folder holds `run.json` (the facts), `lines.jsonl` (one deck a line), `game.tar` (the game at
the time of planning), and later `manifest.jsonl`, `decks/`, `backs/`, and while `run start` prints
also `work/`, which only that command writes to and removes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import deque
from collections.abc import Iterator
from hashlib import blake2b, file_digest, sha256
from io import BufferedReader
from pathlib import Path
from typing import IO, NamedTuple

from deckwright import __version__
from deckwright.api.options import RunPrint
from deckwright.base.files import open_file, read_file, write_bytes
from deckwright.base.findings import ChoiceError, Code, Diagnostic, Location, Report, Severity
from deckwright.base.output import OutputError, stop_on_errors, write_failure
from deckwright.base.units import pluralize, resolve_date
from deckwright.game.folder import GameFolder
from deckwright.runs.archive import pack_game, read_entries
from deckwright.runs.lines import read_lines
from deckwright.runs.options import LANGUAGE, require_valid_options, resolve_options

E121 = Code("E121", Severity.ERROR, "a folder that is not a run, or a damaged run")
E123 = Code("E123", Severity.ERROR, "a run folder with a link, a pipe or a device in it")

VERSION = 1
"""The version of the files in a run's folder."""
FACTS, LINES, GAME, MANIFEST = "run.json", "lines.jsonl", "game.tar", "manifest.jsonl"
DECKS, BACKS, WORK = "decks", "backs", "work"
MERGED, REPRINTS = "merged", "reprints"
"""The default folders for merged and reprinted files."""
BOXES = "boxes"
"""The folder of tuck boxes."""
_FOLDERS = {"backs.pdf": BACKS, "boxes.pdf": BOXES}
BACKS_FILE, BOXES_FILE = _FOLDERS
"""The names of the files with backs and tuck boxes in a print of a deck."""

_MAX_FACTS_BYTES, _MAX_LINE_BYTES, _MAX_GAME_BYTES = 1_000_000, 10_000_000, 4_000_000_000
"""The largest facts, line and archive of the game in bytes."""
_MAX_DEPTH = 40
"""The maximum nesting of folders in a run's folder."""
_MAX_DATE = 10**11
"""The latest valid date, in seconds since 1970."""
_MAX_FOREIGN = 20
"""At most this many links, pipes and devices are reported."""

_PLAN_AGAIN = "plan the run again in another folder"


class EngineError(Exception):
    """Raised if workers cannot start, or if their output cannot be written.

    In the latter case its cause is the OSError.
    """


class RunFacts(NamedTuple):
    """The contents of `run.json`.

    Attributes:
        deckwright: the version that planned the run. No other version may print it.
        game: the SHA-256 of `game.tar`.
        lines: the SHA-256 of `lines.jsonl`.
        decks: the number of lines.
        date: the date of all files, in seconds since 1970: SOURCE_DATE_EPOCH, or that of the newest
            file of the game.
        options: the options of `RunPrint` as JSON; missing ones default to the game's settings.
    """

    deckwright: str
    game: str
    lines: str
    decks: int
    date: int
    options: str

    @property
    def language(self) -> str | None:
        """The code of the translation that it prints, None for the game's own texts."""
        code: str | None = json.loads(self.options).get(LANGUAGE)
        return code


class RunPlan(NamedTuple):
    """A planned run: its folder and its facts."""

    folder: Path
    facts: RunFacts

    @property
    def lines(self) -> Path:
        """The file of the decks."""
        return self.folder / LINES

    @property
    def game(self) -> Path:
        """The archive of the game."""
        return self.folder / GAME

    @property
    def manifest(self) -> Path:
        """The manifest of printed decks."""
        return self.folder / MANIFEST

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of the decks with their numbers, from 1."""
        with self.lines.open(encoding="utf-8", errors="replace", newline="\n") as stream:
            for number, text in enumerate(stream, 1):
                yield number, text.removesuffix("\n")

    def key(self, text: str) -> str:
        """Return the key of a deck's print: the same key means the same bytes.

        It is a hash of the game, the version of Deckwright, the date, the options, and the line.
        """
        facts = self.facts
        whole = f"{facts.game}\n{facts.deckwright}\n{facts.date}\n{facts.options}\n{text}"
        return blake2b(whole.encode(), digest_size=16).hexdigest()


def deck_path(deck_id: str, name: str = "") -> str:
    """Return the path of a deck's file in the run's folder.

    Of several files each has a name; backs and boxes have folders of their own.
    """
    if name in _FOLDERS:
        return f"{_FOLDERS[name]}/{deck_id}.pdf"
    return f"{DECKS}/{deck_id}/{name}" if name else f"{DECKS}/{deck_id}.pdf"


def belongs_to_deck(deck_id: str, file: str) -> bool:
    """Return whether a path, as from `deck_path`, can belong to a deck."""
    if file in {deck_path(deck_id, name) for name in ("", *_FOLDERS)}:
        return True
    begin = f"{DECKS}/{deck_id}/"
    parts = file.removeprefix(begin).split("/")
    hidden = any(not part or part.startswith(".") for part in parts)
    return file.startswith(begin) and not hidden and {"\\", "\0"}.isdisjoint(file)


def make_plan(
    folder: GameFolder, source: Path, target: Path, how: RunPrint, report: Report
) -> RunPlan:
    """Implement `plan_run`.

    Raises:
        ChoiceError: if an option is not for runs, or the folder holds anything else.
        GameError, OutputError: after reporting errors.
        OSError: if a file cannot be read.
    """
    options, profiles = resolve_options(how, folder, report)
    archive = pack_game(folder, profiles)
    if len(archive) > _MAX_GAME_BYTES:
        raise ChoiceError(f"the game's files have more than {_MAX_GAME_BYTES:,} bytes")
    work = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        work.mkdir(parents=True)
        checksum, decks = sha256(), 0
        with (work / LINES).open("wb") as stream:
            for line in read_lines(source, report):
                written = f"{line.to_json()}\n".encode()
                checksum.update(written)
                decks += stream.write(written) > 0
            stream.flush()
            os.fsync(stream.fileno())
        stop_on_errors(report)
        date = int(resolve_date(folder.inputs()).timestamp())
        game = sha256(archive).hexdigest()
        facts = RunFacts(__version__, game, checksum.hexdigest(), decks, date, options)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            return _reopen_plan(target, facts)
        data = {"version": VERSION, **facts._asdict(), "options": json.loads(options)}
        write_bytes(work / GAME, archive)
        write_bytes(work / FACTS, f"{json.dumps(data, indent=2)}\n".encode())
        if target.exists():
            target.rmdir()
        work.rename(target)
        return RunPlan(target, facts)
    except OSError as error:
        raise OutputError(write_failure(target, error)) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _reopen_plan(target: Path, facts: RunFacts) -> RunPlan:
    try:
        plan = read_plan(target)
    except OutputError:
        hint = "choose another folder with --out"
        raise ChoiceError(f"`{target}` already exists, and is not a run", hint) from None
    for name, what in (
        ("deckwright", "was planned with another version of Deckwright"),
        ("game", "is of an earlier state of the game"),
        ("lines", "has other decks"),
        ("language", "is in another language"),
        ("options", "has other options"),
        ("date", "has another date"),
    ):
        if getattr(plan.facts, name) != getattr(facts, name):
            hint = "choose another folder with --out, or remove this one"
            raise ChoiceError(f"the run in `{target}` {what}", hint)
    return plan


def read_plan(target: Path) -> RunPlan:
    """Read the run in a folder; raise an OutputError if there is none, or it is damaged."""
    path = target / FACTS
    try:
        if path.exists():
            _forbid_foreign(target, below=False)
        data = json.loads(read_file(path, _MAX_FACTS_BYTES))
        version = data.pop("version")
        require_valid_options(data["options"])
        options = json.dumps(data.pop("options"), sort_keys=True, separators=(",", ":"))
        facts = RunFacts(**data, options=options)
        is_typed = [*map(type, facts)] == [str, str, str, int, int, str]
        if not is_typed or facts.decks <= 0 or not 0 <= facts.date < _MAX_DATE:
            raise ValueError(path)  # noqa: TRY301
    except (FileNotFoundError, NotADirectoryError) as error:
        message, hint = "there is no run in the folder", "make one with `deckwright run plan`"
        raise OutputError(E121.at(Location(target), message, hint)) from error
    except OSError as error:
        raise _unreadable_error(path, error) from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _damage_error(path, "the facts of the run are damaged") from error
    if version != VERSION:
        hint = "use the version of Deckwright that planned it"
        message = f"runs of version {version} are not supported"
        raise OutputError(E121.at(Location(path), message, hint))
    return RunPlan(target, facts)


def _damage_error(path: Path, message: str) -> OutputError:
    return OutputError(E121.at(Location(path), message, _PLAN_AGAIN))


def _unreadable_error(path: Path, error: OSError) -> OutputError:
    return _damage_error(path, f"the file cannot be read: {error.strerror or error}")


def _forbid_foreign(folder: Path, *, below: bool) -> None:
    """Forbid links, pipes and devices in a run's folder, or also in those `below` it.

    A run from somebody else must not make us read or write through a link, or wait for a pipe.

    Raises:
        OutputError: if there are any.
        OSError: if a folder cannot be listed.
    """
    hint = "remove it: a run has only regular files and folders"
    foreign: list[Diagnostic] = []
    folders = [(folder, 1)]
    while folders and not (below and len(foreign) >= _MAX_FOREIGN):
        here, depth = folders.pop()
        with os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
                    folders += [(here / entry.name, depth + 1)] * below
                elif not entry.is_file(follow_symlinks=False):
                    what = "a link" if entry.is_symlink() else "not a regular file"
                    place = Location(here / entry.name)
                    foreign.append(E123.at(place, f"`{entry.name}` is {what}", hint))
    if foreign:
        raise OutputError(*foreign[: _MAX_FOREIGN if below else None])


def require_usable(plan: RunPlan) -> None:
    """Require a run to be intact and planned by this version, as others print other bytes.

    Raises:
        OutputError: if it is not.
    """
    planned = plan.facts.deckwright
    if planned != __version__:
        message = f"the run was planned with Deckwright {planned}"
        hint = f"use that version, or plan it again with this one, {__version__}"
        raise OutputError(E121.at(Location(plan.folder / FACTS), message, hint))
    require_intact(plan)


def require_intact(plan: RunPlan) -> None:
    """Require the files of a run to be as planned, or raise an OutputError."""
    path = plan.folder
    try:
        _forbid_foreign(path, below=True)
        for path, require in ((plan.lines, _require_lines), (plan.game, _require_game)):
            with open_file(path) as stream:
                require(stream, plan.facts)
    except OSError as error:
        raise _unreadable_error(path, error) from error
    except ValueError as error:
        raise _damage_error(path, str(error)) from error


def _require_lines(stream: IO[bytes], facts: RunFacts) -> None:
    checksum, decks = sha256(), 0
    while line := stream.readline(_MAX_LINE_BYTES + 1):
        if len(line) > _MAX_LINE_BYTES:
            raise ValueError(f"line {decks + 1} has more than {_MAX_LINE_BYTES:,} bytes")
        checksum.update(line)
        decks += 1
    _require_digest(checksum.hexdigest(), facts.lines)
    if decks != facts.decks:
        lines, planned = pluralize(decks, "line"), pluralize(facts.decks, "deck")
        raise ValueError(f"the file has {lines}, but the run {planned}")


def _require_game(stream: BufferedReader, facts: RunFacts) -> None:
    if stream.seek(0, os.SEEK_END) > _MAX_GAME_BYTES:
        raise ValueError(f"the file has more than {_MAX_GAME_BYTES:,} bytes")
    stream.seek(0)
    _require_digest(file_digest(stream, "sha256").hexdigest(), facts.game)
    try:
        deque(read_entries(stream), maxlen=0)
    except ValueError as error:
        raise ValueError(f"the file is not an archive of a game: {error}") from None


def _require_digest(digest: str, planned: str) -> None:
    if digest != planned:
        raise ValueError("the file has changed since the run was planned")


def read_deck_ids(plan: RunPlan) -> list[str]:
    """Return the ids of an intact run's decks in order, or raise an OutputError."""
    findings: Report = []
    ids = [line.id for line in read_lines(plan.lines, findings, _MAX_LINE_BYTES)]
    if findings:
        raise OutputError(*findings)
    if len(ids) != plan.facts.decks:
        raise _damage_error(plan.lines, "the file has empty lines")
    return ids
