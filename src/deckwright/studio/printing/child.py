"""What runs in the processes of previews and jobs: a line of JSON is asked, lines are answered.

What is answered is an object with "reply", "refused" or, while it goes on, "told".
"""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from deckwright.api import GameError, open_game
from deckwright.base.choices import ChoiceError
from deckwright.base.files import note_interrupts, written
from deckwright.base.findings import Diagnostic
from deckwright.base.progress import listen
from deckwright.studio.notices import notice
from deckwright.studio.printing.making import Asked, works_of
from deckwright.studio.printing.proofs import Proofs

Json = dict[str, Any]
Tell = Callable[[Json], None]

_PAUSE = 0.2
"""Progress is told after so many seconds."""
_TUPLES = ("back_offset", "size")


def main() -> None:
    """Answer what is asked until nothing is asked any more."""
    note_interrupts()
    stream = _only_stream()

    def tell(answer: Json) -> None:
        stream.write(json.dumps(answer).encode() + b"\n")
        stream.flush()

    try:
        answer = _Answers(tell)
        for line in sys.stdin.buffer:
            tell(answer(json.loads(line)))
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(1)  # what was begun is undone, and nobody listens


def _only_stream() -> IO[bytes]:
    """Return where answers go; whatever else is printed goes where mistakes go."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return stream


class _Answers:
    """Answers about the game in one folder."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._proofs: Proofs | None = None

    def __call__(self, question: Json) -> Json:
        folder = Path(question["folder"])
        calls = {"preview": self._preview, "changes": self._changes, "picture": self._picture}
        try:
            if question["call"] == "make":
                return {"reply": _made(folder, _asked_of(question), self._tell)}
            if self._proofs is None:
                self._proofs = Proofs(open_game(folder))
            return {"reply": calls[question["call"]](self._proofs, question)}
        except ChoiceError as error:
            return {"refused": {"message": error.message, "hint": error.hint}, "status": 400}
        except GameError as error:
            found = _plain(error.findings, folder)
            return {"refused": {"message": str(error), "findings": found}, "status": 422}
        except OSError as error:
            message = f"it cannot be written: {error}"
            return {"refused": {"message": message, "hint": None}, "status": 500}

    def _preview(self, proofs: Proofs, question: Json) -> Json:
        return proofs.preview(_asked_of(question))

    def _changes(self, proofs: Proofs, question: Json) -> Json:
        return proofs.changes(question["deck"], tuple(map(Path, question["prints"])))

    def _picture(self, proofs: Proofs, question: Json) -> str | None:
        picture = proofs.picture(question["name"])
        if isinstance(picture, bytes):
            return base64.b64encode(picture).decode()
        return picture


def _asked_of(question: Json) -> Asked:
    options = {
        name: tuple(value) if name in _TUPLES and isinstance(value, list) else value
        for name, value in question["options"].items()
    }
    prints = tuple(map(Path, question["prints"]))
    return Asked(question["thing"], tuple(question["of"]), options, Path(question["where"]), prints)


def _made(folder: Path, choice: Asked, tell: Tell) -> Json:
    """Make what is asked for, one after the other; what cannot be made keeps none of the rest."""
    listen(_Progress(tell))
    game = open_game(folder, keep=False)
    works = works_of(game, choice)
    findings: list[Diagnostic] = []
    pages, failed, where = 0, list[str](), choice.where.resolve()
    for number, work in enumerate(works, 1):
        tell({"told": {"step": number, "steps": len(works), "called": work.called}})
        try:
            made = work.make()
        except GameError as error:
            failed.append(work.called)
            found = error.findings
        else:
            pages += getattr(made, "pages", 0)
            found = made.findings
        findings += [finding for finding in found if finding not in findings]
        files = [str(path) for path in dict.fromkeys(written) if path.is_relative_to(where)]
        tell({"told": {"files": files}})
    return {"pages": pages, "failed": failed, "findings": _plain(findings, folder)}


def _plain(findings: tuple[Diagnostic, ...] | list[Diagnostic], folder: Path) -> list[Json]:
    return [notice(finding, folder)._asdict() for finding in findings]


class _Progress:
    """Tells how far work has come, not too often."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._told = tell, 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told >= _PAUSE:
            self._told = now
            self._tell({"told": {"what": what, "done": done, "total": total}})


if __name__ == "__main__":
    main()
