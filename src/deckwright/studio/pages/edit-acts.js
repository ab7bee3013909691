/** What is done with a whole thing: saved, copied, deleted, brought back. */

import { keyOf } from "./edit-draft.js";
import { forgetDraft } from "./edit-kept.js";
import { Refused } from "./session.js";
import { make, word } from "./words.js";

/** Save what is edited. What is typed meanwhile stays. */
export async function save(editor, anyway) {
  const { draft, studio, thing } = editor;
  if (!editor.unsaved || editor.saving) return;
  editor.saving = true;
  editor.notice = null;
  editor.draw();
  const { values, children } = draft;
  try {
    const { form } = await studio.post("/api/edit/save", { ...editor.sent(), anyway });
    draft.saved(editor.named(form), { values, children });
    if (editor.draft === draft) {
      forgetDraft(studio, keyOf(thing), thing);
      editor.thing = form.thing;
      studio.keep();
    }
    studio.announce(word("edit-was-saved", editor.title));
  } catch (error) {
    if (error instanceof Refused && error.status === 409) conflict(editor, draft, error.answer);
    else if (editor.draft === draft) editor.refused(error);
    else studio.failed(error);
  } finally {
    editor.saving = false;
  }
  if (editor.draft === draft) editor.changed();
}

function conflict(editor, draft, { form, message }) {
  if (form) {
    draft.rebase(editor.named(form));
    editor.notice = Object.keys(draft.clashes).length ? null : { kind: "", text: word("edit-merged") };
  } else {
    editor.notice = { kind: "wrong", text: message ?? word("edit-gone") };
  }
}

function dialog(editor, title, ...children) {
  const node = make("dialog", { className: "edit-dialog", "aria-labelledby": "edit-dialog-title" },
    make("h2", { id: "edit-dialog-title" }, title), ...children);
  node.addEventListener("close", () => node.remove());
  node.addEventListener("click", ({ target }) => target.dataset.close !== undefined && node.close());
  editor.dialogs.replaceChildren(node);
  node.showModal();
  return node;
}

export { dialog };

/** Ask, and delete a card; the decks that have it are named first. */
export function remove(editor) {
  const { title } = editor;
  const uses = make("div", { className: "edit-uses", role: "status" });
  const yes = make("button", { type: "button", className: "main danger" }, word("edit-delete"));
  const node = dialog(editor, word("edit-delete-this", title), make("p", {}, word("edit-delete-how")), uses,
    make("p", { className: "edit-row" }, make("button", { type: "button", "data-close": "" }, word("edit-cancel")), yes));
  let anyway = false;
  yes.addEventListener("click", async () => {
    const { draft, studio } = editor;
    yes.disabled = true;
    try {
      await studio.post("/api/edit/delete", { ...draft.form.thing, state: draft.form.state, anyway });
      node.close();
      editor.draft = null;
      forgetDraft(studio, keyOf(editor.thing), editor.thing);
      studio.announce(word("edit-deleted", title));
      await editor.go(null);
    } catch (error) {
      yes.disabled = false;
      if (!(error instanceof Refused) || !error.answer.anyway) {
        node.close();
        return editor.refused(error);
      }
      anyway = true;
      yes.textContent = word("edit-delete-anyway");
      const decks = error.answer.uses ?? [];
      uses.replaceChildren(
        decks.length ? make("p", {}, word("edit-in-decks")) : make("p", {}, error.answer.message),
        make("ul", {}, ...decks.map(({ deck, copies }) => make("li", {}, `${deck}: ${copies}×`)),
          ...(decks.length ? [] : (error.answer.findings ?? []).map((one) => make("li", {}, one.message)))));
    }
  });
}

/** Begin a copy of the card that is edited. */
export function copy(editor) {
  const { thing } = editor;
  const face = editor.studio.wall()?.faces.find((one) => one.faction === thing.faction && one.card === thing.id);
  return editor.go({ of: "new", faction: thing.faction, kind: face?.kind ?? "", like: thing.id });
}
