/** The open deck and the pool of cards beside it. */

import { facePicture, layNodes, longList } from "../shared/page.js";
import { withKey } from "../shared/session.js";
import { cardOf, filterFaces, filtersOf, sortFaces } from "../shared/filters.js";
import { watchTile } from "../shared/wall.js";
import { counted, group, join, language, make, makeSvg, select, word } from "../shared/words.js";
import {
  copiesIn,
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

export const NUMBER = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
export const PERCENT = new Intl.NumberFormat(language, { style: "percent" });

const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  back: "m14 6-6 6 6 6",
  close: "M6 6l12 12M18 6 6 18",
  note: "M5 5h14v10l-4 4H5zM9 10h6M9 14h3",
  fan: "M8 5h8v14H8zM5 7v10M19 7v10",
};

export const icon = (name) =>
  makeSvg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, [
    makeSvg("path", { d: ICONS[name] }),
  ]);

/** Make a button that does something: `act` is looked up when it is clicked, and gets its data. */
export const button = (act, said, given = {}) =>
  make("button", { "data-act": act, ...given }, said);

/** Make a choice of one value: what is chosen is given to `act`. */
export const choice = (act, label, choices, now, given = {}) =>
  select({ "data-act": act, "aria-label": label, ...given }, choices, now);

export const choiceButtons = (act, label, choices, now) =>
  group(
    "div.pair",
    label,
    choices.map(([value, said]) =>
      button(act, said, { "data-value": value, "aria-pressed": value === now }),
    ),
  );

/** Return the style by which something has the shape of a face. */
export const shapeOf = (face) => face && { "--shape": `${face.width} / ${face.height}` };

/** Make a chart of bars, which is as wide as there is room. */
export const barChart = (width, height, bars, given = {}) =>
  makeSvg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
      ...given,
    },
    bars.map((bar) => makeSvg("rect", bar)),
  );

// The deck as it lies: a part for each zone, with piles of faces or a list.

export function limitName({ limits }, id) {
  const limit = limits.find((one) => one.id === id);
  return limit ? join(": ", limit.zoneName, limit.name) : id;
}

/** Return how many copies there are, of how many that may be, in words. */
export const copiesInWords = (name, copies, most) =>
  Number.isInteger(most) ? word("decks-of", name, copies, most) : word("decks-has", name, copies);

/** Return the lines of a deck with their faces and the zones that they are in. */
function linesOf({ deck, cards, pool }) {
  return deck.entries.map((entry) => ({
    ...entry,
    face: cards.get(entry.card),
    place: entry.zone ?? zonesOf(pool, entry.card)[0] ?? "",
  }));
}

/** Return how the cards of a game are piled: what can be chosen, and what is. */
function pilingOf({ wall, cards, pool, look, list }) {
  const all = pilings(
    wall,
    [...cards.values()].filter((face) => pool.has(cardOf(face))),
    list.fields,
  );
  const by =
    look.by === "none" ? undefined : all.find(({ id }) => id === (look.by || usualPiling(all)));
  return { all, by };
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
  return make("input", { ...given, "data-act": "count", ...data });
}

export function steps(name, data, between = null) {
  return make("span.decks-step", [
    button("less", "−", { ...data, tabIndex: -1, "aria-label": word("decks-less", name) }),
    between,
    button("more", "+", { ...data, tabIndex: -1, "aria-label": word("decks-more", name) }),
  ]);
}

const dataOf = ({ card, zone }) => ({ "data-card": card, "data-zone": zone ?? "" });

/** Return what the item of a line has, whatever it looks like. */
const lineGiven = (line, { lit }) => ({
  ...dataOf(line),
  "data-drag": "deck",
  draggable: true,
  className: join(" ", lit?.has(line.card) && "lit", (!line.face || !line.place) && "strange"),
});

function pileCard(line, ctx) {
  const name = line.face?.name ?? line.card;
  const data = dataOf(line);
  const copies = copiesInWords(name, line.copies, mostOf(ctx, line.card, line.place));
  const face = button(
    "open",
    [
      line.face?.hash
        ? facePicture(line.face, { loading: "lazy", decoding: "async" })
        : make("span.decks-blank"),
      make("span.decks-strip", [
        make("b", String(line.copies)),
        make("span.name", name),
        line.note && icon("note"),
      ]),
    ],
    { ...data, className: "decks-face", "aria-label": join(". ", copies, line.note), tabIndex: -1 },
  );
  const given = lineGiven(line, ctx);
  const className = `decks-card ${given.className}`;
  return make("li", { ...given, ...shapeOf(line.face), className }, face, steps(name, data));
}

