"""`deckwright rulebook`: numbers, cross references, mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pikepdf
import polib
import pypdfium2
import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from conftest import Run, edit
from deckwright.book.read import FigurePart, compose_figure
from deckwright.cli import deckwright
from deckwright.ops.model import Face, Group, walk
from deckwright.ops.outlines import rectangle
from support import HalfEm, card, page_texts, uses, write_game
from tagged import read_structure

pytestmark = pytest.mark.usefixtures("shipped_checked")

LIMITS = """<limit id="size" name="cards" zone="main" min="5"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>
    <limit id="side" name="guests" zone="side" exactly="2"/>
    <format id="usual" name="Usual"/>
    <format id="free" name="Free"><set limit="size" value="7"/><set limit="copies" value="off"/>
    </format>"""


def write_book(folder: Path, *lines: str, head: str = "") -> None:
    """Write a game whose rulebook consists of these lines, from its second on."""
    rule = '<rule id="dig" type="passive" effect="Digs."><label GEN="Digger"/></rule>'
    cards = [card("A1", "Ant", "AA", uses("dig")), card("B1", "Bee", "BB")]
    write_game(folder, cards, rules=[rule], limits=LIMITS)
    book = "\n".join([f'<rulebook title="Rules" {head}>', *lines, "</rulebook>"])
    (folder / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")


def chapter(title: str, *inside: str, anchor: str = "") -> str:
    named = f' id="{anchor}"' if anchor else ""
    return f'<chapter{named} title="{title}">{"".join(inside)}</chapter>'


def section(title: str, *inside: str, anchor: str = "") -> str:
    return chapter(title, *inside, anchor=anchor).replace("chapter", "section")


def build(folder: Path, *lines: str, warned: str = "") -> list[str]:
    """Return the texts of the pages of a book, which must have no mistakes.

    Args:
        warned: the code of the one warning that it has.
    """
    write_book(folder, *lines)
    result = CliRunner().invoke(deckwright, ["rulebook", "--game", str(folder)])
    assert result.exit_code == 0, result.exception
    assert re.findall(r" (?:error|warning) (\w+):", result.stderr) == warned.split()
    return pages_of(folder / "out" / "rulebook.pdf")


def pages_of(path: Path) -> list[str]:
    """Return the texts of pages with the hyphens at the ends of their lines."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def titles_of(path: Path) -> list[str]:
    """Return the chapters in the outline."""
    marks = [mark for mark in PdfReader(path).outline if not isinstance(mark, list)]
    return [" ".join(str(mark.title).split()) for mark in marks]


class Link(NamedTuple):
    text: str  # that it covers
    page: int  # from 1
    target: int


def links(path: Path) -> list[Link]:
    found = []
    with pikepdf.open(path) as pdf, pypdfium2.PdfDocument(path) as seen:
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, 1)}
        for number, page in enumerate(pdf.pages, 1):
            textpage = seen[number - 1].get_textpage()
            for link in page.obj.get("/Annots", []):
                text = " ".join(textpage.get_text_bounded(*map(float, link.Rect)).split())
                found.append(Link(text, number, numbers[link.Dest[0].objgen]))
            textpage.close()
    return found


def mistakes(folder: Path, *lines: str) -> list[tuple[str, int, str]]:
    """Return the findings of a book with their lines and what they say."""
    write_book(folder, *lines)
    result = CliRunner().invoke(deckwright, ["rulebook", "--game", str(folder)])
    assert isinstance(result.exception, SystemExit), result.exception
    pattern = r"rulebook\.xml:(\d+)[:\d]*: error (\w+): (.*(?:\n  .*)*)"
    return [(code, int(line), text) for line, code, text in re.findall(pattern, result.stderr)]


def test_sections_are_numbered_to_the_fourth_level(tmp_path: Path) -> None:
    deep = section("C", section("D"), section("E"), section("F"), section("G"))
    pages = build(tmp_path, chapter("A", section("B", deep, section("H"))), chapter("I"))
    text = " ".join(pages[2:])
    assert re.search("1 A.*1.1 B.*1.1.1 C.*1.1.1.I D.*1.1.1.II E.*1.1.1.III F.*1.1.1.IV G.*"
                     "1.1.2 H.*2 I", text)  # fmt: skip
    assert mistakes(tmp_path, chapter("A", section("B", section("C", section("D", section("E"))))))


FIGURE = """<figure id="pic"><card id="A1"><callout x="3" y="3">The name</callout>
    <callout id="spot" x="9" y="9">The end</callout></card></figure>"""
TARGETS = (
    chapter("Long", *["<p>Some text, to fill the page.</p>"] * 40),
    chapter("Aims", section("End", "<p>Over.</p>", anchor="end"), anchor="aims"),
    chapter("Terms",
            '<table id="t" title="Rows"><row><cell>x</cell></row></table>'
            '<definition id="unit" term="Unit">A card.</definition>'),
)  # fmt: skip


