"""The products that can be printed or exported, and their options."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypedDict

from deckwright.api import Deck, Game
from deckwright.api.options import PDFX_VERSIONS
from deckwright.base.files import path_exists
from deckwright.base.findings import ChoiceError, Location, Report, require_known
from deckwright.base.options import Option, OptionField, read_options
from deckwright.base.output import stop_on_errors, write_data
from deckwright.base.units import PAPER_SIZES
from deckwright.game import model
from deckwright.game.columns import assign_titles
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.grids.csv import write_csv
from deckwright.grids.table import find_long_texts
from deckwright.outputs.cutters.profile import cutter_names
from deckwright.outputs.services.profile import (
    ColorMode,
    FileKind,
    Service,
    SpotHandling,
    load_service,
    service_names,
)
from deckwright.outputs.tuckbox import BOX_PAPERS
from deckwright.sheet.grid import Flip, Marks
from deckwright.sheet.layout import list_formats
from deckwright.sheet.printers import load_printers
from deckwright.tables.export import build_tables, load_records

OptionType = Literal[
    "flag", "choice", "integer", "number", "text", "names", "offset", "size", "numbers"
]


class OptionChoice(TypedDict):
    """A value of an option to choose from."""

    value: str
    name: str


class FormOption(NamedTuple):
    """An option of a product.

    Attributes:
        default: its default value.
        optional: whether it may be None, which means the value of the game or the format.
        choices: the values to choose from, if there are any.
        least, most: the bounds of numbers.
    """

    name: str
    type: OptionType
    default: object = None
    optional: bool = False
    choices: tuple[OptionChoice, ...] = ()
    least: float | None = None
    most: float | None = None


_FORM_TYPES: Mapping[str, OptionType] = {
    "length": "number",
    "limits": "numbers",
    "pixels": "size",
    "watermark": "text",
    "printer": "text",
    "file": "text",
}
"""The types of the page, where they differ from those of `base.options`."""


def read_form_options(
    function: Callable[..., object], without: Iterable[str] = ()
) -> list[FormOption]:
    """Return the options of a method of the library.

    Args:
        without: the names of options to leave out.
    """
    left_out = {*without}
    return [_make_option(field) for field in read_options(function) if field.name not in left_out]


def _make_option(field: OptionField) -> FormOption:
    name, type_, option, default, optional = field
    return FormOption(
        name,
        _FORM_TYPES.get(type_, type_),  # type: ignore[arg-type]  # the other types are the same
        [*default] if isinstance(default, tuple) else default,
        optional,
        _plain_choices(option.choices),
        option.least,
        option.most,
    )


_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def write_tables(
    folder: GameFolder,
    target: Path,
    report: Report,
    *,
    form: Annotated[
        Literal["xlsx", "csv"], Option("A workbook, or a CSV file for each kind of card.")
    ] = "xlsx",
    delimiter: Annotated[
        Literal["comma", "semicolon", "tab"],
        Option("The separator of columns of CSV files."),
    ] = "comma",
    bom: Annotated[
        bool, Option("Begin CSV files with a byte order mark, which Excel needs.")
    ] = False,
) -> None:
    """Write all cards and deck lists of a game.

    Args:
        target: the folder to write to.

    Raises:
        OutputError: after reporting errors.
    """
    from deckwright.grids.xlsx import write_xlsx  # openpyxl takes 0.2 s

    loaded = load_records(folder, report)
    tables, setup = build_tables(loaded), loaded.game.setup
    if form == "csv":
        sign = _DELIMITERS[delimiter]
        files = {f"csv/{table.title}.csv": write_csv(table, sign, bom=bom) for table in tables}
        for name, data in files.items():
            write_data(target / name, data)
        return
    workbook = target / "cards.xlsx"
    report.extend(find_long_texts(tables, Location(workbook)))
    stop_on_errors(report)
    data = write_xlsx(tables, assign_titles(setup).lists, setup.name, setup.author)
    write_data(workbook, data)


ProductGroup = Literal["print", "service", "export", "calibration"]
ProductSource = Literal["decks", "decks-or-factions", "markers", "factions", "cards"]
SERVICE_PREFIX = "service-"
"""The prefix of the ids of print services."""

_CHANGED_OPTION = FormOption("changed", "flag", default=False)
"""Whether only what has changed since the last print of each deck is printed."""
_EXCLUDED_OPTIONS = ("only", "decks", "cards", "factions", "changed_since", "icc", "kinds")
"""Options of the library that the page sets in other ways, or does not offer."""


class Product(NamedTuple):
    """Something that can be printed or exported.

    Attributes:
        about: a description; "" if the name suffices.
        of: the kind of ids that it is made from; None for the whole game.
        needs: whether at least one id is required.
        preview: whether its pages can be previewed.
    """

    id: str
    group: ProductGroup
    name: str
    options: tuple[FormOption, ...]
    about: str = ""
    of: ProductSource | None = None
    needs: bool = False
    preview: bool = False

    @property
    def supports_changes(self) -> bool:
        """True if printing can be limited to changed cards."""
        return _CHANGED_OPTION in self.options


class GameSource(NamedTuple):
    """A game's model and folder."""

    model: model.Game
    folder: GameFolder


