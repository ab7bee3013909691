"""Outputs whose encoding lacks letters, as of what is redirected on Windows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conftest import edit

NAME = "Übel Żubr – Ж"


@pytest.fixture
def foreign(small: Path) -> Path:
    """A game with a name that no 8-bit encoding has, and a finding about it."""
    edit(small / "xml" / "Factions" / "RW_cards.xml", 'name="Ferryman"', f'name="{NAME}"')
    return small


def said(folder: Path, arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "deckwright", *arguments.split()],
        cwd=folder, env={**os.environ, **environment}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode in {0, 1, 2, 3}, done.stderr
    return done


@pytest.mark.corpus(3)
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["cp1252", "latin-1", "C"],
)
@pytest.mark.parametrize(
    "arguments",
    [
        "balance", "check", "check nosuch–.xml", "compare ember river", "deck river",
        "deck nosuch–", "diff", "explain L001", "hand river --hand 5", "icons –", "nosuch–",
        "odds river --hand 5", "stats river", "tuckbox river",
    ],
)  # fmt: skip
def test_no_encoding_is_a_fault(foreign: Path, arguments: str, environment: dict[str, str]) -> None:
    done = said(foreign, arguments, **environment)
    assert b"bug in Deckwright" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_what_an_encoding_lacks_is_shown_by_lookalikes(foreign: Path) -> None:
    shown = said(foreign, "deck ÜŻ–Ж", PYTHONIOENCODING="cp1252").stderr.decode("cp1252")
    assert "ÜZ–\\u0416.xml" in shown
    shown = said(foreign, "deck ÜŻ–Ж", PYTHONIOENCODING="latin-1").stderr.decode("latin-1")
    assert "ÜZ-\\u0416.xml" in shown


@pytest.mark.corpus(6)
@pytest.mark.parametrize(
    "arguments",
    [
        "balance --format json", "check --format json", "check --format sarif",
        "compare ember river --format json", "hand river --hand 5 --format json",
        "odds river --hand 5 --format json",
    ],
)  # fmt: skip
def test_json_is_utf_8_in_any_encoding(foreign: Path, arguments: str) -> None:
    edit(foreign / "xml" / "Decks" / "river.xml", "<data>", "<data>\n<Żubr/>")
    done = said(foreign, arguments, PYTHONIOENCODING="cp1252")
    if done.stdout:
        json.loads(done.stdout.decode("utf-8"))
    assert done.stdout == said(foreign, arguments, PYTHONIOENCODING="utf-8").stdout


def test_xml_is_utf_8_in_any_encoding(foreign: Path) -> None:
    edit(foreign / "xml" / "Decks" / "river.xml", "<data>", "<data>\n<Żubr/>")
    done = said(foreign, "check --format junit", PYTHONIOENCODING="latin-1")
    assert "Żubr" in ET.tostring(ET.fromstring(done.stdout), encoding="unicode")
