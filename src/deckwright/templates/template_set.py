"""The templates of a game, each compiled once."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.cache import truncate_dict
from deckwright.base.colors import resolve_color
from deckwright.base.files import is_file, list_folder, path_exists
from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.base.units import format_number
from deckwright.game.folder import GameFolder
from deckwright.game.language import picture_folders
from deckwright.game.model import Game
from deckwright.game.read import load_valid
from deckwright.game.translation import replace_template, translate
from deckwright.ops.model import walk
from deckwright.templates.compiler import (
    NOT_INCLUDED,
    T001,
    IncludeContext,
    TemplateLibrary,
    compile_template,
)
from deckwright.templates.template import Template, TemplatePart
from deckwright.text.richtext import encode_markup
from deckwright.xmlio.binding import attr, bound, elements, model_shape, read_model, rest
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node, Source
from deckwright.xmlio.shape import COLOR, ID

if TYPE_CHECKING:
    from deckwright.expressions.expressions import Expressions


def make_formatter(language: str) -> Callable[[object], object]:
    """Return the function that formats values for texts: it parses markup and localizes decimals.

    Lists are joined by commas; of a term, a card or the like, the name is printed.
    """
    from deckwright.expressions.filters import to_text  # imports Jinja

    def ready(value: object) -> object:
        if isinstance(value, str):
            return encode_markup(str(value))
        if type(value) is float:
            return format_number(value, language)
        if type(value) is list:
            return ", ".join(to_text(ready(item)) for item in value)
        return ready(value["name"]) if type(value) is dict and "name" in value else value

    return ready


@bound
class _NamedColor(NamedTuple):
    """A named color."""

    name: str = attr("its name in templates", ID, unique=True)
    value: str = attr("the printed color", COLOR, convert=resolve_color)


@bound
class _Style(NamedTuple):
    """Attributes for all elements that name it as their `class`."""

    name: str = attr("its name, for `class`", ID, unique=True)
    attributes: Mapping[str, str] = rest()


@bound
class StyleSheet(NamedTuple):
    """Colors and styles that all templates can use by name."""

    colors: Mapping[str, str] = elements("color", of=_NamedColor, convert=dict)
    styles: Mapping[str, Mapping[str, str]] = elements("style", of=_Style, convert=dict)


STYLES_SHAPE = model_shape(StyleSheet, "styles")


T010 = Code("T010", Severity.ERROR, "a template that does not exist")


_STYLES_FILE = "styles.xml"
"""The file of named colors and styles, which all templates may use."""


class TemplateSet:
    """The templates of a game in a style.

    Attributes:
        style: the folder in `templates/` whose templates take precedence; None for the default.
        usable: whether fonts and symbols were loaded; otherwise nothing is composed.
    """

    def __init__(self, game: Game, folder: GameFolder, style: str | None) -> None:
        self.game = game
        self.style = style
        self.usable = True
        self.folder = folder
        self._styles: StyleSheet | None = None
        self._templates: dict[str, Template | None] = {}
        self._files: dict[str, set[str]] = {}
        """The names of the files that each template depends on."""
        self._previous_style = self.style, self._templates, self._files
        """The previous style, with its compiled templates and their files."""

    @cached_property
    def _expressions(self) -> "Expressions":
        """What evaluates the expressions of templates."""
        # It imports Jinja, which a deck that is printed again does not need.
        from deckwright.expressions.expressions import Expressions

        language = self.game.setup.language
        images = picture_folders(self.folder.images)
        return Expressions(images, make_formatter(language), language)

    def template(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        """Return the template that a place names; None after reporting its errors, once."""
        if not self.usable:
            return None
        if name not in self._templates:
            self._templates[name] = self._compile(name, source, attribute, report)
        return self._templates[name]

    def is_compiled(self, name: str) -> bool | None:
        """Return whether a template was compiled successfully, None if not tried yet."""
        return self._templates[name] is not None if name in self._templates else None

    def switch_style(self, style: str | None, changed: Collection[str] = ()) -> None:
        """Switch to another style; templates with the same, unchanged files are used again."""
        known = {
            name: template
            for name, template in self._templates.items()
            if _STYLES_FILE not in changed and self._files.get(name, {name}).isdisjoint(changed)
        }
        self._previous_style = self.style, known, self._files
        self.style, self._styles, self._templates, self._files = style, None, {}, {}

    def forget(self, names: Collection[str]) -> None:
        """Drop the templates that depend on files with these names, in any folder."""
        every = _STYLES_FILE in names
        self._previous_style = self.style, self._templates, self._files
        if every:
            self._styles = None
        for name in [*self._templates]:
            if every or not self._files.get(name, {name}).isdisjoint(names):
                del self._templates[name]

    def forget_drawn(self, paths: Collection[Path]) -> None:
        """Forget what was drawn from some drawings."""
        templates = (*self._templates.values(), *self._previous_style[1].values())
        for template in filter(None, templates):
            template.forget_drawn(paths)

    def map_origins(self) -> dict[int, Node]:
        """Return the element that drew each cached op, by the op's `id()`."""
        return {
            id(op): part.node
            for part in self._parts()
            if part.type.draw
            for result in part.draw_cache.values()
            for op in walk(result.ops)
        }

    def count_drawn(self) -> int:
        """Return the number of cached results of elements."""
        return sum(self.snapshot_drawn().values())

    def forget_all_drawn(self) -> None:
        """Drop all cached ops."""
        for part in self._parts():
            part.draw_cache.clear()
            part.faulty.clear()

    def snapshot_drawn(self) -> Mapping[int, int]:
        """Return the number of cached results of each element, by `id()`."""
        return {id(part): len(part.draw_cache) for part in self._parts()}

    def forget_drawn_since(self, counts: Mapping[int, int]) -> None:
        """Drop the results cached since `snapshot_drawn`."""
        for part in self._parts():
            truncate_dict(part.draw_cache, counts.get(id(part), 0))

    def all_templates(self) -> Collection[Template]:
        """Return all templates and included ones, each once."""
        known = [*filter(None, self._templates.values())]
        return {id(t): t for own in known for t in (own, *own.included.values())}.values()

    def _parts(self) -> Iterator[TemplatePart]:
        return (part for template in self.all_templates() for part in template.parts)

    def _compile(
        self,
        name: str,
        source: Source,
        attribute: str,
        report: Report,
        within: IncludeContext = NOT_INCLUDED,
    ) -> Template | None:
        if not self._is_there(name):
            message = f"there is no template `{name}` in the folder `templates`"
            folders = self.folder.template_folders
            there = (path for folder in folders for path in list_folder(folder))
            known = sorted({path.name for path in there if path.suffix == ".xml"})
            report.append(T010.at(source.at(attribute), message, known_hint(name, known)))
            return None
        root = load_root(self.folder.template(name, self.style), report)
        return None if root is None else self._compile_root(name, root, report, {}, within)

    def _compile_root(
        self,
        key: str,
        root: Node,
        report: Report,
        names: Mapping[str, str | None],
        within: IncludeContext = NOT_INCLUDED,
    ) -> Template | None:
        """Return the template with this root element; `names` maps its includes to templates."""
        # The template of the previous style is used again if its files are the same.
        style, templates, old_files = self._previous_style
        if (known := templates.get(key)) is not None and all(
            self.folder.template(name, self.style) == self.folder.template(name, style)
            for name in (*old_files.get(key, ()), _STYLES_FILE)
        ):
            self._files[key] = old_files.get(key, {key})
            return known
        if self._styles is None:
            path = self.folder.template(_STYLES_FILE, self.style)
            tree = load_valid(path, STYLES_SHAPE, report) if path_exists(path) else None
            self._styles = read_model(StyleSheet, tree) if tree else StyleSheet({}, {})
        styles = self._styles
        files = self._files[key] = {key.partition(" ")[0]}

        def load(included: str, node: Node, within: IncludeContext) -> Template | None:
            name = names.get(included, included)
            if name is None:
                nothing = Node(root.tag, {}, root.source)
                return compile_template(nothing, library, self._expressions, report, within)
            files.add(name)
            if name not in self._templates:
                compiled = self._compile(name, node.source, "href", report, within)
                if compiled is None and not self._is_there(name):
                    return None  # not cached, so that the next user gets the report as well
                self._templates[name] = compiled
            files.update(self._files.get(name, ()))
            return self._templates[name]

        library = TemplateLibrary({**self.game.setup.colors, **styles.colors}, styles.styles, load)
        return compile_template(root, library, self._expressions, report, within)

    def _is_there(self, name: str) -> bool:
        return Path(name).name == name and is_file(self.folder.template(name, self.style))


def load_root(path: Path, report: Report) -> Node | None:
    """Return the root element of a template file, None after reporting errors."""
    root = load_document(path, report)
    if root is None:
        return None
    if root.tag not in {"face", "pages"}:
        message = f"the root element is `{root.tag}`, not `face` or `pages`"
        report.append(T001.at(root.source.at(), message))
        return None
    return translate(root, lambda node, replace: replace_template(node, path.name, replace))
