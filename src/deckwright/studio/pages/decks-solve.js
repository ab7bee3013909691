/** What the solver says of a deck: what completes it, what else fits, and why a card does not. */

import { make, word } from "./words.js";

const named = (ctx, id) => {
  const limit = ctx.judged.limits.find((one) => one.id === id);
  return limit ? [limit.zoneName, limit.name].filter(Boolean).join(": ") : id;
};

/** Return which limits cannot all be kept. */
function conflict(ctx, found) {
  if (!found) return null;
  const part = (one) => (one.limit ? `${[one.zone, one.name].filter(Boolean).join(": ")} (${one.bound}${one.possible ? `; ${word("decks-possible", one.possible)}` : ""})` : word(`decks-wish-${one.wish}`));
  return make("div", { className: "decks-conflict" },
    make("p", {}, word(found.parts.length > 1 ? "decks-not-all" : "decks-not-one")),
    make("ul", { role: "list" }, ...found.parts.map((one) => make("li", {}, part(one)))));
}

/** Return why the solver says nothing: it is not installed, or it failed. */
const failed = (ctx, found) => [
  make("p", { className: "wrong" }, ctx.list.solver ? found.message : word("decks-no-solver")),
  ctx.list.solver ? (found.hint ? make("p", { className: "under" }, found.hint) : null) : make("p", {}, word("decks-get-solver"), " ", make("code", {}, ctx.list.howto)),
];

const thinking = () => [make("p", { className: "under", role: "status" }, word("decks-thinking"))];

/** Return the changes that make a deck legal, each with what needs it. */
export function completePart(ctx, found) {
  if (!found) return thinking();
  if (found.message) return failed(ctx, found);
  if (!found.possible) return [make("p", {}, word("decks-impossible")), conflict(ctx, found.conflict)];
  if (!found.changes.length) return [make("p", { role: "status" }, word("decks-legal"))];
  const zones = new Set(found.changes.map(({ zone }) => zone)).size > 1;
  return [
    make("p", { role: "status" }, word(found.proven ? "decks-smallest" : "decks-unproven")),
    make("ul", { className: "decks-changes", role: "list" }, ...found.changes.map(({ card, zone, by, why }) => {
      const face = ctx.cards.get(card);
      const node = make("li", { className: by > 0 ? "in" : "out" },
        face?.hash ? make("img", { src: `/faces/${face.hash}.svg`, alt: "" }) : make("span", {}),
        make("b", {}, by > 0 ? `+${by}` : `−${-by}`),
        make("span", {}, make("span", { className: "name" }, face?.name ?? card),
          zones ? make("span", { className: "under" }, ` ${ctx.zones.find(({ id }) => id === zone)?.name ?? ""}`) : null,
          make("span", { className: "why" }, why.length ? word("decks-because", why.map((id) => named(ctx, id)).join(", ")) : word("decks-no-zone"))));
      node.dataset.peek = card;
      if (face) node.style.setProperty("--shape", `${face.width} / ${face.height}`);
      return node;
    })),
    found.leftOut.length ? make("p", { className: "under" }, word("decks-left-out", found.leftOut.map(({ limit }) => named(ctx, limit)).join(", "))) : null,
  ];
}

/** Return what else fits: the dialog only tells what there is to tell, the pool shows the cards. */
export function fitsPart(ctx, found) {
  if (!found) return thinking();
  if (found.message) return failed(ctx, found);
  return [make("p", {}, word(found.possible ? "decks-nothing-fits" : "decks-fits-never")), conflict(ctx, found.conflict)];
}

/** Return why not one more of a card. */
export function whyPart(ctx, card, found) {
  if (!found) return thinking();
  if (found.message && !found.now) return failed(ctx, found);
  return [
    found.now.length ? make("p", {}, word("decks-in-the-way")) : null,
    found.now.length ? make("ul", { className: "decks-reasons" }, ...found.now.map((id) => make("li", {}, reason(ctx, id)))) : null,
    found.solved === false ? make("p", { className: "under" }, word("decks-get-solver"), " ", make("code", {}, ctx.list.howto)) : null,
    found.solved === false ? null : found.possible
      ? make("p", {}, word("decks-yet-possible"))
      : found.conflict ? make("div", {}, make("p", {}, word("decks-never", ctx.cards.get(card)?.name ?? card)), conflict(ctx, found.conflict)) : null,
  ];
}

function reason(ctx, id) {
  const limit = ctx.judged.limits.find((one) => one.id === id);
  return limit ? word("decks-reason", named(ctx, id), limit.bound) : id;
}
