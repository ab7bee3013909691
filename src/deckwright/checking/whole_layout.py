"""Lay out everything that a game can print, in every style and with all pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path

from deckwright.base.files import is_file
from deckwright.base.findings import (
    MAX_FINDINGS,
    S009,
    Code,
    Diagnostic,
    LimitedReport,
    Location,
    Report,
    Severity,
    has_errors,
    is_error,
    shorten,
)
from deckwright.base.output import OutputError
from deckwright.base.processes import track_work
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.book.read import check_style
from deckwright.checks.counting import DeckRules
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import ODDS, FaceFactory
from deckwright.faces.selection import (
    compose_faces,
    compose_marker_sides,
    find_truncated_cards,
    prepare_images,
    report_truncated_cards,
)
from deckwright.faces.watermark import make_watermark
from deckwright.game.context import Context
from deckwright.game.decklist import UsedRule
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, DeckEntry, Game, PrintedValues
from deckwright.game.setup import FontFamily
from deckwright.ops.model import Face, walk
from deckwright.outputs.books import build_rulebook, check_overview_templates, print_book
from deckwright.outputs.tuckbox import BoxContent, tuck_box_page
from deckwright.sheet.layout import load_game_sheet
from deckwright.sheet.tuckbox import interior_for, make_tuck_box, place_on_paper
from deckwright.templates.compose import Subject, has_words, join_face_words
from deckwright.templates.lints import lint_templates
from deckwright.templates.template import Template
from deckwright.text.fonts import STYLES, T007, Font, load_fonts
from deckwright.text.paragraphs import MAX_MISSING, format_characters
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.xmlio.node import Node, Source

L017 = Code("L017", Severity.INFO, "a text that is never printed")

_HINT = "shorten it, or give it more room in the template"


class UnprintedTexts:
    """Collects the faces of a game, style by style, to find texts that none of them prints.

    A face omits a text for want of room if its template has alternatives (`first`).
    """

    def __init__(self) -> None:
        """Begin without faces."""
        self._left_out: dict[tuple[Source, str], Card] = {}
        self._faces: dict[Source, list[Face]] = {}

    def add_faces(self, faces: Iterable[NamedFace]) -> None:
        """Add all faces of a style, and the backs that belong to a single card."""
        for named in faces:
            card, face = named.card, named.face
            self._faces.setdefault(card.source, []).append(face)
            for name in face.unprinted:
                if isinstance(card.fields.get(name), str):
                    self._left_out.setdefault((card.source, name), card)

    def findings(self) -> Iterator[Diagnostic]:
        """Yield a finding for each omitted text that no face prints."""
        for (source, name), card in self._left_out.items():
            faces = self._faces[source]
            if not any(
                has_words(join_face_words(face.ops), str(card.fields[name])) for face in faces
            ):
                message = f"the field `{name}` of {card.subject} has no room and is never printed"
                yield L017.at(source.at(name), message, _HINT)


T023 = Code("T023", Severity.WARNING, "a bold or italic text in a font that has none")

L014 = Code("L014", Severity.WARNING, "color glyphs printed in one color")


def try_fonts(game: Game, folder: GameFolder, report: LimitedReport) -> list[Font] | None:
    """Open the game's own fonts; return None after reporting errors."""
    own = {family.id: family for family in game.setup.fonts.values() if family.family is None}
    if not own:
        return []
    before = len(report)
    with track_work("the fonts", folder.game_file):
        fonts = load_fonts(game.setup._replace(fonts=own), folder, report)
    if len(report) > before:
        return None
    from deckwright.paint.pdf.fonts import open_font  # noqa: PLC0415 - imports ReportLab

    metrics = HarfBuzzMetrics({font.id: font for font in fonts.values()})
    for (family, style), font in fonts.items():
        try:
            with track_work(f"the font `{family}`", font.path):
                metrics.vertical(font.id)
                metrics.shape(font.id, "x")
                open_font(font)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - the libraries can raise anything
            file_style = style if style in own[family].files else "regular"
            message = (
                f"the font `{own[family].files[file_style]}` is damaged: {error.__cause__ or error}"
            )
            place = own[family].source.at(file_style)
            report.append(T007.at(place, message, "save or copy it again, or use another one"))
    return [*fonts.values()] if len(report) == before else None


