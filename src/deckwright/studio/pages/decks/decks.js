/** The view of decks: how it is drawn, and what pointer and keys do. */

import { edgeOf, morph, showLarge } from "../shared/page.js";
import { flipFilter, numbersOf, split } from "../shared/filters.js";
import { make, makeOptions, word } from "../shared/words.js";
import {
  count,
  fact,
  fileActs,
  followChanges,
  helperActs,
  less,
  more,
  move,
  note,
  openDeck,
  refreshList,
  showCompare,
  showList,
  travel,
} from "./acts.js";
import {
  choiceButtons,
  deckPart,
  layPool,
  poolChips,
  poolFaces,
  poolFilters,
  poolHits,
  poolOnly,
} from "./deck.js";
import { closeDialog, dialogPart, openDialog } from "./dialogs.js";
import { comparePart, headPart, listPart, outsidePart } from "./list.js";
import { briefPart, sidePart } from "./side.js";
import {
  context,
  copiesIn,
  Draft,
  forgetFaces,
  judge,
  keptDrafts,
  look,
  ownerOf,
  search,
  state,
  tellUnsaved,
  zonesOf,
} from "./state.js";

// The keyboard in a deck: from card to card, copies by keys, and one stop for Tab in each part.

const CARDS = ".decks-face, .decks-name";
const currentCards = new Map(); // the id of the card that Tab leads to, by part
let lastFocus = null; // where the focus was when its card went

const idOf = (card) => {
  const { card: id, zone } = card.dataset;
  return `${id} ${zone ?? ""}`;
};

function leadTo(card, wanted) {
  const place = wanted ? 0 : -1;
  if (card.tabIndex !== place) card.tabIndex = place; // to set it costs, even where it is the same
}

/** Let Tab lead to one card of each part, and give the focus back where its card has gone. */
function rove(...roots) {
  const focus = document.activeElement;
  for (const root of roots) {
    const stop = root.querySelector(`:is(${CARDS})[tabindex="0"]`);
    const stays =
      stop && idOf(stop) === (currentCards.get(root) ?? idOf(root.querySelector(CARDS)));
    const gone = lastFocus?.root === root && focus === document.body;
    if (stays && !gone && !(focus.matches(CARDS) && root.contains(focus))) continue;
    const all = [...root.querySelectorAll(CARDS)];
    const one = all.find((card) => idOf(card) === currentCards.get(root)) ?? all[0];
    for (const card of all) leadTo(card, card === one);
    if (gone)
      (
        all[Math.min(lastFocus.place, all.length - 1)] ??
        document.querySelector("#decks .decks-tools button")
      )?.focus({ preventScroll: true });
    const focused = all.indexOf(document.activeElement);
    if (focused >= 0) lastFocus = { root, place: focused };
  }
}

/** Note which card has the focus. */
function noteFocus(card, ...roots) {
  const root = roots.find((one) => one?.contains(card));
  if (!root || !card.matches(CARDS)) {
    lastFocus = null;
    return;
  }
  const all = [...root.querySelectorAll(CARDS)];
  for (const other of all) leadTo(other, other === card);
  currentCards.set(root, idOf(card));
  lastFocus = { root, place: all.indexOf(card) };
}

/** Return the card that the key of an arrow leads to: the nearest in its direction. */
function neighbour(root, from, key) {
  const all = [...root.querySelectorAll(CARDS)];
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + Math.min(box.height, 30) / 2 };
  };
  const here = middle(from);
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null;
  for (const node of all) {
    if (node === from || !node.offsetParent) continue;
    const there = middle(node);
    const along = sign * (across ? there.x - here.x : there.y - here.y);
    const aside = Math.abs(across ? there.y - here.y : there.x - here.x);
    if (along < 4) continue;
    const far = along + 3 * aside;
    if (!best || far < best.far) best = { far, node };
  }
  return best?.node;
}

let typedDigits = "";
let digitTimer = 0;

/** Return the number that digits typed one after the other make. */
function digit(key) {
  clearTimeout(digitTimer);
  typedDigits = (typedDigits + key).slice(-2);
  digitTimer = setTimeout(() => (typedDigits = ""), 700);
  return Number(typedDigits);
}

// Drawing the view of decks: its parts are made once a page, and changed where they differ.

const parts = {};

