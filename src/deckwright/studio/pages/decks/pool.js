/** The pool: faces of the cards that a deck may have, and a card of it that is opened. */

import { filterFaces, filtersOf, sortFaces } from "../shared/filters.js";
import { withKey } from "../shared/session.js";
import { watchTile } from "../shared/wall.js";
import { counted, make, word } from "../shared/words.js";
import { button, copiesInWords, select, steps } from "./deck.js";
import { copiesOf, MOST_COPIES, mostOf, spotOf, whyNot, zonesOf } from "./draft.js";
import { limitName } from "./side.js";

// The pool: faces of the cards that a deck may have. Tiles are kept by card; only what differs is
// touched.

const tiles = new Map();

/** Return the filters of the cards of a pool. */
export function poolFilters({ wall, pool, cards }) {
  const faces = [...pool.keys()].map((card) => cards.get(card)).filter(Boolean);
  return filtersOf({ ...wall, faces }, { faction: word("faction"), kind: word("kind") });
}

/**
 * Return the faces of the pool that are asked for, in order; those of the deck's own faction first.
 */
export function poolFaces(ctx, filters) {
  const { pool, cards, deck, query, found, fitting, wall } = ctx;
  const faces = [...pool.keys()].map((card) => cards.get(card)).filter(Boolean);
  const wanted = filterFaces(
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
  return sortFaces(
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
  watchTile(node);
  return { node, picture, count, opens, name, why, zones, step, state: "" };
}

/**
 * Return the zones that a card still fits into, in words; "" where that is not asked, or there is
 * one zone only.
 */
function fittingZones({ query, fitting, zones }, card) {
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
  const into = fittingZones(ctx, card);
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
  if (face.hash) kept.picture.src = withKey(`/faces/${face.hash}.svg`);
  else kept.picture.removeAttribute("src");
  kept.name.textContent = face.name;
  kept.count.textContent = copies ? String(copies) : "";
  kept.zones.textContent = into;
  kept.opens.setAttribute(
    "aria-label",
    [copiesInWords(face.name, copies, most), into].filter(Boolean).join(". "),
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

// An opened card of a deck: its face, its copies in each zone, a note, and what is in the way of
// more.

function copiesField(name, card, zone, copies) {
  const field = make("input", {
    type: "number",
    min: 0,
    max: MOST_COPIES,
    value: copies,
    "aria-label": word("decks-copies-of", name),
  });
  field.setAttribute("value", copies);
  Object.assign(field.dataset, { act: "count", card, zone });
  return make(
    "span",
    { className: "decks-step large" },
    button(
      "less",
      "−",
      { card, zone },
      { "aria-label": word("decks-less", name), disabled: !copies },
    ),
    field,
    button("more", "+", { card, zone }, { "aria-label": word("decks-more", name) }),
  );
}

function noteField(card, entry) {
  const field = make("textarea", {
    rows: 3,
    maxLength: 500,
    "aria-label": word("decks-note"),
    placeholder: word("decks-note-hint"),
  });
  field.value = entry.note;
  field.textContent = entry.note;
  Object.assign(field.dataset, { act: "note", card, zone: entry.zone ?? "" });
  return make(
    "label",
    { className: "decks-note-field" },
    make("span", {}, word("decks-note")),
    field,
  );
}

/** Return that a zone has no room for one more, as a list of one sentence or none. */
function fullOf(ctx, card, zone, said) {
  const why = whyNot(ctx, card, zone)
    .map((id) => ctx.judged.limits.find((limit) => limit.id === id)?.name ?? id)
    .join(", ");
  if (!why) return [];
  return [said ? word("decks-full-in", said, why) : word("decks-full", why)];
}

/** Return what is told of a card in the deck. */
export function cardPart(ctx, card) {
  const face = ctx.cards.get(card);
  const entries = ctx.deck.entries.filter((entry) => entry.card === card);
  const ids = [...new Set([...zonesOf(ctx.pool, card), ...entries.map(({ zone }) => zone ?? "")])];
  const zones = ids.map(
    (id) => ctx.zones.find((zone) => zone.id === id) ?? { id, name: word("decks-nowhere") },
  );
  const name = face?.name ?? card;
  const picture = face?.hash
    ? make("img", { src: withKey(`/faces/${face.hash}.svg`), alt: name })
    : make("p", { className: "empty" }, word("decks-unknown"));
  if (face) picture.style.setProperty("--shape", `${face.width} / ${face.height}`);
  const row = (zone) =>
    make(
      "div",
      { className: "decks-in" },
      make("span", { className: "name" }, zone.name),
      copiesField(name, card, zone.id, copiesOf(ctx.deck, card, zone.id || null)),
      zones.length > 1 && copiesOf(ctx.deck, card, zone.id || null)
        ? select(
            "move",
            word("decks-move"),
            [
              ["", word("decks-move-to")],
              ...zones.filter(({ id }) => id !== zone.id).map((other) => [other.id, other.name]),
            ],
            "",
          )
        : null,
    );
  const full = zones.flatMap(({ id, name: said }) =>
    fullOf(ctx, card, id, zones.length > 1 ? said : ""),
  );
  const rows = zones.map((zone) => {
    const node = row(zone);
    const choice = node.querySelector("select");
    if (choice) Object.assign(choice.dataset, { card, zone: zone.id });
    return node;
  });
  return [
    make("div", { className: "decks-portrait" }, picture),
    make(
      "div",
      { className: "decks-about" },
      make(
        "p",
        { className: "under" },
        [card.split(":")[1], ctx.wall.factions.find(({ id }) => id === face?.faction)?.name]
          .filter(Boolean)
          .join(" · "),
      ),
      ...(zones.length ? rows : [make("p", {}, word("decks-no-zone"))]),
      full.length
        ? make(
            "p",
            { className: "decks-words" },
            full.join(" "),
            " ",
            button("why", word("decks-why"), { card }),
          )
        : null,
      ...entries.map((entry) => noteField(card, entry)),
      face
        ? make(
            "p",
            {},
            button("wall", word("decks-to-wall"), { key: face.key }, { className: "link" }),
          )
        : null,
    ),
  ];
}
