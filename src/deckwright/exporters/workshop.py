"""A workshop: the templates, fonts and contexts of a game, ready to compose faces."""

from __future__ import annotations

from deckwright.diagnostics import Code, Location, Report, Severity
from deckwright.face.compose import compose_face
from deckwright.face.context import Contexts
from deckwright.face.elements import Studio
from deckwright.face.expressions import Expressions
from deckwright.face.ops import Face
from deckwright.face.shaping import HarfBuzzMetrics
from deckwright.face.template import T001, Template, compile_template
from deckwright.fonts import Font, load_fonts
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Game
from deckwright.xmlio.load import load_document

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

    def template(self, name: str, place: Location, report: Report) -> Template | None:
        """Return a compiled template, None after reporting what is wrong, once.

        Args:
            place: where the template is named.
        """
        if name not in self._templates:
            self._templates[name] = self._compile(name, place, report)
        return self._templates[name]

    def _compile(self, name: str, place: Location, report: Report) -> Template | None:
        path = self._folder.template(name)
        if path.name != name or not path.is_file():
            report.append(
                T010.at(place, f"there is no template `{name}` in the folder `templates`")
            )
            return None
        loaded = load_document(path, report)
        if loaded is None:
            return None
        document, _ = loaded
        if document.root.tag not in {"face", "pages"}:
            message = f"the root element is `{document.root.tag}`, not `face` or `pages`"
            report.append(T001.at(document.root.source.at(), message))
            return None
        return compile_template(document, self._game.setup.colors, self._expressions, report)

    def card_face(self, card: Card, faction_id: str, report: Report) -> Face | None:
        """Return the face of a card or token as `faction_id` has it, None after reporting why."""
        key = id(card), faction_id
        if key not in self._faces:
            self._faces[key] = self._compose(card, faction_id, report)
        return self._faces[key]

    def _compose(self, card: Card, faction_id: str, report: Report) -> Face | None:
        kind = card.kind
        template = self.template(kind.face, kind.source.at("face"), report)
        if template is None:
            return None
        context = {**self._base, "card": self.contexts.card(card, faction_id)}
        subject = f"token `{card.name}`" if kind.token else f"card `{card.id}`"
        size = kind.width, kind.height
        return compose_face(template, context, self.studio, size, subject, card.source.at(), report)