class _OptionReader:
    """Reads the options of functions, with the choices that a game offers."""

    def __init__(self, game: GameSource) -> None:
        setup, xml = game.model.setup, game.folder.xml
        printers = load_printers([]) or {}
        self._choices: dict[str, tuple[OptionChoice, ...]] = {
            "sheet": _plain_choices(list_formats(xml)),
            "style": _plain_choices(game.folder.styles()),
            "printer": _plain_choices(sorted(printers)),
            "flip": _plain_choices(flip.value for flip in Flip),
            "marks": _plain_choices(marks.value for marks in Marks),
            "cut": _plain_choices(cutter_names(xml)),
            "paper": _plain_choices(PAPER_SIZES),
            "limits": tuple({"value": i, "name": f.name or i} for i, f in setup.formats.items()),
            "cost": _integer_fields(setup),
            "power": _integer_fields(setup),
        }

    def read(
        self,
        function: Callable[..., object],
        more: Iterable[FormOption] = (),
        without: Iterable[str] = _EXCLUDED_OPTIONS,
    ) -> tuple[FormOption, ...]:
        """Return the options of a function, followed by more."""
        return (*map(self._add_choices, read_form_options(function, without)), *more)

    def _add_choices(self, option: FormOption) -> FormOption:
        choices = self._choices.get(option.name)
        if choices is None or option.choices:
            return option
        type_ = option.type if option.type == "names" else "choice"
        return option._replace(type=type_, choices=choices)


def list_products(game: GameSource) -> dict[str, Product]:
    """Return all products of a game by id."""
    return {
        product.id: product
        for product in (*_print_products(game), *_service_products(game), *_export_products(game))
    }


def _print_products(game: GameSource) -> Iterator[Product]:
    choices, setup = _OptionReader(game), game.model.setup
    only = tuple(o for o in read_form_options(Game.print_decks) if o.name == "only")
    cards = choices.read(Game.print_decks, (*only, _CHANGED_OPTION))
    yield Product("decks", "print", "decks", cards, of="decks", needs=True, preview=True)
    tokens = choices.read(Game.print_tokens)
    of: ProductSource = "decks-or-factions"
    yield Product("tokens", "print", "tokens", tokens, of=of, needs=True, preview=True)
    boxes = tuple(
        option._replace(choices=_plain_choices(BOX_PAPERS)) if option.name == "paper" else option
        for option in choices.read(Deck.print_box, without=())
    )
    yield Product("boxes", "print", "tuck boxes", boxes, of="decks", needs=True, preview=True)
    if setup.markers:
        markers = choices.read(Game.print_markers)
        yield Product("markers", "print", "markers", markers, of="markers", preview=True)
    overview = choices.read(Game.print_overview)
    yield Product("overview", "print", "overview", overview, of="factions", preview=True)
    if path_exists(game.folder.rulebook_file):
        yield Product(
            "rulebook", "print", "rulebook", choices.read(Game.print_rulebook), preview=True
        )
    yield Product("everything", "print", "everything", choices.read(Game.everything), preview=True)
    edges = _plain_choices(flip.value for flip in Flip)
    calibration = (
        FormOption("paper", "choice", "a4", choices=_plain_choices(PAPER_SIZES)),
        FormOption("flip", "choice", Flip.LONG.value, choices=edges),
        FormOption("language", "text", setup.language),
    )
    yield Product("calibration", "calibration", "calibration page", calibration, preview=True)


