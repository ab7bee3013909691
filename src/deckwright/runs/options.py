"""The options of a run, for sheets or for a print service."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from deckwright.api.options import (
    DeckPrint,
    RunPrint,
    ServicePrint,
    resolve_choice,
    resolve_limits,
    resolve_order,
    resolve_printer,
    resolve_sheet,
    resolve_style,
)
from deckwright.base.findings import ChoiceError, Report, require_known
from deckwright.base.options import OptionType, option_names, read_options
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.game.folder import GameFolder
from deckwright.game.language import Language, current_language
from deckwright.game.load import load_setup
from deckwright.runs.archive import PROFILE_FOLDER
from deckwright.sheet.grid import Flip, Margins
from deckwright.sheet.layout import SheetOptions, load_layout
from deckwright.sheet.printers import Printer

if TYPE_CHECKING:
    from deckwright.outputs.services.press import OrderOptions
    from deckwright.outputs.services.profile import Service

UNSUPPORTED = ("cut", "kiss_cut", "only", "copies", "changed_since", "draft", "slips", "slip_trim")
"""The options of `RunPrint` that runs do not support."""
LANGUAGE = "language"
"""The option with the code of the translation that a run prints."""
_FIELDS = {field.name: field for field in read_options(RunPrint) if field.name not in UNSUPPORTED}
_ORDER_OPTIONS = option_names(ServicePrint) & _FIELDS.keys()
_SHEET_OPTIONS = _FIELDS.keys() - _ORDER_OPTIONS - {"service"}
"""The options for sheets only."""
_SERVICE_OPTIONS = _ORDER_OPTIONS - option_names(DeckPrint)
"""The options for print services only."""

_MAX_TEXT_LENGTH = 200
"""The longest text of an option in characters: laying out a huge watermark would never end."""
_MAX_DISTANCE = 10_000
"""The largest length in mm."""


def resolve_options(
    how: RunPrint, folder: GameFolder, report: Report
) -> tuple[str, Mapping[str, bytes]]:
    """Return the options in the form of a run's facts, and ICC profiles by their file names.

    The ICC profile for a print service is stored with the run, as other machines may have others.

    Raises:
        ChoiceError: if an option is not for runs, or names what the game does not have.
        GameError, OutputError: after reporting errors.
    """
    options_data: dict[str, Any] = {name: value for name, value in how.items() if value is not None}
    language = current_language()
    _reject(options_data, UNSUPPORTED, "runs cannot be printed with {}")
    service_id = options_data.get("service")
    if service_id is None:
        hint = "choose one with `--service`"
        _reject(options_data, _SERVICE_OPTIONS, "{} needs a print service", hint)
        if "printer" in options_data:
            printer = resolve_printer(options_data["printer"])
            # Other machines may not know its name.
            options_data["printer"] = {
                "offset": printer.offset,
                "flip": None if printer.flip is None else printer.flip.value,
                "margins": printer.margins,
            }
        options = resolve_sheets(cast("RunPrint", options_data), folder)
        resolve_box_paper(cast("RunPrint", options_data))
        setup = load_setup(folder, report)
        if setup is None:
            raise OutputError
        load_layout(setup, folder.xml, options, report)
        stop_on_errors(report)
        return _options_json(options_data, language), {}
    _reject(options_data, _SHEET_OPTIONS, "{} is for sheets, not for print services")
    service, ready = resolve_run_order(cast("RunPrint", options_data), folder)
    from deckwright.outputs.services.press import choose_profile  # only for services
    from deckwright.outputs.services.profile import FileKind

    profile = None
    if service.files is FileKind.PDF:
        profile = choose_profile(service, ready.icc, report, rgb=ready.rgb)
        stop_on_errors(report)
    if profile is None:
        return _options_json(options_data, language), {}
    name = profile.path.name
    return _options_json({**options_data, "icc": name}, language), {name: profile.data}


def require_valid_options(options: object) -> None:
    """Require options of a run to have the types of `RunPrint` and a reasonable size.

    This does not check that the styles and sheets exist.

    Raises:
        ChoiceError: if an option is invalid.
    """
    if not isinstance(options, dict):
        raise ChoiceError("the options of a run are not an object")
    for name, value in options.items():
        form = "text" if name == LANGUAGE else name in _FIELDS and _FIELDS[name].type
        if not form or not _CHECKS[form](value):
            raise ChoiceError(
                f"the option `{name[:_MAX_TEXT_LENGTH]}` of the run has an invalid value"
            )


def _is_short_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_TEXT_LENGTH


def _are_lengths(value: object, number: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == number
        and all(type(each) in {int, float} and abs(each) <= _MAX_DISTANCE for each in value)
    )


_CHECKS: Mapping[OptionType, Callable[[Any], bool]] = {
    "flag": lambda value: isinstance(value, bool),
    # The ICC profile is a file of the run.
    "file": lambda value: _is_short_text(value) and value == PurePath(value).name != "..",
    "text": _is_short_text,
    "choice": _is_short_text,
    "watermark": lambda value: isinstance(value, bool) or _is_short_text(value),
    "limits": lambda value: (
        isinstance(value, dict)
        and all(each is None or (type(each) is int and each >= 0) for each in value.values())
    ),
    "offset": lambda value: _are_lengths(value, 2),
    "printer": lambda value: (
        isinstance(value, dict)
        and value.keys() == {"offset", "flip", "margins"}
        and _are_lengths(value["offset"], len(Printer().offset))
        and value["flip"] in [None, *(each.value for each in Flip)]
        and _are_lengths(value["margins"], len(Margins()))
    ),
}
"""Whether values have the types of `RunPrint`."""


def resolve_sheets(options: RunPrint, folder: GameFolder) -> SheetOptions:
    """Return the sheet options of a run; raise a ChoiceError if the game lacks one of them."""
    data: Any = options.get("printer")
    if data is not None:
        flip = None if data["flip"] is None else Flip(data["flip"])
        printer = Printer(tuple(data["offset"]), flip, Margins(*data["margins"]))
        options = {**options, "printer": printer}
    return resolve_sheet(folder, options)._replace(
        choice=resolve_choice(),
        reference=options.get("reference"),
        odds=options.get("odds", False),
        watermark=options.get("watermark"),
        style=resolve_style(folder, options.get("style")),
        rules=resolve_limits(folder, options),
    )


def resolve_box_paper(options: RunPrint) -> str | None:
    """Return the paper of tuck boxes, None without boxes.

    Raises:
        ChoiceError: if the paper does not exist, or is named without boxes.
    """
    from deckwright.outputs.tuckbox import BOX_PAPERS  # only for boxes

    paper = options.get("paper")
    if paper is not None:
        require_known(paper, BOX_PAPERS, "paper")
    if not options.get("boxes"):
        if paper is not None:
            raise ChoiceError("--paper is for boxes", "request them with `--boxes`")
        return None
    return paper or BOX_PAPERS[0]


def resolve_run_order(options: RunPrint, folder: GameFolder) -> tuple[Service, OrderOptions]:
    """Return the print service of a run, and the options for it, as `resolve_order` does.

    The game of a run includes its ICC profile.
    """
    service, order = resolve_order(folder, options.get("service") or "", options)
    saved = folder.path / PROFILE_FOLDER / (order.icc or "")
    return service, order._replace(icc=saved) if saved.is_file() else order


def _reject(options: dict[str, Any], names: Iterable[str], message: str, hint: str = "") -> None:
    """Remove options; raise a ChoiceError if one of them is set, other than to its default."""
    for field in read_options(RunPrint):
        given = options.pop(field.name, None) if field.name in names else None
        if given is not None and given != field.default and (given or field.default):
            flag = field.name if field.default is not True else f"no-{field.name}"
            raise ChoiceError(message.format(f"--{flag.replace('_', '-')}"), hint)


def _options_json(options: Mapping[str, Any], language: Language | None) -> str:
    """Return options, with the language, as the JSON text of a run's facts, once they are valid."""
    if language is not None:
        options = {**options, LANGUAGE: language.code}
    text = json.dumps(options, sort_keys=True, separators=(",", ":"))
    require_valid_options(json.loads(text))
    return text
