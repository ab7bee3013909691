"""Findings: codes, locations, severities and hints; reports that collect and grade them."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

from deckwright.base.files import to_letters
from deckwright.base.strings import sanitize_line


def module_names(package: ModuleType) -> list[str]:
    """Return the sorted names of the modules in `package`, without subpackages."""
    names = {path.stem for folder in package.__path__ for path in Path(folder).glob("*.py")}
    return sorted(names - {"__init__", "__main__"})


_PACKAGE = Path(__file__).parent.parent


@cache
def import_all(package: ModuleType) -> None:
    """Import all modules of `package` once, sorted by name."""
    for name in module_names(package):
        importlib.import_module(f"{package.__name__}.{name}")


def register_all_codes() -> None:
    """Import all of Deckwright, so that every diagnostic code is registered."""
    for path in sorted(_PACKAGE.rglob("*.py")):
        parts = path.relative_to(_PACKAGE).with_suffix("").parts
        if parts[-1] not in {"__init__", "__main__"}:
            importlib.import_module(".".join(["deckwright", *parts]))


_SECTION = re.compile(r"^### ([A-Z]\d{3}): (.*?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)


class CodeSection(NamedTuple):
    """A code's section of the diagnostics page: its title with severity, and its text."""

    title: str
    body: str


def read_codes_page() -> str:
    """Return the page of all diagnostic codes, in Markdown."""
    packed = _PACKAGE / "defaults" / "diagnostics.md"
    path = packed if packed.is_file() else _PACKAGE.parent.parent / "docs" / "diagnostics.md"
    return path.read_text(encoding="utf-8")


@cache
def code_sections() -> dict[str, CodeSection]:
    """Return the sections of the diagnostics page by code."""
    return {
        code: CodeSection(title, body.strip())
        for code, title, body in _SECTION.findall(read_codes_page())
    }


class Severity(Enum):
    """The severity of a finding: an error stops the print, an info needs no action."""

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
        """The place within the file, as in "18:3" or "Deck!C7"; "" for the whole file."""
        if not self.line:
            return self.sheet
        if self.sheet:
            return f"{self.sheet}!{to_letters(self.column)}{self.line}"
        return f"{self.line}:{self.column}"


class Labels(NamedTuple):
    """The words for findings in a language, singular and plural."""

    error: str
    errors: str
    warning: str
    warnings: str
    info: str
    infos: str
    hint: str


class Translation(NamedTuple):
    """A finding in the language of its game; `language` is a code such as "de"."""

    language: str
    message: str
    hint: str | None
    labels: Labels


