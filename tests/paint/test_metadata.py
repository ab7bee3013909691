"""What PDFs say of themselves."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pytest

from conftest import ROOT, Run, edit
from deckwright.base.units import resolve_date
from deckwright.paint.pdf.metadata import Info, format_xmp
from print_shop import open_shop

pytestmark = pytest.mark.usefixtures("shipped_checked")

DATE = dt.datetime(2026, 2, 3, 4, 5, 6, tzinfo=dt.UTC)


def aged(game: Path, newest: str, date: dt.datetime = DATE) -> None:
    """Make all files of a game old, but for those of the stem `newest`."""
    old = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    for path in game.rglob("*"):
        time = (date if path.stem == newest else old).timestamp()
        os.utime(path, (time, time))


def check(path: Path, *, title: str, author: str, subject: str, language: str) -> None:
    with pikepdf.open(path) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert pdf.Root.ViewerPreferences.DisplayDocTitle is True
        assert pdf.Root.Metadata.Type == "/Metadata"
        assert "/Filter" not in pdf.Root.Metadata, "programs look for it in the plain file"
        assert pdf.docinfo["/Title"] == title
        assert pdf.docinfo["/CreationDate"] == pdf.docinfo["/ModDate"] == "D:20260203040506+00'00'"
        with pdf.open_metadata() as packet:
            assert packet["dc:title"] == title
            assert packet["dc:creator"] == [author]
            assert packet["dc:description"] == subject
            assert packet["dc:language"] == {language}
            assert packet["xmp:CreateDate"] == "2026-02-03T04:05:06Z"
            assert packet["xmp:ModifyDate"] == "2026-02-03T04:05:06Z"
            assert str(packet["xmp:CreatorTool"]).startswith("Deckwright ")


def test_every_pdf_of_a_game_has_title_author_and_date_for_people_and_programs(
    tmp_path: Path, run: Run
) -> None:
    game = tmp_path / "starter"
    ignored = shutil.ignore_patterns("out", "schema")
    shutil.copytree(ROOT / "examples" / "starter", game, ignore=ignored)
    name = 'name="Harbour Breakfast"'
    edit(game / "xml" / "game.xml", name, 'name="Fish &amp; &lt;Chips&gt;" author="Zoë Ahn"')
    aged(game, "CAT")  # a drawing: pictures are inputs, too
    assert run("build", "--game", str(game)).exit_code == 0
    assert run("tuckbox", "cats", "--game", str(game)).exit_code == 0
    assert run("export", "mbprint", "cats", "--game", str(game)).exit_code == 0
    paths = sorted((game / "out").rglob("*.pdf"))
    assert len(paths) >= 6
    for path in paths:
        with pikepdf.open(path) as pdf:
            title = str(pdf.docinfo["/Title"])
        assert title
        assert "starter" not in title
        check(path, title=title, author="Zoë Ahn", subject="Fish & <Chips>", language="en")


@pytest.mark.parametrize(("language", "direction"), [("he", "/R2L"), ("en", "None")])
def test_a_file_is_bound_at_the_side_where_its_language_begins(
    small: Path, run: Run, language: str, direction: str
) -> None:
    edit(small / "xml" / "game.xml", 'language="en"', f'language="{language}"')
    assert run("deck", "river", "-q").exit_code == 0
    with pikepdf.open(small / "out" / "deck_river.pdf") as pdf:
        assert str(pdf.Root.ViewerPreferences.get("/Direction")) == direction


class At(NamedTuple):
    """A file of some time, which not every file system can have."""

    st_mtime: float

    def stat(self) -> At:
        return self


@pytest.mark.parametrize(("time", "year"), [(-1e15, 1970), (1e15, 5138), (1.7e9, 2023)])
def test_files_from_before_and_after_all_dates_have_one(time: float, year: int) -> None:
    assert resolve_date([At(time)]).year == year  # type: ignore[list-item]


def dates_of(path: Path) -> set[str]:
    with pikepdf.open(path) as pdf:
        dates = [str(pdf.docinfo[name]) for name in ("/CreationDate", "/ModDate")]
    return {date.removesuffix("+00'00'") for date in dates}


@pytest.mark.parametrize("newest", ["hill", "card", "game"])
def test_the_date_is_that_of_the_newest_input(
    newest: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = open_shop(tmp_path / "game", monkeypatch)
    aged(game, newest)
    assert run("deck", "hill", "--sheet", "a4").exit_code == 0
    first = (game / "out" / "deck_hill.pdf").read_bytes()
    assert dates_of(game / "out" / "deck_hill.pdf") == {"D:20260203040506"}
    assert run("deck", "hill", "--sheet", "a4").exit_code == 0
    assert (game / "out" / "deck_hill.pdf").read_bytes() == first
    aged(game, newest, DATE + dt.timedelta(hours=1))
    assert run("deck", "hill", "--sheet", "a4").exit_code == 0
    assert dates_of(game / "out" / "deck_hill.pdf") == {"D:20260203050506"}
    with pikepdf.open(game / "out" / "deck_hill.pdf") as pdf:
        assert bytes(pdf.trailer.ID[0]) not in first, "another date is another file"


def test_what_a_file_does_not_know_is_not_said() -> None:
    packet = format_xmp(Info("Title", "", "", "de", DATE), tagged=True)
    assert "dc:creator" not in packet
    assert "dc:description" not in packet
    assert "<dc:language><rdf:Bag><rdf:li>de</rdf:li></rdf:Bag></dc:language>" in packet