def check_styles(
    families: Iterable[FontFamily],
    fonts: Mapping[str, Font],
    metrics: HarfBuzzMetrics,
    report: LimitedReport,
) -> None:
    """Report styles that are used but missing in their font family.

    Args:
        fonts: all fonts of the game, by id.
        metrics: the metrics that measured all texts of the game.
    """
    for family in families:
        for style in STYLES:
            font = fonts.get(f"{family.id}-{style}")
            sample = max(metrics.shaped_texts(font.id), key=len, default="") if font else ""
            if font is None or not font.stands_for or not sample:
                continue
            report.append(
                T023.at(
                    family.source.at(),
                    f"the font `{family.id}` has no {style} style, which `{shorten(sample)}` needs",
                    f'add a file as `{style}="…"`; to print the regular style there, use its file'
                    if family.family is None
                    else "use another font",
                )
            )


def check_colors(
    families: Iterable[FontFamily], metrics: HarfBuzzMetrics, report: LimitedReport
) -> None:
    """Report color glyphs, which are printed as outlines in one color.

    Args:
        metrics: the metrics that measured all texts of the game.
    """
    for family in families:
        if family.family is None:
            colored = {
                one for style in STYLES for one in metrics.color_characters(f"{family.id}-{style}")
            }
            if colored:
                examples = format_characters(sorted(colored)[:MAX_MISSING])
                message = (
                    f"the font `{family.id}` draws {examples} in colors, but only one is printed"
                )
                hint = "for signs in colors, use a picture or a symbol"
                report.append(L014.at(family.source.at(), message, hint))


def try_embedding(fonts: Collection[Font], metrics: HarfBuzzMetrics, report: LimitedReport) -> None:
    """Check that fonts can be embedded with the used characters; report each file once.

    Args:
        metrics: the metrics that measured all texts of the game.
    """
    if not fonts:
        return
    files = {font.path: font for font in fonts}
    used: dict[Path, set[str]] = {path: set() for path in files}
    for font in fonts:
        used[font.path].update(metrics.used_characters(font.id))
    from deckwright.paint.pdf.fonts import check_embedding  # noqa: PLC0415 - imports ReportLab

    for path, font in files.items():
        try:
            with track_work(f"the font `{path.name}`", path):
                check_embedding(font, "".join(sorted(used[path])))
        except OutputError as error:
            report.append(error.finding)


L006 = Code("L006", Severity.WARNING, "a game too large for a check to lay out in full")

MAX_FACES = 4_000
"""The maximum number of faces that a check lays out in all styles, which takes some seconds."""

MAX_BOOK = 400_000
"""The maximum length of a rulebook that a check lays out, in characters; 500 pages are shorter."""
MAX_BOOK_ELEMENTS = 15_000
"""The maximum number of elements of a rulebook: three times that of the longest known one."""
_MAX_OPS = 2_000_000
"""The maximum number of ops of all faces; a face full of patterns has two thousand."""
_MAX_RULES = 2_000
"""The maximum number of rules in the reference."""
_BOXED_CARDS, _CARD_THICKNESS = 40, 0.3
"""A typical number of cards in a box, and the thickness of a card in mm."""
_DEFAULT_HAND = 7
"""The default number of cards in a hand."""
_LATER_HINT = "those of a deck are laid out when you print it"


