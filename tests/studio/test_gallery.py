"""What the wall shows while files change under it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import edit
from deckwright import open_game
from deckwright.studio.described import FindingData
from deckwright.studio.faces import ChangeEvent
from deckwright.studio.live_game import LiveGame, UnsettledError
from support import card, token_rule, uses, write_game

AA, BB = "xml/Factions/AA_cards.xml", "xml/Factions/BB_cards.xml"
ANT = "AA:A1:1:face"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of two factions with cards, and a token."""
    cards = [
        card("A1", "Ant", "AA", uses("call"), level=2, actions=1),
        card("A2", "Queen"),
        card("B1", "Bee", "BB"),
    ]
    return write_game(tmp_path, cards, rules=[token_rule("call", "Wolf")])


@pytest.fixture
def gallery(folder: Path) -> LiveGame:
    """The gallery of that game, all composed."""
    gallery = LiveGame(open_game(folder))
    gallery.face_grid(None)
    finish(gallery)
    return gallery


def finish(gallery: LiveGame) -> list[ChangeEvent]:
    """Compose what is due; return what is told of it."""
    return [*turns(gallery, 10)]


def turns(gallery: LiveGame, seconds: float) -> Iterator[ChangeEvent]:
    left = True
    while left:
        event, left = gallery.compose(seconds)
        if event is not None:
            yield event


def changed(event: ChangeEvent, style: str = "") -> list[str]:
    """Return the faces that look different by an event."""
    return [str(face["key"]) for face in event["faces"].get(style, []) if "hash" in face]


def is_ok(gallery: LiveGame) -> bool:
    return gallery.ok


def lost(event: ChangeEvent) -> list[str]:
    return event["lost"].get("", [])


def faces(gallery: LiveGame, style: str | None = None) -> dict[str, dict[str, Any]]:
    listed: Any = gallery.face_grid(style)["faces"]
    return {face["key"]: face for face in listed}


def hashes(gallery: LiveGame) -> dict[str, str]:
    return {key: face["hash"] for key, face in faces(gallery).items()}


def messages(gallery: LiveGame) -> list[str]:
    state: Any = gallery.face_grid(None)["state"]
    return [finding["message"] for finding in state["findings"]]


def reloaded(gallery: LiveGame, seconds: float = 10) -> ChangeEvent:
    event = gallery.reload(seconds=seconds)
    assert event is not None
    return event


def test_a_wall_is_told_before_its_faces_are_composed(folder: Path) -> None:
    gallery = LiveGame(open_game(folder))
    before = faces(gallery)
    assert [*before] == [ANT, "AA:A2:1:face", "BB:B1:1:face", "AA:call/1:1:face"]
    assert {(face["hash"], face["pending"]) for face in before.values()} == {(None, True)}
    (event,) = finish(gallery)
    assert {face["key"]: face["hash"] for face in event["faces"][""]} == hashes(gallery)
    assert event["version"] == gallery.face_grid(None)["version"]
    assert not any(face["pending"] for face in faces(gallery).values())


def test_faces_are_composed_in_turns(folder: Path) -> None:
    gallery = LiveGame(open_game(folder))
    gallery.face_grid(None)
    assert [changed(event) for event in turns(gallery, 0)] == [[key] for key in faces(gallery)]


def test_what_is_told_of_a_card(gallery: LiveGame) -> None:
    face = faces(gallery)[ANT]
    assert (face["name"], face["card"]) == ("Ant", "A1")
    assert (face["width"], face["height"], face["side"], face["part"]) == (65, 90, "face", 1)
    assert face["fields"]["level"] == "2"
    assert face["children"] == {"rules": ["call"]}
    assert {"Ant", "A1", "Create a Wolf."} <= {*face["text"].split("\n")}
    assert face["source"] == {"path": AA, "line": 2}
    assert faces(gallery)["AA:call/1:1:face"]["token"] is True


def test_what_is_told_of_the_game(gallery: LiveGame, folder: Path) -> None:
    wall: Any = gallery.face_grid(None)
    assert wall["game"]["folder"] == str(folder)
    assert [each["name"] for each in wall["game"]["filters"]] == ["level"]
    assert [each["id"] for each in wall["factions"]] == ["AA", "BB", "GG"]
    assert wall["state"] == {"ok": True, "findings": []}


def test_names_in_print_are_told(folder: Path) -> None:
    path = folder / "xml" / "game.xml"
    named = path.read_text(encoding="utf-8").replace('name="costs"', 'name="costs" text="Price"')
    path.write_text(named, encoding="utf-8")
    wall: Any = LiveGame(open_game(folder)).face_grid(None)
    assert wall["game"]["labels"] == {"costs": "Price"}


