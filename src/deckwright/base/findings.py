"""Findings: codes, places, severities, hints, and reports that collect them."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import NamedTuple

from deckwright.base.names import to_letters
from deckwright.base.strings import sanitize_line


def module_names(package: ModuleType) -> list[str]:
    """Return the names of the modules in `package`, sorted, without those of packages below it."""
    names = {path.stem for folder in package.__path__ for path in Path(folder).glob("*.py")}
    return sorted(names - {"__init__", "__main__"})


@cache
def import_all(package: ModuleType) -> None:
    """Import all modules of `package`, in the order of their names, once."""
    for name in module_names(package):
        importlib.import_module(f"{package.__name__}.{name}")


def register_all_codes() -> None:
    """Import every module of Deckwright, so that every diagnostic code is registered."""
    root = Path(__file__).parent.parent
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[-1] not in {"__init__", "__main__"}:
            importlib.import_module(".".join(["deckwright", *parts]))


_PACKAGE = Path(__file__).parent.parent
_SECTION = re.compile(r"^### ([A-Z]\d{3}): (.*?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)


class CodeSection(NamedTuple):
    """What the page says of a code: its title with its severity, then prose and an example."""

    title: str
    body: str


def read_codes_page() -> str:
    """Return the page of all codes, in Markdown."""
    packed = _PACKAGE / "defaults" / "diagnostics.md"
    path = packed if packed.is_file() else _PACKAGE.parent.parent / "docs" / "diagnostics.md"
    return path.read_text(encoding="utf-8")


@cache
def code_sections() -> dict[str, CodeSection]:
    """Return the sections of the page by code."""
    return {
        code: CodeSection(title, body.strip())
        for code, title, body in _SECTION.findall(read_codes_page())
    }


class Severity(Enum):
    """How much a finding matters: an error stops the print, an info is no problem at all."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Location(NamedTuple):
    """A place in a file. Lines and columns count from 1; 0 means "the file as a whole".

    Attributes:
        sheet: the title of the tab of a workbook, whose rows and columns are meant; else "".
    """

    path: Path
    line: int = 0
    column: int = 0
    sheet: str = ""

    @property
    def spot(self) -> str:
        """The place in the file, as in "18:3" or "Deck!C7"; "" for the file as a whole."""
        if not self.line:
            return self.sheet
        if self.sheet:
            return f"{self.sheet}!{to_letters(self.column)}{self.line}"
        return f"{self.line}:{self.column}"


class Labels(NamedTuple):
    """What findings are called in a language, one and several of them."""

    error: str
    errors: str
    warning: str
    warnings: str
    info: str
    infos: str
    hint: str


class Translation(NamedTuple):
    """A finding in the words of the game that it is about; `language` is the game's, "de"."""

    language: str
    message: str
    hint: str | None
    labels: Labels


