"""The browser is opened, and no list of processes shows the token."""

from __future__ import annotations

import stat
from pathlib import Path
from queue import Queue
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from deckwright.studio.server import browser_opener

ADDRESS = "http://127.0.0.1:5000/#secret"


def test_a_file_of_ours_alone_leads_to_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    given: Queue[str] = Queue()
    monkeypatch.setattr("webbrowser.open", given.put)
    with browser_opener() as browse:
        browse(ADDRESS)
        uri = given.get(timeout=30)
        assert "secret" not in uri
        file = Path(url2pathname(urlsplit(uri).path))
        assert f'content="0; url={ADDRESS}"' in file.read_text(encoding="utf-8")
        for path in (file, file.parent):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert not file.parent.exists()
