"""Check that `game.xml` refers only to what it defines, and does not contradict itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deckwright.diagnostics import REGISTRY, Code, Report, Severity, known_hint
from deckwright.game.read_field import CONDITION, is_true, number, read_field, text
from deckwright.game.setup import Kind, Limit
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described

G001 = Code("G001", Severity.ERROR, "game.xml refers to something that it does not define")
G002 = Code("G002", Severity.ERROR, "game.xml contradicts itself")


EVERY_CARD = ("id", "name", "faction_id", "kind")
"""What conditions and limits may name besides a kind's own fields."""


def check_setup(
    root: Node, kinds: Mapping[str, Kind], limits: Iterable[Limit], report: Report
) -> None:
    """Report what is wrong with a valid `game.xml`, given what was read of it so far."""
    _check(
        root,
        {text(node, "id") for node in root.named("group")},
        {text(node, "id") for node in root.named("vocabulary")},
        report,
    )
    _check_kinds(root, report)
    _check_tokens(root, kinds, report)
    for symbol in (symbol for symbols in root.named("symbols") for symbol in symbols.children):
        if (symbol.get("icon") is None) == (symbol.get("image") is None):
            message = f"{described(symbol)} needs either an icon or an image"
            hint = 'write `icon="…"` or `image="…"`'
            report.append(G002.at(symbol.source.at(), message, hint))
    _check_severities(root, report)
    for markers in root.named("markers"):
        _check_markers(markers, report)
    for deck in root.named("deck"):
        _check_deck(deck, kinds, {limit.id: limit for limit in limits}, report)


def _unknown(report: Report, node: Node, attribute: str, what: str, known: set[str]) -> None:
    value = node.get(attribute)
    if value is not None and value not in known:
        report.append(
            G001.at(
                node.source.at(attribute),
                f"{described(node)} names the {what} `{value}`, which game.xml does not define",
                known_hint(value, sorted(known)),
            )
        )


def _check(root: Node, groups: set[str], vocabularies: set[str], report: Report) -> None:
    """Report references to groups and vocabularies that do not exist."""
    for node in root.walk():
        _unknown(report, node, "only", "group", groups)
        _unknown(report, node, "except", "group", groups)
        if node.tag == "field":
            _unknown(report, node, "of", "vocabulary", vocabularies)
            _unknown(report, node, "optional", "group", groups | {"true", "false"})
            if node.get("type") == "term" and node.get("of") is None:
                report.append(
                    G002.at(
                        node.source.at(),
                        "a field of the type `term` does not say of which vocabulary",
                        'add `of="…"`',
                    )
                )


def _check_kinds(root: Node, report: Report) -> None:
    """Report kinds that cannot be."""
    for node in root.walk():
        least, most = number(node, "min", 0) or 0, number(node, "max")
        if node.tag in {"field", "children"} and most is not None and least > most:
            message = f"`min` is {least}, more than `max`, which is {most}"
            report.append(G002.at(node.source.at("min"), message, "exchange the two"))
    kinds = list(root.named("kind"))
    tokens = [node for node in kinds if is_true(node, "token")]
    report.extend(
        G002.at(node.source.at("token"), "only one kind can be the token") for node in tokens[1:]
    )
    if len(tokens) == len(kinds):
        report.append(G002.at(root.source.at(), "there is no kind of card that is not a token"))
    for node in kinds:
        if node.get("tag") == "label":
            message = "`label` is the name of a rule's labels, it cannot be a kind as well"
            report.append(G002.at(node.source.at("tag"), message, "choose another tag"))
        _check_defaults(root, node, report)
        numbers = {text(f, "name") for f in node.named("field") if f.get("type") == "integer"}
        _unknown(report, node, "parts", "field with a whole number", numbers)
        report.extend(
            G002.at(
                child.source.at(),
                f"the children `{child.get('tag')}` have no field that means anything",
                'take `ignored="true"` away from one',
            )
            for child in node.named("children")
            if all(is_true(field, "ignored") for field in child.named("field"))
        )
        report.extend(
            G002.at(
                child.source.at(),
                f"the children `{child.get('tag')}` are rules, they have just the rule's id",
                'mark all other fields as `ignored="true"`',
            )
            for child in node.named("children")
            if any(field.get("type") == "rule" for field in child.named("field"))
            and sum(not is_true(field, "ignored") for field in child.named("field")) > 1
        )
        report.extend(
            G002.at(
                field.source.at("name"),
                f"every card has `{field.get('name')}`, it cannot be a field as well",
            )
            for field in node.named("field")
            if field.get("name") in EVERY_CARD
        )
        report.extend(
            G002.at(
                field.source.at("type"),
                "a card's rules are children, not an attribute",
                'write `<children tag="rule" …><field name="id" type="rule"/></children>`',
            )
            for field in node.named("field")
            if field.get("type") == "rule"
        )


