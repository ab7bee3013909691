"""How the decks of a run are printed: on sheets, or for a print service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

from deckwright.api.options import (
    GameError,
    RunPrint,
    choice_of,
    printer_of,
    rules_of,
    service_of,
    sheets_of,
    style_of,
)
from deckwright.base.findings import ChoiceError, Report, demand, has_errors
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.runs.archive import PROFILES
from deckwright.sheet.grid import Flip, Margins
from deckwright.sheet.layout import SheetOptions, load_setting
from deckwright.sheet.printers import Printer

if TYPE_CHECKING:
    from deckwright.outputs.services.job import OrderOptions
    from deckwright.outputs.services.profile import Service

_REFUSED = ("cut", "kiss_cut", "only", "copies", "changed_since", "draft", "slips", "slip_trim")
"""What `RunPrint` has and runs have not."""
_OF_SHEETS = ("printer", "sheet", "turn", "backs", "backs_apart", "flip", "back_offset", "marks",
              "no_footer", "fill", "reference", "odds", "boxes", "paper")  # fmt: skip
"""What is for sheets alone."""
_OF_SERVICES = ("no_tokens", "size", "icc", "pdfx", "state_pdfx", "inks", "stock", "foil", "anyway")
"""What is for print services alone."""

_FLAGS = frozenset(("turn", "backs", "backs_apart", "footer", "no_footer", "fill", "reference",
                    "odds", "ignore_limits", "boxes", "tokens", "no_tokens", "state_pdfx",
                    "foil", "anyway"))  # fmt: skip
_TEXTS = frozenset(("sheet", "scale", "flip", "marks", "style", "limits", "date", "paper",
                    "service", "size", "icc", "pdfx", "inks", "stock", "watermark"))  # fmt: skip
_LONGEST_TEXT = 200
"""How many characters a text of an option may have: a watermark of a megabyte is never laid out."""
_FARTHEST = 10_000
"""The most that is taken for a length, in mm."""

Settled = tuple[str, Mapping[str, bytes]]
"""Options as a run keeps them, and ICC profiles by the names of their files."""


def settle(how: RunPrint, folder: GameFolder, report: Report) -> Settled | None:
    """Return the options of a run as it keeps them; None after reporting what is wrong with them.

    The ICC profile for a print service is kept with the run: others may have another one.

    Raises:
        ChoiceError: if one is not for runs, or the game has no such sheet, style, limit or service.
    """
    said: dict[str, Any] = {name: value for name, value in how.items() if value is not None}
    _refuse(said, _REFUSED, "runs cannot be printed with {}")
    service_id = said.get("service")
    if service_id is None:
        if not said.pop("tokens", True):
            said["no_tokens"] = True
        _refuse(said, _OF_SERVICES, "{} is for print services", "name one with `--service`")
        if "printer" in said:
            said["printer"] = _told(printer_of(said["printer"]))
        options = sheets(cast("RunPrint", said), folder)
        box_paper(cast("RunPrint", said))
        setup = load_setup(folder, report)
        usable = setup is not None and load_setting(setup, folder.xml, options, report)
        return (_written(said), {}) if usable and not has_errors(report) else None
    if not said.pop("footer", True):
        said["no_footer"] = True
    _refuse(said, _OF_SHEETS, "{} is for sheets, not for print services")
    try:
        service, ready = order(cast("RunPrint", said), folder)
    except GameError as error:
        report.extend(error.findings)
        return None
    from deckwright.outputs.services.press import choose_profile  # noqa: PLC0415 - only for services
    from deckwright.outputs.services.profile import Files  # noqa: PLC0415

    found: Report = []
    profile = None
    if service.files is Files.PDF:
        profile = choose_profile(service, ready.icc, found, none=ready.rgb)
    report.extend(found)
    if profile is None:
        return None if found else (_written(said), {})
    return _written({**said, "icc": profile.path.name}), {profile.path.name: profile.data}


def demand_options(said: object) -> None:
    """See to it that options are of the kinds that `RunPrint` says, and no larger than is sane.

    Whether a game has such a style or sheet is another question.

    Raises:
        ChoiceError: if they are not.
    """
    if not isinstance(said, dict):
        raise ChoiceError("the options of a run are no object")
    for name, value in said.items():
        if not _is_option(name, value):
            raise ChoiceError(f"a run's option `{name[:_LONGEST_TEXT]}` cannot have this value")


def _is_option(name: str, value: Any) -> bool:  # noqa: ANN401 - whatever JSON can say
    if name in _TEXTS and isinstance(value, str):
        bare = name != "icc" or value == PurePath(value).name != ".."
        return len(value) <= _LONGEST_TEXT and bare
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
        and all(type(each) in {int, float} and abs(each) <= _FARTHEST for each in value)
    )


def sheets(how: RunPrint, folder: GameFolder) -> SheetOptions:
    """Return how decks are printed on sheets.

    Raises:
        ChoiceError: if the game has no such sheet, style or limit.
    """
    printer: Any = how.get("printer")
    if printer is not None:
        how = {**how, "printer": _printer(printer)}
    return sheets_of(folder, how)._replace(
        choice=choice_of(),
        reference=how.get("reference"),
        odds=how.get("odds", False),
        watermark=how.get("watermark"),
        style=style_of(folder, how.get("style")),
        rules=rules_of(folder, how),
    )


def _told(printer: Printer) -> Mapping[str, Any]:
    """Return a printer as a run keeps it: others may know none by its name."""
    flip = None if printer.flip is None else printer.flip.value
    return {"offset": printer.offset, "flip": flip, "margins": printer.margins}


def _printer(told: Mapping[str, Any]) -> Printer:
    flip = None if told["flip"] is None else Flip(told["flip"])
    return Printer(tuple(told["offset"]), flip, Margins(*told["margins"]))


def box_paper(how: RunPrint) -> str | None:
    """Return the paper of tuck boxes, None if there are none.

    Raises:
        ChoiceError: if there is no such paper, or one without boxes.
    """
    from deckwright.outputs.tuckbox import BOX_PAPERS  # noqa: PLC0415 - only for boxes

    paper = how.get("paper")
    if paper is not None:
        demand(paper, BOX_PAPERS, "paper")
    if not how.get("boxes"):
        if paper is not None:
            raise ChoiceError("--paper is that of boxes", "ask for them with `--boxes`")
        return None
    return paper or BOX_PAPERS[0]


def order(how: RunPrint, folder: GameFolder) -> tuple[Service, OrderOptions]:
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
    service = service_of(
        folder, how.get("service") or "", size=size, icc=given, stated=stated,
        pdfx=how.get("pdfx"), inks=how.get("inks"),
        stock=how.get("stock"), foil=how.get("foil", False),
    )  # fmt: skip
    kept = folder.path / PROFILES / (given or "")
    return service, OrderOptions(
        size,
        fit=how.get("scale") == "fit",
        tokens=how.get("tokens", True),
        icc=kept if kept.is_file() else given,
        rgb=rgb,
        anyway=how.get("anyway", False),
        stated=stated,
        style=style_of(folder, how.get("style")),
        rules=rules_of(folder, how),
        watermark=how.get("watermark"),
    )


def _refuse(said: dict[str, Any], names: Iterable[str], message: str, hint: str = "") -> None:
    """Take options out of what is said.

    Raises:
        ChoiceError: if one of them was asked for.
    """
    for name in names:
        if said.pop(name, None):
            raise ChoiceError(message.format(f"--{name.replace('_', '-')}"), hint)


def _written(said: Mapping[str, Any]) -> str:
    """Return options as a run keeps them.

    Raises:
        ChoiceError: if no run takes them.
    """
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    demand_options(json.loads(text))
    return text
