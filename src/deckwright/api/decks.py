"""Decks of an open game: check, count, print and export them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from deckwright.api.options import (
    BoxPrint,
    DeckPrint,
    GameError,
    Limits,
    PressPrint,
    ServicePrint,
    TabletopPrint,
    TokenPrint,
    require_positive_dpi,
    require_web_address,
    resolve_choice,
    resolve_cutter,
    resolve_limits,
    resolve_order,
    resolve_press,
    resolve_rules,
    resolve_sheet,
    resolve_token_size,
)
from deckwright.api.session import GameSession
from deckwright.base.files import read_file
from deckwright.base.findings import ChoiceError, Code, Location, Report, Severity, require_known
from deckwright.base.options import Option
from deckwright.base.output import OutputError, report_failure
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.game import load
from deckwright.outputs.printed import Print
from deckwright.xmlio.load import X006

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from deckwright.api.completing import Completion
    from deckwright.base.findings import Diagnostic
    from deckwright.base.units import Mm
    from deckwright.decks.comparison import DeckComparison
    from deckwright.decks.odds import Hand, Odds, OpeningOptions
    from deckwright.decks.odds_tables import DeckOdds, OddsTable
    from deckwright.decks.stats import DeckStats
    from deckwright.game import model
    from deckwright.game.folder import GameFolder
    from deckwright.outputs.hands import HandsPicture
    from deckwright.outputs.services.press import ServiceExport
    from deckwright.outputs.tabletop.card_pictures import PictureSheets, SingleCards
    from deckwright.outputs.tabletop.playground import PlaygroundPackage
    from deckwright.outputs.tabletop.sheets import TableOptions
    from deckwright.outputs.tabletop.tabletop_simulator import TabletopExport
    from deckwright.outputs.tuckbox import PrintedBox


class Deck:
    """A deck list of an open game. The common parameters of its methods are described in `Game`.

    They raise a GameError if the deck or anything that they need has errors, or a file cannot be
    written, and a ValueError if an argument is invalid or names what does not exist.

    Attributes:
        path: its file.
    """

    def __init__(self, game: GameSession, path: Path) -> None:
        """Use `Game.deck` or `Game.decks` to create decks."""
        self._game = game
        self.path = path

    def __repr__(self) -> str:
        return f"<Deck {self.name}>"

    @property
    def name(self) -> str:
        """The name of its file, without the suffix."""
        return self.path.stem

    def check(self, **limits: Unpack[Limits]) -> tuple[Diagnostic, ...]:
        """Return the findings in the deck, its cards and the rules. Other cards are not checked."""
        report: Report = []
        folder = self._game.folder
        with self._game.use_cache(), report_failure(report):
            load_deck(folder, self.path, resolve_limits(folder, limits), report)
        return self._game.grade(report)

    def sign(self, key: Path | str, deck_id: str | None = None, **limits: Unpack[Limits]) -> str:
        """Return a signed code that proves the deck's contents.

        Args:
            key: the file with the publisher's private key.
            deck_id: the deck's id in the code; the name of its file if None.

        Raises:
            GameError: if the deck or the key cannot be read, or the deck breaks limits.
            ValueError: if the file holds no such key, the key does not match that of the game, or
                `cryptography` is not installed.
        """
        from deckwright.decks.signing import SignedContent, format_public_key, make_code

        folder, private = self._game.folder, load_key(Path(key))
        rules = resolve_limits(folder, limits)
        game, deck, _ = self._game.load(lambda report: load_deck(folder, self.path, rules, report))
        public, own = game.setup.public_key, format_public_key(private)
        if public and public != own:
            message = "the key does not match `public-key` in game.xml"
            raise ChoiceError(message, f"its public key is `{own}`")
        return make_code(SignedContent.of(deck_id or self.name, deck), private)

    def verify_code(self, code: str) -> tuple[Diagnostic, ...]:
        """Return findings if a code does not prove the deck's contents.

        Raises:
            ValueError: if the game has no public key, or `cryptography` is not installed.
        """
        from deckwright.decks import signing  # few decks are signed

        report, folder = Report(), self._game.folder
        with self._game.use_cache():
            setup = load.load_setup(folder, report)
            deck = load.load_deck(self.path, folder, setup, report) if setup else None
        if setup is not None and deck is not None:
            if not setup.public_key:
                hint = (
                    "give `<game>` the attribute `public-key`, which `deckwright codes key` prints"
                )
                raise ChoiceError("game.xml has no public key to verify codes with", hint)
            deck_id, key = signing.code_deck_id(code), signing.parse_public_key(setup.public_key)
            if not signing.is_valid_code(code, signing.SignedContent.of(deck_id, deck), key):
                message = (
                    f"the code of `{deck_id or code}` was not made for this list with this key"
                )
                hint = "compare ids and copies of all cards with the printed ones"
                report.append(D013.at(Location(self.path), message, hint))
        return self._game.grade(report)

    def stats(self, **limits: Unpack[Limits]) -> DeckStats:
        """Return the deck's statistics. It may break its limits."""
        return self._load(limits)[1]

    def _load(self, limits: Limits | None = None) -> tuple[model.Game, DeckStats]:
        """Return the game as read for the deck, and the deck's statistics."""
        game = self._game
        return game.load(
            lambda report: load_game_and_stats(game.folder, self.path, limits or {}, report)
        )

    def compared_with(self, *decks: Deck, **limits: Unpack[Limits]) -> DeckComparison:
        """Compare the deck with other decks of its game."""
        return compare_deck_files(self._game, [deck.path for deck in (self, *decks)], limits)

    def odds(
        self,
        where: str | Iterable[str],
        *,
        at_least: int | Iterable[int] = 1,
        turn: int = 0,
        **opening: Unpack[OpeningOptions],
    ) -> Odds:
        """Return the exact odds of holding certain cards of the deck.

        Where the game allows redraws or mulligans, the player uses them optimally for these cards.

        Args:
            where: a condition on cards, as in limits, such as "level=2"; or several, if cards of
                each are wanted.
            at_least: the number of cards wanted; for several conditions, the number for each.
            turn: the number of turns with draws; 0 for the opening hand.
            opening: overrides of the opening hand, as in `OpeningOptions`.

        Raises:
            ValueError: if the game does not define opening hands.
        """
        conditions = [where] if isinstance(where, str) else [*where]
        if not conditions:
            raise ChoiceError("nothing is asked for", "give a condition, or ask for `odds_table`")
        numbers = [at_least] * len(conditions) if isinstance(at_least, int) else [*at_least]
        return self._odds(turn, opening, conditions, numbers).answers[0].played

    def odds_table(self, *, turn: int = 0, **opening: Unpack[OpeningOptions]) -> OddsTable:
        """Return the odds of holding each row, each level and each card of the deck.

        Args:
            turn, opening: as in `odds`.

        Raises:
            ValueError: if the game does not define opening hands.
        """
        return self._odds(turn, opening).tables[0]

    def _odds(
        self,
        turn: int,
        opening: OpeningOptions,
        where: Iterable[str] = (),
        at_least: Sequence[int] = (),
    ) -> DeckOdds:
        from deckwright.api.hands import compute_deck_odds  # only for odds

        return compute_deck_odds(
            *self._load(), where=where, at_least=at_least, turns=(turn,), **opening
        )

    def hand(
        self,
        *,
        seed: int | None = None,
        mulligan: int = 0,
        redraw: Iterable[str] = (),
        turns: int = 0,
        **opening: Unpack[OpeningOptions],
    ) -> Hand:
        """Draw a sample hand from the deck. It may break its limits.

        Args:
            seed: the seed of the shuffle. The same seed and deck list give the same hand on every
                machine. Random if None.
            mulligan: how many times the whole hand is shuffled back and drawn again.
            redraw: ids or names of cards to redraw, once for each copy.
            turns: the number of turns to draw for.
            opening: overrides of the opening hand, as in `OpeningOptions`.

        Raises:
            ValueError: if the game does not allow this, or does not define opening hands.
        """
        from deckwright.api.hands import sample_hands  # only to draw hands

        sample = sample_hands(
            *self._load(), seed=seed, mulligan=mulligan, redraw=redraw, turns=turns, **opening
        )  # fmt: skip
        return sample.hands[0]

    def complete(
        self,
        *,
        maximize: Iterable[str] = (),
        minimize: Iterable[str] = (),
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        time: float = 10,
        **limits: Unpack[Limits],
    ) -> Completion:
        """Find the smallest change that makes the deck legal: the fewest copies added and removed.

        Ties go to the best deck by `maximize` and `minimize`, or else to the cheapest by the `cost`
        in `game.xml`.

        Args:
            maximize: sums of fields, such as "strength + 2*actions", the first before the others.
            minimize: sums of fields, after those of `maximize`.
            include: cards that it must contain: "HK3" for one or more copies, "HK3=2", "HK3>=2".
            exclude: cards that it must not contain.
            time: the time limit of the search in seconds.

        Raises:
            GameError: if cards that it may contain have errors.
            ValueError: if the solver is not installed.
        """
        from deckwright.api.completing import find_completion  # only to complete
        from deckwright.decks.solver.solving import Objective, SolveOptions

        largest = [Objective(text) for text in maximize]
        objectives = [*largest, *(Objective(text, smallest=True) for text in minimize)]
        options = SolveOptions(objectives, tuple(include), tuple(exclude), seconds=time)
        return find_completion(self._game, self.path, options, limits)

    def print(self, path: Path | str, **options: Unpack[DeckPrint]) -> Print:
        """Print it as a PDF file: its list, its cards, its tokens, and the rules they use.

        Its manifest is written next to it. An existing file is replaced only on success.

        Args:
            options: which cards, on which sheets, and by which limits; as in `DeckPrint`.
        """
        return print_deck_lists(self._game, [self.path], Path(path), options)

    def print_tokens(
        self, path: Path | str, *, press: PressPrint | None = None, **options: Unpack[TokenPrint]
    ) -> Print:
        """Print the tokens that it may need as a PDF file: as many as it can need.

        Args:
            press: the preparation for a press, each on its own page; None for a desktop printer.
        """
        return print_token_sheets(self._game, str(self.path), Path(path), press, options)

    def print_box(
        self, path: Path | str, *, press: PressPrint | None = None, **options: Unpack[BoxPrint]
    ) -> PrintedBox:
        """Print a tuck box for it as a PDF file.

        Args:
            press: the preparation for a press, such as `{"service": "press"}`: the page has the
                size of the net, and the die lines are separations; None for a desktop printer.

        Raises:
            GameError: if the box is too large for its paper.
        """
        from deckwright.outputs import tuckbox  # only for boxes

        game, cut = self._game, options.get("cut")
        paper = options.get("paper", tuckbox.BOX_PAPERS[0])
        require_known(paper, tuckbox.BOX_PAPERS, "paper")
        style, cutter = game.style(options.get("style")), resolve_cutter(game.folder, cut)
        for_press = resolve_press(game.folder, press, {"cut": cut})
        cards, thickness = options.get("cards"), options.get("thickness", 0.3)
        clearance, sleeved = options.get("clearance", 1), options.get("sleeved", False)
        box_options = tuckbox.BoxOptions(
            cards,
            thickness,
            clearance,
            sleeved,
            paper,
            style,
            cutter,
            for_press,
            resolve_token_size(options),
        )
        make = partial(tuckbox.print_tuck_box, game.folder, self.path, Path(path), box_options)
        return game.produce(make)

    def export_hands(
        self,
        path: Path | str,
        hands: Iterable[Hand],
        *,
        layout: Literal["fan", "rows"] = "fan",
        style: str | None = None,
        dpi: float = 200,
    ) -> HandsPicture:
        """Draw hands as a PNG file: faces on a table.

        Args:
            hands: hands drawn by `hand`.
            layout: the arrangement of the cards.
            dpi: pixels per inch.
        """
        from deckwright.api.hands import draw_hand_picture  # only to draw
        from deckwright.outputs.hands import HandsOptions, Layout

        require_positive_dpi(dpi)
        game, drawn = self._game, tuple(hands)
        look = HandsOptions(Layout(layout), game.style(style), dpi)

        def draw(report: Report) -> HandsPicture:
            counted = load_game_and_stats(game.folder, self.path, {}, report)
            return draw_hand_picture(game.folder, *counted, drawn, Path(path), look, report)

        return game.produce(draw)

    def export_service(
        self, service: str, folder: Path | str, **options: Unpack[ServicePrint]
    ) -> ServiceExport:
        """Write the files that a print service needs to print the deck.

        Args:
            service: the id of the service: one of `Game.services`.
            folder: the output; pictures go to a folder in it.

        Raises:
            GameError: if the deck would not print well.
        """
        from deckwright.outputs.services.export import export_order  # only for services

        folder, game = Path(folder), self._game
        chosen, order = resolve_order(game.folder, service, options)
        return game.produce(partial(export_order, game.folder, self.path, chosen, folder, order))

    def export_playground(
        self, folder: Path | str, **options: Unpack[TabletopPrint]
    ) -> PlaygroundPackage:
        """Export it as a package for Tabletop Playground, with a stack of cards for each pile.

        Args:
            folder: the folder of the package.
        """
        from deckwright.outputs.tabletop import playground  # only for tables

        game = self._game
        how = self._resolve_tabletop(options)
        make = partial(playground.export_package, game.folder, self.path, Path(folder), how)
        return game.produce(make)

    def _resolve_tabletop(
        self, options: TabletopPrint, dpi: float = 200, url: str | None = None
    ) -> TableOptions:
        """Return the options of an export for a virtual table."""
        from deckwright.outputs.tabletop.sheets import TableOptions  # only for tables

        style = self._game.style(options.get("style"))
        rules = resolve_limits(self._game.folder, options)
        return TableOptions(options.get("form", "auto"), style, rules, dpi, url)

    def export_tabletopia(
        self, folder: Path | str, *, dpi: float = 200, **options: Unpack[TabletopPrint]
    ) -> SingleCards:
        """Export it as separate pictures of faces and backs for Tabletopia.

        Args:
            folder: the output, with a folder for each pile.
        """
        from deckwright.outputs.tabletop.card_pictures import export_single_cards

        game = self._game
        require_positive_dpi(dpi)
        how = self._resolve_tabletop(options, dpi)
        return game.produce(partial(export_single_cards, game.folder, self.path, Path(folder), how))

    def export_sheets(  # noqa: PLR0913 - as many as the command has options
        self,
        folder: Path | str,
        *,
        grid: Annotated[
            tuple[int, int] | None,
            Option(
                "How many cards a picture holds; by default as few cells as needed, at most 10x7.",
                "COLUMNSxROWS",
                1,
                99,
            ),
        ] = None,
        cell: Annotated[
            tuple[int, int] | None,
            Option("The size of each card in pixels.", "WIDTHxHEIGHT", 1, 99_999, flag="--size"),
        ] = None,
        dpi: Annotated[
            float, Option("Pixels per inch of the cards; not with --size.", None, 20, 1200)
        ] = 150,
        longest: Annotated[
            int, Option("The longest side of a picture.", "N", 64, 16_383, flag="--max-pixels")
        ] = 4096,
        form: Annotated[
            Literal["png", "jpg", "webp"], Option("The format of the pictures.", flag="--format")
        ] = "png",
        backs: Annotated[
            Literal["sheet", "last", "one", "none"],
            Option(
                "Backs: a picture of them for each picture of faces, the last cell, or one picture."
            ),
        ] = "sheet",
        copies: Annotated[bool, Option("Draw each copy in the deck, not each card once.")] = False,
        name: Annotated[
            str | None, Option("The names of pictures, with these fields.", "PATTERN")
        ] = "{deck}-{sheet}-{side}-{columns}x{rows}",
        style: str | None = None,
        **limits: Unpack[Limits],
    ) -> PictureSheets:
        """Export it as pictures with grids of cards for any virtual table, with a list of cells.

        Args:
            folder: the folder to write to.
        """
        from deckwright.outputs.tabletop import card_pictures  # only for tables
        from deckwright.paint.raster import Encoding

        game = self._game
        require_positive_dpi(dpi)
        rules = resolve_limits(game.folder, limits)
        pattern = card_pictures.require_valid_name(name or card_pictures.DEFAULT_NAME)
        encoding, style = Encoding(form), game.style(style)
        options = card_pictures.GridOptions(
            grid, cell, dpi, longest, encoding, backs, copies, pattern, style, rules
        )
        make = partial(card_pictures.export_sheets, game.folder, self.path, Path(folder), options)
        return game.produce(make)

    def export_tts(
        self,
        path: Path | str,
        *,
        url: Annotated[
            str | None,
            Option(
                "The web address of the folder `pictures`, for others to see the cards.", "BASE"
            ),
        ] = None,
        **options: Unpack[TabletopPrint],
    ) -> TabletopExport:
        """Export it as a saved object for Tabletop Simulator, with its pictures next to it.

        Args:
            path: the JSON file to write.
        """
        from deckwright.outputs.tabletop import tabletop_simulator  # only for tables

        game = self._game
        base = url and require_web_address(url, "--url", "[a-z]+://[^/]")
        how = self._resolve_tabletop(options, url=base)
        make = partial(
            tabletop_simulator.export_saved_object, game.folder, self.path, Path(path), how
        )
        return game.produce(make)


