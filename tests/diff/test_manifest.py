"""Manifests: what was printed of a deck, in a file, and what it says of the next print."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from test_reprint import entry, lines, printed

import support
from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.base.output import OutputError, report_failure
from deckwright.diff.manifest import (
    CardFacts,
    Digests,
    Manifest,
    ManifestEntry,
    deck_manifest,
    iter_text,
    manifest_path,
    read_manifest,
    write_manifest,
)
from deckwright.diff.manifest_changes import changed_since
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder


def copies_of(folder: Path, name: str) -> tuple[list[Copy], Manifest, Digests]:
    """Return the copies of a deck's cards with its manifest."""
    report: Report = []
    game = support.load_all(folder)
    deck = support.load_deck(folder, game, name)
    factory = FaceFactory(game, GameFolder(folder), report)
    copies = [
        Copy(card, card.faction_id, face)
        for entry in deck.entries
        for card in [game.cards[entry.faction_id, entry.card_id]]
        for _ in range(entry.copies)
        for face in factory.card_faces(card, card.faction_id, report)
    ]
    assert report == []
    digests = Digests(factory.fonts)
    return copies, deck_manifest(game, deck, copies, digests, sheet="a4", style=None), digests


def manifest(folder: Path, name: str = "river") -> Manifest:
    return copies_of(folder, name)[1]


def test_a_manifest_holds_what_is_printed(small: Path) -> None:
    made = manifest(small)
    assert (made.game, made.deck, made.title) == ("Lantern Tide", "river", "High Water")
    assert [(*entry.key, entry.copies) for entry in made.entries] == [
        ("RW", "RW5", 1, 1),
        ("RW", "RW4", 1, 1),
        ("RW", "RW3", 1, 1),
        ("RW", "RW2", 1, 1),
        ("RW", "RW1", 1, 2),
        ("WF", "WF1", 1, 1),
    ]
    assert made.entries[4].card.fields["costs"] == 2
    assert made.entries[4].card.children["row"] == ({"name": "RANGED"},)
    assert made.entries[3].card.rules == {"ra001": "Rally"}
    assert made.rules["ra001"]["cost"] == 1
    assert made.factions["RW"]["faction_name"] == "River Wardens"


def test_a_manifest_is_written_and_read_and_has_the_same_bytes_anywhere(
    small: Path, tmp_path: Path
) -> None:
    made, path = manifest(small), manifest_path(tmp_path / "out" / "deck_river.pdf")
    assert path.name == "deck_river.manifest.json"
    write_manifest(made, path)
    assert read_manifest(path, "Lantern Tide") == made
    shutil.copytree(small, tmp_path / "elsewhere")
    assert "".join(iter_text(manifest(tmp_path / "elsewhere"))).encode() == path.read_bytes()


plain = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3))
tables = st.dictionaries(st.text(max_size=3), plain, max_size=2)
digests_ = st.sampled_from(["0" * 40, "a" * 40, "f" * 40])
facts = st.builds(
    CardFacts,
    st.text(max_size=3),
    st.text(max_size=3),
    tables,
    st.dictionaries(st.text(max_size=3), st.lists(tables, max_size=2).map(tuple), max_size=2),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
)
entries = st.lists(
    st.builds(
        ManifestEntry,
        st.sampled_from(["HK", "HH"]),
        st.sampled_from(["1", "2", "\u2028\ud800"]),
        st.integers(1, 2),
        st.integers(1, 3),
        digests_,
        st.one_of(st.none(), digests_),
        facts,
    ),
    unique_by=lambda entry: entry.key,
    max_size=4,
).map(tuple)
manifests = st.builds(
    Manifest,
    *[st.text(max_size=3)] * 5,
    st.one_of(st.none(), st.text(max_size=3)),
    entries,
    st.dictionaries(st.text(max_size=3), tables, max_size=2),
    st.dictionaries(st.text(max_size=3), tables, max_size=2),
)


