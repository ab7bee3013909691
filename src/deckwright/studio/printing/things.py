"""What can be made of a game: prints, orders for services, exports; each with its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from deckwright.api import Deck, Game
from deckwright.api.asked import PDFX
from deckwright.base.files import is_there
from deckwright.base.units import PAPERS
from deckwright.game import model
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.outputs.cutters.profile import cutter_names
from deckwright.outputs.services.profile import (
    Color,
    Files,
    Service,
    Spots,
    load_service,
    service_names,
)
from deckwright.outputs.tuckbox import BOX_PAPERS
from deckwright.sheet.format import format_names
from deckwright.sheet.grid import Flip, Marks
from deckwright.sheet.printers import load_printers
from deckwright.studio.printing.options import Named, Option, options_of
from deckwright.studio.printing.tables import write_tables

Group = Literal["print", "service", "export", "calibration"]
Of = Literal["decks", "decks-or-factions", "markers", "factions", "cards"]
SERVICE = "service-"
"""What the ids of services begin with."""

_CHANGED = Option(
    "changed", "flag", default=False, help="whether only what has changed since the last print of"
    " each deck is printed.",
)  # fmt: skip
_ELSEWHERE = ("only", "decks", "cards", "factions", "changed_since", "icc", "kinds")
"""What is asked for otherwise than by the library's option, or not at all."""


class Thing(NamedTuple):
    """Something that can be made.

    Attributes:
        about: what it is, in words of the library; "" where its name says all.
        of: what it is made of, by ids; None for the game as a whole.
        needs: whether at least one id must be given.
        preview: whether its pages can be looked at before.
    """

    id: str
    group: Group
    name: str
    options: tuple[Option, ...]
    about: str = ""
    of: Of | None = None
    needs: bool = False
    preview: bool = False

    @property
    def changes(self) -> bool:
        """Whether it can be printed as far as it has changed."""
        return _CHANGED in self.options


class Source(NamedTuple):
    """A game: what was read of it, and where its files are."""

    model: model.Game
    folder: GameFolder


class _Choices:
    """Puts what a game has into options."""

    def __init__(self, game: Source) -> None:
        setup, xml = game.model.setup, game.folder.xml
        printers = load_printers([]) or {}
        self._known: dict[str, tuple[Named, ...]] = {
            "sheet": _same(format_names(xml)),
            "style": _same(game.folder.styles()),
            "printer": _same(sorted(printers)),
            "flip": _same(flip.value for flip in Flip),
            "marks": _same(marks.value for marks in Marks),
            "cut": _same(cutter_names(xml)),
            "paper": _same(PAPERS),
            "limits": tuple({"value": i, "name": f.name or i} for i, f in setup.formats.items()),
            "cost": _fields(setup),
            "power": _fields(setup),
        }

    def of(
        self,
        function: Callable[..., object],
        more: Iterable[Option] = (),
        without: Iterable[str] = _ELSEWHERE,
    ) -> tuple[Option, ...]:
        """Return the options of a function, and others after them."""
        return (*map(self._with, options_of(function, without)), *more)

    def _with(self, option: Option) -> Option:
        choices = self._known.get(option.name)
        if choices is None or option.choices:
            return option
        type_ = option.type if option.type == "names" else "choice"
        return option._replace(type=type_, choices=choices)


def things_of(game: Source) -> dict[str, Thing]:
    """Return all that can be made of a game, by id."""
    return {thing.id: thing for thing in (*_prints(game), *_services(game), *_exports(game))}


