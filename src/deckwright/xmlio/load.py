"""Load XML files, whole or incrementally; errors become findings of family X."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from deckwright.base.files import is_inside, read_up_to, to_nfc
from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity, find_nearest
from deckwright.base.output import OutputError
from deckwright.xmlio.node import Document, Node, Source, find_doctype
from deckwright.xmlio.shape import UNBOUNDED

_BEFORE = r"\s*(?:<\?[^>]{0,500}\?>\s*|<!--(?:(?!-->)[\s\S]){0,5000}-->\s*){0,20}"
_DOCTYPE = re.compile(
    rf"({_BEFORE})(<!DOCTYPE\s+svg(?:\s+[^\[\]<>]{{0,300}})?(?:\[([^\[\]]{{0,10000}})\]\s*)?>)"
)
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z_][\w.-]{0,50})\s+(["'])([^"'&%<>]{0,200})\2\s*>""")
_MAX_ENTITY_USES = 100


def strip_doctype(text: str) -> str:
    """Return a drawing's text with its doctype blanked out, so that lines keep their numbers.

    Entities that are plain texts are replaced. A doctype that defines anything else is kept, so
    that the parser refuses it.
    """
    match = _DOCTYPE.match(text) if "<!DOCTYPE" in text else None
    if match is None:
        return text
    inside = match[3] or ""
    if re.sub(r"\s|<!--(?:(?!-->)[\s\S])*-->", "", _ENTITY.sub("", inside)):
        return text
    known = {entity[1]: entity[3] for entity in _ENTITY.finditer(inside)}
    left = [_MAX_ENTITY_USES]

    def value(use: re.Match[str]) -> str:
        if use[1] not in known or not left[0]:
            return use[0]
        left[0] -= 1
        return known[use[1]]

    rest = text[match.end() :]
    if known:
        rest = re.sub(r"&([A-Za-z_][\w.-]{0,50});", value, rest)
    return match[1] + re.sub(r"[^\n]", " ", match[2]) + rest


_SYNTAX_MESSAGES = {
    r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)":
        r"`</\3>` comes before `\1` of line \2 is closed; write `</\1>` where it ends",
    r"Premature end of data in tag (\S+) line (\d+)":
        r"the file ends before `\1` of line \2 is closed; write `</\1>` where it ends",
    r"Attribute (\S+) redefined": r"the attribute `\1` is given twice",
    r"AttValue: \" or ' expected": "the value of an attribute needs quotes",
    r"Specification mandates value for attribute (\S+)": r"the attribute `\1` has no value",
    r"(?:xmlParseEntityRef: no name|EntityRef: expecting ';')":
        "a lone `&` is not allowed; write `&amp;`",
    r"Entity '(\S+)' not defined": r"`&\1;` is unknown; write the character itself",
    r"Unescaped '<' not allowed in attributes values":
        "a `<` inside a value is not allowed; write `&lt;`, or close the quotes before it",
    r"StartTag: invalid element name": "a `<` is not followed by a name",
    r"Couldn't find end of Start Tag (\S+)(?: line \d+)?": r"the tag `<\1` is not closed with `>`",
    r"Double hyphen within comment": "a comment cannot contain `--`; write `-`",
    r"Extra content at the end of the document":
        "there is content after the end of the root element",
    r"Start tag expected, '<' not found":
        "the file does not start with an element, so it is not XML",
    r"Document is empty": "the file contains no XML",
    r"(?:PCDATA|Input is not proper|xmlParseCharRef|CharRef|Char 0x).*":
        "the text contains a character that XML does not allow",
}  # fmt: skip
"""Messages of libxml2, and what they say to a designer; the first one that is found counts."""
_UNCLOSED_VALUE = re.compile(
    r"""([\w.:-]{1,60})=(["'])([^"'<>=]{0,200}?)\s{1,20}[\w.:-]{1,60}=\2"""
)
"""A value that reaches to the opening quote of the next one."""
_TYPOGRAPHIC = re.compile("=\\s*([“”„‟«»‘’‚])")  # noqa: RUF001 - they are meant


_MISMATCH = re.compile(r"tag mismatch: (\S+) line (\d+) and (\S+)")
_NEXT_ATTRIBUTE = re.compile(r"([\w.:-]{1,60})\s*=")