def test_a_face_is_painted_by_its_hash(gallery: LiveGame) -> None:
    svg = gallery.pictures.svg(hashes(gallery)[ANT])
    assert svg is not None
    assert b"<svg" in svg
    assert gallery.pictures.svg("0" * 32) is None


def test_only_the_face_of_a_card_that_was_edited_changes(gallery: LiveGame, folder: Path) -> None:
    before = hashes(gallery)
    old = gallery.pictures.svg(before[ANT])
    edit(folder / AA, 'name="Ant"', 'name="Anteater"')
    event = reloaded(gallery)
    after = hashes(gallery)
    assert changed(event) == [ANT]
    assert is_ok(gallery)
    assert [key for key in after if after[key] != before[key]] == [ANT]
    assert faces(gallery)[ANT]["name"] == "Anteater"
    assert gallery.pictures.svg(before[ANT]) == old, (
        "the former state can be shown beside the new one"
    )
    assert gallery.pictures.svg(after[ANT]) != old


def test_nothing_is_told_when_nothing_has_changed(gallery: LiveGame) -> None:
    version = gallery.face_grid(None)["version"]
    assert gallery.reload() is None
    assert gallery.face_grid(None)["version"] == version


def test_new_cards_come_and_deleted_ones_go(gallery: LiveGame, folder: Path) -> None:
    edit(folder / AA, "</data>", card("A3", "Aphid") + "</data>")
    event = reloaded(gallery, seconds=0)
    assert event["whole"]
    assert faces(gallery)["AA:A3:1:face"]["pending"]
    assert [key for event in finish(gallery) for key in changed(event)] == ["AA:A3:1:face"]
    edit(folder / AA, card("A3", "Aphid"), "")
    event = reloaded(gallery)
    assert (lost(event), event["whole"]) == (["AA:A3:1:face"], False)
    assert "AA:A3:1:face" not in faces(gallery)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (AA, "</data>", ""),  # half-written
        (AA, "<data>", ""),
        (AA, 'level="2"', 'level="9"'),
        (AA, 'rule id="call"', 'rule id="cull"'),
        ("xml/rules.xml", "</data>", "<"),
        ("templates/card.xml", "{{ card.name }}", "{{ card.nme }}"),
        ("templates/card.xml", "</face>", ""),
        ("xml/game.xml", "</", "<"),
        ("xml/factions_definition.xml", 'id="AA"', 'id="AA'),
    ],
)
def test_a_mistake_leaves_the_last_good_faces_until_it_is_mended(
    gallery: LiveGame, folder: Path, name: str, old: str, new: str
) -> None:
    before = faces(gallery)
    good = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(good.replace(old, new, 1), encoding="utf-8")
    event = reloaded(gallery)
    assert not is_ok(gallery)
    assert event["lost"] == {}
    kept = [(key, face["hash"]) for key, face in before.items()]
    assert [*hashes(gallery).items()] == kept, "each in its place"
    assert faces(gallery)[ANT]["name"] == "Ant"
    assert messages(gallery)
    (folder / name).write_text(good, encoding="utf-8")
    event = reloaded(gallery)
    assert (is_ok(gallery), event["lost"]) == (True, {})
    assert faces(gallery) == before
    assert messages(gallery) == []


def test_a_card_with_a_mistake_is_marked_with_its_findings(gallery: LiveGame, folder: Path) -> None:
    edit(folder / AA, 'level="2"', 'level="9"')
    reloaded(gallery)
    shown = faces(gallery)
    stale = [key for key, face in shown.items() if face["stale"]]
    assert stale == [ANT], "and not the token that it makes"
    assert [*shown] == [ANT, "AA:A2:1:face", "BB:B1:1:face", "AA:call/1:1:face"]
    assert [(f["path"], f["line"]) for f in shown[ANT]["findings"]] == [(AA, 2)]
    assert shown["AA:A2:1:face"]["findings"] == []


def test_a_change_beside_a_mistake_is_shown(gallery: LiveGame, folder: Path) -> None:
    edit(folder / AA, "</data>", "")
    reloaded(gallery)
    edit(folder / BB, 'name="Bee"', 'name="Wasp"')
    event = reloaded(gallery)
    assert (changed(event), is_ok(gallery)) == (["BB:B1:1:face"], False)


def test_a_card_that_never_was_good_says_why(folder: Path) -> None:
    edit(folder / AA, 'level="2"', 'level="9"')
    gallery = LiveGame(open_game(folder))
    gallery.face_grid(None)
    events = finish(gallery)
    face = faces(gallery)[ANT]
    assert (face["hash"], face["pending"], face["stale"]) == (None, False, False)
    assert face["findings"]
    assert not is_ok(gallery)
    assert events[-1]["version"] == gallery.face_grid(None)["version"]
    assert events[-1]["version"] > 1
    edit(folder / AA, 'level="9"', 'level="2"')
    reloaded(gallery)
    finish(gallery)
    assert faces(gallery)[ANT]["hash"]


