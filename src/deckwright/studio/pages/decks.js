/** The view of decks: their list, a deck that is built, decks side by side. */

import { count, fact, less, more, move, note, travel } from "./decks-acts.js";
import { closeDialog, openDialog } from "./decks-dialogs.js";
import { Draft } from "./decks-draft.js";
import * as files from "./decks-files.js";
import * as helpers from "./decks-helpers.js";
import { judge, search } from "./decks-judge.js";
import { digit, focused, neighbour } from "./decks-keys.js";
import { hide, wire } from "./decks-pointer.js";
import { at, forget, look } from "./decks-state.js";
import { ownerOf, tell } from "./decks-store.js";
import "./decks-words.js";
import { draw, part } from "./decks-view.js";
import { split } from "./filters.js";

const narrow = () => matchMedia("(max-width: 900px)").matches;

// What buttons and fields do; `given` is what they carry, and the value of a field.

const acts = {
  ...files.acts,
  ...helpers.acts,
  more: ({ card, zone }) => more(card, zone),
  less: ({ card, zone }) => less(card, zone),
  count: ({ card, zone, value }) => count(card, zone, Number(value)),
  move: ({ card, zone, value }) => value && move(card, zone, value, Infinity),
  note: ({ card, zone, value }) => note(card, zone, value),
  name: ({ value }) => fact("name", value),
  faction: ({ value }) => fact("faction", value),
  format: ({ value }) => fact("format", value),
  undo: () => travel(true),
  redo: () => travel(false),
  open: ({ card }) => (hide(), openDialog({ kind: "card", card })),
  wall: ({ key }) => (closeDialog(), at.studio.openCard(key)),
  close: closeDialog,
  mode: ({ value }) => (look({ mode: value }), draw()),
  by: ({ value }) => (look({ by: value }), draw()),
  tab: ({ value }) => (look({ tab: value }), draw(), scrollTo(0, 0)),
  light: ({ limit }) => (look({ lit: at.look.lit === limit ? "" : limit }), draw()),
  fold: ({ fold, open }) => look({ folds: { ...at.look.folds, [fold]: open } }),
  q: ({ value }) => ((at.query.q = value), search(split(value).expression), draw()),
  sort: ({ value }) => ((at.query.sort = value), draw()),
  only: ({ value }) => ((at.query.only = at.query.only === value ? "" : value), draw()),
  filter({ name, value }) {
    const values = at.query.filters[name] ?? [];
    at.query.filters[name] = values.includes(value)
      ? values.filter((one) => one !== value)
      : [...values, value];
    draw();
  },
};

const FIELDS = "input, select, textarea";
const TYPED = new Set(["name", "note", "q", "typed"]); // what is taken as one types

function act(node, more_) {
  document.getElementById("decks-menu")?.hidePopover?.();
  const given = { ...node.dataset, ...more_ };
  at.studio.attempt(() => acts[given.act](given));
}

function click({ target }) {
  const node = target.closest("[data-act]");
  if (node && !node.matches(FIELDS)) act(node);
}

function changed({ target, type }) {
  if (!target.dataset.act || TYPED.has(target.dataset.act) !== (type === "input")) return;
  act(target, { value: target.value, checked: target.checked });
}

// The keyboard.

function command(event) {
  const key = event.key.toLowerCase();
  const writes = event.target.matches("input:not([type=checkbox]), textarea");
  if (key === "s") at.studio.attempt(files.acts.save);
  else if (writes || at.dialog) return false;
  else if (key === "z") travel(!event.shiftKey);
  else if (key === "y") travel(false);
  else return false;
  return true;
}

function copies(event, card) {
  const { card: id, zone } = card.dataset;
  if (["+", "="].includes(event.key)) more(id, zone);
  else if (["-", "_", "Delete", "Backspace"].includes(event.key)) less(id, zone);
  else if (/^\d$/.test(event.key)) count(id, zone, digit(event.key));
  else return false;
  return true;
}

function onCard(event) {
  const card = event.target.closest(".decks-face, .decks-name");
  if (!card) return false;
  if (!/^(Arrow|Home$|End$)/.test(event.key)) return copies(event, card);
  const root = [part("offers"), part("deck")].find((one) => one?.contains(card));
  const next = root && neighbour(root, card, event.key);
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return true;
}

function keydown(event) {
  if (event.key === "Enter" && event.target.matches("#decks-new-name"))
    at.studio.attempt(acts.create);
  if (at.root.hidden || at.page !== "deck" || !at.draft) return;
  let did = false;
  if (event.ctrlKey || event.metaKey) did = command(event);
  else if (event.altKey) return;
  else if (at.dialog?.kind === "card" && !event.target.matches(FIELDS))
    did = copies(event, { dataset: { card: at.dialog.card } });
  else if (!at.dialog)
    did = event.target.matches(FIELDS) ? fromSearch(event) : onCard(event) || toSearch(event);
  if (did) event.preventDefault();
}

function toSearch({ key }) {
  if (key !== "/") return false;
  if (narrow()) acts.tab({ value: "pool" });
  part("field").select();
  return true;
}

function fromSearch({ key, target }) {
  if (target !== part("field")) return false;
  if (key === "Escape" && at.query.q) acts.q({ value: "" });
  else if (key === "ArrowDown" || key === "Enter")
    part("offers").querySelector(".decks-face[tabindex='0']")?.focus();
  else return false;
  return true;
}

function listen(root) {
  for (const node of [root, at.studio.bar("decks")]) {
    node.addEventListener("click", click);
    node.addEventListener("change", changed);
    node.addEventListener("input", changed);
  }
  root.addEventListener(
    "toggle",
    ({ target }) =>
      target.dataset.fold && acts.fold({ fold: target.dataset.fold, open: target.open }),
    true,
  );
  root.addEventListener("focusin", ({ target }) => focused(target, part("offers"), part("deck")));
  root.addEventListener(
    "close",
    ({ target }) => target === part("dialog") && at.dialog && closeDialog(),
    true,
  );
  document.addEventListener("keydown", keydown);
  addEventListener("storage", ({ key, newValue }) => {
    const id = ownerOf(key);
    if (!id) return;
    tell();
    const draft = newValue && Draft.from(newValue);
    if (at.page !== "deck" || at.draft?.id !== id) draw();
    else if (draft) ((at.draft = draft), draw(), judge());
    else at.studio.attempt(() => files.open(id));
  });
  wire(root);
}

async function show(params) {
  const beside = params.getAll("beside");
  const id = params.get("deck");
  if (!at.list) await files.refresh();
  if (id) await files.open(id);
  else if (beside.length > 1) await files.compare(beside);
  else files.list();
}

function params() {
  const said = new URLSearchParams();
  if (at.page === "deck" && at.draft) said.set("deck", at.draft.id);
  if (at.page === "compare") for (const id of at.beside) said.append("beside", id);
  return said;
}

function hear({ kind, facts }) {
  if (!["faces", "wall", "decks"].includes(kind)) return;
  forget();
  if (at.root.hidden) at.list = null;
  else if (kind === "faces" && !facts) draw();
  else at.studio.attempt(files.outside);
}

/** Start the view of decks. */
export function start(root, studio) {
  Object.assign(at, { root, studio, draw });
  listen(root);
  tell();
  return { show, hear, params, hide };
}