def lay_out_all(game: Game, folder: GameFolder, book: Node | None, report: LimitedReport) -> None:
    """Lay out everything that can be printed, in every style, and open every image.

    Args:
        book: the root element of the rulebook, if there is one.
    """
    report.extend(lint_templates(folder, game.setup.symbols))
    fonts = try_fonts(game, folder, report)
    if fonts is None:
        return
    stage = _CheckingFactory(game, folder, report)
    if stage.usable:
        _lay_out(stage, book, report)
    check_styles(game.setup.fonts.values(), stage.fonts, stage.metrics, report)
    check_colors(stage.game.setup.fonts.values(), stage.metrics, report)
    try_embedding(fonts, stage.metrics, report)


def _lay_out(first: _CheckingFactory, book: Node | None, report: LimitedReport) -> None:
    """Lay out cards and books."""
    game, folder, room = first.game, first.folder, first.budget
    make_watermark(first, None, report)
    before, unprinted = len(report), UnprintedTexts()
    for style in (None, *folder.styles()):
        stage = first.in_style(style) if style else first
        _lay_out_faces(stage, unprinted, report)
        if room.exhausted or room.has_too_many_errors:
            break
        paper = _game_paper(game, folder)
        with track_work("the rule reference", stage.place.path):
            _check_reference(stage, paper, report)
        with track_work("the deck sheet and the tuck box", stage.place.path):
            _check_deck_sheet(stage, paper, report)
        with track_work("the overview", stage.place.path):
            check_overview_templates(stage, report)
    if room.has_too_many_errors:
        message = f"the layout stopped after more than {MAX_FINDINGS} errors"
        place = Location(folder.game_file)
        report.append(S009.at(place, message, "fix these first, then check again"))
        return
    if room.exhausted:
        message = f"only the first {room.faces:,} faces were laid out"
        report.append(L006.at(Location(folder.cards_folder), message, _LATER_HINT))
    elif not has_errors(report[before:]):  # otherwise faces may be missing
        report.extend(unprinted.findings())
    load_game_sheet(game, folder, report)
    if book is not None:
        # Errors of its cards are reported already; here placeholders take their place.
        findings, faults = LimitedReport(), LimitedReport()
        stage = first.in_style(None, faults)
        stage.report_to(findings)
        with track_work("the rulebook", book.source.path):
            _lay_out_book(book, stage, findings)
        report.extend(findings)


def _lay_out_faces(
    stage: _CheckingFactory, unprinted: UnprintedTexts, report: LimitedReport
) -> None:
    """Lay out the faces of cards and markers, and prepare their images."""
    with track_work("the faces of the cards", stage.place.path):
        faces = [*compose_faces(stage, report)]
        faces += compose_faces(stage, report, backs=True)
    unprinted.add_faces(faces)
    if stage.style is None:
        cut = find_truncated_cards((named.card, named.face) for named in faces)
        where = "the texts are in the rule references of decks"
        if stage.game.setup.reference is None:
            where = "decks have no rule reference with the texts"
        report_truncated_cards(cut, where, report)
    left = MAX_FINDINGS + 1
    for named in faces:
        with track_work(*_describe_card(named.card)):
            doubts = list(islice(stage.lint(named), left))
        report.extend(doubts)
        left -= len(doubts)
        if not left:
            break
    with track_work("the pictures of the cards", stage.place.path):
        prepare_images((named.face for named in faces), stage.pictures.store, report)
    for marker in stage.game.setup.markers:
        if not stage.budget.exhausted:
            compose_marker_sides(marker, stage, report)


def _lay_out_book(book: Node, stage: _CheckingFactory, report: LimitedReport) -> None:
    """Read the rulebook, and lay it out unless it is too long."""
    whole = build_rulebook(book, stage, report)
    reasons = {
        f"{MAX_BOOK:,} characters": len(book.source.document.text) > MAX_BOOK,
        f"{MAX_BOOK_ELEMENTS:,} elements": any(islice(book.walk(), MAX_BOOK_ELEMENTS, None)),
        f"{stage.budget.faces:,} faces": stage.budget.exhausted,
    }
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    if reason is None:
        print_book(whole, stage, None, report)
    else:
        message = f"a book of more than {reason} was not laid out"
        report.append(L006.at(book.source.at(), message, "print it to see whether everything fits"))


