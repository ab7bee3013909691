"""Edit XML files in place without changing anything else in them.

A file becomes a tree of its own text: joined, it is the file again. Only what is set, added or
removed changes, and adopts the spaces, line breaks and quotes of its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import eq
from pathlib import Path

from deckwright.base.files import path_exists, read_file
from deckwright.base.strings import quote_attribute
from deckwright.xmlio.load import BOMS, DECLARED_ENCODING, MAX_BYTES
from deckwright.xmlio.shape import Attribute, to_inline_xml

_TOKEN = re.compile(
    r"""<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(?:[^"'>]|"[^"]*"|'[^']*')*>|[^<]+""", re.DOTALL
)
_TAG = re.compile(r"<([^\s/>]+)")
_ATTRIBUTE = re.compile(r"""(\s+)([^\s=/>]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_LINE = re.compile(r"(?:\r\n|\n|\r)([ \t]*)\Z")
_SEARCH_WINDOW = 8
"""How many parts to look at near the last child found before searching all."""
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}
_BLANKS = str.maketrans("\t\n", "  ")
"""XML parsers turn literal tabs and line ends in values into spaces."""


@dataclass(eq=False, slots=True)
class RawElement:
    """An element as it is written.

    Attributes:
        head: its start tag.
        parts: its content: elements; texts, comments and the like as strings.
        tail: its end tag, "" if it has none.
    """

    head: str
    parts: list[RawElement | str] = field(default_factory=list)
    tail: str = ""
    _last_index: int = 0
    """The index of the child looked up last; the next one is usually nearby."""

    @property
    def tag(self) -> str:
        """Its name."""
        match = _TAG.match(self.head)
        return match[1] if match else ""

    @property
    def attributes(self) -> list[tuple[str, str]]:
        """Its attributes with unescaped values, in the file's order."""
        return [(match[2], _unescape(match[4][1:-1])) for match in _ATTRIBUTE.finditer(self.head)]

    def __str__(self) -> str:
        return "".join([self.head, *map(str, self.parts), self.tail])

    def walk(self) -> Iterator[RawElement]:
        """Yield it and its descendants in the file's order."""
        yield self
        for part in self.parts:
            if isinstance(part, RawElement):
                yield from part.walk()

    def children(self, *tags: str) -> list[RawElement]:
        """Return the child elements with one of these tags; all without tags."""
        inside = [part for part in self.parts if isinstance(part, RawElement)]
        return [part for part in inside if not tags or part.tag in tags]

    def first(self) -> RawElement | None:
        """Return the first child element, or None."""
        return next((part for part in self.parts if isinstance(part, RawElement)), None)

    def last(self, tag: str) -> RawElement | None:
        """Return the last child with this tag, or else the last child, or None."""
        elements = [part for part in reversed(self.parts) if isinstance(part, RawElement)]
        return next((part for part in elements if part.tag == tag), (*elements, None)[0])

    def index_of(self, child: RawElement) -> int:
        """Return the index of a child among the parts."""
        for at in range(self._last_index, min(self._last_index + _SEARCH_WINDOW, len(self.parts))):
            if self.parts[at] is child:
                break
        else:
            at = self.parts.index(child)
        self._last_index = at
        return at

    def set(self, name: str, value: str | None, order: Sequence[str]) -> None:
        """Set an attribute; None removes it.

        Args:
            order: the usual order of attributes, which decides where a new one goes.
        """
        found = list(_ATTRIBUTE.finditer(self.head))
        old = next((match for match in found if match[2] == name), None)
        if value is None:
            self.head = self.head[: old.start()] + self.head[old.end() :] if old else self.head
        elif old is not None:
            written = quote_attribute(value, old[4][0])
            self.head = self.head[: old.start(4)] + written + self.head[old.end(4) :]
        else:
            place = {known: number for number, known in enumerate(order)}
            before = [match for match in found if place.get(match[2], 0) < place.get(name, 0)]
            beside = before[-1:] or found[:1]
            at = before[-1].end() if before else len(f"<{self.tag}")
            follows = next((match for match in found if match.start() >= at), None)
            space = (follows or beside[0])[1] if beside else " "
            quote = beside[0][4][0] if beside else '"'
            written = f"{space}{name}={quote_attribute(value, quote)}"
            self.head = self.head[:at] + written + self.head[at:]

    def insert(
        self,
        new: RawElement,
        outer: str,
        step: str,
        *,
        after: RawElement | None = None,
        before: RawElement | None = None,
    ) -> None:
        """Insert an element after or before another one, or else in front of all.

        Args:
            outer: the line break and indent before this element, "" if it starts no line.
            step: the additional indent of its children.
        """
        anchor = after or before or self.first()
        if anchor is None:
            if not self.tail:
                self.head = f"{self.head[:-2].rstrip()}>"
                self.tail = f"</{self.tag}>"
            if self.parts and not str(self.parts[-1]).strip():
                self.parts.pop()
            self.parts += [outer + step, new, outer] if outer else [new]
            return
        at = self.index_of(anchor)
        space = _leading_space(self.parts[at - 1] if at else "")
        if anchor is not after:
            self.parts[at:at] = [new, space] if space else [new]
            return
        at += 1
        # Comments that follow the element on its line stay with it.
        while at < len(self.parts):
            texts = self.parts[at : at + 2]
            if str(texts[0]).startswith("<!--"):
                at += 1
            elif len(texts) > 1 and texts[0] in {" ", "\t"} and str(texts[1]).startswith("<!--"):
                at += 2
            else:
                break
        self.parts[at:at] = [space, new] if space else [new]

    def remove(self, old: RawElement) -> None:
        """Remove a child, and its line if it was alone on it."""
        at = self.index_of(old)
        before = self.parts[at - 1] if at else None
        after = self.parts[at + 1] if at + 1 < len(self.parts) else None
        if isinstance(before, str) and not before.strip():
            last = at + 2 >= len(self.parts)
            blank = isinstance(after, str) and not after.strip() and not last
            # Keep whichever space around it has an empty line.
            goes = at + 1 if blank and before.count("\n") > str(after).count("\n") else at - 1
            del self.parts[max(at, goes)], self.parts[min(at, goes)]
        else:
            del self.parts[at]

    def close(self) -> None:
        """Make it a self-closing tag if it holds nothing but white space."""
        if self.tail and not "".join(map(str, self.parts)).strip():
            self.head, self.parts, self.tail = f"{self.head[:-1].rstrip()}/>", [], ""


def new_element(
    tag: str,
    attributes: Mapping[str, str],
    inside: Sequence[RawElement] = (),
    outer: str = "",
    step: str = "",
) -> RawElement:
    """Return a new element.

    Args:
        inside: its children.
        outer, step: as for `RawElement.insert`.
    """
    pairs = (f" {name}={quote_attribute(value, chr(34))}" for name, value in attributes.items())
    head = f"<{tag}{''.join(pairs)}"
    if not inside:
        return RawElement(f"{head}/>")
    parts: list[RawElement | str] = []
    for child in inside:
        parts += [outer + step, child] if outer else [child]
    return RawElement(f"{head}>", [*parts, outer], f"</{tag}>")


def _unescape(written: str) -> str:
    """Return an attribute's value from its source text."""

    def character(match: re.Match[str]) -> str:
        if match[3]:
            return _ENTITIES[match[3]]
        return chr(int(match[1], 16) if match[1] else int(match[2]))

    return _REFERENCE.sub(character, written.translate(_BLANKS))


def _leading_space(space: RawElement | str) -> str:
    """Return the white space before an element on its line, with the line break."""
    if isinstance(space, RawElement) or space.strip():
        return ""
    match = _LINE.search(space)
    return match[0] if match else space


@dataclass(eq=False, slots=True)
class XmlFile:
    """An XML file that keeps its original text.

    Attributes:
        document: the whole file, as an element without a tag.
        elements: its elements in document order, as they were read.
        encoding: the encoding of its text.
        bom: its byte order mark, if any.
    """

    path: Path
    data: bytes
    document: RawElement
    elements: list[RawElement]
    encoding: str
    bom: bytes
    _holders: dict[int, RawElement] = field(default_factory=dict)
    _step: str = ""

    @property
    def root(self) -> RawElement:
        """Its root element."""
        return self.elements[0]

    @property
    def indent(self) -> str:
        """The additional indent of each level."""
        if not self._step:
            first = self.root.first()
            lead = self.leading_space(first, self.root) if first else ""
            self._step = re.sub(r"[\r\n]", "", lead) or "  "
        return self._step

    def parent_of(self, element: RawElement) -> RawElement:
        """Return the parent of one of `elements`."""
        if not self._holders:
            for other in self.document.walk():
                self._holders |= {id(part): other for part in other.children()}
        return self._holders[id(element)]

    def leading_space(self, element: RawElement, holder: RawElement) -> str:
        """Return the line break and indent before an element, "" if it starts no line."""
        at = holder.index_of(element)
        space = _leading_space(holder.parts[at - 1] if at else "")
        if element is self.root and not space:
            return "\r\n" if "\r\n".encode(self.encoding) in self.data else "\n"
        return space if _LINE.search(space) else ""

    def to_bytes(self) -> bytes:
        """Return the file's new content."""
        return self.bom + str(self.document).encode(self.encoding, "xmlcharrefreplace")


def read_xml_file(path: Path, new: str) -> XmlFile:
    """Return a well-formed file without a document type declaration.

    Args:
        new: the content to assume if the file does not exist.

    Raises:
        OSError: if it cannot be read.
    """
    return parse_xml_file(path, read_file(path, MAX_BYTES) if path_exists(path) else new.encode())


def decode_xml(data: bytes) -> tuple[str, str, bytes]:
    """Return the text of an XML file, its encoding, and its byte order mark, if any."""
    mark = next((bom for bom in BOMS if data.startswith(bom)), b"")
    encoding = BOMS.get(mark, "utf-8")
    declared = DECLARED_ENCODING.match(data[len(mark) :])
    if declared and not encoding.startswith("utf-16"):
        encoding = declared[1].decode("ascii")
    return data[len(mark) :].decode(encoding), encoding, mark


def parse_xml_file(path: Path, data: bytes) -> XmlFile:
    """Return a well-formed file with this content, without a document type declaration."""
    text, encoding, mark = decode_xml(data)
    document = parse_elements(text)
    return XmlFile(path, data, document, list(document.walk())[1:], encoding, mark)


def replace_text(data: bytes, text: str) -> bytes:
    """Return the content of an XML file with another text, in its encoding.

    Args:
        text: with plain line ends; lines before and after those that changed keep their own.
    """
    before, encoding, mark = decode_xml(data)
    old, new = _LINES.findall(before), _LINES.findall(text)
    plain = [re.sub(r"\r\n?", "\n", line) for line in old]
    head = sum(takewhile(bool, map(eq, plain, new)))
    tail = sum(takewhile(bool, map(eq, plain[head:][::-1], new[head:][::-1])))
    end = next((each for each in ("\r\n", "\n", "\r") if each in before), "\n")
    middle = "".join(new[head : len(new) - tail]).replace("\n", end)
    written = "".join([*old[:head], middle, *old[len(old) - tail :]])
    if encoding.startswith("utf-16"):
        return mark + written.encode(encoding)
    with suppress(LookupError, UnicodeDecodeError):  # reading tells of the encoding
        encoding = decode_xml(written.encode())[1]
    return mark + written.encode(encoding, "xmlcharrefreplace")


def new_xml_file(path: Path, like: XmlFile | None = None, heading: str = "") -> XmlFile:
    """Return a new file with an empty root element.

    Args:
        like: a file whose declaration, root element, indent and encoding it adopts.
        heading: a comment before the root element.
    """
    if like is None:
        return parse_xml_file(path, b'<?xml version="1.0" encoding="UTF-8"?>\n<data>\n</data>\n')
    line = like.leading_space(like.root, like.document).rstrip(" \t")
    head = like.root.head if like.root.tail else f"{like.root.head[:-2].rstrip()}>"
    before = [str(part) for part in like.document.parts if str(part).startswith("<?")]
    written = [*before, heading, head, f"</{like.root.tag}>"]
    text = "".join(f"{part}{line}" for part in written if part)
    data = like.bom + text.encode(like.encoding, "xmlcharrefreplace")
    return replace(parse_xml_file(path, data), _step=like.indent)


def parse_elements(text: str) -> RawElement:
    """Return a well-formed document as an element without a tag."""
    document = RawElement("")
    stack = [document]
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.startswith("</"):
            stack.pop().tail = token
        elif token.startswith("<") and token[1] not in "!?":
            element = RawElement(token)
            stack[-1].parts.append(element)
            if not token.endswith("/>"):
                stack.append(element)
        else:
            stack[-1].parts.append(token)
    return document


def set_value(
    element: RawElement, attribute: Attribute, value: str | None, order: Sequence[str]
) -> None:
    """Set a value in an attribute, or in the child element that stands for it; None removes it.

    Args:
        order: the usual order of attributes.
    """
    inside = element.children(attribute.name) if attribute.element else []
    if inside and value is not None and attribute.name not in dict(element.attributes):
        replace_content(inside[0], to_inline_xml(value))
        return
    for each in inside:
        element.remove(each)
    if inside:
        element.close()
    element.set(attribute.name, value, order)


def replace_content(element: RawElement, inside: str) -> None:
    """Replace an element's content by other XML."""
    filled = parse_elements(f"<{element.tag}>{inside}</{element.tag}>").children()[0]
    if not element.tail:
        element.head = f"{element.head[:-2].rstrip()}>"
    element.parts, element.tail = filled.parts, f"</{element.tag}>"


def set_children(
    file: XmlFile,
    element: RawElement,
    tag: str,
    elements: Sequence[RawElement],
    earlier: Collection[str],
) -> None:
    """Give an element exactly these children of a tag, in this order.

    Args:
        elements: existing ones keep their text.
        earlier: the tags of children that precede the first one of this tag.
    """
    old = element.children(tag)
    known, stays = {id(child) for child in old}, {id(child) for child in elements}
    for child in old:
        if id(child) not in stays:
            element.remove(child)
    existing = [child for child in elements if id(child) in known]
    places = [at for at, part in enumerate(element.parts) if id(part) in stays]
    for at, child in zip(places, existing, strict=True):
        element.parts[at] = child
    outer, step = file.leading_space(element, file.parent_of(element)), file.indent
    first = existing[0] if existing else None
    before = element.children(*earlier) if earlier else []
    last = None if existing or not before else before[-1]
    for child in elements:
        if id(child) not in known:
            element.insert(child, outer, step, after=last, before=None if last else first)
        last = child
    element.close()


def add_element(
    file: XmlFile,
    holder: RawElement,
    tag: str,
    attributes: Mapping[str, str],
    inside: Sequence[RawElement] = (),
    after: RawElement | None = None,
) -> RawElement:
    """Add a new element to one of a file, and return it.

    Args:
        after: its predecessor; None for the last one with its tag.
    """
    after = after or holder.last(tag)
    outer, step = file.leading_space(holder, file.parent_of(holder)), file.indent
    lead = file.leading_space(after, holder) if after else outer + step if outer else ""
    element = new_element(tag, attributes, inside, lead, step)
    holder.insert(element, outer, step, after=after)
    return element


def add_copy(
    file: XmlFile, holder: RawElement, source: RawElement, after: RawElement | None = None
) -> RawElement:
    """Insert a copy of an element after it, or after another one; return the copy."""
    element = parse_elements(str(source)).children()[0]
    outer = file.leading_space(holder, file.parent_of(holder))
    holder.insert(element, outer, file.indent, after=after or source)
    return element
