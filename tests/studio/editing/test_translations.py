"""Translations in the studio: the wall in a language, forms of texts, previews and saving."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest
from PIL import Image
from starlette.testclient import TestClient

from deckwright.game.folder import GameFolder
from deckwright.languages.updating import update_catalog
from deckwright.studio.live_game import LiveGame
from editors import cards_of, field, page_of, session_of, write_game_to_edit
from support import FACE, page_texts
from visitors import ORIGIN, authorize, stranger_of

Json = dict[str, Any]
CARD = "fr/card/AA:A1"
NAME, TEXT, RULE = "card/AA:A1/name", "card/AA:A1/text", "rule/dig/effect"


@pytest.fixture(name="game")
def _game(tmp_path: Path) -> Path:
    """A game with a French catalog: its queen is translated, the effect of a rule is fuzzy."""
    folder = write_game_to_edit(tmp_path / "game")
    path, rules = folder / "xml" / "lang" / "fr.po", folder / "xml" / "rules.xml"
    motto = '<text x="5" y="30" width="55" height="9">Strong</text></face>'
    (folder / "templates" / "card.xml").write_text(FACE.replace("</face>", motto), "utf-8")
    text = rules.read_text("utf-8").replace('GEN="Digs"', 'GEN="Digs" Bees="Buzzes"')
    rules.write_text(text, "utf-8")
    update_catalog(GameFolder(folder), path)
    set_entry(folder, "It digs.", "Elle creuse.")
    set_entry(folder, "Queen", "Reine")
    rules.write_text(rules.read_text("utf-8").replace("It digs.", "It digs 2."), "utf-8")
    update_catalog(GameFolder(folder), path)
    return folder


@pytest.fixture(name="page")
def _page(game: Path) -> Iterator[TestClient]:
    yield from page_of(game)


def catalog_of(game: Path) -> Any:
    return polib.pofile(game / "xml" / "lang" / "fr.po")


def set_entry(game: Path, source: str, translation: str) -> None:
    catalog = catalog_of(game)
    catalog.find(source).msgstr = translation
    catalog.save()


def ask(page: TestClient, path: str, status: int = 200, **given: str) -> Any:
    answer = page.get(path, params=given)
    assert answer.status_code == status, answer.text
    return answer.json()


def tell(page: TestClient, what: str, status: int = 200, **body: object) -> Json:
    answer = page.post(f"/api/{what}", json=body)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def form_of(page: TestClient, page_id: str = CARD) -> Json:
    return dict(ask(page, "/api/translation/form", id=page_id))


def save(page: TestClient, values: Json, status: int = 200, **more: object) -> Json:
    state = form_of(page)["state"]
    given = {"id": CARD, "state": state, "values": values, **more}
    return tell(page, "translation/save", status, **given)


def names_of(wall: Json) -> list[str]:
    return list(dict.fromkeys(face["name"] for face in wall["faces"] if not face["token"]))


def grid_of(live_game: LiveGame) -> Json:
    return dict(live_game.face_grid(None))


def test_the_wall_is_shown_in_each_language(page: TestClient) -> None:
    wall = ask(page, "/api/wall")
    assert (wall["game"]["shown"], wall["game"]["languages"]) == ("", ["fr"])
    assert names_of(wall) == ['Ant & "Son"', "Queen"]
    tell(page, "language", language="fr")
    wall = ask(page, "/api/wall")
    assert wall["game"]["shown"] == "fr"
    assert names_of(wall) == ['Ant & "Son"', "Reine"]
    tell(page, "language", language="en-XA")
    assert names_of(ask(page, "/api/wall"))[1].startswith("[Qûééñ")
    tell(page, "language", language="")
    assert names_of(ask(page, "/api/wall")) == ['Ant & "Son"', "Queen"]


def test_what_is_edited_stays_in_the_language_of_the_game(page: TestClient) -> None:
    tell(page, "language", language="fr")
    form = ask(page, "/api/edit/form", of="card", faction="AA", id="A2")
    assert (form["title"], field(form, "name")["value"]) == ("Queen", "Queen")
    assert ask(page, "/api/game")["name"] == "Test"


def test_a_language_that_is_not_there_or_broken_is_refused_with_its_place(
    page: TestClient, game: Path
) -> None:
    refused = tell(page, "language", 400, language="de")
    assert "no language `de`" in refused["message"]
    (game / "xml" / "lang" / "fr.po").write_text('msgid ""\nnonsense\n', "utf-8")
    (finding,) = tell(page, "language", 422, language="fr")["findings"]
    assert (finding["code"], finding["path"], finding["line"]) == ("P001", "xml/lang/fr.po", 2)
    assert ask(page, "/api/wall")["game"]["shown"] == ""


def test_the_wall_follows_a_catalog_that_changes_and_tells_where_it_breaks(game: Path) -> None:
    session = session_of(game)
    live_game, path = session.live_game, game / "xml" / "lang" / "fr.po"
    live_game.face_grid(None)
    live_game.switch_language("fr")
    live_game.compose(60)
    before = {face["key"]: face["hash"] for face in grid_of(live_game)["faces"]}
    set_entry(game, "Queen", "Grande Reine")
    event = live_game.reload(seconds=60)
    assert event is not None
    (changed,) = event["faces"][""]
    assert (changed["key"], changed["name"]) == ("AA:A2:1:face", "Grande Reine")
    assert changed["hash"] != before["AA:A2:1:face"]
    sound = path.read_bytes()
    path.write_bytes(sound + b"\nnonsense\n")
    event = live_game.reload()
    assert event is not None
    assert event["state"] is not None
    place = [(each["code"], each["path"]) for each in event["state"]["findings"]]
    assert place[0] == ("P001", "xml/lang/fr.po")
    path.write_bytes(sound)
    event = live_game.reload()
    assert event is not None
    assert event["state"] is not None
    assert "P001" not in {each["code"] for each in event["state"]["findings"]}
    session.end()


def test_a_text_of_a_template_and_a_label_change_all_faces(game: Path) -> None:
    session = session_of(game)
    live_game = session.live_game
    live_game.face_grid(None)
    live_game.switch_language("fr")
    live_game.compose(60)
    before = grid_of(live_game)
    set_entry(game, "Sum", "Somme")
    set_entry(game, "Strong", "Fort")
    event = live_game.reload(seconds=60)
    assert event is not None
    assert event["whole"]
    after = grid_of(live_game)
    assert [each["game"]["labels"]["sum"] for each in (before, after)] == ["Sum", "Somme"]
    faces = [face["hash"] for grid in (before, after) for face in grid["faces"]]
    assert len(faces) == len({*faces})
    # What is edited follows the files as well.
    cards_of(game).write_text(
        cards_of(game).read_text("utf-8").replace("Queen", "Empress"), "utf-8"
    )
    live_game.reload(seconds=60)
    assert live_game.own.model.cards["AA", "A2"].name == "Empress"
    session.end()


def test_all_texts_are_listed_with_their_states(page: TestClient) -> None:
    texts = {each["name"]: each for each in ask(page, "/api/translation/list", language="fr")}
    assert texts["card/AA:A2/name"]["state"] == "done"
    assert texts[NAME] == {
        "page": "card/AA:A1",
        "name": NAME,
        "state": "missing",
        "source": 'Ant & "Son"',
    }
    assert texts[RULE]["state"] == "fuzzy"
    pages = {each["page"] for each in texts.values()}
    assert {"rule/dig", "token/call/1", "word", "term/levels", "deck", "kind/card"} <= pages


def test_a_form_has_the_texts_of_a_card_and_of_its_rules(page: TestClient) -> None:
    form = form_of(page)
    assert (form["title"], form["kind"], form["language"]) == ('Ant & "Son"', "fr", "en")
    names = [each["name"] for each in form["fields"]]
    assert names[:2] == [NAME, TEXT]
    assert {RULE, "rule/dig/label/GEN"} <= {*names}
    assert "rule/dig/label/Bees" not in names  # of another race
    assert not any(name.startswith(("rule/call", "token/")) for name in names)
    rule = field(form, RULE)
    assert rule["source"] == "It digs 2."
    assert (rule["value"], rule["former"], rule["group"]) == ("Elle creuse.", "It digs.", "Digs")
    assert rule["fuzzy"]


@pytest.mark.parametrize("page_id", ["fr/word", "fr/term/levels", "fr/deck", "fr/rule/dig"])
def test_texts_that_are_on_no_card_have_forms(page: TestClient, page_id: str) -> None:
    form = form_of(page, page_id)
    assert form["fields"]
    answer = tell(page, "translation/preview", id=page_id, state=form["state"])
    assert bool(answer["faces"]) == page_id.startswith("fr/rule")
    assert answer["ok"]


@pytest.mark.parametrize("page_id", ["fr/card/AA:A9", "de/card/AA:A1", "fr", "", "fr/card/"])
def test_what_is_not_there_is_refused(page: TestClient, page_id: str) -> None:
    ask(page, "/api/translation/form", 400, id=page_id)
    tell(page, "translation/preview", 400, id=page_id)
    tell(page, "translation/save", 400, id=page_id)


def test_the_face_shows_what_is_typed_and_findings_are_at_their_fields(page: TestClient) -> None:
    tell(page, "language", language="fr")
    first = tell(page, "translation/preview", id=CARD)
    typed = tell(page, "translation/preview", id=CARD, values={NAME: "Fourmi"})
    assert typed["faces"][0]["hash"] != first["faces"][0]["hash"]
    assert typed["findings"] == []
    # A fuzzy translation is not printed.
    fuzzy = tell(
        page, "translation/preview", id=CARD, values={NAME: "Fourmi", f"{NAME}?fuzzy": "true"}
    )
    assert fuzzy["faces"][0]["hash"] == first["faces"][0]["hash"]
    wrong = tell(
        page,
        "translation/preview",
        id=CARD,
        values={RULE: "Elle creuse 3.", f"{RULE}?fuzzy": "false"},
    )
    (finding,) = wrong["findings"]
    assert (finding["code"], finding["field"], finding["here"]) == ("P005", RULE, True)
    long = tell(page, "translation/preview", id=CARD, values={NAME: "Fourmi " * 60})
    (finding,) = long["findings"]
    assert (finding["code"], finding["field"]) == ("L001", NAME)
    assert long["faces"][0]["faulty"]


@pytest.mark.parametrize("width", [78, 0])
def test_saving_writes_what_was_translated_and_nothing_else(
    page: TestClient, game: Path, width: int
) -> None:
    path, catalog = game / "xml" / "lang" / "fr.po", catalog_of(game)
    catalog.find("Queen").msgstr, catalog.wrapwidth = "Reine " * 30, width
    catalog.save()
    before = path.read_text("utf-8")
    others = {each: each.read_bytes() for each in game.rglob("*.xml")}
    tell(page, "language", language="fr")
    values = {NAME: "Fourmi", f"{RULE}?fuzzy": "false", RULE: "Elle creuse 2."}
    form = save(page, values)["form"]
    assert field(form, NAME)["value"] == "Fourmi"
    wanted = before.replace(
        'msgid "Ant & \\"Son\\""\nmsgstr ""', 'msgid "Ant & \\"Son\\""\nmsgstr "Fourmi"'
    )
    wanted = wanted.replace('#, fuzzy\n#| msgid "It digs."\n', "")
    wanted = wanted.replace('"Elle creuse."', '"Elle creuse 2."')
    assert path.read_text("utf-8") == wanted != before
    assert others == {each: each.read_bytes() for each in game.rglob("*.xml")}
    assert names_of(ask(page, "/api/wall")) == ["Fourmi", "Reine " * 30]


def test_a_translation_with_an_error_is_saved_on_demand_only(page: TestClient, game: Path) -> None:
    before = (game / "xml" / "lang" / "fr.po").read_bytes()
    refused = save(page, {TEXT: "Piochez 3 cartes."}, 422)
    (finding,) = refused["findings"]
    assert (finding["code"], finding["field"], finding["here"]) == ("P005", TEXT, True)
    assert refused["anyway"]
    assert (game / "xml" / "lang" / "fr.po").read_bytes() == before
    save(page, {TEXT: "Piochez 3 cartes.", f"{TEXT}?fuzzy": "true"})  # it is not printed
    save(page, {TEXT: "Piochez 3 cartes.", f"{TEXT}?fuzzy": "false"}, anyway=True)
    assert "Piochez 3 cartes." in {e.msgstr for e in catalog_of(game) if not e.fuzzy}


def test_a_translation_can_be_marked_as_fuzzy_and_emptied(page: TestClient, game: Path) -> None:
    save(page, {NAME: "Fourmi", f"{NAME}?fuzzy": "true"})
    entry = next(e for e in catalog_of(game) if e.msgctxt == NAME)
    assert (entry.msgstr, entry.fuzzy) == ("Fourmi", True)
    save(page, {NAME: None})
    entry = next(e for e in catalog_of(game) if e.msgctxt == NAME)
    assert (entry.msgstr, entry.fuzzy) == ("", False)


def test_a_text_that_the_catalog_lacks_is_translated_as_well(page: TestClient, game: Path) -> None:
    cards = cards_of(game)
    cards.write_text(cards.read_text("utf-8").replace("Draw <b>two</b>", "Draw <b>no</b>"), "utf-8")
    page.app.app.state.session.live_game.own.reload()  # type: ignore[attr-defined]
    form = save(page, {TEXT: "Ne piochez **pas**."})["form"]
    assert field(form, TEXT)["source"] == "Draw **no** cards."
    entry = next(e for e in catalog_of(game) if e.msgctxt == TEXT and not e.obsolete)
    assert (entry.msgid, entry.msgstr) == ("Draw **no** cards.", "Ne piochez **pas**.")


def test_what_another_has_translated_is_a_conflict_and_elsewhere_is_none(
    page: TestClient, game: Path
) -> None:
    form = form_of(page)
    set_entry(game, "Queen", "Grande Reine")
    given = {"id": CARD, "state": form["state"], "values": {NAME: "Fourmi"}}
    saved = tell(page, "translation/save", **given)
    assert field(saved["form"], NAME)["value"] == "Fourmi"
    set_entry(game, 'Ant & "Son"', "Termite")
    given = {**given, "state": saved["form"]["state"], "values": {NAME: "Grande fourmi"}}
    conflict = tell(page, "translation/save", 409, **given)
    assert field(conflict["form"], NAME)["value"] == "Termite"
    assert {e.msgstr for e in catalog_of(game)} >= {"Termite", "Grande Reine"}
    tell(page, "translation/save", **{**given, "state": conflict["form"]["state"]})
    assert "Grande fourmi" in {e.msgstr for e in catalog_of(game)}


def test_a_broken_catalog_is_told_with_its_place_and_never_written(
    page: TestClient, game: Path
) -> None:
    form = form_of(page)
    path = game / "xml" / "lang" / "fr.po"
    path.write_text('msgid ""\nmsgstr ""\n\nmsgid "a"\nnonsense\n', "utf-8")
    broken = path.read_bytes()
    for answer in (
        ask(page, "/api/translation/form", 422, id=CARD),
        ask(page, "/api/translation/list", 422, language="fr"),
        tell(page, "translation/save", 422, id=CARD, state=form["state"], values={NAME: "F"}),
    ):
        (finding,) = answer["findings"]
        assert (finding["code"], finding["path"]) == ("P001", "xml/lang/fr.po")
        assert finding["line"] == 5
    assert path.read_bytes() == broken


def test_a_studio_that_only_looks_saves_nothing(game: Path) -> None:
    with stranger_of(session_of(game, read_only=True)) as client:
        page = authorize(client)
        page.headers["origin"] = ORIGIN
        form = form_of(page)
        assert not form["editable"]
        given = {"id": CARD, "state": form["state"], "values": {NAME: "Fourmi"}}
        assert tell(page, "translation/save", 400, **given)["word"] == "looks-only"


def test_sheets_and_jobs_are_in_the_language_that_is_shown(page: TestClient, game: Path) -> None:
    (game / "img").mkdir()
    Image.new("RGB", (600, 600)).save(game / "img" / "a.png")
    wanted: Json = {"thing": "decks", "of": ["other"], "options": {}}
    names: list[str] = []
    for language in ("", "fr", "en-XA"):
        tell(page, "language", language=language)
        (document, *_) = tell(page, "print/preview", **wanted)["documents"]
        names += {slot["name"] for sheet in document["pages"] for slot in sheet["slots"]}
    assert names == ["Queen", "Reine", "[Qûééñ Qû]"]
    tell(page, "language", language="fr")
    tell(page, "print/jobs", **wanted)
    while not (job := ask(page, "/api/print/jobs")["jobs"][0])["ended"]:
        time.sleep(0.05)
    assert job["state"] == "done", job
    assert [each["code"] for each in job["findings"]] == ["P003"]
    assert Path(job["folder"]) == game / "out" / "fr"
    assert any("Reine" in text for text in page_texts(game / "out" / "fr" / "deck_other.pdf"))
