/** Decks as values, the drafts that the browser keeps, and the server's answers. */

import { readStored } from "../shared/page.js";
import { cardOf, valuesOf } from "../shared/filters.js";
import { Missing } from "../shared/session.js";
import { sentence, word } from "../shared/words.js";

// A deck as it is built: its lines, what can be undone, and what the browser keeps. Nothing here
// touches the page.

export const MOST_COPIES = 9990;
const MOST_STEPS = 60; // steps that can be undone
const MOST_KEPT = 400_000; // characters of steps that can be undone after a reload

const sameLine = (one, other) => one.card === other.card && one.zone === other.zone;

/** Return how many copies of a card a deck has, in one zone's lines or in all. */
export function copiesOf(deck, card, zone) {
  let copies = 0;
  for (const entry of entriesOf(deck, card))
    if (zone === undefined || entry.zone === zone) copies += entry.copies;
  return copies;
}

/** Return what a function makes of an object that never changes; it is asked once for each. */
export function remembered(call) {
  const known = new WeakMap();
  return (one) => {
    if (!known.has(one)) known.set(one, call(one));
    return known.get(one);
  };
}

const entriesByCard = remembered(({ entries }) => Map.groupBy(entries, ({ card }) => card));
const entriesOf = (deck, card) => entriesByCard(deck).get(card) ?? [];
const jsonOf = remembered(JSON.stringify);

/** Return a deck that has so many copies of a card in the lines of a zone. */
export function withCopies(deck, card, zone, copies) {
  const line = { card, zone };
  const rest = Math.max(0, copies);
  const first = deck.entries.find((entry) => sameLine(entry, line));
  if (!first)
    return rest
      ? { ...deck, entries: [...deck.entries, { card, copies: rest, zone, note: "" }] }
      : deck;
  const entries = deck.entries.flatMap((entry) => {
    if (!sameLine(entry, line)) return [entry];
    return entry === first && rest ? [{ ...entry, copies: rest }] : [];
  });
  return { ...deck, entries };
}

/** Return a deck in which copies of a card stand in another zone. */
export function withMove(deck, card, from, to, copies) {
  const had = copiesOf(deck, card, from);
  const some = Math.min(copies, had);
  return withCopies(
    withCopies(deck, card, from, had - some),
    card,
    to,
    copiesOf(deck, card, to) + some,
  );
}

export function withNote(deck, card, zone, note) {
  return {
    ...deck,
    entries: deck.entries.map((entry) =>
      sameLine(entry, { card, zone }) ? { ...entry, note } : entry,
    ),
  };
}

/** Return how many cards lines have. */
export const copiesIn = (lines) => lines.reduce((sum, { copies }) => sum + copies, 0);

/** Return what makes one deck of another: the copies of each card that differ, by zone. */
export function differences(before, after) {
  const keys = new Map(
    [...before.entries, ...after.entries].map(({ card, zone }) => [
      `${card} ${zone ?? ""}`,
      { card, zone },
    ]),
  );
  return [...keys.values()]
    .map(({ card, zone }) => ({
      card,
      zone,
      before: copiesOf(before, card, zone),
      after: copiesOf(after, card, zone),
    }))
    .filter((one) => one.before !== one.after);
}

const draftText = remembered((deck) =>
  JSON.stringify([
    deck.name,
    deck.faction,
    deck.format ?? null,
    deck.entries.map(({ card, copies, zone, note }) => [card, copies, zone ?? null, note || ""]),
  ]),
);

export class Draft {
  /**
   * @param saved the deck as its file has it, null for one that was never saved.
   * @param now the deck as it is built.
   */
  constructor(id, saved, before, now = saved) {
    this.id = id;
    this.saved = saved;
    this.before = before;
    this.now = now;
    this.past = [];
    this.future = [];
  }

  /** Whether something is not saved yet. */
  get dirty() {
    return !this.saved || draftText(this.saved) !== draftText(this.now);
  }

  /** Take a step; return whether it changes anything. Steps that `join` with the last are one. */
  step(said, now, join = "") {
    if (draftText(now) === draftText(this.now)) return false;
    const last = this.past.at(-1);
    if (!join || last?.join !== join || this.future.length)
      this.past.push({ said, join, deck: this.now });
    this.past.splice(0, this.past.length - MOST_STEPS);
    this.future = [];
    this.now = now;
    return true;
  }

  /** Go a step back; return what was undone, undefined for nothing. */
  undo() {
    const last = this.past.pop();
    if (!last) return undefined;
    this.future.push({ said: last.said, deck: this.now });
    this.now = last.deck;
    return last.said;
  }

  /** Go a step forth again; return what was done. */
  redo() {
    const next = this.future.pop();
    if (!next) return undefined;
    this.past.push({ said: next.said, join: "", deck: this.now });
    this.now = next.deck;
    return next.said;
  }

  /** Take what the file holds: nothing else is left to save. */
  keep(saved, before, id = this.id) {
    Object.assign(this, { id, saved, before });
  }

