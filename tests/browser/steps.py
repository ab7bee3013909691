"""What all stories have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page


def faults(page: Page) -> str:
    """Return what axe finds, "" for nothing."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs browser-tests")
    found = axe.Axe().run(page)
    return found.generate_report() if found.violations_count else ""


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """Do what a finger does."""
    at = [{"x": x, "y": y} for x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