_MAX_KEY_BYTES = 100_000
"""The largest key file that is read, in bytes. Usual ones have a few hundred."""
D013 = Code("D013", Severity.ERROR, "a code that does not match its deck")


def load_key(path: Path) -> Ed25519PrivateKey:
    """Return the publisher's private key.

    Raises:
        ChoiceError: if the file holds no key, the key has a password, or a library is missing.
        GameError: if the file cannot be read.
    """
    from deckwright.decks.signing import read_key  # few decks are signed

    try:
        file = read_file(path, _MAX_KEY_BYTES)
    except OSError as error:
        message = f"cannot read the file: {error.strerror or error}"
        raise GameError([X006.at(Location(path), message)]) from None
    return read_key(file, str(path))


def load_game_and_stats(
    folder: GameFolder, path: Path, limits: Limits, report: Report
) -> tuple[model.Game, DeckStats]:
    """Return the game as read for a deck, and the deck's statistics."""
    from deckwright.decks.stats import deck_stats

    rules = resolve_limits(folder, limits)
    game, deck, _ = load_deck(folder, path, LimitOptions(ignore=True), report)
    return game, deck_stats(game, deck, resolve_rules(game, deck, rules))


def compare_deck_files(game: GameSession, paths: Sequence[Path], limits: Limits) -> DeckComparison:
    """Implement `Game.compare`."""
    from deckwright.decks.comparison import compare_decks  # only to compare

    if len(paths) < 2:  # a deck and another one
        raise ChoiceError("one deck cannot be compared", "name at least two decks")

    def compare(report: Report) -> DeckComparison:
        decks = load_decks(game.folder, paths, limits, report)
        if len(decks) < len(paths):
            raise OutputError
        return compare_decks(decks)

    return game.produce(compare)


