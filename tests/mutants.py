"""Mutation testing: change one thing in a file at a time, and print the changes no test notices.

    python tests/mutants.py [FILE ...] [--room ROOM] [--tests PATH ...] [--most N] [--seed S]

Without files or a room: what differs from origin/main, or from the commit before the last. The
tests are those of the file's room, unless others are named. They run once with a record of which
test runs which line; each mutant then meets only the tests that run its line. All of this happens
in a copy of the tree. A survivor is a hole in the tests, or a change that makes no difference.

mutmut 3 leaves out every function with a decorator, which all checks and elements have;
cosmic-ray runs all tests of a room for each of many more mutants.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from coverage import CoverageData

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/deckwright")
_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip


class Mutant(NamedTuple):
    """A file with one change, and the lines of the changed statement."""

    line: int
    change: str
    text: str
    lines: range


def make_mutants(source: str) -> Iterator[Mutant]:
    """Yield a source with each comparison, sum, number, `and`, `or` and `not` changed in turn."""
    tree = ast.parse(source)
    for node, statement in _expressions(tree, None):
        body = getattr(statement, "body", None)
        last = body[0].lineno - 1 if body else statement.end_lineno or 0
        lines = range(statement.lineno, max(statement.lineno, last) + 1)
        for name, new in _changes(node):
            old, before = getattr(node, name), ast.unparse(node)
            setattr(node, name, new)
            yield Mutant(node.lineno, f"{before}  →  {ast.unparse(node)}", ast.unparse(tree), lines)
            setattr(node, name, old)


def _expressions(node: ast.AST, around: ast.stmt | None) -> Iterator[tuple[ast.expr, ast.stmt]]:
    """Yield the expressions below a node, each with its statement, but no annotations."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                statement = child if isinstance(child, ast.stmt) else around
                if isinstance(child, ast.expr) and statement:
                    yield child, statement
                yield from _expressions(child, statement)


def _changes(node: ast.expr) -> Iterator[tuple[str, object]]:
    """Yield the fields of a node that may be changed, each with another value."""
    match node:
        case ast.Compare(ops=ops):
            for number, op in enumerate(ops):
                yield "ops", [*ops[:number], _SWAPPED[type(op)](), *ops[number + 1 :]]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in _SWAPPED:
            yield "op", _SWAPPED[type(op)]()
        case ast.UnaryOp(op=ast.USub()):
            yield "op", ast.UAdd()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "operand", ast.UnaryOp(ast.Not(), operand)
        case ast.Constant(value=bool() as value):
            yield "value", not value
        case ast.Constant(value=int() | float() as value):
            yield "value", value + 1


def _copy_tree(folder: Path) -> Path:
    """Copy all files that git tracks, or would add, to a folder."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, out.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def _pytest(tree: Path, arguments: Sequence[str], seconds: float | None = None) -> str:
    """Run tests in a copy of the tree; return "" if they pass, else their output."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
    env = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command, cwd=tree, env=env, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as run:  # fmt: skip
        try:
            out, _ = run.communicate(timeout=seconds)
        except BaseException as error:
            os.killpg(run.pid, 9)
            if isinstance(error, subprocess.TimeoutExpired):
                return "no end"
            raise
    return out if run.returncode else ""


def _try(
    tree: Path, file: Path, candidates: Sequence[Mutant], seen: CoverageData, most: float
) -> None:
    """Test the mutants of a file; print survivors as they are found, then their number."""
    tests = seen.contexts_by_lineno(str(tree / file))
    original = (tree / file).read_text(encoding="utf-8")
    counts: Counter[str] = Counter()
    for mutant in candidates:
        run = {test.partition("|")[0] for line in mutant.lines for test in tests.get(line, [])}
        if "" in run:  # when the module was imported, which is before all tests
            run = {test.partition("|")[0] for line in tests.values() for test in line}
        (tree / "which").write_text("\n".join(sorted(run - {""})), encoding="utf-8")
        (tree / file).write_text(mutant.text, encoding="utf-8")
        caught = _pytest(tree, ["@which"], most) if run - {""} else ""
        counts["caught" if caught else "survived"] += 1
        if not caught:
            note = "" if run - {""} else "  (no test comes here)"
            print(f"{file}:{mutant.line}: {mutant.change}{note}", flush=True)  # noqa: T201
    (tree / file).write_text(original, encoding="utf-8")
    print(f"{file}: {len(candidates)} mutants, {counts['survived']} survived", flush=True)  # noqa: T201


def _changed_files() -> list[Path]:
    """Return the files that differ from origin/main, or from the commit before the last."""
    for since in ("origin/main", "HEAD~1"):
        command = ["git", "diff", "--name-only", "--diff-filter=d", since, "--", str(SOURCE)]
        run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        if run.stdout:
            return [Path(line) for line in run.stdout.split("\n") if line.endswith(".py")]
    return []


def main() -> None:
    """Test the mutants requested on the command line."""
    from coverage import CoverageData

    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--room")
    parser.add_argument("--tests", nargs="+")
    parser.add_argument("--most", type=int, default=100, help="how many mutants, taken at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120, help="then the tests have noticed")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy and tests end, too
    room = sorted((ROOT / SOURCE / options.room).rglob("*.py")) if options.room else []
    files = [(ROOT / file).relative_to(ROOT) for file in options.files or room or _changed_files()]
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in files}
    every = [(file, mutant) for file in files for mutant in make_mutants(texts[file])]
    chosen = random.Random(options.seed).sample(every, min(options.most, len(every)))
    print(f"{len(chosen)} of {len(every)} mutants of {len(files)} files", flush=True)  # noqa: T201
    rooms = {f"tests/{file.relative_to(SOURCE).parts[0].removesuffix('.py')}" for file in files}
    tests = options.tests or sorted(name for name in rooms if (ROOT / name).is_dir())
    with tempfile.TemporaryDirectory() as temporary:
        tree = _copy_tree(Path(temporary).resolve())
        record = ["--cov=deckwright", "--cov-context=test", "--cov-report="]
        if problem := _pytest(tree, [*record, *(tests or ["tests"])]):
            raise SystemExit(f"a test fails without a mutant:\n{problem}")
        seen = CoverageData(str(tree / ".coverage"))
        seen.read()
        for file in files:
            if candidates := [mutant for place, mutant in chosen if place == file]:
                _try(tree, file, candidates, seen, options.seconds)


if __name__ == "__main__":
    main()
