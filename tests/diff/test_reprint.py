"""What has changed since a deck was printed: which faces to print again, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.diff import things
from deckwright.diff.manifest import CardFacts, Facts, Manifest, ManifestEntry
from deckwright.diff.manifest_changes import Changes, changed_since
from deckwright.game.kinds import FieldValue


def entry(
    name: str, copies: int = 1, face: str = "a", back: str | None = None, **fields: FieldValue
) -> ManifestEntry:
    """Return the entry of a card whose digests are made of single characters."""
    card = CardFacts("card", name.title(), {"costs": 3, **fields}, {"row": ({"name": "CLOSE"},)})
    return ManifestEntry("RW", name, 1, copies, face * 40, back and back * 40, card)


def printed(*entries: ManifestEntry, **rules: Facts) -> Manifest:
    return Manifest("1", "Game", "deck", "Deck", "a4", None, entries, rules, {})


def lines(old: Manifest, new: Manifest) -> tuple[list[str], int]:
    """Return what has changed in words, and how many faces must be printed."""
    changes = changed_since(old, new)
    return list(changes.lines), sum(changes.to_print.values())


def test_nothing_has_changed_where_all_is_the_same() -> None:
    old = printed(entry("a", 2), entry("b", back="c"))
    assert changed_since(old, old) == Changes({}, ())


@pytest.mark.parametrize(
    ("new", "said", "number"),
    [
        (entry("a", 2, "b", costs=2), "a A: costs 3 → 2", 2),
        (entry("a", 2, "b"), "a A: picture or layout changed", 2),
        (entry("a", 3), "a A: 2 → 3 copies", 1),
        (entry("a", 1), "a A: 2 → 1 copy", 0),
        (entry("a", 3, "b", costs=2), "a A: costs 3 → 2; 2 → 3 copies", 3),
        (entry("a", 2, costs=2), "a A: costs 3 → 2; its face is the same", 0),
        (entry("a", 2, back="b"), "a A: back was not printed", 2),
        (entry("a", 2, "b", gold=True), "a A: gold none → yes", 2),
        (entry("b", 2), "b B: was a", 0),
        (entry("b", 3), "b B: was a; 2 → 3 copies", 1),
    ],
)
def test_what_has_become_of_a_card(new: ManifestEntry, said: str, number: int) -> None:
    assert lines(printed(entry("a", 2)), printed(new)) == ([said], number)


def test_cards_that_are_new_or_gone() -> None:
    found = lines(printed(entry("a")), printed(entry("b", 2, "b")))
    assert found == (["b B: new", "a A: gone"], 2)


def test_a_back_that_is_not_printed_any_more_is_no_change() -> None:
    assert lines(printed(entry("a", back="b")), printed(entry("a"))) == ([], 0)
    found = lines(printed(entry("a", back="b")), printed(entry("a", back="c")))
    assert found == (["a A: back changed"], 1)


def test_a_rule_whose_text_a_face_shows_is_named_and_no_other() -> None:
    def with_rules(face: str, *ids: str) -> ManifestEntry:
        before = entry("a", 1, face)
        return before._replace(card=before.card._replace(rules=dict.fromkeys(ids, "Rally")))

    old: Facts = {"effect": "Another unit in this row gains two strength.", "cost": 1}
    new: Facts = {"effect": "Another unit in this row gains three strength.", "cost": 1}
    was = printed(with_rules("a", "ra1", "ra2"), ra1=old, ra2=old)
    shown = printed(with_rules("b", "ra1", "ra2"), ra1=new, ra2=old)
    hidden = printed(with_rules("a", "ra1", "ra2"), ra1=new, ra2=old)
    assert lines(was, shown) == (["a A: rule ra1: effect changed"], 1)
    assert lines(was, hidden) == ([], 0)


def test_the_parts_of_a_card_are_told_apart() -> None:
    def parts(*faces: str) -> Manifest:
        return printed(*(entry("a", 1, face)._replace(part=n) for n, face in enumerate(faces, 1)))

    assert lines(parts("a", "b"), parts("a", "c")) == (
        ["a A: part 2: picture or layout changed"],
        1,
    )
    assert lines(parts("a"), parts("a", "b")) == (["a A: part 2 added"], 1)
    assert lines(parts("a", "b"), parts("a")) == (["a A: part 2 removed"], 0)


def test_cards_with_one_id_are_told_apart_by_their_factions() -> None:
    def both(face: str) -> Manifest:
        return printed(entry("a", 1, face), entry("a", 1, face)._replace(faction_id="EC"))

    assert lines(both("a"), both("b"))[0] == [
        "RW/a A: picture or layout changed",
        "EC/a A: picture or layout changed",
    ]


few = st.lists(
    st.builds(entry, st.sampled_from("abcd"), st.integers(1, 3), st.sampled_from("xyz")),
    unique_by=lambda item: item.key,
).map(lambda items: printed(*items))


@given(few, few)
def test_as_little_is_printed_as_can_be_and_nothing_is_kept_quiet(
    old: Manifest, new: Manifest
) -> None:
    changes = changed_since(old, new)

    def faces(manifest: Manifest) -> Counter[str]:
        return Counter({e.face: 0 for e in manifest.entries}) + sum(
            (Counter({e.face: e.copies}) for e in manifest.entries), Counter[str]()
        )

    wanted = sum((Counter({e.face: changes.to_print.get(e.key, 0)}) for e in new.entries),
                 Counter[str]())  # fmt: skip
    assert +wanted == faces(new) - faces(old)
    told = {(change.faction_id, change.card_id) for change in changes.cards}
    assert {key[:2] for key in changes.to_print} <= told
    assert (old.entries != new.entries) >= bool(told)
    assert {e.key for e in old.entries} == {e.key for e in new.entries} or told


values = st.one_of(st.none(), st.booleans(), st.integers(-5, 99), st.text(max_size=60))


@given(st.dictionaries(st.text("abc", min_size=1), values, min_size=1), st.data())
def test_any_single_field_that_changes_is_named(
    fields: Mapping[str, FieldValue], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(fields)))
    new = data.draw(values.filter(lambda value: value != fields[name]))
    old_card, new_card = (
        CardFacts("card", "A", table) for table in (fields, {**fields, name: new})
    )
    (found,) = things.compare_cards(old_card, new_card)
    assert (found.name, found.old, found.new) == (name, fields[name], new)
    assert found.words.startswith((f"{name} ", f"{name} changed: "))


def rows(*names: str) -> CardFacts:
    return CardFacts("card", "A", {}, {"row": tuple({"name": name} for name in names)})


def bars(*bars: tuple[str, str]) -> CardFacts:
    return CardFacts("card", "A", {}, {"bar": tuple({"at": at, "text": text} for at, text in bars)})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (rows("CLOSE", "RANGED"), rows("RANGED"), ["row CLOSE removed"]),
        (rows("CLOSE"), rows("CLOSE", "RANGED"), ["row RANGED added"]),
        (rows("CLOSE"), rows("RANGED"), ["row CLOSE → RANGED"]),
        (rows("CLOSE", "RANGED"), rows("RANGED", "CLOSE"), ["order of row changed"]),
        (rows(), rows("A", "B"), ["row A added", "row B added"]),
        (bars(("front", "one")), bars(("front", "two")), ["bar front: text one → two"]),
        (bars(("front", "one")), bars(("rear", "one")), ["bar rear added", "bar front removed"]),
        (bars(("a", "1"), ("b", "2")), bars(("b", "2"), ("a", "1")), ["order of bar changed"]),
        (bars(("a", "1"), ("a", "2")), bars(("a", "1"), ("a", "3")), ["bar 2: text 2 → 3"]),
    ],
)
def test_children_that_change_are_named(old: CardFacts, new: CardFacts, said: list[str]) -> None:
    assert [difference.words for difference in things.compare_cards(old, new)] == said


def test_of_a_long_text_the_part_that_differs_is_told() -> None:
    old = "All of the units at the bridge lose one strength at the end of the round."
    new = old.replace("lose one", "gain two points of")
    assert things.compare_values("effect", old, new).words == (
        "effect changed: “… at the bridge lose one strength at the …” → "
        "“… at the bridge gain two points of strength at the …”"
    )
    assert things.compare_values("effect", old, None).words.endswith("→ none")
