"""Open games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Unpack

from deckwright.api.decks import Deck, compare_deck_files, print_deck_lists, print_token_sheets
from deckwright.api.faces import Card, Face
from deckwright.api.options import (
    BalanceOptions,
    DeckPrint,
    GameError,
    GamePrint,
    Limits,
    MarkerPrint,
    PackagePrint,
    PicturePrint,
    PressPrint,
    PressProofOptions,
    ProofPrint,
    TokenPrint,
    require_loaded,
    require_positive_dpi,
    require_web_address,
    resolve_cutter,
    resolve_limits,
    resolve_marker_sheet,
    resolve_order,
    resolve_press,
    resolve_printer,
    resolve_service,
)
from deckwright.api.session import FaceName, GameSession
from deckwright.base.files import is_file, path_exists, to_nfc
from deckwright.base.findings import (
    ChoiceError,
    Grading,
    Report,
    has_errors,
    known_hint,
    require_known,
)
from deckwright.base.options import Option
from deckwright.base.output import OutputError
from deckwright.base.units import PAPER_SIZES
from deckwright.checks.loading import load_checked_game
from deckwright.game import load
from deckwright.game.setup import resolve_counts
from deckwright.outputs.printed import Print
from deckwright.xmlio.load import limit_files

if TYPE_CHECKING:
    from deckwright.api.reports import BoosterOptions, GeneratedFile
    from deckwright.api.solving import Solution
    from deckwright.base.findings import Diagnostic
    from deckwright.checking.stages import CheckResult
    from deckwright.decks.balance.model import Balance
    from deckwright.decks.comparison import DeckComparison
    from deckwright.decks.generator.boosters import RunStatistics
    from deckwright.game import model
    from deckwright.game.folder import GameFolder
    from deckwright.languages.updating import PrintedText
    from deckwright.outputs.cockatrice import CockatriceExport
    from deckwright.outputs.package.making import Package
    from deckwright.outputs.pictures import PictureExport, PictureOptions
    from deckwright.outputs.press.proofs import PressProof

_MAX_CORNER_FIELDS = 2
"""Cockatrice shows at most this many numbers in a card's corner."""
_TICKET_PAPERS = ("a4", "letter")
"""The papers of job tickets."""


def open_game(
    path: Path | str = ".",
    *,
    keep: bool = True,
    rasterize: bool = False,
    language: str | None = None,
) -> Game:
    """Open the game in a folder.

    A game with errors in cards, rules or decks can be opened; `Game.check` reports them.

    Args:
        path: the folder that contains `xml`, `img` and `templates`.
        keep: whether files and faces are cached for later calls and for `Game.reload`.
            Otherwise each call reads the files that it needs and reports errors in
            `game.xml`, which is faster for programs that print only once.
        rasterize: whether unsupported drawings are turned into pixels.
        language: the language of its texts, a catalog in `xml/lang`; None for its own.

    Raises:
        ChoiceError: if the game has no such language.
        GameError: if there is no game, a folder of it cannot be read, or its `game.xml` cannot be
            used.
    """
    return Game(GameSession(Path(path), keep=keep, rasterize=rasterize, language=language))


class Changes(NamedTuple):
    """The result of `Game.reload`.

    Attributes:
        files: the files that were changed, added or removed.
        faces: the requested faces that look different now, in their new state.
        lost: the requested faces that can no longer be composed.
    """

    files: tuple[Path, ...] = ()
    faces: tuple[Face, ...] = ()
    lost: tuple[FaceName, ...] = ()