def explain_syntax_error(message: str, line: str = "", column: int = 1) -> str:
    """Return libxml2's `message` about a place in a line in words that a designer understands."""
    if "attributes construct error" in message:
        if value := _UNCLOSED_VALUE.search(line):
            name, quote, text = value.groups()
            return f"the value of `{name}` is not closed; write `{name}={quote}{text}{quote}`"
        if following := _NEXT_ATTRIBUTE.match(line, column - 1):
            return f"there is no space before `{following[1]}`"
        return "a quotation mark ends the value here; inside it, write `&quot;`"
    if (tags := _MISMATCH.search(message)) and find_nearest(tags[3], [tags[1]]):
        return f"`{tags[1]}` of line {tags[2]} ends as `</{tags[3]}>`; give both the same name"
    if "AttValue" in message and (sign := re.search(_TYPOGRAPHIC, line)):
        return f'`{sign[1]}` is a typographic quote; write `"`'
    for pattern, plain in _SYNTAX_MESSAGES.items():
        if match := re.search(pattern, message):
            return match.expand(plain)
    return "not well-formed XML: " + message.strip().rstrip(".")


X001 = Code("X001", Severity.ERROR, "a file is not well-formed XML")
X002 = Code("X002", Severity.ERROR, "a file in the wrong or an unsupported encoding")
X003 = Code("X003", Severity.ERROR, "a file is empty")
X004 = Code("X004", Severity.ERROR, "a file has a document type declaration")
X005 = Code("X005", Severity.ERROR, "a file or an element is too large")
X006 = Code("X006", Severity.ERROR, "a file cannot be read")
X007 = Code("X007", Severity.ERROR, "a link that leads out of the game's folder")

_NO_DOCTYPE = (
    "the file has a document type declaration, which is not allowed",
    "remove the `<!DOCTYPE …>` and any entities that it defines",
)
_FOLDERS = {"xml", "templates"}
"""The folders of a game that hold XML files."""


class FileLimits(NamedTuple):
    """The most that a file may contain: bytes, XML elements, and lines of a deck list."""

    bytes: int
    elements: int
    deck_lines: int


MAX_BYTES = 100_000_000
"""The size of any file. No game comes near it; a larger one is a video, or another mistake."""

TRUSTED_FILES = FileLimits(MAX_BYTES, 2_000_000, UNBOUNDED)
"""The limits for one's own files, which only keep mistakes from filling the memory."""
UNTRUSTED_FILES = FileLimits(2_000_000, 200_000, 5_000)
"""The limits for files of strangers. An element that means something takes over ten bytes."""

MAX_ATTRIBUTES = 500
MAX_VALUE = 20_000
"""The longest value of an attribute, in characters."""
MAX_PATH_VALUE = 1_000_000
"""The same for drawings, whose attributes hold whole paths."""

ENCODINGS = {"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252", "utf-16"}
"""The encodings that a file may declare, by Python's names; UTF-8 is the default."""

BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""The encodings of files by their byte order marks."""
DECLARED_ENCODING = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']""")
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
_SCHEMA_LOCATION = (f"{_XSI}schemaLocation", f"{_XSI}noNamespaceSchemaLocation")

_limits: ContextVar[FileLimits] = ContextVar("_limits", default=TRUSTED_FILES)


@contextmanager
def limit_files() -> Iterator[None]:
    """Within the block, read files within the limits for strangers."""
    token = _limits.set(UNTRUSTED_FILES)
    try:
        yield
    finally:
        _limits.reset(token)


def file_limits() -> FileLimits:
    """Return the limits within which files are currently read."""
    return _limits.get()


_overrides: ContextVar[Mapping[Path, bytes]] = ContextVar("_instead", default={})  # noqa: B039 - it does not change