  /** Return what the browser keeps: of the steps, the last that it has room for. */
  kept() {
    const { id, saved, before, now } = this;
    let room = MOST_KEPT;
    const texts = (steps) =>
      steps
        .toReversed()
        .map(
          ({ said, join = "", deck }) =>
            `{"said":${JSON.stringify(said)},"join":${JSON.stringify(join)},"deck":${jsonOf(deck)}}`,
        )
        .filter((text) => (room -= text.length) > 0)
        .toReversed();
    const head = JSON.stringify({ id, before: before ?? null }).slice(0, -1);
    const decks = `"saved":${saved ? jsonOf(saved) : null},"now":${jsonOf(now)}`;
    return `${head},${decks},"past":[${texts(this.past)}],"future":[${texts(this.future)}]}`;
  }

  /** Return the draft that the browser has kept, null for none. */
  static from(kept) {
    try {
      const found = JSON.parse(kept);
      if (!found?.now?.entries) return null;
      return Object.assign(new Draft(found.id, found.saved, found.before, found.now), {
        past: found.past ?? [],
        future: found.future ?? [],
      });
    } catch {
      return null;
    }
  }
}

// How the cards of a deck lie: in piles by a number or by terms. Nothing here touches the page.

const MOST_PILES = 9; // piles of numbers; more are put together
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000];

/** Return the first face of each card, by what decks call it. */
function cardsOf(wall) {
  const found = new Map();
  for (const face of wall.faces) {
    if (face.side === "face" && !face.token && !found.has(cardOf(face)))
      found.set(cardOf(face), face);
  }
  return found;
}

/** Return what cards can be piled by, numbers before terms: what not all have alike. */
export function pilings(wall, faces, fields) {
  const filters = new Map((wall.game.filters ?? []).map((filter) => [filter.name, filter]));
  const telling = (values) => new Set(values).size > 1;
  const numbers = fields.filter(
    ({ id, numeric }) => numeric && telling(faces.map((face) => face.fields?.[id])),
  );
  const terms = fields.filter(
    ({ id, numeric }) =>
      !numeric &&
      filters.has(id) &&
      telling(faces.map((face) => valuesOf(face, filters.get(id)).join(" "))),
  );
  return [...numbers, ...terms].map(({ id, name, numeric }) => ({
    id,
    title: name || filters.get(id)?.title || id,
    filter: numeric ? null : filters.get(id),
  }));
}

/** Return what cards are piled by unless one chooses: their cost, or else what comes first. */
export const usualPiling = (all) =>
  (all.find(({ id }) => /^(cost|mana|price|provision)/i.test(id)) ?? all[0])?.id ?? "";

/**
 * Put the lines of a deck into piles.
 *
 * @param lines each with its `face`, undefined for a card that there is not.
 * @param by one of `pilings`, undefined for a single pile.
 * @param none what the pile is called of cards without such a value.
 * @returns piles in order, each with its title and lines.
 */
export function pilesOf(lines, by, none) {
  if (!by) return lines.length ? [{ title: "", lines }] : [];
  const piles = by.filter ? byTerm(lines, by.filter, none) : byNumber(lines, by.id, none);
  return piles.length === 1 && piles[0].title === none ? [{ ...piles[0], title: "" }] : piles;
}

function byTerm(lines, filter, none) {
  const order = new Map(filter.values.map(({ value }, place) => [String(value), place]));
  const names = new Map(filter.values.map(({ value, name }) => [String(value), name]));
  const piles = new Map();
  for (const line of lines) {
    const values = line.face
      ? valuesOf(line.face, filter).toSorted((a, b) => order.get(a) - order.get(b))
      : [];
    const key = values.join(" ");
    const rank =
      values.reduce((sum, value, place) => sum + (order.get(value) ?? 99) / 100 ** place, 0) +
      (values.length ? values.length / 1e6 : 1e9);
    if (!piles.has(key))
      piles.set(key, {
        title: values.map((value) => names.get(value) ?? value).join(" + ") || none,
        rank,
        lines: [],
      });
    piles.get(key).lines.push(line);
  }
  return [...piles.values()].toSorted((a, b) => a.rank - b.rank);
}

function byNumber(lines, name, none) {
  const value = ({ face }) => (typeof face?.fields?.[name] === "number" ? face.fields[name] : null);
  const numbers = lines.map(value).filter((number) => number !== null);
  const few = new Set(numbers).size <= MOST_PILES;
  const low = Math.min(...numbers);
  const step = few
    ? 0
    : (STEPS.find((each) => (Math.max(...numbers) - low) / each < MOST_PILES - 1) ?? 5000);
  const piles = new Map();
  for (const line of lines) {
    const number = value(line);
    const rank = number === null ? Infinity : few ? number : Math.floor(number / step) * step;
    const title =
      number === null ? none : few || step === 1 ? String(rank) : `${rank}–${rank + step - 1}`;
    if (!piles.has(rank)) piles.set(rank, { title, rank, lines: [] });
    piles.get(rank).lines.push(line);
  }
  const within = (a, b) => (value(a) ?? 0) - (value(b) ?? 0);
  return [...piles.values()]
    .toSorted((a, b) => a.rank - b.rank)
    .map((pile) => ({ ...pile, lines: pile.lines.toSorted(within) }));
}

