"""Validate a file against the schema of its shape, and explain what does not fit.

The schema decides whether a file is valid. Only for a file that is not does `_explain` walk it and
say what is wrong, in words that need no knowledge of schemas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lxml import etree

from deckwright.diagnostics import (
    Code,
    Diagnostic,
    Report,
    Severity,
    known_hint,
    nearest,
    nearest_hint,
)
from deckwright.xmlio.node import Node
from deckwright.xmlio.schema import compiled
from deckwright.xmlio.shape import UNBOUNDED, Attribute, Shape

S001 = Code("S001", Severity.ERROR, "an unknown element")
S002 = Code("S002", Severity.ERROR, "an unknown attribute")
S003 = Code("S003", Severity.ERROR, "a missing attribute")
S004 = Code("S004", Severity.ERROR, "a value that is not allowed")
S005 = Code("S005", Severity.ERROR, "a missing element")
S006 = Code("S006", Severity.ERROR, "too many elements of a kind")
S007 = Code("S007", Severity.ERROR, "text where none belongs")
S008 = Code("S008", Severity.ERROR, "a wrong root element")
S009 = Code("S009", Severity.WARNING, "more findings in a file than are shown")
R007 = Code("R007", Severity.ERROR, "an id that is used twice")

MAX_FINDINGS = 100
"""Findings shown for one file; a hundred are enough to see that the file is of another kind."""


def validate_document(root: Node, tree: etree._Element, shape: Shape, report: Report) -> bool:
    """Report what keeps `root` from having the shape `shape`; return whether it is valid."""
    schema = compiled(shape)
    valid = bool(schema.validate(tree)) and not any(_crowded(root, shape))
    if valid:
        return True
    findings: Report = []
    for finding in _explain_root(root, shape):
        findings.append(finding)
        if len(findings) > MAX_FINDINGS:
            findings[-1] = S009.at(
                root.source.at(),
                f"the file has more than {MAX_FINDINGS} mistakes, the rest is not shown",
            )
            break
    # Shape and schema are made of one description; a file that only one refuses is our own fault.
    assert findings, f"the schema refuses {root.source.path}, but its shape does not"
    report.extend(findings)
    return False


def _crowded(node: Node, shape: Shape) -> Iterator[str]:
    """Yield the names of children of which there are too few or too many, here and below."""
    counts = Counter(child.tag for child in node.children)
    for child in shape.children:
        if not child.minimum <= counts[child.shape.tag] <= child.maximum:
            yield child.shape.tag
    for inner in node.children:
        occurs = shape.child(inner.tag)
        if occurs is not None and occurs.shape.children:
            yield from _crowded(inner, occurs.shape)


def _explain_root(root: Node, shape: Shape) -> Iterator[Diagnostic]:
    if root.tag != shape.tag:
        yield S008.at(
            root.source.at(),
            f"the root element is `{root.tag}`, not `{shape.tag}`",
            f"is this the right kind of file? it must begin with `<{shape.tag}>`",
        )
        return
    yield from _explain(root, shape)


def _explain(node: Node, shape: Shape) -> Iterator[Diagnostic]:
    yield from _attributes(node, shape)
    yield from _children(node, shape)
    yield from _repeated(node, shape)
    for child in node.children:
        occurs = shape.child(child.tag)
        if occurs is not None:
            yield from _explain(child, occurs.shape)


def _attributes(node: Node, shape: Shape) -> Iterator[Diagnostic]:
    missing = [a.name for a in shape.attributes if a.name not in node.attributes]
    misspelt: set[str] = set()
    for name, text in node.attributes.items():
        attribute = shape.attribute(name)
        if attribute is None and shape.free is None:
            misspelt.update(nearest(name, missing))
            yield S002.at(
                node.source.at(name),
                f"{described(node)} has an unknown attribute `{name}`",
                nearest_hint(name, missing)
                or (known_hint(name, missing) if missing else "remove it"),
            )
        elif attribute is not None and not attribute.value.accepts(text):
            yield _bad_value(node, attribute, text)
    for attribute in shape.attributes:
        if not attribute.required or attribute.name not in missing or attribute.name in misspelt:
            continue
        if attribute.unless is not None and attribute.unless in node.attributes:
            continue
        yield S003.at(
            node.source.at(),
            f"{described(node)} has no attribute `{attribute.name}`",
            f'add `{attribute.name}="…"`: {attribute.meaning or attribute.value.says}',
        )


def _bad_value(node: Node, attribute: Attribute, text: str) -> Diagnostic:
    value = attribute.value
    hint = f"write {value.says}"
    if value.kind == "term":
        hint = known_hint(text, [term for term, _ in value.terms]) or hint
    elif value.kind == "color":
        from deckwright.colors import NAMED_COLORS  # noqa: PLC0415 - only for this message

        hint = nearest_hint(text, NAMED_COLORS) or hint
    code = value.code or S004
    return code.at(
        node.source.at(attribute.name),
        f"{described(node)} has {attribute.name} `{_short(text)}`, which is not {value.says}"
        if value.kind != "term"
        else f"{described(node)} has {attribute.name} `{_short(text)}`, which does not exist",
        hint,
    )


def _children(node: Node, shape: Shape) -> Iterator[Diagnostic]:
    known = [child.shape.tag for child in shape.children]
    seen: Counter[str] = Counter()
    for child in node.children:
        occurs = shape.child(child.tag)
        if occurs is None:
            hint = known_hint(child.tag, known) if known else f"`{node.tag}` holds no elements"
            yield S001.at(
                child.source.at(), f"{described(node)} holds an unknown element `{child.tag}`", hint
            )
            continue
        seen[child.tag] += 1
        if seen[child.tag] == occurs.maximum + 1:
            yield S006.at(
                child.source.at(),
                f"{described(node)} has more than {_times(occurs.maximum, child.tag)}",
                "remove the rest",
            )
    for occurs in shape.children:
        tag = occurs.shape.tag
        if seen[tag] < occurs.minimum:
            yield S005.at(
                node.source.at(),
                f"{described(node)} needs at least {_times(occurs.minimum, tag)}, "
                f"it has {seen[tag]}",
                f"add `<{tag} …/>`",
            )
    if not shape.text:
        texts = [node.text, *(child.tail for child in node.children)]
        stray = next((text.strip() for text in texts if text.strip()), None)
        if stray is not None:
            yield S007.at(
                node.source.at(),
                f"{described(node)} holds the text `{_short(stray)}`, where none belongs",
                "remove it, or put it into a comment",
            )


def _repeated(node: Node, shape: Shape) -> Iterator[Diagnostic]:
    for tag, name in shape.unique:
        first: dict[str, Node] = {}
        for child in node.named(tag):
            value = child.get(name)
            if value is None:
                continue
            if value in first:
                line = first[value].source.at().line
                yield R007.at(
                    child.source.at(name),
                    f"`{tag}` has {name} `{value}`, which line {line} has already",
                    "give each its own",
                )
            else:
                first[value] = child


def described(node: Node) -> str:
    """Return how to speak of an element: "`card` HK3" or just "`card`"."""
    name = node.get("id") or node.get("name")
    return f"`{node.tag}` {name}" if name else f"`{node.tag}`"


def _times(number: int, tag: str) -> str:
    words = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
    many = f"`{tag}`" if number == 1 else f"`{tag}` elements"
    return f"{words.get(number, str(number))} {many}" if number < UNBOUNDED else many


def _short(text: str) -> str:
    text = " ".join(text.split())
    limit = 40
    return text if len(text) <= limit else text[: limit - 1] + "…"
