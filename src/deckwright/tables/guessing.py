"""Guess what the columns of somebody's table hold, from their titles and from their cells.

A name is nearly unique, an amount is small and whole, a faction is one of a few words; what the
cells do not bear out, a title cannot claim.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from math import floor
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location, format_names, known_hint
from deckwright.base.output import OutputError
from deckwright.game.folder import AMOUNT
from deckwright.game.shapes import MAX_COPIES
from deckwright.game.title_words import find_concepts, guess_language, normalize_title
from deckwright.grids.cells import DECIMAL, E015, NO, WHOLE, YES
from deckwright.grids.reading import JSON_SUFFIX, read_grids
from deckwright.grids.table import Cell, CellGrid, is_blank_row, normalize_text, split_titles

Ask = Callable[[str, Sequence[str]], str | None]
"""Asks a question with these answers, the likeliest first; None if the answer is none of them."""

CLEAR = 2
"""How strongly a whole title claims what its column holds; a word of it claims 1."""
_MIN_LONG_TEXT = 24
"""The length beyond which a text is more than a word or two."""
_SAMPLE_ROWS = 12
"""The number of rows in which titles are sought."""
_NUMBER = re.compile(r"[^\w:]*[0-9](?:[0-9]|[^\w:])*[^\W\d_]?")
_PICTURE = re.compile(r"(?i)[^:\n]+\.(?:png|jpe?g|svg)")
_FLAG = re.compile(f"(?i){'|'.join({*YES, *NO} - {'0', '1'})}")
_TYPES = {"integer": WHOLE, "decimal": DECIMAL, "image": _PICTURE, "flag": _FLAG}
"""The types of fields by what all their texts are."""
_UNPRINTED = {
    "an address": re.compile(r"(?i)(?:https?://|www\.)\S+"),
    "a code": re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{24,}|[0-9]{10,}"),
    "a color": re.compile(r"(?i)#(?:[0-9a-f]{3}){1,2}"),
    "JSON": re.compile(r'(?s)[\[{]+".*[\]}],?'),
    "a picture that cannot be printed": re.compile(
        r"(?i)[^:\n]+\.(?:gif|webp|psd|ai|tiff?|bmp|pdf|xcf)"
    ),
    "a sign": re.compile(r"[\W_]+(?<![^\x00-\x7f])"),
    "a date": re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{1,2}[./][0-9]{1,2}[./](?:[0-9]{2}){1,2}"
    ),
}
"""What nobody reads on a card, by what it is."""
_GROUPS = ("faction_id", "suit", "class", "color")
"""The concepts of columns whose values are factions."""
NUMBERS = ("costs", "strength", "health", "actions", "points", "level")
"""The concepts of numbers that matter in play, the most important first."""
_COLORS = ("red", "blue", "green", "yellow", "black", "white", "purple", "brown", "orange")
_MAX_FACTIONS = 12
_MIN_CONSTANT = 5
"""The fewest cards among which a value that all have says nothing."""
_MAX_AMOUNT, _LIKELY_AMOUNT = 99, 30
_MAX_NAME = 45
"""The mean length beyond which a text is no name, in characters."""


class Guess:
    """A column and what it holds.

    Attributes:
        title: its title, or its letter.
        cells: its texts, one for each card; "" for unusable ones.
        role: `name`, `id`, `amount` or `faction_id`; `field` or `note` for the others.
        reason: why it is a note.
        name, caption: the name of the field that it becomes, and how print calls it.
    """

    def __init__(self, title: str, cells: list[str], faults: int, *, has_title: bool) -> None:
        """Take the column; `faults` counts the cells with errors of formulas, or dates."""
        self.title = title
        self.cells = cells
        self.faults = faults
        self.concepts = find_concepts(title) if has_title else {}
        self.has_title = has_title
        self.role = "field"
        self.reason = ""
        self.name = self.caption = ""

    def with_rows(self, rows: Sequence[int]) -> Guess:
        """Return the column with only these rows."""
        cells = [self.cells[at] for at in rows]
        return Guess(self.title, cells, self.faults, has_title=self.has_title)

    @cached_property
    def values(self) -> list[str]:
        """Its texts that are not empty."""
        return [cell for cell in self.cells if cell]

    @cached_property
    def distinct(self) -> Counter[str]:
        """How often it has each text, regardless of case."""
        return Counter(text.casefold() for text in self.values)

    @cached_property
    def type(self) -> str:
        """The type of the field that can hold its texts."""
        fitting = (t for t, pattern in _TYPES.items() if all(map(pattern.fullmatch, self.values)))
        return next(fitting, "text") if self.values else "text"

    @cached_property
    def numeric(self) -> bool:
        """Whether it holds numbers such as `2/2` and `3+`, apart from a few such as `X` and `?`."""
        words = [text for text in self.values if any(map(str.isalnum, text))]
        short = max(map(len, words), default=0) <= 7
        some = 2 * _count_numbers(words, _NUMBER) > len(words)
        return self.type in {"integer", "decimal"} or (short and some)

    @cached_property
    def long(self) -> bool:
        """Whether its texts are rules or flavor, or have more than a few words."""
        length = max(map(len, self.values), default=0)
        return self.type == "text" and (
            length > _MIN_LONG_TEXT or bool({"text", "flavor"} & self.concepts.keys())
        )

    @property
    def numbers(self) -> list[float]:
        """Its values that are numbers."""
        texts = filter(DECIMAL.fullmatch, self.values)
        return [float(text.replace(",", ".")) for text in texts]

    @property
    def concept(self) -> str:
        """What its title says, by the name of a field; "" if nothing."""
        if self.long and not self.has_title:
            return "text"
        best = max(self.concepts.values(), default=0)
        # "Good effect" says which text it is, "Effect" that it is the text.
        return next(
            (c for c, w in self.concepts.items() if w == best and (w, c) != (1, "text")), ""
        )

    @property
    def optional(self) -> bool:
        """Whether some cards lack it."""
        return len(self.values) < len(self.cells) or self.faults > 0

    @property
    def minimum(self) -> int:
        """The smallest number in it, at most 0."""
        return floor(min(0, *self.numbers)) if self.type in {"integer", "decimal"} else 0

    @property
    def is_constant(self) -> bool:
        """Whether all cards have the same value, which says nothing."""
        return len(self.cells) >= _MIN_CONSTANT and [*self.distinct.values()] == [len(self.cells)]

    @property
    def unique(self) -> float:
        """The share of different texts."""
        return len(self.distinct) / len(self.values) if self.values else 0


class TableGuess(NamedTuple):
    """A table of cards and what its columns hold.

    Attributes:
        grids: the tabs that it consists of; all have the same titles.
        tab: the path of the list in JSON that was asked for.
        titles: the number of the row with the titles, 0 for none; None for the first row.
        remarks: what else there is to know, in sentences.
        language: the language of its texts, None if nothing shows it.
    """

    grids: tuple[CellGrid, ...]
    tab: str | None
    titles: int | None
    columns: list[Guess]
    remarks: list[str]
    language: str | None

    def column_of(self, role: str) -> Guess | None:
        """Return the first column with a role, None if there is none."""
        return next((column for column in self.columns if column.role == role), None)


def guess_table(path: Path, tab: str | None, titles: int | None, ask: Ask | None) -> TableGuess:
    """Return what a file's table seems to hold.

    Args:
        tab: the tab of a workbook, or the path of the list in JSON; None for the likeliest.
        titles: the number of the row with the titles, 0 for none; None to find it.
        ask: asks what is unclear; None to take the likeliest.

    Raises:
        OutputError: if it cannot be read, or holds no cards.
    """
    grids = read_grids(path, tab, ["name", "id", AMOUNT])
    if tab is not None and len(grids) > 1:
        grids = [grid for grid in grids if grid.title.casefold() == tab.casefold()] or grids
    tables = [(grid, _columns(grid, titles)) for grid in grids]
    usable = [(grid, *table) for grid, table in tables if table and _rank_names(table[1])]
    if not usable:
        message = "no column has the names of cards"
        hint: str | None = "give it a column `name`"
        if not any(table for _, table in tables):
            message = "there is no table with a row of titles and rows of cards"
            hint = "give each column a title, and each card a row below"
            hint = known_hint(tab, [grid.title for grid in grids]) or hint if tab else hint
        raise OutputError(E015.at(Location(path), message, hint))
    named = [each for each in usable if any(c.concepts.get("name") for c in each[2])] or usable
    first = named[0]
    if ask is not None and len(named) > 1:
        title = ask("Which tab has the cards?", [grid.title for grid, _, _ in named])
        first = next((each for each in named if each[0].title == title), first)
    grid, row, columns = first
    same = [other for other in usable if other is first or _continues(other[2], columns)]
    read = [each[0] for each in same]
    remarks = list(_describe_reading(grid, read, grids, row, path))
    if len(same) > 1:  # the columns of several tabs, as one table
        several = [each[2] for each in same]
        joined = []
        for title in dict.fromkeys(column.title for each in several for column in each):
            cells: list[str] = []
            parts = [next((c for c in each if c.title == title), None) for each in several]
            for column, each in zip(parts, several, strict=True):
                cells += column.cells if column else [""] * len(each[0].cells)
            faults = sum(column.faults for column in parts if column)
            titled = any(column.has_title for column in parts if column)
            joined.append(Guess(title, cells, faults, has_title=titled))
        columns = joined
    columns = _assign(columns, ask, remarks)
    texts = (text for column in columns if column.type == "text" for text in column.values[:200])
    headings = [column.title for column in columns if column.has_title]
    language = guess_language(headings, texts)
    return TableGuess(tuple(read), tab, row, columns, remarks, language)


def _columns(grid: CellGrid, titles: int | None) -> tuple[int | None, list[Guess]] | None:
    """Return the row of the titles and the columns of a table, None if it has no rows of cards."""
    if titles is None:
        titles = _find_titles(grid)
    rows = split_titles(grid, titles)
    if not rows.body or not any(rows.names):
        return None
    columns = []
    for at, name in enumerate(rows.names):
        if not name:
            continue
        cells = [row[at] if at < len(row) else None for row in rows.body]
        texts = ["" if c is None or c.problem else c.text.strip() for c in cells]
        faults = sum(cell is not None and bool(cell.problem) for cell in cells)
        titled = at < len(rows.head) and normalize_text(rows.head[at].text) == name
        columns.append(Guess(name, texts, faults, has_title=titled))
    return titles, columns


def _find_titles(grid: CellGrid) -> int | None:
    """Return the number of the row with the titles, 0 for none, None for the first row.

    It is the first full row of words; a row with numbers where there are only numbers is a card.
    """
    rows = [(n, row) for n, row in enumerate(grid.rows, 1) if not is_blank_row(row)]
    top = rows[:_SAMPLE_ROWS]
    if not top:
        return None
    width = sorted(sum(not cell.is_blank for cell in row) for _, row in rows)[len(rows) // 2]

    def words(row: Sequence[Cell]) -> set[str]:
        return {cell.text.strip() for cell in row if not cell.is_blank}

    full = [(n, row) for n, row in top if 2 * len(words(row)) >= width]
    if not full:
        return None
    known = {
        n: sum(CLEAR in find_concepts(text).values() for text in words(row)) for n, row in full[:3]
    }
    number, row = full[0]
    for n, other in full[1:3]:
        if known[n] > max(known[number], 1):
            number, row = n, other
    below = [each for n, each in rows if n > number]
    numbers = 0
    for at in (at for at, cell in enumerate(row) if DECIMAL.fullmatch(cell.text)):
        column = [each[at].text for each in below if at < len(each) and not each[at].is_blank]
        numbers += 2 * _count_numbers(column) > len(column)
    if numbers and known[number] <= numbers and grid.place.path.suffix.casefold() != JSON_SUFFIX:
        return 0
    return None if number == rows[0][0] else number


def _count_numbers(texts: Sequence[str], pattern: re.Pattern[str] = DECIMAL) -> int:
    return sum(bool(pattern.fullmatch(text)) for text in texts)


def _rank_names(columns: Sequence[Guess]) -> list[tuple[float, Guess]]:
    """Return the columns that may have the names, the likeliest first."""
    scores = []
    for at, column in enumerate(columns):
        says = column.concepts.get("name", 0)
        few = not column.has_title and 2 * len(column.values) < len(column.cells)
        numbers = 4 * _count_numbers(column.values) > 3 * len(column.values)
        if not column.values or ((column.type != "text" or few or numbers) and says < CLEAR):
            continue
        if any(map(column.concepts.get, ("image", "notes", "credit"))) and not says:
            continue
        mean = sum(map(len, column.values)) / len(column.values)
        filled = len(column.values) / len(column.cells)
        score = (
            3 * says + 4 * column.unique + 2 * filled - 0.1 * at - (5 if mean > _MAX_NAME else 0)
        )
        scores.append((score - 2 * (column.concepts.get("text", 0) > 0), column))
    return sorted(scores, key=lambda pair: -pair[0])


def _continues(columns: Sequence[Guess], first: Sequence[Guess]) -> bool:
    """Return whether a tab has more cards of the first one's kind: same titles, other names."""
    if [c.title for c in columns if c.has_title] != [c.title for c in first if c.has_title]:
        return False
    one, other = _rank_names(first)[0][1], _rank_names(columns)[0][1]
    both = one.distinct.keys() & other.distinct.keys()
    languages = {guess_language([], one.values), guess_language([], other.values)} - {None}
    return 5 * len(both) < len(other.distinct) and len(languages) <= 1


