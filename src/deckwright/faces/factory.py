"""Compose the faces of a game from its templates, fonts and contexts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from deckwright.base.cache import BoundedCache
from deckwright.base.files import is_file, path_exists
from deckwright.base.findings import LimitedReport, Report, is_error
from deckwright.base.geometry import Box
from deckwright.base.units import Mm
from deckwright.checks.loading import find_faulty_cards
from deckwright.decks.stats import DeckStats, deck_context, rules_context, without_cards
from deckwright.faces.card_text import describe_card, slip_context, to_grayscale
from deckwright.faces.copies import Back, back_of, has_own_back
from deckwright.faces.faulty import add_faults, add_frame, add_mark, make_stand_in
from deckwright.faces.keys import digest_contexts
from deckwright.faces.usable_pictures import (
    CardPictures,
    Picture,
    draws_default,
    iter_images,
    remove_pictures,
    unreadable_finding,
)
from deckwright.game.context import Context, ContextBuilder, marker_context, printed_context
from deckwright.game.decklist import UsedRule
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Kind
from deckwright.game.model import Card, Game, PrintedValues
from deckwright.game.setup import Marker, MarkerSide
from deckwright.ops.bleed import scale_face
from deckwright.ops.model import Face
from deckwright.ops.pictures import crop_to_picture, narrow
from deckwright.ops.readable import alt_text, extract_text
from deckwright.sheet.flow import FlowLayout, lay_out_flow
from deckwright.templates.compiler import T004
from deckwright.templates.compose import L002, Composer, Subject
from deckwright.templates.elements import DrawingContext
from deckwright.templates.template import Template
from deckwright.templates.template_set import TemplateSet, load_root
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.fonts import CODE_FAMILY, Font, code_fonts, load_fonts
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.text.symbols import load_symbols
from deckwright.xmlio.node import Source

if TYPE_CHECKING:
    from deckwright.decks.odds_tables import OddsTable

_MAX_PICTURES = 512
"""At most this many pictures of faces are kept."""
_TUCK_BOX = Path(__file__).with_name("tuckbox.xml")
"""The default template of tuck boxes."""
_DECK_SHEET = Path(__file__).with_name("deck.xml")
"""The default template of deck sheets."""
_MIN_PAPER: Mm = 100
"""The least width and height of paper for the default deck sheet."""
ODDS = Path(__file__).with_name("odds.xml")
"""The default template of a deck's odds."""
_SLIP = Path(__file__).with_name("slip.xml")
"""The default template of slips."""


_Key = tuple[int, str, int, bool, PrintedValues]
_LastingKey = tuple[str, str, str, int, bool, PrintedValues]


class CardSide(NamedTuple):
    """A side of a card as a faction prints it; never a shared back.

    Attributes:
        part: the number of the face, from 1.
        back: the specification of the back, None for a front.
        printed: values printed on it only, if its template uses them.
    """

    card: Card
    faction_id: str
    part: int = 1
    back: Back | None = None
    printed: PrintedValues = ()

    @property
    def key(self) -> _Key:
        """A key for one loaded state of the game."""
        return id(self.card), self.faction_id, self.part, self.back is not None, self.printed

    @property
    def lasting_key(self) -> _LastingKey:
        """A key that survives reloading the game."""
        card, is_back = self.card, self.back is not None
        return self.faction_id, card.faction_id, card.id, self.part, is_back, self.printed

    @property
    def template(self) -> tuple[str, Source, str]:
        """The name of its template, with the element and the attribute that name it."""
        if self.back is not None:
            return self.back.template, self.back.source, "back"
        return self.card.kind.face, self.card.kind.source, "face"

    @property
    def subject(self) -> Subject:
        """What findings call it."""
        subject = self.card.subject
        return Subject(subject if self.back is None else f"the back of {subject}", self.card.source)

    @property
    def display_name(self) -> str:
        """Its name on a stand-in."""
        name = _display_name(self.card)
        return name if self.back is None else f"the back of {name}"


