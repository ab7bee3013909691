"""Cards as tables: what is written, what is read back, and what of the files that changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from changed_tables import copied, files_of, rewrite, set_csv, table

from conftest import ROOT, SMALL, Run, edit
from support import card, line, write_game

GAMES = [ROOT, SMALL, SMALL.with_name("foreign"), *sorted((ROOT / "examples").iterdir())]


@pytest.fixture
def cards(small: Path, run: Run) -> Path:
    """The small game's cards as CSV."""
    assert run("export", "csv").exit_code == 0
    return small / "out" / "csv" / "card.csv"


def test_a_kind_of_card_is_a_file_and_a_card_a_row(cards: Path) -> None:
    rows = table(cards)
    assert rows[0] == ["id", "faction_id", "name", "level", "strength", "actions", "costs",
                       "cardclass", "image", "rows", "rules"]  # fmt: skip
    assert rows[5] == ["EC5", "EC", "The Cinder Queen", "3", "8", "2", "9", "Noble", "",
                       "RANGED; SUPPORT", "rp001; ra003"]  # fmt: skip
    assert len(rows) == 16
    assert table(cards.with_name("token.csv"))[1][:2] == ["ra002/1", "Otter"]
    decks = table(cards.with_name("decks.csv"))
    assert decks[0] == ["faction_id", "id", "name", "ember", "river"]
    assert decks[1] == ["EC", "EC1", "Torchbearer", "2", ""]


