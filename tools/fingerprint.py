"""Show whether a change of the code changes what Deckwright does: `make fingerprint`.

Plays the stories of `fingerprint.txt`: a game and what is done with it, command by command. Each
has a copy of its game, an empty cache and a home of its own. A story's hash is over exit codes,
what the commands say, and every file they write. Only the command line and the studio's address
are used, so any two revisions can be compared; both get the games of this checkout.
"""

from __future__ import annotations

import argparse
import difflib
import hmac
import http.client
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2

HERE = Path(__file__).parent
ROOT = HERE.parent
PROGRAMS = ("deckwright", "deck_constructor", "marker_constructor", "overview_constructor")
PROGRAM = "from deckwright.__main__ import {0}\n\nif __name__ == '__main__':\n    {0}()\n"
HOST = "127.0.0.1"
SAID = "said.txt"
"""What the steps of a story have said, beside the files that they wrote."""
MOST_LINES = 40
"""So many lines of a difference are shown."""
MOST_SECONDS = 300
MOST_WAITING = 60
EPOCH = 1_700_000_000
ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "COLUMNS": "100",
    "PYTHONHASHSEED": "0",
    "SOURCE_DATE_EPOCH": str(EPOCH),
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    **{f"GIT_{who}_DATE": f"{EPOCH} +0000" for who in ("AUTHOR", "COMMITTER")},
}
ANY = (
    (re.compile(rf"{re.escape(HOST)}:\d+(/#\S{{43}})?"), "<address>"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|seconds?)\b"), "<time>"),
    (re.compile(r"\b[\d,]+ pages a minute\b"), "<speed>"),
    (re.compile(r'("version": ?)\d+'), r"\1<count>"),  # of what the page has not polled
    (re.compile(r'("(?:seconds|took|started|ended)": ?)[\d.]+'), r"\1<time>"),
)
"""What differs from run to run, and what stands for it."""
BUSY = re.compile(r'"hash": ?null|"state": ?"(running|waiting)"|"checking": ?true')
"""What the studio answers before it is done."""


class Story(NamedTuple):
    """Its name, the game that it begins with, if any, and what is done."""

    name: str
    game: str
    steps: list[str]


def read_stories(text: str) -> list[Story]:
    """Read stories: `game: step`, further steps indented below; the first line is the name."""
    stories: dict[str, Story] = {}
    name = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            stories[name].steps.append(line.strip())
            continue
        name = line.strip()
        if name in stories:
            sys.exit(f"there are two stories `{name}`")
        game, _, step = name.partition(": ")
        stories[name] = Story(name, game, [step])
    return list(stories.values())