def _describe_reading(
    grid: CellGrid,
    same: Sequence[CellGrid],
    grids: Sequence[CellGrid],
    titles: int | None,
    path: Path,
) -> Iterator[str]:
    """Yield sentences about how the file was read, and which parts were not."""
    if titles:
        yield f"The titles are in row {titles}; what is above them is left out."
    if titles == 0:
        yield "There are no titles, so the columns are named by their letters."
    if len(same) > 1:
        names = format_names([each.title for each in same])
        yield f"The tabs {names} have the same titles and are all read."
    others = [each.title for each in grids if each not in same and each.rows]
    if others:
        yield f"Not read: the tabs {format_names(others)}; `--tab` chooses another one."
    if grid.encoding:
        yield f"{path.name} is in {grid.encoding}, not in UTF-8."
    for place, message, hint in grid.remarks[:5]:
        yield f"{f'{place.spot}: ' if place.line else ''}{message}: {hint}."


def _assign(columns: Sequence[Guess], ask: Ask | None, remarks: list[str]) -> list[Guess]:
    """Return the columns with what each holds, without the rows that have no name."""
    ranked = _rank_names(columns)
    title = ranked[0][1].title
    if ask is not None and len(ranked) > 1 and not ranked[0][1].concepts.get("name"):
        answers = [column.title for _, column in ranked]
        title = ask("Which column has the names of the cards?", answers) or title
    name = next(column for column in columns if column.title == title)
    named_rows = [at for at, text in enumerate(name.cells) if text]
    if nameless := len(name.cells) - len(named_rows):
        rows = f"{nameless} rows have" if nameless > 1 else "1 row has"
        remarks.append(f"{rows} no name, so no card is made of {'them' if nameless > 1 else 'it'}.")
        columns = [column.with_rows(named_rows) for column in columns]
    rest = [column for column in columns if column.title != title]
    next(column for column in columns if column.title == title).role = "name"
    _assign_amount(rest, ask, remarks)
    for column in sorted(rest, key=lambda c: -c.concepts.get("id", 0)):
        complete = len(column.distinct) == len(column.cells)
        plain = not any(re.search(r"\s", text) for text in column.values)
        says = column.concepts.get("id", 0) == CLEAR or (not column.has_title and _is_count(column))
        if says and complete and plain and column.role == "field":
            column.role = "id"
            break
    _assign_faction([column for column in rest if column.role == "field"])
    for at, column in enumerate(columns):
        others = [c for c in columns if c.role not in {"field", "note"} or c in columns[:at]]
        if column.role == "field" and (reason := _reason_to_omit(column, others)):
            column.role, column.reason = "note", reason
    return [*columns]


