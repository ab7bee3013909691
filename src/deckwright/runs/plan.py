"""What a run is to print: its decks, the game and the options, kept in a folder of its own.

The folder holds `run.json` (the facts), `lines.jsonl` (a deck a line, as `DeckLine.written` has
it), `game.tar` (the game as it was when the run was planned), and later `manifest.jsonl`, `decks/`,
`backs/` and `work/`, which may be deleted when nobody is at work.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from hashlib import blake2b, file_digest, sha256
from pathlib import Path
from typing import Any, NamedTuple

from deckwright import __version__
from deckwright.api.asked import DeckPrint, choice_of, rules_of, sheets_of, style_of
from deckwright.base.choices import ChoiceError
from deckwright.base.dates import date_of
from deckwright.base.files import write_bytes
from deckwright.base.findings import Code, Location, Report, Severity, has_errors
from deckwright.base.output import unwritable
from deckwright.game.folder import GameFolder
from deckwright.runs.archive import digest, packed
from deckwright.runs.lines import read_lines
from deckwright.sheet.setting import SheetOptions

E121 = Code("E121", Severity.ERROR, "a folder that is no run, or one that is damaged")

VERSION = 1
"""Of the files in a run's folder."""
FACTS, LINES, GAME, MANIFEST, DECKS, BACKS, WORK = (
    "run.json",
    "lines.jsonl",
    "game.tar",
    "manifest.jsonl",
    "decks",
    "backs",
    "work",
)
REFUSED = ("cut", "kiss_cut", "printer", "only", "copies", "changed_since", "draft", "fill", "date")
"""What `DeckPrint` has and runs have not."""


_AGAIN = "plan the run again in another folder"


class Facts(NamedTuple):
    """What `run.json` says.

    Attributes:
        deckwright: the version that planned the run, and alone may go on with it.
        game: the SHA-256 of `game.tar`.
        lines: that of `lines.jsonl`.
        decks: how many lines that has.
        date: of all files, in seconds since 1970: SOURCE_DATE_EPOCH, or that of the newest file
            of the game.
        options: how decks are printed: what `DeckPrint` has, as JSON; what is left out is as the
            game has it.
    """

    deckwright: str
    game: str
    lines: str
    decks: int
    date: int
    options: str


