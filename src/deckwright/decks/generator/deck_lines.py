"""Write generated decks as lines of JSON, without repetitions and forbidden words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.strings import fold
from deckwright.base.units import pluralize
from deckwright.decks.generator.card_pools import CardPool, SeededRandom, weigh_items
from deckwright.decks.generator.deck_generator import (
    E110,
    LEGACY,
    MAVERICK,
    CopyMark,
    DeckContent,
    DeckGenerator,
    generation_error,
)
from deckwright.game.folder import GameFolder
from deckwright.game.generator import DeckNames, Generator
from deckwright.game.model import Game
from deckwright.game.setup_checks import FACTION_PLACEHOLDER, PLACEHOLDER
from deckwright.game.words import load_words

_LOOKALIKES = str.maketrans(
    {
        **dict(zip("0134578", "oleastb", strict=True)),
        **dict(zip("@$€!|¡i", "aselll" + "l", strict=True)),
        # Greek and Cyrillic letters that look like Latin ones.
        **dict(zip("αβεικνορτυχ", "abelknoptux", strict=True)),
        **dict(zip("авекмнорстухіјѕһԁԛԝ", "abekmhopctyxljshdqw", strict=True)),
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th",
        "\N{LATIN SMALL LETTER DOTLESS I}": "l",
    }
)  # fmt: skip
"""Lookalikes of letters; `l`, `i` and `1` are one. Diacritics are removed before."""


def skeleton(text: str) -> str:
    """Reduce a text to a skeleton in which lookalikes are equal."""
    return "".join(filter(str.isalnum, fold(text).translate(_LOOKALIKES)))


class ForbiddenWords:
    """Words that names must not contain."""

    def __init__(self, words: Iterable[str]) -> None:
        """Set the words; those that begin with `=` are forbidden only as whole words."""
        whole: set[str] = set()
        inside: set[str] = set()
        for word in words:
            (whole if word.startswith("=") else inside).add(skeleton(word))
        self._full_words = frozenset(whole - {""})
        inside.discard("")
        self._inside = re.compile("|".join(map(re.escape, sorted(inside)))) if inside else None

    def occur_in(self, name: str) -> bool:
        """Return whether a name contains a forbidden word."""
        if self._inside is not None and self._inside.search(skeleton(name)):
            return True
        return bool(self._full_words) and any(skeleton(w) in self._full_words for w in name.split())


_MAX_NAME_DRAWS = 1000
"""The number of forbidden names in a row after which generation fails."""


class NameGenerator:
    """Generates names of decks."""

    def __init__(self, names: DeckNames, folder: GameFolder, report: Report) -> None:
        """Read the word lists; raise an OutputError after reporting their errors."""
        before = len(report)
        self._names = names
        self._lists: Mapping[str, Sequence[str]] = {
            each.id: load_words(folder, each, report) for each in names.lists
        }
        words = [word for each in names.forbidden for word in load_words(folder, each, report)]
        self._forbidden = ForbiddenWords(words)
        self._patterns = weigh_items(
            (at, pattern.weight) for at, pattern in enumerate(names.patterns)
        )
        stop_on_errors(report, before)

    def name(self, draws: SeededRandom, faction: str) -> str:
        """Draw a name for a faction's deck; raise an OutputError if all drawn are forbidden."""
        for _ in range(_MAX_NAME_DRAWS):
            pattern = self._names.patterns[self._patterns.draw(draws)]
            parts = PLACEHOLDER.split(pattern.text)
            for at in range(1, len(parts), 2):
                words = self._lists.get(parts[at], ())
                parts[at] = (
                    faction if parts[at] == FACTION_PLACEHOLDER else words[draws.below(len(words))]
                )
            name = " ".join("".join(parts).split())
            if name and not self._forbidden.occur_in(name):
                return name
        message = f"none of {_MAX_NAME_DRAWS} names is allowed, such as `{name}`"
        hint = "check the lists of `forbidden`: one may have a single letter"
        raise OutputError(E110.at(pattern.source.at("is"), message, hint))


_CODE_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without letters that look like digits: https://www.crockford.com."""
_CODE_LENGTH = 8


class GeneratedLine(NamedTuple):
    """A generated deck of a run, determined by the seed, its number and the attempt.

    Attributes:
        id: the id, such as D-004711, or D-004711.2 for a second attempt.
        text: its line of JSON, without the line ending.
    """

    number: int
    attempt: int
    id: str
    name: str
    content: DeckContent
    text: str