@pytest.mark.corpus(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_what_is_written_and_read_back_changes_no_byte(
    game: Path, tmp_path: Path, run: Run
) -> None:
    folder = copied(game, tmp_path / "game")
    before = files_of(folder)
    at = ("-g", str(folder))
    own = (folder / "xml/game.xml").is_file()
    said = "" if own else "there is no xml/game.xml, so the shipped game's is used\n"
    for name in ("comma", "semicolon", "tab"):
        out = tmp_path / name
        assert (
            run("export", "csv", *at, "--delimiter", name, "--bom", "-o", f"{out}/").exit_code == 0
        )
        result = run("import", "csv", *at, *map(str, sorted(out.iterdir())))
        assert (result.stdout, result.stderr) == ("the tables contain no changes\n", said)
    assert run("export", "xlsx", *at).exit_code == 0
    result = run("import", "xlsx", *at, str(folder / "out" / "cards.xlsx"))
    assert (result.stdout, result.stderr) == ("the tables contain no changes\n", said)
    assert files_of(folder) == before


def test_a_changed_cell_changes_one_attribute_alone(cards: Path, small: Path, run: Run) -> None:
    set_csv(cards, "EC3", costs="5")
    result = run("import", "csv", str(cards))
    assert result.exit_code == 0
    assert result.stdout == "EC3 Bell Founder: costs 6 → 5\n1 change; changed: EC_cards.xml\n"
    before, after = files_of(SMALL), files_of(small)
    text = before[SMALL / "xml/Factions/EC_cards.xml"].decode()
    changed = text.replace('actions="1" costs="6"', 'actions="1" costs="5"')
    assert changed != text
    for path, old in before.items():
        new = after[small / path.relative_to(SMALL)].decode()
        assert new == (changed if path.name == "EC_cards.xml" else old.decode())


def test_a_dry_run_tells_and_writes_nothing(cards: Path, small: Path, run: Run) -> None:
    set_csv(cards, "EC3", costs="5", cardclass="Founder")
    before = files_of(small)
    result = run("import", "csv", "--dry-run", str(cards))
    assert "EC3 Bell Founder: cardclass (nothing) → Founder\n" in result.stdout
    assert "2 changes; would change: EC_cards.xml" in result.stdout
    assert files_of(small) == before


def test_attributes_come_and_go_in_their_place(cards: Path, small: Path, run: Run) -> None:
    set_csv(cards, "EC1", cardclass="")
    set_csv(cards, "RW3", image="lantern.png", cardclass='Say "so" & <go>')
    assert run("import", "csv", str(cards)).exit_code == 0
    text = (small / "xml/Factions/EC_cards.xml").read_text()
    assert 'actions="0" costs="4">\n    <row name="CLOSE"/>\n  </card>' in text
    text = (small / "xml/Factions/RW_cards.xml").read_text()
    assert 'costs="4" cardclass="Say &quot;so&quot; &amp; &lt;go>" image="lantern.png">' in text


def test_children_come_and_go_and_the_others_stay_as_they_are(
    cards: Path, small: Path, run: Run
) -> None:
    file = small / "xml/Factions/EC_cards.xml"
    written = "<rule id='rp001' name='Stubborn' /> <!-- always -->\n"
    edit(file, '<rule id="rp001"/>\n    <rule id="ra003"/>', f'{written}    <rule id="ra003"/>')
    set_csv(cards, "EC5", rules="rp001; rp002; ra003")
    set_csv(cards, "EC4", rules="")
    set_csv(cards, "EC3", rules="ra003")
    set_csv(cards, "EC2", rows="CLOSE; RANGED")
    set_csv(cards, "EC1", rules="rp002;rp001")
    assert run("import", "csv", str(cards)).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert f'{written}    <rule id="rp002"/>\n    <rule id="ra003"/>\n' in text
    assert 'cardclass="Knight">\n    <row name="CLOSE"/>\n  </card>' in text
    assert '<row name="SUPPORT"/>\n    <rule id="ra003"/>\n' in text
    assert '    <row name="CLOSE"/>\n    <row name="RANGED"/>\n    <rule id="ra003"/>\n' in text
    assert '    <row name="CLOSE"/>\n    <rule id="rp002"/>\n    <rule id="rp001"/>\n' in text


def test_a_new_row_is_a_new_card_behind_the_one_above(cards: Path, small: Path, run: Run) -> None:
    rows = table(cards)
    new = [["EC6", "EC", "Wick & Wax", "1", "2", "0", "1", "", "", "CLOSE; RANGED", "rp002"],
           ["EC7", "EC", "Snuffer", "1", "1", "0", "1", "", "", "CLOSE", ""]]  # fmt: skip
    rows[2:2] = new
    rewrite(cards, rows)
    decks = table(cards.with_name("decks.csv"))
    decks.append(["EC", "EC6", "", "1", ""])
    rewrite(cards.with_name("decks.csv"), decks)
    result = run("import", "csv", str(cards), str(cards.with_name("decks.csv")))
    assert result.exit_code == 0
    assert "EC6 Wick & Wax: new, in EC_cards.xml\n" in result.stdout
    assert "deck ember: EC6 Wick & Wax 0 → 1\n" in result.stdout
    assert (
        '  </card>\n  <card id="EC6" name="Wick &amp; Wax" faction_id="EC" level="1" strength="2" '
        'actions="0" costs="1">\n    <row name="CLOSE"/>\n    <row name="RANGED"/>\n'
        '    <rule id="rp002"/>\n  </card>\n  <card id="EC7" name="Snuffer"'
        in (small / "xml/Factions/EC_cards.xml").read_text()
    )
    assert (
        '  <card faction_id="EC" id="EC6" amount="1"/>\n</data>'
        in (small / "xml/Decks/ember.xml").read_text()
    )
    assert run("fmt", "--check", "xml/Factions/EC_cards.xml", "ember").exit_code == 0


def test_cards_without_a_row_stay_unless_they_are_to_go(cards: Path, small: Path, run: Run) -> None:
    rewrite(cards, [row for row in table(cards) if row[0] not in {"WF3", "WF5"}])
    before = files_of(small)
    result = run("import", "csv", str(cards))
    assert "card: 2 cards have no row and stay unchanged; --delete would remove: WF3, WF5" in (
        result.stdout
    )
    assert files_of(small) == before
    result = run("import", "csv", "--delete", str(cards))
    assert "WF3 Runaway Mule: removed\nWF5 Night Ferry: removed\n" in result.stdout
    text = (small / "xml/Factions/WF_cards.xml").read_text()
    old = before[small / "xml/Factions/WF_cards.xml"].decode()
    start, end = old.index('  <card id="WF3"'), old.index('  <card id="WF4"')
    assert text == (old[:start] + old[end : old.index('  <card id="WF5"')]) + "</data>\n"


def test_a_card_that_a_deck_has_cannot_go(cards: Path, small: Path, run: Run) -> None:
    rewrite(cards, [row for row in table(cards) if row[0] != "WF4"])
    before = files_of(small)
    result = run("import", "csv", "--delete", str(cards))
    assert result.exit_code == 1
    assert "ember.xml:9:25: error R002: there is no card `WF4`" in result.stderr
    assert "nothing was changed" in result.stderr
    assert files_of(small) == before


def test_another_id_for_a_card_is_told(cards: Path, run: Run) -> None:
    set_csv(cards, "WF3", id="WF9")
    result = run("import", "csv", "--dry-run", str(cards))
    assert "note: WF9 is a new card with the same name as WF3, which stays" in result.stdout


def test_tokens_and_decks_are_changed_where_they_stand(cards: Path, small: Path, run: Run) -> None:
    set_csv(cards.with_name("token.csv"), "ra002/1", strength="3")
    tokens = table(cards.with_name("token.csv"))
    tokens.append(["ra001", "Drum", "0", "0", "", "", "CLOSE", ""])
    rewrite(cards.with_name("token.csv"), tokens)
    set_csv(cards.with_name("decks.csv"), "EC1", ember="3")
    set_csv(cards.with_name("decks.csv"), "WF4", ember="0")
    set_csv(cards.with_name("decks.csv"), "WF1", ember="1")
    names = [str(cards.with_name(f"{name}.csv")) for name in ("token", "decks")]
    assert run("import", "csv", *names).exit_code == 0
    rules = (small / "xml/rules.xml").read_text()
    assert '<token name="Otter" strength="3" actions="0"' in rules
    assert (
        '<label GEN="Rally"/>\n    <token name="Drum" strength="0" actions="0">\n'
        '      <row name="CLOSE"/>\n    </token>\n  </rule>' in rules
    )
    deck = (small / "xml/Decks/ember.xml").read_text()
    assert '<card faction_id="EC" id="EC1" amount="3"/>\n' in deck
    assert '<card faction_id="WF" id="WF1" amount="1"/>\n</data>' in deck
    assert "WF4" not in deck


def test_a_card_in_two_lines_of_a_deck_comes_to_the_amount(tmp_path: Path, run: Run) -> None:
    lines = [line("A1", 3), line("A2", 1), line("A1", 2)]
    game = write_game(tmp_path, [card("A1", "Ant"), card("A2", "Bug")], decks={"d": lines})
    at, deck = ("-g", str(game)), game / "xml/Decks/d.xml"
    for amount, expected in (("6", [4, 1, 2]), ("1", [1, 1]), ("", [1])):
        assert run("export", "csv", *at, "--kind", "decks").exit_code == 0
        set_csv(game / "out/csv/decks.csv", "A1", d=amount)
        assert run("import", "csv", *at, str(game / "out/csv/decks.csv")).exit_code == 0
        amounts = [part.split('"')[0] for part in deck.read_text().split('amount="')[1:]]
        assert [int(amount) for amount in amounts] == expected


def test_decks_that_would_break_their_limits_keep_a_change_out(
    cards: Path, small: Path, run: Run
) -> None:
    set_csv(cards, "EC5", costs="20")
    before = files_of(small)
    result = run("import", "csv", str(cards))
    assert result.exit_code == 1
    assert "error D003: Main deck: 45 supplies" in result.stderr
    assert files_of(small) == before
    assert run("import", "csv", "--limit", "supplies=45", "--dry-run", str(cards)).exit_code == 0
    assert run("import", "csv", "--ignore-limits", str(cards)).exit_code == 0
    assert files_of(small) != before


def test_the_first_card_of_a_faction_makes_its_file(tmp_path: Path, run: Run) -> None:
    game = write_game(tmp_path, [card("A1", "Ant")])
    (game / "xml/Factions/BB_cards.xml").unlink()
    (game / "xml/Factions/GG_cards.xml").write_text("<data/>")
    assert run("export", "csv", "-g", str(game)).exit_code == 0
    rows = table(game / "out/csv/card.csv")
    rows += [["B1", "BB", "Bee", "1", "0", "0", "", ""], ["G1", "GG", "Guest", "1", "0", "0"]]
    rewrite(game / "out/csv/card.csv", rows)
    assert run("import", "csv", "-g", str(game), str(game / "out/csv/card.csv")).exit_code == 0
    bee = '<card id="B1" name="Bee" faction_id="BB" level="1" actions="0" costs="0"/>'
    assert (game / "xml/Factions/BB_cards.xml").read_text() == (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<data>\n  {bee}\n</data>\n'
    )
    guest = bee.replace("B1", "G1").replace("Bee", "Guest").replace("BB", "GG")
    assert (game / "xml/Factions/GG_cards.xml").read_text() == f"<data>\n  {guest}\n</data>"