def _prints(game: Source) -> Iterator[Thing]:
    choices, setup = _Choices(game), game.model.setup
    only = tuple(o for o in options_of(Game.print_decks) if o.name == "only")
    cards = choices.of(Game.print_decks, (*only, _CHANGED))
    yield Thing("decks", "print", "decks", cards, of="decks", needs=True, preview=True)
    tokens = choices.of(Game.print_tokens)
    of: Of = "decks-or-factions"
    yield Thing("tokens", "print", "tokens", tokens, of=of, needs=True, preview=True)
    boxes = tuple(
        option._replace(choices=_same(BOX_PAPERS)) if option.name == "paper" else option
        for option in choices.of(Deck.print_box, without=())
    )
    yield Thing("boxes", "print", "tuck boxes", boxes, of="decks", needs=True, preview=True)
    if setup.markers:
        markers = choices.of(Game.print_markers)
        yield Thing("markers", "print", "markers", markers, of="markers", preview=True)
    overview = choices.of(Game.print_overview)
    yield Thing("overview", "print", "overview", overview, of="factions", preview=True)
    if is_there(game.folder.rulebook_file):
        yield Thing("rulebook", "print", "rulebook", choices.of(Game.print_rulebook), preview=True)
    yield Thing("everything", "print", "everything", choices.of(Game.everything), preview=True)
    calibration = (
        Option("paper", "choice", "a4", choices=_same(PAPERS), help="the size of the paper."),
        Option("flip", "choice", Flip.LONG.value, choices=_same(flip.value for flip in Flip),
               help="the edge that the printer flips paper on."),
        Option("language", "text", setup.language, help="the language of the page."),
    )  # fmt: skip
    yield Thing("calibration", "calibration", "calibration page", calibration, preview=True)


def _services(game: Source) -> Iterator[Thing]:
    choices = _Choices(game)
    for name in service_names(game.folder.xml):
        service = load_service(name, game.folder.xml, [])
        if service is not None:
            options = choices.of(Deck.export_service, _only_of(service))
            fitting = tuple(filter(None, (_fitting(option, service) for option in options)))
            about = ", ".join(f"{s.name} {s.width:g} × {s.height:g} mm" for s in service.sizes)
            id_ = f"{SERVICE}{service.id}"
            yield Thing(id_, "service", service.name, fitting, about, "decks", needs=True)


def _only_of(service: Service) -> list[Option]:
    """Return the options of services whose values no page can name by itself."""
    found = [option for option in options_of(Deck.export_service) if option.name == "only"]
    if service.color is not Color.RGB:
        rgb: Named = {"value": "none", "name": "RGB"}
        said = "the colors: those of the ICC profile that suits best, or RGB."
        found.append(Option("icc", "choice", None, optional=True, choices=(rgb,), help=said))
    return found


def _fitting(option: Option, service: Service) -> Option | None:
    """Return an option as a service has it, None if it has no use for it."""
    if option.name == "size":
        sizes: list[Named] = [{"value": size.id, "name": size.name} for size in service.sizes]
        option = option._replace(type="choice", choices=tuple(sizes), least=None, most=None)
        return option if sizes else None
    if option.name == "inks":
        apart = service.files is Files.PICTURES
        left = (c for c in option.choices if not (apart and c["value"] == Spots.SEPARATIONS.value))
        return option._replace(choices=tuple(left), default=service.spots.value)
    if option.name == "pdfx" and service.pdfx:
        return option._replace(default=next(c for c, part in PDFX.items() if part == service.pdfx))
    of_press = option.name in {"state_pdfx", "pdfx"}
    return None if of_press and service.pdfx is None else option


def _exports(game: Source) -> Iterator[Thing]:
    choices = _Choices(game)
    pictures, proofs = choices.of(Game.export_pictures), choices.of(Game.export_proofs)
    yield Thing("pictures", "export", "pictures of faces", pictures, of="cards")
    yield Thing("proofs", "export", "proofs and contact sheets", proofs, of="cards")
    cockatrice = choices.of(Game.export_cockatrice)
    yield Thing("cockatrice", "export", "Cockatrice", cockatrice, of="decks")
    yield Thing("tts", "export", "Tabletop Simulator", choices.of(Deck.export_tts), of="decks")
    yield Thing("tables", "export", "tables", choices.of(write_tables))


def _same(values: Iterable[str]) -> tuple[Named, ...]:
    """Return values that are called as they are."""
    return tuple({"value": value, "name": value} for value in values)


def _fields(setup: Setup) -> tuple[Named, ...]:
    """Return the fields of cards that hold whole numbers."""
    found = (field for kind in setup.card_kinds for field in kind.fields)
    return _same(dict.fromkeys(field.name for field in found if field.type == "integer"))
