"""How the decks of a run are printed: on sheets, or for a print service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

from deckwright.api.options import (
    GameError,
    RunPrint,
    resolve_choice,
    resolve_limits,
    resolve_printer,
    resolve_service,
    resolve_sheet,
    resolve_style,
)
from deckwright.base.findings import ChoiceError, Report, has_errors, require_known
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.runs.archive import PROFILE_FOLDER
from deckwright.sheet.grid import Flip, Margins
from deckwright.sheet.layout import SheetOptions, load_layout
from deckwright.sheet.printers import Printer

if TYPE_CHECKING:
    from deckwright.outputs.services.job import OrderOptions
    from deckwright.outputs.services.profile import Service

_UNSUPPORTED = ("cut", "kiss_cut", "only", "copies", "changed_since", "draft", "slips", "slip_trim")
"""What `RunPrint` has and runs have not."""
_SHEET_OPTIONS = (
    "printer",
    "sheet",
    "turn",
    "backs",
    "backs_apart",
    "flip",
    "back_offset",
    "marks",
    "no_footer",
    "fill",
    "reference",
    "odds",
    "boxes",
    "paper",
)
"""What is for sheets alone."""
_SERVICE_OPTIONS = (
    "no_tokens",
    "size",
    "icc",
    "pdfx",
    "state_pdfx",
    "inks",
    "stock",
    "foil",
    "anyway",
)
"""What is for print services alone."""

_FLAGS = frozenset(("turn", "backs", "backs_apart", "footer", "no_footer", "fill", "reference",
                    "odds", "ignore_limits", "boxes", "tokens", "no_tokens", "state_pdfx",
                    "foil", "anyway"))  # fmt: skip
_TEXTS = frozenset(("sheet", "scale", "flip", "marks", "style", "limits", "date", "paper",
                    "service", "size", "icc", "pdfx", "inks", "stock", "watermark"))  # fmt: skip
_MAX_TEXT_LENGTH = 200
"""How many characters a text of an option may have: a watermark of a megabyte is never laid out."""
_MAX_DISTANCE = 10_000
"""The most that is taken for a length, in mm."""

ResolvedOptions = tuple[str, Mapping[str, bytes]]
"""Options as a run keeps them, and ICC profiles by the names of their files."""


def resolve_options(how: RunPrint, folder: GameFolder, report: Report) -> ResolvedOptions | None:
    """Return the options of a run as it keeps them; None after reporting what is wrong with them.

    The ICC profile for a print service is kept with the run: others may have another one.

    Raises:
        ChoiceError: if one is not for runs, or the game has no such sheet, style, limit or service.
    """
    said: dict[str, Any] = {name: value for name, value in how.items() if value is not None}
    _reject(said, _UNSUPPORTED, "runs cannot be printed with {}")
    service_id = said.get("service")
    if service_id is None:
        if not said.pop("tokens", True):
            said["no_tokens"] = True
        _reject(said, _SERVICE_OPTIONS, "{} is for print services", "name one with `--service`")
        if "printer" in said:
            said["printer"] = _printer_json(resolve_printer(said["printer"]))
        options = resolve_sheets(cast("RunPrint", said), folder)
        resolve_box_paper(cast("RunPrint", said))
        setup = load_setup(folder, report)
        usable = setup is not None and load_layout(setup, folder.xml, options, report)
        return (_options_json(said), {}) if usable and not has_errors(report) else None
    if not said.pop("footer", True):
        said["no_footer"] = True
    _reject(said, _SHEET_OPTIONS, "{} is for sheets, not for print services")
    try:
        service, ready = resolve_order(cast("RunPrint", said), folder)
    except GameError as error:
        report.extend(error.findings)
        return None
    from deckwright.outputs.services.press import choose_profile  # noqa: PLC0415 - only for services
    from deckwright.outputs.services.profile import FileKind  # noqa: PLC0415

    found: Report = []
    profile = None
    if service.files is FileKind.PDF:
        profile = choose_profile(service, ready.icc, found, none=ready.rgb)
    report.extend(found)
    if profile is None:
        return None if found else (_options_json(said), {})
    return _options_json({**said, "icc": profile.path.name}), {profile.path.name: profile.data}


def require_valid_options(said: object) -> None:
    """See to it that options are of the kinds that `RunPrint` says, and no larger than is sane.

    Whether a game has such a style or sheet is another question.

    Raises:
        ChoiceError: if they are not.
    """
    if not isinstance(said, dict):
        raise ChoiceError("the options of a run are no object")
    for name, value in said.items():
        if not _is_option(name, value):
            raise ChoiceError(f"a run's option `{name[:_MAX_TEXT_LENGTH]}` cannot have this value")


def _is_option(name: str, value: Any) -> bool:  # noqa: ANN401 - whatever JSON can say
    if name in _TEXTS and isinstance(value, str):
        bare = name != "icc" or value == PurePath(value).name != ".."
        return len(value) <= _MAX_TEXT_LENGTH and bare
    match name:
        case "watermark":
            return isinstance(value, bool)
        case "limit":
            return isinstance(value, dict) and all(
                each is None or (type(each) is int and each >= 0) for each in value.values()
            )
        case "back_offset":
            return _are_lengths(value, 2)
        case "printer":
            return (
                isinstance(value, dict)
                and value.keys() == {"offset", "flip", "margins"}
                and _are_lengths(value["offset"], len(Printer().offset))
                and value["flip"] in [None, *(each.value for each in Flip)]
                and _are_lengths(value["margins"], len(Margins()))
            )
    return name in _FLAGS and isinstance(value, bool)


def _are_lengths(value: object, number: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == number
        and all(type(each) in {int, float} and abs(each) <= _MAX_DISTANCE for each in value)
    )


def resolve_sheets(how: RunPrint, folder: GameFolder) -> SheetOptions:
    """Return how decks are printed on sheets.

    Raises:
        ChoiceError: if the game has no such sheet, style or limit.
    """
    printer: Any = how.get("printer")
    if printer is not None:
        how = {**how, "printer": _read_printer(printer)}
    return resolve_sheet(folder, how)._replace(
        choice=resolve_choice(),
        reference=how.get("reference"),
        odds=how.get("odds", False),
        watermark=how.get("watermark"),
        style=resolve_style(folder, how.get("style")),
        rules=resolve_limits(folder, how),
    )


def _printer_json(printer: Printer) -> Mapping[str, Any]:
    """Return a printer as a run keeps it: others may know none by its name."""
    flip = None if printer.flip is None else printer.flip.value
    return {"offset": printer.offset, "flip": flip, "margins": printer.margins}


def _read_printer(told: Mapping[str, Any]) -> Printer:
    flip = None if told["flip"] is None else Flip(told["flip"])
    return Printer(tuple(told["offset"]), flip, Margins(*told["margins"]))


def resolve_box_paper(how: RunPrint) -> str | None:
    """Return the paper of tuck boxes, None if there are none.

    Raises:
        ChoiceError: if there is no such paper, or one without boxes.
    """
    from deckwright.outputs.tuckbox import BOX_PAPERS  # noqa: PLC0415 - only for boxes

    paper = how.get("paper")
    if paper is not None:
        require_known(paper, BOX_PAPERS, "paper")
    if not how.get("boxes"):
        if paper is not None:
            raise ChoiceError("--paper is that of boxes", "ask for them with `--boxes`")
        return None
    return paper or BOX_PAPERS[0]


def resolve_order(how: RunPrint, folder: GameFolder) -> tuple[Service, OrderOptions]:
    """Return for which print service decks are made ready, and how.

    Args:
        folder: the game; if it is that of a run, with its ICC profile.

    Raises:
        ChoiceError: if the game has no such service, style or limit, or the service has no use for
            what is asked of it.
        GameError: if the profile of the service has mistakes.
    """
    from deckwright.outputs.services.job import OrderOptions  # noqa: PLC0415 - only for services

    size, icc, stated = how.get("size"), how.get("icc"), how.get("state_pdfx", False)
    rgb = icc == "none"
    given = None if icc is None or rgb else Path(icc)
    service = resolve_service(
        folder, how.get("service") or "", size=size, icc=given, stated=stated,
        pdfx=how.get("pdfx"), inks=how.get("inks"),
        stock=how.get("stock"), foil=how.get("foil", False),
    )  # fmt: skip
    kept = folder.path / PROFILE_FOLDER / (given or "")
    return service, OrderOptions(
        size,
        fit=how.get("scale") == "fit",
        tokens=how.get("tokens", True),
        icc=kept if kept.is_file() else given,
        rgb=rgb,
        anyway=how.get("anyway", False),
        stated=stated,
        style=resolve_style(folder, how.get("style")),
        rules=resolve_limits(folder, how),
        watermark=how.get("watermark"),
    )


def _reject(said: dict[str, Any], names: Iterable[str], message: str, hint: str = "") -> None:
    """Take options out of what is said.

    Raises:
        ChoiceError: if one of them was asked for.
    """
    for name in names:
        if said.pop(name, None):
            raise ChoiceError(message.format(f"--{name.replace('_', '-')}"), hint)


def _options_json(said: Mapping[str, Any]) -> str:
    """Return options as a run keeps them.

    Raises:
        ChoiceError: if no run takes them.
    """
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    require_valid_options(json.loads(text))
    return text
