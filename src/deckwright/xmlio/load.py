"""Load an XML file: bytes, encoding, syntax. What is wrong becomes a finding of family X."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from lxml import etree

from deckwright.diagnostics import Code, Location, Report, Severity
from deckwright.xmlio import positions
from deckwright.xmlio.node import Document, Node, Source

X001 = Code("X001", Severity.ERROR, "a file is not well-formed XML")
X002 = Code("X002", Severity.ERROR, "a file is not in the encoding that it should have")
X003 = Code("X003", Severity.ERROR, "a file is empty")
X004 = Code("X004", Severity.ERROR, "a file has a document type declaration")
X005 = Code("X005", Severity.ERROR, "a file is too large")
X006 = Code("X006", Severity.ERROR, "a file cannot be read")

MAX_BYTES = 2_000_000
"""No game file comes near it; a file that does is a mistake or an attack."""

ENCODINGS = ("utf-8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252", "utf-16")
"""What a file may declare. UTF-8 is taken where it declares nothing."""

_DECLARATION = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']""")
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"


def load_document(path: Path, report: Report) -> tuple[Document, etree._Element] | None:
    """Return the document at `path` and its lxml tree, or None after reporting why not.

    Nothing is resolved or fetched, and a document type declaration is refused.
    """
    data = _read(path, report)
    if data is None:
        return None
    text = _decode(path, data, report)
    if text is None:
        return None
    if "<!DOCTYPE" in text and (place := positions.doctype(text)):
        report.append(
            X004.at(
                Location(path, *place),
                "the file has a document type declaration, which is not allowed",
                "remove the `<!DOCTYPE …>` and any entities that it defines",
            )
        )
        return None
    tree = _parse(path, text, report)
    if tree is None:
        return None
    document = Document(path, text)
    document.root = _plain(tree, document)
    return document, tree


def _read(path: Path, report: Report) -> bytes | None:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        report.append(X006.at(Location(path), f"cannot read the file: {error.strerror or error}"))
        return None
    if len(data) > MAX_BYTES:
        report.append(
            X005.at(
                Location(path),
                f"the file is larger than {MAX_BYTES // 1_000_000} MB",
                "split it into several files",
            )
        )
        return None
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        report.append(X003.at(Location(path), "the file is empty"))
        return None
    return data


def _decode(path: Path, data: bytes, report: Report) -> str | None:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        data = data.removeprefix(codecs.BOM_UTF8)
        declared = _DECLARATION.match(data)
        encoding = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    if encoding not in ENCODINGS:
        report.append(
            X002.at(
                Location(path, 1, 1),
                f"the file declares the encoding `{encoding}`, which is not supported",
                "save the file as UTF-8 and declare that",
            )
        )
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(encoding, "replace")) + 1
        report.append(
            X002.at(
                Location(path, line, column),
                f"the byte 0x{data[error.start]:02X} is not valid {encoding.upper()}",
                "save the file as UTF-8",
            )
        )
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parse(path: Path, text: str, report: Report) -> etree._Element | None:
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
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        lines = text.count("\n") + 1
        for entry in list(parser.error_log)[:1]:
            report.append(
                X001.at(
                    Location(path, min(entry.line, lines), max(entry.column, 1)),
                    _friendly(entry.message),
                )
            )
        return None


_SYNTAX = (
    (
        re.compile(r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)"),
        r"`</\3>` stands where `\1` of line \2 should be closed",
    ),
    (
        re.compile(r"Premature end of data in tag (\S+) line (\d+)"),
        r"the file ends, but `\1` of line \2 is not closed",
    ),
    (re.compile(r"Attribute (\S+) redefined"), r"the attribute `\1` is given twice"),
    (re.compile(r"AttValue: \" or ' expected"), "the value of an attribute needs quotes"),
    (
        re.compile(r"Specification mandates value for attribute (\S+)"),
        r"the attribute `\1` has no value",
    ),
    (
        re.compile(r"(?:xmlParseEntityRef: no name|EntityRef: expecting ';')"),
        "a lone `&` is not allowed, write `&amp;`",
    ),
    (
        re.compile(r"Entity '(\S+)' not defined"),
        r"`&\1;` is not known, write the character itself",
    ),
    (
        re.compile(r"Unescaped '<' not allowed in attributes values"),
        "a `<` inside of a value is not allowed, write `&lt;`, or close the quotes before it",
    ),
    (re.compile(r"StartTag: invalid element name"), "a `<` is not followed by a name"),
    (
        re.compile(r"Couldn't find end of Start Tag (\S+)(?: line \d+)?"),
        r"the tag `<\1` is not closed with `>`",
    ),
    (re.compile(r"attributes construct error"), "there is no space before an attribute"),
    (
        re.compile(r"Extra content at the end of the document"),
        "there is more after the end of the root element",
    ),
    (
        re.compile(r"Start tag expected, '<' not found"),
        "the file does not begin with an element, it is not XML",
    ),
    (re.compile(r"Document is empty"), "the file holds no XML"),
    (
        re.compile(r"(?:PCDATA|Input is not proper|xmlParseCharRef|CharRef|Char 0x).*"),
        "the text holds a character that XML does not allow",
    ),
)


def _friendly(message: str) -> str:
    """Say libxml2's `message` in words that a designer understands."""
    for pattern, plain in _SYNTAX:
        if match := pattern.search(message):
            return match.expand(plain)
    return "not well-formed XML: " + message.strip().rstrip(".")


def _plain(tree: etree._Element, document: Document) -> Node:
    """Return `tree` as nodes, numbered in the file's order."""
    counter = iter(range(1 << 62))

    def convert(element: etree._Element) -> Node:
        attributes = {
            str(name): str(value)
            for name, value in element.attrib.items()
            if not str(name).startswith(_XSI)
        }
        node = Node(
            str(element.tag),
            attributes,
            Source(document, next(counter)),
            element.text or "",
            element.tail or "",
        )
        node.children = [convert(child) for child in element]
        return node

    return convert(tree)
