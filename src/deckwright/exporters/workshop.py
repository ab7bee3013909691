"""A workshop: the templates, fonts and contexts of a game, ready to compose faces."""

from __future__ import annotations

from deckwright.diagnostics import Code, Report, Severity, known_hint
from deckwright.face.compose import Composer, Subject
from deckwright.face.context import Context, Contexts
from deckwright.face.elements import Studio
from deckwright.face.expressions import Expressions
from deckwright.face.ops import Face
from deckwright.face.shaping import HarfBuzzMetrics
from deckwright.face.template import T001, Template, compile_template
from deckwright.files import is_file
from deckwright.fonts import Font, load_fonts
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Game
from deckwright.sheet.flow import flow_pages
from deckwright.sheet.pages import Page
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Source

T010 = Code("T010", Severity.ERROR, "a template that does not exist")


class Workshop:
    """Composes the faces of a game. Templates and faces are made once."""

    def __init__(self, game: Game, folder: GameFolder, report: Report) -> None:
        """Open the game's fonts; what is wrong with them is reported."""
        self._folder = folder
        self._game = game
        styles = load_fonts(game.setup, folder, report)
        self.fonts: dict[str, Font] = {font.id: font for font in styles.values()}
        self.contexts = Contexts(game)
        self.studio = Studio(
            HarfBuzzMetrics(self.fonts),
            frozenset(family for family, _ in styles),
            folder.images,
            game.setup.language,
        )
        self._expressions = Expressions()
        self._base = self.contexts.base()
        self._templates: dict[str, Template | None] = {}
        self._faces: dict[tuple[int, str], Face | None] = {}

    def template(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        """Return a compiled template, None after reporting what is wrong, once.

        Args:
            source, attribute: where the template is named.
        """
        if name not in self._templates:
            self._templates[name] = self._compile(name, source, attribute, report)
        return self._templates[name]

    def _compile(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        path = self._folder.template(name)
        if path.name != name or not is_file(path):
            message = f"there is no template `{name}` in the folder `templates`"
            known = sorted(file.name for file in path.parent.glob("*.xml"))
            report.append(T010.at(source.at(attribute), message, known_hint(name, known)))
            return None
        loaded = load_document(path, report)
        if loaded is None:
            return None
        root, _ = loaded
        if root.tag not in {"face", "pages"}:
            message = f"the root element is `{root.tag}`, not `face` or `pages`"
            report.append(T001.at(root.source.at(), message))
            return None
        return compile_template(root, self._game.setup.colors, self._expressions, report)

    def card_face(self, card: Card, faction_id: str, report: Report) -> Face | None:
        """Return the face of a card or token as `faction_id` has it, None after reporting why."""
        key = id(card), faction_id
        if key not in self._faces:
            self._faces[key] = self._compose(card, faction_id, report)
        return self._faces[key]

    def _compose(self, card: Card, faction_id: str, report: Report) -> Face | None:
        kind = card.kind
        template = self.template(kind.face, kind.source, "face", report)
        if template is None:
            return None
        name = f"token `{card.name}`" if kind.token else f"card `{card.id}`"
        composer = Composer(template, self.studio, Subject(name, card.source), report)
        context = {**self._base, "card": self.contexts.card(card, faction_id)}
        return composer.face(context, kind.width, kind.height)

    def reference_pages(self, context: Context, report: Report) -> list[Page]:
        """Return the pages of the rule reference; none if the game has no template for it."""
        setup = self._game.setup
        if setup.reference is None:
            return []
        template = self.template(setup.reference, setup.sheet_source, "reference", report)
        if template is None:
            return []
        composer = Composer(template, self.studio, Subject("the rule reference"), report)
        return flow_pages(composer, {**self._base, **context})
