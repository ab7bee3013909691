"""Decks of a run with codes: what is printed on a deck proves what it consists of."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from conftest import Run, edit
from deckwright.decks.signing import new_key


@pytest.fixture
def signed(small: Path, run: Run) -> Path:
    """A run of three signed decks, whose cards print the codes."""
    file, public = new_key()
    Path("key.pem").write_bytes(file)
    edit(Path("xml/game.xml"), "<game ", f'<game public-key="{public}" ')
    code = '<code value="{{ printed.proof }}" when="printed.proof" x="9" y="9" width="30"/>'
    face = f"<face>{code}</face>"
    (small / "templates/card.xml").write_text(face, encoding="utf-8")
    cards = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(1, 6)]
    cards.append({"id": "WF1", "faction": "WF"})
    lines = [
        {"id": f"D-{number}", "faction": "RW", "cards": cards, "values": {"serial": number}}
        for number in range(1, 4)
    ]
    Path("run.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    result = run("run", "sign", "run.jsonl", "--key", "key.pem", "--out", "signed.jsonl")
    assert (result.exit_code, result.stdout) == (0, "3 decks signed in signed.jsonl\n")
    assert run("run", "plan", "signed.jsonl", "--out", "run").exit_code == 0
    return Path("run")


def proof(number: int) -> str:
    lines = Path("signed.jsonl").read_text().splitlines()
    values = json.loads(lines[number - 1])["values"]
    assert values["serial"] == number
    return str(values["proof"])


def test_the_printed_code_proves_its_deck(signed: Path, run: Run) -> None:
    result = run("run", "start", "run", "--workers", "1")
    assert result.exit_code == 0, result.stderr
    document = pypdfium2.PdfDocument(signed / "decks/D-2.pdf")
    pictures = [page.render(scale=250 / 72).to_pil() for page in document]
    codes = {code.text for picture in pictures for code in zxingcpp.read_barcodes(picture)}
    assert codes == {proof(2)}
    proven = run("run", "prove", "run", proof(2))
    assert proven.exit_code == 0
    assert proven.stdout.splitlines()[:2] == ["proven: deck D-2, D-2", "  2 RW:RW1"]


def test_codes_of_other_decks_or_keys_prove_nothing(signed: Path, run: Run) -> None:
    wrong = re.sub("^D-2", "D-1", proof(2))
    result = run("run", "prove", "run", wrong)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "lines.jsonl:1:1: error D013: the code of `D-1`" in result.stderr
    assert run("run", "prove", "run", "D-9.AAAA").exit_code == 2
    assert signed.is_dir()


@pytest.mark.usefixtures("signed")
def test_a_code_is_written_in_one_way_alone(run: Run) -> None:
    """The last character has bits that mean nothing."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    codes = [proof(2)[:-1] + letter for letter in letters]
    assert [code for code in codes if run("run", "prove", "run", code).exit_code == 0] == [proof(2)]


@pytest.mark.usefixtures("signed")
@pytest.mark.parametrize(
    "sign", [("run", "sign", "run.jsonl", "--out", "other.jsonl"), ("codes", "sign", "river")]
)
def test_a_key_without_end_is_not_read(run: Run, sign: tuple[str, ...]) -> None:
    result = run(*sign, "--key", "/dev/zero")
    assert result.exit_code == 3
    assert "/dev/zero: error X006: cannot read the file: it is not a regular file" in result.stderr


@pytest.mark.usefixtures("signed")
def test_what_is_wrong_with_the_game_is_told_where_codes_are_verified(run: Run) -> None:
    edit(Path("xml/game.xml"), "<game ", '<game zzz="1" ')
    result = run("codes", "verify", "river", proof(2))
    assert result.exit_code == 1
    assert "xml/game.xml:3:7: error S002: " in result.stderr


@pytest.mark.usefixtures("signed")
def test_only_the_publisher_can_sign(run: Run) -> None:
    Path("key.pem").write_bytes(new_key()[0])
    result = run("run", "sign", "run.jsonl", "--key", "key.pem", "--out", "other.jsonl")
    assert result.exit_code == 2
    assert "the public key of this key is public-key=" in result.stderr
    assert not Path("other.jsonl").exists()


@pytest.mark.usefixtures("signed")
def test_a_file_with_mistakes_is_not_signed(run: Run) -> None:
    Path("run.jsonl").write_text('{"id": "A"}\n')
    result = run("run", "sign", "run.jsonl", "--key", "key.pem", "--out", "other.jsonl")
    assert result.exit_code == 1
    assert "run.jsonl:1:1: error E120: `cards` is not a list" in result.stderr
    assert not Path("other.jsonl").exists()
