"""Put the faces of an order onto the cards that a print service makes, and check them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckwright.base.findings import Code, Diagnostic, Report, Severity
from deckwright.faces.factory import FaceFactory
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.outputs.services.fitting import fitted, nearest_size, size_of
from deckwright.outputs.services.job import Card, OrderOptions
from deckwright.outputs.services.orders import Item, Side
from deckwright.outputs.services.preflight import check_fonts, check_images, check_safe_zone
from deckwright.outputs.services.profile import Files, Service, Size

E042 = Code("E042", Severity.ERROR, "a card of a size that a print service does not make")


def fitted_cards(
    items: Sequence[Item], service: Service, options: OrderOptions, report: Report
) -> dict[Size, list[Card]]:
    """Return cards by the size that they are printed in; those of no such size are reported."""
    chosen = tuple(size for size in service.sizes if options.size in {None, size.id})
    narrowed = service._replace(sizes=chosen)
    known: dict[tuple[int, bool, Size], Face] = {}
    wrong = set[str]()
    cards: dict[Size, list[Card]] = {}

    def fit(side: Side, size: Size, *, back: bool) -> tuple[Side, Face]:
        key = id(side.face), back, size
        if key not in known:
            known[key] = fitted(side.face, size, service.bleed, back=back)
        return side, known[key]

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
        cards.setdefault(size, []).append(Card(item, fronts, backs))
    return cards


_whites: dict[tuple[float, float], Face] = {}


def _white(front: Side) -> Side:
    """Return the back of a card that has none."""
    size = front.face.width, front.face.height
    face = _whites.setdefault(size, Face(*size, (), subject="a white back"))
    return Side("white", face, front.card, front.place, back=True)


def _no_size(side: Side, service: Service) -> Diagnostic:
    """Return that a service makes no cards of the size of a face."""
    made = ", ".join(f"`{size.id}` ({size.width:g} × {size.height:g} mm)" for size in service.sizes)
    kind, face = side.card.kind, side.face
    return E042.at(
        kind.source.at("width"),
        f"{side.subject} is {face.width:g} × {face.height:g} mm, {service.name} makes {made}",
        "scale cards to the nearest of these with `--scale fit`, or change the kind's size",
    )


def looked_over(
    faces: Sequence[tuple[Side, Face]], service: Service, factory: FaceFactory, images: ImageStore
) -> Iterator[Diagnostic]:
    """Yield what is wrong with faces before they are drawn."""
    for side, face in faces:
        yield from check_images(side, face, images, service)
    yield from check_safe_zone(faces, service, factory.studio.metrics)
    if service.files is Files.PDF and not service.outlines:
        yield from check_fonts(faces, factory.fonts)
