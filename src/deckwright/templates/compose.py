"""Compose faces: run a template for a card and collect the ops that its elements draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Never

from deckwright.base.findings import (
    Code,
    Location,
    Report,
    Severity,
    format_names,
    has_errors,
    known_hint,
)
from deckwright.base.geometry import Box, Matrix, split_crop, translation
from deckwright.base.units import Mm
from deckwright.checks.references import R005
from deckwright.ops.model import (
    TEXT_KINDS,
    DrawGlyphs,
    ElementError,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    StrokePath,
    map_ops,
)
from deckwright.ops.readable import extract_text
from deckwright.templates.attributes import AttributeValues
from deckwright.templates.compiler import T004
from deckwright.templates.elements import DrawingContext, is_rtl, mirror_values
from deckwright.templates.template import (
    T006,
    BadValueError,
    DrawResult,
    ExpressionError,
    Record,
    Substitution,
    Template,
    TemplatePart,
)
from deckwright.text.placing import draw_placeholder
from deckwright.text.richtext import CODE_MARK
from deckwright.xmlio.node import Source

_TRANSLUCENT = re.compile("#[0-9a-f]{8}")
_OPAQUE_LENGTH = len("#rrggbb")


def apply_effects(
    values: AttributeValues, ops: Iterable[Op], context: DrawingContext
) -> tuple[Op, ...]:
    """Return the ops of an element with its transform, translucency and ink applied.

    Where a spot ink is not available, its own colors are used, or it is omitted.

    Raises:
        ElementError: if the game has no such ink.
    """
    result = convert_translucent(values, ops)
    matrix: Matrix | None = values.get("transform")
    if result and matrix:
        result = (Group(result, matrix),)
    ink_id = values.get("ink")
    if not ink_id:
        return result
    ink = context.inks.get(ink_id)
    if ink is None:
        hint = known_hint(ink_id, context.inks) or "declare it in `inks` of game.xml"
        raise ElementError("value", f"the game has no ink `{ink_id}`", hint, "ink")
    if context.plates:
        return (Group(result, ink=ink_id),) if result else ()
    return result if ink.is_visible else ()


def convert_translucent(values: AttributeValues, ops: Iterable[Op]) -> tuple[Op, ...]:
    """Return ops with translucent colors, `#rrggbbaa`, replaced by groups with an opacity.

    Ops are only searched if the element's values have such a color.
    """
    if any(isinstance(value, str) and _TRANSLUCENT.search(value) for value in values.values()):
        return map_ops(ops, _convert_op)
    return tuple(ops)


def _convert_op(op: Op) -> Op:
    if isinstance(op, FillPath) and isinstance(op.color, Gradient):
        # It belongs to a drawing with recolored black, and keeps the drawing's opacity.
        stops = tuple((at, stop[:_OPAQUE_LENGTH]) for at, stop in op.color.stops)
        return op._replace(color=op.color._replace(stops=stops))
    if not isinstance(op, FillPath | StrokePath | DrawGlyphs):
        return op
    color = op.color
    assert isinstance(color, str)
    if not _TRANSLUCENT.fullmatch(color):
        return op
    opacity = int(color[_OPAQUE_LENGTH:], 16) / 255
    return Group((op._replace(color=color[:_OPAQUE_LENGTH]),), opacity=round(opacity, 3))


L001 = Code("L001", Severity.ERROR, "a text that does not fit its box")
L002 = Code("L002", Severity.ERROR, "a character that the font does not have")
L013 = Code("L013", Severity.ERROR, "a text in a script that Deckwright cannot typeset")
I006 = Code("I006", Severity.ERROR, "an SVG drawing that cannot be drawn")
T008 = Code("T008", Severity.ERROR, "an image path in a template that leaves the folder img")

T012 = Code("T012", Severity.ERROR, "a symbol in a text that the game does not have")

T020 = Code("T020", Severity.ERROR, "a palette for colors that the picture does not have")

RULES_FIELD = "rules"
"""Stands for the texts of rules among the unprinted fields of a face."""
_NOTHING: frozenset[Never] = frozenset()
"""Python makes a new one each time, and most elements share it."""
_MAX_AMBIGUOUS = 2
"""Values this short may occur in others by chance."""
_WORD = re.compile(r"[^\W_]+")
_CODES = {
    "value": T004,
    "overflow": L001,
    "glyph": L002,
    "script": L013,
    "symbol": T012,
    "path": T008,
    "picture": R005,
    "drawing": I006,
    "palette": T020,
}


class Subject(NamedTuple):
    """The subject of a face, for findings: "card `HK3`", and its element if there is only one.

    Attributes:
        texts: texts of several elements that it shows, with their places.
    """

    name: str
    source: Source | None = None
    texts: tuple[tuple[str, Location], ...] = ()

    @property
    def place(self) -> Location | None:
        """The place of its element."""
        return self.source.at() if self.source else None


def format_place(place: Location | None) -> str:
    """Return a place in a template, for the end of a message."""
    return f" ({place.path.name}:{place.line})" if place else ""


class Composer:
    """Runs a template for one subject; failures go into the report."""

    def __init__(
        self,
        template: Template,
        context: DrawingContext,
        subject: Subject,
        report: Report,
        *,
        lenient: bool = False,
    ) -> None:
        """Compose for one subject.

        Args:
            lenient: whether to compose despite faults: faulty texts are drawn with the fault shown,
                pictures as placeholders, and other faulty elements are omitted.
        """
        self.template = template
        self._drawings: set[Path] = set()
        self._substitutions: set[Substitution] = set()
        self.context = context._replace(drawings=self._drawings)
        self.subject = subject
        self.report = report
        self._lenient, self._broken = lenient, False
        self._fields: dict[str, str] = {}
        self._rules: list[tuple[str, str]] = []

    def compose(self, context: Mapping[str, object], width: Mm, height: Mm) -> Face | None:
        """Return the face for a context, None after a failure that cannot be tolerated."""
        before, self._broken = len(self.report), False
        card = context.get("card")
        fields = card.items() if isinstance(card, dict) else ()
        self._fields = {name: text for name, text in fields if isinstance(text, str) and text}
        rules = card.get("rules", ()) if isinstance(card, dict) else ()
        self._rules = [
            (rule["effect"], rule["brief"])
            for rule in (rules if isinstance(rules, list) else ())
            if isinstance(rule, dict) and "brief" in rule
        ]
        ops = tuple(self.draw(self.records(context)))
        if self._broken or (has_errors(self.report[before:]) and not self._lenient):
            return None
        return Face(
            width,
            height,
            ops,
            subject=self.subject.name,
            drawings=frozenset(self._drawings),
            unprinted=self._find_unprinted(ops) if self._substitutions else frozenset(),
        )

    def _find_unprinted(self, ops: Iterable[Op]) -> frozenset[str]:
        """Return the fields of the card that `first` dropped for want of room.

        They include `rules` if neither text of a rule, long or short, is on the face.
        """
        face_words = join_face_words(ops)
        texts: list[tuple[str, tuple[str, ...]]] = [(RULES_FIELD, rule) for rule in self._rules]
        texts += [(name, (text,)) for name, text in self._fields.items()]
        return frozenset(
            name
            for name, wordings in texts
            if not any(has_words(face_words, text) for text in wordings)
            and any(
                words in wanted and words not in drawn
                for words in map(_extract_words, wordings)
                for wanted, drawn in self._substitutions
            )
        )

    def records(self, context: Mapping[str, object]) -> tuple[Record, ...]:
        """Return the records of the template's elements; none if an expression fails."""
        try:
            return self.template.records(context)
        except ExpressionError as error:
            missing = re.fullmatch("there is no `(.+)`", error.message)
            hint = error.hint
            card = context.get("card")
            if missing and not hint and isinstance(card, dict):
                field = re.compile(rf"\bcard\.{re.escape(missing[1])}\b")
                if any(
                    field.search(text)
                    for node in self.template.root.walk()
                    for text in (node.text, node.tail, *node.attributes.values())
                ):
                    names = format_names(name for name in card if name not in _GIVEN)
                    hint = (
                        f"cards have {names}: use one of them, delete what shows `{missing[1]}`, "
                        f'or add `<field name="{missing[1]}" type="text"/>` to the kind in game.xml'
                    )
            place = format_place(self.subject.place)
            self._report_once(T006, error.location, error.message, hint, place)
            self._broken = True
            return ()

    def with_template(self, template: Template) -> Composer:
        """Return a composer that differs in its template alone."""
        return Composer(template, self.context, self.subject, self.report, lenient=self._lenient)

    def draw(self, records: Iterable[Record]) -> Iterator[Op]:
        """Yield the ops of elements; those that cannot be drawn are omitted."""
        for record in records:
            drawn = record.part.draw_cache.get(record)
            if drawn is None:
                yield from self._draw_new(record)
                continue
            if drawn.drawings:
                self._drawings |= drawn.drawings
            if drawn.substitutions:
                self._substitutions |= drawn.substitutions
            yield from drawn.ops

    def _draw_new(self, record: Record) -> tuple[Op, ...]:
        part, before = record.part, len(self.report)
        around, instead = {*self._drawings}, {*self._substitutions}
        self._drawings.clear()
        self._substitutions.clear()
        ops: tuple[Op, ...] = ()
        inside: tuple[Op, ...] = ()
        try:
            values = part.values(record.texts, self.template.palette)
            if record.mirrored:
                values = mirror_values(values)
            if part.type.wrap is not None:
                inside = self._draw_inside(record, values)
            ops = self._draw_element(part, values, inside, self.context)
        except BadValueError as error:
            self.report_failure(record, error)
        except ElementError as error:
            self.report_failure(record, error)
            if (self._lenient or error.kind == "picture") and error.kind not in TEXT_KINDS:
                if name := values.get("href") or values.get("name"):
                    sides = {"height": values["width"], **values}
                    box = Box(sides["x"], sides["y"], sides["width"], sides["height"])
                    ops = draw_placeholder(split_crop(name)[0], box, self.context.metrics)
                    ops = apply_effects({**values, "ink": ""}, ops, self.context)
            elif self._lenient:
                try:
                    context = self.context._replace(lenient=True)
                    ops = self._draw_element(part, values, inside, context)
                except ElementError as other:
                    self.report_failure(record, other)
        if len(self.report) == before:
            part.draw_cache[record] = DrawResult(
                ops,
                frozenset(self._drawings) if self._drawings else _NOTHING,
                frozenset(self._substitutions) if self._substitutions else _NOTHING,
            )
        elif self._lenient:
            part.faulty[record] = ops
        self._drawings |= around
        self._substitutions |= instead
        return ops

    def _draw_element(
        self,
        part: TemplatePart,
        values: AttributeValues,
        inside: tuple[Op, ...],
        context: DrawingContext,
    ) -> tuple[Op, ...]:
        """Return the ops of an element, given those of its children."""
        if part.type.draw is not None:
            ops = tuple(part.type.draw(values, context))
        else:
            assert part.type.wrap is not None
            ops = tuple(part.type.wrap(values, inside, context))
        return apply_effects(values, ops, context)

    def _draw_inside(self, record: Record, values: AttributeValues) -> tuple[Op, ...]:
        """Return the ops of an element's children, which change sides where it says so."""
        width = None if record.mirrored else values.get("mirror")
        turns = width is not None and is_rtl(values, self.context)
        if turns or record.mirrored:
            children = (child._replace(mirrored=True) for child in record.children)
            record = record._replace(children=tuple(children))
        ops = tuple(self._draw_children(record))
        return (Group(ops, translation(width or 0, 0)),) if ops and turns else ops

    def _draw_children(self, record: Record) -> Iterable[Op]:
        """Return the ops of an element's children."""
        if record.part.type.inside == "apart":
            drawn = (tuple(self.draw([child])) for child in record.children)
            return (Group(ops) for ops in drawn if ops)
        if record.part.type.inside == "all":
            return self.draw(record.children)
        # The first child that can be drawn.
        wanted: list[str] = []
        trying = self.context._replace(trying=True)
        for child in record.children:
            attempt = Composer(self.template, trying, self.subject, [])
            ops = tuple(attempt.draw([child]))
            self._drawings |= attempt._drawings
            if not attempt.report:
                break
            if all(each.code is L001 for each in attempt.report):
                wanted += _record_texts(child)
        else:
            return self.draw(record.children[-1:])
        self._substitutions |= attempt._substitutions
        if wanted:
            printed = _extract_words("\n".join(_record_texts(child)))
            self._substitutions |= {(_extract_words(text), printed) for text in wanted}
        return ops

    def report_failure(self, record: Record, error: BadValueError | ElementError) -> None:
        """Report why an element cannot be drawn; at the subject if its data is the reason."""
        part = record.part
        place = part.node.source.at(error.attribute)
        source, message, hint = self.subject.source, error.message, None
        if isinstance(error, BadValueError):
            code, of_text, quoted = T004, False, ""
            message = f"`{error.attribute}` of `{part.node.tag}`: {message}"
        else:
            code, hint, quoted = _CODES[error.kind], error.hint, error.quoted
            of_text = error.kind in TEXT_KINDS
            parts = (text for node in part.node.walk() for text in (node.text, node.tail))
            if (
                error.kind == "overflow"
                and part.node.tag == "text"
                and not any(map(_VARYING.search, parts))
            ):  # the text is the same for all cards
                of_text = False
                hint = "shorten it in the template, or enlarge its box or lower its `min-font-size`"
            if error.place is not None:  # in a drawing
                self._report_once(code, error.place, message, hint=hint)
                return
        shown = dict(zip(part.dynamic, record.texts, strict=True))
        value = shown.get("text" if of_text else error.attribute or "", "")
        # A path that leaves its folder is the template's fault if the template has added to it.
        fields, field = self._fields, None
        if quoted:
            field = next((name for name, text in fields.items() if quoted in text), None)
            if field is None and any(quoted in text for rule in self._rules for text in rule):
                field = RULES_FIELD
            place = next((at for text, at in self.subject.texts if quoted in text), place)
        if field is None and (value or not of_text):
            exact = of_text or code is T008
            sources = (
                name
                for name, text in fields.items()
                if text == value or (not exact and len(text) > _MAX_AMBIGUOUS and text in value)
            )
            field = max(sources, key=lambda name: len(fields[name]), default=None)
        if source is None and code is R005 and error.attribute in part.dynamic:
            return  # the face of the card that names it has the finding
        if source is not None and (of_text or field is not None):
            message = f"{self.subject.name}: {message}{format_place(place)}"
            self.report.append(code.at(source.at(field), message, hint))
        else:
            self._report_once(code, place, message, hint=hint)

    def _report_once(
        self, code: Code, location: Location, message: str, hint: str | None = None, place: str = ""
    ) -> None:
        """Report a fault of the template once, for the first subject affected."""
        start = f"{message} (for "
        known = (f for f in self.report if f.code is code and f.location == location)
        if not any(finding.message.startswith(start) for finding in known):
            self.report.append(code.at(location, f"{start}{self.subject.name}{place})", hint))


_GIVEN = {"kind", "token", "groups", "part", "parts", "set_number", "set_size"}
"""What cards have besides their fields, and seldom show."""
_VARYING = re.compile(r"\{%|\{\{(?!\s*(?:fields|words|game)\b)")
"""The beginning of an expression whose value depends on the card."""


def _record_texts(record: Record) -> Iterator[str]:
    """Yield the dynamic texts of an element and its children."""
    values = zip(record.part.dynamic, record.texts, strict=True)
    yield from (text for name, text in values if name == "text")
    for child in record.children:
        yield from _record_texts(child)


def join_face_words(ops: Iterable[Op]) -> str:
    """Return the letters of a face without spaces, because words may be hyphenated."""
    return "".join(_extract_words(extract_text(ops)).split())


def has_words(letters: str, text: str) -> bool:
    """Return whether the letters of a face contain all words of a text in sequence."""
    return "".join(_extract_words(text).split()) in letters


def _extract_words(text: str) -> str:
    """Return the words of a text without markup, with a space around each."""
    plain = re.sub(f"{CODE_MARK}[^{CODE_MARK}]*{CODE_MARK}", " ", text)
    return f" {' '.join(_WORD.findall(plain))} "
