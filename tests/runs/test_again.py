"""Decks again: in large files with pages between them, and one by one because paper was damaged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from pypdf import PdfReader
from pypdfium2 import PdfPage

from conftest import Run
from deckwright.cli.run import set_aside_lines
from deckwright.runs.manifest import ManifestRecord

RUN = Path("run")


@pytest.fixture
def printed(small: Path, run: Run) -> Path:
    """A run of five decks, of which one cannot be printed; their cards have serial numbers."""
    face = small / "templates/card.xml"
    text = face.read_text(encoding="utf-8")
    serial = '<text x="5" y="80" width="40" height="5" font-size="3">{{ printed.serial }}</text>'
    face.write_text(text.replace("</face>", f"{serial}</face>"), encoding="utf-8")
    cards = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(1, 6)]
    cards.append({"id": "WF1", "faction": "WF"})
    with Path("run.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(1, 6):
            line = {
                "id": f"D-{number}",
                "faction": "RW",
                "cards": cards[: 1 if number == 3 else None],
                "name": f"Tide {number}",
                "values": {"serial": f"No{number}x", "title": f"Tide {number}"},
            }
            stream.write(f"{json.dumps(line)}\n")
    assert run("run", "plan", "run.jsonl", "--out", "run", "--no-backs").exit_code == 0
    result = run("run", "start", "run", "--workers", "1")
    assert result.exit_code == 1
    assert "deck D-3 (line 3): D001: " in result.stderr
    assert result.stderr.endswith("1 deck set aside\n")
    return RUN


def texts(path: Path) -> list[str]:
    return [page.extract_text() for page in PdfReader(path).pages]


def test_what_is_printed_on_a_deck_is_its_own(printed: Path) -> None:
    for number in (1, 2, 4, 5):
        whole = "\n".join(texts(printed / f"decks/D-{number}.pdf"))
        assert whole.count(f"No{number}x") == 7
        assert len(re.findall(r"No\dx", whole)) == 7


def test_large_files_have_the_pages_of_all_decks(printed: Path, run: Run) -> None:
    result = run("run", "merge", "run", "--by", "3")
    assert result.exit_code == 0, result.stderr
    assert "1 of the run are not printed yet" in result.stderr
    files = sorted((printed / "merged").glob("*.pdf"))
    assert [path.name for path in files] == ["0001.pdf", "0002.pdf"]
    found = [text for path in files for text in texts(path)]
    numbers = (1, 2, 4, 5)
    expected: list[str] = []
    for number in numbers:
        own = texts(printed / f"decks/D-{number}.pdf")
        separator = found[len(expected)]
        assert separator.startswith(f"D-{number}\nTide {number}\n")
        assert f"D-{number} · " in separator
        assert f"Pages: {len(own)}" in separator
        assert f"serial: No{number}x" in separator
        assert "title:" not in separator  # it says that already
        expected += [separator, *own]
    assert found == expected
    picture = pypdfium2.PdfDocument(files[0])[0].render(scale=100 / 72).to_pil()
    (code,) = zxingcpp.read_barcodes(picture)
    assert code.text == "D-1"
    before = [path.read_bytes() for path in files]
    assert run("run", "merge", "run", "--by", "3").exit_code == 0
    assert [path.read_bytes() for path in files] == before
    plain = run("run", "merge", "run", "--by", "3", "--no-separators", "--out", "plain")
    assert plain.exit_code == 0
    pages = [text for path in sorted(Path("plain").glob("*.pdf")) for text in texts(path)]
    assert pages == [text for text in expected if "SHA-256" not in text]


def test_a_deck_is_printed_again_as_it_was(printed: Path, run: Run, small: Path) -> None:
    (small / "xml/game.xml").unlink()
    result = run("run", "reprint", "run", "D-4")
    assert result.exit_code == 0, result.stderr
    again = (printed / "reprints/D-4.pdf").read_bytes()
    assert again == (printed / "decks/D-4.pdf").read_bytes()


def test_one_card_is_printed_again_alone(printed: Path, run: Run) -> None:
    result = run("run", "reprint", "run", "D-4:RW1", "--out", "card.pdf")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "2 cards on 1 page in card.pdf\n"
    whole = "\n".join(texts(Path("card.pdf")))
    assert whole.count("No4x") == 2
    assert printed.is_dir()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("D-9", "there is no deck `D-9` in the run"),
        ("D-4:RW9", "there is no card `RW9` in deck `D-4`"),
    ],
)
@pytest.mark.usefixtures("printed")
def test_what_is_not_in_the_run_is_told(run: Run, what: str, said: str) -> None:
    result = run("run", "reprint", "run", what)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.usefixtures("printed")
def test_the_status_counts_what_was_printed(run: Run) -> None:
    said = json.loads(run("run", "status", "run", "--format", "json").stdout)
    assert (said["decks"], said["printed"], said["missing"]) == (5, 4, 0)
    assert said["copies"] == {
        **{f"RW:RW{number}": 4 * (1 + (number == 1)) for number in range(1, 6)},
        "RW:ra002/1": 8,
        "WF:WF1": 4,
    }
    assert [one["deck"] for one in said["aside"]] == ["D-3"]
    text = run("run", "status", "run").stdout
    assert "not running" in text
    assert "deck D-3 (line 3): D001: " in text
    *first, last = Path("run/manifest.jsonl").read_text(encoding="utf-8").splitlines()
    assert '"D-5"' in last
    Path("run/manifest.jsonl").write_text("".join(f"{line}\n" for line in first), encoding="utf-8")
    assert re.search(r"missing +1, about 0\.[0-9] MB\n", run("run", "status", "run").stdout)


def codes(page: PdfPage) -> list[str]:
    return [found.text for found in zxingcpp.read_barcodes(page.render(scale=3).to_pil())]


@pytest.mark.usefixtures("printed")
def test_boxes_say_whose_they_are(run: Run, small: Path) -> None:
    plain = small / "out" / "box_river.pdf"
    assert run("tuckbox", "river").exit_code == 0
    assert run("run", "plan", "run.jsonl", "--out", "boxed", "--boxes").exit_code == 0
    assert run("run", "start", "boxed", "--workers", "1").exit_code == 1
    assert sorted(path.name for path in Path("boxed/boxes").iterdir()) == [
        f"D-{number}.pdf" for number in (1, 2, 4, 5)
    ]
    (page,) = pypdfium2.PdfDocument("boxed/boxes/D-2.pdf")
    assert codes(page) == ["D-2"]
    assert "Tide 2" in page.get_textpage().get_text_range()
    (without,) = pypdfium2.PdfDocument(plain)
    assert codes(without) == []
    assert run("run", "verify", "boxed").exit_code == 0
    assert run("run", "merge", "boxed", "--by", "3").exit_code == 0
    found = {path.name: pypdfium2.PdfDocument(path) for path in Path("boxed/merged").iterdir()}
    assert sorted(found) == ["0001.pdf", "0001_boxes.pdf", "0002.pdf", "0002_boxes.pdf"]
    assert [codes(page) for page in found["0001_boxes.pdf"]] == [["D-1"], ["D-2"], ["D-4"]]
    # Lost boxes are printed again, with the same bytes.
    before = Path("boxed/boxes/D-2.pdf").read_bytes()
    Path("boxed/boxes/D-2.pdf").unlink()
    assert run("run", "verify", "boxed").exit_code == 1
    run("run", "start", "boxed", "--workers", "1")
    assert Path("boxed/boxes/D-2.pdf").read_bytes() == before


@pytest.mark.usefixtures("printed")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--paper", "a3"), "--paper is for boxes"),
        (("--boxes", "--service", "press"), "--boxes is for sheets"),
    ],
)
def test_boxes_are_for_sheets(run: Run, asked: tuple[str, ...], said: str) -> None:
    result = run("run", "plan", "run.jsonl", "--out", "boxed", *asked)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.usefixtures("printed")
def test_a_deck_whose_box_is_too_large_is_set_aside(run: Run) -> None:
    many = [{"id": f"RW{number}", "amount": 400} for number in range(1, 6)]
    line = {"id": "D-1", "faction": "RW", "cards": many}
    Path("large.jsonl").write_text(json.dumps(line), encoding="utf-8")
    asked = ("--boxes", "--ignore-limits")
    assert run("run", "plan", "large.jsonl", "--out", "large", *asked).exit_code == 0
    result = run("run", "start", "large", "--workers", "1")
    assert result.exit_code == 1
    assert "E050" in result.stderr
    assert [*Path("large").glob("decks/*"), *Path("large").glob("boxes/*")] == []


@pytest.mark.usefixtures("printed")
def test_runs_take_a_day_and_no_machine(run: Run) -> None:
    assert run("run", "plan", "run.jsonl", "--out", "day", "--date", "2026-03-01").exit_code == 0
    assert json.loads(Path("day", "run.json").read_bytes())["options"]["date"] == "2026-03-01"
    assert "--cut" not in run("run", "plan", "--help").output


def test_of_very_many_reasons_the_first_are_told() -> None:
    decks = [
        ManifestRecord(f"D-{n}", n, "", aside=({"message": f"no {n % 30}"},)) for n in range(1, 100)
    ]
    told = set_aside_lines(decks)
    assert told[0] == "deck D-1 (line 1), D-31 (line 31), D-61 (line 61) and 1 other: no 1"
    assert len(told) == 11
    assert told[-1].startswith("and 20 other reasons: ")
    assert len(set_aside_lines(decks[:10])) == 10