class Diagnostic(NamedTuple):
    """One finding: what is wrong where, and what would mend it.

    Attributes:
        code: its kind, with `id`, `title` and `prose`.
        location: the file, the line and the column; None if it is of no one file.
        message, hint: in English.
        told: the same in the game's language, for the few findings that there are words for.
    """

    code: Code
    location: Location | None
    message: str
    hint: str | None = None
    given_severity: Severity | None = None
    told: Translation | None = None

    @property
    def severity(self) -> Severity:
        """The severity that it is given, or that of its code."""
        return self.given_severity or self.code.severity

    @property
    def as_lines(self) -> str:
        """Its message, and its hint on a second line; for programs that know lines alone, the cell.

        Of what stands in a workbook, they can show the file.
        """
        cell = f"{self.location.spot}: " if self.location and self.location.sheet else ""
        return f"{cell}{self.message}\n{self.hint}" if self.hint else f"{cell}{self.message}"

    def __str__(self) -> str:
        """Return it as text: place, severity, code and message, and its hint on a second line."""
        place = str(self.location.path) if self.location else ""
        if self.location and self.location.spot:
            place += f":{self.location.spot}"
        head = f"{place}: " if place else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{head}{self.severity.value} {self.code.id}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding, for example `R003`, "an unknown rule".

    Creating one registers it. Numbers are never reused.

    Attributes:
        title: what is wrong, in a few words.

    Raises:
        ValueError: if the id is registered already.
    """

    id: str
    severity: Severity
    title: str

    @property
    def prose(self) -> str:
        """What it means, why it matters and what to do, in two or three sentences.

        `tests/diagnostics/` has it, in a file beside the examples. Names are in backticks.
        """
        section = code_sections().get(self.id)
        return " ".join(section.body.partition("\n\n")[0].split()) if section else ""

    def __post_init__(self) -> None:
        """Enter the code into the registry."""
        if self.id in REGISTRY:
            raise ValueError(f"code {self.id} is registered twice")
        REGISTRY[self.id] = self

    def __reduce__(self) -> tuple[object, ...]:
        """Let a finding come from another process with the code that is known here."""
        return find_code, (self.id,)

    def at(self, location: Location | None, message: str, hint: str | None = None) -> Diagnostic:
        """Return a finding of this kind.

        What would not print in it is made visible, and what nobody would read of long values is
        left out.
        """
        return Diagnostic(self, location, _make_printable(message), hint and _make_printable(hint))


REGISTRY: dict[str, Code] = {}
"""All known codes by id. Complete once `deckwright.base.findings.load_all` has run."""

S009 = Code("S009", Severity.ERROR, "more findings in a file than are shown")

MAX_FINDINGS = 100
"""Findings shown of one check for one file; a hundred are enough to see what is wrong with it."""

_MAX_VALUE_LENGTH = 120
"""The longest value that a message repeats, in characters."""
_MAX_TEXT_LENGTH = 600
"""The longest message or hint, in characters."""
_BREAK = re.compile(r"[\t\n\r]")
_LONG_VALUE = re.compile(rf"`([^`]{{{_MAX_VALUE_LENGTH},}})`")


def find_code(code: str) -> Code:
    """Return the code of this id.

    Raises:
        KeyError: if there is none.
    """
    if code not in REGISTRY:
        register_all_codes()
    return REGISTRY[code]


def _make_printable(text: str) -> str:
    """Return a text that prints in one line of bearable length."""
    # Values are what strangers wrote, up to megabytes of it.
    text = text[: 20 * _MAX_TEXT_LENGTH]
    text = sanitize_line(_BREAK.sub(" ", text))
    if len(text) > _MAX_VALUE_LENGTH:
        text = _LONG_VALUE.sub(lambda match: f"`{match[1][: _MAX_VALUE_LENGTH - 1]}…`", text)
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 1] + "…"


def translated_labels(language: str, findings: Iterable[Diagnostic]) -> Labels | None:
    """Return what findings are called in a language, None if not all can be told in it.

    What cannot be told whole in one language is told in English.
    """
    told = [finding.told for finding in findings]
    if told and all(item is not None and item.language == language for item in told):
        return next(item.labels for item in told if item is not None)
    return None


Report = list[Diagnostic]
"""Stages append what they find to a report that runs along with the data."""


def is_error(finding: Diagnostic) -> bool:
    """Return whether a finding is an error."""
    return finding.severity is Severity.ERROR


def has_no_problems(report: Iterable[Diagnostic]) -> bool:
    """Return whether there is neither an error nor a warning, but infos at most."""
    return all(finding.severity is Severity.INFO for finding in report)


def has_errors(report: Iterable[Diagnostic]) -> bool:
    """Return whether any finding is an error."""
    return any(map(is_error, report))


def sort_findings(report: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings once each, by file, line and column."""

    def key(finding: Diagnostic) -> tuple[str, str, int, int, str, str]:
        path, line, column, sheet = finding.location or Location(Path())
        return (str(path), sheet, line, column, finding.code.id, finding.message)

    return sorted(dict.fromkeys(report), key=key)


def truncation_notice(
    what: str, place: Location | None, hint: str = "fix these first, then check again"
) -> Diagnostic:
    """Return that no more mistakes are shown of `what`, which is such as "the file has"."""
    return S009.at(place, f"{what} more than {MAX_FINDINGS} mistakes, the rest are not shown", hint)