class Diagnostic(NamedTuple):
    """A finding: what is wrong, where, and how to fix it.

    Attributes:
        code: its kind, with `id`, `title` and `prose`.
        location: the file, line and column; None if it concerns no single file.
        message, hint: in English.
        translation: the same in the game's language, for the few findings that have one.
    """

    code: Code
    location: Location | None
    message: str
    hint: str | None = None
    given_severity: Severity | None = None
    translation: Translation | None = None

    @property
    def severity(self) -> Severity:
        """The severity assigned to it, or else its code's."""
        return self.given_severity or self.code.severity

    @property
    def as_lines(self) -> str:
        """The message and, on a second line, the hint, for programs that show a file and a line.

        Such programs know no cells, so the cell of a workbook precedes the message.
        """
        cell = f"{self.location.spot}: " if self.location and self.location.sheet else ""
        return f"{cell}{self.message}\n{self.hint}" if self.hint else f"{cell}{self.message}"

    def __str__(self) -> str:
        """Return it as text: location, severity, code and message; the hint on a second line."""
        place = str(self.location.path) if self.location else ""
        if self.location and self.location.spot:
            place += f":{self.location.spot}"
        head = f"{place}: " if place else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{head}{self.severity.value} {self.code.id}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding, for example `R003`, "an unknown rule".

    Creating one registers it; creating it again, as when a finding is read from a cache, returns
    the registered one. Numbers are never reused.

    Attributes:
        title: what is wrong, in a few words.

    Raises:
        ValueError: if the id is registered with another meaning.
    """

    id: str
    severity: Severity
    title: str

    def __new__(cls, id: str, severity: Severity, title: str) -> Code:  # noqa: A002, PYI034 - the field; final
        """Return the registered code, if there is one."""
        known = REGISTRY.get(id)
        if known is None:
            return object.__new__(cls)
        if (known.severity, known.title) != (severity, title):
            raise ValueError(f"code {id} is registered twice")
        return known

    @property
    def prose(self) -> str:
        """Two or three sentences: what the code means, why it matters and what to do.

        They are kept beside the examples in `tests/diagnostics/`. Names are in backticks.
        """
        section = code_sections().get(self.id)
        return " ".join(section.body.partition("\n\n")[0].split()) if section else ""

    def __post_init__(self) -> None:
        """Register the code."""
        REGISTRY[self.id] = self

    def __reduce__(self) -> tuple[object, ...]:
        """Unpickle findings with the code registered in this process."""
        return find_code, (self.id,)

    def at(self, location: Location | None, message: str, hint: str | None = None) -> Diagnostic:
        """Return a finding of this kind.

        Control characters are made visible, and overlong values are shortened.
        """
        return Diagnostic(self, location, _make_printable(message), hint and _make_printable(hint))


REGISTRY: dict[str, Code] = {}
"""All known codes by id. Complete once `register_all_codes` has run."""

S009 = Code("S009", Severity.ERROR, "more findings in a file than are shown")

MAX_FINDINGS = 100
"""The most findings that a check shows for a file; these suffice to see what is wrong."""

_MAX_VALUE_LENGTH = 120
"""Longer values are shortened in messages, in characters."""
_MAX_TEXT_LENGTH = 600
"""Longer messages and hints are shortened, in characters."""
_BREAK = re.compile(r"[\t\n\r]")
_LONG_VALUE = re.compile(rf"`([^`]{{{_MAX_VALUE_LENGTH},}})`")


def find_code(code: str) -> Code:
    """Return the code with this id.

    Raises:
        KeyError: if there is none.
    """
    if code not in REGISTRY:
        register_all_codes()
    return REGISTRY[code]


def _make_printable(text: str) -> str:
    """Return a text on a single line of tolerable length."""
    # Values come from strangers' files and may be megabytes long.
    text = text[: 20 * _MAX_TEXT_LENGTH]
    text = sanitize_line(_BREAK.sub(" ", text))
    if len(text) > _MAX_VALUE_LENGTH:
        text = _LONG_VALUE.sub(lambda match: f"`{match[1][: _MAX_VALUE_LENGTH - 1]}…`", text)
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 1] + "…"


def translated_labels(language: str, findings: Iterable[Diagnostic]) -> Labels | None:
    """Return the words for findings in a language; None if any finding lacks it.

    A report is not mixed: unless all findings have a translation, all are shown in English.
    """
    translations = [finding.translation for finding in findings]
    if translations and all(
        item is not None and item.language == language for item in translations
    ):
        return next(item.labels for item in translations if item is not None)
    return None


Report = list[Diagnostic]
"""Stages append their findings to a report that is passed along with the data."""


def is_error(finding: Diagnostic) -> bool:
    """Return whether a finding is an error."""
    return finding.severity is Severity.ERROR


def has_no_problems(report: Iterable[Diagnostic]) -> bool:
    """Return whether a report has neither errors nor warnings."""
    return all(finding.severity is Severity.INFO for finding in report)


def has_errors(report: Iterable[Diagnostic]) -> bool:
    """Return whether any finding is an error."""
    return any(map(is_error, report))


def encode_findings(findings: Iterable[Diagnostic]) -> list[object]:
    """Return findings as JSON data."""
    return [
        (
            # All fields: the module that registers the code may not be imported when decoding.
            (code.id, code.severity.value, code.title),
            location and (str(location.path), *location[1:]),
            message,
            hint,
            severity and severity.value,
        )
        for code, location, message, hint, severity, _ in findings
    ]


def decode_findings(data: list[Any]) -> Report:
    """Return the findings that `encode_findings` encoded.

    Raises:
        Exception: of any type, if the data is invalid.
    """
    findings: Report = []
    for (code_id, usual, title), place, message, hint, severity in data:
        location = None
        if place is not None:
            path, line, column, sheet = place
            location = Location(Path(path), int(line), int(column), str(sheet))
        if not isinstance(message, str) or not (hint is None or isinstance(hint, str)):
            raise TypeError
        given = None if severity is None else Severity(severity)
        code = Code(code_id, Severity(usual), title)
        findings.append(Diagnostic(code, location, message, hint, given))
    return findings


def sort_findings(report: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings without duplicates, by file, line and column."""

    def key(finding: Diagnostic) -> tuple[str, str, int, int, str, str]:
        path, line, column, sheet = finding.location or Location(Path())
        return (str(path), sheet, line, column, finding.code.id, finding.message)

    return sorted(dict.fromkeys(report), key=key)


