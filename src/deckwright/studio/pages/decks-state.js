/** What the view of decks knows: what was asked for, what the server told, what is built. */

import { cardsOf } from "./decks-piles.js";

export const game = document.documentElement.dataset.game;
const LOOK = `deckwright:${game}:decks`;

function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

/** The state of the view. `look` is kept in the browser, the page that is shown in the address. */
export const at = {
  root: null,
  studio: null,
  draw: () => {},
  page: "list", // or "deck", "compare"
  look: {
    mode: matchMedia("(max-width: 900px)").matches ? "list" : "piles",
    by: "",
    tab: "pool",
    folds: {},
    ...stored(LOOK),
    lit: "",
  },
  list: null, // what is told of all decks
  draft: null,
  judged: null,
  mistake: null,
  judgedDeck: { entries: [] },
  odds: null,
  outside: null,
  fitting: null,
  refitting: false, // what still fits, and whether that is asked anew
  query: { q: "", filters: {}, only: "", sort: "order" },
  found: null,
  wrong: "",
  marked: new Set(),
  beside: [],
  compared: null,
  gone: null,
  texts: { text: "", read: null, form: "text", out: null, meant: new Map() },
  hands: { hand: null, aside: new Set(), mulligan: 0 },
  dialog: null,
};

/** Change how decks are looked at, and keep it. */
export function look(changes) {
  Object.assign(at.look, changes);
  const { lit, ...kept } = at.look;
  localStorage.setItem(LOOK, JSON.stringify(kept));
}

let indexed = null;
let cards = new Map();

/** Look at the wall anew: its faces have changed. */
export function forget() {
  indexed = null;
}

/** Return all that is needed to draw, as it is now. */
export function context() {
  const wall = at.studio.wall();
  if (wall !== indexed) [indexed, cards] = [wall, cardsOf(wall)];
  const limit = at.judged?.limits.find(({ id }) => id === at.look.lit);
  return {
    ...at,
    wall,
    cards,
    deck: at.draft?.now,
    pool: new Map((at.judged?.pool ?? []).map((offer) => [offer.card, offer])),
    zones: (at.list?.zones ?? []).toSorted((a, b) => Number(b.main) - Number(a.main)),
    lit: limit ? new Set(limit.cards) : null,
    readOnly: at.studio.readOnly,
  };
}

/** Ask the server about decks; what it says of a mistake is an answer, too. */
export async function answer(what, said, signal) {
  return at.studio.post(`/api/decks/${what}`, said, signal).catch((error) => {
    if (!error.answer) throw error;
    return error.answer;
  });
}

/** Return what the server is told of a deck. */
export function sent(draft) {
  const { name, faction, format, entries } = draft.now;
  return {
    draft: {
      id: draft.id?.startsWith("*") ? null : draft.id,
      name,
      faction,
      format: format ?? null,
      entries,
      before: draft.before ?? null,
    },
  };
}
