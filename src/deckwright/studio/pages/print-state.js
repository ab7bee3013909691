/** What the view Print knows: what can be made, what is chosen, what was laid out, and the jobs. */

import { step } from "./print-desk.js";
import { same } from "./print-options.js";

/** Return what a thing can be made of: decks, markers or factions. */
export function candidates(can, of) {
  if (of === "decks") return can.decks;
  if (of === "markers") return can.markers;
  if (of === "factions" || of === "cards") return can.factions;
  return of ? [...can.decks, ...can.factions] : [];
}

/** Return the state at the beginning; `look` is how sheets were looked at before. */
export function begun(look) {
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
    marked: () => marked(state.preview),
    wanted: (thing) => wanted(state, thing),
  };
  return state;
}

/** Return what is asked for of a thing, as the server takes it. */
function wanted(state, thing) {
  const bag = state.bag(thing);
  const options = {};
  for (const option of thing.options) {
    if (option.name in bag && !same(bag[option.name], option.default))
      options[option.name] = bag[option.name];
  }
  const scaled = state.can.sheets.some(({ id, fits }) => id === options.sheet && !fits);
  if (scaled && thing.options.some(({ name }) => name === "scale")) options.scale = "fit";
  return { thing: thing.id, of: thing.of ? state.chosen(thing) : [], options };
}

/** Count the cards that are new or look different since the last print, each once. */
function marked(preview) {
  const seen = { new: new Set(), changed: new Set() };
  for (const { pages } of preview.documents)
    for (const { slots } of pages)
      for (const { state, key } of slots) if (state) seen[state].add(key);
  return { fresh: seen.new.size, changed: seen.changed.size };
}

/** Take what is chosen from the address. */
export function take(state, params) {
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
export function told(state) {
  const params = new URLSearchParams();
  if (state.tab !== "paper") params.set("for", state.tab);
  if (state.thing !== "decks") params.set("thing", state.thing);
  for (const [of, ids] of Object.entries(state.of)) params.set(`of.${of}`, ids.join(","));
  for (const [bag, options] of Object.entries(state.bags))
    for (const [name, value] of Object.entries(options))
      params.set(`o.${bag}.${name}`, JSON.stringify(value));
  return params;
}