def test_a_game_whose_files_are_gone_stays_until_they_are_back(
    gallery: LiveGame, folder: Path
) -> None:
    before = hashes(gallery)
    (folder / "xml" / "game.xml").rename(folder / "game.xml~")
    reloaded(gallery)
    assert messages(gallery) == ["`game.xml` no longer exists"]
    assert gallery.reload() is None, "it is told once"
    shutil.move(folder / "xml", folder / "away")
    reloaded(gallery)
    assert not is_ok(gallery)
    assert hashes(gallery) == before
    shutil.move(folder / "away", folder / "xml")
    (folder / "game.xml~").rename(folder / "xml" / "game.xml")
    reloaded(gallery)
    assert is_ok(gallery)
    assert hashes(gallery) == before


def test_styles_come_and_go(gallery: LiveGame, folder: Path) -> None:
    plain = folder / "templates" / "plain" / "card.xml"
    plain.parent.mkdir()
    plain.write_text('<face><text x="5" y="5" width="50" height="9">{{ card.id }}</text></face>')
    reloaded(gallery)
    usual = hashes(gallery)
    assert {face["hash"] for face in faces(gallery, "plain").values()} == {None}
    (event,) = finish(gallery)
    assert [*event["faces"]] == ["plain"]
    assert {face["hash"] for face in faces(gallery, "plain").values()}.isdisjoint(usual.values())
    shutil.rmtree(plain.parent)
    reloaded(gallery)
    assert hashes(gallery) == usual
    with pytest.raises(ValueError, match="there is no style `plain`"):
        gallery.face_grid("plain")


def test_the_check_adds_what_is_wrong_elsewhere(gallery: LiveGame, folder: Path) -> None:
    warning = FindingData("L001", "warning", "too much text", None, AA, 3, 5)
    event = gallery.note_check([warning])
    assert event is not None
    assert is_ok(gallery)
    assert faces(gallery)["AA:A2:1:face"]["findings"] == [warning._asdict()]
    assert faces(gallery)[ANT]["findings"] == []
    assert gallery.note_check([warning]) is None
    edit(folder / AA, 'name="Ant"', 'name="Anteater"')
    reloaded(gallery)
    assert messages(gallery) == ["too much text"], "until the next check is done"


def test_an_error_that_is_mended_is_not_told_until_the_next_check(
    gallery: LiveGame, folder: Path
) -> None:
    edit(folder / AA, 'level="2"', 'level="9"')
    reloaded(gallery)
    state: Any = gallery.face_grid(None)["state"]
    gallery.note_check([FindingData(**finding) for finding in state["findings"]])
    edit(folder / AA, 'level="9"', 'level="2"')
    reloaded(gallery)
    assert is_ok(gallery)
    assert messages(gallery) == []


def test_cards_are_searched_for(gallery: LiveGame) -> None:
    assert gallery.search("level>=2") == {"cards": ["AA:A1"]}
    assert gallery.search("rule:call") == {"cards": ["AA:A1"]}
    assert gallery.search("colour=red")["message"]


def test_faces_on_a_screen_are_composed_first(gallery: LiveGame, folder: Path) -> None:
    gallery.note_visible(None, ["BB:B1:1:face", "AA:A2:1:face"])
    edit(folder / "templates" / "card.xml", 'y="60"', 'y="61"')
    event = reloaded(gallery)
    assert changed(event) == ["BB:B1:1:face"], "and it is told at once"
    assert not event["whole"]
    told = [changed(event) for event in turns(gallery, 10)]
    assert told == [["AA:A2:1:face"], [ANT, "AA:call/1:1:face"]]


def test_what_is_on_a_screen_is_painted_before_it_is_asked_for(
    gallery: LiveGame, folder: Path
) -> None:
    gallery.note_visible(None, [ANT])
    edit(folder / AA, 'name="Ant"', 'name="Anteater"')
    reloaded(gallery)
    made = hashes(gallery)[ANT]
    assert gallery.pictures.cached_svg(made) is None
    gallery.paint_visible()
    assert gallery.pictures.cached_svg(made) == gallery.pictures.svg(made)


