"""Tagged PDF: what is printed can be read by those who do not see it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckwright.cli import deckwright
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawGlyphs, Group, Op, Tag, walk
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import Info, OutputIntent
from deckwright.sheet.pages import Page
from deckwright.text.fonts import default_fonts, icon_font
from support import card, line, uses, write_game
from tagged import TaggedElement, find_faults, read_structure

BOOK = """<rulebook title="Rules">
  <chapter id="play" title="Play">
    <p>Read <ref to="score"/> first, then dig as deep as you can.</p>
    <section title="Turns">
      <list style="number"><item>Draw.</item>
        <item>Play:<list><item>a card</item></list></item></list>
      <p>Between.</p>
      <list><item>Rest.</item></list>
      <example title="So"><p>You draw an ant.</p></example>
      <figure title="An ant"><card id="A1"><callout x="3" y="3">The name</callout></card></figure>
    </section>
    <section id="score" title="Scoring">
      <table title="Points">
        <row head="true"><cell>Card</cell><cell>Points</cell></row>ROWS
      </table>
    </section>
  </chapter>
  <index title="Index"/>
</rulebook>"""
ROW = "<row><cell>Ant</cell><cell>{}</cell></row>"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a deck, printed with its rules, a rulebook and an overview."""
    folder = tmp_path_factory.mktemp("tagged")
    rule = '<rule id="dig" type="passive" effect="Digs *deep*."><label GEN="Digger"/></rule>'
    cards = [card("A1", "Ant", "AA", uses("dig")), card("B1", "Bee (ö)", "BB")]
    reference = (
        '<pages><header><text role="h1">{{ deck.name }}</text><text>Head</text></header>'
        '<block each="rule in rules"><text role="h2">{{ rule.name }}</text>'
        "<text>{{ rule.effect }}</text></block>"
        '<block role="table"><block each="row in [1, 2]" role="tr" height="5">'
        '<rect width="9" height="5" fill="black"/><g>'
        "<text role=\"{{ 'th' if row == 1 else 'td' }}\">Row {{ row }}</text>"
        '<g role="th"/></g></block></block>'
        '<block role="figure" alt="A curve" height="5"><line x2="9" stroke="black"/></block>'
        "</pages>"
    )
    write_game(folder, cards, rules=[rule], decks={"d": [line("A1", 3)]}, reference=reference)
    book = BOOK.replace("ROWS", "".join(map(ROW.format, range(60))))
    (folder / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    run = CliRunner()
    for command in (["deck", "d", "--reference"], ["rulebook"], ["overview"]):
        result = run.invoke(deckwright, [*command, "--game", str(folder)])
        assert result.exit_code == 0, result.output
    return folder


def only(parts: list[TaggedElement]) -> TaggedElement:
    (part,) = parts
    return part


@pytest.mark.parametrize("name", ["deck_d", "rulebook", "overview"])
def test_what_is_printed_is_pdf_a_and_pdf_ua(game: Path, name: str) -> None:
    path = game / "out" / f"{name}.pdf"
    assert find_faults(path) == []
    read_structure(path)
    with pikepdf.open(path) as pdf:
        assert pdf.pdf_version == "1.7"
        assert pdf.Root.MarkInfo.Marked
        assert pdf.Root.Lang == "en"
        with pdf.open_metadata() as packet:
            assert (packet.pdfa_status, packet["pdfuaid:part"]) == ("2A", "1")


def test_a_card_is_a_figure_with_all_that_it_says(game: Path) -> None:
    whole = read_structure(game / "out" / "deck_d.pdf")
    said = "Ant (Card)\nDigger: Digs deep."
    assert [part.said for part in whole.parts if part.role == "Figure"] == [said] * 3
    left, bottom, right, top = map(float, whole.all("Figure")[0].attributes["/BBox"])
    assert (right - left, top - bottom) == pytest.approx((65 * 72 / 25.4, 90 * 72 / 25.4), abs=0.01)


def test_what_flows_over_pages_is_what_its_template_says(game: Path) -> None:
    whole = read_structure(game / "out" / "deck_d.pdf")
    text = only(whole.all("Sect"))
    assert str(text) == "Sect(H1 H2 P Table(TR(TH TH) TR(TD TH)) Figure)"
    assert [part.text or part.said for part in text.within() if not part.parts] == [
        "Deck", "Digger", "Digs deep.", "Row 1", "", "Row 2", "", "A curve",
    ]  # fmt: skip
    assert [part.attributes["/Scope"] for part in text.all("TH")] == ["/Column", "/Column", "/Row"]


def test_a_book_has_headings_lists_tables_figures_and_links(game: Path) -> None:
    whole = read_structure(game / "out" / "rulebook.pdf")
    cover, *rest = whole.parts
    assert (cover.role, cover.said) == ("Figure", "Rules")
    heads = [(part.role, part.text) for part in whole.within() if part.role[0] == "H"]
    assert heads == [
        ("H1", "Contents"), ("H1", "1 Play"), ("H2", "1.1 Turns"), ("H2", "1.2 Scoring"),
        ("H1", "Index"),
    ]  # fmt: skip
    inner = "L(LI(Lbl LBody(P)))"
    assert " ".join(map(str, rest[3:11])) == (
        f"P(Link) H2 L(LI(Lbl LBody(P)) LI(Lbl LBody(P {inner}))) P {inner} Div(P P) "
        f"Div(Figure Caption {inner}) H2"
    )
    numbers = [str(part.attributes["/ListNumbering"])[1:] for part in whole.all("L")]
    assert numbers == ["Decimal", "Disc", "Disc", "UpperAlpha"]
    assert only(whole.all("Caption")[:1]).text == "Figure 1 An ant"
    assert [part.said for part in whole.all("Figure")][1:] == ["Ant (Card)\nDigger: Digs deep."]


def test_a_link_leads_away_from_its_text(game: Path) -> None:
    whole = read_structure(game / "out" / "rulebook.pdf")
    paragraph = next(part for part in whole.all("P") if part.all("Link"))
    link = only(list(paragraph.parts))
    assert (paragraph.text, link.text) == (
        "Read first, then dig as deep as you can.", "1.2 Scoring",
    )  # fmt: skip
    assert [(at["/Contents"], at["/F"]) for at in link.links] == [("1.2 Scoring", "4")]


def test_a_table_over_two_pages_is_one_and_its_headings_are_said_once(game: Path) -> None:
    whole = read_structure(game / "out" / "rulebook.pdf")
    table = only(whole.all("Table"))
    caption, head, *rows = table.parts
    assert (caption.role, str(head)) == ("Caption", "TR(TH TH)")
    assert [cell.text for cell in head.parts] == ["Card", "Points"]
    assert [[cell.text for cell in row.parts] for row in rows] == [
        ["Ant", str(number)] for number in range(60)
    ]
    assert len({place[0] for part in table.within() for place in part.places}) > 1


def test_running_heads_and_page_numbers_are_not_read(game: Path) -> None:
    whole = read_structure(game / "out" / "rulebook.pdf")
    said = [part.text for part in whole.within() if part.role not in {"Link", "Reference"}]
    assert said.count("1 Play") == 1, "what begins the page"
    assert said.count("5") == 1, "the number of a page"


FONTS = {font.id: font for font in default_fonts().values()}
FONTS["icons"] = icon_font()
INFO = Info("Title", "", "", "en", dt.datetime(2026, 1, 2, tzinfo=dt.UTC))


def written(folder: Path, *ops: Op, intent: OutputIntent | None = None) -> Path:
    """Write a page with these ops."""
    path = folder / "page.pdf"
    with path.open("wb") as stream:
        pages = [Page(100, 100, ops=ops, tag=Tag("Sect", number=1))]
        write_pdf(stream, pages, INFO, FONTS, ImageStore(), intent)
    return path


def letters(text: str, font: str = "text-regular") -> DrawGlyphs:
    return DrawGlyphs(font, 4, 10, 10, text, (), "#000000")


def tagged(role: str, *ops: Op, alt: str = "") -> Group:
    return Group(ops, tag=Tag(role, alt))


def test_no_level_of_headings_is_left_out_and_all_rows_are_equally_long(tmp_path: Path) -> None:
    heads = [tagged(f"H{level}", letters("x")) for level in (2, 4, 1, 3, 3)]
    rows = [tagged("TR", *[tagged("TD", letters("x"))] * number) for number in (1, 3)]
    path = written(tmp_path, *heads, tagged("Table", *rows))
    assert find_faults(path) == []
    assert str(read_structure(path)) == (
        "Document(Sect(H1 H2 H1 H2 H2 Table(TR(TD TD TD) TR(TD TD TD))))"
    )


def test_what_no_one_can_read_is_said_to_be_unknown(tmp_path: Path) -> None:
    path = written(tmp_path, tagged("P", letters("\U000f04e5", "icons")))
    assert find_faults(path) == []
    with pikepdf.open(path) as pdf:
        assert b"ActualText<fefffffd>" in pdf.pages[0].Contents.read_bytes()


def test_what_is_for_a_press_is_not_tagged(tmp_path: Path) -> None:
    path = written(tmp_path, tagged("P", letters("x")), intent=OutputIntent("any", b""))
    with pikepdf.open(path) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        assert b"BDC" not in pdf.pages[0].Contents.read_bytes()
        assert b"pdfuaid" not in pdf.Root.Metadata.read_bytes()


def test_what_says_nothing_is_an_artifact_and_figures_have_no_parts(tmp_path: Path) -> None:
    figure = tagged("Figure", tagged("P", letters("inside")), letters("more"), alt="A drawing")
    clear = Group((tagged("P", letters("clear")),), opacity=0.5)
    path = written(tmp_path, letters("alone"), figure, clear, tagged("P"))
    assert find_faults(path) == []
    section = only(list(read_structure(path).parts))
    assert [(part.role, part.said, part.text) for part in section.parts] == [
        ("Figure", "A drawing", "insidemore"),
        ("P", "", "clear"),
    ]


ROLES = ("P", "H2", "TD", "Figure", "Div")
TREES: st.SearchStrategy[Op] = st.recursive(
    st.sampled_from(["a", "b"]).map(letters),
    lambda inner: st.builds(
        lambda ops, role, moved, clear: Group(
            tuple(ops),
            (1, 0, 0, 1, 2, 3) if moved else None,
            opacity=0.5 if clear else 1,
            tag=Tag(role, "said" if role == "Figure" else "") if role else None,
        ),
        st.lists(inner, max_size=3), st.sampled_from([None, *ROLES]), st.booleans(), st.booleans(),
    ),
    max_leaves=8,
)  # fmt: skip


@given(ops=st.lists(TREES, max_size=3))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_all_content_is_in_the_structure_once(tmp_path: Path, ops: list[Op]) -> None:
    path = written(tmp_path, *ops)
    said = [part.text for part in read_structure(path).within()]
    assert sum(map(len, "".join(said).split())) <= sum(
        len(op.text) for op in walk(ops) if isinstance(op, DrawGlyphs)
    )