function row(line, ctx, by) {
  const name = line.face?.name ?? line.card;
  const data = dataOf(line);
  const value = by && !by.filter ? line.face?.fields?.[by.id] : null;
  const face = button(
    "open",
    [make("span.name", name), line.note && make("span.note", line.note)],
    { ...data, className: "decks-name", tabIndex: -1 },
  );
  const given = lineGiven(line, ctx);
  return make("li", { ...given, className: `decks-row ${given.className}` }, [
    steps(name, data, copiesInput(name, data, line.copies)),
    face,
    (value ?? null) !== null && make("span.value", { title: by.title }, String(value)),
  ]);
}

function pile({ title, lines }, ctx, by, zone) {
  const list = ctx.look.mode === "list";
  const said = join(": ", by?.title, title);
  return make("div.decks-pile", [
    title &&
      make("h4", { title: said }, make("span", title), make("span.count", String(copiesIn(lines)))),
    longList(
      "ul",
      `decks-pile-${encodeURIComponent(`${zone.id} ${said || zone.name}`)}`,
      { "aria-label": said || zone.name },
      lines.map((line) => lineRow(line, ctx, by, list ? row : pileCard)),
    ),
  ]);
}

function part(zone, lines, ctx, by) {
  const heading = `decks-zone-${zone.id}`.replace(/[^\w-]/g, "_");
  const piles = pilesOf(lines, by, word("decks-without"));
  return make(
    "section.decks-zone",
    { "aria-labelledby": heading, "data-drop": "zone", "data-zone": zone.id },
    [
      make("h3", { id: heading }, [
        zone.name,
        make("span.count", counted("decks-card-one", "decks-card-many", copiesIn(lines))),
      ]),
      lines.length
        ? make("div", { className: `decks-piles ${ctx.look.mode}` }, [
            ...piles.map((one) => pile(one, ctx, by, zone)),
          ])
        : make("p.decks-hollow", word("decks-hollow")),
    ],
  );
}

export function deckPart(ctx) {
  const { all, by } = pilingOf(ctx);
  const lines = linesOf(ctx);
  const zones = ctx.zones.map((zone) => [zone, lines.filter(({ place }) => place === zone.id)]);
  const stray = lines.filter(({ place }) => !ctx.zones.some(({ id }) => id === place));
  return [
    make("div.decks-tools", [
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
        choice(
          "by",
          word("decks-by"),
          [
            ...all.map(({ id, title }) => [id, word("decks-by-what", title)]),
            ["none", word("decks-by-none")],
          ],
          by?.id ?? "none",
        ),
      button("hand", word("decks-hand"), { disabled: !lines.length }),
      button("complete", word("decks-complete")),
      button("fits", word("decks-fits"), { "aria-pressed": String(ctx.query.only === "fits") }),
    ]),
    ...zones.map(([zone, own]) => part(zone, own, ctx, by)),
    stray.length && part({ id: "", name: word("decks-nowhere") }, stray, ctx, undefined),
  ];
}

// The pool of cards that a deck may have: tiles are kept, and touched where they differ.

const tiles = new Map();

export function poolFilters({ wall, pool, cards }) {
  const faces = [...pool.keys()].map((card) => cards.get(card)).filter(Boolean);
  return filtersOf({ ...wall, faces }, { faction: word("faction"), kind: word("kind") });
}

/** Return the faces of the pool that are asked for, those of the deck's own faction first. */
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
    const card = cardOf(face);
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
  const data = { "data-card": card };
  const opens = button("open", picture, { ...data, className: "decks-face", tabIndex: -1 });
  const name = make("span.name");
  const why = button("why", "?", { ...data, className: "decks-why", tabIndex: -1 });
  const zones = make("span.decks-into");
  const step = steps(face.name, data, count);
  const given = { ...data, "data-key": face.key, "data-drag": "pool", draggable: true };
  const parts = [opens, make("span.line", name, why), zones, step];
  const node = make("li.decks-offer", { ...given, ...shapeOf(face) }, parts);
  watchTile(node);
  return { node, picture, count, opens, name, why, zones, step, state: "" };
}

