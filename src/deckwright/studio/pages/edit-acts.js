/** What is done with a whole thing: saved, deleted, brought back. */

import { dialog } from "./edit-dialog.js";
import { keyOf } from "./edit-draft.js";
import { forgetGone, keepGone, lastGone } from "./edit-gone.js";
import { forgetDraft } from "./edit-kept.js";
import { Refused } from "./session.js";
import { make, word } from "./words.js";

const MOST = 20; // cards that are named

/** Save what is edited. What is typed meanwhile stays. */
export async function save(editor, anyway) {
  const { draft, studio, thing } = editor;
  if (!editor.unsaved || editor.saving) return;
  editor.saving = true;
  editor.notice = null;
  editor.draw();
  const { values, children } = draft;
  try {
    const { form } = await studio.post("/api/edit/save", { ...editor.toSave(), anyway });
    forgetGone(form.place.path);
    draft.saved(editor.named(form), { values, children });
    if (editor.draft === draft) {
      forgetDraft(studio, keyOf(thing), thing);
      editor.thing = form.thing;
      studio.keep();
    }
    studio.announce(word("edit-was-saved", editor.title));
  } catch (error) {
    if (error instanceof Refused && error.status === 409) conflict(editor, draft, error.answer);
    else if (editor.draft === draft) {
      editor.unsure ||= !(error instanceof Refused);
      editor.refused(error, () => editor.save(anyway));
    } else studio.failed(error);
  } finally {
    editor.saving = false;
  }
  if (editor.draft === draft) editor.changed();
}

function conflict(editor, draft, { form }) {
  if (form) {
    draft.rebase(editor.named(form));
    editor.notice = Object.keys(draft.clashes).length
      ? null
      : { kind: "", text: word("edit-merged") };
  } else {
    editor.notice = { kind: "wrong", text: word("edit-gone") };
  }
}

/** Say who needs a thing that is to be deleted, or what would be wrong without it. */
function needs({ uses = {}, findings = [], message }) {
  const { cards = [], decks = [] } = uses;
  const part = (title, lines) =>
    lines.length
      ? [make("p", {}, title), make("ul", {}, ...lines.map((line) => make("li", {}, line)))]
      : [];
  const more = cards.length > MOST ? [word("edit-and-more", cards.length - MOST)] : [];
  return [
    ...part(word("edit-in-cards"), [
      ...cards.slice(0, MOST).map(({ faction, id, name }) => `${name} (${faction} ${id})`),
      ...more,
    ]),
    ...part(
      word("edit-in-decks"),
      decks.map(({ deck, copies }) => (copies ? `${deck}: ${copies}×` : deck)),
    ),
    ...(cards.length || decks.length
      ? []
      : part(
          message,
          findings.map((one) => one.message),
        )),
  ];
}

/** Ask, and delete a thing; who needs it is named first. */
export function remove(editor) {
  const { title } = editor;
  const uses = make("div", { className: "edit-uses", role: "status" }, word("edit-looking"));
  const yes = make(
    "button",
    { type: "button", className: "main danger", disabled: true },
    word("edit-delete"),
  );
  const node = dialog(
    editor,
    word("edit-delete-this", title),
    make("p", {}, word("edit-delete-how")),
    uses,
    make(
      "p",
      { className: "edit-row" },
      make("button", { type: "button", "data-close": "" }, word("edit-cancel")),
      yes,
    ),
  );
  let anyway = false;
  const name = (answer) => {
    anyway ||= answer.anyway;
    if (anyway) yes.textContent = word("edit-delete-anyway");
    uses.replaceChildren(...needs(answer));
    yes.disabled = false;
  };
  editor.studio
    .ask(`/api/edit/uses?${new URLSearchParams(editor.draft.form.thing)}`)
    .then(name, (error) => {
      node.close();
      editor.refused(error, () => remove(editor));
    });
  yes.addEventListener("click", async () => {
    const { draft, studio, thing } = editor;
    yes.disabled = true;
    try {
      const { undo } = await studio.post("/api/edit/delete", {
        ...draft.form.thing,
        state: draft.form.state,
        anyway,
      });
      node.close();
      editor.draft = null;
      forgetDraft(studio, keyOf(thing), thing);
      keepGone({ thing: draft.form.thing, title, path: draft.form.place.path, undo });
      studio.announce(word("edit-deleted", title));
      await editor.go(null);
    } catch (error) {
      if (!(error instanceof Refused) || !error.answer.anyway) {
        node.close();
        return editor.refused(error, () => remove(editor));
      }
      name(error.answer);
    }
  });
}

/** Bring back what was deleted last. */
export async function restore(editor) {
  const { studio } = editor;
  const last = lastGone();
  if (!last) return;
  try {
    const { thing } = await studio.post("/api/edit/restore", { ...last.thing, undo: last.undo });
    forgetGone();
    studio.announce(word("edit-restored", last.title));
    await editor.go(thing);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    forgetGone(last.path);
    editor.refused(error);
  }
}
