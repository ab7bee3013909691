"""Print many decks of one game; what they share is read, composed and painted once.

The pages are those of `print_decks`. A file depends only on the game and the deck, not on what was
printed before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deckwright import checks
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.output import report_failure, stop_on_errors
from deckwright.base.units import Mm
from deckwright.checks.counting import DeckRules
from deckwright.checks.loading import LimitOptions, check_deck_list
from deckwright.decks.stats import deck_stats
from deckwright.diff.manifest import Digests, Manifest, deck_manifest
from deckwright.faces.copies import Copy
from deckwright.faces.selection import make_deck_copies, make_single_copies, prepare_images
from deckwright.faces.streaming import StreamingFaceFactory
from deckwright.faces.watermark import make_watermark
from deckwright.game.decklist import CardSelection, count_tokens
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.game.words import WatermarkText
from deckwright.ops.bleed import square_corners
from deckwright.ops.model import Face, Op
from deckwright.outputs.deck_pages import DeckPart, choose_copies, lay_out_decks
from deckwright.outputs.decks import print_titles
from deckwright.outputs.pages import add_footers
from deckwright.outputs.tuckbox import BoxOptions, box_page, box_titles
from deckwright.paint.pdf.document import PdfWriter
from deckwright.paint.pdf.metadata import info_of
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS, SheetLayout, SheetOptions, load_layout
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.text.shaping import Metrics


class DeckComposer:
    """Composes many decks of a game.

    Attributes:
        factory: composes faces; its `with_ops` returns their ops.
        digests: the digests of the latest faces and of all shared ones.
    """

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        style: str | None,
        text: WatermarkText,
        rules: LimitOptions,
        *,
        plates: bool = False,
    ) -> None:
        """Open the fonts; errors are reported.

        Args:
            game: the complete game.
            plates: whether spot inks are kept apart.
        """
        self.game, self._rules = game, rules
        self.factory = StreamingFaceFactory(game, folder, report, style, plates=plates)
        self._mark = make_watermark(self.factory, text, report)
        self.digests = Digests(self.factory.fonts, self.factory.pictures.store)
        self._permanent = self.digests.counts
        self._image_findings: dict[int, tuple[Diagnostic, ...]] = {}
        self._batch_faces: list[Face] = []
        self._card_findings: dict[int, tuple[Diagnostic, ...]] = {}
        self._rule_findings: Report = []
        checks.check_rules(game, self._rule_findings)

    def start_batch(self) -> list[Face]:
        """Drop the faces and digests that only the previous decks used; return these faces."""
        old_faces, self._batch_faces = self._batch_faces, []
        self.digests.forget(old_faces)
        for face in old_faces:
            self._image_findings.pop(id(face), None)
        return old_faces

    def finish_batch(self) -> None:
        """Release the ops of faces."""
        self._batch_faces += self.factory.release()
        if not self.factory.count_drawn():
            self.digests.forget_ops()
        elif self.factory.is_settled:
            self.digests.forget_ops(self._permanent)
        self._permanent = self.digests.counts
        self._mark.forget()

    def compose(
        self, deck: Deck, report: Report, *, sheet: str, backs: bool, fill: bool = False
    ) -> tuple[DeckPart, Manifest]:
        """Return a composed deck, whose faces can be dropped, and its manifest.

        Args:
            sheet: the sheet format for the manifest.
            fill: whether to add spare tokens.
        """
        game, factory = self.game, self.factory
        deck_rules = check_deck_list(game, deck, self._rules, report)
        cards = [*filter(None, map(game.card_of, deck.entries))]
        cards += (count.token for count in count_tokens(game, deck))
        for card in {id(card): card for card in cards}.values():
            if id(card) not in self._card_findings:
                findings: Report = []
                checks.check_cards(game, [card], findings)
                self._card_findings[id(card)] = (*findings,)
            report.extend(self._card_findings[id(card)])
        report.extend(self._rule_findings)
        stop_on_errors(report)
        stats = deck_stats(game, deck, deck_rules)
        copies = make_deck_copies(stats, factory, report, backs=backs)
        tokens = stats.tokens if fill else ()
        spare = make_single_copies(tokens, deck.faction_id, factory, report, backs=backs)
        stop_on_errors(report)

        # Prepare the images of several faces at a time first; the second pass assigns the findings.
        fresh, store = factory.faces_with_ops(), factory.pictures.store
        prepare_images((face for _, face in fresh), store, [])
        for lean, face in fresh:
            noted: Report = []
            if prepare_images((face,), store, noted):
                self.digests.adopt(lean, face)
            self._image_findings[id(lean)] = (*noted,)
        sides = (c for each in (copies, *spare) for copy in each for c in (copy.face, copy.back))
        shown = dict.fromkeys(id(face) for face in sides if face is not None)
        of_images = (found for face in shown for found in self._image_findings.get(face, ()))
        # The finding of an image names the first card that shows it.
        once = {(each.code, each.location, each.hint): each for each in reversed([*of_images])}
        report.extend(reversed(once.values()))
        stop_on_errors(report)
        manifest = deck_manifest(game, deck, copies, self.digests, sheet=sheet, style=factory.style)
        return DeckPart(stats, factory, copies, spare), manifest

    def with_ops(self, face: Face) -> Face:
        """Return a face with its ops and the watermark; complete faces are returned unchanged."""
        whole = self.factory.with_ops(face)
        return face if whole is face else self._mark.apply(whole)


class DeckLayout(NamedTuple):
    """The layout of a deck.

    Attributes:
        pages: its pages, with keyed faces.
        back_pages: the pages of the backs, if they are separate.
        copies: all printed copies in order.
        manifest: the manifest of the whole deck, even if only a selection is printed.
    """

    pages: tuple[Page, ...]
    back_pages: tuple[Page, ...]
    copies: tuple[Copy, ...]
    manifest: Manifest


class PrintedDecks(NamedTuple):
    """Decks printed into one file, in order, with the file of the backs if they are separate."""

    pdf: bytes
    backs: bytes | None
    decks: tuple[DeckLayout, ...]
    findings: tuple[Diagnostic, ...] = ()


class DeckPrinter:
    """Prints decks of an open game with the same options.

    Attributes:
        usable: whether fonts and sheet are valid; if not, no deck can be printed.
    """

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        options: SheetOptions = DEFAULT_SHEET_OPTIONS,
    ) -> None:
        """Open the fonts and load the sheet; errors are reported.

        Args:
            game: the complete game.
            options: options for whole decks, not for drafts.
        """
        self.game, self._options = game.with_token_size(options.token_size), options
        self._composer = DeckComposer(
            self.game, folder, report, options.style, options.watermark, options.rules
        )
        self._factory = self._composer.factory
        self._setting: SheetLayout | None = None
        with report_failure(report):
            self._setting = load_layout(self.game.setup, folder.xml, options, report)
        self._info = info_of("", game.setup, folder)
        self._writer: PdfWriter | None = None
        self.usable = self._factory.usable and self._setting is not None
        if self.usable:
            fonts, store = self._factory.fonts, self._factory.pictures.store
            self._writer = PdfWriter(
                fonts, store, draw=self._draw, runs=self._factory.runs, keep=True
            )

    @property
    def digests(self) -> Digests:
        """The digests of the latest faces and of all shared ones."""
        return self._composer.digests

    @property
    def cached_faces(self) -> int:
        """The number of cached forms."""
        return 0 if self._writer is None else self._writer.cached_faces

    @property
    def typography(self) -> tuple[tuple[Mm, Mm], Metrics, tuple[str, str], Mapping[str, str]]:
        """The style of text pages: paper, metrics, fonts of titles and texts, and words."""
        factory, setting = self._factory, self._setting
        assert setting is not None
        paper = setting.format.page_width, setting.format.page_height
        families = factory.title_font, factory.text_font
        return paper, factory.metrics, families, self.game.setup.words

    def print_many(
        self,
        decks: Iterable[Deck],
        report: Report,
        *,
        pages_before: Callable[[int], Iterable[Page]] = lambda _: (),
        only: str | None = None,
    ) -> PrintedDecks | None:
        """Print decks into one file; return None after reporting errors.

        Each deck has the same pages as if printed by itself.

        Args:
            pages_before: returns extra pages to insert before a deck, by its index.
            only: the id or name of the only card to print.
        """
        old_faces = self._composer.start_batch()
        if self._writer is not None:
            self._writer.forget(old_faces)
        found: Report = []
        printed: PrintedDecks | None = None
        try:
            with report_failure(found):
                printed = self._print_many([*decks], found, pages_before, only)
        finally:
            self._composer.finish_batch()
        findings = tuple(dict.fromkeys(found))
        if printed is None or has_errors(findings):
            report.extend(findings)
            return None
        return printed._replace(findings=findings)

    def print_boxes(self, decks: Iterable[Deck], paper: str, report: Report) -> bytes | None:
        """Print tuck boxes of decks, one per page; return None after reporting errors."""
        pages, findings, factory = list[Page](), list[Diagnostic](), self._factory
        options, title = BoxOptions(paper=paper), ""
        try:
            for deck in decks:
                with report_failure(findings):
                    stats = deck_stats(self.game, deck, DeckRules())
                    page, _, _ = box_page(stats, factory, options, findings)
                    title, footer = box_titles(self.game, deck)
                    pages += self._add_footers([page], footer)
            art = [placed.face for page in pages for placed in page.faces]
            whole = prepare_images(art, factory.pictures.store, findings)
            if self._writer is None or not whole or has_errors(findings):
                report.extend(findings)
                return None
            pdf = self._writer.make_pdf(pages, self._info._replace(title=title))
            self._writer.forget(art)
            return pdf
        finally:
            self._composer.finish_batch()

    def _print_many(
        self,
        decks: Sequence[Deck],
        report: Report,
        pages_before: Callable[[int], Iterable[Page]],
        only: str | None,
    ) -> PrintedDecks | None:
        writer, laid_out = self._writer, list[DeckLayout]()
        if writer is None:
            return None
        for deck in decks:
            with report_failure(report):
                laid_out.append(self._lay_out(deck, report, only))
        if len(laid_out) < len(decks):
            return None
        title, _ = print_titles(self.game, decks)
        info = self._info._replace(title=title)
        pages = [
            page
            for number, deck in enumerate(laid_out)
            for page in (*pages_before(number), *deck.pages)
        ]
        back_pages = [page for deck in laid_out for page in deck.back_pages]
        pdf = writer.make_pdf(pages, info)
        backs = writer.make_pdf(back_pages, info) if back_pages else None
        return PrintedDecks(pdf, backs, (*laid_out,))

    def _lay_out(self, deck: Deck, report: Report, only: str | None) -> DeckLayout:
        setting, options = self._setting, self._options
        assert setting is not None
        sheet, fill = setting.format.name, options.fill and only is None
        part, manifest = self._composer.compose(
            deck, report, sheet=sheet, backs=setting.backs, fill=fill
        )
        if only is not None:
            part = part._replace(copies=choose_copies(part.copies, CardSelection((only,)), report))
        if not part.copies:
            part = part._replace(spare=())
        pages = lay_out_decks([part], setting, report, whole=only is None)
        stop_on_errors(report)
        _, footer = print_titles(self.game, [deck])
        fronts, backs = (self._add_footers(each, footer) for each in (pages.pages, pages.backs))
        return DeckLayout(fronts, backs, (*part.copies,), manifest)

    def _draw(self, placed: PlacedFace) -> Iterable[Op]:
        """Return the ops of a face, extended to its visible bleed."""
        return square_corners(self._composer.with_ops(placed.face), *placed.reach).ops

    def _add_footers(self, pages: Sequence[Page], footer: str) -> tuple[Page, ...]:
        date, setup, factory = self._info.date, self.game.setup, self._factory
        place = factory.metrics, factory.text_font
        return (*add_footers(pages, footer, setup.words, setup.language, date, *place),)
