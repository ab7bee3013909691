"""A job ticket as JSON, which says all that the page says; and read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, get_args

from deckwright.outputs.package.model import Colors, Packed, Pile, PileKind, Ticket

FORMAT, VERSION = "deckwright-ticket", 1
"""What the files call themselves. A change that readers must know of counts the version up."""


def as_json(ticket: Ticket) -> str:
    """Return a ticket as JSON: lengths in mm, names as the fields of `model.py` have them."""
    data = {"format": FORMAT, "version": VERSION, **ticket._asdict()}
    data["date"] = ticket.date.astimezone(UTC).isoformat()
    data["piles"] = [
        {**pile._asdict(), "trim": _size(pile.trim), "colors": pile.colors._asdict()}
        for pile in ticket.piles
    ]
    data["files"] = [
        {**file._asdict(), "trim": file.trim and _size(file.trim)} for file in ticket.files
    ]
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _size(size: tuple[float, float]) -> dict[str, float]:
    return {"width": size[0], "height": size[1]}


def from_json(text: str) -> Ticket:
    """Return the ticket that a JSON file holds; what it holds besides is left aside.

    Raises:
        ValueError: if it is none of this version, or lacks something.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError("it is not a job ticket")
        if data["version"] != VERSION:
            raise ValueError(
                f"it is of version {data['version']}, and this is for version {VERSION}"
            )
        return Ticket(
            **_fields(Ticket, data)
            | {
                "date": datetime.fromisoformat(data["date"]),
                "piles": tuple(_pile(each) for each in data["piles"]),
                "files": tuple(_packed(each) for each in data["files"]),
            }
        )
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError("it is not a whole job ticket") from error


def _fields(kind: Any, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - a tuple's class
    return {name: data[name] for name in kind._fields}


def _pile(data: dict[str, Any]) -> Pile:
    given, colors = _fields(Pile, data), data["colors"]
    if given["kind"] not in get_args(PileKind):
        raise ValueError(f"it has a pile of an unknown kind, `{given['kind']}`")
    return Pile(**given)._replace(
        id=str(data["id"]),
        sides=int(data["sides"]),
        trim=_read_size(data["trim"]),
        files=tuple(map(_name, data["files"])),
        pages=int(data["pages"]),
        colors=Colors(**_fields(Colors, colors))._replace(
            inks=tuple(map(str, colors["inks"])), die=tuple(map(str, colors["die"]))
        ),
        bleed=float(data["bleed"]),
    )


def _packed(data: dict[str, Any]) -> Packed:
    pages, trim = data["pages"], data["trim"]
    return Packed(**_fields(Packed, data))._replace(
        name=_name(data["name"]),
        pages=None if pages is None else int(pages),
        trim=None if trim is None else _read_size(trim),
    )


def _name(name: Any) -> str:  # noqa: ANN401 - whatever JSON has
    """Return the name of a file, which a system can have."""
    text = str(name)
    text.encode()
    if "\0" in text:
        raise ValueError("it names a file that no folder can have")
    return text


def _read_size(size: Any) -> tuple[float, float]:  # noqa: ANN401 - whatever JSON has
    return float(size["width"]), float(size["height"])
