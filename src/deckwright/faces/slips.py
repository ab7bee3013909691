"""Slips: what cards say, black on white, to be put in front of any cards in sleeves.

They are for quick play-tests: a slip has no picture and no ground, and its text is as large as it
has room for. It is made of the card's data, not of its template, so it is legible in any game.
"""

from __future__ import annotations

import re

from deckwright.base.colors import rgb
from deckwright.faces.card_text import said
from deckwright.faces.copies import called
from deckwright.game.context import Context
from deckwright.game.model import Card, Game
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Gradient, Op, StrokePath, map_ops

_NBSP = "\N{NO-BREAK SPACE}"
_SIGNS = re.compile(r"([*_+~{}\\])")
_JOINED = 24
"""A name and a value that are no longer together, in characters, stay on one line."""
_NEUTRAL, _LIGHT = 24, 0xD0
"""What has channels that differ by no more is gray, and from here on it is meant as white."""
_DARK = 0x80
"""Other colors become at least so dark a gray, which is seen on white and shows black in it."""


def slip_context(game: Game, card: Card, faction_id: str, number: int) -> Context:
    """Return what the template of a slip sees of a card: its texts with their markup."""
    facts, texts = [], []
    for name, text, running in said(game, card, faction_id):
        if running:
            texts.append(f"**{_verbatim(name)}:** {text}" if name else text)
        else:
            fact = f"{_verbatim(name)} **{text}**".strip()
            facts.append(fact.replace(" ", _NBSP) if len(name + text) < _JOINED else fact)
    return {
        "name": called(card, number),
        "kind": card.kind.name,
        "facts": f"{_NBSP}· ".join(facts),
        "text": "\n".join(texts),
    }


def _verbatim(name: str) -> str:
    """Return a name in which no sign is markup."""
    return _SIGNS.sub(r"\\\1", name)


def grayed(face: Face) -> Face:
    """Return a face in black, white and grays, whatever its symbols are drawn in."""
    return face._replace(ops=map_ops(face.ops, _grayed))


def _grayed(op: Op) -> Op:
    if isinstance(op, FillPath) and isinstance(op.color, Gradient):
        stops = tuple((at, _gray(stop)) for at, stop in op.color.stops)
        return op._replace(color=op.color._replace(stops=stops))
    if isinstance(op, DrawGlyphs | FillPath | StrokePath) and isinstance(op.color, str):
        return op._replace(color=_gray(op.color))
    return op


def _gray(color: str) -> str:
    """Return the gray that a color is on a slip."""
    red, green, blue = channels = rgb(color)
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)  # luma, ITU-R BT.601
    white = level >= _LIGHT and max(channels) - min(channels) <= _NEUTRAL
    return "#" + 3 * f"{level if white else min(level, _DARK):02x}"