def _game_paper(game: Game, folder: GameFolder) -> tuple[Mm, Mm]:
    """Return the paper of the game's sheet, or A4; errors are reported later."""
    sheet, kind = load_game_sheet(game, folder, []), next(iter(game.setup.kinds.values()))
    fitted = sheet.fit_to(kind.width, kind.height) if sheet and sheet.page_width else None
    return (fitted.page_width, fitted.page_height) if fitted else PAPER_SIZES["a4"]


def _check_reference(stage: _CheckingFactory, paper: tuple[Mm, Mm], report: LimitedReport) -> None:
    """Lay out the reference of all rules, as if one deck used them all."""
    game = stage.game
    if stage.style is None:
        _check_reference_styles(stage, report)
    faction_id = next(iter(game.factions), None)
    if faction_id is None or not game.rules:
        return
    race = game.factions[faction_id].race
    rules = islice(game.rules.values(), _MAX_RULES)
    used = [UsedRule(rule, (rule.any_label(race),)) for rule in rules]
    text = stage.compose_reference(game.setup.name, faction_id, used, paper, report)
    if text is not None:
        text.pages()


def _check_reference_styles(stage: _CheckingFactory, report: LimitedReport) -> None:
    """Report unknown styles that `game.xml` names for the reference."""
    setup, known = stage.game.setup, stage.folder.styles()
    place = setup.sheet_source.at("reference-styles")
    names = setup.reference_styles or ()
    report += filter(None, (check_style(name, known, place) for name in names))


def _check_deck_sheet(stage: _CheckingFactory, paper: tuple[Mm, Mm], report: LimitedReport) -> None:
    """Lay out the deck sheet of a deck with one copy of each card, and its box.

    Cards whose faces cannot be drawn are left out, since they are reported already.
    """
    game = stage.game
    cards = [
        card
        for card in game.cards.values()
        if card.faction_id in game.factions and not stage.has_failed(card)
    ]
    if not cards:
        return
    entries = tuple(
        DeckEntry(card.faction_id, card.id, 1, card.source) for card in cards[:MAX_FACES]
    )
    first = cards[0]
    deck = Deck("", game.setup.name, first.faction_id, None, entries, first.source)
    stats, before = deck_stats(game, deck, DeckRules(game.setup.limits)), len(report)
    text = stage.compose_deck_sheet(stats, paper, report)
    if text is not None:
        text.pages()
    if is_file(stage.folder.template(ODDS.name, stage.style)):
        _check_odds(stage, stats, paper, report)
    room = interior_for((first.kind.width, first.kind.height), _BOXED_CARDS, _CARD_THICKNESS, 1)
    placed = place_on_paper(make_tuck_box(room), PAPER_SIZES["a3"])
    kind = first.kind
    usable = stage.template(kind.face, kind.source, "face", report) and (
        kind.back is None or stage.template(kind.back, kind.source, "back", report)
    )
    if placed is not None and usable and not has_errors(report[before:]):
        tuck_box_page(*placed, BoxContent(_BOXED_CARDS, room), stats, stage, report)


def _check_odds(
    stage: _CheckingFactory, stats: DeckStats, paper: tuple[Mm, Mm], report: LimitedReport
) -> None:
    """Lay out the odds of a deck with the game's own template."""
    from deckwright.decks.odds import resolve_opening  # noqa: PLC0415
    from deckwright.decks.odds_tables import compute_odds_table  # noqa: PLC0415 - only for games with one

    setup = stage.game.setup
    opening = resolve_opening(setup, hand=None if setup.opening else _DEFAULT_HAND)._replace(
        mulligans=1
    )
    zone = max(stats.zones, key=lambda zone: (zone.id == opening.zone, zone.cards), default=None)
    if zone is not None:
        text = stage.compose_odds_sheet(stats, compute_odds_table(zone, opening), paper, report)
        if text is not None:
            text.pages()


