/**
 * What the view of decks knows: its state, the drafts that the browser keeps, the server's answers.
 */

import { sentence, word } from "../shared/words.js";
import { cardsOf, Draft } from "./draft.js";

// What the view of decks knows: what was asked for, what the server told, what is built.

const game = document.documentElement.dataset.game;
const LOOK = `deckwright:${game}:decks`;

function storedLook(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

/** The state of the view. `look` is kept in the browser, the page that is shown in the address. */
export const state = {
  root: null,
  studio: null,
  draw: () => {},
  page: "list", // or "deck", "compare"
  look: {
    mode: matchMedia("(max-width: 900px)").matches ? "list" : "piles",
    by: "",
    tab: "pool",
    folds: {},
    ...storedLook(LOOK),
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
  Object.assign(state.look, changes);
  const { lit, ...kept } = state.look;
  localStorage.setItem(LOOK, JSON.stringify(kept));
}

let indexedWall = null;
let cards = new Map();

/** Look at the wall anew: its faces have changed. */
export function forgetFaces() {
  indexedWall = null;
}

/** Return all that is needed to draw, as it is now. */
export function context() {
  const wall = state.studio.wall();
  if (wall !== indexedWall) [indexedWall, cards] = [wall, cardsOf(wall)];
  const limit = state.judged?.limits.find(({ id }) => id === state.look.lit);
  return {
    ...state,
    wall,
    cards,
    deck: state.draft?.now,
    pool: new Map((state.judged?.pool ?? []).map((offer) => [offer.card, offer])),
    zones: (state.list?.zones ?? []).toSorted((a, b) => Number(b.main) - Number(a.main)),
    lit: limit ? new Set(limit.cards) : null,
    readOnly: state.studio.readOnly,
  };
}

/** Ask the server about decks; what it says of a mistake is an answer, too. */
export async function askDecks(what, said, signal) {
  return state.studio.post(`/api/decks/${what}`, said, signal).catch((error) => {
    if (!error.answer) throw error;
    return error.answer;
  });
}

/** Return what the server is told of a deck. */
export function draftToSend(draft) {
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

// Drafts: opened, kept in the browser until they are saved, saved, and what comes between.

const DRAFT_KEY = `deckwright:${game}:deck:`;

/** Return what a deck is made of, without where it is kept. */
export const deckOf = ({ name, faction, format, entries }) => ({
  name,
  faction,
  format: format ?? null,
  entries: entries.map(({ card, zone, copies, note }) => ({
    card,
    zone: zone ?? null,
    copies,
    note: note ?? "",
  })),
});

/** Return all drafts that the browser keeps, by the id of their deck. */
export function keptDrafts() {
  const found = new Map();
  for (let place = 0; place < localStorage.length; place += 1) {
    const key = localStorage.key(place);
    if (!key.startsWith(DRAFT_KEY)) continue;
    const draft = Draft.from(localStorage.getItem(key));
    if (draft) found.set(key.slice(DRAFT_KEY.length), draft);
  }
  return found;
}

/** Tell the page which decks are not saved. */
export function tellUnsaved() {
  const drafts = keptDrafts();
  for (const id of state.studio.unsavedIds())
    if (id.startsWith("deck:") && !drafts.has(id.slice(5))) state.studio.unsaved(id, null);
  for (const [id, draft] of drafts)
    state.studio.unsaved(
      `deck:${id}`,
      word("decks-deck", draft.now.name || word("decks-nameless")),
    );
  return drafts;
}

/** Keep the open draft, or forget it where nothing of it is unsaved. */
export function keepDraft(draft = state.draft) {
  if (draft.dirty) localStorage.setItem(DRAFT_KEY + draft.id, draft.kept());
  else localStorage.removeItem(DRAFT_KEY + draft.id);
  tellUnsaved();
}

/** Forget a draft. */
export function dropDraft(id) {
  localStorage.removeItem(DRAFT_KEY + id);
  tellUnsaved();
}

/** Return the id of a deck whose draft a stored key is of, null for another key. */
export const ownerOf = (key) => (key?.startsWith(DRAFT_KEY) ? key.slice(DRAFT_KEY.length) : null);

/** Return an id for a deck that no file has yet. */
export const freshId = () => `*${Date.now().toString(36)}`;

/** Begin a deck that no file has yet. */
export function beginDraft(deck) {
  const draft = new Draft(freshId(), null, null, deckOf(deck));
  localStorage.setItem(DRAFT_KEY + draft.id, draft.kept());
  tellUnsaved();
  return draft;
}

const askDeck = (id) => state.studio.ask(`/api/decks/deck?id=${encodeURIComponent(id)}`);

/** Open a deck: as its file has it, or as it was left; `outside` is what its file has instead. */
export async function openDraft(id) {
  const draft = Draft.from(localStorage.getItem(DRAFT_KEY + id));
  if (id.startsWith("*")) return { draft, outside: null };
  const theirs = await askDeck(id).catch((error) => {
    if (draft && error.status === undefined && error.constructor.name === "Missing") return null;
    throw error;
  });
  if (!draft) return { draft: new Draft(id, deckOf(theirs), theirs.before), outside: null };
  return { draft, outside: theirs?.before === draft.before ? null : { theirs } };
}

/** Save the draft; returns "saved", or "conflict" where somebody else has changed the file. */
export async function saveDraft(draft) {
  const former = draft.id;
  const now = draft.now;
  try {
    const answer = await state.studio.post("/api/decks/save", draftToSend(draft));
    const saved = deckOf(answer.draft);
    draft.keep(saved, answer.before, answer.id);
    if (draft.now === now) draft.now = saved;
  } catch (error) {
    if (error.status !== 409) throw error;
    state.outside = { theirs: error.answer.theirs };
    return "conflict";
  }
  if (former !== draft.id) localStorage.removeItem(DRAFT_KEY + former);
  keepDraft(draft);
  return "saved";
}

/** Take what the file holds, as a step that can be undone. */
export function takeTheirs(draft, theirs, said) {
  const deck = deckOf(theirs);
  draft.keep(deck, theirs.before);
  draft.step(said, deck);
  keepDraft(draft);
}

// What the server says of the deck that is built: asked after each change, and the last answer
// counts.

const WAIT = 70;
const SEARCH = 150;
let judgeTimer = 0;
let lastJudging = null;

async function judgeNow() {
  lastJudging?.abort();
  const mine = (lastJudging = new AbortController());
  const { draft, studio } = state;
  const deck = draft.now;
  const asked = (what) => askDecks(what, draftToSend(draft), mine.signal);
  const take = (known) => {
    const still = mine === lastJudging && state.draft === draft;
    if (still) {
      Object.assign(state, known);
      state.draw();
    }
    return still;
  };
  try {
    const found = await asked("judge");
    if (
      !take({
        judgedDeck: deck,
        ...(found.message ? { mistake: found } : { judged: found, mistake: null }),
      }) ||
      found.message
    )
      return;
    if (state.list?.opening && !take({ odds: await asked("odds") })) return;
    if (state.query.only !== "fits") return;
    take({ refitting: true });
    const fitting = await asked("fits");
    if (take({ refitting: false, fitting: fitting.message ? null : fitting }) && fitting.message) {
      state.query.only = "";
      state.draw();
      studio.warn(sentence(fitting));
    }
  } catch (error) {
    if (error.name !== "AbortError" && mine === lastJudging) studio.failed(error, () => judge(0));
  }
}

/** Ask for a judgement of the deck soon; what was asked before does not count any more. */
export function judge(wait = WAIT) {
  clearTimeout(judgeTimer);
  lastJudging?.abort();
  if (state.query.only !== "fits") state.fitting = null;
  judgeTimer = setTimeout(judgeNow, wait);
}

let searchTimer = 0;
let lastSearch = 0;

/** Ask for the cards that an expression finds. */
export function search(expression) {
  const mine = ++searchTimer;
  clearTimeout(lastSearch);
  if (!expression) {
    Object.assign(state, { found: null, wrong: "" });
    state.draw();
    return;
  }
  lastSearch = setTimeout(async () => {
    try {
      const reply = await state.studio.ask(`/api/search?q=${encodeURIComponent(expression)}`);
      if (mine !== searchTimer) return;
      state.wrong = reply.message ? sentence(reply) : "";
      if (!reply.message) state.found = new Set(reply.cards);
      state.draw();
    } catch (error) {
      state.studio.failed(error, () => search(expression));
    }
  }, SEARCH);
}
