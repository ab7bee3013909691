/** The dialog of decks: what it shows, and what it asks the server for. */

import { cardPart } from "./decks-card.js";
import { conflictPart } from "./decks-conflict.js";
import { handActs, handPart } from "./decks-hand.js";
import { newPart } from "./decks-list.js";
import { button, framed, pair } from "./decks-parts.js";
import { completePart, fitsPart, whyPart } from "./decks-solve.js";
import { answer, at, sent } from "./decks-state.js";
import { copyPart, pastePart } from "./decks-text.js";
import { make, word } from "./words.js";

const ID = "decks-dialog";
const done = () => button("close", word("done"), {}, { className: "main" });
const cancel = () => button("close", word("decks-cancel"));

const KINDS = {
  card: (ctx, { card }) => [ctx.cards.get(card)?.name ?? card, cardPart(ctx, card)],
  complete: (ctx, { found }) => [
    word("decks-complete"),
    completePart(ctx, found),
    ...(found?.changes?.length
      ? [cancel(), button("apply", word("decks-apply"), {}, { className: "main" })]
      : [done()]),
  ],
  fits: (ctx, { found }) => [word("decks-fits"), fitsPart(ctx, found), done()],
  why: (ctx, { card, found }) => [
    word("decks-why-not", ctx.cards.get(card)?.name ?? card),
    whyPart(ctx, card, found),
    done(),
  ],
  hand: (ctx) => [word("decks-hand"), handPart(ctx), ...handActs(ctx)],
  new: (ctx) => [
    word("decks-new"),
    newPart(ctx),
    cancel(),
    button("create", word("decks-create"), {}, { className: "main" }),
  ],
  text(ctx, { side }) {
    const { read } = ctx.texts;
    const understood = read?.entries?.length > 0;
    const sides =
      ctx.page === "deck"
        ? pair(
            "side",
            word("decks-text"),
            [
              ["out", word("decks-copy-out")],
              ["in", word("decks-paste")],
            ],
            side,
          )
        : null;
    if (side === "out") {
      return [
        word("decks-text"),
        [sides, copyPart(ctx)],
        button("download", word("decks-download"), {}, { disabled: !ctx.texts.out }),
        button(
          "clip",
          ctx.texts.clipped ? word("copied") : word("decks-clip"),
          {},
          { className: "main", disabled: !ctx.texts.out },
        ),
      ];
    }
    const ends =
      ctx.page === "deck"
        ? [
            button("add-read", word("decks-add-read"), {}, { disabled: !understood }),
            button(
              "take-read",
              word("decks-take-read"),
              {},
              { className: "main", disabled: !understood },
            ),
          ]
        : [
            button(
              "new-read",
              word("decks-new-read"),
              {},
              { className: "main", disabled: !understood },
            ),
          ];
    return [
      word(ctx.page === "deck" ? "decks-text" : "decks-paste"),
      [sides, pastePart(ctx)],
      cancel(),
      ...ends,
    ];
  },
  conflict: (ctx) => [
    word("decks-conflict"),
    conflictPart(ctx, ctx.deck, ctx.outside?.theirs ?? null),
    cancel(),
    button("save-copy", word("decks-save-copy")),
    ctx.outside?.theirs
      ? button("take-theirs", word("decks-take-theirs"))
      : button("drop", word("decks-drop"), { deck: ctx.draft.id }),
    button("keep-mine", word("decks-keep-mine"), {}, { className: "main" }),
  ],
  delete: (ctx, { name }) => [
    word("decks-delete"),
    [
      make("p", {}, word("decks-delete-ask", name)),
      make("p", { className: "under" }, word("decks-delete-how")),
    ],
    cancel(),
    button("delete-now", word("decks-delete"), {}, { className: "main" }),
  ],
  revert: (ctx) => [
    word("decks-revert"),
    [make("p", {}, word("decks-revert-ask", ctx.deck.name))],
    cancel(),
    button("revert-now", word("decks-revert"), {}, { className: "main" }),
  ],
};

/** Return what the dialog holds, [] where none is open. */
export function dialogPart(ctx) {
  if (!ctx.dialog) return [];
  const [title, body, ...foot] = KINDS[ctx.dialog.kind](ctx, ctx.dialog);
  return framed(ID, title, [body].flat().filter(Boolean), ...foot.filter(Boolean));
}

/** Open the dialog. */
export function openDialog(dialog) {
  at.dialog = dialog;
  at.draw();
}

/** Open the dialog and ask the server for what it is to show; closing it ends the question. */
export async function openAsking(dialog, what, more = {}) {
  const stop = new AbortController();
  const mine = { ...dialog, found: null, stop };
  openDialog(mine);
  try {
    mine.found = await answer(what, { ...sent(at.draft), ...more }, stop.signal);
  } catch (error) {
    if (error.name === "AbortError") return mine;
    at.dialog = null;
    at.studio.failed(error, () => openAsking(dialog, what, more));
  }
  at.draw();
  return mine;
}

/** Close the dialog, and end what it was asking for. */
export function closeDialog() {
  at.dialog?.stop?.abort();
  at.dialog = null;
  at.draw();
}