FIX_FIRST_HINT = "fix these first, then check again"


def truncation_notice(what: str, place: Location | None, hint: str = FIX_FIRST_HINT) -> Diagnostic:
    """Return the finding that further mistakes are not shown; `what` is, say, "the file has"."""
    return S009.at(place, f"{what} more than {MAX_FINDINGS} mistakes; the rest are not shown", hint)


def cap_findings(
    findings: Iterable[Diagnostic], *, single_file: bool = False
) -> Iterator[Diagnostic]:
    """Yield the first findings for each file, then one that says that there are more.

    A file may have hundreds of thousands, and each takes time to find, describe and read.

    Args:
        single_file: all findings concern one file, so the search can stop at the limit.
    """
    counts: Counter[Path | None] = Counter()
    limit = MAX_FINDINGS if single_file else 10 * MAX_FINDINGS
    for number, finding in enumerate(findings):
        path = finding.location.path if finding.location else None
        counts[path] += 1
        if counts[path] <= MAX_FINDINGS:
            yield finding
        elif counts[path] == MAX_FINDINGS + 1:
            message = f"there are more than {MAX_FINDINGS} such findings; the rest are not shown"
            notice = S009.at(finding.location, message, FIX_FIRST_HINT)
            yield notice._replace(given_severity=finding.severity)
        if number >= limit:
            return


_MAX_WORD_LENGTH = 60
"""Longer misspelled names get no suggestion."""
_CASEFOLD_GROWTH = 4
"""How many letters case folding may add to a word, as in STRASSE."""
_MAX_CANDIDATES = 2000
"""The most known names to compare, those of similar length first."""
_MAX_COMPARISONS = 60_000
"""The most pairs of letters to compare for one misspelled name: some 2 ms."""


