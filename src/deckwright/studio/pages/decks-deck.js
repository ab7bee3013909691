/** The deck as it lies: a part for each zone, with piles of faces or a list. */

import { MOST_COPIES } from "./decks-draft.js";
import { button, icon, pair, select } from "./decks-parts.js";
import { piled, pilings, usual } from "./decks-piles.js";
import { mostOf, zonesOf } from "./decks-spots.js";
import { linked } from "./session.js";
import { counted, make, word } from "./words.js";

/** Return how many copies there are, of how many that may be, in words. */
export const told = (name, copies, most) =>
  Number.isInteger(most) ? word("decks-of", name, copies, most) : word("decks-has", name, copies);

/** Return the lines of a deck with their faces and the zones that they are in. */
export function linesOf({ deck, cards, pool }) {
  return deck.entries.map((entry) => {
    return {
      ...entry,
      face: cards.get(entry.card),
      place: entry.zone ?? zonesOf(pool, entry.card)[0] ?? "",
    };
  });
}

/** Return how the cards of a game are piled: what can be chosen, and what is. */
export function pilingOf({ wall, cards, pool, look, list }) {
  const all = pilings(
    wall,
    [...cards.values()].filter((face) => pool.has(`${face.faction}:${face.card}`)),
    list.fields,
  );
  const by = look.by === "none" ? undefined : all.find(({ id }) => id === (look.by || usual(all)));
  return { all, by };
}

function picture(face) {
  if (face?.hash)
    return make("img", {
      src: linked(`/faces/${face.hash}.svg`),
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

function marked(node, line, { lit, look }) {
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
  const said = [told(name, line.copies, mostOf(ctx, line.card, line.place)), line.note]
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
  const node = marked(make("li", { className: "decks-card" }, face, steps(name, data)), line, ctx);
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
  return marked(
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
  const piles = piled(lines, by, word("decks-without"));
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
      pair(
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
