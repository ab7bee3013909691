/** Drawing the view of decks: its parts are made once a page, and changed where they differ. */

import { comparePart } from "./decks-compare.js";
import { deckPart } from "./decks-deck.js";
import { dialogPart } from "./decks-dialogs.js";
import { headPart, outsidePart } from "./decks-head.js";
import { rove } from "./decks-keys.js";
import { listPart } from "./decks-list.js";
import { pair } from "./decks-parts.js";
import { layPool, poolChips, poolFaces, poolFilters, poolHits, poolOnly } from "./decks-pool.js";
import { briefPart, sidePart } from "./decks-side.js";
import { at, context } from "./decks-state.js";
import { kept } from "./decks-store.js";
import { numbersOf } from "./filters.js";
import { morph } from "./morph.js";
import { make, word } from "./words.js";

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
  const { root } = at;
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
  const { root } = at;
  root.dataset.tab = ctx.look.tab;
  root.classList.toggle("lighting", Boolean(ctx.lit));
  fill(parts.outside, outsidePart(ctx));
  const broken = ctx.judged?.limits.filter(({ keeps }) => !keeps).length;
  fill(
    parts.tabs,
    pair(
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
  const { root, studio, page } = at;
  if (!studio.wall() || !at.list || (page === "deck" && !at.draft)) return;
  if (parts.page !== page) build(page);
  const drafts = kept();
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
  else fill(parts.body, page === "list" ? listPart(ctx) : comparePart(ctx, at.compared));
  drawDialog(ctx);
  root.setAttribute("aria-busy", String(page === "deck" && at.judgedDeck !== at.draft.now));
}

/** Return a part of the page that is shown. */
export const part = (name) => parts[name];