def find_nearest(word: str, known: Iterable[str]) -> list[str]:
    """Return the known name closest to `word` as a list, which is empty if none is close.

    If there are very many names, only those with the most similar ends are compared.
    """
    from difflib import get_close_matches  # only when something is wrong

    names = list(known)
    length, folded = len(word), word.casefold()
    for name in names:
        if abs(len(name) - length) <= _CASEFOLD_GROWTH and name.casefold() == folded:
            return [name]
    if not 0 < length <= _MAX_WORD_LENGTH:
        return []
    # Names of other lengths cannot reach the cutoff of 0.6.
    names = [name for name in names if 3 * length <= 7 * len(name) <= 17 * length]
    if length * sum(map(len, names)) > _MAX_COMPARISONS:
        ends = {word[0], word[-1]}
        names = [name for name in names if name[0] in ends or name[-1] in ends]
        names.sort(key=lambda name: abs(len(name) - length))

        def count_common_ends(name: str) -> int:
            starts, ends = zip(word, name, strict=False), zip(word[::-1], name[::-1], strict=False)
            equal = (takewhile(lambda pair: pair[0] == pair[1], pairs) for pairs in (starts, ends))
            return sum(len(list(pairs)) for pairs in equal)

        names = sorted(names[:_MAX_CANDIDATES], key=count_common_ends, reverse=True)
        names = names[: _MAX_COMPARISONS // (2 * length * length)]
    if near := get_close_matches(word, names, n=1, cutoff=0.6):
        return near
    cases = {name.casefold(): name for name in names}
    return [cases[each] for each in get_close_matches(folded, cases, n=1, cutoff=0.6)]


def nearest_hint(word: str, known: Iterable[str]) -> str | None:
    """Return the hint "did you mean …?" if a known name is close to `word`, else None."""
    return next((f"did you mean `{name}`?" for name in find_nearest(word, known)), None)


def known_hint(word: str, known: Iterable[str], *, at_most: int = 12) -> str | None:
    """Return a hint with the nearest known name, or else a list of the known names."""
    names = list(known)
    hint = nearest_hint(word, names)
    if hint or not names or at_most == 0:
        return hint
    return f"use one of {format_names(names, at_most=at_most)}"


def shorten(text: str, max_length: int = 40) -> str:
    """Return a text on one line of at most `max_length` characters."""
    text = " ".join(text.split())
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def format_names(names: Iterable[str], *, at_most: int = 12) -> str:
    """Return names as a list in words, with the number of those left out."""
    all_names = list(names)
    text = ", ".join(f"`{name}`" for name in all_names[:at_most])
    more = len(all_names) - at_most
    return f"{text} and {more} more" if more > 0 else text


FAMILIES = frozenset("XSRGDTLIEP")
"""The first letters of codes."""


class Grading(NamedTuple):
    """Rules that select findings and change their severities.

    Attributes:
        select: the only codes and families that count; all if empty.
        ignore: codes and families that do not count.
        strict: whether warnings become errors; infos stay infos.
        severities: severities by code that differ from the usual; None to ignore a code.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    strict: bool = False
    severities: Mapping[str, Severity | None] = MappingProxyType({})

    def apply(self, report: Iterable[Diagnostic]) -> Report:
        """Return the findings that count, with their severities adjusted."""
        graded = []
        for finding in report:
            code, family = finding.code.id, finding.code.id[0]
            severity: Severity | None = finding.severity
            if finding.code.severity is not Severity.ERROR:  # a game cannot downgrade errors
                severity = self.severities.get(code, severity)
            chosen = not self.select or code in self.select or family in self.select
            if severity is None or not chosen or code in self.ignore or family in self.ignore:
                continue
            if self.strict and severity is Severity.WARNING:
                severity = Severity.ERROR
            graded.append(finding._replace(given_severity=severity))
        return graded


_VALUE_OR_NUMBER = re.compile(r"`[^`]*`|\d+(?:[.,]\d+)*")
_NAME = re.compile(r"`([^`]*)`")


class FindingGroup(NamedTuple):
    """Similar findings, ordered by file and place."""

    first: Diagnostic
    further: tuple[Diagnostic, ...] = ()

    def find_new_names(self, other: Diagnostic) -> list[str]:
        """Return the names in a finding's message that the first one's lacks."""
        known = set(_NAME.findall(self.first.message))
        return [name for name in _NAME.findall(other.message) if name not in known]


def group_findings(findings: Iterable[Diagnostic], *, hints: bool) -> list[FindingGroup]:
    """Group findings of one kind.

    Args:
        hints: whether those of a group also share a hint, and so probably a fix.
    """
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for finding in sort_findings(findings):
        what = _VALUE_OR_NUMBER.sub("`", finding.message)
        key = finding.code.id, finding.severity, what, finding.hint if hints else None
        groups.setdefault(key, []).append(finding)
    return [FindingGroup(first, tuple(others)) for first, *others in groups.values()]


class _ReportFullError(Exception):
    """A report has reached its limit."""


class LimitedReport(list[Diagnostic]):
    """A report that can be limited for a piece of work.

    A template of two megabytes may have a hundred thousand mistakes, and finding a suggestion for
    each takes time.
    """

    _max_findings: int | None = None

    @contextmanager
    def limit(self) -> Iterator[None]:
        """Accept at most `MAX_FINDINGS` within the block, then end it with a notice."""
        outer, self._max_findings = self._max_findings, len(self) + MAX_FINDINGS
        try:
            yield
        except _ReportFullError:
            self._max_findings = None
            self.append(truncation_notice("there are", self[-1].location))
        finally:
            self._max_findings = outer

    def append(self, finding: Diagnostic) -> None:
        """Add a finding.

        Raises:
            _ReportFullError: if the limit is reached.
        """
        if self._max_findings is not None and len(self) >= self._max_findings:
            raise _ReportFullError
        super().append(finding)

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Add findings one by one."""
        for finding in findings:
            self.append(finding)


class ChoiceError(ValueError):
    """The caller asked for something that does not exist or contradicts another choice.

    Attributes:
        message, hint: as in findings.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep the message and the hint."""
        self.message, self.hint = message, hint
        super().__init__(f"{message}\n  hint: {hint}" if hint else message)


def require_known(name: str, known: Iterable[str], what: str, where: str = "") -> None:
    """Check that a name is known.

    Args:
        what: the kind of thing it names: "style".
        where: where it was looked up, if that helps: " in game.xml".

    Raises:
        ChoiceError: if it is not known.
    """
    names = list(known)
    if name not in names:
        raise ChoiceError(f"there is no {what} `{name}`{where}", known_hint(name, names))