function build(page) {
  const { root } = state;
  root.dataset.page = page;
  parts.page = page;
  for (const name of ["outside", "tabs", "only", "chips", "deck", "side", "brief", "body"])
    parts[name] = make("div", { className: `decks-${name}` });
  parts.dialog = make("dialog", { id: "decks-dialog", "aria-labelledby": "decks-dialog-title" });
  parts.peek = make("img", { id: "decks-peek", alt: "", hidden: true });
  if (page !== "deck") {
    root.replaceChildren(parts.body, parts.dialog, parts.peek);
    return;
  }
  parts.field = make("input", {
    type: "search",
    spellcheck: false,
    "aria-label": word("search"),
    placeholder: word("search-words"),
    "aria-describedby": "decks-wrong",
    "data-act": "q",
  });
  parts.sort = make("select", { "aria-label": word("sort"), "data-act": "sort" });
  parts.hits = make("p.hits", { role: "status" });
  parts.wrong = make("span.wrong", { id: "decks-wrong", lang: "en" });
  parts.offers = make("ul.decks-offers", { "aria-label": word("decks-pool") });
  const filters = make("details.decks-filters", make("summary", word("filters")), parts.chips);
  const pool = make("section.decks-pool", { "aria-label": word("decks-pool") }, [
    make("div.decks-find.search", { role: "search" }, parts.field),
    parts.only,
    filters,
    make("div.decks-sift", parts.hits, parts.sort),
    parts.wrong,
    parts.offers,
  ]);
  pool.dataset.drop = "pool";
  const side = make("aside.decks-numbers", { "aria-label": word("decks-numbers") }, parts.side);
  const deck = make("section.decks-table", { "aria-label": word("decks-the-deck") }, parts.deck);
  root.replaceChildren(
    make("h2.hidden", word("decks-the-deck")),
    parts.outside,
    parts.tabs,
    make("div.decks-builder", pool, edgeOf("pool", 1), deck, edgeOf("numbers", -1), side),
    parts.brief,
    parts.dialog,
    parts.peek,
  );
}

function sorts(ctx) {
  const { labels } = ctx.wall.game;
  const all = numbersOf(
    [...ctx.pool.keys()].map((card) => ctx.cards.get(card)).filter(Boolean),
  ).filter((name) => labels[name]);
  return [
    ["order", word("sort-order")],
    ["name", word("sort-name")],
    ...all.map((name) => [name, word("sort-field", labels[name])]),
  ];
}

function drawPool(ctx) {
  const filters = poolFilters(ctx);
  const faces = poolFaces(ctx, filters);
  morph(parts.only, poolOnly(ctx));
  morph(parts.chips, poolChips(ctx, filters));
  morph(parts.sort, makeOptions(sorts(ctx), ctx.query.sort));
  parts.sort.value = ctx.query.sort;
  if (parts.field.value !== ctx.query.q) parts.field.value = ctx.query.q;
  parts.hits.textContent = poolHits(ctx, faces.length);
  parts.wrong.textContent = ctx.wrong;
  layPool(parts.offers, faces, ctx);
}

function drawDeck(ctx) {
  const { root } = state;
  root.dataset.tab = ctx.look.tab;
  root.classList.toggle("lighting", Boolean(ctx.lit));
  morph(parts.outside, outsidePart(ctx));
  const broken = ctx.judged?.limits.filter(({ keeps }) => !keeps).length;
  morph(
    parts.tabs,
    choiceButtons(
      "tab",
      word("decks-parts"),
      [
        ["pool", word("decks-pool")],
        ["deck", word("decks-the-deck")],
        ["numbers", broken ? `${word("decks-numbers")} (${broken})` : word("decks-numbers")],
      ],
      ctx.look.tab,
    ),
  );
  drawPool(ctx);
  morph(parts.deck, deckPart(ctx));
  morph(parts.side, sidePart(ctx));
  morph(parts.brief, briefPart(ctx));
  rove(parts.offers, parts.deck);
}

function drawDialog(ctx) {
  const { dialog } = parts;
  dialog.dataset.kind = ctx.dialog?.kind ?? "";
  morph(dialog, dialogPart(ctx));
  if (ctx.dialog && !dialog.open) dialog.showModal();
  if (!ctx.dialog && dialog.open) dialog.close();
}