def test_an_event_tells_what_differs_and_no_more(gallery: LiveGame, folder: Path) -> None:
    version = gallery.face_grid(None)["version"]
    edit(folder / AA, 'name="Queen"', 'name="King"')
    event = reloaded(gallery)
    assert (event["after"], event["version"]) == (version, gallery.face_grid(None)["version"])
    (told,) = event["faces"][""]
    assert {*told} == {"key", "name", "text", "hash"}
    assert (told["key"], told["name"]) == ("AA:A2:1:face", "King")
    assert event["state"] is None


def test_a_mistake_is_not_believed_at_once(gallery: LiveGame, folder: Path) -> None:
    before = gallery.face_grid(None)
    for name, old, new in (
        (AA, "</data>", ""),
        ("xml/game.xml", "</game>", ""),
        ("templates/card.xml", "</face>", ""),
    ):
        edit(folder / name, old, new)
        with pytest.raises(UnsettledError):
            gallery.reload(patient=True)
        assert not finish(gallery), "nothing is composed of it meanwhile"
        assert gallery.face_grid(None) == before
        half = (folder / name).read_text(encoding="utf-8")
        (folder / name).write_text(half + old, encoding="utf-8")
        gallery.reload(patient=True)
        assert is_ok(gallery)
        assert gallery.face_grid(None)["faces"] == before["faces"]
    edit(folder / AA, "</data>", "")
    with pytest.raises(UnsettledError):
        gallery.reload(patient=True)
    reloaded(gallery)
    assert not is_ok(gallery)
    assert gallery.reload(patient=True) is None, "it is known now"


def test_cards_of_a_file_that_is_gone_stay_until_the_game_is_whole_without_it(
    gallery: LiveGame, folder: Path
) -> None:
    before = hashes(gallery)
    gallery.face_grid(None)
    (folder / BB).rename(folder / "xml" / "Factions" / "bees.txt")
    with pytest.raises(UnsettledError):
        gallery.reload(patient=True)
    reloaded(gallery)
    assert hashes(gallery) == before
    assert faces(gallery)["BB:B1:1:face"]["stale"]
    assert messages(gallery) == [f"`{BB}` no longer exists"]
    gallery.note_check(
        [FindingData("R009", "error", "a deck lacks a card", None, "xml/Decks/a.xml")]
    )
    assert "BB:B1:1:face" in faces(gallery)
    event = gallery.note_check([])
    assert event is not None
    assert lost(event) == ["BB:B1:1:face"]
    assert (messages(gallery), is_ok(gallery)) == ([], True)


def test_cards_of_a_file_that_comes_back_are_as_they_were(gallery: LiveGame, folder: Path) -> None:
    before = faces(gallery)
    (folder / BB).rename(folder / "away")
    reloaded(gallery)
    (folder / "away").rename(folder / BB)
    reloaded(gallery)
    assert faces(gallery) == before
    assert is_ok(gallery)


def test_a_faction_that_is_taken_out_goes_at_once(gallery: LiveGame, folder: Path) -> None:
    definitions = folder / "xml" / "factions_definition.xml"
    lines = definitions.read_text(encoding="utf-8").splitlines()
    definitions.write_text("\n".join(each for each in lines if 'id="BB"' not in each))
    (folder / BB).unlink()
    event = reloaded(gallery)
    assert lost(event) == ["BB:B1:1:face"]
    assert is_ok(gallery)


def test_a_card_whose_name_is_misspelt_is_called_as_before(gallery: LiveGame, folder: Path) -> None:
    edit(folder / AA, 'name="Queen"', 'nane="Queen"')
    reloaded(gallery)
    face = faces(gallery)["AA:A2:1:face"]
    assert (face["name"], face["stale"]) == ("Queen", True)
    edit(folder / AA, 'nane="Queen"', 'name="King"')
    reloaded(gallery)
    assert faces(gallery)["AA:A2:1:face"]["name"] == "King"


def test_a_card_that_was_not_composed_yet_stays_too(folder: Path) -> None:
    gallery = LiveGame(open_game(folder))
    gallery.face_grid(None)
    edit(folder / AA, "</data>", "")
    reloaded(gallery, seconds=0)
    assert {"AA:A1:1:face", "AA:A2:1:face"} <= {*faces(gallery)}


def test_a_face_with_a_text_that_is_too_long_is_shown_with_the_fault(
    folder: Path, gallery: LiveGame
) -> None:
    before = hashes(gallery)[ANT]
    edit(folder / AA, 'name="Ant"', f'name="{"Antantantant" * 60}"')
    assert changed(reloaded(gallery)) == [ANT]
    face = faces(gallery)[ANT]
    assert face["hash"] not in {None, before}
    assert not face["stale"]
    assert "L001" in {finding["code"] for finding in face["findings"]}
    picture = gallery.pictures.svg(face["hash"])
    assert picture is not None
    assert b"#c8102e" in picture
