"""Choose the face that a table's cards begin with, by the titles and the cells of its columns.

A face is a template in `faces/`, beside its back. Its genre is known by what only such cards have:
suits and ranks, questions and answers, strength and health.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from deckwright.game.folder import AMOUNT
from deckwright.game.title_words import normalize_title, title_variants
from deckwright.tables.guessing import CLEAR, Guess, TableGuess, color_word

_FOLDER = Path(__file__).with_name("faces")
_NUMBERING = re.compile(r"(?:[\W_]*\d+|[\W_]+[A-Ha-h]|(?<=[a-z])[A-H])$")
"""What tells `Answer 1`, `option_a` and `answerB` apart."""
_WORD = re.compile(r"[^\W\d_]+")
_MIN_PART = 4
"""The fewest letters of a part of a word that says what it is."""
_ENDS = (*(slice(-n) for n in range(1, 20)), *(slice(n, None) for n in range(1, 20)))
_LETTER = re.compile("[A-Fa-f]")
_ROMAN = re.compile("(?=.)X{0,2}(?:I[XV]|V?I{0,3})")
_ASKS = re.compile("[?\uff1f\u061f]\\W*$")
_SUITS = ("hearts", "diamonds", "clubs", "spades", "swords", "wands", "coins", "cups", "bells",
          "acorns", "leaves")  # fmt: skip
_SPARE_SUITS = ("stars", "moons", "drops", *_SUITS[:3:-1])
"""The shapes for suits with a name of their own, in order."""
_RANKS = tuple(map(str, range(1, 14)))
PALETTE = {
    "red": "#9b2f2a",
    "blue": "#2b5c8a",
    "green": "#3c6e3f",
    "yellow": "#94690c",
    "purple": "#6a3d7c",
    "brown": "#6e4b2f",
    "orange": "#b5591e",
    "black": "#2b2b2b",
    "white": "#7d7768",
}
"""Colors of factions; white letters can be read on each."""
_HUES = (
    "#8a2f33", "#2b5c8a", "#3c6e3f", "#8a5f12", "#6a3d7c", "#1f6f6b", "#a04e1c", "#44546b",
    "#7a3b69", "#4f6228", "#6e4b2f", "#31647a",
)  # fmt: skip
"""The colors of what has none of its own, in an order in which neighbours differ."""
SIGNS: Mapping[str, Mapping[str, str]] = {
    "hero": dict.fromkeys((
        "person", "fighter", "beast", "house", "bird", "mage", "water", "dead", "plant", "dragon",
        "event", "crown",
    ), ""),
    "spell": {
        "fire": "#99401f", "water": "#24578a", "nature": "#3c6e3f", "storm": "#4a4390",
        "light": "#8f680f", "dark": "#4c355f", "earth": "#6e4b2f", "air": "#41697f",
        "mind": "#7a3b69", "ice": "#2b6a80", "time": "#56604a", "dead": "#43434d",
    },
    "euro": dict.fromkeys((
        "crate", "sack", "barrel", "jug", "cloth", "grain", "wood", "metal", "stone", "leaf",
        "wool", "gem", "fur", "fish",
    ), ""),
    "quiz": {},
}  # fmt: skip
"""What is drawn on the cards of a face without a picture, and its color, "" for any."""
_MAX_SORTS = 24
"""The most different words of a column that all have a sign and a color, whatever they say."""
_MAX_SUITS = 8
_MAX_RANK = 10
"""The most characters of a rank."""


class Face(NamedTuple):
    """A face to begin with.

    Attributes:
        hue: its color where no faction has one, and that of backs.
        width, height: the size of its cards, in mm.
        numbers, words: the most numbers and words that have a place of their own.
        texts: the most long texts; if they do not fit, the next one is tried.
        display: the font family of large letters, "" for that of titles.
    """

    name: str
    hue: str = "#2f4858"
    width: int = 63
    height: int = 88
    numbers: int = 4
    words: int = 4
    texts: tuple[int, ...] = (6,)
    display: str = ""

    def templates(self) -> dict[str, str]:
        """Return the texts of its templates by their names."""
        paths = sorted(_FOLDER.glob(f"{self.name}*.xml"))
        return {path.name: path.read_text(encoding="utf-8") for path in paths}


FACES = {
    face.name: face
    for face in (
        Face("hero", "#8a2f33"),
        Face("spell", "#35406b", numbers=3),
        Face("tarot", "#232a4d", 70, 120, numbers=0, texts=(6, 2, 0), display="Cinzel"),
        Face("euro", "#4f6b5c", numbers=7),
        Face("playing", "#7a2430", numbers=0, words=0),
        Face("quiz", "#1f6f6b", numbers=0),
        Face("plain", numbers=5),
    )
}
"""The faces by their names."""

Slots = Mapping[str, Sequence[Guess]]
"""The columns by what they are on cards of some genre, such as `cost`, `rank` or `options`."""


def find_slots(guess: TableGuess) -> Slots:
    """Return what the columns of a table may be."""
    columns = [c for c in guess.columns if c.role not in {"note", AMOUNT} and c.values]
    fields = [column for column in columns if column.role == "field"]

    def titled(meaning: str) -> list[Guess]:
        return [c for c in columns if c.has_title and meaning in _meanings_of_title(c.title)]

    def filled(*meanings: str) -> list[Guess]:
        wanted = {*meanings}
        return [c for c in columns if _most(c.distinct, lambda t: wanted & _meanings(t))]

    answers = titled("option")
    letters = [c for c in columns if c.has_title and _LETTER.fullmatch(c.title)]
    options = [c for c in answers if _NUMBERING.search(c.title)] or letters
    # Ages and levels are Roman too, but repeat.
    roman = [c for c in columns if c.unique == 1 and _most(c.values, _ROMAN.fullmatch)]
    colors = [c for c in columns if CLEAR in map(c.concepts.get, ("suit", "color"))]
    suits = filled(*_SUITS)
    suit = [c for c in suits or colors if len(c.distinct) <= _MAX_SUITS][:1]
    ranks = [c for c in filled(*_RANKS) if c.type == "text"] + titled("rank")
    rank = [c for c in ranks if c not in suit and max(map(len, c.values)) <= _MAX_RANK][:1]
    if not suits and all(column.role != "name" for column in (*suit, *rank)):
        suit = []  # each card has a name beside its color
    costs = [c for c in fields if c.numeric and "costs" in c.concepts]
    common = [c for c in fields if 2 * len(c.values) >= len(c.cells)]
    texts = [c for c in common if c.long]
    asking = [c for c in columns if _most(c.values, _ASKS.search)]
    return {
        "question": (titled("question") or asking)[:1],
        "options": options,
        "choices": titled("choices")[:1],
        "right": (titled("right") or [c for c in answers if c not in options])[:1],
        "wrong": titled("wrong"),
        "arcana": titled("arcana") or (filled("arcana") if suits else []),
        "roman": [c for c in roman[:1] if len(c.values) > 2],
        "numeral": (roman or [c for c in titled("numeral") if c.role != "name"])[:1],
        "suit": suit,
        "rank": rank,
        "named": [c for c in columns if c.role == "name" and _split_names(c) != (0, 0)],
        "cost": sorted(costs, key=lambda column: -column.concepts["costs"])[:1],
        "goods": [c for c in titled("goods") if c.numeric or c.role == "name"]
        or [c for c in filled("goods") if c.role == "name"],
        "strength": [c for c in common if c.numeric and {"strength", "health"} & {*c.concepts}],
        "text": sorted(texts, key=lambda column: -column.concepts.get("text", 0)),
        "kind": [c for c in columns if "kind" in c.concepts],
        "numbers": [c for c in fields if c.numeric],
        "picture": [c for c in fields if c.type == "image"],
    }


def choose_face(slots: Slots) -> tuple[Face, Sequence[Guess]]:
    """Return the face that suits a table, and the columns that tell."""
    text, numbers, picture = slots["text"], slots["numbers"], slots["picture"]
    strength, few = slots["strength"], FACES["euro"].numbers
    answers = [c for name in ("right", "options", "choices", "wrong") for c in slots[name]]
    price, suits = [*slots["cost"], *slots["kind"]], [*slots["suit"], *slots["rank"]]
    signs = {
        "quiz": [*slots["question"], *answers] if slots["question"] and answers else (),
        "tarot": slots["arcana"] or slots["roman"] or (() if numbers or text else picture),
        "playing": () if text else suits if len(suits) > 1 else slots["named"],
        # `PV` alone may be points.
        "hero": strength if text or any("strength" in c.concepts for c in strength) else (),
        "spell": [*price[:1], *text[:1]] if price and text else (),
        "euro": slots["goods"] or (numbers if 1 < len(numbers) <= few and not text else ()),
    }
    return next(((FACES[face], c) for face, c in signs.items() if c), (FACES["plain"], ()))


def bind_slots(face: Face, slots: Slots) -> tuple[dict[str, str], list[Guess]]:
    """Return expressions for what a face shows in places of its own, and their columns."""
    used: list[Guess] = []

    def take(name: str) -> list[str]:
        used.extend(slots[name])
        return [*map(value_of, slots[name])]

    bound: dict[str, str] = {}
    if face.name in {"hero", "spell"}:
        bound["cost"] = next(iter(take("cost")), "none")
    elif face.name == "tarot":
        bound["numeral"] = next(iter(take("numeral")), "none")
    elif face.name == "quiz":
        right, wrong = take("right"), [*map(_as_text, take("wrong"))]
        options = f"[{', '.join(take('options'))}]"
        if slots["choices"] and not slots["options"]:
            options = f"{_as_text(take('choices')[0])}.split(', ')"
        elif right and wrong and not slots["options"]:  # in an order that does not tell
            rest = f"{wrong[0]}.split(', ')" if len(wrong) == 1 else f"[{', '.join(wrong)}]"
            options = f"([{_as_text(right[0])}] + {rest})|select|sort"
        bound["question"] = next(iter(take("question")), "card.name")
        bound |= {"options": options, "answer": next(iter(right), "none")}
    elif face.name == "playing":
        suits, ranks = ([*dict.fromkeys(t for c in slots[name] for t in c.distinct)]
                        for name in ("suit", "rank"))  # fmt: skip
        suit, rank = next(iter(take("suit")), "''"), next(iter(take("rank")), "card.name")
        for column in slots["named"] if not (suits and ranks) else ():
            at, to = _split_names(column)
            words = [text.split() for text in column.distinct if text.strip()]
            suits, ranks = [each[at] for each in words], [each[to] for each in words]
            suit, rank = (f"card.name.split()[{place}]" for place in (at, to))
        spare, colors = iter(_SPARE_SUITS), cycle(PALETTE.values())
        hues = {t: PALETTE.get(color_word(t)) or next(colors) for t in dict.fromkeys(suits)}
        shapes = {t: suit_of(t) or next(spare, "stars") for t in dict.fromkeys(suits)}
        pips = {t: _meaning(t, (*_RANKS, "joker")) for t in dict.fromkeys(ranks)}
        named = slots["named"] or "card.name" in {suit, rank}
        bound["title"] = "''" if named else "card.name"
        if suit != "card.faction.name":
            bound["hue"] = f"{_write_map(hues)}[{_as_text(suit)}|lower]|default({quote(face.hue)})"
        bound["suit"] = f"{_write_map(shapes)}[{_as_text(suit)}|lower]|default('stars')"
        bound["rank"] = rank
        bound["pips"] = f"{_write_map(pips)}[{_as_text(rank)}|lower]|default('')"
    return bound, used


def bind_theme(face: Face, columns: Sequence[Guess], hue: str) -> dict[str, str]:
    """Return expressions for the color and the sign of cards, by a column such as their kind.

    Args:
        columns: those that may tell; the one that names most signs does, or else the first.
        hue: the expression for the color of cards that it says nothing about.
    """
    signs = SIGNS.get(face.name)
    if signs is None:
        return {}
    if not columns:
        return {"sign": "''", "hue": hue}
    named = [_find_signs(column, signs) for column in columns]
    column, found = max(
        zip(columns, named, strict=True), key=lambda each: sum(map(bool, each[1].values()))
    )
    used = {*found.values()}
    spare = cycle([sign for sign in signs if sign not in used] or [*signs] or [""])
    inks = cycle(dict.fromkeys((face.hue, *_HUES)))
    hues = dict[str, str]()
    for text, sign in found.items():
        if sign or len(found) <= _MAX_SORTS:
            found[text] = sign or next(spare)
            hues[text] = signs.get(sign) or next(inks)
    what = f"{_as_text(value_of(column))}.casefold()"
    return {
        "sign": f"{_write_map(found)}[{what}]|default('')",
        "hue": f"{_write_map(hues)}[{what}]|default({hue})",
    }


def _find_signs(column: Guess, signs: Collection[str]) -> dict[str, str]:
    """Return the sign that each text of a column names, "" for none.

    It is that of the first word that has one, if possible one that no other text has.
    """
    known: dict[str, list[str]] = {}
    for text in column.distinct:
        words = [text, *_WORD.findall(text)]
        ends = (w[at] for w in words for at in _ENDS if len(w[at]) >= _MIN_PART)  # of Feuerzauber
        known[text] = [sign for w in (*words, *ends) if (sign := _meaning(w, signs))]
    found = dict.fromkeys(known, "")
    for text, each in sorted(known.items(), key=lambda item: len({*item[1]})):
        free = (sign for sign in each if sign not in found.values())
        found[text] = next(free, next(iter(each), ""))
    return found


def value_of(column: Guess) -> str:
    """Return the expression for what a column holds."""
    own = {"name": "card.name", "id": "card.id", "faction_id": "card.faction.name"}
    return own.get(column.role, f"card.{column.name}")


def _as_text(value: str) -> str:
    return f"({value}|string if {value} is not none else '')"


def quote(text: str) -> str:
    """Return a text as an expression."""
    return "'" + text.replace("\\", "").replace("'", " ") + "'"


def _write_map(values: Mapping[str, str]) -> str:
    pairs = (f"{quote(text)}: {quote(value)}" for text, value in values.items() if value)
    return f"{{{', '.join(pairs)}}}"


@cache
def _load() -> Mapping[str, frozenset[str]]:
    """Return the meanings of each word in `words.txt`."""
    meanings: dict[str, set[str]] = {}
    for line in (_FOLDER / "words.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            meaning, *words = line.split()
            for word in words:
                meanings.setdefault(normalize_title(word), set()).add(meaning)
    return {word: frozenset(each) for word, each in meanings.items()}


def _meanings(text: str) -> frozenset[str]:
    return _load().get(normalize_title(text), frozenset())


def _meanings_of_title(title: str) -> frozenset[str]:
    words = title_variants(_NUMBERING.sub("", title) or title)
    return frozenset[str]().union(*(_load().get(word, ()) for word in words))


def _most(texts: Collection[str], holds: Callable[[str], object]) -> bool:
    return 2 * sum(bool(holds(text)) for text in texts) > len(texts)


def _meaning(text: str, meanings: Collection[str]) -> str:
    """Return which of these meanings a text has, "" for none."""
    return next((meaning for meaning in meanings if meaning in _meanings(text)), "")


def suit_of(text: str) -> str:
    """Return the suit that a text names, "" for none."""
    return _meaning(text, _SUITS)


def _split_names(column: Guess) -> tuple[int, int]:
    """Return which words of its names are suit and rank, as in "Ace of Spades"; equal if none."""
    words = [text.split() for text in column.distinct if " " in text]
    for suit, rank in ((-1, 0), (0, -1)):
        both = sum(bool(_meaning(w[suit], _SUITS) and _meaning(w[rank], _RANKS)) for w in words)
        if 10 * both > 9 * len(column.distinct):
            return suit, rank
    return 0, 0
