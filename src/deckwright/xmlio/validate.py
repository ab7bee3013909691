"""Check files against their shapes, with messages free of schema jargon.

The XML Schemas of shapes are for editors. They refuse nothing that is valid here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.findings import (
    MAX_FINDINGS,
    Code,
    Diagnostic,
    Report,
    Severity,
    find_nearest,
    known_hint,
    nearest_hint,
    shorten,
    truncation_notice,
)
from deckwright.base.renames import describe_renaming
from deckwright.xmlio.load import FileError
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import ID, MAX_NUMBER, TEXT, UNBOUNDED, Attribute, Shape

S001 = Code("S001", Severity.ERROR, "an unknown element")
S002 = Code("S002", Severity.ERROR, "an unknown attribute")
S003 = Code("S003", Severity.ERROR, "a missing attribute")
S004 = Code("S004", Severity.ERROR, "a value that is not allowed")
S005 = Code("S005", Severity.ERROR, "a missing element")
S006 = Code("S006", Severity.ERROR, "too many elements of a kind")
S007 = Code("S007", Severity.ERROR, "text where none is allowed")
S008 = Code("S008", Severity.ERROR, "a wrong root element")
S013 = Code("S013", Severity.WARNING, "an attribute that has another name now")
R007 = Code("R007", Severity.ERROR, "an id that is used twice")

_PARAGRAPH_HINT = "put it in a paragraph, `<p>…</p>`"
_SPACE = " \t\r\n"
"""XML's white space. A non-breaking space is text."""
_NUMBER_WORDS = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn",
    )
    for number, word in enumerate(words.split())
}
"""Numbers that people write in words."""

_HARMLESS: Literal["nothing"] = "nothing"
Cause = tuple[Node, Node] | Literal["nothing"] | None
"""What is dropped because of a mistake: an element of a parent, nothing, or (None) all."""


def validate_and_prune(root: Node, shape: Shape, report: Report) -> list[Node]:
    """Report where `root` deviates from `shape`, and remove the elements with mistakes.

    Returns:
        the removed elements in the file's order.

    Raises:
        FileError: if the whole file is unusable.
    """
    if root.tag != shape.tag:
        message = f"the root element is `{root.tag}`, not `{shape.tag}`"
        hint = f"is this the right kind of file? it must start with `<{shape.tag}>`"
        if root.tag.endswith("}" + shape.tag):
            hint = "remove `xmlns=…`"
        raise FileError(S008.at(root.source.at(), message, hint))
    findings: Report = []
    broken: dict[int, tuple[Node, Node]] = {}
    usable = True
    for finding, cause in _check_element(root, shape, None, shape):
        findings.append(finding)
        if isinstance(cause, tuple):
            broken[id(cause[0])] = cause
        usable &= cause is not None
        if len(findings) > MAX_FINDINGS:
            usable = False
            hint = "is this the right kind of file?"
            findings[-1] = truncation_notice("the file has", root.source.at(), hint)
            break
    report.extend(findings)
    if not usable:
        raise FileError
    for holder in {id(holder): holder for _, holder in broken.values()}.values():
        holder.children = [child for child in holder.children if id(child) not in broken]
    return sorted((node for node, _ in broken.values()), key=lambda node: node.source.ordinal)


def _check_element(
    node: Node, shape: Shape, cause: Cause, whole: Shape
) -> Iterator[tuple[Diagnostic, Cause]]:
    """Yield an element's mistakes, each with what must be dropped because of it.

    Args:
        cause: what must be dropped for a mistake in the element itself.
        whole: the shape of the root element.
    """
    # If all children are prunable, unknown ones can be dropped as well.
    listing = bool(shape.prunable) and all(
        child.minimum or child.shape.tag in shape.prunable for child in shape.children
    )

    def blamed(child: Node | None) -> Cause:
        """Return what must be dropped for a mistake in a child, or in text."""
        if child is None:
            return cause
        known = shape.child(child.tag) is not None
        return (child, node) if (child.tag in shape.prunable if known else listing) else cause

    for finding in _rename_attributes(node, shape):
        yield finding, _HARMLESS
    for finding in _check_attributes(node, shape):
        yield finding, _HARMLESS if listing and finding.code is S002 else cause
    for finding, child in _check_children(node, shape, whole):
        yield finding, _HARMLESS if listing and finding.code is S007 else blamed(child)
    for tag, name in shape.unique:
        first: dict[str, Node] = {}
        for child in node.children_named(tag):
            value = child.get(name)
            if value is not None and (other := first.setdefault(value, child)) is not child:
                line = other.source.at().line
                message = f"{describe_element(child)} has the same {name} as line {line}"
                hint = f"give one of them another {name}"
                yield R007.at(child.source.at(name), message, hint), blamed(child)
    for child in node.children:
        occurs = shape.child(child.tag)
        if occurs is not None:
            yield from _check_element(child, occurs.shape, blamed(child), whole)


