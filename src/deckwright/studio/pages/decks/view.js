/**
 * Drawing the view of decks: its parts are made once a page and changed where they differ; the
 * focus stays.
 */

import { numbersOf } from "../shared/filters.js";
import { morph } from "../shared/page.js";
import { make, word } from "../shared/words.js";
import { choiceButtons, deckPart } from "./deck.js";
import { dialogPart } from "./dialogs.js";
import { comparePart, headPart, listPart, outsidePart } from "./list.js";
import { layPool, poolChips, poolFaces, poolFilters, poolHits, poolOnly } from "./pool.js";
import { briefPart, sidePart } from "./side.js";
import { context, keptDrafts, state } from "./state.js";

// The keyboard in a deck: from card to card, copies by keys, and one stop for Tab in each part.

const CARDS = ".decks-face, .decks-name";
const currentCards = new Map(); // the id of the card that Tab leads to, by part
let lastFocus = null; // where the focus was when its card went

const idOf = (card) => {
  const { card: id, zone } = card.dataset;
  return `${id} ${zone ?? ""}`;
};

/** Let Tab lead to one card of each part, and give the focus back where its card has gone. */
function rove(...roots) {
  for (const root of roots) {
    const all = [...root.querySelectorAll(CARDS)];
    const one = all.find((card) => idOf(card) === currentCards.get(root)) ?? all[0];
    for (const card of all) card.tabIndex = card === one ? 0 : -1;
    if (lastFocus?.root === root && document.activeElement === document.body)
      (
        all[Math.min(lastFocus.place, all.length - 1)] ??
        document.querySelector("#decks .decks-tools button")
      )?.focus({ preventScroll: true });
    const focused = all.indexOf(document.activeElement);
    if (focused >= 0) lastFocus = { root, place: focused };
  }
}

/** Note which card has the focus. */
export function noteFocus(card, ...roots) {
  const root = roots.find((one) => one?.contains(card));
  if (!root || !card.matches(CARDS)) {
    lastFocus = null;
    return;
  }
  const all = [...root.querySelectorAll(CARDS)];
  for (const other of all) other.tabIndex = other === card ? 0 : -1;
  currentCards.set(root, idOf(card));
  lastFocus = { root, place: all.indexOf(card) };
}

/** Return the card that the key of an arrow leads to: the nearest in its direction. */
export function neighbour(root, from, key) {
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
export function digit(key) {
  clearTimeout(digitTimer);
  typedDigits = (typedDigits + key).slice(-2);
  digitTimer = setTimeout(() => (typedDigits = ""), 700);
  return Number(typedDigits);
}

// Drawing the view of decks: its parts are made once a page, and changed where they differ.

const parts = {};

const fill = (node, nodes) => morph(node, [nodes].flat().filter(Boolean));

function find() {
  const field = make("input", {
    type: "search",
    autocomplete: "off",
    spellcheck: false,
    "aria-label": word("search"),
    placeholder: word("search-words"),
    "aria-describedby": "decks-wrong",
  });
  field.dataset.act = "q";
  const sort = make("select", { "aria-label": word("sort") });
  sort.dataset.act = "sort";
  return { field, sort };
}

/** Make the frame of a page. */
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
  Object.assign(parts, find());
  parts.hits = make("p", { className: "hits", role: "status" });
  parts.wrong = make("span", { id: "decks-wrong", className: "wrong", lang: "en" });
  parts.offers = make("ul", {
    className: "decks-offers",
    role: "list",
    "aria-label": word("decks-pool"),
  });
  const filters = make(
    "details",
    { className: "decks-filters" },
    make("summary", {}, word("filters")),
    parts.chips,
  );
  const pool = make(
    "section",
    { className: "decks-pool", "aria-label": word("decks-pool") },
    make("div", { className: "decks-find search", role: "search" }, parts.field),
    parts.only,
    filters,
    make("div", { className: "decks-sift" }, parts.hits, parts.sort),
    parts.wrong,
    parts.offers,
  );
  pool.dataset.drop = "pool";
  const side = make(
    "aside",
    { className: "decks-numbers", "aria-label": word("decks-numbers") },
    parts.side,
  );
  const deck = make(
    "section",
    { className: "decks-table", "aria-label": word("decks-the-deck") },
    parts.deck,
  );
  root.replaceChildren(
    make("h2", { className: "hidden" }, word("decks-the-deck")),
    parts.outside,
    parts.tabs,
    make("div", { className: "decks-builder" }, pool, deck, side),
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
  fill(parts.only, poolOnly(ctx));
  fill(parts.chips, poolChips(ctx, filters));
  fill(
    parts.sort,
    sorts(ctx).map(([value, said]) => make("option", { value }, said)),
  );
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
  fill(parts.outside, outsidePart(ctx));
  const broken = ctx.judged?.limits.filter(({ keeps }) => !keeps).length;
  fill(
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
  fill(parts.deck, deckPart(ctx));
  fill(parts.side, sidePart(ctx));
  fill(parts.brief, briefPart(ctx));
  rove(parts.offers, parts.deck);
}

function drawDialog(ctx) {
  const { dialog } = parts;
  dialog.dataset.kind = ctx.dialog?.kind ?? "";
  fill(dialog, dialogPart(ctx));
  if (ctx.dialog && !dialog.open) dialog.showModal();
  if (!ctx.dialog && dialog.open) dialog.close();
}

/** Bring the page to what is known now. */
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
      cards: now.entries.reduce((sum, { copies }) => sum + copies, 0),
      first: now.entries.slice(0, 4).map(({ card }) => card),
    }));
  const ctx = { ...context(), drafts, fresh };
  fill(studio.bar("decks"), page === "deck" ? headPart(ctx) : []);
  if (page === "deck") drawDeck(ctx);
  else fill(parts.body, page === "list" ? listPart(ctx) : comparePart(ctx, state.compared));
  drawDialog(ctx);
  root.setAttribute("aria-busy", String(page === "deck" && state.judgedDeck !== state.draft.now));
}

/** Return a part of the page that is shown. */
export const part = (name) => parts[name];
