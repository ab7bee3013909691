"""A game that has been read again equals one that is opened then, whatever has happened to it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from deckwright import Game, GameError, open_game
from deckwright.api import Card
from deckwright.base.findings import Report
from deckwright.templates import template_set
from deckwright.templates.template_set import load_root
from deckwright.xmlio.node import Node
from support import FACE, FACTIONS, GAME, card, data, token_rule, uses, write_game

ANT = card("A1", "Ant", "AA", uses("call"), level=2, image="dot.svg")
QUEEN, BEE, WASP = card("A2", "Queen"), card("B1", "Bee", "BB"), card("B2", "Wasp", "BB", costs=3)
CARDS = data("<!-- ants -->", ANT, QUEEN, card("A3", "Worker", image="photo.png"), WASP)
HEAD = '<rule id="dig" type="passive" effect="Digs."><label GEN="Digger"/></rule>'
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="{}" height="9"/></svg>'
)
FULL_FACE = FACE.replace(
    "</face>",
    '<g><image when="card.image" href="{{ card.image }}" x="5" y="30" width="20" height="20"/>'
    '<first><image href="dot.svg" width="9" height="9"/><rect width="9" height="9"/></first></g>'
    '<text each="rule in card.rules" x="5" y="60" width="55" height="9">{{ rule.name }}: '
    "{{ rule.effect }} {{ card.set_number }}/{{ card.set_size }}</text>"
    '<text x="5" y="70" width="55" height="9" each="level in card.faction.terms.levels">'
    "{{ level.name }}</text></face>",
)
PLAIN = GAME.replace("LIMITS", "").replace("REFERENCE", "")
BACKED = PLAIN.replace('face="card.xml">', 'face="card.xml" back="back.xml">', 1)

STATES: dict[str, list[str | None]] = {
    "xml/Factions/AA_cards.xml": [
        CARDS.replace(WASP, ""),
        CARDS,  # a card of another faction
        data(ANT.replace('level="2"', 'level="1"'), QUEEN),
        data(ANT, "", QUEEN.replace("Queen", "Königin"), card("A9", "Drone", costs=4)),
        data(QUEEN, ANT),
        data(ANT, QUEEN, QUEEN),
        data(ANT.replace("call", "coll"), QUEEN),
        data(ANT, QUEEN.replace('level="1"', 'level="9"')),
        data(ANT, '<!--<card id="A7"/>-->', QUEEN.replace("/>", "></card>")),
        data(ANT, QUEEN)[:-20],
        data().replace("data", "daten"),
        "",
        None,
    ],
    "xml/Factions/BB_cards.xml": [
        data(BEE, WASP),
        data(BEE.replace(' costs="0"', ' costs="7"'), WASP),
        data(BEE, card("A1", "Ant of bees", "BB"), WASP),
        data(BEE + WASP),
        data(BEE, WASP).replace("\n", "\r\n"),
        data(BEE, f"{WASP}stray"),
        data(BEE, "<card/>", WASP),
        data(card("B2", "Wasp", "BB", uses("call", "dig"))),
        None,
    ],
    "xml/Factions/GG_cards.xml": [None, data(card("G1", "Guest", "GG"))],
    "xml/rules.xml": [
        data(token_rule("call", "Wolf"), HEAD),
        data(token_rule("call", "Bear"), HEAD),
        data(HEAD.replace("Digs.", "Burrows.")),
        data("<rule/>", HEAD),
        None,
    ],
    "xml/factions_definition.xml": [
        FACTIONS,
        FACTIONS.replace("teal", "navy"),
        FACTIONS.replace('race_name="Guest"', 'race_name="Guest" cards="AA"'),
        FACTIONS.replace('id="BB"', 'id="CC"'),
    ],
    "xml/game.xml": [
        BACKED,
        BACKED.replace('name="Low"', 'name="Lowly"'),
        BACKED.replace('type="integer"/>', 'type="integer" optional="true"/>'),
        BACKED[:300],
        PLAIN,
    ],
    "templates/card.xml": [
        FULL_FACE,
        FULL_FACE.replace('y="5"', 'y="6"'),
        FACE,
        FULL_FACE.replace("rule.effect", "rule.efect"),
        FULL_FACE.replace("card.name", "5 / (card.costs - 3)"),
        FULL_FACE[:80],
        None,
    ],
    "templates/back.xml": [FACE.replace("card.name", "kind"), FACE, "<face/>", None],
    "templates/dark/card.xml": [None, FACE.replace('y="60"', 'y="50"'), "<face>"],
    "img/dot.svg": [DRAWING.format(3), DRAWING.format(4), "<svg/>", None],
    "img/photo.png": ["40", "80", "broken", None],
}
Step = tuple[str, int]
steps = st.lists(
    st.sampled_from([(name, n) for name, states in STATES.items() for n in range(len(states))]),
    min_size=1,
    max_size=3,
)


def put(folder: Path, name: str, number: int) -> None:
    """Have a file hold its state of a number; it is gone where that is None."""
    path, state = folder / name, STATES[name][number]
    if state is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".png" and state.isdigit():
        Image.new("RGB", (int(state), 40), "red").save(path)
    else:
        path.write_bytes(state.encode())


class Told(NamedTuple):
    """All that a game tells of itself."""

    cards: Sequence[object]
    rules: Sequence[object]
    faults: Sequence[str]
    faces: Sequence[object]


def told(game: Game) -> Told:
    """Return all that a game tells of itself; of places, lines and columns."""
    model = game.model
    cards = [
        (
            key,
            c.kind.tag,
            (c.id, c.name, c.faction_id, c.fields, c.fallbacks, c.source.at()),
            [
                (tag, child.values, child.source.at(), child.source.at("id"))
                for tag, children in c.children.items()
                for child in children
            ],
        )
        for key, c in [*model.cards.items(), *model.stubs.items(), *enumerate(model.tokens())]
    ]
    rules = [(rule.id, rule.effect, rule.labels, rule.source.at()) for rule in model.rules.values()]
    faces = [
        (c.faction, c.id, style, [_side(c, style, back=back) for back in (False, True)])
        for style in (None, *game.styles)
        for c in game.cards
    ]
    return Told(cards, rules, sorted(map(str, game.faults)), faces)


def _side(card: Card, style: str | None, *, back: bool) -> object:
    """Return the digest of a side, or why there is none."""
    try:
        face = (card.back if back else card.face)(style=style)
    except GameError as error:
        return sorted(f"{each.code.id} {each.location}" for each in error.findings)
    return face and (face.digest, [str(each) for each in face.findings])


def each_of(name: str, *numbers: int) -> list[list[Step]]:
    """Return edits that give a file some of its states, one after the other."""
    return [[(name, number)] for number in numbers]


@given(st.lists(steps, min_size=3, max_size=6), st.booleans())
@settings(max_examples=6)
@example(edits=each_of("xml/Factions/AA_cards.xml", 2, 3, 4, 1, 0, 8, 0, 9, 0), compare=False)
@example(edits=each_of("xml/Factions/BB_cards.xml", 1, 2, 1, 3, 4, 0, 5, 6, 0, 7), compare=False)
@example(edits=each_of("img/dot.svg", 1, 2, 0, 3, 1), compare=False)
@example(edits=each_of("templates/card.xml", 1, 3, 0, 4, 6, 0), compare=True)
def test_a_game_that_is_read_again_equals_one_that_is_opened(
    edits: list[list[Step]],
    compare: bool,  # noqa: FBT001 - given by hypothesis
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file in STATES:
            put(folder, file, 0)
        game = open_game(folder)
        first = told(game)
        assert not first.faults
        assert "Location" not in str(first.faces)  # no face is refused
        for changes in edits:
            for change in changes:
                put(folder, *change)
            refused = _refused(lambda: game.reload(compare=compare))
            assert _refused(lambda: open_game(folder)) == refused
            if not refused:
                assert told(game) == told(open_game(folder))


def _refused(call: Callable[[], object]) -> list[str]:
    """Return why a game cannot be read."""
    try:
        call()
    except GameError as error:
        return [str(each) for each in error.findings]
    return []


@given(st.data())
@settings(max_examples=8)
def test_a_game_that_would_be_is_the_same_as_if_it_were(chosen: st.DataObject) -> None:
    names = [name for name in STATES if name.startswith("xml/") and STATES[name][0]]
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        for folder in (Path(one), Path(other)):
            for file in STATES:
                put(folder, file, 0)
        game = open_game(Path(one))
        before = told(game)
        shutil.copytree(one, other, dirs_exist_ok=True)
        name = chosen.draw(st.sampled_from(names))
        number = chosen.draw(st.sampled_from([n for n, s in enumerate(STATES[name]) if s]))
        put(Path(other), name, number)
        try:
            fresh = told(open_game(Path(other)))
        except GameError:
            return
        content = STATES[name][number]
        assert content is not None
        supposed = told(game.with_files({Path(one) / name: content.encode()}))
        assert str(supposed).replace(one, other) == str(fresh)
        assert told(game) == before


def test_a_template_with_a_mistake_is_read_once_for_all_its_faces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in STATES:
        put(tmp_path, file, 0)
    game = open_game(tmp_path)
    told(game)
    read: list[Path] = []

    def noted(path: Path, report: Report) -> Node | None:
        read.append(path)
        return load_root(path, report)

    monkeypatch.setattr(template_set, "load_root", noted)
    template = tmp_path / "templates" / "card.xml"
    template.write_text("<face>", encoding="utf-8")
    game.reload(compare=False)
    reasons = {str(_side(card, None, back=False)) for card in game.cards}
    assert len(reasons) == 1
    assert read.count(template) == 2  # the kind of cards names it, and that of tokens
    template.write_text(FACE, encoding="utf-8")
    game.reload(compare=False)
    assert "Location" not in str([_side(card, None, back=False) for card in game.cards])


def test_cards_that_are_not_read_again_keep_their_computed_fields(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "game", [QUEEN, ANT.replace("call", "dig"), BEE], rules=[HEAD])
    game_file = folder / "xml" / "game.xml"
    field = '<field name="worth" type="integer" value="{{ costs + 1 }}"/><children'
    text = game_file.read_text(encoding="utf-8").replace("<children", field, 1)
    game_file.write_text(text, encoding="utf-8")
    game = open_game(folder)
    cards = folder / "xml" / "Factions" / "AA_cards.xml"
    text = cards.read_text(encoding="utf-8").replace('costs="0"', 'costs="4"', 1)
    other = game.with_files({cards: text.encode()})
    cards.write_text(text, encoding="utf-8")
    game.reload()
    for each in (game, other):
        worth = {card.id: card.fields["worth"] for card in each.model.cards.values()}
        assert worth == {"A2": 5, "A1": 1, "B1": 1}
