"""Lay out every face of a game in a child process, and cache successful results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeVar

from deckwright.base.cache import Cache
from deckwright.base.findings import (
    Code,
    Diagnostic,
    LimitedReport,
    Location,
    Report,
    Severity,
    cap_findings,
    decode_findings,
    encode_findings,
    has_errors,
)
from deckwright.base.units import pluralize
from deckwright.checking.layout_memory import LayoutMemory
from deckwright.checking.sandbox import EarlyEnd, Limits, run_sandboxed
from deckwright.faces.keys import GameFiles, digest_files
from deckwright.game.folder import GameFolder
from deckwright.game.language import language_state
from deckwright.game.model import Game
from deckwright.images.drawings import is_rasterizing
from deckwright.xmlio.node import Document, Node

T = TypeVar("T")


class Stamp:
    """A cache key for a state of files."""

    def __init__(self, texts: Iterable[str], files: Iterable[str]) -> None:
        """Compute the key from `texts` and the states of `files`."""
        self.key = digest_files(texts, files)
        self._cache = Cache("checked")

    def read(self, decode: Callable[[bytes], T]) -> T | None:
        """Return the decoded result for this state; None if there is none."""
        return self._cache.read_decoded(self.key, decode)

    def set(self, measured: str) -> None:
        """Store the result for this state."""
        self._cache.write(self.key, measured.encode())


class LayoutResult(NamedTuple):
    """The result of laying out a game.

    Attributes:
        margin: the distance of print from the edges of the paper, in words.
        findings: warnings only; errors may depend on what the stamp does not cover, such as
            permissions.
    """

    margin: str | None
    findings: Report

    def encode(self) -> str:
        """Return the result serialized for a stamp."""
        return json.dumps([self.margin, encode_findings(self.findings)])

    @classmethod
    def decode(cls, content: bytes) -> LayoutResult:
        """Return the result that `encode` serialized.

        Raises:
            Exception: of any type, if the content is invalid.
        """
        margin, findings = json.loads(content)
        if not (margin is None or isinstance(margin, str)):
            raise TypeError
        return cls(margin, decode_findings(findings))


L007 = Code("L007", Severity.ERROR, "a game whose layout takes too long or too much memory")

_LIBRARIES = ("PIL.Image", "concurrent.futures", "deckwright.expressions.expressions")
"""What laying out imports, some of it large."""


def check_layout(
    game: Game, folder: GameFolder, book: Node | None, limits: Limits | None, report: Report
) -> str | None:
    """Lay out all that can be printed, in every style, and open every image.

    Known successful results are not repeated. The layout runs in a child process; exceeding the
    limits or crashing is reported.

    Args:
        book: the root element of the rulebook, if there is one.
        limits: the limits for an untrusted game; None for one's own game.

    Returns:
        The distance of print from the edges of the paper, in words; None if it is unknown.
    """
    files = GameFiles(game, folder)
    # Findings contain paths, so the same files elsewhere need another stamp.
    texts = [str(folder.path), str(folder.path.absolute()), files.images, files.fixed]
    texts += [document.text for document in _documents(game, book).values()]
    texts += ["rasterized"] * is_rasterizing() + ["limited"] * (limits is not None)
    texts.append(language_state())
    stamp = Stamp(texts, files.templates)
    known = stamp.read(LayoutResult.decode)
    if known is not None:
        report += known.findings
        return known.margin
    # Imported in the parent, so that checking many games imports them once.
    for name in _LIBRARIES:
        import_module(name)
    from deckwright.checking.whole_layout import lay_out_all  # imports much

    findings, memory = LimitedReport(), LayoutMemory(folder.path, None, "", (), ())
    if limits is None:
        # What is known in the present state of all but cards and pictures.
        card_files = {card.source.path for card in game.cards.values()}
        state = files.digest_setup()
        memory = LayoutMemory(folder.path, state, files.images, files.unused_names, card_files)
    work = partial(lay_out_all, game, folder, book, memory, limited=limits is not None)
    ended = run_sandboxed(work, findings, limits)
    by_code = groupby(sorted(findings, key=lambda f: f.code.id), lambda f: f.code)
    shown = [finding for _, alike in by_code for finding in cap_findings(alike)]
    report += shown
    if ended is not None:
        report.append(_explain_end(ended, limits, _documents(game, book), folder))
    from deckwright.sheet.layout import describe_margin

    margin = describe_margin(game.setup, folder)
    if ended is None and not has_errors(findings):
        stamp.set(LayoutResult(margin, shown).encode())
    return margin


def _explain_end(
    ended: EarlyEnd, limits: Limits | None, documents: Mapping[Path, Document], folder: GameFolder
) -> Diagnostic:
    """Return the finding that the layout ended early."""
    place = Location(folder.game_file)
    for work in ended.works:
        path = Path(work.path)
        if work.path and work.ordinal is not None and path in documents:
            place = documents[path].locate(work.ordinal)
        elif work.path:
            place = Location(path)
    # Work located in game.xml is a collection, such as all cards; the item in progress is more
    # precise.
    inmost = [work for work in ended.works if work.path != str(folder.game_file)]
    names = ", ".join(work.name for work in inmost or ended.works[-1:]) or "the game"
    hint = "simplify it, or leave it out to see whether it is the cause"
    if ended.reason == "crash":
        reason = "crashes a library that Deckwright uses"
    elif limits is None:
        reason = "takes more memory than is available"
    elif ended.reason == "time":
        reason = f"takes more than {pluralize(limits.seconds, 'second')} of CPU time"
        hint += "; --max-seconds allows more"
    else:
        reason = f"takes more than {limits.megabytes} MB of memory"
        hint += "; --max-memory allows more"
    return L007.at(place, f"laying out {names} {reason}", hint)


def _documents(game: Game, book: Node | None) -> dict[Path, Document]:
    """Return the XML documents of a game by path."""
    sources = [game.setup.source, *(card.source for card in game.cards.values())]
    sources += [faction.source for faction in game.factions.values()]
    sources += [rule.source for rule in game.rules.values()]
    sources += [book.source] if book else []
    return {source.path: source.document for source in sources}
