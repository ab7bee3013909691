/**
 * What the view Print knows: what can be made, what is chosen, and the options as rows of a form.
 */

import { language, make, word } from "../shared/words.js";
import { step } from "./desk.js";
import { optionName, optionValue, wordOr } from "./words.js";

// The options of what is printed as rows of a form, whatever they are, and what was entered there.

const inputField = (given, value, marks) =>
  make("input", { ...given, ...marks, value: value ?? "" });

/** Return a list to choose from; `all` are pairs of a value and its name, or a group of such. */
export function select(given, all, now) {
  /** @param {any[]} entry */
  const one = ([value, name, title]) =>
    make("option", { value, selected: value === now, ...(title ? { title } : {}) }, name);
  return make(
    "select",
    { ...given, "data-value": now },
    ...all.map((entry) =>
      Array.isArray(entry)
        ? one(entry)
        : make("optgroup", { label: entry.group }, ...entry.all.map(one)),
    ),
  );
}

function control(option, value, marks) {
  const { name, type } = option;
  const label = optionName(option);
  if (type === "flag") {
    const now = value === null ? "" : value ? "yes" : "no";
    return select(
      marks,
      [
        ["", word("print-as-game")],
        ["yes", word("print-yes")],
        ["no", word("print-no")],
      ],
      now,
    );
  }
  if (type === "choice") {
    const all = option.choices.map((one) => [String(one.value ?? ""), optionValue(option, one)]);
    if (option.optional && !option.choices.some((one) => one.value === null))
      all.unshift(["", word(option.default === null ? "print-usual" : "print-as-game")]);
    return select(marks, all, value === null ? "" : String(value));
  }
  if (type === "integer" || type === "number") {
    const limits = {
      min: option.least ?? "",
      max: option.most ?? "",
      step: type === "integer" ? 1 : "any",
    };
    return inputField({ type: "number", inputMode: "decimal", ...limits }, value, marks);
  }
  if (type === "offset" || type === "size") {
    return make(
      "span",
      { className: "print-two" },
      ...[0, 1].map((at) =>
        inputField(
          {
            type: "number",
            step: type === "size" ? 1 : 0.1,
            "aria-label": `${label} ${at + 1}`,
            "data-at": at,
          },
          value?.[at],
          at ? { "data-option": name, "data-bag": marks["data-bag"] } : marks,
        ),
      ),
    );
  }
  return inputField(
    { type: name === "date" ? "date" : "text", autocomplete: "off", spellcheck: false },
    type === "names" ? (value ?? []).join(", ") : value,
    marks,
  );
}

/** Return an option as a row of a form, null for one that has no form. */
export function row(option, value, bag) {
  if (option.type === "numbers" || (option.type === "choice" && !option.choices.length))
    return null;
  const id = `print-o-${bag}-${option.name}`;
  const marks = { id, "data-option": option.name, "data-bag": bag };
  const help =
    wordOr(`print-option-${option.name}`, null) === null && option.help
      ? make("small", { lang: "en" }, option.help)
      : null;
  if (option.type === "flag" && !option.optional) {
    return make(
      "label",
      { className: "print-check" },
      make("input", { type: "checkbox", checked: Boolean(value), ...marks }),
      make("span", {}, optionName(option), help),
    );
  }
  return make(
    "div",
    { className: "print-row" },
    make("label", { htmlFor: id }, optionName(option)),
    control(option, value, marks),
    help,
  );
}

/** Return what was entered for an option; undefined while that is not finished. */
export function enteredValue(option, node) {
  const text = node.value.trim();
  if (option.type === "flag")
    return node.type === "checkbox" ? node.checked : text ? text === "yes" : null;
  if (option.type === "choice")
    return option.choices.find((one) => String(one.value ?? "") === text)?.value ?? null;
  if (option.type === "names")
    return text
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
  if (option.type === "integer" || option.type === "number") {
    if (!text) return node.validity.badInput ? undefined : null;
    return node.validity.valid ? Number(text) : undefined;
  }
  if (option.type === "offset" || option.type === "size") {
    const both = [...node.closest(".print-two").children].map((one) => one.value);
    if (both.every((one) => !one)) return null;
    return both.every(Boolean) ? both.map(Number) : undefined;
  }
  return text || null;
}