def _may_be_amounts(column: Guess, most: int) -> bool:
    # A few words are mistakes in a column whose title says what it holds; the check reports them.
    words = len(column.values) - _count_numbers(column.values, WHOLE)
    few = column.concepts.get(AMOUNT) == CLEAR and 0 < 4 * words <= len(column.values)
    usable = column.type == "integer" or few
    return usable and min(column.numbers) >= 0 and 0 < max(column.numbers) <= most


def _assign_amount(columns: Sequence[Guess], ask: Ask | None, remarks: list[str]) -> None:
    """Find the column with the number of copies."""
    claimed = [c for c in columns if c.concepts.get(AMOUNT) and _may_be_amounts(c, MAX_COPIES)]
    claimed = [c for c in claimed if not (c.concepts.get("id") and (c.unique == 1 or _is_count(c)))]
    # "Amount of gold" is a cost.
    claimed = [c for c in claimed if c.concepts[AMOUNT] == CLEAR or not {*NUMBERS} & {*c.concepts}]
    claimed.sort(key=lambda c: (-c.concepts[AMOUNT], max(c.numbers) > _MAX_AMOUNT))
    untitled = [
        c
        for c in columns
        if not c.has_title
        and _may_be_amounts(c, _LIKELY_AMOUNT)
        and not _is_count(c)
        and 2 * len(c.values) > len(c.cells)
    ]
    amounts = next(iter(claimed), None)
    if amounts is None and untitled:
        amounts = untitled[0] if len(untitled) == 1 else None
        if ask is not None:
            answer = ask("Which column has the numbers of copies?", [c.title for c in untitled])
            amounts = next((c for c in untitled if c.title == answer), None)
        if amounts is not None:
            remarks.append(
                f"The numbers in column {amounts.title} are taken for numbers of copies."
            )
    if amounts is None:
        meant = next((c for c in columns if c.concepts.get(AMOUNT) == CLEAR), None)
        texts = [text for text in meant.values if not WHOLE.fullmatch(text)] if meant else []
        why = f"`{meant.title}` has `{texts[0]}`" if meant and texts else "No column has"
        why += ", which is no number of copies" if texts else " numbers of copies"
        remarks.append(f"{why}, so each card is printed once.")
        return
    amounts.role = AMOUNT
    if blank := len(amounts.cells) - len(amounts.values):
        cards = f"{blank} cards have" if blank > 1 else "1 card has"
        remarks.append(f"{cards} no number of copies; an empty cell counts as 1.")


