"""Damage what users give to Deckwright, at random, and look for crashes: `make fuzz`.

    python tests/fuzz.py [--minutes 60] [--seed 1] SURFACE...

Each case runs in a child, which must end in time with an exit code that `deckwright` documents and
without an exception. The inputs of the others are kept in out/fuzz, and `--minutes 0 --seed N`
repeats one. Exits with 1 if there are any.
"""

from __future__ import annotations

import argparse
import io
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, getclosurevars
from itertools import count
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote

import click
from lxml import etree

import made_fonts
import ods
from conftest import ROOT
from damage import MUTATIONS, VALUES
from deckwright.cli import deckwright
from deckwright.studio.app import create_app
from editors import page_of, session_of, write_game_to_edit
from visitors import PORT

GAMES = [path.parent for path in sorted(ROOT.glob("examples/*/xml"))]
SMALL = ROOT / "tests" / "games" / "small"
EXTREMES = [b"\0", b"\x7f\xff", b"\x80\0", b"\xff\xff", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff"]
TOKENS = [value.encode() for value in VALUES] + EXTREMES + [b"\xc3\x28", b"\xef\xbb\xbf", b"\r"]
SECONDS, CPU_SECONDS, ADDRESS_SPACE = 300, 90, 4 << 30
"""What a case may need, on a busy machine."""
REQUESTS = 150
LARGEST_FONT = 300_000


def damage(data: bytes, choose: random.Random) -> bytes:
    """Damage bytes at one to eight places; within a ZIP file, often those of a member."""
    if data[:2] == b"PK" and choose.random() < 0.8:
        return _damage_member(data, choose)
    for _ in range(choose.choice((1, 1, 2, 3, 8))):
        start = choose.randrange(len(data) + 1)
        piece = data[start : start + int(1.5 ** choose.uniform(0, 15))]
        rest = data[start + len(piece) :]
        other = choose.randrange(len(data) + 1)
        number = choose.choice([*re.finditer(rb"\d+|$", data[:200_000])])
        data = choose.choice(
            [
                data[:start] + bytes([choose.randrange(256)]) + data[start + 1 :],
                data[:start] + rest,
                data[:start] + piece * choose.randint(2, 9) + rest,
                data[:start] + data[other : other + len(piece)] + rest,
                data[:start] + choose.choice(TOKENS) + data[start:],
                data[:start] + (extreme := choose.choice(EXTREMES)) + data[start + len(extreme) :],
                data[: number.start()] + choose.choice(TOKENS) + data[number.end() :],
                data[:start] if choose.random() < 0.2 else data[:start] + rest,
            ]
        )
    return data


def _damage_member(data: bytes, choose: random.Random) -> bytes:
    archive, result = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    target = choose.choice(archive.namelist())
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as changed:
        for name in archive.namelist():
            content = archive.read(name)
            changed.writestr(name, damage(content, choose) if name == target else content)
    return result.getvalue()


def damage_tree(data: bytes, choose: random.Random) -> bytes:
    """Change elements and attributes of an XML file."""
    root = etree.fromstring(data)
    for _ in range(choose.randint(1, 4)):
        choose.choice(MUTATIONS)(root, choose)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def damage_files(folder: Path, patterns: str, choose: random.Random, most: int = 1) -> None:
    """Damage some of the files that match patterns."""
    found = (path for each in patterns.split() for path in sorted(folder.glob(each)))
    paths = [path for path in found if path.is_file()]
    for path in choose.sample(paths, min(len(paths), choose.randint(1, most))):
        is_tree = path.suffix in {".xml", ".svg"} and choose.random() < 0.5
        path.write_bytes((damage_tree if is_tree else damage)(path.read_bytes(), choose))


def run(*arguments: str) -> bool:
    """Run a command and return whether it succeeded.

    Raises:
        Exception: if it crashed.
    """
    try:
        return not deckwright.main(list(arguments), standalone_mode=False)
    except (click.ClickException, click.Abort):
        return False
    except SystemExit as error:
        if error.code in {0, 1, 2, 3}:
            return not error.code
        raise


def _copy_game(folder: Path, choose: random.Random, games: list[Path]) -> str:
    source = choose.choice(games)
    copied = shutil.ignore_patterns("out", "pictures")
    shutil.copytree(source, folder, ignore=copied, dirs_exist_ok=True)
    return str(folder)


def _check_and_print(game: str, *options: str) -> None:
    run("check", "--game", game)
    if decks := [str(path) for path in sorted(Path(game).glob("xml/Decks/*.*"))]:
        run("deck", *decks, "--game", game, *options)
    else:  # decks are columns of a table
        run("build", "--game", game, *options)


def fuzz_xml(folder: Path, choose: random.Random) -> None:
    """Damage a file of a game or a template."""
    game = _copy_game(folder, choose, [SMALL, SMALL, *GAMES])
    damage_files(folder, "xml/**/*.xml templates/**/*.xml", choose)
    _check_and_print(game)
    run(choose.choice(["build", "markers", "overview", "rulebook", "fmt", "stats"]), "--game", game)


def fuzz_svg(folder: Path, choose: random.Random) -> None:
    """Damage several drawings."""
    game = _copy_game(folder, choose, [each for each in GAMES if [*each.glob("img/**/*.svg")]])
    damage_files(folder, "img/**/*.svg", choose, most=8)
    _check_and_print(game)


def _fonts() -> list[bytes]:
    letters = "".join(map(chr, range(32, 127)))
    packages = Path(click.__file__).parents[1]
    files = sorted([*packages.glob("font*/**/*.ttf"), *packages.glob("font*/**/*.otf")])
    return [
        *(path.read_bytes() for path in files if path.stat().st_size < LARGEST_FONT),
        made_fonts.font("Boxes", letters),
        made_fonts.opentype("Boxes", letters),
        made_fonts.collection(letters, "One", "Two"),
        made_fonts.color_font(letters),
    ]


def fuzz_fonts(folder: Path, choose: random.Random) -> None:
    """Damage a font of the game's own."""
    game = _copy_game(folder, choose, [SMALL])
    _copy_game(folder, choose, [ROOT / "tests" / "diagnostics" / "E036" / "good"])
    shutil.rmtree(folder / "xml" / "services", ignore_errors=True)
    font = folder / "templates" / "boxes.ttf"
    font.write_bytes(damage(choose.choice(_fonts()), choose))
    _check_and_print(game)


def _prepare(name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that the first case that needs it has made."""
    folder = Path(tempfile.gettempdir(), "prepared", name)
    if not folder.exists():
        folder.mkdir(parents=True)
        make(folder)
    return folder


def _make_tables(folder: Path) -> None:
    for game in (SMALL, *GAMES):
        for ending, name in (("csv", "csv/"), ("xlsx", "table.xlsx")):
            run("export", ending, "--game", str(game), "--out", f"{folder}/{game.name}/{name}")
    cards = [{"name": f"Card {n}", "cost": n, "text": "Draw."} for n in range(9)]
    (folder / "table.json").write_text(json.dumps(cards), "utf-8")
    titles, number, text = (
        ods.row(ods.CELL, ods.CELL),
        ods.row(ods.CELL, ods.NUMBER),
        ods.row(ods.CELL),
    )
    ods.write(folder / "table.ods", (titles + number + text).format(*"ac327"), tabs=2)


def fuzz_tables(folder: Path, choose: random.Random) -> None:
    """Damage a spreadsheet or a list, begin a game with it, and import it."""
    files = _prepare("tables", _make_tables).rglob("*")
    seed = choose.choice(sorted(path for path in files if path.is_file()))
    games = [game for game in GAMES if game.name in seed.parts]
    game = _copy_game(folder / "game", choose, games or [SMALL])
    table = folder / seed.name
    table.write_bytes(damage(seed.read_bytes(), choose))
    if run("new", "--from", str(table), f"{folder}/new"):
        _check_and_print(f"{folder}/new")
    if table.suffix in {".csv", ".xlsx"}:
        run("import", table.suffix[1:], str(table), "--game", game)


def fuzz_po(folder: Path, choose: random.Random) -> None:
    """Damage a catalog of translations."""
    game = _copy_game(folder, choose, [each for each in GAMES if [*each.glob("xml/lang/*.po")]])
    damage_files(folder, "xml/lang/*.po", choose)
    for command in ("check", "update"):
        run("language", command, "--game", game)
    _check_and_print(game, "--language", "all")


def _make_package(folder: Path) -> None:
    run("package", "--anyway", "--game", str(SMALL), "--out", str(folder))


def fuzz_package(folder: Path, choose: random.Random) -> None:
    """Damage a file of a package for a print shop, and verify it."""
    shutil.copytree(_prepare("package", _make_package), folder, dirs_exist_ok=True)
    damage_files(folder, "**/*", choose)
    run("package", "--verify", str(folder))


def _make_runs(folder: Path) -> None:
    game, decks = f"{folder}/game", f"{folder}/decks.jsonl"
    shutil.copytree(ROOT / "examples" / "mosaic", game)
    run("generate", "--game", game, "--seed", "1", "--count", "3", "--out", decks)
    for name in ("planned", "printed"):
        run("run", "plan", decks, "--game", game, "--out", f"{folder}/{name}")
    run("run", "start", f"{folder}/printed", "--quiet", "--workers", "1")


def fuzz_runs(folder: Path, choose: random.Random) -> None:
    """Damage the decks or a file of a run, and go on with it."""
    shutil.copytree(_prepare("runs", _make_runs), folder, dirs_exist_ok=True)
    decks, name = f"{folder}/decks.jsonl", choose.choice(["planned", "printed", "new"])
    if name == "new":
        damage_files(folder, "decks.jsonl", choose)
        run("run", "plan", decks, "--game", f"{folder}/game", "--out", f"{folder}/new")
    else:
        damage_files(folder, f"{name}/**/*", choose)
    for command in choose.sample(["status", "verify", "start", "merge"], 3):
        run("run", command, f"{folder}/{name}")


def fuzz_studio(folder: Path, choose: random.Random) -> None:
    """Send requests to all routes, with values of the types that they take and of others."""
    write_game_to_edit(folder)
    values: list[Any] = [*VALUES, None, True, 0, -1, 1.5, 10**9, [], {}]
    kept = len(values)
    guard = create_app(session_of(folder), PORT)
    routes = [route for route in guard.app.routes if route.path != "/api/events"]  # type: ignore[attr-defined]
    for page in page_of(folder):
        for _ in range(REQUESTS):
            route = choose.choice(routes)
            taken: dict[str, Any] = getclosurevars(route.endpoint).nonlocals["parameters"]
            body = {
                name: make_value(hint, choose, values)
                for name, (hint, default) in taken.items()
                if default is Parameter.empty or choose.random() < 0.5
            }
            path = route.path.replace(":path", "")
            for name, value in body.items():
                path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
            if "GET" in route.methods:
                answer = page.get(path, params={key: str(body[key]) for key in body})
            else:
                answer = page.post(path, content=json.dumps(body))
            assert answer.status_code < 500, (path, body, answer.text)
            if "json" in answer.headers.get("content-type", ""):
                leaves = [*_leaves(answer.json())]
                values[kept:] = values[kept:][-1000:] + choose.sample(leaves, min(len(leaves), 30))


def make_value(hint: Any, choose: random.Random, values: list[Any]) -> Any:
    """Return a value of JSON for a type that a route takes, most of the time."""
    if choose.random() < 0.05:
        return choose.choice(values)
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in {Union, UnionType}:
        return make_value(choose.choice(inner), choose, values)
    if origin is list:
        return [make_value(inner[0], choose, values) for _ in range(choose.randrange(4))]
    if origin is Mapping:
        keys = [value for value in values if isinstance(value, str)]
        return {
            choose.choice(keys): make_value(inner[1], choose, values)
            for _ in range(choose.randrange(4))
        }
    if hasattr(origin, "_fields"):
        hints = get_type_hints(origin, include_extras=True)
        return {
            name.rstrip("_"): make_value(each, choose, values)
            for name, each in hints.items()
            if choose.random() < 0.9
        }
    fitting = [value for value in values if type(value) is origin]
    return choose.choice(fitting or values)


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the texts, numbers and keys in a value of JSON."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


SURFACES: dict[str, Callable[[Path, random.Random], None]] = {
    name.removeprefix("fuzz_"): each for name, each in globals().items() if name.startswith("fuzz_")
}


def run_case(surface: str, seed: int) -> str:
    """Run a case in a child; return how it failed, or nothing."""
    folder = Path(tempfile.mkdtemp(prefix=f"{surface}-{seed}-"))
    result = folder.with_suffix(".txt")

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        output = os.open(os.devnull, os.O_WRONLY)
        os.dup2(output, 1)
        os.dup2(output, 2)
        try:
            SURFACES[surface](folder, random.Random(f"{surface} {seed}"))
        except BaseException:  # noqa: BLE001 - that is what is looked for
            result.write_text(traceback.format_exc(), "utf-8")

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(SECONDS)
    failure = "" if child.exitcode == 0 else f"exit code {child.exitcode}"
    child.kill()
    if result.exists():
        failure = result.read_text("utf-8")
        result.unlink()
    if failure:
        shutil.copytree(folder, ROOT / "out" / "fuzz" / f"{surface}-{seed}", dirs_exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return failure


def main() -> None:
    """Run cases of each surface for a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("surfaces", nargs="*", choices=[*SURFACES, []], metavar="SURFACE")
    parser.add_argument("--minutes", type=float, default=60, help="for each surface")
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    given = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        os.environ |= {"TMPDIR": temporary, "XDG_CACHE_HOME": f"{temporary}/cache"}
        tempfile.tempdir = temporary
        for surface in given.surfaces or SURFACES:
            end = time.monotonic() + given.minutes * 60
            for number in count(1):
                seed = given.seed + number - 1
                if failure := run_case(surface, seed):
                    failures += 1
                    say(f"{surface} --seed {seed}: {failure}")
                if time.monotonic() > end:
                    break
            say(f"{surface}: {number} cases")
    sys.exit(failures > 0)


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201 - how far it is


if __name__ == "__main__":
    main()
