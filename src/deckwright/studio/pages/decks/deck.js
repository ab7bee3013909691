/** The open deck and the pool of cards beside it. */

import { layNodes, longList } from "../shared/page.js";
import { withKey } from "../shared/session.js";
import { filterFaces, filtersOf, sortFaces } from "../shared/filters.js";
import { watchTile } from "../shared/wall.js";
import { counted, make, makeOptions, makeSvg, word } from "../shared/words.js";
import {
  copiesOf,
  MOST_COPIES,
  mostOf,
  pilesOf,
  pilings,
  spotOf,
  usualPiling,
  whyNot,
  zonesOf,
} from "./state.js";

// Small parts that the pages of decks are made of.

const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  back: "m14 6-6 6 6 6",
  close: "M6 6l12 12M18 6 6 18",
  note: "M5 5h14v10l-4 4H5zM9 10h6M9 14h3",
  fan: "M8 5h8v14H8zM5 7v10M19 7v10",
};

export const icon = (name) =>
  makeSvg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    makeSvg("path", { d: ICONS[name] }),
  );

/**
 * Make a button that does something: `act` is looked up when it is clicked, `data` is given to it.
 */
export function button(act, said, data = {}, given = {}) {
  const node = make("button", given, ...[said].flat().filter(Boolean));
  Object.assign(node.dataset, { act, ...data });
  return node;
}

/** Make a choice of one value: what is chosen is given to `act`. */
export function select(act, label, choices, now, given = {}) {
  return make(
    "select",
    { "aria-label": label, ...given, "data-act": act, "data-value": now },
    ...makeOptions(choices, now),
  );
}

export const choiceButtons = (act, label, choices, now) =>
  make(
    "div.pair",
    { role: "group", "aria-label": label },
    ...choices.map(([value, said]) =>
      button(act, said, { value }, { "aria-pressed": String(value === now) }),
    ),
  );

/** Make a part that can be folded; whether it is open is kept under its name. */
export function foldable(name, title, open, ...children) {
  const node = make("details.decks-fold", make("summary", make("h3", title)), ...children);
  if (open) node.setAttribute("open", "");
  node.dataset.fold = name;
  return node;
}

export function dialogFrame(id, title, body, ...foot) {
  return [
    make(
      "header",
      make("h2", { id: `${id}-title` }, title),
      button("close", icon("close"), {}, { className: "quiet", "aria-label": word("close") }),
    ),
    make("div.body", ...body),
    ...(foot.length ? [make("footer", ...foot)] : []),
  ];
}

// The deck as it lies: a part for each zone, with piles of faces or a list.

export function limitName({ limits }, id) {
  const limit = limits.find((one) => one.id === id);
  return limit ? [limit.zoneName, limit.name].filter(Boolean).join(": ") : id;
}

/** Return how many copies there are, of how many that may be, in words. */
export const copiesInWords = (name, copies, most) =>
  Number.isInteger(most) ? word("decks-of", name, copies, most) : word("decks-has", name, copies);

/** Return the lines of a deck with their faces and the zones that they are in. */
function linesOf({ deck, cards, pool }) {
  return deck.entries.map((entry) => {
    return {
      ...entry,
      face: cards.get(entry.card),
      place: entry.zone ?? zonesOf(pool, entry.card)[0] ?? "",
    };
  });
}

/** Return how the cards of a game are piled: what can be chosen, and what is. */
function pilingOf({ wall, cards, pool, look, list }) {
  const all = pilings(
    wall,
    [...cards.values()].filter((face) => pool.has(`${face.faction}:${face.card}`)),
    list.fields,
  );
  const by =
    look.by === "none" ? undefined : all.find(({ id }) => id === (look.by || usualPiling(all)));
  return { all, by };
}

function picture(face) {
  if (face?.hash)
    return make("img", {
      src: withKey(`/faces/${face.hash}.svg`),
      alt: "",
      loading: "lazy",
      decoding: "async",
      draggable: false,
    });
  return make("span.decks-blank");
}

/** Return the row of a line: what it shows, and how its node is made. */
function lineRow(line, ctx, by, build) {
  const { card, zone, copies, note, place, face } = line;
  const most = mostOf(ctx, card, place);
  const lit = Boolean(ctx.lit?.has(card));
  return {
    key: `${ctx.look.mode} ${card} ${zone ?? ""}`,
    shown: JSON.stringify([copies, note, place, face?.hash, face?.name, most, lit, by?.id]),
    build: () => build(line, ctx, by),
  };
}

