"""Games in other languages: catalogs, prints and checks, with the small game."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from typing import Any

import pikepdf
import polib
import pytest

from conftest import ROOT, Run, edit
from deckwright import api
from deckwright.base.findings import ChoiceError
from deckwright.base.strings import Translated
from deckwright.game.folder import GameFolder
from deckwright.game.language import use_language
from deckwright.game.load import load_game, load_setup
from deckwright.game.read import use_file_cache
from deckwright.game.translation import replace_book
from deckwright.languages.catalog import PSEUDO, PseudoLanguage, load_catalog
from deckwright.languages.updating import list_texts, update_catalog
from deckwright.xmlio.load import load_document
from support import FRENCH, load_all, page_texts, translate

CARDS, RULES, GAME = (
    Path("xml/Factions/RW_cards.xml"),
    Path("xml/rules.xml"),
    Path("xml/game.xml"),
)


def entry_of(context: str) -> Any:
    """Return the entry in use of a context."""
    return next(e for e in polib.pofile(FRENCH) if e.msgctxt == context and not e.obsolete)


def rename_card(old: str, new: str) -> None:
    for path in (CARDS, *Path("xml/Decks").glob("*.xml")):
        path.write_text(path.read_text("utf-8").replace(f'id="{old}"', f'id="{new}"'), "utf-8")


def font_names(pdf: Path) -> str:
    """Return the names of the fonts in a PDF."""
    with pikepdf.open(pdf) as document:
        found = (each for each in document.objects if isinstance(each, pikepdf.Dictionary))
        return " ".join(str(each.BaseFont) for each in found if "/BaseFont" in each)


@pytest.mark.usefixtures("french")
def test_a_catalog_has_every_text_once_with_its_place() -> None:
    entries = polib.pofile(FRENCH)
    contexts = [entry.msgctxt for entry in entries]
    for context in ("card/RW:RW2/name", "word/page", "game/name", "deck/river/name"):
        assert contexts.count(context) == 1
    entry = entry_of("card/RW:RW2/name")
    assert (entry.msgid, entry.msgstr) == ("Ferryman", "")
    assert entry.occurrences == [("xml/Factions/RW_cards.xml", "8")]


@pytest.mark.usefixtures("french")
def test_an_update_of_an_unchanged_game_changes_nothing(run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    catalog = polib.pofile(FRENCH)
    catalog[0].tcomment = "a translator's note"
    catalog.save()
    assert run("language", "update").exit_code == 0
    once = FRENCH.read_bytes()
    assert run("language", "update", "fr").exit_code == 0
    assert FRENCH.read_bytes() == once
    assert polib.pofile(FRENCH)[0].tcomment == "a translator's note"


@pytest.mark.usefixtures("french")
def test_a_changed_text_keeps_its_translation_as_fuzzy(run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    edit(CARDS, 'name="Ferryman"', 'name="Old Ferryman"')
    result = run("language", "update")
    assert "changed" in result.stdout
    entry = entry_of("card/RW:RW2/name")
    assert entry.fuzzy
    assert (entry.msgid, entry.msgstr, entry.previous_msgid) == (
        "Old Ferryman",
        "Passeur",
        "Ferryman",
    )


@pytest.mark.usefixtures("french")
def test_the_same_text_elsewhere_proposes_its_translation(run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    edit(CARDS, 'name="Mother Flood"', 'name="Ferryman"')
    run("language", "update")
    entry = entry_of("card/RW:RW5/name")
    assert entry.fuzzy
    assert entry.msgstr == "Passeur"


@pytest.mark.usefixtures("french")
def test_a_text_that_is_gone_is_kept_as_a_comment(run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    rename_card("RW2", "RW9")
    run("language", "update")
    assert '#~ msgctxt "card/RW:RW2/name"' in FRENCH.read_text("utf-8")
    assert entry_of("card/RW:RW9/name").fuzzy
    rename_card("RW9", "RW2")
    run("language", "update")
    entry = entry_of("card/RW:RW2/name")
    assert (entry.msgstr, entry.fuzzy) == ("Passeur", False)


def test_a_print_has_the_translations_and_a_warning_for_the_rest(french: Path, run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    result = run("deck", "river", "--language", "fr")
    assert result.exit_code == 0
    assert "fr.po: warning P003: " in result.stderr
    assert "in the game's own language instead: 223" in result.stderr
    text = " ".join(page_texts(french / "out/fr/deck_river.pdf"))
    assert "Passeur" in text
    assert "Ferryman" not in text
    assert "Mother Flood" in text


def test_a_fuzzy_translation_is_not_printed(french: Path, run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    edit(FRENCH, 'msgctxt "card/RW:RW2/name"', '#, fuzzy\nmsgctxt "card/RW:RW2/name"')
    run("deck", "river", "--language", "fr")
    assert "Ferryman" in " ".join(page_texts(french / "out/fr/deck_river.pdf"))


def test_a_translation_that_is_demanded_but_missing_stops_the_print(french: Path, run: Run) -> None:
    result = run("deck", "river", "--language", "fr", "--complete")
    assert result.exit_code == 1
    assert " error P003: " in result.stderr
    assert not (french / "out").exists()


def test_all_languages_are_printed_in_turn(french: Path, run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    assert run("deck", "river", "--languages", "all", "-q").exit_code == 0
    assert "Ferryman" in " ".join(page_texts(french / "out/deck_river.pdf"))
    assert "Passeur" in " ".join(page_texts(french / "out/fr/deck_river.pdf"))
    assert run("build", "--languages", "all", "-q", "-o", "new/").exit_code == 0
    assert "Passeur" in " ".join(page_texts(french / "new/fr/deck_river.pdf"))
    result = run("deck", "river", "--languages", "all", "-o", "one.pdf")
    assert result.exit_code == 2
    assert "--out must be a folder" in result.stderr


@pytest.mark.usefixtures("french")
def test_an_unknown_language_is_named_with_the_known(run: Run) -> None:
    result = run("deck", "river", "--language", "fra")
    assert result.exit_code == 2
    assert "the game has no language `fra`" in result.stderr
    assert "`fr`" in result.stderr


def test_prints_of_two_languages_do_not_share_what_is_cached(french: Path, run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    for _ in range(2):
        run("deck", "river", "-q")
        run("deck", "river", "-q", "--language", "fr")
        assert "Ferryman" in " ".join(page_texts(french / "out/deck_river.pdf"))
        assert "Passeur" in " ".join(page_texts(french / "out/fr/deck_river.pdf"))
    translate({"Ferryman": "Batelier"})
    run("deck", "river", "-q", "--language", "fr")
    assert "Batelier" in " ".join(page_texts(french / "out/fr/deck_river.pdf"))


def test_cards_that_were_read_in_one_language_serve_another(french: Path) -> None:
    text = next(iter(load_all(french).cards.values())).kind.fields[0].text
    translate({text: "Valeur"})
    folder = GameFolder(french)
    with use_file_cache({}):
        for language, expected in ((None, text), (load_catalog(FRENCH), "Valeur"), (None, text)):
            with use_language(language):
                setup = load_setup(folder, [])
                assert setup is not None
                cards = load_game(folder, setup, []).cards
            assert {str(card.kind.fields[0].text) for card in cards.values()} == {expected}


def test_conditions_compare_the_source(french: Path, run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    marked = (
        "{{ 'marked' if card.name == 'Ferryman' and 'Ferry' in card.name else '' }}{{ card.name }}"
    )
    edit(Path("templates/card.xml"), "{{ card.name }}", marked)
    assert run("deck", "river", "--language", "fr", "-q").exit_code == 0
    assert "markedPasseur" in " ".join(page_texts(french / "out/fr/deck_river.pdf"))


def test_a_translated_text_prints_as_such_and_compares_as_its_source() -> None:
    text = Translated("Passeur", "Ferryman")
    assert text == "Ferryman"
    assert {text} == {"Ferryman"}
    assert text != "Passeur"
    assert f"{text}!" == "Passeur!"
    assert text.upper() == "PASSEUR"
    assert "Ferry" in text
    assert text.startswith("F")
    assert text == Translated("Batelier", "Ferryman")


@pytest.mark.usefixtures("french")
@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("Ferryman", "Passeur 2", "error P005: the translation of `Ferryman` differs: it has `2`"),
        ("Ferryman", "{oar} Passeur", "error P005: "),
        (
            "Ferryman",
            "le *Passeur*",
            "error P005: the translation of `Ferryman` differs: it has `*…*`",
        ),
        ("Ferryman", "渡_し_守", "error P005: the translation of `Ferryman` differs: it has `_…_`"),
        ("Ferryman", "Ferryman", "info P006: the translation of `Ferryman` is the same"),
        ("Ferryman", "Der Bootsmann " * 12, "error L001: card `RW2`: "),
        ("Ferryman", "舟\u1820", "error L013: card `RW2`: "),
    ],
)
def test_faults_are_found_at_the_line_of_the_translation(
    run: Run, source: str, target: str, said: str
) -> None:
    translate({source: target})
    line = next(e.linenum for e in polib.pofile(FRENCH) if e.msgid == source)
    result = run("language", "check")
    assert f"fr.po:{line}:1: {said}" in result.stderr
    assert f"fr.po:{line}:1: {said}" in run("check").output


@pytest.mark.usefixtures("french")
def test_other_words_with_the_same_emphasis_are_no_finding(run: Run) -> None:
    edit(CARDS, 'name="Ferryman"', 'name="The *old* ferry_man_2 ~~rows~~"')
    run("language", "update")
    translate({"The *old* ferry_man_2 ~~rows~~": "~~rame~~ le **vieux** pass_eur_2 a_b_c"})
    assert "P005" not in run("language", "check").output


@pytest.mark.usefixtures("french")
def test_a_meant_likeness_is_no_finding(run: Run) -> None:
    translate({"Ferryman": "Ferryman"})
    edit(FRENCH, 'msgctxt "card/RW:RW2/name"', '#, identical\nmsgctxt "card/RW:RW2/name"')
    assert "P006" not in run("language", "check").output


@pytest.mark.usefixtures("french")
def test_entries_for_nothing_and_missing_entries_are_found(run: Run) -> None:
    edit(CARDS, 'name="Ferryman"', 'name="Old Ferryman"')
    result = run("language", "check", "fr")
    assert "warning P004: the game has no text `Ferryman` at `card/RW:RW2/name`" in result.stderr
    assert "info P007: the catalog lacks 1 text, such as `Old Ferryman`" in result.stderr


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'msgid "a"\nmsgid "b"\n', "fr.po:2:1: error P001: "),
        (b'msgid "caf\xe9"\nmsgstr ""\n', "fr.po:1:1: error P001: it is not in utf-8"),
        (b'msgid "a"\nmsgstr ""\n\nmsgid "a"\nmsgstr "x"\n', "fr.po:4:1: error P002: "),
        (b"\0\1\2", "fr.po"),
        (b'"Content-Type: text/plain; charset=klingon\\n"\n', "error P001: "),
    ],
)
def test_a_broken_catalog_is_told_where(run: Run, content: bytes, said: str) -> None:
    FRENCH.parent.mkdir()
    FRENCH.write_bytes(content)
    for command in (("check",), ("deck", "river", "--language", "fr"), ("language", "update")):
        result = run(*command)
        assert result.exit_code == 1, command
        assert said in result.output, command
    assert FRENCH.read_bytes() == content


def test_the_markup_of_a_book_is_a_part_of_its_sentences(tmp_path: Path) -> None:
    path = tmp_path / "book.xml"
    path.write_text(
        '<rulebook title="One"><chapter id="a" title="Two"><p>Play <b>two</b> cards.</p>'
        "<list><item>x <i>y</i><list><item>deep</item></list></item></list></chapter></rulebook>",
        "utf-8",
    )
    root = load_document(path, [])
    assert root is not None
    seen: list[tuple[str, str]] = []

    def swap(context: str, text: str, *_: object) -> str:
        seen.append((context, text))
        return text.replace("Play <b>two</b> cards.", "<b>Zwei</b> Karten spielen")

    replaced = replace_book(root, swap)
    assert seen == [
        ("book", "One"),
        ("book/a", "Two"),
        ("book/a", "Play <b>two</b> cards."),
        ("book/a", "x <i>y</i>"),
        ("book/a", "deep"),
    ]
    paragraph = replaced.children[0].children[0]
    assert (paragraph.text, paragraph.children[0].text, paragraph.children[0].tail) == (
        "",
        "Zwei",
        " Karten spielen",
    )
    assert root.children[0].children[0].text == "Play "


def test_the_pseudo_language_keeps_symbols_and_markup() -> None:
    text = "Get {coin} <b>two</b> cards, {{ card.name }}"
    shown = PseudoLanguage().translate("", text)
    assert shown is not None
    assert shown.startswith("[")
    assert shown.endswith("]")
    for kept in ("{coin}", "<b>", "</b>", "{{ card.name }}"):
        assert kept in shown
    assert len(shown) >= len(text) + len("Get two cards,") * 0.3


def test_every_game_has_a_pseudo_language(small: Path, run: Run) -> None:
    assert run("deck", "river", "--language", PSEUDO, "-q").exit_code == 0
    assert "[" in " ".join(page_texts(small / f"out/{PSEUDO}/deck_river.pdf"))


@pytest.mark.usefixtures("french")
def test_printing_in_a_language_needs_no_parser_of_catalogs() -> None:
    translate({"Ferryman": "Passeur"})
    load_catalog(FRENCH)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polib, "pofile", None)
        assert load_catalog(FRENCH).translate("card/RW:RW2/name", "Ferryman") == "Passeur"


def test_a_game_is_the_same_in_its_own_language(small: Path) -> None:
    with use_language(PseudoLanguage()):
        pseudo = load_all(small)
    plain = load_all(small)
    assert pseudo.cards["RW", "RW2"].name == plain.cards["RW", "RW2"].name
    assert str(pseudo.cards["RW", "RW2"].name) != str(plain.cards["RW", "RW2"].name)
    assert pseudo.setup.language == PSEUDO
    assert {text.text for text in list_texts(GameFolder(small))} >= {"Ferryman", "Passive rules"}


def test_updating_without_a_folder_makes_it(small: Path) -> None:
    counts = update_catalog(GameFolder(small), FRENCH)
    assert counts.texts == counts.added == counts.missing > 50


@pytest.mark.parametrize("keep", [True, False])
def test_the_library_opens_a_game_in_a_language(french: Path, keep: bool) -> None:  # noqa: FBT001
    translate({"Ferryman": "Passeur"})
    game = api.open_game(french, keep=keep, language="fr")
    assert game.card("RW2").name == "Ferryman"
    assert str(game.card("RW2").name) == "Passeur"
    game.deck("river").print(french / "river.pdf", limits=None)
    assert "Passeur" in " ".join(page_texts(french / "river.pdf"))
    assert str(api.open_game(french, keep=keep).card("RW2").name) == "Ferryman"
    with pytest.raises(ChoiceError, match="no language `xx`"):
        api.open_game(french, language="xx")


@pytest.mark.parametrize("name", ["fr.xlsx", "fr.csv"])
def test_translations_come_back_from_a_spreadsheet(french: Path, run: Run, name: str) -> None:
    translate({"Ferryman": "Passeur", "Mother Flood": "=Mère *Crue*\u00a0!"})
    expected = FRENCH.read_bytes()
    assert run("language", "export", "fr", "-o", name).stdout == f"224 texts in {name}\n"
    translate({"Ferryman": "", "Mother Flood": ""})
    result = run("language", "import", "fr", name)
    assert result.stdout == "2 translations changed, 222 the same\n"
    assert FRENCH.read_bytes() == expected
    assert run("language", "import", "fr", name).stdout.startswith("0 translations changed")
    assert french.is_dir()


@pytest.mark.usefixtures("french")
def test_a_translation_from_a_sheet_is_no_longer_fuzzy(run: Run) -> None:
    edit(FRENCH, 'msgctxt "card/RW:RW2/name"', '#, fuzzy\nmsgctxt "card/RW:RW2/name"')
    Path("fr.csv").write_text(
        "translation;context;source\nPasseur;card/RW:RW2/name;Ferryman\n", "utf-8"
    )
    assert run("language", "import", "fr", "fr.csv").exit_code == 0
    assert not entry_of("card/RW:RW2/name").fuzzy


@pytest.mark.usefixtures("french")
def test_a_sheet_without_sources_is_refused(run: Run) -> None:
    before = FRENCH.read_bytes()
    Path("fr.csv").write_text("a,b\n1,2\n", "utf-8")
    result = run("language", "import", "fr", "fr.csv")
    assert result.exit_code == 1
    assert "error P008: the sheet has no column `context`" in result.stderr
    assert FRENCH.read_bytes() == before


def test_a_check_needs_no_fonts_of_other_languages(
    french: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate({"Ferryman": "Passeur 2"})
    font = '<language id="fr"><font id="text" family="Noto Sans JP"/></language>'
    edit(GAME, "</fonts>", f"</fonts>{font}")
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if "cjk" in name else find(name)
    )
    assert run("deck", "river").exit_code == 0
    result = run("check")
    warning = "xml/lang/fr.po: warning T007: the font family `Noto Sans JP` is not installed"
    assert warning in result.stderr
    assert '[fonts]"`' in result.stderr
    assert "error P005" in result.stderr  # the texts are checked
    assert warning in run("language", "check", "fr").stderr
    printed = run("deck", "river", "--language", "fr")
    assert "game.xml:" in printed.stderr
    assert "error T007: the font family `Noto Sans JP` is not installed" in printed.stderr
    assert not (french / "out/fr").exists()


def test_a_language_has_its_own_templates_and_fonts(french: Path, run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    text = Path("templates/card.xml").read_text("utf-8")
    Path("templates/fr").mkdir()
    Path("templates/fr/card.xml").write_text(text.replace("{{ card.name }}", "«{{ card.name }}»"))
    edit(
        GAME,
        "</fonts>",
        '</fonts><language id="fr"><font id="title" family="Cinzel"/></language>',
    )
    assert run("check").exit_code == 0
    assert run("deck", "river", "--languages", "all", "-q").exit_code == 0
    pdf = french / "out/fr/deck_river.pdf"
    assert "«Passeur»" in " ".join(page_texts(pdf))
    assert "Cinzel" in font_names(pdf)
    assert "Cinzel" not in font_names(french / "out/deck_river.pdf")
    assert "«" not in " ".join(page_texts(french / "out/deck_river.pdf"))
    before = FRENCH.read_bytes()
    run("language", "update")
    assert FRENCH.read_bytes() == before
    assert "there is no style" in run("deck", "river", "--style", "fr").stderr


def test_the_starter_is_whole_in_arabic(tmp_path: Path, run: Run) -> None:
    """Every text is translated and fits; nothing that is printed is left in English."""
    starter = tmp_path / "starter"
    ignored = shutil.ignore_patterns("out", "pictures")
    shutil.copytree(ROOT / "examples" / "starter", starter, ignore=ignored)
    assert run("check", "--game", str(starter), "--strict").exit_code == 0
    catalog = polib.pofile(starter / "xml/lang/ar.po")
    assert not catalog.untranslated_entries() + catalog.fuzzy_entries()
    assert run("language", "update", "--game", str(starter)).exit_code == 0
    assert catalog == polib.pofile(starter / "xml/lang/ar.po")
    build = ("build", "--game", str(starter), "--language", "ar", "--quiet")
    assert run(*build).exit_code == 0
    assert run("tuckbox", "cats", "--game", str(starter), "--language", "ar").exit_code == 0
    for path in (starter / "out/ar").glob("*.pdf"):
        text = " ".join(page_texts(path)).replace("100 mm", "").replace(" mm", "")
        # Marks of callouts, and ids in the index of the overview.
        assert {*re.findall("[A-Za-z]+", text)} <= {"A", "B", "C", "D", "CAT", "GULL"}, path


def test_a_first_game_begins_without_translations(tmp_path: Path, run: Run) -> None:
    assert run("new", str(tmp_path / "mine")).exit_code == 0
    assert not (tmp_path / "mine/xml/lang").exists()
    assert run("check", "--game", str(tmp_path / "mine"), "--strict").exit_code == 0
