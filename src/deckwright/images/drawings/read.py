"""Read SVG drawings: from a file to ops.

What is on the lists of `accepted.py` is drawn as browsers draw it; anything else is refused with
its name and place, rather than drawn wrongly.
"""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Diagnostic, Location
from deckwright.base.geometry import IDENTITY, Matrix, times
from deckwright.images.drawings.accepted import ACTING, ACTING_NAMESPACES, ELEMENTS, PASSED_OVER
from deckwright.images.drawings.canvas import canvas
from deckwright.images.drawings.model import (
    MAX_SEGMENTS,
    Drawing,
    DrawingError,
    RefusedError,
    reach,
    size_of,
)
from deckwright.images.drawings.paint import painted
from deckwright.images.drawings.shapes import outline
from deckwright.images.drawings.style import INITIAL, Style, styled
from deckwright.images.drawings.transforms import Size, transform
from deckwright.images.drawings.values import refusal, share
from deckwright.ops.model import Op
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.positions import instruction

SVG = "http://www.w3.org/2000/svg"

_SHOWN = frozenset({"inline", "block", "inline-block"})
_HAIR = 1e-6


def read_drawing(path: Path) -> Drawing:
    """Return the drawing in the file at `path`.

    Raises:
        DrawingError: if it cannot be read, or has what cannot be drawn.
    """
    report: list[Diagnostic] = []
    root = load_document(path, report)
    if root is None:
        finding = report[0]
        raise DrawingError(finding.message, finding.location or Location(path), finding.hint)
    place = instruction(root.source.document.text, "xml-stylesheet")
    if place is not None:
        message = "the style sheet that `xml-stylesheet` names cannot be drawn"
        raise DrawingError(message, root.source.at()._replace(line=place[0], column=place[1]))
    return _Reader().drawing(root)


class _Reader:
    """Reads one drawing."""

    def __init__(self) -> None:
        self._ops: list[Op] = []
        self._left = MAX_SEGMENTS
        self._view: Size = (0, 0)

    def drawing(self, root: Node) -> Drawing:
        """Return the drawing with this root element.

        Raises:
            DrawingError: with the first thing that cannot be drawn.
        """
        namespace, tag = _split(root.tag)
        if tag != "svg":
            raise _placed(root, RefusedError(f"the root element is `{tag}`, not `svg`"))
        if namespace != SVG:
            hint = f'write `<svg xmlns="{SVG}" …>`'
            raise _placed(root, RefusedError("the `svg` does not say that it is SVG", None, hint))
        try:
            style = styled(tag, root.attributes, INITIAL)
            area = canvas(root, style)
            _check_root(style, area.view)
            self._view = area.view
        except RefusedError as error:
            raise _placed(root, error) from None
        self._draw_children(root, style, area.matrix)
        width, height = area.size
        beyond = (
            min(box.x, box.y, width - box.right, height - box.bottom) < -_HAIR * max(width, height)
            for box in map(reach, self._ops)
        )
        return Drawing(width, height, tuple(self._ops), overflows=any(beyond))

    def _draw_children(self, node: Node, style: Style, matrix: Matrix) -> None:
        for child in node.children:
            namespace, tag = _split(child.tag)
            try:
                if namespace == SVG and tag in ELEMENTS:
                    self._draw(tag, child, style, matrix)
                else:
                    _pass_over(child)
            except RefusedError as error:
                raise _placed(child, error) from None

    def _draw(self, tag: str, node: Node, around: Style, matrix: Matrix) -> None:
        """Draw a group or a shape."""
        if tag == "svg":
            raise RefusedError("an `svg` in another cannot be drawn")
        style = styled(tag, node.attributes, around)
        if not _is_shown(style):
            for child in node.children:
                _check_still(child)
            return
        placed = times(matrix, transform(style, self._view))
        if tag == "g":
            self._draw_children(node, style, placed)
            return
        for child in node.children:
            _pass_over(child)
        drawn = outline(tag, node, style, self._view)
        ops = tuple(painted(drawn, style, placed, self._view))
        self._ops += ops
        self._left -= max(len(drawn) + 1, size_of(ops) // 2)
        if self._left < 0:
            raise RefusedError(f"the drawing has more than {MAX_SEGMENTS:,} lines and curves")


def _check_root(style: Style, view: Size) -> None:
    """Refuse what can be drawn of elements in the root, but not of the root itself."""
    without_effect = {
        "transform": transform(style, view) == IDENTITY,
        "opacity": share(style.get("opacity"), "opacity") == 1,
        "display": style.get("display").lower() in _SHOWN,
    }
    for name, right in without_effect.items():
        if not right:
            raise refusal(name, style.get(name), "which cannot be drawn on the `svg` itself")


def _is_shown(style: Style) -> bool:
    """Return whether an element is drawn at all.

    Raises:
        RefusedError: if it is half transparent.
    """
    display = style.get("display").lower()
    if display == "none":
        return False
    if display not in _SHOWN:
        raise refusal("display", display, "which cannot be drawn")
    opacity = share(style.get("opacity"), "opacity")
    if 0 < opacity < 1:
        hint = "mix its colors with those below it"
        raise refusal("opacity", style.get("opacity"), "which cannot be drawn", hint)
    return opacity > 0


def _pass_over(node: Node) -> None:
    """Pass over an element that shows nothing.

    Raises:
        RefusedError: for any that may show something, or change what is shown.
    """
    namespace, tag = _split(node.tag)
    if namespace == SVG and tag not in PASSED_OVER:
        raise RefusedError(f"`{tag}` cannot be drawn")
    _check_still(node)


def _check_still(node: Node) -> None:
    """Check that nothing in an element changes what is outside of it.

    Raises:
        DrawingError: if anything does.
    """
    for inner in node.walk():
        namespace, tag = _split(inner.tag)
        if namespace in ACTING_NAMESPACES or (namespace == SVG and tag in ACTING):
            raise _placed(inner, RefusedError(f"`{tag}` cannot be drawn"))


def _split(tag: str) -> tuple[str, str]:
    """Return the namespace and the name of a tag."""
    namespace, _, name = tag.rpartition("}")
    return namespace.removeprefix("{"), name


def _placed(node: Node, error: RefusedError) -> DrawingError:
    """Return the error that says where in its file a drawing has what is refused."""
    hint = error.hint or "draw it with paths and basic shapes, or export the drawing as PNG"
    return DrawingError(str(error), node.source.at(error.attribute), hint)