@pytest.mark.parametrize(("reference", "shown"), [
    ('<ref to="end"/>', "3.1 End"),
    ('<ref to="end" form="full"/>', "3.1 End"),
    ('<ref to="end" form="number"/>', "3.1"),
    ('<ref to="end" form="title"/>', "End"),
    ('<ref to="end" form="page"/>', "6"),
    ('<b><i><ref to="aims"/></i></b>', "3 Aims"),
    ('<ref to="t"/>', "Table 1 Rows"),
    ('<ref to="t" form="number"/>', "Table 1"),
    ('<ref to="unit"/>', "Unit"),
    ('<ref to="unit" form="number"/>', "Unit"),
    ('<ref to="pic"/>', "Figure 1"),
    ('<ref to="spot" form="number"/>', "B"),
])  # fmt: skip
def test_a_reference_prints_what_it_should_and_leads_there(
    tmp_path: Path, reference: str, shown: str
) -> None:
    first = chapter("Begin", f"<p>[[{reference}]]</p>", FIGURE)
    pages = build(tmp_path, first, *TARGETS)
    assert f"[[{shown}]]" in pages[2]
    (link,) = [link for link in links(tmp_path / "out" / "rulebook.pdf") if link.page == 3]
    assert link.text == shown
    target = {"3": "3 Aims", "T": "Table 1", "U": "Unit – A card", "F": "Figure 1",
              "B": "B The end", "E": "3.1 End", "6": "3.1 End"}[shown[0]]  # fmt: skip
    assert target in pages[link.target - 1]


def test_moving_a_section_changes_numbers_and_keeps_references_true(tmp_path: Path) -> None:
    here = chapter("Here", '<p>[[<ref to="x"/> on <ref to="x" form="page"/>]]</p>')
    moved = section("Moved", "<p>Words.</p>", anchor="x")
    other, filled = section("Other"), chapter("Filled", *["<p>Fill.</p>"] * 90)
    for lines, number, page in (
        ((here, chapter("B", other, moved)), "2.2", 4),
        ((here, chapter("B", moved, other)), "2.1", 4),
        ((here, filled, chapter("B", section("Top", moved))), "3.1.1", 8),
        ((chapter("B", moved), here), "1.1", 3),
    ):
        pages = build(tmp_path, *lines)
        assert f"[[{number} Moved on {page}]]" in " ".join(pages)
        assert f"{number} Moved" in pages[page - 1]


CELL = "<row><cell>x</cell></row>"
PAIR = "<row><cell/><cell/></row>"


@pytest.mark.parametrize(("lines", "expected", "said"), [
    ((chapter("A", anchor="x"), chapter("B", section("C", f'<table id="x">{CELL}</table>'))),
     [("R007", 3)], "the same id as line 2"),
    ((chapter("A", '<p><ref to="victorie"/></p>'), chapter("B", anchor="victory")),
     [("R021", 2)], "did you mean `victory`?"),
    ((chapter("A", '<p><icon name="swordd"/></p>'),), [("R022", 2)], "did you mean `sword`?"),
    (('<chapter title="A"><table>' + CELL, PAIR, CELL, PAIR + "</table></chapter>"),
     [("S010", 3)], "1 more like this"),
])  # fmt: skip
def test_a_mistake_is_reported_at_its_place_with_a_hint(
    tmp_path: Path, lines: tuple[str, ...], expected: list[tuple[str, int]], said: str
) -> None:
    found = mistakes(tmp_path, *lines)
    assert [(code, line) for code, line, _ in found] == expected
    assert all(said in text for _, _, text in found)


UNKNOWN = "{icon:nosuch}"
INDEX = '<index title="Index"/>'
SNOWMAN = "\N{SNOWMAN}"


@pytest.mark.parametrize("line", [
    "<p>Oh {}</p>",
    "<p><b>Oh <i>{}</i></b></p>",
    "<list><item>{}</item></list>",
    "<list><item>A<list><item>{}</item></list></item></list>",
    "<table><row><cell>{}</cell></row></table>",
    '<definition term="{}">x</definition>',
    "<note><p>{}</p></note>",
    '<example title="Oh {}"><p>x</p></example>',
    '<note title="Oh {}"><p>x</p></note>',
    f'<table title="Oh {{}}">{CELL}</table>',
    '<limits title="Oh {}"/>',
    '<figure title="Oh {}"><card id="A1"/></figure>',
    '<figure><card id="A1"><callout x="1" y="1">{}</callout></card></figure>',
    '<section title="{}"/>',
    '<p><term of="Oh {}">x</term></p>',
])  # fmt: skip
def test_what_cannot_be_printed_is_reported_at_its_place(tmp_path: Path, line: str) -> None:
    # Icons that do not exist, and characters that the font lacks.
    for wrong, expected in ((UNKNOWN, "R022"), (SNOWMAN, "L002")):
        found = mistakes(tmp_path, '<chapter title="A">', line.format(wrong), "</chapter>", INDEX)
        assert {(code, place) for code, place, _ in found} == {(expected, 3)}