def _is_count(column: Guess) -> bool:
    """Return whether a column only numbers the rows, or the chapters that they are in."""
    values = column.numbers if column.type == "integer" else []
    falls = sum(later < earlier for earlier, later in pairwise(values))
    return len(column.distinct) > 3 and 10 * falls < len(values)


def _assign_faction(columns: Sequence[Guess]) -> None:
    """Find the column whose values are factions, suits, houses, colors or classes."""
    fitting = []
    for column in columns:
        most = min(_MAX_FACTIONS, max(2, len(column.cells) // 2))
        lists = sum(bool(re.search("[,;/|\n]", text)) for text in column.values)
        if (
            column.type == "text"
            and 2 <= len(column.distinct) <= most
            and 2 * len(column.values) >= len(column.cells)
            and max(map(len, column.values)) <= _MAX_NAME
            and 10 * lists <= len(column.values)
        ):
            fitting.append(column)
    ranks = [(weight, concept) for weight in (2, 1) for concept in _GROUPS]
    claimed = (c for weight, concept in ranks for c in fitting if c.concepts.get(concept) == weight)
    # Without such a title, most values are colors or suits.
    suits = (
        c for c in fitting if 2 * sum(bool(color_word(t)) for t in c.distinct) > len(c.distinct) > 1
    )
    if best := next(chain(claimed, suits), None):
        best.role = "faction_id"


def color_word(text: str) -> str:
    """Return the English color that a word names or stands for, "" for none."""
    concepts = find_concepts(text)
    return next((color for color in _COLORS if color in concepts), "")


def _reason_to_omit(column: Guess, others: Sequence[Guess]) -> str:
    """Return why a column is not a field beside others, "" if it is one."""
    if not column.values:
        return "its cells have errors or dates" if column.faults else "it is empty"
    for what, pattern in _UNPRINTED.items():
        if all(map(pattern.fullmatch, column.values)):
            return f"each is {what}"
    says = {concept for concept, weight in column.concepts.items() if weight == CLEAR}
    titled, rows = any(other.has_title for other in others), len(column.cells)
    names_pictures = "image" in column.concepts and (
        column.concepts.keys() <= {"image", "credit"} or all("_" in text for text in column.values)
    )
    reasons = (
        ("notes" in says and not says & {"text", "name"}, "it is for the designer"),
        ("credit" in says or (column.concept == "credit" and not column.long), "nobody needs it"),
        ("id" in says and column.unique == 1, "it numbers the cards"),
        (not column.has_title and titled and 2 * len(column.values) < rows, "it has no title"),
        (column.type == "text" and names_pictures, "it names pictures"),
    )
    if reason := next((reason for applies, reason in reasons if applies), ""):
        return reason
    most = max(5 * len(column.values) / 6, rows / 2)
    for other in others if column.type == "text" else ():
        pairs = zip(column.cells, other.cells, strict=True)
        if sum(normalize_title(one) == normalize_title(two) for one, two in pairs if one) > most:
            return f"it repeats `{other.title}`"
    return ""
