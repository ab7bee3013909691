/** What the solver says of a deck: what completes it, what else fits, and why a card does not. */

import { linked } from "./session.js";
import { make, says, word } from "./words.js";

/** Return how a limit is called, with its zone. */
export function limitName({ limits }, id) {
  const limit = limits.find((one) => one.id === id);
  return limit ? [limit.zoneName, limit.name].filter(Boolean).join(": ") : id;
}

/** Return which limits cannot all be kept. */
function conflict(found) {
  if (!found) return null;
  const part = (one) =>
    one.limit
      ? `${[one.zone, one.name].filter(Boolean).join(": ")} (${one.bound}${one.possible ? `; ${word("decks-possible", one.possible)}` : ""})`
      : word(`decks-wish-${one.wish}`);
  return make(
    "div",
    { className: "decks-conflict" },
    make("p", {}, word(found.parts.length > 1 ? "decks-not-all" : "decks-not-one")),
    make("ul", { role: "list" }, ...found.parts.map((one) => make("li", {}, part(one)))),
    found.least ? null : make("p", { className: "under" }, word("decks-not-least")),
  );
}

/** Return that the solver is not installed, and what to do about it. */
const lacking = (ctx) => [
  make("p", {}, word("decks-no-solver")),
  make("p", {}, word("decks-get-solver"), " ", make("code", {}, ctx.list.howto)),
];

/** Return why the solver says nothing. */
const failed = (ctx, found) =>
  ctx.list.solver ? [make("p", { className: "wrong" }, says(found))] : lacking(ctx);

/** Return which limits the solver could not regard. */
const leftOut = (ctx, found) =>
  found.leftOut?.length
    ? make(
        "p",
        { className: "under" },
        word("decks-left-out", found.leftOut.map((id) => limitName(ctx.judged, id)).join(", ")),
      )
    : null;

const thinking = () => [make("p", { className: "under", role: "status" }, word("decks-thinking"))];

/** Return the changes that make a deck legal, each with what needs it. */
export function completePart(ctx, found) {
  if (!ctx.list.solver) return lacking(ctx);
  if (!found) return thinking();
  if (found.message) return failed(ctx, found);
  if (found.possible === null)
    return [make("p", { role: "status" }, word("decks-complete-unknown"))];
  if (!found.possible) return [make("p", {}, word("decks-impossible")), conflict(found.conflict)];
  if (!found.changes.length) return [make("p", { role: "status" }, word("decks-legal"))];
  const zones = new Set(found.changes.map(({ zone }) => zone)).size > 1;
  return [
    make("p", { role: "status" }, word(found.proven ? "decks-smallest" : "decks-unproven")),
    make(
      "ul",
      { className: "decks-changes", role: "list" },
      ...found.changes.map(({ card, zone, by, why }) => {
        const face = ctx.cards.get(card);
        const node = make(
          "li",
          { className: by > 0 ? "in" : "out" },
          face?.hash
            ? make("img", { src: linked(`/faces/${face.hash}.svg`), alt: "" })
            : make("span", {}),
          make("b", {}, by > 0 ? `+${by}` : `−${-by}`),
          make(
            "span",
            {},
            make("span", { className: "name" }, face?.name ?? card),
            zones
              ? make(
                  "span",
                  { className: "under" },
                  ` ${ctx.zones.find(({ id }) => id === zone)?.name ?? ""}`,
                )
              : null,
            make(
              "span",
              { className: "why" },
              why.length
                ? word("decks-because", why.map((id) => limitName(ctx.judged, id)).join(", "))
                : word("decks-no-zone"),
            ),
          ),
        );
        node.dataset.peek = card;
        if (face) node.style.setProperty("--shape", `${face.width} / ${face.height}`);
        return node;
      }),
    ),
    leftOut(ctx, found),
  ];
}

/** Return what else fits: the dialog only tells what there is to tell, the pool shows the cards. */
export function fitsPart(ctx, found) {
  if (!ctx.list.solver) return lacking(ctx);
  if (!found) return thinking();
  if (found.message) return failed(ctx, found);
  const said = !found.possible
    ? "decks-fits-never"
    : found.sure
      ? "decks-nothing-fits"
      : "decks-fits-unknown";
  return [make("p", { role: "status" }, word(said)), conflict(found.conflict), leftOut(ctx, found)];
}

function reason(ctx, id) {
  const limit = ctx.judged.limits.find((one) => one.id === id);
  return limit ? word("decks-reason", limitName(ctx.judged, id), limit.bound) : id;
}

/** Return what is in the way of one more of a card in a zone, and whether a legal deck could have it there. */
function spot(ctx, card, { zone, why, possible, conflict: found }, asked) {
  const name = ctx.cards.get(card)?.name ?? card;
  const legal = possible
    ? word("decks-yet-possible")
    : found
      ? word("decks-never", name)
      : word("decks-unknown-yet");
  return make(
    "section",
    {},
    ctx.zones.length > 1
      ? make("h3", {}, ctx.zones.find(({ id }) => id === zone)?.name ?? zone)
      : null,
    make("p", {}, word(why.length ? "decks-in-the-way" : "decks-nothing-in-the-way")),
    why.length
      ? make(
          "ul",
          { className: "decks-reasons" },
          ...why.map((id) => make("li", {}, reason(ctx, id))),
        )
      : null,
    asked ? make("p", {}, legal) : null,
    conflict(found),
  );
}

/** Return why not one more of a card, for each zone that takes it. */
export function whyPart(ctx, card, found) {
  if (!found) return thinking();
  if (!found.zones) return failed(ctx, found);
  const asked = !found.message;
  return [
    ...found.zones.map((one) => spot(ctx, card, one, asked)),
    found.zones.length ? null : make("p", {}, word("decks-no-zone")),
    ...(asked ? [leftOut(ctx, found)] : failed(ctx, found)),
  ];
}