/** Return the names of the zones that a card still fits into, "" if that is not asked. */
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
  const state = JSON.stringify([face.hash, face.name, copies, most, stopped, into, lit]);
  if (kept.state === state) return;
  kept.state = state;
  if (face.hash) kept.picture.src = withKey(`/faces/${face.hash}.svg`);
  else kept.picture.removeAttribute("src");
  kept.name.textContent = face.name;
  kept.count.textContent = copies ? String(copies) : "";
  kept.zones.textContent = into;
  kept.opens.ariaLabel = join(". ", copiesInWords(face.name, copies, most), into);
  kept.why.hidden = !stopped;
  kept.why.ariaLabel = kept.why.title = word("decks-why-not", face.name);
  kept.step.querySelector("[data-act=less]").disabled = !copies;
  kept.node.classList.toggle("stopped", stopped);
  kept.node.classList.toggle("in", copies > 0);
  kept.node.classList.toggle("lit", lit);
}

export function layPool(root, faces, ctx) {
  const nodes = faces.map((face) => {
    const card = cardOf(face);
    if (!tiles.has(card)) tiles.set(card, tile(card, face));
    const kept = tiles.get(card);
    show(kept, face, card, ctx);
    return kept.node;
  });
  layNodes(root, nodes);
}

function chips(act, title, name, values, wanted) {
  return group("div.chips", title, [
    make("span.chips-title", { "aria-hidden": "true" }, title),
    ...values.map(({ value, name: said, color }) =>
      button(act, said, {
        "data-name": name,
        "data-value": value,
        className: `chip${color ? " colored" : ""}`,
        "aria-pressed": wanted.includes(value),
        ...(color && { "--faction": color }),
      }),
    ),
  ]);
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
  return join(
    " ",
    cards
      ? counted("decks-fits-one", "decks-fits-many", cards)
      : word(fitting.sure ? "decks-nothing-fits" : "decks-fits-unknown"),
    cards && !fitting.sure ? word("decks-fits-unsure") : "",
    left.length && word("decks-left-out", left.join(", ")),
  );
}

export const poolChips = ({ query }, filters) =>
  filters.map((filter) =>
    chips("filter", filter.title, filter.name, filter.values, query.filters[filter.name] ?? []),
  );

// An opened card of a deck: its copies in each zone, its note, what is in the way of more.

function copiesField(name, card, zone, copies) {
  const data = dataOf({ card, zone });
  return make("span.decks-step.large", [
    button("less", "−", { ...data, "aria-label": word("decks-less", name), disabled: !copies }),
    copiesInput(name, data, copies),
    button("more", "+", { ...data, "aria-label": word("decks-more", name) }),
  ]);
}

function noteField(entry) {
  const field = make("textarea", {
    rows: 3,
    maxLength: 500,
    "aria-label": word("decks-note"),
    placeholder: word("decks-note-hint"),
    textContent: entry.note,
    "data-act": "note",
    ...dataOf(entry),
  });
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
    ? facePicture(face, { alt: name, ...shapeOf(face) })
    : make("p.empty", { ...shapeOf(face) }, word("decks-unknown"));
  const row = (zone) => {
    const copies = copiesOf(ctx.deck, card, zone.id || null);
    const others = zones.filter(({ id }) => id !== zone.id).map((other) => [other.id, other.name]);
    const places = [["", word("decks-move-to")], ...others];
    return make("div.decks-in", [
      make("span.name", zone.name),
      copiesField(name, card, zone.id, copies),
      others.length > 0 &&
        copies > 0 &&
        choice("move", word("decks-move"), places, "", dataOf({ card, zone: zone.id })),
    ]);
  };
  const full = zones.flatMap(({ id, name: said }) =>
    fullOf(ctx, card, id, zones.length > 1 ? said : ""),
  );
  const faction = ctx.wall.factions.find(({ id }) => id === face?.faction);
  const why = button("why", word("decks-why"), { "data-card": card });
  const toWall = { "data-key": face?.key, className: "link" };
  return [
    make("div.decks-portrait", picture),
    make("div.decks-about", [
      make("p.under", join(" · ", card.split(":")[1], faction?.name)),
      zones.length ? zones.map(row) : make("p", word("decks-no-zone")),
      full.length && make("p.decks-words", full.join(" "), " ", why),
      ...entries.map((entry) => noteField(entry)),
      face && make("p", button("wall", word("decks-to-wall"), toWall)),
    ]),
  ];
}
