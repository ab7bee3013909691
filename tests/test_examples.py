"""The example games are whole: clean, complete, playable, and made of data alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pikepdf
import polib
import pytest

from conftest import ROOT, Run
from deckwright.base.findings import Report
from deckwright.book.shape import load_rulebook
from deckwright.checks.counting import assign_zones
from deckwright.cli.new import find_examples
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.languages.updating import list_texts
from deckwright.ops.model import (
    DrawGlyphs,
    FillPath,
    Gradient,
    Group,
    Op,
    walk,
)
from deckwright.xmlio.load import load_document
from homes import Home
from ops_as_text import format_face
from support import load_all, load_deck, page_texts

NAMES = ["duel", "festival", "mosaic", "moths", "orbit", "starter", "warlords", "woodland"]
WITH_BOOKS = [name for name in NAMES if name not in {"mosaic", "moths"}]
"""Those that are whole games in a box; one of the others is a workbook, one makes decks."""


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    return {name: load_all(ROOT / "examples" / name) for name in NAMES}


def decks_of(name: str, game: Game) -> list[Deck]:
    folder = ROOT / "examples" / name
    return [load_deck(folder, game, path.stem) for path in GameFolder(folder).deck_files()]


def of_kind(game: Game, faction: str, kind: str) -> list[Card]:
    return [c for c in game.cards.values() if (c.faction_id, c.kind.tag) == (faction, kind)]


def copies(game: Game, deck: Deck, **wanted: object) -> int:
    """Return how many copies of a deck have these values; a card of two parts is two."""
    return sum(
        line.entry.copies * line.card.parts
        for line in assign_zones(game, deck)
        if all({**line.card.fields, "kind": line.card.kind.tag}.get(k) == v
               for k, v in wanted.items())
    )  # fmt: skip


def test_these_are_all_examples() -> None:
    assert sorted(find_examples()) == sorted([*NAMES, "blank"])


@pytest.mark.corpus(8)
@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_clean(user_home: Home, name: str) -> None:
    result = user_home.know(ROOT / "examples" / name)
    assert (result.code, result.stderr) == (0, "")
    assert "no problems found" in result.stdout


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_data_alone(name: str) -> None:
    folder = ROOT / "examples" / name
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    endings = {path.suffix for path in files if path.parts[0] != "out"}
    own = {"moths": {".xlsx"}, "mosaic": {".txt"}}
    assert endings <= {".xml", ".svg", ".png", ".md", ".po"} | own.get(name, set())
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    source = source.replace(
        "duel, festival, mosaic, moths, orbit, starter, warlords or woodland", ""
    )
    source = source.replace("new my-game --like woodland", "")
    assert len(re.findall(rf"\b{name}\b", source)) == (1 if name == "starter" else 0)


@pytest.mark.corpus(8)
@pytest.mark.parametrize("name", sorted(NAMES, key=lambda name: name != "starter"))
def test_everything_that_an_example_needs_is_printed(run: Run, name: str, tmp_path: Path) -> None:
    folder = ROOT / "examples" / name
    result = run("build", "--game", str(folder), "--out", str(tmp_path), "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    decks = {f"deck_{path.stem}" for path in GameFolder(folder).deck_files()}
    assert len(decks) >= 2
    printed = {path.stem for path in tmp_path.glob("*.pdf")}
    books = {"markers", "rulebook"} if name in WITH_BOOKS else set()
    assert printed == decks | {"overview"} | books
    assert {path.name for path in tmp_path.glob("*.json")} == {f"{d}.manifest.json" for d in decks}
    readme = (folder / "README.md").read_text(encoding="utf-8")
    if counted := re.search(r"rulebook(?:.pdf`.* \|| of) (\w+)(?: A5)? pages", readme):
        with pikepdf.open(tmp_path / "rulebook.pdf") as book:
            assert counted[1] == str(len(book.pages))
    for path in tmp_path.glob("*.pdf"):
        with pikepdf.open(path) as pdf:
            assert pdf.check_pdf_syntax() == []
            for item in pdf.objects:
                if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor":
                    assert "/FontFile2" in item


@pytest.mark.parametrize("name", NAMES)
def test_a_new_game_is_a_copy_of_an_example(run: Run, name: str, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    assert run("new", str(target), "--like", name, "--name", 'Ours & "more"').exit_code == 0
    game = load_all(target)
    assert game.setup.name == 'Ours & "more"'
    texts = {(text.context, text.text) for text in list_texts(GameFolder(target))}
    for catalog in GameFolder(target).catalogs().values():
        assert {(entry.msgctxt, entry.msgid) for entry in polib.pofile(catalog)} == texts
    assert len(game.cards) == len(load_all(ROOT / "examples" / name).cards)
    readme = (target / "README.md").read_text(encoding="utf-8")
    assert readme.startswith('# Ours & "more"\n')
    assert f"the example `{name}`" in readme
    for place in re.findall(r"^\| `([^`]+)` \|", readme, re.MULTILINE):
        assert (target / place).exists()
    assert run("new", str(target)).exit_code == 2


@pytest.mark.corpus(3)
@pytest.mark.parametrize("name", WITH_BOOKS)
def test_a_new_games_rulebook_bears_its_name_on_cover_and_pages(
    run: Run, name: str, tmp_path: Path
) -> None:
    target = tmp_path / "mine"
    old = load_all(ROOT / "examples" / name).setup.name
    assert run("new", str(target), "--like", name, "--name", "Ours & <more>").exit_code == 0
    assert run("rulebook", "-g", str(target)).exit_code == 0
    words = [text.casefold() for text in page_texts(target / "out/rulebook.pdf")]
    assert "ours & <more>" in words[0]
    assert old.casefold() not in words[0]
    assert sum("ours & <more>" in text for text in words) > len(words) / 2
    # A card of warlords is called like the game.
    assert name == "warlords" or not any(old.casefold() in text for text in words)


@pytest.mark.parametrize("name", ["duel", "woodland"])
def test_a_new_name_may_hold_the_old_one_and_what_comments_cannot(
    run: Run, name: str, tmp_path: Path
) -> None:
    target = tmp_path / "mine"
    old = load_all(ROOT / "examples" / name).setup.name
    assert run("new", str(target), "--like", name, "--name", f"New {old} -- {old}").exit_code == 0
    found: Report = []
    book = load_rulebook(GameFolder(target), found)
    assert book is not None
    assert found == []
    assert book.get("title") == f"New {old} -- {old}"


@pytest.mark.parametrize("name", ["", " ", "a\x01b", "a\nb", "a\udcff"])
def test_a_name_that_could_not_be_written_is_refused(run: Run, name: str, tmp_path: Path) -> None:
    result = run("new", str(tmp_path / "mine"), "--name", name)
    assert result.exit_code == 2
    assert "the name of a game is one line of text, and not empty" in result.stderr
    assert not (tmp_path / "mine").exists()


def test_a_blank_game_is_empty_and_can_be_used(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    assert run("new", str(target), "--like", "blank", "--name", "Ours").exit_code == 0
    at = ("-g", str(target))
    game = load_all(target)
    assert (game.setup.name, len(game.cards), len(game.rules)) == ("Ours", 0, 0)
    assert (target / "README.md").read_text(encoding="utf-8").startswith("# Ours\n")
    assert {path.name for path in target.iterdir()} == {"README.md", "img", "templates", "xml"}
    assert run("fmt", "--check", *at).exit_code == 0
    for command in ("check", "proof", "build", "schema"):
        result = run(command, *at)
        assert result.exit_code == 0, result.stderr
    cards = target / "xml/Factions/A_cards.xml"
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text.replace("<!-- <card", "<card").replace("/> -->", "/>"), encoding="utf-8")
    deck = (
        '<data><meta main_faction_id="A" name="D"/><card faction_id="A" id="A1" amount="9"/></data>'
    )
    (target / "xml/Decks/d.xml").write_text(deck, encoding="utf-8")
    checked = run("check", *at)
    assert "2 cards and decks checked" in checked.stdout
    assert run("deck", "d", "--backs", *at).exit_code == 0
    assert run("proof", *at).exit_code == 0
    assert (target / "out/proof/A1.png").is_file()


def test_a_new_game_like_none_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("new", str(tmp_path / "mine"), "--like", "chess")
    assert result.exit_code == 2
    assert f"use one of {', '.join(f'`{name}`' for name in NAMES)}, `blank`" in result.stderr
    assert not (tmp_path / "mine").exists()


def test_festival_has_two_line_ups_of_thirty(games: dict[str, Game]) -> None:
    game = games["festival"]
    sizes = Counter(card.faction_id for card in game.cards.values())
    main = [f for f in game.factions.values() if not f.groups]
    assert len(main) >= 2
    assert len({faction.race for faction in main}) == len(main)
    assert all(sizes[faction.id] >= 10 for faction in main)
    counted = {limit.min for limit in game.setup.limits if limit.sum is None}
    summed = {limit.max for limit in game.setup.limits if limit.sum == "costs"}
    assert (30 in counted, summed) == (True, {240})
    assert {deck.faction_id for deck in decks_of("festival", game)} == {f.id for f in main}
    assert len(game.setup.markers) == 3


def test_duel_is_one_set_of_cards_in_two_colors(games: dict[str, Game]) -> None:
    game, folder = games["duel"], GameFolder(ROOT / "examples" / "duel")
    assert game.factions["red"].cards_of == "blue"
    names = ["blue-guests_cards.xml", "blue_cards.xml", "red-guests_cards.xml"]
    assert sorted(p.name for p in folder.card_files()) == names
    heroes = of_kind(game, "blue", "hero")
    assert len(heroes) == 25
    assert not any(card.fields["promo"] for card in heroes)
    assert len(of_kind(game, "blue", "wave")) == 2
    guests = [of_kind(game, f"{color}-guests", "hero") for color in ("blue", "red")]
    assert [len(four) for four in guests] == [4, 4]
    assert all(card.fields["promo"] for four in guests for card in four)
    report: Report = []
    factory = FaceFactory(game, folder, report)
    inks = re.compile("#[0-9a-f]{6}")
    differing = 0
    for card in heroes:
        faces = [factory.card_face(game.cards[f, card.id], f, report) for f in ("blue", "red")]
        blue, red = (format_face(face) for face in faces if face is not None)
        texts = [re.findall(r"text .*? at (.*)", face) for face in (blue, red)]
        assert texts[0] == texts[1]
        differing += inks.findall(blue) != inks.findall(red)
    assert report == []
    assert differing == len(heroes)


def test_duel_has_its_counters_and_a_zone_for_guests(games: dict[str, Game]) -> None:
    game = games["duel"]
    counters: Counter[str] = Counter()
    values: dict[str, set[int | None]] = {}
    for marker in game.setup.markers:
        counters[marker.id.partition("/")[0]] += marker.copies
        values.setdefault(marker.id.partition("/")[0], set()).add(marker.value)
    assert sorted(counters.values()) == [10, 60]
    assert {1, 3, 10, 20} in values.values()
    fields = {c.field for zone in game.setup.zones for group in zone.where for c in group}
    assert "promo" in fields
    blue, red = (
        next(d for d in decks_of("duel", game) if d.stem == name) for name in ("blue", "red")
    )
    own = [
        [(e.card_id, e.copies) for e in deck.entries if e.faction_id == color]
        for color, deck in (("blue", blue), ("red", red))
    ]
    assert own[0][:25] == own[1][:25]
    assert [entries[25:] for entries in own] == [[("first-wave", 1)], [("second-wave", 1)]]


def test_the_box_of_duel_holds_as_many_designs_as_it_says(games: dict[str, Game]) -> None:
    heroes = [card for (faction, _), card in games["duel"].cards.items()
              if faction == "blue" and card.kind.tag == "hero"]  # fmt: skip
    book = (ROOT / "examples/duel/xml/rulebook.xml").read_text(encoding="utf-8")
    assert re.findall(r"there are (\d+) designs of them", book) == [str(len(heroes))]


def test_woodland_is_a_deck_of_suits_and_a_law(games: dict[str, Game]) -> None:
    game = games["woodland"]
    assert len(game.cards) >= 18
    suits = Counter(card.fields["suit"] for card in game.cards.values())
    assert len(suits) == 4
    law = load_document(ROOT / "examples" / "woodland" / "xml" / "rulebook.xml", [])
    assert law is not None
    assert sum(node.tag in {"chapter", "section"} for node in law.walk()) >= 40
    assert any(
        fourth.children_named("section")
        for chapter in law.children_named("chapter")
        for second in chapter.children_named("section")
        for third in second.children_named("section")
        for fourth in third.children_named("section")
    )
    assert law.children[-1].tag == "index"
    two_sided = [marker for marker in game.setup.markers if marker.other]
    assert len(two_sided) >= 9


def test_woodland_prints_its_law_with_numbers_and_an_index(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "law.pdf"
    game = ROOT / "examples" / "woodland"
    assert run("rulebook", "--game", str(game), "--out", str(target)).exit_code == 0
    pages = page_texts(target)
    assert re.search(r"\b\d+\.\d+\.\d+\.II\b", " ".join(pages))
    assert re.search(r"\(\d+(?:\.[\dIVX]+)* [A-Z]", " ".join(pages))


def test_warlords_has_four_whole_armies(games: dict[str, Game]) -> None:
    game = games["warlords"]
    decks = decks_of("warlords", game)
    assert len({deck.faction_id for deck in decks}) == 4
    kinds = game.setup.kinds
    assert len({kinds[tag].back for tag in ("unit", "general", "strategy")}) == 3
    assert kinds["unit"].face == kinds["general"].face
    for deck in decks:
        assert copies(game, deck, kind="unit") == 16
        assert copies(game, deck, kind="general") == 2
        assert copies(game, deck, kind="strategy") == 7
        assert copies(game, deck, kind="strategy", initiative=0) == 1
    assert {card.parts for card in game.cards.values()} >= {1, 2, 3}


def test_the_strategies_of_warlords_are_each_army_s_own(games: dict[str, Game]) -> None:
    cards = [card for card in games["warlords"].cards.values() if card.kind.tag == "strategy"]
    later = [card.fields["initiative"] for card in cards if card.fields["initiative"]]
    assert len(later) == len(set(later)) == 24
    users: dict[str, set[str]] = {}
    for card in cards:
        if effect := card.fields.get("effect"):
            users.setdefault(str(effect), set()).add(card.faction_id)
    assert len(users) == 16
    assert {len(armies) for armies in users.values()} == {1}


def test_four_rounds_of_warlords_need_twelve_tiles(games: dict[str, Game]) -> None:
    tiles = [m for m in games["warlords"].setup.markers if m.id.startswith("conquest")]
    assert [(tile.value, tile.copies) for tile in tiles] == [(1, 4), (3, 4), (5, 4)]


def test_a_big_unit_is_printed_whole(games: dict[str, Game]) -> None:
    game, folder = games["warlords"], GameFolder(ROOT / "examples" / "warlords")
    report: Report = []
    factory = FaceFactory(game, folder, report)
    big = next(card for card in game.cards.values() if card.parts == 3)
    faces = [format_face(face) for face in factory.card_faces(big, big.faction_id, report)]
    assert report == []
    assert len(set(faces)) == 3
    for number, face in enumerate(faces, 1):
        assert f"{number}/3" in face.replace(" ", "")


def test_the_aid_cards_of_warlords_keep_their_texts_within_bands(games: dict[str, Game]) -> None:
    game, folder = games["warlords"], GameFolder(ROOT / "examples" / "warlords")
    report: Report = []
    factory = FaceFactory(game, folder, report)
    aids = [card for card in game.cards.values() if card.kind.tag == "aid"]
    assert aids
    for card in aids:
        (face,) = factory.card_faces(card, card.faction_id, report)
        texts, edges = list[tuple[float, float]](), list[float]()
        for op, top in standing(face.ops, 0):
            if isinstance(op, DrawGlyphs):
                texts.append((top + op.y - 0.73 * op.size, top + op.y + 0.22 * op.size))
            elif isinstance(op, FillPath) and top:
                places = [
                    [float(value) for value in numbers] for _, *numbers in op.outline if numbers
                ]
                if max(x for x, *_ in places) - min(x for x, *_ in places) > card.kind.width:
                    edges += [top + y for _, y, *_ in places]
        assert len(edges) > 8
        assert not [(y, text) for y in edges for text in texts if text[0] - 0.2 < y < text[1] + 0.2]


def standing(ops: Iterable[Op], top: float) -> Iterator[tuple[Op, float]]:
    """Yield ops that are only moved, with how far down they are."""
    for op in ops:
        if isinstance(op, Group):
            yield from standing(op.ops, top + (op.matrix[5] if op.matrix else 0))
        else:
            yield op, top


def test_the_skies_of_festival_are_gradients(games: dict[str, Game]) -> None:
    game, folder = games["festival"], GameFolder(ROOT / "examples" / "festival")
    report: Report = []
    factory = FaceFactory(game, folder, report)
    for card in game.cards.values():
        (face,) = factory.card_faces(card, card.faction_id, report)
        if card.fields.get("image") is None:
            assert any(isinstance(op, FillPath) and isinstance(op.color, Gradient)
                       for op in walk(face.ops)), card.id  # fmt: skip


def test_the_box_of_duel_holds_what_its_rulebook_says(games: dict[str, Game]) -> None:
    game = games["duel"]
    text = (ROOT / "examples" / "duel" / "xml" / "rulebook.xml").read_text(encoding="utf-8")
    heroes = of_kind(game, "blue", "hero")
    assert f"there are {len(heroes)} designs of them" in text
    for name in ("blue", "red"):
        deck = next(d for d in decks_of("duel", game) if d.stem == name)
        assert copies(game, deck, kind="hero", promo=False) == 25
        assert copies(game, deck, kind="hero", promo=True) == 4
        assert copies(game, deck, kind="wave") == 1
    assert "for each of you a company of 25 cards with two ends" in text
    assert 'for each of you four <term of="Guest">guests</term>' in text
    assert 'two <term of="Wave card">wave cards</term>, one for each of you' in text


def test_the_shipped_templates_know_no_faction_rank_or_row_of_either_game() -> None:
    folder = ROOT / "examples/orbit/templates"
    words = set()
    for root in (ROOT, ROOT / "examples/orbit"):
        game = load_all(root)
        terms = game.setup.vocabularies["rows"].terms
        words |= {*game.factions, *terms, *(faction.name for faction in game.factions.values())}
    for path in folder.rglob("*.xml"):
        shipped = ROOT / "templates" / path.relative_to(folder)
        if not shipped.is_file() or shipped.read_bytes() != path.read_bytes():
            continue  # orbit's own: its pictures, and the figures of its rulebook
        text = path.read_text(encoding="utf-8")
        found = {word for word in words if re.search(rf"[>'\"]{re.escape(word)}[0-9]?[<'\"]", text)}
        assert found == set(), path


def test_moths_is_a_workbook_and_two_decks_of_its_amounts(games: dict[str, Game]) -> None:
    folder, game = GameFolder(ROOT / "examples" / "moths"), games["moths"]
    names = {path.name for path in folder.xml.rglob("*") if path.is_file()}
    assert names == {"game.xml", "factions_definition.xml", "moths.xlsx", "de.po", "fr.po", "ja.po"}
    assert Counter(card.kind.tag for card in game.cards.values()) == {"guest": 12, "night": 5}
    decks = {deck.name: sum(e.copies for e in deck.entries) for deck in decks_of("moths", game)}
    assert decks == {"Evening": 26, "Long Night": 35}
    porter = game.cards["ALL", "night-porter"]
    assert str(porter.fields["text"]).count("\n") == 1


def test_mosaic_makes_decks_as_its_readme_says(run: Run, tmp_path: Path) -> None:
    folder, target = ROOT / "examples" / "mosaic", tmp_path / "run.jsonl"
    result = run(
        "generate", "-g", str(folder), "--seed", "winter", "--count", "300", "-o", str(target)
    )
    assert result.exit_code == 0
    decks = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert len({deck["name"] for deck in decks}) == 300
    strangers = 0
    for deck in decks:
        copies = Counter({each["id"]: each["amount"] for each in deck["cards"]})
        houses = Counter(each[:2] for each in copies.elements())
        strange = sum(each["amount"] for each in deck["cards"] if "values" in each)
        strangers += strange
        assert houses.pop("ST") == 1
        assert houses.total() == 24
        assert strange or set(houses.values()) == {8}
        assert not copies["EM9"] or copies["EM1"]
        assert not copies["TI9"] or copies["TI1"] >= 2
        assert ("mavericks" in deck["values"]) == (strange > 0)
    assert 10 < strangers < 60


def test_the_cards_of_mosaic_are_drawn_of_numbers(games: dict[str, Game]) -> None:
    cards = [card for card in games["mosaic"].cards.values() if card.kind.tag == "card"]
    assert Counter(card.faction_id for card in cards) == dict.fromkeys(
        ["EM", "TI", "GR", "DU", "SU"], 9
    )
    assert Counter(card.fields["rarity"] for card in cards) == {
        "common": 25,
        "uncommon": 15,
        "rare": 5,
    }


def test_orbit_has_factions_of_a_size_and_neutral_ones(games: dict[str, Game]) -> None:
    game = games["orbit"]
    sizes = Counter(card.faction_id for card in game.cards.values())
    main = [faction for faction in game.factions.values() if not faction.groups]
    assert len(main) == 4
    assert all(12 <= sizes[faction.id] <= 16 for faction in main)
    assert {deck.faction_id for deck in decks_of("orbit", game)} == {f.id for f in main}
    readme = (ROOT / "examples/orbit/README.md").read_text(encoding="utf-8")
    assert f"hands: {len(game.cards)} cards, {len(game.rules)} rules, three tokens" in readme