@contextmanager
def override_files(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Within the block, load these contents in place of those on the disk."""
    token = _overrides.set(files)
    try:
        yield
    finally:
        _overrides.reset(token)


def overridden_paths() -> Collection[Path]:
    """Return the paths whose contents are currently overridden."""
    return _overrides.get().keys()


class FileError(OutputError):
    """Raised if a file cannot be used."""


def load_document(path: Path, report: Report, *, drawing: bool = False) -> Node | None:
    """Return the root element of the file at `path`, or None after reporting why not.

    Nothing is resolved or fetched, and a document type declaration is refused.

    Args:
        drawing: allows SVG's document type declaration and long paths.
    """
    try:
        return parse_text(path, load_text(path), drawing=drawing)
    except FileError as error:
        report += error.findings
        return None


def load_text(path: Path) -> str:
    """Return the decoded content of the file at `path`.

    Raises:
        FileError: if it cannot be read.
    """
    home = next((each.parent for each in path.absolute().parents if each.name in _FOLDERS), None)
    if home is not None and not is_inside(path, home):
        raise FileError(outward_link_finding(path))
    given, most, findings = _overrides.get().get(path), file_limits().bytes, Report()
    data = read_prefix(path, most, findings) if given is None else given
    if data is None:
        raise FileError(*findings)
    if len(data) > most:
        size = max(len(data), path.stat().st_size) if given is None else len(data)
        raise FileError(too_large_finding(path, size))
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        raise FileError(X003.at(Location(path), "the file is empty", "fill it, or delete it"))
    place = Location(path, 1, 1)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data:
        message = "the file contains zero bytes, like UTF-16 without a byte order mark"
        raise FileError(X002.at(place, message, "save the file as UTF-8"))
    else:
        data = data.removeprefix(codecs.BOM_UTF8)
        declared = DECLARED_ENCODING.match(data)
        encoding = declared[1].decode("ascii", "replace") if declared else "utf-8"
    with suppress(LookupError):
        encoding = codecs.lookup(encoding).name
    if encoding not in ENCODINGS:
        message = f"the file declares the encoding `{encoding}`, which is not supported"
        hint = 'save the file as UTF-8, and declare `encoding="UTF-8"`'
        raise FileError(X002.at(place, message, hint))
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(encoding, "replace")) + 1
        message = f"this character is not {encoding.upper()} (byte 0x{data[error.start]:02X})"
        place = Location(path, line, column)
        raise FileError(X002.at(place, message, "save the file as UTF-8")) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def outward_link_finding(path: Path) -> Diagnostic:
    """Return the finding that a file in a game's folder is a link to a file outside.

    A stranger's game must not reveal other files of the machine that checks it.
    """
    message = "the file is a link to a place outside the game's folder"
    return X007.at(Location(path), message, "replace the link with a copy of the file")


def parse_text(path: Path, text: str, *, drawing: bool = False) -> Node:
    """Return the root element of a file whose content is `text`, as `load_document` does.

    Raises:
        FileError: if it cannot be used.
    """
    if drawing:
        text = strip_doctype(text)
    if "<!DOCTYPE" in text and (place := find_doctype(text)):
        raise FileError(X004.at(Location(path, *place), *_NO_DOCTYPE))
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        tree = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        lines = text.split("\n")
        findings: Report = []
        for entry in list(parser.error_log)[:1]:
            line = min(entry.line, len(lines))
            message = explain_syntax_error(entry.message, lines[line - 1], entry.column)
            findings.append(X001.at(Location(path, line, max(entry.column, 1)), message))
        raise FileError(*findings) from None
    if tree.getroottree().docinfo.internalDTD is not None:
        # Parsers differ in what they take for a declaration; both must see none.
        raise FileError(X004.at(Location(path), *_NO_DOCTYPE))
    for element, message, hint in _find_excess(tree, MAX_PATH_VALUE if drawing else MAX_VALUE):
        raise FileError(X005.at(Location(path, int(str(element.sourceline)), 1), message, hint))
    return _to_nodes(tree, Document(path, text))


def read_prefix(path: Path, max_bytes: int, report: Report) -> bytes | None:
    """Return the first `max_bytes` + 1 bytes of a file, or None after reporting why not."""
    place, given = Location(path), _overrides.get().get(path)
    if given is not None:
        return given[: max_bytes + 1]
    try:
        if path.exists() and not path.is_file():
            what = "a folder" if path.is_dir() else "not a regular file"
            report.append(X006.at(place, f"cannot read the file: it is {what}"))
            return None
        with path.open("rb") as stream:
            return read_up_to(stream, max_bytes + 1)
    except FileNotFoundError:
        report.append(X006.at(place, "there is no such file"))
    except OSError as error:
        report.append(X006.at(place, f"cannot read the file: {error.strerror or error}"))
    return None


def too_large_finding(path: Path, size: int) -> Diagnostic:
    """Return the finding that a file is too large."""
    most = file_limits().bytes
    message = f"the file is too large: {size:,} bytes, at most {most:,} are allowed"
    return X005.at(Location(path), message, "remove what does not belong in it")


def _find_excess(tree: etree._Element, longest: int) -> Iterator[tuple[etree._Element, str, str]]:
    """Yield the elements that exceed a limit, each with a message and a hint."""
    most = file_limits().elements
    for last in islice(tree.iter(), most, None):
        message = f"the file has more than {most:,} elements"
        yield last, message, "remove what does not belong in it"
    # lxml takes quadratic time to read attributes.
    for element in (each for each in tree.iter() if len(each.attrib) > MAX_ATTRIBUTES):
        message = f"`{element.tag}` has {len(element.attrib):,} attributes, at most "
        yield element, f"{message}{MAX_ATTRIBUTES} are allowed", "remove what does not belong there"
    for element in tree.iter():
        if any(len(value) > longest for value in element.attrib.values()):
            message = f"an attribute of `{element.tag}` has more than {longest:,} characters"
            yield element, message, "shorten it"


def _to_nodes(tree: etree._Element, document: Document) -> Node:
    """Return `tree` as numbered nodes, with all texts in composed form."""
    counter = count()

    def convert(element: etree._Element) -> Node:
        attributes = {
            to_nfc(str(name)).replace(_XSI, "xsi:"): to_nfc(str(value))
            for name, value in element.attrib.items()
            if not str(name).endswith(_SCHEMA_LOCATION)
        }
        text = element.text or ""
        if len(element) == 0 and not text.strip(" \t\r\n"):
            text = ""
        source, tail = Source(document, next(counter)), to_nfc(element.tail or "")
        node = Node(str(element.tag), attributes, source, to_nfc(text), tail)
        node.children = [convert(child) for child in element]
        return node

    return convert(tree)


_Start = tuple[int, int, int]
"""Line, column and offset of an element's start tag."""


class Splice(NamedTuple):
    """The parts of a file that changed since an earlier state.

    Attributes:
        document: the file's current state.
        head: how many parts at the start are unchanged.
        tail: how many parts at the end are unchanged.
        shift: how much the ordinals of the tail have grown.
        root: a root element with the changed parts, located in a text of their own.
        root_shift: how much their ordinals grow in the file.
    """

    document: Document
    head: int
    tail: int
    shift: int
    root: Node
    root_shift: int


def parse_incrementally(before: Document, ordinals: Sequence[int], text: str) -> Splice | None:
    """Parse only the changed parts of a well-formed file.

    Args:
        before: the file's earlier state.
        ordinals: the numbers of its parts.

    Returns:
        None if the text before the first part has changed, or the changed parts are not well-formed
            or too many.
    """
    old, starts = before.text, before.starts()
    if not ordinals or "<!DOCTYPE" in text:
        return None
    same = _common_length(min(len(old), len(text)), lambda n: old.startswith(text[:n]))
    offsets = [starts[ordinal][2] for ordinal in ordinals]
    if offsets[0] > same:
        return None
    head = max(n for n, offset in enumerate(offsets) if offset <= same)
    room = min(len(old), len(text)) - offsets[head]
    same_end = _common_length(room, lambda n: old.endswith(text[len(text) - n :]))
    further = range(head, len(offsets))
    last = next((n for n in further if offsets[n] >= len(old) - same_end), None)
    begin = offsets[head]
    end = len(text) if last is None else len(text) - len(old) + offsets[last]
    between = text[begin:end]
    root_tag = old[: offsets[0]]
    name = re.split(r"[ \t\n/>]", old[starts[0][2] + 1 :], maxsplit=1)[0]
    closing = "" if last is None else f"</{name}>"
    try:
        root = parse_text(before.path, f"{root_tag}{between}{closing}")
    except FileError:
        return None
    middle = root.source.document.starts()[1:]
    until = len(starts) if last is None else ordinals[last]
    shift = ordinals[head] + len(middle) - until
    if len(starts) + shift > file_limits().elements:
        return None
    now = starts[: ordinals[head]]
    now += _shift_starts(middle, starts[ordinals[0]], starts[ordinals[head]])
    if last is not None:
        line, column, offset = starts[ordinals[head]]
        lines = between.count("\n")
        column = len(between) - between.rfind("\n") if lines else column + len(between)
        to = line + lines, column, offset + len(between)
        now += _shift_starts(starts[until:], starts[until], to)
    document = Document(before.path, text, now)
    tail = 0 if last is None else len(ordinals) - last
    return Splice(document, head, tail, shift, root, ordinals[head] - 1)


def _common_length(high: int, same: Callable[[int], bool]) -> int:
    """Return the largest n up to `high` for which `same(n)` holds, by bisection."""
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        if same(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _shift_starts(starts: Sequence[_Start], place: _Start, to: _Start) -> list[_Start]:
    """Return starts after the text at `place` has moved to `to`."""
    lines, columns, offsets = (there - here for there, here in zip(to, place, strict=True))
    return [
        (line + lines, column + columns if line == place[0] else column, offset + offsets)
        for line, column, offset in starts
    ]