@pytest.mark.parametrize("attribute", ['title="Rules"', 'subtitle="Sub"'])
@pytest.mark.parametrize(("wrong", "expected"), [(UNKNOWN, "R022"), (SNOWMAN, "L002")])
def test_what_the_cover_cannot_print_is_reported(
    tmp_path: Path, run: Run, attribute: str, wrong: str, expected: str
) -> None:
    write_book(tmp_path, head='subtitle="Sub"')
    name = attribute.partition("=")[0]
    edit(tmp_path / "xml" / "rulebook.xml", f" {attribute}", f' {name}="{wrong}"')
    assert f" error {expected}: " in run("rulebook", "--game", str(tmp_path)).stderr


def test_all_mistakes_are_found_at_once_and_the_old_book_stays(tmp_path: Path, run: Run) -> None:
    build(tmp_path, chapter("A"))
    before = (tmp_path / "out" / "rulebook.pdf").read_bytes()
    found = mistakes(
        tmp_path,
        '<chapter id="x" title="A">',
        '<p><ref to="y"/></p>',
        f"<p>{UNKNOWN}</p>",
        f"<p>{SNOWMAN}</p>",
        '<figure><card id="A9"/></figure>',
        f'<table id="x">{CELL}',
        f"{PAIR}</table></chapter>",
    )
    assert [code for code, _, _ in found] == ["R021", "R022", "L002", "R023", "R007", "S010"]
    assert [line for _, line, _ in found] == [3, 4, 5, 6, 7, 8]
    assert (tmp_path / "out" / "rulebook.pdf").read_bytes() == before
    checked = run("check", "--game", str(tmp_path), "--ignore-limits")
    assert set(re.findall(r"error (\w+):", checked.stderr)) == {code for code, _, _ in found}


def test_a_game_without_a_rulebook_is_told_so(tmp_path: Path, run: Run) -> None:
    result = run("rulebook", "--game", str(write_game(tmp_path, [card("A1", "Ant")])))
    assert result.exit_code == 3
    assert "rulebook.xml: error X006: there is no such file" in result.stderr
    assert "hint: begin it with `<rulebook" in result.stderr


def test_limits_are_those_of_the_game(tmp_path: Path, run: Run) -> None:
    line = chapter("Decks", '<limits id="l" title="Limits"/>')
    rows = ["Table 1 Limits Limit Usual of each card", "Main cards at least 5 at most 3",
            "Side guests exactly 2", "Free cards: at least 7; copies: –"]  # fmt: skip
    assert " ".join(rows) in build(tmp_path, line)[2]
    (table,) = read_structure(tmp_path / "out" / "rulebook.pdf").all("Table")
    wide = [cell for cell in table.all("TH", "TD") if cell.attributes.get("/ColSpan") == 3]
    assert [cell.text for cell in wide] == ["Free cards: at least 7; copies: –"]
    edit(tmp_path / "xml" / "game.xml", 'min="5"', 'min="55"')
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    text = pages_of(tmp_path / "out" / "rulebook.pdf")[2]
    assert "Main cards at least 55 at most 3" in text


def test_a_format_that_changes_many_limits_has_a_column(tmp_path: Path, run: Run) -> None:
    write_book(tmp_path, chapter("Decks", '<limits id="l" title="Limits"/>'))
    game = tmp_path / "xml" / "game.xml"
    changed = '<set limit="side" value="4"/><set limit="own" value="off"/><set limit="copies"'
    edit(game, '<set limit="copies"', changed)
    own = '<limit id="own" name="army" zone="main" faction="own"/>'
    none = '<limit id="no" name="bees" zone="main" where="id=B1" decks="AA" max="0"/>'
    edit(game, '<format id="usual"', f'{own}{none}<format id="usual"')
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    rows = ["Limit Usual Free", "Main cards at least 5 at least 7",
            "Copies at most 3 of each card –", "Side guests exactly 2 exactly 4"]  # fmt: skip
    text = pages_of(tmp_path / "out" / "rulebook.pdf")[2]
    assert " ".join(rows) in text
    assert re.search(
        r"exactly 4 \S+ bees: none Army only the deck.s own \(Main\) Free army: –", text
    )


def test_limits_of_zones_without_formats_need_no_heading(tmp_path: Path, run: Run) -> None:
    write_book(tmp_path, chapter("Decks", '<limits id="l" title="Limits"/>'))
    game = tmp_path / "xml" / "game.xml"
    text = re.sub(r"<format id=.*</format>", "", game.read_text("utf-8"), flags=re.DOTALL)
    game.write_text(re.sub(r'<limit id="copies".*/>', "", text), "utf-8")
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    assert "Table 1 Limits Main cards" in pages_of(tmp_path / "out" / "rulebook.pdf")[2]


