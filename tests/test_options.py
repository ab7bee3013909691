"""An option is declared once; commands, forms, runs and docs have it from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, Unpack

import click
import pytest
from click.testing import CliRunner

from deckwright import api
from deckwright.api.options import DeckPrint, RunPrint
from deckwright.base.findings import ChoiceError
from deckwright.base.options import Option, option_names, read_options
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.cli import run
from deckwright.cli.options import options_of
from deckwright.outputs.tuckbox import BOX_PAPERS, MAX_CARDS
from deckwright.runs.options import UNSUPPORTED, require_valid_options
from deckwright.sheet.grid import Flip, Marks
from deckwright.sheet.printers import MAX_OFFSET
from deckwright.studio.printing.options import read_form_options, read_values

ROOT = Path(__file__).parent.parent


class Varnish(TypedDict, total=False):
    """Options that nobody knew before."""

    gloss: Annotated[bool, Option("Make it shine.")]
    matte: Annotated[bool, Option("Leave it dull.", default=True)]
    coats: Annotated[int | None, Option("How many layers.", "N", 1, 9)]
    kind: Annotated[Literal["water", "oil"], Option("What it is made of.")]
    margin: Annotated[Mm, Option("How far from the edge.", "MM", 0, 5, 1.5)]
    cards: Annotated[Iterable[str], Option("Which cards.", "CARDS")]
    tints: Annotated[Mapping[str, int], Option("Drops by color.", "ID=N", 0, 99)]
    area: Annotated[tuple[int, int] | None, Option("Pixels.", "WxH", 1, 99, flag="--pixels")]


def varnish(path: Path, *, speed: Annotated[float, Option("How fast.", None, 1, 3)] = 2,
            **options: Unpack[Varnish]) -> None:  # fmt: skip
    """Have a parameter of its own as well."""


def values_of(*words: str) -> dict[str, Any]:
    """Return the values that a command with these options takes from words."""
    got: dict[str, Any] = {}
    command = click.command()(options_of(varnish)(lambda **values: got.update(values)))
    result = CliRunner().invoke(command, words)
    if result.exit_code:
        raise ValueError(result.output)
    return got


def test_a_command_takes_the_options_of_the_library() -> None:
    assert values_of() == {
        "speed": 2, "gloss": False, "matte": True, "coats": None, "kind": "water", "margin": 1.5,
        "cards": [], "tints": {}, "area": None,
    }  # fmt: skip
    words = ["--gloss", "--no-matte", "--coats", "3", "--kind", "oil", "--margin", "2mm"]
    words += ["--cards", "A,B", "--cards", "C"]
    assert values_of(*words, "--tints", "red=4", "--pixels", "7x9", "--speed", "1.5") == {
        "speed": 1.5, "gloss": True, "matte": False, "coats": 3, "kind": "oil", "margin": 2,
        "cards": ["A", "B", "C"], "tints": {"red": 4}, "area": (7, 9),
    }  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["--coats 10", "--kind wax", "--margin 6mm", "--margin x", "--tints red", "--tints red=off",
     "--pixels 100x1", "--pixels 7", "--speed 4"],
)  # fmt: skip
def test_a_command_refuses_what_the_option_does_not_allow(words: str) -> None:
    with pytest.raises(ValueError, match="Error"):
        values_of(*words.split())


def test_a_form_has_the_options_of_the_library() -> None:
    fields = {option.name: option for option in read_form_options(varnish)}
    assert fields.keys() == {"speed", *option_names(Varnish)}
    assert fields["coats"][1:] == ("integer", None, True, (), 1, 9)
    assert [choice["value"] for choice in fields["kind"].choices] == ["water", "oil"]
    assert fields["area"].type == "size"
    assert read_values(fields.values(), {"margin": 4})["margin"] == 4
    with pytest.raises(ChoiceError):
        read_values(fields.values(), {"margin": 6})


def test_a_run_takes_the_options_that_its_command_has() -> None:
    taken = {parameter.name for parameter in run.plan.params}
    assert taken >= option_names(RunPrint) - {*UNSUPPORTED}
    samples = {
        "flag": True, "text": "x", "choice": "x", "file": "x", "watermark": "x", "offset": [1, 2],
        "limits": {"a": 1, "b": None}, "length": 1,
    }  # fmt: skip
    for field in read_options(RunPrint):
        if field.name not in UNSUPPORTED and field.type != "printer":
            require_valid_options({field.name: samples[field.type]})
            with pytest.raises(ChoiceError):
                require_valid_options({field.name: object()})


@pytest.mark.parametrize("name", [name for name in api.__all__ if name.endswith("Print")])
def test_the_docs_list_every_option(name: str) -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    shape = getattr(api, name)
    for field in read_options(shape) if hasattr(shape, "__total__") else ():
        assert f"- `{field.name}`: " in page
        assert field.option.help.endswith((".", ")"))


def test_choices_and_bounds_are_those_of_the_parts_that_use_them() -> None:
    """They are written out, because the library must not import the parts to list them."""
    fields = {field.name: field.option for field in read_options(DeckPrint)}
    assert {*fields["flip"].choices} == {flip.value for flip in Flip}
    assert {*fields["marks"].choices} == {marks.value for marks in Marks}
    assert (fields["back_offset"].least, fields["back_offset"].most) == (-MAX_OFFSET, MAX_OFFSET)
    box = {field.name: field.option for field in read_options(api.BoxPrint)}
    assert tuple(box["paper"].choices) == BOX_PAPERS
    assert box["cards"].most == MAX_CARDS
    markers = {field.name: field.option for field in read_options(api.MarkerPrint)}
    assert {*markers["paper"].choices} == {*PAPER_SIZES}
