/** Dialogs of editing. */

import { make } from "./words.js";

/** Show a dialog with a title; what has `data-close` closes it. */
export function dialog(editor, title, ...children) {
  const node = make(
    "dialog",
    { className: "edit-dialog", "aria-labelledby": "edit-dialog-title" },
    make("h2", { id: "edit-dialog-title" }, title),
    ...children,
  );
  node.addEventListener("close", () => node.remove());
  node.addEventListener(
    "click",
    ({ target }) => target.dataset.close !== undefined && node.close(),
  );
  editor.dialogs.replaceChildren(node);
  node.showModal();
  return node;
}
