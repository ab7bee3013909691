"""The editor of templates: their texts, the faces that they draw, and elements moved on a face.

Moving an element changes numbers in the text of the template, and nothing else.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

from deckwright.api import FaceName, Game, GameError
from deckwright.base.findings import ChoiceError, Diagnostic, known_hint
from deckwright.base.geometry import Box
from deckwright.base.output import OutputError
from deckwright.base.parsing import Bounds, Text, parse_fields
from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.faces.copies import back_of
from deckwright.ops.model import FillPath, StrokePath, walk
from deckwright.ops.outlines import transform_outline
from deckwright.ops.readable import extract_text
from deckwright.paint.svg import path_data
from deckwright.studio.answers import FileWrite, Json, LocalizedError, fingerprint_of
from deckwright.studio.described import FindingData, display_path, serialize_finding
from deckwright.studio.drafts import Values
from deckwright.studio.editing.editor import reject, report_conflict
from deckwright.studio.editing.preview import require_style
from deckwright.studio.editing.targets import parse_root, read_content
from deckwright.studio.faces import compose_side, face_key
from deckwright.studio.routing import get, post
from deckwright.studio.session import StudioSession
from deckwright.templates.elements import ELEMENTS
from deckwright.templates.tracing import PlacedElement
from deckwright.text.placing import ANCHORS
from deckwright.xmlio.load import load_document, load_text
from deckwright.xmlio.xml_text import parse_elements, replace_text

GEOMETRY = {
    "circle": ("cx", "cy", "r", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
    "polygon": ("points", "points", "", ""),
    "path": ("d", "d", "", ""),
    "icon": ("x", "y", "width", "width"),
    "symbol": ("x", "y", "width", "width"),
}
"""The attributes for an element's place and size, if not `x`, `y`, `width` and `height`.

An element whose width and height are one attribute stays as wide as it is high.
"""
DEFAULT_GEOMETRY = ("x", "y", "width", "height")
_ROUND = frozenset({"circle", "ellipse"})
"""The elements whose attributes give the center, and half of the size."""
_OUTLINED = frozenset({"rect", "circle", "ellipse", "line", "polygon", "path"})
"""The elements whose own outline the page marks, not only a box."""
_FLOWS = frozenset({"row", "box"})
"""The elements that place their children."""
_MOVABLE_PATH = re.compile("M[^Aa]*")
_MAX_LABEL = 40
_MAX_ELEMENTS = 600


def _is_computed(text: str) -> bool:
    return "{{" in text or "{%" in text


def _find_frame(element: PlacedElement) -> Box | None:
    """Return the box that an element's attributes describe, in its own coordinates."""
    tag, values = element.part.node.tag, element.values
    x, y, width, height = map(values.get, GEOMETRY.get(tag, DEFAULT_GEOMETRY))
    if tag == "line":
        return Box.of([(values["x1"], values["y1"]), (values["x2"], values["y2"])])
    if height is None and width and tag == "text" and element.extent and not element.matrix[1]:
        height = element.extent.height / abs(element.matrix[3] or 1)
    if x is None or y is None or width is None or height is None or tag == "row":
        return None
    if tag in _ROUND:
        return Box(x - width, y - height, 2 * width, 2 * height)
    return Box(
        x - (ANCHORS[values["text-anchor"]] * width if tag == "box" else 0), y, width, height
    )