export function draw() {
  const { root, studio, page } = state;
  if (!studio.wall() || !state.list || (page === "deck" && !state.draft)) return;
  if (parts.page !== page) build(page);
  const drafts = keptDrafts();
  const fresh = [...drafts]
    .filter(([id]) => id.startsWith("*"))
    .map(([id, { now }]) => ({
      id,
      name: now.name || word("decks-nameless"),
      faction: now.faction,
      format: now.format,
      fresh: true,
      ok: true,
      problems: [],
      cards: copiesIn(now.entries),
      first: now.entries.slice(0, 4).map(({ card }) => card),
    }));
  const ctx = { ...context(), drafts, fresh };
  morph(studio.bar("decks"), page === "deck" ? headPart(ctx) : []);
  if (page === "deck") drawDeck(ctx);
  else morph(parts.body, page === "list" ? listPart(ctx) : comparePart(ctx, state.compared));
  drawDialog(ctx);
  root.setAttribute("aria-busy", String(page === "deck" && state.judgedDeck !== state.draft.now));
}

export const part = (name) => parts[name];

// Cards that are dragged, and faces that are shown large where the pointer rests.

const REST = 320;
const STILL = 8; // px: so far it has not moved
let dragged = null;
let peekTimer = 0;
let dropped = null; // where a card was just dropped: no large face covers it there

function dropTarget(event) {
  const node = event.target.closest?.("[data-drop]");
  if (!node || !dragged) return null;
  if (node.dataset.drop === "pool") return dragged.from === "deck" ? node : null;
  return dragged.from === "deck" && dragged.zone === node.dataset.zone ? null : node;
}

function markTarget(node) {
  for (const old of state.root.querySelectorAll(".over"))
    if (old !== node) old.classList.remove("over");
  node?.classList.add("over");
}

function dropCard(event) {
  const node = dropTarget(event);
  markTarget(null);
  if (!node) return;
  event.preventDefault();
  dropped = { x: event.clientX, y: event.clientY };
  const { from, card, zone } = dragged;
  const zones = zonesOf(context().pool, card);
  if (node.dataset.drop === "pool") less(card, zone);
  else if (from === "deck") move(card, zone, node.dataset.zone, event.shiftKey ? Infinity : 1);
  else more(card, zones.includes(node.dataset.zone) ? node.dataset.zone : undefined);
  dragged = null;
}

function hidePeek() {
  clearTimeout(peekTimer);
  const peek = part("peek");
  if (peek) peek.hidden = true;
}

function showPeek(node) {
  const face = context().cards.get(node.dataset.card ?? node.dataset.peek);
  const peek = part("peek");
  if (!face?.hash || !node.isConnected) return;
  (node.closest("dialog") ?? state.root).append(peek);
  showLarge(peek, face, node, 460);
}

function wirePointer(root) {
  root.addEventListener("dragstart", (event) => {
    const node = event.target.closest?.("[data-drag]");
    if (!node) return;
    hidePeek();
    dragged = { from: node.dataset.drag, card: node.dataset.card, zone: node.dataset.zone };
    event.dataTransfer.setData("text/plain", dragged.card);
    event.dataTransfer.effectAllowed = "copyMove";
  });
  root.addEventListener("dragover", (event) => {
    const node = dropTarget(event);
    if (node) event.preventDefault();
    markTarget(node);
  });
  root.addEventListener("drop", dropCard);
  root.addEventListener("dragend", () => (markTarget(null), hidePeek(), (dragged = null)));
  root.addEventListener("pointerover", (event) => {
    const node = event.target.closest?.("[data-card][data-drag], [data-peek]");
    hidePeek();
    if (dropped && Math.hypot(event.clientX - dropped.x, event.clientY - dropped.y) < STILL) return;
    dropped = null;
    if (node && event.pointerType === "mouse" && !event.target.closest(".decks-step"))
      peekTimer = setTimeout(() => showPeek(node), REST);
  });
  root.addEventListener("pointerdown", hidePeek);
  root.addEventListener("scroll", hidePeek, true);
}

// The view of decks: their list, a deck that is built, decks side by side.

const narrow = () => matchMedia("(max-width: 900px)").matches;

// What buttons and fields do; `given` is what they carry, and the value of a field.

const acts = {
  ...fileActs,
  ...helperActs,
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
  open: ({ card }) => (hidePeek(), openDialog({ kind: "card", card })),
  wall: ({ key }) => (closeDialog(), state.studio.openCard(key)),
  close: closeDialog,
  mode: ({ value }) => (look({ mode: value }), draw()),
  by: ({ value }) => (look({ by: value }), draw()),
  tab: ({ value }) => (look({ tab: value }), draw(), scrollTo(0, 0)),
  light: ({ limit }) => (look({ lit: state.look.lit === limit ? "" : limit }), draw()),
  fold: ({ fold, open }) => look({ folds: { ...state.look.folds, [fold]: open } }),
  q: ({ value }) => ((state.query.q = value), search(split(value).expression), draw()),
  find: ({ value }) => ((state.find = value), draw()),
  sort: ({ value }) => ((state.query.sort = value), draw()),
  only: ({ value }) => ((state.query.only = state.query.only === value ? "" : value), draw()),
  filter: ({ name, value }) => (flipFilter(state.query.filters, name, value), draw()),
};