class Game:
    """An open game.

    Common parameters of its methods: `path` or `folder` is the output, `style` is one of `styles`
    or None for the default one, `sheets` and `limits` are described in `Sheets` and `Limits`.

    They raise a GameError if anything that they need has errors, or a file cannot be written, and a
    ValueError if an argument is invalid or names what does not exist.

    Attributes:
        path: its folder, as passed to `open_game`.
    """

    def __init__(self, game: GameSession) -> None:
        """Use `open_game` to create games."""
        self._game = game
        self.path = game.folder.path
        self._findings: tuple[Diagnostic, ...] | None = None
        if game.keeps:
            _ = game.reading

    def __repr__(self) -> str:
        return f"<Game in {self.path}>"

    @property
    def folder(self) -> GameFolder:
        """The folder of its files."""
        return self._game.folder

    @property
    def name(self) -> str:
        """Its name."""
        return self._game.setup.name

    @property
    def styles(self) -> tuple[str, ...]:
        """The names of its styles, except the default one."""
        return tuple(self.folder.styles())

    @property
    def services(self) -> tuple[str, ...]:
        """The ids of the print services that its decks can be exported for."""
        from deckwright.outputs.services.profile import service_names

        return tuple(service_names(self.folder.xml))

    @property
    def model(self) -> model.Game:
        """The readable contents of its files, as immutable data."""
        return self._game.model

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """The findings in its cards and rules from reading them."""
        return self._game.grade([*self._game.reading.faults])

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards and tokens, in the order of their files."""
        return tuple(Card(self._game, *key) for key in self._game.reading.cards)

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The deck lists in `xml/Decks`."""
        return tuple(Deck(self._game, path) for path in self.folder.deck_files())

    def card(self, card_id: str, *, faction: str | None = None) -> Card:
        """Return a card or token.

        Args:
            card_id: its id.
            faction: the id of the faction that prints it; the first one with such a card if None.

        Raises:
            GameError: if it does not exist.
        """
        composed_id = to_nfc(card_id)
        for owner, known in self._game.reading.cards:
            if known == composed_id and faction in {None, owner}:
                return Card(self._game, owner, known)
        raise GameError([self._game.no_card(composed_id)])

    def marker_face(self, marker_id: str, *, other: bool = False) -> Face | None:
        """Return a side of a marker; None for a blank one.

        Args:
            marker_id: its id; those of values end in the value, as in "damage/10".
            other: whether to return its other side.
        """
        composed = self._game.marker(marker_id, other=other)
        return composed and Face(FaceName("", marker_id, back=other), composed)

    def deck(self, name: str) -> Deck:
        """Return a deck.

        Args:
            name: the name of a file in `xml/Decks`, with or without `.xml`, or any path.

        Raises:
            GameError: if it does not exist.
        """
        path = self.folder.deck_file(to_nfc(name))
        if not is_file(path):
            setup = self._game.setup
            require_loaded(lambda report: load.load_deck(path, self.folder, setup, report))
        return Deck(self._game, path)

    def check(
        self,
        *,
        untrusted: bool = False,
        max_seconds: int | None = None,
        max_memory: int | None = None,
        **limits: Unpack[Limits],
    ) -> tuple[Diagnostic, ...]:
        """Return all findings in the game, its decks, and the layout of its faces.

        The findings are cached until `reload` detects a change.

        Args:
            untrusted: whether the game is untrusted: a file may have 2 MB, layout gets 20 seconds
                of CPU time and 512 MB of memory, and anything that takes more is a finding.
            max_seconds: the CPU time in seconds, instead.
            max_memory: the memory in MB, instead.
        """
        cacheable = not (untrusted or max_seconds or max_memory or limits)
        if cacheable and self._findings is not None:
            return self._findings
        findings = self.inspect(
            untrusted=untrusted, max_seconds=max_seconds, max_memory=max_memory, **limits
        ).findings
        if cacheable and self._game.keeps:
            self._findings = findings
        return findings

    def inspect(  # noqa: PLR0913 - as many as the command has options
        self,
        files: Iterable[Path | str] = (),
        *,
        changed_since: str | None = None,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        strict: bool = False,
        languages: Collection[str] = (),
        untrusted: bool = False,
        max_seconds: int | None = None,
        max_memory: int | None = None,
        **limits: Unpack[Limits],
    ) -> CheckResult:
        """Check the game or some of its files, and return the checked files as well.

        Args:
            files: files of the game, folders of such files, or names of deck lists. Files that they
                refer to are read, but only findings in them are returned. The whole game if empty.
            changed_since: a git revision: files changed since then are checked, and files that
                depend on them.
            select: codes or families of codes to report, such as "R003" or "L"; all if empty.
            ignore: codes or families of codes to ignore.
            strict: whether warnings are errors; infos stay infos.
            languages: the languages to check with the whole game; all if empty.
            untrusted: as for `check`; so are `max_seconds` and `max_memory`.
        """
        from deckwright.api.checking import inspect_game, parse_codes, resolve_sandbox_limits

        grading = Grading(parse_codes(select), parse_codes(ignore), strict)
        bounds = resolve_sandbox_limits(max_seconds, max_memory, untrusted=untrusted)
        caution = nullcontext() if bounds is None else limit_files()
        with self._game.use_settings(), caution:
            return inspect_game(
                self._game, files, changed_since, grading, bounds, limits, languages
            )

    def reload(self, *, compare: bool = True) -> Changes:
        """Scan the folder again, read changed files, and compare faces.

        Without changes, nothing is read. After a change to a template or a picture, only the faces
        that use it are composed again. Faces are compared by what they print, so moving an
        attribute to another line changes none. Faces that were never requested are not compared.

        Args:
            compare: whether faces are composed and compared. Otherwise faces are composed when they
                are requested, which suits programs that show only some of them.

        Raises:
            GameError: if `game.xml` has errors now. The game stays as it was, and the next
                `reload` tries again.
        """
        files, names, lost = self._game.reload(compare=compare)
        if files:
            self._findings = None
        composed = ((name, self._game.face(name)) for name in names)
        return Changes(files, tuple(Face(name, face) for name, face in composed if face), lost)

    def with_files(self, files: Mapping[Path, bytes]) -> Game:
        """Return the game with other contents for some of its XML files.

        Nothing is written, and this game does not change.

        Args:
            files: the contents by path; paths must be as in `folder`.

        Raises:
            GameError: if `game.xml` could not be used.
        """
        return Game(self._game.with_files(files))

    def in_language(
        self, language: str, drafts: Mapping[tuple[str, str], str] | None = None
    ) -> Game:
        """Return the game in another language. This game does not change.

        Args:
            language: a catalog in `xml/lang`.
            drafts: translations, by context and source, instead of those of the catalog.

        Raises:
            ChoiceError: if the game has no such language.
            GameError: if its catalog cannot be read.
        """
        return Game(self._game.in_language(language, drafts or {}))

    def texts(self) -> list[PrintedText]:
        """Return the printed texts of the game in its own language, as its catalogs have them."""
        from deckwright.languages.updating import list_texts  # only for translators

        return self._game.load(lambda _: list_texts(self.folder))

    def compare(self, decks: Iterable[str], **limits: Unpack[Limits]) -> DeckComparison:
        """Compare decks side by side. They may break their limits.

        Args:
            decks: the names of files in `xml/Decks`, or any paths; two or more.
        """
        return compare_deck_files(
            self._game, [self.folder.deck_file(name) for name in decks], limits
        )

    def balance(self, **options: Unpack[BalanceOptions]) -> Balance:
        """Report on the game's balance: dominated cards, cost against worth, the best decks.

        The search for the best decks needs the extra `solve`.

        Args:
            options: what cards are worth and cost, which factions, and by which limits decks are
                built; as in `BalanceOptions`.

        Raises:
            ValueError: if the game does not say what cards are worth.
        """
        from deckwright.api.reports import survey_game  # only for balance

        return self._game.produce(partial(survey_game, self._game, options))

    def print_balance(
        self, path: Path | str, *, paper: str = "a4", **options: Unpack[BalanceOptions]
    ) -> Print:
        """Print the balance report as a PDF file with charts.

        Args:
            paper: "a4" or "letter".
            options: as for `balance`.
        """
        from deckwright.api.reports import survey_game  # only for balance
        from deckwright.outputs.reports import BALANCE_PAPERS, print_balance

        require_known(paper, BALANCE_PAPERS, "paper")

        def make(report: Report) -> Print:
            balance = survey_game(self._game, options, report)
            return print_balance(balance, self.folder, Path(path), paper, report)

        return self._game.produce(make)

    def generate(
        self,
        target: Path | str,
        seed: str,
        count: int,
        *,
        statistics: bool = False,
        **packs: Unpack[BoosterOptions],
    ) -> GeneratedFile:
        """Write a run of decks that are all different, as defined by `generator` in `game.xml`.

        Each deck depends only on the game, the seed and its number; no two have the same cards.

        Args:
            target: the file to write, with one deck a line as JSON.
            count: the number of decks, or of drafts.
            statistics: whether to collect statistics of the decks.
            packs: boosters to fill instead of decks, as in `BoosterOptions`.

        Raises:
            GameError: if such decks cannot be generated.
            ValueError: if the game has no `generator`, or the solver is needed but not installed.
        """
        from deckwright.api.reports import generate_run  # only to generate

        return generate_run(
            self._game, Path(target), seed, count, packs, with_statistics=statistics
        )

    def print_statistics(self, statistics: RunStatistics, path: Path | str) -> Print:
        """Print the statistics of a run of decks as a PDF file.

        Args:
            statistics: as returned by `generate`.
        """
        from deckwright.outputs.reports import print_statistics  # only to print

        def make(report: Report) -> Print:
            game = load_checked_game(self.folder, report)
            return print_statistics(statistics, game, self.folder, Path(path), report)

        return self._game.produce(make)

    def generate_one(self, seed: str, number: int, attempt: int = 1) -> str:
        """Return one deck of a run as its line.

        Args:
            number: the number of the deck, from 1.
            attempt: the number after the point in its id; 1 for ids without one.

        Raises:
            GameError, ValueError: as `generate` does.
        """
        from deckwright.api.reports import generate_line  # only to generate

        return generate_line(self._game, seed, number, attempt)

    def solve(  # noqa: PLR0913 - as many as the command has options
        self,
        faction: str,
        *,
        maximize: Iterable[str] = (),
        minimize: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        like: Deck | str | None = None,
        different: int = 1,
        apart: int = 3,
        time: float = 10,
        name: str | None = None,
        explain: bool = False,
        **limits: Unpack[Limits],
    ) -> Solution:
        """Find the best legal decks of a faction.

        Without `maximize`, `minimize` and `like`, the best decks have the highest `worth` in
        `game.xml` and then the lowest `cost`; without `worth`, the fewest cards. Among equally good
        decks, those with fewer cards come first, then those with more copies of the first card in
        the card files, then of the second, and so on.

        Args:
            faction: its id.
            maximize: sums of fields, such as "strength + 2*actions"; each chooses among
                the decks that are best by the previous ones.
            minimize: sums of fields, after those of `maximize`. Use "-costs" in `maximize` for
                another order.
            include: cards, by ids or names: "HK3" for one or more copies, "HK3=2", "HK3>=2".
            exclude: cards that they must not contain.
            like: a deck, or its name, that they resemble as far as the sums allow.
            different: how many decks to find.
            apart: the least number of copies in which each differs from all before it.
            time: the time limit of the search in seconds.
            name: the name of the decks; that of the faction if None.
            explain: whether to find how good the first deck could be without each limit.

        Raises:
            GameError: if cards that they may contain have errors.
            ValueError: if no limit bounds a sum, or the solver is not installed.
        """
        from deckwright.api.solving import find_decks  # only to solve
        from deckwright.decks.solver.solving import Objective, SolveOptions

        largest = [Objective(text) for text in maximize]
        objectives = [*largest, *(Objective(text, smallest=True) for text in minimize)]
        options = SolveOptions(
            objectives, tuple(include), tuple(exclude), None, different, apart, time, name
        )
        return find_decks(self._game, faction, options, limits, like, explain=explain)

    def print_decks(
        self, decks: Iterable[str], path: Path | str, **options: Unpack[DeckPrint]
    ) -> Print:
        """Print decks as one PDF file, so that they share sheets.

        Args:
            decks: the names of files in `xml/Decks`, or any paths.
            options: as for `Deck.print`.
        """
        files = [self.folder.deck_file(name) for name in decks]
        return print_deck_lists(self._game, files, Path(path), options)

    def print_tokens(
        self,
        of: str,
        path: Path | str,
        *,
        press: PressPrint | None = None,
        **options: Unpack[TokenPrint],
    ) -> Print:
        """Print the tokens of a deck or a faction as a PDF file, without the cards.

        Args:
            of: the name of a deck, or the id of a faction, for as many as one copy of each of its
                cards can create.
            press: the preparation for a press, each on its own page; None for a desktop printer.
        """
        return print_token_sheets(self._game, of, Path(path), press, options)

    def print_markers(
        self,
        path: Path | str,
        *,
        only: Iterable[str] = (),
        press: PressPrint | None = None,
        **options: Unpack[MarkerPrint],
    ) -> Print:
        """Print the markers as a PDF file, on as few sheets as possible.

        Args:
            only: the ids of the only markers to print, or with a value "damage/10"; all if empty.
            press: the preparation for a press, such as `{"service": "press"}`, with die lines;
                None for a desktop printer.

        Raises:
            ValueError: if there is nothing to print.
        """
        from deckwright.outputs.markers import MarkerOptions, print_markers
        from deckwright.sheet.grid import Margins

        paper, printer, cut = options.get("paper"), options.get("printer"), options.get("cut")
        if paper is not None:
            require_known(paper, PAPER_SIZES, "paper")
        style, report = self._game.style(options.get("style")), Report()
        with self._game.use_cache():
            setup = load.load_setup(self.folder, report)
        if setup is None or has_errors(report):
            raise GameError(report)
        copies = resolve_counts(setup.markers, only, options.get("counts") or {})
        kiss_cut, footer = options.get("kiss_cut", False), options.get("footer", True)
        cutter = resolve_cutter(self.folder, cut, kiss_cut=kiss_cut)
        for_press = resolve_press(self.folder, press, {"cut": cut, "printer": printer})
        others = {"--paper": paper, "--cut": cut, "--service": for_press}
        slots = resolve_marker_sheet(self.folder, options, others)
        margins = Margins() if printer is None else resolve_printer(printer).margins
        marker_options = MarkerOptions(
            copies, paper, margins, footer, style, cutter, kiss_cut, for_press, slots
        )
        return self._game.produce(partial(print_markers, self.folder, Path(path), marker_options))

    def print_overview(
        self,
        path: Path | str,
        *,
        factions: Iterable[str] = (),
        style: str | None = None,
        press: PressPrint | None = None,
    ) -> Print:
        """Print factions with their cards and rules as a PDF file.

        Errors are marked in it, but not for a press.

        Args:
            factions: ids of factions; all if empty, with a cover, contents and indexes.
            press: the preparation for a press, such as `{"service": "press"}`; None for a desktop
                printer.
        """
        from deckwright.outputs.books import print_overview  # only for books

        style, chosen = self._game.style(style), [*dict.fromkeys(factions)]
        if chosen:
            with self._game.use_cache():
                setup = load.load_setup(self.folder, [])
                known = load.load_factions(self.folder, setup, [])[0] if setup else {}
            for name in chosen if known else ():
                require_known(name, known, "faction")
        how = resolve_press(self.folder, press)
        return self._game.produce(
            lambda report: print_overview(self.folder, chosen, Path(path), style, report, how)
        )

    def print_rulebook(
        self,
        path: Path | str,
        *,
        style: str | None = None,
        booklet: Annotated[bool, Option("Impose it on sheets to fold and staple.")] = False,
        press: PressPrint | None = None,
    ) -> Print:
        """Print the rulebook, `xml/rulebook.xml`, as a PDF file.

        Args:
            press: the preparation for a press, such as `{"service": "press"}`, in single pages;
                None for a desktop printer.
        """
        from deckwright.outputs.books import print_rulebook, print_rulebook_booklet

        style, target = self._game.style(style), Path(path)
        how = resolve_press(self.folder, press, {"booklet": booklet})
        return self._game.produce(
            lambda report: (
                print_rulebook_booklet(self.folder, target, style, report)
                if booklet
                else print_rulebook(self.folder, target, style, report, how)
            )
        )

    def everything(
        self, folder: Path | str, *, style: str | None = None, **options: Unpack[GamePrint]
    ) -> Iterator[tuple[Path, Callable[[], Print]]]:
        """Yield everything that a game prints: decks, markers, the overview and the rulebook.

        Each path comes with a function that prints it, so that errors in one do not stop the
        others.

        Args:
            options: the sheets and limits of decks, as in `Sheets` and `Limits`, and whether they
                have the `reference` or are drafts. Markers also have a footer, a printer's margins
                and a machine's marks.
        """
        folder = Path(folder)
        for deck in self.decks:
            path = folder / f"deck_{deck.name}{'_draft' if options.get('draft') else ''}.pdf"
            yield path, partial(deck.print, path, style=style, **options)
        setup = load.load_setup(self.folder, [])
        if setup is not None and setup.markers:
            path, markers = folder / "markers.pdf", MarkerPrint(style=style)
            markers["printer"], markers["cut"] = options.get("printer"), options.get("cut")
            markers["footer"] = options.get("footer", True)
            markers["kiss_cut"] = options.get("kiss_cut", False)
            yield path, partial(self.print_markers, path, **markers)
        path = folder / "overview.pdf"
        yield path, partial(self.print_overview, path, style=style)
        path = folder / "rulebook.pdf"
        if path_exists(self.folder.rulebook_file):
            yield path, partial(self.print_rulebook, path, style=style)

    def package(
        self, decks: Iterable[str], folder: Path | str, **options: Unpack[PackagePrint]
    ) -> Package:
        """Make the folder for a print shop: all PDFs, a job ticket, and checksums.

        The ticket is a page for people (`ticket.pdf`), XJDF 2.1 for their programs (`ticket.xjdf`)
        and JSON (`ticket.json`). The folder replaces an older package completely.
        `verify_package` checks that it has arrived intact.

        Args:
            decks: the names of files in `xml/Decks`, or any paths; all decks if empty.
            options: its contents and print service, as in `PackagePrint`.

        Raises:
            GameError: if it would not print well, or `folder` holds anything but a package.
        """
        from deckwright.outputs.package import making  # only for packages

        paths = [self.folder.deck_file(name) for name in decks] or self.folder.deck_files()
        if not paths:
            raise ChoiceError("the game has no deck list, so there is nothing to print")
        paper, sets = options.get("paper", "a4"), options.get("sets")
        require_known(paper, _TICKET_PAPERS, "paper")
        if sets is not None and sets < 1:
            raise ChoiceError(f"sets is {sets}, but must be at least 1")
        service, order = resolve_order(self.folder, options.get("service", "press"), options)
        boxes, markers = options.get("boxes", True), options.get("markers", True)
        rulebook = options.get("rulebook", True)
        how = making.PackageOptions(order, sets, paper, boxes, markers, rulebook)
        make = partial(making.make_package, self.folder, paths, service, Path(folder), how)
        return self._game.produce(make)

    def export_pictures(
        self, folder: Path | str, cards: Iterable[str] = (), **options: Unpack[PicturePrint]
    ) -> PictureExport:
        """Draw each face as a picture file, by default as PNG at 300 dpi.

        Args:
            cards: ids of cards or factions, names of cards, or ids of rules for the tokens they
                create; all cards and tokens if empty.
        """
        from deckwright.outputs.pictures import export_pictures, export_svg  # only to draw

        dpi, form = options.get("dpi", 300), options.get("form", "png")
        how = self._make_picture_options(cards, options, dpi)
        if form == "svg":
            return self._game.produce(partial(export_svg, self.folder, how, Path(folder)))

        from deckwright.paint.raster import Encoding, Raster  # opens pdfium

        raster = Raster(dpi, options.get("size"))
        encoding = Encoding(form, options.get("quality", 85), options.get("lossless", False))
        make = partial(export_pictures, self.folder, how, Path(folder), raster, encoding)
        return self._game.produce(make)

    def export_proofs(
        self, folder: Path | str, cards: Iterable[str] = (), **options: Unpack[ProofPrint]
    ) -> PictureExport:
        """Draw faces as PNG files with contact sheets, by default at 150 dpi. Errors are marked.

        Args:
            cards: as for `export_pictures`.
        """
        from deckwright.outputs.pictures import print_proofs  # only to draw

        dpi = options.get("dpi", 150)
        how = self._make_picture_options(cards, options, dpi)
        return self._game.produce(
            lambda report: print_proofs(self.folder, how, Path(folder), report, dpi=dpi)
        )

    def export_ink_maps(
        self, folder: Path | str, cards: Iterable[str] = (), **options: Unpack[PressProofOptions]
    ) -> PressProof:
        """Draw the ink coverage of faces as PNG files with contact sheets.

        Args:
            cards: as for `export_pictures`.
            options: the sides, the profile and the ink limit, as in `PressProofOptions`.
        """
        return self._press_proof(Path(folder), cards, options, ink_maps=True)

    def export_soft_proofs(
        self, folder: Path | str, cards: Iterable[str] = (), **options: Unpack[PressProofOptions]
    ) -> PressProof:
        """Draw faces as on the screen and, next to that, as they will be printed.

        Args:
            cards, options: as for `export_ink_maps`.
        """
        return self._press_proof(Path(folder), cards, options, ink_maps=False)

    def _make_picture_options(
        self, cards: Iterable[str], options: PicturePrint | ProofPrint, dpi: float
    ) -> PictureOptions:
        """Return the options of pictures."""
        from deckwright.outputs.pictures import PictureOptions, Sides  # only to draw

        require_positive_dpi(dpi)
        how: PicturePrint = {**options}
        style, sides = self._game.style(how.get("style")), Sides(how.get("sides", "faces"))
        return PictureOptions(tuple(cards), sides, style, how.get("bleed", 0), how.get("watermark"))

    def _press_proof(
        self, folder: Path, cards: Iterable[str], how: PressProofOptions, *, ink_maps: bool
    ) -> PressProof:
        """Draw faces as a press prints them."""
        from deckwright.outputs.press.proofs import PrintCondition, print_press_proofs
        from deckwright.outputs.services.press import choose_profile

        icc, dpi = how.get("icc"), how.get("dpi", 150)
        options = self._make_picture_options(cards, how, dpi)
        icc_path = None if icc is None else Path(icc)
        service = how.get("service") or "press"
        chosen = resolve_service(self.folder, service, {"icc": icc_path})
        if chosen.color.value == "rgb":
            message = f"{chosen.name} takes RGB, so its press is not known"
            raise ChoiceError(message, "name another service, or leave out `--service`")

        def draw_proof(report: Report) -> PressProof:
            profile = choose_profile(chosen, icc_path, report)
            if profile is None:
                raise OutputError
            condition = PrintCondition(profile, chosen.max_ink, chosen.black)
            return print_press_proofs(
                self.folder, options, folder, condition, report, dpi=dpi, ink_maps=ink_maps
            )

        return self._game.produce(draw_proof)

    def export_cockatrice(  # noqa: PLR0913 - as many as the command has options
        self,
        folder: Path | str,
        decks: Iterable[str] = (),
        *,
        style: str | None = None,
        pictures: Annotated[bool, Option("Also draw the cards' faces.")] = False,
        dpi: float = 300,
        picture_url: Annotated[
            str | None,
            Option("The web address that Cockatrice will download the pictures from.", "BASE"),
        ] = None,
        cost: Annotated[str | None, Option("The field to use as a card's cost.", "FIELD")] = None,
        power: Annotated[
            Iterable[str],
            Option("A field to show in the card's corner; give two for `3/2`.", "FIELD"),
        ] = (),
        **limits: Unpack[Limits],
    ) -> CockatriceExport:
        """Export cards and decks for Cockatrice. Decks with errors are left out.

        Args:
            decks: the names of files in `xml/Decks`, or any paths; all decks if empty.
        """
        from deckwright.outputs.cockatrice import CockatriceOptions, export_game  # only to export

        url = picture_url and require_web_address(picture_url, "--picture-url")
        powers = tuple(power)
        names = (*([cost] if cost else []), *powers)
        setup = load.load_setup(self.folder, []) if names else None
        fields = (field for kind in setup.card_kinds for field in kind.fields) if setup else ()
        known = {field.name: None for field in fields if field.type == "integer"}
        for name in names if setup is not None else ():
            if name not in known:
                message = f"no card has a field `{name}` with whole numbers"
                raise ChoiceError(message, known_hint(name, known))
        if len(powers) > _MAX_CORNER_FIELDS:
            raise ChoiceError(f"--power can be given at most {_MAX_CORNER_FIELDS} times")
        style, rules = self._game.style(style), resolve_limits(self.folder, limits)
        options = CockatriceOptions(cost, powers, pictures, dpi, url, style, rules)
        paths = [self.folder.deck_file(name) for name in decks] or self.folder.deck_files()
        return self._game.produce(partial(export_game, self.folder, paths, Path(folder), options))

    def export_html(
        self,
        folder: Path | str,
        decks: Iterable[str] = (),
        *,
        style: str | None = None,
        watermark: str | bool | None = None,
        **limits: Unpack[Limits],
    ) -> PictureExport:
        """Write a page for browsers with all faces, searchable, and with decks and rules.

        It needs no server. It replaces an older one in `folder`.

        Args:
            decks: the names of files in `xml/Decks`, or any paths, for a page of their cards; if
                empty, it shows the whole game, without decks that have errors.
            watermark: the text across all faces; True for the game's word for a draft.

        Raises:
            GameError: if `folder` holds anything but a page.
        """
        from deckwright.outputs.html.export import export_html  # only to export

        paths, rules = [*map(self.folder.deck_file, decks)], resolve_limits(self.folder, limits)
        options = self._make_picture_options((), {"style": style, "watermark": watermark}, 1)
        make = partial(export_html, self.folder, paths, Path(folder), options, rules)
        return self._game.produce(make)