class ComposedSide(NamedTuple):
    """A composed side of a card.

    Attributes:
        face: None after a failure.
        is_sound: whether it was composed without findings.
        context: the context of its template, None if not computed yet.
    """

    side: CardSide
    face: Face | None
    is_sound: bool
    context: Context | None = None


class _CachedFace(NamedTuple):
    """A face from before a reload of the game, with the context and the template it was made of."""

    context: Context
    template: Template
    face: Face


class FaceFactory(TemplateSet):
    """Composes the faces of a game, each once."""

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
        """Load the game's fonts and symbols, and report errors in them.

        Args:
            style: the folder in `templates/` whose templates take precedence.
            faults: the errors of the game; if given, faces that cannot be composed are reported
                here and replaced by stand-ins. Otherwise they go into the report of each method.
            plates: whether faces are for a press; elements with an `ink` are then marked groups.
        """
        super().__init__(game, folder, style)
        before = len(report)
        styles = load_fonts(game.setup, folder, report)
        self.fonts: dict[str, Font] = {font.id: font for font in styles.values()}
        if CODE_FAMILY not in game.setup.fonts:
            self.fonts |= code_fonts()
        self.contexts = ContextBuilder(game, moderated=not folder.has_own_looks)
        self.metrics = HarfBuzzMetrics(self.fonts, game.setup.language)
        self.drawing_context = DrawingContext(
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
        self.display_font = "display" if "display" in families else self.title_font
        self.font_roles: Context = {
            "text": self.text_font,
            "title": self.title_font,
            "display": self.display_font,
            "all": [*dict.fromkeys((self.text_font, *families))],
        }
        """The families for texts, titles and names, and all of them, for bundled templates."""
        self._base = self.contexts.base_context()
        self.reset(faults)
        self.faulty: Collection[int] = () if faults is None else find_faulty_cards(game, faults)
        """The cards whose faces are marked as faulty, by `id()`."""

    def in_style(
        self, style: str | None, faults: Report | None = None, changed: Collection[str] = ()
    ) -> Self:
        """Return a factory of the same game for another style, or with other `faults`.

        It shares the fonts, the symbols and the templates whose files are the same.

        Args:
            changed: as for `switch_style`.
        """
        other = copy(self)
        other.switch_style(style, changed)
        other.reset(faults)
        return other

    def reset(self, faults: Report | None) -> None:
        """Begin with no face composed, and with other `faults`."""
        self._faults = faults
        self.pictures = CardPictures(self.folder.images)
        self._faces: dict[_Key, ComposedSide] = {}
        self._previous_faces: dict[_LastingKey, _CachedFace] = {}
        self._prefetched: dict[_Key, tuple[CardSide, Face]] = {}
        """Faces drawn ahead of composing them, to open their pictures together."""
        self.generation = 0
        """The number of reloads of the game so far."""
        self.faulty = ()
        self.stand_ins = True
        """Whether faces that cannot be composed at all are replaced by stand-ins."""
        self.draft = False
        """Whether faulty faces get a mark across them instead of a frame."""
        self._backs: dict[tuple[object, ...], Face | None] = {}
        self._flows: dict[str, tuple[Template, str, FlowLayout]] = {}
        """The last layouts of flowing texts, with the digests of their contexts."""
        self._pictures = BoundedCache[tuple[int, float], tuple[Face, Face | None]](_MAX_PICTURES)
        """Pictures by the `id()` of their faces, which are kept with them, and by ratio."""

    def picture_of(self, face: Face, ratio: float = math.inf) -> Face | None:
        """Return the picture of a face, at most `ratio` times as wide as high, None if it has none.

        Decks with the same face get the same object, which is painted once.
        """
        key = id(face), ratio
        known = self._pictures.get(key)
        if known is None and ratio == math.inf:
            picture = crop_to_picture(self.with_ops(face))
            known = self._pictures.add(
                key, (face, picture and picture._replace(alt=alt_text(face)))
            )
        elif known is None:
            whole = self.picture_of(face)
            narrowed = whole and narrow(self.with_ops(whole), ratio)
            known = self._pictures.add(key, (face, narrowed))
        return known[1]

    def with_ops(self, face: Face) -> Face:
        """Return a face with its ops; a factory that keeps faces without ops composes it again."""
        return face

    def card_face(
        self,
        card: Card,
        faction_id: str,
        report: Report,
        part: int = 1,
        printed: PrintedValues = (),
    ) -> Face | None:
        """Return a face of a card or token for a faction, None after reporting why not.

        Args:
            part: the number of the face, from 1.
            printed: values printed on it only; ignored if its template does not use them.
        """
        side = self._with_printed(CardSide(card, faction_id, part), printed, report)
        return self._compose_side(side, report)

    def _with_printed(self, side: CardSide, printed: PrintedValues, report: Report) -> CardSide:
        """Return a side with values printed on it only, if its template uses them."""
        if not printed:
            return side
        template = self.template(*side.template, self._report_for(report))
        uses = template is not None and "printed" in template.names
        return side._replace(printed=printed) if uses else side

    def _compose_side(self, side: CardSide, report: Report) -> Face | None:
        """Return the face of a side, None after reporting why it cannot be composed."""
        key = side.key
        if key not in self._faces and not self._reuse_face(side):
            findings = self._report_for(report)
            before = len(findings)
            face = self._compose(side, findings)
            sound = face is not None and len(findings) == before
            if face is not None and side.back is not None:
                face = self._add_back_alt_text(face)
            elif face is not None:
                face = face._replace(alt=describe_card(self.game, side.card, side.faction_id))
            if face is None:
                face = self._stand_in(side.display_name, side.card.kind)
            elif faults := self._faults_since(before, findings):
                face = add_faults(face, faults, self.text_font, self.metrics)
            elif id(side.card) in self.faulty:
                if self.draft:
                    face = add_mark(face)
                else:
                    face = add_frame(face, side.display_name, self.text_font, self.metrics)
            self._faces[key] = ComposedSide(side, face, sound)
        return self._faces[key].face

    def _faults_since(self, before: int, findings: Report) -> Report:
        """Return the errors of a face that was composed despite them."""
        return [] if self._faults is None else [*filter(is_error, findings[before:])]

    def _add_back_alt_text(self, face: Face) -> Face:
        """Return a back with its alternative text: the word for a back, and its texts."""
        texts = self.game.setup.words["back"], extract_text(face.ops)
        return face._replace(alt="\n".join(filter(None, texts)))

    def switch_game(self, game: Game) -> None:
        """Switch to a reloaded game with the same `game.xml` and pictures.

        Faces without findings are reused if the contexts of their cards are unchanged.
        """
        if game is self.game:
            return
        for side, face, sound, context in self._faces.values():
            key, template = side.lasting_key, self._templates.get(side.template[0])
            if sound and face is not None and template is not None:
                seen = self._context(side) if context is None else context
                self._previous_faces[key] = _CachedFace(seen, template, face)
            else:
                self._previous_faces.pop(key, None)
        named = {(card.faction_id, card.id) for card in (*game.cards.values(), *game.tokens())}
        self._previous_faces = {
            key: kept for key, kept in self._previous_faces.items() if key[1:3] in named
        }
        self.game = game
        self.contexts = ContextBuilder(game, moderated=not self.folder.has_own_looks)
        self._faces, self._backs, self._prefetched = {}, {}, {}
        self.generation += 1

    def cached_faces(self) -> Iterator[Face]:
        """Yield all cached faces, including those from before a reload."""
        current = (each.face for each in self._faces.values())
        earlier = (each.face for each in self._previous_faces.values())
        yield from filter(None, (*current, *earlier, *self._backs.values()))

    def forget(self, names: Collection[str]) -> None:
        """Drop the templates that depend on files with these names, and their faces."""
        super().forget(names)
        left = self._templates
        self._faces = {
            key: composed
            for key, composed in self._faces.items()
            if composed.side.template[0] in left
        }
        self._backs, self._prefetched, self._flows = {}, {}, {}

    def refresh_pictures(self, paths: Collection[Path]) -> list[Face]:
        """Drop changed pictures and the faces that show them; return these faces.

        The files must still exist, and must not belong to symbols.
        """
        self.forget_drawn(paths)
        self.pictures = self.pictures.excluding(paths)
        shown, left = list[Face](), {}
        for key, composed in self._faces.items():
            if composed.face is not None and _shows(composed.face, paths):
                shown.append(composed.face)
            elif composed.is_sound:
                left[key] = composed
        before = [kept.face for kept in self._previous_faces.values() if _shows(kept.face, paths)]
        backs = [back for back in self._backs.values() if back and _shows(back, paths)]
        stale_ids = {id(face) for face in (*before, *backs)}
        self._faces, self._prefetched, self._flows = left, {}, {}
        self._previous_faces = {
            k: kept for k, kept in self._previous_faces.items() if id(kept.face) not in stale_ids
        }
        self._backs = {key: back for key, back in self._backs.items() if id(back) not in stale_ids}
        return [*shown, *before, *backs]

    def template_of(self, card: Card, faction_id: str, *, back: bool) -> tuple[str, Source, str]:
        """Return the name of the template of a face or back, with the place that names it.

        A card without a back has those of its face.
        """
        specification = back_of(self.game, card, faction_id) if back else None
        return CardSide(card, faction_id, back=specification).template

    def forget_failed(
        self, card: Card, faction_id: str, part: int, *, back: bool, template: bool
    ) -> None:
        """Drop a failed face or back of a card, so that the failure is reported again.

        Args:
            template: whether to drop its template as well.
        """
        if template:
            self.forget({self.template_of(card, faction_id, back=back)[0]})
        self._faces.pop((id(card), faction_id, part, back, ()), None)
        self._backs = {key: face for key, face in self._backs.items() if face is not None}

    def _reuse_face(self, side: CardSide) -> bool:
        """Reuse the face of a side from before a reload, if unchanged; return whether it was."""
        kept = self._previous_faces.get(side.lasting_key)
        if (
            kept is None
            or not self.game.can_show(side.card, side.faction_id)
            or kept.template is not self._templates.get(side.template[0])
        ):
            return False
        context = self._context(side)
        with suppress(RecursionError):  # cards may refer to each other in circles
            if kept.context == context:
                known = ComposedSide(side, kept.face, is_sound=True, context=context)
                self._faces[side.key] = known
                return True
        return False

    def _report_for(self, report: Report) -> Report:
        """Return the report for findings about a face: `faults` if given, else this one."""
        return report if self._faults is None else self._faults

    def _stand_in(self, name: str, kind: Kind) -> Face | None:
        """Return the stand-in for a face that cannot be composed, None for none."""
        if self._faults is None or not self.usable or not self.stand_ins:
            return None
        size = (kind.width, kind.height)
        return make_stand_in(name, size, kind.bleed, self.text_font, self.metrics)

    def card_faces(
        self, card: Card, faction_id: str, report: Report, printed: PrintedValues = ()
    ) -> list[Face]:
        """Return all faces of a card; report those that cannot be composed.

        Args:
            printed: as for `card_face`.
        """
        faces = (
            self.card_face(card, faction_id, report, part, printed)
            for part in range(1, card.parts + 1)
        )
        return [*filter(None, faces)]

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

        Cards of a stack, or else of a kind and faction, share a back unless its template depends on
        the card.

        Args:
            part: the number of the face in front of it, from 1.
            zone_id: the zone named by the deck list; None for the first that admits the card.
            printed: as for `card_face`.
        """
        back = back_of(self.game, card, faction_id, zone_id)
        if back is None:
            return None
        if has_own_back(self, card, faction_id, self._report_for(report), zone_id):
            side = self._with_printed(CardSide(card, faction_id, part, back), printed, report)
            return self._compose_side(side, report)
        return self._shared_back(back, card, faction_id, report)

    def _shared_back(self, back: Back, card: Card, faction_id: str, report: Report) -> Face | None:
        """Return a shared back, None after reporting why not."""
        kind, key = card.kind, back_key(back, card.kind)
        if key not in self._backs:
            context: Context
            if back.stack is not None:
                context = {"stack": {"id": back.stack.id, "name": back.stack.name}}
            else:
                context = {"faction": self.contexts.faction_context(faction_id), "kind": kind.tag}
            subject = Subject(f"the back of `{back.owner}`")
            findings = self._report_for(report)
            template = self.template(back.template, back.source, "back", findings)
            before, lenient = len(findings), self._faults is not None
            drawn = kind.drawn_by(back.template)
            face = self._compose_sized(
                kind, drawn, template, subject, context, findings, lenient=lenient
            )
            face = face and self._add_back_alt_text(face)
            if face is not None and (faults := self._faults_since(before, findings)):
                face = add_faults(face, faults, self.text_font, self.metrics)
            self._backs[key] = face or self._stand_in(f"the back of {back.owner}", kind)
        return self._backs[key]

    def compose_marker(self, marker: Marker, side: MarkerSide, report: Report) -> Face | None:
        """Return a side of a marker, None after reporting why it cannot be drawn."""
        sheet = self.game.setup.marker_sheet
        assert sheet is not None
        template = self.template(sheet.template, sheet.source, "face", report)
        context = {"marker": marker_context(marker, side)}
        subject = Subject(f"marker `{marker.id}`", marker.source)
        face = self._compose_face(template, subject, context, (marker.size, marker.height), report)
        return face and face._replace(alt=extract_text(face.ops) or side.name)

    def compose_drawing(
        self,
        name: str,
        source: Source,
        context: Context,
        size: tuple[Mm, Mm],
        report: Report,
        attribute: str = "template",
    ) -> Face | None:
        """Return a template drawn in a box of this size, None after reporting why not.

        Args:
            source, attribute: the place that names it.
        """
        template = self.template(name, source, attribute, report)
        return self._compose_face(template, Subject(f"`{name}`"), context, size, report)

    def compose_panel(
        self, kind: Kind, context: Context, size: tuple[Mm, Mm], report: Report
    ) -> Face | None:
        """Return the print of a panel of a tuck box, None after reporting why not.

        The template is the game's `tuckbox.xml`, or the bundled one. It may include the templates
        of `kind` as `face` and `back`.
        """
        names = {"face": kind.face, "back": kind.back}
        findings: Report = []
        name, subject = f"{_TUCK_BOX.name} {kind.tag}", Subject("the tuck box")
        template = self._bundled_template(_TUCK_BOX, name, names, findings)
        face = self._compose_face(template, subject, context, size, findings)
        # Nobody can mend the bundled template, so its findings are located in the game.
        bundled = [each for each in findings if each.location and each.location.path == _TUCK_BOX]
        if bundled and all(each.code is L002 for each in bundled):
            findings = [each._replace(location=kind.source.at()) for each in bundled]
        elif bundled:
            size_in_mm = f"{kind.width:g} x {kind.height:g} mm"
            message = f"the bundled tuck box does not fit cards of {size_in_mm}"
            hint = f"correct the size, or give the game a template `{_TUCK_BOX.name}` of its own"
            findings = [T004.at(kind.source.at("width"), message, hint)]
        report.extend(findings)
        return face

    def compose_slip(
        self, card: Card, faction_id: str, size: tuple[Mm, Mm], report: Report, part: int = 1
    ) -> Face | None:
        """Return the play-test slip of a card or token, None after reporting why not.

        Args:
            part: the number of the face, from 1.
        """
        face, findings = None, self._report_for(report)
        template = self._bundled_template(_SLIP, _SLIP.name, {}, findings)
        if self.game.can_show(card, faction_id):
            slip = slip_context(self.game, card, faction_id, part)
            context = {
                "card": self.contexts.card_context(card, faction_id, part),
                "slip": {**slip, "width": size[0], "height": size[1]},
                "fonts": self.font_roles,
            }
            subject = Subject(f"the slip of {card.subject}", card.source)
            face = self._compose_face(template, subject, context, size, findings)
        if face is not None:
            return to_grayscale(face)._replace(alt=describe_card(self.game, card, faction_id))
        if self._faults is None or not self.usable:
            return None
        return make_stand_in(_display_name(card), size, 0, self.text_font, self.metrics)

    def prefetch(self, cards: Iterable[tuple[Card, str]], report: Report) -> None:
        """Open the pictures of cards about to be composed, in parallel."""
        self._prefetched = {}
        faces = []
        for card, faction_id in cards:
            side = CardSide(card, faction_id)
            shown = [p for p in self.pictures.pictures_of(card) if self.pictures.is_there(p)]
            template = self.template(*side.template, self._report_for(report))
            usable = template and self.game.can_show(card, faction_id)
            if shown and usable and not self._reuse_face(side):
                face = self._draw_side(side, findings := LimitedReport())
                if face is not None and not findings:
                    self._prefetched[side.key] = side, face
                    faces.append((face, shown))
        self.pictures.open(faces)

    def _compose(self, side: CardSide, report: Report) -> Face | None:
        """Return the face of a side, with missing pictures replaced by their fallbacks.

        Where its template draws nothing in their place, placeholders show their names.
        """
        card, is_stub = side.card, self.game.is_stub(side.card)
        can_show = self.game.can_show(card, side.faction_id)
        if not can_show or not self.template(*side.template, report):
            return None
        if is_stub and self._faults is None:
            return None
        # The checks have reported missing pictures, and what is wrong with a stub.
        findings = LimitedReport() if is_stub else report
        named = self.pictures.pictures_of(card)
        missing = [picture for picture in named if not self.pictures.is_there(picture)]
        bare = remove_pictures(card, missing)
        shown = [picture for picture in named if picture not in missing]
        face = self._compose_with_pictures(side._replace(card=bare), shown, findings)
        # A folder in place of a picture has no placeholder: templates take it for a picture.
        if face is not None and missing and not any(path_exists(p.path) for p in missing):
            complete = self._draw_side(side, LimitedReport(), lenient=True)
            return complete if complete and not draws_default(face, complete) else face
        return face

    def _compose_with_pictures(
        self, side: CardSide, shown: Sequence[Picture], report: Report
    ) -> Face | None:
        """Return the face of a side, with unusable pictures replaced by their fallbacks.

        Args:
            shown: its pictures whose files exist.
        """
        card, lenient = side.card, self._faults is not None
        if not shown:
            return self._draw_side(side, report, lenient=lenient)
        trial = LimitedReport()
        _, face = self._prefetched.pop(side.key, (side, None))
        if face is None:
            face = self._draw_side(side, trial)
        reasons = self.pictures.find_faults(face, shown, trial)
        if reasons:
            findings = LimitedReport()
            bare = self._draw_side(
                side._replace(card=remove_pictures(card, reasons)), findings, lenient=lenient
            )
            if bare is not None and self.pictures.can_show(bare):
                complete = face or self._draw_side(side, LimitedReport(), lenient=True)
                default = complete is None or draws_default(bare, complete)
                report.extend(
                    unreadable_finding(card, card.subject, *reason, default=default)
                    for reason in reasons.items()
                )
                report.extend(findings)
                return bare if default or lenient else None
            if lenient:
                report.extend(reasons.values())
                return None
        if face is not None:
            report.extend(trial)
        return face or self._draw_side(side, report, lenient=lenient)

    def _context(self, side: CardSide) -> Context:
        """Return the context of the template of a side."""
        context: Context = {
            "card": self.contexts.card_context(side.card, side.faction_id, side.part)
        }
        if side.back is not None:
            context["faction"] = self.contexts.faction_context(side.faction_id)
            context["kind"] = side.card.kind.tag
        if side.printed:
            context["printed"] = printed_context(side.printed)
        return context

    def _draw_side(self, side: CardSide, report: Report, *, lenient: bool = False) -> Face | None:
        """Return a side of a card as its template draws it, even with unusable pictures.

        Args:
            lenient: whether to draw it despite faults.
        """
        kind, template = side.card.kind, self.template(*side.template, report)
        drawn, context = kind.drawn_by(side.template[0]), self._context(side)
        return self._compose_sized(
            kind, drawn, template, side.subject, context, report, lenient=lenient
        )

    def _compose_sized(
        self,
        kind: Kind,
        drawn: Kind,
        template: Template | None,
        subject: Subject,
        context: Context,
        report: Report,
        *,
        lenient: bool,
    ) -> Face | None:
        """Return a side of a kind of card, scaled to it if its template draws another size.

        Args:
            drawn: the kind for whose size the template draws.
        """
        size, bleed = (drawn.width, drawn.height), drawn.bleed
        face = self._compose_face(
            template, subject, context, size, report, bleed=bleed, lenient=lenient
        )
        if face is None or drawn is kind:
            return face
        return scale_face(face, kind.width, kind.height)

    def _compose_face(
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
        composer = Composer(template, self.drawing_context, subject, report, lenient=lenient)
        face = composer.compose({**self._base, **context}, *size)
        return face._replace(bleed=bleed) if face is not None and bleed else face

    def compose_reference(
        self,
        title: str,
        faction_id: str,
        used: Sequence[UsedRule],
        paper: tuple[Mm, Mm],
        report: Report,
    ) -> FlowLayout | None:
        """Return a rule reference laid out on pages of this size.

        Returns:
            None if the game has no template for it, or after reporting errors.
        """
        setup = self.game.setup
        name, findings = setup.reference, self._report_for(report)
        template = name and self.template(name, setup.sheet_source, "reference", findings)
        if not template:
            return None
        deck = {"name": title, "faction": self.contexts.faction_context(faction_id)}
        context = {"deck": deck, "rules": rules_context(used)}
        texts = ((rule.effect, rule.source.at("effect")) for rule, _ in used)
        subject = Subject("the rule reference", texts=tuple(texts))
        return self._lay_out_flow(subject, template, context, paper, findings)

    def _lay_out_flow(
        self,
        subject: Subject,
        template: Template,
        context: Context,
        paper: tuple[Mm, Mm],
        report: Report,
    ) -> FlowLayout | None:
        """Return a template laid out on pages; the last layout if that is the same."""
        key, known = digest_contexts(context, paper), self._flows.get(subject.name)
        if known is not None and known[:2] == (template, key):
            known[2].report_to(report)
            return known[2]
        before = len(report)
        composer = Composer(template, self.drawing_context, subject, report)
        flow = lay_out_flow(composer, {**self._base, **context}, paper)
        if flow is not None and key is not None and len(report) == before:
            self._flows[subject.name] = template, key, flow
        return flow

    @property
    def has_default_deck_sheet(self) -> bool:
        """Whether deck sheets are printed with the bundled template."""
        name = self.game.setup.deck_sheet
        return name == _DECK_SHEET.name and not is_file(self.folder.template(name, self.style))

    @property
    def has_default_odds(self) -> bool:
        """Whether the odds of decks are printed with the bundled template."""
        return not is_file(self.folder.template(ODDS.name, self.style))

    @property
    def has_default_box(self) -> bool:
        """Whether tuck boxes are printed with the bundled template."""
        return not is_file(self.folder.template(_TUCK_BOX.name, self.style))

    def compose_deck_sheet(
        self,
        stats: DeckStats,
        paper: tuple[Mm, Mm],
        report: Report,
        windows: Sequence[Box] = (),
    ) -> FlowLayout | None:
        """Return the deck sheet, the first pages of a deck, laid out on pages of this size.

        If the template fails because a stub lacks values, the deck's lines are laid out without
        stubs.

        Args:
            windows: the boxes in the head of the default deck sheet that show what is below it.

        Returns:
            None if decks have none or the paper is too small for the default one, or after
            reporting errors.
        """
        name, place = self.game.setup.deck_sheet, self.game.setup.sheet_source
        findings = self._report_for(report)
        if name is None or (self.has_default_deck_sheet and min(paper) < _MIN_PAPER):
            return None
        if self.has_default_deck_sheet:
            findings = LimitedReport()  # it is no reason not to print the cards
            template = self._bundled_template(_DECK_SHEET, name, {}, findings)
        else:
            template = self.template(name, place, "deck", findings)
        if template is None:
            return None

        def pages(stats: DeckStats, report: Report) -> FlowLayout | None:
            context = deck_context(stats, self.game, self.contexts)
            context |= {"fonts": self.font_roles, "windows": [w._asdict() for w in windows]}
            return self._lay_out_flow(Subject("the deck sheet"), template, context, paper, report)

        stubs = {id(stub) for stub in self.game.stubs.values()}
        without_stubs = without_cards(stats, stubs)
        if without_stubs == stats:
            return pages(stats, findings)
        return pages(stats, LimitedReport()) or pages(without_stubs, findings)

    def compose_odds_sheet(
        self,
        stats: DeckStats,
        table: OddsTable,
        paper: tuple[Mm, Mm],
        report: Report,
        windows: Sequence[Box] = (),
    ) -> FlowLayout | None:
        """Return the odds of a deck laid out on pages of this size, None after reporting errors.

        Args:
            windows: as for deck sheets.
        """
        from deckwright.decks.odds_tables import odds_context  # only for odds

        setup = self.game.setup
        context = {
            "deck": deck_context(stats, self.game, self.contexts)["deck"],
            "odds": odds_context(table, setup.language, setup.words["cards"]),
            "fonts": self.font_roles,
            "windows": [w._asdict() for w in windows],
        }
        return self.compose_bundled(ODDS, context, paper, self._report_for(report))

    def compose_bundled(
        self, path: Path, context: Context, paper: tuple[Mm, Mm], report: Report
    ) -> FlowLayout | None:
        """Return the pages of a bundled flowing template, None after reporting why not.

        A template of the same name in the game takes precedence.
        """
        template = self._bundled_template(path, path.name, {}, report)
        if template is None:
            return None
        composer = Composer(template, self.drawing_context, Subject(f"`{path.name}`"), report)
        return lay_out_flow(composer, {**self._base, **context}, paper)

    def _bundled_template(
        self, path: Path, key: str, names: Mapping[str, str | None], report: Report
    ) -> Template | None:
        """Return a bundled template, or the game's template of the same name.

        Args:
            key: its cache key: its name, and a suffix if it has variants.
            names: maps its includes to templates.
        """
        if self.usable and key not in self._templates:
            own = self.folder.template(path.name, self.style)
            root = load_root(own if is_file(own) else path, report)
            compiled = None if root is None else self._compile_root(key, root, report, names)
            self._templates[key] = compiled
        return self._templates.get(key)


def back_key(back: Back, kind: Kind) -> tuple[object, ...]:
    """Return the cache key of a shared back."""
    return back.source, back.owner, kind.width, kind.height, kind.bleed


def _shows(face: Face, paths: Collection[Path]) -> bool:
    """Return whether a face shows any of these drawings or pictures."""
    images = (image.path for image in iter_images(face))
    return not face.drawings.isdisjoint(paths) or any(path in paths for path in images)


def _display_name(card: Card) -> str:
    return card.name if card.kind.token else f"{card.name} ({card.id})"