/** Return whether two values are the same. */
export const sameValue = (one, other) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Return names in the order of the page's language. */
export const byName = (one, other) =>
  one.name.localeCompare(other.name, language, { numeric: true });

// What the view Print knows: what can be made, what is chosen, what was laid out, and the jobs.

/** Return what a thing can be made of: decks, markers or factions. */
export function candidates(can, of) {
  if (of === "decks") return can.decks;
  if (of === "markers") return can.markers;
  if (of === "factions" || of === "cards") return can.factions;
  return of ? [...can.decks, ...can.factions] : [];
}

/** Return the state at the beginning; `look` is how sheets were looked at before. */
export function newState(look) {
  const state = {
    shown: false, // whether the view is
    can: null,
    tab: "paper",
    thing: "decks",
    of: {}, // the ids that are chosen, by what they are
    bags: {}, // options that were entered: for all that is printed, and for each other thing
    find: "",
    unfolded: false, // the form, where it lies over the sheets
    look: { zoom: "page", light: false, cuts: true, ...look },
    preview: null,
    pairs: [],
    wrong: null,
    busy: false,
    changes: [],
    jobs: new Map(),
    allFiles: new Set(),
    most: step,
    tabbed: "", // the slot that Tab leads to
    at: 0, // the pair of pages that is looked at
    thingOf: (id) => state.can.things.find((thing) => thing.id === id),
    current: () => state.thingOf(state.thing),
    bag: (thing) => (state.bags[thing.group === "print" ? "print" : thing.id] ??= {}),
    value: (thing, option) =>
      option.name in state.bag(thing) ? state.bag(thing)[option.name] : option.default,
    chosen: (thing) =>
      (state.of[thing.of] ?? []).filter((id) =>
        candidates(state.can, thing.of).some((one) => one.id === id),
      ),
    complete: (thing) => !thing.needs || state.chosen(thing).length > 0,
    printer: () =>
      state.can.printers.find(({ name }) => name === state.bags.print?.printer) ?? null,
    marked: () => countChanged(state.preview),
    wanted: (thing) => requestOf(state, thing),
  };
  return state;
}

/** Return what is asked for of a thing, as the server takes it. */
function requestOf(state, thing) {
  const bag = state.bag(thing);
  const options = {};
  for (const option of thing.options) {
    if (option.name in bag && !sameValue(bag[option.name], option.default))
      options[option.name] = bag[option.name];
  }
  const scaled = state.can.sheets.some(({ id, fits }) => id === options.sheet && !fits);
  if (scaled && thing.options.some(({ name }) => name === "scale")) options.scale = "fit";
  return { thing: thing.id, of: thing.of ? state.chosen(thing) : [], options };
}

/** Count the cards that are new or look different since the last print, each once. */
function countChanged(preview) {
  const seen = { new: new Set(), changed: new Set() };
  for (const { pages } of preview.documents)
    for (const { slots } of pages)
      for (const { state, key } of slots) if (state) seen[state].add(key);
  return { fresh: seen.new.size, changed: seen.changed.size };
}

/** Take what is chosen from the address. */
export function takeAddress(state, params) {
  if (params.has("thing")) state.thing = params.get("thing");
  state.tab = params.get("for") === "files" ? "files" : "paper";
  for (const [name, value] of params) {
    const [kind, of, option] = name.split(".");
    if (kind === "of") state.of[of] = value ? value.split(",") : [];
    if (kind !== "o" || !option) continue;
    try {
      (state.bags[of] ??= {})[option] = JSON.parse(value);
    } catch {
      // somebody else's address: as if it were not there
    }
  }
}

/** Return what is chosen as a part of the address. */
export function addressOf(state) {
  const params = new URLSearchParams();
  if (state.tab !== "paper") params.set("for", state.tab);
  if (state.thing !== "decks") params.set("thing", state.thing);
  for (const [of, ids] of Object.entries(state.of)) params.set(`of.${of}`, ids.join(","));
  for (const [bag, options] of Object.entries(state.bags))
    for (const [name, value] of Object.entries(options))
      params.set(`o.${bag}.${name}`, JSON.stringify(value));
  return params;
}