def verify_package(folder: Path | str) -> tuple[Diagnostic, ...]:
    """Return the findings in a package for a print shop; none if it is intact.

    Every file must exist and match its checksum, there must be no others, and the number and size
    of the PDFs' pages must match the job ticket.

    Args:
        folder: the folder of the package.
    """
    from deckwright.outputs.package.ticket import verify_folder  # only for packages

    return tuple(verify_folder(Path(folder)))


class CheckedGame(NamedTuple):
    """The folder of a game, as it was named, and the result of its check."""

    path: Path
    checked: CheckResult


def inspect_games(
    paths: Iterable[Path | str],
    *,
    rasterize: bool = False,
    **options: Any,  # those of `Game.inspect`
) -> Iterator[CheckedGame]:
    """Check whole games in parallel, one a core, and yield their results in order.

    Errors in one game do not stop the check of the others.

    Args:
        paths: their folders.
        rasterize: as for `open_game`.
        options: the arguments of `Game.inspect`, except `files`.

    Raises:
        GameError: if a folder holds no game.
        ValueError: as `Game.inspect`.
    """
    from deckwright.base.workers import map_parallel  # only for many decks

    return map_parallel(
        partial(_inspect_game, rasterize=rasterize, options=options), [*map(Path, paths)]
    )


def _inspect_game(path: Path, *, rasterize: bool, options: Mapping[str, Any]) -> CheckedGame:
    game = open_game(path, keep=False, rasterize=rasterize)
    checked = game.inspect(**options)
    return CheckedGame(path, checked._replace(severities={}))
