"""Runs of ops that faces have in common."""

from __future__ import annotations

from deckwright.ops.model import FillPath, Group
from deckwright.ops.outlines import rectangle
from deckwright.ops.shared_ops import OpKeys, OpRun

LARGE = tuple(FillPath(rectangle(0, 0, number, 9), "#123456") for number in range(60))
OWN = FillPath(rectangle(0, 0, 9, 9), "#654321")


def again(op: FillPath) -> FillPath:
    """Return an equal op that is another object."""
    return FillPath((*op.outline,), op.color)


def test_ops_keep_their_order_whatever_is_shared() -> None:
    keys = OpKeys()
    ops = (OWN, *LARGE, OWN, *LARGE[30:], OWN)
    runs = keys.runs(ops, keys.keys_of(LARGE))
    assert tuple(op for run in runs for op in run.ops) == ops
    assert [run.key is None for run in runs] == [True, False, True, False, True]
    assert runs[1].key != runs[3].key


def test_equal_runs_have_equal_keys_whichever_objects_they_are() -> None:
    first, second = OpKeys(), OpKeys()
    (one,) = first.runs(LARGE, first.keys_of(LARGE))
    (other,) = second.runs([again(op) for op in LARGE], first.keys_of(LARGE))
    assert one.key == other.key is not None


def test_what_is_small_is_drawn_where_it_is() -> None:
    keys = OpKeys()
    assert keys.runs([OWN], keys.keys_of([OWN])) == [OpRun((OWN,))]


def test_what_says_something_else_is_something_else() -> None:
    keys = OpKeys()
    shared = keys.keys_of([Group(LARGE, alt="Strength 8")])
    (run,) = keys.runs([Group(LARGE, alt="Strength 9")], shared)
    assert run.key is None


def test_keys_are_forgotten_but_for_the_first() -> None:
    keys = OpKeys()
    first = keys.keys_of(LARGE)
    keys.keys_of([OWN])
    keys.forget(len(LARGE))
    assert (len(keys), keys.keys_of(LARGE)) == (len(LARGE), first)
    keys.forget()
    assert len(keys) == 0
