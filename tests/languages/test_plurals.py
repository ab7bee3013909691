"""Plurals, numbers, dates and alphabets of languages."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polib
import pytest

from conftest import Run, edit
from deckwright.base.locales import choose_form, find_initial, find_locale, parse_plurals, sort_key
from deckwright.base.strings import Translated
from deckwright.base.units import format_date, format_measure, format_number, format_percent
from deckwright.game.words import fill_in
from support import page_texts

GAME, CARD = Path("xml/game.xml"), Path("templates/card.xml")
FACTIONS = Path("xml/factions_definition.xml")
POLISH = Path("xml/lang/pl.po")
FORMS = ("karta", "karty", "kart")


def fill(forms: tuple[str, ...]) -> None:
    """Translate the word for cards."""
    catalog = polib.pofile(POLISH)
    entry = next(each for each in catalog if each.msgctxt == "word/cards")
    assert (entry.msgid, entry.msgid_plural) == ("Card", "Cards")
    assert entry.msgstr_plural.keys() == {0, 1, 2}
    entry.msgstr_plural = dict(enumerate(forms))
    catalog.save()


@pytest.fixture
def polish(small: Path, run: Run) -> Path:
    """The small game with a Polish catalog, on whose cards are numbers of cards."""
    assert run("language", "add", "pl").exit_code == 0
    edit(CARD, "{{ card.name }}", "{{ card.actions }} {{ words.cards|plural(card.actions) }}")
    return small


def printed(run: Run, *options: str) -> str:
    assert run("deck", "river", "-q", *options).exit_code == 0
    return " ".join(page_texts(Path("out", *options[1:], "deck_river.pdf")))


@pytest.mark.usefixtures("polish")
def test_a_word_has_the_form_for_its_number(run: Run) -> None:
    fill(FORMS)
    text = printed(run, "--language", "pl")
    for expected in ("1 karta", "2 karty", "0 kart"):
        assert expected in text
    own = printed(run)
    assert "1 Card" in own
    assert "2 Cards" in own
    assert "P009" not in run("check").output


@pytest.mark.usefixtures("polish")
def test_a_plural_that_lacks_a_form_is_told_and_printed_in_the_games_language(run: Run) -> None:
    fill(FORMS[:2])
    result = run("language", "check", "pl")
    line = next(e.linenum for e in polib.pofile(POLISH) if e.msgid_plural)
    said = f"pl.po:{line}:1: error P009: the plural of `Card` has 2 forms, not 3 as the header says"
    assert said in result.stderr
    assert "2 Cards" in printed(run, "--language", "pl")


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(
    "header", ["", "nplurals=3; plural=system(n);", "nplurals=999999999999; plural=n;", "x"]
)
def test_a_header_without_plurals_is_told(run: Run, header: str) -> None:
    fill(FORMS)
    catalog = polib.pofile(POLISH)
    catalog.metadata["Plural-Forms"] = header
    catalog.save()
    result = run("language", "check", "pl")
    assert "error P009: the plural of `Card` has 3 forms, the header tells none" in result.stderr
    assert "is `Plural-Forms: nplurals=3; " in result.stderr
    assert "2 Cards" in printed(run, "--language", "pl")


@pytest.mark.usefixtures("polish")
def test_a_form_with_another_symbol_is_told(run: Run) -> None:
    fill((*FORMS[:2], "{x} kart"))
    assert "error P005: the form `{x} kart` differs from `Cards`" in run("check").output


@pytest.mark.usefixtures("polish")
def test_updates_keep_forms_and_propose_them_for_a_changed_word(run: Run) -> None:
    fill(FORMS)
    assert run("language", "update").exit_code == 0
    before = POLISH.read_bytes()
    assert run("language", "update").exit_code == 0
    assert POLISH.read_bytes() == before
    word = '<word id="cards" text="Leaves"{}/>\n    <word id="page"'
    edit(GAME, '<word id="page"', word.format(' one="Card"'))
    run("language", "update")
    entry = next(each for each in polib.pofile(POLISH) if each.msgctxt == "word/cards")
    assert entry.fuzzy
    assert (entry.msgid_plural, *entry.msgstr_plural.values()) == ("Leaves", *FORMS)
    edit(GAME, ' one="Card"', "")
    run("language", "update")
    entry = next(each for each in polib.pofile(POLISH) if each.msgctxt == "word/cards")
    assert entry.fuzzy
    assert (entry.msgid, entry.msgid_plural) == ("Leaves", "")


@pytest.mark.usefixtures("polish")
def test_forms_come_back_from_a_spreadsheet(run: Run) -> None:
    fill(FORMS)
    before = POLISH.read_bytes()
    run("language", "export", "pl", "-o", "pl.xlsx")
    fill(("", "", ""))
    assert run("language", "import", "pl", "pl.xlsx").stdout.startswith("1 translations changed")
    assert POLISH.read_bytes() == before


def test_a_game_in_polish_gives_three_forms_itself(small: Path, run: Run) -> None:
    edit(CARD, "{{ card.name }}", "{{ card.actions }} {{ words.cards|plural(card.actions) }}")
    edit(GAME, 'language="en"', 'language="pl"')
    word = '<word id="cards" text="kart" one="karta" few="karty"/>\n    <word id="page"'
    edit(GAME, '<word id="page"', word)
    text = printed(run)
    assert "2 karty" in text
    assert "0 kart" in text
    assert small.is_dir()


@pytest.mark.usefixtures("small")
def test_terms_and_factions_have_forms_for_numbers(run: Run) -> None:
    edit(GAME, 'name="Bank"', 'name="Banks" one="Bank"')
    edit(FACTIONS, '"River Wardens"', '"River Wardens" one="River Warden"')
    name = "{{ card.actions }} {{ %s|plural(card.actions) }}"
    edit(CARD, "{{ card.name }}", f"{name % 'card.rows[0].name'} {name % 'card.faction.name'}")
    assert run("language", "add", "pl").exit_code == 0
    own = printed(run)
    assert "1 Bank 1 River Warden" in own
    assert "0 Banks 0 River Wardens" in own
    catalog = polib.pofile(POLISH)
    entry = next(each for each in catalog if each.msgctxt == "term/rows/CLOSE")
    assert (entry.msgid, entry.msgid_plural) == ("Bank", "Banks")
    entry.msgstr_plural = dict(enumerate(("brzeg", "brzegi", "brzegów")))
    catalog.save()
    text = printed(run, "--language", "pl")
    assert "1 brzeg 1 River" in text
    assert "0 brzegów 0 River" in text


@pytest.mark.usefixtures("small")
def test_a_term_has_further_forms_where_a_language_needs_them(run: Run) -> None:
    edit(GAME, '<vocabulary id="rows">', '<vocabulary id="rows" forms="genitive">')
    edit(CARD, "{{ card.name }}", "of {{ card.rows[0].genitive }}")
    assert "of Bridge" in printed(run)
    for code, genitive in {"pl": "mostu", "fr": ""}.items():
        assert run("language", "add", code).exit_code == 0
        catalog = polib.pofile(f"xml/lang/{code}.po")
        entries = {each.msgctxt: each for each in catalog}
        entries["term/rows/RANGED"].msgstr = "pont"
        entries["term/rows/RANGED/genitive"].msgstr = genitive
        catalog.save()
    assert "of mostu" in printed(run, "--language", "pl")
    assert "of pont" in printed(run, "--language", "fr")
    edit(GAME, 'name="Bridge"', 'name="Bridge" genitive="Bridges"')
    assert "of Bridges" in printed(run)


def test_a_pattern_is_filled_in_with_the_form_of_its_number() -> None:
    word = Translated("{} kart", "", ("{} karta", "{} karty", "{} kart"), find_locale("pl").plurals)
    assert [fill_in(word, number) for number in (1, 22, 5)] == ["1 karta", "22 karty", "5 kart"]
    assert choose_form(word, 1.5) == "{} kart"
    assert choose_form(Translated("b", "", ("a", "b"), "nplurals=2; plural=n/0;"), 1) == "b"
    assert choose_form("b", 1) == "b"


def test_numbers_and_dates_are_as_the_language_writes_them() -> None:
    space = "\N{NO-BREAK SPACE}"
    numbers = {"de": "2,5", "de-CH": "2.5", "en": "2.5", "sv_SE": "2,5", "ja": "2.5", "xx": "2.5"}
    for language, text in numbers.items():
        assert format_number(2.5, language) == text
    assert format_number(1000, "de") == "1000"
    assert format_percent(0.125, "tr") == "%12,5"
    assert format_measure(50, "%", "fr") == f"50{space}%"
    day = datetime(2026, 11, 3, tzinfo=UTC)
    dates = {
        "de": "3. November 2026",
        "en": "3 November 2026",
        "en-US": "November 3, 2026",
        "fr": "3 novembre 2026",
        "pl": "3 listopada 2026",
        "ja": "2026年11月3日",
        "cs": "3. listopadu 2026",
    }
    for language, text in dates.items():
        assert format_date(day, find_locale(language).date, language) == text


def test_footers_have_the_date_of_their_language(
    french: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1785542400")  # the first of August 2026
    assert "1 août 2026" in printed(run, "--language", "fr")
    assert "1 August 2026" in printed(run)
    edit(
        french / GAME, '<word id="page"', '<word id="date" text="{year}/{month}"/>\n<word id="page"'
    )
    assert "2026/8" in printed(run)
    assert "1 août 2026" in printed(run, "--language", "fr")


def test_every_language_has_plurals_that_can_be_read() -> None:
    path = Path(find_locale.__wrapped__.__code__.co_filename).with_suffix(".txt")
    codes = [line.partition("\t")[0] for line in path.read_text("utf-8").splitlines()]
    assert len(codes) > 200
    for code in codes:
        locale = find_locale(code)
        number, choose = parse_plurals(locale.plurals)
        assert {choose(count) for count in range(200)} <= {*range(number)}, code
        assert "{year}" in locale.date
        assert len(locale.months) == 12
        assert "{}" in locale.percent


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("sv", "Anna Orm Zebra Åsa Ära Örn"),
        ("cs", "cena čaj duha hora chata ich"),
        ("pl", "Luba Lwów Łódź Mazur Oman Ósma Zbir Źrebak Żaba"),
        ("es", "nube nz ñu oca"),
        ("de", "Äpfel Apfelbaum Ölf Olga Oma Übel Ufer"),
        ("de-AT", "Äpfel Apfelbaum Ölf Olga Oma Übel Ufer"),
        ("da", "Zar Æble Øl Ål"),
        ("tr", "h\u0131z I\u011fd\u0131r \u0131l\u0131k içel İzmir jale"),
        ("hu", "cukor család dob"),
        ("ru", "иск йод кот"),
        ("", "Łania Lew Ørsted Otto"),
    ],
)
def test_words_are_in_the_order_of_their_alphabet(language: str, words: str) -> None:
    known = words.split()
    assert sorted({*known}, key=lambda word: sort_key(word, language)) == known


def test_an_index_has_the_letters_of_its_alphabet() -> None:
    assert find_initial("chata", "cs") == "CH"
    assert find_initial("Łódź", "pl") == "Ł"
    assert find_initial("Äpfel", "de") == "A"
    assert find_initial("Äpple", "sv") == "Ä"
    assert find_initial("izmir", "tr") == "İ"
    assert find_initial("", "de") == ""


def test_the_overview_is_in_the_order_of_the_language(
    french: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckwright.outputs.books._MAX_CARDS_WITHOUT_INDEX", 0)
    edit(french / GAME, 'language="en"', 'language="sv"')
    edit(french / "xml/Factions/RW_cards.xml", 'name="Ferryman"', 'name="Åman"')
    assert run("overview", "-q").exit_code == 0
    text = " ".join(page_texts(next(Path("out").glob("*overview*.pdf"))))
    index = text[text.rindex("Index of cards") : text.rindex("Index of rules")]
    assert index.index("Torchbearer") < index.index("Åman")
