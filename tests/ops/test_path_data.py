"""Path data: its usual notation is read quickly, to the same outline as any other."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from deckwright.ops.outlines import read_path

COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "T": 2, "C": 6, "S": 4, "Q": 4, "Z": 0}
NUMBERS = st.decimals(-999, 999, places=2).map(str) | st.sampled_from(["0", "-0", ".5", "-.5"])
STEPS = st.sampled_from([*COUNTS, *map(str.lower, COUNTS)]).flatmap(
    lambda kind: st.tuples(
        st.just(kind),
        st.lists(NUMBERS, min_size=(n := COUNTS[kind.upper()]), max_size=n),
        st.lists(NUMBERS, min_size=n, max_size=n),
    )
)


def written(steps: list[tuple[str, list[str], list[str]]], plus: str = "") -> str:
    """Return path data; each command has one step, or two."""
    return " ".join(
        kind + " ".join(n if n.startswith("-") else plus + n for n in [*numbers, *more])
        for kind, numbers, more in steps
    )


@given(st.lists(STEPS))
@example([("m", ["1", "2"], ["3", "4"])])
@example([("z", [], []), ("L", ["1", "2"], [])])
def test_a_plus_sign_which_is_unusual_makes_no_difference(
    steps: list[tuple[str, list[str], list[str]]],
) -> None:
    steps = [("M", ["3", "4"], []), *steps]
    for part in (steps, steps[1:]):
        assert repr(read_path(written(part))) == repr(read_path(written(part, "+")))


def test_usual_path_data_is_read_up_to_its_first_error() -> None:
    assert read_path("M1,2L3-4 5L6 7") == ((("M", 1, 2), ("L", 3, -4)), False)
    assert read_path("M1 2.5.5L3 4") == ((("M", 1, 2.5),), False)
    assert read_path("M1 2L3 4,") == ((("M", 1, 2), ("L", 3, 4)), False)
    assert read_path(f"M1 2L3 4L{'9' * 400} 4") == ((("M", 1, 2), ("L", 3, 4)), False)
