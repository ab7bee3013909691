"""Compile templates: check their elements and attributes, and write their Jinja programs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from deckwright.diagnostics import Code, Diagnostic, Report, Severity, known_hint
from deckwright.face.attributes import Palette, Values
from deckwright.face.elements import ELEMENTS, ElementType
from deckwright.face.richtext import MARK
from deckwright.face.template import END, RECORD, VALUE, Part, Template
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import S007

if TYPE_CHECKING:
    from deckwright.face.expressions import Expressions

T001 = Code("T001", Severity.ERROR, "an unknown element in a template")
T002 = Code("T002", Severity.ERROR, "an unknown attribute in a template")
T003 = Code("T003", Severity.ERROR, "a missing attribute in a template")
T004 = Code("T004", Severity.ERROR, "a wrong value in a template")
T005 = Code("T005", Severity.ERROR, "an expression in a template that cannot be read")
T011 = Code("T011", Severity.ERROR, "templates that include each other without end")

_INLINE = ("b", "i", "sc", "br", "p", "icon")
_CONTROLS = ("each", "when", "class")
_INCLUDE = ("href", "with", "each", "when")


class Library(NamedTuple):
    """What templates share.

    Attributes:
        palette: the names of colors.
        styles: attributes by style name, for `class`.
        load: returns the root element of another template, for `include`; None after reporting
            why there is none. It takes the name, and the element that asks for it.
    """

    palette: Palette
    styles: Mapping[str, Mapping[str, str]]
    load: Callable[[str, Node], Node | None]


def compile_template(
    root: Node, library: Library, expressions: Expressions, report: Report
) -> Template | None:
    """Return the template with this root element, or None after reporting what is wrong with it."""
    from jinja2 import TemplateSyntaxError  # noqa: PLC0415 - keeps checks without faces quick

    writer = _Writer(library, report)
    before = len(report)
    for node in root.children:
        writer.element(node)
    if len(report) > before:
        return None
    source = "".join(writer.chunks)
    try:
        program = expressions.compile(source)
    except (SyntaxError, RecursionError, MemoryError, OverflowError):
        message = "the elements are nested too deeply, or an expression is too long"
        report.append(T005.at(root.source.at(), message))
        return None
    except TemplateSyntaxError as error:
        position = max(0, bisect_right(writer.lines, error.lineno) - 1)
        node = writer.nodes[position]
        reason = (error.message or "it is not an expression").rstrip(".").replace("'", "`")
        message = f"an expression of `{node.tag}` cannot be read: {reason}"
        report.append(T005.at(node.source.at(), message, "write expressions as `{{ card.name }}`"))
        return None
    return Template(
        root,
        library.palette,
        expressions,
        writer.parts,
        program,
        writer.lines,
        writer.nodes,
    )


class _Writer:
    """Writes the Jinja program of a template and collects its parts."""

    def __init__(self, library: Library, report: Report) -> None:
        self.shared = library
        self.report = report
        self._including: list[str] = []
        self.parts: list[Part] = []
        self.chunks: list[str] = []
        self.lines: list[int] = []
        self.nodes: list[Node] = []
        self._line = 1

    def _write(self, node: Node, text: str) -> None:
        """Write a chunk; a line break inside of a comment keeps one element a line."""
        self.lines.append(self._line)
        self.nodes.append(node)
        self.chunks.append(text + "{#\n#}")
        self._line += text.count("\n") + 1

    def element(self, node: Node) -> None:
        """Write the program of an element and of what it holds."""
        if node.tag == "include":
            self._include(node)
            return
        kind = ELEMENTS.get(node.tag)
        if kind is None:
            self.report.append(_unknown_element(node, [*ELEMENTS, "include"]))
            return
        part, values = self._part(node, kind)
        self.parts.append(part)
        self._write(node, f"{self._open(node)}{RECORD}{len(self.parts) - 1}{values}")
        if kind.wrap:
            for child in node.children:
                self.element(child)
            self._write(node, RECORD + END)
        self._write(node, _close(node))

    def _include(self, node: Node) -> None:
        """Write the elements of another template, which see the names that `with` gives."""
        self._check_names(node, _INCLUDE)
        href = node.get("href")
        if href is None:
            hint = 'add `href="…"` with the name of a template'
            self.report.append(T003.at(node.source.at(), "`include` has no attribute `href`", hint))
            return
        if href in self._including:
            around = " → ".join([*self._including, href])
            message = f"the templates include each other without end: {around}"
            self.report.append(T011.at(node.source.at("href"), message, "take one of them out"))
            return
        root = self.shared.load(href, node)
        if root is None:
            return
        given = node.get("with")
        opened, closed = self._open(node), _close(node)
        self._write(node, opened + (f"{{% with {given} %}}" if given else ""))
        self._including.append(href)
        for child in root.children:
            self.element(child)
        self._including.pop()
        self._write(node, ("{% endwith %}" if given else "") + closed)

    def _check_names(self, node: Node, known: Collection[str]) -> None:
        """Report attributes that an element does not have."""
        for name in node.attributes:
            if name not in known:
                message = f"`{node.tag}` has an unknown attribute `{name}`"
                hint = known_hint(name, known)
                self.report.append(T002.at(node.source.at(name), message, hint))

    def _check_text(self, node: Node) -> None:
        """Report text where only elements belong."""
        texts = (node.text, *(child.tail for child in node.children))
        stray = next((text.strip() for text in texts if text.strip()), None)
        if stray is not None:
            message = f"`{node.tag}` holds the text `{stray[:40]}`, which is not printed"
            self.report.append(S007.at(node.source.at(), message, "put it into a `text` element"))

    def _style(self, node: Node) -> Mapping[str, str]:
        """Return the attributes that the element's style gives it."""
        name = node.get("class")
        if name is None:
            return {}
        if name not in self.shared.styles:
            hint = known_hint(name, self.shared.styles)
            message = f"there is no style `{name}` in styles.xml"
            self.report.append(T004.at(node.source.at("class"), message, hint))
        return self.shared.styles.get(name, {})

    def _open(self, node: Node) -> str:
        """Return the program that begins an element's loop and condition."""
        each, when = node.get("each"), node.get("when")
        opened = ""
        if each is not None:
            name, found, items = each.partition(" in ")
            if not found or not name.replace(",", "").replace(" ", "").isidentifier():
                self.report.append(
                    T005.at(
                        node.source.at("each"),
                        f"`each` is `{each}`",
                        'write it as `each="row in card.rows"`',
                    )
                )
                return ""
            opened += f"{{% for {name} in {items} %}}"
        if when is not None:
            opened += f"{{% if {when} %}}"
        return opened

    def _part(self, node: Node, kind: ElementType) -> tuple[Part, str]:
        """Return the part for an element, and the program that writes its dynamic values."""
        constants: Values = {}
        dynamic = []
        style = self._style(node)
        for name, attribute in kind.attributes.items():
            text = node.get(name, style.get(name, attribute.default))
            if text is None:
                message = f"`{node.tag}` has no attribute `{name}`"
                hint = f'add `{name}="…"`: {attribute.says}'
                self.report.append(T003.at(node.source.at(), message, hint))
            elif "{{" in text or "{%" in text:
                dynamic.append((name, text))
            else:
                try:
                    constants[name] = attribute.parse(text, self.shared.palette)
                except ValueError as error:
                    message = f"`{name}` of `{node.tag}`: {error}"
                    hint = f"write {attribute.says}"
                    self.report.append(T004.at(node.source.at(name), message, hint))
        self._check_names(node, [*kind.attributes, *_CONTROLS])
        if not kind.holds_text:
            self._check_text(node)
        if kind.holds_text:
            dynamic.append(("text", self._text(node)))
        elif not kind.wrap:
            self.report.extend(_unknown_element(child, []) for child in node.children)
        names = tuple(name for name, _ in dynamic)
        return Part(node, kind, constants, names), "".join(VALUE + text for _, text in dynamic)

    def _text(self, node: Node) -> str:
        """Return the program of the text inside an element, with its inline markup."""
        pieces = [node.text]
        for child in node.children:
            pieces += [self._inline(child), child.tail]
        return "".join(pieces)

    def _inline(self, node: Node) -> str:
        if node.tag not in _INLINE:
            self.report.append(_unknown_element(node, [*_INLINE]))
            return ""
        opened, closed = self._open(node), _close(node)
        self._check_names(
            node, ("each", "when", "name") if node.tag == "icon" else ("each", "when")
        )
        if node.tag == "icon":
            if node.get("name") is None:
                message = "`icon` has no attribute `name`"
                self.report.append(T003.at(node.source.at(), message, 'add `name="…"`'))
            inner = f"{MARK}icon {node.get('name')}{MARK}"
        elif node.tag == "br":
            inner = f"{MARK}br{MARK}"
        else:
            inner = f"{MARK}{node.tag}{MARK}{self._text(node)}{MARK}/{node.tag}{MARK}"
        return f"{opened}{inner}{closed}"


def _close(node: Node) -> str:
    closed = "{% endif %}" if node.get("when") is not None else ""
    return closed + ("{% endfor %}" if node.get("each") is not None else "")


def _unknown_element(node: Node, known: list[str]) -> Diagnostic:
    message = f"there is no template element `{node.tag}` here"
    return T001.at(node.source.at(), message, known_hint(node.tag, known))
