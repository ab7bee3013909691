"""Programs of templates that were compiled before, found by what they were written from."""

from __future__ import annotations

import marshal
from collections.abc import Collection
from functools import cache
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType

import jinja2

from deckwright import __version__
from deckwright.base.cache import Cache, code_of


class Sources:
    """What the program of a template is written from; taken down instead of being read.

    It has the methods of a `ProgramWriter`.
    """

    size = names = 0
    """Nothing is known of its expressions."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._taken: list[str] = []

    def at(self, line: int) -> None:
        """Take down the line that what follows is on."""
        self._taken.append(f"at {line}")

    def data(self, text: str) -> None:
        """Take down a text as it is."""
        self._taken.append(f"data {text}")

    def value(self, source: str, *, markup: bool = False) -> None:
        """Take down a text with expressions in it."""
        self._taken.append(f"{'text' if markup else 'value'} {source}")

    def each(self, source: str) -> None:
        """Take down the beginning of a loop."""
        self._taken.append(f"each {source}")

    def when(self, source: str) -> None:
        """Take down the beginning of a condition."""
        self._taken.append(f"when {source}")

    def give(self, source: str) -> None:
        """Take down names that are given."""
        self._taken.append(f"give {source}")

    def include(self, name: str, free: Collection[str]) -> None:
        """Take down that another template is included, which needs these names."""
        self._taken.append(f"include {name}: {' '.join(sorted(free))}")

    def end(self) -> None:
        """Take down the end of what was begun last."""
        self._taken.append("end")

    @property
    def key(self) -> str:
        """The key of the program; XML cannot contain what divides its parts."""
        said = "\0".join((_compiler(), *self._taken))
        return blake2b(said.encode(), digest_size=20).hexdigest()


def find(sources: Sources) -> tuple[CodeType, Collection[str]] | None:
    """Return the program that was written from the same sources by the same compiler.

    With it come the names that whoever runs it has to give.
    """
    return Cache("programs").read_decoded(sources.key, _program)


def _program(content: bytes) -> tuple[CodeType, Collection[str]] | None:
    code, free = marshal.loads(content)  # noqa: S302 - ours, and whole
    return (code, set(free)) if isinstance(code, CodeType) else None


def keep(sources: Sources, code: CodeType, free: Collection[str]) -> None:
    """Keep a program, and the names that whoever runs it has to give, for the next run."""
    Cache("programs").write(sources.key, marshal.dumps((code, sorted(free))))


@cache
def _compiler() -> str:
    """Return what makes the programs: Python, Jinja, and this package as its files are."""
    code = code_of(Path(__file__).parent)
    return f"{MAGIC_NUMBER.hex()} {jinja2.__version__} {__version__} {code}"