def _rename_attributes(node: Node, shape: Shape) -> Iterator[Diagnostic]:
    """Give attributes with former names their present ones, with a warning for each."""
    for attribute in shape.attributes:
        former, name = attribute.former, attribute.name
        if former is not None and former in node.attributes and name not in node.attributes:
            message = describe_renaming(f"{describe_element(node)}: `{former}`", name)
            yield S013.at(node.source.at(former), message, f"write `{name}`")
            node.attributes[name] = node.attributes.pop(former)


def _check_attributes(node: Node, shape: Shape) -> Iterator[Diagnostic]:
    present = {*node.attributes, *(child.tag for child in node.children)}
    absent = (a for a in shape.attributes if a.name not in node.attributes)
    missing = [a.name for a in absent if not (a.element and a.name in present)]
    misspelled: set[str] = set()
    for name, text in node.attributes.items():
        attribute = shape.attribute(name)
        if attribute is None and shape.free is None:
            misspelled.update(find_nearest(name, missing))
            hint = nearest_hint(name, missing) or "remove it"
            message = f"{describe_element(node)} has an unknown attribute `{name}`"
            yield S002.at(node.source.at(name), message, hint)
        else:
            attribute = attribute or Attribute(name, shape.free or TEXT)
            twice = next(node.children_named(name), None) if attribute.element else None
            if twice is not None:
                message = f"{describe_element(node)} has `{name}` twice, as an attribute and as an "
                yield S006.at(twice.source.at(), f"{message}element", "keep one of them")
            value = attribute.value
            if value.accepts(text):
                continue
            if value.item is None:
                yield _bad_value(node, attribute, text)
                continue
            for part in value.split(text):
                if not value.item.accepts(part):
                    finding = _bad_value(node, attribute._replace(value=value.item), part)
                    if value.separator not in part and re.search("[,;/|]", part):
                        hint = f"separate several with `{value.separator}`"
                        finding = finding._replace(hint=hint)
                    yield finding
    for attribute in shape.attributes:
        if not attribute.required or attribute.name not in missing or attribute.name in misspelled:
            continue
        if attribute.alias is not None and attribute.alias in present:
            continue
        text = node.text.strip()
        if attribute is _attribute_in_text(node, shape):
            message = f"`{node.tag}` contains its {attribute.name} `{shorten(text)}` as text"
            hint = f'write `<{node.tag} {attribute.name}="{shorten(text)}"/>`'
            yield S003.at(node.source.at(), message, hint)
            continue
        way = node.source.document.addition_hint(attribute.name, f'`{attribute.name}="…"`')
        message = f"{describe_element(node)} has no attribute `{attribute.name}`"
        hint = _with_remedy(f"{way}, {attribute.value.description}", node, attribute)
        yield S003.at(node.source.at(attribute.name), message, hint)


def _attribute_in_text(node: Node, shape: Shape) -> Attribute | None:
    """Return the only required attribute, if an element has a text in its place."""
    needed = [attribute for attribute in shape.attributes if attribute.required]
    text = "" if shape.text or node.attributes or node.children else node.text.strip()
    return needed[0] if text and len(needed) == 1 and needed[0].value.accepts(text) else None


def _bad_value(node: Node, attribute: Attribute, text: str) -> Diagnostic:
    value, name, what = attribute.value, attribute.name, describe_element(node)
    code = value.code or S004
    place = node.source.at(name)
    if not text.strip():
        message = f"{what} has an empty `{name}`"
        return code.at(place, message, _with_remedy(f"write {value.description}", node, attribute))
    shown = shorten(text)
    if value.kind == "term":
        terms = [term for term, _ in value.terms]
        if not terms:
            message = f"{what} has {name} `{shown}`, but the game defines none"
            return code.at(place, message, f"remove `{name}`")
        message = f"{what} has {name} `{shown}`, which the game does not have"
        if value.words:
            message = f"{what}: `{name}` must be {value.words}, but is `{shown}`"
        if (node.get("id") or node.get("name")) == text:
            message = f"the game has no {node.tag} `{shown}`"
        aliases = dict(value.aliases)
        if not find_nearest(text, terms):
            aliases |= {meaning.casefold(): term for term, meaning in value.terms if meaning}
        alias = next((aliases[near] for near in find_nearest(text.casefold(), aliases)), None)
        hint = f"write `{alias}`" if alias else known_hint(text, terms)
        return code.at(place, message, hint)
    message = f"{what}: `{name}` must be {value.describe_for(text)}, but is `{shown}`"
    hint = None
    numbers = (_NUMBER_WORDS.get(text.strip().casefold()), _bare_number(text))
    number = next((number for number in numbers if number and value.accepts(number)), None)
    if number is not None:
        hint = f"write `{number}`"
    elif value.kind == "color":
        names = [*NAMED_COLORS, *(term for term, _ in value.terms)]
        hint = f"write `#{text}`" if value.accepts(f"#{text}") else nearest_hint(text, names)
    elif value == ID:
        hint = f"write an id such as `{shorten('-'.join(text.split()))}`, not the name"
    elif attribute.declared is None:
        pass
    elif text.strip() in _DASHES:
        way = f"remove `{name}`" if node.source.document.xml else "leave the cell empty"
        hint = f"{way}, and make `{name}` optional in game.xml"
    else:
        number, declared = text.strip().replace(",", "."), attribute.declared.at()
        where = f"in {declared.path.name} line {declared.line}"
        if value._replace(kind="decimal").accepts(number):
            hint = f'correct it, or let `{name}` be a decimal: `type="decimal"` {where}'
        elif value._replace(minimum=-MAX_NUMBER, maximum=MAX_NUMBER).accepts(number):
            bound = "min" if float(number) < value.minimum else "max"
            hint = f'correct it, or allow it: `{bound}="{number}"` {where}'
    return code.at(place, message, hint)