function copiesInput(name, data, value) {
  const label = word("decks-copies-of", name);
  const given = { type: "number", min: 0, max: MOST_COPIES, value, "aria-label": label };
  const field = make("input", given);
  Object.assign(field.dataset, { act: "count", ...data });
  return field;
}

export function steps(name, data, between = null) {
  return make(
    "span.decks-step",
    button("less", "−", data, { tabIndex: -1, "aria-label": word("decks-less", name) }),
    between,
    button("more", "+", data, { tabIndex: -1, "aria-label": word("decks-more", name) }),
  );
}

function size(node, face) {
  if (face) node.style.setProperty("--shape", `${face.width} / ${face.height}`);
}

function mark(node, line, { lit }) {
  node.draggable = true;
  node.classList.toggle("lit", Boolean(lit?.has(line.card)));
  node.classList.toggle("strange", !line.face || !line.place);
  Object.assign(node.dataset, { card: line.card, zone: line.zone ?? "", drag: "deck" });
  return node;
}

function pileCard(line, ctx) {
  const name = line.face?.name ?? line.card;
  const data = { card: line.card, zone: line.zone ?? "" };
  const said = [copiesInWords(name, line.copies, mostOf(ctx, line.card, line.place)), line.note]
    .filter(Boolean)
    .join(". ");
  const face = button(
    "open",
    [
      picture(line.face),
      make(
        "span.decks-strip",
        make("b", String(line.copies)),
        make("span.name", name),
        line.note && icon("note"),
      ),
    ],
    data,
    { className: "decks-face", "aria-label": said, tabIndex: -1 },
  );
  const node = mark(make("li.decks-card", face, steps(name, data)), line, ctx);
  size(node, line.face);
  return node;
}

function row(line, ctx, by) {
  const name = line.face?.name ?? line.card;
  const data = { card: line.card, zone: line.zone ?? "" };
  const value = by && !by.filter ? line.face?.fields?.[by.id] : null;
  const face = button(
    "open",
    [make("span.name", name), line.note && make("span.note", line.note)],
    data,
    { className: "decks-name", tabIndex: -1 },
  );
  return mark(
    make(
      "li.decks-row",
      steps(name, data, copiesInput(name, data, line.copies)),
      face,
      !(value === null || value === undefined) &&
        make("span.value", { title: by.title }, String(value)),
    ),
    line,
    ctx,
  );
}

function pile({ title, lines }, ctx, by, zone) {
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);
  const list = ctx.look.mode === "list";
  const said = [by?.title, title].filter(Boolean).join(": ");
  return make(
    "div.decks-pile",
    title && make("h4", { title: said }, make("span", title), make("span.count", String(copies))),
    longList(
      "ul",
      `decks-pile-${encodeURIComponent(`${zone.id} ${said || zone.name}`)}`,
      { role: "list", "aria-label": said || zone.name },
      lines.map((line) => lineRow(line, ctx, by, list ? row : pileCard)),
    ),
  );
}

function part(zone, lines, ctx, by) {
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);
  const heading = `decks-zone-${zone.id}`.replace(/[^\w-]/g, "_");
  const piles = pilesOf(lines, by, word("decks-without"));
  return make(
    "section.decks-zone",
    { "aria-labelledby": heading, "data-drop": "zone", "data-zone": zone.id },
    make(
      "h3",
      { id: heading },
      zone.name,
      make("span.count", counted("decks-card-one", "decks-card-many", copies)),
    ),
    lines.length
      ? make(
          "div",
          { className: `decks-piles ${ctx.look.mode}` },
          ...piles.map((one) => pile(one, ctx, by, zone)),
        )
      : make("p.decks-hollow", word("decks-hollow")),
  );
}