def test_limits_of_a_game_without_any_are_an_empty_table(tmp_path: Path, run: Run) -> None:
    write_book(tmp_path, chapter("Decks", '<limits id="l" title="Limits"/>'))
    game = tmp_path / "xml" / "game.xml"
    text = re.sub(r"<limit id=.*</format>", "", game.read_text("utf-8"), flags=re.DOTALL)
    game.write_text(text, "utf-8")
    assert run("rulebook", "--game", str(tmp_path)).exit_code == 0
    assert "Table 1 Limits" in pages_of(tmp_path / "out" / "rulebook.pdf")[2]


def test_letters_of_callouts_go_on_in_a_figure_and_begin_anew_in_the_next(tmp_path: Path) -> None:
    def shown(*words: str) -> str:
        return "".join(f'<callout x="9" y="9">{word}</callout>' for word in words)

    one = f'<card id="A1">{shown("one", "two")}</card><card id="B1">{shown("three")}</card>'
    two = f'<card id="A1">{shown("four")}</card>'
    pages = build(tmp_path, chapter("A", f"<figure>{one}</figure><figure>{two}</figure>"))
    found = re.findall(r"\b[A-Z] (?:one|two|three|four)\b", " ".join(pages[2:]))
    assert found == ["A one", "B two", "C three", "A four"]


def test_texts_of_callouts_stand_below_a_card_or_beside_it(tmp_path: Path) -> None:
    callout = '<callout x="9" y="9">Here</callout>'
    places = {}
    for legend in ("below", "beside"):
        figure = f'<figure legend="{legend}"><card id="A1" scale="0.8">{callout}</card></figure>'
        build(tmp_path, chapter("One", figure, "<p>After</p>"))
        found = {place.word: place for place in places_of(tmp_path / "out" / "rulebook.pdf")}
        places[legend] = found["Here"], found["After"]
    (below, _), (beside, after) = places["below"], places["beside"]
    assert below.left < 200 < beside.left
    assert beside.top > below.top + 50
    assert beside.top > after.top + 50


def test_a_figure_without_id_and_title_has_no_number(tmp_path: Path) -> None:
    shown = ("<figure>", '<figure title="Named">', "<figure>", '<figure id="pic">')
    figures = "".join(f'{start}<card id="A1"/></figure>' for start in shown)
    pages = build(tmp_path, chapter("A", figures, '<p>[[<ref to="pic"/>]]</p>'))
    text = " ".join(pages[2:])
    assert re.findall(r"Figure \d", text.replace("[[Figure 2]]", "")) == ["Figure 1", "Figure 2"]
    assert "Figure 1 Named" in text
    assert "[[Figure 2]]" in text


def test_nothing_in_texts_is_taken_for_markup(tmp_path: Path) -> None:
    text = "Fish &amp; chips, 1 &lt; 2, &lt;b&gt;loud&lt;/b&gt; &amp;amp; {} %s {{ x }} [/b]"
    plain = "Fish & chips, 1 < 2, <b>loud</b> &amp; {} %s {{ x }} [/b]"
    title = "Q &amp; &lt;A&gt;"
    table = f"<table title='{title}'>{CELL}</table>"
    pages = build(tmp_path, chapter(title, f"<p>{text}</p>", table), warned="T016")
    assert "1 Q & <A> 3" in pages[1]
    assert f"{plain} Table 1 Q & <A>" in pages[2]
    assert titles_of(tmp_path / "out" / "rulebook.pdf") == ["Contents", "1 Q & <A>"]


def test_long_contents_have_columns_and_short_books_may_have_none(tmp_path: Path) -> None:
    pages = build(tmp_path, *[chapter(f"C{n}", *[section("S")] * 9) for n in range(1, 9)])
    assert "8.9 S" in pages[1]
    edit(tmp_path / "xml" / "rulebook.xml", "<rulebook", '<rulebook contents="false"')
    assert CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)]).exit_code == 0
    assert pages_of(tmp_path / "out" / "rulebook.pdf")[1].startswith("1 C1")


def test_terms_go_to_the_index_with_true_pages(tmp_path: Path) -> None:
    pages = build(
        tmp_path,
        chapter("A", "<p><term>ant</term>, <term>ant</term></p>"),
        chapter("B", '<p>Some <term of="ant">ants</term> and <b><term>bees</term></b>.</p>'),
        chapter("C", '<definition term="cow">Big.</definition>',
                "<list><item><term>ant</term></item></list>"),
        INDEX,
    )  # fmt: skip
    assert pages[-1].endswith("Index ant 3, 4, 5 bees 4 cow 5 5Rules")
    found = [link for link in links(tmp_path / "out" / "rulebook.pdf") if link.page == 5]
    assert {int(link.text.split()[-1].strip(",")) for link in found} == {3, 4, 5}
    assert all(link.text.strip(",").endswith(str(link.target)) for link in found)


