/** What was searched for and how it was filtered, kept by a name. */

import { stored } from "./settings.js";
import { make, word } from "./words.js";

const NAME = `deckwright:${document.documentElement.dataset.game}:kept`;

/** Return what is kept: the name and the query of each, in the order of their names. */
export const kept = () =>
  stored(NAME, []).filter(({ name, query }) => name && typeof query === "string");

function write(all) {
  localStorage.setItem(NAME, JSON.stringify(all.toSorted((a, b) => a.name.localeCompare(b.name))));
}

/**
 * Draw what is kept, and a place to keep what is shown now.
 *
 * @param root where.
 * @param now the query that is shown, "" for nothing to keep.
 * @param apply shows another query.
 */
export function drawKept(root, now, apply) {
  const all = kept();
  const state = JSON.stringify([all, now]);
  if (root.drawn === state) return;
  root.drawn = state;
  const again = (focus) => {
    drawKept(root, now, apply);
    root.querySelector(focus)?.focus();
  };
  const chips = all.map(({ name, query }) => {
    const on = query === now;
    const chip = make(
      "button",
      {
        type: "button",
        className: "chip",
        "aria-pressed": String(on),
        onclick: () => apply(on ? "" : query),
      },
      name,
    );
    const forget = () => (write(kept().filter((one) => one.name !== name)), again("button"));
    return make(
      "span",
      { className: "kept" },
      chip,
      on
        ? make(
            "button",
            {
              type: "button",
              className: "chip forget",
              "aria-label": word("kept-forget", name),
              onclick: forget,
            },
            "✕",
          )
        : "",
    );
  });
  const name = make("input", {
    type: "text",
    maxLength: 60,
    required: true,
    "aria-label": word("kept-name"),
    placeholder: word("kept-name"),
  });
  const form = make(
    "form",
    { className: "naming", hidden: true },
    name,
    make("button", { className: "chip" }, word("kept-do")),
  );
  const begin = make(
    "button",
    {
      type: "button",
      className: "link",
      onclick: () => ((form.hidden = false), (begin.hidden = true), name.focus()),
    },
    word("kept-begin"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = name.value.trim();
    if (!said) return;
    write([...kept().filter((one) => one.name !== said), { name: said, query: now }]);
    again(`[aria-pressed="true"]`);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    form.hidden = true;
    begin.hidden = false;
    begin.focus();
  });
  begin.hidden = !now || all.some(({ query }) => query === now);
  root.hidden = begin.hidden && !all.length;
  root.replaceChildren(
    all.length
      ? make("span", { className: "chips-title", "aria-hidden": "true" }, word("kept"))
      : "",
    ...chips,
    begin,
    form,
  );
}
