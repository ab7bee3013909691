"""The options of a run, for sheets or for a print service."""

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
"""The options of `RunPrint` that runs do not support."""
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
"""The options for sheets only."""
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
"""The options for print services only."""

_FLAGS = frozenset(("turn", "backs", "backs_apart", "footer", "no_footer", "fill", "reference",
                    "odds", "ignore_limits", "boxes", "tokens", "no_tokens", "state_pdfx",
                    "foil", "anyway"))  # fmt: skip
_TEXTS = frozenset(("sheet", "scale", "flip", "marks", "style", "limits", "date", "paper",
                    "service", "size", "icc", "pdfx", "inks", "stock", "watermark"))  # fmt: skip
_MAX_TEXT_LENGTH = 200
"""The longest text of an option in characters: laying out a huge watermark would never end."""
_MAX_DISTANCE = 10_000
"""The largest length in mm."""

ResolvedOptions = tuple[str, Mapping[str, bytes]]
"""Options in the form of a run's facts, and ICC profiles by the names of their files."""


def resolve_options(how: RunPrint, folder: GameFolder, report: Report) -> ResolvedOptions | None:
    """Return the options in the form of a run's facts; None after reporting errors.

    The ICC profile for a print service is stored with the run, as other machines may have others.

    Raises:
        ChoiceError: if an option is not for runs, or names what the game does not have.
    """
    options_data: dict[str, Any] = {name: value for name, value in how.items() if value is not None}
    _reject(options_data, _UNSUPPORTED, "runs cannot be printed with {}")
    service_id = options_data.get("service")
    if service_id is None:
        if not options_data.pop("tokens", True):
            options_data["no_tokens"] = True
        _reject(
            options_data,
            _SERVICE_OPTIONS,
            "{} needs a print service",
            "choose one with `--service`",
        )
        if "printer" in options_data:
            options_data["printer"] = _printer_json(resolve_printer(options_data["printer"]))
        options = resolve_sheets(cast("RunPrint", options_data), folder)
        resolve_box_paper(cast("RunPrint", options_data))
        setup = load_setup(folder, report)
        usable = setup is not None and load_layout(setup, folder.xml, options, report)
        return (_options_json(options_data), {}) if usable and not has_errors(report) else None
    if not options_data.pop("footer", True):
        options_data["no_footer"] = True
    _reject(options_data, _SHEET_OPTIONS, "{} is for sheets, not for print services")
    try:
        service, ready = resolve_order(cast("RunPrint", options_data), folder)
    except GameError as error:
        report.extend(error.findings)
        return None
    from deckwright.outputs.services.press import choose_profile  # noqa: PLC0415 - only for services
    from deckwright.outputs.services.profile import FileKind  # noqa: PLC0415

    findings: Report = []
    profile = None
    if service.files is FileKind.PDF:
        profile = choose_profile(service, ready.icc, findings, rgb=ready.rgb)
    report.extend(findings)
    if profile is None:
        return None if findings else (_options_json(options_data), {})
    return _options_json({**options_data, "icc": profile.path.name}), {
        profile.path.name: profile.data
    }


def require_valid_options(options: object) -> None:
    """Require options of a run to have the types of `RunPrint` and a reasonable size.

    This does not check that the styles and sheets exist.

    Raises:
        ChoiceError: if an option is invalid.
    """
    if not isinstance(options, dict):
        raise ChoiceError("the options of a run are not an object")
    for name, value in options.items():
        if not _is_option(name, value):
            raise ChoiceError(
                f"the option `{name[:_MAX_TEXT_LENGTH]}` of the run has an invalid value"
            )


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


def resolve_sheets(options: RunPrint, folder: GameFolder) -> SheetOptions:
    """Return the sheet options of a run.

    Raises:
        ChoiceError: if the game has no such sheet, style or limit.
    """
    printer: Any = options.get("printer")
    if printer is not None:
        options = {**options, "printer": _read_printer(printer)}
    return resolve_sheet(folder, options)._replace(
        choice=resolve_choice(),
        reference=options.get("reference"),
        odds=options.get("odds", False),
        watermark=options.get("watermark"),
        style=resolve_style(folder, options.get("style")),
        rules=resolve_limits(folder, options),
    )


def _printer_json(printer: Printer) -> Mapping[str, Any]:
    """Return the data of a printer, as other machines may not know its name."""
    flip = None if printer.flip is None else printer.flip.value
    return {"offset": printer.offset, "flip": flip, "margins": printer.margins}


def _read_printer(data: Mapping[str, Any]) -> Printer:
    flip = None if data["flip"] is None else Flip(data["flip"])
    return Printer(tuple(data["offset"]), flip, Margins(*data["margins"]))


def resolve_box_paper(options: RunPrint) -> str | None:
    """Return the paper of tuck boxes, None without boxes.

    Raises:
        ChoiceError: if the paper does not exist, or is named without boxes.
    """
    from deckwright.outputs.tuckbox import BOX_PAPERS  # noqa: PLC0415 - only for boxes

    paper = options.get("paper")
    if paper is not None:
        require_known(paper, BOX_PAPERS, "paper")
    if not options.get("boxes"):
        if paper is not None:
            raise ChoiceError("--paper is for boxes", "request them with `--boxes`")
        return None
    return paper or BOX_PAPERS[0]


def resolve_order(options: RunPrint, folder: GameFolder) -> tuple[Service, OrderOptions]:
    """Return the print service of a run, and the options for it.

    Args:
        folder: the game; that of a run includes its ICC profile.

    Raises:
        ChoiceError: if a service, style or limit does not exist, or the service does not support an
            option.
        GameError: if the profile of the service has errors.
    """
    from deckwright.outputs.services.job import OrderOptions  # noqa: PLC0415 - only for services

    size, icc, stated = options.get("size"), options.get("icc"), options.get("state_pdfx", False)
    rgb = icc == "none"
    icc_path = None if icc is None or rgb else Path(icc)
    service = resolve_service(
        folder, options.get("service") or "", size=size, icc=icc_path, state_pdfx=stated,
        pdfx=options.get("pdfx"), inks=options.get("inks"),
        stock=options.get("stock"), foil=options.get("foil", False),
    )  # fmt: skip
    kept = folder.path / PROFILE_FOLDER / (icc_path or "")
    return service, OrderOptions(
        size,
        fit=options.get("scale") == "fit",
        tokens=options.get("tokens", True),
        icc=kept if kept.is_file() else icc_path,
        rgb=rgb,
        anyway=options.get("anyway", False),
        stated=stated,
        style=resolve_style(folder, options.get("style")),
        rules=resolve_limits(folder, options),
        watermark=options.get("watermark"),
    )


def _reject(options: dict[str, Any], names: Iterable[str], message: str, hint: str = "") -> None:
    """Remove options that must not be set.

    Raises:
        ChoiceError: if one of them is set.
    """
    for name in names:
        if options.pop(name, None):
            raise ChoiceError(message.format(f"--{name.replace('_', '-')}"), hint)


def _options_json(options: Mapping[str, Any]) -> str:
    """Return options as the JSON text of a run's facts.

    Raises:
        ChoiceError: if an option is invalid.
    """
    text = json.dumps(options, sort_keys=True, separators=(",", ":"))
    require_valid_options(json.loads(text))
    return text
