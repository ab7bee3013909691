"""How large a template may be, and how many of its mistakes are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

from deckwright.base.findings import MAX_FINDINGS, Code, Diagnostic, Report, Severity, enough
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from deckwright.templates.program import ProgramWriter
    from deckwright.templates.programs import Sources

T013 = Code("T013", Severity.ERROR, "a template that is too large")

MAX_ELEMENTS = 20_000
"""Most elements of a template, with those of the templates that it includes."""
MAX_DEPTH = 50
"""How deep elements and included templates may lie in one another."""
MAX_CHARACTERS = 4_000_000
"""Most characters in the values and texts of all these elements: those of two of the largest files.
"""
MAX_SIZE = 40_000
"""Most names, numbers and signs in a template's expressions: some twenty times those of a rich one.
"""
MAX_NAMES = 500
"""Most different names of values in a template; Jinja takes as many steps as their square."""

_FEWER = "include fewer templates, or include them less often"


class Extent(NamedTuple):
    """How large a template is, with the templates that it includes.

    Attributes:
        elements: how many it has.
        characters: how many are in their values and texts.
        depth: how deep elements lie in one another.
    """

    elements: int
    characters: int
    depth: int


class EnoughError(Exception):
    """There is no need to read on: what keeps a template from being read has been reported."""


class Limits:
    """Watches over the reading of a template.

    Attributes:
        depth: how deep the element that is being read lies in others.
    """

    def __init__(
        self, root: Node, program: ProgramWriter | Sources, report: Report, depth: int
    ) -> None:
        """Begin with the template of this root element.

        Args:
            program: what is written of its expressions.
            depth: how deep it lies in those that include it.
        """
        self._root = root
        self._program = program
        self._report = report
        self._most = len(report) + MAX_FINDINGS
        self._elements = 0
        self._characters = 0
        self.depth = self._deepest = self._start = depth

    @property
    def extent(self) -> Extent:
        """How large the template is so far."""
        return Extent(self._elements, self._characters, self._deepest - self._start)

    def find(self, *findings: Diagnostic) -> None:
        """Report findings, up to as many as anyone reads.

        Raises:
            EnoughError: if there are more.
        """
        self._report += findings
        if len(self._report) > self._most:
            hint = "is this the right kind of file?"
            self._report[self._most :] = [enough("the template has", self._root.source.at(), hint)]
            raise EnoughError

    def enter(self, node: Node) -> None:
        """Begin with an element.

        Raises:
            EnoughError: if the template is too large with it.
        """
        self.depth += 1
        self.grow(node, Extent(1, 0, 0))
        self.count(node, node.text, node.tail, *node.attributes.values())

    def grow(self, node: Node, extent: Extent) -> None:
        """Count what an element brings in.

        Raises:
            EnoughError: if the template is too large with it.
        """
        self._elements += extent.elements
        self._characters += extent.characters
        self._deepest = max(self._deepest, self.depth + extent.depth)
        if self._elements > MAX_ELEMENTS:
            much = f"more than {MAX_ELEMENTS:,} elements, with those of included templates"
            self._refuse(node, much, _FEWER)
        if self._deepest > MAX_DEPTH:
            much = f"elements nested more than {MAX_DEPTH} deep"
            self._refuse(node, much, "put them side by side")
        if self._characters > MAX_CHARACTERS:
            much = f"more than {MAX_CHARACTERS:,} characters, with those of included templates"
            self._refuse(node, much, _FEWER)

    def count(self, node: Node, *texts: str) -> None:
        """Count the characters of an element.

        Raises:
            EnoughError: if the template is too large with them.
        """
        self.grow(node, Extent(0, sum(map(len, texts)), 0))

    def check_size(self, node: Node) -> None:
        """Check the expressions, after those of an element.

        Raises:
            EnoughError: if the template is too large with them.
        """
        if self._program.size > MAX_SIZE:
            much = f"expressions of more than {MAX_SIZE:,} names, numbers and signs"
            self._refuse(node, much, "shorten them, or include fewer templates")
        if self._program.names > MAX_NAMES:
            much = f"more than {MAX_NAMES} different names of values"
            self._refuse(node, much, "use lists or dictionaries, or reuse names")

    def _refuse(self, node: Node, much: str, hint: str) -> NoReturn:
        self.find(T013.at(node.source.at(), f"the template has {much}", hint))
        raise EnoughError

    def leave(self) -> None:
        """End with an element."""
        self.depth -= 1
