"""Ops are the same after they have been JSON."""

from __future__ import annotations

import json

import pytest

from conftest import ROOT
from deckwright.base.findings import Report
from deckwright.base.geometry import Box, Crop
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.ops.model import (
    DrawImage,
    FillPath,
    Gradient,
    Group,
    Op,
    StrokePath,
    Tag,
    decode_ops,
    encode_ops,
)
from support import load_all

SQUARE = (("M", 0, 0), ("L", 1.5, 0), ("C", 1, 2, 3.25, 4, 5, 6), ("Z",))


def again(ops: tuple[Op, ...]) -> object:
    return decode_ops(json.loads(json.dumps(encode_ops(ops))))


@pytest.mark.parametrize("game", ["starter", "festival"])
def test_the_ops_of_faces_are_the_same(game: str) -> None:
    folder = ROOT / "examples" / game
    report: Report = []
    factory = FaceFactory(load_all(folder), GameFolder(folder), report)
    faces = [named.face for named in compose_faces(factory, report)]
    assert len(faces) > 5
    assert [face.subject for face in faces if again(face.ops) != face.ops] == []


def test_rare_values_are_the_same() -> None:
    gradient = Gradient((0, 0), (1, 2), ((0, "#ffffff"), (0.5, "#000000")), radial=True)
    ops = (
        Group((), clip=SQUARE, tag=Tag("Link", "a", 3, Tag("P"))),
        Group((FillPath((), gradient, even_odd=True),), (1, 0, 0, 1, 2, 3), opacity=0.5),
        StrokePath(SQUARE, "#ff0000", 0.2, dashes=(1, 2.5), offset=0.5),
        DrawImage(ROOT / "a.png", Box(1, 2, 3, 4), cover=True, crop=Crop(0.1, 0.2, 1.5)),
    )
    assert repr(again(ops)) == repr(ops)
