"""Keys alone reach whatever can be pressed or filled in, and one sees where one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from deck_game import write_deck_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Running, Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_MOST = 200
"""So often Tab is pressed at most: no view has as many stops."""
_STOPS = """
() => {
  // Of tiles or slots one is a stop, and arrows lead on; of radio buttons the one that is chosen.
  // A copy more or less, and a step up or down, are keys on what they stand at; Enter says why not.
  const keys = "[data-act=more], [data-act=less], [data-act=step], [data-act=why]";
  const roves = (node) => node.tabIndex < 0
    && (node.matches(keys) || document.querySelector(`.${node.classList[0]}[tabindex="0"]`));
  const all = document.querySelectorAll("button, a[href], input, select, textarea, summary");
  globalThis.missed = new Set([...all].filter((node) => node.checkVisibility()
    && !node.matches(":disabled, [type=radio]:not(:checked)") && !roves(node)));
  document.activeElement.blur();
}
"""
_HERE = """
() => {
  const node = document.activeElement;
  if (node === document.body) return null;
  missed.delete(node);
  const shown = node.closest("label") ?? node;
  // An element of a face has a frame around it.
  const framed = node.closest("svg")?.querySelector(".eye-frame");
  const seen = framed || [node, shown, node.nextElementSibling, node.parentElement].some((one) => {
    const { outlineStyle, outlineWidth } = one ? getComputedStyle(one) : {};
    return outlineStyle && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  const { top, bottom, left, right } = node.getBoundingClientRect();
  const inside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const name = node.outerHTML.slice(0, 120);
  return { name, seen: Boolean(seen), inside, order: node.tabIndex };
}
"""
_MISSED = "() => [...missed].filter((node) => node.isConnected).map((node) => node.outerHTML)"
_VIEWS = {
    "cards": ("open=AA:A1:1:face", "#panel .source dd + dt"),
    "decks": ("view=decks", ".decks-item"),
    "a deck": ("view=decks&deck=hill", "#decks[data-page=deck][aria-busy=false]"),
    "editing": ("view=edit", ".edit-start"),
    "a template": ("view=edit&template=templates/card.xml&on=AA:A1:1:face", ".eye-hit"),
    "a form": ("view=edit&card=AA:A1", ".edit-face img"),
    "printing": ("view=print&of.decks=queens", ".print-slot"),
}


@pytest.fixture
def game() -> Writes:
    return write_deck_game


@pytest.mark.corpus(4)
@pytest.mark.parametrize("view", _VIEWS)
def test_tab_reaches_everything(page: Page, studio: Running, view: str) -> None:
    query, there = _VIEWS[view]
    page.goto(studio.url.replace("/#", f"/?{query}#"))
    page.wait_for_selector(there)
    page.evaluate(_STOPS)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.skip')")
    unseen = []
    for _ in range(_MOST):
        here = page.evaluate(_HERE)
        if here is None:
            break
        if not (here["seen"] and here["inside"]) or here["order"]:
            unseen.append(here)
        page.keyboard.press("Tab")
    assert unseen == []
    assert page.evaluate(_MISSED) == []


def test_keys_are_listed_panels_grow_and_the_language_is_chosen(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Undo, redo")
    page.keyboard.press("Escape")
    page.locator(".tile").first.click()
    panel = page.locator("#panel")
    before = panel.bounding_box()
    page.get_by_role("separator", name="Width").press("ArrowLeft")
    after = panel.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] - before["width"] == pytest.approx(16, abs=1)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("Deutsch")
    expect(page.get_by_role("link", name="Karten", exact=True)).to_be_visible()
    expect(page.get_by_role("separator", name="Breite")).to_be_visible()
    assert panel.bounding_box() == after
