/** The deck as it lies: a part for each zone, with piles of faces or a list. */

import { withKey } from "../shared/session.js";
import { counted, make, word } from "../shared/words.js";
import { MOST_COPIES, mostOf, pilesOf, pilings, usualPiling, zonesOf } from "./draft.js";

// Small parts that the pages of decks are made of.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  back: "m14 6-6 6 6 6",
  close: "M6 6l12 12M18 6 6 18",
  note: "M5 5h14v10l-4 4H5zM9 10h6M9 14h3",
  fan: "M8 5h8v14H8zM5 7v10M19 7v10",
};

/** Make an element of a drawing, from attributes alone. */
export function svgElement(tag, given, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const icon = (name) =>
  svgElement(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svgElement("path", { d: ICONS[name] }),
  );

/**
 * Make a button that does something: `act` is looked up when it is clicked, `data` is given to it.
 */
export function button(act, said, data = {}, given = {}) {
  const node = make("button", { type: "button", ...given }, ...[said].flat().filter(Boolean));
  Object.assign(node.dataset, { act, ...data });
  return node;
}

/** Make a choice of one value: what is chosen is given to `act`. */
export function select(act, label, choices, now, given = {}) {
  const node = make(
    "select",
    { "aria-label": label, ...given },
    ...choices.map(([value, said]) => make("option", { value, selected: value === now }, said)),
  );
  Object.assign(node.dataset, { act, value: now });
  return node;
}

/** Make buttons of which one is pressed. */
export const choiceButtons = (act, label, choices, now) =>
  make(
    "div",
    { className: "pair", role: "group", "aria-label": label },
    ...choices.map(([value, said]) =>
      button(act, said, { value }, { "aria-pressed": String(value === now) }),
    ),
  );

/** Make a part that can be folded; whether it is open is kept under its name. */
export function foldable(name, title, open, ...children) {
  const node = make(
    "details",
    { className: "decks-fold" },
    make("summary", {}, make("h3", {}, title)),
    ...children,
  );
  if (open) node.setAttribute("open", "");
  node.dataset.fold = name;
  return node;
}

/** Make a dialog's frame: its title, what is in it, and what ends it. */
export function dialogFrame(id, title, body, ...foot) {
  return [
    make(
      "header",
      {},
      make("h2", { id: `${id}-title` }, title),
      button("close", icon("close"), {}, { className: "quiet", "aria-label": word("close") }),
    ),
    make("div", { className: "body" }, ...body),
    ...(foot.length ? [make("footer", {}, ...foot)] : []),
  ];
}

// The deck as it lies: a part for each zone, with piles of faces or a list.

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
  return make("span", { className: "decks-blank" });
}

/** Return the buttons that take a copy out and put one in. */
export function steps(name, data, between = null) {
  return make(
    "span",
    { className: "decks-step" },
    button("less", "−", data, { tabIndex: -1, "aria-label": word("decks-less", name) }),
    between,
    button("more", "+", data, { tabIndex: -1, "aria-label": word("decks-more", name) }),
  );
}

function size(node, face) {
  if (face) node.style.setProperty("--shape", `${face.width} / ${face.height}`);
}

function mark(node, line, { lit, look }) {
  node.draggable = true;
  node.classList.toggle("lit", Boolean(lit?.has(line.card)));
  node.classList.toggle("strange", !line.face || !line.place);
  Object.assign(node.dataset, { card: line.card, zone: line.zone ?? "", drag: "deck" });
  node.id = `decks-${look.mode}-${line.card}-${line.zone ?? ""}`.replace(/[^\w-]/g, "_");
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
        "span",
        { className: "decks-strip" },
        make("b", {}, String(line.copies)),
        make("span", { className: "name" }, name),
        line.note ? icon("note") : null,
      ),
    ],
    data,
    { className: "decks-face", "aria-label": said, tabIndex: -1 },
  );
  const node = mark(make("li", { className: "decks-card" }, face, steps(name, data)), line, ctx);
  size(node, line.face);
  return node;
}

function row(line, ctx, by) {
  const name = line.face?.name ?? line.card;
  const data = { card: line.card, zone: line.zone ?? "" };
  const number = make("input", {
    type: "number",
    min: 0,
    max: MOST_COPIES,
    value: line.copies,
    "aria-label": word("decks-copies-of", name),
  });
  number.setAttribute("value", line.copies);
  Object.assign(number.dataset, { act: "count", ...data });
  const value = by && !by.filter ? line.face?.fields?.[by.id] : null;
  const face = button(
    "open",
    [
      make("span", { className: "name" }, name),
      line.note ? make("span", { className: "note" }, line.note) : null,
    ],
    data,
    { className: "decks-name", tabIndex: -1 },
  );
  return mark(
    make(
      "li",
      { className: "decks-row" },
      steps(name, data, number),
      face,
      value === null || value === undefined
        ? null
        : make("span", { className: "value", title: by.title }, String(value)),
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
    "div",
    { className: "decks-pile" },
    title
      ? make(
          "h4",
          { title: said },
          make("span", {}, title),
          make("span", { className: "count" }, String(copies)),
        )
      : null,
    make(
      "ul",
      { role: "list", "aria-label": said || zone.name },
      ...lines.map((line) => (list ? row(line, ctx, by) : pileCard(line, ctx))),
    ),
  );
}

function part(zone, lines, ctx, by) {
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);
  const heading = `decks-zone-${zone.id}`.replace(/[^\w-]/g, "_");
  const piles = pilesOf(lines, by, word("decks-without"));
  const node = make(
    "section",
    { className: "decks-zone", "aria-labelledby": heading },
    make(
      "h3",
      { id: heading },
      zone.name,
      make("span", { className: "count" }, counted("decks-card-one", "decks-card-many", copies)),
    ),
    lines.length
      ? make(
          "div",
          { className: `decks-piles ${ctx.look.mode}` },
          ...piles.map((one) => pile(one, ctx, by, zone)),
        )
      : make("p", { className: "decks-hollow" }, word("decks-hollow")),
  );
  Object.assign(node.dataset, { drop: "zone", zone: zone.id });
  return node;
}

/** Return the deck: what is chosen for its looks, and its zones. */
export function deckPart(ctx) {
  const { all, by } = pilingOf(ctx);
  const lines = linesOf(ctx);
  const zones = ctx.zones.map((zone) => [zone, lines.filter(({ place }) => place === zone.id)]);
  const stray = lines.filter(({ place }) => !ctx.zones.some(({ id }) => id === place));
  return [
    make(
      "div",
      { className: "decks-tools" },
      choiceButtons(
        "mode",
        word("decks-mode"),
        [
          ["piles", word("decks-mode-piles")],
          ["list", word("decks-mode-list")],
        ],
        ctx.look.mode,
      ),
      all.length
        ? select(
            "by",
            word("decks-by"),
            [
              ...all.map(({ id, title }) => [id, word("decks-by-what", title)]),
              ["none", word("decks-by-none")],
            ],
            by?.id ?? "none",
          )
        : null,
      button("hand", word("decks-hand"), {}, { disabled: !lines.length }),
      button("complete", word("decks-complete")),
      button("fits", word("decks-fits")),
    ),
    ...zones.map(([zone, own]) => part(zone, own, ctx, by)),
    stray.length ? part({ id: "", name: word("decks-nowhere") }, stray, ctx, undefined) : null,
  ];
}