@given(made=manifests)
def test_any_manifest_is_read_as_it_was_written(
    made: Manifest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("manifests") / "a.manifest.json"
    write_manifest(made, path)
    assert read_manifest(path) == made


def _places(value: object, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all values inside of a JSON value."""
    yield place
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from _places(inner, (*place, key))


TREE: Any = json.loads(
    "".join(iter_text(printed(entry("a"), entry("b", back="b"), mp001={"cost": 1})))
)


@given(
    place=st.sampled_from([place for place in _places(TREE) if place]),
    other=st.one_of(plain, st.sampled_from([[], {}, [[1]], {"a": [1.5]}, "DELETED"])),
)
def test_a_damaged_manifest_is_reported_once_or_is_one(
    place: tuple[Any, ...], other: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Any value of a manifest may have become another, and any may be missing."""
    tree = copy.deepcopy(TREE)
    inner = tree
    for key in place[:-1]:
        inner = inner[key]
    if other == "DELETED":
        del inner[place[-1]]
    else:
        inner[place[-1]] = other
    path = tmp_path_factory.mktemp("manifests") / "a.json"
    path.write_text(json.dumps(tree), encoding="utf-8")
    report: Report = []
    with report_failure(report):
        read_manifest(path)
    assert {finding.code.id for finding in report} <= {"E020", "E021"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "what starts here is not JSON"),
        (b'{"format": \xff}', "the file is not a manifest"),
        (b"[" * 100_000, "the file is not a manifest"),
        (b"1" * 10_000, "the file is not a manifest"),
        (b'{"format": NaN}', "the file is not a manifest"),
        (b'{"format": "other"}', "the file is not a manifest"),
        (b'{"format": "deckwright-manifest"}', "format version None"),
        (b'{"format": "deckwright-manifest", "version": 2}', "format version 2"),
        (b'{"format": "deckwright-manifest", "version": 1}', "`entries` is not a list"),
    ],
)
def test_what_is_no_manifest_is_said(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a.manifest.json"
    path.write_bytes(data)
    with pytest.raises(OutputError) as error:
        read_manifest(path)
    (finding,) = error.value.findings
    assert said in finding.message
    assert finding.location
    assert finding.location.path == path


def test_the_place_of_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.manifest.json"
    path.write_text(
        "".join(iter_text(printed(entry("a")))).replace('"copies": 1', '"copies": ,'), "utf-8"
    )
    with pytest.raises(OutputError) as error:
        read_manifest(path)
    location = error.value.findings[0].location
    assert location is not None
    assert location.line == 11
    assert location.column > 1


@pytest.mark.parametrize("name", ["none.json", "."])
def test_a_manifest_that_is_no_file_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError) as error:
        read_manifest(tmp_path / name)
    assert [finding.code.id for finding in error.value.findings] == ["X006"]


def test_a_deck_that_has_changed_is_printed_in_part(small: Path) -> None:
    _, old, _ = copies_of(small, "river")
    cards = small / "xml" / "Factions" / "RW_cards.xml"
    edit(cards, 'id="RW2" name="Ferryman" faction_id="RW" level="1" strength="3"',
         'id="RW2" name="Ferryman" faction_id="RW" level="1" strength="4"')  # fmt: skip
    edit(cards, '<row name="RANGED"/>\n    <rule id="rp001"/>', '<rule id="rp001"/>')
    edit(small / "xml" / "Decks" / "river.xml", 'id="RW1" amount="2"', 'id="RW1" amount="4"')
    copies, new, digests = copies_of(small, "river")
    changes = changed_since(old, new)
    assert changes.lines == (
        "RW5 Mother Flood: row RANGED removed",
        "RW2 Ferryman: strength 3 → 4",
        "RW1 Reed Scout: 2 → 4 copies",
    )
    chosen = changes.select(copies, digests)
    assert [copy.card.id for copy in chosen] == ["RW5", "RW2", "RW1", "RW1"]


def test_a_picture_counts_by_its_pixels(small: Path) -> None:
    old = manifest(small)
    Image.new("RGB", (700, 700), "red").save(small / "img" / "lantern.png")
    assert lines(old, manifest(small)) == (["RW5 Mother Flood: picture or layout changed"], 1)


def test_a_printed_deck_is_compared_with_what_it_would_be_now(small: Path, run: Run) -> None:
    path = small / "out" / "deck_river.manifest.json"
    write_manifest(manifest(small), path)
    told = run("diff", "out/deck_river.manifest.json", "--exit-code")
    # It was made without the tokens of the deck.
    assert told.stdout == "ra002/1 Otter: new\n1 card new; 2 faces to print\n"
    assert told.exit_code == 1
    edit(small / "xml" / "Factions" / "RW_cards.xml", 'name="Ferryman"', 'name="Ferrywoman"')
    path.with_name("deck_river.pdf").write_bytes(b"")
    told = run("diff", "out/deck_river.pdf", "-q")
    assert told.stdout == "RW2 Ferrywoman: name Ferryman → Ferrywoman\nra002/1 Otter: new\n"
    assert told.exit_code == 0
    as_told = json.loads(run("diff", str(path), "--format", "json").stdout)
    assert as_told["changes"][0]["differences"] == [
        {
            "name": "name",
            "old": "Ferryman",
            "new": "Ferrywoman",
            "words": "name Ferryman → Ferrywoman",
        }
    ]


def test_two_printed_decks_are_compared(small: Path, run: Run) -> None:
    for name in ("river", "ember"):
        write_manifest(manifest(small, name), small / f"{name}.json")
    told = run("diff", "river.json", "ember.json")
    assert "EC5" in told.stdout
    assert "RW5 Mother Flood: gone\n" in told.stdout
    assert run("diff", "river.json", "river.json").stdout == "nothing has changed\n"


@pytest.mark.parametrize("arguments", [["--pdf"], ["HEAD"], ["xml"]])
def test_a_printed_deck_cannot_be_compared_with_all(
    small: Path, run: Run, arguments: list[str]
) -> None:
    write_manifest(manifest(small), small / "river.json")
    told = run("diff", "river.json", *arguments)
    assert told.exit_code == 2
    assert "a print" in told.stderr
