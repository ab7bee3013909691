"""Put the faces of an order onto the cards that a print service makes, and check them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckwright.base.findings import Code, Diagnostic, Report, Severity
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.services.fitting import fitted, nearest_size, size_of
from deckwright.outputs.services.job import OrderOptions
from deckwright.outputs.services.orders import Item
from deckwright.outputs.services.preflight import check_fonts, check_images, check_safe_zone
from deckwright.outputs.services.profile import Files, Service, Size

E042 = Code("E042", Severity.ERROR, "a card of a size that a print service does not make")


def fitted_cards(
    items: Sequence[Item], service: Service, options: OrderOptions, report: Report
) -> dict[Size, list[Item]]:
    """Return cards by the size that they are printed in; those of no such size are reported."""
    chosen = tuple(size for size in service.sizes if options.size in {None, size.id})
    narrowed = service._replace(sizes=chosen)
    known: dict[tuple[int, bool, Size], Face] = {}
    wrong = set[str]()
    cards: dict[Size, list[Item]] = {}

    def fit(side: NamedFace, size: Size, *, back: bool) -> NamedFace:
        key = id(side.face), back, size
        if key not in known:
            known[key] = fitted(side.face, size, service.bleed, back=back)
        return side._replace(face=known[key])

    for item in items:
        front, back = item.front, item.back
        size = size_of(front.face, narrowed)
        if size is None and options.fit:
            size = nearest_size(front.face, chosen)
        if size is None:
            if front.card.kind.tag not in wrong:
                wrong.add(front.card.kind.tag)
                report.append(_no_size(front, narrowed))
            continue
        if back is None and service.backs:
            back = _white(front)
        fronts = fit(front, size, back=False)
        backs = fit(back, size, back=True) if back is not None else None
        cards.setdefault(size, []).append(Item(fronts, backs, item.copies))
    return cards


_whites: dict[tuple[float, float], Face] = {}


def _white(front: NamedFace) -> NamedFace:
    """Return the back of a card that has none."""
    size = front.face.width, front.face.height
    face = _whites.setdefault(size, Face(*size, (), subject="a white back"))
    return NamedFace("white", "backs", front.card, face, front.card.kind.source)


def _no_size(side: NamedFace, service: Service) -> Diagnostic:
    """Return that a service makes no cards of the size of a face."""
    made = ", ".join(f"`{size.id}` ({size.width:g} × {size.height:g} mm)" for size in service.sizes)
    kind, face = side.card.kind, side.face
    return E042.at(
        kind.source.at("width"),
        f"{face.subject} is {face.width:g} × {face.height:g} mm, {service.name} makes {made}",
        "scale cards to the nearest of these with `--scale fit`, or change the kind's size",
    )


def looked_over(
    sides: Sequence[NamedFace], service: Service, factory: FaceFactory, images: ImageStore
) -> Iterator[Diagnostic]:
    """Yield what is wrong with faces before they are drawn."""
    for side in sides:
        yield from check_images(side, images, service)
    yield from check_safe_zone(sides, service, factory.studio.metrics)
    if service.files is Files.PDF and not service.outlines:
        yield from check_fonts(sides, factory.fonts)