def _service_products(game: GameSource) -> Iterator[Product]:
    choices = _OptionReader(game)
    for name in service_names(game.folder.xml):
        service = load_service(name, game.folder.xml, [])
        if service is not None:
            options = choices.read(Deck.export_service, _service_options(service))
            fitting = tuple(
                filter(None, (_adapt_to_service(option, service) for option in options))
            )
            about = ", ".join(f"{s.name} {s.width:g} × {s.height:g} mm" for s in service.sizes)
            id_ = f"{SERVICE_PREFIX}{service.id}"
            yield Product(id_, "service", service.name, fitting, about, "decks", needs=True)


def _service_options(service: Service) -> list[FormOption]:
    """Return the extra options of a service, whose values the page cannot derive."""
    options = [option for option in read_form_options(Deck.export_service) if option.name == "only"]
    if service.color is not ColorMode.RGB:
        rgb: OptionChoice = {"value": "none", "name": "RGB"}
        options.append(FormOption("icc", "choice", None, optional=True, choices=(rgb,)))
    return options


def _adapt_to_service(option: FormOption, service: Service) -> FormOption | None:
    """Adapt an option to a service; return None if the service does not use it."""
    if option.name == "size":
        sizes: list[OptionChoice] = [
            {"value": size.id, "name": size.name} for size in service.sizes
        ]
        option = option._replace(type="choice", choices=tuple(sizes), least=None, most=None)
        return option if sizes else None
    if option.name == "inks":
        apart = service.files is FileKind.PICTURES
        left = (
            c
            for c in option.choices
            if not (apart and c["value"] == SpotHandling.SEPARATIONS.value)
        )
        return option._replace(choices=tuple(left), default=service.spots.value)
    if option.name == "pdfx" and service.pdfx:
        return option._replace(
            default=next(c for c, part in PDFX_VERSIONS.items() if part == service.pdfx)
        )
    of_press = option.name in {"state_pdfx", "pdfx"}
    return None if of_press and service.pdfx is None else option


def _export_products(game: GameSource) -> Iterator[Product]:
    choices = _OptionReader(game)
    pictures, proofs = choices.read(Game.export_pictures), choices.read(Game.export_proofs)
    yield Product("pictures", "export", "pictures of faces", pictures, of="cards")
    yield Product("proofs", "export", "proofs and contact sheets", proofs, of="cards")
    cockatrice = choices.read(Game.export_cockatrice)
    yield Product("cockatrice", "export", "Cockatrice", cockatrice, of="decks")
    yield Product("tts", "export", "Tabletop Simulator", choices.read(Deck.export_tts), of="decks")
    yield Product("tables", "export", "tables", choices.read(write_tables))


def _plain_choices(values: Iterable[str]) -> tuple[OptionChoice, ...]:
    """Return choices that are named like their values."""
    return tuple({"value": value, "name": value} for value in values)


def _integer_fields(setup: Setup) -> tuple[OptionChoice, ...]:
    """Return the integer fields of cards as choices."""
    fields = (field for kind in setup.card_kinds for field in kind.fields)
    return _plain_choices(dict.fromkeys(field.name for field in fields if field.type == "integer"))