const FIELDS = "input, select, textarea";
const TYPED = new Set(["name", "note", "q", "find", "typed"]); // what is taken as one types

function act(node, more_) {
  document.getElementById("decks-menu")?.hidePopover?.();
  const given = { ...node.dataset, ...more_ };
  state.studio.attempt(() => acts[given.act](given));
}

function click({ target }) {
  const node = target.closest("[data-act]");
  if (node && !node.matches(FIELDS)) act(node);
}

function onChange({ target, type }) {
  if (!target.dataset.act || TYPED.has(target.dataset.act) !== (type === "input")) return;
  act(target, { value: target.value, checked: target.checked });
}

// The keyboard.

function command(event) {
  const key = event.key.toLowerCase();
  const writes = event.target.matches("input:not([type=checkbox]), textarea");
  if (key === "s") state.studio.attempt(fileActs.save);
  else if (writes || state.dialog) return false;
  else if (key === "z") travel(!event.shiftKey);
  else if (key === "y") travel(false);
  else return false;
  return true;
}

function copiesKey(event, card) {
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
  if (!/^(Arrow|Home$|End$)/.test(event.key)) return copiesKey(event, card);
  const root = [part("offers"), part("deck")].find((one) => one?.contains(card));
  const next = root && neighbour(root, card, event.key);
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return true;
}

function keydown(event) {
  if (event.key === "Enter" && event.target.matches("#decks-new-name"))
    state.studio.attempt(acts.create);
  if (state.root.hidden || state.page !== "deck" || !state.draft) return;
  let did = false;
  if (event.ctrlKey || event.metaKey) did = command(event);
  else if (event.altKey) return;
  else if (state.dialog?.kind === "card" && !event.target.matches(FIELDS))
    did = copiesKey(event, { dataset: { card: state.dialog.card } });
  else if (!state.dialog)
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
  if (key === "Escape" && state.query.q) acts.q({ value: "" });
  else if (key === "ArrowDown" || key === "Enter")
    part("offers").querySelector(".decks-face[tabindex='0']")?.focus();
  else return false;
  return true;
}

function listen(root) {
  for (const node of [root, state.studio.bar("decks")]) {
    node.addEventListener("click", click);
    node.addEventListener("change", onChange);
    node.addEventListener("input", onChange);
  }
  root.addEventListener(
    "toggle",
    ({ target }) =>
      target.dataset.fold && acts.fold({ fold: target.dataset.fold, open: target.open }),
    true,
  );
  root.addEventListener("focusin", ({ target }) => noteFocus(target, part("offers"), part("deck")));
  root.addEventListener(
    "close",
    ({ target }) => target === part("dialog") && state.dialog && closeDialog(),
    true,
  );
  document.addEventListener("keydown", keydown);
  addEventListener("storage", ({ key, newValue }) => {
    const id = ownerOf(key);
    if (!id) return;
    tellUnsaved();
    const draft = newValue && Draft.from(newValue);
    if (state.page !== "deck" || state.draft?.id !== id) draw();
    else if (draft) ((state.draft = draft), draw(), judge());
    else state.studio.attempt(() => openDeck(id));
  });
  wirePointer(root);
}

async function show(params) {
  const beside = params.getAll("beside");
  const id = params.get("deck");
  if (!state.list) await refreshList();
  if (id) await openDeck(id);
  else if (beside.length > 1) await showCompare(beside);
  else showList();
  if (params.has("new")) openDialog({ kind: "new" });
}

function params() {
  const said = new URLSearchParams();
  if (state.page === "deck" && state.draft) said.set("deck", state.draft.id);
  if (state.page === "compare") for (const id of state.beside) said.append("beside", id);
  return said;
}

function hear({ kind, facts }) {
  if (!["faces", "wall", "decks"].includes(kind)) return;
  forgetFaces();
  if (state.root.hidden) state.list = null;
  else if (kind === "faces" && !facts) draw();
  else state.studio.attempt(followChanges);
}

export function start(root, studio) {
  Object.assign(state, { root, studio, draw });
  listen(root);
  tellUnsaved();
  return { show, hear, params, hide: hidePeek };
}