def test_a_definition_and_a_term_are_one_entry_in_every_language(tmp_path: Path) -> None:
    write_book(
        tmp_path,
        chapter("A", '<definition term="cow">Big.</definition>'),
        chapter("B", "<p>A <term>cow</term>.</p>"),
        INDEX,
    )
    runner, game = CliRunner(), ["--game", str(tmp_path)]
    assert runner.invoke(deckwright, ["language", "add", "fr", *game]).exit_code == 0
    catalog = polib.pofile(tmp_path / "xml/lang/fr.po")
    for entry in catalog:
        entry.msgstr = entry.msgid.replace("cow", "vache")
    catalog.save()
    assert runner.invoke(deckwright, ["rulebook", *game, "--language", "fr"]).exit_code == 0
    assert pages_of(tmp_path / "out/fr/rulebook.pdf")[-1].endswith("Index vache 3, 4 4 Rules")


def test_a_term_without_text_is_a_mark_for_the_index(tmp_path: Path) -> None:
    pages = build(tmp_path, chapter("A", '<p>Here<term of="ant"/> it is.</p>'), INDEX)
    assert pages[-1].endswith("Index ant 3 3Rules")


def test_deep_headings_of_a_law_stand_beside_their_texts(tmp_path: Path) -> None:
    deep = section("Who", section("Why", "<p>Thus.</p>", anchor="deep"), "<p>All.</p>")
    law = chapter("Law", deep, '<p>See <ref to="deep"/>.</p>')
    write_book(tmp_path, law)
    edit(tmp_path / "xml" / "rulebook.xml", "<rulebook", '<rulebook chapters="continuous"')
    result = CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)])
    assert result.exit_code == 0, result.output
    path = tmp_path / "out" / "rulebook.pdf"
    assert "1.1.1 Why. Thus." in pages_of(path)[-1]

    def titles(marks: list[object]) -> Iterator[str]:
        for mark in marks:
            yield from titles(mark) if isinstance(mark, list) else [str(mark.title)]  # type: ignore[attr-defined]

    assert "1.1.1 Why" in titles([*PdfReader(path).outline])


@pytest.mark.parametrize(
    ("terms", "index"),
    [
        (" ".join(f"a{n}" for n in range(10, 50)), "Index A a10 3 a11 3"),
        (" ".join(f"{chr(97 + n % 26)}{n}" for n in range(26, 66)), "Index a26 3 a52 3 b27 3"),
        ("ant ape ass", "Index ant 3 ape 3 ass 3"),
    ],
)
def test_a_long_index_has_initials_if_entries_share_them(
    terms: str, index: str, tmp_path: Path
) -> None:
    text = " ".join(f"<term>{term}</term>" for term in terms.split())
    pages = build(tmp_path, chapter("A", f"<p>{text}</p>"), INDEX)
    assert index in pages[-1]


def test_no_id_is_taken_for_a_mark_of_the_index(tmp_path: Path) -> None:
    terms = "<p><term>ant</term>, <term>bee</term></p>"
    pages = build(tmp_path, chapter("A", terms), chapter("B", anchor="term-1"), INDEX)
    assert "1 A 3 2 B 4 Index 4" in pages[1]
    assert pages[-1].replace(" ", "").endswith("Indexant3bee34Rules")


def test_page_numbers_of_the_index_stay_in_their_column(tmp_path: Path) -> None:
    chapters = [chapter(f"C{number}", "<p><term>ant</term></p>") for number in range(1, 41)]
    pages = build(tmp_path, *chapters, INDEX)
    found = re.findall(r"\d+", pages[-1].partition("Index")[2])
    assert found[:40] == [str(n) for n in range(3, 43)]
    with pypdfium2.PdfDocument(tmp_path / "out" / "rulebook.pdf") as document:
        page = document[len(pages) - 1].get_textpage()
        left = min(page.get_charbox(n)[0] for n in range(page.count_chars()))
        page.close()
    assert left >= 15.9 * 72 / 25.4


def test_the_overview_is_numbered_and_can_be_referred_to(tmp_path: Path) -> None:
    refs = '<p>[[<ref to="faction-BB"/>]] [[<ref to="race-Ants" form="number"/>]]</p>'
    overview = '<overview id="o" title="All"><p>Look.</p></overview>'
    pages = build(tmp_path, chapter("A", refs), overview, chapter("Z"))
    assert "[[2.2.1 Hive]] [[2.1]]" in pages[2]
    text = " ".join(pages[3:])
    expected = "2 All.*Look.*2.1 Ants.*2.1.1 Hill.*Digger Digs.*2.2 Bees.*2.2.1 Hive.*3 Z"
    assert re.search(expected, text)


def test_the_shipped_rulebook_has_ten_chapters_and_an_index(shipped_rulebook: Path) -> None:
    firsts = [title.split()[0] for title in titles_of(shipped_rulebook)]
    assert firsts == ["Inhalt", *map(str, range(1, 11)), "Register"]