def load_decks(
    folder: GameFolder, paths: Iterable[Path], limits: Limits, report: Report
) -> list[tuple[model.Game, DeckStats]]:
    """Return decks as `load_game_and_stats` does, without those that cannot be read."""
    decks = []
    for path in paths:
        findings: Report = []
        with report_failure(findings):
            decks.append(load_game_and_stats(folder, path, limits, findings))
        report.extend(finding for finding in findings if finding not in report)
    return decks


_DEFAULT_SLIP_TRIM: Mm = 1
"""Slips are this much smaller than cards, so that they slide into sleeves in front of these."""


def print_deck_lists(
    game: GameSession, paths: Sequence[Path], target: Path, how: DeckPrint
) -> Print:
    """Print decks to one file; see `Deck.print`."""
    from deckwright.outputs.decks import print_decks  # only to print

    trim: Mm | None = how.get("slip_trim")
    if how.get("slips", False):
        trim = _DEFAULT_SLIP_TRIM if trim is None else trim
        excluded = {
            "--backs": how.get("backs"),
            "--backs-apart": how.get("backs_apart"),
            "--scale fit": how.get("scale") == "fit",
            "--cut": how.get("cut") is not None,
            "--reference": how.get("reference"),
            "--odds": how.get("odds"),
        }
        for option in (option for option, value in excluded.items() if value):
            message = f"--slips and {option} cannot be used together"
            hint = "slips have one side, a size of their own, straight cuts and no pages of text"
            raise ChoiceError(message, hint)
    elif trim is not None:
        raise ChoiceError("--slip-trim is for slips", "print them with `--slips`")
    options = resolve_sheet(game.folder, how)._replace(
        choice=resolve_choice(how.get("only", ()), how.get("copies"), how.get("changed_since")),
        reference=how.get("reference"),
        odds=how.get("odds", False),
        draft=how.get("draft", False),
        style=game.style(how.get("style")),
        rules=resolve_limits(game.folder, how),
        slips=trim,
    )
    open_style = game.open_style if game.keeps else None
    try:
        return game.produce(
            lambda report: print_decks(
                game.folder, paths, target, report, options, open_style=open_style
            )
        )
    except GameError:
        game.forget_faces(options.style)
        raise


def print_token_sheets(
    game: GameSession, source: str, target: Path, press: PressPrint | None, how: TokenPrint
) -> Print:
    """Implement `Game.print_tokens`."""
    from deckwright.outputs.decks import print_tokens  # only for tokens

    options = resolve_sheet(game.folder, how)._replace(
        choice=resolve_choice((), how.get("copies")), style=game.style(how.get("style"))
    )
    for_press = resolve_press(game.folder, press, {"cut": how.get("cut")})
    return game.produce(
        lambda report: print_tokens(game.folder, source, target, report, options, for_press)
    )
