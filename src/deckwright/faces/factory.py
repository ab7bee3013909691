"""A factory: the templates, fonts and contexts of a game, ready to compose faces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from deckwright.base.files import is_file
from deckwright.base.findings import Diagnostic, LimitedReport, Location, Report, is_error
from deckwright.base.units import Mm
from deckwright.checks.loading import find_faulty_cards
from deckwright.decks.stats import DeckStats, deck_context, rules_context, without_cards
from deckwright.faces.card_pictures import (
    CardPictures,
    draws_default,
    remove_pictures,
    unreadable_finding,
)
from deckwright.faces.card_text import describe_card, slip_context, to_grayscale
from deckwright.faces.copies import Back, NamedFace, back_of, has_own_back
from deckwright.faces.faulty import add_faults, add_frame, add_mark, make_stand_in
from deckwright.game.context import Context, ContextBuilder, marker_context, printed_context
from deckwright.game.decklist import UsedRule
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Kind
from deckwright.game.model import Card, Game, PrintedValues
from deckwright.game.setup import Marker, MarkerSide
from deckwright.ops.model import DrawImage, Face, Op, walk
from deckwright.ops.readable import extract_text
from deckwright.sheet.flow import FlowLayout, lay_out_flow
from deckwright.templates.compose import Composer, Subject
from deckwright.templates.elements import DrawingContext
from deckwright.templates.lints import lint_codes, lint_face
from deckwright.templates.template import PictureFrame, Template, find_picture_frames
from deckwright.templates.template_set import TemplateSet, load_root
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.fonts import CODE_FAMILY, Font, code_fonts, load_fonts
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.text.symbols import load_symbols
from deckwright.xmlio.node import Source

if TYPE_CHECKING:
    from deckwright.decks.odds_tables import OddsTable

_TUCK_BOX = Path(__file__).with_name("tuckbox.xml")
"""The template of tuck boxes for games without their own."""
ODDS = Path(__file__).with_name("odds.xml")
"""The template of the odds of decks for games without their own."""
SLIP = Path(__file__).with_name("slip.xml")
"""The template of slips for games without their own."""


_Key = tuple[int, str, int, bool, PrintedValues]
_LastingKey = tuple[str, str, str, int, bool, PrintedValues]


class CardSide(NamedTuple):
    """A side of a card that is its own, as a faction prints it.

    Attributes:
        part: which of its faces, from 1, or the back of which.
        back: what it is drawn by, if it is a back.
        printed: what is printed on it besides, if its template asks for that.
    """

    card: Card
    faction_id: str
    part: int = 1
    back: Back | None = None
    printed: PrintedValues = ()

    @property
    def key(self) -> _Key:
        """What tells it from others of one reading of a game."""
        return id(self.card), self.faction_id, self.part, self.back is not None, self.printed

    @property
    def lasting_key(self) -> _LastingKey:
        """What tells it from others whenever the game is read."""
        card, is_back = self.card, self.back is not None
        return self.faction_id, card.faction_id, card.id, self.part, is_back, self.printed

    @property
    def template(self) -> tuple[str, Source, str]:
        """The name of its template, and the element and the attribute that name it."""
        if self.back is not None:
            return self.back.template, self.back.source, "back"
        return self.card.kind.face, self.card.kind.source, "face"

    @property
    def subject(self) -> Subject:
        """What findings call it."""
        subject = self.card.subject
        return Subject(subject if self.back is None else f"the back of {subject}", self.card.source)

    @property
    def called(self) -> str:
        """What a stand-in calls it."""
        return (
            _display_name(self.card)
            if self.back is None
            else f"the back of {_display_name(self.card)}"
        )


class _ComposedSide(NamedTuple):
    """A side of a card, None if it cannot be composed; `sound` if there was no finding.

    Attributes:
        context: what its template sees, None where it is not known yet.
    """

    side: CardSide
    face: Face | None
    is_sound: bool
    context: Context | None = None


class _CachedFace(NamedTuple):
    """A face that was composed for an earlier reading of the game, and what of."""

    context: Context
    template: Template
    face: Face


class FaceFactory(TemplateSet):
    """Composes the faces of a game. Templates and faces are made once."""

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        style: str | None = None,
        faults: Report | None = None,
        *,
        plates: bool = False,
    ) -> None:
        """Open the game's fonts; what is wrong with them is reported.

        Args:
            style: the folder in `templates/` whose templates come first.
            faults: what is wrong with the game, and where it is reported why a face or back cannot
                be composed, if a stand-in is to take its place. Without it that is reported where
                the face is asked for.
            plates: whether faces are for a press: what has an `ink` is then a group that says so.
        """
        super().__init__(game, folder, style)
        before = len(report)
        styles = load_fonts(game.setup, folder, report)
        self.fonts: dict[str, Font] = {font.id: font for font in styles.values()}
        if CODE_FAMILY not in game.setup.fonts:
            self.fonts |= code_fonts()
        self.contexts = ContextBuilder(game)
        self.metrics = HarfBuzzMetrics(self.fonts, game.setup.language)
        self.studio = DrawingContext(
            self.metrics,
            frozenset(family for family, _ in styles),
            folder.images,
            Hyphenator(game.setup.language, game.setup.hyphenation),
            load_symbols(game.setup.symbols, folder.images, report),
            tuple(dict.fromkeys(font.path for font in self.fonts.values())),
            game.setup.inks,
            plates,
        )
        self.usable = len(report) == before
        families = [*game.setup.fonts] or ["text"]
        self.text_font = "text" if "text" in families else families[0]
        self.title_font = "title" if "title" in families else self.text_font
        self._base = self.contexts.base()
        self.begin(faults)
        self.faulty: Collection[int] = () if faults is None else find_faulty_cards(game, faults)
        """The cards whose faces are framed and named, by their ids in Python's sense."""

    def in_style(self, style: str | None, faults: Report | None = None) -> Self:
        """Return a factory of the same game for another style, or with other `faults`.

        It has the same fonts and symbols, and what was drawn by templates of the same files.
        """
        other = copy(self)
        other.switch_style(style)
        other.begin(faults)
        return other

    def begin(self, faults: Report | None) -> None:
        """Begin with no face composed."""
        self._faults = faults
        self.pictures = CardPictures(self.folder.images)
        self._faces: dict[_Key, _ComposedSide] = {}
        self._before: dict[_LastingKey, _CachedFace] = {}
        self._prefetched: dict[_Key, tuple[CardSide, Face]] = {}
        """Faces of cards that are about to be composed, as their templates draw them."""
        self.turns = 0
        """How often it went on with another reading of the game."""
        self.faulty = ()
        self.stand_ins = True
        """Whether faces that cannot be composed in spite of their faults have stand-ins."""
        self.draft = False
        """Whether they have a mark across them instead."""
        self._linted: dict[tuple[str, bool], set[object]] = {}
        self._backs: dict[tuple[object, ...], Face | None] = {}

    def card_face(
        self,
        card: Card,
        faction_id: str,
        report: Report,
        part: int = 1,
        printed: PrintedValues = (),
    ) -> Face | None:
        """Return the face of a card or token as `faction_id` has it, None after reporting why.

        Args:
            part: which of its faces, from 1.
            printed: what is printed on it besides. A face that asks for nothing of that is the
                same as without.
        """
        return self._side(self._with(CardSide(card, faction_id, part), printed, report), report)

    def _with(self, side: CardSide, printed: PrintedValues, report: Report) -> CardSide:
        """Return a side with what is printed on it besides, if its template asks for that."""
        if not printed:
            return side
        template = self._template_of(side, self._where(report))
        asks = template is not None and "printed" in template.names
        return side._replace(printed=printed) if asks else side

    def _side(self, side: CardSide, report: Report) -> Face | None:
        """Return a side of a card, None after reporting why it cannot be composed."""
        key = side.key
        if key not in self._faces and not self._reuse_face(side):
            found = self._where(report)
            before = len(found)
            face = self._told(side, self._compose(side, found))
            sound = face is not None and len(found) == before
            if face is None:
                face = self._stand_in(side.called, side.card.kind)
            elif faults := self._faults_since(before, found):
                face = add_faults(face, faults, self.text_font, self.metrics)
            elif id(side.card) in self.faulty:
                if self.draft:
                    face = add_mark(face)
                else:
                    face = add_frame(face, side.called, self.text_font, self.metrics)
            self._faces[key] = _ComposedSide(side, face, sound)
        return self._faces[key].face

    def _faults_since(self, before: int, found: Report) -> Report:
        """Return what is wrong with a face that was composed in spite of it."""
        return [] if self._faults is None else [*filter(is_error, found[before:])]

    def _told(self, side: CardSide, face: Face | None) -> Face | None:
        """Return the face of a side with what it says."""
        if face is None:
            return None
        if side.back is not None:
            return self._add_back_alt_text(face)
        return face._replace(alt=describe_card(self.game, side.card, side.faction_id))

    def _add_back_alt_text(self, face: Face) -> Face:
        """Return a back with what it says: that it is one, and what can be read on it."""
        said = self.game.setup.words["back"], extract_text(face.ops)
        return face._replace(alt="\n".join(filter(None, said)))

    def switch_game(self, game: Game) -> None:
        """Go on with another reading of a game whose `game.xml` and pictures are as before.

        The faces that were composed without a finding are kept as long as their cards look the
        same to their templates.
        """
        if game is self.game:
            return
        for side, face, sound, context in self._faces.values():
            key, template = side.lasting_key, self._templates.get(side.template[0])
            if sound and face is not None and template is not None:
                seen = self._context(side) if context is None else context
                self._before[key] = _CachedFace(seen, template, face)
            else:
                self._before.pop(key, None)
        named = {(card.faction_id, card.id) for card in (*game.cards.values(), *game.tokens())}
        self._before = {key: kept for key, kept in self._before.items() if key[1:3] in named}
        self.game, self.contexts = game, ContextBuilder(game)
        self._faces, self._backs, self._prefetched = {}, {}, {}
        self.turns += 1

    def cached_faces(self) -> Iterator[Face]:
        """Yield the faces that are kept, for this reading of the game and for earlier ones."""
        made = (each.face for each in self._faces.values())
        kept = (each.face for each in self._before.values())
        yield from filter(None, (*made, *kept, *self._backs.values()))

    def forget(self, names: Collection[str]) -> None:
        """Forget the templates that are made of files of these names, and their faces."""
        super().forget(names)
        left = self._templates
        self._faces = {
            key: made for key, made in self._faces.items() if made.side.template[0] in left
        }
        self._backs, self._prefetched = {}, {}

    def look_again(self, paths: Collection[Path]) -> list[Face]:
        """Forget what was in some pictures, and the faces that show them; return these.

        The files are there as before, and none is of a symbol.
        """
        self.forget_drawn(paths)
        self.pictures = self.pictures.without(paths)
        shown, left = list[Face](), {}
        for key, made in self._faces.items():
            if made.face is not None and _shows(made.face, paths):
                shown.append(made.face)
            elif made.is_sound:
                left[key] = made
        before = [kept.face for kept in self._before.values() if _shows(kept.face, paths)]
        backs = [back for back in self._backs.values() if back and _shows(back, paths)]
        gone = {id(face) for face in (*before, *backs)}
        self._faces, self._prefetched = left, {}
        self._before = {k: kept for k, kept in self._before.items() if id(kept.face) not in gone}
        self._backs = {key: back for key, back in self._backs.items() if id(back) not in gone}
        return [*shown, *before, *backs]

    def template_of(self, card: Card, faction_id: str, *, back: bool) -> tuple[str, Source, str]:
        """Return the template of a face or the back of a card, and what names it.

        A card without a back has that of its face.
        """
        found = back_of(self.game, card, faction_id) if back else None
        return CardSide(card, faction_id, back=found).template

    def forget_failed(
        self, card: Card, faction_id: str, part: int, *, back: bool, template: bool
    ) -> None:
        """Forget why a face or the back of a card could not be composed, so that it is told again.

        Args:
            template: whether that may be because of its template.
        """
        if template:
            self.forget({self.template_of(card, faction_id, back=back)[0]})
        self._faces.pop((id(card), faction_id, part, back, ()), None)
        self._backs = {key: face for key, face in self._backs.items() if face is not None}

    def _reuse_face(self, side: CardSide) -> bool:
        """Return whether a side of a card looks as when it was composed; it is taken over then."""
        kept = self._before.get(side.lasting_key)
        if (
            kept is None
            or not self.game.can_show(side.card, side.faction_id)
            or kept.template is not self._templates.get(side.template[0])
        ):
            return False
        context = self._context(side)
        if not _is_same_context(kept.context, context):
            return False
        self._faces[side.key] = _ComposedSide(side, kept.face, is_sound=True, context=context)
        return True

    def _where(self, report: Report) -> Report:
        """Return where it is reported why something cannot be composed."""
        return report if self._faults is None else self._faults

    def _stand_in(self, name: str, kind: Kind) -> Face | None:
        """Return what takes the place of a face that cannot be composed, None if nothing does."""
        if self._faults is None or not self.usable or not self.stand_ins:
            return None
        size = (kind.width, kind.height)
        return make_stand_in(name, size, kind.bleed, self.text_font, self.metrics)

    def card_faces(
        self, card: Card, faction_id: str, report: Report, printed: PrintedValues = ()
    ) -> list[Face]:
        """Return all faces of a copy of a card; those that cannot be composed are reported.

        Args:
            printed: as for `card_face`.
        """
        faces = (
            self.card_face(card, faction_id, report, part, printed)
            for part in range(1, card.parts + 1)
        )
        return [face for face in faces if face is not None]

    def card_back(
        self,
        card: Card,
        faction_id: str,
        report: Report,
        part: int = 1,
        *,
        zone_id: str | None = None,
        printed: PrintedValues = (),
    ) -> Face | None:
        """Return the back of a card; None if it has none, or after reporting why not.

        Cards of one stack, or else of one kind and faction, have the same back, unless its template
        shows what is on the card.

        Args:
            part: behind which of its faces, from 1.
            zone_id: the zone that a deck puts it in; None for the first that admits it.
            printed: as for `card_face`.
        """
        back = back_of(self.game, card, faction_id, zone_id)
        if back is None:
            return None
        if has_own_back(self, card, faction_id, self._where(report), zone_id):
            side = self._with(CardSide(card, faction_id, part, back), printed, report)
            return self._side(side, report)
        return self._shared_back(back, card, faction_id, report)

    def _shared_back(self, back: Back, card: Card, faction_id: str, report: Report) -> Face | None:
        """Return the back that a card has in common with others, None after reporting why not."""
        kind = card.kind
        size = (kind.width, kind.height)
        key = back_key(back, kind)
        if key not in self._backs:
            context: Context
            if back.stack is not None:
                context = {"stack": {"id": back.stack.id, "name": back.stack.name}}
            else:
                context = {"faction": self.contexts.faction(faction_id), "kind": kind.tag}
            subject = Subject(f"the back of `{back.owner}`")
            found = self._where(report)
            template = self.template(back.template, back.source, "back", found)
            before, lenient = len(found), self._faults is not None
            face = self._face(
                template, subject, context, size, found, bleed=kind.bleed, lenient=lenient
            )
            face = face and self._add_back_alt_text(face)
            if face is not None and (faults := self._faults_since(before, found)):
                face = add_faults(face, faults, self.text_font, self.metrics)
            self._backs[key] = face or self._stand_in(f"the back of {back.owner}", kind)
        return self._backs[key]

    def lint(self, named: NamedFace) -> Iterator[Diagnostic]:
        """Yield what is doubtful about a side of a card, and was not yet of one of its kind."""
        kind = named.card.kind
        seen = self._linted.setdefault((kind.tag, named.is_back), set())
        subject = Subject(named.subject, named.card.source)
        yield from lint_face(named.face, subject, kind.safe, self.metrics, seen, self._origin)
        yield from lint_codes(named.face, subject, self.metrics, seen, self._origin)

    def boxes_of(self, name: str, face: Face) -> list[PictureFrame]:
        """Return the boxes that a face shows a picture in."""
        return [*find_picture_frames(name, face.ops, filter(None, self._templates.values()))]

    def _origin(self, op: Op) -> Location | None:
        """Return the place of the template element that has drawn an op."""
        for template in filter(None, self._templates.values()):
            node = template.origin(op)
            if node is not None:
                return node.source.at()
        return None

    def compose_marker(self, marker: Marker, side: MarkerSide, report: Report) -> Face | None:
        """Return a side of a marker, None after reporting why it cannot be drawn."""
        sheet = self.game.setup.marker_sheet
        assert sheet is not None
        template = self.template(sheet.template, sheet.source, "face", report)
        context = {"marker": marker_context(marker, side)}
        subject = Subject(f"marker `{marker.id}`", marker.source)
        face = self._face(template, subject, context, (marker.size, marker.height), report)
        return face and face._replace(alt=extract_text(face.ops) or side.name)

    def drawing(
        self,
        name: str,
        source: Source,
        context: Context,
        size: tuple[Mm, Mm],
        report: Report,
        attribute: str = "template",
    ) -> Face | None:
        """Return what a template draws in a box of this size, None after reporting why nothing.

        Args:
            source, attribute: where it is named.
        """
        template = self.template(name, source, attribute, report)
        return self._face(template, Subject(f"`{name}`"), context, size, report)

    def panel(
        self, kind: Kind, context: Context, size: tuple[Mm, Mm], report: Report
    ) -> Face | None:
        """Return what is printed on a panel of a tuck box, None after reporting why nothing.

        The template is `tuckbox.xml`, or the bundled one where the game has none. It may include
        the templates of `kind` as `face` and `back`.
        """
        names = {"face": kind.face, "back": kind.back}
        template = self._bundled_template(_TUCK_BOX, f"{_TUCK_BOX.name} {kind.tag}", names, report)
        subject = Subject("the tuck box")
        return self._face(template, subject, context, size, report)

    def slip(
        self, card: Card, faction_id: str, size: tuple[Mm, Mm], report: Report, part: int = 1
    ) -> Face | None:
        """Return the slip of a card or token, None after reporting why it has none.

        Args:
            part: of which of its faces, from 1.
        """
        face, found = None, self._where(report)
        template = self._bundled_template(SLIP, SLIP.name, {}, found)
        if self.game.can_show(card, faction_id):
            slip = slip_context(self.game, card, faction_id, part)
            context = {
                "card": self.contexts.card(card, faction_id, part),
                "slip": {**slip, "width": size[0], "height": size[1]},
                "fonts": {"text": self.text_font, "title": self.title_font},
            }
            subject = Subject(f"the slip of {card.subject}", card.source)
            face = self._face(template, subject, context, size, found)
        if face is not None:
            return to_grayscale(face)._replace(alt=describe_card(self.game, card, faction_id))
        if self._faults is None or not self.usable:
            return None
        return make_stand_in(_display_name(card), size, 0, self.text_font, self.metrics)

    def expect(self, cards: Iterable[tuple[Card, str]], report: Report) -> None:
        """Open the pictures of cards that are to be composed for factions, several at a time."""
        self._prefetched = {}
        faces, found = [], self._where(report)
        for card, faction_id in cards:
            side = CardSide(card, faction_id)
            shown = [p for p in self.pictures.named(card) if self.pictures.is_there(p)]
            usable = self._template_of(side, found) and self.game.can_show(card, faction_id)
            if shown and usable and not self._reuse_face(side):
                face = self._drawn(side, LimitedReport())
                if face is not None:
                    self._prefetched[side.key] = side, face
                    faces.append((face, shown))
        self.pictures.open(faces)

    def _compose(self, side: CardSide, report: Report) -> Face | None:
        """Return a side of a card; without those of its pictures that cannot be used."""
        card, lenient = side.card, self._faults is not None
        if not self.game.can_show(card, side.faction_id) or not self._template_of(side, report):
            return None
        named = self.pictures.named(card)
        shown = [picture for picture in named if self.pictures.is_there(picture)]
        # That the others are not there is for the checks to report.
        card = remove_pictures(card, [picture for picture in named if picture not in shown])
        side = side._replace(card=card)
        if not shown:
            return self._drawn(side, report, lenient=lenient)
        trial = LimitedReport()
        _, face = self._prefetched.pop(side.key, (side, None))
        if face is None:
            face = self._drawn(side, trial)
        reasons = self.pictures.reasons(face, shown, trial)
        if reasons:
            found = LimitedReport()
            bare = self._drawn(
                side._replace(card=remove_pictures(card, reasons)), found, lenient=lenient
            )
            if bare is not None and self.pictures.can_show(bare):
                whole = face or self._drawn(side, LimitedReport(), lenient=True)
                default = whole is None or draws_default(bare, whole)
                report.extend(
                    unreadable_finding(card, card.subject, *reason, default=default)
                    for reason in reasons.items()
                )
                report.extend(found)
                return bare if default or lenient else None
            if lenient:
                report.extend(reasons.values())
                return None
        return face or self._drawn(side, report, lenient=lenient)

    def _template_of(self, side: CardSide, report: Report) -> Template | None:
        return self.template(*side.template, report)

    def _context(self, side: CardSide) -> Context:
        """Return what the template of a side sees."""
        context: Context = {"card": self.contexts.card(side.card, side.faction_id, side.part)}
        if side.back is not None:
            context["faction"] = self.contexts.faction(side.faction_id)
            context["kind"] = side.card.kind.tag
        if side.printed:
            context["printed"] = printed_context(side.printed)
        return context

    def _drawn(self, side: CardSide, report: Report, *, lenient: bool = False) -> Face | None:
        """Return a side of a card just as the template draws it.

        Args:
            lenient: whether it is wanted in spite of faults.
        """
        kind = side.card.kind
        size, template = (kind.width, kind.height), self._template_of(side, report)
        context = self._context(side)
        return self._face(
            template, side.subject, context, size, report, bleed=kind.bleed, lenient=lenient
        )

    def _face(
        self,
        template: Template | None,
        subject: Subject,
        context: Context,
        size: tuple[Mm, Mm],
        report: Report,
        *,
        bleed: Mm = 0,
        lenient: bool = False,
    ) -> Face | None:
        if template is None:
            return None
        composer = Composer(template, self.studio, subject, report, lenient=lenient)
        face = composer.face({**self._base, **context}, *size)
        return face._replace(bleed=bleed) if face is not None and bleed else face

    def reference(
        self,
        title: str,
        faction_id: str,
        used: Sequence[UsedRule],
        paper: tuple[Mm, Mm],
        report: Report,
    ) -> FlowLayout | None:
        """Return a rule reference on pages of this size.

        Returns:
            None if the game has no template for it, or after reporting what is wrong with it.
        """
        setup = self.game.setup
        if setup.reference is None:
            return None
        found = self._where(report)
        template = self.template(setup.reference, setup.sheet_source, "reference", found)
        if template is None:
            return None
        deck = {"name": title, "faction": self.contexts.faction(faction_id)}
        composer = Composer(template, self.studio, Subject("the rule reference"), found)
        return lay_out_flow(
            composer, {**self._base, "deck": deck, "rules": rules_context(used)}, paper
        )

    def deck_sheet(
        self, stats: DeckStats, paper: tuple[Mm, Mm], report: Report
    ) -> FlowLayout | None:
        """Return the first pages of a deck, of this size.

        A template may ask for what is not known of a card that was left out; then the deck's lines
        are without such cards.

        Returns:
            None if the game has no template for them, or after reporting what is wrong with it.
        """
        setup = self.game.setup
        if setup.deck_sheet is None:
            return None
        found = self._where(report)
        template = self.template(setup.deck_sheet, setup.sheet_source, "deck", found)
        if template is None:
            return None

        def pages(stats: DeckStats, report: Report) -> FlowLayout | None:
            composer = Composer(template, self.studio, Subject("the deck sheet"), report)
            context = {**self._base, **deck_context(stats, self.game, self.contexts)}
            return lay_out_flow(composer, context, paper)

        stubs = {id(stub) for stub in self.game.stubs.values()}
        told = without_cards(stats, stubs)
        if told == stats:
            return pages(stats, found)
        return pages(stats, LimitedReport()) or pages(told, found)

    def compose_odds_sheet(
        self, stats: DeckStats, table: OddsTable, paper: tuple[Mm, Mm], report: Report
    ) -> FlowLayout | None:
        """Return the odds of a deck on pages of this size, None after reporting what is wrong."""
        from deckwright.decks.odds_tables import odds_context  # noqa: PLC0415 - only for odds

        setup = self.game.setup
        context = {
            "deck": deck_context(stats, self.game, self.contexts)["deck"],
            "odds": odds_context(table, setup.language, setup.words["cards"]),
            "fonts": {"text": self.text_font, "title": self.title_font},
        }
        return self.compose_bundled(ODDS, context, paper, self._where(report))

    def compose_bundled(
        self, path: Path, context: Context, paper: tuple[Mm, Mm], report: Report
    ) -> FlowLayout | None:
        """Return what a bundled flowing template lays out, None after reporting why nothing.

        A template of the same name in the game takes its place.
        """
        template = self._bundled_template(path, path.name, {}, report)
        if template is None:
            return None
        composer = Composer(template, self.studio, Subject(f"`{path.name}`"), report)
        return lay_out_flow(composer, {**self._base, **context}, paper)

    def _bundled_template(
        self, path: Path, key: str, names: Mapping[str, str | None], report: Report
    ) -> Template | None:
        """Return a bundled template, or that of the same name in the game.

        Args:
            key: what it is kept under: its name, and what tells it from others of that name.
            names: stand for other templates in it.
        """
        if self.usable and key not in self._templates:
            own = self.folder.template(path.name, self.style)
            root = load_root(own if is_file(own) else path, report)
            compiled = None if root is None else self._compile_root(key, root, report, names)
            self._templates[key] = compiled
        return self._templates.get(key)


def back_key(back: Back, kind: Kind) -> tuple[object, ...]:
    """Return what tells a back that cards have in common from others."""
    return back.source, back.owner, kind.width, kind.height, kind.bleed


def _shows(face: Face, paths: Collection[Path]) -> bool:
    if not face.drawings.isdisjoint(paths):
        return True
    return any(isinstance(op, DrawImage) and op.path in paths for op in walk(face.ops))


def _display_name(card: Card) -> str:
    return card.name if card.kind.token else f"{card.name} ({card.id})"


def _is_same_context(one: Context, other: Context) -> bool:
    """Return whether templates see the same; that is not known of cards that name each other."""
    try:
        return one == other
    except RecursionError:
        return False
