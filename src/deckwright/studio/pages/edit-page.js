/** The page of what is edited: what it is and what can be done with it, its faces, its form. */

import { faces } from "./edit-faces.js";
import { facts, form, general } from "./edit-form.js";
import { place } from "./places.js";
import { make, word } from "./words.js";

const act = (which, text, given = {}) =>
  make("button", { type: "button", "data-act": which, ...given }, text);

/** Return the page of what an editor has open. */
export function page(editor) {
  const { draft, view } = editor;
  const game = editor.studio.wall()?.game ?? {};
  return [
    head(editor),
    told(editor, game),
    make(
      "div",
      { className: "edit-body" },
      faces(view, draft),
      make(
        "form",
        {
          className: "edit-form",
          autocomplete: "off",
          noValidate: true,
          "aria-label": editor.title,
        },
        general(view.found[""] ?? [], game),
        make(
          "fieldset",
          { className: "edit-all", disabled: view.readOnly, "aria-label": word("edit-fields") },
          ...form(draft, view),
        ),
        facts(draft, editor.answer?.worked),
        foot(draft, game),
      ),
    ),
  ].filter(Boolean);
}

function head({ draft, unsaved, saving, title }) {
  const { form: now } = draft;
  const button = (which, text, disabled, className = "") =>
    act(which, text, { disabled, className, id: `edit-${which}` });
  const buttons = now.editable
    ? [
        button("undo", word("edit-undo"), !draft.canUndo),
        button("redo", word("edit-redo"), !draft.canRedo),
        button("save", word(saving ? "edit-saving" : "edit-save"), !unsaved || saving, "main"),
      ]
    : [];
  return make(
    "div",
    { className: "edit-top" },
    act("back", "‹", { className: "quiet edit-back", "aria-label": word("edit-back") }),
    make(
      "div",
      { className: "edit-name" },
      make("h2", { tabIndex: -1 }, title || word("edit-nameless")),
      make(
        "p",
        { className: "under" },
        [draft.values.id ?? now.thing.id ?? word("edit-is-new"), now.kind]
          .filter(Boolean)
          .join(" · "),
        " ",
        make(
          "span",
          { className: `edit-state${unsaved ? " open" : ""}`, role: "status" },
          now.editable ? word(unsaved ? "edit-unsaved" : "edit-saved") : word("edit-only-look"),
        ),
      ),
    ),
    make("div", { className: "edit-row edit-buttons" }, ...buttons),
  );
}

function told({ draft, notice }, game) {
  const parts = [];
  if (draft.form.table)
    parts.push(make("p", { className: "edit-notice" }, word("edit-in-table", draft.form.table)));
  if (Object.keys(draft.clashes).length)
    parts.push(make("p", { className: "edit-notice wrong", role: "alert" }, word("edit-clashes")));
  if (notice) {
    parts.push(
      make(
        "div",
        { className: `edit-notice ${notice.kind}`, role: "alert", tabIndex: -1 },
        make("p", {}, notice.text),
        general(notice.findings ?? [], game),
        make(
          "p",
          { className: "edit-row" },
          notice.anyway ? act("anyway", word("edit-anyway")) : null,
          act("unnotice", word("close"), { className: "quiet" }),
        ),
      ),
    );
  }
  return parts.length ? make("div", { className: "edit-notices" }, ...parts) : null;
}

function foot(draft, game) {
  const { links = [], begins = [], deletable, place: spot, editable } = draft.form;
  const open = (one, text, className = "") =>
    act("open", text, { className, "data-thing": JSON.stringify(one.thing) });
  return make(
    "div",
    { className: "edit-foot" },
    links.length
      ? make(
          "p",
          { className: "edit-row" },
          make("span", { className: "soft" }, word("edit-beside")),
          ...links.map((one) => open(one, one.title, "link")),
        )
      : null,
    editable
      ? make(
          "p",
          { className: "edit-row" },
          draft.dirty ? act("revert", word("edit-revert")) : null,
          ...begins.map((one) =>
            open(one, one.title ? word("edit-new-of", one.title) : word("edit-copy")),
          ),
          deletable ? act("delete", word("edit-delete"), { className: "danger" }) : null,
        )
      : null,
    spot ? make("p", { className: "source" }, `${word("edit-stands")} `, place(spot, game)) : null,
  );
}