def test_the_shipped_rulebook_can_be_searched(shipped_rulebook: Path) -> None:
    text = " ".join(page_texts(shipped_rulebook)[:12])
    for word in ("Stärke", "größere", "Völker", "für", "„", "“", "–", "Moralbonus"):
        assert word in text, word
    assert "\N{REPLACEMENT CHARACTER}" not in text


def test_the_references_of_the_shipped_rulebook_lead_where_they_say(shipped_rulebook: Path) -> None:
    with pypdfium2.PdfDocument(shipped_rulebook) as document:
        textpages = [page.get_textpage() for page in document]
        pages = [" ".join(page.get_text_range().split()) for page in textpages]
    pattern = re.compile(r"((?:\d+\.)*\d+|Abbildung \d+|Tabelle \d+)(?: \D*)?")
    found = [(match[1], link.target) for link in links(shipped_rulebook)
             if (match := pattern.fullmatch(link.text))]  # fmt: skip
    assert len(found) > 20
    assert [(label, page) for label, page in found if label not in pages[page - 1]] == []


NARROW = "eine ganze Menge Proviant brauchen "


def test_words_are_divided_as_game_xml_says(tmp_path: Path) -> None:
    text = "".join(f"<p>{'x' * number} {NARROW * 4}</p>" for number in range(1, 40))
    write_book(tmp_path, chapter("All", text))
    setup = tmp_path / "xml" / "game.xml"
    german = setup.read_text(encoding="utf-8").replace('language="en"', 'language="de"')
    setup.write_text(german, encoding="utf-8")

    def printed() -> str:
        result = CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)])
        assert result.exit_code == 0, result.stderr
        return " ".join(pages_of(tmp_path / "out" / "rulebook.pdf"))

    assert "Pro- viant" in printed()
    exceptions = '<hyphenation><exception word="Provi-ant"/></hyphenation>'
    edit(setup, "</fonts>", f"</fonts>{exceptions}")
    divided = printed()
    assert "Pro- viant" not in divided
    assert "Provi- ant" in divided


def test_an_exception_with_two_hyphens_together_is_an_error(tmp_path: Path) -> None:
    write_book(tmp_path, chapter("All", "<p>Text.</p>"))
    wrong = '<hyphenation><exception word="Provi--ant"/></hyphenation>'
    edit(tmp_path / "xml" / "game.xml", "</fonts>", f"</fonts>{wrong}")
    result = CliRunner().invoke(deckwright, ["check", "--game", str(tmp_path)])
    assert result.exit_code == 1
    assert "S004" in result.output
    assert "such as Provi-ant" in result.output


TABLE = "<table>" + "".join(f"<row><cell>row {n}.</cell></row>" for n in range(40)) + "</table>"
SMALL_TABLE = (
    "<table>" + "".join(f"<row><cell>row {n}.</cell></row>" for n in range(6)) + "</table>"
)


@pytest.mark.parametrize("lines", [20, 26, 27, 30])
@pytest.mark.parametrize(
    "announcing", ["These are they:", "These are they, said " + "once more " * 60]
)
def test_a_table_stays_with_the_sentence_that_announces_it(
    lines: int, announcing: str, tmp_path: Path
) -> None:
    filling = f"<p>{'x<br/>' * lines}end</p>"
    pages = build(tmp_path, chapter("All", filling, f"<p>{announcing}</p>", TABLE))
    (page,) = (page for page in pages if "row 0." in page)
    before, _, rows = page.partition("row 0.")
    assert announcing.rsplit(maxsplit=1)[-1] in before.split()
    assert "row 1." in rows


def test_a_table_in_a_box_stays_with_the_sentence_before_it(tmp_path: Path) -> None:
    for lines in (26, 28, 30):
        filling = f"<p>{'x<br/>' * lines}end</p>"
        box = f"<example><p>Before.</p><p>These are they:</p>{SMALL_TABLE}</example>"
        pages = build(tmp_path, chapter("All", filling, box))
        (page,) = (page for page in pages if "row 0." in page)
        assert "These are they:" in page


@pytest.mark.parametrize("lines", [24, 30])
def test_a_small_table_is_not_divided(lines: int, tmp_path: Path) -> None:
    filling = f"<p>{'x<br/>' * lines}end</p>"
    pages = build(tmp_path, chapter("All", filling, "<p>These:</p>", SMALL_TABLE))
    (page,) = (page for page in pages if "row 0." in page)
    assert "These:" in page
    assert "row 5." in page


def test_no_row_of_a_table_is_left_alone_on_the_next_page(tmp_path: Path) -> None:
    for lines in range(20, 24):
        filling = f"<p>{'x<br/>' * lines}end</p>"
        for page in build(tmp_path, chapter("All", filling, TABLE)):
            assert page.count("row ") != 1