export function deckPart(ctx) {
  const { all, by } = pilingOf(ctx);
  const lines = linesOf(ctx);
  const zones = ctx.zones.map((zone) => [zone, lines.filter(({ place }) => place === zone.id)]);
  const stray = lines.filter(({ place }) => !ctx.zones.some(({ id }) => id === place));
  return [
    make(
      "div.decks-tools",
      choiceButtons(
        "mode",
        word("decks-mode"),
        [
          ["piles", word("decks-mode-piles")],
          ["list", word("decks-mode-list")],
        ],
        ctx.look.mode,
      ),
      all.length &&
        select(
          "by",
          word("decks-by"),
          [
            ...all.map(({ id, title }) => [id, word("decks-by-what", title)]),
            ["none", word("decks-by-none")],
          ],
          by?.id ?? "none",
        ),
      button("hand", word("decks-hand"), {}, { disabled: !lines.length }),
      button("complete", word("decks-complete")),
      button("fits", word("decks-fits"), {}, { "aria-pressed": String(ctx.query.only === "fits") }),
    ),
    ...zones.map(([zone, own]) => part(zone, own, ctx, by)),
    stray.length && part({ id: "", name: word("decks-nowhere") }, stray, ctx, undefined),
  ];
}

// The pool: faces of the cards that a deck may have. Tiles are kept by card; only what differs is
// touched.

const tiles = new Map();

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
  const count = make("span.decks-count", { "aria-hidden": "true" });
  const opens = button("open", picture, { card }, { className: "decks-face", tabIndex: -1 });
  const name = make("span.name");
  const why = button("why", "?", { card }, { className: "decks-why", tabIndex: -1 });
  const zones = make("span.decks-into");
  const step = steps(face.name, { card }, count);
  const node = make(
    "li.decks-offer",
    { "data-card": card, "data-key": face.key, "data-drag": "pool" },
    opens,
    make("span.line", name, why),
    zones,
    step,
  );
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

export function layPool(root, faces, ctx) {
  const nodes = faces.map((face) => {
    const card = `${face.faction}:${face.card}`;
    if (!tiles.has(card)) tiles.set(card, tile(card, face));
    const kept = tiles.get(card);
    show(kept, face, card, ctx);
    return kept.node;
  });
  layNodes(root, nodes);
}

function chips(act, title, name, values, wanted) {
  return make(
    "div.chips",
    { role: "group", "aria-label": title },
    make("span.chips-title", { "aria-hidden": "true" }, title),
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

export const poolChips = ({ query }, filters) =>
  filters.map((filter) =>
    chips("filter", filter.title, filter.name, filter.values, query.filters[filter.name] ?? []),
  );

// An opened card of a deck: its face, its copies in each zone, a note, and what is in the way of
// more.

function copiesField(name, card, zone, copies) {
  const data = { card, zone };
  return make(
    "span.decks-step.large",
    button("less", "−", data, { "aria-label": word("decks-less", name), disabled: !copies }),
    copiesInput(name, data, copies),
    button("more", "+", data, { "aria-label": word("decks-more", name) }),
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
  return make("label.decks-note-field", make("span", word("decks-note")), field);
}

/** Return that a zone has no room for one more, as a list of one sentence or none. */
function fullOf(ctx, card, zone, said) {
  const why = whyNot(ctx, card, zone)
    .map((id) => ctx.judged.limits.find((limit) => limit.id === id)?.name ?? id)
    .join(", ");
  if (!why) return [];
  return [said ? word("decks-full-in", said, why) : word("decks-full", why)];
}

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
    : make("p.empty", word("decks-unknown"));
  if (face) picture.style.setProperty("--shape", `${face.width} / ${face.height}`);
  const row = (zone) =>
    make(
      "div.decks-in",
      make("span.name", zone.name),
      copiesField(name, card, zone.id, copiesOf(ctx.deck, card, zone.id || null)),
      zones.length > 1 &&
        copiesOf(ctx.deck, card, zone.id || null) &&
        select(
          "move",
          word("decks-move"),
          [
            ["", word("decks-move-to")],
            ...zones.filter(({ id }) => id !== zone.id).map((other) => [other.id, other.name]),
          ],
          "",
        ),
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
    make("div.decks-portrait", picture),
    make(
      "div.decks-about",
      make(
        "p.under",
        [card.split(":")[1], ctx.wall.factions.find(({ id }) => id === face?.faction)?.name]
          .filter(Boolean)
          .join(" · "),
      ),
      ...(zones.length ? rows : [make("p", word("decks-no-zone"))]),
      full.length &&
        make("p.decks-words", full.join(" "), " ", button("why", word("decks-why"), { card })),
      ...entries.map((entry) => noteField(card, entry)),
      face &&
        make("p", button("wall", word("decks-to-wall"), { key: face.key }, { className: "link" })),
    ),
  ];
}