class _Budget:
    """The budget of faces, ops and findings.

    Attributes:
        faces: the number of composed faces.
    """

    def __init__(self, report: Report) -> None:
        """Start empty; only findings added from now on count."""
        self.faces = 0
        self._ops = 0
        self._report = report
        self._counted = len(report)
        self._errors: set[Diagnostic] = set()

    @property
    def exhausted(self) -> bool:
        """Whether the limits of faces or ops are reached."""
        return self.faces >= MAX_FACES or self._ops >= _MAX_OPS

    @property
    def has_too_many_errors(self) -> bool:
        """Whether there are too many errors to continue."""
        # The same errors may occur in every style.
        self._errors.update(filter(is_error, self._report[self._counted :]))
        self._counted = len(self._report)
        return len(self._errors) > MAX_FINDINGS

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Do not count faces composed within the context, since they are composed again later."""
        before = self.faces, self._ops
        yield
        self.faces, self._ops = before

    def count_face(self, face: Face | None) -> None:
        """Count a face."""
        self.faces += 1
        self._ops += sum(1 for _ in islice(walk(face.ops), _MAX_OPS)) if face else 0


class _CheckingFactory(FaceFactory):
    """A factory that reports its work to the sandbox, and stops at its limits.

    Attributes:
        place: the location of game.xml.
        budget: the budget of the check.
    """

    def __init__(self, game: Game, folder: GameFolder, report: LimitedReport) -> None:
        """Open the game's fonts; errors are reported."""
        self.place = Location(game.setup.source.path)
        self.report_to(report)
        with track_work("fonts and symbols", self.place.path):
            super().__init__(game, folder, report)

    def report_to(self, report: LimitedReport) -> None:
        """Use `report` from now on, with a new budget."""
        self.budget = _Budget(report)
        self._findings = report

    def template(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        """Return a compiled template, None after reporting errors once."""
        if self.usable and name not in self._templates:
            path = self.folder.template(name, self.style)
            with track_work(f"the template `{name}`", path), self._limited(report):
                self._templates[name] = self._compile(name, source, attribute, report)
            self._templates.setdefault(name, None)  # if there were too many findings
        return self._templates.get(name)

    def _limited(self, report: Report) -> AbstractContextManager[None]:
        """Limit the number of findings within the context."""
        return (report if isinstance(report, LimitedReport) else self._findings).limit()

    def prefetch(self, cards: Iterable[tuple[Card, str]], report: Report) -> None:
        """Open the pictures of cards without counting their faces."""
        with self.budget.uncounted():
            super().prefetch(cards, report)

    def card_faces(
        self, card: Card, faction_id: str, report: Report, printed: PrintedValues = ()
    ) -> list[Face]:
        """Return the faces of a card; none if the budget is exhausted."""
        return (
            [] if self.budget.exhausted else super().card_faces(card, faction_id, report, printed)
        )

    def has_failed(self, card: Card) -> bool:
        """Return whether the face of a card cannot be drawn because of its content."""
        composed = self._faces.get((id(card), card.faction_id, 1, False, ()))
        failed = composed is not None and composed.face is None
        kind = card.kind
        return failed and self.template(kind.face, kind.source, "face", []) is not None

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
        if self.budget.exhausted or self.budget.has_too_many_errors:
            return None
        faces: list[Face | None] = []
        source = subject.source
        with (
            track_work(subject.name, source.path if source else None, source and source.ordinal),
            self._limited(report),
        ):
            faces.append(
                super()._compose_face(
                    template, subject, context, size, report, bleed=bleed, lenient=lenient
                )
            )
            self.budget.count_face(faces[0])
        return faces[0] if faces else None  # there is none if it has too many findings


def _describe_card(card: Card) -> tuple[str, Path, int]:
    """Return the description of a card for the sandbox."""
    return card.subject, card.source.path, card.source.ordinal
