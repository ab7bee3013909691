"""Compose faces: run a template for a card and collect the ops that its elements draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deckwright.diagnostics import Code, Location, Report, Severity
from deckwright.discovery import import_all
from deckwright.face import elements
from deckwright.face.elements import ElementError, Studio
from deckwright.face.ops import Face, Op
from deckwright.face.template import (
    T004,
    T006,
    BadValueError,
    ExpressionError,
    Record,
    Template,
)
from deckwright.units import Mm

L001 = Code("L001", Severity.ERROR, "a text that does not fit its box")
L002 = Code("L002", Severity.ERROR, "a character that the font does not have")
T008 = Code("T008", Severity.ERROR, "an image path in a template that leaves the folder img")

_CODES = {"value": T004, "overflow": L001, "glyph": L002, "path": T008}

import_all(elements)


def compose_face(
    template: Template,
    context: Mapping[str, object],
    studio: Studio,
    size: tuple[Mm, Mm],
    subject: str,
    place: Location | None,
    report: Report,
) -> Face | None:
    """Return the face that a template gives for one card, None after reporting what fails.

    Args:
        context: what the template's expressions see.
        size: width and height of the trim box.
        subject: how findings speak of the card, "card `HK3`".
        place: where the card stands.
    """
    records = run(template, context, subject, place, report)
    if records is None:
        return None
    before = len(report)
    ops = tuple(draw(records, template, studio, subject, place, report))
    if len(report) > before:
        return None
    return Face(*size, ops)


def run(
    template: Template,
    context: Mapping[str, object],
    subject: str,
    place: Location | None,
    report: Report,
) -> tuple[Record, ...] | None:
    """Return a template's elements for one card, None after reporting a failed expression."""
    try:
        return template.records(context)
    except ExpressionError as failure:
        _once(T006, failure.location, failure.message, f"{subject}{_at(place)}", report)
        return None


def draw(
    records: Iterable[Record],
    template: Template,
    studio: Studio,
    subject: str,
    place: Location | None,
    report: Report,
) -> Iterable[Op]:
    """Yield the ops of elements; those that cannot be drawn are reported and left out."""
    for record in records:
        part = record.part
        try:
            ops = part.drawn.get(record)
            if ops is None:
                before = len(report)
                ops = tuple(_draw_new(record, template, studio, subject, place, report))
                if len(report) == before:
                    part.drawn[record] = ops
            yield from ops
        except BadValueError as error:
            where = part.node.source.at(error.attribute)
            message = f"`{error.attribute}` of `{part.node.tag}`: {error.message}"
            _once(T004, where, message, subject, report)
        except ElementError as error:
            at_template = part.node.source.at(error.attribute)
            if error.kind in {"overflow", "glyph"} and place is not None:
                message = f"{subject}: {error.message}{_at(at_template)}"
                report.append(_CODES[error.kind].at(place, message, error.hint))
            else:
                code = _CODES[error.kind]
                _once(code, at_template, error.message, subject, report, error.hint)


def _once(
    code: Code,
    place: Location,
    message: str,
    subject: str,
    report: Report,
    hint: str | None = None,
) -> None:
    """Report a fault of the template for the first card that meets it, not for every card."""
    start = f"{message} (for "
    known = (f for f in report if f.code is code and f.location == place)
    if not any(finding.message.startswith(start) for finding in known):
        report.append(code.at(place, f"{start}{subject})", hint))


def _draw_new(
    record: Record,
    template: Template,
    studio: Studio,
    subject: str,
    place: Location | None,
    report: Report,
) -> Iterable[Op]:
    kind = record.part.type
    values = record.part.values(record.texts, template.palette)
    if kind.draw is not None:
        return kind.draw(values, studio)
    assert kind.wrap is not None
    return kind.wrap(values, tuple(draw(record.children, template, studio, subject, place, report)))


def _at(place: Location | None) -> str:
    return f" ({place.path.name}:{place.line})" if place is not None else ""
