"""The programs of templates: their sources, the cache of compiled ones, and their limits."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection
from functools import cache
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from deckwright import __version__
from deckwright.base.cache import Cache, fingerprint_code
from deckwright.base.findings import (
    MAX_FINDINGS,
    Code,
    Diagnostic,
    Report,
    Severity,
    truncation_notice,
)
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from deckwright.templates.program_writer import ProgramWriter


def _recording(kind: str) -> Callable[..., None]:
    """Return a method that records its arguments."""

    def record(self: SourceRecorder, *arguments: object, **options: object) -> None:
        self.entries.append(f"{kind} {arguments} {options}")

    return record


class SourceRecorder:
    """Records the source of a template's program, as the key of the cache of compiled programs.

    It has the same methods as `ProgramWriter`.
    """

    size = names = 0
    """Expressions are not parsed, so their size is unknown."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    at = _recording("at")
    data = _recording("data")
    value = _recording("value")
    begin_loop = _recording("each")
    when = _recording("when")
    assign = _recording("give")
    end = _recording("end")

    def include(self, name: str, free: Collection[str]) -> None:
        """Record the inclusion of a template with these free names."""
        self.entries.append(f"include {name}: {' '.join(sorted(free))}")

    @property
    def key(self) -> str:
        """The cache key of the program; entries are joined by NUL, which XML cannot contain."""
        source = "\0".join((_compiler_version(), *self.entries))
        return blake2b(source.encode(), digest_size=20).hexdigest()


def load_program(sources: SourceRecorder) -> tuple[CodeType, Collection[str]] | None:
    """Return the cached program of the same source and compiler, and its free names; or None."""

    def decode(content: bytes) -> tuple[CodeType, Collection[str]] | None:
        code, free = marshal.loads(content)  # noqa: S302 - ours, and whole
        return (code, set(free)) if isinstance(code, CodeType) else None

    return Cache("programs").read_decoded(sources.key, decode)


def store_program(sources: SourceRecorder, code: CodeType, free: Collection[str]) -> None:
    """Store a program and its free names in the cache."""
    Cache("programs").write(sources.key, marshal.dumps((code, sorted(free))))


@cache
def _compiler_version() -> str:
    """Return the version of the compiler: Python, Jinja, and the code behind templates."""
    import jinja2  # only to run templates

    home = Path(__file__).parent
    code = fingerprint_code(home, home.parent / "expressions")
    return f"{MAGIC_NUMBER.hex()} {jinja2.__version__} {__version__} {code}"


T013 = Code("T013", Severity.ERROR, "a template that is too large")

MAX_ELEMENTS = 20_000
"""The largest number of elements in a template, with included ones."""
MAX_DEPTH = 50
"""The largest depth of nested elements and included templates."""
MAX_CHARACTERS = 4_000_000
"""The largest number of characters in their values and texts: two files of maximum size."""
MAX_SIZE = 40_000
"""The largest number of nodes in a template's expressions: twenty times those of a rich one."""
MAX_NAMES = 500
"""The largest number of different names in a template; Jinja needs quadratic time."""

_FEWER_INCLUDES = "include fewer templates, or include them less often"


class Extent(NamedTuple):
    """The size of a template, with included ones; characters are those of values and texts."""

    elements: int
    characters: int
    depth: int


class StopReadingError(Exception):
    """Reading a template is pointless: enough findings, or a fatal one, have been reported."""


class TemplateLimits:
    """Enforces limits while a template is read; `depth` is that of the current element."""

    def __init__(
        self, root: Node, program: ProgramWriter | SourceRecorder, report: Report, depth: int
    ) -> None:
        """Begin with a root element, at its depth in the templates that include it."""
        self._root = root
        self._program = program
        self._report = report
        self._max_findings = len(report) + MAX_FINDINGS
        self._elements = 0
        self._characters = 0
        self.depth = self._deepest = self._start = depth

    @property
    def extent(self) -> Extent:
        """The size of the template so far."""
        return Extent(self._elements, self._characters, self._deepest - self._start)

    def report(self, *findings: Diagnostic) -> None:
        """Report findings; raise a StopReadingError if there are too many."""
        self._report += findings
        if len(self._report) > self._max_findings:
            hint = "is this the right kind of file?"
            self._report[self._max_findings :] = [
                truncation_notice("the template has", self._root.source.at(), hint)
            ]
            raise StopReadingError

    def enter(self, node: Node) -> None:
        """Enter an element; raise a StopReadingError if the template becomes too large."""
        self.depth += 1
        texts = (node.text, node.tail, *node.attributes.values())
        self.add_extent(node, Extent(1, sum(map(len, texts)), 0))

    def add_extent(self, node: Node, extent: Extent) -> None:
        """Add the size of an element or included template; raise a StopReadingError."""
        self._elements += extent.elements
        self._characters += extent.characters
        self._deepest = max(self._deepest, self.depth + extent.depth)
        if self._elements > MAX_ELEMENTS:
            much = f"more than {MAX_ELEMENTS:,} elements, with those of included templates"
            self._refuse(node, much, _FEWER_INCLUDES)
        if self._deepest > MAX_DEPTH:
            much = f"elements nested more than {MAX_DEPTH} deep"
            self._refuse(node, much, "nest fewer elements in each other")
        if self._characters > MAX_CHARACTERS:
            much = f"more than {MAX_CHARACTERS:,} characters, with those of included templates"
            self._refuse(node, much, _FEWER_INCLUDES)

    def check_size(self, node: Node) -> None:
        """Check the size of the expressions after an element; raise a StopReadingError."""
        if self._program.size > MAX_SIZE:
            much = f"expressions of more than {MAX_SIZE:,} names, numbers and signs"
            self._refuse(node, much, "shorten them, or include fewer templates")
        if self._program.names > MAX_NAMES:
            much = f"more than {MAX_NAMES} different names in its expressions"
            self._refuse(node, much, "use lists or dictionaries, or reuse names")

    def _refuse(self, node: Node, much: str, hint: str) -> NoReturn:
        self.report(T013.at(node.source.at(), f"the template has {much}", hint))
        raise StopReadingError

    def leave(self) -> None:
        """Leave an element."""
        self.depth -= 1