class Stage:
    """Where one story is played: a folder with the game, which is the working folder."""

    def __init__(self, folder: Path, source: Path, story: Story) -> None:
        """Copy the game of a story to a new folder; the code is that of the checkout `source`."""
        self.folder, self.source, self.said = folder, source, io.StringIO()
        self.game = folder / "game"
        for name in ("game", "home", "tmp", "bin"):
            (folder / name).mkdir(parents=True)
        for program in PROGRAMS:
            name = "main" if program == "deckwright" else program
            (folder / "bin" / program).write_text(PROGRAM.format(name), encoding="utf-8")
        home = ROOT if story.game == "shipped" else ROOT / "examples" / story.game
        for part in ("xml", "img", "templates") if story.game != "-" else ():
            if (home / part).is_dir():
                shutil.copytree(home / part, self.game / part)
        for path in self.game.rglob("*"):
            os.utime(path, (EPOCH, EPOCH))
        self.before = self._files()
        self.environment = {
            "PATH": os.environ["PATH"],
            **ENVIRONMENT,
            "HOME": str(folder / "home"),
            "XDG_CONFIG_HOME": str(folder / "home"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_STATE_HOME": str(folder / "state"),
            "TMPDIR": str(folder / "tmp"),
            "PYTHONPATH": str(source / "src"),
        }

    def play(self, steps: list[str]) -> None:
        """Do one step after the other."""
        with ExitStack() as stack:
            studio: Studio | None = None
            for step in steps:
                self.said.write(f"$ {step}\n")
                word, _, rest = step.partition(" ")
                if word == "studio":
                    studio = stack.enter_context(self._studio(shlex.split(step)))
                elif word in {"GET", "POST"}:
                    assert studio, "no studio is open"
                    self.said.write(studio.answer(word, *rest.split(" ", 1)))
                elif word == "edit":
                    self._edit(*shlex.split(rest))
                elif word == "write":
                    name, text = shlex.split(rest)
                    (self.game / name).parent.mkdir(parents=True, exist_ok=True)
                    (self.game / name).write_text(text.replace("\\n", "\n"), encoding="utf-8")
                elif step == "every help":
                    self._help([])
                else:
                    self._run(shlex.split(step))

    def keep(self, to: Path) -> str:
        """Move what was written and said to a folder, and return the hash of it."""
        to.mkdir(parents=True)
        after = self._files()
        for name, content in after.items():
            if self.before.get(name) != content:
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                (to / name).write_bytes(content)
        for name in self.before.keys() - after.keys():
            self.said.write(f"{name} is gone\n")
        (to / SAID).write_bytes(self._settle(self.said.getvalue().encode()))
        total = sha256()
        for path in sorted(path for path in to.rglob("*") if path.is_file()):
            content = path.read_bytes()
            total.update(f"{path.relative_to(to).as_posix()} {len(content)}\n".encode() + content)
        return total.hexdigest()[:16]

    def _files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.folder).as_posix(): self._settle(path.read_bytes())
            for place in (self.game, self.folder / "home")
            for path in place.rglob("*")
            if path.is_file() and ".git" not in path.parts
        }

    def _settle(self, content: bytes) -> bytes:
        """Return a text without what differs from run to run; anything else as it is."""
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content
        for path, name in ((self.folder, "here"), (self.source, "checkout"), (ROOT, "checkout")):
            text = text.replace(str(path), f"<{name}>")
        for pattern, name in ANY:
            text = pattern.sub(name, text)
        return text.encode()

    def _command(self, words: list[str]) -> list[str]:
        if words[0] == "git":
            return words
        program, *rest = words if words[0] in PROGRAMS else ["deckwright", *words]
        return [sys.executable, str(self.folder / "bin" / program), *rest]

    def _run(self, words: list[str]) -> str:
        result = subprocess.run(
            self._command(words),
            cwd=self.game,
            env=self.environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=MOST_SECONDS,
            check=False,
        )
        out = result.stdout.decode(errors="backslashreplace")
        err = result.stderr.decode(errors="backslashreplace")
        self.said.write(f"{out}--- stderr\n{err}--- exit code {result.returncode}\n")
        return out

    def _help(self, words: list[str]) -> None:
        """Ask for the help of a command, and of all commands below it."""
        self.said.write(f"$ {' '.join(words)} --help\n")
        _, _, commands = self._run([*words, "--help"]).partition("\nOptions:\n")
        for name in re.findall(r"^  ([a-z]\S*)", commands, re.MULTILINE):
            self._help([*words, name])

    def _edit(self, name: str, old: str, new: str) -> None:
        path = self.game / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} has no `{old}`"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    @contextmanager
    def _studio(self, words: list[str]) -> Iterator[Studio]:
        process = subprocess.Popen(
            [*self._command(words), "--no-browser"],
            cwd=self.game,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            assert process.stdout
            said = ""
            while not (found := re.search(rf"{re.escape(HOST)}:(\d+)/#(\S{{43}})\n", said)):
                line = process.stdout.readline()
                assert line, process.communicate()
                said += line
            yield Studio(int(found[1]), found[2])
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
            self.said.write(f"{said}{out}--- stderr\n{err}--- exit code {process.returncode}\n")
        finally:
            process.kill()


class Studio:
    """Asks a running studio as its page does."""

    def __init__(self, port: int, token: str) -> None:
        """Open what runs at a port; its own key is made of the token."""
        self._port, self._key, self._got = port, "", ""
        run = json.loads(self._ask("GET", f"/api/session?nonce={'0' * 32}")[1])["run"]
        text = f"{port} {run} page"
        self._key = hmac.digest(token.encode(), text.encode(), "sha256").hex()

    def answer(self, method: str, path: str, body: str = "") -> str:
        """Return what it answers when it is done.

        In a path, `$1` is the first hash or id of the last answer; in a body, `$got` is all of it.
        """
        found = re.search(r'"(?:hash|id)": ?"([0-9a-f]{16,})"', self._got)
        path = path.replace("$1", found[1] if found else "")
        end = time.monotonic() + MOST_WAITING
        while True:
            status, said = self._ask(method, path, body.replace("$got", self._got))
            text = said.decode(errors="backslashreplace")
            if method == "POST" or not BUSY.search(text) or time.monotonic() > end:
                break
            time.sleep(0.1)
        if text.startswith(("{", "[")):
            self._got = text
            text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
        return f"{status}\n{text}\n"

    def _ask(self, method: str, path: str, body: str = "") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(HOST, self._port, timeout=MOST_SECONDS)
        headers = {
            "Origin": f"http://{HOST}:{self._port}",
            "Content-Type": "application/json",
            "X-Deckwright-Token": self._key,
        }
        try:
            connection.request(method, path, body.encode() or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def play(story: Story, source: Path, stages: Path, results: Path) -> tuple[str, float]:
    """Play a story; keep what it has given, and return the hash and the seconds it took."""
    begin = time.monotonic()
    number = sha256(story.name.encode()).hexdigest()[:12]
    stage = Stage(stages / number, source, story)
    try:
        stage.play(story.steps)
    except (AssertionError, ValueError, OSError, subprocess.TimeoutExpired) as error:
        stage.said.write(f"cannot go on: {error!r}\n")
    kept = stage.keep(results / number)
    shutil.rmtree(stage.folder)
    return kept, time.monotonic() - begin


def play_all(stories: list[Story], source: Path, results: Path, workers: int) -> dict[str, str]:
    """Play stories, several at a time, and return their hashes, which `results` keeps as well."""
    with (
        tempfile.TemporaryDirectory(prefix="stories-") as stages,
        ThreadPoolExecutor(workers) as pool,
    ):
        task = partial(play, source=source, stages=Path(stages).resolve(), results=results)
        table = {}
        for story, (kept, seconds) in zip(stories, pool.map(task, stories), strict=True):
            table[story.name] = kept
            print(f"{kept}  {story.name}  ({seconds:.1f} s)", file=sys.stderr, flush=True)
    took = os.times()
    cpu = took.children_user + took.children_system
    print(f"{len(stories)} stories, {cpu:.0f} s of CPU time so far", file=sys.stderr)
    lines = (f"{kept}  {name}\n" for name, kept in table.items())
    (results / "table.txt").write_text("".join(lines), encoding="utf-8")
    return table


def read_table(results: Path) -> dict[str, str]:
    """Read the hashes of a folder of results."""
    lines = (results / "table.txt").read_text(encoding="utf-8").splitlines()
    return {name: kept for kept, _, name in (line.partition("  ") for line in lines)}


def differences(old: Path, new: Path) -> Iterator[str]:
    """Say what differs between what a story gave before and gives now."""
    sides = [
        {path.relative_to(side).as_posix(): path for path in side.rglob("*") if path.is_file()}
        for side in (old, new)
    ]
    for name in sorted(sides[0].keys() | sides[1].keys()):
        before, after = (side[name].read_bytes() if name in side else None for side in sides)
        if before == after:
            continue
        if before is None or after is None:
            yield f"{name}: {'new' if before is None else 'no longer written'}"
            continue
        yield f"{name}: differs"
        lines = list(difference(before, after))
        yield from (f"    {line}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"    … {len(lines) - MOST_LINES} more lines"


def difference(before: bytes, after: bytes) -> Iterator[str]:
    """Say how two files differ: text by lines, PDF by pages, archives by their files."""
    try:
        texts = before.decode().splitlines(), after.decode().splitlines()
    except UnicodeDecodeError:
        pass
    else:
        yield from list(difflib.unified_diff(*texts, "before", "now", lineterm="", n=2))[2:]
        return
    looks: dict[bytes, Callable[[bytes], dict[str, bytes]]] = {b"%PDF": _pages, b"PK\3\4": _members}
    look = looks.get(before[:4])
    if look is None or before[:4] != after[:4]:
        yield f"{len(before)} bytes before, {len(after)} now"
        return
    old, new = look(before), look(after)
    names = [name for name in old | new if old.get(name) != new.get(name)]
    if not names:
        yield "shows the same, and is written in another way"
    for name in names:
        yield name
        yield from difference(old.get(name, b""), new.get(name, b""))


def _pages(content: bytes) -> dict[str, bytes]:
    """Return the texts of a PDF's pages and the pixels of those as well."""
    found = {}
    with pypdfium2.PdfDocument(content) as document:
        for number, page in enumerate(document, 1):
            found[f"text of page {number}"] = page.get_textpage().get_text_bounded().encode()
            pixels = page.render(scale=1).to_numpy().tobytes()
            found[f"pixels of page {number}"] = b"\xff" + pixels  # no text
    return found


def _members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).replace(b"><", b">\n<") for name in archive.namelist()}


def compare(old: Path, new: Path, names: list[str]) -> int:
    """Print which stories differ, and how; return how many they are."""
    before, now = read_table(old), read_table(new)
    others = [name for name in names if before.get(name) != now[name]]
    for name in others:
        print(f"\n== {name}")
        number = sha256(name.encode()).hexdigest()[:12]
        for line in differences(old / number, new / number):
            print(line)
    print(f"\n{len(others)} of {len(names)} stories differ")
    return len(others)


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Give a folder with the code of a revision."""
    with tempfile.TemporaryDirectory(prefix="revision-") as name:
        folder = Path(name).resolve() / "tree"
        git("worktree", "add", "--quiet", "--detach", str(folder), revision)
        try:
            yield folder
        finally:
            git("worktree", "remove", "--force", str(folder))


def branched_from() -> str:
    """Return where this branch left the main one: the commit before, on the main one itself."""
    for name in ("origin/main", "main"):
        with suppress(subprocess.CalledProcessError):
            base = git("merge-base", "HEAD", name)
            is_clean = base == git("rev-parse", "HEAD") and not git("status", "--porcelain", "src")
            return f"{base}~1" if is_clean else base
    return "HEAD"


def git(*arguments: str) -> str:
    """Ask git of this checkout."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    """Play the stories and compare; ends with exit code 1 if anything differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="PATTERN", help="only stories like this")
    parser.add_argument(
        "--against",
        metavar="REV",
        nargs="?",
        const="",
        help="compare with this revision; by default, where this branch left the main one",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="compare with what this folder keeps, or fill it"
    )
    parser.add_argument("--source", type=Path, default=ROOT, help="the checkout whose code runs")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, help="stories at a time")
    chosen: Any = parser.parse_args()
    text = (HERE / "fingerprint.txt").read_text(encoding="utf-8")
    stories = [story for story in read_stories(text) if re.search(chosen.only, story.name)]
    with tempfile.TemporaryDirectory(prefix="results-") as folder:
        new, old = Path(folder, "new"), chosen.keep or Path(folder, "old")
        if chosen.against is not None:
            with checkout(chosen.against or branched_from()) as source:
                play_all(stories, source, old, chosen.j)
        fills = not old.exists()
        table = play_all(stories, chosen.source.resolve(), old if fills else new, chosen.j)
        for name, kept in table.items():
            print(f"{kept}  {name}")
        if not fills and compare(old, new, list(table)):
            sys.exit(1)


if __name__ == "__main__":
    main()
