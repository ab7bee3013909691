/** The pool: faces of the cards that a deck may have. Tiles are kept by card; only what differs is touched. */

import { copiesOf } from "./decks-draft.js";
import { steps, told } from "./decks-deck.js";
import { button } from "./decks-parts.js";
import { limitName } from "./decks-solve.js";
import { mostOf, spotOf, whyNot } from "./decks-spots.js";
import { chosen, filtersOf, sorted } from "./filters.js";
import { watch } from "./screen.js";
import { linked } from "./session.js";
import { counted, make, word } from "./words.js";

const tiles = new Map();

/** Return the filters of the cards of a pool. */
export function poolFilters({ wall, pool, cards }) {
  const faces = [...pool.keys()].map((card) => cards.get(card)).filter(Boolean);
  return filtersOf({ ...wall, faces }, { faction: word("faction"), kind: word("kind") });
}

/** Return the faces of the pool that are asked for, in order; those of the deck's own faction first. */
export function poolFaces(ctx, filters) {
  const { pool, cards, deck, query, found, fitting, wall } = ctx;
  const faces = [...pool.keys()].map((card) => cards.get(card)).filter(Boolean);
  const wanted = chosen(
    faces,
    { ...query, side: "face", findings: false, changed: false },
    filters,
    found,
    () => false,
  );
  const kept = wanted.filter((face) => {
    const card = `${face.faction}:${face.card}`;
    if (query.only === "free") return !whyNot(ctx, card, spotOf(ctx, card)).length;
    if (query.only === "in") return copiesOf(deck, card) > 0;
    if (query.only === "fits") return Boolean(fitting?.cards[card]);
    return true;
  });
  const strange = ({ faction }) => Number(faction !== deck.faction);
  return sorted(
    kept.toSorted((a, b) => strange(a) - strange(b)),
    query.sort,
    wall.game.language,
  );
}

function tile(card, face) {
  const picture = make("img", { alt: "", loading: "lazy", decoding: "async", draggable: false });
  const count = make("span", { className: "decks-count", "aria-hidden": "true" });
  const opens = button(
    "open",
    [picture, count],
    { card },
    { className: "decks-face", tabIndex: -1 },
  );
  const name = make("span", { className: "name" });
  const why = button("why", "?", { card }, { className: "decks-why", tabIndex: -1 });
  const zones = make("span", { className: "decks-into" });
  const step = steps(face.name, { card });
  const node = make(
    "li",
    { className: "decks-offer" },
    opens,
    make("span", { className: "line" }, name, why),
    zones,
    step,
  );
  Object.assign(node.dataset, { card, key: face.key, drag: "pool" });
  node.draggable = true;
  node.style.setProperty("--shape", `${face.width} / ${face.height}`);
  watch(node);
  return { node, picture, count, opens, name, why, zones, step, state: "" };
}

/** Return the zones that a card still fits into, in words; "" where that is not asked, or there is one zone only. */
function intoOf({ query, fitting, zones }, card) {
  if (query.only !== "fits" || zones.length < 2) return "";
  const into = fitting?.cards[card] ?? [];
  return zones
    .filter(({ id }) => into.includes(id))
    .map(({ name }) => name)
    .join(", ");
}

function show(kept, face, card, ctx) {
  const copies = copiesOf(ctx.deck, card);
  const most = mostOf(ctx, card);
  const stopped = whyNot(ctx, card, spotOf(ctx, card)).length > 0;
  const into = intoOf(ctx, card);
  const lit = Boolean(ctx.lit?.has(card));
  const state = JSON.stringify([
    face.hash,
    face.name,
    copies,
    most,
    stopped,
    into,
    lit,
    Boolean(ctx.lit),
  ]);
  if (kept.state === state) return;
  kept.state = state;
  if (face.hash) kept.picture.src = linked(`/faces/${face.hash}.svg`);
  else kept.picture.removeAttribute("src");
  kept.name.textContent = face.name;
  kept.count.textContent = copies ? String(copies) : "";
  kept.zones.textContent = into;
  kept.opens.setAttribute(
    "aria-label",
    [told(face.name, copies, most), into].filter(Boolean).join(". "),
  );
  kept.why.hidden = !stopped;
  kept.why.setAttribute("aria-label", word("decks-why-not", face.name));
  kept.why.title = word("decks-why-not", face.name);
  kept.step.querySelector("[data-act=less]").disabled = !copies;
  kept.node.classList.toggle("stopped", stopped);
  kept.node.classList.toggle("in", copies > 0);
  kept.node.classList.toggle("lit", lit);
}

/** Show these faces in the list of the pool. */
export function layPool(root, faces, ctx) {
  const nodes = faces.map((face) => {
    const card = `${face.faction}:${face.card}`;
    if (!tiles.has(card)) tiles.set(card, tile(card, face));
    const kept = tiles.get(card);
    show(kept, face, card, ctx);
    return kept.node;
  });
  const wanted = new Set(nodes);
  for (const node of [...root.children]) if (!wanted.has(node)) node.remove();
  nodes.forEach((node, place) => {
    if (root.children[place] !== node) root.insertBefore(node, root.children[place] ?? null);
  });
}

function chips(act, title, name, values, wanted) {
  return make(
    "div",
    { className: "chips", role: "group", "aria-label": title },
    make("span", { className: "chips-title", "aria-hidden": "true" }, title),
    ...values.map(({ value, name: said, color }) => {
      const chip = button(
        act,
        said,
        { name, value },
        {
          className: `chip${color ? " colored" : ""}`,
          "aria-pressed": String(wanted.includes(value)),
        },
      );
      if (color) chip.style.setProperty("--faction", color);
      return chip;
    }),
  );
}

/** Return what chooses between all cards of the pool and some. */
export function poolOnly({ fitting, query }) {
  const all = [
    ["free", word("decks-only-free")],
    ["in", word("decks-only-in")],
    ...(fitting || query.only === "fits" ? [["fits", word("decks-only-fits")]] : []),
  ];
  return chips(
    "only",
    word("decks-only"),
    "only",
    all.map(([value, name]) => ({ value, name })),
    [query.only],
  );
}

/** Return how many cards of the pool are shown, and what is not sure of that. */
export function poolHits({ judged, pool, query, fitting, refitting }, shown) {
  if (!judged) return word("decks-judging");
  if (query.only !== "fits") return word("hits", shown, pool.size);
  if (refitting || !fitting) return word("decks-thinking");
  if (!fitting.possible) return word("decks-fits-never");
  const cards = Object.keys(fitting.cards).length;
  const left = fitting.leftOut.map((id) => limitName(judged, id));
  return [
    cards
      ? counted("decks-fits-one", "decks-fits-many", cards)
      : word(fitting.sure ? "decks-nothing-fits" : "decks-fits-unknown"),
    cards && !fitting.sure ? word("decks-fits-unsure") : "",
    left.length ? word("decks-left-out", left.join(", ")) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Return the filters of the pool as chips. */
export const poolChips = ({ query }, filters) =>
  filters.map((filter) =>
    chips("filter", filter.title, filter.name, filter.values, query.filters[filter.name] ?? []),
  );