_MAX_TEXT_LENGTH = 200
_MAX_NAMES = 1000
_PAIR_LENGTH = 2


def read_values(options: Iterable[FormOption], values: object) -> dict[str, object]:
    """Return the values of all options, with defaults for those not given.

    Raises:
        ChoiceError: if an option is unknown, or its value is invalid.
    """
    if not isinstance(values, dict):
        raise ChoiceError("options are a JSON object")
    known = {option.name: option for option in options}
    for name in values:
        require_known(str(name), known, "option")
    return {
        name: _read_value(option, values[name]) if name in values else option.default
        for name, option in known.items()
    }


def read_names(value: object, name_data: str) -> list[str]:
    """Return a list of names without duplicates.

    Raises:
        ChoiceError: if it is no such list.
    """
    listed = value if isinstance(value, list) else [None]
    names = [name for name in listed if isinstance(name, str) and len(name) <= _MAX_TEXT_LENGTH]
    if len(listed) > _MAX_NAMES or len(names) < len(listed):
        raise ChoiceError(f"`{name_data}` is a list of at most {_MAX_NAMES} names")
    return [*dict.fromkeys(names)]


def _read_value(option: FormOption, given: object) -> object:
    if given is None and option.optional:
        return None
    value = _READERS[option.type](option, given)
    if value is None:
        raise ChoiceError(
            f"the option `{option.name}` cannot be `{_shorten(given)}`",
            f"it is from {option.least:g} to {option.most:g}" if option.most is not None else None,
        )
    return value


def _shorten(value: object) -> str:
    text = str(value)
    return text if len(text) <= _MAX_TEXT_LENGTH // 4 else f"{text[: _MAX_TEXT_LENGTH // 4]}…"


def _flag(_: FormOption, value: object) -> object:
    return value if isinstance(value, bool) else None


def _choice(option: FormOption, value: object) -> object:
    return value if any(value == request["value"] for request in option.choices) else None


def _text(option: FormOption, value: object) -> object:
    if isinstance(value, bool):  # True is the game's default watermark, False none
        return value if option.name == "watermark" else None
    return value if isinstance(value, str) and len(value) <= _MAX_TEXT_LENGTH else None


def _integer(option: FormOption, value: object) -> object:
    return value if isinstance(value, int) and _is_within(option, value) else None


def _number(option: FormOption, value: object) -> object:
    return value if isinstance(value, (int, float)) and _is_within(option, value) else None


def _is_within(option: FormOption, value: float) -> bool:
    if isinstance(value, bool) or not math.isfinite(value):
        return False
    return (option.least is None or value >= option.least) and (
        option.most is None or value <= option.most
    )


def _names(option: FormOption, value: object) -> object:
    names = read_names(value, option.name)
    known = [request["value"] for request in option.choices]
    return names if not known or all(name in known for name in names) else None


def _pair(read: Callable[[FormOption, object], object]) -> Callable[[FormOption, object], object]:
    def both(option: FormOption, value: object) -> object:
        if not isinstance(value, list) or len(value) != _PAIR_LENGTH:
            return None
        return value if all(read(option, each) is not None for each in value) else None

    return both


def _numbers(option: FormOption, value: object) -> object:
    if not isinstance(value, dict) or len(value) > _MAX_NAMES:
        return None
    off = option.name == "limit"  # a limit can be switched off
    fits = ((off and each is None) or _integer(option, each) is not None for each in value.values())
    return value if all(fits) else None


_READERS: Mapping[OptionType, Callable[[FormOption, object], object]] = {
    "flag": _flag,
    "choice": _choice,
    "text": _text,
    "integer": _integer,
    "number": _number,
    "names": _names,
    "offset": _pair(_number),
    "size": _pair(_integer),
    "numbers": _numbers,
}