def _serialize_element(
    element: PlacedElement, every: list[PlacedElement], path: Path, folder: Path
) -> Json:
    """Return an element as plain data; lengths are in mm.

    For each of `x`, `y`, `w` and `h`, its `axes` say whether its value is `free` to change or
    `computed`, or "" if the element has no such value of its own.
    """
    node, around, flow = element.part.node, element.around, None
    tag, given, source = node.tag, node.attributes, node.source
    while around is not None and flow is None:
        outer, around = every[around].part.node, every[around].around
        flow = {"tag": outer.tag, "line": outer.source.at().line} if outer.tag in _FLOWS else None
    names, axes = GEOMETRY.get(tag, DEFAULT_GEOMETRY), dict.fromkeys("xywh", "")
    for axis, name in zip(axes, names, strict=True):
        text = given.get(name, "")
        if (text if axis in "wh" else not flow) and name in element.part.type.attributes:
            axes[axis] = "computed" if _is_computed(text) else "free"
    if tag == "path" and axes["x"] == "free" and not _MOVABLE_PATH.fullmatch(given.get("d", "")):
        axes["x"] = axes["y"] = ""
    paths = [op for op in walk(element.ops) if isinstance(op, FillPath | StrokePath)]
    shape = paths[0].outline if paths and tag in _OUTLINED else ()
    return {
        "number": source.ordinal,
        "own": source.path == path,
        "file": display_path(source.path, folder),
        "line": source.at().line,
        "start": source.document.starts()[source.ordinal][2],
        "tag": tag,
        "label": " ".join(extract_text(element.ops).split())[:_MAX_LABEL],
        "matrix": element.matrix,
        "frame": _find_frame(element),
        "extent": element.extent,
        "shape": path_data(transform_outline(shape, element.matrix)),
        "fills": any(isinstance(op, FillPath) for op in paths),
        "leaf": element.part.type.wrap is None or tag == "box",
        "around": element.around,
        "axes": axes,
        "names": names,
        "given": {name: given[name] for name in names if name in given},
        "flow": flow,
    }


_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LENGTH = re.compile(rf"(\s*)({_NUMBER})(\s*([a-z]*)\s*)")
_PATH_TOKEN = re.compile(rf"([a-zA-Z])|{_NUMBER}")
_PLACES = {"mm": 2, "cm": 3, "in": 4, "pt": 2}
"""The decimal places of each unit beyond which nobody sees a difference."""
_Microns = Annotated[int, Bounds(-1_000_000, 1_000_000)]


class Move(NamedTuple):
    """How far each edge of an element's box moves, in its coordinates and thousandths of a mm."""

    number: Annotated[int, Bounds()]
    left: _Microns = 0
    top: _Microns = 0
    right: _Microns = 0
    bottom: _Microns = 0


def _shift_number(text: str, by: float, places: int = 2) -> str:
    """Return a sum with as many digits as the number had, or more if it needs them."""
    digits = 0 if "e" in text.lower() else len(text.partition(".")[2])
    whole, _, rest = f"{float(text) + by:.{max(digits, places)}f}".partition(".")
    rest = rest[:digits] + rest[digits:].rstrip("0")
    number = f"{whole}.{rest}" if rest else whole
    return number if float(number) else number.removeprefix("-")


def shift_length(text: str, by: Mm) -> str:
    """Return a length plus some mm, in its unit; any other text stays as it is."""
    match = _LENGTH.fullmatch(text)
    if match is None or (unit := match[4] or "mm") not in MM_PER_UNIT:
        return text
    return match[1] + _shift_number(match[2], by / MM_PER_UNIT[unit], _PLACES[unit]) + match[3]


def shift_outline(text: str, dx: Mm, dy: Mm) -> str:
    """Return path data without arcs, or the points of a polygon, moved; relative parts stay."""
    steps, index = (dx, dy), 0

    def shift(match: re.Match[str]) -> str:
        nonlocal steps, index
        if command := match[1]:
            both = (dx, dy) if command.isupper() else (0, 0)
            steps, index = {"H": (dx, dx), "V": (dy, dy)}.get(command, both), 0
            return command
        by, index = steps[index % 2], index + 1
        number = _shift_number(match[0], by) if by else match[0]
        is_joined = text[match.start() - 1 : match.start()].isdigit() and number[0] not in "+-"
        return f" {number}" if is_joined else number

    return _PATH_TOKEN.sub(shift, text)


def move_element(text: str, path: Path, move: Move) -> str:
    """Return the text of a template with an element moved or resized.

    Raises:
        ChoiceError: if its numbers are computed, or it has none.
        GameError: if the text is not well-formed.
    """
    parse_root(path, text.encode())
    document = parse_elements(text)
    elements = [*document.walk()][1:]
    if move.number >= len(elements):
        raise ChoiceError("there is no such element in the text")
    element = elements[move.number]
    tag, given = element.tag, dict(element.attributes)
    known = ELEMENTS[tag].attributes if tag in ELEMENTS else {}
    for name, dx, dy in _find_changes(tag, given, *(each / 1000 for each in move[1:])):
        before = given.get(name, known[name].default if name in known else None)
        if not before:
            raise ChoiceError(f"`{tag}` has no `{name}` that can be changed")
        if _is_computed(before):
            message, hint = f"`{name}` is computed: `{before}`", "change the expression in the text"
            raise LocalizedError("template-computed", name, before, message=message, hint=hint)
        after = shift_length(before, dx) if dy is None else shift_outline(before, dx, dy)
        element.set(name, after, tuple(known))
    return str(document)


