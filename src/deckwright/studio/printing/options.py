"""The products that can be printed or exported, and the options in their forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

from deckwright.api import Deck, Game
from deckwright.api.options import PDFX_VERSIONS
from deckwright.base.files import path_exists
from deckwright.base.findings import ChoiceError, Location, Report, require_known, shorten
from deckwright.base.options import Option, read_options
from deckwright.base.output import stop_on_errors, write_data
from deckwright.base.parsing import Bounds, parse
from deckwright.base.units import CARD_SIZES, PAPER_SIZES
from deckwright.game import model
from deckwright.game.columns import assign_titles
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FULL, HALF
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
        optional: whether it may be None, which means the value of the game or the format.
        choices: the values to choose from, () for any value.
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
"""The types that differ from those of `base.options`, by these."""


def read_form_options(
    function: Callable[..., object], without: Iterable[str] = ()
) -> list[FormOption]:
    """Return the options of a method of the library.

    Args:
        without: the names of options to leave out.
    """
    left_out = {*without}
    return [
        FormOption(
            name,
            _FORM_TYPES.get(type_, type_),  # type: ignore[arg-type]  # the other types are the same
            [*default] if isinstance(default, tuple) else default,
            optional,
            _plain_choices(option.choices),
            option.least,
            option.most,
        )
        for name, type_, option, default, optional in read_options(function)
        if name not in left_out
    ]


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
    from deckwright.grids.xlsx import write_xlsx  # only for workbooks

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
"""The options of the library that the page sets otherwise, or does not offer."""


class Product(NamedTuple):
    """Something that can be printed or exported.

    Attributes:
        about: a description, "" if the name suffices.
        of: the kind of things that it is made from, None for the whole game.
        needs: whether at least one of these must be chosen.
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


def list_products(game: GameSource) -> dict[str, Product]:
    """Return all products of a game by id."""
    setup, xml = game.model.setup, game.folder.xml
    edges, papers = _plain_choices(flip.value for flip in Flip), _plain_choices(PAPER_SIZES)
    fields = (field for kind in setup.card_kinds for field in kind.fields)
    integers = dict.fromkeys(field.name for field in fields if field.type == "integer")
    choices: dict[str, tuple[OptionChoice, ...]] = {
        "sheet": _plain_choices(list_formats(xml)),
        "style": _plain_choices(game.folder.styles()),
        "printer": _plain_choices(sorted(load_printers([]) or {})),
        "flip": edges,
        "marks": _plain_choices(marks.value for marks in Marks),
        "cut": _plain_choices(cutter_names(xml)),
        "paper": papers,
        "limits": tuple({"value": i, "name": f.name or i} for i, f in setup.formats.items()),
        "cost": _plain_choices(integers),
        "power": _plain_choices(integers),
        "token_size": _plain_choices((FULL, HALF, *CARD_SIZES)),
    }

    def read(
        function: Callable[..., object],
        more: Iterable[FormOption] = (),
        without: Iterable[str] = _EXCLUDED_OPTIONS,
    ) -> tuple[FormOption, ...]:
        """Return the options of a function, with the choices of the game, and more options."""
        options = []
        for option in read_form_options(function, without):
            if option.name == "token_size" and setup.token_kind is None:
                continue
            if option.name in choices and not option.choices:
                type_ = option.type if option.type == "names" else "choice"
                option = option._replace(type=type_, choices=choices[option.name])  # noqa: PLW2901
            options.append(option)
        return (*options, *more)

    def print_product(
        id_: str, name: str, options: tuple[FormOption, ...], of: ProductSource | None = None
    ) -> Product:
        needs = of in {"decks", "decks-or-factions"}
        return Product(id_, "print", name, options, of=of, needs=needs, preview=True)

    boxes = tuple(
        option._replace(choices=_plain_choices(BOX_PAPERS)) if option.name == "paper" else option
        for option in read(Deck.print_box, without=())
    )
    products = [
        print_product(
            "decks",
            "decks",
            read(Game.print_decks, (*_only_option(Game.print_decks), _CHANGED_OPTION)),
            "decks",
        ),
        print_product("tokens", "tokens", read(Game.print_tokens), "decks-or-factions"),
        print_product("boxes", "tuck boxes", boxes, "decks"),
    ]
    if setup.markers:
        products.append(print_product("markers", "markers", read(Game.print_markers), "markers"))
    products.append(print_product("overview", "overview", read(Game.print_overview), "factions"))
    if path_exists(game.folder.rulebook_file):
        products.append(print_product("rulebook", "rulebook", read(Game.print_rulebook)))
    products.append(print_product("everything", "everything", read(Game.everything)))
    calibration = (
        FormOption("paper", "choice", "a4", choices=papers),
        FormOption("flip", "choice", Flip.LONG.value, choices=edges),
        FormOption("language", "text", setup.language),
    )
    products.append(
        Product("calibration", "calibration", "calibration page", calibration, preview=True)
    )
    for service in filter(None, (load_service(name, xml, []) for name in service_names(xml))):
        extra = [*_only_option(Deck.export_service)]
        if service.color is not ColorMode.RGB:  # the page cannot derive the values
            rgb: OptionChoice = {"value": "none", "name": "RGB"}
            extra.append(FormOption("icc", "choice", None, optional=True, choices=(rgb,)))
        adapted = (_adapt_to_service(each, service) for each in read(Deck.export_service, extra))
        options = tuple(filter(None, adapted))
        about = ", ".join(f"{s.name} {s.width:g} × {s.height:g} mm" for s in service.sizes)
        id_ = f"{SERVICE_PREFIX}{service.id}"
        products.append(Product(id_, "service", service.name, options, about, "decks", needs=True))
    exports: tuple[tuple[str, str, Callable[..., object], ProductSource | None], ...] = (
        ("pictures", "pictures of faces", Game.export_pictures, "cards"),
        ("proofs", "proofs and contact sheets", Game.export_proofs, "cards"),
        ("cockatrice", "Cockatrice", Game.export_cockatrice, "decks"),
        ("tts", "Tabletop Simulator", Deck.export_tts, "decks"),
        ("tables", "tables", write_tables, None),
    )
    for id_, name, function, of in exports:
        products.append(Product(id_, "export", name, read(function), of=of))
    return {product.id: product for product in products}


