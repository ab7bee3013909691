"""Anchors: what can be referred to in a rulebook, with its number and title."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable
from itertools import count

from deckwright.base.findings import MAX_FINDINGS, Report, capped
from deckwright.base.names import letters
from deckwright.book import overview
from deckwright.book.model import Anchor
from deckwright.book.numbering import Counter
from deckwright.game.model import Game
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import R007, described

_LONGEST_TITLE = 300
"""How much of a title cross references print, in characters."""


class Anchors:
    """The anchors of a rulebook by id, and the numbers of its elements."""

    def __init__(self, root: Node, game: Game, report: Report) -> None:
        """Number the elements of the rulebook `root`; report ids that are used twice."""
        self.known: dict[str, Anchor] = {}
        self._game = game
        self._findings: Report = []
        self._counter = Counter()
        self._tally: Tally[str] = Tally()
        self._numbers: dict[int, str] = {}
        self._ids: dict[int, str] = {}
        self._in_overview: dict[int, list[str]] = {}
        self._unnamed = count(1)
        self._first: dict[str, Node] = {}
        for node in root.children:
            if node.tag == "index":
                self._enter(node, "", node.attributes["title"])
            else:
                self._section(node, 1)
        report.extend(capped(self._findings, of_one_file=True))

    def number(self, node: Node) -> str:
        """Return the number of an element, "" if it has none."""
        return self._numbers.get(id(node), "")

    def of(self, node: Node) -> str:
        """Return the anchor of an element: its id, or one that is made up, with a space in it."""
        return self._ids[id(node)]

    def may_be_left_out(self, name: str) -> bool:
        """Return whether an anchor is missing only because a faction has mistakes."""
        return bool(self._game.gaps.factions) and name.startswith(("faction-", "race-"))

    def next_in_overview(self, node: Node) -> Callable[[int], str]:
        """Return what gives out the numbers of the headings in an `overview`, in their order."""
        numbers = iter(self._in_overview[id(node)])
        return lambda _: next(numbers)

    def _section(self, node: Node, level: int) -> None:
        self._enter(node, self._counter.next(level), node.attributes["title"])
        self._blocks(child for child in node.children if child.tag != "section")
        for child in node.named("section"):
            self._section(child, level + 1)
        if node.tag == "overview":
            numbers = self._in_overview[id(node)] = []
            for race, factions in overview.races_of(self._game, self._game.factions).items():
                numbers.append(self._counter.next(level + 1))
                self._given(node, overview.race_anchor(race), Anchor(numbers[-1], race))
                for faction in factions:
                    numbers.append(self._counter.next(level + 2))
                    anchor = Anchor(numbers[-1], faction.name)
                    self._given(node, overview.faction_anchor(faction.id), anchor)

    def _given(self, node: Node, name: str, anchor: Anchor) -> None:
        """Enter an anchor that an `overview` gives; report that an element has its id."""
        if name in self._first and self._wanted():
            message = f"`overview` gives the id `{name}`, which this has as well"
            place = self._first[name].source.at("id")
            self._findings.append(R007.at(place, message, "give this one a different id"))
        self._first.setdefault(name, node)
        self.known[name] = anchor

    def _blocks(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.tag in {"table", "limits", "figure"}:
                kind = "figure" if node.tag == "figure" else "table"
                named = node.get("id") or node.get("title")
                self._enter(node, self._counted(kind) if named else "", node.get("title") or "")
            if node.tag == "figure":
                numbers = count(1)
                for callout in (c for child in node.children for c in child.named("callout")):
                    title = " ".join(_words(callout).split())
                    self._enter(callout, letters(next(numbers)), title)
            elif node.tag == "definition":
                self._enter(node, "", node.attributes["term"])
            elif node.tag in {"example", "note"}:
                self._blocks(node.children)

    def _counted(self, kind: str) -> str:
        self._tally[kind] += 1
        return f"{self._game.setup.words[kind]} {self._tally[kind]}"

    def _enter(self, node: Node, number: str, title: str) -> None:
        self._numbers[id(node)] = number
        name = node.get("id")
        self._ids[id(node)] = name or f" {next(self._unnamed)}"
        if name is None:
            return
        if name in self._first and self._wanted():
            line = self._first[name].source.at().line
            message = f"{described(node)} has the same id as line {line}"
            place = node.source.at("id")
            self._findings.append(R007.at(place, message, "give one of them another"))
        self._first.setdefault(name, node)
        long = len(title) > _LONGEST_TITLE
        self.known[name] = Anchor(number, f"{title[:_LONGEST_TITLE]}…" if long else title)

    def _wanted(self) -> bool:
        """Return whether more findings are wanted: as many as are shown, and one."""
        return len(self._findings) <= MAX_FINDINGS


def _words(node: Node) -> str:
    return node.text + "".join(_words(child) + child.tail for child in node.children)
