"""The user's printers: their duplex offset, how they flip paper, and their unprintable margins.

They are stored in a small TOML file in the user's configuration folder, which may be edited:

    [home]
    back-offset = "0.7mm,-0.4mm"
    flip = "long"
    margins = "3mm,3mm,12.7mm,3mm"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import read_file, write_atomically
from deckwright.base.findings import Code, Location, Report, Severity, known_hint
from deckwright.base.output import write_failure
from deckwright.base.units import Mm, parse_length
from deckwright.sheet.grid import Flip, Margins, parse_margins

E004 = Code("E004", Severity.ERROR, "an unknown printer, or printer settings that cannot be read")

MAX_OFFSET: Mm = 20
"""The largest offset of a printer; more means a wrong unit."""

_MAX_BYTES = 20_000
"""About two hundred printers; deeply nested or dotted keys take quadratic time to parse."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


class Printer(NamedTuple):
    """A printer.

    Attributes:
        offset: the correction that moves backs behind their faces, right and down.
        flip: the edge on which it flips paper; None for that of the sheet format.
        margins: the margins that it leaves white, of paper in portrait.
    """

    offset: tuple[Mm, Mm] = (0, 0)
    flip: Flip | None = None
    margins: Margins = Margins()


def settings_file() -> Path:
    """Return the file of printers, such as $XDG_CONFIG_HOME/deckwright/printers.toml."""
    import platformdirs  # only for prints by name

    return Path(platformdirs.user_config_dir("deckwright")) / "printers.toml"


def parse_offset(text: str) -> tuple[Mm, Mm]:
    """Return an offset such as "0.7mm,-0.4mm": right and down.

    Raises:
        ValueError: if the text is invalid.
    """
    parts = text.split(",")
    if len(parts) != 2:
        raise ValueError(f"`{text}` is not of the form X,Y, such as 0.7mm,-0.4mm")
    x, y = map(parse_length, parts)
    if max(abs(x), abs(y)) > MAX_OFFSET:
        raise ValueError(f"`{text}` is more than {MAX_OFFSET:g} mm")
    return x, y


def is_printer_name(name: str) -> bool:
    """Return whether a name is valid for a printer: letters, digits, "-" and "_"."""
    return _NAME.fullmatch(name) is not None


def load_printers(report: Report) -> dict[str, Printer] | None:
    """Return the user's printers by name, None after reporting errors in their file."""
    path = settings_file()
    try:
        tables = tomllib.loads(read_file(path, _MAX_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        message = f"cannot read the printers: {getattr(error, 'strerror', None) or error}"
        report.append(E004.at(Location(path), message, "fix the file, or delete it"))
        return None
    printers = {}
    for name, table in tables.items():
        try:
            printers[name] = _read_printer(table)
        except (ValueError, TypeError, AttributeError) as error:
            message = f"the printer `{name}` cannot be read: {error}"
            hint = (
                'write it as back-offset = "0.7mm,-0.4mm", flip = "long" and margins = "4.2mm" '
                "below [name]"
            )
            report.append(E004.at(Location(path), message, hint))
    return None if report else printers


def _read_printer(table: dict[str, str]) -> Printer:
    """Return a printer from its table; an invalid one raises one of the errors caught above."""
    unknown = set(table) - {"back-offset", "flip", "margins"}
    if unknown:
        raise ValueError(f"there is no setting `{min(unknown)}`")
    flip = table.get("flip")
    return Printer(
        parse_offset(table.get("back-offset", "0,0")),
        Flip(flip) if flip is not None else None,
        parse_margins(table.get("margins", "0")),
    )


def find_printer(name: str, report: Report) -> Printer | None:
    """Return the printer with this name, None after reporting that there is none."""
    printers = load_printers(report)
    if printers is None:
        return None
    if name not in printers:
        hint = known_hint(name, printers) or (
            "measure it with `deckwright calibrate`, then save it with `deckwright calibrate "
            f"--printer {name} --back-offset X,Y`"
        )
        report.append(E004.at(None, f"there is no printer `{name}`", hint))
        return None
    return printers[name]


def save_printer(name: str, printer: Printer, report: Report) -> Path | None:
    """Save a printer and return the file, None after reporting why it cannot be written."""
    return _change_printers({name: printer}, report)


def forget_printer(name: str, report: Report) -> Path | None:
    """Remove a printer and return the file, None after reporting why it cannot be written."""
    return _change_printers({name: None}, report)


def _change_printers(changes: Mapping[str, Printer | None], report: Report) -> Path | None:
    """Write the file of printers with changes; None removes one."""
    path, printers = settings_file(), load_printers(report)
    if printers is None:
        return None
    tables = []
    for name, printer in sorted({**printers, **changes}.items()):
        if printer is None:
            continue
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        quoted = name if is_printer_name(name) else f'"{escaped}"'
        x, y = printer.offset
        flip = f'flip = "{printer.flip.value}"\n' if printer.flip else ""
        margins = f'margins = "{printer.margins}"\n' if any(printer.margins) else ""
        tables.append(f'[{quoted}]\nback-offset = "{x:g}mm,{y:g}mm"\n{flip}{margins}')
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_atomically(path) as stream:
            stream.write("\n".join(tables).encode())
    except OSError as error:
        report.append(write_failure(path, error))
        return None
    return path