def cap_findings(
    findings: Iterable[Diagnostic], *, of_one_file: bool = False
) -> Iterator[Diagnostic]:
    """Yield the findings of a check, for each file the first ones, and one that says if more are.

    A file may have hundreds of thousands, each of which takes time to find, to tell and to read.

    Args:
        of_one_file: whether all of them are of one file, so that none needs to be sought after
            the last one that is shown.
    """
    counts: Counter[Path | None] = Counter()
    most = MAX_FINDINGS if of_one_file else 10 * MAX_FINDINGS
    for number, finding in enumerate(findings):
        path = finding.location.path if finding.location else None
        counts[path] += 1
        if counts[path] <= MAX_FINDINGS:
            yield finding
        elif counts[path] == MAX_FINDINGS + 1:
            message = f"there are more than {MAX_FINDINGS} such findings, the rest are not shown"
            left_out = S009.at(finding.location, message, "fix these first, then check again")
            yield left_out._replace(given_severity=finding.severity)
        if number >= most:
            return


_MAX_WORD_LENGTH = 60
"""The longest misspelled name for which a known one is looked for."""
_CASEFOLD_GROWTH = 4
"""By how many letters a word may grow or shrink without its capitals, as STRASSE does."""
_MAX_CANDIDATES = 2000
"""How many known names are looked at, those of much the same length."""
_MAX_COMPARISONS = 60_000
"""How much is compared for one misspelled name, in pairs of letters: some 2 ms."""


def find_nearest(word: str, known: Iterable[str]) -> list[str]:
    """Return the known name that is closest to `word`, if one is close: one name or none.

    Where there are very many known names, those that begin and end most like it are looked at.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only when something is wrong

    names = list(known)
    length, folded = len(word), word.casefold()
    for name in names:
        if abs(len(name) - length) <= _CASEFOLD_GROWTH and name.casefold() == folded:
            return [name]
    if not 0 < length <= _MAX_WORD_LENGTH:
        return []
    # Names of other lengths cannot have as much in common as is asked for.
    names = [name for name in names if 3 * length <= 7 * len(name) <= 17 * length]
    if length * sum(map(len, names)) > _MAX_COMPARISONS:
        ends = {word[0], word[-1]}
        names = [name for name in names if name[0] in ends or name[-1] in ends]
        names.sort(key=lambda name: abs(len(name) - length))
        names = sorted(names[:_MAX_CANDIDATES], key=lambda name: -_count_common_ends(word, name))
        names = names[: _MAX_COMPARISONS // (2 * length * length)]
    return get_close_matches(word, names, n=1, cutoff=0.6)


def _count_common_ends(word: str, other: str) -> int:
    """Return how many letters two words begin and end with alike."""
    total = 0
    for pairs in (zip(word, other, strict=False), zip(word[::-1], other[::-1], strict=False)):
        for one, two in pairs:
            if one != two:
                break
            total += 1
    return total


def nearest_hint(word: str, known: Iterable[str]) -> str | None:
    """Return the hint "did you mean …?" if a known name is close to `word`, else None."""
    return next((f"did you mean `{name}`?" for name in find_nearest(word, known)), None)


def known_hint(word: str, known: Iterable[str], *, at_most: int = 12) -> str | None:
    """Return a hint that names the nearest known name, or lists the known names if none is near."""
    names = list(known)
    hint = nearest_hint(word, names)
    if hint or not names or at_most == 0:
        return hint
    return f"use one of {format_names(names, at_most=at_most)}"


def shorten(text: str, most: int = 40) -> str:
    """Return a text on one line, of no more than so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def format_names(names: Iterable[str], *, at_most: int = 12) -> str:
    """Return names as a list in words, and how many there are besides the first ones."""
    all_names = list(names)
    text = ", ".join(f"`{name}`" for name in all_names[:at_most])
    more = len(all_names) - at_most
    return f"{text} and {more} more" if more > 0 else text


FAMILIES = frozenset("XSRGDTLIE")
"""The letters that codes begin with."""