def _check_defaults(root: Node, kind: Node, report: Report) -> None:
    """Report default values that the field itself would refuse."""
    for node in kind.named("field"):
        default = node.get("default")
        if default is None:
            continue
        field = read_field(node)
        terms = [
            text(term, "id")
            for vocabulary in root.named("vocabulary")
            if vocabulary.get("id") == field.vocabulary
            for term in vocabulary.named("term")
        ]
        whole = isinstance(field.default, int) and field.minimum <= field.default <= field.maximum
        fits = {"integer": whole, "term": default in terms}.get(field.type, True)
        if not fits:
            message = f"the default `{default}` is not a value of the field `{field.name}`"
            hint = known_hint(default, terms)
            report.append(G002.at(node.source.at("default"), message, hint))


def _check_tokens(root: Node, kinds: Mapping[str, Kind], report: Report) -> None:
    """Report a budget that is no field with a whole number."""
    numbers = {f.name for kind in kinds.values() for f in kind.fields if f.type == "integer"}
    for node in root.named("tokens"):
        _unknown(report, node, "budget", "field with a whole number", numbers)


def _check_severities(root: Node, report: Report) -> None:
    """Report severities of codes that do not exist, or that are errors in any game."""
    nodes = [node for holder in root.named("severities") for node in holder.children]
    if not nodes:
        return
    from deckwright.discovery import load_all  # noqa: PLC0415 - imports everything

    load_all()
    for node in nodes:
        code = REGISTRY.get(text(node, "code"))
        warnings = [name for name, known in REGISTRY.items() if known.severity is Severity.WARNING]
        if code is None:
            _unknown(report, node, "code", "code", set(warnings))
        elif code.severity is Severity.ERROR:
            message = f"`{code.id}`, {code.title}, is an error in any game"
            hint = known_hint("", sorted(warnings))
            report.append(G002.at(node.source.at("code"), message, hint))


def _check_markers(markers: Node, report: Report) -> None:
    """Report markers that show nothing, or do not say how many there are, or both say it twice."""
    for node in markers.named("marker"):
        values = list(node.named("value"))
        if values and node.get("count") is not None:
            message = f"{described(node)} has a count, and values with counts of their own"
            report.append(G002.at(node.source.at("count"), message, "remove the `count`"))
        elif not values and node.get("count") is None:
            message = f"{described(node)} does not say how many there are"
            report.append(G002.at(node.source.at(), message, 'add `count="…"`, or values'))
        for side in (node, *node.named("other")):
            if not values and side.get("label") is None and side.get("icon") is None:
                message = f"{described(side)} shows nothing"
                hint = 'add `label="…"` or `icon="…"`'
                report.append(G002.at(side.source.at(), message, hint))


def _check_deck(
    deck: Node, kinds: Mapping[str, Kind], limits: Mapping[str, Limit], report: Report
) -> None:
    """Report limits of zones and fields that do not exist, and formats of limits likewise."""
    zones = {text(node, "id") for node in deck.named("zone")}
    fields = {field.name for kind in kinds.values() for field in kind.fields} | set(EVERY_CARD)
    sums = {f.name for kind in kinds.values() for f in kind.fields if f.type == "integer"}
    for node in deck.named("zone", "limit"):
        for field, _, _ in CONDITION.findall(text(node, "where")):
            if field not in fields:
                message = f"{described(node)} names the field `{field}`, which no kind of card has"
                hint = known_hint(field, sorted(fields))
                report.append(G001.at(node.source.at("where"), message, hint))
    for node in deck.named("limit"):
        _unknown(report, node, "zone", "zone", zones)
        _unknown(report, node, "sum", "field with a whole number", sums)
        _unknown(report, node, "per", "field", fields)
        bounds = [name for name in ("min", "max", "exactly") if node.get(name) is not None]
        least, most = number(node, "min"), number(node, "max")
        if least is not None and most is not None and least > most:
            message = f"`min` is {least}, more than `max`, which is {most}"
            report.append(G002.at(node.source.at("min"), message, "exchange the two"))
        if node.get("faction") is None and not bounds:
            report.append(
                G002.at(
                    node.source.at(),
                    f"the limit `{node.get('id')}` limits nothing",
                    "add `min`, `max`, `exactly` or `faction`",
                )
            )
    for node in deck.named("format"):
        for change in node.named("set"):
            _unknown(report, change, "limit", "limit", set(limits))
            limit = limits.get(text(change, "limit"))
            if limit is not None and limit.bound is None and change.get("value") != "off":
                message = f"the limit `{limit.id}` has no number"
                hint = 'switch it off with `value="off"`'
                report.append(G002.at(change.source.at("value"), message, hint))
    defaults = [node for node in deck.named("format") if is_true(node, "default")]
    report.extend(
        G002.at(node.source.at("default"), "only one format can be the default")
        for node in defaults[1:]
    )
