/** Sample hands: faces in a fan, what is laid aside, and what the turns bring. */

import { button } from "./decks-parts.js";
import { linked } from "./session.js";
import { counted, make, says, word } from "./words.js";

function face(card, ctx, place, of, marked, may) {
  const found = ctx.cards.get(card);
  const name = found?.name ?? card;
  const picture = found?.hash
    ? make("img", { src: linked(`/faces/${found.hash}.svg`), alt: "", draggable: false })
    : make("span", { className: "decks-blank" }, name);
  const node = may
    ? button(
        "aside",
        picture,
        { place },
        { "aria-pressed": String(marked), "aria-label": name, className: "decks-held" },
      )
    : make("span", { className: "decks-held", role: "img", "aria-label": name }, picture);
  const middle = (of - 1) / 2;
  const turn = of > 1 ? (place - middle) * Math.min(5, 36 / of) : 0;
  node.style.setProperty("--turn", `${turn}deg`);
  node.style.setProperty(
    "--drop",
    `${Math.abs(place - middle) ** 1.7 * (of > 8 ? 0.12 : 0.22)}rem`,
  );
  if (found) node.style.setProperty("--shape", `${found.width} / ${found.height}`);
  node.dataset.peek = card;
  return make("li", {}, node);
}

/** Return a drawn hand, and what comes after it. */
export function handPart(ctx) {
  const { hand, aside } = ctx.hands;
  if (!hand) return [make("p", { className: "under" }, word("decks-drawing"))];
  if (hand.message) return [make("p", { className: "wrong" }, says(hand))];
  const may = hand.opening.redraws > 0 && !hand.aside.length && !hand.turns.length;
  return [
    make(
      "p",
      { className: "under" },
      hand.hand.length === 1
        ? word("decks-hand-one", hand.left)
        : word("decks-hand-about", hand.hand.length, hand.left),
      may ? ` ${word("decks-aside-how", hand.opening.redraws)}` : "",
    ),
    make(
      "ul",
      { className: "decks-hand", role: "list", "aria-label": word("decks-in-hand") },
      ...hand.hand.map((card, place) =>
        face(card, ctx, place, hand.hand.length, aside.has(place), may),
      ),
    ),
    hand.aside.length
      ? make(
          "p",
          { className: "under" },
          word(
            "decks-laid",
            hand.aside.map((card) => ctx.cards.get(card)?.name ?? card).join(", "),
          ),
        )
      : null,
    hand.turns.length
      ? make(
          "ol",
          { className: "decks-turns", role: "list" },
          ...hand.turns.map((cards, turn) =>
            make(
              "li",
              {},
              make("h3", {}, word("decks-turn", turn + 1)),
              make(
                "ul",
                { role: "list" },
                ...cards.map((card) => face(card, ctx, 0, 1, false, false)),
              ),
              cards.length ? null : make("p", { className: "under" }, word("decks-empty-pile")),
            ),
          ),
        )
      : null,
  ].filter(Boolean);
}

/** Return what can be done with a hand. */
export function handActs(ctx) {
  const { hand, aside, mulligan } = ctx.hands;
  const opening = hand?.opening;
  return [
    make(
      "span",
      { className: "under" },
      hand?.seed !== undefined ? word("decks-seed", hand.seed) : "",
    ),
    opening?.redraws && !hand.aside.length && !hand.turns.length
      ? button(
          "redraw",
          counted("decks-redraw-one", "decks-redraw", aside.size),
          {},
          { disabled: !aside.size || aside.size > opening.redraws },
        )
      : null,
    opening?.mulligans
      ? button(
          "mulligan",
          word("decks-mulligan", opening.mulligans - mulligan),
          {},
          { disabled: mulligan >= opening.mulligans || hand.turns.length > 0 },
        )
      : null,
    opening?.draws ? button("turn", word("decks-next-turn"), {}, { disabled: !hand.left }) : null,
    button("deal", word("decks-deal"), {}, { className: "main" }),
  ].filter(Boolean);
}