// The zones that a card may be in, where its next copy goes, and how many more there may be.
// Nothing here touches the page.

const spots = (pool, card) => pool.get(card)?.zones ?? [];

/** Return the ids of the zones that take a card, the usual one first. */
export const zonesOf = (pool, card) => spots(pool, card).map(({ zone }) => zone);

/** Return the zone that a card's copies go to or come from where none is said, null for none. */
export function spotOf({ deck, pool, query, fitting }, card, leaving = false) {
  if (!leaving && query.only === "fits" && fitting?.cards[card]) return fitting.cards[card][0];
  const entries = entriesOf(deck, card);
  if (entries.length) return entries.at(leaving ? -1 : 0).zone;
  return zonesOf(pool, card)[0] ?? null;
}

/** Return the ids of the limits in the way of one more copy in a zone. */
export const whyNot = ({ pool }, card, zone) =>
  spots(pool, card).find((spot) => spot.zone === zone)?.why ?? [];

/**
 * Return how many copies of a card limits allow as the deck stands, undefined where none does.
 *
 * @param zone where they are, undefined for all: then only the zone of the next one has room for more.
 */
export function mostOf(ctx, card, zone) {
  const { pool, judged, judgedDeck } = ctx;
  const { room } =
    spots(pool, card).find((spot) => spot.zone === (zone ?? spotOf(ctx, card))) ?? {};
  if (!Number.isInteger(room)) return undefined;
  return copiesOf(judgedDeck, card, zone) + (room || Math.min(0, excesses(judged).get(card) ?? 0));
}

/** Return by how many copies limits are exceeded, for each card that they count. */
const excesses = remembered(({ limits }) => {
  const found = new Map();
  for (const { by, cards } of limits.flatMap(({ groups }) => groups))
    if (by < 0) for (const card of cards) found.set(card, Math.min(by, found.get(card) ?? 0));
  return found;
});

// What the view of decks knows: what was asked for, what the server told, what is built.

const game = document.documentElement.dataset.game;
const LOOK = `deckwright:${game}:decks`;

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
    ...readStored(LOOK, {}),
    lit: "",
  },
  list: null, // what is told of all decks
  find: "", // in their names
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

export function draftToSend(draft) {
  const { name, faction, format = null, entries } = draft.now;
  const id = draft.id?.startsWith("*") ? null : draft.id;
  return { draft: { id, name, faction, format, entries, before: draft.before ?? null } };
}

// Drafts: opened, kept in the browser until they are saved, saved, and what comes between.

const DRAFT_KEY = `deckwright:${game}:deck:`;

/** Return what a deck is made of, without where it is kept. */
export const deckOf = ({ name, faction, format = null, entries }) => {
  const lines = entries.map(({ card, zone = null, copies, note }) => {
    return { card, zone, copies, note: note ?? "" };
  });
  return { name, faction, format, entries: lines };
};

const readDrafts = new Map(); // what the browser keeps, by its key: the text, and the draft in it

/** Return the draft that is kept under a key; its text is read once, for it may be long. */
function draftOf(key) {
  const text = localStorage.getItem(key);
  if (readDrafts.get(key)?.text !== text) readDrafts.set(key, { text, draft: Draft.from(text) });
  return readDrafts.get(key).draft;
}

/** Return all drafts that the browser keeps, by the id of their deck. */
export function keptDrafts() {
  const found = new Map();
  for (let place = 0; place < localStorage.length; place += 1) {
    const key = localStorage.key(place);
    if (!key.startsWith(DRAFT_KEY)) continue;
    const draft = draftOf(key);
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
  const key = DRAFT_KEY + draft.id;
  if (draft.dirty) {
    const text = draft.kept();
    localStorage.setItem(key, text);
    readDrafts.set(key, { text, draft });
  } else localStorage.removeItem(key);
  tellUnsaved();
}

export function dropDraft(id) {
  localStorage.removeItem(DRAFT_KEY + id);
  tellUnsaved();
}

/** Return the id of a deck whose draft a stored key is of, null for another key. */
export const ownerOf = (key) => (key?.startsWith(DRAFT_KEY) ? key.slice(DRAFT_KEY.length) : null);

export const freshId = () => `*${Date.now().toString(36)}`;

export function beginDraft(deck) {
  const draft = new Draft(freshId(), null, null, deckOf(deck));
  localStorage.setItem(DRAFT_KEY + draft.id, draft.kept());
  tellUnsaved();
  return draft;
}

export const askDeck = (id) => state.studio.ask(`/api/decks/deck?id=${encodeURIComponent(id)}`);

/** Open a deck: as its file has it, or as it was left; `outside` is what its file has instead. */
export async function openDraft(id) {
  const draft = Draft.from(localStorage.getItem(DRAFT_KEY + id));
  if (id.startsWith("*")) return { draft, outside: null };
  const theirs = await askDeck(id).catch((error) => {
    if (draft && error instanceof Missing) return null;
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

// What the server says of the deck: asked after each change, and the last answer counts.

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
    if (state.list?.opening && deck.entries.length && !take({ odds: await asked("odds") })) return;
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
