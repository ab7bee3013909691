/** Find a rule or a card by name or text, and choose it: a field with a list below it. */

import { make, word } from "./words.js";

const MOST = 12;

const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Return what is found of a list: names before texts. */
export function sought(all, text) {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const rank = (one) => {
    const name = plain(`${one.label ?? one.name ?? ""}`);
    if (words.every((each) => name.startsWith(each))) return 0;
    if (words.every((each) => name.includes(each))) return 1;
    return words.every((each) =>
      `${name} ${plain(`${one.id} ${one.text ?? ""} ${one.faction ?? ""}`)}`.includes(each),
    )
      ? 2
      : 3;
  };
  return all
    .map((one, at) => [rank(one), at, one])
    .filter(([at]) => at < 3)
    .sort((one, other) => one[0] - other[0] || one[1] - other[1])
    .map(([, , one]) => one);
}

/** Return what may be chosen: rules that fit first, none that is there already. */
export function offered(state, list, text) {
  const found = sought(state.choices[list], text);
  return [
    ...found.filter(({ fits }) => fits !== false),
    ...found.filter(({ fits }) => fits === false),
  ].slice(0, MOST);
}

/** Return the field, and the list where one types in it. */
export function seek(given, state, list, label) {
  const path = given["data-path"];
  const open = state.seeking?.path === path;
  const text = open ? state.seeking.text : "";
  const found = open ? offered(state, list, text) : [];
  const at = open ? Math.min(state.seeking.at, found.length - 1) : -1;
  const input = make("input", {
    ...given,
    type: "text",
    role: "combobox",
    "aria-expanded": String(open),
    "aria-autocomplete": "list",
    "aria-controls": `${given.id}-list`,
    placeholder: label,
    "aria-label": label,
    value: text,
    autocomplete: "off",
    "data-seek": list,
    "data-path": "",
    "data-for": path,
  });
  if (at >= 0) input.setAttribute("aria-activedescendant", `${given.id}-list-${at}`);
  const options = found.map((one, place) =>
    make(
      "li",
      {
        id: `${given.id}-list-${place}`,
        role: "option",
        "aria-selected": String(place === at),
        "data-act": "choose",
        "data-for": path,
        "data-choice": one.value ?? one.id,
        "data-faction": one.faction ?? "",
      },
      make("strong", {}, one.label ?? one.name ?? one.id),
      " ",
      make("span", { className: "soft" }, one.faction ? `${one.faction} · ${one.id}` : one.id),
      one.fits === false ? make("span", { className: "edit-unfit" }, word("edit-unfit")) : null,
      one.text ? make("span", { className: "edit-option-text" }, one.text) : null,
    ),
  );
  return make(
    "div",
    { className: "edit-seek" },
    input,
    make(
      "ul",
      { id: `${given.id}-list`, role: "listbox", "aria-label": label, hidden: !open },
      ...options,
    ),
    open && !found.length
      ? make("p", { className: "edit-none-found" }, word("edit-none-found"))
      : null,
  );
}

/**
 * Take a key in a field that seeks.
 *
 * @param choose takes its path, the id of what was chosen, and its faction.
 * @returns whether the key has done anything.
 */
export function seekKeys(event, editor, choose) {
  const { target, key } = event;
  const { state, body } = editor;
  const path = target.dataset.for;
  const open = state.seeking?.path === path;
  const list = body.querySelectorAll(`#${CSS.escape(target.id)}-list [role=option]`);
  if (key === "ArrowDown" || key === "ArrowUp") {
    const at = open
      ? Math.max(0, Math.min(list.length - 1, state.seeking.at + (key === "ArrowDown" ? 1 : -1)))
      : 0;
    state.seeking = { path, text: target.value, at, list: target.dataset.seek };
    editor.draw();
    body
      .querySelector(`#${CSS.escape(target.id)}-list [aria-selected=true]`)
      ?.scrollIntoView({ block: "nearest" });
  } else if (key === "Enter" && open && list[state.seeking.at]) {
    const { choice, faction } = list[state.seeking.at].dataset;
    choose(path, choice, faction);
  } else if (key === "Escape" && open) {
    state.seeking = null;
    editor.draw();
  } else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
