"""Codes of decks: what is signed, what proves it, and what is no key."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from hypothesis import given
from hypothesis import strategies as st

import deckwright
from conftest import Run, edit
from deckwright.decks import signing
from deckwright.decks.signing import (
    SignedContent,
    is_valid_code,
    make_code,
    make_message,
    parse_public_key,
)
from support import card, line, write_game

KEY = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = parse_public_key(signing.format_public_key(KEY))
PEM = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)

ids = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=4)
signed_decks = st.builds(
    SignedContent, ids, ids, st.dictionaries(st.tuples(ids, ids), st.integers(1, 99), max_size=5)
)


@pytest.fixture
def game(small: Path) -> Path:
    """The small game with the public key, and the private one beside it."""
    edit(Path("xml/game.xml"), "<game ", f'<game public-key="{signing.format_public_key(KEY)}" ')
    (small / "publisher.pem").write_bytes(PEM)
    return small


def test_what_is_signed_is_as_the_docs_have_it() -> None:
    signed = SignedContent("A-1", "RW", {("RW", "b"): 2, ("WF", "a"): 1, ("RW", "a"): 10})
    assert make_message(signed) == b"deckwright deck 1\nA-1\nRW\n1 WF a\n10 RW a\n2 RW b\n"


@given(signed_decks, signed_decks)
def test_a_code_proves_one_list_alone(signed: SignedContent, other: SignedContent) -> None:
    code = make_code(signed, KEY)
    assert is_valid_code(code, signed, PUBLIC)
    assert is_valid_code(
        code, signed._replace(cards=dict(reversed([*signed.cards.items()]))), PUBLIC
    )
    assert is_valid_code(code, other, PUBLIC) == (other == signed)
    for number in signed.cards:
        cards = {**signed.cards, number: signed.cards[number] + 1}
        assert not is_valid_code(code, signed._replace(cards=cards), PUBLIC)
    assert not is_valid_code(code, signed._replace(faction_id="other"), PUBLIC)


@given(st.text(max_size=12))
def test_what_is_no_code_proves_nothing(text: str) -> None:
    signed = SignedContent("A-1", "RW", {("RW", "a"): 1})
    assert not is_valid_code(text, signed, PUBLIC)
    assert not is_valid_code(f"A-1.{text}", signed, PUBLIC)


def test_another_key_proves_nothing() -> None:
    signed = SignedContent("A-1", "RW", {("RW", "a"): 1})
    other = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert not is_valid_code(make_code(signed, other), signed, PUBLIC)


@pytest.mark.usefixtures("game")
def test_a_signed_deck_is_proven_until_it_changes(run: Run) -> None:
    code = run("codes", "sign", "river", "--id", "A-17", "--key", "publisher.pem").stdout.strip()
    assert re.fullmatch(r"A-17\.[A-Z2-7]{103}", code)
    assert code == deckwright.open_game(".").deck("river").sign("publisher.pem", "A-17")
    assert run("codes", "verify", "river", code).exit_code == 0
    edit(Path("xml/Decks/river.xml"), 'id="RW1" amount="2"', 'id="RW1" amount="1"')
    result = run("codes", "verify", "river", code)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "river.xml: error D013: the code of `A-17`" in result.stderr


@pytest.mark.usefixtures("game")
def test_decks_that_break_their_limits_are_not_signed(run: Run) -> None:
    edit(Path("xml/Decks/river.xml"), 'id="RW1" amount="2"', 'id="RW1" amount="40"')
    result = run("codes", "sign", "river", "ember", "--key", "publisher.pem")
    assert result.exit_code == 1
    assert result.stdout.startswith("ember.")
    assert "river.xml" in result.stderr
    loose = run("codes", "sign", "river", "--key", "publisher.pem", "--ignore-limits")
    assert loose.stdout.startswith("river.")


def test_a_new_key_is_secret_and_stays(small: Path, run: Run) -> None:
    made = run("codes", "key", "mine.pem")
    first = Path("mine.pem").read_bytes()
    assert stat.S_IMODE(Path("mine.pem").stat().st_mode) == 0o600
    again = run("codes", "key", "mine.pem")
    assert (again.exit_code, Path("mine.pem").read_bytes()) == (2, first)
    edit(small / "xml/game.xml", "<game ", f"<game {made.stdout.strip()} ")
    code = run("codes", "sign", "river", "--key", "mine.pem").stdout.strip()
    assert run("codes", "verify", "river", code).exit_code == 0
    assert run("codes", "key", "nowhere/mine.pem").exit_code == 3


def pem(private: x25519.X25519PrivateKey | ed25519.Ed25519PrivateKey, password: bytes) -> bytes:
    locked = serialization.BestAvailableEncryption(password) if password else None
    return private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        locked or serialization.NoEncryption(),
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a private key file"),
        (PEM[:60], "is not a private key file"),
        (pem(KEY, b"secret"), "is locked with a password"),
        (pem(x25519.X25519PrivateKey.generate(), b""), "is not for Ed25519"),
        (pem(ed25519.Ed25519PrivateKey.generate(), b""), "its public key is"),
    ],
)
@pytest.mark.usefixtures("game")
def test_what_is_not_the_key_is_told(run: Run, content: bytes, said: str) -> None:
    Path("publisher.pem").write_bytes(content)
    result = run("codes", "sign", "river", "--key", "publisher.pem")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


@pytest.mark.usefixtures("small")
def test_without_a_public_key_nothing_can_be_proven(run: Run) -> None:
    result = run("codes", "verify", "river", "A.B")
    assert result.exit_code == 2
    assert "game.xml has no public key" in result.stderr
    edit(Path("xml/game.xml"), "<game ", '<game public-key="short" ')
    assert "S004" in run("check").stderr


def test_codes_can_be_read_from_print(tmp_path: Path, run: Run) -> None:
    code = make_code(SignedContent("A-000017", "RW", {("RW", "a"): 3}), KEY)
    face = f'<face><code value="{code}" x="10" y="10" width="22"/></face>'
    game = write_game(
        tmp_path / "game", [card("A1", "Ant")], decks={"deck": [line("A1")]}, face=face
    )
    result = run("deck", "deck", "--game", str(game))
    assert result.exit_code == 0, result.stderr
    page = pypdfium2.PdfDocument(game / "out" / "deck_deck.pdf")[0]
    (found,) = zxingcpp.read_barcodes(page.render(scale=300 / 72).to_pil())
    assert found.text == code