class LineWriter:
    """Formats lines of JSON, caching their common parts."""

    def __init__(self, game: Game, stock: CardPool, prefix: str, format_id: str | None) -> None:
        self._game, self._pool = game, stock
        self._prefix = prefix
        self._format = f', "format": {json.dumps(format_id)}' if format_id else ""
        self._cards: dict[tuple[int, CopyMark | None, int, str], str] = {}

    def line(
        self, seed: str, number: int, attempt: int, name: str, content: DeckContent
    ) -> GeneratedLine:
        """Format a deck as a line."""
        own = content.houses[0]
        cards = ", ".join(self._card_json(card, mark, n, own) for card, mark, n in content.lines)
        # The deck can be generated again from its id.
        own_id = f"{self._prefix}-{number:06}" + (f".{attempt}" if attempt > 1 else "")
        # Eight characters that cannot be guessed without the seed.
        draws = SeededRandom(seed, number, attempt, "code")
        places = [draws.below(len(_CODE_DIGITS)) for _ in range(_CODE_LENGTH)]
        name = name or own_id
        factions = self._game.factions
        values = {
            "id": own_id,
            "name": name,
            "serial": f"{number:06}",
            "code": "".join(_CODE_DIGITS[place] for place in places),
            "houses": ", ".join(factions[house].name for house in content.houses),
        }
        for what, key in ((MAVERICK, "mavericks"), (LEGACY, "legacies")):
            marked = dict.fromkeys(
                self._pool.cards[card].name
                for card, mark, _ in content.lines
                if mark and mark.what == what
            )
            if marked:
                values[key] = ", ".join(marked)
        text = (
            f'{{"id": {_json(own_id)}, "name": {_json(name)}, "faction": {_json(own)}{self._format}'
            f', "cards": [{cards}], "values": {_json(values)}}}'
        )
        return GeneratedLine(number, attempt, own_id, name, content, text)

    def _card_json(self, at: int, mark: CopyMark | None, copies: int, own: str) -> str:
        key = at, mark, copies, own
        if key not in self._cards:
            card = self._pool.cards[at]
            data: dict[str, object] = {"id": card.id, "amount": copies}
            if card.faction_id != own:
                data["faction"] = card.faction_id
            if mark is not None:
                house = self._game.factions[mark.house].name
                data["values"] = {mark.what: house if mark.what == MAVERICK else 1}
            self._cards[key] = _json(data)
        return self._cards[key]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


MAX_ATTEMPTS = 100
"""The number of duplicates in a row after which no more unique decks are assumed."""


def _digest(text: str) -> int:
    """Return the 64-bit hash of a text: a million of them take 64 MB.

    Hashes of different texts collide in one of 20,000,000 runs of a million decks. The second deck
    then just takes another attempt.
    """
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


class RunGenerator:
    """Generates the decks of a game."""

    def __init__(
        self, game: Game, generator: Generator, folder: GameFolder, report: Report
    ) -> None:
        """Raise an OutputError if no decks can be made, or after reporting errors in word lists."""
        self._game, self._generator = game, generator
        self.deck_generator = DeckGenerator(game, generator)
        self._writer = LineWriter(
            game, self.deck_generator.pool, generator.prefix, generator.format
        )
        self._namer = NameGenerator(generator.names, folder, report) if generator.names else None

    def deck(self, seed: str, number: int, attempt: int = 1) -> GeneratedLine:
        """Generate one deck, which may equal others.

        Raises:
            OutputError: if it cannot be generated.
            ChoiceError: if the solver is needed but not installed.
        """
        content = self.deck_generator.generate(seed, number, attempt)
        name = ""
        if self._namer is not None:
            faction = self._game.factions[content.houses[0]]
            name = self._namer.name(SeededRandom(seed, number, attempt, "name"), faction.name)
        return self._writer.line(seed, number, attempt, name, content)

    def run(self, seed: str, count: int) -> Iterator[GeneratedLine]:
        """Yield a number of decks with unique cards and, if required, unique names.

        Raises:
            OutputError: if there are not enough different decks.
            ChoiceError: as `deck` does.
        """
        decks, names = set[int](), set[int]()
        unique = self._generator.names is not None and self._generator.names.unique
        for number in range(1, count + 1):
            for attempt in range(1, MAX_ATTEMPTS + 1):
                line = self.deck(seed, number, attempt)
                copies: dict[int, int] = {}  # the identity of a deck, regardless of marks
                for card, _, number_of_card in line.content.lines:
                    copies[card] = copies.get(card, 0) + number_of_card
                content = ",".join(f"{card}={own}" for card, own in copies.items())
                cards, name = _digest(content), _digest(line.name.casefold())
                is_known = cards in decks
                if not is_known and not (unique and name in names):
                    decks.add(cards)
                    names |= {name} if unique else set()
                    yield line
                    break
            else:
                what = "has other cards" if is_known else "has another name"
                after = pluralize(number - 1, "deck")
                message = f"after {after}, none of {MAX_ATTEMPTS} attempts {what} than all of them"
                hint = (
                    "make fewer decks, or add cards to draw from"
                    if is_known
                    else 'use longer word lists, or `unique="false"`'
                )
                raise generation_error(self._generator, message, hint)