class Grading(NamedTuple):
    """How findings are graded.

    Attributes:
        select: codes and families that alone count; all if empty.
        ignore: codes and families that do not count.
        strict: whether warnings are errors; infos stay what they are.
        severities: other severities than the usual ones by code; None for codes that do not count.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    strict: bool = False
    severities: Mapping[str, Severity | None] = MappingProxyType({})

    def graded(self, report: Iterable[Diagnostic]) -> Report:
        """Return the findings that count, with the severities that they have here."""
        kept = []
        for finding in report:
            code = finding.code.id
            severity: Severity | None = finding.severity
            if finding.code.severity is not Severity.ERROR:  # those are errors in any game
                severity = self.severities.get(code, severity)
            if (self.select and not _is_selected(code, self.select)) or _is_selected(
                code, self.ignore
            ):
                continue
            if severity is not None:
                if self.strict and severity is Severity.WARNING:
                    severity = Severity.ERROR
                kept.append(finding._replace(given_severity=severity))
        return kept


def _is_selected(code: str, chosen: Collection[str]) -> bool:
    """Return whether a code is chosen itself or by its family."""
    return code in chosen or code[0] in chosen


_VALUE_OR_NUMBER = re.compile(r"`[^`]*`|\d+(?:[.,]\d+)*")
_NAME = re.compile(r"`([^`]*)`")


class FindingGroup(NamedTuple):
    """Findings that are alike, in the order of files and places."""

    first: Diagnostic
    others: tuple[Diagnostic, ...] = ()

    def find_new_names(self, other: Diagnostic) -> list[str]:
        """Return the names in a finding's message that the first one's does not have."""
        known = set(_NAME.findall(self.first.message))
        return [name for name in _NAME.findall(other.message) if name not in known]


def group_by_kind(findings: Iterable[Diagnostic]) -> list[FindingGroup]:
    """Return findings of one kind together, whatever would fix each."""
    return _group_findings(findings, hints=False)


def group_by_cause(findings: Iterable[Diagnostic]) -> list[FindingGroup]:
    """Return findings of one kind together that the same change would fix."""
    return _group_findings(findings, hints=True)


def _group_findings(findings: Iterable[Diagnostic], *, hints: bool) -> list[FindingGroup]:
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for finding in sort_findings(findings):
        what = _VALUE_OR_NUMBER.sub("`", finding.message)
        key = finding.code.id, finding.severity, what, finding.hint if hints else None
        groups.setdefault(key, []).append(finding)
    return [FindingGroup(first, tuple(others)) for first, *others in groups.values()]


class _ReportFullError(Exception):
    """A report takes no more findings."""


class LimitedReport(list[Diagnostic]):
    """A report that takes only so many findings of one piece of work, if it is told to.

    A template of two megabytes may have a hundred thousand mistakes, and it takes time to say for
    each what was probably meant.
    """

    _most: int | None = None

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Take a hundred findings within a block; then end it, and say so."""
        outer, self._most = self._most, len(self) + MAX_FINDINGS
        try:
            yield
        except _ReportFullError:
            self._most = None
            self.append(truncation_notice("there are", self[-1].location))
        finally:
            self._most = outer

    def append(self, finding: Diagnostic) -> None:
        """Take a finding.

        Raises:
            _FullError: if there are enough.
        """
        if self._most is not None and len(self) >= self._most:
            raise _ReportFullError
        super().append(finding)

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Take findings, one by one."""
        for finding in findings:
            self.append(finding)


class ChoiceError(ValueError):
    """Something was asked for that there is not, or that contradicts something else asked for.

    Attributes:
        message, hint: as those of findings.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Take what is wrong, and what to do about it."""
        self.message, self.hint = message, hint
        super().__init__(f"{message}\n  hint: {hint}" if hint else message)


def require_known(name: str, known: Iterable[str], what: str, where: str = "") -> None:
    """See to it that a name is known.

    Args:
        what: what it is the name of: "style".
        where: where it is looked for, if that must be said: " in game.xml".

    Raises:
        ChoiceError: if it is not.
    """
    names = list(known)
    if name not in names:
        raise ChoiceError(f"there is no {what} `{name}`{where}", known_hint(name, names))
