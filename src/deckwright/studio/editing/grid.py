"""The table of cards, in which many cells are read, checked, changed and saved at once.

Cards are found, checked and written as the editor does for their forms.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

from deckwright.api import GameError
from deckwright.base.findings import ChoiceError, require_known
from deckwright.base.parsing import Bounds, Text
from deckwright.base.units import format_plain, round_number
from deckwright.checks.counting import make_matcher
from deckwright.checks.loading import LimitOptions
from deckwright.decks.balance.model import survey
from deckwright.decks.balance.report import Wording
from deckwright.expressions import ExpressionSyntaxError
from deckwright.expressions.expressions import Expressions
from deckwright.expressions.grammar import explain_error, name_hint
from deckwright.game.context import ContextBuilder
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Field
from deckwright.game.language import picture_folders
from deckwright.game.model import Card, Game
from deckwright.studio.answers import ConflictError, Json, pick
from deckwright.studio.described import display_path
from deckwright.studio.drafts import ChildItem, EntityDraft, Values, format_card_key, key_of
from deckwright.studio.editing.editor import Editor, reject, report_conflict
from deckwright.studio.editing.forms import is_writable, serialize_children, serialize_field
from deckwright.studio.editing.outlines import EntityRef
from deckwright.studio.editing.preview import (
    EditPreview,
    has_error,
    preview_edits,
    serialize_unwritable,
)
from deckwright.studio.editing.targets import EditTarget, find_targets
from deckwright.studio.editing.writing import UnwritableValue, check_rows, write_draft
from deckwright.studio.live_game import parse_search
from deckwright.studio.routing import get, post
from deckwright.studio.session import StudioSession
from deckwright.xmlio.node import Source

_MAX_CARDS = 10_000
_MAX_PAIRS = 250_000
"""The maximum number of pairs of cards to compare, which takes many seconds for more."""
_MAX_VALUE = 50_000
"""The maximum length of a computed value."""
_RELATIVE = re.compile(r"\s*([-+*/])\s*(.+)", re.DOTALL)


class CardDraft(NamedTuple):
    """The edited values and children of a card, and its fingerprint when it was read."""

    faction: Text
    id: Text
    state: Text
    values: Values = EntityDraft().values
    children: Mapping[str, list[ChildItem]] = EntityDraft().children


CardDrafts = Annotated[list[CardDraft], Bounds(0, _MAX_CARDS)]


class CardChange(NamedTuple):
    """A change to a field of several cards.

    Attributes:
        kind: the tag of the cards' kind.
        change: `+1`, `-1`, `*2` or `/2`, an expression after `=`, a text with expressions in
            braces, or else the new value.
        where: a search that the cards must meet, "" for none.
        among: the keys of the cards.
    """

    kind: Text
    field: Text
    change: Text
    where: str
    among: Annotated[list[Text], Bounds(0, _MAX_CARDS)]


def list_rows(game: Game, folder: GameFolder) -> Json:
    """Return the cards of all factions as rows, and the columns of each kind.

    Cards of files that cannot be read are left out.
    """
    sources, entities = set[Source](), dict[Path, list[EntityRef]]()
    for card, faction, _ in game.printable_cards():
        if faction and card.source not in sources:  # several factions may print the same card
            sources.add(card.source)
            entity = EntityRef("card", card.id, faction)
            entities.setdefault(card.source.path, []).append(entity)
    targets: list[EditTarget] = []
    for group in entities.values():
        with suppress(ChoiceError, GameError, OSError):
            targets += find_targets(group, game, folder)
    kinds: dict[str, tuple[dict[str, Json], dict[str, Json]]] = {}
    rows: list[Json] = []
    for target in targets:
        outline, place = target.outline, target.place or target.outline.node.source.at()
        entries, kind = outline.entries, outline.node.tag
        fields, children = kinds.setdefault(kind, ({}, {}))
        for entry in entries:
            if entry.name not in fields or (fields[entry.name]["shown"] and not entry.lock):
                fields[entry.name] = {**serialize_field(entry, game, None), "value": None}
        for each in outline.children:
            if each.tag not in children:
                children[each.tag] = {**serialize_children(each, game, None), "items": []}
        rows.append({
            **pick(target.entity, "faction", "id"),
            "kind": kind,
            "state": target.fingerprint,
            "editable": is_writable(target),
            "place": {"path": display_path(place.path, folder.path), "line": place.line},
            "values": {entry.name: entry.value() for entry in entries},
            "locks": {e.name: e.lock for e in entries if e.fixed_value is not None},
            "children": {
                each.tag: [{e.name: e.value(node) for e in each.entries} for node in each.nodes]
                for each in outline.children
            },
        })  # fmt: skip
    all_kinds = [
        {
            "kind": tag,
            "name": kind.name,
            "fields": [*own[0].values()],
            "children": [*own[1].values()],
        }
        for tag, kind in game.setup.kinds.items()
        if (own := kinds.get(tag))
    ]
    return {"kinds": all_kinds, "rows": rows, "hasWorth": game.setup.worth is not None}


def compute_values(game: Game, change: CardChange) -> list[tuple[str, str]]:
    """Return the keys of the cards that a change applies to, and their new values.

    Raises:
        ChoiceError: if the search is invalid, or a value cannot be computed.
    """
    name, text, where = change.field, change.change.strip(), change.where.strip()
    holds, among = make_matcher(parse_search(where, game.setup) if where else ()), {*change.among}
    relative = _RELATIVE.fullmatch(text)
    if relative:
        text = f"={name} {relative[1]} ({relative[2]})"
    folders = picture_folders(game.folder / "img")
    expressions = Expressions(folders, language=game.setup.language)
    source = f"{{{{ {text[1:]} }}}}" if text.startswith("=") else text
    try:
        parsed = expressions.parse_value(source, expressions.new_grammar())
        program = expressions.load_program(expressions.compile(parsed))
    except ExpressionSyntaxError as error:
        raise ChoiceError(f"`{text}` cannot be read: {error.message}", error.hint) from None
    contexts, values = ContextBuilder(game), list[tuple[str, str]]()
    base = contexts.base_context()
    for card, faction, _ in game.printable_cards():
        key, empty = format_card_key((faction, card.id)), card.fields.get(name) is None
        if key not in among or card.kind.tag != change.kind or not holds(card):
            continue
        if relative and empty:
            continue
        seen = contexts.card_context(card, faction)
        context = {**base, **seen, "card": seen}
        try:
            value = expressions.run(program, context, _MAX_VALUE).strip()
        except Exception as error:  # noqa: BLE001 - whatever an expression can raise
            message = f"{card.subject}: `{text}` cannot be computed: {explain_error(error)}"
            raise ChoiceError(message, name_hint(error, context)) from None
        field = next((each for each in card.kind.fields if each.name == name), None)
        values.append((key, _format_result(value, field)))
    return values


def _format_result(value: str, field: Field | None) -> str:
    """Return a result as files have it: `2.0` as `2`, `True` as `true`, integers rounded."""
    if field is not None and field.type == "flag":
        return value.lower()
    if field is not None and field.numeric:
        with suppress(ValueError, OverflowError):
            number = float(value)
            whole = int(number + 0.5) if number > 0 else -int(0.5 - number)
            return str(whole) if field.type == "integer" else format_plain(round_number(number))
    return value


def describe_balance(game: Game) -> Json:
    """Return the balance of a game: the line, outliers, and cards that others beat.

    Raises:
        ChoiceError: if the game does not say what cards are worth.
    """
    setup = game.setup
    if setup.worth is None:
        raise ChoiceError("game.xml does not say what a card is worth")
    compares = len(game.cards) ** 2 <= _MAX_PAIRS
    balance = survey(game, LimitOptions(), setup.worth, setup.cost, compares=compares)
    wording = Wording(game, setup.words, setup.language)

    def describe(card: Card, text: str) -> tuple[str, str]:
        return key_of(card), f"{card.name}: {text}"

    return {
        "line": wording.line(balance),
        "fit": balance.line and round(100 * balance.line.r2),
        "compared": compares,
        "factions": [
            (look.faction.name, wording.above(look.above, 2)) for look in balance.factions
        ],
        "outliers": [describe(each.card, wording.above(each.above)) for each in balance.outliers],
        "beaten": [
            describe(each.worse, wording.dominance(each))
            for look in balance.factions
            for each in look.dominances
        ],
    }


class GridHandlers:
    """Handles the requests of the table of cards."""

    def __init__(self, session: StudioSession) -> None:
        self._session = session
        self._editor = Editor(session.live_game, session.writer)

    @get("/api/grid")
    def rows(self) -> Json:
        """Return all cards as rows."""
        game = self._editor.game
        rows = list_rows(game.model, game.folder)
        return {**rows, "readOnly": self._session.writer.read_only}

    @post("/api/grid/check")
    def check(self, cards: CardDrafts) -> Json:
        """Return the findings in drafts, without writing anything."""
        findings = self._preview(cards).findings
        return {"findings": findings, "ok": not has_error(findings)}

    @post("/api/grid/save", writes=True)
    def save(self, cards: CardDrafts, anyway: bool = False) -> Json:  # noqa: FBT001, FBT002 - as sent
        """Write drafts to their files, all or none; return the saved cards and the findings.

        This is refused if they have errors, or a card has changed since it was read.
        """
        targets, faults, current = self._apply(cards)
        if targets is None:
            raise reject([*map(serialize_unwritable, faults)], anyway=False)
        if not current:
            raise report_conflict()
        try:
            findings = self._editor.write(targets, faults, anyway=anyway)
        except ConflictError:
            raise report_conflict() from None
        things = [target.entity.as_saved().serialize() for target in targets]
        return {"things": things, "findings": findings}

    @post("/api/grid/change")
    def change(self, cards: CardDrafts, change: CardChange) -> Json:
        """Return the values that a change gives to fields of cards, as the drafts have them."""
        game = self._preview(cards).game
        if game is None:
            raise ChoiceError("the table has errors", "correct them first")
        require_known(change.kind, game.model.setup.kinds, "kind")
        return {"cells": compute_values(game.model, change)}

    @post("/api/grid/balance")
    async def balance(self, before: CardDrafts, after: CardDrafts) -> Json:
        """Return the balance with one set of drafts and with another; None for one with errors."""
        answers: Json = {}
        for name, cards in (("before", before), ("after", after)):
            preview = await self._session.call(self._preview, cards)
            answers[name] = None
            if preview.game is not None and not has_error(preview.findings):
                model = preview.game.model
                answers[name] = await asyncio.to_thread(describe_balance, model)
        return answers

    def _apply(
        self, cards: Sequence[CardDraft]
    ) -> tuple[list[EditTarget] | None, list[UnwritableValue], bool]:
        """Write drafts into the texts of files, without saving them.

        Returns:
            The cards, None if their tables cannot be written; the values that cannot be written;
            and whether no card has changed since it was read.
        """
        game = self._editor.game
        entities = [EntityRef("card", each.id, each.faction) for each in cards]
        targets = find_targets(entities, game.model, game.folder)
        states = [target.fingerprint for target in targets]
        faults = [
            fault._replace(target=at)
            for at, (draft, target) in enumerate(zip(cards, targets, strict=True))
            for fault in write_draft(EntityDraft(draft.values, draft.children), target)
        ]
        edited, misread = check_rows(targets, game.model, game.folder)
        current = states == [each.state for each in cards]
        return None if misread else edited, [*faults, *misread], current

    def _preview(self, cards: Sequence[CardDraft]) -> EditPreview:
        game = self._editor.game
        if not cards:
            return EditPreview(game, [])
        targets, faults, _ = self._apply(cards)
        if targets is None:
            return EditPreview(None, [*map(serialize_unwritable, faults)])
        return preview_edits(game, targets, faults)