class Plan(NamedTuple):
    """A run that is planned: its folder and its facts."""

    folder: Path
    facts: Facts

    @property
    def lines(self) -> Path:
        """The decks."""
        return self.folder / LINES

    @property
    def manifest(self) -> Path:
        """What has been printed."""
        return self.folder / MANIFEST

    def file(self, deck_id: str) -> Path:
        """Return where a deck is printed to."""
        return self.folder / DECKS / f"{deck_id}.pdf"

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield the lines with their numbers, from 1.

        Raises:
            OSError: if they cannot be read.
        """
        with self.lines.open(encoding="utf-8", newline="\n") as stream:
            for number, text in enumerate(stream, 1):
                yield number, text.removesuffix("\n")

    def key(self, text: str) -> str:
        """Return what a deck's print is known by: the same key, the same bytes.

        A hash of the game, the version of Deckwright, the date, the options, and the line.
        """
        facts = self.facts
        whole = f"{facts.game}\n{facts.deckwright}\n{facts.date}\n{facts.options}\n{text}"
        return blake2b(whole.encode(), digest_size=16).hexdigest()


def options_as_text(how: DeckPrint) -> str:
    """Return the options of a run as it keeps them.

    Raises:
        ChoiceError: if one is not for runs.
    """
    said: dict[str, Any] = {name: value for name, value in how.items() if value is not None}
    for name in REFUSED:
        if said.pop(name, None):
            raise ChoiceError(f"runs cannot be printed with --{name.replace('_', '-')}")
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def options_in(text: str, folder: GameFolder) -> SheetOptions:
    """Return how the decks of a run are printed.

    Raises:
        ChoiceError: if the game has no such sheet, style or limit.
    """
    how: DeckPrint = json.loads(text)
    return sheets_of(folder, how)._replace(
        choice=choice_of(),
        reference=how.get("reference"),
        odds=how.get("odds", False),
        watermark=how.get("watermark"),
        style=style_of(folder, how.get("style")),
        rules=rules_of(folder, how),
    )


def plan_run(
    folder: GameFolder, source: Path, target: Path, how: DeckPrint, report: Report
) -> Plan | None:
    """Plan the run of a file of decks in a new folder; None after reporting why that cannot be.

    If the same run has been planned there before, it stays as it is, with all that it has printed.

    Raises:
        ChoiceError: if an option is not for runs, or the folder has something else in it.
        OSError: if a file cannot be read.
    """
    options = options_as_text(how)
    options_in(options, folder)
    archive = packed(folder)
    work = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        work.mkdir(parents=True)
        checksum, decks = sha256(), 0
        with (work / LINES).open("wb") as stream:
            for line in read_lines(source, report):
                written = f"{line.written()}\n".encode()
                checksum.update(written)
                decks += stream.write(written) > 0
            stream.flush()
            os.fsync(stream.fileno())
        if has_errors(report):
            return None
        date = int(date_of(folder.inputs()).timestamp())
        facts = Facts(__version__, digest(archive), checksum.hexdigest(), decks, date, options)
        if target.exists() and not _is_empty(target):
            return _planned_before(target, facts)
        write_bytes(work / GAME, archive)
        write_bytes(work / FACTS, _written(facts))
        if target.exists():
            target.rmdir()
        work.rename(target)
        return Plan(target, facts)
    except OSError as error:
        report.append(unwritable(target, error))
        return None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _is_empty(target: Path) -> bool:
    return target.is_dir() and not any(target.iterdir())


def _planned_before(target: Path, facts: Facts) -> Plan:
    found: Report = []
    plan = read_plan(target, found) if target.is_dir() else None
    if plan is None:
        raise ChoiceError(f"`{target}` is there already, and is no run", "name another with --out")
    for name, what in (
        ("deckwright", "was planned with another version of Deckwright"),
        ("game", "is of the game as it was before"),
        ("lines", "is of other decks"),
        ("options", "has other options"),
        ("date", "has another date"),
    ):
        if getattr(plan.facts, name) != getattr(facts, name):
            hint = "name another folder with --out, or remove this one"
            raise ChoiceError(f"the run in `{target}` {what}", hint)
    return plan


def _written(facts: Facts) -> bytes:
    said = {"version": VERSION, **facts._asdict(), "options": json.loads(facts.options)}
    return f"{json.dumps(said, indent=2)}\n".encode()


def read_plan(target: Path, report: Report) -> Plan | None:
    """Return the run in a folder, None after reporting why there is none."""
    path = target / FACTS
    try:
        said = json.loads(path.read_bytes())
        version = said.pop("version")
        options = json.dumps(said.pop("options"), sort_keys=True, separators=(",", ":"))
        facts = Facts(**said, options=options)
        if not all(isinstance(value, str) for value in facts[:3]) or not facts.decks > 0:
            raise ValueError(path)  # noqa: TRY301
    except OSError:
        hint = "make one with `deckwright run plan`"
        report.append(E121.at(Location(target), "there is no run in the folder", hint))
        return None
    except (ValueError, TypeError, KeyError, AttributeError):
        report.append(E121.at(Location(path), "the facts of the run cannot be read", _AGAIN))
        return None
    if version != VERSION:
        hint = "use the version of Deckwright that planned it"
        report.append(E121.at(Location(path), f"runs of version {version} are not known", hint))
        return None
    return Plan(target, facts)


def demand_version(plan: Plan, report: Report) -> bool:
    """Return whether a run was planned with this version; otherwise its bytes would differ."""
    planned = plan.facts.deckwright
    if planned != __version__:
        message = f"the run was planned with Deckwright {planned}"
        hint = f"use that version, or plan it anew with this one, {__version__}"
        report.append(E121.at(Location(plan.folder / FACTS), message, hint))
    return planned == __version__


def demand_sound(plan: Plan, report: Report) -> bytes | None:
    """Return the game's archive if all that a run is made of is as it was; None after reporting."""
    game = b""
    for name, expected in ((LINES, plan.facts.lines), (GAME, plan.facts.game)):
        path = plan.folder / name
        try:
            with path.open("rb") as stream:
                found = file_digest(stream, "sha256").hexdigest()
            game = path.read_bytes() if name == GAME else b""
        except OSError as error:
            why = error.strerror or str(error)
            report.append(E121.at(Location(path), f"the file cannot be read: {why}", _AGAIN))
            return None
        if found != expected:
            report.append(E121.at(Location(path), "the file is not as it was planned", _AGAIN))
            return None
    return game