@pytest.mark.parametrize("terms", [41, 150])
def test_the_columns_of_an_index_are_balanced(terms: int, tmp_path: Path) -> None:
    text = "".join(
        f"<p><term>Alpha{chr(97 + n // 26)}{chr(97 + n % 26)}</term></p>" for n in range(terms)
    )
    build(tmp_path, chapter("All", text), '<index title="Index"/>')
    with pypdfium2.PdfDocument(tmp_path / "out" / "rulebook.pdf") as pdf:
        page = pdf[len(pdf) - 1]
        width, _ = page.get_size()
        found = page.get_textpage()
        ends: dict[bool, list[float]] = {}
        for n in range(found.count_chars()):
            left, bottom, _, top = found.get_charbox(n)
            if found.get_text_range(n, 1) == "A" and top - bottom > 3:
                side = left < width / 2
                ends.setdefault(side, []).append(bottom)
        counts = [len(ends[side]) for side in (True, False)]
        # The first column has the initial, too.
        assert counts[0] + 1 - counts[1] in {0, 1, 2}


def test_cards_in_figures_are_enlarged_until_their_texts_can_be_read(tmp_path: Path) -> None:
    figure = '<figure title="Both"><card id="A1" scale="0.2"/><card id="B1" scale="0.2"/></figure>'
    write_book(tmp_path, chapter("All", figure))
    face = '<face><text x="5" y="5" font-size="8pt">tiny {{ card.name }}</text></face>'
    (tmp_path / "templates" / "card.xml").write_text(face, encoding="utf-8")
    result = CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)])
    assert (result.exit_code, result.stderr) == (0, "")
    sizes = []

    def visit(text: str, cm: list[float], tm: list[float], _font: object, points: float) -> None:
        if "tiny" in text:
            sizes.append(abs(points * tm[3] * cm[3]))

    for page in PdfReader(tmp_path / "out" / "rulebook.pdf").pages[1:]:
        page.extract_text(visitor_text=visit)
    assert sizes == [pytest.approx(6, abs=0.01)] * 2


def test_parts_of_a_figure_that_are_too_wide_together_stand_below_each_other() -> None:
    parts = [FigurePart(Face(65, 90, ()))] * 3
    for width, expected in (
        (60, [65, 65, 65]),
        (116, [65, 65, 65]),
        (140, [135, 65]),
        (205, [205]),
    ):
        rows = compose_figure(parts, HalfEm(), "text-bold", width)
        assert [row.width for row in rows] == expected


def test_the_first_part_of_a_figure_is_where_lines_start() -> None:
    parts = [FigurePart(Face(65, 90, ()), corner=0), FigurePart(Face(20, 20, ()))]
    for rtl, lefts in ((False, [0, 70]), (True, [25, 0])):
        (row,) = compose_figure(parts, HalfEm(), "text-bold", 205, rtl=rtl)
        assert row.width == 90
        groups = [op for op in row.ops if isinstance(op, Group) and op.matrix]
        assert [group.matrix[4] for group in groups if group.matrix] == lefts


def test_cards_in_figures_have_round_corners_and_no_bleed() -> None:
    part = FigurePart(Face(65, 90, (), bleed=3), corner=3)
    (row,) = compose_figure([part], HalfEm(), "text-bold", 205)
    (clip,) = [op.clip for op in walk(row.ops) if isinstance(op, Group) and op.clip]
    assert clip == rectangle(0, 0, 65, 90, 3)


@pytest.mark.parametrize(("language", "mirror", "first"), [("en", "65", "A"), ("he", "65", "B"),
                                                           ("he", "", "A")])  # fmt: skip
def test_a_callout_follows_a_card_whose_sides_change(
    tmp_path: Path, language: str, mirror: str, first: str
) -> None:
    """The letters beside a card go on where the places that they point at have gone."""
    callouts = '<callout x="1" y="9">Here.</callout><callout x="60" y="9">There.</callout>'
    write_book(tmp_path, chapter("One", f'<figure><card id="A1">{callouts}</card></figure>'))
    face = f'<face><g mirror="{mirror}"><rect width="5" height="5" fill="red"/></g></face>'
    (tmp_path / "templates/card.xml").write_text(face.replace(' mirror=""', ""), encoding="utf-8")
    edit(tmp_path / "xml/game.xml", 'language="en"', f'language="{language}"')
    assert CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)]).exit_code == 0
    with pypdfium2.PdfDocument(tmp_path / "out/rulebook.pdf") as pdf:
        texts = pdf[2].get_textpage()
        letters = {texts.get_text_range(at, 1): texts.get_charbox(at)
                   for at in reversed(range(texts.count_chars()))}  # fmt: skip
    assert min("AB", key=lambda letter: letters[letter][0]) == first


class Place(NamedTuple):
    """Where a word is on its page, in points."""

    page: int
    word: str
    top: int
    left: int
    right: int


