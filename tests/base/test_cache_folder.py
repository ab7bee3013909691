"""The user's cache is where other programs have theirs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from deckwright.base.files import cache_folder


@pytest.mark.parametrize("given", ["/var/tmp/caches", "", "not/in/full"])
@pytest.mark.parametrize("home", ["/home/somebody", None])
def test_the_cache_lies_where_the_system_wants_it(
    given: str, home: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    if home is None:
        monkeypatch.delenv("HOME", raising=False)
    else:
        monkeypatch.setenv("HOME", home)
    assert cache_folder() == Path(platformdirs.user_cache_dir("deckwright"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a library looks for the home")
def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert cache_folder() == Path(os.devnull) / "deckwright"