def _only_option(function: Callable[..., object]) -> Iterator[FormOption]:
    """Yield the option that limits an output to some cards."""
    return (option for option in read_form_options(function) if option.name == "only")


def _adapt_to_service(option: FormOption, service: Service) -> FormOption | None:
    """Adapt an option to a service; return None if the service does not use it."""
    if option.name == "size":
        sizes = tuple(OptionChoice(value=size.id, name=size.name) for size in service.sizes)
        option = option._replace(type="choice", choices=sizes, least=None, most=None)
        return option if sizes else None
    if option.name == "inks":
        without = SpotHandling.SEPARATIONS.value if service.files is FileKind.PICTURES else None
        choices = tuple(choice for choice in option.choices if choice["value"] != without)
        return option._replace(choices=choices, default=service.spots.value)
    if option.name == "pdfx" and service.pdfx:
        version = next(name for name, part in PDFX_VERSIONS.items() if part == service.pdfx)
        return option._replace(default=version)
    is_for_press = option.name in {"state_pdfx", "pdfx"}
    return None if is_for_press and service.pdfx is None else option


def _plain_choices(values: Iterable[str]) -> tuple[OptionChoice, ...]:
    """Return choices whose names are their values."""
    return tuple({"value": value, "name": value} for value in values)


_MAX_TEXT_LENGTH = 200
_MAX_NAMES = 1000
_Names = Annotated[list[Annotated[str, Bounds(0, _MAX_TEXT_LENGTH)]], Bounds(0, _MAX_NAMES)]


def read_values(options: Iterable[FormOption], values: object) -> dict[str, object]:
    """Return the values of all options, with defaults for those not given.

    Raises:
        ChoiceError: if an option is unknown, or its value is invalid.
    """
    if not isinstance(values, dict):
        raise ChoiceError("the options are not a JSON object")
    known = {option.name: option for option in options}
    for name in values:
        require_known(str(name), known, "option")
    return {
        name: _read_value(option, values[name]) if name in values else option.default
        for name, option in known.items()
    }


def read_names(value: object, what: str) -> list[str]:
    """Return the names in a list, without duplicates.

    Args:
        what: the name of the list in messages.

    Raises:
        ChoiceError: if it is no list of names, or has too many.
    """
    return [*dict.fromkeys(parse(what, _Names, value))]


def _read_value(option: FormOption, given: object) -> object:
    if given is None and option.optional:
        return None
    value = read_names(given, option.name) if option.type == "names" else given
    if not _is_valid(option, option.type, value):
        hint = None
        if option.most is not None:
            hint = f"it must be from {option.least:g} to {option.most:g}"
        raise ChoiceError(f"the option `{option.name}` cannot be `{shorten(str(given))}`", hint)
    return value


def _is_valid(option: FormOption, type_: OptionType, value: Any) -> bool:  # what JSON may be
    """Return whether a value of a type, the option's own or that of a part, is valid for it."""
    known = [choice["value"] for choice in option.choices]
    match type_:
        case "flag":
            return isinstance(value, bool)
        case "choice":
            return value in known
        case "text":
            if isinstance(value, bool):  # True is the game's default watermark, False none
                return option.name == "watermark"
            return isinstance(value, str) and len(value) <= _MAX_TEXT_LENGTH
        case "integer" | "number":
            numeric = isinstance(value, int if type_ == "integer" else (int, float))
            if not numeric or isinstance(value, bool) or not math.isfinite(value):
                return False
            return (option.least is None or value >= option.least) and (
                option.most is None or value <= option.most
            )
        case "names":
            return not known or all(name in known for name in value)
        case "offset" | "size":
            part: OptionType = "number" if type_ == "offset" else "integer"
            is_pair = isinstance(value, list) and len(value) == 2
            return is_pair and all(_is_valid(option, part, each) for each in value)
        case "numbers":
            return (
                isinstance(value, dict)
                and len(value) <= _MAX_NAMES
                and all(
                    (each is None and option.name == "limit")  # a limit can be switched off
                    or _is_valid(option, "integer", each)
                    for each in value.values()
                )
            )