def places_of(path: Path) -> list[Place]:
    """Return the places of the words of a book behind its cover."""
    found: list[Place] = []
    with pypdfium2.PdfDocument(path) as pdf:
        for number in range(1, len(pdf)):
            page = pdf[number]
            texts = page.get_textpage()
            letters = [(texts.get_text_range(at, 1), texts.get_charbox(at, loose=True))
                       for at in range(texts.count_chars())]  # fmt: skip
            for is_word, some in groupby(letters, lambda each: each[0].isalnum()):
                whole = [*some]
                if is_word:
                    boxes = [box for _, box in whole]
                    left, right = min(b[0] for b in boxes), max(b[2] for b in boxes)
                    word = "".join(letter for letter, _ in whole)
                    top = round(max(b[3] for b in boxes))
                    if len(word) > 1:
                        found.append(Place(number, word, top, round(left), round(right)))
    return found


def test_a_book_from_right_to_left_is_the_image_of_one_from_left_to_right(tmp_path: Path) -> None:
    """Whatever it has of lists, tables, boxes, columns: what is left in one is right in the other.

    Words of several lines are the same, so that all stand alone.
    """
    lines = (
        chapter("Alpha", "<p>Beta</p>", "<list><item>Gamma</item><item>Delta<list style='letter'>"
                "<item>Inner</item></list></item></list>", section("Epsilon", "<p>Zeta</p>")),
        chapter("Eta", '<table columns="l c r"><row head="true"><cell>Theta</cell><cell>Iota</cell>'
                "<cell>Kappa</cell></row><row><cell>Lambda</cell><cell>Mu</cell><cell>Nu</cell>"
                "</row></table>", "<note><p>Xi</p></note>",
                "<p><term>Omicron</term></p><p><term>Pi</term></p><p><term>Rho</term></p>"),
        '<index title="Sigma"/>',
    )  # fmt: skip
    build(tmp_path, *lines)
    book = tmp_path / "out" / "rulebook.pdf"
    plain = places_of(book)
    game = tmp_path / "xml" / "game.xml"
    game.write_text(game.read_text("utf-8").replace('language="en"', 'language="he"'), "utf-8")
    assert CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)]).exit_code == 0
    turned = places_of(book)
    width = PdfReader(book).pages[0].mediabox.width
    assert {each.word for each in plain} > {"Gamma", "Inner", "Lambda", "Xi", "Omicron", "Sigma"}
    image = sorted(each._replace(left=round(width - each.right), right=round(width - each.left))
                   for each in plain)  # fmt: skip
    assert [each[:2] for each in sorted(turned)] == [each[:2] for each in image]
    for one, other in zip(sorted(turned), image, strict=True):
        assert one[2:] == pytest.approx(other[2:], abs=2)


def fonts_of(path: Path) -> set[str]:
    """Return the names of the fonts of a book, without the marks of their subsets."""
    return {
        str(font["/BaseFont"]).partition("+")[2]
        for page in PdfReader(path).pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }


def test_program_text_has_a_monospaced_face_and_its_braces_mean_nothing(tmp_path: Path) -> None:
    text = "Write <code>{icon:sword} {{ card.name }}</code> there, or <b><code>fat</code></b>."
    pages = build(tmp_path, chapter("All", f"<p>{text}</p>"))
    assert "Write {icon:sword} {{ card.name }} there, or fat." in pages[-1]
    fonts = fonts_of(tmp_path / "out" / "rulebook.pdf")
    assert {name for name in fonts if "Mono" in name} == {
        "IBMPlexMono-Regular", "IBMPlexMono-Bold",
    }  # fmt: skip


def test_a_family_of_the_game_is_taken_for_program_text(tmp_path: Path) -> None:
    write_book(tmp_path, chapter("All", "<p><code>x</code></p>"))
    own = '<font id="code" family="Source Serif Pro"/></fonts>'
    edit(tmp_path / "xml" / "game.xml", "</fonts>", own)
    result = CliRunner().invoke(deckwright, ["rulebook", "--game", str(tmp_path)])
    assert (result.exit_code, result.stderr) == (0, "")
    fonts = fonts_of(tmp_path / "out" / "rulebook.pdf")
    assert "SourceSerifPro-Regular" in fonts
    assert not any("Mono" in name for name in fonts)


def test_program_text_is_never_hyphenated(tmp_path: Path) -> None:
    paragraphs = "".join(
        f"<p>{'x' * number} the file <code>factions_definitions_everywhere.xml</code> of it</p>"
        for number in range(1, 90, 3)
    )
    pages = " ".join(build(tmp_path, chapter("All", paragraphs)))
    assert pages.count("factions_definitions_everywhere.xml") == 30


def test_a_faction_that_is_gone_is_named_rather_than_its_card(run: Run, small: Path) -> None:
    figure = '<figure title="A card"><card faction="RX" id="RW1"/></figure>'
    text = f'<rulebook title="Rules"><chapter title="Cards">{figure}</chapter></rulebook>'
    (small / "xml/rulebook.xml").write_text(text, encoding="utf-8")
    result = run("check")
    assert "R023: there is no faction `RX`\n" in result.stderr
    assert "hint: use one of `RW`" in result.stderr
