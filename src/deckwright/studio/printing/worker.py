"""The worker process for previews and jobs, which reads and writes lines of JSON.

Each question is one line; it is answered by objects with "told" (progress) and finally "reply" or
"refused". An empty line cancels the current question, which is refused at its next progress report.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from deckwright.api import GameError, open_game
from deckwright.api.options import game_errors
from deckwright.base.files import written_files
from deckwright.base.findings import ChoiceError
from deckwright.base.interrupts import record_interrupts
from deckwright.base.processes import set_listener
from deckwright.game.folder import GameFolder
from deckwright.game.language import current_language, use_language
from deckwright.languages.catalog import find_language, find_untranslated
from deckwright.studio.answers import describe_error, to_plain
from deckwright.studio.described import serialize_finding
from deckwright.studio.printing.previews import PreviewRenderer
from deckwright.studio.printing.tasks import PrintRequest, build_tasks

Json = dict[str, Any]
SendMessage = Callable[[Json], None]

_PROGRESS_SECONDS = 0.2
"""The minimum time between progress reports, in seconds."""
_TUPLE_OPTIONS = ("back_offset", "size")
"""The options whose values are tuples, which JSON has as lists."""


def main() -> None:
    """Answer questions until the input ends."""
    record_interrupts()
    # Answers go to stdout; all other output to it is redirected to stderr.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(answer: Json) -> None:
        stream.write(json.dumps(to_plain(answer)).encode() + b"\n")
        stream.flush()

    questions = _QuestionReader()
    handler = _QuestionHandler(send, questions)
    try:
        for question in questions:
            send(handler.answer(question))
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(1)  # partial output has been undone, and nobody reads on


class _StoppedError(Exception):
    """The current question was cancelled."""


class _QuestionReader:
    """Reads the questions from standard input, and notes which one was cancelled."""

    def __init__(self) -> None:
        # A separate file object, as forked workers must not inherit the lock of `sys.stdin`.
        self._lines = os.fdopen(os.dup(0), "rb")
        self._waiting: SimpleQueue[Json | None] = SimpleQueue()
        # The numbers of the last questions that were read, begun and cancelled.
        self._read, self._begun, self._stopped = 1, 1, 0

    def __iter__(self) -> Iterator[Json]:
        """Yield questions until the input ends.

        Jobs ("make") run without a reader thread, since workers fork only from a single thread.
        """
        for line in self._lines:
            question = json.loads(line)
            if question["call"] != "make":
                Thread(target=self._listen, daemon=True).start()
                yield question
                break
            yield question
        else:
            return
        while (question := self._waiting.get()) is not None:
            self._begun += 1
            yield question

    def _listen(self) -> None:
        for line in self._lines:
            if line.strip():
                self._read += 1
                self._waiting.put(json.loads(line))
            else:
                self._stopped = self._read
        self._waiting.put(None)

    def raise_if_stopped(self) -> None:
        """Raise a _StoppedError if the current question was cancelled."""
        if self._stopped == self._begun:
            raise _StoppedError


class _QuestionHandler:
    """Answers questions about the game in a folder."""

    def __init__(self, send: SendMessage, questions: _QuestionReader) -> None:
        self._send, self._questions = send, questions
        self._renderer: PreviewRenderer | None = None
        self._language: str | None = None

    def answer(self, question: Json) -> Json:
        folder, code = Path(question["folder"]), question.get("language") or None
        try:
            if question["call"] == "make":
                with game_errors():
                    language = find_language(GameFolder(folder), code) if code else None
                with use_language(language):
                    return {"reply": self._make_all(folder, _parse_request(question))}
            set_listener(lambda *_: self._questions.raise_if_stopped())
            if self._renderer is None or self._language != code:
                self._renderer = PreviewRenderer(open_game(folder, language=code))
                self._language = code
            if question["call"] == "preview":
                return {"reply": self._renderer.preview(_parse_request(question))}
            if question["call"] == "changes":
                prints = tuple(map(Path, question["prints"]))
                return {"reply": self._renderer.changes(question["deck"], prints)}
            return {"reply": self._renderer.picture(question["name"])}
        except _StoppedError:
            return {"refused": {"message": "this was cancelled", "hint": None}, "status": 400}
        except (ChoiceError, GameError, OSError) as error:
            refused = describe_error(error, folder)
            return {"refused": refused.answer, "status": refused.status}

    def _make_all(self, folder: Path, request: PrintRequest) -> Json:
        """Run all tasks of a request; a task that fails does not stop the others."""
        last_sent = 0.0

        def report_progress(what: str, done: int, total: int) -> None:
            nonlocal last_sent
            now = time.monotonic()
            if now - last_sent >= _PROGRESS_SECONDS:
                last_sent = now
                self._send({"told": {"what": what, "done": done, "total": total}})

        set_listener(report_progress)
        game = open_game(folder, keep=False)
        tasks = build_tasks(game, request)
        findings = find_untranslated(current_language(), game.folder)
        pages, failed, where = 0, list[str](), request.target_folder.resolve()
        for number, task in enumerate(tasks, 1):
            self._send({"told": {"step": number, "steps": len(tasks), "called": task.name}})
            try:
                result = task.make()
            except GameError as error:
                failed.append(task.name)
                new_findings = error.findings
            else:
                pages += getattr(result, "pages", 0)
                new_findings = result.findings
            findings += [finding for finding in new_findings if finding not in findings]
            files = [
                str(path) for path in dict.fromkeys(written_files) if path.is_relative_to(where)
            ]
            self._send({"told": {"files": files}})
        shown = [serialize_finding(finding, folder) for finding in findings]
        return {"pages": pages, "failed": failed, "findings": shown}


def _parse_request(question: Json) -> PrintRequest:
    options = {
        name: tuple(value) if name in _TUPLE_OPTIONS and isinstance(value, list) else value
        for name, value in question["options"].items()
    }
    prints = tuple(map(Path, question["prints"]))
    return PrintRequest(
        question["thing"], tuple(question["of"]), options, Path(question["where"]), prints
    )


if __name__ == "__main__":
    main()
