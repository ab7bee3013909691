"""Lay out everything that a game can print, in every style and with all pictures."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice, product
from pathlib import Path

from deckwright.base.findings import (
    FIX_FIRST_HINT,
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
from deckwright.base.output import report_failure
from deckwright.base.processes import track_progress, track_work
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.book.read import check_style
from deckwright.checking.backs import find_hidden_backs, lint_backs
from deckwright.checking.layout_memory import CardContexts, LayoutMemory, SoundCard
from deckwright.checks.counting import DeckRules
from deckwright.decks.stats import deck_stats
from deckwright.faces.copies import Back, NamedFace
from deckwright.faces.factory import FaceFactory, back_key
from deckwright.faces.keys import CardKeys, digest_contexts, digest_texts, state_of
from deckwright.faces.selection import (
    compose_backs,
    compose_fronts,
    compose_marker_sides,
    prepare_images,
    report_truncated_cards,
)
from deckwright.faces.usable_pictures import CardPictures, iter_images
from deckwright.faces.watermark import make_watermark
from deckwright.game.context import Context
from deckwright.game.decklist import UsedRule
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FULL
from deckwright.game.model import Card, Deck, DeckEntry, Game, PrintableCard, PrintedValues
from deckwright.ops.model import Face, Op, walk
from deckwright.outputs.books import build_rulebook, check_overview_templates, print_book
from deckwright.sheet.layout import load_game_sheet
from deckwright.templates.compose import RULES_FIELD, Subject, has_words, join_face_words
from deckwright.templates.lints import lint_codes, lint_face, lint_templates
from deckwright.templates.template import T006, Template
from deckwright.text.fonts import STYLES, T007, Font, bold_of, load_fonts
from deckwright.text.paragraphs import MAX_MISSING, format_characters
from deckwright.text.scripts import has_italics
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.xmlio.node import Node, Source

T023 = Code("T023", Severity.WARNING, "a bold or italic text in a font that has none")
L006 = Code("L006", Severity.WARNING, "a game too large for a check to lay out in full")
L014 = Code("L014", Severity.WARNING, "color glyphs printed in one color")
L017 = Code("L017", Severity.INFO, "a text that is never printed")


def _open_own_fonts(game: Game, folder: GameFolder, report: LimitedReport) -> list[Font] | None:
    """Return the fonts in files of the game, None after reporting that some cannot be opened."""
    own = {family.id: family for family in game.setup.fonts.values() if family.family is None}
    if not own:
        return []
    before = len(report)
    with track_work("the fonts", folder.game_file):
        fonts = load_fonts(game.setup._replace(fonts=own), folder, report)
    if len(report) > before:
        return None
    from deckwright.paint.pdf.fonts import open_font  # imports HarfBuzz

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


def _check_fonts(factory: _CheckingFactory, own: Collection[Font], report: LimitedReport) -> None:
    """Check the fonts of a game whose texts were all laid out.

    Styles may be used that their family lacks, color glyphs are printed as outlines in one color,
    and fonts must be embeddable with the characters in use, which is reported once a file.

    Args:
        own: the fonts in files of the game.
    """
    families, metrics = factory.game.setup.fonts.values(), factory.metrics
    for family, style in product(families, STYLES):
        font = factory.fonts.get(f"{family.id}-{style}")
        texts = [*metrics.shaped_texts(font.id)] if font else []
        heavy = factory.fonts.get(f"{family.id}-bold")
        if "bold" not in style or (heavy and not heavy.stands_for):
            # Other scripts have no italics, and stand upright where a template asks for them.
            texts = [text for text in texts if has_italics(text)]
        sample = max(texts, key=len, default="")
        if font is not None and font.stands_for and sample:
            text, hint = shorten(sample), "to print the regular style there, use its file"
            own_file = family.family is None
            hint = f'add a file as `{style}="…"`; {hint}' if own_file else "use another font"
            if "bold" in style and (bold := bold_of(family.family)):
                hint = f'add `bold="{bold}"`'
            message = f"the font `{family.id}` has no {style} style, which `{text}` needs"
            report.append(T023.at(family.source.at(), message, hint))
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
    if not own:
        return
    from deckwright.paint.pdf.fonts import open_font  # imports HarfBuzz

    used: dict[Path, set[str]] = {}
    for font in own:
        used.setdefault(font.path, set()).update(metrics.used_characters(font.id))
    for path, font in {font.path: font for font in own}.items():
        with report_failure(report), track_work(f"the font `{path.name}`", path):
            open_font(font).check_embedding("".join(sorted(used[path])))


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
_SAMPLE_CARDS = 12
"""The number of cards on the deck sheet that is laid out."""
_BATCH = 500
"""The number of cards whose faces are in memory at a time."""
_DEFAULT_HAND = 7
"""The default number of cards in a hand."""


def lay_out_all(
    game: Game,
    folder: GameFolder,
    book: Node | None,
    memory: LayoutMemory,
    report: LimitedReport,
    *,
    limited: bool,
) -> None:
    """Lay out everything that can be printed, in every style, and open every image.

    Args:
        book: the root element of the rulebook, if there is one.
        memory: what is known from earlier layouts; it is updated.
        limited: whether to stop at the limits for untrusted games.
    """
    if not memory.recall_part("templates", lambda _: "", report):
        lints = [*lint_templates(folder, game.setup.symbols)]
        report.extend(lints)
        memory.add_part("templates", "", (), lints)
    fonts = _open_own_fonts(game, folder, report)
    if fonts is None:
        return
    factory = _CheckingFactory(game, folder, memory, report, limited=limited)
    if factory.usable:
        _lay_out(factory, book, report)
    before = len(report)
    _check_fonts(factory, fonts, report)
    # A finding about a font may concern any card.
    if factory.usable and len(report) == before:
        memory.save()


def _lay_out(first: _CheckingFactory, book: Node | None, report: LimitedReport) -> None:
    """Lay out cards, sheets and books."""
    game, folder, budget, memory = first.game, first.folder, first.budget, first.memory
    before = len(report)
    known = first.contexts.card_contexts
    contexts = CardContexts(known)
    vars(first.contexts)["card_contexts"] = contexts  # the value of the cached property
    factories = [first, *(first.in_style(style) for style in folder.styles())]
    checks = _lay_out_cards(factories, report)
    sample = [
        check.card
        for check in checks
        if check.is_drawable and (check.faction_id, check.card.id) in game.cards
    ]
    sample = sample[:: max(1, len(sample) // _SAMPLE_CARDS)][:_SAMPLE_CARDS]
    sources = [faction.source for faction in game.factions.values()]
    sources += [rule.source for rule in game.rules.values()]
    texts = {str(source.path): source.document.text for source in sources}

    def sheets_key(shown: Iterable[str]) -> str | None:
        return digest_contexts(memory.images, texts, [known.get(name) for name in shown])

    if not budget.has_too_many_errors and not memory.recall_part("sheets", sheets_key, report):
        start, contexts.shown = len(report), {card.id for card in sample}
        found = LimitedReport()
        make_watermark(first, None, found)
        for factory in factories:
            _lay_out_sheets(factory, sample, found)
        # What the box shows of a card may be reported already.
        report.extend(first.find_new(found))
        load_game_sheet(game, folder, report)
        memory.add_part(
            "sheets", sheets_key(sorted(contexts.shown)), contexts.shown, report[start:]
        )
    if budget.has_too_many_errors:
        message = f"the layout stopped after more than {MAX_FINDINGS} errors"
        place = Location(folder.game_file)
        report.append(S009.at(place, message, FIX_FIRST_HINT))
        return
    if budget.exhausted:
        message = f"only the first {budget.faces:,} faces were laid out"
        hint = "those of a deck are laid out when you print it"
        report.append(L006.at(Location(folder.cards_folder), message, hint))
    elif not has_errors(report[before:]):  # otherwise faces may be missing
        report.extend(_find_unprinted_texts(checks))
        backs = find_hidden_backs(game, ((check.card, check.faction_id) for check in checks))

        def backs_key(_: Iterable[str]) -> str | None:
            return digest_contexts(memory.images, texts, [hidden.key for hidden in backs])

        if not memory.recall_part("backs", backs_key, report):
            lints = [*lint_backs(factories, backs)]
            report.extend(lints)
            memory.add_part("backs", backs_key(()), (), lints)
    if book is not None:
        text = book.source.document.text
        # Of the cards in galleries, nothing else can be at fault.
        listed = [(*key, card.name, card.rule_ids()) for key, card in game.cards.items()]
        gaps = bool(game.omissions.cards or game.omissions.factions)

        def book_key(shown: Iterable[str]) -> str | None:
            return digest_contexts(text, listed, gaps, sheets_key(shown))

        if not memory.recall_part("rulebook", book_key, report):
            contexts.shown = known.keys() & set(re.findall(r"[\w./-]+", text))
            # Errors of its cards are reported already; here placeholders take their place.
            findings, faults = LimitedReport(), LimitedReport()
            factory = first.in_style(None, faults)
            factory.report_to(findings)
            with track_work("the rulebook", book.source.path):
                _lay_out_book(book, factory, findings)
            if gaps:
                # Its drawings may show cards that could not be read.
                findings = LimitedReport(each for each in findings if each.code is not T006)
            report.extend(first.find_new(findings))
            shown = sorted(contexts.shown)
            memory.add_part("rulebook", book_key(shown), shown, findings)
    report.extend(memory.template_findings())


class _CardCheck:
    """A card that is laid out, unless it is known to be sound.

    Attributes:
        card, faction_id: the card, and the faction that prints it.
        key: the digest of what its templates see.
        result: what its faces show; None until it is laid out.
        faces: its faces and its own backs with their styles, while it is laid out.
        is_sound: whether nothing was found on them.
        is_drawable: whether it has a face in the default style.
    """

    def __init__(self, printable: PrintableCard, key: str | None, result: SoundCard | None) -> None:
        """Use what is known of the card."""
        self.printable = printable
        self.card, self.faction_id, _ = printable
        self.key, self.result = key, result
        self.faces: list[tuple[str | None, Face]] = []
        self.is_sound = self.is_drawable = True

    def finish(self, pictures: CardPictures) -> SoundCard:
        """Return what the faces show, and drop them."""
        faces = [face for _, face in self.faces]
        paths = {picture.path for picture in pictures.pictures_of(self.card)}
        paths.update(path for face in faces for path in _find_files(face))
        # A face omits a text for want of room if its template has alternatives (`first`).
        texts = {
            name: text
            for face in faces
            for name in face.unprinted
            if isinstance(text := self.card.fields.get(name), str)
        }
        unprinted = [
            name
            for name, text in texts.items()
            if not any(has_words(join_face_words(face.ops), text) for face in faces)
        ]
        self.is_drawable = any(style is None for style, _ in self.faces)
        self.result = SoundCard(
            {str(path): state_of(path) for path in paths},
            tuple(unprinted),
            any(style is None and RULES_FIELD in face.unprinted for style, face in self.faces),
        )
        self.faces = []
        return self.result


def _find_files(face: Face) -> set[Path]:
    """Return the pictures that a face shows."""
    return {*face.drawings, *(op.path for op in iter_images(face))}


def _lay_out_cards(
    factories: Sequence[_CheckingFactory], report: LimitedReport
) -> list[_CardCheck]:
    """Lay out the cards that are not known to be sound, in all styles."""
    first, memory = factories[0], factories[0].memory
    keys = CardKeys(first.game, first.contexts, memory.unused_names)
    checks = []
    for each in first.game.printable_cards():
        if each.faction_id:
            key = keys.digest_card(each.card, each.faction_id)
            checks.append(_CardCheck(each, key, memory.find_card(key)))
            if (full := each.card.kind.full) is not None:  # services print that size
                whole = each._replace(card=each.card._replace(kind=full))
                key = key and digest_texts(key, FULL)
                checks.append(_CardCheck(whole, key, memory.find_card(key)))
    fresh = [check for check in checks if check.result is None]
    for start in range(0, len(fresh), _BATCH):
        batch = fresh[start : start + _BATCH]
        for factory in factories:
            _lay_out_batch(factory, batch, report)
        for check in batch:
            result = check.finish(first.pictures)
            if check.is_sound:
                memory.add_card(check.key, result)
        if len(fresh) > _BATCH:
            for factory in factories:
                factory.drop_faces()
    truncated = {c.card.id: c.card for c in checks if c.result and c.result.is_truncated}
    where = "the texts are in the rule references of decks"
    if first.game.setup.reference is None:
        where = "decks have no rule reference with the texts"
    report_truncated_cards([*truncated.values()], where, report)
    return checks


def _lay_out_batch(
    factory: _CheckingFactory, checks: Sequence[_CardCheck], report: LimitedReport
) -> None:
    """Lay out cards in a style, and prepare their pictures."""
    sides: list[tuple[_CardCheck, NamedFace]] = []
    backs = set[int]()
    with track_work("the faces of the cards", factory.place.path):
        factory.prefetch([(check.card, check.faction_id) for check in checks], report)
        for check in track_progress(checks, "composing faces"):
            own, before = LimitedReport(), factory.count_findings([])
            fronts = [*compose_fronts(factory, check.printable, own)]
            composed = [*fronts, *compose_backs(factory, check.printable, backs, own)]
            check.faces += [(factory.style, named.face) for named in composed]
            sides += [(check, named) for named in composed]
            if len(fronts) < check.card.parts or factory.count_findings(own) > before:
                check.is_sound = False
            report.extend(factory.find_new(own))
    doubtful = {id(named.face) for _, named in sides if factory.lint(named, report)}
    before = len(report)
    with track_work("the pictures of the cards", factory.place.path):
        prepare_images((named.face for _, named in sides), factory.pictures.store, report)
    faulty = {finding.location.path for finding in report[before:] if finding.location}
    doubtful |= {
        id(named.face) for _, named in sides if not faulty.isdisjoint(_find_files(named.face))
    }
    stopped = factory.budget.exhausted or factory.budget.has_too_many_errors
    for check in checks if doubtful or stopped else ():
        # The backs that cards share are among the sides of the first one only.
        back = None if stopped else factory.card_back(check.card, check.faction_id, [])
        mine = {id(back), *(id(face) for style, face in check.faces if style == factory.style)}
        if stopped or not doubtful.isdisjoint(mine):
            check.is_sound = False


def _find_unprinted_texts(checks: Iterable[_CardCheck]) -> Iterator[Diagnostic]:
    """Yield a finding for each text of a card that no faction prints."""
    by_card: dict[Source, list[_CardCheck]] = {}
    for check in checks:
        by_card.setdefault(check.card.source, []).append(check)
    for source, same in by_card.items():
        card, lists = same[0].card, [each.result.unprinted for each in same if each.result]
        for name in lists[0]:
            if all(name in names for names in lists):
                message = f"the field `{name}` of {card.subject} has no room and is never printed"
                hint = "shorten it, or give it more room in the template"
                yield L017.at(source.at(name), message, hint)


def _lay_out_sheets(
    factory: _CheckingFactory, sample: Sequence[Card], report: LimitedReport
) -> None:
    """Lay out markers, the rule reference, the sheet and the box of a deck, and the overview."""
    game, place = factory.game, factory.place.path
    for marker in game.setup.markers:
        if not factory.budget.exhausted:
            compose_marker_sides(marker, factory, report)
    # Errors of the sheet are reported later.
    sheet, kind = load_game_sheet(game, factory.folder, []), next(iter(game.setup.kinds.values()))
    fitted = sheet.fit_to(kind.width, kind.height) if sheet and sheet.page_width else None
    paper = (fitted.page_width, fitted.page_height) if fitted else PAPER_SIZES["a4"]
    with track_work("the rule reference", place):
        if factory.style is None:
            known, at = factory.folder.styles(), game.setup.sheet_source.at("reference-styles")
            names = game.setup.reference_styles or ()
            report += filter(None, (check_style(name, known, at) for name in names))
        # The reference is that of a deck with all rules.
        faction = next(iter(game.factions.values()), None)
        if faction is not None and game.rules:
            rules = islice(game.rules.values(), _MAX_RULES)
            used = [UsedRule(rule, (rule.any_label(faction.race),)) for rule in rules]
            text = factory.compose_reference(game.setup.name, faction.id, used, paper, report)
            if text is not None:
                text.pages()
    with track_work("the deck sheet and the tuck box", place):
        _check_deck_sheet(factory, sample, paper, report)
    with track_work("the overview", place):
        check_overview_templates(factory, report)


def _lay_out_book(book: Node, factory: _CheckingFactory, report: LimitedReport) -> None:
    """Read the rulebook, and lay it out unless it is too long."""
    whole = build_rulebook(book, factory, report)
    reasons = {
        f"{MAX_BOOK:,} characters": len(book.source.document.text) > MAX_BOOK,
        f"{MAX_BOOK_ELEMENTS:,} elements": any(islice(book.walk(), MAX_BOOK_ELEMENTS, None)),
        f"{factory.budget.faces:,} faces": factory.budget.exhausted,
    }
    reason = next((why for why, holds in reasons.items() if factory.limited and holds), None)
    if reason is None:
        with report_failure(report):
            print_book(whole, factory, None, report)
    else:
        message = f"a book of more than {reason} was not laid out"
        report.append(L006.at(book.source.at(), message, "print it to see whether everything fits"))


def _check_deck_sheet(
    factory: _CheckingFactory, cards: Sequence[Card], paper: tuple[Mm, Mm], report: LimitedReport
) -> None:
    """Lay out the deck sheet of a deck with one copy of some cards, and its box."""
    if not cards:
        return
    from deckwright.outputs.tuckbox import BoxContent, tuck_box_page  # only if cards have changed
    from deckwright.sheet.tuckbox import interior_for, make_tuck_box, place_on_paper

    game, first = factory.game, cards[0]
    entries = tuple(DeckEntry(card.faction_id, card.id, 1, card.source) for card in cards)
    deck = Deck("", game.setup.name, first.faction_id, None, entries, first.source)
    stats, before = deck_stats(game, deck, DeckRules(game.setup.limits)), len(report)
    if not factory.has_default_deck_sheet:
        text = factory.compose_deck_sheet(stats, paper, report)
        if text is not None:
            text.pages()
    if not factory.has_default_odds:
        from deckwright.decks.odds import resolve_opening
        from deckwright.decks.odds_tables import compute_odds_table  # only for games with one

        hand = None if game.setup.opening else _DEFAULT_HAND
        opening = resolve_opening(game.setup, hand=hand)._replace(mulligans=1)
        zone = max(
            stats.zones, key=lambda zone: (zone.id == opening.zone, zone.cards), default=None
        )
        if zone is not None:
            table = compute_odds_table(zone, opening)
            text = factory.compose_odds_sheet(stats, table, paper, report)
            if text is not None:
                text.pages()
    room = interior_for((first.kind.width, first.kind.height), _BOXED_CARDS, _CARD_THICKNESS, 1)
    placed = place_on_paper(make_tuck_box(room), PAPER_SIZES["a3"])
    kind = first.kind
    usable = factory.template(kind.face, kind.source, "face", report) and (
        kind.back is None or factory.template(kind.back, kind.source, "back", report)
    )
    if placed is not None and usable and not has_errors(report[before:]):
        with report_failure(report):
            tuck_box_page(*placed, BoxContent(_BOXED_CARDS, room), stats, factory, report)


class _Budget:
    """The budget of faces, ops and findings.

    Attributes:
        limited: whether there are limits of faces and ops.
        faces: the number of composed faces.
    """

    def __init__(self, report: Report, *, limited: bool) -> None:
        """Start empty; only findings added from now on count."""
        self.limited = limited
        self.faces = 0
        self._ops = 0
        self._report = report
        self._counted = len(report)
        self._errors: set[Diagnostic] = set()

    @property
    def exhausted(self) -> bool:
        """Whether the limits of faces or ops are reached."""
        return self.limited and (self.faces >= MAX_FACES or self._ops >= _MAX_OPS)

    @property
    def has_too_many_errors(self) -> bool:
        """Whether there are too many errors to continue."""
        # The same errors may occur in every style.
        self._errors.update(filter(is_error, self._report[self._counted :]))
        self._counted = len(self._report)
        return len(self._errors) > MAX_FINDINGS

    def count_face(self, face: Face | None) -> None:
        """Count a face."""
        self.faces += 1
        if self.limited and face is not None:
            self._ops += sum(1 for _ in islice(walk(face.ops), _MAX_OPS))


class _CheckingFactory(FaceFactory):
    """A factory that reports its work to the sandbox, and stops at its limits.

    Attributes:
        place: the location of game.xml.
        memory: what is known from earlier layouts.
        limited: whether to stop at the limits for untrusted games.
        budget: the budget of the check.
    """

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        memory: LayoutMemory,
        report: LimitedReport,
        *,
        limited: bool,
    ) -> None:
        """Open the game's fonts; errors are reported."""
        self.place = Location(game.setup.source.path)
        self.memory = memory
        self.limited = limited
        self._reported = set[tuple[Code, Location | None, str]]()
        self._card_files = {card.source.path for card in game.cards.values()}
        self.report_to(report)
        with track_work("fonts and symbols", self.place.path):
            super().__init__(game, folder, report)

    def report_to(self, report: LimitedReport) -> None:
        """Use `report` from now on, with a new budget."""
        self.budget = _Budget(report, limited=self.limited)
        self._findings = report

    def reset(self, faults: Report | None) -> None:
        """Drop all faces, and what was found on them."""
        super().reset(faults)
        self._linted: dict[tuple[str, bool], set[object]] = {}
        self._faulty_backs: set[tuple[object, ...]] = set()
        self._repeated = self._of_templates = 0

    def drop_faces(self) -> None:
        """Drop all faces but shared backs, to save memory."""
        self._faces = {}
        self.forget_all_drawn()

    def find_new(self, findings: Report) -> Iterator[Diagnostic]:
        """Yield findings, those about templates once, for the first subject affected."""
        for finding in findings:
            place = finding.location
            key = finding.code, place, finding.message.partition(" (for ")[0]
            if key not in self._reported or (place and place.path in self._card_files):
                self._reported.add(key)
                yield finding

    def count_findings(self, report: Report) -> int:
        """Count the findings that concern cards, with those of shared backs for each card."""
        return len(report) - self._of_templates + self._repeated

    def template(
        self, name: str, source: Source, attribute: str, report: Report
    ) -> Template | None:
        """Return a compiled template, None after reporting errors once."""
        if self.usable and name not in self._templates:
            path, before = self.folder.template(name, self.style), len(report)
            with track_work(f"the template `{name}`", path), self._limited(report):
                self._templates[name] = self._compile(name, source, attribute, report)
            self._templates.setdefault(name, None)  # if there were too many findings
            self.memory.add_template(f"{self.style or ''}/{name}", report[before:])
            self._of_templates += len(report) - before
        return self._templates.get(name)

    def lint(self, side: NamedFace, report: Report) -> bool:
        """Report lints of a side not yet reported for its kind; return whether it has any."""
        kind = side.card.kind
        subject = Subject(side.subject, side.card.source)

        def lints(seen: set[object]) -> Iterator[Diagnostic]:
            yield from lint_face(side.face, subject, kind.safe, self.metrics, seen, self._origin)
            yield from lint_codes(side.face, subject, self.metrics, seen, self._origin)

        source = side.card.source
        with track_work(side.card.subject, source.path, source.ordinal):
            if not any(lints(set())):
                return False
            seen = self._linted.setdefault((kind.tag, side.is_back), set())
            report.extend(islice(lints(seen), MAX_FINDINGS + 1))
        return True

    def _origin(self, op: Op) -> Location | None:
        """Return the place of the template element that drew an op."""
        node = self.map_origins().get(id(op))
        return None if node is None else node.source.at()

    def _shared_back(self, back: Back, card: Card, faction_id: str, report: Report) -> Face | None:
        key, before = back_key(back, card.kind), self.count_findings(report)
        face = super()._shared_back(back, card, faction_id, report)
        if key in self._faulty_backs:
            self._repeated += 1
        elif face is None or self.count_findings(report) > before:
            self._faulty_backs.add(key)
        return face

    def _limited(self, report: Report) -> AbstractContextManager[None]:
        """Limit the number of findings within the context."""
        return (report if isinstance(report, LimitedReport) else self._findings).limit()

    def card_faces(
        self, card: Card, faction_id: str, report: Report, printed: PrintedValues = ()
    ) -> list[Face]:
        """Return the faces of a card; none if the budget is exhausted."""
        return (
            [] if self.budget.exhausted else super().card_faces(card, faction_id, report, printed)
        )

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
        face, source = None, subject.source
        with (
            track_work(subject.name, source.path if source else None, source and source.ordinal),
            self._limited(report),
        ):
            face = super()._compose_face(
                template, subject, context, size, report, bleed=bleed, lenient=lenient
            )
            self.budget.count_face(face)
        return face  # None if it has too many findings