_DASHES = frozenset(("-", "–", "—", "?", "/", "n/a", "N/A"))
"""Texts that people write in place of a number that is not known."""
_WITH_UNIT = re.compile(r"\s*[x×]?\s*([+-]?\d+)(?:[.,](\d+))?\s*(mm|cm|x|×)?\s*")


def _bare_number(text: str) -> str:
    """Return a number without its unit, in mm for one in cm; "" if it is none."""
    match = _WITH_UNIT.fullmatch(text)
    if match is None:
        return ""
    number = f"{match[1]}.{match[2]}" if match[2] else match[1]
    return f"{10 * float(number):g}" if match[3] == "cm" else number


def _with_remedy(hint: str, node: Node, attribute: Attribute) -> str:
    """Append the attribute's remedy to a hint, for XML files."""
    remedy = attribute.remedy if node.source.document.xml else ""
    return f"{hint}; {remedy}" if remedy else hint


def _check_children(
    node: Node, shape: Shape, whole: Shape
) -> Iterator[tuple[Diagnostic, Node | None]]:
    """Yield mistakes in an element's children, each with the child at fault, if any."""
    counts: Counter[str] = Counter()
    for child in node.children:
        occurs = shape.child(child.tag)
        if occurs is None:
            hint = _unknown_child_hint(child.tag, shape, whole)
            message = f"{describe_element(node)} contains an unknown element `{child.tag}`"
            yield S001.at(child.source.at(), message, hint), child
            continue
        counts[child.tag] += 1
        if counts[child.tag] == occurs.maximum + 1:
            message = f"{describe_element(node)} has more than {_times(occurs.maximum, child.tag)}"
            hint = "remove this one and any further ones"
            yield S006.at(child.source.at(), message, hint), None
    for occurs in shape.children:
        tag = occurs.shape.tag
        if counts[tag] < occurs.minimum:
            message = f"{describe_element(node)} needs at least {_times(occurs.minimum, tag)}, but "
            message += f"has {counts[tag] or 'none'}"
            needed = "".join(f' {a.name}="…"' for a in occurs.shape.attributes if a.required)
            hint = node.source.document.addition_hint(tag, f"`<{tag}{needed}/>`")
            yield S005.at(node.source.at(), message, hint), None
    if not shape.text and _attribute_in_text(node, shape) is None:
        texts = [node.text, *(child.tail for child in node.children)]
        stray = next((text.strip(_SPACE) for text in texts if text.strip(_SPACE)), None)
        if stray is not None:
            message = f"{describe_element(node)} contains the text `{shorten(stray)}`, where none "
            hint = _PARAGRAPH_HINT if shape.child("p") else "remove it, or put it in a comment"
            yield S007.at(node.source.at(), f"{message}is allowed", hint), None


def _unknown_child_hint(tag: str, shape: Shape, whole: Shape) -> str | None:
    """Return the hint about an unknown child of an element of this shape."""
    known = {child.shape.tag: child.shape for child in shape.children}
    if "p" in known and known["p"].child(tag):
        return _PARAGRAPH_HINT
    if tag == shape.tag and len(known) == 1:
        return f"put it into the `{next(iter(known))}` it belongs to"
    parents: dict[str, None] = {}
    left, seen = [whole], set[int]()
    while left:
        inner = left.pop()
        if id(inner) not in seen:
            seen.add(id(inner))
            left += [child.shape for child in inner.children]
            if inner.child(tag) is not None:
                parents[inner.tag] = None
    if 0 < len(parents) <= _MAX_PARENTS:
        where = " or ".join(f"`{parent}`" for parent in parents)
        return f"`{tag}` belongs in {where}: move it there"
    meant = _HTML.get(tag, tag)
    near = known_hint(meant if meant in known else tag, known)
    return near if known else f"`{shape.tag}` cannot contain elements"


_HTML = {
    "strong": "b",
    "em": "i",
    "ul": "list",
    "ol": "list",
    "li": "item",
    "tr": "row",
    "td": "cell",
    "th": "cell",
}
"""Elements of HTML, and what they are called here."""


_MAX_PARENTS = 2
"""An element that belongs in more parents is an inline one, such as `b`."""


def describe_element(node: Node) -> str:
    """Return an element's name for messages: "card `HK3`" or just "`meta`"."""
    name = node.get("id") or node.get("name")
    return f"{node.tag} `{shorten(name)}`" if name else f"`{node.tag}`"


def _times(number: int, tag: str) -> str:
    words = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
    noun = f"`{tag}`" if number == 1 else f"`{tag}` elements"
    return f"{words.get(number, str(number))} {noun}" if number < UNBOUNDED else noun
