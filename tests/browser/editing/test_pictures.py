"""Pictures that are brought in: chosen, dropped, pasted."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from browser.conftest import Running
from browser.editing.conftest import Edits

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_GIVE = """({kind, where, name, content}) => {
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, {type: "image/png"}));
  const given = kind === "paste" ? {clipboardData: data} : {dataTransfer: data};
  const Event = kind === "paste" ? ClipboardEvent : DragEvent;
  const event = new Event(kind, {bubbles: true, cancelable: true, ...given});
  document.querySelector(where).dispatchEvent(event);
}"""


def drawn(color: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (300, 300), color).save(buffer, "PNG")
    return buffer.getvalue()


def test_a_picture_is_chosen_dropped_or_pasted(edits: Edits, studio: Running) -> None:
    page = edits("card=AA:A2")
    named = page.locator(".edit-picture-name")
    page.get_by_role("button", name="Change picture").click()
    expect(page.locator(".edit-tile")).to_have_count(2)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose file …").click()
    chooser.value.set_files({"name": "My Ant.PNG", "mimeType": "image/png", "buffer": drawn("red")})
    expect(named).to_have_text("my-ant.png")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".edit-frame img")).to_be_visible()
    for kind, color, wanted in (("drop", "blue", "bee.png"), ("paste", "green", "queen.png")):
        where = ".edit-picture" if kind == "drop" else "#edit-f-name"
        name = "bee.png" if kind == "drop" else "image.png"
        content = base64.b64encode(drawn(color)).decode()
        page.evaluate(_GIVE, {"kind": kind, "where": where, "name": name, "content": content})
        expect(named).to_have_text(wanted)
        assert (studio.folder / "img" / wanted).read_bytes() == drawn(color)
    content = base64.b64encode(b"nonsense").decode()
    page.evaluate(
        _GIVE, {"kind": "drop", "where": ".edit-form", "name": "x.png", "content": content}
    )
    expect(page.locator(".edit-notice")).to_contain_text("not an image")
    expect(named).to_have_text("queen.png")