def _find_changes(
    tag: str, given: Mapping[str, str], left: Mm, top: Mm, right: Mm, bottom: Mm
) -> Iterator[tuple[str, Mm, Mm | None]]:
    """Yield the attributes that change if the edges of an element's box move, and by how much."""
    x, y, width, height = GEOMETRY.get(tag, DEFAULT_GEOMETRY)
    wider, higher = right - left, bottom - top
    is_round = tag in _ROUND
    if not width:
        yield x, left, top
        return
    if tag == "line":
        ends = [_LENGTH.match(given.get(name, "0")) for name in (x, width, y, height)]
        x1, x2, y1, y2 = (float(end[2]) if end else 0 for end in ends)
        across = (left, right) if x1 <= x2 else (right, left)
        down = (top, bottom) if y1 <= y2 else (bottom, top)
        changes = {x: across[0], y: down[0], width: across[1], height: down[1]}
    else:
        anchor = ANCHORS.get(given.get("text-anchor", ""), 0) if tag == "box" else is_round / 2
        changes = {x: left + anchor * wider, y: top + is_round / 2 * higher}
        if width == height:
            wider = higher = max(wider, higher, key=abs)
        changes |= {width: wider / (1 + is_round), height: higher / (1 + is_round)}
    yield from ((name, by, None) for name, by in changes.items() if abs(by) > TOLERANCE)


_SLICE_SECONDS = 0.06
"""The time slice, in seconds, for composing the faces of other cards."""


class TemplateRequest(NamedTuple):
    """A request about a template.

    Attributes:
        id: the template's path in the game's folder.
        values: its "text", if it differs from the file.
        state: the fingerprint of the file that the text is based on.
        face: the key of the face that shows it.
        others: the keys of other faces, to be composed as far as time allows.
        anyway: whether it is saved despite errors.
    """

    id: Text
    values: Values = MappingProxyType({})
    state: str = ""
    style: str = ""
    face: str = ""
    others: Annotated[list[str], Bounds(0, 10_000)] = []  # noqa: RUF012 - nobody changes it
    move: Move | None = None
    anyway: bool = False


class _Source(NamedTuple):
    """A template with the text of a request, and the content of its file before and after it."""

    path: Path
    text: str
    before: bytes
    after: bytes


