"""Compile templates: check elements and attributes, and write the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Code, Diagnostic, Report, Severity, import_all, known_hint
from deckwright.expressions import ExpressionSyntaxError
from deckwright.templates import elements
from deckwright.templates.attributes import AttributeType, AttributeValues, Palette
from deckwright.templates.elements import ELEMENTS, ElementType
from deckwright.templates.program import (
    Extent,
    SourceRecorder,
    StopReadingError,
    TemplateLimits,
    load_program,
    store_program,
)
from deckwright.templates.template import (
    EDGES,
    EMPTY_TAGS,
    END,
    INCLUDED,
    INLINE,
    RECORD,
    VALUE,
    Template,
    TemplatePart,
    encode_start,
)
from deckwright.text.richtext import CODE_MARK
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import S007

if TYPE_CHECKING:
    from deckwright.expressions.expressions import Expressions
    from deckwright.templates.program_writer import ProgramWriter

T001 = Code("T001", Severity.ERROR, "an unknown element in a template")
T002 = Code("T002", Severity.ERROR, "an unknown attribute in a template")
T003 = Code("T003", Severity.ERROR, "a missing attribute in a template")
T004 = Code("T004", Severity.ERROR, "a wrong value in a template")
T005 = Code("T005", Severity.ERROR, "an expression in a template that cannot be read")
T011 = Code("T011", Severity.ERROR, "templates that include each other endlessly")

_CONTROL_ATTRIBUTES = ("each", "when", "class")
_INCLUDE_ATTRIBUTES = ("href", "with", "each", "when")
_DECIMAL_COMMA = re.compile(r"\s*([+-]?\d*),(\d+\s*(?:mm|cm|in|pt)?)\s*")
_EXAMPLES = {
    "each": 'write it as `each="row in card.rows"`',
    "when": 'write it as `when="card.image"`',
    "with": 'write it as `with="size=4, color=card.color"`',
}
_WHEN = 'write `when="…"` on the element'
_EACH = 'write `each="… in …"` on the element'
_CONTROL_HINTS = {"if": _WHEN, "test": _WHEN, "for": _EACH, "foreach": _EACH, "repeat": _EACH}
_CONTROL_HINTS |= {"when": _WHEN, "each": _EACH}
"""Hints about elements and attributes of other languages."""
_SYNONYMS = {
    "src": "href",
    "file": "href",
    "color": "fill",
    "colour": "fill",
    "background": "fill",
    "border": "stroke",
    "size": "font-size",
    "font": "font-family",
    "bold": "font-weight",
    "italic": "font-style",
    "align": "text-anchor",
    "text-align": "text-anchor",
    "vertical-align": "valign",
    "angle": "rotate",
    "rotation": "rotate",
}
"""What attributes are called in other languages and programs, and here."""

import_all(elements)


class IncludeContext(NamedTuple):
    """The place where a template is included.

    Attributes:
        names: the templates that include it, outermost first, and its own name.
        depth: its depth in their elements.
    """

    names: tuple[str, ...] = ()
    depth: int = 0


NOT_INCLUDED = IncludeContext()
"""The context of a template that is not included."""


class TemplateLibrary(NamedTuple):
    """The resources that templates share.

    Attributes:
        styles: attributes by style name, for `class`.
        load: returns another template for `include`, None after reporting why there is none. It
            takes the name, the including element, and its context.
    """

    palette: Palette
    styles: Mapping[str, Mapping[str, str]]
    load: Callable[[str, Node, IncludeContext], Template | None]


def compile_template(
    root: Node,
    library: TemplateLibrary,
    expressions: Expressions,
    report: Report,
    within: IncludeContext = NOT_INCLUDED,
) -> Template | None:
    """Return the template, compiled for where it is included, if it is; None after errors."""
    sources, before = SourceRecorder(), len(report)
    written = _TemplateWriter(root, library, within, sources, report)
    known = load_program(sources) if written.is_valid else None
    if known is None:
        included_findings = written.included_findings
        del report[before:]  # the errors are found again, together with those in expressions
        from deckwright.templates.program_writer import ProgramWriter  # imports Jinja

        program = ProgramWriter(expressions)
        written = _TemplateWriter(root, library, within, program, report)
        # Included templates are not read again, so their findings are restored.
        report[before:before] = [
            finding for finding in included_findings if finding not in written.included_findings
        ]
        if not written.is_valid:
            return None
        try:
            known = program.compile(), program.free_names
        except ExpressionSyntaxError as error:
            report.append(T005.at(root.source.at(), error.message, error.hint))
            return None
        store_program(sources, *known)
    code, free = known
    done = expressions.load_program(code)

    def compile_edges() -> Template | None:
        children = [child for child in root.children if child.tag in EDGES]
        edges = Node(root.tag, root.attributes, root.source, children=children)
        return compile_template(edges, library, expressions, [], within)

    return Template(
        root, library.palette, free, written.limits.extent, written.included,
        written.parts, done, written.nodes, expressions, compile_edges,
    )  # fmt: skip


class _TemplateWriter:
    """Writes the program of a template, collects its elements and reports errors."""

    def __init__(
        self,
        root: Node,
        library: TemplateLibrary,
        within: IncludeContext,
        program: ProgramWriter | SourceRecorder,
        report: Report,
    ) -> None:
        self.program = program
        self.parts: list[TemplatePart] = []
        self.nodes: list[Node] = []
        self._library = library
        self._within = within
        self._report = report
        self.limits = TemplateLimits(root, program, report, within.depth)
        self.included: dict[str, Template] = {}
        self.is_valid = True
        """True unless the template or an included one has errors."""
        self.included_findings: Report = []
        """The findings about included templates."""
        self._texts: list[str] = []
        before = len(report)
        with suppress(StopReadingError):
            for node in root.children:
                self.write_element(node)
        self.is_valid &= len(report) == before

    def write_element(self, node: Node) -> None:
        """Write the program of an element and its contents."""
        self.limits.enter(node)
        self.nodes.append(node)
        self.program.at(len(self.nodes))
        if node.tag == "include":
            self._write_include(node)
        elif node.tag in ELEMENTS:
            self._write_drawn_element(node, ELEMENTS[node.tag])
        else:
            self.limits.report(_unknown_element(node, [*ELEMENTS, "include"]))
        self.limits.leave()

    def _write_drawn_element(self, node: Node, kind: ElementType) -> None:
        opened = self._open(node)
        style: Mapping[str, str] = {}
        if (class_ := node.get("class")) is not None:
            styles = self._library.styles
            if class_ not in styles:
                hint = known_hint(class_, styles)
                if not styles:
                    example = f'<styles><style name="{class_}" font-size="9pt"/></styles>'
                    hint = f"write templates/styles.xml with `{example}`"
                message = f"there is no style `{class_}` in styles.xml"
                self.limits.report(T004.at(node.source.at("class"), message, hint))
            style = styles.get(class_, {})
        self.limits.add_extent(node, Extent(0, sum(map(len, style.values())), 0))
        constants: AttributeValues = {}
        dynamic: list[tuple[str, str]] = []
        for name, attribute in kind.attributes.items():
            text = node.get(name, style.get(name, attribute.default))
            value = self._parse_value(node, name, attribute, text)
            if text is not None and _is_dynamic(text):
                dynamic.append((name, text))
            elif value is not _NO_VALUE:
                constants[name] = value
        self._check_names(node, [*kind.attributes, *_CONTROL_ATTRIBUTES])
        if not kind.holds_text:
            texts = (node.text, *(child.tail for child in node.children))
            stray = next((text.strip() for text in texts if text.strip()), None)
            if stray is not None:
                message = f"`{node.tag}` holds the text `{stray[:40]}`, which is not printed"
                hint = "put it into a `text` element"
                self.limits.report(S007.at(node.source.at(), message, hint))
            for child in () if kind.wrap else node.children:
                self.limits.report(_unknown_element(child, []))
        self.program.data(f"{RECORD}{len(self.parts)}")
        for name, source in dynamic:
            self.program.data(VALUE)
            self._write(node, name, source)
        names = [name for name, _ in dynamic]
        if kind.holds_text:
            names.append("text")
            self.program.data(VALUE)
            self._collect_text(node)
            self._flush_text(node)
        self.parts.append(TemplatePart(node, kind, constants, tuple(names)))
        if kind.wrap:
            for child in node.children:
                self.write_element(child)
            self.program.data(RECORD + END)
        self._close(opened)

    def _write(self, node: Node, name: str, source: str) -> None:
        """Write a value with expressions, of the attribute `name` or the "text"."""
        try:
            self.program.value(source, markup=name == "text")
        except ExpressionSyntaxError as error:
            self._report_syntax(node, name, error, "write expressions as `{{ card.name }}`")
        self.limits.check_size(node)

    def _report_syntax(
        self, node: Node, name: str, error: ExpressionSyntaxError, hint: str
    ) -> None:
        where = f"`{name}` of `{node.tag}`" if name in node.attributes else f"`{node.tag}`"
        place = node.source.at(name if name in node.attributes else None)
        message = f"an expression of {where} cannot be read: {error.message}"
        self.limits.report(T005.at(place, message, error.hint or hint))

    def _open(self, node: Node, *more: str) -> int:
        """Begin an element's loop and condition, and `more`; return the number of open blocks."""
        begin = {
            "each": self.program.begin_loop,
            "when": self.program.when,
            "with": self.program.assign,
        }
        opened = 0
        for name in ("each", "when", *more):
            source = node.get(name)
            if source is None:
                continue
            try:
                begin[name](source)
                opened += 1
            except ExpressionSyntaxError as error:
                self._report_syntax(node, name, error, _EXAMPLES[name])
        self.limits.check_size(node)
        return opened

    def _close(self, opened: int) -> None:
        for _ in range(opened):
            self.program.end()

    def _write_include(self, node: Node) -> None:
        """Write the elements of an included template, which can use the names given by `with`."""
        self._check_names(node, _INCLUDE_ATTRIBUTES)
        href = node.get("href")
        if href is None:
            hint = 'add `href="…"` with the name of a template'
            message = "`include` has no attribute `href`"
            self.limits.report(T003.at(node.source.at(), message, hint))
            return
        if href in self._within.names:
            around = " → ".join([*self._within.names, href])
            message = f"the templates include each other endlessly: {around}"
            self.limits.report(T011.at(node.source.at("href"), message, "remove one of them"))
            return
        if href not in self.included:
            within = IncludeContext((*self._within.names, href), self.limits.depth)
            before = len(self._report)
            loaded = self._library.load(href, node, within)
            self.included_findings += self._report[before:]
            self.limits.report()
            if loaded is None:
                self.is_valid = False
                return
            self.included |= {**loaded.included, href: loaded}
        template = self.included[href]
        self.limits.add_extent(node, template.extent)
        opened = self._open(node, "with")
        self.program.data(f"{RECORD}{INCLUDED}{href}")
        self.program.include(href, template.names)
        self.program.data(RECORD + END)
        self._close(opened)

    def _check_names(self, node: Node, known: Collection[str]) -> None:
        """Report unknown attributes."""
        for name in node.attributes:
            if name not in known:
                message = f"`{node.tag}` has an unknown attribute `{name}`"
                meant = _SYNONYMS.get(name, name)
                meant = meant if meant in known else name
                hint = _CONTROL_HINTS.get(name) or known_hint(meant, known)
                self.limits.report(T002.at(node.source.at(name), message, hint))

    def _parse_value(
        self, node: Node, name: str, attribute: AttributeType, text: str | None
    ) -> object:
        """Return the value of a constant attribute, or report that it is invalid or missing."""
        if text is None:
            message = f"`{node.tag}` has no attribute `{name}`"
            hint = f'add `{name}="…"`: {attribute.description}'
            self.limits.report(T003.at(node.source.at(), message, hint))
        elif not _is_dynamic(text):
            try:
                return attribute.parse(text, self._library.palette)
            except ValueError as error:
                message = f"`{name}` of `{node.tag}`: {error}"
                comma = _DECIMAL_COMMA.fullmatch(text)
                right = f"`{comma[1]}.{comma[2]}`" if comma else attribute.description
                self.limits.report(T004.at(node.source.at(name), message, f"write {right}"))
        return _NO_VALUE

    def _collect_text(self, node: Node) -> None:
        """Collect the text inside an element, with its inline markup."""
        self._texts.append(node.text)
        for child in node.children:
            self.limits.enter(child)
            known = INLINE.get(child.tag)
            if known is None:
                self.limits.report(_unknown_element(child, [*INLINE]))
            else:
                controlled = "each" in child.attributes or "when" in child.attributes
                if controlled:
                    self._flush_text(child)
                opened = self._open(child)
                self._check_names(child, ("each", "when", *known))
                for name, attribute in known.items():
                    if name in child.attributes or attribute.default is None:
                        self._parse_value(child, name, attribute, child.get(name))
                self._texts.append(encode_start(child.tag, child.attributes))
                if child.tag not in EMPTY_TAGS:
                    self._collect_text(child)
                    self._texts.append(f"{CODE_MARK}/{child.tag}{CODE_MARK}")
                if controlled:
                    self._flush_text(child)
                self._close(opened)
            self.limits.leave()
            self._texts.append(child.tail)

    def _flush_text(self, node: Node) -> None:
        """Write the collected text in one go, as an expression may span its markup."""
        source = "".join(self._texts)
        self._texts.clear()
        if source:
            self._write(node, "text", source)


_NO_VALUE = object()
"""Stands for a missing, invalid or dynamic value."""


def _is_dynamic(text: str) -> bool:
    """Return whether a value contains expressions."""
    return "{{" in text or "{%" in text


def _unknown_element(node: Node, known: list[str]) -> Diagnostic:
    message = f"there is no template element `{node.tag}` here"
    hint = _CONTROL_HINTS.get(node.tag) or known_hint(node.tag, known)
    return T001.at(node.source.at(), message, hint)