class TemplateHandlers:
    """Handles the requests of the editor of templates."""

    def __init__(self, session: StudioSession) -> None:
        self._live_game, self._writer = session.live_game, session.writer
        # The game, template and content of the last request, and the game with that content.
        self._draft: tuple[Game, Path, bytes, Game] | None = None
        session.after_reload.append(self._forget_draft)

    def _forget_draft(self) -> None:
        self._draft = None

    def _read(self, request: TemplateRequest) -> _Source:
        """Read a template of the game itself, and apply a request to it.

        Raises:
            ChoiceError: if there is no such template, or an element cannot be moved.
            GameError: if it cannot be read, or an element of a broken text is to be moved.
        """
        folder = self._live_game.game.folder
        paths = (
            path for path in folder.own_files() if path.is_relative_to(folder.path / "templates")
        )
        known = {display_path(path, folder.path): path for path in paths}
        if request.id not in known:
            message = f"the game has no template `{request.id}` of its own"
            raise ChoiceError(message, known_hint(request.id, known))
        path = known[request.id]
        try:
            text, data = load_text(path), read_content(path, folder) or b""
        except OutputError as error:
            raise GameError(error.findings) from None
        wanted = request.values.get("text")
        wanted = text if wanted is None else wanted
        if request.move is not None:
            wanted = move_element(wanted, path, request.move)
        return _Source(path, wanted, data, replace_text(data, wanted))

    def _sides(self) -> Iterator[tuple[FaceName, str]]:
        """Yield all faces with the names of their templates."""
        model = self._live_game.game.model
        for card, owner, _ in model.printable_cards():
            back = back_of(model, card, owner) if owner else None
            for part in range(1, card.parts + 1) if owner else ():
                yield FaceName(owner, card.id, part=part), card.kind.face
                if back is not None:
                    yield FaceName(owner, card.id, back=True, part=part), back.template

    @get("/api/edit/template/form")
    def form(self, id: str, style: str = "") -> Json:  # noqa: A002 - as sent
        """Return the text of a template, and the keys of the faces that show it."""
        source, chosen = self._read(TemplateRequest(id)), require_style(self._live_game.game, style)

        @cache
        def includes(path: Path) -> list[str]:
            root = load_document(path, []) if path.is_file() else None
            nodes = root.walk() if root else ()
            return [node.get("href") or "" for node in nodes if node.tag == "include"]

        @cache
        def is_shown_by(template: str) -> bool:
            names, found = ["styles.xml", template], set[Path]()
            while names:
                path = self._live_game.game.folder.template(names.pop(), chosen)
                names += () if path in found else includes(path)
                found.add(path)
            return source.path in found

        return {
            "thing": {"of": "template", "id": id},
            "title": source.path.name,
            "place": {"path": id, "line": 1},
            "state": fingerprint_of(source.before),
            "editable": not self._writer.read_only,
            "fields": [{"name": "text", "type": "text", "needed": True, "value": source.text}],
            "children": [],
            "faces": [face_key(name) for name, template in self._sides() if is_shown_by(template)],
        }

    @post("/api/edit/template/preview")
    def preview(self, body: Json) -> Json:
        """Return the face of a draft with its elements and findings, and other faces."""
        request = parse_fields(TemplateRequest, body)
        source = self._read(request)
        answer, findings = self._compose(request, source)
        return {"text": source.text, **answer, "findings": findings}

    def _compose(self, request: TemplateRequest, source: _Source) -> tuple[Json, list[FindingData]]:
        """Return the faces of a draft, the elements of the first one, and its findings."""
        path, game, pictures = source.path, self._live_game.game, self._live_game.pictures
        style, until = require_style(game, request.style), time.monotonic() + _SLICE_SECONDS
        faces, elements, findings = dict[str, Json](), list[PlacedElement](), list[Diagnostic]()
        try:
            parse_root(path, source.after)
        except GameError as error:
            findings += error.findings
        if self._draft is None or self._draft[:3] != (game, path, source.after):
            changed = {path: source.after} if source.after != source.before else None
            other = game.with_files(changed) if changed else game
            self._draft = game, path, source.after, other
        names = {face_key(name): name for name, _ in self._sides()}
        for key in (request.face, *request.others) if not findings else ():
            if key not in names or (faces and time.monotonic() > until):
                continue
            name = names[key]
            card = self._draft[3].card(name.card, faction=name.faction)
            side = compose_side(card, style, name.part, back=name.back)
            face = side.face
            faces[key] = {
                "hash": face and pictures.add(face),
                "faulty": face is not None and side.faulty,
            }
            if key == request.face:
                findings += side.findings
                if face is not None:
                    pictures.paint(face)
                    elements = face.elements()[:_MAX_ELEMENTS]
        serialized = [_serialize_element(each, elements, path, game.path) for each in elements]
        found = [serialize_finding(each, game.path) for each in dict.fromkeys(findings)]
        return {"faces": faces, "elements": serialized}, found

    @post("/api/edit/template/save", writes=True)
    def save(self, body: Json) -> Json:
        """Write the text of a template to its file; return its form.

        This is refused if it has errors, or the file has changed since it was read.
        """
        request = parse_fields(TemplateRequest, body)
        source = self._read(request)
        if request.state != fingerprint_of(source.before):
            raise report_conflict(form=self.form(request.id, request.style))
        found = self._compose(request, source)[1]
        errors = [each for each in found if each.is_error and each.code[0] in "XT"]
        broken = any(each.code[0] == "X" for each in errors)
        if errors and (broken or not request.anyway):
            raise reject([each._asdict() for each in errors], anyway=not broken)
        self._writer.write({source.path: FileWrite(source.after, request.state)})
        return {"form": self.form(request.id, request.style)}
